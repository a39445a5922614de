/* Matrix products through cuBLASLt.
 *
 * Ours are row-major, cuBLASLt's column-major; a row-major matrix is the column-major one transposed, so
 * y = a b is asked for as y' = b' a'. Where y is a vector (m or n is 1) it is its own transpose in memory, and y = a b
 * can be asked for as it stands: the two forms take different kernels, and compete.
 *
 * Candidates: the heuristic's, up to 64 of each form, a list in an order that depends on the library alone. Then a
 * search: from the fastest, one setting is changed at a time (tile, stages, split of k, swizzle, cluster), what
 * cublasLtMatmulAlgoCheck allows is timed, and the best becomes the next start, until nothing is better or the time for
 * it is over. Last our own kernel, where the product has one; it may take longer if it gathers the next batch
 * meanwhile. */
#include "runtime/core/progress.h"
#include "runtime/cuda/cublas_algo.h"
#include "runtime/cuda/plan_check.h"
#include "runtime/cuda/product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEURISTIC = 64, /* candidates asked of the heuristic, for each form */
	FORMS = 2,
	OWN = FORMS,              /* in the place of a form: our kernel */
	WORKSPACE_CAP = 64 << 20, /* more never helps a product */
	CAP_IDS = 64,             /* algorithms looked at */
};
/* The search may take as long as SEARCH_RUNS runs of the best plan yet, within limits: a product of 50 us at
 * 8000x1000x1000 is 10 % faster after 1.6 s than after 0.4 s; one of 10 us is as fast. */
static const double SEARCH_RUNS = 32000, SHORTEST_SEARCH = 0.4, LONGEST_SEARCH = 1.6; /* seconds */

/* How many times longer our kernel may take where it gathers meanwhile. At 32000x1000x1000 a plan of cuBLASLt was 0.3 %
 * faster, 191.9 in place of 192.4 us; with it a step of the MLP took 621 us, with ours 551. */
static const double GATHER_WORTH = 1.1;

/* ---- the question */

/* d = op(a) op(b), column-major; in the transposed form a is our b. */
typedef struct Form {
	bool exists, transposed;
	int64_t leading_a, leading_b, leading_d;
	cublasLtMatmulDesc_t operation;
	cublasLtMatrixLayout_t a, b, d;
} Form;

typedef struct Question {
	const NnrProductShape *shape; /* with `own` only where our kernel fits */
	NnrDType dtype;
	cudaDataType_t type, result; /* of a and b; of y */
	cublasComputeType_t compute;
	int64_t workspace_cap;
	int alignment;               /* of a, b and y, bytes */
	int element, result_element; /* bytes */
	/* Of partial sums of a split k, CUBLASLT_REDUCTION_SCHEME_*: never in 16 bits; and where runs are to be equal,
	 * never in place: a graph and plain launches differed, but part of that was a mistake of our own, found since,
	 * and which part is not measured. */
	uint32_t reductions;
	bool carries; /* our kernel would gather */
	char key[TUNE_KEY_BYTES];
} Question;

static cublasLtMatrixLayout_t layout(const Question *q, cudaDataType_t type, int64_t rows, int64_t columns,
                                     int64_t leading)
{
	cublasLtMatrixLayout_t l;
	int32_t batch = (int32_t)q->shape->batch;
	int64_t stride = leading * columns;
	lt_check(lt.MatrixLayoutCreate(&l, type, (uint64_t)rows, (uint64_t)columns, leading),
	         "cublasLtMatrixLayoutCreate", q->key);
	lt_check(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch),
	         "cublasLtMatrixLayoutSetAttribute", q->key);
	lt_check(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
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
	lt_check(lt.MatmulDescCreate(&f->operation, q->compute, CUDA_R_32F), "cublasLtMatmulDescCreate",
	         q->key);
	lt_check(lt.MatmulDescSetAttribute(f->operation, CUBLASLT_MATMUL_DESC_TRANSA,
	                                   transposed ? &op_b : &op_a, sizeof op_a),
	         "cublasLtMatmulDescSetAttribute", q->key);
	lt_check(lt.MatmulDescSetAttribute(f->operation, CUBLASLT_MATMUL_DESC_TRANSB,
	                                   transposed ? &op_a : &op_b, sizeof op_b),
	         "cublasLtMatmulDescSetAttribute", q->key);
}

/* ---- the choice: one per operation and shape */

typedef struct Choice {
	PlanChoice base;
	NnrProductShape shape;
	Form form[FORMS]; /* all there are */
	bool fails;       /* cuBLASLt has no algorithm that works */
	int used;         /* a form, or OWN */
	cublasLtMatmulAlgo_t algo;
	int64_t workspace;
} Choice;

