/* SPDX-License-Identifier: MIT */
#include "tests/cuda/line_model.h"
#include "runtime/ranks/nnr_ranks.h"

#include <string.h>

bool transposes, scores, fetches, shared, narrow, sharded;
int branches;

enum { SHARE = 3 }; /* of the first rank; the second has what is left */

/* Of the gradient, after its 16 bits. */
static char *share_of(const NnrMemory *m)
{
	return m->arena + LINE_MEAN_AT + 4 + 2 * LINE_WEIGHTS;
}

/* 16 bits of the gradient, after all else. */
static uint16_t *wire_of(const NnrMemory *m)
{
	return (uint16_t *)(void *)(m->arena + LINE_MEAN_AT + 4);
}

static void cpu_train(const NnrMemory *m, const NnrScalars *s)
{
	if (shared) {
		line_gradient(floats(m->params), m->inputs, m->arena, s, false);
		char *g = m->arena + LINE_GRADIENT_AT, *mean = m->arena + LINE_MEAN_AT;
		nnr_rank_mean(g + 4, mean, NNR_F32, 1);
		if (narrow)
			nnr_all_reduce_bf16(floats(g), wire_of(m), LINE_WEIGHTS);
		else if (sharded)
			nnr_reduce_scatter(g, NNR_F32, 0, LINE_WEIGHTS, SHARE);
		else
			nnr_all_reduce(g, NNR_F32, LINE_WEIGHTS);
		if (sharded) {
			nnr_rank_share(g, share_of(m), NNR_F32, LINE_WEIGHTS, SHARE);
			nnr_rank_gather(share_of(m), g, NNR_F32, LINE_WEIGHTS, SHARE);
		}
		memcpy(g + 4, mean, 4);
		line_update(floats(m->params), floats(m->state), m->arena, s);
		return;
	}
	line_train(floats(m->params), floats(m->state), m->inputs, m->arena, s, false);
}

static void cpu_evaluate(const NnrMemory *m, const NnrScalars *s)
{
	line_evaluate(floats(m->params), m->inputs, m->arena);
}

/* The CPU evaluates on the weights themselves: what is prepared too rarely differs. */
static void cuda_weights(const NnrMemory *m, const NnrScalars *s)
{
	static NnrDivisor weights = {NNR_DIVISOR(LINE_WEIGHTS)};
	static void *sizes[] = {&weights, NULL};
	static NnrKernel kernel = {.name = "line_prepare_weights",
	                           .blocks = 1,
	                           .threads = 32,
	                           .overlaps = true,
	                           .arguments = 2,
	                           .sizes = sizes};
	nnr_launch(&kernel, (void *[]){(void *)&m->params, (void *)&m->state});
}

static void reduce(const NnrMemory *m, int number, int first, int count, int branch)
{
	float *g = floats(m->arena + LINE_GRADIENT_AT) + first;
	if (narrow && sharded)
		nnr_bucket_scatter_bf16(number, g, wire_of(m) + first, count, first, SHARE, branch);
	else if (sharded)
		nnr_bucket_scatter(number, g, NNR_F32, count, first, SHARE, branch);
	else if (narrow)
		nnr_bucket_reduce_bf16(number, g, wire_of(m) + first, count, branch);
	else
		nnr_bucket_reduce(number, g, NNR_F32, count, branch);
}

/* One element that the chain waits for, and two buckets, the second after a branch. */
static void cuda_train_shared(const NnrMemory *m, const NnrScalars *s)
{
	static NnrKernel gradient = {.name = "line_gradient_step",
	                             .blocks = 1,
	                             .threads = 32,
	                             .overlaps = true},
	                 update = {.name = "line_update_step", .blocks = 1, .threads = 32, .overlaps = true};
	char *g = m->arena + LINE_GRADIENT_AT, *mean = m->arena + LINE_MEAN_AT;
	nnr_scores_wait();
	nnr_step(1, "line.net:2  the gradient");
	nnr_launch(&gradient, (void *[]){(void *)&m->params, (void *)&m->inputs, (void *)&m->arena, &s,
	                                 &(int){transposes}});
	nnr_step(2, "line.net:3  the mean of half of it");
	reduce(m, 0, 2, LINE_WEIGHTS - 2, -1);
	nnr_means_begin();
	nnr_mean(g + 4, mean, NNR_F32, 1);
	nnr_means_end();
	nnr_copy(g + 4, mean, 4);
	nnr_branch_begin();
	cuda_weights(m, s);
	nnr_branch_end(0);
	reduce(m, 1, 0, 1, 0);
	nnr_branch_wait(0);
	nnr_bucket_wait(1);
	if (sharded) {
		nnr_share(m->arena + LINE_GRADIENT_AT, share_of(m), NNR_F32, LINE_WEIGHTS, SHARE);
		nnr_gather(share_of(m), m->arena + LINE_GRADIENT_AT, NNR_F32, LINE_WEIGHTS, SHARE);
	}
	nnr_step(3, "line.net:3  the weights");
	nnr_launch(&update, (void *[]){(void *)&m->params, (void *)&m->state, (void *)&m->arena, &s});
}

