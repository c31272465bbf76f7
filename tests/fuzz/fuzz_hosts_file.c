/* fuzz_hosts_file.c -- any bytes as a hosts file: refused, or every name in it
 * leads to this machine. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "crawler/admit/hosts_file.h"
#include "fuzz.h"

static bool
is_loopback(const struct sockaddr_storage *a)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    memcpy(&v4, a, sizeof v4);
    memcpy(&v6, a, sizeof v6);
    return (a->ss_family == AF_INET &&
            ntohl(v4.sin_addr.s_addr) >> 24 == 127) ||
           (a->ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    int fd = memfd_create("hosts", 0);
    struct str rest = str_n((const char *)data, n), line, name;
    struct hosts_file *h;
    struct buf said = {0};
    char path[64];

    log_capture(&said);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (hosts_file_open(&h, str_c(path)) == ST_OK) {
        if (hosts_file_n(h) > n)
            abort();
        while (str_cut(&rest, '\n', &line)) {
            const struct sockaddr_storage *a;

            if (!str_cut(&line, ' ', &name)) /* an empty line */
                continue;
            if ((a = hosts_file_find(h, name)) != NULL && !is_loopback(a))
                abort();
        }
        hosts_file_close(h);
    }
    log_capture(NULL);
    buf_free(&said);
    close(fd);
    return 0;
}
