/* SPDX-License-Identifier: MIT */
/* Offsets in the arena. Two buffers share memory when no step needs both.
 *
 * First, in place: a kernel that reads a buffer for the last time, element by element, writes its result there. Then
 * the largest buffer is placed first, each at the lowest offset where it overlaps no placed buffer alive at the same
 * time; this comes within a few percent of the lower bound (the largest sum of live bytes), which is reported. */
#include "base/checked.h"
#include "codegen/op_loops.h"
#include "base/diag.h"
#include "ir/program.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"
#include "passes/series.h"
#include <stdlib.h>

enum {
	ALIGNMENT = 64,
	/* Steps for which the operands of a step of the branch stay: the chain waits where it overwrites them, and a
	 * part of the update in the branch holds that up for some fifty steps. On an H200 a step of ResNet-50 at 32x32
	 * in bf16 takes 1.491 ms with 100 and 1.576 with 24, of 236 and 223 MB.
	 *
	 * Fewer where they would take more than this: large tensors are those of steps that fill the device by
	 * themselves, and take so long that the branch is few of them late. VGG-16 at batch 256 in bf16 would need
	 * 17.7 GB for 8.8. */
	BRANCH_WINDOW = 100,
	WINDOW_BYTES = 64 << 20, /* or of what is alive without any: */
	WINDOW_SHARE = 32,
	/* What addresses which follow from a number may cost: so much of the arena, or */
	SERIES_SHARE = 32,
	SERIES_BYTES = 1 << 20,
};

static void touch(Buffer *b, int step)
{
	Buffer *root = buffer_root(b);
	if (root->first < 0)
		root->first = step;
	if (step > root->last)
		root->last = step;
}

/* `window`: steps for which the operands of a step of the branch stay. */
static void find_lifetimes(Program *p, int window)
{
	for (int i = 0; i < p->buffer_count; i++)
		p->buffers[i]->first = p->buffers[i]->last = -1;
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		const Recurrence *r = step->recurrence;
		/* a step of the branch may still run while the next ones do: its operands and its workspace stay; and
		 * of a recurrence some rows may be in the last period while others are in the first */
		int from = r ? r->first : s, until = r              ? r->first + r->period * r->times - 1
		                                     : step->branch ? s + window
		                                                    : s;
		until = until < p->step_count ? until : p->step_count - 1;
		for (int i = 0; i < step->write_count; i++) {
			touch(step->writes[i], from);
			touch(step->writes[i], until);
		}
		for (int i = 0; i < step->read_count; i++)
			touch(step->reads[i], until);
	}
	for (int i = 0; i < p->buffer_count; i++) {
		if (p->buffers[i]->to_end)
			p->buffers[i]->last = p->step_count;
		/* a pack is read as a whole, and so lives from its first part on */
		if (buffer_in_arena(p->buffers[i]) && p->buffers[i]->first < 0) {
			p->buffers[i]->first = 0;
			p->buffers[i]->last = p->buffers[i]->to_end ? p->step_count : 0;
		}
	}
}

static int64_t padded(int64_t bytes)
{
	int64_t out = 0;
	require(checked_round_up(bytes, ALIGNMENT, &out));
	return out;
}

/* The largest sum of live bytes, at *step. */
static int64_t most_alive(const Program *p, int *step)
{
	Arena *scratch = arena_new();
	int64_t live = 0, most = 0,
	        *change = NEW_ARRAY(scratch, int64_t, p->step_count + 2); /* of live bytes, by step */
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (b->inside || !buffer_in_arena(b))
			continue;
		change[b->first] += padded(b->bytes);
		change[b->last + 1] -= padded(b->bytes);
	}
	for (int s = 0; s < p->step_count; s++) {
		live += change[s];
		if (live > most) {
			most = live;
			*step = s;
		}
	}
	arena_free(scratch);
	return most;
}

