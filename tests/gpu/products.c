/* SPDX-License-Identifier: MIT */
/* Products: see products.h. */
#include "tests/gpu/products.h"
#include "base/checked.h"
#include "runtime/host/die.h"
#include "runtime/host/rng.h"
#include "runtime/cuda/epilogue.h"
#include "runtime/cuda/nnr_sizes.h"
#include "runtime/cuda/product.h"
#include "tests/gpu/case.h"
#include "tests/gpu/epilogues.h"
#include "tests/gpu/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern double cublas_parts_from; /* of runtime/cuda/cublas_choice.h, which has a TILE too */

#define PRODUCT(batch_, m_, n_, k_, ta_, tb_, wide_)                                            \
	{                                                                                       \
		.batch = batch_, .m = m_, .n = n_, .k = k_, .ta = ta_, .tb = tb_, .wide = wide_ \
	}
static const NnrProductShape products[] = {
        PRODUCT(1, 512, 1000, 1000, false, false, false),  PRODUCT(1, 8000, 1000, 1000, false, true, false),
        PRODUCT(1, 1000, 1000, 8000, true, false, false),  PRODUCT(1, 32000, 1000, 1000, false, true, false),
        PRODUCT(1, 4096, 4096, 4096, false, false, false), PRODUCT(1, 128, 10, 3136, false, false, false),
        PRODUCT(1, 3136, 10, 128, true, false, false),     PRODUCT(1, 128, 3136, 10, false, true, false),
        PRODUCT(1, 128, 1000, 2048, false, true, false),   PRODUCT(1, 8000, 1, 1000, false, false, false),
        PRODUCT(1, 1000, 1, 8000, true, false, false),     PRODUCT(1, 1, 1000, 8000, false, false, false),
        PRODUCT(1, 8000, 1000, 1, false, false, false),    PRODUCT(8, 64, 96, 40, false, true, false),
        PRODUCT(3, 33, 17, 65, true, true, false),         PRODUCT(1, 7, 5, 3, false, false, false),
        PRODUCT(1, 1, 1, 1000, false, true, false),        PRODUCT(1, 64, 4096, 512, true, false, true),
        PRODUCT(2, 40, 24, 136, false, true, true),
};

static void run_product(Case *c, NnrPlan **plan)
{
	nnr_cublas_matmul(plan, c->shape, gpu.arithmetic->dtype, (void *)c->x.at, (void *)c->w.at,
	                  (void *)c->y.at);
}

static NnrCarried carried; /* of the case */

/* By our kernel, whatever cuBLASLt would take. */
static void run_own(Case *c, NnrPlan **plan)
{
	static TuneEntry entry;
	static NnrPlan own = {.entry = &entry};
	const NnrProductShape *s = c->shape;
	*plan = &own;
	if (!product_run(s->own, s, (void *)c->x.at, (void *)c->w.at, (void *)c->bias.at, NULL,
	                 (void *)c->y.at, &carried))
		die(STATUS_DEVICE, "the driver has no tensor map for this product");
}

static int64_t leading_a(const NnrProductShape *s)
{
	return s->lda ? s->lda : s->ta ? s->m : s->k;
}

static int64_t leading_b(const NnrProductShape *s)
{
	return s->ldb ? s->ldb : s->tb ? s->k : s->n;
}

static double exact_product(const Case *c, int64_t i)
{
	const NnrProductShape *s = c->shape;
	const int64_t lda = leading_a(s), ldb = leading_b(s);
	int64_t n = i % s->n, m = i / s->n % s->m, batch = i / s->n / s->m;
	const double *a = c->x.value + batch * s->m * s->k, *b = c->w.value + batch * s->k * s->n;
	double sum = 0;
	for (int64_t k = 0; k < s->k; k++)
		sum += a[s->ta ? k * lda + m : m * lda + k] * b[s->tb ? n * ldb + k : k * ldb + n];
	return sum;
}

/* Of a product cut along k (runtime/cuda/cublas_parts.c): the rest is rounded before the main part adds to it, and
 * so is the main part: of cuBLASLt's kernels for sm_90 all 6,144 elements of bf16 [64,96] equalled
 * round(round(main) + round(rest)), 4,596 of them round(main + round(rest)) (H200, 2026-11-29). */
