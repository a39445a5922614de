/* SPDX-License-Identifier: MIT */
/* Loops of lrn and its gradient, for both targets.
 *
 * One body serves them: it has the elements of `count` neighbouring channels, c0 on, of one row, and the channels
 * around them that their windows reach, zeros beyond the first and the last. On the CPU `count` is a block of channels,
 * and the loops over it are vectorised; a CUDA thread has one or four, in registers, and computes D of its neighbours'
 * channels again, which costs less than an exchange between threads. */
#include "codegen/lanes.h"
#include "codegen/op_loops.h"
#include "ops/lrn.h"

#include "base/checked.h"

enum {
	CHANNEL_BLOCK = 256, /* channels of a turn on the CPU */
	UNROLLED = 9,        /* largest window that stays in a thread's registers */
};

typedef struct Lrn {
	KernelText *k;
	const Node *n;
	Lanes lanes;
	bool grad;
	int64_t size, reach, rows, channels, block;
} Lrn;

static Lrn lrn_of(KernelText *k, const Node *n)
{
	const int64_t channels = n->type.dim[n->type.rank - 1];
	Lrn l = {.k = k, .n = n, .grad = n->operand_count == 2, .channels = channels};
	l.size = node_int(n, "size");
	l.reach = lrn_reach(n);
	l.rows = type_elements(n->type) / channels;
	l.lanes = lanes_of_blocks(k, n, channels, CHANNEL_BLOCK);
	l.block = l.lanes.in_loops ? l.lanes.block : l.lanes.width;
	return l;
}

/* A loop over `count` channels (of a whole block: of a shorter one at the end of a row as many fewer). */
static void open_channels(const Lrn *l, int64_t more)
{
	if (l->lanes.in_loops)
		code_turns(l->k->code, TURNS_SIMD, "");
	else if (l->size <= UNROLLED)
		code_turns(l->k->code, TURNS_UNROLLED, "");
	if (!l->lanes.in_loops || l->channels % l->block == 0)
		code_loop(l->k->code, (CodeLoop){.type = "int", .var = "j", .count = (l->block + more)});
	else
		code_loop(l->k->code,
		          (CodeLoop){.type = "int",
		                     .var = "j",
		                     .to = arena_printf(l->k->arena, "cn + %lld", (long long)more)});
}

/* Declares `name`, the operand's channels from c0 - margin on; returns the margin: `reach`, but in vectors of four
 * where the operand has them. */
static int64_t load_around(const Lrn *l, const char *name, int operand, int64_t reach)
{
	KernelText *k = l->k;
	Arena *a = k->arena;
	const char *from = op_operand_name(a, l->n->op, operand);
	bool vectors = !l->lanes.in_loops && l->lanes.width == 4 && kernel_operand_aligned(k, operand, 4);
	int64_t margin = vectors ? ceil_div(reach, 4) * 4 : reach, step = vectors ? 4 : 1;
	const long long elements = (long long)(l->block + 2 * margin);
	if (vectors) {
		code_var(k->code, "%s", "%s[%lld]", "{}", k->real, name, elements);
		if (l->size <= UNROLLED)
			code_turns(k->code, TURNS_UNROLLED, "");
		code_loop(k->code,
		          (CodeLoop){.type = "int", .var = "j", .count = l->block + 2 * margin, .by = step});
		code_if_bare(k->code, "%s >= 0 && %s < %lld", index_plus(a, "c0 + j", -margin),
		             index_plus(a, "c0 + j", -margin), (long long)l->channels);
		code_do(k->code, "nnr_load4(%s + j, %s + row * %lld + %s)", name, from,
		        (long long)l->channels, index_plus(a, "c0 + j", -margin));
		code_close(k->code, 1);
	} else {
		const char *at = index_plus(a, "c0 + j", -margin);
		code_array(k->code, "%s", "%s", "%lld", k->real, name, elements);
		open_channels(l, 2 * margin);
		if (margin > 0)
			code_set(k->code, "%s[j]", "%s >= 0 && %s < %lld ? (%s)%s[row * %lld + %s] : 0", name,
			         at, at, (long long)l->channels, k->real, from, (long long)l->channels, at);
		else
			code_set(k->code, "%s[j]", "%s[row * %lld + %s]", name, from, (long long)l->channels,
			         at);
	}
	code_close(k->code, 1);
	return margin;
}

/* Declares and fills `sum` with what `term` gives of the window's elements, `at` being the first one's index. */
static void sum_window(const Lrn *l, const char *sum, const char *first, const char *last)
{
	code_var(l->k->code, "%s", "%s", "0", l->k->real, sum);
	if (!l->lanes.in_loops && l->size <= UNROLLED)
		code_turns(l->k->code, TURNS_UNROLLED, "");
	code_loop_bare(l->k->code, (CodeLoop){.type = "int", .var = "o", .count = l->size});
	code_add(l->k->code, "%s", "%s%s", sum, first, last);
	code_close(l->k->code, 1);
}

/* Declares `d`, which is D, and `power`, D^-beta, of the channel in whose window the element x[at] is the first. The
 * usual powers are square roots: vectorised on the CPU, and exact to an ulp or two. */
