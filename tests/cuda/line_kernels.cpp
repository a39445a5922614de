/* SPDX-License-Identifier: MIT */
/* The image of the fake driver: the runtime's kernels as they are, and those of line.cu. */
#include "tests/cuda/device.h"

#include "tests/cuda/fake_cuda.h"
#include "tests/cuda/epilogue.h"
#include "tests/cuda/line.cu"

#include "runtime/nnr_half.h"
#include <cstdio>

/* What follows the convolution of convolutions.c, by one thread. */
static float epilogue_sum(const float *y, const float *bias, const float *residual, int i)
{
	return y[i] + (bias ? bias[i % EPILOGUE_FILTERS] : 0) + (residual ? residual[i] : 0);
}

/* As nnc writes it: NaN passes, which fmaxf would not let. */
static float relu(float v)
{
	return v < 0 ? 0 : v;
}

extern "C" __global__ void epilogue_relu_yb(float *y, const float *bias)
{
	for (int i = 0; i < EPILOGUE_COUNT; i++)
		y[i] = relu(epilogue_sum(y, bias, nullptr, i));
}

extern "C" __global__ void epilogue_relu_ybr(float *y, const float *bias, const float *residual)
{
	for (int i = 0; i < EPILOGUE_COUNT; i++)
		y[i] = relu(epilogue_sum(y, bias, residual, i));
}

extern "C" __global__ void epilogue_leaky_ry(const float *residual, float *y)
{
	for (int i = 0; i < EPILOGUE_COUNT; i++) {
		const float v = epilogue_sum(y, nullptr, residual, i);
		y[i] = v > 0 ? v : 0.25f * v;
	}
}

struct Map { /* as cuTensorMapEncodeTiled of fake_cuda.c makes them */
	uint64_t word[16];
};

/* Products of products.c by one thread, a as [k,m], and what they take; the second gets an element wrong, the third
 * could gather and takes what FAKE_PRODUCT_MICROSECONDS says. */
static void product(const Map &a, const Map &b, float *y, bool right, const char *us)
{
	const float *const x = (const float *)a.word[0], *const w = (const float *)b.word[0];
	const uint64_t m = a.word[1], k = a.word[2], n = b.word[2];
	for (uint64_t i = 0; i < m * n; i++) {
		y[i] = right || i > 0 ? 0 : 10;
		for (uint64_t j = 0; j < k; j++)
			y[i] += x[j * m + i / n] * w[i % n * k + j];
	}
	setenv("FAKE_CUDA_MICROSECONDS", us, 1);
}

extern "C" __global__ void product_right(const Map a, const Map b, float *y, float *)
{
	product(a, b, y, true, "5000");
}

extern "C" __global__ void product_wrong(const Map a, const Map b, float *y, float *)
{
	product(a, b, y, false, "5000");
}

extern "C" __global__ void product_carrying(const Map a, const Map b, float *y, float *, const NnrCarried)
{
	product(a, b, y, true, getenv("FAKE_PRODUCT_MICROSECONDS"));
}

/* Attention of attention.c: ones in its results, 128 of y and 16 logs, or of a gradient 384. */
static void attention(uint16_t *result, int count, float *logs)
{
	for (int i = 0; i < count; i++)
		result[i] = 0x3f80;
	for (int i = 0; logs && i < 16; i++)
		logs[i] = 1;
	setenv("FAKE_CUDA_MICROSECONDS", getenv("FAKE_KERNEL_MICROSECONDS"), 1);
}

extern "C" __global__ void attention_forward(const uint16_t *, uint16_t *y, float *logs)
{
	attention(y, 128, logs);
}

extern "C" __global__ void attention_grad(const uint16_t *, const uint16_t *, const uint16_t *, const float *,
                                          const float *, uint16_t *dx)
{
	attention(dx, 384, nullptr);
}

/* What follows a product of 8 rows and 12 columns, 4 ms longer than that; and the kernel for both. */
static float identity(float v)
{
	return v;
}

static void after(float *y, const float *bias, float (*activate)(float))
{
	for (int i = 0; i < 8 * 12; i++)
		y[i] = activate(y[i] + bias[i % 12]);
}

/* Once for all runs of a graph: what a product takes ends in four zeros. */
static void take_longer()
{
	char us[32];
	const long product = atol(getenv("FAKE_CUDA_MICROSECONDS")) / 10000 * 10000;
	snprintf(us, sizeof us, "%ld", product + 4000);
	setenv("FAKE_CUDA_MICROSECONDS", us, 1);
}

