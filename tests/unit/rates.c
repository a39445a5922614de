/* SPDX-License-Identifier: MIT */
/* The command `find-rate`: what it tries, prints, suggests and leaves. */
#include "tests/unit/check.h"
#include "tests/unit/linear.h"

#include <glob.h>

static int files_here(void)
{
	glob_t found;
	int count = glob("*", 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
	if (count)
		globfree(&found);
	return count;
}

/* Column `column` of the row whose rate begins with `rate`; NaN: there is none. */
static double in_table(const char *said, const char *rate, int column)
{
	for (const char *at = said; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		double row[3];
		if (strncmp(at + strspn(at, " "), rate, strlen(rate)) == 0 &&
		    sscanf(at, "%lf %lf %lf", &row[0], &row[1], &row[2]) == 3)
			return row[column];
	}
	return NAN;
}

static double suggested(const char *said)
{
	const char *at = strstr(said, "suggested rate: ");
	return at ? strtod(at + 16, NULL) : NAN;
}

/* Rates rise by one factor from 1e-7 on, the first loss is that of a training, the end is where the loss has grown. */
static void sweeps(void)
{
	int before = files_here();
	CHECK(ends("--data data --steps 1 --log first.jsonl --log-every 1 --quiet", 0, ""));
	Ended e = trainer("find-rate --data data --steps 81 --quiet");
	CHECK(e.status == 0 && files_here() == before + 1);
	CHECK(fabs(in_table(e.said, "1e-07", 1) - log_value("first.jsonl", 0, "loss")) < 1e-3);
	/* 80 steps are 8 powers of ten: a row every 6 steps */
	CHECK(fabs(in_table(e.said, "3.98e-07", 0) / 3.98e-7 - 1) < 1e-3);
	CHECK(isnan(in_table(e.said, "10 ", 0)) && strstr(e.said, "  the least\n"));
	double rate = suggested(e.said);
	CHECK(rate > 1e-3 && rate < 0.5);
	/* the rate that is suggested trains, the least's tenfold does not last */
	char line[256];
	snprintf(line, sizeof line, "--data data --rate %g --epochs 8 --log at.jsonl --quiet", rate);
	CHECK(ends(line, 0, ""));
	CHECK(log_value("at.jsonl", 7, "loss") < 0.2 * log_value("first.jsonl", 0, "loss"));
	Ended again = trainer("find-rate --data data --steps 81 --quiet");
	CHECK_TEXT(again.said, e.said);
}

static void draws(void)
{
	static char text[1 << 16];
	CHECK(ends("find-rate --data data --out rate.svg --quiet", 0, "suggested rate: "));
	read_whole("rate.svg", text, sizeof text);
	CHECK(strncmp(text, "<svg ", 5) == 0 && strstr(text, "</svg>"));
	CHECK(strstr(text, "prefers-color-scheme:dark") && strstr(text, "<path class=\"mark\""));
	CHECK(strstr(text, "smoothed loss"));
	CHECK(ends("find-rate --data data --out rate.svg", 3, "replaces nothing"));
	CHECK(ends("find-rate --data data --out none/rate.svg", 3, "can't be written"));
}

static void ends_early(void)
{
	poison_at = 1;
	CHECK(ends("find-rate --data data --quiet", 5, "no finite number at the first step"));
	poison_at = 30; /* at 2.2e-5, long before the loss falls */
	Ended e = trainer("find-rate --data data --quiet");
	CHECK(e.status == 0 && isfinite(in_table(e.said, "3.68e-07", 0)) &&
	      isnan(in_table(e.said, "6.73e-05", 0)));
	poison_at = 0;
	CHECK(ends("find-rate --data data --steps 15", 2, "out of range"));
	CHECK(ends("find-rate --data data --epochs 3", 2, "it is for training"));
	CHECK(ends("--lr-find --data data", 2, "it is a command: `find-rate"));
}

int main(void)
{
	child_folder_make();
	put_data();
	sweeps();
	draws();
	ends_early();
	return check_report("unit, the search for a rate");
}
