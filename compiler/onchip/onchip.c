/* SPDX-License-Identifier: MIT */
/* Finds the training steps that can run as two kernels: see onchip.h.
 *
 * Must run after schedule: it reads the groups of the scheduled graph. The graph stays as it is; the program of one
 * sample, which is the same graph at batch 1 without its sums over the batch, is built from it and left in the context.
 * A graph that does not fit says under -Rfusion why not: most do so in onchip_refuses, before anything is fused. */
#include "onchip/onchip.h"
#include "codegen/op_loops.h"
#include "ir/op.h"
#include "base/array.h"
#include "ir/walk.h"
#include "kernels/conv.h"
#include "ops/matmul.h"
#include "ir/domain.h"
#include <string.h>

enum {
	FEWEST_THREADS = 128,
	MOST_THREADS = 512,
	MOST_SAMPLE_FLOPS =
	        20 * 1000 * 1000, /* more is better done by the libraries, a whole batch at a time */
};

typedef enum { PART_FIXED, PART_SAMPLE, PART_SUM, PART_TAIL } Part;

typedef struct Split {
	Arena *arena;
	const Graph *g;
	Part *part; /* by node id */
	Graph *sample;
	Node **in_sample; /* by node id */
	OnChip *o;
	ARRAY(BatchSum) sums;
	ARRAY(Export) exports;
	const Node *culprit;
	const char *why; /* not; NULL so far */
} Split;

static bool refuse(Split *s, const Node *n, const char *why)
{
	s->culprit = n;
	s->why = why;
	return false;
}

static bool has_batch(const Split *s, const Node *n)
{
	return n->type.rank > 0 && n->type.dim[0] == s->g->batch;
}

/* A dropout's mask: of random numbers, one for each place in the batch. */
static bool is_drawn(const Node *n)
{
	bool drawn = false;
	for (int k = 0; k < n->operand_count; k++)
		drawn = drawn || (n->operands[k]->op->flags & OP_SEEDED);
	return drawn;
}

static bool sums_batch(const Node *n)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	for (int i = 0; i < count; i++)
		if (axes[i] == 0)
			return true;
	return false;
}

static bool split_matmul(Split *s, const Node *n, Part *part)
{
	MatmulShape m;
	matmul_shape(n, &m);
	Part a = s->part[n->operands[0]->id], b = s->part[n->operands[1]->id];
	if (n->type.rank == 2 && m.ta && !m.tb && a == PART_SAMPLE && b == PART_SAMPLE)
		*part = PART_SUM;
	else if (n->type.rank == 2 && !m.ta && a == PART_SAMPLE && b == PART_FIXED)
		*part = PART_SAMPLE;
	else
		return refuse(s, n, "this product has no form for one sample");
	return true;
}

static bool split_heavy(Split *s, const Node *n, Part *part)
{
	*part = PART_SAMPLE;
	if (n->op->gemm == GEMM_PRODUCT)
		return split_matmul(s, n, part);
	if (n->op->flags & OP_UNITS)
		return true;
	bool filters = n->op->gemm == GEMM_WGRAD;
	if (!filters && !op_loops(n->op)->emit_block)
		return refuse(s, n, "the operator has no form for one sample");
	const ConvShape c = conv_shape(n);
	if (c.groups > 1)
		return refuse(s, n, "a convolution in groups has no form for one sample");
	const char *form;
	if (filters)
		*part = PART_SUM;
	return !filters || conv_wgrad_block_form(s->arena, n, s->o->threads, &form) ||
	       refuse(s, n, "the filters are too many for the registers of a block");
}

