/* SPDX-License-Identifier: MIT */
/* oneDNN's batchnorm and pooling alone, at the shapes of networks: built and run by bench/norms, which sets nnc's steps
 * beside it. Written for oneDNN 2.x, whose interface Debian 12 has.
 *
 *     norms RUNS LINE...      LINE: batchnorm N H W C | maxpool N H W C SIZE STRIDE PAD | avgpool ...
 *
 * Prints for each line the least time of a forward and of a backward call in microseconds, and their sizes. Tensors are
 * nhwc, as nnc's are, and warm. Batchnorm is training's, with scale, shift and ReLU in the same call. */
#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call)                                                        \
	do {                                                               \
		dnnl_status_t status = (call);                             \
		if (status != dnnl_success) {                              \
			fprintf(stderr, "%s: status %d\n", #call, status); \
			exit(1);                                           \
		}                                                          \
	} while (0)

enum { MOST_ARGUMENTS = 10 };

static dnnl_engine_t engine;
static dnnl_stream_t stream;

typedef struct Call {
	dnnl_primitive_desc_t desc;
	dnnl_primitive_t primitive;
	dnnl_exec_arg_t arguments[MOST_ARGUMENTS];
	int count;
} Call;

static dnnl_memory_t memory_of(const dnnl_memory_desc_t *d)
{
	dnnl_memory_t m;
	void *data;
	CHECK(dnnl_memory_create(&m, d, engine, DNNL_MEMORY_ALLOCATE));
	CHECK(dnnl_memory_get_data_handle(m, &data));
	size_t count = dnnl_memory_desc_get_size(d) / sizeof(float);
	for (size_t i = 0; i < count; i++)
		((float *)data)[i] = (float)(rand() % 2001 - 1000) * 1e-3f;
	return m;
}

static void give(Call *c, int role, dnnl_memory_t memory)
{
	c->arguments[c->count++] = (dnnl_exec_arg_t){.arg = role, .memory = memory};
}

/* A tensor that the primitive wants under this role: the layout is its own choice. */
static dnnl_memory_t give_wanted(Call *c, dnnl_query_t what, int role)
{
	dnnl_memory_t m = memory_of(dnnl_primitive_desc_query_md(c->desc, what, 0));
	give(c, role, m);
	return m;
}

static double microseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double least_time(Call *c, int runs)
{
	double least = 1e30;
	for (int i = 0; i < runs; i++) {
		double begun = microseconds();
		CHECK(dnnl_primitive_execute(c->primitive, stream, c->count, c->arguments));
		CHECK(dnnl_stream_wait(stream));
		double took = microseconds() - begun;
		least = took < least ? took : least;
	}
	return least;
}

static dnnl_memory_desc_t image(const dnnl_dim_t *d)
{
	dnnl_memory_desc_t md;
	const dnnl_dims_t nchw = {d[0], d[3], d[1], d[2]};
	CHECK(dnnl_memory_desc_init_by_tag(&md, 4, nchw, dnnl_f32, dnnl_nhwc));
	return md;
}

static void time_batchnorm(const dnnl_dim_t *d, int runs, double time[2])
{
	const unsigned flags = dnnl_use_scale | dnnl_use_shift | dnnl_fuse_norm_relu;
	dnnl_memory_desc_t x = image(d), channels;
	dnnl_dims_t c = {d[3]};
	CHECK(dnnl_memory_desc_init_by_tag(&channels, 1, c, dnnl_f32, dnnl_x));
	dnnl_batch_normalization_desc_t desc;
	CHECK(dnnl_batch_normalization_forward_desc_init(&desc, dnnl_forward_training, &x, 1e-5f, flags));
	Call f = {0}, b = {0};
	CHECK(dnnl_primitive_desc_create(&f.desc, &desc, NULL, engine, NULL));
	CHECK(dnnl_primitive_create(&f.primitive, f.desc));
	dnnl_memory_t src = memory_of(&x), scale = memory_of(&channels), shift = memory_of(&channels),
	              mean = memory_of(&channels), variance = memory_of(&channels);
	give(&f, DNNL_ARG_SRC, src);
	give(&f, DNNL_ARG_DST, memory_of(&x));
	give(&f, DNNL_ARG_SCALE, scale);
	give(&f, DNNL_ARG_SHIFT, shift);
	give(&f, DNNL_ARG_MEAN, mean);
	give(&f, DNNL_ARG_VARIANCE, variance);
	dnnl_memory_t mask = give_wanted(&f, dnnl_query_workspace_md, DNNL_ARG_WORKSPACE);
	time[0] = least_time(&f, runs);

	CHECK(dnnl_batch_normalization_backward_desc_init(&desc, dnnl_backward, &x, &x, 1e-5f, flags));
	CHECK(dnnl_primitive_desc_create(&b.desc, &desc, NULL, engine, f.desc));
	CHECK(dnnl_primitive_create(&b.primitive, b.desc));
	give(&b, DNNL_ARG_SRC, src);
	give(&b, DNNL_ARG_DIFF_DST, memory_of(&x));
	give(&b, DNNL_ARG_DIFF_SRC, memory_of(&x));
	give(&b, DNNL_ARG_SCALE, scale);
	give(&b, DNNL_ARG_SHIFT, shift);
	give(&b, DNNL_ARG_MEAN, mean);
	give(&b, DNNL_ARG_VARIANCE, variance);
	give(&b, DNNL_ARG_DIFF_SCALE, memory_of(&channels));
	give(&b, DNNL_ARG_DIFF_SHIFT, memory_of(&channels));
	give(&b, DNNL_ARG_WORKSPACE, mask);
	time[1] = least_time(&b, runs);
}

static void time_pool(dnnl_alg_kind_t kind, const dnnl_dim_t *d, int runs, double time[2])
{
	const dnnl_dim_t size = d[4], stride = d[5], pad = d[6];
	const dnnl_dim_t out[4] = {d[0], (d[1] + 2 * pad - size) / stride + 1,
	                           (d[2] + 2 * pad - size) / stride + 1, d[3]};
	const dnnl_dims_t sizes = {size, size}, strides = {stride, stride}, left = {pad, pad},
	                  right = {(out[1] - 1) * stride + size - d[1] - pad,
	                           (out[2] - 1) * stride + size - d[2] - pad};
	dnnl_memory_desc_t x = image(d), y = image(out);
	dnnl_pooling_desc_t desc;
	CHECK(dnnl_pooling_forward_desc_init(&desc, dnnl_forward_training, kind, &x, &y, strides, sizes, left,
	                                     right));
	Call f = {0}, b = {0};
	CHECK(dnnl_primitive_desc_create(&f.desc, &desc, NULL, engine, NULL));
	CHECK(dnnl_primitive_create(&f.primitive, f.desc));
	give(&f, DNNL_ARG_SRC, memory_of(&x));
	give(&f, DNNL_ARG_DST, memory_of(&y));
	dnnl_memory_t chosen = NULL;
	if (kind == dnnl_pooling_max)
		chosen = give_wanted(&f, dnnl_query_workspace_md, DNNL_ARG_WORKSPACE);
	time[0] = least_time(&f, runs);

	CHECK(dnnl_pooling_backward_desc_init(&desc, kind, &x, &y, strides, sizes, left, right));
	CHECK(dnnl_primitive_desc_create(&b.desc, &desc, NULL, engine, f.desc));
	CHECK(dnnl_primitive_create(&b.primitive, b.desc));
	give(&b, DNNL_ARG_DIFF_DST, memory_of(&y));
	give(&b, DNNL_ARG_DIFF_SRC, memory_of(&x));
	if (chosen)
		give(&b, DNNL_ARG_WORKSPACE, chosen);
	time[1] = least_time(&b, runs);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "norms RUNS LINE...\n");
		return 2;
	}
	CHECK(dnnl_engine_create(&engine, dnnl_cpu, 0));
	CHECK(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
	for (int i = 2; i < argc; i++) {
		char kind[16];
		long d[7] = {0};
		int fields = sscanf(argv[i], "%15s %ld %ld %ld %ld %ld %ld %ld", kind, &d[0], &d[1], &d[2],
		                    &d[3], &d[4], &d[5], &d[6]);
		dnnl_dim_t dim[7];
		for (int k = 0; k < 7; k++)
			dim[k] = d[k];
		double time[2];
		if (fields == 5 && strcmp(kind, "batchnorm") == 0) {
			time_batchnorm(dim, atoi(argv[1]), time);
		} else if (fields == 8 && (strcmp(kind, "maxpool") == 0 || strcmp(kind, "avgpool") == 0)) {
			time_pool(kind[0] == 'm' ? dnnl_pooling_max : dnnl_pooling_avg_exclude_padding, dim,
			          atoi(argv[1]), time);
		} else {
			fprintf(stderr, "not understood: %s\n", argv[i]);
			return 2;
		}
		printf("%.2f %.2f\n", time[0], time[1]);
	}
	return 0;
}
