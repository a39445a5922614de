/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/cudnn_graph.h"
#include "runtime/cuda/cudnn_epilogue.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

Dnn dnn;

/* ---- the library */

/* Of a thread that is not the first; NULL: dnn.handle. */
static _Thread_local cudnnHandle_t thread_handle;

/* The last call of this thread that failed, for the message where nothing else is left to try. */
static _Thread_local struct {
	const char *call;
	cudnnStatus_t status;
} failed;

bool dnn_ok(cudnnStatus_t status, const char *call)
{
	if (status == CUDNN_STATUS_SUCCESS)
		return true;
	failed.call = call;
	failed.status = status;
	return false;
}

const char *dnn_failure(void)
{
	static char text[640];
	char detail[512] = "";
	dnn.GetLastErrorString(detail, sizeof detail);
	detail[strcspn(detail, "\n")] = 0; /* the lines below are of other attempts */
	snprintf(text, sizeof text, "%s: %s%s%s", failed.call ? failed.call : "no call failed",
	         dnn.GetErrorString(failed.status), detail[0] ? ", " : "", detail);
	return text;
}

void dnn_must(bool fine, const char *key)
{
	if (!fine)
		die(STATUS_DEVICE, "cuDNN failed with `%s`%s: %s", key, nnr_cuda_step(), dnn_failure());
}

static const char *const names[] = {"libcudnn.so.9", NULL};

static bool start(void *library)
{
#define CUDNN_FUNCTION(name) dnn.name = (__typeof__(dnn.name))library_symbol(library, "cuDNN", "cudnn" #name);
	CUDNN_FUNCTIONS(CUDNN_FUNCTION)
#undef CUDNN_FUNCTION
	if (!dnn_ok(dnn.Create(&dnn.handle), "cudnnCreate")) {
		dnn.handle = NULL;
		return false;
	}
	plan_open_record(TUNE_CUDNN, (int64_t)dnn.GetVersion());
	return true;
}

/* An older version, or one with a part missing, may lack some. */
static bool has_functions(void *library)
{
#define HAS_FUNCTION(name) &&dlsym(library, "cudnn" #name)
	return library CUDNN_FUNCTIONS(HAS_FUNCTION);
#undef HAS_FUNCTION
}

void dnn_load(void)
{
	if (dnn.handle)
		return;
	StartPart part = start_part(START_LIBRARIES);
	dnn_must(start(library_open(names, "cuDNN 9", "cuDNN 9 for CUDA 12 or 13")), "start");
	start_part(part);
}

bool dnn_find(void)
{
	static bool looked;
	if (dnn.handle || looked)
		return dnn.handle;
	StartPart part = start_part(START_LIBRARIES);
	void *library = library_find(names);
	looked = true;
	bool found = has_functions(library) && start(library);
	start_part(part);
	return found;
}

bool dnn_begin_thread(cudnnHandle_t *handle)
{
	if (!*handle && !dnn_ok(dnn.Create(handle), "cudnnCreate"))
		*handle = NULL;
	thread_handle = *handle;
	return thread_handle;
}

void dnn_use_stream(const char *key)
{
	CUstream stream = nnr_cuda_stream();
	if (stream == dnn.stream)
		return;
	dnn_must(dnn_ok(dnn.SetStream(dnn.handle, stream), "cudnnSetStream"), key);
	dnn.stream = stream;
}

/* ---- descriptors */

Descriptor dnn_create(Pool *p, cudnnBackendDescriptorType_t type)
{
	Descriptor d = NULL;
	require(p->count < POOL);
	if (!dnn_ok(dnn.BackendCreateDescriptor(type, &d), "cudnnBackendCreateDescriptor"))
		return NULL;
	return p->at[p->count++] = d;
}

void dnn_release(Pool *p)
{
	while (p->count > 0)
		dnn_ok(dnn.BackendDestroyDescriptor(p->at[--p->count]), "cudnnBackendDestroyDescriptor");
}

bool dnn_set(Descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
             const void *values)
{
	return dnn_ok(dnn.BackendSetAttribute(d, name, type, count, values), "cudnnBackendSetAttribute");
}

