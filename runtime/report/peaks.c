/* SPDX-License-Identifier: MIT */
/* What the processors can do at most, for the roofline of a profile: multiply-adds that wait for nothing, and STREAM's
 * triad (McCalpin, 1995) over arrays that no cache holds. Each thread works for a fixed time and counts. */
#include "runtime/report/profile.h"

#include "runtime/host/die.h"
#include "runtime/host/memory.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_THREADS = 1024, LOOPS = 2000, CHAINS = 12 /* enough for two units of four cycles */ };
static const int64_t WORK_NS = 60000000;

typedef struct Worker {
	bool in_double;
	float *a, *b, *c; /* of `elements`; NULL: multiply-adds */
	int64_t elements;
	double rate; /* FLOP or bytes a second */
} Worker;

/* FLOP of one call. The values neither grow nor vanish: x = x*0.5 + 1 tends to 2. */
#define MULTIPLY_ADDS(name, attribute, real, bytes)                                             \
	attribute static double name(volatile real *kept)                                       \
	{                                                                                       \
		typedef real Vector __attribute__((vector_size(bytes)));                        \
		Vector half = {0}, one = {0}, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11; \
		half += *kept;                                                                  \
		one += 2 * *kept;                                                               \
		x0 = x1 = x2 = x3 = x4 = x5 = x6 = x7 = x8 = x9 = x10 = x11 = one;              \
		for (int i = 0; i < LOOPS; i++) {                                               \
			x0 = x0 * half + one, x1 = x1 * half + one, x2 = x2 * half + one;       \
			x3 = x3 * half + one, x4 = x4 * half + one, x5 = x5 * half + one;       \
			x6 = x6 * half + one, x7 = x7 * half + one, x8 = x8 * half + one;       \
			x9 = x9 * half + one, x10 = x10 * half + one, x11 = x11 * half + one;   \
		}                                                                               \
		x0 = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;               \
		kept[1] = x0[0];                                                                \
		return 2.0 * CHAINS * LOOPS * (double)(bytes / sizeof(real));                   \
	}
MULTIPLY_ADDS(adds_f32_plain, , float, 16)
MULTIPLY_ADDS(adds_f64_plain, , double, 16)
#ifdef __x86_64__
MULTIPLY_ADDS(adds_f32_avx2, __attribute__((target("avx2,fma"))), float, 32)
MULTIPLY_ADDS(adds_f64_avx2, __attribute__((target("avx2,fma"))), double, 32)
MULTIPLY_ADDS(adds_f32_avx512, __attribute__((target("avx512f,fma"))), float, 64)
MULTIPLY_ADDS(adds_f64_avx512, __attribute__((target("avx512f,fma"))), double, 64)
#define CHOOSE(precision)                                                                       \
	(__builtin_cpu_supports("avx512f")                                 ? precision##_avx512 \
	 : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? precision##_avx2   \
	                                                                   : precision##_plain)
#else
#define CHOOSE(precision) precision##_plain
#endif

static double multiply_adds(bool in_double)
{
	volatile float f32[2] = {0.5F};
	volatile double f64[2] = {0.5};
	return in_double ? CHOOSE(adds_f64)(f64) : CHOOSE(adds_f32)(f32);
}

/* Bytes of one call. */
static double triad(const Worker *w)
{
	for (int64_t i = 0; i < w->elements; i++)
		w->a[i] = w->b[i] + 3 * w->c[i];
	return 3.0 * sizeof(float) * (double)w->elements;
}

static double work_once(const Worker *w)
{
	return w->a ? triad(w) : multiply_adds(w->in_double);
}

static atomic_int ready; /* threads that wait for the others */
static atomic_bool go;

static void prepare(Worker *w)
{
	for (int64_t i = 0; i < (w->a ? w->elements : 0); i++) /* by who uses them: the memory is near */
		w->a[i] = w->b[i] = w->c[i] = 1;
	work_once(w);
}

static void measure(Worker *w)
{
	int64_t begun = clock_ns(), now = begun;
	double done = 0;
	for (; now - begun < WORK_NS; now = clock_ns())
		done += work_once(w);
	w->rate = 1e9 * done / (double)(now - begun);
}

static void *work(void *worker)
{
	prepare(worker);
	atomic_fetch_add(&ready, 1);
	while (!atomic_load(&go))
		sched_yield();
	measure(worker);
	return NULL;
}

/* The sum of the threads' rates; *count: how many there were, this one included. */
static double rate_of(Worker *workers, int *count)
{
	pthread_t ids[MOST_THREADS];
	int others = 0;
	atomic_store(&ready, 0);
	atomic_store(&go, false);
	while (others < *count - 1 && pthread_create(&ids[others], NULL, work, &workers[others + 1]) == 0)
		others++;
	*count = others + 1;
	prepare(&workers[0]);
	while (atomic_load(&ready) < others)
		sched_yield();
	atomic_store(&go, true);
	measure(&workers[0]);
	double rate = workers[0].rate;
	for (int i = 0; i < others; i++) {
		pthread_join(ids[i], NULL);
		rate += workers[i + 1].rate;
	}
	return rate;
}

/* Bytes of all arrays together: some times what the last cache holds, a quarter of what is left at most. */
static double triad_bytes(void)
{
	static const double LEAST = 96e6, MOST = 1e9, CACHES = 4;
	long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
	double bytes = fmin(fmax(LEAST, CACHES * (double)cache), MOST);
	return fmin(bytes, memory_available() / 4);
}

Peaks peaks_of_cpu(int threads, bool in_double)
{
	Peaks p = {.threads = threads, .processors = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	if (threads > MOST_THREADS)
		threads = MOST_THREADS;
	Worker *workers = allocate(threads, sizeof *workers, "the measurement");
	for (int i = 0; i < threads; i++)
		workers[i].in_double = in_double;
	p.flops = rate_of(workers, &threads);
	double room = triad_bytes();
	int64_t each = (int64_t)(room / (3 * sizeof(float)) / threads);
	float *arrays = each > 0 ? malloc(3 * (size_t)each * (size_t)threads * sizeof(float)) : NULL;
	for (int i = 0; i < threads && arrays; i++) {
		workers[i].elements = each;
		workers[i].a = arrays + 3 * each * i;
		workers[i].b = workers[i].a + each;
		workers[i].c = workers[i].b + each;
	}
	if (arrays)
		p.bytes = rate_of(workers, &threads);
	free(arrays);
	free(workers);
	snprintf(p.flops_how, sizeof p.flops_how, "multiply-adds of %s, %d thread%s",
	         in_double ? "f64" : "f32", threads, threads == 1 ? "" : "s");
	snprintf(p.bytes_how, sizeof p.bytes_how, "triad over %s", human_bytes(room));
	return p;
}
