/* SPDX-License-Identifier: MIT */
#include "tests/cuda/emulation.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/writer.h"
#include "runtime/session/backend.h"
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
#include <unistd.h>

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
	        "#define nnr_cublas_matmul_epilogue(...) emulated_matmul_epilogue(%d, __VA_ARGS__)\n"
	        "#define nnr_cublas_matmul_row_sums(...) emulated_matmul_row_sums(%d, __VA_ARGS__)\n"
	        "#define nnr_cublas_matmul_beside(...) emulated_matmul_beside(%d, __VA_ARGS__)\n"
	        "#define nnr_cublas_matmul_slope(...) emulated_matmul_slope(%d, __VA_ARGS__)\n%s",
	        i, i, i, i, i, i, source);
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

/* Texts that one compiler reads, each in a namespace of its own: to begin takes as long as a small text does. All
 * include the same headers, so that none has one by another's word. */
typedef struct Part {
	int first;            /* of the networks that have its texts */
	const char *includes; /* what stands ahead of its texts' own */
	Writer *text;
	size_t length;
	bool full;
} Part;

typedef ARRAY(Part) Parts;

static const char linkage[] = "extern \"C\" ", /* by which names of two namespaces would be one */
        head[] = "extern \"C\" __global__ void __launch_bounds__(", dims[] = "__cluster_dims__(";

/* `extern "C" __global__ void __launch_bounds__(256) [__cluster_dims__(8)] NAME(` for each kernel of network `of`: the
 * table of them for network `i`, which has an equal text. */
static void write_table(Writer *w, const char *kernels, int of, int i)
{
	write_line(w, "extern \"C\" const EmulatedKernel emulated_kernels_%d[] = {", i);
	for (const char *at = kernels; (at = strstr(at, head));) {
		int blocks = 0;
		at = strchr(at + strlen(head), ')') + 2;
		if (strncmp(at, dims, strlen(dims)) == 0) {
			blocks = atoi(at + strlen(dims));
			at = strchr(at, ')') + 2;
		}
		int length = (int)strcspn(at, "(");
		write_line(w, "\t{\"%.*s\", emulated_call<emulated_%d::%.*s>, %d, __bss_start, _end},",
		           length, at, of, length, at, blocks);
	}
	write_line(w, "\t{nullptr, nullptr},\n};");
}

/* The next line that includes a header; NULL: none. A comment is ahead of the first. */
static const char *next_include(const char *from)
{
	const char *at = strstr(from, "\n#include ");
	return at ? at + 1 : NULL;
}

/* After the last of them. */
static const char *after_includes(const char *kernels)
{
	const char *end = kernels;
	for (const char *at = kernels; (at = next_include(at));)
		end = at + strcspn(at, "\n") + 1;
	return end;
}

static void write_namespace(Writer *w, const char *text, int i)
{
	write_line(w, "namespace emulated_%d {", i);
	for (const char *at; (at = strstr(text, head)); text = at + strlen(linkage))
		write_text(w, "%.*s", (int)(at - text), text);
	write_text(w, "%s}\n", text);
}

/* The first of the texts that is equal to text i: two data sets of one network have the same kernels. */
static int same_kernels(const MachineCode *code, int i)
{
	int k = 0;
	while (strcmp(code[k].kernels, code[i].kernels) != 0)
		k++;
	return k;
}

/* The part that takes a text with these includes. Blocks of a cluster have copies of all that its part shares: such a
 * text is alone. */
