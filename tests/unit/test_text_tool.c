/* `winnow hydra` and `winnow rofl` as commands, over files, plain and gzip. */
#include "base/file.h"
#include "base/options/command.h"
#include "clean/tools/text_lines.h"
#include "clean/tools/text_sink.h"
#include "folder.h"

extern const struct command command_hydra, command_rofl;

static void
write_text(const char *name, const char *text, bool gzip)
{
    struct text_sink *s;
    char ending[64];

    snprintf(ending, sizeof ending, "%s%s", name, gzip ? ".gz" : "");
    CHECK(text_sink_open(&s, in_folder(ending), gzip) == ST_OK);
    text_sink_put(s, str_c(text));
    CHECK(text_sink_close(s) == ST_OK);
}

/* All lines of a file, each ended by '|' (',' for one without line end). */
static bool
holds(const char *name, const char *wanted)
{
    struct text_lines *l;
    struct buf all = {0};
    struct str line;
    enum status st;
    bool ended, same;

    CHECK(text_lines_open(&l, in_folder(name)) == ST_OK);
    while ((st = text_lines_next(l, &line, &ended)) == ST_OK) {
        buf_str(&all, line);
        buf_char(&all, ended ? '|' : ',');
    }
    CHECK(st == ST_NONE);
    same = str_eq(buf_view(&all), str_c(wanted));
    if (!same)
        fprintf(stderr, "%s holds <%.*s>\n", name, STRF(buf_view(&all)));
    text_lines_close(l);
    buf_free(&all);
    return same;
}

static void
lines_come_back_whatever_the_compression(void)
{
    write_text("plain", "a\n\nb", false);
    write_text("packed", "a\n\nb\n", true);
    write_text("none", "", false);
    CHECK(holds("plain", "a||b,"));
    CHECK(holds("packed.gz", "a||b|"));
    CHECK(holds("none", ""));
}

static void
a_byte_order_mark_is_no_part_of_the_first_line(void)
{
    write_text("marked",
               "\xef\xbb\xbf"
               "a\n\xef\xbb\xbf"
               "b\n",
               true);
    write_text("mark", "\xef\xbb\xbf", false);
    write_text("half", "\xef\xbb", false);
    CHECK(holds("marked.gz", "a|\xef\xbb\xbf"
                             "b|"));
    CHECK(holds("mark", ""));
    CHECK(holds("half", "\xef\xbb,"));
}

static void
long_lines_come_whole(void)
{
    const size_t n = 3u << 20;
    char *text = malloc(n + 3);
    struct text_lines *l;
    struct str line;
    bool ended;

    if (text == NULL)
        abort();
    memset(text, 'x', n);
    memcpy(text + n, "\ny", 3);
    for (int gzip = 0; gzip < 2; gzip++) {
        write_text("long", text, gzip);
        CHECK(text_lines_open(&l, in_folder(gzip ? "long.gz" : "long")) ==
              ST_OK);
        CHECK(text_lines_next(l, &line, &ended) == ST_OK);
        CHECK(line.n == n && ended && line.p[n - 1] == 'x');
        CHECK(text_lines_next(l, &line, &ended) == ST_OK);
        CHECK(str_eq(line, S("y")) && !ended);
        CHECK(text_lines_next(l, &line, &ended) == ST_NONE);
        text_lines_close(l);
    }
    free(text);
}

static void
hydra_reads_and_writes_gzip_and_copies_ignored_lines(void)
{
    write_text("uni", "5\tunterwerfen\nbroken\n", true);
    write_text("in", "unter- werfen\n<a b=\"unter- werfen\">\nend", true);
    {
        char *argv[] = {"hydra",
                        "-u",
                        in_folder("uni.gz"),
                        "-i",
                        in_folder("in.gz"),
                        "-o",
                        in_folder("out"),
                        "-g",
                        "-I",
                        "<|#",
                        "-v"};

        CHECK(command_main(&command_hydra, 11, argv) == EXIT_DONE);
    }
    CHECK(holds("out.gz", "unterwerfen|<a b=\"unter- werfen\">|end|"));
}

/* Read in pieces, the first of which ends inside of a character. */
static void
what_is_too_long_for_a_line_is_copied_as_it_is(void)
{
    struct buf text = {0}, out = {0};

    write_text("uni", "5\tunterwerfen\n", false);
    buf_char(&text, 'x');
    while (text.n < TEXT_LINE_MAX + 9)
        buf_c(&text, "\xc3\xa9");
    buf_c(&text, " unter- werfen\n");
    buf_char(&text, '\0');
    write_text("in4", text.p, false);
    {
        char *argv[] = {"hydra",          "-u", in_folder("uni"), "-i",
                        in_folder("in4"), "-o", in_folder("out4")};

        CHECK(command_main(&command_hydra, 7, argv) == EXIT_DONE);
    }
    CHECK(file_read(&out, in_folder("out4"), SIZE_MAX) == ST_OK);
    CHECK(str_eq(buf_view(&out), str_c(text.p)));
    buf_free(&text);
    buf_free(&out);
}

