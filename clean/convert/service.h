/* service.h -- the process that converts: one document after the other, each in
 * processes of its own, confined (confine.h). */
#ifndef CLEAN_CONVERT_SERVICE_H
#define CLEAN_CONVERT_SERVICE_H

#include "clean/convert/kind.h"
#include "convert_wire.h"

struct buf;

/* Serve requests from the socket `fd` until its other side closes; the exit
 * code. */
int convert_serve(int fd);

/* One request: `document` is a file in memory.  `abandon` (-1: none) is
 * watched: when its other side closes, all is ended.  The page goes to `html`.
 */
void convert_one(const struct convert_request *q, int document, int abandon,
                 struct convert_answer *a, struct buf *html);

/* Where the program of a kind is installed, "" if it needs none; NULL: it is
 * not there. */
const char *convert_program_path(enum convert_kind k);

#endif
