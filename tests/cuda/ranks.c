/* SPDX-License-Identifier: MIT */
/* Two ranks on GPUs of the fake driver, over a fake NCCL: `--gpus 2` trains what two ranks on the CPU do, which meet
 * over TCP, bit for bit; and what is said when a rank is killed or stopped, or NCCL fails.
 *
 *     cuda_ranks FAKE_LIBCUDA FAKE_LIBNCCL
 *
 * With TARGET in the environment, WIRE for 16 bits, SHARD for shares and CHUNKS of a step, this program is the trainer
 * itself: a rank starts it again. */
#include "tests/cuda/line_model.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>

/* 16 samples in each of 4 steps of an epoch, 11 held out. */
#define DATA "--data", "synth:random,samples=43", "--quiet"

static const char *self, *fake_cuda, *fake_nccl;

typedef struct Process {
	pid_t pid;
	int from; /* what it says */
} Process;

static Process start(const char *target, const char *const *settings, const char *const *words)
{
	const char *argv[32] = {self, DATA};
	int pipes[2], argc = 4;
	for (int i = 0; words[i]; i++)
		argv[argc++] = words[i];
	if (pipe(pipes) < 0)
		abort();
	pid_t pid = fork();
	if (pid == 0) {
		dup2(pipes[1], STDOUT_FILENO);
		dup2(pipes[1], STDERR_FILENO);
		close(pipes[0]);
		close(pipes[1]);
		setenv("TARGET", target, true);
		setenv("NNR_LIBCUDA", fake_cuda, true);
		setenv("NNR_LIBNCCL", fake_nccl, true);
		setenv("FAKE_CUDA_DEVICES", "2", true);
		setenv("OMP_NUM_THREADS", "1", true);
		for (int i = 0; settings[i]; i += 2)
			setenv(settings[i], settings[i + 1], true);
		execv(self, (char **)(uintptr_t)argv);
		abort();
	}
	close(pipes[1]);
	return (Process){pid, pipes[0]};
}

static Ended wait_for(Process p)
{
	Ended e = {0};
	size_t length = 0;
	for (ssize_t n; (n = read(p.from, e.said + length, sizeof e.said - 1 - length)) > 0;)
		length += (size_t)n;
	close(p.from);
	int status;
	while (waitpid(p.pid, &status, 0) < 0)
		if (errno != EINTR)
			abort();
	e.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
	return e;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool ends(Process p, int status, const char *says)
{
	Ended e = wait_for(p);
	bool ok = e.status == status && strstr(e.said, says);
	if (!ok)
		printf("  ended with %d: %s\n", e.status, e.said);
	return ok;
}

/* Of the trainer's ranks; false while it has none. */
static bool ranks_of(pid_t parent, pid_t ranks[2])
{
	char path[64], text[128];
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return sscanf(text, "%d %d", &ranks[0], &ranks[1]) == 2;
}

static void rest(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Both are gone, or about to be: their parent has ended them. */
static bool are_gone(const pid_t ranks[2])
{
	for (int i = 0; i < 500; i++, rest())
		if (kill(ranks[0], 0) < 0 && kill(ranks[1], 0) < 0)
			return true;
	return false;
}

/* ---- the same as on the CPU */

static char *free_port(void)
{
	static char text[16];
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &size) < 0)
		abort();
	close(fd);
	snprintf(text, sizeof text, "%d", ntohs(at.sin_port));
	return text;
}

static size_t weights_of(const char *path, char *to, size_t room)
{
	static char bytes[1 << 16];
	size_t length = read_whole(path, bytes, sizeof bytes),
	       header = (unsigned char)bytes[0] + 256 * (size_t)(unsigned char)bytes[1] + 8;
	if (length <= header || length - header > room)
		return 0;
	memcpy(to, bytes + header, length - header);
	return length - header;
}

static void check_same_as_cpu(void)
{
	char cpu[4096], gpus[4096];
	const char *port = free_port();
	Process ranks[2];
	for (int r = 0; r < 2; r++)
		ranks[r] = start("cpu",
		                 WORDS("RANK", r ? "1" : "0", "WORLD_SIZE", "2", "MASTER_ADDR", "127.0.0.1",
		                       "MASTER_PORT", port),
		                 WORDS("--checkpoint", "cpu.st"));
	const bool first_ends = ends(ranks[0], 0, ""), second_ends = ends(ranks[1], 0, "");
	CHECK(first_ends && second_ends);
	size_t length = weights_of("cpu.st", cpu, sizeof cpu);
	for (int graph = 0; graph < 2; graph++) {
		CHECK(ends(start("cuda", WORDS("FAKE_CUDA_MICROSECONDS", "1000"),
		                 WORDS("--gpus", "2", "--checkpoint", "gpus.st",
		                       graph ? "--quiet" : "--no-graph")),
		           0, ""));
		CHECK(length > 0 && weights_of("gpus.st", gpus, sizeof gpus) == length &&
		      memcmp(cpu, gpus, length) == 0);
	}
}

