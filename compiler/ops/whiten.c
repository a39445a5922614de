#include "ops/whiten.h"

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

int whiten_attrs(Call *c, const Node *x, Attr attrs[WHITEN_ATTRS])
{
	double factor[WHITEN_CHANNELS] = {1, 1, 1, 1}, shift[WHITEN_CHANNELS] = {0};
	int64_t channels = x->type.dim[x->type.rank - 1];
	if (channels > WHITEN_CHANNELS) {
		call_error(c, "init", "bad-argument",
		           "`init = whiten` is for images of up to %d channels, not %lld", WHITEN_CHANNELS,
		           (long long)channels);
		return 0;
	}
	for (double f, s; x->op->affine && x->op->affine(x, 0, &f, &s); x = x->operands[0])
		for (int i = 0; i < channels; i++) {
			x->op->affine(x, i, &f, &s);
			shift[i] += factor[i] * s;
			factor[i] *= f;
		}
	if (!node_is(x, "input") || x->type.dtype != DTYPE_U8 || x->type.rank != 4) {
		call_error(c, "init", "bad-argument",
		           "`init = whiten` is for the layer that reads the images: an input "
		           "u8[height, width, channels], as it is or through `scale` or `normalize`");
		return 0;
	}
	int count = 0;
	attrs[count++] = attr_text("image", node_text(x, "name"));
	for (int i = 0; i < channels; i++) {
		attrs[count++] = attr_real(whiten_factors[i], factor[i]);
		attrs[count++] = attr_real(whiten_shifts[i], shift[i]);
	}
	return count;
}
