/* SPDX-License-Identifier: MIT */
/* The kernel of a recurrence (program/recurrence.h): a loop over its periods, in which the steps follow one another.
 *
 * A map is the body that a kernel of its own would have, for one element; the elements of a thread are those of the
 * units that it owns, in every map and product. What differs from period to period, addresses, goes by the period's
 * number or is in a table (emit/columns.h), as in blocks of calls. */
#include "emit/emit_recurrence.h"
#include "ir/domain.h"

#include "base/checked.h"
#include "emit/describe.h"
#include "codegen/expr.h"
#include "codegen/label.h"
#include "emit/recurrence_kernel.h"
#include "codegen/step.h"

#include <string.h>

enum { TEXT_WIDTH = 110, FORMULA_MOST = 160 };

bool program_recurs(const Program *p)
{
	for (int s = 0; p && s < p->step_count; s++)
		if (p->steps[s].recurrence)
			return true;
	return false;
}

/* Made once: a step's tensors take far more time and memory than what is kept of them. */
static void find_tensors(RecurrenceKernel *k)
{
	const int period = k->r->period, times = k->r->times;
	k->tensors = NEW_ARRAY(k->arena, Tensors, period);
	k->buffers = NEW_ARRAY(k->arena, const Buffer **, period);
	for (int i = 0; i < period; i++) {
		k->tensors[i] = tensors_of_step(k->arena, k->p, step_of(k, 0, i));
		k->buffers[i] = NEW_ARRAY(k->arena, const Buffer *, k->tensors[i].count *times);
		for (int time = 0; time < times; time++) {
			Arena *scratch = arena_new();
			const Tensors t =
			        time ? tensors_of_step(scratch, k->p, step_of(k, time, i)) : k->tensors[i];
			for (int n = 0; n < t.count; n++)
				k->buffers[i][n * times + time] = t.at[n].buffer;
			arena_free(scratch);
		}
	}
}

const Buffer **buffers_of(const RecurrenceKernel *k, int position, int tensor)
{
	return k->buffers[position] + tensor * k->r->times;
}

const char *address(const RecurrenceKernel *k, int position, int tensor, const char *name)
{
	const Buffer **all = buffers_of(k, position, tensor);
	int64_t *offsets = NEW_ARRAY(k->arena, int64_t, k->r->times);
	for (int i = 0; i < k->r->times; i++)
		offsets[i] = buffer_offset(all[i]);
	const char *block = buffer_block(all[0]);
	map_set(k->blocks, block, (void *)block);
	return arena_printf(k->arena, "_%s + %s", block, columns_offset(k->columns, name, block, offsets));
}

int64_t turns_of(const RecurrenceKernel *k)
{
	return ceil_div(RECURRENCE_ROWS * k->shape.own, RECURRENCE_THREADS);
}

void open_elements(RecurrenceKernel *k)
{
	const long long own = k->shape.own, turns = turns_of(k);
	const char *e = "threadIdx.x";
	if (turns > 1) {
		write_line(k->w, "#pragma unroll");
		write_line(k->w, "for (int _turn = 0; _turn < %lld; _turn++) {", turns);
		write_indent(k->w, 1);
		e = arena_printf(k->arena, "_turn * %d + threadIdx.x", RECURRENCE_THREADS);
	}
	write_line(k->w,
	           "if (const int _e = %s, _row = _place.first_row + _e / %lld, _unit = _place.first_unit + "
	           "_e %% "
	           "%lld; _e < %lld && _row < %lld && _unit < %lld) {",
	           e, own, own, RECURRENCE_ROWS * own, (long long)k->shape.rows, (long long)k->shape.units);
	write_indent(k->w, 1);
}

static void close_braces(RecurrenceKernel *k)
{
	write_indent(k->w, -1);
	write_line(k->w, "}");
}

void close_elements(RecurrenceKernel *k)
{
	close_braces(k);
	if (turns_of(k) > 1)
		close_braces(k);
}

