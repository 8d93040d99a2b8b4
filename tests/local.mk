# tests - everything make check runs; see Makefile.am for how unit tests are added
#
#     make check TESTS=tests/cases/heat_box.mpa     one program
#     make check-unit, make check-cases             a part
#     make check-verify                             programs and samples by mpac verify
#     make check-gpu                                all that runs on GPUs, on the one here
#     make check-large                              sizes past 2^31; wants memory and time
#
# Lists have one name a line, sorted; code_rules.sh checks that none is missing.

cases = \
	tests/cases/added_axes.mpa \
	tests/cases/along_axes.mpa \
	tests/cases/along_axes_nan.mpa \
	tests/cases/along_axes_none.mpa \
	tests/cases/along_axes_whole.mpa \
	tests/cases/along_cut_axes.mpa \
	tests/cases/anonymous_arrays.mpa \
	tests/cases/arrays_meet.mpa \
	tests/cases/arrays_of_two_shapes.mpa \
	tests/cases/assert_fails.mpa \
	tests/cases/bits_of_numpy.mpa \
	tests/cases/border.mpa \
	tests/cases/boundary_in_function.mpa \
	tests/cases/boundary_of_let.mpa \
	tests/cases/box_sum.mpa \
	tests/cases/box_sum_walls.mpa \
	tests/cases/cahn_hilliard.mpa \
	tests/cases/cavity.mpa \
	tests/cases/chained_shifts.mpa \
	tests/cases/complex_along_axes.mpa \
	tests/cases/complex_fields.mpa \
	tests/cases/complex_files.mpa \
	tests/cases/complex_functions.mpa \
	tests/cases/complex_h5.mpa \
	tests/cases/complex_params.mpa \
	tests/cases/complex_scalars.mpa \
	tests/cases/components_alone.mpa \
	tests/cases/corners.mpa \
	tests/cases/count_without_field.mpa \
	tests/cases/coupled_fields.mpa \
	tests/cases/cuts.mpa \
	tests/cases/cuts_and_procs.mpa \
	tests/cases/cuts_balanced.mpa \
	tests/cases/cuts_cost.mpa \
	tests/cases/cuts_rise.mpa \
	tests/cases/derivative8.mpa \
	tests/cases/derivative8_periodic.mpa \
	tests/cases/draws_of_philox.mpa \
	tests/cases/edge_arithmetic.mpa \
	tests/cases/element_to_element.mpa \
	tests/cases/elementwise.mpa \
	tests/cases/every_and_ranges.mpa \
	tests/cases/exit_status.mpa \
	tests/cases/extern_library.mpa \
	tests/cases/extreme_sums.mpa \
	tests/cases/faces.mpa \
	tests/cases/faces_folds.mpa \
	tests/cases/faces_periodic.mpa \
	tests/cases/faces_places.mpa \
	tests/cases/faces_shorter.mpa \
	tests/cases/faces_slices.mpa \
	tests/cases/far_corner.mpa \
	tests/cases/fast.mpa \
	tests/cases/files_of_slices.mpa \
	tests/cases/functions.mpa \
	tests/cases/functions_and_fields.mpa \
	tests/cases/gray_scott.mpa \
	tests/cases/grids.mpa \
	tests/cases/grids_in_functions.mpa \
	tests/cases/hdf5_read.mpa \
	tests/cases/hdf5_refused.mpa \
	tests/cases/hdf5_state.mpa \
	tests/cases/heat_box.mpa \
	tests/cases/heat_sine.mpa \
	tests/cases/heat_torus.mpa \
	tests/cases/heat_wall.mpa \
	tests/cases/huge_grid.mpa \
	tests/cases/import_files.mpa \
	tests/cases/integers.mpa \
	tests/cases/large_sums.mpa \
	tests/cases/lattice_boltzmann.mpa \
	tests/cases/let_on_grid.mpa \
	tests/cases/lets_keep_values.mpa \
	tests/cases/lib_advection.mpa \
	tests/cases/lib_differences.mpa \
	tests/cases/lib_multigrid.mpa \
	tests/cases/lib_multigrid_cells.mpa \
	tests/cases/lib_multigrid_cube.mpa \
	tests/cases/lib_solvers.mpa \
	tests/cases/lib_staggered.mpa \
	tests/cases/lib_statistics.mpa \
	tests/cases/lib_stepping.mpa \
	tests/cases/lib_walls.mpa \
	tests/cases/life_glider.mpa \
	tests/cases/list_check.mpa \
	tests/cases/list_check_fails.mpa \
	tests/cases/lists.mpa \
	tests/cases/load_any_ranks.mpa \
	tests/cases/load_complex.mpa \
	tests/cases/load_kind.mpa \
	tests/cases/load_missing.mpa \
	tests/cases/load_shape.mpa \
	tests/cases/load_widens.mpa \
	tests/cases/local_axes.mpa \
	tests/cases/local_axes_beyond.mpa \
	tests/cases/local_block.mpa \
	tests/cases/local_block_fails.mpa \
	tests/cases/long_extremes.mpa \
	tests/cases/long_sums.mpa \
	tests/cases/messages_folds.mpa \
	tests/cases/messages_many_fields.mpa \
	tests/cases/messages_many_reads.mpa \
	tests/cases/messages_none.mpa \
	tests/cases/messages_peers.mpa \
	tests/cases/mirror_beyond.mpa \
	tests/cases/mirrored_walls.mpa \
	tests/cases/moments.mpa \
	tests/cases/more_ranks_than_points.mpa \
	tests/cases/names_are_not_wrapped.mpa \
	tests/cases/nested_lets.mpa \
	tests/cases/not_a_number.mpa \
	tests/cases/option_file.mpa \
	tests/cases/option_unknown.mpa \
	tests/cases/option_value.mpa \
	tests/cases/parameters.mpa \
	tests/cases/periodic_weights.mpa \
	tests/cases/plot.mpa \
	tests/cases/positions.mpa \
	tests/cases/prelude.mpa \
	tests/cases/print_complex.mpa \
	tests/cases/print_field.mpa \
	tests/cases/print_formats.mpa \
	tests/cases/printed_digits.mpa \
	tests/cases/procs_of_none.mpa \
	tests/cases/program_help.mpa \
	tests/cases/random_draws.mpa \
	tests/cases/random_quadrants.mpa \
	tests/cases/read_of_the_written.mpa \
	tests/cases/reductions.mpa \
	tests/cases/reflect_one_point.mpa \
	tests/cases/region_3d.mpa \
	tests/cases/region_centre.mpa \
	tests/cases/remainders.mpa \
	tests/cases/scans.mpa \
	tests/cases/scatter.mpa \
	tests/cases/second_derivative_orders.mpa \
	tests/cases/slices.mpa \
	tests/cases/slices_as_targets.mpa \
	tests/cases/slices_backwards.mpa \
	tests/cases/slices_everywhere.mpa \
	tests/cases/slices_grids.mpa \
	tests/cases/slices_parts.mpa \
	tests/cases/slices_programs.mpa \
	tests/cases/slices_stencils.mpa \
	tests/cases/subnormals.mpa \
	tests/cases/sum_exact.mpa \
	tests/cases/sum_single.mpa \
	tests/cases/swap_keeps_boundaries.mpa \
	tests/cases/ties.mpa \
	tests/cases/trig_large.mpa \
	tests/cases/two_points.mpa \
	tests/cases/types_of_results.mpa \
	tests/cases/uneven_blocks.mpa \
	tests/cases/uniform_control.mpa \
	tests/cases/vti.mpa \
	tests/cases/walls_computed.mpa \
	tests/cases/walls_in_time.mpa \
	tests/cases/walls_np_pad.mpa \
	tests/cases/walls_shifted.mpa \
	tests/cases/where_else.mpa \
	tests/cases/where_nested.mpa \
	tests/cases/wrap_more_than_once.mpa \
	tests/cases/zeros_of_integers.mpa
