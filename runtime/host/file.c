/* SPDX-License-Identifier: MIT */
#include "runtime/host/file.h"
#include "runtime/host/die.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

const char machine_no_memory[] = "there is no memory for it", machine_no_files[] = "too many files are open",
           machine_no_disk[] = "it can't be read from the disk",
           machine_no_jpeg[] = "this trainer was built without JPEG (libturbojpeg)",
           machine_no_png[] = "this trainer was built without PNG (libpng)";
char machine_no_library[LIBRARIES][MACHINE_BYTES];

static bool is_no_library(const char *why)
{
	for (int i = 0; i < LIBRARIES; i++)
		if (why == machine_no_library[i])
			return true;
	return why == machine_no_jpeg || why == machine_no_png;
}

int machine_status(const char *why)
{
	return why == machine_no_memory                            ? STATUS_MEMORY
	       : why == machine_no_files || why == machine_no_disk ? STATUS_DATA
	       : is_no_library(why)                                ? STATUS_DEVICE
	                                                           : 0;
}

const char *file_why(int error)
{
	static const struct {
		int error;
		const char *why;
	} rows[] = {
	        {0, "it can't be read to its end"},
	        {ENOENT, "it does not exist"},
	        {EACCES, "permission denied"},
	        {ENOMEM, machine_no_memory},
	        {EMFILE, machine_no_files},
	        {ENFILE, machine_no_files},
	        {EIO, machine_no_disk},
	        {ESTALE, machine_no_disk}, /* NFS, and the next too */
	        {ETIMEDOUT, machine_no_disk},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].error == error)
			return rows[i].why;
	return "it can't be opened";
}

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
			*why = file_why(errno);
		return NULL;
	}
	unsigned char *bytes = NULL;
	if (size > limit)
		*why = "it is too large";
	else if (size == 0)
		*why = "it is empty";
	else if (!(bytes = malloc((size_t)size)))
		*why = machine_no_memory;
	else if (!file_read_at(fd, bytes, size, 0)) {
		*why = file_why(errno);
		free(bytes);
		bytes = NULL;
	}
	close(fd);
	*length = size;
	return bytes;
}

/* What the machine can't look at now is not taken for absent: a data set would be another. */
static void check_machine(const char *path)
{
	const char *why = file_why(errno);
	if (machine_status(why))
		die(machine_status(why), "can't tell what is at `%s`: %s", path, why);
}

bool path_exists(const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;
	if (!there)
		check_machine(path);
	return there;
}

bool path_is_folder(const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;
	if (!there)
		check_machine(path);
	return there && S_ISDIR(st.st_mode);
}

char *path_real(const char *path)
{
	char *real = realpath(path, NULL);
	if (!real)
		check_machine(path);
	return real;
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

char *path_target(const char *path)
{
	enum {
		LINKS_MOST = 40
	}; /* as many as Linux follows; opening what is left then fails with its own reason */
	char *at = text_printf("%s", path), to[PATH_MAX];
	ssize_t length;
	for (int i = 0; i < LINKS_MOST && (length = readlink(at, to, sizeof to)) > 0; i++) {
		char *folder = path_folder(at), *next;
		next = to[0] == '/' || !strchr(at, '/') ? text_printf("%.*s", (int)length, to)
		                                        : text_printf("%s/%.*s", folder, (int)length, to);
		free(folder);
		free(at);
		at = next;
	}
	return at;
}

double file_room(const char *path)
{
	struct statvfs fs;
	char *target = path_target(path), *folder = path_folder(target);
	bool known = statvfs(folder, &fs) == 0;
	free(folder);
	free(target);
	return known ? (double)fs.f_bavail * (double)fs.f_frsize : 1e18;
}

double file_number(const char *path, double otherwise)
{
	double value;
	FILE *f = fopen(path, "re");
	if (f && fscanf(f, "%lf", &value) == 1)
		otherwise = value;
	if (f)
		fclose(f);
	return otherwise;
}

char *run_folder_named(const char *word)
{
	char *path = path_join(RUNS, word);
	if (!path_is_folder(word) && path_is_folder(path))
		return path;
	free(path);
	return text_printf("%s", word);
}
