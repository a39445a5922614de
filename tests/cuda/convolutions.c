/* SPDX-License-Identifier: MIT */
/* Convolutions with an epilogue, on a fake driver and a fake cuDNN: both ways compute
 * the same, the faster is chosen and recorded, and where cuDNN offers nothing, or something else, the kernel runs. What
 * begins between two multiples of 16 bytes cuDNN sees a copy of.
 *
 *     convolutions FAKE_LIBCUDA FAKE_LIBCUDNN */
#include "runtime/host/die.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/plan.h"
#include "runtime/cuda/state.h"
#include "tests/cuda/epilogue.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <dlfcn.h>
#include <math.h>

/* Exit statuses: 10 and the form of the record, or what went wrong. */
enum { FUSED = 10, PLAIN = 15, NEITHER = 50, MISCOUNTED = 60, WRONG = 100 };

static const NnrConvShape shape = {
        .batch = EPILOGUE_BATCH,
        .channels = EPILOGUE_CHANNELS,
        .filters = EPILOGUE_FILTERS,
        .groups = 2,
        .in = {EPILOGUE_SIDE, EPILOGUE_SIDE},
        .out = {EPILOGUE_SIDE, EPILOGUE_SIDE},
        .size = {3, 3},
        .stride = {1, 1},
        .pad = {1, 1, 1, 1},
        .dilation = {1, 1},
};

typedef struct Case {
	NnrEpilogue epilogue;
	const char *kernel;
	const char *engines, *alone, *fused; /* of the fake: engines named, microseconds */
	const char *tune;                    /* "off", or the record's file */
	bool keeps;                          /* what the record has of an operation */
	int collects;                        /* steps, 1 or 2, before they are tuned, as a trainer does */
	int64_t begin; /* elements before the filters, and the tensors after the convolution, in their memory */
} Case;

static float *numbers(int64_t count, int seed)
{
	float *m = aligned_alloc(256, (size_t)(count * 4 + 255) / 256 * 256);
	for (int64_t i = 0; i < count; i++)
		m[i] = (float)((i * 7 + seed) % 17 - 8) / 8;
	return m;
}

static double activate(const NnrEpilogue *e, double x)
{
	double slope = (double)e->slope;
	const double of[] = {[NNR_IDENTITY] = x,
	                     [NNR_RELU] = x < 0 ? 0 : x,
	                     [NNR_LEAKY_RELU] = x > 0 ? x : slope * x,
	                     [NNR_SIGMOID] = 1 / (1 + exp(-x)),
	                     [NNR_TANH] = tanh(x),
	                     [NNR_GELU] = x / 2 * (1 + erf(x / sqrt(2))),
	                     [NNR_SILU] = x / (1 + exp(-x)),
	                     [NNR_SOFTPLUS] = log(1 + exp(x)),
	                     [NNR_ELU] = x > 0 ? x : slope * (exp(x) - 1)};
	return of[e->activation];
}

/* The convolution's sum for element i of the result. */
static double sum_at(const float *x, const float *w, int i)
{
	int k = i % EPILOGUE_FILTERS, pixel = i / EPILOGUE_FILTERS, group = EPILOGUE_CHANNELS / 2;
	int q = pixel % EPILOGUE_SIDE, p = pixel / EPILOGUE_SIDE % EPILOGUE_SIDE,
	    n = pixel / EPILOGUE_SIDE / EPILOGUE_SIDE;
	double sum = 0;
	for (int r = 0; r < 3; r++)
		for (int s = 0; s < 3; s++) {
			int h = p + r - 1, v = q + s - 1;
			if (h < 0 || h >= EPILOGUE_SIDE || v < 0 || v >= EPILOGUE_SIDE)
				continue;
			for (int c = 0; c < group; c++)
				sum += (double)x[((n * EPILOGUE_SIDE + h) * EPILOGUE_SIDE + v) *
				                         EPILOGUE_CHANNELS +
				                 k / (EPILOGUE_FILTERS / 2) * group + c] *
				       (double)w[((k * 3 + r) * 3 + s) * group + c];
		}
	return sum;
}

/* As after other parameters, of whatever size. */
static float *numbers_from(int64_t begin, int64_t count, int seed)
{
	return numbers(begin + count, seed) + begin;
}

/* The tensors of a call; those after x and w are NULL where the epilogue has none. */
typedef struct Tensors {
	float *x, *w, *y, *residual, *bias;
} Tensors;

