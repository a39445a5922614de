/* SPDX-License-Identifier: MIT */
/* Steps that call a library: the sizes as a constant, a plan that the first call makes, and the call. */
#include "codegen/library.h"
#include "codegen/op_loops.h"
#include "passes/epilogue.h"
#include "ops/matmul.h"
#include "ir/op.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/implementations.h"
#include "target/activation.h"
#include <string.h>

void library_call(KernelText *k, const Node *n, const char *plan, const char *function, const char *dtype)
{
	const Op *op = n->op;
	const OpLoops *loops = op_loops(op);
	require(function && loops->dnn_shape);
	loops->dnn_shape(k, n);
	code_parts(k->code, CODE_OBJECT, "%s *" CODE_PART "plan", plan);
	char *operands = arena_strdup(k->arena, "");
	for (int i = 0; i < n->operand_count; i++)
		operands = arena_printf(k->arena, "%s%s, ", operands, op_operand_name(k->arena, op, i));
	code_do(k->code, "%s(&plan, &shape, %s%s%s%s)", function, dtype ? dtype : "", dtype ? ", " : "",
	        operands, op_result_name(k->arena, op));
}

static CudaLaunch library_emit(KernelText *k, const Node *n)
{
	library_call(k, n, "NnrPlan", op_loops(n->op)->cuda, dtype_runtime_name(n->operands[0]->type.dtype));
	return (CudaLaunch){0};
}

static bool library_fits(const Region *r)
{
	const Target *t = r->target;
	return t->library != LIBRARY_NONE && op_loops(r->root->op)->cuda && r->root->type.dtype != DTYPE_F64;
}

/* Rows that cuBLASLt reads a second tensor of the result's shape by. */
static bool has_rows_for_more(const Node *root)
{
	enum { ELEMENTS = 8 };
	return dtype_is_half(root->type.dtype) && root->type.rank == 2 && root->type.dim[1] % ELEMENTS == 0;
}

/* Of a convolution cuDNN may have any; of a product cuBLASLt has bias and ReLU, and in 16 bits gelu_tanh, its slope,
 * sums of an operand and a residual. */
static const char *library_takes(const Region *r)
{
	const Node *root = r->root;
	const Epilogue *e = r->epilogue;
	static const char why[] = "cuBLASLt has bias and ReLU alone, and the product no kernel of our own";
	if (root->op->gemm != GEMM_PRODUCT)
		return NULL;
	if (e->operand_sum)
		return dtype_is_half(root->operands[0]->type.dtype) && root->type.dtype == DTYPE_F32 ? NULL
		                                                                                     : why;
	if (e->slope)
		return has_rows_for_more(root) ? NULL : why;
	if (e->residual && !has_rows_for_more(root))
		return "cuBLASLt adds a tensor to products in 16 bits alone, whose rows are multiples of 16 "
		       "bytes";
	const CublasHas computes = e->activation ? activation_of(e->activation->op)->cublas : CUBLAS_ALWAYS;
	const bool known =
	        computes == CUBLAS_ALWAYS || (computes == CUBLAS_HALVES && has_rows_for_more(root));
	if (root->type.rank != 2 || !known)
		return why;
	const bool has = !e->bias || e->bias->type.dtype == root->type.dtype || epilogue_copied_bias(root, e);
	return has ? NULL : "cuBLASLt has a bias of the result's type alone, of which there is no copy";
}

static bool library_by_rows(const Node *n)
{
	MatmulShape shape;
	if (n->op->gemm != GEMM_PRODUCT || n->type.rank != 2)
		return false;
	matmul_shape(n, &shape);
	return shape.batch == 1;
}

static const char *library_of(const Node *n, const Target *t)
{
	return n->op->gemm == GEMM_PRODUCT ? "cuBLASLt" : "cuDNN";
}

const Implementation implementation_library = {
        .name = "library",
        .doc = "a call of cuDNN or cuBLASLt, by a plan that the trainer searches for",
        .flags = IMPL_CALL | IMPL_TENSOR_CORES | IMPL_ON_GPU,
        .fits = library_fits,
        .takes = library_takes,
        .takes_after = 1 << GEMM_FPROP | 1 << GEMM_PRODUCT,
        .by_rows = library_by_rows,
        .library = library_of,
        .emit = library_emit,
};