/* With as long a window as there is memory for. */
static void find_all_lifetimes(Program *p)
{
	int at;
	find_lifetimes(p, 0);
	const int64_t least = most_alive(p, &at);
	const int64_t share = least / WINDOW_SHARE,
	              most = least + (share > WINDOW_BYTES ? share : WINDOW_BYTES);
	int window = BRANCH_WINDOW;
	for (find_lifetimes(p, window); window > 0 && most_alive(p, &at) > most; find_lifetimes(p, window))
		window = window * 3 / 4;
}

static bool reduces(const Step *s)
{
	for (int i = 0; i < s->node_count; i++)
		if (s->nodes[i]->op->flags & OP_REDUCE)
			return true;
	return false;
}

/* True when a kernel with reductions computes `to` in its last phase, where a thread writes what it alone has read:
 * rows, or slabs of columns, that stay on chip. */
static bool written_behind_reads(const Program *p, const Step *s, const Buffer *to)
{
	const KernelShape *shape = s->shape;
	if (!shape || s->root)
		return false;
	bool slabs = shape->phases > 1 && shape->domain.inner > 1;
	if (!shape->resident && !slabs)
		return false;
	for (int i = 0; i < s->node_count; i++)
		if (p->of_node[s->nodes[i]->id] == to)
			return shape->level[i] == LEVEL_FULL && shape->phase[i] == shape->phases - 1;
	return false;
}

/* True when the step reads `from` only at the very element it then writes of `to`. */
static bool element_by_element(const Program *p, const Step *s, const Buffer *from, const Buffer *to)
{
	if (s->kind == STEP_LIBRARY || step_moves(s) || (reduces(s) && !written_behind_reads(p, s, to)))
		return false;
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		for (int k = 0; k < n->operand_count; k++) {
			const Buffer *b = p->of_node[n->operands[k]->id];
			bool reads = b && buffer_root((Buffer *)b) == buffer_root((Buffer *)from);
			bool elsewhere = n == s->root ||
			                 (!(n->op->flags & OP_REDUCE) &&
			                  type_elements(n->type) != type_elements(n->operands[k]->type));
			bool allowed = n == s->root && p->one_block && op_loops(n->op)->block_overwrites &&
			               op_loops(n->op)->block_overwrites(n, k);
			if (reads && elsewhere && !allowed)
				return false;
		}
	}
	return type_elements(from->type) == type_elements(to->type);
}

static void work_in_place(Program *p)
{
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		for (int w = 0; w < step->write_count; w++) {
			Buffer *to = step->writes[w];
			if (to->inside || (to->class != BUFFER_ACTIVATION && to->class != BUFFER_OUTPUT) ||
			    to->first != s)
				continue;
			for (int r = 0; r < step->read_count; r++) {
				Buffer *from = buffer_root(step->reads[r]);
				if (from->class != BUFFER_ACTIVATION || from->last != s || from->to_end ||
				    from == to || from->bytes != to->bytes || from->pitch != to->pitch ||
				    from->type.dtype != to->type.dtype ||
				    !element_by_element(p, step, from, to))
					continue;
				to->inside = from;
				to->bytes = buffer_bytes(to); /* without the gap after its last row */
				from->last = to->last;
				from->to_end = to->to_end;
				break;
			}
		}
	}
}

/* What is placed as one: a buffer, or those of a series. */
typedef struct Item {
	Buffer *const *buffers;
	int count, slots, number;
	int first, last;
	int64_t size;          /* by which items are sorted */
	int64_t stride, bytes; /* of a slot, of all */
	int64_t offset;
} Item;

typedef ARRAY(Item) Items;

static int larger_first(const void *x, const void *y)
{
	const Item *a = x, *b = y;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->number - b->number;
}

/* What of a placed item the others are compared with: side by side, as they are many. */
typedef struct Placed {
	int64_t offset, end;
	int first, last;
} Placed;

