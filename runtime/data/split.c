/* SPDX-License-Identifier: MIT */
#include "runtime/data/split.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/data/image_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The target by which samples have a class each; `why`: what nobody can do without. */
static int class_target(const NnrModel *m, const char *why)
{
	for (int i = 0; i < m->input_count; i++)
		if (m->inputs[i].is_target && m->inputs[i].classes > 0 && sample_elements(&m->inputs[i]) == 1)
			return i;
	die(STATUS_DATA, "`%s` has no target of one class a sample: %s", m->name, why);
}

static int class_of(const DataPart *part, const NnrModel *m, int target, int64_t sample)
{
	return (int)dtype_value(part->at[target], m->inputs[target].dtype, sample);
}

/* ---- which side each sample goes to */

enum { TRAIN, HELD, NEITHER };

typedef struct Split {
	const DataRequest *r;
	const double *keys;
	int64_t total;
	Permutation order; /* all choices by chance are made in it */
	char *side;        /* of each sample */
} Split;

/* Of `count` that are shared out in order, whether the one at `place` is held out. `before`: those that were shared out
 * before these, so that folds are alike in size over all. */
static bool is_held(const Split *s, int64_t place, int64_t count, int64_t before)
{
	if (s->r->folds > 0)
		return (before + place) % s->r->folds == s->r->fold - 1;
	return place < (int64_t)((double)count * s->r->split.share + 0.5);
}

static void divide_evenly(Split *s)
{
	for (int64_t k = 0; k < s->total; k++)
		s->side[permutation_at(&s->order, k)] = is_held(s, k, s->total, 0) ? HELD : TRAIN;
}

static void divide_classes(Split *s, const DataPart *whole)
{
	const NnrModel *m = s->r->model;
	const int target = class_target(m, "none can be held out of each class; a share, as `holdout 0.2` of "
	                                   "a recipe, needs none"),
	          classes = m->inputs[target].classes;
	int64_t *count = allocate(classes, sizeof *count, "the samples of each class"),
	        *before = allocate(classes, sizeof *before, "the samples of each class"),
	        *place = allocate(classes, sizeof *place, "the samples of each class");
	for (int64_t k = 0; k < s->total; k++)
		count[class_of(whole, m, target, k)]++;
	for (int c = 1; c < classes; c++)
		before[c] = before[c - 1] + count[c - 1];
	for (int64_t k = 0; k < s->total; k++) {
		const int64_t sample = permutation_at(&s->order, k);
		const int c = class_of(whole, m, target, sample);
		s->side[sample] = is_held(s, place[c]++, count[c], before[c]) ? HELD : TRAIN;
	}
	free(count);
	free(before);
	free(place);
}

typedef struct Group {
	int64_t samples, place; /* in an order by chance */
	int fold;               /* from 1; without folds 1: held out */
} Group;

static int by_samples(const void *a, const void *b)
{
	const Group *first = *(Group *const *)a, *second = *(Group *const *)b;
	if (first->samples != second->samples)
		return first->samples < second->samples ? 1 : -1;
	return (first->place > second->place) - (first->place < second->place);
}

/* The largest first, each to the fold that has least; so the folds are as alike as whole groups allow. */
static void deal_folds(Group **groups, int64_t count, int folds)
{
	int64_t *size = allocate(folds, sizeof *size, "the folds");
	qsort(groups, (size_t)count, sizeof *groups, by_samples);
	for (int64_t i = 0; i < count; i++) {
		int least = 0;
		for (int f = 1; f < folds; f++)
			least = size[f] < size[least] ? f : least;
		groups[i]->fold = least + 1;
		size[least] += groups[i]->samples;
	}
	free(size);
}

static void divide_groups(Split *s)
{
	int64_t count = 0, held = 0;
	const double wanted = (double)s->total * s->r->split.share;
	for (int64_t k = 0; k < s->total; k++)
		count = (int64_t)s->keys[k] >= count ? (int64_t)s->keys[k] + 1 : count;
	Group *groups = allocate(count, sizeof *groups, "the groups"),
	      **order = allocate(count, sizeof *order, "the groups");
	const Permutation chance = permutation_new(s->r->seed, RNG_HOLDOUT, 0, count);
	for (int64_t k = 0; k < s->total; k++)
		groups[(int64_t)s->keys[k]].samples++;
	for (int64_t i = 0; i < count; i++) {
		order[i] = &groups[permutation_at(&chance, i)];
		order[i]->place = i;
	}
	if (s->r->folds > 0)
		deal_folds(order, count, s->r->folds);
	/* Whole groups, as long as the share comes nearer. */
	for (int64_t i = 0; i < count && s->r->folds == 0; i++)
		if ((double)held + (double)order[i]->samples / 2 <= wanted) {
			order[i]->fold = 1;
			held += order[i]->samples;
		}
	const int chosen = s->r->folds > 0 ? s->r->fold : 1;
	for (int64_t k = 0; k < s->total; k++)
		s->side[k] = groups[(int64_t)s->keys[k]].fold == chosen ? HELD : TRAIN;
	free(groups);
	free(order);
}

