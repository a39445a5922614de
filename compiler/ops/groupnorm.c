/* SPDX-License-Identifier: MIT */
/* groupnorm: mean and variance of each group of neighbouring channels, over all places of a sample (Wu, He: Group
 * normalization, 2018); instancenorm: of each channel (Ulyanov and others, 2016).
 *
 * What goes through all of x is by channel, in x's own shape: sums of (x - k) and (x - k)^2 in one pass, with k the
 * sample's first place; then (x - mean)*scale + bias, which what follows joins. Between them stand numbers per channel
 * and group alone. The gradient is as cheap: two sums by channel, and one pass more.
 *
 * The shift by k spares the variance the digits that a large mean costs only where the first place is near the mean of
 * its channel, by the spread of its values; where it is many times that away, its distance costs as many. */
#include "ops/norm.h"

#include "ops/compose.h"

enum { DEEPEST = 3 /* steps from x up to what its first place is computed of */ };

/* With S channels a group, [batch, 1, .., 1, channels] as [batch, groups, S], and P places. */
typedef struct Groups {
	Build *b;
	Type by_channel; /* of a sample's sums */
	int64_t dim[3];
	double places;
	Node *mean;        /* by_channel */
	Node *rstd, *gain; /* [batch, groups, 1]; rstd*gamma [batch, groups, S] */
} Groups;

static Node *as_groups(const Groups *g, Node *x)
{
	return build_reshape(g->b, x, 3, g->dim);
}

/* A number per group, or channel, for each channel. */
static Node *for_channels(const Groups *g, Node *x)
{
	const Attr shape = attr_ints("shape", g->dim, 3);
	if (x->type.dim[2] != g->dim[2])
		x = build(g->b, "broadcast", 1, &x, 1, &shape);
	return reshape_like(g->b, x, g->by_channel);
}

static Node *sum_places(const Groups *g, Node *x)
{
	int64_t axes[LIMIT_RANK];
	for (int i = 1; i < x->type.rank - 1; i++)
		axes[i - 1] = i;
	return build_reduce(g->b, "sum", x, axes, x->type.rank - 2);
}

static Node *mean_of_group(const Groups *g, Node *x)
{
	const int64_t axis = 2;
	return reduce_mean(g->b, x, &axis, 1);
}

/* An operand of what is computed element by element, for the first place alone, [batch, 1, channels]; NULL: it is not
 * the same for all places. */
static Node *of_first_place(const Groups *g, Node *x, int rank)
{
	const int64_t channels = x->type.rank ? x->type.dim[x->type.rank - 1] : 1;
	if (x->type.rank < 2)
		return x;
	if (x->type.rank != rank || type_elements(x->type) != x->type.dim[0] * channels)
		return NULL;
	return build_reshape(g->b, x, 3, (int64_t[]){x->type.dim[0], 1, channels});
}

/* The sample's first place of x, [batch, 1, channels]: of what is computed element by element, computed of its
 * operands' first places, so that this is no further reader of all of x. */
static Node *first_place(const Groups *g, Node *x, int depth)
{
	const Op *op = x->op;
	Node *operands[3];
	const bool by_place = op->flags & (OP_BY_ELEMENT | OP_SEEDED) || op->move || x->operand_count > 3;
	bool apart = depth > 0 && op->flags & OP_POINTWISE && !by_place && x->operand_count > 0;
	for (int i = 0; apart && i < x->operand_count; i++) {
		Node *y = x->operands[i];
		operands[i] = shape_equal(y->type, x->type) ? first_place(g, y, depth - 1)
		                                            : of_first_place(g, y, x->type.rank);
		apart = operands[i];
	}
	if (apart)
		return build(g->b, op->name, x->operand_count, operands, x->attr_count, x->attrs);
	const Type t = x->type;
	const int64_t channels = t.dim[t.rank - 1];
	Node *y = build_reshape(g->b, x, 3,
	                        (int64_t[]){t.dim[0], type_elements(t) / t.dim[0] / channels, channels});
	return build_slice(g->b, y, 1, 0, 1);
}

