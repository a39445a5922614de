/* SPDX-License-Identifier: MIT */
/* The contract of an operator: one record says what it means. How to add one: ops/README.md. What targets compute it
 * by is another record (codegen/op_loops.h), and its form in ONNX a third (onnx/forms.h); both name it.
 *
 * A record may be a graph operator (infer != NULL: nodes can point at it), a layer of the language (build != NULL:
 * .net files can call it), or both. "conv" is both: the layer makes the weight, the bias and a `conv` node. A
 * pointwise operator is one row: its formula is the C text of its value, its gradients are formulas over graph
 * operators, and all else is derived. */
#ifndef NNC_OP_H
#define NNC_OP_H

#include "ir/graph.h"

/* What a heavy operator is as a gemm: a product of matrices, or one whose sides are gathered from images. */
typedef enum {
	GEMM_NONE,
	GEMM_PRODUCT,
	GEMM_FPROP,       /* a convolution */
	GEMM_DGRAD,       /* its gradient by the image */
	GEMM_WGRAD,       /* and by the filters */
	GEMM_WGRAD_PARTS, /* that in parts, whose sum over axis 0 it is */
} Gemm;

/* Which leaf an operator is (ir/graph.h). */
typedef enum {
	LEAF_NONE,
	LEAF_INPUT,
	LEAF_PARAM,
	LEAF_STATE,
	LEAF_SCALAR,
	LEAF_CONSTANT,
	LEAF_ARGUMENT
} Leaf;

/* How an operator that computes nothing lays its operands' elements out: what follows elements to their places asks
 * this, and finds the places in the attributes named here. A reshape is OP_RESHAPES. */
typedef enum {
	MOVE_NONE,
	MOVE_BROADCAST, /* repeats them, by the rules of broadcasting, in `shape` */
	MOVE_TRANSPOSE, /* dimension k is dimension axes[k] of the operand */
	MOVE_SLICE,     /* those from `start` on along `axis`, `count` of them */
	MOVE_CONCAT,    /* its operands one after the other along `axis` */
	MOVE_PAD,       /* with `before` and `after` zeros around along `axis` */
} Move;

/* What the ranks of a training send one another in it. */
typedef enum {
	RANKS_NOTHING,
	RANKS_MEAN,   /* their values, of which the result is the mean */
	RANKS_GATHER, /* their shares of a tensor, which the result has all of */
} RanksSend;

/* In which types training in 16 bits (passes/precision.c) has the operands. */
typedef enum {
	HALVES_BY_LOOPS, /* as they come where loops join it (pointwise, sums, aliases); else of one type, 16 bits
	                          for all reals when one has them */
	HALVES_ALL,      /* 16 bits */
	HALVES_NONE,     /* f32 */
	HALVES_FIRST,       /* 16 bits for the first, f32 for the others */
	HALVES_FIRST_TWO,   /* for the first two */
	HALVES_FIRST_THREE, /* for the first three */
	HALVES_LOOKED_UP,   /* the result, rows of a parameter, in 16 bits */
} Halves;

