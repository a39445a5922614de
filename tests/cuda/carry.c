/* SPDX-License-Identifier: MIT */
/* How a batch's gather is shared out among the products of the step before (runtime/cuda/carry.c): no sample is
 * gathered twice or by nobody, and what their kernel can't gather is left to the step's. */
#include "runtime/host/progress.h"
#include "runtime/cuda/product.h"
#include "runtime/cuda/state.h"
#include "tests/unit/check.h"

CudaState nnr_cuda;

static int left;      /* the input that was left to the products; -1: none */
static double slower; /* our kernel for the first product, us */

void cuda_leave_feed(int feed)
{
	left = feed;
}

static const double PRODUCT = 8000. * 1000 * 1000;

static NnrFeed turned(uint32_t elements, uintptr_t from)
{
	return (NnrFeed){.from = (const uint8_t *)from,
	                 .transposed = (uint8_t *)(uintptr_t)4096,
	                 .unit = 4,
	                 .units = elements};
}

/* A step of two products. */
static void enqueue_step(NnrCarried share[2], double first, double second)
{
	share[0] = share[1] = (NnrCarried){0};
	cuda_carry_begin(3, 1);
	bool gather = nnr_cuda_carry(first, slower, &share[0]);
	CHECK(nnr_cuda_carry(second, 0, &share[1]) == gather && gather == cuda_carry_shared());
	cuda_carry_end();
}

/* Whether it is shared when the plans are known. */
static bool is_shared(uint32_t batch, const NnrFeed *feeds, int count, double first, double second)
{
	static NnrInput inputs[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
	static NnrModel model = {.inputs = inputs};
	NnrCarried share[2];
	left = -1;
	nnr_cuda.model = &model;
	nnr_cuda.training = (NnrSupply){.batch = batch, .feed_count = count, .slot_bytes = 1 << 20};
	for (int i = 0; i < count; i++)
		nnr_cuda.training.feeds[i] = feeds[i];
	cuda_carry_open();
	enqueue_step(share, first, second);
	CHECK(share[0].first == share[0].end && share[1].first == share[1].end); /* not yet */
	bool shared = cuda_carry_share();
	CHECK(shared == cuda_carry_shared() && shared == (left >= 0));
	return shared;
}

static void shares(void)
{
	const NnrFeed feeds[] = {turned(20, 0), {.unit = 4, .units = 1}, turned(1000, 256)};
	NnrCarried share[2];
	CHECK(is_shared(8000, feeds, 3, PRODUCT, PRODUCT));
	CHECK(left == 2); /* the largest */
	enqueue_step(share, PRODUCT, PRODUCT);
	CHECK(share[0].first == 0 && share[0].end == 250 && share[1].first == 250 && share[1].end == 500);
	for (int i = 0; i < 2; i++)
		CHECK(share[i].feed == 2 && share[i].unit == 3 && share[i].slot == 1 &&
		      share[i].supply.batch == 8000);
	NnrCarried outside = {0}; /* an evaluation */
	CHECK(!nnr_cuda_carry(PRODUCT, 0, &outside) && outside.first == outside.end);
	CHECK(is_shared(8004, feeds, 3, 2.7 * PRODUCT, PRODUCT / 3));
	for (int step = 0; step < 2; step++) {
		enqueue_step(share, 2.7 * PRODUCT, PRODUCT / 3);
		CHECK(share[0].first == 0 && share[0].end == share[1].first && share[1].end == 504);
		CHECK(share[0].end > 440 && share[0].end < 455);
	}
	CHECK(is_shared(8000, feeds, 3, 2 * PRODUCT, 0));
	enqueue_step(share, 2 * PRODUCT, 0);
	CHECK(share[0].end == 500 && share[1].first == 500 && share[1].end == 500);
}

/* Plans have changed: a plain step gathers everything, and the products that ours are now tried for share anew. */
static void shares_anew(void)
{
	NnrFeed f = turned(1000, 256);
	NnrCarried share[2];
	CHECK(is_shared(8000, &f, 1, 2 * PRODUCT, 0));
	cuda_carry_forget();
	CHECK(left == -1 && !cuda_carry_shared());
	enqueue_step(share, PRODUCT, PRODUCT);
	CHECK(share[0].end == 0 && share[1].end == 0);
	CHECK(cuda_carry_share() && left == 0);
	enqueue_step(share, PRODUCT, PRODUCT);
	CHECK(share[0].end == 250 && share[1].first == 250 && share[1].end == 500);
	cuda_carry_forget();
	enqueue_step(share, 0, 0); /* by the library */
	CHECK(!cuda_carry_share() && left == -1);
	left = 5;
	cuda_carry_forget(); /* nothing was shared */
	CHECK(left == 5);
}

/* 500 units are worth 10 us. */
static void worth(void)
{
	NnrFeed f = turned(1000, 256);
	slower = 9.9;
	CHECK(is_shared(8000, &f, 1, PRODUCT, PRODUCT));
	slower = 10.1;
	CHECK(!is_shared(8000, &f, 1, PRODUCT, PRODUCT));
	slower = 0;
}

static void refusals(void)
{
	NnrFeed f = turned(1000, 256);
	CHECK(is_shared(8000, &f, 1, PRODUCT, PRODUCT));
	CHECK(!is_shared(8000, &f, 1, 0, 0));                     /* by the library */
	CHECK(!is_shared(8000, &f, 1, PRODUCT / 2, PRODUCT / 4)); /* too small for it */
	CHECK(!is_shared(8002, &f, 1, PRODUCT, PRODUCT));         /* no multiple of 4 */
	CHECK(!is_shared(8000, &f, 0, PRODUCT, PRODUCT));
	f.to = (uint8_t *)(uintptr_t)512; /* the batch as it is, too */
	CHECK(!is_shared(8000, &f, 1, PRODUCT, PRODUCT));
	f = turned(1000, 260);
	CHECK(!is_shared(8000, &f, 1, PRODUCT, PRODUCT));
	f = turned(1002, 256);
	CHECK(!is_shared(8000, &f, 1, PRODUCT, PRODUCT));
	f = turned(1000, 256);
	f.unit = 8;
	CHECK(!is_shared(8000, &f, 1, PRODUCT, PRODUCT));
	f = turned(1000, 256);
	f.transposed = NULL;
	CHECK(!is_shared(8000, &f, 1, PRODUCT, PRODUCT));
}

int main(void)
{
	progress_begin(PROGRESS_AUTO, true);
	shares();
	shares_anew();
	worth();
	refusals();
	return check_report("cuda, the gather in products");
}
