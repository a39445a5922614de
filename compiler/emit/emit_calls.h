/* SPDX-License-Identifier: MIT */
/* The calls of a program's steps as C functions. Private to codegen/. */
#ifndef NNC_EMIT_CALLS_H
#define NNC_EMIT_CALLS_H

#include "emit/emitter.h"

enum { NO_NUMBER = -1 };

/* What a step's call is made of; function NULL: a copy, or a sum over the ranks. */
typedef struct StepCall {
	const CFunction *function;
	const Buffer **arguments; /* then `s` where scalars is set */
	int64_t *from;            /* of each: the elements in front of the first that the step takes */
	int count;
	bool scalars;
	const int64_t *streams; /* after all these */
	int stream_count;
	/* CUDA: what stands around it (program/side_stream.h); NO_NUMBER: nothing. */
	int waits, branch, bucket, bucket_waits;
	bool scores_wait, states_ready, means_begin, means_end;
} StepCall;

/* A part of a program's steps, which a function of its own computes. */
typedef struct Part {
	const Program *p;
	const StepCall *calls; /* by step of the program */
	int first, count;
	const char
	        *before;  /* the function that computes the steps in front of `first`; NULL: there are none */
	const char *what; /* "train", "prepare", "evaluate", "predict": for the names of its blocks */
} Part;

/* Writes the function `name`. Calls that repeat are a function of a block, above it, which it calls in a loop; what
 * differs between the repeats is in a table, or goes by their number. */
void emit_part(Emitter *e, const Part *part, const char *name);

#endif