typedef enum {
	OP_POINTWISE = 1 << 0, /* value at an index depends on the operands at that index (broadcast) */
	OP_REDUCE = 1 << 1,    /* sum, max over attr axes; dims are kept as 1 */
	OP_PACK = 1 << 16, /* free: its operands, one after the other, are computed in their places in it */
	OP_RESHAPES = 1 << 17,   /* an alias of all of its operand, in another shape */
	OP_CONVERTS = 1 << 18,   /* pointwise: its operand in another element type */
	OP_LEAF = 1 << 2,        /* input, param, state, scalar, constant */
	OP_ALIAS = 1 << 3,       /* same bytes as operand 0 (reshape) */
	OP_BY_ELEMENT = 1 << 4,  /* pointwise formula reads `i`, the linear index of the element */
	OP_SEEDED = 1 << 5,      /* pointwise formula reads `seed` and `step` */
	OP_EPILOGUE = 1 << 6,    /* its CPU loops finish each element through kernel_epilogue */
	OP_CHEAP = 1 << 7,       /* pointwise and cheaper to compute again than to load */
	OP_HEAVY = 1 << 8,       /* conv and matmul: worth a library */
	OP_COMMUTATIVE = 1 << 9, /* of two operands, whose order makes no difference to a bit of the value */
	OP_UNITS = 1 << 10, /* acts on each sample alone; its emit_cuda has one unit a thread (lanes_begin) */
	OP_BY_COLUMN = 1 << 11, /* pointwise formula reads `c`, the index in the last dimension */
	OP_INDEXED = OP_BY_ELEMENT | OP_BY_COLUMN,
	OP_ADDS = 1 << 13,     /* a reduction by addition: of sums of parts, linear in its operand */
	OP_MONOTONE = 1 << 14, /* pointwise of one operand: a larger one never has a smaller value */
	OP_COUPLES =
	        1 << 15, /* reads across the batch, so that no sample can be computed alone (node_couples) */
	/* Pointwise, except for the place at which it reads its operands, in a tensor of another size (Op.place); at
	 * the nearest one there where that is outside. The operands' shape is another than the result's, unless each
	 * place is its own. */
	OP_PLACED = 1 << 12,
	OP_EPILOGUE_GPU = 1 << 20, /* as OP_EPILOGUE, of its kernel on a GPU alone */
	/* The kernel of its operand 1 computes it too, and writes it beside that: they are one group. By itself, where
	 * nothing is fused, it has a kernel of its own. */
	OP_BESIDE = 1 << 19,
	OP_ANY_SIZE = 1 << 21, /* emit_cuda's sizes may be arguments of the launch (CudaLaunch.any_size) */
	OP_ROUNDS =
	        1 << 22, /* pointwise: its operand's value, rounded, and called as that in generated code */
	OP_ELEMENTWISE =
	        1 << 23, /* a composite whose elements follow from those at the same place of its operand */
	OP_BY_ROW =
	        1
	        << 25, /* each row along the last dimension follows from that of operand 0, in its shape; other
	                      * operands have a number for each column */
	OP_COMPARES_CLASSES =
	        1 << 24, /* a loss: of the scores of classes, operand 0, by what operand 1 says */
	OP_WIDENS =
	        1
	        << 26, /* its result is f32 beside 16 bits, and what is computed from it (passes/precision.c) */
	OP_FLAT =
	        1
	        << 28, /* no gradient passes, and none is missing: steps, or meant to be as good as constant */
	OP_BOUNDED =
	        1 << 27, /* pointwise: from -1 to 1 whatever its operands are, which 16 bits hold to 2^-9 */
} OpFlags;

/* Where the indices along an axis are in another tensor: index i at (i*times + plus)/over there. */
typedef struct Place {
	int64_t times, plus, over;
	int64_t count; /* of indices there; 0: any, of places that are their own */
} Place;

/* ---- shape rule */
typedef struct Infer {
	Graph *graph;
	const Op *op;
	int operand_count;
	Node *const *operands;
	int attr_count;
	const Attr *attrs;
	const Site *site;
	const char **why; /* where a mistake is said instead of reporting it (verify); NULL otherwise */
	Type result;      /* to be set */
} Infer;

/* Reports the user's mistake (or bug() in a pass) and returns false: `return infer_error(in, "shape-mismatch",
 * ...)`. */
