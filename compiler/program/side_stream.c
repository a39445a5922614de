/* SPDX-License-Identifier: MIT */
/* Which steps run on the branch, and which of them a step must wait for: see branch.h. */
#include "program/side_stream.h"
#include "program/buffer_marks.h"
#include "ir/op.h"
#include "passes/pass.h"

/* ---- what runs there */

/* Weight gradients by a library, or in parts: nothing but the update waits for them, so that they can fill the device
 * beside the small kernels of the backward chain. */
bool step_may_branch(const Step *s)
{
	if (s->root && s->root->op->gemm == GEMM_WGRAD_PARTS)
		return true;
	if (!step_is_heavy(s))
		return false;
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->class != BUFFER_GRADIENT)
			return false;
	return true;
}

static bool feeds(const Step *from, const Step *to)
{
	for (int i = 0; i < from->write_count; i++)
		for (int k = 0; k < to->read_count; k++)
			if (buffer_root(from->writes[i]) == buffer_root(to->reads[k]))
				return true;
	return false;
}

static bool updates(const Step *s)
{
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->class == BUFFER_PARAMETER || s->writes[i]->class == BUFFER_STATE)
			return true;
	return false;
}

bool step_waits(const Step *s, const Step *before)
{
	return feeds(before, s) || updates(s);
}

/* Gradients, scores and what no other step reads; and what a heavy step writes for kernels of the branch alone: the
 * gradient of a convolution's matrix, before it is folded; the parts of a weight gradient. A kernel in front of those
 * stays: they may stand after others there; and so does what a heavy step of the branch multiplies, the gradient of an
 * activation, which runs beside the one before. */
bool step_leaves_chain(const StepReaders *readers, const Step *s)
{
	for (int i = 0; i < s->write_count; i++) {
		const Buffer *b = s->writes[i];
		int root = buffer_root(s->writes[i])->id;
		if (b->class == BUFFER_GRADIENT || b->class == BUFFER_WORKSPACE || root >= readers->count)
			continue;
		for (int k = readers->first[root]; k < readers->first[root + 1]; k++) {
			const Step *reader = &readers->program->steps[readers->step[k]];
			if (!step_is_heavy(s) || !reader->branch || step_is_heavy(reader))
				return false;
		}
	}
	return !updates(s);
}

StepReaders step_readers(Arena *a, const Program *p)
{
	StepReaders r = {.program = p};
	int reads = 0;
	for (int s = 0; s < p->step_count; s++)
		for (int i = 0; i < p->steps[s].read_count; i++, reads++)
			if (buffer_root(p->steps[s].reads[i])->id >= r.count)
				r.count = buffer_root(p->steps[s].reads[i])->id + 1;
	r.first = NEW_ARRAY(a, int, r.count + 2);
	r.step = NEW_ARRAY(a, int, reads);
	for (int s = 0; s < p->step_count; s++)
		for (int i = 0; i < p->steps[s].read_count; i++)
			r.first[buffer_root(p->steps[s].reads[i])->id + 2]++;
	for (int b = 0; b < r.count; b++)
		r.first[b + 2] += r.first[b + 1];
	for (int s = 0; s < p->step_count; s++) /* first[b + 1] moves from where b begins to where it ends */
		for (int i = 0; i < p->steps[s].read_count; i++)
			r.step[r.first[buffer_root(p->steps[s].reads[i])->id + 1]++] = s;
	return r;
}

/* Whether a step makes of parameters and states alone, as they are when the step begins, what is read later: the matrix
 * of a convolution's weights. `changes`, by buffer: another kind of step has written it. */
static bool is_fixed(const Step *s, const bool *changes)
{
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->class != BUFFER_ACTIVATION || s->writes[i]->inside)
			return false;
	for (int i = 0; i < s->read_count; i++)
		if (buffer_root(s->reads[i])->class == BUFFER_INPUT || changes[buffer_root(s->reads[i])->id])
			return false;
	return !step_moves(s) && s->read_count > 0;
}

/* What the chain does not wait for goes there too: means of loss and metrics, gradients of biases; and what does not
 * wait for the chain, so that it is there long before it is read. */
