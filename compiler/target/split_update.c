/* The update as two steps, so that the last weight gradients have something beside them.
 *
 * The update is one map over all parameters, bound by memory, and waits for every gradient. The last of them, of the first layer,
 * comes from the branch when the chain has ended, and nothing else runs meanwhile. So the longest range of parameters whose
 * gradients are ready by then becomes a step of its own, which waits for no more than those; a second step takes the others.
 * Both compute the nodes of the whole (Step.range), so that every element is computed as before. Where the update needs a
 * number of all gradients (clipping, the finite check of fp16), nothing is ready before the end, and nothing is split.
 *
 * More was tried on an H200 with ResNet-50 at 32x32 and gained nothing: updating each layer on the branch as soon as its
 * gradient is there (2.07 to 2.10 ms in place of 2.09), and the last layers beside the next step's forward chain, in short
 * blocks (2.033 in place of 2.030) or in few (2.04 to 2.13): the libraries' kernels want whole multiprocessors. */
#include "target/split_update.h"
#include "base/checked.h"
#include "ops/op.h"

enum { VECTOR = 64 }; /* elements: a range begins and ends where the vectors of every type do */

typedef struct Split {
	Program *p;
	const Step *update;
	int64_t elements;
	const Buffer **params; /* one after the other */
	int *last_use; /* by parameter: the last step before the update that needs its old value, or writes its
	                        * gradient */
	int param_count;
} Split;

/* A map over the flat parameters, that reads single numbers besides. */
static bool is_update(const Program *p, const Step *s)
{
	int64_t elements = 0;
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->class == BUFFER_PARAMETER)
			elements = type_elements(s->writes[i]->type);
	if (s->kind != STEP_KERNEL || elements != p->param_elements)
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
			s->elements = s->p->param_elements;
			return true;
		}
	return false;
}

static void find_params(Split *s)
{
	s->params = NEW_ARRAY(s->p->arena, const Buffer *, s->p->buffer_count);
	for (int i = 0; i < s->p->buffer_count; i++) {
		const Buffer *b = s->p->buffers[i];
		if (b->class != BUFFER_PARAMETER || b->inside || !node_is(b->node, "param"))
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

static void note_use(Split *s, Buffer *b, int step)
{
	int64_t first, end;
	if (!elements_of(s, b, &first, &end))
		return;
	for (int i = 0; i < s->param_count; i++) {
		int64_t at = s->params[i]->offset / dtype_bytes(s->params[i]->type.dtype);
		if (at < end && first < at + type_elements(s->params[i]->type))
			s->last_use[i] = step;
	}
}

static void find_uses(Split *s)
{
	s->last_use = NEW_ARRAY(s->p->arena, int, s->param_count);
	for (int i = 0; i < s->update->id; i++) {
		const Step *step = &s->p->steps[i];
		for (int k = 0; k < step->read_count; k++)
			note_use(s, step->reads[k], i);
		for (int k = 0; k < step->write_count; k++)
			note_use(s, step->writes[k], i);
	}
}

/* The longest range of neighbours whose gradients and old values no step from `step` on writes or reads. */
static StepRange longest_range(const Split *s, int step)
{
	StepRange best = {0};
	int64_t first = 0;
	for (int i = 0; i < s->param_count; i++) {
		int64_t at = s->params[i]->offset / dtype_bytes(s->params[i]->type.dtype),
		        end = at + type_elements(s->params[i]->type);
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

/* The first of the steps of the branch that nothing but the update follows, if a library's is among them. */
static int last_of_branch(const Split *s)
{
	int at = s->update->id;
	bool library = false;
	for (; at > 0 && s->p->steps[at - 1].branch; at--)
		library = library || s->p->steps[at - 1].kind == STEP_LIBRARY;
	return library ? at : -1;
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

void split_update(Program *p, int64_t fewest)
{
	Split s = {.p = p};
	if (!find_update(&s))
		return;
	int tail = last_of_branch(&s);
	if (tail < 0)
		return;
	find_params(&s);
	find_uses(&s);
	StepRange ready = longest_range(&s, tail), others = ready;
	others.others = true;
	if (ready.count < fewest || ready.count == s.elements)
		return;
	Step *steps = NEW_ARRAY(p->arena, Step, p->step_count + 1);
	int to = 0;
	for (int i = 0; i < p->step_count; i++) {
		if (i == s.update->id)
			steps[to++] = part_of_update(&s, ready);
		steps[to++] = i == s.update->id ? part_of_update(&s, others) : p->steps[i];
	}
	p->steps = steps;
	p->step_count++;
	for (int i = 0; i < p->step_count; i++)
		p->steps[i].id = i;
}
