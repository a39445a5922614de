/* SPDX-License-Identifier: MIT */
/* Resident rows as two steps, so that the chain does not wait for their sums.
 *
 * After the last row the sums over all rows are added up over the blocks, in two rounds through one block each, and
 * one block computes what is after them: gradients of biases, the weight gradient of a layer with one output, the
 * loss. Of the chain nothing needs those, but the kernel ends with them. Where only the update or the host reads them,
 * and a weight gradient follows that they can be computed beside, they become a step of their own, each of whose blocks
 * adds all parts of a few columns (nnr_sums_take). Both steps keep the
 * nodes of the whole (Step.sums), so that they agree on blocks and parts, and add in the same order: the results are
 * the same bits. Where the second one stands is decided with the branch (branch.c).
 *
 * One H200, [8000,1000] of f32: the whole takes 24.4 us, the rows alone 14.5. */
#include "base/array.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"
#include "program/side_stream.h"
#include "codegen/forms.h"

static bool reads(const Program *p, const Step *s, const unsigned *roles, const Buffer *b)
{
	for (int i = 0; i < s->node_count; i++)
		for (int k = 0; k < s->nodes[i]->operand_count && roles[i] & NODE_READS; k++)
			if (buffer_of(p, s->nodes[i]->operands[k]) == b)
				return true;
	return false;
}

static bool stores(const Program *p, const Step *s, const unsigned *roles, const Buffer *b)
{
	for (int i = 0; i < s->node_count; i++)
		if (roles[i] & NODE_STORES && p->of_node[s->nodes[i]->id] == b)
			return true;
	return false;
}

/* As lower.c counts: no workspace, and all nodes of the part, whose reads are `bytes`. */
static void measure(Arena *a, Step *part, const unsigned *roles, double bytes)
{
	part->flops = 0;
	part->bytes = bytes;
	part->sites = (Sites){0};
	for (int i = 0; i < part->write_count; i++)
		part->bytes +=
		        part->writes[i]->class == BUFFER_WORKSPACE ? 0 : (double)part->writes[i]->bytes;
	for (int i = 0; i < part->node_count; i++) {
		if (roles[i] & NODE_READS)
			part->flops += node_cost(part->nodes[i]).flops;
		if (roles[i])
			part->sites = sites_union(a, part->sites, part->nodes[i]->sites);
	}
}

static Step part_of_step(const Program *p, const Step *whole, StepSums sums)
{
	Arena *a = p->arena;
	Step part = *whole;
	part.sums = sums;
	part.reads = NEW_ARRAY(a, Buffer *, whole->read_count + 1);
	part.writes = NEW_ARRAY(a, Buffer *, whole->write_count);
	part.read_count = part.write_count = 0;
	const unsigned *roles = step_roles(a, &part);
	const double *of_reads = step_read_bytes(a, p, whole, NEW_ARRAY(a, int64_t, p->graph->count));
	double bytes = 0;
	for (int i = 0; i < whole->read_count; i++)
		if (reads(p, whole, roles, whole->reads[i])) {
			part.reads[part.read_count++] = whole->reads[i];
			bytes += of_reads[i];
		}
	for (int i = 0; i < whole->write_count; i++) {
		Buffer *b = whole->writes[i];
		bool workspace = b->class == BUFFER_WORKSPACE;
		if (workspace && sums == SUMS_TAKEN)
			part.reads[part.read_count++] = b;
		if (workspace || stores(p, whole, roles, b))
			part.writes[part.write_count++] = b;
	}
	measure(a, &part, roles, bytes);
	return part;
}

/* Whether a weight gradient stands between the step and what waits for its sums. */
static bool is_hidden(const Program *p, const Step *whole, const Step *sums)
{
	for (int k = whole->id + 1; k < p->step_count && !step_waits(&p->steps[k], sums); k++)
		if (step_may_branch(&p->steps[k]))
			return true;
	return false;
}

typedef ARRAY(Step) Steps;

/* The program has the steps of the list, whose place may be another one now. */
static void insert_after(Program *p, Steps *steps, int at, Step step)
{
	array_push(p->arena, steps, step); /* one more */
	memmove(&steps->at[at + 2], &steps->at[at + 1], sizeof *steps->at * (size_t)(steps->count - at - 2));
	steps->at[at + 1] = step;
	program_set_steps(p, steps->at, steps->count);
}

/* Of one group of blocks the sums are added up in one round. */
static bool sums_groups(Arena *a, const Step *s, const Target *t)
{
	if (s->kind != STEP_KERNEL || !s->shape->resident)
		return false;
	LoopNest nest = loops_of_step(a, s, t);
	return resident_groups(&nest) > 1;
}

Program *pass_split_sums(PassContext *ctx, const Program *before)
{
	Program *p = program_copy(ctx->arena, before);
	Arena *scratch = arena_new();
	StepReaders readers = step_readers(scratch, p);
	Steps steps = {p->steps, p->step_count, p->step_count};
	for (int s = p->step_count - 1; s >= 0; s--) {
		const Step *whole = &p->steps[s];
		if (!sums_groups(p->arena, whole, ctx->target))
			continue;
		Step sums = part_of_step(p, whole, SUMS_TAKEN);
		if (step_leaves_chain(&readers, whole) || !step_leaves_chain(&readers, &sums) ||
		    !is_hidden(p, whole, &sums))
			continue;
		p->steps[s] = part_of_step(p, whole, SUMS_LEFT);
		insert_after(p, &steps, s, sums);
		arena_free(scratch);
		scratch = arena_new();
		readers = step_readers(scratch, p);
	}
	arena_free(scratch);
	return p;
}
