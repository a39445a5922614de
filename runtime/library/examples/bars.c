/* SPDX-License-Identifier: MIT */
/* A model of nnc inside a C program: trains it on drawn bars, saves it, and asks a second instance that has loaded it.
 *
 *     nnc MODELS/mnist_cnn.net --emit=lib -o libmnist_cnn
 *     cc bars.c libmnist_cnn.so -Wl,-rpath,'$ORIGIN' -o bars && ./bars bars.safetensors */
#include "libmnist_cnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 28, PIXELS = SIDE * SIDE, CLASSES = 10, STEPS = 60 };

static void stop_at(const char *error)
{
	if (!error)
		return;
	fprintf(stderr, "bars: %s\n", error);
	exit(1);
}

/* Class k: two bright rows at 2k + 4, beside noise. */
static void draw(unsigned *random, uint8_t *image, int32_t *digit)
{
	*digit = (int32_t)(*random >> 16) % CLASSES;
	for (int i = 0; i < PIXELS; i++) {
		*random = *random * 1664525u + 1013904223u;
		image[i] = (uint8_t)(*random >> 26);
	}
	memset(image + (2 * *digit + 4) * SIDE, 255, 2 * SIDE);
}

static void draw_batch(unsigned *random, uint8_t *images, int32_t *digits)
{
	for (int i = 0; i < MNIST_CNN_BATCH; i++)
		draw(random, images + i * PIXELS, digits + i);
}

static int best(const float *logits)
{
	int most = 0;
	for (int i = 1; i < CLASSES; i++)
		if (logits[i] > logits[most])
			most = i;
	return most;
}

int main(int argc, char **argv)
{
	static uint8_t images[MNIST_CNN_BATCH * PIXELS];
	static int32_t digits[MNIST_CNN_BATCH];
	static float logits[MNIST_CNN_BATCH * CLASSES];
	const char *file = argc > 1 ? argv[1] : "bars.safetensors";
	unsigned random = 1;
	double loss = 0, accuracy = 0;

	mnist_cnn *taught, *other;
	stop_at(mnist_cnn_create(&taught, 0));
	for (int step = 0; step < STEPS; step++) {
		draw_batch(&random, images, digits);
		stop_at(mnist_cnn_train_step(taught, images, digits, 0.003, &loss, &accuracy));
	}
	printf("after %d steps: loss %.3f, accuracy %.2f\n", STEPS, loss, accuracy);
	stop_at(mnist_cnn_save(taught, file));
	mnist_cnn_free(taught);

	stop_at(mnist_cnn_create(&other, 7));
	stop_at(mnist_cnn_load(other, file));
	draw_batch(&random, images, digits);
	stop_at(mnist_cnn_forward(other, MNIST_CNN_BATCH, images, logits));
	int right = 0;
	for (int i = 0; i < MNIST_CNN_BATCH; i++)
		right += best(logits + i * CLASSES) == digits[i];
	printf("loaded again: %d of %d right\n", right, (int)MNIST_CNN_BATCH);
	mnist_cnn_free(other);
	return 0;
}