static void extend_branch(Program *p)
{
	Arena *scratch = arena_new();
	const StepReaders readers = step_readers(scratch, p);
	for (int s = p->step_count - 1; s >= 0; s--) /* readers first */
		if (!step_moves(&p->steps[s]) && p->steps[s].sums != SUMS_TAKEN &&
		    step_leaves_chain(&readers, &p->steps[s]))
			p->steps[s].branch = true;
	bool *changes = NEW_ARRAY(scratch, bool, p->buffer_count);
	for (int s = 0; s < p->step_count; s++) {
		Step *step = &p->steps[s];
		if (is_fixed(step, changes)) {
			step->branch = true;
			continue;
		}
		for (int i = 0; i < step->write_count; i++)
			changes[buffer_root(step->writes[i])->id] = true;
	}
	arena_free(scratch);
}

/* Sums of rows are taken beside a heavy step: on the branch where the chain goes on with one; else in the chain, after
 * the last, which is of the branch then and would hold them up there. */
static void hide_sums(Program *p)
{
	for (int s = p->step_count - 1; s >= 0; s--) {
		Step moved = p->steps[s];
		int to = s;
		if (moved.sums != SUMS_TAKEN)
			continue;
		for (int k = s + 1; k < p->step_count && !moved.branch && !step_waits(&p->steps[k], &moved);
		     k++)
			if (step_is_heavy(&p->steps[k])) {
				moved.branch = !p->steps[k].branch;
				to = moved.branch ? s : k;
			}
		for (int at = s; at < to; at++)
			p->steps[at] = p->steps[at + 1];
		p->steps[to] = moved;
	}
}

/* A step of the branch starts where its operands are ready, not after the steps that it can run beside; one that waits
 * for none starts ahead of those of the branch that do. */
static void start_branch_early(Program *p)
{
	int ready = 0; /* in front: they wait for none */
	for (int s = 0; s < p->step_count; s++) {
		Step moved = p->steps[s];
		int at = s, fed = s; /* the steps that feed it are among the first so many */
		if (!moved.branch)
			continue;
		while (fed > 0 && !feeds(&p->steps[fed - 1], &moved))
			fed--;
		bool waits = fed > 0;
		for (int to = waits ? fed : ready++; at > to && !(waits && p->steps[at - 1].branch); at--)
			p->steps[at] = p->steps[at - 1];
		p->steps[at] = moved;
	}
}

static bool feeds_any(const Program *p, int from, int end)
{
	for (int k = from + 1; k < end; k++)
		if (feeds(&p->steps[from], &p->steps[k]))
			return true;
	return false;
}

/* Where the chain only waits for heavy steps of the branch, what would hold the last of them up there goes to the
 * chain: it runs beside it, on what it leaves. */
static void let_heavy_begin(Program *p)
{
	for (int next = 1; next < p->step_count; next++) {
		int heavy = next - 1;
		while (heavy > 0 && p->steps[heavy].branch && !step_is_heavy(&p->steps[heavy]))
			heavy--;
		if (p->steps[next].branch || !p->steps[heavy].branch || !step_is_heavy(&p->steps[heavy]) ||
		    !step_waits(&p->steps[next], &p->steps[heavy]))
			continue;
		for (int s = heavy - 1; s >= 0 && p->steps[s].branch; s--) {
			Step moved = p->steps[s];
			if (step_is_heavy(&moved) || feeds_any(p, s, heavy + 1))
				continue;
			moved.branch = false;
			for (int at = s; at < heavy; at++)
				p->steps[at] = p->steps[at + 1];
			p->steps[heavy--] = moved;
		}
	}
}

Program *pass_side_stream(PassContext *ctx, const Program *before)
{
	Program *p = program_copy(ctx->arena, before);
	for (int s = 0; s < p->step_count; s++)
		p->steps[s].branch = step_may_branch(&p->steps[s]);
	extend_branch(p);
	bool any =
	        false; /* a weight gradient, or one with zeros at its ends that kernels of the branch cut off */
	for (int s = 0; s < p->step_count; s++)
		any = any || (p->steps[s].branch && step_is_heavy(&p->steps[s]) && p->graph->training);
	if (!any)
		return (Program *)before;
	hide_sums(p);
	start_branch_early(p);
	let_heavy_begin(p);
	program_set_steps(p, p->steps, p->step_count);
	p->steps[p->step_count - 1].branch = false; /* it waits for all of the branch: branch_waits */
	return p;
}

