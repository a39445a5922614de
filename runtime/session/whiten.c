/* SPDX-License-Identifier: MIT */
/* Filters that whiten the patches of images: Page, How to train your ResNet (2018); Jordan, arXiv:2404.00498.
 *
 * The patches of a filter's size have a matrix of second moments, about 0, with eigenvalues l and eigenvectors e:
 * filter k is e/sqrt(l + EPSILON), of the largest eigenvalue first, and after all of them come their negatives. So the
 * results of the first filters are uncorrelated, and their squares are 1 on the mean.
 *
 * The moments are of bytes, as whole numbers, so that they are the same whatever the threads do; factors and shifts of
 * the channels are then made good. */
#include "runtime/session/session.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/parallel.h"
#include "runtime/host/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EPSILON = 5e-4;

enum { IMAGES = 5000 /* at most */, ITEMS = 64 };

/* Patches beside one another that are summed up at once: 256 products of bytes are below 2^24, a whole number in a
 * float. */
enum { BLOCK = 256, LANES = 4 };
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));
static const double MOST_PRODUCTS = 4e9; /* a second of a processor: then not all rows of patches are taken */

/* Sums over the patches of a batch: of the elements [n], of their products [n, n], and of 1. */
typedef struct Moments {
	const uint8_t *images;
	int64_t first, count; /* of the images: the first one's number among all, and how many follow */
	int64_t height, width, channels; /* of an image */
	int64_t rows, columns;           /* of a patch */
	int64_t n;
	int64_t step;    /* from a row of patches to the next */
	uint64_t *sums;  /* [ITEMS][n + n*n + 1] */
	float *elements; /* [ITEMS][n][BLOCK]: of a block's patches, by place in a patch; then zeros */
} Moments;

static uint64_t total(Lanes x)
{
	float sum = 0;
	for (int i = 0; i < LANES; i++)
		sum += x[i];
	return (uint64_t)sum;
}

/* The upper triangle. */
static void add_block(const float *elements, int64_t n, int64_t patches, uint64_t *sums)
{
	const int64_t vectors = (patches + LANES - 1) / LANES;
	for (int64_t i = 0; i < n; i++) {
		const Lanes *x = (const Lanes *)(elements + i * BLOCK);
		Lanes sum = {0};
		for (int64_t v = 0; v < vectors; v++)
			sum += x[v];
		sums[i] += total(sum);
		for (int64_t k = i; k < n; k++) {
			const Lanes *y = (const Lanes *)(elements + k * BLOCK);
			Lanes products = {0};
			for (int64_t v = 0; v < vectors; v++)
				products += x[v] * y[v];
			sums[n + i * n + k] += total(products);
		}
	}
}

/* The patches at row y from column x on. */
static void take_block(const Moments *m, const uint8_t *image, int64_t y, int64_t x, int64_t patches,
                       float *to)
{
	for (int64_t r = 0; r < m->rows; r++)
		for (int64_t c = 0; c < m->columns * m->channels; c++, to += BLOCK) {
			const uint8_t *from = image + ((y + r) * m->width + x) * m->channels + c;
			for (int64_t i = 0; i < patches; i++)
				to[i] = (float)from[i * m->channels];
			for (int64_t i = patches; i % LANES; i++)
				to[i] = 0;
		}
}

/* Rows of patches, from the one on that is the turn of the image with this number among all: it may not depend on the
 * batch. `k` is its place in the batch. */
static void add_image(const Moments *m, int64_t k, float *elements, uint64_t *sums)
{
	const uint8_t *image = m->images + k * m->height * m->width * m->channels;
	const int64_t across = m->width - m->columns + 1;
	for (int64_t y = (m->first + k) % m->step; y + m->rows <= m->height; y += m->step) {
		for (int64_t x = 0; x < across; x += BLOCK) {
			const int64_t patches = across - x < BLOCK ? across - x : BLOCK;
			take_block(m, image, y, x, patches, elements);
			add_block(elements, m->n, patches, sums);
		}
		sums[m->n + m->n * m->n] += (uint64_t)across;
	}
}

static void add_images(void *context, int64_t item)
{
	const Moments *m = context;
	for (int64_t k = item; k < m->count; k += ITEMS)
		add_image(m, k, m->elements + item * m->n * BLOCK, m->sums + item * (m->n + m->n * m->n + 1));
}

/* The eigenvalues of a symmetric matrix a [n, n], on its diagonal, and the eigenvectors, the rows of v: Jacobi's
 * rotations, in turn. */
static void eigen(double *a, double *v, int64_t n)
{
	enum { SWEEPS = 60 };
	for (int64_t i = 0; i < n * n; i++)
		v[i] = i % (n + 1) == 0;
	for (int sweep = 0; sweep < SWEEPS; sweep++)
		for (int64_t p = 0; p < n; p++)
			for (int64_t q = p + 1; q < n; q++) {
				if (fabs(a[p * n + q]) <= 1e-16 * (fabs(a[p * n + p]) + fabs(a[q * n + q])))
					continue;
				double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
				double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
				double c = 1 / sqrt(t * t + 1), s = t * c;
				for (int64_t k = 0; k < n; k++) {
					double x = a[k * n + p], y = a[k * n + q];
					a[k * n + p] = c * x - s * y;
					a[k * n + q] = s * x + c * y;
				}
				for (int64_t k = 0; k < n; k++) {
					double x = a[p * n + k], y = a[q * n + k], z = v[p * n + k];
					a[p * n + k] = c * x - s * y;
					a[q * n + k] = s * x + c * y;
					v[p * n + k] = c * z - s * v[q * n + k];
					v[q * n + k] = s * z + c * v[q * n + k];
				}
			}
}

