/* SPDX-License-Identifier: MIT */
/* MPI with a limit of some elements a call, so that all goes in pieces: what each collective makes of numbers that tell
 * their rank and place, for counts around the limit and around shares. mpirun -n N mpi_pieces; exit status 0: all are
 * right on this rank. */
#include "runtime/host/die.h"
#include "runtime/nnr_half.h"
#include "runtime/ranks/mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Communicator *mpi;
static RankPlace place;
static int wrong;

static const char *variable(const char *name)
{
	return getenv(name);
}

static void expect(bool right, const char *what, int64_t count, int64_t share)
{
	if (right)
		return;
	wrong++;
	fprintf(stderr, "rank %d: %s of %lld, shares of %lld\n", place.rank, what, (long long)count,
	        (long long)share);
}

static float value(int rank, int64_t i)
{
	return (float)((rank + 1) * (i % 13 + 1));
}

/* Over all ranks. */
static float sum_of(int64_t i)
{
	float sum = 0;
	for (int r = 0; r < place.count; r++)
		sum += value(r, i);
	return sum;
}

static void fill(float *x, int64_t first, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		x[i] = value(place.rank, first + i);
}

static void check_reductions(float *x, int64_t count)
{
	bool right = true;
	fill(x, 0, count);
	right = !mpi->all_reduce(x, NNR_F32, count, REDUCE_SUM);
	for (int64_t i = 0; i < count; i++)
		right &= x[i] == sum_of(i);
	expect(right, "an all-reduce", count, 0);
	fill(x, 0, count);
	right = !mpi->broadcast(x, count * (int64_t)sizeof *x);
	for (int64_t i = 0; i < count; i++)
		right &= x[i] == value(0, i);
	expect(right, "a broadcast", count, 0);
}

static void check_wire(int64_t count)
{
	uint16_t *x = allocate(count, sizeof *x, "halves");
	bool right = true;
	for (int64_t i = 0; i < count; i++)
		x[i] = nnr_bf16_bits(value(place.rank, i));
	right = !mpi->all_reduce(x, NNR_BF16, count, REDUCE_SUM);
	for (int64_t i = 0; i < count; i++)
		right &= nnr_bf16_value(x[i]) == sum_of(i);
	expect(right, "an all-reduce in 16 bits", count, 0);
	free(x);
}

/* `count` elements from the whole's `first` on. */
static void check_scatter(float *x, int64_t first, int64_t count, int64_t share)
{
	RankPart own = rank_part(place.rank, share, first, count);
	fill(x, first, count);
	bool right = !mpi->reduce_scatter(x, NNR_F32, first, count, share);
	for (int64_t i = own.at; i < own.at + own.count; i++)
		right &= x[i] == sum_of(first + i);
	expect(right, "a reduce-scatter", count, share);
}

/* Bytes; what is after the whole stays. */
static void check_gather(unsigned char *x, int64_t share, int64_t whole)
{
	RankPart own = rank_part(place.rank, share, 0, whole);
	memset(x, 0xee, (size_t)whole + 1);
	for (int64_t i = own.at; i < own.at + own.count; i++)
		x[i] = (unsigned char)(7 * i + place.rank);
	bool right = !mpi->all_gather(x, share, whole) && x[whole] == 0xee;
	for (int64_t i = 0; i < whole; i++)
		right &= x[i] == (unsigned char)(7 * i + i / share);
	expect(right, "an all-gather", whole, share);
}

int main(void)
{
	static const int64_t counts[] = {1, 15, 16, 17, 31, 32, 33, 100};
	enum { ROOM = 512 };
	static float x[ROOM];
	if (rank_place_of(variable, &place) || place.count < 2)
		return STATUS_USAGE;
	mpi = mpi_open(&place);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		int64_t n = counts[i], share = (n + place.count - 1) / place.count;
		check_reductions(x, n);
		check_wire(n);
		check_scatter(x, 0, n, share);
		check_scatter(x, share / 2, n - share / 2, share);
		check_scatter(x, 0, n, n);
		check_gather((unsigned char *)x, share, n);
		check_gather((unsigned char *)x, n, n);
		check_gather((unsigned char *)x, n, n * place.count);
	}
	mpi->barrier();
	mpi->close();
	return wrong ? 1 : STATUS_OK;
}
