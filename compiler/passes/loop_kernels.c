/* SPDX-License-Identifier: MIT */
/* Chooses loops of pointwise steps and small reductions, which one kernel computes with the loop over periods
 * inside it, ahead of differentiate: the gradient of such a loop is one too. Behind it they are made kernels
 * (unroll.c).
 *
 * A body is brought into its simplest form first. A sum along elements that have lanes of their own leaves it:
 * what is summed up is yielded, or carried, as each lane has it, and the sum is taken of that after the loop. What
 * is carried and begins as 0 is no operand. */
#include "passes/loop_kernels.h"

#include "ir/op.h"

#include <string.h>

enum {
	FEWEST = 8,         /* periods; fewer, one after the other, are one kernel with what is around them */
	MOST_NODES = 512,   /* of a body */
	MOST_INSIDE = 1024, /* elements that a lane carries, */
	MOST_OF_VALUE = 16384, /* and of one value of a period */
	MOST_UNROLLED = 32768, /* nodes of the periods one after the other, of a body with products */
};

/* ---- a body in its simplest form */

static bool every(const Node *n)
{
	return true;
}

/* Of the body that is read. */
typedef struct Sums {
	const int *uses;
	int joined;
} Sums;

/* sum(a) + sum(b)  ->  sum(a + b), which may leave the loop */
static Node *join_sums(void *data, Graph *to, const Node *n, Node **operands)
{
	Sums *s = data;
	const Node *x = n->operand_count == 2 ? n->operands[0] : NULL, *y = x ? n->operands[1] : NULL;
	if (!x || !node_is(n, "add") || !(x->op->flags & OP_ADDS) || y->op != x->op || s->uses[x->id] != 1 ||
	    s->uses[y->id] != 1 || !type_equal(x->operands[0]->type, y->operands[0]->type) ||
	    !type_equal(x->type, y->type))
		return NULL;
	int count;
	const int64_t *axes = node_ints(x, "axes", &count);
	Build b = build_beside(to, n);
	Node *both = build2(&b, "add", operands[0]->operands[0], operands[1]->operands[0]);
	s->joined++;
	return build_reduce(&b, x->op->name, both, axes, count);
}

static const Graph *plain_body(PassContext *ctx, const Graph *body)
{
	const struct Rules *rules = ctx->rules;
	const Graph *g = graph_expand(ctx->arena, graph_unrolled(ctx->arena, body), every);
	g = pass_cse(ctx, pass_simplify(ctx, pass_cse(ctx, g)));
	ctx->rules = rules;
	for (Sums s = {.joined = 1}; s.joined > 0;) {
		s = (Sums){.uses = graph_use_counts(ctx->arena, g)};
		g = graph_rewrite(ctx->arena, g, join_sums, &s);
	}
	return g;
}

/* ---- whether a kernel computes it */

/* After a sum that leaves, what is stacked lies as the sum's result stacked does. */
static bool stacks_alike(const Loop *l, Type sum, Type result)
{
	int64_t before[2] = {1, 1};
	for (int i = 0; i < l->axis; i++) {
		before[0] *= i < sum.rank ? sum.dim[i] : 1;
		before[1] *= i < result.rank ? result.dim[i] : 1;
	}
	return before[0] == before[1];
}

static const char *refused(const Loop *l, const LoopAxes *x, const int *uses)
{
	const DType dtype = l->body->outputs[0].node->type.dtype;
	for (int i = 0; i < l->body->output_count; i++)
		if (l->body->outputs[i].node->type.dtype != dtype || !dtype_is_real(dtype))
			return "its results are of several types";
	if (x->inside > MOST_INSIDE || x->most_inside > MOST_OF_VALUE)
		return "what a lane has to itself is too large";
	for (int i = 0; i < l->body->count; i++) {
		const Node *n = l->body->nodes[i];
		const int output = x->leaves[i] ? loop_sum_output(l, uses, n) : 0;
		if (output >= l->carried && (n->operands[0]->type.rank == LIMIT_RANK ||
		                             !stacks_alike(l, n->type, l->body->outputs[output].node->type)))
			return "a sum of what it yields can't be taken of all periods";
	}
	return NULL;
}

/* The axes of a loop with that body; NULL and *why. */
static LoopAxes *axes_of(Arena *a, const Loop *l, const char **why)
{
	LoopAxes *x = loop_axes(a, l, true, why);
	if (x)
		*why = refused(l, x, graph_use_counts(a, l->body));
	return x && !*why ? x : NULL;
}

