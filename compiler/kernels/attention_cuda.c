/* SPDX-License-Identifier: MIT */
/* The text of attention on tensor cores: calls of runtime/cuda/nnr_attention.h; and its implementation. */
#include "kernels/attention.h"

#include "base/checked.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/implementations.h"
#include "runtime/cuda/nnr_sizes.h"

#include <string.h>

static const char *keep_text(KernelText *k, const Node *n, const AttentionShape *s)
{
	if (s->rate == 0)
		return "NnrKeepAll()";
	code_let(k->code, "%s", "keep", "{nnr_random_key(s->seed, (uint64_t)s->step, %s), %d, %s}", "NnrKeep",
	         stream_of_node(&k->state->tensors, n), (int)(s->rate * 0x1p15),
	         kernel_number(k, 1 / (1 - s->rate)));
	return "keep";
}

static const char *mask_text(KernelText *k, const AttentionShape *s)
{
	if (!s->mask)
		return "NnrNoMask()";
	static const char *const hides[] = {"", ", NNR_HIDES_ALL", ", NNR_HIDES_BY_SUMS"};
	const int64_t again = s->mask_samples > 1 && s->mask_samples < s->batch ? s->mask_samples : 0;
	return arena_printf(k->arena, "NnrMask<%lld, %lld, %lld%s%s>{mask}", (long long)s->mask_sample,
	                    (long long)s->mask_head, (long long)s->mask_row,
	                    again || s->hides ? arena_printf(k->arena, ", %lld", (long long)again) : "",
	                    hides[s->hides]);
}

/* ---- the four kernels: what they have in shared memory, how many blocks they are, and the call */

typedef struct Kernel {
	KernelText *k;
	const Node *n;
	AttentionShape s;
	int64_t element; /* bytes */
} Kernel;

static int64_t blocks_of_queries(const Kernel *a)
{
	return a->s.batch * a->s.heads * ceil_div(a->s.queries, NNR_ATTENTION_ROWS);
}

static int64_t blocks_of_keys(const Kernel *a)
{
	return a->s.batch * a->s.groups * ceil_div(a->s.keys, NNR_ATTENTION_ROWS);
}

/* One tile stays; of keys and of values, as high in 16 bits and half as high in tf32, there are two each. */
static int64_t forward_shared(const Kernel *a)
{
	const int64_t rows = a->element == 2 ? NNR_ATTENTION_ROWS : NNR_ATTENTION_ROWS / 2;
	return (NNR_ATTENTION_ROWS + 4 * rows) * attention_row_bytes(a->s.size, a->element);
}

static void forward_call(const Kernel *a, const char *mask, const char *scale)
{
	const char *logs = attention_logs_text(a->k), *keep = keep_text(a->k, a->n, &a->s);
	code_do(a->k->code, "nnr_attention_forward<Attention, Cut, %lld>(chip, x, %s, y, %s, %s, %s)",
	        (long long)a->s.batch, mask, logs ? logs : "nullptr", scale, keep);
}

static void logs_call(const Kernel *a, const char *mask, const char *scale)
{
	code_do(a->k->code, "(void)y");
	code_do(a->k->code, "nnr_attention_logs<Attention>(chip, x, %s, logs, %s)", mask, scale);
}

static int64_t grad_shared(const Kernel *a)
{
	return attention_shared_bytes(a->s.size, a->element);
}

static int64_t grad_blocks(const Kernel *a)
{
	return blocks_of_keys(a) + blocks_of_queries(a);
}

static void grad_call(const Kernel *a, const char *mask, const char *scale)
{
	const char *keep = keep_text(a->k, a->n, &a->s);
	code_do(a->k->code, "(void)y");
	code_do(a->k->code,
	        "nnr_attention_backward<Attention, Cut, %lld>(chip, x, %s, dy, logs, taken, dx, %s, %s)",
	        (long long)a->s.batch, mask, scale, keep);
}

/* Queries, dy, and half as many keys and values; twice where there is room. */
static int64_t mask_grad_shared(const Kernel *a)
{
	const int64_t stage = 3 * NNR_ATTENTION_ROWS * attention_row_bytes(a->s.size, a->element);
	return 2 * stage <= target_arch(a->k->target).shared_bytes ? 2 * stage : stage;
}

