/* SPDX-License-Identifier: MIT */
#include "emit/image_rows.h"

#include "ir/op.h"

/* What is computed of each element alone keeps the order of the elements. */
static const Node *keeps_order_of(const Node *n)
{
	bool each_alone = n->op->flags & (OP_POINTWISE | OP_ELEMENTWISE);
	for (int i = 0; each_alone && i < n->operand_count; i++)
		if (type_equal(n->operands[i]->type, n->type))
			return n->operands[i];
	return NULL;
}

/* By node id: the image that a vector a sample was before it was flattened; NULL: it was none. */
static const Node **flattened_images(Arena *a, const Graph *g)
{
	const Node **image = NEW_ARRAY(a, const Node *, g->count);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i], *from = keeps_order_of(n);
		if (n->type.rank != 2)
			continue;
		if (from)
			image[i] = image[from->id];
		if ((n->op->flags & OP_RESHAPES) && n->operands[0]->type.rank == 4 &&
		    n->operands[0]->type.dim[0] == n->type.dim[0])
			image[i] = n->operands[0];
	}
	return image;
}

Map *image_rows(Arena *a, const Graph *g)
{
	Map *channels = map_new(a);
	const Node **image = flattened_images(a, g);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i], *w = n->operand_count == 2 ? n->operands[1] : NULL, *x = NULL;
		if (!w || !node_is_param(w))
			continue;
		if (n->op->gemm == GEMM_FPROP || n->op->gemm == GEMM_DGRAD) /* a convolution turned round */
			x = w;
		else if (n->op->gemm == GEMM_PRODUCT && node_int(n, "tb"))
			x = image[n->operands[0]->id];
		if (!x)
			continue;
		int64_t *count = NEW(a, int64_t);
		*count = x->type.dim[3];
		map_set(channels, node_text(w, "name"), count);
	}
	return channels;
}
