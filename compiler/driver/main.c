/* compiler/driver/main.c - the program mpac
 *
 * takes: the command line   gives: an exit status (0 fine, 1 the program is
 * wrong, 2 the command line is wrong)
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("mpac %s\n", PACKAGE_VERSION);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		printf("usage: mpac [options] FILE.mpa\n");
		return 0;
	}
	fprintf(stderr, "usage: mpac [options] FILE.mpa\n");
	return 2;
}
