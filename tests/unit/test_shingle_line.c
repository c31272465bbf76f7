/* Lines of fingerprints, lists of ids, and which bands find what. */
#include <math.h>

#include "corpus/lines/id_set.h"
#include "corpus/tender/tender_inside.h"
#include "folder.h"
#include "shingle/fingerprint/bands.h"

#define ID "0123456789abcdef0123456789abcdef0123"

static void
a_line_of_texrex_has_its_columns(void)
{
    static const char good[] = "00026940651172882458 " ID " 0000005300";
    struct hash_line h;

    CHECK(hash_line_read(&h, S("00026940651172882458 " ID " 0000005300")));
    CHECK(h.hash == 26940651172882458u && h.size == 5300);
    CHECK(memcmp(h.id, ID, ID_SIZE) == 0);
    CHECK(shingle_form_of(str_c(good)) == SHINGLE_HASHES);
    CHECK(hash_line_read(&h, S("18446744073709551615 " ID " 9999999999")));
    CHECK(h.hash == UINT64_MAX && h.size == 9999999999u);
    CHECK(!hash_line_read(&h, S("18446744073709551616 " ID " 0000000001")));
    for (size_t i = 0; i + 1 < sizeof good; i++) { /* every column counts */
        char bad[sizeof good];

        memcpy(bad, good, sizeof good);
        bad[i] = i == 20 || i == 57 ? 'x' : ' ';
        CHECK(!hash_line_read(&h, str_c(bad)));
        CHECK(!hash_line_read(&h, str_n(good, i)));
    }
}

static void
a_fingerprint_has_four_columns_or_more(void)
{
    struct print_line p;
    uint32_t value[2];

    CHECK(print_line_read(&p, S(ID "\t5300\t12\t0000000affffffff")));
    CHECK(p.size == 5300 && p.shingles_n == 12 && p.values_n == 2);
    CHECK(hex_values(p.values, value) && value[0] == 10 &&
          value[1] == UINT32_MAX);
    CHECK(!hex_values(S("0000000g"), value) &&
          !hex_values(S("@000000a"), value));
    CHECK(shingle_form_of(S(ID "\t1\t1\t00000001")) == SHINGLE_PRINTS);
    CHECK(!print_line_read(&p, S(ID "\t5300\t0\t0000000a")));
    CHECK(!print_line_read(&p, S(ID "\t5300\t12\t0000000")));
    CHECK(!print_line_read(&p, S(ID "\t5300\t12")));
    CHECK(!print_line_read(&p, S("short\t5300\t12\t0000000a")));
    CHECK(!print_line_read(&p, S(ID "\t-1\t12\t0000000a")));
    CHECK(shingle_form_of(S("")) == SHINGLE_NONE);
}

static void
signature_and_scheme_may_follow(void)
{
    struct print_line p;
    struct buf line = {0};
    char bytes[256];

    buf_c(&line, ID "\t5300\t12\t0000000a\t");
    for (int i = 0; i < 256; i++)
        buf_printf(&line, "%02x", i);
    CHECK(print_line_read(&p, buf_view(&line)) && p.signature.n == 512 &&
          p.scheme.n == 0);
    CHECK(hex_bytes(p.signature, bytes) && bytes[1] == 1 && bytes[127] == 127);
    buf_c(&line, "\tminima/1/5/1");
    CHECK(print_line_read(&p, buf_view(&line)) &&
          str_eq(p.scheme, S("minima/1/5/1")));
    CHECK(!print_line_read(&p, S(ID "\t5300\t12\t0000000a\tff")));
    for (int c = 0; c < 256; c++) { /* each character is a digit or is not */
        char digits[] = "00000000",
             many[] = "0000000000000000000000000000000012345678";
        uint32_t value, values[5];
        bool is = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
                  (c >= 'A' && c <= 'F');

        digits[5] = (char)c;
        CHECK(hex_values(str_n(digits, 8), &value) == is);
        CHECK(!is || value == strtoul(digits, NULL, 16));
        CHECK(hex_bytes(str_n(digits, 8), bytes) == is);
        many[16 + c % 16] = (char)c; /* among others that are read with it */
        CHECK(hex_values(str_n(many, 40), values) == is);
        memcpy(digits, many + 16 + c % 16 / 8 * 8, 8);
        CHECK(!is || (values[2 + c % 16 / 8] == strtoul(digits, NULL, 16) &&
                      values[4] == 0x12345678));
    }
    buf_free(&line);
}

