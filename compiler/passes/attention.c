/* SPDX-License-Identifier: MIT */
/* Makes attention one operator (ops/attention.h), where a network says it with matrices of scores (attention_find.h).
 *
 *     matmul(dropout(softmax(scale*matmul(q, k) + mask)), v)
 *
 * for each sample and head, has a matrix of scores of all queries with all keys, of which a training step keeps
 * several. The operator keeps none. It reads queries, keys and values from one tensor, where they are
 *
 *     side by side    the three parts of one dense layer, or of three that become one (projections.h)
 *     in two pieces   keys and values so, as of what a decoder looks at in an encoder
 *     in three        each is computed in its place (place_pieces); what has another place already is copied
 *
 * and where several heads of queries have the keys and values of one, these are read once. Heads are put side by side
 * ahead of what is computed of each element of them, as a rotation by its place, where that makes transpositions
 * disappear (attention_turn.h).
 *
 * Dimensions between batch and heads, as the windows of an image, are samples of the operator.
 *
 * For heads as tensor cores take them: a multiple of 8 columns, at most 128, on CUDA in 16 bits or under tf32; on the
 * CPU, in whatever arithmetic, for so few keys that the scores of some rows fit on a stack. Another shape of a mask,
 * and scores or shares that something else reads leave all as it is: then they are in memory anyway.
 *
 * Must run before differentiate; needs nothing before it. */
#include "ops/attention.h"
#include "ops/compose.h"
#include "ir/op.h"
#include "passes/attention_find.h"
#include "passes/attention_turn.h"
#include "passes/pass.h"
#include "rules/projections.h"

#include <string.h>

typedef struct Search {
	PassContext *ctx;
	const Graph *graph; /* the old one */
	AttentionForms forms;
	AttentionSearch old; /* in it */
} Search;

/* ---- operands */

/* Keys or values [heads, places, columns] before each head was repeated for several of queries: [groups, ...]; x where
 * it was not. */
static Node *before_repeating(Build *b, Node *x)
{
	const Node *made = node_unshaped(x);
	Node *from = made->op->move == MOVE_BROADCAST ? made->operands[0] : NULL;
	if (!from || from->type.rank != made->type.rank)
		return x;
	const int rank = from->type.rank;
	int axis = -1, repeated = 0;
	for (int i = 0; i < rank; i++)
		if (from->type.dim[i] != made->type.dim[i])
			axis = i, repeated++;
	if (repeated != 1 || from->type.dim[axis] != 1 ||
	    type_product(from->type, axis, rank) != x->type.dim[1] * x->type.dim[2])
		return x;
	const int64_t groups = type_product(from->type, 0, axis);
	return b ? build_reshape(b, from, 3, (int64_t[]){groups, x->type.dim[1], x->type.dim[2]}) : from;
}

/* Keys as the product reads them, or as they were before they were turned for it: [heads, n, d], or of its elements. */
static Node *straight_keys(const Attention *f)
{
	Node *straight = f->k_is_turned ? node_turned_from(f->k) : NULL;
	return straight ? straight : f->k;
}

/* What a transposition into heads is of; x where it is none. */
static Node *maker(Node *x)
{
	const Node *turned = node_unshaped(x);
	return turned->op->move == MOVE_TRANSPOSE ? turned->operands[0] : x;
}

/* [batch*heads, d, n] as [batch, n, heads, d], for which `apart` is [batch, heads, d, n]. */
static Node *turn_keys(Build *b, Node *apart)
{
	const Type t = apart->type;
	const Node *made = node_unshaped(apart);
	const int heads = made->type.rank - 3, places = heads + 1, columns = heads + 2;
	bool turned = made->op->move == MOVE_TRANSPOSE && heads > 0 && made->type.dim[heads] == t.dim[1] &&
	              made->type.dim[places] == t.dim[2] && made->type.dim[columns] == t.dim[3];
	int count;
	const int64_t *axes = turned ? node_ints(made, "axes", &count) : NULL;
	for (int i = 0; turned && i <= columns; i++)
		turned = axes[i] == (i == heads ? places : i == places ? columns : i == columns ? heads : i);
	if (turned)
		return build_reshape(b, made->operands[0], 4,
		                     (int64_t[]){t.dim[0], t.dim[3], t.dim[1], t.dim[2]});
	return build_transpose(b, apart, (int64_t[]){0, 3, 1, 2});
}

