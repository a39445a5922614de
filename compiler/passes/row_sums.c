/* Lets a kernel of ours for a product sum up the rows of its result, where nothing else is wanted of them: a layer of
 * one output behind a wide one, where no gradient needs what is between. The result, often the largest tensor of an
 * evaluation, is then neither stored nor read again, though it keeps its place in the plan, for the library's product.
 *
 * A block of the kernel has a tile of the result, and of each row the sum of the tile's columns. So the sum becomes one
 * of a few such sums, which stays where it was:
 *
 *     sum(x) {axes=[1]}    ->    sum(tile_sum(x) {width=256}) {axes=[1]}        or, of one tile, the tile_sum
 *
 * and the tile_sum joins the product, with the bias, activation and weights that stand between the two. Where the
 * library's product is faster, or the GPU has not what ours needs, a kernel behind it computes the same
 * (codegen/library.c).
 *
 * Must run after implement, and ahead of product_epilogue, which else would take the bias and the activation. */
#include "ops/epilogue.h"
#include "ops/op.h"
#include "ops/product.h"
#include "passes/pass.h"

enum { MOST = 8 /* nodes of a chain; Epilogue knows fewer */ };

typedef struct Chain {
	const Node *product;
	Node *nodes[MOST]; /* the last is the sum */
	int count;
} Chain;

typedef struct RowSums {
	PassContext *ctx;
	const Graph *g;
	const int *uses; /* by node id */
	Node **user;     /* by node id: one that reads it */
	Chain *chains;   /* by node id of the sum */
	Node **joined;   /* by node id: the product whose group it joins */
} RowSums;

/* What is left of the chain's group computes a few elements a row, behind the sum: the kernel that had all of it would
 * go through the product again. Nothing else may stand between product and sum, where a group's nodes lie side by side;
 * it could compute what the chain reads, too. */
static bool leaves_little(const RowSums *r, const Chain *c)
{
	const int group = c->nodes[0]->group;
	for (int i = 0; i < r->g->count; i++) {
		const Node *n = r->g->nodes[i];
		bool mine = false;
		for (int k = 0; k < c->count; k++)
			mine = mine || n == c->nodes[k];
		const bool between = i > c->product->id && i < c->nodes[c->count - 1]->id;
		if (!mine && n->group == group && type_elements(n->type) > c->product->type.dim[0])
			return false;
		if (!mine && between && n->group != NO_GROUP)
			return false;
	}
	return true;
}

static bool find_chain(const RowSums *r, const Node *product, Chain *c)
{
	Epilogue e;
	*c = (Chain){.product = product};
	if (product_sum_width(product) == 0 || product->type.rank != 2 || product->group == NO_GROUP)
		return false;
	const Node *x = product;
	do {
		Node *user = r->user[x->id];
		if (r->uses[x->id] != 1 || !user || user->group == NO_GROUP ||
		    user->group == product->group || c->count == MOST ||
		    (c->count > 0 && user->group != c->nodes[0]->group))
			return false;
		c->nodes[c->count++] = user;
		x = user;
	} while (!node_is(x, "sum"));
	return epilogue_read_rows(product, c->nodes, c->count, &e) && leaves_little(r, c);
}

/* `sum`, along the rows of x, as the sum of those of the product's tiles, where there are several; the tiles' join the
 * product. */
static Node *sum_tiles(Graph *to, const Node *product, const Node *sum, Node *x)
{
	const Attr width = attr_int("width", product_sum_width(product));
	Build b = build_beside(to, sum);
	Node *tiles = build(&b, "tile_sum", 1, &x, 1, &width);
	tiles->group = product->group;
	if (!type_equal(tiles->type, sum->type))
		return graph_copy_node(to, sum, &tiles);
	tiles->name = sum->name;
	return tiles;
}

static Node *rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const RowSums *r = data;
	const Chain *c = &r->chains[n->id];
	if (r->joined[n->id]) {
		Node *copy = graph_copy_node(to, n, operands);
		copy->group = r->joined[n->id]->group;
		return copy;
	}
	if (!c->product)
		return NULL;
	pass_remark(
	        r->ctx,
	        "%s: %s: matmul %s sums up its rows, %lld columns at a time: by nnc's own kernel, or as a "
	        "kernel behind it",
	        sites_text(to->arena, c->product->sites, 3), graph_phase_name(r->g, PHASE_FORWARD),
	        shape_text(to->arena, c->product->type), (long long)product_sum_width(c->product));
	return sum_tiles(to, c->product, n, operands[0]);
}

Graph *pass_row_sums(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	RowSums r = {.ctx = ctx, .g = g, .uses = graph_use_counts(scratch, g)};
	r.user = NEW_ARRAY(scratch, Node *, g->count);
	r.joined = NEW_ARRAY(scratch, Node *, g->count);
	r.chains = NEW_ARRAY(scratch, Chain, g->count);
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++)
			r.user[g->nodes[i]->operands[k]->id] = g->nodes[i];
	bool any = false;
	for (int i = 0; i < g->count; i++) {
		Chain c;
		if (!find_chain(&r, g->nodes[i], &c))
			continue;
		any = true;
		for (int k = 0; k < c.count - 1; k++)
			r.joined[c.nodes[k]->id] = g->nodes[i];
		r.chains[c.nodes[c.count - 1]->id] = c;
	}
	Graph *to = any ? graph_rewrite(ctx->arena, g, rule, &r) : (Graph *)g;
	arena_free(scratch);
	return to;
}
