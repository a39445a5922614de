/* Compiling kernels.cu by NVRTC: see nvrtc.h. */
#include "nvrtc.h"

#include "base/diag.h"
#include "base/writer.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The part of nvrtc.h that is used, so that nnc builds where CUDA's headers are missing. */
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
	const char *named = getenv("NNC_NVRTC"), *home = getenv("CUDA_HOME");
	void *library = NULL;
	if (named && *named) {
		*file = named;
		library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			*why = arena_printf(a, "$NNC_NVRTC is `%s`, which can't be loaded: %s",
			                    printable(a, named), dlerror());
		return library;
	}
	for (size_t i = 0; i < sizeof places / sizeof *places && !library; i++)
		library = dlopen(*file = places[i], RTLD_NOW | RTLD_LOCAL);
	if (!library && home && *home)
		library =
		        dlopen(*file = arena_printf(a, "%s/lib64/libnvrtc.so", home), RTLD_NOW | RTLD_LOCAL);
	if (!library)
		*why = "the target `cuda` needs NVRTC of the CUDA toolkit (12 or 13): searched the library "
		       "path, "
		       "/usr/local/cuda and $CUDA_HOME for libnvrtc.so; install it, name the file by "
		       "$NNC_NVRTC, or compile for --target=cpu";
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
	char *at;
	size_t size;
} Bytes;

typedef int GetSize(NvrtcProgramPointer p, size_t *size);
typedef int GetBytes(NvrtcProgramPointer p, char *bytes);

static Bytes result_of(Arena *a, NvrtcProgramPointer p, GetSize *size, GetBytes *bytes)
{
	Bytes b;
	require(size(p, &b.size) == 0);
	b.at = NEW_ARRAY(a, char, (b.size + 7) / 8 * 8);
	require(bytes(p, b.at) == 0);
	return b;
}

/* `arch` is "sm_90" for a cubin, and with it PTX for the same; "compute_90" for PTX alone. Either may be NULL.
 * `unoptimised` saves two thirds of the time, and is an option of CUDA 12.8 and later. */
static void compile_for(Arena *a, const Nvrtc *n, const char *kernels, const char *arch, const char *include,
                        bool unoptimised, Bytes *cubin, Bytes *ptx)
{
	NvrtcProgramPointer p;
	const char *const options[] = {arena_printf(a, "--gpu-architecture=%s", arch), "--std=c++17",
	                               "--fmad=true", arena_printf(a, "--include-path=%s", include),
	                               "--Ofast-compile=max"};
	int status = n->create(&p, kernels, "kernels.cu", 0, NULL, NULL);
	if (status == 0)
		status = n->compile(p, unoptimised ? 5 : 4, options);
	if (status != 0) {
		size_t size = 0;
		n->log_size(p, &size);
		char *log = NEW_ARRAY(a, char, size + 1);
		n->log(p, log);
		if (strstr(log, "gpu-architecture"))
			fail(EXIT_TOOL, "%s does not know the architecture `%s`: %s", n->file,
			     printable(a, arch), printable(a, arena_strndup(a, log, strcspn(log, "\n"))));
		fputs(log, stderr);
		bug("NVRTC refuses the generated kernels: %s", n->error(status));
	}
	if (cubin)
		*cubin = result_of(a, p, n->cubin_size, n->cubin);
	if (ptx)
		*ptx = result_of(a, p, n->ptx_size, n->ptx);
	n->destroy(&p);
}

static bool is_ptx(const char *arch)
{
	return strncmp(arch, "compute_", 8) == 0;
}

static void write_image(Writer *w, int number, Bytes b)
{
	write_line(w, "static const uint64_t image_%d[] = {", number);
	for (size_t i = 0; i < b.size; i += 8) {
		uint64_t word;
		memcpy(&word, b.at + i, 8);
		write_text(w, "0x%llx,%s", (unsigned long long)word,
		           i % 64 == 56 || i + 8 >= b.size ? "\n" : "");
	}
	write_line(w, "};");
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

void cuda_check(Arena *a, const char *kernels, const char *archs, const char *include)
{
	Nvrtc n = load(a);
	for (const char *at = archs; *at;) {
		size_t length = strcspn(at, ",");
		compile_for(a, &n, kernels, with_features(arena_strndup(a, at, length)), include, true, NULL,
		            NULL);
		at += length + (at[length] == ',');
	}
}

char *cuda_images(Arena *a, const char *kernels, const char *archs, const char *precision,
                  const char *include, bool own_features)
{
	enum { MOST = 8 };
	Nvrtc n = load(a);
	Writer *w = writer_new(a);
	const char *names[MOST + 1];
	size_t sizes[MOST + 1];
	int count = 0;
	for (const char *at = archs; *at && count < MOST;) {
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
	write_text(w, "\n/* The kernels of kernels.cu, compiled by NVRTC. */\n");
	for (int i = 0; i < count; i++) {
		const bool both = i + 1 < count && is_ptx_of(names[i + 1], names[i]);
		Bytes b, ptx;
		compile_for(a, &n, kernels, names[i], include, false, is_ptx(names[i]) ? NULL : &b,
		            is_ptx(names[i]) ? &b
		            : both           ? &ptx
		                             : NULL);
		sizes[i] = b.size;
		write_image(w, i, b);
		if (both) {
			sizes[++i] = ptx.size;
			write_image(w, i, ptx);
		}
	}
	write_line(w, "static const NnrImage images[] = {");
	for (int i = 0; i < count; i++)
		write_line(w, "\t{%s, (const unsigned char *)image_%d, %zu},", c_string(a, names[i]), i,
		           sizes[i]);
	write_line(w, "};");
	write_line(
	        w,
	        "const NnrCudaModel nnr_cuda_model = {.images = images, .image_count = %d, .precision = %s};",
	        count, c_string(a, precision));
	return (char *)writer_text(w, NULL);
}
