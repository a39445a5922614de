/* SPDX-License-Identifier: MIT */
/* Which arrays of NumPy's are whose, one for each input of the model, the first dimension being the sample.
 *
 *   DIR/train_image.npy DIR/train_digit.npy   and, optional, DIR/test_image.npy DIR/test_digit.npy
 *   x.npy,y.npy                               in the order of the model's inputs and targets
 *   label=y.npy,image=x.npy                   by their names, in any order
 *   data.npz                                  with the members image.npy and digit.npy, or train_image.npy and so on */
#include "runtime/data/npy.h"
#include "runtime/data/reader.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/zip.h"

#include <stdlib.h>
#include <string.h>

static void read_part(DataPart *part, const NnrModel *m, char *const paths[], const char *by_name)
{
	Npy files[MAX_INPUTS] = {{0}};
	for (int i = 0; i < m->input_count; i++)
		if (paths[i])
			files[i] = npy_open(paths[i]);
	npy_read_arrays(part, m, files, by_name);
}

/* ---- which files */

static char *input_path(const char *folder, const char *part, const NnrInput *in)
{
	char *name = text_printf("%s_%s.npy", part, in->name), *path = path_join(folder, name);
	free(name);
	return path;
}

static bool part_is_there(const char *folder, const char *part, const NnrModel *m)
{
	for (int i = 0; i < m->input_count; i++) {
		char *path = input_path(folder, part, &m->inputs[i]);
		bool found = path_exists(path);
		free(path);
		if (found)
			return true;
	}
	return false;
}

static bool recognise_folder(const char *folder, const NnrModel *model)
{
	return part_is_there(folder, "train", model) || part_is_there(folder, "test", model);
}

static bool is_wanted(const DataRequest *r, int i)
{
	return r->want_targets || !r->model->inputs[i].is_target;
}

static void read_folder_part(DataPart *part, const char *folder, const char *name, const DataRequest *r)
{
	const NnrModel *m = r->model;
	char *paths[MAX_INPUTS];
	for (int i = 0; i < m->input_count; i++)
		paths[i] = is_wanted(r, i) ? input_path(folder, name, &m->inputs[i]) : NULL;
	read_part(part, m, paths, NULL);
	for (int i = 0; i < m->input_count; i++)
		free(paths[i]);
}

static Dataset read_folder(const char *folder, const DataRequest *r)
{
	Dataset d = {.format = text_printf(".npy files")};
	bool has_test = part_is_there(folder, "test", r->model);
	if (has_test)
		read_folder_part(&d.held_out, folder, "test", r);
	if (r->want_train || !has_test)
		read_folder_part(&d.train, folder, "train", r);
	if (!has_test)
		data_hold_out(&d, r);
	return d;
}

/* Length of NAME in `NAME=FILE`; 0: the word is a file alone. */
static int name_length(const char *word)
{
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	return n > 0 && word[n] == '=' && !path_exists(word) ? (int)n : 0;
}

/* "text=FILE.npy,next=FILE.npy" */
static char *list_by_name(const NnrModel *m)
{
	char *text = text_printf("%s", "");
	for (int i = 0; i < m->input_count; i++)
		text_append(&text, "%s%s=FILE.npy", i ? "," : "", m->inputs[i].name);
	return text;
}

static void find_by_name(const char *list, char *const words[], int count, const DataRequest *r,
                         char *paths[])
{
	const NnrModel *m = r->model;
	char *form = list_by_name(m),
	     *help = text_printf("every input and target has one file: --data %s", form);
	for (int w = 0; w < count; w++) {
		const int length = name_length(words[w]);
		int i = 0;
		if (!length)
			die_help(STATUS_USAGE, help, "`%s`: `%s` has no name, and another file has one", list,
			         words[w]);
		while (i < m->input_count && (strncmp(m->inputs[i].name, words[w], (size_t)length) != 0 ||
		                              m->inputs[i].name[length]))
			i++;
		if (i == m->input_count)
			die_help(STATUS_USAGE, help, "the model has no input or target `%.*s`", length,
			         words[w]);
		if (paths[i])
			die_help(STATUS_USAGE, help, "`%s` names two files for `%s`", list,
			         m->inputs[i].name);
		if (!words[w][length + 1])
			die_help(STATUS_USAGE, help, "`%s`: no file follows `%s=`", list, m->inputs[i].name);
		paths[i] = words[w] + length + 1;
	}
	for (int i = 0; i < m->input_count; i++) {
		if (!is_wanted(r, i))
			paths[i] = NULL;
		else if (!paths[i])
			die_help(STATUS_USAGE, help, "`%s` names no file for `%s`", list, m->inputs[i].name);
	}
	free(form);
	free(help);
}

static void find_by_order(const char *list, char *const words[], int count, const DataRequest *r,
                          char *paths[])
{
	const NnrModel *m = r->model;
	int wanted = 0;
	for (int i = 0; i < m->input_count; i++)
		wanted += is_wanted(r, i);
	if (count != m->input_count && count != wanted)
		die_help(STATUS_USAGE,
		         r->want_targets ? "separate the files with commas, in the order of --print-model"
		                         : "separate the files with commas, in the order of --print-model; "
		                           "all targets may be left out",
		         "`%s` names %d file%s, the model has %d inputs and targets", list, count,
		         count == 1 ? "" : "s", m->input_count);
	bool all = count == m->input_count; /* targets too, wanted or not */
	for (int i = 0, next = 0; i < m->input_count; i++) {
		if (is_wanted(r, i))
			paths[i] = words[next++];
		else if (all)
			next++;
	}
}

