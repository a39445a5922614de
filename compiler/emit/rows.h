/* SPDX-License-Identifier: MIT */
/* A table of generated C of which many rows are alike, as those of repeated layers are: what such rows have in common
 * is a macro once, and they are calls of it, several in a line. Private to codegen/. */
#ifndef NNC_ROWS_H
#define NNC_ROWS_H

#include "emit/emitter.h"

typedef struct Rows Rows;

Rows *rows_new(Emitter *e);
/* A row is `body` with `arguments` for the names of `params`: "path, offset"; `full` is it written out. Equal bodies
 * are one macro, which is called after `wanted`. The texts are copied, but for `params`. */
void rows_add(Rows *r, const char *wanted, const char *params, const char *body, const char *arguments,
              const char *full);
/* `declaration`: "static const NnrTensor params[]". A table without rows has one of zeros. Returns their number. */
int rows_write(Rows *r, const char *declaration);

#endif
