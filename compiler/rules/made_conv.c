/* SPDX-License-Identifier: MIT */
/* What rules make of convolutions that are written out: make_NAME is `-> @NAME(...)`. */
#include "ir/op.h"
#include "rules/rules.h"

#include <string.h>

RuleMaker make_depthwise, make_conv_with_border;

enum { MOST_TAPS = 64, FEWEST_TAPS = 3, PLACES = 2 /* height and width; of a sequence the first alone */ };

/* A part of an image or a sequence, from a place on, times a number for each channel. */
typedef struct Tap {
	const Node *image, *weight;
	int64_t at[PLACES];
} Tap;

typedef struct Taps {
	Tap at[MOST_TAPS];
	int count;
} Taps;

/* What slices along height and width cut x out of; *at: from where. */
static const Node *image_of(const Node *x, int64_t at[PLACES])
{
	at[0] = at[1] = 0;
	for (; x->op->move == MOVE_SLICE; x = x->operands[0]) {
		const int64_t axis = node_int(x, "axis");
		if (axis < 1 || axis > x->type.rank - 2)
			return NULL;
		at[axis - 1] += node_int(x, "start");
	}
	return x;
}

/* Whether n is a tap of n's shape. */
static bool find_tap(const Node *n, Tap *tap)
{
	const int rank = n->type.rank;
	if (!node_is(n, "mul") || rank < 3 || rank > 4)
		return false;
	for (int i = 0; i < 2; i++) {
		const Node *x = n->operands[i], *w = n->operands[1 - i];
		const int64_t channels = n->type.dim[rank - 1];
		if (!shape_equal(x->type, n->type) || type_elements(w->type) != channels ||
		    w->type.rank < 1 || w->type.dim[w->type.rank - 1] != channels)
			continue;
		tap->weight = w;
		tap->image = image_of(x, tap->at);
		return tap->image != NULL;
	}
	return false;
}

/* The taps that n is the sum of, in the order in which they are added; false: something else is added. */
static bool find_taps(const Rules *r, const Node *n, Taps *taps)
{
	const Node *left[MOST_TAPS] = {n}; /* each is a tap at least */
	for (int count = 1; count > 0;) {
		const Node *x = left[--count];
		if (count + taps->count >= MOST_TAPS)
			return false;
		if (node_is(x, "add")) {
			if (count + 2 > MOST_TAPS)
				return false;
			left[count++] = x->operands[1];
			left[count++] = x->operands[0];
			continue;
		}
		if (r->uses[x->id] > 1 || !find_tap(x, &taps->at[taps->count]) ||
		    taps->at[taps->count].image != taps->at[0].image)
			return false;
		taps->count++;
	}
	return true;
}

/* The window of the taps: from which place on, and how large. places[i] is the tap of its place i. False: it has
 * gaps. */
static bool find_window(const Taps *taps, int64_t first[PLACES], int64_t size[PLACES], int places[MOST_TAPS])
{
	for (int k = 0; k < PLACES; k++) {
		int64_t last = first[k] = taps->at[0].at[k];
		for (int i = 1; i < taps->count; i++) {
			const int64_t at = taps->at[i].at[k];
			first[k] = at < first[k] ? at : first[k];
			last = at > last ? at : last;
		}
		size[k] = last - first[k] + 1;
	}
	if (size[0] > MOST_TAPS || size[1] > MOST_TAPS || size[0] * size[1] != taps->count)
		return false;
	for (int i = 0; i < taps->count; i++)
		places[i] = -1;
	for (int i = 0; i < taps->count; i++) {
		const int64_t *at = taps->at[i].at;
		places[(at[0] - first[0]) * size[1] + at[1] - first[1]] = i;
	}
	for (int i = 0; i < taps->count; i++)
		if (places[i] < 0)
			return false;
	return true;
}

/* What x is a run of elements of, from *offset on. */
static const Node *run_of(const Node *x, int64_t *offset)
{
	for (*offset = 0; x->op->flags & OP_RESHAPES || x->op->move == MOVE_SLICE; x = x->operands[0]) {
		if (x->op->flags & OP_RESHAPES)
			continue;
		const int axis = (int)node_int(x, "axis");
		int64_t inner = 1;
		for (int i = 0; i < x->type.rank; i++) {
			if (i < axis && x->type.dim[i] > 1)
				return x;
			inner *= i > axis ? x->type.dim[i] : 1;
		}
		*offset += node_int(x, "start") * inner;
	}
	return x;
}