static double rounding_of_parts(const Case *c, int64_t i)
{
	const NnrProductShape *s = c->shape;
	const int64_t per_load = 16 / (gpu.arithmetic->dtype == NNR_F32 ? 4 : 2), n = i % s->n, m = i / s->n;
	double rest = 0;
	for (int64_t k = s->k - s->k % per_load; k < s->k && !s->ta; k++)
		rest += c->x.value[m * leading_a(s) + k] *
		        c->w.value[s->tb ? n * leading_b(s) + k : k * leading_b(s) + n];
	return (fabs(rest) + (rest != 0 ? fabs(exact_product(c, i) - rest) : 0)) * gpu.arithmetic->rounding;
}

/* ---- with an epilogue */

static void run_behind(Case *c, NnrPlan **plan)
{
	nnr_cublas_matmul_epilogue(plan, c->shape, c->epilogue, gpu.arithmetic->dtype, (void *)c->x.at,
	                           (void *)c->w.at, NULL, (void *)c->bias.at, (void *)c->y.at);
}

static double bias_behind(const Case *c, int64_t i)
{
	const NnrProductShape *s = c->shape;
	return c->bias.at ? c->bias.value[i % s->n] : 0;
}

static double exact_behind(const Case *c, int64_t i)
{
	return epilogue_activate(c->epilogue, exact_product(c, i) + bias_behind(c, i));
}

static double carried_rounding(const Case *c, int64_t i)
{
	return epilogue_moves(c->epilogue, exact_product(c, i), bias_behind(c, i), gpu.arithmetic->rounding);
}

/* `e`: NULL, or what follows it; then NaN must pass, too. `carried_by`: Case.carried. */
static void test_product(const NnrProductShape *s, const NnrEpilogue *e, void (*run)(Case *c, NnrPlan **plan),
                         double (*carried_by)(const Case *c, int64_t i))
{
	NnrDType dtype = gpu.arithmetic->dtype;
	Case c = {.name = e ? epilogue_name(e) : "matmul",
	          .run = run,
	          .exact = e ? exact_behind : exact_product,
	          .carried = carried_by,
	          .in_two = carried_by == rounding_of_parts,
	          .epilogue = e,
	          .shape = s,
	          .terms = s->k};
	if (e && strchr(e->arguments, 'b'))
		c.bias = tensor_new(e->narrow_bias ? dtype : NNR_F32, s->n);
	c.x = tensor_new(dtype, s->batch * (s->ta ? s->k : s->m) * leading_a(s));
	c.w = tensor_new(dtype, s->batch * (s->tb ? s->n : s->k) * leading_b(s));
	c.y = tensor_new_result(s->wide ? NNR_F32 : dtype, s->batch * s->m * s->n);
	c.result = &c.y;
	c.flops = 2.0 * (double)(s->batch * s->m) * (double)(s->n * s->k);
	run_case(&c);
	if (e) {
		tensor_spoil(&c.x);
		NnrPlan *plan = NULL;
		c.run(&c, &plan);
		unsigned char *raw = tensor_download(&c.y);
		judge_case(isnan(tensor_load(c.y.dtype, raw, 0)), &c, "hides NaN");
		free(raw);
	}
	free_case(&c);
}

/* Of each shape one of them, without a residual. */
static void test_epilogue(const NnrProductShape *s, int number)
{
	int at = number % epilogue_count;
	while (strchr(epilogues[at].arguments, 'r'))
		at = (at + 1) % epilogue_count;
	epilogue_load_kernel(&epilogues[at], gpu.arithmetic->dtype, s->m * s->n, s->n);
	test_product(s, &epilogues[at], run_behind, carried_rounding);
}

/* What cuBLASLt has an epilogue for, with a bias of the result's type. */
static void test_narrow_bias(const NnrProductShape *s)
{
	static const NnrActivation has[] = {NNR_IDENTITY, NNR_RELU};
	for (int i = 0; i < 2; i++) {
		NnrEpilogue e = epilogues[0];
		e.activation = has[i];
		e.arguments = "yb";
		e.narrow_bias = gpu.arithmetic->dtype != NNR_F32;
		epilogue_load_kernel(&e, gpu.arithmetic->dtype, s->m * s->n, s->n);
		test_product(s, &e, run_behind, carried_rounding);
	}
}

