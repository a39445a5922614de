/* SPDX-License-Identifier: MIT */
/* Terms of a sum, and pieces of a tensor, side by side: see join_terms.h.
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
	MOST_READ = 4,   /* elements of rows, for each of a result that need not be added up */
	MANY_SLICES = 8, /* of a stack: each of fewer is copied by a loop of its own */
	MOST_KINDS = 8,  /* of products and sums that are looked for in one sum */
	NO_PLACE = -1,
};

struct Joins {
	const Graph *graph;
	const Formula *sum;
	int *uses;           /* by node of the graph */
	bool *inner;         /* an `add` that is an operand of another of its type, and nothing else */
	int64_t *places;     /* where it lies along the axis of a tensor whose piece it is; NO_PLACE */
	const Node **begins; /* the `concat` of many along the first axis that begins with it; NULL: none */
	const Node *
	        *other; /* of such a `concat`, one that is the same but for the first piece and the last */
	Node **both;    /* and the one in the graph that is made of which both are parts */
	Node **now;     /* in that graph, as far as a reader has been seen */
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

static bool is_product_over_rows(const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && n->type.rank == 2 && node_int(n, "ta") && !node_int(n, "tb");
}

/* The rows that a product sums over with those of a piece lie where that does. */
static void find_partner(Joins *j, const Node *n)
{
	if (!is_product_over_rows(n))
		return;
	int64_t *place = &j->places[node_unshaped(n->operands[0])->id];
	if (*place == NO_PLACE)
		*place = j->places[node_unshaped(n->operands[1])->id];
}

static bool stacks_rows(const Node *n)
{
	return n->op->move == MOVE_CONCAT && n->operand_count >= MANY_SLICES && node_int(n, "axis") == 0;
}

static void find_places(Joins *j, const Node *n)
{
	if (stacks_rows(n))
		j->begins[n->operands[0]->id] = n;
	if (n->op->move == MOVE_PAD)
		j->places[node_unshaped(n->operands[0])->id] = node_int(n, "before");
	for (int k = 0; n->op->move == MOVE_CONCAT && k < n->operand_count; k++)
		j->places[node_unshaped(n->operands[k])->id] = k;
	for (int k = 0; is_sum(j, n) && k < n->operand_count; k++) {
		const Node *x = n->operands[k];
		j->inner[x->id] = is_sum(j, x) && j->uses[x->id] == 1 && type_equal(x->type, n->type);
	}
}

/* Whether b has what a has but for a's first, and in the same order. */
static bool is_one_on(const Node *a, const Node *b)
{
	bool same = a != b && b->operand_count >= a->operand_count - 1;
	for (int i = 1; i < a->operand_count && same; i++)
		same = a->operands[i] == b->operands[i - 1];
	return same;
}

static void pair_windows(Joins *j, const Node *n)
{
	const Node *second = stacks_rows(n) ? j->begins[n->operands[1]->id] : NULL;
	if (!second || j->other[n->id] || j->other[second->id] || !is_one_on(n, second))
		return;
	j->other[n->id] = second;
	j->other[second->id] = n;
}

Joins *joins_of(Arena *a, const Graph *g)
{
	Joins *j = NEW(a, Joins);
	*j = (Joins){.graph = g,
	             .sum = formula_parse(a, "x + y"),
	             .uses = graph_use_counts(a, g),
	             .inner = NEW_ARRAY(a, bool, g->count),
	             .places = NEW_ARRAY(a, int64_t, g->count),
	             .begins = NEW_ARRAY(a, const Node *, g->count),
	             .other = NEW_ARRAY(a, const Node *, g->count),
	             .both = NEW_ARRAY(a, Node *, g->count),
	             .now = NEW_ARRAY(a, Node *, g->count)};
	for (int i = 0; i < g->count; i++)
		j->places[i] = NO_PLACE;
	for (int i = 0; i < g->count; i++)
		find_places(j, g->nodes[i]);
	for (int i = 0; i < g->count; i++) {
		find_partner(j, g->nodes[i]);
		pair_windows(j, g->nodes[i]);
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
		end = end > i ? end : i + 1;
		if (end - i > 1)
			join_neighbours(s, &pads.at[i], end - i);
	}
}

/* ---- rows */

/* Where the rows of all terms are pieces of a tensor too, as the gradients of a sequence are of that of the whole, they
 * stand in the same order here: then they are the same pieces side by side. Where only most are, as of the states that
 * steps begin with all but the first are, the order is at least not the reverse one. */
static void sort_terms(const Sum *s, Summand *terms, int count)
{
	int known = 0, before = NO_PLACE;
	bool falls = true;
	for (int i = 0; i < count; i++) {
		if (terms[i].at == NO_PLACE)
			continue;
		falls = falls && (known == 0 || terms[i].at < before);
		before = (int)terms[i].at;
		known++;
	}
	if (known == count)
		qsort(terms, (size_t)count, sizeof *terms, by_place);
	if (known == count || known < 2 || !falls)
		return;
	Summand *copies = arena_copy(s->scratch, terms, (size_t)count * sizeof *terms);
	for (int i = 0; i < count; i++)
		terms[i] = copies[count - 1 - i];
}

/* Whether two matrices of a product, side by side, are read faster than a result is written and added once more. */
static bool is_short_product(const Node *product)
{
	Type a = product->operands[0]->type, b = product->operands[1]->type;
	double depth = (double)a.dim[0], rows = (double)a.dim[1], columns = (double)b.dim[1];
	return depth * (rows + columns) <= MOST_READ * rows * columns;
}

/* The matrix whose rows n sums up; NULL: it does something else. */
static Node *rows_of_sum(const Node *n)
{
	const Node *sum = (n->op->flags & OP_RESHAPES) ? n->operands[0] : n;
	if (!(sum->op->flags & OP_ADDS) || sum->type.rank != 2 || sum->type.dim[0] != 1)
		return NULL;
	Type x = sum->operands[0]->type;
	return x.dim[1] == sum->type.dim[1] ? sum->operands[0] : NULL;
}

static bool is_short_sum(const Node *n)
{
	Type x = rows_of_sum(n)->type;
	return x.dim[0] <= x.dim[1];
}

/* Where the rows lie that the term, a product or a sum over them, reads. */
static int64_t place_of_rows(const Joins *j, const Node *n)
{
	const Node *rows = is_product_over_rows(n) ? n->operands[0] : rows_of_sum(n);
	return rows ? j->places[node_unshaped(rows)->id] : NO_PLACE;
}

typedef bool IsShort(const Node *n);

/* Of what may be joined, all that is short, and the first that is not beside one that is. Returns how many. */
static int choose_terms(Summand *terms, int count, IsShort *is_short)
{
	int kept = 0, longs = 0;
	for (int i = 0; i < count; i++) {
		bool is_long = !is_short(terms[i].now);
		if (is_long && longs++ > 0)
			continue;
		terms[kept++] = terms[i];
	}
	return kept > longs ? kept : 0;
}

/* The gradients of a weight that is read at every step of a sequence are one product of all steps' rows. */
static void join_products(Sum *s, Summand *terms, int count)
{
	Node **rows = NEW_ARRAY(s->scratch, Node *, count), *joined[2];
	const Node *first = terms[0].now;
	count = choose_terms(terms, count, is_short_product);
	if (count < 2)
		return;
	sort_terms(s, terms, count);
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < count; i++)
			rows[i] = terms[i].now->operands[side];
		joined[side] = side_by_side(&s->b, rows, count, 0);
	}
	Node *y = graph_node(s->b.graph, first->op, joined, 2, first->attrs, first->attr_count, s->b.sites,
	                     NULL);
	replace_terms(s, terms, count, y);
}