/* The weights of all places, [places, channels]: one tensor as it is, or several below one another. */
static Node *weights_of(const Rules *r, Build *b, const Taps *taps, const int *places, int64_t channels)
{
	const int64_t all[] = {taps->count, channels}, one[] = {1, channels};
	int64_t offset;
	const Node *whole = run_of(taps->at[places[0]].weight, &offset);
	bool is_whole = type_elements(whole->type) == all[0] * channels;
	Node *rows[MOST_TAPS];
	for (int i = 0; i < taps->count; i++) {
		const Node *weight = taps->at[places[i]].weight;
		is_whole = is_whole && run_of(weight, &offset) == whole && offset == i * channels;
		rows[i] = r->now[weight->id];
	}
	if (is_whole)
		return build_reshape(b, r->now[whole->id], 2, all);
	for (int i = 0; i < taps->count; i++)
		rows[i] = build_reshape(b, rows[i], 2, one);
	return build_concat(b, 0, taps->count, rows);
}

/* A sum of shifted parts of an image, each times a number for each channel: a convolution of each channel by
 * itself. */
Node *make_depthwise(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type t = n->type;
	Taps taps = {.count = 0}, more = {.count = 0};
	const NodeList *users = &r->users[n->id];
	int64_t first[PLACES], size[PLACES];
	int places[MOST_TAPS];
	if (!find_taps(r, n, &taps) || taps.count < FEWEST_TAPS || !find_window(&taps, first, size, places) ||
	    (users->count == 1 && node_is(users->at[0], "add") && find_taps(r, users->at[0], &more)))
		return NULL;
	const int64_t channels = t.dim[t.rank - 1];
	Node *image = r->now[taps.at[0].image->id];
	for (int k = 0; k < t.rank - 2; k++) {
		const int64_t extent = t.dim[1 + k] + size[k] - 1;
		if (first[k] > 0 || extent < image->type.dim[1 + k])
			image = build_slice(b, image, 1 + k, first[k], extent);
	}
	Node *weight = build_transpose(b, weights_of(r, b, &taps, places, channels), (int64_t[]){1, 0});
	weight = build_reshape(b, weight, 4, (int64_t[]){channels, size[0], size[1], 1});
	const Type seen = image->type;
	image = build_reshape(
	        b, image, 4,
	        (int64_t[]){seen.dim[0], seen.dim[1], seen.rank == 4 ? seen.dim[2] : 1, channels});
	const int64_t pairs[2] = {1, 1}, none[4] = {0};
	const Attr attrs[] = {attr_ints("stride", pairs, 2), attr_ints("pad", none, 4),
	                      attr_ints("dilation", pairs, 2), attr_int("groups", channels)};
	Node *y = build(b, "conv", 2, (Node *[]){image, weight}, 4, attrs);
	return build_reshape(b, y, t.rank, t.dim);
}

/* Zeros around an image, or ahead of a sequence as causal convolutions have them, as the border of the convolution: it
 * reads x where it lies, and its gradient is that of x. A sequence is an image of width 1. Only of less than the
 * window's extent on each side: beyond that a window meets nothing but zeros, which libraries need not take. */
Node *make_conv_with_border(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *pad = node_unshaped(x[0].node);
	const Type t = pad->type, seen = x[0].node->type;
	const bool sequence =
	        t.rank == 3 && seen.dim[0] == t.dim[0] && seen.dim[1] == t.dim[1] && seen.dim[2] == 1;
	const int64_t axis = pad->op->move == MOVE_PAD ? node_int(pad, "axis") : 0, i = axis - 1;
	if ((!shape_equal(t, seen) && !sequence) || axis < 1 || axis > (sequence ? 1 : 2))
		return NULL;
	int count;
	const int64_t before = node_int(pad, "before"), after = node_int(pad, "after");
	const int64_t extent = (x[1].node->type.dim[axis] - 1) * node_ints(n, "dilation", &count)[i] + 1;
	int64_t border[4], dim[4] = {seen.dim[0], seen.dim[1], seen.dim[2], seen.dim[3]};
	memcpy(border, node_ints(n, "pad", &count), sizeof border);
	border[i] += before;
	border[i + 2] += after;
	if (border[i] >= extent || border[i + 2] >= extent)
		return NULL;
	dim[axis] -= before + after;
	Node *image = build_reshape(b, r->now[pad->operands[0]->id], 4, dim);
	const Attr *attrs = node_attrs_with(b->graph->arena, n, attr_ints("pad", border, 4), &count);
	return build(b, "conv", 2, (Node *[]){image, x[1].made}, count, attrs);
}
