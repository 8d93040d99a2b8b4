/* tests/fake_nvrtc.c - a library that says it is some NVRTC, and compiles nothing
 *
 * -DMAJOR=, -DMINOR=: its version; -DKNOWN=75,80: architectures; -DLACKS_TARGETS: it is of
 * before 11.2. Each compilation fails, with a log as NVRTC writes them.
 */
#include <string.h>

int nvrtcVersion(int *major, int *minor)
{
	*major = MAJOR;
	*minor = MINOR;
	return 0;
}

#ifndef LACKS_TARGETS
static const int known[] = { KNOWN };

int nvrtcGetNumSupportedArchs(int *count)
{
	*count = sizeof known / sizeof *known;
	return 0;
}

int nvrtcGetSupportedArchs(int *architecture)
{
	memcpy(architecture, known, sizeof known);
	return 0;
}
#endif

static const char text[] = "heat.mpa(2): warning #177-D: variable \"i\" was declared\n"
			   "  int i;\n      ^\n\n"
			   "heat.mpa(3): error: identifier \"nothing\" is undefined\n"
			   "  u[i] = nothing;\n         ^\n\n"
			   "1 error detected in the compilation of \"kernels.cu\".\n";

int nvrtcCreateProgram(void **program)
{
	*program = (void *)text;
	return 0;
}

int nvrtcDestroyProgram(void **program)
{
	*program = NULL;
	return 0;
}

int nvrtcCompileProgram(void)
{
	return 6; /* NVRTC_ERROR_COMPILATION */
}

int nvrtcGetProgramLogSize(void *program, size_t *size)
{
	*size = program == text ? sizeof text : 0;
	return 0;
}

int nvrtcGetProgramLog(void *program, char *log)
{
	memcpy(log, program, sizeof text);
	return 0;
}

int nvrtcGetPTXSize(void)
{
	return 1;
}

int nvrtcGetPTX(void)
{
	return 1;
}

int nvrtcGetCUBINSize(void)
{
	return 1;
}

int nvrtcGetCUBIN(void)
{
	return 1;
}
