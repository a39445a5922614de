/* SPDX-License-Identifier: MIT */
/* Matrix products by a kernel of ours beside the library's (runtime/cuda/nnr_product.h): which have one, and how it is
 * cut.
 *
 * Under tf32, where code for sm_90 is made, a product by the library whose second factor is stored along the depth gets
 * the attribute `parts`: into how many parts our kernel cuts the depth. Which of the two runs the user's GPU decides,
 * when the trainer tunes. us on an H200, as it timed them (2026-11-23):
 *
 *                                              cuBLASLt    ours
 *     8000x1000x1000, a stored [k,m]               51.2    48.6
 *     8000x1000x1000, a stored [m,k]               50.2    49.1
 *     1000x1000x8000, a stored [k,m]               65.9    50.2, in 4 parts
 *     32000x1000x1000, a stored [k,m]             193.7   192.4
 *     1000x1000x32000, a stored [k,m]             179.9   169.9, in 4 parts
 *
 * In a steady load the larger ones run at the power limit (694 W, 1440 to 1740 MHz), and can't become much faster
 * there. Blocks that form clusters and share what they fetch gained nothing: clusters of 4 fill 120 of the 132
 * multiprocessors, and pairs were up to 5 % slower (bench/results/2026-11-23-gpu-singly.txt). */
#include "base/checked.h"
#include "kernels/matmul.h"
#include "codegen/kernel.h"
#include "codegen/implementations.h"
#include "codegen/library.h"
#include "runtime/cuda/nnr_sizes.h"

enum {
	MULTIPLE = 4, /* elements: rows of 16 bytes, as the copy engine and vectors of four need them */
	MOST_PARTS = 8,
	MOST_PARTIAL = 16 << 20, /* elements: the runtime gives no product more than 64 MiB of workspace */
	MOST_SIZE = INT32_MAX - NNR_PRODUCT_COLUMNS,
	LEAST_DEPTHS = 8, /* of a part */
	SUM_DEPTHS = 8,   /* what adding up the parts takes, in stages */
};
static int64_t tiles_of(const MatmulShape *s)
{
	return ceil_div(s->m, NNR_PRODUCT_ROWS) * ceil_div(s->n, NNR_PRODUCT_COLUMNS);
}

/* Into how many parts the kernel cuts the depth of the product `n`, a matmul of f32, on a GPU of so many
 * multiprocessors; 0: the kernel can't compute it. */
static int64_t product_parts(const Node *n, int multiprocessors)
{
	MatmulShape s;
	matmul_shape(n, &s);
	const int64_t depths = ceil_div(s.k, NNR_PRODUCT_DEPTH);
	if (n->operands[0]->type.dtype != DTYPE_F32 || s.batch != 1 || !s.tb || s.m % MULTIPLE ||
	    s.n % MULTIPLE || s.k % MULTIPLE || s.m > MOST_SIZE || s.n > MOST_SIZE || s.k > MOST_SIZE)
		return 0;
	/* the parts of a tile wait for each other: there is a multiprocessor for each of all */
	const int64_t room = multiprocessors / tiles_of(&s), most = room < MOST_PARTS ? room : MOST_PARTS;
	int64_t best = 1, least = INT64_MAX;
	for (int64_t parts = 1; parts <= most; parts++) {
		const int64_t share = ceil_div(depths, parts), stages = share + (parts > 1 ? SUM_DEPTHS : 0);
		if (parts > 1 &&
		    (share < LEAST_DEPTHS || share * (parts - 1) >= depths ||
		     tiles_of(&s) * parts * NNR_PRODUCT_ROWS * NNR_PRODUCT_COLUMNS > MOST_PARTIAL))
			continue;
		if (stages < least) {
			least = stages;
			best = parts;
		}
	}
	return best;
}

/* The parts that `implement` has given a node; 0: it is the library's alone. */
static int64_t product_parts_given(const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && node_attr(n, "parts") ? node_int(n, "parts") : 0;
}

/* By the pass carry_gather. */
static bool product_carries(const Node *n)
{
	return product_parts_given(n) > 0 && node_attr(n, "carries");
}

/* A tile whose depth is in parts is of a product so small that its result stays in the cache. (2000x1000x1000: 21.5 us,
 * and 22.9 with its rows' sums.) */
static int64_t sum_width(const Node *n)
{
	return product_parts_given(n) == 1 ? NNR_PRODUCT_COLUMNS : 0;
}

/* f32 elements. */
static int64_t product_workspace(const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	const int64_t parts = product_parts_given(n);
	return parts > 1 ? tiles_of(&s) * parts * NNR_PRODUCT_ROWS * NNR_PRODUCT_COLUMNS : 0;
}

static char *product_params(Arena *a, const Step *s)
{
	return arena_printf(a,
	                    "const __grid_constant__ NnrTensorMap a, const __grid_constant__ NnrTensorMap b, "
	                    "float *__restrict__ %s, float *partial%s%s%s",
	                    library_weight(s) ? "sums" : "y",
	                    library_bias(s) ? ", const float *__restrict__ bias" : "",
	                    library_weight(s) ? ", const float *__restrict__ weight" : "",
	                    product_carries(s->root) ? ", const __grid_constant__ NnrCarried carried" : "");
}

static char *product_extent(Arena *a, const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	return arena_printf(a, "%lldx%lldx%lld", (long long)s.m, (long long)s.n, (long long)s.k);
}

