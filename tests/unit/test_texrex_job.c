/* Job files of texrex mean what its manual says: every key of the table has a
 * place here or a reason why not, whatever the order of the lines. */
#include "base/options/opt.h"
#include "base/regex.h"
#include "base/texrex/texrex_job.h"
#include "folder.h"

struct job_row {
    const char *section, *key, *how, *target;
};

static const struct job_row rows[] = {
#define TEXREX(section, key, how, target, argument, absent, off)               \
    {section, key, #how, target},
#include "base/texrex/texrex.tbl.h"
#undef TEXREX
};

static struct opts o;
static char *report;
static size_t report_n;

static enum status
read_job(const char *text)
{
    opts_init(&o);
    o.faults = open_memstream(&report, &report_n);
    return opts_read_text(&o, in_folder("job.ini"), str_c(text));
}

static void
finish(void)
{
    fclose(o.faults);
    opts_free(&o);
    free(report);
}

static bool
reported(const char *what)
{
    fflush(o.faults);
    if (strstr(report, what) != NULL)
        return true;
    fprintf(stderr, "not there: %s\nreport:\n%s\n", what, report);
    return false;
}

static bool
reported_at_all(void)
{
    fflush(o.faults);
    return report_n > 0;
}

static bool
is(const char *section, const char *key, const char *wanted)
{
    struct buf value = {0};
    bool same;

    opts_show(&o, opt_find(str_c(section), str_c(key)), &value);
    same = str_eq(buf_view(&value), str_c(wanted));
    if (!same)
        fprintf(stderr, "%s.%s = <%.*s>, wanted <%s>\n", section, key,
                STRF(buf_view(&value)), wanted);
    buf_free(&value);
    return same;
}

/* A value that the kind of key takes. */
static const char *
sample(const struct job_row *row)
{
    static const char *const numbers[] = {"NUMBER", "KIB", "SECONDS", "ITEM"};
    static const char *const switches[] = {
        "FLAG", "CHOICE", "WITH", "WITHOUT", "USE", "META", "DEAD_END"};
    if (strcmp(row->how, "UNLESS") == 0)
        return "0";

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(row->how, numbers[i]) == 0)
            return "1";
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (strcmp(row->how, switches[i]) == 0)
            return "1";
    static const char *const others[][2] = {{"LIST", "chars|tokens"},
                                            {"FACTS", "title|host"},
                                            {"OF_BLOCKS", "chars|x"},
                                            {"INPUT", "file"},
                                            {"NETWORK", "file"},
                                            {"WALKER", "TTrWalker"},
                                            {"READER", "TTrArcReader"},
                                            {"GEO", "file.mmdb"},
                                            {"OTHER", ""}};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(row->how, others[i][0]) == 0)
            return others[i][1];
    return "x";
}

