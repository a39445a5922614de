/* Matrix products through cuBLASLt.
 *
 * Ours are row-major, cuBLASLt's column-major; a row-major matrix is the column-major one transposed, so
 * y = a b is asked for as y' = b' a'. Where y is a vector (m or n is 1) it is its own transpose in memory, and y = a b
 * can be asked for as it stands: the two forms take different kernels, and compete.
 *
 * Candidates: the heuristic's, up to 64 of each form. Then a search: from the fastest, one setting is changed at a time
 * (tile, stages, split of k, swizzle, cluster), what cublasLtMatmulAlgoCheck allows is timed, and the best becomes the
 * next start, until nothing is better or the time for it is over. The settings kept in the tune record are the
 * attributes CUBLASLT_ALGO_CONFIG_*, their values the enumerators of cublasLt.h. */
#include "runtime/core/progress.h"
#include "runtime/cuda/plan_check.h"

#include <cublasLt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEURISTIC = 64, /* candidates asked of the heuristic, for each form */
	FORMS = 2,
	VALUES = 1024,            /* tiles, stages or others to try for one setting */
	WORKSPACE_CAP = 64 << 20, /* more never helps a product */
	CAP_IDS = 64,             /* algorithms looked at */
};
/* The search may take as long as SEARCH_RUNS runs of the best plan yet, within limits: a product of 50 us at 8000x1000x1000
 * is 10 % faster after 1.6 s than after 0.4 s; one of 10 us is as fast. */
static const double SEARCH_RUNS = 32000, SHORTEST_SEARCH = 0.4, LONGEST_SEARCH = 1.6; /* seconds */

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
	F(MatmulDescDestroy)            \
	F(MatrixLayoutDestroy)          \
	F(MatmulAlgoGetHeuristic)       \
	F(MatmulAlgoGetIds)             \
	F(MatmulAlgoInit)               \
	F(MatmulAlgoCheck)              \
	F(MatmulAlgoCapGetAttribute)    \
	F(MatmulAlgoConfigGetAttribute) \
	F(MatmulAlgoConfigSetAttribute)

static struct {
#define CUBLASLT_FUNCTION(name) __typeof__(cublasLt##name) *name;
	CUBLASLT_FUNCTIONS(CUBLASLT_FUNCTION)
#undef CUBLASLT_FUNCTION
	cublasLtHandle_t handle;
} lt;

static void check(cublasStatus_t status, const char *call, const char *key)
{
	if (status != CUBLAS_STATUS_SUCCESS)
		die(STATUS_DEVICE, "%s failed with %s for `%s`%s", call, lt.GetStatusName(status), key,
		    nnr_cuda_step());
}

static void load(void)
{
	if (lt.handle)
		return;
	void *library = library_open((const char *const[]){"libcublasLt.so.13", "libcublasLt.so.12", NULL},
	                             "cuBLASLt", "the CUDA 13 toolkit or its cuBLAS library");
#define CUBLASLT_FUNCTION(name) \
	lt.name = (__typeof__(lt.name))library_symbol(library, "cuBLASLt", "cublasLt" #name);
	CUBLASLT_FUNCTIONS(CUBLASLT_FUNCTION)
#undef CUBLASLT_FUNCTION
	check(lt.Create(&lt.handle), "cublasLtCreate", "start");
	plan_open_record(TUNE_CUBLASLT, (int64_t)lt.GetVersion());
}

/* ---- the question */

/* d = op(a) op(b), column-major; in the transposed form a is our b. */
typedef struct Form {
	bool exists, transposed;
	int64_t leading_a, leading_b, leading_d;
	cublasLtMatmulDesc_t operation;
	cublasLtMatrixLayout_t a, b, d;
} Form;

typedef struct Question {
	const NnrProductShape *shape;
	NnrDType dtype;
	cudaDataType_t type, result; /* of a and b; of y */
	cublasComputeType_t compute;
	int64_t workspace_cap;
	int alignment;               /* of a, b and y, bytes */
	int element, result_element; /* bytes */
	uint32_t reductions; /* of partial sums of a split k, CUBLASLT_REDUCTION_SCHEME_*: never in 16 bits */
	char key[TUNE_KEY_BYTES];
} Question;

static cublasLtMatrixLayout_t layout(const Question *q, cudaDataType_t type, int64_t rows, int64_t columns,
                                     int64_t leading)
{
	cublasLtMatrixLayout_t l;
	int32_t batch = (int32_t)q->shape->batch;
	int64_t stride = leading * columns;
	check(lt.MatrixLayoutCreate(&l, type, (uint64_t)rows, (uint64_t)columns, leading),
	      "cublasLtMatrixLayoutCreate", q->key);
	check(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch),
	      "cublasLtMatrixLayoutSetAttribute", q->key);
	check(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
	                                  sizeof stride),
	      "cublasLtMatrixLayoutSetAttribute", q->key);
	return l;
}

