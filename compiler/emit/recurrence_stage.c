/* SPDX-License-Identifier: MIT */
/* What a recurrence's maps need not wait for, and what nobody waits for.
 *
 * The blocks of a cluster meet once a period, and after that each thread has a chain of loads, products and functions
 * ahead of it. So what a map reads of earlier periods, or of what was there before, is loaded while the thread waits
 * for the others; and what only its owner, or somebody after the recurrence, reads is stored after the others have been
 * told that the rest is there. In between it is in shared memory, each element where the thread that owns it finds it.
 */
#include "emit/recurrence_kernel.h"

#include "base/checked.h"
#include "codegen/expr.h"
#include "target/target.h"

#include <string.h>

/* The planned buffer that a tensor is, or begins within (codegen/tensors.c makes a view of it). */
static const Buffer *buffer_of_view(const Buffer *b)
{
	return b->inside && b->inside->id == b->id ? b->inside : b;
}

/* How the step's nodes read, or write, the tensor: false where not all do so by their own columns. */
static bool strides_of(const RecurrenceKernel *k, const Step *s, const Tensors *t, const Tensor *x,
                       int64_t *row, int64_t *parts)
{
	bool any = false;
	*row = *parts = 0;
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		const Buffer *own = k->p->of_node[n->id];
		int64_t columns = type_elements(n->type) / k->shape.rows;
		if (x->written && own == x->buffer) {
			if (any)
				return false;
			any = true;
			*row = own->pitch ? own->pitch : columns;
			*parts = columns / k->shape.units;
		}
		for (int m = 0; m < n->operand_count; m++) {
			const char *name = tensor_read_by(t, k->p, n, n->operands[m]);
			int64_t stride, count;
			if (!name || strcmp(name, x->name) != 0 || step_has_node(s, n->operands[m]))
				continue;
			if (x->written || !recurrence_strides(&k->shape, n, n->operands[m], &stride, &count))
				return false;
			if (x->buffer->pitch && stride != 0)
				stride = x->buffer->pitch;
			if (any && stride != *row)
				return false;
			any = true;
			*row = stride;
			*parts = count > *parts ? count : *parts;
		}
	}
	return any && *parts > 0;
}

/* Whether a step of its own period, any of them, writes what is read there, or from `after` on reads it. */
static bool is_of_period(const RecurrenceKernel *k, int position, int tensor, bool read_after)
{
	const Buffer **all = buffers_of(k, position, tensor);
	for (int t = 0; t < k->r->times; t++) {
		const Buffer *matrix = recurrence_matrix(buffer_of_view(all[t]), k->shape.rows);
		for (int i = read_after ? position + 1 : 0; i < k->r->period; i++) {
			const Step *s = step_of(k, t, i);
			Buffer *const *list = read_after ? s->reads : s->writes;
			for (int m = 0; m < (read_after ? s->read_count : s->write_count); m++)
				if (recurrence_matrix(list[m], k->shape.rows) == matrix)
					return true;
		}
	}
	return false;
}

static bool is_same_always(const RecurrenceKernel *k, int position, int tensor)
{
	const Buffer **all = buffers_of(k, position, tensor);
	for (int t = 1; t < k->r->times; t++)
		if (buffer_offset(all[t]) != buffer_offset(all[0]))
			return false;
	return true;
}

static const char *staged_text(const RecurrenceKernel *k, const char *type, int64_t row, int64_t at)
{
	return arena_printf(k->arena, "NnrOwned<%s, %lld, %lld, %lld>(_chip + %lld, _place)", type,
	                    (long long)row, (long long)k->shape.units, (long long)k->shape.own,
	                    (long long)at);
}

/* Room for a tensor's own elements; -1: there is none. */
static int64_t take_room(RecurrenceKernel *k, int64_t elements, DType type)
{
	const int64_t at = k->shared_bytes,
	              bytes = ceil_div(elements * dtype_bytes(type), VECTOR_BYTES) * VECTOR_BYTES;
	if (bytes > k->room)
		return -1;
	k->room -= bytes;
	k->shared_bytes += bytes;
	return at;
}

/* One that is loaded early and is the same; NULL: there is none. */
static Staged *same_early(RecurrenceKernel *k, int position, int tensor, int64_t row)
{
	const Buffer **all = buffers_of(k, position, tensor);
	for (int i = 0; i < k->early.count; i++) {
		Staged *s = &k->early.at[i];
		const Buffer **others = buffers_of(k, s->position, s->tensor);
		int same = 0;
		while (same < k->r->times && buffer_offset(all[same]) == buffer_offset(others[same]) &&
		       strcmp(buffer_block(all[same]), buffer_block(others[same])) == 0)
			same++;
		if (same == k->r->times && s->row == row && all[0]->type.dtype == others[0]->type.dtype)
			return s;
	}
	return NULL;
}

