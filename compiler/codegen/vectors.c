/* SPDX-License-Identifier: MIT */
/* The tensors of a loop body that a CUDA thread reads and writes two, four or eight neighbouring elements at a time:
 * see body.h. */
#include "codegen/vectors.h"
#include "base/array.h"
#include "codegen/expr.h"
#include <string.h>

enum { LONGEST_ACCESS = 16 };

bool body_takes_vector(const Body *e, const Node *x, int position)
{
	if (e->vector == 0)
		return false;
	const Buffer *b = buffer_of(e->program, x);
	int64_t unit = e->vector * dtype_bytes(b->type.dtype);
	unit = unit < LONGEST_ACCESS ? unit : LONGEST_ACCESS;
	/* of a row that ends within a vector the next one begins at a multiple only where rows stand apart */
	const bool apart = b->pitch || e->nest.middle % e->vector == 0 ||
	                   !loop_runs_along(&e->nest, position, x->type, false);
	return (e->copy_count == 0 || apart) && loop_last_stride(&e->nest, position, x->type) == 1 &&
	       loop_keeps_multiples(&e->nest, position, x->type, e->vector) && buffer_offset(b) % unit == 0 &&
	       b->pitch * dtype_bytes(b->type.dtype) % unit == 0;
}

AccessKind body_access_kind(const Body *e, const Node *x, int position, bool store)
{
	if (store)
		return ACCESS_STORE;
	if (e->walk && !loop_runs_along(&e->nest, position, x->type, e->walk == WALK_REDUCED))
		return ACCESS_COLUMN;
	for (int i = 0; i < e->raw_count; i++)
		if (e->raw[i] == x)
			return ACCESS_RAW;
	return e->kept_turn ? ACCESS_KEPT : ACCESS_LOAD;
}

/* "x + index", the last loop's variable being `last`. */
static char *address_text(Body *e, const char *name, const Node *x, int position, const char *last)
{
	Loop *loop = &e->nest.loops[e->nest.loop_count - 1];
	const char *var = loop->var;
	loop->var = last;
	char *address = arena_printf(
	        e->arena, "%s + %s", name,
	        loop_place(e->arena, &e->nest, position, x->type, buffer_of(e->program, x)->pitch));
	loop->var = var;
	return address;
}

static VectorAccess *find_access(const Body *e, AccessKind kind, const char *address)
{
	for (int i = 0; i < e->vector_count; i++)
		if (e->vectors[i].kind == kind && strcmp(e->vectors[i].address, address) == 0)
			return &e->vectors[i];
	return NULL;
}

static VectorAccess *add_access(Body *e, VectorAccess v)
{
	if (e->vector_count == e->vector_room)
		e->vectors = array_grow(e->arena, e->vectors, &e->vector_room, sizeof *e->vectors);
	e->vectors[e->vector_count] = v;
	return &e->vectors[e->vector_count++];
}

VectorAccess *body_fetched(Body *e, const char *name, const Node *x, int position)
{
	const char *address = address_text(e, name, x, position, e->column);
	VectorAccess *v = find_access(e, ACCESS_FETCHED, address);
	return v ? v
	         : add_access(e, (VectorAccess){.kind = ACCESS_FETCHED,
	                                        .address = address,
	                                        .type = dtype_value_name(x->type.dtype),
	                                        .local = tensors_local_of(&e->tensors, name, "slab")});
}

char *body_vector_text(Body *e, const char *name, const Node *x, int position, AccessKind kind)
{
	const char *address = address_text(e, name, x, position, e->vector_base);
	const char *ending = kind == ACCESS_STORE ? "out" : "in";
	VectorAccess *v = find_access(e, kind, address);
	if (!v && kind == ACCESS_COLUMN && e->late) {
		v = body_fetched(e, name, x, position);
		if (!v->row_local)
			v->row_local = tensors_local_of(&e->tensors, name, "in");
		return arena_printf(e->arena, "%s[u]", v->row_local);
	}
	if (!v)
		v = add_access(e, (VectorAccess){.kind = kind,
		                                 .address = address,
		                                 .type = kind == ACCESS_RAW ? dtype_c_name(x->type.dtype)
		                                                            : dtype_value_name(x->type.dtype),
		                                 .value_type = dtype_value_name(x->type.dtype),
		                                 .aligned = body_takes_vector(e, x, position),
		                                 .local = tensors_local_of(&e->tensors, name, ending)});
	v->used = true;
	const char *turn = kind == ACCESS_KEPT ? e->kept_turn : kind == ACCESS_COLUMN ? e->column_turn : NULL;
	return turn ? arena_printf(e->arena, "%s[%s + u]", v->local, turn)
	            : arena_printf(e->arena, "%s[u]", v->local);
}

