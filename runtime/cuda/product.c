/* Launching our kernels for matrix products: see product.h. The copy engine takes what it brings from tensor maps,
 * which are arguments of the kernel: made anew at each call, since a call is captured once. */
#include "runtime/cuda/product.h"

enum { ALIGNMENT = 16 /* of what the copy engine reads */ };

/* There are GPUs of this architecture with fewer multiprocessors than nnc counted on. Blocks that wait for each other
 * need one each; of others, which take tile after tile, more than there are would only come behind them. */
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

static bool map_new(CUtensorMap *map, const void *at, int64_t rows, int64_t columns, int box_rows,
                    CUtensorMapSwizzle swizzle)
{
	const cuuint64_t size[] = {(cuuint64_t)columns, (cuuint64_t)rows},
	                 pitch[] = {(cuuint64_t)columns * sizeof(float)};
	const cuuint32_t box[] = {NNR_PRODUCT_DEPTH, (cuuint32_t)box_rows}, step[] = {1, 1};
	return cu.TensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)(uintptr_t)at, size,
	                               pitch, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
	                               CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
	                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

/* Of a dense matrix, fetched by boxes of `box_rows` rows and 128 bytes of each. */
static bool map_of(CUtensorMap *map, const void *at, int64_t rows, int64_t columns, int box_rows)
{
	return map_new(map, at, rows, columns, box_rows, CU_TENSOR_MAP_SWIZZLE_128B);
}

/* Of one row, fetched by 128 bytes, as they are. */
static bool map_of_row(CUtensorMap *map, const void *at, int64_t columns)
{
	return map_new(map, at, 1, columns, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
}

bool product_run(const NnrProductKernel *own, const NnrProductShape *s, const ProductTensors *t,
                 const NnrCarried *carried)
{
	CUtensorMap from_a, from_b, from_rows;
	ProductTensors of = *t;
	bool ok = s->ta ? map_of(&from_a, of.a, s->k, s->m, NNR_PRODUCT_DEPTH)
	                : map_of(&from_a, of.a, s->m, s->k, NNR_PRODUCT_ROWS);
	if (!ok || !map_of(&from_b, of.b, s->n, s->k, NNR_PRODUCT_COLUMNS) ||
	    (of.rows && !map_of_row(&from_rows, of.rows, s->k)))
		return false;
	void *partial = own->partial ? nnr_cuda_workspace(own->partial * (int64_t)sizeof(float)) : NULL;
	void *arguments[12] = {&from_a, &from_b, &of.y, &partial};
	int count = 4;
	if (of.bias)
		arguments[count++] = &of.bias;
	if (of.weight) {
		arguments[count++] = &of.weight;
		arguments[count++] = &of.sums;
	}
	if (of.rows) {
		arguments[count++] = &from_rows;
		arguments[count++] = &of.columns;
	}
	for (int i = 0; i < 2 && of.made[i]; i++)
		arguments[count++] = &of.made[i];
	arguments[count] = (void *)(uintptr_t)carried;
	nnr_launch(own->kernel, arguments);
	return true;
}
