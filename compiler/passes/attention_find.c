/* SPDX-License-Identifier: MIT */
/* Finds attention: the product of values with the softmax of the product of queries and keys, and what may stand
 * between: factors, a dropout, and masks. A mask is added to the scores, or takes their place by a number of which
 * the softmax makes nothing; it is the same for all heads or not, for all samples, for all queries. What is so for a
 * place and those before it is not kept as a mask where no other hides keys: the operator is `causal`.
 *
 * A query of which masks leave no key has the shares that its masked scores have, as without the pass: all of one
 * number are equal. So what takes the place of scores is the operator's number for that (ops/attention.h). What is
 * added may be as low, and hide as well: then the operator gets it by rows, less the row's largest number, and where
 * that is so low that scores beside it are lost to rounding, that number is what takes their place. */
#include "passes/attention_find.h"

#include "ir/known.h"
#include "ir/view.h"
#include "ops/attention.h"
#include "ops/compose.h"

#include <math.h>
#include <string.h>

/* An added number from this on down may hide a key; a constant as large can make such numbers. */
static const double MAY_HIDE = 1e3;
/* Beside these numbers a score is lost to rounding: their neighbours are 8 away. */
static const double ABSORBS_IN_F32 = -0x1p26, ABSORBS_IN_F64 = -0x1p55;
/* From this number on down f32 has -inf, and a row of nothing else is NaN. */
static const double INFINITE_IN_F32 = -0x1.ffffffp127;

enum {
	DEEPEST = 8, /* steps between the products */
	WALKED = 64, /* nodes of a mask that are looked at */
};

AttentionForms attention_forms(Arena *a)
{
	return (AttentionForms){.kept = formula_parse(a, "select(mask, x, c)"),
	                        .divided = formula_parse(a, "x/c"),
	                        .multiplied = formula_parse(a, "x*c"),
	                        .dropped = formula_parse(a, "dropout(x)"),
	                        .shares = formula_parse(a, "softmax(x)"),
	                        .sum = formula_parse(a, "x + y")};
}

/* The walk from the softmax up to the product of queries and keys. */
typedef struct Walk {
	const AttentionSearch *s;
	Attention *found;
	int64_t heads, queries, keys;
} Walk;

static bool is_refused(Walk *w, const char *why)
{
	w->found->why = why;
	return false;
}

/* What stands between the products, without reshapes: one other node alone is to read each. */
static Node *between(Walk *w, Node *n)
{
	for (;; n = n->operands[0]) {
		if (w->s->uses && w->s->uses[n->id] > 1)
			w->found->why = "something else reads them";
		if (!(n->op->flags & OP_RESHAPES))
			return n;
	}
}

static bool is_scores(const Walk *w, const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && n->type.rank == 3 &&
	       n->type.dim[0] == w->found->samples * w->heads && n->type.dim[1] == w->queries &&
	       n->type.dim[2] == w->keys;
}

/* Whether n is computed from the scores, element by element. */
static bool is_of_scores(const Walk *w, const Node *n, int depth)
{
	n = node_unshaped(n);
	if (is_scores(w, n))
		return true;
	const bool steps = n->op->flags & OP_POINTWISE;
	for (int i = 0; depth < DEEPEST && steps && i < n->operand_count; i++)
		if (type_elements(n->operands[i]->type) == type_elements(n->type) &&
		    is_of_scores(w, n->operands[i], depth + 1))
			return true;
	return false;
}

/* ---- masks */

/* Whether the mask is 1 where column j <= row i of all places, rows and columns being those of the scores: its last two
 * dimensions. */
static bool is_lower_triangle(const Walk *w, const Node *mask)
{
	const Type t = mask->type;
	const Node *made = node_unshaped(mask);
	return w->queries == w->keys && t.rank >= 2 && t.dim[t.rank - 2] == w->keys &&
	       node_is(made, "lower_triangle") && node_int(made, "n") == w->keys &&
	       type_elements(t) == w->keys * w->keys;
}

