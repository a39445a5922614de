/* SPDX-License-Identifier: MIT */
/* The walk over the graph, leaves, and indexing. */
#include "tests/interp/interp.h"
#include "ir/loop_kernel.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void type_strides(const Type *t, int64_t *stride)
{
	int64_t s = 1;
	for (int i = t->rank - 1; i >= 0; i--) {
		stride[i] = s;
		s *= t->dim[i];
	}
}

bool next_index(const Type *t, int64_t *index)
{
	for (int i = t->rank - 1; i >= 0; i--) {
		if (++index[i] < t->dim[i])
			return true;
		index[i] = 0;
	}
	return false;
}

int64_t broadcast_offset(const Type *t, const Type *over, const int64_t *index)
{
	int64_t stride = 1, offset = 0;
	for (int i = t->rank - 1; i >= 0; stride *= t->dim[i--])
		if (t->dim[i] > 1)
			offset += stride * index[i + over->rank - t->rank];
	return offset;
}

int64_t int_or(const Node *n, const char *name, int64_t otherwise)
{
	return node_attr(n, name) ? node_int(n, name) : otherwise;
}

static const Meaning *meaning_find(const char *name)
{
	const Meaning *const tables[] = {tensor_meanings, network_meanings, attention_meanings};
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const Meaning *m = tables[t]; m->name; m++)
			if (!strcmp(m->name, name))
				return m;
	return NULL;
}

bool interp_knows(const char *op_name)
{
	return meaning_find(op_name) || pointwise_knows(op_name);
}

static double *leaf_values(const InterpInputs *in, const Node *n)
{
	const double *values = in->leaf(in->ctx, n);
	if (!values) {
		fprintf(stderr, "interp: no values for %s %s\n", n->op->name, node_text(n, "name"));
		exit(1);
	}
	return (double *)values;
}

/* 0 to 1, by seed, node and element. */
static double chance(int draw, int node, int64_t i)
{
	uint64_t h = ((uint64_t)draw << 48) ^ ((uint64_t)node << 32) ^ (uint64_t)i;
	for (int k = 0; k < 2; k++) {
		h = (h ^ (h >> 31)) * 0x9e3779b97f4a7c15;
		h ^= h >> 29;
	}
	return (double)(h >> 11) * 0x1p-53;
}

static void round_values(double *x, int64_t count, const InterpInputs *in, int node)
{
	for (int64_t i = 0; i < count; i++) {
		int exponent;
		double significand = ldexp(frexp(x[i], &exponent), in->bits);
		double rounded =
		        in->draw ? floor(significand + chance(in->draw, node, i)) : rint(significand);
		if (isfinite(x[i]))
			x[i] = ldexp(rounded, exponent - in->bits);
	}
}

/* ---- a graph, or the body of a loop in one period */

typedef struct Run {
	Arena *arena;
	const Graph *g;
	const InterpInputs *in;
	double *const *given; /* of a body, by argument */
	int64_t streams;
	double **values;   /* by node */
	double ***results; /* of loops, by node */
} Run;

static double **run_graph(Arena *a, const Graph *g, const InterpInputs *in, double *const *given,
                          int64_t streams);

/* Copies part `place` of `count` along the axis between all that is [.., count, ..] and the part [.., ..]. */
static void copy_part(const Type *part, int64_t axis, int64_t count, int64_t place, double *all, double *x,
                      bool from_all)
{
	int64_t outer = 1, inner = 1;
	for (int i = 0; i < part->rank; i++)
		*(i < axis ? &outer : &inner) *= part->dim[i];
	for (int64_t o = 0; o < outer; o++)
		for (int64_t i = 0; i < inner; i++) {
			double *at = &all[(o * count + place) * inner + i], *to = &x[o * inner + i];
			*(from_all ? to : at) = *(from_all ? at : to);
		}
}

/* What the operands are in a period: parts of the sequences, what is carried, and all else as it is. */
static double **given_in_period(Run *r, const LoopKernel *kernel, const Node *n, int64_t place,
                                double **carried)
{
	const Loop *l = &kernel->l;
	const int arguments = n->operand_count + l->carried - kernel->begun;
	double **given = NEW_ARRAY(r->arena, double *, arguments);
	for (int i = 0; i < arguments; i++) {
		if (i >= l->sequences && i < l->sequences + l->carried) {
			given[i] = carried[i - l->sequences];
			continue;
		}
		const Node *operand = n->operands[loop_kernel_operand(kernel, i)];
		double *x = r->values[operand->id];
		given[i] = x;
		if (i >= l->sequences)
			continue;
		const Type part = loop_part(l, operand->type);
		given[i] = NEW_ARRAY(r->arena, double, type_elements(part));
		copy_part(&part, l->axis, l->count, place, x, given[i], true);
	}
	return given;
}

