/* SPDX-License-Identifier: MIT */
/* Attention by our kernel or by cuDNN, whichever is faster: one choice per operation and shape, as of convolutions
 * (cudnn.c), timed and kept in the tune record like theirs. The forms of an answer are
 *   plain    our kernel (nnr_attention.h); it is what runs until a search has found something faster, and what the
 *            others are compared with
 *   direct   cuDNN's; of a gradient that whose blocks add to sums of dquery in any order, so that runs differ: not
 *            where runs are to be equal
 *   whole    of a gradient, cuDNN's with shares in memory, all places with all, where the workspace holds them
 * cuDNN's logs are ours, so that an attention and its gradient need not be of one form. Its plans are compiled when
 * they are made: a search makes one only for what is long enough.
 *
 * us on an H200 with cuDNN 9.14, bf16, the fastest plan and our kernel by warps (2026-11-26); by warpgroups the first
 * row is 52.4 and 129.6 (2026-11-29):
 *
 *                                                       forward          gradient
 *     8 samples of 1024 places, 12 heads of 64, causal  47.6    96.0    153.6   277.4
 *     256 of 197, 3 heads of 64                         48.2    82.1    152.7   235.3
 *     16 of 512, 8 heads of 128, equal runs             36.2    85.5    136.3   310.5
 *     64 of 256, 6 heads of 64, causal, equal runs                       88.5   101.4
 *     128 of 130, 16 heads of 8, causal                                 236.1   109.3
 *
 * What equal runs cost a gradient is little: its shares are written once and read once. */
#include "runtime/cuda/cudnn_attention.h"
#include "runtime/cuda/cudnn_search.h"
#include "runtime/cuda/plan_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tensors, and their letters in NnrAttentionShape.arguments. */
typedef enum { AT_X, AT_Y, AT_DY, AT_LOGS, AT_TAKEN, AT_DX, AT_MASK, ATTENTION_TENSORS } Part;
static const char letters[ATTENTION_TENSORS + 1] = "xydltgm";

typedef struct Choice {
	PlanChoice base;
	int version; /* counts the plans that it had: a bound call is of one of them */
	NnrAttentionShape shape;
	Form form;
	Graph graph[FORMS];
	Plan plan;
	float low, one;                   /* numbers of the graph, beside the scale */
	int64_t taken_bytes, parts_bytes; /* of the workspace, ahead of the plan's: cuDNN's own tensors */
	int64_t workspace;                /* all of it */
} Choice;

/* A choice bound to the buffers of a step. */
typedef struct Call {
	const Choice *choice;
	NnrKernel *kernel;
	const void *tensor[ATTENTION_TENSORS]; /* NULL: there is none */
	char *workspace;
	int version; /* of the choice */
	Pool packs;
	Descriptor pack;
} Call;

typedef struct Step {
	NnrPlan base;
	Call call;
} Step;

static bool has(const NnrAttentionShape *s, Part part)
{
	return strchr(s->arguments, letters[part]);
}

static bool is_grad(const NnrAttentionShape *s)
{
	return has(s, AT_DX);
}

static void write_key(const NnrAttentionShape *s, char key[TUNE_KEY_BYTES])
{
	char keys[80] = "", mask[80] = "";
	if (s->keys_at >= s->query_row) /* not side by side with the queries */
		snprintf(keys, sizeof keys, " of %lld row %lld values %lld", (long long)s->keys,
		         (long long)s->key_row, (long long)(s->values_at - s->keys_at));
	if (has(s, AT_MASK))
		snprintf(mask, sizeof mask, " mask %lld,%lld,%lld", (long long)s->mask_sample,
		         (long long)s->mask_head, (long long)s->mask_row);
	int n = snprintf(key, TUNE_KEY_BYTES,
	                 "attention%s %s batch %lld n %lld%s heads %lld size %lld scale %.9g%s%s%s%s",
	                 is_grad(s) ? "_grad" : "", plan_arithmetic_name(s->dtype), (long long)s->batch,
	                 (long long)s->queries, keys, (long long)s->heads, (long long)s->size,
	                 (double)s->scale, s->causal ? " causal" : "", mask, has(s, AT_LOGS) ? " logs" : "",
	                 nnr_cuda_deterministic() ? " deterministic" : "");
	require(n > 0 && n < TUNE_KEY_BYTES);
}

static int64_t mask_elements(const NnrAttentionShape *s)
{
	return ((s->mask_sample ? s->batch - 1 : 0) * s->mask_sample) +
	       ((s->mask_head ? s->heads - 1 : 0) * s->mask_head) +
	       ((s->mask_row ? s->queries - 1 : 0) * s->mask_row) + s->keys;
}

