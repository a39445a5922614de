/* SPDX-License-Identifier: MIT */
/* Attention without a matrix of scores: what it is, and its gradient. See attention.h; its loops are written by
 * attention_cpu.c, its kernels by attention_cuda.c. */
#include "ops/attention.h"

#include "base/checked.h"
#include "ops/compose.h"
#include "runtime/cuda/nnr_sizes.h"

#include <string.h>

enum { MOST_SIZE = 128, SIZE_STEP = 8, MOST_PLACES = 1 << 20, SPREAD_TILES = 256 };

static int64_t or_else(const Attr *attr, int64_t value)
{
	return attr ? attr->i : value;
}

/* Where the parts are in x, whose attributes fit. */
static void lay_out(AttentionShape *s, int64_t pieces)
{
	const int64_t query = s->heads * s->size, key = s->groups * s->size, rows = s->batch * s->keys;
	s->apart = pieces > 1;
	s->query_row = s->apart ? query : query + 2 * key;
	s->key_row = pieces == 1 ? s->query_row : pieces == 2 ? 2 * key : key;
	s->keys_at = s->apart ? s->batch * s->queries * query : query;
	s->values_at = s->keys_at + (pieces == 3 ? rows * key : key);
}

/* The mask's number among the operands: it is the last of the signature. */
static int mask_place(const Op *op)
{
	return strchr(op->signature, '?') ? op_operand_count(op) : op_operand_count(op) - 1;
}

AttentionShape attention_shape(const Node *n)
{
	const Type x = n->operands[0]->type;
	const int64_t heads = node_int(n, "heads"), pieces = or_else(node_attr(n, "pieces"), 1);
	AttentionShape s = {.batch = x.dim[0],
	                    .queries = x.rank == 3 ? x.dim[1] : 0,
	                    .keys = x.rank == 3 ? x.dim[1] : 0,
	                    .heads = heads,
	                    .groups = or_else(node_attr(n, "groups"), heads),
	                    .causal = node_int(n, "causal") != 0,
	                    .scale = node_real(n, "scale"),
	                    .rate = dropout_share(node_real(n, "rate")),
	                    .stream = node_int(n, "stream"),
	                    .hides = (AttentionHides)or_else(node_attr(n, "hides"), HIDES_NONE)};
	if (pieces > 1) {
		int count;
		const int64_t *places = node_ints(n, "places", &count);
		s.batch = places[0], s.queries = places[1], s.keys = places[2];
	}
	s.size = type_elements(x) / (s.batch * (s.queries * s.heads + 2 * s.keys * s.groups));
	lay_out(&s, pieces);
	const int place = mask_place(n->op);
	if (n->operand_count > place) {
		const Type mask = n->operands[place]->type;
		s.mask = place;
		s.mask_row = mask.dim[2] > 1 ? s.keys : 0;
		s.mask_head = mask.dim[1] > 1 ? mask.dim[2] * s.keys : 0;
		s.mask_sample = mask.dim[0] > 1 ? mask.dim[1] * mask.dim[2] * s.keys : 0;
		s.mask_samples = mask.dim[0];
	}
	return s;
}

bool attention_fits(int64_t queries, int64_t keys, int64_t size)
{
	return size % SIZE_STEP == 0 && size <= MOST_SIZE && queries <= MOST_PLACES && keys <= MOST_PLACES;
}

int64_t attention_row_bytes(int64_t size, int64_t element)
{
	return ceil_div(size, 16) * 16 * element + 16;
}

/* The gradient's: two tiles of rows stay, and of the two that go by, half as high, there are two each. */
int64_t attention_shared_bytes(int64_t size, int64_t element)
{
	return (2 * NNR_ATTENTION_ROWS + 4 * (NNR_ATTENTION_ROWS / 2)) * attention_row_bytes(size, element);
}

int64_t attention_warpgroup_bytes(int64_t size, int stay, int going)
{
	const int64_t stages = NNR_WARPGROUP_STAGES, rows = NNR_WARPGROUP_ROWS + stages * going,
	              pairs = stay == 2 ? stages * going * 8 : 0;
	return stay * ceil_div(size, 64) * rows * 128 + pairs + (stages + 1) * 16 + 1024;
}

/* ---- shapes */

/* What the shape rules need of the attributes, and of x. */
typedef struct Sizes {
	int64_t batch, queries, keys, heads, size;
} Sizes;

