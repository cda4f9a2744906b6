/* Writes the manual page, or what a shell completes, from the program's own tables: make_manual man | bash | zsh */
#include "app/options/help.h"
#include "app/options/option_table.h"
#include "render/window/input.h"
#include "stereo/quality.h"
#include "stereo/stereo.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_BYTES = 160 };

/* The words that a value is one of, with spaces between; empty if it is anything else. */
static const char *words_of_option(const option *option) {
    static char words[WORDS_BYTES];
    words[0] = 0;
    for (int i = 0; option_word(option->id, i); i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", i ? " " : "", option_word(option->id, i));
    return words;
}

static const char *words_of_parameter(const sv_parameter *p) {
    static char words[WORDS_BYTES];
    words[0] = 0;
    if (p->kind == SV_SWITCH) return "on off";
    for (int i = 0; p->kind == SV_CHOICE && i < SV_MAX_CHOICES && p->choices[i]; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", i ? " " : "", p->choices[i]);
    return words;
}

/* ---- The manual page --------------------------------------------------------------------------- */

/* Prints text in which roff's own characters stand for themselves. */
static void roff(const char *text) {
    for (bool begins = true; *text; begins = *text == '\n', text++) {
        if (begins && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\(rs", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

/* A term in bold, with what follows it in italics, and its text. */
static void item(const char *name, const char *values, const char *text) {
    fputs(".TP\n\\fB", stdout);
    roff(name);
    fputs("\\fR", stdout);
    if (*values) {
        fputs(" \\fI", stdout);
        roff(values);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    roff(text);
    putchar('\n');
}

static void print_man(void) {
    char name[64], help[HELP_BYTES];
    sv_description d;
    printf(".TH STEREOVIEW 1 \"\" \"stereoview %s\" \"User Commands\"\n.SH NAME\n"
           "stereoview \\- disparity maps from stereo cameras, videos and pictures in real time\n.SH SYNOPSIS\n",
           SV_VERSION);
    const char *const uses[] = {"[OPTION...] LEFT RIGHT", "[OPTION...] SOURCE", "[OPTION...] -c LEFT [RIGHT]",
                                "[OPTION...] --demo"};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        printf("%s.B stereoview\n", i ? ".br\n" : "");
        roff(uses[i]);
        putchar('\n');
    }
    fputs(".SH DESCRIPTION\nstereoview takes two synchronised views of a scene: from two cameras, from one camera that "
          "sends both views, from network streams, videos or pictures. It shows the disparity map in false colour, or "
          "the depth in metres, and every parameter can be changed while it runs. It computes on any CPU and on NVIDIA "
          "GPUs with CUDA; both give the same map. Without a name, the window asks what to open.\n.SH OPTIONS\nA value "
          "follows as the next argument, or after an equals sign. After \\-\\-, all arguments are names, which may "
          "begin with a dash.\n",
          stdout);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &option_table[i];
        snprintf(name, sizeof name, o->letter ? "-%c, --%s" : "%c--%s", o->letter ? o->letter : ' ', o->name);
        item(name + !o->letter, o->value_names, help_of_option(o, help, sizeof help));
    }
    fputs(".SH METHODS\n", stdout);
    for (int i = 0; sv_describe_method(i, &d); i++) {
        snprintf(help, sizeof help, "%s (%s)", d.help, d.unit);
        item(d.name, "", help);
    }
    fputs(".SH QUALITIES\n", stdout);
    for (int i = 0; i < SV_QUALITY_COUNT; i++)
        item(sv_qualities[i].name, "", help_of_quality(&sv_qualities[i], help, sizeof help));
    fputs(".SH PARAMETERS\nThe panel of the window can change them while the program runs.\n", stdout);
    for (int i = 0; sv_describe_parameter(i, &d); i++) {
        snprintf(name, sizeof name, "--%s", d.name);
        item(name, help_of_value(&sv_parameters[i]), help_of_parameter(&d, help, sizeof help));
    }
    fputs(".SH KEYS\nOf the window:\n", stdout);
    for (int i = 0; i < input_binding_count; i++)
        if (*input_bindings[i].keys) item(input_bindings[i].keys, "", input_bindings[i].help);
    fputs(".SH EXIT STATUS\n", stdout);
    roff(help_exit_status);
    fputs("\n.SH FILES\n", stdout);
    item("$XDG_STATE_HOME/stereoview/recent", "",
         "the last inputs that the window opened (~/.local/state if the variable is not set)");
    item("$XDG_STATE_HOME/stereoview/recent-settings", "", "the last settings files that it read or wrote");
    item("$XDG_STATE_HOME/stereoview/window", "", "the size of the window, the width of the panel and the theme");
    item("$XDG_CONFIG_HOME/stereoview/keys.yaml", "",
         "changes the keys of the window (~/.config if the variable is not set)");
    item("$XDG_CONFIG_HOME/stereoview/qualities", "", "the qualities that the window has saved");
    fputs(".SH SEE ALSO\n.BR ffmpeg (1)\n", stdout);
}

/* ---- Completion -------------------------------------------------------------------------------- */

static void print_bash(void) {
    fputs("# Completion of stereoview's options and of the words that they take.\n_stereoview() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    if [ \"$current\" = = ]; then\n        current=\n"
          "    elif [ \"$before\" = = ]; then\n        before=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
          "    local words=\n    case $before in\n",
          stdout);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &option_table[i];
        const char *words = words_of_option(o);
        if (!*words) continue;
        fputs("    ", stdout);
        if (o->letter) printf("-%c | ", o->letter);
        printf("--%s) words=\"%s\" ;;\n", o->name, words);
    }
    for (int i = 0; i < sv_parameter_count; i++) {
        const char *words = words_of_parameter(&sv_parameters[i]);
        if (*words) printf("    --%s) words=\"%s\" ;;\n", sv_parameters[i].name, words);
    }
    fputs("    *) if [[ $current == -* ]]; then words=\"", stdout);
    for (int i = 0; i < OPTION_COUNT; i++) printf("--%s ", option_table[i].name);
    for (int i = 0; i < sv_parameter_count; i++)
        printf("--%s%s", sv_parameters[i].name, i + 1 < sv_parameter_count ? " " : "");
    fputs("\"; fi ;;\n    esac\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n}\n"
          "complete -o bashdefault -o default -F _stereoview stereoview\n",
          stdout);
}

/* Prints text inside single quotes of a specification of _arguments. */
static void zsh(const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

/* One value: its name and its words, or a file. */
static void zsh_value(const char *name, const char *words) {
    putchar(':');
    zsh(name);
    printf(*words ? ":(%s)" : ":_files%s", words);
}

static void print_zsh(void) {
    char help[HELP_BYTES];
    sv_description d;
    fputs("#compdef stereoview\n_arguments -S \\\n", stdout);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &option_table[i];
        const char *equals = o->values == 1 ? "=" : "";
        if (o->letter) printf("    '(-%c --%s)'{-%c,--%s%s}'[", o->letter, o->name, o->letter, o->name, equals);
        if (!o->letter) printf("    '--%s%s[", o->name, equals);
        zsh(help_of_option(o, help, sizeof help));
        putchar(']');
        for (int v = 0; v < o->values; v++)
            zsh_value(o->values == 1 ? o->value_names : v ? "RIGHT" : "LEFT", words_of_option(o));
        fputs("' \\\n", stdout);
    }
    for (int i = 0; sv_describe_parameter(i, &d); i++) {
        printf("    '--%s=[", d.name);
        zsh(help_of_parameter(&d, help, sizeof help));
        putchar(']');
        const char *words = words_of_parameter(&sv_parameters[i]);
        zsh_value(help_of_value(&sv_parameters[i]), *words ? words : " ");
        fputs("' \\\n", stdout);
    }
    fputs("    '*:source:_files'\n", stdout);
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*print)(void);
    } kinds[] = {{"man", print_man}, {"bash", print_bash}, {"zsh", print_zsh}};
    for (size_t i = 0; argc == 2 && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(argv[1], kinds[i].name)) {
            kinds[i].print();
            return fflush(stdout) || ferror(stdout);
        }
    fputs("usage: make_manual man | bash | zsh\n", stderr);
    return 2;
}
