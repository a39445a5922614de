/* SPDX-License-Identifier: MIT */
/* MPI, by its two binary interfaces.
 *
 * Programs are compiled against one implementation's mpi.h, and a trainer is compiled where it is not known what it
 * will be launched by. So the library is opened at run time, and what the header would have said stands here: Open
 * MPI's handles are addresses of objects that the library exports, those of MPICH and its kin (Intel MPI, Cray) are
 * numbers that their common ABI fixes (https://www.mpich.org/abi). Which it is, the library's own symbols tell. A shim
 * compiled where mpi.h is would need that header at build time and one shim for each implementation. */
#include "runtime/ranks/mpi.h"
#include "runtime/host/die.h"
#include "runtime/nnr_half.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *Handle; /* MPICH's are int: the callee looks at the lower half */

enum { THREAD_FUNNELED = 1, THREAD_MULTIPLE = 3 };

static struct {
	int (*init_thread)(int *argc, char ***argv, int required, int *provided);
	int (*finalize)(void);
	int (*abort)(Handle comm, int status);
	int (*comm_rank)(Handle comm, int *rank);
	int (*comm_size)(Handle comm, int *size);
	int (*comm_dup)(Handle comm, Handle *copy);
	int (*set_errhandler)(Handle comm, Handle handler);
	int (*error_string)(int code, char *text, int *length);
	int (*all_reduce)(const void *from, void *to, int count, Handle type, Handle op, Handle comm);
	int (*reduce_scatter)(const void *from, void *to, const int *counts, Handle type, Handle op,
	                      Handle comm);
	int (*reduce)(const void *from, void *to, int count, Handle type, Handle op, int root, Handle comm);
	int (*all_gather)(const void *from, int from_count, Handle from_type, void *to, int to_count,
	                  Handle to_type, Handle comm);
	int (*all_gather_parts)(const void *from, int from_count, Handle from_type, void *to,
	                        const int *counts, const int *places, Handle to_type, Handle comm);
	int (*all_to_all)(const void *from, int from_count, Handle from_type, void *to, int to_count,
	                  Handle to_type, Handle comm);
	int (*broadcast)(void *at, int count, Handle type, int root, Handle comm);
	int (*barrier)(Handle comm);
	int (*send)(const void *at, int count, Handle type, int to, int tag, Handle comm);
	int (*receive)(void *at, int count, Handle type, int from, int tag, Handle comm, void *status);
	int (*probe)(int from, int tag, Handle comm, int *there, void *status);
} mpi;

static const struct {
	const char *name;
	void *at;
} symbols[] = {
        {"MPI_Init_thread", &mpi.init_thread},
        {"MPI_Finalize", &mpi.finalize},
        {"MPI_Abort", &mpi.abort},
        {"MPI_Comm_rank", &mpi.comm_rank},
        {"MPI_Comm_size", &mpi.comm_size},
        {"MPI_Comm_dup", &mpi.comm_dup},
        {"MPI_Comm_set_errhandler", &mpi.set_errhandler},
        {"MPI_Error_string", &mpi.error_string},
        {"MPI_Allreduce", &mpi.all_reduce},
        {"MPI_Reduce_scatter", &mpi.reduce_scatter},
        {"MPI_Reduce", &mpi.reduce},
        {"MPI_Allgather", &mpi.all_gather},
        {"MPI_Allgatherv", &mpi.all_gather_parts},
        {"MPI_Alltoall", &mpi.all_to_all},
        {"MPI_Bcast", &mpi.broadcast},
        {"MPI_Barrier", &mpi.barrier},
        {"MPI_Send", &mpi.send},
        {"MPI_Recv", &mpi.receive},
        {"MPI_Iprobe", &mpi.probe},
};

/* What an mpi.h names. */
static struct {
	Handle world, bytes, f32, f64, sum, max, errors_return, none;
	void *in_place, *ignore;
	Handle own; /* a copy of the world, for watch.c: its messages meet no collective */
	int rank, count;
} known;

static void *library;

static Handle number(unsigned value)
{
	return (Handle)(uintptr_t)value;
}

static void know_mpich(void)
{
	known.world = number(0x44000000);
	known.bytes = number(0x4c00010d);
	known.f32 = number(0x4c00040a);
	known.f64 = number(0x4c00080b);
	known.max = number(0x58000001);
	known.sum = number(0x58000003);
	known.errors_return = number(0x54000001);
	known.in_place = (void *)(intptr_t)-1;
	known.ignore = (void *)(intptr_t)1;
}

/* False: it is not Open MPI. */
static bool know_open_mpi(void)
{
	const struct {
		const char *name;
		Handle *to;
	} objects[] = {{"ompi_mpi_comm_world", &known.world},
	               {"ompi_mpi_byte", &known.bytes},
	               {"ompi_mpi_float", &known.f32},
	               {"ompi_mpi_double", &known.f64},
	               {"ompi_mpi_op_sum", &known.sum},
	               {"ompi_mpi_op_max", &known.max},
	               {"ompi_mpi_errors_return", &known.errors_return}};
	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
		if (!(*objects[i].to = dlsym(library, objects[i].name)))
			return false;
	known.in_place = (void *)1;
	known.ignore = NULL;
	return true;
}

