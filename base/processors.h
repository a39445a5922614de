/* SPDX-License-Identifier: MIT */
/* How many processors this process may use, for nnc and for trainers. */
#ifndef NNC_PROCESSORS_H
#define NNC_PROCESSORS_H

/* Those of its affinity mask; at least 1. */
int processors_allowed(void);

/* The processors' worth of time that control groups leave it: the least quota of its own group and of all around it.
 * `groups`: the text of /proc/self/cgroup; `root`: /sys/fs/cgroup, or a folder that stands in for it. 0: no limit. */
double processors_limit_of(const char *groups, const char *root);
double processors_limit(void);

/* The default number of threads: those allowed, or the limit rounded up where that is less. At least 1. */
int processors_usable(void);

#endif
