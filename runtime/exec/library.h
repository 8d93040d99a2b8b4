/* exec/library.h - a program inside a process of others: what struct mpa holds */
#ifndef MPA_EXEC_LIBRARY_H
#define MPA_EXEC_LIBRARY_H

#include "exec/exec.h"
#include "mpa/mpa.h"

enum life { LIFE_OPEN, LIFE_READY, LIFE_ENDED }; /* READY: was executed */

struct mpa_field {
	struct mpa *program;
	int64_t array;
};

struct mpa {
	struct mpa_session session;
	struct fault told;
	enum life life;
	int exit_status;
	struct mpa_field *field; /* those that the program names */
	/* what is being done */
	const struct mpa_entry_info *entry;
	const int64_t *argument;
	void *result;
	struct mpa_field *moved;
	int root;
	void *all;
	struct message {
		void *data;
		int64_t bytes;
		int peer, tag;
		bool send;
	} message;
	const int64_t *stride; /* of memory that a block is copied from or to */
};

/* An answer that nothing was done, and why. */
int library_refuse(struct mpa *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Does fn in the session, and says how that ended. */
int library_do(struct mpa *p, void (*fn)(struct mpa_session *s));
/* The state of a field that has values; NULL: told. */
struct array_state *library_array(struct mpa_field *f);

/* What generated code calls: function `which` of the table, 8 bytes per argument. */
int32_t mpa_call_export(struct mpa *p, int64_t which, const int64_t *argument,
			void *result);
int32_t mpa_open(struct mpa **out, const struct mpa_program *program,
		 const struct mpa_start *start);

#endif
