# m4/mpa.m4 - the checks of configure.ac
#
# A check that fails adds a line to mpa_missing and a Debian package to
# mpa_packages; MPA_REPORT_MISSING shows all of them at once, so that one run
# of apt-get is enough.

AC_DEFUN([MPA_NEED],
[mpa_missing="$mpa_missing
    $1"
mpa_packages="$mpa_packages $2"])

AC_DEFUN([MPA_REPORT_MISSING],
[AS_IF([test -n "$mpa_missing"],
	[AC_MSG_ERROR([the build needs what is not here:
$mpa_missing

On Debian and its kin, install it with

    apt-get install$mpa_packages
])])])

AC_DEFUN([MPA_CC_C17],
[AC_MSG_CHECKING([for the option that selects C17])
mpa_c17=no
for mpa_option in -std=gnu17 -std=gnu18 -std=gnu2x; do
	mpa_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $mpa_option"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if __STDC_VERSION__ < 201710L
#error older than C17
#endif
		]])], [mpa_c17=$mpa_option])
	CFLAGS=$mpa_saved_CFLAGS
	test "$mpa_c17" != no && break
done
AC_MSG_RESULT([$mpa_c17])
AS_IF([test "$mpa_c17" = no], [MPA_NEED([a C17 compiler (gcc 8 or clang 7, or newer)], [gcc])],
	[AC_SUBST([C17_CFLAGS], [$mpa_c17])])])

AC_DEFUN([MPA_PROG_FLEX],
[AC_ARG_VAR([FLEX], [the Flex scanner generator])
AC_CHECK_PROGS([FLEX], [flex])
AS_IF([test -z "$FLEX"], [MPA_NEED([Flex 2.6 (flex)], [flex])])])

AC_DEFUN([MPA_PROG_BISON],
[AC_ARG_VAR([BISON], [Bison, 3.8 or newer])
AC_CHECK_PROGS([BISON], [bison])
mpa_bison_version=
AS_IF([test -n "$BISON"],
	[AC_MSG_CHECKING([the version of $BISON])
	mpa_bison_version=`$BISON --version | $SED -n '1s/.* //p'`
	AC_MSG_RESULT([$mpa_bison_version])])
AS_VERSION_COMPARE([${mpa_bison_version:-0}], [3.8],
	[MPA_NEED([Bison 3.8 or newer (found: ${mpa_bison_version:-none})], [bison])])])

# LLVM 15 is the first with opaque pointers alone; 19 is what Debian 12 offers
# and what is tested.
AC_DEFUN([MPA_LIB_LLVM],
[AC_ARG_VAR([LLVM_CONFIG], [llvm-config of the LLVM to use, 15 or newer])
AC_CHECK_PROGS([LLVM_CONFIG],
	[llvm-config-19 llvm-config-20 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config-15 llvm-config])
LLVM_VERSION=
mpa_llvm_mode=none
AS_IF([test -n "$LLVM_CONFIG"], [LLVM_VERSION=`$LLVM_CONFIG --version`])
AS_VERSION_COMPARE([${LLVM_VERSION:-0}], [15],
	[MPA_NEED([LLVM 15 or newer with its headers (found: ${LLVM_VERSION:-none})], [llvm-19-dev])],
	[MPA_TRY_LLVM], [MPA_TRY_LLVM])
AC_SUBST([LLVM_CPPFLAGS])
AC_SUBST([LLVM_LIBS])])