static bool recognise_list(const char *text, const NnrModel *model)
{
	(void)model;
	return (strstr(text, ".npy,") || has_suffix(text, ".npy")) && !path_is_folder(text);
}

static Dataset read_list(const char *list, const DataRequest *r)
{
	char *words[MAX_INPUTS] = {0}, *paths[MAX_INPUTS] = {0}, *copy = text_printf("%s", list);
	int count = 0;
	bool named = false;
	for (char *word = copy; word; count++) {
		char *comma = strchr(word, ',');
		if (comma)
			*comma = 0;
		if (!*word)
			die(STATUS_USAGE, "`%s`: no file is named beside a comma", list);
		if (count < MAX_INPUTS)
			words[count] = word;
		named = named || name_length(word);
		word = comma ? comma + 1 : NULL;
	}
	if (named && count <= MAX_INPUTS)
		find_by_name(list, words, count, r, paths);
	else
		find_by_order(list, words, count, r, paths);
	Dataset d = {.format = text_printf(".npy files")};
	char *by_name = named ? NULL : list_by_name(r->model);
	read_part(&d.train, r->model, paths, by_name);
	data_hold_out(&d, r);
	free(by_name);
	free(copy);
	return d;
}

/* ---- archives */

/* How the members of a part may be called: by numpy.savez(x=...), as folders have files, or as Keras has its data
 * sets. */
static const char *const member_forms[][2] = {
        {"", ""}, {"train_", ""}, {"test_", ""}, {"", "_train"}, {"", "_test"}};

static const ZipMember *find_member(const Zip *z, const NnrInput *in, int form)
{
	char *name = text_printf("%s%s%s.npy", member_forms[form][0], in->name, member_forms[form][1]);
	const ZipMember *found = zip_find(z, name);
	free(name);
	return found;
}

static bool has_form(const Zip *z, const DataRequest *r, int form)
{
	for (int i = 0; i < r->model->input_count; i++)
		if (is_wanted(r, i) && !find_member(z, &r->model->inputs[i], form))
			return false;
	return true;
}

static void read_members(DataPart *part, const Zip *z, const DataRequest *r, int form)
{
	const NnrModel *m = r->model;
	Npy files[MAX_INPUTS] = {{0}};
	for (int i = 0; i < m->input_count; i++) {
		const ZipMember *member = is_wanted(r, i) ? find_member(z, &m->inputs[i], form) : NULL;
		if (!member)
			continue;
		files[i] = (Npy){.path = text_printf("%s: %s", z->path, member->name),
		                 .bytes = zip_read(z, member)};
		npy_begin(&files[i], member->size);
	}
	npy_read_arrays(part, m, files, NULL);
}

static _Noreturn void die_without_members(const Zip *z, const NnrModel *m)
{
	enum { NAMED = 8 };
	char *wanted = text_printf("%s", ""), *has = text_printf("%s", z->count ? "" : "nothing");
	for (int i = 0; i < m->input_count; i++)
		text_append(&wanted, "%s%s=...", i ? ", " : "", m->inputs[i].name);
	for (int i = 0; i < z->count && i < NAMED; i++)
		text_append(&has, "%s`%s`", i ? ", " : "", z->members[i].name);
	if (z->count > NAMED)
		text_append(&has, " and %d more", z->count - NAMED);
	die_help(STATUS_DATA,
	         text_printf("numpy.savez(FILE, %s), or each of them as train_%s and test_%s", wanted,
	                     m->inputs[0].name, m->inputs[0].name),
	         "`%s` has no array for each input and target of `%s`: in it is %s", z->path, m->name, has);
}

static bool recognise_archive(const char *path, const NnrModel *model)
{
	(void)model;
	return has_suffix(path, ".npz");
}

static Dataset read_archive(const char *path, const DataRequest *r)
{
	Dataset d = {.format = text_printf(".npz arrays")};
	Zip z = zip_open(path);
	enum { WHOLE, TRAIN, TEST, KERAS = 2 };
	int train = -1, test = -1;
	for (int form = TRAIN; form <= TRAIN + KERAS && train < 0 && test < 0; form += KERAS) {
		train = has_form(&z, r, form) ? form : -1;
		test = has_form(&z, r, form + 1) ? form + 1 : -1;
	}
	if (train < 0 && test < 0 && has_form(&z, r, WHOLE))
		train = WHOLE;
	if (train < 0 && (test < 0 || r->want_train))
		die_without_members(&z, r->model);
	if (test >= 0)
		read_members(&d.held_out, &z, r, test);
	if (train >= 0 && (r->want_train || test < 0))
		read_members(&d.train, &z, r, train);
	zip_close(&z);
	if (test < 0)
		data_hold_out(&d, r);
	return d;
}

const DataReader data_reader_npy = {.of = OF_FOLDER, .recognise = recognise_folder, .read = read_folder};
const DataReader data_reader_npy_list = {.recognise = recognise_list, .read = read_list};
const DataReader data_reader_npz = {.of = OF_FILE, .recognise = recognise_archive, .read = read_archive};
