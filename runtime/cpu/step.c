/* SPDX-License-Identifier: MIT */
/* Who listens to a training step (nnr_step.h). */
#include "nnr_step.h"

#include <stddef.h>

void (*nnr_on_step)(int number) = NULL;
void (*nnr_on_engine)(const char *name) = NULL;
