/* Steps that call a library: the sizes as a constant, a plan that the first call makes, and the call. */
#include "codegen/library.h"
#include "ops/epilogue.h"
#include "ops/op.h"
#include "codegen/body.h"
#include "codegen/expr.h"
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

bool library_makes(const Step *s)
{
	return s->kind == STEP_LIBRARY && s->nodes[0] != s->root && s->nodes[s->node_count - 1] == s->root;
}

Prologue library_prologue(const Step *s)
{
	Prologue p;
	if (!prologue_read(s->root, s->nodes, s->node_count, &p))
		bug("step %d is no product that makes its operand", s->id);
	return p;
}

/* What is behind the call of a step; false: nothing. */
static bool epilogue_of(const Step *s, Epilogue *e)
{
	if (s->kind != STEP_LIBRARY || s->node_count == 1 || library_makes(s))
		return false;
	if (!epilogue_read(s->root, s->nodes, s->node_count, e))
		bug("step %d is no call with an epilogue", s->id);
	return true;
}

bool library_overwrites(const Step *s)
{
	Epilogue e;
	return epilogue_of(s, &e) && !e.sum && !e.row_sum;
}

bool library_sums(const Step *s)
{
	Epilogue e;
	return epilogue_of(s, &e) && e.sum;
}

/* What that kernel reads and writes. */
static double bytes_around(const Step *s)
{
	Epilogue e;
	if (library_makes(s))
		return 2 * (double)type_bytes(s->root->operands[0]->type);
	require(epilogue_of(s, &e));
	const int passes = e.sum || e.row_sum ? 1 : e.residual ? 3 : 2;
	return passes * (double)type_bytes(s->root->type) + (e.bias ? (double)type_bytes(e.bias->type) : 0) +
	       (e.weight ? (double)(type_bytes(e.weight->type) + type_bytes(e.row_sum->type)) : 0);
}

Step library_kernel_around(Arena *a, const Step *s)
{
	Step around = {.id = s->id, .kind = STEP_KERNEL, .sites = s->sites, .branch = s->branch};
	around.nodes = NEW_ARRAY(a, Node *, s->node_count);
	for (int i = 0; i < s->node_count; i++)
		if (s->nodes[i] != s->root) {
			around.nodes[around.node_count++] = s->nodes[i];
			around.flops += node_cost(s->nodes[i]).flops;
		}
	around.writes = NEW_ARRAY(a, Buffer *, s->write_count);
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->node != s->root)
			around.writes[around.write_count++] = s->writes[i];
	around.bytes = bytes_around(s);
	return around;
}

/* Of a node of the step, or of a view of it there. */
static const char *tensor_of_value(const Tensors *t, const Program *p, const Step *s, const Node *n)
{
	const char *name = tensor_of(t, p, n);
	for (int i = 0; i < s->node_count && !name; i++)
		if ((s->nodes[i]->op->flags & OP_ALIAS) && s->nodes[i]->operands[0] == n)
			name = tensor_of(t, p, s->nodes[i]);
	return name;
}

typedef struct Letter {
	const Node *node; /* or NULL */
	char letter;
} Letter;

/* The kernel's arguments, a letter each, as NnrEpilogue has them; `known` ends with no letter. */
static char *argument_letters(const KernelText *k, const Letter *known, const Tensors *around)
{
	char *letters = arena_strdup(k->arena, "");
	for (int i = 0; i < around->count; i++) {
		char letter = 'p'; /* the workspace, which is no node's */
		for (const Letter *l = known; l->letter; l++) {
			const char *name =
			        l->node ? tensor_of_value(around, k->program, k->step, l->node) : NULL;
			if (name && strcmp(name, around->at[i].name) == 0)
				letter = l->letter;
		}
		letters = arena_printf(k->arena, "%s%c", letters, letter);
	}
	return letters;
}

/* NULL: it has none. */
static const Tensor *workspace_of(const Tensors *around)
{
	const Tensor *last = &around->at[around->count - 1];
	return last->buffer->class == BUFFER_WORKSPACE ? last : NULL;
}

/* A tensor of the step, or "NULL". */
static const char *tensor_or_null(const KernelText *k, const Node *n)
{
	return n ? tensor_of(&k->state->tensors, k->program, n) : "NULL";
}

