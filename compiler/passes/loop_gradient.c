/* SPDX-License-Identifier: MIT */
/* The gradient of a loop: one loop more, in the other direction.
 *
 * A period computes (s', y) = f(s, x, w). Of ds', the gradient by what it carries on, and dy it makes ds, which is
 * carried to the period before, and dx, which is yielded. It begins with the gradient by what the loop ends with.
 *
 *     loop(dy..., x..., stored..., ds..., sums..., w...) {reverse = !reverse}
 *
 * f is computed again from s and x. What is carried is stored of all periods for that, and so are products, which are
 * dear, and random numbers, which the other order of periods would change. The forward loop yields those; what nothing
 * reads of them in the end is dropped (loop_kernels.c).
 *
 * The gradient by w is a sum over all periods. Of products over rows it is one product after the loop, of factors that
 * the loop yields, and so are sums over rows; all else is summed up in what the loop carries. */
#include "passes/differentiate.h"

#include "ir/op.h"

#include <string.h>

/* A value of the body that the gradient's periods do not compute again. */
typedef struct Stored {
	const Node *of; /* of the body */
	int result;     /* of the forward loop */
} Stored;

/* Of a period: a factor of a product over the rows of all periods. */
typedef struct Factor {
	Node *part; /* of a period */
	Node *all;  /* what it is a part of, where that is there; NULL: the loop yields it */
	int yield;  /* which it is then */
} Factor;

/* A product over the rows of all periods, or a sum over them. */
typedef struct RowSum {
	const Node *of; /* it is a part of the gradient by that */
	Factor a, b;    /* b.part NULL: a sum */
	Build build;    /* as it was one in a period */
} RowSum;

typedef struct Sum {
	const Node *of;
	int carried; /* of the gradient's loop */
} Sum;

typedef struct LoopGradient {
	Walk *w;
	Build b;
	Loop l;
	Node *loop;
	const Graph *body;
	Node **dy;     /* by result: its gradient; NULL: none */
	bool *trained; /* by node of the body */
	ARRAY(Stored) stored;
	/* of the loop that is made */
	int first;          /* where its nodes begin */
	NodeList sequences; /* what the arguments in `parts` are parts of */
	NodeList parts;
	NodeList start, next, yields;
	Walk in;
	NodeList stands, apart; /* of a period: what was stored of it, and the node that would compute that */
	Node **zeros;           /* by operand of the loop: what a gradient by it begins as */
	/* By operand of the loop that is a sequence, or carried: which yield, or what carried value, is the gradient
	 * by it; -1: it has none. */
	int *given;
	ARRAY(RowSum) row_sums;
	ARRAY(Sum) sums;
} LoopGradient;

/* ---- what is there */

static bool find_results(LoopGradient *d, int last)
{
	const Walk *w = d->w;
	bool any = false;
	d->dy = NEW_ARRAY(w->g->arena, Node *, d->l.carried + d->l.yields);
	for (int i = d->loop->id + 1; i < last; i++) {
		const Node *n = w->g->nodes[i];
		if (!node_is_loop_result(n) || n->operands[0] != d->loop || !w->gradient[i])
			continue;
		Node **dy = &d->dy[node_int(n, "index")];
		*dy = *dy ? build2(&d->b, "add", *dy, w->gradient[i]) : w->gradient[i];
		w->reached[d->loop->id] |= w->reached[i];
		any = true;
	}
	return any;
}

/* Without a gradient that could be asked, or with one that draws random numbers again. */
static bool is_expanded(const Node *n)
{
	return is_composite_without_gradient(n) || (n->op->expand && node_attr(n, "stream"));
}

/* The body, of operators with a gradient; inner loops that draw random numbers as their periods, each of which is
 * stored. */
static const Graph *plain_body(Arena *a, const Graph *body)
{
	bool draws = false;
	for (int i = 0; i < body->count; i++)
		draws = draws ||
		        (node_is_loop(body->nodes[i]) && graph_streams(loop_of(body->nodes[i]).body) > 0);
	return graph_expand(a, draws ? graph_unrolled(a, body) : body, is_expanded);
}

