/* What the families of losses share. */
#ifndef NNC_LOSS_H
#define NNC_LOSS_H

#include "ops/compose.h"

/* The argument `name`, of every sample. */
Node *call_batch_tensor(Call *c, const char *name);
/* For scores or a prediction with more dimensions than what they are compared with. */
void loss_help_with_flatten(Diagnostics *d);

#endif
