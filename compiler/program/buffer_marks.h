/* SPDX-License-Identifier: MIT */
/* Which mark the bytes of buffers had last: who wrote or read them before, of thousands of steps. */
#ifndef NNC_BUFFER_MARKS_H
#define NNC_BUFFER_MARKS_H

#include "ir/program.h"

typedef struct BufferMarks BufferMarks;

/* No buffer of the program has a mark; in `a`, until buffers are added or placed. */
BufferMarks *buffer_marks_new(Arena *a, const Program *p);
/* Marks the buffer, and all that share bytes with it: a number from 0 on. */
void buffer_mark(BufferMarks *m, Buffer *b, int mark);
/* The largest mark of what shares bytes with the buffer (buffers_share_bytes); -1: it has none. */
int buffer_largest_mark(const BufferMarks *m, Buffer *b);

#endif
