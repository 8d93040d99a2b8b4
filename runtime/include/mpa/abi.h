/* mpa/abi.h - prototypes of what generated code calls; abi.def says what each does */
#ifndef MPA_ABI_H
#define MPA_ABI_H

#include "mpa/program.h"

/* exec/session.c */
int64_t mpa_param(struct mpa_session *s, void *value, int64_t parameter);
int64_t *mpa_args(struct mpa_session *s);
void mpa_backend(struct mpa_session *s, const char *where, const char *name);
double mpa_clock(struct mpa_session *s);
int64_t mpa_checking(struct mpa_session *s);
_Noreturn void mpa_exit(struct mpa_session *s, int64_t status);
int64_t mpa_draw(struct mpa_session *s);
int64_t mpa_seed(struct mpa_session *s);
double mpa_random_scalar(struct mpa_session *s, int64_t key);
double mpa_normal_scalar(struct mpa_session *s, int64_t key);

/* exec/host.c */
void *mpa_cells(struct mpa_session *s, int64_t kind, int64_t n);
void mpa_turn(struct mpa_session *s, const char *where);

/* exec/trace.c */
void mpa_progress(struct mpa_session *s, const char *where, int64_t left, int64_t turns);

/* exec/grids.c */
void mpa_axis_define(struct mpa_session *s, const char *where, int64_t axis, int64_t size,
		     double lo, double hi);
void mpa_axis_slice(struct mpa_session *s, const char *where, int64_t axis, int64_t size,
		    int64_t start);
void mpa_axis_cuts(struct mpa_session *s, const char *where, int64_t axis, int64_t n,
		   const int64_t *starts);
void mpa_axis_balance(struct mpa_session *s, const char *where, int64_t axis,
		      int64_t array);
void mpa_family_define(struct mpa_session *s, const char *where, int64_t family,
		       const int64_t *procs);

/* exec/arrays.c */
void mpa_array_begin(struct mpa_session *s, const char *where, int64_t array);
void mpa_array_swap(struct mpa_session *s, int64_t a, int64_t b);

/* exec/run.c, exec/reduce.c, exec/elements.c */
void mpa_run(struct mpa_session *s, int64_t run);
int64_t mpa_result_i(struct mpa_session *s, int64_t run, int64_t result);
double mpa_result_d(struct mpa_session *s, int64_t run, int64_t result);
void mpa_result_c(struct mpa_session *s, int64_t run, int64_t result, void *value);
int64_t mpa_element_i(struct mpa_session *s, const char *where, int64_t array,
		      const int64_t *index);
double mpa_element_d(struct mpa_session *s, const char *where, int64_t array,
		     const int64_t *index);
void mpa_element_c(struct mpa_session *s, const char *where, int64_t array,
		   const int64_t *index, void *value);

/* exec/fold.c */
void mpa_fold(struct mpa_session *s, const char *where, int64_t to, int64_t from,
	      int64_t axes, int64_t reduction);

/* exec/copy.c */
void mpa_copy(struct mpa_session *s, const char *where, int64_t copy);

/* exec/text.c, exec/shown.c */
void mpa_out_begin(struct mpa_session *s);
void mpa_out_text(struct mpa_session *s, const char *text);
void mpa_out_i(struct mpa_session *s, int64_t value, const char *format);
void mpa_out_b(struct mpa_session *s, int64_t value, const char *format);
void mpa_out_d(struct mpa_session *s, double value, const char *format);
void mpa_out_f(struct mpa_session *s, double value, const char *format);
void mpa_out_c(struct mpa_session *s, double re, double im, int64_t narrow,
	       const char *format);
void mpa_out_s(struct mpa_session *s, const char *text, const char *format);
void mpa_out_array(struct mpa_session *s, int64_t array);
void mpa_out_print(struct mpa_session *s, const char *where);
const char *mpa_out_take(struct mpa_session *s);
void mpa_out_fail(struct mpa_session *s, const char *where);
int64_t mpa_text_equal(const char *a, const char *b);

/* exec/local.c */
int64_t mpa_ranks(struct mpa_session *s);
void mpa_local_begin(struct mpa_session *s);
int64_t mpa_rank(struct mpa_session *s);
int64_t mpa_bound(struct mpa_session *s, int64_t grid, int64_t axis, int64_t side);
void mpa_local_exit(struct mpa_session *s, int64_t status);
void mpa_local_fail(struct mpa_session *s, const char *where);
void mpa_local_end(struct mpa_session *s);

/* exec/files.c */
void mpa_file_begin(struct mpa_session *s);
void mpa_file_array(struct mpa_session *s, const char *name, int64_t array);
void mpa_file_axis(struct mpa_session *s, int64_t axis, double first, double step);
void mpa_file_i(struct mpa_session *s, const char *name, int64_t elem, int64_t value);
void mpa_file_d(struct mpa_session *s, const char *name, int64_t elem, double value);
void mpa_file_c(struct mpa_session *s, const char *name, int64_t elem, double re, double im);
void mpa_file_s(struct mpa_session *s, const char *name, const char *value);
void mpa_save(struct mpa_session *s, const char *where, const char *file);
void mpa_plot(struct mpa_session *s, const char *where, const char *file);
void mpa_load(struct mpa_session *s, const char *where, const char *file, int64_t only);
int64_t mpa_loaded_i(struct mpa_session *s, int64_t item);
double mpa_loaded_d(struct mpa_session *s, int64_t item);
void mpa_loaded_c(struct mpa_session *s, int64_t item, double *parts);
const char *mpa_loaded_s(struct mpa_session *s, int64_t item);
int64_t mpa_shape(struct mpa_session *s, const char *where, const char *file,
		  const char *name, int64_t axis);
int64_t mpa_exists(struct mpa_session *s, const char *file);

#endif
