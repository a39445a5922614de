/* SPDX-License-Identifier: MIT */
/* Which outputs a .png can show. Of the table of options too, which knows no data. */
#include "runtime/session/predictions.h"

static bool is_picture(const NnrOutput *o)
{
	bool bytes = o->dtype == NNR_F32 || o->dtype == NNR_U8;
	return bytes && o->rank == 4 && (o->dim[3] == 1 || o->dim[3] == 3);
}

int picture_classes(const NnrModel *m, const NnrOutput *o)
{
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		if (in->is_target && in->classes > 1 && in->rank == 3 && o->rank == 4 &&
		    o->dtype != NNR_I32 && o->dim[1] == in->dim[1] && o->dim[2] == in->dim[2] &&
		    o->dim[3] == in->classes)
			return in->classes;
	}
	return 0;
}

PictureKind picture_kind(const NnrModel *m, const NnrOutput *o)
{
	int classes = picture_classes(m, o);
	if (classes > 0)
		return classes < NO_CLASS ? PICTURE_OF_CLASSES : NO_PICTURE;
	return is_picture(o) ? PICTURE_OF_PIXELS : NO_PICTURE;
}

int picture_output(const NnrModel *m)
{
	for (int i = 0; i < m->predict.output_count; i++)
		if (picture_kind(m, &m->predict.outputs[i]) != NO_PICTURE)
			return i;
	return -1;
}

int64_t picture_channels(const NnrModel *m, const NnrOutput *o)
{
	return picture_kind(m, o) == PICTURE_OF_CLASSES ? 1 : o->dim[3];
}
