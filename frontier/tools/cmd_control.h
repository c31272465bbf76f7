/* cmd_control.h -- winnow frontier --pause, --resume, --delete, --rules. */
#ifndef FRONTIER_CMD_CONTROL_H
#define FRONTIER_CMD_CONTROL_H

#include "winnow/command.h"

/* Was one of the flags given? */
bool control_wanted(const struct invocation *in);

/* `where`: a service's URL, or the folder of a store.  The exit code. */
int control_run(const struct invocation *in, const char *where);

#endif