/* ---- what waits for what */

int *branch_numbers(Arena *a, const Program *p)
{
	int *numbers = NEW_ARRAY(a, int, p->step_count);
	for (int s = 0, next = 0; s < p->step_count; s++)
		numbers[s] = p->steps[s].branch ? next++ : -1;
	return numbers;
}

/* What steps so far have read and written, by their numbers in the order in which they run. */
typedef struct Touched {
	BufferMarks *read, *written;
} Touched;

static void touch(const Touched *t, const Step *s, int number)
{
	for (int i = 0; i < s->read_count; i++)
		buffer_mark(t->read, s->reads[i], number);
	for (int i = 0; i < s->write_count; i++)
		buffer_mark(t->written, s->writes[i], number);
}

/* The last that wrote what the step reads, or read or wrote what it overwrites; -1: none did. */
static int last_in_conflict(const Touched *t, const Step *s)
{
	int last = -1;
	for (int i = 0; i < s->read_count; i++) {
		const int wrote = buffer_largest_mark(t->written, s->reads[i]);
		last = wrote > last ? wrote : last;
	}
	for (int i = 0; i < s->write_count; i++) {
		const int read = buffer_largest_mark(t->read, s->writes[i]),
		          wrote = buffer_largest_mark(t->written, s->writes[i]);
		last = read > last ? read : last;
		last = wrote > last ? wrote : last;
	}
	return last;
}

int *branch_waits(Arena *a, const Program *p)
{
	Arena *scratch = arena_new();
	const Touched branch = {buffer_marks_new(scratch, p), buffer_marks_new(scratch, p)};
	int *waits = NEW_ARRAY(a, int, p->step_count), *numbers = branch_numbers(a, p);
	int waited = -1, last = -1, ahead = 0;
	while (ahead < p->step_count && p->steps[ahead].branch)
		ahead++;
	for (int s = 0; s < p->step_count; s++) {
		waits[s] = -1;
		if (p->steps[s].branch) {
			last = numbers[s];
			touch(&branch, &p->steps[s], last);
			continue;
		}
		const int conflict = last > waited ? last_in_conflict(&branch, &p->steps[s]) : -1;
		if (conflict > waited)
			waits[s] = conflict < ahead ? ahead - 1 : conflict;
		if (waits[s] > waited && p->steps[s].kind != STEP_ALL_REDUCE) /* it runs beside the chain */
			waited = waits[s];
	}
	/* the step as a whole ends when its branch has */
	if (p->step_count > 0 && last > waited && waits[p->step_count - 1] < last)
		waits[p->step_count - 1] = last;
	arena_free(scratch);
	return waits;
}

int *bucket_numbers(Arena *a, const Program *p)
{
	int *numbers = NEW_ARRAY(a, int, p->step_count);
	for (int s = 0, next = 0; s < p->step_count; s++)
		numbers[s] = p->steps[s].kind == STEP_ALL_REDUCE ? next++ : -1;
	return numbers;
}

int *bucket_waits(Arena *a, const Program *p)
{
	Arena *scratch = arena_new();
	const Touched means = {buffer_marks_new(scratch, p), buffer_marks_new(scratch, p)};
	int *waits = NEW_ARRAY(a, int, p->step_count), *numbers = bucket_numbers(a, p);
	int waited[2] = {-1, -1}; /* by the chain, by the branch */
	int last = -1;
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		waits[s] = -1;
		if (step->kind == STEP_ALL_REDUCE) {
			last = numbers[s];
			touch(&means, step, last);
			continue;
		}
		const int most = s + 1 == p->step_count        ? last
		                 : last > waited[step->branch] ? last_in_conflict(&means, step)
		                                               : -1;
		if (most > waited[step->branch])
			waits[s] = waited[step->branch] = most;
	}
	arena_free(scratch);
	return waits;
}

int scores_overwritten(const Program *p)
{
	for (int s = 0; s < p->step_count; s++)
		for (int w = 0; w < p->steps[s].write_count; w++)
			for (int i = 0; i < p->graph->output_count; i++) {
				if ((OUTPUTS_SCORES & 1u << p->graph->outputs[i].kind) &&
				    buffers_share_bytes(p->steps[s].writes[w], p->output_buffers[i]))
					return s;
			}
	return -1;
}
