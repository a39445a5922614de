/* SPDX-License-Identifier: MIT */
/* C loops of attention and its gradient: a few rows at a time, with all their scores.
 *
 *     for each head of each sample, for each strip of rows:
 *             share = scale*Q K^T, the keys in blocks of 256   nnr_matmul_block
 *             share = exp(share - the row's maximum), by the dropout's factors
 *             y = share V / the row's sum
 *
 * Queries, keys and values are read in place, by their stride. The gradient has a second strip, of dP, which becomes
 * scale*dS. The strips of heads that share keys add to dK and dV one after the other, so that there heads of keys alone
 * are parallel. A causal strip ends with the key of its last row. The gradient of the mask has a strip of dA, which is
 * added up for the samples and heads that have the same numbers, one after the other. */
#include "kernels/attention.h"

#include "base/checked.h"
#include "codegen/body.h"
#include "codegen/lanes.h"

enum {
	KEY_BLOCK = 256,
	ROWS = 84,              /* a multiple of every machine's tile of rows: 6, 12, 14 */
	LEAST_ROWS = 10,        /* of a strip, however many keys there are */
	STRIP_ELEMENTS = 96000, /* of a strip that stays in a core's cache */
};

typedef struct Strips {
	KernelText *k;
	AttentionShape s;
	const char *real, *suffix, *call; /* the product of a block */
	const char *stream;               /* of the dropout */
	long long rows, columns;          /* of a strip; of a block of scores */
	long long m, n;                   /* queries, keys */
	long long h, d, w, block;         /* heads, columns of one, of all, and of a block with one's */
	long long shared;                 /* heads of queries that a head of keys serves */
} Strips;

const char *attention_logs_text(const KernelText *k)
{
	for (int i = 0; i < k->step->node_count; i++)
		if (k->step->nodes[i] != k->step->root && (k->step->nodes[i]->op->flags & OP_BESIDE))
			return tensor_of(&k->state->tensors, k->program, k->step->nodes[i]);
	return NULL;
}

static long long block_columns(int64_t columns)
{
	return columns >= KEY_BLOCK ? KEY_BLOCK : ceil_div(columns, 16) * 16;
}

static Strips strips_of(KernelText *k, const Node *n)
{
	Strips t = {.k = k, .s = attention_shape(n), .real = k->real};
	t.m = t.s.queries, t.n = t.s.keys, t.h = t.s.heads, t.d = t.s.size, t.w = t.h * t.d;
	t.shared = t.s.heads / t.s.groups;
	t.rows = ROWS;
	while (t.rows * t.n > STRIP_ELEMENTS && t.rows / 2 >= LEAST_ROWS)
		t.rows /= 2;
	t.rows = t.rows < t.m ? t.rows : t.m;
	t.columns = block_columns(t.n);
	t.block = block_columns(t.d);
	t.stream = stream_of_node(&k->state->tensors, n);
	t.suffix = n->type.dtype == DTYPE_F64 ? "" : "f";
	t.call = n->type.dtype == DTYPE_F64 ? "nnr_matmul_block_f64" : "nnr_matmul_block_f32";
	return t;
}

/* Of `head`, of all samples' queries. */
static void declare_head(const Strips *t)
{
	Code *w = t->k->code;
	code_let(w, "int64_t", "sample", "head / %lld", t->h);
	code_also(w, "own", "head %% %lld", t->h);
	code_also(w, "first", "own * %lld", t->d);
	code_let(w, "%s *const", "query", "x + sample * %lld + first", t->real,
	         t->m * (long long)t->s.query_row);
	code_let(w, "%s *const", "key", "x + %lld + sample * %lld + own / %lld * %lld", t->real,
	         (long long)t->s.keys_at, t->n * (long long)t->s.key_row, t->shared, t->d);
	if (t->s.mask)
		code_let(w, "%s *const", "added", "mask + sample %% %lld * %lld + own * %lld", t->real,
		         (long long)t->s.mask_samples, (long long)t->s.mask_sample,
		         (long long)t->s.mask_head);
}

static void declare_value(const Strips *t)
{
	code_let(t->k->code, "%s *const", "value", "key + %lld", t->real,
	         (long long)(t->s.values_at - t->s.keys_at));
}

static void open_strips(const Strips *t)
{
	code_loop(t->k->code, (CodeLoop){.type = "int64_t", .var = "r0", .count = t->m, .by = t->rows});
}

