/* Steps that call a library: the sizes as a constant, a plan that the first call makes, and the call. */
#include "target/library.h"
#include "ops/op.h"
#include "target/expr.h"

void library_body(KernelText *k, const Node *n)
{
	const Op *op = n->op;
	bool cuda = k->target->dialect == DIALECT_CUDA;
	const char *function = cuda ? op->cuda : op->dnn;
	require(function && op->dnn_shape);
	op->dnn_shape(k, n);
	write_line(k->w, "static %s *plan;", cuda ? "NnrPlan" : "NnrDnn");
	char *operands = arena_strdup(k->arena, "");
	for (int i = 0; i < n->operand_count; i++)
		operands = arena_printf(k->arena, "%s%s, ", operands, op_operand_name(k->arena, op, i));
	const char *dtype = dtype_runtime_name(n->operands[0]->type.dtype);
	write_line(k->w, "%s(&plan, &shape, %s%s%s%s);", function, cuda ? dtype : "", cuda ? ", " : "",
	           operands, op_result_name(k->arena, op));
}

bool program_uses_library(const Program *p)
{
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].kind == STEP_LIBRARY)
			return true;
	return false;
}
