/* SPDX-License-Identifier: MIT */
/* Library plans without a GPU: a network of convolutions and products on the fake driver and the fake libraries. The
 * plans found are the fastest that are right, in every run of them, captured or not; what a short budget leaves out is
 * in the record as partial, and the next start goes on there.
 *
 *     plans FAKE_LIBCUDA FAKE_LIBCUDNN FAKE_LIBCUBLASLT [--every N]
 *
 * Of the calls that fail the first 15 are tried and each N-th after; 1: all of them. */
#include "base/processors.h"
#include "runtime/session/backend.h"
#include "runtime/session/dataset.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"
#include "runtime/cuda/plan.h"
#include "runtime/cuda/state.h"
#include "tests/cuda/fake_work.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"
#include "tests/unit/signal.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>

enum { X = 4 * 8 * 8 * 16, W = 16 * 3 * 3 * 16, SMALL = 2 * 4 * 4 * 8, Y = 32 * 16, BATCH = 2 };

/* In the arena: floats after the loss. The weight gradient of the large convolution is after that of one number. */
enum {
	SCORES = 16,
	AT_Y = SCORES,
	AT_Y2 = AT_Y + X,
	AT_DX = AT_Y2 + X,
	AT_DW = AT_DX + X + 1,
	AT_SMALL = AT_DW + W + 3,
	AT_PRODUCT = AT_SMALL + SMALL,
	AT_RELU = AT_PRODUCT + Y,
	AT_X = AT_RELU + X,
	AT_SHARED = AT_X + X,
	ARENA = AT_SHARED + SMALL
};

