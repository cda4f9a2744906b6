/* The words that the units of the view write into the picture, for view_words. */
#ifndef RENDER_VIEW_VIEW_WORDS_H
#define RENDER_VIEW_VIEW_WORDS_H

#include "render/view/view.h"

#include <stdio.h>

typedef struct view_word_list {
    view_word *words;
    int count, most;
} view_word_list;

/* Adds a word to those of view_words; on a pill, it stays in the rectangle `in`, otherwise NULL. */
static inline void view_add_word(view_word_list *list, double x, double y, const view_rect *in, const char *text) {
    if (list->count == list->most) return;
    view_word *word = &list->words[list->count++];
    *word = (view_word){.x = (float)x, .y = (float)y, .pill = in};
    if (in) word->left = (float)in->x, word->right = (float)(in->x + in->width);
    if (in) word->bottom = (float)in->y, word->top = (float)(in->y + in->height);
    snprintf(word->text, sizeof word->text, "%s", text);
}

/* What a cell of the cloud's grid measures, and its numbers, which do not overlap: they take `apart` / 4 pixels a
 * letter, and `apart` / 2 in height. view_cloud.c */
void view_add_grid(const view *view, const view_settings *settings, const view_part *part, float apart,
                   view_word_list *list);

/* The letter of the map that the part shows, less than `apart` pixels high, or of both. view_split.c */
void view_add_letters(const view *view, const view_settings *settings, const view_part *part, float apart,
                      view_word_list *list);

/* The row errors, in view_rows.c, and what is measured, in view_measures.c. `line`: height of a line, pixels. */
void view_add_rows(const view *view, const view_part *part, float line, view_word_list *list);
void view_add_measures(const view *view, const view_part *part, float line, view_word_list *list);

#endif