/* Under Open MPI's launcher the library of that name first; RTLD_GLOBAL because its plug-ins look for its symbols. */
static void open_library(const RankPlace *place)
{
	const char *named = getenv("NNR_LIBMPI");
	bool open_mpi = strcmp(place->by, "Open MPI") == 0;
	const char *names[] = {named && *named ? named : NULL, open_mpi ? "libmpi.so.40" : "libmpi.so",
	                       open_mpi ? "libmpi.so" : "libmpi.so.12", "libmpi.so.40", "libmpi.so.12"};
	for (size_t i = named && *named ? 0 : 1;
	     i < (names[0] ? 1 : sizeof names / sizeof *names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
	if (!library)
		die_help(
		        STATUS_DEVICE,
		        "install Open MPI (Debian's openmpi-bin), or name the library of the MPI that starts "
		        "the ranks by NNR_LIBMPI",
		        "%s has started %d ranks, and there is no MPI library for them to meet: %s",
		        place->by, place->count, dlerror());
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *found = dlsym(library, symbols[i].name);
		if (!found)
			die(STATUS_DEVICE, "the MPI library lacks %s", symbols[i].name);
		memcpy(symbols[i].at, &found, sizeof found);
	}
	if (!know_open_mpi())
		know_mpich();
}

/* NULL for success. */
static const char *result(int code)
{
	enum { ROOM = 1024 }; /* MPI_MAX_ERROR_STRING is 256 or 512 */
	static char text[ROOM];
	int length = 0;
	if (code == 0)
		return NULL;
	if (mpi.error_string(code, text, &length) != 0)
		snprintf(text, sizeof text, "MPI's error %d", code);
	return text;
}

static Handle type_of(NnrDType dtype)
{
	require(dtype == NNR_F32 || dtype == NNR_F64);
	return dtype == NNR_F32 ? known.f32 : known.f64;
}

/* MPI counts in int, places of parts too: what is more goes in pieces of so many elements or bytes. A test has less. */
#ifndef NNR_MPI_MOST
#define NNR_MPI_MOST (1 << 30)
#endif
enum { MOST = NNR_MPI_MOST };

static int part_of(int64_t count)
{
	return (int)(count < MOST ? count : MOST);
}

/* MPI has no bf16. So each rank gets all ranks' numbers of its share, adds them up in f32, and all get the rounded sums
 * of all: the bytes that an all-reduce of 16 bits would move. In pieces of at most WIRE_SHARE for each rank. */
static const char *all_reduce_bf16(uint16_t *at, int64_t count)
{
	enum { WIRE_SHARE = 1 << 16 };
	int64_t even = (count + known.count - 1) / known.count, share = even < WIRE_SHARE ? even : WIRE_SHARE,
	        piece = share * known.count;
	uint16_t *own = allocate(2 * piece, sizeof *own, "gradients to send"), *all = own + piece;
	const char *why = NULL;
	for (int64_t i = 0; i < count && !why; i += piece) {
		int64_t n = count - i < piece ? count - i : piece;
		int bytes = (int)(share * (int64_t)sizeof *own);
		memcpy(own, at + i, (size_t)n * sizeof *own);
		memset(own + n, 0, (size_t)(piece - n) * sizeof *own);
		why = result(mpi.all_to_all(own, bytes, known.bytes, all, bytes, known.bytes, known.world));
		for (int64_t k = 0; k < share && !why; k++) {
			float sum = nnr_bf16_value(all[k]);
			for (int r = 1; r < known.count; r++)
				sum += nnr_bf16_value(all[r * share + k]);
			own[known.rank * share + k] = nnr_bf16_bits(sum);
		}
		if (!why)
			why = result(mpi.all_gather(known.in_place, 0, known.bytes, own, bytes, known.bytes,
			                            known.world));
		memcpy(at + i, own, (size_t)n * sizeof *own);
	}
	free(own);
	return why;
}

static const char *all_reduce(void *at, NnrDType dtype, int64_t count, ReduceOp op)
{
	int64_t size = dtype == NNR_F32 ? 4 : 8;
	const char *why = NULL;
	if (dtype == NNR_BF16)
		return all_reduce_bf16(at, count);
	for (int64_t i = 0; i < count && !why; i += MOST)
		why = result(mpi.all_reduce(known.in_place, (char *)at + i * size, part_of(count - i),
		                            type_of(dtype), op == REDUCE_SUM ? known.sum : known.max,
		                            known.world));
	return why;
}

/* Each rank's part by itself. */
static const char *reduce_parts(char *at, NnrDType dtype, int64_t first, int64_t count, int64_t share)
{
	int64_t size = dtype == NNR_F32 ? 4 : 8;
	const char *why = NULL;
	for (int r = 0; r < known.count; r++) {
		RankPart part = rank_part(r, share, first, count);
		bool own = r == known.rank;
		for (int64_t i = 0; i < part.count && !why; i += MOST) {
			char *piece = at + (part.at + i) * size;
			why = result(mpi.reduce(own ? known.in_place : piece, own ? piece : NULL,
			                        part_of(part.count - i), type_of(dtype), known.sum, r,
			                        known.world));
		}
	}
	return why;
}

static const char *reduce_scatter(void *at, NnrDType dtype, int64_t first, int64_t count, int64_t share)
{
	int64_t size = dtype == NNR_F32 ? 4 : 8;
	if (count > MOST)
		return reduce_parts(at, dtype, first, count, share);
	int *counts = allocate(known.count, sizeof *counts, "the sizes of shares");
	for (int r = 0; r < known.count; r++)
		counts[r] = (int)rank_part(r, share, first, count).count;
	const char *why = result(
	        mpi.reduce_scatter(known.in_place, at, counts, type_of(dtype), known.sum, known.world));
	RankPart own = rank_part(known.rank, share, first, count);
	if (!why) /* it is where `at` begins */
		memmove((char *)at + own.at * size, at, (size_t)(own.count * size));
	free(counts);
	return why;
}

static const char *broadcast_from(int root, char *at, int64_t bytes)
{
	const char *why = NULL;
	for (int64_t i = 0; i < bytes && !why; i += MOST)
		why = result(mpi.broadcast(at + i, part_of(bytes - i), known.bytes, root, known.world));
	return why;
}

static const char *all_gather(void *at, int64_t share, int64_t whole)
{
	const char *why = NULL;
	if (whole > MOST) {
		for (int r = 0; r < known.count && !why; r++) {
			RankPart part = rank_part(r, share, 0, whole);
			why = broadcast_from(r, (char *)at + part.at, part.count);
		}
		return why;
	}
	int *counts = allocate(2 * (int64_t)known.count, sizeof *counts, "the sizes of shares"),
	    *places = counts + known.count;
	for (int r = 0; r < known.count; r++) {
		RankPart part = rank_part(r, share, 0, whole);
		counts[r] = (int)part.count;
		places[r] = (int)part.at;
	}
	why = result(mpi.all_gather_parts(known.in_place, 0, known.bytes, at, counts, places, known.bytes,
	                                  known.world));
	free(counts);
	return why;
}

static const char *broadcast(void *at, int64_t bytes)
{
	return broadcast_from(0, at, bytes);
}

static const char *barrier(void)
{
	return result(mpi.barrier(known.world));
}

static const char *check(void)
{
	return NULL; /* MPI's launcher ends all ranks when it has lost one */
}

static void abort_all(int status)
{
	(void)mpi.abort(known.world, status);
}

static void close_all(void)
{
	(void)mpi.finalize();
}

enum { SIGN_TAG = 7 };

static void send_sign(int to)
{
	char sign = 1;
	(void)mpi.send(&sign, 1, known.bytes, to, SIGN_TAG, known.own);
}

static Sign take_sign(int from)
{
	Sign taken = SIGN_NONE;
	char sign;
	for (int there = 0;; taken = SIGN_OF_LIFE) {
		if (mpi.probe(from, SIGN_TAG, known.own, &there, known.ignore) != 0 || !there)
			return taken;
		(void)mpi.receive(&sign, 1, known.bytes, from, SIGN_TAG, known.own, known.ignore);
	}
}

static Communicator communicator = {.name = "MPI",
                                    .all_reduce = all_reduce,
                                    .reduce_scatter = reduce_scatter,
                                    .all_gather = all_gather,
                                    .broadcast = broadcast,
                                    .barrier = barrier,
                                    .check = check,
                                    .abort = abort_all,
                                    .close = close_all};

const Communicator *mpi_open(RankPlace *place)
{
	int provided = 0;
	open_library(place);
	const char *why = result(mpi.init_thread(NULL, NULL, THREAD_MULTIPLE, &provided));
	if (!why)
		why = result(mpi.comm_rank(known.world, &known.rank));
	if (!why)
		why = result(mpi.comm_size(known.world, &known.count));
	if (!why)
		why = result(mpi.set_errhandler(known.world, known.errors_return));
	if (why)
		die(STATUS_RANKS, "MPI does not start: %s", why);
	if (known.count != place->count || known.rank != place->rank)
		die_help(STATUS_RANKS,
		         "name the library of that MPI by NNR_LIBMPI; ranks on the CPU are started by mpirun",
		         "%s says rank %d of %d, the MPI library %d of %d: it is of another MPI than what "
		         "started the ranks",
		         place->by, place->rank, place->count, known.rank, known.count);
	bool watches = provided >= THREAD_MULTIPLE && !mpi.comm_dup(known.world, &known.own) &&
	               !mpi.set_errhandler(known.own, known.errors_return);
	if (watches) {
		communicator.send_sign = send_sign;
		communicator.take_sign = take_sign;
	}
	return &communicator;
}
