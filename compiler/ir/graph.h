/* SPDX-License-Identifier: MIT */
/* Graph: the compiler's first IR. Pure tensors in SSA; the whole training step (forward, backward, update) is one
 * graph. Reference of the text form and of every invariant: ir/README.md; the invariants as code: ir/verify.c.
 *
 * A graph is immutable once a pass has returned it. A pass reads one graph and builds another, in the same arena
 * or a new one; graph_rewrite() is the usual way. Nodes stand in topological order: operands before users.
 *
 * Leaves are nodes too, of the operators
 *   input    name=                a batch of samples or labels, given to every step; with transposed=1 a copy of the
 *                                 input of that name as [elements of a sample, batch];
 *                                 with rounded=1 in tf32, as the gather of the CUDA runtime writes it
 *   param    name=, init=...      a trained tensor; a slice of the flat state "params" after add_update; with frozen=1
 *                                 one that stays as it is, after those in their block
 *   state    name=, value=        a tensor that lives from step to step, initialised to `value`
 *   scalar   name=                an f32[] given by the host each step: "rate", "step" (from 1), "last", "samples"
 *   constant value=               an f32[] known at compile time
 *   argument index=               in the body of a loop: what it is given in a period (ir/loop.h)
 * Effects are outputs: an OUTPUT_STATE says that state `name` holds the node's value after the step. */
#ifndef NNC_GRAPH_H
#define NNC_GRAPH_H

#include "base/array.h"
#include "base/map.h"
#include "base/source.h"
#include "base/diag.h"
#include "ir/type.h"

typedef struct Op Op; /* ir/op.h */
typedef struct Node Node;
typedef struct Graph Graph;

typedef enum { ATTR_INT, ATTR_REAL, ATTR_TEXT, ATTR_INTS, ATTR_BODY } AttrKind;

typedef struct Attr {
	const char *name;
	AttrKind kind;
	int64_t i;
	double f;
	const char *s;
	const int64_t *ints;
	int count; /* of ints */
	const Graph *body;
} Attr;

static inline Attr attr_int(const char *name, int64_t i)
{
	return (Attr){.name = name, .kind = ATTR_INT, .i = i};
}
static inline Attr attr_real(const char *name, double f)
{
	return (Attr){.name = name, .kind = ATTR_REAL, .f = f};
}
static inline Attr attr_text(const char *name, const char *s)
{
	return (Attr){.name = name, .kind = ATTR_TEXT, .s = s};
}
/* The list is copied when the node is made. */
static inline Attr attr_ints(const char *name, const int64_t *ints, int count)
{
	return (Attr){.name = name, .kind = ATTR_INTS, .ints = ints, .count = count};
}

/* What a loop computes in each period (ir/loop.h). The graph is not copied. */
static inline Attr attr_body(const char *name, const Graph *body)
{
	return (Attr){.name = name, .kind = ATTR_BODY, .body = body};
}

enum { NO_GROUP = -1 };

/* A metric that is no mean over samples: the runtime computes it of all samples' scores and targets. Its node is
 * [batch, places*columns + targets]: the scores of all places of a sample, then their targets, one a place where they
 * are indices of columns, else one a score. */
typedef struct Measure {
	const char *function; /* of the language: "auc" */
	int64_t places, columns;
	bool indexed;    /* a target is one of the columns */
	bool micro;      /* what is counted of all columns is one count; else their mean is taken */
	int64_t of;      /* the column that it is of; -1: all */
	int64_t ignored; /* the index whose places do not count; -1: none */
	int64_t bins;    /* of `ece`: equal parts of [0, 1] that confidences fall into */
} Measure;

struct Node {
	int id; /* its index in graph->nodes, renumbered by every pass */
	const Op *op;
	Type type;
	int operand_count;
	Node **operands;
	int attr_count;
	const Attr *attrs; /* sorted by name */
	const char *name;  /* of the .net variable or parameter path it computes; NULL for a temporary */
	Sites sites;       /* every .net place it came from */
	/* What it was written as, for people: "batchnorm", "batchnorm.statistics", "relu.backward", "adam"; a name of
	 * the language or of the recipe, then what part of it this is. NULL: itself. Not in the text form. */
	const char *of;
	/* What the value is in that, for people: "mean", "rstd", "dconv"; generated code calls it so. NULL: as its
	 * operator. Not in the text form. */
	const char *called;
	/* Of a number per sample, while the graph is built: f32[batch], 1 where there is one and 0 where the sample has
	 * nothing to take it of, which metrics leave out. NULL: all have one. */
	Node *counted;
	/* Of what a metric over all samples compares, while the graph is built; NULL: it is nothing of the kind. */
	const Measure *measure;
	/* While the graph is built, of what a loop carries: the value before the first period, of which it has whole
	 * numbers too; of a sequence's part the sequence. NULL: nothing of the kind. */
	const Node *begun;
	int row; /* while the graph is built: of the table of layers, from 1, that made it; 0: none */
	bool is_gradient; /* of the loss by a value of the network: "dy" to what reads it, "dx" to what writes it */
	int group;        /* after fuse: nodes with one number become one kernel; NO_GROUP before */
};

