/* SPDX-License-Identifier: MIT */
/* Sums over the columns of a concat are the concat of its pieces' sums.
 *
 * A DenseNet's layer normalises all features that were before it, put side by side. A sum (or maximum) of those along
 * other axes is, piece by piece, that of the pieces; and the layer before has taken those of all pieces but the newest:
 *
 *     sum(concat(x, y)) = concat(sum(x), sum(y))        sum(x) is there
 *
 * A batchnorm's sums are of x - k, where k is x's first place (ops/norm.c). That of a concat is that of its pieces,
 * too, but a kernel of a piece's sums must not wait for the concat: so what is asked of the pieces are mean and
 * variance:
 *
 *     mean(concat(x, y)) = concat(mean(x), mean(y))     mean = k + sum(x - k)/n
 *     var(concat(x, y))  = concat(var(x), var(y))       var = max(sum((x - k)^2)/n - (sum(x - k)/n)^2, 0)
 *
 * A piece counts where something else asks the same of it: of that it need not be read again. The rule applies where
 * such pieces are large (Target.pieces_from), as the others' sums become a kernel of their own; and not where the
 * tensor stays on chip between its sums and what is computed from these (domain_fits_slabs, or rows), and is read once
 * anyway.
 *
 * Running statistics stay each layer's own, moved by the same mean and variance. Must run after simplify, which writes
 * squares as products, and cse, as nodes of one value are to be one node. */
#include "base/array.h"
#include "ir/formula.h"
#include "ops/compose.h"
#include "ops/norm.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

#include <math.h>
#include <string.h>

/* What is asked of a tensor: a reduction, or what two sums of it give. */
typedef enum { REDUCTION, MEAN, VARIANCE } Role;

typedef struct Question {
	Role role;
	const Node *of;  /* the tensor */
	const Node *sum; /* a reduction of `of`, or of what is made of it: has the axes */
} Question;

/* A question that was asked of a tensor. */
typedef struct Answer {
	Question asked;
	int times;  /* it is asked, as one about a piece of a concat too */
	Node *node; /* of the new graph; NULL: not there yet */
} Answer;

typedef ARRAY(Answer) Answers;

typedef struct Sums {
	PassContext *ctx;
	const Formula *mean, *variance;
	Answers *answers; /* by node id of the tensor */
	Node **copies;    /* by node id */
} Sums;

/* ---- what is asked */

static bool same_axes(const Node *x, const Node *y)
{
	int count, other;
	const int64_t *axes = node_ints(x, "axes", &count), *others = node_ints(y, "axes", &other);
	return count == other && memcmp(axes, others, (size_t)count * sizeof *axes) == 0;
}

static bool reduces_axis(const Node *sum, int64_t axis)
{
	int count;
	const int64_t *axes = node_ints(sum, "axes", &count);
	for (int i = 0; i < count; i++)
		if (axes[i] == axis)
			return true;
	return false;
}

/* Whether c is one by the elements that each sum is of. */
static bool is_share(double c, const Node *of, const Node *sum)
{
	const double n = (double)(type_elements(of->type) / type_elements(sum->type));
	return fabs(c * n - 1) < 1e-6;
}

static const Node *unconverted(const Node *x)
{
	return x->op->flags & OP_CONVERTS ? x->operands[0] : x;
}

static bool is_first_place(const Node *k, const Node *of)
{
	return node_is(k, "first_place") && unconverted(k->operands[0]) == unconverted(of);
}

static bool asks_statistic(const Sums *s, const Node *n, Question *q)
{
	Match m;
	const bool mean = formula_matches(s->mean, n, &m);
	if (!mean && !formula_matches(s->variance, n, &m))
		return false;
	*q = (Question){.role = mean ? MEAN : VARIANCE, .of = matched(&m, "x"), .sum = matched(&m, "sum")};
	return is_share(matched_value(&m, "c"), q->of, q->sum) &&
	       is_first_place(matched(&m, "centre"), q->of) && shape_equal(n->type, q->sum->type) &&
	       (mean || same_axes(q->sum, matched(&m, "squares")));
}

static bool asks(const Sums *s, const Node *n, Question *q)
{
	if (!(n->op->flags & OP_REDUCE))
		return asks_statistic(s, n, q);
	*q = (Question){.role = REDUCTION, .of = n->operands[0], .sum = n};
	return true;
}

static bool same_question(const Question *x, const Question *y)
{
	return x->role == y->role && x->sum->op == y->sum->op && same_axes(x->sum, y->sum);
}

static Answer *answer_of(Sums *s, const Node *of, const Question *q)
{
	for (int i = 0; i < s->answers[of->id].count; i++) {
		Answer *a = &s->answers[of->id].at[i];
		if (same_question(&a->asked, q))
			return a;
	}
	array_push(s->ctx->arena, &s->answers[of->id], ((Answer){.asked = *q}));
	return &s->answers[of->id].at[s->answers[of->id].count - 1];
}

/* Whether the question may be asked of the pieces. */
static bool has_pieces(const Question *q)
{
	const Node *of = q->of;
	return of->op->move == MOVE_CONCAT && !reduces_axis(q->sum, node_int(of, "axis")) &&
	       (q->role == REDUCTION || node_int(of, "axis") == of->type.rank - 1);
}

