/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/epilogue.h"
#include "runtime/host/die.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	bool slopes; /* it has a slope */
} activations[] = {
        [NNR_IDENTITY] = {NULL, false},
        [NNR_RELU] = {"relu", false},
        [NNR_LEAKY_RELU] = {"leaky_relu", true},
        [NNR_SIGMOID] = {"sigmoid", false},
        [NNR_TANH] = {"tanh", false},
        [NNR_GELU] = {"gelu", false},
        [NNR_SILU] = {"silu", false},
        [NNR_SOFTPLUS] = {"softplus", false},
        [NNR_ELU] = {"elu", true},
        [NNR_GELU_TANH] = {"gelu_tanh", false},
};

bool epilogue_has(const NnrEpilogue *e, char letter)
{
	return strchr(e->arguments, letter);
}

bool epilogue_activates(const NnrEpilogue *e)
{
	return e && e->activation != NNR_IDENTITY;
}

void epilogue_text(const NnrEpilogue *e, char text[EPILOGUE_TEXT])
{
	char slope[24] = "";
	const char *name = activations[e->activation].name;
	if (activations[e->activation].slopes)
		snprintf(slope, sizeof slope, " %.7g", (double)e->slope);
	static const char *const beside[] = {[NNR_NOTHING] = "",
	                                     [NNR_KEPT] = ", kept",
	                                     [NNR_SLOPE] = " * slope of gelu_tanh",
	                                     [NNR_SUMS_OF_A] = " + sums of a",
	                                     [NNR_SUMS_OF_B] = " + sums of b"};
	int written = snprintf(text, EPILOGUE_TEXT, "%s%s%s%s%s%s", epilogue_has(e, 'r') ? " + residual" : "",
	                       !epilogue_has(e, 'b') ? ""
	                       : e->narrow_bias      ? " + narrow bias"
	                                             : " + bias",
	                       name ? " + " : "", name ? name : "", slope, beside[e->beside]);
	if (e->row_sums)
		snprintf(text + written, (size_t)(EPILOGUE_TEXT - written), " + row sums %lld",
		         (long long)e->row_sums);
}

void epilogue_launch(const NnrEpilogue *e, const EpilogueTensors *t)
{
	const struct {
		char letter;
		const void *const *tensor;
	} all[] = {{'y', &t->y},       {'b', &t->bias},     {'r', &t->residual},
	           {'w', &t->weight},  {'t', &t->row_sums}, {'s', &t->sum},
	           {'p', &t->partial}, {'k', &t->kept},     {'x', &t->operand}};
	enum { ALL = sizeof all / sizeof *all };
	void *arguments[ALL];
	int count = (int)strlen(e->arguments);
	require(count <= ALL);
	for (int i = 0; i < count; i++) {
		int at = 0;
		while (at < ALL && all[at].letter != e->arguments[i])
			at++;
		require(at < ALL);
		arguments[i] = (void *)(uintptr_t)all[at].tensor;
	}
	nnr_launch(e->kernel, arguments);
}
