/* SPDX-License-Identifier: MIT */
/* Attention of places to others, or to themselves, for several heads, without a matrix of scores; and its gradient.
 *
 *     attention       x, mask? -> y [b, m, heads*d]
 *     attention_logs  x, y, mask? -> logs [b, heads, m]
 *     attention_grad  x, y, dy, logs, taken, mask? -> dx, as x
 *     attention_mask_grad  x, dy, logs, taken, mask -> dmask, as mask
 *
 * x has queries of m places and `heads` heads, and keys and values of n places and `groups` heads, each of which serves
 * heads/groups neighbouring heads of queries (without the attribute as many as heads; Ainslie and others: GQA, 2023).
 * A head has d columns. They are
 *     [b, n, (heads + 2*groups)*d]    side by side, and m = n; or, with `places` = [b, m, n], in one dimension
 *     `pieces` = 2                    all queries [b, m, heads*d], after them keys and values [b, n, 2*groups*d]
 *     `pieces` = 3                    each by itself
 * mask [b or 1, heads or 1, m or 1, n], in f32, is added to the scores; of fewer samples than b, which they divide,
 * sample i has those of i modulo them, as for the windows of each image of a batch. Where it is learned, as biases by
 * heads and distances are (Raffel and others: T5, 2019), its gradient is summed over what it is the same for.
 *
 * A mask that `hides` has HIDDEN = -keys*2^100 for keys that get no share beside others: a score added to that is lost
 * in rounding, so that it is as if it were not there. In a row that has nothing else they get equal shares; what is
 * -inf there gets none. Its log is -2^100 times the number of those.
 *
 * logs are, of each row of scores, the logarithm of its sum of exponentials: the kernel of y, which is an operand for
 * that alone, writes them beside it (fuse puts both into one group); by itself the operator goes through all scores
 * once more. taken [b, m, heads, 1] is the sum of y*dy over a head's columns, which the softmax's gradient takes off; y
 * is an operand beside it for a library that takes that sum itself.
 *
 * With P = softmax(scale*Q K^T + mask) of a head, row by row, and M the dropout's factors (1/(1-rate) or 0, by the
 * element's place in [b, heads, m, n]; 1 with rate 0):
 *     y = (P*M) V,    dV = (P*M)^T dy,    dA = P*(M*(dy V^T) - sum of y*dy),    dS = dA*scale,    dQ = dS K,
 *     dK = dS^T Q,    dmask = dA, summed
 * (Dao: FlashAttention-2, 2023). Scores are computed again for the gradient. With causal, m = n, and a place looks at
 * itself and at those before it. The pass `attention` finds it in what a network says (passes/attention.c). */
#ifndef NNC_ATTENTION_H
#define NNC_ATTENTION_H

#include "ir/op.h"

/* Times the number of keys: what a mask has where it takes the place of a score. */
#define ATTENTION_HIDDEN (-0x1p100)

/* What stands in the place of a score hides its key from this number on down: a share of more than 0 beside that
 * takes a row whose scores are all less than 104 above it (746 in f64), where f32's neighbours are 4 apart. Above
 * it scores may be as low; their softmax makes something of what is masked, as attention that leaves it out would
 * not. */
#define ATTENTION_MASKED (-0x1p26)

/* The attribute `hides`: what masks leave a query without a key. */
typedef enum {
	HIDES_NONE,    /* none: without the attribute */
	HIDES_ALL,     /* equal shares of all keys, whose scores make no difference */
	HIDES_BY_SUMS, /* with HIDDEN, not -inf: scores are too small to make one, but have a gradient */
} AttentionHides;

enum { ATTENTION_CPU_PLACES = 8192 }; /* most; scores of some rows are on a thread's stack */

typedef struct AttentionShape {
	int64_t batch, queries, keys; /* places */
	int64_t heads, groups, size;  /* size: columns of a head */
	bool causal, apart;           /* apart: in pieces */
	double scale, rate;
	int64_t stream; /* of the dropout's random numbers */
	/* In x, in elements: where keys and values begin, and between rows of queries, and of keys as of values. */
	int64_t keys_at, values_at, query_row, key_row;
	int mask; /* the operand's number; 0: there is none */
	/* Between its samples, its heads and its rows, in elements; 0 where they are the same for all. */
	int64_t mask_sample, mask_head, mask_row;
	int64_t mask_samples; /* how many it has numbers for */
	AttentionHides hides;
} AttentionShape;

/* Of any of the four. */
AttentionShape attention_shape(const Node *n);
/* Whether there is a kernel for it on tensor cores. */
bool attention_fits(int64_t queries, int64_t keys, int64_t size);

/* Of a row of a tile in shared memory, as runtime/cuda/nnr_attention.h lays it out. */
int64_t attention_row_bytes(int64_t size, int64_t element_bytes);
/* Of shared memory, that the largest of the kernels takes for heads of `size` columns of so many bytes each. */
int64_t attention_shared_bytes(int64_t size, int64_t element_bytes);
/* The same as runtime/cuda/nnr_attention_warpgroup.h lays it out, `stay` being the tiles that stay and `going` the rows
 * of one that goes by. */
int64_t attention_warpgroup_bytes(int64_t size, int stay, int going);

#endif
