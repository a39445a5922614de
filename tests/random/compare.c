/* SPDX-License-Identifier: MIT */
/* What a step of a compiled network has left, beside the interpreter's: in double element by element, in 16 bits and
 * tf32 outputs as vectors (random.c). */
#include "tests/random/compare.h"
#include "tests/host/host.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* NaN is NaN, and an infinity that of its sign. */
static bool agrees(double got, double wanted, double tolerance)
{
	return fabs(got - wanted) <= tolerance || got == wanted || (isnan(got) && isnan(wanted));
}

/* `scale` is the least that the tolerance is relative to. */
static void compare(Compare *c, const char *what, const char *name, const void *place, NnrDType dtype,
                    const double *wanted, int64_t count, double tolerance, double scale)
{
	double *got = NEW_ARRAY(c->arena, double, count);
	host_get(place, dtype, got, count);
	for (int64_t k = 0; k < count; k++)
		scale = fabs(wanted[k]) > scale && isfinite(wanted[k]) ? fabs(wanted[k]) : scale;
	for (int64_t k = 0; k < count; k++) {
		if (agrees(got[k], wanted[k], tolerance * scale))
			continue;
		if (!c->wrong++)
			printf("FAIL %s, step %d: %s %s[%lld] is %.17g, the interpreter says %.17g\n",
			       c->label, c->step, what, name, (long long)k, got[k], wanted[k]);
		return;
	}
}

/* In 16 bits: outputs of one kind as one vector; a loss near zero is compared with 1. A network that magnifies
 * rounding, by batchnorms of few and almost equal values, is compared as loosely as it magnifies the interpreter's
 * own. One with a kink that rounding passes, as a relu in front of a normalisation by almost nothing, must agree with
 * one of several draws of the interpreter's rounding: some pass it too. */
enum { MAGNIFIED = 4, DRAWS = 16 };

typedef enum { GOT, EXACT, ROUNDED } Origin;

typedef struct Vector {
	double *x;
	int64_t count;
} Vector;

/* The outputs of a kind, one after the other. */
static Vector outputs_of(const Compare *c, NnrOutputKind kind, const NnrProgram *p, const NnrMemory *memory,
                         const Reference *r, Origin origin)
{
	Vector v = {0};
	for (int fill = 0; fill < 2; fill++) {
		v = (Vector){fill ? NEW_ARRAY(c->arena, double, v.count) : NULL, 0};
		for (int i = 0; i < p->output_count; i++) {
			const NnrOutput *o = &p->outputs[i];
			int64_t count = host_elements(o->rank, o->dim);
			const double *exact = reference_output(r, o->kind, o->name, count);
			if (o->kind != kind || !exact)
				continue;
			if (fill && origin == GOT)
				host_get(memory->arena + o->offset, o->dtype, v.x + v.count, count);
			else if (fill)
				memcpy(v.x + v.count,
				       origin == EXACT ? exact : reference_rounded(r, o->kind, o->name),
				       (size_t)count * sizeof *exact);
			v.count += count;
		}
	}
	return v;
}

static double distance(Vector a, Vector b)
{
	double sum = 0;
	for (int64_t i = 0; i < a.count; i++)
		if (!agrees(a.x[i], b.x[i], 0))
			sum += (a.x[i] - b.x[i]) * (a.x[i] - b.x[i]);
	return sqrt(sum);
}

