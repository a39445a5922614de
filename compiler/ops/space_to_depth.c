/* space_to_depth: blocks of block x block pixels as channels of one pixel, and its gradient depth_to_space, which puts them back.
 *
 *     y[n, i, j, (a*block + b)*channels + c] = x[n, i*block + a - offset[0], j*block + b - offset[1], c]
 *
 * and 0 where x has no such pixel or no such channel. The blocks cover x, so that each of its elements has one place in y and
 * both are gathers. Any type: what is pointwise behind an image of bytes is computed in its loops. */
#include "ops/space_to_depth.h"

#include "base/checked.h"
#include "ops/compose.h"
#include "ops/lanes.h"

#include <string.h>

typedef struct Sizes {
	int64_t block, offset[2];
	int64_t image[2], channels; /* of x */
	int64_t blocks[2], padded;  /* of y: height and width, and its channels of one pixel of x */
} Sizes;

/* ---- the nodes */

Node *build_space_to_depth(Build *b, Node *x, int64_t block, const int64_t offset[2], const int64_t dim[2],
                           int64_t channels)
{
	Attr attrs[4] = {attr_int("block", block), attr_ints("offset", offset, 2), attr_ints("dim", dim, 2),
	                 attr_int("channels", channels)};
	return build(b, "space_to_depth", 1, &x, 4, attrs);
}

static Sizes sizes_of(const Node *n)
{
	int count;
	bool folds = node_is(n, "space_to_depth");
	Type image = folds ? n->operands[0]->type : n->type, folded = folds ? n->type : n->operands[0]->type;
	const int64_t *offset = node_ints(n, "offset", &count);
	Sizes s = {.block = node_int(n, "block"), .channels = image.dim[3]};
	for (int i = 0; i < 2; i++) {
		s.offset[i] = offset[i];
		s.image[i] = image.dim[1 + i];
		s.blocks[i] = folded.dim[1 + i];
	}
	s.padded = folded.dim[3] / (s.block * s.block);
	return s;
}

/* Checks the attributes that both have, and of an image that its blocks cover it. */
static bool infer_blocks(Infer *in, const int64_t image[2], const int64_t blocks[2])
{
	enum { LARGEST = 1 << 12 };
	int count;
	int64_t block = infer_int(in, "block");
	const int64_t *offset = infer_ints(in, "offset", &count);
	if (block < 1 || block > LARGEST || count != 2)
		return infer_error(in, "bad-window",
		                   "`%s` needs a `block` from 1 to %d and an `offset` of 2 numbers",
		                   in->op->name, (int)LARGEST);
	for (int i = 0; i < 2; i++)
		if (offset[i] < 0 || offset[i] >= block || blocks[i] < 1 || image[i] < 1 ||
		    blocks[i] > SIZE_LIMIT / block || image[i] > blocks[i] * block - offset[i])
			return infer_error(in, "bad-window", "the blocks of `%s` don't cover the image",
			                   in->op->name);
	return true;
}

/* The attribute `dim` and the rank of the operand. */
static const int64_t *infer_dim(Infer *in)
{
	int count;
	Type x = in->operands[0]->type;
	const int64_t *dim = infer_ints(in, "dim", &count);
	if (x.rank == 4 && count == 2)
		return dim;
	infer_error(in, "rank-mismatch",
	            "`%s` needs a tensor of 4 dimensions and a `dim` of 2, not %s and %d", in->op->name,
	            shape_text(in->graph->arena, x), count);
	return NULL;
}

static bool space_to_depth_infer(Infer *in)
{
	const int64_t *dim = infer_dim(in);
	Type x = in->operands[0]->type;
	if (!dim || !infer_blocks(in, x.dim + 1, dim))
		return false;
	int64_t block = infer_int(in, "block"), channels = infer_int(in, "channels");
	if (channels < x.dim[3])
		return infer_error(in, "shape-mismatch", "`channels` of `%s` is less than %lld", in->op->name,
		                   (long long)x.dim[3]);
	int64_t y[4] = {x.dim[0], dim[0], dim[1]};
	if (!checked_mul(block * block, channels, &y[3]))
		return infer_error(in, "tensor-limit", "the result of `%s` is too large", in->op->name);
	return infer_result(in, x.dtype, 4, y);
}

