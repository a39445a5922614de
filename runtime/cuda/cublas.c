/* SPDX-License-Identifier: MIT */
/* Matrix products through cuBLASLt: the question, the choice, the step; cublas_search.c finds what is chosen.
 *
 * Ours are row-major, cuBLASLt's column-major; a row-major matrix is the column-major one transposed, so
 * y = a b is asked for as y' = b' a'. Where y is a vector (m or n is 1) it is its own transpose in memory, and y = a b
 * can be asked for as it stands: the two forms take different kernels, and compete.
 *
 * A large product that wide loads don't fit is two: cublas_parts.c. */
#include "runtime/cuda/cublas_choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORKSPACE_CAP = 64 << 20 /* more never helps a product */ };

/* ---- the question */

static cublasLtMatrixLayout_t layout(const Question *q, cudaDataType_t type, int64_t rows, int64_t columns,
                                     int64_t leading)
{
	cublasLtMatrixLayout_t l;
	int32_t batch = (int32_t)q->shape->batch;
	int64_t stride = leading * columns;
	lt_check(lt.MatrixLayoutCreate(&l, type, (uint64_t)rows, (uint64_t)columns, leading),
	         "cublasLtMatrixLayoutCreate", q->key);
	lt_check(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch),
	         "cublasLtMatrixLayoutSetAttribute", q->key);
	lt_check(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
	                                     sizeof stride),
	         "cublasLtMatrixLayoutSetAttribute", q->key);
	return l;
}

int64_t cublas_leading(int64_t given, int64_t dense)
{
	return given ? given : dense;
}

static void set_operation(const Form *f, const char *key, cublasLtMatmulDescAttributes_t what,
                          const void *value, size_t bytes)
{
	lt_check(lt.MatmulDescSetAttribute(f->operation, what, value, bytes),
	         "cublasLtMatmulDescSetAttribute", key);
}

static bool sums_operand(const NnrEpilogue *e)
{
	return e->beside == NNR_SUMS_OF_A || e->beside == NNR_SUMS_OF_B;
}