/* A key without a meaning: of threads and queues, nothing else. */
static bool
may_mean_nothing(const char *key)
{
    static const char *const keys[] = {"InQSize",
                                       "OutQSize",
                                       "WorkerManagement",
                                       "ManagementInterval",
                                       "MangementInterval",
                                       "PreferedInQueueQuartile",
                                       "PreferredInQueueQuartile",
                                       "ReaderNumber",
                                       "DocumentBufferSize",
                                       "RetryWait",
                                       "MaxWorkerNumber",
                                       "MinWorkerNumber",
                                       "BufferSize",
                                       "PopSleep",
                                       "PushSleep",
                                       "PushLimit",
                                       "WriterNumber"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void
every_key_has_a_place_or_a_reason(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct job_row *row = &rows[i];
        bool nothing = strcmp(row->how, "NOTHING") == 0;
        char text[256], wanted[128];
        struct str target = str_c(row->target);
        size_t dot = str_find(target, '.', 0);

        if (row->key[0] == '\0')
            continue;
        snprintf(text, sizeof text, "[%s]\n%s=%s\n%s", row->section, row->key,
                 sample(row),
                 strcmp(row->how, "GEO") == 0 ? "UseGeolocator=1\n" : "");
        CHECK(read_job(text) == ST_OK);
        if (nothing && !may_mean_nothing(row->key))
            fprintf(stderr, "%s.%s\n", row->section, row->key);
        CHECK(!nothing || may_mean_nothing(row->key));
        if (nothing) {
            snprintf(wanted, sizeof wanted, "job.ini:2: %s.%s has no meaning",
                     row->section, row->key);
            CHECK(reported(wanted));
        } else if (strcmp(row->how, "USE") != 0 &&
                   strcmp(row->how, "META") != 0 &&
                   strcmp(row->how, "OTHER") != 0) {
            const struct opt *found = opt_find(
                str_sub(target, 0, dot), str_sub(target, dot + 1, target.n));

            CHECK(found != NULL);
            /* A switch at its usual place changes nothing. */
            if (strcmp(row->how, "WITHOUT") != 0 &&
                strcmp(row->how, "DEAD_END") != 0 && found != NULL)
                CHECK(opts_given(&o, found->section, found->key));
        }
        finish();
    }
}

/* The published properties of texrex's program, and what only its manual
 * has. */
static void
every_published_key_is_known(void)
{
    static const char *const keys[][2] = {
#define KEY(section, key) {#section, #key},
#include "texrex_keys.tbl.h"
#undef KEY
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char text[256];

        snprintf(text, sizeof text, "[%s]\n%s=\n", keys[i][0], keys[i][1]);
        (void)read_job(text);
        fflush(o.faults);
        if (strstr(report, "no such") != NULL &&
            strstr(report, "no such file") == NULL)
            fprintf(stderr, "%s.%s\n", keys[i][0], keys[i][1]);
        CHECK(strstr(report, "no such option") == NULL &&
              strstr(report, "no such section") == NULL);
        finish();
    }
}

static const char job[] =
    "[TTrApplication]\nJobName=\"demo\"\nInQSize=5\n\n"
    "[TTrReaderPool]\nFileName=\"file\"\nMinDocSize=2\nMaxDocSize=512\n"
    "CrawlHeaderExtract=\"Last-Modified|Date\"\n\n"
    "[TTrWorkerPool]\nUseDuplicateDetector=1\nUseSimpleFilter=1\n"
    "UseDeboilerplater=1\nUseTextAssessment=1\nUseNormalizer=0\n"
    "UseDivDeduplicator=0\nUseShingler=1\nWorkerNumber=4\nBloomErrorRate=0."
    "00001\n\n"
    "[TTrWriterPool]\nPrefix=\"out/corpus\"\nWriteText=1\nWriteDups=1\n"
    "DupBlank=\"gone\"\nWriteShingles=1\nWriteLinks=1\nWriteTokens=0\n"
    "WriteDocAttr=\"host|date|last-modified|tarcfile|tarcbodyoffset\"\n"
    "WriteDocMeta=\"\"\nWriteBdc=0\nWriteMaxTokens=7\nSplitSizeXml=0\n"
    "GzipXml=1\n\n"
    "[ttrhtmlstripper]\nextractanchors=1\nKEEPEXTERNALLINKS=0\n"
    "MinimalLinkLength=10\n\n"
    "[TTrSimpleDocumentFilter]\nDivThreshold=3\nSizeThreshold=1000\n\n"
    "[TTrSecondPass]\nCleanseEmail=1\nCleanseTags=1\nEmailReplacer=\"E M\"\n\n"
    "[TTrDeboilerplater]\nThreshold=0.4\nMinCharsBelowThreshold=200\n"
    "CustomRegex=\"(more|\\.\\.\\.)$\"\n\n"
    "[TTrTextAssessment]\nProfileFile=\"en.prof\"\nThreshold=30\n\n"
    "[TTrNormalizer]\nReplacementFile=\"not.there\"\n";

static void
the_manuals_job_is_translated(void)
{
    CHECK(read_job(job) == ST_OK);
    CHECK(is("clean", "bytes_min", "2KiB"));
    CHECK(is("clean", "bytes_max", "512KiB"));
    CHECK(is("clean", "duplicates", "bytes"));
    CHECK(is("clean", "duplicates_error", "1e-05"));
    CHECK(is("clean", "threads", "4"));
    CHECK(is("clean", "chars_all_min", "1000"));
    CHECK(is("clean", "blocks_all_min", "3"));
    CHECK(is("clean", "chars_min", "200"));
    CHECK(is("clean", "blocks_min", "1"));         /* texrex's preset */
    CHECK(is("clean", "chars_share_min", "0.25")); /* the same */
    CHECK(is("clean", "boilerplate_max", "0.4"));
    CHECK(is("clean", "boilerplate_regex", "\\A(?:(more|\\.\\.\\.)$)"));
    CHECK(is("clean", "badness_max", "30"));
    CHECK(is("clean", "language", "en")); /* en.prof is not there */
    CHECK(is("clean", "language_margin", "1000"));
    CHECK(is("clean", "noindex", "off"));
    CHECK(is("clean", "replacements", "")); /* UseNormalizer=0 */
    CHECK(is("clean", "links", "same_host same_domain"));
    CHECK(is("clean", "link_bytes_min", "10"));
    CHECK(is("clean", "link_bytes_max", "1KiB"));
    CHECK(is("clean", "cleanse", "tags emails"));
    CHECK(is("clean", "email_replacer", "E M"));
    CHECK(is("output", "format", "xml tender links"));
    CHECK(is("output", "xml_doc_attributes",
             "host header-date header-last-modified unknown-tarcfile "
             "unknown-tarcbodyoffset"));
    CHECK(is("output", "xml_doc_meta", ""));
    CHECK(is("output", "xml_duplicate_text", "gone"));
    CHECK(is("output", "xml_scores",
             "bdv nbc nbcprop nbd nbdprop avgbpc avgbpd bpc bpv"));
    CHECK(is("output", "tokens_max", "7"));
    CHECK(is("output", "compress_formats", "xml=gzip"));
    CHECK(!opts_given(&o, "output", "split_formats"));
    CHECK(str_ends(o.log_stats_file, S("/demo.log")));
    CHECK(str_ends(o.input_path, S("/file")) && o.input_path.p[0] == '/');
    CHECK(str_ends(o.output_prefix, S("/out/corpus")));
    for (size_t i = 0; i < o.clean_chain.n; i++)
        CHECK(!str_eq(o.clean_chain.item[i], S("duplicates")));
    CHECK(reported("job.ini:3: TTrApplication.InQSize has no meaning"));
    finish();
}

static void
what_is_not_used_does_not_count(void)
{
    CHECK(read_job("[TTrDeboilerplater]\nMinCharsBelowThreshold=9\n"
                   "[TTrTextAssessment]\nThreshold=9\nProfileFile=x.prof\n"
                   "[TTrSimpleDocumentFilter]\nSizeThreshold=9\n"
                   "[TTrWorkerPool]\nUseTextAssessment=0\n") == ST_OK);
    CHECK(is("clean", "network", "none"));
    CHECK(is("clean", "chars_min", "0"));
    CHECK(is("clean", "badness_max", "1000"));
    CHECK(is("clean", "language", ""));
    CHECK(is("clean", "chars_all_min", "0"));
    finish();
}

static void
training_mode_judges_nothing(void)
{
    CHECK(read_job("[TTrWorkerPool]\nUseDeboilerplater=1\n"
                   "[TTrDeboilerplater]\nTrainingMode=1\n"
                   "MinCharsBelowThreshold=9\n"
                   "[TTrWriterPool]\nWriteDivMetrics=1\n") == ST_OK);
    CHECK(is("clean", "network", "none"));
    CHECK(is("clean", "chars_min", "0"));
    CHECK(is("output", "xml_metrics", "on"));
    finish();
}

static void
languages_have_sections_of_their_own(void)
{
    char wanted[256];

    folder_put("one.prof", S(""));
    folder_put("two.prof", S(""));
    CHECK(read_job("[TTrWorkerPool]\nUseTextAssessmentMulti=1\n"
                   "[TTrTextAssessmentMulti]\nProfiles=\"Alpha|Beta\"\n"
                   "MetaThreshold=33\nBreakThreshold=12\n"
                   "[Beta]\nProfileFile=two.prof\nLanguageCode=BE\n"
                   "Threshold=1\n"
                   "[Alpha]\nProfileFile=one.prof\n") == ST_OK);
    snprintf(wanted, sizeof wanted, "one=%s/one.prof BE=%s/two.prof", folder,
             folder);
    CHECK(is("clean", "profiles", wanted));
    CHECK(is("clean", "badness_max", "33"));
    CHECK(is("clean", "badness_break", "12"));
    finish();
    CHECK(read_job("[TTrWorkerPool]\nUseTextAssessmentMulti=1\n"
                   "[TTrTextAssessmentMulti]\nProfiles=Alpha|Beta\n"
                   "[Alpha]\nProfileFile=one.prof\nX=1\n") == ST_USAGE);
    CHECK(reported(
        "job.ini:4: fatal: Profiles: there is no section [Beta] with a "
        "ProfileFile"));
    CHECK(reported("job.ini:7: fatal: [Alpha]: X: ProfileFile, LanguageCode"));
    finish();
}

/* Both lists: once each; what nobody knows is written as unknown. */
static void
names_are_written_as_texrex_writes_them(void)
{
    CHECK(read_job("[TTrWriterPool]\n"
                   "WriteDocMeta=arcfile|tarcfile|title|tarheaderclength\n"
                   "WriteDocAttr=host|hots|host\n") == ST_OK);
    CHECK(is("output", "xml_doc_meta",
             "arcfile unknown-tarcfile title unknown-tarheaderclength"));
    CHECK(is("output", "xml_doc_attributes", "host unknown-hots"));
    finish();
}

/* A file that only a processor which is off would read is not looked for. */
static void
files_of_what_is_off_are_not_looked_for(void)
{
    CHECK(read_job("[TTrWorkerPool]\nUseNormalizer=0\nUseGeolocator=0\n"
                   "UseTextAssessment=0\nGeoBlocksFile=not-there.csv\n"
                   "[TTrNormalizer]\nReplacementFile=not-there.norm\n"
                   "[TTrTextAssessment]\nProfileFile=not-there.prof\n") ==
          ST_OK);
    CHECK(!reported("not-there"));
    finish();
    CHECK(read_job("[TTrWorkerPool]\nUseNormalizer=1\n"
                   "[TTrNormalizer]\nReplacementFile=not-there.norm\n") ==
          ST_USAGE);
    finish();
}

static void
faults_come_last_and_are_marked(void)
{
    const char *remark, *fatal;

    CHECK(read_job("[TTrWriterPool]\nWriteLinks=2\nPopSleep=10\n") == ST_USAGE);
    CHECK(reported("fatal: ")); /* which completes the text */
    remark = strstr(report, "job.ini:3: TTrWriterPool.PopSleep has no");
    fatal = strstr(report, "job.ini:2: fatal: TTrWriterPool.WriteLinks");
    CHECK(remark != NULL && fatal != NULL && remark < fatal);
    finish();
}

static void
text_is_as_it_is_without_strict_xml(void)
{
    CHECK(read_job("[TTrWriterPool]\nStrictXml=0\n") == ST_OK);
    CHECK(!reported("StrictXml") && !o.output_xml_entities);
    finish();
    CHECK(read_job("[TTrWriterPool]\nStrictXml=1\n") == ST_OK);
    CHECK(o.output_xml_entities);
    finish();
}

static void
faults_name_line_and_nearest(void)
{
    static const struct {
        const char *text, *report;
    } wrong[] = {
        {"[TTrWorkerPool]\nWorkerNumbr=1\n",
         "job.ini:2: fatal: TTrWorkerPool.WorkerNumbr: no such option, did you "
         "mean "
         "WorkerNumber?\n"},
        {"[TTrWorkerPol]\nx=1\n",
         "job.ini:1: fatal: [TTrWorkerPol]: no such section, "
         "did you mean [TTrWorkerPool]?\n"},
        {"[TTrWriterPool]\nWriteLinks=2\n",
         "job.ini:2: fatal: TTrWriterPool.WriteLinks: neither 0 nor 1\n"},
        {"[TTrWriterPool]\nWriteText=maybe\n",
         "job.ini:2: fatal: TTrWriterPool.WriteText = maybe: neither 0 nor "
         "1\n"},
        {"[TTrWriterPool]\nWriteLinks=1\nWriteLinks=1\n",
         "job.ini:3: fatal: TTrWriterPool.WriteLinks is given twice, first in "
         "line "
         "2\n"},
        {"[TTrReaderPool]\nMinDocSize=two\n",
         "job.ini:2: fatal: TTrReaderPool.MinDocSize = two: not a whole "
         "number\n"},
        {"[TTrReaderPool]\nFileName=/not/there\n", "neither here nor in"},
        {"[TTrWalker]\nx=1\n",
         "job.ini:2: fatal: TTrWalker.x: no such option of "
         "texrex\n"},
        {"[TTrWorkerPool]\nUseSimpleFilter=7\n", "neither 0 nor 1\n"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(read_job(wrong[i].text) == ST_USAGE);
        CHECK(reported(wrong[i].report));
        finish();
    }
}

static void
numbers_come_into_range_and_sections_of_ours_win(void)
{
    CHECK(read_job("[clean]\nbadness_max = 20\nthreads = 3\n"
                   "[TTrArcReaderPool]\nMinDocSize=1\n"
                   "[TTrWorkerPool]\nUseTextAssessment=1\nWorkerNumber=999\n"
                   "[TTrTextAssessment]\nThreshold=35\n"
                   "[TTrPolitenessManager]\nRobotsRefreshInterval=9999999\n"
                   "MinPoliteness=2\n") == ST_OK);
    CHECK(is("clean", "badness_max", "20"));
    CHECK(is("clean", "threads", "3"));
    CHECK(is("clean", "bytes_min", "1KiB"));
    CHECK(is("politeness", "robots_ttl_seconds", "86400"));
    CHECK(is("politeness", "delay_ms", "2000"));
    finish();
    CHECK(read_job("[TTrWorkerPool]\nWorkerNumber=999\n") == ST_OK);
    CHECK(is("clean", "threads", "256"));
    finish();
}

static void
a_walk_is_a_crawl(void)
{
    CHECK(read_job("[TTrClaraxApplication]\nWalkerClassName=TTrWalker\n"
                   "[TTrWalker]\nRandomJumpProbability=0.3\n"
                   "JumpOnDeadEnd=0\nBacktrackOnDeadEnd=1\n") == ST_OK);
    CHECK(is("frontier", "scorer", "walk"));
    CHECK(is("frontier", "walk_jump", "0.3"));
    CHECK(is("frontier", "walk_dead_end", "backtrack"));
    CHECK(is("fetch", "parallel", "1"));
    CHECK(is("output", "format", "xml tender links tarc"));
    finish();
    CHECK(read_job("[TTrClaraxApplication]\nWalkerClassName=TTrOther\n") ==
          ST_USAGE);
    finish();
    CHECK(read_job("[TTrWalker]\nUserAgent=\"x/1 (+http://a.example/)\"\n"
                   "MaxSteps=100\nHostScopeRegex=\".*\\.nl\"\nSeedsFile=file\n"
                   "UseTextAssessment=0\nUseExternalLinks=0\n"
                   "WriteDocAttr=host|date\n"
                   "[TTrPolitenessManager]\nRespectRobots=1\n") == ST_OK);
    CHECK(is("frontier", "walk_steps", "100"));
    CHECK(is("scope", "visit", "^https?://(?:.*\\.nl)(?::[0-9]+)?/"));
    CHECK(is("clean", "links", "same_host same_domain"));
    CHECK(is("clean", "badness_max", "1000"));
    CHECK(is("clean", "bytes_max", "0")); /* there is no [TTrReaderPool] */
    CHECK(is("output", "xml_doc_attributes", "host header-date"));
    finish();
}

/* Of the texts: files of their own size and compression, TARC and its places,
 * what is known of a document, how much of it is compared and hashed. */
static void
the_writers_keys_are_each_formats_own(void)
{
    CHECK(
        read_job("[TTrWriterPool]\nWriteTarc=1\nWriteTokens=1\nSplitSizeXml=9\n"
                 "SplitSizeTarc=7\nSplitSizeTokens=0\nGzipTarc=1\n"
                 "GzipXml=0\nGzipTokens=1\nWriteDivMeta=\"\"\n"
                 "WriteDivAttr=chars|colour\n"
                 "WriteDocMeta=tarcfile|tarcbodyoffset|date\n") == ST_OK);
    CHECK(is("output", "format", "xml tokens tarc"));
    CHECK(is("output", "split_formats", "xml=9 tarc=7"));
    CHECK(is("output", "compress_formats", "tokens=gzip tarc=gzip"));
    CHECK(is("output", "xml_doc_meta", "tarcfile tarcbodyoffset texrex-date"));
    CHECK(is("output", "xml_block_attributes", "chars unknown-colour"));
    CHECK(!reported_at_all());
    finish();
    CHECK(read_job("[TTrWriterPool]\nSplitSizeXml=1x\n") == ST_USAGE);
    CHECK(reported("job.ini:2: fatal: TTrWriterPool.SplitSizeXml = 1x: not a "
                   "whole number"));
    finish();
}

static void
what_is_not_extracted_is_unknown(void)
{
    CHECK(read_job("[TTrReaderPool]\nReaderClass=TTrWarcReader\n"
                   "[TTrWorkerPool]\nUseMetaExtractor=1\nUseGeolocator=1\n"
                   "[TTrMetaExtractor]\nExtractAuthor=0\nExtractTitle=1\n"
                   "[TTrGeolocator]\nAddCity=1\nAddCountry=0\n"
                   "[TTrWriterPool]\nWriteDocAttr=author|title|robots|city|"
                   "country|region|date\n") == ST_OK);
    CHECK(is("input", "format", "warc"));
    CHECK(is("output", "xml_doc_attributes",
             "unknown-author title robots city unknown-country unknown-region "
             "unknown-date"));
    finish();
    CHECK(read_job("[TTrWorkerPool]\nUseMetaExtractor=0\n"
                   "[TTrMetaExtractor]\nExtractTitle=1\n"
                   "[TTrWriterPool]\nWriteDocAttr=title\n") == ST_OK);
    CHECK(is("output", "xml_doc_attributes", "unknown-title"));
    finish();
    CHECK(read_job("[TTrReaderPool]\nReaderClass=TTrZipReader\n") == ST_USAGE);
    CHECK(reported("there are TTrArcReader and TTrWarcReader"));
    finish();
}

static void
the_other_keys_mean_what_they_say(void)
{
    CHECK(read_job("[TTrApplication]\nSilent=1\nComment=\"for tests\"\n"
                   "StatsInterval=5\nDebug=1\n"
                   "[TTrWorkerPool]\nUseShingler=0\nUseNormalizer=1\n"
                   "UseNfcNormalizer=0\nUseDeboilerplater=1\n"
                   "[TTrDeboilerplater]\nFannFile=file\n"
                   "[TTrWriterPool]\nWriteShingles=1\n"
                   "[TTrShingler]\nHashesNumber=20\n"
                   "[TTrNormalizer]\nSweepCodepoints=0\n"
                   "[TTrDuplicateDetector]\nFingerprintSize=64\n") == ST_OK);
    CHECK(is("log", "progress", "off"));
    CHECK(is("log", "comment", "for tests"));
    CHECK(is("log", "stats_seconds", "5"));
    CHECK(is("log", "level", "debug"));
    CHECK(is("output", "format", "xml"));
    CHECK(is("dedup", "values", "20"));
    CHECK(is("clean", "normalise", ""));
    CHECK(is("clean", "features", "texrex"));
    CHECK(str_ends(o.clean_network, S("/file")));
    CHECK(is("clean", "duplicates_bytes", "64"));
    finish();
    CHECK(read_job("[TTrDeboilerplater]\nFannFile=not.there\n") == ST_OK);
    CHECK(reported("FannFile = not.there: no such file"));
    CHECK(reported("Winnow's own network is used"));
    CHECK(is("clean", "features", "winnow"));
    finish();
}

/* They were only remarked upon once. */
static void
the_last_keys_mean_what_they_say(void)
{
    CHECK(read_job("[TTrCharsetConverter]\nIso88591IsWin1252=0\n"
                   "[TTrWorkerPool]\nUseUtf8validator=0\n"
                   "[TTrHtmlStripper]\nDebugParse=1\n"
                   "[TTrWriterPool]\nWriteDivMeta=chars|colour\n"
                   "[TTrWalker]\nCacheSize=10\nRespectMetaRobotsNoFollow=0\n"
                   "[TTrPolitenessManager]\nMaxPoliteness=7\n") == ST_OK);
    CHECK(is("clean", "latin1", "iso-8859-1"));
    CHECK(is("clean", "damaged", "keep"));
    CHECK(is("log", "parse", "on"));
    CHECK(is("output", "xml_block_meta", "chars unknown-colour"));
    CHECK(is("frontier", "walk_cache", "10"));
    CHECK(is("clean", "nofollow", "off"));
    CHECK(is("politeness", "crawl_delay_max_ms", "7000"));
    CHECK(!reported_at_all());
    finish();
    CHECK(read_job("[TTrCharsetConverter]\nIso88591IsWin1252=1\n"
                   "[TTrWorkerPool]\nUseUtf8validator=1\n"
                   "[TTrHtmlStripper]\nDebugParse=0\n"
                   "[TTrWriterPool]\nWriteDivMeta=\"\"\n"
                   "[TTrWalker]\nRespectMetaRobotsNoFollow=1\n"
                   "[TTrPolitenessManager]\nMaxPoliteness=7\n"
                   "RespectRobotsCrawlDelay=1\n") == ST_OK);
    CHECK(is("clean", "latin1", "windows-1252"));
    CHECK(is("clean", "damaged", "drop"));
    CHECK(is("log", "parse", "off"));
    CHECK(is("output", "xml_block_meta", ""));
    CHECK(is("clean", "nofollow", "on"));
    CHECK(is("politeness", "crawl_delay_max_ms", "7000"));
    finish();
    CHECK(read_job("[TTrPolitenessManager]\nMaxPoliteness=7\n"
                   "RespectRobotsCrawlDelay=0\n") == ST_OK);
    CHECK(is("politeness", "crawl_delay_max_ms", "0"));
    finish();
    CHECK(read_job("[TTrPolitenessManager]\nRespectRobotsCrawlDelay=2\n") ==
          ST_USAGE);
    CHECK(reported("RespectRobotsCrawlDelay: neither 0 nor 1"));
    finish();
}

static bool
fetched(struct str scope, const char *url)
{
    struct regex *r = NULL;
    bool yes;

    CHECK(regex_open(&r, scope, NULL) == ST_OK);
    yes = regex_matches(r, str_c(url));
    regex_close(r);
    return yes;
}

static void
the_walkers_keys_mean_what_they_say(void)
{
    CHECK(read_job("[TTrWalker]\nHostScopeRegex=\".*\\.nl\"\n"
                   "BlockFileRegex=\".*\\.(pdf|zip)\"\nAddRandomWaitUpTo=3\n"
                   "JumpOnDeadEnd=0\nBacktrackOnDeadEnd=0\n"
                   "[TTrPolitenessManager]\nUserAgentPrefix=\"cow\"\n") ==
          ST_OK);
    CHECK(is("politeness", "random_delay_ms", "3000"));
    CHECK(is("politeness", "robots_agent", "cow"));
    CHECK(is("frontier", "walk_dead_end", "stop"));
    CHECK(fetched(o.scope_visit, "http://www.a.nl/x.html"));
    CHECK(fetched(o.scope_visit, "https://a.nl:81/pdf.d/x?y=a.pdf/z"));
    CHECK(fetched(o.scope_visit, "http://a.nl/x.pdf/"));
    CHECK(!fetched(o.scope_visit, "http://a.nl/x.pdf"));
    CHECK(!fetched(o.scope_visit, "http://a.nl/d/x.zip?a=b"));
    CHECK(!fetched(o.scope_visit, "http://a.de/x.html"));
    finish();
}

static void
data_are_found_here_beside_the_job_and_in_texrexdata(void)
{
    folder_put("data/only.norm", S(""));
    CHECK(read_job("[TTrWorkerPool]\nUseNormalizer=1\n"
                   "[TTrNormalizer]\nReplacementFile=x/only.norm\n") ==
          ST_USAGE);
    finish();
    CHECK(setenv("TEXREXDATA", in_folder("data"), 1) == 0);
    CHECK(read_job("[TTrWorkerPool]\nUseNormalizer=1\n"
                   "[TTrNormalizer]\nReplacementFile=x/only.norm\n") == ST_OK);
    CHECK(is("clean", "replacements", in_folder("data/only.norm")));
    unsetenv("TEXREXDATA");
    finish();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_key_has_a_place_or_a_reason),
        TEST(every_published_key_is_known),
        TEST(the_manuals_job_is_translated),
        TEST(what_is_not_used_does_not_count),
        TEST(training_mode_judges_nothing),
        TEST(languages_have_sections_of_their_own),
        TEST(names_are_written_as_texrex_writes_them),
        TEST(files_of_what_is_off_are_not_looked_for),
        TEST(faults_come_last_and_are_marked),
        TEST(text_is_as_it_is_without_strict_xml),
        TEST(faults_name_line_and_nearest),
        TEST(numbers_come_into_range_and_sections_of_ours_win),
        TEST(a_walk_is_a_crawl),
        TEST(the_writers_keys_are_each_formats_own),
        TEST(what_is_not_extracted_is_unknown),
        TEST(the_other_keys_mean_what_they_say),
        TEST(the_last_keys_mean_what_they_say),
        TEST(the_walkers_keys_mean_what_they_say),
        TEST(data_are_found_here_beside_the_job_and_in_texrexdata),
        {0},
    };
    int code;

    texrex_register();
    folder_open();
    folder_put("file", S(""));
    folder_put("file.mmdb", S(""));
    code = test_main(table, argc, argv);
    folder_close();
    return code;
}
