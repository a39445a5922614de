/* SPDX-License-Identifier: MIT */
/* Tuning on a fake driver and a fake cuBLASLt: what is fast but computes something else is not chosen.
 *
 *     products FAKE_LIBCUDA FAKE_LIBCUBLASLT */
#include "runtime/host/die.h"
#include "runtime/cuda/cublas_choice.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/product.h"
#include "runtime/cuda/state.h"
#include "runtime/nnr_half.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <dlfcn.h>
#include <math.h>

enum {
	FIRST,
	RIGHT, /* of the fake library's algorithms 0 to 3, from the slowest to the fastest */
	OURS = 99
};
static const double ENOUGH_WORK = 24e8; /* to gather 100 units */
static const char RECORD[] = "products.tune", TUNED[] = "tuned.json";

typedef struct Case {
	const char *named; /* by the heuristic */
	NnrProductShape shape;
	bool full;         /* the device: no room to tune in but the step's own tensors */
	double bar;        /* 0: none */
	bool no_numbers;   /* in a: NaN, of which nothing can be told */
	const char *known; /* NULL, or what the record says of it */
	const char *own;   /* the kernel of ours; NULL: there is none */
	bool too_old;      /* the device, for that */
	bool together;     /* 128 blocks of it wait for each other, on 114 multiprocessors */
	const char *us;    /* NULL, or what a run of it takes, which can gather meanwhile */
	bool gathers;      /* and there is something to gather */
	const char *right; /* NULL, or what a run of algorithm RIGHT takes */
	bool goes_on;      /* with the record of the case before */
	const char *after; /* NULL, or the kernel after the product: bias and relu or tanh, or row sums */
	int64_t begin;     /* elements ahead of the bias, in its memory */
	bool narrow;       /* a and b are bf16, and y and the bias unless shape.wide */
	bool shifts;       /* one more at every other step, as of layers that have a function in common */
} Case;

static float *matrix(int64_t rows, int64_t leading)
{
	float *m = aligned_alloc(256, (size_t)(rows * leading * 4 + 255) / 256 * 256);
	for (int64_t i = 0; i < rows * leading; i++)
		m[i] = (float)(i % 13) - 6.5f;
	return m;
}

static int64_t or_else(int64_t given, int64_t otherwise)
{
	return given ? given : otherwise;
}

static double bias_of(int64_t column)
{
	return (double)(column % 5) - 2;
}

static double weight_of(int64_t column)
{
	return (double)(column % 7) / 4 - 1;
}

static bool sums_rows(const char *after)
{
	return after && !strcmp(after, "after_row_sums");
}

static NnrActivation activation_of(const char *after)
{
	return sums_rows(after)               ? NNR_TANH
	       : !strcmp(after, "after_tanh") ? NNR_TANH
	       : !strcmp(after, "after_relu") ? NNR_RELU
	                                      : NNR_IDENTITY;
}

static double activate(NnrActivation a, double x)
{
	return a == NNR_TANH ? tanh(x) : a == NNR_RELU ? fmax(x, 0) : x;
}

static float row_sums[8];

/* Of the sums of y's rows, for what y would be. */
static int mistaken_sums(const NnrProductShape *s, const float *a, const float *b)
{
	int found = 0;
	for (int64_t i = 0; i < s->m; i++) {
		double all = 0;
		for (int64_t j = 0; j < s->n; j++) {
			double sum = 0;
			for (int64_t k = 0; k < s->k; k++)
				sum += (double)a[k * s->m + i] * b[j * s->k + k];
			all += tanh(sum + bias_of(j)) * weight_of(j);
		}
		found += !(fabs(row_sums[i] - all) <= 1e-3);
	}
	return found;
}

