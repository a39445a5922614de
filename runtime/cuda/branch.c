/* The branch: a second stream for what nothing but the end of the step waits for (weight gradients).
 *
 * Only captured graphs use it. Run plainly, the same launches go to the one stream in their order, so that plans are timed
 * undisturbed and both ways compute the same bits. */
#include "runtime/cuda/state.h"

#include "runtime/core/die.h"

enum { MOST_ENDS = 1024 };

static struct {
	CUstream stream;
	CUevent fork, ends[MOST_ENDS];
	bool inside;
	void *workspace; /* of the library steps inside */
	int64_t workspace_bytes;
} branch;

CUstream nnr_cuda_stream(void)
{
	return branch.inside && nnr_cuda.capturing ? branch.stream : nnr_cuda.stream;
}

/* Grows while plans are made, before anything is captured: graphs keep its address. */
void *nnr_cuda_workspace(int64_t bytes)
{
	CudaState *c = &nnr_cuda;
	void **at = branch.inside ? &branch.workspace : &c->workspace;
	int64_t *size = branch.inside ? &branch.workspace_bytes : &c->workspace_bytes;
	if (bytes <= *size)
		return *at;
	require(!c->capturing);
	CU(StreamSynchronize, c->stream);
	cuda_free(*at);
	*at = cuda_allocate(bytes, "making room for the libraries' workspace");
	*size = bytes;
	return *at;
}

void nnr_branch_begin(void)
{
	branch.inside = true;
	if (!nnr_cuda.capturing)
		return;
	if (!branch.stream) {
		CU(StreamCreate, &branch.stream, CU_STREAM_NON_BLOCKING);
		CU(EventCreate, &branch.fork, CU_EVENT_DISABLE_TIMING);
	}
	CU(EventRecord, branch.fork, nnr_cuda.stream);
	CU(StreamWaitEvent, branch.stream, branch.fork, 0);
}

void nnr_branch_end(int number)
{
	branch.inside = false;
	if (!nnr_cuda.capturing)
		return;
	require(number < MOST_ENDS);
	if (!branch.ends[number])
		CU(EventCreate, &branch.ends[number], CU_EVENT_DISABLE_TIMING);
	CU(EventRecord, branch.ends[number], branch.stream);
}

void nnr_branch_wait(int number)
{
	if (nnr_cuda.capturing)
		CU(StreamWaitEvent, nnr_cuda.stream, branch.ends[number], 0);
}
