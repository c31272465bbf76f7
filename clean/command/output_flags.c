/* output_flags.c -- see output_flags.h.
 *
 * With output.prefix a job names its corpus: one file for each format,
 * PREFIX.SUFFIX, with the documents of all inputs, as --join -o PREFIX has it.
 * Options that are only presets say nothing here: --format is what the ending
 * of OUT says (page.xml), else text, and files are not split unless somebody
 * asks for it. */
#include "output_flags.h"

#include <sys/stat.h>

bool
is_folder(const char *path)
{
    struct stat sb;

    return path != NULL && stat(path, &sb) == 0 && S_ISDIR(sb.st_mode);
}

/* The flag's value; without it that of [output] key when something has set it;
 * else NULL. */
static const char *
flag_or_option(const struct invocation *in, const char *flag, const char *key,
               struct arena *a)
{
    const char *value = invocation_flag(in, flag);
    struct buf text = {0};

    if (value != NULL || !opts_given(&in->opts, "output", key))
        return value;
    opts_show(&in->opts, opt_find(S("output"), str_c(key)), &text);
    value = arena_cstr(a, buf_view(&text));
    buf_free(&text);
    return value;
}

static int
add_format(const struct invocation *in, struct outputs *to, struct str name)
{
    const struct writer *w = writer_find(name);

    if (w == NULL)
        return command_usage(in, "--format %.*s: no such format (%s)",
                             STRF(name),
                             opt_find(S("output"), S("format"))->unit);
    for (size_t i = 0; i < to->n; i++)
        if (to->item[i].writer == w)
            return command_usage(in, "--format: %s is given twice", w->name);
    return outputs_add(to, w, NULL) == ST_OK ? EXIT_DONE : EXIT_USAGE;
}

/* OUT without .gz or .zst; *pack: which of them it had. */
static struct str
without_packing(struct str out, enum pack *pack)
{
    *pack = PACK_NONE;
    for (int p = PACK_NONE + 1; p < PACK_N; p++) {
        struct str suffix = str_c(pack_suffix((enum pack)p));

        if (!str_ends(out, suffix))
            continue;
        *pack = (enum pack)p;
        return str_sub(out, 0, out.n - suffix.n);
    }
    return out;
}

/* NAME.SUFFIX, and a name is there. */
static bool
has_ending(struct str out, const char *suffix)
{
    struct str ending = str_c(suffix);

    return out.n >= ending.n + 2 && str_ends(out, ending) &&
           out.p[out.n - ending.n - 1] == '.';
}

/* Endings that say another format than text, which such a file would have. */
static int
ending_of_others(const struct invocation *in, const char *out)
{
    static const struct {
        const char *ending, *instead;
    } others[] = {
        {"json", "FILE.jsonl has a JSON object a line"},
        {"ndjson", "FILE.jsonl is that"},
        {"parquet", "pyarrow makes it of FILE.jsonl"},
        {"csv", "FILE.jsonl has the fields of a document"},
        {"tsv", "FILE.jsonl has the fields of a document"},
        {"tei.xml", "FILE.tei, or --format tei"},
        {"warc", "FILE.wet has the text as WARC records"},
        {"conllu", "winnow run vertical -D form=conllu makes it"},
        {"markdown", "FILE.md is"},
    };
    enum pack pack;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_ending(without_packing(str_c(out), &pack), others[i].ending))
            return command_usage(in,
                                 "-o %s: .%s is not written: %s; or what is it "
                                 "to be? --format",
                                 out, others[i].ending, others[i].instead);
    return EXIT_DONE;
}

/* The format that the ending of OUT names. */
static int
format_of_name(const struct invocation *in, const char **format)
{
    const char *out = invocation_flag(in, "out");
    int code =
        out != NULL && !is_folder(out) ? ending_of_others(in, out) : EXIT_DONE;
    enum pack pack;

    *format = "text";
    for (size_t i = 0; out != NULL && writer_table[i] != NULL; i++)
        if (has_ending(without_packing(str_c(out), &pack),
                       writer_table[i]->suffix))
            *format = writer_table[i]->name;
    return code;
}

