/* Finds attention in what a network says, and makes it one operator (ops/attention.h).
 *
 *     matmul(dropout(softmax(scale*matmul(q, k))), v)         with a mask of what comes later, and the dropout, if they
 *                                                             are there
 *
 * for each sample and head, has a matrix of scores of all places with all, of which a training step keeps several. The
 * operator keeps none. It reads queries, keys and values of all heads side by side, as one dense layer makes them:
 * where q, k and v are its three parts that layer's result is read in place; else they are laid side by side first.
 *
 * For heads as tensor cores take them: a multiple of 8 columns, at most 128, on CUDA in 16 bits or under tf32; on the
 * CPU, in whatever arithmetic, for so few places that the scores of some rows fit on a stack. Another mask, another
 * number of queries than of keys, or scores or shares that something else reads leave all as it is: then they are in
 * memory anyway.
 *
 * Must run before differentiate; needs nothing before it. */
#include "ir/formula.h"
#include "ops/attention.h"
#include "ops/op.h"
#include "ops/compose.h"
#include "passes/pass.h"
#include "passes/projections.h"

#include <string.h>

/* Scores of what may not be looked at, as the softmax gets them: it makes nothing of them. */
static const double MASKED = -1e4;

/* The parts that it is made of. */
typedef struct Forms {
	const Formula *masked, *divided, *multiplied, *dropped, *shares, *allowed, *triangle, *sum;
} Forms;

static Forms forms_of(Arena *a)
{
	return (Forms){.masked = formula_parse(a, "select(mask, x, c)"),
	               .divided = formula_parse(a, "x/c"),
	               .multiplied = formula_parse(a, "x*c"),
	               .dropped = formula_parse(a, "dropout(x)"),
	               .shares = formula_parse(a, "softmax(x)"),
	               .allowed = formula_parse(a, "x == 1"),
	               .triangle = formula_parse(a, "lower_triangle()"),
	               .sum = formula_parse(a, "x + y")};
}

typedef struct Found {
	const Forms *forms;
	const int *uses; /* by node: how often it is read; NULL: it does not matter */
	bool is_shared;  /* something else reads what stands between the two products */
	Node *q, *k, *v; /* [batch*heads, n, d], k perhaps with the last two exchanged */
	bool k_is_turned;
	bool causal;
	double scale, rate;
	int64_t stream;
} Found;

/* What stands between the products, without reshapes: one other node alone is to read each. */
static Node *between(Node *n, Found *f)
{
	for (;; n = n->operands[0]) {
		f->is_shared = f->is_shared || (f->uses && f->uses[n->id] > 1);
		if (!(n->op->flags & OP_RESHAPES))
			return n;
	}
}

static bool ends_in_square(Type t, int64_t n)
{
	return t.rank >= 2 && t.dim[t.rank - 2] == n && t.dim[t.rank - 1] == n;
}

/* Whether the mask is 1 where column j <= row i of the n places, rows and columns being those of the scores: its last
 * two dimensions, as theirs. */
static bool is_lower_triangle(const Forms *forms, const Node *mask, int64_t n)
{
	Match m;
	if (!ends_in_square(mask->type, n))
		return false;
	mask = node_unshaped(mask);
	if (formula_matches(forms->allowed, mask, &m))
		mask = node_unshaped(matched(&m, "x"));
	return formula_matches(forms->triangle, mask, NULL) && node_int(mask, "n") == n &&
	       type_elements(mask->type) == n * n;
}

/* What stands between the product of queries and keys and the softmax: a mask and factors, in any order. */
static Node *scores_of(Node *n, int64_t places, Found *f)
{
	for (;;) {
		Match m;
		n = between(n, f);
		if (!f->causal && formula_matches(f->forms->masked, n, &m) &&
		    matched_value(&m, "c") * f->scale <= MASKED && ends_in_square(n->type, places) &&
		    is_lower_triangle(f->forms, matched(&m, "mask"), places))
			f->causal = true;
		else if (formula_matches(f->forms->divided, n, &m) && matched_value(&m, "c") > 0)
			f->scale /= matched_value(&m, "c");
		else if (formula_matches(f->forms->multiplied, n, &m) && matched_value(&m, "c") > 0)
			f->scale *= matched_value(&m, "c");
		else
			return n;
		n = matched(&m, "x");
	}
}