static bool x_error(Infer *in)
{
	return infer_error(
	        in, "shape-mismatch",
	        "`%s` needs queries, keys and values of %lld heads side by side, or in pieces with "
	        "their `places`, not %s",
	        in->op->name, (long long)infer_int(in, "heads"),
	        shape_text(in->graph->arena, in->operands[0]->type));
}

static bool find_sizes(Infer *in, Sizes *s)
{
	const Type x = in->operands[0]->type;
	const int64_t heads = infer_int(in, "heads"), groups = or_else(infer_attr(in, "groups"), heads),
	              pieces = or_else(infer_attr(in, "pieces"), 1);
	*s = (Sizes){.heads = heads};
	if (heads < 1 || heads > type_elements(x) || groups < 1 || heads % groups != 0 || pieces < 1 ||
	    pieces > 3)
		return x_error(in);
	if (pieces == 1) {
		if (x.rank != 3 || x.dim[2] % (heads + 2 * groups) != 0)
			return x_error(in);
		*s = (Sizes){x.dim[0], x.dim[1], x.dim[1], heads, x.dim[2] / (heads + 2 * groups)};
		return true;
	}
	int count = 0;
	const int64_t *places = infer_attr(in, "places") ? infer_ints(in, "places", &count) : NULL;
	int64_t rows[2], columns = 0;
	if (x.rank != 1 || count != 3 || places[0] < 1 || places[1] < 1 || places[2] < 1 ||
	    !checked_mul(places[1], heads, &rows[0]) || !checked_mul(2 * groups, places[2], &rows[1]) ||
	    !checked_add(rows[0], rows[1], &columns) || !checked_mul(columns, places[0], &columns) ||
	    x.dim[0] % columns != 0)
		return x_error(in);
	*s = (Sizes){places[0], places[1], places[2], heads, x.dim[0] / columns};
	return true;
}

static bool infer_mask(Infer *in, const Sizes *s, int operand)
{
	if (in->operand_count <= operand)
		return true;
	const Type t = in->operands[operand]->type;
	const int64_t wanted[] = {s->batch, s->heads, s->queries, s->keys};
	bool fits = t.rank == 4 && t.dim[3] == s->keys;
	for (int i = 0; fits && i < 3; i++)
		fits = t.dim[i] == 1 || t.dim[i] == wanted[i] || (i == 0 && wanted[0] % t.dim[0] == 0);
	return fits ? infer_real(in, operand)
	            : infer_error(in, "shape-mismatch",
	                          "the mask of `%s` is %s, and its scores are [%lld,%lld,%lld,%lld]",
	                          in->op->name, shape_text(in->graph->arena, t), (long long)wanted[0],
	                          (long long)wanted[1], (long long)wanted[2], (long long)wanted[3]);
}

static bool infer_x(Infer *in, Sizes *s)
{
	const double rate = infer_attr(in, "rate")->f;
	if (!infer_real(in, 0) || !find_sizes(in, s))
		return false;
	if (infer_int(in, "causal") && s->queries != s->keys)
		return infer_error(in, "shape-mismatch", "a causal `%s` has as many queries as keys",
		                   in->op->name);
	if (!(rate >= 0 && rate < 1))
		return infer_error(in, "bad-argument", "the rate of `%s` is a share from 0 up to 1, not %g",
		                   in->op->name, rate);
	const int64_t hides = or_else(infer_attr(in, "hides"), HIDES_NONE);
	if (hides < HIDES_NONE || hides > HIDES_BY_SUMS || (hides && infer_int(in, "causal")))
		return infer_error(in, "bad-argument", "`hides` of `%s` is 0 to %d, and 0 where it is causal",
		                   in->op->name, HIDES_BY_SUMS);
	return infer_mask(in, s, mask_place(in->op));
}

/* Operand i: of the result's shape. */
static bool infer_value(Infer *in, const Sizes *s, int i)
{
	const Type y = in->operands[i]->type;
	if (y.rank != 3 || y.dim[0] != s->batch || y.dim[1] != s->queries || y.dim[2] != s->heads * s->size)
		return infer_error(in, "shape-mismatch", "`%s` of `%s` is %s beside %s",
		                   op_operand_name(in->graph->arena, in->op, i), in->op->name,
		                   shape_text(in->graph->arena, y),
		                   shape_text(in->graph->arena, in->operands[0]->type));
	return infer_same_dtype(in, 0, i);
}

static bool attention_infer(Infer *in)
{
	Sizes s;
	return infer_x(in, &s) && infer_result(in, in->operands[0]->type.dtype, 3,
	                                       (int64_t[]){s.batch, s.queries, s.heads * s.size});
}