static void compare_vectors(Compare *c, NnrOutputKind kind, const NnrProgram *p, const NnrMemory *memory,
                            Reference *r)
{
	Vector got = outputs_of(c, kind, p, memory, r, GOT), exact = outputs_of(c, kind, p, memory, r, EXACT);
	Vector zero = {NEW_ARRAY(c->arena, double, exact.count), exact.count};
	double length = hypot(distance(exact, zero), kind == NNR_LOSS ? 1 : 1e-3), off = distance(got, exact);
	/* the second step begins where the first one's rounding has led */
	double allowed = c->arithmetic->vector * c->step * length;
	bool agrees = off <= allowed;
	for (int draw = 0; !agrees && !c->promotes && draw <= DRAWS; draw++) {
		reference_run_rounded(r, c->step, c->arithmetic->bits, draw);
		Vector rounded = outputs_of(c, kind, p, memory, r, ROUNDED);
		agrees = draw ? distance(got, rounded) <= allowed
		              : off <= MAGNIFIED * distance(rounded, exact);
	}
	if (!agrees && !c->wrong++)
		printf("FAIL %s, step %d: output kind %d is off by %.3g of its length %.3g\n", c->label,
		       c->step, kind, off / length, length);
}

/* The 16-bit copy of the parameters is what the parameters round to. */
void compare_copy(Compare *c, const NnrModel *m, const NnrMemory *memory)
{
	size_t size = (size_t)m->copy.elements * sizeof(uint16_t);
	char *got = arena_copy(c->arena, memory->state + m->copy.offset, size + 1);
	host_fill_copy(m, memory);
	if (memcmp(got, memory->state + m->copy.offset, size) != 0 && !c->wrong++)
		printf("FAIL %s, step %d: the copy of the parameters is not what they round to\n", c->label,
		       c->step);
}

void compare_outputs(Compare *c, const NnrProgram *p, const NnrMemory *memory, Reference *r)
{
	static const char *const kinds[] = {"loss", "metric", "count", "gradient", "value"};
	if (c->arithmetic->vector > 0) {
		compare_vectors(c, NNR_LOSS, p, memory, r);
		compare_vectors(c, NNR_VALUE, p, memory, r);
		compare_vectors(c, NNR_GRADIENT, p, memory, r);
		return;
	}
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		int64_t count = host_elements(o->rank, o->dim);
		const double *wanted = reference_output(r, o->kind, o->name, count);
		if (!wanted && !c->wrong++)
			printf("FAIL %s: an output %s that the graph has not\n", c->label, o->name);
		if (wanted)
			compare(c, kinds[o->kind], o->name, memory->arena + o->offset, o->dtype, wanted,
			        count, c->arithmetic->element,
			        fmax(1, reference_largest_term(r, o->kind, o->name)));
	}
}

void compare_take_gradients(Compare *c, const NnrProgram *p, const NnrMemory *memory, Reference *r)
{
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		if (o->kind != NNR_GRADIENT)
			continue;
		double *values = NEW_ARRAY(c->arena, double, host_elements(o->rank, o->dim));
		host_get(memory->arena + o->offset, o->dtype, values, host_elements(o->rank, o->dim));
		reference_take_gradient(r, o->name, values);
	}
}

void compare_kept(Compare *c, const NnrModel *m, const NnrMemory *memory, Reference *r)
{
	for (int i = 0; i < m->param_count; i++) {
		const NnrTensor *t = &m->params[i];
		compare(c, "parameter", t->name, memory->params + t->offset, t->dtype,
		        reference_values(r, t->name), host_elements(t->rank, t->dim), c->arithmetic->element,
		        1);
	}
	const NnrTensor *average = host_tensor(m->states, m->state_count, "ema.params");
	for (int i = 0; average && i < m->param_count; i++) {
		const NnrTensor *t = &m->params[i];
		const double *wanted = reference_average(r, t->name);
		if (wanted)
			compare(c, "average of", t->name, memory->state + average->offset + t->offset,
			        t->dtype, wanted, host_elements(t->rank, t->dim), c->arithmetic->element, 1);
	}
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		const double *wanted =
		        reference_values(r, t->name); /* optimizer state has other names in the reference */
		if (wanted)
			compare(c, "state", t->name, memory->state + t->offset, t->dtype, wanted,
			        host_elements(t->rank, t->dim),
			        fmax(c->arithmetic->element, c->arithmetic->vector), 1);
	}
}
