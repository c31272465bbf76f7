/* Where servers are: databases written here, of both address versions and all
 * record sizes, sound and damaged. */
#include "clean/cleaner/stages.h"
#include "clean/repair/geo.h"
#include "folder.h"
#include "mmdb_make.h"
#include "wanted_stage.h"

static void
names(struct buf *b, const char *key, const char *english)
{
    mmdb_text(b, key);
    mmdb_map(b, 1);
    mmdb_text(b, "names");
    mmdb_map(b, 2);
    mmdb_text(b, "de");
    mmdb_text(b, "(deutsch)");
    mmdb_text(b, "en");
    mmdb_text(b, english);
}

/* A place as GeoLite2 City has it; where it stands in the data section. */
static uint32_t
place(struct mmdb_make *m, const char *country, const char *region,
      const char *city)
{
    struct buf *b = &m->data;
    uint32_t at = (uint32_t)b->n;

    mmdb_map(b, 3);
    names(b, "city", city);
    mmdb_text(b, "country");
    mmdb_map(b, 1);
    mmdb_text(b, "iso_code");
    mmdb_text(b, country);
    mmdb_text(b, "subdivisions");
    mmdb_array(b, 1);
    mmdb_map(b, 1);
    mmdb_text(b, "iso_code");
    mmdb_text(b, region);
    return at;
}

/* Two networks of IPv4 and, in a database of IPv6, one of that. */
static void
make(unsigned ip_version, unsigned record_bits, struct buf *out)
{
    static const unsigned char v6[16] = {0x20, 0x01, 0x0d, 0xb8};
    struct mmdb_make *m = malloc(sizeof *m);

    if (m == NULL)
        abort();
    mmdb_init(m, ip_version);
    mmdb_add_v4(m, 192, 0, 2, 0, 24, place(m, "BE", "VLG", "Gent"));
    mmdb_add_v4(m, 198, 51, 100, 128, 25, place(m, "NL", "UT", "Utrecht"));
    if (ip_version == 6)
        mmdb_add(m, v6, 32, place(m, "DE", "BE", "Berlin"));
    mmdb_write(m, record_bits, out);
    buf_free(&m->data);
    free(m);
}

/* "BE VLG Gent", "" for what is not known; in static memory. */
static const char *
where(const struct geo *g, const char *ip)
{
    static char text[256];
    struct arena *a = arena_new();
    struct geo_place p;

    text[0] = '\0';
    if (geo_find(g, a, str_c(ip), &p))
        snprintf(text, sizeof text, "%.*s %.*s %.*s", STRF(p.country),
                 STRF(p.region), STRF(p.city));
    arena_free(a);
    return text;
}

static struct geo *
opened(unsigned ip_version, unsigned record_bits)
{
    struct buf bytes = {0};
    struct geo *g = NULL;

    make(ip_version, record_bits, &bytes);
    folder_put("db", buf_view(&bytes));
    CHECK(geo_open(&g, in_folder("db"), NULL) == ST_OK);
    buf_free(&bytes);
    return g;
}

static void
addresses_are_found_in_every_kind_of_tree(void)
{
    static const unsigned bits[] = {24, 28, 32};

    for (unsigned version = 4; version <= 6; version += 2)
        for (size_t i = 0; i < 3; i++) {
            struct geo *g = opened(version, bits[i]);

            CHECK(strcmp(where(g, "192.0.2.1"), "BE VLG Gent") == 0);
            CHECK(strcmp(where(g, "192.0.2.255"), "BE VLG Gent") == 0);
            CHECK(strcmp(where(g, "192.0.3.0"), "") == 0);
            CHECK(strcmp(where(g, "198.51.100.200"), "NL UT Utrecht") == 0);
            CHECK(strcmp(where(g, "198.51.100.127"), "") == 0);
            CHECK(strcmp(where(g, "2001:db8::1"),
                         version == 6 ? "DE BE Berlin" : "") == 0);
            CHECK(strcmp(where(g, "[2001:db8:ffff::]"),
                         version == 6 ? "DE BE Berlin" : "") == 0);
            CHECK(strcmp(where(g, "2001:db9::1"), "") == 0);
            geo_close(g);
        }
}

static void
what_is_no_address_is_nowhere(void)
{
    static const char *const texts[] = {
        "",
        "example.org",
        "192.0.2",
        "192.0.2.1.1",
        "[",
        "[]",
        "[192.0.2.1",
        "2001:db8::1%eth0",
        "192.0.2.1 ",
        "11111111111111111111111111111111111111111111111111111111"};
    struct geo *g = opened(6, 24);

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(strcmp(where(g, texts[i]), "") == 0);
    geo_close(g);
}

static void
files_that_are_no_databases_are_refused(void)
{
    struct geo *g;

    CHECK(geo_open(&g, in_folder("missing"), NULL) == ST_IO);
    CHECK(g == NULL);
    folder_put("text", S("start,end,country\n1,2,BE\n"));
    CHECK(geo_open(&g, in_folder("text"), NULL) == ST_INVALID);
    folder_put("empty", S(""));
    CHECK(geo_open(&g, in_folder("empty"), NULL) != ST_OK);
}

/* Cut off anywhere: refused, since the metadata are at the end.  With any byte
 * changed: refused, or an address has no place or a text for one; a fault in
 * another network's record or a letter leaves an address as it was. */
