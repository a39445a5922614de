/* SPDX-License-Identifier: MIT */
/* What computes a heavy operator: a convolution, its gradients, a matrix product.
 *
 * A heavy step is a region: its root, and what is computed with it before it is stored. Each way to compute one is
 * a record, and implementations.def is their roster. The pass `implement` asks for each root what fits, and takes
 * what costs least; its name is the node's attribute `impl`, and how it is cut are others. What may join the root
 * depends on that, so the rest of a region is formed after it: by fuse, of what nnc's own kernels compute; by
 * `epilogues`, of calls, which asks `takes`. The step keeps root and epilogue (Step.root, Step.epilogue). All that
 * comes later (rounding, the side stream, the step's text) asks the record and knows no names. A new
 * implementation is a file with a record, and a line of the roster.
 *
 * A record with a kernel BESIDE a call comes on top of the one that was taken: both are compiled, and the trainer
 * times them. */
#ifndef NNC_IMPLEMENTATION_H
#define NNC_IMPLEMENTATION_H

#include "ir/op.h"
#include "passes/epilogue.h"
#include "passes/pass.h"
#include "target/launch.h"

typedef struct Tensors Tensors;       /* codegen/tensors.h */
typedef struct KernelText KernelText; /* codegen/kernel.h */

typedef enum {
	/* A call of the runtime, with a plan: what follows is fused only as far as it takes it along. */
	IMPL_CALL = 1 << 0,
	IMPL_TENSOR_CORES = 1 << 1, /* multiplies on them, factors rounded; and fills the device */
	IMPL_BATCH = 1 << 2,        /* not of a step that is computed a sample at a time */
	IMPL_OPTIONAL = 1 << 3,     /* -fno-NAME leaves it out */
	IMPL_CARRIES = 1 << 4,      /* its kernel gathers a part of the next batch (passes/carry_gather.c) */
	IMPL_OWN_FEATURES = 1 << 5, /* its kernel needs instructions that one architecture alone has */
	IMPL_ON_CPU = 1 << 6,       /* not for a GPU */
	IMPL_ON_GPU = 1 << 7,       /* for one alone; elsewhere the operator's loops compute what names it */
} ImplementationFlag;

/* A kernel of nnc's own beside a call, which gets it with its sizes and launches the one that the trainer has found
 * faster. */
typedef struct Beside {
	bool (*is_offered)(const Node *n);        /* whether a node has it */
	char *(*extent)(Arena *a, const Node *n); /* of its name: "8000x1000x1000" */
	char *(*params)(Arena *a,
	                const Step *s); /* the kernel's parameters, some of which the hardware reads */
	/* Writes a static constant `own` for the call's sizes to point to; `kernel` is declared. */
	void (*write_own)(KernelText *k, const Node *n);
	/* Of each row of a tile the columns, which a block can sum up as an epilogue; 0: it can't. */
	int64_t (*sum_width)(const Node *n);
	/* Where it does, the kernel after the call that sums up the rows of its result; `t` are its tensors. */
	CudaLaunch (*emit_row_sums)(KernelText *k, const Node *n, const Tensors *t);
} Beside;

/* A heavy step, as records are asked of it. No implementation computes a part of an operand, so it has no prologue. */
typedef struct Region {
	const Node *root;
	const Epilogue
	        *epilogue; /* pointwise steps, sums of rows or columns; NULL: none, or not formed yet */
	const Target *target;
	bool tf32; /* f32 factors may be rounded to it */
} Region;

typedef struct Implementation {
	const char *name, *doc;
	unsigned flags;
	/* The operators that it alone has a CUDA kernel for, ending in NULL; NULL: it is chosen for whatever fits. */
	const char *const *operators;
	/* Whether it can compute the root on the target. NULL: never, but for `operators`. */
	bool (*fits)(const Region *r);
	/* How long it takes, us: most often a measured number of times region_us. The least is taken, of equals the
	 * first of the roster. NULL: region_us. */
	double (*cost)(const Region *r);
	/* The node, in `to` and with these operands, with what the emitter must know of it beside `impl`; it may be
	 * another node of the same value. NULL: there is no more to know. */
	Node *(*offer)(PassContext *ctx, Graph *to, const Node *n, Node **operands);
	/* Of a call, and what is offered beside one: NULL, or why it does not compute the epilogue with the root. A
	 * record without it computes none; a kernel of its own takes what fuse puts in its group. */
	const char *(*takes)(const Region *r);
	unsigned
	        takes_after; /* of a call with it: the gemms, 1 << Gemm, that it computes an epilogue after */
	/* Writes the body of the step's function; what it is launched with. */
	CudaLaunch (*emit)(KernelText *k, const Node *n);
	/* Of a kernel whose step a library computes too: declares for the host a constant `shape` and the `plan`, and
	 * names the function of the runtime that launches the one that the trainer has found faster. NULL, or its
	 * result: the kernel is launched. */
	const char *(*launch)(KernelText *k, const Node *n);
	/* Whether it computes a few rows of the result at a time where it must (Step.rows); NULL: no. */
	bool (*by_rows)(const Node *n);
	/* Whose call it is, as a profile names it; NULL: a kernel of our own. */
	const char *(*library)(const Node *n, const Target *t);
	int64_t (*workspace)(const Node *n); /* elements of sums of parts; NULL: none */
	const char *header;   /* of the runtime, that its kernels need: "cuda/nnr_tile.h"; or NULL */
	const Beside *beside; /* of one that comes on top of a call; NULL: it comes alone */
} Implementation;

extern const Implementation *const implementations[];
extern const int implementation_count;
const Implementation *implementation_of_operator(const Op *op); /* that has it among its `operators`; NULL */
/* That of the attribute `impl`, or of the operator; else a node is computed by loops. */
const Implementation *implementation_of(const Node *n);
/* The one offered beside it; NULL. */
const Implementation *implementation_beside(const Node *n);
Region region_of(const PassContext *ctx, const Node *root, const Epilogue *e);
/* What a call of a library would take for the root, us, by the device's record; 1 where there is none. */
double region_us(const Region *r);
/* Whether the command line, the target and the strategy that runs leave it in. */
bool implementation_is_offered(const Implementation *m, const PassContext *ctx);
/* The one of least cost that fits. */
const Implementation *implementation_choose(const PassContext *ctx, const Node *n);
/* NULL, or why neither what computes the root nor what is offered beside it takes the epilogue. */
const char *region_refused(const Region *r);
/* Whether the record, and not the operator's loops, writes the node's text for the target. */
bool implementation_emits(const Node *n, const Target *t);
/* Implementation.emit of what computes the node in the target's dialect. */
CudaLaunch implementation_emit(KernelText *k, const Node *n);
bool node_by_library(const Node *n); /* IMPL_CALL */
/* Beside.sum_width of the one offered beside it; 0. */
int64_t implementation_sum_width(const Node *n);
/* Whether a step of the program has it. */
bool implementation_is_used(const Implementation *m, const Program *p);

extern const Implementation implementation_loops; /* what is always there: the operator's own */

#endif
