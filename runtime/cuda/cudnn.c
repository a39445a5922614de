/* SPDX-License-Identifier: MIT */
/* Convolutions through the backend (graph) API of cuDNN 9, which is a C API of untyped descriptors: create, set
 * attributes, finalize.
 *
 * Tensors -> operation -> operation graph is the question (cudnn_graph.c); an engine with values for its knobs is an
 * answer, and a finalized execution plan an answer that works (cudnn_answer.c). They are timed (cudnn_search.c), and
 * engine and knobs of the fastest kept in the tune record, from which the next start builds the plan without
 * heuristics.
 *
 * cuDNN calls dimensions N,C,H,W (and K,C,R,S) in this order whatever the layout; ours is in the strides: channels
 * last. It tells groups from the channels of x and w.
 *
 * The same result can be asked for in several forms, whose plans compete:
 *   direct   the convolution; where the compiler found taps that never meet the image (NnrConvShape.live), with the
 *            window of the others, a strided part of w, where that is aligned; cuDNN up to 9.14 has no engine for it.
 *            A weight gradient is zeroed first, for the taps left out
 *   whole    with the whole window, where direct has a smaller one
 *   product  a 1x1 window is a matrix product over all pixels: by cuBLASLt, tuned there
 * With an epilogue (cudnn_epilogue.c) direct and whole are of the convolution and the operations after it, and
 * there is
 *   plain    the convolution by itself, with the plan found for it alone, and the generated kernel after it. It is
 *            what runs where cuDNN offers nothing else; what it computes is what the others are compared with
 * A weight gradient is f32 also where x and dy are bf16 or f16. Not every cuDNN has an engine that writes it so; hence
 *   cast     wgrad with a result of the inputs' type into the workspace, then a conversion (widen.c): rounds once
 *            more, as the peers do
 *   fused    wgrad, then an identity that converts, in one graph; the result in between exists in registers only */
#include "runtime/cuda/cudnn_ahead.h"
#include "runtime/cuda/cudnn_copies.h"
#include "runtime/cuda/cudnn_epilogue.h"
#include "runtime/cuda/cudnn_search.h"
#include "runtime/cuda/plan_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the choice: one per operation and shape */

typedef struct Choice {
	PlanChoice base;
	int version; /* counts the plans that it had: a bound call is of one of them */
	Form form;
	Graph graph[FORMS];
	Plan plan;
	Kind kind;
	NnrDType dtype;
	NnrConvShape shape;
	NnrProductShape product; /* PRODUCT */
	NnrPlan *inner;          /* PRODUCT: cuBLASLt's; PLAIN: of the convolution alone */
	int64_t live_offset;     /* bytes of w before what the plan reads or writes */
	int64_t clear_bytes;     /* of the result, zeroed first: the plan does not write all of it */
	int64_t between_bytes;   /* CAST: the narrow weight gradient, at the front of its workspace */
	int64_t workspace;       /* all of it */
} Choice;

/* A choice bound to the buffers of a step. */
typedef struct Call {
	const Choice *choice;
	const NnrEpilogue *epilogue;
	const void *tensor[TENSORS]; /* NULL: there is none */
	const void *given[TENSORS];  /* to cuDNN: some of them copies */
	Copies copies;
	char *workspace, *own; /* the copies, and after them what the choice wants: own */
	int64_t workspace_bytes;
	int version; /* of the choice */
	Pool packs;
	Descriptor pack;
} Call;

/* Whether it is another choice's plan that runs. */
static bool runs_inner(Form form)
{
	return form == PRODUCT || form == PLAIN;
}

/* Elements of each tensor. */
static void tensor_counts(const NnrConvShape *s, int64_t count[TENSORS])
{
	count[X] = s->batch * s->in[0] * s->in[1] * s->channels;
	count[W] = s->filters * s->size[0] * s->size[1] * (s->channels / s->groups);
	count[Y] = count[RESIDUAL] = s->batch * s->out[0] * s->out[1] * s->filters;
	count[BIAS] = s->filters;
}

/* Which of them is the result. */
static Role result_of(Kind kind)
{
	return kind == DGRAD ? X : kind == WGRAD ? W : Y;
}

static NnrDType type_of(Kind kind, NnrDType dtype, Role role)
{
	return role >= BIAS || (role == W && kind == WGRAD) ? NNR_F32 : dtype;
}

