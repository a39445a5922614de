/* Folders of images, one folder a class:
 *
 *   DIR/train/CLASS/NAME.jpg  and  DIR/test/CLASS/NAME.jpg (or DIR/val)     two parts
 *   DIR/CLASS/NAME.jpg                                                   one part; --holdout of it is held out
 *
 * Classes are numbered by the byte order of their folders' names. Files are JPEG, PNG or BMP by suffix; others, and
 * what can't be decoded, is named, counted and left out; more than a tenth of them is an error. FIFOs and devices are
 * refused, and so are links that lead out of DIR. */
#include "runtime/core/data.h"
#include "runtime/core/die.h"
#include "runtime/core/file.h"
#include "runtime/core/image.h"
#include "runtime/core/parallel.h"
#include "runtime/core/resize.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_LIMIT = 64 << 20, SHOWN = 5, MAX_CLASSES = 1 << 16 };

typedef struct Entry {
	char *path;
	int class;
	const char *why; /* it can't be used; NULL: it can */
	int64_t height, width;
	bool colour;
} Entry;

typedef struct Listing {
	Entry *at;
	int64_t count, room;
} Listing;

typedef struct Names {
	char **at;
	int count, room;
} Names;

/* ---- walking */

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted, without those that begin with a dot. */
static Names read_folder(const char *folder)
{
	Names names = {0};
	DIR *dir = opendir(folder);
	if (!dir)
		die(STATUS_DATA, "can't read the folder `%s`: %s", folder, strerror(errno));
	for (;;) {
		errno = 0;
		struct dirent *entry = readdir(dir);
		if (!entry)
			break;
		if (entry->d_name[0] == '.')
			continue;
		if (names.count == names.room) {
			names.room = names.room ? 2 * names.room : 64;
			names.at = reallocate(names.at, names.room, sizeof *names.at, "the names of files");
		}
		names.at[names.count++] = text_printf("%s", entry->d_name);
	}
	if (errno)
		die(STATUS_DATA, "can't read the folder `%s`: %s", folder, strerror(errno));
	closedir(dir);
	if (names.count)
		qsort(names.at, (size_t)names.count, sizeof *names.at, by_bytes);
	return names;
}

static void names_free(Names *names)
{
	for (int i = 0; i < names->count; i++)
		free(names->at[i]);
	free(names->at);
}

/* NULL when `path` is a regular file or folder whose place is inside `root` (a real path), else why not. */
static const char *check_place(const char *path, const char *root, bool want_folder)
{
	struct stat st;
	if (lstat(path, &st) < 0)
		return "it can't be read";
	if (S_ISLNK(st.st_mode)) {
		char *real = realpath(path, NULL);
		size_t n = strlen(root);
		bool inside = real && strncmp(real, root, n) == 0 && (real[n] == '/' || root[n - 1] == '/');
		free(real);
		if (!inside)
			return "it is a link that leads out of the folder";
		if (stat(path, &st) < 0)
			return "it can't be read";
	}
	if (want_folder ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))
		return want_folder ? "it is no folder" : "it is not a regular file";
	return NULL;
}

static Names read_classes(const char *folder, const char *root)
{
	Names all = read_folder(folder), classes = {0};
	for (int i = 0; i < all.count; i++) {
		char *path = path_join(folder, all.at[i]);
		const char *why = path_is_folder(path) ? check_place(path, root, true) : NULL;
		if (why)
			die(STATUS_DATA, "the class folder `%s` is refused: %s", path, why);
		if (path_is_folder(path)) {
			if (classes.count == MAX_CLASSES)
				die(STATUS_DATA, "`%s` holds more than %d folders", folder, MAX_CLASSES);
			classes.at =
			        reallocate(classes.at, classes.count + 1, sizeof *classes.at, "the classes");
			classes.at[classes.count++] = text_printf("%s", all.at[i]);
		}
		free(path);
	}
	names_free(&all);
	return classes;
}

