/* guard.h -- a file that is mapped and cannot be read any more. */
#ifndef PAGES_GUARD_H
#define PAGES_GUARD_H

/* From now on SIGBUS in a mapped file (the disk failed, or the file was cut
 * short while it was open) ends the process with EXIT_FAILED and a line that
 * names the file and what repairs it.  For programs; a library leaves the
 * signals of its host alone. */
void pages_guard(void);

#endif