static int64_t leading_of(int64_t given, int64_t dense)
{
	return given ? given : dense;
}

static void form_new(Form *f, const Question *q, bool transposed)
{
	const NnrProductShape *s = q->shape;
	/* Of what lies in memory, read by columns: a' is [k,m], or [m,k] with ta; b' is [n,k], or [k,n] with tb. */
	int64_t lda = leading_of(s->lda, s->ta ? s->m : s->k), ldb = leading_of(s->ldb, s->tb ? s->k : s->n);
	int64_t ldy = leading_of(s->ldy, s->n);
	cublasLtMatrixLayout_t a =
	        s->ta ? layout(q, q->type, s->m, s->k, lda) : layout(q, q->type, s->k, s->m, lda);
	cublasLtMatrixLayout_t b =
	        s->tb ? layout(q, q->type, s->k, s->n, ldb) : layout(q, q->type, s->n, s->k, ldb);
	bool flip_a = transposed ? s->ta : !s->ta, flip_b = transposed ? s->tb : !s->tb;
	int32_t op_a = flip_a ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = flip_b ? CUBLAS_OP_T : CUBLAS_OP_N;
	*f = (Form){.exists = true, .transposed = transposed};
	f->a = transposed ? b : a;
	f->b = transposed ? a : b;
	f->leading_a = transposed ? ldb : lda;
	f->leading_b = transposed ? lda : ldb;
	f->leading_d = transposed ? ldy : s->m;
	f->d = transposed ? layout(q, q->result, s->n, s->m, ldy) : layout(q, q->result, s->m, s->n, s->m);
	check(lt.MatmulDescCreate(&f->operation, q->compute, CUDA_R_32F), "cublasLtMatmulDescCreate", q->key);
	check(lt.MatmulDescSetAttribute(f->operation, CUBLASLT_MATMUL_DESC_TRANSA, transposed ? &op_b : &op_a,
	                                sizeof op_a),
	      "cublasLtMatmulDescSetAttribute", q->key);
	check(lt.MatmulDescSetAttribute(f->operation, CUBLASLT_MATMUL_DESC_TRANSB, transposed ? &op_a : &op_b,
	                                sizeof op_b),
	      "cublasLtMatmulDescSetAttribute", q->key);
}

static void form_free(Form *f, const char *key)
{
	if (!f->exists)
		return;
	check(lt.MatmulDescDestroy(f->operation), "cublasLtMatmulDescDestroy", key);
	check(lt.MatrixLayoutDestroy(f->a), "cublasLtMatrixLayoutDestroy", key);
	check(lt.MatrixLayoutDestroy(f->b), "cublasLtMatrixLayoutDestroy", key);
	check(lt.MatrixLayoutDestroy(f->d), "cublasLtMatrixLayoutDestroy", key);
	*f = (Form){0};
}

/* ---- the choice: one per operation and shape */

typedef struct Choice {
	struct Choice *next;
	TuneEntry entry;
	Form form[FORMS]; /* the one used; while tuning, all there are */
	int used;
	cublasLtMatmulAlgo_t algo;
	int64_t workspace;
} Choice;

typedef struct Call {
	const Choice *choice;
	const void *a, *b;
	void *y;
	cublasStatus_t status;
} Call;

static bool run_call(void *context)
{
	static const float one = 1, zero = 0;
	Call *call = context;
	const Choice *c = call->choice;
	const Form *f = &c->form[c->used];
	void *workspace = c->workspace ? nnr_cuda_workspace(c->workspace) : NULL;
	const void *a = f->transposed ? call->b : call->a, *b = f->transposed ? call->a : call->b;
	call->status = lt.Matmul(lt.handle, f->operation, &one, a, f->a, b, f->b, &zero, call->y, f->d,
	                         call->y, f->d, &c->algo, workspace, (size_t)c->workspace, nnr_cuda_stream());
	return call->status == CUBLAS_STATUS_SUCCESS;
}

