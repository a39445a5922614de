/* SPDX-License-Identifier: MIT */
/* Products with a tensor beside their result, or added to it, on a fake driver and a fake cuBLASLt: by the library's
 * epilogue and by the kernel after a plain product, each against plain loops; which of the two is taken, tuned, from
 * the record and without.
 *
 *     beside FAKE_LIBCUDA FAKE_LIBCUBLASLT */
#include "runtime/host/die.h"
#include "runtime/cuda/cublas_choice.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/state.h"
#include "runtime/nnr_half.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <dlfcn.h>
#include <math.h>

enum { M = 8, N = 16, K = 24, ROOM = K * N };
enum { WRONG = 100 /* exit status; else the form that was taken */ };
static const char RECORD[] = "beside.tune";

typedef struct Tensors {
	_Alignas(256) uint16_t a[ROOM], b[ROOM], bias[N + 1], y[M * N], kept[M * N + 1];
	_Alignas(256) float wide[M * N], sums[N + 1];
} Tensors;

typedef struct Case {
	NnrBeside what; /* NNR_NOTHING: a residual */
	const char *after, *arguments;
	bool tb;
	const char *fused; /* what the library's epilogue takes; a product and the kernel after it 34000 */
	bool untuned, goes_on;
	int shift; /* elements ahead of what is beside */
} Case;

static void fill(Tensors *t)
{
	for (int i = 0; i < ROOM; i++) {
		t->a[i] = nnr_bf16_bits((float)(i % 13) / 8 - 0.75f);
		t->b[i] = nnr_bf16_bits((float)(i % 11) / 8 - 0.6f);
	}
	for (int i = 0; i < N; i++)
		t->bias[i] = nnr_bf16_bits((float)(i % 5) / 4 - 0.5f);
	for (int i = 0; i <= M * N; i++)
		t->kept[i] = nnr_bf16_bits((float)(i % 17) / 4 - 2);
}

