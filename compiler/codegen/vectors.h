/* SPDX-License-Identifier: MIT */
/* How the node at a position of a loop body reads a tensor, or stores it, where it goes by vectors. Private to body.c
 * and vectors.c. */
#ifndef NNC_VECTORS_H
#define NNC_VECTORS_H

#include "codegen/body.h"

/* Whether the last loop runs through x in unit stride from an address that vectors can start at. */
bool body_takes_vector(const Body *e, const Node *x, int position);
AccessKind body_access_kind(const Body *e, const Node *x, int position, bool store);
/* Notes that x, called `name`, is read or stored so; its element `u`, as C text. */
char *body_vector_text(Body *e, const char *name, const Node *x, int position, AccessKind kind);
/* The same of elements of x that stand at another address, "name + index". */
char *body_vector_at(Body *e, const char *name, const char *address, const Node *x);
/* Of a slab: what memory has for a column, in shared memory. */
VectorAccess *body_fetched(Body *e, const char *name, const Node *x, int position);

#endif
