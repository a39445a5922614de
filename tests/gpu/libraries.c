/* SPDX-License-Identifier: MIT */
/* cuDNN and cuBLASLt as the runtime calls them, on a GPU: every result against plain loops in double, and what
 * tuning found. On a machine with an NVIDIA GPU:
 *
 * NNR_TUNE=/tmp/libraries.tune build/tests/gpu/gpu_libraries [tf32] [fp32] [bf16] [fp16] [conv] [epilogue]
 * [matmul] [own] [beside] [attention] [NUMBER...] [small]
 *
 * Words select, and numbers, of convolutions, as they are printed; none: all; `small`, the last: of our products
 * the small ones alone. A second run with the same NNR_TUNE takes the plans from the record (made in milliseconds
 * instead of a second), and checks them as well. A case that the library refuses counts as failed; the next goes
 * on.
 *
 * Tolerance: a result r, a sum of n products of numbers from [-1, 1], may differ by rounding * |r| + noise *
 * sqrt(n) / 3 (the root mean square of such a sum). Large results are compared at random places. In the plain form
 * of a convolution with an epilogue f(s + residual + bias) the sum s is stored as well, in the data's type, before
 * the kernel after it reads it: it is off by rounding * |s| however small the result is. This moves the result by
 * what f makes of it, at most the larger of |f(v + rounding * |s|) - f(v)| and |f(v - rounding * |s|) - f(v)|: f
 * is monotone there, or, at the minimum of gelu or silu, flat. The other forms keep s in f32, and are not granted
 * this.
 *
 * fp32's noise is that of Winograd's transforms: the weight gradient of 3x3 windows by cuDNN's was off by 1.1e-4,
 * of 100,352 terms; sums of products as they are by 7e-6 (tf32: 2e-3). */
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/cuda/plan.h"
#include "tests/gpu/attention.h"
#include "tests/gpu/case.h"
#include "tests/gpu/epilogues.h"
#include "tests/gpu/products.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Arithmetic arithmetics[] = {
        {"tf32", "tf32", NNR_F32, 0, 4e-3},
        {"fp32", "fp32", NNR_F32, 0, 2e-4},
        {"bf16", "bf16", NNR_BF16, 1.0 / 256, 1e-3},
        {"fp16", "fp16", NNR_F16, 1.0 / 2048, 1e-3},
};
enum { ARITHMETICS = sizeof arithmetics / sizeof *arithmetics };

/* ---- convolutions */

typedef struct ConvCase {
	int64_t n, h, w, c, k, r, s;
	int64_t stride, pad[4], dilation, groups;
	int64_t begin; /* elements of other parameters ahead of w, and of the bias */
} ConvCase;

#define SQUARE_PAD(p)      \
	{                  \
		p, p, p, p \
	}