static void open_heads(const Strips *t)
{
	code_turns(t->k->code, TURNS_THREADS, " collapse(2) schedule(dynamic)");
	code_for(t->k->code, "head", "%lld", (long long)t->s.batch * t->h);
}

static void declare(const Strips *t, const char *name, long long columns)
{
	code_array(t->k->code, "%s", "%s", "NNR_BLOCK_ROWS(%lld) * %lld", t->real, name, t->rows, columns)
	        ->is_aligned = true;
}

static void declare_strip(const Strips *t)
{
	Code *w = t->k->code;
	declare(t, "share", t->n);
	declare(t, "block", t->columns > t->block ? t->columns : t->block);
	code_let(w, "int64_t", "rows", "%lld - r0 < %lld ? %lld - r0 : %lld", t->m, t->rows, t->m, t->rows);
	code_let(w, "int64_t", "keys", "%s",
	         t->s.causal ? "r0 + rows" : arena_printf(t->k->arena, "%lld", t->n));
}

/* C text of a matrix of a head: so many rows, `stride` apart. */
static const char *matrix(const Strips *t, const char *at, const char *rows, long long stride)
{
	return arena_printf(t->k->arena, "(NnrMatrix){%s, %s, %lld, %lld}", at, rows, t->d, stride);
}

/* strip[rows][keys] = before a b^T after; a has the strip's rows from `at` on. */
static void write_scores(const Strips *t, const char *strip, const char *a, long long stride, const char *b,
                         const char *before, const char *after)
{
	KernelText *k = t->k;
	const char *all = arena_printf(k->arena, "%lld", t->m);
	code_loop(k->code, (CodeLoop){.type = "int64_t", .var = "n0", .to = "keys", .by = t->columns});
	code_do(k->code, "%s(%lld, %lld, %s, 0, %s, 1, 0, %lld, r0, n0, block)", t->call, t->rows, t->columns,
	        matrix(t, a, all, stride), matrix(t, b, "keys", (long long)t->s.key_row), t->d);
	code_let(k->code, "int64_t", "columns", "keys - n0 < %lld ? keys - n0 : %lld", t->columns,
	         t->columns);
	code_for(k->code, "i", "rows");
	code_turns(k->code, TURNS_SIMD, "");
	code_for_bare(k->code, "j", "columns");
	code_set(k->code, "%s[i * %lld + n0 + j]", "%sblock[i * %lld + j]%s", strip, t->n, before, t->columns,
	         after);
	code_close(k->code, 1);
	code_close(k->code, 2);
}

static void write_shares(const Strips *t)
{
	Arena *a = t->k->arena;
	const char *row =
	        t->s.mask_row ? arena_printf(a, "(r0 + i) * %lld + ", (long long)t->s.mask_row) : "";
	write_scores(t, "share", "query", (long long)t->s.query_row, "key",
	             arena_printf(a, "%s * ", kernel_number(t->k, t->s.scale)),
	             t->s.mask ? arena_printf(a, " + added[%sn0 + j]", row) : "");
}

/* Opens the loop over the strip's rows; row i sees the first `seen` keys. */
static void open_rows(const Strips *t)
{
	code_for(t->k->code, "i", "rows");
	code_var(t->k->code, "%s *const", "row", "share + i * %lld", t->real, t->n);
	code_let(t->k->code, "int64_t", "seen", "%s", t->s.causal ? "r0 + i + 1" : "keys");
}

/* Declares `most` and `sum`; row's scores become exponentials below their maximum. */
static void write_softmax(const Strips *t)
{
	Code *w = t->k->code;
	code_var(w, "%s", "most", "-INFINITY", t->real);
	code_also(w, "sum", "0");
	code_turns(w, TURNS_SIMD, " reduction(max : most)");
	code_for_bare(w, "j", "seen");
	code_set(w, "most", "nnr_max%s(most, row[j])", t->suffix);
	code_close(w, 1);
	code_turns(w, TURNS_SIMD, " reduction(+ : sum)");
	code_for(t->k->code, "j", "seen");
	code_set(w, "row[j]", "nnr_exp%s(row[j] - most)", t->suffix);
	code_add(w, "sum", "row[j]");
	code_close(t->k->code, 1);
}

