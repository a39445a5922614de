/* SPDX-License-Identifier: MIT */
/* Forms in ONNX of what moves elements. */
#include "onnx/forms.h"
#include "ops/fold.h"

static const char *reshape_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	return onnx_reshape(o, onnx_plain(o, n->operands[0]), n);
}

static const char *transpose_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	const char *x = onnx_plain(o, n->operands[0]);
	return onnx_call(o, "Transpose", onnx_text(o, "perm=%s", onnx_list(o, axes, count)), 1, &x);
}

static const char *concat_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int64_t axis = node_int(n, "axis");
	bool images = n->type.rank == 4 && axis == 3;
	const char *joined = images ? onnx_first(o, n->operands[0]) : onnx_plain(o, n->operands[0]);
	*channels_first = images;
	for (int i = 1; i < n->operand_count; i++) {
		const Node *x = n->operands[i];
		const char *operands[] = {joined, images ? onnx_first(o, x) : onnx_plain(o, x)};
		joined = onnx_call(o, "Concat", onnx_text(o, "axis=%lld", images ? 1LL : (long long)axis), 2,
		                   operands);
	}
	return joined;
}

static const char *slice_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int64_t axis = node_int(n, "axis"), start = node_int(n, "start"), end = start + node_int(n, "count");
	const char *operands[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, &start, 1),
	                          onnx_ints(o, &end, 1), onnx_ints(o, &axis, 1)};
	return onnx_call(o, "Slice", "", 4, operands);
}

/* One element along each axis but the last, the channels. */
static const char *first_place_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const int rank = n->type.rank - 1;
	int64_t starts[LIMIT_RANK], ends[LIMIT_RANK], axes[LIMIT_RANK];
	for (int i = 0; i < rank; i++)
		starts[i] = 0, ends[i] = 1, axes[i] = i;
	const char *operands[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, starts, rank),
	                          onnx_ints(o, ends, rank), onnx_ints(o, axes, rank)};
	return onnx_call(o, "Slice", "", 4, operands);
}

static const char *pad_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int64_t axis = node_int(n, "axis"), pads[2 * LIMIT_RANK] = {0};
	pads[axis] = node_int(n, "before");
	pads[n->type.rank + axis] = node_int(n, "after");
	const char *operands[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, pads, 2 * n->type.rank)};
	return onnx_call(o, "Pad", "", 2, operands);
}

static const char *flip_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int64_t axis = node_int(n, "axis"), first = -1, end = INT64_MIN, by = -1;
	const char *operands[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, &first, 1),
	                          onnx_ints(o, &end, 1), onnx_ints(o, &axis, 1), onnx_ints(o, &by, 1)};
	return onnx_call(o, "Slice", "", 5, operands);
}

static const char *part_onnx(Onnx *o, const char *x, int64_t axis, int64_t from, int64_t to)
{
	const char *operands[] = {x, onnx_ints(o, &from, 1), onnx_ints(o, &to, 1), onnx_ints(o, &axis, 1)};
	return onnx_call(o, "Slice", "", 4, operands);
}

static const char *roll_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int count;
	const int64_t *by = node_ints(n, "by", &count);
	const char *x = onnx_plain(o, n->operands[0]);
	for (int i = 0; i < count; i++) {
		if (by[i] == 0)
			continue;
		const int64_t all = n->type.dim[i], first = all - by[i];
		const char *parts[] = {part_onnx(o, x, i, first, all), part_onnx(o, x, i, 0, first)};
		x = onnx_call(o, "Concat", onnx_text(o, "axis=%d", i), 2, parts);
	}
	return x;
}

static const char *unfold_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const Fold f = fold_of(n);
	const int64_t end = (f.windows - 1) * f.stride + (f.size - 1) * f.dilation + 1,
	              after = end - f.before - f.places;
	const int64_t border[2 * FOLD_RANK] = {[FOLD_PLACES] = f.before,
	                                       [FOLD_RANK + FOLD_PLACES] = after > 0 ? after : 0};
	const char *x[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, border, 2 * FOLD_RANK)},
	           *padded = onnx_call(o, "Pad", "", 2, x), *y = NULL;
	for (int64_t i = 0; i < f.size; i++) {
		const char *places = onnx_range(o, (double)(i * f.dilation), (double)f.stride, f.windows);
		places = onnx_call(o, "Cast", "to=7", 1, &places); /* whole numbers, of 64 bits */
		const char *place = onnx_call(o, "Gather", "axis=1", 2, (const char *[]){padded, places});
		y = y ? onnx_call(o, "Concat", "axis=3", 2, (const char *[]){y, place}) : place;
	}
	return y;
}

/* For each place of the windows what the one that has it at a row says of that row, or a row of zeros behind them; all
 * added up. */
static const char *fold_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	Arena *scratch = arena_new();
	const Fold f = fold_of(n);
	const int64_t more[2 * FOLD_RANK] = {[FOLD_RANK + FOLD_PLACES] = 1}, last_axis = FOLD_RANK - 1;
	int64_t *window = NEW_ARRAY(scratch, int64_t, f.places);
	const char *x[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, more, 2 * FOLD_RANK)},
	           *padded = onnx_call(o, "Pad", "", 2, x), *sum = NULL;
	for (int64_t i = 0; i < f.size; i++) {
		const int64_t channel = i * f.channels, end = channel + f.channels;
		for (int64_t row = 0; row < f.places; row++) {
			const int64_t at = row + f.before - i * f.dilation, of = at / f.stride;
			window[row] = at >= 0 && at % f.stride == 0 && of < f.windows ? of : f.windows;
		}
		const char *part[] = {padded, onnx_ints(o, &channel, 1), onnx_ints(o, &end, 1),
		                      onnx_ints(o, &last_axis, 1)},
		           *rows[] = {onnx_call(o, "Slice", "", 4, part),
		                      onnx_ints(o, window, (int)f.places)},
		           *added[] = {sum, onnx_call(o, "Gather", "axis=1", 2, rows)};
		sum = sum ? onnx_call(o, "Add", "", 2, added) : added[1];
	}
	arena_free(scratch);
	return sum;
}

const OnnxForm onnx_forms_shapes[] = {
        {"reshape", .node = reshape_onnx},
        {"transpose", .node = transpose_onnx},
        {"concat", .node = concat_onnx},
        {"slice", .node = slice_onnx},
        {"first_place", .node = first_place_onnx},
        {"pad", .node = pad_onnx},
        {"flip", .node = flip_onnx},
        {"roll", .node = roll_onnx},
        {"unfold", .node = unfold_onnx},
        {"fold", .node = fold_onnx},
        {0},
};
