/* SPDX-License-Identifier: MIT */
/* What ranks send one another, as calls of the runtime that nothing is fused across. */
#include "codegen/expr.h"
#include "codegen/implementations.h"
#include "codegen/op_loops.h"

static CudaLaunch emit_ranks(KernelText *k, const Node *n)
{
	const bool takes = node_is(n, "rank_share");
	const char *prefix = k->target->ranks_prefix, *type = dtype_runtime_name(n->type.dtype);
	long long to = (long long)type_elements(n->type),
	          from = (long long)type_elements(n->operands[0]->type);
	if (n->op->ranks == RANKS_MEAN)
		code_do(k->code, "%smean(x, y, %s, %lld)", prefix, type, to);
	else if (takes)
		code_do(k->code, "%sshare(x, y, %s, %lld, %lld)", prefix, type, from, to);
	else
		code_do(k->code, "%sgather(x, y, %s, %lld, %lld)", prefix, type, to, from);
	return (CudaLaunch){0};
}

/* A rank's share of what it has anyway comes from nobody. */
static const char *library_of_ranks(const Node *n, const Target *t)
{
	const bool takes = n && node_is(n, "rank_share");
	return takes ? NULL : t->ranks_library;
}

static const char *const operators[] = {"all_reduce", "rank_share", "all_gather", NULL};

const Implementation implementation_ranks = {
        .name = "ranks",
        .doc = "a call of the runtime, which goes over MPI or NCCL",
        .operators = operators,
        .library = library_of_ranks,
        .emit = emit_ranks,
};

const OpLoops ranks_loops[] = {
        {.op = "all_reduce", .header = "ranks/nnr_ranks.h"},
        {.op = "rank_share", .header = "ranks/nnr_ranks.h"},
        {.op = "all_gather", .header = "ranks/nnr_ranks.h"},
        {0},
};