/* Declares `factor` of the dropout, of element j. */
static void write_factor(const Strips *t)
{
	KernelText *k = t->k;
	code_let(k->code, "%s", "factor",
	         "nnr_uniform%s(s->seed, (uint64_t)s->step, %s, (head * %lld + r0 + i) * %lld + j) >= %s ? "
	         "%s : 0",
	         t->real, t->suffix, t->stream, t->m, t->n, kernel_number(k, t->s.rate),
	         kernel_number(k, 1 / (1 - t->s.rate)));
}

static void clear_unseen(const Strips *t, const char *row)
{
	if (!t->s.causal)
		return;
	code_loop_bare(t->k->code, (CodeLoop){.type = "int64_t", .var = "j", .from = "seen", .to = "keys"});
	code_set(t->k->code, "%s[j]", "0", row);
	code_close(t->k->code, 1);
}

/* block = strip b, b's rows being keys. */
static void write_product(const Strips *t, const char *strip, const char *b)
{
	code_do(t->k->code,
	        "%s(%lld, %lld, (NnrMatrix){%s, rows, keys, %lld}, 0, %s, 0, 0, keys, 0, 0, block)", t->call,
	        t->rows, t->block, strip, t->n, matrix(t, b, "keys", (long long)t->s.key_row));
}

/* Scores and logs of rows that have no key are below. */
static const char *no_key(const Strips *t)
{
	return kernel_number(t->k, ATTENTION_HIDDEN / 2);
}

static void write_log(const Strips *t, const char *logs)
{
	const char *to = arena_printf(t->k->arena, "%s[head * %lld + r0 + i]", logs, t->m);
	const char *log = arena_printf(t->k->arena, "most + nnr_log%s(sum)", t->suffix);
	if (t->s.hides) /* 0 or NaN, less the number of equal shares */
		code_set(t->k->code, "%s", "most < %s ? most - most + %s * sum : %s", to, no_key(t),
		         kernel_number(t->k, ATTENTION_HIDDEN), log);
	else
		code_set(t->k->code, "%s", "%s", to, log);
}

static void attention_emit(KernelText *k, const Node *n)
{
	const Strips t = strips_of(k, n);
	Code *w = k->code;
	open_heads(&t);
	open_strips(&t);
	declare_head(&t);
	declare_value(&t);
	declare_strip(&t);
	code_array(w, "%s", "part", "%lld", t.real, t.rows);
	write_shares(&t);
	open_rows(&t);
	write_softmax(&t);
	code_set(w, "part[i]", "1 / sum");
	const char *logs = attention_logs_text(k);
	if (logs)
		write_log(&t, logs);
	if (t.s.rate > 0) {
		code_for(k->code, "j", "seen");
		write_factor(&t);
		code_do(w, "row[j] *= factor");
		code_close(k->code, 1);
	}
	clear_unseen(&t, "row");
	code_close(k->code, 1);
	write_product(&t, "share", "value");
	code_for(k->code, "i", "rows");
	code_for_bare(w, "c", "%lld", t.d);
	code_set(w, "y[(sample * %lld + r0 + i) * %lld + first + c]", "block[i * %lld + c] * part[i]", t.m,
	         t.w, t.block);
	code_close(w, 1);
	code_close(k->code, 3);
}

static void attention_logs_emit(KernelText *k, const Node *n)
{
	const Strips t = strips_of(k, n);
	code_do(k->code, "(void)y");
	open_heads(&t);
	open_strips(&t);
	declare_head(&t);
	declare_strip(&t);
	write_shares(&t);
	open_rows(&t);
	write_softmax(&t);
	write_log(&t, "logs");
	code_close(k->code, 3);
}

/* Of a row without a key: the logarithms of equal shares. What takes the place of scores has no gradient by these. */
static void write_equal_shares(const Strips *t, bool stops)
{
	Code *w = t->k->code;
	code_if(w, "log_i < %s", no_key(t));
	code_set(w, "log_i", "nnr_log%s(log_i / %s)", t->suffix, kernel_number(t->k, ATTENTION_HIDDEN));
	if (stops)
		code_set(w, "scale_i", "0");
	code_for_bare(w, "j", "seen");
	code_set(w, "row[j]", "row[j] == -INFINITY ? row[j] : 0");
	code_close(w, 2);
}