static Sent *sent_of(RecurrenceKernel *k, int position, int tensor)
{
	for (int i = 0; i < k->sent.count; i++)
		if (k->sent.at[i].position == position && k->sent.at[i].tensor == tensor)
			return &k->sent.at[i];
	return NULL;
}

/* Whether a product but a period's first reads the rows that are sent. */
static bool is_read_otherwise(const RecurrenceKernel *k, const Buffer *rows)
{
	for (int s = 0; s < k->r->period * k->r->times; s++) {
		const Step *step = &k->p->steps[k->r->first + s];
		for (int i = 0; i < step->read_count && s % k->r->period > 0 && recurs_as_product(step); i++)
			if (recurrence_matrix(step->reads[i], k->shape.rows) == rows)
				return true;
	}
	return false;
}

/* Finds the maps' tensors that the rows of each period but the first are made of: all of their columns, each once, in
 * vectors that are of one block. */
static void find_sent(RecurrenceKernel *k)
{
	const Node *product = step_of(k, 0, 0)->root;
	const int64_t size = dtype_bytes(product->operands[0]->type.dtype), rows = k->shape.rows,
	              columns = product->operands[0]->type.dim[1],
	              again = recurrent_rows_bytes(product, recurrent_tensor_cores(product, k->tf32));
	int64_t covered = 0, bytes = again;
	if (!k->meets[0] || k->shape.units * size % VECTOR_BYTES != 0 || columns % k->shape.units != 0)
		return;
	for (int i = 1; i < k->r->period; i++) {
		const Step *s = step_of(k, 0, i);
		const Tensors *t = &k->tensors[i];
		for (int m = 0; m < t->count && !recurs_as_product(s); m++) {
			const Buffer **all = buffers_of(k, i, m), **next = buffers_of(k, 0, 0);
			const int64_t own = type_elements(all[0]->type) / rows;
			int same = 0;
			if (!t->at[m].written || own % k->shape.units != 0 || all[0]->class == BUFFER_CHIP)
				continue;
			const Buffer *first = recurrence_matrix(next[1], rows);
			const int64_t column = (buffer_offset(all[0]) - buffer_offset(first)) / size;
			for (; same + 1 < k->r->times; same++) {
				const Buffer *matrix = recurrence_matrix(all[same], rows),
				             *wanted = recurrence_matrix(next[same + 1], rows);
				if (matrix != wanted || next[same + 1] != wanted ||
				    buffer_offset(all[same]) - buffer_offset(matrix) != column * size ||
				    is_read_otherwise(k, matrix))
					break;
			}
			if (same + 1 < k->r->times || is_of_period(k, i, m, true))
				continue;
			array_push(k->arena, &k->sent, ((Sent){i, m, column, own / k->shape.units, -1}));
			covered += own;
			bytes += RECURRENCE_ROWS * own / k->shape.units * k->shape.own * size;
		}
	}
	if (covered != columns || bytes > k->room)
		k->sent.count = 0;
	else
		k->room -= again;
}

/* C text of the tensor of a map in shared memory; NULL: it stays where it is. */
static const char *stage(RecurrenceKernel *k, int position, int tensor)
{
	const Tensors *t = &k->tensors[position];
	const Tensor *x = &t->at[tensor];
	const char *type = dtype_c_name(x->dtype);
	const int64_t own = k->shape.own;
	int64_t row, parts;
	if (!strides_of(k, step_of(k, 0, position), t, x, &row, &parts) ||
	    (!x->written && is_of_period(k, position, tensor, false)))
		return NULL;
	if (row == 0) {
		int64_t at = is_same_always(k, position, tensor) ? take_room(k, parts * own, x->dtype) : -1;
		if (at < 0)
			return NULL;
		const char *text =
		        arena_printf(k->arena, "NnrOwnedColumns<%s, %lld, %lld>(_chip + %lld, _place)", type,
		                     (long long)k->shape.units, (long long)own, (long long)at);
		write_line(k->once, "%s.load<%lld>((const %s *)(%s));", text, (long long)parts, type,
		           address(k, position, tensor, x->name));
		return text;
	}
	const Buffer *matrix = recurrence_matrix(buffer_of_view(x->buffer), k->shape.rows);
	Sent *sent = sent_of(k, position, tensor);
	if (x->written && !sent &&
	    (!k->meets[0] || k->exchanges[matrix->id] || is_of_period(k, position, tensor, true)))
		return NULL;
	const Staged *known = x->written ? NULL : same_early(k, position, tensor, row);
	if (known)
		return known->parts >= parts ? staged_text(k, type, row, known->at) : NULL;
	const Staged staged = {type,
	                       x->name,
	                       position,
	                       tensor,
	                       row,
	                       parts,
	                       take_room(k, RECURRENCE_ROWS * parts * own, x->dtype)};
	if (staged.at < 0)
		return NULL;
	if (sent)
		sent->at = staged.at;
	if (x->written)
		array_push(k->arena, &k->late, staged);
	else
		array_push(k->arena, &k->early, staged);
	return staged_text(k, type, row, staged.at);
}

