/* The CPU target: which heavy operators go to oneDNN. */
#include "ops/op.h"
#include "target/target.h"

static const char *select_library(const Target *t, const Node *n)
{
	bool possible = t->library_present && n->op->dnn && n->type.dtype == DTYPE_F32;
	return possible && t->library == CPU_ONEDNN ? "onednn" : "loops";
}

const Target target_cpu = {.name = "cpu", .select = select_library};
