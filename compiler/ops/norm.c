/* SPDX-License-Identifier: MIT */
/* Normalisations: batchnorm over everything but the channels, layernorm over the last dimension.
 *
 * batchnorm's layer has the statistics of the batch as nodes of their own, `batch_mean` and `batch_var`. These are
 * computed from sums of (x - k) and (x - k)^2, where k is the first element of the channel: one pass over x, in which
 * no digits cancel as long as the first element is within some thousand deviations of the mean, as elements of a
 * batch are. The `batchnorm` node then takes mean and variance as operands. Its attribute `batch_statistics` says that
 * they are those of x (OWN), or of all ranks' x (WHOLE: `sync` and several ranks), and then the gradient is the closed
 * form that counts their dependence on x; nothing is to flow through the operands themselves. Without it (an evaluation
 * graph, frozen statistics) they are operands like any other. */
#include "ops/norm.h"

#include "ops/compose.h"

#include <string.h>

/* All axes but the last. */
static int leading_axes(Type t, int64_t axes[LIMIT_RANK])
{
	for (int i = 0; i < t.rank - 1; i++)
		axes[i] = i;
	return t.rank - 1;
}

static Node *sum_leading(Build *b, Node *x)
{
	int64_t axes[LIMIT_RANK];
	return build_reduce(b, "sum", x, axes, leading_axes(x->type, axes));
}

bool norm_per_channel(Infer *in)
{
	Type x = in->operands[0]->type;
	if (x.rank < 2)
		return infer_error(in, "shape-mismatch",
		                   "`%s` needs channels, and x is one number per sample", in->op->name);
	for (int i = 0; i < in->operand_count; i++) {
		Type t = in->operands[i]->type;
		if (!infer_real(in, i) || !infer_same_dtype(in, 0, i))
			return false;
		bool fits = t.rank >= 1 && t.rank <= x.rank && t.dim[t.rank - 1] == x.dim[x.rank - 1];
		if (i > 0 && !(fits && type_elements(t) == x.dim[x.rank - 1])) {
			infer_error(in, "shape-mismatch", "`%s` of %lld channels got %s", in->op->name,
			            (long long)x.dim[x.rank - 1], shape_text(in->graph->arena, t));
			infer_note_operand(in, 0);
			infer_note_operand(in, i);
			return false;
		}
	}
	return infer_like(in, 0);
}

/* ---- statistics of the batch */

static bool statistic_infer(Infer *in)
{
	if (!infer_real(in, 0))
		return false;
	Type t = in->operands[0]->type;
	for (int i = 0; i < t.rank - 1; i++)
		t.dim[i] = 1;
	return infer_result(in, dtype_is_half(t.dtype) ? DTYPE_F32 : t.dtype, t.rank, t.dim);
}

static double values_of_channel(const Node *x)
{
	return (double)(type_elements(x->type) / x->type.dim[x->type.rank - 1]);
}

/* x less its first place k, and the sum of that. */
typedef struct Shifted {
	Node *k, *x, *sum;
} Shifted;

static Shifted shifted_by_first(Build *b, Node *x)
{
	Shifted s = {.k = build1(b, "first_place", x)};
	s.x = node_called(build2(b, "sub", x, s.k), "shifted");
	s.sum = node_called(sum_leading(b, s.x), "shifted_sum");
	return s;
}

static Node *square_sum(Build *b, Shifted s)
{
	return node_called(sum_leading(b, build2(b, "mul", s.x, s.x)), "square_sum");
}

/* The distance of the mean from k. */
static Node *move_from_first(Build *b, Shifted s, Node *share)
{
	return node_called(build2(b, "mul", s.sum, share), "move");
}

static Node *mean_of(Build *b, Shifted s, Node *move)
{
	return node_called(build2(b, "add", s.k, move), "mean");
}

static Node *var_of(Build *b, Node *squares, Node *move, Node *share)
{
	return node_called(compose(b, "maximum(squares*share - move*move, 0)",
	                           TERMS({"squares", squares}, {"share", share}, {"move", move})),
	                   "var");
}

/* The batch's first place stands for all of it only as a number that is near them: where it is read is for the rule
 * `first_places` to say. */