typedef struct Call {
	const Choice *choice;
	const NnrProductKernel *own; /* the step's: equal ones may have one each, with counters of its own */
	const void *a, *b;
	void *y;
	bool in_step;
	cublasStatus_t status;
} Call;

static bool run_call(void *context)
{
	static const float one = 1, zero = 0;
	Call *call = context;
	const Choice *c = call->choice;
	if (c->used == OWN) {
		bool ran = product_run(call->own, &c->shape, call->a, call->b, call->y, call->in_step);
		call->status = ran ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
		return ran;
	}
	const Form *f = &c->form[c->used];
	void *workspace = c->workspace ? nnr_cuda_workspace(c->workspace) : NULL;
	const void *a = f->transposed ? call->b : call->a, *b = f->transposed ? call->a : call->b;
	call->status = lt.Matmul(lt.handle, f->operation, &one, a, f->a, b, f->b, &zero, call->y, f->d,
	                         call->y, f->d, &c->algo, workspace, (size_t)c->workspace, nnr_cuda_stream());
	return call->status == CUBLAS_STATUS_SUCCESS;
}

static bool install_own(Choice *c, const Question *q)
{
	const NnrProductKernel *own = c->shape.own;
	c->workspace = own ? own->partial * (int64_t)sizeof(float) : 0;
	c->used = OWN;
	return own && c->workspace <= q->workspace_cap;
}

/* Makes the algorithm c's, or our kernel, which has none; false when cuBLASLt refuses it for this product, which it may
 * still do when it is called. */
static bool install(Choice *c, const Question *q, int form, const cublasLtMatmulAlgo_t *algo)
{
	if (form == OWN)
		return install_own(c, q);
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

/* A setting of the record: a search that knew our kernel has ended so. */
static const char OWN_WAS_TRIED[] = "own";
enum { OWN_VERSION = 2 /* of our kernel: one that has become faster is tried again */ };

static void write_entry(Choice *c)
{
	c->base.entry.setting_count = 0;
	tune_add_setting(&c->base.entry, "form", c->used);
	if (c->used != OWN)
		algo_to_entry(&c->base.entry, &c->algo);
	if (c->shape.own)
		tune_add_setting(&c->base.entry, OWN_WAS_TRIED, OWN_VERSION);
	c->base.entry.workspace = c->workspace;
}

static bool restore(Choice *c, const Question *q, Call *call)
{
	const TuneEntry *e = tune_lookup(TUNE_CUBLASLT, q->key);
	if (!e)
		return false;
	int64_t form = tune_setting(e, "form", -1);
	cublasLtMatmulAlgo_t algo;
	bool fine =
	        form == OWN || (form >= 0 && form < FORMS && c->form[form].exists && algo_of_entry(e, &algo));
	if (!fine || !install(c, q, (int)form, &algo) || !run_call(call)) {
		say_note("the plan in the tune record for `%s` does not work here: tuning it again", q->key);
		return false;
	}
	c->base.entry = *e;
	c->base.entry.partial |= c->shape.own && tune_setting(e, OWN_WAS_TRIED, 0) < OWN_VERSION;
	return true;
}

/* ---- tuning */

typedef struct Search {
	Choice *choice;
	const Question *question;
	PlanTrials trials; /* tensors: a, b, y */
	Call call;
	int form;
	const cublasLtMatmulAlgo_t *failed; /* NULL, or the plan there was, which does not work */
	cublasLtMatmulAlgo_t best;
	double best_us, second_us;
	double end;   /* clock_seconds: of the whole search */
	double until; /* of what runs now, not behind `end` */
} Search;

/* Times an algorithm, if it works; true when it is the best until now. */
static bool try_algo(Search *s, int form, const cublasLtMatmulAlgo_t *algo)
{
	if (!install(s->choice, s->question, form, algo))
		return false;
	double bar = s->best_us * (form == OWN && s->question->carries ? GATHER_WORTH : 1);
	double us = plan_trial(&s->trials, run_call, &s->call, bar);
	if (!isfinite(us))
		return false;
	TuneEntry *e = &s->choice->base.entry;
	if (!e->candidates++)
		e->first_us = us;
	bool better = us < bar;
	s->second_us = fmin(s->second_us, better ? s->best_us : us);
	if (!better)
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
	lt_check(lt.MatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate", q->key);
	lt_check(lt.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &cap,
	                                         sizeof cap),
	         "cublasLtMatmulPreferenceSetAttribute", q->key);
	lt_check(lt.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
	                                         &q->reductions, sizeof q->reductions),
	         "cublasLtMatmulPreferenceSetAttribute", q->key);
	static const cublasLtMatmulPreferenceAttributes_t alignments[] = {
	        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
	        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
	for (int i = 0; i < 4; i++)
		lt_check(lt.MatmulPreferenceSetAttribute(preference, alignments[i], &bytes, sizeof bytes),
		         "cublasLtMatmulPreferenceSetAttribute", q->key);
	int count = 0;
	cublasStatus_t status = lt.MatmulAlgoGetHeuristic(lt.handle, f->operation, f->a, f->b, f->d, f->d,
	                                                  preference, HEURISTIC, out, &count);
	lt_check(lt.MatmulPreferenceDestroy(preference), "cublasLtMatmulPreferenceDestroy", q->key);
	return status == CUBLAS_STATUS_SUCCESS ? count : 0;
}

/* Times an algorithm that the heuristic did not name. */
static bool try_unnamed(Search *s, const cublasLtMatmulAlgo_t *algo)
{
	const Question *q = s->question;
	int64_t reduction;
	if (!is_aligned(algo, &s->choice->form[s->form], q))
		return false;
	if (setting_get(algo, REDUCTION, &reduction) && (reduction & ~(int64_t)q->reductions))
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
			int count = setting_values(&start, i, values);
			if (!setting_get(&start, i, &now))
				continue;
			for (int k = 0; k < count && !tuning_is_over(s->until); k++) {
				cublasLtMatmulAlgo_t algo = start;
				if (values[k] != now && setting_change(&algo, i, values[k]))
					better |= try_unnamed(s, &algo);
			}
		}
		better = better && !tuning_is_over(s->until);
	}
}

