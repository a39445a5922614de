#include "tests/cuda/emulation.h"
#include "base/diag.h"
#include "runtime/core/backend.h"
#include "runtime/cuda/arguments.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/nnr_control.h"
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* ---- kernels by network */

static struct {
	int count;
	const EmulatedKernel **kernels;
} loaded;

static void launch(int network, const NnrKernel *k, void *const *arguments)
{
	const EmulatedKernel *found = network < loaded.count ? loaded.kernels[network] : NULL;
	while (found && found->name && strcmp(found->name, k->name) != 0)
		found++;
	if (!found || !found->name)
		fail(EXIT_SOURCE, "network %d launches %s, which its kernels.cu does not have", network,
		     k->name);
	void *all[NNR_MOST_ARGUMENTS];
	emulated_run(found, k->blocks, k->threads, k->shared_bytes, k->overlaps,
	             kernel_arguments(k, arguments, all));
}

/* ---- the branch: at once in ascending order; in descending order as late as its waits allow */

enum { MOST_LATE = 256, MOST_ARGUMENTS = 32 };

/* A launch that is put off. */
typedef struct Late {
	int network, number;
	const NnrKernel *kernel;
	void *values[MOST_ARGUMENTS]; /* of the arguments, which are pointers */
} Late;

static struct {
	bool descends, inside;
	int count, ended; /* launches that are put off; those that are of a number already */
	Late late[MOST_LATE];
} branch;

static void put_off(Late *late, int network, const NnrKernel *k, void *const *arguments, unsigned long bytes)
{
	size_t count = bytes / sizeof *arguments;
	require(count <= MOST_ARGUMENTS);
	late->network = network;
	late->kernel = k;
	for (size_t i = 0; i < count; i++)
		memcpy(&late->values[i], arguments[i], sizeof(void *));
}

static void launch_late(Late *late)
{
	void *arguments[MOST_ARGUMENTS];
	for (int k = 0; k < MOST_ARGUMENTS; k++)
		arguments[k] = &late->values[k];
	launch(late->network, late->kernel, arguments);
}

static void descend(bool whether)
{
	branch.descends = whether;
	emulated_descend(whether);
}

void nnr_branch_begin(void)
{
	branch.inside = branch.descends;
}

void nnr_branch_end(int number)
{
	branch.inside = false;
	for (; branch.ended < branch.count; branch.ended++)
		branch.late[branch.ended].number = number;
}

/* The first `count` of those that are put off. */
static void catch_up(int count)
{
	for (int i = 0; i < count; i++)
		launch_late(&branch.late[i]);
	branch.count -= count;
	branch.ended = branch.count;
	memmove(branch.late, branch.late + count, sizeof *branch.late * (size_t)branch.count);
}

void nnr_branch_wait(int number)
{
	int done = 0;
	while (done < branch.count && branch.late[done].number <= number)
		done++;
	catch_up(done);
}

void emulated_library(void)
{
	if (branch.inside)
		catch_up(branch.count);
}

void emulated_launch(int network, NnrKernel *k, void *const *arguments, unsigned long bytes)
{
	if (branch.inside) {
		require(branch.count < MOST_LATE);
		put_off(&branch.late[branch.count++], network, k, arguments, bytes);
	} else {
		launch(network, k, arguments);
	}
}

/* ---- what the host side of a network refers to */

/* As of a single rank. */
void nnr_means_begin(void)
{
}

void nnr_mean(const void *x, void *y, NnrDType dtype, int64_t count)
{
	memcpy(y, x, (size_t)count * (dtype == NNR_F64 ? sizeof(double) : sizeof(float)));
}

void nnr_means_end(void)
{
}

void nnr_share(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	memcpy(y, x, (size_t)share * (dtype == NNR_F64 ? sizeof(double) : sizeof(float)));
}

void nnr_gather(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	memcpy(y, x, (size_t)whole * (dtype == NNR_F64 ? sizeof(double) : sizeof(float)));
}

void nnr_copy(void *to, const void *from, int64_t bytes)
{
	memcpy(to, from, (size_t)bytes);
}

void nnr_step(int number, const char *what)
{
	(void)number;
	(void)what;
}

void nnr_step_of(const char *block, int number, const char *what)
{
	(void)block;
	nnr_step(number, what);
}

/* Without feeds: the batch is in the input block. */
void *nnr_step_supply(void)
{
	static NnrSupply supply;
	return &supply;
}

void *nnr_step_turn(void)
{
	static int turn;
	return &turn;
}

