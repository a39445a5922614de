/* SPDX-License-Identifier: MIT */
/* One process writes a file: the others are refused while it lives.
 *
 * The lock on FILE is the kernel's (flock) on a file beside it, FILE.lock, which holds the owner's process number and
 * host. The kernel gives it back whatever ends the process, so a FILE.lock that a crash left is taken over. It is on
 * the file's name and not on the file, which each save replaces. Over NFS such locks hold between hosts. */
#ifndef NNR_LOCK_H
#define NNR_LOCK_H

/* Locks what `path` names, a link's target, until locks_release() or the end of the process. Dies with STATUS_DATA
 * where another process has it, where FILE.lock can't be made, or where another file has that name; `option` is for
 * the message. A system without locks is a warning. */
void lock_take(const char *option, const char *path);
/* Gives all of them back, and removes their files. */
void locks_release(void);

#endif