/* C text of the elements of a tensor on chip that a block owns. */
static const char *owned(RecurrenceKernel *k, const Buffer *first)
{
	Arena *a = k->arena;
	const char *id = arena_printf(a, "%d", first->id), *at = map_get(k->on_chip, id);
	if (!at) {
		at = arena_printf(a, "%lld", (long long)k->shared_bytes);
		k->shared_bytes += recurrence_owned_bytes(&k->shape, first->type);
		map_set(k->on_chip, id, (void *)at);
	}
	return arena_printf(a, "NnrOwned<%s, %lld, %lld, %lld>(_chip + %s, _place)",
	                    dtype_c_name(first->type.dtype),
	                    (long long)(type_elements(first->type) / k->shape.rows),
	                    (long long)k->shape.units, (long long)k->shape.own, at);
}

/* C text of where the tensor is in period `i`: a pointer, or what is used like one. */
static const char *place_of(RecurrenceKernel *k, int position, int tensor, const Tensor *x, const char *name)
{
	if (x->buffer->class == BUFFER_CHIP)
		return owned(k, x->buffer);
	return arena_printf(k->arena, "(%s%s *)(%s)", x->written ? "" : "const ", dtype_c_name(x->dtype),
	                    address(k, position, tensor, name));
}

static bool begin_at_vectors(const RecurrenceKernel *k, int position, int tensor)
{
	const Buffer **all = buffers_of(k, position, tensor);
	for (int i = 0; i < k->r->times; i++)
		if (buffer_offset(all[i]) % VECTOR_BYTES != 0)
			return false;
	return true;
}

/* Of the rows of a product in shared memory. */
static int copies_of(const RecurrenceKernel *k, int position)
{
	return position == 0 && k->sent.count > 0 ? 2 : 1;
}

static const char *product_type(const RecurrenceKernel *k, int position)
{
	const Node *n = step_of(k, 0, position)->root;
	MatmulShape s;
	matmul_shape(n, &s);
	const DType type = n->operands[0]->type.dtype;
	const int64_t pitch = recurrence_pitch(k->p, n->operands[0], s.k), size = dtype_bytes(type);
	const bool vectors = s.k * size % VECTOR_BYTES == 0 && pitch * size % VECTOR_BYTES == 0 &&
	                     begin_at_vectors(k, position, 0);
	return arena_printf(
	        k->arena, "NnrRecurrentProduct<%s, %s, %lld, %lld, %lld, %lld, %lld, %s, %lld, %lld, %s, %d>",
	        dtype_c_name(type), recurrent_tensor_cores(n, k->tf32) ? "true" : "false", (long long)s.m,
	        (long long)s.n, (long long)s.k, (long long)k->shape.units, (long long)k->shape.own,
	        s.tb ? "true" : "false", (long long)pitch, (long long)recurrence_pitch(k->p, n, s.n),
	        vectors ? "true" : "false", copies_of(k, position));
}

/* Its type and its share of the matrix, ahead of the loop; and what it does in a period. */
static void write_product(RecurrenceKernel *k, Writer *ahead, int position)
{
	const Step *s = step_of(k, 0, position);
	const Node *n = s->root;
	const Tensor *t = k->tensors[position].at;
	const char *a = dtype_c_name(n->operands[0]->type.dtype);
	const long long from = k->shared_bytes;
	write_line(ahead, "using Product%d = %s;", position + 1, product_type(k, position));
	write_line(ahead,
	           "nnr_recurrent_weights<Product%d>(_chip + %lld, (const %s *)(%s), _place.first_unit);",
	           position + 1, from, a, address(k, position, 1, "matrix"));
	const bool cores = recurrent_tensor_cores(n, k->tf32);
	k->shared_bytes += recurrent_product_bytes(&k->shape, n, cores) +
	                   (copies_of(k, position) - 1) * recurrent_rows_bytes(n, cores);
	if (position == 0)
		k->first_product = from;
	write_line(k->w, "nnr_recurrent_product<Product%d>(_chip + %lld, i, %s, %s, _place);", position + 1,
	           from, place_of(k, position, 0, &t[0], "x"), place_of(k, position, 2, &t[2], "y"));
}