bool dnn_set_descriptor(Descriptor d, cudnnBackendAttributeName_t name, Descriptor value)
{
	return dnn_set(d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

bool dnn_set_handle(Descriptor d, cudnnBackendAttributeName_t name)
{
	return dnn_set(d, name, CUDNN_TYPE_HANDLE, 1, thread_handle ? &thread_handle : &dnn.handle);
}

int64_t dnn_get(Descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                int64_t room, void *values)
{
	int64_t count = 0;
	return dnn_ok(dnn.BackendGetAttribute(d, name, type, room, &count, values),
	              "cudnnBackendGetAttribute")
	               ? count
	               : 0;
}

bool dnn_finalize(Descriptor d)
{
	return dnn_ok(dnn.BackendFinalize(d), "cudnnBackendFinalize");
}

Descriptor dnn_pack(Pool *p, int count, const int64_t *uids, const void *const *at, void *workspace)
{
	Descriptor d = dnn_create(p, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
	bool fine = d && dnn_set(d, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, uids) &&
	            dnn_set(d, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count, at) &&
	            dnn_set(d, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace) &&
	            dnn_finalize(d);
	return fine ? d : NULL;
}

int64_t dnn_aligned(int64_t bytes)
{
	enum { APART = 256 };
	return (bytes + APART - 1) / APART * APART;
}

/* ---- the question */

cudnnDataType_t graph_type(NnrDType dtype)
{
	require(dtype == NNR_F32 || dtype == NNR_BF16 || dtype == NNR_F16);
	return dtype == NNR_F32    ? CUDNN_DATA_FLOAT
	       : dtype == NNR_BF16 ? CUDNN_DATA_BFLOAT16
	                           : CUDNN_DATA_HALF;
}

/* The convolution with the window of its live taps alone: the same result. */
static NnrConvShape live_shape(const NnrConvShape *s)
{
	NnrConvShape t = *s;
	for (int i = 0; i < 2 && s->live[2] > 0; i++) {
		t.size[i] = s->live[2 + i];
		t.pad[i] = s->pad[i] - s->live[i] * s->dilation[i];
		t.pad[2 + i] = (s->out[i] - 1) * s->stride[i] + s->dilation[i] * (t.size[i] - 1) + 1 -
		               s->in[i] - t.pad[i];
		if (t.pad[2 + i] < 0) /* the last pixels are read by no window */
			t.pad[2 + i] = 0;
	}
	return t;
}

static void write_key(Question *q)
{
	const NnrConvShape *s = q->shape;
	static const char *const kinds[] = {[FPROP] = "fprop", [DGRAD] = "dgrad", [WGRAD] = "wgrad"};
	char live[96] = "", alignment[32] = "", epilogue[EPILOGUE_TEXT] = "";
	if (q->epilogue)
		epilogue_text(q->epilogue, epilogue);
	if (q->trimmed)
		snprintf(live, sizeof live, " live %lld,%lld,%lld,%lld", (long long)s->live[0],
		         (long long)s->live[1], (long long)s->live[2], (long long)s->live[3]);
	if (q->alignment < FULLY_ALIGNED)
		snprintf(alignment, sizeof alignment, " align %d", q->alignment);
	long long v[] = {s->batch,   s->in[0],       s->in[1],       s->channels, s->filters, s->size[0],
	                 s->size[1], s->stride[0],   s->stride[1],   s->pad[0],   s->pad[1],  s->pad[2],
	                 s->pad[3],  s->dilation[0], s->dilation[1], s->groups};
	int n = snprintf(
	        q->key, sizeof q->key,
	        "%s %s x %lldx%lldx%lldx%lld w %lldx%lldx%lld stride %lld,%lld pad %lld,%lld,%lld,%lld "
	        "dilation %lld,%lld groups %lld%s%s%s%s",
	        kinds[q->kind], plan_arithmetic_name(q->dtype), v[0], v[1], v[2], v[3], v[4], v[5], v[6],
	        v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15], epilogue, live, alignment,
	        nnr_cuda_deterministic() ? " deterministic" : "");
	require(n > 0 && n < (int)sizeof q->key);
}

int64_t conv_live_bytes(const Question *q)
{
	const NnrConvShape *s = q->shape;
	return (s->live[0] * s->size[1] + s->live[1]) * (s->channels / s->groups) *
	       plan_element_bytes(q->kind == WGRAD ? NNR_F32 : q->dtype);
}

int64_t conv_between_bytes(const Question *q, Form form)
{
	const NnrConvShape *s = q->shape;
	int64_t elements = s->filters * s->size[0] * s->size[1] * (s->channels / s->groups);
	return form == CAST ? dnn_aligned(2 * elements) : 0;
}

int conv_alignment(const void *const tensor[TENSORS])
{
	int least = FULLY_ALIGNED;
	for (Role i = 0; i < TENSORS; i++) {
		int alignment = plan_alignment(tensor[i], NULL, NULL);
		least = alignment < least ? alignment : least;
	}
	return least;
}

Question conv_question(Kind kind, const NnrConvShape *s, const NnrEpilogue *epilogue, NnrDType dtype,
                       const void *const tensor[TENSORS])
{
	Question q = {.kind = kind,
	              .shape = s,
	              .live = live_shape(s),
	              .epilogue = epilogue,
	              .type = graph_type(dtype),
	              .dtype = dtype,
	              .alignment = conv_alignment(tensor)};
	q.trimmed = q.live.size[0] != s->size[0] || q.live.size[1] != s->size[1];
	if (q.trimmed) {
		int live = plan_alignment((const char *)tensor[W] + conv_live_bytes(&q), NULL, NULL);
		q.alignment = live < q.alignment ? live : q.alignment;
	}
	write_key(&q);
	return q;
}

/* ---- the graph */

static Descriptor tensor(Pool *p, int64_t uid, cudnnDataType_t type, const int64_t dim[4],
                         const int64_t stride[4], bool by_value)
{
	int64_t alignment = FULLY_ALIGNED;
	bool is_virtual = uid < UID_FIRST_REAL;
	Descriptor d = dnn_create(p, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
	bool fine =
	        d && dnn_set(d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type) &&
	        dnn_set(d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, dim) &&
	        dnn_set(d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, stride) &&
	        dnn_set(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &uid) &&
	        dnn_set(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment) &&
	        dnn_set(d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &is_virtual) &&
	        (!by_value || dnn_set(d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &by_value)) &&
	        dnn_finalize(d);
	return fine ? d : NULL;
}

Descriptor graph_tensor(Pool *p, int64_t uid, cudnnDataType_t type, const int64_t dim[4],
                        const int64_t within[2])
{
	int64_t stride[4] = {dim[1] * within[0] * within[1], 1, dim[1] * within[1], dim[1]};
	return tensor(p, uid, type, dim, stride, false);
}

Descriptor graph_tensor_strided(Pool *p, int64_t uid, cudnnDataType_t type, const int64_t dim[4],
                                const int64_t stride[4])
{
	return tensor(p, uid, type, dim, stride, false);
}

Descriptor graph_number(Pool *p, int64_t uid)
{
	static const int64_t ones[4] = {1, 1, 1, 1};
	return tensor(p, uid, CUDNN_DATA_FLOAT, ones, ones, true);
}

static Descriptor convolution(Pool *p, const NnrConvShape *s)
{
	cudnnDataType_t compute = CUDNN_DATA_FLOAT;
	cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
	int64_t space = 2;
	Descriptor d = dnn_create(p, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
	bool fine = d && dnn_set(d, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute) &&
	            dnn_set(d, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode) &&
	            dnn_set(d, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &space) &&
	            dnn_set(d, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 2, s->dilation) &&
	            dnn_set(d, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 2, s->stride) &&
	            dnn_set(d, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 2, s->pad) &&
	            dnn_set(d, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 2, s->pad + 2) &&
	            dnn_finalize(d);
	return fine ? d : NULL;
}

/* The attributes of the three operations, side by side. */
static const struct {
	cudnnBackendDescriptorType_t type;
	cudnnBackendAttributeName_t convolution, x, w, y, alpha, beta;
} operations[] = {
        [FPROP] = {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA},
        [DGRAD] = {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
        [WGRAD] = {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA},
};

static Descriptor convolve(Pool *p, const Question *q, const NnrConvShape *s, Descriptor x, Descriptor w,
                           Descriptor y)
{
	float one = 1, zero = 0;
	Descriptor conv = convolution(p, s);
	Descriptor d = dnn_create(p, operations[q->kind].type);
	bool fine = d && conv && x && w && y &&
	            dnn_set_descriptor(d, operations[q->kind].convolution, conv) &&
	            dnn_set_descriptor(d, operations[q->kind].x, x) &&
	            dnn_set_descriptor(d, operations[q->kind].w, w) &&
	            dnn_set_descriptor(d, operations[q->kind].y, y) &&
	            dnn_set(d, operations[q->kind].alpha, CUDNN_TYPE_FLOAT, 1, &one) &&
	            dnn_set(d, operations[q->kind].beta, CUDNN_TYPE_FLOAT, 1, &zero) && dnn_finalize(d);
	return fine ? d : NULL;
}

Descriptor pointwise_begin(Pool *p, cudnnPointwiseMode_t mode)
{
	cudnnDataType_t compute = CUDNN_DATA_FLOAT;
	Descriptor how = dnn_create(p, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
	bool fine = how && dnn_set(how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode) &&
	            dnn_set(how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	return fine ? how : NULL;
}

Descriptor pointwise_end(Pool *p, Descriptor how, Descriptor from, Descriptor other, Descriptor to)
{
	Descriptor d = dnn_create(p, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
	bool fine = how && d && from && to && dnn_finalize(how) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, from) &&
	            (!other || dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, other)) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, to) && dnn_finalize(d);
	return fine ? d : NULL;
}

void graph_finish(Graph *g, int count, const Descriptor *steps)
{
	for (int i = 0; i < count; i++)
		if (!steps[i])
			return;
	Descriptor d = dnn_create(&g->pool, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
	bool fine = d && dnn_set_handle(d, CUDNN_ATTR_OPERATIONGRAPH_HANDLE) &&
	            dnn_set(d, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, count, steps) &&
	            dnn_finalize(d);
	g->graph = fine ? d : NULL;
}

static bool form_exists(const Question *q, Form form)
{
	switch (form) {
	case DIRECT:
		return !q->trimmed || conv_live_bytes(q) % FULLY_ALIGNED == 0;
	case WHOLE:
		return q->trimmed;
	case CAST:
	case FUSED:
		return q->kind == WGRAD && q->type != CUDNN_DATA_FLOAT;
	default:
		return false;
	}
}

Graph conv_graph(const Question *q, Form form)
{
	Graph g = {0};
	if (!form_exists(q, form))
		return g;
	const NnrConvShape *s = form == DIRECT ? &q->live : q->shape;
	Pool *p = &g.pool;
	const int64_t w_dim[4] = {s->filters, s->channels / s->groups, s->size[0], s->size[1]};
	bool f32_result = q->kind == WGRAD && form != CAST;
	const int64_t x_dim[4] = {s->batch, s->channels, s->in[0], s->in[1]};
	const int64_t y_dim[4] = {s->batch, s->filters, s->out[0], s->out[1]};
	Descriptor x = graph_tensor(p, UID_X, q->type, x_dim, s->in);
	Descriptor y = graph_tensor(p, UID_Y, q->type, y_dim, s->out);
	Descriptor w = graph_tensor(p, UID_W, f32_result ? CUDNN_DATA_FLOAT : q->type, w_dim, q->shape->size);
	if (form == FUSED) {
		Descriptor between = graph_tensor(p, UID_BETWEEN, CUDNN_DATA_FLOAT, w_dim, s->size);
		Descriptor how = pointwise_begin(p, CUDNN_POINTWISE_IDENTITY);
		graph_finish(&g, 2,
		             (Descriptor[]){convolve(p, q, s, x, between, y),
		                            pointwise_end(p, how, between, NULL, w)});
	} else if (q->epilogue) {
		Descriptor between = graph_tensor(p, UID_BETWEEN, CUDNN_DATA_FLOAT, y_dim, s->out);
		Descriptor steps[1 + EPILOGUE_OPERATIONS] = {convolve(p, q, s, x, w, between)};
		graph_finish(&g, 1 + epilogue_operations(p, q, y_dim, between, y, steps + 1), steps);
	} else {
		graph_finish(&g, 1, (Descriptor[]){convolve(p, q, s, x, w, y)});
	}
	return g;
}
