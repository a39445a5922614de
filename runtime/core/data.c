/* SPDX-License-Identifier: MIT */
/* Which reader a --data argument gets, and what the readers share. */
#include "runtime/core/data.h"
#include "base/checked.h"
#include "runtime/core/augment.h"
#include "runtime/core/die.h"
#include "runtime/core/file.h"
#include "runtime/data/image.h"
#include "runtime/data/image_files.h"
#include "runtime/data/image_folders.h"
#include "runtime/core/memory.h"
#include "runtime/core/session.h"
#include "runtime/core/split.h"
#include "runtime/core/table.h"
#include "runtime/core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t dtype_bytes(NnrDType dtype)
{
	static const int bytes[] = {4, 8, 2, 2, 4, 1};
	return bytes[dtype];
}

double dtype_value(const void *at, NnrDType dtype, int64_t i)
{
	switch (dtype) {
	case NNR_F32:
		return (double)((const float *)at)[i];
	case NNR_F64:
		return ((const double *)at)[i];
	case NNR_I32:
		return ((const int32_t *)at)[i];
	case NNR_U8:
		return ((const uint8_t *)at)[i];
	default:
		require(!"an element that the host reads is f32, f64, i32 or u8");
		return 0;
	}
}

const char *dtype_name(NnrDType dtype)
{
	static const char *const names[] = {"f32", "f64", "bf16", "f16", "i32", "u8"};
	return names[dtype];
}

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

