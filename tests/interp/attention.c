/* Attention by its definition, with all its matrices: shares P = softmax(scale*Q K^T) of each head, and factors M of
 * the dropout. */
#include "tests/interp/interp.h"
#include "runtime/nnr_math.h"
#include <math.h>

typedef struct Head {
	int64_t places, size, stride; /* of x, from place to place */
	double scale;
	const double *q, *k, *v;
	double *share, *factor; /* [places, places] */
} Head;

/* Head h of sample b. */
static Head head_of(Eval *e, int64_t b, int64_t h)
{
	const Type *x = operand_type(e, 0);
	const int64_t heads = node_int(e->n, "heads"), n = x->dim[1], width = x->dim[2] / 3;
	const double rate = node_real(e->n, "rate");
	Head head = {
	        .places = n, .size = width / heads, .stride = x->dim[2], .scale = node_real(e->n, "scale")};
	head.q = e->x[0] + b * n * x->dim[2] + h * head.size;
	head.k = head.q + width;
	head.v = head.k + width;
	head.share = NEW_ARRAY(e->arena, double, n *n);
	head.factor = NEW_ARRAY(e->arena, double, n *n);
	for (int64_t i = 0; i < n; i++) {
		const int64_t end = node_int(e->n, "causal") ? i + 1 : n;
		double total = 0, *share = head.share + i * n;
		for (int64_t j = 0; j < end; j++) {
			for (int64_t c = 0; c < head.size; c++)
				share[j] += head.q[i * head.stride + c] * head.k[j * head.stride + c];
			share[j] = exp(share[j] * head.scale);
			total += share[j];
		}
		for (int64_t j = 0; j < n; j++) {
			const double u = nnr_uniform(e->in->seed, (uint64_t)e->in->step,
			                             (uint64_t)node_int(e->n, "stream"),
			                             ((b * heads + h) * n + i) * n + j);
			share[j] /= total;
			head.factor[i * n + j] = u < rate ? 0 : 1 / (1 - rate);
		}
	}
	return head;
}

static void each_head(Eval *e, void (*visit)(Eval *e, const Head *h, int64_t sample, int64_t head))
{
	for (int64_t b = 0; b < operand_type(e, 0)->dim[0]; b++)
		for (int64_t h = 0; h < node_int(e->n, "heads"); h++) {
			const Head head = head_of(e, b, h);
			visit(e, &head, b, h);
		}
}

/* Where the head's part of place i is in a tensor [samples, places, heads*size]. */
static int64_t part_of(const Head *h, int64_t sample, int64_t head, int64_t i)
{
	return (sample * h->places + i) * (h->stride / 3) + head * h->size;
}

static void attend(Eval *e, const Head *h, int64_t sample, int64_t head)
{
	for (int64_t i = 0; i < h->places; i++)
		for (int64_t j = 0; j < h->places; j++)
			for (int64_t c = 0; c < h->size; c++)
				e->y[part_of(h, sample, head, i) + c] += h->share[i * h->places + j] *
				                                         h->factor[i * h->places + j] *
				                                         h->v[j * h->stride + c];
}

static void attention_eval(Eval *e)
{
	each_head(e, attend);
}

static void know_logs(Eval *e, const Head *h, int64_t sample, int64_t head)
{
	for (int64_t i = 0; i < h->places; i++) {
		double *to = e->y + (sample * node_int(e->n, "heads") + head) * h->places + i;
		double first = 0; /* the score of key 0: what it is above the logarithm of its share */
		for (int64_t c = 0; c < h->size; c++)
			first += h->q[i * h->stride + c] * h->k[c] * h->scale;
		*to = first - log(h->share[i * h->places]);
	}
}

static void attention_logs_eval(Eval *e)
{
	each_head(e, know_logs);
}

/* Of the shares as the operands `logs` and `taken` have them: any numbers in the tests of the operator alone. */
static void differ(Eval *e, const Head *h, int64_t sample, int64_t head)
{
	const int64_t n = h->places, width = h->stride / 3;
	const int64_t heads = node_int(e->n, "heads");
	const double *logs = e->x[3] + (sample * heads + head) * n,
	             *taken = e->x[4] + sample * n * heads + head;
	double *dq = e->y + (h->q - e->x[0]), *dk = dq + width, *dv = dk + width;
	for (int64_t i = 0; i < n; i++) {
		const int64_t end = node_int(e->n, "causal") ? i + 1 : n;
		const double *out = e->x[2] + part_of(h, sample, head, i);
		for (int64_t j = 0; j < end; j++) {
			double score = 0, by_share = 0;
			for (int64_t c = 0; c < h->size; c++) {
				score += h->q[i * h->stride + c] * h->k[j * h->stride + c] * h->scale;
				by_share += out[c] * h->v[j * h->stride + c];
			}
			const double share = exp(score - logs[i]), factor = h->factor[i * n + j];
			const double by_score = share * (factor * by_share - taken[i * heads]) * h->scale;
			for (int64_t c = 0; c < h->size; c++) {
				dq[i * h->stride + c] += by_score * h->k[j * h->stride + c];
				dk[j * h->stride + c] += by_score * h->q[i * h->stride + c];
				dv[j * h->stride + c] += share * factor * out[c];
			}
		}
	}
}

static void attention_grad_eval(Eval *e)
{
	each_head(e, differ);
}

const Meaning attention_meanings[] = {
        {"attention", attention_eval},
        {"attention_logs", attention_logs_eval},
        {"attention_grad", attention_grad_eval},
        {0},
};
