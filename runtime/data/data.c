/* SPDX-License-Identifier: MIT */
/* What the readers share. */
#include "runtime/data/data.h"
#include "base/checked.h"
#include "runtime/host/die.h"
#include "runtime/data/image_files.h"
#include "runtime/host/memory.h"
#include "runtime/data/split.h"
#include "runtime/data/table.h"
#include "runtime/data/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t sample_elements(const NnrInput *input)
{
	int64_t n = 1;
	for (int i = 1; i < input->rank; i++)
		require(checked_mul(n, input->dim[i], &n));
	return n;
}

int64_t sample_bytes(const NnrInput *input)
{
	return sample_elements(input) * dtype_bytes(input->dtype);
}

int64_t part_bytes(const DataPart *part, const NnrModel *model, int i)
{
	const NnrInput *in = &model->inputs[i];
	if (part->places > 0)
		return (part->places - 1) * part->row[i] * dtype_bytes(in->dtype) + sample_bytes(in);
	return part->count * sample_bytes(in);
}

char *shape_text(const int64_t *dim, int rank)
{
	char text[NNR_MAX_RANK * 24 + 8], *at = text;
	*at++ = '[';
	for (int i = 0; i < rank; i++)
		at += sprintf(at, "%s%lld", i ? ", " : "", (long long)dim[i]);
	strcpy(at, "]");
	return text_printf("%s", text);
}

char *input_text(const NnrInput *input)
{
	const char *kind = input->is_target ? "target" : "input";
	char *shape = input->rank > 1 ? shape_text(input->dim + 1, input->rank - 1) : text_printf("%s", "");
	char *text = input->is_target && input->classes > 0
	                     ? text_printf("%s %s: class[%d]%s", kind, input->name, input->classes, shape)
	                     : text_printf("%s %s: %s%s", kind, input->name, dtype_name(input->dtype), shape);
	free(shape);
	return text;
}

/* What a model can learn of, by its inputs. */
const char *data_needed(const NnrModel *model)
{
	bool image = false, pixels = false, class = false, rows = true, flat = true;
	for (int i = 0; i < model->input_count; i++) {
		const NnrInput *in = &model->inputs[i];
		image = image || (!in->is_target && in->dtype == NNR_U8 && in->rank == 4);
		pixels = pixels || (in->is_target && in->classes > 0 && in->rank == 3);
		class = class || (in->is_target && in->classes > 0 && in->rank == 1);
		rows = rows && in->rank <= 2;
		flat = flat && (in->rank <= 2 || is_image(in));
	}
	const char *name = model->inputs[0].name;
	if (text_is_wanted(model))
		return "this model learns a text: give a file of it";
	if (image && pixels && model->input_count == 2)
		return text_printf("this model learns the class of each pixel: give a folder with "
		                   "images/NAME.jpg and masks/NAME.png (or train/images/NAME.jpg ... and "
		                   "test/images/NAME.jpg ...), or with train_%s.npy and so on",
		                   name);
	if (image && class && model->input_count == 2)
		return text_printf("this model learns the class of an image: give a folder with "
		                   "train/CLASS/NAME.jpg ..., with MNIST files (train-images-idx3-ubyte[.gz] "
		                   "...), with CIFAR files (data_batch_1.bin ...), or with train_%s.npy and "
		                   "so on",
		                   name);
	if (image && flat)
		return "this model learns of pictures and what a table says of them: give a folder with "
		       "labels.csv, whose rows name pictures of it and have the other columns, or such a "
		       "table";
	return text_printf("this model learns of %s.npy files, one for each input: A.npy,B.npy, or a folder "
	                   "with train_%s.npy and so on",
	                   rows ? "a table (.csv, .tsv) or of " : "", name);
}

void data_image_and_class(const NnrModel *model, const char *format, const char *has, int *image, int *target)
{
	*image = *target = -1;
	for (int i = 0; i < model->input_count; i++) {
		const NnrInput *in = &model->inputs[i];
		bool is_class = in->classes > 0 && in->rank == 1 &&
		                (in->dtype == NNR_I32 || in->classes <= UINT8_MAX + 1);
		int *to = in->is_target ? target : image;
		if (in->is_target != is_class || *to >= 0)
			die_help(STATUS_DATA, data_needed(model),
			         "%s data has %s, but the model `%s` also wants `%s`", format, has,
			         model->name, input_text(in));
		*to = i;
	}
	if (*image < 0)
		die(STATUS_DATA, "%s data has %s, but the model `%s` has no image input", format, has,
		    model->name);
}

