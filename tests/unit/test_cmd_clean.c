/* `winnow clean` as its users call it: exit codes, mirrored folders, files
 * that appear whole or not at all.
 *
 * Runs the command in this process over a folder made in /tmp. */
#include <unistd.h>

#include <sys/stat.h>

#include "test.h"
#include "winnow/buf.h"
#include "winnow/command.h"

extern const struct command command_clean;

static char root[] = "/tmp/winnow-clean-XXXXXX";

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

static const char *
at(const char *name)
{
    static char path[4][512];
    static int turn;
    char *p = path[turn = (turn + 1) % 4];

    snprintf(p, 512, "%s/%s", root, name);
    return p;
}

static void
put(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(at(name), "wb");

    CHECK(f != NULL && fwrite(text, 1, n, f) == n);
    if (f != NULL)
        fclose(f);
}

/* The file's text, "" when it is not there. */
static const char *
get(const char *name)
{
    static char text[65536];
    FILE *f = fopen(at(name), "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

    text[n] = '\0';
    if (f != NULL)
        fclose(f);
    return text;
}

static bool
there(const char *name)
{
    return access(at(name), F_OK) == 0;
}

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
make_input(void)
{
    CHECK(mkdtemp(root) != NULL);
    CHECK(mkdir(at("in"), 0777) == 0 && mkdir(at("in/sub"), 0777) == 0);
    put("in/a.html", page, sizeof page - 1);
    put("in/a.htm", page, sizeof page - 1); /* the same result name */
    put("in/sub/page@id=1.html", page, sizeof page - 1);
    put("in/sub/noending", page, sizeof page - 1);
    put("in/short.html", "<p>kort", 7);
    put("in/picture.png", "\x89PNG\r\n\x1a\n\0\0", 10);
    put("in/.hidden.html", page, sizeof page - 1);
}

static void
a_folder_is_mirrored_without_what_is_rejected(void)
{
    CHECK(clean("-o", at("out"), "--language", "nl", at("in")) ==
          EXIT_REJECTED);
    CHECK(strncmp(get("out/a.txt"), "De molen aan", 12) == 0);
    CHECK(there("out/a.html.txt") || there("out/a.htm.txt"));
    CHECK(there("out/sub/page@id=1.txt") && there("out/sub/noending.txt"));
    CHECK(!there("out/short.txt") && !there("out/picture.png.txt"));
    CHECK(!there("out/.hidden.txt"));
}

static void
all_takes_every_file_and_writes_the_rejected_too(void)
{
    CHECK(clean("-o", at("all"), "--all", "--format=jsonl", at("in")) ==
          EXIT_DONE);
    CHECK(strstr(get("all/short.jsonl"), "\"reject\":\"short\"") != NULL);
    CHECK(there("all/picture.png.jsonl"));
    CHECK(strstr(get("all/sub/noending.jsonl"), "\"url\":\"sub/noending\"") !=
          NULL);
}

static void
one_file_goes_to_one_file_and_the_url_is_as_given(void)
{
    CHECK(clean("--format=xml", "-o", at("one.xml"), "--url=http://a.example/x",
                at("in/a.html")) == EXIT_DONE);
    CHECK(strncmp(get("one.xml"), "<doc url=\"http://a.example/x\" id=", 33) ==
          0);
}

static void
the_url_of_a_folder_is_what_paths_come_after(void)
{
    CHECK(clean("--format=xml", "-o", at("urls"), "--url=http://a.example/y",
                at("in")) == EXIT_REJECTED);
    CHECK(strstr(get("urls/sub/noending.xml"),
                 "url=\"http://a.example/y/sub/noending\"") != NULL);
}

static void
faults_have_their_exit_codes(void)
{
    CHECK(clean("--format", "pdf", at("in"), NULL, NULL) == EXIT_USAGE);
    CHECK(clean("--language", "qq", at("in"), NULL, NULL) == EXIT_USAGE);
    CHECK(clean(NULL, NULL, NULL, NULL, NULL) == EXIT_USAGE);
    CHECK(clean(at("nowhere"), NULL, NULL, NULL, NULL) == EXIT_FAILED);
    CHECK(clean("-o", at("two"), at("nowhere"), at("in/a.html"), NULL) ==
          EXIT_REJECTED);
    CHECK(there("two/a.txt"));
    put("file", "x", 1); /* where the folder would have to be */
    CHECK(clean("-o", at("file/x"), at("in/a.html"), NULL, NULL) ==
          EXIT_FAILED);
}

static void
nothing_temporary_is_left(void)
{
    char command[600];
    FILE *f;
    int c;

    snprintf(command, sizeof command,
             "find %s -name '*.txt.*' -o -name '*.xml.*'", root);
    f = popen(command, "r");
    CHECK(f != NULL);
    if (f == NULL)
        return;
    while ((c = getc(f)) != EOF) /* any line is a file left behind */
        CHECK(c == EOF);
    pclose(f);
    snprintf(command, sizeof command, "rm -r %s", root);
    CHECK(system(command) == 0);
}

static void
a_hyphen_is_standard_output(void)
{
    CHECK(clean("-o", "-", "--all", at("in/short.html"), NULL) == EXIT_DONE);
    CHECK(access("-", F_OK) != 0);
}

static void
a_job_names_input_formats_and_prefix(void)
{
    static char job[] = "[input]\npath = in/*.html\n[output]\n"
                        "prefix = job/c\nformat = text jsonl\n"
                        "compress = none\n[clean]\nlanguage = nl\n"
                        "network = none\nlanguage_margin = 1000\n"
                        "chars_min = 1\nbadness_max = 1000\n";

    put("job.ini", job, sizeof job - 1);
    CHECK(clean("-j", at("job.ini"), NULL, NULL, NULL) == EXIT_DONE);
    CHECK(strstr(get("job/c.txt"), "De molen aan") != NULL);
    CHECK(strstr(get("job/c.jsonl"), "kort") != NULL);
    CHECK(clean(at("job.ini"), "--format", "xml", "-o", at("jobxml")) ==
          EXIT_DONE);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_folder_is_mirrored_without_what_is_rejected),
        TEST(all_takes_every_file_and_writes_the_rejected_too),
        TEST(one_file_goes_to_one_file_and_the_url_is_as_given),
        TEST(the_url_of_a_folder_is_what_paths_come_after),
        TEST(a_hyphen_is_standard_output),
        TEST(a_job_names_input_formats_and_prefix),
        TEST(faults_have_their_exit_codes),
        TEST(nothing_temporary_is_left),
        {0},
    };

    make_input();
    return test_main(table, argc, argv);
}