static void run(const NnrMemory *m, const NnrScalars *s)
{
	static const NnrConvShape big = {4,      16,     16,           1,      {8, 8}, {8, 8},
	                                 {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, {0}};
	static const NnrConvShape small = {2, 8, 8, 1, {2, 8}, {2, 8}, {1, 1}, {1, 1}, {0}, {1, 1}, {0}};
	static const NnrProductShape product = {.batch = 1, .m = 32, .n = 16, .k = 8};
	static NnrPlan *plans[8];
	static NnrKernel after = {.name = "line_nothing", .blocks = 1, .threads = 32};
	static const NnrEpilogue relu = {.activation = NNR_RELU, .kernel = &after, .arguments = "y"};
	float *a = (float *)(void *)m->arena;
	nnr_scores_wait();
	nnr_cudnn_conv_fprop(&plans[0], &big, NNR_F32, a + AT_X, a + AT_X, a + AT_Y);
	nnr_cudnn_conv_fprop(&plans[1], &big, NNR_F32, a + AT_Y, a + AT_X, a + AT_Y2);
	nnr_cudnn_conv_fprop(&plans[2], &small, NNR_F32, a + AT_X, a + AT_X, a + AT_SMALL);
	nnr_branch_begin();
	nnr_cudnn_conv_wgrad(&plans[3], &big, NNR_F32, a + AT_X, a + AT_Y, a + AT_DW);
	nnr_branch_end(0);
	nnr_cudnn_conv_dgrad(&plans[4], &big, NNR_F32, a + AT_Y, a + AT_X, a + AT_DX);
	if (!getenv("NO_PRODUCT"))
		nnr_cublas_matmul(&plans[5], &product, NNR_F32, a + AT_X, a + AT_X, a + AT_PRODUCT);
	nnr_cudnn_conv_epilogue(&plans[6], &big, &relu, NNR_F32, a + AT_X, a + AT_X, NULL, NULL, a + AT_RELU);
	/* the small one again, whose filters begin 8 bytes after a multiple of 16: another product of cuBLASLt's */
	nnr_cudnn_conv_fprop(&plans[7], &small, NNR_F32, a + AT_X, a + AT_X + 2, a + AT_SHARED);
	nnr_branch_wait(0);
}

static const NnrInput inputs[] = {
        {.name = "x", .dtype = NNR_F32, .rank = 2, .dim = {BATCH, 4}},
        {.name = "t", .is_target = true, .dtype = NNR_F32, .rank = 2, .dim = {BATCH, 1}, .offset = 256}};
static const NnrTensor params[] = {{"w", NNR_F32, 1, {4}, 0, NNR_UNIFORM, 0.5, 0, false, false, -1}};
static const NnrOutput outputs[] = {{NNR_LOSS, "loss", NNR_F32, 0, {0}, 0}};
static const NnrOutput losses[] = {{NNR_LOSS, "loss", NNR_F32, 1, {BATCH}, 0}};
static NnrImage image = {"sm_90", (const unsigned char *)"", 0};
static const NnrCudaModel cuda_model = {.images = &image, .image_count = 1, .precision = "tf32"};
static const NnrModel model = {
        .abi = NNR_ABI,
        .name = "plans",
        .source = "plans.net",
        .version = "test",
        .recipe = "optimizer sgd",
        .real = NNR_F32,
        .batch = BATCH,
        .chunks = 1,
        .inputs = inputs,
        .input_count = 2,
        .params = params,
        .param_count = 1,
        .param_bytes = 16,
        .input_bytes = 512,
        .train = {.arena_bytes = 4 * (int64_t)ARENA, .outputs = outputs, .output_count = 1, .run = run},
        .evaluate = {.arena_bytes = 4 * (int64_t)ARENA, .outputs = losses, .output_count = 1, .run = run},
        .predict = {.arena_bytes = 4 * (int64_t)ARENA, .run = run},
        .backend = &nnr_cuda_backend,
        .device = &cuda_model,
        .rate = {.kind = NNR_RATE_CONSTANT, .rate = 0.1},
        .steps = 8,
};

static bool is_right(const float *result, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		if (result[i] != (float)((size_t)i * 2654435761u % 251) - 125)
			return false;
	return true;
}

static bool all_right(void)
{
	const float *a = (const float *)(const void *)nnr_cuda.memory.arena;
	return is_right(a + AT_Y, X) && is_right(a + AT_Y2, X) && is_right(a + AT_DX, X) &&
	       is_right(a + AT_DW, W) && is_right(a + AT_SMALL, SMALL) && is_right(a + AT_SHARED, SMALL) &&
	       (getenv("NO_PRODUCT") || is_right(a + AT_PRODUCT, Y)) && is_right(a + AT_RELU, X);
}

static int runs;

static bool run_for(void *us)
{
	FakeWork work = {.stream = nnr_cuda.stream, .us = *(const double *)us};
	runs++;
	return fake_enqueue(&work);
}

/* A candidate is run once more after its first run, and then only if it may be the fastest; its time is then without
 * the host's call (28 us). */
static bool stops_early(void)
{
	double us = 1000;
	bool ok = plan_time(run_for, &us, INFINITY) == 1000; /* and the GPU is awake */
	runs = 0;
	ok = ok && plan_time(run_for, &us, 700) == 1028 && runs == 2;
	runs = 0;
	return ok && plan_time(run_for, &us, 790) == 1000 && runs > 2;
}

/* What lives on between two steps, and the arena, which does not. */
static const struct {
	char *const *at;
	int64_t bytes;
} blocks[] = {
        {&nnr_cuda.memory.params, 16}, {&nnr_cuda.memory.inputs, 1024}, {&nnr_cuda.memory.arena, 4 * ARENA}};

static bool touched; /* by a slice */

/* Whether there was a slice. */
static bool between(Session *s)
{
	static char before[4 * ARENA + 2048];
	int64_t at = 0;
	memset((float *)(void *)nnr_cuda.memory.arena + SCORES, 0x5a, 4 * (size_t)(AT_X - SCORES));
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; at += blocks[i++].bytes)
		memcpy(before + at, *blocks[i].at, (size_t)blocks[i].bytes);
	const char *failing = getenv("FAILING"); /* as from a fault on */
	if (failing)
		setenv("FAKE_CUDA_FAIL_IN", failing, true);
	bool changed = s->backend->between(s);
	at = 0;
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; at += blocks[i++].bytes)
		touched |= memcmp(before + at, *blocks[i].at, (size_t)blocks[i].bytes) != 0;
	return changed;
}

static bool searches_are_over(void)
{
	static char text[1 << 14];
	return read_whole("plans.tune", text, sizeof text) > 0 && !strstr(text, "state=partial");
}

