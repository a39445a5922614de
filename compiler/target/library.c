/* Steps that call a library: the sizes as a constant, a plan that the first call makes, and the call. */
#include "target/library.h"
#include "ops/conv_epilogue.h"
#include "ops/op.h"
#include "target/body.h"
#include "target/expr.h"
#include <string.h>

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

Step library_kernel_behind(Arena *a, const Step *s)
{
	Step behind = {.id = s->id, .kind = STEP_KERNEL, .sites = s->sites};
	ConvEpilogue e;
	if (!conv_epilogue(s->root, s->nodes, s->node_count, &e))
		bug("step %d is no convolution with an epilogue", s->id);
	behind.nodes = NEW_ARRAY(a, Node *, s->node_count);
	for (int i = 0; i < s->node_count; i++)
		if (s->nodes[i] != s->root) {
			behind.nodes[behind.node_count++] = s->nodes[i];
			behind.flops += node_cost(s->nodes[i]).flops;
		}
	behind.writes = s->writes;
	behind.write_count = s->write_count;
	behind.bytes = (e.residual ? 3 : 2) * (double)type_bytes(e.last->type) +
	               (e.bias ? (double)type_bytes(e.bias->type) : 0);
	return behind;
}

void library_body_with_epilogue(KernelText *k, const Node *n, const Tensors *behind)
{
	Arena *a = k->arena;
	const Step *s = k->step;
	const Tensors *t = &k->state->tensors;
	ConvEpilogue e;
	conv_epilogue(n, s->nodes, s->node_count, &e);
	const char *residual = e.residual ? tensor_of(behind, k->program, e.residual) : NULL;
	const char *bias = e.bias ? tensor_of(behind, k->program, e.bias) : NULL;
	char *arguments = arena_strdup(a, "");
	for (int i = 0; i < behind->count; i++) {
		const char *name = behind->at[i].name;
		char letter = bias && strcmp(name, bias) == 0           ? 'b'
		              : residual && strcmp(name, residual) == 0 ? 'r'
		                                                        : 'y';
		arguments = arena_printf(a, "%s%c", arguments, letter);
	}
	const char *activation = conv_activation_text(a, e.activation);
	n->op->dnn_shape(k, n);
	write_line(k->w,
	           "static const NnrConvEpilogue epilogue = {%s%s.kernel = &kernel, .arguments = \"%s\"};",
	           activation ? activation : "", activation ? ", " : "", arguments);
	write_line(k->w, "static NnrPlan *plan;");
	write_line(k->w, "nnr_cudnn_conv_epilogue(&plan, &shape, &epilogue, %s, %s, %s, %s, %s, %s);",
	           dtype_runtime_name(n->operands[0]->type.dtype), op_operand_name(a, n->op, 0),
	           op_operand_name(a, n->op, 1), residual ? tensor_of(t, k->program, e.residual) : "NULL",
	           bias ? tensor_of(t, k->program, e.bias) : "NULL", op_result_name(a, n->op));
}

bool program_uses_library(const Program *p)
{
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].kind == STEP_LIBRARY)
			return true;
	return false;
}
