/* SPDX-License-Identifier: MIT */
/* Terms of a sum side by side: see join_terms.h.
 *
 * What is read piece by piece, as a sequence is step by step, has a gradient from each piece. Joined two by two they
 * take time and memory with the square of the steps; so a sum is taken as a whole. */
#include "passes/join_terms.h"

#include "ops/compose.h"
#include "ir/formula.h"
#include "ir/op.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_READ = 4, /* elements of rows, for each of a result that need not be added up */
	MOST_KINDS = 8 /* of products and sums that are looked for in one sum */
};

struct Joins {
	const Formula *sum;
	bool *inner; /* by node of the graph: an `add` that is an operand of another of its type, and nothing else */
};

typedef struct Summand {
	const Node *from; /* in the graph that is rewritten */
	Node *now;
	int64_t at; /* for sorting */
	int index;  /* in the sum */
} Summand;

typedef struct Sum {
	const Joins *joins;
	Arena *scratch;
	Build b;
	Type type; /* of the sum */
	ARRAY(Summand) terms;
	bool *gone; /* by term: another stands for it */
	bool any;
} Sum;

static bool is_sum(const Joins *j, const Node *n)
{
	return formula_matches(j->sum, n, NULL);
}

Joins *joins_of(Arena *a, const Graph *g)
{
	Joins *j = NEW(a, Joins);
	const int *uses = graph_use_counts(a, g);
	*j = (Joins){.sum = formula_parse(a, "x + y"), .inner = NEW_ARRAY(a, bool, g->count)};
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		for (int k = 0; is_sum(j, n) && k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			j->inner[x->id] = is_sum(j, x) && uses[x->id] == 1 && type_equal(x->type, n->type);
		}
	}
	return j;
}

/* From left to right. A sum is as deep as it has terms. */
static void collect_terms(Sum *s, const Node *n, Node **operands)
{
	ARRAY(Summand) open = {0};
	array_push(s->scratch, &open, (Summand){.from = n->operands[1], .now = operands[1]});
	array_push(s->scratch, &open, (Summand){.from = n->operands[0], .now = operands[0]});
	while (open.count > 0) {
		Summand t = open.at[--open.count];
		if (s->joins->inner[t.from->id] && is_sum(s->joins, t.now) &&
		    type_equal(t.now->type, n->type)) {
			Node *const *from = t.from->operands, *const *now = t.now->operands;
			array_push(s->scratch, &open, (Summand){.from = from[1], .now = now[1]});
			array_push(s->scratch, &open, (Summand){.from = from[0], .now = now[0]});
			continue;
		}
		t.index = s->terms.count;
		array_push(s->scratch, &s->terms, t);
	}
}

static int by_place(const void *x, const void *y)
{
	const Summand *s = x, *t = y;
	if (s->at != t->at)
		return s->at < t->at ? -1 : 1;
	return s->index - t->index;
}

/* One `concat`, of what those are made of that are one already. */
static Node *side_by_side(Build *b, Node *const *x, int count, int64_t axis)
{
	ARRAY(Node *) pieces = {0};
	for (int i = 0; i < count; i++) {
		const bool joined = x[i]->op->move == MOVE_CONCAT && node_int(x[i], "axis") == axis;
		for (int k = 0; joined && k < x[i]->operand_count; k++)
			array_push(b->graph->arena, &pieces, x[i]->operands[k]);
		if (!joined)
			array_push(b->graph->arena, &pieces, x[i]);
	}
	return build_concat(b, axis, pieces.count, pieces.at);
}

/* `of` stands for all these terms, in the place of the first. */
static void replace_terms(Sum *s, const Summand *terms, int count, Node *of)
{
	int first = terms[0].index;
	for (int i = 0; i < count; i++) {
		s->gone[terms[i].index] = true;
		first = terms[i].index < first ? terms[i].index : first;
	}
	s->gone[first] = false;
	s->terms.at[first].now = of;
	s->any = true;
}

/* ---- pads */

/* Of a tensor whose neighbouring slices are read, the gradient is the sum of what each of them gives, with zeros
 * around: that is the pieces side by side. A sequence that is read step by step would else be written as often as it
 * has steps. A sum of 16 and 32 bits is stored in 16, and so are all its pieces. */
static void join_neighbours(Sum *s, const Summand *terms, int count)
{
	bool alike = true;
	Node **pieces = NEW_ARRAY(s->scratch, Node *, count);
	const Node *first = terms[0].now, *last = terms[count - 1].now;
	int64_t axis = node_int(first, "axis"), before = node_int(first, "before"),
	        after = node_int(last, "after");
	for (int i = 0; i < count; i++)
		alike = alike && terms[i].now->type.dtype == first->type.dtype;
	for (int i = 0; i < count; i++) {
		Node *piece = terms[i].now->operands[0];
		pieces[i] = alike ? piece : build_cast(&s->b, piece, s->type.dtype);
	}
	Node *y = side_by_side(&s->b, pieces, count, axis);
	if (before || after)
		y = build_pad(&s->b, y, axis, before, after);
	replace_terms(s, terms, count, y);
}

