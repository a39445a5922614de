/* SPDX-License-Identifier: MIT */
/* Operators of networks: convolution, matrix products, pooling, normalisation, losses, by their definitions. */
#include "tests/interp/interp.h"
#include <math.h>

/* ---- convolution. x [N,H,W,C], w [K,R,S,C/groups], y [N,P,Q,K]; padding (top, left, bottom, right).
 * y[n,p,q,k] = sum over r, s, c of x[n, p*sh + r*dh - top, q*sw + s*dw - left, group(k) + c] * w[k,r,s,c]
 * Both gradients walk the same terms, so one loop serves all three with another product. */

typedef struct Conv {
	int64_t N, H, W, C, K, R, S, P, Q, stride[2], pad[4], dilation[2], groups;
	double *x, *w, *y;
	void (*term)(double *x, double *w, double *y);
} Conv;

static void ints_of(const Node *n, const char *name, int64_t *out)
{
	int count;
	const int64_t *list = node_ints(n, name, &count);
	memcpy(out, list, (size_t)count * sizeof *out);
}

/* The terms of one element of y. */
static void conv_walk_element(const Conv *c, int64_t n, int64_t p, int64_t q, int64_t k)
{
	int64_t depth = c->C / c->groups, first = k / (c->K / c->groups) * depth;
	double *y = &c->y[((n * c->P + p) * c->Q + q) * c->K + k];
	for (int64_t r = 0; r < c->R; r++) {
		int64_t h = p * c->stride[0] + r * c->dilation[0] - c->pad[0];
		for (int64_t s = 0; s < c->S; s++) {
			int64_t v = q * c->stride[1] + s * c->dilation[1] - c->pad[1];
			if (h < 0 || h >= c->H || v < 0 || v >= c->W)
				continue;
			for (int64_t d = 0; d < depth; d++)
				c->term(&c->x[((n * c->H + h) * c->W + v) * c->C + first + d],
				        &c->w[((k * c->R + r) * c->S + s) * depth + d], y);
		}
	}
}

static Conv conv_of(Eval *e, const Type *x, const Type *w, const Type *y, Conv c)
{
	c.N = x->dim[0];
	c.H = x->dim[1];
	c.W = x->dim[2];
	c.C = x->dim[3];
	c.K = w->dim[0];
	c.R = w->dim[1];
	c.S = w->dim[2];
	c.P = y->dim[1];
	c.Q = y->dim[2];
	ints_of(e->n, "stride", c.stride);
	ints_of(e->n, "pad", c.pad);
	ints_of(e->n, "dilation", c.dilation);
	c.groups = node_int(e->n, "groups");
	return c;
}

/* The terms of row p of y. */
static void conv_walk_row(const Conv *c, int64_t n, int64_t p)
{
	for (int64_t q = 0; q < c->Q; q++)
		for (int64_t k = 0; k < c->K; k++)
			conv_walk_element(c, n, p, q, k);
}

static void conv_walk(Eval *e, const Type *x, const Type *w, const Type *y, Conv tensors)
{
	Conv c = conv_of(e, x, w, y, tensors);
	for (int64_t n = 0; n < c.N; n++)
		for (int64_t p = 0; p < c.P; p++)
			conv_walk_row(&c, n, p);
}

static void conv_value(double *x, double *w, double *y)
{
	*y += *x * *w;
}

static void conv_by_x(double *dx, double *w, double *dy)
{
	*dx += *dy * *w;
}

static void conv_by_w(double *x, double *dw, double *dy)
{
	*dw += *dy * *x;
}

static void conv_eval(Eval *e)
{
	conv_walk(e, operand_type(e, 0), operand_type(e, 1), &e->n->type,
	          (Conv){.x = e->x[0], .w = e->x[1], .y = e->y, .term = conv_value});
}

/* Operands dy, w; the result has x's shape. */
static void conv_dgrad_eval(Eval *e)
{
	conv_walk(e, &e->n->type, operand_type(e, 1), operand_type(e, 0),
	          (Conv){.x = e->y, .w = e->x[1], .y = e->x[0], .term = conv_by_x});
}

