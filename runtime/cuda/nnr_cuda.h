/* SPDX-License-Identifier: MIT */
/* What generated host code for CUDA includes besides nnr.h. No CUDA type is in it: such a program compiles, links and
 * starts on a machine without CUDA, and says there what is missing.
 *
 * libnnr_cuda.a loads libcuda.so.1 (the driver) at start, cuDNN and cuBLASLt when a network first calls them. All work
 * of a step goes to one stream, so that it can be captured as a graph: NnrProgram.run only enqueues. Its NnrMemory
 * holds device addresses, its `scalars` is a device address too: kernels read rate, step and seed there, and the host
 * wakes only to report. */
#ifndef NNR_CUDA_H
#define NNR_CUDA_H

#include "cpu/conv_shape.h"
#include "cuda/nnr_divisor.h"
#include "nnr.h"

/* Elements of 16-bit tensors: the host only passes their addresses on. */
typedef uint16_t NnrBf16, NnrF16;

/* Which step of the program what is enqueued next belongs to, from 1, and its name for messages: "resnet.net:5  conv(x,
 * weight) ..."; 0, NULL: none. */
void nnr_step(int number, const char *what);
/* The same for a block that the network has several times; `block` says which: "layer3.2". */
void nnr_step_of(const char *block, int number, const char *what);

/* One kernel of the image and its launch; generated code keeps one as a static of each step function. */
typedef struct NnrKernel {
	const char *name;
	int64_t blocks;
	int threads;
	int shared_bytes; /* beside what the kernel declares itself */
	/* Instead of these, with NNR_WARPGROUP_THREADS, where the device runs code for warpgroups, of sm_90a; 0 blocks:
	 * the same. */
	struct {
		int64_t blocks;
		int shared_bytes;
	} warpgroups;
	bool together; /* its blocks wait for each other: all begin, or none */
	bool overlaps; /* may begin before the kernel before it has ended: it calls nnr_kernel_wait (nnr_overlap.h) */
	/* Of a kernel that serves several sizes: how many arguments nnr_launch is given, and where those are that
	 * follow them, up to a NULL. NULL: there are no others. */
	int arguments;
	void *const *sizes;
	void *handle; /* NULL until the first launch */
} NnrKernel;

enum { NNR_MOST_ARGUMENTS = 64 };

/* Enqueues the kernel. arguments[i] points at the i-th argument. */
void nnr_launch(NnrKernel *k, void *const *arguments);
/* Addresses of the arguments with which a program that fetches its own batch (NnrProgram.fetches) finds it: the
 * NnrSupply of the data set, and the number of the step in its launch. */
void *nnr_step_supply(void);
void *nnr_step_turn(void);
/* Enqueues a copy within device memory. */
void nnr_copy(void *to, const void *from, int64_t bytes);

/* What is enqueued between begin and end runs beside what is enqueued after it, in the order of the branch; wait makes
 * what is enqueued next wait for the end of that number (and so of all before it). */
void nnr_branch_begin(void);
void nnr_branch_end(int number);
void nnr_branch_wait(int number);
/* Of several ranks: the mean of all ranks' `count` elements, f32 or f64, in the place of this rank's, beside what is
 * enqueued after it; from when what was enqueued before has ended, and on the branch what has ended with that number
 * (-1: nothing). wait makes what is enqueued next wait for the mean of that number (and so for all before it). */
void nnr_bucket_reduce(int number, void *bucket, NnrDType dtype, int64_t count, int branch);
/* The same of f32, sent in 16 bits, which NCCL adds up: rounded to bf16 in `wire`, and widened after. The module has
 * nnr_wire.h's kernels. */
void nnr_bucket_reduce_bf16(int number, float *bucket, NnrBf16 *wire, int64_t count, int branch);
/* Where ranks share the parameters out (`shard optimizer`): the means of `count` elements from `first` on go to the
 * ranks whose they are, rank r's being [r*share, (r + 1)*share); what others get is not said. */
void nnr_bucket_scatter(int number, void *bucket, NnrDType dtype, int64_t count, int64_t first, int64_t share,
                        int branch);