/* Nothing runs beside a step here. */
void nnr_scores_wait(void)
{
}

const NnrCudaModel nnr_cuda_model;
const NnrBackend nnr_cuda_backend;

static char *emulation_host(Arena *a, int i, const char *source)
{
	return arena_printf(
	        a,
	        "#include \"cuda/nnr_cuda.h\"\n"
	        "void emulated_launch(int network, NnrKernel *k, void *const *arguments, "
	        "unsigned long bytes);\n"
	        "void emulated_conv_epilogue(int, NnrPlan **, const NnrConvShape *,\n"
	        "                            const NnrEpilogue *, NnrDType, const void *,\n"
	        "                            const void *, const void *, const void *, void *);\n"
	        "void emulated_conv_sums(int, NnrPlan **, const NnrConvShape *,\n"
	        "                        const NnrEpilogue *, NnrDType, const void *,\n"
	        "                        const void *, void *, void *, void *, void *);\n"
	        "void emulated_matmul_epilogue(int, NnrPlan **, const NnrProductShape *,\n"
	        "                              const NnrEpilogue *, NnrDType, const void *,\n"
	        "                              const void *, const void *, const void *, void *);\n"
	        "void emulated_matmul_row_sums(int, NnrPlan **, const NnrProductShape *,\n"
	        "                              const NnrEpilogue *, NnrDType, const void *,\n"
	        "                              const void *, const float *, const float *, float *, float "
	        "*);\n"
	        "void emulated_matmul_beside(int, NnrPlan **, const NnrProductShape *,\n"
	        "                            const NnrEpilogue *, NnrDType, const void *,\n"
	        "                            const void *, const void *, void *, void *, float *);\n"
	        "void emulated_matmul_slope(int, NnrPlan **, const NnrProductShape *,\n"
	        "                           const NnrEpilogue *, NnrDType, const void *,\n"
	        "                           const void *, const void *, void *);\n"
	        "#define nnr_launch(k, ...) emulated_launch(%d, k, __VA_ARGS__, sizeof(__VA_ARGS__))\n"
	        "#define nnr_cudnn_attention(p, s, k, ...) ((void)(p), (void)(s), nnr_launch(k, "
	        "__VA_ARGS__))\n"
	        "#define nnr_cudnn_conv_epilogue(...) emulated_conv_epilogue(%d, __VA_ARGS__)\n"
	        "#define nnr_cudnn_conv_sums(...) emulated_conv_sums(%d, __VA_ARGS__)\n"
	        "#define nnr_cublas_matmul_epilogue(...) emulated_matmul_epilogue(%d, __VA_ARGS__)\n"
	        "#define nnr_cublas_matmul_row_sums(...) emulated_matmul_row_sums(%d, __VA_ARGS__)\n"
	        "#define nnr_cublas_matmul_beside(...) emulated_matmul_beside(%d, __VA_ARGS__)\n"
	        "#define nnr_cublas_matmul_slope(...) emulated_matmul_slope(%d, __VA_ARGS__)\n%s",
	        i, i, i, i, i, i, i, source);
}

/* ---- compiling */

/* The build's; none: no kernel is emulated. */
#ifndef EMULATED_COMPILER
#define EMULATED_COMPILER "c++"
#define EMULATED_HEADER   NNC_ROOT "/tests/cuda/emulated.h"
#endif

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

static bool emulation_possible(void)
{
	bool possible = succeeds(spawn((const char *const[]){EMULATED_COMPILER, "-x", "c++", "-E", "-o",
	                                                     "/dev/null", "/dev/null", NULL}));
	if (!possible)
		printf("SKIP emulated kernels: no C++ compiler %s\n", EMULATED_COMPILER);
	return possible;
}

/* `extern "C" __global__ void __launch_bounds__(256) [__cluster_dims__(8)] NAME(` for each kernel; the table of
 * them. */
static char *table_of(Arena *a, const char *kernels)
{
	static const char head[] = "extern \"C\" __global__ void __launch_bounds__(",
	                  dims[] = "__cluster_dims__(";
	char *table = arena_strdup(a, "extern \"C\" const EmulatedKernel emulated_kernels[] = {\n");
	for (const char *at = kernels; (at = strstr(at, head));) {
		int blocks = 0;
		at = strchr(at + strlen(head), ')') + 2;
		if (strncmp(at, dims, strlen(dims)) == 0) {
			blocks = atoi(at + strlen(dims));
			at = strchr(at, ')') + 2;
		}
		int length = (int)strcspn(at, "(");
		table = arena_printf(a, "%s\t{\"%.*s\", emulated_call<%.*s>, %d, __bss_start, _end},\n",
		                     table, length, at, length, at, blocks);
	}
	return arena_printf(a, "%s\t{nullptr, nullptr},\n};\n", table);
}

