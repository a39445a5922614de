/* SPDX-License-Identifier: MIT */
/* What the gather of a training step leaves in both slots, and that of evaluation: batches and their transposed copies,
 * of sizes that no tile divides, some with the copy alone, some rounded to tf32, on the fake driver, whose device
 * memory can be looked at.
 *
 *     gather FAKE_LIBCUDA */
#include "runtime/session/backend.h"
#include "runtime/session/dataset.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/state.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <math.h>

enum { HEIGHT = 5, WIDTH = 7, CHANNELS = 3, DOUBLES = 67, BYTES = 13, INPUTS = 6, TURNED = 3, REALS = 4 };

static void no_step(const NnrMemory *m, const NnrScalars *s)
{
	nnr_scores_wait();
}

static NnrInput inputs[INPUTS] = {
        {"wide", false, 0, NNR_F32, 2, {0}, 0, 0, false, true, false, 0, 0},
        {"image", false, 0, NNR_F32, 4, {0, HEIGHT, WIDTH, CHANNELS}, 0, 0, false, false, false, 0, 0},
        {"doubles", false, 0, NNR_F64, 2, {0, DOUBLES}, 0, 0, false, false, false, 0, 0},
        {"bytes", false, 0, NNR_U8, 2, {0, BYTES}, 0, 0, false, false, false, 0, 0},
        {"reals", false, 0, NNR_F32, 2, {0}, 0, 0, false, true, true, 0, 0},
        {"kind", true, 10, NNR_I32, 1, {0}, 0, 0, false, false, false, 0, 0},
};
static const NnrTensor params[] = {{"weight", NNR_F32, 1, {1}, 0, NNR_UNIFORM, 0.5, 0, false, false, -1}};
static const NnrOutput train_outputs[] = {{NNR_LOSS, "loss", NNR_F32, 0, {0}, 0}};
static NnrOutput evaluate_outputs[] = {{NNR_LOSS, "loss", NNR_F32, 1, {0}, 0}};
static NnrImage images[] = {{"sm_90", (const unsigned char *)"", 0}};
static const NnrCudaModel cuda_model = {.images = images, .image_count = 1, .precision = "fp32"};
static NnrModel model = {
        .abi = NNR_ABI,
        .name = "turned",
        .real = NNR_F32,
        .chunks = 1,
        .inputs = inputs,
        .input_count = INPUTS,
        .params = params,
        .param_count = 1,
        .param_bytes = 4,
        .train = {.arena_bytes = 256, .outputs = train_outputs, .output_count = 1, .run = no_step},
        .evaluate = {.arena_bytes = 512, .outputs = evaluate_outputs, .output_count = 1, .run = no_step},
        .predict = {.arena_bytes = 256, .run = no_step},
        .backend = &nnr_cuda_backend,
        .device = &cuda_model,
        .rate = {.kind = NNR_RATE_CONSTANT, .rate = 0.1},
        .epochs = 3,
        .seed = 11,
};

/* Batches of so many samples, the first input having `wide` elements and `reals` an eleventh: each input from a
 * multiple of 64 bytes on, and after all of them the copies of the first three. */
static void lay_out(int batch, int wide)
{
	int64_t at = 0;
	inputs[0].dim[1] = wide;
	inputs[REALS].dim[1] = wide / 11;
	inputs[1].transposed_alone = batch % 2;
	evaluate_outputs[0].dim[0] = model.batch = batch;
	for (int turned = 0; turned < 2; turned++) {
		for (int i = 0; i < (turned ? TURNED : INPUTS); i++) {
			inputs[i].dim[0] = batch;
			*(turned ? &inputs[i].transposed : &inputs[i].offset) = at;
			at += (batch * sample_bytes(&inputs[i]) + 63) / 64 * 64;
		}
		*(turned ? &model.transposed_bytes : &model.input_bytes) =
		        turned ? at - model.input_bytes : at;
	}
}

/* To 11 binary digits, where `part` of the work rounds the input. */
typedef enum { TRAINING, EVALUATION } Part;

static void round_element(const NnrInput *in, Part part, char *element)
{
	float x;
	int exponent;
	if (!(part == TRAINING ? in->rounded_in_training : in->rounded_in_evaluation))
		return;
	memcpy(&x, element, sizeof x);
	float fraction = frexpf(x, &exponent);
	x = ldexpf(roundf(ldexpf(fraction, 11)), exponent - 11);
	memcpy(element, &x, sizeof x);
}