static void list_class(Listing *list, const char *folder, const char *class, int index, const char *root)
{
	char *path = path_join(folder, class);
	Names names = read_folder(path);
	for (int i = 0; i < names.count; i++) {
		char *file = path_join(path, names.at[i]);
		const char *why = !image_kind(names.at[i]) ? "it is no .jpg, .png or .bmp"
		                                           : check_place(file, root, false);
		if (list->count == list->room) {
			list->room = list->room ? 2 * list->room : 1024;
			list->at = reallocate(list->at, list->room, sizeof *list->at, "the names of files");
		}
		list->at[list->count++] = (Entry){.path = file, .class = index, .why = why};
	}
	names_free(&names);
	free(path);
}

/* ---- decoding */

typedef struct Decoding {
	Listing *list;
	DataPart *part;
	const NnrModel *model;
	int image;
	int64_t height, width;
	int channels;
} Decoding;

static void decode_one(void *context, int64_t i)
{
	const Decoding *d = context;
	Entry *e = &d->list->at[i];
	if (e->why)
		return;
	int64_t length;
	unsigned char *bytes = file_read(e->path, FILE_LIMIT, &length, &e->why);
	if (!bytes)
		return;
	Picture picture = {0};
	e->why = image_decode(image_kind(e->path), bytes, length, d->channels, &picture);
	free(bytes);
	if (e->why)
		return;
	e->height = picture.height;
	e->width = picture.width;
	e->colour = picture.colour;
	int64_t size = sample_bytes(&d->model->inputs[d->image]);
	Window whole = {.height = (double)picture.height, .width = (double)picture.width};
	if (!image_resize(&picture, whole, (uint8_t *)d->part->at[d->image] + i * size, d->height, d->width))
		e->why = "there is no memory for it";
	free(picture.pixels);
}

/* Names the files that were left out, closes the gaps they leave, and refuses when they are too many. */
static void keep_good(DataPart *part, const Decoding *d, int target, const char *folder)
{
	int64_t kept = 0, bad = 0, size = sample_bytes(&d->model->inputs[d->image]);
	for (int64_t i = 0; i < d->list->count; i++) {
		Entry *e = &d->list->at[i];
		if (e->why) {
			if (bad++ < SHOWN)
				say_warning("`%s` is left out: %s", e->path, e->why);
		} else {
			if (kept < i)
				memmove(part->at[d->image] + kept * size, part->at[d->image] + i * size,
				        (size_t)size);
			data_set_class(part, d->model, target, kept++, e->class);
		}
		free(e->path);
	}
	if (bad > SHOWN)
		say_warning("%lld more files are left out", (long long)(bad - SHOWN));
	if (bad * 10 > d->list->count)
		die(STATUS_DATA, "%lld of the %lld files under `%s` can't be used: that is too many",
		    (long long)bad, (long long)d->list->count, folder);
	part->count = kept;
}

/* "32x32 colour to 28x28 grey", malloc'd; NULL where every image is already as the model wants it. */
static char *conversion(const Decoding *d)
{
	const Entry *first = NULL;
	bool same_size = true, kinds[2] = {false, false}; /* grey, colour */
	for (int64_t i = 0; i < d->list->count; i++) {
		const Entry *e = &d->list->at[i];
		if (e->why)
			continue;
		first = first ? first : e;
		same_size = same_size && e->height == first->height && e->width == first->width;
		kinds[e->colour] = true;
	}
	bool wants_colour = d->channels == 3;
	if (!first ||
	    (same_size && first->height == d->height && first->width == d->width && !kinds[!wants_colour]))
		return NULL;
	const char *kind = kinds[0] && kinds[1] ? "colour and grey" : kinds[1] ? "colour" : "grey";
	char *from = same_size ? text_printf("%lldx%lld %s", (long long)first->height,
	                                     (long long)first->width, kind)
	                       : text_printf("%s of several sizes", kind);
	char *text = text_printf("%s to %lldx%lld %s", from, (long long)d->height, (long long)d->width,
	                         wants_colour ? "colour" : "grey");
	free(from);
	return text;
}

