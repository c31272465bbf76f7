/* geo.c -- see geo.h; hides libmaxminddb.
 *
 * libmaxminddb because it is the reader of those who define the format, checks
 * what it reads, and is in Debian.  A damaged file shows as addresses of which
 * nothing is known. */
#include "geo.h"

#include <arpa/inet.h>
#include <maxminddb.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "clean/charset/utf8.h"
#include "geo_table.h"

struct geo {
    struct geo_table *table; /* NULL: db is open */
    MMDB_s db;
};

enum status
geo_open(struct geo **out, const char *path, const char *places)
{
    struct geo *g = memory_zero(1, sizeof *g);
    enum status st;
    int rc;

    *out = NULL;
    if (g == NULL)
        return ST_NOMEM;
    if (places != NULL) {
        if ((st = geo_table_open(&g->table, path, places)) == ST_OK)
            *out = g;
        else
            memory_free(g);
        return st;
    }
    if ((rc = MMDB_open(path, MMDB_MODE_MMAP, &g->db)) != MMDB_SUCCESS) {
        log_error("geo", "file=%s fault=\"%s\"", path, MMDB_strerror(rc));
        memory_free(g);
        return rc == MMDB_FILE_OPEN_ERROR || rc == MMDB_IO_ERROR ? ST_IO
               : rc == MMDB_OUT_OF_MEMORY_ERROR                  ? ST_NOMEM
                                                                 : ST_INVALID;
    }
    *out = g;
    return ST_OK;
}

void
geo_close(struct geo *g)
{
    if (g == NULL)
        return;
    if (g->table != NULL)
        geo_table_close(g->table);
    else
        MMDB_close(&g->db);
    memory_free(g);
}

union geo_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool
parse(struct str ip, union geo_address *out)
{
    char text[INET6_ADDRSTRLEN];

    if (str_starts(ip, S("[")) && str_ends(ip, S("]")))
        ip = str_sub(ip, 1, ip.n - 1);
    if (ip.n == 0 || ip.n >= sizeof text)
        return false;
    memcpy(text, ip.p, ip.n);
    text[ip.n] = '\0';
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &out->v4.sin_addr) == 1)
        out->v4.sin_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &out->v6.sin6_addr) == 1)
        out->v6.sin6_family = AF_INET6;
    else
        return false;
    return true;
}

static struct str
text_at(MMDB_entry_s *entry, struct arena *a, const char *const *path)
{
    MMDB_entry_data_s data;

    if (MMDB_aget_value(entry, &data, path) != MMDB_SUCCESS || !data.has_data ||
        data.type != MMDB_DATA_TYPE_UTF8_STRING)
        return S("");
    return utf8_repair(a,
                       arena_str(a, str_n(data.utf8_string, data.data_size)));
}

bool
geo_find(const struct geo *g, struct arena *a, struct str ip,
         struct geo_place *out)
{
    static const char *const country[] = {"country", "iso_code", NULL};
    static const char *const region[] = {"subdivisions", "0", "names", "en",
                                         NULL};
    static const char *const region_code[] = {"subdivisions", "0", "iso_code",
                                              NULL};
    static const char *const city[] = {"city", "names", "en", NULL};
    MMDB_lookup_result_s found;
    union geo_address address;
    int rc = MMDB_SUCCESS;

    *out = (struct geo_place){S(""), S(""), S("")};
    if (!parse(ip, &address))
        return false;
    if (g->table != NULL)
        return address.any.sa_family == AF_INET &&
               geo_table_find(g->table, ntohl(address.v4.sin_addr.s_addr), out);
    found = MMDB_lookup_sockaddr(&g->db, &address.any, &rc);
    if (rc != MMDB_SUCCESS || !found.found_entry)
        return false;
    out->country = text_at(&found.entry, a, country);
    out->region = text_at(&found.entry, a, region);
    if (out->region.n == 0)
        out->region = text_at(&found.entry, a, region_code);
    out->city = text_at(&found.entry, a, city);
    return out->country.n + out->region.n + out->city.n > 0;
}
