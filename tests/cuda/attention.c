/* SPDX-License-Identifier: MIT */
/* Attention on a fake driver and a fake cuDNN: the faster of our kernel and cuDNN's plans is chosen and recorded, what
 * computes something else is not, and what cuDNN can't compute the kernel does.
 *
 *     attention FAKE_LIBCUDA FAKE_LIBCUDNN */
#include "runtime/host/die.h"
#include "runtime/cuda/plan.h"
#include "runtime/cuda/state.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <dlfcn.h>

enum { SAMPLES = 2, PLACES = 4, HEADS = 2, SIZE = 8, ROWS = SAMPLES * PLACES * HEADS, Y = ROWS * SIZE };
/* Exit statuses: 10 and the form of the plan; or what went wrong. */
enum { DIRECT = 10, WHOLE = 11, PLAIN = 15, NONE = 20, WRONG = 30 };

static const NnrAttentionShape shape = {.batch = SAMPLES,
                                        .queries = PLACES,
                                        .keys = PLACES,
                                        .heads = HEADS,
                                        .size = SIZE,
                                        .query_row = 3 * HEADS * SIZE,
                                        .key_row = 3 * HEADS * SIZE,
                                        .keys_at = HEADS * SIZE,
                                        .values_at = 2 * HEADS * SIZE,
                                        .causal = true,
                                        .scale = 0.5f,
                                        .dtype = NNR_BF16};

static const char *lacking; /* a function that the library does not have */

void *__real_dlsym(void *, const char *);
void *__wrap_dlsym(void *, const char *);

void *__wrap_dlsym(void *library, const char *name)
{
	return lacking && strcmp(name, lacking) == 0 ? NULL : __real_dlsym(library, name);
}

typedef struct Case {
	bool grad, deterministic, shifted, masked;
	const char *tune; /* the record's file */
} Case;

static uint16_t *halves(int64_t count)
{
	uint16_t *m = aligned_alloc(256, (size_t)(2 * count + 511) / 256 * 256);
	for (int64_t i = 0; i < count; i++)
		m[i] = (uint16_t)(0x3f00 + i % 64); /* 0.5 to 0.75 */
	return m;
}

static float *singles(int64_t count)
{
	float *m = aligned_alloc(256, (size_t)(4 * count + 255) / 256 * 256);
	for (int64_t i = 0; i < count; i++)
		m[i] = 0.5f;
	return m;
}

/* Twice; the exit status says what was chosen, or that a result is wrong. */
static int attend(void *context)
{
	static const NnrCudaModel device = {.precision = "bf16"};
	static const NnrModel model = {.device = &device};
	const Case *c = context;
	NnrKernel kernel = {
	        .name = c->grad ? "attention_grad" : "attention_forward", .blocks = 1, .threads = 1};
	NnrAttentionShape s = shape;
	s.arguments = c->grad ? c->masked ? "xydltgm" : "xydltg" : c->masked ? "xylm" : "xyl";
	s.mask_sample = c->masked ? PLACES : 0;
	uint16_t *x = halves(3 * Y) + c->shifted, *y = halves(Y), *dy = halves(Y), *dx = halves(3 * Y);
	float *logs = singles(ROWS), *taken = singles(ROWS), *mask = singles(SAMPLES * PLACES);
	void *const forward[] = {&x, &y, &logs, &mask}, *const grad[] = {&x,     &y,  &dy,  &logs,
	                                                                 &taken, &dx, &mask};
	uint16_t *result = c->grad ? dx : y;
	NnrPlan *plan = NULL;
	setenv("NNR_TUNE", c->tune, true);
	nnr_cuda_load_driver();
	cuda_open_streams();
	nnr_cuda.model = &model;
	nnr_cuda.deterministic = c->deterministic;
	nnr_cuda.modules[nnr_cuda.module_count++] = (CUmodule) ""; /* with all kernels */
	for (int turn = 0; turn < 2; turn++) {
		memset(result, 0, 2 * Y);
		nnr_cudnn_attention(&plan, &s, &kernel, c->grad ? grad : forward);
		for (int i = 0; i < (c->grad ? 3 : 1) * Y; i++)
			if (result[i] != 0x3f80)
				return WRONG + turn;
		setenv("FAKE_CUDNN_LOG", "ran", true); /* the second turn alone */
	}
	nnr_cuda_tuning_done();
	return plan ? DIRECT + (int)tune_setting(plan->entry, "form", -1) : NONE;
}

/* Whether that is chosen, and what cuDNN was given then; NULL: it was not called. */
static bool chooses(int wanted, Case c, const char *given)
{
	char text[512] = "";
	Ended e = run_child(attend, &c);
	read_whole("ran", text, sizeof text);
	unlink("ran");
	bool ok = e.status == wanted && strcmp(text, given) == 0;
	if (!ok)
		printf("  ended with %d, given `%s`: %s\n", e.status, text, e.said);
	return ok;
}

static void take(const char *kernel_us, const char *library_us)
{
	setenv("FAKE_KERNEL_MICROSECONDS", kernel_us, true);
	setenv("FAKE_ATTENTION_MICROSECONDS", library_us, true);
}

int main(int argc, char **argv)
{
	static const char forward[] = "q0 k32 v64 o a b l\n",
	                  summed[] = "q0 k32 v64 o a b l e0 f32 g64 d c t p\n",
	                  kept[] = "q0 k32 v64 o a b l e0 f32 g64 d c t\n";
	static char driver[4096];
	if (argc != 3 || !realpath(argv[1], driver))
		return 2;
	/* by its soname, it is then the library that is found */
	if (!dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL))
		die(STATUS_DEVICE, "%s", dlerror());
	setenv("NNR_LIBCUDA", driver, true);
	child_folder_make();
	take("5000", "2000");
	CHECK(chooses(DIRECT, (Case){.tune = "faster.tune"}, forward));
	CHECK(chooses(DIRECT, (Case){.tune = "faster.tune", .grad = true}, summed));
	CHECK(chooses(WHOLE, (Case){.tune = "equal.tune", .grad = true, .deterministic = true}, kept));
	CHECK(chooses(DIRECT, (Case){.tune = "faster.tune", .masked = true}, "q0 k32 v64 o a b l m\n"));
	CHECK(chooses(DIRECT, (Case){.tune = "faster.tune", .masked = true, .grad = true},
	              "q0 k32 v64 o a b l m e0 f32 g64 d c t p\n"));
	/* what does not begin at a multiple of 16 bytes has no plan, nor has a version that computes something else */
	CHECK(chooses(NONE, (Case){.tune = "faster.tune", .shifted = true}, ""));
	setenv("FAKE_CUDNN_VERSION", "91001", true);
	CHECK(chooses(NONE, (Case){.tune = "version.tune"}, ""));
	unsetenv("FAKE_CUDNN_VERSION");
	lacking = "cudnnBackendExecute";
	CHECK(chooses(NONE, (Case){.tune = "lacking.tune"}, ""));
	lacking = NULL;
	take("2000", "5000");
	CHECK(chooses(DIRECT, (Case){.tune = "faster.tune"}, forward)); /* from the record */
	CHECK(chooses(DIRECT, (Case){.tune = "faster.tune", .grad = true}, summed));
	CHECK(chooses(PLAIN, (Case){.tune = "slower.tune"}, ""));
	CHECK(chooses(PLAIN, (Case){.tune = "slower.tune", .grad = true}, ""));
	take("5000", "2000");
	CHECK(chooses(PLAIN, (Case){.tune = "slower.tune"}, "")); /* from the record */
	return check_report("cuda, attention by cuDNN");
}
