/* SPDX-License-Identifier: MIT */
/* The value that scores the classes of a sample, or of each place of one, and what people are told of it: which class,
 * how probable, its name. The functions below hold for a model that has one (NnrModel.scored). */
#ifndef NNR_SCORED_H
#define NNR_SCORED_H

#include "runtime/data/data.h"

/* NULL: `p` has no such value. */
const NnrOutput *scored_output(const NnrModel *m, const NnrProgram *p);
int scored_classes(const NnrModel *m);
/* Of a sample, each with a class of its own: 1, or the length of a sequence, the pixels of a picture. */
int64_t scored_places(const NnrModel *m);
bool scored_pixels(const NnrModel *m);      /* they are those of a picture: [batch, height, width, classes] */
const char *scored_unit(const NnrModel *m); /* what has a class: "sample", "pixel" or "place" */
int scored_target(const NnrModel *m);       /* the input that has the class of each sample; -1: none has */

typedef struct Choice {
	int class;          /* -1: a score is no number, so that none is above the others */
	double probability; /* NaN then, and where the largest score is infinite */
} Choice;

/* The `count` best of the scores of place `place`, the best first, of equal ones the lower class. `scores` may be a
 * whole batch: place 0 of sample k is its place k * scored_places(m). */
void scored_best(const NnrModel *m, const char *scores, int64_t place, NnrDType dtype, int count,
                 Choice *best);

/* The best class alone, without its probability: of pictures there are many places. -1 as above. Of any output whose
 * last axis is classes. */
int scored_class(const NnrOutput *o, const char *scores, int64_t place);

/* What class `i` is called: as the weights' file says, else as the data does, else by its number. To `text`, or a text
 * that stays with the data. */
enum { CLASS_NUMBER_BYTES = 16 };
const char *scored_name(const NnrModel *m, const Dataset *d, int i, char text[CLASS_NUMBER_BYTES]);
enum { CLASS_SHOWN_BYTES = 256 };
/* The same fit for a terminal; spaces, of a text's characters, in quotes. */
void scored_shown(const NnrModel *m, const Dataset *d, int i, char shown[CLASS_SHOWN_BYTES]);

#endif
