/* Finds the name that was meant by a misspelt one. */
#include "base/spelling.h"

#include <limits.h>
#include <string.h>

/* How many characters have to be replaced, left out, put in or swapped with their neighbour to turn `a` into `b` (the
 * optimal string alignment distance). Words of more than 31 characters match no others. */
static int distance(const char *a, const char *b) {
    enum { LONGEST = 31 };
    const int rows = (int)strlen(a), columns = (int)strlen(b);
    int d[LONGEST + 1][LONGEST + 1];
    if (rows > LONGEST || columns > LONGEST) return INT_MAX;
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= columns; j++) {
            if (!i || !j) {
                d[i][j] = i + j;
                continue;
            }
            const int other = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            const int one = 1 + (d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] : d[i][j - 1]);
            d[i][j] = other < one ? other : one;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    }
    return d[rows][columns];
}

int spelling_unlikeness(const char *typed, const char *name) {
    const int length = (int)strlen(typed), wrong = distance(typed, name);
    if (length > 2 && !strncmp(typed, name, (size_t)length)) return 1;
    return length > 1 && wrong <= length / 3 ? wrong : INT_MAX;
}
