/* SPDX-License-Identifier: MIT */
/* Attention and its gradient, by our kernel or by cuDNN, whichever is faster, against loops in double. The gradient is
 * given y, logs and taken as they belong together, since our kernel reads the last and cuDNN makes it of y. Sizes are
 * such that a search asks cuDNN for plans (cudnn_attention.c), but for the last. */
#include "tests/gpu/attention.h"
#include "runtime/host/die.h"
#include "runtime/cuda/nnr_sizes.h"
#include "tests/gpu/case.h"
#include "tests/gpu/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* queries = 0: as many as keys, side by side with them. The mask's strides: 1 where it has more than one of these. */
static const NnrAttentionShape shapes[] = {
        {.batch = 8, .keys = 1024, .heads = 12, .size = 64, .causal = true, .scale = 0.125f},
        {.batch = 64, .keys = 256, .heads = 6, .size = 64, .causal = true, .scale = 0.125f},
        {.batch = 256, .keys = 197, .heads = 3, .size = 64, .scale = 0.125f},
        {.batch = 32, .keys = 333, .heads = 8, .size = 40, .causal = true, .scale = 0.3f},
        {.batch = 16, .keys = 512, .heads = 8, .size = 128, .scale = 0.09f},
        {.batch = 128, .keys = 130, .heads = 16, .size = 8, .causal = true, .scale = 0.5f},
        {.batch = 32, .queries = 256, .keys = 320, .heads = 8, .size = 64, .scale = 0.125f},
        {.batch = 32, .queries = 64, .keys = 512, .heads = 8, .size = 64, .scale = 0.125f, .mask_sample = 1},
        {.batch = 32, .keys = 256, .heads = 8, .size = 64, .scale = 0.125f, .mask_sample = 1},
        {.batch = 32, .keys = 256, .heads = 8, .size = 64, .scale = 0.125f, .mask_row = 1},
        {.batch = 32, .queries = 200, .keys = 256, .heads = 8, .size = 64, .scale = 0.125f, .mask_row = 1},
        {.batch = 16, .keys = 200, .heads = 4, .size = 72, .scale = 0.118f},
        {.batch = 2, .keys = 17, .heads = 3, .size = 24, .causal = true, .scale = 0.2f},
};

/* With all that follows from that. */
static NnrAttentionShape laid_out(NnrAttentionShape s)
{
	const int64_t width = s.heads * s.size;
	const bool beside = s.queries == 0;
	s.queries = beside ? s.keys : s.queries;
	s.query_row = beside ? 3 * width : width;
	s.key_row = beside ? 3 * width : 2 * width;
	s.keys_at = beside ? width : s.batch * s.queries * width;
	s.values_at = s.keys_at + width;
	s.mask_sample *= s.keys * (s.mask_row ? s.queries : 1);
	s.mask_row *= s.keys;
	return s;
}

static bool is_masked(const NnrAttentionShape *s)
{
	return s->mask_sample || s->mask_row;
}

static NnrKernel kernel;

static int64_t tiles_of(const NnrAttentionShape *s, int64_t places)
{
	return s->batch * s->heads * ((places + NNR_ATTENTION_ROWS - 1) / NNR_ATTENTION_ROWS);
}

/* By warpgroups: bytes of shared memory, of tiles that stay and of such as go by; and items of rows. */
static int64_t warpgroup_bytes(const NnrAttentionShape *s, bool grad)
{
	const int64_t tiles = (grad ? 2 : 1) * ((s->size + 63) / 64), stages = NNR_WARPGROUP_STAGES,
	              going = grad ? NNR_BACKWARD_GOING : NNR_FORWARD_GOING;
	return tiles * 128 * (NNR_WARPGROUP_ROWS + stages * going) + (grad ? stages * going * 8 : 0) +
	       (stages + 1) * 16 + 1024;
}

static int64_t warpgroup_items(const NnrAttentionShape *s, int64_t places)
{
	return s->batch * s->heads * ((places + NNR_WARPGROUP_ROWS - 1) / NNR_WARPGROUP_ROWS);
}