/* Writes what follows an element as a lambda; returns what to call it by. */
static const char *write_epilogue(KernelText *k)
{
	Code *body = code_new(k->arena);
	if (!library_write_after(body, k->arena, k->step, "sum", "added"))
		return "NnrProductSum()";
	code_scope(k->code, ";", "const auto epilogue = [](float sum, float%s)",
	           library_bias(k->step) ? " added" : "");
	code_take(k->code, body);
	code_close(k->code, 1);
	return "epilogue";
}

static CudaLaunch emit_row_sums(KernelText *k, const Node *n, const Tensors *t)
{
	enum { SUMMING = 256, WARP = 32 };
	MatmulShape s;
	matmul_shape(n, &s);
	const Node *bias = library_bias(k->step), *sums = k->step->nodes[k->step->node_count - 1];
	const char *epilogue = write_epilogue(k);
	code_do(k->code, "nnr_row_sums<%lld, %lld>(%s, %s, %s, %s, %s)", (long long)s.m, (long long)s.n,
	        tensor_of(t, k->program, n), tensor_of(t, k->program, sums),
	        bias ? tensor_of(t, k->program, bias) : "NnrNothing()", epilogue,
	        tensor_of(t, k->program, library_weight(k->step)));
	return (CudaLaunch){.blocks = ceil_div(type_elements(sums->type), SUMMING / WARP),
	                    .threads = SUMMING};
}

static CudaLaunch product_emit(KernelText *k, const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	const int64_t parts = product_parts_given(n), tiles = tiles_of(&s), items = tiles * parts;
	const int multiprocessors = target_warpgroups(k->target)->multiprocessors;
	const bool carries = product_carries(n);
	require(parts == 1 || items <= multiprocessors);
	code_note(k->code,
	          "beside cuBLASLt's: rows, columns, depth, whether a is stored [depth, rows], parts of the "
	          "depth%s",
	          carries ? "; meanwhile a part of the next batch is gathered" : "");
	const char *carried = carries ? ", carried" : "", *epilogue = "", *weight = "";
	if (k->step->node_count > 1) {
		carried = carries ? ", carried" : ", NnrNothing()";
		epilogue =
		        arena_printf(k->arena, "%s, %s", library_bias(k->step) ? ", bias" : ", NnrNothing()",
		                     write_epilogue(k));
		weight = library_weight(k->step) ? ", weight" : "";
	}
	code_do(k->code, "nnr_product<%lld, %lld, %lld, %s, %lld>(a, b, %s, partial, %s%s%s%s)",
	        (long long)s.m, (long long)s.n, (long long)s.k, s.ta ? "true" : "false", (long long)parts,
	        *weight ? "sums" : "y", parts > 1 ? "done" : "nullptr", carried, epilogue, weight);
	return (CudaLaunch){.blocks = items < multiprocessors ? items : multiprocessors,
	                    .threads = NNR_PRODUCT_THREADS,
	                    .per_multiprocessor = 1,
	                    .shared_bytes = NNR_PRODUCT_BYTES + (carries ? NNR_CARRY_BYTES : 0),
	                    .together = parts > 1,
	                    .tensor_cores = true,
	                    .counters = parts > 1 ? tiles : 0};
}

/* ---- the implementation */

static bool product_fits(const Region *r)
{
	const Node *n = r->root;
	const Arch *arch = target_warpgroups(r->target);
	return arch && r->tf32 && r->target->products_from > 0 && n->op->gemm == GEMM_PRODUCT &&
	       node_by_library(n) && node_cost(n).flops >= (double)r->target->products_from &&
	       product_parts(n, arch->multiprocessors) > 0;
}

static Node *offer_product(PassContext *ctx, Graph *to, const Node *n, Node **operands)
{
	const int64_t parts = product_parts(n, target_warpgroups(ctx->target)->multiprocessors);
	pass_remark(ctx, "%s: %s %s is timed beside a kernel of nnc's own",
	            sites_text(to->arena, n->sites, 3), n->op->name, shape_text(to->arena, n->type));
	return graph_node_with(to, n, operands, attr_int("parts", parts));
}

/* On the sums in its registers. */
static const char *product_takes(const Region *r)
{
	return r->epilogue->residual ? "nnc's own product adds no tensor" : NULL;
}

static bool is_offered(const Node *n)
{
	return product_parts_given(n) > 0;
}

static void write_own(KernelText *k, const Node *n)
{
	code_object(k->code, "const NnrProductKernel", "own", "{.kernel = &kernel, .partial = %lld%s}",
	            (long long)product_workspace(n), product_carries(n) ? ", .carries = true" : "");
}

static const Beside beside = {
        .is_offered = is_offered,
        .extent = product_extent,
        .params = product_params,
        .write_own = write_own,
        .sum_width = sum_width,
        .emit_row_sums = emit_row_sums,
};

const Implementation implementation_product = {
        .name = "product",
        .doc = "large matrix products under tf32 by warpgroups; the trainer times it beside the library's",
        .flags = IMPL_TENSOR_CORES | IMPL_BATCH | IMPL_OPTIONAL | IMPL_ON_GPU | IMPL_CARRIES |
                 IMPL_OWN_FEATURES,
        .fits = product_fits,
        .offer = offer_product,
        .takes = product_takes,
        .emit = product_emit,
        .workspace = product_workspace,
        .header = "cuda/nnr_product.h",
        .beside = &beside,
};
