/* SPDX-License-Identifier: MIT */
/* Compiling kernels.cu by NVRTC: see nvrtc.h. */
#include "toolchain/nvrtc.h"

#include "base/diag.h"
#include "base/processors.h"
#include "base/writer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of toolchain/nvrtc.h that is used, so that nnc builds where CUDA's headers are missing. */
typedef struct NvrtcProgram *NvrtcProgramPointer;

typedef struct Nvrtc {
	const char *file;
	int (*create)(NvrtcProgramPointer *p, const char *text, const char *name, int headers,
	              const char *const *texts, const char *const *names);
	int (*compile)(NvrtcProgramPointer p, int count, const char *const *options);
	int (*log_size)(NvrtcProgramPointer p, size_t *size);
	int (*log)(NvrtcProgramPointer p, char *text);
	int (*cubin_size)(NvrtcProgramPointer p, size_t *size);
	int (*cubin)(NvrtcProgramPointer p, char *bytes);
	int (*ptx_size)(NvrtcProgramPointer p, size_t *size);
	int (*ptx)(NvrtcProgramPointer p, char *bytes);
	int (*destroy)(NvrtcProgramPointer *p);
	const char *(*error)(int status);
} Nvrtc;

static const char *const places[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                                     "/usr/local/cuda/lib64/libnvrtc.so.13",
                                     "/usr/local/cuda/lib64/libnvrtc.so.12"};

/* NULL, and `why`: there is none. */
static void *open_library(Arena *a, const char **file, const char **why)
{
	const char *named = getenv("NNC_NVRTC"), *home = getenv("CUDA_HOME"), *first = NULL;
	void *library = NULL;
	if (named && *named) {
		*file = named;
		library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			*why = arena_printf(a, "$NNC_NVRTC is `%s`, which can't be loaded: %s",
			                    printable(a, named), dlerror());
		return library;
	}
	for (size_t i = 0; i < sizeof places / sizeof *places && !library; i++) {
		library = dlopen(*file = places[i], RTLD_NOW | RTLD_LOCAL);
		first = library || first ? first : arena_printf(a, "%s", dlerror());
	}
	if (!library && home && *home)
		library =
		        dlopen(*file = arena_printf(a, "%s/lib64/libnvrtc.so", home), RTLD_NOW | RTLD_LOCAL);
	if (!library)
		*why = arena_printf(
		        a,
		        "the target `cuda` needs NVRTC of the CUDA toolkit (12 or 13): searched the "
		        "library path, /usr/local/cuda and $CUDA_HOME for libnvrtc.so (%s); install "
		        "it, name the file by $NNC_NVRTC, or compile for --target=cpu",
		        first);
	return library;
}

const char *nvrtc_found(Arena *a, const char **why)
{
	const char *file;
	return open_library(a, &file, why) ? printable(a, file) : NULL;
}

static Nvrtc load(Arena *a)
{
	Nvrtc n = {0};
	const char *why;
	void *library = open_library(a, &n.file, &why);
	if (!library)
		fail(EXIT_TOOL, "%s", why);
	const struct {
		const char *name;
		void *at;
	} functions[] = {
	        {"nvrtcCreateProgram", &n.create},       {"nvrtcCompileProgram", &n.compile},
	        {"nvrtcGetProgramLogSize", &n.log_size}, {"nvrtcGetProgramLog", &n.log},
	        {"nvrtcGetCUBINSize", &n.cubin_size},    {"nvrtcGetCUBIN", &n.cubin},
	        {"nvrtcGetPTXSize", &n.ptx_size},        {"nvrtcGetPTX", &n.ptx},
	        {"nvrtcDestroyProgram", &n.destroy},     {"nvrtcGetErrorString", &n.error},
	};
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *f = dlsym(library, functions[i].name);
		if (!f)
			fail(EXIT_TOOL, "%s has no function %s; another NVRTC can be named by $NNC_NVRTC",
			     n.file, functions[i].name);
		memcpy(functions[i].at, &f, sizeof f);
	}
	return n;
}

