/* SPDX-License-Identifier: MIT */
/* cuDNN as far as one convolution as an operation graph: the library, descriptors, and the question put to it. The
 * answers, engines and plans, are in cudnn.c; the graphs of attention in cudnn_attention.h. */
#ifndef NNR_CUDA_CUDNN_GRAPH_H
#define NNR_CUDA_CUDNN_GRAPH_H

#include "runtime/cuda/plan.h"

#include <cudnn.h>

#define CUDNN_FUNCTIONS(F)          \
	F(GetVersion)               \
	F(GetErrorString)           \
	F(GetLastErrorString)       \
	F(Create)                   \
	F(SetStream)                \
	F(BackendCreateDescriptor)  \
	F(BackendDestroyDescriptor) \
	F(BackendSetAttribute)      \
	F(BackendGetAttribute)      \
	F(BackendFinalize)          \
	F(BackendExecute)

typedef struct Dnn {
#define CUDNN_FUNCTION(name) __typeof__(cudnn##name) *name;
	CUDNN_FUNCTIONS(CUDNN_FUNCTION)
#undef CUDNN_FUNCTION
	cudnnHandle_t handle;
	CUstream stream;
} Dnn;

extern Dnn dnn;

/* Loads cuDNN at the first call. */
void dnn_load(void);
/* The same; false where there is none that works. */
bool dnn_find(void);
/* This thread, which is not the first, has a handle of its own from now on: that, or where it is NULL a new one, which
 * is kept there. cuDNN must be loaded. */
bool dnn_begin_thread(cudnnHandle_t *handle);
/* Directs the library's work to nnr_cuda_stream(). */
void dnn_use_stream(const char *key);
/* False on a failure, which is remembered for dnn_must: many failures only mean "not with this engine". */
bool dnn_ok(cudnnStatus_t status, const char *call);
/* The remembered failure: call, status and what cuDNN says about it; in one buffer. */
const char *dnn_failure(void);
/* Ends the process with it unless `fine`. */
void dnn_must(bool fine, const char *key);

/* ---- descriptors */

typedef cudnnBackendDescriptor_t Descriptor;

/* Descriptors that are destroyed together. */
enum { POOL = 96 };
typedef struct Pool {
	Descriptor at[POOL];
	int count;
} Pool;

Descriptor dnn_create(Pool *p, cudnnBackendDescriptorType_t type); /* NULL on failure */
void dnn_release(Pool *p);
bool dnn_set(Descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
             const void *values);
bool dnn_set_descriptor(Descriptor d, cudnnBackendAttributeName_t name, Descriptor value);
bool dnn_set_handle(Descriptor d, cudnnBackendAttributeName_t name);
/* How many values there are, 0 on failure; at most `room` are stored. */
int64_t dnn_get(Descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                int64_t room, void *values);
bool dnn_finalize(Descriptor d);
/* What a plan is run with: the tensors' unique ids, their addresses, and the plan's workspace. NULL on failure. */
Descriptor dnn_pack(Pool *p, int count, const int64_t *uids, const void *const *at, void *workspace);
/* Bytes of a tensor in a workspace that another follows. */
int64_t dnn_aligned(int64_t bytes);

/* ---- the question */

typedef enum { FPROP, DGRAD, WGRAD } Kind;
typedef enum { DIRECT, WHOLE, CAST, FUSED, PRODUCT, PLAIN, FORMS } Form; /* see cudnn.c */
/* The tensors of an operation; from RESIDUAL on of an epilogue alone. */
typedef enum { X, W, Y, RESIDUAL, BIAS, TENSORS } Role;

/* The unique ids of the tensors. From UID_BETWEEN on they are virtual: the weight gradient inside the form FUSED, what
 * leads from a convolution through its epilogue. */
enum {
	UID_BETWEEN = 1,
	UID_FIRST_REAL = 'A',
	UID_X = 'x',
	UID_W = 'w',
	UID_Y = 'y',
	UID_RESIDUAL = 'r',
	UID_BIAS = 'b'
};

typedef struct Question {
	Kind kind;
	const NnrConvShape *shape;
	NnrConvShape live; /* the same convolution with the window of the taps that meet the image */
	bool trimmed;      /* that window is smaller */
	const NnrEpilogue *epilogue; /* NULL: none */
	cudnnDataType_t type;        /* of x, w and y; a weight gradient is f32 */
	NnrDType dtype;              /* the same */
	int alignment; /* of all tensors and the live part of w: a product's, and copies take their time */
	char key[TUNE_KEY_BYTES];
} Question;

typedef struct Graph {
	Pool pool;
	Descriptor graph; /* NULL: cuDNN refuses the operation */
} Graph;

/* What all the tensors' addresses divide by, up to FULLY_ALIGNED. */
int conv_alignment(const void *const tensor[TENSORS]);
/* Of a convolution of these tensors, and of what follows it or NULL; both must outlive it. */
Question conv_question(Kind kind, const NnrConvShape *s, const NnrEpilogue *epilogue, NnrDType dtype,
                       const void *const tensor[TENSORS]);
/* Without a graph where the form does not exist for the question, or cuDNN refuses it. */
Graph conv_graph(const Question *q, Form form);
/* Parts of a graph, in its pool; NULL where cuDNN refuses them. dim: outermost, channels, two of space, as cuDNN wants
 * them; `within`: the two of space of the tensor in memory, of which this is a part. */
Descriptor graph_tensor(Pool *p, int64_t uid, cudnnDataType_t type, const int64_t dim[4],
                        const int64_t within[2]);
/* Of any strides; or one number, which the pack has the address of on the host. */
Descriptor graph_tensor_strided(Pool *p, int64_t uid, cudnnDataType_t type, const int64_t dim[4],
                                const int64_t stride[4]);
Descriptor graph_number(Pool *p, int64_t uid);
/* An operation of one operand or two (`other`, NULL: one): begin, set what the mode needs, end. */
Descriptor pointwise_begin(Pool *p, cudnnPointwiseMode_t mode);
Descriptor pointwise_end(Pool *p, Descriptor how, Descriptor from, Descriptor other, Descriptor to);
/* Makes a graph of steps, of which one that is NULL makes it none. */
void graph_finish(Graph *g, int count, const Descriptor *steps);
cudnnDataType_t graph_type(NnrDType dtype);
/* Bytes of workspace ahead of a plan's own: the narrow weight gradient of CAST. */
int64_t conv_between_bytes(const Question *q, Form form);
/* Bytes of w before the first live tap. */
int64_t conv_live_bytes(const Question *q);
#endif
