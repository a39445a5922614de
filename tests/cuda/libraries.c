/* SPDX-License-Identifier: MIT */
/* cuDNN and cuBLASLt for emulated networks: each call by plain loops in double, of f32 and of 16 bits. A convolution
 * with an epilogue is computed both ways, by its description and by the generated kernel after it, which must
 * agree. */
#include "base/diag.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/nnr_half.h"
#include "tests/cuda/emulation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const emulated_libraries = "tf32 bf16 fp16";

typedef enum { FPROP, DGRAD, WGRAD } Kind;

static double *sums_new(int64_t count)
{
	double *sums = calloc((size_t)count, sizeof *sums);
	if (!sums)
		fail(EXIT_TOOL, "no memory for %lld sums", (long long)count);
	return sums;
}

static double element(NnrDType dtype, const void *t, int64_t i)
{
	if (dtype == NNR_BF16)
		return nnr_bf16_value(((const uint16_t *)t)[i]);
	if (dtype == NNR_F16)
		return nnr_f16_value(((const uint16_t *)t)[i]);
	require(dtype == NNR_F32);
	return ((const float *)t)[i];
}

/* Of `columns` a row; those of `to` are `pitch` elements apart. */
static void rows_store(double *sums, int64_t count, int64_t columns, int64_t pitch, NnrDType dtype, void *to)
{
	for (int64_t i = 0; i < count; i++) {
		const int64_t at = i / columns * pitch + i % columns;
		if (dtype == NNR_F32)
			((float *)to)[at] = (float)sums[i];
		else
			((uint16_t *)to)[at] = dtype == NNR_BF16 ? nnr_bf16_bits((float)sums[i])
			                                         : nnr_f16_bits((float)sums[i]);
	}
	free(sums);
}

static void sums_store(double *sums, int64_t count, NnrDType dtype, void *to)
{
	rows_store(sums, count, count, count, dtype, to);
}

/* The products of one pixel of y for filter k with all that its window meets. */
static void convolve_pixel(Kind kind, const NnrConvShape *s, NnrDType dtype, const void *const t[3],
                           double *sums, int64_t pixel, int64_t k)
{
	int64_t q = pixel % s->out[1], p = pixel / s->out[1] % s->out[0], n = pixel / s->out[1] / s->out[0];
	int64_t channels = s->channels / s->groups, first = k / (s->filters / s->groups) * channels;
	for (int64_t tap = 0; tap < s->size[0] * s->size[1]; tap++) {
		int64_t h = p * s->stride[0] - s->pad[0] + tap / s->size[1] * s->dilation[0];
		int64_t w = q * s->stride[1] - s->pad[1] + tap % s->size[1] * s->dilation[1];
		if (h < 0 || h >= s->in[0] || w < 0 || w >= s->in[1])
			continue;
		int64_t at[3] = {((n * s->in[0] + h) * s->in[1] + w) * s->channels + first,
		                 (k * s->size[0] * s->size[1] + tap) * channels, pixel * s->filters + k};
		for (int64_t c = 0; c < channels; c++, at[0]++, at[1]++) {
			double x = kind == DGRAD ? 1 : element(dtype, t[0], at[0]);
			double f = kind == WGRAD ? 1 : element(dtype, t[1], at[1]);
			double y = kind == FPROP ? 1 : element(dtype, t[2], at[2]);
			sums[at[kind == FPROP ? 2 : kind == DGRAD ? 0 : 1]] += x * f * y;
		}
	}
}

static void convolve(Kind kind, const NnrConvShape *s, NnrDType dtype, const void *x, const void *w,
                     const void *y, void *result)
{
	const void *const t[3] = {x, w, y};
	int64_t pixels = s->batch * s->out[0] * s->out[1];
	int64_t count[3] = {pixels * s->filters, s->batch * s->in[0] * s->in[1] * s->channels,
	                    s->filters * s->size[0] * s->size[1] * (s->channels / s->groups)};
	emulated_library();
	double *sums = sums_new(count[kind]);
	for (int64_t i = 0; i < count[0]; i++)
		convolve_pixel(kind, s, dtype, t, sums, i / s->filters, i % s->filters);
	sums_store(sums, count[kind], kind == WGRAD ? NNR_F32 : dtype, result);
}

void nnr_cudnn_conv_fprop(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x, const void *w,
                          void *y)
{
	convolve(FPROP, s, dtype, x, w, NULL, y);
}

