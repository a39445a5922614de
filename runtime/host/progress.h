/* SPDX-License-Identifier: MIT */
/* What a person watching sees, on stderr: on a terminal one line that is redrawn at most ten times a second and ends
 * with the epoch; elsewhere, and where TERM is "dumb", plain lines: one per epoch, and one when nothing was said for
 * half a minute. */
#ifndef NNR_PROGRESS_H
#define NNR_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { PROGRESS_AUTO, PROGRESS_PLAIN, PROGRESS_NONE } ProgressMode;

double clock_seconds(void);     /* monotonic */
double processor_seconds(void); /* that the threads of this process ran */

void progress_begin(ProgressMode mode, bool quiet);
void progress_clear(void); /* takes the line away; nothing when there is none */

/* A line that stays, unless --quiet. */
void progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Redraws the line, cut to the terminal, or says it plainly; unless it is too early (progress_due). */
void progress_draw(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool progress_due(void); /* the next progress_draw would draw */

/* Of a line that is redrawn; an empty text is none. */
typedef struct ProgressPiece {
	const char *text;
	int rank; /* what a narrow terminal has no room for is left out, the highest rank first; 0 stays */
} ProgressPiece;

/* The same of pieces, with two blanks between. */
void progress_draw_pieces(const ProgressPiece *pieces, int count);
/* What of them is shown in `width` columns; into `line` of `room` bytes. */
void progress_fit(const ProgressPiece *pieces, int count, int width, char *line, int64_t room);
/* "reading images 12,345/50,000 24% eta 0:12" */
void progress_count(const char *doing, int64_t done, int64_t count, double begun);

const char *duration_text(double seconds); /* "0:12", "1:02:03"; one of four buffers */
const char *count_text(double n);          /* "12,345"; one of four buffers */

#endif