static Tensors tensors_of(const NnrEpilogue *e, int64_t begin)
{
	Tensors t = {.x = numbers(EPILOGUE_PIXELS * EPILOGUE_CHANNELS, 1),
	             .w = numbers_from(begin, EPILOGUE_FILTERS * 9 * 2, 2)};
	t.residual = strchr(e->arguments, 'r') ? numbers(EPILOGUE_COUNT, 3) : NULL;
	t.bias = strchr(e->arguments, 'b') ? numbers_from(begin, EPILOGUE_FILTERS, 4) : NULL;
	t.y = numbers(EPILOGUE_COUNT, 5);
	return t;
}

static void call(NnrPlan **plan, const NnrEpilogue *e, const Tensors *t)
{
	nnr_cudnn_conv_epilogue(plan, &shape, e, NNR_F32, t->x, t->w, t->residual, t->bias, t->y);
}

static bool is_right(const NnrEpilogue *e, const Tensors *t)
{
	for (int i = 0; i < EPILOGUE_COUNT; i++) {
		int k = i % EPILOGUE_FILTERS;
		double wanted =
		        activate(e, sum_at(t->x, t->w, i) + (t->residual ? (double)t->residual[i] : 0) +
		                            (t->bias ? (double)t->bias[k] : 0));
		if (!(fabs((double)t->y[i] - wanted) <= 1e-5))
			return false;
	}
	return true;
}

/* Twice; the exit status says what was chosen, or that a result is wrong. */
static int convolve(void *context)
{
	static const NnrCudaModel device = {.precision = "fp32"};
	static const NnrModel model = {.device = &device};
	const Case *c = context;
	NnrKernel kernel = {.name = c->kernel, .blocks = 1, .threads = 1};
	NnrEpilogue e = c->epilogue;
	e.kernel = &kernel;
	Tensors t = tensors_of(&e, c->begin);
	NnrPlan *plan = NULL;
	setenv("FAKE_CUDNN", c->engines, true);
	setenv("FAKE_CUDNN_ALONE", c->alone, true);
	setenv("FAKE_CUDNN_FUSED", c->fused, true);
	setenv("NNR_TUNE", c->tune, true);
	nnr_cuda_load_driver();
	cuda_open_streams();
	nnr_cuda.model = &model;
	nnr_cuda.modules[nnr_cuda.module_count++] = (CUmodule) ""; /* with all kernels */
	if (c->keeps)
		tuning_configure(100, true);
	if (c->collects) {
		NnrPlan *other = NULL, *alone = NULL;
		tuning_collect();
		call(&plan, &e, &t);
		if (c->collects > 1) {
			call(&other, &e, &t);
			nnr_cudnn_conv_fprop(&alone, &shape, NNR_F32, t.x, t.w, t.y);
			if (*plan->uses != 2 || *alone->uses != 3)
				return MISCOUNTED;
		}
		nnr_cuda_tuning_done();
	}
	for (int turn = 0; turn < 2; turn++) {
		call(&plan, &e, &t);
		if (!is_right(&e, &t))
			return WRONG + turn;
		setenv("FAKE_CUDNN_LOG", "ran", true); /* the second turn alone */
	}
	nnr_cuda_tuning_done();
	int form = (int)tune_setting(plan->entry, "form", -1);
	if (c->collects && plan->entry->partial)
		return plan->entry->next == 0 ? NEITHER : WRONG;
	return form == 0 || form == PLAIN - FUSED ? FUSED + form : NEITHER;
}

static bool ran(const char *wanted)
{
	char text[512];
	read_whole("ran", text, sizeof text);
	unlink("ran");
	if (strcmp(text, wanted))
		printf("  ran `%s`, not `%s`\n", text, wanted);
	return !strcmp(text, wanted);
}

/* Whether that way is chosen, and cuDNN runs `operations` then. */
static bool chooses(int way, Case c, const char *operations)
{
	Ended e = run_child(convolve, &c);
	bool ok = e.status == way;
	if (!ok)
		printf("  %s, engines `%s` ended with %d: %s\n", c.epilogue.arguments, c.engines, e.status,
		       e.said);
	return ran(operations) && ok;
}

