/* SPDX-License-Identifier: MIT */
#include "tests/host/host.h"
#include "runtime/ranks/nnr_ranks.h"
#include "runtime/nnr_half.h"
#include "base/array.h"
#include "base/diag.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct Host {
	void *object;
	int count;
	const NnrModel **models;
};

static const NnrModel *taken; /* by nnr_main, from the network whose main() runs */

int nnr_main(const NnrModel *model, int argc, char **argv)
{
	taken = model;
	return 0;
}

/* ---- the folder */

static char own_folder[4096];
static pid_t folder_owner;

static void folder_remove(void)
{
	if (getpid() != folder_owner) /* a child that ended */
		return;
	DIR *dir = opendir(own_folder);
	for (struct dirent *d; dir && (d = readdir(dir));) {
		char path[4096 + 300];
		snprintf(path, sizeof path, "%s/%s", own_folder, d->d_name);
		unlink(path);
	}
	if (dir)
		closedir(dir);
	rmdir(own_folder);
}

const char *host_folder(Arena *a)
{
	if (!own_folder[0]) {
		const char *base = getenv("TMPDIR");
		snprintf(own_folder, sizeof own_folder, "%s/nnc-test-XXXXXX", base ? base : "/tmp");
		if (!mkdtemp(own_folder))
			fail(EXIT_TOOL, "no folder %s: %s", own_folder, strerror(errno));
		folder_owner = getpid();
		if (!getenv("NNC_TEST_KEEP"))
			atexit(folder_remove);
	}
	return own_folder;
}

/* ---- compiling */

typedef ARRAY(char *) Argv;

static pid_t spawn(Arena *a, Argv *argv)
{
	pid_t pid;
	array_push(a, argv, NULL);
	int error = posix_spawnp(&pid, argv->at[0], NULL, NULL, argv->at, environ);
	if (error)
		fail(EXIT_TOOL, "cannot start %s: %s", argv->at[0], strerror(error));
	return pid;
}

static void wait_one(int *running)
{
	int status;
	pid_t pid = wait(&status);
	if (pid < 0 || status != 0)
		fail(EXIT_SOURCE,
		     "the C compiler refused a generated network (set NNC_TEST_KEEP=1 to keep it)");
	--*running;
}

const char *host_root(void)
{
	const char *root = getenv("NNC_ROOT");
	return root && *root ? root : NNC_ROOT;
}

static const char *compiler(void)
{
	const char *cc = getenv("CC");
	return cc && !strchr(cc, ' ') ? cc : "cc";
}

char *host_compile(Arena *a, int count, const char *const *sources, const HostOptions *options)
{
	Argv link = {0};
	static int loads; /* a fresh name each time: the loader remembers paths */
	char *shared = arena_printf(a, "%s/networks%d.so", options->folder, loads++);
	const char *include = arena_printf(a, "-I%s", host_root());
	const char *runtime = arena_printf(a, "-I%s/runtime", host_root());
	array_push(a, &link, (char *)compiler());
	array_push(a, &link, "-shared");
	array_push(a, &link, "-fopenmp");
	array_push(a, &link, "-o");
	array_push(a, &link, shared);
	int running = 0;
	for (int i = 0; i < count; i++) {
		char *source = arena_printf(a, "%s/net%d.c", options->folder, i);
		char *object = arena_printf(a, "%s/net%d.o", options->folder, i);
		FILE *f = fopen(source, "w");
		if (!f || fputs(sources[i], f) < 0 || fclose(f))
			fail(EXIT_TOOL, "cannot write %s: %s", source, strerror(errno));
		Argv argv = {0};
		const char *const fixed[] = {compiler(), "-std=gnu17", "-fPIC",   "-fopenmp",
		                             "-Wall",    "-Wextra",    "-Werror", include,
		                             runtime,    "-c",         "-o"};
		for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
			array_push(a, &argv, (char *)fixed[k]);
		array_push(a, &argv, object);
		array_push(a, &argv, source);
		array_push(a, &argv, arena_printf(a, "-Dmain=net%d_main", i));
		for (int k = 0; options->flags && options->flags[k]; k++)
			array_push(a, &argv, (char *)options->flags[k]);
		if (options->plain && options->plain[i])
			array_push(a, &argv, (char *)"-O0");
		if (running >= (options->jobs ? options->jobs : 2))
			wait_one(&running);
		spawn(a, &argv);
		running++;
		array_push(a, &link, object);
	}
	while (running)
		wait_one(&running);
	for (int k = 0; options->libraries && options->libraries[k]; k++)
		array_push(a, &link, (char *)options->libraries[k]);
	array_push(a, &link, "-lm");
	spawn(a, &link);
	running = 1;
	wait_one(&running);
	return shared;
}

Host *host_open(Arena *a, int count, const char *path)
{
	omp_set_num_threads(2); /* races show, and libgomp stays loaded when the networks go */
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		fail(EXIT_TOOL, "%s", dlerror());
	Host *h = NEW(a, Host);
	h->object = object;
	h->count = count;
	h->models = NEW_ARRAY(a, const NnrModel *, count);
	for (int i = 0; i < count; i++) {
		void *symbol = dlsym(object, arena_printf(a, "net%d_main", i));
		int (*start)(int, char **);
		memcpy(&start, &symbol, sizeof start);
		taken = NULL;
		char *argv[] = {"net", NULL};
		if (!start || start(1, argv) || !taken)
			fail(EXIT_SOURCE, "generated network %d does not hand its model to nnr_main", i);
		h->models[i] = taken;
	}
	return h;
}