void nnr_bucket_scatter_bf16(int number, float *bucket, NnrBf16 *wire, int64_t count, int64_t first,
                             int64_t share, int branch);
/* y = this rank's share of x, of `whole` elements, then zeros; and, for what is enqueued next, y = all ranks' shares
 * x. */
void nnr_share(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share);
void nnr_gather(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share);
void nnr_bucket_wait(int number);
/* What follows gives the states of layers no new values: their means over all ranks go with the next bucket. */
void nnr_states_ready(void);
/* y = the mean of all ranks' x, for what is enqueued next; between begin and end, where they are sent together. */
void nnr_means_begin(void);
void nnr_mean(const void *x, void *y, NnrDType dtype, int64_t count);
void nnr_means_end(void);
/* What is enqueued next overwrites the scores (loss and metrics) of the training step before: waits until they have
 * been counted, which happens beside the beginning of this step. Every training program says so, before the first step
 * that writes into their bytes. */
void nnr_scores_wait(void);

/* Library steps. As in cpu/nnr_dnn.h the sizes are a constant, and the first call makes the plan: all candidate plans
 * are timed on these buffers under a workspace cap, or the choice is read from the tune record (tune.c). `dtype` is
 * that of x, w and y: NNR_F32 (tf32 or fp32 arithmetic by the model's precision), NNR_BF16, NNR_F16; of these the
 * weight gradient dw is f32 always, and a product where its shape is wide. */
typedef struct NnrPlan NnrPlan;

/* A kernel of ours for a product (nnr_product.h), which the search times beside the library's. */
typedef struct NnrProductKernel {
	NnrKernel *kernel;
	int64_t partial; /* f32 elements of its workspace */
	bool carries; /* its last argument is an NnrCarried: it gathers a part of the next batch (carry.c) */
} NnrProductKernel;

typedef struct NnrProductShape {
	int64_t batch, m, n, k;      /* y[m,n], `batch` times; row-major */
	bool ta, tb;                 /* a is stored [k,m]; b is stored [n,k] */
	bool wide;                   /* y is f32 where a and b are bf16 or f16 */
	int64_t lda, ldb, ldy;       /* elements from row to row as stored; 0: the rows are dense */
	const NnrProductKernel *own; /* NULL: the library's alone */
} NnrProductShape;

/* What follows a convolution: y = activation(conv(x, w) + residual + bias), residual of the shape and type of y,
 * bias one f32 for each filter; or after a product, with one f32 for each column, and a residual in 16 bits alone. */
typedef enum {
	NNR_IDENTITY,
	NNR_RELU,
	NNR_LEAKY_RELU, /* slope below 0 */
	NNR_SIGMOID,
	NNR_TANH,
	NNR_GELU, /* x/2 (1 + erf(x/sqrt 2)) */
	NNR_SILU,
	NNR_SOFTPLUS,
	NNR_ELU,       /* slope*(exp(x) - 1) below 0 */
	NNR_GELU_TANH, /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) */
} NnrActivation;

/* A tensor more that a product has besides its bias. */
typedef enum {
	NNR_NOTHING,
	NNR_KEPT,      /* written, of y's type and shape: what is ahead of NNR_GELU_TANH */
	NNR_SLOPE,     /* read, the same: y is the product times the slope of NNR_GELU_TANH there */
	NNR_SUMS_OF_A, /* written, f32[m] or f32[n]: sums along k of a, or of b */
	NNR_SUMS_OF_B,
} NnrBeside;

typedef struct NnrEpilogue {
	NnrActivation activation;
	float slope;
	NnrKernel *kernel; /* the same, in place on the call's result */
	/* Of the kernel, in order: `y` result, `b` bias, `r` residual, `s` sums, `w` weights,
	 * `t` sums along rows, `p` workspace, `k` what NNR_KEPT and NNR_SLOPE have beside, `x` the operand that is
	 * summed up; what is not there is not added. */
	const char *arguments;
	bool narrow_bias; /* of a product: the bias has the type of a and b, 16 bits; else it is f32 */
	NnrBeside beside; /* of a product of 16-bit matrices */
	/* Of a product, 0 or so many for each row: instead of the result, the sums of all that times its column's
	 * weight, of equally many neighbouring columns each, the last of what is left. */
	int64_t row_sums;
	bool round_tf32; /* the kernel rounds what it stores to TF32, for the product that reads it; a plan need not */
	int64_t partial; /* f32 elements of the kernel's workspace */
} NnrEpilogue;

