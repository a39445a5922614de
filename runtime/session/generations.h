/* SPDX-License-Identifier: MIT */
/* --keep K: the last K checkpoints, each under a name with its step beside the newest. */
#ifndef NNR_GENERATIONS_H
#define NNR_GENERATIONS_H

#include "runtime/session/session.h"

/* Whether `path` has the name, in whatever folder, that a generation may have. */
bool generation_is_named(const char *checkpoint, const char *path);
/* Before the checkpoint is saved: this step is the newest generation of s->kept, which the checkpoint holds. */
void generations_add(Session *s);
/* After it was saved: gives it the generation's name, too, and removes those that are more than --keep. Only files that
 * s->kept names are ever replaced or removed. False with file_failure(). */
bool generations_keep(Session *s);

#endif
