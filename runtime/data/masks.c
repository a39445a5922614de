/* SPDX-License-Identifier: MIT */
/* Images, and for each an image of classes, one a pixel, of the same name and size:
 *
 *   DIR/train/images/NAME.jpg  DIR/train/masks/NAME.png   and the same in DIR/test (or DIR/val)     two parts
 *   DIR/images/NAME.jpg        DIR/masks/NAME.png                                     one; --holdout of it is held out
 *
 * A mask is a grey PNG, BMP or PGM, whose values are the classes, or a PNG with a palette, whose indices are: they are
 * those of the file, neither scaled nor corrected for gamma. Of two classes the grey 255 is the second one, too; else
 * 255 is the class that the loss leaves out, as PASCAL VOC and Cityscapes have it at borders and `predict` writes it
 * around the window that it has seen, or is none. Where the model wants another size,
 * both become it by the same window, the mask by the pixels that are nearest. All are decoded when the training
 * begins. `augment` moves and turns both alike (data/augment.h). */
#include "runtime/data/reader.h"
#include "runtime/data/augment.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/data/images.h"
#include "runtime/host/parallel.h"

#include <stdlib.h>
#include <string.h>

typedef struct Pairs {
	const DataRequest *r;
	DataPart *part;
	ImageFiles files; /* image k is 2k, its mask 2k + 1 */
	int image, target;
} Pairs;

static bool has_both(const char *folder)
{
	char *images = images_subfolder(folder, "images"), *masks = images_subfolder(folder, "masks");
	bool both = images && masks && images_are_in(images) && images_are_in(masks);
	free(images);
	free(masks);
	return both;
}

static bool recognise(const char *folder, const NnrModel *model)
{
	(void)model;
	char *train = images_subfolder(folder, "train");
	bool found = has_both(train ? train : folder);
	free(train);
	return found;
}

/* ---- which inputs, which files */

static void find_inputs(Pairs *p)
{
	const NnrModel *m = p->r->model;
	p->image = p->target = -1;
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		bool is_image = !in->is_target && in->dtype == NNR_U8 && in->rank == 4 &&
		                (in->dim[3] == 1 || in->dim[3] == 3);
		bool is_mask = in->is_target && in->classes > 0 && in->rank == 3;
		int *to = is_image ? &p->image : is_mask ? &p->target : NULL;
		if (!to || *to >= 0)
			die_help(STATUS_DATA, data_needed(m),
			         "images and masks are u8[height, width, 3] (or 1) and class[N][height, "
			         "width]; "
			         "the model "
			         "`%s` also wants `%s`",
			         m->name, input_text(in));
		*to = i;
	}
	if (p->image < 0 || p->target < 0)
		die_help(STATUS_DATA, data_needed(m),
		         "the model `%s` has no %s for the folder's images and masks", m->name,
		         p->image < 0 ? "image input" : "target class[N][height, width]");
	const NnrInput *x = &m->inputs[p->image], *y = &m->inputs[p->target];
	if (x->dim[1] != y->dim[1] || x->dim[2] != y->dim[2])
		die(STATUS_DATA, "a mask is as large as its image: `%s` and `%s` are not", input_text(x),
		    input_text(y));
}

static char *mask_of(const char *masks, const char *image)
{
	static const char *const kinds[] = {"png", "bmp", "pgm", "PNG", "BMP", "PGM"};
	int stem = (int)(strrchr(image, '.') - image);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char *name = text_printf("%.*s.%s", stem, image, kinds[i]), *path = path_join(masks, name);
		free(name);
		if (path_exists(path))
			return path;
		free(path);
	}
	die(STATUS_DATA, "`%s` has no %.*s.png, .bmp or .pgm, the mask of the image `%s`", masks, stem, image,
	    image);
}

static void list_files(Pairs *p, const char *folder, const char *root)
{
	char *images = images_subfolder(folder, "images"), *masks = images_subfolder(folder, "masks");
	if (!images || !masks)
		die(STATUS_DATA, "`%s` has no folders `images` and `masks`, as the training part has",
		    folder);
	Names names = folder_names(images);
	for (int i = 0; i < names.count; i++) {
		if (!image_is_named(names.at[i]))
			continue;
		image_files_add_one(&p->files, path_join(images, names.at[i]), 0, root);
		image_files_add_one(&p->files, mask_of(masks, names.at[i]), 1, root);
	}
	names_free(&names);
	image_files_look(&p->files, p->r->threads, p->r->show_progress);
	p->part->names = image_files_hash(&p->files, folder);
	free(images);
	free(masks);
}

/* ---- pixels */

static bool white_is_one(const Pairs *p, const Picture *mask)
{
	return p->r->model->inputs[p->target].classes == 2 && !mask->palette;
}

