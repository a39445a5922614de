/* SPDX-License-Identifier: MIT */
/* The head of a language model and its loss, step by step (head.md): logits = x words', cross entropy, and the gradients of x
 * and words, for 8,192 places of 768 over 50,257 classes in bf16; the gradient of words is summed in f32.
 *
 *     nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o head bench/ladder/head.cu -lcublasLt && ./head */
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef __nv_bfloat16 bf16;

enum { PLACES = 8192, WIDTH = 768, CLASSES = 50257, PITCH = 50304, VECTORS = PITCH / 8, TURNS = 20, WORKSPACE = 64 << 20 };

#define CHECK(call)                                                              \
	do {                                                                     \
		const int status_ = (int)(call);                                 \
		if (status_) {                                                   \
			printf("%s: %d, line %d\n", #call, status_, __LINE__);   \
			exit(1);                                                 \
		}                                                                \
	} while (0)

/* ---- cross entropy and its gradient, in place; zeros in the columns beyond the classes */

struct Pair {
	float most, sum;
};

__device__ Pair join(Pair a, Pair b)
{
	const float most = fmaxf(a.most, b.most);
	return {most, a.sum * exp2f(a.most - most) + b.sum * exp2f(b.most - most)};
}

/* Of all threads; scratch of 32. */
__device__ Pair join_block(Pair p, Pair *scratch)
{
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	for (int d = 16; d; d >>= 1)
		p = join(p, {__shfl_xor_sync(~0u, p.most, d), __shfl_xor_sync(~0u, p.sum, d)});
	__syncthreads();
	if (lane == 0)
		scratch[warp] = p;
	__syncthreads();
	p = lane < warps ? scratch[lane] : Pair{-INFINITY, 0};
	for (int d = 16; d; d >>= 1)
		p = join(p, {__shfl_xor_sync(~0u, p.most, d), __shfl_xor_sync(~0u, p.sum, d)});
	return p;
}

#define LOG2E 1.44269504f

__device__ Pair of_vector(uint4 v, int at)
{
	const __nv_bfloat162 *two = (const __nv_bfloat162 *)&v;
	float x[8], most = -INFINITY, sum = 0;
	for (int i = 0; i < 4; i++) {
		const float2 f = __bfloat1622float2(two[i]);
		x[2 * i] = 8 * at + 2 * i < CLASSES ? f.x * LOG2E : -INFINITY;
		x[2 * i + 1] = 8 * at + 2 * i + 1 < CLASSES ? f.y * LOG2E : -INFINITY;
	}
	for (int i = 0; i < 8; i++)
		most = fmaxf(most, x[i]);
	for (int i = 0; i < 8; i++)
		sum += most == -INFINITY ? 0 : exp2f(x[i] - most);
	return {most, sum};
}

__device__ uint4 gradient(uint4 v, int at, float shift, int label)
{
	__nv_bfloat162 *two = (__nv_bfloat162 *)&v;
	for (int i = 0; i < 4; i++) {
		const int c = 8 * at + 2 * i;
		const float2 f = __bfloat1622float2(two[i]);
		const float a = c < CLASSES ? exp2f(fmaf(f.x, LOG2E, -shift)) - (c == label) : 0,
		            b = c + 1 < CLASSES ? exp2f(fmaf(f.y, LOG2E, -shift)) - (c + 1 == label) : 0;
		two[i] = __floats2bfloat162_rn(a * (1.0f / PLACES), b * (1.0f / PLACES));
	}
	return v;
}

/* A row a block, read once: in registers. */
__global__ __launch_bounds__(1024) void by_registers(bf16 *rows, const int *labels, float *losses, int count)
{
	enum { EACH = (VECTORS + 1023) / 1024 };
	__shared__ Pair scratch[32];
	uint4 *row = (uint4 *)(rows + (size_t)blockIdx.x * PITCH), v[EACH];
	Pair p = {-INFINITY, 0};
	const int label = labels[blockIdx.x];
	const float right = __bfloat162float(((bf16 *)row)[label]);
#pragma unroll
	for (int i = 0; i < EACH; i++)
		if (threadIdx.x + 1024 * i < VECTORS)
			v[i] = row[threadIdx.x + 1024 * i];
#pragma unroll
	for (int i = 0; i < EACH; i++)
		if (threadIdx.x + 1024 * i < VECTORS)
			p = join(p, of_vector(v[i], threadIdx.x + 1024 * i));
	p = join_block(p, scratch);
	const float shift = p.most + log2f(p.sum);
	if (threadIdx.x == 0)
		losses[blockIdx.x] = shift / LOG2E - right;
#pragma unroll
	for (int i = 0; i < EACH; i++)
		if (threadIdx.x + 1024 * i < VECTORS)
			row[threadIdx.x + 1024 * i] = gradient(v[i], threadIdx.x + 1024 * i, shift, label);
}

/* A block a multiprocessor, rows through two buffers of shared memory: the copy engine brings the next one, and takes away the last,
 * beside the arithmetic. */
__device__ unsigned shared_at(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void fetch(uint4 *to, const bf16 *from, unsigned long long *full)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_at(full)), "r"(PITCH * 2) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_at(to)),
	             "l"(from), "r"(PITCH * 2), "r"(shared_at(full))
	             : "memory");
}

