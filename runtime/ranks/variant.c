/* SPDX-License-Identifier: MIT */
/* A trainer's sizes are constants, the batch above all; so each number of ranks has a program of its own, for its share
 * of the batch. The text of the network and nnc's command line are in the trainer: the program for another number is
 * made of them when it is needed, and kept beside it. */
#include "runtime/ranks/variant.h"
#include "runtime/ranks/one_rank.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/progress.h"
#include "runtime/host/source.h"
#include "runtime/host/signals.h"
#include "runtime/host/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- which is which */

/* "nnc program HASH for 4 ranks"; malloc'd. */
static char *mark_of(const NnrModel *m, int64_t ranks)
{
	static const char end[] = " for ";
	const char *at = strstr(m->program, end);
	require(at);
	return text_printf("%.*s%s%lld ranks", (int)(at - m->program), m->program, end, (long long)ranks);
}

/* Whether the file at `path` is such a trainer. */
static bool variant_is_at(const char *path, const NnrModel *m, int64_t ranks)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	void *text = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && access(path, X_OK) == 0
	                     ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
	                     : MAP_FAILED;
	close(fd);
	if (text == MAP_FAILED)
		return false;
	char *mark = mark_of(m, ranks);
	bool found = memmem(text, (size_t)st.st_size, mark, strlen(mark) + 1) != NULL;
	free(mark);
	munmap(text, (size_t)st.st_size);
	return found;
}

/* ---- the compiler */

/* $NNC, else the nnc that has made this trainer, else that of the PATH. NULL: there is none. */
static const char *find_nnc(const NnrModel *m)
{
	const char *named = getenv("NNC"), *path = getenv("PATH");
	const char *places[] = {named && *named ? named : NULL, m->compiler};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i] && access(places[i], X_OK) == 0)
			return places[i];
	for (const char *at = path; at && *at;) {
		size_t n = strcspn(at, ":");
		char *file = text_printf("%.*s/nnc", (int)n, at);
		if (n > 0 && access(file, X_OK) == 0)
			return file;
		free(file);
		at += n + (at[n] == ':');
	}
	return NULL;
}

/* Whether a word of the trainer's sets what `words` set: the batch, or what a chunk of it is. */
static bool is_set_by(const char *word, const char *words)
{
	static const char batch[] = "--set=batch=", chunk[] = "--set=chunk=", times[] = "--set=accumulate=";
	if (strncmp(word, batch, strlen(batch)) == 0)
		return strstr(words, batch);
	return strstr(words, chunk) &&
	       (strncmp(word, chunk, strlen(chunk)) == 0 || strncmp(word, times, strlen(times)) == 0);
}

/* As a person would type it, with `more` words for those of the trainer that set the same; malloc'd. */
static char *command_text(const NnrModel *m, const char *more_words, const char *out)
{
	char *text = text_printf("nnc %s", m->source);
	for (int i = 0; i < m->word_count; i++) {
		if (is_set_by(m->words[i], more_words))
			continue;
		bool plain = !m->words[i][strcspn(m->words[i], " '\"()*?[]$`\\;&|<>")];
		text_append(&text, plain ? " %s" : " '%s'", m->words[i]);
	}
	text_append(&text, " %s -o %s", more_words, out);
	return text;
}

static int64_t compiled_ranks(const NnrModel *m)
{
	return m->ranks > 1 ? m->ranks : 1;
}

/* The path of this program. */
static const char *own_path(void)
{
	static char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	require(length > 0);
	self[length] = 0;
	return self;
}

/* What is evaluated together is the shares of one batch. */
static bool any_trainer_does(const NnrModel *m, const Options *o)
{
	return takes_weights(o) && !(o->command == COMMAND_EVAL && m->couples);
}

void variant_check_batch(const NnrModel *m, const Options *o, int64_t ranks)
{
	int64_t samples = m->batch * compiled_ranks(m), more = (samples / ranks + 1) * ranks;
	if (any_trainer_does(m, o) || samples % ranks == 0)
		return;
	bool chunk = m->chunks > 1;
	char *words = text_printf("--set=%s=%lld", chunk ? "chunk" : "batch", (long long)more);
	if (chunk && samples * m->chunks % more != 0) {
		char *both = text_printf("%s --set=batch=%lld", words, (long long)(more * m->chunks));
		free(words);
		words = both;
	}
	die_help(STATUS_USAGE,
	         text_printf("take a multiple of the ranks: `%s`", command_text(m, words, own_path())),
	         "a %s of %lld samples can't be shared by %lld ranks equally", chunk ? "chunk" : "batch",
	         (long long)samples, (long long)ranks);
}

/* Makes the folders of a file below `root`. */
static void make_folders(const char *root, const char *path)
{
	char *text = text_printf("%s", path);
	for (char *at = text + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = 0;
		if (mkdir(text, 0777) < 0 && errno != EEXIST)
			die(STATUS_DATA, "can't make the folder `%s`: %s", text, strerror(errno));
	}
	free(text);
}

static void write_sources(const NnrModel *m, const char *root)
{
	for (int i = 0; i < m->file_count; i++) {
		char *path = path_join(root, m->sources[i].name), *text = source_text(&m->sources[i]);
		if (strstr(m->sources[i].name, "..") || m->sources[i].name[0] == '/')
			die(STATUS_INTERNAL, "the network uses `%s`, outside its folder", m->sources[i].name);
		make_folders(root, path);
		if (!file_write_new(path, text, (int64_t)strlen(text)))
			die(STATUS_DATA, "%s", file_failure());
		free(path);
		free(text);
	}
}

