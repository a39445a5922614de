/* SPDX-License-Identifier: MIT */
/* nnc doctor. doctor.h.
 *
 * A library is there when the loader finds it, as a trainer would. Nothing is written and nothing is run. */
#include "tools/doctor.h"

#include "base/processors.h"
#include "base/writer.h"
#include "toolchain/cc.h"
#include "toolchain/nvrtc.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line: what it is, whether it is there, and if not, what is gone without it and what installs it. */
static void print_row(const char *name, const char *state)
{
	printf("  %-15s %s\n", name, state);
}

static void print_missing(const char *name, const char *without, const char *install)
{
	printf("  %-15s missing: %s\n%18s%s\n", name, without, "", install);
}

/* ---- the machine */

enum { LIMIT_FACTS = 1 << 16 };

/* The first bytes of a file of /proc or /sys, "" where it can't be read. */
static const char *facts_of(Arena *a, const char *path)
{
	char *text = arena_alloc(a, LIMIT_FACTS);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, LIMIT_FACTS - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	return text;
}

/* What follows `key` and a colon in a line of the text; NULL: no line has it. */
static const char *fact(Arena *a, const char *text, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, key, length) != 0)
			continue;
		const char *value = line + length + strspn(line + length, " \t");
		if (*value == ':') {
			value += 1 + strspn(value + 1, " \t");
			return arena_strndup(a, value, strcspn(value, "\n"));
		}
	}
	return NULL;
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = text; (at = strstr(at, word)) != NULL; at += n)
		if ((at == text || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

/* Those of which the loops and oneDNN have variants. */
static const char *vector_features(Arena *a, const char *cpuinfo)
{
	static const char *const known[] = {"sse4_2",   "avx",      "avx2",        "fma",
	                                    "avx512f",  "avx512bw", "avx512_vnni", "avx512_bf16",
	                                    "amx_bf16", "asimd",    "sve",         "bf16"};
	const char *has = fact(a, cpuinfo, "flags");
	Writer *w = writer_new(a);
	if (!has)
		has = fact(a, cpuinfo, "Features");
	for (size_t i = 0; has && i < sizeof known / sizeof *known; i++)
		if (has_word(has, known[i]))
			write_text(w, "%s ", known[i]);
	return *writer_text(w, NULL) ? writer_text(w, NULL) : "no vector instructions that nnc has loops for";
}

static void print_machine(Arena *a)
{
	const char *cpuinfo = facts_of(a, "/proc/cpuinfo"), *model = fact(a, cpuinfo, "model name");
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int usable = processors_allowed();
	double limit = processors_limit(), load[1] = {0};
	printf("This machine\n");
	print_row("processors",
	          arena_printf(a, "%d of %ld%s%s%s", usable, online, model ? ", " : "", model ? model : "",
	                       limit > 0 && limit < usable
	                               ? arena_printf(a, "; its control group has time for %g", limit)
	                               : ""));
	print_row("instructions", vector_features(a, cpuinfo));
	const char *memory = fact(a, facts_of(a, "/proc/meminfo"), "MemAvailable");
	if (memory)
		print_row("memory", arena_printf(a, "%.1f GB can be had", atof(memory) * 1024 / 1e9));
	if (getloadavg(load, 1) == 1)
		print_row("load", arena_printf(a, "%.1f%s", load[0],
		                               load[0] > usable / 2.0
		                                       ? ": other programs want the processors, too; a "
		                                         "training shares them"
		                                       : ""));
}

/* ---- the CPU's side */

/* A library that may be called by several names, and what is gone without it. */
typedef struct Library {
	const char *title, *names[4], *without, *install;
} Library;

/* A library, or NULL; of a file that is there and that the loader does not take, it says why. */
static void *open_library(const char *file)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	const char *why = library ? NULL : dlerror();
	if (why && !strstr(why, strerror(ENOENT)))
		printf("  %-15s can't be loaded: %s\n", "", why);
	return library;
}

/* The first name that the loader finds, and the library; NULL: none. */
static void *open_first(const Library *l, const char **name)
{
	void *library = NULL;
	for (int i = 0; i < 4 && l->names[i] && !library; i++)
		library = open_library(*name = l->names[i]);
	return library;
}

static void print_library(const Library *l)
{
	const char *name;
	void *library = open_first(l, &name);
	if (!library) {
		print_missing(l->title, l->without, l->install);
		return;
	}
	print_row(l->title, name); /* it stays open: some leave memory behind when they are closed */
}

/* Whether nnc can make a trainer: a C compiler, with OpenMP, and the runtime. */
static bool print_compiling(Arena *a)
{
	static const Library gomp = {"OpenMP",
	                             {"libgomp.so.1"},
	                             "the C compiler can't link a trainer",
	                             "apt install gcc"},
	                     omp = {"OpenMP",
	                            {"libomp.so.5", "libomp.so"},
	                            "clang can't link a trainer",
	                            "apt install libomp-dev"};
	const char *why = NULL, *compiler = compiler_found(a, &why), *lacks_runtime = NULL;
	char *real = compiler ? realpath(compiler, NULL) : NULL;
	bool clang = real && strstr(real, "clang");
	printf("\nFor making trainers\n");
	if (compiler)
		print_row("C compiler",
		          arena_printf(a, "%s%s%s", printable(a, compiler),
		                       real && strcmp(real, compiler) != 0 ? ", which is " : "",
		                       real && strcmp(real, compiler) != 0 ? printable(a, real) : ""));
	else
		print_missing("C compiler", why, "apt install gcc");
	free(real);
	print_library(clang ? &omp : &gomp);
	const char *runtime = runtime_found(a, &lacks_runtime);
	if (runtime)
		print_row("runtime", printable(a, runtime));
	else
		print_missing("runtime", lacks_runtime,
		              "build nnc: ./setup && meson setup build && ninja -C build");
	return compiler && runtime;
}

/* protobuf-c is linked into trainers whole: the list of what they link says whether the runtime was built with it. */
static void print_onnx(Arena *a)
{
	const char *why = NULL, *runtime = runtime_found(a, &why);
	const char *list = runtime ? arena_printf(a, "%.*s.libs", (int)strlen(runtime) - 2, runtime) : "";
	if (strstr(facts_of(a, list), "protobuf-c"))
		print_row("protobuf-c", "in the runtime: trainers export ONNX");
	else
		print_missing(
		        "protobuf-c", "trainers export no ONNX",
		        "apt install libprotobuf-c-dev protobuf-c-compiler libonnx-dev, and build nnc again");
}

static void print_cpu(Arena *a)
{
	static const Library libraries[] = {
	        {"oneDNN",
	         {"libdnnl.so.3", "libdnnl.so.2"},
	         "convolutions and products are nnc's own loops, which is slower for large networks",
	         "apt install libdnnl-dev, and build nnc again"},
	        {"JPEG",
	         {"libturbojpeg.so.0"},
	         "no .jpg is read",
	         "apt install libturbojpeg0-dev, and build nnc again"},
	        {"PNG", {"libpng16.so.16"}, "no .png is read", "apt install libpng-dev, and build nnc again"},
	        {"zlib", {"libz.so.1"}, "nnc's trainers can't be linked", "apt install zlib1g-dev"},
	};
	printf("\nFor trainers on the CPU\n");
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		print_library(&libraries[i]);
	print_onnx(a);
	if (!target_cpu.library_present)
		print_missing("oneDNN in nnc", "this nnc was built without it",
		              "apt install libdnnl-dev, and build nnc again");
}

/* ---- the GPU's side */

/* The part of cuda.h that is used, as numbers; functions return 0 when all is well. */
enum { COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76 };

typedef struct Driver {
	int (*init)(unsigned flags);
	int (*version)(int *version);
	int (*count)(int *count);
	int (*name)(char *name, int room, int device);
	int (*attribute)(int *value, int what, int device);
} Driver;

static void print_gpu(Arena *a, const Driver *d, int device)
{
	char name[128] = "GPU";
	int major = 0, minor = 0;
	d->name(name, sizeof name, device);
	d->attribute(&major, COMPUTE_MAJOR, device);
	d->attribute(&minor, COMPUTE_MINOR, device);
	print_row(arena_printf(a, "GPU %d", device),
	          arena_printf(a, "%s, compute capability %d.%d%s", printable(a, name), major, minor,
	                       10 * major + minor < LEAST_ARCH
	                               ? arena_printf(a, ": too old, nnc's kernels need %d.%d",
	                                              LEAST_ARCH / 10, LEAST_ARCH % 10)
	                               : ""));
}

static void print_driver(Arena *a)
{
	static const char install[] =
	        "apt install nvidia-driver (Debian's non-free) or NVIDIA's own, 580 or newer";
	static const char without[] =
	        "no trainer for CUDA runs here; nnc --target=cuda compiles all the same";
	const char *named = getenv("NNR_LIBCUDA"), *file = named && *named ? named : "libcuda.so.1";
	void *library = open_library(file);
	if (!library) {
		print_missing("driver", without, install);
		return;
	}
	Driver d = {0};
	const struct {
		const char *name;
		void *at;
	} functions[] = {{"cuInit", &d.init},
	                 {"cuDriverGetVersion", &d.version},
	                 {"cuDeviceGetCount", &d.count},
	                 {"cuDeviceGetName", &d.name},
	                 {"cuDeviceGetAttribute", &d.attribute}};
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *function = dlsym(library, functions[i].name);
		if (!function) {
			print_missing("driver",
			              arena_printf(a, "%s has no function %s", file, functions[i].name),
			              install);
			return;
		}
		memcpy(functions[i].at, &function, sizeof function);
	}
	int version = 0, count = 0, status = d.init(0);
	d.version(&version);
	print_row("driver", arena_printf(a, "%s, for CUDA %d.%d", file, version / 1000, version % 1000 / 10));
	if (status != 0 || d.count(&count) != 0 || count == 0)
		print_row("GPU", status ? arena_printf(a, "none: the driver doesn't start (error %d)", status)
		                        : "none");
	for (int i = 0; i < count; i++)
		print_gpu(a, &d, i);
}

