/* SPDX-License-Identifier: MIT */
/* nnc new NAME --from=pictures FOLDER: folders of classes, as trainers read them, to a small convolutional network of a
 * size that the pictures have, and a recipe that trains it on a CPU. */
#include "tools/new.h"

#include "base/processors.h"
#include "runtime/host/file.h"
#include "runtime/host/program_name.h"
#include "runtime/data/image_files.h"
#include "runtime/data/image_folders.h"

#include <stdlib.h>
#include <string.h>

enum {
	LARGEST = 96,
	MIDDLE = 64,
	SMALLEST = 32 /* pixels of an input's side */,
	NAMED = 8 /* classes in a comment */
};

typedef struct Look {
	const NewRequest *r;
	Names classes;
	int64_t *pictures;             /* of each class, to train on */
	int64_t count, smallest, most; /* of all, and of a class */
	int64_t height, width;         /* of the input */
	int64_t low[2], high[2];       /* heights and widths from where to where */
	bool colour, same_size, held_out;
} Look;

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Pictures that are small and alike are taken as they are; others become squares of about their size. */
static void choose_size(Look *x, int64_t *sides)
{
	x->same_size = x->low[0] == x->high[0] && x->low[1] == x->high[1];
	if (x->same_size && x->high[0] <= MIDDLE && x->high[1] <= MIDDLE && x->low[0] >= 8 &&
	    x->low[1] >= 8) {
		x->height = x->high[0];
		x->width = x->high[1];
		return;
	}
	x->same_size = false;
	qsort(sides, (size_t)x->count, sizeof *sides, by_size);
	int64_t middle = sides[x->count / 2];
	x->height = x->width = middle < MIDDLE ? SMALLEST : middle < 2 * MIDDLE ? MIDDLE : LARGEST;
}

static void measure(Look *x, const ImageFiles *files)
{
	int64_t *sides = NEW_ARRAY(x->r->arena, int64_t, files->count + 1);
	for (int64_t i = 0; i < files->count; i++) {
		const ImageFile *f = &files->at[i];
		const int64_t size[2] = {f->height, f->width};
		if (f->why)
			continue;
		for (int k = 0; k < 2; k++) {
			x->low[k] = x->count && x->low[k] < size[k] ? x->low[k] : size[k];
			x->high[k] = x->high[k] > size[k] ? x->high[k] : size[k];
		}
		sides[x->count++] = f->height < f->width ? f->height : f->width;
		x->pictures[f->class]++;
		x->colour |= f->colour;
	}
	x->smallest = x->count;
	for (int i = 0; i < x->classes.count; i++) {
		if (x->pictures[i] == 0)
			fail(EXIT_USAGE,
			     "the folder `%s` of `%s` has no picture that can be used, and would count as a "
			     "class: move it elsewhere",
			     printable(x->r->arena, x->classes.at[i]), printable(x->r->arena, x->r->path));
		x->smallest = x->pictures[i] < x->smallest ? x->pictures[i] : x->smallest;
		x->most = x->pictures[i] > x->most ? x->pictures[i] : x->most;
	}
	choose_size(x, sides);
}

/* What is no folder of classes says what it is instead. */
static void check_folder(const NewRequest *r)
{
	const char *path = printable(r->arena, r->path);
	if (!path_is_folder(r->path))
		fail(EXIT_USAGE, "`%s` is no folder: pictures are in a folder for each class, %s", path,
		     "PICTURES/cat/1.jpg");
	char *images = images_subfolder(r->path, "images"), *masks = images_subfolder(r->path, "masks");
	if (images && masks)
		fail(EXIT_USAGE,
		     "`%s` has images and masks: begin with models/unet.net, which learns a class for each "
		     "pixel",
		     path);
	free(images);
	free(masks);
	if (!images_recognise(r->path) && images_are_in(r->path))
		fail(EXIT_USAGE,
		     "the pictures of `%s` lie in no folders of classes: make a folder for each class, and "
		     "move its pictures there",
		     path);
	if (!images_recognise(r->path))
		fail(EXIT_USAGE, "`%s` has no folders with pictures: each class has one of its own", path);
}

static Look look(const NewRequest *r)
{
	Look x = {.r = r};
	check_folder(r);
	char *part = images_train_part(r->path), *root = path_real(r->path);
	char *held_out = strcmp(part, r->path) != 0 ? images_held_out(r->path) : NULL;
	x.held_out = held_out != NULL;
	x.classes = folder_classes(part, root);
	if (x.classes.count < 2)
		fail(EXIT_USAGE,
		     "`%s` has one class, `%s`: a network tells two or more apart; make a folder of other "
		     "pictures beside it",
		     printable(r->arena, part), printable(r->arena, x.classes.at[0]));
	x.pictures = NEW_ARRAY(r->arena, int64_t, x.classes.count);
	memset(x.pictures, 0, sizeof *x.pictures * (size_t)x.classes.count);
	ImageFiles files = {0};
	for (int i = 0; i < x.classes.count; i++)
		image_files_add(&files, part, x.classes.at[i], i, root);
	image_files_look(&files, processors_usable(), false);
	image_files_say_bad(&files, false);
	measure(&x, &files);
	image_files_free(&files);
	free(held_out);
	free(root);
	free(part);
	return x;
}

