/* SPDX-License-Identifier: MIT */
/* The generated C of a compiled model, from top to bottom: kernels, the training step, the programs of evaluation,
 * tables.
 *
 * Kernels are shared: two layers whose step has the same text call one function. A step is one call with a comment: its
 * .net lines, what it computes, the shape, FLOPs and bytes. Nothing depends on clock, host, folder or locale. */
#include "base/map.h"
#include "codegen/op_loops.h"
#include "base/writer.h"
#include "emit/compiled.h"
#include "ir/held.h"
#include "codegen/dialect.h"
#include "program/side_stream.h"
#include "program/chunk_rows.h"
#include "passes/implementation.h"
#include "emit/describe.h"
#include "emit/emit_calls.h"
#include "emit/emit_recurrence.h"
#include "codegen/expr.h"
#include "codegen/library.h"
#include "codegen/step.h"
#include "base/licences.h"
#include "base/version.h"

enum { TEXT_WIDTH = 110, FORMULA_MOST = 216 };

/* Headers of the runtime that the operators' own loops ask for, each once; which they are. */
static Map *write_headers(Emitter *e, Writer *w, bool kernels)
{
	Map *written = map_new(e->arena);
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++) {
		const Program *p = emitted_programs[i].of(e->compiled);
		for (int s = 0; p && s < p->step_count; s++) {
			const Node *root = p->steps[s].kind == STEP_OP ? p->steps[s].root : NULL;
			if (!root || (kernels && implementation_of(root) != &implementation_loops))
				continue;
			const OpLoops *loops = op_loops(root->op);
			const char *header = kernels ? loops->cuda_header : loops->header;
			if (!header || map_get(written, header))
				continue;
			map_set(written, header, e);
			write_line(w, "#include \"%s\"", header);
		}
	}
	return written;
}

void emit_mark(Emitter *e, const Program *p, const int *steps, int count)
{
	array_push(e->arena, &e->marks, (CallMark){steps, p == e->compiled->train ? count : 0});
}

/* ---- kernels */

void emit_function(Writer *w, const char *head, const char *body)
{
	write_braced(w, head, body);
	write_text(w, "\n");
}

const char *emit_unique_name(Emitter *e, const char *wanted)
{
	char *unique = arena_strdup(e->arena, wanted);
	int *last = map_get(e->numbers, wanted);
	if (!last) {
		last = NEW(e->arena, int);
		*last = 1;
		map_set(e->numbers, wanted, last);
	}
	while (map_get(e->names, unique))
		unique = arena_printf(e->arena, "%s_%d", wanted, ++*last);
	map_set(e->names, unique, e);
	return unique;
}

/* The comment above a function: what it computes, where that stands in the .net file, what it costs, and of a kernel
 * what bounds it. */
static void note_purpose(Arena *a, CFunction *f, const Program *p, const Step *s, const Tensors *t,
                         const char *bound)
{
	f->comment = wrapped_text(a, step_formula(a, p, s, t, FORMULA_MOST), TEXT_WIDTH, " *   ");
	f->places = comment_text(a, sites_text(a, s->sites, 8));
	f->measures =
	        arena_printf(a, "%s%s%s", step_measures(a, s), bound ? "  bound: " : "", bound ? bound : "");
}