/* A product in two (runtime/cuda/cublas_parts.c): along k, and along rows of a transposed a. */
static void test_parts(void)
{
	static const NnrProductShape odd[] = {
	        {.batch = 1, .m = 64, .n = 96, .k = 1001, .tb = true, .lda = 1008, .ldb = 1008},
	        {.batch = 1, .m = 1003, .n = 64, .k = 96, .ta = true, .lda = 1008},
	        {.batch = 1, .m = 64, .n = 48, .k = 513, .lda = 520}};
	const double from = cublas_parts_from;
	cublas_parts_from = 1e6;
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		const NnrProductShape *s = &odd[i];
		printf("%s in two: [%lld,%lld] of k %lld\n", gpu.arithmetic->name, (long long)s->m,
		       (long long)s->n, (long long)s->k);
		test_product(s, NULL, run_product, rounding_of_parts);
	}
	cublas_parts_from = from;
}

/* ---- our kernels */

typedef struct Own {
	NnrProductShape shape;
	int parts;
	int64_t blocks; /* in one part, fewer than there are tiles: each then goes through several */
} Own;

static const Own own_products[] = {
        {PRODUCT(1, 8000, 1000, 1000, true, true, false), 1, 132},
        {PRODUCT(1, 8000, 1000, 1000, false, true, false), 1, 132},
        {PRODUCT(1, 1000, 1000, 8000, true, true, false), 4, 128},
        {PRODUCT(1, 1000, 1000, 8000, false, true, false), 4, 128},
        {PRODUCT(1, 2000, 1000, 1000, true, true, false), 2, 128},
        {PRODUCT(1, 132, 260, 36, true, true, false), 1, 1},
        {PRODUCT(1, 132, 260, 36, false, true, false), 2, 8},
        {PRODUCT(1, 4, 8, 68, true, true, false), 3, 3},
        {PRODUCT(1, 4, 8, 4, false, true, false), 1, 4},
        {PRODUCT(1, 300, 516, 100, true, true, false), 4, 36},
        {PRODUCT(1, 640, 1024, 2048, false, true, false), 6, 120},
};

static int64_t tiles_of(const NnrProductShape *s)
{
	return ceil_div(s->m, NNR_PRODUCT_ROWS) * ceil_div(s->n, NNR_PRODUCT_COLUMNS);
}

enum { TILE = NNR_PRODUCT_ROWS * NNR_PRODUCT_COLUMNS };

static const char *const own_names[] = {"own", "own_beside"}; /* equal kernels, with counters of their own */

/* In the kernel's registers: with a bias and without. */
static const NnrEpilogue own_epilogues[] = {{.activation = NNR_TANH, .arguments = "yb"},
                                            {.activation = NNR_TANH, .arguments = "y"}};

/* So many of them, as nnc writes the kernel (compiler/kernels/product_cuda.c). */
static void load_own(const Own *o, const NnrEpilogue *e, bool carries, int count)
{
	const NnrProductShape *s = &o->shape;
	const bool bias = e && strchr(e->arguments, 'b');
	char source[2048] = "#include \"cuda/nnr_product.h\"\n";
	for (int i = 0; i < count; i++) {
		size_t written = strlen(source);
		snprintf(source + written, sizeof source - written,
		         "static __device__ unsigned done_%s[%lld];\n"
		         "extern \"C\" __global__ void __launch_bounds__(384, 1) %s(const __grid_constant__ "
		         "NnrTensorMap a, const __grid_constant__ NnrTensorMap b, float *y, float "
		         "*partial%s%s)\n"
		         "{\n"
		         "%s\tnnr_product<%lld, %lld, %lld, %s, %d>(a, b, y, partial, done_%s%s%s);\n"
		         "}\n",
		         own_names[i], (long long)tiles_of(s), own_names[i],
		         bias ? ", const float *__restrict__ bias" : "",
		         carries ? ", const __grid_constant__ NnrCarried carried" : "",
		         bias ? "\tconst auto epilogue = [](float sum, float added) {\n"
		                "\t\treturn nnr_tanhf(sum + added);\n\t};\n"
		         : e  ? "\tconst auto epilogue = [](float sum, float) {\n"
		                "\t\treturn nnr_tanhf(sum);\n\t};\n"
		              : "",
		         (long long)s->m, (long long)s->n, (long long)s->k, s->ta ? "true" : "false",
		         o->parts, own_names[i],
		         carries ? ", carried"
		         : e     ? ", NnrNothing()"
		                 : "",
		         bias ? ", bias, epilogue"
		         : e  ? ", NnrNothing(), epilogue"
		              : "");
	}
	kernel_load(source);
}

