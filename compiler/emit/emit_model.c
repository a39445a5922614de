/* SPDX-License-Identifier: MIT */
/* The tables of generated C, from which the runtime knows the model: inputs, parameters, states, outputs, programs,
 * recipe. */
#include "emit/emitter.h"
#include "ir/op.h"
#include "codegen/expr.h"
#include "emit/image_rows.h"
#include "onnx/onnx.h"
#include "emit/meaning.h"
#include "emit/rows.h"
#include "passes/epilogue.h"
#include "ops/whiten.h"
#include "base/version.h"

#include <ctype.h>
#include <string.h>

/* The programs of a model, in the order of the file. */
static const Program *train_of(const Compiled *c)
{
	return c->train;
}

static const Program *prepare_of(const Compiled *c)
{
	return c->prepare;
}

static const Program *evaluate_of(const Compiled *c)
{
	return c->evaluate;
}

static const Program *predict_of(const Compiled *c)
{
	return c->predict;
}

const EmittedProgram emitted_programs[EMITTED_PROGRAMS] = {
        {train_of, "train", "train_step", "One training step", "train_outputs"},
        {prepare_of, "prepare", "prepare_weights",
         "What evaluation reads of the weights, when they have changed", NULL},
        {evaluate_of, "evaluate", "evaluate_batch", "Loss and metrics of one batch, per sample",
         "evaluate_outputs"},
        {predict_of, "predict", "predict_batch", "What the model predicts, without loss and metrics",
         "predict_outputs"},
};

static bool model_is_double(const Program *p)
{
	for (int i = 0; i < p->graph->count; i++)
		if (p->graph->nodes[i]->type.dtype == DTYPE_F64)
			return true;
	return false;
}

void write_item(Writer *w, int *column, const char *item)
{
	enum { TABLE_WIDTH = 150 };
	int length = (int)strlen(item);
	bool fits = *column > 0 && *column + 1 + length <= TABLE_WIDTH;
	write_text(w, "%s%s", fits ? " " : *column ? "\n\t" : "\t", item);
	*column = (fits ? *column + 1 : 8) + length;
}

static char *dims_text(Arena *a, Type t)
{
	if (t.rank == 0)
		return arena_strdup(a, "{0}");
	const char *text = "";
	for (int i = 0; i < t.rank; i++)
		text = arena_listed(a, text, "%lld", (long long)t.dim[i]);
	return arena_printf(a, "{%s}", text);
}

/* A 16-bit copy of parameters: made from them, and in no table. */
static bool is_copy(const Buffer *b)
{
	return b->class == BUFFER_STATE && !b->inside && epilogue_is_copy(b->node);
}

static void write_copy(Emitter *e, const Program *p)
{
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!is_copy(b))
			continue;
		const bool frozen = node_attr(b->node, "first");
		write_text(e->w, ".%s = {.elements = %lld, .offset = %lld, ", frozen ? "frozen_copy" : "copy",
		           (long long)type_elements(b->type), (long long)b->offset);
		if (frozen)
			write_text(e->w, ".first = %lld, ", (long long)node_int(b->node, "first"));
		write_line(e->w, ".dtype = %s},", dtype_runtime_name(b->type.dtype));
	}
}

static bool is_in_table(const Buffer *b, BufferClass class)
{
	return b->class == class && b->node && !b->inside && !is_copy(b) &&
	       (node_is_param(b->node) || (node_is_state(b->node) && class != BUFFER_PARAMETER));
}

bool state_is_of_update(const Emitter *e, const Node *n)
{
	return node_is_state(n) && !map_get(e->layer_states, node_text(n, "name"));
}

/* The first of the flat parameters that an optimizer's state has elements for; else -1. */
static int64_t first_of_flat(const Node *n)
{
	return node_attr(n, "first") ? node_int(n, "first") : -1;
}

/* Elements of the flat parameters that are trained. */
static int64_t trained_elements(const Program *p)
{
	int64_t elements = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (is_in_table(b, BUFFER_PARAMETER) && !node_is_frozen(b->node))
			elements += type_elements(b->type);
	}
	return elements;
}

