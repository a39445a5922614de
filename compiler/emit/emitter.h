/* SPDX-License-Identifier: MIT */
/* What writes the generated files. Private to emit/: emit.c, emit_model.c for the tables, and onchip/emit.c for a
 * step in two kernels. */
#ifndef NNC_EMITTER_H
#define NNC_EMITTER_H

#include "base/map.h"
#include "base/writer.h"
#include "emit/functions.h"
#include "emit/compiled.h"

typedef struct Emitter {
	Arena *arena;
	Writer *w;
	const Compiled *compiled;
	const DriverOptions *options;
	const Target *target;
	const char *source;                   /* base name of the .net file, fit for comments */
	Map *block_functions;                 /* on chip: params and body -> its name */
	Families *families, *kernel_families; /* of host functions; of kernels */
	Map *names;                           /* taken */
	Map *kernel_family_names;             /* taken in kernels.cu alone */
	Map *numbers;                         /* wanted name -> the last number after it */
	Map *layer_states;                    /* by name: the states of the network as it was elaborated */
	Writer *kernels;                      /* text of kernels.cu; NULL for the CPU */
	int step_count, place_count, source_count, file_count,
	        word_count; /* of the tables that emit_steps wrote */
	bool has_step_runs; /* it wrote step_runs */
	CallMarks marks;
	const char *program; /* NnrModel.program; NULL: none was written */
} Emitter;

/* A program of a model. */
typedef struct EmittedProgram {
	const Program *(*of)(const Compiled *c); /* NULL where the model has none */
	const char *member, *function, *what;    /* of NnrModel; in generated C; for its comment */
	const char *outputs;                     /* name of the table; NULL: none */
} EmittedProgram;

/* In the order of the file: train and prepare come first. */
enum { EMITTED_EVALUATE = 2, EMITTED_PREDICT, EMITTED_PROGRAMS };
extern const EmittedProgram emitted_programs[EMITTED_PROGRAMS];

/* The tables of the model, after its functions. */
void emit_model(Emitter *e);
/* A buffer of the table of inputs; their order there is that of the program's buffers. */
bool is_batch_input(const Buffer *b);
/* What the values of an input are below; 0: anything. */
int64_t values_below(const Program *p, const Node *input);
/* An output of it depends on a target. */
bool reads_targets(const Program *p);
/* emit_library.c: the functions of the library form, in place of main. */
void emit_library(Emitter *e);
/* The block of NnrMemory that a buffer is in: "params", "state", "inputs", "arena". */
const char *buffer_block(const Buffer *b);
/* `wanted`, or with a number after it: a name that nothing in the file has; in e->arena. */
const char *emit_unique_name(Emitter *e, const char *wanted);
/* A call of nnr_step was written, for these steps of the program. The list is kept. */
void emit_mark(Emitter *e, const Program *p, const int *steps, int count);
/* An item of a table, in the line that is being written while it has room; `column` is 0 at first. A newline is to
 * follow the last. */
void write_item(Writer *w, int *column, const char *item);
/* `head`, and the lines of `body` in braces. */
void emit_function(Writer *w, const char *head, const char *body);
/* The kernels of a program that has an on-chip form, and the host function that launches them. Returns the names of its
 * two kernels. */
const char *const *emit_onchip(Emitter *e, const Program *p, const char *name, const char *what);
/* emit_steps.c: the tables of the training program's steps, whose functions have these names (NULL: a copy). */
void emit_steps(Emitter *e, const Program *p, const char *const *functions);

/* Whether a node is a state that the network itself does not have: it came with the update (passes/add_update.c,
 * loss_scale.c). */
bool state_is_of_update(const Emitter *e, const Node *n);

#endif