/* And those of its bias are one sum: the rows stand side by side for the weight already. */
static void join_sums(Sum *s, Summand *terms, int count)
{
	Node **rows = NEW_ARRAY(s->scratch, Node *, count);
	Type type = terms[0].now->type;
	count = choose_terms(terms, count, is_short_sum);
	if (count < 2)
		return;
	sort_terms(s, terms, count);
	for (int i = 0; i < count; i++)
		rows[i] = rows_of_sum(terms[i].now);
	Node *joined = side_by_side(&s->b, rows, count, 0),
	     *sum = build_reduce(&s->b, "sum", joined, (int64_t[]){0}, 1);
	replace_terms(s, terms, count, build_reshape(&s->b, sum, type.rank, type.dim));
}

/* Whether the two could be of one product, or one sum. */
static bool are_alike(const Node *x, const Node *y)
{
	bool product = is_product_over_rows(x);
	if (product != is_product_over_rows(y) || (!product && (!rows_of_sum(x) || !rows_of_sum(y))))
		return false;
	const Node *of_x = product ? x->operands[0] : rows_of_sum(x),
	           *of_y = product ? y->operands[0] : rows_of_sum(y);
	return type_equal(x->type, y->type) && of_x->type.dtype == of_y->type.dtype &&
	       (product || of_x->type.dim[1] == of_y->type.dim[1]);
}

