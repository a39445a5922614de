/* SPDX-License-Identifier: MIT */
/* What shape rules are written with: reading attributes, reporting mistakes, setting the result. ops/op.h.
 *
 * The same rule runs in the front end, where a bad shape is the user's mistake, and in passes, where it is
 * nnc's. */
#include "ops/compose.h"
#include "ir/op.h"

#include <stdarg.h>
#include <string.h>

bool infer_error(Infer *in, const char *id, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *message = arena_vprintf(in->graph->arena, format, args);
	va_end(args);
	if (in->why) {
		*in->why = message;
		return false;
	}
	if (!in->graph->diag)
		bug("a pass made an ill-typed `%s` node: %s", in->op->name, message);
	diag_error(in->graph->diag, in->site ? in->site->loc : loc_none(), id, "%s", message);
	if (in->site)
		diag_site_notes(in->graph->diag, in->site);
	return false;
}

void infer_note_operand(Infer *in, int i)
{
	if (in->why)
		return;
	const Node *x = in->operands[i];
	Arena *a = in->graph->arena;
	/* Bytes become reals where they are computed with: the tensor is made where they are. */
	const Node *made = !x->name && (x->op->flags & OP_CONVERTS) ? x->operands[0] : x;
	Loc loc = made->sites.count ? made->sites.at[0]->loc : loc_none();
	static const char *const ordinals[] = {"the first", "the second", "the third", "the fourth"};
	const char *name = made->name              ? arena_printf(a, "`%s`", made->name)
	                   : in->operand_count < 2 ? "what it is given"
	                   : i < 4                 ? ordinals[i]
	                                           : arena_printf(a, "operand %d", i + 1);
	diag_note(in->graph->diag, loc, "%s is %s, made here", name, operand_text(in, i));
}

const Attr *infer_attr(const Infer *in, const char *name)
{
	return attr_find(in->attrs, in->attr_count, name);
}

static const Attr *need_attr(const Infer *in, const char *name, AttrKind kind)
{
	const Attr *attr = infer_attr(in, name);
	if (!attr || attr->kind != kind)
		bug("a `%s` node is made without the attribute `%s`, or with one of another kind",
		    in->op->name, name);
	return attr;
}

int64_t infer_int(const Infer *in, const char *name)
{
	return need_attr(in, name, ATTR_INT)->i;
}

const int64_t *infer_ints(const Infer *in, const char *name, int *count)
{
	const Attr *attr = need_attr(in, name, ATTR_INTS);
	*count = attr->count;
	return attr->ints;
}

bool infer_result(Infer *in, DType dtype, int rank, const int64_t *dim)
{
	if (type_make(dtype, rank, dim, &in->result))
		return true;
	if (rank > LIMIT_RANK)
		return infer_error(in, "rank-limit",
		                   "the result of `%s` has %d dimensions; at most %d are possible",
		                   in->op->name, rank, LIMIT_RANK);
	for (int i = 0; i < rank; i++) {
		if (dim[i] < 1) {
			infer_error(in, "empty-tensor", "dimension %d of the result of `%s` would be %lld", i,
			            in->op->name, (long long)dim[i]);
			if (in->operand_count > 0)
				infer_note_operand(in, 0);
			return false;
		}
	}
	return infer_error(in, "tensor-limit", "the result of `%s` is larger than the limit of 2^48 bytes",
	                   in->op->name);
}

bool op_infer(const Graph *g, const Op *op, int operand_count, Node *const *operands, int attr_count,
              const Attr *attrs, Type *result, const char **why)
{
	Infer in = {
	        .graph = (Graph *)g,
	        .op = op,
	        .operand_count = operand_count,
	        .operands = operands,
	        .attr_count = attr_count,
	        .attrs = attrs,
	        .why = why,
	};
	*why = "its operands do not fit";
	if (!op->infer(&in))
		return false;
	*result = in.result;
	return true;
}