/* Of the picture, at the model's size. A class, or -1 where the value is none. */
static int class_at(const Pairs *p, const Picture *mask, int64_t row, int64_t column)
{
	int value = mask->pixels[row * mask->width + column],
	    classes = p->r->model->inputs[p->target].classes;
	if (value < classes)
		return value;
	return value != UINT8_MAX ? -1 : white_is_one(p, mask) ? 1 : data_ignored(p->r->model, p->target);
}

static const char *no_class(const Pairs *p, const Picture *mask, int64_t row, int64_t column)
{
	int value = mask->pixels[row * mask->width + column];
	return text_printf(
	        "row %lld, column %lld has the value %d, and the classes go from 0 to %d%s", (long long)row,
	        (long long)column, value, p->r->model->inputs[p->target].classes - 1,
	        white_is_one(p, mask) ? ", or 255 for 1"
	        : mask->palette && value == NO_CLASS
	                ? "; as an index of a palette 255 is no class: there a network has seen nothing, and "
	                  "`ignore` of cross_entropy names the class for such pixels"
	                : "");
}

static const char *store_mask(const Pairs *p, const Picture *mask, int64_t k)
{
	const NnrInput *in = &p->r->model->inputs[p->target];
	int64_t height = in->dim[1], width = in->dim[2];
	View view = {.shorter = p->r->model->shorter_side, .rows = height, .columns = width};
	Window w = view_window(&view, mask->height, mask->width);
	for (int64_t i = 0; i < height * width; i++) {
		int64_t row = (int64_t)(w.top + w.height * ((double)(i / width) + 0.5) / (double)height),
		        column = (int64_t)(w.left + w.width * ((double)(i % width) + 0.5) / (double)width);
		int class = class_at(p, mask, row, column);
		if (class < 0)
			return no_class(p, mask, row, column);
		data_set_class(p->part, p->r->model, p->target, k * height * width + i, class);
	}
	return NULL;
}

static const char *read_mask(const Pairs *p, const ImageFile *f, int64_t k)
{
	int64_t length;
	const char *why;
	unsigned char *bytes = file_read(f->path, INT32_MAX, &length, &why);
	if (!bytes)
		return why;
	Picture mask = {0};
	why = image_decode_values(f->kind, bytes, length, &mask);
	free(bytes);
	if (why)
		return why;
	why = store_mask(p, &mask, k);
	free(mask.pixels);
	return why;
}

static void read_pair(void *context, int64_t k)
{
	Pairs *p = context;
	const NnrModel *m = p->r->model;
	const NnrInput *in = &m->inputs[p->image];
	ImageFile *image = &p->files.at[2 * k], *mask = image + 1;
	View view = {.shorter = m->shorter_side, .rows = in->dim[1], .columns = in->dim[2]};
	if (image->why || mask->why)
		return;
	if (image->height != mask->height || image->width != mask->width)
		mask->why = text_printf("it is %lldx%lld, its image %lldx%lld", (long long)mask->height,
		                        (long long)mask->width, (long long)image->height,
		                        (long long)image->width);
	else
		mask->why = read_mask(p, mask, k);
	image->why = image_files_sample(&p->files, 2 * k, view_window, &view,
	                                (uint8_t *)p->part->at[p->image] + k * sample_bytes(in));
}

static void read_part(DataPart *part, const char *folder, const char *root, const DataRequest *r)
{
	Pairs p = {.r = r, .part = part};
	find_inputs(&p);
	const NnrInput *in = &r->model->inputs[p.image];
	p.files = (ImageFiles){.height = in->dim[1], .width = in->dim[2], .channels = (int)in->dim[3]};
	list_files(&p, folder, root);
	data_allocate(part, r->model, p.files.count / 2);
	parallel_for(part->count, r->threads, read_pair, &p, r->show_progress ? "reading images" : NULL);
	for (int64_t i = 0; i < p.files.count; i++) {
		const ImageFile *f = &p.files.at[i];
		if (f->why)
			die(machine_status(f->why) ? machine_status(f->why) : STATUS_DATA,
			    "`%s` can't be used: %s", f->path, f->why);
	}
	image_files_free(&p.files);
}

static Dataset read_masks(const char *folder, const DataRequest *r)
{
	Dataset d = {.format = text_printf("images and masks")};
	char *root = images_root(folder, r), *train = images_subfolder(folder, "train"),
	     *test = train ? images_held_out(folder) : NULL;
	if (r->store == STORE_STREAM)
		die(STATUS_USAGE,
		    "`--stream` is for folders of classes: images with masks are kept in memory");
	if (train && test)
		read_part(&d.held_out, test, root, r);
	if (r->want_train || !(train && test))
		read_part(&d.train, train ? train : folder, root, r);
	if (!(train && test))
		data_hold_out(&d, r);
	free(root);
	free(train);
	free(test);
	return d;
}

const DataReader data_reader_masks = {.of = OF_FOLDER, .recognise = recognise, .read = read_masks};
