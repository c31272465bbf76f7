/* unit.c -- see unit.h.
 *
 * The command may write to its folder and where its sockets are, and to nothing
 * else.  What hides folders from it (ProtectHome=, PrivateTmp=) is left out
 * where the job has files in them. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/path.h"

#define RUN "/run/"
#define IPC "ipc://"

/* A unit as it is made. */
struct unit_text {
    const struct unit_setup *setup;
    struct path program, folder;
    struct path writable; /* what is there of the folder it writes to */
    struct buf more;      /* other folders it writes to, a space before each */
    struct str runtime;   /* the name of its own below /run */
    bool home, tmp;       /* something of it lies there */
};

/* A word of a setting: specifiers begin with %, variables with $. */
static void
add_word(struct buf *out, struct str word, bool variables)
{
    bool quoted = word.n == 0;

    for (size_t i = 0; i < word.n; i++)
        quoted |= strchr(" \t\"'\\;", word.p[i]) != NULL;
    if (quoted)
        buf_char(out, '"');
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];

        if (c == '"' || c == '\\')
            buf_char(out, '\\');
        if (c == '%' || (c == '$' && variables))
            buf_char(out, c);
        buf_char(out, c);
    }
    if (quoted)
        buf_char(out, '"');
}

/* A setting that is one text, which nothing is quoted in. */
static void
add_text(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '%')
            buf_char(out, '%');
        buf_char(out, text.p[i]);
    }
    buf_char(out, '\n');
}

static bool
is_under(struct str path, const char *folder)
{
    return str_starts(path, str_c(folder));
}

static void
note_place(struct unit_text *u, struct str path)
{
    u->home |= is_under(path, "/home/") || is_under(path, "/root/");
    u->tmp |= is_under(path, "/tmp/") || is_under(path, "/var/tmp/");
}

/* ST_USAGE: it is not there (reported). */
static enum status
find(const char *path, struct path *out)
{
    char whole[PATH_MAX];

    if (realpath(path, whole) == NULL) {
        log_error("config", "%s: %s", path, strerror(errno));
        return ST_USAGE;
    }
    *out = path_printf("%s", whole);
    return ST_OK;
}

/* A folder that is not there yet is made in the one above. */
static enum status
find_writable(struct unit_text *u)
{
    struct str dir = str_c(u->setup->dir);

    if (access(u->setup->dir, F_OK) == 0)
        return find(u->setup->dir, &u->writable);
    dir.n -= path_base(dir).n;
    return find(dir.n > 0 ? path_printf("%.*s", STRF(dir)).z : ".",
                &u->writable);
}

/* The folder of a file that the command makes. */
static void
add_folder_of(struct unit_text *u, struct str file)
{
    struct str folder = str_sub(file, 0, file.n - path_base(file).n);

    if (folder.n == 0 || folder.p[0] != '/')
        return;
    note_place(u, file);
    buf_char(&u->more, ' ');
    add_word(&u->more, str_sub(folder, 0, folder.n - (folder.n > 1)), false);
}

/* The address of a service that the command is. */
static void
add_socket(struct unit_text *u, struct str url)
{
    struct str name;

    if (!str_starts(url, S(IPC)))
        return;
    url = str_sub(url, strlen(IPC), url.n);
    if (!is_under(url, RUN)) {
        add_folder_of(u, url);
        return;
    }
    name = str_sub(url, strlen(RUN), url.n);
    u->runtime = str_sub(name, 0, name.n - path_base(name).n);
    u->runtime.n -= u->runtime.n > 0;
}

static void
add_places(struct unit_text *u)
{
    const struct opts *o = u->setup->opts;
    const char *command = u->setup->command;

    note_place(u, str_c(u->program.z));
    note_place(u, str_c(u->folder.z));
    note_place(u, str_c(u->writable.z));
    for (size_t i = 0; i < opt_table_n; i++)
        if (strcmp(opt_table[i].type, "path") == 0)
            note_place(
                u, *(const struct str *)(const void *)((const char *)o +
                                                       opt_table[i].offset));
    add_folder_of(u, o->log_stats_file);
    if (strcmp(command, "frontier") == 0)
        add_socket(u, o->frontier_url);
    if (strcmp(command, "dedup") == 0)
        add_socket(u, o->dedup_url);
    if (strcmp(command, "publish") == 0)
        add_socket(u, o->dedup_pub);
}