/* A window of one tap that meets every pixel, or the one pixel that there is a result for, is a product. */
static bool product_of(const Question *q, NnrProductShape *p)
{
	const NnrConvShape *s = &q->live;
	bool one_result = s->out[0] == 1 && s->out[1] == 1, inside = true;
	for (int i = 0; i < 4; i++)
		inside = inside && s->pad[i] == 0;
	if (s->groups != 1 || s->size[0] != 1 || s->size[1] != 1 || !inside ||
	    (!one_result && (s->stride[0] != 1 || s->stride[1] != 1)))
		return false;
	int64_t pixels = s->batch * s->out[0] * s->out[1], all = s->in[0] * s->in[1];
	int64_t ldx = one_result && all > 1 ? all * s->channels : 0;
	int64_t ldw = q->trimmed ? q->shape->size[0] * q->shape->size[1] * s->channels : 0;
	*p = q->kind == FPROP ? (NnrProductShape){.m = pixels, .n = s->filters, .k = s->channels, .tb = true}
	     : q->kind == DGRAD
	             ? (NnrProductShape){.m = pixels, .n = s->channels, .k = s->filters}
	             : (NnrProductShape){.m = s->filters, .n = s->channels, .k = pixels, .ta = true};
	p->batch = 1;
	p->wide = q->kind == WGRAD && q->dtype != NNR_F32;
	p->lda = q->kind == FPROP ? ldx : 0;
	p->ldb = q->kind == WGRAD ? ldx : ldw;
	p->ldy = q->kind == FPROP ? 0 : q->kind == DGRAD ? ldx : ldw;
	return true;
}

static bool prepare(Choice *c, const Question *q, Form form)
{
	if (form == PRODUCT)
		return !q->epilogue && product_of(q, &c->product);
	if (form == PLAIN)
		return q->epilogue;
	if (!c->graph[form].graph)
		c->graph[form] = conv_graph(q, form);
	return c->graph[form].graph;
}

/* Bytes of the result if the form leaves some of it unwritten. */
static int64_t bytes_to_clear(const Choice *c, const Question *q, Form form)
{
	int64_t count[TENSORS];
	Role result = result_of(q->kind);
	bool taps = q->kind == WGRAD && q->trimmed && (form == DIRECT || form == PRODUCT);
	bool pixels = q->kind == DGRAD && form == PRODUCT && c->product.ldy > 0;
	tensor_counts(q->shape, count);
	return taps || pixels ? count[result] * plan_element_bytes(type_of(q->kind, q->dtype, result)) : 0;
}

/* Makes a plan c's, of that form. */
static void adopt(Choice *c, const Question *q, Form form, const Plan *plan)
{
	c->form = form;
	c->plan = *plan;
	c->clear_bytes = bytes_to_clear(c, q, form);
	c->live_offset = q->trimmed && (form == DIRECT || form == PRODUCT) ? conv_live_bytes(q) : 0;
	c->between_bytes = conv_between_bytes(q, form);
	c->workspace = c->between_bytes + plan->workspace;
}

/* Makes the answer c's plan; false when it does not work here, or needs too much workspace. */
static bool install(Choice *c, const Question *q, const Answer *a)
{
	Plan plan = {0};
	if (!runs_inner(a->form) && !plan_of(&plan, &c->graph[a->form], a, q->type))
		return false;
	adopt(c, q, a->form, &plan);
	if (c->workspace <= plan_workspace_cap())
		return true;
	dnn_release(&c->plan.pool);
	return false;
}

static Descriptor variant_pack(Pool *p, const void *const tensor[TENSORS], void *workspace)
{
	static const int64_t ids[TENSORS] = {UID_X, UID_W, UID_Y, UID_RESIDUAL, UID_BIAS};
	int64_t uids[TENSORS];
	const void *pointers[TENSORS];
	int count = 0;
	for (Role i = 0; i < TENSORS; i++)
		if (tensor[i] && ids[i]) {
			uids[count] = ids[i];
			pointers[count++] = tensor[i];
		}
	return dnn_pack(p, count, uids, pointers, workspace);
}

/* The libraries take the addresses of what they only read without const, too. */
static void *address(const void *p, int64_t offset)
{
	return (char *)(uintptr_t)p + offset;
}

static void *workspace_of(const Call *call)
{
	return call->workspace_bytes ? nnr_cuda_workspace(call->workspace_bytes) : NULL;
}