static void write_file(const char *path, const char *head, const char *rest)
{
	FILE *f = fopen(path, "w");
	if (!f || fprintf(f, "%s%s", head, rest) < 0 || fclose(f))
		fail(EXIT_TOOL, "cannot write %s: %s", path, strerror(errno));
}

/* The flags and the header are those of `emulated.h.gch`, made once for all tests. What else a kernel calls the test
 * has loaded, libraries too: a search for them is most of a link. */
static pid_t compile_kernels(Arena *a, const MachineCode *code, const char *source, const char *object)
{
	const char *const argv[] = {EMULATED_COMPILER,
	                            EMULATED_FLAGS,
	                            "-include",
	                            EMULATED_HEADER,
	                            "-I" NNC_ROOT,
	                            "-I" NNC_ROOT "/runtime",
	                            "-shared",
	                            "-nostdlib",
	                            "-o",
	                            object,
	                            source,
	                            NULL};
	write_file(source, code->kernels, table_of(a, code->kernels));
	pid_t pid = spawn(argv);
	if (pid < 0)
		fail(EXIT_TOOL, "cannot start %s: %s", argv[0], strerror(errno));
	return pid;
}

static char *object_of(Arena *a, const char *folder, int load, int i)
{
	return arena_printf(a, "%s/kernels%d_%d.so", folder, load, i);
}

static void open_load(Arena *a, int count, const char *folder, int load)
{
	loaded.count = count;
	loaded.kernels = NEW_ARRAY(a, const EmulatedKernel *, count);
	for (int i = 0; i < count; i++) {
		void *object = dlopen(object_of(a, folder, load, i), RTLD_NOW | RTLD_LOCAL);
		if (!object)
			fail(EXIT_TOOL, "%s", dlerror());
		loaded.kernels[i] = dlsym(object, "emulated_kernels");
	}
}

static void emulation_open(Arena *a, int count, const char *folder)
{
	open_load(a, count, folder, 0);
}

static const char refused[] = "the C++ compiler refused kernels (set NNC_TEST_KEEP=1 to keep them)";

/* The first of the texts that is equal to text i: two data sets of one network have the same kernels. */
static int same_kernels(const MachineCode *code, int i)
{
	int k = 0;
	while (strcmp(code[k].kernels, code[i].kernels) != 0)
		k++;
	return k;
}

/* A file of its own, since the loader knows a file again by its number: each network has its own shared memory. */
static void copy_object(const char *from, const char *to)
{
	if (!succeeds(spawn((const char *const[]){"cp", from, to, NULL})))
		fail(EXIT_TOOL, "cannot copy %s to %s", from, to);
}

static void emulation_load(Arena *a, int count, const MachineCode *code, const char *folder)
{
	enum { JOBS = 2 };
	static int loads; /* a fresh name each time: the loader remembers paths */
	pid_t pids[JOBS] = {0};
	int load = loads++, started = 0;
	for (int i = 0; i < count; i++) {
		if (same_kernels(code, i) != i)
			continue;
		pid_t *pid = &pids[started++ % JOBS];
		if (*pid && !succeeds(*pid))
			fail(EXIT_SOURCE, refused);
		*pid = compile_kernels(a, &code[i], arena_printf(a, "%s/kernels%d.cpp", folder, i),
		                       object_of(a, folder, load, i));
	}
	for (int i = 0; i < JOBS; i++)
		if (pids[i] && !succeeds(pids[i]))
			fail(EXIT_SOURCE, refused);
	for (int i = 0; i < count; i++)
		if (same_kernels(code, i) != i)
			copy_object(object_of(a, folder, load, same_kernels(code, i)),
			            object_of(a, folder, load, i));
	open_load(a, count, folder, load);
}

/* Device memory is host memory. */
static void emulation_run(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory,
                          const NnrScalars *scalars)
{
	p->run(memory, scalars);
	if (branch.count > 0)
		fail(EXIT_SOURCE, "a step ends before its branch");
}

const Machine machine = {
        .name = "emulated",
        .possible = emulation_possible,
        .host = emulation_host,
        .load = emulation_load,
        .open = emulation_open,
        .run = emulation_run,
        .descend = descend,
        .libraries = &emulated_libraries,
};
