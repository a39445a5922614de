/* SPDX-License-Identifier: MIT */
/* The table of --time-report: see times.h. */
#include "base/times.h"

#include "base/array.h"
#include "base/writer.h"

#include <stdint.h>
#include <time.h>

typedef struct TimeRow {
	const char *phase;
	double ms;
	int64_t bytes;
} TimeRow;

struct Times {
	Arena *arena;
	ARRAY(TimeRow) rows;
	int64_t bytes; /* of all rows */
};

Times *times_new(Arena *a)
{
	Times *times = NEW(a, Times);
	times->arena = a;
	return times;
}

double times_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double times_lap(Times *times, const char *phase, double start)
{
	double now = times_now();
	if (!times)
		return now;
	int64_t bytes = (int64_t)arena_bytes_of_all() - times->bytes;
	times->bytes += bytes;
	for (int i = 0; i < times->rows.count; i++) {
		if (strcmp(times->rows.at[i].phase, phase) == 0) {
			times->rows.at[i].ms += now - start;
			times->rows.at[i].bytes += bytes;
			return now;
		}
	}
	array_push(times->arena, &times->rows, (TimeRow){phase, now - start, bytes});
	return now;
}

char *times_text(const Times *times)
{
	Writer *w = writer_new(times->arena);
	double total = 0;
	for (int i = 0; i < times->rows.count; i++)
		total += times->rows.at[i].ms;
	for (int i = 0; i < times->rows.count; i++)
		write_line(w, "%-16s %8.2f ms %5.1f %% %7.1f MiB", times->rows.at[i].phase,
		           times->rows.at[i].ms, 100 * times->rows.at[i].ms / total,
		           (double)times->rows.at[i].bytes / (1 << 20));
	write_line(w, "%-16s %8.2f ms         %7.1f MiB", "total", total, (double)times->bytes / (1 << 20));
	return (char *)writer_text(w, NULL);
}
