/* process_end.h -- how a child has ended, in words. */
#ifndef BASE_PROCESS_END_H
#define BASE_PROCESS_END_H

#define PROCESS_END_SIZE 64

/* Of the status that waitpid() gives: "exit status 1" or "signal 9, Killed", in
 * the buffer, which is returned. */
const char *process_end(int status, char text[PROCESS_END_SIZE]);

#endif
