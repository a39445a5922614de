/* MNIST's IDX files, plain or gzip: two zero bytes, a type code (8: u8), the number of dimensions, big-endian u32
 * sizes, then the bytes.
 *
 *   train-images-idx3-ubyte[.gz]  train-labels-idx1-ubyte[.gz]   required
 *   t10k-images-idx3-ubyte[.gz]   t10k-labels-idx1-ubyte[.gz]    the held-out part, optional as a pair */
#include "runtime/core/data.h"
#include "runtime/core/die.h"
#include "runtime/core/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { DEFLATE_RATIO = 1032 }; /* no deflate stream expands further */

static char *find_file(const char *folder, const char *name)
{
	static const char *const suffixes[] = {"", ".gz"};
	for (int i = 0; i < 2; i++) {
		char *with_suffix = text_printf("%s%s", name, suffixes[i]);
		char *path = path_join(folder, with_suffix);
		free(with_suffix);
		if (path_exists(path))
			return path;
		free(path);
	}
	return NULL;
}

bool idx_recognise(const char *folder)
{
	char *images = find_file(folder, "train-images-idx3-ubyte"),
	     *test = find_file(folder, "t10k-images-idx3-ubyte");
	bool found = images || test;
	free(images);
	free(test);
	return found;
}

typedef struct Idx {
	char *path;
	gzFile file;
	int64_t most; /* bytes the file can hold, from its length on disk */
	int64_t dim[3];
} Idx;

/* gzread passes a file that is not gzip through as it is. */
static void read_exactly(Idx *x, void *to, int64_t length)
{
	char *at = to;
	while (length > 0) {
		int n = gzread(x->file, at, length < 1 << 30 ? (unsigned)length : 1u << 30);
		if (n <= 0) {
			int code;
			const char *why = gzerror(x->file, &code);
			bool damaged = code == Z_DATA_ERROR || code == Z_STREAM_ERROR;
			die(STATUS_DATA, "`%s` is %s%s%s", x->path, damaged ? "damaged" : "cut short",
			    damaged ? ": " : "", damaged ? why : "");
		}
		at += n;
		length -= n;
	}
}

static Idx idx_open(const char *folder, const char *name, int rank)
{
	Idx x = {.path = find_file(folder, name)};
	if (!x.path)
		die(STATUS_DATA, "the folder `%s` has no `%s` (plain or with .gz)", folder, name);
	int64_t size;
	int fd = file_open_or_die(x.path, &size);
	x.file = gzdopen(fd, "rb");
	if (!x.file)
		die(STATUS_MEMORY, "not enough memory to read `%s`", x.path);
	unsigned char head[4];
	read_exactly(&x, head, 4);
	x.most = gzdirect(x.file) ? size : size * DEFLATE_RATIO;
	if (head[0] || head[1])
		die(STATUS_DATA, "`%s` is no IDX file: it begins with %02x %02x %02x %02x", x.path, head[0],
		    head[1], head[2], head[3]);
	if (head[2] != 8 || head[3] != rank)
		die(STATUS_DATA, "`%s` holds type 0x%02x with %d dimensions; %s are type 0x08 (u8) with %d",
		    x.path, head[2], head[3], rank == 3 ? "images" : "labels", rank);
	int64_t bytes = 1, left = x.most - 4 - 4 * rank;
	for (int i = 0; i < rank; i++) {
		unsigned char b[4];
		read_exactly(&x, b, 4);
		x.dim[i] = (int64_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
		if (x.dim[i] < 1)
			die(STATUS_DATA, "`%s` has a dimension of size 0", x.path);
		bytes = bytes > left / x.dim[i] ? left + 1 : bytes * x.dim[i];
	}
	if (bytes > left)
		die(STATUS_DATA, "`%s` is cut short: its header speaks of more data than the file can hold",
		    x.path);
	return x;
}

/* The end must be where the header says; for gzip this is also where zlib compares the checksum. */
static void idx_close(Idx *x)
{
	char beyond;
	int n = gzread(x->file, &beyond, 1), code;
	gzerror(x->file, &code);
	if (n < 0 || (code != Z_OK && code != Z_STREAM_END))
		die(STATUS_DATA, "`%s` is damaged: its checksum does not match", x->path);
	if (n > 0)
		die(STATUS_DATA, "`%s` is longer than its header says", x->path);
	if (gzclose_r(x->file) != Z_OK)
		die(STATUS_DATA, "`%s` is cut short", x->path);
	free(x->path);
}

static void read_part(DataPart *part, const char *folder, const char *prefix, const NnrModel *model)
{
	static const char format[] = "MNIST (IDX)";
	int image, target;
	data_image_and_class(model, format, "images and one class each", &image, &target);
	char *images_name = text_printf("%s-images-idx3-ubyte", prefix);
	char *labels_name = text_printf("%s-labels-idx1-ubyte", prefix);
	Idx images = idx_open(folder, images_name, 3), labels = idx_open(folder, labels_name, 1);
	if (images.dim[0] != labels.dim[0])
		die(STATUS_DATA, "`%s` has %lld images, but `%s` has %lld labels", images.path,
		    (long long)images.dim[0], labels.path, (long long)labels.dim[0]);
	data_check_image(model, image, images.path, images.dim[1], images.dim[2], 1);
	int64_t count = images.dim[0];
	data_allocate(part, model, count);
	read_exactly(&images, part->at[image], count * images.dim[1] * images.dim[2]);
	unsigned char *bytes = allocate(count, 1, "the labels");
	read_exactly(&labels, bytes, count);
	int classes = 0;
	for (int64_t k = 0; k < count; k++) {
		data_set_class(part, model, target, k, bytes[k]);
		classes = bytes[k] >= classes ? bytes[k] + 1 : classes;
	}
	data_check_classes(model, target, labels.path, classes, true);
	free(bytes);
	idx_close(&images);
	idx_close(&labels);
	free(images_name);
	free(labels_name);
}

Dataset idx_read(const char *folder, const DataRequest *r)
{
	Dataset d = {.format = "MNIST (IDX)"};
	char *test = find_file(folder, "t10k-images-idx3-ubyte");
	if (test)
		read_part(&d.held_out, folder, "t10k", r->model);
	if (r->want_train || !test)
		read_part(&d.train, folder, "train", r->model);
	if (!test)
		data_hold_out(&d, r);
	free(test);
	return d;
}
