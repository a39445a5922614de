/* The forms in which predictions are given: .npy files, lines of .csv or .jsonl, a picture of all pictures as .png, or
 * a table on standard output. Each is told of the batches as they come, so that predictions larger than memory are no
 * matter. A file is written beside its name and renamed when all of it is on disk: until then nothing has changed. */
#ifndef NNR_PREDICTIONS_H
#define NNR_PREDICTIONS_H

#include "runtime/core/session.h"

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
        predictions_table;

/* [height, width, 1 or 3] of a sample: what a .png can show. */
static inline bool is_picture(const NnrOutput *o)
{
	bool bytes = o->dtype == NNR_F32 || o->dtype == NNR_U8;
	return bytes && o->rank == 4 && (o->dim[3] == 1 || o->dim[3] == 3);
}

/* What sample k is called: the file that it is of, else the name of the data and k in brackets. malloc'd. */
char *prediction_sample(const Session *s, int64_t k);
/* Why there is no prediction for sample k: its file turned out to be damaged when it was needed; NULL: there is one. */
const char *prediction_is_missing(const Session *s, int64_t k);
/* Output i in what `add` is given. */
const char *prediction_output(const NnrModel *m, const char *batch, int i);

#endif
