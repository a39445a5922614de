/* SPDX-License-Identifier: MIT */
#include "runtime/session/dataset.h"
#include "runtime/data/augment.h"
#include "runtime/data/image_files.h"
#include "runtime/data/reader.h"
#include "runtime/data/split.h"
#include "runtime/data/table.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/session/session.h"

#include <stdlib.h>

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
	const DataReader *reader = data_reader(path, m);
	return reader && !reader->pictures;
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
	return for_prediction(is_data ? data_read(first, r) : pictures_read(paths, count, r));
}

/* The column of time stays: a series stands in its order, whatever is held out. */
static void divide_nothing(DataRequest *r)
{
	const bool in_time = r->split.by == NNR_SPLIT_TIME && series_is_asked(r->model);
	r->split = (NnrSplit){.by = in_time ? NNR_SPLIT_TIME : NNR_SPLIT_SHARE,
	                      .column = in_time ? r->split.column : NULL};
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
	Dataset d = data_read(path, r);
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
	Dataset d = data_read(path, &r);
	if (!takes_all)
		check_divided(options, &d, &r, path);
	if (options->eval_data) {
		r.want_train = false;
		r.class_folder = d.class_folder;
		r.table = d.table;
		Dataset other = data_read(options->eval_data, &r);
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