/* Which part of the step a node belongs to; false: the step can't be split. */
static bool split_node(Split *s, const Node *n)
{
	Part *part = &s->part[n->id];
	bool sample = false, summed = false;
	for (int k = 0; k < n->operand_count; k++) {
		Part p = s->part[n->operands[k]->id];
		sample = sample || p == PART_SAMPLE;
		summed = summed || p == PART_SUM || p == PART_TAIL;
	}
	if (n->type.dtype == DTYPE_BF16 || n->type.dtype == DTYPE_F16)
		return refuse(s, n, "numbers of 16 bits have no form on chip");
	if (node_is_leaf(n)) {
		*part = node_is_input(n) ? PART_SAMPLE : PART_FIXED;
		return true;
	}
	for (int k = 0; sample && k < n->operand_count; k++)
		if (s->part[n->operands[k]->id] == PART_TAIL && is_drawn(n->operands[k]))
			return refuse(s, n->operands[k], "it depends on the place in the batch");
	if ((sample && summed) || n->op->flags & OP_COUPLES)
		return refuse(s, n, "it couples the samples of a batch");
	if (!sample) {
		bool fixed = !summed && (node_is_inline(n) || (n->op->flags & OP_ALIAS));
		*part = fixed ? PART_FIXED : PART_TAIL;
		return true;
	}
	if ((n->op->flags & OP_BY_ELEMENT))
		return refuse(s, n, "it depends on the place in the batch");
	for (int k = 0; k < n->operand_count; k++) {
		const Node *x = n->operands[k];
		if (s->part[x->id] == PART_FIXED && node_is_inline(x) && type_elements(x->type) > 1)
			return refuse(s, x, "it depends on the place in the batch");
	}
	*part = PART_SAMPLE;
	if (n->op->flags & OP_REDUCE) {
		if (sums_batch(n))
			*part = PART_SUM;
		if (*part == PART_SUM && !(n->op->flags & OP_ADDS))
			return refuse(s, n, "it couples the samples of a batch");
	} else if (!(n->op->flags & (OP_POINTWISE | OP_ALIAS)) && !split_heavy(s, n, part)) {
		return false;
	}
	if (*part == PART_SAMPLE && !has_batch(s, n))
		return refuse(s, n, "it mixes the samples with their positions");
	return true;
}

/* ---- the graph of one sample */

/* The type of a batch's value for one sample. */
static Type of_sample(const Split *s, Type t)
{
	t.dim[0] = 1;
	require(type_make(t.dtype, t.rank, t.dim, &t));
	return t;
}

static bool is_not_in_sample(void *ctx, const Node *n)
{
	return !((Split *)ctx)->in_sample[n->id];
}

