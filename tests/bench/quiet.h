/* quiet.h -- a virtual machine may give memory that was freed back to its host
 * (free page reporting), two seconds after a program that had much of it has
 * ended, and its disk may stand still meanwhile, for 50 to 160 ms at a time:
 * that is no part of what is measured. */
#ifndef BENCH_QUIET_H
#define BENCH_QUIET_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How often the host has answered; 0: there is none that takes memory back. */
static inline unsigned long
memory_reports(void)
{
    FILE *f = fopen("/proc/interrupts", "r");
    char line[4096];
    unsigned long n = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        char *at = strchr(line, ':');
        unsigned long of_cpu;
        int used;

        if (at == NULL || strstr(line, "reporting_vq") == NULL)
            continue;
        for (at++; sscanf(at, "%lu%n", &of_cpu, &used) == 1; at += used)
            n += of_cpu;
    }
    if (f != NULL)
        fclose(f);
    return n;
}

/* Until nothing was given back for some seconds; a minute at most. */
static inline void
wait_for_memory(void)
{
    enum { QUIET = 5, MOST = 60 };
    unsigned long before = memory_reports(), now;

    for (int quiet = 0, i = 0; before > 0 && quiet < QUIET && i < MOST; i++) {
        sleep(1);
        now = memory_reports();
        quiet = now == before ? quiet + 1 : 0;
        before = now;
    }
}

#endif
