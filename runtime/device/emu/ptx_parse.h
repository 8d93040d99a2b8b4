/* device/emu/ptx_parse.h - the parser's parts; private to it
 *
 * ptx_parse.c has the module, ptx_kernel.c kernels and calls, ptx_body.c statements, and
 * ptx_names.c what names mean. A function is parsed anew wherever it is called. */
#ifndef MPA_DEVICE_EMU_PTX_PARSE_H
#define MPA_DEVICE_EMU_PTX_PARSE_H

#include "device/emu/ptx_module.h"

/* A kernel or function, from its name or results on. */
struct ptx_text {
	struct ptx_text *next;
	bool kernel, body;
	const char *name;
	struct ptx_lex at;
};

struct ptx_parser {
	struct ptx_lex lex;
	struct ptx_module *module;
	struct ptx_fault *fault;
	struct ptx_text *texts, **last;
};

/* Always false; the first complaint is kept. */
bool ptx_wrong(struct ptx_parser *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool ptx_take(struct ptx_parser *p, const char *text);       /* is it there? then past it */
bool ptx_expect(struct ptx_parser *p, const char *text);
const char *ptx_word(struct ptx_parser *p);                  /* NULL: there is none */
bool ptx_integer(struct ptx_parser *p, int64_t *value);

struct ptx_declared {
	const char *name;
	int64_t align, unit, count;     /* unit: bytes; count 0: not said */
};
bool ptx_declare(struct ptx_parser *p, struct ptx_declared *d);

/* ---- ptx_names.c: names of a kernel's text ----------------------------------------- */

struct ptx_regs {       /* %r<12> are a name and a count; a single one has count 0 */
	char name[64];
	int first, count;
};
struct ptx_label {
	const char *name;
	int scope, at;
};
struct ptx_jump {
	const char *label;
	int scope, instr, line;
};
enum ptx_kind { PTX_OF_KERNEL, PTX_OF_SCOPE };
struct ptx_named {      /* in parameters, shared or local memory */
	const char *name;
	uint64_t at;
	enum ptx_kind kind;
	bool local;     /* a parameter of a call: in local memory */
};
struct ptx_scope {
	int up;         /* PTX_NONE: of a kernel or function */
	int regs, places;       /* known when it began */
};
/* A call that is being parsed. */
struct ptx_frame {
	struct ptx_frame *up;
	const char *name;
};

struct ptx_body {
	struct ptx_parser *p;
	struct ptx_kernel *k;
	struct ptx_frame *frame;
	int n_regs, room_regs, n_labels, room_labels, n_jumps, room_jumps, n_places,
		room_places, n_scopes, room_scopes, room_presets, room_instrs;
	struct ptx_regs *regs;
	struct ptx_label *label;
	struct ptx_jump *jump;
	struct ptx_named *place;
	struct ptx_scope *scope;
	struct ptx_preset *preset;
	struct ptx_instr *instr;
	int inside;     /* which scope */
	bool local;     /* the operand met last names a parameter of a call */
	int file, line;
};

void ptx_body_free(struct ptx_body *b);
/* ".reg .b64 %rd<85>, %x;" after ".reg" */
bool ptx_parse_regs(struct ptx_body *b);
/* The innermost scope's; PTX_NONE: there is none. */
int ptx_find_reg(const struct ptx_body *b, const char *text, size_t length);
/* A register for a constant or a special one; PTX_NONE: told. */
int ptx_preset(struct ptx_body *b, int special, uint64_t value);
int ptx_find_special(const struct ptx_lex *lex);
int64_t ptx_aligned(int64_t at, int64_t align);
bool ptx_add_place(struct ptx_body *b, const struct ptx_named *place);
/* Whether the token names memory that launches add; it begins where that ends which is
 * known. */
bool ptx_is_dynamic(struct ptx_body *b);
/* The address of a variable, parameter, or place in shared or local memory. */
bool ptx_find_symbol(struct ptx_body *b, uint64_t *at);
/* up: the scope around it; PTX_NONE: of a kernel or function */
bool ptx_open_scope(struct ptx_body *b, int up);
void ptx_close_scope(struct ptx_body *b);
bool ptx_add_label(struct ptx_body *b, const char *name);
/* From the instruction that comes next. */
bool ptx_add_jump(struct ptx_body *b, const char *label);
bool ptx_link_jumps(struct ptx_body *b);
bool ptx_add_instr(struct ptx_body *b, const struct ptx_instr *in);

/* ---- ptx_body.c ---------------------------------------------------------------------- */

/* ".shared .align 8 .b8 name[64];" and ".local …", after the first */
bool ptx_parse_place(struct ptx_body *b, int64_t *total, bool local);
/* Statements up to the brace that ends the scope at hand. */
bool ptx_parse_block(struct ptx_body *b);

/* ---- ptx_kernel.c -------------------------------------------------------------------- */

#define PTX_RETURN "%return"    /* the label where a function ends */
bool ptx_parse_kernel(struct ptx_parser *p);    /* from its name on */
/* After "call"; guard: as in->guard. */
bool ptx_parse_call(struct ptx_body *b, const struct ptx_instr *in);

#endif
