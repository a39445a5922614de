/* SPDX-License-Identifier: MIT */
/* The data set in memory: one contiguous array per input of the model, for a training part and a held-out part.
 *
 * A reader is given what the model wants and fills the parts, or ends the process with a sentence that says what the
 * data has, what the model wants and what to do. Sizes in files are believed only after they were compared with the
 * length of the file. */
#ifndef NNR_DATA_H
#define NNR_DATA_H

#include "runtime/host/dtype.h"
#include "runtime/host/options.h"
#include "runtime/host/rng.h"

#include <string.h>

enum { MAX_INPUTS = 16 };

/* That share each batch. */
static inline int64_t model_ranks(const NnrModel *m)
{
	return m->ranks > 1 ? m->ranks : 1;
}

/* Samples of an optimizer step, of all ranks. */
static inline int64_t step_samples(const NnrModel *m)
{
	return m->batch * m->chunks * model_ranks(m);
}

typedef struct DataPart {
	int64_t count;        /* samples */
	char *at[MAX_INPUTS]; /* [count] samples of the model's input i, in its dtype */
	/* For messages alone: the file of input i, NULL where its values need no doubt; and which samples of the file
	 * these are: NULL, those from `first` on. */
	char *file[MAX_INPUTS];
	int64_t *samples;
	int64_t first;
	/* NULL, or what the samples of input `files_input` are decoded from as they are needed; its at[] is NULL
	 * then. */
	struct ImageFiles *files;
	/* 0, or the samples are windows of one sequence for each input: at[] is the sequences, a window begins at one
	 * of `places` of them, `row` elements apart, and the next one `window` places on (batch.c). */
	int64_t window, places, row[MAX_INPUTS];
	bool anywhere;  /* those that are trained on begin anywhere, in each epoch elsewhere */
	int64_t passed; /* windows that stand before the first of these, and are another rank's */
	struct ImageFiles *
	        decoded; /* NULL, or the files that the samples in memory are of; a training's own have none */
	int files_input;
	uint64_t names; /* image_files_hash(); 0: the data is no such files */
} DataPart;

/* Of bytes, [height, width, channels]: what is augmented. */
static inline bool is_image(const NnrInput *in)
{
	return !in->is_target && in->dtype == NNR_U8 && in->rank == 4;
}

/* Whether a target has a value for each pixel of the model's image, and moves as that does. */
static inline bool goes_along(const NnrModel *m, int i)
{
	const NnrInput *y = &m->inputs[i];
	for (int k = 0; k < m->input_count && y->is_target && y->rank >= 3; k++)
		if (is_image(&m->inputs[k]))
			return m->inputs[k].dim[1] == y->dim[1] && m->inputs[k].dim[2] == y->dim[2];
	return false;
}

/* The class of target `i` that the loss leaves out; -1: none. */
static inline int data_ignored(const NnrModel *m, int i)
{
	const NnrScored *s = &m->scored;
	return s->target && strcmp(s->target, m->inputs[i].name) == 0 ? s->uncounted - 1 : -1;
}

static inline bool any_goes_along(const NnrModel *m)
{
	bool any = false;
	for (int i = 0; i < m->input_count; i++)
		any = any || goes_along(m, i);
	return any;
}

/* Whether the host moves images by `crop` and `flip` for a GPU, too: something else depends on where they come. */
static inline bool host_moves(const NnrModel *m)
{
	return any_goes_along(m) || m->augment.mixup > 0 || m->augment.cutmix > 0;
}

/* Element i, of 32 bits or 64. */
static inline double real_value(const void *at, NnrDType dtype, int64_t i)
{
	return dtype == NNR_F32 ? (double)((const float *)at)[i] : ((const double *)at)[i];
}

/* Which sample of the file sample `k` of a part is. */
static inline int64_t data_sample(const DataPart *p, int64_t k)
{
	return p->samples ? p->samples[k] : p->first + k;
}

/* The element of at[], of windows the place, that sample `k` begins with where nothing is drawn; `each`: elements of a
 * sample that is no window. */
static inline int64_t data_begin(const DataPart *p, int64_t k, int64_t each)
{
	return p->places > 0 ? (p->passed + k) * p->window % p->places : k * each;
}

/* A file that can't be used, and why. */
typedef struct LeftOut {
	char *path, *why;
} LeftOut;

typedef struct LeftOuts {
	LeftOut *at;
	int64_t count, room;
} LeftOuts;

typedef struct Dataset {
	DataPart train, held_out; /* held_out.count 0: there is none */
	char *format;             /* "MNIST (IDX)", for the user; malloc'd */
	char *store;              /* NULL, or whether its images are decoded already, and why; malloc'd */
	bool divided;             /* by DataRequest.split */
	bool by_samples;          /* into whole samples, as that says it */
	const char *class_folder; /* NULL, or whose folders of images, or characters, number the classes */
	char **classes;           /* their names in order, as they are on disk; NULL: the data has none */
	int class_count;
	bool all_of_it; /* held_out is the whole of data that has no part for it: of `eval` and `predict` */
	bool some_classes; /* they are some of those that were trained on: of what is predicted for */
	int64_t left_out;  /* files that could not be read, of what is predicted for */
	LeftOuts *lost; /* NULL, or those that are trained and evaluated without, as far as they are known */
	char **trained; /* names of classes that the weights were trained on, in order; NULL: not known */
	int trained_count;
	struct Table *table;    /* NULL, or how its columns are read (table.h) */
	struct TableRows *rows; /* NULL, or of what is predicted for: which rows of a table (table.h) */
} Dataset;

