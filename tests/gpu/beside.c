/* SPDX-License-Identifier: MIT */
/* Products with a tensor beside their result (NnrBeside), or, with a bias, added to it: by what is the fastest, and
 * where the tensor is not aligned, which cuBLASLt is not shown, by the kernel after a plain product. Both the result
 * and what is beside it are compared with loops in double. */
#include "tests/gpu/case.h"
#include "tests/gpu/kernel.h"
#include "tests/gpu/products.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Beside {
	NnrProductShape shape;
	NnrBeside what; /* NNR_NOTHING: a residual */
} Beside;

/* Those of a layer of GPT-2, and small ones. */
static const Beside cases[] = {
        {{.batch = 1, .m = 8192, .n = 3072, .k = 768, .tb = true}, NNR_KEPT},
        {{.batch = 1, .m = 8192, .n = 3072, .k = 768}, NNR_SLOPE},
        {{.batch = 1, .m = 8192, .n = 768, .k = 3072, .tb = true}, NNR_NOTHING},
        {{.batch = 1, .m = 3072, .n = 768, .k = 8192, .ta = true, .wide = true}, NNR_SUMS_OF_A},
        {{.batch = 1, .m = 2304, .n = 768, .k = 8192, .ta = true, .wide = true}, NNR_SUMS_OF_A},
        {{.batch = 1, .m = 768, .n = 3072, .k = 8192, .ta = true, .wide = true}, NNR_SUMS_OF_B},
        {{.batch = 1, .m = 56, .n = 40, .k = 24, .tb = true}, NNR_KEPT},
        {{.batch = 1, .m = 56, .n = 40, .k = 24}, NNR_SLOPE},
        {{.batch = 1, .m = 56, .n = 40, .k = 24, .tb = true}, NNR_NOTHING},
        {{.batch = 1, .m = 40, .n = 24, .k = 56, .ta = true, .wide = true}, NNR_SUMS_OF_A},
        {{.batch = 1, .m = 40, .n = 24, .k = 56, .ta = true, .tb = true, .wide = true}, NNR_SUMS_OF_A},
        {{.batch = 1, .m = 40, .n = 24, .k = 56, .wide = true}, NNR_SUMS_OF_B},
};

static const char types_bf16[] =
        "typedef unsigned short T;\n"
        "static __device__ float wide(T v) { return __uint_as_float((unsigned)v << 16); }\n"
        "static __device__ T narrow(float v) { unsigned u = __float_as_uint(v);\n"
        "return v != v ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16; }\n";
static const char types_f16[] =
        "typedef unsigned short T;\n"
        "static __device__ float wide(T v) { float f; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : \"h\"(v)); "
        "return f; }\n"
        "static __device__ T narrow(float v) { T r; asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(r) : \"f\"(v)); "
        "return r; }\n";
/* Over COUNT elements in rows of COLUMNS; sums over ROWS of them. */
static const char kernels[] =
        "static __device__ float sigmoid(float x) { return 1 / (1 + expf(-x * (1.5957691f + 0.07135482f * x "
        "* "
        "x))); }\n"
        "#define I const long long i = blockIdx.x * 256ll + threadIdx.x; if (i >= COUNT) return\n"
        "extern \"C\" __global__ void kept(T *y, const T *b, T *k) { I;\n"
        "\tconst float x = wide(y[i]) + wide(b[i % COLUMNS]);\n"
        "\tk[i] = narrow(x), y[i] = narrow(x * sigmoid(x)); }\n"
        "extern \"C\" __global__ void added(T *y, const T *b, const T *r) { I;\n"
        "\ty[i] = narrow(wide(y[i]) + wide(b[i % COLUMNS]) + wide(r[i])); }\n"
        "extern \"C\" __global__ void slope(const T *k, T *y) { I;\n"
        "\tconst float x = wide(k[i]), s = sigmoid(x);\n"
        "\ty[i] = narrow(wide(y[i]) * s * (1 + x * (1 - s) * (1.5957691f + 0.21406445f * x * x))); }\n"
        "extern \"C\" __global__ void sums(const T *x, float *sums) { I;\n"
        "\tfloat sum = 0;\n\tfor (int r = 0; r < ROWS; r++)\n\t\tsum += wide(x[(long long)r * COLUMNS + "
        "i]);\n"
        "\tsums[i] = sum; }\n";

static NnrKernel after = {.threads = 256};

static bool sums_a(const Beside *b)
{
	return b->what == NNR_SUMS_OF_A;
}

static bool sums(const Beside *b)
{
	return b->what == NNR_SUMS_OF_A || b->what == NNR_SUMS_OF_B;
}

/* By NnrBeside. */
static const char *const names[] = {"added", "kept", "slope", "sums", "sums"}, *const letters[] = {
                                                                                       "ybr", "ybk", "ky",
                                                                                       "xs", "xs"};

static bool has_bias(const Beside *b)
{
	return b->what == NNR_KEPT || b->what == NNR_NOTHING;
}

static NnrEpilogue load_kernel(const Beside *b)
{
	static char source[4096];
	const NnrProductShape *s = &b->shape;
	const int64_t columns = sums_a(b) ? s->m : s->n, count = sums(b) ? columns : s->m * s->n;
	snprintf(source, sizeof source, "#define COUNT %lldll\n#define COLUMNS %lld\n#define ROWS %lld\n%s%s",
	         (long long)count, (long long)columns, (long long)s->k,
	         gpu.arithmetic->dtype == NNR_BF16 ? types_bf16 : types_f16, kernels);
	kernel_load(source);
	after.handle = NULL;
	after.blocks = (count + 255) / 256;
	after.name = names[b->what];
	return (NnrEpilogue){.kernel = &after,
	                     .beside = b->what,
	                     .activation = b->what == NNR_KEPT ? NNR_GELU_TANH : NNR_IDENTITY,
	                     .narrow_bias = has_bias(b),
	                     .arguments = letters[b->what]};
}

