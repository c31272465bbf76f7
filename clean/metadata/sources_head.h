/* sources_head.h -- the table of names is built once per process. */
#ifndef CLEAN_SOURCES_HEAD_H
#define CLEAN_SOURCES_HEAD_H

#include "author_text.h"

void sources_head_init(void); /* may be called often and from any thread */

#endif
