#include "tests/cuda/emulation.h"
#include "base/array.h"
#include "base/diag.h"
#include "runtime/core/backend.h"
#include "runtime/cuda/nnr_cuda.h"
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>

extern char **environ;

enum { MOST_THREADS = 1024, LANES = 32, STACK = 1 << 18 };

typedef struct EmulatedIndex {
	unsigned x, y, z;
} EmulatedIndex;

/* What the kernels see: tests/cuda/device.h. */
EmulatedIndex emulated_thread, emulated_block;
int emulated_barrier(int vote);
const uint64_t *emulated_exchange(unsigned mask, uint64_t mine);
void emulated_launch(int network, NnrKernel *k, void *const *arguments);

/* ---- one block */

/* Where threads meet. A meeting ends when all have arrived, which is when its number goes up. */
typedef struct Meeting {
	unsigned number;
	int arrived;
} Meeting;

typedef struct Warp {
	Meeting meeting;
	uint64_t brought[2][LANES]; /* by the parity of the meeting: the last can still be read in the next */
} Warp;

typedef struct Fiber {
	ucontext_t context;
	char *stack;
	unsigned thread;
	const Meeting *waits_for; /* NULL: takes the next thread of the block that has not begun */
	unsigned number;
} Fiber;

static struct {
	const EmulatedKernel *kernel;
	void *const *arguments;
	unsigned threads, begun, ended;
	bool descend;
	Meeting barrier;
	int votes[2];
	Warp warps[MOST_THREADS / LANES];
	Fiber fibers[MOST_THREADS];
	Fiber *running;
	ucontext_t scheduler;
} block;

static void wait_for(const Meeting *m, unsigned number)
{
	Fiber *f = block.running;
	f->waits_for = m;
	f->number = number;
	swapcontext(&f->context, &block.scheduler);
	emulated_thread.x = f->thread;
}

/* Arrives; the last of `members` ends the meeting, the others wait. */
static void meet(Meeting *m, int members)
{
	unsigned number = m->number;
	if (++m->arrived < members) {
		wait_for(m, number);
		return;
	}
	m->arrived = 0;
	m->number++;
}

int emulated_barrier(int vote)
{
	unsigned parity = block.barrier.number % 2;
	if (block.barrier.arrived == 0)
		block.votes[parity] = 0;
	block.votes[parity] |= vote != 0;
	meet(&block.barrier, (int)block.threads);
	return block.votes[parity];
}

const uint64_t *emulated_exchange(unsigned mask, uint64_t mine)
{
	Warp *w = &block.warps[emulated_thread.x / LANES];
	uint64_t *brought = w->brought[w->meeting.number % 2];
	brought[emulated_thread.x % LANES] = mine;
	meet(&w->meeting, __builtin_popcount(mask));
	return brought;
}

/* Runs threads of each block, one after another as long as none waits. */
static void fiber_main(void)
{
	for (;;) {
		Fiber *f = block.running;
		f->waits_for = NULL;
		if (block.begun == block.threads) {
			swapcontext(&f->context, &block.scheduler);
			continue;
		}
		f->thread = block.descend ? block.threads - 1 - block.begun : block.begun;
		block.begun++;
		emulated_thread.x = f->thread;
		block.kernel->run(block.arguments);
		block.ended++;
	}
}

static void resume(Fiber *f)
{
	if (!f->stack) {
		f->stack = malloc(STACK);
		if (!f->stack || getcontext(&f->context))
			fail(EXIT_TOOL, "no memory for the threads of a block");
		f->context.uc_stack.ss_sp = f->stack;
		f->context.uc_stack.ss_size = STACK;
		f->context.uc_link = NULL;
		makecontext(&f->context, fiber_main, 0);
	}
	block.running = f;
	swapcontext(&block.scheduler, &f->context);
}

static void run_block(void)
{
	block.begun = block.ended = 0;
	while (block.ended < block.threads) {
		bool moved = false;
		for (unsigned i = 0; i < block.threads; i++) {
			Fiber *f = &block.fibers[i];
			if (f->waits_for ? f->waits_for->number == f->number : block.begun == block.threads)
				continue;
			resume(f);
			moved = true;
		}
		if (!moved)
			fail(EXIT_SOURCE,
			     "%s, block %u: %u threads have ended, the others wait for each other",
			     block.kernel->name, emulated_block.x, block.ended);
	}
}

void emulated_run(const EmulatedKernel *kernel, int64_t blocks, int threads, void *const *arguments)
{
	if (threads < 1 || threads > MOST_THREADS || blocks < 1)
		fail(EXIT_SOURCE, "%s is launched with %lld blocks of %d threads", kernel->name,
		     (long long)blocks, threads);
	block.kernel = kernel;
	block.arguments = arguments;
	block.threads = (unsigned)threads;
	for (int64_t i = 0; i < blocks; i++) {
		emulated_block.x = (unsigned)(block.descend ? blocks - 1 - i : i);
		run_block();
	}
}

/* ---- kernels by network */

static struct {
	int count;
	const EmulatedKernel **kernels;
} loaded;

void emulation_descend(bool descend)
{
	block.descend = descend;
}

