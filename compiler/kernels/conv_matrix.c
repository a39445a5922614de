/* SPDX-License-Identifier: MIT */
/* The loops of conv_matrix and its gradient. */
#include "codegen/lanes.h"
#include "codegen/op_loops.h"
#include "ops/conv_matrix.h"

/* Dimension i of the window: pixel `at` of the image seen from pixel `from` of the result, in steps of which `dilation`
 * are a tap; and pixel `tap` steps of the window further. */
static const char *distance(Arena *a, const Window *w, int i, const char *at, const char *from)
{
	const char *moved = strcmp(at, "0") == 0 ? arena_printf(a, "%lld", (long long)w->pad[i])
	                                         : index_plus(a, at, w->pad[i]);
	return strcmp(from, "0") == 0 ? moved
	                              : arena_printf(a, "%s - %s", moved, index_times(a, from, w->stride[i]));
}

static const char *pixel(Arena *a, const Window *w, int i, const char *from, const char *tap)
{
	return index_plus(a,
	                  arena_printf(a, "%s + %s", index_times(a, from, w->stride[i]),
	                               index_times(a, tap, w->dilation[i])),
	                  -w->pad[i]);
}

/* Whether the distances `r` and `s` are of taps. */
static const char *is_tap(Arena *a, const Window *w)
{
	static const char *const name[2] = {"r", "s"};
	const char *text = NULL;
	for (int i = 0; i < 2; i++) {
		const char *divides = w->dilation[i] == 1 ? ""
		                                          : arena_printf(a, " && %s %% %lld == 0", name[i],
		                                                         (long long)w->dilation[i]);
		text = arena_printf(a, "%s%s%s >= 0 && %s < %lld%s", text ? text : "", text ? " && " : "",
		                    name[i], name[i], (long long)(w->size[i] * w->dilation[i]), divides);
	}
	return text;
}

/* The place in w of filter k's tap at these distances, in channel `channel`. */
static const char *weight_at(Arena *a, const ConvMatrixSizes *s, const char *channel)
{
	const Window *w = &s->win;
	return arena_printf(a, "((k * %lld + %s) * %lld + %s) * %lld + %s", (long long)w->size[0],
	                    index_over(a, "r", w->dilation[0]), (long long)w->size[1],
	                    index_over(a, "s", w->dilation[1]), (long long)s->channels, channel);
}

/* Whether pixel (h, v) is inside of the image. */
static const char *is_inside(Arena *a, const Window *w)
{
	return arena_printf(a, "h >= 0 && h < %lld && v >= 0 && v < %lld", (long long)w->in[0],
	                    (long long)w->in[1]);
}

/* The place in the matrix of the pair (p, q), (h, v), filter k and channel c. */
static const char *element_at(Arena *a, const ConvMatrixSizes *s)
{
	const Window *w = &s->win;
	return arena_printf(a, "(((p * %lld + q) * %lld + k) * %lld + h * %lld + v) * %lld + c",
	                    (long long)w->out[1], (long long)s->filters, (long long)(w->in[0] * w->in[1]),
	                    (long long)w->in[1], (long long)s->channels);
}

static int width_of(const Node *n)
{
	int64_t channels = conv_matrix_sizes(n).channels;
	return lanes_width(1, &channels);
}

static void conv_matrix_emit(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	ConvMatrixSizes s = conv_matrix_sizes(n);
	const Window *w = &s.win;
	Arena *a = k->arena;
	const int64_t pixels = w->in[0] * w->in[1];
	lanes_open(&l, "line", n->type.dim[0] * pixels, s.channels);
	lanes_index(&l, "row", "%s", index_over(a, "line", pixels));
	lanes_index(&l, "k", "%s", index_digit(a, "row", 1, s.filters));
	const char *p = index_digit(a, "row", s.filters * w->out[1], w->out[0]);
	const char *q = index_digit(a, "row", s.filters, w->out[1]);
	const char *h = index_digit(a, "line", w->in[1], w->in[0]), *v = index_digit(a, "line", 1, w->in[1]);
	lanes_index(&l, "r", "%s", distance(a, w, 0, h, p));
	lanes_index(&l, "s", "%s", distance(a, w, 1, v, q));
	lanes_value(&l, "e", "0");
	code_if(k->code, "%s", is_tap(a, w));
	lanes_reload(&l, "e", 0, weight_at(a, &s, "c"));
	code_close(k->code, 1);
	lanes_index(&l, "column", "%s + c", index_times(a, index_digit(a, "line", 1, pixels), s.channels));
	lanes_finish(&l, "row", "column", "e@");
}

static void conv_matrix_grad_emit(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	ConvMatrixSizes s = conv_matrix_sizes(n);
	const Window *w = &s.win;
	Arena *a = k->arena;
	lanes_open(&l, "row", s.filters * w->size[0] * w->size[1], s.channels);
	lanes_index(&l, "k", "%s", index_over(a, "row", w->size[0] * w->size[1]));
	lanes_index(&l, "r", "%s", index_digit(a, "row", w->size[1], w->size[0]));
	lanes_index(&l, "s", "%s", index_digit(a, "row", 1, w->size[1]));
	lanes_value(&l, "sum", "0");
	code_loop(k->code, (CodeLoop){.type = l.index, .var = "p", .count = w->out[0]});
	code_loop(k->code, (CodeLoop){.type = l.index, .var = "q", .count = w->out[1]});
	lanes_index(&l, "h", "%s", pixel(a, w, 0, "p", "r"));
	lanes_index(&l, "v", "%s", pixel(a, w, 1, "q", "s"));
	code_if(k->code, "%s", is_inside(a, w));
	lanes_load(&l, "e", 0, element_at(a, &s));
	lanes_each(&l, "sum@ += e@");
	code_close(k->code, 3);
	lanes_finish(&l, "row", "c", "sum@");
}

const OpLoops conv_matrix_loops[] = {
        {.op = "conv_matrix", .emit = conv_matrix_emit},
        {.op = "conv_matrix_grad", .emit = conv_matrix_grad_emit},
        {0},
};