void nnr_cudnn_conv_dgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *dy,
                          const void *w, void *dx)
{
	convolve(DGRAD, s, dtype, NULL, w, dy, dx);
}

void nnr_cudnn_conv_wgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x,
                          const void *dy, void *dw)
{
	convolve(WGRAD, s, dtype, x, NULL, dy, dw);
}

void nnr_cublas_matmul(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                       void *y)
{
	int64_t count = s->batch * s->m * s->n;
	const int64_t lda = s->lda  ? s->lda
	                    : s->ta ? s->m
	                            : s->k,
	              ldb = s->ldb  ? s->ldb
	                    : s->tb ? s->k
	                            : s->n;
	require(s->batch == 1 || !(s->lda || s->ldb || s->ldy));
	emulated_library();
	double *sums = sums_new(count), *right = sums_new(s->k * s->n);
	for (int64_t batch = 0; batch < s->batch; batch++) {
		for (int64_t i = 0; i < s->k * s->n; i++)
			right[i] = element(dtype, b,
			                   batch * s->k * s->n + (s->tb ? i % s->n * ldb + i / s->n
			                                                : i / s->n * ldb + i % s->n));
		for (int64_t i = 0; i < s->m * s->k; i++) {
			const int64_t m = i / s->k, k = i % s->k;
			const double left =
			        element(dtype, a, batch * s->m * s->k + (s->ta ? k * lda + m : m * lda + k));
			double *row = sums + (batch * s->m + m) * s->n;
			for (int64_t n = 0; n < s->n; n++)
				row[n] += left * right[k * s->n + n];
		}
	}
	free(right);
	rows_store(sums, count, s->n, s->ldy ? s->ldy : s->n, s->wide ? NNR_F32 : dtype, y);
}

/* ---- epilogues */

static const double ROOT_2_PI = 0.79788456080286536;

static double gelu_argument(double x)
{
	return ROOT_2_PI * (x + 0.044715 * x * x * x);
}

static double gelu_slope(double x)
{
	const double t = tanh(gelu_argument(x));
	return (1 + t) / 2 + x / 2 * (1 - t * t) * ROOT_2_PI * (1 + 3 * 0.044715 * x * x);
}

static double activate(const NnrEpilogue *e, double x)
{
	switch (e->activation) {
	case NNR_IDENTITY:
		return x;
	case NNR_RELU:
		return x < 0 ? 0 : x;
	case NNR_LEAKY_RELU:
		return x > 0 ? x : (double)e->slope * x;
	case NNR_SIGMOID:
		return 1 / (1 + exp(-x));
	case NNR_TANH:
		return tanh(x);
	case NNR_GELU:
		return x / 2 * erfc(-x / sqrt(2));
	case NNR_SILU:
		return x / (1 + exp(-x));
	case NNR_SOFTPLUS:
		return fmax(x, 0) + log1p(exp(-fabs(x)));
	case NNR_GELU_TANH:
		return x / 2 * (1 + tanh(gelu_argument(x)));
	case NNR_ELU:
		return x > 0 ? x : (double)e->slope * expm1(x);
	}
	fail(EXIT_SOURCE, "an epilogue has the activation %d", (int)e->activation);
}

static void check_argument(const NnrEpilogue *e, char letter, const void *tensor)
{
	const char *at = strchr(e->arguments, letter);
	if (!at != !tensor || (at && strchr(at + 1, letter)))
		fail(EXIT_SOURCE, "the arguments of %s are `%s`, but %c is %s", e->kernel->name, e->arguments,
		     letter, tensor ? "there" : "missing");
}

/* What a letter of an epilogue's arguments stands for; NULL: there is none. */
typedef struct Argument {
	char letter;
	const void *tensor;
} Argument;

/* The kernel after a call, on these; it must have all that are there, each once, and no other. */
static void launch_epilogue(int network, const NnrEpilogue *e, const Argument *known, int count)
{
	enum { MOST = 8 };
	void *arguments[MOST];
	const size_t used = strlen(e->arguments);
	require(used <= MOST);
	for (int k = 0; k < count; k++)
		check_argument(e, known[k].letter, known[k].tensor);
	for (size_t i = 0; i < used; i++) {
		int k = 0;
		while (k < count && known[k].letter != e->arguments[i])
			k++;
		require(k < count);
		arguments[i] = (void *)(uintptr_t)&known[k].tensor;
	}
	emulated_launch(network, e->kernel, arguments, used * sizeof *arguments);
}

