/* SPDX-License-Identifier: MIT */
/* Takes what no input reaches out of an evaluation graph: weights that were folded, cast or otherwise computed from
 * parameters are the same for every batch, and so are tables of constants, as sines of positions.
 *
 * Where a node that depends on the batch reads one that does not, a state comes between: one side computes the new
 * value of `prepared.NAME`, the other reads it. The driver makes two programs of the result, one that prepares and
 * one for each batch. Of constants alone a kernel computes what is cheap where it reads it, as a mask; that stays.
 *
 * Under tf32, weights that tensor cores multiply are rounded where they are prepared: at no cost, and products are more
 * exact and draw less power (round_operands.c).
 *
 * Must run after simplify and cse, and before implement. */
#include "base/map.h"
#include "passes/implementation.h"
#include "passes/pass.h"

#include "ir/op.h"

typedef struct Hoisting {
	const Graph *g;
	Graph *to;
	bool *of_batch, *of_weights; /* graph_sources */
	bool *costly;                /* by id: on the way from its leaves is an operator that is not cheap */
	bool *crosses;               /* by id: worth a state, and read by what is of the batch */
	Node **computed;             /* by id: the node that computes it */
	Node **read;                 /* by id: what stands for it where it is read for a batch */
	Map *names;
} Hoisting;

/* What costs nothing to read, or would only repeat what it is of, for each sample too: that crosses. */
static bool is_read_through(const Node *n)
{
	return n->op->flags & OP_ALIAS || n->op->move == MOVE_BROADCAST;
}

static bool is_prepared(const Hoisting *h, const Node *x)
{
	if (h->of_batch[x->id] || node_is_leaf(x))
		return false;
	return h->of_weights[x->id] || (h->costly[x->id] && type_elements(x->type) > 1);
}

static void find_crossings(Hoisting *h)
{
	graph_sources(h->g, h->of_batch, h->of_weights);
	for (int i = 0; i < h->g->count; i++) {
		const Node *n = h->g->nodes[i];
		h->costly[i] =
		        !(n->op->flags & (OP_CHEAP | OP_ALIAS)) && !node_is_leaf(n) && n->operand_count > 0;
		for (int k = 0; k < n->operand_count; k++)
			h->costly[i] = h->costly[i] || h->costly[n->operands[k]->id];
		for (int k = 0; k < n->operand_count && h->of_batch[i]; k++) {
			const Node *x = n->operands[k];
			while (is_read_through(x))
				x = x->operands[0];
			if (is_prepared(h, x))
				h->crosses[x->id] = true;
		}
	}
}

static Node *state_for(Hoisting *h, const Node *n)
{
	const Node *named = n; /* a weight in another type is called as the weight */
	while (!named->name && named->operand_count == 1 && h->of_weights[n->id])
		named = named->operands[0];
	const char *base = named->name ? named->name : node_word(n);
	char *name = arena_printf(h->to->arena, "prepared.%s", base);
	for (int i = 2; map_get(h->names, name); i++) /* what stands after the last dot names it in kernels */
		name = arena_printf(h->to->arena, "prepared.%d.%s", i, base);
	map_set(h->names, name, h);
	Attr attrs[] = {attr_text("name", name), attr_real("value", 0)};
	return graph_leaf(h->to, "state", n->type, attrs, 2, n->sites);
}

static Node *copy(Hoisting *h, const Node *n, Node *const *from)
{
	Node **operands = NEW_ARRAY(h->to->arena, Node *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = from[n->operands[k]->id];
	return graph_copy_node(h->to, n, operands);
}

static void copy_nodes(Hoisting *h)
{
	for (int i = 0; i < h->g->count; i++) {
		const Node *n = h->g->nodes[i];
		h->computed[i] = copy(h, n, h->of_batch[i] ? h->read : h->computed);
		if (h->crosses[i])
			h->read[i] = state_for(h, n);
		else if (is_read_through(n) && !h->of_batch[i])
			h->read[i] = copy(h, n, h->read);
		else
			h->read[i] = h->computed[i];
	}
}

/* ---- tf32 */

typedef struct Rounding {
	PassContext *ctx;
	bool *of_batch, *of_weights; /* graph_sources */
	Node **rounded;              /* by id */
} Rounding;

static Node *round_weights(void *data, Graph *to, const Node *n, Node **operands)
{
	Rounding *r = data;
	bool any = false;
	if (!r->of_batch[n->id] || !(n->op->flags & OP_HEAVY) ||
	    !(implementation_choose(r->ctx, n)->flags & IMPL_TENSOR_CORES))
		return NULL;
	for (int k = 0; k < n->operand_count; k++) {
		const Node *x = n->operands[k];
		if (x->type.dtype != DTYPE_F32 || r->of_batch[x->id] || !r->of_weights[x->id])
			continue;
		Build b = build_beside(to, x);
		if (!r->rounded[x->id])
			r->rounded[x->id] = build1(&b, "round_tf32", operands[k]);
		operands[k] = r->rounded[x->id];
		any = true;
	}
	if (any)
		pass_remark(r->ctx, "%s: evaluation: %s: reads weights that are prepared in tf32",
		            sites_text(to->arena, n->sites, 3), n->op->name);
	return any ? graph_copy_node(to, n, operands) : NULL;
}

static const Graph *with_rounded_weights(PassContext *ctx, const Graph *g)
{
	if (g->training || !ctx->target->gpu || !pass_in_tf32(ctx))
		return g;
	Rounding r = {.ctx = ctx,
	              .of_batch = NEW_ARRAY(ctx->arena, bool, g->count),
	              .of_weights = NEW_ARRAY(ctx->arena, bool, g->count),
	              .rounded = NEW_ARRAY(ctx->arena, Node *, g->count)};
	graph_sources(g, r.of_batch, r.of_weights);
	return graph_rewrite(ctx->arena, g, round_weights, &r);
}

Graph *pass_hoist(PassContext *ctx, const Graph *g)
{
	Arena *a = ctx->arena;
	g = with_rounded_weights(ctx, g);
	Hoisting h = {.g = g, .to = graph_like(a, g), .names = map_new(a)};
	h.of_batch = NEW_ARRAY(a, bool, g->count);
	h.of_weights = NEW_ARRAY(a, bool, g->count);
	h.costly = NEW_ARRAY(a, bool, g->count);
	h.crosses = NEW_ARRAY(a, bool, g->count);
	h.computed = NEW_ARRAY(a, Node *, g->count);
	h.read = NEW_ARRAY(a, Node *, g->count);
	find_crossings(&h);
	bool any = false;
	for (int i = 0; i < g->count; i++)
		any = any || h.crosses[i];
	if (g->training || !any)
		return (Graph *)g;
	copy_nodes(&h);
	graph_copy_outputs(h.to, g, h.computed);
	for (int i = 0; i < g->count; i++)
		if (h.crosses[i])
			graph_output(h.to, OUTPUT_STATE, h.read[i]->name, h.computed[i]);
	return graph_rewrite(a, h.to, NULL, NULL);
}
