/* SPDX-License-Identifier: MIT */
/* Lets the weight gradient of a large batch read its input with the batch last.
 *
 * dW = dZ^T X is a product over the batch, along which neither operand lies: dZ is [batch, out], X is [batch, in].
 * Tensor cores take their operands along the depth, and cuBLASLt is slower where it has to turn both: on an H200 at
 * 1000x1000 in tf32 88 us at batch 8000 and 280 at 32000, with one operand along the depth 63 and 181, with both 53 and
 * 176; at batch 2000 34 and 23, at 512, where nothing is won, 11.3 and 9.5. So the product reads another leaf, the
 * `input` of the same name with transposed=1: [in, batch], which the runtime's gather writes beside the batch
 * (runtime/cuda/nnr_batch.h). A view of an input as [batch, in] is seen through.
 *
 * Where products are all that reads the input, those along whose depth it lies may read the copy too, and then the copy
 * alone is written, which saves the gather a third of its traffic. The MLP's training takes at batch 8000 41.87 M
 * samples/s, and 40.38 M without (2026-11-22), at 32000 52.2 M and 51.0 M (2026-11-23), though cuBLASLt's forward
 * product then takes 214 us in place of 183, and with our kernel for it 52.5 M and 51.6 M. Neither transposed nor alone
 * it takes 25.4 M at 2000 and 13.3 M at 512, so 28.0 M and 13.3 M.
 */
#include "ops/matmul.h"
#include "ir/op.h"
#include "base/writer.h"
#include "passes/pass.h"

#include <string.h>

/* Rows of other lengths are not all aligned as cuBLASLt's vectors are. */
enum { ROW_BYTES = 16 };

typedef struct Transposing {
	PassContext *ctx;
	const Graph *g;
	int made; /* operands exchanged */
} Transposing;

/* The input that `x` is as a matrix [batch, elements of a sample]; NULL: something else. */
static const Node *input_matrix(const Node *x, int64_t batch)
{
	bool rows = x->type.rank == 2 && x->type.dim[0] == batch;
	x = node_unshaped(x);
	return rows && node_is_input(x) && !node_is_transposed(x) && dtype_is_real(x->type.dtype) ? x : NULL;
}

/* The leaf for `x`, made once. */
static Node *transposed_leaf(Graph *to, const Node *x)
{
	for (int i = 0; i < to->count; i++)
		if (node_is_input(to->nodes[i]) && node_is_transposed(to->nodes[i]) &&
		    strcmp(node_text(to->nodes[i], "name"), node_text(x, "name")) == 0)
			return to->nodes[i];
	int count;
	Attr *attrs = node_attrs_with(to->arena, x, attr_int("transposed", 1), &count);
	int64_t dim[2] = {type_elements(x->type) / to->batch, to->batch};
	Type type;
	require(type_make(x->type.dtype, 2, dim, &type));
	return graph_leaf(to, "input", type, attrs, count, x->sites);
}

/* NULL where a copy of the input can be had. */
static const char *why_not(const Transposing *t, int64_t batch, const Node *x)
{
	int64_t least = t->ctx->target->transposes_from;
	if (batch < least)
		return arena_printf(t->ctx->arena, "that is for batches from %lld on", (long long)least);
	const Recipe *recipe = t->ctx->recipe;
	if (recipe && recipe->chunk)
		return "the recipe's `chunk` saves memory, which the copies would take";
	if (batch * dtype_bytes(x->type.dtype) % ROW_BYTES)
		return arena_printf(t->ctx->arena, "%lld samples are no multiple of %d bytes",
		                    (long long)batch, ROW_BYTES);
	return NULL;
}

static bool is_product(const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && n->type.rank == 2;
}

/* Whether operand `k` of a product lies across its depth. */
static bool lies_across(const Node *n, int k)
{
	return node_int(n, k == 0 ? "ta" : "tb") == (k == 0);
}

/* Whether products are all that reads the input, and one of them does so across its depth. */
static bool is_read_by_products(const Graph *g, const char *name)
{
	bool any = false;
	for (int i = 0; i < g->output_count; i++) {
		const Node *x = node_unshaped(g->outputs[i].node);
		if (node_is_input(x) && strcmp(node_text(x, "name"), name) == 0)
			return false;
	}
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = node_unshaped(n->operands[k]);
			if (!node_is_input(x) || strcmp(node_text(x, "name"), name) != 0 ||
			    (n->op->flags & OP_RESHAPES))
				continue;
			if (!is_product(n) || !input_matrix(n->operands[k], g->batch))
				return false;
			any = any || lies_across(n, k);
		}
	}
	return any;
}

/* Exchanges operand `k` where it is an input that lies across the depth, or of which the copy is to be all there is. */
static bool exchange(Transposing *t, Graph *to, const Node *n, Node **operands, int k)
{
	const Node *x = input_matrix(operands[k], to->batch);
	Arena *a = to->arena;
	if (!x)
		return false;
	bool alone = is_read_by_products(t->g, node_text(x, "name"));
	if (!lies_across(n, k) && !alone)
		return false;
	const char *why = why_not(t, to->batch, x);
	if (why) {
		if (lies_across(n, k))
			pass_remark(t->ctx, "%s: `%s` is not transposed: %s", sites_text(a, n->sites, 3),
			            node_text(x, "name"), why);
		return false;
	}
	operands[k] = transposed_leaf(to, x);
	const char *size = human_count(a, (double)type_bytes(x->type), "B");
	pass_remark(t->ctx, "%s: matmul: reads `%s` transposed, %s%s", sites_text(a, n->sites, 3),
	            node_text(x, "name"), alone ? "as all of its readers do" : size,
	            alone ? "" : " more for each batch");
	return true;
}

static Node *transpose_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Transposing *t = data;
	if (!is_product(n))
		return NULL;
	bool exchanged[2];
	for (int k = 0; k < 2; k++)
		exchanged[k] = exchange(t, to, n, operands, k);
	if (!exchanged[0] && !exchanged[1])
		return NULL;
	t->made++;
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count);
	for (int i = 0; i < n->attr_count; i++) {
		attrs[i] = n->attrs[i];
		if ((exchanged[0] && strcmp(attrs[i].name, "ta") == 0) ||
		    (exchanged[1] && strcmp(attrs[i].name, "tb") == 0))
			attrs[i].i = !attrs[i].i;
	}
	Node *product = graph_node(to, n->op, operands, 2, attrs, n->attr_count, n->sites, NULL);
	product->name = n->name;
	product->group = n->group;
	return product;
}

Graph *pass_transpose_inputs(PassContext *ctx, const Graph *g)
{
	if (!g->training || ctx->target->transposes_from == 0)
		return (Graph *)g;
	Transposing t = {.ctx = ctx, .g = g};
	Graph *to = graph_rewrite(ctx->arena, g, transpose_rule, &t);
	return t.made ? to : (Graph *)g;
}