/* The tensors of an epilogue; NULL: it has none. */
typedef struct Added {
	const void *residual, *bias;
	void *y;
} Added;

/* What a tensor has of a value: above 65504, f16's largest, and half a step more, infinity. */
static double in_range(NnrDType dtype, double value)
{
	return dtype == NNR_F16 && fabs(value) >= 65520 ? copysign(INFINITY, value) : value;
}

/* No number agrees with none: fp16's first loss may be scaled too far. */
static void must_agree(const NnrEpilogue *e, double got, double wanted, double rounding)
{
	if (got != wanted && !(isnan(got) && isnan(wanted)) &&
	    !(fabs(got - wanted) <= rounding * fmax(1, fabs(wanted))))
		fail(EXIT_SOURCE, "%s computes %g where the epilogue says %g", e->kernel->name, got, wanted);
}

/* Both ways: as it is described, and by its kernel, in place on y, rows of `columns` elements. Of f32 the two may
 * differ by `rounding`. */
static void compute_epilogue(int network, const NnrEpilogue *e, NnrDType dtype, double rounding,
                             int64_t count, int64_t columns, const Added *t)
{
	const NnrDType narrow = e->narrow_bias ? dtype : NNR_F32;
	const Argument known[] = {{'y', t->y}, {'b', t->bias}, {'r', t->residual}};
	rounding = dtype == NNR_BF16 ? 0x1p-8 : dtype == NNR_F16 ? 0x1p-11 : rounding;
	double *wanted = sums_new(count);
	for (int64_t i = 0; i < count; i++)
		wanted[i] = in_range(
		        dtype, activate(e, element(dtype, t->y, i) +
		                                   (t->residual ? element(dtype, t->residual, i) : 0) +
		                                   (t->bias ? element(narrow, t->bias, i % columns) : 0)));
	launch_epilogue(network, e, known, sizeof known / sizeof *known);
	for (int64_t i = 0; i < count; i++)
		must_agree(e, element(dtype, t->y, i), wanted[i], rounding);
	free(wanted);
}

void emulated_conv_epilogue(int network, NnrPlan **plan, const NnrConvShape *s, const NnrEpilogue *e,
                            NnrDType dtype, const void *x, const void *w, const void *residual,
                            const void *bias, void *y)
{
	int64_t count = s->batch * s->out[0] * s->out[1] * s->filters;
	if (residual == y)
		fail(EXIT_SOURCE, "the residual of %s is overwritten by the convolution", e->kernel->name);
	convolve(FPROP, s, dtype, x, w, NULL, y);
	compute_epilogue(network, e, dtype, 1e-5, count, s->filters, &(Added){residual, bias, y});
}

void emulated_matmul_epilogue(int network, NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                              NnrDType dtype, const void *a, const void *b, const void *residual,
                              const void *bias, void *y)
{
	const double rounding = residual ? 0 : e->round_tf32 ? 0x1p-11 : 1e-5;
	if (residual && (residual == y || s->own || s->ldy || s->wide || s->n % 8 ||
	                 (dtype != NNR_BF16 && dtype != NNR_F16) || (bias && !e->narrow_bias)))
		fail(EXIT_SOURCE, "cuBLASLt adds no such tensor as %s does after it", e->kernel->name);
	nnr_cublas_matmul(plan, s, dtype, a, b, y);
	compute_epilogue(network, e, s->wide ? NNR_F32 : dtype, rounding, s->m * s->n, s->n,
	                 &(Added){residual, bias, y});
}

/* ---- with a tensor beside */

/* Sums along k of an operand, whose columns are `columns`. */
static void check_operand_sums(const NnrEpilogue *e, const NnrProductShape *s, NnrDType dtype, const void *x,
                               int64_t columns, const float *sums)
{
	for (int64_t i = 0; i < columns; i++) {
		double wanted = 0, all = 0;
		for (int64_t k = 0; k < s->k; k++) {
			const double v = element(dtype, x, k * columns + i);
			wanted += v, all += fabs(v);
		}
		must_agree(e, (double)sums[i], wanted, 1e-5 * fmax(1, all));
	}
}

