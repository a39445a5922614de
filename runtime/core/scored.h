/* The value that scores the classes of a sample, and what people are told of it: which class, how probable, its name.
 * The functions below hold for a model that has one (NnrModel.scored). */
#ifndef NNR_SCORED_H
#define NNR_SCORED_H

#include "runtime/core/data.h"

/* NULL: `p` has no such value. */
const NnrOutput *scored_output(const NnrModel *m, const NnrProgram *p);
int scored_classes(const NnrModel *m);
int scored_target(const NnrModel *m); /* the input that has the class of each sample; -1: none has */

typedef struct Choice {
	int class;          /* -1: a score is no number, so that none is above the others */
	double probability; /* NaN then */
} Choice;

/* The `count` best of one sample's scores, the best first, of equal ones the lower class. */
void scored_best(const NnrModel *m, const char *scores, NnrDType dtype, int count, Choice *best);

/* What class `i` is called: as the weights' file says, else as the data does, else by its number. To `text`, or a text
 * that stays with the data. */
enum { CLASS_NUMBER_BYTES = 16 };
const char *scored_name(const NnrModel *m, const Dataset *d, int i, char text[CLASS_NUMBER_BYTES]);

#endif