static void cuda_train(const NnrMemory *m, const NnrScalars *s)
{
	if (shared) {
		cuda_train_shared(m, s);
		return;
	}
	static NnrKernel kernel = {.name = "line_train_step", .blocks = 1, .threads = 32, .overlaps = true};
	nnr_scores_wait();
	nnr_step(1, "line.net:2  the step");
	nnr_launch(&kernel, (void *[]){(void *)&m->params, (void *)&m->state, (void *)&m->inputs,
	                               (void *)&m->arena, &s, &(int){transposes}});
	if (branches) {
		nnr_branch_begin();
		nnr_step(2, "line.net:3  the weights");
		cuda_weights(m, s);
		nnr_branch_end(branches - 1);
		nnr_branch_wait(branches - 1);
	} else if (fetches) {
		nnr_step(2, "line.net:3  the weights");
		cuda_weights(m, s);
	}
}

static void cuda_evaluate(const NnrMemory *m, const NnrScalars *s)
{
	static NnrKernel kernel = {.name = "line_evaluate_batch", .blocks = 1, .threads = 32};
	nnr_launch(&kernel, (void *[]){(void *)&m->state, (void *)&m->inputs, (void *)&m->arena});
}

NnrInput inputs[5] = {
        {.name = "image",
         .dtype = NNR_U8,
         .rank = 4,
         .dim = {LINE_BATCH, LINE_HEIGHT, LINE_WIDTH, LINE_CHANNELS}},
        {.name = "reals",
         .dtype = NNR_F32,
         .rank = 2,
         .dim = {LINE_BATCH, LINE_REALS},
         .offset = LINE_REALS_AT},
        {.name = "kind",
         .is_target = true,
         .classes = 10,
         .dtype = NNR_I32,
         .rank = 1,
         .dim = {LINE_BATCH},
         .offset = LINE_CLASS_AT},
        /* of mixtures, where the model has them */
        {.name = "kind.partner",
         .partner_of = 2,
         .dtype = NNR_I32,
         .rank = 1,
         .dim = {LINE_BATCH},
         .offset = LINE_CLASS_AT + 4 * LINE_BATCH},
        {.name = "mixture.share",
         .partner_of = -1,
         .dtype = NNR_F32,
         .rank = 1,
         .dim = {LINE_BATCH},
         .offset = LINE_CLASS_AT + 8 * LINE_BATCH},
};
static const NnrTensor params[] = {
        {"line.weight", NNR_F32, 1, {LINE_WEIGHTS}, 0, NNR_UNIFORM, 0.5, 0, false, false, -1}};