Host *host_load(Arena *a, int count, const char *const *sources, const HostOptions *options)
{
	return host_open(a, count, host_compile(a, count, sources, options));
}

const NnrModel *host_model(const Host *h, int i)
{
	return h->models[i];
}

void host_free(Host *h)
{
	/* The object stays loaded: OpenMP's idle threads still stand in the library that it brought along. */
	h->object = NULL;
}

/* ---- memory */

static char *block(int64_t bytes, int fill)
{
	size_t size = ((size_t)bytes / 64 + 1) * 64;
	char *p = aligned_alloc(64, size);
	if (!p)
		fail(EXIT_TOOL, "out of memory");
	memset(p, fill, size);
	return p;
}

int64_t host_arena_bytes(const NnrModel *m)
{
	const NnrProgram *const programs[] = {&m->train, &m->evaluate, &m->predict, &m->prepare};
	int64_t most = 0;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		most = programs[i]->arena_bytes > most ? programs[i]->arena_bytes : most;
	return most;
}

NnrMemory host_memory(const NnrModel *m)
{
	NnrMemory memory = {.params = block(m->param_bytes, 0),
	                    .state = block(m->state_bytes, 0),
	                    .inputs = block(m->input_bytes + m->transposed_bytes, 0xff),
	                    .arena = block(host_arena_bytes(m), 0xff)};
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		for (int64_t k = 0; k < host_elements(t->rank, t->dim); k++) {
			size_t size = t->dtype == NNR_F64 ? 8 : 4;
			host_put(memory.state + t->offset + (size_t)k * size, t->dtype, &t->a, 1);
		}
	}
	return memory;
}

void host_fill_copy(const NnrModel *m, const NnrMemory *memory)
{
	const NnrCopy copies[] = {m->copy, m->frozen_copy};
	for (int i = 0; i < 2; i++)
		nnr_halve((uint16_t *)(void *)(memory->state + copies[i].offset),
		          (const float *)(const void *)memory->params + copies[i].first, copies[i].elements,
		          copies[i].dtype == NNR_BF16);
}

void host_memory_free(NnrMemory *memory)
{
	free(memory->params);
	free(memory->state);
	free(memory->inputs);
	free(memory->arena);
}

void host_put_input(const NnrMemory *memory, const NnrInput *in, const double *values, bool training)
{
	int64_t count = host_elements(in->rank, in->dim), batch = in->dim[0], each = count / batch;
	if (!training || !in->transposed_alone)
		host_put(memory->inputs + in->offset, in->dtype, values, count);
	for (int64_t i = 0; in->transposed && i < count; i++)
		host_put(memory->inputs + in->transposed + i * host_element_bytes(in->dtype), in->dtype,
		         &values[i % batch * each + i / batch], 1);
}

void host_put(void *to, NnrDType dtype, const double *values, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		switch (dtype) {
		case NNR_F64:
			((double *)to)[i] = values[i];
			break;
		case NNR_F32:
			((float *)to)[i] = (float)values[i];
			break;
		case NNR_I32:
			((int32_t *)to)[i] = (int32_t)values[i];
			break;
		case NNR_U8:
			((uint8_t *)to)[i] = (uint8_t)values[i];
			break;
		default:
			fail(EXIT_SOURCE, "the test host has no dtype %d", dtype);
		}
	}
}

void host_get(const void *from, NnrDType dtype, double *values, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		switch (dtype) {
		case NNR_F64:
			values[i] = ((const double *)from)[i];
			break;
		case NNR_F32:
			values[i] = ((const float *)from)[i];
			break;
		case NNR_I32:
			values[i] = ((const int32_t *)from)[i];
			break;
		case NNR_U8:
			values[i] = ((const uint8_t *)from)[i];
			break;
		default:
			fail(EXIT_SOURCE, "the test host has no dtype %d", dtype);
		}
	}
}

int host_element_bytes(NnrDType dtype)
{
	static const int bytes[] = {
	        [NNR_F32] = 4, [NNR_F64] = 8, [NNR_BF16] = 2, [NNR_F16] = 2, [NNR_I32] = 4, [NNR_U8] = 1};
	return bytes[dtype];
}

int64_t host_elements(int rank, const int64_t *dim)
{
	int64_t n = 1;
	for (int i = 0; i < rank; i++)
		n *= dim[i];
	return n;
}

const NnrTensor *host_tensor(const NnrTensor *tensors, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(tensors[i].name, name))
			return &tensors[i];
	return NULL;
}

const NnrOutput *host_output(const NnrProgram *p, NnrOutputKind kind, const char *name)
{
	for (int i = 0; i < p->output_count; i++)
		if (p->outputs[i].kind == kind && (!name || !strcmp(p->outputs[i].name, name)))
			return &p->outputs[i];
	return NULL;
}

/* For generated code, as of a single rank. */
void nnr_rank_share(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	memcpy(y, x, (size_t)(share * host_element_bytes(dtype)));
}

void nnr_rank_gather(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	memcpy(y, x, (size_t)(whole * host_element_bytes(dtype)));
}

void nnr_rank_mean(const void *x, void *y, NnrDType dtype, int64_t count)
{
	memcpy(y, x, (size_t)(count * host_element_bytes(dtype)));
}
