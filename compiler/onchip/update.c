/* SPDX-License-Identifier: MIT */
/* The update kernel of an on-chip step (ir/onchip.h): a part for each parameter, by the number of the block, in
 * which sums over the batch end and the threads that end them update their elements; and a last one for loss and
 * metrics. */
#include "ops/matmul.h"
#include "ir/op.h"
#include "emit/describe.h"
#include "codegen/expr.h"
#include "onchip/text.h"

enum { COLUMNS = 32, MOST_ROWS = 12 };

static const Export *export_of(const OnChip *o, int output)
{
	for (int i = 0; i < o->export_count; i++)
		if (o->exports[i].output == output)
			return &o->exports[i];
	bug("an operand of a sum over the batch is not handed on");
}

static void open_part(OnChipText *t, int64_t blocks, const Node *gradient)
{
	write_line(t->w, "if (block < %lld) { /* %s %s */", (long long)blocks,
	           comment_text(t->arena, gradient->name ? gradient->name : gradient->op->name),
	           shape_text(t->arena, gradient->type));
	write_indent(t->w, 1);
	t->update_blocks += blocks;
}

static void close_part(OnChipText *t, int64_t blocks)
{
	write_line(t->w, "return;");
	write_indent(t->w, -1);
	write_line(t->w, "}");
	write_line(t->w, "block -= %lld;", (long long)blocks);
}

static void need_scratch(OnChipText *t, int64_t elements)
{
	if (elements > t->update_scratch)
		t->update_scratch = elements;
}

static int64_t largest_divisor(int64_t n, int64_t most)
{
	for (int64_t i = most; i > 1; i--)
		if (n % i == 0)
			return i;
	return 1;
}

/* NnrBatchProduct::scratch of runtime/cuda/nnr_block.h. */
static int64_t product_scratch(int64_t batch, int64_t rows, int width)
{
	int64_t lanes = ONCHIP_UPDATE_THREADS / (COLUMNS / width), turns = (batch + lanes - 1) / lanes;
	int64_t chunk = (turns < 8 ? turns : 8) * lanes * ((rows + 3) / 4 * 4);
	int64_t sums = ONCHIP_UPDATE_THREADS / 32 * rows * COLUMNS;
	return chunk > sums ? chunk : sums;
}

/* A block for each 32 columns of a few rows. */
static void write_product(OnChipText *t, const BatchSum *sum, const Node *gradient, int64_t start)
{
	MatmulShape m;
	matmul_shape(sum->node, &m);
	int64_t rows = largest_divisor(m.m, MOST_ROWS), across = (m.n + COLUMNS - 1) / COLUMNS,
	        blocks = across * (m.m / rows);
	int width = m.n % 4 == 0 ? 4 : 1;
	need_scratch(t, product_scratch(m.k, rows, width));
	open_part(t, blocks, gradient);
	const Buffer *a = t->p->buffers[export_of(t->o, sum->term[0])->to],
	             *b = t->p->buffers[export_of(t->o, sum->term[1])->to];
	write_line(t->w, "using Sums = NnrBatchProduct<%d, %lld, %lld, %lld, %lld, %d>;",
	           ONCHIP_UPDATE_THREADS, (long long)m.k, (long long)m.m, (long long)m.n, (long long)rows,
	           width);
	write_line(t->w,
	           "Sums::update((const %s *)(arena + %lld), (const %s *)(arena + %lld), block, %lld, part, "
	           "begin, fetch, update);",
	           onchip_real(t), (long long)buffer_offset(a), onchip_real(t), (long long)buffer_offset(b),
	           (long long)start);
	close_part(t, blocks);
}

static char *partial_sum(const OnChipText *t, const BatchSum *sum)
{
	return arena_printf(t->arena, "(const %s *)(arena + %lld) + %lld", onchip_real(t),
	                    (long long)buffer_offset(t->p->buffers[t->o->partial]), (long long)sum->offset);
}

