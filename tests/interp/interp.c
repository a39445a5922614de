/* The walk over the graph, leaves, and indexing. */
#include "tests/interp/interp.h"
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

double real_or(const Node *n, const char *name, double otherwise)
{
	return node_attr(n, name) ? node_real(n, name) : otherwise;
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

double **interp(Arena *a, const Graph *g, const InterpInputs *in)
{
	double **values = NEW_ARRAY(a, double *, g->count);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (node_is_constant(n)) {
			values[i] = NEW(a, double);
			values[i][0] = node_real(n, "value");
			continue;
		}
		if (node_is_leaf(n)) {
			values[i] = leaf_values(in, n);
			continue;
		}
		double **x = NEW_ARRAY(a, double *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			x[k] = values[n->operands[k]->id];
		values[i] = NEW_ARRAY(a, double, type_elements(n->type));
		Eval e = {.arena = a, .graph = g, .in = in, .n = n, .x = x, .y = values[i]};
		const Meaning *m = meaning_find(n->op->name);
		if (m) {
			m->eval(&e);
		} else if (!pointwise_eval(&e)) {
			fprintf(stderr, "interp: the operator %s has no definition in tests/interp\n",
			        n->op->name);
			exit(1);
		}
		if (in->bits && dtype_is_real(n->type.dtype))
			round_values(values[i], type_elements(n->type), in, i);
	}
	return values;
}
