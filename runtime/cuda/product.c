/* SPDX-License-Identifier: MIT */
/* Launching our kernels for matrix products: see product.h. The copy engine takes what it brings from tensor maps,
 * which are arguments of the kernel: made anew at each call, since a call is captured once. */
#include "runtime/cuda/nnr_sizes.h"
#include "runtime/cuda/product.h"

enum { ALIGNMENT = 16 /* of what the copy engine reads */ };

/* There are GPUs of this architecture with fewer multiprocessors than nnc counted on. Blocks that wait for each other
 * need one each; of others, which take tile after tile, more than there are would only come after them. */
static bool fit_to_device(NnrKernel *k)
{
	int multiprocessors;
	CU(DeviceGetAttribute, &multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, nnr_cuda_device());
	if (!k->together && k->blocks > multiprocessors)
		k->blocks = multiprocessors;
	return k->blocks <= multiprocessors;
}

bool product_fits(const NnrProductKernel *own, const NnrProductShape *s, NnrDType dtype, int alignment)
{
	return own && nnr_cuda_has_warpgroups() && dtype == NNR_F32 && plan_allows_tf32() && s->batch == 1 &&
	       s->tb && !s->lda && !s->ldb && !s->ldy && alignment >= ALIGNMENT && fit_to_device(own->kernel);
}

/* Of a dense matrix, fetched by boxes of `box_rows` rows and 128 bytes of each. */
static bool map_of(CUtensorMap *map, const void *at, int64_t rows, int64_t columns, int box_rows)
{
	const cuuint64_t size[] = {(cuuint64_t)columns, (cuuint64_t)rows},
	                 pitch[] = {(cuuint64_t)columns * sizeof(float)};
	const cuuint32_t box[] = {NNR_PRODUCT_DEPTH, (cuuint32_t)box_rows}, step[] = {1, 1};
	return cu.TensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)(uintptr_t)at, size,
	                               pitch, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
	                               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
	                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

bool product_run(const NnrProductKernel *own, const NnrProductShape *s, const void *a, const void *b,
                 const void *bias, const void *weight, void *y, const NnrCarried *carried)
{
	CUtensorMap from_a, from_b;
	bool ok = s->ta ? map_of(&from_a, a, s->k, s->m, NNR_PRODUCT_DEPTH)
	                : map_of(&from_a, a, s->m, s->k, NNR_PRODUCT_ROWS);
	if (!ok || !map_of(&from_b, b, s->n, s->k, NNR_PRODUCT_COLUMNS))
		return false;
	void *partial = own->partial ? nnr_cuda_workspace(own->partial * (int64_t)sizeof(float)) : NULL;
	void *arguments[7] = {&from_a, &from_b, &y, &partial};
	int count = 4;
	if (bias)
		arguments[count++] = &bias;
	if (weight)
		arguments[count++] = &weight;
	arguments[count] = (void *)(uintptr_t)carried;
	nnr_launch(own->kernel, arguments);
	return true;
}
