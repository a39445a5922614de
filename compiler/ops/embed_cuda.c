/* CUDA kernels of embedding and its gradient.
 *
 * In the gradient a block owns a row of the table, or a part of a long one. Its 256 threads look at 256 indices at a
 * time; where one of them is the row, each thread adds the matching rows of dy in its own columns, in the order of the
 * indices. So a row that nobody looked up costs little more than reading the indices, and no sum depends on the order
 * in which threads run. */
#include "ops/embed.h"
#include "ops/lanes.h"

static int width_of(const Node *n)
{
	return lanes_width(1, &n->type.dim[n->type.rank - 1]);
}

void embedding_emit_cuda(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	long long count = n->operands[0]->type.dim[0], dim = n->operands[0]->type.dim[1];
	lanes_begin(&l, type_elements(n->type) / l.width);
	lanes_place(&l, "row", dim);
	lanes_index(&l, "at", "index[row]");
	lanes_value(&l, "e", "0");
	kernel_open(k, "if (at >= 0 && at < %lld)", count);
	lanes_reload(&l, "e", 0, arena_printf(k->arena, "at * %lld + c", dim));
	kernel_close(k, 1);
	lanes_finish(&l, "row", "c", "e@");
}

int64_t embedding_cuda_threads(const Node *n)
{
	return type_elements(n->type) / width_of(n);
}

/* Blocks for one row of the table. */
static int64_t parts_of_row(const Node *n)
{
	int64_t columns = (int64_t)CUDA_THREADS * width_of(n);
	return (n->type.dim[1] + columns - 1) / columns;
}

void embedding_grad_emit_cuda(KernelText *k, const Node *n)
{
	enum { WARPS = CUDA_THREADS / 32 };
	Lanes l = lanes_new(k, n, width_of(n));
	Writer *w = k->w;
	long long rows = type_elements(n->operands[1]->type), dim = n->type.dim[1], parts = parts_of_row(n);
	write_line(w, "__shared__ unsigned hits[%d];", WARPS);
	lanes_index(&l, "row", parts > 1 ? "blockIdx.x / %lld" : "blockIdx.x", parts);
	if (parts > 1)
		lanes_index(&l, "c", "(blockIdx.x %% %lld * %d + threadIdx.x) * %d", parts, CUDA_THREADS,
		            l.width);
	else
		lanes_index(&l, "c", "%s", index_times(k->arena, "threadIdx.x", l.width));
	lanes_value(&l, "sum", "0");
	kernel_open(k, "for (%s first = 0; first < %lld; first += %d)", l.index, rows, CUDA_THREADS);
	lanes_index(&l, "at", "first + threadIdx.x");
	write_line(w, "const bool hit = at < %lld && index[at] == row;", rows);
	write_line(w, "if (!__syncthreads_or(hit))");
	write_line(w, "\tcontinue;");
	write_line(w, "const unsigned votes = __ballot_sync(0xffffffff, hit);");
	write_line(w, "if (threadIdx.x %% 32 == 0)");
	write_line(w, "\thits[threadIdx.x / 32] = votes;");
	write_line(w, "__syncthreads();");
	kernel_open(k, "for (int j = 0; c < %lld && j < %d; j++)", dim, WARPS);
	kernel_open(k, "for (unsigned left = hits[j]; left; left &= left - 1)");
	lanes_load(&l, "e", 0, arena_printf(k->arena, "(first + j * 32 + __ffs(left) - 1) * %lld + c", dim));
	lanes_each(&l, "sum@ += e@;");
	kernel_close(k, 3);
	kernel_open(k, "if (c < %lld)", dim);
	lanes_finish(&l, "row", "c", "sum@");
	kernel_close(k, 1);
}

int64_t embedding_grad_cuda_threads(const Node *n)
{
	return n->type.dim[0] * parts_of_row(n) * CUDA_THREADS;
}