typedef enum {
	OUTPUT_LOSS,   /* f32[batch] in an evaluation graph, f32[] (the mean) in a training graph */
	OUTPUT_METRIC, /* likewise */
	OUTPUT_COUNT, /* likewise, 1 where the metric `name` counts the sample, else 0; none: it counts all */
	OUTPUT_STATE, /* the new value of state `name` */
	OUTPUT_GRADIENT, /* of parameter `name`; kept only with --keep-gradients, for the tests */
	OUTPUT_MEASURED, /* of evaluation: what the metric `name` over all samples is computed of (Measure) */
	OUTPUT_VALUE,    /* any other tensor to keep: the model's `output`s, for prediction and the tests */
	OUTPUT_CARRIED,  /* of the body of a loop: what the next period begins with */
	OUTPUT_YIELD,    /* likewise: what is stacked over the periods */
} OutputKind;

/* What the runtime measures: it takes means of loss, metrics and counts, and computes metrics over all samples. */
enum {
	OUTPUTS_SCORES = 1u << OUTPUT_LOSS | 1u << OUTPUT_METRIC | 1u << OUTPUT_COUNT | 1u << OUTPUT_MEASURED
};

typedef struct Output {
	OutputKind kind;
	const char *name;
	Node *node;
} Output;

struct Graph {
	Arena *arena;
	Diagnostics *
	        diag; /* where operators report the user's mistakes; NULL inside passes: a mistake is a bug() */
	Diagnostics *full; /* where it is reported that a pass would make too many nodes; NULL: by fail() */
	const char *name;  /* of the model */
	bool training;     /* batchnorm uses batch statistics, dropout drops */
	int64_t batch;     /* dimension 0 of every input, 1 of a transposed one */
	Node **nodes;
	int count, room;
	int limit; /* of nodes: LIMIT_NODES, and more where steps of a scan repeat them */
	Output *outputs;
	int output_count, output_room;
	Map *leaves; /* of graph_find_leaf: of the first `leaves_of` nodes, by operator and name; NULL: of none */
	int leaves_of;
};

Graph *graph_new(Arena *a, const char *name, bool training, int64_t batch);
/* An empty graph with the same name, mode and batch. */
Graph *graph_like(Arena *a, const Graph *g);
/* To be told that `count` nodes are made once more, by a further step of a scan: the graph may have more. */
void graph_repeats(Graph *g, int count);
void graph_output(Graph *g, OutputKind kind, const char *name, Node *node);
/* The first leaf of this operator and name; NULL. In constant time: the graph keeps a map of those it has asked for. */
Node *graph_find_leaf(Graph *g, const char *op, const char *name);
Node *graph_find_output(const Graph *g, OutputKind kind, const char *name); /* NULL; name NULL: the first */

/* Appends a node whose type the operator infers. Operands must be of this graph. NULL after a diagnostic (only
 * when graph->diag is set; else bug()). attrs are copied and sorted. */
Node *graph_node(Graph *g, const Op *op, Node *const *operands, int operand_count, const Attr *attrs,
                 int attr_count, Sites sites, const Site *site);
/* Appends a leaf of the given type (input, param, state, scalar, constant). */
Node *graph_leaf(Graph *g, const char *op, Type type, const Attr *attrs, int attr_count, Sites sites);
/* Appends a copy of `n` (of another graph) with other operands; type, name, sites, group are taken over. */
Node *graph_copy_node(Graph *g, const Node *n, Node *const *operands);

