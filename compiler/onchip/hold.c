/* SPDX-License-Identifier: MIT */
/* Decides which values of an on-chip step stay in registers: see hold.h.
 *
 * Must run after onchip, whose program of one sample it changes, and before place. It takes the steps as fuse made
 * them: a convolution with its epilogue, the pool, the gradient of both and what reads that. The steps stay; what
 * changes is where their values are (BUFFER_HELD), and that the pool ends in the convolution's step. Left out, every
 * value is in shared memory.
 *
 * Who owns what: strip_of. How many registers there are for it: room, tile_registers. -Rfusion says what is held, and
 * why not. */
#include "ir/held.h"
#include "codegen/held.h"
#include "ir/formula.h"
#include "ir/op.h"
#include "base/array.h"
#include "ops/conv.h"
#include "ops/matmul.h"
#include "ops/pool.h"
#include "ir/domain.h"
#include "passes/pass.h"
#include <string.h>

enum {
	MOST_REGISTERS = 255, /* of a thread */
	WARP = 32,
	WORKING = 16,           /* of a thread: addresses, counters, what is on its way */
	PLAIN_FILTERS = 40,     /* sums of a thread, of a weight gradient that is not held: conv_block.c */
	MOST_TILE = 16,         /* convolutions that a thread sums at a time, beside all that it holds */
	MOST_ELEMENTS = 16,     /* of a thread: all loops over them are unrolled */
	MOST_PLACES = 64,       /* of a window: all are unrolled */
	MOST_COLUMNS = 32,      /* of a product: what the block sums at its end */
	MOST_SCRATCH = 8 << 10, /* elements: the partial sums of a weight gradient, as in conv_block.c */
};

typedef struct Hold {
	PassContext *ctx;
	Arena *arena;
	OnChip *o;
	Program *p;
	int64_t registers; /* of a thread, that hold something already */
	Held *h;
	Step *step[HELD_STEPS], *pool;
	const Formula *sum;
	const char *why; /* not */
} Hold;

static bool refuse(Hold *s, const char *why)
{
	s->why = why;
	return false;
}

/* ---- the graph of the sample */

static Step *step_of(const Program *p, const Node *n)
{
	for (int s = 0; s < p->step_count; s++)
		for (int i = 0; i < p->steps[s].node_count; i++)
			if (p->steps[s].nodes[i] == n)
				return &p->steps[s];
	return NULL;
}

/* Whether no step but these reads n, and the one that makes it. */
static bool read_by(const Program *p, const Node *n, int count, Step *const *readers)
{
	const Step *maker = step_of(p, n);
	for (int i = 0; i < p->graph->count; i++) {
		const Node *user = p->graph->nodes[i];
		bool reads = false, allowed = false;
		for (int k = 0; k < user->operand_count; k++)
			reads = reads || node_viewed(user->operands[k]) == n;
		if (!reads || node_viewed(user) == n)
			continue;
		const Step *s = step_of(p, user);
		for (int k = 0; k < count; k++)
			allowed = allowed || s == readers[k];
		if (!s || (s != maker && !allowed))
			return false;
	}
	return true;
}

static bool is_output(const Program *p, const Node *n)
{
	for (int i = 0; i < p->graph->output_count; i++)
		if (node_viewed(p->graph->outputs[i].node) == n)
			return true;
	return false;
}

/* Whether all that the sample hands on of n is itself, to memory, and not to a sum of the block. */
static bool only_exported(const Hold *s, const Node *n)
{
	const Graph *g = s->p->graph;
	for (int i = 0; i < g->output_count; i++) {
		bool exported = false;
		for (int k = 0; k < s->o->export_count; k++)
			exported = exported || s->o->exports[k].output == i;
		for (int k = 0; k < s->o->sum_count; k++)
			if (s->o->sums[k].kind == SUM_TERM && s->o->sums[k].term[0] == i)
				exported = false;
		if (node_viewed(g->outputs[i].node) == n && !exported)
			return false;
	}
	return true;
}

/* The step whose root is as the pattern says, with x as its `x`; NULL: there is none, or more than one. */
static Step *reader(const Hold *s, const Node *x, const char *pattern)
{
	const Formula *root = formula_parse(s->arena, pattern);
	Step *found = NULL;
	Match m;
	for (int i = 0; i < s->p->step_count; i++) {
		Step *step = &s->p->steps[i];
		if (!step->root || !formula_matches(root, step->root, &m) ||
		    node_viewed(matched(&m, "x")) != x)
			continue;
		if (found)
			return NULL;
		found = step;
	}
	return found;
}

