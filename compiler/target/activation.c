/* SPDX-License-Identifier: MIT */
#include "target/activation.h"

static const Activation activations[] = {
        {"relu", .runtime = "NNR_RELU", .cublas = CUBLAS_ALWAYS},
        {"leaky_relu", .runtime = "NNR_LEAKY_RELU", .slope = "slope"},
        {"sigmoid", .runtime = "NNR_SIGMOID"},
        {"tanh", .runtime = "NNR_TANH"},
        {"gelu", .runtime = "NNR_GELU"},
        {"gelu_tanh", .runtime = "NNR_GELU_TANH", .cublas = CUBLAS_HALVES, .cublas_keeps = true},
        {"silu", .runtime = "NNR_SILU"},
        {"softplus", .runtime = "NNR_SOFTPLUS"},
        {"elu", .runtime = "NNR_ELU", .slope = "alpha"},
};

const Activation *activation_of(const Op *op)
{
	static OpTable table;
	for (size_t i = 0; !table.is_filled && i < sizeof activations / sizeof *activations; i++)
		op_table_put(&table, activations[i].op, &activations[i]);
	table.is_filled = true;
	return op_table_get(&table, op);
}

bool activation_in_cublas(const Op *op)
{
	const Activation *a = activation_of(op);
	return a && a->cublas != CUBLAS_NEVER;
}
