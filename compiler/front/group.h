/* SPDX-License-Identifier: MIT */
/* The setting `group`: parameters whose rate or weight decay is not the recipe's.
 *
 * Such a parameter has the attribute `group`, the number of its group from 1 on. */
#ifndef NNC_GROUP_H
#define NNC_GROUP_H

#include "front/eval.h"
#include "front/setting.h"

bool read_group(Reader *r);
/* Of a parameter about to be made: the first group of the recipe that matches it, from 1; 0: none does. */
int elab_group(Elab *e, const char *name);
/* Every pattern has met a parameter of the model just run; else a diagnostic. */
void check_groups(Elab *e, const Graph *g);

#endif