static void bind_call(Call *call)
{
	const Choice *c = call->choice;
	int64_t bytes[TENSORS];
	bool results[TENSORS];
	tensor_counts(&c->shape, bytes);
	for (Role i = 0; i < TENSORS; i++) {
		bool other = runs_inner(c->form) || (c->form == CAST && i == W); /* cuDNN does not get it */
		bytes[i] *= other ? 0 : plan_element_bytes(type_of(c->kind, c->dtype, i));
		results[i] = i == result_of(c->kind);
	}
	dnn_release(&call->packs);
	call->version = c->version;
	memcpy(call->given, call->tensor, sizeof call->given);
	int64_t copied = copies_bytes(call->given, bytes);
	call->workspace_bytes = copied + c->workspace;
	call->workspace = workspace_of(call);
	call->own = call->workspace ? call->workspace + copied : NULL;
	copies_place(&call->copies, call->workspace, call->given, bytes, results);
	if (runs_inner(c->form))
		return;
	const void *given[TENSORS];
	memcpy(given, call->given, sizeof given);
	given[W] = c->form == CAST ? call->own : address(given[W], c->live_offset);
	call->pack = variant_pack(&call->packs, given, call->own ? call->own + c->between_bytes : NULL);
	dnn_must(call->pack, c->base.entry.key);
}

static bool run_product(const Call *call)
{
	const Choice *c = call->choice;
	const void *const *t = call->tensor;
	const void *w = address(t[W], c->live_offset);
	const void *a = c->kind == FPROP ? t[X] : t[Y];
	const void *b = c->kind == WGRAD ? t[X] : w;
	void *y = address(c->kind == WGRAD ? w : t[result_of(c->kind)], 0);
	return plan_product(&((Choice *)(uintptr_t)c)->inner, &c->product, c->dtype, a, b, y);
}

static bool run_plain(const Call *call)
{
	const Choice *c = call->choice;
	const void *const *t = call->tensor;
	nnr_cudnn_conv_fprop(&((Choice *)(uintptr_t)c)->inner, &c->shape, c->dtype, t[X], t[W],
	                     address(t[Y], 0));
	epilogue_launch(call->epilogue,
	                &(EpilogueTensors){.y = t[Y], .bias = t[BIAS], .residual = t[RESIDUAL]});
	return true;
}

static bool run_call(void *context)
{
	const Call *call = context;
	const Choice *c = call->choice;
	if (c->clear_bytes > 0) {
		const void *result = call->given[result_of(c->kind)];
		nnr_cuda_check(
		        cu.MemsetD8Async((CUdeviceptr)result, 0, (size_t)c->clear_bytes, nnr_cuda_stream()),
		        "cuMemsetD8Async");
	}
	if (runs_inner(c->form))
		return (c->form == PRODUCT ? run_product : run_plain)(call);
	copies_fetch(&call->copies);
	if (!dnn_ok(dnn.BackendExecute(dnn.handle, c->plan.plan, call->pack), "cudnnBackendExecute"))
		return false;
	copies_return(&call->copies);
	if (c->form == CAST) {
		int64_t count[TENSORS];
		tensor_counts(&c->shape, count);
		plan_widen(c->dtype, call->own, call->tensor[W], count[W]);
	}
	return true;
}

/* Where a plan for the answer was made ahead it is c's. */
static bool adopt_made(Choice *c, const Question *q, const Answer *a)
{
	Made made;
	if (!ahead_take(q->key, &made))
		return false;
	if (made.none)
		return false;
	if (!answers_equal(a, &made.answer)) {
		dnn_release(&made.plan.pool);
		dnn_release(&made.graph.pool);
		return false;
	}
	c->graph[a->form] = made.graph;
	adopt(c, q, a->form, &made.plan);
	return true;
}

static bool restore(Choice *c, const Question *q)
{
	const TuneEntry *entry = tune_lookup(TUNE_CUDNN, q->key);
	Answer a;
	if (!entry)
		return false;
	if (!answer_from_entry(entry, &a) ||
	    (!adopt_made(c, q, &a) && (!prepare(c, q, a.form) || !install(c, q, &a)))) {
		plan_say_left_out(q->key);
		return false;
	}
	c->base.entry = *entry;
	return true;
}

/* ---- tuning */