static bool algo_init(const Question *q, int64_t id, cublasLtMatmulAlgo_t *algo)
{
	return id >= 0 && id <= INT32_MAX &&
	       lt.MatmulAlgoInit(lt.handle, q->compute, CUDA_R_32F, q->type, q->type, q->result, q->result,
	                         (int)id, algo) == CUBLAS_STATUS_SUCCESS;
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
		int tile_count = setting_values(&algo, TILE, tiles);
		int stage_count = setting_values(&algo, STAGES, stages);
		for (int k = 0; k < tile_count && !tuning_is_over(s->until); k++) {
			bool fine = setting_put(&algo, TILE, tiles[k]);
			fine = fine &&
			       (stage_count == 0 || setting_put(&algo, STAGES, stages[stage_count - 1]));
			if (fine)
				try_unnamed(s, &algo);
		}
	}
}

static PlanTensor tensor_of(const void *at, NnrDType dtype, int64_t rows, int64_t columns, int64_t leading)
{
	return (PlanTensor){at, dtype, rows, columns, leading_of(leading, columns), PLAN_READ};
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
	t->tensor[2].use = PLAN_RESULT;
	plan_trials_begin(t);
	s->call = (Call){.choice = s->choice,
	                 .own = s->choice->shape.own,
	                 .a = t->tensor[0].at,
	                 .b = t->tensor[1].at,
	                 .y = (void *)(uintptr_t)t->tensor[2].at};
}

/* An algorithm of the list, and its form. */
typedef struct Named {
	cublasLtMatmulAlgo_t algo;
	int form;
} Named;

/* What the heuristic names for all forms; how many. */
static int list_named(const Choice *c, const Question *q, Named out[FORMS * HEURISTIC])
{
	cublasLtMatmulHeuristicResult_t *found = allocate(HEURISTIC, sizeof *found, "cuBLASLt's algorithms");
	int all = 0;
	for (int form = 0; form < FORMS; form++) {
		int count = c->form[form].exists ? ask_heuristic(c, q, form, found) : 0;
		for (int i = 0; i < count; i++)
			if (found[i].state == CUBLAS_STATUS_SUCCESS)
				out[all++] = (Named){found[i].algo, form};
	}
	free(found);
	return all;
}

/* Makes the first algorithm that works c's: one that runs, on the step's own tensors. */
static void take_first(Choice *c, const Question *q, Call *call)
{
	Named *named = allocate(FORMS * HEURISTIC, sizeof *named, "cuBLASLt's algorithms");
	int count = list_named(c, q, named), i = 0;
	while (i < count && !(install(c, q, named[i].form, &named[i].algo) && run_call(call)))
		i++;
	free(named);
	c->fails = i == count;
	c->base.entry =
	        (TuneEntry){.library = TUNE_CUBLASLT, .partial = tuning_is_wanted(NULL), .next = i + 1};
	memcpy(c->base.entry.key, q->key, sizeof q->key);
	if (!c->fails)
		write_entry(c);
}

