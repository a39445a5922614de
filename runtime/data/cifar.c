/* SPDX-License-Identifier: MIT */
/* CIFAR's binary files: records of one or two label bytes, then the image as a red, a green and a blue plane of 32x32.
 *
 *   CIFAR-10   data_batch_1.bin .. data_batch_5.bin, test_batch.bin    label, 3072 pixels
 *   CIFAR-100  train.bin, test.bin                                     coarse label, fine label, 3072 pixels
 *
 * The files lie in the folder itself or in the one that the archive unpacks to. */
#include "runtime/data/reader.h"
#include "base/utf8.h"
#include "runtime/data/data.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 32, PLANE = SIDE * SIDE, PIXELS = 3 * PLANE, FILES = 5 };

typedef struct Kind {
	const char *format, *unpacked; /* the folder in the archive */
	int classes, labels;           /* label bytes of a record; the last one counts */
	const char *train[FILES], *test;
	const char *names; /* of the classes, a line each; the folder may lack it */
} Kind;

static const Kind kinds[] = {
        {"CIFAR-10 (binary)",
         "cifar-10-batches-bin",
         10,
         1,
         {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"},
         "test_batch.bin",
         "batches.meta.txt"},
        {"CIFAR-100 (binary)", "cifar-100-binary", 100, 2, {"train.bin"}, "test.bin", "fine_label_names.txt"},
};

static bool has_file(const char *folder, const char *name)
{
	char *path = path_join(folder, name);
	bool found = path_exists(path);
	free(path);
	return found;
}

static bool has_files(const char *folder, const Kind *kind)
{
	return has_file(folder, kind->train[0]) || has_file(folder, kind->test);
}

/* The kind of CIFAR in `folder` and, malloc'd, the folder its files are in; NULL: none. */
static const Kind *find_kind(const char *folder, char **where)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char *inner = path_join(folder, kinds[i].unpacked);
		*where = has_files(inner, &kinds[i]) ? inner : text_printf("%s", folder);
		if (*where != inner)
			free(inner);
		if (has_files(*where, &kinds[i]))
			return &kinds[i];
		free(*where);
	}
	return NULL;
}

static bool recognise(const char *folder, const NnrModel *model)
{
	(void)model;
	char *where;
	bool found = find_kind(folder, &where) != NULL;
	if (found)
		free(where);
	return found;
}

static void store_record(DataPart *part, const NnrModel *m, int image, int target, int64_t k,
                         const unsigned char *record, const Kind *kind)
{
	const unsigned char *planes = record + kind->labels;
	unsigned char *to = (unsigned char *)part->at[image] + k * PIXELS;
	for (int p = 0; p < PLANE; p++)
		for (int c = 0; c < 3; c++)
			to[3 * p + c] = planes[c * PLANE + p];
	data_set_class(part, m, target, k, record[kind->labels - 1]);
}

static int64_t record_count(const char *path, const Kind *kind, int *fd)
{
	int64_t size, record = kind->labels + PIXELS;
	*fd = file_open_or_die(path, &size);
	if (size == 0 || size % record)
		die(STATUS_DATA, "`%s` has %lld bytes, not a multiple of %lld: it is cut short or no %s file",
		    path, (long long)size, (long long)record, kind->format);
	return size / record;
}

static void read_part(DataPart *part, const char *folder, const char *const *names, int count,
                      const Kind *kind, const NnrModel *m)
{
	int image, target, fds[FILES];
	int64_t counts[FILES], total = 0, record = kind->labels + PIXELS, k = 0;
	char *paths[FILES];
	data_image_and_class(m, kind->format, "images and one class each", &image, &target);
	data_check_image(m, image, folder, SIDE, SIDE, 3);
	data_check_classes(m, target, folder, kind->classes, false);
	for (int i = 0; i < count; i++) {
		paths[i] = path_join(folder, names[i]);
		counts[i] = record_count(paths[i], kind, &fds[i]);
		total += counts[i];
	}
	data_allocate(part, m, total);
	for (int i = 0; i < count; i++) {
		unsigned char *bytes = allocate(counts[i], record, "a data file");
		if (!file_read_at(fds[i], bytes, counts[i] * record, 0))
			die(STATUS_DATA, "can't read `%s`: %s", paths[i],
			    errno ? strerror(errno) : "it is cut short");
		for (int64_t r = 0; r < counts[i]; r++, k++) {
			int label = bytes[r * record + kind->labels - 1];
			if (label >= kind->classes)
				die(STATUS_DATA, "`%s` has the label %d in record %lld; %s has %d classes",
				    paths[i], label, (long long)r, kind->format, kind->classes);
			store_record(part, m, image, target, k, bytes + r * record, kind);
		}
		free(bytes);
		close(fds[i]);
		free(paths[i]);
	}
}

/* The classes stay without names where the file is not as the archives have it. */
static void read_names(Dataset *d, const char *folder, const Kind *kind)
{
	enum { LIMIT = 1 << 16 };
	int64_t length;
	const char *why;
	char *path = path_join(folder, kind->names), *text = (char *)file_read(path, LIMIT, &length, &why);
	int lines = 0;
	d->classes = allocate(kind->classes, sizeof *d->classes, "the names of classes");
	for (char *at = text ? text + utf8_mark(text, length) : NULL, *end = text ? text + length : NULL;
	     at < end;) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		int n = (int)((stop ? stop : end) - at);
		n -= n > 0 && at[n - 1] == '\r';
		lines += n > 0;
		if (n > 0 && lines <= kind->classes)
			d->classes[d->class_count++] = text_printf("%.*s", n, at);
		at = stop ? stop + 1 : end;
	}
	if (lines != kind->classes) {
		while (d->class_count > 0)
			free(d->classes[--d->class_count]);
		free(d->classes);
		d->classes = NULL;
	}
	free(text);
	free(path);
}

static Dataset read_cifar(const char *folder, const DataRequest *r)
{
	char *where;
	const Kind *kind = find_kind(folder, &where);
	require(kind);
	Dataset d = {.format = text_printf("%s", kind->format)};
	read_names(&d, where, kind);
	bool has_test = has_file(where, kind->test);
	int files = 0;
	while (files < FILES && kind->train[files])
		files++;
	if (has_test)
		read_part(&d.held_out, where, &kind->test, 1, kind, r->model);
	if (r->want_train || !has_test)
		read_part(&d.train, where, kind->train, files, kind, r->model);
	if (!has_test)
		data_hold_out(&d, r);
	free(where);
	return d;
}

const DataReader data_reader_cifar = {.of = OF_FOLDER, .recognise = recognise, .read = read_cifar};