extern "C" __global__ void after_relu(float *y, const float *bias)
{
	after(y, bias, relu);
	take_longer();
}

extern "C" __global__ void after_bias(float *y, const float *bias)
{
	after(y, bias, identity);
	take_longer();
}

extern "C" __global__ void after_narrow_bias(uint16_t *y, const uint16_t *bias)
{
	for (int i = 0; i < 8 * 12; i++)
		y[i] = nnr_bf16_bits(nnr_bf16_value(y[i]) + nnr_bf16_value(bias[i % 12]));
	take_longer();
}

static float gelu_tanh(float x)
{
	return x / (1 + expf(-x * (1.5957691f + 0.071354816f * x * x)));
}

static float gelu_tanh_slope(float x)
{
	const float s = 1 / (1 + expf(-x * (1.5957691f + 0.071354816f * x * x)));
	return s * (1 + x * (1 - s) * (1.5957691f + 0.21406445f * x * x));
}

/* Of tests/cuda/beside.c: a product of 8 x 16 elements, of depth 24. */
extern "C" __global__ void after_kept(uint16_t *y, const uint16_t *bias, uint16_t *kept)
{
	for (int i = 0; i < 8 * 16; i++) {
		const float sum = nnr_bf16_value(y[i]) + nnr_bf16_value(bias[i % 16]);
		kept[i] = nnr_bf16_bits(sum);
		y[i] = nnr_bf16_bits(gelu_tanh(sum));
	}
	take_longer();
}

extern "C" __global__ void after_residual(uint16_t *y, const uint16_t *bias, const uint16_t *residual)
{
	for (int i = 0; i < 8 * 16; i++)
		y[i] = nnr_bf16_bits(nnr_bf16_value(y[i]) + nnr_bf16_value(bias[i % 16]) +
		                     nnr_bf16_value(residual[i]));
	take_longer();
}

extern "C" __global__ void after_slope(const uint16_t *kept, uint16_t *y)
{
	for (int i = 0; i < 8 * 16; i++)
		y[i] = nnr_bf16_bits(nnr_bf16_value(y[i]) * gelu_tanh_slope(nnr_bf16_value(kept[i])));
	take_longer();
}

static void operand_sums(const uint16_t *x, float *sums, int columns)
{
	for (int i = 0; i < columns; i++)
		sums[i] = 0;
	for (int i = 0; i < 24 * columns; i++)
		sums[i % columns] += nnr_bf16_value(x[i]);
	take_longer();
}

extern "C" __global__ void after_sums_of_a(const uint16_t *x, float *sums)
{
	operand_sums(x, sums, 8);
}

extern "C" __global__ void after_sums_of_b(const uint16_t *x, float *sums)
{
	operand_sums(x, sums, 16);
}

extern "C" __global__ void after_tanh(float *y, const float *bias)
{
	after(y, bias, tanhf);
	take_longer();
}

/* Of its rows the sums of tanh(y + bias) times the weight; of the second kernel with one of them wrong. */
static void row_sums(const float *y, const float *bias, const float *weight, float *sums)
{
	for (int i = 0; i < 8; i++) {
		sums[i] = 0;
		for (int j = 0; j < 12; j++)
			sums[i] += tanhf(y[i * 12 + j] + bias[j]) * weight[j];
	}
}

extern "C" __global__ void after_row_sums(float *y, const float *bias, const float *weight, float *sums)
{
	row_sums(y, bias, weight, sums);
	take_longer();
}

static void product_and_sums(const Map &a, const Map &b, const float *bias, const float *weight, float *sums)
{
	float y[8 * 12];
	product(a, b, y, true, "5000");
	row_sums(y, bias, weight, sums);
}

extern "C" __global__ void product_row_sums(const Map a, const Map b, float *sums, float *, const float *bias,
                                            const float *weight)
{
	product_and_sums(a, b, bias, weight, sums);
}

extern "C" __global__ void product_wrong_sums(const Map a, const Map b, float *sums, float *,
                                              const float *bias, const float *weight)
{
	product_and_sums(a, b, bias, weight, sums);
	sums[7] += 10;
}

extern "C" __global__ void product_relu(const Map a, const Map b, float *y, float *, const float *bias)
{
	product(a, b, y, true, "5000");
	after(y, bias, relu);
}

