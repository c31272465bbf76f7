/* cmd_init.c -- `winnow init`: what a crawler shows to the sites it visits.
 *
 * A key for signatures, the directory in which its public part is published, a
 * page about the crawler, and the list of its addresses: files for the web
 * server of the operator, who looks them over first. */
#include <errno.h>
#include <stdio.h>

#include <arpa/inet.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/options/command.h"
#include "crawler/admit/address_policy.h"
#include "crawler/admit/robots.h"
#include "signer.h"

static bool
put(const char *dir, const char *name, const struct buf *text)
{
    struct buf path = {0};
    bool good;

    buf_printf(&path, "%s/%s", dir, name);
    buf_char(&path, '\0');
    good = file_write(path.p, buf_view(text)) == ST_OK;
    if (!good)
        fprintf(stderr, "winnow init: %s: %s\n", path.p, strerror(errno));
    buf_free(&path);
    return good;
}

static void
directory(struct buf *out, const struct signer *s)
{
    struct json j = {.out = out};

    json_object(&j);
    json_key(&j, "keys");
    json_array(&j);
    json_object(&j);
    json_kstr(&j, "kty", S("OKP"));
    json_kstr(&j, "crv", S("Ed25519"));
    json_kstr(&j, "kid", str_c(signer_keyid(s)));
    json_kstr(&j, "x", str_c(signer_public(s)));
    json_kstr(&j, "use", S("sig"));
    json_object_end(&j);
    json_array_end(&j);
    json_kstr(&j, "purpose", S("crawler"));
    json_object_end(&j);
    buf_char(out, '\n');
}

/* The first address of the range of `n` bits; whether it was that. */
static bool
to_network(unsigned char *bytes, size_t bytes_n, uint64_t n)
{
    bool was = true;

    for (size_t i = 0; i < bytes_n; i++) {
        unsigned shift = n >= 8 * (i + 1) ? 0 : n <= 8 * i ? 8 : 8 - n % 8;
        unsigned char kept = (unsigned char)(0xffu << shift & bytes[i]);

        was = was && kept == bytes[i];
        bytes[i] = kept;
    }
    return was;
}

/* An address, or a range of them: 192.0.2.0/24. */
static int
check_range(const struct invocation *in, const char *text)
{
    struct str address = str_c(text);
    const bool six = strchr(text, ':') != NULL;
    const int family = six ? AF_INET6 : AF_INET;
    const uint64_t most = six ? 128 : 32;
    unsigned char bytes[16];
    char alone[INET6_ADDRSTRLEN] = "";
    size_t slash = str_find(address, '/', 0);
    uint64_t n = most;

    if (slash < sizeof alone)
        memcpy(alone, text, slash);
    if ((slash < address.n &&
         (!str_u64(str_sub(address, slash + 1, address.n), &n) || n > most)) ||
        inet_pton(family, alone, bytes) != 1)
        return command_usage(in,
                             "--address %s: an address or a range, such as "
                             "192.0.2.0/24",
                             text);
    if (to_network(bytes, six ? 16 : 4, n))
        return EXIT_DONE;
    inet_ntop(family, bytes, alone, sizeof alone);
    return command_usage(in,
                         "--address %s: an address inside of a range; the "
                         "range is %s/%llu",
                         text, alone, (unsigned long long)n);
}

/* In the form that search engines publish theirs. */
static void
addresses(struct buf *out, const char *const *range, size_t n)
{
    struct json j = {.out = out};
    char iso[21];

    clock_iso(clock_wall_ms(), iso);
    json_object(&j);
    json_kstr(&j, "creationTime", str_n(iso, 19));
    json_key(&j, "prefixes");
    json_array(&j);
    for (size_t i = 0; i < n; i++) {
        json_object(&j);
        json_kstr(&j, strchr(range[i], ':') ? "ipv6Prefix" : "ipv4Prefix",
                  str_c(range[i]));
        json_object_end(&j);
    }
    json_array_end(&j);
    json_object_end(&j);
    buf_char(out, '\n');
}

static void
escaped(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '&' || s.p[i] == '<' || s.p[i] == '"')
            buf_printf(out, "&#%d;", s.p[i]);
        else
            buf_char(out, s.p[i]);
}

