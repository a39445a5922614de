/* SPDX-License-Identifier: MIT */
/* The threads of one cluster, most often of one block, as fibers: see emulation.h. */
#include "tests/cuda/emulation.h"
#include "tests/cuda/context.h"
#include "base/diag.h"
#include "runtime/nnr_half.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	MOST_THREADS = 1024,
	MOST_CLUSTER = 8,
	LANES = 32,
	STACK = 1 << 18,
	PAGE = 4096,
	CHIP_ALIGNMENT = 128,
	GUARD = 4096
};

typedef struct EmulatedIndex {
	unsigned x, y, z;
} EmulatedIndex;

/* What the kernels see: tests/cuda/device.h. */
EmulatedIndex emulated_thread, emulated_block;
void emulated_kernel_wait(void);
int emulated_barrier(int vote);
const uint64_t *emulated_exchange(unsigned mask, uint64_t mine);
void emulated_mma(float d[4], const uint32_t a[4], const uint32_t b[2], const char *type);
void emulated_cluster_arrive(void);
void emulated_cluster_wait(void);
void emulated_expect(uint64_t *arrivals, unsigned bytes);
void emulated_send(void *to, uint64_t *arrivals, unsigned rank, const void *from, int bytes);
void emulated_await_arrivals(const uint64_t *arrivals);
void emulated_fetch(void *to, const void *from, int bytes);
void emulated_commit(void);
void emulated_await(int later);
char *emulated_chip(int64_t bytes);
void *emulated_chip_at(void *p, unsigned rank);

/* Where threads meet. A meeting ends when all have arrived, which is when its number goes up. */
typedef struct Meeting {
	unsigned number;
	int arrived;
} Meeting;

/* A product d + a b of the lanes of a warp (runtime/cuda/nnr_mma.h). */
typedef struct Product {
	float a[16][16], b[16][8], d[16][8]; /* of a word of one number the depth is 8 */
} Product;

typedef struct Warp {
	Meeting meeting;
	uint64_t brought[2][LANES]; /* by the parity of the meeting: the last can still be read in the next */
	Product products[2];
} Warp;

/* A copy to shared memory that is under way. */
typedef struct Fetch {
	void *to;
	const void *from;
	int bytes, group;
} Fetch;

typedef struct Block Block;

typedef struct Fiber {
	Context context;
	bool made;
	Block *block;
	unsigned thread;
	int kernel_waits;         /* calls of nnr_kernel_wait */
	const Meeting *waits_for; /* NULL: takes the next thread of the block that has not begun */
	unsigned number;
	bool polls;              /* waits for arrivals: looks again at each turn */
	unsigned cluster_number; /* of the meeting that it arrived at last */
	Fetch *fetches; /* of its thread: [done, asked) are under way, in the order of their groups */
	int done, asked, room;
	int groups; /* committed */
} Fiber;

struct Block {
	unsigned index, begun, ended;
	Meeting barrier;
	int votes[2];
	Warp warps[MOST_THREADS / LANES];
	Fiber fibers[MOST_THREADS];
	char *shared; /* its shared variables while another block of the cluster runs */
	char *chip;   /* what the launch asks for, and GUARD bytes that nothing may be written to */
	char stacks[MOST_THREADS][STACK];
};

static struct {
	const EmulatedKernel *kernel;
	void *const *arguments;
	unsigned threads, blocks; /* of a block, of the cluster */
	int chip_bytes;           /* of shared memory that the launch asks for */
	bool overlaps;            /* each thread must wait for the kernel before, once */
	bool descend;
	unsigned number; /* of clusters that have begun */
	Meeting meeting;
	Block *of[MOST_CLUSTER];
	Fiber *running;
	Context scheduler;
	const Block *present; /* whose shared variables are in place */
} cluster;

static void wait_for(const Meeting *m, unsigned number)
{
	Fiber *f = cluster.running;
	f->waits_for = m;
	f->number = number;
	context_switch(&f->context, &cluster.scheduler);
	emulated_thread.x = f->thread;
}

/* Arrives; the last of `members` ends the meeting. */
static void arrive(Meeting *m, int members)
{
	if (++m->arrived < members)
		return;
	m->arrived = 0;
	m->number++;
}

static void meet(Meeting *m, int members)
{
	unsigned number = m->number;
	arrive(m, members);
	if (m->number == number)
		wait_for(m, number);
}

void emulated_kernel_wait(void)
{
	cluster.running->kernel_waits++;
}