void data_check_image(const NnrModel *model, int i, const char *path, int64_t height, int64_t width,
                      int64_t channels)
{
	const NnrInput *in = &model->inputs[i];
	int64_t dim[3] = {height, width, channels};
	bool same_bytes = sample_elements(in) == height * width * channels;
	bool same_shape = in->rank >= 3 && in->rank <= 4 && in->dim[1] == height && in->dim[2] == width;
	bool flat = in->rank == 2;
	if (in->dtype == NNR_U8 && same_bytes && (same_shape || flat))
		return;
	char *shape = shape_text(dim, 3);
	char *help = text_printf("declare `input %s: u8%s` in %s, or give other data", in->name, shape,
	                         model->source);
	die_help(STATUS_DATA, help, "`%s` has images u8%s, the model wants `%s`", path, shape,
	         input_text(in));
}

void data_check_classes(const NnrModel *model, int i, const char *path, int classes, bool at_least)
{
	const NnrInput *in = &model->inputs[i];
	if (i < 0)
		return;
	if (at_least ? in->classes >= classes : in->classes == classes)
		return;
	char *help = text_printf("declare `target %s: class[%d]` in %s, or give other data", in->name,
	                         classes, model->source);
	if (classes <
	    2) /* a model can't declare so few: most likely they stand one folder too high or too low */
		help = text_printf("each class has a folder of its own: %s/CLASS/NAME.jpg", path);
	die_help(STATUS_DATA, help, "`%s` has %d class%s, the model wants `%s`", path, classes,
	         classes == 1 ? "" : "es", input_text(in));
}

static double bytes_of_all(const NnrModel *model, int64_t count, int but)
{
	double bytes = 0;
	for (int i = 0; i < model->input_count; i++)
		bytes += i == but ? 0 : (double)count * (double)sample_bytes(&model->inputs[i]);
	return bytes;
}

static void check_room(const NnrModel *model, int64_t count, int but)
{
	double bytes = bytes_of_all(model, count, but), available = memory_available();
	if (bytes > available)
		die_help(STATUS_MEMORY,
		         "the whole data set is kept in memory: give fewer samples or a larger machine; "
		         "folders of "
		         "images can be streamed (without `--resident`)",
		         "%lld samples of `%s` need %s, the machine has %s left", (long long)count,
		         model->name, human_bytes(bytes), human_bytes(available));
}

void data_check_room(const NnrModel *model, int64_t count)
{
	check_room(model, count, -1);
}

void data_allocate_but(DataPart *part, const NnrModel *model, int64_t count, int input)
{
	check_room(model, count, input);
	part->count = count;
	for (int i = 0; i < model->input_count; i++)
		if (i != input)
			part->at[i] = allocate(count, sample_bytes(&model->inputs[i]), "the data set");
}

void data_allocate(DataPart *part, const NnrModel *model, int64_t count)
{
	data_allocate_but(part, model, count, -1);
}

void data_set_class(DataPart *part, const NnrModel *model, int i, int64_t k, int64_t value)
{
	if (i < 0)
		return;
	if (model->inputs[i].dtype == NNR_U8)
		((uint8_t *)part->at[i])[k] = (uint8_t)value;
	else
		((int32_t *)(void *)part->at[i])[k] = (int32_t)value;
}

static void drop_files(ImageFiles **files)
{
	if (*files)
		image_files_free(*files);
	free(*files);
	*files = NULL;
}

void data_forget_files(DataPart *part)
{
	drop_files(&part->decoded);
}

void data_free(DataPart *part)
{
	for (int i = 0; i < MAX_INPUTS; i++) {
		free(part->at[i]);
		free(part->file[i]);
	}
	free(part->samples);
	drop_files(&part->files);
	drop_files(&part->decoded);
	*part = (DataPart){0};
}

