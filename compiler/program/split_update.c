/* SPDX-License-Identifier: MIT */
/* The update as up to three steps, so that it runs beside what the step waits for anyway.
 *
 * The update is one map over all parameters, bound by memory; the backward chain is bound by the latency of its
 * kernels. The gradients of the last layers come first: a range of parameters that no step reads or gives a gradient
 * after some place in the chain is updated from there on, apart, on a few multiprocessors that it keeps for itself.
 * The place is where the chain after it hides most, by their prices. What is ready when the chain ends runs
 * beside the last weight gradients of the branch, and the rest after them. All compute the nodes of the whole
 * (Step.range), so that every element is computed as before. Where the update needs a number of all gradients
 * (clipping, the finite check of fp16), nothing is ready before the end, and nothing is split.
 *
 * Of several ranks a gradient is ready when the mean over them is (STEP_ALL_REDUCE), which runs beside the step: a
 * bucket is taken to be there when the next one is complete, and all but the last when the chain ends.
 *
 * ResNet-50 at 32x32 in bf16, Adam, on an H200, 1.60 ms whole: with 19.2 M parameters apart on 32 multiprocessors, in
 * the branch, 1.54; on a stream of their own, so that the weight gradients do not wait, half of that gain. Blocks on
 * all multiprocessors gained nothing wherever they ran (1.60), nor did they beside the next step's forward chain (1.58
 * at best): the libraries' kernels want whole multiprocessors, and wait for them. */
#include "ir/op.h"
#include "passes/pass.h"
#include "program/price.h"
#include <math.h>

enum { VECTOR = 64 }; /* elements: a range begins and ends where the vectors of every type do */

/* The branch has the weight gradients of the chain to compute as well. */
static const double BRANCH_SHARE = 0.5;

typedef struct Split {
	Program *p;
	const Step *update;
	int64_t elements;
	const Buffer **params; /* one after the other */
	int *last_use; /* by parameter: the last step before the update that needs its old value, or writes its
	                        * gradient */
	int param_count;
} Split;

/* The flat tensor has the parameters that are trained. */
static int64_t trained_elements(const Program *p)
{
	int64_t elements = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (b->class == BUFFER_PARAMETER && node_is_param(b->node) && !node_is_frozen(b->node))
			elements += type_elements(b->type);
	}
	return elements;
}

/* A map over the flat parameters, that reads single numbers besides. */
static bool is_update(const Program *p, const Step *s)
{
	int64_t elements = 0;
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->class == BUFFER_PARAMETER)
			elements = type_elements(s->writes[i]->type);
	if (s->kind != STEP_KERNEL || elements == 0 || elements != trained_elements(p))
		return false;
	for (int i = 0; i < s->node_count; i++)
		if (!(s->nodes[i]->op->flags & OP_POINTWISE))
			return false;
	for (int i = 0; i < s->read_count; i++)
		if (s->reads[i]->type.rank > 0 && type_elements(s->reads[i]->type) != elements)
			return false;
	return true;
}

static bool find_update(Split *s)
{
	for (int i = s->p->step_count - 1; i >= 0; i--)
		if (is_update(s->p, &s->p->steps[i])) {
			s->update = &s->p->steps[i];
			s->elements = trained_elements(s->p);
			return true;
		}
	return false;
}

static void find_params(Split *s)
{
	s->params = NEW_ARRAY(s->p->arena, const Buffer *, s->p->buffer_count);
	for (int i = 0; i < s->p->buffer_count; i++) {
		const Buffer *b = s->p->buffers[i];
		if (b->class != BUFFER_PARAMETER || b->inside || !node_is_param(b->node) ||
		    node_is_frozen(b->node))
			continue;
		int at = s->param_count++;
		for (; at > 0 && s->params[at - 1]->offset > b->offset; at--)
			s->params[at] = s->params[at - 1];
		s->params[at] = b;
	}
}

