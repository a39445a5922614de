/* SPDX-License-Identifier: MIT */
#include "runtime/data/image_files.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/hash.h"
#include "runtime/host/parallel.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_LIMIT = 64 << 20, HEAD = 16 << 10, MAX_CLASSES = 1 << 16, DEEPEST = 16 /* folders in a class */ };
enum { SHOWN = 5 /* bad files by their names */, MOST_REASONS = 16 };

/* ---- walking */

int words_by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_of_the_system(const char *name)
{
	static const char *const names[] = {"Thumbs.db", "ehthumbs.db", "desktop.ini", "__MACOSX", "@eaDir"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	return name[0] == '.';
}

Names folder_names(const char *folder)
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
		if (is_of_the_system(entry->d_name))
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
		qsort(names.at, (size_t)names.count, sizeof *names.at, words_by_bytes);
	return names;
}

void names_free(Names *names)
{
	for (int i = 0; i < names->count; i++)
		free(names->at[i]);
	free(names->at);
}

/* NULL when `path` is a regular file or folder whose place is inside `root` (a real path, or NULL: anywhere), else why
 * not. */
static const char *check_place(const char *path, const char *root, bool want_folder, struct stat *st)
{
	if (lstat(path, st) < 0)
		return file_why(errno);
	if (S_ISLNK(st->st_mode)) {
		char *real = path_real(path);
		size_t n = root ? strlen(root) : 0;
		bool inside = !root ||
		              (real && strncmp(real, root, n) == 0 && (real[n] == '/' || root[n - 1] == '/'));
		free(real);
		if (!inside)
			return "it is a link that leads out of the folder (`--follow-links` takes such)";
		if (stat(path, st) < 0)
			return errno == ENOENT ? "it is a link to nothing" : file_why(errno);
	}
	if (want_folder ? !S_ISDIR(st->st_mode) : !S_ISREG(st->st_mode))
		return want_folder ? "it is no folder" : "it is not a regular file";
	return NULL;
}

Names folder_classes(const char *folder, const char *root)
{
	Names all = folder_names(folder), classes = {0};
	for (int i = 0; i < all.count; i++) {
		struct stat st;
		char *path = path_join(folder, all.at[i]);
		const char *why = path_is_folder(path) ? check_place(path, root, true, &st) : NULL;
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

/* ---- lists */

ImageFile *image_files_add_one(ImageFiles *list, char *path, int index, const char *root)
{
	struct stat st = {0};
	const char *why = check_place(path, root, false, &st);
	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 1024;
		list->at = reallocate(list->at, list->room, sizeof *list->at, "the names of files");
	}
	list->at[list->count++] = (ImageFile){
	        .path = path, .class = index, .why = why, .bytes = st.st_size, .seconds = st.st_mtime};
	return &list->at[list->count - 1];
}

/* Links to folders may lead in circles: they are followed where links may lead anywhere. */
static void add_folder(ImageFiles *list, const char *folder, int index, const char *root, int depth)
{
	Names names = folder_names(folder);
	for (int i = 0; i < names.count; i++) {
		struct stat st;
		char *path = path_join(folder, names.at[i]);
		bool enters = depth < DEEPEST && !check_place(path, root, true, &st) &&
		              (!root || (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)));
		if (!enters) {
			image_files_add_one(list, path, index, root);
		} else {
			add_folder(list, path, index, root, depth + 1);
			free(path);
		}
	}
	names_free(&names);
}

void image_files_add(ImageFiles *list, const char *folder, const char *class, int index, const char *root)
{
	char *path = path_join(folder, class);
	add_folder(list, path, index, root, 0);
	free(path);
}

void image_files_free(ImageFiles *list)
{
	for (int64_t i = 0; i < list->count; i++)
		free(list->at[i].path);
	free(list->at);
	*list = (ImageFiles){0};
}

ImageFiles image_files_take(ImageFiles *list, const int64_t *places, int64_t count)
{
	ImageFiles taken = *list;
	taken.at = allocate(count, sizeof *taken.at, "the names of files");
	taken.count = taken.room = count;
	for (int64_t k = 0; k < count; k++) {
		ImageFile *from = &list->at[places[k]];
		taken.at[k] = *from;
		from->path = NULL;
	}
	return taken;
}

uint64_t image_files_hash(const ImageFiles *list, const char *folder)
{
	uint64_t hash = 1;
	size_t prefix = strlen(folder);
	for (int64_t i = 0; i < list->count; i++) {
		const ImageFile *f = &list->at[i];
		const char *name = f->path + prefix;
		name += strspn(name, "/"); /* DIR and DIR/ are one folder */
		const uint64_t parts[] = {hash,
		                          hash_bytes(name, (int64_t)strlen(name)),
		                          (uint64_t)f->class,
		                          (uint64_t)f->bytes,
		                          (uint64_t)f->seconds,
		                          f->head};
		hash = hash_bytes(parts, sizeof parts);
	}
	return hash ? hash : 1;
}

/* ---- heads */

/* Of what is no picture, and should be none. */
static const char beside[] = "it is no picture";

