/* SPDX-License-Identifier: MIT */
#include "runtime/data/fingerprint.h"
#include "runtime/host/die.h"
#include "runtime/host/parallel.h"

#include <stdlib.h>

/* ---- a data set: the hash of the hashes of its pieces */

enum { PIECE = 1 << 20 };

typedef struct Pieces {
	const char *at;
	int64_t bytes;
	uint64_t *hashes;
} Pieces;

static void hash_piece(void *context, int64_t i)
{
	const Pieces *p = context;
	int64_t left = p->bytes - i * PIECE;
	p->hashes[i] = hash_bytes(p->at + i * PIECE, left < PIECE ? left : PIECE);
}

uint64_t data_fingerprint(const DataPart *part, const NnrModel *model, int threads)
{
	uint64_t inputs[MAX_INPUTS];
	if (part->names) /* which of the files it has is a function of their number, and of the seed */
		return hash_bytes((uint64_t[]){part->names, (uint64_t)part->count}, 16);
	for (int i = 0; i < model->input_count; i++) {
		Pieces p = {.at = part->at[i], .bytes = part_bytes(part, model, i)};
		int64_t count = (p.bytes + PIECE - 1) / PIECE;
		p.hashes = allocate(count, sizeof *p.hashes, "the fingerprint of the data");
		parallel_for(count, threads, hash_piece, &p, NULL);
		inputs[i] = hash_bytes(p.hashes, count * (int64_t)sizeof *p.hashes);
		free(p.hashes);
	}
	return hash_bytes(inputs, model->input_count * (int64_t)sizeof *inputs);
}
