/* device/emu/ptx_lex.c - the tokens of PTX */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "device/emu/ptx_module.h"

static bool in_word(const char *at)
{
	return isalnum((unsigned char)*at) || (*at && strchr("_$%.", *at));
}

/* Spaces and comments. */
static void skip(struct ptx_lex *lex)
{
	for (;; lex->at++) {
		if (lex->at[0] == '/' && lex->at[1] == '/') {
			lex->at += strcspn(lex->at, "\n");
		} else if (lex->at[0] == '/' && lex->at[1] == '*') {
			while (*lex->at && !(lex->at[0] == '*' && lex->at[1] == '/'))
				lex->line += *lex->at++ == '\n';
			lex->at += *lex->at ? 1 : 0;
		} else if (!isspace((unsigned char)*lex->at)) {
			return;
		}
		if (!*lex->at)
			return;
		lex->line += *lex->at == '\n';
	}
}

void ptx_next(struct ptx_lex *lex)
{
	skip(lex);
	lex->start = lex->at;
	if (!*lex->at) {
		lex->token = PTX_END;
	} else if (isdigit((unsigned char)*lex->at)) {
		lex->token = PTX_NUMBER;
		while (isalnum((unsigned char)*lex->at) || *lex->at == '.')
			lex->at++;
	} else if (*lex->at == '"') {
		lex->token = PTX_STRING;
		lex->at += 1 + strcspn(lex->at + 1, "\"\n");
		lex->at += *lex->at == '"';
	} else if (in_word(lex->at)) {
		lex->token = PTX_WORD;
		/* "ld.global.L1::no_allocate" */
		while (in_word(lex->at) || (lex->at[0] == ':' && lex->at[1] == ':'))
			lex->at += *lex->at == ':' ? 2 : 1;
	} else {
		lex->token = PTX_SIGN;
		lex->at++;
	}
	lex->length = (size_t)(lex->at - lex->start);
}

bool ptx_is(const struct ptx_lex *lex, const char *text)
{
	return lex->token != PTX_STRING && lex->length == strlen(text) &&
	       !memcmp(lex->start, text, lex->length);
}

bool ptx_number(const struct ptx_lex *lex, uint64_t *bits)
{
	const char *text = lex->start;
	bool real = text[0] == '0' && strchr("dDfF", text[1]) && lex->length > 2;
	char *end;

	if (lex->token != PTX_NUMBER)
		return false;
	*bits = strtoull(real ? text + 2 : text, &end, real ? 16 : 0);
	return end == lex->at || (*end == 'U' && end + 1 == lex->at);
}
