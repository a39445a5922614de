/* SPDX-License-Identifier: MIT */
/* A libcublasLt.so.13 of six algorithms for f32 and bf16, computed at once on the CPU. The third gets one element
 * wrong, the fourth leaves one out, the fifth is refused when it is called, the sixth is off by LOOSE_BY everywhere.
 * What a run takes is what the fake driver's clock says next (FAKE_CUDA_MICROSECONDS).
 *
 *   FAKE_CUBLASLT=012345            the algorithms that the heuristic names, in this order
 *   FAKE_CUBLASLT_RIGHT=US          what the second takes
 *   FAKE_CUBLASLT_FUSED=US          what all take with an epilogue
 *   FAKE_CUBLASLT_HIDES=1           their ReLU makes 0 of NaN
 *   FAKE_CUBLASLT_FAIL=K            the K-th call fails; K+: and all after it
 *   FAKE_CUDA_MICROSECONDS=clock    the driver runs them, as work that writes a pattern (fake_work.h): all but SLOW
 *                                   take the same, and have a tile, a swizzle and a scheme of reduction to set; the
 *                                   fastest is tile BEST_TILE, swizzled. Two schemes at once end the process, where the
 *                                   device would have a fault */
#include "runtime/nnr_half.h"
#include "tests/cuda/fake_work.h"

#include <cublasLt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static long calls;

#define ENTER                                                  \
	do {                                                   \
		if (fake_fails("FAKE_CUBLASLT_FAIL", ++calls)) \
			return CUBLAS_STATUS_EXECUTION_FAILED; \
	} while (0)

enum { SLOW, RIGHT, WRONG, PARTIAL, REFUSED, LOOSE, ALGORITHMS };
enum { TILES = 6, BEST_TILE = 5 };
enum { SCHEME = 3 }; /* word of an algorithm */
static const char *const microseconds[ALGORITHMS] = {
        [SLOW] = "40000", [RIGHT] = "30000", [WRONG] = "20000", [PARTIAL] = "10000", [LOOSE] = "15000"};
static const float LOOSE_BY = 0.02f; /* of sums of 20 products of magnitude 1 and less */

struct Layout {
	int64_t rows, columns, leading, stride;
	int32_t batch;
	bool narrow; /* bf16 */
};

/* The opaque types have room for ours. */
typedef struct Operation {
	int32_t transposed[2];
	cublasLtEpilogue_t epilogue; /* 0: none */
	void *bias;                  /* of the result's type; of sums of an operand, where they go */
	void *aux;                   /* GELU's operand, written or read */
	int64_t aux_leading;
} Operation;

size_t cublasLtGetVersion(void)
{
	return 130000;
}

const char *cublasLtGetStatusName(cublasStatus_t status)
{
	return status == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_FAKE";
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
	ENTER;
	static int here;
	*handle = (cublasLtHandle_t)&here;
	return CUBLAS_STATUS_SUCCESS;
}