typedef struct Bytes {
	char *at; /* malloc's: threads share no arena */
	size_t size;
} Bytes;

typedef int GetSize(NvrtcProgramPointer p, size_t *size);
typedef int GetBytes(NvrtcProgramPointer p, char *bytes);

static Bytes result_of(NvrtcProgramPointer p, GetSize *size, GetBytes *bytes)
{
	Bytes b = {0};
	require(size(p, &b.size) == 0);
	b.at = malloc(b.size + 1);
	if (!b.at)
		fail(EXIT_TOOL, "out of memory: %zu bytes of compiled kernels", b.size);
	require(bytes(p, b.at) == 0);
	b.at[b.size] = '\0';
	return b;
}

/* One text for one architecture. */
typedef struct Compilation {
	const char *text, *arch; /* "sm_90" for a cubin, "compute_90" for PTX */
	bool both;               /* of "sm_90", PTX for the same too */
	Bytes cubin, ptx;        /* what was asked for */
	int status;
	Bytes log; /* of a program that was refused; none where NVRTC made no program */
} Compilation;

/* All compilations of a run, which threads take one after another. */
typedef struct Compilations {
	const Nvrtc *n;
	Compilation *at;
	int count;
	const char *include; /* the option */
	bool with_lines;     /* of the text, in PTX */
	bool unoptimised;    /* saves two thirds of the time; an option of CUDA 12.8 and later */
	bool checks;         /* the results are not wanted */
	bool edited;         /* CudaKernels.edited */
	bool syntax;         /* nor made; an option of CUDA 12.8 and later, too */
	atomic_int next;
} Compilations;

static bool is_ptx(const char *arch)
{
	return strncmp(arch, "compute_", 8) == 0;
}

static void compile_one(const Compilations *all, Compilation *c)
{
	const Nvrtc *n = all->n;
	NvrtcProgramPointer p = NULL;
	char arch[64];
	snprintf(arch, sizeof arch, "--gpu-architecture=%s", c->arch);
	const char *options[8] = {arch, "--std=c++17", "--fmad=true", all->include};
	int count = 4;
	if (all->with_lines)
		options[count++] = "--generate-line-info";
	if (all->unoptimised)
		options[count++] = "--Ofast-compile=max";
	if (all->syntax)
		options[count++] = "--fdevice-syntax-only";
	c->status = n->create(&p, c->text, "kernels.cu", 0, NULL, NULL);
	if (c->status != 0)
		return;
	c->status = n->compile(p, count, options);
	if (c->status != 0)
		c->log = result_of(p, n->log_size, n->log);
	else if (!all->checks && is_ptx(c->arch))
		c->ptx = result_of(p, n->ptx_size, n->ptx);
	else if (!all->checks)
		c->cubin = result_of(p, n->cubin_size, n->cubin);
	if (c->status == 0 && c->both)
		c->ptx = result_of(p, n->ptx_size, n->ptx);
	n->destroy(&p);
}

static void *compile_what_is_left(void *data)
{
	Compilations *all = data;
	for (int i; (i = atomic_fetch_add(&all->next, 1)) < all->count;)
		compile_one(all, &all->at[i]);
	return NULL;
}

static void release_results(const Compilations *all)
{
	for (int i = 0; i < all->count; i++) {
		free(all->at[i].cubin.at);
		free(all->at[i].ptx.at);
		free(all->at[i].log.at);
	}
}

/* The first that was refused ends the process. */
static void require_accepted(Arena *a, const Compilations *all)
{
	for (int i = 0; i < all->count; i++) {
		const Compilation *c = &all->at[i];
		if (c->status == 0)
			continue;
		const char *log = c->log.at ? arena_strdup(a, c->log.at) : NULL;
		release_results(all);
		if (!log)
			fail(EXIT_TOOL, "%s can't begin to compile the kernels: %s", all->n->file,
			     all->n->error(c->status));
		if (strstr(log, "gpu-architecture"))
			fail(EXIT_TOOL, "%s does not know the architecture `%s`: %s", all->n->file,
			     printable(a, c->arch), printable(a, arena_strndup(a, log, strcspn(log, "\n"))));
		fputs(log, stderr);
		if (all->edited)
			fail(EXIT_SOURCE, "NVRTC refuses the kernels: what it says stands above");
		bug("NVRTC refuses the generated kernels: %s", all->n->error(c->status));
	}
}

