/* SPDX-License-Identifier: MIT */
/* What `predict` is given: pictures, folders of pictures, and folders of such folders, whose names are classes. None of
 * them has to have the classes of the training, and a file that can't be read keeps none of the others from being. */
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/data/images.h"

#include <stdlib.h>
#include <string.h>

/* The model's one input that is no target, which has to be an image. */
static int image_input(const NnrModel *m)
{
	int image = -1, count = 0;
	for (int i = 0; i < m->input_count; i++)
		if (!m->inputs[i].is_target) {
			image = i;
			count++;
		}
	const NnrInput *in = &m->inputs[image < 0 ? 0 : image];
	if (count != 1 || in->dtype != NNR_U8 || in->rank != 4 || (in->dim[3] != 1 && in->dim[3] != 3))
		die_help(STATUS_DATA, "give its inputs as .npy files, one per input (runtime/README.md)",
		         "pictures are u8[height, width, 3] (or 1), of any size; the model `%s` wants `%s`%s",
		         m->name, input_text(in), count > 1 ? " and more" : "");
	if (m->predict.reads_targets)
		die_help(STATUS_DATA, "give inputs and targets as .npy files (runtime/README.md)",
		         "what the model `%s` predicts depends on a target, which pictures don't have",
		         m->name);
	return image;
}

static void name_class(Dataset *d, const char *name)
{
	for (int i = 0; i < d->class_count; i++)
		if (strcmp(d->classes[i], name) == 0)
			return;
	d->classes = reallocate(d->classes, d->class_count + 1, sizeof *d->classes, "the classes");
	d->classes[d->class_count++] = text_printf("%s", name);
}

/* The folders in a folder. */
typedef struct Others {
	int folders;
	char *folder; /* the first of them */
} Others;

static void count_other(Others *others, char *path)
{
	if (others->folders++ == 0)
		others->folder = path;
	else
		free(path);
}

static void note_others(Others *others, const char *folder)
{
	if (others->folders)
		say_note("%d folder%s under `%s` %s left alone; `predict %s` takes what is in %s",
		         others->folders, others->folders == 1 ? "" : "s", folder,
		         others->folders == 1 ? "is" : "are", others->folder,
		         others->folders == 1 ? "it" : "the first");
	free(others->folder);
}

/* The files directly in the folder. */
static void add_folder(ImageFiles *files, const char *folder, const char *root, Others *others)
{
	Names names = folder_names(folder);
	for (int i = 0; i < names.count; i++) {
		char *name = path_join(folder, names.at[i]);
		if (path_is_folder(name))
			count_other(others, name);
		else
			image_files_add_one(files, name, 0, root);
	}
	names_free(&names);
}

/* A data set's test part stands for it, as in `eval`. */
static char *part_of(const char *folder)
{
	char *train = images_subfolder(folder, "train"), *held_out = train ? images_held_out(folder) : NULL;
	if (held_out)
		free(train);
	return held_out ? held_out : train ? train : text_printf("%s", folder);
}

static void add_class_folders(Dataset *d, ImageFiles *files, const char *folder, const DataRequest *r)
{
	char *root = images_root(folder, r), *part = part_of(folder);
	Names classes = folder_classes(part, root);
	int64_t before = files->count;
	Others beside = {0};
	if (images_are_in(part)) /* of a test part without classes */
		add_folder(files, part, root, &beside);
	free(beside.folder);
	for (int i = 0; i < classes.count; i++) {
		char *class = path_join(part, classes.at[i]);
		if (images_are_within(class)) { /* those that `eval` has */
			image_files_add(files, part, classes.at[i], 0, root);
			name_class(d, classes.at[i]);
		}
		free(class);
	}
	if (files->count == before)
		die_help(STATUS_DATA, "pictures are files in a folder or in folders of classes",
		         "the folder `%s` holds no pictures", folder);
	if (strcmp(part, folder) != 0)
		say_note("`%s` is a data set: what is predicted for is its part `%s`", folder, part);
	names_free(&classes);
	free(part);
	free(root);
}

static void add_path(Dataset *d, ImageFiles *files, const char *path, const DataRequest *r)
{
	if (!path_exists(path)) {
		ImageFile *f = image_files_add_one(files, text_printf("%s", path), 0, NULL);
		f->given = true;
		f->why = "there is no such file";
	} else if (!path_is_folder(path)) {
		image_files_add_one(files, text_printf("%s", path), 0, NULL)->given = true;
	} else if (images_are_in(path)) {
		char *root = images_root(path, r);
		Others others = {0};
		add_folder(files, path, root, &others);
		note_others(&others, path);
		free(root);
	} else {
		add_class_folders(d, files, path, r);
	}
}

Dataset pictures_read(const char *const *paths, int count, const DataRequest *r)
{
	Dataset d = {.divided = true, .some_classes = true};
	PictureReading reading = {.data = &d,
	                          .part = &d.train,
	                          .r = r,
	                          .folder = paths[0],
	                          .image = image_input(r->model),
	                          .target = -1,
	                          .for_prediction = true};
	const NnrInput *in = &r->model->inputs[reading.image];
	reading.files = (ImageFiles){.height = in->dim[1], .width = in->dim[2], .channels = (int)in->dim[3]};
	for (int i = 0; i < count; i++)
		add_path(&d, &reading.files, paths[i], r);
	image_files_look(&reading.files, r->threads, r->show_progress);
	char *done = images_conversion(&reading.files);
	bool streams =
	        images_choose_to_stream(r, (double)reading.files.count * (double)sample_bytes(in), &d.store);
	images_fill(&reading, streams);
	d.left_out = reading.left_out;
	if (d.train.count == 0)
		die(STATUS_DATA, "none of the files can be read");
	d.format = text_printf("pictures%s%s", done ? ", " : "", done ? done : "");
	free(done);
	return d;
}