# what some of them have beside their .out
cases_more = \
	tests/cases/added_axes.py \
	tests/cases/along_axes.py \
	tests/cases/along_axes_nan.py \
	tests/cases/along_axes_none.stderr \
	tests/cases/along_axes_whole.py \
	tests/cases/along_cut_axes.py \
	tests/cases/anonymous_arrays.py \
	tests/cases/arrays_meet.py \
	tests/cases/arrays_of_two_shapes.stderr \
	tests/cases/assert_fails.stderr \
	tests/cases/bits_of_numpy.py \
	tests/cases/border.py \
	tests/cases/boundary_in_function.py \
	tests/cases/boundary_of_let.py \
	tests/cases/box_sum.py \
	tests/cases/cahn_hilliard.py \
	tests/cases/chained_shifts.py \
	tests/cases/complex_along_axes.py \
	tests/cases/complex_fields.py \
	tests/cases/complex_files.py \
	tests/cases/complex_functions.py \
	tests/cases/complex_params.py \
	tests/cases/corners.py \
	tests/cases/coupled_fields.py \
	tests/cases/cuts.py \
	tests/cases/cuts.stderr \
	tests/cases/cuts_and_procs.stderr \
	tests/cases/cuts_cost.stderr \
	tests/cases/cuts_rise.stderr \
	tests/cases/derivative8.py \
	tests/cases/derivative8_periodic.py \
	tests/cases/draws_of_philox.py \
	tests/cases/elementwise.py \
	tests/cases/extern_library.py \
	tests/cases/extreme_sums.py \
	tests/cases/faces.py \
	tests/cases/faces_shorter.py \
	tests/cases/faces_slices.py \
	tests/cases/far_corner.py \
	tests/cases/fast.py \
	tests/cases/files_of_slices.py \
	tests/cases/functions.py \
	tests/cases/functions_and_fields.py \
	tests/cases/gray_scott.py \
	tests/cases/grids.py \
	tests/cases/grids_in_functions.py \
	tests/cases/hdf5_read.py \
	tests/cases/hdf5_refused.py \
	tests/cases/hdf5_refused.stderr \
	tests/cases/hdf5_state.py \
	tests/cases/heat_box.py \
	tests/cases/heat_sine.py \
	tests/cases/heat_torus.py \
	tests/cases/heat_wall.py \
	tests/cases/huge_grid.stderr \
	tests/cases/import_pulse.mpa \
	tests/cases/integers.py \
	tests/cases/large_sums.py \
	tests/cases/lattice_boltzmann.py \
	tests/cases/lets_keep_values.py \
	tests/cases/lib_advection.py \
	tests/cases/lib_differences.py \
	tests/cases/lib_multigrid.py \
	tests/cases/lib_multigrid_cells.py \
	tests/cases/lib_multigrid_cube.py \
	tests/cases/lib_solvers.py \
	tests/cases/lib_staggered.py \
	tests/cases/lib_statistics.py \
	tests/cases/lib_stepping.py \
	tests/cases/lib_walls.py \
	tests/cases/life_glider.py \
	tests/cases/list_check_fails.stderr \
	tests/cases/load_any_ranks.py \
	tests/cases/load_complex.stderr \
	tests/cases/load_kind.py \
	tests/cases/load_kind.stderr \
	tests/cases/load_missing.stderr \
	tests/cases/load_shape.py \
	tests/cases/load_shape.stderr \
	tests/cases/load_widens.py \
	tests/cases/local_axes.py \
	tests/cases/local_block_fails.stderr \
	tests/cases/long_extremes.py \
	tests/cases/long_sums.py \
	tests/cases/messages_many_reads.py \
	tests/cases/messages_peers.py \
	tests/cases/mirror_beyond.stderr \
	tests/cases/moments.py \
	tests/cases/more_ranks_than_points.py \
	tests/cases/nested_lets.py \
	tests/cases/option_file.py \
	tests/cases/option_unknown.stderr \
	tests/cases/option_value.stderr \
	tests/cases/periodic_weights.py \
	tests/cases/plot.py \
	tests/cases/positions.py \
	tests/cases/prelude.py \
	tests/cases/print_complex.py \
	tests/cases/printed_digits.py \
	tests/cases/procs_of_none.stderr \
	tests/cases/random_draws.py \
	tests/cases/random_quadrants.py \
	tests/cases/read_of_the_written.py \
	tests/cases/reductions.py \
	tests/cases/region_3d.py \
	tests/cases/region_centre.py \
	tests/cases/remainders.py \
	tests/cases/scans.py \
	tests/cases/scatter.py \
	tests/cases/slices.py \
	tests/cases/slices_as_targets.py \
	tests/cases/slices_backwards.py \
	tests/cases/slices_everywhere.py \
	tests/cases/slices_grids.py \
	tests/cases/slices_programs.py \
	tests/cases/slices_stencils.py \
	tests/cases/subnormals.py \
	tests/cases/ties.py \
	tests/cases/trig_large.py \
	tests/cases/types_of_results.py \
	tests/cases/vti.py \
	tests/cases/walls_computed.py \
	tests/cases/walls_in_time.py \
	tests/cases/walls_np_pad.py \
	tests/cases/walls_shifted.py \
	tests/cases/where_nested.py \
	tests/cases/wrap_more_than_once.py
