/* Attention without a matrix of scores: what it is, its gradient, and loops for it. See attention.h; the kernels are
 * written by attention_cuda.c. */
#include "ops/attention.h"

#include "codegen/forms.h"
#include "ops/compose.h"
#include "ops/lanes.h"

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

static bool rows_infer(Infer *in)
{
	if (!infer_x(in) || !infer_value(in, 1) || !infer_value(in, 2))
		return false;
	const Type x = in->operands[0]->type;
	const DType dtype = dtype_is_half(x.dtype) ? DTYPE_F32 : x.dtype;
	return infer_result(in, dtype, 4, (int64_t[]){x.dim[0], infer_int(in, "heads"), x.dim[1], 2});
}

static bool grad_infer(Infer *in)
{
	if (!infer_x(in) || !infer_value(in, 1))
		return false;
	const Type x = in->operands[0]->type, rows = in->operands[2]->type;
	if (rows.rank != 4 || rows.dim[0] != x.dim[0] || rows.dim[1] != infer_int(in, "heads") ||
	    rows.dim[2] != x.dim[1] || rows.dim[3] != 2)
		return infer_error(in, "shape-mismatch", "`stats` of `%s` is %s beside %s", in->op->name,
		                   shape_text(in->graph->arena, rows), shape_text(in->graph->arena, x));
	return infer_like(in, 0);
}