static NnrKernel kernel_of(const Own *o, bool carries)
{
	return (NnrKernel){.name = own_names[0],
	                   .blocks = o->blocks,
	                   .threads = 384,
	                   .shared_bytes = NNR_PRODUCT_BYTES + (carries ? NNR_CARRY_BYTES : 0),
	                   .together = o->parts > 1};
}

static NnrProductKernel own_of(const Own *o, NnrKernel *kernel, bool carries)
{
	return (NnrProductKernel){kernel, o->parts > 1 ? tiles_of(&o->shape) * o->parts * TILE : 0, carries};
}

/* ---- with the sums of their rows */

/* Ours, and the one after cuBLASLt's, as nnc writes them. */
static void load_row_sums(const Own *o)
{
	static const char lambda[] = "\tconst auto epilogue = [](float sum, float added) {\n"
	                             "\t\treturn nnr_tanhf(sum + added);\n\t};\n";
	const NnrProductShape *s = &o->shape;
	char source[2048];
	snprintf(source, sizeof source,
	         "#include \"cuda/nnr_product.h\"\n"
	         "extern \"C\" __global__ void __launch_bounds__(384, 1) own(const __grid_constant__ "
	         "NnrTensorMap a, const __grid_constant__ NnrTensorMap b, float *sums, float *partial, "
	         "const float *bias, const float *weight)\n"
	         "{\n%s\tnnr_product<%lld, %lld, %lld, %s, 1>(a, b, sums, partial, nullptr, NnrNothing(), "
	         "bias, "
	         "epilogue, weight);\n}\n"
	         "extern \"C\" __global__ void after(const float *y, const float *bias, const float *weight, "
	         "float *sums)\n"
	         "{\n%s\tnnr_row_sums<%lld, %lld>(y, sums, bias, epilogue, weight);\n}\n",
	         lambda, (long long)s->m, (long long)s->n, (long long)s->k, s->ta ? "true" : "false", lambda,
	         (long long)s->m, (long long)s->n);
	kernel_load(source);
}

static void run_own_sums(Case *c, NnrPlan **plan)
{
	static TuneEntry entry;
	static NnrPlan own = {.entry = &entry};
	const NnrProductShape *s = c->shape;
	*plan = &own;
	if (!product_run(s->own, s, (void *)c->x.at, (void *)c->w.at, (void *)c->bias.at,
	                 (void *)c->weight.at, (void *)c->sum.at, &carried))
		die(STATUS_DEVICE, "the driver has no tensor map for this product");
}

static void run_row_sums(Case *c, NnrPlan **plan)
{
	nnr_cublas_matmul_row_sums(plan, c->shape, c->epilogue, NNR_F32, (void *)c->x.at, (void *)c->w.at,
	                           (void *)c->bias.at, (void *)c->weight.at, (void *)c->y.at,
	                           (void *)c->sum.at);
}

static void run_sums_behind(Case *c, NnrPlan **plan)
{
	static TuneEntry entry;
	static NnrPlan none = {.entry = &entry};
	*plan = &none;
	epilogue_launch(c->epilogue, &(EpilogueTensors){.y = (void *)c->y.at,
	                                                .bias = (void *)c->bias.at,
	                                                .weight = (void *)c->weight.at,
	                                                .row_sums = (void *)c->sum.at});
}

/* Of the product, or where that is given, of y. */
static double exact_row_sum(const Case *c, int64_t i)
{
	const NnrProductShape *s = c->shape;
	const int64_t tiles = c->epilogue->row_sums, row = i / tiles, first = i % tiles * NNR_PRODUCT_COLUMNS;
	const bool given = c->run == run_sums_behind;
	double sum = 0;
	for (int64_t j = first; j < s->n && j < first + NNR_PRODUCT_COLUMNS; j++) {
		const double y = given ? c->y.value[row * s->n + j] : exact_product(c, row * s->n + j);
		sum += tanh(y + c->bias.value[j]) * c->weight.value[j];
	}
	return sum;
}

