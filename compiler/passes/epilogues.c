/* SPDX-License-Identifier: MIT */
/* Forms the regions of library calls: gives a convolution or a product what stands after it and can be computed with
 * it, before its result is stored.
 *
 *   chain       bias, residual and activation, where they are a kernel of their own and nothing else; of a product also
 *               the rounding to tf32 (round_operands)
 *   row sums    of a product that has a kernel of ours: bias, activation, a weight for each column, and the sum of the
 *               rows, where nothing else is wanted of them: a layer of one output after a wide one, where no gradient
 *               needs what is between
 *
 * What a region may have is passes/epilogue.h's to read, and the implementation's to take (Implementation.takes). The
 * group of the root and that of what it takes become one. The call computes both where the library has a plan that is
 * faster, and launches the kernel after itself where it has none (codegen/library.c), so a chain reads the root's value
 * in one place and stores one value. In training a value that the backward part reads is stored, and such a kernel
 * stays: tanh goes along, whose gradient needs its result, and silu does not.
 *
 * In 16 bits cuBLASLt adds a bias of the result's type: the call then reads the 16-bit copy of the parameters that the
 * weights come from. That rounds the bias as the result is, by half a unit of its last place, and where nothing joins,
 * a bias stays f32.
 *
 * Row sums: a block of our kernel has a tile of the result, and of each row the sum of the tile's columns. So the sum
 * becomes one of a few such sums, which stays where it was, and the result, often the largest tensor of an evaluation,
 * is neither stored nor read again, though it keeps its place in the plan, for the library's product:
 *
 *     sum(x) {axes=[1]}    ->    sum(tile_sum(x) {width=256}) {axes=[1]}        or, of one tile, the tile_sum
 *
 * No sums of a convolution: cuDNN's are of x and of x^2, by which a batchnorm's variance would cancel where the mean is
 * large beside the deviation (ops/norm.c), and its engines for them are fast in fp16 alone, where they spared 0.3 ms of
 * the 4.95 ms of ResNet-50's convolutions and sums (224x224, batch 256, H200, cuDNN 9.14, 2026-11-22).
 *
 * For the CUDA target. Must run after fuse and recompute, for what else they find to do with those nodes comes first,
 * and before schedule. */
#include "passes/epilogue.h"
#include "base/array.h"
#include "passes/implementation.h"
#include "ir/op.h"
#include "passes/pass.h"
#include <string.h>

enum { MOST = 8 /* nodes of a chain; Epilogue knows fewer */ };

typedef struct Regions {
	PassContext *ctx;
	const Graph *g;
	Arena *scratch;
	NodeList *members;      /* by group */
	NodeList *users;        /* by node id */
	const int *uses;        /* by node id, by outputs too */
	int *joins;             /* by node id: the group it becomes a part of, or its own */
	const Node **bias;      /* by node id of a sum: the parameter of whose copy it reads a part; NULL */
	const Node **summed_of; /* by node id of a sum: the product that sums up its tiles; NULL */
	bool *recurrent;        /* by node id: a step of a recurrence */
	bool any;
} Regions;

/* What alone reads a value; NULL: there are more, or an output is it. */
static Node *only_user(const Regions *r, const Node *n)
{
	return r->uses[n->id] == 1 && r->users[n->id].count == 1 ? r->users[n->id].at[0] : NULL;
}

/* ---- chains */

static bool is_alike(const Node *n, const Node *product)
{
	return n->op == product->op && n->operands[1] == product->operands[1] &&
	       type_equal(n->type, product->type);
}

/* Whether a period of a recurrence may compute n between its products: rows need nothing of one another, nor the
 * columns of a row but in products. */
static bool may_recur(const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT || n->op->flags & (OP_POINTWISE | OP_RESHAPES) ||
	       n->op->move == MOVE_CONCAT;
}

/* Of the products by one matrix that are like the first: how many follow one another at the most, each computed of the
 * one before by what may recur: layers that share their weights, with sums or attention between, are none. */
static int count_steps(const Regions *r, const Node *first)
{
	int *steps = NEW_ARRAY(r->scratch, int, r->g->count), most = 0; /* by node id: up to it */
	bool *ended = NEW_ARRAY(r->scratch, bool, r->g->count); /* and what is computed otherwise of one */
	for (int i = first->id; i < r->g->count; i++) {
		const Node *n = r->g->nodes[i];
		for (int k = 0; k < n->operand_count; k++) {
			const int x = n->operands[k]->id;
			ended[i] = ended[i] || ended[x];
			steps[i] = steps[x] > steps[i] ? steps[x] : steps[i];
		}
		ended[i] = ended[i] || (steps[i] > 0 && !may_recur(n));
		if (ended[i])
			steps[i] = 0;
		if (!is_alike(n, first))
			continue;
		ended[i] = false;
		most = ++steps[i] > most ? steps[i] : most;
	}
	return most;
}

