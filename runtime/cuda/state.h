/* What the files of the CUDA backend share: one device, one stream, the model's blocks on it. */
#ifndef NNR_CUDA_STATE_H
#define NNR_CUDA_STATE_H

#include "runtime/core/backend.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/nnr_device.h"

/* What one launch is made of; all of it is enqueued without waiting for the device.
 *
 *   WORK_TRAIN     a training step: nnr_begin_step (gather, scalars), the program, behind the last one nnr_end_steps
 *   WORK_EVALUATE  a batch of held-out samples: nnr_begin_samples, the program, nnr_end_samples
 *   WORK_INFER     the evaluation program alone, on the batch that is there */
typedef enum { WORK_TRAIN, WORK_EVALUATE, WORK_INFER, WORK_KINDS } Work;

enum {
	LONGEST_LAUNCH = 64,  /* steps in one graph */
	MOST_ASKED = 1 << 17, /* steps between two looks of the host: the length of `rates` */
};

/* The captured graphs of one kind of work: of a power of two, of the usual length and of an epoch's rest. */
typedef struct Graphs {
	CUgraphExec of[LONGEST_LAUNCH + 1]; /* by steps; NULL: not captured */
	int longest;                        /* 0: not chosen yet */
} Graphs;

typedef struct CudaState {
	CUdevice device;
	int major, minor; /* compute capability */
	char name[128];
	CUcontext context;
	CUstream stream;
	CUmodule module;
	CUevent begun, ended;
	const NnrModel *model;
	bool no_graph, deterministic, capturing;

	NnrMemory memory; /* device addresses */
	NnrControl *control;
	double *rates;
	NnrControl *host_control; /* pinned */
	double *host_rates;
	uint8_t *data[2][MAX_INPUTS]; /* training part, held-out part */
	void *workspace;
	int64_t workspace_bytes;

	NnrSupply training, evaluation; /* of nnr_begin_step and nnr_begin_samples */
	NnrKernel begin_step, end_steps, begin_samples, end_samples;
	Graphs graphs[WORK_KINDS];
} CudaState;

extern CudaState nnr_cuda;

/* module.c: loads the image that fits the device, or says why none does. */
void cuda_load_module(const NnrCudaModel *m);

/* data.c: the data set to the device, and the two supplies that gather from it. */
void cuda_load_data(const Session *s);
void *cuda_allocate(int64_t bytes, const char *what); /* zeroed */
void cuda_free(void *p);

/* graph.c */
/* Enqueues `count` steps or batches, as graphs unless --no-graph. For training, `rest` is how many are left of the epoch
 * (its graph is worth keeping); else 0. */
void cuda_enqueue(Work work, int64_t count, int64_t rest);
/* Captures what cuda_enqueue of the same arguments will need. */
void cuda_prepare(Work work, int64_t count, int64_t rest);
/* Without a graph: the first run of a program, in which the libraries' plans are made. */
void cuda_run_plainly(Work work);
/* Times a step and decides how many make a graph; `epoch`: steps of one, 0 where work has none. Before any other graph. */
void cuda_choose_length(Work work, int64_t epoch);
/* Puts a training batch where the control block stands into the input block. */
void cuda_gather_once(void);
void cuda_free_graphs(void);

#endif
