/* What is computed of a tensor for one kind of kernel alone is computed as that reads it.
 *
 * Ahead of a depthwise convolution stand a batchnorm and an activation of the tensor with the most channels of its
 * block. By itself that map reads the tensor and writes another of its size, and the convolution and its weight
 * gradient read this. Where all that reads the result are kernels whose records compute an operand as they read it
 * (Implementation.prologue), the map is no step any more: they read what it reads. The kernel that reads it has the
 * channels of a thread fixed, so that of all else that the map reads there may be values by channel alone.
 *
 * The result's buffer lies inside what it is computed of, as nobody else wants its bytes. After place_pieces, ahead of
 * all passes that ask what steps read. */
#include "codegen/implementation.h"
#include "ops/op.h"
#include "passes/domain.h"
#include "passes/pass.h"

/* The steps that read a buffer. */
typedef struct Reader {
	int step;
	struct Reader *next;
} Reader;

typedef struct Uses {
	Program *p;
	Reader **readers; /* by buffer: of it, or a view of it */
	int *writers;     /* by buffer */
	bool *kept; /* by buffer: the host reads it, it is the new value of a state, or others are inside it */
} Uses;

static Uses uses_of(Arena *scratch, Program *p)
{
	Uses u = {p, NEW_ARRAY(scratch, Reader *, p->buffer_count), NEW_ARRAY(scratch, int, p->buffer_count),
	          NEW_ARRAY(scratch, bool, p->buffer_count)};
	for (int i = 0; i < p->step_count; i++) {
		const Step *s = &p->steps[i];
		for (int k = 0; k < s->read_count; k++) {
			Reader **first = &u.readers[buffer_root(s->reads[k])->id],
			       *reader = NEW(scratch, Reader);
			*reader = (Reader){i, *first};
			*first = reader;
		}
		for (int k = 0; k < s->write_count; k++)
			u.writers[buffer_root(s->writes[k])->id]++;
	}
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->inside)
			u.kept[buffer_root(p->buffers[i])->id] = true;
	for (int i = 0; i < p->graph->output_count; i++)
		if (p->output_buffers[i])
			u.kept[buffer_root(p->output_buffers[i])->id] = true;
	return u;
}

static bool is_constant(const Node *x)
{
	while (x->op->flags & OP_ALIAS)
		x = x->operands[0];
	return node_is_constant(x);
}

/* Whether x has a value for each channel of y, which stays as it is until the last reader. */
static bool is_by_channel(const Uses *u, const Node *x, Type y)
{
	const Buffer *b = u->p->of_node[x->id];
	const int64_t channels = y.dim[y.rank - 1];
	return b && !b->pitch && x->type.rank > 0 && x->type.dim[x->type.rank - 1] == channels &&
	       type_elements(x->type) == channels &&
	       (b->class == BUFFER_PARAMETER ||
	        (b->class == BUFFER_ACTIVATION && u->writers[buffer_root((Buffer *)b)->id] == 1));
}

/* The map as a prologue, and its operations for an element; NULL: it can't be one. */
static Prologue *prologue_of(const Uses *u, const Step *s, double *flops)
{
	if (s->kind != STEP_KERNEL || !s->shape || s->shape->domain.has_reduction || s->write_count != 1)
		return NULL;
	const Node *y = s->nodes[s->node_count - 1], *of = NULL;
	*flops = 0;
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		if (!(n->op->flags & OP_POINTWISE) || !shape_equal(n->type, y->type) || n->op->place ||
		    n->op->flags & (OP_SEEDED | OP_BY_ELEMENT | OP_BY_COLUMN) ||
		    (u->p->of_node[n->id] != NULL) != (n == y))
			return NULL;
		*flops += n->op->expr_flops;
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			if (step_has_node(s, x) || is_constant(x) || is_by_channel(u, x, y->type))
				continue;
			const Buffer *b = u->p->of_node[x->id];
			if ((of && of != x) || !b || b->class != BUFFER_ACTIVATION || b->inside || b->pitch ||
			    u->writers[b->id] != 1 || x->type.dtype != y->type.dtype ||
			    !shape_equal(x->type, y->type))
				return NULL;
			of = x;
		}
	}
	if (!of)
		return NULL;
	Prologue *found = NEW(u->p->arena, Prologue);
	*found = (Prologue){s->nodes, s->node_count, of};
	return found;
}

