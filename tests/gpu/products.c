/* Products: see products.h. */
#include "tests/gpu/products.h"
#include "runtime/core/die.h"
#include "runtime/cuda/product.h"
#include "tests/gpu/case.h"
#include "tests/gpu/kernel.h"

#include <stdio.h>

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

/* By our kernel, whatever cuBLASLt would take. */
static void run_own(Case *c, NnrPlan **plan)
{
	static TuneEntry entry;
	static NnrPlan own = {.entry = &entry};
	const NnrProductShape *s = c->shape;
	*plan = &own;
	if (!product_run(s->own, s, (void *)c->x.at, (void *)c->w.at, (void *)c->y.at))
		die(STATUS_DEVICE, "the driver has no tensor map for this product");
}

static double exact_product(const Case *c, int64_t i)
{
	const NnrProductShape *s = c->shape;
	int64_t n = i % s->n, m = i / s->n % s->m, batch = i / s->n / s->m;
	const double *a = c->x.value + batch * s->m * s->k, *b = c->w.value + batch * s->k * s->n;
	double sum = 0;
	for (int64_t k = 0; k < s->k; k++)
		sum += a[s->ta ? k * s->m + m : m * s->k + k] * b[s->tb ? n * s->k + k : k * s->n + n];
	return sum;
}

static void test_product(const NnrProductShape *s, void (*run)(Case *c, NnrPlan **plan))
{
	NnrDType dtype = gpu.arithmetic->dtype;
	Case c = {.name = "matmul", .run = run, .exact = exact_product, .shape = s, .terms = s->k};
	c.x = tensor_new(dtype, s->batch * s->m * s->k);
	c.w = tensor_new(dtype, s->batch * s->k * s->n);
	c.y = tensor_new_result(s->wide ? NNR_F32 : dtype, s->batch * s->m * s->n);
	c.result = &c.y;
	c.flops = 2.0 * (double)(s->batch * s->m) * (double)(s->n * s->k);
	run_case(&c);
	free_case(&c);
}

void test_products(void)
{
	for (size_t k = 0; k < sizeof products / sizeof *products; k++) {
		const NnrProductShape *s = &products[k];
		printf("%s %lld x [%lld,%lld] of k %lld%s%s\n", gpu.arithmetic->name, (long long)s->batch,
		       (long long)s->m, (long long)s->n, (long long)s->k, s->ta ? ", a transposed" : "",
		       s->tb ? ", b transposed" : "");
		test_product(s, run_product);
	}
}

/* ---- our kernels */

typedef struct Own {
	NnrProductShape shape;
	int parts;
	int64_t blocks; /* fewer than the work has: each then goes through several tiles */
} Own;

static const Own own_products[] = {
        {PRODUCT(1, 8000, 1000, 1000, true, true, false), 1, 132},
        {PRODUCT(1, 8000, 1000, 1000, false, true, false), 1, 132},
        {PRODUCT(1, 1000, 1000, 8000, true, true, false), 4, 128},
        {PRODUCT(1, 1000, 1000, 8000, false, true, false), 4, 128},
        {PRODUCT(1, 2000, 1000, 1000, true, true, false), 2, 128},
        {PRODUCT(1, 132, 260, 36, true, true, false), 1, 1},
        {PRODUCT(1, 132, 260, 36, false, true, false), 2, 3},
        {PRODUCT(1, 4, 8, 68, true, true, false), 3, 2},
        {PRODUCT(1, 4, 8, 4, false, true, false), 1, 4},
        {PRODUCT(1, 300, 516, 100, true, true, false), 4, 5},
        {PRODUCT(1, 640, 1024, 2048, false, true, false), 8, 100},
};

static int64_t tiles_of(const NnrProductShape *s)
{
	return (s->m + 127) / 128 * ((s->n + 255) / 256);
}

/* As nnc writes the kernel (compiler/ops/product_cuda.c). */
static void load_own(const Own *o, NnrKernel *kernel, NnrProductKernel *own)
{
	enum { SHARED_BYTES = 197696, TILE = 128 * 256 };
	const NnrProductShape *s = &o->shape;
	char source[1024];
	snprintf(source, sizeof source,
	         "#include \"cuda/nnr_product.h\"\n"
	         "static __device__ unsigned done[%lld];\n"
	         "extern \"C\" __global__ void __launch_bounds__(384, 1) own(const __grid_constant__ "
	         "NnrTensorMap a, "
	         "const __grid_constant__ NnrTensorMap b, float *y, float *partial)\n"
	         "{\n"
	         "\tstatic_assert(NNR_PRODUCT_BYTES == %d);\n"
	         "\tnnr_product<%lld, %lld, %lld, %s, %d>(a, b, y, partial, done);\n"
	         "}\n",
	         (long long)tiles_of(s), SHARED_BYTES, (long long)s->m, (long long)s->n, (long long)s->k,
	         s->ta ? "true" : "false", o->parts);
	kernel_load(source);
	*kernel =
	        (NnrKernel){.name = "own", .blocks = o->blocks, .threads = 384, .shared_bytes = SHARED_BYTES};
	*own = (NnrProductKernel){kernel, o->parts > 1 ? tiles_of(s) * o->parts * TILE : 0};
}

void test_own_products(void)
{
	for (size_t i = 0; i < sizeof own_products / sizeof *own_products; i++) {
		NnrKernel kernel;
		NnrProductKernel own;
		NnrProductShape s = own_products[i].shape;
		s.own = &own;
		if (!product_fits(&own, &s, gpu.arithmetic->dtype, 16))
			continue;
		load_own(&own_products[i], &kernel, &own);
		printf("%s [%lld,%lld] of k %lld%s by our kernel, %d parts\n", gpu.arithmetic->name,
		       (long long)s.m, (long long)s.n, (long long)s.k, s.ta ? ", a transposed" : "",
		       own_products[i].parts);
		gpu.deterministic = true;
		test_product(&s, run_own);
		gpu.deterministic = false;
	}
}