/* Marks the steps of recurrences, which multiply by one matrix step by step: the kernel of their periods takes products
 * alone, and what follows them as maps (program/recurrence.h). */
static void find_recurrent(Regions *r)
{
	bool *seen = NEW_ARRAY(r->scratch, bool, r->g->count);
	for (int i = 0; i < r->g->count; i++) {
		const Node *first = r->g->nodes[i];
		if (first->op->gemm != GEMM_PRODUCT || seen[i])
			continue;
		const NodeList *users = &r->users[first->operands[1]->id];
		const bool recurs = users->count >= FEWEST_PERIODS && count_steps(r, first) >= FEWEST_PERIODS;
		for (int k = 0; k < users->count; k++)
			if (is_alike(users->at[k], first)) {
				seen[users->at[k]->id] = true;
				r->recurrent[users->at[k]->id] = recurs;
			}
	}
}

/* The kernel of the values after `root`; NULL, and *why where the group's root might have had one. */
static const NodeList *kernel_after(const Regions *r, const Node *root, Epilogue *e, const char **why)
{
	const bool said =
	        root->op->gemm != GEMM_PRODUCT; /* most products have nothing of the kind after them */
	const Node *user = only_user(r, root);
	*why = said ? "something else reads the convolution" : NULL;
	if (!user || user->group == NO_GROUP || r->recurrent[root->id])
		return NULL;
	const NodeList *kernel = &r->members[user->group];
	*why = said ? "the kernel computes more than residual, bias and activation" : NULL;
	if (r->joins[user->id] != user->group || !epilogue_read(root, kernel->at, kernel->count, e))
		return NULL;
	*why = "a value in between is stored";
	int views = 0; /* of the last; then it is the view that is stored */
	for (int i = 0; i < kernel->count; i++) {
		const bool is_last = kernel->at[i] == e->last,
		           view = !is_last && node_unshaped(kernel->at[i]) == node_unshaped(e->last);
		views += view;
		if (!is_last && !view && r->uses[kernel->at[i]->id] != 1)
			return NULL;
	}
	if (views > 1 || (views == 1 && r->uses[e->last->id] != 1))
		return NULL;
	const Region region = region_of(r->ctx, root, e);
	*why = region_refused(&region);
	const Node *bias = epilogue_copied_bias(root, e);
	if (!*why && bias && !epilogue_has_copy(r->g, bias, root))
		*why = "cuBLASLt has a bias of the result's type alone, of which there is no copy";
	return *why ? NULL : kernel;
}

static void remark_chain(const Regions *r, const Node *root, const NodeList *kernel, const Epilogue *e,
                         const char *why)
{
	Arena *a = r->ctx->arena;
	const char *at = sites_text(a, root->sites, 3), *phase = graph_phase_name(r->g, PHASE_FORWARD);
	if (why) {
		pass_remark(r->ctx, "%s: %s: no epilogue for %s: %s", at, phase, root->op->name, why);
		return;
	}
	char *text = arena_strdup(a, "");
	for (int i = 0; i < kernel->count; i++)
		text = arena_printf(a, "%s%s%s", text, i ? ", " : "", kernel->at[i]->op->name);
	const Region region = region_of(r->ctx, root, e);
	pass_remark(r->ctx, "%s: %s: epilogue of %s: %s: %s%sor as a kernel after it", at, phase,
	            root->op->name, text, implementation_of(root)->takes(&region) ? "" : "by the library, ",
	            implementation_beside(root) ? "by nnc's own kernel, " : "");
}

static void join_chain(Regions *r, const Node *root)
{
	Epilogue e;
	const char *why;
	const NodeList *kernel = kernel_after(r, root, &e, &why);
	if (kernel || why)
		remark_chain(r, root, kernel, &e, why);
	for (int i = 0; kernel && i < kernel->count; i++) {
		Node *n = kernel->at[i];
		r->joins[n->id] = root->group;
		for (int k = 0; k < n->operand_count && e.bias; k++)
			if (n->operands[k] == e.bias)
				r->bias[n->id] = epilogue_copied_bias(root, &e);
	}
	r->any = r->any || kernel;
}