static void first_place_cost(const Node *n, Cost *cost)
{
	*cost = (Cost){.bytes = (double)(2 * type_bytes(n->type))};
}

static Node *own_share(Expand *e)
{
	return build_constant(&e->b, 1 / values_of_channel(e->operands[0]));
}

/* The first sum is made twice, for the mean and for the variance; cse merges them. Neither makes what the other alone
 * needs: until an expansion has ended, it counts as an operation of the graph. */
static Node *batch_mean_expand(Expand *e)
{
	Node *share = own_share(e);
	const Shifted s = shifted_by_first(&e->b, e->operands[0]);
	return mean_of(&e->b, s, move_from_first(&e->b, s, share));
}

static Node *batch_var_expand(Expand *e)
{
	Node *share = own_share(e);
	const Shifted s = shifted_by_first(&e->b, e->operands[0]);
	Node *squares = square_sum(&e->b, s);
	return var_of(&e->b, squares, move_from_first(&e->b, s, share), share);
}

static void batch_mean_grad(Grad *g)
{
	Build *b = &g->b;
	const Type t = g->operands[0]->type;
	Node *share = build_constant(b, 1 / values_of_channel(g->operands[0]));
	g->result[0] = build_broadcast(b, build2(b, "mul", g->dy, share), t.rank, t.dim);
}

static void batch_var_grad(Grad *g)
{
	Build *b = &g->b;
	Node *x = g->operands[0];
	g->result[0] = compose(b, "(x - mean)*(dy*share)",
	                       TERMS({"x", x}, {"mean", build1(b, "batch_mean", x)}, {"dy", g->dy},
	                             {"share", build_constant(b, 2 / values_of_channel(x))}));
}

/* ---- batchnorm */

enum { X, MEAN, VAR, GAMMA, BETA };
enum { FREE, OWN, WHOLE }; /* batch_statistics */

Node *norm_rstd(Build *b, Node *var, double epsilon)
{
	return node_called(compose(b, "rsqrt(var + epsilon)",
	                           TERMS({"var", var}, {"epsilon", build_constant(b, epsilon)})),
	                   "rstd");
}

/* (x - mean)*a rather than x*a + (beta - mean*a): the same traffic, and no loss where the mean is large. */
static Node *batchnorm_expand(Expand *e)
{
	Node **in = e->operands;
	Node *rstd = norm_rstd(&e->b, in[VAR], node_real(e->node, "epsilon"));
	Node *a = node_called(build2(&e->b, "mul", in[GAMMA], rstd), "scale");
	return compose(&e->b, "(x - mean)*a + beta",
	               TERMS({"x", in[X]}, {"mean", in[MEAN]}, {"a", a}, {"beta", in[BETA]}));
}

/* A sum over this rank's share of the batch, and the mean of it over all ranks where statistics are of the whole: what
 * is divided by the share's elements then is right for all of them. */
static Node *mean_of_ranks(Build *b, Node *sum, int64_t statistics)
{
	return statistics == WHOLE ? build1(b, "all_reduce", sum) : sum;
}

/* With n elements a channel, S = sum(dy), T = sum(dy*(x - mean)):
 *     dx = gamma*rstd*(dy - S/n - (x - mean)*rstd^2*T/n), arranged as dy*a + ((x - mean)*p + q)
 *     with a, p, q one number per channel. */
static bool batchnorm_by_channel(Build *b, const Node *n, Node *const *operands, Node **centre, Node **scale,
                                 Node **shift)
{
	if (node_int(n, "batch_statistics"))
		return false;
	Node *rstd = norm_rstd(b, operands[VAR], node_real(n, "epsilon"));
	*scale = node_called(build2(b, "mul", operands[GAMMA], rstd), "scale");
	*centre = operands[MEAN];
	*shift = operands[BETA];
	return true;
}

