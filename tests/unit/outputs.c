/* SPDX-License-Identifier: MIT */
/* The files that a trainer writes: locks, links, modes, and what killed processes leave. */
#include "tests/unit/check.h"
#include "tests/unit/linear.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <time.h>

static void await(const char *path)
{
	for (int i = 0; i < 5000 && access(path, F_OK) != 0; i++)
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* A trainer in the middle of its work waits for the others to be refused. */
static void meet(int step)
{
	if (step != 4 && step != 0)
		return;
	put_file("reached", "", 0);
	await("go");
}

/* Starts a trainer that writes `first` until `others` have been tried, each refused by name. */
static void refuses_a_second(const char *first, const char *const *others, const char *says)
{
	unlink("reached");
	unlink("go");
	at_step = meet;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		_exit(trainer(first).status);
	at_step = NULL;
	await("reached");
	char host[256], owner[512];
	gethostname(host, sizeof host);
	for (int i = 0; others[i]; i++) {
		Ended e = trainer(others[i]);
		snprintf(owner, sizeof owner, "%s by the process ", says);
		const char *at = strstr(e.said, owner), *on = at ? strstr(at, "on `") : NULL;
		if (!CHECK(e.status == 3 && on && strncmp(on + 4, host, strlen(host)) == 0))
			printf("  %s: %d %s\n", others[i], e.status, e.said);
	}
	put_file("go", "", 0);
	int status;
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(files_like("*.lock") == 0);
}

static void locks(void)
{
	CHECK(ends("--data data --epochs 5 --checkpoint alone.st --quiet", 0, ""));
	CHECK(symlink("one.st", "other.st") == 0);
	static const char *const checkpoints[] = {
	        "--data data --steps 2 --checkpoint one.st", "--data data --steps 2 --checkpoint ./one.st",
	        "--data data --steps 2 --checkpoint other.st", "--data data --steps 2 --dump one.st", NULL};
	refuses_a_second("--data data --epochs 5 --checkpoint one.st --log one.jsonl", checkpoints,
	                 "st` is being written");
	CHECK(same_files("alone.st", "one.st") && files_like("one.*") == 2);
	static const char *const logs[] = {
	        "--data data --steps 2 --log two.jsonl",
	        "--data data --steps 2 --checkpoint one.st --resume --log two.jsonl", NULL};
	refuses_a_second("--data data --epochs 5 --log two.jsonl", logs, "`two.jsonl` is being written");
	static const char *const dumps[] = {"--data data --steps 2 --dump dump.st", NULL};
	refuses_a_second("--data data --epochs 5 --dump dump.st", dumps, "`dump.st` is being written");
	static const char *const predictions[] = {"predict --data data --init alone.st --out y.npy --quiet",
	                                          NULL};
	refuses_a_second("predict --data data --init alone.st --out y.npy --quiet", predictions,
	                 "`y.fit.npy` is being written");
}

static void is_killed(int step)
{
	if (step == 4)
		raise(SIGKILL);
}

/* What the kernel does for a lock, the next start does for its file. */
static void takes_over(void)
{
	at_step = is_killed;
	CHECK(ends("--data data --epochs 5 --checkpoint killed.st --quiet", 1000 + SIGKILL, ""));
	at_step = NULL;
	CHECK(access("killed.st.lock", F_OK) == 0);
	CHECK(ends("--data data --epochs 5 --checkpoint killed.st --quiet", 0, ""));
	CHECK(access("killed.st.lock", F_OK) != 0);
	put_file("killed.st.lock", "my notes\n", 9);
	CHECK(ends("--data data --steps 2 --checkpoint killed.st", 3,
	           "needs the name `killed.st.lock` for its lock, and another file has it"));
	char notes[16];
	CHECK(read_whole("killed.st.lock", notes, sizeof notes) == 9 && files_like("killed.st.1") == 0);
}

static void removes_what_is_dead(void)
{
	put_file("dead.st.nnc-AbC019", "half", 4);
	put_file("dead.st.nnc-alive0", "half", 4);
	put_file("dead.st.nnc-short", "mine", 4);
	put_file("dead.st.nnc-no.dot", "mine", 4);
	put_file("not_dead.st.nnc-AbC019", "half", 4);
	int alive = open("dead.st.nnc-alive0", O_RDONLY);
	CHECK(alive >= 0 && flock(alive, LOCK_EX) == 0);
	CHECK(ends("--data data --steps 2 --checkpoint dead.st", 0,
	           "removed 1 unfinished file beside `dead.st`"));
	close(alive);
	CHECK(files_like("dead.st.nnc-*") == 3 && files_like("not_dead.st.*") == 1);
	CHECK(access("dead.st.nnc-AbC019", F_OK) != 0);
	CHECK(ends("--data data --steps 2 --checkpoint dead.st --resume", 0, "removed 1 unfinished file"));
	CHECK(access("dead.st.nnc-alive0", F_OK) != 0 && files_like("dead.st.nnc-*") == 2);
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

static bool is_link(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* A link stays one, a private file private: resumed, begun anew, and where the link leads to nothing yet. */
static void keeps_links_and_modes(void)
{
	CHECK(mkdir("far", 0777) == 0 && symlink("far/link.st", "link.st") == 0);
	CHECK(ends("--data data --steps 2 --checkpoint link.st --quiet", 0, ""));
	CHECK(is_link("link.st") && !is_link("far/link.st") && chmod("far/link.st", 0600) == 0);
	CHECK(ends("--data data --steps 3 --checkpoint link.st --resume --quiet", 0, ""));
	CHECK(is_link("link.st") && mode_of("far/link.st") == 0600);
	CHECK(ends("--data data --steps 3 --checkpoint link.st", 0, "it is now `far/link.st.1`"));
	CHECK(is_link("link.st") && mode_of("far/link.st") == 0600 && mode_of("far/link.st.1") == 0600);
	CHECK(files_like("far/*") == 2 && files_like("link.st*") == 1);
	CHECK(ends("--data data --steps 2 --log private.jsonl --quiet", 0, "") &&
	      chmod("private.jsonl", 0640) == 0);
	CHECK(ends("--data data --steps 2 --log private.jsonl", 0, "`private.jsonl.1`"));
	CHECK(mode_of("private.jsonl") == 0640);
}

int main(void)
{
	child_folder_make();
	umask(022);
	put_data();
	locks();
	takes_over();
	removes_what_is_dead();
	keeps_links_and_modes();
	return check_report("unit, outputs");
}
