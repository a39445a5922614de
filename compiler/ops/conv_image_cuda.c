/* The kernels of conv_image.h, by plain loops. */
#include "ops/conv_image.h"
#include "ops/lanes.h"

enum { MOST_BLOCKS = 264 };

bool conv_image_plan(const ConvShape *s, DType dtype, bool gradient, const Target *t, ConvImagePlan *plan)
{
	(void)dtype;
	(void)gradient;
	(void)t;
	int64_t tiles = s->batch * conv_image_tiles(s, 1);
	*plan = (ConvImagePlan){.rows = 1, .buffers = 1, .blocks = tiles < MOST_BLOCKS ? tiles : MOST_BLOCKS};
	return s->filters % 16 == 0;
}

int64_t conv_image_shared(const Node *n)
{
	(void)n;
	return 0;
}

int64_t conv_image_threads(const Node *n)
{
	return CUDA_THREADS * node_int(n, node_is(n, "conv") ? "blocks" : "parts");
}

void conv_image_fprop_emit_cuda(KernelText *k, const Node *n)
{
	ConvShape s;
	conv_shape(n, &s);
	const Window *w = &s.win;
	long long threads = conv_image_threads(n), P = w->out[0], Q = w->out[1], K = s.filters;
	kernel_open(k, "for (int i = blockIdx.x * %d + threadIdx.x; i < %lld; i += %lld)", CUDA_THREADS,
	            (long long)s.batch * P * Q * K, threads);
	write_line(k->w, "const int row = i / %lld, c = i %% %lld;", K, K);
	write_line(k->w, "const int n = row / %lld, p = row / %lld %% %lld, q = row %% %lld;", P * Q, Q, P,
	           Q);
	write_line(k->w, "float sum = 0;");
	kernel_open(k, "for (int d = 0; d < %lld; d++)", (long long)(w->size[0] * w->size[1] * s.channels));
	write_line(k->w, "const int h = p * %lld + d / %lld - %lld, v = q * %lld + d / %lld %% %lld - %lld;",
	           (long long)w->stride[0], (long long)(w->size[1] * s.channels), (long long)w->pad[0],
	           (long long)w->stride[1], (long long)s.channels, (long long)w->size[1],
	           (long long)w->pad[1]);
	write_line(k->w, "if (h >= 0 && h < %lld && v >= 0 && v < %lld)", (long long)w->in[0],
	           (long long)w->in[1]);
	write_line(k->w,
	           "\tsum += (float)x[((n * %lld + h) * %lld + v) * %lld + d %% %lld] * (float)w[c * %lld + "
	           "d];",
	           (long long)w->in[0], (long long)w->in[1], (long long)s.channels, (long long)s.channels,
	           (long long)(w->size[0] * w->size[1] * s.channels));
	kernel_close(k, 1);
	kernel_epilogue(k, "row", "c", "sum");
	kernel_close(k, 1);
}

void conv_image_wgrad_emit_cuda(KernelText *k, const Node *n)
{
	ConvShape s;
	conv_shape(n, &s);
	const Window *w = &s.win;
	long long rows = node_int(n, "rows"), tiles = conv_image_tiles(&s, rows), P = w->out[0],
	          Q = w->out[1], C = s.channels, S = w->size[1], R = w->size[0];
	kernel_open(k, "for (int i = threadIdx.x; i < %lld; i += %d)", (long long)s.filters * R * S * C,
	            CUDA_THREADS);
	write_line(k->w, "const int k = i / %lld, r = i / %lld %% %lld, s = i / %lld %% %lld, c = i %% %lld;",
	           R * S * C, S * C, R, C, S, C);
	write_line(k->w, "float sum = 0;");
	kernel_open(k, "for (int tile = blockIdx.x; tile < %lld; tile += %lld)", (long long)s.batch * tiles,
	            (long long)node_int(n, "parts"));
	write_line(k->w, "const int n = tile / %lld, first = tile %% %lld * %lld;", tiles, tiles, rows);
	kernel_open(k, "for (int p = first; p < first + %lld && p < %lld; p++)", rows, P);
	kernel_open(k, "for (int q = 0; q < %lld; q++)", Q);
	write_line(k->w, "const int h = p * %lld + r - %lld, v = q * %lld + s - %lld;",
	           (long long)w->stride[0], (long long)w->pad[0], (long long)w->stride[1],
	           (long long)w->pad[1]);
	write_line(k->w, "if (h >= 0 && h < %lld && v >= 0 && v < %lld)", (long long)w->in[0],
	           (long long)w->in[1]);
	write_line(k->w,
	           "\tsum += (float)dy[((n * %lld + p) * %lld + q) * %lld + k] * (float)x[((n * %lld + h) * "
	           "%lld + v) * %lld + c];",
	           P, Q, (long long)s.filters, (long long)w->in[0], (long long)w->in[1], C);
	kernel_close(k, 3);
	write_line(k->w, "const int row = blockIdx.x * %lld + i / %lld;", (long long)s.filters * R * S, C);
	kernel_epilogue(k, "row", "c", "sum");
	kernel_close(k, 1);
}