/* Steps, in graphs and after each slice one plainly, until all searches are over and for some more, or for so many
 * seconds without a slice; an evaluation after each epoch. Whether all results were right all the time. */
static bool trains_with_slices(Session *s, double quiet)
{
	double last = clock_seconds(), sums[1 + MAX_METRICS] = {0};
	int left = 40;
	bool right = true, over = false;
	while (right && !touched && left > 0 && clock_seconds() < last + quiet) {
		if (between(s)) {
			last = clock_seconds();
			over = searches_are_over();
		}
		left -= over;
		s->backend->train(s, s->at.step % 4 < 2 ? 1 : 3);
		right = all_right();
		if (s->at.in_epoch < s->steps_per_epoch)
			continue;
		s->at.in_epoch = 0;
		s->at.epoch++;
		if (s->data.held_out.count > 0 && !s->options.no_eval)
			right = right && s->backend->evaluate(s, 0, 1, sums) > 0 && all_right();
	}
	return right && !touched;
}

/* The trainer as far as it makes plans, and five steps, or those with slices; 0 where all results of the last are
 * right. */
static int act(void *line)
{
	char words[256], *argv[16] = {"plans"};
	int argc = 1;
	snprintf(words, sizeof words, "%s", (const char *)line);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	signals_begin();
	program_set_name("plans");
	Session s = {.model = &model, .seed = 1, .rate = model.rate, .total_steps = 100};
	options_parse(&s.options, &model, argc, argv);
	progress_begin(PROGRESS_PLAIN, false);
	session_prepare(&s);
	s.data = data_load(&s.options, &model, s.seed, false);
	s.steps_per_epoch = s.data.train.count / step_samples(&model);
	session_init_weights(&s);
	s.backend->load(&s);
	memset(nnr_cuda.memory.arena, 0xff, 4 * (size_t)ARENA);
	memset((float *)(void *)nnr_cuda.memory.arena + AT_X, 0, 4 * (size_t)X);
	const char *quiet = getenv("QUIET");
	if (!quiet)
		s.backend->time(&s, 5, false);
	bool right = quiet ? trains_with_slices(&s, atof(quiet)) : all_right() && stops_early();
	session_free(&s);
	return right ? 0 : 1;
}

/* Ctrl-C once all searches are over, or after a minute. */
static void *stop_when_over(void *unused)
{
	for (int i = 0; i < 600 && !searches_are_over(); i++)
		usleep(100000);
	kill(getpid(), SIGINT);
	return NULL;
}

