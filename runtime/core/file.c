#include "runtime/core/file.h"
#include "runtime/core/die.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int file_open(const char *path, int64_t *size, const char **why)
{
	*why = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* non-blocking: a FIFO must not hang us */
	if (fd < 0)
		return -1;
	struct stat st;
	if (fstat(fd, &st) < 0) {
		int saved = errno;
		close(fd);
		errno = saved;
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		*why = S_ISDIR(st.st_mode) ? "it is a folder" : "it is not a regular file";
		errno = EINVAL;
		return -1;
	}
	*size = st.st_size;
	return fd;
}

int file_open_or_die(const char *path, int64_t *size)
{
	const char *why;
	int fd = file_open(path, size, &why);
	if (fd < 0)
		die(STATUS_DATA, "can't read `%s`: %s", path, why ? why : strerror(errno));
	return fd;
}

bool file_read_at(int fd, void *to, int64_t length, int64_t offset)
{
	char *at = to;
	while (length > 0) {
		ssize_t n = pread(fd, at, length < 1 << 30 ? (size_t)length : 1 << 30, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n == 0)
				errno = 0;
			return false;
		}
		at += n;
		length -= n;
		offset += n;
	}
	return true;
}

unsigned char *file_read(const char *path, int64_t limit, int64_t *length, const char **why)
{
	int64_t size;
	int fd = file_open(path, &size, why);
	if (fd < 0) {
		if (!*why)
			*why = errno == ENOENT   ? "it does not exist"
			       : errno == EACCES ? "permission denied"
			                         : "it can't be opened";
		return NULL;
	}
	unsigned char *bytes = NULL;
	if (size > limit)
		*why = "it is too large";
	else if (size == 0)
		*why = "it is empty";
	else if (!(bytes = malloc((size_t)size)))
		*why = "not enough memory";
	else if (!file_read_at(fd, bytes, size, 0)) {
		*why = "it can't be read to its end";
		free(bytes);
		bytes = NULL;
	}
	close(fd);
	*length = size;
	return bytes;
}

bool path_exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

bool path_is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

char *path_join(const char *folder, const char *file)
{
	size_t n = strlen(folder);
	return text_printf(n && folder[n - 1] == '/' ? "%s%s" : "%s/%s", folder, file);
}

char *path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == path ? text_printf("/")
	       : slash       ? text_printf("%.*s", (int)(slash - path), path)
	                     : text_printf(".");
}

double file_room(const char *path)
{
	struct statvfs fs;
	char *folder = path_folder(path);
	bool known = statvfs(folder, &fs) == 0;
	free(folder);
	return known ? (double)fs.f_bavail * (double)fs.f_frsize : 1e18;
}

/* ---- atomic replacement */

struct FileWriter {
	char *path, *temporary, *folder;
	int fd;
};

static char failure[512];

const char *file_failure(void)
{
	return failure;
}

static bool fail_with(const char *doing, const char *path)
{
	snprintf(failure, sizeof failure, "can't %s `%.300s`: %s", doing, path, strerror(errno));
	return false;
}

static void writer_free(FileWriter *w)
{
	free(w->path);
	free(w->temporary);
	free(w->folder);
	free(w);
}

FileWriter *file_begin(const char *path)
{
	FileWriter *w = allocate(1, sizeof *w, "a file name");
	w->path = text_printf("%s", path);
	w->folder = path_folder(path);
	w->temporary = text_printf("%s.XXXXXX", path);
	struct stat st;
	if (stat(path, &st) == 0 &&
	    !S_ISREG(st.st_mode)) { /* rename would replace a device or fail on a folder */
		errno = EINVAL;
		fail_with("replace (not a regular file)", path);
		writer_free(w);
		return NULL;
	}
	w->fd = mkostemp(w->temporary, O_CLOEXEC);
	if (w->fd < 0) {
		fail_with("create a file beside", path);
		writer_free(w);
		return NULL;
	}
	mode_t mask = umask(0);
	umask(mask);
	if (fchmod(w->fd, 0666 & ~mask) < 0) {
		fail_with("set the permissions of", w->temporary);
		file_abandon(w);
		return NULL;
	}
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
static bool folder_sync(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fail_with("open the folder", folder);
	bool ok = fsync(fd) == 0 || errno == EINVAL; /* EINVAL: a filesystem without folder sync */
	if (!ok)
		fail_with("sync the folder", folder);
	close(fd);
	return ok;
}

bool file_finish(FileWriter *w)
{
	bool ok = fsync(w->fd) == 0 || fail_with("sync", w->temporary);
	int fd = w->fd;
	w->fd = -1;
	return (close(fd) == 0 || fail_with("close", w->temporary)) && ok;
}

bool file_commit(FileWriter *w)
{
	bool ok = w->fd < 0 || file_finish(w);
	ok = ok && (rename(w->temporary, w->path) == 0 || fail_with("rename to", w->path));
	if (!ok) {
		file_abandon(w);
		return false;
	}
	ok = folder_sync(w->folder);
	writer_free(w);
	return ok;
}
