/* Attention of each place to the others, for several heads, without a matrix of scores; and its gradient.
 *
 *     attention       x [b, n, 3*w] -> y [b, n, w]
 *     attention_logs  x, y -> logs [b, heads, n]
 *     attention_grad  x, y, dy, logs, taken -> dx [b, n, 3*w]
 *
 * x has queries, keys and values of all heads, w = heads*d columns each. logs are, of each row of scores, the
 * logarithm of its sum of exponentials: the kernel of y, which is an operand for that alone, writes them beside it
 * (fuse puts both into one group); by itself the operator goes through all scores once more. taken [b, n, heads, 1]
 * is the sum of y*dy over a head's columns, which the softmax's gradient takes off; y is an operand beside it for a
 * library that takes that sum itself.
 *
 * With P = softmax(scale*Q K^T) of a head, row by row, and M the dropout's factors (1/(1-rate) or 0, by the element's
 * place in [b, heads, n, n]; 1 with rate 0):
 *     y = (P*M) V,    dV = (P*M)^T dy,    dS = P*(M*(dy V^T) - sum of y*dy)*scale,    dQ = dS K,    dK = dS^T Q
 * (Dao: FlashAttention-2, 2023). Scores are computed again for the gradient. With causal, a place looks at itself and
 * at those before it. The pass `attention` finds it in what a network says (passes/attention.c). */
#ifndef NNC_ATTENTION_H
#define NNC_ATTENTION_H

#include "ops/op.h"

enum { ATTENTION_CPU_PLACES = 8192 }; /* most; scores of some rows are on a thread's stack */

typedef struct AttentionShape {
	int64_t batch, places, heads, size; /* of a head */
	bool causal;
	double scale, rate;
	int64_t stream; /* of the dropout's random numbers */
} AttentionShape;

/* Of any of the three. */
AttentionShape attention_shape(const Node *n);
/* Whether there is a kernel for it on tensor cores. */
bool attention_fits(int64_t places, int64_t size);

/* Of shared memory, that the largest of the kernels takes for heads of `size` columns of so many bytes each. */
int64_t attention_shared_bytes(int64_t size, int64_t element_bytes);

/* attention_cpu.c */
/* The tensor of the logs that the kernel of `attention` writes beside y; NULL: there is none. */
const char *attention_logs_text(const KernelText *k);
void attention_emit(KernelText *k, const Node *n);
void attention_logs_emit(KernelText *k, const Node *n);
void attention_grad_emit(KernelText *k, const Node *n);

#endif
