/* Finds the name that was meant by a misspelt one. */
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

/* The distance between what was typed and `name`, 1 if it is a prefix; INT_MAX if `name` is unlikely to be meant. */
int spelling_unlikeness(const char *typed, const char *name);

#endif
