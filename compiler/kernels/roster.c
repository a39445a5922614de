/* SPDX-License-Identifier: MIT */
/* Finds an operator's loops. */
#include "codegen/op_loops.h"

#define LOOPS(name) extern const OpLoops name##_loops[];
#include "kernels/kernels.def"
#undef LOOPS

const OpLoops *op_loops(const Op *op)
{
	static const OpLoops *const families[] = {
#define LOOPS(name) name##_loops,
#include "kernels/kernels.def"
#undef LOOPS
	};
	static const OpLoops none;
	static OpTable table;
	for (size_t i = 0; !table.is_filled && i < sizeof families / sizeof *families; i++)
		for (const OpLoops *l = families[i]; l->op; l++)
			op_table_put(&table, l->op, l);
	table.is_filled = true;
	const OpLoops *found = op_table_get(&table, op);
	return found ? found : &none;
}
