/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 63 }; /* longer words get no suggestion */

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau-Levenshtein distance in its "optimal string alignment" form: insert, delete, replace, swap neighbours. Upper
 * and lower case are the same, for those who write ReLU and Conv2d. */
static int edit_distance(const char *a, int m, const char *b, int n)
{
	int rows[3][WORD_MAX + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];
	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 1; i <= m; i++) {
		int *free_row = before;
		before = last;
		last = row;
		row = free_row;
		row[0] = i;
		for (int j = 1; j <= n; j++) {
			int replaced = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
			row[j] = min_int(replaced, 1 + min_int(last[j], row[j - 1]));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				row[j] = min_int(row[j], before[j - 2] + 1);
		}
	}
	return row[n];
}

const char *nearest_word(const char *word, const char *const *candidates, int count)
{
	const char *best = NULL;
	int best_distance = 4;
	size_t length = strlen(word);
	for (int i = 0; i < count && length <= WORD_MAX; i++) {
		size_t other = strlen(candidates[i]);
		if (other > WORD_MAX)
			continue;
		int longer = (int)(length > other ? length : other);
		int allowed = longer < 6 ? 1 : longer < 9 ? 2 : 3;
		int distance = edit_distance(word, (int)length, candidates[i], (int)other);
		/* Few mistype the first letter: f32 is fp32, not tf32. */
		bool nearer = distance < best_distance ||
		              (best && distance == best_distance && same_letter(*word, *candidates[i]) &&
		               !same_letter(*word, *best));
		/* A word of one letter is not a misspelling of every other one. */
		if (distance <= allowed && distance < longer && nearer) {
			best = candidates[i];
			best_distance = distance;
		}
	}
	return best;
}
