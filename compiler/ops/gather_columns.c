/* SPDX-License-Identifier: MIT */
/* gather_columns: columns of tensors side by side, in another order: what concats, slices, transpositions and paddings
 * after one another do to each row (passes/join_moves.c). Not for the language.
 *
 * Every tensor is rows of as many columns as it has elements for a row, whatever its shape. `from` has for each column
 * of the result its number among those of all operands, or ZERO_COLUMN. Where the numbers are those of digits of the
 * column, as a transposition has them, the loops compute them; else they are a table. */
#include "ops/gather_columns.h"

#include "base/checked.h"
#include "ir/op.h"

#include <string.h>

/* Whether some of these columns are the operand's that begins there. */
static bool reads_operand(const int64_t *from, int count, int64_t begin, int64_t columns)
{
	for (int i = 0; i < count; i++)
		if (from[i] >= begin && from[i] < begin + columns)
			return true;
	return false;
}

static bool gather_infer(Infer *in)
{
	int count, rank;
	const int64_t *from = infer_ints(in, "from", &count), *dim = infer_ints(in, "shape", &rank);
	if (!infer_result(in, in->operands[0]->type.dtype, rank, dim))
		return false;
	const int64_t elements = type_elements(in->result), rows = count > 0 ? elements / count : 0;
	int64_t all = 0;
	bool fits = count > 0 && rows * count == elements && rank > 0 && count % dim[rank - 1] == 0;
	for (int i = 0; i < in->operand_count && fits; i++) {
		const Type t = in->operands[i]->type;
		const int64_t columns = type_elements(t) / rows, begin = all;
		fits = t.dtype == in->result.dtype && columns * rows == type_elements(t) &&
		       checked_add(all, columns, &all) && all <= MOST_GATHERED_COLUMNS &&
		       reads_operand(from, count, begin, columns);
	}
	for (int i = 0; i < count && fits; i++)
		fits = from[i] >= ZERO_COLUMN && from[i] < all;
	return fits || infer_error(in, "bad-argument",
	                           "`gather_columns` has for each column of a row one of its operands'");
}

static const char *const gather_samples[] = {
        "x0=f32[1] from=[0] shape=[1]",
        "x0=f32[7] from=[6,5,4,3,2,1,0] shape=[7]",
        "x0=f32[7] from=[0,2,4,6] shape=[4]",
        "x0=f32[2,3] from=[2,-1,0] shape=[2,3]",
        "x0=f32[2,3] from=[-1,-1,0,1] shape=[2,4]",
        "x0=f32[2,3] x1=f32[2,3] from=[0,3,1,4,2,5] shape=[2,6]",
        "x0=f32[2,4] x1=f32[2,4] from=[0,4,1,5] shape=[2,4]",
        "x0=f32[2,4] x1=f32[2,4] from=[2,6,3,7] shape=[2,2,2]",
        "x0=f32[2,4] x1=f32[2,4] from=[0,2,4,6] shape=[2,4]",
        "x0=f32[3,8] from=[0,4,1,5,2,6,3,7] shape=[3,8]",
        "x0=f32[3,8] from=[0,4,1,5,2,6,3,7] shape=[3,2,4]",
        "x0=f32[3,2,4] from=[0,2,4,6,1,3,5,7] shape=[3,4,2]",
        "x0=f32[2,4,4] from=[4,8,9,12,13,14] shape=[2,6]",
        "x0=f32[2,3] x1=f32[2,3,3] from=[0,1,2,6,9,10] shape=[2,6]",
        "x0=f32[2,6] from=[-1,-1,-1,0,-1,-1,1,2,-1] shape=[2,3,3]",
        "x0=f32[5,2,2,6] from=[0,3,1,4,2,5] shape=[5,2,2,6]",
        "x0=f32[3,4] x1=f32[3,2] x2=f32[3,6] from=[11,4,0,5,-1,8] shape=[3,6]",
        "x0=f32[3,4] x1=f32[3,2] x2=f32[3,6] from=[11,4,0,1] shape=[3,4]",
        "x0=f32[2,3,4] from=[1,1,1,1] shape=[6,4]",
        "x0=f32[2,3,4] from=[3,-1] shape=[2,3,2]",
        "x0=f32[17,33] from=[0,32,16] shape=[17,3]",
        "x0=f32[2,12] from=[0,4,8,1,5,9,2,6,10,3,7,11] shape=[2,4,3]",
        "x0=f32[1,1,7] x1=f32[1,1,1] from=[7,0,1,2,3,4,5,6] shape=[1,1,8]",
        NULL,
};

const Op gather_columns_ops[] = {
        {.name = "gather_columns",
         .signature = "x... -> y",
         .doc = "Columns of tensors side by side in another order, row by row: column c of the result is "
                "column "
                "from[c] of all of them, or zero where that is -1.",
         .flags = OP_EPILOGUE,
         .infer = gather_infer,
         .samples = gather_samples},
        {0},
};
