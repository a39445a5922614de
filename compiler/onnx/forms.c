/* SPDX-License-Identifier: MIT */
/* Finds an operator's form. */
#include "onnx/forms.h"

const OnnxForm *onnx_form(const Op *op)
{
	static const OnnxForm *const tables[] = {onnx_forms_values, onnx_forms_images, onnx_forms_shapes};
	static OpTable table;
	for (size_t i = 0; !table.is_filled && i < sizeof tables / sizeof *tables; i++)
		for (const OnnxForm *f = tables[i]; f->op; f++)
			op_table_put(&table, f->op, f);
	table.is_filled = true;
	return op_table_get(&table, op);
}
