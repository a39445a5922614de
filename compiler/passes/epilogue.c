/* SPDX-License-Identifier: MIT */
#include "passes/epilogue.h"
#include "ir/domain.h"
#include "target/activation.h"
#include <string.h>

/* One number for each filter: f32, or of a product also of its type. */
static bool is_per_filter(const Node *x, const Node *conv)
{
	int64_t filters = conv->type.dim[conv->type.rank - 1];
	const bool alike = conv->op->gemm == GEMM_PRODUCT && x->type.dtype == conv->type.dtype;
	return (x->type.dtype == DTYPE_F32 || alike) && x->type.rank >= 1 &&
	       x->type.dim[x->type.rank - 1] == filters && type_elements(x->type) == filters;
}

/* The other operand of `n`, an `op` of `x` and another; or NULL. */
static const Node *beside(const Node *n, const char *op, const Node *x)
{
	if (!node_is(n, op) || n->operands[0] == n->operands[1])
		return NULL;
	return n->operands[0] == x ? n->operands[1] : n->operands[1] == x ? n->operands[0] : NULL;
}

static bool is_sum(const Node *n)
{
	return (n->op->flags & OP_REDUCE) && (n->op->flags & OP_ADDS);
}

static bool is_sum_of_rows(const Node *n)
{
	int count;
	return is_sum(n) && n->operands[0]->type.rank == 2 && node_ints(n, "axes", &count)[0] == 1;
}

/* Columns of an operand that lie along the depth, one after the other: of a with ta, of b without tb. */
static bool is_summed_operand(const Node *product, int k, const Node *sum)
{
	const Node *x = product->operands[k];
	const int64_t columns = x->type.dim[1];
	return product->type.rank == 2 && !node_int(product, k == 0 ? "ta" : "tb") == (k == 1) &&
	       node_unaliased(x) == node_unaliased(sum->operands[0]) && type_elements(sum->type) == columns &&
	       type_elements(sum->operands[0]->type) == type_elements(x->type);
}

/* The sums of an operand's columns, with views of them, and nothing else. */
static bool is_operand_sum(const Node *product, Node *const *nodes, int count, Epilogue *e)
{
	for (int i = 0; i < count; i++) {
		const Node *n = nodes[i];
		if (n == product)
			continue;
		if (e->operand_sum && (n->op->flags & OP_ALIAS) && n->operands[0] == e->summed) {
			e->summed = n;
			continue;
		}
		if (e->operand_sum || !is_sum(n) || n->operands[0] == product)
			return false;
		e->of_b = is_summed_operand(product, 1, n);
		if (!e->of_b && !is_summed_operand(product, 0, n))
			return false;
		e->operand_sum = e->summed = n;
	}
	return e->operand_sum;
}

/* Another shape of the value that the chain ends with: it costs nothing, and what follows in that shape is none of
 * it. */
static bool is_view_of(const Node *n, const Node *last)
{
	return (n->op->flags & OP_RESHAPES) && node_unshaped(n) == node_unshaped(last);
}

