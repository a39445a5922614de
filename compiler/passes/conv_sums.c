/* Lets the library call of a convolution sum up its result for the batchnorm after it.
 *
 * The statistics of a batchnorm are sums of x - k and of (x - k)^2, k being the running mean (ops/norm.c), for which
 * its kernel reads all of x. cuDNN can compute the sums of x and of x^2 where it computes x, and of these the others
 * follow:
 *
 *     sum(x - k) = sum(x) - n k        sum((x - k)^2) = sum(x^2) - k (sum(x) + sum(x - k))
 *
 * with n elements a channel. Where k is far from the mean, or the mean from 0, the second difference loses digits that
 * the first way keeps: of f32 sums, as the library's are, mean^2/variance units in the last place. A result of 16 bits
 * has fewer to lose.
 *
 * The group of the convolution gets both sums. The call computes them where the library's plan for all of it is faster,
 * and launches a kernel for them after itself where it is not (codegen/library.c); what follows from them is left of
 * the batchnorm's kernel. It is worth its own launch for large results alone (target_cuda's sums_from). cuDNN's engines
 * for it are fast in fp16 and in nothing else: the convolutions of ResNet-50 at 224x224 and batch 256, once each in the
 * number in which they occur, take 4.17 ms in fp16 alone, and 4.65 ms with their sums where each is taken the better
 * way, at best 0.78 ms less than with kernels that read at 4.2 TB/s; in bf16 convolutions with sums take two to five
 * times as long as without (H200, cuDNN 9.14, 2026-11-22).
 *
 * A part of the pass `epilogues`. */
#include "ops/epilogue.h"
#include "base/array.h"
#include "codegen/implementation.h"
#include "ops/op.h"
#include "passes/pass.h"

/* What a kernel sums up of a convolution's result. */
typedef struct Statistics {
	const Node *conv, *less;        /* less: subtracted from it, one number a channel */
	const Node *centered, *squared; /* their difference and its square */
	const Node *sum, *squares;      /* of these two */
} Statistics;

typedef struct Summing {
	PassContext *ctx;
	NodeList *users, *members; /* by node id; by group */
	bool *taken;               /* by node id: a convolution whose call has sums */
	Statistics **of;           /* by node id: for each of the last four above */
	Node **copies;             /* by node id; NULL: `centered` and `squared` are gone */
	Graph *to;
} Summing;

/* The sum of `x` over all but its last dimension, in x's group, which nothing else than `but` and it read. */
static const Node *column_sum(const Summing *s, const Node *x, const Node *but)
{
	const Node *sum = NULL;
	for (int i = 0; i < s->users[x->id].count; i++) {
		const Node *user = s->users[x->id].at[i];
		if (user == but)
			continue;
		if (sum || !node_is(user, "sum") || user->group != x->group)
			return NULL;
		sum = user;
	}
	bool columns = sum && type_elements(sum->type) == x->type.dim[x->type.rank - 1] &&
	               sum->type.dim[sum->type.rank - 1] == type_elements(sum->type);
	return columns && sum->type.dtype == DTYPE_F32 ? sum : NULL;
}

static const Node *square_of(const Summing *s, const Node *x)
{
	for (int i = 0; i < s->users[x->id].count; i++) {
		const Node *user = s->users[x->id].at[i];
		if (node_is(user, "mul") && user->operands[0] == x && user->operands[1] == x)
			return user;
	}
	return NULL;
}

/* Whether the convolution's result is all of its size that the group of `n` computes with, for nothing but the two
 * sums. */
static bool is_all(const Summing *s, const Statistics *n)
{
	const NodeList *group = &s->members[n->sum->group];
	for (int i = 0; i < group->count; i++) {
		const Node *m = group->at[i];
		if (m == n->centered || m == n->squared)
			continue;
		if (type_elements(m->type) > type_elements(n->sum->type))
			return false;
		for (int k = 0; k < m->operand_count; k++)
			if (type_elements(m->operands[k]->type) > type_elements(n->sum->type) &&
			    m != n->sum && m != n->squares)
				return false;
	}
	return true;
}

/* Whether what computes the convolution takes both sums along. */
static bool takes_sums(const Statistics *n)
{
	const Implementation *m = implementation_of(n->conv);
	const Epilogue e = {.last = n->conv, .sum = n->sum, .squares = n->squares};
	return m->takes && !m->takes(n->conv, &e);
}

/* The statistics that begin at `n`, if it is the difference between a convolution and a number for each channel.
 * Something else must read the convolution, so that its result is in memory: a batchnorm that nothing reads has running
 * statistics all the same. */
