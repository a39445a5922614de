/* SPDX-License-Identifier: MIT */
/* Folders of images, one folder a class:
 *
 *   DIR/train/CLASS/NAME.jpg  and  DIR/test/CLASS/NAME.jpg (or DIR/val, DIR/valid)     two parts
 *   DIR/CLASS/NAME.jpg                                                        one part; --holdout of it is held out
 *
 * Classes are numbered by the byte order of their folders' names. Folders in a class are of that class. What a file is
 * its content says (image.h). A picture that can't be decoded, or of a kind that is not read, is named, counted and
 * left out; more than a share of them is an error. FIFOs, devices and links that lead out of DIR are refused.
 *
 * The heads of all files are looked at first. Then the images are decoded and kept where they fit into memory, of the
 * ranks of a host by each a share; where they do not, the list of files is the data, and each is decoded when a batch
 * needs it. */
#include "runtime/data/reader.h"
#include "runtime/data/images.h"
#include "runtime/data/augment.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/parallel.h"
#include "runtime/ranks/host_work.h"
#include "runtime/ranks/ranks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which files */

/* Names the files that were left out, closes the gaps they leave, here and in the pixels where there are some, and
 * refuses when they are too many. Of what is predicted for, all are named, and any number may be left out. */
static void keep_good(PictureReading *reading)
{
	ImageFiles *files = &reading->files;
	char *pixels = reading->part->at[reading->image];
	int64_t kept = 0, bad = 0, size = sample_bytes(&reading->r->model->inputs[reading->image]);
	image_files_say_bad(files, reading->for_prediction);
	for (int64_t i = 0; i < files->count; i++) {
		ImageFile *f = &files->at[i];
		if (f->why) {
			bad++;
			data_lose(reading->data, f->path, f->why);
			free(f->path);
			continue;
		}
		if (pixels && kept < i)
			memmove(pixels + kept * size, pixels + i * size, (size_t)size);
		files->at[kept++] = *f;
	}
	reading->left_out = bad;
	if (reading->for_prediction) {
		files->count = kept;
		return;
	}
	files->allowed = (int64_t)(reading->r->bad_files * (double)files->count) - bad;
	if (files->allowed < 0 || kept == 0)
		die_help(STATUS_DATA,
		         text_printf(
		                 "mend them or move them elsewhere; `--bad-files %.2f` trains without them",
		                 ceil(100.0 * (double)bad / (double)files->count) / 100),
		         "%lld of the %lld files under `%s` can't be used: that is too many", (long long)bad,
		         (long long)files->count, reading->folder);
	files->count = kept;
}

/* A folder that is there for something else shifts the numbers of the classes after it. */
static void say_empty_class(const char *folder, const char *name)
{
	say_warning("`%s/%s` holds no picture, and counts as a class: move it elsewhere if it is none",
	            folder, name);
}

static void say_empty_classes(const ImageFiles *files, const char *folder, const Names *classes)
{
	bool *seen = allocate(classes->count, sizeof *seen, "the classes");
	for (int64_t i = 0; i < files->count; i++)
		seen[files->at[i].class] = true;
	for (int i = 0; i < classes->count; i++)
		if (!seen[i])
			say_empty_class(folder, classes->at[i]);
	free(seen);
}

/* The same where nothing is listed yet, and as many classes are not what the model wants. */
static void look_for_empty_classes(const char *folder, const Names *classes)
{
	for (int i = 0; i < classes->count; i++) {
		char *path = path_join(folder, classes->at[i]);
		if (!images_are_within(path))
			say_empty_class(folder, classes->at[i]);
		free(path);
	}
}