static DType sum_dtype(Type x)
{
	return dtype_is_half(x.dtype) ? DTYPE_F32 : x.dtype;
}

static bool logs_infer(Infer *in)
{
	Sizes s;
	return infer_x(in, &s) && infer_value(in, &s, 1) &&
	       infer_result(in, sum_dtype(in->operands[0]->type), 3,
	                    (int64_t[]){s.batch, s.heads, s.queries});
}

/* Operand i: of this shape, and of the type of sums. */
static bool infer_sums(Infer *in, int i, int rank, const int64_t *dim)
{
	const Type x = in->operands[0]->type, t = in->operands[i]->type;
	Type wanted;
	if (!type_make(sum_dtype(x), rank, dim, &wanted) || type_equal(t, wanted))
		return true;
	return infer_error(in, "shape-mismatch", "`%s` of `%s` is %s beside %s",
	                   op_operand_name(in->graph->arena, in->op, i), in->op->name,
	                   shape_text(in->graph->arena, t), shape_text(in->graph->arena, x));
}

static bool grad_infer(Infer *in)
{
	Sizes s;
	return infer_x(in, &s) && infer_value(in, &s, 1) && infer_value(in, &s, 2) &&
	       infer_sums(in, 3, 3, (int64_t[]){s.batch, s.heads, s.queries}) &&
	       infer_sums(in, 4, 4, (int64_t[]){s.batch, s.queries, s.heads, 1}) && infer_like(in, 0);
}

static bool mask_grad_infer(Infer *in)
{
	Sizes s;
	return infer_x(in, &s) && infer_value(in, &s, 1) &&
	       infer_sums(in, 2, 3, (int64_t[]){s.batch, s.heads, s.queries}) &&
	       infer_sums(in, 3, 4, (int64_t[]){s.batch, s.queries, s.heads, 1}) && infer_like(in, 4);
}

/* How often to repeat a mask that serves `most` shares of the batch: a divisor of `most`, the least from `needed` up to
 * twice of that, else the largest below. A batch of 127 would otherwise have a mask for each sample. */
static int64_t spread_times(int64_t most, int64_t needed)
{
	int64_t times = 1;
	for (int64_t n = 2; times < needed && n <= 2 * needed && n <= most; n++)
		if (most % n == 0)
			times = n;
	return times;
}

/* A mask repeated for so many samples that the tiles of its gradient, each summed up by one block of threads, fill a
 * device: one of 49 x 49 scores, the same for 4,096 windows, has two tiles a head. */
static Node *spread_mask(Build *b, const AttentionShape *s, Node *mask)
{
	const Type t = mask->type;
	const int64_t rows = s->mask_row ? s->queries : 1,
	              tiles = t.dim[0] * t.dim[1] * ceil_div(rows, 64) * ceil_div(s->keys, 32);
	return build_repeated(b, mask, spread_times(s->batch / t.dim[0], ceil_div(SPREAD_TILES, tiles)));
}

/* The gradient of a mask of type t, of that of what it was spread to. */
static Node *gather_mask(Build *b, Node *spread, Type t)
{
	const int64_t times = spread->type.dim[0] / t.dim[0], first = 0;
	if (times == 1)
		return spread;
	Node *y = build_reshape(b, spread, 5, (int64_t[]){times, t.dim[0], t.dim[1], t.dim[2], t.dim[3]});
	return reshape_like(b, build_reduce(b, "sum", y, &first, 1), t);
}

static void attention_gradient(Grad *g)
{
	const Node *n = g->node;
	const AttentionShape s = attention_shape(n);
	Type by_head;
	require(type_make(g->y->type.dtype, 4, (int64_t[]){s.batch, s.queries, s.heads, s.size}, &by_head));
	Node *x = g->operands[0], *mask = s.mask ? g->operands[s.mask] : NULL;
	Node *logs = build(&g->b, "attention_logs", mask ? 3 : 2, (Node *[]){x, g->y, mask}, n->attr_count,
	                   n->attrs);
	Node *dy = reshape_like(&g->b, g->dy, by_head), *y = reshape_like(&g->b, g->y, by_head);
	Node *taken = reduce_last(&g->b, "sum", build2(&g->b, "mul", y, dy));
	if (g->wanted[0])
		g->result[0] = build(&g->b, "attention_grad", mask ? 6 : 5,
		                     (Node *[]){x, g->y, g->dy, logs, taken, mask}, n->attr_count, n->attrs);
	if (!mask || !g->wanted[s.mask])
		return;
	Node *spread = spread_mask(&g->b, &s, mask);
	Node *dmask = build(&g->b, "attention_mask_grad", 5, (Node *[]){x, g->dy, logs, taken, spread},
	                    n->attr_count, n->attrs);
	g->result[s.mask] = gather_mask(&g->b, dmask, mask->type);
}