/* How many elements of y differ from plain loops, or have changed in the gaps between its rows. */
static int mistakes(const NnrProductShape *s, const char *after, const float *a, const float *b,
                    const float *y)
{
	const int64_t lda = or_else(s->lda, s->ta ? s->m : s->k), ldb = or_else(s->ldb, s->tb ? s->k : s->n);
	const int64_t ldy = or_else(s->ldy, s->n);
	if (sums_rows(after))
		return mistaken_sums(s, a, b);
	/* of bf16, once after the product and once after its kernel */
	const double rounding = after && !strcmp(after, "after_narrow_bias") ? 0x1p-7 : 0;
	float *untouched = matrix(s->m, ldy);
	int found = 0;
	for (int64_t i = 0; i < s->m; i++)
		for (int64_t j = 0; j < ldy; j++) {
			double sum = 0;
			for (int64_t k = 0; k < s->k && j < s->n; k++)
				sum += (double)a[s->ta ? k * lda + i : i * lda + k] *
				       b[s->tb ? j * ldb + k : k * ldb + j];
			if (after)
				sum = activate(activation_of(after), sum + bias_of(j));
			double wanted = j < s->n ? sum : untouched[i * ldy + j];
			found += !(fabs(y[i * ldy + j] - wanted) <= 1e-3 + rounding * fabs(wanted));
		}
	free(untouched);
	return found;
}

static void write_record(const char *known)
{
	FILE *f = fopen(RECORD, "w");
	fprintf(f,
	        "# nnc tune record 2: library plans chosen by timing\ndevice Fake GPU\ncapability 90\n"
	        "driver %d\ncublaslt 130000\ncublaslt %s\n",
	        CUDA_VERSION, known);
	fclose(f);
}

/* Whose kernel the last product was by: each says how long it takes. */
static bool ran_ours(const Case *c)
{
	const char *pace = getenv("FAKE_CUDA_MICROSECONDS");
	return c->own && strcmp(pace, c->us ? c->us : "5000") == 0;
}

/* With a bias after it, a [20,8] and b [12,20] in bf16. */
static void multiply_narrow(NnrPlan **plan, const NnrProductShape *s, const Case *c, const float *a,
                            const float *b, const float *bias, float *y)
{
	static _Alignas(16) uint16_t a16[160], b16[240], y16[96], bias16[16];
	NnrKernel kernel = {.name = c->after, .blocks = 1, .threads = 1};
	NnrEpilogue epilogue = {.kernel = &kernel, .arguments = "yb", .narrow_bias = !s->wide};
	nnr_halve(a16, a, 160, true);
	nnr_halve(b16, b, 240, true);
	nnr_halve(bias16, bias, 16, true);
	if (s->wide) {
		nnr_cublas_matmul_epilogue(plan, s, &epilogue, NNR_BF16, a16, b16, NULL, bias, y);
		return;
	}
	nnr_cublas_matmul_epilogue(plan, s, &epilogue, NNR_BF16, a16, b16, NULL, bias16, y16);
	for (int i = 0; i < 96; i++)
		y[i] = nnr_bf16_value(y16[i]);
}

static void multiply_by(NnrPlan **plan, const NnrProductShape *s, const Case *c, const float *a,
                        const float *b, float *y)
{
	static _Alignas(16) float memory[20];
	static _Alignas(16) float weight[16];
	const char *after = c->after;
	static int steps;
	float *bias = memory + c->begin + (c->shifts && steps++ % 2);
	NnrKernel kernel = {.name = after, .blocks = 1, .threads = 1};
	NnrEpilogue epilogue = {.kernel = &kernel, .arguments = "yb"};
	for (int64_t i = 0; i < 16; i++)
		bias[i] = (float)bias_of(i);
	for (int64_t i = 0; i < 16; i++)
		weight[i] = (float)weight_of(i);
	if (c->narrow) {
		multiply_narrow(plan, s, c, a, b, bias, y);
	} else if (sums_rows(after)) {
		memset(row_sums, 0, sizeof row_sums);
		epilogue = (NnrEpilogue){
		        .kernel = &kernel, .activation = NNR_TANH, .row_sums = 1, .arguments = "ybwt"};
		nnr_cublas_matmul_row_sums(plan, s, &epilogue, NNR_F32, a, b, bias, weight, y, row_sums);
	} else if (after) {
		epilogue.activation = activation_of(after);
		nnr_cublas_matmul_epilogue(plan, s, &epilogue, NNR_F32, a, b, NULL, bias, y);
	} else {
		nnr_cublas_matmul(plan, s, NNR_F32, a, b, y);
	}
}