/* The kernel, which goes to kernels.cu. */
static CFunction *add_kernel(Emitter *e, Arena *a, const Program *p, const Step *s, const StepFunction *f)
{
	const char *cluster =
	        f->launch.cluster > 0 ? arena_printf(a, " __cluster_dims__(%d)", f->launch.cluster) : "";
	const CudaLaunch *l = &f->launch;
	const char *bounds = l->warpgroups.blocks > 0 ? "NNR_WARPGROUP_BOUNDS"
	                     : l->per_multiprocessor > 0
	                             ? arena_printf(a, "%d, %d", l->threads, l->per_multiprocessor)
	                             : arena_printf(a, "%d", l->threads);
	const CFunction wanted = {.label = f->label,
	                          .params = f->device_params,
	                          .head = arena_printf(a,
	                                               "extern \"C\" __global__ void __launch_bounds__(%s)%s",
	                                               bounds, cluster),
	                          .apart = f->apart,
	                          .any_size = f->launch.any_size,
	                          .branch = s->branch,
	                          .counters = f->launch.counters};
	CFunction *k = families_add(e->kernel_families, a, &wanted, f->code, NULL);
	if (!k->name) {
		k->name = emit_unique_name(e, f->stem);
		note_purpose(e->arena, k, p, s, &f->tensors,
		             step_bound(a, s, f->launch.tensor_cores, target_device(e->target)));
	}
	return k;
}

/* The function launches the kernel as an object, which `code` declares. */
static void add_launch(Arena *a, CFunction *f, Code *code, const char *as, const CFunction *kernel,
                       const CudaLaunch *l)
{
	const char *shared = l->shared_bytes > 0
	                             ? arena_printf(a, ", .shared_bytes = %lld", (long long)l->shared_bytes)
	                             : "";
	const WarpgroupLaunch *w = &l->warpgroups;
	const char *groups = w->blocks > 0 ? arena_printf(a, ", .warpgroups = {%lld, %lld}",
	                                                  (long long)w->blocks, (long long)w->shared_bytes)
	                                   : "";
	const char *how = arena_printf(a, ".blocks = %lld, .threads = %d%s%s%s", (long long)l->blocks,
	                               l->threads, shared, l->together ? ", .together = true" : "", groups);
	array_push(a, &f->launches, (CLaunch){as, kernel, how});
	code_parts(code, CODE_OBJECT, "NnrKernel" CODE_PART "%s", as);
}

/* What is left of a kernel for the host. */
static void write_launch(Arena *a, Code *code, const StepFunction *f)
{
	const char *arguments = "";
	for (int i = 0; i < f->tensors.count; i++)
		arguments = arena_listed(a, arguments, "&%s", f->tensors.at[i].name);
	if (f->tensors.scalars)
		arguments = arena_listed(a, arguments, "&s");
	for (int i = 0; i < f->tensors.stream_count; i++)
		arguments = arena_listed(a, arguments, "&%s", stream_name(a, i));
	if (f->launcher) {
		code_take(code, f->launcher_needs);
		code_do(code, "%s(&plan, &shape, &kernel, (void *[]){%s})", f->launcher, arguments);
	} else {
		code_do(code, "nnr_launch(&kernel, (void *[]){%s})", arguments);
	}
}

/* `f` and its texts are in `a`, which need not outlive the call. */
static CFunction *function_of(Emitter *e, Arena *a, const Program *p, const Step *s, const StepFunction *f)
{
	const bool kernel = f->launch.threads > 0;
	CFunction wanted = {.label = f->label, .params = f->params, .head = "static void"};
	Code *code = code_new(a);
	CFunction *following = NULL, *launched = NULL;
	if (f->after) {
		Step after = library_kernel_after(a, s);
		following = add_kernel(e, a, p, &after, f->after);
	}
	if (f->own)
		add_launch(e->arena, &wanted, code, "kernel", add_kernel(e, a, p, s, f->own),
		           &f->own->launch);
	if (f->after)
		add_launch(e->arena, &wanted, code, "after", following, &f->after->launch);
	if (kernel) {
		launched = add_kernel(e, a, p, s, f);
		add_launch(e->arena, &wanted, code, "kernel", launched, &f->launch);
		write_launch(a, code, f);
	} else {
		code_take(code, f->code);
	}
	CFunction *function = families_add(e->families, a, &wanted, code, NULL);
	if (!function->name && kernel) { /* other functions may launch it in other numbers of blocks */
		function->name = launched->launched ? emit_unique_name(e, launched->name) : launched->name;
		launched->launched = true;
	} else if (!function->name) {
		function->name = emit_unique_name(e, f->stem);
		note_purpose(e->arena, function, p, s, &f->tensors, NULL);
	}
	return function;
}