static const double WORTH_COMPILING_US = 60;

/* The fastest plan until now is kept: one that is compiled takes seconds each time it is made. */
typedef struct Tuning {
	Choice *choice;
	const Question *question;
	PlanTrials trials;
	bool keeps;
	Answer kept;
	Plan plan; /* of it */
} Tuning;

/* c has no plan afterwards. */
static void keep_plan(Tuning *t, const Answer *a)
{
	if (t->keeps)
		dnn_release(&t->plan.pool);
	t->keeps = true;
	t->kept = *a;
	t->plan = t->choice->plan;
	t->choice->plan = (Plan){0};
}

/* The kept plan where it is that answer's, else a new one. */
static bool install_kept(Tuning *t, const Answer *a)
{
	if (!t->keeps || !answers_equal(&t->kept, a))
		return install(t->choice, t->question, a);
	adopt(t->choice, t->question, a->form, &t->plan);
	t->keeps = false;
	return true;
}

static Call call_of_trial(const Choice *c, const Question *q, const PlanTrials *t)
{
	Call call = {.choice = c, .epilogue = q->epilogue};
	nnr_cuda_doing(c->base.entry.key); /* a fault while it runs is not of the call before */
	for (Role i = 0; i < TENSORS; i++)
		call.tensor[i] = t->tensor[i].at;
	bind_call(&call);
	return call;
}

static double time_answer(void *context, const Answer *a, double best_us)
{
	Tuning *t = context;
	Choice *c = t->choice;
	if (!install_kept(t, a))
		return INFINITY;
	Call call = call_of_trial(c, t->question, &t->trials);
	tuning_set_bar(best_us);
	if (runs_inner(a->form) && c->inner)
		tuning_met(c->inner->entry); /* or the others would be compared with an untuned plan */
	double us = plan_trial(&t->trials, run_call, &call, best_us);
	answer_tried(a, &c->base.entry, us);
	tuning_set_bar(INFINITY);
	dnn_release(&call.packs);
	if (us < best_us)
		keep_plan(t, a);
	else
		dnn_release(&c->plan.pool);
	return us;
}

/* 0 for an answer of which a plan can be made that runs, on the step's own tensors; it is kept. */
static double make_answer(void *context, const Answer *a, double best_us)
{
	Tuning *t = context;
	Choice *c = t->choice;
	if (!install_kept(t, a))
		return INFINITY;
	Call call = call_of_trial(c, t->question, &t->trials);
	bool works = run_call(&call);
	dnn_release(&call.packs);
	if (works)
		keep_plan(t, a);
	else
		dnn_release(&c->plan.pool);
	return works ? 0 : INFINITY;
}

/* The tensors of a step. */
static PlanTrials trials_of(const Question *q, const void *const tensor[TENSORS])
{
	PlanTrials t = {.passes_nan = epilogue_activates(q->epilogue)};
	int64_t count[TENSORS];
	tensor_counts(q->shape, count);
	for (Role i = 0; i < TENSORS; i++) {
		PlanUse use = i == result_of(q->kind) ? PLAN_RESULT : PLAN_READ;
		if (tensor[i])
			t.tensor[i] = (PlanTensor){
			        tensor[i], type_of(q->kind, q->dtype, i), 1, count[i], count[i], use};
	}
	return t;
}

/* The form that is not one plan of cuDNN's, or FORMS. */
static Form prepare_all(Choice *c, const Question *q)
{
	Form other = FORMS;
	for (Form form = 0; form < FORMS; form++)
		if (prepare(c, q, form) && form >= PRODUCT)
			other = form;
	return other;
}

/* The graphs of the forms that c does not have. */
static void release_others(Choice *c)
{
	for (Form form = 0; form < FORMS; form++) {
		if (form == c->form)
			continue;
		dnn_release(&c->graph[form].pool);
		c->graph[form] = (Graph){0};
	}
}

