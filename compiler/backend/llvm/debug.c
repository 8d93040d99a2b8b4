/* backend/llvm/debug.c - places in the source, for debuggers and profilers
 *
 * takes: spans   gives: DWARF line tables, in which a kernel is a subprogram at its
 * statement. What came from an imported module or the prelude shows as the statement
 * that used it, so that the user sees the user's source.
 */
#include "backend/llvm/emit.h"
#include "support/arena.h"

#include <string.h>
#include <unistd.h>

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>

struct debug {
	LLVMDIBuilderRef builder;
	LLVMMetadataRef unit, type; /* type: of every subprogram */
	struct map *file;           /* by source */
	LLVMMetadataRef scope;      /* of the current function */
	struct span place;          /* where it stands */
};

/* As DWARF calls them (DW_ATE_...). */
enum encoding {
	ENCODING_BOOL = 2,
	ENCODING_FLOAT = 4,
	ENCODING_SIGNED = 5,
	ENCODING_CHAR = 6,
	ENCODING_UNSIGNED = 7
};

/* .loc and .file alone, which the C interface has no name for. */
enum { LINES_IN_PTX = 3 };

/* Relative paths are so to the folder that mpac runs in. */
static LLVMMetadataRef make_file(struct emit *e, const char *path)
{
	char folder[4096];

	if (path[0] == '/' || !getcwd(folder, sizeof folder))
		folder[0] = '\0';
	return LLVMDIBuilderCreateFile(e->debug->builder, path, strlen(path), folder,
				       strlen(folder));
}

static LLVMMetadataRef file_of(struct emit *e, const struct source *source)
{
	const char *path = source ? source->name : e->plan->air->file;
	LLVMMetadataRef file = map_get(e->debug->file, path);

	if (!file) {
		file = make_file(e, path);
		map_set(e->debug->file, path, file);
	}
	return file;
}

static void add_flag(struct emit *e, const char *name, unsigned value)
{
	LLVMValueRef number = LLVMConstInt(e->i32, value, 0);

	LLVMAddModuleFlag(e->module, LLVMModuleFlagBehaviorWarning, name, strlen(name),
			  LLVMValueAsMetadata(number));
}

void debug_open(struct emit *e)
{
	struct debug *d;
	const char *producer = e->options->compiler;

	if (!e->options->debug)
		return;
	d = e->debug = arena_new_object(e->arena, struct debug);
	d->builder = LLVMCreateDIBuilder(e->module);
	d->file = map_new(e->arena, MAP_TEXTS);
	d->unit = LLVMDIBuilderCreateCompileUnit(
		d->builder, LLVMDWARFSourceLanguageC99, file_of(e, NULL), producer,
		strlen(producer), e->options->level > 0, "", 0, 0, "", 0,
		e->device ? LINES_IN_PTX : LLVMDWARFEmissionFull, 0, 0, 0, "", 0, "", 0);
	d->type = LLVMDIBuilderCreateSubroutineType(d->builder, file_of(e, NULL), NULL, 0,
						    LLVMDIFlagZero);
	add_flag(e, "Debug Info Version", LLVMDebugMetadataVersion());
	add_flag(e, "Dwarf Version", 4);
}

void debug_close(struct emit *e)
{
	if (!e->debug)
		return;
	LLVMDIBuilderFinalize(e->debug->builder);
	LLVMDisposeDIBuilder(e->debug->builder);
}

static unsigned line_of(struct span at)
{
	return at.source ? (unsigned)span_place(at).line : 1;
}

void debug_function(struct emit *e, LLVMValueRef function, const char *name,
		    struct span at)
{
	struct debug *d = e->debug;
	LLVMMetadataRef file;
	size_t length;
	const char *symbol = LLVMGetValueName2(function, &length);

	if (!d)
		return;
	file = file_of(e, at.source);
	d->place = at;
	d->scope = LLVMDIBuilderCreateFunction(
		d->builder, file, name, strlen(name), symbol, length, file, line_of(at),
		d->type, 1, 1, line_of(at), LLVMDIFlagZero, e->options->level > 0);
	LLVMSetSubprogram(function, d->scope);
}

void debug_place(struct emit *e, struct span at)
{
	struct debug *d = e->debug;
	unsigned column = 0;

	if (!d || !d->scope)
		return;
	if (at.source != d->place.source || !at.source)
		at = d->place;
	if (at.source)
		column = (unsigned)span_place(at).column;
	LLVMSetCurrentDebugLocation2(
		e->builder, LLVMDIBuilderCreateDebugLocation(e->context, line_of(at),
							     column, d->scope, NULL));
}

void debug_no_place(struct emit *e)
{
	if (!e->debug)
		return;
	e->debug->scope = NULL;
	LLVMSetCurrentDebugLocation2(e->builder, NULL);
}

/* ---- variables ----------------------------------------------------------- */

static LLVMMetadataRef basic_type(struct debug *d, const char *name, int bytes,
				  enum encoding encoding)
{
	return LLVMDIBuilderCreateBasicType(d->builder, name, strlen(name),
					    8 * (uint64_t)bytes, encoding,
					    LLVMDIFlagZero);
}

static LLVMMetadataRef type_of(struct debug *d, enum elem elem)
{
	enum encoding encoding = ENCODING_SIGNED;

	if (elem == ELEM_STR)
		return LLVMDIBuilderCreatePointerType(
			d->builder, basic_type(d, "char", 1, ENCODING_CHAR), 64, 0, 0,
			"str", 3);
	if (elem == ELEM_BOOL)
		encoding = ENCODING_BOOL;
	else if (elem == ELEM_U8)
		encoding = ENCODING_UNSIGNED;
	else if (elem_kind(elem) == KIND_REAL)
		encoding = ENCODING_FLOAT;
	return basic_type(d, elem_text(elem), elem_bytes(elem), encoding);
}

static void declare(struct emit *e, LLVMValueRef slot, LLVMMetadataRef variable,
		    LLVMMetadataRef place)
{
	LLVMDIBuilderRef b = e->debug->builder;
	LLVMMetadataRef expression = LLVMDIBuilderCreateExpression(b, NULL, 0);
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);

#if LLVM_VERSION_MAJOR >= 19
	LLVMDIBuilderInsertDeclareRecordAtEnd(b, slot, variable, expression, place, here);
#else
	LLVMDIBuilderInsertDeclareAtEnd(b, slot, variable, expression, place, here);
#endif
}

/* Names with a dot are the compiler's own. */
void debug_variable(struct emit *e, LLVMValueRef slot, const struct air_var *v)
{
	struct debug *d = e->debug;
	LLVMMetadataRef file, variable, place;
	struct span at = v->span;

	if (!d || !d->scope || strchr(v->name, '.') || at.source != d->place.source)
		return;
	file = file_of(e, at.source);
	variable = LLVMDIBuilderCreateAutoVariable(
		d->builder, d->scope, v->name, strlen(v->name), file, line_of(at),
		type_of(d, v->elem), 1, LLVMDIFlagZero, 0);
	place = LLVMDIBuilderCreateDebugLocation(e->context, line_of(at), 0, d->scope,
						 NULL);
	declare(e, slot, variable, place);
}