static void
add_exec(const struct unit_text *u, struct buf *out)
{
    buf_c(out, "ExecStart=");
    add_word(out, str_c(u->program.z), true);
    buf_printf(out, " %s ", u->setup->command);
    add_word(out, str_c(u->setup->job), true);
    buf_c(out, " --dir ");
    add_word(out, str_c(u->setup->dir), true);
    for (size_t i = 0; i < u->setup->set_n; i++) {
        buf_c(out, " --set ");
        add_word(out, str_c(u->setup->set[i]), true);
    }
    buf_char(out, '\n');
}

/* Whose folder that is. */
static void
add_user(const struct unit_text *u, struct buf *out)
{
    struct stat s;
    const struct passwd *user;

    if (stat(u->writable.z, &s) != 0)
        return;
    if (s.st_uid == 0)
        log_warn("config",
                 "%s belongs to root, as whom the unit would run: give it to a "
                 "user of its own (chown)",
                 u->writable.z);
    user = getpwuid(s.st_uid);
    if (user != NULL)
        buf_printf(out, "User=%s\n", user->pw_name);
    else
        buf_printf(out, "User=%lu\n", (unsigned long)s.st_uid);
}

static void
add_service(const struct unit_text *u, struct buf *out)
{
    buf_c(out, "\n[Service]\n"
               "Type=notify\n"
               "TimeoutStartSec=infinity\n"
               "WatchdogSec=120\n");
    add_user(u, out);
    buf_c(out, "WorkingDirectory=");
    add_text(out, str_c(u->folder.z));
    add_exec(u, out);
    buf_c(out, "Restart=on-failure\n"
               "RestartSec=60\n"
               "RestartPreventExitStatus=2\n"
               "SuccessExitStatus=130\n"
               "LimitNOFILE=65536\n"
               "NoNewPrivileges=yes\n"
               "ProtectSystem=strict\n"
               "ReadWritePaths=");
    add_word(out, str_c(u->writable.z), false);
    buf_str(out, buf_view(&u->more));
    buf_char(out, '\n');
    if (u->runtime.n > 0) {
        buf_c(out, "RuntimeDirectory=");
        add_word(out, u->runtime, false);
        buf_c(out, "\nRuntimeDirectoryPreserve=yes\n");
    }
    buf_printf(out, "ProtectHome=%s\n", u->home ? "read-only" : "yes");
    if (!u->tmp)
        buf_c(out, "PrivateTmp=yes\n");
}

/* No line of a unit can have them. */
static bool
has_control(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < ' ' && text.p[i] != '\n')
            return true;
    return false;
}

static enum status
fill(struct unit_text *u, struct buf *out)
{
    enum status st;

    if ((st = find("/proc/self/exe", &u->program)) != ST_OK ||
        (st = find(".", &u->folder)) != ST_OK ||
        (st = find_writable(u)) != ST_OK)
        return st;
    add_places(u);
    buf_printf(out,
               "[Unit]\n"
               "Description=Winnow: %s ",
               u->setup->command);
    add_text(out, path_base(str_c(u->setup->dir)));
    buf_c(out, "Wants=network-online.target\n"
               "After=network-online.target\n"
               "StartLimitIntervalSec=0\n");
    add_service(u, out);
    buf_c(out, "\n[Install]\nWantedBy=multi-user.target\n");
    return ST_OK;
}

enum status
unit_write(const struct unit_setup *setup, struct buf *out)
{
    struct unit_text u = {.setup = setup};
    enum status st = fill(&u, out);

    if (st == ST_OK && has_control(buf_view(out))) {
        log_error("config",
                  "a name with control characters has no place in a unit");
        st = ST_USAGE;
    }
    buf_free(&u.more);
    return st;
}
