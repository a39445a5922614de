/* SPDX-License-Identifier: MIT */
#include "runtime/host/orthogonal.h"

#include "runtime/host/die.h"

#include <math.h>
#include <stdlib.h>

static double product(const double *x, const double *y, int64_t n)
{
	double sum = 0;
	for (int64_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* Gram and Schmidt, twice: once leaves an error that grows with how nearly dependent the rows are. */
static void orthonormal_rows(double *x, int64_t rows, int64_t columns)
{
	for (int64_t r = 0; r < rows; r++) {
		double *row = x + r * columns;
		for (int64_t k = 0; k < 2 * r; k++) {
			const double *other = x + k % r * columns;
			double share = product(row, other, columns);
			for (int64_t i = 0; i < columns; i++)
				row[i] -= share * other[i];
		}
		double length = sqrt(product(row, row, columns));
		for (int64_t i = 0; i < columns; i++)
			row[i] /= length;
	}
}

void orthogonal(double *x, int64_t rows, int64_t columns)
{
	if (rows <= columns) {
		orthonormal_rows(x, rows, columns);
		return;
	}
	double *turned = allocate(rows * columns, sizeof *turned, "an orthogonal matrix");
	for (int64_t i = 0; i < rows * columns; i++)
		turned[i % columns * rows + i / columns] = x[i];
	orthonormal_rows(turned, columns, rows);
	for (int64_t i = 0; i < rows * columns; i++)
		x[i] = turned[i % columns * rows + i / columns];
	free(turned);
}