static int64_t random_nodes(const Graph *g)
{
	int64_t count = 0;
	for (int i = 0; i < g->count; i++) {
		count += node_is(g->nodes[i], "dropout") || node_is(g->nodes[i], "uniform");
		if (node_is_loop(g->nodes[i]))
			count += node_int(g->nodes[i], "count") * random_nodes(loop_of(g->nodes[i]).body);
	}
	return count;
}

static double **run_loop(Run *r, const Node *n)
{
	const bool is_kernel = node_is_loop_kernel(n);
	const LoopKernel kernel =
	        is_kernel ? loop_kernel_of(n) : (LoopKernel){.l = loop_of(n), .begun = loop_of(n).carried};
	const Loop l = kernel.l;
	const Graph *body = l.body;
	double **results = NEW_ARRAY(r->arena, double *, l.carried + l.yields);
	for (int i = 0; i < l.carried; i++)
		results[i] = i < kernel.begun ? r->values[n->operands[l.sequences + i]->id]
		                              : NEW_ARRAY(r->arena, double,
		                                          type_elements(body->outputs[i].node->type));
	for (int i = 0; i < l.yields; i++)
		results[l.carried + i] = NEW_ARRAY(
		        r->arena, double, l.count *type_elements(body->outputs[l.carried + i].node->type));
	for (int64_t t = 0; t < l.count; t++) {
		const int64_t place = l.reverse ? l.count - 1 - t : t;
		double **values =
		        run_graph(r->arena, body, r->in, given_in_period(r, &kernel, n, place, results),
		                  r->streams + t * random_nodes(body));
		for (int i = 0; i < l.carried; i++)
			results[i] = values[body->outputs[i].node->id];
		for (int i = l.carried; i < body->output_count; i++) {
			const Node *y = body->outputs[i].node;
			const int64_t axis = l.axis < y->type.rank ? l.axis : y->type.rank;
			copy_part(&y->type, axis, l.count, place, results[i], values[y->id], false);
		}
	}
	return results;
}

/* All that is kept of its results, one after the other. */
static double *run_loop_kernel(Run *r, const Node *n)
{
	const LoopKernel k = loop_kernel_of(n);
	double **results = run_loop(r, n), *y = NEW_ARRAY(r->arena, double, type_elements(n->type));
	for (int i = 0; i < k.kept_count; i++)
		memcpy(y + loop_kernel_offset(&k, i), results[k.kept[i]],
		       (size_t)type_elements(loop_kernel_result(&k.l, k.kept[i])) * sizeof *y);
	return y;
}

static double *run_node(Run *r, const Node *n)
{
	double **x = NEW_ARRAY(r->arena, double *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		x[k] = r->values[n->operands[k]->id];
	double *y = NEW_ARRAY(r->arena, double, type_elements(n->type));
	Eval e = {
	        .arena = r->arena, .graph = r->g, .in = r->in, .n = n, .x = x, .y = y, .streams = r->streams};
	const Meaning *m = meaning_find(n->op->name);
	if (m) {
		m->eval(&e);
	} else if (!pointwise_eval(&e)) {
		fprintf(stderr, "interp: the operator %s has no definition in tests/interp\n", n->op->name);
		exit(1);
	}
	if (r->in->bits && dtype_is_real(n->type.dtype))
		round_values(y, type_elements(n->type), r->in, n->id);
	return y;
}

static double **run_graph(Arena *a, const Graph *g, const InterpInputs *in, double *const *given,
                          int64_t streams)
{
	Run r = {a,
	         g,
	         in,
	         given,
	         streams,
	         NEW_ARRAY(a, double *, g->count),
	         NEW_ARRAY(a, double **, g->count)};
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (node_is_constant(n)) {
			r.values[i] = NEW(a, double);
			r.values[i][0] = node_real(n, "value");
		} else if (node_is_argument(n)) {
			r.values[i] = given[node_int(n, "index")];
		} else if (node_is_leaf(n)) {
			r.values[i] = leaf_values(in, n);
		} else if (node_is_loop_kernel(n)) {
			r.values[i] = run_loop_kernel(&r, n);
		} else if (node_is_loop(n)) {
			r.results[i] = run_loop(&r, n);
		} else if (node_is(n, "result")) {
			r.values[i] = r.results[n->operands[0]->id][node_int(n, "index")];
		} else {
			r.values[i] = run_node(&r, n);
		}
	}
	return r.values;
}

double **interp(Arena *a, const Graph *g, const InterpInputs *in)
{
	return run_graph(a, g, in, NULL, 0);
}
