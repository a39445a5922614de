/* Convolutions through the backend (graph) API of cuDNN 9, which is a C API of untyped descriptors: create, set
 * attributes, finalize.
 *
 * Tensors -> operation -> operation graph is the question; an engine with values for its knobs is an answer, and a
 * finalized execution plan an answer that works. The heuristics (modes A, B and FALLBACK) rank answers. We time all of
 * them, and keep engine and knobs in the tune record, from which the next start builds the plan without heuristics.
 *
 * cuDNN calls dimensions N,C,H,W (and K,C,R,S) in this order whatever the layout; ours is in the strides: channels
 * last. It tells groups from the channels of x and w.
 *
 * A weight gradient is f32 also where x and dy are bf16 or f16. Not every cuDNN has an engine that writes it so; hence
 * three forms of that operation, whose plans compete:
 *   direct  wgrad with an f32 result
 *   cast    wgrad with a result of the inputs' type into the workspace, then a conversion (widen.c): rounds once
 *           more, as the peers do
 *   fused   wgrad, then an identity that converts, in one graph; the result in between exists in registers only */
#include "runtime/core/progress.h"
#include "runtime/cuda/cudnn_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers: engines, knobs, plans */

enum { KNOBS = 24, CANDIDATES = 256 };
/* Of tuning one operation: engines that are compiled when they are finalized take about a second each. */
static const double LONGEST_SECONDS = 4;

/* The settings of the tune record are named after CUDNN_KNOB_TYPE_*; the others are "knob" and their number. */
static const char *const knob_names[] = {
        [CUDNN_KNOB_TYPE_SWIZZLE] = "swizzle",
        [CUDNN_KNOB_TYPE_TILE_SIZE] = "tile_size",
        [CUDNN_KNOB_TYPE_EDGE] = "edge",
        [CUDNN_KNOB_TYPE_MULTIPLY] = "multiply",
        [CUDNN_KNOB_TYPE_SPLIT_K_BUF] = "split_k_buf",
        [CUDNN_KNOB_TYPE_TILEK] = "tilek",
        [CUDNN_KNOB_TYPE_STAGES] = "stages",
        [CUDNN_KNOB_TYPE_REDUCTION_MODE] = "reduction_mode",
        [CUDNN_KNOB_TYPE_SPLIT_K_SLC] = "split_k_slc",
        [CUDNN_KNOB_TYPE_IDX_MODE] = "idx_mode",
        [CUDNN_KNOB_TYPE_SPECFILT] = "specfilt",
        [CUDNN_KNOB_TYPE_KERNEL_CFG] = "kernel_cfg",
        [CUDNN_KNOB_TYPE_WORKSPACE] = "workspace",
        [CUDNN_KNOB_TYPE_TILE_CGA_M] = "tile_cga_m",
        [CUDNN_KNOB_TYPE_TILE_CGA_N] = "tile_cga_n",
        [CUDNN_KNOB_TYPE_BLOCK_SIZE] = "block_size",
        [CUDNN_KNOB_TYPE_OCCUPANCY] = "occupancy",
        [CUDNN_KNOB_TYPE_LOAD_SIZE] = "load_size",
        [CUDNN_KNOB_TYPE_CTA_COUNT] = "cta_count",
        [CUDNN_KNOB_TYPE_STREAM_K] = "stream_k",
        [CUDNN_KNOB_TYPE_SPLIT_P_SLC] = "split_p_slc",
        [CUDNN_KNOB_TYPE_TILE_M] = "tile_m",
        [CUDNN_KNOB_TYPE_TILE_N] = "tile_n",
        [CUDNN_KNOB_TYPE_WARP_SPEC_CFG] = "warp_spec_cfg",
        [CUDNN_KNOB_TYPE_SWAP_AB] = "swap_ab",
};
enum { KNOB_NAMES = sizeof knob_names / sizeof *knob_names };

typedef struct Answer {
	Form form;
	int64_t engine;
	int knob_count;
	struct Knob {
		int64_t type, value;
	} knobs[KNOBS];
} Answer;

/* A plan that works, with what it stands on: cuDNN does not promise that a plan outlives its graph. */
typedef struct Plan {
	Pool pool;
	Descriptor plan;
	int64_t workspace;
} Plan;

