/* The CUDA target: convolutions by cuDNN, matrix products by cuBLASLt, everything else by generated kernels. */
#include "ops/op.h"
#include "target/target.h"
#include <stdlib.h>
#include <string.h>

static const char *select_library(const Target *t, const Node *n)
{
	return t->library != CPU_LOOPS && n->op->cuda && n->type.dtype != DTYPE_F64 ? "library" : "loops";
}

bool target_has_clusters(const Target *t)
{
	if (t->dialect != DIALECT_CUDA || !t->archs)
		return false;
	for (const char *at = t->archs; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, "sm_", 3) != 0 || atoi(at + 3) < 90)
			return false;
	return true;
}

const Target target_cuda = {
        .name = "cuda",
        .dialect = DIALECT_CUDA,
        .archs = "sm_90",
        .library_present = true,
        .transposes_from = 4096, /* measured from 8000 on: passes/transpose_inputs.c */
        .select = select_library,
};

static const char *select_loops(const Target *t, const Node *n)
{
	return "loops";
}

const Target target_block = {
        .name = "block",
        .dialect = DIALECT_BLOCK,
        .archs = "sm_90",
        .select = select_loops,
};
