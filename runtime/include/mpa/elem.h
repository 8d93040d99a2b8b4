/* mpa/elem.h - element types, and how many axes there are at most */
#ifndef MPA_ELEM_H
#define MPA_ELEM_H

enum { MPA_MAX_AXES = 6 };

/* As compiler/types/elem.def. */
enum mpa_elem { MPA_BOOL = 1, MPA_U8, MPA_I32, MPA_I64, MPA_F32, MPA_F64, MPA_C64, MPA_C128,
	        MPA_STR };

#endif