static void batchnorm_grad(Grad *g)
{
	Build *b = &g->b;
	Node **in = g->operands;
	const char *of = b->of;
	Node *rstd = norm_rstd(b, in[VAR], node_real(g->node, "epsilon"));
	Node *a = node_called(build2(b, "mul", in[GAMMA], rstd), "scale");
	b->of = arena_printf(b->graph->arena, "%s.sums", of);
	Node *centred = node_called(build2(b, "sub", in[X], in[MEAN]), "centred");
	Node *s = node_called(sum_leading(b, g->dy), "dy_sum");
	Node *t = node_called(sum_leading(b, build2(b, "mul", g->dy, centred)), "dy_centred_sum");
	b->of = of;
	int64_t statistics = node_int(g->node, "batch_statistics");
	if (g->wanted[X] && statistics) {
		double n = (double)(type_elements(in[X]->type) / type_elements(s->type));
		Node *share = build_constant(b, 1 / n);
		Node *all_t = mean_of_ranks(b, t, statistics), *all_s = mean_of_ranks(b, s, statistics);
		Node *p = compose(b, "-a*rstd*rstd*t*share",
		                  TERMS({"a", a}, {"rstd", rstd}, {"t", all_t}, {"share", share}));
		Node *q = compose(b, "-a*s*share", TERMS({"a", a}, {"s", all_s}, {"share", share}));
		node_called(p, "centred_scale");
		node_called(q, "shift");
		g->result[X] =
		        compose(b, "dy*a + (centred*p + q)",
		                TERMS({"dy", g->dy}, {"a", a}, {"centred", centred}, {"p", p}, {"q", q}));
	} else if (g->wanted[X]) {
		g->result[X] = build2(b, "mul", g->dy, a);
	}
	if (g->wanted[MEAN] && !statistics) {
		Node *d = compose(b, "-a*s", TERMS({"a", a}, {"s", s}));
		g->result[MEAN] = reshape_like(b, d, in[MEAN]->type);
	}
	if (g->wanted[VAR] && !statistics) {
		Node *d = compose(b, "-0.5*a*rstd*rstd*t", TERMS({"a", a}, {"rstd", rstd}, {"t", t}));
		g->result[VAR] = reshape_like(b, d, in[VAR]->type);
	}
	if (g->wanted[GAMMA]) {
		Node *d = build2(b, "mul", t, rstd);
		g->result[GAMMA] = reshape_like(b, d, in[GAMMA]->type);
	}
	if (g->wanted[BETA])
		g->result[BETA] = reshape_like(b, s, in[BETA]->type);
}

/* The layer while it is built. */
typedef struct BatchNorm {
	Build *b;
	Node *x, *gamma, *beta, *running_mean, *running_var;
	Node *mean, *var;
	double momentum;
	int64_t statistics; /* FREE, OWN, WHOLE */
	int64_t ranks;      /* whose shares they are of */
} BatchNorm;

/* Moves a running statistic towards the batch's: an effect of the training step. Where calls share it, each moves it
 * from where the one before has left it. */
static void move_running(BatchNorm *l, Node *running, Node *now)
{
	Graph *g = l->b->graph;
	int first = 0;
	while (first < g->output_count && !(g->outputs[first].kind == OUTPUT_STATE &&
	                                    strcmp(g->outputs[first].name, running->name) == 0))
		first++;
	bool again = first < g->output_count;
	Node *from = again ? g->outputs[first].node : running;
	Node *flat = reshape_like(l->b, now, running->type);
	Node *momentum = build_constant(l->b, l->momentum);
	Node *moved = compose(l->b, "running + momentum*(now - running)",
	                      TERMS({"running", from}, {"now", flat}, {"momentum", momentum}));
	node_called(moved, "running");
	if (moved && again)
		g->outputs[first].node = moved;
	else if (moved) /* the graph may be full: it has been said */
		graph_output(g, OUTPUT_STATE, running->name, moved);
}

/* The ranks have equal shares of the batch. So the mean of all is the mean of theirs, and the variance of all the mean
 * of what theirs and the distance of their means add up to (Chan, Golub, LeVeque: Updating formulae and a pairwise
 * algorithm for computing sample variances, 1979): no two large numbers are subtracted. */