/* Where the samples are while the training goes on: decoded in memory, or in their files. */
typedef enum { STORE_AUTO, STORE_RESIDENT, STORE_STREAM } Store;

/* What the readers need to know. */
typedef struct DataRequest {
	const NnrModel *model;
	uint64_t seed;
	NnrSplit split;  /* for data without a held-out part */
	int folds, fold; /* fold `fold` of so many, from 1, is held out; 0: none */
	int threads;
	bool show_progress;
	bool want_train; /* false: a reader may leave the training part empty where the held-out part stands alone */
	bool want_targets;         /* false: targets may be absent, and all zero */
	bool want_rows;            /* of a table: what is written beside a prediction */
	bool follow_links;         /* of folders of images, out of these */
	double bad_files;          /* fraction of them that may be none that can be used */
	const char *class_folder;  /* of the training part kept elsewhere; NULL: of the data itself */
	const struct Table *table; /* how columns are read, known from elsewhere; NULL: by the data itself */
	const char *weights;       /* file of the weights that are given; NULL: a training */
	Store store;
	bool windows; /* of the original images, at random, are trained on */
	double room;  /* bytes of memory that decoded samples may take where nobody asks for either */
} DataRequest;

/* Leaves samples [first, first + count) of a part in which windows, if there are any, stand one after the other. */
void data_take_share(DataPart *part, const NnrModel *model, int64_t first, int64_t count);

/* What tries a trainer without the files that the recipe's `data` names; NULL: it names none. */
const char *data_substitute(const char *recipe);
/* Of `predict`: these files, those in these folders and in their folders of classes, whichever `paths` name. */
Dataset pictures_read(const char *const *paths, int count, const DataRequest *r);
bool synth_recognise(const char *spec); /* "synth:digits,samples=100", or "rosenbrock" as recipes say it */

/* ---- shared by the readers */
int64_t sample_elements(const NnrInput *input);
int64_t sample_bytes(const NnrInput *input);
int64_t part_bytes(const DataPart *part, const NnrModel *model, int i); /* of at[i] */
char *shape_text(const int64_t *dim, int rank);                         /* "[28, 28, 1]", malloc'd */
char *input_text(const NnrInput *input); /* "input image: u8[28, 28, 1]", malloc'd */

/* What data a model can learn of, by its inputs, as a sentence for the help of an error. */
const char *data_needed(const NnrModel *model);
/* The model's one image input and one class target, for data that consists of these; dies where it has others. A
 * model may do without the target, as an autoencoder does: *target is -1 then. `format` and `has` describe the
 * data. */
void data_image_and_class(const NnrModel *model, const char *format, const char *has, int *image,
                          int *target);
/* Dies unless input `i` is u8 of the shape [height, width, channels] (or the flat vector of as many), as the images of
 * `path` are. */
void data_check_image(const NnrModel *model, int i, const char *path, int64_t height, int64_t width,
                      int64_t channels);
/* Dies unless target `i`, if it is not -1, has exactly, or (at_least) no fewer than, the `classes` classes of `path`.
 */
void data_check_classes(const NnrModel *model, int i, const char *path, int classes, bool at_least);
/* Dies with STATUS_MEMORY where the machine has no room for as many samples. */
void data_check_room(const NnrModel *model, int64_t count);
/* Allocates the arrays of a part, for which there must be room. */
void data_allocate(DataPart *part, const NnrModel *model, int64_t count);
/* The same without the array of one input. */
void data_allocate_but(DataPart *part, const NnrModel *model, int64_t count, int input);
/* Which files its samples in memory are of. */
void data_forget_files(DataPart *part);
void data_free(DataPart *part);
void dataset_free(Dataset *d);
/* Stores a class or integer at sample `k` of input i; nothing where that is -1. */
/* One more file that can't be used; the texts are copied. */
void data_lose(Dataset *d, const char *path, const char *why);
/* Names and counts the files that turned out to be bad since the last call, while batches were made. */
void data_find_lost(Dataset *d);
void data_set_class(DataPart *part, const NnrModel *model, int i, int64_t k, int64_t value);
/* Dies with STATUS_DATA where a real input is infinite or not a number; `so` is what came of it: "the loss is not a
 * number at step 4". */
void data_check_finite(const DataPart *part, const NnrModel *model, const char *so);
/* Moves some of the training part, chosen by (seed), to an empty held-out part; of data that is no table. */
void data_hold_out(Dataset *d, const DataRequest *r);

#endif
