/* SPDX-License-Identifier: MIT */
/* Samples that are not on the device: those of each batch go there just before its step.
 *
 * Workers make the batches in pinned memory (session/loader.h). There are two places for them on the device, one
 * for each slot. While the device is still at a step or two before, the host enqueues a batch's copy on a stream
 * of its own; the step waits for the copy, and the next copy to that place for the step. What arrives are whole
 * samples in the order of the batch: nnr_gather moves and mirrors them as it does those of a resident data set, so
 * that the results are the same bits. */
#include "runtime/session/loader.h"
#include "runtime/cuda/state.h"

enum { TAKEN = 2, STALLS = 64 };

/* The time that the step's stream stands still: from the end of what was enqueued before to a batch's arrival. */
typedef struct Stall {
	CUevent begun, ended;
} Stall;

static struct {
	CUstream copying;
	CUevent used[2]; /* by slot: what reads it has ended */
	char *device;    /* of slot 0; slot 1 is supply_bytes after */
	struct {
		CUevent copied;
		bool held_out, busy;
	} taken[TAKEN]; /* batches of the loader whose copy may go on, in turn */
	int turn;
	Stall stalls[STALLS]; /* of training; a ring */
	int64_t first_stall, stall_count;
} supply;

static void *take_pinned(int64_t bytes)
{
	return cuda_pinned(bytes);
}

static void give_pinned(void *at, int64_t bytes)
{
	CU(MemFreeHost, at);
}

void cuda_open_supply(Session *s)
{
	CudaState *c = &nnr_cuda;
	nnr_cuda_doing("making room for streamed batches");
	CU(StreamCreateWithPriority, &supply.copying, CU_STREAM_NON_BLOCKING, c->priority);
	c->supply_bytes = cuda_padded(s->model->input_bytes);
	supply.device = cuda_allocate(2 * c->supply_bytes, "making room for streamed batches");
	for (int i = 0; i < TAKEN; i++)
		CU(EventCreate, &supply.taken[i].copied, CU_EVENT_DISABLE_TIMING);
	for (int i = 0; i < STALLS; i++) {
		CU(EventCreate, &supply.stalls[i].begun, CU_EVENT_DEFAULT);
		CU(EventCreate, &supply.stalls[i].ended, CU_EVENT_DEFAULT);
	}
	for (int slot = 0; slot < 2; slot++) {
		CU(EventCreate, &supply.used[slot], CU_EVENT_DISABLE_TIMING);
		cuda_supply_used(slot); /* the zeros that the place was filled with arrive before samples */
	}
	s->loader = loader_new(s, (LoaderMemory){take_pinned, give_pinned}, false, TAKEN);
	c->streams = true;
}

void cuda_close_supply(Session *s)
{
	if (!nnr_cuda.streams)
		return;
	CU(StreamSynchronize, supply.copying); /* what it copies from is about to go */
	loader_free(s->loader);
	s->loader = NULL;
	for (int i = 0; i < TAKEN; i++)
		CU(EventDestroy, supply.taken[i].copied);
	for (int i = 0; i < STALLS; i++) {
		CU(EventDestroy, supply.stalls[i].begun);
		CU(EventDestroy, supply.stalls[i].ended);
	}
	for (int slot = 0; slot < 2; slot++)
		CU(EventDestroy, supply.used[slot]);
	cuda_free(supply.device);
	CU(StreamDestroy, supply.copying);
}

uint8_t *cuda_supply_at(const NnrInput *in)
{
	return (uint8_t *)supply.device + in->offset;
}

/* Gives the batch that was taken two turns ago back to the loader, once its copy has ended. */
static void give_back(Loader *l)
{
	if (!supply.taken[supply.turn].busy)
		return;
	nnr_cuda_doing("waiting for a streamed batch to be copied");
	CU(EventSynchronize, supply.taken[supply.turn].copied);
	loader_release(l, supply.taken[supply.turn].held_out);
	supply.taken[supply.turn].busy = false;
}

static void add_first_stall(Loader *l)
{
	float milliseconds;
	const Stall *first = &supply.stalls[supply.first_stall % STALLS];
	nnr_cuda_doing("timing how long a batch was waited for");
	CU(EventSynchronize, first->ended);
	CU(EventElapsedTime, &milliseconds, first->begun, first->ended);
	loader_add_wait(l, 1e-3 * (double)milliseconds);
	supply.first_stall++;
	supply.stall_count--;
}

void cuda_supply_waits(Session *s)
{
	while (supply.stall_count > 0)
		add_first_stall(s->loader);
}

/* Sends a batch to the place of `slot`; what is enqueued next waits for it. False where it can't be made. */
static bool send(bool held_out, int64_t batch, int slot)
{
	CudaState *c = &nnr_cuda;
	Loader *l = c->session->loader;
	if (supply.stall_count == STALLS)
		add_first_stall(l);
	const Stall *stall = &supply.stalls[(supply.first_stall + supply.stall_count) % STALLS];
	nnr_cuda_doing("streaming a batch to the GPU");
	if (!held_out)
		CU(EventRecord, stall->begun, c->stream);
	give_back(l);
	const char *from = loader_take(l, held_out, batch);
	if (!from)
		return false;
	CUevent copied = supply.taken[supply.turn].copied;
	supply.taken[supply.turn].held_out = held_out;
	supply.taken[supply.turn].busy = true;
	supply.turn = (supply.turn + 1) % TAKEN;
	nnr_cuda_doing("streaming a batch to the GPU");
	CU(StreamWaitEvent, supply.copying, supply.used[slot], 0);
	CU(MemcpyHtoDAsync, (CUdeviceptr)supply.device + (CUdeviceptr)(slot * c->supply_bytes), from,
	   (size_t)c->model->input_bytes, supply.copying);
	CU(EventRecord, copied, supply.copying);
	CU(StreamWaitEvent, c->stream, copied, 0);
	if (!held_out) {
		CU(EventRecord, stall->ended, c->stream);
		supply.stall_count++;
	}
	return true;
}

bool cuda_supply_training(int64_t ahead, int slot)
{
	const NnrControl *now = nnr_cuda.host_control;
	return send(false, now->epoch * nnr_cuda.session->steps_per_epoch + now->in_epoch + ahead, slot);
}

bool cuda_supply_held_out(int64_t ahead, int slot)
{
	const Session *s = nnr_cuda.session;
	int64_t number = nnr_cuda.host_control->first / held_out_batch(s) + ahead;
	return send(true, number * held_out_turns(s), slot);
}

void cuda_supply_used(int slot)
{
	CU(EventRecord, supply.used[slot], nnr_cuda.stream);
}