/* As kernels/attention_cuda.c writes and launches them. */
static void load_kernel(const NnrAttentionShape *s, bool grad)
{
	static char source[2048];
	char mask[128] = "NnrNoMask()", call[128];
	const int64_t row = (s->size + 15) / 16 * 32 + 16, by_keys = tiles_of(s, s->keys),
	              by_queries = tiles_of(s, s->queries), bytes = (grad ? 4 : 5) * NNR_ATTENTION_ROWS * row,
	              group_bytes = warpgroup_bytes(s, grad),
	              items = warpgroup_items(s, s->queries) + (grad ? warpgroup_items(s, s->keys) : 0);
	const bool by_warpgroups = s->size >= 32 && s->queries > NNR_ATTENTION_ROWS;
	const char *element = s->dtype == NNR_BF16 ? "NnrBf16" : "NnrF16",
	           *operand = is_masked(s) ? ", const float *mask" : "";
	if (is_masked(s))
		snprintf(mask, sizeof mask, "NnrMask<%lld, 0, %lld>{mask}", (long long)s->mask_sample,
		         (long long)s->mask_row);
	if (by_warpgroups)
		snprintf(call, sizeof call, "nnr_attention_%s<Attention, Cut, %lld>",
		         grad ? "backward" : "forward", (long long)s->batch);
	else if (grad)
		snprintf(call, sizeof call, "nnr_attention_grad<Attention, %lld>", (long long)by_keys);
	else
		snprintf(call, sizeof call, "nnr_attention<Attention>");
	int n = snprintf(source, sizeof source,
	                 "#include \"cuda/nnr_device.h\"\n#include \"cuda/nnr_attention_backward.h\"\n"
	                 "using Attention = NnrAttention<%s, %lld, %lld, %lld, %lld, %lld, %s, true, %lld, "
	                 "%lld, %lld, %lld>;\n"
	                 "using Cut = NnrAttentionCut<Attention, %d, %d, %lld>;\nusing Element = %s;\n"
	                 "extern \"C\" __global__ void __launch_bounds__(%s) attention(const Element *x, ",
	                 element, (long long)s->heads, (long long)s->heads, (long long)s->queries,
	                 (long long)s->keys, (long long)s->size, s->causal ? "true" : "false",
	                 (long long)s->query_row, (long long)s->key_row, (long long)s->keys_at,
	                 (long long)s->values_at, grad ? NNR_BACKWARD_GOING : NNR_FORWARD_GOING,
	                 NNR_WARPGROUP_STAGES, (long long)group_bytes, element,
	                 by_warpgroups ? "NNR_WARPGROUP_BOUNDS" : "NNR_ATTENTION_THREADS");
	if (grad)
		snprintf(source + n, sizeof source - (size_t)n,
		         "const Element *, const Element *dy, const float *logs, const float *taken, Element "
		         "*dx%s) {\nNNR_CHIP(chip, %lld);\n%s(chip, x, %s, dy, logs, taken, dx, %.9gf, "
		         "NnrKeepAll());\n}\n",
		         operand, (long long)bytes, call, mask, (double)s->scale);
	else
		snprintf(source + n, sizeof source - (size_t)n,
		         "Element *y, float *logs%s) {\nNNR_CHIP(chip, %lld);\n%s(chip, x, %s, y, logs, "
		         "%.9gf, "
		         "NnrKeepAll());\n}\n",
		         operand, (long long)bytes, call, mask, (double)s->scale);
	kernel_load(source);
	kernel = (NnrKernel){.name = "attention",
	                     .blocks = grad ? by_keys + by_queries : by_queries,
	                     .threads = NNR_ATTENTION_THREADS,
	                     .shared_bytes = (int)bytes};
	if (by_warpgroups) {
		kernel.warpgroups.blocks = items < 132 ? items : 132;
		kernel.warpgroups.shared_bytes = (int)group_bytes;
	}
}

/* ---- the operands: x; y; w is dy, weight the logs, bias taken, residual dx, sum the mask */

static void run(Case *c, NnrPlan **plan)
{
	const void *x = (void *)c->x.at, *y = (void *)c->y.at, *dy = (void *)c->w.at,
	           *logs = (void *)c->weight.at, *taken = (void *)c->bias.at, *dx = (void *)c->residual.at,
	           *mask = (void *)c->sum.at;
	if (c->residual.at)
		nnr_cudnn_attention(plan, c->shape, &kernel,
		                    (void *[]){&x, &y, &dy, &logs, &taken, &dx, &mask});
	else
		nnr_cudnn_attention(plan, c->shape, &kernel, (void *[]){&x, &y, &logs, &mask});
}

