/* SPDX-License-Identifier: MIT */
/* A star of sockets: rank 0 has two to each other rank, for data and for signs of life. What is reduced goes by way of
 * rank 0, which adds the ranks in their order, so all get the same bits. That is meant for small messages.
 *
 * The sockets are there when the trainer has started the ranks itself (launch.c): pairs, which no other process can
 * reach. Else they are TCP, to the port that a launcher names by MASTER_ADDR and MASTER_PORT; where torchrun keeps a
 * store of its own at that port (TORCHELASTIC_USE_AGENT_STORE), to the next one. Who connects says who it is, and rank
 * 0 answers: a foreign process that connects is turned away, and one that listens there is not taken for rank 0. */
#include "runtime/ranks/sockets.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/nnr_half.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct {
	int rank, count;
	int (*to)[SOCKET_KINDS]; /* by rank; of all but rank 0 only that to it */
	char *part;              /* PIECE bytes, of another rank */
	char failure[128];       /* why nothing more can be sent */
} star;

enum { PIECE = 1 << 18 };

/* ---- sending and receiving */

/* Who has lost another rank is given a moment: what started the ranks ends them all, and says which was the first. */
static const char *lost(int rank, const char *why)
{
	nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
	snprintf(star.failure, sizeof star.failure, "rank %d %s", rank, why);
	return star.failure;
}

static const char *send_to(int rank, const void *from, int64_t bytes)
{
	for (int64_t done = 0; done < bytes;) {
		ssize_t n = send(star.to[rank][SOCKET_DATA], (const char *)from + done,
		                 (size_t)(bytes - done), MSG_NOSIGNAL);
		if (n < 0 && errno != EINTR)
			return lost(rank,
			            errno == EPIPE || errno == ECONNRESET ? "has ended" : strerror(errno));
		done += n > 0 ? n : 0;
	}
	return NULL;
}

static const char *receive_from(int rank, void *to, int64_t bytes)
{
	for (int64_t done = 0; done < bytes;) {
		ssize_t n = recv(star.to[rank][SOCKET_DATA], (char *)to + done, (size_t)(bytes - done), 0);
		if (n == 0 || (n < 0 && errno == ECONNRESET))
			return lost(rank, "has ended");
		if (n < 0 && errno == EAGAIN) /* until all have met */
			return lost(rank, "gives no answer");
		if (n < 0 && errno != EINTR)
			return lost(rank, strerror(errno));
		done += n > 0 ? n : 0;
	}
	return NULL;
}

static const char *send_to_all(const void *from, int64_t bytes)
{
	const char *why = NULL;
	for (int r = 1; r < star.count && !why; r++)
		why = send_to(r, from, bytes);
	return why;
}

/* ---- the communicator */

static void combine(void *at, const void *with, NnrDType dtype, int64_t count, ReduceOp op)
{
	float *f = at;
	double *d = at;
	const float *g = with;
	const double *e = with;
	for (int64_t i = 0; i < count; i++)
		if (dtype == NNR_F32)
			f[i] = op == REDUCE_SUM ? f[i] + g[i] : f[i] < g[i] ? g[i] : f[i];
		else
			d[i] = op == REDUCE_SUM ? d[i] + e[i] : d[i] < e[i] ? e[i] : d[i];
}

static const char *all_reduce_piece(void *at, NnrDType dtype, int64_t count, ReduceOp op)
{
	int64_t bytes = count * (dtype == NNR_F32 ? 4 : 8);
	const char *why = NULL;
	if (star.rank > 0) {
		why = send_to(0, at, bytes);
		return why ? why : receive_from(0, at, bytes);
	}
	for (int r = 1; r < star.count && !why; r++) {
		why = receive_from(r, star.part, bytes);
		if (!why)
			combine(at, star.part, dtype, count, op);
	}
	return why ? why : send_to_all(at, bytes);
}