/* slope, which has dP, becomes dA times `scale`, and share P*M; without `scale` dA, and share is of no meaning. */
static void write_slopes(const Strips *t, const char *scale)
{
	KernelText *k = t->k;
	open_rows(t);
	code_var(k->code, "%s *const", "to", "slope + i * %lld", t->real, t->n);
	const bool stops = scale && t->s.hides == HIDES_ALL;
	const char *log = arena_printf(k->arena, "logs[head * %lld + r0 + i]", t->m);
	if (t->s.hides)
		code_var(k->code, "%s", "log_i", "%s", t->real, log);
	else
		code_let(k->code, "%s", "log_i", "%s", t->real, log);
	if (stops) {
		code_var(k->code, "%s", "scale_i", "%s", t->real, scale);
		scale = "scale_i";
	}
	if (t->s.hides)
		write_equal_shares(t, stops);
	code_let(k->code, "%s", "taken_i", "taken[(sample * %lld + r0 + i) * %lld + own]", t->real, t->m,
	         t->h);
	if (t->s.rate == 0)
		code_turns(k->code, TURNS_SIMD, "");
	code_for(k->code, "j", "seen");
	code_let(k->code, "%s", "p", "nnr_exp%s(row[j] - log_i)", t->real, t->suffix);
	if (t->s.rate > 0)
		write_factor(t);
	code_set(k->code, "to[j]", "%s%sp * (%sto[j] - taken_i)", scale ? scale : "", scale ? " * " : "",
	         t->s.rate > 0 ? "factor * " : "");
	if (scale)
		code_set(k->code, "row[j]", "p%s", t->s.rate > 0 ? " * factor" : "");
	code_close(k->code, 1);
	if (scale)
		clear_unseen(t, "row");
	clear_unseen(t, "to");
	code_close(k->code, 1);
}

/* to[keys] += strip^T b, b having the strip's rows. */
static void add_product(const Strips *t, const char *to, const char *strip, const char *b, long long stride)
{
	KernelText *k = t->k;
	const char *at = arena_printf(k->arena, "%s + r0 * %lld", b, stride);
	code_loop(k->code, (CodeLoop){.type = "int64_t", .var = "k0", .to = "keys", .by = t->rows});
	code_do(k->code, "%s(%lld, %lld, (NnrMatrix){%s, rows, keys, %lld}, 1, %s, 0, 0, rows, k0, 0, block)",
	        t->call, t->rows, t->block, strip, t->n, matrix(t, at, "rows", stride));
	code_loop_bare(k->code,
	               (CodeLoop){.type = "int64_t", .var = "i", .count = t->rows, .also = "k0 + i < keys"});
	code_for_bare(k->code, "c", "%lld", t->d);
	code_add(k->code, "%s[(k0 + i) * %lld + c]", "block[i * %lld + c]", to, (long long)t->s.key_row,
	         t->block);
	code_close(k->code, 3);
}

/* Opens the loops over heads of keys, and those of queries that one serves; what is summed over these begins with 0. */
static void open_groups(const Strips *t)
{
	Code *w = t->k->code;
	const long long groups = (long long)t->s.groups, values = (long long)(t->s.values_at - t->s.keys_at),
	                row = (long long)t->s.key_row;
	code_turns(w, TURNS_THREADS, " schedule(dynamic)");
	code_for(t->k->code, "group", "%lld", (long long)t->s.batch * groups);
	code_var(w, "%s *const", "dkey", "dx + %lld + group / %lld * %lld + group %% %lld * %lld", t->real,
	         (long long)t->s.keys_at, groups, t->n * row, groups, t->d);
	code_var(w, "%s *const", "dvalue", "dkey + %lld", t->real, values);
	code_for_bare(w, "i", "%lld", t->n);
	code_for_bare(w, "c", "%lld", t->d);
	code_set(w, "dkey[i * %lld + c] = dvalue[i * %lld + c]", "0", row, row);
	code_close(w, 2);
	code_loop(w, (CodeLoop){.type = "int64_t",
	                        .var = "head",
	                        .from = arena_printf(w->arena, "group * %lld", t->shared),
	                        .to = arena_printf(w->arena, "(group + 1) * %lld", t->shared)});
}

