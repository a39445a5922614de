/* SPDX-License-Identifier: MIT */
/* Ranks without a launcher: where a process stands by the environment, how it meets others that are not there, a
 * communicator that fails at each call, and one whose rank 0 has other weights. */
#include "runtime/ranks/ranks.h"
#include "runtime/host/die.h"
#include "runtime/session/session.h"
#include "runtime/nnr_half.h"
#include "runtime/ranks/nnr_ranks.h"
#include "runtime/ranks/sockets.h"
#include "runtime/ranks/watch.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

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
	CHECK(is_refused(GIVEN("RANK", " 1", "WORLD_SIZE", "+4")));
	CHECK(is_refused(GIVEN("RANK", "1", "WORLD_SIZE", "4 ")));
	CHECK(is_refused(GIVEN("RANK", "1", "WORLD_SIZE", "4", "LOCAL_RANK", "x")));
	CHECK(is_refused(GIVEN("RANK", "0", "WORLD_SIZE", "99999999999999999999")));
}

/* ---- meeting */

static const RankPlace second = {.rank = 1, .count = 2, .by = "a test"};

/* Rank 1, which is not to wait for ever. */
static int meet(void *port)
{
	alarm(20);
	setenv("MASTER_ADDR", "127.0.0.1", true);
	setenv("MASTER_PORT", port, true);
	(void)sockets_open(&second, 0.1);
	return STATUS_OK;
}

static void check_ports(void)
{
	static char *const ports[] = {"abc", "70000", "0", "-1", "29500x", " 29500", "65535"};
	setenv("TORCHELASTIC_USE_AGENT_STORE", "True", true); /* the next port */
	for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
		Ended e = run_child(meet, ports[i]);
		CHECK(e.status == STATUS_USAGE && strstr(e.said, "MASTER_PORT=") && strstr(e.said, ports[i]));
	}
	unsetenv("TORCHELASTIC_USE_AGENT_STORE");
}

/* Something else listens at the port, and says nothing. */
static void check_stranger(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	char port[16];
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &size) < 0 || listen(fd, 4) < 0)
		abort();
	snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
	Ended e = run_child(meet, port);
	CHECK(e.status == STATUS_RANKS && strstr(e.said, "there is no rank 0"));
	close(fd);
}

static void *ring(void *port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_port = htons((uint16_t)atoi(port)),
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	while (connect(fd, (struct sockaddr *)&at, sizeof at) < 0)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	return NULL;
}

/* Rank 0, at whose port somebody rings who says nothing. */
static int is_rung(void *port)
{
	static const RankPlace first = {.rank = 0, .count = 2, .by = "a test"};
	pthread_t stranger;
	alarm(20);
	setenv("MASTER_ADDR", "127.0.0.1", true);
	setenv("MASTER_PORT", port, true);
	if (pthread_create(&stranger, NULL, ring, port) != 0)
		return 1;
	(void)sockets_open(&first, 5.2);
	return STATUS_OK;
}

static void check_ring(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	char port[16];
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &size) < 0)
		abort();
	snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
	close(fd);
	Ended e = run_child(is_rung, port);
	if (!CHECK(e.status == STATUS_RANKS && strstr(e.said, "not all other ranks came")))
		printf("  %d: %s\n", e.status, e.said);
}

/* Rank 0 is there, and stands still before it has said anything. */
static int meet_silence(void *unused)
{
	int data[2], signs[2];
	char list[32];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, data) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, signs) < 0)
		return 1;
	snprintf(list, sizeof list, "%d,%d", data[1], signs[1]);
	setenv(SOCKETS_VARIABLE, list, true);
	alarm(20);
	watch_begin(sockets_open(&second, 0.1), &second, "here");
	return STATUS_OK;
}

static void check_silence(void)
{
	Ended e = run_child(meet_silence, NULL);
	CHECK(e.status == STATUS_RANKS && strstr(e.said, "rank 0 gives no answer"));
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
		if (dtype == NNR_BF16)
			((uint16_t *)at)[i] = nnr_bf16_bits(2 * nnr_bf16_value(((uint16_t *)at)[i]));
		else if (dtype == NNR_F32)
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

/* Of the second rank, whose share begins at the third element. */
static const char *fake_reduce_scatter(void *at, NnrDType dtype, int64_t first, int64_t count, int64_t share)
{
	(void)first;
	for (int64_t i = 0; i < count; i++)
		((float *)at)[i] = i < share ? 1e9f : 2 * ((float *)at)[i];
	return next_call();
}

static const char *fake_all_gather(void *at, int64_t share, int64_t whole)
{
	(void)whole;
	memset(at, 0, (size_t)share);
	return next_call();
}

static const Communicator fake = {.name = "fake",
                                  .all_reduce = fake_all_reduce,
                                  .broadcast = fake_broadcast,
                                  .barrier = fake_barrier,
                                  .reduce_scatter = fake_reduce_scatter,
                                  .all_gather = fake_all_gather};

static int use_all(void *unused)
{
	float gradient[3] = {1, 2, 3}, rounded[2] = {1 + 0x1p-8f, 1 + 0x3p-8f};
	float shared[3] = {5, 6, 7}, share[2] = {8, 9}, together[3] = {1, 1, 1};
	uint16_t wire[2];
	double loss = 4;
	const char *text = NULL;
	ranks_open_with(&fake, (RankPlace){.rank = 1, .count = 2, .by = "a test"});
	nnr_all_reduce(gradient, NNR_F32, 3);
	nnr_all_reduce_bf16(rounded, wire, 2);
	nnr_reduce_scatter(shared, NNR_F32, 0, 3, 2);
	nnr_rank_share(shared, share, NNR_F32, 3, 2);
	nnr_rank_gather(share, together, NNR_F32, 3, 2);
	ranks_mean(&loss, 1);
	ranks_max(&loss, 1);
	ranks_broadcast_text(&text);
	ranks_barrier();
	bool right = gradient[0] == 1 && gradient[1] == 2 && gradient[2] == 3 && loss == 4 &&
	             rounded[0] == 1 && rounded[1] == 1 + 0x1p-6f && share[0] == 7 && share[1] == 0 &&
	             together[0] == 0 && together[1] == 0 && together[2] == 7;
	return right ? calls : 100;
}

static void check_failures(void)
{
	Ended whole = run_child(use_all, NULL);
	CHECK(whole.status == 8); /* calls, of which each fails now */
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

/* ---- rank 0 has ended */

static const char *gather_nothing(void *at, int64_t share, int64_t whole)
{
	return NULL;
}

static void no_sign(int to)
{
}

static Sign sign_of_end(int from)
{
	return SIGN_OF_END;
}

/* Waits for it after its end is known: for ever, or no longer than a moment. */
static int outlive(void *for_ever)
{
	static const Communicator gone = {.name = "gone",
	                                  .all_gather = gather_nothing,
	                                  .send_sign = no_sign,
	                                  .take_sign = sign_of_end,
	                                  .star = true};
	watch_waits();
	watch_begin(&gone, &second, "here");
	nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
	if (!for_ever)
		watch_done();
	nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 200000000}, NULL);
	return STATUS_OK;
}

static void check_end(void)
{
	Ended e = run_child(outlive, "");
	CHECK(e.status == STATUS_RANKS && strstr(e.said, "rank 0 on  has ended"));
	CHECK(run_child(outlive, NULL).status == STATUS_OK);
}

int main(void)
{
	check_places();
	check_ports();
	check_stranger();
	check_silence();
	check_ring();
	check_end();
	check_failures();
	check_weights();
	return check_report("ranks");
}