/* What is carried is trained where it begins so, or a period makes it so. */
static void find_trained(LoopGradient *d)
{
	const Graph *body = d->body;
	bool *of_operand = NEW_ARRAY(d->w->g->arena, bool, d->loop->operand_count), changed = true;
	for (int i = 0; i < d->loop->operand_count; i++)
		of_operand[i] = d->w->trained[d->loop->operands[i]->id];
	d->trained = NEW_ARRAY(d->w->g->arena, bool, body->count);
	while (changed) {
		changed = false;
		for (int i = 0; i < body->count; i++) {
			const Node *n = body->nodes[i];
			bool trained = node_is_argument(n) && of_operand[node_int(n, "index")];
			for (int k = 0; k < n->operand_count; k++)
				trained = trained || d->trained[n->operands[k]->id];
			d->trained[i] = trained && (dtype_is_real(n->type.dtype) || node_is_loop(n));
		}
		for (int i = 0; i < d->l.carried; i++) {
			bool *start = &of_operand[d->l.sequences + i];
			const bool next = d->trained[body->outputs[i].node->id];
			changed = changed || (next && !*start);
			*start = *start || next;
		}
	}
}

static const Node *argument_of(const Graph *body, int index)
{
	for (int i = 0; i < body->count; i++)
		if (node_is_argument(body->nodes[i]) && node_int(body->nodes[i], "index") == index)
			return body->nodes[i];
	return NULL;
}

/* ---- the forward loop */

static void set_body(Arena *a, Node *loop, const Graph *body)
{
	Attr *attrs = arena_copy(a, loop->attrs, (size_t)loop->attr_count * sizeof *attrs);
	for (int i = 0; i < loop->attr_count; i++)
		if (attrs[i].kind == ATTR_BODY)
			attrs[i].body = body;
	loop->attrs = attrs;
}

/* x with dimensions of 1 after its last, so that it has one at the loop's axis when it is stacked. */
static Node *with_axis(Build *b, const Loop *l, Node *x)
{
	int64_t dim[LIMIT_RANK];
	int rank = x->type.rank;
	for (int i = 0; i < rank; i++)
		dim[i] = x->type.dim[i];
	while (rank < l->axis)
		dim[rank++] = 1;
	return rank == x->type.rank ? x : build_reshape(b, x, rank, dim);
}

static bool is_stored(const Node *n)
{
	return (n->op->flags & OP_HEAVY) || node_attr(n, "stream");
}

/* Has the forward loop yield what is carried into its periods, and what is not computed again. */
static void store(LoopGradient *d)
{
	Arena *a = d->w->g->arena;
	Graph *body = graph_rewrite(a, d->body, NULL, NULL);
	d->body = body;
	for (int i = 0; i < body->count; i++) {
		const Node *n = body->nodes[i];
		const int64_t index = node_is_argument(n) ? node_int(n, "index") : -1;
		const bool carried = index >= d->l.sequences && index < d->l.sequences + d->l.carried;
		if (carried || is_stored(n)) {
			const Stored s = {n, d->l.carried + d->l.yields + d->stored.count};
			array_push(a, &d->stored, s);
		}
	}
	for (int i = 0; i < d->stored.count; i++) {
		Node *x = (Node *)d->stored.at[i].of;
		Build b = build_beside(body, x);
		graph_output(body, OUTPUT_YIELD, arena_printf(a, "stored %d", i), with_axis(&b, &d->l, x));
	}
	set_body(a, d->loop, body);
}

/* ---- the gradient's loop: what it begins with */

/* A part of what is stacked, in a period. */
static Node *add_sequence(LoopGradient *d, Node *all, Type part)
{
	const Type cut = loop_part(&d->l, all->type);
	Node *x = loop_argument(&d->b, d->sequences.count, cut);
	array_push(d->w->g->arena, &d->sequences, all);
	array_push(d->w->g->arena, &d->parts, x);
	return type_equal(cut, part) ? x : build_reshape(&d->b, x, part.rank, part.dim);
}

/* What is stacked along the last axis, for want of others, with dimensions of 1 ahead of that. */
static Node *along_axis(LoopGradient *d, Node *all)
{
	int64_t dim[LIMIT_RANK];
	const int rank = all->type.rank;
	if (rank > d->l.axis)
		return all;
	for (int i = 0; i < d->l.axis; i++)
		dim[i] = i < rank - 1 ? all->type.dim[i] : 1;
	dim[d->l.axis] = d->l.count;
	return build_reshape(&d->b, all, (int)d->l.axis + 1, dim);
}

static Node *zeros(Build *b, Type t)
{
	return build_broadcast(b, build_constant(b, 0), t.rank, t.dim);
}

/* Carried from period to period, from `start` on. */
static Node *add_carried(LoopGradient *d, Node *start)
{
	Node *x = loop_argument(&d->b, d->sequences.count + d->start.count, start->type);
	array_push(d->w->g->arena, &d->start, start);
	return x;
}

/* ---- a period of it */

