/* SPDX-License-Identifier: MIT */
/* oneDNN behind four functions. Its C interface changed between 2.x and 3.x (descriptors became handles, and a
 * primitive descriptor is made in one call); the differences are in the section marked so, and nowhere else. */
#include "runtime/cpu/nnr_dnn.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/die.h"
#include "runtime/cpu/dnn_calls.h"
#include "runtime/cpu/dnn_loops.h"
#include "runtime/cpu/nnr_step.h"

enum { MAX_TENSORS = 3, X = 0, W = 1, Y = 2 };

static void check(dnnl_status_t status, const char *call)
{
	if (status != dnnl_success)
		die(STATUS_INTERNAL, "oneDNN refused %s (status %d); `nnc --library=none` does without it",
		    call, (int)status);
}
#define CHECK(call) check((call), #call)

/* One tensor of a primitive: ours, and, where the primitive wants another layout, its own with the reorder between. */
typedef struct Tensor {
	int role; /* DNNL_ARG_... */
	bool written;
	dnnl_memory_t ours, inner;
	dnnl_primitive_t reorder; /* NULL: ours is used as it is */
} Tensor;

struct NnrDnn {
	dnnl_primitive_t primitive;
	Tensor tensors[MAX_TENSORS];
	dnnl_exec_arg_t arguments[MAX_TENSORS];
};

static DnnCalls dnn;

#define TEXT_OF(word) #word
#define TEXT(word)    TEXT_OF(word)
#define LIBRARY       "libdnnl.so." TEXT(DNNL_VERSION_MAJOR)

/* A file that is not there is not on this machine. One that is may be no library, or of another machine, or the process
 * has no memory or no files left for it: the loader says which. */
static bool open_library(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL), *function = NULL;
	const char *why = library ? NULL : dlerror();
	bool all = library != NULL;
