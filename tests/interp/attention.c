/* SPDX-License-Identifier: MIT */
/* Attention by its definition, with all its matrices: shares P = softmax(scale*Q K^T + mask) of each head, and
 * factors M of the dropout. */
#include "tests/interp/interp.h"

#include "ops/compose.h"
#include "runtime/nnr_math.h"

#include <math.h>

typedef struct Head {
	int64_t sample, head, heads;        /* of the sample's queries */
	int64_t queries, keys, size;        /* places; columns */
	int64_t query_row, key_row, width;  /* from place to place of x; of y */
	int64_t query_at, key_at, value_at; /* of its first place */
	double scale;
	const double *q, *k, *v;
	double *share, *factor; /* [queries, keys] */
} Head;

static int64_t or_else(const Node *n, const char *name, int64_t value)
{
	const Attr *attr = node_attr(n, name);
	return attr ? attr->i : value;
}

/* Where queries, keys and values of head h of sample b are. */
static Head lay_out(const Eval *e, int64_t b, int64_t h)
{
	const Type *x = operand_type(e, 0);
	const int64_t heads = node_int(e->n, "heads"), groups = or_else(e->n, "groups", heads),
	              pieces = or_else(e->n, "pieces", 1), group = h / (heads / groups);
	int count;
	const int64_t *places =
	        pieces > 1 ? node_ints(e->n, "places", &count) : (int64_t[]){x->dim[0], x->dim[1], x->dim[1]};
	const int64_t batch = places[0], m = places[1], n = places[2],
	              size = type_elements(*x) / (batch * (m * heads + 2 * n * groups));
	Head head = {.sample = b, .head = h, .heads = heads, .queries = m, .keys = n, .size = size};
	head.width = heads * size;
	if (pieces == 1) {
		head.query_row = head.key_row = (heads + 2 * groups) * size;
		head.query_at = b * m * head.query_row + h * size;
		head.key_at = b * n * head.key_row + (heads + group) * size;
		head.value_at = head.key_at + groups * size;
		return head;
	}
	head.query_row = heads * size;
	head.query_at = b * m * head.query_row + h * size;
	head.key_row = (pieces == 2 ? 2 : 1) * groups * size;
	head.key_at = batch * m * heads * size + b * n * head.key_row + group * size;
	head.value_at = head.key_at + (pieces == 2 ? 1 : batch * n) * groups * size;
	return head;
}

/* Of a mask of type t, what is added to score i, j. */
static int64_t mask_index(const Type *t, const Head *h, int64_t i, int64_t j)
{
	const int64_t b = h->sample % t->dim[0], head = t->dim[1] > 1 ? h->head : 0,
	              row = t->dim[2] > 1 ? i : 0;
	return ((b * t->dim[1] + head) * t->dim[2] + row) * t->dim[3] + j;
}

/* What is added to score i, j: operand `at`, where it is there. */
static double mask_of(const Eval *e, const Head *h, int at, int64_t i, int64_t j)
{
	return e->n->operand_count <= at ? 0 : e->x[at][mask_index(operand_type(e, at), h, i, j)];
}

static double dot(const double *a, const double *b, int64_t count)
{
	double sum = 0;
	for (int64_t c = 0; c < count; c++)
		sum += a[c] * b[c];
	return sum;
}

/* With the mask, operand `mask`. */
static double score_of(const Eval *e, const Head *h, int mask, int64_t i, int64_t j)
{
	return dot(h->q + i * h->query_row, h->k + j * h->key_row, h->size) * h->scale +
	       mask_of(e, h, mask, i, j);
}

static int64_t seen(const Eval *e, const Head *h, int64_t i)
{
	return node_int(e->n, "causal") ? i + 1 : h->keys;
}

static Head head_of(Eval *e, int64_t b, int64_t h, int mask)
{
	const double rate = dropout_share(node_real(e->n, "rate"));
	Head head = lay_out(e, b, h);
	head.scale = node_real(e->n, "scale");
	head.q = e->x[0] + head.query_at;
	head.k = e->x[0] + head.key_at;
	head.v = e->x[0] + head.value_at;
	head.share = NEW_ARRAY(e->arena, double, head.queries *head.keys);
	head.factor = NEW_ARRAY(e->arena, double, head.queries *head.keys);
	for (int64_t i = 0; i < head.queries; i++) {
		double total = 0, *share = head.share + i * head.keys;
		for (int64_t j = 0; j < seen(e, &head, i); j++) {
			share[j] = exp(score_of(e, &head, mask, i, j));
			total += share[j];
		}
		for (int64_t j = 0; j < head.keys; j++) {
			const double u =
			        nnr_uniform(e->in->seed, (uint64_t)e->in->step,
			                    (uint64_t)(node_int(e->n, "stream") + e->streams),
			                    ((b * head.heads + h) * head.queries + i) * head.keys + j);
			share[j] /= total;
			head.factor[i * head.keys + j] = u < rate ? 0 : 1 / (1 - rate);
		}
	}
	return head;
}

