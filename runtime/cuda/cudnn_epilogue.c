/* The residual comes before the bias: so it stands in the pattern of cuDNN's engines that are not compiled when a plan
 * is made; the others take any order. Values in between are f32 and in registers only. */
#include "runtime/cuda/cudnn_epilogue.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	cudnnPointwiseMode_t mode;
	cudnnBackendAttributeName_t slope; /* a double; 0: it has none */
} activations[] = {
        [NNR_IDENTITY] = {NULL, CUDNN_POINTWISE_IDENTITY, 0},
        [NNR_RELU] = {"relu", CUDNN_POINTWISE_RELU_FWD, 0},
        [NNR_LEAKY_RELU] = {"leaky_relu", CUDNN_POINTWISE_RELU_FWD,
                            CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE},
        [NNR_SIGMOID] = {"sigmoid", CUDNN_POINTWISE_SIGMOID_FWD, 0},
        [NNR_TANH] = {"tanh", CUDNN_POINTWISE_TANH_FWD, 0},
        [NNR_GELU] = {"gelu", CUDNN_POINTWISE_GELU_FWD, 0},
        [NNR_SILU] = {"silu", CUDNN_POINTWISE_SWISH_FWD, 0},
        [NNR_SOFTPLUS] = {"softplus", CUDNN_POINTWISE_SOFTPLUS_FWD, 0},
        [NNR_ELU] = {"elu", CUDNN_POINTWISE_ELU_FWD, CUDNN_ATTR_POINTWISE_ELU_ALPHA},
};

static bool has(const NnrConvEpilogue *e, char letter)
{
	return strchr(e->arguments, letter);
}

/* NaN must pass, or a relu would hide that a training has diverged. */
static bool set_activation(Descriptor how, const NnrConvEpilogue *e)
{
	cudnnNanPropagation_t nan = CUDNN_PROPAGATE_NAN;
	cudnnBackendAttributeName_t slope = activations[e->activation].slope;
	double value = (double)e->slope;
	return dnn_set(how, CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, 1, &nan) &&
	       (!slope || dnn_set(how, slope, CUDNN_TYPE_DOUBLE, 1, &value));
}

/* The sums of y and of its square over all pixels. */
static Descriptor sums_of(Pool *p, const Question *q, int64_t channels, Descriptor y)
{
	const int64_t dim[4] = {1, channels, 1, 1}, one[2] = {1, 1};
	cudnnGenStatsMode_t mode = CUDNN_GENSTATS_SUM_SQSUM;
	cudnnDataType_t compute = CUDNN_DATA_FLOAT;
	Descriptor sum = graph_tensor(p, UID_SUM, CUDNN_DATA_FLOAT, dim, one);
	Descriptor squares = graph_tensor(p, UID_SQUARES, CUDNN_DATA_FLOAT, dim, one);
	Descriptor d = dnn_create(p, CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR);
	bool fine = d && y && sum && squares &&
	            dnn_set(d, CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_TYPE_GENSTATS_MODE, 1, &mode) &&
	            dnn_set(d, CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &compute) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_GENSTATS_XDESC, y) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, sum) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, squares) &&
	            dnn_finalize(d);
	return fine ? d : NULL;
}

int epilogue_operations(Pool *p, const Question *q, const int64_t dim[4], Descriptor from, Descriptor y,
                        Descriptor steps[EPILOGUE_OPERATIONS])
{
	const NnrConvEpilogue *e = q->epilogue;
	const bool wanted[EPILOGUE_OPERATIONS] = {has(e, 'r'), has(e, 'b'), e->activation != NNR_IDENTITY};
	const int64_t *space = dim + 2, one[2] = {1, 1};
	int count = wanted[0] + wanted[1] + wanted[2], made = 0;
	if (e->sums) {
		steps[0] = sums_of(p, q, dim[1], y);
		return 1;
	}
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

void epilogue_text(const NnrConvEpilogue *e, char text[EPILOGUE_TEXT])
{
	char slope[24] = "";
	const char *name = activations[e->activation].name;
	if (activations[e->activation].slope)
		snprintf(slope, sizeof slope, " %.7g", (double)e->slope);
	if (e->sums) {
		snprintf(text, EPILOGUE_TEXT, " + sums");
		return;
	}
	snprintf(text, EPILOGUE_TEXT, "%s%s%s%s%s", has(e, 'r') ? " + residual" : "",
	         has(e, 'b') ? " + bias" : "", name ? " + " : "", name ? name : "", slope);
}

/* The tensor that a letter of NnrConvEpilogue.arguments stands for. */
static Role role_of(char letter)
{
	static const char letters[TENSORS] = {
	        [Y] = 'y', [RESIDUAL] = 'r', [BIAS] = 'b', [SUM] = 's', [SQUARES] = 'q', [PARTIAL] = 'p'};
	Role role = 0;
	while (role < TENSORS && letters[role] != letter)
		role++;
	require(role < TENSORS);
	return role;
}

void epilogue_launch(const NnrConvEpilogue *e, const void *const tensor[TENSORS])
{
	const void *values[TENSORS];
	void *arguments[TENSORS];
	int count = (int)strlen(e->arguments);
	require(count <= TENSORS);
	for (int i = 0; i < count; i++) {
		values[i] = tensor[role_of(e->arguments[i])];
		arguments[i] = &values[i];
	}
	nnr_launch(e->kernel, arguments);
}