static int64_t elements(const NnrAttentionShape *s, Part part)
{
	const int64_t rows = s->batch * s->queries * s->heads;
	switch (part) {
	case AT_X:
	case AT_DX:
		return (rows + 2 * s->batch * s->keys * s->heads) * s->size;
	case AT_Y:
	case AT_DY:
		return rows * s->size;
	case AT_MASK:
		return mask_elements(s);
	default:
		return rows;
	}
}

static NnrDType type_of(const NnrAttentionShape *s, Part part)
{
	return part == AT_LOGS || part == AT_TAKEN || part == AT_MASK ? NNR_F32 : s->dtype;
}

/* ---- plans */

static bool prepare(Choice *c, Form form)
{
	const NnrAttentionShape *s = &c->shape;
	const bool grad = is_grad(s), direct = form == DIRECT && !(grad && nnr_cuda_deterministic());
	if (form == PLAIN)
		return true;
	if (!direct && !(form == WHOLE && grad))
		return false;
	if (!c->graph[form].graph)
		c->graph[form] = grad ? attention_grad_graph(s, direct) : attention_graph(s, has(s, AT_LOGS));
	return c->graph[form].graph;
}

/* Makes the answer c's plan; false when it does not work here, or needs too much workspace. */
static bool install(Choice *c, const Answer *a)
{
	const NnrAttentionShape *s = &c->shape;
	c->form = a->form;
	c->workspace = 0;
	if (a->form == PLAIN)
		return true;
	if (!plan_of(&c->plan, &c->graph[a->form], a, graph_type(s->dtype)))
		return false;
	c->taken_bytes = is_grad(s) ? dnn_aligned(4 * elements(s, AT_TAKEN)) : 0;
	c->parts_bytes = is_grad(s) && a->form == DIRECT ? dnn_aligned(4 * elements(s, AT_Y)) : 0;
	c->workspace = c->taken_bytes + c->parts_bytes + c->plan.workspace;
	if (c->workspace <= plan_workspace_cap())
		return true;
	dnn_release(&c->plan.pool);
	return false;
}

/* ---- calls */

static void *workspace_of(const Call *call)
{
	return call->choice->workspace ? nnr_cuda_workspace(call->choice->workspace) : NULL;
}

typedef struct Pack {
	int64_t uids[16];
	const void *at[16];
	int count;
} Pack;

static void put(Pack *p, int64_t uid, const void *at)
{
	p->uids[p->count] = uid;
	p->at[p->count++] = at;
}

/* Queries, keys and values. */
static void put_columns(Pack *p, const int64_t uid[3], const NnrAttentionShape *s, const void *at)
{
	const int64_t offset[3] = {0, s->keys_at, s->values_at};
	for (int i = 0; i < 3; i++)
		put(p, uid[i], (const char *)at + offset[i] * plan_element_bytes(s->dtype));
}

static void bind_call(Call *call)
{
	static const int64_t in[3] = {UID_QUERY, UID_KEY, UID_VALUE},
	                     out[3] = {UID_DQUERY, UID_DKEY, UID_DVALUE};
	const Choice *c = call->choice;
	Pack pack = {0};
	dnn_release(&call->packs);
	call->version = c->version;
	call->workspace = workspace_of(call);
	if (c->form == PLAIN)
		return;
	char *own = call->workspace + c->taken_bytes + c->parts_bytes;
	put_columns(&pack, in, &c->shape, call->tensor[AT_X]);
	put(&pack, UID_OUT, call->tensor[AT_Y]);
	put(&pack, UID_SCALE, &c->shape.scale);
	if (c->shape.causal)
		put(&pack, UID_LOW, &c->low);
	if (call->tensor[AT_LOGS])
		put(&pack, UID_LOGS, call->tensor[AT_LOGS]);
	if (call->tensor[AT_MASK])
		put(&pack, UID_MASK, call->tensor[AT_MASK]);
	if (is_grad(&c->shape)) {
		put_columns(&pack, out, &c->shape, call->tensor[AT_DX]);
		put(&pack, UID_DOUT, call->tensor[AT_DY]);
		put(&pack, UID_ONE, &c->one);
		put(&pack, UID_TAKEN, call->workspace);
	}
	if (c->parts_bytes)
		put(&pack, UID_PARTS, call->workspace + c->taken_bytes);
	call->pack = dnn_pack(&call->packs, pack.count, pack.uids, pack.at, own);
	dnn_must(call->pack, c->base.entry.key);
}

