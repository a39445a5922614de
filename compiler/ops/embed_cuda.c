/* CUDA kernels of embedding and its gradient.
 *
 * In the gradient a block owns a few rows of the table, or a part of a long one. Its 256 threads look at 1024 indices
 * at a time; where some of them are its rows, each thread adds the matching rows of dy in its own columns, in the order
 * of the indices. So rows that nobody looked up cost little more than reading the indices, once for each block, and no
 * sum depends on the order in which threads run. */
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

static int64_t columns_of_block(const Node *n)
{
	const int64_t most = (int64_t)CUDA_THREADS * width_of(n);
	return n->type.dim[1] < most ? n->type.dim[1] : most;
}

/* Blocks for one row of the table. */
static int64_t parts_of_row(const Node *n)
{
	return (n->type.dim[1] + columns_of_block(n) - 1) / columns_of_block(n);
}

/* Rows of the table that a block owns: as many as its shared memory holds, and blocks enough are left with. */
static int64_t rows_of_block(const Node *n)
{
	enum { MOST = 8, BLOCKS = 1024, SHARED_BYTES = 32 << 10 };
	int64_t rows = 1;
	while (rows < MOST && n->type.dim[0] / (2 * rows) >= BLOCKS &&
	       2 * rows * columns_of_block(n) * dtype_bytes(n->type.dtype) <= SHARED_BYTES)
		rows *= 2;
	return rows;
}

/* Adds the rows of dy that `hits` names to the sums of their rows: four are loaded before they are added. */
static void add_hits(const Lanes *l, long long dim, long long columns)
{
	enum { AT_ONCE = 4 };
	KernelText *k = l->k;
	const char *lane = l->width > 1 ? " + u" : "";
	kernel_open(k, "for (int j = 0; c < %lld && j < count; j += %d)", dim, AT_ONCE);
	for (int i = 0; i < AT_ONCE; i++)
		lanes_load(l, arena_printf(k->arena, "e%d", i), 0,
		           arena_printf(k->arena, "(from + hits[%s]) * %lld + c",
		                        i ? arena_printf(k->arena, "min(j + %d, count - 1)", i) : "j", dim));
	for (int i = 0; i < AT_ONCE; i++) {
		if (i > 0)
			kernel_open(k, "if (j + %d < count)", i);
		lanes_index(l, arena_printf(k->arena, "to%d", i),
		            "(index[from + hits[%s]] - first_row) * %lld + lane",
		            index_plus(k->arena, "j", i), columns);
		lanes_each(l, "sums[to%d%s] += e%d@;", i, lane, i);
		kernel_close(k, i > 0);
	}
	kernel_close(k, 1);
}

void embedding_grad_emit_cuda(KernelText *k, const Node *n)
{
	enum { TURNS = 4 /* of a block, in each of which a thread looks at an index */ };
	Lanes l = lanes_new(k, n, width_of(n));
	Writer *w = k->w;
	const long long rows = type_elements(n->operands[1]->type), count = n->type.dim[0],
	                dim = n->type.dim[1], parts = parts_of_row(n), own = rows_of_block(n),
	                columns = columns_of_block(n);
	const char *lane = l.width > 1 ? " + u" : "";
	write_line(w, "__shared__ int hits[%d];", CUDA_THREADS);
	write_line(w, "__shared__ %s sums[%lld];", k->real, own * columns);
	lanes_index(&l, "first_row", "%s",
	            index_times(k->arena, index_over(k->arena, "blockIdx.x", parts), own));
	lanes_index(&l, "lane", "%s", index_times(k->arena, "threadIdx.x", l.width));
	lanes_index(&l, "c", "%s",
	            parts > 1 ? arena_printf(k->arena, "blockIdx.x %% %lld * %lld + lane", parts, columns)
	                      : "lane");
	kernel_open(k, "for (int row = 0; c < %lld && row < %lld; row++)", dim, own);
	lanes_each(&l, "sums[row * %lld + lane%s] = 0;", columns, lane);
	kernel_close(k, 1);
	kernel_open(k, "for (%s first = 0; first < %lld; first += %d)", l.index, rows, TURNS * CUDA_THREADS);
	write_line(w, "bool any = false;");
	write_line(w, "#pragma unroll");
	kernel_open(k, "for (int turn = 0; turn < %d; turn++)", TURNS);
	lanes_index(&l, "at", "first + turn * %d + threadIdx.x", CUDA_THREADS);
	write_line(w, "any |= at < %lld && (unsigned)(index[at] - first_row) < %lldu;", rows, own);
	kernel_close(k, 1);
	write_line(w, "if (!__syncthreads_or(any))");
	write_line(w, "\tcontinue;");
	kernel_open(k, "for (%s from = first; from < first + %d; from += %d)", l.index, TURNS * CUDA_THREADS,
	            CUDA_THREADS);
	lanes_index(&l, "at", "from + threadIdx.x");
	write_line(w,
	           "const int count = nnr_block_list(at < %lld && (unsigned)(index[at] - first_row) < %lldu, "
	           "hits);",
	           rows, own);
	add_hits(&l, dim, columns);
	kernel_close(k, 2);
	kernel_open(k, "for (%s row = first_row; c < %lld && row < first_row + %lld%s; row++)", l.index, dim,
	            own, count % own ? arena_printf(k->arena, " && row < %lld", count) : "");
	lanes_value(&l, "sum",
	            arena_printf(k->arena, "sums[(row - first_row) * %lld + lane%s]", columns, lane));
	lanes_finish(&l, "row", "c", "sum@");
	kernel_close(k, 1);
}

int64_t embedding_grad_cuda_threads(const Node *n)
{
	const int64_t own = rows_of_block(n);
	return (n->type.dim[0] + own - 1) / own * parts_of_row(n) * CUDA_THREADS;
}
