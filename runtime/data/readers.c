/* SPDX-License-Identifier: MIT */
/* Which reader takes what `--data` names. */
#include "runtime/data/reader.h"
#include "runtime/data/cells.h"
#include "runtime/data/image_files.h"
#include "runtime/data/image_folders.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const DataReader *const readers[] = {
#define DATA_READER(name) &data_reader_##name,
#include "runtime/data/readers.def"
#undef DATA_READER
};

const DataReader *data_reader(const char *path, const NnrModel *model)
{
	const DataReaderOf of = path_is_folder(path) ? OF_FOLDER : path_exists(path) ? OF_FILE : OF_WORD;
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
		const DataReader *r = readers[i];
		if ((r->of == of || r->of == OF_WORD) && r->recognise(path, model))
			return r;
	}
	return NULL;
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
	        {"series", "a table, .csv or .tsv[.gz], whose rows follow one another in time"},
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

/* What holds data and is not read, by its first bytes: what it is, and what converts it. */
static const struct {
	const char *bytes;
	int length, at;
	const char *is, *by;
} foreign[] = {
        {"PAR1", 4, 0, "Parquet file",
         "write it as a table: `python3 -c 'import sys, pandas; "
         "pandas.read_parquet(sys.argv[1]).to_csv(sys.argv[2], index=False)' FILE NAME.csv` (pandas and "
         "pyarrow of PyPI; Debian has neither a library nor a program that reads it)"},
        {"ARROW1", 6, 0, "Arrow (Feather) file",
         "write it as a table: `python3 -c 'import sys, pandas; "
         "pandas.read_feather(sys.argv[1]).to_csv(sys.argv[2], index=False)' FILE NAME.csv` (pandas and "
         "pyarrow of PyPI)"},
        {"\x89HDF\r\n\x1a\n", 8, 0, "HDF5 file",
         "write each array as .npy: `python3 -c 'import sys, h5py, numpy; numpy.save(sys.argv[3], "
         "h5py.File(sys.argv[1])[sys.argv[2]][:])' FILE NAME x.npy` (Debian: python3-h5py)"},
        {"SQLite format 3", 16, 0, "database of SQLite",
         "write a table of it: `sqlite3 -header -csv FILE 'select * from NAME' > NAME.csv` (Debian: "
         "sqlite3)"},
        {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, 0, "spreadsheet (.xls)",
         "write it as a table: `ssconvert FILE NAME.csv` (Debian: gnumeric)"},
        {"PK\3\4", 4, 0, "ZIP archive, as a spreadsheet (.xlsx, .ods) is",
         "a spreadsheet becomes a table by `ssconvert FILE NAME.csv` (Debian: gnumeric); unpack another by "
         "`unzip FILE -d FOLDER` and give the folder"},
        {"\x80\4", 2, 0, "pickle of Python, which is a program",
         "save what is in it by `numpy.save` as .npy, or a table by `to_csv`"},
        {"ustar", 5, 257, "tar archive", "unpack it by `tar xf FILE -C FOLDER`, and give the folder"},
};

/* Dies where it is one of these. */
static void refuse_foreign(const char *path)
{
	enum { HEAD = 512 };
	unsigned char head[HEAD] = {0};
	int64_t size;
	const char *why;
	const int fd = path_is_folder(path) ? -1 : file_open(path, &size, &why);
	const bool read = fd >= 0 && file_read_at(fd, head, size < HEAD ? size : HEAD, 0);
	if (fd >= 0)
		close(fd);
	for (size_t i = 0; read && i < sizeof foreign / sizeof *foreign; i++)
		if (memcmp(head + foreign[i].at, foreign[i].bytes, (size_t)foreign[i].length) == 0 &&
		    memchr(head, 0,
		           (size_t)(size < HEAD ? size : HEAD))) /* a column of a table may be called PAR1 */
			die_help(STATUS_DATA, foreign[i].by, "`%s` is a %s, which is not read", path,
			         foreign[i].is);
}

Dataset data_read(const char *path, const DataRequest *r)
{
	const DataReader *reader = data_reader(path, r->model);
	if (!reader || cells_named(path))
		refuse_foreign(path);
	if (reader)
		return reader->read(path, r);
	if (!path_exists(path))
		die_help(STATUS_DATA, data_asked(r->model), "there is no file or folder `%s`", path);
	if (!path_is_folder(path))
		die_help(STATUS_DATA, data_asked(r->model),
		         "`%s` is neither a folder nor a file that this trainer knows", path);
	no_data_in(path, r->model);
}
