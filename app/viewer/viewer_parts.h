/* What the files of the window's run share: its state, and what each does for the others. They follow one another here
 * so that each calls only those above it, and all are called by viewer.c. Main thread. */
#ifndef APP_VIEWER_VIEWER_PARTS_H
#define APP_VIEWER_VIEWER_PARTS_H

#include "app/calibrate/board_finder.h"
#include "app/calibrate/realigner.h"
#include "app/media/intake.h"
#include "app/options/qualities.h"
#include "app/options/replay.h"
#include "app/options/tuning.h"
#include "app/play/costs.h"
#include "app/play/marks.h"
#include "app/play/opener.h"
#include "app/play/pace.h"
#include "app/play/pictures.h"
#include "app/play/player.h"
#include "app/play/session.h"
#include "app/play/slots.h"
#include "app/viewer/advice.h"
#include "app/viewer/figures.h"
#include "app/viewer/judge.h"
#include "app/viewer/recent.h"
#include "app/viewer/snapshot.h"
#include "render/panel/panel.h"
#include "render/panel/panel_words.h"
#include "render/view/view.h"
#include "render/window/window.h"

/* Two sets of parameters, A and B. */
typedef struct viewer_compare {
    bool on, begun; /* each pair is matched with B, too; `other` has been B, or is */
    int edited;     /* which set the panel changes, `tuning` of the viewer: 0 A, 1 B */
    tuning other;   /* the other set */
    slots slots;    /* of B's maps; {0} until they are needed */
    bool shown;     /* the map on the screen has a B, matched with these: */
    sv_params params;
    double blinks_since; /* when they began to take turns, by sv_seconds; 0: they do not */
    char sets[2][384], difference[192];
} viewer_compare;

/* See viewer_rig.c. */
typedef struct viewer_rig {
    realigner *realigner; /* NULL: not aligning */
    bool known;           /* `rig` is in use, and did not come from a file */
    sv_rig rig, next;     /* `next`: of session.next_matcher */
    char note[160], next_note[160];
    bool saved, saved_any; /* this rig was; any was, since the program was started */
    bool swapped;          /* the sides are swapped, according to the realigner or the board */
    int told_moves;
    bool told_refusal;
    char text[640], drift[64];
} viewer_rig;

typedef struct viewer_board viewer_board; /* see viewer_board.c */

typedef struct viewer {
    const options *options;    /* of the session */
    const sv_backend *backend; /* of the next session; see viewer_change_backend */
    stats *stats;
    opener opener;
    intake intake;
    recent recent, recent_settings;
    qualities qualities;
    int question; /* that the panel asks about settings, see viewer_settings.c; 0: none */
    char question_text[256];
    bool reopened;     /* the input of the session that ended for another, which could not be opened */
    double resume;     /* the position that the next session begins at, as in player_seek; negative: none */
    bool stays_paused; /* there */
    session session;   /* {0} while no input is open, and then there are no view, slots and player */
    window *window;
    view *view;
    panel *panel;
    player *player;
    panel_state state;
    tuning tuning;    /* of the set that is edited */
    sv_params passed; /* that were passed on last, see viewer_follow_tuning */
    slots slots;
    viewer_compare compare;
    settings_source named; /* what the settings say that were loaded last, until it is opened */
    int shown_slot;        /* OpenGL may still read it: it is lent again after the next swap; -1: none */
    snapshots *snapshots;
    bool snapshot_due; /* when a map is drawn */
    frame_range range; /* of the frames that are played, without the marks */
    marks marks;
    advice advice; /* that is shown */
    advice_facts facts;
    unsigned dismissed; /* bit 1 << advice: not to be shown */
    char advice_text[160];
    bool quit, was_ended;
    bool pressed_picture; /* the last press of a mouse button was over the picture of this session */
    int64_t frame;        /* of the map that is shown, -1 before the first */
    double captured;      /* when the pair of the last map was captured, by sv_seconds */
    sv_params shown;      /* of that map */
    const sv_matcher *shown_by;
    pictures pictures;
    judge judge;
    costs *costs;                    /* NULL: they were not asked for yet */
    costs_question cost_view;        /* what the view of the costs shows, if state.cost_view.known */
    char cost_age[48], plot_age[48]; /* of that view, of the plot */
    char score[160];                 /* what the panel shows of it */
    char shades[160];                /* of the pixel under the mouse */
    view_settings drawn;             /* what is drawn of state.view, see pictures_show */
    int instead_of_cloud;            /* view_kind that the key of the cloud brings back */
    view_word words[192];            /* in the picture */
    pace_times times;
    figures figures;
    char sources[2][1024], trouble[512], alignment[320], brightness[256]; /* what the panel shows of them */
    bool warned, warned_of_brightness; /* that the rows are not aligned; that one picture is darker, which harms */
    bool told_of_brightness;           /* that one picture is darker, whether that harms or not */
    bool warned_of_pace;               /* that the source is faster */
    pace pace;
    pace_rates rates; /* that the advice tells, */
    double rates_at;  /* since then, by sv_seconds */
    pace_arrivals arrivals;
    sv_params measured[2]; /* A and B when the matchers' memory was measured, */
    int measured_sets;     /* so many of them, 0: not yet, */
    double measured_at;    /* by sv_seconds */
    char memory[80];
    char rows[PANEL_MAX_ROWS][400]; /* of the statistics */
    char notice[512], waiting[256], recorded[512];
    double notice_until;
    bool notice_is_error;
    unsigned lines_seen;
    viewer_rig rig;
    viewer_board *board; /* NULL: not calibrating */
} viewer;

