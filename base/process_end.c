/* process_end.c -- see process_end.h. */
#include "process_end.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

const char *
process_end(int status, char text[PROCESS_END_SIZE])
{
    if (WIFSIGNALED(status))
        snprintf(text, PROCESS_END_SIZE, "signal %d, %s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(text, PROCESS_END_SIZE, "exit status %d", WEXITSTATUS(status));
    return text;
}
