/* memory.c -- see winnow/memory.h. */
#include "winnow/memory.h"

#include <stdio.h>
#include <stdlib.h>

void *
memory_need(void *p)
{
    if (p == NULL) {
        fprintf(stderr, "winnow: out of memory\n");
        abort();
    }
    return p;
}
