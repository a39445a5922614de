/* SPDX-License-Identifier: MIT */
/* Forms the regions of library calls: gives a convolution or a product what stands after it, or beside it, and can be
 * computed with it before its result is stored. What a region may have is passes/epilogue.h's to read, and the
 * implementation's to take (Implementation.takes). The group of the root and that of what it takes become one. The call
 * computes both where the library has a plan that is faster, and launches the kernel after itself where it has none
 * (codegen/library.c).
 *
 * First what leaves a part of a kernel behind, or has more than one result, of a product in 16 bits:
 *
 *   kept      bias and gelu_tanh in training: the call stores what is ahead of the activation too, which the gradient
 *             reads. Kernels that add product and bias once more read that instead.
 *   slope     a product times gelu_tanh's slope at a tensor in memory: the gradient of such a layer's input. What
 *             else the kernel had, most often the sum for the bias's gradient, reads the result from memory.
 *   residual  bias and a tensor, added to a product whose kernel computes more of the sum: a layer that is added to
 *             what it read, ahead of a normalisation. Where the sum is stored anyway, the kernel reads that instead.
 *   sums      the sums of an operand's columns beside a weight gradient that reads it: a bias's gradient. In f32, as
 *             the weight gradient is.
 *
 *     %4 = add(%3, %2) group=1                          %4 = add(%3, %2) group=0, stored
 *     %5 = gelu_tanh(%4) group=1                        %5 = gelu_tanh(%4) group=0
 *     %7 = add(%3, %2) group=3                   ->
 *     %8 = gelu_tanh_slope(%7) group=3                  %8 = gelu_tanh_slope(%4) group=2
 *     %9 = mul(%6, %8) group=3                          %9 = mul(%6, %8) group=2         (%6 = matmul group=2)
 *     %10 = sum(%9) {axes=[0]} group=3                  %10 = sum(%9) {axes=[0]} group=4
 *     %11 = matmul(%9, %0) {ta=1, wide=1} group=4       %11 = matmul(%9, %0) {ta=1, wide=1} group=4
 *
 * cuBLASLt has these as epilogues, by tanh, not by erf: the two are apart by up to 5e-4, which is far more than the
 * rounding to bf16 where x is below 0, so gelu stays a kernel.
 *
 * Then what is all of a kernel:
 *
 *   chain     bias, residual and activation; of a product also the rounding to tf32 (round_operands). It reads the
 *             root's value in one place and stores one value. In training a value that the backward part reads is
 *             stored, and such a kernel stays: tanh goes along, whose gradient needs its result, and silu does not.
 *   row sums  of a product that has a kernel of ours: bias, activation, a weight for each column, and the sum of the
 *             rows, where nothing else is wanted of them: a layer of one output after a wide one, where no gradient
 *             needs what is between
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
#include "ir/formula.h"
#include "ir/op.h"
#include "passes/implementation.h"
#include "passes/pass.h"
#include "target/activation.h"

enum { MOST = 8 /* nodes of a chain; Epilogue knows fewer */ };

typedef struct Regions {
	PassContext *ctx;
	const Graph *g;
	Arena *scratch;
	NodeList *members;      /* by group */
	NodeList *users;        /* by node id */
	const int *uses;        /* by node id, by outputs too */
	int *joins;             /* by node id: the group it becomes a part of, or its own */
	Node **instead;         /* by node id: an equal node that is stored; NULL */
	Node **copies;          /* by node id, in the new graph, of what `instead` names */
	const Node **bias;      /* by node id of a sum: the parameter of whose copy it reads a part; NULL */
	const Node **summed_of; /* by node id of a sum: the product that sums up its tiles; NULL */
	NodeList *sums;         /* by node id: those of the columns of it, or of a view */
	bool *for_update;       /* by node id: nothing but the update, and the host, reads it */
	bool *recurrent;        /* by node id: a step of a recurrence */
	const Formula *sum, *product;
	bool any;
} Regions;

static bool is_output(const Regions *r, const Node *n)
{
	return r->uses[n->id] > r->users[n->id].count;
}

/* What alone reads a value; NULL: there are more, or an output is it. */
static Node *only_user(const Regions *r, const Node *n)
{
	return r->uses[n->id] == 1 && r->users[n->id].count == 1 ? r->users[n->id].at[0] : NULL;
}

