/* Files: opened once, refused unless regular, every call checked. Messages name the file and the reason. */
#ifndef NNR_FILE_H
#define NNR_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Opens a regular file for reading; a FIFO, device or folder is refused without blocking. -1 with errno set, or
 * with *why set to a sentence when the kind of file is the reason. */
int file_open(const char *path, int64_t *size, const char **why);
/* The same, ending the process with STATUS_DATA. */
int file_open_or_die(const char *path, int64_t *size);
/* Reads exactly `length` bytes at `offset`; false with errno (0: the file ends before). */
bool file_read_at(int fd, void *to, int64_t length, int64_t offset);
/* The whole of a file of at most `limit` bytes, malloc'd; NULL with *why. Used from several threads at once. */
unsigned char *file_read(const char *path, int64_t limit, int64_t *length, const char **why);

bool path_exists(const char *path);
bool path_is_folder(const char *path);
char *path_join(const char *folder, const char *name); /* malloc'd */
char *path_folder(const char *path);                   /* that it is in, malloc'd */
/* Bytes that its folder has left for a file; a large number where the system does not say. */
double file_room(const char *path);

/* A file that replaces `path` whole or not at all: written beside it under a temporary name, synced, renamed, the
 * folder synced. After a failure `path` is as it was and file_failure() says why. */
typedef struct FileWriter FileWriter;
FileWriter *file_begin(const char *path); /* NULL on failure */
bool file_write(FileWriter *w, const void *bytes, int64_t length);
bool file_finish(
        FileWriter *w); /* all of it is on disk, under the temporary name; nothing can be written then */
bool file_commit(
        FileWriter *w); /* finishes it where that is to be done, and renames; frees w, on failure too */
void file_abandon(FileWriter *w);
const char *file_failure(void);

#endif
