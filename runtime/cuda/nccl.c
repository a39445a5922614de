/* SPDX-License-Identifier: MIT */
/* NCCL behind the step in which ranks meet.
 *
 * The library is opened at run time, and what its header would have said stands here (nccl.h of NCCL 2.10 or newer: the
 * numbers of types and operations are its binary interface, the mean is there since 2.10).
 *
 * In a captured step the sums run on a stream of their own, each from where its bucket is complete: on the chain and,
 * where products of the branch have computed it, on that. What reads a mean waits for it. Run plainly, all goes to the
 * one stream in its order. The calls of all ranks come in the same order, because the program is the same
 * and the lengths of launches are agreed (graph.c). */
#include "runtime/cuda/nccl.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/cuda/state.h"
#include "runtime/ranks/ranks.h"
#include "runtime/ranks/watch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct NcclComm NcclComm;
typedef struct NcclId {
	char bytes[128];
} NcclId;
typedef int NcclResult;
enum { NCCL_SUCCESS = 0, NCCL_IN_PROGRESS = 7 };
enum { NCCL_FLOAT32 = 7, NCCL_FLOAT64 = 8, NCCL_BFLOAT16 = 9 };
enum { NCCL_AVERAGE = 4 };

static struct {
	NcclResult (*get_version)(int *version);
	NcclResult (*get_unique_id)(NcclId *id);
	NcclResult (*comm_init_rank)(NcclComm **comm, int count, NcclId id, int rank);
	NcclResult (*comm_destroy)(NcclComm *comm);
	NcclResult (*comm_get_async_error)(NcclComm *comm, NcclResult *error);
	NcclResult (*all_reduce)(const void *from, void *to, size_t count, int type, int op, NcclComm *comm,
	                         CUstream stream);
	NcclResult (*reduce)(const void *from, void *to, size_t count, int type, int op, int root,
	                     NcclComm *comm, CUstream stream);
	NcclResult (*broadcast)(const void *from, void *to, size_t count, int type, int root, NcclComm *comm,
	                        CUstream stream);
	NcclResult (*group_start)(void);
	NcclResult (*group_end)(void);
	const char *(*get_error_string)(NcclResult result);
} library;

static const struct {
	const char *name;
	void *at;
} symbols[] = {
        {"ncclGetVersion", &library.get_version},
        {"ncclGetUniqueId", &library.get_unique_id},
        {"ncclCommInitRank", &library.comm_init_rank},
        {"ncclCommDestroy", &library.comm_destroy},
        {"ncclCommGetAsyncError", &library.comm_get_async_error},
        {"ncclAllReduce", &library.all_reduce},
        {"ncclReduce", &library.reduce},
        {"ncclBroadcast", &library.broadcast},
        {"ncclGroupStart", &library.group_start},
        {"ncclGroupEnd", &library.group_end},
        {"ncclGetErrorString", &library.get_error_string},
};

static struct {
	NcclComm *comm;
	CUstream stream;
	CUevent begin, met, *ends; /* ends: of a bucket; by number */
	int end_count;
	bool silent, states_ready, states_met;
	struct Sent {
		int64_t bytes;
		int parts;
	} step, last; /* by the step that is being enqueued, and by the one before it */
} nccl;

static const char resume_help[] = "the last checkpoint is whole: go on with --resume, also with fewer ranks";

static void check(NcclResult result, const char *call)
{
	if (result == NCCL_SUCCESS || result == NCCL_IN_PROGRESS)
		return;
	die_help(STATUS_RANKS, resume_help, "%s failed%s: %s (NCCL's %d); NCCL_DEBUG=WARN says more", call,
	         nnr_cuda_step(), library.get_error_string(result), result);
}

/* ---- open and close */

static void load_library(void)
{
	const char *named = getenv("NNR_LIBNCCL"), *file = named && *named ? named : "libnccl.so.2";
	/* Its graphs then wait for no others by events of their own: here all launches are of one stream, and what is
	 * not captured comes when no graph runs. */
	(void)setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", false);
	void *found = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!found)
		die_help(STATUS_DEVICE,
		         "install NCCL (libnccl2, or the wheel nvidia-nccl-cu13), or name its library by "
		         "NNR_LIBNCCL",
		         "several GPUs train together over NCCL: %s", dlerror());
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *function = dlsym(found, symbols[i].name);
		if (!function)
			die(STATUS_DEVICE, "%s lacks %s", file, symbols[i].name);
		memcpy(symbols[i].at, &function, sizeof function);
	}
}

