/* SPDX-License-Identifier: MIT */
/* Loops: a body that is computed once for each place along an axis.
 *
 *     loop(sequences..., carried..., captured...) {axis, carried, count, reverse, sequences} { body }
 *
 * The body is a graph whose leaves are constants and arguments; argument i stands for operand i in a period:
 *   sequences  the operand's part at the period's place along `axis`, without that dimension, which is `count` long;
 *   carried    before the first period the operand, then what the body's output `carried` was in the period before;
 *   captured   the operand, the same in all periods.
 * `reverse` takes the places from the last to the first. All else that a body reads is an operand: inputs, parameters
 * and states stand outside.
 *
 * A loop's own value is read by `result` nodes alone: result i is what carried i is after the last period, or, from
 * `carried` on, what the body yields, stacked by its place along `axis` (or along the last dimension, where a yielded
 * value has fewer). The body's `stream`s are those of the first period: each period, in the order in which they are
 * computed, has as many further on as the body has random operators. */
#ifndef NNC_LOOP_H
#define NNC_LOOP_H

#include "ir/graph.h"

typedef struct Loop {
	const Graph *body;
	int64_t count; /* of periods */
	int64_t axis;
	int carried, sequences, yields;
	bool reverse;
	bool kernel; /* one kernel is to compute it (passes/loop_kernels.h) */
} Loop;

bool node_is_loop(const Node *n);
bool node_is_loop_result(const Node *n);
Loop loop_of(const Node *loop);
/* The place along the axis of the period that is computed as the i-th. */
int64_t period_place(const Loop *l, int64_t i);
/* Of the body: what the next period begins with for carried i, and the i-th that it yields. */
Node *loop_next(const Loop *l, int i);
Node *loop_yield(const Loop *l, int i);
/* The type of a sequence's part, and of what is stacked of parts of that type. */
Type loop_part(const Loop *l, Type sequence);
Type loop_stacked(const Loop *l, Type part);

/* How many random operators the graph computes, in all periods of its loops: the next stream. */
int64_t graph_streams(const Graph *g);

/* What a loop is made with, of nodes that stand in the graph already. */
typedef struct LoopParts {
	int64_t count, axis;
	bool reverse, kernel;
	int carried, sequences, yields;
	Node *const *start;    /* of what is carried */
	Node *const *sequence; /* along the axis */
	Node *const *next;     /* carried out of a period */
	Node *const *yielded;
	const char *const *names; /* of what is carried */
} LoopParts;

/* An argument of the loop to be, for its body that follows; `index` counts the sequences, then what is carried. */
Node *loop_argument(Build *b, int index, Type type);
/* Makes a loop of the nodes from `first` on, the arguments among them; parameters, states and scalars among them go
 * ahead of it. Nodes that the body reads from outside become arguments. */
Node *loop_cut(Build *b, int first, const LoopParts *parts);
/* Drops what would be the body, but for parameters, states and scalars. */
void loop_drop(Graph *g, int first);
Node *loop_result(Build *b, Node *loop, int index);

/* The graph, of whose loops nothing is left that no result needs. */
const Graph *graph_loops_pruned(Arena *a, const Graph *g);
/* How many nodes it has with its loops' periods one after the other. */
int64_t graph_unrolled_nodes(const Graph *g);
/* The graph with its loops' periods one after the other; itself where it has no loop. */
const Graph *graph_unrolled(Arena *a, const Graph *g);
/* The same, but for loops of the graph itself that `kept` names, by node. */
const Graph *graph_unrolled_but(Arena *a, const Graph *g, const bool *kept);
/* For who asks which operators there are, and of what: the same, but all periods are the first one's nodes. */
const Graph *graph_of_one_period(Arena *a, const Graph *g);

#endif
