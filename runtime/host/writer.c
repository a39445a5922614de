/* SPDX-License-Identifier: MIT */
#include "runtime/host/writer.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct FileWriter {
	char *target, *temporary, *folder;
	int fd;
	bool is_new; /* and replaces nothing */
};

static char failure[768];

const char *file_failure(void)
{
	return failure;
}

static bool fail_with(const char *doing, const char *path)
{
	snprintf(failure, sizeof failure, "can't %s `%.500s`: %s", doing, path, strerror(errno));
	return false;
}

/* ---- mode and owner */

/* Of files that were set aside: what is written in their place is for the same eyes. */
static struct {
	char **targets;
	struct stat *as;
	int count;
} aside;

static void remember_mode(const char *target, const struct stat *st)
{
	aside.targets = reallocate(aside.targets, aside.count + 1, sizeof *aside.targets, "a file name");
	aside.as = reallocate(aside.as, aside.count + 1, sizeof *aside.as, "a file name");
	aside.targets[aside.count] = text_printf("%s", target);
	aside.as[aside.count++] = *st;
}

static const struct stat *remembered_mode(const char *target)
{
	for (int i = aside.count - 1; i >= 0; i--)
		if (strcmp(aside.targets[i], target) == 0)
			return &aside.as[i];
	return NULL;
}

/* Only root can give a file away. Where the group can't be kept, it gets no more than everybody. */
static bool make_like(int fd, const struct stat *like)
{
	mode_t mode = like->st_mode & 0777;
	if (fchown(fd, like->st_uid, like->st_gid) < 0 && fchown(fd, (uid_t)-1, like->st_gid) < 0)
		mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
	return fchmod(fd, mode) == 0;
}

void file_keep_mode(int fd, const char *path)
{
	char *target = path_target(path);
	const struct stat *like = remembered_mode(target);
	if (like)
		(void)make_like(fd, like); /* a file that more can read is no reason to stop */
	free(target);
}

/* `there`: what is replaced, or NULL. */
static bool set_mode(const FileWriter *w, const struct stat *there)
{
	const struct stat *like = there ? there : remembered_mode(w->target);
	if (like)
		return make_like(w->fd, like);
	mode_t mask = umask(0);
	umask(mask);
	return fchmod(w->fd, 0666 & ~mask) == 0;
}

/* ---- temporary files */

static const char pattern[] = ".nnc-XXXXXX";

/* Whether `name` is `base` with what mkostemp made of the pattern. */
static bool is_temporary(const char *name, const char *base)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t n = strlen(base), fixed = strcspn(pattern, "X");
	return strlen(name) == n + strlen(pattern) && memcmp(name, base, n) == 0 &&
	       memcmp(name + n, pattern, fixed) == 0 &&
	       strspn(name + n + fixed, letters) == strlen(pattern) - fixed;
}

/* A lock that can be had is nobody's: the writer is dead. Where the system has no locks all are left. */
static bool remove_dead(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	bool dead =
	        fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0;
	dead = dead && unlink(path) == 0;
	if (fd >= 0)
		close(fd);
	return dead;
}

int file_clean(const char *path)
{
	char *target = path_target(path), *folder = path_folder(target);
	const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
	int removed = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (!is_temporary(entry->d_name, base))
			continue;
		char *found = path_join(folder, entry->d_name);
		removed += remove_dead(found);
		free(found);
	}
	if (dir)
		closedir(dir);
	free(folder);
	free(target);
	return removed;
}

/* Locked before it is known to anyone. Between making and locking it may be taken for a dead one: then again. */
static bool make_temporary(FileWriter *w)
{
	enum { TRIES = 100 };
	for (int i = 0; i < TRIES; i++) {
		strcpy(w->temporary + strlen(w->target), pattern);
		w->fd = mkostemp(w->temporary, O_CLOEXEC);
		struct stat st;
		if (w->fd < 0)
			return false;
		(void)flock(w->fd, LOCK_EX | LOCK_NB);
		if (fstat(w->fd, &st) < 0 || st.st_nlink > 0)
			return true;
		close(w->fd);
	}
	errno = EAGAIN;
	return false;
}

/* ---- writing */

static void writer_free(FileWriter *w)
{
	free(w->target);
	free(w->temporary);
	free(w->folder);
	free(w);
}