/* Operands x, dy; the result has w's shape. */
static void conv_wgrad_eval(Eval *e)
{
	conv_walk(e, operand_type(e, 0), &e->n->type, operand_type(e, 1),
	          (Conv){.x = e->x[0], .w = e->y, .y = e->x[1], .term = conv_by_w});
}

/* Part i has the terms of the output rows in the tiles i, i + parts ... of `rows` rows, which are counted through all
 * images. */
static void conv_wgrad_parts_eval(Eval *e)
{
	const Type *y = operand_type(e, 1);
	int64_t rows = node_int(e->n, "rows"), parts = node_int(e->n, "parts");
	int64_t tiles = (y->dim[1] + rows - 1) / rows, weights = 1;
	for (int i = 1; i < 5; i++)
		weights *= e->n->type.dim[i];
	Type w = e->n->type;
	for (int i = 0; i < 4; i++)
		w.dim[i] = e->n->type.dim[i + 1];
	w.rank = 4;
	Conv c = conv_of(e, operand_type(e, 0), &w, y, (Conv){.x = e->x[0], .y = e->x[1], .term = conv_by_w});
	for (int64_t n = 0; n < c.N; n++)
		for (int64_t p = 0; p < c.P; p++) {
			c.w = e->y + (n * tiles + p / rows) % parts * weights;
			conv_walk_row(&c, n, p);
		}
}

/* ---- the matrix m of a convolution's weights: y as one vector is m times x as one vector, for each sample */

/* For each element of m that is a weight, the places of both: into one of them goes the sum of the other's. */
static void matrix_walk(Eval *e, const Type *w, double *weights, double *m,
                        void (*term)(double *w, double *m))
{
	int64_t image[2], stride[2], pad[4], dilation[2], out[2], at = 0;
	ints_of(e->n, "image", image);
	ints_of(e->n, "stride", stride);
	ints_of(e->n, "pad", pad);
	ints_of(e->n, "dilation", dilation);
	for (int i = 0; i < 2; i++)
		out[i] =
		        (image[i] + pad[i] + pad[i + 2] - dilation[i] * (w->dim[1 + i] - 1) - 1) / stride[i] +
		        1;
	for (int64_t row = 0; row < out[0] * out[1] * w->dim[0]; row++)
		for (int64_t pixel = 0; pixel < image[0] * image[1]; pixel++)
			for (int64_t c = 0; c < w->dim[3]; c++, at++)
				for (int64_t tap = 0; tap < w->dim[1] * w->dim[2]; tap++) {
					int64_t k = row % w->dim[0], from = row / w->dim[0];
					int64_t h = from / out[1] * stride[0] +
					            tap / w->dim[2] * dilation[0] - pad[0];
					int64_t v = from % out[1] * stride[1] +
					            tap % w->dim[2] * dilation[1] - pad[1];
					if (h == pixel / image[1] && v == pixel % image[1])
						term(&weights[(k * w->dim[1] * w->dim[2] + tap) * w->dim[3] +
						              c],
						     &m[at]);
				}
}

static void matrix_value(double *w, double *m)
{
	*m += *w;
}

static void matrix_by_w(double *dw, double *dm)
{
	*dw += *dm;
}

static void conv_matrix_eval(Eval *e)
{
	matrix_walk(e, operand_type(e, 0), e->x[0], e->y, matrix_value);
}

static void conv_matrix_grad_eval(Eval *e)
{
	matrix_walk(e, &e->n->type, e->y, e->x[0], matrix_by_w);
}

/* ---- matrix products: y = op(a) op(b), once or for each index of the first dimension; ta and tb transpose */

