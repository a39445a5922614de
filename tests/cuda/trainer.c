/* SPDX-License-Identifier: MIT */
/* A CUDA trainer on the fake driver: equal to the CPU trainer bit for bit, in graphs and plainly; and what it says when
 * the machine lacks something or a call fails. Here: how it is run and compared; the parts are in `trainer_*.c`.
 *
 *     trainer FAKE_LIBCUDA
 *     trainer --gpu line.cubin     the same equality on a real GPU (tests/gpu/run) */
#include "tests/cuda/trainer.h"

/* How many steps are asked for at once depends on how long the last ones took: here none takes any time, so that every
 * run makes the same calls (linked with --wrap). */
double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void)
{
	return 0;
}

const char *fake;

const char *const paces[PACES] = {"FAKE_CUDA_MICROSECONDS=1000", "FAKE_CUDA_MICROSECONDS=150",
                                  "FAKE_CUDA_MICROSECONDS=1"};

/* Both are split at blanks. */
int prepare(const Run *run, char *argv[MOST_WORDS])
{
	static char words[1024], settings[1024];
	int argc = 1;
	argv[0] = "line";
	snprintf(words, sizeof words, "%s", run->line);
	for (char *word = strtok(words, " "); word && argc < MOST_WORDS - 1; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	if (fake)
		setenv("NNR_LIBCUDA", fake, true);
	snprintf(settings, sizeof settings, "%s", run->settings);
	for (char *word = strtok(settings, " "); word; word = strtok(NULL, " ")) {
		char *equals = strchr(word, '=');
		*equals = 0;
		setenv(word, equals + 1, true);
	}
	line_model_for(run->cuda);
	return argc;
}

int act(void *context)
{
	char *argv[MOST_WORDS];
	int argc = prepare(context, argv);
	return nnr_main(&model, argc, argv);
}

bool ends(bool cuda, const char *settings, const char *line, int status, const char *says)
{
	Run run = {line, settings, cuda};
	Ended e = run_child(act, &run);
	bool ok = e.status == status && strstr(e.said, says);
	if (!ok)
		printf("  %s `%s` ended with %d: %s\n", settings, line, e.status, e.said);
	return ok;
}

/* The log without what the clock decides: from `"samples_per_second"` to the end of a line. */
static void log_text(const char *path, char *text, size_t room)
{
	read_whole(path, text, room);
	char *to = text;
	for (const char *at = text; *at;) {
		const char *line = strchr(at, '\n'), *clock = strstr(at, "\"samples_per_second\"");
		const char *end = clock && line && clock < line ? clock : line;
		if (!line)
			break;
		if (strncmp(at, "{\"run\"", 6) == 0) { /* of the process, with the time */
			at = line + 1;
			continue;
		}
		memmove(to, at, (size_t)(end - at));
		to += end - at;
		*to++ = '\n';
		at = line + 1;
	}
	*to = 0;
}

bool same_logs(const char *a, const char *b)
{
	static char first[1 << 16], second[1 << 16];
	log_text(a, first, sizeof first);
	log_text(b, second, sizeof second);
	if (*first && strcmp(first, second) == 0)
		return true;
	printf("  one log:\n%s  the other:\n%s", first, second);
	return false;
}

/* A checkpoint without what says the target, which differs, and so the checksum; its length. */
static size_t without_target(const char *path, char bytes[1 << 16])
{
	size_t length = read_whole(path, bytes, 1 << 16),
	       data = 8 + (unsigned char)bytes[0] + 256 * (size_t)(unsigned char)bytes[1], header = data;
	CHECK(length > data && data < 1 << 16);
	static const char *const keys[] = {"\"target\":\"", "\"crc32\":\""};
	for (int i = 0; i < 2; i++) {
		char *at = memmem(bytes + 8, header - 8, keys[i], strlen(keys[i]));
		if (!CHECK(at != NULL))
			return 0;
		at += strlen(keys[i]);
		size_t value = (size_t)((char *)memchr(at, '"', (size_t)(bytes + header - at)) - at);
		memmove(at, at + value, (size_t)(bytes + length - at) - value);
		length -= value;
		header -= value;
	}
	size_t blanks = 0; /* that fill the header */
	while (bytes[header - 1 - blanks] == ' ')
		blanks++;
	memmove(bytes + header - blanks, bytes + header, length - header);
	memset(bytes, 0, 8);
	return length - blanks;
}

bool same_trainings(const char *a, const char *b)
{
	static char first[1 << 16], second[1 << 16];
	size_t length = without_target(a, first);
	return length > 0 && length == without_target(b, second) && memcmp(first, second, length) == 0;
}

/* The image is for the GPU that is there: `arch` of the two that the model names is not looked at by the driver. */
static void load_image(const char *path)
{
	static unsigned char bytes[1 << 20];
	size_t n = read_whole(path, bytes, sizeof bytes);
	if (n == 0 || n == sizeof bytes - 1)
		abort();
	for (int i = 0; i < 2; i++)
		images[i].bytes = bytes;
}

int main(int argc, char **argv)
{
	static char path[4096];
	bool gpu = argc == 3 && strcmp(argv[1], "--gpu") == 0;
	if ((argc != 2 && !gpu) || !realpath(argv[argc - 1], path))
		return 2;
	if (gpu)
		load_image(path);
	else
		fake = path;
	child_folder_make();
	check_trainings();
	check_outputs();
	check_library();
	if (fake)
		check_faults();
	return check_report("cuda, the trainer");
}
