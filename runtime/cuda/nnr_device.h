/* SPDX-License-Identifier: MIT */
/* The device side of the runtime: what every kernels.cu includes. Functions for generated kernels are in the headers
 * below; here are the runtime's own kernels, which turn one step into the next: nnr_prepare_step, or with
 * NNR_TURNS_INPUTS nnr_prepare_transposed, nnr_count_step, nnr_end_steps, nnr_begin_samples, nnr_end_samples.
 *
 * Self-contained, because NVRTC compiles it inside nnc, where no system header is: nvcc -x cu takes the same text. */
#ifndef NNR_DEVICE_H
#define NNR_DEVICE_H

#include "cuda/nnr_batch.h"
#include "cuda/nnr_control.h"
#include "cuda/nnr_divisor.h"
#include "cuda/nnr_element.h"
#include "cuda/nnr_fetch.h"
#include "cuda/nnr_overlap.h"
#include "cuda/nnr_reduce.h"
#include "cuda/nnr_row_sums.h"

/* The shared memory that the launch asks for: NnrKernel.shared_bytes. Declared once: within a template and within an
 * extern "C" kernel one name would be two. */
#ifndef NNR_CHIP
NNR_FUNCTION char *nnr_chip()
{
	extern __shared__ __align__(128) char nnr_chip_bytes[];
	return nnr_chip_bytes;
}
#define NNR_CHIP(name, bytes) char *const name = nnr_chip()
#endif

/* Threads that a multiprocessor holds: fewer on Orin, GeForce and the like. */
#if defined __CUDA_ARCH__ && \
        (__CUDA_ARCH__ >= 1100 || __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890)
enum { NNR_MOST_THREADS = 1536 };
#else
enum { NNR_MOST_THREADS = 2048 };
#endif

NNR_FUNCTION double nnr_score_at(const NnrScore &score, uint32_t i)
{
	switch (score.dtype) {
	case 0:
		return (double)((const float *)score.at)[i];
	case 1:
		return ((const double *)score.at)[i];
	default:
		return (double)((const int32_t *)score.at)[i];
	}
}

/* Adds the loss and metrics of chunk `u` of a launch; nothing more once a loss was not finite. */
NNR_FUNCTION void nnr_count_scores(NnrControl *c, const NnrSupply &s, int u)
{
	const int64_t step = c->step + u / s.chunks + 1;
	if (c->bad_step)
		return;
	double loss = nnr_score_at(s.scores[0], 0);
	if (!isfinite(loss))
		c->bad_step = step;
	for (int i = 0; i < s.score_count; i++) {
		double value = nnr_score_at(s.scores[i], 0);
		c->last[i] = u % s.chunks ? c->last[i] + value : value;
		if (isfinite(loss))
			c->sums[i] += value;
	}
}

NNR_FUNCTION void nnr_prepare_scalars(NnrControl *c, const NnrSupply &s, int u, int slot)
{
	const uint32_t step = u / s.chunks, chunk = u % s.chunks;
	c->scalars[slot].rate = s.rates[c->asked + step];
	c->scalars[slot].step = (double)(c->step + step + 1);
	c->scalars[slot].last = chunk == s.chunks - 1;
	c->scalars[slot].seed = s.seed + chunk * 0x9e3779b97f4a7c15u; /* chunk_seed of session/session.h */
}

/* The first part of the kernels has them (emit/kernel_parts.h). Tests of the compiler launch none, and a text
 * without them compiles several times faster. */
#ifndef NNR_WITHOUT_STEP_KERNELS

/* Puts what chunk `u` of a launch is given into a slot: block 0 the scalars, the others the batch. None of them reads
 * what block 0 writes. Chunk `u` may be the one after the launch. As many blocks as fill a multiprocessor. */