static void write_power(const Lrn *l, const char *at)
{
	KernelText *k = l->k;
	Arena *a = k->arena;
	const double beta = node_real(l->n, "beta");
	const char *root = k->real[0] == 'f' ? "sqrtf" : "sqrt",
	           *power = k->real[0] == 'f' ? "nnr_powf" : "nnr_pow";
	const char *element = arena_printf(a, "e[%s + o]", at);
	sum_window(l, "squares", element, arena_printf(a, " * %s", element));
	code_let(k->code, "%s", "d", "%s + %s * squares", k->real, kernel_number(k, node_real(l->n, "k")),
	         kernel_number(k, lrn_factor(l->n)));
	if (beta == 0.75 || beta == 0.5) {
		code_let(k->code, "%s", "root", "1 / %s(d)", k->real, root);
		code_let(k->code, "%s", "power", "root%s", k->real,
		         beta == 0.5 ? "" : arena_printf(a, " * %s(root)", root));
	} else {
		code_let(k->code, "%s", "power", "%s(d, %s)", k->real, power, kernel_number(k, -beta));
	}
}

/* The result of channel c0 + j goes to the epilogue. */
static void finish(const Lrn *l, const char *value)
{
	if (!l->lanes.in_loops) {
		lanes_finish(&l->lanes, "row", "c0", value);
		return;
	}
	open_channels(l, 0);
	kernel_epilogue(l->k, "row", "c0 + j", text_at(l->k->arena, value, "[j]"));
	code_close(l->k->code, 1);
}

static void declare_block(const Lrn *l, const char *name, int64_t more)
{
	if (!l->lanes.in_loops && l->lanes.width == 1 && more == 0)
		code_declare(l->k->code, "%s", "%s", l->k->real, name);
	else
		code_array(l->k->code, "%s", "%s", "%lld", l->k->real, name, (long long)(l->block + more));
}

/* `name` of channel c0 + j, as a place to store. */
static const char *own(const Lrn *l, const char *name)
{
	bool single = !l->lanes.in_loops && l->lanes.width == 1;
	return arena_printf(l->k->arena, "%s%s", name, single ? "" : "[j]");
}

static void write_forward(const Lrn *l)
{
	Arena *a = l->k->arena;
	const int64_t margin = load_around(l, "e", 0, l->reach);
	declare_block(l, "t", 0);
	open_channels(l, 0);
	write_power(l, index_plus(a, "j", margin - l->reach));
	code_set(l->k->code, "%s", "e[%s] * power", own(l, "t"), index_plus(a, "j", margin));
	code_close(l->k->code, 1);
	finish(l, "t@");
}

/* Of the channels that the windows reach, c0 - reach on, `q` is dy*x*D^(-beta-1); of its own ones `t` first
 * dy*D^-beta. */
static void write_gradient(const Lrn *l)
{
	KernelText *k = l->k;
	Arena *a = k->arena;
	const int64_t reach = l->reach, around = load_around(l, "e", 1, 2 * reach);
	const int64_t beside = load_around(l, "g", 0, reach);
	const double factor = 2 * node_real(l->n, "beta") * lrn_factor(l->n);
	const char *g = arena_printf(a, "g[%s]", index_plus(a, "j", beside - reach));
	declare_block(l, "p", 2 * reach);
	declare_block(l, "q", 2 * reach);
	const bool single = !l->lanes.in_loops && l->lanes.width == 1 && reach == 0;
	const char *element = single ? "" : "[j]";
	open_channels(l, 2 * reach);
	write_power(l, index_plus(a, "j", around - 2 * reach));
	code_set(k->code, "p%s", "%s * power", element, g);
	code_set(k->code, "q%s", "%s * e[%s] * power / d", element, g, index_plus(a, "j", around - reach));
	code_close(k->code, 1);
	declare_block(l, "t", 0);
	open_channels(l, 0);
	sum_window(l, "products", single ? "q" : "q[j + o]", "");
	code_set(k->code, "%s", "p%s - %s * e[%s] * products", own(l, "t"),
	         single ? "" : arena_printf(a, "[%s]", index_plus(a, "j", reach)), kernel_number(k, factor),
	         index_plus(a, "j", around));
	code_close(k->code, 1);
	finish(l, "t@");
}

static void lrn_emit(KernelText *k, const Node *n)
{
	const Lrn l = lrn_of(k, n);
	const int64_t units = l.channels / l.lanes.width;
	if (l.lanes.in_loops) {
		code_turns(k->code, TURNS_THREADS, "");
		code_for(k->code, "row", "%lld", (long long)l.rows);
		k->open = 1 + lanes_open_blocks(&l.lanes);
		if (k->open == 1)
			code_let(k->code, "int64_t", "c0", "0");
	} else {
		lanes_begin(&l.lanes, l.rows * units);
		lanes_index(&l.lanes, "row", "%s", index_over(k->arena, "i", units));
		lanes_index(&l.lanes, "c0", "%s",
		            index_times(k->arena, index_digit(k->arena, "i", 1, units), l.lanes.width));
	}
	if (l.grad)
		write_gradient(&l);
	else
		write_forward(&l);
}

const OpLoops lrn_loops[] = {
        {.op = "lrn", .emit = lrn_emit},
        {.op = "lrn_grad", .emit = lrn_emit},
        {0},
};
