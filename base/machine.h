/* machine.h -- what this process may use of the machine: as far as its affinity
 * (taskset(1), cpusets) and its control groups (containers, systemd) allow.
 *
 * Linux' cgroup v2 and v1, its own group and those above it; elsewhere what the
 * machine has.  Read anew at each call. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* Processors, a share of one counted as one; 1 at least. */
size_t machine_processors(void);

/* Bytes of memory; 0: not known. */
uint64_t machine_memory(void);

/* So many MiB, but no more bytes than half of that memory: what one cache may
 * grow to on a machine, or in a container, that is smaller than its preset. */
uint64_t machine_cache_bytes(uint64_t mib);

/* The same of control groups alone, with /proc and /sys below `root`, for
 * tests; UINT64_MAX: there is no limit. */
struct machine_limits {
    uint64_t processors, memory;
};
struct machine_limits machine_limits(const char *root);

#endif
