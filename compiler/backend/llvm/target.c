/* backend/llvm/target.c - the machine code is made for
 *
 * takes: the options, a module   gives: a better module; files
 * The processor is this one unless another is named. Arithmetic stays strict: no option
 * here may allow to fuse, to reorder or to flush.
 */
#include "backend/llvm/emit.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

static LLVMCodeGenOptLevel code_level(const struct emit *e)
{
	static const LLVMCodeGenOptLevel level[] = {
		LLVMCodeGenLevelNone,
		LLVMCodeGenLevelLess,
		LLVMCodeGenLevelDefault,
		LLVMCodeGenLevelAggressive,
	};

	return level[e->options->level];
}

static LLVMTargetMachineRef make_for(struct emit *e, LLVMTargetRef target,
				     const char *triple, const char *cpu,
				     const char *features)
{
	return LLVMCreateTargetMachine(target, triple, cpu, features, code_level(e),
				       LLVMRelocPIC, LLVMCodeModelDefault);
}

/* ---- names of processors ------------------------------------------------- */

/* LLVM's C interface has no list of processors, but for the name `help` LLVM writes one
 * to standard error, which leads into a file meanwhile. NULL: that cannot be done. */
static FILE *processor_help(struct emit *e, LLVMTargetRef target, const char *triple)
{
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);

	fflush(stderr);
	if (file && kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0) {
		LLVMDisposeTargetMachine(make_for(e, target, triple, "help", ""));
		dup2(kept, STDERR_FILENO);
	}
	if (kept >= 0)
		close(kept);
	if (file)
		rewind(file);
	return file;
}

struct names {
	VEC(const char *) name;
};

/* Lines like "  znver4 - Select the znver4 processor." up to the features. */
static struct names processors(struct emit *e, LLVMTargetRef target, const char *triple)
{
	FILE *help = processor_help(e, target, triple);
	struct names n = { 0 };
	char line[256], name[64];

	while (help && fgets(line, sizeof line, help) && !strstr(line, "features"))
		if (sscanf(line, "  %63s - Select", name) == 1 &&
		    strstr(line, "- Select"))
			vec_push(e->arena, &n.name, arena_strdup(e->arena, name));
	if (help)
		fclose(help);
	return n;
}

static bool check_processor(struct emit *e, LLVMTargetRef target, const char *triple)
{
	struct names n = processors(e, target, triple);
	const char *cpu = e->options->cpu, *near;

	for (int i = 0; i < n.name.n; i++)
		if (!strcmp(n.name.item[i], cpu))
			return true;
	if (!n.name.n)
		return true; /* no list to check against */
	diag_error(e->diag, DIAG_BAD_OPTION, (struct span){ 0 },
		   "there is no processor `%s` of %s", cpu, triple);
	near = diag_nearest(cpu, n.name.item, n.name.n);
	if (near)
		diag_hint(e->diag, "Did you mean `%s`?", near);
	return false;
}

/* ---- the machine --------------------------------------------------------- */

static LLVMTargetMachineRef make_machine(struct emit *e, LLVMTargetRef target,
					 const char *triple)
{
	LLVMTargetMachineRef machine;
	char *cpu, *features;

	if (e->options->cpu)
		return check_processor(e, target, triple)
			       ? make_for(e, target, triple, e->options->cpu, "")
			       : NULL;
	cpu = LLVMGetHostCPUName();
	features = LLVMGetHostCPUFeatures();
	machine = make_for(e, target, triple, cpu, features);
	LLVMDisposeMessage(cpu);
	LLVMDisposeMessage(features);
	return machine;
}

static void set_layout(struct emit *e, const char *triple)
{
	LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(e->machine);

	LLVMSetModuleDataLayout(e->module, layout);
	LLVMDisposeTargetData(layout);
	LLVMSetTarget(e->module, triple);
}

bool target_open(struct emit *e)
{
	char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
	LLVMTargetRef target;

	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		emit_fail(e, "LLVM cannot make code for %s: %s", triple, message);
		LLVMDisposeMessage(message);
	} else {
		e->machine = make_machine(e, target, triple);
		if (e->machine)
			set_layout(e, triple);
	}
	LLVMDisposeMessage(triple);
	return e->machine != NULL;
}