static void each_head(Eval *e, int mask, void (*visit)(Eval *e, const Head *h))
{
	const int64_t heads = node_int(e->n, "heads");
	int count;
	const int64_t batch = or_else(e->n, "pieces", 1) > 1 ? node_ints(e->n, "places", &count)[0]
	                                                     : operand_type(e, 0)->dim[0];
	for (int64_t b = 0; b < batch; b++)
		for (int64_t h = 0; h < heads; h++) {
			const Head head = head_of(e, b, h, mask);
			visit(e, &head);
		}
}

/* Where the head's part of query i is in a tensor [samples, queries, heads*size]. */
static int64_t part_of(const Head *h, int64_t i)
{
	return (h->sample * h->queries + i) * h->width + h->head * h->size;
}

static void attend(Eval *e, const Head *h)
{
	for (int64_t i = 0; i < h->queries; i++)
		for (int64_t j = 0; j < h->keys; j++)
			for (int64_t c = 0; c < h->size; c++)
				e->y[part_of(h, i) + c] += h->share[i * h->keys + j] *
				                           h->factor[i * h->keys + j] *
				                           h->v[j * h->key_row + c];
}

static void attention_eval(Eval *e)
{
	each_head(e, 1, attend);
}

static void know_logs(Eval *e, const Head *h)
{
	for (int64_t i = 0; i < h->queries; i++) {
		/* the score of key 0: what it is above the logarithm of its share */
		const double first = score_of(e, h, 2, i, 0);
		e->y[(h->sample * h->heads + h->head) * h->queries + i] = first - log(h->share[i * h->keys]);
	}
}

static void attention_logs_eval(Eval *e)
{
	each_head(e, 2, know_logs);
}

/* Of the shares as the operands `logs` and `taken` have them: any numbers in the tests of the operator alone. */
static void differ(Eval *e, const Head *h)
{
	const double *logs = e->x[3] + (h->sample * h->heads + h->head) * h->queries,
	             *taken = e->x[4] + h->sample * h->queries * h->heads + h->head;
	double *dq = e->y + h->query_at, *dk = e->y + h->key_at, *dv = e->y + h->value_at;
	for (int64_t i = 0; i < h->queries; i++) {
		const double *out = e->x[2] + part_of(h, i);
		for (int64_t j = 0; j < seen(e, h, i); j++) {
			const double by_share = dot(out, h->v + j * h->key_row, h->size);
			const double share = exp(score_of(e, h, 5, i, j) - logs[i]),
			             factor = h->factor[i * h->keys + j];
			const double by_score = share * (factor * by_share - taken[i * h->heads]) * h->scale;
			for (int64_t c = 0; c < h->size; c++) {
				dq[i * h->query_row + c] += by_score * h->k[j * h->key_row + c];
				dk[j * h->key_row + c] += by_score * h->q[i * h->query_row + c];
				dv[j * h->key_row + c] += share * factor * out[c];
			}
		}
	}
}

static void attention_grad_eval(Eval *e)
{
	each_head(e, 5, differ);
}

/* The mask's number that is added to score i, j gets the gradient by that score. */
static void differ_by_mask(Eval *e, const Head *h)
{
	const double *logs = e->x[2] + (h->sample * h->heads + h->head) * h->queries,
	             *taken = e->x[3] + h->sample * h->queries * h->heads + h->head;
	const Type *t = operand_type(e, 4);
	for (int64_t i = 0; i < h->queries; i++)
		for (int64_t j = 0; j < seen(e, h, i); j++) {
			const double by_share = dot(e->x[1] + part_of(h, i), h->v + j * h->key_row, h->size);
			const double share = exp(score_of(e, h, 4, i, j) - logs[i]);
			e->y[mask_index(t, h, i, j)] +=
			        share * (h->factor[i * h->keys + j] * by_share - taken[i * h->heads]);
		}
}

static void attention_mask_grad_eval(Eval *e)
{
	each_head(e, 4, differ_by_mask);
}

const Meaning attention_meanings[] = {
        {"attention", attention_eval},
        {"attention_logs", attention_logs_eval},
        {"attention_grad", attention_grad_eval},
        {"attention_mask_grad", attention_mask_grad_eval},
        {0},
};
