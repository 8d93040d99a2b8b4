# man - the manual
dist_man_MANS += man/mpac.1 man/mpa-program.1 man/mpa.7 man/mpa.3
