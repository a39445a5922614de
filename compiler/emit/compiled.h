/* SPDX-License-Identifier: MIT */
/* A compiled model, and what is written of it: host C, kernels.cu, the plan. */
#ifndef NNC_COMPILED_H
#define NNC_COMPILED_H

#include "base/array.h"
#include "base/times.h"
#include "emit/kernel_parts.h"
#include "front/elaborate.h"
#include "ir/program.h"
#include "target/target.h"

#include <stdio.h>

struct Rules; /* rules/rules.h */

/* Who is told of each graph and program on the way: after `pass`, of a PassStage and of `what` ("training"). */
typedef struct PassWatch {
	void *data;
	/* `rules`: that the pass applied; NULL: it has none. */
	void (*graph)(void *data, const Graph *g, unsigned stage, const char *what, const char *pass,
	              const struct Rules *rules);
	void (*program)(void *data, const Program *p, unsigned stage, const char *what, const char *pass);
} PassWatch;

typedef struct DriverOptions {
	ElaborateOptions elaborate;
	const Target *target;
	const char *const *disabled_passes; /* of -fno-PASS */
	int disabled_count;
	const char *dump_pass; /* --dump=PASS ("all" for each that changed something): IR text to `dump_to` */
	FILE *dump_to;
	const PassWatch *watch; /* NULL: nobody is told */
	bool time_report, keep_gradients;
	bool want_remarks; /* -Rfusion */
	bool want_all;     /* -Rfusion=all */
	const char *const
	        *words; /* the command line's that decide what is compiled, for a trainer to repeat */
	int word_count;
	int64_t memory_bytes; /* of --memory, that the largest plan may need; 0: any number */
	bool as_library;      /* the C has functions for other programs in place of main */
	bool verify;          /* check the IR after each pass; else only the last graphs and the programs */
} DriverOptions;

typedef struct Compiled {
	Elaborated *source;
	/* The evaluation, for who asks of its operators what they are of: loops as their first period. */
	const Graph *one_period;
	const Source *file; /* what was given to compile */
	Program *train, *evaluate;
	Program *predict; /* what the model predicts, without loss and metrics */
	Program *
	        prepare; /* what evaluate and predict read of the weights, made anew when those change; NULL: nothing */
	const char *memory; /* what --memory cost, as text; NULL: it was not given */
	char *remarks;      /* of -Rfusion, when wanted; or NULL */
	Times *times;       /* of the phases so far, to which emission adds its own, when wanted; or NULL */
} Compiled;

/* What a step of the training program is in the generated code. */
typedef struct EmittedStep {
	const char *name;          /* as StepRow.name; NULL: a copy */
	const CFunction *function; /* that it calls; NULL: none */
	/* The buffers that this takes; then `s` where scalars is set, and numbers of streams. NULL: it is a call of
	 * another form. */
	const Buffer *const *arguments;
	int stream_count;
	int argument_count;
	bool scalars;
} EmittedStep;

/* The steps that one call stands for, with the lines up to the next: of several where a block repeats. Marks are in the
 * order of the lines of the host's C that have a call of nnr_step or nnr_step_of. */
typedef struct CallMark {
	const int *steps; /* of the training program */
	int count;        /* 0: it is of another program */
} CallMark;
typedef ARRAY(CallMark) CallMarks;

/* emit/emit.c: the generated C of a compiled model, and the text of kernels.cu where the target is CUDA;
 * deterministic to the byte. */
typedef struct Emitted {
	char *host;
	char *kernels;            /* NULL for the CPU */
	KernelParts parts;        /* of them */
	bool own_features;        /* of one architecture, which the kernels use */
	const EmittedStep *steps; /* of the training program, or its two kernels on chip */
	int step_count;
	CallMarks marks;
	const char
	        *program; /* NnrModel.program, by which a trainer knows its page; NULL: of a test's graph */
} Emitted;
Emitted emit(Arena *a, const Compiled *c, const DriverOptions *options);
/* emit/kernels_text.c: the functions of all steps but those that move tensors alone, each text once, as a tree of
 * statements (ir/code.h; --dump=kernels). Verifies each. */
const char *kernels_text(Arena *a, const Compiled *c, const DriverOptions *options);
/* emit/emit_library.c: the header of the library form; the names of its functions, each on a line. */
const char *library_header(Arena *a, const Compiled *c, const DriverOptions *options);
const char *library_functions(Arena *a, const Compiled *c);
/* emit/plan.c: the memory plan as text (--plan, plan.txt). */
char *plan_text(Arena *a, const Compiled *c, const DriverOptions *options);

#endif
