/* SPDX-License-Identifier: MIT */
/* What the files of the CUDA backend share: one device, one stream, the model's blocks on it. */
#ifndef NNR_CUDA_STATE_H
#define NNR_CUDA_STATE_H

#include "runtime/session/backend.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/nnr_control.h"

/* What one launch is made of; all of it is enqueued without waiting for the device.
 *
 *   WORK_TRAIN     a training step: the program and, beside it, nnr_count_step of the step before and nnr_prepare_step
 *                  of the next; after the last one nnr_end_steps
 *   WORK_EVALUATE  a batch of held-out samples: nnr_begin_samples, the program, nnr_end_samples
 *   WORK_INFER     a request: the program of prediction alone, on each of its batches, which are there; of `predict` on
 *                  one */
typedef enum { WORK_TRAIN, WORK_EVALUATE, WORK_INFER, WORK_KINDS } Work;

enum {
	LONGEST_LAUNCH = 64,  /* steps in one graph */
	MOST_ASKED = 1 << 17, /* steps between two looks of the host; `rates` has one more */
};

/* The captured graphs of one kind of work: of a power of two, of the usual length and of an epoch's rest. */
typedef struct Graphs {
	CUgraphExec of[2]
	              [LONGEST_LAUNCH + 1]; /* by the slot of the first step, and steps; NULL: not captured */
	int longest;                        /* 0: not chosen yet */
} Graphs;

enum { MOST_MODULES = 16 };

typedef struct CudaState {
	CUdevice device;
	int major, minor; /* compute capability */
	char name[128];
	CUcontext context;
	CUstream stream;
	CUmodule modules[MOST_MODULES]; /* the parts of the kernels, compiled for this device */
	int module_count;
	bool kernels_wait;   /* nnr_kernel_wait of its images is no empty function: kernels may overlap */
	bool has_warpgroups; /* its images are for compute capability 9.0 alone */
	int priority;        /* of the step's streams: what runs beside a step takes only what they leave */
	CUevent begun, ended;
	CUstream side; /* beside the step: graph.c */
	CUevent forked, counted, prepared;
	bool beside;   /* what is being enqueued goes to `side` */
	bool counting; /* `counted` is to be waited for */
	const NnrModel *model;
	const Session *session;
	bool streams;         /* the samples are not on the device: stream.c */
	int64_t supply_bytes; /* then, from the samples of slot 0 to those of slot 1 */
	bool no_graph, deterministic, capturing;
	bool looking; /* through programs, for what they will ask of the libraries: nothing is enqueued */

	NnrMemory memory;  /* device addresses; inputs: slot 0 of two, or of those of a request */
	char *frozen;      /* what --freeze keeps: the ranges of Session.frozen, one after the other */
	char *predictions; /* of a request of several batches, kept batch by batch */
	int64_t prediction_bytes, request_batches;
	int64_t slot_bytes;
	int slot;           /* which the next training step takes */
	int64_t ready_step; /* whose batch and scalars are in it; -1: none's */
	NnrControl *control;
	double *rates;
	NnrControl *host_control; /* pinned */
	double *host_rates;
	uint8_t *data[2][MAX_INPUTS]; /* training part, held-out part */
	void *workspace;
	int64_t workspace_bytes;

	NnrSupply training, evaluation; /* of nnr_prepare_step and nnr_begin_samples */
	NnrSupply rest;                 /* of training, what no product of the step before gathers: carry.c */
	int turn;                       /* of the step that is being enqueued, in its launch */
	NnrKernel prepare_first, prepare_step; /* all of a batch; of `rest` */
	NnrKernel count_step, end_steps, begin_samples, end_samples;
	Graphs graphs[WORK_KINDS];
	bool afresh[WORK_KINDS]; /* plans have changed: its next launch is of one step, plainly */
} CudaState;

extern CudaState nnr_cuda;

/* backend.c: bytes of device memory that may still be taken, --memory regarded; *total: of the device. */
size_t cuda_memory_left(size_t *total);

/* backend.c: the driver, the first GPU and its context, which the caller makes current. */
void cuda_find_device(void);
/* Refuses before anything is allocated, with what would fit. */
void cuda_check_plan(const Session *s);
/* Parameters and states of the host to those blocks, the 16-bit copy with them; only enqueued. */
void cuda_copy_up(const Session *s, const NnrMemory *to);
void cuda_copy(void *to_device, const char *from, int64_t bytes);
void cuda_copy_back(char *to, const void *from_device, int64_t bytes);

/* room.c */
extern const NnrRooms cuda_rooms;

/* backend.c: seconds that `count` steps take, between two events in the stream: c->begun, c->ended. At most MOST_ASKED
 * of them. */
double cuda_run_timed(Session *s, Work work, int64_t count);

/* profile.c */
void cuda_profile(Session *s, int64_t steps);
struct Peaks;
void cuda_peaks(Session *s, struct Peaks *peaks);
double cuda_joules(const Session *s); /* nvml.c */
/* plan.c */
void cuda_put_tuned(FILE *to);