int emulated_barrier(int vote)
{
	Block *b = cluster.running->block;
	unsigned parity = b->barrier.number % 2;
	if (b->barrier.arrived == 0)
		b->votes[parity] = 0;
	b->votes[parity] |= vote != 0;
	meet(&b->barrier, (int)cluster.threads);
	return b->votes[parity];
}

const uint64_t *emulated_exchange(unsigned mask, uint64_t mine)
{
	Warp *w = &cluster.running->block->warps[emulated_thread.x / LANES];
	uint64_t *brought = w->brought[w->meeting.number % 2];
	brought[emulated_thread.x % LANES] = mine;
	meet(&w->meeting, __builtin_popcount(mask));
	return brought;
}

/* The numbers of a word; how many. */
static int split(float to[2], uint32_t word, const char *type)
{
	if (type[0] == 't') {
		to[0] = nnr_float_of(word & ~0x1fffu);
		return 1;
	}
	const uint16_t low = (uint16_t)word, high = (uint16_t)(word >> 16);
	const bool bf16 = type[0] == 'b';
	to[0] = bf16 ? nnr_bf16_value(low) : nnr_f16_value(low);
	to[1] = bf16 ? nnr_bf16_value(high) : nnr_f16_value(high);
	return 2;
}

static void multiply(Product *p, int depth)
{
	for (int row = 0; row < 16; row++) {
		float sum[8];
		memcpy(sum, p->d[row], sizeof sum);
		for (int k = 0; k < depth; k++)
			for (int column = 0; column < 8; column++)
				sum[column] += p->a[row][k] * p->b[k][column];
		memcpy(p->d[row], sum, sizeof sum);
	}
}

/* Here, and not in the header of kernels, since those are compiled without optimisation. The last lane multiplies. */
void emulated_mma(float d[4], const uint32_t a[4], const uint32_t b[2], const char *type)
{
	Warp *w = &cluster.running->block->warps[emulated_thread.x / LANES];
	Product *p = &w->products[w->meeting.number % 2];
	const unsigned lane = emulated_thread.x % LANES, group = lane / 4, place = lane % 4;
	int numbers = 0;
	for (unsigned i = 0; i < 4; i++) {
		float x[2], y[2];
		numbers = split(x, a[i], type);
		if (i < 2)
			split(y, b[i], type);
		for (int k = 0; k < numbers; k++) {
			p->a[group + i % 2 * 8][((int)(place + i / 2 * 4)) * numbers + k] = x[k];
			if (i < 2)
				p->b[((int)(place + i * 4)) * numbers + k][group] = y[k];
		}
		p->d[group + i / 2 * 8][2 * place + i % 2] = d[i];
	}
	if (w->meeting.arrived == LANES - 1)
		multiply(p, 8 * numbers);
	meet(&w->meeting, LANES);
	for (unsigned i = 0; i < 4; i++)
		d[i] = p->d[group + i / 2 * 8][2 * place + i % 2];
}

void emulated_cluster_arrive(void)
{
	cluster.running->cluster_number = cluster.meeting.number;
	arrive(&cluster.meeting, (int)(cluster.threads * cluster.blocks));
}

void emulated_cluster_wait(void)
{
	if (cluster.running->cluster_number == cluster.meeting.number)
		wait_for(&cluster.meeting, cluster.meeting.number);
}

/* Where the block of this rank in the cluster has the shared variable that p points into. */
static void *shared_of(void *p, unsigned rank)
{
	const Block *own = cluster.running->block;
	if (rank >= cluster.blocks || (char *)p < cluster.kernel->shared ||
	    (char *)p >= cluster.kernel->shared_end)
		fail(EXIT_SOURCE, "%s: no shared variable of block %u of the cluster", cluster.kernel->name,
		     rank);
	return cluster.of[rank] == own ? p : cluster.of[rank]->shared + ((char *)p - cluster.kernel->shared);
}

/* The upper half is the cluster's number, so that a counter of another cluster is known; the lower the bytes
 * missing. */
void emulated_expect(uint64_t *arrivals, unsigned bytes)
{
	*arrivals = (uint64_t)cluster.number << 32 | bytes;
}

void emulated_send(void *to, uint64_t *arrivals, unsigned rank, const void *from, int bytes)
{
	uint64_t counter, *there = shared_of(arrivals, rank);
	memcpy(&counter, there, sizeof counter);
	if (counter >> 32 != cluster.number || (unsigned)counter < (unsigned)bytes ||
	    cluster.of[rank]->ended == cluster.threads)
		fail(EXIT_SOURCE, "%s: block %u does not expect what block %u sends", cluster.kernel->name,
		     cluster.of[rank]->index, cluster.running->block->index);
	counter -= (unsigned)bytes;
	memcpy(there, &counter, sizeof counter);
	memcpy(shared_of(to, rank), from, (size_t)bytes);
}