/* ---- formulas */

/* Whether an epilogue reads nothing but what `known` says, one number, or a vector over the filters. */
static bool reads_vectors(const Hold *s, const Step *step, const Step *maker)
{
	for (int i = 0; i < step->node_count; i++) {
		const Node *n = step->nodes[i];
		if (n == step->root)
			continue;
		if (!(n->op->flags & OP_POINTWISE) || (n->op->flags & (OP_INDEXED | OP_SEEDED)) ||
		    n->op->place)
			return false;
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			const Step *from = step_of(s->p, x);
			int64_t elements = type_elements(x->type);
			bool vector = elements == s->h->filters && x->type.rank > 0 &&
			              x->type.dim[x->type.rank - 1] == elements;
			if (elements > 1 && !vector && from != step && (!maker || from != maker))
				return false;
		}
	}
	return true;
}

/* Whether a larger x makes a larger n, by monotone operators and vectors that are added. Where the results of different
 * numbers are equal they have no gradient (relu, below 0), or were made equal by rounding: then the larger number wins,
 * and the plain pool takes the first; both are gradients of the maximum. */
static bool grows_with(const Hold *s, const Node *n, const Node *x)
{
	for (const Node *next; n != x; n = next) {
		next = n->op->flags & OP_MONOTONE ? n->operands[0] : NULL;
		const bool is_sum = formula_matches(s->sum, n, NULL);
		for (int k = 0; k < 2 && is_sum; k++)
			if (type_elements(n->operands[1 - k]->type) < type_elements(n->type))
				next = n->operands[k];
		if (!next)
			return false;
	}
	return true;
}

static bool is_zero(const Node *n)
{
	return node_is_constant(node_viewed(n)) && node_real(node_viewed(n), "value") == 0;
}

/* Whether node n of the step is 0 wherever the value of its root is: by the step's nodes, in the order in which they
 * stand. */
static bool vanishes_with_root(Arena *a, const Step *step, const Node *n)
{
	const Node **zero = NEW_ARRAY(a, const Node *, step->node_count);
	int count = 0;
	for (int i = 0; i < step->node_count; i++) {
		const Node *x = step->nodes[i];
		bool is[OP_MAX_OPERANDS] = {false}, vanishes = x == step->root;
		for (int k = 0; k < x->operand_count && k < OP_MAX_OPERANDS; k++) {
			is[k] = is_zero(x->operands[k]);
			for (int z = 0; z < count; z++)
				is[k] = is[k] || zero[z] == x->operands[k];
		}
		unsigned zeros = 0;
		for (int k = 0; k < OP_MAX_OPERANDS; k++)
			zeros |= (unsigned)is[k] << k;
		const unsigned all = x->op->zero_by_all;
		vanishes = vanishes || (zeros & x->op->zero_by_any) || (all && (zeros & all) == all);
		if (vanishes)
			zero[count++] = x;
	}
	for (int z = 0; z < count; z++)
		if (zero[z] == n)
			return true;
	return false;
}

/* ---- registers */

static int words(const Hold *s)
{
	return (int)(dtype_bytes(s->h->pool->type.dtype) / 4);
}

/* Registers of a thread: a multiprocessor has one block, and each quarter of it a quarter of the warps, by eights. */
static int64_t room(const Hold *s)
{
	int64_t warps = (s->o->threads + 4 * WARP - 1) / (4 * WARP) * 4;
	int64_t most = target_arch(s->ctx->target).registers / (warps * WARP) / 8 * 8;
	return most < MOST_REGISTERS ? most : MOST_REGISTERS;
}

/* Beside all that is held from sample to sample: while a strip is convolved, its sums; after it the elements, their
 * winners and gradients. */
static int64_t tile_registers(const Hold *s)
{
	int64_t sums = words(s) * s->h->window[0] * s->h->window[1] * s->h->tile;
	int64_t pooled = (3 * words(s) + 1) * s->h->elements;
	return WORKING + (sums > pooled ? sums : pooled);
}

/* The strips that leave the busiest thread least to do, the longest of those: what neighbours see of the image is
 * loaded once. A thread with several has one filter in all only where the threads are a multiple of the filters. */
