/* SPDX-License-Identifier: MIT */
/* What a trainer says on a machine that lacks something, and when a call of the driver fails: each in turn. */
#include "runtime/cuda/plan.h"
#include "tests/cuda/trainer.h"

#include <glob.h>

/* Two copies of 192 bytes beside two batches: of what the plan without them needs, nothing is left. Prediction has
 * none. */
static void check_copies_counted(void)
{
	const char *memory = "FAKE_CUDA_MEMORY=64001188";
	CHECK(ends(true, memory, DATA, 0, ""));
	transposes = true;
	CHECK(ends(true, memory, DATA, 4, "a batch of about 3 would fit"));
	CHECK(ends(true, memory, "bench --inference --quiet --steps 1", 0, ""));
	transposes = false;
}

static void lacks_something(void)
{
	CHECK(ends(true, "NNR_LIBCUDA=/nowhere/libcuda.so.1", DATA, 6, "no CUDA driver"));
	CHECK(ends(true, "NNR_LIBCUDA=libm.so.6", DATA, 6, "has no function cuInit: the driver is too old"));
	CHECK(ends(true, "FAKE_CUDA_DEVICES=0", DATA, 6, "there is a CUDA driver, but no GPU"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=75", DATA, 6,
	           "the Fake GPU has compute capability 7.5, this trainer has code for sm_90, compute_90"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=75", DATA, 6, "need a GPU of compute capability 8.0 or newer"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=86", DATA, 6, "compile with --target=cuda:sm_86"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=100", DATA, 0, ""));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000576", DATA, 4, "a batch of about 2 would fit"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000100", DATA, 4,
	           "64.0 MB of them for the driver, the Fake GPU has"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000100", DATA, 4, "the network is too large for this GPU"));
	CHECK(ends(true, "A=1", DATA " --memory 10", 4, "--memory 10 leaves no room even for one sample"));
	check_copies_counted();
	/* 84 MB of data in 89: an eighth has to stay free, unless --memory says what may be used. */
#define MUCH "--data synth:random,samples=700000 --quiet --steps 3 --no-eval "
	CHECK(ends(true, "FAKE_CUDA_MEMORY=90177536", MUCH, 0, "streamed from the host's memory"));
	Run capped = {MUCH "--memory 86", "", true};
	Ended e = run_child(act, &capped);
	CHECK(e.status == 0 && !strstr(e.said, "streamed"));
	CHECK(ends(false, "", DATA "--deterministic", 2, "`--deterministic` is for CUDA"));
	CHECK(ends(true, "", "bench --inference --stream", 2, "has samples that stay"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64001500", "bench --inference --batch 3000", 4, "`--batch "));
	CHECK(ends(false, "", DATA "--no-graph", 2, "`--no-graph` is for CUDA"));
	CHECK(ends(false, "", DATA "--tune-when before", 2, "`--tune-when` is for CUDA"));
	CHECK(ends(true, "", DATA "--tune-when later", 2, "`--tune-when` is one of auto|before|beside, not"));
	CHECK(ends(true, "", DATA "--tune-wen beside", 2, "--tune-when"));
	CHECK(ends(true, "", DATA "--autotune", 2, "it is called `--tune-when` here"));
	CHECK(ends(true, "", "bench --tune-when beside", 2, "it is for training"));
}

/* Two batches a step: the compiled batch is a chunk, and what is advised for it would be refused for a batch. */
static void advises_of_chunks(void)
{
	model.chunks = 2;
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000576", DATA, 4, "compile with `nnc --set chunk=2`"));
	CHECK(ends(true, "", DATA "--stream", 2, "`--stream` does not go with `chunk`"));
	CHECK(ends(true, "", "--data synth:random,samples=7", 3, "`--set batch=4`"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=90177536", MUCH, 4, "it can't be streamed"));
	model.chunks = 1;
}

static int open_library(void *names)
{
	static const char *const absent[] = {"libnnr_absent.so.9", NULL}, *const wrong[] = {"libm.so.6",
	                                                                                    NULL};
	if (!names)
		library_open(absent, "cuDNN", "cudnn9-cuda-13");
	void *library = library_open(wrong, "cuDNN", "cudnn9-cuda-13");
	library_symbol(library, "cuDNN", "cudnnGetVersion");
	return 0;
}

static void lacks_a_library(void)
{
	Ended e = run_child(open_library, NULL);
	CHECK(e.status == 6 &&
	      strstr(e.said, "this network needs cuDNN, which can't be loaded: libnnr_absent.so.9") &&
	      strstr(e.said, "install cudnn9-cuda-13; it is looked for where the loader looks"));
	e = run_child(open_library, "libm.so.6");
	CHECK(e.status == 6 && strstr(e.said, "cudnnGetVersion"));
}

/* A file under a temporary name, or predictions that are not whole; those that are whole, as where the end of the work
 * fails, are taken away. */
static bool left_unfinished(void)
{
	glob_t found;
	bool left = glob("fail.*.nnc-??????", 0, NULL, &found) == 0;
	globfree(&found);
	if (access("fail.squares.npy", F_OK) == 0)
		left = !same_files("fail.squares.npy", "cpu.squares.npy") || left;
	unlink("fail.squares.npy");
	unlink("fail.distances.npy");
	return left;
}

/* What was saved before the call that failed goes on to what a training without a fault ends with. */
static bool goes_on(void)
{
	Run run = {DATA "--steps 9 --checkpoint fail.st --quiet --resume", "", false};
	return access("fail.st", F_OK) != 0 ||
	       (run_child(act, &run).status == 0 && same_trainings("fail.st", "nine.st"));
}

/* Call k fails, with out of memory or an illegal address, once or from then on: one sentence with its name, and the
 * documented status. false: there is no such call. */
static bool call_fails(const char *line, int k, bool on)
{
	bool memory = (k + on) % 2;
	char settings[128], number[32];
	snprintf(settings, sizeof settings,
	         "FAKE_CUDA_MICROSECONDS=150 FAKE_CUDA_FAIL=%d%s FAKE_CUDA_STATUS=%d", k, on ? "+" : "",
	         memory ? 2 : 700);
	snprintf(number, sizeof number, ", %d)", memory ? 2 : 700);
	Run run = {line, settings, true};
	Ended e = run_child(act, &run);
	bool whole = goes_on();
	unlink("fail.st");
	if (e.status == 0)
		return false;
	CHECK(whole && access("fail.st.lock", F_OK) != 0 && !left_unfinished());
	const char *call = strstr(e.said, "error: cu");
	if (!CHECK(e.status == (memory ? 4 : 6) && call && strstr(call, " failed (") && strstr(call, number)))
		printf("  %s: %d %s\n", settings, e.status, e.said);
	return true;
}

static void calls_fail(const char *line)
{
	int k = 1;
	Run nine = {DATA "--steps 9 --checkpoint nine.st --quiet", "", false};
	if (access("nine.st", F_OK) != 0)
		CHECK(run_child(act, &nine).status == 0);
	while (k < 2000 && call_fails(line, k, false) && call_fails(line, k, true))
		k++;
	if (!CHECK(k > 60 && k < 2000))
		printf("  %s: %d calls\n", line, k);
}

void check_faults(void)
{
	advises_of_chunks();
	lacks_something();
	lacks_a_library();
	calls_fail(DATA "--steps 9 --checkpoint fail.st");
	calls_fail(DATA "--steps 3 --stream");
	calls_fail("eval " DATA "--checkpoint whole.st --no-graph");
	calls_fail("bench --steps 3 --quiet --inference --batch 9");
	calls_fail("predict " DATA "--checkpoint whole.st --out fail.npy");
}
