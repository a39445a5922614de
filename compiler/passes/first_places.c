/* SPDX-License-Identifier: MIT */
/* Says where a tensor's first place is read, the first element of each channel, from which a batchnorm's sums take the
 * distance of all others (ops/norm.c).
 *
 * Where the tensor is in memory by then, as a convolution's result is, its first elements are read there, in a view:
 *
 *     %7 = first_place(%6) : f32[1,1,1,64]     ->     %7 = part(%6) {offset=0, shape=[1,1,1,64]} : f32[1,1,1,64]
 *
 * But what the kernel of the sums computes by itself, a residual sum, is in no memory then, and a view of it would part
 * the two kernels. Its first place is computed of its operands' first places, once for the mean, and once, in its own
 * shape, in the loops of the sums, where the compiler takes it out of the inner loop or a thread keeps it:
 *
 *     %7 = add(%5, %6) : f32[64,8,8,32]               %7 = add(%5, %6) : f32[64,8,8,32]
 *     %8 = first_place(%7) : f32[1,1,1,32]     ->     %8 = part(%5) {offset=0, ...}, %9 = part(%6) {offset=0, ...}
 *     %9 = sub(%7, %8) : f32[64,8,8,32]               %12 = add(broadcast(%8), broadcast(%9)) : f32[64,8,8,32]
 *                                                     %13 = sub(%7, %12) : f32[64,8,8,32]
 *
 * So it is for steps that are cheap to compute again, and whose own operands are in memory: no operator that takes
 * pointwise steps along may be made to store what is ahead of them. Both ways give the same number but for the last
 * place of f32, since the mean is the first place and what the sums say.
 *
 * Must run after implement, which says what is computed by a library, and before fuse. */
#include "ops/compose.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/fuse.h"
#include "passes/pass.h"

enum { DEEPEST = 4 /* steps from what is in memory */ };

typedef struct Places {
	const Target *target;
	const int *uses; /* by node id */
	Node **copies;   /* by node id: in the new graph */
	Node **wide; /* by node id of a first place: there, in the shape of its tensor; NULL: it has no such form */
} Places;

static int64_t channels_of(Type t)
{
	return t.rank > 0 ? t.dim[t.rank - 1] : 1;
}

/* The first elements of x in memory, f32, or wider: one for each channel; in the shape `like`. */
static Node *in_memory(Build *b, Node *x, Type like)
{
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i < like.rank; i++)
		dim[i] = i == like.rank - 1 ? channels_of(x->type) : 1;
	Node *y = build_part(b, (Node *)node_unshaped(x), 0, like.rank, dim);
	y->name = "first_place";
	if (type_elements(like) > channels_of(like))
		y = build_broadcast(b, y, like.rank, like.dim);
	return dtype_is_half(y->type.dtype) ? build_cast(b, y, DTYPE_F32) : y;
}

/* Whether x is stored whatever reads it: not what an operator's own loops compute on with, if they have its value. */
static bool is_in_memory(const Places *p, const Node *x)
{
	const bool goes_on = fuse_takes_epilogue(x, p->target) && p->uses[x->id] == 1;
	x = node_unshaped(x);
	return node_is_leaf(x) || (!node_is_fusible(x) && !goes_on);
}

static bool is_computed_again(const Node *x)
{
	return node_is_by_element(x) && x->op->flags & OP_CHEAP && x->operand_count <= OP_MAX_OPERANDS;
}

/* x's first place in the shape `like`, that of x or of one place; NULL: it can't be computed of what is in memory. */
static Node *computed(const Places *p, Build *b, const Node *x, Type like, int depth)
{
	Node *operands[OP_MAX_OPERANDS];
	if (!is_computed_again(x) || depth == 0)
		return NULL;
	for (int i = 0; i < x->operand_count; i++) {
		const Node *y = x->operands[i];
		const bool by_channel = type_elements(y->type) == channels_of(y->type);
		if (by_channel)
			operands[i] = p->copies[y->id];
		else if (is_in_memory(p, y) && channels_of(y->type) == channels_of(x->type))
			operands[i] = in_memory(b, p->copies[y->id], like);
		else if (shape_equal(y->type, x->type))
			operands[i] = computed(p, b, y, like, depth - 1);
		else
			return NULL;
		if (!operands[i])
			return NULL;
	}
	return build(b, x->op->name, x->operand_count, operands, x->attr_count, x->attrs);
}

/* What is 16 bits wide in memory is f32 from there on. */
static Node *first_place(Places *p, Graph *to, const Node *n)
{
	const Node *x = n->operands[0];
	Build b = build_beside(to, n);
	b.real = n->type.dtype;
	if (x->op->flags & OP_CONVERTS && dtype_is_half(x->operands[0]->type.dtype))
		x = x->operands[0];
	Node *y = computed(p, &b, x, n->type, DEEPEST);
	if (y)
		p->wide[n->id] = build_cast(&b, computed(p, &b, x, x->type, DEEPEST), n->type.dtype);
	else if (dtype_is_half(x->type.dtype))
		p->wide[n->id] = in_memory(&b, p->copies[x->id], x->type);
	return node_called(build_cast(&b, y ? y : in_memory(&b, p->copies[x->id], n->type), n->type.dtype),
	                   "first");
}

/* What goes through all of the tensor takes the form of that shape. */
static Node *rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Places *p = data;
	if (node_is(n, "first_place"))
		return p->copies[n->id] = first_place(p, to, n);
	for (int i = 0; i < n->operand_count; i++) {
		Node *wide = p->wide[n->operands[i]->id];
		if (wide && shape_equal(n->type, wide->type))
			operands[i] = wide;
	}
	return p->copies[n->id] = graph_copy_node(to, n, operands);
}

Graph *pass_first_places(PassContext *ctx, const Graph *g)
{
	Places p = {.target = ctx->target,
	            .uses = graph_use_counts(ctx->arena, g),
	            .copies = NEW_ARRAY(ctx->arena, Node *, g->count),
	            .wide = NEW_ARRAY(ctx->arena, Node *, g->count)};
	bool any = false;
	for (int i = 0; i < g->count; i++)
		any = any || node_is(g->nodes[i], "first_place");
	return any ? graph_rewrite(ctx->arena, g, rule, &p) : (Graph *)g;
}