/* NULL where the root's call takes the epilogue. */
static const char *refusal(const Regions *r, const Node *root, const Epilogue *e)
{
	const Region region = region_of(r->ctx, root, e);
	const char *why = region_refused(&region);
	const Node *bias = epilogue_copied_bias(root, e);
	if (!why && bias && !epilogue_has_copy(r->g, bias, root))
		why = "cuBLASLt has a bias of the result's type alone, of which there is no copy";
	return why;
}

/* The nodes, which are the epilogue, become a part of the root's group. */
static void join_all(Regions *r, Node *const *nodes, int count, const Node *root, const Epilogue *e)
{
	for (int i = 0; i < count; i++) {
		r->joins[nodes[i]->id] = root->group;
		for (int k = 0; k < nodes[i]->operand_count && e->bias; k++)
			if (nodes[i]->operands[k] == e->bias)
				r->bias[nodes[i]->id] = epilogue_copied_bias(root, e);
	}
	r->any = true;
}

/* A library's, and nothing with it yet. */
static bool is_lone_product(const Regions *r, const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && node_by_library(n) && !implementation_beside(n) &&
	       n->group != NO_GROUP && r->members[n->group].count == 1 && r->joins[n->id] == n->group;
}

static void remark(const Regions *r, const Node *root, const char *what)
{
	pass_remark(r->ctx, "%s: matmul %s: %s, by the library or as a kernel after it",
	            sites_text(r->ctx->arena, root->sites, 3), shape_text(r->ctx->arena, root->type), what);
}

/* ---- kept */

/* The only activation of `sum`, where both are a kernel. */
static Node *activation_after(const Regions *r, const Node *sum)
{
	Node *found = NULL;
	for (int i = 0; i < r->users[sum->id].count; i++) {
		Node *n = r->users[sum->id].at[i];
		const Activation *is = activation_of(n->op);
		if (!is || !is->cublas_keeps)
			continue;
		if (found || n->group == NO_GROUP || n->group != sum->group)
			return NULL;
		found = n;
	}
	return found && r->members[found->group].count == 2 ? found : NULL;
}

static void keep_activations_operand(Regions *r, Node *root)
{
	const NodeList *users = &r->users[root->id];
	Node *sum = NULL, *activation = NULL;
	bool read_again = false;
	for (int i = 0; i < users->count; i++) {
		Node *n = users->at[i];
		const bool is_sum = formula_matches(r->sum, n, NULL);
		Node *after = is_sum ? activation_after(r, n) : NULL;
		if (!is_sum || (after && sum) || n->group == NO_GROUP)
			return;
		sum = after ? n : sum;
		activation = after ? after : activation;
	}
	for (int i = 0; i < users->count && sum; i++) {
		const Node *n = users->at[i];
		read_again = read_again || n != sum;
		if (n != sum && (n->id < sum->id || !nodes_same_value(n, sum)))
			return;
	}
	if (!sum || is_output(r, root) || (!read_again && r->users[sum->id].count == 1))
		return; /* none, or a chain */
	Epilogue e;
	if (!epilogue_read(root, (Node *[]){sum, activation}, 2, &e) || !e.bias || refusal(r, root, &e))
		return;
	join_all(r, (Node *[]){sum, activation}, 2, root, &e);
	for (int i = 0; i < users->count; i++)
		if (users->at[i] != sum)
			r->instead[users->at[i]->id] = sum;
	remark(r, root,
	       arena_printf(r->scratch, "bias and %s, of which the operand is kept", activation->op->name));
}

/* ---- slope */

/* What is left of the kernel reads the product with the slope, and neither by itself. */
static bool leaves_readers_of(const Regions *r, const Node *product, const Node *slope, const Node *at)
{
	const NodeList *group = &r->members[product->group];
	for (int i = 0; i < group->count; i++) {
		const Node *n = group->at[i];
		const bool left = n != product && n != slope && !r->instead[n->id];
		for (int k = 0; k < n->operand_count && left; k++)
			if (n->operands[k] == slope || n->operands[k] == at)
				return false;
	}
	return true;
}

static void take_slope(Regions *r, Node *root)
{
	Node *product = only_user(r, root);
	if (!product || !formula_matches(r->product, product, NULL) || product->group == NO_GROUP)
		return;
	Node *slope = product->operands[product->operands[0] == root];
	if (slope->operand_count != 1 || !only_user(r, slope) || slope->group != product->group)
		return;
	const Node *at = slope->operands[0];
	const bool stored =
	        r->instead[at->id] || (at->group != product->group && node_viewed(at)->group != NO_GROUP &&
	                               r->joins[node_viewed(at)->id] != product->group);
	Epilogue e;
	if (!stored || !leaves_readers_of(r, product, slope, at) ||
	    !epilogue_read(root, (Node *[]){slope, product}, 2, &e) || e.slope != slope ||
	    refusal(r, root, &e))
		return;
	join_all(r, (Node *[]){slope, product}, 2, root, &e);
	remark(r, root, "times the slope of gelu_tanh");
}

