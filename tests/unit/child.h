/* SPDX-License-Identifier: MIT */
/* Runs a function that may end the process: in a child, with what it says on stdout and stderr. */
#ifndef NNC_TESTS_CHILD_H
#define NNC_TESTS_CHILD_H

#include <ftw.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Ended {
	int status; /* exit status, or 1000 + the signal */
	char said[8192];
} Ended;

/* `act` returns the exit status of a child that does not die. */
static inline Ended run_child(int (*act)(void *context), void *context)
{
	Ended e = {.status = -1};
	int pipes[2];
	fflush(NULL);
	if (pipe(pipes) < 0)
		abort();
	pid_t pid = fork();
	if (pid < 0)
		abort();
	if (pid == 0) {
		dup2(pipes[1], STDERR_FILENO);
		dup2(pipes[1], STDOUT_FILENO);
		close(pipes[0]);
		int status = act(context);
		fflush(NULL);
		_exit(status);
	}
	close(pipes[1]);
	size_t length = 0;
	ssize_t n;
	char rest[256];
	while ((n = read(pipes[0], rest, sizeof rest)) > 0) {
		size_t room = sizeof e.said - 1 - length, kept = (size_t)n < room ? (size_t)n : room;
		memcpy(e.said + length, rest, kept);
		length += kept;
	}
	close(pipes[0]);
	int status;
	waitpid(pid, &status, 0);
	e.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
	return e;
}

enum { NOT_LIMITED = 77 };

/* So many bytes of addresses are all that this process may have from now on: 0; NOT_LIMITED where an emulator
 * takes the limit and does nothing; 1: it is refused. A status of a child. */
static inline int limit_addresses(rlim_t bytes)
{
	struct rlimit limit = {bytes, bytes}, now;
	if (setrlimit(RLIMIT_AS, &limit) < 0 || getrlimit(RLIMIT_AS, &now) < 0)
		return 1;
	return now.rlim_cur == bytes ? 0 : NOT_LIMITED;
}

static inline int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
	(void)st, (void)kind, (void)place;
	return remove(path);
}

static char child_folder[4096];
static pid_t child_folder_owner;

static inline void child_folder_remove(void)
{
	if (getpid() == child_folder_owner) /* and no child that ended */
		nftw(child_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A private folder, the working directory of the test from now on; it goes when the process ends. */
static inline void child_folder_make(void)
{
	const char *where = getenv("TMPDIR");
	int n = snprintf(child_folder, sizeof child_folder, "%s/nnc-unit-XXXXXX",
	                 where && *where ? where : "/tmp");
	if (n >= (int)sizeof child_folder || !mkdtemp(child_folder) || chdir(child_folder) < 0)
		abort();
	child_folder_owner = getpid();
	if (!getenv("NNC_TEST_KEEP"))
		atexit(child_folder_remove);
}

static inline void put_file(const char *path, const void *bytes, size_t length)
{
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, length, f) != length || fclose(f) != 0)
		abort();
}

/* At most `room` - 1 bytes, with a 0 after them; returns how many: 0 where there is no file. */
static inline size_t read_whole(const char *path, void *to, size_t room)
{
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(to, 1, room - 1, f) : 0;
	if (f)
		fclose(f);
	((char *)to)[n] = 0;
	return n;
}

/* How many files the shell's pattern names. */
static inline int files_like(const char *pattern)
{
	glob_t found;
	const int count = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
	globfree(&found);
	return count;
}

/* Of files below 64 KiB, and none of them empty. */
static inline bool same_files(const char *a, const char *b)
{
	static char first[1 << 16], second[1 << 16];
	size_t n = read_whole(a, first, sizeof first), m = read_whole(b, second, sizeof second);
	return n > 0 && n == m && memcmp(first, second, n) == 0;
}

#endif