/* [batch*heads, n, d], or with `turned` [batch*heads, d, n], as [batch, n, heads*d]. */
static Node *beside_each_other(Build *b, Node *x, int64_t batch, bool turned)
{
	const int64_t heads = x->type.dim[0] / batch, n = x->type.dim[turned ? 2 : 1],
	              d = x->type.dim[turned ? 1 : 2];
	Node *apart = build_reshape(b, x, 4, (int64_t[]){batch, heads, x->type.dim[1], x->type.dim[2]});
	Node *y = attention_by_parts(b, turned ? turn_keys(b, apart) : attention_turn(b, apart));
	return build_reshape(b, y, 3, (int64_t[]){batch, n, heads * d});
}

/* ---- where they are */

/* The tensor [batch, n, all columns] of which the parts are all in order; NULL. */
static Node *whole_of(Build *b, Node *const *part, int count)
{
	Node *whole = NULL;
	int64_t columns = 0;
	for (int i = 0; i < count; i++) {
		const Node *slice = node_unshaped(part[i]);
		const int last = slice->type.rank - 1;
		if (slice->op->move != MOVE_SLICE || node_int(slice, "axis") != last ||
		    node_int(slice, "start") != columns || node_int(slice, "count") != part[i]->type.dim[2] ||
		    (whole && slice->operands[0] != whole))
			return NULL;
		whole = slice->operands[0];
		columns += part[i]->type.dim[2];
	}
	if (whole->type.dim[whole->type.rank - 1] != columns)
		return NULL;
	return build_reshape(b, whole, 3, (int64_t[]){part[0]->type.dim[0], part[0]->type.dim[1], columns});
}

/* The parts beside each other, [batch, n, all columns], where that costs nothing; NULL. `fit`: they did as
 * projections. */
static Node *joined(Build *b, const Formula *sum, Node *const *part, int count, bool fit)
{
	if (!fit || !projections_are(sum, part, count))
		return whole_of(b, part, count);
	int64_t columns = 0;
	for (int i = 0; i < count; i++)
		columns += part[i]->type.dim[2];
	return build_reshape(b, projections_join(b, sum, part, count), 3,
	                     (int64_t[]){part[0]->type.dim[0], part[0]->type.dim[1], columns});
}

static Node *pieces_of(Build *b, Node **part, int count)
{
	for (int i = 0; i < count; i++)
		part[i] = build_reshape(b, part[i], 1, (int64_t[]){type_elements(part[i]->type)});
	return build_concat(b, 0, count, part);
}

/* What the operator reads, of queries, keys and values [batch, places, columns]; *pieces: as which it has them. */
static Node *lay_out(Build *b, const Formula *sum, Node *part[3], const bool fit[2], int *pieces)
{
	Node *x = part[0]->type.dim[1] == part[1]->type.dim[1] ? joined(b, sum, part, 3, fit[0]) : NULL;
	*pieces = 1;
	if (x)
		return x;
	Node *both = joined(b, sum, part + 1, 2, fit[1]);
	*pieces = both ? 2 : 3;
	return both ? pieces_of(b, (Node *[]){part[0], both}, 2) : pieces_of(b, part, 3);
}

/* y [samples, queries, heads*size] with the heads ahead of the queries, in the dimensions in which a network says it,
 * so that its own transposition takes that back. */
static Node *heads_apart(Build *b, Node *y, int64_t batch, int64_t heads, bool in_groups)
{
	const int64_t samples = y->type.dim[0], queries = y->type.dim[1], size = y->type.dim[2] / heads;
	const int64_t grouped[5] = {batch, samples / batch, queries, heads, size},
	              plain[4] = {samples, queries, heads, size};
	Node *apart = build_reshape(b, y, in_groups ? 5 : 4, in_groups ? grouped : plain);
	if (heads == 1 || queries == 1)
		return apart;
	return build_transpose(b, apart, in_groups ? (int64_t[]){0, 1, 3, 2, 4} : (int64_t[]){0, 2, 1, 3});
}

/* ---- the rule */

static const char *refusal(PassContext *ctx, const Graph *to, const Attention *f)
{
	Arena *a = to->arena;
	const int64_t queries = f->q->type.dim[1], keys = f->v->type.dim[1], size = f->v->type.dim[2],
	              most = ctx->target->attention_places;
	if (most > 0 && (keys > most || queries > most))
		return arena_printf(a, "more than %lld places", (long long)most);
	if (!attention_fits(queries, keys, size))
		return arena_printf(a, "heads of %lld columns, no multiple of 8 up to 128", (long long)size);
	if (ctx->target->gpu &&
	    attention_shared_bytes(size, pass_in_tf32(ctx) ? 4 : 2) > target_arch(ctx->target).shared_bytes)
		return arena_printf(a,
		                    "heads of %lld columns are too large for the shared memory of the device",
		                    (long long)size);
	if (f->rate > 0 && ctx->recipe && ctx->recipe->ranks > 1)
		return "its dropout is drawn for several ranks";
	return NULL;
}