static double gelu(double x)
{
	return x / 2 * (1 + tanh(sqrt(2 / acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

static double slope(double x)
{
	static const double step = 1e-5;
	return (gelu(x + step) - gelu(x - step)) / (2 * step);
}

static bool is_near(double got, double wanted, double rounding)
{
	return fabs(got - wanted) <= rounding * fmax(1, fabs(wanted));
}

/* With ta, as a weight gradient, where sums are wanted; else a is stored by rows. */
static double product(const Tensors *t, const NnrProductShape *s, int64_t i, int64_t j)
{
	double sum = 0;
	for (int64_t k = 0; k < K; k++)
		sum += (double)nnr_bf16_value(t->a[s->ta ? k * M + i : i * K + k]) *
		       (double)nnr_bf16_value(t->b[s->tb ? j * K + k : k * N + j]);
	return sum;
}

static int mistakes_of_sums(const Case *c, const Tensors *t, const NnrProductShape *s)
{
	const bool of_a = c->what == NNR_SUMS_OF_A;
	int found = 0;
	for (int64_t i = 0; i < M * N; i++)
		found += !is_near((double)t->wide[i], product(t, s, i / N, i % N), 1e-4);
	for (int64_t i = 0; i < (of_a ? M : N); i++) {
		double sum = 0;
		for (int64_t k = 0; k < K; k++)
			sum += (double)nnr_bf16_value(of_a ? t->a[k * M + i] : t->b[k * N + i]);
		found += !is_near((double)t->sums[i + c->shift], sum, 1e-4);
	}
	return found;
}

/* `t` as it is afterwards, `before` what it was. */
static int mistakes(const Case *c, const Tensors *t, const Tensors *before, const NnrProductShape *s)
{
	static const double ROUNDING = 0x1p-7;
	int found = 0;
	if (s->wide)
		return mistakes_of_sums(c, t, s);
	for (int64_t i = 0; i < M * N; i++) {
		const double sum = product(t, s, i / N, i % N),
		             kept = c->what == NNR_KEPT ? sum + (double)nnr_bf16_value(t->bias[i % N])
		                                        : (double)nnr_bf16_value(before->kept[i + c->shift]),
		             bias = (double)nnr_bf16_value(t->bias[i % N]);
		found += !is_near((double)nnr_bf16_value(t->kept[i + c->shift]), kept, ROUNDING);
		found += !is_near((double)nnr_bf16_value(t->y[i]),
		                  c->what == NNR_KEPT      ? gelu(kept)
		                  : c->what == NNR_NOTHING ? sum + bias + kept
		                                           : sum * slope(kept),
		                  ROUNDING);
	}
	return found;
}

static void multiply(NnrPlan **plan, const Case *c, Tensors *t, const NnrProductShape *s)
{
	NnrKernel kernel = {.name = c->after, .blocks = 1, .threads = 1};
	const NnrEpilogue e = {.kernel = &kernel,
	                       .arguments = c->arguments,
	                       .beside = c->what,
	                       .activation = c->what == NNR_KEPT ? NNR_GELU_TANH : NNR_IDENTITY,
	                       .narrow_bias = c->what == NNR_KEPT || c->what == NNR_NOTHING};
	if (c->what == NNR_SLOPE)
		nnr_cublas_matmul_slope(plan, s, &e, NNR_BF16, t->a, t->b, t->kept + c->shift, t->y);
	else if (c->what == NNR_NOTHING)
		nnr_cublas_matmul_epilogue(plan, s, &e, NNR_BF16, t->a, t->b, t->kept + c->shift, t->bias,
		                           t->y);
	else if (c->what == NNR_KEPT)
		nnr_cublas_matmul_beside(plan, s, &e, NNR_BF16, t->a, t->b, t->bias, t->y, t->kept + c->shift,
		                         NULL);
	else
		nnr_cublas_matmul_beside(plan, s, &e, NNR_BF16, t->a, t->b, NULL, t->wide, t->sums + c->shift,
		                         NULL);
}

/* Twice; the exit status is the form. */
static int run(void *context)
{
	static NnrCudaModel device = {.precision = "bf16"};
	static const NnrModel model = {.device = &device};
	static Tensors t, before;
	const Case *c = context;
	const bool sums = c->what == NNR_SUMS_OF_A || c->what == NNR_SUMS_OF_B;
	const NnrProductShape s = {.batch = 1, .m = M, .n = N, .k = K, .ta = sums, .tb = c->tb, .wide = sums};
	NnrPlan *plan = NULL;
	int wrong = 0;
	setenv("FAKE_CUBLASLT", "01", true);
	setenv("FAKE_CUBLASLT_FUSED", c->fused, true);
	if (!c->goes_on)
		unlink(RECORD);
	setenv("NNR_TUNE", c->untuned ? "off" : RECORD, true);
	nnr_cuda_load_driver();
	cuda_open_streams();
	nnr_cuda.model = &model;
	nnr_cuda.modules[nnr_cuda.module_count++] = (CUmodule) ""; /* with all kernels */
	for (int i = 0; i < 2; i++) {
		fill(&t);
		before = t;
		multiply(&plan, c, &t, &s);
		wrong += mistakes(c, &t, &before, &s);
	}
	nnr_cuda_tuning_done();
	return wrong ? WRONG : (int)tune_setting(plan->entry, "form", WRONG);
}

static bool takes(int form, Case c)
{
	Ended e = run_child(run, &c);
	if (e.status != form || *e.said)
		printf("  %s ended with %d: %s\n", c.after, e.status, e.said);
	return e.status == form && !*e.said;
}

static bool record_has(const char *text)
{
	char all[4096];
	return read_whole(RECORD, all, sizeof all) > 0 && strstr(all, text);
}

int main(int argc, char **argv)
{
	static const struct {
		Case c;
		const char *key;
	} cases[] = {
	        {{.what = NNR_KEPT, .after = "after_kept", .arguments = "ybk", .tb = true},
	         "b nk + narrow bias + gelu_tanh, kept"},
	        {{.what = NNR_NOTHING, .after = "after_residual", .arguments = "ybr", .tb = true},
	         "b nk + residual + narrow bias"},
	        {{.what = NNR_SLOPE, .after = "after_slope", .arguments = "ky"}, "b kn * slope of gelu_tanh"},
	        {{.what = NNR_SUMS_OF_A, .after = "after_sums_of_a", .arguments = "xs"},
	         "a km b kn y f32 + sums of a"},
	        {{.what = NNR_SUMS_OF_B, .after = "after_sums_of_b", .arguments = "xs"},
	         "a km b kn y f32 + sums of b"},
	};
	static char driver[4096];
	if (argc != 3 || !realpath(argv[1], driver))
		return 2;
	/* by its soname, it is then the library that is found */
	if (!dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL))
		die(STATUS_DEVICE, "%s", dlerror());
	setenv("NNR_LIBCUDA", driver, true);
	child_folder_make();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = cases[i].c;
		c.fused = "33000";
		CHECK(takes(FUSED, c) && record_has(cases[i].key) && record_has(": form=2 ") &&
		      record_has("state=complete"));
		c.goes_on = true;
		CHECK(takes(FUSED, c));
		c.goes_on = false;
		c.fused = "35000";
		CHECK(takes(TURNED, c) && record_has(": form=0 ") && record_has("state=complete"));
		c.untuned = true; /* the library's, whatever it takes */
		CHECK(takes(FUSED, c));
		c.shift = 1; /* which cuBLASLt is not shown */
		CHECK(takes(TURNED, c));
	}
	return check_report("cuda, products with a tensor beside");
}