/* Chance that no band meets. */
static double
missed(struct bands b, double j)
{
    return pow(1 - pow(j, b.rows), b.n);
}

static void
bands_miss_one_pair_in_a_thousand_at_most(void)
{
    for (double near = .3; near <= .95; near += .05) {
        struct bands b = bands_for(near, .999, 100, 100);

        CHECK(b.n * b.rows <= 100);
        CHECK(missed(b, near) <= 1.001e-3);
        if ((b.rows + 1) * b.n <=
            100) /* not more chance meetings than needed */
            CHECK(missed((struct bands){100 / (b.rows + 1), b.rows + 1}, near) >
                  1e-3);
    }
    CHECK(bands_for(1, .999, 100, 100).rows == 100);
}

static void
an_id_belongs_when_more_lines_say_so_than_not(void)
{
    struct id_set s;

    folder_put("one", S("\xef\xbb\xbf"
                        "a\nb\n\nc\r\n"));
    folder_put("two", S("!a\nb\n!b\nd"));
    folder_put("no list", S("<doc id=\"a\">\n"));
    id_set_init(&s);
    CHECK(id_set_read(&s, in_folder("two")) == ST_OK);
    CHECK(id_set_read(&s, in_folder("one")) == ST_OK);
    CHECK(!id_set_has(&s, S("a")) && id_set_has(&s, S("b")) &&
          id_set_has(&s, S("c")) && id_set_has(&s, S("d")));
    CHECK(!id_set_has(&s, S("e")) && id_set_count(&s, S("b")) == 1);
    CHECK(id_set_add(&s, S("e")) && !id_set_add(&s, S("e")));
    CHECK(id_set_read(&s, in_folder("no list")) == ST_USAGE);
    CHECK(id_set_read(&s, in_folder("missing")) == ST_IO);
    id_set_free(&s);
}

static void
the_first_id_that_no_document_has_is_found(void)
{
    struct id_set s;
    struct buf id = {0};
    uint64_t of, line_n;

    folder_put("list", S("a\n!gone\n\ngone\nc\nd\n"));
    id_set_init(&s);
    CHECK(!id_set_meet(&s, S("a")) && id_set_unmet(&s, &of) == 0 && of == 0);
    CHECK(id_set_read(&s, in_folder("list")) == ST_OK);
    CHECK(id_set_meet(&s, S("a")) && !id_set_meet(&s, S("gone")) &&
          !id_set_meet(&s, S("x")));
    CHECK(id_set_unmet(&s, &of) == 2 && of == 3);
    CHECK(id_set_first_unmet(&s, in_folder("list"), &line_n, &id) == ST_OK);
    CHECK(line_n == 5 && str_eq(buf_view(&id), S("c")));
    CHECK(id_set_meet(&s, S("c")) && id_set_meet(&s, S("d")));
    CHECK(id_set_unmet(&s, &of) == 0 && of == 3);
    CHECK(id_set_first_unmet(&s, in_folder("list"), &line_n, &id) == ST_NONE);
    buf_free(&id);
    id_set_free(&s);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_line_of_texrex_has_its_columns),
        TEST(a_fingerprint_has_four_columns_or_more),
        TEST(signature_and_scheme_may_follow),
        TEST(bands_miss_one_pair_in_a_thousand_at_most),
        TEST(an_id_belongs_when_more_lines_say_so_than_not),
        TEST(the_first_id_that_no_document_has_is_found),
        {0}};

    return folder_main(table, argc, argv);
}