/* Leaves in `g` the nodes whose ids `kept` names, numbered anew; nothing that stays may read another. */
void graph_keep(Graph *g, const bool *kept);
/* Copies `g` node by node. For each node `rule` gets the node and its already rewritten operands and returns the
 * replacement in `to`, or NULL to copy it unchanged, as all are where `rule` is NULL. Outputs follow. Ends with a sweep
 * of unreachable nodes. */
typedef Node *RewriteRule(void *ctx, Graph *to, const Node *n, Node **operands);
Graph *graph_rewrite(Arena *a, const Graph *g, RewriteRule *rule, void *ctx);

/* A copy in another arena that shares nothing with `g` and what it was made from, but the sites themselves. */
Graph *graph_move(Arena *a, const Graph *g);

/* use_count[id] = how many operand slots and outputs read node id. */
int *graph_use_counts(Arena *a, const Graph *g);
typedef ARRAY(Node *) NodeList;
NodeList *graph_users(Arena *a, const Graph *g);  /* by node id: who reads it, once for each operand slot */
NodeList *graph_groups(Arena *a, const Graph *g); /* by group: its nodes, in order */
bool *graph_outputs(Arena *a, const Graph *g);    /* by node id: an output is it */
NodeList nodes_merged(Arena *a, const NodeList *x,
                      const NodeList *y); /* of one graph, each in order: all, in order */
/* Gives `to` the outputs of `g`; copies: by node id, the node of `to`. */
void graph_copy_outputs(Graph *to, const Graph *g, Node *const *copies);

/* By node id: depends on an input, a random number or what the host gives; on a parameter or state. */
void graph_sources(const Graph *g, bool *of_batch, bool *of_weights);

typedef enum { PHASE_FORWARD, PHASE_LOSS, PHASE_BACKWARD, PHASE_UPDATE, PHASES } Phase;

/* ir/phase.c. By node id. Forward: loss, metrics or values depend on it, or a state alone; of these the loss's are what
 * depends on a target, and what stands at the same places of the .net file. Update: it works on packed gradients, or is
 * made for what does. Backward: it becomes a gradient. An evaluation is forward and loss. */
Phase *node_phases(Arena *a, const Graph *g);
/* Of a kernel: the update's if a node of it is, else forward or the loss's if one is, by FLOPs. */
Phase group_phase(const Phase *of_node, Node *const *nodes, int count);
const char *phase_name(Phase phase); /* "backward" */
/* That, and "evaluation" for all of a graph that is one. */
const char *graph_phase_name(const Graph *g, Phase phase);

/* NULL when absent */
const Attr *attr_find(const Attr *attrs, int count, const char *name);
const Attr *node_attr(const Node *n, const char *name);
/* The node's attributes with `attr` among them, in the place of one of that name if there is one; *count of them, in
 * `a`. */
Attr *node_attrs_with(Arena *a, const Node *n, Attr attr, int *count);
/* Appends a copy of n over these operands that has the attribute too; its name and group are n's. */
Node *graph_node_with(Graph *to, const Node *n, Node **operands, Attr attr);
int64_t node_int(const Node *n, const char *name); /* bug() when absent or of another kind */
double node_real(const Node *n, const char *name);
const char *node_text(const Node *n, const char *name);
const int64_t *node_ints(const Node *n, const char *name, int *count);
bool node_is(const Node *n, const char *op_name);
bool node_is_leaf(const Node *n);
bool node_is_input(const Node *n);
bool node_is_target(const Node *n); /* an input of the role */
bool node_is_param(const Node *n);
bool node_is_state(const Node *n);
bool node_is_scalar(const Node *n);
bool node_is_constant(const Node *n);
bool node_is_argument(const Node *n);
/* Says what the value is, unless that is known: it is a leaf, or a variable of the network. Returns n, also NULL. */
Node *node_called(Node *n, const char *called);
const char *node_word(const Node *n); /* "mean", or its operator: "sub" */
/* Says it of n and of what n is a view of, as far as they are made from node `first` on. */
void node_called_from(Node *n, int first, const char *called);
bool node_is_frozen(const Node *param); /* it is not trained */
/* It is trained, and has a place among the flat parameters (add_update); or it is some of them side by side. */
bool node_is_flat(const Node *param);
/* Whether the parameter has a place among all, trained or frozen (passes/add_update.c). */
bool node_is_placed(const Node *param);
bool node_is_transposed(const Node *input);
/* What the node is a view of that no kernel writes: itself, or the operand at the end of its reshapes and parts. */
const Node *node_viewed(const Node *n);
/* The same, as far as it is all of that: a part of something is itself. */
const Node *node_whole(const Node *n);
/* What the node's bytes are those of: the operand at the end of its reshapes and parts, also where a kernel, which
 * node_viewed stops at, copies one of them. */
