/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/cudnn_attention.h"

#include <string.h>

enum { OPERATIONS = 24, VIRTUAL = 0 /* instead of a unique id */ };

typedef struct Build {
	Graph graph;
	const NnrAttentionShape *shape;
	cudnnDataType_t type;
	int64_t made; /* virtual tensors */
	Descriptor step[OPERATIONS];
	int count;
} Build;

static Build build_of(const NnrAttentionShape *s)
{
	return (Build){.shape = s, .type = graph_type(s->dtype)};
}

/* ---- tensors, as [samples, heads, rows, columns] */

static int64_t id_of(Build *b, int64_t uid)
{
	return uid == VIRTUAL ? ++b->made : uid;
}

static Descriptor tensor(Build *b, int64_t uid, cudnnDataType_t type, const int64_t dim[4],
                         const int64_t stride[4])
{
	return graph_tensor_strided(&b->graph.pool, id_of(b, uid), type, dim, stride);
}

/* All places with all, virtual; turned: as the transposed one is read. */
static Descriptor scores(Build *b, cudnnDataType_t type, bool turned)
{
	const int64_t m = b->shape->queries, n = b->shape->keys, h = b->shape->heads;
	return tensor(b, VIRTUAL, type, (int64_t[]){b->shape->batch, h, turned ? n : m, turned ? m : n},
	              (int64_t[]){h * m * n, m * n, turned ? 1 : n, turned ? n : 1});
}

/* A number for each query. */
static Descriptor row(Build *b, int64_t uid)
{
	const int64_t m = b->shape->queries, h = b->shape->heads;
	return tensor(b, uid, CUDNN_DATA_FLOAT, (int64_t[]){b->shape->batch, h, m, 1},
	              (int64_t[]){h * m, m, 1, 1});
}

/* A head's columns of each of n places, whose rows are so many elements apart. */
static Descriptor columns(Build *b, int64_t uid, int64_t n, int64_t row, bool turned)
{
	const NnrAttentionShape *s = b->shape;
	const int64_t d = s->size;
	return tensor(b, uid, b->type, (int64_t[]){s->batch, s->heads, turned ? d : n, turned ? n : d},
	              (int64_t[]){n * row, d, turned ? 1 : row, turned ? row : 1});
}

static Descriptor queries(Build *b, int64_t uid)
{
	return columns(b, uid, b->shape->queries, b->shape->query_row, false);
}

/* Or values. */
static Descriptor keys(Build *b, int64_t uid, bool turned)
{
	return columns(b, uid, b->shape->keys, b->shape->key_row, turned);
}

/* As the result is. */
static Descriptor out(Build *b, int64_t uid)
{
	return columns(b, uid, b->shape->queries, b->shape->heads * b->shape->size, false);
}

/* Of queries by themselves, in f32: [samples, heads, queries, columns]. */
static Descriptor columns_apart(Build *b, int64_t uid)
{
	const NnrAttentionShape *s = b->shape;
	const int64_t m = s->queries, d = s->size;
	return tensor(b, uid, CUDNN_DATA_FLOAT, (int64_t[]){s->batch, s->heads, m, d},
	              (int64_t[]){s->heads * m * d, m * d, d, 1});
}

static Descriptor number(Build *b, int64_t uid)
{
	return graph_number(&b->graph.pool, uid);
}

/* ---- operations */

static void add(Build *b, Descriptor step)
{
	require(b->count < OPERATIONS);
	b->step[b->count++] = step;
}

/* An operation that is described by a descriptor of what it does. */
static Descriptor operation(Build *b, cudnnBackendDescriptorType_t type, cudnnBackendAttributeName_t name,
                            Descriptor how)
{
	Descriptor d = dnn_create(&b->graph.pool, type);
	return d && how && dnn_finalize(how) && dnn_set_descriptor(d, name, how) ? d : NULL;
}

static Descriptor computing(Build *b, cudnnBackendDescriptorType_t type, cudnnBackendAttributeName_t name,
                            cudnnDataType_t compute)
{
	Descriptor d = dnn_create(&b->graph.pool, type);
	return d && dnn_set(d, name, CUDNN_TYPE_DATA_TYPE, 1, &compute) ? d : NULL;
}