static int
add_formats(const struct invocation *in, struct arena *a, struct outputs *to)
{
    const char *list = flag_or_option(in, "format", "format", a);
    int code = list != NULL ? EXIT_DONE : format_of_name(in, &list);
    struct str rest = str_c(list), name;

    while (code == EXIT_DONE && str_word(&rest, &name))
        code = add_format(in, to, name);
    if (code == EXIT_DONE && to->n == 0)
        code = command_usage(in, "--format: which?");
    return code;
}

static int
two_packings(const struct invocation *in, const char *file)
{
    return command_usage(in,
                         "%s: its ending and --compress %s are two things: "
                         "leave one of them out",
                         file, invocation_flag(in, "compress"));
}

/* What a named file's ending says of its compression, and --compress.  A file
 * without such an ending gets the one that it needs; pipes and devices keep
 * their names. */
static int
set_ending(const struct invocation *in, const struct outputs *to,
           struct arena *a, const char **file)
{
    struct stat sb;
    enum pack pack;

    (void)without_packing(str_c(*file), &pack);
    if (!to->pack_given || pack == to->pack ||
        (stat(*file, &sb) == 0 && !S_ISREG(sb.st_mode)))
        return EXIT_DONE;
    if (pack != PACK_NONE)
        return two_packings(in, *file);
    *file = arena_printf(a, "%s%s", *file, pack_suffix(to->pack)).p;
    return EXIT_DONE;
}

static int
add_side_files(const struct invocation *in, struct arena *a, struct outputs *to)
{
    static const char *const sides[][2] = {
        /* flag, format: --shingles is for tender, texrex's or ours */
        {"links", "links"},     {"shingles", "tender"}, {"tokens", "tokens"},
        {"metrics", "metrics"}, {"index", "index"},
    };
    int code = EXIT_DONE;

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const char *file = invocation_flag(in, sides[i][0]);

        if (file == NULL || code != EXIT_DONE)
            continue;
        if (strcmp(file, "-") == 0)
            return command_usage(in,
                                 "--%s -: a file, please; --format %s -o - "
                                 "prints them",
                                 sides[i][0], sides[i][1]);
        code = set_ending(in, to, a, &file);
        if (code == EXIT_DONE &&
            outputs_add(to, writer_find(str_c(sides[i][1])), file) != ST_OK)
            code = EXIT_USAGE;
    }
    return code;
}

static struct output *
output_of(struct outputs *to, struct str format)
{
    for (size_t i = 0; i < to->n; i++)
        if (str_eq(format, str_c(to->item[i].writer->name)))
            return &to->item[i];
    return NULL;
}

/* output.compress_formats and split_formats, of the formats that are written.
 */
static int
set_formats(const struct invocation *in, bool compress, struct outputs *to)
{
    const struct opt_list *list = compress ? &in->opts.output_compress_formats
                                           : &in->opts.output_split_formats;

    for (size_t i = 0; i < list->n; i++) {
        struct str item = list->item[i];
        size_t equals = str_find(item, '=', 0);
        struct str format = str_sub(item, 0, equals);
        struct str value = str_sub(item, equals + 1, item.n);
        struct output *x = output_of(to, format);
        enum pack pack = PACK_NONE;
        uint64_t mib = 0;

        if (writer_find(format) == NULL)
            return command_usage(
                in, "output.%s: %.*s: no such format",
                compress ? "compress_formats" : "split_formats", STRF(item));
        if (compress && !pack_named(value, &pack))
            return command_usage(
                in, "output.compress_formats: %.*s: gzip, zstd or none",
                STRF(item));
        if (!compress && (!str_u64(value, &mib) || mib > (UINT64_MAX >> 20)))
            return command_usage(
                in, "output.split_formats: %.*s: a whole number of MiB",
                STRF(item));
        if (x != NULL && compress) {
            x->pack_own = true;
            x->pack = pack;
        } else if (x != NULL) {
            x->split_own = true;
            x->split_bytes = mib << 20;
        }
    }
    return EXIT_DONE;
}

