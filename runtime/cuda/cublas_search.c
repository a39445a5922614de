/* SPDX-License-Identifier: MIT */
/* The search for the fastest plan of a product.
 *
 * Candidates: the plan of a product like this one (tune.h), then the heuristic's, up to 64 of each form, a list in an
 * order that depends on the library alone. Then from the fastest one setting is changed at a time (tile, stages, split
 * of k, swizzle, cluster), what cublasLtMatmulAlgoCheck allows is timed, and the best becomes the next start, until
 * nothing is better or the time for it is over. Last our own kernel, where the product has one. */
#include "runtime/host/progress.h"
#include "runtime/cuda/cublas_choice.h"
#include "runtime/cuda/plan_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEURISTIC = 64, /* candidates asked of the heuristic, for each form */
	CAP_IDS = 64,   /* algorithms looked at */
};
/* The search may take as long as SEARCH_RUNS runs of the best plan yet, within limits: a product of 50 us at
 * 8000x1000x1000 is 10 % faster after 1.6 s than after 0.4 s; one of 10 us is as fast. */
static const double SEARCH_RUNS = 32000, SHORTEST_SEARCH = 0.4, LONGEST_SEARCH = 1.6; /* seconds */

/* An algorithm of the list, and its form. */
typedef struct Named {
	cublasLtMatmulAlgo_t algo;
	int form;
} Named;

/* The tensors of a trial. */
enum { OF_A, OF_B, OF_Y, OF_BIAS, OF_WEIGHT, OF_SUMS, OF_BESIDE, OF_PARTIAL, TRIAL_TENSORS };
_Static_assert((int)TRIAL_TENSORS <= (int)PLAN_TENSORS, "a place for each");

typedef struct Search {
	Choice *choice;
	const Question *question;
	PlanTrials trials; /* tensors: OF_A ... */
	Call call;
	int form;
	const Named *failed; /* NULL, or the plan there was, which does not work */
	cublasLtMatmulAlgo_t best;
	double best_us, second_us;
	double end;   /* clock_seconds: of the whole search */
	double until; /* of what runs now, not after `end` */
} Search;

/* The library's activations may hide NaN. Where the trials have no memory of their own to look for that, none is
 * taken but the one that is known from a search that had, and the search is not over. */
static bool is_out_of_sight(const Search *s, int form)
{
	return form == FUSED && s->choice->form[FUSED].exists && s->trials.passes_nan && !s->trials.scratch;
}

/* Times an algorithm, if it works; true when it is the fastest until now. */
static bool try_algo(Search *s, int form, const cublasLtMatmulAlgo_t *algo)
{
	if (!cublas_install(s->choice, s->question, form, algo))
		return false;
	double us = plan_trial(&s->trials, cublas_run, &s->call, s->best_us);
	TuneEntry *e = &s->choice->base.entry, plan = {0};
	tune_add_setting(&plan, "form", form);
	algo_to_entry(&plan, algo);
	tune_tried(e, &plan, us);
	if (!isfinite(us))
		return false;
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

/* Times an algorithm that the heuristic did not name. */
static bool try_unnamed(Search *s, int form, const cublasLtMatmulAlgo_t *algo)
{
	const Question *q = s->question;
	int64_t reduction;
	if (is_out_of_sight(s, form) || !is_aligned(algo, &s->choice->form[form], q))
		return false;
	if (setting_get(algo, REDUCTION, &reduction) && (reduction & ~(int64_t)q->reductions))
		return false;
	return try_algo(s, form, algo);
}

/* The plan of the product that is nearest in its sizes, of the records that come with the runtime. */
static void try_alike(Search *s)
{
	const TuneEntry *near = tune_alike(TUNE_CUBLASLT, s->question->key);
	const int64_t form = near ? tune_setting(near, "form", -1) : -1;
	cublasLtMatmulAlgo_t algo;
	if (form >= 0 && form < FORMS && s->choice->form[form].exists && algo_of_entry(near, &algo))
		try_unnamed(s, (int)form, &algo);
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
					better |= try_unnamed(s, s->form, &algo);
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
				try_unnamed(s, s->form, &algo);
		}
	}
}

static PlanTensor tensor_of(const void *at, NnrDType dtype, int64_t rows, int64_t columns, int64_t leading)
{
	return (PlanTensor){at, dtype, rows, columns, cublas_leading(leading, columns), PLAN_READ};
}