/* Whether they are the scores', of all heads or by heads. */
static bool are_scores(Type t, const Walk *w)
{
	return t.dim[t.rank - 2] == w->queries && t.dim[t.rank - 1] == w->keys &&
	       (t.rank == 3 ||
	        (t.dim[t.rank - 3] == w->heads && type_product(t, 0, t.rank - 3) == w->found->samples));
}

static Type without_first(Type t)
{
	t.rank--;
	memmove(t.dim, t.dim + 1, (size_t)t.rank * sizeof *t.dim);
	return t;
}

/* The shape beside [samples, heads, queries, keys] of what is repeated in scores of type t; of some of the samples
 * where it is the same for all that stand ahead of these. */
static bool shape_of_mask(const Walk *w, Type t, Type mask, int64_t dim[4])
{
	Type as = {.rank = 4, .dim = {w->found->samples, w->heads, w->queries, w->keys}};
	if (mask.rank > t.rank || t.rank < 3 || !are_scores(t, w))
		return false;
	for (; t.rank > 3 && (mask.rank < t.rank || mask.dim[0] == 1); t = without_first(t)) {
		mask = mask.rank == t.rank ? without_first(mask) : mask;
		as.dim[0] = type_product(t, 1, t.rank - 3);
	}
	return shape_beside(mask, t, as, dim);
}

static bool is_bounded(const Node *n)
{
	return node_is(n, "sign") || node_is(n, "sigmoid") || node_is(n, "tanh") ||
	       node_is(n, "lower_triangle");
}

/* Whether a number of n, which is added to scores, may be so low that it hides a key: by a large constant, a small
 * divisor, a logarithm or an input among what it is computed of. What a network learns is not. */
static bool may_be_low(const Node *n, int *walked)
{
	if (++*walked > WALKED || node_is_input(n) || node_is(n, "log"))
		return true;
	if (node_is_constant(n))
		return fabs(node_real(n, "value")) >= MAY_HIDE;
	if (is_bounded(n) || !((n->op->flags & (OP_POINTWISE | OP_REDUCE | OP_RESHAPES)) || n->op->move))
		return false;
	const Node *divisor = node_is(n, "div") ? n->operands[1] : NULL;
	if (divisor && !(node_is_constant(divisor) && fabs(node_real(divisor, "value")) > 1 / MAY_HIDE))
		return true;
	for (int i = 0; i < n->operand_count; i++)
		if (may_be_low(n->operands[i], walked))
			return true;
	return false;
}

/* Whether each query is seen to keep the key of its own place, whatever other masks that do may hide. */
static bool keeps_own(const Walk *w, const AttentionMask *m)
{
	const int64_t rows = type_elements(m->node->type) / w->keys;
	if (w->queries != w->keys || m->dim[2] != w->queries || m->dim[3] != w->keys)
		return false;
	Arena *scratch = arena_new();
	const double *x = known_values(scratch, m->node);
	bool keeps = x != NULL;
	for (int64_t i = 0; keeps && i < rows; i++)
		keeps = m->kind == MASK_KEEPS ? x[i * w->keys + i % w->keys] != 0
		                              : x[i * w->keys + i % w->keys] > -MAY_HIDE;
	arena_free(scratch);
	return keeps;
}

