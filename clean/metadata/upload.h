/* upload.h -- when a picture was put on its site, as its URL says. */
#ifndef CLEAN_UPLOAD_H
#define CLEAN_UPLOAD_H

#include "base/str.h"

/* The month of /2024/11/a.jpg, /2024-11/a.jpg or a.jpg?v=1732000000, as 12 *
 * year + month; 0: the URL names none. */
int32_t upload_month(struct str url);

#endif