#define FIND(name)                                               \
	all = all && (function = dlsym(library, "dnnl_" #name)); \
	if (all)                                                 \
		memcpy(&dnn.name, &function, sizeof function);
	DNN_CALLS(FIND)
#undef FIND
	if (!all)
		say_note("oneDNN can't be used: %s; its convolutions and products are computed by nnc's own, "
		         "which "
		         "are slower for them (Debian: libdnnl2)",
		         why ? why : "the functions of its version are not in " LIBRARY);
	return all;
}

/* Looked for once. */
static bool is_there(void)
{
	static enum { UNKNOWN, THERE, MISSING } state;
	if (state == UNKNOWN)
		state = open_library() ? THERE : MISSING;
	return state == THERE;
}

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static void start(void)
{
	if (engine)
		return;
	CHECK(dnn.engine_create(&engine, dnnl_cpu, 0));
	CHECK(dnn.stream_create(&stream, engine, dnnl_stream_default_flags));
}

/* ---- 2.x and 3.x */

typedef enum { FPROP, DGRAD, WGRAD, MATMUL } Kind;

typedef dnnl_memory_desc_t Desc; /* 2.x: a struct, passed by address; 3.x: a handle */

#if DNNL_VERSION_MAJOR >= 3
#define PASS(d)           (*(d))
#define DESC_FROM_STRIDES dnn.memory_desc_create_with_strides
#define DESC_FROM_TAG     dnn.memory_desc_create_with_tag
#else
#define PASS(d)           (d)
#define DESC_FROM_STRIDES dnn.memory_desc_init_by_strides
#define DESC_FROM_TAG     dnn.memory_desc_init_by_tag
#endif

static void desc_strided(Desc *d, int rank, const dnnl_dims_t dims, const dnnl_dims_t strides)
{
	CHECK(DESC_FROM_STRIDES(d, rank, dims, dnnl_f32, strides));
}

static void desc_any(Desc *d, int rank, const dnnl_dims_t dims)
{
	CHECK(DESC_FROM_TAG(d, rank, dims, dnnl_f32, dnnl_format_tag_any));
}

static bool desc_equal(const Desc *a, const Desc *b)
{
	return dnn.memory_desc_equal(PASS(a), PASS(b));
}

static dnnl_memory_t memory_create(const Desc *d, void *data)
{
	dnnl_memory_t m;
	CHECK(dnn.memory_create(&m, PASS(d), engine, data));
	return m;
}

static dnnl_primitive_desc_t reorder_desc(const Desc *from, const Desc *to)
{
	dnnl_primitive_desc_t pd;
	CHECK(dnn.reorder_primitive_desc_create(&pd, PASS(from), engine, PASS(to), engine, NULL));
	return pd;
}

#if DNNL_VERSION_MAJOR >= 3

static Desc desc_query(const_dnnl_primitive_desc_t pd, int role)
{
	Desc d;
	CHECK(dnn.memory_desc_clone(&d, dnn.primitive_desc_query_md(pd, dnnl_query_exec_arg_md, role)));
	return d;
}

static dnnl_primitive_desc_t primitive_desc(Kind kind, const Desc d[3], const dnnl_dim_t *stride,
                                            const dnnl_dim_t *dilation, const dnnl_dim_t *pad_l,
                                            const dnnl_dim_t *pad_r)
{
	dnnl_primitive_desc_t pd, hint;
	const dnnl_alg_kind_t direct = dnnl_convolution_direct;
	if (kind == MATMUL) {
		CHECK(dnn.matmul_primitive_desc_create(&pd, engine, d[X], d[W], NULL, d[Y], NULL));
		return pd;
	}
	CHECK(dnn.convolution_forward_primitive_desc_create(&hint, engine, dnnl_forward_training, direct,
	                                                    d[X], d[W], NULL, d[Y], stride, dilation, pad_l,
	                                                    pad_r, NULL));
	if (kind == FPROP)
		return hint;
	if (kind == DGRAD)
		CHECK(dnn.convolution_backward_data_primitive_desc_create(
		        &pd, engine, direct, d[X], d[W], d[Y], stride, dilation, pad_l, pad_r, hint, NULL));
	else
		CHECK(dnn.convolution_backward_weights_primitive_desc_create(&pd, engine, direct, d[X], d[W],
		                                                             NULL, d[Y], stride, dilation,
		                                                             pad_l, pad_r, hint, NULL));
	CHECK(dnn.primitive_desc_destroy(hint));
	return pd;
}

#else

static Desc desc_query(const_dnnl_primitive_desc_t pd, int role)
{
	return *dnn.primitive_desc_query_md(pd, dnnl_query_exec_arg_md, role);
}

static dnnl_primitive_desc_t primitive_desc(Kind kind, const Desc d[3], const dnnl_dim_t *stride,
                                            const dnnl_dim_t *dilation, const dnnl_dim_t *pad_l,
                                            const dnnl_dim_t *pad_r)
{
	dnnl_primitive_desc_t pd, hint;
	const dnnl_alg_kind_t direct = dnnl_convolution_direct;
	if (kind == MATMUL) {
		dnnl_matmul_desc_t matmul;
		CHECK(dnn.matmul_desc_init(&matmul, &d[X], &d[W], NULL, &d[Y]));
		CHECK(dnn.primitive_desc_create(&pd, &matmul, NULL, engine, NULL));
		return pd;
	}
	dnnl_convolution_desc_t conv;
	CHECK(dnn.dilated_convolution_forward_desc_init(&conv, dnnl_forward_training, direct, &d[X], &d[W],
	                                                NULL, &d[Y], stride, dilation, pad_l, pad_r));
	CHECK(dnn.primitive_desc_create(&hint, &conv, NULL, engine, NULL));
	if (kind == FPROP)
		return hint;
	if (kind == DGRAD)
		CHECK(dnn.dilated_convolution_backward_data_desc_init(&conv, direct, &d[X], &d[W], &d[Y],
		                                                      stride, dilation, pad_l, pad_r));
	else
		CHECK(dnn.dilated_convolution_backward_weights_desc_init(
		        &conv, direct, &d[X], &d[W], NULL, &d[Y], stride, dilation, pad_l, pad_r));
	CHECK(dnn.primitive_desc_create(&pd, &conv, NULL, engine, hint));
	CHECK(dnn.primitive_desc_destroy(hint));
	return pd;
}

#endif

/* ---- plans */

/* Makes the plan from our three layouts and those offered to the primitive (any, or ours). */
static NnrDnn *plan_create(const int roles[3], int written, const Desc ours[3], dnnl_primitive_desc_t pd)
{
	NnrDnn *plan = allocate(1, sizeof *plan, "a oneDNN plan");
	CHECK(dnn.primitive_create(&plan->primitive, pd));
	for (int i = 0; i < MAX_TENSORS; i++) {
		Tensor *t = &plan->tensors[i];
		Desc inner = desc_query(pd, roles[i]);
		*t = (Tensor){.role = roles[i],
		              .written = i == written,
		              .ours = memory_create(&ours[i], DNNL_MEMORY_NONE)};
		t->inner = t->ours;
		if (!desc_equal(&inner, &ours[i])) {
			dnnl_primitive_desc_t reorder =
			        t->written ? reorder_desc(&inner, &ours[i]) : reorder_desc(&ours[i], &inner);
			CHECK(dnn.primitive_create(&t->reorder, reorder));
			CHECK(dnn.primitive_desc_destroy(reorder));
			t->inner = memory_create(&inner, DNNL_MEMORY_ALLOCATE);
		}
		plan->arguments[i] = (dnnl_exec_arg_t){.arg = t->role, .memory = t->inner};
	}
	CHECK(dnn.primitive_desc_destroy(pd));
	return plan;
}

static void run_reorder(const Tensor *t)
{
	dnnl_exec_arg_t arguments[2] = {
	        {.arg = DNNL_ARG_FROM, .memory = t->written ? t->inner : t->ours},
	        {.arg = DNNL_ARG_TO, .memory = t->written ? t->ours : t->inner},
	};
	CHECK(dnn.primitive_execute(t->reorder, stream, 2, arguments));
}

/* "jit:avx512_core", and which tensors are laid out anew around it. */
static void tell_engine(const NnrDnn *plan)
{
	static const char *const names[MAX_TENSORS] = {"images", "weights", "images"};
	static char text[128];
	const char *engine_name = "";
	const_dnnl_primitive_desc_t pd;
	CHECK(dnn.primitive_get_primitive_desc(plan->primitive, &pd));
	CHECK(dnn.primitive_desc_query(pd, dnnl_query_impl_info_str, 0, (void *)&engine_name));
	int length = snprintf(text, sizeof text, "%s", engine_name);
	for (int i = 0; i < MAX_TENSORS && length < (int)sizeof text; i++)
		if (plan->tensors[i].reorder)
			length += snprintf(text + length, sizeof text - (size_t)length, ", %s reordered",
			                   names[i]);
	nnr_on_engine(text);
}

static void plan_run(NnrDnn *plan, const void *const data[3])
{
	if (nnr_on_engine)
		tell_engine(plan);
	for (int i = 0; i < MAX_TENSORS; i++) {
		Tensor *t = &plan->tensors[i];
		CHECK(dnn.memory_set_data_handle(t->ours, (void *)data[i]));
		if (t->reorder && !t->written)
			run_reorder(t);
	}
	CHECK(dnn.primitive_execute(plan->primitive, stream, MAX_TENSORS, plan->arguments));
	for (int i = 0; i < MAX_TENSORS; i++) {
		if (plan->tensors[i].reorder && plan->tensors[i].written)
			run_reorder(&plan->tensors[i]);
	}
	CHECK(dnn.stream_wait(stream));
}

/* ---- convolution */

/* Logical dimensions are oneDNN's (n c h w, g o i h w); the strides say where our elements are. */
static void image_desc(Desc *d, int64_t n, int64_t c, const int64_t hw[2])
{
	const dnnl_dims_t dims = {n, c, hw[0], hw[1]}, strides = {hw[0] * hw[1] * c, 1, hw[1] * c, c};
	desc_strided(d, 4, dims, strides);
}

static void weight_desc(Desc *ours, Desc *any, const NnrConvShape *s)
{
	const int64_t i = s->channels / s->groups, o = s->filters / s->groups, r = s->size[0], t = s->size[1];
	const dnnl_dims_t dims = {s->groups, o, i, r, t}, strides = {o * r * t * i, r * t * i, 1, t * i, i};
	const int skip = s->groups == 1; /* without groups there is no first dimension */
	desc_strided(ours, 5 - skip, dims + skip, strides + skip);
	desc_any(any, 5 - skip, dims + skip);
}

static NnrDnn *conv_plan(Kind kind, const NnrConvShape *s)
{
	static const int roles[3][3] = {
	        [FPROP] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
	        [DGRAD] = {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
	        [WGRAD] = {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
	};
	static const int written[3] = {[FPROP] = Y, [DGRAD] = X, [WGRAD] = W};
	Desc ours[3], offered[3];
	start();
	image_desc(&ours[X], s->batch, s->channels, s->in);
	image_desc(&ours[Y], s->batch, s->filters, s->out);
	weight_desc(&ours[W], &offered[W], s);
	offered[X] = ours[X];
	offered[Y] = ours[Y];
	dnnl_dims_t stride, dilation, pad_l, pad_r;
	for (int i = 0; i < 2; i++) {
		stride[i] = s->stride[i];
		dilation[i] = s->dilation[i] - 1; /* oneDNN counts the gaps */
		pad_l[i] = s->pad[i];
		/* oneDNN wants the border that is used, which may be less than ours, even negative. */
		pad_r[i] = (s->out[i] - 1) * s->stride[i] + (s->size[i] - 1) * s->dilation[i] + 1 - s->in[i] -
		           s->pad[i];
	}
	return plan_create(roles[kind], written[kind], ours,
	                   primitive_desc(kind, offered, stride, dilation, pad_l, pad_r));
}

void nnr_dnn_conv_fprop(NnrDnn **plan, const NnrConvShape *s, const float *x, const float *w, float *y)
{
	if (!is_there()) {
		dnn_loops_fprop(s, x, w, y);
		return;
	}
	if (!*plan)
		*plan = conv_plan(FPROP, s);
	plan_run(*plan, (const void *[]){x, w, y});
}

void nnr_dnn_conv_dgrad(NnrDnn **plan, const NnrConvShape *s, const float *dy, const float *w, float *dx)
{
	if (!is_there()) {
		dnn_loops_dgrad(s, dy, w, dx);
		return;
	}
	if (!*plan)
		*plan = conv_plan(DGRAD, s);
	plan_run(*plan, (const void *[]){dx, w, dy});
}

void nnr_dnn_conv_wgrad(NnrDnn **plan, const NnrConvShape *s, const float *x, const float *dy, float *dw)
{
	if (!is_there()) {
		dnn_loops_wgrad(s, x, dy, dw);
		return;
	}
	if (!*plan)
		*plan = conv_plan(WGRAD, s);
	plan_run(*plan, (const void *[]){x, dw, dy});
}

/* ---- matrix products */

static void matrix_desc(Desc *d, int64_t batch, int64_t rows, int64_t columns, bool transposed)
{
	const dnnl_dims_t dims = {batch, rows, columns},
	                  strides = {rows * columns, transposed ? 1 : columns, transposed ? rows : 1};
	const int skip = batch == 1;
	desc_strided(d, 3 - skip, dims + skip, strides + skip);
}

void nnr_dnn_matmul(NnrDnn **plan, const NnrMatmulShape *s, const float *a, const float *b, float *y)
{
	if (!is_there()) {
		dnn_loops_matmul(s, a, b, y);
		return;
	}
	static const int roles[3] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
	if (!*plan) {
		Desc ours[3];
		start();
		matrix_desc(&ours[X], s->batch, s->m, s->k, s->ta);
		matrix_desc(&ours[W], s->batch, s->k, s->n, s->tb);
		matrix_desc(&ours[Y], s->batch, s->m, s->n, false);
		*plan = plan_create(roles, Y, ours, primitive_desc(MATMUL, ours, NULL, NULL, NULL, NULL));
	}
	plan_run(*plan, (const void *[]){a, b, y});
}
