/* SPDX-License-Identifier: MIT */
/* Merges nodes that compute the same value: same operator, operands, attributes and type.
 *
 * Everything in a graph is pure, random numbers included: a `uniform` is a function of its attributes, the
 * seed and the step, so two with equal attributes are one, and two draws differ in an attribute. The one that
 * is left carries the sites of both. May run anywhere before `fuse`. */
#include "passes/pass.h"

#include "ir/op.h"

#include <string.h>

/* Open hashing: heads[h] is the first node of a chain, next[id] the one after. */
typedef struct Values {
	Node **heads, **next;
	unsigned mask;
} Values;

static unsigned mix(unsigned h, unsigned x)
{
	h = (h ^ x) * 0x9E3779B1u;
	return h ^ h >> 15;
}

static unsigned mix_text(unsigned h, const char *text)
{
	for (; *text; text++)
		h = mix(h, (unsigned char)*text);
	return h;
}

static unsigned mix_bits(unsigned h, const void *x)
{
	unsigned bits[2];
	memcpy(bits, x, sizeof bits);
	return mix(mix(h, bits[0]), bits[1]);
}

/* Attributes too: constants differ in nothing else, nor do parameters, nor the slices of one tensor. */
static unsigned hash(const Node *n)
{
	unsigned h = mix_text(mix((unsigned)n->type.rank, (unsigned)n->type.dtype), n->op->name);
	for (int i = 0; i < n->operand_count; i++)
		h = mix(h, (unsigned)n->operands[i]->id);
	for (int i = 0; i < n->attr_count; i++) {
		const Attr *attr = &n->attrs[i];
		h = attr->kind == ATTR_TEXT ? mix_text(h, attr->s)
		                            : mix_bits(mix_bits(h, &attr->i), &attr->f);
		for (int k = 0; k < attr->count; k++)
			h = mix_bits(h, &attr->ints[k]);
	}
	return h;
}

static Node *merge(void *ctx, Graph *to, const Node *n, Node **operands)
{
	Values *values = ctx;
	Node rewritten = *n;
	rewritten.operands = operands;
	Node **head = &values->heads[hash(&rewritten) & values->mask];
	for (Node *seen = *head; seen; seen = values->next[seen->id]) {
		if (nodes_same_value(seen, &rewritten))
			return seen;
	}
	Node *copy = graph_copy_node(to, n, operands);
	values->next[copy->id] = *head;
	*head = copy;
	return copy;
}

Graph *pass_cse(PassContext *ctx, const Graph *g)
{
	unsigned size = 64;
	while (size < (unsigned)g->count)
		size *= 2;
	Values values = {
	        .heads = NEW_ARRAY(ctx->arena, Node *, size),
	        .next = NEW_ARRAY(ctx->arena, Node *, g->count),
	        .mask = size - 1,
	};
	Graph *merged = graph_rewrite(ctx->arena, g, merge, &values);
	return merged->count == g->count ? (Graph *)g : merged;
}