static const char *all_reduce_bf16_piece(uint16_t *at, int64_t count)
{
	int64_t bytes = count * (int64_t)sizeof *at;
	uint16_t *part = (uint16_t *)(void *)star.part;
	float *sums = (float *)(void *)(star.part + PIECE / 2);
	const char *why = NULL;
	if (star.rank > 0) {
		why = send_to(0, at, bytes);
		return why ? why : receive_from(0, at, bytes);
	}
	for (int64_t i = 0; i < count; i++)
		sums[i] = nnr_bf16_value(at[i]);
	for (int r = 1; r < star.count && !why; r++) {
		why = receive_from(r, part, bytes);
		for (int64_t i = 0; i < count && !why; i++)
			sums[i] += nnr_bf16_value(part[i]);
	}
	nnr_halve(at, sums, count, true);
	return why ? why : send_to_all(at, bytes);
}

static const char *all_reduce_bf16(uint16_t *at, int64_t count)
{
	enum { MOST = PIECE / 2 / sizeof(float) };
	const char *why = NULL;
	for (int64_t i = 0; i < count && !why; i += MOST)
		why = all_reduce_bf16_piece(at + i, count - i < MOST ? count - i : MOST);
	return why;
}

static const char *all_reduce(void *at, NnrDType dtype, int64_t count, ReduceOp op)
{
	if (dtype == NNR_BF16 && op == REDUCE_SUM)
		return all_reduce_bf16(at, count);
	require(dtype == NNR_F32 || dtype == NNR_F64);
	int64_t size = dtype == NNR_F32 ? 4 : 8, most = PIECE / size;
	const char *why = NULL;
	for (int64_t i = 0; i < count && !why; i += most)
		why = all_reduce_piece((char *)at + i * size, dtype, count - i < most ? count - i : most, op);
	return why;
}

static const char *reduce_scatter(void *at, NnrDType dtype, int64_t first, int64_t count, int64_t share)
{
	(void)first;
	(void)share;
	return all_reduce(at, dtype, count, REDUCE_SUM);
}

static const char *broadcast(void *at, int64_t bytes)
{
	return star.rank > 0 ? receive_from(0, at, bytes) : send_to_all(at, bytes);
}

static const char *all_gather(void *at, int64_t share, int64_t whole)
{
	const char *why = NULL;
	for (int r = 1; r < star.count && !why; r++) {
		RankPart part = rank_part(r, share, 0, whole);
		if (star.rank == 0)
			why = receive_from(r, (char *)at + part.at, part.count);
		else if (star.rank == r)
			why = send_to(0, (char *)at + part.at, part.count);
	}
	return why ? why : broadcast(at, whole);
}

static const char *barrier(void)
{
	double nothing = 0;
	return all_reduce(&nothing, NNR_F64, 1, REDUCE_SUM);
}

static const char *check(void)
{
	return star.failure[0] ? star.failure : NULL;
}

static void abort_all(int status)
{
	(void)status; /* the others see the end of their sockets */
}

static void close_all(void)
{
	for (int r = 0; r < star.count; r++)
		for (int k = 0; k < SOCKET_KINDS; k++)
			if (star.to[r][k] >= 0)
				close(star.to[r][k]);
	free(star.to);
	free(star.part);
	memset(&star, 0, sizeof star);
}

/* `seconds` 0: as long as it takes. */
static void limit_receiving(double seconds)
{
	struct timeval limit = {.tv_sec = (time_t)seconds,
	                        .tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)))};
	for (int r = 0; r < star.count; r++)
		if (star.to[r][SOCKET_DATA] >= 0)
			(void)setsockopt(star.to[r][SOCKET_DATA], SOL_SOCKET, SO_RCVTIMEO, &limit,
			                 sizeof limit);
}

static void met(void)
{
	limit_receiving(0);
}

static void send_sign(int to)
{
	char sign = 1; /* where the other takes none, the socket is full of them */
	(void)send(star.to[to][SOCKET_SIGNS], &sign, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static Sign take_sign(int from)
{
	char signs[256];
	bool taken = false;
	for (;;) {
		ssize_t n = recv(star.to[from][SOCKET_SIGNS], signs, sizeof signs, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno == ECONNRESET))
			return SIGN_OF_END;
		if (n < 0)
			return taken ? SIGN_OF_LIFE : SIGN_NONE;
		taken = true;
	}
}

static const Communicator communicator = {.name = "sockets",
                                          .all_reduce = all_reduce,
                                          .reduce_scatter = reduce_scatter,
                                          .all_gather = all_gather,
                                          .broadcast = broadcast,
                                          .barrier = barrier,
                                          .check = check,
                                          .abort = abort_all,
                                          .met = met,
                                          .close = close_all,
                                          .star = true,
                                          .send_sign = send_sign,
                                          .take_sign = take_sign};

/* ---- meeting */

static void keep(int rank, int kind, int fd)
{
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); /* a pair has no such thing */
	star.to[rank][kind] = fd;
}