/* A training step of the product and one that could gather twice as much. */
static void step(NnrPlan **plan, const Case *c, const float *a, const float *b, float *y)
{
	NnrCarried part;
	cuda_carry_begin(1, 1);
	if (c->gathers)
		nnr_cuda_carry(ENOUGH_WORK, 0, &part);
	multiply_by(plan, &c->shape, c, a, b, y);
	cuda_carry_end();
}

/* Multiplies twice; the exit status says which algorithm was chosen, 99 our kernel, 100 that the result is wrong. */
static int multiply(void *context)
{
	static NnrCudaModel device = {.precision = "fp32"};
	static NnrInput input = {.name = "x"};
	static const NnrModel model = {.device = &device, .inputs = &input};
	Case *c = context;
	NnrKernel kernel = {
	        .name = c->own, .blocks = c->together ? 128 : 1, .threads = 1, .together = c->together};
	const NnrProductKernel own = {.kernel = &kernel, .partial = 64, .carries = c->us != NULL};
	NnrProductShape *s = &c->shape;
	float *a = matrix(s->ta ? s->k : s->m, or_else(s->lda, s->ta ? s->m : s->k));
	float *b = matrix(s->tb ? s->n : s->k, or_else(s->ldb, s->tb ? s->k : s->n));
	float *y = matrix(s->m, or_else(s->ldy, s->n));
	NnrPlan *plan = NULL;
	if (c->no_numbers)
		a[0] = NAN;
	setenv("FAKE_CUBLASLT", c->named, true);
	if (c->together)
		setenv("FAKE_CUDA_MULTIPROCESSORS", "114", true);
	if (c->full)
		setenv("FAKE_CUDA_MEMORY", "1", true);
	if (c->us)
		setenv("FAKE_PRODUCT_MICROSECONDS", c->us, true);
	if (c->right)
		setenv("FAKE_CUBLASLT_RIGHT", c->right, true);
	if (!c->goes_on)
		unlink(RECORD);
	if (c->known)
		write_record(c->known);
	nnr_cuda_load_driver();
	cuda_open_streams();
	nnr_cuda.model = &model;
	nnr_cuda.modules[nnr_cuda.module_count++] = (CUmodule) ""; /* with all kernels */
	nnr_cuda.has_warpgroups = !c->too_old;
	if (c->own) {
		device.precision = "tf32";
		s->own = &own;
	}
	if (c->gathers) {
		nnr_cuda.training = (NnrSupply){.batch = 640, .feed_count = 1};
		nnr_cuda.training.feeds[0] = (NnrFeed){
		        .from = (const uint8_t *)a, .transposed = (uint8_t *)b, .unit = 4, .units = 2560};
	}
	cuda_carry_open();
	int wrong = 0;
	if (c->bar > 0)
		tuning_set_bar(c->bar);
	for (int i = 0; i < 2; i++) {
		step(&plan, c, a, b, y);
		wrong += c->no_numbers ? 0 : mistakes(s, c->after, a, b, y);
		cuda_carry_share();
	}
	bool ours = ran_ours(c);
	NnrPlan *beside = NULL;
	NnrProductShape without = *s;
	without.own = NULL;
	if (s->own) {
		multiply_by(&beside, &without, c, a, b, y);
		wrong += mistakes(s, c->after, a, b, y);
	}
	nnr_cuda_tuning_done();
	FILE *tuned = fopen(TUNED, "w");
	cuda_put_tuned(tuned);
	fclose(tuned);
	return wrong ? 100 : ours ? OURS : (int)tune_setting(plan->entry, "algo", OURS);
}