/* ---- steps */

const char *buffer_block(const Buffer *b)
{
	switch (buffer_root((Buffer *)b)->class) {
	case BUFFER_PARAMETER:
		return "params";
	case BUFFER_STATE:
		return "state";
	case BUFFER_INPUT:
		return "inputs";
	default:
		return "arena";
	}
}

/* Most of what a function's text is made of is needed no longer than until it is written. */
static StepCall call_of(Emitter *e, const Program *p, const Step *s)
{
	if (step_moves(s))
		return (StepCall){.waits = NO_NUMBER,
		                  .branch = NO_NUMBER,
		                  .bucket = NO_NUMBER,
		                  .bucket_waits = NO_NUMBER};
	Arena *scratch = arena_new();
	StepFunction f = step_function(scratch, p, s, e->target);
	StepCall call = {.function = function_of(e, scratch, p, s, &f),
	                 .arguments = NEW_ARRAY(e->arena, const Buffer *, f.tensors.count),
	                 .from = NEW_ARRAY(e->arena, int64_t, f.tensors.count),
	                 .count = f.tensors.count,
	                 .scalars = f.tensors.scalars,
	                 .stream_count = f.tensors.takes_streams ? f.tensors.stream_count : 0,
	                 .waits = NO_NUMBER,
	                 .branch = NO_NUMBER,
	                 .bucket = NO_NUMBER,
	                 .bucket_waits = NO_NUMBER};
	int64_t *streams = NEW_ARRAY(e->arena, int64_t, call.stream_count);
	for (int i = 0; i < call.stream_count; i++)
		streams[i] = f.tensors.streams[i];
	call.streams = streams;
	for (int i = 0; i < call.count; i++) {
		call.arguments[i] = f.tensors.at[i].buffer;
		call.from[i] = step_rows_from(scratch, p, s, e->target, f.tensors.at[i].buffer);
	}
	arena_free(scratch);
	return call;
}

static StepCall call_of_recurrence(Emitter *e, const Program *p, const Recurrence *r)
{
	return (StepCall){.function = recurrence_function(e, p, r),
	                  .waits = NO_NUMBER,
	                  .branch = NO_NUMBER,
	                  .bucket = NO_NUMBER,
	                  .bucket_waits = NO_NUMBER};
}

/* The last step that gives a state of a layer its new value; -1: there is none. */
static int last_of_states(const Emitter *e, const Program *p)
{
	for (int s = p->step_count - 1; s >= 0; s--)
		for (int i = 0; i < p->steps[s].write_count; i++) {
			const Buffer *b = buffer_root(p->steps[s].writes[i]);
			if (b->class == BUFFER_STATE && b->node && node_is_state(b->node) &&
			    !state_is_of_update(e, b->node))
				return s;
		}
	return -1;
}

/* The calls of its steps; NULL: it has an on-chip form. */
static const StepCall *calls_of(Emitter *e, const Program *p)
{
	if (p->onchip)
		return NULL;
	StepCall *calls = NEW_ARRAY(e->arena, StepCall, p->step_count);
	for (int s = 0; s < p->step_count; s++) {
		const Recurrence *r = e->kernels ? p->steps[s].recurrence : NULL;
		calls[s] = !r              ? call_of(e, p, &p->steps[s])
		           : r->first == s ? call_of_recurrence(e, p, r)
		                           : calls[s - 1];
	}
	if (!e->kernels)
		return calls;
	const int *waits = branch_waits(e->arena, p), *branches = branch_numbers(e->arena, p),
	          *means = bucket_waits(e->arena, p), *buckets = bucket_numbers(e->arena, p);
	int states = last_of_states(e, p),
	    overwritten = p->graph->training ? scores_overwritten(p) : NO_NUMBER;
	for (int s = 0; s < p->step_count; s++) {
		calls[s].waits = waits[s];
		calls[s].branch = branches[s];
		calls[s].bucket = buckets[s];
		calls[s].bucket_waits = means[s];
		calls[s].scores_wait = s == overwritten;
		calls[s].states_ready = states >= 0 && buckets[s] >= 0 && s > states;
		if (calls[s].states_ready)
			states = NO_NUMBER;
		/* Means that follow one another go together. */
		bool mean = step_is_mean(&p->steps[s]),
		     joins = mean && s > 0 && step_is_mean(&p->steps[s - 1]) && waits[s] < 0 &&
		             means[s] < 0 && branches[s] == branches[s - 1];
		calls[s].means_begin = mean && !joins;
		calls[s].means_end = mean;
		if (joins)
			calls[s - 1].means_end = false;
	}
	return calls;
}

