/* SPDX-License-Identifier: MIT */
/* The kernels stand in for what nnc generates after a convolution. Their text goes through NVRTC as a network's
 * does. */
#include "tests/gpu/epilogues.h"
#include "runtime/cuda/cudnn_graph.h"
#include "tests/gpu/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As a kernel's text, and here. Finite in f32 for any sum: the noise that plans are compared on gives some of
 * hundreds. */
#define ACTIVATIONS(F)                                                      \
	F(NNR_IDENTITY, "add", v)                                           \
	F(NNR_RELU, "relu", v < 0 ? 0 : v)                                  \
	F(NNR_LEAKY_RELU, "leaky", v > 0 ? v : slope * v)                   \
	F(NNR_SIGMOID, "sigmoid", 1 / (1 + exp(-v)))                        \
	F(NNR_TANH, "tanh", tanh(v))                                        \
	F(NNR_GELU, "gelu", v / 2 * erfc(-v * sqrt(0.5)))                   \
	F(NNR_SILU, "silu", v / (1 + exp(-v)))                              \
	F(NNR_SOFTPLUS, "softplus", (v > 0 ? v : 0) + log1p(exp(-fabs(v)))) \
	F(NNR_ELU, "elu", v > 0 ? v : slope * expm1(v))                     \
	F(NNR_GELU_TANH, "gelu_tanh", v / (1 + exp(-v * (1.5957691216057308 + 0.07135481627260026 * v * v))))

static NnrKernel plain = {.name = "plain", .threads = 256};
const NnrEpilogue epilogues[] = {
        {.activation = NNR_RELU, .kernel = &plain, .arguments = "yb"},
        {.activation = NNR_RELU, .kernel = &plain, .arguments = "ybr"},
        {.activation = NNR_IDENTITY, .kernel = &plain, .arguments = "yb"},
        {.activation = NNR_RELU, .kernel = &plain, .arguments = "yr"},
        {.activation = NNR_SILU, .kernel = &plain, .arguments = "ybr"},
        {.activation = NNR_TANH, .kernel = &plain, .arguments = "y"},
        {.activation = NNR_GELU, .kernel = &plain, .arguments = "yb"},
        {.activation = NNR_SIGMOID, .kernel = &plain, .arguments = "yb"},
        {.activation = NNR_LEAKY_RELU, .slope = 0.1f, .kernel = &plain, .arguments = "rby"},
        {.activation = NNR_ELU, .slope = 0.5f, .kernel = &plain, .arguments = "by"},
        {.activation = NNR_SOFTPLUS, .kernel = &plain, .arguments = "yb"},
        {.activation = NNR_IDENTITY, .kernel = &plain, .arguments = "yr"},
        {.activation = NNR_GELU_TANH, .kernel = &plain, .arguments = "yb"},
};
const int epilogue_count = sizeof epilogues / sizeof *epilogues;

double epilogue_activate(const NnrEpilogue *e, double v)
{
	double slope = (double)e->slope;
	switch (e->activation) {
#define ACTIVATION(name, text, formula) \
	case name:                      \
		return formula;
		ACTIVATIONS(ACTIVATION)
#undef ACTIVATION
	}
	return NAN;
}

double epilogue_moves(const NnrEpilogue *e, double sum, double added, double rounding)
{
	double off = rounding * fabs(sum), exact = epilogue_activate(e, sum + added);
	return fmax(fabs(epilogue_activate(e, sum + off + added) - exact),
	            fabs(epilogue_activate(e, sum - off + added) - exact));
}

const char *epilogue_name(const NnrEpilogue *e)
{
	static const char *const names[] = {
#define ACTIVATION(name, text, formula) [name] = text,
	        ACTIVATIONS(ACTIVATION)
#undef ACTIVATION
	};
	return names[e->activation];
}

void epilogue_load_kernel(const NnrEpilogue *e, NnrDType dtype, int64_t count, int64_t filters)
{
	static const char *const formulas[] = {
#define ACTIVATION(name, text, formula) [name] = #formula,
	        ACTIVATIONS(ACTIVATION)
#undef ACTIVATION
	};
	static const char *const types[] = {
	        [NNR_F32] = "typedef float T; static __device__ float wide(T v) { return v; }\n"
	                    "static __device__ T narrow(float v) { return v; }\n",
	        [NNR_BF16] =
	                "typedef unsigned short T;\n"
	                "static __device__ float wide(T v) { return __uint_as_float((unsigned)v << 16); }\n"
	                "static __device__ T narrow(float v) { unsigned u = __float_as_uint(v);\n"
	                "return v != v ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16; }\n",
	        [NNR_F16] = "typedef unsigned short T;\n"
	                    "static __device__ float wide(T v) { float f; asm(\"cvt.f32.f16 %0, %1;\" : "
	                    "\"=f\"(f) : "
	                    "\"h\"(v)); return f; }\n"
	                    "static __device__ T narrow(float v) { T r; asm(\"cvt.rn.f16.f32 %0, %1;\" : "
	                    "\"=h\"(r) : "
	                    "\"f\"(v)); return r; }\n"};
	const char *const names[] = {['y'] = "T *y",
	                             ['b'] = e->narrow_bias ? "const T *b" : "const float *b",
	                             ['r'] = "const T *r"};
	char parameters[128] = "", bias[64] = "", source[2048];
	snprintf(bias, sizeof bias, e->narrow_bias ? " + wide(b[i %% %lld])" : " + b[i %% %lld]",
	         (long long)filters);
	for (const char *at = e->arguments; *at; at++)
		snprintf(parameters + strlen(parameters), sizeof parameters - strlen(parameters), "%s%s",
		         *parameters ? ", " : "", names[(int)*at]);
	snprintf(source, sizeof source,
	         "%sextern \"C\" __global__ void plain(%s)\n{\n"
	         "\tlong long i = blockIdx.x * 256ll + threadIdx.x;\n\tif (i >= %lldll)\n\t\treturn;\n"
	         "\tconst float slope = %.9g;\n\tfloat v = wide(y[i])%s%s;\n\ty[i] = narrow(%s);\n}\n",
	         types[dtype], parameters, (long long)count, (double)e->slope,
	         strchr(e->arguments, 'r') ? " + wide(r[i])" : "", strchr(e->arguments, 'b') ? bias : "",
	         formulas[e->activation]);
	kernel_load(source);
	plain.handle = NULL;
	plain.blocks = (count + 255) / 256;
}

bool epilogue_takes_rounded_sum(const TuneEntry *e)
{
	enum { FUSED_PRODUCT = 2 }; /* of runtime/cuda/cublas_choice.h */
	int64_t form = tune_setting(e, "form", -1);
	if (e->library == TUNE_CUDNN)
		return form == PLAIN;
	return form != FUSED_PRODUCT || tune_setting(e, "split_k", 0) > 1;
}