static Groups find_groups(Build *b, Node *x, Node *gamma, const Node *n)
{
	const Type t = x->type;
	const int64_t channels = t.dim[t.rank - 1], groups = node_int(n, "groups");
	Groups g = {.b = b, .by_channel = t, .dim = {t.dim[0], groups, channels / groups}};
	for (int i = 1; i < t.rank - 1; i++)
		g.by_channel.dim[i] = 1;
	g.places = (double)(type_elements(t) / type_elements(g.by_channel));
	/* as wide as sums are */
	Node *k = reshape_like(b, sum_places(&g, first_place(&g, x, DEEPEST)), g.by_channel);
	Node *moved = build2(b, "sub", x, k);
	Node *share = build_constant(b, 1 / g.places);
	Node *sum = node_called(sum_places(&g, moved), "sum"),
	     *square = node_called(sum_places(&g, build1(b, "square", moved)), "square_sum");
	const Term terms[] = {{"k", as_groups(&g, k)},
	                      {"sum", as_groups(&g, sum)},
	                      {"square", as_groups(&g, square)},
	                      {"share", share},
	                      {0}};
	Node *by_channel = compose(b, "k + sum*share", terms);
	Node *mean = node_called(mean_of_group(&g, by_channel), "mean");
	Node *spread = compose(b, "square*share - (sum*share)*(sum*share) + square(channel - mean)",
	                       TERMS({"square", as_groups(&g, square)}, {"share", share},
	                             {"sum", as_groups(&g, sum)}, {"channel", by_channel}, {"mean", mean}));
	Node *zero = build_constant(b, 0);
	Node *var = build2(b, "maximum", mean_of_group(&g, spread), zero);
	g.rstd = norm_rstd(b, node_called(var, "var"), node_real(n, "epsilon"));
	g.gain = compose(b, "rstd*gamma",
	                 TERMS({"rstd", g.rstd},
	                       {"gamma", build_reshape(b, gamma, 3, (int64_t[]){1, g.dim[1], g.dim[2]})}));
	g.mean = for_channels(&g, mean);
	return g;
}

static Node *groupnorm_expand(Expand *e)
{
	Node *x = e->operands[0];
	const Groups g = find_groups(&e->b, x, e->operands[1], e->node);
	return compose(&e->b, "(x - mean)*gain + beta",
	               TERMS({"x", x}, {"mean", g.mean}, {"gain", for_channels(&g, g.gain)},
	                     {"beta", e->operands[2]}));
}

/* With n elements a group, S = sum(dy) and T = sum(dy*(x - mean)) by channel:
 *     dx = dy*gain - rstd*(sum(gamma*S) + (x - mean)*rstd^2*sum(gamma*T))/n
 *     dgamma = sum(T*rstd), dbeta = sum(S) of all samples. */
static void groupnorm_grad(Grad *g)
{
	Build *b = &g->b;
	Node *x = g->operands[0], *gamma = g->operands[1];
	Groups of = find_groups(b, x, gamma, g->node);
	Node *centred = node_called(build2(b, "sub", x, of.mean), "centred");
	Node *s = node_called(sum_places(&of, g->dy), "dy_sum");
	Node *t = node_called(sum_places(&of, build2(b, "mul", g->dy, centred)), "dy_centred_sum");
	Node *by_group[] = {as_groups(&of, s), as_groups(&of, t)};
	if (g->wanted[0]) {
		Node *share = build_constant(b, 1 / of.places), *mean[2];
		for (int i = 0; i < 2; i++)
			mean[i] = mean_of_group(&of, build2(b, "mul", by_group[i], of.gain));
		Node *shift = compose(b, "-mean*share", TERMS({"mean", mean[0]}, {"share", share}));
		Node *slope = compose(b, "-mean*rstd*rstd*share",
		                      TERMS({"mean", mean[1]}, {"rstd", of.rstd}, {"share", share}));
		g->result[0] = compose(b, "dy*gain + (centred*slope + shift)",
		                       TERMS({"dy", g->dy}, {"gain", for_channels(&of, of.gain)},
		                             {"centred", centred}, {"slope", for_channels(&of, slope)},
		                             {"shift", for_channels(&of, shift)}));
	}
	if (g->wanted[1])
		g->result[1] = build_sum_to(b, build2(b, "mul", t, for_channels(&of, of.rstd)), gamma->type);
	if (g->wanted[2])
		g->result[2] = build_sum_to(b, s, g->operands[2]->type);
}

static bool groupnorm_infer(Infer *in)
{
	if (!norm_per_channel(in))
		return false;
	const Type x = in->operands[0]->type;
	const int64_t groups = infer_int(in, "groups"), channels = x.dim[x.rank - 1];
	return (groups >= 1 && channels % groups == 0) ||
	       infer_error(in, "bad-groups", "%lld channels can't be divided into %lld groups",
	                   (long long)channels, (long long)groups);
}

/* ---- the layers */

/* A number for each channel that is not learned. */
static Node *channels_of(Build *b, double value, const int64_t *channels)
{
	Node *x = build_constant(b, value);
	const Attr shape = attr_ints("shape", channels, 1);
	return build(b, "broadcast", 1, &x, 1, &shape);
}

