/* SPDX-License-Identifier: MIT */
/* The limit that control groups set on processors, read of made folders; and the affinity mask. */
#include "base/processors.h"
#include "tests/unit/check.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

static void make(const char *folders)
{
	char command[256];
	snprintf(command, sizeof command, "mkdir -p %s", folders);
	if (system(command) != 0)
		abort();
}

static bool is(const char *groups, double limit)
{
	double got = processors_limit_of(groups, "root");
	if (fabs(got - limit) < 1e-9)
		return true;
	printf("  %s gives %g\n", groups, got);
	return false;
}

static void version_2(void)
{
	make("root/a/b");
	CHECK(is("0::/a/b\n", 0));
	put("root/a/b/cpu.max", "max 100000\n");
	CHECK(is("0::/a/b\n", 0));
	put("root/a/b/cpu.max", "250000 100000\n");
	CHECK(is("0::/a/b\n", 2.5));
	put("root/a/cpu.max", "50000 100000\n"); /* one around it has less */
	CHECK(is("0::/a/b\n", 0.5));
	put("root/a/cpu.max", "400000 100000\n");
	CHECK(is("0::/a/b\n", 2.5));
	CHECK(is("0::/a/b/gone\n", 2.5));
	CHECK(is("0::/\n", 0));
	put("root/cpu.max", "150000 50000\n"); /* a container's own group is the root */
	CHECK(is("0::/\n", 3) && is("0::/../elsewhere\n", 3) && is("0::/host/path\n", 3));
	for (int i = 0; i < 3; i++) {
		put("root/a/b/cpu.max", (const char *[]){"", "no number\n", "100000 0\n"}[i]);
		CHECK(is("0::/a/b\n", 3));
	}
	CHECK(is("", 0) && is("0", 0) && is("\n\n0:\n", 0));
	remove("root/cpu.max");
}

static void version_1(void)
{
	make("root/cpu/g root/cpu,cpuacct/h root/cpuset/g");
	put("root/cpuset/g/cpu.cfs_quota_us", "100\n");
	put("root/cpu/g/cpu.cfs_quota_us", "-1\n");
	put("root/cpu/g/cpu.cfs_period_us", "100000\n");
	CHECK(is("3:cpuset:/g\n1:cpu:/g\n", 0));
	put("root/cpu/g/cpu.cfs_quota_us", "125000\n");
	CHECK(is("3:cpuset:/g\n1:cpu:/g\n0::/\n", 1.25));
	CHECK(is("4:cpuacct,cpu:/g", 1.25));
	put("root/cpu,cpuacct/h/cpu.cfs_quota_us", "200000\n");
	put("root/cpu,cpuacct/h/cpu.cfs_period_us", "50000\n");
	CHECK(is("4:cpu,cpuacct:/h\n", 4));
}

static void affinity(void)
{
	cpu_set_t one;
	CHECK(processors_usable() >= 1 && processors_usable() <= processors_allowed());
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof one, &one) == 0)
		CHECK(processors_allowed() == 1 && processors_usable() == 1);
}

int main(void)
{
	char folder[] = "/tmp/processors.XXXXXX", command[64];
	if (!mkdtemp(folder) || chdir(folder) != 0)
		abort();
	version_2();
	version_1();
	affinity();
	snprintf(command, sizeof command, "rm -r %s", folder);
	CHECK(system(command) == 0);
	return check_report("unit, processors");
}
