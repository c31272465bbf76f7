/* folder_id.h -- which folder it is, for who asks a service that may come back
 * with another one.
 *
 * A number by chance that stands in DIR/id from the first look on, and goes
 * with the folder wherever it is moved. */
#ifndef BASE_FOLDER_ID_H
#define BASE_FOLDER_ID_H

#include <stdint.h>

/* 0: it cannot be had, which is said. */
uint64_t folder_id(const char *dir);

#endif