/* The whole trainer. */
static int act_whole(void *unused)
{
	static char *argv[] = {"plans",      "--data",       "synth:random,samples=200000",
	                       "--tune",     "plans.tune",   "--steps",
	                       "1000000000", "--checkpoint", "kept.st",
	                       "--progress", "plain",        NULL};
	sigset_t mine, before;
	pthread_t thread;
	sigfillset(&mine);
	pthread_sigmask(SIG_BLOCK, &mine, &before); /* for the thread */
	pthread_create(&thread, NULL, stop_when_over, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return nnr_main(&model, sizeof argv / sizeof *argv - 1, argv);
}

static char record[1 << 14];

static char tuned[] = "--data synth:random,samples=16 --no-eval --tune plans.tune --tune-when before";

static bool trains_so(const char *line, const char *says)
{
	char whole[256];
	snprintf(whole, sizeof whole, "%s %s", tuned, line);
	Ended e = run_child(act, whole);
	read_whole("plans.tune", record, sizeof record);
	bool ok = e.status == 0 && strstr(e.said, says) && (*says || !e.said[0]);
	if (!ok)
		printf("  `%s` ended with %d: %s\n%s", line, e.status, e.said, record);
	return ok;
}

/* In the lines of operations: plans that were tried stand in comments below. */
static int count_of(const char *text)
{
	int n = 0;
	for (const char *at = record; (at = strstr(at, text)); at++) {
		const char *line = at;
		while (line > record && line[-1] != '\n')
			line--;
		n += *line != '#';
	}
	return n;
}

/* Three convolutions and one with an epilogue with the best engine and its best knob, two as products, and the three
 * products. */
static bool is_complete(void)
{
	bool ok = count_of("form=0 engine=1 swizzle=6 |") == 4 && count_of("form=4 engine=0 |") == 2 &&
	          count_of("algo=1 tile=5 reduction=0 swizzle=1") == 3 && count_of("state=complete") == 9 &&
	          count_of("fprop tf32 x 2x2x8x8 w 8x1x1 ") == 2 &&
	          count_of("groups 1 align 8: form=4") == 1 && count_of("mk b nk align 8: ") == 1 &&
	          count_of("state=partial") == 0;
	if (!ok)
		printf("%s", record);
	return ok;
}

/* How often the line is in `text`. */
static int times(const char *text, const char *line, size_t length)
{
	int n = 0;
	for (const char *at = text; *at; at = strchr(at, '\n') + 1)
		n += !strncmp(at, line, length + 1);
	return n;
}

/* No plan was made twice: not for the search, nor to keep what it found. The convolution of eight channels is two
 * operations. */
static bool made_once(void)
{
	static char made[1 << 14];
	bool once = read_whole("made", made, sizeof made) > 0;
	for (const char *at = made; *at; at = strchr(at, '\n') + 1) {
		const size_t length = strcspn(at, "\n");
		const char *small = strstr(at, " of 8 channels");
		once = once && times(made, at, length) <= (small && small < at + length ? 2 : 1);
	}
	if (!once)
		printf("%s", made);
	unlink("made");
	return once;
}

static void tunes(void)
{
	setenv("FAKE_CUDNN_MADE", "made", true);
	CHECK(trains_so("", "tuned 7 library calls in "));
	CHECK(is_complete() && made_once());
	unsetenv("FAKE_CUDNN_MADE");
	/* From the record; and another start changes nothing. */
	CHECK(trains_so("", "") && is_complete());
	CHECK(trains_so("--no-graph", "") && is_complete());
}

/* A convolution does without the product that cuBLASLt has no algorithm for. */
static void without_cublaslt(void)
{
	unlink("plans.tune");
	setenv("FAKE_CUBLASLT", "4", true);
	setenv("NO_PRODUCT", "1", true);
	CHECK(trains_so("", "tuned 6 library calls in "));
	CHECK(count_of("form=0 engine=1 swizzle=6 |") == 6 && count_of("state=complete") == 6);
	unsetenv("NO_PRODUCT");
	setenv("FAKE_CUBLASLT", "01", true);
	unlink("plans.tune");
}

static void tunes_nothing(void)
{
	unlink("plans.tune");
	CHECK(trains_so("--tune-seconds 0", "") && !record[0]);
	unlink("plans.tune");
	setenv("NNR_TUNE_SECONDS", "0", true);
	CHECK(trains_so("", "") && !record[0]);
	unsetenv("NNR_TUNE_SECONDS");
	CHECK(run_child(act, "--data synth:random --no-tune --tune-seconds 3").status == 2);
	CHECK(run_child(act, "--data synth:random,samples=16 --no-eval --no-tune").status == 0);
}

static int act_start(void *unused)
{
	static char *argv[] = {"plans",   "bench", "--data",    "synth:random,samples=16",
	                       "--steps", "1",     "--no-tune", NULL};
	return nnr_main(&model, sizeof argv / sizeof *argv - 1, argv);
}

/* Lines that differ from the first, of the file, which goes. */
static int others_in(const char *path)
{
	char text[4096] = "";
	int n = 0;
	read_whole(path, text, sizeof text);
	for (const char *at = text; *at; at = strchr(at, '\n') + 1)
		n += strncmp(at, text, strcspn(text, "\n") + 1) != 0;
	unlink(path);
	return n;
}

/* Without tuning one plan is made for each of six convolutions, the seventh would end the process, by several threads
 * where there are processors for them; and how long all of that took is said. So from a record. */
static void starts(void)
{
	setenv("FAKE_CUDNN_THREADS", "threads", true);
	setenv("FAKE_CUDNN_MILLISECONDS", "20", true); /* else one thread makes all before another begins */
	CHECK(trains_so("", "") && is_complete() && (others_in("threads") > 0 || processors_usable() < 2));
	setenv("FAKE_CUDNN_INTERRUPT", "7", true);
	Ended e = run_child(act_start, NULL);
	const char *plans = strstr(e.said, "7 plans 0."), *said = strstr(e.said, "started in ");
	if (!CHECK(e.status == 0 && said && plans && said < plans && !strstr(e.said, "of the record")))
		printf("  ended with %d: %s\n", e.status, e.said);
	CHECK(others_in("threads") > 0 || processors_usable() < 2);
	unsetenv("FAKE_CUDNN_THREADS");
	unsetenv("FAKE_CUDNN_MILLISECONDS");
	unsetenv("FAKE_CUDNN_INTERRUPT");
}

/* One thread takes the plans that several take, without a record. */
static void alone(void)
{
	static char several[sizeof record];
	cpu_set_t all, one;
	CPU_ZERO(&one);
	CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
	for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	unlink("plans.tune");
	CHECK(trains_so("--tune-seconds 0.000001", "not to the end") && count_of("state=partial") == 7);
	memcpy(several, record, sizeof record);
	unlink("plans.tune");
	setenv("FAKE_CUDNN_THREADS", "threads", true);
	sched_setaffinity(0, sizeof one, &one);
	CHECK(trains_so("--tune-seconds 0.000001", "not to the end") && strcmp(several, record) == 0);
	sched_setaffinity(0, sizeof all, &all);
	CHECK(others_in("threads") == 0);
	unsetenv("FAKE_CUDNN_THREADS");
	unlink("plans.tune");
}

/* A plan takes 5 ms: all of them 0.4 s. What there was time for is kept, and the next search continues from it. */
static void goes_on(void)
{
	unlink("plans.tune");
	setenv("FAKE_CUDNN_MILLISECONDS", "5", true);
	CHECK(trains_so("--tune-seconds 0.1", "not to the end"));
	CHECK(count_of("state=partial") > 0 && count_of("state=") >= 5);
	/* As it is, where nothing may be tuned. */
	char before[sizeof record];
	memcpy(before, record, sizeof record);
	CHECK(trains_so("--tune-seconds 0", "") && strcmp(before, record) == 0);
	int starts = 1;
	while (count_of("state=partial") > 0 && starts++ < 40)
		trains_so("--tune-seconds 0.5", "tuned ");
	CHECK(starts > 1 && starts < 40);
	unsetenv("FAKE_CUDNN_MILLISECONDS");
	CHECK(is_complete());
}

static void interrupted(void)
{
	unlink("plans.tune");
	setenv("FAKE_CUDNN_MILLISECONDS", "20", true);
	setenv("FAKE_CUDNN_INTERRUPT", "20", true);
	Ended e = run_child(act, tuned);
	CHECK(e.status == 130 && strstr(e.said, "what was found is in the tune record"));
	unsetenv("FAKE_CUDNN_INTERRUPT");
	unsetenv("FAKE_CUDNN_MILLISECONDS");
	CHECK(trains_so("", "tuned ") && is_complete());
}

/* By default the search is beside the training: the results stay right while plans change, whatever is captured, and
 * the same plans are found. */
static void tunes_beside(void)
{
	static const char *const ways[] = {"--no-eval", "", "--no-graph", "--stream", "--tune-when beside"};
	static char line[256];
	setenv("QUIET", "20", true);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		unlink("plans.tune");
		snprintf(line, sizeof line, "--data synth:random,samples=20 --tune plans.tune %s", ways[i]);
		Ended e = run_child(act, line);
		read_whole("plans.tune", record, sizeof record);
		bool said = strstr(e.said, "tuned 7 library calls in ") &&
		            strstr(e.said, " s beside the training, ") && !strstr(e.said, "not to the end");
		if (!CHECK(e.status == 0 && said && is_complete()))
			printf("  `%s` ended with %d: %s\n", line, e.status, e.said);
	}
	/* where there is no room for a trial's own tensors, nothing is tried: not on those of the training */
	unlink("plans.tune");
	setenv("QUIET", "5", true);
	setenv("FAKE_CUDA_MEMORY", "200000000", true);
	Ended e = run_child(act, "--data synth:random,samples=20 --tune plans.tune");
	read_whole("plans.tune", record, sizeof record);
	if (!CHECK(e.status == 0 && strstr(e.said, "no room to try out 7 library calls beside the training")))
		printf("  ended with %d: %s\n", e.status, e.said);
	CHECK(count_of("state=partial") == 7 && count_of("candidates=0") == 7);
	unsetenv("FAKE_CUDA_MEMORY");
	unsetenv("QUIET");
	unlink("plans.tune");
}

