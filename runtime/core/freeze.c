#include "runtime/core/freeze.h"
#include "runtime/core/die.h"
#include "runtime/core/patterns.h"
#include "runtime/core/weights.h"

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
static const NnrTensor **frozen_params(const Session *s, int *count)
{
	const NnrModel *m = s->model;
	const NnrTensor **frozen = allocate(m->param_count, sizeof *frozen, "the frozen tensors");
	for (int i = 0; i < m->param_count; i++)
		if (patterns_match(s->options.freeze, m->params[i].name) && !m->params[i].frozen)
			frozen[(*count)++] = &m->params[i];
	qsort(frozen, (size_t)*count, sizeof *frozen, by_place);
	return frozen;
}

/* A flat tensor of the state block that has `element` bytes for each of the parameters' elements, in their order. */
static void add_flat(struct Frozen *f, const NnrTensor *const *params, int count, int64_t offset,
                     int64_t element)
{
	for (int i = 0; i < count; i++) {
		int64_t first = params[i]->offset / dtype_bytes(params[i]->dtype),
		        elements = tensor_elements(params[i]->dim, params[i]->rank);
		add_range(f, (FrozenRange){true, offset + first * element, elements * element});
	}
}

static void check_patterns(const Session *s)
{
	const NnrModel *m = s->model;
	int count = m->param_count + m->state_count;
	const char **names = allocate(count, sizeof *names, "the names");
	for (int i = 0; i < count; i++)
		names[i] = i < m->param_count ? m->params[i].name : m->states[i - m->param_count].name;
	char *where = text_printf("the model `%s`", m->name);
	patterns_check(s->options.freeze, "freeze", names, count, where);
	free(where);
	free(names);
}

struct Frozen *freeze_new(const Session *s)
{
	const NnrModel *m = s->model;
	if (!s->options.freeze)
		return NULL;
	check_patterns(s);
	struct Frozen *f = allocate(1, sizeof *f, "the frozen tensors");
	int count = 0;
	const NnrTensor **params = frozen_params(s, &count);
	f->ranges = allocate((int64_t)count * (m->state_count + 2) + m->state_count, sizeof *f->ranges,
	                     "the frozen tensors");
	for (int i = 0; i < count; i++)
		add_range(f, (FrozenRange){false, params[i]->offset, tensor_bytes(params[i])});
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		if (is_optimizer_state(m, t))
			add_flat(f, params, count, t->offset, dtype_bytes(t->dtype));
		else if (patterns_match(s->options.freeze, t->name))
			add_range(f, (FrozenRange){true, t->offset, tensor_bytes(t)});
	}
	if (m->copy.elements > 0)
		add_flat(f, params, count, m->copy.offset, dtype_bytes(m->copy.dtype));
	free(params);
	return f;
}

char *freeze_place(const FrozenRange *range, const NnrMemory *memory)
{
	return (range->in_state ? memory->state : memory->params) + range->offset;
}

void freeze_keep(struct Frozen *f, const NnrMemory *memory)
{
	if (!f)
		return;
	char *to = f->kept = allocate(f->bytes, 1, "the frozen tensors");
	for (int i = 0; i < f->count; to += f->ranges[i++].bytes)
		memcpy(to, freeze_place(&f->ranges[i], memory), (size_t)f->ranges[i].bytes);
}

void freeze_restore(const struct Frozen *f, const NnrMemory *memory)
{
	const char *from = f ? f->kept : NULL;
	for (int i = 0; f && i < f->count; from += f->ranges[i++].bytes)
		memcpy(freeze_place(&f->ranges[i], memory), from, (size_t)f->ranges[i].bytes);
}

void freeze_free(struct Frozen *f)
{
	if (!f)
		return;
	free(f->ranges);
	free(f->kept);
	free(f);
}