static void
hydra_joins_over_lines_when_told(void)
{
    write_text("uni2", "5\tunterwerfen\n", false);
    write_text("in2", "unter-\nwerfen wir\n\xff\nunter-\n<p>\nwerfen\n", false);
    {
        char *argv[] = {"hydra",
                        "-u",
                        in_folder("uni2"),
                        "-i",
                        in_folder("in2"),
                        "-o",
                        in_folder("out2"),
                        "--across",
                        "-I",
                        "<"};

        CHECK(command_main(&command_hydra, 10, argv) == EXIT_REJECTED);
    }
    CHECK(holds("out2", "unterwerfen|wir|\xff|unter-|<p>|werfen|"));
}

static void
rofl_takes_several_lists(void)
{
    write_text("w1", "End\nwww\n", false);
    write_text("w2", "now\ncom", true);
    write_text("pre", "www\n", false);
    write_text("suf", "com\n", false);
    write_text("in3", "end.now\nend.com\nwww.end\n<end.now>\n", false);
    {
        char *argv[] = {"rofl",
                        "-w",
                        in_folder("w1"),
                        "-w",
                        in_folder("w2.gz"),
                        "-p",
                        in_folder("pre"),
                        "-s",
                        in_folder("suf"),
                        "-i",
                        in_folder("in3"),
                        "-o",
                        in_folder("out3.gz"),
                        "-I",
                        "<",
                        "-l",
                        "0"};

        CHECK(command_main(&command_rofl, 17, argv) == EXIT_DONE);
    }
    CHECK(holds("out3.gz", "end. now|end.com|www.end|<end.now>|"));
}

static void
what_is_missing_or_wrong_is_said(void)
{
    char *no_list[] = {"hydra"};
    char *no_words[] = {"rofl", "-i", "/dev/null"};
    char *limit[] = {"rofl", "-w", "/dev/null", "-l", "x"};
    char *no_file[] = {"hydra", "-u", "/nonexistent/list"};
    char *bad_regex[] = {"hydra",     "-u", "/dev/null", "-i",
                         "/dev/null", "-I", "("};

    CHECK(command_main(&command_hydra, 1, no_list) == EXIT_USAGE);
    CHECK(command_main(&command_rofl, 3, no_words) == EXIT_USAGE);
    CHECK(command_main(&command_rofl, 5, limit) == EXIT_USAGE);
    CHECK(command_main(&command_hydra, 3, no_file) == EXIT_FAILED);
    CHECK(command_main(&command_hydra, 7, bad_regex) == EXIT_USAGE);
}

static void
damaged_input_fails_after_what_could_be_read(void)
{
    FILE *f;

    write_text("uni", "5\tunterwerfen\n", true);
    write_text("cut", "unter- werfen\n", true);
    f = fopen(in_folder("cut.gz"), "ab");
    CHECK(f != NULL && fputs("\x1f\x8b\x08junk that is no deflate", f) >= 0);
    CHECK(f != NULL && fclose(f) == 0);
    {
        char *argv[] = {"hydra",
                        "-u",
                        in_folder("uni.gz"),
                        "-i",
                        in_folder("cut.gz"),
                        "-o",
                        in_folder("out4")};

        CHECK(command_main(&command_hydra, 7, argv) == EXIT_FAILED);
    }
    CHECK(holds("out4", "unterwerfen|"));
}

static void
an_input_that_cannot_be_read_leaves_the_output_as_it_was(void)
{
    CHECK(mkdir(in_folder("a folder"), 0777) == 0);
    write_text("uni", "5\tunterwerfen\n", true);
    write_text("out5", "before\n", false);
    for (int given = 0; given < 2; given++) {
        char *argv[] = {"hydra",
                        "-u",
                        in_folder("uni.gz"),
                        "-i",
                        in_folder("a folder"),
                        "-o",
                        in_folder(given ? "out5" : "out6")};

        CHECK(command_main(&command_hydra, 7, argv) == EXIT_FAILED);
    }
    CHECK(holds("out5", "before|"));
    CHECK(!folder_has("out6") && !folder_has("out6.part"));
}

static void
the_output_may_be_the_input(void)
{
    write_text("uni", "5\tunterwerfen\n", true);
    write_text("same", "unter- werfen\n", false);
    {
        char *argv[] = {"hydra",           "-u", in_folder("uni.gz"), "-i",
                        in_folder("same"), "-o", in_folder("same")};

        CHECK(command_main(&command_hydra, 7, argv) == EXIT_DONE);
    }
    CHECK(holds("same", "unterwerfen|"));
}

static const struct test tests[] = {
    TEST(lines_come_back_whatever_the_compression),
    TEST(a_byte_order_mark_is_no_part_of_the_first_line),
    TEST(an_input_that_cannot_be_read_leaves_the_output_as_it_was),
    TEST(the_output_may_be_the_input),
    TEST(long_lines_come_whole),
    TEST(hydra_reads_and_writes_gzip_and_copies_ignored_lines),
    TEST(what_is_too_long_for_a_line_is_copied_as_it_is),
    TEST(hydra_joins_over_lines_when_told),
    TEST(rofl_takes_several_lists),
    TEST(what_is_missing_or_wrong_is_said),
    TEST(damaged_input_fails_after_what_could_be_read),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