/* Of watch.c's thread: NULL, or what NCCL noticed by itself. */
static const char *noticed(void)
{
	NcclResult error = NCCL_SUCCESS;
	NcclResult asked = library.comm_get_async_error(nccl.comm, &error);
	if (asked != NCCL_SUCCESS)
		error = asked;
	return error == NCCL_SUCCESS || error == NCCL_IN_PROGRESS ? NULL : library.get_error_string(error);
}

void nccl_open(void)
{
	enum { MEAN_SINCE = 21000 };
	NcclId id = {{0}};
	int version = 0;
	load_library();
	check(library.get_version(&version), "ncclGetVersion");
	if (version < MEAN_SINCE)
		die(STATUS_DEVICE, "NCCL %d.%d is too old: 2.10 or newer is needed", version / 10000,
		    version / 100 % 100);
	if (ranks_root())
		check(library.get_unique_id(&id), "ncclGetUniqueId");
	ranks_broadcast(&id, sizeof id);
	ranks_wait_begin();
	NcclResult result = library.comm_init_rank(&nccl.comm, ranks_count(), id, ranks_own());
	ranks_wait_end();
	if (result != NCCL_SUCCESS)
		die_help(STATUS_RANKS, "each rank needs a GPU of its own; NCCL_DEBUG=WARN says more",
		         "the GPUs of %d ranks can't be connected: %s (NCCL's %d)", ranks_count(),
		         library.get_error_string(result), result);
	CU(StreamCreateWithPriority, &nccl.stream, CU_STREAM_NON_BLOCKING, nnr_cuda.priority);
	CU(EventCreate, &nccl.begin, CU_EVENT_DISABLE_TIMING);
	CU(EventCreate, &nccl.met, CU_EVENT_DISABLE_TIMING);
	watch_also(noticed);
}

bool nccl_is_open(void)
{
	return nccl.comm != NULL;
}

/* After all graphs that its calls were captured in. */
void nccl_close(void)
{
	if (!nccl.comm)
		return;
	watch_also(NULL);
	check(library.comm_destroy(nccl.comm), "ncclCommDestroy");
	CU(EventDestroy, nccl.begin);
	CU(EventDestroy, nccl.met);
	for (int i = 0; i < nccl.end_count; i++)
		CU(EventDestroy, nccl.ends[i]);
	free(nccl.ends);
	CU(StreamDestroy, nccl.stream);
	memset(&nccl, 0, sizeof nccl);
}

/* ---- the sums */

static int type_of(NnrDType dtype)
{
	static const int types[] = {
	        [NNR_F32] = NCCL_FLOAT32, [NNR_F64] = NCCL_FLOAT64, [NNR_BF16] = NCCL_BFLOAT16};
	require(dtype == NNR_F32 || dtype == NNR_F64 || dtype == NNR_BF16);
	return types[dtype];
}

static void enqueue_mean_to(const void *from, void *to, NnrDType dtype, int64_t count, CUstream stream)
{
	if (!nccl.silent)
		check(library.all_reduce(from, to, (size_t)count, type_of(dtype), NCCL_AVERAGE, nccl.comm,
		                         stream),
		      "ncclAllReduce");
	nccl.step.bytes += count * dtype_bytes(dtype);
	nccl.step.parts++;
}

static void enqueue_mean(void *at, NnrDType dtype, int64_t count, CUstream stream)
{
	enqueue_mean_to(at, at, dtype, count, stream);
}

/* As session_meet does on the host: running statistics are of a rank's share of the batch. */
static void enqueue_states(CUstream stream)
{
	StateRange r = {0};
	while (session_next_states(nnr_cuda.model, &r))
		enqueue_mean(nnr_cuda.memory.state + r.offset, r.dtype, r.count, stream);
	nccl.states_met = true;
}

void nnr_states_ready(void)
{
	nccl.states_ready = true;
}

/* Shares of the flat gradient of ranks that share it out; none: all ranks have all of it. */
typedef struct Owners {
	int64_t first, share; /* of the bucket, in the flat gradient; of a rank */
} Owners;

static const Owners all_of_it;

