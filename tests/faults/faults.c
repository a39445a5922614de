/* SPDX-License-Identifier: MIT */
/* Loaded ahead of the C library (LD_PRELOAD): the K-th call of a kind fails as the system would have it fail.
 *
 *   FAULT=KIND:K        the K-th call of the kind fails, once; KIND:K+ that and all after it; `any` is every kind
 *   FAULT_LOG=FILE      gets "KIND K where" when the first fault is made: no file, no fault
 *
 * Counted are the program's own calls, and memory that the C library takes for it (texts, folders, buffers of files):
 * not those of other libraries, whose failures are their own. `where` is the caller's offset in the program, for
 * addr2line; 0 in the C library. `short` writes or reads half of what was asked, which is no fault but an occasion. */
#undef _FILE_OFFSET_BITS /* both names of a call are made here: open and open64 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
        *__libc_memalign(size_t, size_t);

static struct {
	bool on, all, on_and_on;
	char kind[16];
	long at;
	atomic_long count;
	uintptr_t program[2], base, library[2];
} fault;

static int find_places(struct dl_phdr_info *info, size_t size, void *number)
{
	bool program = (*(int *)number)++ == 0, library = strstr(info->dlpi_name, "/libc.so") != NULL;
	uintptr_t *place = program ? fault.program : fault.library;
	(void)size;
	if (!program && !library)
		return 0;
	place[0] = UINTPTR_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		place[0] = begin < place[0] ? begin : place[0];
		place[1] = begin + info->dlpi_phdr[i].p_memsz > place[1] ? begin + info->dlpi_phdr[i].p_memsz
		                                                         : place[1];
	}
	if (program)
		fault.base = info->dlpi_addr;
	return 0;
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FAULT");
	int number = 0, length = 0;
	if (!text || sscanf(text, "%15[a-z]:%ld%n", fault.kind, &fault.at, &length) != 2)
		return;
	fault.all = strcmp(fault.kind, "any") == 0;
	fault.on_and_on = text[length] == '+';
	dl_iterate_phdr(find_places, &number);
	fault.on = true;
}

static bool is_in(const uintptr_t place[2], uintptr_t at)
{
	return at >= place[0] && at < place[1];
}

/* By the kernel alone: what this library calls must not count. */
static void write_log(const char *kind, uintptr_t at)
{
	const char *path = getenv("FAULT_LOG");
	char line[96];
	int n = snprintf(line, sizeof line, "%s %ld 0x%lx\n", kind, fault.at,
	                 is_in(fault.program, at) ? (unsigned long)(at - fault.base) : 0);
	long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
	if (fd >= 0) {
		syscall(SYS_write, fd, line, n);
		syscall(SYS_close, fd);
	}
}

static bool fails(const char *kind, int error, bool memory, void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	if (!fault.on || !(fault.all || strcmp(kind, fault.kind) == 0) ||
	    !(is_in(fault.program, at) || (memory && is_in(fault.library, at))))
		return false;
	long count = atomic_fetch_add(&fault.count, 1) + 1;
	if (count == fault.at)
		write_log(kind, at);
	if (count != fault.at && !(fault.on_and_on && count > fault.at))
		return false;
	errno = error;
	return true;
}

#define HERE               __builtin_return_address(0)
#define FAILS(kind, error) fails(kind, error, false, HERE)
#define OUT_OF_MEMORY      fails("malloc", ENOMEM, true, HERE)
/* name(parameters) calls the C library's with (arguments), unless this is the call that fails, with `result`. */
#define CALL(type, name, parameters, arguments, kind, error, result) \
	type name parameters                                         \
	{                                                            \
		if (FAILS(kind, error))                              \
			return result;                               \
		static type(*real) parameters;                       \
		if (!real)                                           \
			*(void **)&real = dlsym(RTLD_NEXT, #name);   \
		return real arguments;                               \
	}
#define CALL64(type, name, parameters, arguments, kind, error, result) \
	CALL(type, name, parameters, arguments, kind, error, result)   \
	CALL(type, name##64, parameters, arguments, kind, error, result)

/* ---- memory */

void *malloc(size_t size)
{
	return OUT_OF_MEMORY ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return OUT_OF_MEMORY ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return OUT_OF_MEMORY ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return OUT_OF_MEMORY ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
	if (OUT_OF_MEMORY)
		return ENOMEM;
	*out = __libc_memalign(alignment, size);
	return *out ? 0 : ENOMEM;
}

CALL64(void *, mmap, (void *at, size_t length, int protection, int flags, int fd, off_t offset),
       (at, length, protection, flags, fd, offset), "mmap", ENOMEM, MAP_FAILED)
CALL(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*act)(void *), void *context),
     (thread, attributes, act, context), "thread", EAGAIN, EAGAIN)