/* Its operands are in the sample. */
static void add_to_sample(void *ctx, const Node *n)
{
	Split *s = ctx;
	Node **at = &s->in_sample[n->id];
	Node **operands = NEW_ARRAY(s->arena, Node *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = s->in_sample[n->operands[k]->id];
	bool per_sample = s->part[n->id] == PART_SAMPLE;
	if (node_is_leaf(n)) {
		*at = graph_leaf(s->sample, n->op->name, per_sample ? of_sample(s, n->type) : n->type,
		                 n->attrs, n->attr_count, n->sites);
	} else {
		Attr *attrs = NEW_ARRAY(s->arena, Attr, n->attr_count);
		for (int i = 0; i < n->attr_count; i++) {
			attrs[i] = n->attrs[i];
			bool shape = strcmp(attrs[i].name, "shape") == 0 || strcmp(attrs[i].name, "dim") == 0;
			if (!per_sample || !shape || attrs[i].kind != ATTR_INTS)
				continue;
			int64_t *dim = NEW_ARRAY(s->arena, int64_t, attrs[i].count);
			memcpy(dim, attrs[i].ints, sizeof *dim * (size_t)attrs[i].count);
			dim[0] = 1;
			attrs[i].ints = dim;
		}
		*at = graph_node(s->sample, n->op, operands, n->operand_count, attrs, n->attr_count, n->sites,
		                 NULL);
	}
	(*at)->name = n->name;
}

static Node *sample_node(Split *s, const Node *n)
{
	walk_operands(s->arena, n, is_not_in_sample, add_to_sample, s);
	return s->in_sample[n->id];
}

static int sample_output(Split *s, Node *n)
{
	for (int i = 0; i < s->sample->output_count; i++)
		if (s->sample->outputs[i].node == n)
			return i;
	graph_output(s->sample, OUTPUT_VALUE, arena_printf(s->arena, "term%d", s->sample->output_count), n);
	return s->sample->output_count - 1;
}

static int add_export(Split *s, const Node *n, int graph_output)
{
	int output = sample_output(s, sample_node(s, n));
	for (int i = 0; i < s->exports.count; i++)
		if (s->exports.at[i].output == output && graph_output < 0)
			return output;
	array_push(s->arena, &s->exports, (Export){.output = output, .graph_output = graph_output});
	return output;
}

/* What one sample adds to the sum. */
static Node *term_of(Split *s, const Node *n)
{
	Node *x = sample_node(s, n->operands[0]);
	Build b = build_beside(s->sample, n);
	if (!(n->op->flags & OP_ADDS)) {
		Node *dy = sample_node(s, n->operands[1]);
		Node *y = graph_node(s->sample, n->op, (Node *[]){x, dy}, 2, n->attrs, n->attr_count,
		                     n->sites, NULL);
		y->name = n->name;
		return y;
	}
	int count, kept = 0;
	const int64_t *axes = node_ints(n, "axes", &count);
	int64_t within[LIMIT_RANK];
	for (int i = 0; i < count; i++)
		if (axes[i] != 0)
			within[kept++] = axes[i];
	return kept > 0 ? build_reduce(&b, "sum", x, within, kept) : x;
}

/* Whether a convolution's weight gradient has the summed values in hand anyway. */
static bool sums_filter_gradient(const Split *s, const Node *n)
{
	int count;
	const int64_t *axes = n->op->flags & OP_ADDS ? node_ints(n, "axes", &count) : NULL;
	if (!axes || count != 3 || axes[0] != 0 || axes[1] != 1 || axes[2] != 2)
		return false;
	for (int i = 0; i < s->g->count; i++)
		if (s->g->nodes[i]->op->gemm == GEMM_WGRAD && s->g->nodes[i]->operands[1] == n->operands[0])
			return true;
	return false;
}

static void add_sum(Split *s, const Node *n)
{
	BatchSum sum = {.node = n, .kind = SUM_TERM};
	if (n->op->gemm == GEMM_PRODUCT)
		sum.kind = SUM_PRODUCT;
	else if (n->op->gemm == GEMM_WGRAD)
		sum.kind = SUM_FILTERS;
	else if (sums_filter_gradient(s, n))
		sum.kind = SUM_GRADIENT;
	if (sum.kind == SUM_PRODUCT) {
		for (int k = 0; k < 2; k++)
			sum.term[k] = add_export(s, n->operands[k], -1);
	} else {
		if (sum.kind != SUM_GRADIENT)
			sum.term[0] = sample_output(s, term_of(s, n));
		sum.elements = type_elements(n->type);
		sum.offset = s->o->partial_elements;
		s->o->partial_elements += sum.elements;
	}
	array_push(s->arena, &s->sums, sum);
}

/* ---- what is after the sums */

static bool check_pack(Split *s)
{
	for (int i = 0; i < s->g->count; i++) {
		const Node *n = s->g->nodes[i];
		if (!(n->op->flags & OP_PACK))
			continue;
		if (s->o->pack)
			return refuse(s, n, "there are two packs of gradients");
		s->o->pack = n;
		for (int k = 0; k < n->operand_count; k++)
			if (s->part[node_unaliased(n->operands[k])->id] != PART_SUM)
				return refuse(s, n->operands[k],
				              "the gradient is more than a sum over the batch");
	}
	return s->o->pack || refuse(s, NULL, "nothing is trained");
}

/* After the sums: one group that is pointwise over the parameters, and single numbers. */
static bool check_tail(Split *s)
{
	const Node *pack = s->o->pack;
	s->o->update_group = NO_GROUP;
	for (int i = 0; i < s->g->count; i++) {
		const Node *n = s->g->nodes[i];
		if (s->part[i] != PART_TAIL || n == pack || (n->op->flags & OP_ALIAS))
			continue;
		if (type_elements(n->type) == 1 && (n->op->flags & OP_POINTWISE))
			continue;
		if (!(n->op->flags & OP_POINTWISE) || !shape_equal(n->type, pack->type) ||
		    n->group == NO_GROUP)
			return refuse(s, n, "the update is not pointwise over the parameters");
		if (s->o->update_group != NO_GROUP && s->o->update_group != n->group)
			return refuse(s, n, "the update takes more than one kernel");
		s->o->update_group = n->group;
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			bool here =
			        x == pack || x->group == n->group || node_is_state(x) || node_is_inline(x);
			if (!here)
				return refuse(s, x, "the update reads more than gradients and states");
		}
	}
	return (s->o->update_group != NO_GROUP && type_elements(pack->type) > 1) ||
	       refuse(s, pack, "the update is not pointwise over the parameters");
}

