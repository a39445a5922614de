/* SPDX-License-Identifier: MIT */
/* Ranks over sockets: small messages of the host, where NCCL carries the tensors or no MPI has started the ranks. */
#ifndef NNR_SOCKETS_H
#define NNR_SOCKETS_H

#include "runtime/ranks/ranks.h"

/* What launch.c leaves each rank in the environment: its ends of socket pairs, "DATA,SIGNS" of each rank that it has a
 * way to. */
#define SOCKETS_VARIABLE "NNR_RANKS_SOCKETS"
enum { SOCKET_DATA, SOCKET_SIGNS, SOCKET_KINDS };

/* Whether the environment says how the ranks meet: by what launch.c left, or by MASTER_ADDR and MASTER_PORT. */
bool sockets_are_named(void);
/* Connects them; dies with STATUS_RANKS where they do not come within `seconds`, with STATUS_USAGE where MASTER_PORT is
 * no port. What is received has that limit, too, until met(). */
const Communicator *sockets_open(const RankPlace *place, double seconds);

#endif