/* Within open_elements: what it does for the units of one thread. */
static void write_map(RecurrenceKernel *k, int position)
{
	const Step *s = step_of(k, 0, position);
	const StepFunction f = step_function(k->arena, k->p, s, k->e->target);
	const int64_t columns =
	        s->shape->domain.outer * s->shape->domain.middle * s->shape->domain.inner / k->shape.rows;
	write_line(k->w, "{ /* %s */", step_formula(k->arena, k->p, s, &f.tensors, FORMULA_MOST));
	write_indent(k->w, 1);
	for (int t = 0; t < f.tensors.count; t++) {
		const Tensor *x = &f.tensors.at[t];
		const char *staged = k->staged[position][t];
		write_line(k->w, "const auto %s = %s;", x->name,
		           staged ? staged : place_of(k, position, t, x, x->name));
	}
	if (columns > k->shape.units) {
		write_line(k->w, "#pragma unroll");
		write_line(k->w, "for (int _part = 0; _part < %lld; _part++) {",
		           (long long)(columns / k->shape.units));
		write_indent(k->w, 1);
		write_line(k->w, "const int i = _row * %lld + _part * %lld + _unit;", (long long)columns,
		           (long long)k->shape.units);
		write_lines(k->w, step_text(k->arena, &f));
		close_braces(k);
	} else {
		write_line(k->w, "const int i = _row * %lld + _unit;", (long long)columns);
		write_lines(k->w, step_text(k->arena, &f));
	}
	close_braces(k);
}

/* The same for columns that are put side by side. */
static void write_concat(RecurrenceKernel *k, int position)
{
	const Step *s = step_of(k, 0, position);
	const Node *n = s->root;
	const Tensors *t = &k->tensors[position];
	const int64_t units = k->shape.units;
	write_line(k->w, "{ /* %s */", step_formula(k->arena, k->p, s, t, FORMULA_MOST));
	write_indent(k->w, 1);
	const char *staged = k->staged[position][n->operand_count];
	write_line(k->w, "const auto _y = %s;",
	           staged ? staged : place_of(k, position, n->operand_count, &t->at[n->operand_count], "y"));
	int64_t first = 0;
	for (int i = 0; i < n->operand_count; i++) {
		const int64_t columns = n->operands[i]->type.dim[1];
		write_line(k->w, "const auto _x%d = %s;", i, place_of(k, position, i, &t->at[i], "x"));
		for (int64_t c = 0; c < columns; c += units)
			write_line(
			        k->w,
			        "nnr_recurrent_at<%lld>(_y, _row, %lld + _unit) = "
			        "nnr_recurrent_at<%lld>(_x%d, _row, "
			        "%lld + _unit);",
			        (long long)recurrence_pitch(k->p, n, n->type.dim[1]), (long long)(first + c),
			        (long long)recurrence_pitch(k->p, n->operands[i], columns), i, (long long)c);
		first += columns;
	}
	close_braces(k);
}

/* The steps of one period. */
static void write_period(RecurrenceKernel *k, Writer *ahead)
{
	const bool *meets = k->meets;
	bool open = false, arrived = false;
	for (int i = 0; i < k->r->period; i++) {
		const bool product = recurs_as_product(step_of(k, 0, i));
		if (open && (product || meets[i])) {
			close_elements(k);
			open = false;
		}
		if (meets[i] && i > 0) {
			write_line(k->w, "nnr_cluster_leave();");
			write_line(k->w, "nnr_cluster_meet();");
		}
		if (product) {
			write_product(k, ahead, i);
			continue;
		}
		if (!arrived && k->early.count > 0)
			write_arrival(k);
		arrived = true;
		if (!open)
			open_elements(k);
		open = true;
		if (recurs_as_concat(step_of(k, 0, i)))
			write_concat(k, i);
		else
			write_map(k, i);
	}
	if (open)
		close_elements(k);
	if (k->sent.count == 0)
		return;
	const char *type = dtype_c_name(step_of(k, 0, 0)->root->operands[0]->type.dtype);
	write_line(k->w, "if (i + 1 < %d) {", k->r->times);
	write_indent(k->w, 1);
	write_line(k->w, "__syncthreads();");
	for (int i = 0; i < k->sent.count; i++) {
		const Sent *s = &k->sent.at[i];
		write_line(k->w,
		           "nnr_recurrent_send<Product1, %d, %lld>(_chip + %lld, i + 1, (const %s *)(_chip + "
		           "%lld), %lld, "
		           "_place);",
		           k->shape.blocks, (long long)s->parts, (long long)k->first_product, type,
		           (long long)s->at, (long long)s->column);
	}
	close_braces(k);
}