/* The flat elements that a buffer holds a value of, or a gradient; all, where every one depends on it; none else. */
static bool elements_of(const Split *s, Buffer *b, int64_t *first, int64_t *end)
{
	const Buffer *root = buffer_root(b);
	bool flat = false, whole = false;
	for (int i = 0; i < s->update->read_count; i++) {
		flat = flat || root == buffer_root(s->update->reads[i]);
		whole = whole || (b == s->update->reads[i] && b->type.rank == 0);
	}
	for (int i = 0; i < s->update->write_count; i++)
		flat = flat || root == buffer_root(s->update->writes[i]);
	*first = 0;
	*end = s->elements;
	if (root->class != BUFFER_PARAMETER && (whole || !flat))
		return whole;
	*first = buffer_offset(b) / dtype_bytes(b->type.dtype) -
	         (root->class == BUFFER_PARAMETER ? 0 : buffer_offset(root) / dtype_bytes(b->type.dtype));
	*end = *first + type_elements(b->type);
	return true;
}

static int64_t param_start(const Split *s, int param)
{
	return s->params[param]->offset / dtype_bytes(s->params[param]->type.dtype);
}

static void note_use(Split *s, Buffer *b, int step)
{
	int64_t first, end;
	if (!elements_of(s, b, &first, &end))
		return;
	int lo = 0,
	    hi = s->param_count; /* the first parameter that does not end before `first` is among these */
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (param_start(s, mid) + type_elements(s->params[mid]->type) <= first)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < s->param_count && param_start(s, lo) < end; lo++)
		s->last_use[lo] = step;
}

/* From where on the mean of a bucket is taken to be there; of the last one from nowhere on. */
static int there_after(const Split *s, int step)
{
	for (int next = step + 1; next < s->p->step_count; next++)
		if (s->p->steps[next].kind == STEP_ALL_REDUCE)
			return next;
	return s->p->step_count;
}

static void find_uses(Split *s)
{
	s->last_use = NEW_ARRAY(s->p->arena, int, s->param_count);
	for (int i = 0; i < s->update->id; i++) {
		const Step *step = &s->p->steps[i];
		int last = step->kind == STEP_ALL_REDUCE ? there_after(s, i) : i;
		for (int k = 0; k < step->read_count; k++)
			note_use(s, step->reads[k], last);
		for (int k = 0; k < step->write_count; k++)
			note_use(s, step->writes[k], last);
	}
}

/* The longest range of neighbours whose gradients and old values no step from `step` on writes or reads. */
static StepRange longest_range(const Split *s, int step)
{
	StepRange best = {0};
	int64_t first = 0;
	for (int i = 0; i < s->param_count; i++) {
		int64_t end = param_start(s, i) + type_elements(s->params[i]->type);
		if (s->last_use[i] >= step) {
			first = end;
			continue;
		}
		int64_t from = (first + VECTOR - 1) / VECTOR * VECTOR, to = end / VECTOR * VECTOR;
		if (to - from > best.count)
			best = (StepRange){.first = from, .count = to - from};
	}
	return best;
}

/* The first of the steps of the branch that nothing but the update follows, and sums that are taken beside them, if a
 * heavy one is among them; or what follows the last bucket of several ranks. */
static int last_of_branch(const Split *s)
{
	int at = s->update->id;
	bool heavy = false;
	for (int i = at - 1; i >= 0; i--)
		if (s->p->steps[i].kind == STEP_ALL_REDUCE)
			return i + 1;
	for (; at > 0 && (s->p->steps[at - 1].branch || s->p->steps[at - 1].sums == SUMS_TAKEN); at--)
		heavy = heavy || step_is_heavy(&s->p->steps[at - 1]);
	return heavy ? at : -1;
}

/* The elements first to end - 1 of each flat tensor of the list, the single numbers as they are. */
static void add_parts(const Split *s, Buffer ***list, int *count, Buffer *const *whole, int whole_count,
                      int64_t first, int64_t end)
{
	Program *p = s->p;
	Buffer **all = NEW_ARRAY(p->arena, Buffer *, *count + whole_count);
	for (int i = 0; i < *count; i++)
		all[i] = (*list)[i];
	for (int i = 0; i < whole_count && first < end; i++) {
		Buffer *b = whole[i];
		if (b->type.rank > 0) {
			Type t;
			int64_t dim = end - first;
			require(type_make(b->type.dtype, 1, &dim, &t));
			Buffer *part = program_add_buffer(p, b->class,
			                                  arena_printf(p->arena, "%s_part", b->name), t);
			part->inside = b;
			part->offset = first * dtype_bytes(t.dtype);
			b = part;
		}
		all[(*count)++] = b;
	}
	*list = all;
}