/* "TENSOR_WEIGHT_64X3X3X64": what the layers' tensors of one role and shape have in common. */
static const char *tensor_kind(Arena *a, const char *role, Type t)
{
	const char *text = arena_printf(a, "tensor_%s", role);
	for (int i = 0; i < t.rank; i++)
		text = arena_printf(a, "%s%s%lld", text, i ? "x" : "_", (long long)t.dim[i]);
	return text;
}

/* A row is known by the path of its layer and by its place. */
static void add_tensor(Emitter *e, Rows *rows, const Buffer *b, const char *rest)
{
	Arena *a = e->arena;
	const char *name = node_text(b->node, "name"), *dot = strrchr(name, '.'), *role = dot ? dot : name;
	const char *type = arena_printf(a, "%s, %d, %s", dtype_runtime_name(b->type.dtype), b->type.rank,
	                                dims_text(a, b->type));
	const char *full =
	        arena_printf(a, "{%s, %s, %lld, %s}", c_string(a, name), type, (long long)b->offset, rest);
	const char *path = dot ? c_string(a, arena_strndup(a, name, (size_t)(dot - name))) : "\"\"";
	rows_add(rows, tensor_kind(a, dot ? dot + 1 : name, b->type), "path, offset",
	         arena_printf(a, "{path %s, %s, offset, %s}", c_string(a, role), type, rest),
	         arena_printf(a, "%s, %lld", path, (long long)b->offset), full);
}

static int write_tensors(Emitter *e, const Program *p, BufferClass class, const char *table)
{
	Rows *rows = rows_new(e);
	Map *images = image_rows(e->arena, e->compiled->one_period);
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!is_in_table(b, class))
			continue;
		const char *init = "NNR_CONSTANT";
		const int64_t *channels = map_get(images, node_text(b->node, "name"));
		double a = 0;
		if (node_is_param(b->node)) {
			const char *kind = node_text(b->node, "init");
			init = strcmp(kind, "uniform") == 0            ? "NNR_UNIFORM"
			       : strcmp(kind, "normal") == 0           ? "NNR_NORMAL"
			       : strcmp(kind, "truncated_normal") == 0 ? "NNR_TRUNCATED"
			       : strcmp(kind, "orthogonal") == 0       ? "NNR_ORTHOGONAL"
			       : strcmp(kind, "identity") == 0         ? "NNR_PASSES_ON"
			       : strcmp(kind, "whiten") == 0           ? "NNR_UNIFORM"
			                                               : init;
			a = node_real(b->node, "a");
		} else {
			a = node_real(b->node, "value");
		}
		add_tensor(e, rows, b,
		           arena_printf(e->arena, "%s, %.17g, %lld, %s, %s, %lld", init, a,
		                        channels ? (long long)*channels : 0LL,
		                        node_is_frozen(b->node) ? "true" : "false",
		                        state_is_of_update(e, b->node) ? "true" : "false",
		                        (long long)first_of_flat(b->node)));
	}
	return rows_write(rows, arena_printf(e->arena, "static const NnrTensor %s[]", table));
}

/* The weights that begin as filters that whiten patches of an input; returns how many. */
static int write_whitened(Emitter *e, const Program *p)
{
	int count = 0, param = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!is_in_table(b, BUFFER_PARAMETER))
			continue;
		const Node *n = b->node;
		const char *factors = "", *shifts = "";
		for (int k = 0; k < WHITEN_CHANNELS && node_attr(n, whiten_factors[k]); k++) {
			factors = arena_listed(e->arena, factors, "%.17g", node_real(n, whiten_factors[k]));
			shifts = arena_listed(e->arena, shifts, "%.17g", node_real(n, whiten_shifts[k]));
		}
		if (*factors && count++ == 0)
			write_line(e->w, "static const NnrWhiten whitened[] = {");
		if (*factors)
			write_line(e->w, "\t{%d, %s, {%s}, {%s}},", param,
			           c_string(e->arena, node_text(n, "image")), factors, shifts);
		param++;
	}
	if (count)
		write_line(e->w, "};");
	return count;
}

/* What the program has of an input: the batch, or its copy that has the batch last; NULL: nothing. */
static const Buffer *input_buffer(const Program *p, const Node *input, bool transposed)
{
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (b->class == BUFFER_INPUT && !b->inside && node_is_transposed(b->node) == transposed &&
		    strcmp(node_text(b->node, "name"), node_text(input, "name")) == 0)
			return b;
	}
	return NULL;
}