static void knob_name(int64_t type, char out[TUNE_NAME_BYTES])
{
	if (type >= 0 && type < KNOB_NAMES && knob_names[type])
		snprintf(out, TUNE_NAME_BYTES, "%s", knob_names[type]);
	else
		snprintf(out, TUNE_NAME_BYTES, "knob%lld", (long long)type);
}

static bool knob_type(const char *name, int64_t *type)
{
	for (int i = 0; i < KNOB_NAMES; i++)
		if (knob_names[i] && !strcmp(name, knob_names[i])) {
			*type = i;
			return true;
		}
	char rest;
	int number;
	bool numbered = sscanf(name, "knob%6d%c", &number, &rest) == 1;
	*type = numbered ? number : 0;
	return numbered;
}

static void answer_to_entry(const Answer *a, TuneEntry *e)
{
	char name[TUNE_NAME_BYTES];
	tune_add_setting(e, "form", a->form);
	tune_add_setting(e, "engine", a->engine);
	for (int i = 0; i < a->knob_count; i++) {
		knob_name(a->knobs[i].type, name);
		tune_add_setting(e, name, a->knobs[i].value);
	}
}

static bool answer_from_entry(const TuneEntry *e, Answer *a)
{
	int64_t form = tune_setting(e, "form", -1);
	*a = (Answer){.engine = tune_setting(e, "engine", -1)};
	if (form < 0 || form >= FORMS || a->engine < 0)
		return false;
	a->form = (Form)form;
	for (int i = 0; i < e->setting_count; i++) {
		const TuneSetting *s = &e->settings[i];
		if (!strcmp(s->name, "form") || !strcmp(s->name, "engine"))
			continue;
		if (a->knob_count == KNOBS || !knob_type(s->name, &a->knobs[a->knob_count].type))
			return false;
		a->knobs[a->knob_count++].value = s->value;
	}
	return true;
}

/* Numerics that the model does not want. */
static bool engine_is_wanted(Descriptor engine, cudnnDataType_t type)
{
	cudnnBackendNumericalNote_t notes[64];
	int64_t count =
	        dnn_get(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, 64, notes);
	bool exact = type == CUDNN_DATA_FLOAT && !plan_allows_tf32();
	for (int64_t i = 0; i < count && i < 64; i++) {
		switch (notes[i]) {
		case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
		case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
			if (exact)
				return false;
			break;
		case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
			if (nnr_cuda_deterministic())
				return false;
			break;
		case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION: /* sums in f16 */
		case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:           /* errors well above tf32's */
		case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
		case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13:
			return false;
		default:
			break;
		}
	}
	return true;
}