/* Elements of slot `slot` that are not those of the batch on the host. */
static int wrong_elements(const char *batch, Part part, int slot)
{
	const char *got = nnr_cuda.memory.inputs + slot * nnr_cuda.slot_bytes;
	int wrong = 0;
	for (int i = 0; i < model.input_count; i++) {
		const NnrInput *in = &inputs[i];
		size_t size = (size_t)dtype_bytes(in->dtype), each = (size_t)sample_elements(in);
		for (size_t k = 0; k < (size_t)model.batch * each; k++) {
			char wanted[8];
			memcpy(wanted, batch + in->offset + k * size, size);
			round_element(in, part, wanted);
			size_t turned = k % each * (size_t)model.batch + k / each;
			bool there = part == EVALUATION || !in->transposed_alone;
			wrong += there && memcmp(got + in->offset + k * size, wanted, size) != 0;
			wrong += part == TRAINING && in->transposed &&
			         memcmp(got + in->transposed + turned * size, wanted, size);
		}
	}
	return wrong;
}

/* Elements of the batch of the last step that the host gets otherwise. */
static int wrong_on_host(Session *s, const char *batch)
{
	int wrong = 0;
	s->backend->download(s, true);
	for (int i = 0; i < model.input_count; i++) {
		const NnrInput *in = &inputs[i];
		size_t size = (size_t)dtype_bytes(in->dtype),
		       count = (size_t)model.batch * (size_t)sample_elements(in);
		for (size_t k = 0; k < count; k++) {
			char wanted[8];
			memcpy(wanted, batch + in->offset + k * size, size);
			round_element(in, TRAINING, wanted);
			wrong += memcmp(s->memory.inputs + in->offset + k * size, wanted, size) != 0;
		}
	}
	return wrong;
}

/* After 11 steps, of which an epoch has 6 (with chunks 3): the batch of the last one and the batch of the next. Then
 * the first batch of an evaluation. */
static int act(void *context)
{
	enum { STEPS = 11 };
	char *batch = aligned_alloc(64, (size_t)model.input_bytes);
	char *argv[8], words[128];
	int argc = 0, wrong = 0;
	snprintf(words, sizeof words, "turned %s", (const char *)context);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	Session s = {.model = &model, .seed = model.seed, .rate = model.rate, .total_steps = 100};
	session_check_model(&model);
	options_parse(&s.options, &model, argc, argv);
	session_prepare(&s);
	s.data = data_load(&s.options, &model, s.seed, false);
	s.steps_per_epoch = s.data.train.count / step_samples(&model);
	session_init_weights(&s);
	s.backend->load(&s);
	s.backend->time(&s, STEPS, false);
	for (int next = 0; next < 2; next++) {
		int64_t index = STEPS * model.chunks - 1 + next, epoch = s.steps_per_epoch * model.chunks;
		batch_rows_train(&s, index / epoch, index % epoch * model.batch, model.batch, batch);
		wrong += wrong_elements(batch, TRAINING, next ? nnr_cuda.slot : 1 - nnr_cuda.slot);
		wrong += next ? 0 : wrong_on_host(&s, batch);
	}
	double sums[1 + MAX_METRICS] = {0};
	const int slot = nnr_cuda.streams ? nnr_cuda.slot : 0;
	s.backend->evaluate(&s, 0, 1, sums);
	batch_rows_held_out(&s, 0, batch);
	wrong += wrong_elements(batch, EVALUATION, slot);
	session_free(&s);
	free(batch);
	if (wrong)
		printf("%d elements are wrong\n", wrong);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	static char path[4096];
	static const char *const ways[] = {"", "--no-graph", "--no-shuffle", "--stream",
	                                   "--stream --no-graph"};
	if (argc != 2 || !realpath(argv[1], path))
		return 2;
	setenv("NNR_LIBCUDA", path, true);
	child_folder_make();
	for (int size = 0; size < 2; size++) {
		lay_out(size ? 76 : 69,
		        size ? 140 : 131); /* multiples of 4, for accesses of 16 bytes, and others */
		for (model.chunks = 1; model.chunks <= 2; model.chunks++)
			for (size_t i = 0; i < (model.chunks == 1 ? 5 : 3); i += size ? 3 : 1) {
				char line[128];
				snprintf(line, sizeof line, "--data synth:random,samples=570 --quiet %s",
				         ways[i]);
				Ended e = run_child(act, line);
				if (!CHECK(e.status == 0))
					printf("  %s, batch %lld, chunks %lld: %s\n", line,
					       (long long)model.batch, (long long)model.chunks, e.said);
			}
	}
	return check_report("cuda, the gather");
}