/* PTX 6.3 for capability 7.5: what every driver of CUDA 11 and later takes. */
bool target_open_device(struct emit *e)
{
	static const char triple[] = "nvptx64-nvidia-cuda";
	LLVMTargetRef target;
	char *message = NULL;

	LLVMInitializeAllTargetInfos();
	LLVMInitializeAllTargets();
	LLVMInitializeAllTargetMCs();
	LLVMInitializeAllAsmPrinters();
	e->device = true;
	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		LLVMDisposeMessage(message);
		return false;
	}
	e->machine = make_for(e, target, triple, "sm_75", "+ptx63");
	if (e->machine)
		set_layout(e, triple);
	return e->machine != NULL;
}

/* Kernels use the widest vectors there are; without the attribute LLVM prefers 256 bits
 * on processors that once slowed down under 512. It means nothing where there are none.
 */
void target_prepare_function(struct emit *e, LLVMValueRef function)
{
	LLVMAttributeRef width = LLVMCreateStringAttribute(
		e->context, "prefer-vector-width", 19, "512", 3);

	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, width);
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
				emit_attribute(e, "nounwind", 0));
}

bool target_optimise(struct emit *e)
{
	/* what looks for parallel work inside a point takes the square of its reads */
	static const char large[] =
		"always-inline,function(sroa,simplifycfg,early-cse,instcombine,"
		"loop-mssa(licm),inject-tli-mappings,loop-vectorize,early-cse,"
		"loop-mssa(licm),simplifycfg),globaldce";
	static const char *const pipeline[] = {
		"default<O0>",
		"default<O1>",
		"default<O2>",
		"default<O3>",
	};
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error;

	LLVMPassBuilderOptionsSetVerifyEach(options, e->options->verify);
	LLVMPassBuilderOptionsSetLoopVectorization(options, !e->device);
	LLVMPassBuilderOptionsSetLoopInterleaving(options, !e->device);
	LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
	LLVMPassBuilderOptionsSetSLPVectorization(options, !e->device);
	error = LLVMRunPasses(e->module, plan_has_large_kernel(e->plan) && e->options->level > 1
	                                         ? large
	                                         : pipeline[e->options->level],
	                      e->machine, options);
	LLVMDisposePassBuilderOptions(options);
	if (error) {
		char *message = LLVMGetErrorMessage(error);

		emit_fail(e, "LLVM: %s", message);
		LLVMDisposeErrorMessage(message);
		return false;
	}
	return !e->options->verify || emit_verify(e, "its passes");
}

static bool write_bytes(struct emit *e, const char *bytes, size_t n, FILE *out)
{
	if (fwrite(bytes, 1, n, out) == n)
		return true;
	diag_error(e->diag, DIAG_CANNOT_WRITE, (struct span){ 0 }, "cannot write: %s",
		   strerror(errno));
	return false;
}

static LLVMMemoryBufferRef make_code(struct emit *e, LLVMCodeGenFileType type)
{
	LLVMMemoryBufferRef buffer;
	char *message = NULL;

	if (!LLVMTargetMachineEmitToMemoryBuffer(e->machine, e->module, type, &message,
						 &buffer))
		return buffer;
	emit_fail(e, "LLVM: %s", message);
	LLVMDisposeMessage(message);
	return NULL;
}

const char *target_text(struct emit *e, struct arena *a)
{
	LLVMMemoryBufferRef buffer = make_code(e, LLVMAssemblyFile);
	const char *text;

	if (!buffer)
		return NULL;
	text = arena_strndup(a, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
	LLVMDisposeMemoryBuffer(buffer);
	return text;
}

LLVMMemoryBufferRef target_object(struct emit *e)
{
	return make_code(e, LLVMObjectFile);
}

static bool write_code(struct emit *e, LLVMCodeGenFileType type, FILE *out)
{
	LLVMMemoryBufferRef buffer = make_code(e, type);
	bool fine;

	if (!buffer)
		return false;
	fine = write_bytes(e, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), out);
	LLVMDisposeMemoryBuffer(buffer);
	return fine;
}

bool target_write(struct emit *e, enum backend_form form, FILE *out)
{
	char *text;
	bool fine;

	if (form != FORM_LLVM)
		return write_code(
			e, form == FORM_OBJECT ? LLVMObjectFile : LLVMAssemblyFile, out);
	text = LLVMPrintModuleToString(e->module);
	fine = write_bytes(e, text, strlen(text), out);
	LLVMDisposeMessage(text);
	return fine;
}
