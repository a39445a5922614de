/* SPDX-License-Identifier: MIT */
/* A libnccl.so.2 for ranks that are processes of one folder, on the fake driver: they meet in a file there, of which
 * each has a part. What is enqueued waits for the others when it runs, for ever if need be, as NCCL does.
 *
 *   FAKE_NCCL_FAIL=K, K+    the K-th call fails (fake_fails)
 *   FAKE_NCCL_LOST=K        from the K-th sum on there is an error that NCCL notices by itself, and nothing ends */
#include "runtime/nnr_half.h"
#include "tests/cuda/fake_work.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MOST_RANKS = 8,
	MOST_FLOATS = 256,
	FLOAT32 = 7,
	BFLOAT16 = 9,
	MEAN = 4,
	TO_ALL = -1,
	SYSTEM_ERROR = 2
};

typedef struct Id {
	char path[128];
} Id;

typedef struct Meeting {
	atomic_int came[2], gone; /* by whether a sum's number is odd */
	float part[2][MOST_RANKS][MOST_FLOATS];
} Meeting;

typedef struct Comm {
	Meeting *at;
	int count, rank;
} Comm;

typedef struct Sum {
	Comm *comm;
	const void *from;
	void *to;
	int type;
	size_t count;
	int root; /* who gets it; TO_ALL */
	int of;   /* a broadcast's rank; -1: it is a mean */
} Sum;

static long calls;
static atomic_int sums;

static int result(void)
{
	return fake_fails("FAKE_NCCL_FAIL", ++calls) ? SYSTEM_ERROR : 0;
}

static bool is_lost(void)
{
	const char *from = getenv("FAKE_NCCL_LOST");
	return from && sums >= atoi(from);
}

static void wait_until(atomic_int *counter, int value)
{
	while (*counter < value)
		sched_yield();
}

static float element_of(const Sum *s, size_t i)
{
	return s->type == BFLOAT16 ? nnr_bf16_value(((const uint16_t *)s->from)[i])
	                           : ((const float *)s->from)[i];
}

static void set_element(const Sum *s, size_t i, float value)
{
	if (s->type == BFLOAT16)
		((uint16_t *)s->to)[i] = nnr_bf16_bits(value);
	else
		((float *)s->to)[i] = value;
}

static void run_sum(const void *context)
{
	const Sum *s = context;
	Meeting *at = s->comm->at;
	int number = sums++, turn = number % 2, n = s->comm->count;
	while (is_lost())
		usleep(1000);
	for (size_t i = 0; i < s->count; i++)
		at->part[turn][s->comm->rank][i] = element_of(s, i);
	at->came[turn]++;
	wait_until(&at->came[turn], (number / 2 + 1) * n);
	for (size_t i = 0; i < s->count; i++) {
		float sum = at->part[turn][0][i];
		for (int r = 1; r < n; r++)
			sum += at->part[turn][r][i];
		bool gets = s->root == TO_ALL || s->root == s->comm->rank;
		set_element(s, i, !gets ? NAN : s->of >= 0 ? at->part[turn][s->of][i] : sum * (1 / (float)n));
	}
	/* who comes to the one after the next overwrites its part: all have read it then, for they came to the next */
}

int ncclGetVersion(int *version)
{
	*version = 22800;
	return result();
}

int ncclGetUniqueId(Id *id)
{
	snprintf(id->path, sizeof id->path, "fake-nccl-%d", (int)getpid());
	return result();
}

/* The last to come takes the name away. */
int ncclCommInitRank(Comm **comm, int count, Id id, int rank)
{
	static Comm only;
	int fd = open(id.path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(Meeting)) < 0 || count > MOST_RANKS)
		return SYSTEM_ERROR;
	only = (Comm){mmap(NULL, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), count, rank};
	close(fd);
	if (result())
		return SYSTEM_ERROR;
	only.at->gone++;
	wait_until(&only.at->gone, count);
	unlink(id.path);
	*comm = &only;
	return 0;
}

int ncclCommDestroy(Comm *comm)
{
	munmap(comm->at, sizeof *comm->at);
	return result();
}

int ncclCommGetAsyncError(Comm *comm, int *error)
{
	*error = is_lost() ? SYSTEM_ERROR : 0;
	return 0;
}

static int enqueue(Sum s, void *stream)
{
	if ((s.type != FLOAT32 && s.type != BFLOAT16) || s.count > MOST_FLOATS || result())
		return SYSTEM_ERROR;
	Sum *sum = malloc(sizeof *sum); /* a graph may run it again and again */
	*sum = s;
	return fake_enqueue(&(FakeWork){.stream = stream, .run = run_sum, .context = sum}) ? 0 : SYSTEM_ERROR;
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, Comm *comm, void *stream)
{
	return op == MEAN ? enqueue((Sum){comm, from, to, type, count, TO_ALL, -1}, stream) : SYSTEM_ERROR;
}

int ncclReduce(const void *from, void *to, size_t count, int type, int op, int root, Comm *comm, void *stream)
{
	return op == MEAN ? enqueue((Sum){comm, from, to, type, count, root, -1}, stream) : SYSTEM_ERROR;
}

int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, Comm *comm, void *stream)
{
	return enqueue((Sum){comm, from, to, type, count, TO_ALL, root}, stream);
}

int ncclGroupStart(void)
{
	return result();
}

int ncclGroupEnd(void)
{
	return result();
}

const char *ncclGetErrorString(int error)
{
	return error ? "an error that was asked for" : "no error";
}
