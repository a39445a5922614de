/* SPDX-License-Identifier: MIT */
/* An on-chip step (ir/onchip.h): its two kernels, and the host function that launches them. */
#include "onchip/text.h"
#include "codegen/expr.h"

const char *onchip_real(const OnChipText *t)
{
	return dtype_c_name(t->o->pack->type.dtype);
}

static void write_host(OnChipText *t, const char *name, const char *what, const Tensors *tensors,
                       const char *arguments)
{
	Writer *w = t->e->w;
	write_line(w, "/* %s: two kernels (ir/onchip.h), arena %s */", what,
	           human_count(t->arena, (double)t->p->arena_bytes, "B"));
	write_line(w, "static void %s(const NnrMemory *m, const NnrScalars *s)", name);
	write_line(w, "{");
	write_indent(w, 1);
	for (int i = 0; i < tensors->count; i++) {
		const Buffer *b = tensors->at[i].buffer;
		if (b != t->p->of_node[t->o->pack->id])
			write_line(w, "%s *const %s = (%s *)(m->%s + %lld);", dtype_c_name(b->type.dtype),
			           b->name, dtype_c_name(b->type.dtype), buffer_block(b),
			           (long long)buffer_offset(b));
	}
	static const int samples = 0, update = 1;
	emit_mark(t->e, t->p, &samples, 1);
	emit_mark(t->e, t->p, &update, 1);
	write_line(w, "nnr_step(1, \"forward and backward of each sample\");");
	write_line(w,
	           "static NnrKernel samples_kernel = {.name = \"%s\", .blocks = %lld, .threads = %d, "
	           ".shared_bytes = %lld, .overlaps = true};",
	           t->samples, (long long)onchip_sample_blocks(t), t->o->threads,
	           (long long)t->o->chip_bytes);
	write_line(w, "nnr_launch(&samples_kernel, (void *[]){&s, nnr_step_supply(), nnr_step_turn(), (void "
	              "*)&m->inputs, "
	              "(void *)&m->params, (void *)&m->arena});");
	write_line(w, "nnr_scores_wait();");
	write_line(w, "nnr_step(2, \"sums over the batch, and the update\");");
	write_line(w,
	           "static NnrKernel update_kernel = {.name = \"%s\", .blocks = %lld, .threads = %d, "
	           ".shared_bytes = %lld, .overlaps = true};",
	           t->update, (long long)t->update_blocks, ONCHIP_UPDATE_THREADS,
	           (long long)(t->update_scratch * dtype_bytes(t->o->pack->type.dtype)));
	write_line(w,
	           "nnr_launch(&update_kernel, (void *[]){&s, nnr_step_supply(), nnr_step_turn(), %s(void "
	           "*)&m->arena});",
	           arguments);
	write_indent(w, -1);
	write_line(w, "}");
	write_text(w, "\n");
}

const char *const *emit_onchip(Emitter *e, const Program *p, const char *name, const char *what)
{
	Target *block = arena_copy(e->arena, &target_block, sizeof target_block);
	block->threads = p->onchip->threads;
	OnChipText t = {.e = e, .arena = e->arena, .p = p, .o = p->onchip, .block = block, .w = e->kernels};
	t.text = step_update(t.arena, p, onchip_update_step(p), t.o->pack);
	write_sample_kernel(&t);
	char *arguments = write_update_kernel(&t);
	write_host(&t, name, what, &t.text.tensors, arguments);
	const char **names = NEW_ARRAY(e->arena, const char *, 2);
	names[0] = t.samples;
	names[1] = t.update;
	return names;
}
