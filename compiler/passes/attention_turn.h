/* SPDX-License-Identifier: MIT */
/* Heads put side by side, and computed part by part (attention_turn.c). */
#ifndef NNC_ATTENTION_TURN_H
#define NNC_ATTENTION_TURN_H

#include "ir/graph.h"

/* [batch, heads, n, d] as [batch, n, heads, d]: where x is computed element by element, and in parts along its last
 * dimension, from what was turned the other way, from what it was before that; else by a transposition. */
Node *attention_turn(Build *b, Node *x);
/* x, or, where it is computed element by element from parts put side by side along the last dimension, the same of each
 * part, and these put side by side. */
Node *attention_by_parts(Build *b, Node *x);

#endif
