/* Finds the name that a misspelt one was meant to be. */
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

/* The distance between what was typed and `name`, 1 if it is a prefix; INT_MAX if `name` cannot have been meant. */
int spelling_unlikeness(const char *typed, const char *name);

#endif