static bool strip_of(Hold *s)
{
	Held *h = s->h;
	int threads = s->o->threads;
	for (int64_t strip = 1; strip <= h->columns && strip <= MOST_ELEMENTS; strip++) {
		int64_t items = h->filters * h->rows * ((h->columns + strip - 1) / strip);
		int64_t turns = (items + threads - 1) / threads, elements = turns * strip;
		bool fits = elements <= MOST_ELEMENTS && (turns == 1 || threads % h->filters == 0);
		if (!fits || (h->elements && elements > h->elements))
			continue;
		h->strip = strip;
		h->turns = turns;
		h->elements = elements;
	}
	int64_t tiles = (h->window[0] * h->window[1] * h->strip + MOST_TILE - 1) / MOST_TILE;
	h->tile = tiles > 0 ? (h->strip + tiles - 1) / tiles : 0;
	return h->elements > 0 || refuse(s, "a thread would own too many elements");
}

/* ---- what is held */

static void hold_buffer(Buffer *b)
{
	buffer_root(b)->class = BUFFER_HELD;
	buffer_root(b)->offset = 0;
}

/* The gradient's operands at the winners, and the weight gradient from there. */
static bool find_gradient(Hold *s)
{
	Held *h = s->h;
	Step *grad = s->step[HELD_GRADIENT];
	for (int i = 0; i < grad->node_count; i++) {
		if (!s->p->of_node[grad->nodes[i]->id])
			continue;
		if (h->after)
			return refuse(s, "its gradient has two values");
		h->after = grad->nodes[i];
	}
	if (!h->after || !vanishes_with_root(s->arena, grad, h->after))
		return refuse(s, "places that did not win may have a gradient");
	return reads_vectors(s, grad, s->step[HELD_CONV]) ||
	       refuse(s, "its gradient reads more than vectors over the filters");
}

static bool find_pool(Hold *s, Step *conv)
{
	Held *h = s->h;
	const ConvShape c = conv_shape(conv->root);
	if (c.groups > 1)
		return refuse(s, "the convolution has groups");
	const Window w = pool_window(h->pool, h->before->type);
	h->filters = c.filters;
	for (int i = 0; i < 2; i++) {
		if (w.stride[i] != w.size[i] || w.pad[i] || w.pad[i + 2] || w.in[i] % w.size[i])
			return refuse(s, "the windows overlap or leave some out");
		h->window[i] = w.size[i];
	}
	int64_t places = h->window[0] * h->window[1];
	if (places > MOST_PLACES)
		return refuse(s, "a window has too many places");
	h->winners_per_word = places <= 2 ? 32 : places <= 4 ? 16 : places <= 16 ? 8 : 4;
	h->rows = w.out[0];
	h->columns = w.out[1];
	s->step[HELD_GRADIENT] = reader(s, h->before, "maxpool_grad(dy, x, y)");
	if (!s->step[HELD_GRADIENT] || s->pool->node_count > 1)
		return refuse(s, "more than the pool is computed with it");
	Step *readers[] = {s->pool, s->step[HELD_GRADIENT]};
	for (int i = 0; i < conv->node_count; i++) {
		const Node *n = conv->nodes[i];
		if (s->p->of_node[n->id] && (is_output(s->p, n) || !read_by(s->p, n, 2, readers)))
			return refuse(s, "the value before the pool is read elsewhere");
	}
	if (!reads_vectors(s, conv, NULL))
		return refuse(s, "the convolution's epilogue reads more than vectors over the filters");
	h->monotone = grows_with(s, h->before, conv->root);
	return find_gradient(s);
}

/* Whether the weight gradient is summed from the winners; else the gradient is stored for who reads it. */
static bool hold_filters(Hold *s, const ConvShape *c)
{
	Held *h = s->h;
	Step *filters = reader(s, h->after, "conv_wgrad(image, x)");
	int64_t sums = c->win.size[0] * c->win.size[1] * c->channels + 1;
	int64_t saved = words(s) * (PLAIN_FILTERS - sums);
	bool fits = sums <= PLAIN_FILTERS && tile_registers(s) + s->registers - saved <= room(s);
	if (!fits || !filters || is_output(s->p, h->after) || !read_by(s->p, h->after, 1, &filters))
		return false;
	h->root[HELD_FILTERS] = filters->root;
	if (held_filters_scratch(h, s->o->threads) > MOST_SCRATCH) {
		h->root[HELD_FILTERS] = NULL;
		return false;
	}
	s->step[HELD_FILTERS] = filters;
	s->registers -= saved;
	return true;
}

