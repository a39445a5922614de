/* SPDX-License-Identifier: MIT */
/* Writes the maximum over the windows of a large image as pointwise steps over single elements of the windows, and
 * keeps for its gradient where it was and what it was made of.
 *
 * A pool's kernel takes no prologue, and its gradient reads the whole image again to find the maxima. As taps
 * (ops/tap.c) the pool is pointwise, and fuse does the rest: the normalised, rectified image is computed from the
 * convolution's result for each tap, which costs less than to store it once. Beside the maximum two tensors of its size
 * are kept: a byte that says where it was, from which `unpool` puts dy there, and the convolution's result at that
 * place. Only at those places has the image a gradient, so that the sums over all pixels in a batchnorm's backward are
 * sums over the windows, and unpool has one reader left, which becomes its epilogue. Of the first layers of ResNet-50
 * at 224x224 and batch 256 in f32, the kernels from relu to the convolution's gradient moved 9.5 GB; so they move 4.0
 * GB.
 *
 * What does not change an order, relu and narrowing casts, is applied to the maximum instead of to the taps. Then
 * another of several equal maxima may get dy; where relu made zeros of them, relu's gradient is 0, which the byte says
 * too, so that nobody reads the image for its signs: nothing but relu's own gradient reads the gradient by its result
 * (differentiate). Where all of a window is NaN or -inf, its gradient may be lost.
 *
 * Small tensors stay in the cache and keep their pools (target_cuda's taps_from). Must run after precision, which knows
 * no taps, and before fuse. */
#include "base/array.h"
#include "ir/formula.h"
#include "ir/op.h"
#include "ops/compose.h"
#include "ops/pool.h"
#include "passes/pass.h"

/* With more, one kernel would be too long for fuse. */
enum { MOST_TAPS = 9, LONGEST_CHAIN = 4 };

/* What is kept of a pool for its gradient. */
typedef struct Kept {
	Node *place;        /* the bytes */
	Node *image, *base; /* that is pooled; from which the taps compute it */
	Node *top;          /* base where the maximum is */
	Node *dy, *valid;   /* the gradient by the maximum, and what of it reaches the image */
} Kept;

typedef struct Taps {
	PassContext *ctx;
	const Formula *relu, *pool, *gradient, *masked, *unpooled, *weighted;
	bool *has_gradient; /* by node id: a maxpool_grad reads it */
	Kept **kept;        /* by node id, of those */
	ARRAY(Kept *) all;
} Taps;

/* The image of reals of which this is a function, pixel by pixel, with numbers that are the same for all pixels of a
 * sample; or NULL. */