bool infer_error(Infer *in, const char *id, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A note for the error just reported: operand i's shape and where it was made. */
void infer_note_operand(Infer *in, int i);
const Attr *infer_attr(const Infer *in, const char *name);
int64_t infer_int(const Infer *in, const char *name);
const int64_t *infer_ints(const Infer *in, const char *name, int *count);
/* Sets in->result, with a diagnostic when a dimension is < 1 or the tensor too large. */
bool infer_result(Infer *in, DType dtype, int rank, const int64_t *dim);

/* The type that the record gives these operands; false and *why when they do not fit. Makes no node. */
bool op_infer(const Graph *g, const Op *op, int operand_count, Node *const *operands, int attr_count,
              const Attr *attrs, Type *result, const char **why);

/* ---- gradient: reverse mode; called once per node that the loss depends on and that depends on a parameter */
typedef struct Grad {
	Build b; /* nodes made here carry the sites of `node` */
	const Node *node;
	Node *y;            /* the node itself, in the graph being built */
	Node **operands;    /* its operands there */
	Node *dy;           /* gradient of the loss by its value, same shape */
	const bool *wanted; /* wanted[i]: operand i depends on a parameter */
	Node **result; /* result[i] = gradient by operand i, to be set for the wanted ones (NULL: zero) */
	bool chosen;   /* it is read as a branch of a `select` alone: where dy is 0, so are the results */
} Grad;

/* ---- expansion into simpler operators */
typedef struct Expand {
	Build b;
	const Node *node;
	Node **operands;
	bool training;
} Expand;

/* ---- a call in a .net file; front/call.c binds arguments to the record's `call` signature */
typedef struct Call Call;

Build *call_build(Call *c);
const char *call_op_name(Call *c); /* for records that share a function */
Node *call_tensor(Call *c, const char *name);
Node *const *call_tensors(Call *c, const char *name, int *count); /* of a `tensors` parameter */
/* A node of pointwise operator `op` over tensors of any rank: samples are aligned at the last dimension, the lower
 * rank gets dimensions of 1 after the batch. */
Node *call_pointwise(Call *c, const char *op, int count, Node *const *x);
int64_t call_int(Call *c, const char *name);
double call_real(Call *c, const char *name);
bool call_bool(Call *c, const char *name);
void call_pair(Call *c, const char *name, int64_t out[2]); /* 3 -> {3,3}; (3, 5) -> {3,5} */
const int64_t *call_ints(Call *c, const char *name, int *count);
const char *call_word(Call *c, const char *name); /* the word given, NULL when a number was given instead */
bool call_given(Call *c, const char *name);       /* written by the user, not defaulted */
bool call_in_scan(const Call *c);                 /* it is computed once for each step of a scan */
int64_t call_ranks(Call *c);                      /* that share the batch: --ranks, or 1 */
/* What an operator that reads across the batch has of x [share, ...]: the rows of all ranks, in the order of the batch;
 * x itself on one rank. *samples: in evaluation f32[], how many of these rows, the first, are of real samples; NULL in
 * training, where all are. Rows in the place of others must count for nothing in theirs. (ops/ranks.c) */
Node *call_whole_batch(Call *c, Node *x, Node **samples);
bool call_in_order(Call *c, const char *name); /* written by the user, without its name */
/* Reports a mistake at argument `name` (NULL: at the call) and returns NULL: `return call_error(...)`. */
Node *call_error(Call *c, const char *name, const char *id, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/* How a parameter starts. PyTorch's default for conv and dense is INIT_UNIFORM with a = 1/sqrt(fan_in). */
typedef enum {
	INIT_CONSTANT,  /* value a */
	INIT_UNIFORM,   /* U(-a, a) */
	INIT_NORMAL,    /* N(0, a^2) */
	INIT_TRUNCATED, /* the same, drawn again where it is further than 2a from 0 */
	INIT_ORTHOGONAL, /* a times a matrix [first dimension, all else] whose rows, or columns, are orthonormal */
	INIT_IDENTITY, /* U(-a, a), but for the first rows: row k is 1 at its middle in column k, and 0 */
	INIT_WHITEN /* the same, but for the first filters, which whiten patches of the data (ops/whiten.h) */
} InitKind;

/* A trained parameter of this call, named SCOPE.role ("layer1.0.conv.weight"). `decay` says whether weight decay
 * reaches it under the recipe's `exempt` (biases and normalisation scales are exempt). */
Node *call_param(Call *c, const char *role, int rank, const int64_t *dim, InitKind init, double a,
                 bool decay);
/* The same, of a leaf with more attributes. */
Node *call_param_with(Call *c, const char *role, int rank, const int64_t *dim, InitKind init, double a,
                      bool decay, int more_count, const Attr *more);
/* A state of this call (running statistics), named SCOPE.role, starting at `value`. */
Node *call_state(Call *c, const char *role, int rank, const int64_t *dim, double value);
/* init = a word of INIT_WORDS, or a call as normal(0.02), turned into a kind and a scale for the given fans. */
#define INIT_WORDS                                                                                          \
	"default|kaiming|kaiming_normal|xavier|xavier_normal|normal|zeros|ones|orthogonal|identity|normal(" \
	"deviation)"
void call_init(Call *c, const char *name, double fan_in, double fan_out, InitKind *kind, double *a);

/* ---- counts */
typedef struct Cost {
	double flops; /* multiply and add count one each */
	double bytes; /* operands read once, result written once */
} Cost;

typedef struct Op {
	const char *name; /* of the graph operator and of the layer */
	/* Names of operands and result as generated code uses them: "x, w -> y"; "mask?", as the last, can be left
	 * out. */
	const char *signature;
	/* Language form: "x, filters: int, size: pair, stride: pair = 1, pad: same|valid|pair = valid, bias: bool =
	 * true". A parameter without a type is a tensor. Types: int real bool text pair ints, words joined by |, and
	 * any union. A plain tensor parameter gets a u8 or i32 argument cast to f32; type `indices` is a tensor taken
	 * as it is (labels, embedding indices): "logits, labels: indices". Type `tensors` takes all positional tensors,
	 * or one list of them: "x: tensors, axis: int = -1" (call_tensors). Axes and shapes given by the user do not
	 * count the batch: `build` shifts them. NULL: the language cannot call it. */
	const char *call;
	const char
	        *doc; /* prose for `nnc help OP`: what it computes, with its formula; a sentence or a few */
	unsigned flags;
	Leaf leaf;
	Gemm gemm;
	Move move;
	RanksSend ranks;
	/* Of OP_COUPLES: the attribute of integers that is 0 on a node that does not; NULL: all do. */
	const char *couples_if;
	Halves halves;
	bool (*infer)(Infer *in);
	void (*grad)(Grad *g); /* NULL with infer set: no gradient passes (comparisons, integer results) */
	/* Composites: never reach lowering, but where it returns NULL for a node that has no simpler form. */
	Node *(*expand)(Expand *e);
	Node *(*build)(
	        Call *c); /* NULL with `call` set: operands in order, remaining arguments as attributes */
	const char
	        *expr; /* pointwise: C text over the signature's operands; functions of runtime/nnr_math.h */
	/* Whether each pixel is factor*x + shift, by channel, of some pixel x of the first operand and the same of
	 * the others; NULL: never. */
	bool (*affine)(const Node *n, int channel, double *factor, double *shift);
	/* Whether each pixel is (x - centre)*scale + shift by channel, x being operand 0, of what the other operands
	 * are, and not of statistics of the batch; makes these. NULL: never. */
	bool (*by_channel)(Build *b, const Node *n, Node *const *operands, Node **centre, Node **scale,
	                   Node **shift);
	/* Number k of what has values that pick one of *count classes, or of the rows of a table. NULL: there are no
	 * more. */
	const Node *(*picks)(const Node *n, int k, int64_t *count);
	/* The number of the operand that is its weight where that is a parameter, and a letter for each dimension of it
	 * ("OHWI"); NULL: no dimension of it has a meaning. */
	const char *(*weight_layout)(const Node *n, int *operand);
	/* The value for constant operands, of which there are up to three; NULL: it is not computed ahead. */
	double (*fold)(double a, double b, double c);
	/* Of a function of the linear index alone: its first `count` values, computed ahead; NULL: it is not. */
	void (*fold_all)(const Node *n, int64_t count, double *y);
	/* Pointwise: sets the place of the indices along an axis of the graph, where it is another than the index. The
	 * formula may then say `on`: whether nothing is left over and the place is in the other tensor. */
	void (*place)(const Node *n, int axis, Place *p);
	const char
	        *sign; /* of two operands, as a formula in a comment has it: "+"; NULL: it has a name there */
	const char *grads[3]; /* pointwise: gradient by operand i over the operands, y and dy; NULL: none */
	double expr_flops;    /* per element */
	/* Sets of operands: the value is 0 where one of the first is 0, or where all of the second are. */
	unsigned char zero_by_any, zero_by_all;
	double lo, hi;                           /* pointwise: range of test values; 0,0 means -2..2 */
	void (*cost)(const Node *n, Cost *cost); /* NULL: derived (pointwise, reduce, alias) or zero flops */
	/* Test samples: lines "x=f32[2,5,5,3] w=f32[4,3,3,3] stride=[2,2] pad=[1,1,1,1] ..." ending in NULL. Operand
	 * values are drawn from lo..hi; "x=i32[4]<10" draws integers below 10, "<10^3" small ones more often, "<2*9" 0
	 * or 9; "mask=f32[4]!" has no gradient. Pointwise rows get theirs by arity. */
	const char *const *samples;
} Op;

#define OP_MAX_OPERANDS 8 /* except `pack` and `concat`, which take any number */

/* ---- the roster: ops/ops.def lists the families; ops/registry.c */
const Op *op_find(const char *name); /* graph operator or layer; NULL */
int op_count(void);
const Op *op_at(int i); /* in roster order */
/* What is said of operators elsewhere, in tables of targets and formats: a record for each that has one, put in once,
 * on the first question. */
enum { OP_MOST = 256 };
typedef struct OpTable {
	const void *of[OP_MOST]; /* in roster order */
	bool is_filled;
} OpTable;

/* The record of the operator of that name, which has none yet. */
void op_table_put(OpTable *t, const char *name, const void *record);
const void *op_table_get(const OpTable *t, const Op *op); /* NULL: there is none */
/* Text of `nnc help OP`; `library`: what the runtime's step of it by a library is called, or NULL. */
char *op_help(Arena *a, const Op *op, const char *library);
/* Text of `nnc --print=operators`; those `inside` the compiler stand after the language's. */
char *op_list(Arena *a, bool inside);
Cost node_cost(const Node *n);
/* Whether it reads other samples of the batch than a row's own (OP_COUPLES). Such a batch is not computed in chunks,
 * and no prediction, which is of one sample, depends on it; of several ranks it reads the rows of all, or says that
 * it doesn't (batchnorm), and an evaluation of it is of real samples alone (call_whole_batch). */
bool node_couples(const Node *n);
/* The first node of it that does, or of a loop's body; NULL. */
const Node *graph_couples(const Graph *g);
/* Whether it is pointwise, and each element follows from those of its operands at the same place alone. */
bool node_is_by_element(const Node *n);
/* The operand names of the signature, and the result's: "x", "w" and "y". */
const char *op_operand_name(Arena *a, const Op *op, int i);
const char *op_result_name(Arena *a, const Op *op);
/* Operands of the signature, without one that can be left out; -1 for any number ("x... -> y", whose operands are
 * called x0, x1 ...). */
int op_operand_count(const Op *op);
/* Whether a node of `op` can have this many; shape rules and all that comes after count on it. */
bool op_takes(const Op *op, int operands);

/* Makes the node a record describes; convenience for `build` functions. */
bool pointwise_infer(Infer *in);
void pointwise_grad(Grad *g);

#endif
