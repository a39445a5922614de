/* Pictures that the network took for another class: of `EXE predict FOLDER --out FILE.csv`, where FOLDER has a folder
 * for each class. report.h. */
#include "tools/csv.h"
#include "tools/page.h"
#include "tools/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 24, MOST_BYTES = 1 << 18 };

typedef struct Mistake {
	const char *file, *truth, *said;
	double probability;
} Mistake;

typedef ARRAY(Mistake) Mistakes;

/* The folder that the file is in, by its own name; "" where there is none. */
static const char *folder_name(Arena *a, const char *file)
{
	const char *end = strrchr(file, '/'), *start = end;
	while (start && start > file && start[-1] != '/')
		start--;
	return end ? arena_strndup(a, start, (size_t)(end - start)) : "";
}

/* By what its first bytes say; NULL: none that browsers show. */
static const char *media_type(const unsigned char *bytes, size_t n)
{
	if (n > 3 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0)
		return "image/jpeg";
	if (n > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0)
		return "image/png";
	return n > 14 && memcmp(bytes, "BM", 2) == 0 ? "image/bmp" : NULL;
}

static const char *base64(Arena *a, const unsigned char *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = arena_alloc(a, (n + 2) / 3 * 4 + 1), *out = text;
	for (size_t i = 0; i < n; i += 3) {
		unsigned value = (unsigned)bytes[i] << 16 | (i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0) |
		                 (i + 2 < n ? bytes[i + 2] : 0);
		for (int k = 0; k < 4; k++)
			*out++ = i + (size_t)k > n ? '=' : digits[value >> (18 - 6 * k) & 63];
	}
	return text;
}

/* The picture in the page itself; NULL where it can't be read, is no picture, or is too large. */
static const char *picture_data(Arena *a, const char *path)
{
	unsigned char *bytes = arena_alloc(a, MOST_BYTES + 1);
	FILE *f = fopen(path, "rbe");
	size_t n = f ? fread(bytes, 1, MOST_BYTES + 1, f) : 0;
	if (f)
		fclose(f);
	const char *type = n <= MOST_BYTES ? media_type(bytes, n) : NULL;
	return type ? arena_printf(a, "data:%s;base64,%s", type, base64(a, bytes, n)) : NULL;
}

static int surer(const void *x, const void *y)
{
	const Mistake *p = x, *q = y;
	if (p->probability != q->probability)
		return p->probability < q->probability ? 1 : -1;
	return strcmp(p->file, q->file);
}

bool report_wrong(Writer *w, Arena *a, const char *predictions, const char **why)
{
	Cells head = csv_row(a, &predictions);
	if (head.count < 3 || strcmp(head.at[0], "file") != 0 || strcmp(head.at[1], "class") != 0 ||
	    strcmp(head.at[2], "probability") != 0) {
		*why = "the predictions have no columns file, class, probability; `EXE predict FOLDER --out "
		       "FILE.csv` "
		       "writes them";
		return false;
	}
	Mistakes wrong = {0};
	int rows = 0;
	while (*predictions) {
		Cells row = csv_row(a, &predictions);
		if (row.count != head.count) {
			*why = arena_printf(a, "row %d of the predictions has %d cells, and %d are named",
			                    rows + 2, row.count, head.count);
			return false;
		}
		rows++;
		const char *truth = folder_name(a, row.at[0]);
		if (strcmp(truth, row.at[1]) != 0)
			array_push(a, &wrong, (Mistake){row.at[0], truth, row.at[1], atof(row.at[2])});
	}
	if (wrong.count == rows) {
		*why = "no prediction is right: the folder of a file is to be its class";
		return false;
	}
	page_section(w, a, "Taken for something else",
	             arena_printf(a, "%d of %d samples; those first of which the network was surest.",
	                          wrong.count, rows));
	if (wrong.count > 1)
		qsort(wrong.at, (size_t)wrong.count, sizeof *wrong.at, surer);
	write_line(w, "<div class=\"pictures\">");
	for (int i = 0, shown = 0; i < wrong.count && shown < SHOWN; i++) {
		const Mistake *m = &wrong.at[i];
		const char *data = picture_data(a, m->file);
		if (!data)
			continue;
		shown++;
		write_line(w,
		           "<figure><img src=\"%s\" alt=\"%s\"><figcaption>%s<br>taken for %s, "
		           "%.1f&#160;%%</figcaption></figure>",
		           data, page_text(a, m->file), page_text(a, m->truth), page_text(a, m->said),
		           100 * m->probability);
	}
	write_line(w, "</div>");
	return true;
}