static Node *mapped_image(const Node *n)
{
	if (!node_is_by_element(n) || !(n->op->flags & OP_CHEAP))
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

static bool is_relu(const Taps *t, const Node *n)
{
	return formula_matches(t->relu, n, NULL);
}

static bool keeps_order(const Taps *t, const Node *n)
{
	bool narrows = (n->op->flags & OP_CONVERTS) && dtype_is_half(n->type.dtype) &&
	               dtype_is_real(n->operands[0]->type.dtype);
	return is_relu(t, n) || narrows;
}

/* The image in memory that the taps are to read, to compute `z` from. */
static const Node *tapped_image(const Node *z)
{
	const Node *base = z;
	int length = 0;
	for (Node *next; length <= LONGEST_CHAIN && (next = mapped_image(base)); base = next)
		length++;
	return length <= LONGEST_CHAIN ? base : z;
}

/* What `z` is, computed from a tap of `base` instead; the recursion goes LONGEST_CHAIN deep. */
static Node *map_tap(Graph *to, Node *z, const Node *base, Node *tap)
{
	if (z == base)
		return tap;
	Node *image = mapped_image(z), *operands[OP_MAX_OPERANDS], *of_tap = map_tap(to, image, base, tap);
	for (int k = 0; k < z->operand_count; k++)
		operands[k] = z->operands[k] == image ? of_tap : z->operands[k];
	Build b = build_beside(to, z);
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

static Node *build_select(Build *b, Node *p, Node *x, Node *y)
{
	return build(b, "select", 3, (Node *[]){p, x, y}, 0, NULL);
}

/* `kept` is set, unless it is NULL. */
static Node *pool_of_taps(Taps *t, Graph *to, const Node *n, Node *x, const Window *w, Kept *kept)
{
	Build b = build_parts(to, n, NULL);
	b.real = dtype_is_half(n->type.dtype) ? DTYPE_F32 : n->type.dtype;
	Node *z = x, *best = NULL, *top = NULL, *place = build_constant(&b, 0);
	while (keeps_order(t, z))
		z = z->operands[0];
	Node *base = (Node *)tapped_image(z);
	for (int64_t i = 0; i < w->size[0] * w->size[1]; i++) {
		int64_t at[2] = {i / w->size[1], i % w->size[1]};
		Attr attrs[5] = {*node_attr(n, "size"), *node_attr(n, "stride"), *node_attr(n, "pad"),
		                 attr_ints("at", at, 2), attr_ints("image", w->in, 2)};
		Node *tap = build(&b, "tap", 1, &base, 4, attrs), *e = map_tap(to, z, base, tap);
		if (meets_border(w, at))
			e = build(&b, "mask_border", 1, &e, 5, attrs);
		if (best && kept) {
			Node *later = build2(&b, "gt", e, best), *number = build_constant(&b, (double)i);
			place = build_select(&b, later, number, place);
			top = build_select(&b, later, tap, top);
		}
		top = top ? top : tap;
		best = best ? build2(&b, "maximum", e, best) : e;
	}
	for (Node *f = x; f != z; f = f->operands[0])
		best = (f->op->flags & OP_CONVERTS) ? build_cast(&b, best, f->type.dtype)
		                                    : build1(&b, f->op->name, best);
	if (kept && is_relu(t, x)) { /* one after the other: nodes are numbered as they are made */
		Node *positive = build2(&b, "gt", best, build_constant(&b, 0));
		Node *nowhere = build_constant(&b, UNPOOL_NOWHERE);
		place = build_select(&b, positive, place, nowhere);
	}
	if (kept) {
		*kept = (Kept){
		        .place = build_cast(&b, place, DTYPE_U8), .image = x, .base = base, .top = top};
		kept->place->name = arena_printf(to->arena, "%s_place", n->name ? n->name : "maxpool");
		top->name = arena_printf(to->arena, "%s_top", n->name ? n->name : "maxpool");
	}
	best->name = n->name;
	pass_remark(t->ctx, "%s: maxpool of %s: as taps of %s", sites_text(to->arena, n->sites, 3),
	            shape_text(to->arena, x->type), base->op->name);
	return best;
}

static Kept *kept_of(const Taps *t, const Node *place)
{
	for (int i = 0; i < t->all.count; i++)
		if (t->all.at[i]->place == place)
			return t->all.at[i];
	return NULL;
}

/* dy, a number for each window, where the maximum's image has a gradient. */
static Node *valid_gradient(const Taps *t, Graph *to, Build *b, Kept *k, Node *dy)
{
	if (!is_relu(t, k->image))
		return dy;
	if (k->dy == dy)
		return k->valid;
	Node *zero = build_constant(b, 0);
	k->dy = dy;
	k->valid = build_select(b, build2(b, "gt", map_tap(to, k->image, k->base, k->top), zero), dy, zero);
	return k->valid;
}

static bool is_mapped_from(const Node *n, const Node *base)
{
	while (n && n != base)
		n = mapped_image(n);
	return n != NULL;
}

/* The sum over all pixels of unpool's result, or of its product with what follows from the taps' image, pixel by pixel:
 * only where maxima are is there anything to add, and there the image is known. NULL: n is no such sum. */
static Node *sum_of_windows(Taps *t, Graph *to, const Node *n, Node *x)
{
	int count, covered = 0;
	const int64_t *axes = node_ints(n, "axes", &count);
	for (int i = 0; i < count; i++)
		covered += axes[i] == 1 || axes[i] == 2;
	Match m;
	const bool weighted = formula_matches(t->weighted, x, &m);
	if (!weighted && !formula_matches(t->unpooled, x, &m))
		return NULL;
	Node *factor = weighted ? matched(&m, "factor") : NULL;
	Kept *k = kept_of(t, matched(&m, "place"));
	if (!k || covered < 2 || (factor && !is_mapped_from(factor, k->base)))
		return NULL;
	Build b = build_beside(to, n);
	b.real = dtype_is_half(x->type.dtype) ? DTYPE_F32 : x->type.dtype;
	Node *dy = valid_gradient(t, to, &b, k, matched(&m, "dy"));
	if (factor)
		dy = build2(&b, "mul", dy, map_tap(to, factor, k->base, k->top));
	return build(&b, "sum", 1, &dy, n->attr_count, n->attrs);
}

/* As ops/tap.c asks for: several rows and columns, and a window of which the image has another number. */
static bool is_wanted(const Taps *t, const Node *n)
{
	if (!formula_matches(t->pool, n, NULL) ||
	    type_elements(n->operands[0]->type) < t->ctx->target->taps_from)
		return false;
	const Window w = pool_window(n, n->operands[0]->type);
	bool several = w.in[0] > 1 && w.in[1] > 1 && w.out[0] > 1 && w.out[1] > 1;
	int64_t taps = w.size[0] * w.size[1];
	return several && taps > 1 && taps <= MOST_TAPS && (w.in[0] != w.out[0] || w.in[1] != w.out[1]);
}

static Node *pool_taps_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Taps *t = data;
	if (is_wanted(t, n)) {
		Kept *kept = t->has_gradient[n->id] ? NEW(t->ctx->arena, Kept) : NULL;
		const Window w = pool_window(n, n->operands[0]->type);
		Node *y = pool_of_taps(t, to, n, operands[0], &w, kept);
		if ((t->kept[n->id] = kept))
			array_push(t->ctx->arena, &t->all, kept);
		return y;
	}
	Match m;
	if (n->op->flags & OP_ADDS)
		return sum_of_windows(t, to, n, operands[0]);
	if (formula_matches(t->masked, n, &m) && t->kept[matched(&m, "y")->id])
		return operands[1];
	if (!formula_matches(t->gradient, n, &m) || !t->kept[matched(&m, "y")->id])
		return NULL;
	Build b = build_beside(to, n);
	Attr attrs[4] = {attr_ints("dim", n->type.dim, 4), *node_attr(n, "size"), *node_attr(n, "stride"),
	                 *node_attr(n, "pad")};
	return build(&b, "unpool", 2, (Node *[]){operands[0], t->kept[matched(&m, "y")->id]->place}, 4,
	             attrs);
}

Graph *pass_pool_taps(PassContext *ctx, const Graph *g)
{
	Taps t = {.ctx = ctx};
	if (ctx->target->taps_from == 0)
		return (Graph *)g;
	t.relu = formula_parse(ctx->arena, "relu(x)");
	t.pool = formula_parse(ctx->arena, "maxpool(x)");
	t.gradient = formula_parse(ctx->arena, "maxpool_grad(dy, x, y: maxpool(z))");
	/* dy by an image that is a relu's result, where that is positive */
	t.masked = formula_parse(ctx->arena, "select(x: relu(z) > 0, maxpool_grad(dy, x, y), 0)");
	t.unpooled = formula_parse(ctx->arena, "unpool(dy, place)");
	t.weighted = formula_parse(ctx->arena, "unpool(dy, place)*factor");
	t.has_gradient = NEW_ARRAY(ctx->arena, bool, g->count);
	t.kept = NEW_ARRAY(ctx->arena, Kept *, g->count);
	bool any = false;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		any = any || is_wanted(&t, n);
		Match m;
		if (formula_matches(t.gradient, n, &m))
			t.has_gradient[matched(&m, "y")->id] = true;
	}
	return any ? graph_rewrite(ctx->arena, g, pool_taps_rule, &t) : (Graph *)g;
}