/* ---- the text */

static const char *class_list(const Look *x)
{
	Writer *w = writer_new(x->r->arena);
	for (int i = 0; i < x->classes.count && i < NAMED; i++)
		write_text(w, "%s%s (%lld)", i ? ", " : "", printable(x->r->arena, x->classes.at[i]),
		           (long long)x->pictures[i]);
	if (x->classes.count > NAMED)
		write_text(w, " and %d more", x->classes.count - NAMED);
	return writer_text(w, NULL);
}

static void write_model(const Look *x, Writer *w)
{
	enum { UNLIKE = 4, LISTED = 32 };
	int channels = x->colour ? 3 : 1, classes = x->classes.count, halves = 0;
	int64_t side = x->height < x->width ? x->height : x->width;
	write_line(w, "model %s {", x->r->name);
	write_line(w, "    input image: u8[%lld, %lld, %d] # pictures of any size become this one",
	           (long long)x->height, (long long)x->width, channels);
	write_line(w, "    target label: class[%d] # the folders, in the order of their names", classes);
	write_lines(w, "\n");
	write_line(w, "    # Each turn looks at patterns twice as large, and keeps more kinds of them.");
	write_line(w, "    x = image -> %s", x->colour ? "normalize(imagenet)" : "scale(1/255, -0.5)");
	write_text(w, "    for width in [");
	for (; side >= 8 && halves < 5; side /= 2, halves++)
		write_text(w, "%s%d", halves ? ", " : "", 16 << (halves < 4 ? halves : 3));
	write_line(w, "] {");
	write_line(w, "        x = x -> conv(width, 3, pad = same, bias = false) -> batchnorm -> relu -> "
	              "maxpool(2)");
	write_line(w, "    }");
	write_line(w, "    logits = x -> avgpool(global) -> dropout(0.2) -> dense(%d)", classes);
	write_lines(w, "\n");
	if (x->most > UNLIKE * x->smallest && classes <= LISTED) {
		write_line(w, "    # Classes of few pictures count as much as those of many.");
		write_text(w, "    loss cross_entropy(logits, label, weights = tensor([");
		for (int i = 0; i < classes; i++)
			write_text(w, "%s%.3f", i ? ", " : "",
			           (double)x->count / (double)classes / (double)x->pictures[i]);
		write_line(w, "]))");
	} else {
		write_line(w, "    loss cross_entropy(logits, label)");
	}
	write_line(w, "    metric accuracy(logits, label)");
	write_line(w, "    metric f1(logits, label) # the mean over the classes, small ones too");
	write_line(w, "}");
}

static void write_recipe(const Look *x, Writer *w)
{
	enum { BATCH = 32, WORK = 60000 /* pictures, over all epochs */, FEWEST = 10, MOST = 60 };
	int64_t trained = x->held_out ? x->count : x->count - x->count / 10, batch = BATCH;
	int64_t side = x->height < x->width ? x->height : x->width, epochs = WORK / (trained + 1);
	while (batch > 1 && 4 * batch > trained)
		batch /= 2;
	epochs = epochs < FEWEST ? FEWEST : epochs > MOST ? MOST : epochs;
	write_line(w, "train %s {", x->r->name);
	write_line(w,
	           x->held_out
	                   ? "    # What is held out has a folder of its own."
	                   : "    # A tenth of the pictures is held out, chosen by the seed: --holdout 0.2 "
	                     "takes more.");
	/* Letters and digits are others in a mirror: what is small and grey may be some. */
	bool flips = x->colour || side > SMALLEST;
	if (!flips)
		write_line(w, "    # Add `flip` where a picture means the same in a mirror.");
	write_text(w, "    data images ");
	if (!x->same_size)
		write_text(w, "resize keep_aspect(shorter = %lld) ", (long long)(side + side / 8));
	write_line(w, "augment crop(pad = %lld)%s", (long long)(side / 8), flips ? ", flip" : "");
	write_line(w, "    optimizer adamw(rate = 0.002, decay = 0.01)");
	write_line(w, "    rate warmup 1ep cosine");
	write_line(w, "    batch %lld", (long long)batch);
	write_line(w, "    epochs %lld", (long long)epochs);
	write_line(w, "    seed 1");
	write_line(w, "}");
}

void new_pictures(const NewRequest *r, Writer *w)
{
	program_set_name("nnc");
	Look x = look(r);
	write_line(w, "# Tells %d classes of pictures apart: %s.", x.classes.count, class_list(&x));
	write_line(w,
	           "# %lld pictures %s, %lldx%lld to %lldx%lld, were looked at by `nnc new`. To change: any "
	           "line;",
	           (long long)x.count, x.colour ? "in colour" : "in grey", (long long)x.low[0],
	           (long long)x.low[1], (long long)x.high[0], (long long)x.high[1]);
	write_line(w, "# `nnc help conv` and `nnc help adamw` say more.");
	write_lines(w, "\n");
	write_model(&x, w);
	write_lines(w, "\n");
	write_recipe(&x, w);
}
