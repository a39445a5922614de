/* Lets a kernel of ours for a weight gradient make its first operand itself, where that is the gradient of an
 * activation behind a layer of one output: an outer product, g of each sample times w of each column, times what the
 * activation's result says. Such an operand is as large as the layer's result, and else a kernel reads that to write
 * it.
 *
 *     y = act(x w1 + b1); p = sum(y*w2) + b2; loss of p      the kernel between the two products goes through y:
 *     g = dloss/dp; dz = g*w2*act'(y); dw1 = dz' x           p, g, dz, and the sums of dz and of g*y over the samples
 *
 * It is taken apart: what is ahead of the sum along the rows joins the first product, which stores y and the sums of
 * its tiles' columns (row_sums); what is of dz joins the second product, with its sums over the samples; and between
 * them there are kernels of a few elements a row. Around the library's products kernels compute the same; dz then lies
 * where y did, which nothing else may read.
 *
 * Must run behind row_sums, which takes those rows of which nothing else is wanted. */
#include "base/array.h"
#include "ops/epilogue.h"
#include "ops/op.h"
#include "ops/product.h"
#include "ops/prologue.h"
#include "passes/pass.h"

enum { MOST_CHAIN = 8 };

typedef enum { ELSEWHERE, FORWARD, ROWS, BACKWARD } Part;

typedef struct Split {
	const Node *first, *second; /* products */
	int group;                  /* of what is between them */
	Node *chain[MOST_CHAIN];    /* from the first product to the sum along the rows */
	int count;
	const Node *stored; /* of the chain: what the backward part reads */
	Prologue prologue;
	Part *part; /* by node id */
} Split;

typedef struct Splitting {
	PassContext *ctx;
	const Graph *g;
	Arena *scratch;
	const int *uses; /* by node id */
} Splitting;

static bool is_wide(const Split *s, const Node *n)
{
	return type_equal(n->type, s->first->type);
}

static bool sums_samples(const Node *n)
{
	int count;
	return node_is(n, "sum") && n->operands[0]->type.rank == 2 && node_ints(n, "axes", &count)[0] == 0;
}

/* The first node that reads x and, where `op` is not NULL, is one. */
static Node *reader(const Splitting *w, const Node *x, const char *op)
{
	for (int i = x->id + 1; i < w->g->count; i++)
		for (int k = 0; k < w->g->nodes[i]->operand_count; k++)
			if (w->g->nodes[i]->operands[k] == x && (!op || node_is(w->g->nodes[i], op)))
				return w->g->nodes[i];
	return NULL;
}

/* From the first product to the sum of its rows, with one value of the chain read elsewhere. */
static bool find_forward(const Splitting *w, Split *s)
{
	Epilogue e;
	const Node *x = s->first;
	while (s->count < MOST_CHAIN) {
		Node *next = w->uses[x->id] == 1 ? reader(w, x, NULL) : NULL;
		if (w->uses[x->id] > 1 && !s->stored && x != s->first) {
			s->stored = x;
			next = reader(w, x, "mul");
		}
		if (!next || next->group != s->group)
			return false;
		s->chain[s->count++] = next;
		s->part[next->id] = FORWARD;
		x = next;
		if (node_is(x, "sum"))
			break;
	}
	return s->stored && epilogue_read_rows(s->first, s->chain, s->count, &e) && e.weight &&
	       s->chain[s->count - 2]->operands[s->chain[s->count - 2]->operands[0] == e.weight] == s->stored;
}

/* Gives each node of the group its part; false where one has none. */
static bool sort_nodes(const Splitting *w, Split *s)
{
	for (int i = 0; i < w->g->count; i++) {
		const Node *n = w->g->nodes[i];
		if (n->group != s->group || s->part[i] == FORWARD)
			continue;
		const bool of_backward = n->operand_count == 1 && s->part[n->operands[0]->id] == BACKWARD;
		const bool goes_on = sums_samples(n) || (n->op->flags & OP_ALIAS);
		s->part[i] = is_wide(s, n) || (of_backward && goes_on) ? BACKWARD : ROWS;
		for (int k = 0; s->part[i] == ROWS && k < n->operand_count; k++)
			if (is_wide(s, n->operands[k]) || s->part[n->operands[k]->id] == BACKWARD)
				return false;
	}
	return true;
}

/* Whether the second product can make the backward part of what the first stores, and nothing else reads that, or a
 * value on the way. */
static bool read_prologue(const Splitting *w, Split *s)
{
	Node **backward = NEW_ARRAY(w->scratch, Node *, w->g->count);
	int count = 0, *uses = NEW_ARRAY(w->scratch, int, w->g->count);
	for (int i = 0; i < w->g->count; i++) {
		Node *const n = w->g->nodes[i];
		for (int k = 0; (n->group == s->group || n == s->second) && k < n->operand_count; k++)
			uses[n->operands[k]->id]++;
		if (s->part[i] == BACKWARD)
			backward[count++] = n;
	}
	for (int i = 0; i < count; i++)
		if (is_wide(s, backward[i]) && uses[backward[i]->id] != w->uses[backward[i]->id])
			return false;
	return prologue_read(s->second, backward, count, &s->prologue) && s->prologue.from == s->stored &&
	       s->part[s->prologue.rows->id] == ROWS && uses[s->stored->id] == w->uses[s->stored->id];
}

/* The product that reads what the group makes of all, and is computed next. */
static const Node *find_second(const Splitting *w, const Split *s)
{
	for (int i = 0; i < w->g->count; i++) {
		const Node *n = w->g->nodes[i];
		if (product_parts_given(n) > 0 && node_int(n, "ta") && n->operands[0]->group == s->group &&
		    w->uses[n->operands[0]->id] == 1 && is_wide(s, n->operands[0]))
			return n;
	}
	return NULL;
}

