/* Writes the maximum over the windows of a large image as pointwise steps over single elements of the windows, and keeps for its
 * gradient where it was.
 *
 * A pool's kernel takes no prologue, and its gradient reads the whole image again to find the maxima: of the first layers of
 * ResNet-50 at 224x224 and batch 256 in f32, the kernels of relu, pool and gradient move 4.8 GB. As taps (ops/tap.c) the pool is
 * pointwise, and fuse does the rest: the normalised, rectified image is computed from the convolution's result for each tap, which
 * costs less than to store it once, and beside the maximum a byte is kept that says where it was. `unpool` puts dy there. That is
 * 2.2 GB.
 *
 * What does not change an order, relu and narrowing casts, is applied to the maximum instead of to the taps. Then another of
 * several equal maxima may get dy; where relu made zeros of them, relu's gradient is 0, which the byte says too, so that nobody
 * reads the image for its signs.
 *
 * Small tensors stay in the cache and keep their pools (target_cuda's taps_from). Must run after precision, which knows no taps, and
 * before fuse. */
#include "base/array.h"
#include "ops/compose.h"
#include "ops/pool.h"
#include "passes/pass.h"

/* With more, one kernel would be too long for fuse. */
enum { MOST_TAPS = 9, LONGEST_CHAIN = 4 };

typedef struct Taps {
	PassContext *ctx;
	bool *has_gradient; /* by node id: a maxpool_grad reads it */
	Node **place;       /* by node id, of those: the bytes */
} Taps;

/* The image of reals of which this is a function, pixel by pixel, with numbers that are the same for all pixels; or NULL. */
static Node *mapped_image(const Node *n)
{
	unsigned wanted = OP_POINTWISE | OP_CHEAP;
	if ((n->op->flags & wanted) != wanted || (n->op->flags & (OP_INDEXED | OP_SEEDED)) || n->op->place)
		return NULL;
	Node *image = NULL;
	for (int k = 0; k < n->operand_count; k++) {
		Node *x = n->operands[k];
		int rank = x->type.rank;
		if ((rank < 2 || x->type.dim[rank - 2] == 1) && (rank < 3 || x->type.dim[rank - 3] == 1))
			continue;
		if (!shape_equal(x->type, n->type) || !dtype_is_real(x->type.dtype) || (image && image != x))
			return NULL;
		image = x;
	}
	return image;
}

static bool keeps_order(const Node *n)
{
	return node_is(n, "relu") || (node_is(n, "cast") && dtype_is_half(n->type.dtype));
}

/* The image in memory that the taps are to read, to compute `z` from. */
static const Node *tapped_image(const Node *z)
{
	const Node *base = z;
	int length = 0;
	for (Node *next; (next = mapped_image(base)); base = next)
		length++;
	return length <= LONGEST_CHAIN ? base : z;
}

/* What `z` is, computed from a tap of `base` instead. */
static Node *map_tap(Graph *to, Node *z, const Node *base, Node *tap)
{
	if (z == base)
		return tap;
	Node *image = mapped_image(z), *operands[OP_MAX_OPERANDS], *of_tap = map_tap(to, image, base, tap);
	for (int k = 0; k < z->operand_count; k++)
		operands[k] = z->operands[k] == image ? of_tap : z->operands[k];
	Build b = {.graph = to, .sites = z->sites};
	return build(&b, z->op->name, z->operand_count, operands, z->attr_count, z->attrs);
}

/* Whether the tap `at` of some window is in the border. */
static bool meets_border(const Window *w, const int64_t at[2])
{
	for (int i = 0; i < 2; i++)
		if (at[i] < w->pad[i] || (w->out[i] - 1) * w->stride[i] + at[i] - w->pad[i] >= w->in[i])
			return true;
	return false;
}

static bool is_zero(const Node *n)
{
	return node_is(n, "constant") && node_real(n, "value") == 0;
}

