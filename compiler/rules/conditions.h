/* SPDX-License-Identifier: MIT */
/* What conditions and makers of rules both look at. */
#ifndef NNC_CONDITIONS_H
#define NNC_CONDITIONS_H

#include "rules/rules.h"

RuleCondition rule_is_scored, rule_is_evaluation;

/* Whether n is one number everywhere, and that. */
bool known_number(const Node *n, double *number);

#endif
