/* SPDX-License-Identifier: MIT */
#include "runtime/report/mistakes.h"
#include "runtime/data/augment.h"
#include "runtime/host/csv.h"
#include "runtime/report/curves.h"
#include "runtime/host/die.h"
#include "runtime/data/image_files.h"
#include "runtime/host/png.h"
#include "runtime/session/predictions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mistakes_add(Mistakes *list, int64_t sample, int is, Choice taken)
{
	int place = list->count;
	while (place > 0 && list->at[place - 1].probability < taken.probability)
		place--;
	if (place == MISTAKES_KEPT)
		return;
	list->count += list->count < MISTAKES_KEPT;
	memmove(&list->at[place + 1], &list->at[place],
	        (size_t)(list->count - 1 - place) * sizeof list->at[0]);
	list->at[place] = (Mistake){sample, is, taken.class, taken.probability};
}

/* ---- the picture of a sample */

/* Height, width and channels of what can be shown: [h, w, 1 or 3] or [h, w], of bytes or of reals. */
static bool shown_shape(const NnrInput *in, int64_t shape[3])
{
	if (in->is_target || in->classes > 0 || (in->dtype != NNR_U8 && in->dtype != NNR_F32))
		return false;
	if (in->rank != 3 && in->rank != 4)
		return false;
	shape[0] = in->dim[1];
	shape[1] = in->dim[2];
	shape[2] = in->rank == 4 ? in->dim[3] : 1;
	return (shape[2] == 1 || shape[2] == 3) && shape[0] > 1 && shape[1] > 1;
}

/* From the least to the largest of the sample: how they were scaled is not known. */
static void bytes_of_reals(const float *x, int64_t n, uint8_t *to)
{
	float least = INFINITY, most = -INFINITY;
	for (int64_t i = 0; i < n; i++) {
		least = fminf(least, x[i]);
		most = fmaxf(most, x[i]);
	}
	for (int64_t i = 0; i < n; i++)
		to[i] = most > least && isfinite(x[i])
		                ? (uint8_t)lrintf(255 * (x[i] - least) / (most - least))
		                : 0;
}

/* False: its file can't be read any more. */
static bool read_pixels(const Session *s, int input, int64_t sample, uint8_t *to)
{
	const DataPart *part = &s->data.held_out;
	const NnrInput *in = &s->model->inputs[input];
	int64_t n = sample_elements(in);
	if (part->files && input == part->files_input) {
		View view = {.shorter = s->model->shorter_side, .rows = in->dim[1], .columns = in->dim[2]};
		return !image_files_sample(part->files, sample, view_window, &view, to);
	}
	const char *from = part->at[input] + sample * sample_bytes(in);
	if (in->dtype == NNR_U8)
		memcpy(to, from, (size_t)n);
	else
		bytes_of_reals((const float *)(const void *)from, n, to);
	return true;
}

/* malloc'd; NULL: it has none. */
static char *picture_of(const Session *s, int64_t sample)
{
	const NnrModel *m = s->model;
	int64_t shape[3] = {0};
	int input = 0;
	while (input < m->input_count && !shown_shape(&m->inputs[input], shape))
		input++;
	if (input == m->input_count || s->data.held_out.window > 0)
		return NULL;
	uint8_t *pixels = allocate(sample_elements(&m->inputs[input]), 1, "a picture");
	char *picture = read_pixels(s, input, sample, pixels)
	                        ? png_data(pixels, shape[0], shape[1], (int)shape[2])
	                        : NULL;
	free(pixels);
	return picture;
}

/* ---- the two forms */

void mistakes_csv(const Mistakes *list, const Session *s, FILE *to)
{
	char number[CLASS_NUMBER_BYTES];
	fputs("file,class,probability,truth,picture\n", to);
	for (int i = 0; i < list->count; i++) {
		const Mistake *x = &list->at[i];
		char *name = prediction_sample(s, x->sample), *picture = picture_of(s, x->sample);
		csv_put(to, name);
		fputc(',', to);
		csv_put(to, scored_name(s->model, &s->data, x->taken, number));
		fprintf(to, ",%.6g,", x->probability);
		csv_put(to, scored_name(s->model, &s->data, x->is, number));
		fprintf(to, ",\"%s\"\n", picture ? picture : "");
		free(name);
		free(picture);
	}
}

void mistakes_html(const Mistakes *list, const Session *s, FILE *to)
{
	char number[CLASS_NUMBER_BYTES];
	fputs("<h3>Taken for something else</h3>\n<p>Those first of which the network was surest.</p>\n"
	      "<div class=\"pictures\">\n",
	      to);
	for (int i = 0; i < list->count; i++) {
		const Mistake *x = &list->at[i];
		char *name = prediction_sample(s, x->sample), *picture = picture_of(s, x->sample);
		fputs("<figure>", to);
		if (picture) {
			fprintf(to, "<img src=\"%s\" alt=\"", picture);
			svg_put_text(to, name);
			fputs("\">", to);
		}
		fputs("<figcaption>", to);
		svg_put_text(to, scored_name(s->model, &s->data, x->is, number));
		fputs("<br>taken for ", to);
		svg_put_text(to, scored_name(s->model, &s->data, x->taken, number));
		fprintf(to, ", %.1f&#160;%%</figcaption></figure>\n", 100 * x->probability);
		free(name);
		free(picture);
	}
	fputs("</div>\n", to);
}