/* ---- by the definition */

/* Of part 0 to 2, queries, keys and values: where the head's columns begin. */
static const double *columns_of(const Case *c, int64_t sample, int64_t place, int64_t head, int part)
{
	const NnrAttentionShape *s = c->shape;
	const int64_t at[] = {0, s->keys_at, s->values_at}, row = part == 0 ? s->query_row : s->key_row,
	              places = part == 0 ? s->queries : s->keys;
	return c->x.value + at[part] + (sample * places + place) * row + head * s->size;
}

static double dot(const double *a, const double *b, int64_t count)
{
	double sum = 0;
	for (int64_t i = 0; i < count; i++)
		sum += a[i] * b[i];
	return sum;
}

static double score(const Case *c, int64_t sample, int64_t head, int64_t i, int64_t j)
{
	const NnrAttentionShape *s = c->shape;
	const double added = is_masked(s) ? c->sum.value[sample * s->mask_sample + i * s->mask_row + j] : 0;
	return added + (double)s->scale * dot(columns_of(c, sample, i, head, 0),
	                                      columns_of(c, sample, j, head, 1), s->size);
}

static int64_t seen(const NnrAttentionShape *s, int64_t i)
{
	return s->causal ? i + 1 : s->keys;
}

static double log_of(const Case *c, int64_t sample, int64_t head, int64_t i)
{
	double sum = 0;
	for (int64_t j = 0; j < seen(c->shape, i); j++)
		sum += exp(score(c, sample, head, i, j));
	return log(sum);
}

static double exact_log(const Case *c, int64_t at)
{
	const NnrAttentionShape *s = c->shape;
	return log_of(c, at / s->queries / s->heads, at / s->queries % s->heads, at % s->queries);
}

static double exact_y(const Case *c, int64_t at)
{
	const NnrAttentionShape *s = c->shape;
	const int64_t column = at % s->size, head = at / s->size % s->heads,
	              i = at / s->size / s->heads % s->queries, sample = at / s->size / s->heads / s->queries;
	const double log = log_of(c, sample, head, i);
	double sum = 0;
	for (int64_t j = 0; j < seen(s, i); j++)
		sum += exp(score(c, sample, head, i, j) - log) * columns_of(c, sample, j, head, 2)[column];
	return sum;
}

/* The share of place j that i has, and the gradient of their score by the logs and taken that were given. */
static double share(const Case *c, int64_t sample, int64_t head, int64_t i, int64_t j, double *by_score)
{
	const NnrAttentionShape *s = c->shape;
	const double log = c->weight.value[(sample * s->heads + head) * s->queries + i],
	             taken = c->bias.value[(sample * s->queries + i) * s->heads + head];
	const double *dy = c->w.value + ((sample * s->queries + i) * s->heads + head) * s->size;
	const double p = exp(score(c, sample, head, i, j) - log);
	*by_score = p * (double)s->scale * (dot(dy, columns_of(c, sample, j, head, 2), s->size) - taken);
	return p;
}

/* Of which part and place an element of x is. */
static int part_at(const NnrAttentionShape *s, int64_t at, int64_t *sample, int64_t *place, int64_t *head)
{
	const bool beside = s->keys_at < s->query_row, query = !beside && at < s->keys_at;
	const int64_t row = query ? s->query_row : s->key_row, places = query ? s->queries : s->keys,
	              in = query || beside ? at : at - s->keys_at, column = in % row / s->size;
	*sample = in / row / places;
	*place = in / row % places;
	*head = column % s->heads;
	return (int)(column / s->heads) + (query || beside ? 0 : 1);
}