static void write_partial(OnChipText *t, const BatchSum *sum, const Node *gradient, int64_t first)
{
	int64_t blocks = (sum->elements + COLUMNS - 1) / COLUMNS;
	need_scratch(t, ONCHIP_UPDATE_THREADS);
	open_part(t, blocks, gradient);
	write_line(t->w,
	           "nnr_partial_update<%d, %lld, %lld, %lld>(%s, block, %lld, part, begin, fetch, update);",
	           ONCHIP_UPDATE_THREADS, (long long)t->o->blocks, (long long)t->o->partial_elements,
	           (long long)sum->elements, partial_sum(t, sum), (long long)first);
	close_part(t, blocks);
}

/* A single number after the sums, as C text over the names in `sums`, by node id. */
static char *number_text(OnChipText *t, const Node *n, const char **sums)
{
	n = node_unaliased(n);
	if (sums[n->id])
		return arena_strdup(t->arena, sums[n->id]);
	if (node_is_constant(n))
		return c_number(t->arena, node_real(n, "value"), n->type.dtype == DTYPE_F64);
	t->numbers_read_scalars |= node_is_scalar(n) || (n->op->flags & OP_SEEDED);
	if (node_is_scalar(n))
		return arena_printf(t->arena, "(%s)s->%s", dtype_c_name(n->type.dtype), node_text(n, "name"));
	const char *operands[OP_MAX_OPERANDS];
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = number_text(t, n->operands[k], sums);
	return expr_text(t->arena, n, &(ExprWords){.operands = operands, .index = "0", .last = "0"});
}

static bool is_number_output(const OnChipText *t, const Output *o)
{
	if (o->kind == OUTPUT_STATE || o->kind == OUTPUT_GRADIENT)
		return false;
	for (int i = 0; i < t->o->export_count; i++)
		if (t->o->exports[i].graph_output >= 0 &&
		    &t->p->graph->outputs[t->o->exports[i].graph_output] == o)
			return false;
	return true;
}

/* The two recursions below go through a number that pass_onchip has found to be of a few nodes (NUMBER_NODES). */
static void mark_sums(const OnChipText *t, const Node *n, const char **sums, int *count)
{
	const BatchSum *sum = onchip_sum(t->o, n);
	if (sum && !sums[sum->node->id]) {
		const char *name = sums[sum->node->id] = arena_printf(t->arena, "sum%d", (*count)++);
		write_line(t->w, "const %s %s = nnr_partial_total<%d, %lld, %lld>(%s, part);", onchip_real(t),
		           name, ONCHIP_UPDATE_THREADS, (long long)t->o->blocks,
		           (long long)t->o->partial_elements, partial_sum(t, sum));
	}
	for (int k = 0; k < n->operand_count && !sum; k++)
		mark_sums(t, n->operands[k], sums, count);
}

/* Loss and metrics: the last block. */
static void write_numbers(OnChipText *t)
{
	const Graph *g = t->p->graph;
	const char **sums = NEW_ARRAY(t->arena, const char *, g->count);
	int count = 0;
	write_line(t->w, "begin();");
	need_scratch(t, ONCHIP_UPDATE_THREADS / 32);
	t->update_blocks++;
	for (int i = 0; i < g->output_count; i++)
		if (is_number_output(t, &g->outputs[i]))
			mark_sums(t, g->outputs[i].node, sums, &count);
	write_line(t->w, "if (threadIdx.x > 0)");
	write_line(t->w, "\treturn;");
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		if (!is_number_output(t, o))
			continue;
		const Buffer *b = t->p->output_buffers[i];
		write_line(t->w, "*(%s *)(arena + %lld) = %s; /* %s */", dtype_c_name(b->type.dtype),
		           (long long)buffer_offset(b), number_text(t, o->node, sums),
		           comment_text(t->arena, o->name));
	}
	write_line(t->w, "if (supply.feed_count > 0)");
	write_line(t->w, "\tnnr_count_scores(control, supply, turn);");
}

static bool keeps_gradients(const OnChipText *t)
{
	for (int i = 0; i < t->p->graph->output_count; i++)
		if (t->p->graph->outputs[i].kind == OUTPUT_GRADIENT)
			return true;
	return false;
}

