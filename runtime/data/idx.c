/* SPDX-License-Identifier: MIT */
/* MNIST's IDX files, plain or gzip: two zero bytes, a type code (8: u8), the number of dimensions, big-endian u32
 * sizes, then the bytes.
 *
 *   train-images-idx3-ubyte[.gz]  train-labels-idx1-ubyte[.gz]   required
 *   t10k-images-idx3-ubyte[.gz]   t10k-labels-idx1-ubyte[.gz]    the held-out part, optional as a pair */
#include "runtime/data/reader.h"
#include "runtime/data/data.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"

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

static bool recognise(const char *folder, const NnrModel *model)
{
	(void)model;
	char *images = find_file(folder, "train-images-idx3-ubyte"),
	     *test = find_file(folder, "t10k-images-idx3-ubyte");
	bool found = images || test;
	free(images);
	free(test);
	return found;
}

enum { INPUT_BYTES = 1 << 16 };

/* An open file. zlib's own gzFile is not used: it does not notice a missing end, nor then the checksum. */
typedef struct Idx {
	char *path;
	int fd;
	int64_t size, at; /* of the file on disk; how much of it was read */
	bool gzip, ended; /* ended: the checksum of the last member was seen, and it is right */
	z_stream stream;
	unsigned char *input;
	int64_t dim[3];
} Idx;

static _Noreturn void die_short(const Idx *x)
{
	die(STATUS_DATA, "`%s` is cut short", x->path);
}

static void fill_input(Idx *x)
{
	int64_t n = x->size - x->at < INPUT_BYTES ? x->size - x->at : INPUT_BYTES;
	if (n == 0)
		die_short(x);
	if (!file_read_at(x->fd, x->input, n, x->at))
		die(STATUS_DATA, "can't read `%s`: %s", x->path, errno ? strerror(errno) : "it is cut short");
	x->at += n;
	x->stream.next_in = x->input;
	x->stream.avail_in = (unsigned)n;
}

/* A gzip file is one member after the other, each with a checksum of its own: `cat a.gz b.gz` is one file. What follows
 * the last and is none, such as the zeros that fill up a block, is not looked at, as by gzip itself. */
static void next_member(Idx *x)
{
	enum { FIRST_BYTE = 0x1f };
	if (x->stream.avail_in == 0 && x->at < x->size)
		fill_input(x);
	x->ended = x->stream.avail_in == 0 || x->stream.next_in[0] != FIRST_BYTE;
	if (!x->ended)
		inflateReset(&x->stream);
}

/* Up to `length` bytes; fewer at the end of the stream. */
static int64_t inflate_some(Idx *x, void *to, int64_t length)
{
	unsigned room = length < 1 << 30 ? (unsigned)length : 1u << 30;
	x->stream.next_out = to;
	x->stream.avail_out = room;
	while (x->stream.avail_out > 0 && !x->ended) {
		if (x->stream.avail_in == 0)
			fill_input(x);
		int code = inflate(&x->stream, Z_NO_FLUSH);
		if (code == Z_STREAM_END)
			next_member(x);
		if (code == Z_MEM_ERROR)
			die(STATUS_MEMORY, "not enough memory to read `%s`", x->path);
		if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
			die(STATUS_DATA, "`%s` is damaged: %s", x->path,
			    x->stream.msg ? x->stream.msg : "no gzip data");
	}
	return room - x->stream.avail_out;
}

static void read_exactly(Idx *x, void *to, int64_t length)
{
	if (!x->gzip) {
		if (length > x->size - x->at)
			die_short(x);
		if (!file_read_at(x->fd, to, length, x->at))
			die(STATUS_DATA, "can't read `%s`: %s", x->path,
			    errno ? strerror(errno) : "it is cut short");
		x->at += length;
		return;
	}
	for (int64_t done = 0; done < length;) {
		int64_t n = inflate_some(x, (char *)to + done, length - done);
		if (n == 0)
			die_short(x);
		done += n;
	}
}