/* Makes what a search found c's plan. */
static void take_answer(Tuning *t, Search *s)
{
	Choice *c = t->choice;
	const Question *q = t->question;
	if (!isfinite(s->best_us) && q->epilogue) {
		s->best = (Answer){.form = PLAIN};
	} else if (!isfinite(s->best_us)) {
		char *help = text_printf("a larger workspace may help: NNR_WORKSPACE_MIB is %lld",
		                         (long long)(plan_workspace_cap() >> 20));
		die_help(STATUS_DEVICE, help, "cuDNN has no plan for `%s` that works (%s)", q->key,
		         dnn_failure());
	}
	dnn_must(install_kept(t, &s->best), q->key);
	if (t->keeps)
		dnn_release(&t->plan.pool);
	t->keeps = false;
	c->version++;
	release_others(c);
	c->base.entry.setting_count = 0;
	answer_to_entry(&s->best, &c->base.entry);
	c->base.entry.workspace = c->workspace;
}

/* What was made ahead is of the first answer that a plan can be made of; it is taken where that runs. True also where
 * none would be taken. */
static bool takes_made(Tuning *t, Search *s)
{
	Made made;
	s->best_us = INFINITY;
	if (!ahead_take(t->question->key, &made))
		return false;
	if (made.none)
		return true;
	s->best = made.answer;
	t->choice->graph[made.answer.form] = made.graph;
	t->choice->plan = made.plan;
	keep_plan(t, &made.answer);
	s->best_us = make_answer(t, &made.answer, INFINITY);
	return isfinite(s->best_us);
}

/* Makes the first answer that works c's plan. */
static void take_first(Choice *c, const Question *q, const void *const tensor[TENSORS])
{
	Tuning t = {.choice = c, .question = q, .trials = trials_of(q, tensor)};
	Search s = {.graphs = c->graph, .type = q->type, .key = q->key, .time = make_answer, .context = &t};
	if (!takes_made(&t, &s)) {
		s.other = prepare_all(c, q);
		search_first(&s);
	}
	c->base.entry.partial = tuning_is_wanted(NULL);
	take_answer(&t, &s);
}

/* A choice that waits for a search, with the tensors of its first step. */
typedef struct Waiting {
	Choice *choice;
	Question question;
	PlanTrials trials;
} Waiting;

static double time_choice(void *context)
{
	const Waiting *w = context;
	dnn_use_stream(w->question.key);
	Call call = call_of_trial(w->choice, &w->question, &w->trials);
	double us = plan_time(run_call, &call, 0);
	dnn_release(&call.packs);
	return us;
}

static bool search_choice(void *context, double until)
{
	const Waiting *w = context;
	Choice *c = w->choice;
	TuneEntry *e = &c->base.entry;
	const Question *q = &w->question;
	Answer known, alike;
	const TuneEntry *near = tune_alike(TUNE_CUDNN, q->key);
	Tuning t = {.choice = c, .question = q, .trials = w->trials};
	Search s = {.graphs = c->graph, .type = q->type, .key = q->key, .time = time_answer, .context = &t};
	s.until = until;
	s.compiles_from = WORTH_COMPILING_US;
	s.next = e->next;
	s.known = answer_from_entry(e, &known) ? &known : NULL;
	s.alike = near && answer_from_entry(near, &alike) ? &alike : NULL;
	if (!plan_trials_begin(&t.trials))
		return false;
	dnn_use_stream(q->key);
	const Plan had = c->plan;
	const Form form = c->form;
	s.other = prepare_all(c, q);
	if (q->epilogue) /* what the others are compared with */
		time_answer(&t, &(Answer){.form = PLAIN}, INFINITY);
	adopt(c, q, form, &had);
	if (s.known)
		keep_plan(&t, &known);
	else
		dnn_release(&c->plan.pool);
	search_fastest(&s);
	/* what PLAIN was timed with may yet become faster: then all is to be timed again */
	bool settled = plan_trials_end(&t.trials, q->key) && !(q->epilogue && c->inner->entry->partial);
	take_answer(&t, &s);
	search_to_entry(&s, settled, e);
	tune_keep(e);
	return true;
}

static void wait_for_search(Choice *c, const Question *q, const void *const tensor[TENSORS])
{
	Waiting *waiting = allocate(1, sizeof *waiting, "a plan");
	*waiting = (Waiting){c, *q, trials_of(q, tensor)};
	waiting->question.shape = &c->shape;
	tuning_add(&(TuneTask){&c->base.entry, &c->base.uses, time_choice, search_choice, waiting});
}

