/* SPDX-License-Identifier: MIT */
/* Steps whose values threads keep: calls of runtime/cuda/nnr_held.h, around the formulas at one element. `j` is the
 * element's number among the thread's own, (p, q, k) its place in the pooled value. */
#include "codegen/held.h"
#include "ops/conv.h"
#include "codegen/body.h"
#include "codegen/tensors.h"

char *conv_block_shape(Arena *a, const Node *n)
{
	const ConvShape c = conv_shape(n);
	const Window *w = &c.win;
	return arena_printf(
	        a,
	        "NnrConv<%lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld>",
	        (long long)w->in[0], (long long)w->in[1], (long long)c.channels, (long long)w->out[0],
	        (long long)w->out[1], (long long)c.filters, (long long)w->size[0], (long long)w->size[1],
	        (long long)w->stride[0], (long long)w->stride[1], (long long)w->pad[0], (long long)w->pad[1],
	        (long long)w->dilation[0], (long long)w->dilation[1]);
}

bool is_held(const Buffer *b)
{
	return buffer_root((Buffer *)b)->class == BUFFER_HELD;
}

const char *held_name(const Buffer *b)
{
	return is_held(b) ? buffer_root((Buffer *)b)->name : b->name;
}

static bool has(const Buffer *const *list, int count, const Buffer *root)
{
	for (int i = 0; i < count; i++)
		if (buffer_root((Buffer *)list[i]) == root)
			return true;
	return false;
}

const Held *held_of(const Program *p, const Buffer *b)
{
	const Buffer *root = buffer_root((Buffer *)b);
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		bool here = has((const Buffer *const *)step->reads, step->read_count, root) ||
		            has((const Buffer *const *)step->writes, step->write_count, root);
		if (step->held && (here || step->held->winner == root->id))
			return step->held;
	}
	bug("%s is held by no step", b->name);
}

int64_t held_count(const Program *p, const Buffer *b)
{
	const Held *h = held_of(p, b);
	if (b->id == h->winner)
		return (h->elements + h->winners_per_word - 1) / h->winners_per_word;
	if (!b->node || !node_is_param(b->node))
		return h->elements;
	return type_elements(b->type) / type_elements(h->pool->type) * h->elements;
}

char *held_words(Arena *a, const Held *h, const Buffer *b)
{
	const char *shape = shape_text(a, b->type), *what = "the thread's own of";
	if (b->node && node_is_param(b->node))
		what = "the columns of its elements, of";
	else if (b->id == h->winner)
		what = "which place of its window won, of";
	else if (type_elements(b->type) > type_elements(h->pool->type))
		what = "at the winners, of";
	return arena_printf(a, "held: %s %s", what, shape);
}

/* ---- functions of steps */

/* What the functions take, in this order. */
typedef enum {
	TAKES_J = 1 << 0,
	TAKES_P = 1 << 1,
	TAKES_Q = 1 << 2,
	TAKES_K = 1 << 3,
	TAKES_PLACE = TAKES_P | TAKES_Q | TAKES_K,
	TAKES_ROW = 1 << 4,
	TAKES_COL = 1 << 5,
	TAKES_VALUE = 1 << 6, /* which each of them reads that has one */
} Takes;

/* Ahead of a formula: what is written from here on stands apart until end_formula, which is given what this returns. */
static Code *begin_formula(KernelText *k)
{
	Code *outer = k->code;
	k->code = k->state->code = code_new(k->arena);
	return outer;
}

/* The formula as a function, between `head` and `tail` of a call. It names those of its parameters that it reads. */
static void end_formula(KernelText *k, Code *outer, const char *head, unsigned takes, const char *tail)
{
	static const char *const names[] = {"j", "p", "q", "k", "row", "col"};
	Code *formula = k->code;
	k->code = k->state->code = outer;
	const char *list = "";
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const bool reads = code_mentions(formula, names[i]);
		if (takes >> i & 1)
			list = arena_listed(k->arena, list, reads ? "int %s" : "int", names[i]);
	}
	if (takes & TAKES_VALUE)
		list = arena_listed(k->arena, list, "%s value", k->real);
	code_scope(k->code, tail, "%s[&](%s)", head, list);
	code_take(k->code, formula);
	code_close(k->code, 1);
}

