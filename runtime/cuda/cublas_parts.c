/* SPDX-License-Identifier: MIT */
/* Products with an extent that is no multiple of 16 bytes, in two.
 *
 * cuBLASLt has kernels that load 16 bytes at a time where addresses, rows and extents are multiples of that. With
 * 50257 classes the rows of the logits are stored that far apart (compiler/program/pad_rows.c), but the extent is
 * odd, and what is left are kernels that load an element at a time: the product and its two gradients took 12.1 ms of
 * an H100 for what their work is 4.5. So the product of 50256 is computed, and that of the one that is left, which
 * reads each operand once. Where the extent is k, the product that is left comes first, and the other adds to it:
 * the former is rounded to 16 bits, and by kernels for sm_90 the latter too, before the sum is (tests/gpu/products.c).
 *
 * The alternative, operands that are longer by zeros, needs room after a weight, and after its gradient, which lies in
 * the flat tensor of all gradients. */
#include "runtime/cuda/cublas_choice.h"

enum {
	ALIGNMENT = 16,   /* bytes, of a load */
	LEAST_SHARES = 64 /* of an extent, of which the rest is at most one */
};

double cublas_parts_from = 4e9; /* multiply-adds: faster by some 30 us, for a launch of 5 to 10 */

static bool is_odd(int64_t extent, int element)
{
	const int64_t rest = extent * element % ALIGNMENT / element;
	return rest && rest * LEAST_SHARES <= extent;
}

/* How far apart the rows are, of which one has `columns`: 0 where they are dense, as the shape says it. */
static int64_t leading_of_part(int64_t leading, int64_t columns)
{
	return leading == columns ? 0 : leading;
}

static void set_leading(NnrProductShape *part, int64_t lda, int64_t ldb, int64_t ldy)
{
	part->lda = leading_of_part(lda, part->ta ? part->m : part->k);
	part->ldb = leading_of_part(ldb, part->tb ? part->k : part->n);
	part->ldy = leading_of_part(ldy, part->n);
}

bool cublas_parts(const NnrProductShape *s, int element, int result_element, int alignment, Parts *p)
{
	const int64_t lda = cublas_leading(s->lda, s->ta ? s->m : s->k),
	              ldb = cublas_leading(s->ldb, s->tb ? s->k : s->n), ldy = cublas_leading(s->ldy, s->n);
	if (s->batch != 1 || s->own || alignment < ALIGNMENT ||
	    (lda * element | ldb * element | ldy * result_element) % ALIGNMENT ||
	    (double)s->m * (double)s->n * (double)s->k < cublas_parts_from)
		return false;
	/* Extents along which elements of a, b or y lie side by side. */
	const bool by_n = is_odd(s->n, element), by_m = s->ta && is_odd(s->m, element),
	           by_k = (!s->ta || s->tb) && is_odd(s->k, element);
	const int64_t per_load = ALIGNMENT / element;
	*p = (Parts){.main = *s, .rest = *s};
	if (by_n) {
		p->main.n -= p->rest.n = s->n % per_load;
		p->b = p->main.n * (s->tb ? ldb : 1);
		p->y = p->main.n;
	} else if (by_m) {
		p->main.m -= p->rest.m = s->m % per_load;
		p->a = p->main.m;
		p->y = p->main.m * ldy;
	} else if (by_k) {
		p->main.k -= p->rest.k = s->k % per_load;
		p->a = p->main.k * (s->ta ? lda : 1);
		p->b = p->main.k * (s->tb ? 1 : ldb);
		p->sums = true;
	} else {
		return false;
	}
	p->a *= element;
	p->b *= element;
	p->y *= result_element;
	set_leading(&p->main, lda, ldb, ldy);
	set_leading(&p->rest, lda, ldb, ldy);
	return true;
}
