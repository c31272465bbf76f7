/* Under a program (LD_PRELOAD): it dies of KILLER_SIGNAL in the middle of a
 * page that needs one of ICU's converters, as from a fault in the cleaner, or
 * (KILL) of the kernel's want of memory.  UTF-8 needs none. */
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
        signal(atoi(number), SIG_DFL);
        kill(getpid(), atoi(number));
        for (;;)
            pause();
    }
    return NULL;
}