static int by_size(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

/* What is held out is all of it later than what is trained on: samples of one time stay together. Of folds each is the
 * next equal part, trained on what comes before: of K there are K + 1 parts, and the first is never held out. */
static void divide_time(Split *s)
{
	double *times = allocate(s->total, sizeof *times, "the times of the samples");
	memcpy(times, s->keys, (size_t)s->total * sizeof *times);
	qsort(times, (size_t)s->total, sizeof *times, by_size);
	const int folds = s->r->folds, fold = s->r->fold;
	const int64_t first = folds > 0 ? s->total * fold / (folds + 1)
	                                : s->total - (int64_t)((double)s->total * s->r->split.share + 0.5),
	              end = folds > 0 ? s->total * (fold + 1) / (folds + 1) : s->total;
	const double begin = first < s->total ? times[first] : INFINITY,
	             until = end < s->total ? times[end] : INFINITY;
	free(times);
	for (int64_t k = 0; k < s->total; k++)
		s->side[k] = s->keys[k] < begin ? TRAIN : s->keys[k] < until ? HELD : NEITHER;
}

static void divide_column(Split *s)
{
	for (int64_t k = 0; k < s->total; k++)
		s->side[k] = s->keys[k] > 0 ? HELD : TRAIN;
}

static void divide(Split *s, const DataPart *whole)
{
	switch (s->r->split.by) {
	case NNR_SPLIT_STRATIFIED:
		divide_classes(s, whole);
		break;
	case NNR_SPLIT_COLUMN:
		divide_column(s);
		break;
	case NNR_SPLIT_GROUP:
		divide_groups(s);
		break;
	case NNR_SPLIT_TIME:
		divide_time(s);
		break;
	case NNR_SPLIT_SHARE:
		divide_evenly(s);
		break;
	}
}

/* ---- both parts */

/* Files [0, count) of that list of samples, which are these no more; NULL of NULL. */
static ImageFiles *take_files(ImageFiles *files, const int64_t *samples, int64_t count)
{
	ImageFiles *taken = files ? allocate(1, sizeof *taken, "the names of files") : NULL;
	if (taken)
		*taken = image_files_take(files, samples, count);
	return taken;
}

/* part->samples of the whole, what is in memory of them. */
static void copy_samples(DataPart *part, const DataPart *whole, const NnrModel *model)
{
	for (int i = 0; i < model->input_count; i++) {
		size_t bytes = (size_t)sample_bytes(&model->inputs[i]);
		for (int64_t k = 0; part->at[i] && k < part->count; k++)
			memcpy(part->at[i] + (size_t)k * bytes,
			       whole->at[i] + (size_t)part->samples[k] * bytes, bytes);
		part->file[i] = whole->file[i] ? text_printf("%s", whole->file[i]) : NULL;
	}
}

static void take_part(DataPart *part, DataPart *whole, int64_t count, const NnrModel *model)
{
	data_allocate_but(part, model, count, whole->files ? whole->files_input : -1);
	part->files = take_files(whole->files, part->samples, count);
	part->decoded = take_files(whole->decoded, part->samples, count);
	copy_samples(part, whole, model);
}

static void take_parts(Dataset *d, const NnrModel *m, int64_t *const samples[2], const int64_t count[2])
{
	DataPart whole = d->train, *const parts[] = {[TRAIN] = &d->train, [HELD] = &d->held_out};
	for (int side = HELD; side >= TRAIN; side--) {
		*parts[side] = (DataPart){
		        .samples = samples[side], .files_input = whole.files_input, .names = whole.names};
		take_part(parts[side], &whole, count[side], m);
	}
	ImageFiles *const listed = whole.files ? whole.files : whole.decoded;
	if (listed)
		listed->count = 0; /* both parts have what it listed */
	data_free(&whole);
}

/* The plain share, whose samples stand in the order by chance. */
static void take_share(Dataset *d, const DataRequest *r, int64_t held)
{
	const int64_t total = d->train.count, count[] = {total - held, held};
	const Permutation order = permutation_new(r->seed, RNG_HOLDOUT, 0, total);
	int64_t *samples[2];
	for (int side = TRAIN; side <= HELD; side++) {
		samples[side] = allocate(count[side], sizeof *samples[side], "the held-out part");
		for (int64_t k = 0; k < count[side]; k++)
			samples[side][k] = permutation_at(&order, (side == HELD ? 0 : held) + k);
	}
	take_parts(d, r->model, samples, count);
}

void split_data(Dataset *d, const DataRequest *r, const double *keys)
{
	const int64_t total = d->train.count;
	d->divided = d->by_samples = true;
	if (r->split.by == NNR_SPLIT_SHARE && r->folds == 0) {
		const int64_t held = (int64_t)((double)total * r->split.share);
		if (held > 0)
			take_share(d, r, held);
		return;
	}
	if (r->split.by != NNR_SPLIT_COLUMN && r->folds == 0 && r->split.share <= 0)
		return;
	if (r->split.column && !keys)
		die(STATUS_DATA, "the samples are held out by the column `%s`, but this data is no table",
		    r->split.column);
	Split s = {r, keys, total, permutation_new(r->seed, RNG_HOLDOUT, 0, total),
	           allocate(total, 1, "the held-out part")};
	divide(&s, &d->train);
	int64_t *samples[2], count[] = {0, 0, 0};
	for (int64_t k = 0; k < total; k++)
		count[(int)s.side[k]]++;
	for (int side = TRAIN; side <= HELD; side++) {
		if (count[side] == 0)
			die(STATUS_DATA, "none of the %s samples is %s: what is held out is %s%s",
			    count_text((double)total), side == HELD ? "held out" : "left to train on",
			    split_text(&r->split),
			    r->folds > 0 ? text_printf(", fold %d of %d", r->fold, r->folds) : "");
		samples[side] = allocate(count[side], sizeof *samples[side], "the held-out part");
		int64_t place = 0;
		for (int64_t k = 0; k < total; k++)
			if (s.side[k] == side)
				samples[side][place++] = k;
	}
	free(s.side);
	take_parts(d, r->model, samples, count);
}

/* ---- balance */

/* Files of those samples, of which one may come again. */
static ImageFiles *copy_files(const ImageFiles *files, const int64_t *samples, int64_t count)
{
	ImageFiles *copy = files ? allocate(1, sizeof *copy, "the names of files") : NULL;
	if (!copy)
		return NULL;
	*copy = *files;
	copy->at = allocate(count, sizeof *copy->at, "the names of files");
	copy->count = copy->room = count;
	for (int64_t k = 0; k < count; k++) {
		copy->at[k] = files->at[samples[k]];
		copy->at[k].path = text_printf("%s", files->at[samples[k]].path);
	}
	return copy;
}

/* Of each sample how often it comes: as often as another of its class, or once more. Returns how many these are. */
static int64_t count_times(const DataPart *train, const NnrModel *m, uint64_t seed, int64_t *times)
{
	const int target = class_target(m, "its classes can't be balanced"),
	          classes = m->inputs[target].classes;
	const Permutation order = permutation_new(seed, RNG_HOLDOUT, 1, train->count);
	int64_t *count = allocate(classes, sizeof *count, "the samples of each class"),
	        *place = allocate(classes, sizeof *place, "the samples of each class"), largest = 0, all = 0;
	for (int64_t k = 0; k < train->count; k++) {
		const int c = class_of(train, m, target, k);
		largest = ++count[c] > largest ? count[c] : largest;
	}
	for (int64_t k = 0; k < train->count; k++) {
		const int64_t sample = permutation_at(&order, k);
		const int c = class_of(train, m, target, sample);
		times[sample] = largest / count[c] + (place[c]++ < largest % count[c]);
		all += times[sample];
	}
	free(count);
	free(place);
	return all;
}

void split_balance(DataPart *train, const NnrModel *m, uint64_t seed)
{
	int64_t *times = allocate(train->count, sizeof *times, "the samples of each class");
	const int64_t count = count_times(train, m, seed, times);
	int64_t *places = allocate(count, sizeof *places, "the samples of each class"), next = 0;
	for (int64_t k = 0; k < train->count; k++)
		for (int64_t i = 0; i < times[k]; i++)
			places[next++] = k;
	DataPart whole = *train,
	         all = {.files_input = whole.files_input, .names = whole.names, .samples = places};
	data_allocate_but(&all, m, count, whole.files ? whole.files_input : -1);
	copy_samples(&all, &whole, m);
	all.files = copy_files(whole.files, places, count);
	all.decoded = copy_files(whole.decoded, places, count);
	for (int64_t k = 0; k < count; k++)
		places[k] = data_sample(&whole, places[k]); /* of the file, as messages have it */
	*train = all;
	data_free(&whole);
	free(times);
}