/* The product after the pool, and its gradient. Its weights' columns of a thread's elements fit beside all else. */
static bool hold_product(Hold *s)
{
	Held *h = s->h;
	Step *product = reader(s, h->pool, "matmul(x, weight)"), *grad = s->step[HELD_GRADIENT];
	Step *back = step_of(s->p, node_viewed(grad->root->operands[0]));
	if (!product || !back || !back->root || back->root->op->gemm != GEMM_PRODUCT || back->node_count > 1)
		return refuse(s, "the pooled value's reader is no product with a vector");
	const Node *weight = product->root->operands[1];
	MatmulShape forward, backward;
	matmul_shape(product->root, &forward);
	matmul_shape(back->root, &backward);
	Step *readers[] = {product, grad}, *users[] = {product, back}, *only[] = {grad};
	bool pair = node_is_param(weight) && back->root->operands[1] == weight && forward.m == 1 &&
	            forward.tb && !forward.ta && backward.m == 1 && !backward.ta && !backward.tb;
	if (!pair || !read_by(s->p, h->pool, 2, readers) || !only_exported(s, h->pool) ||
	    !read_by(s->p, weight, 2, users) || is_output(s->p, weight) ||
	    !read_by(s->p, node_viewed(back->root), 1, only) || is_output(s->p, node_viewed(back->root)))
		return refuse(s, "the pooled value, its gradient or the weights are read elsewhere");
	int64_t held = words(s) * forward.n * h->elements;
	if (forward.n > MOST_COLUMNS || tile_registers(s) + s->registers + held > room(s))
		return refuse(
		        s, arena_printf(s->arena,
		                        "%lld weights of a thread do not fit its %lld registers beside %lld",
		                        (long long)(forward.n * h->elements), (long long)room(s),
		                        (long long)(tile_registers(s) + s->registers)));
	s->registers += held;
	s->step[HELD_PRODUCT] = product;
	s->step[HELD_BACK] = back;
	return true;
}

/* ---- the program */

/* The pool ends in the convolution's step. */
static void join_pool(Hold *s)
{
	Program *p = s->p;
	Step *conv = s->step[HELD_CONV];
	Buffer *pooled = p->of_node[s->h->pool->id],
	       **writes = NEW_ARRAY(s->arena, Buffer *, conv->write_count + 1);
	int count = 0;
	for (int i = 0; i < conv->write_count; i++)
		if (conv->writes[i] != p->of_node[s->h->before->id])
			writes[count++] = conv->writes[i];
	writes[count++] = pooled;
	conv->flops += s->pool->flops;
	conv->writes = writes;
	conv->write_count = count;
	hold_buffer(p->of_node[s->h->before->id]);
	Step *grad = s->step[HELD_GRADIENT];
	for (int i = 0; i < grad->read_count; i++)
		if (grad->reads[i] == p->of_node[s->h->before->id])
			grad->reads[i] = pooled;
	p->of_node[s->h->before->id] = pooled; /* at the winner the two are one */
}

/* What a step moves is outside of registers; of a window only the winner has a gradient. */
static void recount(Hold *s)
{
	for (int i = 0; i < HELD_STEPS; i++) {
		Step *step = s->step[i];
		if (!step)
			continue;
		step->bytes = 0;
		for (int k = 0; k < step->read_count + step->write_count; k++) {
			const Buffer *b =
			        k < step->read_count ? step->reads[k] : step->writes[k - step->read_count];
			if (buffer_root((Buffer *)b)->class != BUFFER_HELD)
				step->bytes += (double)b->bytes;
		}
		if (i == HELD_GRADIENT || i == HELD_FILTERS)
			step->flops /= (double)(s->h->window[0] * s->h->window[1]);
	}
}

/* Takes the step of the pool out; steps are numbered anew. */
static void remove_pool(Hold *s)
{
	Program *p = s->p;
	for (int i = s->pool->id; i + 1 < p->step_count; i++)
		p->steps[i] = p->steps[i + 1];
	program_set_steps(p, p->steps, p->step_count - 1);
}