static void test_row_sums(const Own *o, NnrProductKernel *own, void (*run)(Case *c, NnrPlan **plan))
{
	NnrKernel after = {.name = "after", .threads = 256};
	NnrProductShape s = o->shape;
	const int64_t tiles = ceil_div(s.n, NNR_PRODUCT_COLUMNS);
	const NnrEpilogue e = {
	        .activation = NNR_TANH, .row_sums = tiles, .kernel = &after, .arguments = "ybwt"};
	Case c = {.name = "sums",
	          .run = run,
	          .exact = exact_row_sum,
	          .epilogue = &e,
	          .shape = &s,
	          .terms = s.k * NNR_PRODUCT_COLUMNS,
	          .flops = 2.0 * (double)s.m * (double)(s.n * s.k)};
	after.blocks = ceil_div(s.m * tiles, after.threads / 32);
	s.own = own;
	c.x = tensor_new(NNR_F32, s.m * s.k);
	c.w = tensor_new(NNR_F32, s.n * s.k);
	c.y = tensor_new(NNR_F32, s.m * s.n);
	c.bias = tensor_new(NNR_F32, s.n);
	c.weight = tensor_new(NNR_F32, s.n);
	c.sum = tensor_new_result(NNR_F32, s.m * tiles);
	c.result = &c.sum;
	run_case(&c);
	free_case(&c);
}

/* By cuBLASLt and the kernel after it, and by the faster of these and ours. */
static void test_tuned_row_sums(void)
{
	for (size_t i = 0; i < sizeof own_products / sizeof *own_products; i++) {
		const Own *o = &own_products[i];
		NnrKernel kernel = kernel_of(o, false);
		NnrProductKernel own = own_of(o, &kernel, false);
		if (o->parts > 1 || !product_fits(&own, &o->shape, gpu.arithmetic->dtype, 16))
			continue;
		load_row_sums(o);
		test_row_sums(o, NULL, run_row_sums);
		test_row_sums(o, &own, run_row_sums);
	}
}

void test_products(void)
{
	for (size_t k = 0; k < sizeof products / sizeof *products; k++) {
		const NnrProductShape *s = &products[k];
		printf("%s %lld x [%lld,%lld] of k %lld%s%s\n", gpu.arithmetic->name, (long long)s->batch,
		       (long long)s->m, (long long)s->n, (long long)s->k, s->ta ? ", a transposed" : "",
		       s->tb ? ", b transposed" : "");
		test_product(s, NULL, run_product, NULL);
		if (s->batch == 1 && !s->wide)
			test_epilogue(s, (int)k);
		if (s->batch == 1 && !s->wide && s->n > 1)
			test_narrow_bias(s);
	}
	test_parts();
	test_tuned_row_sums();
}

void test_own_products(void)
{
	for (size_t i = 0; i < sizeof own_products / sizeof *own_products; i++) {
		NnrKernel kernel = kernel_of(&own_products[i], false);
		NnrProductKernel own = own_of(&own_products[i], &kernel, false);
		NnrProductShape s = own_products[i].shape;
		s.own = &own;
		if (!product_fits(&own, &s, gpu.arithmetic->dtype, 16) ||
		    (gpu.small && (double)s.m * (double)s.n * (double)s.k > 1e8))
			continue;
		load_own(&own_products[i], NULL, false, 1);
		printf("%s [%lld,%lld] of k %lld%s by our kernel, %d parts\n", gpu.arithmetic->name,
		       (long long)s.m, (long long)s.n, (long long)s.k, s.ta ? ", a transposed" : "",
		       own_products[i].parts);
		gpu.deterministic = true;
		test_product(&s, NULL, run_own, NULL);
		for (int e = 0; e < 2; e++) {
			load_own(&own_products[i], &own_epilogues[e], false, 1);
			kernel.handle = NULL;
			test_product(&s, &own_epilogues[e], run_own, NULL);
		}
		if (own_products[i].parts == 1) {
			load_row_sums(&own_products[i]);
			kernel.handle = NULL;
			test_row_sums(&own_products[i], &own, run_own_sums);
			test_row_sums(&own_products[i], &own, run_sums_behind);
		}
		gpu.deterministic = false;
	}
}

/* ---- and what they gather meanwhile */

typedef struct Gather {
	Own own;
	int64_t batch, samples, elements;
	bool shuffled, streamed, rounded;
	int slot;
} Gather;

