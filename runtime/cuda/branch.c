/* SPDX-License-Identifier: MIT */
/* The branch: a second stream for what nothing but the end of the step waits for (weight gradients).
 *
 * Only captured graphs use it. Run plainly, the same launches go to the one stream in their order, so that plans are
 * timed undisturbed and both ways compute the same bits. */
#include "runtime/cuda/state.h"

#include "runtime/host/die.h"

#include <stdlib.h>
#include <string.h>

static struct {
	CUstream stream;
	CUevent fork, *ends; /* by number */
	int end_count;
	bool inside;
	void *workspace; /* of the library steps inside */
	int64_t workspace_bytes;
} branch;

void cuda_open_branch(void)
{
	CU(StreamCreateWithPriority, &branch.stream, CU_STREAM_NON_BLOCKING, nnr_cuda.priority);
	CU(EventCreate, &branch.fork, CU_EVENT_DISABLE_TIMING);
}

void cuda_close_branch(void)
{
	for (int i = 0; i < branch.end_count; i++)
		CU(EventDestroy, branch.ends[i]);
	free(branch.ends);
	CU(EventDestroy, branch.fork);
	CU(StreamDestroy, branch.stream);
	cuda_free(branch.workspace);
	memset(&branch, 0, sizeof branch);
}

bool cuda_on_branch(void)
{
	return branch.inside;
}

CUstream nnr_cuda_stream(void)
{
	if (!nnr_cuda.capturing)
		return nnr_cuda.stream;
	return nnr_cuda.beside ? nnr_cuda.side : branch.inside ? branch.stream : nnr_cuda.stream;
}

/* Grows in plain steps. Graphs keep its address: where it moves, they are captured anew. */
void *nnr_cuda_workspace(int64_t bytes)
{
	CudaState *c = &nnr_cuda;
	void **at = branch.inside ? &branch.workspace : &c->workspace;
	int64_t *size = branch.inside ? &branch.workspace_bytes : &c->workspace_bytes;
	if (bytes <= *size)
		return *at;
	require(!c->capturing);
	CU(StreamSynchronize, c->stream);
	if (*at)
		cuda_free_graphs();
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
	CU(EventRecord, branch.fork, nnr_cuda.stream);
	CU(StreamWaitEvent, branch.stream, branch.fork, 0);
}

void nnr_branch_end(int number)
{
	branch.inside = false;
	if (number >= branch.end_count) { /* in the plain run that every program begins with */
		branch.ends = reallocate(branch.ends, number + 1, sizeof(CUevent), "the ends of branches");
		for (; branch.end_count <= number; branch.end_count++)
			CU(EventCreate, &branch.ends[branch.end_count], CU_EVENT_DISABLE_TIMING);
	}
	if (nnr_cuda.capturing)
		CU(EventRecord, branch.ends[number], branch.stream);
	cuda_prepare_next();
}

void cuda_wait_for_branch(CUstream stream, int number)
{
	CU(StreamWaitEvent, stream, branch.ends[number], 0);
}

void nnr_branch_wait(int number)
{
	if (nnr_cuda.capturing)
		cuda_wait_for_branch(nnr_cuda.stream, number);
}