/* Puts `b` among those that are placed, which are sorted by offset. */
static void place_item(Placed *placed, int count, Item *b)
{
	int64_t at = 0;
	for (int k = 0; k < count; k++) {
		const Placed *other = &placed[k];
		if (other->first > b->last || b->first > other->last)
			continue;
		if (other->offset - at >= b->bytes)
			break;
		if (other->end > at)
			at = other->end;
	}
	b->offset = at;
	int rank = count;
	for (; rank > 0 && placed[rank - 1].offset > at; rank--)
		placed[rank] = placed[rank - 1];
	placed[rank] = (Placed){at, at + b->bytes, b->first, b->last};
}

/* Returns the bytes of the arena. */
static int64_t place_items(Arena *scratch, Items *items)
{
	Placed *placed = NEW_ARRAY(scratch, Placed, items->count);
	int64_t bytes = 0;
	if (items->count > 0)
		qsort(items->at, (size_t)items->count, sizeof *items->at, larger_first);
	for (int i = 0; i < items->count; i++) {
		place_item(placed, i, &items->at[i]);
		int64_t end = items->at[i].offset + items->at[i].bytes;
		bytes = end > bytes ? end : bytes;
	}
	return bytes;
}

static void add_item(Arena *scratch, Items *items, Buffer *const *buffers, int count, int slots)
{
	Item item = {.buffers = buffers, .count = count, .slots = slots, .number = items->count};
	item.first = buffers[0]->first;
	item.last = buffers[0]->last;
	item.stride = padded(buffers[0]->bytes);
	for (int i = 0; i < count; i++) {
		item.first = buffers[i]->first < item.first ? buffers[i]->first : item.first;
		item.last = buffers[i]->last > item.last ? buffers[i]->last : item.last;
	}
	require(checked_mul(item.stride, slots, &item.bytes));
	item.size = slots == 1 ? buffers[0]->bytes : item.bytes;
	array_push(scratch, items, item);
}

/* Each buffer by itself, but for those of the series. */
static Items items_of(Arena *scratch, Program *p, const SeriesList *series)
{
	Items items = {0};
	bool *taken = NEW_ARRAY(scratch, bool, p->buffer_count);
	for (int i = 0; i < series->count; i++) {
		const Series *s = &series->at[i];
		add_item(scratch, &items, s->at, s->count, s->slots);
		for (int k = 0; k < s->count; k++)
			taken[s->at[k]->id] = true;
	}
	for (int i = 0; i < p->buffer_count; i++)
		if (!p->buffers[i]->inside && buffer_in_arena(p->buffers[i]) && !taken[i])
			add_item(scratch, &items, &p->buffers[i], 1, 1);
	return items;
}

static bool is_much_more(int64_t bytes, int64_t least)
{
	const int64_t share = least / SERIES_SHARE;
	return bytes > least + (share > SERIES_BYTES ? share : SERIES_BYTES);
}

/* With series, unless what lives as long as the longest of its series then needs more memory. */
static void place(Program *p)
{
	Arena *scratch = arena_new();
	const SeriesList none = {0}, series = p->one_block ? none : find_series(scratch, p);
	Items items = items_of(scratch, p, &series);
	p->lower_bound = most_alive(p, &p->peak_step);
	p->arena_bytes = place_items(scratch, &items);
	if (series.count > 0 && is_much_more(p->arena_bytes, p->lower_bound)) {
		Items apart = items_of(scratch, p, &none);
		int64_t bytes = place_items(scratch, &apart);
		if (is_much_more(p->arena_bytes, bytes)) {
			items = apart;
			p->arena_bytes = bytes;
		}
	}
	for (int i = 0; i < items.count; i++)
		for (int k = 0; k < items.at[i].count; k++)
			items.at[i].buffers[k]->offset =
			        items.at[i].offset + k % items.at[i].slots * items.at[i].stride;
	arena_free(scratch);
}

Program *pass_assign_buffers(PassContext *ctx, const Program *before)
{
	Program *p = program_copy(ctx->arena, before);
	find_all_lifetimes(p);
	work_in_place(p);
	place(p);
	p->planned = true;
	return p;
}