static void join_rows(Sum *s)
{
	bool *seen = NEW_ARRAY(s->scratch, bool, s->terms.count);
	for (int i = 0, kinds = 0; i < s->terms.count && kinds < MOST_KINDS; i++) {
		const Node *first = s->terms.at[i].now;
		bool product = is_product_over_rows(first);
		if (seen[i] || (!product && !rows_of_sum(first)))
			continue;
		ARRAY(Summand) alike = {0};
		for (int k = i; k < s->terms.count; k++) {
			Summand t = s->terms.at[k];
			if (seen[k] || !are_alike(first, t.now))
				continue;
			seen[k] = true;
			t.at = place_of_rows(s->joins, t.from);
			array_push(s->scratch, &alike, t);
		}
		kinds++;
		if (alike.count > 1 && product)
			join_products(s, alike.at, alike.count);
		else if (alike.count > 1)
			join_sums(s, alike.at, alike.count);
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

/* Whether what is put side by side are pieces with zeros around: they are moved, and not computed anywhere. */
static bool stacks_padded(const Node *n)
{
	bool padded = true;
	for (int i = 0; i < n->operand_count; i++)
		padded = padded && node_unshaped(n->operands[i])->op->move == MOVE_PAD;
	return padded;
}

/* Steps of a sequence are computed one after the other, all of the batch each: so they lie in memory, and nothing
 * copies them there. */
Node *join_stack(const Joins *j, Graph *to, const Node *n, Node **operands)
{
	const int64_t axis = node_int(n, "axis");
	const Node *piece = node_unshaped(n->operands[0]);
	int64_t rows = 1, columns = 1, dim[LIMIT_RANK], axes[LIMIT_RANK];
	for (int i = 0; i < n->type.rank; i++) {
		rows *= i < axis ? n->type.dim[i] : 1;
		columns *= i > axis ? n->type.dim[i] : 1;
		if (i != axis)
			dim[i < axis ? i + 1 : i] = n->type.dim[i];
		axes[i] = i < axis ? i + 1 : i > axis ? i : 0;
	}
	dim[0] = n->operand_count;
	if (n->operand_count < MANY_SLICES || rows == 1 || n->type.dim[axis] != n->operand_count ||
	    (j->uses[piece->id] < 2 && (piece->op->flags & OP_POINTWISE)) || stacks_padded(n))
		return NULL;
	Build b = build_beside(to, n);
	Node **slices = NEW_ARRAY(to->arena, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		slices[i] = build_reshape(&b, operands[i], 2, (int64_t[]){rows, columns});
	Node *y = build_concat(&b, 0, n->operand_count, slices);
	return build_transpose(&b, build_reshape(&b, y, n->type.rank, dim), axes);
}

/* ---- windows */

/* The first's first piece, and all of the second; NULL: one of them is not there yet. */
static Node *join_both(const Joins *j, Build *b, const Node *first, const Node *second)
{
	const int count = second->operand_count + 1;
	Node **pieces = NEW_ARRAY(b->graph->arena, Node *, count);
	for (int i = 0; i < count; i++) {
		pieces[i] = j->now[(i ? second->operands[i - 1] : first->operands[0])->id];
		if (!pieces[i])
			return NULL;
	}
	return build_concat(b, 0, count, pieces);
}

void joins_note(const Joins *j, const Node *n, Node **operands)
{
	for (int i = 0; i < n->operand_count; i++)
		j->now[n->operands[i]->id] = operands[i];
}

Node *join_windows(const Joins *j, Graph *to, const Node *n)
{
	const Node *other = j->other[n->id];
	if (!other)
		return NULL;
	Build b = build_beside(to, n);
	const bool is_first = is_one_on(n, other);
	const Node *first = is_first ? n : other, *second = is_first ? other : n;
	if (n->id < other->id)
		j->both[other->id] = j->both[n->id] = join_both(j, &b, first, second);
	Node *both = j->both[n->id];
	const int64_t start = is_first ? 0 : first->operands[0]->type.dim[0];
	return both ? build_slice(&b, both, 0, start, n->type.dim[0]) : NULL;
}