static const Gather gathers[] = {
        {{PRODUCT(1, 640, 516, 260, true, true, false), 1, 7}, 200, 648, 1000, true, false, true, 1},
        {{PRODUCT(1, 300, 516, 1000, true, true, false), 4, 36}, 4096, 8192, 260, true, false, false, 0},
        {{PRODUCT(1, 132, 260, 36, false, true, false), 1, 1}, 132, 400, 20, false, false, true, 0},
        {{PRODUCT(1, 132, 260, 36, true, true, false), 2, 8}, 192, 384, 512, false, true, true, 1},
        {{PRODUCT(1, 640, 516, 260, true, true, false), 1, 7}, 300, 500, 280, true, false, true, 0},
};

bool nnr_cuda_carry(double work, double slower_us, NnrCarried *part)
{
	return false;
}

/* The bits of x as tf32 has it: to nearest, ties away from zero. */
static float as_tf32(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits = (bits + 0x1000u) & ~0x1fffu;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Number k of the second batch; that is the first of the second epoch where one is all that an epoch has. */
static int64_t sample_of(const Gather *g, const Permutation epochs[2], int64_t k)
{
	bool next = g->samples / g->batch == 1;
	int64_t at = next ? k : g->batch + k;
	return g->streamed ? g->slot * g->batch + k : g->shuffled ? permutation_at(&epochs[next], at) : at;
}

/* True where all elements of the copy are those of their samples and nothing else was written. */
static bool is_gathered(const Gather *g, const Tensor *x, const Tensor *copies, const Permutation epochs[2])
{
	const float *got = (const float *)(void *)tensor_download(copies);
	int64_t size = g->batch * g->elements, wrong = 0;
	for (int64_t i = 0; i < size; i++) {
		float wanted =
		        (float)x->value[sample_of(g, epochs, i % g->batch) * g->elements + i / g->batch];
		wrong += got[g->slot * size + i] != (g->rounded ? as_tf32(wanted) : wanted);
	}
	const unsigned char *raw = (const unsigned char *)(const void *)got;
	int64_t other = (1 - g->slot) * size * (int64_t)sizeof(float);
	for (int64_t i = 0; i < size * (int64_t)sizeof(float); i++)
		wrong += raw[other + i] != 0xff;
	for (int i = 0; i < GUARD; i++)
		wrong += raw[2 * size * (int64_t)sizeof(float) + i] != 0xff;
	free((void *)(uintptr_t)got);
	return wrong == 0;
}

/* The product is what it is without, and the batch is there. */
static void test_gather(const Gather *g)
{
	NnrKernel kernel = kernel_of(&g->own, true);
	NnrProductKernel own = own_of(&g->own, &kernel, true);
	NnrProductShape s = g->own.shape;
	s.own = &own;
	if (!product_fits(&own, &s, gpu.arithmetic->dtype, 16))
		return;
	load_own(&g->own, NULL, true, 1);
	printf("%s, gathering %lld of %lld samples meanwhile%s%s\n", gpu.arithmetic->name,
	       (long long)g->batch, (long long)g->samples, g->shuffled ? ", shuffled" : "",
	       g->streamed ? ", streamed" : "");
	Case c = {.name = "gather"};
	CUdeviceptr control;
	NnrControl at = {.in_epoch = 0};
	Permutation epochs[2];
	for (uint64_t e = 0; e < 2; e++) {
		epochs[e] = permutation_new(5, RNG_SHUFFLE, e, g->samples);
		memcpy(at.key[e], epochs[e].key, sizeof at.key[e]);
	}
	CU(MemAlloc, &control, sizeof at);
	CU(MemcpyHtoDAsync, control, &at, sizeof at, gpu.stream);
	Tensor x = tensor_new(NNR_F32, g->samples * g->elements),
	       copies = tensor_new_result(NNR_F32, 2 * g->batch * g->elements);
	tensor_spoil(&copies);
	uint32_t units =
	        (uint32_t)(ceil_div(g->batch, NNR_CARRY_SAMPLES) * ceil_div(g->elements, NNR_CARRY_ELEMENTS));
	int64_t bytes = g->batch * g->elements * (int64_t)sizeof(float);
	carried = (NnrCarried){.control = (const NnrControl *)control,
	                       .supply = {.batch = (uint32_t)g->batch,
	                                  .samples = (uint32_t)g->samples,
	                                  .stride = (uint32_t)g->batch,
	                                  .chunks = 1,
	                                  .low_bits = (uint32_t)epochs[0].low_bits,
	                                  .high_bits = (uint32_t)epochs[0].high_bits,
	                                  .shuffle = g->shuffled,
	                                  .slot_bytes = bytes,
	                                  .streamed_bytes = g->streamed ? bytes : 0,
	                                  .steps_per_epoch = g->samples / g->batch},
	                       .unit = 1,
	                       .slot = g->slot,
	                       .feed = 2,
	                       .end = units};
	carried.supply.feeds[2] = (NnrFeed){.from = (const uint8_t *)x.at,
	                                    .transposed = (uint8_t *)copies.at,
	                                    .unit = 4,
	                                    .units = (uint32_t)g->elements,
	                                    .rounded = g->rounded};
	test_product(&s, NULL, run_own, NULL);
	judge_case(is_gathered(g, &x, &copies, epochs), &c, "the batch is another");
	tensor_spoil(&copies); /* in two parts, as two products do it */
	carried.end = units / 3;
	test_product(&s, NULL, run_own, NULL);
	carried.first = carried.end;
	carried.end = units;
	test_product(&s, NULL, run_own, NULL);
	judge_case(is_gathered(g, &x, &copies, epochs), &c, "the batch in two parts is another");
	tensor_spoil(&copies);
	carried.first = 0;
	load_own(&g->own, &own_epilogues[0], true, 1);
	kernel.handle = NULL; /* of the module before */
	test_product(&s, &own_epilogues[0], run_own, NULL);
	judge_case(is_gathered(g, &x, &copies, epochs), &c, "the batch beside an epilogue is another");
	tensor_free(&x);
	tensor_free(&copies);
	CU(MemFree, control);
}

void test_own_gathers(void)
{
	for (size_t i = 0; i < sizeof gathers / sizeof *gathers; i++)
		test_gather(&gathers[i]);
}

/* ---- two products in parts on two streams: of each all blocks begin, or none */

void test_own_beside(void)
{
	const int times = gpu.small ? 2 : 100;
	const Own o = {PRODUCT(1, 1000, 1000, 1024, true, true, false), 4, 128};
	const Gpu alone = gpu;
	NnrKernel kernels[2] = {kernel_of(&o, false), kernel_of(&o, false)};
	NnrProductKernel own[2] = {own_of(&o, &kernels[0], false), own_of(&o, &kernels[1], false)};
	if (!product_fits(&own[0], &o.shape, gpu.arithmetic->dtype, 16))
		return;
	kernels[1].name = own_names[1];
	load_own(&o, NULL, false, 2);
	printf("%s, two products in parts on two streams\n", gpu.arithmetic->name);
	const NnrProductShape *s = &o.shape;
	size_t bytes = (size_t)(s->m * s->n) * sizeof(float);
	Tensor a = tensor_new(NNR_F32, s->m * s->k), b = tensor_new(NNR_F32, s->n * s->k);
	CUstream streams[2] = {alone.stream};
	CUdeviceptr partial[2];
	Tensor y[2];
	CU(StreamCreateWithPriority, &streams[1], CU_STREAM_NON_BLOCKING, -1);
	for (int i = 0; i < 2; i++) {
		y[i] = tensor_new_result(NNR_F32, s->m * s->n);
		tensor_spoil(&y[i]);
		CU(MemAlloc, &partial[i], (size_t)own[i].partial * sizeof(float));
	}
	CU(StreamSynchronize, alone.stream);
	for (int i = 0; i < times; i++) {
		gpu.stream = streams[i % 2];
		gpu.workspace = partial[i % 2];
		gpu.workspace_bytes = own[0].partial * (int64_t)sizeof(float);
		if (!product_run(&own[i % 2], s, (void *)a.at, (void *)b.at, NULL, NULL, (void *)y[i % 2].at,
		                 &(NnrCarried){0}))
			die(STATUS_DEVICE, "the driver has no tensor map for this product");
	}
	CU(StreamSynchronize, streams[1]);
	gpu = alone;
	unsigned char *one = tensor_download(&y[0]), *two = tensor_download(&y[1]);
	bool written = !isnan(tensor_load(NNR_F32, one, 0));
	judge_case(written && !memcmp(one, two, bytes), &(Case){.name = "beside"},
	           "one of two equal products is another");
	free(one);
	free(two);
	for (int i = 0; i < 2; i++) {
		tensor_free(&y[i]);
		CU(MemFree, partial[i]);
	}
	CU(StreamDestroy, streams[1]);
	tensor_free(&a);
	tensor_free(&b);
}