bool loop_may_be_kernel(PassContext *ctx, const Node *loop, const char **why)
{
	Loop l = loop_of(loop);
	*why = l.count < FEWEST                            ? "it has few steps"
	       : pass_is_disabled(ctx, "loop_kernels")     ? "loop_kernels is left out"
	       : graph_unrolled_nodes(l.body) > MOST_NODES ? "a step is too large for one kernel"
	                                                   : NULL;
	if (*why)
		return false;
	l.body = plain_body(ctx, l.body);
	if (l.body->count > MOST_NODES)
		*why = "a step is too large for one kernel";
	const bool few = l.count <= MOST_UNROLLED / l.body->count;
	for (int i = 0; i < l.body->count && few && !*why; i++)
		if (loop_has_product(l.body->nodes[i])) /* which has faster kernels of its own */
			*why = arena_printf(ctx->arena, "`%s` is computed in each period",
			                    l.body->nodes[i]->op->name);
	return !*why && axes_of(ctx->arena, &l, why);
}

/* ---- the kernel */

typedef struct Made {
	Loop l;           /* as it was, with its body in the simplest form */
	LoopAxes *axes;   /* NULL: it is no kernel */
	const Node **sum; /* by output: the sum that leaves, or NULL */
	int *output;      /* and what it is of the kernel's outputs */
	Node **added;     /* and what it began with, where a sum that leaves begins as 0 */
	Node *kernel;
} Made;

typedef struct LoopKernels {
	Arena *arena;
	Made *made; /* by node of the graph that is read */
} LoopKernels;

static bool is_zero(const Node *x)
{
	while ((x->op->flags & OP_RESHAPES) || x->op->move == MOVE_BROADCAST)
		x = x->operands[0];
	return node_is_constant(x) && node_real(x, "value") == 0;
}

/* The body of the kernel: carried values that begin as operands first, sums that leave without the sum. */
typedef struct Body {
	const Made *m;
	Graph *to;
	Node **now;
	int *carried; /* by what is carried: where it is among the kernel's */
} Body;

static Node *body_argument(Body *b, int64_t index, Type type, const Node *like)
{
	const Attr attr = attr_int("index", index);
	Node *x = graph_leaf(b->to, "argument", type, &attr, 1, like->sites);
	x->name = like->name;
	return x;
}

static void copy_nodes(Body *b)
{
	const Loop *l = &b->m->l;
	Arena *a = b->to->arena;
	for (int i = 0; i < l->body->count; i++) {
		const Node *n = l->body->nodes[i];
		Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = b->now[n->operands[k]->id];
		if (!node_is_argument(n)) {
			b->now[i] = graph_copy_node(b->to, n, operands);
			continue;
		}
		const int64_t index = node_int(n, "index"), carried = index - l->sequences;
		const bool is_carried = carried >= 0 && carried < l->carried;
		b->now[i] =
		        body_argument(b, is_carried ? l->sequences + b->carried[carried] : index, n->type, n);
	}
}

static Graph *kernel_body(Arena *a, Made *m, int *carried)
{
	const Loop *l = &m->l;
	Body b = {.m = m,
	          .to = graph_like(a, l->body),
	          .now = NEW_ARRAY(a, Node *, l->body->count),
	          .carried = carried};
	copy_nodes(&b);
	Node **outputs = NEW_ARRAY(a, Node *, l->body->output_count);
	for (int i = 0; i < l->body->output_count; i++) {
		const int at = m->output[i] = i < l->carried ? carried[i] : i;
		outputs[at] = b.now[l->body->outputs[i].node->id];
		if (!m->sum[i])
			continue;
		Node *x = b.now[m->sum[i]->operands[0]->id];
		if (i < l->carried) {
			Build build = build_beside(b.to, x);
			x = build2(&build, "add", body_argument(&b, l->sequences + at, x->type, x), x);
		}
		outputs[at] = x;
	}
	for (int i = 0; i < l->body->output_count; i++)
		graph_output(b.to, i < l->carried ? OUTPUT_CARRIED : OUTPUT_YIELD, arena_printf(a, "%d", i),
		             outputs[i]);
	return graph_rewrite(a, b.to, NULL, NULL);
}

/* Where what is carried is among the kernel's; *begun: how many begin as operands. */
static int *order_carried(Arena *a, Made *m, Node *const *operands, int *begun)
{
	const Loop *l = &m->l;
	int *carried = NEW_ARRAY(a, int, l->carried), count = 0;
	bool *zero = NEW_ARRAY(a, bool, l->carried);
	for (int i = 0; i < l->carried; i++) {
		Node *start = operands[l->sequences + i];
		zero[i] = is_zero(start) || m->sum[i];
		m->added[i] = m->sum[i] && !is_zero(start) ? start : NULL;
		if (!zero[i])
			carried[i] = count++;
	}
	*begun = count;
	for (int i = 0; i < l->carried; i++)
		if (zero[i])
			carried[i] = count++;
	return carried;
}

