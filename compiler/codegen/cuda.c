/* SPDX-License-Identifier: MIT */
/* The CUDA target: convolutions by cuDNN, matrix products by cuBLASLt, everything else by generated kernels. */
#include "codegen/dialect.h"
#include "ir/op.h"
#include <stdlib.h>
#include <string.h>

/* The GPUs meant are A100, RTX 3090, AGX Orin, RTX 4090, H200, B200, B300 and RTX 5090. */
static const Arch archs[] = {
        {80, 108, 65536, 2048, 166912},  {86, 82, 65536, 1536, 101376},   {87, 16, 65536, 1536, 166912},
        {89, 128, 65536, 1536, 101376},  {90, 132, 65536, 2048, 232448},  {100, 148, 65536, 2048, 232448},
        {103, 148, 65536, 2048, 232448}, {120, 170, 65536, 1536, 101376},
};

static Arch arch_of(int number)
{
	for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
		if (archs[i].number == number)
			return archs[i];
	return (Arch){number, 132, 65536, 1536, 48 << 10};
}

Arch target_arch(const Target *t)
{
	Arch least = arch_of(atoi(t->archs + strlen("sm_")));
	for (const char *at = t->archs; (at = strchr(at, ','));) {
		at += strlen(",sm_");
		Arch a = arch_of(atoi(at));
		least.number = a.number < least.number ? a.number : least.number;
		least.multiprocessors =
		        a.multiprocessors < least.multiprocessors ? a.multiprocessors : least.multiprocessors;
		least.registers = a.registers < least.registers ? a.registers : least.registers;
		least.threads = a.threads < least.threads ? a.threads : least.threads;
		least.shared_bytes =
		        a.shared_bytes < least.shared_bytes ? a.shared_bytes : least.shared_bytes;
	}
	return least;
}

bool target_has_clusters(const Target *t)
{
	return t->gpu && target_arch(t).number >= 90;
}

const Arch *target_warpgroups(const Target *t)
{
	const Arch *found = NULL;
	for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
		if (archs[i].number == 90)
			found = &archs[i];
	return t->gpu && strstr(t->archs, "sm_90") ? found : NULL;
}

static const char library_note[] =
        " *\n"
        " * It computes on the first GPU that CUDA_VISIBLE_DEVICES shows; arrays are of the host's memory. "
        "Instances share no\n"
        " * weights and no states, but the GPU's stream: several threads may use several, whose calls wait "
        "for one another.\n"
        " * Plans of cuDNN and cuBLASLt are their first choice, or those of the record that $NNR_TUNE names "
        "(as a trainer of\n"
        " * the same network writes it beside itself: TRAINER.tune). */\n";

/* Kernels count elements in int, and the last turn of a loop over them, of all threads of the GPU at the most, goes
 * beyond the end: most_elements. */
const Target target_cuda = {
        .name = "cuda",
        .dialect = &dialect_cuda,
        .remainders = true,
        .gpu = true,
        .halves = true,
        .epilogues = OP_EPILOGUE | OP_EPILOGUE_GPU,
        .resident_rows = true,
        .most_elements = INT32_MAX - (1 << 24),
        .archs = "sm_90",
        .library_present = true,
        .library_mib = 256,
        .library_note = library_note,
        .product_shape = "NnrProductShape",
        .ranks_library = "NCCL",
        .ranks_prefix = "nnr_",
        .bucket_bytes = 16 << 20,
        .pads_from = 1 << 20,
        .chunks_from = 512 << 20,
        .chunk_rows = 512,
        .split_update = 1 << 20, /* with Adam 30 MB to move, some 10 us: less is not worth a launch */
        .signs_from = 16 << 20,
        .taps_from = 16 << 20,
        .pieces_from = 16 << 20,
        .transposes_from = 1024, /* between those that were measured: rules/kernels.rules */
        .conv_matrices_from =
                65536, /* fewer may train on chip (onchip/onchip.c), where a convolution stays what it is */
        .products_from =
                2 * 1000 * 1000 * 1000, /* 5 us at an H200's best: of smaller ones the launch counts */
        .conv_images_from = 32768,      /* measured from there on: kernels/conv_image_cuda.c */
};

const Target target_block = {
        .name = "block",
        .one_block = true,
        .dialect = &dialect_block,
        .epilogues = OP_EPILOGUE,
        .archs = "sm_90",
};
