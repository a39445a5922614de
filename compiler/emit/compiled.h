/* A compiled model, and what is written of it: host C, kernels.cu, the plan. */
#ifndef NNC_COMPILED_H
#define NNC_COMPILED_H

#include "base/times.h"
#include "emit/kernel_parts.h"
#include "front/elaborate.h"
#include "ir/program.h"
#include "target/target.h"

#include <stdio.h>

typedef struct DriverOptions {
	ElaborateOptions elaborate;
	const Target *target;
	const char *const *disabled_passes; /* of -fno-PASS */
	int disabled_count;
	const char *dump_pass; /* --dump=PASS ("all" for each that changed something): IR text to `dump_to` */
	FILE *dump_to;
	bool time_report, keep_gradients;
	bool want_remarks; /* -Rfusion */
	bool want_all;     /* -Rfusion=all */
	const char *const
	        *words; /* the command line's that decide what is compiled, for a trainer to repeat */
	int word_count;
	bool as_library; /* the C has functions for other programs in place of main */
	bool verify;     /* check the IR after each pass; else only the last graphs and the programs */
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
	char *remarks; /* of -Rfusion, when wanted; or NULL */
	Times *times;  /* of the phases so far, to which emission adds its own, when wanted; or NULL */
} Compiled;

/* emit/emit.c: the generated C of a compiled model, and the text of kernels.cu where the target is CUDA;
 * deterministic to the byte. */
typedef struct Emitted {
	char *host;
	char *kernels;     /* NULL for the CPU */
	KernelParts parts; /* of them */
	bool own_features; /* of one architecture, which the kernels use */
} Emitted;
Emitted emit(Arena *a, const Compiled *c, const DriverOptions *options);
/* emit/emit_library.c: the header of the library form; the names of its functions, each on a line. */
const char *library_header(Arena *a, const Compiled *c, const DriverOptions *options);
const char *library_functions(Arena *a, const Compiled *c);
/* emit/plan.c: the memory plan as text (--plan, plan.txt). */
char *plan_text(Arena *a, const Compiled *c, const DriverOptions *options);

#endif
