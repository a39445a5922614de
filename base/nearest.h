/* SPDX-License-Identifier: MIT */
/* What a misspelt word may have meant, for nnc and for trainers. */
#ifndef NNC_NEAREST_H
#define NNC_NEAREST_H

/* The nearest of `count` candidates to `word` by edit distance, upper and lower case being the same, or NULL when none
 * is near enough to suggest (distance at most a third of the longer word, at least 1, at most 3). Of equals the first
 * wins, those that begin with the word's letter before the others. */
const char *nearest_word(const char *word, const char *const *candidates, int count);

#endif