extern "C" __global__ void product_carrying_relu(const Map a, const Map b, float *y, float *,
                                                 const float *bias, const NnrCarried)
{
	product(a, b, y, true, getenv("FAKE_PRODUCT_MICROSECONDS"));
	after(y, bias, relu);
}

extern "C" const FakeKernel fake_kernels[] = {
        {{"nnr_prepare_step", emulated_call<nnr_prepare_step>}, 4, {8, sizeof(NnrSupply), 4, 4}},
        {{"nnr_prepare_transposed", emulated_call<nnr_prepare_transposed>}, 4, {8, sizeof(NnrSupply), 4, 4}},
        {{"nnr_count_step", emulated_call<nnr_count_step>}, 3, {8, sizeof(NnrSupply), 4}},
        {{"nnr_end_steps", emulated_call<nnr_end_steps>}, 3, {8, sizeof(NnrSupply), 4}},
        {{"nnr_begin_samples", emulated_call<nnr_begin_samples>}, 3, {8, sizeof(NnrSupply), 4}},
        {{"nnr_wire_round", emulated_call<nnr_wire_round>}, 3, {8, 8, 8}},
        {{"nnr_wire_widen", emulated_call<nnr_wire_widen>}, 3, {8, 8, 8}},
        {{"nnr_end_samples", emulated_call<nnr_end_samples>}, 2, {8, sizeof(NnrSupply)}},
        {{"line_train_step", emulated_call<line_train_step>}, 6, {8, 8, 8, 8, 8, 4}},
        {{"line_gradient_step", emulated_call<line_gradient_step>}, 5, {8, 8, 8, 8, 4}},
        {{"line_update_step", emulated_call<line_update_step>}, 4, {8, 8, 8, 8}},
        {{"line_prepare_weights", emulated_call<line_prepare_weights>}, 3, {8, 8, sizeof(NnrDivisor)}},
        {{"line_nothing", emulated_call<line_nothing>}, 1, {8}},
        {{"line_evaluate_batch", emulated_call<line_evaluate_batch>}, 3, {8, 8, 8}},
        {{"epilogue_relu_yb", emulated_call<epilogue_relu_yb>}, 2, {8, 8}},
        {{"epilogue_relu_ybr", emulated_call<epilogue_relu_ybr>}, 3, {8, 8, 8}},
        {{"epilogue_leaky_ry", emulated_call<epilogue_leaky_ry>}, 2, {8, 8}},
        {{"attention_forward", emulated_call<attention_forward>}, 3, {8, 8, 8}},
        {{"attention_grad", emulated_call<attention_grad>}, 6, {8, 8, 8, 8, 8, 8}},
        {{"product_right", emulated_call<product_right>}, 4, {128, 128, 8, 8}},
        {{"product_wrong", emulated_call<product_wrong>}, 4, {128, 128, 8, 8}},
        {{"after_relu", emulated_call<after_relu>}, 2, {8, 8}},
        {{"after_tanh", emulated_call<after_tanh>}, 2, {8, 8}},
        {{"after_bias", emulated_call<after_bias>}, 2, {8, 8}},
        {{"after_narrow_bias", emulated_call<after_narrow_bias>}, 2, {8, 8}},
        {{"after_kept", emulated_call<after_kept>}, 3, {8, 8, 8}},
        {{"after_residual", emulated_call<after_residual>}, 3, {8, 8, 8}},
        {{"after_slope", emulated_call<after_slope>}, 2, {8, 8}},
        {{"after_sums_of_a", emulated_call<after_sums_of_a>}, 2, {8, 8}},
        {{"after_sums_of_b", emulated_call<after_sums_of_b>}, 2, {8, 8}},
        {{"after_row_sums", emulated_call<after_row_sums>}, 4, {8, 8, 8, 8}},
        {{"product_row_sums", emulated_call<product_row_sums>}, 6, {128, 128, 8, 8, 8, 8}},
        {{"product_wrong_sums", emulated_call<product_wrong_sums>}, 6, {128, 128, 8, 8, 8, 8}},
        {{"product_relu", emulated_call<product_relu>}, 5, {128, 128, 8, 8, 8}},
        {{"product_carrying_relu", emulated_call<product_carrying_relu>},
         6,
         {128, 128, 8, 8, 8, sizeof(NnrCarried)}},
        {{"product_carrying", emulated_call<product_carrying>}, 5, {128, 128, 8, 8, sizeof(NnrCarried)}},
        {{nullptr, nullptr}, 0, {}},
};
