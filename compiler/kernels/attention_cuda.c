/* SPDX-License-Identifier: MIT */
/* The text of attention on tensor cores: calls of runtime/cuda/nnr_attention.h; and its implementation. */
#include "kernels/attention.h"

#include "base/checked.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/implementations.h"
#include "runtime/cuda/nnr_sizes.h"

#include <string.h>

/* One stays; of so many that go by, as high in 16 bits and half as high in tf32, there are two each. */
static int64_t forward_bytes(int64_t size, int64_t element, int going)
{
	const int64_t rows = element == 2 ? NNR_ATTENTION_ROWS : NNR_ATTENTION_ROWS / 2;
	return (NNR_ATTENTION_ROWS + 2 * going * rows) * attention_row_bytes(size, element);
}

static const char *keep_text(KernelText *k, const Node *n, const AttentionShape *s)
{
	if (s->rate == 0)
		return "NnrKeepAll()";
	code_scope(k->code, ";", "const auto keep = [&](int64_t i)");
	code_leave(k->code, "return nnr_uniformf(s->seed, (uint64_t)s->step, %s, i) >= %s ? %s : 0.0f",
	           stream_of_node(&k->state->tensors, n), kernel_number(k, s->rate),
	           kernel_number(k, 1 / (1 - s->rate)));
	code_close(k->code, 1);
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

/* Whether keys and values begin at multiples of so many elements. */
static bool is_aligned(const AttentionShape *s, int vector)
{
	return s->keys_at % vector == 0 && s->values_at % vector == 0;
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

static int64_t forward_shared(const Kernel *a)
{
	return forward_bytes(a->s.size, a->element, 2);
}

static void forward_call(const Kernel *a, const char *mask, const char *scale)
{
	const char *logs = attention_logs_text(a->k);
	code_do(a->k->code, "nnr_attention<Attention>(chip, x, %s, y, %s, %s, %s)", mask,
	        logs ? logs : "nullptr", scale, keep_text(a->k, a->n, &a->s));
}

static int64_t logs_shared(const Kernel *a)
{
	return forward_bytes(a->s.size, a->element, 1);
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
	code_do(a->k->code, "(void)y");
	code_do(a->k->code, "nnr_attention_grad<Attention, %lld>(chip, x, %s, dy, logs, taken, dx, %s, %s)",
	        (long long)blocks_of_keys(a), mask, scale, keep_text(a->k, a->n, &a->s));
}

/* Queries, dy, and half as many keys and values. */
static int64_t mask_grad_stage(const Kernel *a)
{
	return 3 * NNR_ATTENTION_ROWS * attention_row_bytes(a->s.size, a->element);
}

/* Two where there is room. */
static int mask_grad_stages(const Kernel *a)
{
	return 2 * mask_grad_stage(a) <= target_arch(a->k->target).shared_bytes ? 2 : 1;
}

static int64_t mask_grad_shared(const Kernel *a)
{
	return mask_grad_stages(a) * mask_grad_stage(a);
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
	        "nnr_attention_mask_grad<Attention, %lld, %d>(chip, x, %s, dy, logs, taken, dmask, %s, %s)",
	        (long long)a->s.batch, mask_grad_stages(a), mask, scale, keep_text(a->k, a->n, &a->s));
}

typedef struct KernelKind {
	const char *op;
	int dy; /* the operand's number; 0: it has none */
	int64_t (*shared_bytes)(const Kernel *a);
	int64_t (*blocks)(const Kernel *a);
	void (*call)(const Kernel *a, const char *mask, const char *scale);
} KernelKind;

static const KernelKind kinds[] = {
        {"attention", 0, forward_shared, blocks_of_queries, forward_call},
        {"attention_logs", 0, logs_shared, blocks_of_queries, logs_call},
        {"attention_grad", 2, grad_shared, grad_blocks, grad_call},
        {"attention_mask_grad", 1, mask_grad_shared, mask_grad_blocks, mask_grad_call},
};

static const KernelKind *kind_of(const Node *n)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (node_is(n, kinds[i].op))
			return &kinds[i];
	bug("`%s` is no attention", n->op->name);
}