/* ---- viewer_notice.c -------------------------------------------------------------------------- */

void viewer_set_notice(viewer *v, const char *text); /* shown over the picture for some seconds */

/* What triggers an action, for a message: its keys, or "a button" if the user has left it without any. */
const char *viewer_keys(const viewer *v, input_action action);
void viewer_notice_log(viewer *v); /* makes the newest line of the log the notice */

/* ---- viewer_params.c -------------------------------------------------------------------------- */

const sv_params *viewer_set(const viewer *v, int which); /* the parameters A (0) or B (1), as they are tuned */
bool viewer_calibrates(const viewer *v);                 /* with a board, and there is no result yet */
sv_params viewer_params_to_match(const viewer *v);       /* those of A or, before there is a calibration, quick ones */
void viewer_send_params(viewer *v);                      /* to the player */

/* Decides which sides need colour: both if the method uses it, those that are shown and, for snapshots, the left one;
 * none in other benchmarks. If the current pair lacks it, it is read again. */
void viewer_want_colour(viewer *v);

void viewer_follow_tuning(viewer *v); /* goes on with the parameters as they are tuned */

/* ---- viewer_compare.c ------------------------------------------------------------------------- */

int viewer_leading_map(const viewer *v); /* whose numbers are shown: 1 if B is shown alone, else 0 */

/* Begins to match each pair with B, too; if that fails, the log says why. */
void viewer_compare_begin(viewer *v);
void viewer_compare_take(viewer *v, const sv_params *b); /* the next session begins with this B */
void viewer_compare_toggle(viewer *v);
void viewer_compare_edit(viewer *v); /* edits the other set */
void viewer_compare_end(viewer *v);  /* with the session */
void viewer_blink(viewer *v);

/* Writes and reads the settings of A and, if there is one, of B. What is read of a source becomes v->named. */
sv_status viewer_write_settings(viewer *v, const char *path, sv_error *error);
sv_status viewer_read_settings(viewer *v, const char *path, sv_error *error);

/* Lends B's output of a slot. */
sv_status viewer_lend_second(viewer *v, int slot, sv_error *error);

/* Shows B of a result, if there is one. */
sv_status viewer_show_second(viewer *v, const player_result *result, sv_error *error);
void viewer_describe_comparison(viewer *v); /* of the maps that were judged last */

/* For every frame that is drawn, before it is: whose numbers are shown, and the turns of blinking. */
void viewer_follow_comparison(viewer *v);

/* ---- viewer_readings.c ------------------------------------------------------------------------ */

void viewer_follow_readings(viewer *v);             /* measures and judges the map on the screen, if that is wanted */
void viewer_describe_judgement(viewer *v);          /* for the panel */
unsigned viewer_lacks(const viewer *v);             /* VIEW_NEEDS_... of kinds of views that are not offered */
void viewer_read_shades(viewer *v);                 /* of both pictures at the pixel under the mouse, for the panel */
void viewer_pin(viewer *v, int x, int y);           /* the pixel that is drawn there, or removes the pin there */
void viewer_write_words(viewer *v, view_rect area); /* into the picture, drawn in `area` */

/* ---- viewer_costs.c --------------------------------------------------------------------------- */

void viewer_ask_for_costs(viewer *v); /* of the pixel under the mouse and of the winners, if they are shown */
void viewer_end_costs(viewer *v);     /* before the rectification or the view is freed */