static bool chooses(int algorithm, Case c, const char *says)
{
	Ended e = run_child(multiply, &c);
	bool ok = e.status == algorithm && strstr(e.said, says) && (*says || !strstr(e.said, "note"));
	if (!ok)
		printf("  %s ended with %d: %s\n", c.named, e.status, e.said);
	return ok;
}

static bool file_has(const char *file, const char *text)
{
	char all[8192];
	return read_whole(file, all, sizeof all) > 0 && strstr(all, text);
}

static bool record_has(const char *text)
{
	return file_has(RECORD, text);
}

/* Which plans were tried, and what they took: in the record, for a profile, and for one that only reads the record. */
static void says_what_was_tried(const NnrProductShape *s)
{
	CHECK(chooses(RIGHT, (Case){.named = "01", .shape = *s}, ""));
	CHECK(record_has("\n# tried ") && record_has(" form=0 algo=0\n"));
	CHECK(file_has(TUNED, "\"complete\": true, \"tried\": [[") &&
	      file_has(TUNED, ", \"form=0 algo=0\"]"));
	unlink(TUNED);
	CHECK(chooses(RIGHT, (Case){.named = "01", .shape = *s, .goes_on = true}, ""));
	CHECK(file_has(TUNED, "\"steps\": [") && file_has(TUNED, ", \"form=0 algo=0\"]"));
	CHECK(!file_has(TUNED, "word0"));
}

/* By the library when it is called, or by what it computes. */
static void refused(const NnrProductShape *s)
{
	static const char says[] = "cuBLASLt has no algorithm for `matmul";
	CHECK(chooses(RIGHT, (Case){.named = "401", .shape = *s}, ""));
	CHECK(chooses(STATUS_DEVICE, (Case){.named = "4", .shape = *s}, says));
	CHECK(chooses(STATUS_DEVICE, (Case){.named = "3", .shape = *s}, says));
	for (int algo = 3; algo < 5; algo++) { /* the record's */
		char known[256];
		snprintf(known, sizeof known,
		         "matmul fp32 batch 1 m 9 n 7 k 20 a mk b kn: form=0 algo=%d word0=%d | us=1 "
		         "runner_up=2 "
		         "first=3 candidates=2 workspace=0 state=partial next=2",
		         algo, algo);
		CHECK(chooses(RIGHT, (Case){.named = "01", .shape = *s, .known = known},
		              algo == 3 ? "1 of the library's plans for `matmul" : "does not work here"));
	}
	setenv("NNR_TUNE", "off", true);
	CHECK(chooses(RIGHT, (Case){.named = "41", .shape = *s}, ""));
	setenv("NNR_TUNE", RECORD, true);
}

/* The device is full, and the step's tensors hold NaN: nothing is compared, and the search not over. */
static void compares_nothing(const NnrProductShape *s)
{
	Case c = {.named = "01", .shape = *s, .full = true, .no_numbers = true};
	CHECK(chooses(RIGHT, c, "") && record_has("state=partial next=0"));
	c.full = false;
	CHECK(chooses(RIGHT, c, "") && record_has("state=complete"));
}

/* What is wanted for a convolution alone, and too slow for it, is no entry: neither complete nor to be continued. */
static void not_worth_it(const NnrProductShape *s)
{
	Case c = {.named = "01", .shape = *s, .bar = 20000};
	CHECK(chooses(RIGHT, c, "") && !record_has("matmul"));
	c.bar = 29000; /* a search may win that */
	CHECK(chooses(RIGHT, c, "") && record_has("state=complete"));
}

/* Our kernel is taken where it is the fastest, right and able to run; the record then says so, and which version of it.
 * A record of a search that knew an earlier one is continued. A step that has none, as a convolution's, and is the
 * same product gets the library's. */
