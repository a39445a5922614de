/* SPDX-License-Identifier: MIT */
/* Where weights come from, as text in their checkpoint: the network and its files, the recipe, what the command line
 * decided, the data, the metrics. It is for people, and for programs of others; no run depends on it. */
#ifndef NNR_PROVENANCE_H
#define NNR_PROVENANCE_H

#include "runtime/data/safetensors.h"
#include "runtime/session/session.h"

/* Keys and values, malloc'd. */
typedef struct Provenance {
	Metadata *at;
	int count, room;
} Provenance;

/* One more; it owns `value` then. NULL: nothing is put. */
void provenance_put(Provenance *p, const char *key, char *value);
/* Puts all of it. */
void provenance_of(Provenance *p, const Session *s);
void provenance_free(Provenance *p);

/* s->metrics: the means of the epoch so far and of the evaluation, as JSON. `held_out` NULL: there was none. */
void provenance_keep_metrics(Session *s, const double *held_out);
/* Takes s->metrics and s->decisions from a checkpoint that is resumed, and puts in what this command line decides. */
void provenance_resume(Session *s, const Safetensors *f);

/* In front of the name of such a file as a key; and of its hash, XXH64 in 16 hexadecimal digits. */
#define PROVENANCE_FILE "net:"
#define PROVENANCE_HASH "xxh64:"

#endif