static int64_t mask_grad_blocks(const Kernel *a)
{
	const AttentionShape *s = &a->s;
	return s->mask_samples * (s->mask_head ? s->heads : 1) *
	       (s->mask_row ? ceil_div(s->queries, NNR_ATTENTION_ROWS) : 1) *
	       ceil_div(s->keys, NNR_ATTENTION_ROWS / 2);
}

static void mask_grad_call(const Kernel *a, const char *mask, const char *scale)
{
	code_do(a->k->code,
	        "nnr_attention_mask_grad<Attention, %lld, %lld>(chip, x, %s, dy, logs, taken, dmask, %s, %s)",
	        (long long)a->s.batch, (long long)mask_grad_shared(a), mask, scale,
	        keep_text(a->k, a->n, &a->s));
}

typedef struct KernelKind {
	const char *op;
	int dy; /* the operand's number; 0: it has none */
	int64_t (*shared_bytes)(const Kernel *a);
	int64_t (*blocks)(const Kernel *a);
	void (*call)(const Kernel *a, const char *mask, const char *scale);
	/* By warpgroups: tiles of rows that stay, as many as go by in a stage; and rows of one that does. 0: there
	 * is no such kernel. */
	int stay, going;
} KernelKind;

static const KernelKind kinds[] = {
        {"attention", 0, forward_shared, blocks_of_queries, forward_call, 1, NNR_FORWARD_GOING},
        {"attention_logs", 0, forward_shared, blocks_of_queries, logs_call, 0, 0},
        {"attention_grad", 2, grad_shared, grad_blocks, grad_call, 2, NNR_BACKWARD_GOING},
        {"attention_mask_grad", 1, mask_grad_shared, mask_grad_blocks, mask_grad_call, 0, 0},
};

static const KernelKind *kind_of(const Node *n)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (node_is(n, kinds[i].op))
			return &kinds[i];
	bug("`%s` is no attention", n->op->name);
}

/* By warpgroups, whose blocks take one item of rows after the other. Few rows would leave half of a block without work;
 * heads of fewer columns were not measured. Random numbers of more scores would need more than 32 bits of their cells;
 * they are compared as if they were of fp16, in which the largest rates would be no numbers. */
static WarpgroupLaunch by_warpgroups(const Kernel *a, const KernelKind *kind)
{
	const AttentionShape *s = &a->s;
	const Arch *arch = target_warpgroups(a->k->target);
	const int64_t rows = NNR_WARPGROUP_ROWS, keys = kind->stay == 2 ? ceil_div(s->keys, rows) : 0,
	              items = s->batch * (s->heads * ceil_div(s->queries, rows) + s->groups * keys);
	if (kind->stay == 0 || a->element != 2 || !arch || s->size < 32 || s->queries <= NNR_ATTENTION_ROWS ||
	    s->keys <= NNR_ATTENTION_ROWS || s->rate * 0x1p15 > 0x7c00 ||
	    (s->rate > 0 && (double)(s->batch * s->heads) * (double)(s->queries * s->keys) >= 0x1p34))
		return (WarpgroupLaunch){0};
	return (WarpgroupLaunch){items < arch->multiprocessors ? items : arch->multiprocessors,
	                         attention_warpgroup_bytes(s->size, kind->stay, kind->going)};
}

static CudaLaunch emit_attention(KernelText *k, const Node *n)
{
	const KernelKind *kind = kind_of(n);
	const Kernel a = {k, n, attention_shape(n), dtype_bytes(n->operands[0]->type.dtype)};
	const AttentionShape *s = &a.s;
	const int vector = 16 / (int)a.element;
	const bool vectors = kernel_operand_aligned(k, 0, vector) && s->keys_at % vector == 0 &&
	                     s->values_at % vector == 0 && kernel_operand_aligned(k, kind->dy, vector);
	const int64_t bytes = kind->shared_bytes(&a);
	const WarpgroupLaunch groups = vectors ? by_warpgroups(&a, kind) : (WarpgroupLaunch){0};
	code_note(k->code,
	          "heads of queries and of keys, places of both, columns of a head; whether a place looks at "
	          "those before it alone;\n * elements between rows, and to keys and values");
	code_type(k->code, "Attention",
	          "NnrAttention<%s, %lld, %lld, %lld, %lld, %lld, %s, %s, %lld, %lld, %lld, %lld>",
	          dtype_c_name(n->operands[0]->type.dtype), (long long)s->heads, (long long)s->groups,
	          (long long)s->queries, (long long)s->keys, (long long)s->size, s->causal ? "true" : "false",
	          vectors ? "true" : "false", (long long)s->query_row, (long long)s->key_row,
	          (long long)s->keys_at, (long long)s->values_at);
	if (groups.blocks > 0)
		code_type(k->code, "Cut", "NnrAttentionCut<Attention, %d, %d, %lld>", kind->going,
		          NNR_WARPGROUP_STAGES, (long long)groups.shared_bytes);
	else if (kind->stay > 0)
		code_type(k->code, "Cut", "NnrByWarps");
	code_do(k->code, "NNR_CHIP(chip, %lld)", (long long)bytes);
	kind->call(&a, mask_text(k, s), kernel_number(k, s->scale));
	return (CudaLaunch){.blocks = kind->blocks(&a),
	                    .threads = NNR_ATTENTION_THREADS,
	                    .shared_bytes = bytes,
	                    .tensor_cores = true,
	                    .warpgroups = groups};
}

