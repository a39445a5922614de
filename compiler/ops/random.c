/* SPDX-License-Identifier: MIT */
/* Random numbers: a counter-based generator, so that a number is a function of (seed, step, stream, index) and can be
 * computed anywhere again. dropout's mask is therefore never stored: its gradient is dropout of the gradient with the
 * same stream. Streams number the dropouts and noises of a model in program order, so that they are stable and all
 * different (graph_streams). */
#include "ops/compose.h"

#include "ir/loop.h"

#include <math.h>

double dropout_share(double rate)
{
	const double most = 1 - 0x1p-15, nearest = round(rate * 0x1p15) * 0x1p-15;
	return nearest < most ? nearest : most;
}

static bool dropout_infer(Infer *in)
{
	double rate = infer_attr(in, "rate")->f;
	if (!(rate >= 0 && rate < 1))
		return infer_error(in, "bad-argument",
		                   "the rate of `dropout` is a share from 0 up to, not including, 1, not %g",
		                   rate);
	return infer_real(in, 0) && infer_like(in, 0);
}

static Node *dropout_build(Build *b, Node *x, double rate, int64_t stream)
{
	Attr attrs[] = {attr_real("rate", rate), attr_int("stream", stream)};
	return build(b, "dropout", 1, &x, 2, attrs);
}

static void dropout_grad(Grad *g)
{
	g->result[0] = dropout_build(&g->b, g->dy, node_real(g->node, "rate"), node_int(g->node, "stream"));
}

static Node *dropout_expand(Expand *e)
{
	double rate = dropout_share(node_real(e->node, "rate"));
	Node *x = e->operands[0];
	if (!e->training || rate == 0)
		return x;
	Attr attrs[] = {attr_int("stream", node_int(e->node, "stream")),
	                attr_ints("shape", x->type.dim, x->type.rank)};
	Node *u = build(&e->b, "uniform", 0, NULL, 2, attrs);
	Node *keep = build_constant(&e->b, 1 / (1 - rate));
	return compose(&e->b, "select(u >= rate, x*keep, 0)",
	               TERMS({"u", u}, {"rate", build_constant(&e->b, rate)}, {"x", x}, {"keep", keep}));
}

/* In evaluation the mean, which is what stays of it over many draws, where nothing else is said. */
static Node *build_noise(Call *c)
{
	Build *b = call_build(c);
	Node *x = build_batch(b, call_tensor(c, "x"));
	if (!x)
		return NULL;
	bool normal = call_word(c, "kind")[0] == 'n';
	Attr shape = attr_ints("shape", x->type.dim, x->type.rank);
	if (!b->graph->training && !call_bool(c, "always")) {
		Node *mean = build_constant(b, normal ? 0 : 0.5);
		return build_broadcast(b, mean, x->type.rank, x->type.dim);
	}
	Attr attrs[] = {attr_int("stream", graph_streams(b->graph)), shape};
	Node *u = build(b, "uniform", 0, NULL, 2, attrs);
	if (!u || !normal)
		return u;
	attrs[0] = attr_int("stream", graph_streams(b->graph));
	Node *v = build(b, "uniform", 0, NULL, 2, attrs);
	/* Box and Muller; 1 - u is not 0 */
	return compose(b, "sqrt(-2*log(1 - u))*cos(6.283185307179586*v)", TERMS({"u", u}, {"v", v}));
}

static Node *build_dropout(Call *c)
{
	Build *b = call_build(c);
	return dropout_build(b, build_batch(b, call_tensor(c, "x")), call_real(c, "rate"),
	                     graph_streams(b->graph));
}

static const char *const uniform_samples[] = {
        "stream=0 shape=[]",        "stream=1 shape=[]",          "stream=0 shape=[1]",
        "stream=0 shape=[7]",       "stream=3 shape=[64]",        "stream=0 shape=[1,1]",
        "stream=0 shape=[3,5]",     "stream=7 shape=[3,5]",       "stream=0 shape=[5,1]",
        "stream=0 shape=[1,9]",     "stream=2 shape=[2,3,5]",     "stream=0 shape=[4,1,9]",
        "stream=0 shape=[1,13,1]",  "stream=1 shape=[2,3,3,4]",   "stream=0 shape=[2,5,1,3]",
        "stream=0 shape=[1,1,1,1]", "stream=5 shape=[1,4,4,1]",   "stream=1000 shape=[33,31]",
        "stream=0 shape=[1000]",    "stream=0 shape=[2,1,3,1,5]", NULL,
};