static bool run_call(void *context)
{
	const Call *call = context;
	const Choice *c = call->choice;
	void *arguments[ATTENTION_TENSORS];
	if (c->form != PLAIN)
		return dnn_ok(dnn.BackendExecute(dnn.handle, c->plan.plan, call->pack),
		              "cudnnBackendExecute");
	for (int i = 0; c->shape.arguments[i]; i++)
		arguments[i] =
		        (void *)(uintptr_t)&call->tensor[strchr(letters, c->shape.arguments[i]) - letters];
	nnr_launch(call->kernel, arguments);
	return true;
}

/* ---- the search */

/* A plan of 9.14 is compiled in 0.3 to 1.2 s, and at the next start in 0.05: the driver keeps what it compiled. */
static const double WORTH_COMPILING_US = 15;

/* A choice that waits for a search, with the kernel and the tensors of its first step. */
typedef struct Waiting {
	Choice *choice;
	NnrKernel *kernel;
	PlanTrials trials;
} Waiting;

static Call call_of_trial(const Waiting *w)
{
	Call call = {.choice = w->choice, .kernel = w->kernel};
	nnr_cuda_doing(w->choice->base.entry.key); /* a fault while it runs is not of the call before */
	for (Part i = 0; i < ATTENTION_TENSORS; i++)
		call.tensor[i] = w->trials.tensor[i].at;
	bind_call(&call);
	return call;
}

static double time_answer(void *context, const Answer *a, double best_us)
{
	Waiting *w = context;
	Choice *c = w->choice;
	if (!install(c, a))
		return INFINITY;
	Call call = call_of_trial(w);
	double us = plan_trial(&w->trials, run_call, &call, best_us);
	answer_tried(a, &c->base.entry, us);
	dnn_release(&call.packs);
	dnn_release(&c->plan.pool);
	return us;
}

static double time_choice(void *context)
{
	Waiting *w = context;
	dnn_use_stream(w->choice->base.entry.key);
	Call call = call_of_trial(w);
	double us = plan_time(run_call, &call, 0);
	dnn_release(&call.packs);
	return us;
}

/* Of a gradient y and taken are zeros: our kernel takes off `taken`, and cuDNN the sums of y*dy. */
static PlanUse use_of(const NnrAttentionShape *s, Part part)
{
	const bool grad = is_grad(s);
	const PlanUse uses[] = {[AT_X] = PLAN_READ,      [AT_Y] = grad ? PLAN_ZEROS : PLAN_RESULT,
	                        [AT_DY] = PLAN_READ,     [AT_LOGS] = grad ? PLAN_READ : PLAN_RESULT,
	                        [AT_TAKEN] = PLAN_ZEROS, [AT_DX] = PLAN_RESULT,
	                        [AT_MASK] = PLAN_READ};
	return uses[part];
}

static PlanTrials trials_of(const NnrAttentionShape *s, const void *const tensor[ATTENTION_TENSORS])
{
	PlanTrials t = {0};
	for (Part i = 0; i < ATTENTION_TENSORS; i++)
		if (tensor[i])
			t.tensor[i] = (PlanTensor){tensor[i],      type_of(s, i),  1,
			                           elements(s, i), elements(s, i), use_of(s, i)};
	return t;
}

static void take_answer(Choice *c, const Answer *a)
{
	dnn_must(install(c, a), c->base.entry.key);
	c->version++;
	for (Form form = 0; form < FORMS; form++) {
		if (form == c->form)
			continue;
		dnn_release(&c->graph[form].pool);
		c->graph[form] = (Graph){0};
	}
	c->base.entry.setting_count = 0;
	answer_to_entry(a, &c->base.entry);
	c->base.entry.workspace = c->workspace;
}

static bool search_choice(void *context, double until)
{
	const Waiting *w = context;
	Choice *c = w->choice;
	TuneEntry *e = &c->base.entry;
	const Answer ours = {.form = PLAIN};
	Waiting trial = *w;
	Answer known, alike;
	const TuneEntry *near = tune_alike(TUNE_CUDNN, e->key);
	Search s = {.graphs = c->graph,
	            .other = PLAIN,
	            .type = graph_type(c->shape.dtype),
	            .key = e->key,
	            .time = time_answer,
	            .context = &trial,
	            .until = until,
	            .compiles_from = WORTH_COMPILING_US,
	            .next = e->next};
	s.known = answer_from_entry(e, &known) ? &known : NULL;
	s.alike = near && answer_from_entry(near, &alike) ? &alike : NULL;
	if (!plan_trials_begin(&trial.trials))
		return false;
	dnn_use_stream(e->key);
	dnn_release(&c->plan.pool);
	for (Form form = 0; form < FORMS; form++)
		prepare(c, form);
	time_answer(&trial, &ours, INFINITY); /* what the others are compared with */
	search_fastest(&s);
	bool settled = plan_trials_end(&trial.trials, e->key);
	take_answer(c, isfinite(s.best_us) ? &s.best : &ours);
	search_to_entry(&s, settled, e);
	tune_keep(e);
	return true;
}