static const char *body_of(RecurrenceKernel *k)
{
	Arena *a = k->arena;
	Writer *ahead = writer_new(a), *body = writer_new(a), *late = writer_new(a), *early = writer_new(a);
	stage_all(k);
	write_period(k, ahead);
	write_late(k, late);
	write_early(k, early);
	const bool table = columns_count(k->columns) > 0;
	if (table)
		columns_write(k->columns, body, "Period", "_periods", NULL);
	write_line(body, "NNR_CHIP(_chip, %lld);", (long long)k->shared_bytes);
	write_line(body, "const NnrRecurrencePlace<%d, %lld> _place;", k->shape.blocks,
	           (long long)k->shape.own);
	write_lines(body, writer_text(ahead, NULL));
	write_lines(body, writer_text(k->once, NULL));
	write_line(body, "__syncthreads();");
	if (k->late.count > 0) {
		write_line(body, "const auto _store = [&]([[maybe_unused]] int i%s) {",
		           table ? ", [[maybe_unused]] const Period *at" : "");
		write_indent(body, 1);
		write_lines(body, writer_text(late, NULL));
		write_indent(body, -1);
		write_line(body, "};");
	}
	if (table && k->late.count > 0)
		write_line(body, "Period _last = _periods[0];");
	if (table)
		write_line(body, "Period _next = _periods[0]; /* on its way while a period is computed */");
	write_line(body, "#pragma unroll 1");
	write_line(body, "for (int i = 0; i < %d; i++) {", k->r->times);
	write_indent(body, 1);
	if (table) {
		write_line(body, "[[maybe_unused]] const Period _own = _next, *const at = &_own;");
		write_line(body, "_next = _periods[i + 1 < %d ? i + 1 : i];", k->r->times);
	}
	if (k->meets[0])
		write_line(body, "nnr_cluster_leave();");
	if (k->late.count > 0) {
		write_line(body, "if (i > 0)");
		write_line(body, "\t_store(i - 1%s);", table ? ", &_last" : "");
	}
	write_lines(body, writer_text(early, NULL));
	if (k->meets[0])
		write_line(body, "nnr_cluster_meet();");
	write_lines(body, writer_text(k->w, NULL));
	if (table && k->late.count > 0)
		write_line(body, "_last = _own;");
	write_indent(body, -1);
	write_line(body, "}");
	if (k->late.count > 0)
		write_line(body, "_store(%d%s);", k->r->times - 1, table ? ", &_last" : "");
	return writer_text(body, NULL);
}

/* "lstm_recurrence": after the innermost block of the network. */
static const char *stem_of(Arena *a, const Step *s)
{
	const char *scope = s->sites.count > 0 ? s->sites.at[0]->scope : NULL;
	const char *dot = scope ? strrchr(scope, '.') : NULL, *last = dot ? dot + 1 : scope;
	return c_identifier(a, last && *last ? arena_printf(a, "%s_recurrence", last) : "recurrence");
}

static void note_purpose(const RecurrenceKernel *k, CFunction *f)
{
	Arena *a = k->e->arena;
	double flops = 0;
	const char *what = "";
	for (int i = 0; i < k->r->period; i++) {
		const Step *s = step_of(k, 0, i);
		what = arena_printf(a, "%s%s%s", what, i ? "; " : "", step_label(a, s));
		flops += s->flops * k->r->times;
	}
	f->comment = wrapped_text(a, arena_printf(a, "%d periods of: %s", k->r->times, comment_text(a, what)),
	                          TEXT_WIDTH, " *   ");
	f->places = comment_text(a, sites_text(a, step_of(k, 0, 0)->sites, 8));
	f->measures = arena_printf(a, "[%lld,%lld]  %s  bound: latency", (long long)k->shape.rows,
	                           (long long)k->shape.units, human_count(a, flops, "FLOP"));
}