/* c.weight is what is beside. */
static void run(Case *c, NnrPlan **plan)
{
	const Beside *b = c->shape;
	if (b->what == NNR_SLOPE)
		nnr_cublas_matmul_slope(plan, &b->shape, c->epilogue, gpu.arithmetic->dtype, (void *)c->x.at,
		                        (void *)c->w.at, (void *)c->weight.at, (void *)c->y.at);
	else if (b->what == NNR_NOTHING)
		nnr_cublas_matmul_epilogue(plan, &b->shape, c->epilogue, gpu.arithmetic->dtype,
		                           (void *)c->x.at, (void *)c->w.at, (void *)c->weight.at,
		                           (void *)c->bias.at, (void *)c->y.at);
	else
		nnr_cublas_matmul_beside(plan, &b->shape, c->epilogue, gpu.arithmetic->dtype, (void *)c->x.at,
		                         (void *)c->w.at, (void *)c->bias.at, (void *)c->y.at,
		                         (void *)c->weight.at, NULL);
}

static double exact_sum(const Case *c, int64_t i)
{
	const NnrProductShape *s = &((const Beside *)c->shape)->shape;
	const int64_t n = i % s->n, m = i / s->n;
	double sum = 0;
	for (int64_t k = 0; k < s->k; k++)
		sum += c->x.value[s->ta ? k * s->m + m : m * s->k + k] *
		       c->w.value[s->tb ? n * s->k + k : k * s->n + n];
	return sum;
}

static double gelu_sigmoid(double x)
{
	return 1 / (1 + exp(-2 * sqrt(2 / acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

static double exact_y(const Case *c, int64_t i)
{
	const Beside *b = c->shape;
	const double sum = exact_sum(c, i);
	if (sums(b))
		return sum;
	if (b->what == NNR_NOTHING)
		return sum + c->bias.value[i % b->shape.n] + c->weight.value[i];
	const double x = b->what == NNR_KEPT ? sum + c->bias.value[i % b->shape.n] : c->weight.value[i];
	const double s = gelu_sigmoid(x), by = 2 * sqrt(2 / acos(-1.0)) * (1 + 3 * 0.044715 * x * x);
	return b->what == NNR_KEPT ? x * s : sum * s * (1 + x * (1 - s) * by);
}

static double exact_beside(const Case *c, int64_t i)
{
	const Beside *b = c->shape;
	const NnrProductShape *s = &b->shape;
	if (!sums(b))
		return exact_sum(c, i) + c->bias.value[i % s->n];
	double sum = 0;
	for (int64_t k = 0; k < s->k; k++)
		sum += sums_a(b) ? c->x.value[k * s->m + i] : c->w.value[k * s->n + i];
	return sum;
}

/* The sum is rounded ahead of the kernel, and the hardware's tanh, which cuBLASLt may take, is off by 2^-11. */
static double carried(const Case *c, int64_t i)
{
	const Beside *b = c->shape;
	const double sum = fabs(exact_sum(c, i));
	return sums(b) ? 0 : (gpu.arithmetic->rounding + 0x1p-11) * 1.2 * (sum + 1);
}

static void test(const Beside *b, int64_t shift)
{
	const NnrProductShape *s = &b->shape;
	const NnrDType dtype = gpu.arithmetic->dtype;
	const NnrEpilogue e = load_kernel(b);
	Case c = {.name = after.name,
	          .run = run,
	          .exact = exact_y,
	          .carried = carried,
	          .in_two = true,
	          .epilogue = &e,
	          .shape = b,
	          .terms = s->k};
	c.x = tensor_new(dtype, s->m * s->k);
	c.w = tensor_new(dtype, s->k * s->n);
	c.y = tensor_new_result(s->wide ? NNR_F32 : dtype, s->m * s->n);
	const bool read = b->what == NNR_SLOPE || b->what == NNR_NOTHING;
	c.bias = has_bias(b) ? tensor_new(dtype, s->n) : (Tensor){0};
	c.weight = read                  ? tensor_new(dtype, s->m * s->n)
	           : b->what == NNR_KEPT ? tensor_new_result(dtype, s->m * s->n)
	                                 : tensor_new_result(NNR_F32, sums_a(b) ? s->m : s->n);
	if (shift)
		tensor_shift(&c.weight, shift);
	c.flops = 2.0 * (double)s->m * (double)(s->n * s->k);
	c.result = &c.y;
	run_case(&c);
	if (!read) {
		c.result = &c.weight;
		c.exact = exact_beside;
		c.carried = b->what == NNR_KEPT ? carried : NULL;
		run_case(&c);
	}
	free_case(&c);
}

void test_beside(void)
{
	if (gpu.arithmetic->dtype == NNR_F32)
		return;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const NnrProductShape *s = &cases[i].shape;
		printf("%s with a tensor beside: [%lld,%lld] of k %lld\n", gpu.arithmetic->name,
		       (long long)s->m, (long long)s->n, (long long)s->k);
		for (int64_t shift = 0; shift < 2; shift++)
			test(&cases[i], shift);
	}
}
