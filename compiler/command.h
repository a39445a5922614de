/* SPDX-License-Identifier: MIT */
/* The commands of nnc that work on files, and what they share. What is wrong with the command line ends the process by
 * fail(), base/diag.h. */
#ifndef NNC_COMMAND_H
#define NNC_COMMAND_H

#include "base/diag.h"
#include "driver/options.h"

int command_build(Arena *a, const Options *o);   /* nnc FILE.net */
int command_opt(Arena *a, const Options *o);     /* nnc opt FILE.ir */
int command_cubin(Arena *a, const Options *o);   /* nnc cubin FILE.cu */
int command_compare(Arena *a, const Options *o); /* nnc compare BEFORE.html AFTER.html */

/* The one file of the command line; `what` it should be. */
const char *only_file(const Options *o, const char *what);
/* A whole file that is no source; `what` it should be. */
const char *read_text(Arena *a, const char *path, const char *what);
/* NULL after a diagnostic: a file that can't be read or is too long is the user's to mend. */
Source *read_source(Arena *a, Diagnostics *d, const char *path);
/* Whether the file that is wanted is data, by its name. */
bool is_json(const char *path);
/* To the file, or to stdout for "-". */
void write_output(Arena *a, const char *path, const char *text);

/* As the command line wants them. */
Diagnostics *begin_diagnostics(Arena *a, const Options *o);
/* Says what is left to say; the status to end with. */
int finish_diagnostics(Diagnostics *d);

#endif