static bool find_statistics(const Summing *s, const Node *n, Statistics *out)
{
	const Node *conv = node_is(n, "sub") ? n->operands[0] : NULL;
	if (!conv || conv->op->gemm != GEMM_FPROP || n->group == NO_GROUP || conv->group == NO_GROUP ||
	    s->members[conv->group].count != 1 || s->users[conv->id].count == 1 ||
	    type_elements(conv->type) < s->ctx->target->sums_from)
		return false;
	*out = (Statistics){.conv = conv, .less = n->operands[1], .centered = n, .squared = square_of(s, n)};
	if (!out->squared || out->squared->group != n->group || out->less->type.dtype != DTYPE_F32 ||
	    type_elements(out->less->type) != conv->type.dim[conv->type.rank - 1])
		return false;
	out->sum = column_sum(s, n, out->squared);
	out->squares = column_sum(s, out->squared, NULL);
	return out->sum && out->squares && is_all(s, out) && takes_sums(out);
}

/* The sums that the convolution's call computes, in its group. */
static Node *add_sum(Build *b, const Statistics *n, Node *x, int group)
{
	int count;
	const int64_t *axes = node_ints(n->sum, "axes", &count);
	Node *sum = build_reduce(b, "sum", x, axes, count);
	sum->group = group;
	return sum;
}

/* Both of the convolution's sums, and from them what the kernel's are. */
static void replace_sums(Summing *s, const Statistics *n)
{
	Build b = build_beside(s->to, n->sum);
	b.real = DTYPE_F32;
	Node *conv = s->copies[n->conv->id], *less = s->copies[n->less->id];
	Node *square = build2(&b, "mul", conv, conv);
	square->group = conv->group;
	Node *sum = add_sum(&b, n, conv, conv->group), *squares = add_sum(&b, n, square, conv->group);
	Node *elements =
	        build_constant(&b, (double)(type_elements(n->conv->type) / type_elements(n->sum->type)));
	int first = s->to->count;
	Node *shift = build2(&b, "mul", less, elements), *centered = build2(&b, "sub", sum, shift);
	Node *both = build2(&b, "add", sum, centered), *excess = build2(&b, "mul", less, both);
	s->copies[n->sum->id] = centered;
	s->copies[n->squares->id] = build2(&b, "sub", squares, excess);
	for (int i = first; i < s->to->count; i++)
		s->to->nodes[i]->group = n->sum->group;
}

static void copy_node(Summing *s, const Node *n)
{
	const Statistics *of = s->of[n->id];
	if (of) {
		if ((n == of->sum || n == of->squares) && !s->copies[n->id])
			replace_sums(s, of);
		return;
	}
	Node **operands = NEW_ARRAY(s->ctx->arena, Node *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = s->copies[n->operands[k]->id];
	s->copies[n->id] = graph_copy_node(s->to, n, operands);
}

/* Finds all of them; the number. */
static int find_all(Summing *s, Arena *scratch, const Graph *g)
{
	int found = 0;
	for (int i = 0; i < g->count; i++) {
		Statistics n;
		if (!find_statistics(s, g->nodes[i], &n) || s->taken[n.conv->id])
			continue;
		s->taken[n.conv->id] = true;
		Statistics *kept = NEW(scratch, Statistics);
		*kept = n;
		s->of[n.centered->id] = s->of[n.squared->id] = s->of[n.sum->id] = s->of[n.squares->id] = kept;
		pass_remark(s->ctx,
		            "%s: %s: conv: its sums for batchnorm by the library, or by a kernel after it",
		            sites_text(s->ctx->arena, n.conv->sites, 3), graph_phase_name(g, PHASE_FORWARD));
		found++;
	}
	return found;
}

Graph *sum_convolutions(PassContext *ctx, const Graph *g)
{
	if (ctx->target->sums_from == 0 || !g->training)
		return (Graph *)g;
	Arena *scratch = arena_new();
	Summing s = {.ctx = ctx};
	s.users = graph_users(scratch, g);
	s.members = graph_groups(scratch, g);
	s.taken = NEW_ARRAY(scratch, bool, g->count);
	s.of = NEW_ARRAY(scratch, Statistics *, g->count);
	s.copies = NEW_ARRAY(scratch, Node *, g->count);
	if (find_all(&s, scratch, g) > 0) {
		s.to = graph_like(ctx->arena, g);
		for (int i = 0; i < g->count; i++)
			copy_node(&s, g->nodes[i]);
		graph_copy_outputs(s.to, g, s.copies);
	}
	arena_free(scratch);
	return s.to ? s.to : (Graph *)g;
}
