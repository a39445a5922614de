/* SPDX-License-Identifier: MIT */
/* What attention is made of in a graph (attention_find.c). */
#ifndef NNC_ATTENTION_FIND_H
#define NNC_ATTENTION_FIND_H

#include "ir/formula.h"
#include "ops/attention.h"

enum { MOST_MASKS = 5 };

/* The patterns of its parts. */
typedef struct AttentionForms {
	const Formula *kept, *divided, *multiplied, *dropped, *shares, *sum;
} AttentionForms;

AttentionForms attention_forms(Arena *a);

typedef enum {
	MASK_ADDED, /* to the scores */
	MASK_KEEPS, /* where it is 0, `value` takes the place of a score */
} MaskKind;

typedef struct AttentionMask {
	MaskKind kind;
	Node *node;     /* without the broadcast to the scores' shape */
	int64_t dim[4]; /* its shape beside [samples, heads, queries, keys]; of samples a divisor */
	double value;
	double factor;             /* of what comes between it and the softmax */
	bool may_be_low, may_hide; /* it hides keys; some query may have no other */
	bool is_triangle;          /* of what comes later than the query */
} AttentionMask;

/* What is known of the graph that the nodes are of. */
typedef struct AttentionSearch {
	const AttentionForms *forms;
	int64_t batch;
	bool training, in_f64;
	const int *uses; /* by node: how often it is read; NULL: it does not matter */
} AttentionSearch;

typedef struct Attention {
	int64_t samples; /* the batch; or of each of it several groups of places, as windows of an image are */
	bool in_groups;  /* the network has dimensions for these between batch and heads */
	Node *q, *k, *v; /* [samples*heads, places, columns], k perhaps with the last two exchanged */
	bool k_is_turned, causal;
	double scale, rate;
	int64_t stream;
	AttentionMask masks[MOST_MASKS];
	int mask_count; /* from the softmax on */
	AttentionHides hides;
	double absorbs;  /* in the number from this on down scores are lost */
	const char *why; /* not found: what is in the way, where it is attention otherwise; else NULL */
} Attention;

/* Whether `n`, with these operands, is the product of shares and values. */
bool attention_find(const AttentionSearch *s, const Node *n, Node *const *operands, Attention *found);
/* The operator's mask, f32 [samples or a divisor, heads or 1, queries or 1, keys]. NULL: there is none. */
Node *attention_build_mask(Build *b, const Attention *found);

#endif