static const char *look_at_head(ImageFile *f)
{
	unsigned char head[HEAD];
	const char *why;
	int64_t size;
	int fd = file_open(f->path, &size, &why);
	if (fd < 0)
		return why ? why : file_why(errno);
	int64_t length = size < HEAD ? size : HEAD;
	Picture picture = {0};
	if (size == 0)
		why = "it is empty";
	else if (!file_read_at(fd, head, length, 0))
		why = file_why(errno);
	else {
		f->head = hash_bytes(head, length);
		f->kind = image_kind(head, length);
		why = !f->kind            ? image_foreign(head, length)
		      : size > FILE_LIMIT ? "it is too large"
		                          : image_look(f->kind, head, length, size, &picture);
	}
	close(fd);
	if (!f->kind) {
		bool is_beside = !f->given && !machine_status(why) && !image_is_named(f->path) &&
		                 (size == 0 || !image_is_foreign(head, length));
		return is_beside ? beside : why;
	}
	if (why && !machine_status(why) && size > HEAD &&
	    size <= FILE_LIMIT) { /* a profile or a thumbnail may stand before the size */
		unsigned char *bytes = file_read(f->path, FILE_LIMIT, &size, &why);
		if (bytes)
			why = image_look(f->kind, bytes, size, size, &picture);
		free(bytes);
	}
	f->height = picture.height;
	f->width = picture.width;
	f->colour = picture.colour;
	return why;
}

static void look_at_one(void *context, int64_t i)
{
	ImageFile *f = &((ImageFiles *)context)->at[i];
	if (!f->why)
		f->why = look_at_head(f);
	else if (!f->given && !image_is_named(f->path) && !machine_status(f->why))
		f->why = beside; /* a FIFO, a link to nothing */
}

static void drop_beside(ImageFiles *list)
{
	int64_t kept = 0, dropped = 0;
	char *first = NULL;
	for (int64_t i = 0; i < list->count; i++) {
		ImageFile *f = &list->at[i];
		if (f->why != beside) {
			list->at[kept++] = *f;
			continue;
		}
		if (dropped++ == 0)
			first = f->path;
		else
			free(f->path);
	}
	list->count = kept;
	if (dropped)
		say_note("%lld file%s beside the pictures %s none, as `%s`: left alone", (long long)dropped,
		         dropped == 1 ? "" : "s", dropped == 1 ? "is" : "are", first);
	free(first);
}

void image_files_look(ImageFiles *list, int threads, bool show_progress)
{
	parallel_for(list->count, threads, look_at_one, list, show_progress ? "looking at images" : NULL);
	drop_beside(list);
}

/* Reasons why further files are left out, and how many have each. */
typedef struct Reasons {
	struct {
		const char *why;
		int64_t files;
	} at[MOST_REASONS];
	int count;
} Reasons;

static void count_reason(Reasons *r, const char *why)
{
	int i = 0;
	while (i < r->count && strcmp(r->at[i].why, why) != 0)
		i++;
	if (i == MOST_REASONS)
		i--;
	else if (i == r->count)
		r->at[r->count++].why = why;
	r->at[i].files++;
}

static void say_reasons(const Reasons *r)
{
	for (int i = 0; i < r->count; i++)
		say_warning("%lld more file%s left out: %s%s", (long long)r->at[i].files,
		            r->at[i].files == 1 ? " is" : "s are", r->at[i].why,
		            i == MOST_REASONS - 1 ? ", and for other reasons" : "");
}

void image_files_say_bad(const ImageFiles *list, bool all)
{
	Reasons more = {0};
	int64_t bad = 0;
	for (int64_t i = 0; i < list->count; i++) {
		const ImageFile *f = &list->at[i];
		if (machine_status(f->why))
			die(machine_status(f->why), "can't read `%s`: %s", f->path, f->why);
		if (f->why && (bad++ < SHOWN || all))
			say_warning("`%s` is left out: %s", f->path, f->why);
		else if (f->why)
			count_reason(&more, f->why);
	}
	say_reasons(&more);
}

bool image_files_pass_over(ImageFiles *list, int64_t k, const char *why)
{
	const char *none = NULL;
	if (__atomic_compare_exchange_n(&list->at[k].why, &none, why, false, __ATOMIC_RELAXED,
	                                __ATOMIC_RELAXED))
		__atomic_fetch_add(&list->found, 1, __ATOMIC_RELAXED);
	return __atomic_load_n(&list->found, __ATOMIC_RELAXED) <= list->allowed;
}

/* ---- samples */

/* The window of a picture that was decoded smaller, which rounds its sides up. */
static Window reduced_window(Window w, const Picture *picture, int64_t height, int64_t width)
{
	double down = (double)picture->height / (double)height,
	       across = (double)picture->width / (double)width;
	return (Window){w.top * down, w.left * across, w.height * down, w.width * across};
}

const char *image_files_sample(const ImageFiles *list, int64_t k, ChooseWindow *choose, const void *context,
                               uint8_t *to)
{
	const ImageFile *f = &list->at[k];
	const char *why;
	int64_t length;
	unsigned char *bytes = file_read(f->path, FILE_LIMIT, &length, &why);
	if (!bytes)
		return why;
	Picture picture = {0};
	Window w = choose(context, f->height, f->width);
	int reduce = image_reduce(f->kind, w.height / (double)list->height, w.width / (double)list->width);
	why = image_decode(f->kind, bytes, length, list->channels, reduce, &picture);
	free(bytes);
	if (why)
		return why;
	bool same = picture.height == (f->height + reduce - 1) / reduce &&
	            picture.width == (f->width + reduce - 1) / reduce;
	if (!same)
		why = "its size has changed since the start";
	else if (!image_resize(&picture, reduced_window(w, &picture, f->height, f->width), to, list->height,
	                       list->width))
		why = machine_no_memory;
	free(picture.pixels);
	return why;
}
