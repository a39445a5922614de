/* SPDX-License-Identifier: MIT */
#include "runtime/host/progress.h"
#include "runtime/host/die.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct {
	bool live, silent, drawn;
	double last; /* when the line was drawn, or another said */
} state = {.silent = true};

void progress_begin(ProgressMode mode, bool quiet)
{
	state.silent = quiet || mode == PROGRESS_NONE;
	const char *term = getenv("TERM");
	bool dumb = term && strcmp(term, "dumb") == 0; /* it knows no escapes */
	state.live = !state.silent && mode == PROGRESS_AUTO && !dumb && isatty(STDERR_FILENO);
	state.last = clock_seconds();
	die_set_clear(progress_clear);
}

void progress_clear(void)
{
	if (state.drawn)
		fputs("\r\033[K", stderr);
	state.drawn = false;
}

void progress_say(const char *format, ...)
{
	if (state.silent)
		return;
	progress_clear();
	char raw[1024], fit[2048];
	va_list args;
	va_start(args, format);
	vsnprintf(raw, sizeof raw, format, args);
	va_end(args);
	text_printable(fit, sizeof fit, raw);
	fprintf(stderr, "%s\n", fit);
	state.last = clock_seconds();
}

bool progress_due(void)
{
	static const double redrawn = 0.1, plain = 30; /* seconds */
	return !state.silent && clock_seconds() - state.last >= (state.live ? redrawn : plain);
}

static int terminal_width(void)
{
	struct winsize size;
	bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 8;
	return known ? size.ws_col - 1 : 79; /* a line that wraps could not be taken away */
}

static void draw(const char *line)
{
	fprintf(stderr, "\r%.*s\033[K", terminal_width(), line);
	fflush(stderr);
	state.drawn = true;
	state.last = clock_seconds();
}

void progress_draw(const char *format, ...)
{
	if (!progress_due())
		return;
	char line[512];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (state.live)
		draw(line);
	else
		progress_say("%s", line);
}

/* Of the pieces up to that rank; returns the columns. */
static int join(const ProgressPiece *pieces, int count, int rank, char *line, int64_t room)
{
	int columns = 0;
	line[0] = 0;
	for (int i = 0; i < count; i++) {
		if (!pieces[i].text[0] || pieces[i].rank > rank)
			continue;
		int64_t used = columns < room ? columns : room - 1;
		columns += snprintf(line + used, (size_t)(room - used), "%s%s", columns ? "  " : "",
		                    pieces[i].text);
	}
	return columns;
}

void progress_fit(const ProgressPiece *pieces, int count, int width, char *line, int64_t room)
{
	int rank = 0;
	for (int i = 0; i < count; i++)
		rank = pieces[i].rank > rank ? pieces[i].rank : rank;
	while (join(pieces, count, rank, line, room) > width && rank > 0)
		rank--;
}

void progress_draw_pieces(const ProgressPiece *pieces, int count)
{
	char line[2048];
	if (!progress_due())
		return;
	progress_fit(pieces, count, state.live ? terminal_width() : (int)sizeof line, line, sizeof line);
	if (state.live)
		draw(line);
	else
		progress_say("%s", line);
}

void progress_count(const char *doing, int64_t done, int64_t count, double begun)
{
	if (!progress_due())
		return;
	double seconds = clock_seconds() - begun;
	double left = done > 0 ? seconds * (double)(count - done) / (double)done : 0;
	progress_draw("%s %s/%s  %d%%  eta %s", doing, count_text((double)done), count_text((double)count),
	              (int)(100.0 * (double)done / (double)count), duration_text(left));
}

const char *duration_text(double seconds)
{
	static char buffers[4][32];
	static int turn;
	char *out = buffers[turn++ % 4];
	long long s = seconds > 0 && seconds < 1e12 ? llround(seconds) : 0;
	if (s >= 3600)
		snprintf(out, sizeof buffers[0], "%lld:%02d:%02d", s / 3600, (int)(s / 60 % 60),
		         (int)(s % 60));
	else
		snprintf(out, sizeof buffers[0], "%d:%02d", (int)(s / 60), (int)(s % 60));
	return out;
}

const char *count_text(double n)
{
	static char buffers[4][40];
	static int turn;
	char digits[32], *out = buffers[turn++ % 4], *at = out;
	int length = snprintf(digits, sizeof digits, "%.0f", n < 1e18 ? n : 1e18);
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0 && digits[i - 1] != '-')
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = 0;
	return out;
}