static bool is_same_address(const Buffer *x, const Buffer *y)
{
	const Buffer *of_x = buffer_root((Buffer *)x), *of_y = buffer_root((Buffer *)y);
	return strcmp(x->name, y->name) == 0 && strcmp(buffer_block(x), buffer_block(y)) == 0 &&
	       buffer_offset(x) == buffer_offset(y) && x->type.dtype == y->type.dtype &&
	       of_x->first == of_y->first && of_x->last == of_y->last && of_x->to_end == of_y->to_end;
}

static bool is_same_call(const Step *s, const StepCall *x, const Step *t, const StepCall *y)
{
	bool same =
	        x->function && x->function == y->function && x->count == y->count && !s->branch && !t->branch;
	for (int i = 0; i < x->count && same; i++)
		same = is_same_address(x->arguments[i], y->arguments[i]);
	return same;
}

/* How many steps evaluation and prediction begin with alike. */
static int count_alike(const Part *x, const Part *y)
{
	enum { FEWEST = 4 };
	int count = 0;
	if (!x->calls || !y->calls)
		return 0;
	while (count < x->p->step_count && count < y->p->step_count &&
	       is_same_call(&x->p->steps[count], &x->calls[count], &y->p->steps[count], &y->calls[count]))
		count++;
	return count < FEWEST ? 0 : count;
}

/* Returns the names of what its steps call, by step; of an on-chip form, of its kernels. */
static const char *const *write_program(Emitter *e, const Part *part, const char *name, const char *what)
{
	const Program *p = part->p;
	if (p->onchip)
		return emit_onchip(e, p, name, what);
	const char **functions = NEW_ARRAY(e->arena, const char *, p->step_count);
	double flops = 0, bytes = 0;
	for (int s = 0; s < p->step_count; s++) {
		functions[s] = part->calls[s].function               ? part->calls[s].function->name
		               : p->steps[s].kind == STEP_ALL_REDUCE ? "all_reduce"
		                                                     : NULL;
		flops += p->steps[s].flops;
		bytes += p->steps[s].bytes;
	}
	write_line(e->w, "/* %s: %d steps, %s, %s moved, arena %s (lower bound %s, at step %d) */", what,
	           p->step_count, human_count(e->arena, flops, "FLOP"), human_count(e->arena, bytes, "B"),
	           human_count(e->arena, (double)p->arena_bytes, "B"),
	           human_count(e->arena, (double)p->lower_bound, "B"), p->peak_step + 1);
	emit_part(e, part, name);
	return functions;
}

static void write_banner(Emitter *e, Writer *w, const char *what)
{
	Arena *a = e->arena;
	const Compiled *c = e->compiled;
	const Program *t = c->train;
	write_line(w, "/* %s, from %s by nnc %s%s. Do not edit: change the .net file and run nnc again.",
	           t->graph->name, e->source, NNC_VERSION, what);
	write_line(w, " * %s", LICENCE_OF_OUTPUT);
	write_line(w, " *");
	write_line(w, " * %s", comment_text(a, c->source->recipe->text));
	write_line(w, " * batch %lld   parameters %s (%s)   states %s   arena %s training, %s evaluation",
	           (long long)t->graph->batch, human_count(a, (double)t->param_elements, ""),
	           human_count(a, (double)t->param_bytes, "B"), human_count(a, (double)t->state_bytes, "B"),
	           human_count(a, (double)t->arena_bytes, "B"),
	           human_count(a, (double)c->evaluate->arena_bytes, "B"));
	write_line(w, " *");
}