void stage_all(RecurrenceKernel *k)
{
	k->staged = NEW_ARRAY(k->arena, const char **, k->r->period);
	for (int i = 0; i < k->r->period; i++) {
		const Step *s = step_of(k, 0, i);
		if (recurs_as_product(s))
			k->room -= recurrent_product_bytes(&k->shape, s->root,
			                                   recurrent_tensor_cores(s->root, k->tf32));
		for (int m = 0; m < s->write_count; m++)
			if (s->writes[m]->class == BUFFER_CHIP)
				k->room -= recurrence_owned_bytes(&k->shape, s->writes[m]->type);
	}
	for (int i = 0; i < k->r->period; i++)
		k->staged[i] = NEW_ARRAY(k->arena, const char *, k->tensors[i].count);
	find_sent(k);
	bool all = true;
	for (int i = 0; i < k->sent.count; i++) { /* first, while there is room */
		const Sent *x = &k->sent.at[i];
		k->staged[x->position][x->tensor] = stage(k, x->position, x->tensor);
		all = all && k->sent.at[i].at >= 0;
	}
	require(all);
	for (int i = 0; i < k->r->period; i++) {
		const Tensors *t = &k->tensors[i];
		for (int m = 0; m < t->count && step_of(k, 0, i)->kind == STEP_KERNEL; m++)
			if (t->at[m].buffer->class != BUFFER_CHIP && !sent_of(k, i, m))
				k->staged[i][m] = stage(k, i, m);
	}
}

/* Opens the loop over the parts of a thread's elements; of one alone there is none. */
static void open_parts(RecurrenceKernel *k, const Staged *s)
{
	if (s->parts == 1)
		return;
	write_line(k->w, "#pragma unroll");
	write_line(k->w, "for (int _part = 0; _part < %lld; _part++)", (long long)s->parts);
	write_indent(k->w, 1);
}

static void close_parts(RecurrenceKernel *k, const Staged *s)
{
	write_indent(k->w, s->parts > 1 ? -1 : 0);
}

/* The column of the part's element. */
static const char *column_of(const RecurrenceKernel *k, const Staged *s)
{
	return s->parts == 1 ? "_unit"
	                     : arena_printf(k->arena, "_part * %lld + _unit", (long long)k->shape.units);
}

/* The register of the part's element, number `i` of those that are loaded early. */
static const char *early_text(const RecurrenceKernel *k, int i)
{
	return arena_printf(k->arena, "_early%d%s%s", i, turns_of(k) > 1 ? "[_turn]" : "",
	                    k->early.at[i].parts > 1 ? "[_part]" : "");
}

/* Writes into `to` what stands in the loop over a thread's elements, once for each of `list`: `each` has its type, its
 * number, its address, and its place in shared memory. */
static void write_staged(RecurrenceKernel *k, Writer *to, const Staged *list, int count, bool early)
{
	Writer *outer = k->w;
	k->w = to;
	open_elements(k);
	for (int i = 0; i < count; i++) {
		const Staged *s = &list[i];
		const char *at = address(k, s->position, s->tensor, s->name), *column = column_of(k, s);
		open_parts(k, s);
		if (early)
			write_line(k->w, "%s = ((const %s *)(%s))[(int64_t)_row * %lld + %s];",
			           early_text(k, i), s->type, at, (long long)s->row, column);
		else
			write_line(k->w, "((%s *)(%s))[(int64_t)_row * %lld + %s] = %s.at(_row, %s);",
			           s->type, at, (long long)s->row, column,
			           staged_text(k, s->type, s->row, s->at), column);
		close_parts(k, s);
	}
	close_elements(k);
	k->w = outer;
}

void write_arrival(RecurrenceKernel *k)
{
	open_elements(k);
	for (int i = 0; i < k->early.count; i++) {
		const Staged *s = &k->early.at[i];
		open_parts(k, s);
		write_line(k->w, "%s.at(_row, %s) = %s;", staged_text(k, s->type, s->row, s->at),
		           column_of(k, s), early_text(k, i));
		close_parts(k, s);
	}
	close_elements(k);
}

void write_early(RecurrenceKernel *k, Writer *to)
{
	const char *turns = turns_of(k) > 1 ? arena_printf(k->arena, "[%lld]", (long long)turns_of(k)) : "";
	for (int i = 0; i < k->early.count; i++) {
		const Staged *s = &k->early.at[i];
		const char *parts = s->parts > 1 ? arena_printf(k->arena, "[%lld]", (long long)s->parts) : "";
		write_line(to, "%s _early%d%s%s;", s->type, i, turns, parts);
	}
	if (k->early.count > 0)
		write_staged(k, to, k->early.at, k->early.count, true);
}

void write_late(RecurrenceKernel *k, Writer *to)
{
	if (k->late.count > 0)
		write_staged(k, to, k->late.at, k->late.count, false);
}