/* `row_sum`: the operator that sums along rows, after a product and its weight. */
static bool read_chain(const Node *conv, Node *const *nodes, int count, const char *row_sum, Epilogue *e)
{
	const bool product = conv->op->gemm == GEMM_PRODUCT;
	*e = (Epilogue){.last = conv};
	if (product && is_operand_sum(conv, nodes, count, e))
		return true;
	*e = (Epilogue){.last = conv};
	for (int i = 0; i < count; i++) {
		const Node *n = nodes[i], *other = beside(n, "add", e->last),
		           *times = beside(n, "mul", e->last);
		if (n == conv || is_view_of(n, e->last))
			continue;
		if (e->weight && !e->row_sum && n->operands[0] == e->last && node_is(n, row_sum)) {
			e->row_sum = e->last = n;
			continue;
		}
		if (e->rounded || e->weight || !type_equal(n->type, conv->type))
			return false;
		if (product && node_is(n, "gelu_tanh_slope") && !e->slope && n->operands[0] != e->last) {
			e->slope = n;
			continue;
		}
		if (e->slope && times == e->slope && e->last == conv) {
			e->last = n;
			continue;
		}
		if (e->slope)
			return false;
		if (product && times && !e->residual && !node_is_inline(times) &&
		    is_per_filter(times, conv)) {
			e->weight = times;
			e->last = n;
			continue;
		}
		if (product && !e->residual && (n->op->flags & OP_ROUNDS) && n->operands[0] == e->last) {
			e->rounded = e->last = n;
			continue;
		}
		if (e->activation)
			return false;
		for (int k = 0; k < count && other; k++)
			if (nodes[k] == other)
				return false;
		if (other && node_is_inline(other))
			return false;
		if (other && !e->bias && is_per_filter(other, conv))
			e->bias = other;
		else if (other && !e->residual && type_equal(other->type, conv->type))
			e->residual = other;
		else if (activation_of(n->op) && n->operands[0] == e->last)
			e->activation = n;
		else
			return false;
		e->last = n;
	}
	if (e->weight)
		return e->row_sum;
	if (e->slope)
		return e->last != conv && type_equal(e->slope->operands[0]->type, conv->type);
	return e->residual || e->bias || e->activation;
}

bool epilogue_read(const Node *conv, Node *const *nodes, int count, Epilogue *e)
{
	return read_chain(conv, nodes, count, "tile_sum", e);
}

bool epilogue_read_rows(const Node *product, Node *const *nodes, int count, Epilogue *e)
{
	return read_chain(product, nodes, count, "sum", e) && e->row_sum && is_sum_of_rows(e->row_sum);
}

const Node *epilogue_copied_bias(const Node *product, const Epilogue *e)
{
	if (product->op->gemm != GEMM_PRODUCT || !dtype_is_half(product->type.dtype) || !e->bias)
		return NULL;
	const Node *param = node_unshaped(e->bias);
	return node_is_placed(param) ? param : NULL;
}

bool epilogue_is_copy(const Node *n)
{
	return node_is_state(n) && (strcmp(node_text(n, "name"), EPILOGUE_COPY) == 0 ||
	                            strcmp(node_text(n, "name"), EPILOGUE_FROZEN) == 0);
}

Node *epilogue_copy_of(const Graph *g, const Node *param)
{
	const char *name = node_is_frozen(param) ? EPILOGUE_FROZEN : EPILOGUE_COPY;
	return graph_find_leaf((Graph *)g, "state", name); /* only its map of leaves changes */
}

bool epilogue_has_copy(const Graph *g, const Node *param, const Node *reader)
{
	const Node *copy = epilogue_copy_of(g, param);
	return copy && copy->id < reader->id;
}

Node *epilogue_copied(Build *b, Node *copy, const Node *param, Type shape)
{
	const int64_t first = node_attr(copy, "first") ? node_int(copy, "first") : 0;
	Node *part = build_part(b, copy, node_int(param, "offset") - first, shape.rank, shape.dim);
	part->name = param->name;
	return part;
}

static Node *narrow_bias(Graph *to, const Node *n, const Node *param, Type as)
{
	Build b = build_beside(to, n);
	return epilogue_copied(&b, epilogue_copy_of(to, param), param, as);
}

Node *epilogue_take(Graph *to, const Node *n, Node **operands, const Node *param, int group)
{
	for (int k = 0; param && k < n->operand_count; k++)
		if (n->operands[k]->type.dtype == DTYPE_F32) /* the bias: all else is in 16 bits */
			operands[k] = narrow_bias(to, n, param, n->operands[k]->type);
	Node *copy = graph_copy_node(to, n, operands);
	copy->group = group;
	return copy;
}

char *epilogue_activation_text(Arena *a, const Node *activation)
{
	if (!activation)
		return NULL;
	const Activation *is = activation_of(activation->op);
	if (!is->slope)
		return arena_printf(a, ".activation = %s", is->runtime);
	return arena_printf(a, ".activation = %s, .slope = %.9g", is->runtime,
	                    node_real(activation, is->slope));
}