static const char *const uniform_share_samples[] = {
        "stream=0 n=1 shape=[1]",       "stream=1 n=7 shape=[7]",          "stream=0 n=64 shape=[64]",
        "stream=0 n=1 shape=[1,1]",     "stream=3 n=15 shape=[3,5]",       "stream=7 n=5 shape=[5,1]",
        "stream=0 n=9 shape=[1,9]",     "stream=2 n=30 shape=[2,3,5]",     "stream=0 n=36 shape=[4,1,9]",
        "stream=0 n=13 shape=[1,13,1]", "stream=1 n=72 shape=[2,3,3,4]",   "stream=0 n=30 shape=[2,5,1,3]",
        "stream=0 n=1 shape=[1,1,1,1]", "stream=5 n=16 shape=[1,4,4,1]",   "stream=1000 n=1023 shape=[33,31]",
        "stream=0 n=1000 shape=[1000]", "stream=0 n=30 shape=[2,1,3,1,5]", "stream=1 n=48 shape=[2,3,4,2]",
        "stream=3 n=48 shape=[8,6]",    "stream=2 n=160 shape=[16,10]",    NULL,
};

#define DROPOUT_SHAPES(ATTRS)                                                                            \
	"x=f32[1]" ATTRS, "x=f32[7]" ATTRS, "x=f32[64]" ATTRS, "x=f32[1,1]" ATTRS, "x=f32[3,5]" ATTRS,   \
	        "x=f32[5,1]" ATTRS, "x=f32[2,3,5]" ATTRS, "x=f32[1,13,1]" ATTRS, "x=f32[2,3,3,4]" ATTRS, \
	        "x=f32[1,1,1,1]" ATTRS

static const char *const dropout_samples[] = {DROPOUT_SHAPES(" rate=0.5 stream=0"),
                                              DROPOUT_SHAPES(" rate=0.1 stream=3"),
                                              DROPOUT_SHAPES(" rate=0.0 stream=0"), NULL};

const Op random_ops[] = {
        {.name = "uniform",
         .signature = "-> y",
         .doc = "Random numbers, uniform in [0, 1), keyed by the run's seed, the step, `stream` and the "
                "index.",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_SEEDED | OP_CHEAP,
         .infer = infer_stated_shape,
         .expr = "uniform(seed, step, stream, i)",
         .expr_flops = 10,
         .samples = uniform_samples},
        {.name = "uniform_share",
         .signature = "-> y",
         .doc = "The same for a share of a batch: `n` elements of each rank, which are numbered as those of "
                "the whole.",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_SEEDED | OP_CHEAP,
         .infer = infer_stated_shape,
         .expr = "uniform(seed, step, stream, rank*n + i)",
         .expr_flops = 11,
         .samples = uniform_share_samples},
        {.name = "dropout",
         .flags = OP_ELEMENTWISE,
         .signature = "x -> y",
         .call = "x, rate: real = 0.5",
         .doc = "In training each element is 0 with probability `rate` and x/(1 - rate) otherwise; in "
                "evaluation x.",
         .infer = dropout_infer,
         .grad = dropout_grad,
         .expand = dropout_expand,
         .build = build_dropout,
         .samples = dropout_samples},
        {.name = "noise",
         .call = "x, kind: normal|uniform = normal, always: bool = false",
         .doc = "Random numbers in the shape of x, others at every step: of mean 0 and deviation 1, or "
                "uniform in [0, 1). In evaluation their mean or, with `always`, draws too: others for each "
                "sample "
                "of a batch; `predict` draws others for every batch, `eval` the same for all. `m + "
                "s*noise(m)` is a draw that "
                "gradients reach m and s through.",
         .build = build_noise},
        {0},
};