/* The nodes of the body, in the graph; those that are stored are followed by what was stored. */
static Node **copy_body(LoopGradient *d, Node **arguments, Node **stored)
{
	Graph *g = d->w->g;
	Node **now = NEW_ARRAY(g->arena, Node *, d->body->count);
	int at = 0;
	for (int i = 0; i < d->body->count; i++) {
		const Node *n = d->body->nodes[i];
		Node **operands = NEW_ARRAY(g->arena, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = now[n->operands[k]->id];
		now[i] = node_is_argument(n) ? arguments[node_int(n, "index")]
		                             : graph_copy_node(g, n, operands);
		if (is_stored(n)) {
			for (at = 0; d->stored.at[at].of != n;)
				at++;
			Node *apart = now[i];
			const Node *value = stored[at];
			now[i] = build_reshape(&d->b, (Node *)value, n->type.rank, n->type.dim);
			if (now[i] == value) /* a node of its own, after the one that it stands for */
				now[i] = build(&d->b, "reshape", 1, (Node *[]){(Node *)value}, 1,
				               (Attr[]){attr_ints("shape", n->type.dim, n->type.rank)});
			array_push(g->arena, &d->stands, now[i]);
			array_push(g->arena, &d->apart, apart);
		}
	}
	return now;
}

/* ---- the gradient by what all periods share */

static Factor factor_of(LoopGradient *d, Node *part)
{
	for (int i = 0; i < d->parts.count; i++)
		if (d->parts.at[i] == part)
			return (Factor){.part = part, .all = d->sequences.at[i]};
	for (int i = 0; i < d->yields.count; i++)
		if (d->yields.at[i] == part)
			return (Factor){.part = part, .yield = i};
	array_push(d->w->g->arena, &d->yields, part);
	return (Factor){.part = part, .yield = d->yields.count - 1};
}

static bool is_product_over_rows(const LoopGradient *d, const Node *n)
{
	return d->l.axis == 1 && n->id >= d->first && n->op->gemm == GEMM_PRODUCT && n->type.rank == 2 &&
	       node_int(n, "ta") && !node_int(n, "tb") && n->operands[0]->id >= d->first &&
	       n->operands[1]->id >= d->first;
}

/* The rows of a period that are summed up for a bias; NULL: it is none. A kernel carries its sum on. */
static Node *summed_rows(const LoopGradient *d, Node *n)
{
	const Node *sum = (n->op->flags & OP_RESHAPES) ? n->operands[0] : n;
	if (d->l.axis != 1 || d->l.kernel || n->id < d->first || sum->id < d->first ||
	    !(sum->op->flags & OP_ADDS) || sum->type.rank != 2 || sum->type.dim[0] != 1)
		return NULL;
	Node *rows = sum->operands[0];
	return rows->id >= d->first && rows->type.dim[1] == sum->type.dim[1] ? rows : NULL;
}

static void carry_sum(LoopGradient *d, const Node *of, Node *start, Node *term)
{
	const Sum sum = {of, d->start.count};
	array_push(d->w->g->arena, &d->sums, sum);
	Node *next = build2(&d->b, "add", add_carried(d, start), term);
	array_push(d->w->g->arena, &d->next, next);
}

/* Each of the contributions to what operand `i` is, in a period: products and sums over rows leave the loop, and all
 * else is summed up for itself, so that a sum over the batch may leave it too (loop_kernels.c). */
static void sum_up(LoopGradient *d, int i)
{
	Arena *a = d->w->g->arena;
	const Node *of = d->loop->operands[i];
	NodeList terms = {0};
	if (d->in.gradient[of->id])
		array_push(a, &terms, d->in.gradient[of->id]);
	while (terms.count > 0) {
		Node *n = terms.at[--terms.count];
		if (n->id >= d->first && node_is(n, "add") && type_equal(n->operands[0]->type, n->type) &&
		    type_equal(n->operands[1]->type, n->type)) {
			array_push(a, &terms, n->operands[1]);
			array_push(a, &terms, n->operands[0]);
		} else if (is_product_over_rows(d, n)) {
			const Factor x = factor_of(d, n->operands[0]), y = factor_of(d, n->operands[1]);
			array_push(a, &d->row_sums, ((RowSum){of, x, y, build_beside(d->w->g, n)}));
		} else if (summed_rows(d, n)) {
			const Factor x = factor_of(d, summed_rows(d, n));
			array_push(a, &d->row_sums, ((RowSum){of, x, {0}, build_beside(d->w->g, n)}));
		} else {
			carry_sum(d, of, d->zeros[i], n);
		}
	}
}

/* ---- after the loop */

/* With the periods first, as they will be stacked one after the other; a kernel lays them out by samples. */
static Node *rows_of_all(LoopGradient *d, Node *gradient, const Factor *f)
{
	Node *all = f->all ? f->all : loop_result(&d->b, gradient, d->start.count + f->yield);
	const Type t = all->type;
	if (!d->l.kernel)
		all = build_transpose(&d->b, all, (int64_t[]){1, 0, 2});
	return build_reshape(&d->b, all, 2, (int64_t[]){t.dim[0] * t.dim[1], t.dim[2]});
}

static void contribute(LoopGradient *d, const Node *to, Node *part, bool reached)
{
	walk_contribute(d->w, to, part);
	d->w->reached[to->id] |= reached;
}

static Node *make_loop(LoopGradient *d)
{
	Arena *a = d->w->g->arena;
	const char **names = NEW_ARRAY(a, const char *, d->start.count);
	for (int i = 0; i < d->start.count; i++)
		names[i] = arena_printf(a, "gradient %d", i);
	const LoopParts parts = {.count = d->l.count,
	                         .axis = d->l.axis,
	                         .reverse = !d->l.reverse,
	                         .kernel = d->l.kernel,
	                         .carried = d->start.count,
	                         .sequences = d->sequences.count,
	                         .yields = d->yields.count,
	                         .start = d->start.at,
	                         .sequence = d->sequences.at,
	                         .next = d->next.at,
	                         .yielded = d->yields.at,
	                         .names = names};
	Node *gradient = loop_cut(&d->b, d->first, &parts);
	set_body(a, gradient,
	         graph_rewrite(a, loop_of(gradient).body, NULL, NULL)); /* without what nothing reads */
	return gradient;
}

/* ---- the whole */

/* What the arguments of the body are in a period of the gradient's: by operand of the loop. */
static Node **begin_period(LoopGradient *d, Node **stacked, Node **stored)
{
	Arena *a = d->w->g->arena;
	const Loop *l = &d->l;
	Node **arguments =
	        arena_copy(a, d->loop->operands, (size_t)d->loop->operand_count * sizeof *arguments);
	for (int i = 0; i < l->carried; i++)
		arguments[l->sequences + i] = NULL; /* unless the body reads it */
	for (int i = 0; i < l->sequences; i++)
		arguments[i] =
		        add_sequence(d, d->loop->operands[i], loop_part(l, d->loop->operands[i]->type));
	for (int i = 0; i < d->stored.count; i++) {
		const Node *of = d->stored.at[i].of;
		stored[i] = add_sequence(d, stacked[i], of->type);
		if (node_is_argument(of))
			arguments[node_int(of, "index")] = stored[i];
	}
	return arguments;
}

static bool operand_trained(const LoopGradient *d, int i)
{
	const Node *argument = argument_of(d->body, i);
	return argument && d->trained[argument->id];
}

/* Of what is carried: the period makes ds of ds', in this order; an index into what is carried, or -1. */
static void carry(LoopGradient *d, Node **ds)
{
	for (int i = 0; i < d->l.carried; i++) {
		const Type t = d->loop->operands[d->l.sequences + i]->type;
		const bool needed =
		        dtype_is_real(t.dtype) && (d->dy[i] || operand_trained(d, d->l.sequences + i));
		if (!needed)
			continue;
		d->given[d->l.sequences + i] = d->start.count;
		ds[i] = add_carried(d, d->dy[i] ? d->dy[i] : d->zeros[d->l.sequences + i]);
	}
}

/* The walk back over a period, from its outputs. */
static void walk_period(LoopGradient *d, Node *const *now, Node *const *ds, Node *const *dy)
{
	Walk *in = &d->in;
	Graph *g = d->w->g;
	const int last = g->count;
	*in = walk_over(g);
	for (int i = 0; i < d->body->count; i++)
		in->trained[now[i]->id] = d->trained[i];
	for (int i = 0; i < d->stands.count; i++) {
		in->stands_for[d->stands.at[i]->id] = d->apart.at[i];
		in->trained[d->apart.at[i]->id] = in->trained[d->stands.at[i]->id];
	}
	for (int i = 0; i < d->l.carried + d->l.yields; i++) {
		Node *end = now[d->body->outputs[i].node->id];
		Node *from = i < d->l.carried ? ds[i] : dy[i];
		if (!from)
			continue;
		in->reached[end->id] |= d->w->reached[d->loop->id];
		walk_contribute(in, end, from);
	}
	walk_back(in, d->first, last);
}

/* Hands on what the gradient's loop has made. */
static void hand_on(LoopGradient *d, Node *gradient, const bool *reached)
{
	for (int i = 0; i < d->l.sequences + d->l.carried; i++) {
		Node *operand = d->loop->operands[i];
		if (d->given[i] < 0 || !d->w->trained[operand->id])
			continue;
		const int index = i < d->l.sequences ? d->start.count + d->given[i] : d->given[i];
		contribute(d, operand, loop_result(&d->b, gradient, index), reached[i]);
	}
	for (int i = 0; i < d->sums.count; i++)
		contribute(d, d->sums.at[i].of, loop_result(&d->b, gradient, d->sums.at[i].carried),
		           d->in.reached[d->sums.at[i].of->id]);
	for (int i = 0; i < d->row_sums.count; i++) {
		RowSum *p = &d->row_sums.at[i];
		Node *a = rows_of_all(d, gradient, &p->a), *y;
		if (p->b.part)
			y = build_product(&p->build, a, rows_of_all(d, gradient, &p->b), true, false);
		else
			y = build_reshape(&p->build, build_reduce(&p->build, "sum", a, (int64_t[]){0}, 1),
			                  p->of->type.rank, p->of->type.dim);
		contribute(d, p->of, y, d->in.reached[p->of->id]);
	}
}

void loop_gradient(Walk *w, Node *loop, int last)
{
	Arena *a = w->g->arena;
	LoopGradient d = {.w = w, .b = build_parts(w->g, loop, "backward"), .l = loop_of(loop), .loop = loop};
	if (!find_results(&d, last))
		return;
	d.body = plain_body(a, d.l.body);
	store(&d);
	find_trained(&d);
	Node **stacked = NEW_ARRAY(a, Node *, d.stored.count),
	     **stored = NEW_ARRAY(a, Node *, d.stored.count);
	for (int i = 0; i < d.stored.count; i++)
		stacked[i] = along_axis(&d, loop_result(&d.b, loop, d.stored.at[i].result));
	for (int i = 0; i < d.l.yields; i++)
		if (d.dy[d.l.carried + i])
			d.dy[d.l.carried + i] = along_axis(&d, d.dy[d.l.carried + i]);
	d.given = NEW_ARRAY(a, int, loop->operand_count);
	d.zeros = NEW_ARRAY(a, Node *, loop->operand_count);
	for (int i = 0; i < loop->operand_count; i++) {
		d.given[i] = -1;
		if (i >= d.l.sequences && dtype_is_real(loop->operands[i]->type.dtype))
			d.zeros[i] = zeros(&d.b, loop->operands[i]->type);
	}
	d.first = w->g->count;
	Node **dy = NEW_ARRAY(a, Node *, d.l.carried + d.l.yields), **ds = NEW_ARRAY(a, Node *, d.l.carried);
	for (int i = d.l.carried; i < d.l.carried + d.l.yields; i++)
		if (d.dy[i])
			dy[i] = add_sequence(&d, d.dy[i], loop_yield(&d.l, i - d.l.carried)->type);
	Node **arguments = begin_period(&d, stacked, stored);
	carry(&d, ds);
	Node **now = copy_body(&d, arguments, stored);
	walk_period(&d, now, ds, dy);
	bool *reached = NEW_ARRAY(a, bool, loop->operand_count);
	for (int i = 0; i < loop->operand_count; i++)
		reached[i] = arguments[i] && d.in.reached[arguments[i]->id];
	for (int i = 0; i < d.l.carried; i++) {
		const Node *s = arguments[d.l.sequences + i];
		Node *next = s ? d.in.gradient[s->id] : NULL;
		if (ds[i] && !next)
			next = zeros(&d.b, ds[i]->type);
		if (ds[i])
			array_push(a, &d.next, next);
	}
	for (int i = 0; i < d.l.sequences; i++) {
		Node *dx = d.in.gradient[arguments[i]->id];
		if (!dx || !w->trained[loop->operands[i]->id])
			continue;
		d.given[i] = d.yields.count;
		array_push(a, &d.yields, dx);
	}
	for (int i = d.l.sequences + d.l.carried; i < loop->operand_count; i++) {
		bool again = false; /* the same operand twice is one value */
		for (int k = d.l.sequences + d.l.carried; k < i; k++)
			again = again || loop->operands[k] == loop->operands[i];
		if (!again && operand_trained(&d, i))
			sum_up(&d, i);
	}
	hand_on(&d, make_loop(&d), reached);
}