/* What the epilogue writes beside the product, or reads. */
static PlanTensor beside_of(const Question *q, const Call *first)
{
	const NnrProductShape *p = q->shape;
	const NnrBeside what = q->epilogue->beside;
	PlanTensor t = what == NNR_SLOPE ? tensor_of(first->at, q->dtype, p->m, p->n, 0)
	               : what == NNR_KEPT
	                       ? tensor_of(first->beside, q->dtype, p->m, p->n, 0)
	                       : tensor_of(first->beside, NNR_F32, 1, what == NNR_SUMS_OF_A ? p->m : p->n, 0);
	t.use = what == NNR_SLOPE ? PLAN_READ : PLAN_RESULT;
	return t;
}

/* False where nothing may be tried (plan_trials_begin). */
static bool begin_trials(Search *s, const Call *first)
{
	const Question *q = s->question;
	const NnrProductShape *p = q->shape;
	PlanTrials *t = &s->trials;
	t->tensor[OF_A] =
	        tensor_of(first->a, q->dtype, p->batch * (p->ta ? p->k : p->m), p->ta ? p->m : p->k, p->lda);
	t->tensor[OF_B] =
	        tensor_of(first->b, q->dtype, p->batch * (p->tb ? p->n : p->k), p->tb ? p->k : p->n, p->ldb);
	t->tensor[OF_Y] = tensor_of(first->y, q->result == CUDA_R_32F ? NNR_F32 : q->dtype, p->batch * p->m,
	                            p->n, p->ldy);
	t->tensor[OF_Y].use = first->sums ? PLAN_WORKSPACE : PLAN_RESULT;
	if (first->bias)
		t->tensor[OF_BIAS] =
		        tensor_of(first->bias, first->epilogue->narrow_bias ? q->dtype : NNR_F32, 1, p->n, 0);
	if (first->sums) {
		t->tensor[OF_WEIGHT] = tensor_of(first->weight, NNR_F32, 1, p->n, 0);
		t->tensor[OF_SUMS] = tensor_of(first->sums, NNR_F32, p->m, q->epilogue->row_sums, 0);
		t->tensor[OF_SUMS].use = PLAN_RESULT;
	}
	if (first->beside || first->at)
		t->tensor[OF_BESIDE] = beside_of(q, first);
	if (first->residual)
		t->tensor[OF_BESIDE] = tensor_of(first->residual, q->dtype, p->m, p->n, 0);
	if (first->partial) {
		t->tensor[OF_PARTIAL] = tensor_of(first->partial, NNR_F32, 1, first->epilogue->partial, 0);
		t->tensor[OF_PARTIAL].use = PLAN_WORKSPACE;
	}
	t->passes_nan = epilogue_activates(q->epilogue);
	if (!plan_trials_begin(t))
		return false;
	s->call = (Call){.choice = s->choice,
	                 .epilogue = first->epilogue,
	                 .a = t->tensor[OF_A].at,
	                 .b = t->tensor[OF_B].at,
	                 .bias = t->tensor[OF_BIAS].at,
	                 .weight = t->tensor[OF_WEIGHT].at,
	                 .at = first->at ? t->tensor[OF_BESIDE].at : NULL,
	                 .residual = first->residual ? t->tensor[OF_BESIDE].at : NULL,
	                 .beside = first->beside ? (void *)(uintptr_t)t->tensor[OF_BESIDE].at : NULL,
	                 .partial = (void *)(uintptr_t)t->tensor[OF_PARTIAL].at,
	                 .y = (void *)(uintptr_t)t->tensor[OF_Y].at,
	                 .sums = (void *)(uintptr_t)t->tensor[OF_SUMS].at};
	return true;
}

/* What the heuristic names for all forms; how many. The first that runs is taken until there is a search: with a tensor
 * beside or added, the library's epilogue, without which that is read or written once more. */
static int list_named(const Choice *c, const Question *q, Named out[FORMS * HEURISTIC])
{
	cublasLtMatmulHeuristicResult_t *found = allocate(HEURISTIC, sizeof *found, "cuBLASLt's algorithms");
	static const int order[2][FORMS] = {{TURNED, STRAIGHT, FUSED}, {FUSED, TURNED, STRAIGHT}};
	const bool beside = q->epilogue && (q->epilogue->beside || epilogue_has(q->epilogue, 'r'));
	int all = 0;
	for (int i = 0; i < FORMS; i++) {
		const int form = order[beside][i];
		int count = c->form[form].exists ? ask_heuristic(c, q, form, found) : 0;
		for (int k = 0; k < count; k++)
			if (found[k].state == CUBLAS_STATUS_SUCCESS)
				out[all++] = (Named){found[k].algo, form};
	}
	free(found);
	return all;
}