/* Lists the files of a part and looks at them; the classes are those of the folder `of`. */
static PictureReading list_part(Dataset *d, DataPart *part, const char *folder, const Names *classes,
                                const char *of, const char *root, const DataRequest *r)
{
	static const char format[] = "images (folders)";
	PictureReading reading = {.data = d, .part = part, .folder = folder, .r = r};
	data_image_and_class(r->model, format, "images and one class each", &reading.image, &reading.target);
	const NnrInput *in = &r->model->inputs[reading.image];
	if (in->dtype != NNR_U8 || in->rank != 4 || (in->dim[3] != 1 && in->dim[3] != 3))
		die_help(STATUS_DATA, "the size is free: images are resized to it",
		         "image files are u8[height, width, 3] (or 1), the model wants `%s`", input_text(in));
	reading.files = (ImageFiles){.height = in->dim[1], .width = in->dim[2], .channels = (int)in->dim[3]};
	Names here = folder_classes(folder, root);
	for (int i = 0; i < here.count; i++) {
		int class = 0;
		while (class < classes->count && strcmp(classes->at[class], here.at[i]) != 0)
			class ++;
		if (class == classes->count)
			die(STATUS_DATA, "`%s` holds the class `%s`, which the training part does not have",
			    folder, here.at[i]);
		image_files_add(&reading.files, folder, here.at[i], class, root);
	}
	names_free(&here);
	if (reading.target >= 0 && r->model->inputs[reading.target].classes != classes->count)
		look_for_empty_classes(of, classes);
	data_check_classes(r->model, reading.target, of, classes->count, false);
	image_files_look(&reading.files, r->threads, r->show_progress);
	if (reading.files.count == 0)
		die(STATUS_DATA, "the class folders of `%s` hold no pictures", folder);
	if (strcmp(folder, of) == 0)
		say_empty_classes(&reading.files, folder, classes);
	part->names = image_files_hash(&reading.files, folder);
	return reading;
}

char *images_conversion(const ImageFiles *files)
{
	const ImageFile *first = NULL;
	bool same_size = true, kinds[2] = {false, false}; /* grey, colour */
	for (int64_t i = 0; i < files->count; i++) {
		const ImageFile *f = &files->at[i];
		if (f->why)
			continue;
		first = first ? first : f;
		same_size = same_size && f->height == first->height && f->width == first->width;
		kinds[f->colour] = true;
	}
	bool wants_colour = files->channels == 3;
	if (!first || (same_size && first->height == files->height && first->width == files->width &&
	               !kinds[!wants_colour]))
		return NULL;
	const char *kind = kinds[0] && kinds[1] ? "colour and grey" : kinds[1] ? "colour" : "grey";
	char *from = same_size ? text_printf("%lldx%lld %s", (long long)first->height,
	                                     (long long)first->width, kind)
	                       : text_printf("%s of several sizes", kind);
	char *text = text_printf("%s to %lldx%lld %s", from, (long long)files->height,
	                         (long long)files->width, wants_colour ? "colour" : "grey");
	free(from);
	return text;
}

/* ---- resident or streamed */

static void decode_one(void *context, int64_t i)
{
	const PictureReading *reading = context;
	ImageFile *f = &reading->files.at[i];
	int64_t size = sample_bytes(&reading->r->model->inputs[reading->image]);
	View view = {.shorter = reading->r->model->shorter_side,
	             .rows = reading->files.height,
	             .columns = reading->files.width};
	if (!f->why)
		f->why = image_files_sample(&reading->files, i, view_window, &view,
		                            (uint8_t *)reading->part->at[reading->image] + i * size);
}

/* For the other ranks of this host: the pixels, and after them whether there are none. */
static void make_pixels(void *context, int64_t i, char *to)
{
	const PictureReading *reading = context;
	int64_t size = sample_bytes(&reading->r->model->inputs[reading->image]);
	decode_one(context, i);
	memcpy(to, reading->part->at[reading->image] + i * size, (size_t)size);
	to[size] = reading->files.at[i].why != NULL;
}

/* Why there are none it finds out by itself. */
static void take_pixels(void *context, int64_t i, const char *from)
{
	const PictureReading *reading = context;
	int64_t size = sample_bytes(&reading->r->model->inputs[reading->image]);
	if (from[size])
		decode_one(context, i);
	else
		memcpy(reading->part->at[reading->image] + i * size, from, (size_t)size);
}

static void decode_all(PictureReading *reading)
{
	const DataRequest *r = reading->r;
	const char *doing = r->show_progress ? "reading images" : NULL;
	HostWork work = {.count = reading->files.count,
	                 .bytes = sample_bytes(&r->model->inputs[reading->image]) + 1,
	                 .make = make_pixels,
	                 .take = take_pixels,
	                 .context = reading,
	                 .threads = r->threads,
	                 .doing = doing};
	ranks_same(reading->part->names, "set of images"); /* they are about to take each other's */
	if (!host_work(&work))
		parallel_for(work.count, r->threads, decode_one, reading, doing);
}