static void
damaged_databases_do_no_harm(void)
{
    int usual = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    struct buf bytes = {0};
    size_t unharmed = 0, opened_n = 0, accepted = 0;
    struct geo *g;

    make(4, 24, &bytes);
    fflush(stderr);
    dup2(nowhere, STDERR_FILENO); /* hundreds of refusals */
    for (size_t n = 0; n < bytes.n; n += 3) {
        folder_put("cut", str_n(bytes.p, n));
        accepted += geo_open(&g, in_folder("cut"), NULL) == ST_OK;
        geo_close(g);
    }
    for (size_t i = 0; i < bytes.n; i++) {
        char before = bytes.p[i];

        bytes.p[i] = (char)(before ^ (1 << i % 8));
        folder_put("flip", buf_view(&bytes));
        bytes.p[i] = before;
        if (geo_open(&g, in_folder("flip"), NULL) == ST_OK) {
            opened_n++;
            unharmed +=
                strcmp(where(g, "192.0.2.1"), "BE VLG Gent") == 0 &&
                strcmp(where(g, "198.51.100.200"), "NL UT Utrecht") == 0;
        }
        geo_close(g);
    }
    dup2(usual, STDERR_FILENO);
    close(nowhere);
    close(usual);
    CHECK(accepted == 0);
    CHECK(opened_n < bytes.n);
    CHECK(unharmed * 3 > opened_n && unharmed < opened_n);
    buf_free(&bytes);
}

static void
documents_get_the_place_of_their_server(void)
{
    struct arena *a = arena_new();
    struct document d = {.arena = a, .origin = {.ip = S("192.0.2.7")}};
    char set[300];
    void *self;

    geo_close(opened(6, 28));
    CHECK(wanted_open(&stage_geo, "clean.geo=", &self) == ST_OK);
    CHECK(self == NULL && stage_geo.run(self, &d) == ST_OK);
    CHECK(d.meta.country.n == 0);
    snprintf(set, sizeof set, "clean.geo=%s", in_folder("db"));
    CHECK(wanted_open(&stage_geo, set, &self) == ST_OK);
    CHECK(stage_geo.run(self, &d) == ST_OK);
    CHECK(str_eq(d.meta.country, S("BE")));
    CHECK(str_eq(d.meta.region, S("VLG")));
    CHECK(str_eq(d.meta.city, S("Gent")));
    d.origin.ip = S("");
    d.url.host = S("[2001:db8::2]");
    CHECK(stage_geo.run(self, &d) == ST_OK);
    CHECK(str_eq(d.meta.city, S("Berlin")));
    d.url.host = S("example.org");
    CHECK(stage_geo.run(self, &d) == ST_OK);
    CHECK(d.meta.city.n == 0);
    stage_geo.close(self);
    snprintf(set, sizeof set, "clean.geo=%s", in_folder("missing"));
    CHECK(wanted_opens(&stage_geo, set) == ST_IO);
    arena_free(a);
}

#define BLOCKS                                                                 \
    "Copyright (c) 2015 MaxMind LLC.\nstartIpNum,endIpNum,locId\n"             \
    "\"3221225984\",\"3221226239\",\"17\"\r\n\"3325256832\",\"3325256959\","   \
    "\"4\"\n\"9\",\"3\",\"4\"\n16909060,16909060,99\n"

static void
the_older_files_are_read(void)
{
    struct geo *g = NULL;

    folder_put("blocks.csv", S(BLOCKS));
    folder_put("places.csv",
               S("locId,country,region,city,postalCode\n"
                 "17,\"BE\",\"VLG\",\"Gent, \xc3\xa0\",\"9000\",51.05\n"
                 "4,\"NL\",\"\",\"\"\nxx\n5"));
    CHECK(geo_open(&g, in_folder("blocks.csv"), in_folder("places.csv")) ==
          ST_OK);
    CHECK(strcmp(where(g, "192.0.2.0"), "BE VLG Gent, \xc3\xa0") == 0);
    CHECK(strcmp(where(g, "192.0.2.255"), "BE VLG Gent, \xc3\xa0") == 0);
    CHECK(strcmp(where(g, "192.0.1.255"), "") == 0);
    CHECK(strcmp(where(g, "192.0.3.0"), "") == 0);
    CHECK(strcmp(where(g, "198.51.100.128"), "NL  ") == 0);
    CHECK(strcmp(where(g, "1.2.3.4"), "") == 0); /* no such place */
    CHECK(strcmp(where(g, "::1"), "") == 0);
    geo_close(g);
    CHECK(geo_open(&g, in_folder("blocks.csv"), in_folder("none")) == ST_IO);
    folder_put("text.csv", S("a,b\n\"\n\"1\"\n"));
    CHECK(geo_open(&g, in_folder("text.csv"), in_folder("places.csv")) ==
          ST_INVALID);
}

static const struct test tests[] = {
    TEST(addresses_are_found_in_every_kind_of_tree),
    TEST(what_is_no_address_is_nowhere),
    TEST(files_that_are_no_databases_are_refused),
    TEST(damaged_databases_do_no_harm),
    TEST(the_older_files_are_read),
    TEST(documents_get_the_place_of_their_server),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