static bool is_read(const Program *p, const Buffer *b)
{
	for (int s = 0; s < p->step_count; s++)
		for (int r = 0; r < p->steps[s].read_count; r++)
			if (buffer_root(p->steps[s].reads[r]) == b) /* a view of it is a buffer of its own */
				return true;
	return false;
}

bool reads_targets(const Program *p)
{
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (b->class == BUFFER_INPUT && !b->inside && node_is_target(b->node) && is_read(p, b))
			return true;
	}
	return false;
}

static bool is_rounded(const Program *p, const Node *input)
{
	const Buffer *b = input_buffer(p, input, false);
	return b && node_is_rounded(b->node);
}

/* What the values of an input are below: its classes, be they declared or those of the scores it is compared with, or
 * the rows of the smallest table that is read by it; 0: nothing. */
int64_t values_below(const Program *p, const Node *input)
{
	int64_t below = node_int(input, "classes"), count = 0;
	for (int i = 0; i < p->graph->count; i++) {
		const Node *n = p->graph->nodes[i], *index;
		for (int k = 0; n->op->picks && (index = n->op->picks(n, k, &count)); k++)
			if (node_unaliased(index) == input && count <= INT32_MAX &&
			    (below == 0 || count < below))
				below = count;
	}
	return below;
}

/* The rows of the smallest table that looks up parts of the input, cut out or put elsewhere; 0: none does. */
static int64_t rows_of_parts(const Program *p, const Node *input)
{
	const Graph *g = p->graph;
	Arena *scratch = arena_new();
	bool *is_part = NEW_ARRAY(scratch, bool, g->count);
	int64_t least = 0, count = 0;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		const bool moves = n->op->move != MOVE_NONE || (n->op->flags & OP_RESHAPES);
		is_part[i] = n == input;
		for (int k = 0; moves && k < n->operand_count; k++)
			is_part[i] = is_part[i] || is_part[n->operands[k]->id];
		const Node *index;
		for (int k = 0; n->op->picks && (index = n->op->picks(n, k, &count)); k++)
			if (is_part[index->id] && count <= INT32_MAX && (least == 0 || count < least))
				least = count;
	}
	arena_free(scratch);
	return least;
}

bool is_batch_input(const Buffer *b)
{
	return b->class == BUFFER_INPUT && !b->inside && !node_is_transposed(b->node);
}

static bool is_mixture(const Buffer *b)
{
	return strcmp(node_text(b->node, "role"), "mixture") == 0;
}

/* The number of the target that an input "NAME.partner" is of; -1: there is none. */
static int partner_of(const Program *p, const Buffer *partner)
{
	const char *name = node_text(partner->node, "name");
	for (int i = 0, input = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!is_batch_input(b) || is_mixture(b))
			continue;
		const char *own = node_text(b->node, "name");
		if (strncmp(name, own, strlen(own)) == 0 && strcmp(name + strlen(own), ".partner") == 0)
			return input;
		input++;
	}
	return -1;
}

/* As the training program has them, those of data or, after these, those that mixtures have beside. The gather of
 * `evaluate` rounds by itself; what only predicts is given no gathered batch. */
static int write_inputs(Emitter *e, const Program *p, const Program *evaluate, bool mixed)
{
	int count = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!is_batch_input(b) || is_mixture(b) != mixed)
			continue;
		const Buffer *copy = input_buffer(p, b->node, true);
		char *text = arena_printf(e->arena, "\t{.name = %s",
		                          c_string(e->arena, node_text(b->node, "name")));
		if (node_is_target(b->node))
			text = arena_printf(e->arena, "%s, .is_target = true", text);
		if (mixed)
			text = arena_printf(e->arena, "%s, .partner_of = %d", text, partner_of(p, b));
		int64_t below = values_below(p, b->node);
		if (below > 0)
			text = arena_printf(e->arena, "%s, .classes = %lld", text, (long long)below);
		const int64_t rows = below > 0 ? 0 : rows_of_parts(p, b->node);
		if (rows > 0)
			text = arena_printf(e->arena, "%s, .rows = %lld", text, (long long)rows);
		text = arena_printf(e->arena, "%s, .dtype = %s, .rank = %d, .dim = %s, .offset = %lld", text,
		                    dtype_runtime_name(b->type.dtype), b->type.rank,
		                    dims_text(e->arena, b->type), (long long)b->offset);
		if (copy)
			text = arena_printf(e->arena, "%s, .transposed = %lld", text,
			                    (long long)copy->offset);
		const struct {
			const char *name;
			bool set;
		} flags[] = {{"transposed_alone", copy && !is_read(p, b)},
		             {"rounded_in_training", is_rounded(p, b->node)},
		             {"rounded_in_evaluation", is_rounded(evaluate, b->node)}};
		for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
			if (flags[k].set)
				text = arena_printf(e->arena, "%s, .%s = true", text, flags[k].name);
		write_line(e->w, "%s},", text);
		count++;
	}
	return count;
}