/* By as many threads as there are processors, this one among them; it does alone what none can be made for. Stacks are
 * as large as the main thread's usually is, whatever the limit: NVRTC is no small program. */
static void compile_all(Arena *a, Compilations *all)
{
	enum { MOST_THREADS = 64, STACK = 8 << 20 };
	pthread_t threads[MOST_THREADS];
	pthread_attr_t attr;
	int wanted = processors_usable() - 1, begun = 0;
	wanted = wanted < all->count - 1 ? wanted : all->count - 1;
	wanted = wanted < MOST_THREADS ? wanted : MOST_THREADS;
	require(pthread_attr_init(&attr) == 0 && pthread_attr_setstacksize(&attr, STACK) == 0);
	while (begun < wanted && pthread_create(&threads[begun], &attr, compile_what_is_left, all) == 0)
		begun++;
	pthread_attr_destroy(&attr);
	compile_what_is_left(all);
	for (int i = 0; i < begun; i++)
		require(pthread_join(threads[i], NULL) == 0);
	require_accepted(a, all);
}

/* As string literals, which a C compiler reads three times as fast as numbers. An octal escape ends after three digits,
 * and before where no digit follows. */
static void write_image(Writer *w, int number, Bytes b)
{
	enum { LINE = 64 };
	char line[4 * LINE + 1];
	write_line(w, "static const _Alignas(8) char image_%d[] =", number);
	for (size_t from = 0; from < b.size; from += LINE) {
		const size_t end = from + LINE < b.size ? from + LINE : b.size;
		char *to = line;
		for (size_t i = from; i < end; i++) {
			const unsigned char c = (unsigned char)b.at[i];
			const bool digit_follows = i + 1 < end && b.at[i + 1] >= '0' && b.at[i + 1] <= '7';
			if (c >= ' ' && c < 127 && !strchr("\"\\?", c))
				*to++ = (char)c;
			else
				to += sprintf(to, digit_follows ? "\\%03o" : "\\%o", c);
		}
		*to = '\0';
		write_line(w, "\"%s\"%s", line, end == b.size ? ";" : "");
	}
}

/* The features of sm_90a too: no other device has compute capability 9. */
static const char *with_features(const char *arch)
{
	return strcmp(arch, "sm_90") == 0 ? "sm_90a" : arch;
}

/* What runs on later architectures is no code for the features of one. */
static bool is_ptx_of(const char *ptx, const char *arch)
{
	return is_ptx(ptx) && strncmp(arch, "sm_", 3) == 0 && strcmp(ptx + 8, arch + 3) == 0;
}

/* How many architectures a list names at most. */
static int list_length(const char *archs)
{
	int count = 1;
	for (; *archs; archs++)
		count += *archs == ',';
	return count;
}

void cuda_check(Arena *a, const char *kernels, const char *archs, const char *include, bool syntax)
{
	Nvrtc n = load(a);
	Compilations all = {
	        .n = &n,
	        .at = NEW_ARRAY(a, Compilation, list_length(archs)),
	        .include = arena_printf(a, "--include-path=%s", include),
	        .unoptimised = true,
	        .checks = true,
	        .syntax = syntax,
	};
	for (const char *at = archs; *at;) {
		size_t length = strcspn(at, ",");
		all.at[all.count++] =
		        (Compilation){.text = kernels, .arch = with_features(arena_strndup(a, at, length))};
		at += length + (at[length] == ',');
	}
	compile_all(a, &all);
}

