/* `winnow clean` as its users call it: exit codes, mirrored folders, files
 * that appear whole or not at all.
 *
 * Runs the command in this process over a folder made in /tmp. */
#include "base/options/command.h"
#include "clean/write/writer.h"
#include "folder.h"

extern const struct command command_clean;

static const char page[] =
    "<!doctype html><html lang=nl><title>De molen</title><article><p>De molen "
    "aan de rand van het dorp is gebouwd in het begin van de achttiende eeuw "
    "en werd tot kort na de oorlog gebruikt om graan te malen voor de boeren "
    "in de omgeving. Toen de laatste molenaar stopte, stond het gebouw een "
    "aantal jaren leeg.<p>Een groep bewoners heeft daarna geld verzameld om de "
    "molen op te knappen. Het heeft lang geduurd voor de vergunning er was, "
    "maar nu draait hij weer op zaterdag en kunnen bezoekers zien hoe het meel "
    "wordt gemaakt. Wie met een groep wil komen, moet dat van tevoren laten "
    "weten. Het is niet mogelijk om met een rolstoel naar boven te gaan, want "
    "de trap is te smal.</article>";

static int
clean(const char *a, const char *b, const char *c, const char *d, const char *e)
{
    const char *argv[] = {"clean", a, b, c, d, e, NULL};
    int argc = 0;

    while (argv[argc] != NULL)
        argc++;
    return command_main(&command_clean, argc, (char **)(void *)argv);
}

static void
the_help_describes_every_format(void)
{
    for (const struct writer *const *w = writer_table; *w != NULL; w++) {
        char line[32];

        snprintf(line, sizeof line, "\n%-9s ", (*w)->name);
        CHECK(strstr(command_clean.help, line) != NULL);
    }
}

static void
make_input(void)
{
    folder_put("in/a.html", str_c(page));
    folder_put("in/a.htm", str_c(page)); /* the same result name */
    folder_put("in/sub/page@id=1.html", str_c(page));
    folder_put("in/sub/noending", str_c(page));
    folder_put("in/short.html", S("<p>kort"));
    folder_put("in/picture.png", S("\x89PNG\r\n\x1a\n\0\0"));
    folder_put("in/.hidden.html", str_c(page));
}

static void
a_folder_is_mirrored_without_what_is_rejected(void)
{
    CHECK(clean("-o", in_folder("out"), "--language", "nl", in_folder("in")) ==
          EXIT_DONE);
    CHECK(clean("-o", in_folder("out"), "--strict", in_folder("in"), NULL) ==
          EXIT_REJECTED);
    CHECK(strncmp(folder_text("out/a.txt"), "De molen aan", 12) == 0);
    CHECK(folder_has("out/a.html.txt") || folder_has("out/a.htm.txt"));
    CHECK(folder_has("out/sub/page@id=1.txt") &&
          folder_has("out/sub/noending.txt"));
    CHECK(!folder_has("out/short.txt") && !folder_has("out/picture.png.txt"));
    CHECK(!folder_has("out/.hidden.txt"));
}

static void
all_takes_every_file_and_writes_the_rejected_too(void)
{
    CHECK(clean("-o", in_folder("all"), "--all", "--format=jsonl",
                in_folder("in")) == EXIT_DONE);
    CHECK(strstr(folder_text("all/short.jsonl"), "\"reject\":\"short\"") !=
          NULL);
    CHECK(folder_has("all/picture.png.jsonl"));
    CHECK(strstr(folder_text("all/sub/noending.jsonl"),
                 "\"url\":\"sub/noending\"") != NULL);
}

static void
one_file_goes_to_one_file_and_the_url_is_as_given(void)
{
    CHECK(clean("--format=xml", "-o", in_folder("one.xml"),
                "--url=http://a.example/x",
                in_folder("in/a.html")) == EXIT_DONE);
    CHECK(strstr(folder_text("one.xml"),
                 "<doc url=\"http://a.example/x\" id=") != NULL);
}

static void
the_url_of_a_folder_is_what_paths_come_after(void)
{
    CHECK(clean("--format=xml", "-o", in_folder("urls"),
                "--url=http://a.example/y", in_folder("in")) == EXIT_DONE);
    CHECK(strstr(folder_text("urls/sub/noending.xml"),
                 "url=\"http://a.example/y/sub/noending\"") != NULL);
}

