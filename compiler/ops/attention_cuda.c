/* The text of attention on tensor cores: calls of runtime/cuda/nnr_attention.h; and its implementation. */
#include "ops/attention.h"

#include "base/checked.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/implementation.h"
#include "runtime/cuda/nnr_sizes.h"

static int64_t element_bytes(const Node *n)
{
	return (int64_t)dtype_bytes(n->operands[0]->type.dtype);
}

/* Of shared memory: so many tiles of 64 rows, and of those that go by. As nnr_attention.h lays them out. */
static int64_t tiles_bytes(const Node *n, int64_t staying, int64_t going)
{
	const AttentionShape s = attention_shape(n);
	const int64_t each = element_bytes(n), depth = ceil_div(s.size, 16) * 16;
	const int64_t pitch = depth * each + 16;
	const bool forward = !node_is(n, "attention_grad");
	const int64_t rows = forward && each == 2 ? NNR_ATTENTION_ROWS : NNR_ATTENTION_ROWS / 2;
	return (staying * NNR_ATTENTION_ROWS + going * rows) * pitch;
}

static const char *keep_text(KernelText *k, const Node *n, const AttentionShape *s)
{
	if (s->rate == 0)
		return "NnrKeepAll()";
	write_line(k->w, "const auto keep = [&](int64_t i) {");
	write_line(k->w, "\treturn nnr_uniformf(s->seed, (uint64_t)s->step, %s, i) >= %s ? %s : 0.0f;",
	           stream_of_node(&k->state->tensors, n), kernel_number(k, s->rate),
	           kernel_number(k, 1 / (1 - s->rate)));
	write_line(k->w, "};");
	return "keep";
}

static CudaLaunch emit_attention(KernelText *k, const Node *n)
{
	if (k->target->dialect != DIALECT_CUDA)
		return implementation_loops.emit(k, n);
	const AttentionShape s = attention_shape(n);
	const bool rows = node_is(n, "attention_rows"), grad = node_is(n, "attention_grad");
	const int vector = 16 / (int)element_bytes(n);
	const bool vectors =
	        kernel_operand_aligned(k, 0, vector) && (!grad || kernel_operand_aligned(k, 1, vector));
	const int64_t bytes = grad   ? tiles_bytes(n, 2, 4)
	                      : rows ? tiles_bytes(n, 1, 2)
	                             : tiles_bytes(n, 1, 4);
	const int64_t tiles = s.batch * s.heads * ceil_div(s.places, NNR_ATTENTION_ROWS);
	write_line(k->w,
	           "/* heads, places, columns of a head; whether a place looks at those before it alone */");
	write_line(k->w, "using Attention = NnrAttention<%s, %lld, %lld, %lld, %s, %s>;",
	           dtype_c_name(n->operands[0]->type.dtype), (long long)s.heads, (long long)s.places,
	           (long long)s.size, s.causal ? "true" : "false", vectors ? "true" : "false");
	write_line(k->w, "NNR_CHIP(chip, %lld);", (long long)bytes);
	const char *scale = kernel_number(k, s.scale);
	if (rows)
		write_line(k->w, "nnr_attention_rows<Attention>(chip, x, y, dy, stats, %s);", scale);
	else if (grad)
		write_line(k->w, "nnr_attention_grad<Attention, %lld>(chip, x, dy, stats, dx, %s, %s);",
		           (long long)tiles, scale, keep_text(k, n, &s));
	else
		write_line(k->w, "nnr_attention<Attention>(chip, x, y, %s, %s);", scale, keep_text(k, n, &s));
	return (CudaLaunch){.blocks = grad ? 2 * tiles : tiles,
	                    .threads = NNR_ATTENTION_THREADS,
	                    .shared_bytes = bytes,
	                    .tensor_cores = true};
}

static bool attention_is(const PassContext *ctx, const Node *n)
{
	return false; /* chosen by the operators alone */
}

const Implementation implementation_attention = {
        .name = "attention",
        .doc = "attention without a matrix of scores, on tensor cores",
        .flags = IMPL_TENSOR_CORES | IMPL_BATCH,
        .fits = attention_is,
        .emit = emit_attention,
        .header = "cuda/nnr_attention.h",
};