/* So does the whole trainer, which resumes with the plans that were found. */
static void trains_whole(void)
{
	unlink("plans.tune");
	unlink("kept.st");
	Ended e = run_child(act_whole, NULL);
	read_whole("plans.tune", record, sizeof record);
	if (!CHECK(e.status == 130 && is_complete() && strstr(e.said, "tuned 7 library calls in ") &&
	           strstr(e.said, " s beside the training, ") && !strstr(e.said, "before the first step")))
		printf("  ended with %d: %s\n", e.status, e.said);
	e = run_child(act,
	              "--data synth:random,samples=200000 --tune plans.tune --resume --checkpoint kept.st");
	CHECK(e.status == 0 && !strstr(e.said, "tun"));
	unlink("kept.st");
	unlink("plans.tune");
}

/* A fault of the device in a search ends the training, whose state until then is saved. */
static void fault_beside(void)
{
	unlink("plans.tune");
	unlink("kept.st");
	setenv("QUIET", "20", true);
	setenv("FAILING", "cuGraphDestroy", true); /* no step calls it, once it is captured */
	Ended e = run_child(act, "--data synth:random,samples=20 --tune plans.tune --checkpoint kept.st");
	read_whole("plans.tune", record, sizeof record);
	if (!CHECK(e.status == STATUS_DEVICE && strstr(e.said, "cuGraphDestroy failed (") &&
	           strstr(e.said, "a plan that was only tried out may have failed") &&
	           strstr(e.said, " is saved in `kept.st`; go on with --resume") &&
	           !strstr(e.said, "step 0 ")))
		printf("  ended with %d: %s\n", e.status, e.said);
	CHECK(access("kept.st", F_OK) == 0);
	/* the one that was being tuned is settled, so that the next start gets further */
	CHECK(strstr(e.said, "keeps the plan that it began with: the next start tunes the others"));
	CHECK(count_of("state=complete") == 1 && count_of("state=partial") == 6);
	e = run_child(act, "--data synth:random,samples=20 --tune plans.tune");
	read_whole("plans.tune", record, sizeof record);
	CHECK(e.status == STATUS_DEVICE && count_of("state=complete") == 2);
	unsetenv("FAILING");
	unsetenv("QUIET");
	unlink("kept.st");
	unlink("plans.tune");
}

