/* SPDX-License-Identifier: MIT */
/* Files that are written whole or not at all, and what stood in their place before.
 *
 * A symbolic link stays one: what is written, and what is moved aside, is the file that it leads to. */
#ifndef NNR_WRITER_H
#define NNR_WRITER_H

#include <stdbool.h>
#include <stdint.h>

/* Writes beside `path` under a temporary name, syncs, renames, and syncs the folder. Until the rename `path` is as it
 * was. Mode and owner are those of the file that is replaced, or was set aside. The temporary file is locked
 * (flock) while it is written, so that one whose writer was killed can be told from one that is needed. */
typedef struct FileWriter FileWriter;
FileWriter *file_begin(const char *path); /* NULL on failure */
FileWriter *file_begin_new(
        const char *path); /* one that replaces nothing: committing fails where a file is */
bool file_write(FileWriter *w, const void *bytes, int64_t length);
/* All of it is on disk, under the temporary name; nothing can be written then. */
bool file_finish(FileWriter *w);
/* Finishes it where that is to be done, and renames; frees w, on failure too. A folder that can't be synced is no
 * failure but a warning: the file is there, and lost only where the machine stops now. */
bool file_commit(FileWriter *w);
/* The same of files that replace nothing, all or none: where one can't be renamed those before it go again. */
bool files_commit(FileWriter *const *files, int count);
void file_abandon(FileWriter *w);
/* A whole file at once, where none is yet; false with file_failure(). */
bool file_write_new(const char *path, const void *bytes, int64_t length);
const char *file_failure(
        void); /* why the last of these calls failed: "can't write `x`: No space left on device" */

/* Gives the file at `path` the name `path`.N, N the first number from 1 on that is free; nothing is overwritten,
 * whatever else writes there at the same time. Returns the new name, malloc'd, or NULL with file_failure(). */
char *file_set_aside(const char *path);
/* The same with the file under both names, where the file system has hard links; else it is set aside. */
char *file_keep(const char *path);
/* Mode and owner for an open file at `path`: those of what file_set_aside took from there; else nothing changes. */
void file_keep_mode(int fd, const char *path);
/* Removes temporary files beside `path` whose writers are dead; returns how many. */
int file_clean(const char *path);

#endif