void data_take_share(DataPart *part, const NnrModel *m, int64_t first, int64_t count)
{
	for (int i = 0; i < m->input_count && part->places == 0; i++) {
		size_t bytes = (size_t)sample_bytes(&m->inputs[i]);
		if (part->at[i])
			memmove(part->at[i], part->at[i] + (size_t)first * bytes, (size_t)count * bytes);
	}
	ImageFiles *const listed = part->files ? part->files : part->decoded;
	for (int64_t k = 0; listed && k < count && first > 0; k++) {
		ImageFile other = listed->at[k];
		listed->at[k] = listed->at[first + k];
		listed->at[first + k] = other;
	}
	part->passed = part->places > 0 ? first : 0;
	if (part->samples)
		memmove(part->samples, part->samples + first, (size_t)count * sizeof *part->samples);
	else
		part->first += first;
	part->count = count;
}

void data_lose(Dataset *d, const char *path, const char *why)
{
	if (!d->lost)
		d->lost = allocate(1, sizeof *d->lost, "the names of files");
	LeftOuts *l = d->lost;
	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->at = reallocate(l->at, l->room, sizeof *l->at, "the names of files");
	}
	l->at[l->count++] = (LeftOut){text_printf("%s", path), text_printf("%s", why)};
}

static void find_lost(Dataset *d, const DataPart *part)
{
	ImageFiles *files = part->files;
	if (!files || __atomic_load_n(&files->found, __ATOMIC_RELAXED) == files->told)
		return;
	for (int64_t i = 0; i < files->count; i++) {
		ImageFile *f = &files->at[i];
		const char *why = __atomic_load_n(&f->why, __ATOMIC_RELAXED);
		if (!why || f->told)
			continue;
		f->told = true;
		files->told++;
		data_lose(d, f->path, why);
		say_warning("`%s` is left out, and the next picture stands in for it: %s", f->path, why);
	}
}

void data_find_lost(Dataset *d)
{
	find_lost(d, &d->train);
	find_lost(d, &d->held_out);
}

static void forget_lost(LeftOuts *l)
{
	for (int64_t i = 0; l && i < l->count; i++) {
		free(l->at[i].path);
		free(l->at[i].why);
	}
	if (l)
		free(l->at);
	free(l);
}

void dataset_free(Dataset *d)
{
	forget_lost(d->lost);
	data_free(&d->train);
	data_free(&d->held_out);
	free(d->format);
	free(d->store);
	for (int i = 0; i < d->class_count; i++)
		free(d->classes[i]);
	free(d->classes);
	for (int i = 0; i < d->trained_count; i++)
		free(d->trained[i]);
	free(d->trained);
	table_free(d->table);
	table_rows_free(d->rows);
	*d = (Dataset){0};
}

void data_check_finite(const DataPart *part, const NnrModel *model, const char *so)
{
	for (int i = 0; i < model->input_count; i++) {
		const NnrInput *in = &model->inputs[i];
		int64_t each = sample_elements(in), n = part->count * each, at = 0;
		if (!part->file[i] || !part->at[i] || (in->dtype != NNR_F32 && in->dtype != NNR_F64))
			continue;
		while (at < n && isfinite(real_value(part->at[i], in->dtype, at)))
			at++;
		if (at == n)
			continue;
		const int64_t sample = data_sample(part, at / each);
		double value = real_value(part->at[i], in->dtype, at);
		die(STATUS_DATA, "`%s` has the value %s at element %lld, read as %s: %s", part->file[i],
		    isnan(value) ? "nan"
		    : value > 0  ? "inf"
		                 : "-inf",
		    (long long)(sample * each + at % each), dtype_name(in->dtype), so);
	}
}

void data_hold_out(Dataset *d, const DataRequest *r)
{
	split_data(d, r, NULL);
}

const char *data_substitute(const char *recipe)
{
	static const struct {
		const char *name, *substitute;
	} known[] = {
#define DATASET(name, written, doc, substitute) {name, substitute},
#include "base/datasets.def"
#undef DATASET
	};
	for (size_t i = 0; recipe && i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, recipe) == 0)
			return known[i].substitute;
	return NULL;
}
