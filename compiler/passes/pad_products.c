/* SPDX-License-Identifier: MIT */
/* Products of matrices whose rows are no multiple of 16 bytes, because a weight has so many inputs, get zeros.
 *
 *     y = matmul(x [4096,429], w [768,429]) {tb}
 *         ->   y = matmul(pad(x) [4096,432], pad(w) [768,432]) {tb}
 *
 * Tensor cores are fed by loads of 16 bytes. Where a layer has 429 inputs, the rows of its weight and those of its
 * input begin at addresses that allow no more than an element at a time, in all three products of the layer: on an
 * H200 they run at a tenth of the rate of others. The copies cost less: of each matrix one, which all its products
 * read. What a product then has too much of is cut off, and is read in place.
 *
 * Only extents that are the inputs of a weight: a matrix of activations alone has its rows stored further apart
 * instead, without a copy (program/pad_rows.c), as the logits of 50257 classes.
 *
 * In 16 bits, for the CUDA target. After precision; before simplify and cse, which make the copies one. */
#include "base/array.h"
#include "base/checked.h"
#include "ir/op.h"
#include "passes/pass.h"

enum { ALIGNMENT = 16 /* bytes, of a load */ };

/* Measured on an H200, in bf16: products of such rows, and of others; a copy. */
static const double SLOW = 60e12, FAST = 400e12;  /* FLOP/s */
static const double COPY = 1.5e12, LAUNCH = 2e-6; /* bytes of the result/s; seconds */

typedef struct Pads {
	PassContext *ctx;
	bool *of_batch;
	Arena *scratch;
	ARRAY(int64_t) inputs; /* of weights: no multiple of ALIGNMENT */
} Pads;

/* m, n and k of a product of two matrices. */
typedef struct Extents {
	int64_t m, n, k;
	bool ta, tb;
} Extents;

static bool is_product(const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && n->operands[0]->type.rank == 2 &&
	       n->operands[1]->type.rank == 2 && dtype_is_half(n->operands[0]->type.dtype) &&
	       dtype_is_half(n->operands[1]->type.dtype);
}

static Extents extents_of(const Node *n)
{
	const int64_t *a = n->operands[0]->type.dim;
	const bool ta = node_int(n, "ta"), tb = node_int(n, "tb");
	return (Extents){n->type.dim[0], n->type.dim[1], a[ta ? 0 : 1], ta, tb};
}

static bool is_odd(int64_t extent, const Type *t)
{
	return extent * dtype_bytes(t->dtype) % ALIGNMENT != 0;
}

static int64_t whole(int64_t extent, const Type *t)
{
	const int64_t elements = ALIGNMENT / dtype_bytes(t->dtype);
	return ceil_div(extent, elements) * elements;
}

static bool is_of_weight(const Pads *p, int64_t extent)
{
	for (int i = 0; i < p->inputs.count; i++)
		if (p->inputs.at[i] == extent)
			return true;
	return false;
}

static void note_inputs(Pads *p, const Node *n)
{
	for (int i = 0; is_product(n) && i < 2; i++) {
		const Node *x = n->operands[i];
		const int64_t inputs = x->type.dim[1];
		if (!p->of_batch[x->id] && inputs > 1 && is_odd(inputs, &x->type) && !is_of_weight(p, inputs))
			array_push(p->scratch, &p->inputs, inputs);
	}
}

/* Whether the time that wide loads save is more than that of the copies. */
static bool is_worth_it(const Extents *e, const Type *t)
{
	const double m = (double)e->m, n = (double)e->n, k = (double)e->k;
	const double saved = 2 * m * n * k * (1 / SLOW - 1 / FAST);
	return saved > 2 * LAUNCH + (m * k + n * k) * (double)dtype_bytes(t->dtype) / COPY;
}

static Node *with_zeros(Build *b, Node *x, int64_t rows, int64_t columns)
{
	if (rows > x->type.dim[0])
		x = build_pad(b, x, 0, 0, rows - x->type.dim[0]);
	if (columns > x->type.dim[1])
		x = build_pad(b, x, 1, 0, columns - x->type.dim[1]);
	return x;
}

static Node *pad_products_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Pads *p = data;
	if (!is_product(n))
		return NULL;
	const Type *t = &n->operands[0]->type;
	const Extents e = extents_of(n);
	const int64_t last_of_a = e.ta ? e.m : e.k, last_of_b = e.tb ? e.k : e.n;
	if (!is_of_weight(p, last_of_a) && !is_of_weight(p, last_of_b))
		return NULL;
	if (!is_worth_it(&e, t))
		return NULL;
	Build b = build_beside(to, n);
	const int64_t m = e.ta ? whole(e.m, t) : e.m, n_whole = whole(e.n, t), k = whole(e.k, t);
	Node *x[] = {e.ta ? with_zeros(&b, operands[0], k, m) : with_zeros(&b, operands[0], m, k),
	             e.tb ? with_zeros(&b, operands[1], n_whole, k)
	                  : with_zeros(&b, operands[1], k, n_whole)};
	Node *y = build(&b, n->op->name, 2, x, n->attr_count, n->attrs);
	pass_remark(p->ctx, "%s: matmul: zeros make rows of %s and %s multiples of %d bytes",
	            sites_text(to->arena, n->sites, 3), shape_text(to->arena, operands[0]->type),
	            shape_text(to->arena, operands[1]->type), (int)ALIGNMENT);
	if (m > e.m)
		y = build_slice(&b, y, 0, 0, e.m);
	if (n_whole > e.n)
		y = build_slice(&b, y, 1, 0, e.n);
	y->name = n->name;
	return y;
}

Graph *pass_pad_products(PassContext *ctx, const Graph *g)
{
	if (!ctx->target->pads_from)
		return (Graph *)g;
	Arena *scratch = arena_new();
	Pads p = {.ctx = ctx, .of_batch = NEW_ARRAY(scratch, bool, g->count), .scratch = scratch};
	bool *of_weights = NEW_ARRAY(scratch, bool, g->count);
	graph_sources(g, p.of_batch, of_weights);
	for (int i = 0; i < g->count; i++)
		note_inputs(&p, g->nodes[i]);
	Graph *padded = graph_rewrite(ctx->arena, g, pad_products_rule, &p);
	arena_free(scratch);
	return padded;
}
