/* SPDX-License-Identifier: MIT */
/* The arithmetic of sliding windows, and its diagnostics. */
#include "ops/window.h"

#include <string.h>

static const char *const side[2] = {"height", "width"};

/* The extent of the window with its dilation. */
static int64_t window_extent(const Window *w, int i)
{
	return (w->size[i] - 1) * w->dilation[i] + 1;
}

static void window_output(Window *w)
{
	for (int i = 0; i < 2; i++) {
		int64_t padded = w->in[i] + w->pad[i] + w->pad[i + 2];
		w->out[i] = (padded - window_extent(w, i)) / w->stride[i] + 1;
	}
}

static bool read_ints(Infer *in, const char *name, int want, int64_t least, int64_t *out)
{
	int count;
	const int64_t *ints = infer_ints(in, name, &count);
	if (count != want)
		return infer_error(in, "bad-window", "`%s` of `%s` needs %d numbers, not %d", name,
		                   in->op->name, want, count);
	for (int i = 0; i < want; i++) {
		if (ints[i] < least || ints[i] > WINDOW_LIMIT)
			return infer_error(in, "bad-window", "`%s` of `%s` must be from %lld to %d, not %lld",
			                   name, in->op->name, (long long)least, (int)WINDOW_LIMIT,
			                   (long long)ints[i]);
		out[i] = ints[i];
	}
	return true;
}

bool window_infer(Infer *in, Window *w)
{
	w->dilation[0] = w->dilation[1] = 1;
	if (!read_ints(in, "stride", 2, 1, w->stride) || !read_ints(in, "pad", 4, 0, w->pad))
		return false;
	if (infer_attr(in, "dilation") && !read_ints(in, "dilation", 2, 1, w->dilation))
		return false;
	for (int i = 0; i < 2; i++) {
		if (w->size[i] < 1 || w->size[i] > WINDOW_LIMIT || w->in[i] > SIZE_LIMIT / 2)
			return infer_error(in, "bad-window",
			                   "the window of `%s` must be from 1 to %d, not %lld", in->op->name,
			                   (int)WINDOW_LIMIT, (long long)w->size[i]);
		int64_t padded = w->in[i] + w->pad[i] + w->pad[i + 2];
		if (window_extent(w, i) > padded) {
			infer_error(in, "window-too-large",
			            "the window of `%s` spans %lld in %s, but the image is only %lld there"
			            " (%lld and padding %lld + %lld)",
			            in->op->name, (long long)window_extent(w, i), side[i], (long long)padded,
			            (long long)w->in[i], (long long)w->pad[i], (long long)w->pad[i + 2]);
			infer_note_operand(in, 0);
			int64_t channels = in->operands[0]->type.dim[3];
			if (!in->why && w->in[0] <= 4 && w->in[1] == channels && channels > 4)
				diag_help(in->graph->diag,
				          "images are [height, width, channels]: `[%lld, %lld, %lld]`",
				          (long long)w->in[1], (long long)channels, (long long)w->in[0]);
			return false;
		}
	}
	window_output(w);
	return true;
}

void window_of(const Node *n, Window *w)
{
	int count;
	memcpy(w->stride, node_ints(n, "stride", &count), sizeof w->stride);
	memcpy(w->pad, node_ints(n, "pad", &count), sizeof w->pad);
	w->dilation[0] = w->dilation[1] = 1;
	if (node_attr(n, "dilation"))
		memcpy(w->dilation, node_ints(n, "dilation", &count), sizeof w->dilation);
	window_output(w);
}

static bool check_pair(Call *c, const char *name, const int64_t pair[2], int64_t least)
{
	for (int i = 0; i < 2; i++) {
		if (pair[i] < least || pair[i] > WINDOW_LIMIT) {
			call_error(c, name, "bad-window", "`%s` must be from %lld to %d, not %lld", name,
			           (long long)least, (int)WINDOW_LIMIT, (long long)pair[i]);
			return false;
		}
	}
	return true;
}

bool window_image(Call *c, const Node *x)
{
	if (x->type.rank == 4)
		return true;
	call_error(c, "x", "rank-mismatch",
	           "an image [height, width, channels] is needed here, not a sample of %d dimension%s",
	           x->type.rank - 1, x->type.rank == 2 ? "" : "s");
	Diagnostics *d = call_build(c)->graph->diag;
	if (x->type.rank == 3)
		diag_help(d,
		          "a grey image has one channel: u8[%lld, %lld, 1], or x -> reshape((%lld, %lld, "
		          "1)); of a "
		          "sequence [steps, channels] there is conv1d",
		          (long long)x->type.dim[1], (long long)x->type.dim[2], (long long)x->type.dim[1],
		          (long long)x->type.dim[2]);
	else if (x->type.rank == 5)
		diag_help(d, "of a volume [depth, height, width, channels] there are conv3d, maxpool3d and "
		             "avgpool3d");
	else
		diag_help(d, "convolutions and pools stand before `flatten`; `reshape` makes a row an image: "
		             "x -> reshape((height, width, channels))");
	return false;
}

bool window_call(Call *c, const Node *x, bool has_dilation, Window *w)
{
	if (!window_image(c, x))
		return false;
	w->dilation[0] = w->dilation[1] = 1;
	call_pair(c, "size", w->size);
	if (has_dilation)
		call_pair(c, "dilation", w->dilation);
	if (call_word(c, "stride"))
		memcpy(w->stride, w->size, sizeof w->stride);
	else
		call_pair(c, "stride", w->stride);
	if (!check_pair(c, "size", w->size, 1) || !check_pair(c, "stride", w->stride, 1) ||
	    (has_dilation && !check_pair(c, "dilation", w->dilation, 1)))
		return false;
	const char *word = call_word(c, "pad");
	int64_t pad[2] = {0, 0};
	if (!word) {
		call_pair(c, "pad", pad);
		if (!check_pair(c, "pad", pad, 0))
			return false;
	}
	for (int i = 0; i < 2; i++) {
		w->in[i] = x->type.dim[1 + i];
		w->pad[i] = w->pad[i + 2] = pad[i];
		if (word && strcmp(word, "same") == 0) {
			w->pad[i] = (window_extent(w, i) - 1) / 2;
			w->pad[i + 2] = window_extent(w, i) / 2;
		}
	}
	return true;
}
