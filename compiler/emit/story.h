/* SPDX-License-Identifier: MIT */
/* What became one kernel, layer by layer: the text of -Rfusion. */
#ifndef NNC_STORY_H
#define NNC_STORY_H

#include "base/map.h"
#include "ir/program.h"

/* By phase, a paragraph for each kind of kernel: the layers it is of, how many operators became one, how many bytes
 * that spares, and what it was not joined to. Copies of a block are one paragraph. `what` is "training"; `unjoined`:
 * PassContext.unjoined, or NULL. In `a`. */
char *fusion_story(Arena *a, const Program *p, const char *what, const Map *unjoined);

#endif
