/* A data set that stays in the host's memory: the samples of each batch go to the device just before their step.
 *
 * There are two places for them on the host (pinned) and two on the device, one for each slot. The host fills a place
 * and enqueues its copy on a stream of its own while the device is still at a step or two before; the step waits for
 * the copy, and the next copy to that place for the step. What arrives are whole samples in the order of the batch:
 * nnr_gather decodes and augments them as it does those of a resident data set, so that the results are the same
 * bits. */
#include "runtime/core/die.h"
#include "runtime/cuda/state.h"

#include <string.h>

static struct {
	CUstream copying;
	CUevent copied[2], used[2]; /* by slot: the copy has ended; what reads it has */
	bool was_copied[2];
	char *host[2];
	char *device; /* of slot 0; slot 1 is supply_bytes behind */
} supply;

void cuda_open_supply(const Session *s)
{
	CudaState *c = &nnr_cuda;
	nnr_cuda_doing("making room for streamed batches");
	CU(StreamCreateWithPriority, &supply.copying, CU_STREAM_NON_BLOCKING, c->priority);
	c->supply_bytes = cuda_padded(s->model->input_bytes);
	supply.device = cuda_allocate(2 * c->supply_bytes, "making room for streamed batches");
	for (int slot = 0; slot < 2; slot++) {
		supply.host[slot] = cuda_pinned(s->model->input_bytes);
		CU(EventCreate, &supply.copied[slot], CU_EVENT_DISABLE_TIMING);
		CU(EventCreate, &supply.used[slot], CU_EVENT_DISABLE_TIMING);
		cuda_supply_used(slot); /* the zeros that the place was filled with arrive before samples */
	}
	c->streams = true;
}

void cuda_close_supply(void)
{
	if (!nnr_cuda.streams)
		return;
	for (int slot = 0; slot < 2; slot++) {
		CU(MemFreeHost, supply.host[slot]);
		CU(EventDestroy, supply.copied[slot]);
		CU(EventDestroy, supply.used[slot]);
	}
	cuda_free(supply.device);
	CU(StreamDestroy, supply.copying);
}

uint8_t *cuda_supply_at(const NnrInput *in)
{
	return (uint8_t *)supply.device + in->offset;
}

/* The place of `slot` on the host, once its last copy has ended. */
static char *take_place(int slot)
{
	nnr_cuda_doing("waiting for a streamed batch to be copied");
	if (supply.was_copied[slot])
		CU(EventSynchronize, supply.copied[slot]);
	return supply.host[slot];
}

static void send(const Session *s, int slot)
{
	CudaState *c = &nnr_cuda;
	nnr_cuda_doing("streaming a batch to the GPU");
	CU(StreamWaitEvent, supply.copying, supply.used[slot], 0);
	CU(MemcpyHtoDAsync, (CUdeviceptr)supply.device + (CUdeviceptr)(slot * c->supply_bytes),
	   supply.host[slot], (size_t)s->model->input_bytes, supply.copying);
	CU(EventRecord, supply.copied[slot], supply.copying);
	CU(StreamWaitEvent, c->stream, supply.copied[slot], 0);
	supply.was_copied[slot] = true;
}

void cuda_supply_training(int64_t ahead, int slot)
{
	const Session *s = nnr_cuda.session;
	int64_t epoch = nnr_cuda.host_control->epoch, index = nnr_cuda.host_control->in_epoch + ahead;
	epoch += index / s->steps_per_epoch;
	batch_rows_train(s, epoch, index % s->steps_per_epoch, take_place(slot));
	send(s, slot);
}

void cuda_supply_held_out(int64_t ahead, int slot)
{
	const Session *s = nnr_cuda.session;
	batch_rows_held_out(s, nnr_cuda.host_control->first + ahead * s->model->batch, take_place(slot));
	send(s, slot);
}

void cuda_supply_used(int slot)
{
	CU(EventRecord, supply.used[slot], nnr_cuda.stream);
}
