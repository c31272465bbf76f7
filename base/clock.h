/* clock.h -- time as milliseconds.
 *
 * Code that decides by time takes `now_ms` as an argument (so that tests and
 * the laboratory run it in virtual time); only loops read these clocks.
 * Thread-safe. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_wall_ms(void);     /* since the Unix epoch; durable deadlines */
uint64_t clock_steady_ms(void);   /* never jumps; durations inside a process */
uint64_t clock_boot_ms(void);     /* likewise, since the machine was started */
void clock_sleep_ms(uint64_t ms); /* as long at least, signals or not */

/* UTC: "2026-11-20T10:15:30Z" and a NUL into out[21]; of a time after the year
 * 9999 the last second of that. */
void clock_iso(uint64_t wall_ms, char out[21]);

#endif
