/* SPDX-License-Identifier: MIT */
/* The setting `freeze`: which parameters a training leaves as they are.
 *
 * Such a parameter has the attribute frozen=1: nothing is differentiated by it, and the optimizer has no state for it.
 * A batchnorm whose weight and bias are both frozen is taken as it is after the training: it normalises by its running
 * statistics, and they do not move. */
#ifndef NNC_FREEZE_H
#define NNC_FREEZE_H

#include "front/eval.h"
#include "front/setting.h"

bool read_freeze(Reader *r);
bool read_phase(Reader *r); /* the first phase of a training, in which some parameters are frozen */
/* Of a line, each string of which may hold several, between commas. */
void add_patterns(Arena *a, const char *text, Loc loc, ParamPatterns *to);
/* Where `line` of --set leaves out patterns of the recipe's own line, which it replaces: a warning that says how to
 * have both. */
void warn_of_lost_freezes(Elab *e, const Ast *own, const Ast *line);
/* Marks those that match as used. */
bool patterns_match(ParamPatterns *patterns, const char *name);
/* A diagnostic for each that is not used. */
void check_patterns(Elab *e, const Graph *g, const ParamPatterns *patterns);
/* Of a parameter about to be made: whether the recipe freezes it. */
bool elab_freezes(Elab *e, const char *name);
/* Every pattern of the recipe has met a parameter of the model just run, whose names are in e->params; and something is
 * left to train. Else a diagnostic. */
void check_freeze(Elab *e, const Graph *g);

#endif
