/* What a person watching sees, on stderr: on a terminal one line that is redrawn at most ten times a second and ends
 * with the epoch; elsewhere one plain line per epoch. */
#ifndef NNR_PROGRESS_H
#define NNR_PROGRESS_H

#include "runtime/core/options.h"

double clock_seconds(void); /* monotonic */

void progress_begin(ProgressMode mode, bool quiet);
bool progress_is_live(void); /* a line that is redrawn */
void progress_clear(void);   /* takes the line away; nothing when there is none */

/* A line that stays, unless --quiet. */
void progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Redraws the line, unless it was drawn within the last tenth of a second. */
void progress_draw(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool progress_due(void); /* the next progress_draw would draw */
/* "reading images 12,345/50,000 24% eta 0:12" */
void progress_count(const char *doing, int64_t done, int64_t count, double begun);

const char *duration_text(double seconds); /* "0:12", "1:02:03"; one of four buffers */
const char *count_text(double n);          /* "12,345"; one of four buffers */

#endif
