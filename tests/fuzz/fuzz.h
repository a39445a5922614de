/* SPDX-License-Identifier: MIT */
/* Fuzzing nnc and the readers of its trainers in one process. A harness takes any bytes and gives them to one entry of
 * the compiler or the runtime; what it may not do is crash, contradict itself, lose memory or a file, or take more time
 * or memory than fuzz.c allows. That it refuses the bytes with a sentence and ends the process is fine: that end comes
 * back to fuzz.c.
 *
 *     FUZZ=npy build-fuzz/tests/fuzz_runtime CORPUS            by libFuzzer or AFL++ (tests/fuzz/run does it)
 *     build/tests/replay_runtime tests/fuzz/corpus/npy.txt     once over what is kept (replay.c)
 *
 * nnc and a trainer have functions of the same names, so that each has a program of its own. */
#ifndef NNC_TESTS_FUZZ_H
#define NNC_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Harness {
	const char *name;
	void (*run)(const uint8_t *bytes, size_t length);
} Harness;

extern const Harness harnesses[]; /* of the program, to a name NULL: in compiler.c or readers.c */

/* NULL: there is none. */
const Harness *harness_find(const char *name);
/* One input under all that fuzz.c watches; ends the process by abort() where something is wrong. */
void harness_run(const Harness *h, const uint8_t *bytes, size_t length);

/* ---- for harnesses */

/* Says what is wrong, and ends the process by abort(). */
_Noreturn void fuzz_wrong(const char *what);
#define FUZZ_CHECK(condition)                   \
	do {                                    \
		if (!(condition))               \
			fuzz_wrong(#condition); \
	} while (0)
/* The path of a file in this process's own folder; valid until four more are asked for. */
const char *fuzz_path(const char *name);
void fuzz_put(const char *name, const void *bytes, size_t length);

/* pictures.c: of each kind that is read, and two of their own */
#define IMAGE_READER(kind) void fuzz_##kind(const uint8_t *bytes, size_t length);
#include "runtime/data/image_readers.def"
#undef IMAGE_READER
void fuzz_magic(const uint8_t *bytes, size_t length);
void fuzz_jpegs(const uint8_t *bytes, size_t length);

/* arena.c, in nnc alone: frees all arenas that an end of the process has left. */
#pragma weak arenas_drop
void arenas_drop(void);

#endif