/* To each rank what is its own of the bucket. */
static void enqueue_scatter(char *bucket, NnrDType dtype, int64_t count, const Owners *o, CUstream stream)
{
	int64_t size = dtype_bytes(dtype), at = 0;
	for (int64_t n; at < count; at += n) {
		int64_t root = (o->first + at) / o->share, end = (root + 1) * o->share - o->first;
		char *part = bucket + at * size;
		n = (end < count ? end : count) - at;
		if (!nccl.silent)
			check(library.reduce(part, part, (size_t)n, type_of(dtype), NCCL_AVERAGE, (int)root,
			                     nccl.comm, stream),
			      "ncclReduce");
		nccl.step.bytes += n * size;
		nccl.step.parts++;
	}
}

/* With the states, where they are ready: one launch for both. */
static void enqueue_bucket(void *bucket, NnrDType dtype, int64_t count, const Owners *o, CUstream stream)
{
	check(library.group_start(), "ncclGroupStart");
	if (o->share > 0)
		enqueue_scatter(bucket, dtype, count, o, stream);
	else
		enqueue_mean(bucket, dtype, count, stream);
	if (nccl.states_ready)
		enqueue_states(stream);
	check(library.group_end(), "ncclGroupEnd");
	nccl.states_ready = false;
}

static void make_ends(int count)
{
	if (count <= nccl.end_count)
		return;
	nccl.ends = reallocate(nccl.ends, count, sizeof *nccl.ends, "the ends of buckets");
	for (; nccl.end_count < count; nccl.end_count++)
		CU(EventCreate, &nccl.ends[nccl.end_count], CU_EVENT_DISABLE_TIMING);
}

/* Where what follows is enqueued: after what was enqueued before, and what of the branch has ended with that number. */
static CUstream begin_bucket(int number, int branch)
{
	CudaState *c = &nnr_cuda;
	make_ends(number + 1); /* in the plain run that every program begins with */
	nnr_cuda_doing("taking the mean of gradients over all ranks");
	if (!c->capturing)
		return c->stream;
	CU(EventRecord, nccl.begin, c->stream);
	CU(StreamWaitEvent, nccl.stream, nccl.begin, 0);
	if (branch >= 0)
		cuda_wait_for_branch(nccl.stream, branch);
	return nccl.stream;
}

static void end_bucket(int number)
{
	if (nnr_cuda.capturing)
		CU(EventRecord, nccl.ends[number], nccl.stream);
}

void nnr_bucket_reduce(int number, void *bucket, NnrDType dtype, int64_t count, int branch)
{
	enqueue_bucket(bucket, dtype, count, &all_of_it, begin_bucket(number, branch));
	end_bucket(number);
}

/* nnr_wire_round or nnr_wire_widen. */
static void convert(NnrKernel *k, const void *from, void *to, int64_t count, CUstream stream)
{
	enum { OF_BLOCK = NNR_BLOCK * 4 /* NNR_WIRE_EACH */ };
	if (!k->handle)
		cuda_find_kernel(k);
	k->threads = NNR_BLOCK;
	k->blocks = (count + OF_BLOCK - 1) / OF_BLOCK;
	nnr_cuda_enqueue(k, stream, false, (void *[]){(void *)&from, (void *)&to, &count});
}

static void narrow_bucket(int number, float *bucket, NnrBf16 *wire, int64_t count, const Owners *o,
                          int branch)
{
	static NnrKernel round = {.name = "nnr_wire_round"}, widen = {.name = "nnr_wire_widen"};
	CUstream stream = begin_bucket(number, branch);
	convert(&round, bucket, wire, count, stream);
	enqueue_bucket(wire, NNR_BF16, count, o, stream);
	convert(&widen, wire, bucket, count, stream);
	end_bucket(number);
}

void nnr_bucket_reduce_bf16(int number, float *bucket, NnrBf16 *wire, int64_t count, int branch)
{
	narrow_bucket(number, bucket, wire, count, &all_of_it, branch);
}

void nnr_bucket_scatter(int number, void *bucket, NnrDType dtype, int64_t count, int64_t first, int64_t share,
                        int branch)
{
	enqueue_bucket(bucket, dtype, count, &(Owners){first, share}, begin_bucket(number, branch));
	end_bucket(number);
}