static int write_outputs(Emitter *e, const Program *p, const char *table)
{
	static const char *const kinds[] = {
	        [OUTPUT_LOSS] = "NNR_LOSS",         [OUTPUT_METRIC] = "NNR_METRIC",
	        [OUTPUT_COUNT] = "NNR_COUNT",       [OUTPUT_GRADIENT] = "NNR_GRADIENT",
	        [OUTPUT_MEASURED] = "NNR_MEASURED", [OUTPUT_VALUE] = "NNR_VALUE"};
	int count = 0;
	write_line(e->w, "static const NnrOutput %s[] = {", table);
	for (int i = 0; i < p->graph->output_count; i++) {
		const Output *o = &p->graph->outputs[i];
		if (o->kind == OUTPUT_STATE)
			continue;
		write_line(e->w, "\t{%s, %s, %s, %d, %s, %lld},", kinds[o->kind], c_string(e->arena, o->name),
		           dtype_runtime_name(o->node->type.dtype), o->node->type.rank,
		           dims_text(e->arena, o->node->type),
		           (long long)buffer_offset(p->output_buffers[i]));
		count++;
	}
	if (count == 0)
		write_line(e->w, "\t{0},");
	write_line(e->w, "};");
	return count;
}

/* Why a step keeps no whole gradient, whatever its buffers are; NULL: it may. */
static const char *no_gradient(const Emitter *e, const Program *p)
{
	const Recipe *r = e->compiled->source->recipe;
	if (p->onchip)
		return "its step is on chip: each block adds its gradient up in its own memory, and updates "
		       "the "
		       "weights from there; `nnc --disable-pass=onchip` makes a slower one that stores it";
	if (r->chunk)
		return "its step adds up the gradients of its chunks, and the last chunk clears the sum; "
		       "`nnc --set "
		       "chunk=none`, without `accumulate`, makes a trainer that has the whole";
	if (r->shards && r->ranks > 1)
		return "each rank has the mean of its share alone; `nnc --set shard=none` makes a trainer "
		       "that has the "
		       "whole";
	return NULL;
}

/* The flat gradient, where nothing takes its bytes before the step ends, so that --log-norms can read it at no cost to
 * others; NULL: none. Under a loss scale it is S times as large
 * (passes/loss_scale.h); of several ranks it is their mean, in its place (program/all_reduce.c). */
static const Buffer *kept_gradient(const Emitter *e, const Program *p)
{
	if (no_gradient(e, p))
		return NULL;
	Buffer *found = NULL;
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->node && (p->buffers[i]->node->op->flags & OP_PACK) &&
		    !p->buffers[i]->inside)
			found = p->buffers[i];
	for (int i = 0; found && i < p->buffer_count; i++) {
		Buffer *b = p->buffers[i];
		if (b != found && !b->inside && (b->last > found->last || b->first > found->last) &&
		    buffers_share_bytes(b, found))
			return NULL;
	}
	return found;
}

static bool write_gradient(Emitter *e, const Program *p)
{
	const Buffer *b = kept_gradient(e, p);
	if (b)
		write_line(e->w,
		           "static const NnrOutput train_gradient = {NNR_GRADIENT, \"gradients\", %s, %d, "
		           "%s, %lld};",
		           dtype_runtime_name(b->type.dtype), b->type.rank, dims_text(e->arena, b->type),
		           (long long)b->offset);
	return b;
}

