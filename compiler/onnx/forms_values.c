/* SPDX-License-Identifier: MIT */
/* Forms in ONNX of arithmetic, sums, products, tables and random numbers. */
#include "onnx/forms.h"

/* Operands of batchnorm. */
enum { X, MEAN, VAR, GAMMA, BETA };

static const char *cast_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	static const int types[] = {[DTYPE_F32] = 1, [DTYPE_U8] = 2, [DTYPE_I32] = 6, [DTYPE_F64] = 11};
	const char *x = onnx_plain(o, n->operands[0]);
	return onnx_call(o, "Cast", onnx_text(o, "to=%d", types[n->type.dtype]), 1, &x);
}

static const char *broadcast_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	return onnx_expand(o, onnx_plain(o, n->operands[0]), n->operands[0], n);
}

static const char *one_hot_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const char *x = onnx_plain(o, n->operands[0]),
	           *pair[] = {onnx_call(o, "Cast", "to=1", 1, &x),
	                      onnx_range(o, 0, 1, node_int(n, "classes"))},
	           *is = onnx_call(o, "Equal", "", 2, pair);
	return onnx_call(o, "Cast", "to=1", 1, &is);
}

static const char *rgb_affine_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const double scale[] = {node_real(n, "scale_r"), node_real(n, "scale_g"), node_real(n, "scale_b")},
	             shift[] = {node_real(n, "shift_r"), node_real(n, "shift_g"), node_real(n, "shift_b")};
	const char *scaled = onnx_call(
	        o, "Mul", "", 2, (const char *[]){onnx_plain(o, n->operands[0]), onnx_reals(o, scale, 3)});
	return onnx_call(o, "Add", "", 2, (const char *[]){scaled, onnx_reals(o, shift, 3)});
}

static const char *sum_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	const char *x = onnx_plain(o, n->operands[0]);
	if (count == 0) /* which means all of them there */
		return x;
	return onnx_call(o, "ReduceSum", "keepdims=1", 2, (const char *[]){x, onnx_ints(o, axes, count)});
}

static const char *cumsum_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const int64_t axis = node_int(n, "axis");
	const char *operands[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, &axis, 1)};
	return onnx_call(o, "CumSum", "", 2, operands);
}

static const char *max_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	const char *x = onnx_plain(o, n->operands[0]);
	if (count == 0)
		return x;
	return onnx_call(o, "ReduceMax", onnx_text(o, "keepdims=1 axes=%s", onnx_list(o, axes, count)), 1,
	                 &x);
}

/* Other numbers, of the same distribution. */
static const char *uniform_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const char *shape = onnx_expand(o, onnx_real(o, 0), NULL, n);
	return onnx_call(o, "RandomUniformLike", "", 1, &shape);
}

static const char *ramp_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	double first = node_real(n, "first"), by = node_real(n, "by");
	if (by == 0)
		return onnx_expand(o, onnx_real(o, first), NULL, n);
	int64_t numbers = 1, batches = 0;
	for (int i = 0; i < n->type.rank; i++) {
		const int64_t times = onnx_batches(o, n, i);
		batches = times ? times : batches;
		numbers *= times ? 1 : n->type.dim[i];
	}
	return onnx_reshape(o,
	                    batches ? onnx_range_of_batch(o, first, by, batches * numbers)
	                            : onnx_range(o, first, by, numbers),
	                    n);
}

/* 1 where the index of a column `compare`s with that of a row. */
static const char *square_onnx(Onnx *o, const Node *n, const char *compare)
{
	const char *index = onnx_range(o, 0, 1, node_int(n, "n")),
	           *rows[] = {index, onnx_ints(o, (int64_t[]){-1, 1}, 2)},
	           *pair[] = {index, onnx_call(o, "Reshape", "", 2, rows)},
	           *is = onnx_call(o, compare, "", 2, pair);
	return onnx_reshape(o, onnx_call(o, "Cast", "to=1", 1, &is), n);
}

static const char *lower_triangle_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	return square_onnx(o, n, "LessOrEqual");
}