void nnr_cudnn_conv_fprop(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x, const void *w,
                          void *y);
void nnr_cudnn_conv_dgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *dy,
                          const void *w, void *dx);
void nnr_cudnn_conv_wgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x,
                          const void *dy, void *dw);
/* The convolution with what follows it: one call where cuDNN has a plan for all of it that is faster, else the
 * convolution's own plan and the kernel. `residual` and `bias` are NULL where there is none; y is neither. */
void nnr_cudnn_conv_epilogue(NnrPlan **plan, const NnrConvShape *s, const NnrEpilogue *e, NnrDType dtype,
                             const void *x, const void *w, const void *residual, const void *bias, void *y);
void nnr_cublas_matmul(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                       void *y);
/* The product with what follows it, by the fastest of: cuBLASLt and the kernel, cuBLASLt with an epilogue of its
 * own, and s->own, which computes all of it. `residual` and `bias` are NULL where there is none; a residual is of y's
 * type and shape, and not y: in 16 bits, where s->own is NULL. */
void nnr_cublas_matmul_epilogue(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                                NnrDType dtype, const void *a, const void *b, const void *residual,
                                const void *bias, void *y);

/* The same where e->row_sums: sums[m, e->row_sums], and `weight` f32[n]. What is in y afterwards is not said: cuBLASLt
 * needs it for its product, and s->own does not touch it. */
void nnr_cublas_matmul_row_sums(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                                NnrDType dtype, const void *a, const void *b, const void *bias,
                                const void *weight, void *y, void *sums);

/* The same where e->beside is written. `partial`: NULL where the kernel needs no workspace. */
void nnr_cublas_matmul_beside(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e, NnrDType dtype,
                              const void *a, const void *b, const void *bias, void *y, void *beside,
                              void *partial);
/* The same with NNR_SLOPE, at what `at` holds. */
void nnr_cublas_matmul_slope(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e, NnrDType dtype,
                             const void *a, const void *b, const void *at, void *y);

/* Attention, or its gradient (compiler/ops/attention.h), in 16 bits without dropout. */
typedef struct NnrAttentionShape {
	int64_t batch, queries, keys, heads, size; /* queries, keys: places; size: columns of a head */
	int64_t query_row, key_row, keys_at,
	        values_at; /* in x, in elements: between rows; where they begin */
	bool causal;
	float scale;
	NnrDType dtype; /* of all but logs, taken and mask, which are f32 */
	/* Elements between the samples, heads and rows of the mask, which is added to the scores; 0: all have the same
	 * ones. */
	int64_t mask_sample, mask_head, mask_row;
	/* Of our kernel, in order: `x` queries, keys and values, `y` result, `l` logs, `m` mask; of the gradient's
	 * besides `d` gradient of y, `t` taken, `g` result. Without `l` or `m` there are none. */
	const char *arguments;
} NnrAttentionShape;

/* By our kernel, which takes these arguments, or by cuDNN where that is faster; without cuDNN by the kernel. */
void nnr_cudnn_attention(NnrPlan **plan, const NnrAttentionShape *s, NnrKernel *kernel,
                         void *const *arguments);

/* The compiled kernels: for each architecture, and as PTX for newer ones. Images of one architecture are parts of the
 * kernels: together they are all of them. */
typedef struct NnrImage {
	const char *arch; /* "sm_90", or "compute_90" for PTX */
	const unsigned char *bytes;
	int64_t size;
} NnrImage;

/* What a CUDA model adds: NnrModel.device points at it. */
typedef struct NnrCudaModel {
	const NnrImage *images;
	int image_count;
	const char *precision; /* "tf32", "fp32", "bf16", "fp16" */
} NnrCudaModel;

struct NnrBackend;
extern const struct NnrBackend
        nnr_cuda_backend; /* runtime/session/backend.h; NnrModel.backend of a CUDA model */

#endif
