/* SPDX-License-Identifier: MIT */
/* A network grows statement by statement. The generator keeps the values made so far with their shapes; each statement
 * takes the newest (mostly) and applies one of the moves below, which are drawn among those that fit its shape. At the
 * end the newest value is made a vector and given a loss. Sizes stay tiny: a bug does not need large ones. */
#include "tests/random/generate.h"
#include "base/array.h"
#include "base/writer.h"

enum { LARGEST_SIDE = 9, MOST_CHANNELS = 8, MOST_VALUES = 40 };

typedef struct Value {
	char *name;
	int h, w, c; /* h == 0: a vector of c */
} Value;

typedef struct Net {
	Arena *a;
	Writer *w;
	Dice dice;
	Value values[MOST_VALUES];
	int count, names;
	bool many_pixels; /* a batch has hundreds, over which the CUDA target spreads a cluster of blocks */
	bool long_rows;   /* ends in rows of hundreds, long enough to stay on chip (ir/domain.h) */
} Net;

int roll(Dice *d, int below)
{
	d->state += 0x9e3779b97f4a7c15u;
	uint64_t z = d->state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (int)((z ^ z >> 31) % (uint64_t)below);
}

double roll_real(Dice *d)
{
	return roll(d, 1 << 24) * 0x1p-23 - 1;
}

static const char *pick(Net *n, const char *const *words, int count)
{
	return words[roll(&n->dice, count)];
}

#define PICK(net, ...)                                \
	pick(net, (const char *const[]){__VA_ARGS__}, \
	     (int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(char *)))

static const char *activation(Net *n)
{
	return PICK(n, "relu", "relu", "tanh", "sigmoid", "gelu", "silu", "elu", "softplus",
	            "leaky_relu(0.1)", "abs");
}

static Value *newest(Net *n)
{
	return &n->values[n->count - 1];
}

/* Writes "NAME = text" (_: it may stay unused) and notes the new value's shape. */
__attribute__((format(printf, 5, 6))) static void let(Net *n, int h, int w, int c, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = arena_vprintf(n->a, format, args);
	va_end(args);
	char *name = arena_printf(n->a, "_v%d", ++n->names);
	write_line(n->w, "%s = %s", name, text);
	n->values[n->count++] = (Value){name, h, w, c};
}

static void write_blank(Net *n)
{
	write_line(n->w, "%s", "");
}

/* ---- moves on images */

static void move_conv(Net *n, Value v)
{
	int size = 1 + roll(&n->dice, 3), size2 = roll(&n->dice, 3) ? size : 1 + roll(&n->dice, 3);
	int stride = roll(&n->dice, 3) ? 1 : 2, dilation = roll(&n->dice, 4) ? 1 : 2;
	int groups = v.c % 2 == 0 && roll(&n->dice, 3) == 0 ? 2 : roll(&n->dice, 6) ? 1 : v.c;
	int filters = groups * (1 + roll(&n->dice, groups < MOST_CHANNELS ? MOST_CHANNELS / groups : 1));
	if (groups == 1 && dilation == 1 && v.c <= 4 && filters % 3 == 0) /* for the implementation `image` */
		filters = 16;
	int reach = dilation * (size - 1) + 1, reach2 = dilation * (size2 - 1) + 1;
	char *text = arena_printf(n->a, "%s -> conv(%d, (%d, %d)", v.name, filters, size, size2);
	if (size == size2)
		text = arena_printf(n->a, "%s -> conv(%d, %d", v.name, filters, size);
	int h, w, kind = roll(&n->dice, 3);
	if (kind == 0 || reach > v.h || reach2 > v.w) { /* explicit padding, large enough for the filter */
		int pad = roll(&n->dice, 3);
		pad = pad > (reach > reach2 ? reach : reach2) - 1 ? 0 : pad;
		while (v.h + 2 * pad < reach || v.w + 2 * pad < reach2)
			pad++;
		h = (v.h + 2 * pad - reach) / stride + 1;
		w = (v.w + 2 * pad - reach2) / stride + 1;
		text = arena_printf(n->a, "%s, pad = %d", text, pad);
	} else if (kind == 1) {
		h = (v.h + stride - 1) / stride;
		w = (v.w + stride - 1) / stride;
		text = arena_printf(n->a, "%s, pad = same", text);
	} else {
		h = (v.h - reach) / stride + 1;
		w = (v.w - reach2) / stride + 1;
	}
	if (stride > 1)
		text = arena_printf(n->a, "%s, stride = %d", text, stride);
	if (dilation > 1)
		text = arena_printf(n->a, "%s, dilation = %d", text, dilation);
	if (groups > 1)
		text = arena_printf(n->a, "%s, groups = %d", text, groups);
	if (roll(&n->dice, 3) == 0)
		text = arena_printf(n->a, "%s, bias = false", text);
	text = arena_printf(n->a, "%s)", text);
	if (roll(&n->dice, 2))
		text = arena_printf(n->a, "%s -> batchnorm", text);
	if (roll(&n->dice, 3))
		text = arena_printf(n->a, "%s -> %s", text, activation(n));
	let(n, h, w, filters, "%s", text);
}