/* So many products of all places with all, each of a head's columns. */
static void products_cost(const Node *n, double products, Cost *cost)
{
	const AttentionShape s = attention_shape(n);
	cost->flops = products * 2 * (double)(s.batch * s.heads * s.size) * (double)(s.queries * s.keys) /
	              (s.causal ? 2 : 1);
	cost->bytes = (double)type_bytes(n->type);
	for (int i = 0; i < n->operand_count; i++)
		cost->bytes += (double)type_bytes(n->operands[i]->type);
}

static void attention_cost(const Node *n, Cost *cost)
{
	products_cost(n, 2, cost);
}

static void logs_cost(const Node *n, Cost *cost)
{
	products_cost(n, 1, cost);
}

static void grad_cost(const Node *n, Cost *cost)
{
	products_cost(n, 7, cost);
}

static void mask_grad_cost(const Node *n, Cost *cost)
{
	products_cost(n, 2, cost);
}

/* ---- the records */

/* Batch, places, columns of x and of y, heads, attributes; sizes that are no multiples of a kernel's tiles among them.
 * */
#define SHAPES(X)                                                                \
	X("1", "1", "24", "8", "1", "scale=0.5 causal=0 rate=0.0 stream=0")      \
	X("2", "3", "24", "8", "1", "scale=0.35 causal=1 rate=0.0 stream=0")     \
	X("2", "16", "96", "32", "4", "scale=0.35 causal=0 rate=0.0 stream=0")   \
	X("2", "16", "96", "32", "4", "scale=0.35 causal=1 rate=0.2 stream=3")   \
	X("1", "65", "48", "16", "1", "scale=0.25 causal=1 rate=0.0 stream=0")   \
	X("1", "70", "72", "24", "1", "scale=0.2 causal=0 rate=0.1 stream=1")    \
	X("1", "33", "192", "64", "2", "scale=0.2 causal=1 rate=0.0 stream=0")   \
	X("3", "5", "192", "64", "1", "scale=0.125 causal=0 rate=0.0 stream=0")  \
	X("1", "130", "96", "32", "2", "scale=0.25 causal=1 rate=0.1 stream=2")  \
	X("2", "64", "48", "16", "2", "scale=0.35 causal=0 rate=0.0 stream=0")   \
	X("1", "40", "384", "128", "1", "scale=0.09 causal=1 rate=0.0 stream=0") \
	X("2", "7", "120", "40", "5", "scale=0.35 causal=1 rate=0.5 stream=0")   \
	X("1", "64", "24", "8", "1", "scale=0.5 causal=1 rate=0.0 stream=0")     \
	X("4", "1", "72", "24", "3", "scale=1.0 causal=0 rate=0.3 stream=0")     \
	X("1", "2", "24", "8", "1", "scale=0.5 causal=1 rate=0.0 stream=0")      \
	X("1", "17", "48", "16", "2", "scale=0.5 causal=0 rate=0.0 stream=7")    \
	X("2", "31", "96", "32", "1", "scale=0.2 causal=1 rate=0.9 stream=1")    \
	X("1", "9", "144", "48", "2", "scale=0.2 causal=0 rate=0.1 stream=5")    \
	X("1", "48", "24", "8", "1", "scale=-0.5 causal=0 rate=0.0 stream=0")    \
	X("1", "12", "168", "56", "1", "scale=0.2 causal=1 rate=0.0 stream=0")
/* Operands of queries apart from keys, of grouped heads, and with masks: x, batch, queries, columns of y, heads, mask,
 * attributes. */