/* ---- descriptions */

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute,
                                        cudaDataType_t scale)
{
	ENTER;
	*d = calloc(1, sizeof(Operation) < sizeof **d ? sizeof **d : sizeof(Operation));
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t what,
                                              const void *value, size_t bytes)
{
	ENTER;
	Operation *o = (Operation *)(void *)d;
	int32_t op;
	if (what == CUBLASLT_MATMUL_DESC_EPILOGUE) {
		memcpy(&o->epilogue, value, sizeof o->epilogue);
	} else if (what == CUBLASLT_MATMUL_DESC_BIAS_POINTER) {
		memcpy(&o->bias, value, sizeof o->bias);
	} else if (what == CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER) {
		memcpy(&o->aux, value, sizeof o->aux);
	} else if (what == CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD) {
		memcpy(&o->aux_leading, value, sizeof o->aux_leading);
	} else if (what != CUBLASLT_MATMUL_DESC_TRANSA && what != CUBLASLT_MATMUL_DESC_TRANSB) {
		return CUBLAS_STATUS_NOT_SUPPORTED;
	} else {
		memcpy(&op, value, sizeof op);
		o->transposed[what == CUBLASLT_MATMUL_DESC_TRANSB] = op == (int32_t)CUBLAS_OP_T;
	}
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d)
{
	ENTER;
	free(d);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading)
{
	ENTER;
	struct Layout *made = calloc(1, sizeof *made);
	*made = (struct Layout){(int64_t)rows, (int64_t)columns, leading, 0, 1, type == CUDA_R_16BF};
	*l = (cublasLtMatrixLayout_t)(void *)made;
	return type == CUDA_R_32F || made->narrow ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l,
                                                cublasLtMatrixLayoutAttribute_t what, const void *value,
                                                size_t bytes)
{
	ENTER;
	struct Layout *of = (struct Layout *)(void *)l;
	memcpy(what == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT ? (void *)&of->batch : (void *)&of->stride, value,
	       bytes);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l)
{
	ENTER;
	free(l);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{
	ENTER;
	*p = calloc(1, sizeof **p);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p,
                                                    cublasLtMatmulPreferenceAttributes_t what,
                                                    const void *value, size_t bytes)
{
	ENTER;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p)
{
	ENTER;
	free(p);
	return CUBLAS_STATUS_SUCCESS;
}

static bool by_clock(void)
{
	const char *pace = getenv("FAKE_CUDA_MICROSECONDS");
	return pace && strcmp(pace, "clock") == 0;
}

/* ---- algorithms: the first word is the number; there is nothing to set but by the clock, in the words after it */

static int word_of(cublasLtMatmulAlgoConfigAttributes_t what)
{
	return what == CUBLASLT_ALGO_CONFIG_ID                               ? 0
	       : by_clock() && what == CUBLASLT_ALGO_CONFIG_TILE_ID          ? 1
	       : by_clock() && what == CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING    ? 2
	       : by_clock() && what == CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME ? SCHEME
	                                                                     : -1;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t d,
                                              cublasLtMatrixLayout_t la, cublasLtMatrixLayout_t lb,
                                              cublasLtMatrixLayout_t lc, cublasLtMatrixLayout_t ld,
                                              cublasLtMatmulPreference_t p, int room,
                                              cublasLtMatmulHeuristicResult_t *out, int *count)
{
	ENTER;
	const char *named = getenv("FAKE_CUBLASLT");
	memset(out, 0, (size_t)room * sizeof *out);
	for (*count = 0; named && named[*count]; ++*count)
		out[*count].algo.data[0] = (uint64_t)(named[*count] - '0');
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t d,
                                       cublasLtMatrixLayout_t la, cublasLtMatrixLayout_t lb,
                                       cublasLtMatrixLayout_t lc, cublasLtMatrixLayout_t ld,
                                       const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result)
{
	ENTER;
	*result = (cublasLtMatmulHeuristicResult_t){.algo = *algo};
	return algo->data[0] < ALGORITHMS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t what, void *value,
                                                    size_t bytes, size_t *written)
{
	ENTER;
	if (word_of(what) < 0)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	memcpy(value, &algo->data[word_of(what)], bytes);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t what,
                                                    const void *value, size_t bytes)
{
	ENTER;
	if (word_of(what) < 0)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	memcpy(&algo->data[word_of(what)], value, bytes);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                 cublasLtMatmulAlgoCapAttributes_t what, void *value,
                                                 size_t bytes, size_t *written)
{
	ENTER;
	const uint32_t tiles[TILES] = {1, 2, 3, 4, 5, 6}, swizzled = 1, aligned = 0;
	bool lists = what == CUBLASLT_ALGO_CAP_TILE_IDS;
	if (!by_clock() || what == CUBLASLT_ALGO_CAP_STAGES_IDS)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	*written = lists ? sizeof tiles : sizeof swizzled;
	memcpy(value,
	       lists                                             ? tiles
	       : what == CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT ? &swizzled
	                                                         : &aligned,
	       *written);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                        cudaDataType_t c, cudaDataType_t d, int room, int ids[], int *count)
{
	ENTER;
	*count = 0;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                      cudaDataType_t c, cudaDataType_t d, int id, cublasLtMatmulAlgo_t *algo)
{
	ENTER;
	return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* ---- the product */

static float element(const void *from, const struct Layout *l, int64_t i)
{
	return l->narrow ? nnr_bf16_value(((const uint16_t *)from)[i]) : ((const float *)from)[i];
}

static void store(void *to, const struct Layout *l, int64_t i, float value)
{
	if (l->narrow)
		((uint16_t *)to)[i] = nnr_bf16_bits(value);
	else
		((float *)to)[i] = value;
}

static float at(const void *matrix, const struct Layout *l, int32_t n, bool transposed, int64_t row,
                int64_t column)
{
	return element(matrix, l,
	               n * l->stride + (transposed ? column + row * l->leading : row + column * l->leading));
}

/* As cuBLASLt has it, by tanh. */
static float gelu(float x)
{
	return x / 2 * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

static float gelu_slope(float x)
{
	const float t = tanhf(0.79788456f * (x + 0.044715f * x * x * x));
	return (1 + t) / 2 + x / 2 * (1 - t * t) * 0.79788456f * (1 + 3 * 0.044715f * x * x);
}

/* What cuBLASLt demands of an epilogue with a tensor more, all of one product. */
static bool is_well_described(const Operation *op, const struct Layout *of_y)
{
	const bool aux = op->epilogue & CUBLASLT_EPILOGUE_GELU_AUX & ~CUBLASLT_EPILOGUE_GELU;
	const bool sums = op->epilogue & (CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB);
	const bool bias = sums || (op->epilogue & CUBLASLT_EPILOGUE_BIAS);
	if (op->epilogue && (bias != (op->bias != NULL) || aux != (op->aux != NULL)))
		return false;
	return !aux || (op->aux_leading >= of_y->rows && op->aux_leading % 8 == 0 && of_y->batch == 1);
}

/* Sums along the depth, of the first operand's rows or of the second's columns. */
static void sum_operand(const Operation *op, const void *x, const struct Layout *of_x, bool of_a,
                        int64_t count, int64_t depth, const struct Layout *of_y)
{
	for (int64_t i = 0; i < count; i++) {
		float sum = 0;
		for (int64_t k = 0; k < depth; k++)
			sum += at(x, of_x, 0, op->transposed[!of_a], of_a ? i : k, of_a ? k : i);
		store(op->bias, of_y, i, sum);
	}
}

static float with_gelu(const Operation *op, const struct Layout *of_y, float sum, int64_t row, int64_t column)
{
	const int64_t place = row + column * op->aux_leading;
	if (op->epilogue == CUBLASLT_EPILOGUE_DGELU)
		return sum * gelu_slope(element(op->aux, of_y, place));
	if (op->epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS)
		store(op->aux, of_y, place, sum);
	return op->epilogue & CUBLASLT_EPILOGUE_GELU ? gelu(sum) : sum;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t d, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t la, const void *b,
                              cublasLtMatrixLayout_t lb, const void *beta, const void *c,
                              cublasLtMatrixLayout_t lc, void *y, cublasLtMatrixLayout_t ly,
                              const cublasLtMatmulAlgo_t *algo, void *workspace, size_t bytes,
                              cudaStream_t stream)
{
	ENTER;
	const Operation *op = (const Operation *)(const void *)d;
	const struct Layout *of_a = (const void *)la, *of_b = (const void *)lb, *of_y = (const void *)ly;
	const uint64_t id = algo->data[0];
	if (id == REFUSED || !is_well_described(op, of_y))
		return CUBLAS_STATUS_NOT_SUPPORTED;
	const int64_t depth = op->transposed[0] ? of_a->rows : of_a->columns;
	if (by_clock()) {
		const uint64_t scheme = algo->data[SCHEME];
		if (scheme & (scheme - 1)) {
			fprintf(stderr, "fake cuBLASLt: two schemes of reduction, %d\n", (int)scheme);
			abort();
		}
		double slower = 0.05 * (double)llabs((int64_t)algo->data[1] - BEST_TILE) +
		                (algo->data[2] ? 0 : 0.1) + (id == SLOW ? 0.2 : 0);
		FakeWork work = {.stream = stream,
		                 .result = y,
		                 .count = (size_t)(of_y->rows * of_y->columns),
		                 .operand = b /* our a, as it is asked for (TURNED) */};
		work.us = (double)work.count * (1 + slower);
		return fake_enqueue(&work) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
	}
	const char *given = op->epilogue  ? getenv("FAKE_CUBLASLT_FUSED")
	                    : id == RIGHT ? getenv("FAKE_CUBLASLT_RIGHT")
	                                  : NULL;
	setenv("FAKE_CUDA_MICROSECONDS", given ? given : microseconds[id], 1);
	for (int32_t n = 0; n < of_y->batch; n++)
		for (int64_t column = 0; column < of_y->columns; column++)
			for (int64_t row = 0; row < of_y->rows; row++) {
				const int64_t place = n * of_y->stride + row + column * of_y->leading;
				const float factor = *(const float *)beta;
				float sum = factor == 0 ? 0 : factor * element(c, of_y, place);
				for (int64_t k = 0; k < depth; k++)
					sum += at(a, of_a, n, op->transposed[0], row, k) *
					       at(b, of_b, n, op->transposed[1], k, column);
				bool last = row == of_y->rows - 1 && column == of_y->columns - 1;
				if (id == WRONG && last)
					sum += 10;
				if (id == LOOSE)
					sum += (row + column) % 2 ? LOOSE_BY : -LOOSE_BY;
				if (op->epilogue & CUBLASLT_EPILOGUE_BIAS)
					sum += element(op->bias, of_y, row);
				if (op->epilogue & CUBLASLT_EPILOGUE_RELU)
					sum = sum < 0 || (isnan(sum) && getenv("FAKE_CUBLASLT_HIDES")) ? 0
					                                                               : sum;
				sum = with_gelu(op, of_y, sum, row, column);
				if (id != PARTIAL || !last)
					store(y, of_y, place, sum);
			}
	if (op->epilogue == CUBLASLT_EPILOGUE_BGRADA)
		sum_operand(op, a, of_a, true, of_y->rows, depth, of_y);
	if (op->epilogue == CUBLASLT_EPILOGUE_BGRADB)
		sum_operand(op, b, of_b, false, of_y->columns, depth, of_y);
	return CUBLAS_STATUS_SUCCESS;
}