static void take_inherited(const char *list)
{
	const char *at = list;
	int first = star.rank == 0 ? 1 : 0, end = star.rank == 0 ? star.count : 1;
	for (int i = first * SOCKET_KINDS; i < end * SOCKET_KINDS; i++) {
		char *after;
		long fd = strtol(at, &after, 10);
		if (after == at || fcntl((int)fd, F_GETFD) < 0)
			die(STATUS_RANKS, SOCKETS_VARIABLE "=%s names no sockets of this process", list);
		keep(i / SOCKET_KINDS, i % SOCKET_KINDS, (int)fd);
		at = *after == ',' ? after + 1 : after;
	}
}

/* The first words on a connection, and rank 0's answer to them. */
typedef struct Hello {
	char word[8];
	int32_t abi, rank, count, kind;
} Hello;

static Hello hello_of(int rank, int kind)
{
	return (Hello){.word = "nnrank", .abi = NNR_ABI, .rank = rank, .count = star.count, .kind = kind};
}

/* False: nothing has come when the clock is at `end`. */
static bool comes(int fd, double end)
{
	struct pollfd waits = {.fd = fd, .events = POLLIN};
	for (double left; (left = end - clock_seconds()) > 0;)
		if (poll(&waits, 1, (int)(1000 * left) + 1) > 0)
			return true;
	return false;
}

static bool say_hello(int fd, int kind)
{
	Hello h = hello_of(star.rank, kind);
	return send(fd, &h, sizeof h, MSG_NOSIGNAL) == (ssize_t)sizeof h;
}