const Node *node_unaliased(const Node *n);
/* What the node has all elements of, in order: the operand at the end of its reshapes, copied by a kernel or not. */
const Node *node_unshaped(const Node *n);
/* Whether the axes of a transposition exchange dimensions i and k, and no others. */
bool axes_exchange(const int64_t *axes, int count, int i, int k);
/* The node is such a transposition. */
bool node_exchanges(const Node *n, int i, int k);
/* What x is the transpose of in its last two dimensions, both seen through reshapes; NULL: it is none. */
Node *node_turned_from(const Node *x);
bool node_is_rounded(const Node *input);
bool attr_equal(const Attr *x, const Attr *y);       /* in all but their names */
bool nodes_alike(const Node *a, const Node *b);      /* same op, number of operands, attributes, type */
bool nodes_same_value(const Node *a, const Node *b); /* and the same operands, by id */

/* ---- building: nodes that share one set of sites; what gradients, expansions and optimizers are written with */

typedef struct Build {
	Graph *graph;
	Sites sites;
	const char *of;   /* of the nodes; may be NULL */
	const Site *site; /* for diagnostics; may be NULL */
	DType real; /* element type of constants: f32 unless a pass that runs after `precision` sets it */
} Build;

/* For nodes of `to` that take the place of `n`, or stand beside it: its sites, and what it was written as. */
Build build_beside(Graph *to, const Node *n);
/* For the simpler nodes of `n`, or of its gradient: parts of what it was written as. */
Build build_parts(Graph *to, const Node *n, const char *part);
Node *build(Build *b, const char *op, int operand_count, Node *const *operands, int attr_count,
            const Attr *attrs);
Node *build1(Build *b, const char *op, Node *x);
Node *build2(Build *b, const char *op, Node *x, Node *y);
Node *build3(Build *b, const char *op, Node *x, Node *y, Node *z);
Node *build_constant(Build *b, double value); /* rank 0, of type b->real */
Node *build_reduce(Build *b, const char *op, Node *x, const int64_t *axes, int count); /* keeps dims as 1 */
Node *build_along(Build *b, const char *op, Node *x, int64_t axis); /* softmax, cumsum and so on */
Node *build_reshape(Build *b, Node *x, int rank, const int64_t *dim);
Node *build_broadcast(Build *b, Node *x, int rank, const int64_t *dim);
Node *build_transpose(Build *b, Node *x, const int64_t *axes); /* dimension i of the result is axes[i] of x */
Node *build_concat(Build *b, int64_t axis, int count, Node *const *x);
/* x y, of the last two dimensions; tx, ty: of the operand with these turned. */
Node *build_product(Build *b, Node *x, Node *y, bool tx, bool ty);
/* first, first + by, ... by the linear index. */
Node *build_ramp(Build *b, int rank, const int64_t *dim, double first, double by);
/* Indices [start, start + count) of x along the axis. */
Node *build_slice(Build *b, Node *x, int64_t axis, int64_t start, int64_t count);
/* x with so many zeros at either end of the axis. */
Node *build_pad(Build *b, Node *x, int64_t axis, int64_t before, int64_t after);
/* The elements of x from `offset` on, in that shape. */
Node *build_part(Build *b, Node *x, int64_t offset, int rank, const int64_t *dim);
/* Sums x over what was broadcast, so that the result has the shape of `like`. */
Node *build_sum_to(Build *b, Node *x, Type like);
/* The value of a formula over named operands: numbers, names, + - * / unary -, comparisons (1 or 0), and calls of
 * pointwise operators: "dy*(1 - y*y)", "select(x > 0, dy, 0)". */
Node *build_formula(Build *b, const char *formula, int count, const char *const *names, Node *const *values);

/* ---- text: ir/print.c, ir/parse.c, ir/verify.c */

char *graph_text(Arena *a, const Graph *g);
char *graph_dot(Arena *a, const Graph *g); /* Graphviz text, for looking at */
/* NULL and *why ("line 7: ...") when the text is not a graph. Sites are not read back. */
Graph *graph_parse(Arena *a, const char *text, const char **why);
/* NULL when every invariant holds, else a sentence naming the node. */
char *graph_verify(Arena *a, const Graph *g);

#endif