static bool keep_mask(Walk *w, const Node *n, MaskKind kind, Node *mask, double value)
{
	Attention *f = w->found;
	if (f->mask_count == MOST_MASKS)
		return is_refused(w, "they have too many masks");
	const bool triangle = kind == MASK_KEEPS && is_lower_triangle(w, mask);
	while (mask->op->move == MOVE_BROADCAST)
		mask = mask->operands[0];
	AttentionMask *m = &f->masks[f->mask_count];
	*m = (AttentionMask){
	        .kind = kind, .node = mask, .value = value, .factor = f->scale, .is_triangle = triangle};
	const bool fits = shape_of_mask(w, n->type, mask->type, m->dim),
	           same = m->dim[3] == 1 && kind == MASK_ADDED; /* for all keys */
	int walked = 0;
	m->may_be_low = kind == MASK_KEEPS || may_be_low(mask, &walked);
	m->may_hide = m->may_be_low && !(fits && (triangle || keeps_own(w, m)));
	if (fits && same && !m->may_be_low)
		return true; /* it leaves the shares as they are */
	if (!fits || (m->dim[3] != w->keys && !same))
		return is_refused(w,
		                  "their mask is no number for each key, or for queries or heads with each");
	f->mask_count++;
	return true;
}

/* Whether n adds a mask; *scores is what it is added to. */
static bool find_added(Walk *w, const Node *n, Node **scores)
{
	if (!formula_matches(w->s->forms->sum, n, NULL))
		return false;
	const bool second = !is_of_scores(w, n->operands[0], 0);
	*scores = n->operands[second];
	Node *mask = n->operands[!second];
	if (!shape_equal((*scores)->type, n->type) || !is_of_scores(w, *scores, 0))
		return false;
	return keep_mask(w, n, MASK_ADDED, mask, 0);
}

/* Whether n has a number in the place of some scores. */
static bool find_replaced(Walk *w, const Node *n, Node **scores)
{
	Match m;
	if (!formula_matches(w->s->forms->kept, n, &m))
		return false;
	if (matched_value(&m, "c") * w->found->scale > ATTENTION_MASKED)
		return is_of_scores(w, matched(&m, "x"), 0) &&
		       is_refused(w, "the number in the place of masked scores is above -2^26, "
		                     "which scores may reach: write -1e9");
	*scores = matched(&m, "x");
	Node *mask = matched(&m, "mask");
	if (!shape_equal((*scores)->type, n->type))
		return false;
	return keep_mask(w, n, MASK_KEEPS, mask, matched_value(&m, "c"));
}

/* Whether n is the scores times a positive number. */
static bool find_factor(Walk *w, const Node *n, Node **scores)
{
	Match m;
	const bool divided = formula_matches(w->s->forms->divided, n, &m);
	if (!divided && !formula_matches(w->s->forms->multiplied, n, &m))
		return false;
	const double c = matched_value(&m, "c");
	if (c <= 0)
		return false;
	w->found->scale = divided ? w->found->scale / c : w->found->scale * c;
	*scores = matched(&m, "x");
	return true;
}

/* ---- the whole */

/* Scores that reach the softmax, as a product; NULL. */
static const Node *find_scores(Walk *w, Node *n)
{
	for (;;) {
		n = between(w, n);
		if (is_scores(w, n))
			return n;
		if (!find_replaced(w, n, &n) && !find_factor(w, n, &n) && !find_added(w, n, &n))
			return NULL;
	}
}

/* Whether values [.., heads, places, columns] of this rank are a transposition of heads and places, and what stands
 * ahead of them stays where it is. */
static bool are_turned_by_heads(const Node *values, int rank)
{
	const Node *n = node_unshaped(values);
	for (int i = 0; i < DEEPEST && (n->op->move == MOVE_SLICE || n->op->flags & OP_POINTWISE); i++)
		n = node_unshaped(n->operands[0]);
	return n->type.rank == rank && node_exchanges(n, rank - 3, rank - 2);
}

/* Whether shares [.., heads, queries, keys] may be of several groups in each of the batch, as the windows of an image:
 * all that stands ahead of the heads, in dimensions of its own or in the first one. */
static bool may_be_in_groups(const AttentionSearch *s, const Node *shares)
{
	const Type t = node_unshaped(shares)->type, product = shares->type;
	const bool apart = t.rank > 4 && t.dim[0] == s->batch,
	           within = t.rank == 4 && t.dim[0] > s->batch && t.dim[0] % s->batch == 0;
	return (apart || within) && t.dim[t.rank - 2] == product.dim[1] &&
	       t.dim[t.rank - 1] == product.dim[2];
}