static bool depth_to_space_infer(Infer *in)
{
	const int64_t *dim = infer_dim(in);
	Type y = in->operands[0]->type;
	if (!dim || !infer_blocks(in, dim, y.dim + 1))
		return false;
	int64_t block = infer_int(in, "block"), channels = infer_int(in, "channels");
	if (y.dim[3] % (block * block) != 0 || channels > y.dim[3] / (block * block))
		return infer_error(in, "shape-mismatch",
		                   "the operand of `%s` has no %lld channels for each pixel", in->op->name,
		                   (long long)channels);
	return infer_result(in, y.dtype, 4, (int64_t[]){y.dim[0], dim[0], dim[1], channels});
}

static void space_to_depth_grad(Grad *g)
{
	const int64_t *x = g->operands[0]->type.dim;
	Attr attrs[4] = {*node_attr(g->node, "block"), *node_attr(g->node, "offset"),
	                 attr_ints("dim", x + 1, 2), attr_int("channels", x[3])};
	g->result[0] = build(&g->b, "depth_to_space", 1, &g->dy, 4, attrs);
}

/* Of either side only the elements that the other has as well are read. */
static void gather_cost(const Node *n, Cost *cost)
{
	double written = (double)type_bytes(n->type), read = (double)type_bytes(n->operands[0]->type);
	cost->flops = 0;
	cost->bytes = written + (read < written ? read : written);
}

/* ---- text, the same for C and CUDA but for the loops around it: of pixel (h, v) of the image n, in block (i, j) */

/* Dimension d: the pixel `in` its block, the block being `block`. */
static const char *pixel(Arena *a, const Sizes *s, int d, const char *block, const char *in)
{
	return index_plus(a, arena_printf(a, "%s + %s", index_times(a, block, s->block), in), -s->offset[d]);
}

/* Whether pixel (h, v) has channel c in x; NULL where all do. */
static const char *is_inside(Arena *a, const Sizes *s, const char *c)
{
	static const char *const name[2] = {"h", "v"};
	const char *text =
	        s->padded > s->channels ? arena_printf(a, " && %s < %lld", c, (long long)s->channels) : "";
	for (int d = 0; d < 2; d++) {
		if (s->offset[d] > 0)
			text = arena_printf(a, "%s && %s >= 0", text, name[d]);
		if (s->blocks[d] * s->block - s->offset[d] > s->image[d])
			text = arena_printf(a, "%s && %s < %lld", text, name[d], (long long)s->image[d]);
	}
	return *text ? text + strlen(" && ") : NULL;
}

static const char *element_at(Arena *a, const Sizes *s, const char *c)
{
	return arena_printf(a, "((n * %lld + h) * %lld + v) * %lld + %s", (long long)s->image[0],
	                    (long long)s->image[1], (long long)s->channels, c);
}

/* Dimension d of pixel `at`: its block, and its place there. */
static const char *block_of(Arena *a, const Sizes *s, int d, const char *at)
{
	return s->offset[d] ? arena_printf(a, "(%s + %lld) / %lld", at, (long long)s->offset[d],
	                                   (long long)s->block)
	                    : index_over(a, at, s->block);
}

static const char *place_of(Arena *a, const Sizes *s, int d, const char *at)
{
	return s->offset[d] ? arena_printf(a, "(%s + %lld) %% %lld", at, (long long)s->offset[d],
	                                   (long long)s->block)
	                    : index_digit(a, at, 1, s->block);
}

/* The first channel of pixel (h, v) in y. */
static const char *folded_at(Arena *a, const Sizes *s)
{
	return arena_printf(a, "((n * %lld + %s) * %lld + %s) * %lld + (%s * %lld + %s) * %lld",
	                    (long long)s->blocks[0], block_of(a, s, 0, "h"), (long long)s->blocks[1],
	                    block_of(a, s, 1, "v"), (long long)(s->block * s->block * s->padded),
	                    place_of(a, s, 0, "h"), (long long)s->block, place_of(a, s, 1, "v"),
	                    (long long)s->padded);
}

/* ---- loops */

static void declare(KernelText *k, const char *name, const char *value)
{
	write_line(k->w, "int64_t %s = %s;", name, value);
}

static void open_loop(KernelText *k, const char *name, int64_t end)
{
	kernel_open(k, "for (int64_t %s = 0; %s < %lld; %s++)", name, name, (long long)end, name);
}

static void open_rows(KernelText *k, const Node *n)
{
	write_line(k->w, "#pragma omp parallel for");
	open_loop(k, "row", n->type.dim[0] * n->type.dim[1] * n->type.dim[2]);
}