/* ---- libraries: as where there is none, so that dlerror has what it says then */

void *dlopen(const char *file, int flags)
{
	static void *(*real)(const char *, int);
	bool failed = FAILS("dlopen", ENOENT);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return real(failed ? "/nowhere/library.so" : file, flags);
}

/* ---- files */

/* A mode where one is created, as the callers of this program pass it. */
#define OPEN(name)                                                                          \
	int name(const char *path, int flags, ...)                                          \
	{                                                                                   \
		va_list rest;                                                               \
		va_start(rest, flags);                                                      \
		int mode = flags & O_CREAT ? va_arg(rest, int) : 0;                         \
		va_end(rest);                                                               \
		if (FAILS("open", flags & O_CREAT ? ENOSPC : EMFILE))                       \
			return -1;                                                          \
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode); \
	}
OPEN(open)
OPEN(open64)

int close(int fd)
{
	bool failed = FAILS("close", EIO);
	int result = (int)syscall(SYS_close, fd); /* Linux closes it all the same */
	if (failed)
		errno = EIO;
	return failed ? -1 : result;
}

static size_t part(size_t length, void *caller)
{
	return length > 1 && fails("short", 0, false, caller) ? length / 2 : length;
}

ssize_t write(int fd, const void *from, size_t length)
{
	if (fd != STDOUT_FILENO && fd != STDERR_FILENO && FAILS("write", ENOSPC))
		return -1;
	return syscall(SYS_write, fd, from, part(length, HERE));
}

#define AT_OFFSET(name, type, kind, error, call)                          \
	ssize_t name(int fd, type to, size_t length, off_t offset)        \
	{                                                                 \
		if (FAILS(kind, error))                                   \
			return -1;                                        \
		return syscall(call, fd, to, part(length, HERE), offset); \
	}
AT_OFFSET(pread, void *, "read", EIO, SYS_pread64)
AT_OFFSET(pread64, void *, "read", EIO, SYS_pread64)
AT_OFFSET(pwrite, const void *, "write", ENOSPC, SYS_pwrite64)
AT_OFFSET(pwrite64, const void *, "write", ENOSPC, SYS_pwrite64)

CALL(ssize_t, read, (int fd, void *to, size_t length), (fd, to, length), "read", EIO, -1)
CALL(ssize_t, getline, (char **line, size_t *room, FILE *f), (line, room, f), "read", EIO, -1)
CALL64(FILE *, fopen, (const char *path, const char *mode), (path, mode), "open", EMFILE, NULL)
CALL(DIR *, opendir, (const char *path), (path), "open", EMFILE, NULL)
CALL64(int, mkostemp, (char *path, int flags), (path, flags), "open", ENOSPC, -1)
CALL(int, fsync, (int fd), (fd), "fsync", EIO, -1)
CALL64(int, ftruncate, (int fd, off_t length), (fd, length), "write", EIO, -1)
CALL(int, flock, (int fd, int what), (fd, what), "flock", ENOLCK, -1)
CALL(int, rename, (const char *from, const char *to), (from, to), "rename", EIO, -1)
CALL(int, renameat2, (int in, const char *from, int into, const char *to, unsigned flags),
     (in, from, into, to, flags), "rename", EINVAL, -1)
CALL(int, link, (const char *from, const char *to), (from, to), "link", EPERM, -1)
CALL(int, unlink, (const char *path), (path), "unlink", EACCES, -1)
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode), "mode", EPERM, -1)
CALL(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), "mode", EPERM, -1)
CALL(ssize_t, readlink, (const char *path, char *to, size_t room), (path, to, room), "stat", EIO, -1)
#define STAT(name, file, struct_name) \
	CALL(int, name, (file, struct struct_name * st), (at, st), "stat", EIO, -1)
STAT(stat, const char *at, stat)
STAT(stat64, const char *at, stat64)
STAT(lstat, const char *at, stat)
STAT(lstat64, const char *at, stat64)
STAT(fstat, int at, stat)
STAT(fstat64, int at, stat64)
