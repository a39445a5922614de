/* SPDX-License-Identifier: MIT */
/* The batches of a session, made ahead of their steps by threads: decoded from files, or copied from memory. */
#ifndef NNR_LOADER_H
#define NNR_LOADER_H

#include "runtime/session/session.h"

typedef struct Loader Loader;

/* Memory of batches: the host's own, or what a device copies from. */
typedef struct LoaderMemory {
	void *(*take)(int64_t bytes); /* zeroed; ends the process where there is none */
	void (*give)(void *at, int64_t bytes);
} LoaderMemory;

extern const LoaderMemory loader_host_memory;

/* Whether the command's batches have to be made ahead, or should be: they are decoded from files, or random windows and
 * colours are chosen for each, or the user asks for it. */
bool loader_is_needed(const Session *s);
/* `move`: crop and flip are done here, not by a device; so they are where something goes along with the images.
 * `taken`: batches of a part that are taken at once, at most. The session stays where it is, and keeps data,
 * options and lengths. */
Loader *loader_new(const Session *s, LoaderMemory memory, bool move, int taken);
void loader_free(Loader *l);
/* A batch, laid out as the input block, once it is whole: batch `batch` of the training, counted from its beginning
 * over the epochs, or of the held-out samples. NULL where one of its samples can't be decoded,
 * and from then on. */
char *loader_take(Loader *l, bool held_out, int64_t batch);
/* Gives back the batch of a part that was taken first. */
void loader_release(Loader *l, bool held_out);
/* Adds to the seconds for which training steps waited for their batch. */
void loader_add_wait(Loader *l, double seconds);
/* Those since the last call of this. NULL: 0. */
double loader_waited(Loader *l);
/* Which file can't be used, and why, malloc'd; NULL: no batch has failed. */
char *loader_failure(const Loader *l);
/* Whether that was the machine's fault and not the file's: the status for it, else 0. */
int loader_machine_status(const Loader *l);
/* The end with STATUS_DATA after a batch has failed, where nothing is to be saved. */
_Noreturn void loader_die(const Loader *l);

#endif
