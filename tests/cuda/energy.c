/* SPDX-License-Identifier: MIT */
/* Joules of a CUDA trainer on the fake driver and the fake NVML: in `bench`, in the last line of the log, and nowhere
 * without a counter.
 *
 *     energy FAKE_LIBCUDA FAKE_LIBNVML */
#include "tests/cuda/line_model.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

static char driver[4096], nvml[4096];

/* A second from each question to the next: no run is too short for counters. */
double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void)
{
	static double now;
	return now += 1;
}

static int act(void *context)
{
	char words[256], *argv[16] = {"line"};
	int argc = 1;
	snprintf(words, sizeof words, "%s", (const char *)context);
	for (char *word = strtok(words, " "); word && argc < 15; word = strtok(NULL, " "))
		argv[argc++] = word;
	setenv("NNR_LIBCUDA", driver, true);
	setenv("NNR_POWERCAP", "nowhere", true);
	line_model_for(true);
	return nnr_main(&model, argc, argv);
}

static Ended run(const char *words, const char *library, const char *says)
{
	setenv("NNR_LIBNVML", library, true);
	Ended e = run_child(act, (void *)(uintptr_t)words);
	if (e.status != 0 || (says && !strstr(e.said, says)))
		printf("  %s ended with %d: %s\n", words, e.status, e.said);
	return e;
}

int main(int argc, char **argv)
{
	static const char bench[] = "bench --data synth:random,samples=40 --steps 20 --quiet",
	                  training[] = "--data synth:random,samples=40 --epochs 4 --quiet --log log.jsonl";
	static char log[1 << 16];
	if (argc != 3 || !realpath(argv[1], driver) || !realpath(argv[2], nvml))
		return 1;
	child_folder_make();
	/* Six looks at five windows of 20 steps of 4: 12.5 J for 400 samples. */
	static const char of_bench[] = "\"gpu_joules_per_sample\": 0.03125, \"device\"";
	CHECK(strstr(run(bench, nvml, of_bench).said, of_bench) != NULL);
	run(training, nvml, NULL);
	read_whole("log.jsonl", log, sizeof log);
	const char *last = strstr(log, "{\"energy\": ");
	CHECK(last && strstr(last, "\"samples\": ") && strstr(last, "\"gpu_joules\": ") &&
	      !strstr(last, "cpu"));
	CHECK(last && strchr(last, '\n') && !strchr(last, '\n')[1]);
	for (int i = 0; i < 2; i++) { /* no NVML, and one without that counter */
		const char *library = i ? nvml : "/nonexistent/libnvidia-ml.so.1";
		if (i)
			setenv("FAKE_NVML", "none", true);
		Ended e = run(bench, library, "\"samples_per_second\"");
		CHECK(e.status == 0 && !strstr(e.said, "joules"));
		unlink("log.jsonl");
		CHECK(run(training, library, NULL).status == 0);
		read_whole("log.jsonl", log, sizeof log);
		CHECK(strstr(log, "{\"epoch\": 4") && !strstr(log, "energy"));
	}
	return check_report("energy");
}
