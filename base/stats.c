/* Times, rates and drops of a run: for the screen, --benchmark and --stats. */
#include "base/stats.h"

#include "base/file.h"
#include "stereo/alloc.h"
#include "stereo/sort.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_SAMPLES = 4096, KEPT_EVENTS = 512 };

static const double recent_seconds = 2;

/* The latest samples; sample n is at n % KEPT_SAMPLES. */
typedef struct series {
    float ms[KEPT_SAMPLES];
    int64_t count;
} series;

/* The times of events, in seconds; event n is at n % KEPT_EVENTS. */
typedef struct events {
    double at[KEPT_EVENTS];
    double first;
    int64_t count;
} events;

typedef struct drops {
    const char *cause;
    int64_t count;
} drops;

typedef struct figure {
    const char *name;
    double value;
} figure;

struct stats {
    pthread_mutex_t lock; /* of all that follows */
    stats_subject subject;
    series series[STATS_SERIES_COUNT];
    events events[STATS_EVENT_COUNT];
    drops drops[STATS_MAX_DROPS];
    int causes;
    figure figures[STATS_MAX_FIGURES];
    int figure_count;
    stats_damage damage, damage_before; /* of this input; of the earlier inputs */
    char input[256];
};

stats *stats_create(void) {
    stats *s = sv_alloc(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void stats_destroy(stats *s) {
    if (!s) return;
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- Collecting ------------------------------------------------------------------------------- */

void stats_set_subject(stats *s, const stats_subject *subject) {
    pthread_mutex_lock(&s->lock);
    s->subject = *subject;
    pthread_mutex_unlock(&s->lock);
}

void stats_set_device(stats *s, const char *device) {
    pthread_mutex_lock(&s->lock);
    snprintf(s->subject.device, sizeof s->subject.device, "%s", device);
    pthread_mutex_unlock(&s->lock);
}

void stats_add(stats *s, stats_series which, double milliseconds) {
    pthread_mutex_lock(&s->lock);
    series *to = &s->series[which];
    to->ms[to->count++ % KEPT_SAMPLES] = (float)milliseconds;
    pthread_mutex_unlock(&s->lock);
}

void stats_add_times(stats *s, const sv_times *times) {
    static const stats_series series_of[SV_STAGE_COUNT] = {
        [SV_UPLOAD] = STATS_UPLOAD, [SV_RECTIFY] = STATS_RECTIFY,   [SV_MATCH] = STATS_MATCH,
        [SV_REFINE] = STATS_REFINE, [SV_DOWNLOAD] = STATS_DOWNLOAD,
    };
    for (int i = 0; i < SV_STAGE_COUNT; i++)
        if (times->ms[i] > 0) stats_add(s, series_of[i], times->ms[i]);
}

void stats_tick(stats *s, stats_event which, double seconds) {
    pthread_mutex_lock(&s->lock);
    events *to = &s->events[which];
    if (!to->count) to->first = seconds;
    to->at[to->count++ % KEPT_EVENTS] = seconds;
    pthread_mutex_unlock(&s->lock);
}

void stats_set_drops(stats *s, const char *cause, int64_t count) {
    pthread_mutex_lock(&s->lock);
    int i = 0;
    while (i < s->causes && strcmp(s->drops[i].cause, cause)) i++;
    if (i < STATS_MAX_DROPS) s->drops[i] = (drops){cause, count};
    if (i == s->causes && i < STATS_MAX_DROPS) s->causes++;
    pthread_mutex_unlock(&s->lock);
}

void stats_set_input(stats *s, const char *name) {
    pthread_mutex_lock(&s->lock);
    snprintf(s->input, sizeof s->input, "%s", name);
    pthread_mutex_unlock(&s->lock);
}

void stats_set_figure(stats *s, const char *name, double value) {
    pthread_mutex_lock(&s->lock);
    int i = 0;
    while (i < s->figure_count && strcmp(s->figures[i].name, name)) i++;
    const bool fits = i < STATS_MAX_FIGURES;
    if (fits) s->figures[i] = (figure){name, value};
    if (i == s->figure_count && fits) s->figure_count++;
    pthread_mutex_unlock(&s->lock);
    if (!fits) sv_log(SV_LOG_ERROR, "--stats has no room for '%s'", name);
}

void stats_add_damage(stats *s, stats_damage more) {
    pthread_mutex_lock(&s->lock);
    s->damage.kept += more.kept;
    s->damage.skipped += more.skipped;
    s->damage.mistimed += more.mistimed;
    s->damage.lost += more.lost;
    pthread_mutex_unlock(&s->lock);
}

/* Called with the lock held. */
static stats_damage damage_of_run(const stats *s) {
    const stats_damage *now = &s->damage, *before = &s->damage_before;
    return (stats_damage){now->kept + before->kept, now->skipped + before->skipped, now->mistimed + before->mistimed,
                          now->lost + before->lost};
}

stats_damage stats_get_damage(stats *s) {
    pthread_mutex_lock(&s->lock);
    const stats_damage damage = damage_of_run(s);
    pthread_mutex_unlock(&s->lock);
    return damage;
}

/* ---- Asking ----------------------------------------------------------------------------------- */

/* The quantile `q` of the sorted samples, linear between two of them. */
static double quantile(const float *sorted, int count, double q) {
    if (!count) return NAN;
    const double place = q * (count - 1);
    const int below = (int)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * ((double)sorted[above] - sorted[below]);
}

static stats_figures figures_of(const series *from) {
    float samples[KEPT_SAMPLES];
    const int count = from->count < KEPT_SAMPLES ? (int)from->count : KEPT_SAMPLES;
    memcpy(samples, from->ms, (size_t)count * sizeof *samples);
    sv_sort_floats(samples, (size_t)count);
    return (stats_figures){quantile(samples, count, 0.5), quantile(samples, count, 0.95), from->count};
}

stats_figures stats_of(stats *s, stats_series which) {
    pthread_mutex_lock(&s->lock);
    const series copy = s->series[which];
    pthread_mutex_unlock(&s->lock);
    return figures_of(&copy);
}

double stats_recent_rate(stats *s, stats_event which, double now) {
    pthread_mutex_lock(&s->lock);
    const events *from = &s->events[which];
    const int kept = from->count < KEPT_EVENTS ? (int)from->count : KEPT_EVENTS;
    double newest = now, oldest = now;
    int recent = 0;
    for (; recent < kept; recent++) {
        const double at = from->at[(from->count - 1 - recent) % KEPT_EVENTS];
        if (recent >= 2 && at < now - recent_seconds) break;
        if (!recent) newest = at;
        oldest = at;
    }
    pthread_mutex_unlock(&s->lock);
    const double interval = recent >= 2 ? (newest - oldest) / (recent - 1) : 0;
    if (interval <= 0 || now - newest > fmax(recent_seconds, 2 * interval)) return 0;
    /* Where two are farther apart than that, the next one counts as soon as it is late. */
    return 1 / (oldest < now - recent_seconds ? fmax(interval, now - newest) : interval);
}

static double rate_of(const events *from) {
    const double seconds = from->count ? from->at[(from->count - 1) % KEPT_EVENTS] - from->first : 0;
    return seconds > 0 ? (double)(from->count - 1) / seconds : 0;
}

double stats_rate(stats *s, stats_event which) {
    pthread_mutex_lock(&s->lock);
    const double rate = rate_of(&s->events[which]);
    pthread_mutex_unlock(&s->lock);
    return rate;
}

int64_t stats_count(stats *s, stats_event which) {
    pthread_mutex_lock(&s->lock);
    const int64_t count = s->events[which].count;
    pthread_mutex_unlock(&s->lock);
    return count;
}

const char *stats_series_name(int which) {
    static const char *const names[STATS_SERIES_COUNT] = {"decode", "wait",     "upload", "rectify", "match",
                                                          "refine", "download", "draw",   "respond", "latency"};
    return which >= 0 && which < STATS_SERIES_COUNT ? names[which] : "?";
}

/* ---- JSON ------------------------------------------------------------------------------------- */

/* The program sets no locale, so the decimal separator is a point. */
static void write_number(FILE *stream, double value) { fprintf(stream, isfinite(value) ? "%.4f" : "null", value); }

/* Names of devices and methods are ASCII; a byte beyond ASCII may not be UTF-8 and would spoil the file. */
static void write_string(FILE *stream, const char *text) {
    putc('"', stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(stream, "\\u%04x", c);
        else
            putc(c < 0x80 ? c : '?', stream);
    }
    putc('"', stream);
}

static void write_figures(FILE *stream, stats_figures figures, const char *unit) {
    fprintf(stream, "{\"median%s\": ", unit);
    write_number(stream, figures.median);
    fprintf(stream, ", \"p95%s\": ", unit);
    write_number(stream, figures.p95);
    putc('}', stream);
}

static void write_subject(const stats_subject *subject, FILE *stream) {
    const struct {
        const char *key, *text;
    } names[] = {{"version", subject->version},
                 {"backend", subject->backend},
                 {"device", subject->device},
                 {"method", subject->method}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fprintf(stream, "  \"%s\": ", names[i].key);
        write_string(stream, names[i].text);
        fputs(",\n", stream);
    }
    fprintf(stream, "  \"width\": %d,\n  \"height\": %d,\n", subject->width, subject->height);
}

/* Called with the lock held. */
static void write_json(const stats *s, FILE *stream) {
    fputs("{\n", stream);
    if (*s->input) {
        fputs("  \"input\": ", stream);
        write_string(stream, s->input);
        fputs(",\n", stream);
    }
    write_subject(&s->subject, stream);
    fprintf(stream, "  \"frames\": %" PRId64 ",\n  \"stages\": {", s->events[STATS_MATCHED].count);
    const char *separator = "\n";
    _Static_assert(STATS_LATENCY == STATS_SERIES_COUNT - 1, "the latency is written apart from the stages");
    for (int i = 0; i < STATS_LATENCY; i++) {
        const stats_figures figures = figures_of(&s->series[i]);
        if (!figures.samples) continue;
        fprintf(stream, "%s    \"%s\": ", separator, stats_series_name(i));
        write_figures(stream, figures, "_ms");
        separator = ",\n";
    }
    fputs("\n  },\n  \"latency_ms\": ", stream);
    write_figures(stream, figures_of(&s->series[STATS_LATENCY]), "");

    static const char *const rates[STATS_EVENT_COUNT] = {"capture", "match", "draw"};
    fputs(",\n  \"rates\": {", stream);
    for (int i = 0; i < STATS_EVENT_COUNT; i++) {
        fprintf(stream, "%s\"%s\": ", i ? ", " : "", rates[i]);
        write_number(stream, rate_of(&s->events[i]));
    }
    fputs("},\n  \"drops\": {", stream);
    for (int i = 0; i < s->causes; i++) {
        fputs(i ? ", " : "", stream);
        write_string(stream, s->drops[i].cause);
        fprintf(stream, ": %" PRId64, s->drops[i].count);
    }
    fprintf(stream,
            "},\n  \"damaged\": {\"kept\": %" PRId64 ", \"skipped\": %" PRId64 ", \"mistimed\": %" PRId64
            ", \"lost\": %" PRId64 "}",
            s->damage.kept, s->damage.skipped, s->damage.mistimed, s->damage.lost);
    for (int i = 0; i < s->figure_count; i++) {
        fprintf(stream, ",\n  \"%s\": ", s->figures[i].name);
        write_number(stream, s->figures[i].value);
    }
    fputs("\n}\n", stream);
}

void stats_begin_input(stats *s) {
    pthread_mutex_lock(&s->lock);
    s->damage_before = damage_of_run(s);
    s->damage = (stats_damage){0};
    memset(s->series, 0, sizeof s->series);
    memset(s->events, 0, sizeof s->events);
    s->causes = s->figure_count = 0;
    s->input[0] = 0;
    pthread_mutex_unlock(&s->lock);
}

/* The whole file, as allocated text. */
static char *written_out(stats *s) {
    char *text = NULL;
    size_t size;
    FILE *stream = sv_must(open_memstream(&text, &size));
    pthread_mutex_lock(&s->lock);
    write_json(s, stream);
    pthread_mutex_unlock(&s->lock);
    if (fclose(stream)) sv_must(NULL);
    return text;
}

sv_status stats_write(stats *s, const char *path, sv_error *error) {
    file_writer writer;
    /* First, because a slow disk must not keep the lock. */
    char *text = written_out(s);
    sv_status status = file_create(&writer, path, error);
    if (status == SV_OK) {
        fputs(text, writer.stream);
        status = file_commit(&writer, error);
    }
    free(text);
    return status;
}

/* ---- The table -------------------------------------------------------------------------------- */

void stats_print_table(stats *s, FILE *stream) {
    pthread_mutex_lock(&s->lock);
    const stats_subject subject = s->subject;
    pthread_mutex_unlock(&s->lock);
    const double rate = stats_rate(s, STATS_MATCHED);
    fprintf(stream, "%s on %s (%s), %d x %d pixels, ", subject.method, subject.device, subject.backend, subject.width,
            subject.height);
    if (subject.candidates) fprintf(stream, "%d disparities, ", subject.candidates);
    fprintf(stream, "%" PRId64 " frames\n\n", stats_count(s, STATS_MATCHED));
    fprintf(stream, "%-10s%12s%12s\n", "stage", "median ms", "95 % ms");
    for (int i = 0; i < STATS_SERIES_COUNT; i++) {
        const stats_figures figures = stats_of(s, (stats_series)i);
        if (figures.samples) fprintf(stream, "%-10s%12.3f%12.3f\n", stats_series_name(i), figures.median, figures.p95);
    }
    const double evaluations = subject.evaluations * rate;
    fprintf(stream, "\n%-40s%12.2f\n", "frames a second", rate);
    if (subject.candidates)
        fprintf(stream, "%-40s%12.1f\n", "million disparity evaluations per second", evaluations / 1e6);
}