static char *tensor_parameters(Arena *a, const OnChipText *t, const Tensors *tensors, char **arguments)
{
	char *text = arena_strdup(a, "");
	*arguments = arena_strdup(a, "");
	for (int i = 0; i < tensors->count; i++) {
		const Tensor *x = &tensors->at[i];
		if (x->buffer == t->p->of_node[t->o->pack->id])
			continue;
		text = arena_printf(a, "%s%s%s *%s, ", text, x->written ? "" : "const ",
		                    dtype_c_name(x->dtype), x->name);
		*arguments = arena_printf(a, "%s(void *)&%s, ", *arguments, x->buffer->name);
	}
	return text;
}

char *write_update_kernel(OnChipText *t)
{
	Arena *a = t->arena;
	const Step *step = onchip_update_step(t->p);
	const UpdateText *u = &t->text;
	Writer *file = t->w;
	char *arguments, *params = tensor_parameters(a, t, &u->tensors, &arguments);
	t->update = emit_unique_name(t->e, arena_printf(a, "%s_update", c_identifier(a, t->p->graph->name)));
	t->w = writer_new(a);
	write_indent(t->w, 1);
	int64_t first = 0;
	for (int k = 0; k < t->o->pack->operand_count; k++) {
		const Node *gradient = t->o->pack->operands[k];
		const BatchSum *sum = onchip_sum(t->o, gradient);
		if (sum->kind == SUM_PRODUCT)
			write_product(t, sum, gradient, first);
		else
			write_partial(t, sum, gradient, first);
		first += type_elements(gradient->type);
	}
	write_numbers(t);
	const char *parts = writer_text(t->w, NULL);
	t->w = file;
	write_line(
	        t->w,
	        "/* The sums over the batch, and the update in the thread that ends them; loss and metrics.");
	write_line(t->w, " * %s", step_formula(a, t->p, step, &u->tensors, 3 * ONCHIP_FORMULA_WIDTH));
	write_line(t->w, " * %s", comment_text(a, sites_text(a, step->sites, 8)));
	write_line(t->w, " * %s; bound: the latency of the memory, twice */", step_measures(a, step));
	write_line(t->w,
	           "extern \"C\" __global__ void __launch_bounds__(%d) %s(NnrControl *control, const "
	           "NnrSupply supply, "
	           "const int turn, %schar *arena)",
	           ONCHIP_UPDATE_THREADS, t->update, params);
	write_line(t->w, "{");
	write_indent(t->w, 1);
	write_line(t->w, "NNR_CHIP(chip, %lld);",
	           (long long)(t->update_scratch * dtype_bytes(t->o->pack->type.dtype)));
	write_line(t->w, "%s *const part = (%s *)chip;", onchip_real(t), onchip_real(t));
	if (t->numbers_read_scalars)
		write_line(t->w, "const NnrScalars scalars = nnr_step_scalars(%s), *const s = &scalars;",
		           ONCHIP_STEP);
	if (*u->keep)
		write_line(t->w, "const %s *const kept = (const %s *)(arena + %lld);", onchip_real(t),
		           onchip_real(t), (long long)buffer_offset(t->p->buffers[t->o->scalars]));
	write_lines(t->w, u->ahead);
	write_line(t->w, "const auto begin = [&] { /* when the kernels before this one have ended */");
	write_indent(t->w, 1);
	write_line(t->w, "nnr_kernel_wait();");
	write_line(t->w, "nnr_kernel_next();");
	write_lines(t->w, u->load);
	write_indent(t->w, -1);
	write_line(t->w, "};");
	write_line(t->w, "struct Old {");
	write_line(t->w, "\t%s %s;", onchip_real(t), *u->old ? u->old : "none");
	write_line(t->w, "};");
	write_line(t->w, "const auto fetch = [&](const int i0) -> Old { return {%s}; };", u->old_values);
	write_line(t->w, "const auto update = [&](const int i0, const Old &old, const %s gradient) {",
	           onchip_real(t));
	write_indent(t->w, 1);
	if (keeps_gradients(t))
		write_line(t->w, "((%s *)(arena + %lld))[i0] = gradient;", onchip_real(t),
		           (long long)buffer_offset(t->p->of_node[t->o->pack->id]));
	write_lines(t->w, u->body);
	write_indent(t->w, -1);
	write_line(t->w, "};");
	write_line(t->w, "int block = blockIdx.x;");
	write_indent(t->w, -1);
	write_lines(t->w, parts);
	write_line(t->w, "}");
	write_text(t->w, "\n");
	return arguments;
}