errors = \
	tests/errors/along_axes.mpa \
	tests/errors/arrays.mpa \
	tests/errors/arrays_as_fields.mpa \
	tests/errors/assign_members.mpa \
	tests/errors/assignments.mpa \
	tests/errors/axis_of_another.mpa \
	tests/errors/backend_word.mpa \
	tests/errors/bad_format.mpa \
	tests/errors/bad_grids.mpa \
	tests/errors/bad_target.mpa \
	tests/errors/boundaries.mpa \
	tests/errors/boundary_twice_removed.mpa \
	tests/errors/brace_line.mpa \
	tests/errors/complex.mpa \
	tests/errors/cuts.mpa \
	tests/errors/declared_twice.mpa \
	tests/errors/division_and_powers.mpa \
	tests/errors/endless_calls.mpa \
	tests/errors/exit_alone.mpa \
	tests/errors/export.mpa \
	tests/errors/extern.mpa \
	tests/errors/faces.mpa \
	tests/errors/formats.mpa \
	tests/errors/functions.mpa \
	tests/errors/habits.mpa \
	tests/errors/imports.mpa \
	tests/errors/integer_too_large.mpa \
	tests/errors/late_boundary.mpa \
	tests/errors/later.mpa \
	tests/errors/let_on_grid.mpa \
	tests/errors/library.mpa \
	tests/errors/load_targets.mpa \
	tests/errors/local_block.mpa \
	tests/errors/local_leaks.mpa \
	tests/errors/missing_operand.mpa \
	tests/errors/misspelt_keywords.mpa \
	tests/errors/misspelt_names.mpa \
	tests/errors/name_of_axis.mpa \
	tests/errors/narrowing.mpa \
	tests/errors/no_boundary.mpa \
	tests/errors/no_boundary_of_let.mpa \
	tests/errors/not_closed.mpa \
	tests/errors/not_constant.mpa \
	tests/errors/number_of_axes.mpa \
	tests/errors/oversights.mpa \
	tests/errors/plot.mpa \
	tests/errors/reads_in_region.mpa \
	tests/errors/reductions.mpa \
	tests/errors/save_and_load.mpa \
	tests/errors/scatter.mpa \
	tests/errors/selections.mpa \
	tests/errors/slices.mpa \
	tests/errors/slices_at_targets.mpa \
	tests/errors/slices_that_do_not_meet.mpa \
	tests/errors/statements.mpa \
	tests/errors/syntax.mpa \
	tests/errors/unicode.mpa \
	tests/errors/unrelated_grids.mpa \
	tests/errors/unused_value.mpa \
	tests/errors/used_before_defined.mpa \
	tests/errors/which_grid.mpa \
	tests/errors/wrong_types.mpa
