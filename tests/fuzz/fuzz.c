/* SPDX-License-Identifier: MIT */
/* What every harness runs under. `exit`, `_exit`, `open` (of large files: open64) and `close` are the linker's wraps of
 * them: while a harness runs, an end of the process is a jump back to here, and what it left open is closed; a file
 * that is open after a return is a mistake. Memory is watched where a sanitizer tells of it. */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	STATUS_BUG = 4,       /* of nnc (base/diag.h) */
	STATUS_INTERNAL = 70, /* of a trainer (runtime/host/die.h) */
	MOST_BLOCKS = 1 << 20,
	MOST_FILES = 64,
	MOST_BYTES = 128 << 20,
};
static const double most_seconds = 1; /* of the processor */

/* A harness runs in this thread; the fuzzer's own threads go on beside it. */
static _Thread_local bool running;

static struct {
	jmp_buf back;
	int files[MOST_FILES];
	int file_count;
} run;

void fuzz_wrong(const char *what)
{
	dprintf(STDERR_FILENO, "fuzz: wrong: %s\n", what);
	abort();
}

/* ---- ends and files */

_Noreturn void __real_exit(int status);
_Noreturn void __real__exit(int status);
int __real_open64(const char *path, int flags, ...);
int __real_close(int fd);

_Noreturn static void come_back(int status)
{
	if (status == STATUS_BUG || status == STATUS_INTERNAL)
		fuzz_wrong("an internal error");
	longjmp(run.back, 1);
}

_Noreturn void __wrap_exit(int status)
{
	if (running)
		come_back(status);
	__real_exit(status);
}

_Noreturn void __wrap__exit(int status)
{
	if (running)
		come_back(status);
	__real__exit(status);
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	int fd = __real_open64(path, flags, flags & O_CREAT ? va_arg(rest, int) : 0);
	va_end(rest);
	if (running && fd >= 0 && run.file_count < MOST_FILES)
		run.files[run.file_count++] = fd;
	return fd;
}

int __wrap_close(int fd)
{
	for (int i = 0; i < run.file_count; i++)
		if (run.files[i] == fd)
			run.files[i--] = run.files[--run.file_count];
	return __real_close(fd);
}

/* ---- memory: the blocks of this run, by open addressing */

#pragma weak __sanitizer_install_malloc_and_free_hooks
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));

static struct Block {
	const volatile void *at; /* NULL: no block was ever here; &gone: one was */
	size_t bytes;
} blocks[MOST_BLOCKS];
static char gone;
static uint32_t touched[MOST_BLOCKS / 2];
static size_t block_count, places, live_bytes;

static struct Block *block_of(const volatile void *at, bool to_add)
{
	size_t i = ((uintptr_t)at >> 4) * 0x9e3779b97f4a7c15u >> 44;
	for (;; i = (i + 1) % MOST_BLOCKS) {
		if (blocks[i].at == at || !blocks[i].at || (to_add && blocks[i].at == &gone))
			return &blocks[i];
	}
}

static void allocated(const volatile void *at, size_t bytes)
{
	if (!running || !at)
		return;
	if (places == MOST_BLOCKS / 2) {
		running = false;
		fuzz_wrong("too many blocks of memory");
	}
	struct Block *b = block_of(at, true);
	if (!b->at)
		touched[places++] = (uint32_t)(b - blocks);
	*b = (struct Block){at, bytes};
	block_count++;
	live_bytes += bytes;
	if (live_bytes > MOST_BYTES) {
		running = false;
		fuzz_wrong("more than 128 MiB");
	}
}

static void freed(const volatile void *at)
{
	if (!running || !at || !block_count)
		return;
	struct Block *b = block_of(at, false);
	if (b->at != at)
		return; /* from before the run */
	b->at = &gone;
	block_count--;
	live_bytes -= b->bytes;
}

/* The blocks are forgotten, and freed where the run did not come to the point of doing so. */
static void blocks_drop(bool ended)
{
	for (size_t i = 0; i < places; i++) {
		const volatile void *at = blocks[touched[i]].at;
		blocks[touched[i]].at = NULL;
		if (ended && at != &gone)
			free((void *)(uintptr_t)at);
	}
	block_count = places = live_bytes = 0;
}

/* ---- one input */

static double processor_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the bytes that were lost. */
static size_t run_once(const Harness *h, const uint8_t *bytes, size_t length)
{
	double begun = processor_seconds();
	volatile bool ended = setjmp(run.back) != 0;
	if (!ended) {
		running = true;
		h->run(bytes, length);
	}
	if (ended && arenas_drop)
		arenas_drop();
	running = false;
	if (processor_seconds() - begun > most_seconds)
		fuzz_wrong("more than a second");
	if (!ended && run.file_count)
		fuzz_wrong("a file stays open");
	while (run.file_count)
		__wrap_close(run.files[0]);
	size_t lost = ended ? 0 : live_bytes;
	blocks_drop(ended);
	return lost;
}

/* ---- the process */

static char folder[256];
static pid_t owner;

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
	(void)st, (void)kind, (void)place;
	return remove(path);
}

static void folder_remove(void)
{
	if (getpid() == owner)
		nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void folder_make(void)
{
	const char *where = getenv("TMPDIR");
	snprintf(folder, sizeof folder, "%s/nnc-fuzz-XXXXXX", where && *where ? where : "/tmp");
	if (!mkdtemp(folder))
		fuzz_wrong("no folder for files can be made in $TMPDIR");
	owner = getpid();
	atexit(folder_remove);
}

const char *fuzz_path(const char *name)
{
	static char paths[4][sizeof folder + 64];
	static unsigned turn;
	char *path = paths[turn++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

void fuzz_put(const char *name, const void *bytes, size_t length)
{
	int fd = __real_open64(fuzz_path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, bytes, length) != (ssize_t)length || __real_close(fd) < 0)
		fuzz_wrong("a file can't be written");
}

/* What the code under test says is not looked at; writing it to a terminal would take most of the time. */
static void begin(void)
{
	FILE *nowhere = fopen("/dev/null", "w");
	if (!nowhere)
		fuzz_wrong("there is no /dev/null");
	static char buffer[1 << 12]; /* the library's own would be a block of some run */
	setvbuf(nowhere, buffer, _IOFBF, sizeof buffer);
	if (!getenv("FUZZ_SAY"))
		stdout = stderr = nowhere;
	folder_make();
	if (__sanitizer_install_malloc_and_free_hooks)
		__sanitizer_install_malloc_and_free_hooks(allocated, freed);
}

void harness_run(const Harness *h, const uint8_t *bytes, size_t length)
{
	if (!owner)
		begin();
	/* What a library keeps for good it allocates once; what is lost is lost each time. */
	if (run_once(h, bytes, length) && run_once(h, bytes, length))
		fuzz_wrong("memory is lost");
}

const Harness *harness_find(const char *name)
{
	for (const Harness *h = harnesses; h->name; h++)
		if (strcmp(h->name, name) == 0)
			return h;
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static const Harness *h;
	if (!h) {
		const char *name = getenv("FUZZ");
		h = name ? harness_find(name) : NULL;
		if (!h)
			fuzz_wrong("$FUZZ names no harness");
	}
	harness_run(h, bytes, length);
	return 0;
}
