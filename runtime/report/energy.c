/* SPDX-License-Identifier: MIT */
#include "runtime/report/energy.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/progress.h"
#include "runtime/ranks/ranks.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ZONES = 64 };

/* A domain of powercap: a package, or the memory beside one, which the package does not count. */
typedef struct Zone {
	char *path; /* of its counter, in microjoules */
	double range, last, last_seconds, joules;
} Zone;

static struct {
	bool looked;
	int count;
	Zone at[MOST_ZONES];
} zones;

static bool is_counted(const char *folder)
{
	char name[32] = "", *path = path_join(folder, "name");
	FILE *f = fopen(path, "re");
	bool counted = f && fscanf(f, "%31s", name) == 1 &&
	               (strncmp(name, "package", 7) == 0 || strcmp(name, "dram") == 0);
	if (f)
		fclose(f);
	free(path);
	return counted;
}

static void find_zones(void)
{
	const char *named = getenv("NNR_POWERCAP"), *root = named && *named ? named : "/sys/class/powercap";
	DIR *d = opendir(root);
	zones.looked = true;
	for (const struct dirent *e; d && zones.count < MOST_ZONES && (e = readdir(d));) {
		if (strncmp(e->d_name, "intel-rapl:", 11) != 0) /* AMD's are called so too */
			continue;
		char *folder = path_join(root, e->d_name), *range = path_join(folder, "max_energy_range_uj");
		if (is_counted(folder))
			zones.at[zones.count++] = (Zone){.path = path_join(folder, "energy_uj"),
			                                 .range = file_number(range, NAN),
			                                 .last = NAN};
		free(range);
		free(folder);
	}
	if (d)
		closedir(d);
}

static void look_at_zone(Zone *z, double now)
{
	const double most_watts = 1e3;
	/* On many machines the administrator alone can read it. */
	double microjoules = file_number(z->path, NAN), taken = microjoules - z->last;
	if (taken < 0)
		taken += z->range;
	if (isnan(z->last))
		taken = isnan(microjoules) ? NAN : 0; /* the first look */
	else if ((now - z->last_seconds) * most_watts * 1e6 > z->range)
		taken = NAN; /* it may have wrapped */
	z->joules += 1e-6 * taken;
	z->last = microjoules;
	z->last_seconds = now;
}

Energy energy_now(const Session *s)
{
	Energy e = {clock_seconds(), NAN, NAN};
	if (ranks_many())
		return e;
	if (s->backend->joules)
		e.gpu = s->backend->joules(s);
	if (!zones.looked)
		find_zones();
	if (zones.count > 0)
		e.cpu = 0;
	for (int i = 0; i < zones.count; i++) {
		look_at_zone(&zones.at[i], e.seconds);
		e.cpu += zones.at[i].joules;
	}
	return e;
}

static double moved(double now, double then, double seconds)
{
	return seconds >= 1 && now > then ? now - then : NAN;
}

Energy energy_since(const Session *s, const Energy *then)
{
	const Energy now = energy_now(s);
	const double seconds = now.seconds - then->seconds;
	return (Energy){seconds, moved(now.gpu, then->gpu, seconds), moved(now.cpu, then->cpu, seconds)};
}

void energy_put(char *to, size_t room, const Energy *taken, double samples)
{
	const struct {
		const char *of;
		double joules;
	} counters[] = {{"gpu", taken->gpu}, {"cpu", taken->cpu}};
	size_t used = 0;
	to[0] = 0;
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		if (!isnan(counters[i].joules) && used < room)
			used += (size_t)snprintf(to + used, room - used, "\"%s_joules_per_sample\": %.6g, ",
			                         counters[i].of, counters[i].joules / samples);
}
