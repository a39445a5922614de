/* SPDX-License-Identifier: MIT */
/* What the families of losses share. */
#ifndef NNC_LOSS_H
#define NNC_LOSS_H

#include "ops/compose.h"

/* The argument `name`, of every sample. */
Node *call_batch_tensor(Call *c, const char *name);
/* The scores are for the classes that the target is declared with. False after a diagnostic, as below. */
bool loss_classes_agree(Call *c, const Node *z, const Node *labels);
/* The argument `ignore`; -1: all classes count. */
bool loss_read_ignored(Call *c, const Node *z, const Node *labels, int64_t *ignored);
/* Of the arguments `logits`, `labels` and `ignore`, the mean over the places of each sample: f32[batch]. */
Node *loss_cross_entropy(Call *c);
/* For scores or a prediction with more dimensions than what they are compared with. */
void loss_help_with_flatten(Diagnostics *d);

#endif
