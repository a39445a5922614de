/* SPDX-License-Identifier: MIT */
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

/* Why file_open or file_read_at failed with that errno. */
const char *file_why(int error);
/* Reasons of these, and of others, that are not the file's own: it is whole, and another run may read it. So it
 * must not be left out as a damaged one would be. */
extern const char machine_no_memory[], machine_no_files[], machine_no_disk[];
extern const char machine_no_jpeg[], machine_no_png[]; /* of a runtime that was built without */
/* These say what the loader said of a library that decodes pictures (image_libraries.c). */
enum { LIBRARY_JPEG, LIBRARY_PNG, LIBRARY_WEBP, LIBRARY_TIFF, LIBRARIES, MACHINE_BYTES = 512 };
extern char machine_no_library[LIBRARIES][MACHINE_BYTES];
/* The status that such a reason ends the process with; 0 where `why` is none. */
int machine_status(const char *why);

/* These three end the process where it is the machine's fault that nothing can be seen there. */
bool path_exists(const char *path);
bool path_is_folder(const char *path);
char *path_real(const char *path); /* its own path without links, malloc'd; NULL: there is nothing */
char *path_join(const char *folder, const char *name); /* malloc'd */
char *path_folder(const char *path);                   /* that it is in, malloc'd */
/* The file that a symbolic link at `path` leads to, there or not yet; `path` itself where none is. malloc'd. */
char *path_target(const char *path);
/* Bytes that its folder has left for a file; a large number where the system does not say. */
double file_room(const char *path);
/* The number that a file of the system begins with; `otherwise` where it has none or can't be read. */
double file_number(const char *path, double otherwise);

#define RUNS "runs" /* the folder of the folders of --run */
/* The folder of a run, by its path or by its name in the folder of all, as NAME-1; malloc'd. Where there is none, the
 * word itself. */
char *run_folder_named(const char *word);

#endif
