/* SPDX-License-Identifier: MIT */
/* nnc new: a first .net file for data that is there already. */
#ifndef NNC_NEW_H
#define NNC_NEW_H

#include "base/writer.h"
#include "driver/options.h"

/* What is asked for. A kind says what it can't use of the data by fail(EXIT_USAGE, ...), and writes no file. */
typedef struct NewRequest {
	Arena *arena;
	const char *name;  /* of the model and its recipe: an identifier */
	const char *path;  /* of the data, which is there */
	const char *learn; /* --learn: the column, or NULL */
} NewRequest;

/* A kind of data, by its word in --from. */
typedef struct NewKind {
	const char *word;
	const char *doc; /* what DATA is, as a sentence goes on */
	/* Looks at the data and writes the text of a .net file: comments, `model NAME`, and its recipe `train NAME`. */
	void (*write)(const NewRequest *r, Writer *w);
} NewKind;

int command_new(Arena *a, const Options *o); /* nnc new NAME --from=KIND DATA */

/* ---- the kinds, a file each */
void new_table(const NewRequest *r, Writer *w);
void new_pictures(const NewRequest *r, Writer *w);

#endif