static void matmul_eval(Eval *e)
{
	const Type *a = operand_type(e, 0);
	int lead = e->n->type.rank - 2;
	bool ta = node_int(e->n, "ta"), tb = node_int(e->n, "tb");
	int64_t M = e->n->type.dim[lead], N = e->n->type.dim[lead + 1], K = a->dim[lead + !ta];
	const int64_t count = type_elements(e->n->type) / N * K, down = tb ? 1 : N, across = tb ? K : 1;
	for (int64_t i = 0; i < count; i++) { /* each sum in the order of k, a row of them at a time */
		int64_t product = i / (M * K), m = i / K % M, k = i % K;
		const double x = e->x[0][product * M * K + (ta ? k * M + m : m * K + k)];
		const double *row = &e->x[1][product * K * N + k * down];
		for (int64_t n = 0; n < N; n++)
			e->y[i / K * N + n] += x * row[n * across];
	}
}

/* ---- pooling: windows of an image, channel by channel; padding (top, left, bottom, right). The average counts the
 * border's zeros, the maximum does not see them, and its gradient goes to the first maximum. */

typedef struct Pool {
	const Type *x, *y;
	int64_t size[2], stride[2], pad[4];
} Pool;

static Pool pool_of(const Node *n, const Type *x, const Type *y)
{
	Pool p = {.x = x, .y = y};
	ints_of(n, "size", p.size);
	ints_of(n, "stride", p.stride);
	ints_of(n, "pad", p.pad);
	return p;
}

/* Offsets in x of the window of element `at` of y, in scan order; -1 after the last. */
static int64_t pool_window(const Pool *p, int64_t at, int64_t k)
{
	int64_t C = p->y->dim[3], Q = p->y->dim[2], P = p->y->dim[1];
	int64_t c = at % C, q = at / C % Q, row = at / C / Q % P, n = at / C / Q / P;
	for (int64_t i = 0; i < p->size[0] * p->size[1]; i++) {
		int64_t h = row * p->stride[0] + i / p->size[1] - p->pad[0];
		int64_t w = q * p->stride[1] + i % p->size[1] - p->pad[1];
		bool inside = h >= 0 && h < p->x->dim[1] && w >= 0 && w < p->x->dim[2];
		if (inside && k-- == 0)
			return ((n * p->x->dim[1] + h) * p->x->dim[2] + w) * C + c;
	}
	return -1;
}

static int64_t first_maximum(const Pool *p, const double *x, int64_t at)
{
	int64_t best = pool_window(p, at, 0);
	for (int64_t k = 1, i; (i = pool_window(p, at, k)) >= 0; k++)
		if (x[i] > x[best])
			best = i;
	return best;
}

static void maxpool_eval(Eval *e)
{
	Pool p = pool_of(e->n, operand_type(e, 0), &e->n->type);
	for (int64_t i = 0; i < type_elements(*p.y); i++)
		e->y[i] = e->x[0][first_maximum(&p, e->x[0], i)];
}

/* Operands dy, x, y; y is not needed here. */
static void maxpool_grad_eval(Eval *e)
{
	Pool p = pool_of(e->n, &e->n->type, operand_type(e, 0));
	for (int64_t i = 0; i < type_elements(*p.y); i++)
		e->y[first_maximum(&p, e->x[1], i)] += e->x[0][i];
}

static void avgpool_eval(Eval *e)
{
	Pool p = pool_of(e->n, operand_type(e, 0), &e->n->type);
	for (int64_t i = 0; i < type_elements(*p.y); i++)
		for (int64_t k = 0, at; (at = pool_window(&p, i, k)) >= 0; k++)
			e->y[i] += e->x[0][at] / (double)(p.size[0] * p.size[1]);
}

static void avgpool_grad_eval(Eval *e)
{
	Pool p = pool_of(e->n, &e->n->type, operand_type(e, 0));
	for (int64_t i = 0; i < type_elements(*p.y); i++)
		for (int64_t k = 0, at; (at = pool_window(&p, i, k)) >= 0; k++)
			e->y[at] += e->x[0][i] / (double)(p.size[0] * p.size[1]);
}

/* ---- normalisation: operands x, mean, var, gamma, beta of batchnorm; x, gamma, beta of layernorm */

