/* Ranks without a launcher: where a process stands by the environment, a communicator that fails at each call, and one
 * whose rank 0 has other weights. */
#include "runtime/ranks/ranks.h"
#include "runtime/core/die.h"
#include "runtime/core/session.h"
#include "runtime/ranks/nnr_ranks.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <stdlib.h>
#include <string.h>

/* ---- the environment */

static const char *const *variables; /* name, value, ..., NULL */

static const char *variable(const char *name)
{
	for (int i = 0; variables[i]; i += 2)
		if (strcmp(variables[i], name) == 0)
			return variables[i + 1];
	return NULL;
}

static bool stands(const char *const *given, int rank, int count, int local)
{
	RankPlace p;
	variables = given;
	return !rank_place_of(variable, &p) && p.rank == rank && p.count == count && p.local == local;
}

static bool is_refused(const char *const *given)
{
	RankPlace p;
	variables = given;
	char *why = rank_place_of(variable, &p);
	bool refused = why != NULL;
	free(why);
	return refused;
}

#define GIVEN(...) ((const char *const[]){__VA_ARGS__, NULL})

static void check_places(void)
{
	CHECK(stands((const char *const[]){NULL}, 0, 1, 0));
	CHECK(stands(GIVEN("OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4",
	                   "OMPI_COMM_WORLD_LOCAL_RANK", "1"),
	             2, 4, 1));
	CHECK(stands(GIVEN("PMI_RANK", "1", "PMI_SIZE", "2"), 1, 2, 0));
	CHECK(stands(GIVEN("RANK", "3", "WORLD_SIZE", "8", "LOCAL_RANK", "3"), 3, 8, 3));
	/* a batch script of Slurm is one process, whatever it was given */
	CHECK(stands(GIVEN("SLURM_PROCID", "0", "SLURM_NTASKS", "8"), 0, 1, 0));
	CHECK(stands(GIVEN("SLURM_PROCID", "5", "SLURM_STEP_NUM_TASKS", "8", "SLURM_LOCALID", "1"), 5, 8, 1));
	CHECK(is_refused(GIVEN("RANK", "4", "WORLD_SIZE", "4")));
	CHECK(is_refused(GIVEN("RANK", "-1", "WORLD_SIZE", "4")));
	CHECK(is_refused(GIVEN("RANK", "one", "WORLD_SIZE", "4")));
	CHECK(is_refused(GIVEN("RANK", "0", "WORLD_SIZE", "99999999999999999999")));
}

/* ---- a communicator of two ranks of which the other has the same numbers, until its k-th call */

static int calls, failing;
static bool alters; /* what rank 0 sends is something else */

static const char *next_call(void)
{
	return ++calls == failing ? "the cable is out" : NULL;
}

static const char *fake_all_reduce(void *at, NnrDType dtype, int64_t count, ReduceOp op)
{
	for (int64_t i = 0; i < count && op == REDUCE_SUM; i++)
		if (dtype == NNR_F32)
			((float *)at)[i] *= 2;
		else
			((double *)at)[i] *= 2;
	return next_call();
}

static const char *fake_broadcast(void *at, int64_t bytes)
{
	if (alters)
		((char *)at)[bytes - 1] ^= 1;
	return next_call();
}

static const char *fake_barrier(void)
{
	return next_call();
}

static const Communicator fake = {
        .name = "fake", .all_reduce = fake_all_reduce, .broadcast = fake_broadcast, .barrier = fake_barrier};

static int use_all(void *unused)
{
	float gradient[3] = {1, 2, 3};
	double loss = 4;
	const char *text = NULL;
	ranks_open_with(&fake, (RankPlace){.rank = 1, .count = 2, .by = "a test"});
	nnr_all_reduce(gradient, NNR_F32, 3);
	ranks_mean(&loss, 1);
	ranks_max(&loss, 1);
	ranks_broadcast_text(&text);
	ranks_barrier();
	bool right = gradient[0] == 1 && gradient[1] == 2 && gradient[2] == 3 && loss == 4;
	return right ? calls : 100;
}

static void check_failures(void)
{
	Ended whole = run_child(use_all, NULL);
	CHECK(whole.status == 5); /* calls, of which each fails now */
	for (failing = 1; failing <= whole.status; failing++) {
		Ended e = run_child(use_all, NULL);
		CHECK(e.status == STATUS_RANKS && strstr(e.said, "the cable is out") &&
		      strstr(e.said, "--resume"));
	}
	failing = 0;
}

/* ---- weights */

static int compare(void *unused)
{
	static const NnrTensor params[] = {
	        {.name = "a", .dtype = NNR_F32, .rank = 1, .dim = {2}},
	        {.name = "b", .dtype = NNR_F32, .rank = 1, .dim = {2}, .offset = 8}};
	static float weights[4] = {1, 2, 3, 4};
	NnrModel m = {.params = params, .param_count = 2};
	Session s = {.model = &m, .at = {.step = 12}, .memory = {.params = (char *)weights}};
	ranks_open_with(&fake, (RankPlace){.rank = 1, .count = 2, .by = "a test"});
	session_compare_weights(&s);
	return STATUS_OK;
}

static void check_weights(void)
{
	CHECK(run_child(compare, NULL).status == STATUS_OK);
	alters = true;
	Ended e = run_child(compare, NULL);
	CHECK(e.status == STATUS_RANKS && strstr(e.said, "step 12") && strstr(e.said, "`b`"));
}

int main(void)
{
	check_places();
	check_failures();
	check_weights();
	return check_report("ranks");
}