static const NnrTensor states[] = {
        {"sgd.momentum", NNR_F32, 1, {LINE_WEIGHTS}, 0, NNR_CONSTANT, 0, 0, false, true, 0},
        {"line.losses", NNR_F32, 1, {1}, 4 * LINE_WEIGHTS, NNR_CONSTANT, 0, 0, false, false, -1},
};
static const NnrOutput train_outputs[] = {
        {NNR_LOSS, "loss", NNR_F32, 0, {0}, 0},
        {NNR_METRIC, "error", NNR_F32, 0, {0}, 4},
        {NNR_GRADIENT, "line.weight", NNR_F32, 1, {LINE_WEIGHTS}, LINE_GRADIENT_AT},
};
static const NnrOutput evaluate_outputs[] = {
        {NNR_LOSS, "loss", NNR_F32, 1, {LINE_BATCH}, 8},
        {NNR_METRIC, "error", NNR_F32, 1, {LINE_BATCH}, 8 + 4 * LINE_BATCH},
        {NNR_VALUE, "scores", NNR_F32, 2, {LINE_BATCH, 2}, 8},
};
static const NnrOutput predict_outputs[] = {
        {NNR_VALUE, "squares", NNR_F32, 1, {LINE_BATCH}, 8},
        {NNR_VALUE, "distances", NNR_F32, 1, {LINE_BATCH}, 8 + 4 * LINE_BATCH},
        {NNR_VALUE, "scores", NNR_F32, 2, {LINE_BATCH, 2}, 8},
};
NnrImage images[2] = {{"sm_90", (const unsigned char *)"", 0}, {"compute_90", (const unsigned char *)"", 0}};
static const NnrCudaModel cuda_model = {.images = images, .image_count = 2, .precision = "fp32"};
static const char *const lines[] = {"model line {", "    y = x -> dense(1)", "    loss mse(y, \"z\")", "}"};
static const NnrSource sources[] = {{"line.net", lines, 4}};
static const NnrPlace places[] = {{0, 2, -1, ""}, {0, 3, -1, ""}};
static const NnrStep steps[] = {
        {"line_train_step", "x w", NULL, NNR_PHASE_FORWARD, false, 24, 96, 3,
         (const NnrShare[]){{0, NNR_PHASE_FORWARD, 1}, {1, NNR_PHASE_LOSS, 1}, {0, NNR_PHASE_BACKWARD, 1}}},
        {"line_prepare_weights", "w", NULL, NNR_PHASE_UPDATE, false, 8, 32, 1,
         (const NnrShare[]){{0, NNR_PHASE_UPDATE, 1}}},
};
NnrModel model = {
        .abi = NNR_ABI,
        .name = "line",
        .source = "line.net",
        .version = "test",
        .recipe = "optimizer sgd",
        .real = NNR_F32,
        .chunks = 1,
        .batch = LINE_BATCH,
        .inputs = inputs,
        .input_count = 3,
        .params = params,
        .param_count = 1,
        .states = states,
        .state_count = 2,
        .param_bytes = 4 * LINE_WEIGHTS,
        .state_bytes = 4 * (LINE_STATES + LINE_WEIGHTS),
        .input_bytes = LINE_INPUT_BYTES,
        .places = places,
        .place_count = 2,
        .sources = sources,
        .source_count = 1,
        .augment = {.flip = true, .crop = 1},
        .rate = {.kind = NNR_RATE_COSINE, .rate = 0.05, .warmup = 3},
        .epochs = 3,
        .seed = 9,
};

void line_model_for(bool cuda)
{
	int64_t arena = LINE_MEAN_AT + 4 + 2 * LINE_WEIGHTS + 4 * SHARE;
	model.ranks = shared ? 2 : 0;
	model.train = (NnrProgram){.arena_bytes = arena,
	                           .outputs = train_outputs,
	                           .output_count = 3,
	                           .run = cuda ? cuda_train : cpu_train,
	                           .steps = steps,
	                           .step_count = branches || fetches ? 2 : 1,
	                           .fetches = fetches};
	model.evaluate = (NnrProgram){.arena_bytes = arena,
	                              .outputs = evaluate_outputs,
	                              .output_count = scores ? 3 : 2,
	                              .run = cuda ? cuda_evaluate : cpu_evaluate};
	model.predict = (NnrProgram){.arena_bytes = arena,
	                             .outputs = predict_outputs,
	                             .output_count = scores ? 3 : 2,
	                             .run = cuda ? cuda_evaluate : cpu_evaluate};
	model.scored = scores ? (NnrScored){.output = "scores", .target = "kind"} : (NnrScored){0};
	inputs[2].classes = scores ? 2 : 10;
	model.prepare = (NnrProgram){.run = cuda ? cuda_weights : NULL};
	inputs[1].transposed = cuda && transposes ? LINE_TRANSPOSED_AT : 0;
	model.transposed_bytes = inputs[1].transposed ? LINE_TRANSPOSED_BYTES : 0;
	model.backend = cuda ? &nnr_cuda_backend : NULL;
	model.device = cuda ? &cuda_model : NULL;
}
