/* SPDX-License-Identifier: MIT */
/* Where a process stands among its ranks: what launchers leave in the environment. */
#include "runtime/host/die.h"
#include "runtime/ranks/ranks.h"

#include <errno.h>
#include <stdlib.h>

/* A launcher is taken for one where both of its first variables are there. Slurm's are those of a step, which srun
 * starts: a batch script has SLURM_PROCID too, and is one process. */
static const struct {
	const char *by, *rank, *count, *local, *local_count;
	bool mpi;
} launchers[] = {
        {"--gpus", "NNR_RANK", "NNR_RANKS", "NNR_RANK", "NNR_RANKS", false},
        {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
         "OMPI_COMM_WORLD_LOCAL_SIZE", true},
        {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", true},
        {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE", false},
        {"RANK and WORLD_SIZE", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", false},
};

int rank_number_of(const char *text, int most)
{
	char *end;
	errno = 0;
	long n = strtol(text, &end, 10);
	/* strtol takes blanks and a sign, too */
	return *text < '0' || *text > '9' || *end || errno || n > most ? -1 : (int)n;
}

static int number_of(const char *text)
{
	return rank_number_of(text, 1 << 20);
}

char *rank_place_of(const char *(*variable)(const char *name), RankPlace *place)
{
	*place = (RankPlace){.count = 1, .local_count = 1};
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		const char *rank = variable(launchers[i].rank), *count = variable(launchers[i].count),
		           *local = variable(launchers[i].local),
		           *local_count = variable(launchers[i].local_count);
		if (!rank || !count)
			continue;
		*place = (RankPlace){.rank = number_of(rank),
		                     .count = number_of(count),
		                     .local = local ? number_of(local) : 0,
		                     .local_count = local_count ? number_of(local_count) : 0,
		                     .by_mpi = launchers[i].mpi,
		                     .by = launchers[i].by};
		if (place->rank < 0 || place->count < 1 || place->rank >= place->count)
			return text_printf("%s=%s and %s=%s name no rank and number of ranks",
			                   launchers[i].rank, rank, launchers[i].count, count);
		if (place->local < 0)
			return text_printf("%s=%s is no number", launchers[i].local, local);
		if (place->local_count < 0)
			place->local_count = 0;
		return NULL;
	}
	return NULL;
}
