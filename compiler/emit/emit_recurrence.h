/* SPDX-License-Identifier: MIT */
/* The kernel of a recurrence, and its launch. Private to codegen/. */
#ifndef NNC_EMIT_RECURRENCE_H
#define NNC_EMIT_RECURRENCE_H

#include "emit/emit_calls.h"

/* The host function that launches it, over the step's memory `m`; adds that and the kernel to the files. */
const CFunction *recurrence_function(Emitter *e, const Program *p, const Recurrence *r);
/* The call, of all steps of the recurrence that begins at `step`, with what must be waited for ahead of any of them. */
void write_recurrence_call(Emitter *e, const Part *part, int step);
bool program_recurs(const Program *p); /* NULL: it does not */

#endif