/* Mean and biased variance of `count` elements `stride` apart. What the sum has rounded off the mean, the mean of the
 * distances puts back: equal elements have exactly their own value as the mean, so that no rounding stands where the
 * deviation is 0, for a normalisation to divide by the root of epsilon. */
static void moments(const double *x, int64_t count, int64_t stride, double *mean, double *var)
{
	double rest = 0;
	*mean = *var = 0;
	for (int64_t i = 0; i < count; i++)
		*mean += x[i * stride] / (double)count;
	for (int64_t i = 0; i < count; i++)
		rest += (x[i * stride] - *mean) / (double)count;
	*mean += rest;
	for (int64_t i = 0; i < count; i++)
		*var += (x[i * stride] - *mean) * (x[i * stride] - *mean) / (double)count;
}

/* With batch_statistics the operands mean and var are to be those of x: they are computed here, not read. */
static void batchnorm_eval(Eval *e)
{
	const Type *t = &e->n->type;
	int64_t channels = t->dim[t->rank - 1], count = type_elements(*t) / channels;
	for (int64_t c = 0; c < channels; c++) {
		double mean = e->x[1][c], var = e->x[2][c];
		if (node_int(e->n, "batch_statistics"))
			moments(e->x[0] + c, count, channels, &mean, &var);
		for (int64_t i = c; i < count * channels; i += channels)
			e->y[i] = (e->x[0][i] - mean) / sqrt(var + node_real(e->n, "epsilon")) * e->x[3][c] +
			          e->x[4][c];
	}
}

/* A statistic of each channel: for each `pick` of first element, mean and variance. */
static void channels_eval(Eval *e, int pick)
{
	const Type *t = operand_type(e, 0);
	const int64_t channels = t->dim[t->rank - 1];
	for (int64_t c = 0; c < channels; c++) {
		double mean, var;
		moments(e->x[0] + c, type_elements(*t) / channels, channels, &mean, &var);
		e->y[c] = pick == 0 ? e->x[0][c] : pick == 1 ? mean : var;
	}
}

static void first_place_eval(Eval *e)
{
	channels_eval(e, 0);
}

static void batch_mean_eval(Eval *e)
{
	channels_eval(e, 1);
}

static void batch_var_eval(Eval *e)
{
	channels_eval(e, 2);
}

static void layernorm_eval(Eval *e)
{
	const Type *t = &e->n->type;
	int64_t width = t->dim[t->rank - 1];
	for (int64_t i = 0; i < type_elements(*t); i++) {
		double mean, var;
		moments(e->x[0] + i / width * width, width, 1, &mean, &var);
		e->y[i] = (e->x[0][i] - mean) / sqrt(var + node_real(e->n, "epsilon")) * e->x[1][i % width] +
		          e->x[2][i % width];
	}
}

static void rmsnorm_eval(Eval *e)
{
	const Type *t = &e->n->type;
	int64_t width = t->dim[t->rank - 1];
	for (int64_t i = 0; i < type_elements(*t); i++) {
		const double *row = e->x[0] + i / width * width;
		double square = 0;
		for (int64_t k = 0; k < width; k++)
			square += row[k] * row[k];
		e->y[i] = e->x[0][i] * e->x[1][i % width] /
		          sqrt(square / (double)width + node_real(e->n, "epsilon"));
	}
}

/* Each element against all of its sample whose channel is in the same group. */
static void groupnorm_eval(Eval *e)
{
	const Type *t = &e->n->type;
	int64_t channels = t->dim[t->rank - 1], size = channels / node_int(e->n, "groups");
	int64_t sample = type_elements(*t) / t->dim[0];
	for (int64_t i = 0; i < type_elements(*t); i++) {
		const double *x = e->x[0] + i / sample * sample;
		double sum = 0, square = 0, count = (double)(sample / channels * size);
		for (int64_t k = 0; k < sample; k++)
			sum += k % channels / size == i % channels / size ? x[k] : 0;
		for (int64_t k = 0; k < sample; k++)
			square += k % channels / size == i % channels / size ? pow(x[k] - sum / count, 2) : 0;
		const double y =
		        (e->x[0][i] - sum / count) / sqrt(square / count + node_real(e->n, "epsilon"));
		e->y[i] = y * e->x[1][i % channels] + e->x[2][i % channels];
	}
}

