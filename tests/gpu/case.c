/* SPDX-License-Identifier: MIT */
#include "tests/gpu/case.h"
#include "runtime/host/progress.h"
#include "runtime/cuda/plan.h"
#include "tests/gpu/epilogues.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the backend gives to the libraries' files */

Gpu gpu;
int passed, failed;

CUdevice nnr_cuda_device(void)
{
	return gpu.device;
}

CUstream nnr_cuda_stream(void)
{
	return gpu.stream;
}

bool nnr_cuda_capturing(void)
{
	return false;
}

bool nnr_cuda_looking(void)
{
	return false;
}

bool nnr_cuda_deterministic(void)
{
	return gpu.deterministic;
}

const char *nnr_cuda_precision(void)
{
	return gpu.arithmetic->precision;
}

void *nnr_cuda_workspace(int64_t bytes)
{
	if (bytes > gpu.workspace_bytes) {
		CU(StreamSynchronize, gpu.stream);
		if (gpu.workspace)
			CU(MemFree, gpu.workspace);
		CU(MemAlloc, &gpu.workspace, (size_t)bytes);
		gpu.workspace_bytes = bytes;
	}
	return (void *)gpu.workspace;
}

void start_gpu(void)
{
	CUcontext context;
	char name[128];
	int version;
	nnr_cuda_load_driver();
	CU(Init, 0);
	CU(DeviceGet, &gpu.device, 0);
	CU(DeviceGetName, name, sizeof name, gpu.device);
	CU(DriverGetVersion, &version);
	CU(DevicePrimaryCtxRetain, &context, gpu.device);
	CU(CtxSetCurrent, context);
	CU(StreamCreateWithPriority, &gpu.stream, CU_STREAM_NON_BLOCKING, 0);
	printf("%s, driver %d\n", name, version);
}

/* ---- the end of a case instead of the end of the process */

static jmp_buf next_case;
static bool in_case;

_Noreturn void __real_die(int status, const char *format, ...);
_Noreturn void __wrap_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void __wrap_die_help(int status, const char *help, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

__attribute__((format(printf, 2, 0))) _Noreturn static void give_up(int status, const char *format,
                                                                    va_list args)
{
	char text[2048];
	vsnprintf(text, sizeof text, format, args);
	if (!in_case || strstr(text, "CUDA_ERROR")) /* the context is lost */
		__real_die(status, "%s", text);
	printf("  FAIL %s\n", text);
	failed++;
	in_case = false;
	longjmp(next_case, 1);
}

_Noreturn void __wrap_die(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	give_up(status, format, args);
}

_Noreturn void __wrap_die_help(int status, const char *help, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	give_up(status, format, args);
}

/* ---- one case */

static const char *plan_text(const TuneEntry *e)
{
	static char text[512];
	int n = 0;
	for (int i = 0; i < e->setting_count && n < 200; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, " %s=%lld", e->settings[i].name,
		              (long long)e->settings[i].value);
	return text;
}

/* The largest error in units of what is allowed; INFINITY where the guard or an element was not left or written. */
static double largest_error(const Case *c, bool rounds_sum)
{
	const Arithmetic *a = gpu.arithmetic;
	const Tensor *r = c->result;
	unsigned char *raw = tensor_download(r);
	int64_t budget = 20000000 / (c->work ? c->work : c->terms) + 64,
	        step_count = r->count < budget ? r->count : budget;
	double scale = a->noise * sqrt((double)c->terms) / 3, worst = 0;
	for (int64_t k = 0; k < step_count; k++) {
		int64_t i = step_count == r->count ? k : (int64_t)(random_unit() * (double)r->count);
		double got = tensor_load(r->dtype, raw, i), exact = c->exact(c, i);
		double allowed = a->rounding * fabs(exact) + scale + (rounds_sum ? c->carried(c, i) : 0);
		double units = fabs(got - exact) / allowed;
		worst = units > worst || isnan(units) ? (isnan(units) ? INFINITY : units) : worst;
	}
	for (int64_t i = 0; i < r->count; i++)
		if (isnan(tensor_load(r->dtype, raw, i)))
			worst = INFINITY;
	for (int i = 0; i < GUARD; i++)
		if (raw[r->count * tensor_element(r->dtype) + i] != 0xff)
			worst = INFINITY;
	free(raw);
	return worst;
}

static void report(const Case *c, const TuneEntry *e, double error, bool same, double seconds)
{
	bool fine = error <= 1 && same;
	*(fine ? &passed : &failed) += 1;
	printf("  %s %-6s %9.2f us %7.1f TFLOP/s  first %9.2f us  runner-up %9.2f us  of %3d  made in %.3f s "
	       " error %.3f%s:%s\n",
	       fine ? "ok  " : "FAIL", c->name, e->us, e->us > 0 ? c->flops / e->us * 1e-6 : 0, e->first_us,
	       e->runner_up_us, e->candidates, seconds, error, same ? "" : ", two runs differ", plan_text(e));
	fflush(stdout);
}

void run_case(Case *c)
{
	if (setjmp(next_case))
		return;
	in_case = true;
	NnrPlan *plan = NULL;
	double began = clock_seconds();
	c->run(c, &plan);
	CU(StreamSynchronize, gpu.stream);
	double seconds = clock_seconds() - began;
	tensor_spoil(c->result); /* tuning wrote into it */
	c->run(c, &plan);
	double error = largest_error(c, c->carried && (c->in_two || epilogue_takes_rounded_sum(plan->entry)));
	bool same = true;
	if (gpu.deterministic) {
		unsigned char *one = tensor_download(c->result);
		c->run(c, &plan);
		unsigned char *two = tensor_download(c->result);
		same = !memcmp(one, two, (size_t)(c->result->count * tensor_element(c->result->dtype)));
		free(one);
		free(two);
	}
	report(c, plan->entry, error, same, seconds);
	in_case = false;
}

void judge_case(bool fine, const Case *c, const char *why)
{
	*(fine ? &passed : &failed) += 1;
	if (!fine)
		printf("  FAIL %s %s\n", c->name, why);
}

void free_case(Case *c)
{
	Tensor *const all[] = {&c->x, &c->w, &c->y, &c->residual, &c->bias, &c->weight, &c->sum};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		tensor_free(all[i]);
}