/* ---- residual */

/* The only user of `x`, where it is an addition in a kernel. */
static Node *addition_after(const Regions *r, const Node *x)
{
	Node *n = only_user(r, x);
	const bool adds = n && formula_matches(r->sum, n, NULL) && n->group != NO_GROUP;
	return adds && r->joins[n->id] == n->group && !r->instead[n->id] ? n : NULL;
}

/* Stored, and read by more than the kernel that computes it. */
static bool is_stored(const Regions *r, const Node *n)
{
	bool inside = false, outside = is_output(r, n);
	for (int i = 0; i < r->users[n->id].count; i++)
		if (r->users[n->id].at[i]->group == n->group)
			inside = true;
		else
			outside = true;
	return inside && outside;
}

static void take_residual(Regions *r, Node *root)
{
	Node *chain[2] = {addition_after(r, root)};
	Epilogue e;
	if (!chain[0])
		return;
	int count = epilogue_read(root, chain, 1, &e) && e.residual ? 1 : 2;
	if (count == 2 && !(chain[1] = addition_after(r, chain[0])))
		return;
	const Node *sum = chain[count - 1];
	if (chain[0]->group != sum->group || !is_stored(r, sum) || !epilogue_read(root, chain, count, &e) ||
	    !e.residual || node_viewed(e.residual)->group == sum->group || refusal(r, root, &e))
		return;
	join_all(r, chain, count, root, &e);
	remark(r, root, e.bias ? "bias and a residual" : "a residual");
}

/* ---- sums */

static bool sums_columns(const Node *sum)
{
	const Type t = sum->type;
	return (sum->op->flags & OP_ADDS) && t.dtype == DTYPE_F32 && t.rank >= 2 &&
	       dtype_is_half(sum->operands[0]->type.dtype) && type_elements(t) == t.dim[t.rank - 1] &&
	       t.dim[t.rank - 1] == sum->operands[0]->type.dim[t.rank - 1];
}

/* What is for the update alone, and the sums of columns among it. */
static void find_sums(Regions *r)
{
	for (int i = r->g->count - 1; i >= 0; i--) {
		const NodeList *users = &r->users[i];
		r->for_update[i] = r->uses[i] > 0;
		for (int k = 0; k < users->count; k++) {
			const Node *user = users->at[k];
			const bool view = (user->op->flags & OP_ALIAS) && r->for_update[user->id];
			r->for_update[i] = r->for_update[i] && (view || (user->op->flags & OP_PACK));
		}
	}
	for (int i = 0; i < r->g->count; i++) {
		Node *n = r->g->nodes[i];
		if (sums_columns(n) && r->for_update[i])
			array_push(r->scratch, &r->sums[node_viewed(n->operands[0])->id], n);
	}
}

/* What would join a product with the sum: it, and its views; none where its kernel computes something else. */
static NodeList with_views(const Regions *r, const Node *sum)
{
	NodeList found = {0};
	const int group = r->joins[sum->id] == sum->group ? sum->group : NO_GROUP;
	for (int i = 0; group != NO_GROUP && i < r->members[group].count; i++) {
		Node *n = r->members[group].at[i];
		if (r->joins[n->id] != group || r->instead[n->id])
			continue;
		if (n != sum && !((n->op->flags & OP_ALIAS) && node_viewed(n->operands[0]) == sum))
			return (NodeList){0};
		array_push(r->scratch, &found, n);
	}
	return found;
}

