/* SPDX-License-Identifier: MIT */
#include "ops/whiten.h"

#include <string.h>

const char *const whiten_factors[] = {"factor_0", "factor_1", "factor_2", "factor_3"};
const char *const whiten_shifts[] = {"shift_0", "shift_1", "shift_2", "shift_3"};

bool affine_none(const Node *n, int channel, double *factor, double *shift)
{
	*factor = 1;
	*shift = 0;
	return true;
}

bool affine_scale(const Node *n, int channel, double *factor, double *shift)
{
	*factor = node_real(n, "factor");
	*shift = node_real(n, "shift");
	return true;
}

bool affine_moved(const Node *n, int channel, double *factor, double *shift)
{
	return node_int(n, "axis") < n->type.rank - 1 && affine_none(n, channel, factor, shift);
}

bool affine_rgb(const Node *n, int channel, double *factor, double *shift)
{
	static const char *const scales[] = {"scale_r", "scale_g", "scale_b"};
	static const char *const shifts[] = {"shift_r", "shift_g", "shift_b"};
	*factor = node_real(n, scales[channel]);
	*shift = node_real(n, shifts[channel]);
	return true;
}

/* What a node makes of the images: of pixels of `image`, factor*x + shift. */
typedef struct Made {
	const Node *image; /* the node itself where it makes something else */
	double factor[WHITEN_CHANNELS], shift[WHITEN_CHANNELS];
} Made;

static Made made_by(const Node *n, int64_t channels, const Made *of_nodes)
{
	Made own = {n, {1, 1, 1, 1}, {0}};
	double f, s;
	if (n->type.rank != 4 || n->type.dim[3] != channels || !n->op->affine || !n->op->affine(n, 0, &f, &s))
		return own;
	Made m = of_nodes[n->operands[0]->id];
	for (int i = 1; i < n->operand_count; i++)
		if (memcmp(&of_nodes[n->operands[i]->id], &m, sizeof m) != 0)
			return own;
	for (int i = 0; i < channels; i++) {
		n->op->affine(n, i, &f, &s);
		m.factor[i] *= f;
		m.shift[i] = f * m.shift[i] + s;
	}
	return m;
}

/* Operands have smaller numbers than what is made of them. */
static Made made_of_images(Call *c, const Node *x)
{
	const Graph *g = call_build(c)->graph;
	Made *of_nodes = NEW_ARRAY(g->arena, Made, x->id + 1);
	for (int i = 0; i <= x->id; i++)
		of_nodes[i] = made_by(g->nodes[i], x->type.dim[3], of_nodes);
	return of_nodes[x->id];
}

/* Whether the images have patches of the filters' size, and a filter sees what a patch is. */
static bool has_patches(Call *c, const Node *image, const Window *win)
{
	const int64_t *dim = image->type.dim;
	if (win->dilation[0] != 1 || win->dilation[1] != 1)
		call_error(c, "dilation", "bad-argument",
		           "`init = whiten` is for filters without gaps: leave out `dilation`, or choose "
		           "another "
		           "`init`");
	else if (win->size[0] > dim[1] || win->size[1] > dim[2])
		call_error(c, "size", "bad-argument",
		           "`init = whiten` takes patches of %lld x %lld, which images of %lld x %lld don't "
		           "have: "
		           "choose smaller filters, or another `init`",
		           (long long)win->size[0], (long long)win->size[1], (long long)dim[1],
		           (long long)dim[2]);
	else
		return true;
	return false;
}

int whiten_attrs(Call *c, const Node *x, const Window *win, Attr attrs[WHITEN_ATTRS])
{
	int64_t channels = x->type.dim[3];
	if (channels > WHITEN_CHANNELS) {
		call_error(c, "init", "bad-argument",
		           "`init = whiten` is for images of up to %d channels, not %lld", WHITEN_CHANNELS,
		           (long long)channels);
		return 0;
	}
	Made m = made_of_images(c, x);
	if (!node_is_input(m.image) || m.image->type.dtype != DTYPE_U8 || m.image->type.rank != 4) {
		call_error(
		        c, "init", "bad-argument",
		        "`init = whiten` is for the layer that reads the images: one input "
		        "u8[height, width, channels], through `scale`, `normalize`, and `flip`, `slice` and "
		        "`concat` along height or width at most");
		return 0;
	}
	if (!has_patches(c, m.image, win))
		return 0;
	int count = 0;
	attrs[count++] = attr_text("image", node_text(m.image, "name"));
	for (int i = 0; i < channels; i++) {
		attrs[count++] = attr_real(whiten_factors[i], m.factor[i]);
		attrs[count++] = attr_real(whiten_shifts[i], m.shift[i]);
	}
	return count;
}