static void space_to_depth_emit(KernelText *k, const Node *n)
{
	Sizes s = sizes_of(n);
	Arena *a = k->arena;
	open_rows(k, n);
	declare(k, "n", index_over(a, "row", s.blocks[0] * s.blocks[1]));
	open_loop(k, "a", s.block);
	open_loop(k, "b", s.block);
	declare(k, "h", pixel(a, &s, 0, index_digit(a, "row", s.blocks[1], s.blocks[0]), "a"));
	declare(k, "v", pixel(a, &s, 1, index_digit(a, "row", 1, s.blocks[1]), "b"));
	open_loop(k, "c", s.padded);
	declare(k, "col",
	        arena_printf(a, "(a * %lld + b) * %lld + c", (long long)s.block, (long long)s.padded));
	const char *inside = is_inside(a, &s, "c"), *at = element_at(a, &s, "c");
	kernel_epilogue(k, "row", "col",
	                inside ? arena_printf(a, "(%s ? x[%s] : 0)", inside, at)
	                       : arena_printf(a, "x[%s]", at));
	kernel_close(k, 4);
}

static void depth_to_space_emit(KernelText *k, const Node *n)
{
	Sizes s = sizes_of(n);
	Arena *a = k->arena;
	open_rows(k, n);
	declare(k, "n", index_over(a, "row", s.image[0] * s.image[1]));
	declare(k, "h", index_digit(a, "row", s.image[1], s.image[0]));
	declare(k, "v", index_digit(a, "row", 1, s.image[1]));
	open_loop(k, "c", s.channels);
	kernel_epilogue(k, "row", "c", arena_printf(a, "dy[%s + c]", folded_at(a, &s)));
	kernel_close(k, 2);
}

/* ---- CUDA: one to four neighbouring channels of the result a thread */

static int width_of(const Node *n)
{
	Sizes s = sizes_of(n);
	return node_is(n, "space_to_depth") ? lanes_width(1, &n->type.dim[3])
	                                    : lanes_width(2, (int64_t[]){s.channels, s.padded});
}

static int64_t cuda_threads(const Node *n)
{
	return type_elements(n->type) / width_of(n);
}

/* Declares pixel (h, v) and its channel k of channel `at` of y. */
static void declare_pixel(const Lanes *l, const Sizes *s, const char *at)
{
	Arena *a = l->k->arena;
	lanes_index(l, "h", "%s",
	            pixel(a, s, 0, index_digit(a, "row", s->blocks[1], s->blocks[0]),
	                  index_over(a, at, s->block * s->padded)));
	lanes_index(l, "v", "%s",
	            pixel(a, s, 1, index_digit(a, "row", 1, s->blocks[1]),
	                  index_digit(a, at, s->padded, s->block)));
	lanes_index(l, "k", "%s", s->padded == l->width ? "0" : index_digit(a, at, 1, s->padded));
}

/* The channels of a thread are of one pixel, or each has to look for its own. */
static void space_to_depth_emit_cuda(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	Sizes s = sizes_of(n);
	Arena *a = k->arena;
	bool one_pixel = s.padded % l.width == 0;
	const char *channel = one_pixel && l.width > 1 ? "k + u" : "k";
	lanes_begin(&l, cuda_threads(n));
	lanes_place(&l, "row", n->type.dim[3]);
	lanes_index(&l, "n", "%s", index_over(a, "row", s.blocks[0] * s.blocks[1]));
	lanes_value(&l, "e", "0");
	if (one_pixel)
		declare_pixel(&l, &s, "c");
	if (l.width > 1) {
		write_line(k->w, "#pragma unroll");
		kernel_open(k, "for (int u = 0; u < %d; u++)", l.width);
	}
	if (!one_pixel) {
		lanes_index(&l, "at", "c + u");
		declare_pixel(&l, &s, "at");
	}
	const char *inside = is_inside(a, &s, channel);
	if (inside)
		write_line(k->w, "if (%s)", inside);
	write_line(k->w, "%se%s = x[%s];", inside ? "\t" : "", l.width > 1 ? "[u]" : "",
	           element_at(a, &s, channel));
	kernel_close(k, l.width > 1);
	lanes_finish(&l, "row", "c", "e@");
}

static void depth_to_space_emit_cuda(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	Sizes s = sizes_of(n);
	Arena *a = k->arena;
	lanes_begin(&l, cuda_threads(n));
	lanes_place(&l, "row", s.channels);
	lanes_index(&l, "n", "%s", index_over(a, "row", s.image[0] * s.image[1]));
	lanes_index(&l, "h", "%s", index_digit(a, "row", s.image[1], s.image[0]));
	lanes_index(&l, "v", "%s", index_digit(a, "row", 1, s.image[1]));
	lanes_load(&l, "e", 0, arena_printf(a, "%s + c", folded_at(a, &s)));
	lanes_finish(&l, "row", "c", "e@");
}