static CudaLaunch emit_attention(KernelText *k, const Node *n)
{
	const KernelKind *kind = kind_of(n);
	const Kernel a = {k, n, attention_shape(n), dtype_bytes(n->operands[0]->type.dtype)};
	const AttentionShape *s = &a.s;
	const int vector = 16 / (int)a.element;
	const bool vectors = kernel_operand_aligned(k, 0, vector) && is_aligned(s, vector) &&
	                     kernel_operand_aligned(k, kind->dy, vector);
	const int64_t bytes = kind->shared_bytes(&a);
	code_note(k->code,
	          "heads of queries and of keys, places of both, columns of a head; whether a place looks at "
	          "those before it alone;\n * elements between rows, and to keys and values");
	code_type(k->code, "Attention",
	          "NnrAttention<%s, %lld, %lld, %lld, %lld, %lld, %s, %s, %lld, %lld, %lld, %lld>",
	          dtype_c_name(n->operands[0]->type.dtype), (long long)s->heads, (long long)s->groups,
	          (long long)s->queries, (long long)s->keys, (long long)s->size, s->causal ? "true" : "false",
	          vectors ? "true" : "false", (long long)s->query_row, (long long)s->key_row,
	          (long long)s->keys_at, (long long)s->values_at);
	code_do(k->code, "NNR_CHIP(chip, %lld)", (long long)bytes);
	kind->call(&a, mask_text(k, s), kernel_number(k, s->scale));
	return (CudaLaunch){.blocks = kind->blocks(&a),
	                    .threads = NNR_ATTENTION_THREADS,
	                    .shared_bytes = bytes,
	                    .tensor_cores = true};
}

/* The kernel's arguments, a letter each, as NnrAttentionShape has them. */
static const char *argument_letters(KernelText *k)
{
	const char *logs = attention_logs_text(k);
	const struct {
		const char *name;
		char letter;
	} known[] = {{"x", 'x'},     {"y", 'y'},  {"dy", 'd'},  {logs ? logs : "logs", 'l'},
	             {"taken", 't'}, {"dx", 'g'}, {"mask", 'm'}};
	const Tensors *t = &k->state->tensors;
	char *letters = arena_strdup(k->arena, "");
	for (int i = 0; i < t->count; i++)
		for (size_t j = 0; j < sizeof known / sizeof *known; j++)
			if (strcmp(known[j].name, t->at[i].name) == 0)
				letters = arena_printf(k->arena, "%s%c", letters, known[j].letter);
	require((int)strlen(letters) == t->count);
	return letters;
}

/* Whether cuDNN gives a query without a key what our kernel does. Forward it does where all keys are hidden, not some:
 * shares are equal, and the log is HIDDEN, beside which that of the number of keys is lost; ours is that number times
 * HIDDEN/keys, the same. A gradient would take each of these shares for 1. */
static bool library_hides(const Node *n, const AttentionShape *s)
{
	return s->hides == HIDES_NONE || (s->hides == HIDES_ALL && node_is(n, "attention"));
}

/* cuDNN has it in 16 bits, of as many heads of keys as of queries, with a mask of each sample or of all, and no random
 * numbers of ours. */
static const char *launch_attention(KernelText *k, const Node *n)
{
	const AttentionShape s = attention_shape(n);
	const DType dtype = n->operands[0]->type.dtype;
	if (k->target->library == LIBRARY_NONE || !dtype_is_half(dtype) || s.rate > 0 || s.keys == 1 ||
	    s.groups != s.heads || !library_hides(n, &s) ||
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
        .flags = IMPL_TENSOR_CORES | IMPL_BATCH | IMPL_ON_GPU,
        .emit = emit_attention,
        .launch = launch_attention,
        .header = "cuda/nnr_attention.h",
};