static int
set_packing(const struct invocation *in, bool prefixed, struct arena *a,
            struct outputs *to)
{
    const char *compress = invocation_flag(in, "compress");
    const char *split = invocation_flag(in, "split-mib");
    uint64_t mib = 0;
    int code = EXIT_DONE;

    if (prefixed && compress == NULL)
        code = set_formats(in, true, to);
    if (prefixed && split == NULL && code == EXIT_DONE)
        code = set_formats(in, false, to);
    if (code != EXIT_DONE)
        return code;
    if (prefixed) {
        compress = flag_or_option(in, "compress", "compress", a);
        split = flag_or_option(in, "split-mib", "split_mib", a);
    }
    if (split != NULL &&
        (!str_u64(str_c(split), &mib) || mib == 0 || mib > (UINT64_MAX >> 20)))
        return command_usage(in, "--split-mib %s: a whole number from 1",
                             split);
    if (compress != NULL && !pack_named(str_c(compress), &to->pack))
        return command_usage(in, "--compress %s: gzip, zstd or none", compress);
    to->pack_given = compress != NULL;
    to->split_bytes = mib << 20;
    to->join = prefixed || split != NULL || invocation_flag(in, "join") != NULL;
    return EXIT_DONE;
}

/* OUT is called as a file of one of the formats is, and no folder has that
 * name. */
static bool
names_file(const struct outputs *to)
{
    enum pack pack;

    if (to->out == NULL || is_folder(to->out))
        return false;
    for (size_t i = 0; i < to->n; i++)
        if (has_ending(without_packing(str_c(to->out), &pack),
                       to->item[i].writer->suffix))
            return true;
    return false;
}

/* OUT may be written with the ending it will get: corpus.xml.gz. */
static int
drop_ending(const struct invocation *in, struct arena *a, struct outputs *to)
{
    enum pack pack;
    struct str out = without_packing(str_c(to->out), &pack);

    for (size_t i = 0; i < to->n; i++) {
        const char *suffix = to->item[i].writer->suffix;

        if (!has_ending(out, suffix))
            continue;
        if (to->pack_given && pack != PACK_NONE && pack != to->pack)
            return two_packings(in, to->out);
        to->out = arena_cstr(a, str_sub(out, 0, out.n - strlen(suffix) - 1));
        if (pack != PACK_NONE)
            to->pack = pack;
        break;
    }
    return EXIT_DONE;
}

int
output_flags(const struct invocation *in, bool folder_in, struct arena *a,
             struct outputs *to)
{
    bool prefixed;
    size_t formats_n;
    int code = add_formats(in, a, to);

    to->out = command_out(in, "out");
    prefixed =
        invocation_flag(in, "out") == NULL && in->opts.output_prefix.n > 0;
    if (prefixed)
        to->out = arena_cstr(a, in->opts.output_prefix);
    if (code != EXIT_DONE ||
        (code = set_packing(in, prefixed, a, to)) != EXIT_DONE)
        return code;
    formats_n = to->n;
    to->join = to->join || (folder_in && names_file(to));
    if (to->out == NULL && (to->join || formats_n > 1))
        return command_usage(in, "%s: where to? -o OUT",
                             to->join ? "one file for all inputs"
                                      : "several formats");
    if (to->join && str_ends(str_c(to->out), S("/")))
        return command_usage(in,
                             "-o %s is a folder: name the files in it, "
                             "-o %scorpus",
                             to->out, to->out);
    to->folder = !to->join && (folder_in || is_folder(to->out) ||
                               str_ends(str_c(to->out), S("/")));
    to->exact = !to->join && !to->folder && formats_n == 1;
    if (to->out != NULL && !to->folder && !to->exact)
        code = drop_ending(in, a, to);
    if (code == EXIT_DONE && to->out != NULL && to->exact)
        code = set_ending(in, to, a, &to->out);
    return code == EXIT_DONE ? add_side_files(in, a, to) : code;
}