static Node *normalise_groups(Call *c, Node *x, int64_t groups, bool affine)
{
	Build *b = call_build(c);
	const int64_t *channels = &x->type.dim[x->type.rank - 1];
	Node *gamma = affine ? call_param(c, "weight", 1, channels, INIT_CONSTANT, 1, false)
	                     : channels_of(b, 1, channels);
	Node *beta = affine ? call_param(c, "bias", 1, channels, INIT_CONSTANT, 0, false)
	                    : channels_of(b, 0, channels);
	if (!gamma || !beta)
		return NULL;
	const Attr attrs[] = {attr_int("groups", groups), attr_real("epsilon", call_real(c, "epsilon"))};
	return build(b, "groupnorm", 3, (Node *[]){x, gamma, beta}, 2, attrs);
}

static Node *build_groupnorm(Call *c)
{
	Node *x = call_tensor(c, "x");
	int64_t groups = call_int(c, "groups");
	if (!x)
		return NULL;
	int64_t channels = x->type.rank < 2 ? 0 : x->type.dim[x->type.rank - 1];
	if (groups < 1 || !channels || channels % groups != 0)
		return call_error(c, "groups", "bad-groups",
		                  "%lld channels can't be divided into %lld groups", (long long)channels,
		                  (long long)groups);
	return norm_check_epsilon(c, "groupnorm") ? normalise_groups(c, x, groups, true) : NULL;
}

static Node *build_instancenorm(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	if (x->type.rank < 3)
		return call_error(
		        c, "x", "shape-mismatch",
		        "`instancenorm` needs places with channels, as an image [height, width, channels]");
	if (!norm_check_epsilon(c, "instancenorm"))
		return NULL;
	return normalise_groups(c, x, x->type.dim[x->type.rank - 1], call_bool(c, "affine"));
}

#define GROUPNORM(X, C, GROUPS, EPSILON) \
	"x=f32[" X "] gamma=f32[" C "] beta=f32[" C "] groups=" GROUPS " epsilon=" EPSILON

static const char *const groupnorm_samples[] = {
        GROUPNORM("1,2", "2", "1", "1e-3"),
        GROUPNORM("2,4", "4", "2", "1e-3"),
        GROUPNORM("3,9", "9", "3", "1e-5"),
        GROUPNORM("2,8", "8", "2", "1e-5"),
        GROUPNORM("1,6", "6", "1", "1e-5"),
        GROUPNORM("2,3,4", "4", "2", "1e-5"),
        GROUPNORM("2,5,1", "1", "1", "1e-5"),
        GROUPNORM("1,7,3", "3", "3", "1e-5"),
        GROUPNORM("3,4,6", "6", "2", "1e-3"),
        GROUPNORM("2,1,8", "8", "4", "1e-3"),
        GROUPNORM("2,3,3,4", "4", "1", "1e-5"),
        GROUPNORM("2,3,3,4", "4", "2", "1e-5"),
        GROUPNORM("2,3,3,4", "4", "4", "1e-5"),
        GROUPNORM("1,5,1,6", "6", "3", "1e-5"),
        GROUPNORM("4,1,3,2", "2", "1", "1e-3"),
        GROUPNORM("1,7,5,3", "3", "3", "1e-5"),
        GROUPNORM("2,1,1,6", "6", "2", "1e-5"),
        GROUPNORM("1,9,9,1", "1", "1", "1e-5"),
        GROUPNORM("2,4,4,32", "32", "32", "1e-5"),
        GROUPNORM("2,2,2,2,6", "6", "2", "1e-5"),
        NULL,
};

const Op groupnorm_ops[] = {
        {.name = "groupnorm",
         .signature = "x, gamma, beta -> y",
         .call = "x, groups: int = 32, epsilon: real = 1e-5",
         .doc = "(x - mean)/sqrt(var + epsilon)*weight + bias with mean and variance of each group of "
                "neighbouring channels over all places of a sample; weight and bias are one for each "
                "channel.",
         .infer = groupnorm_infer,
         .grad = groupnorm_grad,
         .expand = groupnorm_expand,
         .build = build_groupnorm,
         .expr_flops = 6,
         .samples = groupnorm_samples},
        {.name = "instancenorm",
         .call = "x, epsilon: real = 1e-5, affine: bool = false",
         .doc = "(x - mean)/sqrt(var + epsilon) with mean and variance of each channel over all places of a "
                "sample; with `affine` also *weight + bias.",
         .build = build_instancenorm},
        {0},
};