/* Libraries of which a function returns the version, a number of two or three decimal parts. */
static void print_versioned(Arena *a, const Library *l, const char *function)
{
	const char *name, *home = getenv("CUDA_HOME");
	void *library = open_first(l, &name);
	for (int i = 0; i < 4 && l->names[i] && !library; i++)
		library = open_library(name = arena_printf(a, "%s/lib64/%s",
		                                           home && *home ? home : "/usr/local/cuda",
		                                           l->names[i]));
	if (!library) {
		print_missing(l->title, l->without, l->install);
		return;
	}
	size_t (*version)(void);
	void *at = dlsym(library, function);
	memcpy(&version, &at, sizeof at);
	size_t v = at ? version() : 0;
	print_row(l->title,
	          arena_printf(a, "%s, version %zu.%zu.%zu", name, v / 10000, v / 100 % 100, v % 100));
}

static void print_cuda(Arena *a)
{
	static const Library cudnn = {"cuDNN",
	                              {"libcudnn.so.9"},
	                              "trainers with convolutions need nnc --library=none",
	                              "apt install libcudnn9-cuda-13 (NVIDIA's packages)"},
	                     cublas = {"cuBLASLt",
	                               {"libcublasLt.so.13", "libcublasLt.so.12"},
	                               "trainers with large products need nnc --library=none",
	                               "apt install libcublas-13-0 (NVIDIA's packages)"};
	const char *why = NULL, *nvrtc = nvrtc_found(a, &why), *lacks_runtime = NULL,
	           *runtime = runtime_found(a, &lacks_runtime);
	printf("\nFor CUDA\n");
	print_driver(a);
	if (nvrtc)
		print_row("NVRTC", nvrtc);
	else
		print_missing("NVRTC", "nnc --target=cuda compiles no kernels",
		              "apt install cuda-nvrtc-13-0 (NVIDIA's packages)");
	print_versioned(a, &cudnn, "cudnnGetVersion");
	print_versioned(a, &cublas, "cublasLtGetVersion");
	const char *library =
	        runtime ? arena_printf(a, "%.*s_cuda.a", (int)strlen(runtime) - 2, runtime) : NULL;
	if (library && access(library, R_OK) == 0)
		print_row("CUDA runtime", printable(a, library));
	else if (runtime)
		print_missing("CUDA runtime", "nnc was built where CUDA's headers were not",
		              "apt install cuda-toolkit-13-0 (NVIDIA's packages), and build nnc again");
}

int command_doctor(Arena *a, const Options *o)
{
	if (o->files.count > 0)
		fail(EXIT_USAGE, "nnc doctor takes no files");
	print_machine(a);
	bool ready = print_compiling(a);
	print_cpu(a);
	print_cuda(a);
	printf("\n%s\n", ready ? "nnc can make trainers here."
	                       : "nnc can make no trainer here: see what is missing above.");
	return ready ? EXIT_OK : EXIT_TOOL;
}