__device__ void wait_for(unsigned long long *full, unsigned phase)
{
	unsigned done = 0;
	while (!done)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
		             : "=r"(done)
		             : "r"(shared_at(full)), "r"(phase)
		             : "memory");
}

__global__ __launch_bounds__(1024) void by_copies(bf16 *rows, const int *labels, float *losses, int count)
{
	extern __shared__ uint4 buffers[];
	__shared__ Pair scratch[32];
	__shared__ unsigned long long full[2];
	const bool leads = threadIdx.x == 0;
	if (leads) {
		for (int i = 0; i < 2; i++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_at(&full[i])));
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		if ((int)blockIdx.x < count)
			fetch(buffers, rows + (size_t)blockIdx.x * PITCH, &full[0]);
	}
	__syncthreads();
	int turn = 0;
	for (int r = blockIdx.x; r < count; r += gridDim.x, turn++) {
		const int side = turn & 1;
		uint4 *row = buffers + side * VECTORS;
		if (leads) { /* the row before this one has left the other buffer */
			asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
			if (r + (int)gridDim.x < count)
				fetch(buffers + (side ^ 1) * VECTORS, rows + (size_t)(r + gridDim.x) * PITCH, &full[side ^ 1]);
		}
		const int label = labels[r];
		wait_for(&full[side], turn >> 1 & 1);
		const float right = __bfloat162float(((bf16 *)row)[label]);
		Pair p = {-INFINITY, 0};
		for (int i = threadIdx.x; i < VECTORS; i += 1024)
			p = join(p, of_vector(row[i], i));
		p = join_block(p, scratch);
		const float shift = p.most + log2f(p.sum);
		if (leads)
			losses[r] = shift / LOG2E - right;
		for (int i = threadIdx.x; i < VECTORS; i += 1024)
			row[i] = gradient(row[i], i, shift, label);
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		__syncthreads();
		if (leads) {
			asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(rows + (size_t)r * PITCH),
			             "r"(shared_at(row)), "r"(PITCH * 2)
			             : "memory");
			asm volatile("cp.async.bulk.commit_group;" ::: "memory");
		}
	}
	if (leads)
		asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* ---- products */

static cublasLtHandle_t handle;
static int processors;
static cudaStream_t chain, aside;
static char *workspace;

static float time_us(cudaStream_t stream, int turns, void (*run)(void *), void *context)
{
	cudaEvent_t first, last;
	float ms;
	CHECK(cudaEventCreate(&first));
	CHECK(cudaEventCreate(&last));
	CHECK(cudaEventRecord(first, stream));
	for (int i = 0; i < turns; i++)
		run(context);
	CHECK(cudaEventRecord(last, stream));
	CHECK(cudaEventSynchronize(last));
	CHECK(cudaEventElapsedTime(&ms, first, last));
	CHECK(cudaEventDestroy(first));
	CHECK(cudaEventDestroy(last));
	return 1e3f * ms / turns;
}

/* c [m, n] = a b (+ c), column-major, with the fastest of the library's first ten algorithms. */
struct Product {
	cublasLtMatmulDesc_t call;
	cublasLtMatrixLayout_t a, b, c;
	cublasLtMatmulAlgo_t algo;
	float beta;
	const void *at_a, *at_b;
	void *at_c;

	void run(const void *from_a, const void *from_b, void *to)
	{
		const float one = 1;
		CHECK(cublasLtMatmul(handle, call, &one, from_a, a, from_b, b, &beta, to, c, to, c, &algo, workspace, WORKSPACE, chain));
	}