static void join_pads_along(Sum *s, int64_t axis)
{
	ARRAY(Summand) pads = {0};
	for (int i = 0; i < s->terms.count; i++) {
		Summand t = s->terms.at[i];
		const bool whole = shape_equal(t.now->type, s->type); /* not the same for all samples */
		if (t.now->op->move != MOVE_PAD || node_int(t.now, "axis") != axis || !whole)
			continue;
		t.at = node_int(t.now, "before");
		array_push(s->scratch, &pads, t);
	}
	if (pads.count > 0)
		qsort(pads.at, (size_t)pads.count, sizeof *pads.at, by_place);
	for (int i = 0, end; i < pads.count; i = end) {
		int64_t next = pads.at[i].at;
		for (end = i; end < pads.count && pads.at[end].at == next; end++)
			next += pads.at[end].now->operands[0]->type.dim[axis];
		if (end - i > 1)
			join_neighbours(s, &pads.at[i], end - i);
	}
}

/* ---- rows */

/* What the term sums up over rows: the factors of a product, or the matrix of a sum. Returns how many; 0: it does
 * something else. */
static int rows_of(const Node *n, Node **rows)
{
	if (n->op->gemm == GEMM_PRODUCT) {
		memcpy(rows, n->operands, 2 * sizeof *rows);
		return n->type.rank == 2 && node_int(n, "ta") && !node_int(n, "tb") ? 2 : 0;
	}
	const Node *sum = (n->op->flags & OP_RESHAPES) ? n->operands[0] : n;
	if (!(sum->op->flags & OP_ADDS) || sum->type.rank != 2 || sum->type.dim[0] != 1)
		return 0;
	rows[0] = sum->operands[0];
	return rows[0]->type.dim[1] == sum->type.dim[1];
}

/* Whether the two could be of one product, or one sum. */
static bool are_alike(const Node *x, const Node *y)
{
	Node *of_x[2], *of_y[2];
	const int sides = rows_of(x, of_x);
	return sides > 0 && sides == rows_of(y, of_y) && type_equal(x->type, y->type) &&
	       of_x[0]->type.dtype == of_y[0]->type.dtype && of_x[0]->type.dim[1] == of_y[0]->type.dim[1];
}

/* Whether its rows beside others are read faster than a result is written and added once more. */
static bool is_short(const Node *n)
{
	Node *rows[2];
	const int sides = rows_of(n, rows);
	const double depth = (double)rows[0]->type.dim[0], x = (double)rows[0]->type.dim[1];
	const double y = sides == 2 ? (double)rows[1]->type.dim[1] : 0;
	return sides == 2 ? depth * (x + y) <= MOST_READ * x * y : depth <= x;
}

/* The gradients of a weight that is read several times are one product of all rows, and those of its bias one sum: of
 * what is short, and the first that is not beside it. */
static void join_alike(Sum *s, const Summand *alike, int count)
{
	Summand *terms = NEW_ARRAY(s->scratch, Summand, count);
	Node **rows = NEW_ARRAY(s->scratch, Node *, count), *of[2], *y[2];
	int kept = 0, longs = 0;
	for (int i = 0; i < count; i++)
		if (is_short(alike[i].now) || longs++ == 0)
			terms[kept++] = alike[i];
	if (kept < 2)
		return;
	Node *first = terms[0].now;
	const int sides = rows_of(first, of);
	for (int side = 0; side < sides; side++) {
		for (int i = 0; i < kept; i++) {
			rows_of(terms[i].now, of);
			rows[i] = of[side];
		}
		y[side] = side_by_side(&s->b, rows, kept, 0);
	}
	Node *all = sides == 2 ? graph_node(s->b.graph, first->op, y, 2, first->attrs, first->attr_count,
	                                    s->b.sites, NULL)
	                       : build_reduce(&s->b, "sum", y[0], (int64_t[]){0}, 1);
	replace_terms(s, terms, kept, build_reshape(&s->b, all, first->type.rank, first->type.dim));
}

static void join_rows(Sum *s)
{
	bool *seen = NEW_ARRAY(s->scratch, bool, s->terms.count);
	for (int i = 0, kinds = 0; i < s->terms.count && kinds < MOST_KINDS; i++) {
		ARRAY(Summand) alike = {0};
		for (int k = i; k < s->terms.count; k++) {
			if (seen[k] || !are_alike(s->terms.at[i].now, s->terms.at[k].now))
				continue;
			seen[k] = true;
			array_push(s->scratch, &alike, s->terms.at[k]);
		}
		kinds += alike.count > 0;
		if (alike.count > 1)
			join_alike(s, alike.at, alike.count);
	}
}

/* ---- the whole */

Node *join_terms(const Joins *j, Graph *to, const Node *n, Node **operands)
{
	if (!is_sum(j, n) || j->inner[n->id])
		return NULL;
	Arena *scratch = arena_new();
	Sum s = {.joins = j, .scratch = scratch, .b = build_beside(to, n), .type = n->type};
	Node *y = NULL;
	collect_terms(&s, n, operands);
	s.gone = NEW_ARRAY(scratch, bool, s.terms.count);
	for (int64_t axis = 0; axis < n->type.rank; axis++)
		join_pads_along(&s, axis);
	if (!s.any)
		join_rows(&s);
	for (int i = 0; s.any && i < s.terms.count; i++)
		if (!s.gone[i])
			y = y ? build2(&s.b, "add", y, s.terms.at[i].now) : s.terms.at[i].now;
	arena_free(scratch);
	return y;
}