static void by_our_kernel(void)
{
	static const char known[] = "matmul tf32 batch 1 m 8 n 12 k 20 a km b nk own: form=0 algo=1 word0=1 "
	                            "own=4 own_ns=900 | us=1 "
	                            "runner_up=2 first=3 candidates=2 workspace=0 state=complete";
	static const char slower[] = "matmul tf32 batch 1 m 8 n 12 k 20 a km b nk own: form=0 algo=1 word0=1 "
	                             "own=4 own_ns=1100 | us=1 "
	                             "runner_up=2 first=3 candidates=2 workspace=0 state=complete";
	static const char elsewhere[] = /* it was the faster on another device */
	        "matmul tf32 batch 1 m 8 n 12 k 20 a km b nk own: form=0 algo=1 word0=1 own=4 own_ns=-100 | "
	        "us=0 runner_up=0 first=0 candidates=0 workspace=0 state=complete";
	static const char earlier[] =
	        "matmul tf32 batch 1 m 8 n 12 k 20 a km b nk own: form=0 algo=1 word0=1 own=2 | us=1 "
	        "runner_up=2 first=3 candidates=2 workspace=0 state=complete";
	static const char alone[] =
	        "matmul tf32 batch 1 m 8 n 12 k 20 a km b nk own: form=2 own=2 | us=1 runner_up=2 first=3 "
	        "candidates=2 workspace=256 state=complete";
	Case c = {.named = "01", .own = "product_right"};
	c.shape = (NnrProductShape){.batch = 1, .m = 8, .n = 12, .k = 20, .ta = true, .tb = true};
	CHECK(chooses(OURS, c, "") && record_has("b nk own: form=0 algo=1 "));
	CHECK(record_has(
	        "own=4 own_ns=5000000 | us=30000.00 runner_up=40000.00 first=40000.00 candidates=3"));
	CHECK(record_has("b nk: form=0")); /* of the step beside it */
	c.known = known;
	CHECK(chooses(OURS, c, "") && record_has("own=4 own_ns=900 | us=1.00 "));
	c.known = slower;
	CHECK(chooses(RIGHT, c, "") && record_has("own=4 own_ns=1100 | us=1.00 "));
	c.known = elsewhere;
	CHECK(chooses(OURS, c, "") && record_has("own=4 own_ns=-100 | us=0.00 "));
	c.known = earlier;
	CHECK(chooses(OURS, c, "") && record_has("own=4 own_ns=5000000 | us=30000.00"));
	c.known = alone;
	CHECK(chooses(OURS, c, "") && record_has("own=4 own_ns=5000000 | us=30000.00"));
	c.too_old = true;
	CHECK(chooses(RIGHT, c, "") && record_has("b nk: form=0"));
	c.too_old = false;
	c.together = true;
	CHECK(chooses(RIGHT, c, ""));
	c.together = false;
	c.own = "product_wrong";
	CHECK(chooses(RIGHT, c, "1 of the library's plans for `matmul"));
}

/* A kernel of ours that gathers meanwhile is taken for that though it is slower than the library's, 30 ms, by what the
 * gather is worth: 2 us. A search that was cut after the library's candidates is continued, and ends. */
static void by_one_that_gathers(void)
{
	static const char cut[] = "matmul tf32 batch 1 m 8 n 12 k 20 a km b nk own: form=0 algo=1 word0=1 "
	                          "own=4 own_ns=900 | us=1 "
	                          "runner_up=2 first=3 candidates=2 workspace=0 state=partial next=2";
	Case c = {.named = "01", .own = "product_carrying", .us = "30001", .gathers = true};
	c.shape = (NnrProductShape){.batch = 1, .m = 8, .n = 12, .k = 20, .ta = true, .tb = true};
	CHECK(chooses(OURS, c, "") && record_has("nk own: form=0 algo=1 ") &&
	      record_has("own_ns=30001000 | us=30000.00"));
	c.us = "30003";
	CHECK(chooses(RIGHT, c, "") && record_has("own_ns=30003000 | us=30000.00"));
	c.us = "30001";
	c.gathers = false;
	CHECK(chooses(RIGHT, c, ""));
	c.known = cut;
	CHECK(chooses(RIGHT, c, "") && record_has("own_ns=30001000 | us=30000.00") &&
	      record_has("state=complete"));
}