static void move_pool(Net *n, Value v)
{
	const char *pool = PICK(n, "maxpool", "avgpool");
	if (v.h < 2 || v.w < 2)
		let(n, v.h, v.w, v.c, "%s -> %s(1)", v.name, pool);
	else if (roll(&n->dice, 2))
		let(n, v.h / 2, v.w / 2, v.c, "%s -> %s(2)", v.name, pool);
	else
		let(n, (v.h + 2 - 3) / 2 + 1, (v.w + 2 - 3) / 2 + 1, v.c, "%s -> %s(3, 2, pad = 1)", v.name,
		    pool);
}

static void move_residual(Net *n, Value v)
{
	let(n, v.h, v.w, v.c, "%s(%s + (%s -> conv(%d, 3, pad = same)%s -> %s -> conv(%d, 1)%s))",
	    PICK(n, "relu", "tanh"), v.name, v.name, v.c, roll(&n->dice, 2) ? " -> batchnorm" : "",
	    activation(n), v.c, roll(&n->dice, 2) ? " -> batchnorm" : "");
}

/* Channels by the eight, batchnorms on one or both paths: what the CUDA target keeps on the chip in slabs of columns.
 * Not over a few pixels, whose deviation may be no more than what 16 bits round away. */
static void move_wide(Net *n, Value v)
{
	if (v.h * v.w < 16)
		return;
	int width = 8 * (1 + roll(&n->dice, 2));
	const char *other = v.c == width && roll(&n->dice, 2)
	                            ? v.name
	                            : arena_printf(n->a, "(%s -> conv(%d, 1)%s)", v.name, width,
	                                           roll(&n->dice, 2) ? " -> batchnorm" : "");
	let(n, v.h, v.w, width, "%s(%s + (%s -> conv(%d, 3, pad = same) -> batchnorm))",
	    PICK(n, "relu", "tanh"), other, v.name, width);
	if (roll(&n->dice, 2))
		let(n, v.h, v.w, width, "%s -> conv(%d, 1, bias = false) -> batchnorm -> %s", newest(n)->name,
		    width, activation(n));
}

static void move_gate(Net *n, Value v)
{
	let(n, v.h, v.w, v.c, "%s * (%s -> avgpool(global) -> dense(%d) -> sigmoid -> reshape([1, 1, %d]))",
	    v.name, v.name, v.c, v.c);
}

static void move_block(Net *n, Value v)
{
	int width = 1 + roll(&n->dice, MOST_CHANNELS);
	let(n, v.h, v.w, width, "%s -> unit(%d%s)", v.name, width, roll(&n->dice, 2) ? ", size = 3" : "");
}

static void move_repeat(Net *n, Value v)
{
	let(n, v.h, v.w, v.c, "%s", v.name);
	write_line(n->w, "repeat %d { %s = %s -> unit(%d) }", 1 + roll(&n->dice, 2), newest(n)->name,
	           newest(n)->name, v.c);
}

static void move_for(Net *n, Value v)
{
	int a = 1 + roll(&n->dice, MOST_CHANNELS), b = 1 + roll(&n->dice, MOST_CHANNELS);
	let(n, v.h, v.w, b, "%s", v.name);
	write_line(n->w, "for (width, size) in [(%d, 1), (%d, 3)] {", a, b);
	write_indent(n->w, 1);
	write_line(n->w, "%s = %s -> unit(width, size = size)", newest(n)->name, newest(n)->name);
	write_indent(n->w, -1);
	write_line(n->w, "}");
}

