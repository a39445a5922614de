/* SPDX-License-Identifier: MIT */
/* The library form on the GPU: instances compute what those of the CPU do, bit for bit, beside one another; whatever
 * call of the driver fails, the process goes on, with a text. */
#include "runtime/library/nnr_library.h"
#include "tests/cuda/trainer.h"

enum { INSTANCES = 2, STEPS = 2, ASKED = 11, CHUNKS = 2 };

typedef struct Samples {
	uint8_t image[CHUNKS * ASKED][LINE_IMAGE];
	float reals[CHUNKS * ASKED][LINE_REALS];
	int32_t kind[CHUNKS * ASKED];
} Samples;

static void draw(Samples *x, uint64_t seed)
{
	uint8_t *image = &x->image[0][0];
	float *reals = &x->reals[0][0];
	for (size_t i = 0; i < sizeof x->image; i++)
		image[i] = (uint8_t)(i * 31 + seed * 7 + i / 13);
	for (size_t i = 0; i < sizeof x->reals / sizeof *reals; i++)
		reals[i] = (float)((i * 17 + seed) % 101) / 101;
	for (int i = 0; i < CHUNKS * ASKED; i++)
		x->kind[i] = (int32_t)((uint64_t)i * 3 + seed) % 10;
}

typedef struct Ask {
	bool cuda;
	const char *settings;
} Ask;

/* Two instances in turns: scores and predictions to `to`, a checkpoint of each to to0.st and to1.st. NULL, or why
 * not. */
static const char *use(const char *to)
{
	NnrInstance *made[INSTANCES] = {NULL};
	static Samples x;
	const char *error = NULL;
	char name[64];
	FILE *f = fopen(to, "wb");
	for (int i = 0; i < INSTANCES && !error; i++)
		error = nnr_create(&model, (uint64_t)i + 1, &made[i]);
	for (int k = 0; k < INSTANCES * STEPS && !error; k++) {
		double means[2] = {0};
		float squares[ASKED], distances[ASKED];
		NnrInstance *of = made[k % INSTANCES];
		draw(&x, (uint64_t)k);
		const void *inputs_of[] = {x.image, x.reals, x.kind};
		error = nnr_train_step(of, inputs_of, 0.05, (double *const[]){&means[0], &means[1]});
		if (!error)
			error = nnr_forward(of, ASKED, inputs_of, (void *const[]){squares, distances});
		fwrite(means, sizeof means, 1, f);
		if (!error) {
			fwrite(squares, sizeof squares, 1, f);
			fwrite(distances, sizeof distances, 1, f);
		}
	}
	for (int i = 0; i < INSTANCES && !error; i++) {
		snprintf(name, sizeof name, "%s%d.st", to, i);
		error = nnr_save(made[i], name);
	}
	for (int i = 0; i < INSTANCES && !error; i++)
		error = nnr_load(made[i], name); /* the last one's, by both */
	fclose(f);
	static char kept[2048];
	if (error)
		snprintf(kept, sizeof kept, "%s", error);
	for (int i = 0; i < INSTANCES; i++)
		nnr_free(made[i]);
	return error ? kept : NULL;
}

/* For a child: status 0, or 1 and the text of the first time; a second time, which nothing disturbs, is whole. */
static int use_in_child(void *context)
{
	const Ask *ask = context;
	char *argv[MOST_WORDS];
	Run run = {"", ask->settings, ask->cuda};
	prepare(&run, argv);
	const char *error = use(ask->cuda ? "gpu" : "cpu");
	if (!error)
		return 0;
	puts(error);
	return use("gpu") ? 2 : 1;
}

static void same_as_the_cpu(void)
{
	Ask cpu = {false, ""}, gpu = {true, ""};
	CHECK(run_child(use_in_child, &cpu).status == 0);
	Ended e = run_child(use_in_child, &gpu);
	CHECK(e.status == 0 && !*e.said && same_files("cpu", "gpu"));
	CHECK(same_trainings("cpu0.st", "gpu0.st") && same_trainings("cpu1.st", "gpu1.st"));
	CHECK(!same_trainings("gpu0.st", "gpu1.st"));
}

static bool call_fails(int k)
{
	char settings[64];
	snprintf(settings, sizeof settings, "FAKE_CUDA_FAIL=%d", k);
	Ask ask = {true, settings};
	Ended e = run_child(use_in_child, &ask);
	if (e.status == 0 && !*e.said)
		return false;
	bool right = CHECK(e.status == 1 && strstr(e.said, " failed (") && same_files("cpu", "gpu"));
	if (!right)
		printf("  call %d: %d %s\n", k, e.status, e.said);
	return right;
}

void check_library(void)
{
	same_as_the_cpu();
	transposes = true;
	same_as_the_cpu();
	transposes = false;
	model.chunks = CHUNKS;
	same_as_the_cpu();
	model.chunks = 1;
	if (!fake)
		return;
	same_as_the_cpu();
	Ask none = {true, "FAKE_CUDA_DEVICES=0"};
	Ended e = run_child(use_in_child, &none);
	CHECK(e.status == 2 && strstr(e.said, "no GPU"));
	int k = 1;
	while (k < 2000 && call_fails(k))
		k++;
	CHECK(k > 60 && k < 2000);
}
