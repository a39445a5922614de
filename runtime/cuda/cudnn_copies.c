/* SPDX-License-Identifier: MIT */
/* Parameters lie one after the other, so that a bias or a filter after one of odd size begins anywhere. cuDNN takes a
 * tensor's alignment as an attribute, but its word is not to be relied on: with 4 or 8 bytes there, 9.14 on an H200 has
 * ended a step in `misaligned address`, with epilogues and with weight gradients, after which no other plan can be
 * tried. So it never sees such a tensor. Activations are aligned: what begins so are filters, their gradients, and
 * one number a channel. The copies come on top of what a plan may use (plan_workspace_cap). */
#include "runtime/cuda/cudnn_copies.h"

static bool needs_copy(const void *tensor, int64_t bytes)
{
	return bytes > 0 && plan_alignment(tensor, NULL, NULL) < FULLY_ALIGNED;
}

int64_t copies_bytes(const void *const tensor[TENSORS], const int64_t bytes[TENSORS])
{
	int64_t all = 0;
	for (Role i = 0; i < TENSORS; i++)
		all += needs_copy(tensor[i], bytes[i]) ? dnn_aligned(bytes[i]) : 0;
	return all;
}

void copies_place(Copies *c, char *at, const void *tensor[TENSORS], const int64_t bytes[TENSORS],
                  const bool is_result[TENSORS])
{
	*c = (Copies){0};
	for (Role i = 0; i < TENSORS; i++) {
		if (!needs_copy(tensor[i], bytes[i]))
			continue;
		c->of[i] = (struct Copied){tensor[i], at, bytes[i], is_result[i]};
		tensor[i] = at;
		at += dnn_aligned(bytes[i]);
	}
}

static void copy(const void *to, const void *from, int64_t bytes)
{
	nnr_cuda_check(
	        cu.MemcpyDtoDAsync((CUdeviceptr)to, (CUdeviceptr)from, (size_t)bytes, nnr_cuda_stream()),
	        "cuMemcpyDtoDAsync");
}

void copies_fetch(const Copies *c)
{
	for (const struct Copied *k = c->of; k < c->of + TENSORS; k++)
		if (k->tensor && !k->is_result)
			copy(k->at, k->tensor, k->bytes);
}

void copies_return(const Copies *c)
{
	for (const struct Copied *k = c->of; k < c->of + TENSORS; k++)
		if (k->tensor && k->is_result)
			copy(k->tensor, k->at, k->bytes);
}
