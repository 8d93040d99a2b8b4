/* backend/llvm/jit.c - code that runs in this process
 *
 * takes: modules, one after the other   gives: the tables of each, `struct mpa_program`
 * What they call is found in the run time that is linked into this program (abi.def),
 * and in the libraries of the process. An engine keeps all code until it is closed, as
 * texts and tables point into it.
 */
#include "backend/llvm/emit.h"
#include "mpa/abi.h"
#include "support/arena.h"
#include "support/diag.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>

struct engine {
	LLVMOrcLLJITRef jit;
	struct diag *diag;
	bool told; /* the cause of what fails next */
};

/* true: there is an error, told and freed. */
static bool failed(struct engine *j, LLVMErrorRef error)
{
	char *message;

	if (!error)
		return false;
	message = LLVMGetErrorMessage(error);
	if (!j->told)
		diag_error(j->diag, DIAG_INTERNAL, (struct span){ 0 }, "LLVM: %s",
			   message);
	j->told = false;
	LLVMDisposeErrorMessage(message);
	return true;
}

/* LLVM tells here what a look-up lacks: "Symbols not found: [ cube ]". */
static void on_error(void *context, LLVMErrorRef error)
{
	struct engine *j = context;
	char *message = LLVMGetErrorMessage(error);
	const char *names = strchr(message, '[');

	if (!j->told)
		diag_error(j->diag, DIAG_CANNOT_LINK, (struct span){ 0 },
			   strstr(message, "not found") && names
				   ? "functions in C that are not there: %s"
				   : "LLVM: %s",
			   names ? names : message);
	j->told = true;
	LLVMDisposeErrorMessage(message);
}

static bool define_runtime(struct engine *j)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} known[] = {
#define ROW(name, result, parameters) { #name, (void (*)(void))name },
#include "mpa/abi.def"
#undef ROW
		{ "mpa_main", (void (*)(void))mpa_main },
	};
	enum { N = sizeof known / sizeof *known };
	LLVMOrcCSymbolMapPair pair[N];

	for (int i = 0; i < N; i++)
		pair[i] = (LLVMOrcCSymbolMapPair){
			LLVMOrcLLJITMangleAndIntern(j->jit, known[i].name),
			{ (uintptr_t)known[i].function,
			  { LLVMJITSymbolGenericFlagsExported |
				    LLVMJITSymbolGenericFlagsCallable,
			    0 } }
		};
	return !failed(j, LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(j->jit),
						LLVMOrcAbsoluteSymbols(pair, N)));
}

static bool search_process(struct engine *j)
{
	LLVMOrcDefinitionGeneratorRef generator;

	if (failed(j, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
			      &generator, LLVMOrcLLJITGetGlobalPrefix(j->jit), NULL, NULL)))
		return false;
	LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(j->jit), generator);
	return true;
}

void jit_close(void *engine)
{
	struct engine *j = engine;

	if (j->jit)
		LLVMConsumeError(LLVMOrcDisposeLLJIT(j->jit));
	free(j);
}

void *jit_open(struct diag *d)
{
	struct engine *j = xmalloc(sizeof *j);

	*j = (struct engine){ .diag = d };
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	if (!failed(j, LLVMOrcCreateLLJIT(&j->jit, NULL)) && define_runtime(j) &&
	    search_process(j)) {
		LLVMOrcExecutionSessionSetErrorReporter(
			LLVMOrcLLJITGetExecutionSession(j->jit), on_error, j);
		return j;
	}
	jit_close(j);
	return NULL;
}

bool jit_add(void *engine, const char *path)
{
	struct engine *j = engine;
	LLVMMemoryBufferRef object;
	char *message = NULL;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &object, &message)) {
		diag_error(j->diag, DIAG_CANNOT_LINK, (struct span){ 0 },
			   "cannot load `%s`: %s", path, message);
		LLVMDisposeMessage(message);
		return false;
	}
	return !failed(j, LLVMOrcLLJITAddObjectFile(
				  j->jit, LLVMOrcLLJITGetMainJITDylib(j->jit), object));
}

const struct mpa_program *jit_load(void *engine, void *self)
{
	struct engine *j = engine;
	struct emit *e = self;
	LLVMMemoryBufferRef object = target_object(e);
	LLVMOrcExecutorAddress at;

	if (!object ||
	    failed(j, LLVMOrcLLJITAddObjectFile(
			      j->jit, LLVMOrcLLJITGetMainJITDylib(j->jit), object)) ||
	    failed(j, LLVMOrcLLJITLookup(j->jit, &at, e->options->symbol)))
		return NULL;
	return (const struct mpa_program *)(uintptr_t)at;
}