/* Whether the step reads y once, as the operand that its kernel computes as it reads it. */
static bool computes_as_it_reads(const Step *s, const Node *y, double flops)
{
	const Implementation *m = s->kind == STEP_OP ? implementation_of(s->root) : NULL;
	const int operand = m && m->prologue && !s->prologue ? m->prologue(s->root, flops) : -1;
	int times = 0;
	for (int i = 0; i < s->node_count; i++)
		for (int k = 0; k < s->nodes[i]->operand_count; k++)
			times += s->nodes[i]->operands[k] == y;
	return operand >= 0 && times == 1 && s->root->operands[operand] == y;
}

/* Gives the step the prologue, and what that reads by channel. */
static void join(Program *p, Step *s, const Prologue *prologue)
{
	int room = s->read_count;
	for (int i = 0; i < prologue->node_count; i++)
		room += prologue->nodes[i]->operand_count;
	Buffer **reads = NEW_ARRAY(p->arena, Buffer *, room);
	int count = 0;
	for (; count < s->read_count; count++)
		reads[count] = s->reads[count];
	for (int i = 0; i < prologue->node_count; i++)
		for (int k = 0; k < prologue->nodes[i]->operand_count; k++) {
			const Node *x = prologue->nodes[i]->operands[k];
			bool met = x == prologue->of || !p->of_node[x->id];
			for (int r = 0; r < count; r++)
				met = met || reads[r] == p->of_node[x->id];
			if (!met)
				reads[count++] = p->of_node[x->id];
		}
	s->reads = reads;
	s->read_count = count;
	s->prologue = prologue;
}

/* Whether all that reads the map's result computes it itself from here on. */
static bool dissolve(PassContext *ctx, const Uses *u, const Step *s)
{
	double flops;
	const Prologue *prologue = prologue_of(u, s, &flops);
	if (!prologue)
		return false;
	Program *p = u->p;
	const Node *y = s->nodes[s->node_count - 1];
	Buffer *b = p->of_node[y->id], *of = p->of_node[prologue->of->id];
	if (b->class != BUFFER_ACTIVATION || b->inside || b->pitch || b->rows || b->to_end ||
	    u->kept[b->id] || u->writers[b->id] != 1 || !u->readers[b->id])
		return false;
	for (const Reader *r = u->readers[b->id]; r; r = r->next)
		if (!computes_as_it_reads(&p->steps[r->step], y, flops))
			return false;
	for (const Reader *r = u->readers[b->id]; r; r = r->next)
		join(p, &p->steps[r->step], prologue);
	b->inside = of;
	b->offset = 0;
	pass_remark(ctx, "%s: %s %s is computed as it is read", sites_text(ctx->arena, s->sites, 3),
	            y->op->name, shape_text(ctx->arena, y->type));
	return true;
}

Program *pass_prologues(PassContext *ctx, const Program *before)
{
	bool any = false;
	for (int i = 0; i < before->step_count; i++)
		any = any || (before->steps[i].kind == STEP_OP &&
		              implementation_of(before->steps[i].root)->prologue);
	if (!any)
		return (Program *)before;
	Program *p = program_copy(ctx->arena, before);
	Arena *scratch = arena_new();
	const Uses u = uses_of(scratch, p);
	ARRAY(Step) kept = {0};
	bool *dissolved = NEW_ARRAY(scratch, bool, p->step_count);
	for (int i = 0; i < p->step_count; i++)
		dissolved[i] = dissolve(ctx, &u, &p->steps[i]);
	for (int i = 0; i < p->step_count; i++)
		if (!dissolved[i])
			array_push(p->arena, &kept, p->steps[i]);
	program_set_steps(p, kept.at, kept.count);
	arena_free(scratch);
	return p;
}