/* Whether a program has a recurrence, whose rows threads share out. */
static bool shares_rows(const Compiled *c)
{
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++) {
		const Program *p = emitted_programs[i].of(c);
		for (int s = 0; p && s < p->step_count; s++)
			if (p->steps[s].recurrence)
				return true;
	}
	return false;
}

static void write_cpu_head(Emitter *e)
{
	const Compiled *c = e->compiled;
	bool library = program_uses_library(c->train) || program_uses_library(c->evaluate) ||
	               program_uses_library(c->predict);
	write_banner(e, e->w, " for the CPU");
	write_line(e->w, " * Rebuild: cc -std=gnu17 -O2 -march=native -fopenmp -fno-math-errno "
	                 "-fno-trapping-math -I RUNTIME \\");
	write_line(e->w, " *             THIS.c %slibnnr.a -lz -lm -ldl -o train",
	           library ? "libnnr_dnn.a " : "");
	write_line(e->w,
	           " * (`nnc -v` prints it with the paths of this machine). Tensors are [batch, height, "
	           "width, channels]. */");
	write_line(e->w, "#include \"nnr.h\"");
	write_line(e->w, "#include \"nnr_math.h\"");
	write_line(e->w, "#include \"cpu/nnr_step.h\"");
	const Map *headers = write_headers(e, e->w, false);
	if (library)
		write_line(e->w, "#include \"cpu/nnr_dnn.h\"");
	if (shares_rows(c))
		write_line(e->w, "#include \"cpu/nnr_shares.h\"");
	if (c->source->recipe->ranks > 1 && !map_get(headers, "ranks/nnr_ranks.h"))
		write_line(e->w, "#include \"ranks/nnr_ranks.h\"");
	write_line(e->w, "#include <math.h>");
	write_line(e->w, "#include <string.h>");
	write_text(e->w, "\n");
}

static bool is_used(const Compiled *c, const Implementation *m)
{
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++)
		if (implementation_is_used(m, emitted_programs[i].of(c)))
			return true;
	return false;
}

static bool needs_own_features(const Compiled *c)
{
	for (int i = 0; i < implementation_count; i++)
		if ((implementations[i]->flags & IMPL_OWN_FEATURES) && is_used(c, implementations[i]))
			return true;
	return false;
}

/* Whether a step is given a copy of an input that has the batch last. */
static bool turns_inputs(const Program *p)
{
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (b->class == BUFFER_INPUT && !b->inside && node_is_transposed(b->node))
			return true;
	}
	return false;
}