static void move_slice(Net *n, Value v)
{
	int dim[3] = {v.h, v.w, v.c}, axis = roll(&n->dice, 3);
	int count = 1 + roll(&n->dice, dim[axis]), start = roll(&n->dice, dim[axis] - count + 1);
	dim[axis] = count;
	let(n, dim[0], dim[1], dim[2], "%s -> slice(%d, %d, %d)", v.name, axis, start, count);
}

static void move_transpose(Net *n, Value v)
{
	static const int orders[5][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	const int *o = orders[roll(&n->dice, 5)], dim[3] = {v.h, v.w, v.c};
	let(n, dim[o[0]], dim[o[1]], dim[o[2]], "%s -> transpose((%d, %d, %d))", v.name, o[0], o[1], o[2]);
}

/* Each row of pixels is a matrix: its Gram matrix, over channels or over pixels, tamed. */
static void move_matmul(Net *n, Value v)
{
	bool pixels = roll(&n->dice, 2);
	int side = pixels ? v.w : v.c;
	if (side > 2 * MOST_CHANNELS)
		return;
	char *turned = arena_printf(n->a, "(%s -> transpose((0, 2, 1)))", v.name);
	let(n, v.h, side, side, "matmul(%s, %s) -> %s", pixels ? v.name : turned, pixels ? turned : v.name,
	    PICK(n, "tanh", "sigmoid"));
}

static void move_upsample(Net *n, Value v)
{
	int h = 1 + roll(&n->dice, 2), w = 1 + roll(&n->dice, 2);
	if (v.h * h <= LARGEST_SIDE && v.w * w <= LARGEST_SIDE)
		let(n, v.h * h, v.w * w, v.c, "%s -> upsample((%d, %d))", v.name, h, w);
}

/* Apart, each its own way, and side by side again, along a new axis that goes at once. */
static void move_split(Net *n, Value v)
{
	int dim[3] = {v.h, v.w, v.c}, axis = roll(&n->dice, 3);
	if (dim[axis] % 2 != 0)
		return;
	dim[axis] /= 2;
	write_line(n->w, "(_a%d, _b%d) = %s -> split(2, %d)", n->names, n->names, v.name, axis);
	let(n, dim[0], dim[1], dim[2], "stack(_a%d -> %s, _b%d, axis = %d) -> %s(axis = %d)", n->names,
	    activation(n), n->names, axis, PICK(n, "sum", "mean"), axis);
}

/* ---- moves on anything */

static void move_activation(Net *n, Value v)
{
	let(n, v.h, v.w, v.c, "%s -> %s", v.name, activation(n));
}

static void move_norm(Net *n, Value v)
{
	const char *norm = PICK(n, "batchnorm", "layernorm", "rmsnorm");
	if (v.h * v.w >= 4 && roll(&n->dice, 3) == 0)
		norm = v.c % 2 == 0 && roll(&n->dice, 2) ? "groupnorm(2)" : "instancenorm(affine = true)";
	let(n, v.h, v.w, v.c, "%s -> %s", v.name, norm);
}

static void move_cumsum(Net *n, Value v)
{
	let(n, v.h, v.w, v.c, "%s -> cumsum(axis = %d) -> tanh", v.name, roll(&n->dice, v.h > 0 ? 3 : 1));
}

static void move_dropout(Net *n, Value v)
{
	let(n, v.h, v.w, v.c, "%s -> dropout(0.%d)", v.name, 1 + roll(&n->dice, 6));
}

static void move_arithmetic(Net *n, Value v)
{
	const char *const forms[] = {"%s * 0.5 + 1", "1 - %s", "(%s -> clip(-0.7, 0.9)) / 2",
	                             "%s -> scale(1.5)", "2 / (1 + exp(-%s))"};
	char *text = arena_strdup(n->a, forms[roll(&n->dice, 5)]);
	char *hole = strstr(text, "%s");
	let(n, v.h, v.w, v.c, "%.*s%s%s", (int)(hole - text), text, v.name, hole + 2);
}

static const Value *same_shape(Net *n, Value v)
{
	for (int i = 0; i < n->count - 1; i++)
		if (n->values[i].h == v.h && n->values[i].w == v.w && n->values[i].c == v.c)
			return &n->values[i];
	return NULL;
}

static void move_join(Net *n, Value v)
{
	const Value *other = same_shape(n, v);
	if (other)
		let(n, v.h, v.w, v.c, PICK(n, "1", "2", "3")[0] == '1' ? "min(%s, %s)" : "%s + %s", v.name,
		    other->name);
}

static void move_concat(Net *n, Value v)
{
	for (int i = n->count - 2; i >= 0; i--) {
		Value o = n->values[i];
		if (o.h == v.h && o.w == v.w && o.c + v.c <= 2 * MOST_CHANNELS)
			return let(n, v.h, v.w, v.c + o.c, "concat(%s, %s)", v.name, o.name);
	}
}

/* ---- moves on vectors */

static void move_dense(Net *n, Value v)
{
	int width = 1 + roll(&n->dice, 12);
	const char *bias = roll(&n->dice, 4) ? "" : ", bias = false";
	if (roll(&n->dice, 2))
		let(n, 0, 0, width, "%s -> dense(%d%s) -> %s", v.name, width, bias, activation(n));
	else
		let(n, 0, 0, width, "%s -> dense(%d%s)", v.name, width, bias);
}

static void move_softmax(Net *n, Value v)
{
	let(n, 0, 0, v.c, "%s -> softmax", v.name);
}

typedef void Move(Net *n, Value v);

static Move *const image_moves[] = {
        move_conv,   move_conv,     move_conv,   move_conv,       move_pool, move_residual, move_gate,
        move_block,  move_repeat,   move_for,    move_activation, move_norm, move_dropout,  move_arithmetic,
        move_join,   move_concat,   move_concat, move_wide,       move_wide, move_slice,    move_transpose,
        move_matmul, move_upsample, move_split,  move_cumsum};
static Move *const vector_moves[] = {move_dense,  move_dense,   move_dense,      move_activation,
                                     move_norm,   move_dropout, move_arithmetic, move_join,
                                     move_concat, move_softmax, move_cumsum};

static void grow(Net *n, int statements)
{
	for (int i = 0; i < statements && n->count < MOST_VALUES - 4; i++) {
		Value v = *newest(n);
		if (roll(&n->dice, 6) == 0 && n->count > 1) {
			Value older = n->values[n->count - 2];
			if ((older.h > 0) == (v.h > 0))
				v = older; /* a branch: the skipped value may never be used, or be joined later */
		}
		if (v.h > 0)
			image_moves[roll(&n->dice, sizeof image_moves / sizeof *image_moves)](n, v);
		else
			vector_moves[roll(&n->dice, sizeof vector_moves / sizeof *vector_moves)](n, v);
	}
}

static void write_loss(Net *n, int classes)
{
	if (classes) {
		write_line(n->w, "logits = %s -> dense(%d)", newest(n)->name, classes);
		write_line(n->w, "loss cross_entropy(logits, goal%s)",
		           roll(&n->dice, 3) == 0 ? ", smoothing = 0.1" : "");
		write_line(n->w, "metric accuracy(logits, goal)");
	} else {
		const char *x = newest(n)->name;
		n->long_rows = roll(&n->dice, 3) == 0;
		if (n->long_rows)
			write_line(n->w, "guess = (%s -> dense(%d) -> tanh -> dense(1)) * (%s -> dense(3))",
			           x, 128 + roll(&n->dice, 200), x);
		else
			write_line(n->w, "guess = %s -> dense(3)", x);
		write_line(n->w, "loss %s(guess, goal)", PICK(n, "mse", "l1", "mse"));
	}
}

static void write_recipe(Net *n, const char *name, const char *precision)
{
	static const char *const optimizers[] = {
	        "sgd()",
	        "sgd(momentum = 0.9)",
	        "sgd(momentum = 0.9, nesterov = true, decay = 0.01)",
	        "adam()",
	        "adam(beta1 = 0.8, decay = 0.02)",
	        "adamw(decay = 0.1)",
	        "rmsprop()",
	        "rmsprop(momentum = 0.5)",
	        "adagrad()",
	        "adadelta()",
	};
	write_line(n->w, "train %s {", name);
	write_indent(n->w, 1);
	write_line(n->w, "optimizer %s", optimizers[roll(&n->dice, sizeof optimizers / sizeof *optimizers)]);
	write_line(n->w, "rate 0.01");
	bool many = n->long_rows && newest(n)->h == 0 && roll(&n->dice, 2);
	int least = n->many_pixels ? 6 : 1;
	int batch = many ? 250 + roll(&n->dice, 60) : least + roll(&n->dice, 6);
	/* a batchnorm of one value is refused, as it is where one sample has one pixel */
	bool too_small = batch == 1 && strstr(writer_text(n->w, NULL), "batchnorm");
	write_line(n->w, "batch %d", too_small ? 2 : batch);
	write_line(n->w, "epochs 1");
	if (roll(&n->dice, 4) == 0)
		write_line(n->w, "clip 0.5");
	write_line(n->w, "precision %s", precision);
	write_indent(n->w, -1);
	write_line(n->w, "}");
}

char *random_net(Arena *a, const char *name, uint64_t seed, const char *precision)
{
	Net net = {.a = a, .w = writer_new(a), .dice = {seed * 0x632be59bd9b4e019u + 1}}, *n = &net;
	write_line(n->w, "block unit(x, width, size = 1) {");
	write_indent(n->w, 1);
	write_line(n->w, "y = x -> conv(width, size, pad = same%s) -> %s",
	           roll(&n->dice, 2) ? ", bias = false" : "",
	           PICK(n, "batchnorm -> relu", "relu", "layernorm -> gelu", "batchnorm -> tanh"));
	write_line(n->w, "return if x.channels == width then x + y else y");
	write_indent(n->w, -1);
	write_line(n->w, "}");
	write_blank(n);
	write_line(n->w, "model %s {", name);
	write_indent(n->w, 1);
	int classes = roll(&n->dice, 3) ? 2 + roll(&n->dice, 6) : 0;
	n->long_rows = classes && roll(&n->dice, 8) == 0;
	if (n->long_rows)
		classes = 128 + roll(&n->dice, 80);
	bool image = roll(&n->dice, 5) > 0;
	if (image) {
		n->many_pixels = strcmp(precision, "fp64") == 0 && roll(&n->dice, 8) == 0;
		int least = n->many_pixels ? LARGEST_SIDE - 2 : 1;
		int h = least + roll(&n->dice, LARGEST_SIDE + 1 - least),
		    w = roll(&n->dice, 2) ? h : least + roll(&n->dice, LARGEST_SIDE + 1 - least);
		int c = 1 + roll(&n->dice, 4);
		bool bytes = roll(&n->dice, 3) == 0;
		write_line(n->w, "input _image: %s[%d, %d, %d]", bytes ? "u8" : "f32", h, w, c);
		write_line(n->w, classes ? "target goal: class[%d]" : "target goal: f32[3]", classes);
		n->values[n->count++] = (Value){"_image", h, w, c};
		if (bytes) {
			let(n, h, w, c, "_image -> scale(1/255)");
			n->values[0] = n->values[--n->count]; /* the raw bytes are too large to go on with */
		}
		if (roll(&n->dice, 4) == 0) {
			int dim = 1 + roll(&n->dice, 4);
			write_line(n->w, "input _words: i32[%d, %d]", h, w);
			let(n, h, w, dim, "_words -> embedding(%d, %d)", 1 + roll(&n->dice, RANDOM_WORDS + 2),
			    dim);
		}
		if (n->many_pixels)
			move_wide(n, *newest(n));
		grow(n, 3 + roll(&n->dice, 8));
		Value v = *newest(n);
		if (roll(&n->dice, 2))
			let(n, 0, 0, v.h * v.w * v.c, "%s -> flatten", v.name);
		else
			let(n, 0, 0, v.c, "%s -> avgpool(global)", v.name);
	} else {
		int c = 1 + roll(&n->dice, 12);
		write_line(n->w, "input _image: f32[%d]", c);
		write_line(n->w, classes ? "target goal: class[%d]" : "target goal: f32[3]", classes);
		n->values[n->count++] = (Value){"_image", 0, 0, c};
		if (roll(&n->dice, 3) == 0) {
			int words = 1 + roll(&n->dice, 5), dim = 1 + roll(&n->dice, 3);
			write_line(n->w, "input _words: i32[%d]", words);
			let(n, 0, 0, words * dim, "_words -> embedding(%d, %d) -> flatten",
			    1 + roll(&n->dice, RANDOM_WORDS + 2), dim);
		}
	}
	grow(n, 1 + roll(&n->dice, 5));
	write_loss(n, classes);
	write_indent(n->w, -1);
	write_line(n->w, "}");
	write_blank(n);
	write_recipe(n, name, precision);
	return arena_strdup(a, writer_text(n->w, NULL));
}