#define MORE(X)                                                                                              \
	X("f32[96]", "1", "2", "8", "1", "", "scale=0.5 causal=0 rate=0.0 stream=0 pieces=2 places=[1,2,5]") \
	X("f32[544]", "2", "3", "16", "2", "mask=f32[2,1,1,7]! ",                                            \
	  "scale=0.35 causal=0 rate=0.0 stream=0 pieces=2 places=[2,3,7]")                                   \
	X("f32[2352]", "1", "17", "16", "1", "mask=f32[1,1,17,65]! ",                                        \
	  "scale=0.3 causal=0 rate=0.1 stream=2 pieces=3 places=[1,17,65]")                                  \
	X("f32[1824]", "1", "70", "24", "1", "",                                                             \
	  "scale=0.2 causal=0 rate=0.0 stream=0 pieces=2 places=[1,70,3]")                                   \
	X("f32[2,5,64]", "2", "5", "32", "4", "", "groups=2 scale=0.35 causal=1 rate=0.0 stream=0")          \
	X("f32[1,33,64]", "1", "33", "32", "2", "mask=f32[1,2,33,33]! ",                                     \
	  "groups=1 scale=0.25 causal=0 rate=0.0 stream=0")                                                  \
	X("f32[832]", "2", "4", "32", "4", "mask=f32[1,4,1,9]! ",                                            \
	  "groups=2 scale=0.35 causal=0 rate=0.2 stream=1 pieces=3 places=[2,4,9]")                          \
	X("f32[2,6,48]", "2", "6", "16", "2", "mask=f32[2,1,1,6]! ",                                         \
	  "scale=0.35 causal=1 rate=0.0 stream=0")                                                           \
	X("f32[6,5,48]", "6", "5", "16", "2", "mask=f32[3,1,5,5]! ", "scale=0.35 causal=0 rate=0.0 stream=0")
#define ATTENTION(b, n, x, y, heads, attrs)          ATTENTION_OF("f32[" b "," n "," x "]", b, n, y, heads, "", attrs)
#define LOGS(b, n, x, y, heads, attrs)               LOGS_OF("f32[" b "," n "," x "]", b, n, y, heads, "", attrs)
#define GRAD(b, n, x, y, heads, attrs)               GRAD_OF("f32[" b "," n "," x "]", b, n, y, heads, "", attrs)
#define ATTENTION_OF(x, b, n, y, heads, mask, attrs) "x=" x " " mask "heads=" heads " " attrs,
#define LOGS_OF(x, b, n, y, heads, mask, attrs) \
	"x=" x " y=f32[" b "," n "," y "] " mask "heads=" heads " " attrs,
#define GRAD_OF(x, b, n, y, heads, mask, attrs)                                                  \
	"x=" x " y=f32[" b "," n "," y "] dy=f32[" b "," n "," y "] logs=f32[" b "," heads "," n \
	"] taken=f32[" b "," n "," heads ",1] " mask "heads=" heads " " attrs,

/* Of masks by what they are the same for: x, batch, queries, columns of y, heads, mask, attributes. */
#define MASKS(X)                                                                                           \
	X("f32[1,1,24]", "1", "1", "8", "1", "1,1,1,1", "scale=0.5 causal=0 rate=0.0 stream=0")            \
	X("f32[2,3,24]", "2", "3", "8", "1", "1,1,1,3", "scale=0.35 causal=0 rate=0.0 stream=0")           \
	X("f32[2,3,24]", "2", "3", "8", "1", "1,1,3,3", "scale=0.35 causal=1 rate=0.0 stream=0")           \
	X("f32[2,3,24]", "2", "3", "8", "1", "2,1,3,3", "scale=-0.35 causal=0 rate=0.0 stream=0")          \
	X("f32[2,5,48]", "2", "5", "16", "2", "1,2,5,5", "scale=0.35 causal=0 rate=0.0 stream=0")          \
	X("f32[2,5,48]", "2", "5", "16", "2", "2,2,5,5", "scale=0.35 causal=1 rate=0.0 stream=0")          \
	X("f32[2,5,48]", "2", "5", "16", "2", "1,2,1,5", "scale=0.35 causal=0 rate=0.2 stream=1")          \
	X("f32[3,5,48]", "3", "5", "16", "2", "3,1,1,5", "scale=0.35 causal=0 rate=0.0 stream=0")          \
	X("f32[3,5,48]", "3", "5", "16", "2", "3,2,1,5", "scale=0.35 causal=1 rate=0.0 stream=0")          \
	X("f32[6,5,48]", "6", "5", "16", "2", "3,2,5,5", "scale=0.35 causal=0 rate=0.0 stream=0")          \
	X("f32[4,5,48]", "4", "5", "16", "2", "2,1,1,5", "scale=0.35 causal=0 rate=0.0 stream=0")          \
	X("f32[2,17,96]", "2", "17", "32", "4", "1,4,17,17", "scale=0.35 causal=0 rate=0.1 stream=2")      \
	X("f32[1,33,192]", "1", "33", "64", "2", "1,1,33,33", "scale=0.2 causal=0 rate=0.0 stream=0")      \
	X("f32[1,70,72]", "1", "70", "24", "1", "1,1,70,70", "scale=0.2 causal=1 rate=0.0 stream=0")       \
	X("f32[1,70,72]", "1", "70", "24", "1", "1,1,1,70", "scale=0.2 causal=1 rate=0.0 stream=0")        \
	X("f32[3,65,48]", "3", "65", "16", "2", "1,2,65,65", "scale=0.25 causal=0 rate=0.0 stream=0")      \
	X("f32[2,130,48]", "2", "130", "16", "1", "1,1,130,130", "scale=0.25 causal=1 rate=0.0 stream=0")  \
	X("f32[1,40,384]", "1", "40", "128", "1", "1,1,40,40", "scale=0.09 causal=0 rate=0.0 stream=0")    \
	X("f32[544]", "2", "3", "16", "2", "1,2,3,7",                                                      \
	  "scale=0.35 causal=0 rate=0.0 stream=0 pieces=2 places=[2,3,7]")                                 \
	X("f32[2352]", "1", "17", "16", "1", "1,1,17,65",                                                  \
	  "scale=0.3 causal=0 rate=0.1 stream=2 pieces=3 places=[1,17,65]")                                \
	X("f32[1824]", "1", "70", "24", "1", "1,1,1,3",                                                    \
	  "scale=0.2 causal=0 rate=0.0 stream=0 pieces=2 places=[1,70,3]")                                 \
	X("f32[2,5,64]", "2", "5", "32", "4", "1,4,5,5", "groups=2 scale=0.35 causal=1 rate=0.0 stream=0") \
	X("f32[832]", "2", "4", "32", "4", "1,1,4,9",                                                      \
	  "groups=2 scale=0.35 causal=0 rate=0.2 stream=1 pieces=3 places=[2,4,9]")