/* Of the parameters, in the order of their table. */
/* passes/add_update.c */
static bool has_moved(const Program *p)
{
	bool moved = false;
	for (int i = 0; i < p->buffer_count; i++)
		moved |= p->buffers[i]->class == BUFFER_PARAMETER && p->buffers[i]->node &&
		         node_attr(p->buffers[i]->node, "moved");
	return moved;
}

static void write_layouts(Emitter *e, const Program *p)
{
	Map *layouts = meaning_layouts(e->arena, e->compiled->one_period);
	write_text(e->w, "static const char *const layouts[] = {");
	int count = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		if (!is_in_table(p->buffers[i], BUFFER_PARAMETER))
			continue;
		const char *layout = map_get(layouts, node_text(p->buffers[i]->node, "name"));
		write_text(e->w, "%s%s",
		           count % 16 ? ", "
		           : count    ? ",\n\t"
		                      : "\n\t",
		           c_string(e->arena, layout ? layout : ""));
		count++;
	}
	write_line(e->w, count ? "\n};" : "\"\"};");
}

static void write_scored(Emitter *e)
{
	Scored s = meaning_scored(e->arena, e->compiled->one_period);
	if (!s.output)
		return;
	write_text(e->w, ".scored = {.output = %s, ", c_string(e->arena, s.output));
	if (s.target)
		write_text(e->w, ".target = %s, ", c_string(e->arena, s.target));
	if (s.uncounted)
		write_text(e->w, ".uncounted = %lld, ", (long long)s.uncounted);
	write_line(e->w, ".softmaxed = %s},", s.softmaxed ? "true" : "false");
}

/* The metrics over all samples; without any there is no table. */
static int write_measures(Emitter *e)
{
	const Graph *g = e->compiled->source->evaluation;
	int count = 0;
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		const Measure *m = o->kind == OUTPUT_MEASURED ? o->node->measure : NULL;
		if (!m)
			continue;
		char *kind = arena_strdup(e->arena, m->function);
		for (char *c = kind; *c; c++)
			*c = (char)toupper((unsigned char)*c);
		if (count++ == 0)
			write_line(e->w, "\nstatic const NnrMeasure measures[] = {");
		write_line(e->w,
		           "\t{%s, NNR_%s, .places = %lld, .columns = %lld, .indexed = %s, .micro = %s, .of "
		           "= %lld, .ignored = %lld, .bins = %lld},",
		           c_string(e->arena, o->name), kind, (long long)m->places, (long long)m->columns,
		           m->indexed ? "true" : "false", m->micro ? "true" : "false", (long long)m->of,
		           (long long)m->ignored, (long long)m->bins);
	}
	if (count > 0)
		write_line(e->w, "};");
	return count;
}

/* The prediction, for `export`; where an operator has no form in ONNX, one line that says which. */
static int write_onnx(Emitter *e)
{
	int count = 0;
	const char *why = "its shapes are known for one batch alone", **lines = NULL;
	const Elaborated *source = e->compiled->source;
	const Graph *g = source->evaluation->batch > 1 ? source->evaluation : elaborate_again(source, 2),
	            *other = g ? elaborate_again(source, g->batch == 2 ? 3 : 2) : NULL;
	if (other)
		lines = onnx_lines(e->arena, g, other, &count, &why);
	write_line(e->w, "%s", "");
	write_line(e->w,
	           "/* The prediction as a graph of ONNX: \"export --format onnx\" puts the weights in. */");
	write_line(e->w, "static const char *const onnx[] = {");
	for (int i = 0, column = 0; i < (lines ? count : 1); i++)
		write_item(e->w, &column,
		           arena_printf(e->arena, "%s,", c_string(e->arena, lines ? lines[i] : why)));
	write_line(e->w, "\n};");
	return lines ? count : 0;
}

