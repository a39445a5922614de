/* SPDX-License-Identifier: MIT */
/* What happens when a loss is no number any more: --on-nan, and where it was first seen.
 *
 * A copy of parameters and states is kept in the host's memory, taken now and then as its cost allows. All random
 * numbers are functions of seed and step, so from the copy the steps up to the bad one are run again, one by one, to
 * find the first that leaves anything that is not finite: weights may have been infinite for some steps before the loss
 * was. */
#ifndef NNR_RESCUE_H
#define NNR_RESCUE_H

#include "runtime/session/session.h"

typedef enum { ON_NAN_STOP, ON_NAN_SKIP, ON_NAN_ROLLBACK } OnNan;

typedef struct Rescue Rescue;

/* NULL where no copy is kept: the policy can do without, and it would be large. */
Rescue *rescue_new(const Session *s);
void rescue_free(Rescue *r, const Session *s); /* NULL: nothing */
/* Between two steps: takes a copy where the last one is old enough for its cost, at most 0.5 % of the time, not to
 * matter. What is not finite is not copied. */
void rescue_keep(Rescue *r, Session *s);
/* The loss of the last step is no number, or a weight is not finite. The session then stands before the first bad step,
 * which is `step`: its number, counted from 1; 0 where it did not come again, or there is no copy. */
int64_t rescue_go_back(Rescue *r, Session *s);
/* Runs the step there, and says what of it was first not finite: "first in conv_relu_8x28x28x16 (mnist_cnn.net:12)",
 * malloc'd; NULL where that can't be told. */
char *rescue_name(Rescue *r, Session *s);
/* The training goes on from elsewhere: what was kept is none of it. NULL: nothing. */
void rescue_forget(Rescue *r);
/* After go_back and, perhaps, name: passes over the step. */
void rescue_skip(Rescue *r, Session *s);

#endif
