/* SPDX-License-Identifier: MIT */
#include "runtime/host/memory.h"
#include "runtime/host/file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const double unlimited = 1e18;

/* The number that a file begins with; `unlimited` where it has none, as in "max". */
static double number_in(const char *folder, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return file_number(path, unlimited);
}

/* The number that follows `key` in a file of lines; `otherwise` where there is none. */
static double number_behind(const char *path, const char *key, double otherwise)
{
	char line[256];
	size_t n = strlen(key);
	double value;
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, key, n) == 0 && sscanf(line + n, "%lf", &value) == 1)
			otherwise = value;
	if (f)
		fclose(f);
	return otherwise;
}

/* What a group may still take: its limit less what it has; files that are cached can be dropped. */
static double left_in_group(const char *folder, const char *limit, const char *taken)
{
	char stat[4096];
	double most = number_in(folder, limit);
	if (most >= unlimited)
		return unlimited;
	snprintf(stat, sizeof stat, "%s/memory.stat", folder);
	double cached = number_behind(stat, "inactive_file ", 0) + number_behind(stat, "active_file ", 0);
	double in_use = number_in(folder, taken);
	if (in_use >= unlimited) /* it can't be read */
		return unlimited;
	double left = most - in_use + cached;
	return left > 0 ? left : 0;
}

/* The least of the group `path` below `root` and of all that it is in. */
static double left_in_groups(const char *root, const char *path, const char *limit, const char *taken)
{
	char folder[4096];
	double least = unlimited;
	snprintf(folder, sizeof folder, "%s%s", root, path);
	for (size_t end = strlen(folder); end >= strlen(root); end--) {
		if (folder[end] != '/' && folder[end] != 0)
			continue;
		folder[end] = 0;
		least = fmin(least, left_in_group(folder, limit, taken));
	}
	return least;
}

/* Each line of /proc/self/cgroup is "number:controllers:path"; version 2 has no controllers. */
static double left_in_control_groups(void)
{
	char line[4096];
	double least = unlimited;
	FILE *f = fopen("/proc/self/cgroup", "re");
	while (f && fgets(line, sizeof line, f)) {
		char *controllers = strchr(line, ':'),
		     *path = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!path)
			continue;
		*path++ = 0;
		path[strcspn(path, "\n")] = 0;
		if (controllers[1] == 0)
			least = fmin(least,
			             left_in_groups("/sys/fs/cgroup", path, "memory.max", "memory.current"));
		else if (strcmp(controllers + 1, "memory") == 0)
			least = fmin(least, left_in_groups("/sys/fs/cgroup/memory", path,
			                                   "memory.limit_in_bytes", "memory.usage_in_bytes"));
	}
	if (f)
		fclose(f);
	return least;
}

double memory_available(void)
{
	double free = number_behind("/proc/meminfo", "MemAvailable:", unlimited / 1024) * 1024;
	return fmin(free, left_in_control_groups());
}

double memory_addresses_left(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return unlimited;
	double pages = number_in("/proc/self", "statm"); /* its first number: all that is mapped */
	double taken = pages < unlimited ? pages * (double)sysconf(_SC_PAGESIZE) : 0;
	return fmax(0, (double)limit.rlim_cur - taken);
}

double memory_of_process(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	long long pages = 0;
	bool known = f && fscanf(f, "%*d %lld", &pages) == 1;
	if (f)
		fclose(f);
	return known ? (double)pages * (double)sysconf(_SC_PAGESIZE) : 0;
}
