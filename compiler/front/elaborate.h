/* SPDX-License-Identifier: MIT */
/* From syntax tree to graph: names, compile-time values, block expansion, layers. */
#ifndef NNC_ELABORATE_H
#define NNC_ELABORATE_H

#include "base/array.h"
#include "front/ast.h"
#include "ir/recipe.h"
#include "ir/graph.h"

/* One -D or --set of the command line, parsed. */
typedef struct Definition {
	Ast *arg;  /* ARG: name and value expression */
	bool used; /* set by elaboration; unused ones are errors with a suggestion */
} Definition;

typedef struct ElaborateOptions {
	const char *model;   /* which model, NULL: the file's only one, or that of the recipe */
	const char *recipe;  /* which train block, NULL: the only or first one of the model */
	Definition *defines; /* -D: arguments of the model */
	int define_count;
	Definition *settings; /* --set: settings of the recipe */
	int setting_count;
	int64_t ranks; /* --ranks: that share each batch; 0: one has all of it */
} ElaborateOptions;

/* A call that computes something: a row of --print=layers. */
typedef struct Layer {
	const char *name;           /* "layer1.0.conv" */
	Loc loc;                    /* of the call */
	const char *place;          /* its line, as text; of a used file with that file's name */
	const char *input, *output; /* shapes of a sample; input "": it has none */
	const int *from;            /* the rows whose results it takes, and what expressions make of them */
	int from_count;
	double params, flops, bytes; /* forward: FLOP of a sample, bytes read and written for a batch */
} Layer;

typedef struct Elaborated {
	Graph *training;   /* forward graph; loss and metrics are per sample, f32[batch] */
	Graph *evaluation; /* the same model with training = false */
	Recipe *recipe;
	const char *path; /* of the file that holds the recipe, or else the model */
	const Layer *rows;
	int row_count;
	double training_flops; /* of a sample, forward, where that is not what the rows add up to; else 0 */
	const char *
	        layers; /* text of --print=layers: name, line, shapes, parameters, FLOPs, bytes, and totals */
	const struct Again *again; /* for elaborate_again(); NULL: graphs that no source was elaborated to */
} Elaborated;

/* Reads `source` and what it uses (relative to its folder; never outside it, never absolute). NULL after errors. */
Elaborated *elaborate(Arena *a, Diagnostics *d, const Source *source, const ElaborateOptions *options);

/* The evaluation graph once more, of another batch. NULL: it would be larger than the limits, or `again` is NULL.
 * Its diagnostics are those of the first time, and not reported. */
Graph *elaborate_again(const Elaborated *e, int64_t batch);

typedef ARRAY(const Source *) SourceList;

/* `source` and the files that it uses, as far as they can be read; in silence, whatever is wrong with them. */
SourceList source_files(Arena *a, const Source *source);

#endif