/* ---- the choice */

static bool restore(Choice *c)
{
	const TuneEntry *entry = tune_lookup(TUNE_CUDNN, c->base.entry.key);
	Answer a;
	if (!entry)
		return false;
	if (!answer_from_entry(entry, &a) || !prepare(c, a.form) || !install(c, &a)) {
		plan_say_left_out(c->base.entry.key);
		return false;
	}
	c->base.entry = *entry;
	return true;
}

static Choice *choose(const NnrAttentionShape *s, NnrKernel *kernel,
                      const void *const tensor[ATTENTION_TENSORS])
{
	static PlanChoice *choices;
	char key[TUNE_KEY_BYTES];
	write_key(s, key);
	PlanChoice *known = plan_choice_of(choices, key);
	if (known)
		return (Choice *)known; /* base is its first member */
	StartPart part = start_plan(key);
	Choice *c = allocate(1, sizeof *c, "a plan");
	c->shape = *s;
	c->low = -INFINITY;
	c->one = 1;
	c->base.entry.library = TUNE_CUDNN;
	memcpy(c->base.entry.key, key, sizeof key);
	bool restored = restore(c);
	if (!restored) {
		take_answer(c, &(Answer){.form = PLAIN});
		c->base.entry.partial = tuning_is_wanted(NULL);
	}
	if (tuning_is_wanted(restored ? &c->base.entry : NULL)) {
		Waiting *waiting = allocate(1, sizeof *waiting, "a plan");
		*waiting = (Waiting){c, kernel, trials_of(s, tensor)};
		tuning_add(&(TuneTask){&c->base.entry, &c->base.uses, time_choice, search_choice, waiting});
	}
	c->base.next = choices;
	choices = &c->base;
	start_plan_made(part, restored);
	return c;
}

/* ---- steps */

static Step *step_new(const NnrAttentionShape *s, NnrKernel *kernel,
                      const void *const tensor[ATTENTION_TENSORS])
{
	Step *step = allocate(1, sizeof *step, "a plan");
	Choice *choice = choose(s, kernel, tensor);
	plan_use(&choice->base);
	step->call = (Call){.choice = choice, .kernel = kernel};
	step->base = (NnrPlan){&choice->base.entry, FULLY_ALIGNED, &choice->base.uses};
	return step;
}

/* Versions without mistakes in attention, that clear the sums of dquery themselves. */
static bool library_computes(void)
{
	enum { FIRST = 90600, WRONG = 91000, WRONG_TOO = 91001 };
	if (!dnn_find())
		return false;
	const size_t version = dnn.GetVersion();
	return version >= FIRST && version != WRONG && version != WRONG_TOO;
}

void nnr_cudnn_attention(NnrPlan **plan, const NnrAttentionShape *s, NnrKernel *kernel,
                         void *const *arguments)
{
	if (nnr_cuda_looking())
		return;
	const void *tensor[ATTENTION_TENSORS] = {0};
	const int64_t element = plan_element_bytes(s->dtype);
	bool fits = library_computes() && s->keys_at * element % FULLY_ALIGNED == 0 &&
	            s->values_at * element % FULLY_ALIGNED == 0;
	for (int i = 0; s->arguments[i]; i++) {
		const void *at = *(const void *const *)arguments[i];
		tensor[strchr(letters, s->arguments[i]) - letters] = at;
		fits = fits && plan_alignment(at, NULL, NULL) == FULLY_ALIGNED;
	}
	if (!fits) {
		nnr_launch(kernel, arguments);
		return;
	}
	if (!*plan)
		*plan = &step_new(s, kernel, tensor)->base;
	Step *step = (Step *)*plan; /* base is its first member */
	Call *call = &step->call;
	const char *key = step->base.entry->key;
	nnr_cuda_doing(key);
	dnn_use_stream(key);
	if (memcmp(call->tensor, tensor, sizeof tensor) || workspace_of(call) != call->workspace ||
	    call->version != call->choice->version) {
		memcpy(call->tensor, tensor, sizeof tensor);
		bind_call(call);
	}
	dnn_must(run_call(call), key);
}