enum { NUMBER_NODES = 64 };

/* A single number of sums over the batch and constants, which one thread can end. `budget`: nodes that may still be
 * looked at; one read twice is written out twice. */
static bool is_finished_number(const Split *s, const Node *n, int *budget)
{
	n = node_unaliased(n);
	if (type_elements(n->type) != 1 || --*budget < 0)
		return false;
	if (s->part[n->id] == PART_SUM)
		return n->op->gemm != GEMM_PRODUCT;
	if (s->part[n->id] == PART_FIXED)
		return node_is_inline(n);
	for (int k = 0; k < n->operand_count; k++)
		if (!(n->op->flags & OP_POINTWISE) || !is_finished_number(s, n->operands[k], budget))
			return false;
	return s->part[n->id] == PART_TAIL && !(n->op->flags & (OP_INDEXED | OP_SEEDED));
}

static bool check_outputs(Split *s)
{
	for (int i = 0; i < s->g->output_count; i++) {
		const Output *o = &s->g->outputs[i];
		const Node *n = node_unaliased(o->node);
		int budget = NUMBER_NODES;
		if (o->kind == OUTPUT_STATE) {
			if (n->group != s->o->update_group)
				return refuse(s, n, "a state changes outside the update");
		} else if (o->kind == OUTPUT_GRADIENT) {
			bool packed = false;
			for (int k = 0; k < s->o->pack->operand_count; k++)
				packed = packed || node_unaliased(s->o->pack->operands[k]) == n;
			if (!packed)
				return refuse(s, n, "a gradient is kept that the update does not read");
		} else if (s->part[n->id] == PART_SAMPLE && has_batch(s, o->node)) {
			add_export(s, o->node, i);
		} else if (!is_finished_number(s, o->node, &budget)) {
			return refuse(s, n, "the output is neither of a sample nor a mean");
		}
	}
	return true;
}

/* The fewest threads with which all values of a sample, four elements a thread, take about the fewest turns: a step of
 * one turn and a bit takes the time of two. More than MOST_THREADS have too few registers for the tiles of
 * convolutions. */
static int block_threads(const Graph *g)
{
	int64_t least = INT64_MAX;
	int best = FEWEST_THREADS;
	for (int threads = FEWEST_THREADS; threads <= MOST_THREADS; threads += 32) {
		int64_t turns = 0;
		for (int i = 0; i < g->count; i++) {
			Type t = g->nodes[i]->type;
			bool per_sample =
			        t.rank > 0 && t.dim[0] == g->batch && !(g->nodes[i]->op->flags & OP_ALIAS);
			int64_t units = per_sample ? (type_elements(t) / g->batch + 3) / 4 : 0;
			turns += (units + threads - 1) / threads;
		}
		if (turns < least - least / 32) {
			least = turns;
			best = threads;
		}
	}
	return best;
}

static double sample_flops(const Graph *g)
{
	double flops = 0;
	for (int i = 0; i < g->count; i++)
		flops += node_cost(g->nodes[i]).flops;
	return flops;
}

static bool split_nodes(Split *s)
{
	for (int i = 0; i < s->g->count; i++)
		if (!split_node(s, s->g->nodes[i]))
			return false;
	return true;
}