/* The blocks of memory as a list, with a text ahead of each: "char *_params, char *_arena". */
static const char *blocks_text(Arena *a, const Map *blocks, const char *ahead)
{
	const char *text = "";
	for (int i = 0; i < map_count(blocks); i++)
		text = arena_printf(a, "%s%s%s%s", text, i ? ", " : "", ahead, map_key(blocks, i));
	return text;
}

static const char *host_body(const RecurrenceKernel *k, const char *name)
{
	const int64_t groups = ceil_div(k->shape.rows, RECURRENCE_ROWS);
	return arena_printf(
	        k->e->arena,
	        "static NnrKernel kernel = {.name = \"%s\", .blocks = %lld, .threads = %d, .shared_bytes = "
	        "%lld};\n"
	        "nnr_launch(&kernel, (void *[]){%s});\n",
	        name, (long long)(groups * k->shape.blocks), RECURRENCE_THREADS, (long long)k->shared_bytes,
	        blocks_text(k->arena, k->blocks, "(void *)&m->"));
}

const CFunction *recurrence_function(Emitter *e, const Program *p, const Recurrence *r)
{
	Arena *scratch = arena_new();
	RecurrenceKernel k = {.e = e,
	                      .arena = scratch,
	                      .p = p,
	                      .r = r,
	                      .shape = recurrence_shape(p, r),
	                      .w = writer_new(scratch),
	                      .columns = columns_new(scratch, r->times),
	                      .blocks = map_new(scratch),
	                      .on_chip = map_new(scratch),
	                      .once = writer_new(scratch),
	                      .exchanges = recurrence_exchanges(scratch, p, r),
	                      .meets = recurrence_meetings(scratch, p, r),
	                      .room = target_arch(e->target).shared_bytes,
	                      .tf32 = strcmp(e->compiled->source->recipe->precision, "tf32") == 0};
	find_tensors(&k);
	const char *body = body_of(&k);
	const CFunction wanted = {.label = stem_of(scratch, step_of(&k, 0, 0)),
	                          .head = arena_printf(scratch,
	                                               "extern \"C\" __global__ void __launch_bounds__(%d) "
	                                               "__cluster_dims__(%d)",
	                                               RECURRENCE_THREADS, k.shape.blocks),
	                          .params = blocks_text(scratch, k.blocks, "char *_")};
	CFunction *kernel = families_add(e->kernel_families, scratch, &wanted, NULL, body);
	if (!kernel->name) {
		kernel->name = emit_unique_name(e, kernel->label);
		note_purpose(&k, kernel);
	}
	const CFunction launch = {
	        .label = kernel->name, .head = "static void", .params = "const NnrMemory *m"};
	CFunction *function = families_add(e->families, scratch, &launch, NULL, host_body(&k, kernel->name));
	function->name = kernel->name;
	arena_free(scratch);
	return function;
}

void write_recurrence_call(Emitter *e, const Part *part, int step)
{
	Arena *a = e->arena;
	const Recurrence *r = part->p->steps[step].recurrence;
	const StepCall *calls = part->calls;
	for (int s = step; s < step + r->period * r->times; s++) {
		if (calls[s].waits != NO_NUMBER)
			write_line(e->w, "nnr_branch_wait(%d);", calls[s].waits);
		if (calls[s].bucket_waits != NO_NUMBER)
			write_line(e->w, "nnr_bucket_wait(%d);", calls[s].bucket_waits);
		if (calls[s].scores_wait)
			write_line(e->w, "nnr_scores_wait();");
	}
	int *steps = NEW_ARRAY(a, int, r->period * r->times);
	for (int i = 0; i < r->period * r->times; i++)
		steps[i] = step + i;
	emit_mark(e, part->p, steps, r->period * r->times);
	write_line(e->w, "nnr_step(%d, \"%s  %d periods of %d steps\");", step + 1,
	           comment_text(a, sites_text(a, part->p->steps[step].sites, 4)), r->times, r->period);
	write_line(e->w, "%s(m);", calls[step].function->callee);
}