static void
page(struct buf *out, const struct opts *o, const char *contact)
{
    struct str token = robots_token(robots_agent(o));

    buf_c(out,
          "<!doctype html><html lang=en><meta charset=utf-8><title>About ");
    escaped(out, token);
    buf_c(out,
          "</title>\n<h1>About our crawler</h1>\n<p>It collects texts of the "
          "web for a corpus. It calls itself <code>");
    escaped(out, o->fetch_user_agent);
    buf_printf(out,
               "</code>, asks a host once in %llu ms at most, obeys robots.txt "
               "(RFC 9309) and reads what a page says of the use of its text "
               "(TDMRep, Content-Usage, Content-Signal, noai).</p>\n"
               "<h2>To keep it away</h2>\n<pre>User-agent: ",
               (unsigned long long)o->politeness_delay_ms);
    escaped(out, token);
    buf_c(out, "\nDisallow: /</pre>\n<h2>To know it</h2>\n<p>It comes from the "
               "<a href=addresses.json>addresses listed here</a>. Signed "
               "requests can be checked with the key in <a href="
               "/.well-known/http-message-signatures-directory>our directory"
               "</a>.</p>\n<h2>To ask us, or to have pages removed</h2>\n<p>");
    escaped(out, str_c(contact));
    buf_c(out, "</p></html>\n");
}

static int
write_all(struct invocation *in, const char *dir, const char *contact)
{
    struct buf path = {0}, out = {0};
    struct signer *s = NULL;
    const char *const *range;
    bool good, kept;
    size_t n;

    buf_printf(&path, "%s/key.pem", dir);
    buf_char(&path, '\0');
    kept = access(path.p, F_OK) == 0;
    good = (kept || signer_make_key(path.p) == ST_OK) &&
           signer_open(&s, path.p, S("")) == ST_OK;
    if (good && kept)
        fprintf(stderr,
                "winnow init: %s is kept; the other files are made "
                "anew\n",
                path.p);
    if (good) {
        directory(&out, s);
        good = put(dir, "http-message-signatures-directory", &out);
        buf_clear(&out);
        range = invocation_flag_all(in, "address", &n);
        addresses(&out, range, n);
        good = put(dir, "addresses.json", &out) && good;
        buf_clear(&out);
        page(&out, &in->opts, contact);
        good = put(dir, "bot.html", &out) && good;
    }
    signer_free(s);
    buf_free(&path);
    buf_free(&out);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static bool
is_contact(const char *text)
{
    struct arena *a = arena_new();
    bool is = address_policy_contact(a, str_c(text)).n > 0;

    arena_free(a);
    return is;
}

static int
run(struct invocation *in)
{
    const char *contact = invocation_flag(in, "contact");
    size_t n;
    const char *const *range = invocation_flag_all(in, "address", &n);
    int code;

    for (size_t i = 0; i < n; i++)
        if ((code = check_range(in, range[i])) != EXIT_DONE)
            return code;
    if (in->words_n != 1 || contact == NULL)
        return command_usage(in, "a folder, and --contact");
    if (!is_contact(contact))
        return command_usage(in, "--contact %s: a mail address or a URL",
                             contact);
    if (mkdir(in->words[0].p, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "winnow init: %s: %s\n", in->words[0].p,
                strerror(errno));
        return EXIT_FAILED;
    }
    return write_all(in, in->words[0].p, contact);
}

static const struct flag flags[] = {
    FLAG("contact", "TEXT", "Whom to ask: a mail address or a URL."),
    FLAG("address", "RANGE", "192.0.2.0/24, 2001:db8::/48; may be repeated."),
    {0},
};

const struct command command_init = {
    .name = "init",
    .group = COMMANDS_CRAWLING,
    .usage = "[JOB.ini] DIR --contact TEXT [--address RANGE ...]",
    .summary = "Make the key and the files by which sites can tell a crawler.",
    .help = "DIR gets\n"
            "  key.pem         the private key (Ed25519), for fetch.sign_key\n"
            "  http-message-signatures-directory\n"
            "                  its public part: to be served as\n"
            "                  https://SITE/.well-known/"
            "http-message-signatures-directory,\n"
            "                  type application/"
            "http-message-signatures-directory+json\n"
            "  addresses.json  where the crawler comes from\n"
            "  bot.html        a page about it, for fetch.user_agent to name\n"
            "A key that is there is never replaced; the other files are, so "
            "contact\nand addresses can be changed.  Then, in the job:\n"
            "  [fetch]\n"
            "  sign_key = DIR/key.pem\n"
            "  sign_agent = https://SITE\n",
    .flags = flags,
    .job_first = true,
    .run = run,
};