static Part *part_for(Arena *a, Parts *parts, const char *kernels, int i)
{
	enum { FULL = 64 << 10 };
	Writer *lines = writer_new(a);
	for (const char *at = kernels; (at = next_include(at));)
		write_line(lines, "%.*s", (int)strcspn(at, "\n"), at);
	const char *includes = writer_text(lines, NULL);
	const bool cluster = strstr(kernels, dims) != NULL;
	Part *found = NULL;
	for (int k = 0; k < parts->count && !cluster && !found; k++)
		if (!parts->at[k].full && !strcmp(parts->at[k].includes, includes))
			found = &parts->at[k];
	if (!found) {
		array_push(a, parts, (Part){.first = i, .includes = includes, .text = writer_new(a)});
		found = &parts->at[parts->count - 1];
		write_text(found->text, "%s", includes);
	}
	found->length += strlen(kernels);
	found->full = cluster || found->length > FULL;
	return found;
}

/* of[i] is the part that has the kernels of network i. */
static Parts parts_of(Arena *a, int count, const MachineCode *code, int *of)
{
	Parts parts = {0};
	for (int i = 0; i < count; i++) {
		const int same = same_kernels(code, i);
		if (same == i) {
			Part *part = part_for(a, &parts, code[i].kernels, i);
			write_namespace(part->text, after_includes(code[i].kernels), i);
			of[i] = (int)(part - parts.at);
		}
		of[i] = of[same];
		write_table(parts.at[of[i]].text, code[i].kernels, same, i);
	}
	return parts;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		fail(EXIT_TOOL, "cannot write %s: %s", path, strerror(errno));
}

/* The flags and the header are those of `emulated.h.gch`, made once for all tests. What else a kernel calls the test
 * has loaded, libraries too: a search for them is most of a link. */
static pid_t compile_part(const Part *part, const char *source, const char *object)
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
	write_file(source, writer_text(part->text, NULL));
	pid_t pid = spawn(argv);
	if (pid < 0)
		fail(EXIT_TOOL, "cannot start %s: %s", argv[0], strerror(errno));
	return pid;
}

static char *object_of(Arena *a, const char *folder, int load, int i)
{
	return arena_printf(a, "%s/kernels%d_%d.so", folder, load, i);
}

/* Networks of one part have one object by several names. */
static void open_load(Arena *a, int count, const char *folder, int load)
{
	loaded.count = count;
	loaded.kernels = NEW_ARRAY(a, const EmulatedKernel *, count);
	for (int i = 0; i < count; i++) {
		void *object = dlopen(object_of(a, folder, load, i), RTLD_NOW | RTLD_LOCAL);
		if (!object)
			fail(EXIT_TOOL, "%s", dlerror());
		loaded.kernels[i] = dlsym(object, arena_printf(a, "emulated_kernels_%d", i));
	}
}

static void emulation_open(Arena *a, int count, const char *folder)
{
	open_load(a, count, folder, 0);
}

static bool emulation_load(Arena *a, int count, const MachineCode *code, const char *folder)
{
	enum { JOBS = 2 };
	static const char refused[] = "the C++ compiler refused kernels (set NNC_TEST_KEEP=1 to keep them)";
	static int loads; /* a fresh name each time: the loader remembers paths */
	pid_t pids[JOBS] = {0};
	int load = loads++, *of = NEW_ARRAY(a, int, count);
	const Parts parts = parts_of(a, count, code, of);
	for (int p = 0; p < parts.count; p++) {
		pid_t *pid = &pids[p % JOBS];
		const int first = parts.at[p].first;
		if (*pid && !succeeds(*pid))
			fail(EXIT_SOURCE, refused);
		*pid = compile_part(&parts.at[p], arena_printf(a, "%s/kernels%d.cpp", folder, first),
		                    object_of(a, folder, load, first));
	}
	for (int i = 0; i < JOBS; i++)
		if (pids[i] && !succeeds(pids[i]))
			fail(EXIT_SOURCE, refused);
	for (int i = 0; i < count; i++) {
		const int first = parts.at[of[i]].first;
		if (first != i && link(object_of(a, folder, load, first), object_of(a, folder, load, i)) != 0)
			fail(EXIT_TOOL, "cannot link %s: %s", object_of(a, folder, load, i), strerror(errno));
	}
	open_load(a, count, folder, load);
	return true;
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
