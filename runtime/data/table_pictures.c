/* SPDX-License-Identifier: MIT */
/* Of a table: a column whose cells name pictures, one a row. table_reading.h.
 *
 * A name is looked for in the folder of the table, in its folder `images`, and in the folder that is called as the
 * table (train.csv: train/); where it has no suffix also with .jpg, .jpeg and .png. It leads out of the folder
 * only with --follow-links. A name without a file ends the process before the first step. A file that can't be
 * used is left out with its row, as one of a folder of pictures is (images.h). */
#include "base/nearest.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/hash.h"
#include "runtime/host/progress.h"
#include "runtime/data/table_reading.h"
#include "runtime/data/reader.h"
#include "runtime/data/image.h"
#include "runtime/data/images.h"

#include <stdlib.h>
#include <string.h>

/* ---- the input and its column */

static int image_input(const Reading *x)
{
	const NnrModel *m = x->r->model;
	int image = -1;
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		if (!is_image(in))
			continue;
		if (image >= 0 || (in->dim[3] != 1 && in->dim[3] != 3))
			die(STATUS_DATA,
			    "a row of a table names one picture, u8[height, width, 3] (or 1): the model "
			    "`%s` %swants `%s`",
			    m->name, image >= 0 ? "also " : "", input_text(in));
		image = i;
	}
	return image;
}

/* That of the input's name, else the first in which the first row names a picture, else one by its own name. */
static int picture_column(Reading *x)
{
	static const char *const words[] = {"file",    "filename", "file_name", "path",
	                                    "picture", "image",    "image_id",  "id"};
	const char *name = x->r->model->inputs[x->image].name;
	int found = -1;
	for (int k = 0; k < x->column_count && found < 0; k++)
		found = strcmp(x->header[k], name) == 0 ? k : -1;
	const bool row = cells_row(&x->cells);
	for (int k = 0; row && k < x->column_count && k < x->cells.count && found < 0; k++)
		found = image_is_named(x->cells.at[k]) ? k : -1;
	cells_rewind(&x->cells);
	(void)cells_row(&x->cells);
	for (size_t i = 0; i < sizeof words / sizeof *words && found < 0; i++)
		for (int k = 0; k < x->column_count && found < 0; k++)
			found = strcmp(x->header[k], words[i]) == 0 ? k : -1;
	return found;
}

void pictures_begin(Reading *x)
{
	x->image = image_input(x);
	if (x->image < 0)
		return;
	const NnrInput *in = &x->r->model->inputs[x->image];
	x->picture = picture_column(x);
	if (x->picture < 0)
		die_help(STATUS_DATA,
		         text_printf("call the column of the files' names `%s`, or `file`", in->name),
		         "`%s` has no column that names pictures, for `%s`; it has %s", x->path,
		         input_text(in), table_list(x->header, x->column_count));
	x->folder = path_folder(x->path);
	x->root = images_root(x->folder, x->r);
	x->files = allocate(1, sizeof *x->files, "the names of files");
	*x->files = (ImageFiles){.height = in->dim[1], .width = in->dim[2], .channels = (int)in->dim[3]};
}

/* ---- the file of a row */

static bool leads_out(const char *name)
{
	for (const char *at = name; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
		if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2]))
			return true;
	return *name == '/';
}

/* "train" of "DIR/train.csv.gz"; malloc'd. */
static char *stem_of(const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	return text_printf("%.*s", (int)strcspn(name, "."), name);
}

/* NULL: there is none. */
static char *find_in(const char *folder, const char *name)
{
	static const char *const suffixes[] = {"", ".jpg", ".jpeg", ".png"};
	const char *base = strrchr(name, '/') ? strrchr(name, '/') : name;
	for (size_t i = 0; i < (strchr(base, '.') ? 1 : sizeof suffixes / sizeof *suffixes); i++) {
		char *file = text_printf("%s%s", name, suffixes[i]), *path = path_join(folder, file);
		free(file);
		if (path_exists(path) && !path_is_folder(path))
			return path;
		free(path);
	}
	return NULL;
}

static char *find_picture(const Reading *x, const char *name)
{
	char *stem = stem_of(x->path), *path = NULL;
	if (*name == '/')
		path = find_in("/", name + 1);
	else if (*name)
		path = find_in(x->folder, name);
	for (int i = 0; i < 2 && !path && *name && *name != '/'; i++) {
		char *folder = images_subfolder(x->folder, i ? stem : "images");
		path = folder ? find_in(folder, name) : NULL;
		free(folder);
	}
	free(stem);
	return path;
}

