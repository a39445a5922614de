/* SPDX-License-Identifier: MIT */
/* Ranks over MPI, whose library is opened when there are several: a trainer on its own needs none. */
#ifndef NNR_MPI_H
#define NNR_MPI_H

#include "runtime/ranks/ranks.h"

/* Starts MPI and checks that it has the ranks that the launcher has said; dies with STATUS_DEVICE where there is no
 * library, or with STATUS_RANKS. Fills in what the launcher left out of `place`. */
const Communicator *mpi_open(RankPlace *place);

#endif
