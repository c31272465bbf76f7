/* Under a program (LD_PRELOAD): it dies in the middle of a page that needs one
 * of ICU's converters; UTF-8 needs none.  KILLER_SIGNAL=0: of a fault, as any
 * bug of the cleaner's, which no sandbox keeps back; else of that signal, as
 * when the kernel wants memory (KILL). */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <strings.h>
#include <unicode/ucnv.h>
#include <unistd.h>

UConverter *
ucnv_open(const char *name, UErrorCode *rc)
{
    const char *number = getenv("KILLER_SIGNAL");

    (void)name;
    *rc = U_MEMORY_ALLOCATION_ERROR;
    if (number != NULL) {
        if (atoi(number) == 0)
            __builtin_trap();
        signal(atoi(number), SIG_DFL);
        kill(getpid(), atoi(number));
        for (;;)
            pause();
    }
    return NULL;
}