/* The record without the convolution with an epilogue, and the other partial. */
static void leave_inner(const char *path)
{
	char text[4096], *line;
	if (!CHECK(read_whole(path, text, sizeof text) > 0))
		return;
	FILE *f = fopen(path, "w");
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		char *state = strstr(line, "state=complete");
		if (state && strstr(line, "form=5"))
			continue;
		fprintf(f, state ? "%.*sstate=partial next=1\n" : "%.*s\n",
		        state ? (int)(state - line) : (int)strlen(line), line);
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	static const Case cases[] = {
	        {.epilogue = {.activation = NNR_RELU, .arguments = "yb"}, .kernel = "epilogue_relu_yb"},
	        {.epilogue = {.activation = NNR_RELU, .arguments = "ybr"}, .kernel = "epilogue_relu_ybr"},
	        {.epilogue = {.activation = NNR_LEAKY_RELU, .slope = 0.25f, .arguments = "ry"},
	         .kernel = "epilogue_leaky_ry"},
	};
	static const char *const operations[] = {"conv x w add b activate y\n",
	                                         "conv x w add r add b activate y\n",
	                                         "conv x w add r activate y\n"};
	static const char alone[] = "conv x w y\n";
	static char driver[4096];
	if (argc != 3 || !realpath(argv[1], driver))
		return 2;
	/* by its soname, it is then the library that is found */
	if (!dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL))
		die(STATUS_DEVICE, "%s", dlerror());
	setenv("NNR_LIBCUDA", driver, true);
	setenv("FAKE_CUDA_MICROSECONDS", "clock", true);
	child_folder_make();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = cases[i];
		c.alone = "300", c.fused = "200", c.engines = "r", c.tune = "faster.tune";
		CHECK(chooses(FUSED, c, operations[i]));
		c.alone = "200", c.fused = "300";
		CHECK(chooses(FUSED, c, operations[i])); /* from the record */
		c.tune = "slower.tune";
		CHECK(chooses(PLAIN, c, alone));
		c.alone = "300", c.fused = "200";
		CHECK(chooses(PLAIN, c, alone)); /* from the record */
		c.tune = "wrong.tune", c.engines = "w";
		CHECK(chooses(PLAIN, c, alone));
		c.tune = "both.tune", c.engines = "wr";
		CHECK(chooses(FUSED, c, operations[i]));
		c.tune = "hides.tune", c.engines = "r";
		setenv("FAKE_CUDNN_HIDES", "1", true);
		CHECK(chooses(PLAIN, c, alone));
		unsetenv("FAKE_CUDNN_HIDES");
		c.tune = "none.tune", c.engines = "";
		CHECK(chooses(PLAIN, c, alone));
		c.tune = "off", c.engines = "r";
		CHECK(chooses(FUSED, c, operations[i]));
		c.engines = "";
		CHECK(chooses(PLAIN, c, alone));
		c.engines = "c";
		CHECK(chooses(PLAIN, c, alone));
		/* an engine that is compiled is worth it where the operation is long */
		c.tune = "short.tune", c.engines = "c", c.alone = "30", c.fused = "10";
		CHECK(chooses(PLAIN, c, alone));
		c.tune = "long.tune", c.alone = "3000", c.fused = "2000";
		CHECK(chooses(FUSED, c, operations[i]));
	}
	/* the fake, as cuDNN is not, is sure to refuse what does not begin at a multiple of 16 bytes */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = cases[i];
		c.engines = "r";
		for (c.begin = 0; c.begin < 4; c.begin++) {
			c.alone = "300", c.fused = "200", c.tune = "off";
			CHECK(chooses(FUSED, c, operations[i]));
			c.tune = "begin.tune"; /* of the first, for all */
			CHECK(chooses(FUSED, c, operations[i]));
			c.alone = "200", c.fused = "300", c.tune = "begins.tune";
			CHECK(chooses(PLAIN, c, alone));
		}
	}
	/* where the convolution's own plan runs first, it is tuned before another is compared with it */
	Case first = cases[0];
	first.tune = "first.tune", first.engines = "c", first.alone = "300", first.fused = "2000";
	first.collects = 1;
	setenv("FAKE_CUDNN_ALONE_ENGINES", "sr", true);
	CHECK(chooses(PLAIN, first, alone));
	first.tune = "twice.tune", first.collects = 2;
	CHECK(chooses(PLAIN, first, alone));
	/* and where it was not, what was compared with it is not settled */
	leave_inner(first.tune);
	first.keeps = true;
	CHECK(chooses(NEITHER, first, alone));
	unsetenv("FAKE_CUDNN_ALONE_ENGINES");
	/* what has no kernel here: the operation as cuDNN is told it */
	for (NnrActivation a = NNR_IDENTITY; a <= NNR_ELU; a++) {
		Case c = {.epilogue = {.activation = a, .slope = 0.5f, .arguments = "yb"},
		          .kernel = "epilogue_none"};
		c.alone = "300", c.fused = "200", c.engines = "r", c.tune = "off";
		CHECK(chooses(FUSED, c, a ? operations[0] : "conv x w add b y\n"));
	}
	return check_report("cuda, convolutions by cuDNN");
}