static void find_sums(Arena *a, Made *m)
{
	const Graph *body = m->l.body;
	const int *uses = graph_use_counts(a, body);
	m->sum = NEW_ARRAY(a, const Node *, body->output_count);
	m->output = NEW_ARRAY(a, int, body->output_count);
	m->added = NEW_ARRAY(a, Node *, body->output_count);
	for (int i = 0; i < body->count; i++)
		if (m->axes->leaves[i])
			m->sum[loop_sum_output(&m->l, uses, body->nodes[i])] = body->nodes[i];
}

static Node *make_kernel(LoopKernels *k, Graph *to, const Node *n, Node **operands)
{
	Made *m = &k->made[n->id];
	Arena *a = to->arena;
	const Loop *l = &m->l;
	find_sums(a, m);
	int begun, count = 0;
	int *carried = order_carried(a, m, operands, &begun);
	Node **given = NEW_ARRAY(a, Node *, n->operand_count);
	for (int i = 0; i < l->sequences; i++)
		given[count++] = operands[i];
	for (int i = 0; i < l->carried; i++)
		if (carried[i] < begun)
			given[count++] = operands[l->sequences + i];
	for (int i = l->sequences + l->carried; i < n->operand_count; i++)
		given[count++] = operands[i];
	int64_t *kept = NEW_ARRAY(a, int64_t, l->body->output_count);
	for (int i = 0; i < l->body->output_count; i++)
		kept[i] = i;
	const Attr attrs[] = {attr_int("axis", l->axis),
	                      attr_int("begun", begun),
	                      attr_body("body", kernel_body(a, m, carried)),
	                      attr_int("carried", l->carried),
	                      attr_int("count", l->count),
	                      attr_ints("kept", kept, l->body->output_count),
	                      attr_int("reverse", l->reverse),
	                      attr_int("sequences", l->sequences)};
	Build b = build_beside(to, n);
	m->kernel = build(&b, "loop_kernel", count, given, sizeof attrs / sizeof *attrs, attrs);
	return m->kernel;
}

/* A result: its part of what the kernel leaves, with the sum that has left the loop. */
static Node *result_of(const Made *m, Graph *to, const Node *n)
{
	const int64_t i = node_int(n, "index");
	const LoopKernel k = loop_kernel_of(m->kernel);
	Build b = build_beside(to, n);
	const Type t = loop_kernel_result(&k.l, m->output[i]);
	Node *x = build_part(&b, m->kernel, loop_kernel_offset(&k, m->output[i]), t.rank, t.dim);
	if (!m->sum[i])
		return x;
	int count;
	const int64_t *axes = node_ints(m->sum[i], "axes", &count);
	int64_t at[LIMIT_RANK];
	for (int d = 0; d < count; d++)
		at[d] = axes[d] + (i >= m->l.carried && axes[d] >= m->l.axis);
	x = build_reduce(&b, m->sum[i]->op->name, x, at, count);
	x = build_reshape(&b, x, n->type.rank, n->type.dim);
	return m->added[i] ? build2(&b, "add", m->added[i], x) : x;
}

static Node *kernel_node(void *ctx, Graph *to, const Node *n, Node **operands)
{
	LoopKernels *k = ctx;
	if (node_is_loop(n) && k->made[n->id].axes)
		return make_kernel(k, to, n, operands);
	if (node_is_loop_result(n) && k->made[n->operands[0]->id].axes)
		return result_of(&k->made[n->operands[0]->id], to, n);
	return NULL;
}

/* ---- the whole */

Graph *loops_to_kernels(PassContext *ctx, const Graph *g)
{
	Arena *a = ctx->arena;
	LoopKernels k = {.arena = a, .made = NEW_ARRAY(a, Made, g->count)};
	for (int i = 0; i < g->count; i++) {
		Made *m = &k.made[i];
		const char *why = NULL;
		if (node_is_loop(g->nodes[i]))
			m->l = loop_of(g->nodes[i]);
		if (!m->l.kernel)
			continue;
		m->l.body = plain_body(ctx, m->l.body);
		m->axes = axes_of(a, &m->l, &why);
		if (why)
			pass_remark(ctx, "loop_kernels: %s: the periods stand one after the other: %s",
			            sites_text(a, g->nodes[i]->sites, 3), why);
	}
	return graph_rewrite(a, g, kernel_node, &k);
}

static Node *choose_loop(void *data, Graph *to, const Node *n, Node **operands)
{
	const char *why;
	const bool chosen = node_is_loop(n) && !loop_of(n).kernel && loop_may_be_kernel(data, n, &why);
	return chosen ? graph_node_with(to, n, operands, attr_int("kernel", 1)) : NULL;
}

Graph *pass_loop_kernels(PassContext *ctx, const Graph *g)
{
	bool any = false;
	for (int i = 0; i < g->count; i++)
		any = any || node_is_loop(g->nodes[i]);
	return any ? graph_rewrite(ctx->arena, g, choose_loop, ctx) : (Graph *)g;
}