static void
faults_have_their_exit_codes(void)
{
    CHECK(clean("--format", "pdf", in_folder("in"), NULL, NULL) == EXIT_USAGE);
    CHECK(clean("--language", "qq", in_folder("in"), NULL, NULL) == EXIT_USAGE);
    CHECK(clean(NULL, NULL, NULL, NULL, NULL) == EXIT_USAGE);
    CHECK(clean(in_folder("nowhere"), NULL, NULL, NULL, NULL) == EXIT_FAILED);
    CHECK(clean("-o", in_folder("two"), in_folder("nowhere"),
                in_folder("in/a.html"), NULL) == EXIT_REJECTED);
    CHECK(folder_has("two/a.txt"));
    folder_put("file", S("x")); /* where the folder would have to be */
    CHECK(clean("-o", in_folder("file/x"), in_folder("in/a.html"), NULL,
                NULL) == EXIT_FAILED);
}

/* Text in a file that says it is something else is found too late. */
static void
endings_of_other_formats_are_refused(void)
{
    static const char *const names[] = {"x.json", "x.ndjson.gz", "x.parquet",
                                        "x.tei.xml", "x.warc.gz"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK(clean("-o", in_folder(names[i]), in_folder("in/a.html"), NULL,
                    NULL) == EXIT_USAGE);
        CHECK(!folder_has(names[i]));
    }
    CHECK(clean("--format=tei", "-o", in_folder("x.tei.xml"),
                in_folder("in/a.html"), NULL) == EXIT_DONE);
    CHECK(strstr(folder_text("x.tei.xml"), "<TEI ") != NULL);
    CHECK(clean("-o", in_folder("x.2026"), in_folder("in/a.html"), NULL,
                NULL) == EXIT_DONE);
    CHECK(mkdir(in_folder("y.json"), 0777) == 0);
    CHECK(clean("-o", in_folder("y.json"), in_folder("in/a.html"), NULL,
                NULL) == EXIT_DONE);
    CHECK(folder_has("y.json/a.txt"));
}

static void
nothing_temporary_is_left(void)
{
    char command[600];
    FILE *f;
    int c;

    snprintf(command, sizeof command,
             "find %s -name '*.txt.*' -o -name '*.xml.*'", folder);
    f = popen(command, "r");
    CHECK(f != NULL);
    if (f == NULL)
        return;
    while ((c = getc(f)) != EOF) /* any line is a file left behind */
        CHECK(c == EOF);
    pclose(f);
}

static void
a_hyphen_is_standard_output(void)
{
    CHECK(clean("-o", "-", "--all", in_folder("in/short.html"), NULL) ==
          EXIT_DONE);
    CHECK(access("-", F_OK) != 0);
}

static void
a_job_names_input_formats_and_prefix(void)
{
    static const char job[] = "[input]\npath = in/*.html\n[output]\n"
                              "prefix = job/c\nformat = text jsonl\n"
                              "compress = none\n[clean]\nlanguage = nl\n"
                              "network = none\nlanguage_margin = 1000\n"
                              "chars_min = 1\nbadness_max = 1000\n";

    folder_put("job.ini", str_c(job));
    CHECK(clean("-j", in_folder("job.ini"), NULL, NULL, NULL) == EXIT_DONE);
    CHECK(strstr(folder_text("job/c.txt"), "De molen aan") != NULL);
    CHECK(strstr(folder_text("job/c.jsonl"), "kort") != NULL);
    CHECK(clean(in_folder("job.ini"), "--format", "xml", "-o",
                in_folder("jobxml")) == EXIT_DONE);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_help_describes_every_format),
        TEST(a_folder_is_mirrored_without_what_is_rejected),
        TEST(all_takes_every_file_and_writes_the_rejected_too),
        TEST(one_file_goes_to_one_file_and_the_url_is_as_given),
        TEST(the_url_of_a_folder_is_what_paths_come_after),
        TEST(a_hyphen_is_standard_output),
        TEST(a_job_names_input_formats_and_prefix),
        TEST(faults_have_their_exit_codes),
        TEST(endings_of_other_formats_are_refused),
        TEST(nothing_temporary_is_left),
        {0},
    };
    int code;

    folder_open();
    make_input();
    code = test_main(table, argc, argv);
    folder_close();
    return code;
}