void library_body_with_epilogue(KernelText *k, const Node *n, const Tensors *behind)
{
	Arena *a = k->arena;
	Epilogue e;
	require(epilogue_of(k->step, &e));
	const Tensor *partial = workspace_of(behind);
	const Letter known[] = {{e.row_sum ? n : e.last, 'y'},
	                        {e.residual, 'r'},
	                        {e.bias, 'b'},
	                        {e.weight, 'w'},
	                        {e.row_sum, 't'},
	                        {e.sum, 's'},
	                        {e.squares, 'q'},
	                        {0}};
	const char *kind = epilogue_activation_text(a, e.activation);
	if (e.sum)
		kind = arena_printf(a, ".sums = true, .partial = %lld",
		                    partial ? (long long)type_elements(partial->buffer->type) : 0);
	if (e.row_sum)
		kind = arena_printf(a, "%s%s.row_sums = %lld%s", kind ? kind : "", kind ? ", " : "",
		                    (long long)e.row_sum->type.dim[1],
		                    library_stored(k->program, k->step) ? ", .stored = true" : "");
	n->op->dnn_shape(k, n);
	write_line(k->w, "static const NnrEpilogue epilogue = {%s%s.kernel = &behind, .arguments = \"%s\"};",
	           kind ? kind : "", kind ? ", " : "", argument_letters(k, known, behind));
	write_line(k->w, "static NnrPlan *plan;");
	char *operands = arena_printf(a, "%s, %s, %s", dtype_runtime_name(n->operands[0]->type.dtype),
	                              op_operand_name(a, n->op, 0), op_operand_name(a, n->op, 1));
	if (e.row_sum)
		write_line(k->w, "nnr_cublas_matmul_row_sums(&plan, &shape, &epilogue, %s, %s, %s, %s, %s);",
		           operands, tensor_or_null(k, e.bias), tensor_or_null(k, e.weight),
		           op_result_name(a, n->op), tensor_or_null(k, e.row_sum));
	else if (node_is(n, "matmul"))
		write_line(k->w, "nnr_cublas_matmul_epilogue(&plan, &shape, &epilogue, %s, %s, %s);",
		           operands, tensor_or_null(k, e.bias), op_result_name(a, n->op));
	else if (e.sum)
		write_line(k->w, "nnr_cudnn_conv_sums(&plan, &shape, &epilogue, %s, %s, %s, %s, %s);",
		           operands, op_result_name(a, n->op), tensor_or_null(k, e.sum),
		           tensor_or_null(k, e.squares), partial ? partial->name : "NULL");
	else
		write_line(k->w, "nnr_cudnn_conv_epilogue(&plan, &shape, &epilogue, %s, %s, %s, %s);",
		           operands, tensor_or_null(k, e.residual), tensor_or_null(k, e.bias),
		           op_result_name(a, n->op));
}

void library_body_with_made(KernelText *k, const Node *n, const Tensors *ahead)
{
	const Prologue p = library_prologue(k->step);
	const Tensor *partial = workspace_of(ahead);
	const Letter known[] = {{n->operands[0], 'y'}, {p.rows, 'g'},   {p.columns, 'w'},
	                        {p.sum[0], 's'},       {p.sum[1], 'q'}, {0}};
	const char *sums[PROLOGUE_SUMS] = {"NULL", "NULL"};
	for (int i = 0; i < p.sums; i++)
		sums[i] = tensor_of_value(&k->state->tensors, k->program, k->step, p.sum[i]);
	n->op->dnn_shape(k, n);
	write_line(k->w, "static const NnrEpilogue front = {.kernel = &ahead, .arguments = \"%s\"};",
	           argument_letters(k, known, ahead));
	write_line(k->w, "static NnrPlan *plan;");
	write_line(k->w, "void *const sums[] = {%s, %s};", sums[0], sums[1]);
	write_line(k->w, "nnr_cublas_matmul_made(&plan, &shape, &front, %s, a, %s, %s, b, y, sums, %s);",
	           dtype_runtime_name(n->operands[0]->type.dtype), tensor_or_null(k, p.rows),
	           tensor_or_null(k, p.columns), partial ? partial->name : "NULL");
}

/* The value that an element of the product becomes: where its rows are summed up, ahead of the weights. */
static const Node *value_of(const Epilogue *e)
{
	if (!e->row_sum)
		return e->last;
	const Node *weighted = e->row_sum->operands[0];
	return weighted->operands[weighted->operands[0] == e->weight];
}

bool library_write_behind(Writer *w, Arena *a, const Step *s, const char *sum, const char *bias)
{
	const Node *last = s->root;
	const char *value = sum;
	Epilogue e;
	require(epilogue_of(s, &e));
	const Node *end = value_of(&e);
	for (int i = 0; last != end; i++) {
		const Node *n = s->nodes[i];
		const char *operands[2];
		if (n == s->root)
			continue;
		require(n->operand_count <= 2);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = n->operands[k] == last ? value : bias;
		const char *text = expr_text(a, n, &(ExprWords){.operands = operands});
		value = arena_printf(a, "%s_", n->op->name);
		if (n != end)
			write_line(w, "const float %s = %s;", value, text);
		else
			write_line(w, "return %s;", text);
		last = n;
	}
	return end != s->root;
}

const Node *library_bias(const Step *s)
{
	Epilogue e;
	return epilogue_of(s, &e) ? e.bias : NULL;
}

const Node *library_weight(const Step *s)
{
	Epilogue e;
	return epilogue_of(s, &e) ? e.weight : NULL;
}

const Node *library_stored(const Program *p, const Step *s)
{
	Epilogue e;
	if (!epilogue_of(s, &e) || !e.row_sum || value_of(&e) == s->root)
		return NULL;
	return p->of_node[value_of(&e)->id] ? value_of(&e) : NULL;
}

bool program_uses_library(const Program *p)
{
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].kind == STEP_LIBRARY)
			return true;
	return false;
}