static double exact_dx(const Case *c, int64_t at)
{
	const NnrAttentionShape *s = c->shape;
	const int64_t column = at % s->size;
	int64_t sample, place, head;
	const int part = part_at(s, at, &sample, &place, &head);
	double sum = 0, by_score;
	if (part == 0) {
		for (int64_t j = 0; j < seen(s, place); j++) {
			share(c, sample, head, place, j, &by_score);
			sum += by_score * columns_of(c, sample, j, head, 1)[column];
		}
		return sum;
	}
	for (int64_t i = s->causal ? place : 0; i < s->queries; i++) {
		const double p = share(c, sample, head, i, place, &by_score);
		sum += part == 1 ? by_score * columns_of(c, sample, i, head, 0)[column]
		                 : p * c->w.value[((sample * s->queries + i) * s->heads + head) * s->size +
		                                  column];
	}
	return sum;
}

/* ---- cases */

/* What the forward pass left becomes known values of an operand. */
static void know(Tensor *t)
{
	unsigned char *raw = tensor_download(t);
	free(t->value);
	t->value = allocate(t->count, sizeof *t->value, "values");
	for (int64_t i = 0; i < t->count; i++)
		t->value[i] = tensor_load(t->dtype, raw, i);
	free(raw);
}

/* The sums of y*dy over a head's columns. */
static Tensor taken_of(const Case *c)
{
	const NnrAttentionShape *s = c->shape;
	Tensor t = tensor_new(NNR_F32, s->batch * s->queries * s->heads);
	float *sums = allocate(t.count, sizeof *sums, "sums");
	for (int64_t i = 0; i < t.count; i++) {
		sums[i] = (float)dot(c->y.value + i * s->size, c->w.value + i * s->size, s->size);
		t.value[i] = (double)sums[i];
	}
	CU(MemcpyHtoDAsync, t.at, sums, (size_t)t.count * sizeof *sums, gpu.stream);
	CU(StreamSynchronize, gpu.stream);
	free(sums);
	return t;
}

/* Results of sums whose terms are rounded on the way: a share, or the gradient of a score. */
enum { ROUNDED_TERMS = 100 };

static void test(const NnrAttentionShape *s)
{
	const int64_t rows = s->batch * s->queries * s->heads,
	              elements = (rows + 2 * s->batch * s->keys * s->heads) * s->size;
	Case c = {.name = "y",
	          .run = run,
	          .exact = exact_y,
	          .shape = s,
	          .terms = ROUNDED_TERMS,
	          .work = 3 * s->keys * s->size,
	          .flops = (s->causal ? 2.0 : 4.0) * (double)(rows * s->size) * (double)s->keys};
	c.x = tensor_new(s->dtype, elements);
	c.y = tensor_new_result(s->dtype, rows * s->size);
	c.weight = tensor_new_result(NNR_F32, rows);
	c.result = &c.y;
	NnrAttentionShape forward = *s, grad = *s;
	forward.arguments = is_masked(s) ? "xylm" : "xyl";
	grad.arguments = is_masked(s) ? "xydltgm" : "xydltg";
	if (is_masked(s))
		c.sum = tensor_new(NNR_F32,
		                   s->mask_sample ? s->batch * s->mask_sample : s->queries * s->keys);
	c.shape = &forward;
	load_kernel(s, false);
	run_case(&c);
	c.name = "logs";
	c.result = &c.weight;
	c.exact = exact_log;
	run_case(&c);
	know(&c.y);
	know(&c.weight);
	c.w = tensor_new(s->dtype, rows * s->size);
	c.bias = taken_of(&c);
	c.residual = tensor_new_result(s->dtype, elements);
	c.name = "dx";
	c.shape = &grad;
	c.result = &c.residual;
	c.exact = exact_dx;
	c.flops *= 2.5;
	load_kernel(s, true);
	run_case(&c);
	free_case(&c);
}

void test_attention(void)
{
	if (gpu.arithmetic->dtype == NNR_F32)
		return;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		NnrAttentionShape s = laid_out(shapes[i]);
		s.dtype = gpu.arithmetic->dtype;
		gpu.deterministic = i % 3 == 1;
		printf("%s attention: %lld samples of %lld places to %lld, %lld heads of %lld%s%s%s\n",
		       gpu.arithmetic->name, (long long)s.batch, (long long)s.queries, (long long)s.keys,
		       (long long)s.heads, (long long)s.size, s.causal ? ", causal" : "",
		       is_masked(&s) ? ", masked" : "", gpu.deterministic ? ", deterministic" : "");
		test(&s);
	}
	gpu.deterministic = false;
}
