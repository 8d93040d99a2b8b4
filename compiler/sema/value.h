/* compiler/sema/value.h - what an expression is worth while it is checked
 *
 * Most are AIR expressions: scalars, fields, and loose ones, which mention axes by
 * name only and have no grid yet. Loose expressions are written over the axes of a
 * family that no program declares (sema.loose), and are settled in a grid where
 * they meet one.
 *
 * Claims say which points beyond the one computed must exist: where a field
 * without a boundary is read at an offset, or where an expression that itself
 * holds shifted reads is shifted. They are checked against the region where the
 * expression ends up (wall.c).
 */
#ifndef SEMA_VALUE_H
#define SEMA_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/air.h"
#include "support/source.h"

struct ast;
struct builtin;
struct call;
struct function;
struct module;

enum value_kind {
	VALUE_ERROR, /* told already: silences what follows */
	VALUE_NONE,  /* of a call that gives nothing */
	VALUE_EXPR,
	VALUE_AXIS,
	VALUE_GRID,
	VALUE_LIST,
	VALUE_TUPLE,
	VALUE_FUNCTION,
	VALUE_BUILTIN,
	VALUE_MODULE,
	VALUE_TYPE
};

struct claim {
	const struct claim *next;
	const struct axis *axis;
	int side;                      /* 0: below, 1: above */
	int64_t distance;              /* > 0: how far from the point computed */
	int ext;                       /* of the axis, in what is read there */
	const struct air_field *field; /* NULL: an expression with shifted reads */
	struct span span;
	struct call *call; /* the expansion it stands in */
};

struct value {
	enum value_kind kind;
	struct span span;
	bool weak;        /* takes the type of a field it meets */
	bool open;        /* holds places of the grid where the expression ends up */
	uint32_t loose;   /* axes without a grid, by their rank */
	uint32_t stencil; /* axes along which it holds shifted reads */
	uint32_t uneven;  /* axes along which fields of different lengths met */
	bool pinned;      /* slices of it were taken to a part of a target */
	int ext;          /* AXIS: how the grid that it was taken of extends it */
	const struct claim *claims;
	union {
		const struct air_expr *expr;
		const struct axis *axis; /* of sema.loose when it is a name only */
		struct grid *grid;
		struct {
			int n;
			const struct value *item;
		} list; /* LIST, TUPLE */
		const struct function *function;
		const struct builtin *builtin;
		struct module *module;
		enum elem elem;
	} as;
};

#endif