/* One list of shapes serves both: each line is x, y, block, offset, the two of `dim` and of `channels`. */
#define SHAPES(X)                                                        \
	X("1,1,1,1", "1,1,1,1", "1", "0,0", "1,1", "1", "1,1", "1")      \
	X("1,2,2,1", "1,1,1,4", "2", "0,0", "1,1", "1", "2,2", "1")      \
	X("2,4,6,1", "2,2,3,4", "2", "0,0", "2,3", "1", "4,6", "1")      \
	X("2,4,6,3", "2,2,3,12", "2", "0,0", "2,3", "3", "4,6", "3")     \
	X("2,4,6,3", "2,2,3,16", "2", "0,0", "2,3", "4", "4,6", "3")     \
	X("3,4,4,4", "3,2,2,16", "2", "0,0", "2,2", "4", "4,4", "4")     \
	X("3,4,4,4", "3,2,2,24", "2", "0,0", "2,2", "6", "4,4", "4")     \
	X("5,7,7,3", "5,4,4,12", "2", "1,1", "4,4", "3", "7,7", "3")     \
	X("5,7,7,3", "5,4,4,16", "2", "1,1", "4,4", "4", "7,7", "3")     \
	X("6,7,7,1", "6,4,4,8", "2", "1,1", "4,4", "2", "7,7", "1")      \
	X("4,3,3,3", "4,2,2,12", "2", "1,1", "2,2", "3", "3,3", "3")     \
	X("4,3,3,3", "4,2,2,12", "2", "0,0", "2,2", "3", "3,3", "3")     \
	X("4,3,5,2", "4,2,3,8", "2", "0,1", "2,3", "2", "3,5", "2")      \
	X("4,5,3,2", "4,3,2,12", "2", "1,0", "3,2", "3", "5,3", "2")     \
	X("2,8,4,1", "2,2,1,16", "4", "0,0", "2,1", "1", "8,4", "1")     \
	X("3,5,9,1", "3,2,3,16", "4", "3,2", "2,3", "1", "5,9", "1")     \
	X("3,11,11,3", "3,4,4,48", "4", "2,2", "4,4", "3", "11,11", "3") \
	X("2,6,3,2", "2,2,1,18", "3", "0,0", "2,1", "2", "6,3", "2")     \
	X("2,5,4,1", "2,3,2,9", "3", "2,1", "3,2", "1", "5,4", "1")      \
	X("1,1,1,1", "1,3,2,4", "2", "1,0", "3,2", "1", "1,1", "1")      \
	X("3,2,1,5", "3,1,2,20", "2", "0,1", "1,2", "5", "2,1", "5")     \
	X("7,3,1,8", "7,3,1,8", "1", "0,0", "3,1", "8", "3,1", "8")
#define SPACE_SAMPLE(x, y, block, offset, blocks, padded, image, channels) \
	"x=f32[" x "] block=" block " offset=[" offset "] dim=[" blocks "] channels=" padded,
#define DEPTH_SAMPLE(x, y, block, offset, blocks, padded, image, channels) \
	"dy=f32[" y "] block=" block " offset=[" offset "] dim=[" image "] channels=" channels,

static const char *const space_samples[] = {SHAPES(SPACE_SAMPLE) NULL};
static const char *const depth_samples[] = {SHAPES(DEPTH_SAMPLE) NULL};

const Op space_to_depth_ops[] = {
        {.name = "space_to_depth",
         .signature = "x -> y",
         .doc = "Blocks of pixels as channels of one pixel: y[i,j,(a*block + b)*channels + c] = "
                "x[i*block + a - offset[0], j*block + b - offset[1], c], and 0 where x has no such element; "
                "dim "
                "is the height and width of y.",
         .flags = OP_EPILOGUE,
         .infer = space_to_depth_infer,
         .grad = space_to_depth_grad,
         .cost = gather_cost,
         .emit_cpu = space_to_depth_emit,
         .emit_cuda = space_to_depth_emit_cuda,
         .cuda_threads = cuda_threads,
         .samples = space_samples},
        {.name = "depth_to_space",
         .signature = "dy -> dx",
         .doc = "Gradient of space_to_depth: the element that each element of x became; dim is the height "
                "and "
                "width of x, channels those of x.",
         .infer = depth_to_space_infer,
         .cost = gather_cost,
         .emit_cpu = depth_to_space_emit,
         .emit_cuda = depth_to_space_emit_cuda,
         .cuda_threads = cuda_threads,
         .samples = depth_samples},
        {0},
};