void images_fill(PictureReading *reading, bool streams)
{
	const DataRequest *r = reading->r;
	DataPart *part = reading->part;
	ImageFiles *files = &reading->files;
	if (streams) {
		keep_good(reading);
		data_allocate_but(part, r->model, files->count, reading->image);
	} else {
		data_allocate(part, r->model, files->count);
		decode_all(reading);
		keep_good(reading);
	}
	part->count = files->count;
	for (int64_t i = 0; i < files->count && reading->target >= 0; i++)
		data_set_class(part, r->model, reading->target, i, files->at[i].class);
	ImageFiles **kept = streams ? &part->files : &part->decoded;
	*kept = allocate(1, sizeof **kept, "the names of files");
	**kept = *files;
	part->files_input = reading->image;
}

/* The least of all ranks': what is done with the images is done together. */
static double room_of_ranks(double room)
{
	double least = -room;
	ranks_max(&least, 1);
	return -least;
}

bool images_choose_to_stream(const DataRequest *r, double bytes, char **why)
{
	const char *size = human_bytes(bytes);
	double room = r->windows || r->store != STORE_AUTO ? r->room : room_of_ranks(r->room);
	bool fits = bytes <= room;
	if (r->windows && r->store == STORE_RESIDENT)
		die_help(STATUS_USAGE, "leave out `--resident`, or the augmentation by `--no-augment`",
		         "`random_resized_crop` takes another window of the original image each time: "
		         "`--resident` keeps "
		         "images of the model's size");
	if (r->windows)
		*why = text_printf(
		        "streamed from the files: random_resized_crop takes windows of the original images");
	else if (r->store == STORE_STREAM)
		*why = text_printf("streamed from the files (--stream): decoded they would take %s", size);
	else if (r->store == STORE_RESIDENT || fits)
		*why = text_printf("resident: decoded they take %s", size);
	else
		*why = text_printf("streamed from the files: decoded they take %s, and %s are free for them",
		                   size, human_bytes(room));
	return r->windows || r->store == STORE_STREAM || (r->store == STORE_AUTO && !fits);
}

/* ---- which folders */

char *images_root(const char *folder, const DataRequest *r)
{
	if (r->follow_links)
		return NULL;
	char *root = realpath(folder, NULL);
	if (!root)
		die(STATUS_DATA, "can't read the folder `%s`: %s", folder, strerror(errno));
	return root;
}

static bool recognise(const char *folder, const NnrModel *model)
{
	(void)model;
	return images_recognise(folder);
}

static Dataset read_images(const char *folder, const DataRequest *r)
{
	Dataset d = {.class_folder = r->class_folder ? r->class_folder : folder};
	char *of = images_train_part(d.class_folder), *of_root = images_root(d.class_folder, r);
	Names classes = folder_classes(of, of_root);
	char *root = images_root(folder, r), *train = images_subfolder(folder, "train"),
	     *test = train ? images_held_out(folder) : NULL;
	bool has_test = train && test;
	PictureReading reading[2];
	int parts = 0;
	if (has_test)
		reading[parts++] = list_part(&d, &d.held_out, test, &classes, of, root, r);
	if (r->want_train || !has_test)
		reading[parts++] = list_part(&d, &d.train, train ? train : folder, &classes, of, root, r);
	char *done = images_conversion(&reading[parts - 1].files);
	double bytes = 0;
	for (int i = 0; i < parts; i++)
		bytes += (double)reading[i].files.count *
		         (double)sample_bytes(&r->model->inputs[reading[i].image]);
	bool streams = images_choose_to_stream(r, bytes, &d.store);
	for (int i = 0; i < parts; i++)
		images_fill(&reading[i], streams);
	if (!has_test)
		data_hold_out(&d, r);
	if (r->want_train)
		data_forget_files(&d.train); /* a million names, which nobody asks for */
	d.format = text_printf("folders of images%s%s", done ? ", " : "", done ? done : "");
	free(done);
	d.classes = classes.at;
	d.class_count = classes.count;
	free(of);
	free(of_root);
	free(root);
	free(train);
	free(test);
	return d;
}

const DataReader data_reader_images = {
        .of = OF_FOLDER, .recognise = recognise, .read = read_images, .pictures = true};