static void upsample_eval(Eval *e)
{
	const int64_t *y = e->n->type.dim, *x = e->n->operands[0]->type.dim;
	int64_t by[2];
	ints_of(e->n, "factor", by);
	for (int64_t i = 0; i < type_elements(e->n->type); i++) {
		int64_t c = i % y[3], w = i / y[3] % y[2], h = i / y[3] / y[2] % y[1],
		        n = i / y[3] / y[2] / y[1];
		e->y[i] = e->x[0][((n * x[1] + h / by[0]) * x[2] + w / by[1]) * x[3] + c];
	}
}

/* The middle of pixel i of the result is at (i + 1/2)/by - 1/2 of x, between two pixels or at the border. */
static void bilinear_eval(Eval *e)
{
	const int64_t *y = e->n->type.dim, *x = e->n->operands[0]->type.dim;
	int64_t by[2];
	ints_of(e->n, "factor", by);
	for (int64_t i = 0; i < type_elements(e->n->type); i++) {
		int64_t c = i % y[3], at[2] = {i / y[3] / y[2] % y[1], i / y[3] % y[2]},
		        n = i / y[3] / y[2] / y[1];
		int64_t low[2], high[2];
		double share[2];
		for (int k = 0; k < 2; k++) {
			double from = fmin(fmax(((double)at[k] + 0.5) / (double)by[k] - 0.5, 0),
			                   (double)x[1 + k] - 1);
			low[k] = (int64_t)from;
			high[k] = low[k] + (low[k] + 1 < x[1 + k]);
			share[k] = from - (double)low[k];
		}
		for (int k = 0; k < 4; k++) {
			int64_t h = k / 2 ? high[0] : low[0], w = k % 2 ? high[1] : low[1];
			e->y[i] += (k / 2 ? share[0] : 1 - share[0]) * (k % 2 ? share[1] : 1 - share[1]) *
			           e->x[0][((n * x[1] + h) * x[2] + w) * x[3] + c];
		}
	}
}

static void adaptive_eval(Eval *e)
{
	const int64_t *y = e->n->type.dim, *x = e->n->operands[0]->type.dim;
	for (int64_t i = 0; i < type_elements(e->n->type); i++) {
		int64_t c = i % y[3], w = i / y[3] % y[2], h = i / y[3] / y[2] % y[1],
		        n = i / y[3] / y[2] / y[1];
		int64_t count = 0;
		for (int64_t r = h * x[1] / y[1]; r < ((h + 1) * x[1] + y[1] - 1) / y[1]; r++)
			for (int64_t q = w * x[2] / y[2]; q < ((w + 1) * x[2] + y[2] - 1) / y[2]; q++) {
				e->y[i] += e->x[0][((n * x[1] + r) * x[2] + q) * x[3] + c];
				count++;
			}
		e->y[i] /= (double)count;
	}
}

/* ---- local response normalisation: D of channel c is k + alpha/size times the squares of its window */

static double lrn_base(const Eval *e, const double *row, int64_t c)
{
	int64_t channels = e->n->type.dim[e->n->type.rank - 1], size = node_int(e->n, "size");
	double d = node_real(e->n, "k");
	for (int64_t i = c - size / 2; i <= c + size / 2; i++)
		if (i >= 0 && i < channels)
			d += node_real(e->n, "alpha") / (double)size * row[i] * row[i];
	return d;
}

static void lrn_eval(Eval *e)
{
	int64_t channels = e->n->type.dim[e->n->type.rank - 1];
	for (int64_t i = 0; i < type_elements(e->n->type); i++)
		e->y[i] = e->x[0][i] / pow(lrn_base(e, e->x[0] + i / channels * channels, i % channels),
		                           node_real(e->n, "beta"));
}