/* What the heuristic named, from where an earlier search ended; true when the list is at its end. */
static bool try_list(Search *s, int *next)
{
	const Question *q = s->question;
	Named *named = allocate(FORMS * HEURISTIC, sizeof *named, "cuBLASLt's algorithms");
	int count = list_named(s->choice, q, named);
	for (; *next < count && (s->form < 0 || !tuning_is_over(s->end)); ++*next) {
		const cublasLtMatmulAlgo_t *algo = &named[*next].algo;
		tuning_progress(q->key, *next, 2 * count);
		if (!s->failed || memcmp(algo, s->failed, sizeof *algo) != 0)
			try_algo(s, named[*next].form, algo);
	}
	free(named);
	return *next >= count;
}

/* Whether it may yet become what it is wanted for. */
static bool is_worth_more(const Search *s)
{
	static const double NEAR = 1.2; /* times the bar: a search wins less */
	return s->form >= 0 && s->best_us <= NEAR * tuning_bar();
}

/* True when there was time for all of it. */
static bool search_beyond(Search *s)
{
	double seconds = fmin(fmax(SEARCH_RUNS * 1e-6 * s->best_us, SHORTEST_SEARCH), LONGEST_SEARCH);
	tuning_progress(s->question->key, 50, 100);
	s->until = fmin(s->end, clock_seconds() + seconds / 2);
	climb(s);
	tuning_progress(s->question->key, 75, 100);
	s->until = fmin(s->end, clock_seconds() + seconds / 2);
	try_others(s);
	return !tuning_is_over(s->end);
}

/* A choice that waits for a search, with the tensors of its first step. */
typedef struct Waiting {
	Choice *choice;
	Question question;
	NnrProductShape shape;
	const void *a, *b;
	void *y;
} Waiting;

static double time_choice(void *context)
{
	const Waiting *w = context;
	Call call = {.choice = w->choice, .own = w->shape.own, .a = w->a, .b = w->b, .y = w->y};
	return plan_time(run_call, &call, 0);
}

/* From the plan there is. */
static void search_choice(void *context, double until)
{
	const Waiting *w = context;
	Choice *c = w->choice;
	TuneEntry *e = &c->base.entry;
	Search s = {.choice = c, .question = &w->question, .best_us = INFINITY, .second_us = INFINITY};
	cublasLtMatmulAlgo_t known = c->algo;
	s.form = -1;
	s.end = until;
	begin_trials(&s, w->a, w->b, w->y);
	bool by_own = c->used == OWN; /* then it has its turn behind the library's */
	if (!by_own && !try_algo(&s, c->used, &known)) {
		s.failed = &known;
		e->next = 0; /* what was tried before lost to it */
	}
	bool listed = try_list(&s, &e->next), worth = is_worth_more(&s);
	e->partial = !listed || !worth || !search_beyond(&s);
	if (c->shape.own)
		try_algo(&s, OWN, &known);
	bool compared = plan_trials_end(&s.trials, w->question.key);
	e->partial |= !compared;
	c->fails = s.form < 0 || !install(c, &w->question, s.form, &s.best);
	if (c->fails)
		return;
	e->next = e->partial && compared ? e->next : 0;
	e->us = s.best_us;
	e->runner_up_us = isfinite(s.second_us) ? s.second_us : 0;
	write_entry(c);
	if (worth || c->base.uses > 0) /* the record has no plan that no step wants */
		tune_keep(e);
}

static void wait_for_search(Choice *c, const Question *q, const void *a, const void *b, void *y)
{
	Waiting *w = allocate(1, sizeof *w, "a plan");
	*w = (Waiting){c, *q, *q->shape, a, b, y};
	w->question.shape = &w->shape;
	tuning_add(&(TuneTask){&c->base.entry, &c->base.uses, time_choice, search_choice, w});
}

static Choice *choose(const Question *q, const void *a, const void *b, void *y)
{
	static PlanChoice *choices;
	PlanChoice *known = plan_choice_of(choices, q->key);
	if (known)
		return (Choice *)known; /* base is its first member */
	Choice *c = allocate(1, sizeof *c, "a plan");
	c->shape = *q->shape;
	form_new(&c->form[0], q, true);
	if ((q->shape->m == 1 || q->shape->n == 1) && !q->shape->ldy)
		form_new(&c->form[1], q, false);
	Call call = {.choice = c, .own = c->shape.own, .a = a, .b = b, .y = y};
	bool restored = restore(c, q, &call);
	if (!restored)
		take_first(c, q, &call);
	if (!c->fails && tuning_is_wanted(restored ? &c->base.entry : NULL))
		wait_for_search(c, q, a, b, y);
	c->base.next = choices;
	choices = &c->base;
	return c;
}