/* Who is promised that plans stay has them before the first step, and is told why. */
static void tunes_before(void)
{
	static const struct {
		const char *line, *why;
	} cases[] = {{"--tune-when before", "`--tune-when before`"},
	             {"--deterministic", "with `--deterministic` no plan changes amid the training"},
	             {"bench", "only between the steps of a training"}};
	static char line[256];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unlink("plans.tune");
		snprintf(line, sizeof line, "%s --data synth:random,samples=16 --tune plans.tune",
		         cases[i].line);
		Ended e = run_child(act, line);
		if (!CHECK(e.status == 0 && strstr(e.said, cases[i].why) &&
		           strstr(e.said, "tuning 7 library calls before the first step, for up to 60 s: ") &&
		           strstr(e.said, "tuned 7 library calls in ")))
			printf("  `%s` ended with %d: %s\n", line, e.status, e.said);
	}
	static const char resumed[] =
	        "--data synth:random,samples=16 --tune plans.tune --resume --checkpoint a.st";
	unlink("plans.tune");
	CHECK(trains_so("--tune-seconds 0.000001", "not to the end"));
	snprintf(line, sizeof line, "%s", resumed);
	Ended e = run_child(act, line);
	CHECK(e.status == 0 && strstr(e.said, "7 library calls will keep plans whose search has not ended"));
	snprintf(line, sizeof line, "%s --tune-when beside", resumed);
	setenv("QUIET", "20", true);
	e = run_child(act, line);
	CHECK(e.status == 0 && strstr(e.said, "tuned 7 library calls") &&
	      strstr(e.said, "beside the training"));
	unsetenv("QUIET");
	CHECK(run_child(act, "--data synth:random --deterministic --tune-when beside").status == 2);
	CHECK(run_child(act, "--data synth:random --no-tune --tune-when before").status == 2);
	unlink("plans.tune");
}

