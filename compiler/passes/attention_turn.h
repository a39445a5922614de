/* Heads put side by side (attention_turn.c). */
#ifndef NNC_ATTENTION_TURN_H
#define NNC_ATTENTION_TURN_H

#include "ir/graph.h"

/* [batch, heads, n, d] as [batch, n, heads, d]: where x is computed element by element, and in parts along its last
 * dimension, from what was turned the other way, from what it was before that; else by a transposition. */
Node *attention_turn(Build *b, Node *x);

#endif