/* Makes the algorithm c's; false when cuBLASLt refuses it for this product. */
static bool install(Choice *c, const Question *q, int form, const cublasLtMatmulAlgo_t *algo)
{
	const Form *f = &c->form[form];
	cublasLtMatmulHeuristicResult_t result;
	if (lt.MatmulAlgoCheck(lt.handle, f->operation, f->a, f->b, f->d, f->d, algo, &result) !=
	            CUBLAS_STATUS_SUCCESS ||
	    result.state != CUBLAS_STATUS_SUCCESS || (int64_t)result.workspaceSize > q->workspace_cap)
		return false;
	c->used = form;
	c->algo = *algo;
	c->workspace = (int64_t)result.workspaceSize;
	return true;
}

/* Does the algorithm accept our addresses and leading dimensions? The heuristic's do; MatmulAlgoCheck does not look. */
static bool is_aligned(const cublasLtMatmulAlgo_t *algo, const Form *f, const Question *q)
{
	static const cublasLtMatmulAlgoCapAttributes_t needs[] = {
	        CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES,
	        CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES};
	const int64_t leading[] = {f->leading_a * q->element, f->leading_b * q->element,
	                           f->leading_d * q->result_element, f->leading_d * q->result_element};
	for (int i = 0; i < 4; i++) {
		uint32_t bytes;
		size_t written;
		if (lt.MatmulAlgoCapGetAttribute(algo, needs[i], &bytes, sizeof bytes, &written) !=
		            CUBLAS_STATUS_SUCCESS ||
		    (bytes && (q->alignment % (int)bytes || leading[i] % bytes)))
			return false;
	}
	return true;
}

/* ---- settings of an algorithm */

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