static void matmul(Build *b, Descriptor x, Descriptor y, Descriptor to)
{
	Descriptor how =
	        computing(b, CUDNN_BACKEND_MATMUL_DESCRIPTOR, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
	Descriptor d = operation(b, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR,
	                         CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
	bool fine = d && x && y && to && dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_MATMUL_ADESC, x) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_MATMUL_BDESC, y) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_MATMUL_CDESC, to) && dnn_finalize(d);
	add(b, fine ? d : NULL);
}

static void reduce(Build *b, cudnnReduceTensorOp_t by, Descriptor x, Descriptor to)
{
	Descriptor how = computing(b, CUDNN_BACKEND_REDUCTION_DESCRIPTOR, CUDNN_ATTR_REDUCTION_COMP_TYPE,
	                           CUDNN_DATA_FLOAT);
	bool fine = how &&
	            dnn_set(how, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &by);
	Descriptor d = operation(b, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR,
	                         CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
	fine = fine && d && x && to && dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x) &&
	       dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, to) && dnn_finalize(d);
	add(b, fine ? d : NULL);
}

static void reshape(Build *b, Descriptor x, Descriptor to)
{
	Descriptor d = dnn_create(&b->graph.pool, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
	bool fine = d && x && to && dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x) &&
	            dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, to) && dnn_finalize(d);
	add(b, fine ? d : NULL);
}

/* `other`: NULL where the mode has one operand. */
static void pointwise(Build *b, cudnnPointwiseMode_t mode, Descriptor x, Descriptor other, Descriptor to)
{
	add(b, pointwise_end(&b->graph.pool, pointwise_begin(&b->graph.pool, mode), x, other, to));
}

/* ---- what both graphs have */

/* The number of each score's row, or with axis 3 of its column. */
static Descriptor index_of(Build *b, Descriptor x, int64_t axis)
{
	Descriptor to = scores(b, CUDNN_DATA_INT32, false);
	Descriptor how = pointwise_begin(&b->graph.pool, CUDNN_POINTWISE_GEN_INDEX);
	bool fine = how && dnn_set(how, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &axis);
	add(b, fine ? pointwise_end(&b->graph.pool, how, x, NULL, to) : NULL);
	return to;
}

/* What a place looks at; scores of those after it become UID_LOW. */
static Descriptor masked(Build *b, Descriptor x)
{
	Pool *p = &b->graph.pool;
	const cudnnDataType_t compute = CUDNN_DATA_BOOLEAN;
	if (!b->shape->causal)
		return x;
	Descriptor rows = index_of(b, x, 2), places = index_of(b, x, 3);
	Descriptor seen = scores(b, CUDNN_DATA_BOOLEAN, false), to = scores(b, CUDNN_DATA_FLOAT, false);
	Descriptor how = pointwise_begin(p, CUDNN_POINTWISE_CMP_GE);
	bool fine = how && dnn_set(how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	add(b, fine ? pointwise_end(p, how, rows, places, seen) : NULL);
	how = pointwise_begin(p, CUDNN_POINTWISE_BINARY_SELECT);
	Descriptor d = operation(b, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR,
	                         CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
	Descriptor low = number(b, UID_LOW);
	fine = d && x && low && seen && to &&
	       dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x) &&
	       dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, low) &&
	       dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, seen) &&
	       dnn_set_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, to) && dnn_finalize(d);
	add(b, fine ? d : NULL);
	return to;
}

static Descriptor scaled(Build *b, Descriptor x)
{
	Descriptor to = scores(b, CUDNN_DATA_FLOAT, false);
	pointwise(b, CUDNN_POINTWISE_MUL, x, number(b, UID_SCALE), to);
	return to;
}

/* With the mask, whose rows are as many as those of the scores, be they one in memory. */
static Descriptor with_mask(Build *b, Descriptor x)
{
	const NnrAttentionShape *s = b->shape;
	if (!strchr(s->arguments, 'm'))
		return x;
	Descriptor mask = tensor(b, UID_MASK, CUDNN_DATA_FLOAT,
	                         (int64_t[]){s->mask_sample ? s->batch : 1, s->mask_head ? s->heads : 1,
	                                     s->queries, s->keys},
	                         (int64_t[]){s->mask_sample, s->mask_head, s->mask_row, 1}),
	           to = scores(b, CUDNN_DATA_FLOAT, false);
	pointwise(b, CUDNN_POINTWISE_ADD, x, mask, to);
	return to;
}