/* A weight gradient, with the sums of what it reads along its depth: one of them, if there are any. */
static void take_sums(Regions *r, Node *root)
{
	for (int k = 0; k < root->operand_count && r->for_update[root->id]; k++) {
		const NodeList *sums = &r->sums[node_viewed(root->operands[k])->id];
		for (int i = 0; i < sums->count; i++) {
			const NodeList joined = with_views(r, sums->at[i]);
			Epilogue e;
			if (joined.count == 0 || !epilogue_read(root, joined.at, joined.count, &e) ||
			    refusal(r, root, &e))
				continue;
			join_all(r, joined.at, joined.count, root, &e);
			remark(r, root, "sums of its operand's columns beside it");
			return;
		}
	}
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
	return (*why = refusal(r, root, e)) ? NULL : kernel;
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
	const char *text = "";
	for (int i = 0; i < kernel->count; i++)
		text = arena_listed(a, text, "%s", kernel->at[i]->op->name);
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
	if (kernel)
		join_all(r, kernel->at, kernel->count, root, &e);
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

static void join_row_sums(Regions *r, const Node *product)
{
	Epilogue e;
	Node *chain[MOST];
	int count = 0;
	if (implementation_sum_width(product) == 0 || product->type.rank != 2)
		return;
	const Node *x = product;
	do {
		Node *user = only_user(r, x);
		if (!user || user->group == NO_GROUP || user->group == product->group || count == MOST ||
		    (count > 0 && user->group != chain[0]->group))
			return;
		chain[count++] = user;
		x = user;
	} while (!(x->op->flags & OP_ADDS));
	if (!epilogue_read_rows(product, chain, count, &e) || !leaves_little(r, product, chain, count))
		return;
	r->joins[x->id] = x->group; /* but for the tiles' */
	r->summed_of[x->id] = product;
	pass_remark(
	        r->ctx,
	        "%s: %s: matmul %s sums up its rows, %lld columns at a time: by nnc's own kernel, or as a "
	        "kernel after it",
	        sites_text(r->ctx->arena, product->sites, 3), graph_phase_name(r->g, PHASE_FORWARD),
	        shape_text(r->ctx->arena, product->type), (long long)implementation_sum_width(product));
	r->any = true;
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
	Regions *r = data;
	if (r->instead[n->id])
		return r->copies[r->instead[n->id]->id];
	if (r->summed_of[n->id])
		return sum_tiles(to, r->summed_of[n->id], n, operands[0]);
	if (r->joins[n->id] == n->group)
		return NULL;
	return r->copies[n->id] = epilogue_take(to, n, operands, r->bias[n->id], r->joins[n->id]);
}

/* The graph with those regions that `find` finds. */
static const Graph *form(PassContext *ctx, const Graph *g, void (*find)(Regions *r))
{
	Arena *scratch = arena_new();
	Regions r = {.ctx = ctx,
	             .g = g,
	             .scratch = scratch,
	             .members = graph_groups(scratch, g),
	             .users = graph_users(scratch, g),
	             .uses = graph_use_counts(scratch, g),
	             .joins = NEW_ARRAY(scratch, int, g->count),
	             .instead = NEW_ARRAY(scratch, Node *, g->count),
	             .copies = NEW_ARRAY(scratch, Node *, g->count),
	             .bias = NEW_ARRAY(scratch, const Node *, g->count),
	             .summed_of = NEW_ARRAY(scratch, const Node *, g->count),
	             .sums = NEW_ARRAY(scratch, NodeList, g->count),
	             .for_update = NEW_ARRAY(scratch, bool, g->count),
	             .recurrent = NEW_ARRAY(scratch, bool, g->count),
	             .sum = formula_parse(scratch, "x + y"),
	             .product = formula_parse(scratch, "x*y")};
	for (int i = 0; i < g->count; i++)
		r.joins[i] = g->nodes[i]->group;
	find(&r);
	if (r.any)
		g = graph_rewrite(ctx->arena, g, rule, &r);
	arena_free(scratch);
	return g;
}

static void find_beside(Regions *r)
{
	static void (*const takes[])(Regions * r, Node * root) = {keep_activations_operand, take_slope,
	                                                          take_residual, take_sums};
	find_sums(r);
	for (size_t k = 0; k < sizeof takes / sizeof *takes; k++)
		for (int i = 0; i < r->g->count; i++)
			if (is_lone_product(r, r->g->nodes[i]))
				takes[k](r, r->g->nodes[i]);
}

static void find_after(Regions *r)
{
	if (target_has_clusters(r->ctx->target))
		find_recurrent(r);
	for (int i = 0; i < r->g->count; i++) {
		const Node *root = r->g->nodes[i];
		if (!(implementation_of(root)->takes_after >> root->op->gemm & 1) ||
		    root->group == NO_GROUP || r->members[root->group].count > 1)
			continue;
		join_row_sums(r, root);
		join_chain(r, root); /* of what has joined it there is none */
	}
}

Graph *pass_epilogues(PassContext *ctx, const Graph *g)
{
	return (Graph *)form(ctx, form(ctx, g, find_beside), find_after);
}