bool library_overwrites(const Step *s)
{
	return s->epilogue && !s->epilogue->row_sum && !s->epilogue->operand_sum;
}

bool library_sums(const Step *s)
{
	return s->epilogue && s->epilogue->operand_sum;
}

Step library_kernel_after(Arena *a, const Step *s)
{
	Step after = {.id = s->id, .kind = STEP_KERNEL, .sites = s->sites, .branch = s->branch};
	const Epilogue *e = s->epilogue;
	after.nodes = NEW_ARRAY(a, Node *, s->node_count);
	for (int i = 0; i < s->node_count; i++)
		if (s->nodes[i] != s->root) {
			after.nodes[after.node_count++] = s->nodes[i];
			after.flops += node_cost(s->nodes[i]).flops;
		}
	if (!e->row_sum)
		step_decide_shape(a, &after);
	after.writes = NEW_ARRAY(a, Buffer *, s->write_count);
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->node != s->root)
			after.writes[after.write_count++] = s->writes[i];
	if (e->operand_sum) {
		after.bytes =
		        (double)(type_bytes(e->operand_sum->operands[0]->type) + type_bytes(e->summed->type));
		return after;
	}
	after.bytes = (e->row_sum                ? 1
	               : e->residual || e->slope ? 3
	                                         : 2) *
	                      (double)type_bytes(s->root->type) +
	              (e->bias ? (double)type_bytes(e->bias->type) : 0) +
	              (e->weight ? (double)(type_bytes(e->weight->type) + type_bytes(e->row_sum->type)) : 0);
	return after;
}

/* What is ahead of the activation, where that is stored beside the result; or NULL. */
static const Node *kept_of(const KernelText *k, const Epilogue *e)
{
	const Node *x = e->activation && e->bias ? e->activation->operands[0] : NULL;
	return x && x != k->step->root && buffer_of(k->program, x) ? x : NULL;
}

/* What the chain ends with as it is stored: perhaps in another shape. */
static const Node *result_of(const KernelText *k, const Epilogue *e)
{
	for (int i = 0; i < k->step->write_count; i++) {
		const Node *written = k->step->writes[i]->node;
		if (written && node_unshaped(written) == node_unshaped(e->last))
			return written;
	}
	return e->last;
}

/* The kernel's arguments, a letter each, as NnrEpilogue has them. */
static char *argument_letters(const KernelText *k, const Epilogue *e, const Tensors *after)
{
	const struct {
		const Node *node;
		char letter;
	} known[] = {{e->row_sum       ? k->step->root
	              : e->operand_sum ? NULL
	                               : result_of(k, e),
	              'y'},
	             {e->residual, 'r'},
	             {e->bias, 'b'},
	             {e->weight, 'w'},
	             {e->row_sum, 't'},
	             {kept_of(k, e), 'k'},
	             {e->slope ? e->slope->operands[0] : NULL, 'k'},
	             {e->operand_sum ? e->operand_sum->operands[0] : NULL, 'x'},
	             {e->operand_sum ? e->summed : NULL, 's'}};
	char *letters = arena_strdup(k->arena, "");
	for (int i = 0; i < after->count; i++) {
		char letter = 'p'; /* the workspace, which is no node's */
		for (size_t j = 0; j < sizeof known / sizeof *known; j++) {
			const char *name = known[j].node ? tensor_of(after, k->program, known[j].node) : NULL;
			if (name && strcmp(name, after->at[i].name) == 0)
				letter = known[j].letter;
		}
		letters = arena_printf(k->arena, "%s%c", letters, letter);
	}
	return letters;
}

/* A tensor of the step, or "NULL". */
static const char *tensor_or_null(const KernelText *k, const Node *n)
{
	return n ? tensor_of(&k->state->tensors, k->program, n) : "NULL";
}