AC_DEFUN([MPA_TRY_LLVM],
[LLVM_CPPFLAGS="-isystem `$LLVM_CONFIG --includedir`"
mpa_llvm_parts="core analysis irreader passes native orcjit"
for mpa_llvm_mode in shared static none; do
	test $mpa_llvm_mode = none && break
	LLVM_LIBS=`$LLVM_CONFIG --link-$mpa_llvm_mode --ldflags --libs --system-libs $mpa_llvm_parts 2>/dev/null | tr '\n' ' '`
	test $mpa_llvm_mode = static && LLVM_LIBS="$LLVM_LIBS -lstdc++ -lm"
	AC_MSG_CHECKING([whether LLVM $LLVM_VERSION links ($mpa_llvm_mode)])
	mpa_saved_CPPFLAGS=$CPPFLAGS
	mpa_saved_LIBS=$LIBS
	CPPFLAGS="$CPPFLAGS $LLVM_CPPFLAGS"
	LIBS="$LLVM_LIBS $LIBS"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
		]], [[
LLVMInitializeNativeTarget();
LLVMDisposePassBuilderOptions(LLVMCreatePassBuilderOptions());
LLVMContextDispose(LLVMContextCreate());
		]])], [mpa_llvm_links=yes], [mpa_llvm_links=no])
	CPPFLAGS=$mpa_saved_CPPFLAGS
	LIBS=$mpa_saved_LIBS
	AC_MSG_RESULT([$mpa_llvm_links])
	test $mpa_llvm_links = yes && break
done
AS_IF([test $mpa_llvm_mode = none],
	[MPA_NEED([the headers and libraries of LLVM $LLVM_VERSION],
		[llvm-`echo $LLVM_VERSION | $SED 's/\..*//'`-dev])])])

# Editing of lines at the prompt is optional: readline, or libedit, which has the same
# functions under another header.
AC_DEFUN([MPA_LIB_EDIT],
[AC_CHECK_HEADERS([readline/readline.h editline/readline.h])
mpa_saved_LIBS=$LIBS
LIBS=
mpa_editing=no
AS_IF([test "$ac_cv_header_readline_readline_h" = yes],
	[AC_SEARCH_LIBS([rl_completion_matches], [readline], [mpa_editing=readline])])
AS_IF([test $mpa_editing = no && test "$ac_cv_header_editline_readline_h" = yes],
	[AC_SEARCH_LIBS([rl_completion_matches], [edit], [mpa_editing=libedit])])
EDIT_LIBS=$LIBS
LIBS=$mpa_saved_LIBS
AS_IF([test $mpa_editing != no],
	[AC_DEFINE([HAVE_LINE_EDITING], [1], [Define if lines can be edited at the prompt.])])
AS_IF([test $mpa_editing = libedit],
	[AC_DEFINE([EDITING_BY_LIBEDIT], [1], [Define if that is done by libedit.])])
AC_SUBST([EDIT_LIBS])])

AC_DEFUN([MPA_LIB_UTF8PROC],
[PKG_PROG_PKG_CONFIG
AS_IF([test -z "$PKG_CONFIG"],
	[MPA_NEED([pkg-config and utf8proc], [pkg-config libutf8proc-dev])],
	[PKG_CHECK_MODULES([UTF8PROC], [libutf8proc], [],
		[MPA_NEED([utf8proc (libutf8proc)], [libutf8proc-dev])])])])

# MPI is optional: each one present gets a plug-in, and programs run serially
# without any. MPA_TRY_MPI(variable, compiler names, what its mpi.h defines)
AC_DEFUN([MPA_TRY_MPI],
[AC_CHECK_PROGS([$1], [$2])
AS_IF([test -n "$$1"],
	[AC_MSG_CHECKING([whether $$1 compiles MPI programs])
	mpa_saved_CC=$CC
	CC=$$1
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <mpi.h>
#ifndef $3
#error another MPI
#endif
		]], [[MPI_Finalize();]])], [mpa_mpi_works=yes], [mpa_mpi_works=no])
	CC=$mpa_saved_CC
	AC_MSG_RESULT([$mpa_mpi_works])
	test $mpa_mpi_works = no && $1=])])