/* module.c: loads the images that fit the device, or says why none does. */
void cuda_load_modules(const NnrCudaModel *m);
void cuda_unload_modules(void);
/* Finds the kernel in it; else the first launch does, which must not be in a capture. */
void cuda_find_kernel(NnrKernel *k);

/* data.c: the data set to the device, and the two supplies that gather from it. */
void cuda_load_data(Session *s);
/* How a training step is given the batch at `from` on the device, laid out as the host's: by this supply and kernel,
 * into slot 0 of nnr_cuda.memory. */
NnrSupply cuda_given_batch(const Session *s, uint8_t *from, NnrKernel *prepare);
/* From now on nnr_prepare_step leaves this input of a training step to others; -1: none. */
void cuda_leave_feed(int feed);
int64_t cuda_padded(int64_t bytes); /* as all blocks are: a multiple of 256, and more than bytes */
void *cuda_allocate(int64_t bytes, const char *what); /* zeroed and padded */
void cuda_free(void *p);
void *cuda_pinned(int64_t bytes); /* host memory that copies run from and to by themselves; zeroed */

/* branch.c: the stream of the branch and what belongs to it. */
void cuda_open_branch(void);
void cuda_close_branch(void);
bool cuda_on_branch(void); /* what is enqueued goes to it */
/* In a capture: what is enqueued next on the stream waits for the end of that number. */
void cuda_wait_for_branch(CUstream stream, int number);

/* carry.c: the part of the gather that products do. */
/* After cuda_load_data. */
void cuda_carry_open(void);
/* When the plans of a training step are made and one has run plainly: leaves to its products what they can gather. True
 * where there is something; which kernels they run by may then be others. */
bool cuda_carry_share(void);
/* Whether they gather. */
bool cuda_carry_shared(void);
/* The products' plans may be others from now on: all is gathered beside the step again, until cuda_carry_share. */
void cuda_carry_forget(void);
/* Around the program of a training step: which batch is the one after it, and where that goes. */
void cuda_carry_begin(int unit, int slot);
void cuda_carry_end(void);

/* stream.c: `ahead` counts from where the control block stood when the host wrote it. */
/* Makes the session's loader and the places that batches are streamed through; `streams` is then true. */
void cuda_open_supply(Session *s);
void cuda_close_supply(Session *s);
/* Where the samples of an input arrive on the device, for slot 0. */
uint8_t *cuda_supply_at(const NnrInput *in);
/* Sends the samples of the training step, or of the held-out batch, that is `ahead`; what is enqueued next waits for
 * them. False where one of them can't be decoded: loader_failure(). */
bool cuda_supply_training(int64_t ahead, int slot);
bool cuda_supply_held_out(int64_t ahead, int slot);
/* Tells the loader how long the training steps that have ended waited for samples. */
void cuda_supply_waits(Session *s);
/* What was enqueued until now is all that reads the samples of that slot. */
void cuda_supply_used(int slot);

/* graph.c */
/* Whether training steps find their samples in the data set themselves. */
bool cuda_fetches(void);
/* Keeps what --freeze names, or puts it back, as it does after each step. */
void cuda_copy_frozen(bool keep);
/* Within a training step, its first branch enqueued: what is left of the preparation of the next one may begin. */
void cuda_prepare_next(void);
/* Makes the streams and the events between them; needs the context alone. */
void cuda_open_streams(void);
void cuda_close_streams(void);
/* Enqueues `count` steps or batches, as graphs unless --no-graph. For training, `rest` is how many are left of the
 * epoch (its graph is worth keeping), else 0; cuda_prepare_first has been called since the control block was
 * written. Returns how many: fewer where the samples of the next can't be decoded. */
int64_t cuda_enqueue(Work work, int64_t count, int64_t rest);
/* Whether each launch of this work waits for samples from the host; it is then of one step. */
bool cuda_streams(Work work);
/* Captures what cuda_enqueue of the same arguments will need. */
void cuda_prepare(Work work, int64_t count, int64_t rest);
/* Without a graph: the first run of a program, in which the libraries' plans are made. */
void cuda_run_plainly(Work work);
/* Enqueues what evaluation and inference read of the weights, which may have changed. */
void cuda_prepare_weights(void);
/* Goes through the programs of that work while nnr_cuda.looking. */
void cuda_look_through(Work work);
/* Puts batch and scalars of step `step`, where the control block stands, into the slot of the next training step,
 * unless the step before it has. False where its samples can't be decoded. */
bool cuda_prepare_first(int64_t step);
/* Times a step and decides how many make a graph; `epoch`: steps of one, 0 where work has none. Before any other
 * graph. */
void cuda_choose_length(Work work, int64_t epoch);
/* Of several ranks: times training steps with and without what they send one another, and says it. */
void cuda_time_ranks(void);
void cuda_free_graphs(void);
/* Plans may change now, and the workspace move: what was captured is gone, and each kind of work begins with one plain
 * step, in which it may grow; training with two, where products gather that did not. */
void cuda_begin_afresh(void);

/* tune_up.c */
/* Once all programs have run: searches for plans, or leaves that to cuda_tune_between. True when plans may have
 * changed. */
bool cuda_tune_first(const Session *s);
/* NnrBackend.between. */
bool cuda_tune_between(Session *s);

#endif
