/* SPDX-License-Identifier: MIT */
/* What people are shown: texts fit for a terminal, and the class that scores say. */
#include "runtime/host/die.h"
#include "runtime/session/scored.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

/* Letters and signs of all scripts as they are; bytes of what is no UTF-8, steers a terminal or turns its direction. */
static void printable(void)
{
	static const char *const texts[][2] = {
	        {"a\n\x7f", "a\\x0A\\x7F"},
	        {"\xc3\xa9\xe2\x80\x93\xe2\x82\xac\xf0\x9f\x98\x80",
	         "\xc3\xa9\xe2\x80\x93\xe2\x82\xac\xf0\x9f\x98\x80"},
	        {"\xe2\x80\xae|\xc2\x9b|\xef\xbb\xbf", "\\xE2\\x80\\xAE|\\xC2\\x9B|\\xEF\\xBB\\xBF"},
	        {"\xe2\x82", "\\xE2\\x82"},
	        {"\xed\xa0\x80", "\\xED\\xA0\\x80"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char out[64];
		text_printable(out, sizeof out, texts[i][0]);
		CHECK_TEXT(out, texts[i][1]);
	}
	char out[4];
	text_printable(out, sizeof out, "ab\xc3\xa9");
	CHECK_TEXT(out, "ab");
}

static void append(void)
{
	char *text = text_printf("%s", "");
	text_append(&text, "%d", 1);
	text_append(&text, "%s", "");
	text_append(&text, ", %s", "two");
	CHECK_TEXT(text, "1, two");
	free(text);
}

/* The class of a place is the one that the metric takes for it; a probability is none where softmax has none. */
static void best_classes(void)
{
	static const NnrOutput outputs[] = {
	        {.name = "scores", .kind = NNR_VALUE, .dtype = NNR_F32, .rank = 2, .dim = {1, 3}}};
	const NnrModel m = {.batch = 1,
	                    .scored = {.output = "scores"},
	                    .evaluate = {.outputs = outputs, .output_count = 1},
	                    .predict = {.outputs = outputs, .output_count = 1}};
	static const struct {
		float score[3];
		int class, second;
		double probability;
	} rows[] = {
	        {{0, 0.6931472f, 0}, 1, 0, 0.5},   {{1, 1, -INFINITY}, 0, 1, 0.5},
	        {{0, INFINITY, 5}, 1, 2, NAN},     {{-INFINITY, -INFINITY, -INFINITY}, 0, 1, NAN},
	        {{0, NAN, INFINITY}, -1, -1, NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *scores = (const char *)rows[i].score;
		Choice best[2];
		scored_best(&m, scores, 0, NNR_F32, 2, best);
		CHECK(scored_class(outputs, scores, 0) == rows[i].class);
		CHECK(best[0].class == rows[i].class && best[1].class == rows[i].second);
		CHECK(isnan(rows[i].probability) ? isnan(best[0].probability)
		                                 : fabs(best[0].probability - rows[i].probability) < 1e-6);
	}
}

int main(void)
{
	printable();
	append();
	best_classes();
	return check_report("unit, what is shown");
}
