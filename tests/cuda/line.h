/* SPDX-License-Identifier: MIT */
/* A network small enough to be written by hand twice: the same arithmetic as a CPU program and, in one thread, as CUDA
 * kernels. It has an image (augmented), reals and a class, uses rate, step and seed, and learns. */
#ifndef NNC_TESTS_LINE_H
#define NNC_TESTS_LINE_H

#ifdef __CUDACC__
#define LINE_FUNCTION static __device__
#else
#define LINE_FUNCTION static inline
#endif

enum { LINE_BATCH = 4, LINE_HEIGHT = 4, LINE_WIDTH = 5, LINE_CHANNELS = 3, LINE_REALS = 8, LINE_WEIGHTS = 4 };
enum {
	LINE_IMAGE = LINE_HEIGHT * LINE_WIDTH * LINE_CHANNELS,
	LINE_REALS_AT = 256, /* in the input block */
	LINE_CLASS_AT = 384,
	LINE_INPUT_BYTES = 448,
	LINE_TRANSPOSED_AT = 512, /* the reals as [LINE_REALS, LINE_BATCH], after the input block */
	LINE_TRANSPOSED_BYTES = 192,
	LINE_GRADIENT_AT = 64, /* in the arena, after the scores */
	LINE_MEAN_AT =
	        LINE_GRADIENT_AT + 4 * LINE_WEIGHTS, /* of ranks: where one of them waits for its mean */
	LINE_STATES = LINE_WEIGHTS + 1,
	LINE_PREPARED_AT =
	        LINE_STATES /* floats into the states: the weights as they were last prepared, on the device */
};

/* Residual of sample n, and by what each weight is multiplied in it; of the reals or, in training, of their transposed
 * copy. */
LINE_FUNCTION float line_residual(const float *w, const char *inputs, int transposed, int n, float wanted,
                                  float x[LINE_WEIGHTS])
{
	const uint8_t *image = (const uint8_t *)inputs + n * LINE_IMAGE;
	const float *reals =
	        (const float *)(const void *)(inputs + (transposed ? LINE_TRANSPOSED_AT : LINE_REALS_AT));
	const int apart = transposed ? LINE_BATCH : 1, first = transposed ? n : n * LINE_REALS;
	x[0] = x[1] = 0;
	for (int i = 0; i < LINE_IMAGE; i++)
		x[0] += (float)(image[i] * (i % 7 + 1)) / (4 * 255 * LINE_IMAGE);
	for (int i = 0; i < LINE_REALS; i++)
		x[1] += reals[first + i * apart] / (float)(i + 1);
	x[2] = (float)((const int32_t *)(const void *)(inputs + LINE_CLASS_AT))[n] / 10;
	x[3] = 1;
	float r = -wanted;
	for (int i = 0; i < LINE_WEIGHTS; i++)
		r += w[i] * x[i];
	return r;
}

/* Scores and gradient of this rank's batch. */
LINE_FUNCTION void line_gradient(const float *w, const char *inputs, char *arena, const NnrScalars *s,
                                 int transposed)
{
	float *scores = (float *)(void *)arena, *g = (float *)(void *)(arena + LINE_GRADIENT_AT),
	      x[LINE_WEIGHTS];
	scores[0] = scores[1] = 0;
	for (int i = 0; i < LINE_WEIGHTS; i++)
		g[i] = 0;
	for (int n = 0; n < LINE_BATCH; n++) {
		float r = line_residual(w, inputs, transposed, n,
		                        nnr_uniformf(s->seed, (uint64_t)s->step, 1, s->rank * LINE_BATCH + n),
		                        x);
		scores[0] += r * r / LINE_BATCH;
		scores[1] += (r < 0 ? -r : r) / LINE_BATCH;
		for (int i = 0; i < LINE_WEIGHTS; i++)
			g[i] += 2 * r * x[i] / LINE_BATCH;
	}
}

LINE_FUNCTION void line_update(float *w, float *v, const char *arena, const NnrScalars *s)
{
	const float *g = (const float *)(const void *)(arena + LINE_GRADIENT_AT);
	for (int i = 0; i < LINE_WEIGHTS; i++) {
		v[i] = 0.5f * v[i] + g[i];
		w[i] -= (float)s->rate * v[i];
	}
	v[LINE_WEIGHTS] += *(const float *)(const void *)arena; /* the loss, another one on each rank */
}

LINE_FUNCTION void line_train(float *w, float *v, const char *inputs, char *arena, const NnrScalars *s,
                              int transposed)
{
	line_gradient(w, inputs, arena, s, transposed);
	line_update(w, v, arena, s);
}

LINE_FUNCTION void line_evaluate(const float *w, const char *inputs, char *arena)
{
	float *scores = (float *)(void *)(arena + 8), x[LINE_WEIGHTS];
	for (int n = 0; n < LINE_BATCH; n++) {
		float r = line_residual(w, inputs, 0, n, 0.5f, x);
		scores[n] = r * r;
		scores[LINE_BATCH + n] = r < 0 ? -r : r;
	}
}

#endif
