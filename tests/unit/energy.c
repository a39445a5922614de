/* SPDX-License-Identifier: MIT */
/* Joules by a powercap folder, and by a backend's counter: what is counted, a counter that wraps, and that nothing is
 * said where nothing is known. Linked with --wrap=clock_seconds. */
#include "runtime/report/energy.h"
#include "runtime/session/backend.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <math.h>

static double clock_now = 1000, gpu = 5;

double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void)
{
	return clock_now;
}

static double gpu_joules(const Session *s)
{
	return gpu;
}

static const NnrBackend with_counter = {.joules = gpu_joules}, without = {0};

static void put(const char *zone, const char *file, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "cap/%s", zone);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "cap/%s/%s", zone, file);
	put_file(path, text, strlen(text));
}

static void put_zone(const char *zone, const char *name, const char *microjoules)
{
	put(zone, "name", name);
	put(zone, "energy_uj", microjoules);
	put(zone, "max_energy_range_uj", "262143328850\n");
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

/* Packages and memory beside them; not the whole board, nor a package's cores once more. */
static int counts(void *context)
{
	const Session s = {.backend = &with_counter};
	put_zone("intel-rapl:0", "package-0\n", "262143000000\n");
	put_zone("intel-rapl:0:0", "core\n", "7\n");
	put_zone("intel-rapl:0:1", "dram\n", "1000000\n");
	put_zone("intel-rapl:1", "psys\n", "7\n");
	put_zone("dtpm", "package-0\n", "7\n");
	Energy begun = energy_now(&s);
	put("intel-rapl:0", "energy_uj", "671150\n"); /* wrapped: 1 J */
	put("intel-rapl:0:0", "energy_uj", "900000000\n");
	put("intel-rapl:0:1", "energy_uj", "1500000\n");
	put("intel-rapl:1", "energy_uj", "900000000\n");
	put("dtpm", "energy_uj", "900000000\n");
	clock_now += 0.5;
	gpu += 30;
	Energy early = energy_since(&s, &begun);
	CHECK(isnan(early.cpu) && isnan(early.gpu));
	clock_now += 1.5;
	Energy taken = energy_since(&s, &begun);
	CHECK(near(taken.seconds, 2) && near(taken.cpu, 1.5) && near(taken.gpu, 30));
	char text[160];
	energy_put(text, sizeof text, &taken, 3);
	CHECK(strcmp(text, "\"gpu_joules_per_sample\": 10, \"cpu_joules_per_sample\": 0.5, ") == 0);
	clock_now += 262; /* looked at in time, so that it may be long ago */
	put("intel-rapl:0", "energy_uj", "671149\n");
	energy_now(&s);
	clock_now += 262;
	CHECK(near(energy_since(&s, &begun).cpu, 1.5 + 262143.328850 - 1e-6));
	clock_now += 263; /* too late: it may have wrapped twice */
	taken = energy_since(&s, &begun);
	CHECK(isnan(taken.cpu) && near(taken.gpu, 30));
	return checks_failed != 0;
}

static int counts_nothing(void *context)
{
	const Session s = {.backend = &without}, still = {.backend = &with_counter};
	const char *zone = context;
	if (zone)
		put_zone(zone, "package-0\n", "77\n");
	if (zone && strcmp(zone, "intel-rapl:2") == 0)
		unlink("cap/intel-rapl:2/energy_uj");
	Energy begun = energy_now(&s);
	clock_now += 10;
	Energy taken = energy_since(&s, &begun);
	CHECK(isnan(taken.cpu) && isnan(taken.gpu));
	taken = energy_since(&still, &(Energy){.seconds = 1000, .gpu = gpu, .cpu = NAN});
	CHECK(isnan(taken.gpu)); /* it stands */
	char text[160] = "?";
	energy_put(text, sizeof text, &taken, 3);
	CHECK(!*text);
	return checks_failed != 0;
}

int main(void)
{
	child_folder_make();
	setenv("NNR_POWERCAP", "cap", true);
	CHECK(run_child(counts_nothing, NULL).status == 0); /* no such folder */
	mkdir("cap", 0700);
	CHECK(run_child(counts_nothing, NULL).status == 0);
	char still[] = "intel-rapl:0", secret[] = "intel-rapl:2";
	CHECK(run_child(counts_nothing, still).status == 0);
	CHECK(run_child(counts, NULL).status == 0);
	CHECK(run_child(counts_nothing, secret).status == 0);
	return check_report("energy");
}
