/* SPDX-License-Identifier: MIT */
/* Loops of the graph, and what is read of them. What they mean: ir/loop.h. */
#include "ir/loop_kernel.h"

#include "ir/op.h"

/* Of what is carried, what begins as an operand does. */
static int64_t begun_in(const Infer *in)
{
	return infer_int(in, infer_attr(in, "begun") ? "begun" : "carried");
}

/* The attributes, of these kinds and ranges; a graph that is read may have anything. */
static bool has_parts(Infer *in)
{
	static const char *const counts[] = {"axis", "carried", "count", "reverse", "sequences"};
	const Attr *body = infer_attr(in, "body");
	if (!body || body->kind != ATTR_BODY)
		return infer_error(in, "bad-argument", "a loop has a body");
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		const Attr *attr = infer_attr(in, counts[i]);
		if (!attr || attr->kind != ATTR_INT || attr->i < 0)
			return infer_error(in, "bad-argument", "a loop has `%s`, an integer from 0",
			                   counts[i]);
	}
	const int64_t carried = infer_int(in, "carried"), sequences = infer_int(in, "sequences");
	if (infer_int(in, "count") < 1 || infer_int(in, "count") > LIMIT_SCANNED_NODES)
		return infer_error(in, "bad-argument", "a loop has 1 to %d periods", LIMIT_SCANNED_NODES);
	const int64_t begun = begun_in(in);
	if (begun < 0 || begun > carried || begun > in->operand_count ||
	    sequences > in->operand_count - begun)
		return infer_error(in, "bad-argument",
		                   "%lld carried and %lld sequences are more than %d operands",
		                   (long long)begun, (long long)sequences, in->operand_count);
	if (carried > LIMIT_SCANNED_NODES)
		return infer_error(in, "bad-argument", "a loop carries at most %d values",
		                   LIMIT_SCANNED_NODES);
	return true;
}

static Loop loop_in(const Infer *in)
{
	const Node n = {.attrs = in->attrs, .attr_count = in->attr_count};
	return loop_of(&n);
}

/* Operand i as a period has it. */
static bool operand_in_period(Infer *in, const Loop *l, int i, Type *t)
{
	*t = in->operands[i]->type;
	if (i >= l->sequences)
		return true;
	if (l->axis >= t->rank || t->dim[l->axis] != l->count)
		return infer_error(in, "shape-mismatch", "operand %d, %s, has no axis %lld of %lld periods",
		                   i, type_text(in->graph->arena, *t), (long long)l->axis,
		                   (long long)l->count);
	*t = loop_part(l, *t);
	return true;
}

static bool check_argument(Infer *in, const Loop *l, const Node *argument, bool *given)
{
	const Attr *index = node_attr(argument, "index");
	const LoopKernel k = {.l = *l, .begun = (int)begun_in(in)};
	const int64_t arguments = in->operand_count + l->carried - k.begun;
	Type t = argument->type;
	if (!index || index->kind != ATTR_INT || index->i < 0 || index->i >= arguments || given[index->i])
		return infer_error(in, "bad-argument",
		                   "%%%d of the body is no argument, or one that it has already",
		                   argument->id);
	given[index->i] = true;
	const int operand = loop_kernel_operand(&k, index->i);
	if (operand >= 0 && !operand_in_period(in, l, operand, &t))
		return false;
	return type_equal(t, argument->type) ||
	       infer_error(in, "shape-mismatch", "argument %%%d of the body is %s, and is given %s",
	                   argument->id, type_text(in->graph->arena, argument->type),
	                   type_text(in->graph->arena, t));
}

static bool check_result(Infer *in, const Loop *l, int i)
{
	const Output *o = &l->body->outputs[i];
	const bool carried = i < l->carried;
	if (o->kind != (carried ? OUTPUT_CARRIED : OUTPUT_YIELD))
		return infer_error(in, "bad-argument", "output %d of the body is not what is %s", i,
		                   carried ? "carried" : "yielded");
	const Type *begun = i < begun_in(in) ? &in->operands[l->sequences + i]->type : NULL;
	if (carried && begun && !type_equal(o->node->type, *begun))
		return infer_error(in, "shape-mismatch", "what is carried begins as %s, and becomes %s",
		                   type_text(in->graph->arena, *begun),
		                   type_text(in->graph->arena, o->node->type));
	return carried || o->node->type.rank < LIMIT_RANK ||
	       infer_error(in, "rank-limit", "what is yielded has %d dimensions", LIMIT_RANK);
}