/* Whether `n`, with these operands, is the product of shares and values. */
static bool find(const Forms *forms, const Node *n, Node *const *operands, bool training, const int *uses,
                 Found *f)
{
	if (n->op->gemm != GEMM_PRODUCT || n->type.rank != 3 || node_int(n, "ta") || node_int(n, "tb"))
		return false;
	*f = (Found){.forms = forms, .uses = uses, .scale = 1, .v = operands[1]};
	const int64_t places = operands[1]->type.dim[1];
	Node *shares = between(operands[0], f);
	if (n->type.dim[1] != places)
		return false;
	if (formula_matches(forms->dropped, shares, NULL)) {
		f->rate = training ? node_real(shares, "rate") : 0;
		f->stream = node_int(shares, "stream");
		shares = between(shares->operands[0], f);
	}
	if (!formula_matches(forms->shares, shares, NULL) ||
	    node_int(shares, "axis") != shares->type.rank - 1 ||
	    shares->type.dim[shares->type.rank - 1] != places)
		return false;
	const Node *scores = scores_of(shares->operands[0], places, f);
	if (scores->op->gemm != GEMM_PRODUCT || scores->type.rank != 3 || node_int(scores, "ta") ||
	    scores->type.dim[0] != n->type.dim[0] || scores->type.dim[1] != places ||
	    scores->type.dim[2] != places)
		return false;
	f->q = scores->operands[0], f->k = scores->operands[1];
	f->k_is_turned = !node_int(scores, "tb");
	return f->q->type.dim[2] == n->type.dim[2];
}

/* [batch*heads, n, d], or with `turned` [batch*heads, d, n], as [batch, n, heads*d]. */
static Node *beside_each_other(Build *b, Node *x, int64_t batch, bool turned)
{
	const int64_t heads = x->type.dim[0] / batch, n = x->type.dim[turned ? 2 : 1],
	              d = x->type.dim[turned ? 1 : 2];
	const int64_t inner[2] = {x->type.dim[1], x->type.dim[2]};
	const Attr axes = attr_ints("axes", turned ? (int64_t[]){0, 3, 1, 2} : (int64_t[]){0, 2, 1, 3}, 4);
	const Node *made = node_unshaped(x);
	int count;
	/* the transposition that made it, of which this would be the inverse */
	if (made->op->move == MOVE_TRANSPOSE && made->type.rank == 4) {
		const int64_t *there = node_ints(made, "axes", &count),
		              *wanted = turned ? (int64_t[]){0, 2, 3, 1} : (int64_t[]){0, 2, 1, 3};
		const int64_t dim[4] = {batch, heads, inner[0], inner[1]};
		if (memcmp(there, wanted, 4 * sizeof *there) == 0 &&
		    memcmp(made->type.dim, dim, sizeof dim) == 0)
			return build_reshape(b, made->operands[0], 3, (int64_t[]){batch, n, heads * d});
	}
	Node *apart = build_reshape(b, x, 4, (int64_t[]){batch, heads, inner[0], inner[1]});
	return build_reshape(b, build(b, "transpose", 1, &apart, 1, &axes), 3,
	                     (int64_t[]){batch, n, heads * d});
}

/* The tensor [batch, n, 3*width] of which the three are the parts in order; NULL. */
static Node *whole_of(Build *b, Node *const part[3], const int64_t dim[3])
{
	Node *whole = NULL;
	for (int i = 0; i < 3; i++) {
		const Node *slice = node_unshaped(part[i]);
		const int last = slice->type.rank - 1;
		if (slice->op->move != MOVE_SLICE || node_int(slice, "axis") != last ||
		    node_int(slice, "start") != i * dim[2] || node_int(slice, "count") != dim[2] ||
		    slice->operands[0]->type.dim[last] != 3 * dim[2] ||
		    (whole && slice->operands[0] != whole))
			return NULL;
		whole = slice->operands[0];
	}
	return build_reshape(b, whole, 3, (int64_t[]){dim[0], dim[1], 3 * dim[2]});
}

typedef struct Search {
	PassContext *ctx;
	const Graph *graph; /* the old one */
	const int *uses;    /* in it */
	Forms forms;
} Search;

/* What has x's last two dimensions exchanged; NULL: nothing. */
static Node *before_turning(Node *x)
{
	const Node *turned = node_unshaped(x);
	const int last = turned->type.rank - 1;
	int count;
	if (turned->op->move != MOVE_TRANSPOSE || last < 2)
		return NULL;
	const int64_t *axes = node_ints(turned, "axes", &count);
	for (int i = 0; i <= last; i++)
		if (axes[i] != (i < last - 1 ? i : i == last ? last - 1 : last))
			return NULL;
	const bool same = turned->type.dim[last] == x->type.dim[x->type.rank - 1] &&
	                  turned->type.dim[last - 1] == x->type.dim[x->type.rank - 2];
	return same ? turned->operands[0] : NULL;
}

/* Keys as the product reads them, or as they were before they were turned for it. */
static Node *straight_keys(const Found *f)
{
	Node *straight = f->k_is_turned ? before_turning(f->k) : NULL;
	return straight ? straight : f->k;
}

