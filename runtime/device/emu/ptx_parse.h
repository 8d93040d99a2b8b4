/* device/emu/ptx_parse.h - the parser's parts; private to ptx_parse.c and ptx_body.c */
#ifndef MPA_DEVICE_EMU_PTX_PARSE_H
#define MPA_DEVICE_EMU_PTX_PARSE_H

#include "device/emu/ptx_module.h"

struct ptx_parser {
	struct ptx_lex lex;
	struct ptx_module *module;
	struct ptx_fault *fault;
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

/* ptx_body.c: past ".entry" */
bool ptx_parse_kernel(struct ptx_parser *p);

#endif