void emulated_await_arrivals(const uint64_t *arrivals)
{
	Fiber *f = cluster.running;
	if (*arrivals >> 32 != cluster.number)
		fail(EXIT_SOURCE, "%s: waits for arrivals and has not said for which", cluster.kernel->name);
	while ((f->polls = (unsigned)*arrivals > 0)) {
		context_switch(&f->context, &cluster.scheduler);
		emulated_thread.x = f->thread;
	}
}

void emulated_fetch(void *to, const void *from, int bytes)
{
	Fiber *f = cluster.running;
	if ((uintptr_t)to % (uintptr_t)bytes || (uintptr_t)from % (uintptr_t)bytes)
		fail(EXIT_TOOL, "a copy of %d bytes from %p to %p: a GPU wants them aligned to so many",
		     bytes, from, to);
	if (f->asked == f->room) {
		f->room = f->room ? 2 * f->room : 16;
		f->fetches = realloc(f->fetches, (size_t)f->room * sizeof *f->fetches);
		if (!f->fetches)
			fail(EXIT_TOOL, "no memory for the copies of a thread");
	}
	f->fetches[f->asked++] = (Fetch){to, from, bytes, f->groups};
	memset(to, 0xff, (size_t)bytes);
}

void emulated_commit(void)
{
	cluster.running->groups++;
}

void emulated_await(int later)
{
	Fiber *f = cluster.running;
	for (; f->done < f->asked && f->fetches[f->done].group < f->groups - later; f->done++)
		memcpy(f->fetches[f->done].to, f->fetches[f->done].from, (size_t)f->fetches[f->done].bytes);
}

char *emulated_chip(int64_t bytes)
{
	if (bytes > cluster.chip_bytes)
		fail(EXIT_SOURCE, "%s is launched with %d bytes of shared memory and takes %lld",
		     cluster.kernel->name, cluster.chip_bytes, (long long)bytes);
	return cluster.running->block->chip;
}

void *emulated_chip_at(void *p, unsigned rank)
{
	const int64_t at = (char *)p - cluster.running->block->chip;
	if (rank >= cluster.blocks || at < 0 || at >= cluster.chip_bytes)
		fail(EXIT_SOURCE, "%s: nothing in the shared memory of block %u of the cluster",
		     cluster.kernel->name, rank);
	if (cluster.of[rank]->ended == cluster.threads)
		fail(EXIT_SOURCE, "%s: block %u has ended, and block %u writes to it", cluster.kernel->name,
		     cluster.of[rank]->index, cluster.running->block->index);
	return cluster.of[rank]->chip + at;
}

/* Fresh for each block, as nothing is left there by the one before that a kernel may read. */
static void chip_begin(Block *b)
{
	size_t size = (size_t)cluster.chip_bytes + GUARD;
	size = (size + CHIP_ALIGNMENT - 1) / CHIP_ALIGNMENT * CHIP_ALIGNMENT;
	free(b->chip);
	if (!(b->chip = aligned_alloc(CHIP_ALIGNMENT, size)))
		fail(EXIT_TOOL, "no memory for the shared memory of a block");
	memset(b->chip, 0xff, size);
}

static void chip_end(const Block *b)
{
	for (int i = 0; i < GUARD; i++)
		if (b->chip[cluster.chip_bytes + i] != (char)0xff)
			fail(EXIT_SOURCE, "%s, block %u: writes beyond its %d bytes of shared memory",
			     cluster.kernel->name, b->index, cluster.chip_bytes);
}

/* Runs threads of each block, one after another as long as none waits. */
static void fiber_main(void)
{
	for (;;) {
		Fiber *f = cluster.running;
		Block *b = f->block;
		f->waits_for = NULL;
		if (b->begun == cluster.threads) {
			context_switch(&f->context, &cluster.scheduler);
			continue;
		}
		f->thread = cluster.descend ? cluster.threads - 1 - b->begun : b->begun;
		b->begun++;
		emulated_thread.x = f->thread;
		f->done = f->asked = f->groups = f->kernel_waits = 0;
		cluster.kernel->run(cluster.arguments);
		if (cluster.overlaps && f->kernel_waits != 1)
			fail(EXIT_SOURCE,
			     "%s, thread %u of block %u: overlaps the kernel before it and calls "
			     "nnr_kernel_wait %d times",
			     cluster.kernel->name, f->thread, b->index, f->kernel_waits);
		b->ended++;
	}
}