void emulated_launch(int network, NnrKernel *k, void *const *arguments)
{
	const EmulatedKernel *found = network < loaded.count ? loaded.kernels[network] : NULL;
	while (found && found->name && strcmp(found->name, k->name) != 0)
		found++;
	if (!found || !found->name)
		fail(EXIT_SOURCE, "network %d launches %s, which its kernels.cu does not have", network,
		     k->name);
	emulated_run(found, k->blocks, k->threads, arguments);
}

/* ---- what the host side of a network refers to */

void nnr_copy(void *to, const void *from, int64_t bytes)
{
	memcpy(to, from, (size_t)bytes);
}

const NnrCudaModel nnr_cuda_model;
const NnrBackend nnr_cuda_backend;

char *emulation_host(Arena *a, int i, const char *source)
{
	return arena_printf(a,
	                    "#include \"cuda/nnr_cuda.h\"\n"
	                    "void emulated_launch(int network, NnrKernel *k, void *const *arguments);\n"
	                    "#define nnr_launch(...) emulated_launch(%d, __VA_ARGS__)\n%s",
	                    i, source);
}

/* ---- compiling */

static const char *compiler(void)
{
	const char *cxx = getenv("CXX");
	return cxx && !strchr(cxx, ' ') ? cxx : "c++";
}

static pid_t spawn(const char *const *argv)
{
	pid_t pid;
	return posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)argv, environ) ? -1 : pid;
}

static bool succeeds(pid_t pid)
{
	int status;
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

bool emulation_possible(void)
{
	bool possible = succeeds(spawn(
	        (const char *const[]){compiler(), "-x", "c++", "-E", "-o", "/dev/null", "/dev/null", NULL}));
	if (!possible)
		printf("SKIP emulated kernels: no C++ compiler %s\n", compiler());
	return possible;
}

/* `extern "C" __global__ void __launch_bounds__(256) NAME(` for each kernel; the table of their names. */
static char *table_of(Arena *a, const char *kernels)
{
	static const char head[] = "extern \"C\" __global__ void __launch_bounds__(";
	char *table = arena_strdup(a, "extern \"C\" const EmulatedKernel emulated_kernels[] = {\n");
	for (const char *at = kernels; (at = strstr(at, head));) {
		at = strchr(at + strlen(head), ')') + 2;
		int length = (int)strcspn(at, "(");
		table = arena_printf(a, "%s\t{\"%.*s\", emulated_call<%.*s>},\n", table, length, at, length,
		                     at);
	}
	return arena_printf(a, "%s\t{nullptr, nullptr},\n};\n", table);
}

static pid_t compile_kernels(Arena *a, const char *kernels, const char *source, const char *object)
{
	FILE *f = fopen(source, "w");
	if (!f || fprintf(f, "#include \"tests/cuda/device.h\"\n%s%s", kernels, table_of(a, kernels)) < 0 ||
	    fclose(f))
		fail(EXIT_TOOL, "cannot write %s: %s", source, strerror(errno));
	const char *const argv[] = {compiler(),
	                            "-std=gnu++17",
	                            "-O0",
	                            "-fPIC",
	                            "-shared",
	                            "-ffp-contract=off",
	                            "-fsanitize=alignment,signed-integer-overflow,bounds",
	                            "-fsanitize-undefined-trap-on-error",
	                            "-Wall",
	                            "-Wextra",
	                            "-Werror",
	                            "-Wno-unknown-pragmas",
	                            "-Wno-unused-function",
	                            "-Wno-maybe-uninitialized",
	                            "-Wno-unused-variable",
	                            "-I" NNC_ROOT,
	                            "-I" NNC_ROOT "/runtime",
	                            "-o",
	                            object,
	                            source,
	                            NULL};
	pid_t pid = spawn(argv);
	if (pid < 0)
		fail(EXIT_TOOL, "cannot start %s: %s", argv[0], strerror(errno));
	return pid;
}

void emulation_load(Arena *a, int count, const char *const *kernels, const char *folder)
{
	enum { JOBS = 2 };
	static int loads; /* a fresh name each time: the loader remembers paths */
	pid_t pids[JOBS] = {0};
	char **objects = NEW_ARRAY(a, char *, count);
	int load = loads++;
	for (int i = 0; i < count + JOBS; i++) {
		if (i >= JOBS && !succeeds(pids[i % JOBS]))
			fail(EXIT_SOURCE,
			     "the C++ compiler refused kernels (set NNC_TEST_KEEP=1 to keep them)");
		if (i >= count)
			continue;
		char *source = arena_printf(a, "%s/kernels%d.cpp", folder, i);
		objects[i] = arena_printf(a, "%s/kernels%d_%d.so", folder, load, i);
		pids[i % JOBS] = compile_kernels(a, kernels[i], source, objects[i]);
	}
	loaded.count = count;
	loaded.kernels = NEW_ARRAY(a, const EmulatedKernel *, count);
	for (int i = 0; i < count; i++) {
		void *object = dlopen(objects[i], RTLD_NOW | RTLD_LOCAL);
		if (!object)
			fail(EXIT_TOOL, "%s", dlerror());
		loaded.kernels[i] = dlsym(object, "emulated_kernels");
	}
}