/* Sums of an operand are to cuBLASLt a bias that it writes. */
static void set_tensors(const Form *f, const char *key, const Call *call)
{
	const bool sums = sums_operand(call->epilogue);
	const void *bias = sums ? call->beside : call->bias, *aux = sums       ? NULL
	                                                            : call->at ? call->at
	                                                                       : call->beside;
	if (bias)
		set_operation(f, key, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
	if (aux)
		set_operation(f, key, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux, sizeof aux);
}

/* cuBLASLt's epilogue: bias, ReLU and GELU by tanh. It has no sums along rows. Turned, our a is its b. */
static bool library_has(const NnrEpilogue *e, cublasLtEpilogue_t *out)
{
	static const cublasLtEpilogue_t by_beside[] = {[NNR_KEPT] = CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
	                                               [NNR_SLOPE] = CUBLASLT_EPILOGUE_DGELU,
	                                               [NNR_SUMS_OF_A] = CUBLASLT_EPILOGUE_BGRADB,
	                                               [NNR_SUMS_OF_B] = CUBLASLT_EPILOGUE_BGRADA};
	const bool bias = epilogue_has(e, 'b'), relu = e->activation == NNR_RELU,
	           gelu = e->activation == NNR_GELU_TANH;
	*out = e->beside      ? by_beside[e->beside]
	       : bias && gelu ? CUBLASLT_EPILOGUE_GELU_BIAS
	       : gelu         ? CUBLASLT_EPILOGUE_GELU
	       : bias && relu ? CUBLASLT_EPILOGUE_RELU_BIAS
	       : relu         ? CUBLASLT_EPILOGUE_RELU
	       : bias         ? CUBLASLT_EPILOGUE_BIAS
	                      : CUBLASLT_EPILOGUE_DEFAULT; /* a residual is its C */
	return !e->row_sums && (relu || gelu || e->activation == NNR_IDENTITY);
}

/* A bias is of the result's type for it. */
static bool library_takes(const Question *q)
{
	cublasLtEpilogue_t epilogue;
	const bool narrow = q->result != CUDA_R_32F;
	return q->epilogue && library_has(q->epilogue, &epilogue) &&
	       (!epilogue_has(q->epilogue, 'b') || q->epilogue->narrow_bias == narrow);
}

static void form_new(Form *f, const Question *q, bool transposed)
{
	const NnrProductShape *s = q->shape;
	/* Of what lies in memory, read by columns: a' is [k,m], or [m,k] with ta; b' is [n,k], or [k,n] with tb. */
	int64_t lda = cublas_leading(s->lda, s->ta ? s->m : s->k),
	        ldb = cublas_leading(s->ldb, s->tb ? s->k : s->n);
	int64_t ldy = cublas_leading(s->ldy, s->n);
	cublasLtMatrixLayout_t a =
	        s->ta ? layout(q, q->type, s->m, s->k, lda) : layout(q, q->type, s->k, s->m, lda);
	cublasLtMatrixLayout_t b =
	        s->tb ? layout(q, q->type, s->k, s->n, ldb) : layout(q, q->type, s->n, s->k, ldb);
	bool flip_a = transposed ? s->ta : !s->ta, flip_b = transposed ? s->tb : !s->tb;
	int32_t op_a = flip_a ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = flip_b ? CUBLAS_OP_T : CUBLAS_OP_N;
	*f = (Form){.exists = true, .transposed = transposed};
	f->a = transposed ? b : a;
	f->b = transposed ? a : b;
	f->leading_a = transposed ? ldb : lda;
	f->leading_b = transposed ? lda : ldb;
	f->leading_d = transposed ? ldy : s->m;
	f->d = transposed ? layout(q, q->result, s->n, s->m, ldy) : layout(q, q->result, s->m, s->n, s->m);
	lt_check(lt.MatmulDescCreate(&f->operation, q->compute, CUDA_R_32F), "cublasLtMatmulDescCreate",
	         q->key);
	set_operation(f, q->key, CUBLASLT_MATMUL_DESC_TRANSA, transposed ? &op_b : &op_a, sizeof op_a);
	set_operation(f, q->key, CUBLASLT_MATMUL_DESC_TRANSB, transposed ? &op_a : &op_b, sizeof op_b);
}

/* Turned, y has a column for each of our rows, and so a bias for each of its rows, as cuBLASLt wants it. */
static void forms_new(Choice *c, const Question *q, const Call *first)
{
	cublasLtEpilogue_t epilogue;
	form_new(&c->form[TURNED], q, true);
	if ((q->shape->m == 1 || q->shape->n == 1) && !q->shape->ldy)
		form_new(&c->form[STRAIGHT], q, false);
	if (!library_takes(q) || !q->aligned_bias || !library_has(q->epilogue, &epilogue))
		return;
	Form *f = &c->form[FUSED];
	form_new(f, q, true);
	set_operation(f, q->key, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
	if (q->epilogue->beside && !sums_operand(q->epilogue)) {
		const int64_t leading = f->leading_d;
		set_operation(f, q->key, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &leading, sizeof leading);
	}
	set_tensors(f, q->key, first);
}

/* ---- the choice */

bool cublas_run(void *context)
{
	static const float one = 1, zero = 0;
	Call *call = context;
	const Choice *c = call->choice;
	if (call->own) {
		bool ran = product_run(call->own, &c->shape, call->a, call->b, call->bias, call->weight,
		                       call->sums ? call->sums : call->y, &call->carried);
		call->status = ran ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
		return ran;
	}
	const Form *f = &c->form[c->used];
	void *workspace = c->workspace ? nnr_cuda_workspace(c->workspace) : NULL;
	const void *a = f->transposed ? call->b : call->a, *b = f->transposed ? call->a : call->b;
	if (c->used == FUSED) /* steps of one plan have a bias each */
		set_tensors(f, c->base.entry.key, call);
	const void *added = c->used == FUSED && call->residual ? call->residual : call->adds ? call->y : NULL;
	call->status = lt.Matmul(lt.handle, f->operation, &one, a, f->a, b, f->b, added ? &one : &zero,
	                         added ? added : call->y, f->d, call->y, f->d, &c->algo, workspace,
	                         (size_t)c->workspace, nnr_cuda_stream());
	if (call->status != CUBLAS_STATUS_SUCCESS)
		return false;
	if (call->epilogue && c->used != FUSED)
		epilogue_launch(call->epilogue,
		                &(EpilogueTensors){.y = call->y,
		                                   .bias = call->bias,
		                                   .residual = call->residual,
		                                   .weight = call->weight,
		                                   .row_sums = call->sums,
		                                   .kept = call->at ? call->at : call->beside,
		                                   .sum = call->beside,
		                                   .operand = call->epilogue->beside == NNR_SUMS_OF_B
		                                                      ? call->b
		                                                      : call->a,
		                                   .partial = call->partial});
	return true;
}

bool cublas_install(Choice *c, const Question *q, int form, const cublasLtMatmulAlgo_t *algo)
{
	const Form *f = &c->form[form];
	cublasLtMatmulHeuristicResult_t result;
	if (!algo_has_one_scheme(algo) ||
	    lt.MatmulAlgoCheck(lt.handle, f->operation, f->a, f->b, f->d, f->d, algo, &result) !=
	            CUBLAS_STATUS_SUCCESS ||
	    result.state != CUBLAS_STATUS_SUCCESS || (int64_t)result.workspaceSize > q->workspace_cap)
		return false;
	c->used = form;
	c->algo = *algo;
	c->workspace = (int64_t)result.workspaceSize;
	return true;
}

/* Settings of the record: a search that knew our kernel has ended, and what that took. */
static const char OWN_WAS_TRIED[] = "own";
enum { OWN_VERSION = 4 /* of our kernel: one that has become faster is tried again */ };

void cublas_write_entry(Choice *c)
{
	c->base.entry.setting_count = 0;
	tune_add_setting(&c->base.entry, "form", c->used);
	algo_to_entry(&c->base.entry, &c->algo);
	if (c->shape.own) {
		tune_add_setting(&c->base.entry, OWN_WAS_TRIED, OWN_VERSION);
		tune_add_setting(&c->base.entry, TUNE_OWN_TIME, llround(1000 * c->own_us));
	}
	c->base.entry.workspace = c->workspace;
}

static bool restore(Choice *c, const Question *q, Call *call)
{
	const TuneEntry *e = tune_lookup(TUNE_CUBLASLT, q->key);
	if (!e)
		return false;
	int64_t form = tune_setting(e, "form", -1);
	cublasLtMatmulAlgo_t algo;
	if (form == FUSED && !q->epilogue) /* our kernel alone, as version 2 of it was kept */
		return false;
	bool fine = form >= 0 && form < FORMS && c->form[form].exists && algo_of_entry(e, &algo);
	if (!fine || !cublas_install(c, q, (int)form, &algo) || !cublas_run(call)) {
		plan_say_left_out(q->key);
		return false;
	}
	c->base.entry = *e;
	if (c->shape.own && tune_setting(e, OWN_WAS_TRIED, 0) < OWN_VERSION)
		c->base.entry.partial = true;
	else if (c->shape.own)
		c->own_us = (double)tune_setting(e, TUNE_OWN_TIME, 0) / 1000;
	return true;
}

/* `first`: of its first step. */
static Choice *choose(const Question *q, const Call *first)
{
	static PlanChoice *choices;
	PlanChoice *known = plan_choice_of(choices, q->key);
	if (known)
		return (Choice *)known; /* base is its first member */
	StartPart part = start_plan(q->key);
	Choice *c = allocate(1, sizeof *c, "a plan");
	c->shape = *q->shape;
	forms_new(c, q, first);
	Call call = *first;
	call.choice = c;
	bool restored = restore(c, q, &call);
	if (!restored)
		cublas_take_first(c, q, &call);
	if (!c->fails && tuning_is_wanted(restored ? &c->base.entry : NULL))
		cublas_wait_for_search(c, q, &call);
	c->base.next = choices;
	choices = &c->base;
	start_plan_made(part, restored);
	return c;
}

/* ---- steps */

static int64_t own_workspace(const NnrProductKernel *own)
{
	return own->partial * (int64_t)sizeof(float);
}

typedef struct Step {
	NnrPlan base; /* of a product in two: of its main part */
	Choice *choice;
	bool aligned_bias; /* of the addresses that it was made for */
	Parts parts;       /* where `main` is there */
	struct Step *main, *rest;
} Step;

static int64_t workspace_cap(void)
{
	return plan_workspace_cap() < WORKSPACE_CAP ? plan_workspace_cap() : WORKSPACE_CAP;
}

static bool has_aligned(const Call *call)
{
	return plan_alignment(call->bias, call->beside, call->at) == FULLY_ALIGNED &&
	       plan_alignment(call->residual, NULL, NULL) == FULLY_ALIGNED;
}

static int result_bytes(const NnrProductShape *s, NnrDType dtype)
{
	return s->wide ? 4 : (int)plan_element_bytes(dtype);
}

static Step *step_new_whole(const NnrProductShape *s, NnrDType dtype, const Call *call)
{
	lt_load();
	NnrProductShape fitting = *s;
	Question q = {
	        .shape = &fitting, .epilogue = call->epilogue, .dtype = dtype, .compute = CUBLAS_COMPUTE_32F};
	q.workspace_cap = workspace_cap();
	q.type = dtype == NNR_F32 ? CUDA_R_32F : dtype == NNR_BF16 ? CUDA_R_16BF : CUDA_R_16F;
	q.result = s->wide ? CUDA_R_32F : q.type;
	if (dtype == NNR_F32 && plan_allows_tf32())
		q.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
	q.alignment = plan_alignment(call->a, call->b, call->y);
	q.aligned_bias = has_aligned(call);
	q.element = (int)plan_element_bytes(dtype);
	q.result_element = result_bytes(s, dtype);
	bool any_order = q.result == CUDA_R_32F && !nnr_cuda_deterministic();
	q.reductions = any_order ? CUBLASLT_REDUCTION_SCHEME_MASK : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
	if (!product_fits(s->own, s, dtype, q.alignment) || own_workspace(s->own) > q.workspace_cap)
		fitting.own = NULL;
	const char *own =
	        fitting.own ? " own" : ""; /* a convolution can be this product, and has no such kernel */
	char aligned[32] = "", leading[96] = "", epilogue[EPILOGUE_TEXT] = "";
	if (q.epilogue)
		epilogue_text(q.epilogue, epilogue);
	if (library_takes(&q) && !q.aligned_bias)
		snprintf(epilogue + strlen(epilogue), sizeof epilogue - strlen(epilogue), " not aligned");
	if (q.alignment < FULLY_ALIGNED)
		snprintf(aligned, sizeof aligned, " align %d", q.alignment);
	if (s->lda || s->ldb || s->ldy)
		snprintf(leading, sizeof leading, " leading %lld,%lld,%lld", (long long)s->lda,
		         (long long)s->ldb, (long long)s->ldy);
	require(s->batch <= INT32_MAX);
	int n = snprintf(q.key, sizeof q.key,
	                 "matmul %s batch %lld m %lld n %lld k %lld a %s b %s%s%s%s%s%s%s",
	                 plan_arithmetic_name(dtype), (long long)s->batch, (long long)s->m, (long long)s->n,
	                 (long long)s->k, s->ta ? "km" : "mk", s->tb ? "nk" : "kn", s->wide ? " y f32" : "",
	                 epilogue, leading, aligned, own, nnr_cuda_deterministic() ? " deterministic" : "");
	require(n > 0 && n < (int)sizeof q.key);
	nnr_cuda_doing("choosing a cuBLASLt algorithm");
	Step *step = allocate(1, sizeof *step, "a plan");
	step->aligned_bias = q.aligned_bias;
	step->choice = choose(&q, call);
	plan_use(&step->choice->base);
	step->base = (NnrPlan){&step->choice->base.entry, q.alignment, &step->choice->base.uses};
	return step;
}

static Call call_of_rest(const Parts *p, const Call *whole)
{
	Call c = *whole;
	c.a = (const char *)c.a + p->a;
	c.b = (const char *)c.b + p->b;
	c.y = (char *)c.y + p->y;
	return c;
}

/* All plans are made before the first product runs: what is tried writes to y. A part is odd in one extent less: at
 * most three levels. */
static Step *step_new(const NnrProductShape *s, NnrDType dtype, const Call *call)
{
	Parts p;
	const int alignment = plan_alignment(call->a, call->b, call->y);
	if (call->epilogue ||
	    !cublas_parts(s, (int)plan_element_bytes(dtype), result_bytes(s, dtype), alignment, &p))
		return step_new_whole(s, dtype, call);
	Step *step = allocate(1, sizeof *step, "a plan");
	const Call rest = call_of_rest(&p, call);
	step->parts = p;
	step->main = step_new(&p.main, dtype, call);
	step->rest = step_new(&p.rest, dtype, &rest);
	step->base = step->main->base;
	step->base.alignment = alignment;
	return step;
}

/* Ours where it is the faster, or is wanted for the gather that it does meanwhile. */
static void choose_kernel(Call *call, const NnrProductShape *s)
{
	const Choice *c = call->choice;
	if (c->own_us == 0)
		return;
	double slower = c->own_us - c->base.entry.us, work = (double)s->m * (double)s->n * (double)s->k;
	bool gathers = s->own->carries && nnr_cuda_carry(work, fmax(slower, 0), &call->carried);
	if (slower < 0 || gathers)
		call->own = s->own;
}

/* False where cuBLASLt has no algorithm that works. */
static bool run_step(const Step *step, const NnrProductShape *s, Call call)
{
	if (step->main) {
		const Parts *p = &step->parts;
		Call main = call, rest = call_of_rest(p, &call);
		main.adds |= p->sums;
		return run_step(step->rest, &p->rest, rest) && run_step(step->main, &p->main, main);
	}
	const char *key = step->base.entry->key;
	nnr_cuda_doing(key);
	call.choice = step->choice;
	if (step->choice->fails)
		return false;
	choose_kernel(&call, s);
	if (cublas_run(&call))
		return true;
	if (call.own)
		die_help(STATUS_DEVICE, "compile with -fno-product",
		         "cuTensorMapEncodeTiled failed: the driver can't describe the tensors of `%s`", key);
	lt_check(call.status, "cublasLtMatmul", key);
	return true;
}

static bool multiply(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, Call call)
{
	const Step *step = (const Step *)*plan; /* base is its first member */
	if (nnr_cuda_looking())                 /* these plans are soon made */
		return true;
	if (plan_is_needed(*plan, call.a, call.b, call.y) || (step->aligned_bias && !has_aligned(&call))) {
		step = step_new(s, dtype, &call);
		*plan = (NnrPlan *)(uintptr_t)&step->base;
	}
	return run_step(step, s, call);
}

static void must_multiply(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, Call call)
{
	if (!multiply(plan, s, dtype, call))
		die(STATUS_DEVICE, "cuBLASLt has no algorithm for `%s` within %s of workspace",
		    (*plan)->entry->key, human_bytes((double)workspace_cap()));
}

bool plan_product(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                  void *y)
{
	return multiply(plan, s, dtype, (Call){.a = a, .b = b, .y = y});
}

void nnr_cublas_matmul(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                       void *y)
{
	must_multiply(plan, s, dtype, (Call){.a = a, .b = b, .y = y});
}

void nnr_cublas_matmul_epilogue(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                                NnrDType dtype, const void *a, const void *b, const void *residual,
                                const void *bias, void *y)
{
	must_multiply(plan, s, dtype,
	              (Call){.epilogue = e, .a = a, .b = b, .residual = residual, .bias = bias, .y = y});
}

void nnr_cublas_matmul_beside(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e, NnrDType dtype,
                              const void *a, const void *b, const void *bias, void *y, void *beside,
                              void *partial)
{
	must_multiply(plan, s, dtype,
	              (Call){.epilogue = e,
	                     .a = a,
	                     .b = b,
	                     .bias = bias,
	                     .beside = beside,
	                     .partial = partial,
	                     .y = y});
}

void nnr_cublas_matmul_slope(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e, NnrDType dtype,
                             const void *a, const void *b, const void *at, void *y)
{
	must_multiply(plan, s, dtype, (Call){.epilogue = e, .a = a, .b = b, .at = at, .y = y});
}

void nnr_cublas_matmul_row_sums(NnrPlan **plan, const NnrProductShape *s, const NnrEpilogue *e,
                                NnrDType dtype, const void *a, const void *b, const void *bias,
                                const void *weight, void *y, void *sums)
{
	must_multiply(
	        plan, s, dtype,
	        (Call){.epilogue = e, .a = a, .b = b, .bias = bias, .weight = weight, .y = y, .sums = sums});
}