static void put(const Session *s, const NnrTensor *t, int64_t i, double value)
{
	char *at = s->memory.params + t->offset;
	if (t->dtype == NNR_F64)
		((double *)(void *)at)[i] = (double)(float)value;
	else
		((float *)(void *)at)[i] = (float)value;
}

/* Filter k of them is of the largest eigenvalue that is left; its largest element is positive. */
static void write_filters(const Session *s, const NnrTensor *t, const double *a, const double *v, int64_t n)
{
	bool *taken = allocate(n, sizeof *taken, "the filters");
	for (int64_t k = 0; k < n; k++) {
		int64_t best = -1, largest = 0;
		for (int64_t i = 0; i < n; i++)
			if (!taken[i] && (best < 0 || a[i * n + i] > a[best * n + best]))
				best = i;
		taken[best] = true;
		const double *e = v + best * n;
		for (int64_t i = 0; i < n; i++)
			largest = fabs(e[i]) > fabs(e[largest]) + 1e-9 ? i : largest;
		double length = sqrt(fmax(0, a[best * n + best]) + EPSILON) * copysign(1, e[largest]);
		for (int64_t i = 0; i < n; i++) {
			if (k < t->dim[0])
				put(s, t, k * n + i, e[i] / length);
			if (n + k < t->dim[0])
				put(s, t, (n + k) * n + i, -e[i] / length);
		}
	}
	free(taken);
}

/* Of all items together. */
static double sum_of(const Moments *m, int64_t number)
{
	uint64_t sum = 0;
	for (int64_t item = 0; item < ITEMS; item++)
		sum += m->sums[item * (m->n + m->n * m->n + 1) + number];
	return (double)sum;
}

/* Of factor*x + shift, from the sums over patches of x. */
static void moments_of(const NnrWhiten *w, const Moments *m, double *a)
{
	int64_t n = m->n;
	double patches = sum_of(m, n + n * n);
	for (int64_t i = 0; i < n; i++)
		for (int64_t k = i; k < n; k++) {
			double x = sum_of(m, i), y = sum_of(m, k), xy = sum_of(m, n + i * n + k);
			double f = w->factor[i % m->channels], g = w->factor[k % m->channels];
			double p = w->shift[i % m->channels], q = w->shift[k % m->channels];
			a[i * n + k] = a[k * n + i] = (f * g * xy + f * q * x + g * p * y) / patches + p * q;
		}
}

static int64_t input_named(const NnrModel *m, const char *name)
{
	int i = 0;
	while (strcmp(m->inputs[i].name, name) != 0)
		require(++i < m->input_count);
	return i;
}

static void whiten(Session *s, const NnrWhiten *w)
{
	const NnrModel *model = s->model;
	const NnrTensor *t = &model->params[w->param];
	const NnrInput *in = &model->inputs[input_named(model, w->image)];
	double begun = clock_seconds();
	int64_t images = s->data.train.count < IMAGES ? s->data.train.count : IMAGES;
	require(t->rank == 4 && in->dtype == NNR_U8 && in->rank == 4 && images > 0);
	char *inputs = allocate(model->input_bytes, 1, "the first images");
	Moments m = {.images = (uint8_t *)inputs + in->offset,
	             .height = in->dim[1],
	             .width = in->dim[2],
	             .channels = in->dim[3],
	             .rows = t->dim[1],
	             .columns = t->dim[2],
	             .n = t->dim[1] * t->dim[2] * t->dim[3]};
	int64_t n = m.n, numbers = n + n * n;
	m.step = 1 + (int64_t)((double)images * (double)(m.height * m.width) * (double)(n * n) / 2 /
	                       MOST_PRODUCTS);
	m.sums = allocate(ITEMS * (numbers + 1), sizeof *m.sums, "the sums over patches");
	m.elements = allocate(ITEMS * n * BLOCK, sizeof *m.elements, "the patches of a row");
	Session plain = *s;
	plain.options.no_augment = true;
	for (; m.first < images; m.first += m.count) {
		m.count = images - m.first < model->batch ? images - m.first : model->batch;
		batch_rows_train(&plain, 0, m.first, m.count, inputs);
		parallel_for(ITEMS, (int)s->options.threads, add_images, &m, NULL);
	}
	double *a = allocate(n * n, sizeof *a, "the moments of patches"),
	       *v = allocate(n * n, sizeof *v, "their eigenvectors");
	moments_of(w, &m, a);
	eigen(a, v, n);
	write_filters(s, t, a, v, n);
	progress_say("initial weights: `%s` whitens %lld x %lld patches of %s images, %.3f s", t->name,
	             (long long)m.rows, (long long)m.columns, count_text((double)images),
	             clock_seconds() - begun);
	free(a);
	free(v);
	free(m.sums);
	free(m.elements);
	free(inputs);
}

void session_whiten(Session *s)
{
	for (int i = 0; i < s->model->whitened_count; i++)
		whiten(s, &s->model->whitened[i]);
	if (s->model->whitened_count)
		session_begin_average(s);
}