static bool split(Split *s)
{
	const Graph *g = s->g;
	if (!check_pack(s) || !check_tail(s) || !check_outputs(s))
		return false;
	for (int i = 0; i < g->count; i++)
		if (s->part[i] == PART_SUM)
			add_sum(s, g->nodes[i]);
	if (sample_flops(s->sample) > MOST_SAMPLE_FLOPS)
		return refuse(s, NULL, "a sample is too much work for one block");
	return true;
}

const BatchSum *onchip_sum(const OnChip *o, const Node *n)
{
	n = node_unaliased(n);
	for (int i = 0; i < o->sum_count; i++)
		if (o->sums[i].node == n)
			return &o->sums[i];
	return NULL;
}

/* The sample graph fused and scheduled anew: what was a library's is now loops, and takes epilogues. */
static Program *sample_program(PassContext *ctx, const Graph *g, const OnChip *o)
{
	Target *block = arena_copy(ctx->arena, &target_block, sizeof target_block);
	block->threads = o->threads;
	PassContext inner = {.arena = ctx->arena, .recipe = ctx->recipe, .target = block};
	g = pass_cse(&inner, g);
	g = pass_implement(&inner, g);
	g = pass_fuse(&inner, g);
	g = pass_schedule(&inner, g);
	return lower(ctx->arena, g, NULL, block);
}

static void remark(PassContext *ctx, const Split *s)
{
	pass_remark(ctx, "%s: not on chip: %s%s%s",
	            s->culprit ? sites_text(ctx->arena, s->culprit->sites, 3) : s->g->name,
	            s->culprit ? s->culprit->op->name : "", s->culprit ? ": " : "", s->why);
}

/* What can be known of a graph before its nodes are in groups. */
static bool may_split(PassContext *ctx, Split *s, const Graph *g)
{
	Arch arch = target_arch(ctx->target);
	int blocks = arch.multiprocessors - 1; /* that one has the update's scalars */
	int64_t turns = (g->batch + blocks - 1) / blocks;
	*s = (Split){.arena = ctx->arena, .g = g, .sample = graph_like(ctx->arena, g)};
	s->part = NEW_ARRAY(ctx->arena, Part, g->count);
	s->in_sample = NEW_ARRAY(ctx->arena, Node *, g->count);
	s->sample->batch = 1;
	s->o = NEW(ctx->arena, OnChip);
	*s->o = (OnChip){.threads = block_threads(g),
	                 .blocks = (g->batch + turns - 1) / turns,
	                 .turns = turns,
	                 .partial = -1,
	                 .scalars = -1,
	                 .chip_room = arch.shared_bytes};
	if (ctx->recipe && ctx->recipe->ranks > 1)
		return refuse(s, NULL, "the batch is shared by several ranks");
	if (ctx->recipe && augment_any(&ctx->recipe->augment))
		return refuse(s, NULL, "images are augmented on their way into the batch");
	if (ctx->recipe && ctx->recipe->chunk)
		return refuse(s, NULL, "the batch is computed in chunks");
	for (int i = 0; i < g->count; i++)
		if (node_is_frozen(g->nodes[i]))
			return refuse(s, g->nodes[i], "it is frozen");
	return split_nodes(s);
}

bool onchip_refuses(PassContext *ctx, const Graph *g)
{
	Split s;
	if (may_split(ctx, &s, g))
		return false;
	remark(ctx, &s);
	return true;
}

Graph *pass_onchip(PassContext *ctx, const Graph *g)
{
	Split s;
	ctx->onchip = NULL;
	if (may_split(ctx, &s, g) && split(&s)) {
		s.o->sums = s.sums.at;
		s.o->sum_count = s.sums.count;
		s.o->exports = s.exports.at;
		s.o->export_count = s.exports.count;
		s.o->sample = sample_program(ctx, s.sample, s.o);
		ctx->onchip = s.o;
	} else {
		remark(ctx, &s);
	}
	return (Graph *)g;
}
