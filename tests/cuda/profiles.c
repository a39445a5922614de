/* SPDX-License-Identifier: MIT */
/* `profile` of a CUDA trainer on the fake driver: by the fake CUPTI, and by events where there is none.
 *
 *     profiles FAKE_LIBCUDA [FAKE_LIBCUPTI] */
#include "tests/cuda/line_model.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

static char driver[4096], cupti[4096];

typedef struct Run {
	bool by_cupti;
	const char *say; /* FAKE_CUPTI; or NULL */
	const char *words[8];
} Run;

static int act(void *context)
{
	const Run *run = context;
	char *argv[16] = {"line",   "profile", "--data", "synth:random,samples=40", "--steps", "6", "--json",
	                  "p.json", "--trace", "t.json"};
	int argc = 10;
	for (int i = 0; i < 8 && run->words[i]; i++)
		argv[argc++] = (char *)(uintptr_t)run->words[i];
	setenv("NNR_LIBCUDA", driver, true);
	setenv("NNR_LIBCUPTI", run->by_cupti ? cupti : "/nonexistent/libcupti.so", true);
	setenv("FAKE_CUDA_MICROSECONDS", "7", true);
	if (run->say)
		setenv("FAKE_CUPTI", run->say, true);
	line_model_for(true);
	return nnr_main(&model, argc, argv);
}

/* Of the first run of the key in the profile's JSON; -1: there is none. */
static double number(const char *text, const char *key)
{
	char quoted[64];
	snprintf(quoted, sizeof quoted, "\"%s\": ", key);
	const char *at = strstr(text, quoted);
	return at ? atof(at + strlen(quoted)) : -1;
}

static int times_in(const char *text, const char *what)
{
	int times = 0;
	for (; (text = strstr(text, what)); text++)
		times++;
	return times;
}

/* The parts add up to the whole, to the ns, and what ran is in both files. */
static void check_files(const char *measured, int branch_kernels)
{
	static char json[1 << 16], trace[1 << 18];
	read_whole("p.json", json, sizeof json);
	read_whole("t.json", trace, sizeof trace);
	CHECK(strstr(json, measured) != NULL);
	double parts = number(json, "data_ns") + number(json, "forward_ns") + number(json, "loss_ns") +
	               number(json, "backward_ns") + number(json, "update_ns") + number(json, "other_ns") +
	               number(json, "between_ns");
	CHECK(number(json, "total_ns") > 0);
	CHECK(parts == number(json, "total_ns"));
	CHECK(number(json, "forward_ns") > 0 && number(json, "backward_ns") > 0);
	CHECK((number(json, "update_ns") > 0) == (branch_kernels > 0));
	CHECK(times_in(trace, "\"cat\": \"step\"") == 6);
	CHECK(times_in(trace, "\"name\": \"line_train_step\"") == 6 * (int)model.chunks);
	CHECK(times_in(trace, "\"name\": \"line_prepare_weights\"") == branch_kernels);
	CHECK(strstr(trace, "y = x -> dense(1)") && strstr(trace, "\"name\": \"forward\""));
}

static bool runs(Run run, const char *says)
{
	unlink("p.json");
	unlink("t.json");
	Ended e = run_child(act, &run);
	bool ok = e.status == 0 && strstr(e.said, says) && strstr(e.said, "loss mse(y, \"z\")");
	if (!ok)
		printf("  ended with %d: %s\n", e.status, e.said);
	return ok;
}

static void with_cupti(void)
{
	for (model.chunks = 1; model.chunks <= 2; model.chunks++) {
		CHECK(runs((Run){true, NULL, {"--quiet"}}, "with CUPTI"));
		check_files("\"measured\": \"CUPTI\"", 0);
		branches = 1;
		CHECK(runs((Run){true, NULL, {"--quiet"}}, "with CUPTI"));
		check_files("\"measured\": \"CUPTI\"", 6 * (int)model.chunks);
		branches = 0;
	}
	model.chunks = 1;
	fetches = true;
	CHECK(runs((Run){true, NULL, {"--quiet"}}, "with CUPTI"));
	check_files("\"measured\": \"CUPTI\"", 6);
	CHECK(runs((Run){true, NULL, {"--stream"}}, "with CUPTI"));
	check_files("\"measured\": \"CUPTI\"", 6);
	fetches = false;
	CHECK(runs((Run){true, "refused", {0}},
	           "lets only its administrator profile; so steps are timed launch by launch"));
	check_files("launch by launch", 0);
	CHECK(runs((Run){true, "empty", {0}}, "CUPTI recorded no kernel of a step"));
	check_files("launch by launch", 0);
}

static void with_events(void)
{
	CHECK(runs((Run){false, NULL, {0}}, "NNR_LIBCUPTI can't be loaded"));
	check_files("an event around each, launch by launch", 0);
	branches = 1;
	CHECK(runs((Run){false, NULL, {"--no-graph", "--quiet"}}, "launch by launch"));
	check_files("an event around each, launch by launch", 6);
	branches = 0;
	model.chunks = 2;
	CHECK(runs((Run){false, NULL, {"--no-graph"}}, "launch by launch"));
	check_files("an event around each, launch by launch", 0);
	model.chunks = 1;
	CHECK(runs((Run){false, NULL, {"--no-graph", "--stream"}}, "data "));
	check_files("an event around each, launch by launch", 0);
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3 || !realpath(argv[1], driver) || (argc == 3 && !realpath(argv[2], cupti)))
		return 2;
	child_folder_make();
	if (argc == 3)
		with_cupti();
	with_events();
	return check_report("cuda, profiles");
}
