/* SPDX-License-Identifier: MIT */
/* Generated C inside a test: many networks compiled into one shared object, loaded, and run step by step.
 *
 * The test plays the runtime: generated code's main() calls nnr_main(), which here only takes the model down. Every
 * network is compiled on its own with `main` renamed, so that they need not know of each other. */
#ifndef NNC_TESTS_HOST_H
#define NNC_TESTS_HOST_H

#include "base/arena.h"
#include "runtime/nnr.h"

typedef struct Host Host;

typedef struct HostOptions {
	const char *folder;           /* private folder for sources and objects; made when missing */
	const char *const *flags;     /* further compiler flags, NULL-terminated, or NULL */
	const bool *plain;            /* by source: not optimised, whatever the flags say; NULL: none */
	const char *const *libraries; /* further linker arguments, NULL-terminated, or NULL */
	int jobs;                     /* compilers at a time; 0: 2 */
} HostOptions;

/* Compiles `count` generated sources into one shared object, and returns its path. Ends the test with the compiler's
 * words when one is refused. */
char *host_compile(Arena *a, int count, const char *const *sources, const HostOptions *options);
/* Loads that object, also one that another process has compiled. */
Host *host_open(Arena *a, int count, const char *object);
/* Both. */
Host *host_load(Arena *a, int count, const char *const *sources, const HostOptions *options);
const NnrModel *host_model(const Host *h, int i);
void host_free(Host *h); /* unloads; models and programs are gone */

/* The four blocks of a model, 64-byte aligned, filled with NaN bytes so that a value read before it is written shows;
 * states start as their table says. The arena is as large as the largest of the programs asks. */
NnrMemory host_memory(const NnrModel *m);
int64_t host_arena_bytes(const NnrModel *m); /* of the largest program */
void host_memory_free(NnrMemory *memory);
/* Makes the 16-bit copies of the parameters, as the runtime does once it has filled them. */
void host_fill_copy(const NnrModel *m, const NnrMemory *memory);

/* One batch of an input, and its transposed copy where the model has one: as the gather leaves them, of which a
 * training step may have the copy alone. */
void host_put_input(const NnrMemory *memory, const NnrInput *input, const double *values, bool training);
void host_put(void *to, NnrDType dtype, const double *values, int64_t count);
void host_get(const void *from, NnrDType dtype, double *values, int64_t count);
int64_t host_elements(int rank, const int64_t *dim);
int host_element_bytes(NnrDType dtype);
const NnrTensor *host_tensor(const NnrTensor *tensors, int count, const char *name); /* NULL */
const NnrOutput *host_output(const NnrProgram *p, NnrOutputKind kind,
                             const char *name); /* NULL name: first */

/* The root of the repository, whose headers generated code needs: where this was built, or $NNC_ROOT. */
const char *host_root(void);

/* A private folder under TMPDIR, removed with what it holds at exit unless NNC_TEST_KEEP is set. */
const char *host_folder(Arena *a);

#endif