static const char *diagonal_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	return square_onnx(o, n, "Equal");
}

/* Where a computed index is outside of the table, zeros. */
static const char *embedding_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const Node *index = n->operands[1];
	if (node_attr(n, "counts")) /* several tables, which a pass has joined */
		return NULL;
	const char *w = onnx_plain(o, n->operands[0]), *i = onnx_plain(o, index);
	if (index->type.dtype != DTYPE_I32)
		i = onnx_call(o, "Cast", "to=7", 1, &i);
	if (node_is_input(node_unaliased(index))) /* which what reads the data has checked */
		return onnx_call(o, "Gather", "axis=0", 2, (const char *[]){w, i});
	const int64_t one = 1, zero = 0, rows = n->operands[0]->type.dim[0], after = index->type.rank,
	              batches = onnx_batches(o, n->operands[0], 0);
	i = onnx_call(o, "Cast", "to=7", 1, &i);
	const char *count = batches ? onnx_batch(o, batches) : onnx_ints(o, &rows, 1),
	           *last = onnx_call(o, "Sub", "", 2, (const char *[]){count, onnx_ints(o, &one, 1)}),
	           *least = onnx_call(o, "Max", "", 2, (const char *[]){i, onnx_ints(o, &zero, 1)}),
	           *near = onnx_call(o, "Min", "", 2, (const char *[]){least, last}),
	           *row = onnx_call(o, "Gather", "axis=0", 2, (const char *[]){w, near}),
	           *inside = onnx_call(o, "Equal", "", 2, (const char *[]){near, i}),
	           *of_row = onnx_call(o, "Unsqueeze", "", 2,
	                               (const char *[]){inside, onnx_ints(o, &after, 1)});
	return onnx_call(o, "Where", "", 3, (const char *[]){of_row, row, onnx_real(o, 0)});
}

/* Of what has its channels last: (x - mean)/sqrt(var + epsilon)*gamma + beta. */
static const char *channels_last_onnx(Onnx *o, const Node *n)
{
	const char *variance[] = {onnx_plain(o, n->operands[VAR]), onnx_real(o, node_real(n, "epsilon"))};
	const char *moved[] = {onnx_plain(o, n->operands[X]), onnx_plain(o, n->operands[MEAN])};
	const char *spread[] = {onnx_call(o, "Add", "", 2, variance)};
	const char *scaled[] = {onnx_call(o, "Sub", "", 2, moved), onnx_call(o, "Sqrt", "", 1, spread)};
	const char *weighed[] = {onnx_call(o, "Div", "", 2, scaled), onnx_plain(o, n->operands[GAMMA])};
	const char *shifted[] = {onnx_call(o, "Mul", "", 2, weighed), onnx_plain(o, n->operands[BETA])};
	return onnx_call(o, "Add", "", 2, shifted);
}

/* With statistics that are known; else it is expanded into arithmetic. */
static const char *batchnorm_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const bool image = n->type.rank == 4,
	           own = n->operands[MEAN]->type.rank == 1 && (n->type.rank == 2 || image);
	*channels_first = image && own;
	if (!own)
		return channels_last_onnx(o, n);
	const char *operands[5] = {image ? onnx_first(o, n->operands[X]) : onnx_plain(o, n->operands[X]),
	                           onnx_plain(o, n->operands[GAMMA]), onnx_plain(o, n->operands[BETA]),
	                           onnx_plain(o, n->operands[MEAN]), onnx_plain(o, n->operands[VAR])};
	return onnx_call(o, "BatchNormalization", onnx_text(o, "epsilon=%#.9g", node_real(n, "epsilon")), 5,
	                 operands);
}

static const char *matmul_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const char *operands[] = {onnx_plain(o, n->operands[0]), onnx_plain(o, n->operands[1])};
	int ta = node_int(n, "ta") != 0, tb = node_int(n, "tb") != 0;
	if (n->type.rank == 2)
		return onnx_call(o, "Gemm", onnx_text(o, "transA=%d transB=%d", ta, tb), 2, operands);
	for (int i = 0; i < 2; i++)
		if (i ? tb : ta)
			operands[i] = onnx_call(o, "Transpose", "perm=[0,2,1]", 1, &operands[i]);
	return onnx_call(o, "MatMul", "", 2, operands);
}