/* ---- viewer_rig.c ----------------------------------------------------------------------------- */

void viewer_begin_rig(viewer *v); /* for a session that has begun: aligns it if the options say so */
void viewer_end_rig(viewer *v);   /* saves what --save-calibration asks for */

/* Shows the session's rectification. */
sv_status viewer_follow_rectification(viewer *v, sv_error *error);

/* Goes over to another rig: session.next_matcher is made, and used from the first of its results on. Not while there is
 * one.
 * Lifetime: `rectification` becomes {0}. */
sv_status viewer_use_rig(viewer *v, const sv_rig *rig, sv_rectification *rectification, const char *note,
                         sv_error *error);

/* After a result has been taken: passes its pair to what aligns, and goes over to its matcher if that is the next one.
 */
sv_status viewer_follow_result(viewer *v, sv_error *error);

void viewer_align(viewer *v);                                   /* begins or ends aligning */
void viewer_save_rig(viewer *v);                                /* writes a calibration file */
void viewer_update_rig(viewer *v);                              /* the panel's figures; takes what was found */
sv_status viewer_check_saved(const viewer *v, sv_error *error); /* fails if --save-calibration was in vain */

/* ---- viewer_board.c --------------------------------------------------------------------------- */

sv_status viewer_begin_board(viewer *v, sv_error *error);  /* calibrates the session if the options say so */
void viewer_end_board(viewer *v);                          /* for a session that ends */
void viewer_show_board(viewer *v, const frame_pair *pair); /* passes a pair to the search for the board */
bool viewer_waits_for_board(const viewer *v); /* each pair of a recording is searched before there is a result */
void viewer_solve_board(viewer *v);           /* with the views that there are */
void viewer_update_board(viewer *v);          /* the panel's figures; takes what was found */

/* ---- viewer_player.c -------------------------------------------------------------------------- */

sv_status viewer_lend_slot(viewer *v, int slot, sv_error *error);

/* Shows the newest result. `captured`: the capture time of its pair, 0 if there is none. */
sv_status viewer_take_results(viewer *v, double *captured, sv_error *error);

/* Converts an offset in frames, as the panel has it, to the unit of the pairing. */
double viewer_offset_of(const viewer *v, double frames);

/* ---- viewer_settings.c ------------------------------------------------------------------------ */

/* Follows what the user does with settings and qualities. Errors are reported in the log, by all. */
void viewer_act_on_settings(viewer *v, input_action action);

void viewer_load_settings(viewer *v, const char *path);
void viewer_update_qualities(viewer *v); /* what the panel shows of them */

/* ---- viewer_snapshot.c ------------------------------------------------------------------------ */

void viewer_take_snapshot(viewer *v, view_rect area); /* of what has just been drawn in `area` */

/* ---- viewer_figures.c ------------------------------------------------------------------------- */

/* Updates what the panel says, and `player`. `pixel`: room for the pixel under the mouse in `area`, borrowed until the
 * panel has been drawn. */
void viewer_update_state(viewer *v, player_state *player, view_pixel *pixel, view_rect area);

/* ---- viewer_input.c --------------------------------------------------------------------------- */

/* Shows and plays the session, which is open. */
sv_status viewer_begin(viewer *v, sv_error *error);

/* Ends the session, and all that shows it. */
void viewer_end(viewer *v);

/* Drops what the mouse did while there was no picture of the session. */
void viewer_forget_mouse(viewer *v);

/* Asks the user to name an input, or stops asking. */
void viewer_ask_for_input(viewer *v, bool ask);

/* Opens the input of the session with its sides swapped. */
void viewer_swap(viewer *v);

/* Begins to open an input, while the session goes on. `same`: it is that of the session, opened otherwise. */
void viewer_open(viewer *v, const request *wanted, bool same);
void viewer_open_names(viewer *v, const char *left, const char *right);

/* Opens the input of the session again on the CPU, because the device has failed or has no memory left. False if there
 * is nothing else to match with; a benchmark, too, rather ends. */
bool viewer_change_backend(viewer *v, const char *why);

void viewer_follow_drops(viewer *v);  /* uses what was dropped onto the window */
void viewer_follow_opener(viewer *v); /* goes over to the input that has been opened */

/* ---- viewer_actions.c ------------------------------------------------------------------------- */

void viewer_act(viewer *v, const input_event *event);
void viewer_set_offset(viewer *v, double frames); /* pairs each left frame with the right one `frames` later */

#endif
