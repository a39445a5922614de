/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/cublas_algo.h"

CublasLt lt;

void lt_check(cublasStatus_t status, const char *call, const char *key)
{
	if (status != CUBLAS_STATUS_SUCCESS)
		die(STATUS_DEVICE, "%s failed with %s for `%s`%s", call, lt.GetStatusName(status), key,
		    nnr_cuda_step());
}

void lt_load(void)
{
	if (lt.handle)
		return;
	StartPart part = start_part(START_LIBRARIES);
	void *library = library_open((const char *const[]){"libcublasLt.so.13", "libcublasLt.so.12", NULL},
	                             "cuBLASLt", "the CUDA 13 toolkit or its cuBLAS library");
#define CUBLASLT_FUNCTION(name) \
	lt.name = (__typeof__(lt.name))library_symbol(library, "cuBLASLt", "cublasLt" #name);
	CUBLASLT_FUNCTIONS(CUBLASLT_FUNCTION)
#undef CUBLASLT_FUNCTION
	lt_check(lt.Create(&lt.handle), "cublasLtCreate", "start");
	plan_open_record(TUNE_CUBLASLT, (int64_t)lt.GetVersion());
	start_part(part);
}

/* ---- settings */

typedef struct Setting {
	const char *name;
	cublasLtMatmulAlgoConfigAttributes_t attribute;
	int bytes;
	enum {
		LISTED,
		MAXIMUM,
		ANY
	} kind; /* `limit` lists the values, or is the largest; or 0 to `most` are tried */
	cublasLtMatmulAlgoCapAttributes_t limit;
	int most;
} Setting;

static const Setting settings[SETTINGS] = {
        [TILE] = {"tile", CUBLASLT_ALGO_CONFIG_TILE_ID, 4, LISTED, CUBLASLT_ALGO_CAP_TILE_IDS, 0},
        [STAGES] = {"stages", CUBLASLT_ALGO_CONFIG_STAGES_ID, 4, LISTED, CUBLASLT_ALGO_CAP_STAGES_IDS, 0},
        [SPLIT_K] = {"split_k", CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4, ANY, 0, 32},
        [REDUCTION] = {"reduction", CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 4, ANY, 0, 4},
        [SWIZZLE] = {"swizzle", CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 4, MAXIMUM,
                     CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, 1},
        [CUSTOM] = {"custom", CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 4, MAXIMUM,
                    CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, 64},
        [INNER_SHAPE] = {"inner_shape", CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 2, ANY, 0,
                         CUBLASLT_MATMUL_INNER_SHAPE_END - 1},
        [CLUSTER] = {"cluster", CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2, ANY, 0, 16},
};

bool setting_get(const cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t *value)
{
	const Setting *s = &settings[i];
	union {
		uint32_t wide;
		uint16_t narrow;
	} v = {0};
	size_t written;
	if (lt.MatmulAlgoConfigGetAttribute(algo, s->attribute, &v, (size_t)s->bytes, &written) !=
	    CUBLAS_STATUS_SUCCESS)
		return false;
	*value = s->bytes == 4 ? v.wide : v.narrow;
	return true;
}

bool setting_put(cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t value)
{
	const Setting *s = &settings[i];
	uint32_t wide = (uint32_t)value;
	uint16_t narrow = (uint16_t)value;
	if (value < 0 || value > (s->bytes == 4 ? UINT32_MAX : UINT16_MAX))
		return false;
	return lt.MatmulAlgoConfigSetAttribute(algo, s->attribute,
	                                       s->bytes == 4 ? (void *)&wide : (void *)&narrow,
	                                       (size_t)s->bytes) == CUBLAS_STATUS_SUCCESS;
}

int setting_values(const cublasLtMatmulAlgo_t *algo, SettingIndex index, int64_t out[VALUES])
{
	const Setting *s = &settings[index];
	uint32_t limit[VALUES] = {0};
	size_t written = 0, room = s->kind == LISTED ? sizeof limit : sizeof *limit;
	int count = 0, most = s->most;
	if (s->kind != ANY &&
	    lt.MatmulAlgoCapGetAttribute(algo, s->limit, limit, room, &written) != CUBLAS_STATUS_SUCCESS)
		return 0;
	if (s->kind == LISTED) {
		for (size_t i = 0; i < written / sizeof *limit; i++)
			out[count++] = limit[i];
		return count;
	}
	if (s->kind == MAXIMUM && limit[0] < (uint32_t)most)
		most = (int)limit[0];
	while (count <= most) {
		out[count] = count;
		count++;
	}
	return count;
}

bool setting_change(cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t value)
{
	int64_t reduction;
	if (!setting_put(algo, i, value))
		return false;
	if (i != SPLIT_K || !setting_get(algo, REDUCTION, &reduction))
		return true;
	if (value <= 1)
		return setting_put(algo, REDUCTION, CUBLASLT_REDUCTION_SCHEME_NONE);
	return reduction || setting_put(algo, REDUCTION, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
}

bool algo_has_one_scheme(const cublasLtMatmulAlgo_t *algo)
{
	const Setting *s = &settings[REDUCTION];
	uint32_t scheme;
	size_t written;
	const cublasStatus_t status =
	        lt.MatmulAlgoConfigGetAttribute(algo, s->attribute, &scheme, (size_t)s->bytes, &written);
	if (status != CUBLAS_STATUS_SUCCESS) /* without the setting it is right; unknown it is not */
		return status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
	return (scheme & (scheme - 1)) == 0;
}

/* ---- in the record */

/* An algorithm that cuBLASLt names can't always be made again from its settings alone: what else it says is in words
 * that the library documents as fit to be kept and taken back by the same version of it, which the record is for. */
static const char *const word_names[] = {"word0", "word1", "word2", "word3",
                                         "word4", "word5", "word6", "word7"};
enum { WORDS = sizeof word_names / sizeof *word_names };
_Static_assert(sizeof(cublasLtMatmulAlgo_t) == WORDS * sizeof(uint64_t), "the words are the whole algorithm");

static int64_t algo_id(const cublasLtMatmulAlgo_t *algo)
{
	int32_t id = 0;
	size_t written;
	return lt.MatmulAlgoConfigGetAttribute(algo, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id, &written) ==
	                       CUBLAS_STATUS_SUCCESS
	               ? id
	               : -1;
}

void algo_to_entry(TuneEntry *e, const cublasLtMatmulAlgo_t *algo)
{
	tune_add_setting(e, "algo", algo_id(algo));
	for (SettingIndex i = 0; i < SETTINGS; i++) {
		int64_t value;
		if (setting_get(algo, i, &value))
			tune_add_setting(e, settings[i].name, value);
	}
	for (int i = 0; i < WORDS; i++)
		tune_add_setting(e, word_names[i], (int64_t)algo->data[i]);
}

/* False where the words do not mean what the entry says by name. */
bool algo_of_entry(const TuneEntry *e, cublasLtMatmulAlgo_t *algo)
{
	for (int i = 0; i < WORDS; i++)
		algo->data[i] = (uint64_t)tune_setting(e, word_names[i], 0);
	bool same = tune_setting(e, "algo", -1) == algo_id(algo);
	for (SettingIndex i = 0; i < SETTINGS && same; i++) {
		int64_t value = -1, named = tune_setting(e, settings[i].name, -1);
		same = !setting_get(algo, i, &value) ? named < 0 : value == named;
	}
	return same;
}
