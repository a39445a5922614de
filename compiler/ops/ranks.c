/* The mean over several ranks of what each has computed of its share of the batch: statistics of a batchnorm with
 * `sync`, ahead of what is made of them. The gradients of parameters are no nodes of this kind: pass all_reduce.
 *
 * A mean, and not a sum, because all ranks have equal shares: what is summed up over a share and divided by its count
 * is then right for the whole batch, and gradients stay those of a rank's own loss, of which the mean is taken later.
 * Alone a rank's mean is its own value. */
#include "codegen/expr.h"
#include "codegen/implementation.h"
#include "ops/compose.h"

static bool all_reduce_infer(Infer *in)
{
	DType dtype = in->operands[0]->type.dtype;
	if (dtype != DTYPE_F32 && dtype != DTYPE_F64)
		return infer_error(in, "shape-mismatch", "`all_reduce` takes f32 or f64");
	return infer_like(in, 0);
}

/* Every rank's value has a share in every rank's loss: of that the mean, for each stands for its share of the whole. */
static void all_reduce_grad(Grad *g)
{
	g->result[0] = build1(&g->b, "all_reduce", g->dy);
}

static CudaLaunch emit_ranks(KernelText *k, const Node *n)
{
	write_line(k->w, "%s(x, y, %s, %lld);",
	           k->target->dialect == DIALECT_CUDA ? "nnr_mean" : "nnr_rank_mean",
	           dtype_runtime_name(n->type.dtype), (long long)type_elements(n->type));
	return (CudaLaunch){0};
}

static bool ranks_fit(const PassContext *ctx, const Node *n)
{
	return false; /* chosen by the operator alone */
}

const Implementation implementation_ranks = {
        .name = "ranks",
        .doc = "a call of the runtime, which goes over MPI or NCCL",
        .fits = ranks_fit,
        .emit = emit_ranks,
};

static const char *const all_reduce_samples[] = {
        "x=f32[1]",       "x=f32[2]",         "x=f32[7]",
        "x=f32[64]",      "x=f32[1000]",      "x=f32[1,1]",
        "x=f32[1,5]",     "x=f32[3,5]",       "x=f32[5,1]",
        "x=f32[1,64]",    "x=f32[2,3,5]",     "x=f32[1,1,7]",
        "x=f32[1,13,1]",  "x=f32[4,1,9]",     "x=f32[1,1,1,1]",
        "x=f32[1,1,1,3]", "x=f32[1,1,1,64]",  "x=f32[2,3,3,4]",
        "x=f32[2,5,1,3]", "x=f32[2,1,3,1,5]", NULL,
};

const Op ranks_ops[] = {
        {.name = "all_reduce",
         .signature = "x -> y",
         .doc = "The mean over all ranks of a training; of one rank x.",
         .infer = all_reduce_infer,
         .grad = all_reduce_grad,
         .header = "ranks/nnr_ranks.h",
         .implementation = "ranks",
         .samples = all_reduce_samples},
        {0},
};