static void write_cuda_heads(Emitter *e)
{
	write_banner(e, e->w, " for CUDA: the host side");
	write_line(e->w,
	           " * `nnc --emit=cu=FILE` writes the kernels; nnc compiles them by NVRTC for %s "
	           "and appends",
	           e->target->archs);
	write_line(e->w, " * them, as nnr_cuda_model, to the C that it gives to cc. Tensors are [batch, "
	                 "height, width, channels]; every");
	write_line(e->w, " * address is of device memory, and every call only enqueues. */");
	write_line(e->w, "#include \"nnr.h\"");
	write_line(e->w, "#include \"cuda/nnr_cuda.h\"");
	write_line(e->w, "#include <stddef.h>");
	write_text(e->w, "\n");
	write_line(e->w, "extern const NnrCudaModel nnr_cuda_model; /* the compiled kernels */");
	write_text(e->w, "\n");
	write_banner(e, e->kernels, " for CUDA: the kernels");
	write_line(e->kernels, " * Names say what is computed over what; sizes are constants, or arguments "
	                       "where that costs nothing. Compiles with NVRTC and with nvcc -I RUNTIME. */");
	const OnChip *o = e->compiled->train->onchip;
	if (turns_inputs(e->compiled->train))
		write_line(e->kernels, "#define NNR_TURNS_INPUTS /* a step reads an input transposed */");
	write_line(e->kernels, "#include \"cuda/nnr_%s.h\"",
	           !o                ? "device"
	           : onchip_holds(o) ? "held"
	                             : "block");
	for (int i = 0; i < implementation_count; i++)
		if (implementations[i]->header && is_used(e->compiled, implementations[i]))
			write_line(e->kernels, "#include \"%s\"", implementations[i]->header);
	write_headers(e, e->kernels, true);
	if (e->compiled->source->recipe->ranks > 1 && e->compiled->source->recipe->wire_bf16)
		write_line(e->kernels, "#include \"cuda/nnr_wire.h\"");
	bool recurs = false;
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++)
		recurs = recurs || program_recurs(emitted_programs[i].of(e->compiled));
	if (recurs)
		write_line(e->kernels, "#include \"cuda/nnr_recurrence.h\"");
	write_text(e->kernels, "\n");
}

/* Names that functions must not have: those of the file, which are the emitter's as those of functions are, and the
 * buffers', the locals of the steps, which would hide them. */
static void take_names(Emitter *e)
{
	static const char *const taken[] = {"model",          "inputs", "params",       "states",  "steps",
	                                    "sources",        "places", "main",         "program", "words",
	                                    "nnr_cuda_model", "onnx",   "forward_batch"};
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		map_set(e->names, taken[i], e);
	for (size_t k = 0; k < EMITTED_PROGRAMS; k++) {
		const Program *p = emitted_programs[k].of(e->compiled);
		map_set(e->names, emitted_programs[k].function, e);
		if (emitted_programs[k].outputs)
			map_set(e->names, emitted_programs[k].outputs, e);
		for (int i = 0; p && i < p->buffer_count; i++)
			map_set(e->names, p->buffers[i]->name, p->buffers[i]);
	}
}

/* Of a family: "conv_any_size" where a tensor is called "conv". What is taken but has no number is no function. */
static const char *family_name(Emitter *e, const char *wanted)
{
	bool is_other = map_get(e->names, wanted) && !map_get(e->numbers, wanted);
	return is_other ? arena_printf(e->arena, "%s_any_size", wanted) : wanted;
}

static const char *name_host_family(void *data, const char *wanted)
{
	return emit_unique_name(data, family_name(data, wanted));
}

/* The host function that launches a family's kernels may have its name: it is in another file. */
static const char *name_kernel_family(void *data, const char *wanted)
{
	Emitter *e = data;
	const char *label = family_name(e, wanted), *name = label;
	for (int i = 2; map_get(e->names, name) || map_get(e->kernel_family_names, name); i++)
		name = arena_printf(e->arena, "%s_%d", label, i);
	map_set(e->kernel_family_names, name, e);
	return name;
}

static Map *states_by_name(Arena *a, const Graph *g)
{
	Map *states = map_new(a);
	for (int i = 0; i < g->count; i++)
		if (node_is_state(g->nodes[i]))
			map_set(states, node_text(g->nodes[i], "name"), g->nodes[i]);
	return states;
}

/* What each step of the training program is in the text, once families have their names. */
static const EmittedStep *steps_of(Emitter *e, const Part *train, const char *const *names, int *count)
{
	const Program *p = train->p;
	*count = p->onchip ? 2 : p->step_count;
	EmittedStep *steps = NEW_ARRAY(e->arena, EmittedStep, *count);
	for (int i = 0; i < *count; i++) {
		EmittedStep *s = &steps[i];
		const CFunction *f = p->onchip ? NULL : train->calls[i].function;
		*s = (EmittedStep){.name = names[i], .function = f};
		if (f && !p->steps[i].recurrence) {
			const StepCall *call = &train->calls[i];
			s->arguments = call->arguments;
			s->argument_count = call->count;
			s->scalars = call->scalars;
			s->stream_count = call->stream_count;
		}
	}
	return steps;
}

