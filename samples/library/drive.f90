! drive.f90 - steps of plate.mpa from Fortran
!
!     mpac --emit=shared plate.mpa -o libplate.so
!     gfortran drive.f90 -o drive -L. -lplate -Wl,-rpath,.
!     ./drive                    or: mpiexec -n 4 ./drive
program drive
  use, intrinsic :: iso_c_binding
  implicit none

  ! What plate.h and mpa/mpa.h declare, as far as it is used here.
  interface
     integer(c_int) function plate_open(plate, start) bind(c)
       import; type(c_ptr), intent(out) :: plate; type(c_ptr), value :: start
     end function
     integer(c_int) function plate_advance(plate, q, s, dt, change) bind(c)
       import; type(c_ptr), value :: plate, q, s
       real(c_double), value :: dt; real(c_double), intent(out) :: change
     end function
     integer(c_int) function plate_total(plate, q, total) bind(c)
       import; type(c_ptr), value :: plate, q; real(c_double), intent(out) :: total
     end function
     integer(c_int) function mpa_execute(plate) bind(c)
       import; type(c_ptr), value :: plate
     end function
     integer(c_int) function mpa_close(plate) bind(c)
       import; type(c_ptr), value :: plate
     end function
     integer(c_int) function mpa_my_rank(plate) bind(c)
       import; type(c_ptr), value :: plate
     end function
     type(c_ptr) function mpa_find_field(plate, name) bind(c)
       import; type(c_ptr), value :: plate; character(c_char), intent(in) :: name(*)
     end function
     integer(c_int) function mpa_field_shape(field, shape) bind(c)
       import; type(c_ptr), value :: field; integer(c_int64_t), intent(out) :: shape(*)
     end function
     integer(c_int) function mpa_gather(field, root, to) bind(c)
       import; type(c_ptr), value :: field; integer(c_int), value :: root
       real(c_double), intent(out) :: to(*)
     end function
     integer(c_int) function mpa_scatter(field, root, from) bind(c)
       import; type(c_ptr), value :: field; integer(c_int), value :: root
       real(c_double), intent(in) :: from(*)
     end function
  end interface

  type(c_ptr) :: plate, u, source
  integer(c_int64_t) :: shape(2)
  real(c_double), allocatable :: all(:, :)
  real(c_double) :: change, heat, given, dt
  integer :: i, j, t

  call must(plate_open(plate, c_null_ptr))
  call must(mpa_execute(plate))
  u = mpa_find_field(plate, "u" // c_null_char)
  source = mpa_find_field(plate, "source" // c_null_char)
  call must(mpa_field_shape(u, shape))

  ! mpa has the last axis contiguous, Fortran the first: all(y, x). Every rank has it all.
  allocate (all(shape(2), shape(1)))
  do i = 1, int(shape(1))
     do j = 1, int(shape(2))
        all(j, i) = merge(1, 0, ((i - 0.5d0) / shape(1) - 0.3d0)**2 + &
             ((j - 0.5d0) / shape(2) - 0.6d0)**2 < 0.01d0)
     end do
  end do
  call must(mpa_scatter(source, 0, all))

  dt = 0.2d0 / shape(1)**2
  do t = 1, 100
     call must(plate_advance(plate, u, source, dt, change))
  end do
  call must(plate_total(plate, u, heat))
  call must(plate_total(plate, source, given))
  call must(mpa_gather(u, 0, all))
  if (mpa_my_rank(plate) == 0) then
     print '(a, f11.9, a, f11.9, a, f11.9)', "heat ", heat, " of ", given * dt * 100, &
          ", peak ", maxval(all)
  end if
  call must(mpa_close(plate))

contains
  subroutine must(answer)
    integer(c_int), intent(in) :: answer
    if (answer /= 0) error stop "a call failed"
  end subroutine
end program