static void batch_statistics(BatchNorm *l)
{
	Build *b = l->b;
	b->of = "batchnorm.statistics";
	l->mean = build1(b, "batch_mean", l->x);
	l->var = build1(b, "batch_var", l->x);
	if (!l->mean || !l->var)
		return;
	if (l->statistics == WHOLE) {
		Node *own = l->mean;
		l->mean = node_called(mean_of_ranks(b, own, WHOLE), "mean");
		l->var = mean_of_ranks(b,
		                       compose(b, "var + square(own - mean)",
		                               TERMS({"var", l->var}, {"own", own}, {"mean", l->mean})),
		                       WHOLE);
		node_called(l->var, "var");
	}
	move_running(l, l->running_mean, l->mean);
	/* The running variance is the unbiased one, as in PyTorch; of a single element it is taken as it is. */
	const double n = values_of_channel(l->x) * (double)l->ranks;
	Node *unbiased = n > 1 ? build2(b, "mul", l->var, build_constant(b, n / (n - 1))) : l->var;
	move_running(l, l->running_var, unbiased);
	b->of = NULL;
}

/* Elsewhere the first argument of a normalisation is its channels: batchnorm(64). */
bool norm_check_epsilon(Call *c, const char *op)
{
	double epsilon = call_real(c, "epsilon");
	if (epsilon >= 0 && epsilon < 1)
		return true;
	call_error(c, "epsilon", "bad-argument", "the epsilon of `%s` is at least 0 and less than 1", op);
	if (epsilon >= 1)
		diag_help(call_build(c)->graph->diag, "the channels are known from the tensor: x -> %s", op);
	return false;
}

static Node *build_batchnorm(Call *c)
{
	BatchNorm l = {.b = call_build(c), .momentum = call_real(c, "momentum")};
	l.x = build_batch(l.b, call_tensor(c, "x"));
	if (!l.x)
		return NULL;
	if (l.x->type.rank < 2)
		return call_error(c, "x", "shape-mismatch",
		                  "`batchnorm` needs channels, and x is one number per sample");
	if (!(l.momentum >= 0 && l.momentum <= 1))
		return call_error(c, "momentum", "bad-argument",
		                  "the momentum of `batchnorm` is a share from 0 to 1");
	if (!norm_check_epsilon(c, "batchnorm"))
		return NULL;
	const int64_t *channels = &l.x->type.dim[l.x->type.rank - 1];
	l.gamma = call_param(c, "weight", 1, channels, INIT_CONSTANT, 1, false);
	l.beta = call_param(c, "bias", 1, channels, INIT_CONSTANT, 0, false);
	l.running_mean = call_state(c, "running_mean", 1, channels, 0);
	l.running_var = call_state(c, "running_var", 1, channels, 1);
	if (!l.gamma || !l.beta || !l.running_mean || !l.running_var)
		return NULL;
	l.mean = l.running_mean;
	l.var = l.running_var;
	bool frozen = node_is_frozen(l.gamma) && node_is_frozen(l.beta),
	     training = l.b->graph->training && !frozen;
	if (training && call_in_scan(c)) {
		call_error(c, NULL, "scan-state",
		           "each step of this scan would move the running mean and variance of the "
		           "`batchnorm`");
		diag_help(l.b->graph->diag,
		          "layernorm normalises in a step; a batchnorm stands before or after "
		          "the scan, on all its steps: x -> batchnorm");
		return NULL;
	}
	l.ranks = call_bool(c, "sync") ? call_ranks(c) : 1;
	l.statistics = !training ? FREE : l.ranks > 1 ? WHOLE : OWN;
	if (training)
		batch_statistics(&l);
	Attr attrs[] = {attr_real("epsilon", call_real(c, "epsilon")),
	                attr_int("batch_statistics", l.statistics)};
	return build(l.b, "batchnorm", 5, (Node *[]){l.x, l.mean, l.var, l.gamma, l.beta}, 2, attrs);
}

/* ---- layernorm */

static Node *last_mean(Build *b, Node *x)
{
	int64_t axis = x->type.rank - 1;
	Node *mean = reduce_mean(b, x, &axis, 1);
	node_called(mean->operands[0], "x_sum");
	return node_called(mean, "mean");
}

/* (x - mean)*rstd of each row. */
static Node *standardise(Build *b, Node *x, double epsilon, Node **rstd)
{
	const int64_t axis = x->type.rank - 1;
	Node *centred = node_called(build2(b, "sub", x, last_mean(b, x)), "centred");
	Node *var = node_called(reduce_mean(b, build1(b, "square", centred), &axis, 1), "var");
	*rstd = norm_rstd(b, var, epsilon);
	return node_called(build2(b, "mul", centred, *rstd), "xhat");
}

