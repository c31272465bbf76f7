/* hosts_file.h -- names that are served by a server on this machine.
 *
 * For tests and laboratories: a line `name address:port` sends the http and the
 * https URLs of `name` to that address, in plain HTTP.  Only loopback addresses
 * are accepted, so a forgotten hosts_file can never point a crawl elsewhere.
 * `[::1]:port` for IPv6; # starts a comment; later lines win. */
#ifndef CRAWLER_HOSTS_FILE_H
#define CRAWLER_HOSTS_FILE_H

#include <netinet/in.h>

#include "base/options/opt.h"
#include "base/status.h"

struct hosts_file; /* opaque; see crawler/admit/hosts_file.c */

#define HOSTS_FILE_MAX 1000000 /* lines */

/* `path` empty: a file without lines.  ST_USAGE: a line cannot be used
 * (reported with file:line), ST_IO: the file cannot be read (reported). */
enum status hosts_file_open(struct hosts_file **out, struct str path);
void hosts_file_close(struct hosts_file *h); /* NULL is allowed */

size_t hosts_file_n(const struct hosts_file *h);

/* NULL: the name is not listed. */
const struct sockaddr_storage *hosts_file_find(const struct hosts_file *h,
                                               struct str host);

/* "1.2.3.4:80", "[::1]:80"; false when it is neither. */
bool hosts_file_address(struct str text, struct sockaddr_storage *out);

#endif