/* A plan whose ReLU makes 0 of NaN would hide that a training has diverged. Where there is no room to look for that,
 * the library's activations are not taken. */
static void hides_nan(void)
{
	static const char known[] =
	        "matmul fp32 batch 1 m 8 n 12 k 20 a km b nk + bias + relu: form=2 algo=1 word0=1 | us=1 "
	        "runner_up=2 first=3 candidates=2 workspace=0 state=partial next=2";
	Case c = {.named = "01", .after = "after_relu"};
	c.shape = (NnrProductShape){.batch = 1, .m = 8, .n = 12, .k = 20, .ta = true, .tb = true};
	setenv("FAKE_CUBLASLT_FUSED", "1", true);
	setenv("FAKE_CUBLASLT_HIDES", "1", true);
	CHECK(chooses(
	        RIGHT, c,
	        "2 of the library's plans for `matmul fp32 batch 1 m 8 n 12 k 20 a km b nk + bias + relu` "
	        "hide NaN: left out"));
	c.known = known; /* the same algorithm with the kernel after it is tried all the same */
	CHECK(chooses(RIGHT, c, "hide NaN: left out") && record_has("+ relu: form=0 algo=1 "));
	unsetenv("FAKE_CUBLASLT_HIDES");
	c.full = true;
	CHECK(chooses(RIGHT, c, "") && record_has("+ relu: form=2 algo=1 ") && record_has("state=partial"));
	c.known = NULL;
	CHECK(chooses(RIGHT, c, "") && record_has("+ relu: form=0 algo=1 ") && record_has("state=partial"));
	c.full = false;
	c.goes_on = true;
	CHECK(chooses(FIRST, c, "") && record_has("+ relu: form=2 algo=0 ") && record_has("state=complete"));
	c.full = true; /* a bias hides nothing */
	c.goes_on = false;
	c.after = "after_bias";
	CHECK(chooses(FIRST, c, "") && record_has("+ bias: form=2 algo=0 ") && record_has("state=complete"));
}

/* What follows a product: by cuBLASLt where it has that and is the faster, else by the kernel after it, or by
 * our kernel for both; and from the record the same. Sums of rows cuBLASLt never has. */
static void with_epilogue(void)
{
	static const struct {
		const char *after, *own, *fused;
		int64_t begin;
		bool shifts;
		const char *us; /* of a kernel that carries */
		int chosen;
		const char *record;
	} cases[] = {
	        {"after_relu", NULL, "33000", 0, false, NULL, FIRST, "b nk + bias + relu: form=2 algo=0 "},
	        {"after_relu", NULL, "35000", 0, false, NULL, RIGHT, "b nk + bias + relu: form=0 algo=1 "},
	        {"after_tanh", NULL, "1", 0, false, NULL, RIGHT, "b nk + bias + tanh: form=0 algo=1 "},
	        {"after_tanh", NULL, "1", 1, false, NULL, RIGHT, "b nk + bias + tanh: form=0 algo=1 "},
	        {"after_relu", "product_relu", "33000", 0, false, NULL, OURS,
	         "b nk + bias + relu own: form=2 algo=0 "},
	        {"after_relu", "product_carrying_relu", "33000", 0, false, "5000", OURS,
	         "b nk + bias + relu own: form=2 algo=0 "},
	        {"after_row_sums", NULL, "1", 0, false, NULL, RIGHT,
	         "b nk + bias + tanh + row sums 1: form=0 algo=1 "},
	        {"after_row_sums", "product_row_sums", "1", 0, false, NULL, OURS,
	         "b nk + bias + tanh + row sums 1 own: form=0 algo=1 "},
	        {"after_relu", NULL, "33000", 1, false, NULL, RIGHT,
	         "b nk + bias + relu not aligned: form=0 algo=1 "},
	        {"after_relu", NULL, "33000", 0, true, NULL, RIGHT,
	         "b nk + bias + relu not aligned: form=0 algo=1 "},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = {.named = "01",
		          .after = cases[i].after,
		          .own = cases[i].own,
		          .begin = cases[i].begin,
		          .shifts = cases[i].shifts,
		          .us = cases[i].us};
		c.shape = (NnrProductShape){.batch = 1, .m = 8, .n = 12, .k = 20, .ta = true, .tb = true};
		setenv("FAKE_CUBLASLT_FUSED", cases[i].fused, true);
		for (int again = 0; again < 2; again++) {
			c.goes_on = again;
			CHECK(chooses(cases[i].chosen, c, "") && record_has(cases[i].record) &&
			      record_has("state=complete"));
		}
	}
	Case wrong = {.named = "01", .after = "after_row_sums", .own = "product_wrong_sums"};
	wrong.shape = (NnrProductShape){.batch = 1, .m = 8, .n = 12, .k = 20, .ta = true, .tb = true};
	CHECK(chooses(RIGHT, wrong, "something else than the others") && record_has("own_ns=0 "));
	hides_nan();
	unsetenv("FAKE_CUBLASLT_FUSED");
}