/* The names of the images wanted, each once; returns how many: one more at most than the list has. */
static int image_names(Arena *a, const char *archs, bool own_features, const char *names[])
{
	int count = 0;
	for (const char *at = archs; *at;) {
		size_t length = strcspn(at, ",");
		names[count++] = arena_strndup(a, at, length);
		at += length + (at[length] == ',');
	}
	bool wants_ptx = archs[0] && archs[strlen(archs) - 1] != ',';
	if (wants_ptx && strncmp(names[count - 1], "sm_", 3) == 0)
		names[count] = arena_printf(a, "compute_%s", names[count - 1] + 3), count++;
	for (int i = 0; i < count; i++) {
		names[i] = own_features ? with_features(names[i]) : names[i];
		for (int k = 0; k < i; k++)
			if (strcmp(names[k], names[i]) == 0) { /* sm_90 and sm_90a */
				names[i] = names[--count];
				i--;
				break;
			}
	}
	return count;
}

CudaCode cuda_code(Arena *a, const char *kernels, const char *archs, const char *include, bool own_features,
                   bool wants_cubin)
{
	Nvrtc n = load(a);
	const char *arch = arena_strndup(a, archs, strcspn(archs, ","));
	arch = own_features ? with_features(arch) : arch;
	Compilation at[] = {{.text = kernels, .arch = arena_printf(a, "compute_%s", arch + 3)},
	                    {.text = kernels, .arch = arch}};
	Compilations all = {.n = &n,
	                    .at = at,
	                    .count = wants_cubin ? 2 : 1,
	                    .include = arena_printf(a, "--include-path=%s", include),
	                    .with_lines = true};
	compile_all(a, &all);
	CudaCode code = {.ptx = arena_strdup(a, at[0].ptx.at), .cubin_size = at[1].cubin.size};
	char *cubin = NEW_ARRAY(a, char, at[1].cubin.size + 1);
	if (wants_cubin)
		code.cubin = memcpy(cubin, at[1].cubin.at, at[1].cubin.size);
	release_results(&all);
	return code;
}

static void write_images(Arena *a, Writer *w, Compilations *all)
{
	write_text(
	        w,
	        "\n/* The kernels of kernels.cu, compiled by NVRTC: the images of one architecture are its "
	        "parts. */\n");
	Writer *table = writer_new(a);
	int number = 0;
	for (int i = 0; i < all->count; i++) {
		Compilation *c = &all->at[i];
		const char *ptx = c->both ? arena_printf(a, "compute_%s", c->arch + 3) : c->arch;
		const struct {
			Bytes *bytes;
			const char *arch;
		} made[] = {{&c->cubin, c->arch}, {&c->ptx, ptx}};
		for (int k = 0; k < 2; k++) {
			if (!made[k].bytes->at)
				continue;
			write_image(w, number, *made[k].bytes);
			write_line(table, "\t{%s, (const unsigned char *)image_%d, %zu},",
			           c_string(a, made[k].arch), number++, made[k].bytes->size);
		}
	}
	write_line(w, "static const NnrImage images[] = {");
	write_text(w, "%s", writer_text(table, NULL));
	write_line(w, "};");
	write_line(w, "enum { IMAGES = %d };", number);
}

char *cuda_images(Arena *a, const CudaKernels *k)
{
	Nvrtc n = load(a);
	const char **names = NEW_ARRAY(a, const char *, list_length(k->archs) + 1);
	const int count = image_names(a, k->archs, k->own_features, names);
	Compilations all = {
	        .n = &n,
	        .at = NEW_ARRAY(a, Compilation, count * k->part_count),
	        .include = arena_printf(a, "--include-path=%s", k->include),
	        .edited = k->edited,
	};
	for (int i = 0; i < count; i++) {
		const bool both = i + 1 < count && is_ptx_of(names[i + 1], names[i]);
		for (int p = 0; p < k->part_count; p++)
			all.at[all.count++] =
			        (Compilation){.text = k->parts[p], .arch = names[i], .both = both};
		i += both;
	}
	compile_all(a, &all);
	Writer *w = writer_new(a);
	write_images(a, w, &all);
	release_results(&all);
	write_line(w,
	           "const NnrCudaModel nnr_cuda_model = {.images = images, .image_count = IMAGES, "
	           ".precision = %s};",
	           c_string(a, k->precision));
	return (char *)writer_text(w, NULL);
}