	Product(bool ta, bool tb, int m, int n, int k, int lda, int ldb, int ldc, bool wide, float beta, const void *pa, const void *pb,
	        void *pc)
	    : beta(beta), at_a(pa), at_b(pb), at_c(pc)
	{
		const cublasOperation_t turned = CUBLAS_OP_T;
		cublasLtMatmulPreference_t wish;
		cublasLtMatmulHeuristicResult_t found[10];
		const size_t room = WORKSPACE;
		int count;
		CHECK(cublasLtMatmulDescCreate(&call, CUBLAS_COMPUTE_32F, CUDA_R_32F));
		if (ta)
			CHECK(cublasLtMatmulDescSetAttribute(call, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned));
		if (tb)
			CHECK(cublasLtMatmulDescSetAttribute(call, CUBLASLT_MATMUL_DESC_TRANSB, &turned, sizeof turned));
		CHECK(cublasLtMatrixLayoutCreate(&a, CUDA_R_16BF, ta ? k : m, ta ? m : k, lda));
		CHECK(cublasLtMatrixLayoutCreate(&b, CUDA_R_16BF, tb ? n : k, tb ? k : n, ldb));
		CHECK(cublasLtMatrixLayoutCreate(&c, wide ? CUDA_R_32F : CUDA_R_16BF, m, n, ldc));
		CHECK(cublasLtMatmulPreferenceCreate(&wish));
		CHECK(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room));
		CHECK(cublasLtMatmulAlgoGetHeuristic(handle, call, a, b, c, c, wish, 10, found, &count));
		float least = INFINITY;
		cublasLtMatmulAlgo_t best = found[0].algo;
		for (int i = 0; i < count; i++) {
			algo = found[i].algo;
			auto once = [](void *p) { ((Product *)p)->run(((Product *)p)->at_a, ((Product *)p)->at_b, ((Product *)p)->at_c); };
			once(this);
			const float us = time_us(chain, 3, once, this);
			if (us < least) {
				least = us;
				best = algo;
			}
		}
		algo = best;
	}
};

/* ---- the steps */

static bf16 *x, *words, *logits, *dx;
static float *dwords, *losses;
static int *labels;

struct Head {
	int rows;      /* of a part */
	bool copies;   /* which kernel */
	bool keeps;    /* the gradient of the logits stays whole, for one product at the end */
	bool overlaps; /* the kernel of a part beside the products of others */
	Product *forward, *back, *words_first, *words_more, *words_whole;
	std::vector<cudaEvent_t> computed, differentiated;

	void kernel(bf16 *at, int first, cudaStream_t stream)
	{
		if (copies)
			by_copies<<<std::min(processors, rows), 1024, 2 * PITCH * sizeof(bf16), stream>>>(at, labels + first, losses + first, rows);
		else
			by_registers<<<rows, 1024, 0, stream>>>(at, labels + first, losses + first, rows);
	}
	bf16 *part(int first)
	{
		return keeps ? logits + (size_t)first * PITCH : logits + (size_t)(first / rows % (overlaps ? 2 : 1)) * rows * PITCH;
	}
	void gradients(int first)
	{
		back->run(words, part(first), dx + (size_t)first * WIDTH);
		if (!keeps)
			(first ? words_more : words_first)->run(x + (size_t)first * WIDTH, part(first), dwords);
	}
	void run()
	{
		for (int first = 0, i = 0; first < PLACES; first += rows, i++) {
			forward->run(words, x + (size_t)first * WIDTH, part(first));
			if (!overlaps) {
				kernel(part(first), first, chain);
				gradients(first);
				continue;
			}
			CHECK(cudaEventRecord(computed[i], chain));
			CHECK(cudaStreamWaitEvent(aside, computed[i]));
			kernel(part(first), first, aside);
			CHECK(cudaEventRecord(differentiated[i], aside));
			if (i > 0) {
				CHECK(cudaStreamWaitEvent(chain, differentiated[i - 1]));
				gradients(first - rows);
			}
		}
		if (overlaps) {
			CHECK(cudaStreamWaitEvent(chain, differentiated[PLACES / rows - 1]));
			gradients(PLACES - rows);
		}
		if (keeps)
			words_whole->run(x, logits, dwords);
	}
};