/* Both ways: as it is described, and by its kernel. */
void emulated_matmul_beside(int network, NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                            NnrDType dtype, const void *a, const void *b, const void *bias, void *y,
                            void *beside, float *partial)
{
	const int64_t count = s->m * s->n;
	const bool of_a = e->beside == NNR_SUMS_OF_A, sums = of_a || e->beside == NNR_SUMS_OF_B;
	const double rounding = dtype == NNR_BF16 ? 0x1p-7 : 0x1p-10;
	const void *operand = of_a ? a : b;
	const Argument known[] = {{'y', sums ? NULL : y},      {'b', bias},
	                          {'k', sums ? NULL : beside}, {'x', sums ? operand : NULL},
	                          {'s', sums ? beside : NULL}, {'p', partial}};
	double *wanted = sums_new(count), *kept = sums_new(count);
	if ((dtype != NNR_BF16 && dtype != NNR_F16) || s->batch != 1 ||
	    (sums ? !s->wide : s->wide || s->n % 8) ||
	    (e->beside == NNR_KEPT) != (e->activation == NNR_GELU_TANH) || (bias && !e->narrow_bias) ||
	    (e->partial > 0) != (partial != NULL) || (sums && (of_a ? !s->ta : s->tb)) || s->ldy ||
	    (bias != NULL) != (e->beside == NNR_KEPT))
		fail(EXIT_SOURCE, "cuBLASLt has no such product as %s is after", e->kernel->name);
	for (int64_t i = 0; i < e->partial; i++)
		partial[i] = NAN;
	nnr_cublas_matmul(plan, s, dtype, a, b, y);
	for (int64_t i = 0; i < count && !sums; i++) {
		const double v = element(dtype, y, i);
		kept[i] = bias ? v + element(dtype, bias, i % s->n) : element(dtype, beside, i);
		wanted[i] = bias ? activate(e, kept[i]) : v * gelu_slope(kept[i]);
	}
	launch_epilogue(network, e, known, sizeof known / sizeof *known);
	emulated_library(); /* on the branch, that has ended then */
	for (int64_t i = 0; i < count && !sums; i++) {
		must_agree(e, element(dtype, y, i), in_range(dtype, wanted[i]), rounding);
		must_agree(e, element(dtype, beside, i), in_range(dtype, kept[i]), rounding);
	}
	if (sums)
		check_operand_sums(e, s, dtype, operand, of_a ? s->m : s->n, beside);
	free(wanted);
	free(kept);
}

void emulated_matmul_slope(int network, NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                           NnrDType dtype, const void *a, const void *b, const void *at, void *y)
{
	if (e->beside != NNR_SLOPE)
		fail(EXIT_SOURCE, "%s is said to be no slope", e->kernel->name);
	emulated_matmul_beside(network, plan, s, e, dtype, a, b, NULL, y, (void *)(uintptr_t)at, NULL);
}

/* ---- sums of rows */

/* As the kernel after cuBLASLt's product has them, of tiles of 256 columns; ours does not run here. */
void emulated_matmul_row_sums(int network, NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                              NnrDType dtype, const void *a, const void *b, const float *bias,
                              const float *weight, float *y, float *sums)
{
	enum { WIDTH = 256 };
	const int64_t tiles = (s->n + WIDTH - 1) / WIDTH;
	const Argument known[] = {{'y', y}, {'b', bias}, {'w', weight}, {'t', sums}};
	if (e->row_sums != tiles || dtype != NNR_F32)
		fail(EXIT_SOURCE, "%s is said to leave %lld sums a row", e->kernel->name,
		     (long long)e->row_sums);
	nnr_cublas_matmul(plan, s, dtype, a, b, y);
	for (int64_t i = 0; i < s->m * tiles; i++)
		sums[i] = NAN;
	launch_epilogue(network, e, known, sizeof known / sizeof *known);
	emulated_library(); /* on the branch, that has ended then */
	for (int64_t i = 0; i < s->m * tiles; i++) {
		double wanted = 0, all = 0;
		for (int64_t j = i % tiles * WIDTH; j < s->n && j < (i % tiles + 1) * WIDTH; j++) {
			double v =
			        activate(e, (double)y[i / tiles * s->n + j] + (bias ? (double)bias[j] : 0)) *
			        (double)weight[j];
			wanted += v, all += fabs(v);
		}
		if (!(fabs((double)sums[i] - wanted) <= 1e-5 * all))
			fail(EXIT_SOURCE, "%s computes %g where the sum is %g", e->kernel->name,
			     (double)sums[i], wanted);
	}
}