/* ---- row sums */

/* What is left of the chain's group computes a few elements a row, after the sum, and nothing that the chain reads: the
 * kernel that had all of it would go through the product again. */
static bool leaves_little(const Regions *r, const Node *product, Node *const *chain, int count)
{
	const int group = chain[0]->group;
	for (int i = 0; i < count; i++)
		r->joins[chain[i]->id] = product->group;
	bool little = true;
	for (int i = 0; i < r->members[group].count; i++) {
		const Node *n = r->members[group].at[i];
		if (r->joins[n->id] == group && type_elements(n->type) > product->type.dim[0])
			little = false;
	}
	for (int i = 0; i < count; i++)
		for (int k = 0; k < chain[i]->operand_count; k++) {
			const Node *x = chain[i]->operands[k];
			little = little && (x->group != group || r->joins[x->id] != group);
		}
	for (int i = 0; i < count && !little; i++)
		r->joins[chain[i]->id] = group;
	return little;
}

static bool join_row_sums(Regions *r, const Node *product)
{
	Epilogue e;
	Node *chain[MOST];
	int count = 0;
	if (implementation_sum_width(product) == 0 || product->type.rank != 2)
		return false;
	const Node *x = product;
	do {
		Node *user = only_user(r, x);
		if (!user || user->group == NO_GROUP || user->group == product->group || count == MOST ||
		    (count > 0 && user->group != chain[0]->group))
			return false;
		chain[count++] = user;
		x = user;
	} while (!(x->op->flags & OP_ADDS));
	if (!epilogue_read_rows(product, chain, count, &e) || !leaves_little(r, product, chain, count))
		return false;
	r->joins[x->id] = x->group; /* but for the tiles' */
	r->summed_of[x->id] = product;
	pass_remark(
	        r->ctx,
	        "%s: %s: matmul %s sums up its rows, %lld columns at a time: by nnc's own kernel, or as a "
	        "kernel after it",
	        sites_text(r->ctx->arena, product->sites, 3), graph_phase_name(r->g, PHASE_FORWARD),
	        shape_text(r->ctx->arena, product->type), (long long)implementation_sum_width(product));
	return r->any = true;
}

/* `sum`, along the rows of x, as the sum of those of the product's tiles, where there are several; the tiles' join the
 * product. */
static Node *sum_tiles(Graph *to, const Node *product, const Node *sum, Node *x)
{
	const Attr width = attr_int("width", implementation_sum_width(product));
	Build b = build_beside(to, sum);
	Node *tiles = build(&b, "tile_sum", 1, &x, 1, &width);
	tiles->group = product->group;
	if (!type_equal(tiles->type, sum->type))
		return graph_copy_node(to, sum, &tiles);
	tiles->name = sum->name;
	return tiles;
}

/* ---- the pass */

static Node *rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Regions *r = data;
	if (r->summed_of[n->id])
		return sum_tiles(to, r->summed_of[n->id], n, operands[0]);
	if (r->joins[n->id] == n->group)
		return NULL;
	return epilogue_take(to, n, operands, r->bias[n->id], r->joins[n->id]);
}

Graph *pass_epilogues(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	Regions r = {.ctx = ctx, .g = g, .scratch = scratch, .uses = graph_use_counts(scratch, g)};
	r.members = graph_groups(scratch, g);
	r.users = graph_users(scratch, g);
	r.joins = NEW_ARRAY(scratch, int, g->count);
	r.summed_of = NEW_ARRAY(scratch, const Node *, g->count);
	r.bias = NEW_ARRAY(scratch, const Node *, g->count);
	r.recurrent = NEW_ARRAY(scratch, bool, g->count);
	if (target_has_clusters(ctx->target))
		find_recurrent(&r);
	for (int i = 0; i < g->count; i++)
		r.joins[i] = g->nodes[i]->group;
	for (int i = 0; i < g->count; i++) {
		const Node *root = g->nodes[i];
		bool takes = (implementation_of(root)->takes_after >> root->op->gemm & 1) &&
		             root->group != NO_GROUP && r.members[root->group].count == 1;
		if (takes && !join_row_sums(&r, root))
			join_chain(&r, root);
	}
	Graph *to = r.any ? graph_rewrite(ctx->arena, g, rule, &r) : (Graph *)g;
	arena_free(scratch);
	return to;
}