FileWriter *file_begin(const char *path)
{
	FileWriter *w = allocate(1, sizeof *w, "a file name");
	w->target = path_target(path);
	w->folder = path_folder(w->target);
	w->temporary = text_printf("%s%s", w->target, pattern);
	struct stat st;
	const char *cannot = NULL;
	bool there = stat(path, &st) == 0;
	if (!there && errno != ENOENT && errno != ENOTDIR)
		cannot = "tell what is at";
	else if (there && !S_ISREG(st.st_mode)) { /* rename would replace a device or fail on a folder */
		errno = EINVAL;
		cannot = "replace (not a regular file)";
	} else if (!make_temporary(w))
		cannot = "create a file beside";
	if (cannot) {
		fail_with(cannot, path);
		writer_free(w);
		return NULL;
	}
	if (!set_mode(w, there ? &st : NULL)) {
		fail_with("set the permissions of", w->temporary);
		file_abandon(w);
		return NULL;
	}
	return w;
}

FileWriter *file_begin_new(const char *path)
{
	FileWriter *w = file_begin(path);
	if (w)
		w->is_new = true;
	return w;
}

bool file_write(FileWriter *w, const void *bytes, int64_t length)
{
	const char *at = bytes;
	while (length > 0) {
		ssize_t n = write(w->fd, at, length < 1 << 30 ? (size_t)length : 1 << 30);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail_with("write", w->temporary);
		at += n;
		length -= n;
	}
	return true;
}

void file_abandon(FileWriter *w)
{
	if (w->fd >= 0)
		close(w->fd);
	unlink(w->temporary);
	writer_free(w);
}

/* A rename is durable once its folder is on disk. */
static void folder_sync(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* EINVAL: a file system that does not sync folders */
	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
		say_warning("what was written in the folder `%s` may be lost if the machine stops: it can't "
		            "be synced: %s",
		            folder, strerror(errno));
	if (fd >= 0)
		close(fd);
}

bool file_finish(FileWriter *w)
{
	bool ok = fsync(w->fd) == 0 || fail_with("sync", w->temporary);
	int fd = w->fd;
	w->fd = -1;
	return (close(fd) == 0 || fail_with("close", w->temporary)) && ok;
}

/* The file gets a name that no other has. errno EEXIST: one has. */
static bool rename_to_free(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS) /* NFS among them, which has links */
		return false;
	if (link(from, to) < 0)
		return false;
	(void)unlink(from); /* where that fails it has two names */
	return true;
}

static bool put_in_place(FileWriter *w)
{
	return (w->fd < 0 || file_finish(w)) && ((w->is_new ? rename_to_free(w->temporary, w->target)
	                                                    : rename(w->temporary, w->target) == 0) ||
	                                         fail_with("rename to", w->target));
}

bool files_commit(FileWriter *const *files, int count)
{
	int done = 0;
	while (done < count && put_in_place(files[done]))
		done++;
	for (int i = 0; i < done && done < count; i++)
		(void)rename(files[i]->target, files[i]->temporary);
	for (int i = 0; i < count; i++) {
		if (done < count) {
			file_abandon(files[i]);
			continue;
		}
		folder_sync(files[i]->folder);
		writer_free(files[i]);
	}
	return done == count;
}

bool file_commit(FileWriter *w)
{
	return files_commit(&w, 1);
}

/* ---- what stood there before */

static bool link_to_free(const char *from, const char *to)
{
	return link(from, to) == 0;
}

/* The first free number, as `name_it` finds when it takes one. */
static char *take_number(const char *path, bool (*name_it)(const char *from, const char *to))
{
	enum { MOST = 1000000 };
	char *target = path_target(path), *folder = path_folder(target), *name = NULL;
	struct stat st;
	bool done = false, there = stat(target, &st) == 0;
	for (int n = 1; there && !done && n < MOST; n++) {
		free(name);
		name = text_printf("%s.%d", target, n);
		done = name_it(target, name);
		if (!done && errno != EEXIST)
			break;
	}
	if (done) {
		folder_sync(folder);
		remember_mode(target, &st);
	} else {
		fail_with("rename", target);
		free(name);
		name = NULL;
	}
	free(folder);
	free(target);
	return name;
}

char *file_set_aside(const char *path)
{
	return take_number(path, rename_to_free);
}

char *file_keep(const char *path)
{
	char *name = take_number(path, link_to_free);
	return name ? name : take_number(path, rename_to_free);
}

bool file_write_new(const char *path, const void *bytes, int64_t length)
{
	FileWriter *w = file_begin_new(path);
	if (!w)
		return false;
	if (file_write(w, bytes, length))
		return file_commit(w);
	file_abandon(w);
	return false;
}