static const ConvCase convs[] = {
        /* ResNet-50 at 32x32, batch 128 */
        {128, 32, 32, 3, 64, 7, 7, 2, SQUARE_PAD(3), 1, 1, 0},
        {128, 8, 8, 64, 64, 1, 1, 1, SQUARE_PAD(0), 1, 1, 0},
        {128, 8, 8, 64, 64, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {128, 8, 8, 64, 256, 1, 1, 1, SQUARE_PAD(0), 1, 1, 0},
        {128, 8, 8, 128, 128, 3, 3, 2, SQUARE_PAD(1), 1, 1, 0},
        {128, 8, 8, 256, 512, 1, 1, 2, SQUARE_PAD(0), 1, 1, 0},
        {128, 4, 4, 128, 128, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {128, 2, 2, 1024, 256, 1, 1, 1, SQUARE_PAD(0), 1, 1, 0},
        {128, 2, 2, 256, 256, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {128, 1, 1, 512, 512, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {128, 1, 1, 512, 2048, 1, 1, 1, SQUARE_PAD(0), 1, 1, 0},
        {128, 2, 2, 512, 512, 3, 3, 2, SQUARE_PAD(1), 1, 1, 0},
        {128, 2, 2, 1024, 2048, 1, 1, 2, SQUARE_PAD(0), 1, 1, 0},
        /* ResNet-50 at 224x224 */
        {32, 224, 224, 3, 64, 7, 7, 2, SQUARE_PAD(3), 1, 1, 0},
        {32, 56, 56, 64, 64, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {32, 56, 56, 256, 64, 1, 1, 1, SQUARE_PAD(0), 1, 1, 0},
        {32, 28, 28, 128, 128, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {32, 14, 14, 256, 256, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        /* the MNIST CNN */
        {128, 28, 28, 1, 16, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        /* odd sizes, strides, padding of one side, dilation, groups */
        {3, 9, 7, 5, 7, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {2, 11, 13, 6, 10, 5, 3, 2, SQUARE_PAD(2), 1, 1, 0},
        {2, 12, 12, 8, 8, 3, 3, 2, {0, 0, 1, 1}, 1, 1, 0},
        {4, 17, 17, 16, 24, 2, 2, 1, {0, 1, 1, 0}, 1, 1, 0},
        {4, 15, 15, 32, 32, 3, 3, 1, SQUARE_PAD(2), 2, 1, 0},
        {4, 14, 14, 32, 64, 3, 3, 1, SQUARE_PAD(1), 1, 4, 0},
        {4, 14, 14, 32, 32, 3, 3, 2, SQUARE_PAD(1), 1, 32, 0},
        {16, 27, 27, 96, 256, 5, 5, 1, SQUARE_PAD(2), 1, 2, 0},
        {1, 10, 10, 33, 1, 3, 3, 3, SQUARE_PAD(0), 1, 1, 0},
        /* taps that never meet the image, in one direction or both */
        {8, 1, 6, 16, 24, 3, 3, 1, SQUARE_PAD(1), 1, 1, 0},
        {8, 2, 3, 16, 8, 5, 5, 2, SQUARE_PAD(2), 1, 1, 0},
        {4, 1, 1, 32, 64, 3, 3, 1, SQUARE_PAD(1), 1, 4, 0},
        /* weights and bias that begin 4, 8 or 12 bytes after a multiple of 16, in f32 */
        {8, 6, 6, 16, 16, 3, 3, 1, SQUARE_PAD(1), 1, 1, 1},
        {5, 1, 1, 12, 12, 1, 1, 1, SQUARE_PAD(0), 1, 1, 2},
        {5, 2, 2, 16, 16, 3, 3, 1, SQUARE_PAD(1), 1, 4, 2},
        {5, 2, 2, 16, 8, 3, 3, 1, SQUARE_PAD(2), 2, 1, 2},
        {8, 6, 6, 16, 8, 3, 3, 2, SQUARE_PAD(1), 1, 1, 3},
};

static const char *const kind_names[] = {"fprop", "dgrad", "wgrad"};

static void run_conv(Case *c, NnrPlan **plan)
{
	NnrDType dtype = gpu.arithmetic->dtype;
	void *x = (void *)c->x.at, *w = (void *)c->w.at, *y = (void *)c->y.at;
	if (c->kind == 0)
		nnr_cudnn_conv_fprop(plan, c->shape, dtype, x, w, y);
	else if (c->kind == 1)
		nnr_cudnn_conv_dgrad(plan, c->shape, dtype, y, w, x);
	else
		nnr_cudnn_conv_wgrad(plan, c->shape, dtype, x, y, w);
}

/* Where a tap of the filter meets x and y. */
typedef struct Place {
	int64_t h, w, p, q, r, s;
} Place;

/* The sum at one place over n, k and the channels of k's group, from low to high: [0], [3] and [6]. */
static double exact_place(const Case *cs, const NnrConvShape *s, Place a, const int64_t low[7],
                          const int64_t high[7])
{
	int64_t group_c = s->channels / s->groups, group_k = s->filters / s->groups;
	double sum = 0;
	for (int64_t n = low[0]; n < high[0]; n++)
		for (int64_t k = low[3]; k < high[3]; k++) {
			const double *x = cs->x.value, *w = cs->w.value, *y = cs->y.value;
			if (x)
				x += ((n * s->in[0] + a.h) * s->in[1] + a.w) * s->channels +
				     k / group_k * group_c;
			if (w)
				w += ((k * s->size[0] + a.r) * s->size[1] + a.s) * group_c;
			double dy = y ? y[((n * s->out[0] + a.p) * s->out[1] + a.q) * s->filters + k] : 1;
			for (int64_t c = low[6]; c < high[6]; c++)
				sum += (x ? x[c] : 1) * (w ? w[c] : 1) * dy;
		}
	return sum;
}

/* The sum over all places (n,p,q,k) of y and (r,s,c) of w that meet the element: of x, w or y, by `kind`. */
static double exact_conv(const Case *cs, int64_t i)
{
	const NnrConvShape *s = cs->shape;
	int64_t H = s->in[0], W = s->in[1], C = s->channels, P = s->out[0], Q = s->out[1], K = s->filters;
	int64_t R = s->size[0], S = s->size[1], group_c = C / s->groups, group_k = K / s->groups;
	int64_t low[7] = {0}, high[7] = {s->batch, P, Q, K, R, S, group_c}; /* n p q k r s c of the loops */
	int64_t h = -1, w = -1;
	if (cs->kind == 0) {
		low[3] = i % K, low[2] = i / K % Q, low[1] = i / K / Q % P, low[0] = i / K / Q / P;
		for (int d = 0; d < 4; d++)
			high[d] = low[d] + 1;
	} else if (cs->kind == 1) {
		int64_t c = i % C;
		w = i / C % W, h = i / C / W % H, low[0] = i / C / W / H, high[0] = low[0] + 1;
		low[6] = c % group_c, high[6] = low[6] + 1;
		low[3] = c / group_c * group_k, high[3] = low[3] + group_k;
	} else {
		low[6] = i % group_c, low[5] = i / group_c % S, low[4] = i / group_c / S % R,
		low[3] = i / group_c / S / R;
		for (int d = 3; d < 7; d++)
			high[d] = low[d] + 1;
	}
	double sum = 0;
	for (int64_t r = low[4]; r < high[4]; r++)
		for (int64_t t = low[5]; t < high[5]; t++) {
			if (cs->kind == 1) { /* the only place of y that this tap can meet the element from */
				low[1] = (h + s->pad[0] - r * s->dilation[0]) / s->stride[0];
				low[2] = (w + s->pad[1] - t * s->dilation[1]) / s->stride[1];
				high[1] = low[1] < P ? low[1] + 1 : 0;
				high[2] = low[2] < Q ? low[2] + 1 : 0;
			}
			for (int64_t p = low[1]; p < high[1]; p++)
				for (int64_t q = low[2]; q < high[2]; q++) {
					int64_t y = p * s->stride[0] - s->pad[0] + r * s->dilation[0];
					int64_t x = q * s->stride[1] - s->pad[1] + t * s->dilation[1];
					if (y < 0 || y >= H || x < 0 || x >= W || p < 0 || q < 0)
						continue;
					if (cs->kind == 1 && (y != h || x != w))
						continue;
					sum += exact_place(cs, s, (Place){y, x, p, q, r, t}, low, high);
				}
		}
	return sum;
}

/* The taps that meet the image, as the compiler finds them (conv_live_taps). */
static void state_live(NnrConvShape *s)
{
	for (int d = 0; d < 2; d++) {
		int64_t first = s->size[d], last = 0;
		for (int64_t tap = 0; tap < s->size[d]; tap++)
			for (int64_t p = 0; p < s->out[d]; p++) {
				int64_t at = p * s->stride[d] + tap * s->dilation[d] - s->pad[d];
				if (at < 0 || at >= s->in[d])
					continue;
				first = tap < first ? tap : first;
				last = tap;
			}
		s->live[d] = first;
		s->live[2 + d] = last - first + 1;
	}
}

static NnrConvShape shape_of(const ConvCase *v)
{
	NnrConvShape s = {.batch = v->n,
	                  .channels = v->c,
	                  .filters = v->k,
	                  .groups = v->groups,
	                  .in = {v->h, v->w},
	                  .size = {v->r, v->s},
	                  .stride = {v->stride, v->stride},
	                  .dilation = {v->dilation, v->dilation}};
	memcpy(s.pad, v->pad, sizeof s.pad);
	for (int d = 0; d < 2; d++)
		s.out[d] = (s.in[d] + s.pad[d] + s.pad[d + 2] - s.dilation[d] * (s.size[d] - 1) - 1) /
		                   s.stride[d] +
		           1;
	state_live(&s);
	return s;
}

static void test_conv(const ConvCase *v, int kind)
{
	NnrConvShape s = shape_of(v);
	NnrDType dtype = gpu.arithmetic->dtype;
	int64_t x = v->n * v->h * v->w * v->c, w = v->k * v->r * v->s * (v->c / v->groups);
	int64_t y = v->n * s.out[0] * s.out[1] * v->k;
	int64_t k_terms = v->r * v->s;
	Case c = {.name = kind_names[kind], .run = run_conv, .exact = exact_conv, .shape = &s, .kind = kind};
	c.x = kind == 1 ? tensor_new_result(dtype, x) : tensor_new(dtype, x);
	c.w = kind == 2 ? tensor_new_result(NNR_F32, w) : tensor_new(dtype, w);
	tensor_shift(&c.w, v->begin);
	c.y = kind == 0 ? tensor_new_result(dtype, y) : tensor_new(dtype, y);
	c.result = kind == 0 ? &c.y : kind == 1 ? &c.x : &c.w;
	c.terms = kind == 0   ? k_terms * (v->c / v->groups)
	          : kind == 1 ? k_terms * (v->k / v->groups)
	                      : v->n * s.out[0] * s.out[1];
	c.flops = 2.0 * (double)y * (double)(k_terms * (v->c / v->groups));
	run_case(&c);
	free_case(&c);
}

/* ---- convolutions with an epilogue */

static void run_epilogue(Case *c, NnrPlan **plan)
{
	nnr_cudnn_conv_epilogue(plan, c->shape, c->epilogue, gpu.arithmetic->dtype, (void *)c->x.at,
	                        (void *)c->w.at, (void *)c->residual.at, (void *)c->bias.at, (void *)c->y.at);
}

static double added_behind(const Case *c, int64_t i)
{
	const NnrConvShape *s = c->shape;
	return (c->residual.at ? c->residual.value[i] : 0) + (c->bias.at ? c->bias.value[i % s->filters] : 0);
}

static double exact_epilogue(const Case *c, int64_t i)
{
	return epilogue_activate(c->epilogue, exact_conv(c, i) + added_behind(c, i));
}

static double carried_rounding(const Case *c, int64_t i)
{
	return epilogue_moves(c->epilogue, exact_conv(c, i), added_behind(c, i), gpu.arithmetic->rounding);
}

static void test_epilogue(const ConvCase *v, const NnrEpilogue *e)
{
	NnrConvShape s = shape_of(v);
	NnrDType dtype = gpu.arithmetic->dtype;
	int64_t y = v->n * s.out[0] * s.out[1] * v->k, taps = v->r * v->s * (v->c / v->groups);
	Case c = {.name = epilogue_name(e),
	          .run = run_epilogue,
	          .exact = exact_epilogue,
	          .carried = carried_rounding,
	          .shape = &s,
	          .epilogue = e};
	c.x = tensor_new(dtype, v->n * v->h * v->w * v->c);
	c.w = tensor_new(dtype, v->k * taps);
	tensor_shift(&c.w, v->begin);
	c.y = tensor_new_result(dtype, y);
	if (strchr(e->arguments, 'r'))
		c.residual = tensor_new(dtype, y);
	if (strchr(e->arguments, 'b'))
		c.bias = tensor_new(NNR_F32, v->k);
	tensor_shift(&c.bias, v->begin);
	c.result = &c.y;
	c.terms = taps;
	c.flops = 2.0 * (double)y * (double)taps;
	epilogue_load_kernel(e, dtype, y, v->k);
	run_case(&c);
	tensor_spoil(&c.x); /* NaN must pass, or a relu would hide a training that diverges */
	NnrPlan *plan = NULL;
	c.run(&c, &plan);
	unsigned char *raw = tensor_download(&c.y);
	bool nan = isnan(tensor_load(dtype, raw, 0)); /* the first pixel meets the image in all cases */
	judge_case(nan, &c, "hides NaN");
	free(raw);
	free_case(&c);
}

/* ---- all of them */

/* By the numbers among the words, where there are some. */
static bool number_selected(int argc, char **argv, size_t number)
{
	bool any = false;
	for (int i = 1; i < argc; i++) {
		char *end;
		unsigned long wanted = strtoul(argv[i], &end, 10);
		if (!*end && wanted == number)
			return true;
		any |= !*end;
	}
	return !any;
}

static bool selected(int argc, char **argv, const char *word, const char *const *group)
{
	bool any = false;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], word))
			return true;
		for (const char *const *g = group; *g; g++)
			any |= !strcmp(argv[i], *g);
	}
	return !any;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"tf32", "fp32", "bf16", "fp16", NULL};
	static const char *const kinds[] = {"conv", "epilogue", "matmul", "own", "beside", "attention", NULL};
	program_set_name(argv[0]);
	progress_begin(PROGRESS_AUTO, false);
	setvbuf(stdout, NULL, _IOLBF, 0); /* all that was seen is in the log of a call that is cut */
	start_gpu();
	gpu.small = argc > 1 && strcmp(argv[argc - 1], "small") == 0;
	double began = clock_seconds();
	for (int i = 0; i < ARITHMETICS; i++) {
		gpu.arithmetic = &arithmetics[i];
		if (!selected(argc, argv, arithmetics[i].name, names))
			continue;
		for (size_t k = 0; k < sizeof convs / sizeof *convs; k++) {
			bool alone = selected(argc, argv, "conv", kinds),
			     fused = selected(argc, argv, "epilogue", kinds);
			if ((!alone && !fused) || !number_selected(argc, argv, k))
				continue;
			const ConvCase *v = &convs[k];
			gpu.deterministic = k % 5 == 4;
			printf("%zu: %s x %lldx%lldx%lldx%lld w %lldx%lldx%lld stride %lld pad "
			       "%lld,%lld,%lld,%lld dilation %lld groups "
			       "%lld%s\n",
			       k, arithmetics[i].name, (long long)v->n, (long long)v->h, (long long)v->w,
			       (long long)v->c, (long long)v->k, (long long)v->r, (long long)v->s,
			       (long long)v->stride, (long long)v->pad[0], (long long)v->pad[1],
			       (long long)v->pad[2], (long long)v->pad[3], (long long)v->dilation,
			       (long long)v->groups, gpu.deterministic ? " deterministic" : "");
			for (int kind = 0; kind < 3 && alone; kind++)
				test_conv(v, kind);
			if (fused)
				test_epilogue(v, &epilogues[k % epilogue_count]);
		}
		gpu.deterministic = false;
		if (selected(argc, argv, "matmul", kinds))
			test_products();
		if (selected(argc, argv, "beside", kinds))
			test_beside();
		if (selected(argc, argv, "attention", kinds))
			test_attention();
		if (selected(argc, argv, "own", kinds)) {
			test_own_products();
			test_own_gathers();
			test_own_beside();
		}
	}
	nnr_cuda_tuning_done();
	printf("%.1f s\nlibraries: %d passed, %d failed, 0 skipped\n", clock_seconds() - began, passed,
	       failed);
	return failed != 0;
}