scripts = \
	tests/c_backend.sh \
	tests/capi.sh \
	tests/code_rules.sh \
	tests/codegen.sh \
	tests/cuda_text.sh \
	tests/ptx_text.sh \
	tests/extern.sh \
	tests/forms.sh \
	tests/front.sh \
	tests/gpu.sh \
	tests/installed.sh \
	tests/launch.sh \
	tests/levels.sh \
	tests/library.sh \
	tests/local_block.sh \
	tests/man_examples.sh \
	tests/man_tables.sh \
	tests/nvrtc.sh \
	tests/obstacles.sh \
	tests/programs.sh \
	tests/restart.sh \
	tests/timeline.sh \
	tests/verify.sh

large_programs = \
	tests/large/bytes_of_ones.mpa \
	tests/large/bytes_past_2g.mpa \
	tests/large/count_93m.mpa \
	tests/large/files_past_2g.mpa \
	tests/large/message_past_2g.mpa \
	tests/large/points_past_2g.mpa
large = $(large_programs) tests/large/compile_time.sh

samples_tested = \
	tests/samples/advection \
	tests/samples/alloy \
	tests/samples/charges \
	tests/samples/checkpoint \
	tests/samples/convection \
	tests/samples/gray_scott \
	tests/samples/heat \
	tests/samples/ising \
	tests/samples/lattice_boltzmann \
	tests/samples/life \
	tests/samples/noise \
	tests/samples/poisson \
	tests/samples/sandpile \
	tests/samples/schroedinger \
	tests/samples/seismogram \
	tests/samples/shallow_water \
	tests/samples/shock_tube \
	tests/samples/spirals \
	tests/samples/tunnel \
	tests/samples/wave