Emitted emit(Arena *a, const Compiled *c, const DriverOptions *options)
{
	Emitter e = {.arena = a,
	             .w = writer_new(a),
	             .compiled = c,
	             .options = options,
	             .target = options->target,
	             .block_functions = map_new(a),
	             .families = families_new(a, false),
	             .kernel_families = families_new(a, true),
	             .kernel_family_names = map_new(a),
	             .names = map_new(a),
	             .numbers = map_new(a),
	             .layer_states = states_by_name(a, c->source->training)};
	e.source = comment_text(a, base_name(c->source->path));
	take_names(&e);
	double start = times_now();
	if (e.target->dialect->kernels) {
		e.kernels = writer_new(a);
		write_cuda_heads(&e);
	} else {
		write_cpu_head(&e);
	}
	Part parts[EMITTED_PROGRAMS] = {0};
	const char *const *functions[EMITTED_PROGRAMS] = {NULL};
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++) {
		const Program *p = emitted_programs[i].of(c);
		if (p)
			parts[i] = (Part){.p = p,
			                  .calls = calls_of(&e, p),
			                  .count = p->step_count,
			                  .what = emitted_programs[i].of(c) == c->train
			                                  ? NULL
			                                  : emitted_programs[i].member};
	}
	start = times_lap(c->times, "emit: steps", start);
	if (e.kernels)
		families_write(e.kernel_families, e.kernels, name_kernel_family, &e);
	families_write(e.families, e.w, name_host_family, &e);
	start = times_lap(c->times, "emit: families", start);
	Part *evaluate = &parts[EMITTED_EVALUATE], *predict = &parts[EMITTED_PREDICT];
	const int alike = predict->p ? count_alike(evaluate, predict) : 0;
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++) {
		if (alike && &parts[i] == evaluate) {
			write_line(
			        e.w,
			        "/* What evaluation and prediction have in common: their first %d steps */",
			        alike);
			emit_part(&e,
			          &(Part){.p = evaluate->p,
			                  .calls = evaluate->calls,
			                  .count = alike,
			                  .what = evaluate->what},
			          "forward_batch");
		}
		if (alike && (&parts[i] == evaluate || &parts[i] == predict)) {
			parts[i].first = alike;
			parts[i].count -= alike;
			parts[i].before = "forward_batch";
		}
		if (parts[i].p)
			functions[i] = write_program(&e, &parts[i], emitted_programs[i].function,
			                             emitted_programs[i].what);
	}
	start = times_lap(c->times, "emit: programs", start);
	emit_steps(&e, c->train, functions[0]);
	emit_model(&e);
	if (options->as_library) {
		emit_library(&e);
	} else {
		write_line(e.w, "int main(int argc, char **argv)");
		write_line(e.w, "{");
		write_line(e.w, "\treturn nnr_main(&model, argc, argv);");
		write_line(e.w, "}");
	}
	int count = 0;
	const FamilyPlace *places = families_places(e.kernel_families, &count);
	char *kernels = e.kernels ? (char *)writer_text(e.kernels, NULL) : NULL;
	Emitted emitted = {.host = (char *)writer_text(e.w, NULL),
	                   .kernels = kernels,
	                   .parts = kernels ? kernel_parts(a, kernels, places, count) : (KernelParts){0},
	                   .own_features = needs_own_features(c)};
	emitted.steps = steps_of(&e, &parts[0], functions[0], &emitted.step_count);
	emitted.marks = e.marks;
	emitted.program = e.program;
	times_lap(c->times, "emit: tables", start);
	return emitted;
}
