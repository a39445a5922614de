/* SPDX-License-Identifier: MIT */
/* cuBLASLt itself, and the settings of its algorithms: what they are called in the tune record, their values. Private
 * to the cublas files. */
#ifndef NNR_CUDA_CUBLAS_ALGO_H
#define NNR_CUDA_CUBLAS_ALGO_H

#include "runtime/cuda/plan.h"

#include <cublasLt.h>

enum { VALUES = 1024 }; /* tiles, stages or others to try for one setting */

#define CUBLASLT_FUNCTIONS(F)           \
	F(GetVersion)                   \
	F(GetStatusName)                \
	F(Create)                       \
	F(Matmul)                       \
	F(MatmulDescCreate)             \
	F(MatmulDescSetAttribute)       \
	F(MatrixLayoutCreate)           \
	F(MatrixLayoutSetAttribute)     \
	F(MatmulPreferenceCreate)       \
	F(MatmulPreferenceSetAttribute) \
	F(MatmulPreferenceDestroy)      \
	F(MatmulAlgoGetHeuristic)       \
	F(MatmulAlgoGetIds)             \
	F(MatmulAlgoInit)               \
	F(MatmulAlgoCheck)              \
	F(MatmulAlgoCapGetAttribute)    \
	F(MatmulAlgoConfigGetAttribute) \
	F(MatmulAlgoConfigSetAttribute)

typedef struct CublasLt {
#define CUBLASLT_FUNCTION(name) __typeof__(cublasLt##name) *name;
	CUBLASLT_FUNCTIONS(CUBLASLT_FUNCTION)
#undef CUBLASLT_FUNCTION
	cublasLtHandle_t handle;
} CublasLt;

extern CublasLt lt;

/* Loads the library at the first call. */
void lt_load(void);
/* Ends the process where the call failed. */
void lt_check(cublasStatus_t status, const char *call, const char *key);

typedef enum {
	TILE,
	STAGES,
	SPLIT_K,
	REDUCTION,
	SWIZZLE,
	CUSTOM,
	INNER_SHAPE,
	CLUSTER,
	SETTINGS
} SettingIndex;

/* The attributes CUBLASLT_ALGO_CONFIG_*; values are the enumerators of cublasLt.h. False where the algorithm does not
 * have the setting, or not with that value. */
bool setting_get(const cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t *value);
bool setting_put(cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t value);
/* The values of a setting that are worth a try; how many. */
int setting_values(const cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t out[VALUES]);
/* Changes one setting; with the split of k its reduction, which must be there exactly when k is split. */
bool setting_change(cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t value);
/* Are parts of a split k added up in one way at the most? MatmulAlgoCheck does not ask: of a sum of two schemes it says
 * that no workspace is needed, and algorithm 21 (13.0) writes its parts there, to a null pointer. */
bool algo_has_one_scheme(const cublasLtMatmulAlgo_t *algo);

/* The algorithm as settings of an entry, and back: false where the entry contradicts itself. */
void algo_to_entry(TuneEntry *e, const cublasLtMatmulAlgo_t *algo);
bool algo_of_entry(const TuneEntry *e, cublasLtMatmulAlgo_t *algo);

#endif
