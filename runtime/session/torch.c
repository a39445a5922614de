/* SPDX-License-Identifier: MIT */
#include "runtime/session/torch.h"
#include "runtime/session/session.h"

#include <string.h>

void torch_shape(const NnrTensor *t, int64_t dim[NNR_MAX_RANK])
{
	memcpy(dim, t->dim, (size_t)t->rank * sizeof *dim);
	if (t->channels == 0 || t->rank != 4)
		return;
	dim[1] = t->dim[3];
	dim[2] = t->dim[1];
	dim[3] = t->dim[2];
}

/* [rows][a][b] to [rows][b][a]. */
static void turn(char *to, const char *from, int64_t rows, int64_t a, int64_t b, int64_t size)
{
	for (int64_t r = 0; r < rows; r++, to += a * b * size, from += a * b * size)
		for (int64_t i = 0; i < a; i++)
			for (int64_t k = 0; k < b; k++)
				memcpy(to + (k * a + i) * size, from + (i * b + k) * size, (size_t)size);
}

static void copy(const NnrTensor *t, char *to, const char *from, int64_t size, bool read)
{
	int64_t elements = tensor_elements(t->dim, t->rank), rows = t->dim[0], channels = t->channels;
	if (channels == 0) {
		memcpy(to, from, (size_t)(elements * size));
		return;
	}
	int64_t places = elements / rows / channels;
	turn(to, from, rows, read ? channels : places, read ? places : channels, size);
}

void torch_read(const NnrTensor *t, char *to, const char *from, int64_t size)
{
	copy(t, to, from, size, true);
}

void torch_write(const NnrTensor *t, char *to, const char *from, int64_t size)
{
	copy(t, to, from, size, false);
}
