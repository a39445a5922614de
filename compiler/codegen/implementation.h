/* What computes a heavy operator: a convolution, its gradients, a matrix product.
 *
 * Each way is a record, and implementations.def is their roster. The pass `implement` goes through it for each heavy
 * node and takes the first record that fits; its name is the node's attribute `impl`, and how it is cut are others. All
 * that comes later (fusion, rounding, the side stream, the step's text) asks the record and knows no names. A new
 * implementation is a file with a record, and a line of the roster.
 *
 * A record that is offered BESIDE comes on top of the one that was taken: both are compiled, and the trainer times
 * them. */
#ifndef NNC_IMPLEMENTATION_H
#define NNC_IMPLEMENTATION_H

#include "codegen/forms.h"
#include "codegen/kernel.h"
#include "ops/epilogue.h"
#include "passes/pass.h"

typedef enum {
	IMPL_CALL =
	        1
	        << 0, /* a call of the runtime, with a plan: what follows is fused only as far as it takes it along */
	IMPL_TENSOR_CORES =
	        1 << 1,         /* multiplies on them, so that factors are rounded; and fills the device */
	IMPL_BATCH = 1 << 2,    /* not of a step that is computed a sample at a time */
	IMPL_BESIDE = 1 << 3,   /* offered beside the one that was taken */
	IMPL_OPTIONAL = 1 << 4, /* -fno-NAME leaves it out */
} ImplementationFlag;

typedef struct Implementation {
	const char *name, *doc;
	unsigned flags;
	/* Whether it computes the heavy node on the target; where several do, the first of the roster is taken. */
	bool (*fits)(const PassContext *ctx, const Node *n);
	/* The node, in `to` and with these operands, with what the emitter must know of it beside `impl`; it may be
	 * another node of the same value. NULL: there is no more to know. */
	Node *(*offer)(PassContext *ctx, Graph *to, const Node *n, Node **operands);
	/* Of one offered BESIDE: whether a node has it. */
	bool (*is_offered)(const Node *n);
	/* Of a call, and what is offered beside one: NULL, or why it does not compute the epilogue with the root. A
	 * record without it computes none; a kernel of its own takes what fuse puts in its group. */
	const char *(*takes)(const Node *root, const Epilogue *e);
	/* Writes the body of the step's function; what it is launched with. */
	CudaLaunch (*emit)(KernelText *k, const Node *n);
	int64_t (*workspace)(const Node *n); /* elements of sums of parts; NULL: none */
	const char *header; /* of the runtime, that its kernels need: "cuda/nnr_tile.h"; or NULL */
} Implementation;

extern const Implementation *const implementations[];
extern const int implementation_count;
const Implementation *implementation_find(const char *name); /* NULL */
/* That of the attribute `impl`, or of the operator; else a node is computed by loops. */
const Implementation *implementation_of(const Node *n);
/* The one offered beside it; NULL. */
const Implementation *implementation_beside(const Node *n);
/* The first that fits. */
const Implementation *implementation_choose(const PassContext *ctx, const Node *n);
bool node_by_library(const Node *n); /* IMPL_CALL */
/* Whether a step of the program has it. */
bool implementation_is_used(const Implementation *m, const Program *p);

#define IMPLEMENTATION(name) extern const Implementation implementation_##name;
#include "codegen/implementations.def"
#undef IMPLEMENTATION

#endif