/* A name of the folder that the file would be in. */
static char *name_meant(const Reading *x, const char *name)
{
	char *path = path_join(x->folder, name), *folder = path_folder(path), *text = NULL;
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	if (path_exists(folder) && path_is_folder(folder)) {
		Names names = folder_names(folder);
		const char *near = nearest_word(base, (const char *const *)names.at, names.count);
		text = near ? text_printf("%.*s%s", (int)(base - name), name, near) : NULL;
		names_free(&names);
	}
	free(path);
	free(folder);
	return text;
}

/* Of this row; counts how many rows have none. */
static _Noreturn void die_without_file(Reading *x)
{
	char *name = text_printf("%s", x->cells.at[x->picture]), *meant = name_meant(x, name);
	const int64_t line = x->cells.row_line;
	int64_t count = 1;
	while (cells_row(&x->cells)) {
		char *path = x->picture < x->cells.count ? find_picture(x, x->cells.at[x->picture]) : NULL;
		count += path == NULL;
		free(path);
	}
	x->cells.row_line = line;
	char *more = count > 1 ? text_printf("; %s rows name no file", count_text((double)count))
	                       : text_printf("%s", "");
	die_help(
	        STATUS_DATA,
	        meant ? text_printf("did you mean `%s`?", meant)
	              : text_printf("a name is that of a file in `%s`, or in its folder `images`", x->folder),
	        "`%s`, line %lld, column `%s`: there is no file `%s`%s", x->path, (long long)line,
	        x->header[x->picture], name, more);
}

void pictures_list(Reading *x)
{
	if (x->image < 0)
		return;
	const char *name = x->cells.at[x->picture];
	if (!x->r->follow_links && leads_out(name))
		table_die_at(x, x->picture,
		             text_printf("`%s` leads out of the table's folder (`--follow-links` takes such)",
		                         name));
	char *path = find_picture(x, name);
	if (!path)
		die_without_file(x);
	if (x->rows > INT32_MAX)
		die(STATUS_DATA, "`%s` has more than 2^31 rows", x->path);
	image_files_add_one(x->files, path, (int)x->rows, x->root)->given = true;
}

/* ---- which rows have a picture */

void pictures_decode(Reading *x, Dataset *d)
{
	PictureReading reading = {.data = d,
	                          .part = &d->train,
	                          .folder = x->folder,
	                          .files = *x->files,
	                          .r = x->r,
	                          .image = x->image,
	                          .target = -1,
	                          .for_prediction = x->r->want_rows};
	const double bytes = (double)x->rows * (double)sample_bytes(&x->r->model->inputs[x->image]);
	image_files_look(&reading.files, x->r->threads, x->r->show_progress);
	d->train.names = image_files_hash(&reading.files, x->folder) ^
	                 hash_bytes(x->cells.bytes, x->cells.length); /* the labels are data, too */
	char *done = images_conversion(&reading.files);
	free(d->format);
	d->format = text_printf("a table of pictures%s%s", done ? ", " : "", done ? done : "");
	free(done);
	const bool streams = images_choose_to_stream(x->r, bytes, &d->store);
	images_fill(&reading, streams);
	free(x->files);
	x->files = streams ? d->train.files : d->train.decoded;
	x->files_known = true;
	x->rows = d->train.count;
	d->left_out = reading.left_out;
	if (x->rows == 0)
		die(STATUS_DATA, "none of the pictures of `%s` can be read", x->path);
}

bool pictures_has(Reading *x)
{
	if (x->image < 0 || !x->files_known)
		return true;
	const bool has = x->next < x->files->count && x->files->at[x->next].class == (int)(x->at - 1);
	x->next += has;
	return has;
}

void pictures_end(Reading *x)
{
	free(x->folder);
	free(x->root);
}

/* DIR/labels.csv, whose rows name pictures of the folder; NULL: there is none, or folders of classes say what the model
 * wants to know. */
static char *labels_in(const char *folder, const NnrModel *m)
{
	static const char *const names[] = {"labels.csv", "labels.tsv", "labels.csv.gz", "labels.tsv.gz"};
	bool image = false, class = true;
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		image = image || is_image(in);
		class = class && (is_image(in) || (in->is_target && in->classes > 0 && in->rank == 1));
	}
	for (size_t i = 0; image && i < sizeof names / sizeof *names; i++) {
		char *path = path_join(folder, names[i]);
		if (path_exists(path) && !(class && images_class_folders(folder) > 1))
			return path;
		free(path);
	}
	return NULL;
}

static bool recognise_labels(const char *folder, const NnrModel *model)
{
	char *labels = labels_in(folder, model);
	free(labels);
	return labels != NULL;
}

static Dataset read_labels(const char *folder, const DataRequest *r)
{
	return table_read(labels_in(folder, r->model), r);
}

const DataReader data_reader_labels = {.of = OF_FOLDER, .recognise = recognise_labels, .read = read_labels};