static void count_questions(Sums *s, const Graph *g)
{
	for (int i = 0; i < g->count; i++) {
		Question q;
		if (!asks(s, g->nodes[i], &q) || answer_of(s, q.of, &q)->times++ > 0 || !has_pieces(&q))
			continue;
		for (int k = 0; k < q.of->operand_count; k++)
			answer_of(s, q.of->operands[k], &q)->times++;
	}
}

/* ---- the answers */

/* Bytes of the pieces that need not be read for this; 0: the tensor is read for its sums. */
static int64_t bytes_spared(Sums *s, const Question *q)
{
	const Target *target = s->ctx->target;
	const Domain d = domain_of_reduction(q->sum);
	if (!has_pieces(q) || d.inner == 1 || (target_has_clusters(target) && domain_fits_slabs(&d)))
		return 0;
	int64_t bytes = 0;
	for (int k = 0; k < q->of->operand_count; k++)
		if (answer_of(s, q->of->operands[k], q)->times > 1)
			bytes += type_bytes(q->of->operands[k]->type);
	return target->pieces_from > 0 && bytes >= target->pieces_from ? bytes : 0;
}

static Node *sum_of(Build *b, const Question *q, Node *x)
{
	int count;
	const int64_t *axes = node_ints(q->sum, "axes", &count);
	return build_reduce(b, q->sum->op->name, x, axes, count);
}

static void answer(Sums *s, const Node *of, const Question *q, Role role, Node *node)
{
	Question asked = *q;
	asked.role = role;
	Answer *a = answer_of(s, of, &asked);
	a->node = a->node ? a->node : node;
}

static void take_statistics(Sums *s, Build *b, const Question *q, const Node *of)
{
	const double n = (double)(type_elements(q->of->type) / type_elements(q->sum->type));
	const Statistics piece = norm_statistics(b, s->copies[of->id], build_constant(b, 1 / n));
	answer(s, of, q, MEAN, piece.mean);
	answer(s, of, q, VARIANCE, piece.var);
}

static Node *answer_for_piece(Sums *s, Build *b, const Question *q, const Node *of)
{
	const Answer *a = answer_of(s, of, q);
	if (!a->node && q->role == REDUCTION)
		answer(s, of, q, REDUCTION, sum_of(b, q, s->copies[of->id]));
	else if (!a->node)
		take_statistics(s, b, q, of);
	return answer_of(s, of, q)->node;
}

static Node *answer_by_pieces(Sums *s, Graph *to, const Node *n, const Question *q)
{
	Build b = build_beside(to, n);
	b.real = n->type.dtype;
	const Node *of = q->of;
	Node **all = NEW_ARRAY(to->arena, Node *, of->operand_count);
	const int64_t axis = node_int(of, "axis");
	for (int k = 0; k < of->operand_count; k++)
		all[k] = answer_for_piece(s, &b, q, of->operands[k]);
	Node *y = build_concat(&b, axis, of->operand_count, all);
	y->name = n->name;
	return node_called(y, n->called);
}

static Node *answered(Sums *s, Graph *to, const Node *n, Node **operands)
{
	Question q;
	if (!asks(s, n, &q))
		return graph_copy_node(to, n, operands);
	const Answer *a = answer_of(s, q.of, &q);
	if (a->node && type_equal(a->node->type, n->type))
		return a->node;
	const int64_t spared = bytes_spared(s, &q);
	Node *y = spared > 0 ? answer_by_pieces(s, to, n, &q) : graph_copy_node(to, n, operands);
	answer(s, q.of, &q, q.role, y);
	if (spared > 0 && q.role != VARIANCE)
		pass_remark(s->ctx, "%s: %s of %s, a concat: its pieces', %.1f MB less to read",
		            sites_text(to->arena, n->sites, 3),
		            q.role == MEAN ? "mean and variance" : n->op->name,
		            shape_text(to->arena, q.of->type), (double)spared / 1e6);
	return y;
}

static Node *copy_answered(void *data, Graph *to, const Node *n, Node **operands)
{
	Sums *s = data;
	return s->copies[n->id] = answered(s, to, n, operands);
}

Graph *pass_concat_sums(PassContext *ctx, const Graph *g)
{
	bool any = false;
	for (int i = 0; i < g->count; i++)
		any = any || g->nodes[i]->op->move == MOVE_CONCAT;
	if (!any)
		return (Graph *)g;
	Sums s = {.ctx = ctx,
	          .answers = NEW_ARRAY(ctx->arena, Answers, g->count),
	          .copies = NEW_ARRAY(ctx->arena, Node *, g->count)};
	s.mean = formula_parse(ctx->arena, "centre + sum: sum(x - centre)*c");
	s.variance = formula_parse(ctx->arena, "maximum(squares: sum((z: (x - centre))*z)*c"
	                                       " - (move: (sum: sum(z)*c))*move, 0)");
	count_questions(&s, g);
	bool pays = false;
	for (int i = 0; i < g->count && !pays; i++) {
		Question q;
		pays = asks(&s, g->nodes[i], &q) && bytes_spared(&s, &q) > 0;
	}
	return pays ? graph_rewrite(ctx->arena, g, copy_answered, &s) : (Graph *)g;
}