static Node *pool_of_taps(Taps *t, Graph *to, const Node *n, Node *x, const Window *w)
{
	Build b = {.graph = to,
	           .sites = n->sites,
	           .real = dtype_is_half(n->type.dtype) ? DTYPE_F32 : n->type.dtype};
	Node *z = x, *best = NULL, *place = NULL, *y;
	while (keeps_order(z))
		z = z->operands[0];
	Node *base = (Node *)tapped_image(z);
	for (int64_t i = 0; i < w->size[0] * w->size[1]; i++) {
		int64_t at[2] = {i / w->size[1], i % w->size[1]};
		Attr attrs[5] = {*node_attr(n, "size"), *node_attr(n, "stride"), *node_attr(n, "pad"),
		                 attr_ints("at", at, 2), attr_ints("image", w->in, 2)};
		Node *e = map_tap(to, z, base, build(&b, "tap", 1, &base, 4, attrs));
		if (meets_border(w, at))
			e = build(&b, "fence", 1, &e, 5, attrs);
		if (best && t->has_gradient[n->id]) {
			Node *last = place ? place : build_constant(&b, 0);
			Node *later[3] = {build2(&b, "gt", e, best), build_constant(&b, (double)i), last};
			place = build(&b, "select", 3, later, 0, NULL);
		}
		best = best ? build2(&b, "maximum", e, best) : e;
	}
	y = best;
	for (Node *f = x; f != z; f = f->operands[0])
		y = node_is(f, "relu") ? build1(&b, "relu", y) : build_cast(&b, y, f->type.dtype);
	if (t->has_gradient[n->id]) {
		Node *positive = build2(&b, "gt", y, build_constant(&b, 0));
		if (node_is(x, "relu"))
			place = build(&b, "select", 3,
			              (Node *[]){positive, place, build_constant(&b, UNPOOL_NOWHERE)}, 0,
			              NULL);
		t->place[n->id] = build_cast(&b, place, DTYPE_U8);
		t->place[n->id]->name = arena_printf(to->arena, "%s_place", n->name ? n->name : "maxpool");
	}
	y->name = n->name;
	pass_remark(t->ctx, "%s: maxpool of %s: as taps of %s", sites_text(to->arena, n->sites, 3),
	            shape_text(to->arena, x->type), base->op->name);
	return y;
}

/* Whether n is, where x is positive, the gradient by the image x of a pool of it; and x a relu. */
static bool is_masked_gradient(const Node *n)
{
	if (!node_is(n, "select") || !node_is(n->operands[0], "gt") ||
	    !node_is(n->operands[1], "maxpool_grad"))
		return false;
	const Node *positive = n->operands[0], *x = n->operands[1]->operands[1];
	return node_is(x, "relu") && positive->operands[0] == x && is_zero(positive->operands[1]) &&
	       is_zero(n->operands[2]);
}

/* As ops/tap.c asks for: several rows and columns, and a window of which the image has another number. */
static bool is_wanted(const Taps *t, const Node *n)
{
	Window w;
	if (!node_is(n, "maxpool") || type_elements(n->operands[0]->type) < t->ctx->target->taps_from)
		return false;
	pool_window(n, n->operands[0]->type, &w);
	bool several = w.in[0] > 1 && w.in[1] > 1 && w.out[0] > 1 && w.out[1] > 1;
	int64_t taps = w.size[0] * w.size[1];
	return several && taps > 1 && taps <= MOST_TAPS && (w.in[0] != w.out[0] || w.in[1] != w.out[1]);
}

static Node *pool_taps_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Taps *t = data;
	Window w;
	if (is_wanted(t, n)) {
		pool_window(n, n->operands[0]->type, &w);
		return pool_of_taps(t, to, n, operands[0], &w);
	}
	if (is_masked_gradient(n) && t->place[n->operands[1]->operands[2]->id])
		return operands[1];
	if (!node_is(n, "maxpool_grad") || !t->place[n->operands[2]->id])
		return NULL;
	Build b = {.graph = to, .sites = n->sites};
	Attr attrs[4] = {attr_ints("dim", n->type.dim, 4), *node_attr(n, "size"), *node_attr(n, "stride"),
	                 *node_attr(n, "pad")};
	return build(&b, "unpool", 2, (Node *[]){operands[0], t->place[n->operands[2]->id]}, 4, attrs);
}

Graph *pass_pool_taps(PassContext *ctx, const Graph *g)
{
	Taps t = {.ctx = ctx};
	if (ctx->target->taps_from == 0)
		return (Graph *)g;
	t.has_gradient = NEW_ARRAY(ctx->arena, bool, g->count);
	t.place = NEW_ARRAY(ctx->arena, Node *, g->count);
	bool any = false;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		any = any || is_wanted(&t, n);
		if (node_is(n, "maxpool_grad") && node_is(n->operands[2], "maxpool"))
			t.has_gradient[n->operands[2]->id] = true;
	}
	return any ? pass_dce(ctx, graph_rewrite(ctx->arena, g, pool_taps_rule, &t)) : (Graph *)g;
}