/* The number of the first such call of the driver in the file's log. */
static int first_call(const char *path, const char *name)
{
	char line[256];
	int number = 1;
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f) && !strstr(line, name))
		number += !strncmp(line, "call ", 5);
	if (f)
		fclose(f);
	return number;
}

/* A plan that is tried out may fail on the device, and with it the process: who reads that can do without trying. */
static void says_how_to_do_without(void)
{
	char number[16];
	unlink("plans.tune");
	setenv("FAKE_CUDA_LOG", "calls", true);
	CHECK(trains_so("", "tuned "));
	unsetenv("FAKE_CUDA_LOG");
	unlink("plans.tune");
	snprintf(number, sizeof number, "%d", first_call("calls", "cuEventElapsedTime"));
	setenv("FAKE_CUDA_FAIL", number, true);
	Ended e = run_child(act, tuned);
	CHECK(e.status == STATUS_DEVICE && strstr(e.said, "cuEventElapsedTime failed (") &&
	      strstr(e.said, "tf32 x 4x8x8x16 ") && /* the operation whose plan it is */
	      strstr(e.said, "help: a plan that was only tried out may have failed") &&
	      !strstr(e.said, "in step"));
	unsetenv("FAKE_CUDA_FAIL");
	CHECK(trains_so("--tune-seconds 0", "") && count_of("state=partial") == 7);
	CHECK(trains_so("", "tuned ") && is_complete());
	unlink("plans.tune");
	setenv("FAKE_CUDA_FAIL", "30", true);
	e = run_child(act, tuned);
	CHECK(e.status == STATUS_DEVICE && strstr(e.said, "help: CUDA_LAUNCH_BLOCKING=1"));
	unsetenv("FAKE_CUDA_FAIL");
}

/* Each call of a library in turn fails, once and from then on. A search does without what fails, so that the results
 * are right all the same; else it is one sentence and the documented status. */
static void calls_fail(const char *setting, int every)
{
	enum { FIRST = 15 };
	int k = 1, faults = 0;
	for (bool made = true; made; k += k < FIRST ? 1 : every)
		for (int on = 0; on < 2; on++) {
			char number[16];
			unlink("plans.tune");
			unlink("fault");
			snprintf(number, sizeof number, "%d%s", k, on ? "+" : "");
			setenv(setting, number, true);
			Ended e = run_child(act, tuned);
			unsetenv(setting);
			made = access("fault", F_OK) == 0;
			faults += made;
			bool said = e.status == STATUS_DEVICE && strstr(e.said, "plans: error: ");
			if (!CHECK(e.status == 0 || said))
				printf("  %s=%s: %d: %s\n", setting, number, e.status, e.said);
		}
	CHECK(faults > 20);
	unlink("plans.tune");
	CHECK(trains_so("", "tuned ") && is_complete());
}

int main(int argc, char **argv)
{
	int every = 300;
	if (argc == 6 && strcmp(argv[4], "--every") == 0) {
		every = atoi(argv[5]);
		argc = 4;
	}
	if (argc != 4 || every < 1)
		return 2;
	char *path = realpath(argv[1], NULL);
	for (int i = 2; i < argc; i++) /* later found by the names in them, since they are loaded */
		if (!path || !dlopen(argv[i], RTLD_NOW))
			return 2;
	setenv("NNR_LIBCUDA", path, true);
	setenv("FAKE_CUDA_MICROSECONDS", "clock", true);
	setenv("FAKE_CUBLASLT", "01", true);
	heed_signals();
	child_folder_make();
	tunes();
	starts();
	alone();
	without_cublaslt();
	tunes_nothing();
	tunes_beside();
	trains_whole();
	fault_beside();
	tunes_before();
	goes_on();
	interrupted();
	says_how_to_do_without();
	setenv("FAKE_FAULT", "fault", true);
	calls_fail("FAKE_CUDNN_FAIL", every);
	calls_fail("FAKE_CUBLASLT_FAIL", every);
	free(path);
	return check_report("cuda, library plans");
}
