/* SPDX-License-Identifier: MIT */
/* The files that a run of nnc would write, compared with one another and with those that it reads. */
#ifndef NNC_OUTPUTS_H
#define NNC_OUTPUTS_H

#include "front/elaborate.h"

typedef struct OutputFile {
	const char *what; /* "the trainer", "--emit=c": as a message says it */
	const char *path; /* "-" is no file */
	bool replaced;    /* by a rename, which would put a file in the place of a device too */
} OutputFile;

typedef ARRAY(OutputFile) OutputFiles;

/* Ends the process with EXIT_USAGE where an output is one of the `sources`, under whatever name, where two outputs are
 * one file, where one would take the place of a network, data or weights, where what stands in the place of one that
 * is `replaced` is no regular file or no program, or in the place of a text under a name that no text of nnc has. To
 * be called before the first is written. */
void outputs_check(Arena *a, const OutputFiles *outputs, const SourceList *sources);

#endif