/* The number of outputs by program, and why the training step has no gradient to show; NULL: it has. */
static void write_programs(Emitter *e, const int *outputs, const char *why_none)
{
	const Compiled *c = e->compiled;
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++) {
		const Program *p = emitted_programs[i].of(c);
		if (!p)
			continue;
		write_text(e->w, ".%s = {.arena_bytes = %lld, ", emitted_programs[i].member,
		           (long long)p->arena_bytes);
		if (emitted_programs[i].outputs)
			write_text(e->w, ".outputs = %s, .output_count = %d, ", emitted_programs[i].outputs,
			           outputs[i]);
		if (emitted_programs[i].of == train_of)
			write_text(e->w, ".steps = steps, .step_count = %d, %s", e->step_count,
			           e->has_step_runs ? ".step_runs = step_runs, .step_run_count = "
			                              "sizeof step_runs / sizeof *step_runs, "
			                            : "");
		if (emitted_programs[i].of == train_of && !why_none)
			write_text(e->w, ".gradient = &train_gradient, ");
		else if (emitted_programs[i].of == train_of)
			write_text(e->w, ".no_gradient = %s, ", c_string(e->arena, why_none));
		bool asks = emitted_programs[i].of == predict_of && reads_targets(p);
		write_line(e->w, ".run = %s%s%s},", emitted_programs[i].function,
		           p->onchip ? ", .fetches = true" : "", asks ? ", .reads_targets = true" : "");
	}
}

static void write_columns(Emitter *e, const Recipe *r)
{
	if (r->columns.count == 0)
		return;
	write_line(e->w, "static const NnrColumn columns[] = {");
	for (int i = 0; i < r->columns.count; i++)
		write_line(e->w, "\t{%s, (NnrColumnRule)%d},", c_string(e->arena, r->columns.at[i].pattern),
		           r->columns.at[i].kind);
	write_line(e->w, "};");
}

/* What the recipe says of data, rate and length. */
static void write_recipe(Emitter *e, const Recipe *r)
{
	static const char *const schedules[] = {"NNR_RATE_CONSTANT", "NNR_RATE_STEP", "NNR_RATE_COSINE",
	                                        "NNR_RATE_LINEAR", "NNR_RATE_ONECYCLE"};
	const Schedule *s = &r->schedule;
	write_line(e->w, ".data = %s,", r->data ? c_string(e->arena, r->data) : "NULL");
	if (r->columns.count > 0)
		write_line(e->w, ".columns = columns, .column_count = %d,", r->columns.count);
	if (r->balance)
		write_line(e->w, ".balance = true,");
	if (r->holdout > 0 || r->split != SPLIT_SHARE)
		write_line(e->w, ".split = {(NnrSplitKind)%d, %.17g, %s},", r->split, r->holdout,
		           r->split_column ? c_string(e->arena, r->split_column) : "NULL");
	if (*r->augment_members)
		write_line(e->w, ".augment = {%s},", r->augment_members);
	if (r->shorter_side)
		write_line(e->w, ".shorter_side = %lld,", (long long)r->shorter_side);
	write_line(e->w, ".rate = {.kind = %s, .rate = %.17g, .final_rate = %.17g, .gamma = %.17g,",
	           schedules[s->kind], s->rate, s->final_rate, s->gamma);
	write_line(
	        e->w,
	        "         .warmup = %.17g, .every = %.17g, .warmup_in_epochs = %s, .every_in_epochs = %s},",
	        s->warmup.amount, s->every.amount, s->warmup.in_epochs ? "true" : "false",
	        s->every.in_epochs ? "true" : "false");
	if (r->phase.amount > 0) {
		const char *frozen = "";
		for (int i = 0; i < r->phase_freeze.count; i++)
			frozen = arena_printf(e->arena, "%s%s%s", frozen, i ? "," : "",
			                      r->phase_freeze.at[i].text);
		write_line(e->w, ".phase = {.length = %.17g, .in_epochs = %s, .rate = %.17g, .frozen = %s},",
		           r->phase.amount, r->phase.in_epochs ? "true" : "false", r->phase_rate,
		           c_string(e->arena, frozen));
	}
	write_line(e->w, ".epochs = %.17g, .steps = %lld, .seed = %lluu,",
	           r->length.in_epochs ? r->length.amount : 0,
	           r->length.in_epochs ? 0LL : (long long)r->length.amount, (unsigned long long)r->seed);
}