/* Masks that leave each query a key, those of what comes later, are `causal`, where they alone hide anything. */
static void take_triangles(Attention *f)
{
	int count = 0;
	for (int i = 0; i < f->mask_count; i++)
		if (f->masks[i].may_hide && !f->masks[i].is_triangle)
			return;
	for (int i = 0; i < f->mask_count; i++) {
		f->causal = f->causal || f->masks[i].is_triangle;
		if (!f->masks[i].is_triangle)
			f->masks[count++] = f->masks[i];
	}
	f->mask_count = count;
}

/* Whether the operator has the shares of a query that masks leave no key. They are equal where all that takes the place
 * of scores is one number, and what is added to it is lost in rounding. */
static bool judge_masks(Walk *w)
{
	Attention *f = w->found;
	const bool in_f64 = w->s->in_f64;
	double hidden = 0,
	       outer = 0; /* the number, and what it is at most: beside what is added later it absorbs */
	bool adds = false, may_hide = false;
	f->absorbs = in_f64 ? ABSORBS_IN_F64 : ABSORBS_IN_F32;
	for (int i = 0; i < f->mask_count; i++)
		may_hide = may_hide || f->masks[i].may_hide;
	for (int i = 0; may_hide && i < f->mask_count; i++) {
		const AttentionMask *m = &f->masks[i];
		const double value = m->value * m->factor;
		if (m->kind == MASK_ADDED) {
			adds = adds || m->may_be_low;
			outer = f->absorbs;
		} else if ((hidden < 0 && value != hidden) || value > outer ||
		           value <= (in_f64 ? -INFINITY : INFINITE_IN_F32)) {
			return is_refused(w, "shares of a query that has no key follow from several numbers: "
			                     "write -1e9 in the place of each masked score");
		} else {
			hidden = value;
		}
	}
	f->hides = adds ? HIDES_BY_SUMS : hidden < 0 ? HIDES_ALL : HIDES_NONE;
	return !(adds && hidden < 0) ||
	       is_refused(w, "some masks are added, and others take the place of scores: write one way");
}

/* Whether it is attention of each of the batch, or of each group. */
static bool find_of(const AttentionSearch *s, const Node *n, Node *const *operands, bool in_groups,
                    Attention *f)
{
	const Type t = node_unshaped(operands[0])->type;
	*f = (Attention){
	        .scale = 1, .samples = s->batch, .in_groups = in_groups && t.rank > 4, .v = operands[1]};
	if (in_groups)
		f->samples = type_product(t, 0, t.rank - 3);
	Walk w = {s, f, n->type.dim[0] / f->samples, n->type.dim[1], operands[1]->type.dim[1]};
	Node *shares = between(&w, operands[0]);
	if (formula_matches(s->forms->dropped, shares, NULL)) {
		f->rate = s->training ? node_real(shares, "rate") : 0;
		f->stream = node_int(shares, "stream");
		shares = between(&w, shares->operands[0]);
	}
	const bool found = formula_matches(s->forms->shares, shares, NULL) &&
	                   node_int(shares, "axis") == shares->type.rank - 1 &&
	                   shares->type.dim[shares->type.rank - 1] == w.keys;
	if (!found) {
		f->why = NULL; /* no attention */
		return false;
	}
	const Node *scores = find_scores(&w, shares->operands[0]);
	if (!scores && !f->why && is_of_scores(&w, shares->operands[0], 0))
		f->why = "what stands ahead of the softmax is no factor and no mask";
	if (!scores || f->why)
		return false;
	if (node_int(scores, "ta"))
		return is_refused(&w, "queries are turned");
	f->q = scores->operands[0], f->k = scores->operands[1];
	f->k_is_turned = !node_int(scores, "tb");
	take_triangles(f);
	if (!judge_masks(&w))
		return false;
	return f->q->type.dim[2] == n->type.dim[2] ||
	       is_refused(&w, "values have another number of columns than queries");
}

