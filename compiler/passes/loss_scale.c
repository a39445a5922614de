/* SPDX-License-Identifier: MIT */
/* Dynamic loss scaling as graph nodes: see loss_scale.h. */
#include "passes/loss_scale.h"

#include <float.h>
#include <string.h>

static const double START = 65536, SMALLEST = 0x1p-14, LARGEST = 0x1p24, INTERVAL = 2000;
static const char scale_name[] = "loss_scale", count_name[] = "loss_scale.good";

bool loss_is_scaled(const PassContext *ctx)
{
	return ctx->recipe && ctx->recipe->precision && strcmp(ctx->recipe->precision, "fp16") == 0 &&
	       ctx->target->halves;
}

static Node *state(Build *b, const char *name, double value)
{
	Node *leaf = graph_find_leaf(b->graph, "state", name);
	if (leaf)
		return leaf;
	Attr attrs[] = {attr_text("name", name), attr_real("value", value)};
	return graph_leaf(b->graph, "state", type_scalar(DTYPE_F32), attrs, 2, b->sites);
}

Node *loss_scale(Build *b)
{
	return state(b, scale_name, START);
}

Node *loss_unscaled(Build *b, Node *x)
{
	Node *values[] = {x, loss_scale(b)};
	return build_formula(b, "x*(1/s)", 2, (const char *[]){"x", "s"}, values);
}

Node *gradient_is_finite(Build *b, Node *gradient)
{
	const int64_t all = 0;
	Node *largest = build_reduce(b, "max", build1(b, "abs", gradient), &all, 1);
	Node *values[] = {build_reshape(b, largest, 0, NULL), build_constant(b, FLT_MAX)};
	return build_formula(b, "x <= most", 2, (const char *[]){"x", "most"}, values);
}

void loss_scale_update(Build *b, Node *finite)
{
	static const char *const names[] = {"finite", "s", "n", "interval", "smallest", "largest"};
	Node *values[] = {finite,
	                  loss_scale(b),
	                  state(b, count_name, 0),
	                  build_constant(b, INTERVAL),
	                  build_constant(b, SMALLEST),
	                  build_constant(b, LARGEST)};
	enum { COUNT = sizeof names / sizeof *names };
	Node *scale = build_formula(b,
	                            "select(finite, select(n + 1 >= interval, minimum(2*s, largest), s), "
	                            "maximum(0.5*s, smallest))",
	                            COUNT, names, values);
	Node *good = build_formula(b, "select(finite, select(n + 1 >= interval, 0, n + 1), 0)", COUNT, names,
	                           values);
	graph_output(b->graph, OUTPUT_STATE, scale_name, scale);
	graph_output(b->graph, OUTPUT_STATE, count_name, good);
}