/* What a transposition into heads is of; x where it is none. */
static Node *maker(Node *x)
{
	const Node *turned = node_unshaped(x);
	return turned->op->move == MOVE_TRANSPOSE ? turned->operands[0] : x;
}

static Node *attention_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Search *search = data;
	PassContext *ctx = search->ctx;
	Found f;
	if (!find(&search->forms, n, n->operands, to->training, search->uses, &f))
		return NULL;
	const int64_t batch = to->batch, places = n->type.dim[1], size = n->type.dim[2];
	const char *where = sites_text(to->arena, n->sites, 3);
	if (f.is_shared) {
		pass_remark(ctx, "%s: attention keeps its scores: something else reads them", where);
		return NULL;
	}
	const int64_t most = ctx->target->attention_places;
	if (most > 0 && places > most) {
		pass_remark(ctx, "%s: attention keeps its scores: more than %lld places", where,
		            (long long)most);
		return NULL;
	}
	if (n->type.dim[0] % batch != 0 || !attention_fits(places, places, size)) {
		pass_remark(
		        ctx,
		        "%s: attention keeps its scores: heads of %lld columns, no multiple of 8 up to 128",
		        where, (long long)size);
		return NULL;
	}
	if (ctx->target->gpu &&
	    attention_shared_bytes(size, pass_in_tf32(ctx) ? 4 : 2) > target_arch(ctx->target).shared_bytes) {
		pass_remark(
		        ctx,
		        "%s: attention keeps its scores: heads of %lld columns are too large for the shared "
		        "memory of the device",
		        where, (long long)size);
		return NULL;
	}
	if (f.rate > 0 && ctx->recipe && ctx->recipe->ranks > 1) {
		pass_remark(ctx, "%s: attention keeps its scores: its dropout is drawn for several ranks",
		            where);
		return NULL;
	}
	Node *const made[3] = {maker(f.q), maker(straight_keys(&f)), maker(f.v)};
	bool joined = projections_fit(search->graph, search->forms.sum, made, 3, search->uses);
	require(find(&search->forms, n, operands, to->training, NULL, &f));
	const int64_t heads = n->type.dim[0] / batch, dim[3] = {batch, places, heads * size};
	Build b = build_beside(to, n);
	Node *k = straight_keys(&f);
	const bool turned = f.k_is_turned && k == f.k;
	if (!turned)
		k = build_reshape(&b, k, 3, f.q->type.dim);
	Node *part[3] = {beside_each_other(&b, f.q, batch, false), beside_each_other(&b, k, batch, turned),
	                 beside_each_other(&b, f.v, batch, false)};
	joined = joined && projections_are(search->forms.sum, part, 3);
	Node *x = joined ? build_reshape(&b, projections_join(&b, search->forms.sum, part, 3), 3,
	                                 (int64_t[]){dim[0], dim[1], 3 * dim[2]})
	                 : whole_of(&b, part, dim);
	const Attr last = attr_int("axis", 2);
	const bool laid = !x;
	if (laid)
		x = build(&b, "concat", 3, part, 1, &last);
	const Attr attrs[] = {attr_int("heads", heads), attr_real("scale", f.scale),
	                      attr_int("causal", f.causal), attr_real("rate", f.rate),
	                      attr_int("stream", f.stream)};
	Node *y = build(&b, "attention", 1, &x, sizeof attrs / sizeof *attrs, attrs);
	pass_remark(ctx, "%s: attention of %lld heads, [%lld,%lld] scores each: they are never in memory%s",
	            where, (long long)heads, (long long)places, (long long)places,
	            joined ? "; one product makes queries, keys and values"
	            : laid ? "; queries, keys and values are laid side by side first"
	                   : "");
	const Attr axes = attr_ints("axes", (int64_t[]){0, 2, 1, 3}, 4);
	Node *apart = build_reshape(&b, y, 4, (int64_t[]){batch, places, heads, size});
	Node *z = build_reshape(&b, build(&b, "transpose", 1, &apart, 1, &axes), 3, n->type.dim);
	z->name = n->name;
	return z;
}

Graph *pass_attention(PassContext *ctx, const Graph *g)
{
	const char *precision = ctx->recipe ? ctx->recipe->precision : NULL;
	const bool cores = precision && (strcmp(precision, "tf32") == 0 || strcmp(precision, "bf16") == 0 ||
	                                 strcmp(precision, "fp16") == 0);
	if (!cores && ctx->target->gpu)
		return (Graph *)g;
	Search search = {ctx, g, graph_use_counts(ctx->arena, g), forms_of(ctx->arena)};
	return graph_rewrite(ctx->arena, g, attention_rule, &search);
}
