/* SPDX-License-Identifier: MIT */
/* Lets the large products of a training step gather the next batch while they multiply.
 *
 * A product keeps the tensor cores busy and the memory hardly; gathering a batch is the reverse, and beside a product's
 * blocks there is no room for its own. So where the step reads an input transposed alone (transpose_inputs), two warps
 * of each block of our products (own_products) do that gather instead (runtime/cuda/nnr_carry.h): each product a part
 * that is proportional to its work. The trainer leaves it to them when its search has taken our kernels; else its own
 * kernel gathers, as it does the first batch.
 *
 * us on an H200, by graphs of one thing alone (2026-11-23), 1000x1000:
 *
 *                       the gather alone    forward product, with half of it    weight gradient, with half of it
 *     batch 2000                               22.1    23.8                        21.6    23.7
 *     batch 8000                    19.4       49.3    52.6                        51.0    56.0
 *     batch 32000                   73.9      197.8   219.2                       183.6   196.9
 *
 * At 2000 it gains nothing, and is left out. Gathering this batch's rows in the forward product itself, which needs
 * them, gained less: its a then comes by copies of single threads, 60.7 us at 8000 and 252 at 32000 with the copy
 * that it stores for the weight gradient.
 *
 * Must run after implement. */
#include "ir/domain.h"
#include "passes/implementation.h"
#include "passes/pass.h"

#include <string.h>

enum {
	LEAST_BATCH = 4096,
	MULTIPLE = 4 /* of samples and of elements: vectors of 16 bytes in either direction */
};

/* Whether a node has as its operand the input of that name as it is. */
static bool is_read_as_it_is(const Graph *g, const char *name)
{
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++) {
			const Node *x = g->nodes[i]->operands[k];
			if (node_is_input(x) && !node_is_transposed(x) &&
			    strcmp(node_text(x, "name"), name) == 0)
				return true;
		}
	return false;
}

/* The largest input that is read transposed alone; NULL: none is. */
static const Node *turned_input(const Graph *g)
{
	const Node *largest = NULL;
	for (int i = 0; i < g->count; i++) {
		const Node *x = g->nodes[i];
		if (node_is_input(x) && node_is_transposed(x) && x->type.dtype == DTYPE_F32 &&
		    x->type.dim[0] % MULTIPLE == 0 && x->type.dim[1] % MULTIPLE == 0 &&
		    !is_read_as_it_is(g, node_text(x, "name")) &&
		    (!largest || type_bytes(x->type) > type_bytes(largest->type)))
			largest = x;
	}
	return largest;
}

typedef struct Marking {
	PassContext *ctx;
	const Node *input;
} Marking;

static Node *mark_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Marking *m = data;
	const Implementation *own = implementation_beside(n);
	if (!own || !(own->flags & IMPL_CARRIES))
		return NULL;
	pass_remark(m->ctx, "%s: %s %s gathers a part of the next `%s` meanwhile",
	            sites_text(to->arena, n->sites, 3), n->op->name, shape_text(to->arena, n->type),
	            node_text(m->input, "name"));
	return graph_node_with(to, n, operands, attr_int("carries", 1));
}

Graph *pass_carry_gather(PassContext *ctx, const Graph *g)
{
	Marking m = {ctx, g->training && g->batch >= LEAST_BATCH ? turned_input(g) : NULL};
	return m.input ? graph_rewrite(ctx->arena, g, mark_rule, &m) : (Graph *)g;
}
