/* Ranks over MPI, whose library is opened when there are several: a trainer on its own needs none. */
#ifndef NNR_MPI_H
#define NNR_MPI_H

#include "runtime/ranks/ranks.h"

/* Starts MPI and checks that it has the ranks that the launcher has said; dies with STATUS_DEVICE where there is no
 * library, or with STATUS_RANKS. Fills in what the launcher left out of `place`. */
const Communicator *mpi_open(RankPlace *place);
/* A byte to another rank, and whether one has come from it, from any thread; for watch.c. False: the library can't do
 * that from a second thread. */
bool mpi_may_watch(void);
void mpi_send_sign(int to);
bool mpi_take_sign(int from);
/* The names of all ranks' hosts, HOST_NAME bytes each. */
const char *mpi_gather_hosts(char *hosts);

#endif
