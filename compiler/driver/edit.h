/* driver/edit.h - lines that are edited, with history and completion */
#ifndef DRIVER_EDIT_H
#define DRIVER_EDIT_H

#include "driver/repl.h"

/* NULL: mpac was built without an editing library, or nobody is at a terminal. */
struct repl_editor *edit_open(void);

#endif
