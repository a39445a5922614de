/* Sums over the columns of a concat are the concat of its pieces' sums.
 *
 * A DenseNet's layer normalises all features that were before it, put side by side. A sum (or maximum) of those along
 * other axes is, piece by piece, that of the pieces; and the layer before has taken those of all pieces but the newest:
 *
 *     sum(concat(x, y)) = concat(sum(x), sum(y))        sum(x) is there
 *
 * A batchnorm's sums are of x - k, with the layer's own running mean k, so that those of two layers are different
 * numbers. But what is made of them, mean and variance, does not depend on k but for rounding: k only keeps the sums
 * small, for which any layer's running mean of that channel serves. So mean and variance of a tensor are taken once,
 * with the shift of whoever asks first:
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
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

#include <math.h>
#include <string.h>

/* What is asked of a tensor: a reduction, or what two sums of it give. */
typedef enum { REDUCTION, MEAN, VARIANCE } Role;

typedef struct Question {
	Role role;
	bool ranks;        /* the sums are means over all ranks */
	const Node *of;    /* the tensor */
	const Node *shift; /* of a MEAN or VARIANCE: k */
	const Node *sum;   /* a reduction of `of`, or of what is made of it: has the axes */
} Question;

/* A question that was asked of a tensor, whatever the shift. */
typedef struct Answer {
	Question asked;
	int times;  /* it is asked, as one about a piece of a concat too */
	Node *node; /* of the new graph; NULL: not there yet */
} Answer;

typedef ARRAY(Answer) Answers;

typedef struct Sums {
	PassContext *ctx;
	const Formula *mean[2], *variance[2]; /* of one rank, of all */
	Answers *answers;                     /* by node id of the tensor */
	Node **copies;                        /* by node id */
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

/* Whether k is a number, or one for each index along the last axis. */
static bool is_shift(const Node *k, const Node *of)
{
	const Type t = k->type;
	return type_elements(t) == 1 ||
	       (t.rank > 0 && of->type.rank >= t.rank && type_elements(t) == t.dim[t.rank - 1] &&
	        t.dim[t.rank - 1] == of->type.dim[of->type.rank - 1]);
}

static bool asks_statistic(const Sums *s, const Node *n, Question *q)
{
	Match m;
	for (int ranks = 0; ranks < 2; ranks++) {
		const bool mean = formula_matches(s->mean[ranks], n, &m);
		if (!mean && !formula_matches(s->variance[ranks], n, &m))
			continue;
		*q = (Question){.role = mean ? MEAN : VARIANCE,
		                .ranks = ranks,
		                .of = matched(&m, "x"),
		                .shift = matched(&m, "k"),
		                .sum = matched(&m, "sum")};
		return is_share(matched_value(&m, "c"), q->of, q->sum) && is_shift(q->shift, q->of) &&
		       shape_equal(n->type, q->sum->type) &&
		       (mean || same_axes(q->sum, matched(&m, "squares")));
	}
	return false;
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
	return x->role == y->role && x->ranks == y->ranks && x->sum->op == y->sum->op &&
	       same_axes(x->sum, y->sum);
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
	       (q->role == REDUCTION || type_elements(q->shift->type) == 1 ||
	        node_int(of, "axis") == of->type.rank - 1);
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
	Node *sum = build_reduce(b, q->sum->op->name, x, axes, count);
	return q->ranks ? build1(b, "all_reduce", sum) : sum;
}

static void answer(Sums *s, const Node *of, const Question *q, Role role, Node *node)
{
	Question asked = *q;
	asked.role = role;
	Answer *a = answer_of(s, of, &asked);
	a->node = a->node ? a->node : node;
}

/* Mean and variance of piece x, whose channels begin at `start` among those of the whole. */
static void take_statistics(Sums *s, Build *b, const Question *q, const Node *of, int64_t start)
{
	Node *x = s->copies[of->id], *k = s->copies[q->shift->id];
	if (type_elements(k->type) > 1)
		k = build_part(b, k, start, 1, &of->type.dim[of->type.rank - 1]);
	const double n = (double)(type_elements(q->of->type) / type_elements(q->sum->type));
	Node *share = build_constant(b, 1 / n);
	Node *shifted = node_called(build2(b, "sub", x, k), "shifted");
	Node *sum = node_called(sum_of(b, q, shifted), "shifted_sum");
	Node *squares = node_called(sum_of(b, q, build2(b, "mul", shifted, shifted)), "square_sum");
	Node *move = node_called(build2(b, "mul", sum, share), "move");
	answer(s, of, q, MEAN, node_called(build2(b, "add", k, move), "mean"));
	answer(s, of, q, VARIANCE,
	       node_called(compose(b, "maximum(squares*share - move*move, 0)",
	                           TERMS({"squares", squares}, {"share", share}, {"move", move})),
	                   "var"));
}

static Node *answer_for_piece(Sums *s, Build *b, const Question *q, const Node *of, int64_t start)
{
	const Answer *a = answer_of(s, of, q);
	if (!a->node && q->role == REDUCTION)
		answer(s, of, q, REDUCTION, sum_of(b, q, s->copies[of->id]));
	else if (!a->node)
		take_statistics(s, b, q, of, start);
	return answer_of(s, of, q)->node;
}

static Node *answer_by_pieces(Sums *s, Graph *to, const Node *n, const Question *q)
{
	Build b = build_beside(to, n);
	b.real = n->type.dtype;
	const Node *of = q->of;
	Node **all = NEW_ARRAY(to->arena, Node *, of->operand_count);
	const int64_t axis = node_int(of, "axis");
	for (int64_t k = 0, start = 0; k < of->operand_count; k++) {
		all[k] = answer_for_piece(s, &b, q, of->operands[k], start);
		start += of->operands[k]->type.dim[axis];
	}
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
	static const char
	        *const mean[] = {"k + sum: sum(x - k)*c", "k + all_reduce(sum: sum(x - k))*c"},
	               *const variance[] = {
	                       "maximum(squares: sum((z: (x - k))*z)*c - (move: (sum: sum(z)*c))*move, 0)",
	                       "maximum(all_reduce(squares: sum((z: (x - k))*z))*c"
	                       " - (move: (all_reduce(sum: sum(z))*c))*move, 0)"};
	for (int i = 0; i < 2; i++) {
		s.mean[i] = formula_parse(ctx->arena, mean[i]);
		s.variance[i] = formula_parse(ctx->arena, variance[i]);
	}
	count_questions(&s, g);
	bool pays = false;
	for (int i = 0; i < g->count && !pays; i++) {
		Question q;
		pays = asks(&s, g->nodes[i], &q) && bytes_spared(&s, &q) > 0;
	}
	return pays ? graph_rewrite(ctx->arena, g, copy_answered, &s) : (Graph *)g;
}
