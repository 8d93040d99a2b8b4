/* backend/llvm/debug.c - places in the source, for debuggers and profilers
 *
 * takes: spans   gives: DWARF line tables, in which a kernel is a subprogram at its
 * statement. What came from an imported module or the prelude shows as the statement
 * that used it, so that the user sees the user's source.
 */
#include "backend/llvm/emit.h"
#include "support/arena.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

struct debug {
	LLVMDIBuilderRef builder;
	LLVMMetadataRef unit, type;          /* type: of every subprogram */
	struct map *file;                    /* by source */
	LLVMMetadataRef scope;               /* of the current function */
	struct span place;                   /* where it stands */
};

static LLVMMetadataRef make_file(struct emit *e, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *folder = !slash ? "." : arena_strndup(e->arena, path, (size_t)(slash - path));

	return LLVMDIBuilderCreateFile(e->debug->builder, name, strlen(name), folder,
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
		strlen(producer), e->options->level > 0, "", 0, 0, "", 0, LLVMDWARFEmissionFull,
		0, 0, 0, "", 0, "", 0);
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

void debug_function(struct emit *e, LLVMValueRef function, const char *name, struct span at)
{
	struct debug *d = e->debug;
	LLVMMetadataRef file;
	size_t length;
	const char *symbol = LLVMGetValueName2(function, &length);

	if (!d)
		return;
	file = file_of(e, at.source);
	d->place = at;
	d->scope = LLVMDIBuilderCreateFunction(d->builder, file, name, strlen(name), symbol,
	                                       length, file, line_of(at), d->type, 1, 1,
	                                       line_of(at), LLVMDIFlagZero,
	                                       e->options->level > 0);
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
		e->builder, LLVMDIBuilderCreateDebugLocation(e->context, line_of(at), column,
	                                                     d->scope, NULL));
}

void debug_no_place(struct emit *e)
{
	if (!e->debug)
		return;
	e->debug->scope = NULL;
	LLVMSetCurrentDebugLocation2(e->builder, NULL);
}
