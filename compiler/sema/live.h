/* compiler/sema/live.h - what the names at the prompt lead to */
#ifndef SEMA_LIVE_H
#define SEMA_LIVE_H

#include "sema/checker.h"

struct live { /* flags, by number */
	int n_vars, n_fields;
	bool *var, *field, *family;
};

struct live live_of(struct sema *s);

#endif