static Node *layernorm_expand(Expand *e)
{
	Node *rstd;
	Node *xhat = standardise(&e->b, e->operands[0], node_real(e->node, "epsilon"), &rstd);
	return compose(&e->b, "xhat*gamma + beta",
	               TERMS({"xhat", xhat}, {"gamma", e->operands[1]}, {"beta", e->operands[2]}));
}

/* With h = dy*gamma: dx = rstd*(h - mean(h) - xhat*mean(h*xhat)), means over the row. */
static void layernorm_grad(Grad *g)
{
	Build *b = &g->b;
	Node *gamma = g->operands[1], *beta = g->operands[2], *rstd;
	Node *xhat = standardise(b, g->operands[0], node_real(g->node, "epsilon"), &rstd);
	if (g->wanted[0]) {
		const int64_t axis = g->dy->type.rank - 1;
		Node *h = node_called(build2(b, "mul", g->dy, gamma), "dxhat");
		Node *mean = node_called(reduce_mean(b, h, &axis, 1), "dxhat_mean");
		Node *along =
		        node_called(reduce_mean(b, build2(b, "mul", h, xhat), &axis, 1), "dxhat_xhat_mean");
		g->result[0] = compose(
		        b, "rstd*(h - mean - xhat*along)",
		        TERMS({"rstd", rstd}, {"h", h}, {"mean", mean}, {"xhat", xhat}, {"along", along}));
	}
	if (g->wanted[1])
		g->result[1] = build_sum_to(b, build2(b, "mul", g->dy, xhat), gamma->type);
	if (g->wanted[2])
		g->result[2] = build_sum_to(b, g->dy, beta->type);
}

static Node *build_layernorm(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	if (x->type.rank < 2)
		return call_error(c, "x", "shape-mismatch",
		                  "`layernorm` needs channels, and x is one number per sample");
	if (!norm_check_epsilon(c, "layernorm"))
		return NULL;
	Build *b = call_build(c);
	const int64_t *channels = &x->type.dim[x->type.rank - 1];
	const bool affine = call_bool(c, "affine");
	Node *gamma = affine ? call_param(c, "weight", 1, channels, INIT_CONSTANT, 1, false)
	                     : build_broadcast(b, build_constant(b, 1), 1, channels);
	Node *beta = affine ? call_param(c, "bias", 1, channels, INIT_CONSTANT, 0, false)
	                    : build_broadcast(b, build_constant(b, 0), 1, channels);
	Attr epsilon = attr_real("epsilon", call_real(c, "epsilon"));
	return build(b, "layernorm", 3, (Node *[]){x, gamma, beta}, 1, &epsilon);
}

/* ---- rmsnorm: differentiated as what it is made of */

static Node *rmsnorm_expand(Expand *e)
{
	Build *b = &e->b;
	Node *x = e->operands[0], *square = build1(b, "square", x);
	const int64_t axis = x->type.rank - 1;
	Node *mean = node_called(reduce_mean(b, square, &axis, 1), "square_mean");
	Node *rstd = norm_rstd(b, mean, node_real(e->node, "epsilon"));
	return compose(b, "x*rstd*gamma", TERMS({"x", x}, {"rstd", rstd}, {"gamma", e->operands[1]}));
}

static Node *build_rmsnorm(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	if (x->type.rank < 2)
		return call_error(c, "x", "shape-mismatch",
		                  "`rmsnorm` needs channels, and x is one number per sample");
	if (!norm_check_epsilon(c, "rmsnorm"))
		return NULL;
	Node *gamma = call_param(c, "weight", 1, &x->type.dim[x->type.rank - 1], INIT_CONSTANT, 1, false);
	Attr epsilon = attr_real("epsilon", call_real(c, "epsilon"));
	return build(call_build(c), "rmsnorm", 2, (Node *[]){x, gamma}, 1, &epsilon);
}

/* ---- samples: statistics as free operands, which is what finite differences of one node can check; the closed form
 * for batch statistics is checked through the layer */