/* The kernel's arguments, a letter each, as NnrAttentionShape has them. */
static const char *argument_letters(KernelText *k)
{
	const char *logs = attention_logs_text(k), *letters = "";
	const char *const known[] = {"x", "y", "dy", logs ? logs : "logs", "taken", "dx", "mask"};
	const Tensors *t = &k->state->tensors;
	for (int i = 0; i < t->count; i++)
		for (size_t j = 0; j < sizeof known / sizeof *known; j++)
			if (strcmp(known[j], t->at[i].name) == 0)
				letters = arena_printf(k->arena, "%s%c", letters, "xydltgm"[j]);
	require((int)strlen(letters) == t->count);
	return letters;
}

/* cuDNN has it in 16 bits, of as many heads of keys as of queries, with a mask of each sample or of all, and no random
 * numbers of ours. A query without a key has from it what it has from our kernel forward where all keys are hidden, not
 * some: shares are equal, and the log is HIDDEN, beside which that of the number of keys is lost; ours is that number
 * times HIDDEN/keys, the same. A gradient would take each of these shares for 1. */
static const char *launch_attention(KernelText *k, const Node *n)
{
	const AttentionShape s = attention_shape(n);
	const DType dtype = n->operands[0]->type.dtype;
	if (k->target->library == LIBRARY_NONE || !dtype_is_half(dtype) || s.rate > 0 || s.keys == 1 ||
	    s.groups != s.heads || s.hides == HIDES_BY_SUMS || (s.hides && !node_is(n, "attention")) ||
	    (s.mask_samples > 1 && s.mask_samples < s.batch) || node_is(n, "attention_logs") ||
	    node_is(n, "attention_mask_grad"))
		return NULL;
	const char *mask =
	        s.mask ? arena_printf(k->arena, ".mask_sample = %lld, .mask_head = %lld, .mask_row = %lld, ",
	                              (long long)s.mask_sample, (long long)s.mask_head, (long long)s.mask_row)
	               : "";
	code_object(k->code, "const NnrAttentionShape", "shape",
	            "{.batch = %lld, .queries = %lld, .keys = %lld, .heads = %lld, .size = %lld, "
	            ".query_row = %lld, .key_row = %lld, .keys_at = %lld, .values_at = %lld, %s"
	            ".causal = %s, .scale = %s, .dtype = %s, .arguments = \"%s\"}",
	            (long long)s.batch, (long long)s.queries, (long long)s.keys, (long long)s.heads,
	            (long long)s.size, (long long)s.query_row, (long long)s.key_row, (long long)s.keys_at,
	            (long long)s.values_at, mask, s.causal ? "true" : "false", kernel_number(k, s.scale),
	            dtype_runtime_name(dtype), argument_letters(k));
	code_object(k->code, "NnrPlan *", "plan", "");
	return "nnr_cudnn_attention";
}

static const char *const operators[] = {"attention", "attention_logs", "attention_grad",
                                        "attention_mask_grad", NULL};

const Implementation implementation_attention = {
        .name = "attention",
        .doc = "attention without a matrix of scores, on tensor cores",
        .operators = operators,
        .flags = IMPL_TENSOR_CORES | IMPL_BATCH | IMPL_ON_GPU | IMPL_OWN_FEATURES,
        .emit = emit_attention,
        .launch = launch_attention,
        .header = "cuda/nnr_attention_backward.h",
};