/* In 16 bits cuBLASLt takes a bias of the result's type: bf16, or f32 where that is wide. */
static void in_16_bits(void)
{
	static const struct {
		bool wide;
		const char *after, *fused;
		int chosen;
		const char *record;
	} cases[] = {
	        {false, "after_narrow_bias", "33000", FIRST, "b nk + narrow bias: form=2 algo=0 "},
	        {false, "after_narrow_bias", "35000", RIGHT, "b nk + narrow bias: form=0 algo=1 "},
	        {true, "after_bias", "33000", FIRST, "b nk y f32 + bias: form=2 algo=0 "},
	        {true, "after_bias", "35000", RIGHT, "b nk y f32 + bias: form=0 algo=1 "},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = {.named = "01", .after = cases[i].after, .narrow = true};
		c.shape = (NnrProductShape){
		        .batch = 1, .m = 8, .n = 12, .k = 20, .ta = true, .tb = true, .wide = cases[i].wide};
		setenv("FAKE_CUBLASLT_FUSED", cases[i].fused, true);
		CHECK(chooses(cases[i].chosen, c, "") && record_has(cases[i].record));
	}
	unsetenv("FAKE_CUBLASLT_FUSED");
}

/* A process that reads the record decides as the one that wrote it, whose times had more digits: a training that is
 * resumed runs by the same kernels. */
static void decides_alike(void)
{
	static const struct {
		const char *ours, *right;
		int chosen;
	} cases[] = {
	        {"1000.0041", "1000.0049", RIGHT}, /* 1000.00 both */
	        {"1000.004", "1000.006", OURS},
	        {"5.12670", "5.1267", RIGHT}, /* as long */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = {.named = "01",
		          .own = "product_carrying",
		          .us = cases[i].ours,
		          .right = cases[i].right};
		c.shape = (NnrProductShape){.batch = 1, .m = 8, .n = 12, .k = 20, .ta = true, .tb = true};
		for (int again = 0; again < 2; again++) {
			c.goes_on = again;
			CHECK(chooses(cases[i].chosen, c, "") && record_has("state=complete"));
		}
	}
}

/* Extents that are no multiple of four elements, in rows that are: two products, whose parts of the result meet without
 * a gap, and whose sums along k come to one. Where all three are odd, a part is two again. Not where rows are odd. */
