/* What conditions and makers of rules both look at. */
#ifndef NNC_CONDITIONS_H
#define NNC_CONDITIONS_H

#include "ir/graph.h"

/* Whether n is one number everywhere, and that. */
bool known_number(const Node *n, double *number);

#endif
