/* Sizes on which kernels and what the compiler plans for them agree. Read by both: no CUDA here. */
#ifndef NNR_SIZES_H
#define NNR_SIZES_H

enum {
	NNR_GROUP = 24,    /* blocks whose sums over resident rows are added together first (nnr_reduce.h) */
	NNR_SUM_LANES = 4, /* of a team, that a block of the kernel which adds them up has */
	NNR_SUM_THREADS = 1024,  /* of such a block, at most */
	NNR_SLICE_BYTES = 128,   /* of a row of a tile's side, along the depth (nnr_tile.h) */
	NNR_ATTENTION_ROWS = 64, /* that a block of NNR_ATTENTION_THREADS computes (nnr_attention.h) */
	NNR_ATTENTION_THREADS = 128,
};

#endif
