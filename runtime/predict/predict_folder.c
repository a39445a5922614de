/* SPDX-License-Identifier: MIT */
/* Predictions that are pictures, or classes of pixels, as a folder with a picture of each sample: `NAME.png` of a file
 * `NAME.jpg`, else by number. Classes are indices of a palette, as a data set of masks may have them. The folder is
 * made beside its name, and renamed when all of it is on disk. */
#include "runtime/data/augment.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/data/image_files.h"
#include "runtime/session/outputs.h"
#include "runtime/host/png.h"
#include "runtime/session/predictions.h"
#include "runtime/host/writer.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In no struct of the caller, for the end of the process asks for it. */
static struct {
	char *folder; /* under its temporary name; NULL: there is none */
	int64_t written;
	int digits;
} unfinished;

static void abandon(void)
{
	DIR *open = unfinished.folder ? opendir(unfinished.folder) : NULL;
	for (struct dirent *entry; open && (entry = readdir(open));)
		if (entry->d_name[0] != '.')
			(void)unlinkat(dirfd(open), entry->d_name, 0);
	if (open)
		closedir(open);
	if (unfinished.folder)
		(void)rmdir(unfinished.folder);
	free(unfinished.folder);
	unfinished.folder = NULL;
}

static _Noreturn void cannot_write(const char *why)
{
	die(STATUS_DATA, "the predictions can't be written: %s", why);
}

static void begin_folder(const Session *s, int64_t samples)
{
	char *path = prediction_path(s->options.out, s->model, 0);
	unfinished.folder = text_printf("%s.nnc-XXXXXX", path);
	unfinished.written = 0;
	unfinished.digits = snprintf(NULL, 0, "%lld", (long long)(samples > 1 ? samples - 1 : 0));
	if (!mkdtemp(unfinished.folder)) {
		free(unfinished.folder);
		unfinished.folder = NULL;
		cannot_write(text_printf("can't make the folder `%s`: %s", path, strerror(errno)));
	}
	mode_t mask = umask(0);
	(void)umask(mask);
	(void)chmod(unfinished.folder, 0777 & ~mask);
	die_at_end(abandon);
	free(path);
}

/* Where sample k goes, malloc'd: two files of one name in two folders are told apart by their numbers. */
static char *place_of_sample(const Session *s, int64_t k)
{
	char *sample = prediction_sample(s, k), *path = NULL;
	const char *slash = strrchr(sample, '/'), *name = slash ? slash + 1 : sample;
	const char *dot = strrchr(name, '.');
	size_t stem = dot && dot > name ? (size_t)(dot - name) : strlen(name);
	bool is_file = s->data.held_out.files || s->data.held_out.decoded;
	if (is_file)
		path = text_printf("%s/%.*s.png", unfinished.folder, (int)stem, name);
	for (int64_t number = k; is_file && path_exists(path); number += s->data.held_out.count) {
		free(path); /* another file may be called so: then the next number that is no sample's */
		path = text_printf("%s/%.*s-%lld.png", unfinished.folder, (int)stem, name, (long long)number);
	}
	free(sample);
	return path ? path : text_printf("%s/%0*lld.png", unfinished.folder, unfinished.digits, (long long)k);
}

/* Which of `count` parts of the window, from `begin` on and `length` long, pixel `at` is nearest to, of two the first;
 * -1 where the window has nothing of the pixel. What it has any of is seen. So a mask that is read by the same window
 * has in each place the class that was predicted there (masks.c: of two pixels the second). */
static int64_t part_of_pixel(int64_t at, double begin, double length, int64_t count)
{
	if ((double)at + 1 <= begin || (double)at >= begin + length)
		return -1;
	double part = ceil(((double)at + 0.5 - begin) * (double)count / length) - 1;
	return part < 0 ? 0 : part < (double)count ? (int64_t)part : count - 1;
}

/* The classes of the pixels of a photo, of those [rows, columns] of the window that the model has seen: the nearest,
 * and none around the window. malloc'd. */
static uint8_t *classes_of_photo(const Session *s, const ImageFiles *files, int64_t k, const NnrOutput *o,
                                 const uint8_t *classes)
{
	const ImageFile *photo = &files->at[k];
	View view = {.shorter = s->model->shorter_side, .rows = files->height, .columns = files->width};
	Window w = view_window(&view, photo->height, photo->width);
	int64_t rows = o->dim[1], columns = o->dim[2];
	uint8_t *to = allocate(photo->height, photo->width, "a mask");
	for (int64_t y = 0; y < photo->height; y++)
		for (int64_t x = 0; x < photo->width; x++) {
			int64_t row = part_of_pixel(y, w.top, w.height, rows),
			        column = part_of_pixel(x, w.left, w.width, columns);
			to[y * photo->width + x] =
			        row >= 0 && column >= 0 ? classes[row * columns + column] : NO_CLASS;
		}
	return to;
}

/* A .png of the classes, as large as the photo that they are of, where it is one. */
static uint8_t *mask_file(const Session *s, int64_t k, const NnrOutput *o, const uint8_t *classes,
                          int64_t *length)
{
	const DataPart *part = &s->data.held_out;
	const ImageFiles *files = part->files ? part->files : part->decoded;
	if (!files || files->at[k].height == 0)
		return png_classes_file(classes, o->dim[1], o->dim[2], length);
	uint8_t *whole = classes_of_photo(s, files, k, o, classes),
	        *file = png_classes_file(whole, files->at[k].height, files->at[k].width, length);
	free(whole);
	return file;
}

static void add_files(const Session *s, const char *batch, int64_t first, int64_t real)
{
	int output = picture_output(s->model);
	const NnrOutput *o = &s->model->predict.outputs[output];
	const char *at = prediction_output(s->model, batch, output);
	int64_t channels = picture_channels(s->model, o), length;
	uint8_t *pixels = allocate(o->dim[1], o->dim[2] * channels, "a picture");
	for (int64_t k = 0; k < real; k++) {
		if (prediction_is_missing(s, first + k))
			continue;
		picture_bytes(s->model, o, at, k, false, pixels);
		uint8_t *file = picture_kind(s->model, o) == PICTURE_OF_CLASSES
		                        ? mask_file(s, first + k, o, pixels, &length)
		                        : png_file(pixels, o->dim[1], o->dim[2], (int)channels, &length);
		char *path = place_of_sample(s, first + k);
		if (!file_write_new(path, file, length))
			cannot_write(file_failure());
		unfinished.written++;
		free(path);
		free(file);
	}
	free(pixels);
}

static void end_folder(const Session *s, int64_t samples)
{
	char *path = prediction_path(s->options.out, s->model, 0), fit[4096];
	if (rename(unfinished.folder, path) < 0)
		cannot_write(text_printf("can't rename `%s` to `%s`: %s", unfinished.folder, path,
		                         strerror(errno)));
	die_not_at_end(abandon);
	free(unfinished.folder);
	unfinished.folder = NULL;
	text_printable(fit, sizeof fit, path);
	printf("%s/  %lld picture%s\n", fit, (long long)unfinished.written,
	       unfinished.written == 1 ? "" : "s");
	free(path);
}

const PredictionForm predictions_folder = {"/", begin_folder, add_files, end_folder, abandon};
