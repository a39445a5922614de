/* SPDX-License-Identifier: MIT */
/* Events for TensorBoard: the records of the log in a file of its format.
 *
 * A file is a row of frames, each the length of its data as 8 bytes, a checksum of these, the data, and a checksum of
 * the data (TensorFlow's record_writer.cc): CRC-32C, turned and moved so that one of a text that holds one is another.
 * The data of a frame is an Event of event.proto, of which a handful of fields is enough. All numbers are
 * little-endian. */
#ifndef NNR_EVENTS_H
#define NNR_EVENTS_H

#include "runtime/host/record.h"

#include <stdbool.h>

typedef struct Events Events;

/* A new file in the folder, whatever is there. Of a resumed training, what older files have of later steps than `step`
 * counts no more. Dies with STATUS_DATA where it can't be written. */
Events *events_open(const char *folder, bool resumed, int64_t step);
/* Each number of a line under its name, at its step, `train/` or `eval/` before those of scores. NULL: nothing. */
void events_record(Events *events, const Record *r);
bool events_close(Events *events); /* whether all of it was written; frees */

#endif