static void in_two(void)
{
	static const struct {
		NnrProductShape shape;
		const char *parts[3];
	} cases[] = {
	        {{.m = 3, .n = 65, .k = 8, .tb = true, .ldy = 68}, {"m 3 n 64 k 8 ", "m 3 n 1 k 8 "}},
	        {{.m = 3, .n = 66, .k = 8, .ldb = 68, .ldy = 72}, {"m 3 n 66 k 8 "}},
	        {{.m = 3, .n = 130, .k = 8, .ldb = 132, .ldy = 132}, {"m 3 n 128 k 8 ", "m 3 n 2 k 8 "}},
	        {{.m = 65, .n = 4, .k = 8, .ta = true, .lda = 68}, {"m 64 n 4 k 8 ", "m 1 n 4 k 8 "}},
	        {{.m = 65, .n = 4, .k = 8}, {"m 65 n 4 k 8 "}}, /* m counts rows */
	        {{.m = 3, .n = 4, .k = 65, .lda = 68}, {"m 3 n 4 k 64 ", "m 3 n 4 k 1 "}},
	        {{.m = 3, .n = 4, .k = 65, .tb = true, .lda = 68, .ldb = 72}, {"n 4 k 64 ", "n 4 k 1 "}},
	        {{.m = 65, .n = 65, .k = 129, .ta = true, .tb = true, .lda = 68, .ldb = 132, .ldy = 68},
	         {"m 64 n 64 k 128 ", "m 1 n 64 k 128 ", "m 1 n 1 k 129 "}},
	        {{.m = 3, .n = 65, .k = 8, .tb = true}, {"m 3 n 65 k 8 "}},
	};
	const double from = cublas_parts_from;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int full = 0; full < 2; full++) {
			Case c = {.named = "01", .shape = cases[i].shape, .full = full};
			c.shape.batch = 1;
			cublas_parts_from =
			        200; /* so that the corner alone is whole where all three are odd */
			CHECK(chooses(RIGHT, c, ""));
			for (int k = 0; k < 3 && cases[i].parts[k]; k++)
				CHECK(record_has(cases[i].parts[k]));
			cublas_parts_from = from;
			CHECK(chooses(RIGHT, c, ""));
		}
}

int main(int argc, char **argv)
{
	static const NnrProductShape shapes[] = {
	        {.batch = 1, .m = 9, .n = 7, .k = 20},
	        {.batch = 1, .m = 9, .n = 1, .k = 20, .tb = true},
	        {.batch = 1, .m = 9, .n = 7, .k = 20, .ta = true, .lda = 12, .ldb = 8, .ldy = 16},
	};
	static char driver[4096];
	if (argc != 3 || !realpath(argv[1], driver))
		return 2;
	/* by its soname, it is then the library that is found */
	if (!dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL))
		die(STATUS_DEVICE, "%s", dlerror());
	setenv("NNR_LIBCUDA", driver, true);
	setenv("NNR_TUNE", RECORD, true);
	child_folder_make();
	says_what_was_tried(&shapes[0]);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (int full = 0; full < 2; full++) {
			const NnrProductShape s = shapes[i];
			CHECK(chooses(RIGHT, (Case){.named = "01", .shape = s, .full = full}, ""));
			CHECK(chooses(RIGHT, (Case){.named = "10", .shape = s, .full = full}, ""));
			CHECK(chooses(RIGHT, (Case){.named = "012", .shape = s, .full = full},
			              "something else than the others"));
			CHECK(chooses(RIGHT, (Case){.named = "021", .shape = s, .full = full},
			              "of the library's plans for `matmul fp32 batch 1 m 9"));
		}
	CHECK(chooses(RIGHT, (Case){.named = "015", .shape = shapes[0]}, "or less precisely: left out"));
	CHECK(chooses(RIGHT, (Case){.named = "0123", .shape = shapes[0]},
	              "2 of the library's plans for `matmul"));
	refused(&shapes[0]);
	compares_nothing(&shapes[0]);
	not_worth_it(&shapes[0]);
	in_two();
	by_our_kernel();
	by_one_that_gathers();
	decides_alike();
	with_epilogue();
	in_16_bits();
	CHECK(chooses(RIGHT, (Case){.named = "301", .shape = shapes[0]},
	              "1 of the library's plans for `matmul"));
	return check_report("cuda, products by cuBLASLt");
}
