/* SPDX-License-Identifier: MIT */
/* The forms in which predictions are given: .npy files, lines of .csv or .jsonl, a picture of all pictures as .png, a
 * folder of pictures, or a table on standard output. Each is told of the batches as they come, so that predictions
 * larger than memory are no matter. A file is written beside its name and renamed when all of it is on disk: until then
 * nothing has changed. */
#ifndef NNR_PREDICTIONS_H
#define NNR_PREDICTIONS_H

#include "runtime/data/images.h"
#include "runtime/session/session.h"

typedef struct PredictionForm {
	const char *suffix; /* of --out; NULL: where none is given */
	void (*begin)(const Session *s, int64_t samples);
	/* `batch` has the outputs of NnrModel.predict for a whole batch, one after the other; its first `real` samples
	 * count: `first` is the number of the first. */
	void (*add)(const Session *s, const char *batch, int64_t first, int64_t real);
	void (*end)(const Session *s, int64_t samples);
	void (*abandon)(void); /* nothing is left of it */
} PredictionForm;

extern const PredictionForm predictions_npy, predictions_csv, predictions_jsonl, predictions_png,
        predictions_folder, predictions_table;

_Noreturn void predictions_not_written(void); /* says why by the file that failed last */

/* What a .png can show of an output: [height, width, 1 or 3] of 0 to 1, or the best class of each pixel, of scores
 * [height, width, N] for a target class[N][height, width]. */
typedef enum { NO_PICTURE, PICTURE_OF_PIXELS, PICTURE_OF_CLASSES } PictureKind;
PictureKind picture_kind(const NnrModel *m, const NnrOutput *o);
/* How many classes an output has scores of for each pixel; 0: it has none. */
int picture_classes(const NnrModel *m, const NnrOutput *o);
int picture_output(const NnrModel *m); /* the first output that is one; -1: there is none */
int64_t picture_channels(const NnrModel *m, const NnrOutput *o);
/* The bytes [height, width, channels] of sample k in the output `at` of a batch. A class is its number
 * or, `spread`, a grey value, of which the last is white. */
void picture_bytes(const NnrModel *m, const NnrOutput *o, const char *at, int64_t k, bool spread,
                   uint8_t *to);

/* What sample k is called: the file that it is of, else the name of the data and k in brackets. malloc'd. */
char *prediction_sample(const Session *s, int64_t k);
/* Why there is no prediction for sample k: its file turned out to be damaged when it was needed; NULL: there is one. */
const char *prediction_is_missing(const Session *s, int64_t k);
/* Output i in what `add` is given. */
const char *prediction_output(const NnrModel *m, const char *batch, int i);

#endif
