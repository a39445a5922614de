/* SPDX-License-Identifier: MIT */
/* Generated kernels on this machine's GPU (tests/host/machine.h), through the runtime's own module, launch, branch and
 * library code. Every program is run twice on the same memory, launch by launch and as a captured graph with its
 * branches, and must compute the same bits. */
#include "tests/host/machine.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/writer.h"
#include "toolchain/nvrtc.h"
#include "tests/gpu/compiled.h"
#include "tests/gpu/device.h"
#include "tests/gpu/kinds.h"
#include "tests/host/host.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

/* ---- is there one? */

static char arch[16]; /* "sm_90,": for this GPU alone */

/* The architecture of a GPU that another machine has: kernels are compiled for it, and none is run. */
static const char *elsewhere(void)
{
	return getenv("NNC_TEST_ARCH");
}

static bool gpu_possible(void)
{
	int ends[2], status;
	char text[512] = "";
	if (elsewhere()) {
		snprintf(arch, sizeof arch, "%.14s,", elsewhere());
		return true;
	}
	fflush(NULL);
	if (pipe(ends))
		fail(EXIT_TOOL, "no pipe: %s", strerror(errno));
	pid_t pid = fork();
	if (pid == 0)
		gpu_look(ends[1]);
	close(ends[1]);
	size_t length = 0;
	for (ssize_t n; (n = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
		length += (size_t)n;
	close(ends[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
		printf("skip kernels on the GPU: %.*s\n", (int)strcspn(text, "\n"), text);
		return false;
	}
	snprintf(arch, sizeof arch, "%.14s,", text);
	return true;
}

/* ---- compiling */

/* In a child of its own: text that defines nnr_cuda_model, for the host source to include. Where compiled kernels are
 * kept, the file is a link to the kept one. */
static _Noreturn void write_images(const MachineCode *code, const char *archs, const char *folder, int i)
{
	Arena *a = arena_new();
	const char *include = arena_printf(a, "%s/runtime", host_root());
	const char *path = arena_printf(a, "%s/images%d.h", folder, i);
	const char *kept = compiled_file(a, code->kernels, archs, code->precision, include);
	const char *written = kept ? arena_printf(a, "%s.%d", kept, (int)getpid()) : path;
	const bool known = kept && utime(kept, NULL) == 0; /* its time says which are still used */
	if (!known) {
		FILE *f = fopen(written, "w");
		const CudaKernels kernels = {.parts = &code->kernels,
		                             .part_count = 1,
		                             .archs = archs,
		                             .precision = code->precision,
		                             .include = include,
		                             .own_features = true};
		if (!f || fputs(cuda_images(a, &kernels), f) < 0 || fclose(f) ||
		    (kept && rename(written, kept)))
			fail(EXIT_TOOL, "cannot write %s: %s", written, strerror(errno));
	}
	if (kept && symlink(kept, path))
		fail(EXIT_TOOL, "cannot link %s: %s", path, strerror(errno));
	exit(0);
}

/* As many children at a time as there are processors. Returns how many failed. */
static int compile_all(int count, const MachineCode *code, const char *archs, const char *folder)
{
	int jobs = (int)sysconf(_SC_NPROCESSORS_ONLN), running = 0, failed = 0;
	fflush(NULL);
	for (int i = 0; i < count || running > 0;) {
		int status;
		if (i < count && running < jobs) {
			pid_t pid = fork();
			if (pid == 0)
				write_images(&code[i], archs, folder, i);
			if (pid < 0)
				fail(EXIT_TOOL, "no process for NVRTC: %s", strerror(errno));
			running++;
			i++;
			continue;
		}
		failed += wait(&status) < 0 || status != 0;
		running--;
	}
	return failed;
}

/* A program that NVRTC must take, and the texts it is made of. */
typedef struct Check {
	const char *text, *arch;
	bool syntax; /* no code is made */
	int from, count;
} Check;

typedef ARRAY(Check) Checks;

/* In a child of its own, which NVRTC takes a quarter of a second to begin in. */
static _Noreturn void check_some(const Check *checks, int count)
{
	Arena *a = arena_new();
	const char *include = arena_printf(a, "%s/runtime", host_root());
	for (int i = 0; i < count; i++)
		cuda_check(a, checks[i].text, checks[i].arch, include, checks[i].syntax);
	exit(0);
}

/* As compile_all, without results, `most` programs a child; the texts of a child that is refused are marked. */
static void check_all(const Check *checks, int count, int most, bool *refused)
{
	int children = (count + most - 1) / most, jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
	pid_t *pids = calloc((size_t)children, sizeof *pids);
	require(pids);
	fflush(NULL);
	for (int next = 0; next < children + jobs;
	     next++) { /* at most `jobs` at a time, ended in their order */
		int status, ends = next - jobs;
		if (ends >= 0 && ends < children && (waitpid(pids[ends], &status, 0) < 0 || status != 0))
			for (int i = ends * most; i < count && i < (ends + 1) * most; i++)
				memset(refused + checks[i].from, true, (size_t)checks[i].count);
		if (next >= children)
			continue;
		int first = next * most;
		if ((pids[next] = fork()) == 0)
			check_some(checks + first, count - first < most ? count - first : most);
		if (pids[next] < 0)
			fail(EXIT_TOOL, "no process for NVRTC: %s", strerror(errno));
	}
	free(pids);
}

static const char *next_arch(Arena *a, const char **archs)
{
	const size_t length = strcspn(*archs, ",");
	const char *arch_name = arena_strndup(a, *archs, length);
	*archs += length + ((*archs)[length] == ',');
	return arch_name;
}

/* A program that still grows: for one architecture, of the texts from `from` on. */
typedef struct Growing {
	const char *arch;
	bool syntax;
	Writer *text;
	int from, kernels;
} Growing;

static void grow(Arena *a, Growing *g, const char *text, int kernels, int i)
{
	if (kernels == 0)
		return;
	if (!g->text) {
		g->text = writer_new(a);
		g->from = i;
		write_line(g->text, "#define NNR_WITHOUT_STEP_KERNELS");
		write_line(g->text, "#pragma nv_diag_suppress 177"); /* what no kernel of this part calls */
	}
	write_text(g->text, "%s", text);
	g->kernels += kernels;
}

static void finish(Growing *g, Checks *checks, Arena *a, int end)
{
	if (g->text)
		array_push(a, checks,
		           (Check){writer_text(g->text, NULL), g->arch, g->syntax, g->from, end - g->from});
	*g = (Growing){.arch = g->arch, .syntax = g->syntax};
}

/* Clusters of blocks come with sm_90: nnc writes them for no trainer that runs on other devices too. */
static bool is_for(const MachineCode *code, const char *arch_name)
{
	const char *number = strchr(arch_name, '_');
	return !number || atoi(number + 1) >= 90 || !strstr(code->kernels, "__cluster_dims__");
}

/* Many texts make one program, and share the time that its headers take. The first of each use are compiled for
 * `arch_name`; the others are read alone, or not at all: what they are made of is code of the first. */
static void add_checks(Arena *a, Checks *checks, const MachineCode *code, int count, const char *arch_name,
                       bool with_others)
{
	enum { KERNELS = 200 }; /* of a program */
	Growing first = {.arch = arch_name}, others = {.arch = arch_name, .syntax = true};
	Map *seen = map_new(a);
	for (int i = 0; i < count; i++) {
		const char *name = code[i].kernels + strlen("/* "); /* of the network, and a comma */
		const char *space = arena_printf(a, "%.*s_%d", (int)strcspn(name, ","), name, i);
		const Kinds none = {0}, kinds = is_for(&code[i], arch_name)
		                                        ? kinds_apart(a, code[i].kernels, space, seen)
		                                        : none;
		grow(a, &first, kinds.first, kinds.first_kernels, i);
		if (with_others)
			grow(a, &others, kinds.others, kinds.other_kernels, i);
		if (first.kernels >= KERNELS || i + 1 == count)
			finish(&first, checks, a, i + 1);
		if (others.kernels >= KERNELS || i + 1 == count)
			finish(&others, checks, a, i + 1);
	}
}

/* Without the runtime's own kernels: these take NVRTC longer than those of most networks, and no test launches them. */
static MachineCode *without_step_kernels(Arena *a, int count, const MachineCode *code)
{
	MachineCode *own = NEW_ARRAY(a, MachineCode, count);
	for (int i = 0; i < count; i++)
		own[i] = (MachineCode){
		        .kernels = arena_printf(a, "#define NNR_WITHOUT_STEP_KERNELS\n%s", code[i].kernels),
		        .precision = code[i].precision};
	return own;
}

static bool gpu_load(Arena *a, int count, const MachineCode *code, const char *folder)
{
	if (compile_all(count, without_step_kernels(a, count, code), arch, folder))
		fail(EXIT_SOURCE, "NVRTC refused generated kernels (set NNC_TEST_KEEP=1 to keep them)");
	return !elsewhere();
}

/* All kernels for the first architecture, one of each use of the headers for the others; the runtime's own by
 * themselves. What is refused counts as all texts of its program; NVRTC's words name the function, in a namespace by
 * its network. */
static int gpu_compile(int count, const MachineCode *code, const char *archs)
{
	bool without = false;
	check_all(&(Check){"", "sm_90", .from = 0, .count = 1}, 1, 1, &without);
	if (without) {
		printf("skip kernels by NVRTC: there is none\n");
		return -1;
	}
	Arena *a = arena_new();
	Checks checks = {0};
	bool *refused = NEW_ARRAY(a, bool, count + 1);
	const char *own = "#define NNR_TURNS_INPUTS\n#include \"cuda/nnr_device.h\"\n";
	for (bool with_others = true; *archs; with_others = false) {
		const char *arch_name = next_arch(a, &archs);
		array_push(a, &checks, (Check){own, arch_name, .from = count, .count = 1});
		add_checks(a, &checks, code, count, arch_name, with_others);
	}
	check_all(checks.at, checks.count, 4, refused);
	int failed = 0;
	for (int i = 0; i <= count; i++)
		failed += refused[i];
	arena_free(a);
	return failed < count ? failed : count;
}

static char *gpu_host(Arena *a, int i, const char *source)
{
	return arena_printf(a, "#define nnr_cuda_model nnr_cuda_model_%d\n%s\n#include \"images%d.h\"\n", i,
	                    source, i);
}

/* ---- running */

/* Of every tensor; what is after its last element, up to which a vector may be stored, is nobody's. */
static bool tables_equal(const NnrTensor *tensors, int count, const char *one, const char *two)
{
	bool same = true;
	for (int i = 0; i < count; i++) {
		const NnrTensor *t = &tensors[i];
		size_t size = (size_t)(host_elements(t->rank, t->dim) * host_element_bytes(t->dtype));
		same &= !memcmp(one + t->offset, two + t->offset, size);
	}
	return same;
}

static bool equal(const NnrModel *m, const NnrProgram *p, const NnrMemory *one, const NnrMemory *two)
{
	bool same = tables_equal(m->params, m->param_count, one->params, two->params) &&
	            tables_equal(m->states, m->state_count, one->state, two->state);
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		size_t size = (size_t)(host_elements(o->rank, o->dim) * host_element_bytes(o->dtype));
		same &= !memcmp(one->arena + o->offset, two->arena + o->offset, size);
	}
	return same;
}

static NnrMemory copy_of(const NnrModel *m, const NnrMemory *memory)
{
	NnrMemory copy = host_memory(m);
	memcpy(copy.params, memory->params, (size_t)m->param_bytes);
	memcpy(copy.state, memory->state, (size_t)m->state_bytes);
	memcpy(copy.inputs, memory->inputs, (size_t)(m->input_bytes + m->transposed_bytes));
	memcpy(copy.arena, memory->arena, (size_t)host_arena_bytes(m));
	return copy;
}

/* "; gradient dense.weight[3], the first of 40 in 1449, is 0.25 instead of 0.5": where a tensor has other bits. Nothing
 * where it has the same. */
static void write_difference(Writer *w, const char *what, const char *name, NnrDType dtype, int64_t count,
                             const char *graph, const char *plain)
{
	int64_t size = host_element_bytes(dtype), first = -1, others = 0;
	double is, was;
	for (int64_t i = 0; i < count; i++) {
		bool other = memcmp(graph + i * size, plain + i * size, (size_t)size) != 0;
		first = other && first < 0 ? i : first;
		others += other;
	}
	if (others == 0)
		return;
	host_get(graph + first * size, dtype, &is, 1);
	host_get(plain + first * size, dtype, &was, 1);
	write_text(w, "; %s %s[%lld], the first of %lld in %lld, is %.17g instead of %.17g", what, name,
	           (long long)first, (long long)others, (long long)count, is, was);
}

static void write_table(Writer *w, const char *what, const NnrTensor *tensors, int count, const char *graph,
                        const char *plain)
{
	for (int i = 0; i < count; i++) {
		const NnrTensor *t = &tensors[i];
		write_difference(w, what, t->name, t->dtype, host_elements(t->rank, t->dim),
		                 graph + t->offset, plain + t->offset);
	}
}

/* Outputs first, since the update follows from them; and how far into the arena, whose plan says which values are
 * there. */
static void write_differences(Writer *w, const NnrModel *m, const NnrProgram *p, const NnrMemory *graph,
                              const NnrMemory *plain)
{
	static const char *const kinds[] = {"the", "metric", "gradient", "value"};
	int64_t first = 0, end = p->arena_bytes;
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		write_difference(w, kinds[o->kind], o->name, o->dtype, host_elements(o->rank, o->dim),
		                 graph->arena + o->offset, plain->arena + o->offset);
	}
	while (first < end && graph->arena[first] == plain->arena[first])
		first++;
	while (end > first && graph->arena[end - 1] == plain->arena[end - 1])
		end--;
	if (first < end)
		write_text(w, "; the arena differs from byte %lld to %lld", (long long)first, (long long)end);
	write_table(w, "parameter", m->params, m->param_count, graph->params, plain->params);
	write_table(w, "state", m->states, m->state_count, graph->state, plain->state);
}

static const char *program_name(const NnrModel *m, const NnrProgram *p)
{
	return p == &m->train      ? "train"
	       : p == &m->evaluate ? "evaluate"
	       : p == &m->predict  ? "predict"
	                           : "prepare";
}

/* What differs, and whether it does again: a kernel that differs from itself, launches that do not wait for what they
 * need, and kernels that overlap are told apart by which of the ways differ. */
static _Noreturn void fail_different(const NnrModel *m, const NnrProgram *p, const NnrMemory *before,
                                     const NnrMemory *graph, const NnrMemory *plain,
                                     const NnrScalars *scalars)
{
	static const char *const ways[] = {[GPU_PLAIN] = "launch by launch",
	                                   [GPU_GRAPH] = "as a graph",
	                                   [GPU_GRAPH_APART] = "as a graph whose kernels do not overlap"};
	enum { AGAIN = 5 };
	Arena *a = arena_new();
	Writer *w = writer_new(a);
	write_text(w, "of %d more runs differ", AGAIN);
	for (GpuWay way = GPU_PLAIN; way <= GPU_GRAPH_APART; way++) {
		int others = 0;
		for (int i = 0; i < AGAIN; i++) {
			NnrMemory again = copy_of(m, before);
			gpu_run_program(m, p, &again, scalars, way);
			others += !equal(m, p, &again, plain);
			host_memory_free(&again);
		}
		write_text(w, "%s %d %s", way == GPU_PLAIN ? "" : ",", others, ways[way]);
	}
	write_differences(w, m, p, graph, plain);
	fail(EXIT_SOURCE, "%s, %s, step %g: as a graph it computes other bits than launch by launch: %s",
	     m->name, program_name(m, p), scalars->step, writer_text(w, NULL));
}

static void gpu_run(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory,
                    const NnrScalars *scalars)
{
	NnrMemory before = copy_of(m, memory), graph = copy_of(m, memory);
	gpu_run_program(m, p, memory, scalars, GPU_PLAIN);
	gpu_run_program(m, p, &graph, scalars, GPU_GRAPH);
	if (!equal(m, p, &graph, memory))
		fail_different(m, p, &before, &graph, memory, scalars);
	host_memory_free(&before);
	host_memory_free(&graph);
}

static const char *const libraries = "tf32 bf16 fp16";

const Machine machine = {
        .name = "on the GPU",
        .isolated = true,
        .libraries = &libraries,
        .possible = gpu_possible,
        .host = gpu_host,
        .load = gpu_load,
        .run = gpu_run,
        .compile = gpu_compile,
};