static double checksum(void)
{
	std::vector<float> w((size_t)PITCH * WIDTH), l(PLACES);
	std::vector<bf16> d((size_t)PLACES * WIDTH);
	double sum = 0;
	CHECK(cudaMemcpy(w.data(), dwords, w.size() * 4, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(l.data(), losses, l.size() * 4, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(d.data(), dx, d.size() * 2, cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < w.size(); i += 97)
		sum += fabs(w[i]) * 1e3;
	for (size_t i = 0; i < d.size(); i += 97)
		sum += fabs(__bfloat162float(d[i])) * 1e3;
	for (float v : l)
		sum += v;
	return sum;
}

static void fill(bf16 *to, size_t count, float scale)
{
	std::vector<bf16> v(count);
	unsigned state = 1;
	for (size_t i = 0; i < count; i++) {
		state = state * 1664525u + 1013904223u;
		v[i] = __float2bfloat16(scale * ((float)(state >> 8) / (1 << 23) - 1));
	}
	CHECK(cudaMemcpy(to, v.data(), count * 2, cudaMemcpyHostToDevice));
}

int main()
{
	CHECK(cublasLtCreate(&handle));
	CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaStreamCreateWithFlags(&chain, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&workspace, WORKSPACE));
	CHECK(cudaMalloc(&x, (size_t)PLACES * WIDTH * 2));
	CHECK(cudaMalloc(&dx, (size_t)PLACES * WIDTH * 2));
	CHECK(cudaMalloc(&words, (size_t)PITCH * WIDTH * 2));
	CHECK(cudaMalloc(&logits, (size_t)PLACES * PITCH * 2));
	CHECK(cudaMalloc(&dwords, (size_t)PITCH * WIDTH * 4));
	CHECK(cudaMalloc(&losses, PLACES * 4));
	CHECK(cudaMalloc(&labels, PLACES * 4));
	fill(x, (size_t)PLACES * WIDTH, 1);
	fill(words, (size_t)PITCH * WIDTH, 0.1f);
	std::vector<int> l(PLACES);
	for (int i = 0; i < PLACES; i++)
		l[i] = (int)(7919ll * i % CLASSES);
	CHECK(cudaMemcpy(labels, l.data(), PLACES * 4, cudaMemcpyHostToDevice));
	CHECK(cudaFuncSetAttribute(by_copies, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * PITCH * 2));
	Product whole(false, true, WIDTH, PITCH, PLACES, WIDTH, PITCH, WIDTH, true, 0, x, logits, dwords);
	const double flops = 6.0 * PLACES * WIDTH * CLASSES;
	printf("%-7s%-11s%-10s%-10s%9s%9s%9s%9s%9s%9s%9s%12s\n", "rows", "kernel", "keeps", "overlaps", "logits", "kernel", "dx", "dwords",
	       "all, us", "TFLOP/s", "MB", "checksum");
	for (int rows : {8192, 4096, 2048, 1024, 512, 256}) {
		Product forward(true, false, PITCH, rows, WIDTH, WIDTH, WIDTH, PITCH, false, 0, words, x, logits);
		Product back(false, false, WIDTH, rows, PITCH, WIDTH, PITCH, WIDTH, false, 0, words, logits, dx);
		Product first(false, true, WIDTH, PITCH, rows, WIDTH, PITCH, WIDTH, true, 0, x, logits, dwords);
		Product more(false, true, WIDTH, PITCH, rows, WIDTH, PITCH, WIDTH, true, 1, x, logits, dwords);
		for (int form = 0; form < 8; form++) {
			Head h = {rows, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0, &forward, &back, &first, &more, &whole, {}, {}};
			if (rows == PLACES && (form & 6))
				continue;
			h.computed.resize(PLACES / rows);
			h.differentiated.resize(PLACES / rows);
			for (auto *events : {&h.computed, &h.differentiated})
				for (cudaEvent_t &e : *events)
					CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
			cudaGraph_t graph;
			cudaGraphExec_t exec;
			CHECK(cudaStreamBeginCapture(chain, cudaStreamCaptureModeGlobal));
			h.run();
			CHECK(cudaStreamEndCapture(chain, &graph));
			CHECK(cudaGraphInstantiate(&exec, graph, 0));
			auto launch = [](void *e) { CHECK(cudaGraphLaunch((cudaGraphExec_t)e, chain)); };
			launch(exec);
			CHECK(cudaStreamSynchronize(chain));
			const double sum = checksum();
			const float us = time_us(chain, TURNS, launch, exec);
			/* each alone, on what it leaves in the cache itself */
			auto product = [](void *p) { ((Product *)p)->run(((Product *)p)->at_a, ((Product *)p)->at_b, ((Product *)p)->at_c); };
			auto kernel = [](void *p) { ((Head *)p)->kernel(logits, 0, chain); };
			const int parts = PLACES / rows;
			const float f = parts * time_us(chain, 8, product, &forward), k = parts * time_us(chain, 8, kernel, &h),
			            b = parts * time_us(chain, 8, product, &back),
			            w = h.keeps ? time_us(chain, 8, product, &whole) : parts * time_us(chain, 8, product, &more);
			const double mb = 2e-6 * PITCH * (h.keeps ? PLACES : rows * (h.overlaps ? 2 : 1));
			printf("%-7d%-11s%-10s%-10s%9.0f%9.0f%9.0f%9.0f%9.0f%9.0f%9.0f%12.5g\n", rows, h.copies ? "copies" : "registers",
			       h.keeps ? "gradient" : "-", h.overlaps ? "kernel" : "-", f, k, b, w, us, 1e-6 * flops / us, mb, sum);
			fflush(stdout);
			CHECK(cudaGraphExecDestroy(exec));
			CHECK(cudaGraphDestroy(graph));
		}
	}
	return 0;
}