#define BATCHNORM(X, C)                                                            \
	"x=f32[" X "] mean=f32[" C "] var=f32[" C "] gamma=f32[" C "] beta=f32[" C \
	"] epsilon=1e-5 batch_statistics=0"
#define BATCHNORM_KEPT(X, S, C)                                                    \
	"x=f32[" X "] mean=f32[" S "] var=f32[" S "] gamma=f32[" C "] beta=f32[" C \
	"] epsilon=1e-3 batch_statistics=0"

static const char *const statistic_samples[] = {
        "x=f32[1,1]",       "x=f32[1,5]",     "x=f32[2,1]",
        "x=f32[3,5]",       "x=f32[7,2]",     "x=f32[8,16]",
        "x=f32[65,33]",     "x=f32[2,3,5]",   "x=f32[4,1,3]",
        "x=f32[1,7,1]",     "x=f32[2,3,3,4]", "x=f32[2,1,1,7]",
        "x=f32[1,5,1,3]",   "x=f32[3,2,2,1]", "x=f32[1,1,1,1]",
        "x=f32[2,5,7,3]",   "x=f32[4,8,8,8]", "x=f32[5,9,9,12]",
        "x=f32[2,2,2,2,3]", "x=f32[300,24]",  NULL,
};

static const char *const batchnorm_samples[] = {
        BATCHNORM("1,1", "1"),
        BATCHNORM("1,5", "5"),
        BATCHNORM("2,1", "1"),
        BATCHNORM("3,5", "5"),
        BATCHNORM("7,2", "2"),
        BATCHNORM("8,16", "16"),
        BATCHNORM("2,3,5", "5"),
        BATCHNORM("4,1,3", "3"),
        BATCHNORM("1,7,1", "1"),
        BATCHNORM("2,3,3,4", "4"),
        BATCHNORM("2,1,1,7", "7"),
        BATCHNORM("1,5,1,3", "3"),
        BATCHNORM("3,2,2,1", "1"),
        BATCHNORM("1,1,1,1", "1"),
        BATCHNORM("2,5,7,3", "3"),
        BATCHNORM_KEPT("3,5", "1,5", "5"),
        BATCHNORM_KEPT("2,3,5", "1,1,5", "5"),
        BATCHNORM_KEPT("2,3,3,4", "1,1,1,4", "4"),
        BATCHNORM_KEPT("1,1,1,1", "1,1,1,1", "1"),
        BATCHNORM_KEPT("4,1,3,2", "1,1,1,2", "2"),
        BATCHNORM_KEPT("2,7,5,9", "1,1,1,9", "9"),
        NULL,
};

#define LAYERNORM(X, C, EPSILON) "x=f32[" X "] gamma=f32[" C "] beta=f32[" C "] epsilon=" EPSILON

static const char *const layernorm_samples[] = {
        LAYERNORM("1,2", "2", "1e-5"),
        LAYERNORM("1,5", "5", "1e-5"),
        LAYERNORM("2,3", "3", "1e-5"),
        LAYERNORM("3,5", "5", "1e-5"),
        LAYERNORM("7,2", "2", "1e-3"),
        LAYERNORM("8,16", "16", "1e-5"),
        LAYERNORM("5,33", "33", "1e-5"),
        LAYERNORM("2,64", "64", "1e-5"),
        LAYERNORM("3,1", "1", "1e-5"),
        LAYERNORM("1,1", "1", "1e-3"),
        LAYERNORM("2,3,5", "5", "1e-5"),
        LAYERNORM("4,1,3", "3", "1e-3"),
        LAYERNORM("1,7,4", "4", "1e-5"),
        LAYERNORM("1,1,6", "6", "1e-5"),
        LAYERNORM("2,3,3,4", "4", "1e-5"),
        LAYERNORM("2,1,1,7", "7", "1e-5"),
        LAYERNORM("1,5,1,3", "3", "1e-1"),
        LAYERNORM("3,2,2,9", "9", "1e-5"),
        LAYERNORM("1,1,1,11", "11", "1e-5"),
        LAYERNORM("2,2,2,2,3", "3", "1e-5"),
        NULL,
};

#define RMSNORM(X, C, EPSILON) "x=f32[" X "] gamma=f32[" C "] epsilon=" EPSILON