const OnnxForm onnx_forms_values[] = {
        {"add", .text = "Add(a, b)"},
        {"sub", .text = "Sub(a, b)"},
        {"mul", .text = "Mul(a, b)"},
        {"div", .text = "Div(a, b)"},
        {"maximum", .text = "Max(a, b)"},
        {"minimum", .text = "Min(a, b)"},
        {"pow", .text = "Pow(x, p)"},
        {"neg", .text = "Neg(x)"},
        {"exp", .text = "Exp(x)"},
        {"expm1",
         .text = "Where(Less(Abs(x), 0.5), Div(Mul(Tanh(Mul(x, 0.5)), 2), Sub(1, Tanh(Mul(x, 0.5)))), "
                 "Sub(Exp(x), 1))"},
        {"log", .text = "Log(x)"},
        {"log1p", .text = "Where(Equal(Add(x, 1), 1), x, Div(Mul(Log(Add(x, 1)), x), Sub(Add(x, 1), 1)))"},
        {"sin", .text = "Sin(x)"},
        {"cos", .text = "Cos(x)"},
        {"sqrt", .text = "Sqrt(x)"},
        {"rsqrt", .text = "Reciprocal(Sqrt(x))"},
        {"square", .text = "Mul(x, x)"},
        {"abs", .text = "Abs(x)"},
        {"floor", .text = "Floor(x)"},
        {"sign", .text = "Sign(x)"},
        {"erf", .text = "Erf(x)"},
        {"relu", .text = "Relu(x)"},
        {"leaky_relu", .text = "LeakyRelu(x; alpha=slope)"},
        {"sigmoid", .text = "Sigmoid(x)"},
        {"tanh", .text = "Tanh(x)"},
        {"gelu", .text = "Mul(Mul(x, 0.5), Add(Erf(Mul(x, 0.7071067811865476)), 1))"},
        {"gelu_tanh",
         .text = "Mul(x, Sigmoid(Mul(x, Add(Mul(Mul(x, x), 0.07135481627260026), 1.5957691216057308))))"},
        {"silu", .text = "Mul(x, Sigmoid(x))"},
        {"softplus", .text = "Softplus(x)"},
        {"elu", .text = "Elu(x; alpha=alpha)"},
        {"scale", .text = "Add(Mul(x, factor), shift)"},
        {"clip", .text = "Clip(x, lo, hi)"},
        {"gt", .text = "Cast(Greater(a, b); to=1)"},
        {"ge", .text = "Cast(GreaterOrEqual(a, b); to=1)"},
        {"lt", .text = "Cast(Less(a, b); to=1)"},
        {"le", .text = "Cast(LessOrEqual(a, b); to=1)"},
        {"eq", .text = "Cast(Equal(a, b); to=1)"},
        {"ne", .text = "Cast(Not(Equal(a, b)); to=1)"},
        {"select", .text = "Where(Cast(p; to=9), a, b)"},
        {"stop_gradient", .text = "Identity(x)"},
        {"f32", .text = "Identity(x)"},
        {"cast", .node = cast_onnx},
        {"broadcast", .node = broadcast_onnx},
        {"one_hot", .node = one_hot_onnx},
        {"rgb_affine", .node = rgb_affine_onnx},
        {"sum", .node = sum_onnx},
        {"max", .node = max_onnx},
        {"cumsum", .node = cumsum_onnx},
        {"softmax", .text = "Softmax(x; axis=axis)"},
        {"uniform", .node = uniform_onnx},
        {"ramp", .node = ramp_onnx},
        {"diagonal", .node = diagonal_onnx},
        {"lower_triangle", .node = lower_triangle_onnx},
        {"embedding", .node = embedding_onnx},
        {"batchnorm", .node = batchnorm_onnx},
        {"matmul", .node = matmul_onnx},
        {0},
};