static bool parts_fit(Infer *in)
{
	if (!has_parts(in))
		return false;
	const Loop l = loop_in(in);
	bool *given = NEW_ARRAY(in->graph->arena, bool, in->operand_count + l.carried);
	if (l.yields < 0)
		return infer_error(in, "bad-argument", "the body carries less than %d values on", l.carried);
	for (int i = 0; i < l.body->count; i++)
		if (node_is_argument(l.body->nodes[i]) && !check_argument(in, &l, l.body->nodes[i], given))
			return false;
	for (int i = 0; i < l.carried + l.yields; i++)
		if (!check_result(in, &l, i))
			return false;
	return true;
}

static bool loop_infer(Infer *in)
{
	in->result = type_scalar(DTYPE_I32);
	return parts_fit(in);
}

static bool loop_kernel_infer(Infer *in)
{
	const Attr *kept = infer_attr(in, "kept"), *begun = infer_attr(in, "begun");
	if (!kept || kept->kind != ATTR_INTS || kept->count < 1 || !begun || begun->kind != ATTR_INT)
		return infer_error(in, "bad-argument",
		                   "a loop of one kernel says what it begins with, and keeps");
	if (!parts_fit(in))
		return false;
	const LoopKernel k = {loop_in(in), (int)begun->i, kept->ints, kept->count};
	const DType dtype = k.l.body->outputs[0].node->type.dtype;
	for (int i = 0; i < kept->count; i++)
		if (kept->ints[i] < 0 || kept->ints[i] >= k.l.body->output_count ||
		    k.l.body->outputs[kept->ints[i]].node->type.dtype != dtype)
			return infer_error(in, "bad-argument", "what is kept is of one type");
	const int64_t elements = loop_kernel_offset(&k, kept->count);
	return infer_result(in, dtype, 1, &elements);
}

static void loop_kernel_cost(const Node *n, Cost *cost)
{
	const LoopKernel k = loop_kernel_of(n);
	for (int i = 0; i < k.l.body->count; i++)
		cost->flops += (double)k.l.count * node_cost(k.l.body->nodes[i]).flops;
	for (int i = 0; i < n->operand_count; i++)
		cost->bytes += (double)type_bytes(n->operands[i]->type);
	cost->bytes += (double)type_bytes(n->type);
}

static bool result_infer(Infer *in)
{
	const Attr *index = infer_attr(in, "index");
	if (!node_is_loop(in->operands[0]))
		return infer_error(in, "bad-argument", "`result` is of a loop");
	const Loop l = loop_of(in->operands[0]);
	if (!index || index->kind != ATTR_INT || index->i < 0 || index->i >= l.carried + l.yields)
		return infer_error(in, "bad-argument", "the loop has no such result");
	const Type t = l.body->outputs[index->i].node->type;
	if (index->i < l.carried) {
		in->result = t;
		return true;
	}
	const Type all = loop_stacked(&l, t);
	return infer_result(in, all.dtype, all.rank, all.dim);
}

const Op loop_ops[] = {
        {.name = "loop",
         .signature = "x... -> y",
         .doc = "A body that is computed once for each place along `axis` of the sequences among its "
                "operands, in "
                "order or in `reverse`. Those after them are `carried`: each period begins with what the one "
                "before it has made of them. Of its results `result` nodes are made.",
         .infer = loop_infer},
        {.name = "result",
         .signature = "x -> y",
         .doc = "A result of a loop: what is carried is after the last period, or what its periods yield, "
                "stacked.",
         .infer = result_infer},
        {.name = "loop_kernel",
         .halves = HALVES_NONE,
         .signature = "x... -> y",
         .doc = "A loop whose periods are computed in one kernel. What is kept of its results lies one after "
                "the "
                "other in y; what it does not begin with begins as 0.",
         .infer = loop_kernel_infer,
         .cost = loop_kernel_cost},
        {0},
};
