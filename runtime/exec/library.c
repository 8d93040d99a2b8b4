/* exec/library.c - programs inside a process of others; see mpa/mpa.h
 *
 * A session whose failures come back as answers. Whatever is decided from the arguments
 * of a call is decided alike on every rank, as all make the same calls. */
#include <fenv.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "exec/library.h"

int library_refuse(struct mpa *p, const char *format, ...)
{
	char text[FAULT_TEXT];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	fault_clear(&p->told);
	fault_set(&p->told, MPA_ARGUMENT, "%s: error: %s", p->session.program->name, text);
	return MPA_WRONG;
}

/* The session is the first member. */
static struct mpa *mpa_of(struct mpa_session *s)
{
	return (struct mpa *)s;
}

int library_do(struct mpa *p, void (*fn)(struct mpa_session *s))
{
	enum session_end end;
	fenv_t of_caller;
	int status;

	fault_clear(&p->told);
	fegetenv(&of_caller); /* which may flush subnormals, or round otherwise */
	fesetenv(FE_DFL_ENV);
	end = session_try(&p->session, fn, &status);
	fesetenv(&of_caller);
	switch (end) {
	case SESSION_DONE:
		return MPA_FINE;
	case SESSION_EXITED:
		p->exit_status = status;
		return MPA_EXITED;
	default:
		return MPA_FAILED;
	}
}

/* ---- the life of a program ------------------------------------------------- */

static void start(struct mpa_session *s)
{
	session_backend(s, NULL);
	session_start(s);
}

static int open_comm(struct mpa *p, const struct mpa_start *how)
{
	struct comm_given given = { how->comm, how->has_fortran_comm != 0,
				    how->fortran_comm };
	struct comm_options options = { .fault = &p->session.fault,
					.plugin_dir = p->session.program->runtime_dir,
					.guest = &given };

	if (comm_open(&options, &p->session.comm) == MPA_OK)
		return MPA_FINE;
	library_refuse(p, "%s", p->session.fault.text);
	return MPA_FAILED;
}

static int open_options(struct mpa *p, const struct mpa_start *how)
{
	struct fault usage = { .status = MPA_OK };

	command_parse(&p->session.options, p->session.program, how->argc,
		      (char **)(uintptr_t)how->argv, &usage);
	if (usage.status == MPA_OK)
		return MPA_FINE;
	return library_refuse(p, "%s", usage.text);
}

static struct mpa_field *open_fields(struct mpa *p)
{
	const struct mpa_program *program = p->session.program;
	struct mpa_field *field = mem_new((size_t)(program->n_fields + 1) * sizeof *field);

	for (int64_t i = 0; field && i < program->n_fields; i++)
		field[i] = (struct mpa_field){ p, program->field[i].array };
	return field;
}

int32_t mpa_open(struct mpa **out, const struct mpa_program *program,
		 const struct mpa_start *start_how)
{
	static const struct mpa_start nothing = { .argc = 0 };
	const struct mpa_start *how = start_how ? start_how : &nothing;
	struct mpa *p = *out = mem_new(sizeof *p);
	int answer;

	if (!p)
		return MPA_FAILED;
	p->session.program = program;
	p->session.told = &p->told;
	p->field = open_fields(p);
	if (!p->field) {
		mem_free(p);
		*out = NULL;
		return MPA_FAILED;
	}
	answer = open_options(p, how);
	if (answer == MPA_FINE)
		answer = open_comm(p, how);
	if (answer == MPA_FINE && session_informs(&p->session))
		answer = MPA_EXITED;
	if (answer == MPA_FINE)
		answer = library_do(p, start);
	if (answer != MPA_FINE)
		p->life = LIFE_ENDED;
	return answer;
}

static void body(struct mpa_session *s)
{
	s->program->body(s);
}

int mpa_execute(struct mpa *p)
{
	int answer;

	if (p->life != LIFE_OPEN)
		return library_refuse(p, p->life == LIFE_READY
						 ? "the program has been executed already"
						 : "the program has ended");
	answer = library_do(p, body);
	p->life = answer == MPA_FINE ? LIFE_READY : LIFE_ENDED;
	output_flush();
	return answer;
}

