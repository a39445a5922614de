/* SPDX-License-Identifier: MIT */
#include "runtime/session/freeze.h"
#include "runtime/host/die.h"
#include "runtime/host/patterns.h"
#include "runtime/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

static void add_range(struct Frozen *f, FrozenRange range)
{
	FrozenRange *last = f->count ? &f->ranges[f->count - 1] : NULL;
	f->bytes += range.bytes;
	if (last && last->in_state == range.in_state && last->offset + last->bytes == range.offset)
		last->bytes += range.bytes;
	else
		f->ranges[f->count++] = range;
}

static int by_place(const void *a, const void *b)
{
	const NnrTensor *x = *(const NnrTensor *const *)a, *y = *(const NnrTensor *const *)b;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int64_t tensor_bytes(const NnrTensor *t)
{
	return tensor_elements(t->dim, t->rank) * dtype_bytes(t->dtype);
}

/* The parameters that are frozen, as they stand in memory; *count of them. */
static const NnrTensor **frozen_params(const Session *s, const char *patterns, int *count)
{
	const NnrModel *m = s->model;
	const NnrTensor **frozen = allocate(m->param_count, sizeof *frozen, "the frozen tensors");
	for (int i = 0; i < m->param_count; i++)
		if (patterns_match(patterns, m->params[i].name) && !m->params[i].frozen)
			frozen[(*count)++] = &m->params[i];
	qsort(frozen, (size_t)*count, sizeof *frozen, by_place);
	return frozen;
}

/* A tensor of the state block that has an element for each of some of the parameters' elements, in their order. */
typedef struct Flat {
	int64_t offset, size; /* in bytes: of the tensor, of an element */
	int64_t first, count; /* of the parameters' elements */
} Flat;

static void add_flat(struct Frozen *f, const NnrTensor *const *params, int count, Flat of)
{
	for (int i = 0; i < count; i++) {
		int64_t begin = params[i]->offset / dtype_bytes(params[i]->dtype) - of.first,
		        end = begin + tensor_elements(params[i]->dim, params[i]->rank);
		begin = begin > 0 ? begin : 0;
		end = end < of.count ? end : of.count;
		if (begin < end)
			add_range(f,
			          (FrozenRange){true, of.offset + begin * of.size, (end - begin) * of.size});
	}
}

/* What an optimizer's state has elements for: a slice of the parameters, or this rank's share of them. */
static Flat flat_state(const NnrModel *m, const NnrTensor *t)
{
	int64_t first = tensor_is_share(m, t) ? ranks_own() * m->share : t->first;
	return (Flat){t->offset, dtype_bytes(t->dtype), first, t->dim[0]};
}

static void check_patterns(const Session *s, const char *patterns)
{
	const NnrModel *m = s->model;
	int count = m->param_count + m->state_count;
	const char **names = allocate(count, sizeof *names, "the names");
	for (int i = 0; i < count; i++)
		names[i] = i < m->param_count ? m->params[i].name : m->states[i - m->param_count].name;
	char *where = text_printf("the model `%s`", m->name);
	patterns_check(patterns, "freeze", names, count, where);
	free(where);
	free(names);
}

/* Of parameters that match `for_good` the optimizer's states are kept, too. Those of a first phase go on: Adam divides
 * by what a gradient of all steps so far would have added up to. NULL: `patterns` are none. */
static struct Frozen *freeze_new(const Session *s, const char *patterns, const char *for_good)
{
	const NnrModel *m = s->model;
	if (!patterns)
		return NULL;
	check_patterns(s, patterns);
	struct Frozen *f = allocate(1, sizeof *f, "the frozen tensors");
	int count = 0, kept_count = 0;
	const NnrTensor **params = frozen_params(s, patterns, &count),
	                **kept = for_good ? frozen_params(s, for_good, &kept_count) : NULL;
	f->ranges = allocate((int64_t)count * (m->state_count + 2) + m->state_count, sizeof *f->ranges,
	                     "the frozen tensors");
	for (int i = 0; i < count; i++)
		add_range(f, (FrozenRange){false, params[i]->offset, tensor_bytes(params[i])});
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		if (t->first >= 0)
			add_flat(f, kept, kept_count, flat_state(m, t));
		else if (patterns_match(patterns, t->name))
			add_range(f, (FrozenRange){true, t->offset, tensor_bytes(t)});
	}
	if (m->copy.elements > 0)
		add_flat(f, params, count,
		         (Flat){m->copy.offset, dtype_bytes(m->copy.dtype), 0, m->copy.elements});
	free(kept);
	free(params);
	return f;
}

void freeze_open(Session *s)
{
	const char *always = s->options.freeze, *first = s->model->phase.frozen;
	char *both = first && always ? text_printf("%s,%s", always, first) : NULL;
	s->phases[0] = freeze_new(s, always, always);
	s->phases[1] = freeze_new(s, both ? both : first, always);
	s->frozen = s->phases[first != NULL];
	free(both);
}

int64_t freeze_steps_left(const Session *s)
{
	const int64_t end = s->model->phase.frozen ? phase_steps(&s->model->phase, s->steps_per_epoch) : 0;
	return s->at.step < end ? end - s->at.step : INT64_MAX;
}

bool freeze_enter(Session *s)
{
	struct Frozen *before = s->frozen;
	s->frozen = s->phases[freeze_steps_left(s) < INT64_MAX];
	return s->frozen != before;
}

char *freeze_place(const FrozenRange *range, const NnrMemory *memory)
{
	return (range->in_state ? memory->state : memory->params) + range->offset;
}

void freeze_keep(struct Frozen *f, const NnrMemory *memory)
{
	if (!f)
		return;
	if (!f->kept)
		f->kept = allocate(f->bytes, 1, "the frozen tensors");
	char *to = f->kept;
	for (int i = 0; i < f->count; to += f->ranges[i++].bytes)
		memcpy(to, freeze_place(&f->ranges[i], memory), (size_t)f->ranges[i].bytes);
}

void freeze_restore(const struct Frozen *f, const NnrMemory *memory)
{
	const char *from = f ? f->kept : NULL;
	for (int i = 0; f && i < f->count; from += f->ranges[i++].bytes)
		memcpy(freeze_place(&f->ranges[i], memory), from, (size_t)f->ranges[i].bytes);
}

void freeze_close(Session *s)
{
	for (int i = 0; i < 2; i++) {
		if (s->phases[i]) {
			free(s->phases[i]->ranges);
			free(s->phases[i]->kept);
		}
		free(s->phases[i]);
	}
}