/* The update of the elements in, or not in, a range. */
static Step part_of_update(const Split *s, StepRange range)
{
	Step part = *s->update;
	int64_t end = range.first + range.count,
	        count = range.others ? s->elements - range.count : range.count;
	part.range = range;
	part.flops *= (double)count / (double)s->elements;
	part.bytes *= (double)count / (double)s->elements;
	part.reads = part.writes = NULL;
	part.read_count = part.write_count = 0;
	const Step *u = s->update;
	int64_t ends[][2] = {{range.first, end}, {0, range.first}, {end, s->elements}};
	for (int i = range.others; i < (range.others ? 3 : 1); i++) {
		add_parts(s, &part.reads, &part.read_count, u->reads, u->read_count, ends[i][0], ends[i][1]);
		add_parts(s, &part.writes, &part.write_count, u->writes, u->write_count, ends[i][0],
		          ends[i][1]);
	}
	return part;
}

/* The range to update apart, and the step that it may run in front of. */
static StepRange choose_apart(const Split *s, const Device *d, int64_t fewest, int *before)
{
	StepRange best = {0};
	double rest = 0, most = 0; /* us of the chain after, and of the update that it hides */
	for (int step = s->update->id - 1; step > 0; step--) {
		const Step *at = &s->p->steps[step];
		rest += at->branch ? 0 : step_us(at, d);
		StepRange r = longest_range(s, step);
		const double share = (double)r.count / (double)s->elements,
		             update = s->update->bytes * share / d->reached.memory,
		             hidden = fmin(update, rest * BRANCH_SHARE);
		if (r.count < fewest || update <= most) /* further ahead the range is no longer */
			break;
		if (r.count < s->elements && hidden > most) {
			best = r;
			most = hidden;
			*before = step;
		}
	}
	return best;
}

static int64_t range_end(StepRange r)
{
	return r.first + r.count;
}

/* Of a range, what is longer of the elements below and above those that are apart. */
static StepRange longer_rest(StepRange r, StepRange apart)
{
	StepRange below = {.first = r.first, .count = apart.first - r.first},
	          above = {.first = range_end(apart), .count = range_end(r) - range_end(apart)};
	return apart.count == 0 ? r : below.count > above.count ? below : above;
}

Program *pass_split_update(PassContext *ctx, const Program *before_split)
{
	int64_t fewest = ctx->target->split_update;
	Program *p = program_copy(ctx->arena, before_split);
	Split s = {.p = p};
	if (fewest == 0 || !find_update(&s))
		return p;
	find_params(&s);
	find_uses(&s);
	int before = -1, tail = last_of_branch(&s);
	StepRange apart = choose_apart(&s, target_device(ctx->target), fewest, &before), ready = {0};
	if (tail >= 0)
		ready = longer_rest(longest_range(&s, tail), apart);
	if (ready.count < fewest || ready.count == s.elements)
		ready = (StepRange){0};
	if (apart.count + ready.count == 0)
		return p;
	StepRange others = {.first = ready.count > 0 && (apart.count == 0 || ready.first < apart.first)
	                                     ? ready.first
	                                     : apart.first,
	                    .count = apart.count + ready.count,
	                    .others = true};
	Step *steps = NEW_ARRAY(p->arena, Step, p->step_count + 2);
	int count = 0;
	for (int i = 0; i < p->step_count; i++) {
		if (i == before) {
			steps[count] = part_of_update(&s, apart);
			steps[count++].branch = true;
		}
		if (i == s.update->id && ready.count > 0)
			steps[count++] = part_of_update(&s, ready);
		steps[count++] = i == s.update->id ? part_of_update(&s, others) : p->steps[i];
	}
	program_set_steps(p, steps, count);
	return p;
}
