/* SPDX-License-Identifier: MIT */
#include "runtime/session/scored.h"
#include "runtime/host/die.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int scored_target(const NnrModel *m)
{
	for (int i = 0; m->scored.output && m->scored.target && i < m->input_count; i++)
		if (strcmp(m->inputs[i].name, m->scored.target) == 0)
			return i;
	return -1;
}

/* The best class that comes after `above` in the order of falling scores and, among equal ones, rising classes. */
static int next_best(const char *scores, NnrDType dtype, int classes, int above)
{
	int best = -1;
	for (int i = 0; i < classes; i++) {
		double score = dtype_value(scores, dtype, i),
		       limit = above < 0 ? INFINITY : dtype_value(scores, dtype, above);
		bool is_left = above < 0 || score < limit || (score == limit && i > above);
		if (is_left && (best < 0 || score > dtype_value(scores, dtype, best)))
			best = i;
	}
	return best;
}

static double score_at(const NnrOutput *o, const char *scores, int64_t i)
{
	return o->dtype == NNR_F32 ? ((const float *)(const void *)scores)[i]
	                           : dtype_value(scores, o->dtype, i);
}

int scored_class(const NnrOutput *o, const char *scores, int64_t place)
{
	const int classes = (int)o->dim[o->rank - 1];
	const int64_t first = place * classes;
	double most = score_at(o, scores, first);
	int best = 0;
	for (int i = 0; i < classes; i++) {
		const double score = score_at(o, scores, first + i);
		if (isnan(score))
			return -1;
		if (score > most) {
			most = score;
			best = i;
		}
	}
	return best;
}

/* softmax as PyTorch computes it, in double: exp(z - max) over its sum. */
void scored_best(const NnrModel *m, const char *scores, int64_t place, NnrDType dtype, int count,
                 Choice *best)
{
	int classes = scored_classes(m), above = -1;
	scores += place * classes * dtype_bytes(dtype);
	double most = -INFINITY, sum = 0;
	for (int i = 0; i < classes; i++)
		most = fmax(most, dtype_value(scores, dtype, i));
	bool numbers = true;
	for (int i = 0; i < classes; i++) {
		double score = dtype_value(scores, dtype, i);
		numbers = numbers && !isnan(score);
		sum += exp(score - most);
	}
	for (int k = 0; k < count; k++) {
		best[k] = (Choice){-1, NAN};
		if (!numbers)
			continue;
		above = next_best(scores, dtype, classes, above);
		double score = dtype_value(scores, dtype, above);
		best[k] = (Choice){above, m->scored.softmaxed ? score
		                          : isfinite(most)    ? exp(score - most) / sum
		                                              : NAN};
	}
}

const char *scored_name(const NnrModel *m, const Dataset *d, int i, char text[CLASS_NUMBER_BYTES])
{
	int classes = scored_classes(m);
	if (i < d->trained_count && d->trained_count <= classes)
		return d->trained[i];
	if (i < d->class_count && d->class_count <= classes && !d->some_classes && d->trained_count == 0)
		return d->classes[i];
	snprintf(text, CLASS_NUMBER_BYTES, "%d", i);
	return text;
}

void scored_shown(const NnrModel *m, const Dataset *d, int i, char shown[CLASS_SHOWN_BYTES])
{
	char number[CLASS_NUMBER_BYTES];
	const char *name = scored_name(m, d, i, number);
	bool blank = name[strspn(name, " ")] == 0;
	text_printable(shown + blank, CLASS_SHOWN_BYTES - 2, name);
	if (blank) {
		shown[0] = '"';
		strcat(shown, "\"");
	}
}