/* Operands dy, x: the derivative of each y by each x of its window. */
static void lrn_grad_eval(Eval *e)
{
	int64_t channels = e->n->type.dim[e->n->type.rank - 1], size = node_int(e->n, "size");
	double beta = node_real(e->n, "beta"), alpha = node_real(e->n, "alpha");
	for (int64_t i = 0; i < type_elements(e->n->type); i++) {
		const int64_t c = i % channels, first = i - c;
		const double *row = e->x[1] + first;
		const double d = lrn_base(e, row, c);
		for (int64_t k = 0; k < channels; k++) {
			double by = k == c ? pow(d, -beta) : 0;
			if (k >= c - size / 2 && k <= c + size / 2)
				by -= 2 * alpha * beta / (double)size * row[c] * row[k] * pow(d, -beta - 1);
			e->y[first + k] += e->x[0][i] * by;
		}
	}
}

/* ---- losses: scores [..., classes] and labels, class indices [...] or probabilities [..., classes] */

static void cross_entropy_eval(Eval *e)
{
	const Type *t = operand_type(e, 0);
	bool indices = !dtype_is_real(operand_type(e, 1)->dtype);
	int64_t classes = t->dim[t->rank - 1];
	double smoothing = node_real(e->n, "smoothing");
	for (int64_t row = 0; row < type_elements(e->n->type); row++) {
		const double *z = e->x[0] + row * classes, *label = e->x[1];
		double total = 0, peak = z[0];
		for (int64_t c = 1; c < classes; c++)
			peak = fmax(peak, z[c]);
		for (int64_t c = 0; c < classes; c++)
			total += exp(z[c] - peak);
		for (int64_t c = 0; c < classes; c++) {
			double wanted = indices ? label[row] == (double)c : label[row * classes + c];
			wanted = (1 - smoothing) * wanted + smoothing / (double)classes;
			e->y[row] -= wanted * (z[c] - peak - log(total));
		}
	}
}

static void contrastive_eval(Eval *e)
{
	const int64_t share = operand_type(e, 0)->dim[0], width = operand_type(e, 0)->dim[1],
	              batch = operand_type(e, 1)->dim[0];
	const bool partial = e->n->operand_count > 2;
	for (int64_t i = 0; i < share; i++) { /* of rank 0, whose rows are the first */
		double total = 0, own = 0;
		for (int64_t k = 0; k < batch; k++) {
			double score = 0;
			for (int64_t c = 0; c < width; c++)
				score += e->x[0][i * width + c] * e->x[1][k * width + c];
			if (!partial || (double)k < e->x[2][0])
				total += exp(score / node_real(e->n, "temperature"));
			own = k == i ? score / node_real(e->n, "temperature") : own;
		}
		e->y[i] = log(total) - own;
	}
}

const Meaning network_meanings[] = {
        {"conv", conv_eval},
        {"conv_dgrad", conv_dgrad_eval},
        {"conv_wgrad", conv_wgrad_eval},
        {"conv_wgrad_parts", conv_wgrad_parts_eval},
        {"conv_matrix", conv_matrix_eval},
        {"conv_matrix_grad", conv_matrix_grad_eval},
        {"matmul", matmul_eval},
        {"maxpool", maxpool_eval},
        {"maxpool_grad", maxpool_grad_eval},
        {"avgpool", avgpool_eval},
        {"avgpool_grad", avgpool_grad_eval},
        {"batchnorm", batchnorm_eval},
        {"first_place", first_place_eval},
        {"batch_mean", batch_mean_eval},
        {"batch_var", batch_var_eval},
        {"layernorm", layernorm_eval},
        {"rmsnorm", rmsnorm_eval},
        {"groupnorm", groupnorm_eval},
        {"upsample", upsample_eval},
        {"bilinear", bilinear_eval},
        {"adaptive_avgpool", adaptive_eval},
        {"contrastive", contrastive_eval},
        {"lrn", lrn_eval},
        {"lrn_grad", lrn_grad_eval},
        {"cross_entropy", cross_entropy_eval},
        {0},
};