/* Returns what was done to the images, or NULL. */
static char *read_part(DataPart *part, const char *folder, const Names *classes, const char *root,
                       const DataRequest *r)
{
	static const char format[] = "images (folders)";
	int image, target;
	data_image_and_class(r->model, format, "images and one class each", &image, &target);
	const NnrInput *in = &r->model->inputs[image];
	if (in->dtype != NNR_U8 || in->rank != 4 || (in->dim[3] != 1 && in->dim[3] != 3))
		die_help(STATUS_DATA, "the size is free: images are resized to it",
		         "image files are u8[height, width, 3] (or 1), the model wants `%s`", input_text(in));
	Names here = read_classes(folder, root);
	Listing list = {0};
	for (int i = 0; i < here.count; i++) {
		int class = 0;
		while (class < classes->count && strcmp(classes->at[class], here.at[i]) != 0)
			class ++;
		if (class == classes->count)
			die(STATUS_DATA, "`%s` holds the class `%s`, which the training part does not have",
			    folder, here.at[i]);
		list_class(&list, folder, here.at[i], class, root);
	}
	names_free(&here);
	data_check_classes(r->model, target, folder, classes->count, false);
	if (list.count == 0)
		die(STATUS_DATA, "the class folders of `%s` hold no files", folder);
	data_allocate(part, r->model, list.count);
	Decoding d = {&list, part, r->model, image, in->dim[1], in->dim[2], (int)in->dim[3]};
	parallel_for(list.count, r->threads, decode_one, &d, r->show_progress ? "reading images" : NULL);
	char *done = conversion(&d);
	keep_good(part, &d, target, folder);
	free(list.at);
	return done;
}

/* ---- which folders */

/* DIR/`name` when it is a folder, malloc'd, else NULL. */
static char *subfolder(const char *folder, const char *name)
{
	char *path = path_join(folder, name);
	if (path_is_folder(path))
		return path;
	free(path);
	return NULL;
}

static bool folder_has_images(const char *folder)
{
	Names names = read_folder(folder);
	bool found = false;
	for (int i = 0; i < names.count && !found; i++)
		found = image_kind(names.at[i]) != NULL;
	names_free(&names);
	return found;
}

static bool has_class_folders(const char *folder)
{
	Names names = read_folder(folder);
	bool found = false;
	for (int i = 0; i < names.count && !found; i++) {
		char *path = subfolder(folder, names.at[i]);
		found = path && folder_has_images(path);
		free(path);
	}
	names_free(&names);
	return found;
}

bool images_recognise(const char *folder)
{
	char *train = subfolder(folder, "train");
	bool found = has_class_folders(train ? train : folder);
	free(train);
	return found;
}

static char *real_folder(const char *folder)
{
	char *root = realpath(folder, NULL);
	if (!root)
		die(STATUS_DATA, "can't read the folder `%s`: %s", folder, strerror(errno));
	return root;
}

/* The classes of the training part, numbered in the order of their names. */
static Names number_classes(const char *folder)
{
	char *root = real_folder(folder), *train = subfolder(folder, "train");
	Names classes = read_classes(train ? train : folder, root);
	free(root);
	free(train);
	return classes;
}

Dataset images_read(const char *folder, const DataRequest *r)
{
	Dataset d = {.class_folder = r->class_folder ? r->class_folder : folder};
	Names classes = number_classes(d.class_folder);
	char *root = real_folder(folder), *train = subfolder(folder, "train"),
	     *test = subfolder(folder, "test");
	if (!test)
		test = subfolder(folder, "val");
	char *done = NULL;
	bool has_test = train && test;
	if (has_test)
		free(read_part(&d.held_out, test, &classes, root, r));
	if (r->want_train || !has_test)
		done = read_part(&d.train, train ? train : folder, &classes, root, r);
	if (!has_test)
		data_hold_out(&d, r);
	d.format = text_printf("folders of images%s%s", done ? ", " : "", done ? done : "");
	free(done);
	d.classes = classes.at;
	d.class_count = classes.count;
	free(root);
	free(train);
	free(test);
	return d;
}
