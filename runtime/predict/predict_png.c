/* SPDX-License-Identifier: MIT */
/* Predictions that are pictures, as one picture: side by side in rows, in the order of the samples. */
#include "runtime/host/die.h"
#include "runtime/host/png.h"
#include "runtime/session/predictions.h"
#include "runtime/host/progress.h"
#include "runtime/session/scored.h"
#include "runtime/host/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, GAP = 1 };

/* In no struct of the caller, for the end of the process asks for it. */
static struct {
	uint8_t *pixels; /* of all tiles, one after the other */
	int64_t count, height, width, channels;
	int output;
} sheet;

static void abandon(void)
{
	free(sheet.pixels);
	sheet.pixels = NULL;
}

static void begin_sheet(const Session *s, int64_t samples)
{
	sheet.output = picture_output(s->model); /* options_check.c has seen to it that there is one */
	const NnrOutput *o = &s->model->predict.outputs[sheet.output];
	sheet.count = samples < MOST ? samples : MOST;
	sheet.height = o->dim[1];
	sheet.width = o->dim[2];
	sheet.channels = picture_channels(s->model, o);
	sheet.pixels = allocate(sheet.count, sheet.height * sheet.width * sheet.channels, "the pictures");
	die_at_end(abandon);
}

/* Of 0 to 1; what is no number is black. */
static uint8_t byte_of(double x)
{
	return !(x > 0) ? 0 : x < 1 ? (uint8_t)lrint(255 * x) : UINT8_MAX;
}

void picture_bytes(const NnrModel *m, const NnrOutput *o, const char *at, int64_t k, bool spread, uint8_t *to)
{
	int classes = picture_classes(m, o);
	int64_t pixels = o->dim[1] * o->dim[2], values = pixels * o->dim[3];
	for (int64_t i = 0; classes > 0 && i < pixels; i++) {
		int class = scored_class(o, at, k * pixels + i);
		to[i] = (uint8_t)(class < 0 ? NO_CLASS : spread ? class * 255 / (classes - 1) : class);
	}
	for (int64_t i = 0; classes == 0 && i < values; i++)
		to[i] = o->dtype == NNR_U8 ? ((const uint8_t *)at)[k * values + i]
		                           : byte_of(dtype_value(at, o->dtype, k * values + i));
}

static void add_tiles(const Session *s, const char *batch, int64_t first, int64_t real)
{
	const NnrOutput *o = &s->model->predict.outputs[sheet.output];
	const char *at = prediction_output(s->model, batch, sheet.output);
	int64_t tile = sheet.height * sheet.width * sheet.channels;
	for (int64_t k = 0; k < real && first + k < sheet.count; k++)
		picture_bytes(s->model, o, at, k, true, sheet.pixels + (first + k) * tile);
}

static uint8_t *sheet_pixels(int64_t columns, int64_t height, int64_t row_bytes)
{
	int64_t line = sheet.width * sheet.channels;
	uint8_t *to = allocate(height, row_bytes, "the picture");
	for (int64_t k = 0; k < sheet.count; k++) {
		int64_t top = k / columns * (sheet.height + GAP),
		        left = k % columns * (sheet.width + GAP) * sheet.channels;
		for (int64_t i = 0; i < sheet.height; i++)
			memcpy(to + (top + i) * row_bytes + left,
			       sheet.pixels + (k * sheet.height + i) * line, (size_t)line);
	}
	return to;
}

static void end_sheet(const Session *s, int64_t samples)
{
	int64_t columns = (int64_t)ceil(sqrt((double)sheet.count)),
	        rows = (sheet.count + columns - 1) / columns;
	int64_t width = columns * (sheet.width + GAP) - GAP, height = rows * (sheet.height + GAP) - GAP,
	        length;
	uint8_t *raw = sheet_pixels(columns, height, width * sheet.channels),
	        *file = png_file(raw, height, width, (int)sheet.channels, &length);
	die_not_at_end(abandon);
	if (!file_write_new(s->options.out, file, length))
		die(STATUS_DATA, "the predictions can't be written: %s", file_failure());
	if (samples > sheet.count)
		say_note("the picture has the first %d of the %s samples", MOST, count_text((double)samples));
	free(file);
	free(raw);
	abandon();
}

const PredictionForm predictions_png = {".png", begin_sheet, add_tiles, end_sheet, abandon};
