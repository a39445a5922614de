/* Predictions that are pictures, as one picture: side by side in rows, in the order of the samples. */
#include "runtime/core/die.h"
#include "runtime/core/outputs.h"
#include "runtime/core/predictions.h"
#include "runtime/core/progress.h"
#include "runtime/core/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST = 400, GAP = 1, SIGNATURE = 8, DATA_START = 8 };

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
	const NnrProgram *p = &s->model->predict;
	sheet.output = 0;
	while (!is_picture(&p->outputs[sheet.output])) /* options_check.c has seen to it that there is one */
		sheet.output++;
	const NnrOutput *o = &p->outputs[sheet.output];
	sheet.count = samples < MOST ? samples : MOST;
	sheet.height = o->dim[1];
	sheet.width = o->dim[2];
	sheet.channels = o->dim[3];
	sheet.pixels = allocate(sheet.count, sheet.height * sheet.width * sheet.channels, "the pictures");
	die_at_end(abandon);
}

/* Of 0 to 1; what is no number is black. */
static uint8_t byte_of(float x)
{
	return !(x > 0) ? 0 : x < 1 ? (uint8_t)lrintf(255 * x) : UINT8_MAX;
}

static void add_tiles(const Session *s, const char *batch, int64_t first, int64_t real)
{
	const NnrOutput *o = &s->model->predict.outputs[sheet.output];
	const char *at = prediction_output(s->model, batch, sheet.output);
	int64_t tile = sheet.height * sheet.width * sheet.channels;
	for (int64_t k = 0; k < real && first + k < sheet.count; k++)
		for (int64_t i = 0; i < tile; i++)
			sheet.pixels[(first + k) * tile + i] =
			        o->dtype == NNR_U8 ? ((const uint8_t *)at)[k * tile + i]
			                           : byte_of(((const float *)(const void *)at)[k * tile + i]);
}

static void put_32(uint8_t *to, uint64_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * (3 - i));
}

/* The chunk at `to`, whose data stand DATA_START bytes after it already; its length in the file. */
static int64_t end_chunk(uint8_t *to, const char *kind, int64_t length)
{
	put_32(to, (uint64_t)length);
	memcpy(to + 4, kind, 4);
	put_32(to + DATA_START + length, crc32(0, to + 4, (uInt)(length + 4)));
	return length + 12;
}

/* Rows of the picture, each after the byte 0: no filter. */
static uint8_t *filtered_rows(int64_t columns, int64_t rows, int64_t height, int64_t row_bytes)
{
	int64_t line = sheet.width * sheet.channels;
	uint8_t *to = allocate(height, row_bytes + 1, "the picture");
	for (int64_t k = 0; k < sheet.count; k++) {
		int64_t top = k / columns * (sheet.height + GAP),
		        left = k % columns * (sheet.width + GAP) * sheet.channels;
		for (int64_t i = 0; i < sheet.height; i++)
			memcpy(to + (top + i) * (row_bytes + 1) + 1 + left,
			       sheet.pixels + (k * sheet.height + i) * line, (size_t)line);
	}
	return to;
}

static void end_sheet(const Session *s, int64_t samples)
{
	int64_t columns = (int64_t)ceil(sqrt((double)sheet.count)),
	        rows = (sheet.count + columns - 1) / columns;
	int64_t width = columns * (sheet.width + GAP) - GAP, height = rows * (sheet.height + GAP) - GAP,
	        row_bytes = width * sheet.channels;
	uint8_t *raw = filtered_rows(columns, rows, height, row_bytes);
	uLong raw_bytes = (uLong)(height * (row_bytes + 1));
	uLongf packed = compressBound(raw_bytes);
	uint8_t *file = allocate((int64_t)packed + 128, 1, "the picture"), *at = file + SIGNATURE,
	        *head = at + DATA_START;
	memcpy(file, "\x89PNG\r\n\x1a\n", SIGNATURE);
	put_32(head, (uint64_t)width);
	put_32(head + 4, (uint64_t)height);
	head[8] = 8; /* bits */
	head[9] = sheet.channels == 3 ? 2 : 0;
	at += end_chunk(at, "IHDR", 13);
	if (compress2(at + DATA_START, &packed, raw, raw_bytes, Z_BEST_SPEED) != Z_OK)
		die(STATUS_MEMORY, "not enough memory for the picture");
	at += end_chunk(at, "IDAT", (int64_t)packed);
	at += end_chunk(at, "IEND", 0);
	die_not_at_end(abandon);
	if (!file_write_new(s->options.out, file, at - file))
		die(STATUS_DATA, "the predictions can't be written: %s", file_failure());
	if (samples > sheet.count)
		say_note("the picture has the first %d of the %s samples", MOST, count_text((double)samples));
	free(file);
	free(raw);
	abandon();
}

const PredictionForm predictions_png = {".png", begin_sheet, add_tiles, end_sheet, abandon};
