/* SPDX-License-Identifier: MIT */
/* The residual comes before the bias: so it stands in the pattern of cuDNN's engines that are not compiled when a plan
 * is made; the others take any order. Values in between are f32 and in registers only. */
#include "runtime/cuda/cudnn_epilogue.h"

static const struct {
	cudnnPointwiseMode_t mode;
	cudnnBackendAttributeName_t slope; /* a double; 0: it has none */
} activations[] = {
        [NNR_IDENTITY] = {CUDNN_POINTWISE_IDENTITY, 0},
        [NNR_RELU] = {CUDNN_POINTWISE_RELU_FWD, 0},
        [NNR_LEAKY_RELU] = {CUDNN_POINTWISE_RELU_FWD, CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE},
        [NNR_SIGMOID] = {CUDNN_POINTWISE_SIGMOID_FWD, 0},
        [NNR_TANH] = {CUDNN_POINTWISE_TANH_FWD, 0},
        [NNR_GELU] = {CUDNN_POINTWISE_GELU_FWD, 0},
        [NNR_SILU] = {CUDNN_POINTWISE_SWISH_FWD, 0},
        [NNR_SOFTPLUS] = {CUDNN_POINTWISE_SOFTPLUS_FWD, 0},
        [NNR_GELU_TANH] = {CUDNN_POINTWISE_GELU_APPROX_TANH_FWD, 0},
        [NNR_ELU] = {CUDNN_POINTWISE_ELU_FWD, CUDNN_ATTR_POINTWISE_ELU_ALPHA},
};

/* NaN must pass, or a relu would hide that a training has diverged. */
static bool set_activation(Descriptor how, const NnrEpilogue *e)
{
	cudnnNanPropagation_t nan = CUDNN_PROPAGATE_NAN;
	cudnnBackendAttributeName_t slope = activations[e->activation].slope;
	double value = (double)e->slope;
	return dnn_set(how, CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, 1, &nan) &&
	       (!slope || dnn_set(how, slope, CUDNN_TYPE_DOUBLE, 1, &value));
}

int epilogue_operations(Pool *p, const Question *q, const int64_t dim[4], Descriptor from, Descriptor y,
                        Descriptor steps[EPILOGUE_OPERATIONS])
{
	const NnrEpilogue *e = q->epilogue;
	const bool wanted[EPILOGUE_OPERATIONS] = {epilogue_has(e, 'r'), epilogue_has(e, 'b'),
	                                          e->activation != NNR_IDENTITY};
	const int64_t *space = dim + 2, one[2] = {1, 1};
	int count = wanted[0] + wanted[1] + wanted[2], made = 0;
	require(count > 0);
	for (int i = 0; i < EPILOGUE_OPERATIONS; i++) {
		if (!wanted[i])
			continue;
		cudnnPointwiseMode_t mode = i < 2 ? CUDNN_POINTWISE_ADD : activations[e->activation].mode;
		Descriptor how = pointwise_begin(p, mode), other = NULL;
		if (i == 0)
			other = graph_tensor(p, UID_RESIDUAL, q->type, dim, space);
		else if (i == 1)
			other = graph_tensor(p, UID_BIAS, CUDNN_DATA_FLOAT, (int64_t[]){1, dim[1], 1, 1},
			                     one);
		bool fine = how && (i < 2 ? other != NULL : set_activation(how, e));
		Descriptor to = made == count - 1 ? y
		                                  : graph_tensor(p, UID_BETWEEN + 1 + made, CUDNN_DATA_FLOAT,
		                                                 dim, space);
		steps[made++] = fine ? pointwise_end(p, how, from, other, to) : NULL;
		from = to;
	}
	return made;
}