/* False: a foreign process, which may say nothing, or something else. */
static bool read_hello(int fd, Hello *h, double end)
{
	size_t done = 0;
	while (done < sizeof *h) {
		if (!comes(fd, end))
			return false;
		ssize_t n = recv(fd, (char *)h + done, sizeof *h - done, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return memcmp(h->word, hello_of(0, 0).word, sizeof h->word) == 0;
}

static void require_kin(const Hello *h)
{
	if (h->abi != NNR_ABI || h->count != star.count)
		die(STATUS_RANKS, "rank %d is of another version of nnc, or one of %d ranks, not %d", h->rank,
		    h->count, star.count);
}

static bool fits(const Hello *h)
{
	return h->rank > 0 && h->rank < star.count && h->kind >= 0 && h->kind < SOCKET_KINDS &&
	       star.to[h->rank][h->kind] < 0;
}

static _Noreturn void nobody_came(const char *what, const char *address, const char *port, double seconds)
{
	die_help(STATUS_RANKS, "MASTER_ADDR is the host of rank 0, MASTER_PORT a free port that all reach",
	         "%s at %s:%s within %.0f seconds", what, address, port, seconds);
}

static void accept_others(int listener, const char *address, const char *port, double seconds)
{
	static const double FOR_A_HELLO = 5;
	double end = clock_seconds() + seconds;
	for (int missing = (star.count - 1) * SOCKET_KINDS; missing > 0;) {
		if (!comes(listener, end))
			nobody_came("not all other ranks came", address, port, seconds);
		int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		Hello h;
		if (fd < 0)
			continue;
		if (!read_hello(fd, &h, clock_seconds() + FOR_A_HELLO) || !say_hello(fd, h.kind)) {
			close(fd); /* not one of them, or it has gone */
			continue;
		}
		require_kin(&h);
		if (!fits(&h))
			die(STATUS_RANKS, "there are two ranks %d", h.rank);
		keep(h.rank, h.kind, fd);
		missing--;
	}
}

static struct addrinfo *addresses_of(const char *address, const char *port, int flags)
{
	struct addrinfo *found = NULL, wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = flags};
	int why = getaddrinfo(address, port, &wanted, &found);
	if (why)
		die_help(STATUS_RANKS, "MASTER_ADDR is the host of rank 0, MASTER_PORT a port there",
		         "%s:%s is no address: %s", address ? address : "*", port, gai_strerror(why));
	return found;
}

static void listen_at(const char *address, const char *port, double seconds)
{
	struct addrinfo *places = addresses_of(NULL, port, AI_PASSIVE);
	int fd = -1;
	for (struct addrinfo *p = places; p && fd < 0; p = p->ai_next) {
		fd = socket(p->ai_family, p->ai_socktype | SOCK_CLOEXEC, p->ai_protocol);
		if (fd < 0)
			continue;
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
		if (bind(fd, p->ai_addr, p->ai_addrlen) < 0 || listen(fd, star.count * SOCKET_KINDS) < 0) {
			int why = errno;
			close(fd);
			errno = why;
			fd = -1;
		}
	}
	if (fd < 0)
		die_help(STATUS_RANKS, "name a free port by MASTER_PORT", "can't listen at port %s: %s", port,
		         strerror(errno));
	freeaddrinfo(places);
	accept_others(fd, address, port, seconds);
	close(fd);
}

/* This rank has greeted rank 0, and rank 0 it. */
static bool greets(int fd, int kind, double end)
{
	Hello h;
	if (!say_hello(fd, kind) || !read_hello(fd, &h, end) || h.rank != 0 || h.kind != kind)
		return false;
	require_kin(&h);
	return true;
}

/* Rank 0 may begin later than this one. */
static void connect_to(const char *address, const char *port, double seconds)
{
	double end = clock_seconds() + seconds;
	struct addrinfo *places = addresses_of(address, port, 0);
	for (int kind = 0; kind < SOCKET_KINDS;) {
		int fd = -1;
		for (struct addrinfo *p = places; p && fd < 0; p = p->ai_next) {
			fd = socket(p->ai_family, p->ai_socktype | SOCK_CLOEXEC, p->ai_protocol);
			if (fd >= 0 && connect(fd, p->ai_addr, p->ai_addrlen) < 0) {
				close(fd);
				fd = -1;
			}
		}
		if (fd >= 0 && greets(fd, kind, end)) {
			keep(0, kind++, fd);
			continue;
		}
		if (fd >= 0)
			close(fd);
		if (clock_seconds() > end)
			nobody_came("there is no rank 0", address, port, seconds);
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	}
	freeaddrinfo(places);
}

static const char *named(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

bool sockets_are_named(void)
{
	return named(SOCKETS_VARIABLE) || (named("MASTER_ADDR") && named("MASTER_PORT"));
}

/* Malloc'd. */
static char *port_to_meet_at(void)
{
	enum { LAST = 65535 };
	const char *named_port = named("MASTER_PORT"), *store = named("TORCHELASTIC_USE_AGENT_STORE");
	int beside = store && strcmp(store, "True") == 0, port = rank_number_of(named_port, LAST - beside);
	if (port < 1)
		die_help(STATUS_USAGE, "name a free port of the host of rank 0, the same for all ranks",
		         "MASTER_PORT=%s is no port: a number from 1 to %d", named_port, LAST - beside);
	return text_printf("%d", port + beside);
}

const Communicator *sockets_open(const RankPlace *place, double seconds)
{
	const char *inherited = named(SOCKETS_VARIABLE), *address = named("MASTER_ADDR");
	star.rank = place->rank;
	star.count = place->count;
	star.to = allocate(place->count, sizeof *star.to, "the sockets of ranks");
	star.part = allocate(PIECE, 1, "what another rank sends");
	for (int r = 0; r < star.count; r++)
		for (int k = 0; k < SOCKET_KINDS; k++)
			star.to[r][k] = -1;
	if (inherited) {
		take_inherited(inherited);
	} else {
		char *port = port_to_meet_at();
		if (star.rank == 0)
			listen_at(address, port, seconds);
		else
			connect_to(address, port, seconds);
		free(port);
	}
	limit_receiving(seconds);
	return &communicator;
}