extern "C" __global__ void __launch_bounds__(NNR_BLOCK, NNR_MOST_THREADS / NNR_BLOCK)
        nnr_prepare_step(NnrControl *c, const NnrSupply s, int u, int slot)
{
	__shared__ NnrCopied shared;
	if (blockIdx.x > 0)
		nnr_gather<true>(c, s, u, slot, blockIdx.x - 1, shared);
	else if (threadIdx.x == 0)
		nnr_prepare_scalars(c, s, u, slot);
}

/* The same where the step reads an input transposed: a kernel of its own, for its tiles take registers and shared
 * memory. It takes NVRTC longer than all others here, and is for those who say that they need it. */
#ifdef NNR_TURNS_INPUTS
extern "C" __global__ void __launch_bounds__(NNR_BLOCK, 4)
        nnr_prepare_transposed(NnrControl *c, const NnrSupply s, int u, int slot)
{
	__shared__ NnrTurned shared;
	if (blockIdx.x > 0)
		nnr_gather_turning(c, s, u, slot, blockIdx.x - 1, shared);
	else if (threadIdx.x == 0)
		nnr_prepare_scalars(c, s, u, slot);
}
#endif

/* Counts the scores of chunk `u` of a launch, before the next one overwrites them (one block). */
extern "C" __global__ void nnr_count_step(NnrControl *c, const NnrSupply s, int u)
{
	if (threadIdx.x == 0)
		nnr_count_scores(c, s, u);
}

/* After the last of the `steps` of a launch (one block): counts its scores, and moves the base to the next launch. A
 * launch is no longer than an epoch, so at most one epoch ends in it. */
extern "C" __global__ void nnr_end_steps(NnrControl *c, const NnrSupply s, int steps)
{
	if (threadIdx.x > 0)
		return;
	if (!s.counted)
		nnr_count_scores(c, s, steps * s.chunks - 1);
	c->step += steps;
	c->asked += steps;
	c->in_epoch += steps;
	if (c->in_epoch < s.steps_per_epoch)
		return;
	c->in_epoch -= s.steps_per_epoch;
	c->epoch++;
	for (uint32_t half = 0; half < 2;
	     half++) { /* of the epoch after this one: a launch may reach into it */
		uint4 r = nnr_philox(s.seed, NNR_STREAM_SHUFFLE, (uint64_t)c->epoch + 1, half);
		uint32_t *key = c->key[(c->epoch + 1) % 2] + 4 * half;
		key[0] = r.x, key[1] = r.y, key[2] = r.z, key[3] = r.w;
	}
}

/* The batch of held-out samples that begins at c->first. */
extern "C" __global__ void __launch_bounds__(NNR_BLOCK)
        nnr_begin_samples(NnrControl *c, const NnrSupply s, int slot)
{
	__shared__ NnrCopied shared;
	if (blockIdx.x == 0 && threadIdx.x == 0) { /* programs of evaluation read slot 0 */
		const int64_t left = s.samples - c->first;
		c->scalars[0].samples = left < s.stride ? (double)left : (double)s.stride;
	}
	nnr_gather<false>(c, s, 0, slot, blockIdx.x, shared);
}

/* Adds the scores of the batch's real samples (one block), and moves to the next batch. */
extern "C" __global__ void __launch_bounds__(NNR_BLOCK) nnr_end_samples(NnrControl *c, const NnrSupply s)
{
	const int64_t left = s.samples - c->first - s.begin;
	const uint32_t real = left < 0 ? 0 : left < s.batch ? (uint32_t)left : s.batch;
	for (int i = 0; i < s.score_count; i++) {
		double sum = 0;
		for (uint32_t k = threadIdx.x; k < real; k += NNR_BLOCK)
			sum += nnr_score_at(s.scores[i], k);
		sum = nnr_block_sum(sum);
		if (threadIdx.x == 0)
			c->sums[i] += sum;
	}
	__syncthreads();
	if (threadIdx.x == 0)
		c->first += s.stride;
}

#endif /* NNR_WITHOUT_STEP_KERNELS */

#endif