/* x with `other` taken off, a number for each row. */
static Descriptor less(Build *b, Descriptor x, Descriptor other)
{
	Descriptor to = scores(b, CUDNN_DATA_FLOAT, false);
	pointwise(b, CUDNN_POINTWISE_SUB, x, other, to);
	return to;
}

static Descriptor exponential(Build *b, Descriptor x)
{
	Descriptor to = scores(b, CUDNN_DATA_FLOAT, false);
	pointwise(b, CUDNN_POINTWISE_EXP, x, NULL, to);
	return to;
}

static Graph finished(Build *b)
{
	graph_finish(&b->graph, b->count, b->step);
	return b->graph;
}

/* ---- the graphs */

Graph attention_graph(const NnrAttentionShape *s, bool logs)
{
	Build b = build_of(s);
	Descriptor query = queries(&b, UID_QUERY), key = keys(&b, UID_KEY, true);
	Descriptor product = scores(&b, CUDNN_DATA_FLOAT, false);
	matmul(&b, query, key, product);
	Descriptor seen = masked(&b, with_mask(&b, scaled(&b, product))), most = row(&b, VIRTUAL),
	           sum = row(&b, VIRTUAL);
	reduce(&b, CUDNN_REDUCE_TENSOR_MAX, seen, most);
	Descriptor power = exponential(&b, less(&b, seen, most)), log = row(&b, VIRTUAL);
	reduce(&b, CUDNN_REDUCE_TENSOR_ADD, power, sum);
	pointwise(&b, CUDNN_POINTWISE_LOG, sum, NULL, log);
	pointwise(&b, CUDNN_POINTWISE_ADD, most, log, row(&b, logs ? UID_LOGS : VIRTUAL));
	Descriptor share = scores(&b, b.type, false);
	pointwise(&b, CUDNN_POINTWISE_DIV, power, sum, share);
	matmul(&b, share, keys(&b, UID_VALUE, false), out(&b, UID_OUT));
	return finished(&b);
}

Graph attention_grad_graph(const NnrAttentionShape *s, bool parts)
{
	Build b = build_of(s);
	Descriptor query = queries(&b, UID_QUERY), key = keys(&b, UID_KEY, true);
	Descriptor value = out(&b, UID_OUT), dout = out(&b, UID_DOUT);
	/* what the softmax's gradient takes off; the factor is where the patterns have a dropout's */
	Descriptor each = columns_apart(&b, VIRTUAL), all = row(&b, VIRTUAL), taken = row(&b, UID_TAKEN);
	pointwise(&b, CUDNN_POINTWISE_MUL, dout, value, each);
	reduce(&b, CUDNN_REDUCE_TENSOR_ADD, each, all);
	pointwise(&b, CUDNN_POINTWISE_MUL, all, number(&b, UID_ONE), taken);
	/* shares, and the gradient of the values */
	Descriptor product = scores(&b, CUDNN_DATA_FLOAT, false);
	matmul(&b, query, key, product);
	Descriptor over = less(&b, with_mask(&b, scaled(&b, product)), row(&b, UID_LOGS));
	Descriptor share = exponential(&b, masked(&b, over)), turned = scores(&b, b.type, true);
	reshape(&b, share, turned);
	matmul(&b, turned, dout, keys(&b, UID_DVALUE, false));
	/* the gradient of the scores, and of what they are the product of */
	Descriptor dshare = scores(&b, CUDNN_DATA_FLOAT, false);
	matmul(&b, dout, keys(&b, UID_VALUE, true), dshare);
	Descriptor weighted = scores(&b, CUDNN_DATA_FLOAT, false), without = less(&b, dshare, taken);
	pointwise(&b, CUDNN_POINTWISE_MUL, without, share, weighted);
	Descriptor dscore = scaled(&b, weighted), dturned = scores(&b, b.type, true);
	reshape(&b, dscore, dturned);
	matmul(&b, dturned, query, keys(&b, UID_DKEY, false));
	Descriptor rows = keys(&b, VIRTUAL, false), dquery = queries(&b, UID_DQUERY);
	reshape(&b, key, rows);
	Descriptor sums = parts ? columns_apart(&b, UID_PARTS) : dquery;
	matmul(&b, dscore, rows, sums);
	if (parts)
		pointwise(&b, CUDNN_POINTWISE_IDENTITY, sums, NULL, dquery);
	return finished(&b);
}
