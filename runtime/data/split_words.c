/* SPDX-License-Identifier: MIT */
/* How a split is written, for options and messages. */
#include "runtime/host/die.h"
#include "runtime/data/split.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* By NnrSplitKind: how it is written, and what it is. */
static const struct {
	const char *word, *meaning;
	bool column;
} kinds[] = {
        [NNR_SPLIT_SHARE] = {"", "", false},
        [NNR_SPLIT_STRATIFIED] = {"stratified", " of each class", false},
        [NNR_SPLIT_COLUMN] = {"column=", " as the column says: ", true},
        [NNR_SPLIT_GROUP] = {"group=", " by groups, whose column is ", true},
        [NNR_SPLIT_TIME] = {"time=", ", the latest by the column ", true},
};

bool split_parse(const char *text, NnrSplit *split)
{
	char *end;
	const double share = strtod(text, &end);
	if (end != text) {
		if (!(share >= 0 && share <= 0.9) || (*end && *end != ','))
			return false;
		split->share = share;
		if (!*end)
			return true;
		text = end + 1;
	}
	for (size_t i = NNR_SPLIT_STRATIFIED; i < sizeof kinds / sizeof *kinds; i++) {
		const size_t n = strlen(kinds[i].word);
		if (strncmp(text, kinds[i].word, n) != 0 || !text[n] == kinds[i].column)
			continue;
		split->by = (NnrSplitKind)i;
		split->column = kinds[i].column ? text + n : NULL;
		return true;
	}
	return false;
}

char *split_text(const NnrSplit *split)
{
	char *column = split->column ? text_printf("`%s`", split->column) : text_printf("%s", "");
	char *text = split->by == NNR_SPLIT_COLUMN
	                     ? text_printf("as the column %s says", column)
	                     : text_printf("%g%s%s", split->share, kinds[split->by].meaning, column);
	free(column);
	return text;
}

bool split_takes_column(const NnrSplit *split)
{
	return split->by == NNR_SPLIT_COLUMN || split->by == NNR_SPLIT_GROUP;
}

int split_side(const char *text)
{
	static const char *const words[2][12] = {{"train", "training", "0", "false", "no"},
	                                         {"test", "testing", "val", "valid", "validation", "dev",
	                                          "eval", "held_out", "holdout", "1", "true", "yes"}};
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < 12 && words[side][i]; i++)
			if (strcasecmp(text, words[side][i]) == 0)
				return side;
	return -1;
}