static void end(struct mpa_session *s)
{
	if (s->options.profile)
		profile_print(s);
	trace_write(s);
}

int mpa_close(struct mpa *p)
{
	int answer = MPA_FINE;

	if (!p)
		return MPA_FINE;
	if (p->life == LIFE_READY)
		answer = library_do(p, end);
	output_flush();
	session_free(&p->session);
	comm_close(p->session.comm);
	offload_close(&p->session);
	mem_free(p->field);
	mem_free(p);
	return answer;
}

const char *mpa_error(const struct mpa *p)
{
	return p && p->told.status != MPA_OK ? p->told.text : "";
}

int mpa_exit_status(const struct mpa *p)
{
	return p->exit_status;
}

int mpa_my_rank(const struct mpa *p)
{
	return p->session.comm ? p->session.comm->rank : 0;
}

int mpa_count_ranks(const struct mpa *p)
{
	return p->session.comm ? p->session.comm->size : 1;
}

/* ---- exported functions ---------------------------------------------------- */

static void enter(struct mpa_session *s)
{
	struct mpa *p = mpa_of(s);

	p->entry->call(s, p->argument, p->result);
}

static struct mpa_field *field_given(const int64_t *argument)
{
	struct mpa_field *field;

	memcpy(&field, argument, sizeof field);
	return field;
}

static bool entry_fits(const struct mpa_export_info *x, const struct mpa_entry_info *e,
		       const int64_t *argument)
{
	int field = 0;

	for (int64_t i = 0; i < x->n_params; i++)
		if (!x->param[i] &&
		    field_given(&argument[i])->array != e->array[field++])
			return false;
	return true;
}

/* All fields are there, and the program's own. */
static int check_fields(struct mpa *p, const struct mpa_export_info *x,
			const int64_t *argument)
{
	for (int64_t i = 0; i < x->n_params; i++) {
		const struct mpa_field *f = x->param[i] ? NULL : field_given(&argument[i]);

		if (x->param[i])
			continue;
		if (!f)
			return library_refuse(p, "argument %d of %s is no field", (int)i + 1,
					      x->name);
		if (f->program != p)
			return library_refuse(p,
					      "argument %d of %s is a field of another program",
					      (int)i + 1, x->name);
	}
	return MPA_FINE;
}

static int refuse_choice(struct mpa *p, const struct mpa_export_info *x,
			 const int64_t *argument)
{
	char names[400] = "";
	size_t used = 0;

	for (int64_t i = 0; i < x->n_params && used < sizeof names; i++)
		if (!x->param[i])
			used += (size_t)snprintf(
				names + used, sizeof names - used, "%s%s", used ? ", " : "",
				mpa_field_name(field_given(&argument[i])));
	return library_refuse(p, "%s does not take %s", x->name, names);
}

int32_t mpa_call_export(struct mpa *p, int64_t which, const int64_t *argument,
			void *result)
{
	const struct mpa_export_info *x = &p->session.program->function[which];
	union mpa_value unwanted;
	int answer;

	if (p->life != LIFE_READY)
		return library_refuse(p, "%s is called, but the program %s", x->name,
				      p->life == LIFE_OPEN ? "was not executed"
							   : "has ended");
	answer = check_fields(p, x, argument);
	if (answer != MPA_FINE)
		return answer;
	p->entry = NULL;
	for (int64_t i = 0; i < x->n_entries && !p->entry; i++)
		if (entry_fits(x, &x->entry[i], argument))
			p->entry = &x->entry[i];
	if (!p->entry)
		return refuse_choice(p, x, argument);
	p->argument = argument;
	p->result = result ? result : &unwanted;
	return library_do(p, enter);
}

int mpa_call(struct mpa *p, const char *function, const union mpa_value *argument, int n,
	     union mpa_value *result)
{
	const struct mpa_program *program = p->session.program;
	int64_t which = 0;

