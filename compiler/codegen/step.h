/* SPDX-License-Identifier: MIT */
/* The C function of one step. */
#ifndef NNC_STEP_H
#define NNC_STEP_H

#include "target/target.h"
#include "target/launch.h"
#include "codegen/tensors.h"
#include "codegen/print.h"

typedef struct StepFunction {
	const char *stem;          /* what it computes and over what: "conv_add_relu_128x28x28x16" */
	const char *label;         /* what it computes: "conv_add_relu" */
	const char *params;        /* C parameter list of the host function */
	const char *device_params; /* of a CUDA kernel: the same with __restrict__ */
	Code *code;                /* what it does */
	const CodeWords *words;    /* of its language */
	CudaLaunch launch;         /* of a CUDA kernel; threads == 0: the body is host code */
	bool apart; /* the hardware reads in the kernel's own parameters: it can't hand them on to a function */
	Tensors tensors; /* what the caller passes, in order; then `s` when tensors.scalars */
	/* Of a library call: the kernel, in place on the result, that computes an epilogue where the library's plan has
	 * none; and ours for the same product, epilogue and all. The body names them `after` and `kernel`. NULL: there
	 * is none. */
	const struct StepFunction *after, *own;
	/* Of a kernel that a library stands beside: the function that launches either, and what it is given first, as
	 * declarations of `shape` and `plan`. NULL: the kernel is launched. */
	const char *launcher;
	Code *launcher_needs;
} StepFunction;

/* Of a STEP_KERNEL or STEP_OP. Equal functions have equal params and statements, whatever the layer. */
StepFunction step_function(Arena *a, const Program *p, const Step *s, const Target *target);
/* What it does as text, indented by one tab less than it needs. */
const char *step_text(Arena *a, const StepFunction *f);

/* Elements of workspace (partial sums) that the step's own kernel needs; 0: none. */
int64_t step_workspace(Arena *a, const Step *s, const Target *target);

/* The update of an on-chip step, a map over one dimension: C text of its parts. */
typedef struct UpdateText {
	Tensors tensors;
	const char *keep;       /* statements that compute its scalars and put them into the array `kept` */
	const char *ahead;      /* declares the scalars */
	const char *load;       /* statements that load them from `kept` */
	const char *old;        /* names of the tensors that it reads at `i0`: "m, v, params" */
	const char *old_values; /* "nnr_load_old(m + i0), nnr_load_old(v + i0), ..." */
	const char *body;       /* the update of element `i0`, over `gradient` and `old.m` ... */
} UpdateText;

/* `gradient` is the node whose element the caller has. */
UpdateText step_update(Arena *a, const Program *p, const Step *s, const Node *gradient);

#endif