static void remove_sources(const NnrModel *m, const char *root)
{
	for (int i = 0; i < m->file_count; i++) {
		char *path = path_join(root, m->sources[i].name);
		(void)unlink(path);
		for (char *slash = strrchr(path, '/'); slash && (size_t)(slash - path) > strlen(root);
		     slash = strrchr(path, '/')) {
			*slash = 0;
			(void)rmdir(path); /* it fails until the last file is gone */
		}
		free(path);
	}
	(void)rmdir(root);
}

/* The exit status of nnc; -1: it did not run, or was ended by a signal. */
static int run_nnc(const NnrModel *m, const char *nnc, const char *root, int64_t ranks, const char *out)
{
	char **argv = allocate(m->word_count + 6, sizeof *argv, "a command");
	int n = 0;
	argv[n++] = (char *)nnc;
	argv[n++] = path_join(root, m->source);
	for (int i = 0; i < m->word_count; i++)
		argv[n++] = (char *)m->words[i];
	argv[n++] = text_printf("--ranks=%lld", (long long)ranks);
	argv[n++] = "-o";
	argv[n++] = (char *)out;
	sigset_t none, ignored;
	posix_spawnattr_t attr;
	pid_t pid;
	int status;
	sigemptyset(&none);
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	require(posix_spawnattr_init(&attr) == 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &ignored);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int failed = posix_spawn(&pid, nnc, NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	free(argv[1]);
	free(argv[n - 3]);
	free(argv);
	if (failed)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		require(errno == EINTR);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void build(const NnrModel *m, int64_t ranks, const char *path)
{
	const char *nnc = find_nnc(m), *folder = getenv("TMPDIR");
	char *ranks_word = text_printf("--ranks=%lld", (long long)ranks),
	     *help = text_printf("make it with `%s`, or name nnc by NNC", command_text(m, ranks_word, path));
	if (!nnc)
		die_help(STATUS_DEVICE, help,
		         "there are %lld ranks, this trainer was compiled for %lld, and nnc is not here to "
		         "make "
		         "another",
		         (long long)ranks, (long long)compiled_ranks(m));
	say_note("there are %lld ranks: nnc makes the trainer for their share of the batch, `%s`",
	         (long long)ranks, path);
	char *root = text_printf("%s/nnc-ranks-XXXXXX", folder && *folder ? folder : "/tmp"),
	     *fresh = text_printf("%s.nnc-%d", path, (int)getpid());
	if (!mkdtemp(root))
		die(STATUS_DATA, "can't make a folder `%s`: %s", root, strerror(errno));
	write_sources(m, root);
	int status = run_nnc(m, nnc, root, ranks, fresh);
	remove_sources(m, root);
	bool fits = status == 0 && variant_is_at(fresh, m, ranks);
	if (!fits || rename(fresh, path) < 0) {
		(void)unlink(fresh);
		die_help(STATUS_DEVICE, help,
		         status != 0
		                 ? "`%s` has not made the trainer for %lld ranks; what it says stands above"
		         : !fits ? "`%s` is of another version than this trainer, or has made another for "
		                   "%lld ranks"
		                 : "`%s` has made the trainer for %lld ranks, and it can't be put in its "
		                   "place",
		         nnc, (long long)ranks);
	}
	free(root);
	free(fresh);
	free(help);
	free(ranks_word);
}

/* The first rank of the host makes it; the others wait. */
static void wait_for(const NnrModel *m, int64_t ranks, const char *path)
{
	enum { MINUTES = 20 };
	static const struct timespec a_while = {.tv_nsec = 100000000};
	double begun = clock_seconds();
	while (!variant_is_at(path, m, ranks)) {
		if (clock_seconds() - begun > MINUTES * 60)
			die(STATUS_DEVICE,
			    "`%s`, which the first rank of this host was to make, is not there", path);
		nanosleep(&a_while, NULL);
	}
}

void variant_choose(const NnrModel *m, const Options *o, char **argv)
{
	int64_t compiled = compiled_ranks(m), ranks = ranks_count();
	if (any_trainer_does(m, o) || compiled == ranks)
		return;
	if (ranks_place()->local == 0)
		variant_check_batch(m, o, ranks);
	if (!m->program)
		die(STATUS_USAGE, "this trainer was compiled for %lld ranks, and there are %lld",
		    (long long)compiled, (long long)ranks);
	char *path = text_printf("%s.r%lld", own_path(), (long long)ranks);
	bool there = variant_is_at(path, m, ranks);
	if (!there && ranks_place()->local == 0)
		build(m, ranks, path);
	else if (!there)
		wait_for(m, ranks, path);
	signals_restore();
	execv(path, argv);
	die(STATUS_DEVICE, "can't run `%s`: %s", path, strerror(errno));
}

void variant_note_alone(const NnrModel *m, const Options *o)
{
	char listed[ONE_RANK_BYTES];
	bool bucket = false;
	if ((o->command != COMMAND_TRAIN && o->command != COMMAND_BENCH) || ranks_count() > 1)
		return;
	for (int i = 0; i < m->word_count; i++)
		bucket |= strncmp(m->words[i], "--bucket", strlen("--bucket")) == 0;
	if (one_rank_list(listed, m->recipe && strstr(m->recipe, "; shard optimizer"),
	                  m->recipe && strstr(m->recipe, "; wire bf16"), bucket) > 0)
		say_note("%s: no effect on one rank; `--gpus N` or mpirun starts several", listed);
}