/* What a configuration of the heuristic consists of; false when it can't be read or is not wanted. */
static bool answer_of(Descriptor configuration, Form form, cudnnDataType_t type, Answer *a)
{
	Pool pool = {0};
	*a = (Answer){.form = form};
	Descriptor engine = dnn_create(&pool, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
	bool fine = engine &&
	            dnn_get(configuration, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
	                    &engine) == 1 &&
	            dnn_get(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &a->engine) == 1 &&
	            engine_is_wanted(engine, type);
	Descriptor knobs[KNOBS];
	for (int i = 0; i < KNOBS && fine; i++)
		fine = (knobs[i] = dnn_create(&pool, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR));
	int64_t count = 0;
	if (fine)
		count = dnn_get(configuration, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
		                CUDNN_TYPE_BACKEND_DESCRIPTOR, KNOBS, knobs);
	fine = fine && count <= KNOBS;
	for (int i = 0; i < count && fine; i++) {
		cudnnBackendKnobType_t knob;
		struct Knob *k = &a->knobs[a->knob_count++];
		fine = dnn_get(knobs[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &knob) ==
		               1 &&
		       dnn_get(knobs[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1, &k->value) ==
		               1;
		k->type = knob;
	}
	dnn_release(&pool);
	return fine;
}

static bool same_answer(const Answer *a, const Answer *b)
{
	return a->form == b->form && a->engine == b->engine && a->knob_count == b->knob_count &&
	       !memcmp(a->knobs, b->knobs, (size_t)a->knob_count * sizeof *a->knobs);
}

static bool plan_of(Plan *out, const Graph *g, const Answer *a, cudnnDataType_t type)
{
	*out = (Plan){0};
	Pool *p = &out->pool;
	Descriptor knobs[KNOBS];
	Descriptor engine = dnn_create(p, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
	Descriptor configuration = dnn_create(p, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
	out->plan = dnn_create(p, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
	bool fine = engine && configuration && out->plan &&
	            dnn_set_descriptor(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, g->graph) &&
	            dnn_set(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &a->engine) &&
	            dnn_finalize(engine) && engine_is_wanted(engine, type);
	for (int i = 0; i < a->knob_count && fine; i++) {
		cudnnBackendKnobType_t knob = (cudnnBackendKnobType_t)a->knobs[i].type;
		knobs[i] = dnn_create(p, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
		fine = knobs[i] &&
		       dnn_set(knobs[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &knob) &&
		       dnn_set(knobs[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1,
		               &a->knobs[i].value) &&
		       dnn_finalize(knobs[i]);
	}
	fine = fine && dnn_set_descriptor(configuration, CUDNN_ATTR_ENGINECFG_ENGINE, engine) &&
	       (a->knob_count == 0 || dnn_set(configuration, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
	                                      CUDNN_TYPE_BACKEND_DESCRIPTOR, a->knob_count, knobs)) &&
	       dnn_finalize(configuration) && dnn_set_handle(out->plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE) &&
	       dnn_set_descriptor(out->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration) &&
	       dnn_finalize(out->plan) &&
	       dnn_get(out->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
	               &out->workspace) == 1;
	if (!fine)
		dnn_release(p);
	return fine;
}

/* Appends what one heuristic mode answers and is not there yet; the new count. */
static int ask(const Graph *g, cudnnBackendHeurMode_t mode, Form form, cudnnDataType_t type, Answer *answers,
               int count)
{
	Pool pool = {0};
	Descriptor heuristic = dnn_create(&pool, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
	bool fine = heuristic &&
	            dnn_set_descriptor(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, g->graph) &&
	            dnn_set(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode) &&
	            dnn_finalize(heuristic);
	int64_t there = fine ? dnn_get(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS,
	                               CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, NULL)
	                     : 0;
	there = there < CANDIDATES ? there : CANDIDATES;
	Descriptor configurations[CANDIDATES];
	int64_t made = 0;
	while (made < there &&
	       dnn_ok(dnn.BackendCreateDescriptor(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, &configurations[made]),
	              "cudnnBackendCreateDescriptor"))
		made++;
	int64_t got = made ? dnn_get(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
	                             made, configurations)
	                   : 0;
	for (int64_t i = 0; i < got && i < made && count < CANDIDATES; i++) {
		Answer *a = &answers[count];
		bool is_new = answer_of(configurations[i], form, type, a);
		for (int k = 0; k < count && is_new; k++)
			is_new = !same_answer(&answers[k], a);
		count += is_new;
	}
	for (int64_t i = 0; i < made; i++)
		dnn_ok(dnn.BackendDestroyDescriptor(configurations[i]), "cudnnBackendDestroyDescriptor");
	dnn_release(&pool);
	return count;
}

static int ask_all(const Graph *g, Form form, cudnnDataType_t type, Answer *answers, int count)
{
	static const cudnnBackendHeurMode_t modes[] = {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_INSTANT,
	                                               CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK};
	for (size_t i = 0; i < sizeof modes / sizeof *modes && g->graph; i++)
		count = ask(g, modes[i], form, type, answers, count);
	return count;
}

/* ---- the choice: one per operation and shape */

typedef struct Choice {
	struct Choice *next;
	TuneEntry entry;
	Form form;
	Graph graph[FORMS];
	Plan plan;
	NnrDType dtype;
	int64_t weights;       /* elements of w */
	int64_t between_bytes; /* CAST: the narrow weight gradient, at the front of the workspace */
	int64_t workspace;     /* all of it */
} Choice;

/* A choice bound to the buffers of a step. */
typedef struct Call {
	const Choice *choice;
	const void *x, *w, *y;
	void *workspace;
	Pool packs;
	Descriptor pack;
} Call;

static bool prepare(Choice *c, const Question *q, Form form)
{
	if (!c->graph[form].graph)
		c->graph[form] = conv_graph(q, form);
	return c->graph[form].graph;
}

/* Makes the answer c's plan; false when it does not work here, or needs too much workspace. */
static bool install(Choice *c, const Question *q, const Answer *a)
{
	c->form = a->form;
	if (!plan_of(&c->plan, &c->graph[a->form], a, q->type))
		return false;
	c->between_bytes = a->form == CAST ? (2 * c->weights + 255) / 256 * 256 : 0;
	c->workspace = c->between_bytes + c->plan.workspace;
	if (c->workspace <= plan_workspace_cap())
		return true;
	dnn_release(&c->plan.pool);
	return false;
}

static Descriptor variant_pack(Pool *p, void *const pointers[3], void *workspace)
{
	static const int64_t uids[3] = {UID_X, UID_W, UID_Y};
	Descriptor d = dnn_create(p, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
	bool fine = d && dnn_set(d, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 3, uids) &&
	            dnn_set(d, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 3, pointers) &&
	            dnn_set(d, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace) &&
	            dnn_finalize(d);
	return fine ? d : NULL;
}

/* cuDNN takes the addresses of what it only reads without const, too. */
static void *address(const void *p)
{
	return (void *)(uintptr_t)p;
}

static void bind_call(Call *call)
{
	const Choice *c = call->choice;
	dnn_release(&call->packs);
	call->workspace = c->workspace ? nnr_cuda_workspace(c->workspace) : NULL;
	char *workspace = call->workspace;
	const void *w = c->form == CAST ? workspace : call->w;
	call->pack = variant_pack(&call->packs, (void *[]){address(call->x), address(w), address(call->y)},
	                          workspace ? workspace + c->between_bytes : NULL);
	dnn_must(call->pack, c->entry.key);
}

static bool run_call(void *context)
{
	const Call *call = context;
	const Choice *c = call->choice;
	if (!dnn_ok(dnn.BackendExecute(dnn.handle, c->plan.plan, call->pack), "cudnnBackendExecute"))
		return false;
	if (c->form == CAST)
		plan_widen(c->dtype, call->workspace, call->w, c->weights);
	return true;
}

static bool restore(Choice *c, const Question *q)
{
	const TuneEntry *entry = tune_lookup(TUNE_CUDNN, q->key);
	Answer a;
	if (!entry)
		return false;
	if (!answer_from_entry(entry, &a) || !prepare(c, q, a.form) || !install(c, q, &a)) {
		say_note("the plan in the tune record for `%s` does not work here: tuning it again", q->key);
		return false;
	}
	c->entry = *entry;
	return true;
}

/* Makes the fastest answer c's plan, or with tuning off the first that works. x, w and y: one of them is written. */
static void tune(Choice *c, const Question *q, const void *x, const void *w, const void *y)
{
	Answer *answers = allocate(CANDIDATES, sizeof *answers, "cuDNN's plans");
	int count = 0, best = -1;
	int forms = q->kind == WGRAD && q->type != CUDNN_DATA_FLOAT ? FORMS : 1;
	for (Form form = DIRECT; (int)form < forms; form++)
		if (prepare(c, q, form))
			count = ask_all(&c->graph[form], form, q->type, answers, count);
	TuneEntry *e = &c->entry;
	double best_us = INFINITY, second_us = INFINITY, until = clock_seconds() + LONGEST_SECONDS;
	for (int i = 0; i < count && (best < 0 || clock_seconds() < until); i++) {
		if (!install(c, q, &answers[i]))
			continue;
		if (tune_is_off()) {
			best = i;
			dnn_release(&c->plan.pool);
			break;
		}
		plan_progress(q->key, i, count);
		Call call = {.choice = c, .x = x, .w = w, .y = y};
		bind_call(&call);
		double us = plan_time(run_call, &call, best_us);
		dnn_release(&call.packs);
		dnn_release(&c->plan.pool);
		if (!isfinite(us))
			continue;
		if (!e->candidates++)
			e->first_us = us;
		second_us = fmin(second_us, fmax(us, best_us));
		best = us < best_us ? i : best;
		best_us = fmin(us, best_us);
	}
	if (best < 0) {
		char *help = text_printf("a larger workspace may help: NNR_WORKSPACE_MIB is %lld",
		                         (long long)(plan_workspace_cap() >> 20));
		die_help(STATUS_DEVICE, help, "cuDNN has no plan for `%s`: none of %d works (%s)", q->key,
		         count, dnn_failure());
	}
	dnn_must(install(c, q, &answers[best]), q->key);
	answer_to_entry(&answers[best], e);
	e->workspace = c->workspace;
	free(answers);
	if (tune_is_off())
		return;
	e->us = best_us;
	e->runner_up_us = isfinite(second_us) ? second_us : 0;
	tune_keep(e);
}

static const Choice *choose(const Question *q, const void *x, const void *w, const void *y)
{
	static Choice *choices;
	for (Choice *c = choices; c; c = c->next)
		if (!strcmp(c->entry.key, q->key))
			return c;
	plan_check_not_capturing(q->key);
	Choice *c = allocate(1, sizeof *c, "a plan");
	const NnrConvShape *s = q->shape;
	c->dtype = q->dtype;
	c->weights = s->filters * (s->channels / s->groups) * s->size[0] * s->size[1];
	if (!restore(c, q)) {
		c->entry = (TuneEntry){.library = TUNE_CUDNN};
		memcpy(c->entry.key, q->key, sizeof q->key);
		tune(c, q, x, w, y);
	}
	for (int form = 0; form < FORMS; form++)
		if (form != (int)c->form)
			dnn_release(&c->graph[form].pool);
	c->next = choices;
	choices = c;
	return c;
}

/* ---- steps */

typedef struct Step {
	NnrPlan base;
	Call call;
} Step;

static void write_key(Question *q, NnrDType dtype)
{
	const NnrConvShape *s = q->shape;
	static const char *const kinds[] = {[FPROP] = "fprop", [DGRAD] = "dgrad", [WGRAD] = "wgrad"};
	char alignment[32] = "";
	if (q->alignment < 16)
		snprintf(alignment, sizeof alignment, " align %d", (int)q->alignment);
	long long v[] = {s->batch,   s->in[0],       s->in[1],       s->channels, s->filters, s->size[0],
	                 s->size[1], s->stride[0],   s->stride[1],   s->pad[0],   s->pad[1],  s->pad[2],
	                 s->pad[3],  s->dilation[0], s->dilation[1], s->groups};
	int n = snprintf(
	        q->key, sizeof q->key,
	        "%s %s x %lldx%lldx%lldx%lld w %lldx%lldx%lld stride %lld,%lld pad %lld,%lld,%lld,%lld "
	        "dilation %lld,%lld groups %lld%s%s",
	        kinds[q->kind], plan_arithmetic_name(dtype), v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7],
	        v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15], alignment,
	        nnr_cuda_deterministic() ? " deterministic" : "");
	require(n > 0 && n < (int)sizeof q->key);
}

static Step *step_new(Kind kind, const NnrConvShape *s, NnrDType dtype, const void *x, const void *w,
                      const void *y)
{
	dnn_load();
	Question q = {.kind = kind,
	              .shape = s,
	              .type = dnn_data_type(dtype),
	              .dtype = dtype,
	              .alignment = plan_alignment(x, w, y)};
	write_key(&q, dtype);
	dnn_use_stream(q.key);
	Step *step = allocate(1, sizeof *step, "a plan");
	step->call.choice = choose(&q, x, w, y);
	step->base.entry = &step->call.choice->entry;
	return step;
}

static void convolve(NnrPlan **plan, Kind kind, const NnrConvShape *s, NnrDType dtype, const void *x,
                     const void *w, const void *y)
{
	if (!*plan)
		*plan = &step_new(kind, s, dtype, x, w, y)->base;
	Step *step = (Step *)*plan; /* base is its first member */
	Call *call = &step->call;
	const char *key = step->base.entry->key;
	nnr_cuda_doing(key);
	dnn_use_stream(key);
	int64_t bytes = call->choice->workspace;
	void *workspace = bytes ? nnr_cuda_workspace(bytes) : NULL;
	if (!call->pack || x != call->x || w != call->w || y != call->y || workspace != call->workspace) {
		call->x = x;
		call->w = w;
		call->y = y;
		bind_call(call);
	}
	dnn_must(run_call(call), key);
}

void nnr_cudnn_conv_fprop(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x, const void *w,
                          void *y)
{
	convolve(plan, FPROP, s, dtype, x, w, y);
}

void nnr_cudnn_conv_dgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *dy,
                          const void *w, void *dx)
{
	convolve(plan, DGRAD, s, dtype, dx, w, dy);
}

void nnr_cudnn_conv_wgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x,
                          const void *dy, void *dw)
{
	convolve(plan, WGRAD, s, dtype, x, dw, dy);
}