#define MASK_GRAD(x, b, n, y, heads, mask, attrs)                                                        \
	"x=" x " dy=f32[" b "," n "," y "] logs=f32[" b "," heads "," n "] taken=f32[" b "," n "," heads \
	",1] mask=f32[" mask "] heads=" heads " " attrs,

static const char *const attention_samples[] = {SHAPES(ATTENTION) MORE(ATTENTION_OF) NULL};
static const char *const logs_samples[] = {SHAPES(LOGS) MORE(LOGS_OF) NULL};
static const char *const grad_samples[] = {SHAPES(GRAD) MORE(GRAD_OF) NULL};
static const char *const mask_grad_samples[] = {MASKS(MASK_GRAD) NULL};

const Op attention_ops[] = {
        {.name = "attention",
         .halves = HALVES_FIRST,
         .signature = "x, mask? -> y",
         .doc = "softmax(scale*Q K^T + mask) V for each of `heads` heads, x being [Q, K, V] along the last "
                "dimension, each with the heads side by side; with `pieces` and `places`, [batch, queries, "
                "keys], Q and after it [K, V], or each by itself. K and V have `groups` heads, that serve "
                "several of Q. With causal of a place and those before it; `rate` and `stream` are of a "
                "dropout of the softmax. Made of a network's own words by the pass `attention`.",
         .flags = OP_SEEDED,
         .infer = attention_infer,
         .grad = attention_gradient,
         .cost = attention_cost,
         .samples = attention_samples},
        {.name = "attention_logs",
         .halves = HALVES_FIRST_TWO,
         .signature = "x, y, mask? -> logs",
         .doc = "Of each row of attention's scores the logarithm of the sum of exponentials: written beside "
                "y, "
                "attention's value, by its kernel.",
         .flags = OP_BESIDE,
         .infer = logs_infer,
         .cost = logs_cost,
         .samples = logs_samples},
        {.name = "attention_grad",
         .halves = HALVES_FIRST_THREE,
         .signature = "x, y, dy, logs, taken, mask? -> dx",
         .doc = "Gradient of attention by its queries, keys and values, which lie as they do in x.",
         .flags = OP_SEEDED,
         .infer = grad_infer,
         .cost = grad_cost,
         .samples = grad_samples},
        {.name = "attention_mask_grad",
         .halves = HALVES_FIRST_TWO,
         .signature = "x, dy, logs, taken, mask -> dmask",
         .doc = "Gradient of attention by its mask, of its shape: summed over the samples, heads and queries "
                "that have the same numbers.",
         .flags = OP_SEEDED,
         .infer = mask_grad_infer,
         .cost = mask_grad_cost,
         .samples = mask_grad_samples},
        {0},
};