static void attention_gradient(Grad *g)
{
	const Node *n = g->node;
	const Attr attrs[] = {*node_attr(n, "heads"), *node_attr(n, "scale"), *node_attr(n, "causal"),
	                      *node_attr(n, "rate"), *node_attr(n, "stream")};
	enum { COUNT = sizeof attrs / sizeof *attrs };
	Node *x = g->operands[0];
	Node *rows = build(&g->b, "attention_rows", 3, (Node *[]){x, g->y, g->dy}, COUNT, attrs);
	g->result[0] = build(&g->b, "attention_grad", 3, (Node *[]){x, g->dy, rows}, COUNT, attrs);
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

static void rows_cost(const Node *n, Cost *cost)
{
	products_cost(n, 1, cost);
}

static void grad_cost(const Node *n, Cost *cost)
{
	products_cost(n, 7, cost);
}

/* ---- loops in C: a row of scores at a time, computed as often as it is needed; the kernels' oracle */

typedef struct Loops {
	KernelText *k;
	AttentionShape s;
	long long n, h, d, w; /* places, heads, columns of a head and of all */
	const char *real, *suffix;
} Loops;

static Loops loops_of(KernelText *k, const Node *n)
{
	Loops l = {.k = k, .s = attention_shape(n), .real = k->real};
	l.n = l.s.places, l.h = l.s.heads, l.d = l.s.size, l.w = l.h * l.d;
	l.suffix = n->type.dtype == DTYPE_F64 ? "" : "f";
	return l;
}

/* Opens the loop over heads of samples. */
static void open_heads(const Loops *l)
{
	Writer *w = l->k->w;
	write_line(w, "#pragma omp parallel for");
	kernel_open(l->k, "for (int64_t head = 0; head < %lld; head++)", (long long)l->s.batch * l->h);
	write_line(w, "const int64_t sample = head / %lld, first = head %% %lld * %lld;", l->h, l->h, l->d);
	write_line(w, "const %s *query = x + sample * %lld + first, *key = query + %lld;", l->real,
	           3 * l->n * l->w, l->w);
}

/* The loop over the keys that place i looks at; there `score` is declared. */
static void open_keys(const Loops *l)
{
	Writer *w = l->k->w;
	kernel_open(l->k, "for (int64_t j = 0; j < %s; j++)",
	            l->s.causal ? "i + 1" : arena_printf(l->k->arena, "%lld", l->n));
	write_line(w, "%s score = 0;", l->real);
	write_line(w, "for (int64_t c = 0; c < %lld; c++)", l->d);
	write_line(w, "\tscore += query[i * %lld + c] * key[j * %lld + c];", 3 * l->w, 3 * l->w);
	write_line(w, "score *= %s;", kernel_number(l->k, l->s.scale));
}

/* Declares `most` and `sum` of the row. */
static void write_row(const Loops *l)
{
	Writer *w = l->k->w;
	write_line(w, "%s most = -(%s)INFINITY, sum = 0;", l->real, l->real);
	open_keys(l);
	write_line(w, "most = nnr_max%s(most, score);", l->suffix);
	kernel_close(l->k, 1);
	open_keys(l);
	write_line(w, "sum += nnr_exp%s(score - most);", l->suffix);
	kernel_close(l->k, 1);
}

/* `factor` of the dropout. */
static void write_factor(const Loops *l)
{
	if (l->s.rate > 0)
		write_line(l->k->w,
		           "const %s factor = nnr_uniform%s(s->seed, (uint64_t)s->step, %lld, (head * %lld + "
		           "i) * %lld + "
		           "j) >= %s ? %s : 0;",
		           l->real, l->suffix, (long long)l->s.stream, l->n, l->n,
		           kernel_number(l->k, l->s.rate), kernel_number(l->k, 1 / (1 - l->s.rate)));
	else
		write_line(l->k->w, "const %s factor = 1;", l->real);
}

static void attention_emit(KernelText *k, const Node *n)
{
	const Loops l = loops_of(k, n);
	Writer *w = k->w;
	open_heads(&l);
	write_line(w, "const %s *value = key + %lld;", l.real, l.w);
	kernel_open(k, "for (int64_t i = 0; i < %lld; i++)", l.n);
	write_row(&l);
	write_line(w, "%s *to = y + (sample * %lld + i) * %lld + first;", l.real, l.n, l.w);
	write_line(w, "for (int64_t c = 0; c < %lld; c++)", l.d);
	write_line(w, "\tto[c] = 0;");
	open_keys(&l);
	write_factor(&l);
	write_line(w, "const %s share = nnr_exp%s(score - most) / sum * factor;", l.real, l.suffix);
	write_line(w, "for (int64_t c = 0; c < %lld; c++)", l.d);
	write_line(w, "\tto[c] += share * value[j * %lld + c];", 3 * l.w);
	kernel_close(k, 3);
}

static void rows_emit(KernelText *k, const Node *n)
{
	const Loops l = loops_of(k, n);
	Writer *w = k->w;
	open_heads(&l);
	kernel_open(k, "for (int64_t i = 0; i < %lld; i++)", l.n);
	write_row(&l);
	write_line(w, "const int64_t at = (sample * %lld + i) * %lld + first;", l.n, l.w);
	write_line(w, "%s taken = 0;", l.real);
	write_line(w, "for (int64_t c = 0; c < %lld; c++)", l.d);
	write_line(w, "\ttaken += y[at + c] * dy[at + c];");
	write_line(w, "stats[(head * %lld + i) * 2] = most + nnr_log%s(sum);", l.n, l.suffix);
	write_line(w, "stats[(head * %lld + i) * 2 + 1] = taken;", l.n);
	kernel_close(k, 2);
}

static void grad_emit(KernelText *k, const Node *n)
{
	const Loops l = loops_of(k, n);
	Writer *w = k->w;
	open_heads(&l);
	write_line(w, "const %s *value = key + %lld, *out = dy + sample * %lld + first;", l.real, l.w,
	           l.n * l.w);
	write_line(w,
	           "%s *dquery = dx + sample * %lld + first, *dkey = dquery + %lld, *dvalue = dkey + %lld;",
	           l.real, 3 * l.n * l.w, l.w, l.w);
	kernel_open(k, "for (int64_t i = 0; i < %lld; i++)", l.n);
	write_line(w, "for (int64_t c = 0; c < %lld; c++)", l.d);
	write_line(w, "\tdquery[i * %lld + c] = dkey[i * %lld + c] = dvalue[i * %lld + c] = 0;", 3 * l.w,
	           3 * l.w, 3 * l.w);
	kernel_close(k, 1);
	kernel_open(k, "for (int64_t i = 0; i < %lld; i++)", l.n);
	write_line(w, "const %s *row = stats + (head * %lld + i) * 2;", l.real, l.n);
	open_keys(&l);
	write_factor(&l);
	write_line(w, "const %s share = nnr_exp%s(score - row[0]);", l.real, l.suffix);
	write_line(w, "%s by_share = 0;", l.real);
	write_line(w, "for (int64_t c = 0; c < %lld; c++)", l.d);
	write_line(w, "\tby_share += out[i * %lld + c] * value[j * %lld + c];", l.w, 3 * l.w);
	write_line(w, "const %s by_score = share * (factor * by_share - row[1]) * %s;", l.real,
	           kernel_number(k, l.s.scale));
	kernel_open(k, "for (int64_t c = 0; c < %lld; c++)", l.d);
	write_line(w, "dquery[i * %lld + c] += by_score * key[j * %lld + c];", 3 * l.w, 3 * l.w);
	write_line(w, "dkey[j * %lld + c] += by_score * query[i * %lld + c];", 3 * l.w, 3 * l.w);
	write_line(w, "dvalue[j * %lld + c] += share * factor * out[i * %lld + c];", 3 * l.w, l.w);
	kernel_close(k, 4);
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
#define ROWS(b, n, x, y, heads, attrs) \
	"x=f32[" b "," n "," x "] y=f32[" b "," n "," y "] dy=f32[" b "," n "," y "] heads=" heads " " attrs,
#define GRAD(b, n, x, y, heads, attrs)                                                                       \
	"x=f32[" b "," n "," x "] dy=f32[" b "," n "," y "] stats=f32[" b "," heads "," n ",2] heads=" heads \
	" " attrs,

static const char *const attention_samples[] = {SHAPES(ATTENTION) NULL};
static const char *const rows_samples[] = {SHAPES(ROWS) NULL};
static const char *const grad_samples[] = {SHAPES(GRAD) NULL};

const Op attention_ops[] = {
        {.name = "attention",
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
         .implementation = "attention",
         .samples = attention_samples},
        {.name = "attention_rows",
         .signature = "x, y, dy -> stats",
         .doc = "Of each row of attention's scores the logarithm of the sum of exponentials, and the sum of "
                "y*dy.",
         .infer = rows_infer,
         .cost = rows_cost,
         .emit_cpu = rows_emit,
         .implementation = "attention",
         .samples = rows_samples},
        {.name = "attention_grad",
         .signature = "x, dy, stats -> dx",
         .doc = "Gradient of attention by its queries, keys and values, side by side as they are in x.",
         .flags = OP_SEEDED,
         .infer = grad_infer,
         .cost = grad_cost,
         .emit_cpu = grad_emit,
         .implementation = "attention",
         .samples = grad_samples},
        {0},
};