static void resume(Fiber *f)
{
	if (!f->made) {
		char *stack = f->block->stacks[f - f->block->fibers];
		memset(stack + STACK - PAGE, 0xff, PAGE); /* no number that a kernel may take for its own */
		if (!(f->made = context_make(&f->context, stack, STACK, fiber_main)))
			fail(EXIT_TOOL, "no memory for the threads of a block");
	}
	cluster.running = f;
	context_switch(&cluster.scheduler, &f->context);
}

/* Gives the block its shared variables. */
static void bring_in(Block *b)
{
	const EmulatedKernel *k = cluster.kernel;
	size_t size = (size_t)(k->shared_end - k->shared);
	emulated_block.x = b->index;
	if (cluster.present == b || cluster.blocks == 1 || size == 0)
		return;
	if (cluster.present)
		memcpy(cluster.present->shared, k->shared, size);
	memcpy(k->shared, b->shared, size);
	cluster.present = b;
}

/* Runs the threads of one block that can run; whether there were any. */
static bool run_threads(Block *b)
{
	bool moved = false;
	for (unsigned i = 0; i < cluster.threads; i++) {
		Fiber *f = &b->fibers[i];
		if (f->polls       ? false
		    : f->waits_for ? f->waits_for->number == f->number
		                   : b->begun == cluster.threads)
			continue;
		f->block = b;
		bring_in(b);
		resume(f);
		moved |= !f->polls;
	}
	return moved;
}

/* Zeros, of which only the pages that are touched take memory: few of a block have 1024 threads, few threads a deep
 * stack. */
static Block *block_make(void)
{
	void *block = mmap(NULL, sizeof(Block), PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (block == MAP_FAILED)
		fail(EXIT_TOOL, "no memory for a block");
	return block;
}

static void run_cluster(unsigned first)
{
	const EmulatedKernel *k = cluster.kernel;
	unsigned ended = 0;
	cluster.number++;
	cluster.present = NULL;
	for (unsigned i = 0; i < cluster.blocks; i++) {
		if (!cluster.of[i])
			cluster.of[i] = block_make();
		Block *b = cluster.of[i];
		b->index = first + i;
		b->begun = b->ended = 0;
		chip_begin(b);
		if (cluster.blocks > 1 &&
		    !(b->shared = realloc(b->shared, (size_t)(k->shared_end - k->shared) + 1)))
			fail(EXIT_TOOL, "no memory for shared variables");
		if (cluster.blocks > 1) /* counters of other kernels are among them */
			memcpy(b->shared, k->shared, (size_t)(k->shared_end - k->shared));
	}
	while (ended < cluster.threads * cluster.blocks) {
		bool moved = false;
		for (unsigned i = 0; i < cluster.blocks; i++)
			moved |= run_threads(cluster.of[cluster.descend ? cluster.blocks - 1 - i : i]);
		ended = 0;
		for (unsigned i = 0; i < cluster.blocks; i++)
			ended += cluster.of[i]->ended;
		if (!moved)
			fail(EXIT_SOURCE,
			     "%s, block %u: %u threads have ended, the others wait for each other", k->name,
			     first, ended);
	}
	for (unsigned i = 0; i < cluster.blocks; i++)
		chip_end(cluster.of[i]);
}

void emulated_run(const EmulatedKernel *kernel, int64_t blocks, int threads, int chip_bytes, bool overlaps,
                  void *const *arguments)
{
	unsigned size = kernel->cluster ? kernel->cluster : 1;
	if (threads < 1 || threads > MOST_THREADS || blocks < 1 || size > MOST_CLUSTER || blocks % size != 0)
		fail(EXIT_SOURCE, "%s is launched with %lld blocks of %d threads in clusters of %u",
		     kernel->name, (long long)blocks, threads, size);
	cluster.kernel = kernel;
	cluster.arguments = arguments;
	cluster.threads = (unsigned)threads;
	cluster.blocks = size;
	cluster.chip_bytes = chip_bytes;
	cluster.overlaps = overlaps;
	for (int64_t i = 0; i < blocks; i += size)
		run_cluster((unsigned)(cluster.descend ? blocks - size - i : i));
}

void emulated_descend(bool descend)
{
	cluster.descend = descend;
}
