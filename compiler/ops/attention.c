/* Attention without a matrix of scores: what it is, and its gradient. See attention.h; its loops are written by
 * attention_cpu.c, its kernels by attention_cuda.c. */
#include "ops/attention.h"

#include "ops/compose.h"

enum { PARTS = 3, MOST_SIZE = 128, SIZE_STEP = 8, MOST_PLACES = 1 << 20 };

AttentionShape attention_shape(const Node *n)
{
	const Type x = n->operands[0]->type;
	const int64_t heads = node_int(n, "heads");
	return (AttentionShape){.batch = x.dim[0],
	                        .places = x.dim[1],
	                        .heads = heads,
	                        .size = x.dim[2] / PARTS / heads,
	                        .causal = node_int(n, "causal") != 0,
	                        .scale = node_real(n, "scale"),
	                        .rate = node_real(n, "rate"),
	                        .stream = node_int(n, "stream")};
}

bool attention_fits(int64_t places, int64_t size)
{
	return size % SIZE_STEP == 0 && size <= MOST_SIZE && places <= MOST_PLACES;
}

/* ---- shapes */

static bool infer_x(Infer *in)
{
	const Type x = in->operands[0]->type;
	const int64_t heads = infer_int(in, "heads");
	const double rate = infer_attr(in, "rate")->f;
	if (!infer_real(in, 0))
		return false;
	if (x.rank != 3 || heads < 1 || x.dim[2] % (PARTS * heads) != 0)
		return infer_error(in, "shape-mismatch",
		                   "`%s` needs queries, keys and values of %lld heads side by side, not %s",
		                   in->op->name, (long long)heads, shape_text(in->graph->arena, x));
	if (!(rate >= 0 && rate < 1))
		return infer_error(in, "bad-argument", "the rate of `%s` is a share from 0 up to 1, not %g",
		                   in->op->name, rate);
	return true;
}

/* Operand i: of the values' shape. */
static bool infer_value(Infer *in, int i)
{
	const Type x = in->operands[0]->type, y = in->operands[i]->type;
	if (y.rank != 3 || y.dim[0] != x.dim[0] || y.dim[1] != x.dim[1] || PARTS * y.dim[2] != x.dim[2])
		return infer_error(in, "shape-mismatch", "`%s` of `%s` is %s beside %s",
		                   op_operand_name(in->graph->arena, in->op, i), in->op->name,
		                   shape_text(in->graph->arena, y), shape_text(in->graph->arena, x));
	return infer_same_dtype(in, 0, i);
}

static bool attention_infer(Infer *in)
{
	if (!infer_x(in))
		return false;
	const Type x = in->operands[0]->type;
	return infer_result(in, x.dtype, 3, (int64_t[]){x.dim[0], x.dim[1], x.dim[2] / PARTS});
}

static DType sum_dtype(Type x)
{
	return dtype_is_half(x.dtype) ? DTYPE_F32 : x.dtype;
}

static bool logs_infer(Infer *in)
{
	if (!infer_x(in) || !infer_value(in, 1))
		return false;
	const Type x = in->operands[0]->type;
	return infer_result(in, sum_dtype(x), 3, (int64_t[]){x.dim[0], infer_int(in, "heads"), x.dim[1]});
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
	if (!infer_x(in) || !infer_value(in, 1) || !infer_value(in, 2))
		return false;
	const Type x = in->operands[0]->type;
	const int64_t heads = infer_int(in, "heads");
	return infer_sums(in, 3, 3, (int64_t[]){x.dim[0], heads, x.dim[1]}) &&
	       infer_sums(in, 4, 4, (int64_t[]){x.dim[0], x.dim[1], heads, 1}) && infer_like(in, 0);
}

static void attention_gradient(Grad *g)
{
	const Node *n = g->node;
	const AttentionShape s = attention_shape(n);
	const Attr attrs[] = {*node_attr(n, "heads"), *node_attr(n, "scale"), *node_attr(n, "causal"),
	                      *node_attr(n, "rate"), *node_attr(n, "stream")};
	enum { COUNT = sizeof attrs / sizeof *attrs };
	Type by_head;
	require(type_make(g->y->type.dtype, 4, (int64_t[]){s.batch, s.places, s.heads, s.size}, &by_head));
	Node *x = g->operands[0],
	     *logs = build(&g->b, "attention_logs", 2, (Node *[]){x, g->y}, COUNT, attrs);
	Node *product =
	        build2(&g->b, "mul", reshape_like(&g->b, g->y, by_head), reshape_like(&g->b, g->dy, by_head));
	Node *taken = reduce_last(&g->b, "sum", product);
	g->result[0] =
	        build(&g->b, "attention_grad", 5, (Node *[]){x, g->y, g->dy, logs, taken}, COUNT, attrs);
}

/* So many products of all places with all, each of a head's columns. */
static void products_cost(const Node *n, double products, Cost *cost)
{
	const AttentionShape s = attention_shape(n);
	cost->flops = products * 2 * (double)(s.batch * s.heads * s.size) * (double)(s.places * s.places) /
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
#define ATTENTION(b, n, x, y, heads, attrs) "x=f32[" b "," n "," x "] heads=" heads " " attrs,
#define LOGS(b, n, x, y, heads, attrs) \
	"x=f32[" b "," n "," x "] y=f32[" b "," n "," y "] heads=" heads " " attrs,
#define GRAD(b, n, x, y, heads, attrs)                                                                      \
	"x=f32[" b "," n "," x "] y=f32[" b "," n "," y "] dy=f32[" b "," n "," y "] logs=f32[" b "," heads \
	"," n "] taken=f32[" b "," n "," heads ",1] heads=" heads " " attrs,

static const char *const attention_samples[] = {SHAPES(ATTENTION) NULL};
static const char *const logs_samples[] = {SHAPES(LOGS) NULL};
static const char *const grad_samples[] = {SHAPES(GRAD) NULL};

const Op attention_ops[] = {
        {.name = "attention",
         .halves = HALVES_ALL,
         .signature = "x -> y",
         .doc = "softmax(scale*Q K^T) V for each of `heads` heads, x being [Q, K, V] along the last "
                "dimension, "
                "each with the heads side by side; with causal of a place and those before it; `rate` and "
                "`stream` are "
                "of a dropout of the softmax. Made of a network's own words by the pass `attention`.",
         .flags = OP_SEEDED,
         .infer = attention_infer,
         .grad = attention_gradient,
         .cost = attention_cost,
         .emit_cpu = attention_emit,
         .header = "cpu/gemm.h",
         .implementation = "attention",
         .samples = attention_samples},
        {.name = "attention_logs",
         .halves = HALVES_ALL,
         .signature = "x, y -> logs",
         .doc = "Of each row of attention's scores the logarithm of the sum of exponentials: written beside "
                "y, "
                "attention's value, by its kernel.",
         .flags = OP_BESIDE,
         .infer = logs_infer,
         .cost = logs_cost,
         .emit_cpu = attention_logs_emit,
         .header = "cpu/gemm.h",
         .implementation = "attention",
         .samples = logs_samples},
        {.name = "attention_grad",
         .halves = HALVES_FIRST_THREE,
         .signature = "x, y, dy, logs, taken -> dx",
         .doc = "Gradient of attention by its queries, keys and values, side by side as they are in x.",
         .flags = OP_SEEDED,
         .infer = grad_infer,
         .cost = grad_cost,
         .emit_cpu = attention_grad_emit,
         .header = "cpu/gemm.h",
         .implementation = "attention",
         .samples = grad_samples},
        {0},
};