static void check_same(void)
{
	check_same_as_cpu();
	setenv("WIRE", "bf16", true);
	check_same_as_cpu();
	setenv("SHARD", "optimizer", true);
	check_same_as_cpu();
	unsetenv("WIRE");
	check_same_as_cpu();
	unsetenv("SHARD");
	setenv("CHUNKS", "3", true); /* the layers' state is the ranks' mean after the last alone */
	check_same_as_cpu();
	unsetenv("CHUNKS");
}

/* ---- faults */

static const char *const endless[] = {
        "--gpus", "2", "--steps", "1000000000", "--checkpoint", "long.st", "--rank-timeout", "1", NULL};

/* A signal to the starting process (-1) or to a rank, once it trains. */
static void check_signal(int rank, int number, int status, const char *says)
{
	pid_t ranks[2];
	Process p = start("cuda", WORDS("FAKE_CUDA_MICROSECONDS", "1000"), endless);
	while (!ranks_of(p.pid, ranks))
		rest();
	for (int i = 0; i < 50; i++)
		rest();
	kill(rank < 0 ? p.pid : ranks[rank], number);
	CHECK(ends(p, status, says));
	CHECK(are_gone(ranks));
}

static void check_faults(void)
{
	check_signal(1, SIGKILL, 128 + SIGKILL, "rank 1 was ended by signal 9");
	check_signal(0, SIGKILL, 128 + SIGKILL, "rank 0 was ended by signal 9");
	check_signal(1, SIGSTOP, 7, "rank 1 on");
	check_signal(-1, SIGTERM, 128 + SIGTERM, "");
	check_signal(-1, SIGKILL, 1000 + SIGKILL, "");
	CHECK(ends(start("cuda", WORDS("FAKE_NCCL_LOST", "300"), endless), 7, "an error that was asked for"));
	for (int call = 1; call <= 12; call++) {
		char k[16];
		snprintf(k, sizeof k, "%d", call);
		Ended e = wait_for(start("cuda", WORDS("FAKE_NCCL_FAIL", k), endless));
		CHECK(e.status == 7 && strstr(e.said, "rank ") && strstr(e.said, " on "));
	}
	/* a parent that ignores SIGCHLD would leave no status of the ranks */
	(void)signal(SIGCHLD, SIG_IGN);
	Process lacking = start("cuda", WORDS("NNR_LIBNCCL", "/nowhere/libnccl.so.2"), endless);
	(void)signal(SIGCHLD, SIG_DFL);
	CHECK(ends(lacking, 6, "install NCCL"));
	CHECK(ends(start("cuda", WORDS("RANK", "0", "WORLD_SIZE", "4"), endless), 2, "asks for 2"));
	CHECK(ends(start("cpu", WORDS(NULL), endless), 2, "--gpus"));
	/* one sentence, of the process that would have started them */
	Ended few = wait_for(start("cuda", WORDS("FAKE_CUDA_DEVICES", "1"), endless)),
	      none = wait_for(start("cuda", WORDS("NNR_LIBCUDA", "/nowhere/libcuda.so.1"), endless));
	CHECK(few.status == 6 && strstr(few.said, "--gpus 2: there is 1 GPU") && !strstr(few.said, "rank "));
	CHECK(none.status == 6 && strstr(none.said, "no CUDA driver") && !strstr(none.said, "rank "));
}

int main(int argc, char **argv)
{
	const char *target = getenv("TARGET");
	shared = true;
	if (target) {
		narrow = getenv("WIRE") != NULL;
		sharded = getenv("SHARD") != NULL;
		model.chunks = getenv("CHUNKS") ? atoi(getenv("CHUNKS")) : 1;
		line_model_for(strcmp(target, "cuda") == 0);
		return nnr_main(&model, argc, argv);
	}
	if (argc != 3 || !(self = realpath("/proc/self/exe", NULL)) ||
	    !(fake_cuda = realpath(argv[1], NULL)) || !(fake_nccl = realpath(argv[2], NULL)))
		return 2;
	child_folder_make();
	check_same();
	check_faults();
	return check_report("gpus");
}