static const struct Setting {
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
} settings[SETTINGS] = {
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

static bool setting_get(const cublasLtMatmulAlgo_t *algo, const struct Setting *s, int64_t *value)
{
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

static bool setting_put(cublasLtMatmulAlgo_t *algo, const struct Setting *s, int64_t value)
{
	uint32_t wide = (uint32_t)value;
	uint16_t narrow = (uint16_t)value;
	if (value < 0 || value > (s->bytes == 4 ? UINT32_MAX : UINT16_MAX))
		return false;
	return lt.MatmulAlgoConfigSetAttribute(algo, s->attribute,
	                                       s->bytes == 4 ? (void *)&wide : (void *)&narrow,
	                                       (size_t)s->bytes) == CUBLAS_STATUS_SUCCESS;
}

/* The values of a setting that are worth a try; how many. */
static int setting_values(const cublasLtMatmulAlgo_t *algo, const struct Setting *s, int64_t out[VALUES])
{
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

static bool algo_init(const Question *q, int64_t id, cublasLtMatmulAlgo_t *algo)
{
	return id >= 0 && id <= INT32_MAX &&
	       lt.MatmulAlgoInit(lt.handle, q->compute, CUDA_R_32F, q->type, q->type, q->result, q->result,
	                         (int)id, algo) == CUBLAS_STATUS_SUCCESS;
}

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

static void write_entry(TuneEntry *e, const Choice *c, const Question *q)
{
	tune_add_setting(e, "form", c->used);
	tune_add_setting(e, "algo", algo_id(&c->algo));
	for (int i = 0; i < SETTINGS; i++) {
		int64_t value;
		if (setting_get(&c->algo, &settings[i], &value))
			tune_add_setting(e, settings[i].name, value);
	}
	for (int i = 0; i < WORDS; i++)
		tune_add_setting(e, word_names[i], (int64_t)c->algo.data[i]);
	e->workspace = c->workspace;
}

/* False where the words do not mean what the entry says by name. */
static bool algo_of_entry(const TuneEntry *e, cublasLtMatmulAlgo_t *algo)
{
	for (int i = 0; i < WORDS; i++)
		algo->data[i] = (uint64_t)tune_setting(e, word_names[i], 0);
	bool same = tune_setting(e, "algo", -1) == algo_id(algo);
	for (int i = 0; i < SETTINGS && same; i++) {
		int64_t value = -1, named = tune_setting(e, settings[i].name, -1);
		same = !setting_get(algo, &settings[i], &value) ? named < 0 : value == named;
	}
	return same;
}

static bool restore(Choice *c, const Question *q)
{
	const TuneEntry *e = tune_lookup(TUNE_CUBLASLT, q->key);
	if (!e)
		return false;
	int64_t form = tune_setting(e, "form", -1);
	cublasLtMatmulAlgo_t algo;
	bool fine = form >= 0 && form < FORMS && c->form[form].exists && algo_of_entry(e, &algo);
	if (!fine || !install(c, q, (int)form, &algo)) {
		say_note("the plan in the tune record for `%s` does not work here: tuning it again", q->key);
		return false;
	}
	c->entry = *e;
	return true;
}

/* ---- tuning */

typedef struct Search {
	Choice *choice;
	const Question *question;
	PlanTrials trials; /* tensors: a, b, y */
	Call call;
	int form;
	cublasLtMatmulAlgo_t best;
	double best_us, second_us;
	double until; /* clock_seconds */
} Search;

/* Times an algorithm, if it works; true when it is the fastest until now. */
static bool try_algo(Search *s, int form, const cublasLtMatmulAlgo_t *algo)
{
	if (!install(s->choice, s->question, form, algo))
		return false;
	double us = plan_trial(&s->trials, run_call, &s->call, s->best_us);
	if (!isfinite(us))
		return false;
	TuneEntry *e = &s->choice->entry;
	if (!e->candidates++)
		e->first_us = us;
	s->second_us = fmin(s->second_us, fmax(us, s->best_us));
	if (us >= s->best_us)
		return false;
	s->best_us = us;
	s->best = *algo;
	s->form = form;
	return true;
}

static int ask_heuristic(const Choice *c, const Question *q, int form,
                         cublasLtMatmulHeuristicResult_t out[HEURISTIC])
{
	cublasLtMatmulPreference_t preference;
	const Form *f = &c->form[form];
	uint64_t cap = (uint64_t)q->workspace_cap;
	uint32_t bytes = (uint32_t)q->alignment;
	check(lt.MatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate", q->key);
	check(lt.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &cap,
	                                      sizeof cap),
	      "cublasLtMatmulPreferenceSetAttribute", q->key);
	check(lt.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
	                                      &q->reductions, sizeof q->reductions),
	      "cublasLtMatmulPreferenceSetAttribute", q->key);
	static const cublasLtMatmulPreferenceAttributes_t alignments[] = {
	        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
	        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
	for (int i = 0; i < 4; i++)
		check(lt.MatmulPreferenceSetAttribute(preference, alignments[i], &bytes, sizeof bytes),
		      "cublasLtMatmulPreferenceSetAttribute", q->key);
	int count = 0;
	cublasStatus_t status = lt.MatmulAlgoGetHeuristic(lt.handle, f->operation, f->a, f->b, f->d, f->d,
	                                                  preference, HEURISTIC, out, &count);
	check(lt.MatmulPreferenceDestroy(preference), "cublasLtMatmulPreferenceDestroy", q->key);
	return status == CUBLAS_STATUS_SUCCESS ? count : 0;
}

/* Changes one setting; with the split of k its reduction, which must be there exactly when k is split. */
static bool change(cublasLtMatmulAlgo_t *algo, SettingIndex i, int64_t value)
{
	int64_t reduction;
	if (!setting_put(algo, &settings[i], value))
		return false;
	if (i != SPLIT_K || !setting_get(algo, &settings[REDUCTION], &reduction))
		return true;
	if (value <= 1)
		return setting_put(algo, &settings[REDUCTION], CUBLASLT_REDUCTION_SCHEME_NONE);
	return reduction || setting_put(algo, &settings[REDUCTION], CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
}

/* Times an algorithm that the heuristic did not name. */
static bool try_own(Search *s, const cublasLtMatmulAlgo_t *algo)
{
	const Question *q = s->question;
	int64_t reduction;
	if (!is_aligned(algo, &s->choice->form[s->form], q))
		return false;
	if (setting_get(algo, &settings[REDUCTION], &reduction) && (reduction & ~(int64_t)q->reductions))
		return false;
	return try_algo(s, s->form, algo);
}

/* One setting of the best algorithm changed at a time, until a round finds nothing faster. */
static void climb(Search *s)
{
	bool better = true;
	while (better) {
		better = false;
		for (SettingIndex i = TILE; i < SETTINGS; i++) {
			int64_t values[VALUES], now;
			cublasLtMatmulAlgo_t start = s->best;
			int count = setting_values(&start, &settings[i], values);
			if (!setting_get(&start, &settings[i], &now))
				continue;
			for (int k = 0; k < count && clock_seconds() < s->until; k++) {
				cublasLtMatmulAlgo_t algo = start;
				if (values[k] != now && change(&algo, i, values[k]))
					better |= try_own(s, &algo);
			}
		}
		better = better && clock_seconds() < s->until;
	}
}

/* Algorithms that the heuristic did not name, each as it is initialised with each of its tiles. */
static void try_others(Search *s)
{
	const Question *q = s->question;
	int ids[CAP_IDS], count = 0;
	if (lt.MatmulAlgoGetIds(lt.handle, q->compute, CUDA_R_32F, q->type, q->type, q->result, q->result,
	                        CAP_IDS, ids, &count) != CUBLAS_STATUS_SUCCESS)
		return;
	for (int i = 0; i < count; i++) {
		cublasLtMatmulAlgo_t algo;
		int64_t tiles[VALUES], stages[VALUES];
		if (!algo_init(q, ids[i], &algo))
			continue;
		int tile_count = setting_values(&algo, &settings[TILE], tiles);
		int stage_count = setting_values(&algo, &settings[STAGES], stages);
		for (int k = 0; k < tile_count && clock_seconds() < s->until; k++) {
			bool fine = setting_put(&algo, &settings[TILE], tiles[k]);
			fine = fine && (stage_count == 0 ||
			                setting_put(&algo, &settings[STAGES], stages[stage_count - 1]));
			if (fine)
				try_own(s, &algo);
		}
	}
}

static PlanTensor tensor_of(const void *at, NnrDType dtype, int64_t rows, int64_t columns, int64_t leading)
{
	return (PlanTensor){at, dtype, rows, columns, leading_of(leading, columns)};
}

static void begin_trials(Search *s, const void *a, const void *b, void *y)
{
	const Question *q = s->question;
	const NnrProductShape *p = q->shape;
	PlanTrials *t = &s->trials;
	t->tensor[0] = tensor_of(a, q->dtype, p->batch * (p->ta ? p->k : p->m), p->ta ? p->m : p->k, p->lda);
	t->tensor[1] = tensor_of(b, q->dtype, p->batch * (p->tb ? p->n : p->k), p->tb ? p->k : p->n, p->ldb);
	t->tensor[2] =
	        tensor_of(y, q->result == CUDA_R_32F ? NNR_F32 : q->dtype, p->batch * p->m, p->n, p->ldy);
	t->result = 2;
	plan_trials_begin(t, q->alignment);
	s->call = (Call){.choice = s->choice,
	                 .a = t->tensor[0].at,
	                 .b = t->tensor[1].at,
	                 .y = (void *)(uintptr_t)t->tensor[2].at};
}

/* Makes the fastest algorithm c's, or with tuning off the first that works. */
static void tune(Choice *c, const Question *q, const void *a, const void *b, void *y)
{
	cublasLtMatmulHeuristicResult_t *found = allocate(HEURISTIC, sizeof *found, "cuBLASLt's algorithms");
	Search s = {.choice = c, .question = q, .best_us = INFINITY, .second_us = INFINITY, .form = -1};
	if (!tune_is_off())
		begin_trials(&s, a, b, y);
	for (int form = 0; form < FORMS; form++) {
		int count = c->form[form].exists ? ask_heuristic(c, q, form, found) : 0;
		for (int i = 0; i < count; i++) {
			if (found[i].state != CUBLAS_STATUS_SUCCESS)
				continue;
			if (tune_is_off() && install(c, q, form, &found[i].algo)) {
				write_entry(&c->entry, c, q);
				free(found);
				return;
			}
			plan_progress(q->key, form * HEURISTIC + i, 2 * FORMS * HEURISTIC);
			try_algo(&s, form, &found[i].algo);
		}
	}
	free(found);
	if (s.form >= 0) {
		plan_progress(q->key, 50, 100);
		double seconds = fmin(fmax(SEARCH_RUNS * 1e-6 * s.best_us, SHORTEST_SEARCH), LONGEST_SEARCH);
		s.until = clock_seconds() + seconds / 2;
		climb(&s);
		plan_progress(q->key, 75, 100);
		s.until = clock_seconds() + seconds / 2;
		try_others(&s);
	}
	plan_trials_end(&s.trials, q->key);
	if (s.form < 0 || !install(c, q, s.form, &s.best))
		die(STATUS_DEVICE, "cuBLASLt has no algorithm for `%s` within %s of workspace", q->key,
		    human_bytes((double)q->workspace_cap));
	TuneEntry *e = &c->entry;
	e->us = s.best_us;
	e->runner_up_us = isfinite(s.second_us) ? s.second_us : 0;
	write_entry(e, c, q);
	tune_keep(e);
}

static const Choice *choose(const Question *q, const void *a, const void *b, void *y)
{
	static Choice *choices;
	for (Choice *c = choices; c; c = c->next)
		if (!strcmp(c->entry.key, q->key))
			return c;
	plan_check_not_capturing(q->key);
	Choice *c = allocate(1, sizeof *c, "a plan");
	form_new(&c->form[0], q, true);
	if ((q->shape->m == 1 || q->shape->n == 1) && !q->shape->ldy)
		form_new(&c->form[1], q, false);
	if (!restore(c, q)) {
		c->entry = (TuneEntry){.library = TUNE_CUBLASLT};
		memcpy(c->entry.key, q->key, sizeof q->key);
		tune(c, q, a, b, y);
	}
	form_free(&c->form[1 - c->used], q->key);
	c->next = choices;
	choices = c;
	return c;
}

/* ---- steps */

typedef struct Step {
	NnrPlan base;
	const Choice *choice;
} Step;

static Step *step_new(const NnrProductShape *s, NnrDType dtype, const void *a, const void *b, void *y)
{
	load();
	Question q = {.shape = s, .dtype = dtype, .compute = CUBLAS_COMPUTE_32F};
	q.workspace_cap = plan_workspace_cap() < WORKSPACE_CAP ? plan_workspace_cap() : WORKSPACE_CAP;
	q.type = dtype == NNR_F32 ? CUDA_R_32F : dtype == NNR_BF16 ? CUDA_R_16BF : CUDA_R_16F;
	q.result = s->wide ? CUDA_R_32F : q.type;
	if (dtype == NNR_F32 && plan_allows_tf32())
		q.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
	q.alignment = plan_alignment(a, b, y);
	q.element = dtype == NNR_F32 ? 4 : 2;
	q.result_element = q.result == CUDA_R_32F ? 4 : 2;
	q.reductions = q.result == CUDA_R_32F ? CUBLASLT_REDUCTION_SCHEME_MASK
	                                      : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
	char aligned[32] = "", leading[96] = "";
	if (q.alignment < 16)
		snprintf(aligned, sizeof aligned, " align %d", q.alignment);
	if (s->lda || s->ldb || s->ldy)
		snprintf(leading, sizeof leading, " leading %lld,%lld,%lld", (long long)s->lda,
		         (long long)s->ldb, (long long)s->ldy);
	require(s->batch <= INT32_MAX);
	int n = snprintf(q.key, sizeof q.key, "matmul %s batch %lld m %lld n %lld k %lld a %s b %s%s%s%s",
	                 plan_arithmetic_name(dtype), (long long)s->batch, (long long)s->m, (long long)s->n,
	                 (long long)s->k, s->ta ? "km" : "mk", s->tb ? "nk" : "kn", s->wide ? " y f32" : "",
	                 leading, aligned);
	require(n > 0 && n < (int)sizeof q.key);
	nnr_cuda_doing("choosing a cuBLASLt algorithm");
	Step *step = allocate(1, sizeof *step, "a plan");
	step->choice = choose(&q, a, b, y);
	step->base = (NnrPlan){&step->choice->entry, q.alignment};
	return step;
}

void nnr_cublas_matmul(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                       void *y)
{
	if (plan_is_needed(*plan, a, b, y))
		*plan = &step_new(s, dtype, a, b, y)->base;
	const Step *step = (const Step *)*plan; /* base is its first member */
	const char *key = step->base.entry->key;
	nnr_cuda_doing(key);
	Call call = {.choice = step->choice, .a = a, .b = b, .y = y};
	if (!run_call(&call))
		check(call.status, "cublasLtMatmul", key);
}