static void attention_grad_emit(KernelText *k, const Node *n)
{
	const Strips t = strips_of(k, n);
	const long long row = (long long)t.s.query_row;
	Code *w = k->code;
	code_do(w, "(void)y");
	open_groups(&t);
	declare_head(&t);
	declare_value(&t);
	code_let(w, "%s *const", "out", "dy + sample * %lld + first", t.real, t.m * t.w);
	code_var(w, "%s *const", "dquery", "dx + sample * %lld + first", t.real, t.m * row);
	open_strips(&t);
	declare_strip(&t);
	declare(&t, "slope", t.n);
	write_shares(&t);
	write_scores(&t, "slope", "out", t.w, "value", "", "");
	write_slopes(&t, kernel_number(k, t.s.scale));
	write_product(&t, "slope", "key");
	code_for_bare(w, "i", "rows");
	code_for_bare(w, "c", "%lld", t.d);
	code_set(w, "dquery[(r0 + i) * %lld + c]", "block[i * %lld + c]", row, t.block);
	code_close(w, 2);
	add_product(&t, "dkey", "slope", "query", row);
	add_product(&t, "dvalue", "share", "out", t.w);
	code_close(k->code, 3);
}

/* Opens the loops over the parts of the mask, and for each over the heads of samples that it is the same for, strip by
 * strip; a part is of a sample and head, of all, or of a strip of their rows. `to`, its gradient, begins with 0. */
static void open_parts(const Strips *t)
{
	const AttentionShape *s = &t->s;
	Code *w = t->k->code;
	Arena *a = t->k->arena;
	const long long samples = (long long)s->mask_samples, heads = s->mask_head ? t->h : 1,
	                others = t->h / heads, turns = (long long)s->batch / samples * others;
	code_turns(w, TURNS_THREADS, s->mask_row ? " collapse(2) schedule(dynamic)" : " schedule(dynamic)");
	code_for(t->k->code, "part", "%lld", samples * heads);
	if (s->mask_row) {
		open_strips(t);
		code_var(w, "%s *const", "to", "dmask + (part * %lld + r0) * %lld", t->real, t->m, t->n);
		code_loop_bare(w, (CodeLoop){.type = "int64_t",
		                             .var = "i",
		                             .count = t->rows * t->n,
		                             .also = arena_printf(a, "r0 + i / %lld < %lld", t->n, t->m)});
	} else {
		code_var(w, "%s *const", "to", "dmask + part * %lld", t->real, t->n);
		code_for_bare(w, "i", "%lld", t->n);
	}
	code_set(w, "to[i]", "0");
	code_close(w, 1);
	code_for(t->k->code, "turn", "%lld", turns);
	if (!s->mask_row)
		open_strips(t);
	const char *sample = arena_printf(a, "(part / %lld + turn / %lld * %lld)", heads, others, samples),
	           *own = heads > 1 ? arena_printf(a, "part %% %lld", heads)
	                            : arena_printf(a, "turn %% %lld", others);
	code_let(w, "int64_t", "head", "%s * %lld + %s", sample, t->h, own);
}

static void attention_mask_grad_emit(KernelText *k, const Node *n)
{
	const Strips t = strips_of(k, n);
	Code *w = k->code;
	open_parts(&t);
	declare_head(&t);
	declare_value(&t);
	code_let(w, "%s *const", "out", "dy + sample * %lld + first", t.real, t.m * t.w);
	declare_strip(&t);
	declare(&t, "slope", t.n);
	write_shares(&t);
	write_scores(&t, "slope", "out", t.w, "value", "", "");
	write_slopes(&t, NULL);
	code_for(k->code, "i", "rows");
	code_for_bare(w, "j", "keys");
	code_add(w, "to[%sj]", "slope[i * %lld + j]",
	         t.s.mask_row ? arena_printf(k->arena, "i * %lld + ", t.n) : "", t.n);
	code_close(w, 1);
	code_close(k->code, 4);
}

const OpLoops attention_loops[] = {
        {.op = "attention", .emit_cpu = attention_emit, .header = "cpu/gemm.h"},
        {.op = "attention_logs", .emit_cpu = attention_logs_emit, .header = "cpu/gemm.h"},
        {.op = "attention_grad", .emit_cpu = attention_grad_emit, .header = "cpu/gemm.h"},
        {.op = "attention_mask_grad", .emit_cpu = attention_mask_grad_emit, .header = "cpu/gemm.h"},
        {0},
};