static Node *attention_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Search *search = data;
	PassContext *ctx = search->ctx;
	const char *where = sites_text(to->arena, n->sites, 3);
	Attention f;
	const bool found = attention_find(&search->old, n, n->operands, &f);
	const char *why = found ? refusal(ctx, to, &f) : f.why;
	if (why)
		pass_remark(ctx, "%s: attention keeps its scores: %s", where, why);
	if (!found || why)
		return NULL;
	Node *const made[3] = {maker(f.q), maker(before_repeating(NULL, straight_keys(&f))),
	                       maker(before_repeating(NULL, f.v))};
	const bool fit[2] = {
	        projections_fit(search->graph, search->forms.sum, made, 3, search->old.uses),
	        projections_fit(search->graph, search->forms.sum, made + 1, 2, search->old.uses)};
	AttentionSearch now = search->old;
	now.uses = NULL;
	require(attention_find(&now, n, operands, &f));

	const int64_t batch = f.samples, heads = n->type.dim[0] / batch, queries = n->type.dim[1],
	              keys = f.v->type.dim[1];
	Build b = build_beside(to, n);
	Node *k = straight_keys(&f), *v = f.v;
	const bool turned = f.k_is_turned && k == f.k;
	if (!turned) {
		k = build_reshape(&b, k, 3, v->type.dim);
		Node *fewer_k = before_repeating(&b, k), *fewer_v = before_repeating(&b, v);
		if (shape_equal(fewer_k->type, fewer_v->type) && fewer_k->type.dim[0] % batch == 0 &&
		    heads % (fewer_k->type.dim[0] / batch) == 0)
			k = fewer_k, v = fewer_v;
	}
	const int64_t groups = v->type.dim[0] / batch;
	Node *part[3] = {beside_each_other(&b, f.q, batch, false), beside_each_other(&b, k, batch, turned),
	                 beside_each_other(&b, v, batch, false)};
	int pieces;
	Node *x = lay_out(&b, search->forms.sum, part, fit, &pieces), *mask = attention_build_mask(&b, &f);
	const int64_t places[3] = {batch, queries, keys};
	Attr attrs[9] = {attr_int("heads", heads), attr_real("scale", f.scale), attr_int("causal", f.causal),
	                 attr_real("rate", f.rate), attr_int("stream", f.stream)};
	int count = 5;
	if (f.hides)
		attrs[count++] = attr_int("hides", f.hides);
	if (groups != heads)
		attrs[count++] = attr_int("groups", groups);
	if (pieces > 1) {
		attrs[count++] = attr_int("pieces", pieces);
		attrs[count++] = attr_ints("places", places, 3);
	}
	Node *y = build(&b, "attention", mask ? 2 : 1, (Node *[]){x, mask}, count, attrs);
	pass_remark(ctx,
	            "%s: attention of %lld head%s, [%lld,%lld] scores each%s: they are never in memory%s",
	            where, (long long)heads, heads == 1 ? "" : "s", (long long)queries, (long long)keys,
	            mask ? " and a mask" : "",
	            pieces == 1   ? fit[0] ? "; one product makes queries, keys and values" : ""
	            : pieces == 2 ? fit[1] ? "; one product makes keys and values" : ""
	                          : "; queries, keys and values are in pieces one after the other");
	Node *z = build_reshape(&b, heads_apart(&b, y, to->batch, heads, f.in_groups), 3, n->type.dim);
	z->name = n->name;
	return z;
}

Graph *pass_attention(PassContext *ctx, const Graph *g)
{
	const DType real = dtype_of_precision(ctx->recipe ? ctx->recipe->precision : NULL);
	if (!dtype_on_tensor_cores(real, pass_in_tf32(ctx)) && ctx->target->gpu)
		return (Graph *)g;
	Search search = {.ctx = ctx, .graph = g, .forms = attention_forms(ctx->arena)};
	search.old = (AttentionSearch){.forms = &search.forms,
	                               .batch = g->batch,
	                               .training = g->training,
	                               .in_f64 = real == DTYPE_F64,
	                               .uses = graph_use_counts(ctx->arena, g)};
	return graph_rewrite(ctx->arena, g, attention_rule, &search);
}