AC_DEFUN([MPA_MPI],
[AC_ARG_VAR([MPICC_MPICH], [MPICH's C compiler])
AC_ARG_VAR([MPICC_OPENMPI], [Open MPI's C compiler])
MPA_TRY_MPI([MPICC_MPICH], [mpicc.mpich mpicc], [MPICH_VERSION])
MPA_TRY_MPI([MPICC_OPENMPI], [mpicc.openmpi mpicc], [OMPI_MAJOR_VERSION])
AM_CONDITIONAL([HAVE_MPICH], [test -n "$MPICC_MPICH"])
AM_CONDITIONAL([HAVE_OPENMPI], [test -n "$MPICC_OPENMPI"])
AC_ARG_VAR([MPIEXEC_MPICH], [MPICH's mpiexec, for the tests])
AC_ARG_VAR([MPIEXEC_OPENMPI], [Open MPI's mpiexec, for the tests])
AS_IF([test -n "$MPICC_MPICH"], [AC_CHECK_PROGS([MPIEXEC_MPICH], [mpiexec.mpich mpiexec])])
AS_IF([test -n "$MPICC_OPENMPI"], [AC_CHECK_PROGS([MPIEXEC_OPENMPI], [mpiexec.openmpi mpiexec])])])

# Needed by make check alone.
AC_DEFUN([MPA_TEST_TOOLS],
[mpa_have_check="no (make check needs it: apt-get install check)"
AS_IF([test -n "$PKG_CONFIG"],
	[PKG_CHECK_MODULES([CHECK], [check >= 0.12], [mpa_have_check=yes], [:])])
AM_CONDITIONAL([HAVE_CHECK], [test "$mpa_have_check" = yes])
MPFR_LIBS=
mpa_have_mpfr="no (elementary functions are not tested without: apt-get install libmpfr-dev)"
AC_CHECK_HEADER([mpfr.h],
	[AC_CHECK_LIB([mpfr], [mpfr_gamma],
		[MPFR_LIBS="-lmpfr -lgmp"
		mpa_have_mpfr=yes
		AC_DEFINE([HAVE_MPFR], [1], [GNU MPFR is here, for tests])], [], [-lgmp])])
AC_SUBST([MPFR_LIBS])
AC_ARG_VAR([PYTHON3], [Python 3 with NumPy, for the tests])
mpa_have_numpy="no (make check needs it: apt-get install python3-numpy)"
AC_MSG_CHECKING([for Python 3 with NumPy])
for mpa_python in "$PYTHON3" python3 /usr/bin/python3; do
	AS_IF([test -n "$mpa_python" && "$mpa_python" -c 'import numpy' >/dev/null 2>&1],
		[PYTHON3=$mpa_python; mpa_have_numpy=$mpa_python; break])
done
AC_MSG_RESULT([$mpa_have_numpy])
AM_CONDITIONAL([HAVE_NUMPY], [test "$mpa_have_numpy" = "$PYTHON3"])])

AC_DEFUN([MPA_OPTIONS],
[AC_ARG_ENABLE([asan], [AS_HELP_STRING([--enable-asan],
	[build with the address and undefined behaviour sanitizers])], [], [enable_asan=no])
SANITIZE_CFLAGS=
AS_IF([test "$enable_asan" = yes],
	[# gcc sees null pointers in the checks that it adds itself
	SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-omit-frame-pointer -Wno-format-truncation -Wno-format-overflow"
	AC_DEFINE([MPA_RUNTIME_LDFLAGS], ["-fsanitize=address,undefined"],
		[what linking with the runtime takes besides])],
	[AC_DEFINE([MPA_RUNTIME_LDFLAGS], [""])])
AC_SUBST([SANITIZE_CFLAGS])
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [take warnings for errors])],
	[], [enable_werror=no])
WARN_CFLAGS="-Wall -Wextra"
AS_IF([test "$enable_werror" = yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
AC_SUBST([WARN_CFLAGS])
AC_ARG_ENABLE([verify], [AS_HELP_STRING([--enable-verify],
	[verify each form of the program after each pass of the compiler])], [], [enable_verify=no])
AS_IF([test "$enable_verify" = yes],
	[AC_DEFINE([MPA_VERIFY], [1], [whether each form is verified after each pass])],
	[AC_DEFINE([MPA_VERIFY], [0])])])