static const char *const rmsnorm_samples[] = {
        RMSNORM("1,2", "2", "1e-5"),       RMSNORM("1,5", "5", "1e-5"),       RMSNORM("2,3", "3", "1e-5"),
        RMSNORM("3,5", "5", "1e-5"),       RMSNORM("7,2", "2", "1e-3"),       RMSNORM("8,16", "16", "1e-5"),
        RMSNORM("5,33", "33", "1e-5"),     RMSNORM("2,64", "64", "1e-5"),     RMSNORM("3,1", "1", "1e-1"),
        RMSNORM("1,1", "1", "1e-1"),       RMSNORM("2,3,5", "5", "1e-5"),     RMSNORM("4,1,3", "3", "1e-3"),
        RMSNORM("1,7,4", "4", "1e-5"),     RMSNORM("1,1,6", "6", "1e-5"),     RMSNORM("2,3,3,4", "4", "1e-5"),
        RMSNORM("2,1,1,7", "7", "1e-5"),   RMSNORM("1,5,1,3", "3", "1e-1"),   RMSNORM("3,2,2,9", "9", "1e-5"),
        RMSNORM("1,1,1,11", "11", "1e-5"), RMSNORM("2,2,2,2,3", "3", "1e-5"), NULL,
};

const Op norm_ops[] = {
        {.name = "batchnorm",
         .by_channel = batchnorm_by_channel,
         .signature = "x, mean, var, gamma, beta -> y",
         .call = "x, epsilon: real = 1e-5, momentum: real = 0.1, sync: bool = false",
         .doc = "(x - mean)/sqrt(var + epsilon)*weight + bias for each channel (the last dimension). In "
                "training mean and variance are the batch's, and the running ones move towards them by "
                "`momentum`; in evaluation they are the running ones. The only layer that looks across the "
                "batch, unless its parameters are frozen: then it takes the running ones in training too. "
                "Where several ranks share a batch, each takes the statistics of its own share; with "
                "`sync` they are those of the whole batch, for two exchanges of numbers in each step.",
         .flags = OP_COUPLES,
         .couples_if = "batch_statistics",
         .infer = norm_per_channel,
         .grad = batchnorm_grad,
         .expand = batchnorm_expand,
         .build = build_batchnorm,
         .expr_flops = 4,
         .lo = 0.25,
         .hi = 2,
         .samples = batchnorm_samples},
        {.name = "first_place",
         .signature = "x -> y",
         .doc = "Of each channel the first element of the batch.",
         .flags = OP_COUPLES,
         .halves = HALVES_NONE,
         .infer = statistic_infer,
         .cost = first_place_cost,
         .samples = statistic_samples},
        {.name = "batch_mean",
         .signature = "x -> y",
         .doc = "The mean of each channel over the whole batch.",
         .infer = statistic_infer,
         .grad = batch_mean_grad,
         .expand = batch_mean_expand,
         .samples = statistic_samples},
        {.name = "batch_var",
         .signature = "x -> y",
         .doc = "The biased variance of each channel over the whole batch.",
         .infer = statistic_infer,
         .grad = batch_var_grad,
         .expand = batch_var_expand,
         .samples = statistic_samples},
        {.name = "layernorm",
         .signature = "x, gamma, beta -> y",
         .call = "x, epsilon: real = 1e-5, affine: bool = true",
         .doc = "(x - mean)/sqrt(var + epsilon)*weight + bias with mean and variance of each row along the "
                "last dimension; without `affine` no weight and bias.",
         .flags = OP_BY_ROW,
         .infer = norm_per_channel,
         .grad = layernorm_grad,
         .expand = layernorm_expand,
         .build = build_layernorm,
         .expr_flops = 8,
         .samples = layernorm_samples},
        {.name = "rmsnorm",
         .signature = "x, gamma -> y",
         .call = "x, epsilon: real = 1e-5",
         .doc = "x/sqrt(mean(x*x) + epsilon)*weight with the mean of each row along the last dimension.",
         .flags = OP_BY_ROW,
         .infer = norm_per_channel,
         .expand = rmsnorm_expand,
         .build = build_rmsnorm,
         .expr_flops = 5,
         .samples = rmsnorm_samples},
        {0},
};
