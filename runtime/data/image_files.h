/* SPDX-License-Identifier: MIT */
/* Lists of image files in folders of classes, and one such file as a sample. */
#ifndef NNR_IMAGE_FILES_H
#define NNR_IMAGE_FILES_H

#include "runtime/data/resize.h"
#include "runtime/host/rng.h"

typedef struct Names {
	char **at;
	int count, room;
} Names;

/* For qsort, of strings. */
int words_by_bytes(const void *a, const void *b);
/* The names in a folder, sorted by their bytes, without those that begin with a dot, and what systems leave in folders
 * (Thumbs.db, desktop.ini, __MACOSX, @eaDir). */
Names folder_names(const char *folder);
/* Of the folders in it, which must not lead out of `root` (a real path; NULL: they may). */
Names folder_classes(const char *folder, const char *root);
void names_free(Names *names);

typedef struct ImageFile {
	char *path;
	const char *kind; /* of image_kind(); NULL: not looked at yet, or none */
	int class;
	const char *why;        /* it can't be used; NULL: it can, for all that is known */
	int64_t height, width;  /* 0: not looked at yet */
	int64_t bytes, seconds; /* length and time of the last change */
	uint64_t head;          /* hash of what was read of it when it was looked at */
	bool colour;
	bool told;  /* that it turned out to be bad */
	bool given; /* by its own name, not by that of its folder */
} ImageFile;

/* What samples are decoded from: file k is sample k. */
typedef struct ImageFiles {
	ImageFile *at;
	int64_t count, room;
	int64_t height, width; /* of a sample */
	int channels;
	/* Files that may yet turn out to be bad when they are decoded, and that did. */
	int64_t allowed, found, told;
} ImageFiles;

/* Adds the files of FOLDER/CLASS and of the folders in it, in the order of their names. FIFOs, devices and links that
 * lead out of `root` have `why` set. */
void image_files_add(ImageFiles *list, const char *folder, const char *class, int index, const char *root);
/* Adds one, and returns it; `path` is the list's from now on. `root` NULL: it may be a link to anywhere. */
ImageFile *image_files_add_one(ImageFiles *list, char *path, int index, const char *root);
void image_files_free(ImageFiles *list);
/* Looks at the heads of all files, on several threads; those that can't be read, or whose head is no image's, have
 * `why` set then. What is no picture by its content nor should be one by its name, as `notes.txt`, leaves the list, and
 * a note says how many these are. */
void image_files_look(ImageFiles *list, int threads, bool show_progress);
/* Warns of those that have `why`: of some, or `all`, by their names, of the others by their reasons. Ends the process
 * where a reason is the machine's. */
void image_files_say_bad(const ImageFiles *list, bool all);
/* File k turned out to be bad: whether it may be passed over. From several threads at once. */
bool image_files_pass_over(ImageFiles *list, int64_t k, const char *why);
/* Moves the files at these places, each once, to a new list; what is left in `list` is not used after. */
ImageFiles image_files_take(ImageFiles *list, const int64_t *places, int64_t count);
/* A hash, never 0, of names (after `folder`), classes, heads, lengths, and times to the second: what a copy by tar or
 * rsync keeps of a folder. Of files that were looked at. */
uint64_t image_files_hash(const ImageFiles *list, const char *folder);

/* File k as [height, width, channels], to `to`: the window of it that is chosen, at the sample's size. NULL, or why it
 * can't be: a text that stays. From several threads at once; never dies, never prints. */
typedef Window ChooseWindow(const void *context, int64_t height, int64_t width);
const char *image_files_sample(const ImageFiles *list, int64_t k, ChooseWindow *choose, const void *context,
                               uint8_t *to);

#endif