/* Whether the products can come to stand beside what joins them: the first where the group begins, for nothing else
 * reads it, and the second behind the group. */
static bool can_move(const Splitting *w, const Split *s)
{
	const Node *x = s->second->operands[1];
	for (int i = 0; i < w->g->count; i++) {
		const Node *n = w->g->nodes[i];
		if ((n->group == s->first->group && n != s->first) ||
		    (n->group == s->second->group && n != s->second))
			return false;
	}
	return node_is_leaf(x) || x->id < s->first->id;
}

static bool find_split(const Splitting *w, const Node *first, Split *s)
{
	*s = (Split){.first = first, .part = NEW_ARRAY(w->scratch, Part, w->g->count)};
	if (product_sum_width(first) == 0 || first->type.rank != 2 || first->group == NO_GROUP ||
	    w->uses[first->id] != 1)
		return false;
	const Node *user = reader(w, first, NULL);
	s->group = user ? user->group : NO_GROUP;
	if (s->group == NO_GROUP || s->group == first->group || !find_forward(w, s))
		return false;
	s->second = find_second(w, s);
	if (!s->second || s->second == first)
		return false;
	if (can_move(w, s) && sort_nodes(w, s) && read_prologue(w, s))
		return true;
	pass_remark(
	        w->ctx,
	        "%s: backward: matmul %s reads its operand: the values on the way are read elsewhere, or are "
	        "more than one of a sample times one of a column",
	        sites_text(w->scratch, s->second->sites, 3), shape_text(w->scratch, s->second->type));
	return false;
}

/* ---- taking it apart */

typedef struct Rebuilding {
	const Graph *g;
	Graph *to;
	Node **copies;    /* by old node id */
	const int *group; /* by old node id: the new one's */
	const Split *split;
} Rebuilding;

static Node *place(Rebuilding *b, const Node *n)
{
	if (b->copies[n->id])
		return b->copies[n->id];
	const Split *s = b->split;
	Node **operands = NEW_ARRAY(b->to->arena, Node *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = place(b, n->operands[k]);
	if (n == s->chain[s->count - 1])
		return b->copies[n->id] = graph_sum_tiles(b->to, s->first, n, operands[0]);
	Node *copy = graph_copy_node(b->to, n, operands);
	copy->group = b->group[n->id];
	return b->copies[n->id] = copy;
}

/* A sum over all samples is a kernel of its own, with what follows from it: nothing of the chain waits for it. */
static int *new_groups(const Splitting *w, const Split *s)
{
	int *group = NEW_ARRAY(w->scratch, int, w->g->count), next = 0;
	for (int i = 0; i < w->g->count; i++)
		next = w->g->nodes[i]->group >= next ? w->g->nodes[i]->group + 1 : next;
	for (int i = 0; i < w->g->count; i++) {
		const Node *n = w->g->nodes[i];
		group[i] = n->group;
		if (s->part[i] == FORWARD && n != s->chain[s->count - 1])
			group[i] = s->first->group;
		else if (s->part[i] == BACKWARD)
			group[i] = s->second->group;
		else if (s->part[i] == ROWS && (n->op->flags & OP_REDUCE))
			group[i] = next++;
		for (int k = 0; s->part[i] == ROWS && group[i] == s->group && k < n->operand_count; k++)
			if (n->operands[k]->group == s->group && group[n->operands[k]->id] > s->group &&
			    s->part[n->operands[k]->id] == ROWS)
				group[i] = group[n->operands[k]->id];
	}
	return group;
}

static Graph *take_apart(const Splitting *w, const Split *s)
{
	const Graph *g = w->g;
	Rebuilding b = {g, graph_like(w->ctx->arena, g), NEW_ARRAY(w->scratch, Node *, g->count),
	                new_groups(w, s), s};
	int begin = 0, most = 0;
	for (; g->nodes[begin]->group != s->group; begin++)
		if (g->nodes[begin] != s->first)
			place(&b, g->nodes[begin]);
	place(&b, s->first);
	for (int i = 0; i < g->count; i++)
		most = b.group[i] > most ? b.group[i] : most;
	for (int i = begin; i < g->count; i++)
		if (s->part[i] == FORWARD)
			place(&b, g->nodes[i]);
	for (int group = s->group; group <= most; group++) /* then those of sums over the samples */
		for (int i = begin; i < g->count; i++)
			if (s->part[i] == ROWS && b.group[i] == group)
				place(&b, g->nodes[i]);
	for (int i = begin; i < g->count; i++)
		if (s->part[i] == BACKWARD)
			place(&b, g->nodes[i]);
	place(&b, s->second);
	for (int i = begin; i < g->count; i++)
		place(&b, g->nodes[i]);
	for (int i = 0; i < g->output_count; i++)
		graph_output(b.to, g->outputs[i].kind, g->outputs[i].name, b.copies[g->outputs[i].node->id]);
	return b.to;
}

Graph *pass_product_prologue(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	Splitting w = {ctx, g, scratch, graph_use_counts(scratch, g)};
	Graph *to = (Graph *)g;
	for (int i = 0; i < g->count && to == g; i++) {
		Split s;
		if (!find_split(&w, g->nodes[i], &s))
			continue;
		pass_remark(ctx,
		            "%s: backward: matmul %s makes its operand and %d sums of it itself, of what "
		            "matmul %s stores, and no kernel goes through that",
		            sites_text(scratch, s.second->sites, 3), shape_text(scratch, s.second->type),
		            s.prologue.sums, shape_text(scratch, s.first->type));
		to = take_apart(&w, &s);
	}
	arena_free(scratch);
	return to;
}
