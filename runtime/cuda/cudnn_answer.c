/* SPDX-License-Identifier: MIT */
/* Engines and knobs: what the heuristics answer, what an engine's knobs may be, and a plan made of an answer. */
#include "runtime/cuda/cudnn_answer.h"

#include <stdio.h>
#include <string.h>

enum { HEURISTIC = 256 }; /* answers taken from one mode of the heuristic */

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

void answer_to_entry(const Answer *a, TuneEntry *e)
{
	char name[TUNE_NAME_BYTES];
	tune_add_setting(e, "form", a->form);
	tune_add_setting(e, "engine", a->engine);
	for (int i = 0; i < a->knob_count; i++) {
		knob_name(a->knobs[i].type, name);
		tune_add_setting(e, name, a->knobs[i].value);
	}
}

void answer_tried(const Answer *a, TuneEntry *e, double us)
{
	TuneEntry plan = {0};
	answer_to_entry(a, &plan);
	tune_tried(e, &plan, us);
}

bool answer_from_entry(const TuneEntry *e, Answer *a)
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

static Descriptor engine_of(Pool *p, const Graph *g, int64_t engine)
{
	Descriptor e = dnn_create(p, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
	bool fine = e && dnn_set_descriptor(e, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, g->graph) &&
	            dnn_set(e, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &engine) &&
	            dnn_finalize(e);
	return fine ? e : NULL;
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

bool answers_equal(const Answer *a, const Answer *b)
{
	return a->form == b->form && a->engine == b->engine && a->knob_count == b->knob_count &&
	       !memcmp(a->knobs, b->knobs, (size_t)a->knob_count * sizeof *a->knobs);
}

bool plan_of(Plan *out, const Graph *g, const Answer *a, cudnnDataType_t type)
{
	*out = (Plan){0};
	Pool *p = &out->pool;
	Descriptor knobs[KNOBS];
	Descriptor engine = engine_of(p, g, a->engine);
	Descriptor configuration = dnn_create(p, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
	out->plan = dnn_create(p, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
	bool fine = engine && configuration && out->plan && engine_is_wanted(engine, type);
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

int answers_of_heuristic(const Graph *g, int number, Form form, cudnnDataType_t type, Answer *answers,
                         int count, int room)
{
	static const cudnnBackendHeurMode_t modes[HEURISTIC_MODES] = {
	        CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_INSTANT, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK};
	const cudnnBackendHeurMode_t mode = modes[number];
	Pool pool = {0};
	Descriptor heuristic = dnn_create(&pool, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
	bool fine = heuristic &&
	            dnn_set_descriptor(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, g->graph) &&
	            dnn_set(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode) &&
	            dnn_finalize(heuristic);
	int64_t there = fine ? dnn_get(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS,
	                               CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, NULL)
	                     : 0;
	there = there < HEURISTIC ? there : HEURISTIC;
	Descriptor configurations[HEURISTIC];
	int64_t made = 0;
	while (made < there &&
	       dnn_ok(dnn.BackendCreateDescriptor(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, &configurations[made]),
	              "cudnnBackendCreateDescriptor"))
		made++;
	int64_t got = made ? dnn_get(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
	                             made, configurations)
	                   : 0;
	for (int64_t i = 0; i < got && i < made && count < room; i++) {
		Answer *a = &answers[count];
		bool is_new = answer_of(configurations[i], form, type, a);
		for (int k = 0; k < count && is_new; k++)
			is_new = !answers_equal(&answers[k], a);
		count += is_new;
	}
	for (int64_t i = 0; i < made; i++)
		dnn_ok(dnn.BackendDestroyDescriptor(configurations[i]), "cudnnBackendDestroyDescriptor");
	dnn_release(&pool);
	return count;
}

/* ---- beyond the heuristics */

bool engine_is_compiled(const Graph *g, int64_t engine)
{
	enum { NOTES = 16 };
	Pool pool = {0};
	cudnnBackendBehaviorNote_t notes[NOTES];
	Descriptor e = engine_of(&pool, g, engine);
	int64_t count =
	        e ? dnn_get(e, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, NOTES, notes) : 0;
	bool compiled = false;
	for (int64_t i = 0; i < count && i < NOTES; i++)
		compiled = compiled || notes[i] == CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION;
	dnn_release(&pool);
	return compiled;
}

static bool range_of(Descriptor info, KnobRange *r)
{
	cudnnBackendKnobType_t type;
	bool fine = dnn_get(info, CUDNN_ATTR_KNOB_INFO_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type) == 1 &&
	            dnn_get(info, CUDNN_ATTR_KNOB_INFO_MINIMUM_VALUE, CUDNN_TYPE_INT64, 1, &r->low) == 1 &&
	            dnn_get(info, CUDNN_ATTR_KNOB_INFO_MAXIMUM_VALUE, CUDNN_TYPE_INT64, 1, &r->high) == 1 &&
	            dnn_get(info, CUDNN_ATTR_KNOB_INFO_STRIDE, CUDNN_TYPE_INT64, 1, &r->step) == 1;
	if (fine)
		r->type = type;
	return fine && r->step > 0 && r->high >= r->low;
}

int knob_ranges(const Graph *g, int64_t engine, KnobRange out[KNOBS])
{
	Pool pool = {0};
	Descriptor infos[KNOBS];
	Descriptor e = engine_of(&pool, g, engine);
	bool fine = e;
	for (int i = 0; i < KNOBS && fine; i++)
		fine = (infos[i] = dnn_create(&pool, CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR));
	int64_t there =
	        fine ? dnn_get(e, CUDNN_ATTR_ENGINE_KNOB_INFO, CUDNN_TYPE_BACKEND_DESCRIPTOR, KNOBS, infos)
	             : 0;
	int count = 0;
	for (int64_t i = 0; i < there && i < KNOBS; i++)
		count += range_of(infos[i], &out[count]);
	dnn_release(&pool);
	return count;
}