void nnr_bucket_scatter_bf16(int number, float *bucket, NnrBf16 *wire, int64_t count, int64_t first,
                             int64_t share, int branch)
{
	narrow_bucket(number, bucket, wire, count, &(Owners){first, share}, branch);
}

void nnr_bucket_wait(int number)
{
	if (nnr_cuda.capturing)
		CU(StreamWaitEvent, nnr_cuda_stream(), nccl.ends[number], 0);
}

/* On the stream of the buckets, so that all calls of a captured step come one after the other; the chain waits. */
static CUstream begin_waited(const char *what)
{
	nnr_cuda_doing(what);
	if (nnr_cuda.capturing && !nccl.silent) {
		CU(EventRecord, nccl.begin, nnr_cuda_stream());
		CU(StreamWaitEvent, nccl.stream, nccl.begin, 0);
	}
	if (!nccl.silent)
		check(library.group_start(), "ncclGroupStart");
	return nnr_cuda.capturing ? nccl.stream : nnr_cuda.stream;
}

static void end_waited(void)
{
	if (!nccl.silent)
		check(library.group_end(), "ncclGroupEnd");
	if (nnr_cuda.capturing && !nccl.silent) {
		CU(EventRecord, nccl.met, nccl.stream);
		CU(StreamWaitEvent, nnr_cuda_stream(), nccl.met, 0);
	}
}

void nnr_means_begin(void)
{
	(void)begin_waited("taking the mean of statistics over all ranks");
}

void nnr_mean(const void *x, void *y, NnrDType dtype, int64_t count)
{
	if (nccl.silent)
		nnr_copy(y, x, count * dtype_bytes(dtype));
	enqueue_mean_to(x, y, dtype, count, nnr_cuda.capturing ? nccl.stream : nnr_cuda.stream);
}

void nnr_means_end(void)
{
	end_waited();
}

void nnr_share(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	int64_t size = dtype_bytes(dtype), own = ranks_own(), part = rank_part(own, share, 0, whole).count;
	if (part > 0)
		nnr_copy(y, (const char *)x + own * share * size, part * size);
	nnr_cuda_doing("clearing what is after the last share");
	if (part < share)
		CU(MemsetD8Async, (CUdeviceptr)y + (size_t)(part * size), 0, (size_t)((share - part) * size),
		   nnr_cuda_stream());
}

/* The last share may be shorter, so it is no all-gather of NCCL but a broadcast of each rank, in one group. */
void nnr_gather(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	int64_t size = dtype_bytes(dtype), own = ranks_own();
	CUstream stream = begin_waited("gathering the shares of all ranks");
	if (nccl.silent) /* of one rank all there is */
		nnr_copy((char *)y + own * share * size, x, rank_part(own, share, 0, whole).count * size);
	for (int r = 0; r < ranks_count(); r++) {
		int64_t part = rank_part(r, share, 0, whole).count;
		if (part > 0 && !nccl.silent)
			check(library.broadcast(x, (char *)y + r * share * size, (size_t)part, type_of(dtype),
			                        r, nccl.comm, stream),
			      "ncclBroadcast");
		nccl.step.parts += part > 0;
	}
	nccl.step.bytes += whole * size;
	end_waited();
}

void nccl_end_step(void)
{
	if (!nccl.comm)
		return;
	nnr_cuda_doing("taking the mean of the layers' states over all ranks");
	if (!nccl.states_met) {
		check(library.group_start(), "ncclGroupStart");
		enqueue_states(nnr_cuda.stream);
		check(library.group_end(), "ncclGroupEnd");
	}
	nccl.states_met = false;
	nccl.last = nccl.step;
	nccl.step = (struct Sent){0};
}

/* ---- what it costs */

void nccl_keep_silent(bool silent)
{
	nccl.silent = silent;
}

void nccl_report(double with_ms, double alone_ms)
{
	int version = 0;
	double share = with_ms > alone_ms ? 1 - alone_ms / with_ms : 0;
	check(library.get_version(&version), "ncclGetVersion");
	ranks_note_share(share);
	progress_say(
	        "ranks: %d over NCCL %d.%d.%d; a step of %.3g ms sends %s in %d parts, and waits for the "
	        "other ranks %.0f %% of its time",
	        ranks_count(), version / 10000, version / 100 % 100, version % 100, with_ms,
	        human_bytes((double)nccl.last.bytes), nccl.last.parts, 100 * share);
}