void library_body_with_epilogue(KernelText *k, const Node *n, const Tensors *after)
{
	Arena *a = k->arena;
	const Epilogue *e = k->step->epilogue;
	const Tensor *last = &after->at[after->count - 1];
	const Tensor *partial = last->buffer->class == BUFFER_WORKSPACE ? last : NULL;
	const char *kind = epilogue_activation_text(a, e->activation);
	if (e->row_sum)
		kind = arena_listed(a, kind, ".row_sums = %lld", (long long)e->row_sum->type.dim[1]);
	if (e->rounded)
		kind = arena_listed(a, kind, ".round_tf32 = true");
	if (e->bias && dtype_is_half(e->bias->type.dtype))
		kind = arena_listed(a, kind, ".narrow_bias = true");
	const Node *beside = kept_of(k, e);
	const char *what = beside           ? "NNR_KEPT"
	                   : e->slope       ? "NNR_SLOPE"
	                   : e->operand_sum ? e->of_b ? "NNR_SUMS_OF_B" : "NNR_SUMS_OF_A"
	                                    : NULL;
	if (what)
		kind = arena_listed(a, kind, ".beside = %s", what);
	if (e->slope)
		beside = e->slope->operands[0];
	if (e->operand_sum) {
		beside = e->summed;
		kind = arena_listed(a, kind, ".partial = %lld",
		                    partial ? (long long)type_elements(partial->buffer->type) : 0);
	}
	op_loops(n->op)->dnn_shape(k, n);
	code_object(k->code, "const NnrEpilogue", "epilogue", "{%s}",
	            arena_listed(a, kind, ".kernel = &after, .arguments = \"%s\"",
	                         argument_letters(k, e, after)));
	code_object(k->code, "NnrPlan *", "plan", "");
	char *operands = arena_printf(a, "%s, %s, %s", dtype_runtime_name(n->operands[0]->type.dtype),
	                              op_operand_name(a, n->op, 0), op_operand_name(a, n->op, 1));
	if (e->row_sum)
		code_do(k->code, "nnr_cublas_matmul_row_sums(&plan, &shape, &epilogue, %s, %s, %s, %s, %s)",
		        operands, tensor_or_null(k, e->bias), tensor_or_null(k, e->weight),
		        op_result_name(a, n->op), tensor_or_null(k, e->row_sum));
	else if (e->slope)
		code_do(k->code, "nnr_cublas_matmul_slope(&plan, &shape, &epilogue, %s, %s, %s)", operands,
		        tensor_or_null(k, beside), op_result_name(a, n->op));
	else if (what)
		code_do(k->code, "nnr_cublas_matmul_beside(&plan, &shape, &epilogue, %s, %s, %s, %s, %s)",
		        operands, tensor_or_null(k, e->bias), op_result_name(a, n->op),
		        tensor_or_null(k, beside), partial ? partial->name : "NULL");
	else
		code_do(k->code, "%s(&plan, &shape, &epilogue, %s, %s, %s, %s)",
		        op_loops(n->op)->cuda_epilogue, operands, tensor_or_null(k, e->residual),
		        tensor_or_null(k, e->bias), op_result_name(a, n->op));
}

/* The value that an element of the product becomes: where its rows are summed up, ahead of the weights. */
static const Node *value_of(const Epilogue *e)
{
	if (!e->row_sum)
		return e->last;
	const Node *weighted = e->row_sum->operands[0];
	return weighted->operands[weighted->operands[0] == e->weight];
}

bool library_write_after(Code *w, Arena *a, const Step *s, const char *sum, const char *bias)
{
	const Node *last = s->root;
	const char *value = sum;
	const Node *end = value_of(s->epilogue);
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
			code_let(w, "float", "%s", "%s", value, text);
		else
			code_leave(w, "return %s", text);
		last = n;
	}
	return end != s->root;
}

const Node *library_bias(const Step *s)
{
	return s->epilogue ? s->epilogue->bias : NULL;
}

const Node *library_weight(const Step *s)
{
	return s->epilogue ? s->epilogue->weight : NULL;
}

bool program_uses_library(const Program *p)
{
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].kind == STEP_LIBRARY)
			return true;
	return false;
}