void emit_model(Emitter *e)
{
	const Compiled *c = e->compiled;
	const Recipe *r = c->source->recipe;
	const Program *t = c->train, *v = c->evaluate;
	int64_t state_bytes = 0, batch_bytes = program_batch_bytes(t);
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++)
		if (emitted_programs[i].of(c) && emitted_programs[i].of(c)->state_bytes > state_bytes)
			state_bytes = emitted_programs[i].of(c)->state_bytes;
	write_line(e->w, "static const NnrInput inputs[] = {");
	const int inputs = write_inputs(e, t, v, false), mixed = write_inputs(e, t, v, true);
	write_line(e->w, inputs ? "};" : "\t{0},\n};");
	int params = write_tensors(e, t, BUFFER_PARAMETER, "params");
	int whitened = write_whitened(e, t);
	write_layouts(e, t);
	int states = write_tensors(e, t, BUFFER_STATE, "states");
	int outputs[EMITTED_PROGRAMS] = {0};
	for (size_t i = 0; i < EMITTED_PROGRAMS; i++)
		if (emitted_programs[i].outputs && emitted_programs[i].of(c))
			outputs[i] = write_outputs(e, emitted_programs[i].of(c), emitted_programs[i].outputs);
	bool has_gradient = write_gradient(e, t);
	const char *why_none = no_gradient(e, t);
	if (!has_gradient && !why_none)
		why_none = "the bytes of its gradient are used again before the step ends";
	int lines = write_onnx(e), measures = write_measures(e);
	write_columns(e, r);
	write_line(e->w, "%s", "");
	write_line(e->w, "static const NnrModel model = {");
	write_indent(e->w, 1);
	write_line(e->w, ".abi = NNR_ABI, .name = %s, .source = %s,", c_string(e->arena, t->graph->name),
	           c_string(e->arena, e->source));
	write_line(e->w, ".version = %s, .needs = NNR_FEATURES, .recipe = %s,",
	           c_string(e->arena, NNC_VERSION), c_string(e->arena, r->text));
	write_line(e->w, ".real = %s, .batch = %lld, .chunks = %lld,",
	           model_is_double(t) ? "NNR_F64" : "NNR_F32", (long long)t->graph->batch,
	           (long long)(r->chunk ? r->batch / r->chunk : 1));
	if (r->ranks > 1)
		write_line(e->w, ".ranks = %lld,", (long long)r->ranks);
	if (graph_couples(e->compiled->source->evaluation))
		write_line(e->w, ".couples = true,");
	int64_t trained = trained_elements(t);
	if (recipe_share(r, trained) > 0)
		write_line(e->w, ".share = %lld, .whole = %lld,", (long long)recipe_share(r, trained),
		           (long long)trained);
	if (e->compiled->file)
		write_line(e->w,
		           ".program = program, .words = words, .word_count = %d, .compiler = NNR_COMPILER,",
		           e->word_count);
	write_line(e->w, ".inputs = inputs, .input_count = %d,", inputs);
	if (mixed)
		write_line(e->w, ".mixed_count = %d,", mixed);
	write_line(e->w, ".params = params, .param_count = %d, .layouts = layouts,", params);
	if (has_moved(t))
		write_line(e->w, ".moved = true,");
	if (whitened)
		write_line(e->w, ".whitened = whitened, .whitened_count = %d,", whitened);
	write_line(e->w, ".onnx = onnx, .onnx_count = %d,", lines);
	write_line(e->w, ".states = states, .state_count = %d,", states);
	write_line(e->w, ".param_bytes = %lld, .state_bytes = %lld, .input_bytes = %lld,",
	           (long long)t->param_bytes, (long long)state_bytes,
	           (long long)(v->input_bytes > batch_bytes ? v->input_bytes : batch_bytes));
	if (t->input_bytes > batch_bytes)
		write_line(e->w, ".transposed_bytes = %lld,", (long long)(t->input_bytes - batch_bytes));
	write_copy(e, t);
	write_programs(e, outputs, has_gradient ? NULL : why_none);
	write_scored(e);
	if (measures > 0)
		write_line(e->w, ".measures = measures, .measure_count = %d,", measures);
	write_line(e->w,
	           ".places = places, .place_count = %d, .sources = sources, .source_count = %d, .file_count "
	           "= %d,",
	           e->place_count, e->source_count, e->file_count);
	if (e->kernels)
		write_line(e->w, ".backend = &nnr_cuda_backend, .device = &nnr_cuda_model,");
	write_recipe(e, r);
	write_indent(e->w, -1);
	write_line(e->w, "};");
	write_line(e->w, "%s", "");
}
