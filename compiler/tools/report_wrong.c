/* SPDX-License-Identifier: MIT */
/* Pictures that the network took for another class: of `EXE predict FOLDER --out FILE.csv`, where FOLDER has a folder
 * for each class; or of `EXE eval --mistakes FILE.csv`, which has the pictures in it. report.h. */
#include "tools/csv.h"
#include "tools/page.h"
#include "tools/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 24, MOST_BYTES = 1 << 18 };

typedef struct Mistake {
	const char *file, *truth, *said;
	double probability;
	const char *picture; /* "data:image/png;base64,..."; NULL: of the file */
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

/* "x.npy[12]": a sample of data that lies in no file of its own. */
static bool is_of_an_array(const char *file)
{
	const char *open = strrchr(file, '[');
	size_t digits = open ? strspn(open + 1, "0123456789") : 0;
	return digits > 0 && strcmp(open + 1 + digits, "]") == 0;
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

/* The picture in the page itself; NULL, and `why`, where it can't be read, is no picture, or is too large. `bytes` has
 * room for MOST_BYTES + 1. */
static const char *picture_data(Arena *a, const char *path, unsigned char *bytes, const char **why)
{
	FILE *f = fopen(path, "rbe");
	size_t n = f ? fread(bytes, 1, MOST_BYTES + 1, f) : 0;
	bool read = f && !ferror(f);
	if (!read)
		*why = arena_printf(a,
		                    "can't be read from here: %s; its path is taken from the folder in which "
		                    "nnc is started",
		                    strerror(errno));
	else if (n > MOST_BYTES)
		*why = "is larger than 256 KiB";
	else if (!media_type(bytes, n))
		*why = "is no JPEG, PNG or BMP file";
	if (f)
		fclose(f);
	return *why ? NULL : arena_printf(a, "data:%s;base64,%s", media_type(bytes, n), base64(a, bytes, n));
}

static int surer(const void *x, const void *y)
{
	const Mistake *p = x, *q = y;
	if (p->probability != q->probability)
		return p->probability < q->probability ? 1 : -1;
	return strcmp(p->file, q->file);
}

static void write_figure(Writer *w, Arena *a, const Mistake *m, const char *picture)
{
	write_text(w, "<figure>");
	if (picture)
		write_text(w, "<img src=\"%s\" alt=\"%s\">", picture, page_text(a, m->file));
	write_text(w, "<figcaption>");
	if (!picture)
		write_text(w, "%s<br>", page_text(a, m->file));
	write_line(w, "%s<br>taken for %s, %.1f&#160;%%</figcaption></figure>", page_text(a, m->truth),
	           page_text(a, m->said), 100 * m->probability);
}

/* The first that can be shown, and a line on those before them whose file can't; a sample that is no picture has its
 * words alone. */
static void write_pictures(Writer *w, Arena *a, const Mistakes *wrong, Diagnostics *d)
{
	unsigned char *bytes = arena_alloc(a, MOST_BYTES + 1);
	const char *missing = NULL;
	int shown = 0, left_out = 0;
	write_line(w, "<div class=\"pictures\">");
	for (int i = 0; i < wrong->count && shown < SHOWN; i++) {
		const Mistake *m = &wrong->at[i];
		const char *why = NULL, *data = m->picture;
		if (!data && !is_of_an_array(m->file))
			data = picture_data(a, m->file, bytes, &why);
		if (why) {
			missing = missing ? missing : arena_printf(a, "`%s` %s", printable(a, m->file), why);
			left_out++;
			continue;
		}
		shown++;
		write_figure(w, a, m, data);
	}
	write_line(w, "</div>");
	if (!missing)
		return;
	write_line(w, "<p>%d of these pictures can't be shown. The first: %s.</p>", left_out,
	           page_text(a, missing));
	diag_warning(d, loc_none(), "picture-missing", "%s", missing);
	if (left_out > 1)
		diag_note(d, loc_none(), "%d pictures are left out of the page; this is the first", left_out);
}

/* Text that can't end the attribute it is put into, or ask for anything. */
static bool is_png_data(const char *text)
{
	static const char begin[] = "data:image/png;base64,";
	return strncmp(text, begin, sizeof begin - 1) == 0 &&
	       text[sizeof begin - 1 +
	            strspn(text + sizeof begin - 1,
	                   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")] == 0;
}

bool report_wrong(Writer *w, Arena *a, const char *predictions, Diagnostics *d, const char **why)
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
	bool mistakes =
	        head.count == 5 && strcmp(head.at[3], "truth") == 0 && strcmp(head.at[4], "picture") == 0;
	int rows = 0, known = 0;
	while (*predictions) {
		Cells row = csv_row(a, &predictions);
		if (row.count != head.count) {
			*why = arena_printf(a, "row %d of the predictions has %d cells, and %d are named",
			                    rows + 2, row.count, head.count);
			return false;
		}
		rows++;
		if (!mistakes && is_of_an_array(row.at[0]))
			continue; /* no folder says its class */
		known++;
		const char *truth = mistakes ? row.at[3] : folder_name(a, row.at[0]),
		           *picture = mistakes && is_png_data(row.at[4]) ? row.at[4] : NULL;
		if (strcmp(truth, row.at[1]) != 0)
			array_push(a, &wrong,
			           (Mistake){row.at[0], truth, row.at[1], atof(row.at[2]), picture});
	}
	if (rows == 0 && !mistakes) {
		*why = "the predictions have no row below the names of the columns";
		return false;
	}
	if (known == 0 && !mistakes)
		return true;
	page_section(
	        w, a, "Taken for something else",
	        mistakes ? "Those first of which the network was surest."
	                 : arena_printf(a, "%d of %d samples; those first of which the network was surest.%s",
	                                wrong.count, known,
	                                wrong.count == known
	                                        ? " None is right: is the folder of each picture its class?"
	                                        : ""));
	if (wrong.count > 1)
		qsort(wrong.at, (size_t)wrong.count, sizeof *wrong.at, surer);
	write_pictures(w, a, &wrong, d);
	return true;
}
