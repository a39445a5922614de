/* SPDX-License-Identifier: MIT */
/* Patterns of tensor names, as options take them: "head.*,conv_?.bias", the shell's wildcards; `*` passes over dots,
 * too. */
#ifndef NNR_PATTERNS_H
#define NNR_PATTERNS_H

#include <stdbool.h>

/* Whether one of them is `name`'s. `patterns` NULL: there are none. */
bool patterns_match(const char *patterns, const char *name);

/* Ends the process with STATUS_USAGE where one of them, given to --`option`, matches none of the names; the message
 * says the nearest. `where` they were looked for: "the model `line`". */
void patterns_check(const char *patterns, const char *option, const char *const *names, int count,
                    const char *where);

#endif