void cublas_take_first(Choice *c, const Question *q, Call *call)
{
	Named *named = allocate(FORMS * HEURISTIC, sizeof *named, "cuBLASLt's algorithms");
	int count = list_named(c, q, named), i = 0;
	while (i < count && !(cublas_install(c, q, named[i].form, &named[i].algo) && cublas_run(call)))
		i++;
	free(named);
	c->fails = i == count;
	c->base.entry =
	        (TuneEntry){.library = TUNE_CUBLASLT, .partial = tuning_is_wanted(NULL), .next = i + 1};
	memcpy(c->base.entry.key, q->key, sizeof q->key);
	if (!c->fails)
		cublas_write_entry(c);
}

static bool has_failed(const Search *s, const Named *n)
{
	return s->failed && s->failed->form == n->form &&
	       memcmp(&s->failed->algo, &n->algo, sizeof n->algo) == 0;
}

/* What the heuristic named, from where an earlier search ended; true when the list is at its end. */
static bool try_list(Search *s, int *next)
{
	const Question *q = s->question;
	Named *named = allocate(FORMS * HEURISTIC, sizeof *named, "cuBLASLt's algorithms");
	int count = list_named(s->choice, q, named);
	for (; *next < count && (s->form < 0 || !tuning_is_over(s->end)); ++*next) {
		const Named *n = &named[*next];
		tuning_progress(q->key, *next, 2 * count);
		if (!is_out_of_sight(s, n->form) && !has_failed(s, n))
			try_algo(s, n->form, &n->algo);
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

/* Our kernel takes part whatever it takes: a step may want it for what it does besides. */
static void time_own(Search *s)
{
	s->call.own = s->choice->shape.own;
	double us = s->call.own ? plan_trial(&s->trials, cublas_run, &s->call, INFINITY) : INFINITY;
	s->choice->own_us = isfinite(us) ? tune_rounded(us) : 0;
	TuneEntry plan = {0};
	tune_add_setting(&plan, "own", 1);
	tune_tried(&s->choice->base.entry, &plan, us);
	s->choice->base.entry.candidates += isfinite(us);
}

/* A choice that waits for a search, with the tensors of its first step. */
typedef struct Waiting {
	Choice *choice;
	Question question;
	Call first;
} Waiting;

static double time_choice(void *context)
{
	const Waiting *w = context;
	nnr_cuda_doing(w->choice->base.entry.key);
	Call call = w->first;
	return plan_time(cublas_run, &call, 0);
}

/* From the plan there is. */
static bool search_choice(void *context, double until)
{
	const Waiting *w = context;
	Choice *c = w->choice;
	TuneEntry *e = &c->base.entry;
	Search s = {.choice = c, .question = &w->question, .best_us = INFINITY, .second_us = INFINITY};
	const Named known = {c->algo, c->used};
	s.form = -1;
	s.end = until;
	if (!begin_trials(&s, &w->first))
		return false;
	nnr_cuda_doing(e->key);
	if (!try_algo(&s, known.form, &known.algo)) {
		s.failed = &known;
		e->next = 0; /* what was tried before lost to it */
	}
	try_alike(&s);
	bool listed = try_list(&s, &e->next), worth = is_worth_more(&s);
	e->partial = !listed || !worth || !search_beyond(&s);
	time_own(&s);
	bool unseen = is_out_of_sight(&s, FUSED);
	bool compared = plan_trials_end(&s.trials, w->question.key) && !unseen;
	e->partial |= !compared;
	c->fails = s.form < 0 || !cublas_install(c, &w->question, s.form, &s.best);
	if (c->fails)
		return true;
	e->next = e->partial && compared ? e->next : 0;
	e->us = tune_rounded(s.best_us);
	e->runner_up_us = isfinite(s.second_us) ? s.second_us : 0;
	cublas_write_entry(c);
	if (worth || c->base.uses > 0) /* the record has no plan that no step wants */
		tune_keep(e);
	return true;
}

void cublas_wait_for_search(Choice *c, const Question *q, const Call *first)
{
	Waiting *w = allocate(1, sizeof *w, "a plan");
	*w = (Waiting){c, *q, *first};
	w->question.shape = &c->shape;
	tuning_add(&(TuneTask){&c->base.entry, &c->base.uses, time_choice, search_choice, w});
}