bool attention_find(const AttentionSearch *s, const Node *n, Node *const *operands, Attention *f)
{
	*f = (Attention){0};
	if (n->op->gemm != GEMM_PRODUCT || n->type.rank != 3 || node_int(n, "ta") || node_int(n, "tb") ||
	    n->type.dim[0] % s->batch != 0)
		return false;
	const int rank = node_unshaped(operands[0])->type.rank;
	Attention grouped;
	const bool found = may_be_in_groups(s, operands[0]) && find_of(s, n, operands, true, &grouped);
	if (found && (are_turned_by_heads(grouped.v, rank) || are_turned_by_heads(grouped.q, rank))) {
		*f = grouped;
		return true;
	}
	if (find_of(s, n, operands, false, f))
		return true;
	if (found)
		*f = grouped;
	return found;
}

/* Masks of the same number of samples: one of s samples serves sample i with its number i mod s, so that both get the
 * least common multiple of samples, which divides theirs all as s does. */
static void align_masks(Build *b, Node **x, Node **y)
{
	const int64_t of_x = (*x)->type.dim[0], of_y = (*y)->type.dim[0];
	int64_t both = of_x;
	while (both % of_y != 0)
		both += of_x;
	if (of_x > 1 && of_y > 1) {
		*x = build_repeated(b, *x, both / of_x);
		*y = build_repeated(b, *y, both / of_y);
	}
}

/* `sum`, what is added to the scores so far, or NULL, with number `low` where the mask says so. */
static Node *hide(Build *b, Node *mask, Node *sum, double low)
{
	Node *number = build_constant(b, low);
	if (sum)
		align_masks(b, &mask, &sum);
	else
		sum = build_constant(b, 0);
	return build3(b, "select", mask, sum, number);
}

static Node *add(Build *b, const AttentionMask *m, Node *mask, Node *sum)
{
	if (m->factor != 1)
		mask = build2(b, "mul", mask, build_constant(b, m->factor));
	if (sum)
		align_masks(b, &mask, &sum);
	return sum ? build2(b, "add", sum, mask) : mask;
}

/* The sum of masks with each row's largest number taken off. Where that is so low that the scores are lost in it,
 * those keys are hidden that have it, and the others have no share: so it is for what has none but -inf, whose shares
 * are NaN. */
static Node *by_rows(Build *b, Node *sum, double absorbs, double hidden)
{
	Node *most = build1(b, "stop_gradient", reduce_last(b, "max", sum));
	return compose(b,
	               "select(most > absorbs, sum - most, select(sum < most, none, hidden + (sum - most)))",
	               TERMS({"sum", sum}, {"most", most}, {"absorbs", build_constant(b, absorbs)},
	                     {"hidden", build_constant(b, hidden)}, {"none", build_constant(b, -INFINITY)}));
}

Node *attention_build_mask(Build *b, const Attention *f)
{
	const int64_t keys = f->v->type.dim[1];
	const double hidden = (double)keys * ATTENTION_HIDDEN;
	Node *sum = NULL;
	for (int i = f->mask_count - 1; i >= 0; i--) { /* from the scores on */
		const AttentionMask *m = &f->masks[i];
		Node *mask = build_reshape(b, m->node, 4, m->dim);
		if (m->kind == MASK_ADDED)
			sum = add(b, m, mask, sum);
		else
			sum = hide(b, mask, sum, hidden);
	}
	if (!sum)
		return NULL;
	if (sum->type.dim[3] < keys)
		sum = build_broadcast(
		        b, sum, 4, (int64_t[]){sum->type.dim[0], sum->type.dim[1], sum->type.dim[2], keys});
	return f->hides == HIDES_BY_SUMS ? by_rows(b, sum, f->absorbs, hidden) : sum;
}
