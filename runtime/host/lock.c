/* SPDX-License-Identifier: MIT */
#include "runtime/host/lock.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OWNER_BYTES = 320 }; /* "PID HOST\n", a host of at most 255 bytes */

static struct {
	char **names; /* FILE.lock */
	int *files;
	int count;
} held;

/* What is in the lock's file; returns its length, -1 where it can't be read. */
static ssize_t read_owner(int fd, char owner[OWNER_BYTES])
{
	ssize_t n = pread(fd, owner, OWNER_BYTES - 1, 0);
	owner[n > 0 ? n : 0] = 0;
	return n;
}

/* Whether a trainer wrote that, or began to. A machine that stopped may leave nothing of it, or zeros. */
static bool is_owner(const char *owner, ssize_t length)
{
	ssize_t digits = (ssize_t)strspn(owner, "0123456789"), line = (ssize_t)strcspn(owner, "\n"),
	        zeros = 0;
	while (zeros < length && !owner[zeros])
		zeros++;
	return zeros == length ||
	       (digits > 0 && (digits == length || (owner[digits] == ' ' && line >= length - 1)));
}

/* The owner writes its number once it has the lock. */
static _Noreturn void refuse(int fd, const char *path)
{
	char owner[OWNER_BYTES] = "";
	for (int i = 0; i < 20 && !*owner; i++) {
		if (i)
			nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
		(void)read_owner(fd, owner);
	}
	owner[strcspn(owner, "\n")] = 0;
	char *host = strchr(owner, ' ');
	static const char help[] = "wait for its end, or name another file";
	if (host)
		die_help(STATUS_DATA, help, "`%s` is being written by the process %.*s on `%s`", path,
		         (int)(host - owner), owner, host + 1);
	die_help(STATUS_DATA, help, "`%s` is being written by another process", path);
}

static int open_lock(const char *option, const char *path, const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	struct stat st;
	char owner[OWNER_BYTES];
	if (fd < 0 && errno == ENOENT)
		die_help(STATUS_DATA, "make it first (mkdir -p), or name a file elsewhere",
		         "`--%s %s` can't be written: there is no folder `%s`", option, path,
		         path_folder(name));
	if (fd < 0)
		die(STATUS_DATA, "`--%s %s` can't be written: can't create `%s` beside it: %s", option, path,
		    name, strerror(errno));
	ssize_t length = fstat(fd, &st) < 0 ? -1 : S_ISREG(st.st_mode) ? read_owner(fd, owner) : 0;
	if (length < 0)
		die(STATUS_DATA, "`--%s %s` can't be written: can't read its lock `%s`: %s", option, path,
		    name, strerror(errno));
	if (!S_ISREG(st.st_mode) || !is_owner(owner, length))
		die_help(STATUS_DATA, "move it away, or name another file",
		         "`--%s %s` needs the name `%s` for its lock, and another file has it", option, path,
		         name);
	return fd;
}

/* Another owner may have removed the file between our open and our flock: then the lock is on nothing. */
static bool still_named(int fd, const char *name)
{
	struct stat open_file, named;
	return fstat(fd, &open_file) == 0 && stat(name, &named) == 0 && open_file.st_dev == named.st_dev &&
	       open_file.st_ino == named.st_ino;
}

/* Without a number in it the lock holds all the same: a full disk is told by what is to be written itself. */
static void write_owner(int fd)
{
	char owner[OWNER_BYTES], host[256] = "";
	if (gethostname(host, sizeof host - 1) < 0 || !*host)
		strcpy(host, "this machine");
	int length = snprintf(owner, sizeof owner, "%ld %s\n", (long)getpid(), host);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, owner, (size_t)length, 0) != length)
		(void)ftruncate(fd, 0);
}

void lock_take(const char *option, const char *path)
{
	char *target = path_target(path), *name = text_printf("%s.lock", target);
	int fd;
	bool locked = true;
	for (;;) {
		fd = open_lock(option, path, name);
		if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
			if (errno == EWOULDBLOCK)
				refuse(fd, path);
			if (errno != EINTR) {
				say_warning(
				        "`%s` can't be locked: %s; do not let two processes write it at once",
				        path, strerror(errno));
				locked = false;
				break;
			}
		} else if (still_named(fd, name)) {
			break;
		}
		close(fd);
	}
	if (locked)
		write_owner(fd);
	held.names = reallocate(held.names, held.count + 1, sizeof *held.names, "the locks");
	held.files = reallocate(held.files, held.count + 1, sizeof *held.files, "the locks");
	held.names[held.count] = name;
	held.files[held.count++] = fd;
	if (held.count == 1)
		die_at_end(locks_release);
	free(target);
}

/* Removed while it is locked, so that nobody else's is. */
void locks_release(void)
{
	for (int i = 0; i < held.count; i++) {
		unlink(held.names[i]);
		close(held.files[i]);
		free(held.names[i]);
	}
	free(held.names);
	free(held.files);
	held.names = NULL;
	held.files = NULL;
	held.count = 0;
	die_not_at_end(locks_release);
}
