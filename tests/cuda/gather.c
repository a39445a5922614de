/* What the gather of a training step leaves in both slots: batches and their transposed copies, of sizes that no tile divides,
 * on the fake driver, whose device memory can be looked at.
 *
 *     gather FAKE_LIBCUDA */
#include "runtime/core/backend.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/state.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

enum { BATCH = 45, WIDE = 77, HEIGHT = 5, WIDTH = 7, CHANNELS = 3, DOUBLES = 35, BYTES = 13 };
enum { IMAGE = HEIGHT * WIDTH * CHANNELS };
enum {
	IMAGE_AT = 13888, /* behind 45 x 77 reals */
	DOUBLES_AT = 32832,
	BYTES_AT = 45440,
	CLASS_AT = 46080,
	INPUT_BYTES = 46272,
	WIDE_TURNED_AT = 46336,
	IMAGE_TURNED_AT = 60288,
	DOUBLES_TURNED_AT = 79232,
	TURNED_END = 91840,
};

static void no_step(const NnrMemory *m, const NnrScalars *s)
{
	nnr_scores_wait();
}

static const NnrInput inputs[] = {
        {"wide", false, 0, NNR_F32, 2, {BATCH, WIDE}, 0, WIDE_TURNED_AT},
        {"image", false, 0, NNR_F32, 4, {BATCH, HEIGHT, WIDTH, CHANNELS}, IMAGE_AT, IMAGE_TURNED_AT},
        {"doubles", false, 0, NNR_F64, 2, {BATCH, DOUBLES}, DOUBLES_AT, DOUBLES_TURNED_AT},
        {"bytes", false, 0, NNR_U8, 2, {BATCH, BYTES}, BYTES_AT, 0},
        {"kind", true, 10, NNR_I32, 1, {BATCH}, CLASS_AT, 0},
};
static const NnrTensor params[] = {{"weight", NNR_F32, 1, {1}, 0, NNR_UNIFORM, 0.5}};
static const NnrOutput train_outputs[] = {{NNR_LOSS, "loss", NNR_F32, 0, {0}, 0}};
static const NnrOutput evaluate_outputs[] = {{NNR_LOSS, "loss", NNR_F32, 1, {BATCH}, 0}};
static NnrImage images[] = {{"sm_90", (const unsigned char *)"", 0}};
static const NnrCudaModel cuda_model = {.images = images, .image_count = 1, .precision = "fp32"};
static NnrModel model = {
        .abi = NNR_ABI,
        .name = "turned",
        .real = NNR_F32,
        .chunks = 1,
        .batch = BATCH,
        .inputs = inputs,
        .input_count = 5,
        .params = params,
        .param_count = 1,
        .param_bytes = 4,
        .input_bytes = INPUT_BYTES,
        .transposed_bytes = TURNED_END - INPUT_BYTES,
        .train = {256, train_outputs, 1, no_step, false},
        .evaluate = {256, evaluate_outputs, 1, no_step, false},
        .predict = {256, NULL, 0, no_step, false},
        .backend = &nnr_cuda_backend,
        .device = &cuda_model,
        .rate = {.kind = NNR_RATE_CONSTANT, .rate = 0.1},
        .epochs = 3,
        .seed = 11,
};

/* Elements of slot `slot` that are not those of the batch on the host. */
static int wrong_elements(const char *batch, int slot)
{
	const char *got = nnr_cuda.memory.inputs + slot * nnr_cuda.slot_bytes;
	int wrong = 0;
	for (int i = 0; i < model.input_count; i++) {
		const NnrInput *in = &inputs[i];
		size_t size = (size_t)dtype_bytes(in->dtype), each = (size_t)sample_elements(in);
		for (size_t k = 0; k < BATCH * each; k++) {
			const char *wanted = batch + in->offset + k * size;
			size_t turned = k % each * BATCH + k / each;
			wrong += memcmp(got + in->offset + k * size, wanted, size) != 0;
			wrong += in->transposed && memcmp(got + in->transposed + turned * size, wanted, size);
		}
	}
	return wrong;
}

/* After 11 steps, of which an epoch has 6 (with chunks 3): the batch of the last one and the batch of the next. */
static int act(void *context)
{
	enum { STEPS = 11 };
	static _Alignas(64) char batch[INPUT_BYTES];
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
	for (int behind = 0; behind < 2; behind++) {
		int64_t index = STEPS * model.chunks - 1 + behind, epoch = s.steps_per_epoch * model.chunks;
		batch_rows_train(&s, index / epoch, index % epoch, batch);
		wrong += wrong_elements(batch, behind ? nnr_cuda.slot : 1 - nnr_cuda.slot);
	}
	session_free(&s);
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
	for (model.chunks = 1; model.chunks <= 2; model.chunks++)
		for (size_t i = 0; i < (model.chunks == 1 ? 5 : 3); i++) {
			char line[128];
			snprintf(line, sizeof line, "--data synth:random,samples=373 --quiet %s", ways[i]);
			Ended e = run_child(act, line);
			if (!CHECK(e.status == 0))
				printf("  %s, chunks %lld: %s\n", line, (long long)model.chunks, e.said);
		}
	return check_report("cuda, the gather");
}
