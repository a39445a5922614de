/* The CUDA target: convolutions by cuDNN, matrix products by cuBLASLt, everything else by generated kernels. */
#include "ops/op.h"
#include "target/target.h"

static const char *select_library(const Target *t, const Node *n)
{
	return t->library != CPU_LOOPS && n->op->cuda && n->type.dtype != DTYPE_F64 ? "library" : "loops";
}

const Target target_cuda = {
        .name = "cuda",
        .dialect = DIALECT_CUDA,
        .archs = "sm_90",
        .library_present = true,
        .select = select_library,
};