static Choice *choose(const Question *q, const void *const tensor[TENSORS])
{
	static PlanChoice *choices;
	PlanChoice *known = plan_choice_of(choices, q->key);
	if (known)
		return (Choice *)known; /* base is its first member */
	StartPart part = start_plan(q->key);
	Choice *c = allocate(1, sizeof *c, "a plan");
	c->kind = q->kind;
	c->dtype = q->dtype;
	c->shape = *q->shape;
	c->base.entry.library = TUNE_CUDNN;
	memcpy(c->base.entry.key, q->key, sizeof q->key);
	bool restored = restore(c, q);
	if (!restored)
		take_first(c, q, tensor);
	if (tuning_is_wanted(restored ? &c->base.entry : NULL))
		wait_for_search(c, q, tensor);
	c->base.next = choices;
	choices = &c->base;
	start_plan_made(part, restored);
	return c;
}

/* ---- steps */

typedef struct Step {
	NnrPlan base;
	Call call;
} Step;

static Step *step_new(Kind kind, const NnrConvShape *s, const NnrEpilogue *epilogue, NnrDType dtype,
                      const void *const tensor[TENSORS])
{
	dnn_load();
	Question q = conv_question(kind, s, epilogue, dtype, tensor);
	dnn_use_stream(q.key);
	Step *step = allocate(1, sizeof *step, "a plan");
	Choice *choice = choose(&q, tensor);
	plan_use(&choice->base);
	if (runs_inner(choice->form) && choice->inner)
		++*choice->inner->uses; /* it has one step for all of these */
	step->call.choice = choice;
	step->call.epilogue = epilogue;
	step->base = (NnrPlan){&choice->base.entry, q.alignment, &choice->base.uses};
	return step;
}

/* A record's plan by the convolution alone and a kernel needs that of the convolution. */
static void look_at(Kind kind, const NnrConvShape *s, const NnrEpilogue *epilogue, NnrDType dtype,
                    const void *const tensor[TENSORS])
{
	dnn_load();
	Question q = conv_question(kind, s, epilogue, dtype, tensor);
	const TuneEntry *entry = tune_lookup(TUNE_CUDNN, q.key);
	Answer known;
	if (!entry)
		ahead_note(&q, NULL);
	else if (!answer_from_entry(entry, &known))
		return; /* restore says so */
	else if (known.form == PLAIN && epilogue)
		look_at(kind, s, NULL, dtype, (const void *[TENSORS]){tensor[X], tensor[W], tensor[Y]});
	else if (!runs_inner(known.form))
		ahead_note(&q, &known);
}

static void convolve(NnrPlan **plan, Kind kind, const NnrConvShape *s, const NnrEpilogue *epilogue,
                     NnrDType dtype, const void *const tensor[TENSORS])
{
	if (nnr_cuda_looking()) {
		look_at(kind, s, epilogue, dtype, tensor);
		return;
	}
	if (!*plan || conv_alignment(tensor) < (*plan)->alignment)
		*plan = &step_new(kind, s, epilogue, dtype, tensor)->base;
	Step *step = (Step *)*plan; /* base is its first member */
	Call *call = &step->call;
	const char *key = step->base.entry->key;
	nnr_cuda_doing(key);
	dnn_use_stream(key);
	if (!call->pack || memcmp(call->tensor, tensor, sizeof call->tensor) ||
	    workspace_of(call) != call->workspace || call->version != call->choice->version) {
		memcpy(call->tensor, tensor, sizeof call->tensor);
		bind_call(call);
	}
	dnn_must(run_call(call), key);
}

void nnr_cudnn_conv_fprop(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x, const void *w,
                          void *y)
{
	convolve(plan, FPROP, s, NULL, dtype, (const void *[TENSORS]){x, w, y});
}

void nnr_cudnn_conv_epilogue(NnrPlan **plan, const NnrConvShape *s, const NnrEpilogue *e, NnrDType dtype,
                             const void *x, const void *w, const void *residual, const void *bias, void *y)
{
	convolve(plan, FPROP, s, e, dtype,
	         (const void *[TENSORS]){[X] = x, [W] = w, [Y] = y, [RESIDUAL] = residual, [BIAS] = bias});
}

void nnr_cudnn_conv_dgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *dy,
                          const void *w, void *dx)
{
	convolve(plan, DGRAD, s, NULL, dtype, (const void *[TENSORS]){dx, w, dy});
}

void nnr_cudnn_conv_wgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x,
                          const void *dy, void *dw)
{
	convolve(plan, WGRAD, s, NULL, dtype, (const void *[TENSORS]){x, dw, dy});
}