	_Static_assert(sizeof *argument == sizeof(int64_t), "a value has 8 bytes");
	while (which < program->n_functions &&
	       strcmp(program->function[which].name, function) != 0)
		which++;
	if (which == program->n_functions)
		return library_refuse(p, "there is no exported function %s", function);
	if (program->function[which].n_params != n)
		return library_refuse(p, "%s takes %d argument%s, not %d", function,
				      (int)program->function[which].n_params,
				      program->function[which].n_params == 1 ? "" : "s", n);
	return mpa_call_export(p, which, (const int64_t *)argument, result);
}

/* ---- fields ---------------------------------------------------------------- */

static const struct mpa_array_info *info_of(const struct mpa_field *f)
{
	return &f->program->session.program->array[f->array];
}

static const struct mpa_grid_info *grid_of(const struct mpa_field *f)
{
	return &f->program->session.program->grid[info_of(f)->grid];
}

int mpa_count_fields(const struct mpa *p)
{
	return (int)p->session.program->n_fields;
}

struct mpa_field *mpa_nth_field(struct mpa *p, int n)
{
	return n >= 0 && n < mpa_count_fields(p) ? &p->field[n] : NULL;
}

struct mpa_field *mpa_find_field(struct mpa *p, const char *name)
{
	for (int i = 0; i < mpa_count_fields(p); i++)
		if (strcmp(p->session.program->field[i].name, name) == 0)
			return &p->field[i];
	library_refuse(p, "there is no field %s", name);
	return NULL;
}

const char *mpa_field_name(const struct mpa_field *f)
{
	return info_of(f)->name;
}

enum mpa_elem mpa_field_elem(const struct mpa_field *f)
{
	return (enum mpa_elem)info_of(f)->elem;
}

int mpa_field_bytes(const struct mpa_field *f)
{
	return (int)array_elem_bytes(info_of(f)->elem);
}

int mpa_field_axes(const struct mpa_field *f)
{
	return (int)grid_of(f)->n_axes;
}

const char *mpa_field_axis(const struct mpa_field *f, int axis)
{
	if (axis < 0 || axis >= mpa_field_axes(f))
		return NULL;
	return f->program->session.program->axis[grid_of(f)->axis[axis]].name;
}

struct array_state *library_array(struct mpa_field *f)
{
	struct mpa *p = f->program;
	struct array_state *a = &p->session.array[f->array];

	if (p->life == LIFE_READY && a->layout)
		return a;
	library_refuse(p, "%s has no values: the program %s", mpa_field_name(f),
		       p->life == LIFE_OPEN    ? "was not executed"
		       : p->life == LIFE_READY ? "did not come to its declaration"
					       : "has ended");
	return NULL;
}

int mpa_field_shape(struct mpa_field *f, int64_t *shape)
{
	const struct array_state *a = library_array(f);

	for (int i = 0; a && i < a->layout->naxes; i++)
		shape[i] = a->layout->axis[i].size;
	return a ? MPA_FINE : MPA_WRONG;
}

int mpa_field_bounds(struct mpa_field *f, int64_t *lo, int64_t *hi)
{
	const struct array_state *a = library_array(f);
	struct box own;

	if (!a)
		return MPA_WRONG;
	own = layout_block(a->layout, f->program->session.comm->rank);
	for (int i = 0; i < own.naxes; i++) {
		lo[i] = own.lo[i];
		hi[i] = own.hi[i];
	}
	return MPA_FINE;
}

int mpa_field_block(struct mpa_field *f, void **data, int64_t *stride)
{
	struct array_state *a = library_array(f);

	if (!a)
		return MPA_WRONG;
	*data = box_empty(&a->now.own) ? NULL
				       : array_at(array_write(&f->program->session, a),
						  a->now.own.lo);
	for (int i = 0; i < a->layout->naxes; i++)
		stride[i] = a->now.stride[i];
	return MPA_FINE;
}

int mpa_field_changed(struct mpa_field *f)
{
	struct array_state *a = library_array(f);

	if (!a)
		return MPA_WRONG;
	array_changed(a);
	return MPA_FINE;
}