char *body_vector_at(Body *e, const char *name, const char *address, const Node *x)
{
	VectorAccess *v = find_access(e, ACCESS_LOAD, address);
	if (!v)
		v = add_access(e, (VectorAccess){.kind = ACCESS_LOAD,
		                                 .address = address,
		                                 .type = dtype_value_name(x->type.dtype),
		                                 .aligned = true,
		                                 .local = tensors_local_of(&e->tensors, name, "in")});
	return arena_printf(e->arena, "%s[u]", v->local);
}

static void declare_vector(Body *e, const VectorAccess *v)
{
	code_array(e->code, "%s", "%s", "%d", v->type, v->local, e->vector);
}

static void load_vector(Body *e, const VectorAccess *v)
{
	code_do(e->code, "nnr_load%d(%s, %s)", e->vector, v->local, v->address);
}

/* The loads of a map whose threads have something to do in between; those without elements too. */
static void write_loads_ahead(Body *e)
{
	for (int i = 0; i < e->vector_count; i++)
		if (e->vectors[i].kind == ACCESS_LOAD)
			declare_vector(e, &e->vectors[i]);
	if (e->load_guard)
		code_if(e->code, "%s", e->load_guard);
	for (int i = 0; i < e->vector_count; i++)
		if (e->vectors[i].kind == ACCESS_LOAD) {
			load_vector(e, &e->vectors[i]);
			e->vectors[i].loaded = true;
		}
	code_close(e->code, e->load_guard != NULL);
	code_take(e->code, e->after_loads);
}

void body_vectors(Body *e, Code *inside)
{
	int staying = 0;
	if (e->after_loads)
		write_loads_ahead(e);
	for (int i = 0; i < e->vector_count; i++) {
		VectorAccess *v = &e->vectors[i];
		if ((v->kind == ACCESS_LOAD && !v->loaded) || v->kind == ACCESS_STORE)
			declare_vector(e, v);
		if (v->kind == ACCESS_LOAD && !v->loaded)
			load_vector(e, v);
		if (v->kind == ACCESS_KEPT && !v->loaded)
			code_do(e->loads ? e->loads : e->code, "nnr_load%d(%s + %s, %s)", e->vector, v->local,
			        e->kept_turn, v->address);
		if (v->kind == ACCESS_RAW && !v->loaded)
			code_do(e->loads, "nnr_load%d%s(%s_raw[%s], %s)", e->vector, e->late ? "_now" : "",
			        v->local, e->raw_turn, v->address);
		if (v->kind == ACCESS_RAW && v->used) {
			code_array(e->code, "%s", "%s", "%d", v->value_type, v->local, e->vector);
			code_do(e->code, "nnr_load%d(%s, %s_raw[%s])", e->vector, v->local, v->local,
			        e->raw_turn);
		}
	}
	if (e->row_guard)
		code_if(e->code, "%s", e->row_guard);
	code_turns(e->code, TURNS_UNROLLED, "");
	code_loop(e->code, (CodeLoop){.type = "int", .var = "u", .count = e->vector});
	code_take(e->code, inside);
	code_close(e->code, 1);
	if (e->store_guard)
		code_if(e->code, "%s", e->store_guard);
	for (int i = 0; i < e->vector_count; i++) {
		VectorAccess *v = &e->vectors[i];
		if (v->kind == ACCESS_STORE)
			code_do(e->code, "nnr_store%d(%s, %s)", e->vector, v->address, v->local);
		v->loaded = true;
		v->used = false;
		if (v->kind != ACCESS_LOAD && v->kind != ACCESS_STORE)
			e->vectors[staying++] = *v;
	}
	code_close(e->code, (e->store_guard != NULL) + (e->row_guard != NULL));
	e->vector = 0;
	e->vector_count = staying;
}