int64_t part_bytes(const DataPart *part, const NnrInput *input)
{
	if (part->places > 0)
		return (part->places - 1 + sample_elements(input)) * dtype_bytes(input->dtype);
	return part->count * sample_bytes(input);
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

/* ---- which reader */

static bool is_npy_list(const char *text)
{
	size_t n = strlen(text);
	return strstr(text, ".npy,") || (n > 4 && strcmp(text + n - 4, ".npy") == 0);
}

/* What is to be given where there is no data at `--data`: what the recipe was written for, else by the inputs. */
static const char *data_asked(const NnrModel *model)
{
	static const struct {
		const char *data, *form;
	} forms[] = {
	        {"mnist", "a folder with MNIST's files (train-images-idx3-ubyte[.gz] ...)"},
	        {"cifar10", "a folder with CIFAR's files (data_batch_1.bin ...)"},
	        {"table", "a table, .csv or .tsv[.gz], whose first line names its columns"},
	        {"npy", "a .npy file for each input: A.npy,B.npy, or a folder with train_NAME.npy ..."},
	};
	for (size_t i = 0; model->data && i < sizeof forms / sizeof *forms; i++)
		if (strcmp(forms[i].data, model->data) == 0)
			return text_printf("the recipe was written for `%s` data: give %s", model->data,
			                   forms[i].form);
	return data_needed(model);
}

/* Names the first of what is there instead, and what .npy files of other inputs were to be called. */
static _Noreturn void no_data_in(const char *folder, const NnrModel *model)
{
	enum { NAMED = 4 };
	Names names = folder_names(folder);
	bool arrays = false;
	char *has = text_printf("%s", names.count ? "" : "nothing");
	for (int i = 0; i < names.count; i++) {
		size_t n = strlen(names.at[i]);
		bool is_part = strncmp(names.at[i], "train", 5) == 0 || strncmp(names.at[i], "test", 4) == 0;
		arrays = arrays || (is_part && n > 4 && strcmp(names.at[i] + n - 4, ".npy") == 0);
		if (i < NAMED)
			text_append(&has, "%s`%s`", i ? ", " : "", names.at[i]);
	}
	if (names.count > NAMED)
		text_append(&has, " and %d more", names.count - NAMED);
	if (images_are_in(folder))
		die_help(STATUS_DATA,
		         "make a folder for each class in it, and move its pictures there: CLASS/NAME.jpg",
		         "the pictures of `%s` lie in no folders of classes: in it is %s", folder, has);
	char *wanted = text_printf("train_%s.npy", model->inputs[0].name);
	for (int i = 1; i < model->input_count; i++)
		text_append(&wanted, ", train_%s.npy", model->inputs[i].name);
	die_help(STATUS_DATA,
	         arrays ? text_printf("for the model `%s` the files are called %s, and test_... of held-out "
	                              "samples",
	                              model->name, wanted)
	                : data_asked(model),
	         "the folder `%s` holds no data that this trainer knows: in it is %s", folder, has);
}

/* DIR/labels.csv, whose rows name pictures of the folder; NULL: there is none, or folders of classes say what the model
 * wants to know. */
static char *table_in_folder(const char *folder, const NnrModel *m)
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

static Dataset read_any(const char *path, const DataRequest *r)
{
	if (synth_recognise(path))
		return synth_read(path, r);
	if (is_npy_list(path) && !path_is_folder(path))
		return npy_read_list(path, r);
	if (!path_exists(path))
		die_help(STATUS_DATA, data_asked(r->model), "there is no file or folder `%s`", path);
	if (text_recognise(path, r->model))
		return text_read(path, r);
	if (table_recognise(path))
		return table_read(path, r);
	if (has_suffix(path, ".npz") && !path_is_folder(path))
		return npz_read(path, r);
	if (!path_is_folder(path))
		die_help(STATUS_DATA, data_asked(r->model),
		         "`%s` is neither a folder nor a file that this trainer knows", path);
	if (idx_recognise(path))
		return idx_read(path, r);
	if (cifar_recognise(path))
		return cifar_read(path, r);
	if (npy_recognise(path, r->model))
		return npy_read(path, r);
	if (masks_recognise(path))
		return masks_read(path, r);
	char *labels = table_in_folder(path, r->model);
	if (labels)
		return table_read(labels, r);
	if (images_recognise(path))
		return images_read(path, r);
	no_data_in(path, r->model);
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

/* `recipe`: what the recipe's `data` says, or NULL. */
static _Noreturn void ask_for_data(const char *recipe)
{
	const char *known = data_substitute(recipe), *substitute = known ? known : "synth:random";
	char *help = text_printf("%s%s%s`--data %s` tries the trainer without any",
	                         recipe ? "the recipe was written for `" : "", recipe ? recipe : "",
	                         recipe ? "` data; " : "", substitute);
	die_help(STATUS_USAGE, help,
	         "`--data DATA` is needed: a folder, a text, a table (.csv, .tsv), .npy files or synth:NAME");
}

/* Its held-out part or, where it has none, all of it; the other part is no more. */
static DataPart held_out_or_all(Dataset *d)
{
	bool alone = d->held_out.count == 0;
	DataPart part = alone ? d->train : d->held_out;
	d->all_of_it = alone;
	if (!alone)
		data_free(&d->train);
	d->train = d->held_out = (DataPart){0};
	return part;
}

static Dataset for_prediction(Dataset d)
{
	d.held_out = held_out_or_all(&d);
	return d;
}

/* And no pictures. */
static bool is_data_set(const char *path, const NnrModel *m)
{
	if (synth_recognise(path) || is_npy_list(path) || text_recognise(path, m) || table_recognise(path) ||
	    has_suffix(path, ".npz"))
		return true;
	char *labels = path_is_folder(path) ? table_in_folder(path, m) : NULL;
	free(labels);
	return labels || (path_is_folder(path) && (idx_recognise(path) || cifar_recognise(path) ||
	                                           npy_recognise(path, m) || masks_recognise(path)));
}

/* What `predict` is given: one data set, or pictures. */
static Dataset read_inputs(const char *const *paths, int count, const DataRequest *r)
{
	const char *first = paths[0];
	bool one = count == 1, nothing = !path_exists(first) && !image_is_named(first);
	for (int i = 0; i < count && !one; i++)
		if (is_data_set(paths[i], r->model))
			die_help(STATUS_USAGE,
			         "give one data set, or any number of pictures and folders of them",
			         "`%s` is a data set of its own", paths[i]);
	bool is_data = one && (is_data_set(first, r->model) || nothing || r->model->predict.reads_targets);
	return for_prediction(is_data ? read_any(first, r) : pictures_read(paths, count, r));
}

static void divide_nothing(DataRequest *r)
{
	r->split = (NnrSplit){0};
	r->folds = r->fold = 0;
}

/* What the command line says, else the recipe, else a tenth. */
static NnrSplit chosen_split(const Options *o, const NnrModel *m)
{
	NnrSplit split = m->split;
	if (split.share <= 0)
		split.share = 0.1;
	if (o->holdout)
		require(split_parse(o->holdout, &split)); /* options_check.c */
	return split;
}

/* Of data whose samples were not divided so. */
static void check_divided(const Options *o, const Dataset *d, const DataRequest *r, const char *path)
{
	const bool folds = r->folds > 0, asks = folds || r->split.by != NNR_SPLIT_SHARE;
	if (o->holdout && o->eval_data)
		say_note("`--holdout` changes nothing beside `--eval-data`");
	else if (o->eval_data || d->by_samples)
		return;
	else if (folds || (asks && d->divided))
		die(STATUS_DATA, "`%s` %s: its samples are not divided %s", path,
		    d->divided ? "is one text" : "has a held-out part of its own",
		    folds ? "into folds" : split_text(&r->split));
	else if (o->holdout && !d->divided)
		say_note("`--holdout` changes nothing: `%s` has a held-out part of its own", path);
}

/* Alone, without that of the training. */
static Dataset all_for_evaluation(const char *path, DataRequest *r)
{
	divide_nothing(r);
	Dataset d = read_any(path, r);
	d.held_out = held_out_or_all(&d);
	return d;
}

/* How the columns were read that the given weights were trained on, or NULL. */
static Table *trained_table(const Options *o, const NnrModel *m)
{
	const char *path = o->checkpoint && (takes_weights(o) || o->resume) ? o->checkpoint
	                   : takes_weights(o)                               ? o->init
	                                                                    : NULL;
	return path && path_exists(path) ? table_of_checkpoint(path, m) : NULL;
}

Dataset data_load(const Options *options, const NnrModel *model, uint64_t seed, bool show_progress)
{
	const char *path = options->data ? options->data : model->data;
	bool takes_all = options->command == COMMAND_PREDICT ||
	                 (options->command == COMMAND_EVAL && !options->holdout && options->fold == 0);
	DataRequest r = {
	        .model = model,
	        .seed = seed,
	        .split = chosen_split(options, model),
	        .folds = options->fold ? (int)options->folds : 0,
	        .fold = (int)options->fold,
	        .threads = (int)options->threads,
	        .show_progress = show_progress,
	        .want_train = !takes_weights(options),
	        .want_targets = options->command != COMMAND_PREDICT || model->predict.reads_targets,
	        .want_rows = options->command == COMMAND_PREDICT,
	        .follow_links = options->follow_links,
	        .bad_files = options->bad_files,
	        .store = options->stream     ? STORE_STREAM
	                 : options->resident ? STORE_RESIDENT
	                                     : STORE_AUTO,
	        .windows = !predicts_only(options) && !takes_weights(options) && !options->no_augment &&
	                   augments_window(&model->augment),
	        .room = session_data_room(model, options),
	};
	r.table = trained_table(options, model);
	r.weights = !takes_weights(options) ? NULL
	            : options->checkpoint   ? options->checkpoint
	                                    : options->init;
	if (options->command == COMMAND_EVAL && !options->data && options->eval_data)
		return all_for_evaluation(options->eval_data, &r);
	bool measures = options->command == COMMAND_BENCH || options->command == COMMAND_PROFILE;
	if (measures && !options->data)
		path = "synth:random";
	else if (!options->data && !options->input_count && (!path || !synth_recognise(path)))
		ask_for_data(path);
	if (options->eval_data || takes_all)
		divide_nothing(&r);
	if (options->command == COMMAND_PREDICT)
		return options->input_count ? read_inputs(options->inputs, options->input_count, &r)
		                            : read_inputs(&path, 1, &r);
	Dataset d = read_any(path, &r);
	if (!takes_all)
		check_divided(options, &d, &r, path);
	if (options->eval_data) {
		r.want_train = false;
		r.class_folder = d.class_folder;
		r.table = d.table;
		Dataset other = read_any(options->eval_data, &r);
		data_free(&d.held_out);
		d.held_out = held_out_or_all(&other);
		d.all_of_it = other.all_of_it;
		for (int64_t i = 0; other.lost && i < other.lost->count; i++)
			data_lose(&d, other.lost->at[i].path, other.lost->at[i].why);
		if (other.table == d.table)
			other.table = NULL;
		dataset_free(&other);
	} else if (options->command == COMMAND_EVAL && takes_all) {
		d.held_out = held_out_or_all(&d);
	}
	if (options->command == COMMAND_EVAL) {
		if (d.held_out.count == 0)
			die_help(STATUS_DATA, "`--eval-data` names some",
			         "`%s` holds no held-out samples to evaluate on", path);
		return d;
	}
	if (model->balance && trains(options) && d.train.count > 0)
		split_balance(&d.train, model, seed);
	if (d.train.count < step_samples(model)) {
		int64_t most = d.train.count - (model->chunks > 1 ? d.train.count % model->batch : 0);
		char *help = text_printf(
		        "compile with `--set batch=%lld%s` (the largest that works) or give more data",
		        (long long)(most ? most : d.train.count), most ? "" : " --set chunk=none");
		die_help(STATUS_DATA, help, "`%s` has %lld training samples, fewer than one batch of %lld",
		         path, (long long)d.train.count, (long long)step_samples(model));
	}
	return d;
}
