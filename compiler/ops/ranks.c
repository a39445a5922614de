/* SPDX-License-Identifier: MIT */
/* What several ranks send one another within a step.
 *
 * all_reduce is the mean over several ranks of what each has computed of its share of the batch: statistics of a
 * batchnorm with `sync`, ahead of what is made of them. The gradients of parameters are no nodes of this kind: pass
 * all_reduce.
 *
 * A mean, and not a sum, because all ranks have equal shares: what is summed up over a share and divided by its count
 * is then right for the whole batch, and gradients stay those of a rank's own loss, of which the mean is taken later.
 * Alone a rank's mean is its own value.
 *
 * With `shard optimizer` rank_share takes a rank's share of the flat parameters and of their gradients, and all_gather
 * puts the shares together again. What reads across the batch has the rows of all ranks by all_gather too. */
#include "ops/compose.h"

static bool all_reduce_infer(Infer *in)
{
	DType dtype = in->operands[0]->type.dtype;
	if (dtype != DTYPE_F32 && dtype != DTYPE_F64)
		return infer_error(in, "shape-mismatch", "`all_reduce` takes f32 or f64");
	return infer_like(in, 0);
}

/* Every rank's value has a share in every rank's loss: of that the mean, for each stands for its share of the whole. */
static void all_reduce_grad(Grad *g)
{
	g->result[0] = build1(&g->b, "all_reduce", g->dy);
}

/* Every rank's loss depends on the rows that this rank has sent: of these the sum. */
static void all_gather_grad(Grad *g)
{
	Build *b = &g->b;
	const Type share = g->operands[0]->type;
	Node *ranks = build_constant(b, (double)(type_elements(g->dy->type) / type_elements(share)));
	Node *sum = build2(b, "mul", build1(b, "all_reduce", g->dy), ranks);
	Attr shape = attr_ints("shape", share.dim, share.rank);
	g->result[0] = build(b, "rank_share", 1, &sum, 1, &shape);
}

static Node *flat(Build *b, const char *op, Node *x, int64_t elements)
{
	int64_t of_x = type_elements(x->type);
	Attr shape = attr_ints("shape", &elements, 1);
	x = build_reshape(b, x, 1, &of_x);
	return x ? build(b, op, 1, &x, 1, &shape) : NULL;
}

static Node *rows_of_all(Build *b, Node *x, int64_t ranks)
{
	Type whole = x->type;
	whole.dim[0] *= ranks;
	Node *rows = flat(b, "all_gather", x, type_elements(x->type) * ranks);
	return rows ? build_reshape(b, rows, whole.rank, whole.dim) : NULL;
}

Node *rows_in_batch(Build *b, int64_t share, int64_t whole)
{
	return flat(b, "rank_share", build_ramp(b, 1, &whole, 0, 1), share);
}

/* One leaf, however many ask. */
static Node *real_samples(Build *b)
{
	Attr name = attr_text("name", "samples");
	Node *leaf = graph_find_leaf(b->graph, "scalar", name.s);
	return leaf ? leaf : graph_leaf(b->graph, "scalar", type_scalar(DTYPE_F32), &name, 1, b->sites);
}

Node *call_whole_batch(Call *c, Node *x, Node **samples)
{
	Build *b = call_build(c);
	*samples = b->graph->training ? NULL : real_samples(b);
	return call_ranks(c) > 1 ? rows_of_all(b, x, call_ranks(c)) : x;
}

static bool flat_infer(Infer *in)
{
	int rank;
	const int64_t *dim = infer_ints(in, "shape", &rank);
	const Type from = in->operands[0]->type;
	if (from.rank != 1 || rank != 1 || !infer_result(in, from.dtype, rank, dim))
		return infer_error(in, "shape-mismatch", "shares are of flat tensors");
	return true;
}

static const char *const all_reduce_samples[] = {
        "x=f32[1]",       "x=f32[2]",         "x=f32[7]",
        "x=f32[64]",      "x=f32[1000]",      "x=f32[1,1]",
        "x=f32[1,5]",     "x=f32[3,5]",       "x=f32[5,1]",
        "x=f32[1,64]",    "x=f32[2,3,5]",     "x=f32[1,1,7]",
        "x=f32[1,13,1]",  "x=f32[4,1,9]",     "x=f32[1,1,1,1]",
        "x=f32[1,1,1,3]", "x=f32[1,1,1,64]",  "x=f32[2,3,3,4]",
        "x=f32[2,5,1,3]", "x=f32[2,1,3,1,5]", NULL,
};

static const char *const rank_share_samples[] = {
        "x=f32[1] shape=[1]",      "x=f32[2] shape=[1]",      "x=f32[2] shape=[2]",
        "x=f32[7] shape=[4]",      "x=f32[7] shape=[7]",      "x=f32[8] shape=[2]",
        "x=f32[9] shape=[3]",      "x=f32[10] shape=[4]",     "x=f32[13] shape=[5]",
        "x=f32[16] shape=[8]",     "x=f32[31] shape=[16]",    "x=f32[64] shape=[32]",
        "x=f32[65] shape=[33]",    "x=f32[100] shape=[25]",   "x=f32[101] shape=[26]",
        "x=f32[128] shape=[64]",   "x=f32[5] shape=[5]",      "x=f32[3] shape=[2]",
        "x=f32[1000] shape=[500]", "x=f32[1001] shape=[126]", NULL,
};

static const char *const all_gather_samples[] = {
        "x=f32[1] shape=[1]",     "x=f32[2] shape=[2]",       "x=f32[3] shape=[3]",
        "x=f32[4] shape=[4]",     "x=f32[5] shape=[5]",       "x=f32[7] shape=[7]",
        "x=f32[8] shape=[8]",     "x=f32[9] shape=[9]",       "x=f32[13] shape=[13]",
        "x=f32[15] shape=[15]",   "x=f32[16] shape=[16]",     "x=f32[17] shape=[17]",
        "x=f32[31] shape=[31]",   "x=f32[32] shape=[32]",     "x=f32[33] shape=[33]",
        "x=f32[64] shape=[64]",   "x=f32[65] shape=[65]",     "x=f32[100] shape=[100]",
        "x=f32[127] shape=[127]", "x=f32[1000] shape=[1000]", NULL,
};

const Op ranks_ops[] = {
        {.name = "all_reduce",
         .ranks = RANKS_MEAN,
         .signature = "x -> y",
         .doc = "The mean over all ranks of a training; of one rank x.",
         .halves = HALVES_NONE,
         .infer = all_reduce_infer,
         .grad = all_reduce_grad,
         .samples = all_reduce_samples},
        {.name = "rank_share",
         .signature = "x -> y",
         .doc = "Of a flat tensor this rank's elements, `shape`: rank r has the r-th so many. What stands "
                "after the end of x "
                "is 0.",
         .halves = HALVES_NONE,
         .infer = flat_infer,
         .samples = rank_share_samples},
        {.name = "all_gather",
         .ranks = RANKS_GATHER,
         .signature = "x -> y",
         .doc = "All ranks' x one after the other, as far as `shape` reaches; of one rank x.",
         .halves = HALVES_NONE,
         .infer = flat_infer,
         .grad = all_gather_grad,
         .samples = all_gather_samples},
        {0},
};