/* In place: zlib keeps a pointer to the stream. */
static void idx_open(Idx *x, const char *folder, const char *name, int rank)
{
	*x = (Idx){.path = find_file(folder, name)};
	if (!x->path)
		die(STATUS_DATA, "the folder `%s` has no `%s` (plain or with .gz)", folder, name);
	x->fd = file_open_or_die(x->path, &x->size);
	unsigned char head[4];
	x->gzip = x->size > 2 && file_read_at(x->fd, head, 2, 0) && head[0] == 0x1f && head[1] == 0x8b;
	if (x->gzip) {
		x->input = allocate(INPUT_BYTES, 1, "a buffer");
		if (inflateInit2(&x->stream, 15 + 16) != Z_OK) /* gzip only */
			die(STATUS_MEMORY, "not enough memory to read `%s`", x->path);
	}
	read_exactly(x, head, 4);
	if (head[0] || head[1])
		die(STATUS_DATA, "`%s` is no IDX file: it begins with %02x %02x %02x %02x", x->path, head[0],
		    head[1], head[2], head[3]);
	if (head[2] != 8 || head[3] != rank)
		die(STATUS_DATA, "`%s` holds type 0x%02x with %d dimensions; %s are type 0x08 (u8) with %d",
		    x->path, head[2], head[3], rank == 3 ? "images" : "labels", rank);
	int64_t bytes = 1, left = (x->gzip ? x->size * DEFLATE_RATIO : x->size) - 4 - 4 * rank;
	for (int i = 0; i < rank; i++) {
		unsigned char b[4];
		read_exactly(x, b, 4);
		x->dim[i] = (int64_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
		if (x->dim[i] < 1)
			die(STATUS_DATA, "`%s` has a dimension of size 0", x->path);
		bytes = bytes > left / x->dim[i] ? left + 1 : bytes * x->dim[i];
	}
	if (bytes > left)
		die(STATUS_DATA, "`%s` is cut short: its header speaks of more data than the file can hold",
		    x->path);
}

/* The end must be where the header says; with gzip this is also where the checksum is compared. */
static void idx_close(Idx *x)
{
	char beyond;
	bool longer = x->gzip ? inflate_some(x, &beyond, 1) > 0 : x->at < x->size;
	if (longer)
		die(STATUS_DATA, "`%s` is longer than its header says", x->path);
	if (x->gzip) {
		inflateEnd(&x->stream);
		free(x->input);
	}
	close(x->fd);
	free(x->path);
}

static void read_part(DataPart *part, const char *folder, const char *prefix, const NnrModel *model)
{
	static const char format[] = "MNIST (IDX)";
	int image, target;
	data_image_and_class(model, format, "images and one class each", &image, &target);
	char *images_name = text_printf("%s-images-idx3-ubyte", prefix);
	char *labels_name = text_printf("%s-labels-idx1-ubyte", prefix);
	Idx images, labels;
	idx_open(&images, folder, images_name, 3);
	idx_open(&labels, folder, labels_name, 1);
	if (images.dim[0] != labels.dim[0])
		die(STATUS_DATA, "`%s` has %lld images, but `%s` has %lld labels", images.path,
		    (long long)images.dim[0], labels.path, (long long)labels.dim[0]);
	data_check_image(model, image, images.path, images.dim[1], images.dim[2], 1);
	int64_t count = images.dim[0];
	data_allocate(part, model, count);
	read_exactly(&images, part->at[image], count * images.dim[1] * images.dim[2]);
	unsigned char *bytes = allocate(count, 1, "the labels");
	read_exactly(&labels, bytes, count);
	const NnrInput *wanted = &model->inputs[target < 0 ? 0 : target];
	for (int64_t k = 0; k < count && target >= 0; k++) {
		if (bytes[k] >= wanted->classes)
			die(STATUS_DATA, "`%s` has the value %d at element %lld; `%s` goes from 0 to %d",
			    labels.path, bytes[k], (long long)k, input_text(wanted), wanted->classes - 1);
		data_set_class(part, model, target, k, bytes[k]);
	}
	free(bytes);
	idx_close(&images);
	idx_close(&labels);
	free(images_name);
	free(labels_name);
}

static Dataset read_idx(const char *folder, const DataRequest *r)
{
	Dataset d = {.format = text_printf("MNIST (IDX)")};
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

const DataReader data_reader_idx = {.of = OF_FOLDER, .recognise = recognise, .read = read_idx};