static void apply(Hold *s)
{
	Program *p = s->p;
	Held *h = s->h;
	for (int i = 0; i < s->step[HELD_CONV]->node_count;
	     i++) { /* what the gradient reads beside the pooled value */
		const Node *n = s->step[HELD_CONV]->nodes[i];
		if (p->of_node[n->id] && n != h->before)
			hold_buffer(p->of_node[n->id]);
	}
	join_pool(s);
	Type places = h->pool->type;
	require(type_make(DTYPE_I32, places.rank, places.dim, &places));
	h->winner = program_add_buffer(p, BUFFER_HELD, "winner", places)->id;
	if (s->step[HELD_FILTERS])
		hold_buffer(p->of_node[h->after->id]);
	if (s->step[HELD_PRODUCT]) {
		Step *product = s->step[HELD_PRODUCT];
		hold_buffer(p->of_node[h->pool->id]);
		hold_buffer(p->of_node[node_viewed(s->step[HELD_BACK]->root)->id]);
		hold_buffer(p->of_node[product->root->operands[1]->id]);
		for (int i = 0; i < product->write_count; i++) {
			Buffer *b = product->writes[i];
			int64_t sums = s->o->threads / 32 * type_elements(product->root->type);
			if (b->class == BUFFER_WORKSPACE) {
				require(type_make(b->type.dtype, 1, &sums, &b->type));
				b->bytes = type_bytes(b->type);
			}
		}
	}
	for (int i = 0; i < HELD_STEPS; i++) {
		if (!s->step[i])
			continue;
		s->step[i]->held = h;
		h->root[i] = s->step[i]->root;
	}
	recount(s);
	remove_pool(s);
}

static void remark(const Hold *s, const Step *conv, const Node *pool)
{
	Arena *a = s->arena;
	const Held *h = s->h;
	const char *where = sites_text(a, pool->sites, 3);
	if (!s->step[HELD_PRODUCT])
		pass_remark(s->ctx, "%s: %s: not held: %s", where,
		            h->root[HELD_CONV] ? "product" : conv->root->op->name, s->why);
	if (h->root[HELD_CONV])
		pass_remark(s->ctx, "%s: held: a thread has %lld of %s%s%s", where, (long long)h->elements,
		            shape_text(a, pool->type), h->root[HELD_FILTERS] ? ", its weight gradient" : "",
		            h->root[HELD_PRODUCT] ? ", and their columns of the product's weights" : "");
}

/* Returns whether the program has a step less. */
static bool hold_convolution(Hold *s, Step *conv)
{
	s->h = NEW(s->arena, Held);
	memset(s->step, 0, sizeof s->step);
	for (int i = 0; i < conv->node_count && !s->pool; i++) {
		s->pool = reader(s, conv->nodes[i], "maxpool(x)");
		s->h->before = conv->nodes[i];
	}
	if (!s->pool)
		return false;
	const ConvShape c = conv_shape(conv->root);
	s->h->pool = s->pool->root;
	s->step[HELD_CONV] = conv;
	const Node *pool = s->pool->root;
	bool holds = find_pool(s, conv) && strip_of(s) &&
	             (tile_registers(s) + s->registers <= room(s) ||
	              refuse(s, "a strip needs too many registers"));
	if (holds) {
		hold_filters(s, &c);
		hold_product(s);
		apply(s);
	}
	remark(s, conv, pool);
	return holds;
}

Program *pass_hold(PassContext *ctx, const Program *before)
{
	OnChip *o = ctx->onchip;
	Hold s = {.ctx = ctx,
	          .arena = ctx->arena,
	          .o = o,
	          .p = program_copy(ctx->arena, before),
	          .sum = formula_parse(ctx->arena, "x + y")};
	for (int i = 0; i < o->sum_count; i++)
		if (o->sums[i].kind == SUM_FILTERS)
			s.registers += PLAIN_FILTERS * dtype_bytes(o->sums[i].node->type.dtype) / 4;
	for (int i = 0; i < s.p->step_count; i++) {
		const Node *root = s.p->steps[i].root;
		s.pool = NULL;
		s.why = NULL;
		if (root && root->op->gemm == GEMM_FPROP && !s.p->steps[i].held)
			hold_convolution(&s, &s.p->steps[i]);
	}
	return s.p;
}