fuzz = \
	tests/fuzz/declarations.py \
	tests/fuzz/evaluate.py \
	tests/fuzz/expressions.py \
	tests/fuzz/generate.py \
	tests/fuzz/model.py \
	tests/fuzz/parts.py \
	tests/fuzz/programs \
	tests/fuzz/reader.py \
	tests/fuzz/reduce.py \
	tests/fuzz/scalars.py \
	tests/fuzz/shrink.py \
	tests/fuzz/slices.py

EXTRA_DIST += tests/run-case tests/check-cuda tests/check-driver tests/fake_nvrtc.c tests/nvrtc.py tests/check-code tests/check-tables tests/check-man tests/check-library $(scripts) \
	tests/tap.sh \
	$(cases) $(cases:.mpa=.out) $(cases_more) \
	$(errors) $(errors:.mpa=.err) \
	$(large) $(large_programs:.mpa=.out) \
	$(samples_tested:=.terms) $(samples_tested:=.out) $(samples_tested:=.py) \
	tests/oracles/axes.py tests/oracles/exact.py tests/oracles/lattice.py tests/oracles/orders.py tests/oracles/poisson.py \
	tests/forms tests/verify/rank_order.c $(fuzz) .clang-format

TEST_EXTENSIONS = .mpa .sh
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
MPA_LOG_DRIVER = $(tap_driver)
MPA_LOG_COMPILER = $(PYTHON3) $(srcdir)/tests/run-case
SH_LOG_DRIVER = $(tap_driver)
SH_LOG_COMPILER = $(SHELL)

AM_TESTS_ENVIRONMENT = \
	MPAC='$(abs_builddir)/mpac'; \
	MPA_RUNTIME_DIR='$(abs_builddir)'; \
	MPIEXEC_MPICH='$(MPIEXEC_MPICH)'; \
	MPIEXEC_OPENMPI='$(MPIEXEC_OPENMPI)'; \
	PYTHON3='$(PYTHON3)'; srcdir='$(srcdir)'; \
	export MPAC MPA_RUNTIME_DIR MPIEXEC_MPICH MPIEXEC_OPENMPI PYTHON3 srcdir; \
	CK_TIMEOUT_MULTIPLIER=10; export CK_TIMEOUT_MULTIPLIER;

check_PROGRAMS += $(unit_tests) tests/fuzz/front
tests_fuzz_front_SOURCES = tests/fuzz/front.c tests/modules.h
TESTS += $(unit_tests) $(scripts) $(errors) $(cases) $(samples)
# the programs under test are built by tests that automake does not know to need it
check_DATA = $(bin_PROGRAMS) $(pkglib_LIBRARIES) $(pluginexec_DATA)

.PHONY: check-unit check-cases check-verify check-gpu check-large check-tools
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests) $(scripts) $(errors)'
check-cases:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(cases) $(samples)'
check-verify:
	CASE_VERIFY=yes $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(cases) $(samples)'
check-gpu:
	@if $(PYTHON3) -B $(srcdir)/tests/nvrtc.py; then \
		CASE_GPU=yes $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(gpu_tests) $(cases) $(samples)'; \
	else \
		echo 'SKIP: check-gpu: no GPU here (MPA_FAKE_CUDA=1 make check-gpu: on the emulated one)'; \
	fi
check-large:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(large)'

# without what the tests need there is no testing, and no pretending to
check-am: check-tools
check-tools:
if !HAVE_CHECK
	@echo 'make check needs the library Check: apt-get install check, then configure'; exit 1
endif
if !HAVE_NUMPY
	@echo 'make check needs Python 3 and NumPy: apt-get install python3-numpy, then configure'; exit 1
endif

EXTRA_DIST += tests/capi/calls.mpa tests/capi/calls.c tests/capi/wave.mpa tests/capi/guest.c