/* ---- steps */

typedef struct Step {
	NnrPlan base;
	Choice *choice;
} Step;

static int64_t workspace_cap(void)
{
	return plan_workspace_cap() < WORKSPACE_CAP ? plan_workspace_cap() : WORKSPACE_CAP;
}

static Step *step_new(const NnrProductShape *s, NnrDType dtype, const void *a, const void *b, void *y)
{
	lt_load();
	NnrProductShape fitting = *s;
	Question q = {.shape = &fitting, .dtype = dtype, .compute = CUBLAS_COMPUTE_32F};
	q.workspace_cap = workspace_cap();
	q.type = dtype == NNR_F32 ? CUDA_R_32F : dtype == NNR_BF16 ? CUDA_R_16BF : CUDA_R_16F;
	q.result = s->wide ? CUDA_R_32F : q.type;
	if (dtype == NNR_F32 && plan_allows_tf32())
		q.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
	q.alignment = plan_alignment(a, b, y);
	q.element = dtype == NNR_F32 ? 4 : 2;
	q.result_element = q.result == CUDA_R_32F ? 4 : 2;
	bool any_order = q.result == CUDA_R_32F && !nnr_cuda_deterministic();
	q.reductions = any_order ? CUBLASLT_REDUCTION_SCHEME_MASK : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
	if (!product_fits(s->own, s, dtype, q.alignment))
		fitting.own = NULL;
	q.carries = fitting.own && fitting.own->carries &&
	            nnr_cuda_may_carry((double)s->m * (double)s->n * (double)s->k);
	/* a convolution, or a product of an evaluation, can be this one and have no such kernel, or one that has
	 * nothing to gather */
	const char *own = !fitting.own ? "" : q.carries ? " own carries" : " own";
	char aligned[32] = "", leading[96] = "";
	if (q.alignment < 16)
		snprintf(aligned, sizeof aligned, " align %d", q.alignment);
	if (s->lda || s->ldb || s->ldy)
		snprintf(leading, sizeof leading, " leading %lld,%lld,%lld", (long long)s->lda,
		         (long long)s->ldb, (long long)s->ldy);
	require(s->batch <= INT32_MAX);
	int n = snprintf(q.key, sizeof q.key, "matmul %s batch %lld m %lld n %lld k %lld a %s b %s%s%s%s%s%s",
	                 plan_arithmetic_name(dtype), (long long)s->batch, (long long)s->m, (long long)s->n,
	                 (long long)s->k, s->ta ? "km" : "mk", s->tb ? "nk" : "kn", s->wide ? " y f32" : "",
	                 leading, aligned, own, nnr_cuda_deterministic() ? " deterministic" : "");
	require(n > 0 && n < (int)sizeof q.key);
	nnr_cuda_doing("choosing a cuBLASLt algorithm");
	Step *step = allocate(1, sizeof *step, "a plan");
	step->choice = choose(&q, a, b, y);
	step->choice->base.uses++;
	step->base = (NnrPlan){&step->choice->base.entry, q.alignment, &step->choice->base.uses};
	return step;
}

bool plan_product(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                  void *y)
{
	if (plan_is_needed(*plan, a, b, y))
		*plan = &step_new(s, dtype, a, b, y)->base;
	const Step *step = (const Step *)*plan; /* base is its first member */
	const char *key = step->base.entry->key;
	nnr_cuda_doing(key);
	Call call = {.choice = step->choice, .own = s->own, .a = a, .b = b, .y = y, .in_step = true};
	if (step->choice->fails)
		return false;
	if (run_call(&call))
		return true;
	if (step->choice->used == OWN)
		die_help(STATUS_DEVICE, "compile with -fno-own_products",
		         "cuTensorMapEncodeTiled failed: the driver can't describe the tensors of `%s`", key);
	lt_check(call.status, "cublasLtMatmul", key);
	return true;
}

void nnr_cublas_matmul(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                       void *y)
{
	if (!plan_product(plan, s, dtype, a, b, y))
		die(STATUS_DEVICE, "cuBLASLt has no algorithm for `%s` within %s of workspace",
		    (*plan)->entry->key, human_bytes((double)workspace_cap()));
}