static char *row_of(const KernelText *k, const Held *h)
{
	return arena_printf(k->arena, "p * %lld + q", (long long)h->columns);
}

/* What of the places of a window is compared: the convolution itself, or the operand of the pool. */
static void write_rank(KernelText *k, const Held *h)
{
	if (h->monotone) {
		code_items(k->code, "[](int, %s value) { return value; },", k->real);
		return;
	}
	Code *outer = begin_formula(k);
	code_leave(k->code, "return %s", kernel_value(k, "0", "k", "value", h->before));
	end_formula(k, outer, "", TAKES_K | TAKES_VALUE, ",");
}

static void write_pool(KernelText *k, const Held *h, const char *type)
{
	code_call(k->code, "%s::pool(x, w, winner,", type);
	write_rank(k, h);
	Code *outer = begin_formula(k);
	kernel_epilogue(k, row_of(k, h), "k", "value");
	end_formula(k, outer, "", TAKES_J | TAKES_PLACE | TAKES_VALUE, ");");
	code_close(k->code, 1);
}

static void write_gradient(KernelText *k, const Held *h, const char *type)
{
	const char *after = tensor_of(&k->state->tensors, k->program, h->after);
	bool held = is_held(buffer_of(k->program, h->root[HELD_GRADIENT]->operands[0]));
	const char *dy = held ? "dy[j]" : "dy[Own::place(p, q, k)]";
	code_type(k->code, "Own", "%s", type);
	Code *outer = begin_formula(k);
	char *value = kernel_value(k, row_of(k, h), "k", dy, h->after);
	if (held_scatters(h))
		code_do(k->code, "Own::scatter(%s, p, q, k, Own::winner_of(winner, j), %s)", after, value);
	else
		code_set(k->code, "%s[j]", "%s", after, value);
	end_formula(k, outer, "Own::each(", TAKES_J | TAKES_PLACE, ");");
}

static void write_product(KernelText *k, const Held *h)
{
	Code *outer = begin_formula(k);
	kernel_epilogue(k, "row", "col", "value");
	end_formula(k, outer,
	            arena_printf(k->arena, "nnr_held_matmul_nt<%d, %lld, %lld>(a, b, partial, ",
	                         k->target->threads, (long long)h->elements,
	                         (long long)type_elements(k->step->root->type)),
	            TAKES_ROW | TAKES_COL | TAKES_VALUE, ");");
}

void write_held(KernelText *k)
{
	const Held *h = k->step->held;
	const char *type = held_type(k->arena, h, k->target->threads);
	switch (held_step(k->step)) {
	case HELD_CONV:
		write_pool(k, h, type);
		break;
	case HELD_GRADIENT:
		write_gradient(k, h, type);
		break;
	case HELD_PRODUCT:
		write_product(k, h);
		break;
	case HELD_BACK:
		code_do(k->code, "nnr_held_matmul<%lld, %lld>(a, b, y)", (long long)h->elements,
		        (long long)type_elements(k->step->root->operands[0]->type));
		break;
	default:
		bug("a weight gradient is called by its type");
	}
}

static char *form_text(Arena *a, const char *name, const Held *h, int threads)
{
	return arena_printf(a, "%s<%d, %lld, %lld, %lld, %lld, %s>", name, threads, (long long)h->strip,
	                    (long long)h->tile, (long long)h->window[0], (long long)h->window[1],
	                    conv_block_shape(a, h->root[HELD_CONV]));
}

char *held_type(Arena *a, const Held *h, int threads)
{
	return form_text(a, "NnrHeld", h, threads);
}

char *held_filters_type(Arena *a, const Held *h, int threads)
{
	return form_text(a, "NnrHeldFilters", h, threads);
}

int64_t held_filters_scratch(const Held *h, int threads)
{
	const ConvShape c = conv_shape(h->root[HELD_FILTERS]);
	int64_t items = h->filters * h->rows * ((h->columns + h->strip - 1) / h->strip);
	int64_t out = h->filters * (c.win.size[0] * c.win.size[1] * c.channels + 1);
	bool exchange = h->filters <= 16 && (h->filters & (h->filters - 1)) == 0;
	int64_t lanes = (items < threads ? items : threads) / h->filters;
	return (exchange ? threads / 32 : lanes) * out;
}
