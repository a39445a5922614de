/* SPDX-License-Identifier: MIT */
/* Marks of bytes: see buffer_marks.h.
 *
 * The places where buffers begin and end cut a block into pieces, and a tree over the pieces has the marks: setting and
 * asking take the logarithm of the number of buffers. Comparing each pair of steps took a third of the time of a deep
 * network. */
#include "program/buffer_marks.h"

#include <stdlib.h>

/* As buffers_share_bytes has them. Of what is on chip a buffer shares all with what is inside it, nothing with others:
 * its root's id is its only byte. */
enum { INPUTS, PARAMETERS, STATES, ARENA, CHIP, BLOCKS };

/* Node 1 is the whole block, 2 i and 2 i + 1 are the halves of node i, `leaves` + k is the piece from place k to the
 * next. A mark plus 1; 0: none. */
typedef struct Block {
	int64_t *places; /* in order, each once */
	int count;
	int leaves;   /* a power of two */
	int *whole;   /* by node: the largest mark set of all of it at once */
	int *largest; /* by node: the largest of any piece of it, but for marks of the nodes above */
} Block;

struct BufferMarks {
	Block blocks[BLOCKS];
};

typedef struct Extent {
	int block;
	int64_t first, end;
} Extent;

static Extent extent_of(Buffer *b)
{
	const Buffer *root = buffer_root(b);
	switch (root->class) {
	case BUFFER_CHIP:
		return (Extent){CHIP, root->id, root->id + 1};
	case BUFFER_INPUT:
	case BUFFER_PARAMETER:
	case BUFFER_STATE: {
		const int block = root->class == BUFFER_INPUT       ? INPUTS
		                  : root->class == BUFFER_PARAMETER ? PARAMETERS
		                                                    : STATES;
		return (Extent){block, buffer_offset(b), buffer_offset(b) + b->bytes};
	}
	default:
		return (Extent){ARENA, buffer_offset(b), buffer_offset(b) + b->bytes};
	}
}

static int place_order(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
	return (a > b) - (a < b);
}

BufferMarks *buffer_marks_new(Arena *a, const Program *p)
{
	BufferMarks *m = NEW(a, BufferMarks);
	int counts[BLOCKS] = {0};
	for (int i = 0; i < p->buffer_count; i++)
		counts[extent_of(p->buffers[i]).block] += 2;
	for (int i = 0; i < BLOCKS; i++)
		m->blocks[i].places = NEW_ARRAY(a, int64_t, counts[i]);
	for (int i = 0; i < p->buffer_count; i++) {
		const Extent e = extent_of(p->buffers[i]);
		Block *block = &m->blocks[e.block];
		block->places[block->count++] = e.first;
		block->places[block->count++] = e.end;
	}
	for (int i = 0; i < BLOCKS; i++) {
		Block *block = &m->blocks[i];
		if (block->count == 0)
			continue;
		qsort(block->places, (size_t)block->count, sizeof *block->places, place_order);
		int count = 1;
		for (int k = 1; k < block->count; k++)
			if (block->places[k] != block->places[count - 1])
				block->places[count++] = block->places[k];
		block->count = count;
		for (block->leaves = 1; block->leaves < count;)
			block->leaves *= 2;
		block->whole = NEW_ARRAY(a, int, 2 * block->leaves);
		block->largest = NEW_ARRAY(a, int, 2 * block->leaves);
	}
	return m;
}

static int leaf_at(const Block *block, int64_t place)
{
	const int64_t *found =
	        bsearch(&place, block->places, (size_t)block->count, sizeof place, place_order);
	require(found);
	return block->leaves + (int)(found - block->places);
}

static int larger(int x, int y)
{
	return x > y ? x : y;
}

void buffer_mark(BufferMarks *m, Buffer *b, int mark)
{
	const Extent e = extent_of(b);
	Block *block = &m->blocks[e.block];
	const int first = leaf_at(block, e.first), end = leaf_at(block, e.end);
	for (int l = first, r = end; l < r; l /= 2, r /= 2) {
		const int nodes[] = {l % 2 ? l++ : 0, r % 2 ? --r : 0}; /* no node is 0 */
		for (int i = 0; i < 2; i++) {
			block->whole[nodes[i]] = larger(block->whole[nodes[i]], mark + 1);
			block->largest[nodes[i]] = larger(block->largest[nodes[i]], mark + 1);
		}
	}
	/* what is above what was set is above the first piece or the last one */
	for (int i = 0; i < 2; i++)
		for (int at = (i ? end - 1 : first) / 2; at > 0; at /= 2)
			block->largest[at] = larger(
			        block->whole[at], larger(block->largest[2 * at], block->largest[2 * at + 1]));
}

int buffer_largest_mark(const BufferMarks *m, Buffer *b)
{
	const Extent e = extent_of(b);
	const Block *block = &m->blocks[e.block];
	const int first = leaf_at(block, e.first), end = leaf_at(block, e.end);
	int mark = 0;
	for (int l = first, r = end; l < r; l /= 2, r /= 2) {
		if (l % 2)
			mark = larger(mark, block->largest[l++]);
		if (r % 2)
			mark = larger(mark, block->largest[--r]);
	}
	for (int i = 0; i < 2; i++)
		for (int at = (i ? end - 1 : first) / 2; at > 0; at /= 2)
			mark = larger(mark, block->whole[at]);
	return mark - 1;
}
