/* SPDX-License-Identifier: MIT */
/* How convolutions of images with few channels are cut; and the C loops of the weight gradient in parts, the oracle of
 * the implementation `image` (conv_image_cuda.c). */
#include "kernels/conv_image.h"

#include "codegen/lanes.h"
#include "codegen/op_loops.h"

int64_t conv_image_tiles(const ConvShape *s, int64_t rows)
{
	return ceil_div(s->win.out[0], rows);
}

Node *conv_in_tiles(Graph *to, const Node *n, Node **operands, int64_t rows, int64_t blocks)
{
	const bool in_parts = n->op->gemm == GEMM_WGRAD;
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count + 2);
	int count = 0;
	for (int i = 0; i < n->attr_count; i++)
		attrs[count++] = n->attrs[i];
	attrs[count++] = attr_int("rows", rows);
	attrs[count++] = attr_int(in_parts ? "parts" : "blocks", blocks);
	if (!in_parts) {
		Node *by = graph_node(to, n->op, operands, 2, attrs, count, n->sites, NULL);
		by->group = n->group;
		return by;
	}
	Build b = build_beside(to, n);
	Node *parts = build(&b, "conv_wgrad_parts", 2, operands, count, attrs);
	return build_reshape(&b, build_reduce(&b, "sum", parts, (int64_t[]){0}, 1), 4, n->type.dim);
}

/* The terms of one weight: filter k, tap (r, s), channel c. */
static void write_sum(KernelText *k, const ConvShape *s, int64_t rows, int64_t parts)
{
	const Window *w = &s->win;
	int64_t tiles = conv_image_tiles(s, rows);
	long long P = w->out[0], Q = w->out[1], C = s->channels;
	code_var(k->code, "%s", "sum", "0", k->real);
	kernel_loop(k, "tile", "part", kernel_literal(k, s->batch * tiles), parts);
	code_var(k->code, "int64_t", "n", "tile / %lld", (long long)tiles);
	code_also(k->code, "first", "tile %% %lld * %lld", (long long)tiles, (long long)rows);
	code_loop(k->code, (CodeLoop){.type = "int64_t",
	                              .var = "p",
	                              .from = "first",
	                              .to = arena_printf(k->arena, "first + %lld", (long long)rows),
	                              .also = arena_printf(k->arena, "p < %lld", P)});
	kernel_loop(k, "q", "0", kernel_literal(k, Q), 1);
	code_var(k->code, "int64_t", "h", "%s",
	         index_plus(k->arena, arena_printf(k->arena, "p * %lld + r", (long long)w->stride[0]),
	                    -w->pad[0]));
	code_also(k->code, "v", "%s",
	          index_plus(k->arena, arena_printf(k->arena, "q * %lld + s", (long long)w->stride[1]),
	                     -w->pad[1]));
	code_if_bare(k->code, "h >= 0 && h < %lld && v >= 0 && v < %lld", (long long)w->in[0],
	             (long long)w->in[1]);
	code_add(k->code, "sum",
	         "dy[((n * %lld + p) * %lld + q) * %lld + k] * x[((n * %lld + h) * %lld + v) * %lld + %s]", P,
	         Q, (long long)s->filters, (long long)w->in[0], (long long)w->in[1], C,
	         s->groups > 1 ? "k" : "c");
	code_close(k->code, 1);
	code_close(k->code, 3);
}

static void parts_emit(KernelText *k, const Node *n)
{
	const ConvShape s = conv_shape(n);
	int64_t parts = node_int(n, "parts"), taps = s.win.size[0] * s.win.size[1];
	code_turns(k->code, TURNS_THREADS, "");
	kernel_loop(k, "row", "0", kernel_literal(k, parts * s.filters * taps), 1);
	code_var(k->code, "int64_t", "part", "%s", index_over(k->arena, "row", s.filters * taps));
	code_also(k->code, "k", "%s", index_digit(k->arena, "row", taps, s.filters));
	code_also(k->code, "r", "%s", index_digit(k->arena, "row", s.win.size[1], s.win.size[0]));
	code_also(k->code, "s", "%s", index_digit(k->arena, "row", 1, s.win.size[1]));
	kernel_loop(k, "c", "0", kernel_literal(k, s.channels / s.groups), 1);
	write_sum(k, &s, node_int(n, "rows"), parts);
	kernel_epilogue(k, "row", "c", "sum");
	code_close(k->code, 2);
}

const OpLoops conv_image_loops[] = {
        {.op = "conv_wgrad_parts", .emit_cpu = parts_emit},
        {0},
};
