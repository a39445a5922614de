/* SPDX-License-Identifier: MIT */
/* What folders of pictures are like: where classes, parts and pictures are in them. */
#include "runtime/data/image_folders.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/data/image.h"
#include "runtime/data/image_files.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *images_subfolder(const char *folder, const char *name)
{
	char *path = path_join(folder, name);
	if (path_is_folder(path))
		return path;
	free(path);
	return NULL;
}

static bool is_picture(const char *path)
{
	unsigned char head[IMAGE_MAGIC];
	struct stat st;
	const char *why;
	int64_t size, length;
	int fd = lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? file_open(path, &size, &why) : -1;
	if (fd < 0)
		return false;
	length = size < IMAGE_MAGIC ? size : IMAGE_MAGIC;
	bool is = file_read_at(fd, head, length, 0) &&
	          (image_kind(head, length) || image_is_foreign(head, length));
	close(fd);
	return is;
}

bool images_are_in(const char *folder)
{
	enum { OPENED = 64 /* of files whose names say nothing */ };
	Names names = folder_names(folder);
	bool found = false;
	for (int i = 0; i < names.count && !found; i++)
		found = image_is_named(names.at[i]);
	for (int i = 0; i < names.count && i < OPENED && !found; i++) {
		char *path = path_join(folder, names.at[i]);
		found = is_picture(path);
		free(path);
	}
	names_free(&names);
	return found;
}

static bool is_own_folder(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Or in a folder of it; links, which may lead in circles, are not followed. */
static bool are_within(const char *folder, int depth)
{
	enum { DEEPEST = 16 };
	bool found = images_are_in(folder);
	Names names = folder_names(folder);
	for (int i = 0; i < names.count && !found && depth < DEEPEST; i++) {
		char *path = path_join(folder, names.at[i]);
		found = is_own_folder(path) && are_within(path, depth + 1);
		free(path);
	}
	names_free(&names);
	return found;
}

bool images_are_within(const char *folder)
{
	return are_within(folder, 0);
}

int images_class_folders(const char *folder)
{
	Names names = folder_names(folder);
	int found = 0;
	for (int i = 0; i < names.count && found < 2; i++) {
		char *path = images_subfolder(folder, names.at[i]);
		found += path && images_are_in(path);
		free(path);
	}
	names_free(&names);
	return found;
}

char *images_held_out(const char *folder)
{
	static const char *const names[] = {"test", "val", "valid", "validation"};
	char *found = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *path = images_subfolder(folder, names[i]);
		if (path && found)
			say_note("`%s` is left alone: `%s` is held out (`--eval-data %s` takes it instead)",
			         path, found, path);
		if (!path || found)
			free(path);
		else
			found = path;
	}
	return found;
}

bool images_recognise(const char *folder)
{
	char *train = images_subfolder(folder, "train");
	bool found = images_class_folders(train ? train : folder) > 0;
	free(train);
	return found;
}

char *images_train_part(const char *folder)
{
	char *train = images_subfolder(folder, "train");
	return train ? train : text_printf("%s", folder);
}
