/* SPDX-License-Identifier: MIT */
/* How many processors this process may use. processors.h.
 *
 * Control groups: https://docs.kernel.org/admin-guide/cgroup-v2.html, `cpu.max` ("QUOTA PERIOD" in microseconds, or
 * "max PERIOD"); of version 1, https://docs.kernel.org/scheduler/sched-bwc.html, `cpu.cfs_quota_us` (-1: none) and
 * `cpu.cfs_period_us`. A container may see its group's path as the host names it, and have its own group mounted as
 * the root: what is not there is passed over, and the root is always looked at. */
#include "base/processors.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 /* PATH_MAX: a longer path can't be opened */ };

int processors_allowed(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return CPU_COUNT(&set);
	long online = sysconf(_SC_NPROCESSORS_ONLN); /* more than a set holds */
	return online > 0 ? (int)online : 1;
}

/* The beginning of a file; empty where there is none. */
static void read_start(const char *path, char *to, size_t size)
{
	FILE *f = fopen(path, "re");
	to[f ? fread(to, 1, size - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
}

/* Of one group; 0: no limit. */
static double quota_in(const char *folder)
{
	char path[LONGEST + 32], text[128], period_text[64];
	double quota = 0, period = 0;
	snprintf(path, sizeof path, "%s/cpu.max", folder);
	read_start(path, text, sizeof text);
	if (!*text) {
		snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
		read_start(path, text, sizeof text);
		snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
		read_start(path, period_text, sizeof period_text);
		text[strcspn(text, "\n")] = '\0';
		size_t used = strlen(text);
		snprintf(text + used, sizeof text - used, " %s", period_text);
	}
	bool found = sscanf(text, "%lf %lf", &quota, &period) == 2 && quota > 0 && period > 0;
	return found && isfinite(quota / period) ? quota / period : 0;
}

static double least_limit(double a, double b)
{
	return a > 0 && (b == 0 || a < b) ? a : b;
}

/* From the group at `path` under `mount` up to the mount itself. */
static double limit_along(const char *mount, const char *path, size_t length)
{
	char folder[LONGEST];
	size_t root = strlen(mount);
	double least = 0;
	if (root + length + 1 > sizeof folder)
		length = 0;
	snprintf(folder, sizeof folder, "%s%.*s", mount, (int)length, path);
	for (;;) {
		least = least_limit(quota_in(folder), least);
		char *slash = strrchr(folder, '/');
		if (strlen(folder) <= root)
			return least;
		/* what is above the mount is no group */
		*(slash && slash > folder + root ? slash : folder + root) = '\0';
	}
}

/* Whether `cpu` is one of the controllers, which commas part. */
static bool has_cpu(const char *controllers, size_t length)
{
	for (const char *at = controllers, *end = at + length; at < end;) {
		size_t word = strcspn(at, ",:");
		if (word == 3 && !strncmp(at, "cpu", 3))
			return true;
		at += word + 1;
	}
	return false;
}

double processors_limit_of(const char *groups, const char *root)
{
	double least = 0;
	/* lines of ID:CONTROLLERS:PATH; version 2 has no controllers */
	for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *controllers = line + strcspn(line, ":\n");
		if (*controllers != ':')
			continue;
		size_t length = strcspn(++controllers, ":\n");
		const char *path = controllers + length;
		if (*path != ':' || (length > 0 && !has_cpu(controllers, length)))
			continue;
		char mount[LONGEST];
		size_t path_length = strcspn(++path, "\n");
		snprintf(mount, sizeof mount, "%s%s", root, length > 0 ? "/cpu" : "");
		least = least_limit(limit_along(mount, path, path_length), least);
		if (length >
		    3) { /* where cpu and cpuacct are mounted as one, `cpu` is a link, but not always */
			snprintf(mount, sizeof mount, "%s/%.*s", root, (int)length, controllers);
			least = least_limit(limit_along(mount, path, path_length), least);
		}
	}
	return least;
}

double processors_limit(void)
{
	char groups[16 << 10];
	read_start("/proc/self/cgroup", groups, sizeof groups);
	return processors_limit_of(groups, "/sys/fs/cgroup");
}

int processors_usable(void)
{
	int allowed = processors_allowed();
	double limit = processors_limit();
	return limit > 0 && ceil(limit) < allowed ? (int)ceil(limit) : allowed;
}
