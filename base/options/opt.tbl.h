/* opt.tbl.h -- every option of Winnow, once.
 *
 * OPT(section, key, type, change, preset, low, high, unit, help)
 * Types (see opt.h): text, path, data, list, hosts, delays, allow, regex, num,
 * ms, bytes, real, flag, paths (a list; NAME=PATH names an item), words (one of
 * the words listed in `unit`, separated by |; a list with such a unit holds
 * only these).
 * low/high bound numbers (and the length of lists); 0,0 = no bounds.
 * change: whether a crawl goes on with another value (crawler/job/job.h).  FREE: it
 * does.  CORPUS: the value decides which pages are kept, or what is written of
 * them, so another one makes another corpus.  ASIDE: no part of a crawl's job.
 * A preset goes through the same parser as the operator's text. */
#include "format.tbl.h"
#include "scorer.tbl.h"
#include "stage.tbl.h"

/* Words of a table. */
#define OPT_WORD(name, what) #name
#define OPT_AND(name, what) " " #name
#define OPT_OR(name, what) "|" #name

OPT(seeds, file, path, FREE, "", 0, 0, "",
    "File with one seed URL a line, compressed or not; # starts a comment.")
OPT(seeds, url, list, FREE, "", 0, 0, "", "Seed URLs, separated by blanks.")

OPT(scope, tld, hosts, CORPUS, "", 0, 0, "",
    "Only hosts under these top-level domains (be nl), and those of "
    "scope.domains and scope.hosts; all three empty: any. Patterns: "
    "scope.visit.")
OPT(scope, domains, hosts, CORPUS, "", 0, 0, "",
    "Only hosts of these registered domains, and those of scope.tld and "
    "scope.hosts; empty: any. Patterns: scope.visit.")
OPT(scope, hosts, hosts, CORPUS, "", 0, 0, "",
    "Only these hosts, .NAME with all under it, and those of scope.tld and "
    "scope.domains; empty: any. Patterns: scope.visit.")
OPT(scope, exclude, hosts, FREE, "", 0, 0, "",
    "None of these hosts, nor any under them, whatever else admits them; what "
    "is queued of them is not fetched either, nor are their pages cleaned.")
OPT(scope, exclude_file, path, FREE, "", 0, 0, "",
    "File with more of them, such as an opt-out list: a host or domain a line, "
    "compressed or not; # starts a comment. It is read at each start.")
OPT(scope, visit, regex, CORPUS, "", 0, 0, "",
    "Only URLs that match are fetched, or cleaned of archives (PCRE2, "
    "unanchored); empty: all.")
OPT(scope, save, regex, CORPUS, "", 0, 0, "",
    "Only pages whose URL matches are kept; others only give links.")

OPT(limits, pages, num, FREE, "0", 0, 1e12, "pages",
    "Stop after this many fetched pages; 0: no limit.")
OPT(limits, documents, num, FREE, "0", 0, 1e12, "documents",
    "Stop after this many kept documents; 0: no limit. Crawlers that share a "
    "frontier may keep a few more, those that were under way.")
OPT(limits, host_pages, num, FREE, "0", 0, 1e12, "pages",
    "Fetch at most so many pages of a host, errors included, redirects, "
    "robots.txt and sitemaps not; 0: no limit, as scorer walk needs it. More of "
    "its links wait, and a higher limit goes on with them. Pages that are fetched "
    "again count when they have changed, and beyond the limit none is. After "
    "traps.host_pages a host only goes behind the others.")
OPT(limits, depth, num, FREE, "0", 0, 65535, "links",
    "Follow at most this many links from a seed; 0: no limit. Links beyond it are "
    "not remembered: raised later, it counts for pages fetched from then on.")
OPT(limits, bytes, bytes, FREE, "0", 0, 1125899906842624, "bytes",
    "Stop after this many fetched bytes; 0: no limit.")
OPT(limits, seconds, num, FREE, "0", 0, 1e9, "s",
    "Stop after this many seconds of this run; 0: no limit.")
OPT(limits, wait_seconds, num, FREE, "60", 0, 1e9, "s",
    "End the run when nothing becomes due within this time; what waits stays "
    "in the frontier for the next run.")

OPT(politeness, delay_ms, ms, FREE, "1000", 0, 3600000, "ms",
    "Least time between two requests to one host.")
OPT(politeness, delays, delays, FREE, "", 0, 3600000, "ms",
    "HOST=TIME, .NAME=TIME with all under it: what counts for these hosts in "
    "place of delay_ms (slow.example=10s .uni.example=1min); of several that "
    "fit, the first.")
OPT(politeness, random_delay_ms, ms, FREE, "0", 0, 3600000, "ms",
    "Up to so much longer, another time after each request.")
OPT(politeness, crawl_delay_max_ms, ms, FREE, "30000", 0, 3600000, "ms",
    "A Crawl-delay in robots.txt is honoured up to this.")
OPT(politeness, robots, flag, CORPUS, "on", 0, 0, "",
    "Honour robots.txt (RFC 9309). Switch off only for hosts of your own.")
OPT(politeness, tdmrep, words, CORPUS, "auto", 0, 0, "auto|on|off",
    "Ask each host, after its robots.txt, for /.well-known/tdmrep.json (TDMRep): "
    "what it reserves stands with its documents. auto: where clean.rights is "
    "training or none-reserved.")
OPT(politeness, robots_agent, text, FREE, "", 0, 0, "",
    "Name that is looked for in robots.txt and meta robots; empty: the first "
    "word of fetch.user_agent.")
OPT(politeness, robots_also, list, CORPUS, "", 0, 32, "",
    "Names of other crawlers (GPTBot CCBot Google-Extended): what a robots.txt "
    "forbids to one of them by its name is not fetched either. So a site that "
    "keeps out collectors of training text is left out without knowing this "
    "one.")
OPT(politeness, robots_ttl_seconds, num, FREE, "86400", 60, 86400, "s",
    "Fetch robots.txt again after this time.")
OPT(politeness, retries, num, FREE, "2", 0, 20, "retries",
    "How often a URL is tried again after a passing failure.")
OPT(politeness, retry_ms, ms, FREE, "30000", 0, 86400000, "ms",
    "Wait before the first retry; doubles with each, with jitter.")

OPT(politeness, response_factor, real, FREE, "2", 0, 100, "",
    "Leave a host alone for so many times as long as its last response took, "
    "when that is more than its delay; 0: off.")
OPT(politeness, response_delay_max_ms, ms, FREE, "30000", 0, 3600000, "ms",
    "... but no longer than this.")
OPT(politeness, address_delay_ms, ms, FREE, "200", 0, 3600000, "ms",
    "Least time between two requests to one server address, whichever hosts "
    "they are for; one at a time. Not for loopback addresses. 0: hosts only.")
OPT(politeness, address_loopback, flag, FREE, "off", 0, 0, "",
    "Loopback addresses keep address_delay_ms, too; for tests.")

OPT(sitemaps, use, words, FREE, "robots", 0, 0, "off|robots|guess",
    "Read the sitemaps that robots.txt names; guess: where it names none, try "
    "/sitemap.xml.")
OPT(sitemaps, depth, num, FREE, "2", 0, 10, "levels",
    "How many sitemap indexes may lie inside each other.")
OPT(sitemaps, entries_max, num, FREE, "50000", 1, 1e7, "entries",
    "Entries of one sitemap that are read.")
OPT(sitemaps, bytes_max, bytes, FREE, "52428800", 1024, 1073741824, "bytes",
    "Decoded bytes of one sitemap that are read.")
OPT(sitemaps, urls_max, num, FREE, "200000", 0, 1e12, "URLs",
    "URLs that the sitemaps of one host may add.")

OPT(traps, lower, flag, FREE, "on", 0, 0, "",
    "URLs that look like one of endlessly many (a segment three times over, "
    "calendars, growing queries) go to the back of their host.")
OPT(traps, host_pages, num, FREE, "0", 0, 1e12, "pages",
    "After so many pages a host goes behind the others, whose links are fetched "
    "first; limits.host_pages is where it ends. 0: never.")
OPT(traps, shape_pages, num, FREE, "0", 0, 1e9, "pages",
    "After so many pages of one kind (one folder, names that differ in their "
    "digits) the rest of the kind goes behind; 0: never.")
OPT(traps, growth_pages, num, FREE, "12", 0, 200, "pages",
    "A host of which so many pages in a row link almost only to its own URLs "
    "that nobody has seen (a generated maze), or are pages of a calendar or the "
    "like that only lead to more of them, is asked once in "
    "traps.growth_delay_ms; 0: never.")
OPT(traps, growth_delay_ms, ms, FREE, "3600000", 0, 86400000, "ms",
    "Time between two requests to such a host.")

OPT(recrawl, interval_seconds, num, FREE, "0", 0, 1e9, "s",
    "Fetch kept pages again, the first time after this long, then as often as "
    "they change; unchanged ones cost no body (conditional GET). Sitemaps are "
    "read again, too, and pages that they date after that fetched. 0: never; "
    "pages kept meanwhile are not fetched again when it is set later.")
OPT(recrawl, interval_min_seconds, num, FREE, "3600", 1, 1e9, "s",
    "A page that changes is not fetched again sooner than this.")
OPT(recrawl, interval_max_seconds, num, FREE, "7776000", 1, 1e9, "s",
    "A page that does not change is fetched again after this at the latest.")

OPT(frontier, url, text, FREE, "inproc://frontier", 0, 0, "",
    "Where the frontier service answers (tcp:// tls+tcp:// ipc://); inproc:// "
    "embeds it.")
OPT(frontier, scorer, words, CORPUS, "learned", 0, 0,
    FRONTIER_SCORERS(OPT_WORD, OPT_OR),
    "How outlinks are prioritised.")
OPT(frontier, prior, path, FREE, "", 0, 0, "",
    "Weights that scorer learned starts from, a feature and its weight a line "
    "(data/steering.tsv); empty: those it was built with.")
OPT(frontier, without, list, CORPUS, "", 0, 0, "",
    "Features that scorer learned does not look at, for experiments: names as "
    "in data/steering.tsv or as --why calls them (word_of_the_anchor), or how "
    "they begin.")
OPT(frontier, learn_duplicates, flag, CORPUS, "on", 0, 0, "",
    "Whether host, kind of URL and scorer learn that a page is a duplicate; "
    "off: to them it is a kept one. For experiments: winnow lab shows what "
    "that feedback is worth.")
OPT(frontier, home_pages, flag, CORPUS, "off", 0, 0, "",
    "With the first link to a host its home page is queued, too, once: where "
    "links are often dead it leads to hosts that are not. Scored like that "
    "link, but what comes of such pages is learnt apart (crawler/lab/README.md).")
OPT(frontier, home_instead, flag, CORPUS, "on", 0, 0, "",
    "When the first page that is asked of a host is gone (4xx), the host's "
    "home page is queued in its place, once: what leads to a host is often "
    "dead, and its home page leads to what is not. Of scorers that learn.")
OPT(frontier, explore, real, FREE, "0", 0, 1, "",
    "Share of fetches that go to any host that is due, whatever its score; "
    "marked in lease, crawl log and --dump. learned needs none: what it does "
    "not know is worth trying to it. Not for bfs and random.")
OPT(frontier, patience, real, FREE, "0.2", 0, 1, "",
    "Leave a transfer slot idle rather than fetch a URL whose score is below "
    "this share of the best that is due within patience_ms. It buys documents "
    "a fetch with documents a second: with 1 s a host, 0.2 has three to five "
    "times as many documents a fetch as 0 and a fifth fewer a second; 0.5 has "
    "a third to a half as many a second as 0.2, and not always more a fetch "
    "(crawler/lab/README.md); 0: never wait. Not for bfs and random.")
OPT(frontier, patience_ms, ms, FREE, "0", 0, 3600000, "ms",
    "How far patience looks ahead; 0: twice politeness.delay_ms.")
OPT(frontier, lease_seconds, num, FREE, "600", 5, 86400, "s",
    "A URL handed out comes back after this time without an outcome: longer "
    "than fetch.timeout_ms plus three times fetch.dns_timeout_ms, or a page "
    "that is being fetched would be fetched again.")
OPT(frontier, host_unreported_max, num, FREE, "8", 0, 1000, "pages",
    "Where slots would be idle and politeness.delay_ms is short, so many pages "
    "of a host are fetched before it is known what they came to, but no more "
    "than it has brought: more is faster, fewer steer better. 0: each is "
    "waited for.")
OPT(frontier, map_gib, num, FREE, "64", 1, 16384, "GiB",
    "Largest size of the store (address space, not disk, is reserved).")
OPT(frontier, cache_mib, num, FREE, "64", 0, 1048576, "MiB",
    "Most memory for the cache of known URLs (8 bytes each): nine of ten links "
    "lead to one.")
OPT(frontier, merge_from, num, FREE, "200000", 0, 1e15, "URLs",
    "A store of so many URLs takes new links in bulk: they wait in a log. In a "
    "smaller one they can be leased at once.")
OPT(frontier, merge_mib, num, FREE, "128", 1, 65536, "MiB",
    "Most memory for links that wait to be taken in bulk (48 bytes each).")
OPT(frontier, merge_seconds, num, FREE, "10", 0, 86400, "s",
    "Links that wait can be leased after this long and 5 s at the latest, as "
    "far as the disk is fast enough.")
OPT(frontier, page_links_max, num, FREE, "2000", 0, 1e9, "links",
    "New links taken from one page; of more the best by score. 0: all.")
OPT(frontier, host_queue_max, num, FREE, "100000", 0, 1e15, "URLs",
    "Queued URLs of one host: when there are so many a better link takes the "
    "place of the worst, a worse one is dropped and counted. 0: no bound.")
OPT(frontier, domain_queue_max, num, FREE, "1000000", 0, 1e15, "URLs",
    "The same for all hosts of a registered domain together. 0: no bound.")
OPT(frontier, sync, words, FREE, "meta", 0, 0, "full|meta|none",
    "Durability of a commit against power loss (a crash never loses any).")
OPT(frontier, lag_ms, ms, FREE, "100", 0, 60000, "ms",
    "With sync = meta: what was committed longer ago is on the disk.")
OPT(frontier, url_size_max, bytes, FREE, "2048", 64, 65535, "bytes",
    "Longer URLs are refused and counted.")
OPT(frontier, random_seed, num, FREE, "1", 0, 1e18, "",
    "Seed of the scorers random and walk.")
OPT(frontier, walk_jump, real, CORPUS, "0.15", 0, 1, "",
    "Scorer walk: the chance that a step is a jump to a seed.")
OPT(frontier, walk_steps, num, FREE, "0", 0, 1e12, "steps",
    "Scorer walk: the walk is over when so many pages lie on its way, pages "
    "that it met again counted again; 0: no limit.")
OPT(frontier, walk_cache, num, CORPUS, "1000000000000", 0, 1e12, "pages",
    "Scorer walk: so many pages, the last that were fetched, are remembered; "
    "one that is met again later is fetched again. The preset: all.")
OPT(frontier, walk_dead_end, words, CORPUS, "jump", 0, 0, "jump|backtrack|stop",
    "Scorer walk: where it goes from a page without another link: to a seed, "
    "to a link of the page before, or nowhere.")

OPT(clean, language, list, CORPUS, "", 0, 0, "",
    "Target languages (codes of the profiles in data/: nl de ...); empty: "
    "any language with a profile.")
OPT(clean, data, path, FREE, "", 0, 0, "",
    "Folder with networks and language profiles; empty: the installed one.")
OPT(clean, chain, list, CORPUS, CLEAN_STAGES(OPT_WORD, OPT_AND), 1, 64,
    CLEAN_STAGES(OPT_WORD, OPT_OR),
    "The stages a page goes through, in this order; one that is left out is "
    "off, and one that needs what no stage before it gives is refused.")
OPT(clean, network, data, CORPUS, "boilerplate.net", 0, 0, "",
    "Boilerplate network (FANN): a name in clean.data, or a path with a /; "
    "none: every block is text, with the value -1.")
OPT(clean, features, words, CORPUS, "winnow", 0, 0, "winnow|texrex",
    "What the network sees of a block: Winnow's features, or the 37 of texrex, "
    "for networks trained on those.")
OPT(clean, boilerplate_max, real, CORPUS, "0.5", 0, 1, "",
    "Blocks with a higher boilerplate value are left out of the text.")
OPT(clean, boilerplate_regex, regex, CORPUS, "", 0, 0, "",
    "Blocks whose text matches are boilerplate (value 1) whatever the network "
    "says (PCRE2, unanchored); empty: none.")
OPT(clean, badness, list, CORPUS, "words order foreign", 1, 4,
    "published|words|order|foreign",
    "What makes a document bad, the worst of them: common words too rare "
    "(published: by the published formula, which is hard on short texts), "
    "words in no order, another language's words.")
OPT(clean, badness_max, real, CORPUS, "12", 0, 1000, "",
    "Documents with a higher badness are rejected.")
OPT(clean, badness_break, real, CORPUS, "0", 0, 1000, "",
    "With several languages: take the first, in the order of clean.language, "
    "with at most this badness and look no further; 0: the best of all.")
OPT(clean, fragments, words, CORPUS, "keep", 0, 0, "keep|drop",
    "Kept blocks that are no running text: code, cells of tables, lines "
    "without a sentence, lists of names or numbers. They do not count for "
    "badness; drop: they are not kept either, headings excepted.")
OPT(clean, profiles, paths, CORPUS, "", 0, 200, "",
    "Language profiles instead of those in clean.data: files named nl.prof, or "
    "nl=FILE for any name; 'nl=FILE' where its path has blanks.")
OPT(clean, language_margin, real, CORPUS, "10", 0, 1000, "",
    "Documents are rejected when the profile of another language fits better "
    "by more than this badness; 1000: never.")
OPT(clean, noindex, flag, CORPUS, "on", 0, 0, "",
    "Reject documents that ask not to be indexed (meta robots, X-Robots-Tag).")
OPT(clean, nofollow, flag, CORPUS, "on", 0, 0, "",
    "Follow no link of a page that says nofollow (meta robots, X-Robots-Tag). "
    "Links that say it themselves (rel) are never followed.")
OPT(clean, rights, words, CORPUS, "record", 0, 0,
    "record|research|training|none-reserved",
    "Reject documents that reserve rights (TDMRep, Content-Usage, "
    "Content-Signal, noai): research: those that no machine may process; "
    "training: also text and data mining or training; none-reserved: any use. "
    "record: none; what they say stands with each.")
OPT(clean, memory_mib, num, FREE, "64", 1, 65536, "MiB",
    "What cleaning a page may take on top of its size; a page that takes more "
    "is rejected (memory).")
OPT(clean, sandbox, words, FREE, "auto", 0, 0, "off|auto|on",
    "Threads of crawl and clean that read pages can open no file, no socket "
    "and "
    "no program (Linux seccomp). auto: where the system allows it; on: or the "
    "program does not start. clean.pipe needs off or auto, and gets none.")
OPT(clean, bytes_min, bytes, CORPUS, "0", 0, 1e15, "bytes",
    "Documents with fewer bytes (of HTML) are rejected.")
OPT(clean, bytes_max, bytes, CORPUS, "0", 0, 1e15, "bytes",
    "Documents with more bytes (of HTML) are rejected; 0: no limit.")
OPT(clean, chars_all_min, num, CORPUS, "0", 0, 1e9, "characters",
    "Documents with less text in all blocks, boilerplate too, are rejected.")
OPT(clean, blocks_all_min, num, CORPUS, "0", 0, 1e6, "blocks",
    "Documents with fewer blocks, boilerplate too, are rejected.")
OPT(clean, chars_min, num, CORPUS, "500", 0, 1e9, "characters",
    "Documents with less text in kept blocks are rejected.")
OPT(clean, blocks_min, num, CORPUS, "1", 0, 1e6, "blocks",
    "Documents with fewer kept blocks are rejected.")
OPT(clean, chars_share_min, real, CORPUS, "0", 0, 1, "",
    "Least share of kept characters in all characters of the page.")
OPT(clean, blocks_share_min, real, CORPUS, "0", 0, 1, "",
    "Least share of kept blocks in all blocks of the page.")
OPT(clean, kinds_rejected, list, CORPUS, "", 0, 7,
    "article|documentation|product|service|forum|listing|collection",
    "Reject documents that are likely to be of these kinds, by the look of "
    "their pages: \"listing collection\" keeps front pages, archives by day "
    "and tag, and search results out. Their links are followed.")
OPT(clean, kinds_rejected_max, real, CORPUS, "0.5", 0, 1, "",
    "How likely a document may be of those kinds, all together.")
OPT(clean, links, list, CORPUS, "same_host same_domain external", 0, 3,
    "same_host|same_domain|external",
    "Links that are kept (and followed by a crawl): to the page's host, to "
    "other hosts of its registered domain, to others.")
OPT(clean, link_bytes_min, bytes, CORPUS, "0", 0, 65535, "bytes",
    "Links with a shorter absolute URL are dropped.")
OPT(clean, link_bytes_max, bytes, CORPUS, "65535", 0, 65535, "bytes",
    "Links with a longer absolute URL are dropped.")
OPT(clean, cleanse, list, CORPUS, "", 0, 4, "tags|emails|uris|hashtags",
    "What is replaced in texts: tags (that were encoded in the page) by a "
    "blank, the others by the words of the next three options.")
OPT(clean, email_replacer, text, CORPUS, "emailblank", 0, 0, "",
    "What stands for an e-mail address.")
OPT(clean, uri_replacer, text, CORPUS, "uriblank", 0, 0, "",
    "What stands for a URI.")
OPT(clean, hashtag_replacer, text, CORPUS, "hashtagblank", 0, 0, "",
    "What stands for a hashtag.")
OPT(clean, duplicate_bytes_min, bytes, CORPUS, "40", 0, 1e9, "bytes",
    "Shorter blocks may repeat an earlier block of the page.")
OPT(clean, tokens_boilerplate_max, real, CORPUS, "1", 0, 1, "",
    "Only words of kept blocks up to this boilerplate value count for badness, "
    "fingerprint and frequencies.")
OPT(clean, tokens_chars_min, num, CORPUS, "0", 0, 1e9, "characters",
    "Words of shorter blocks do not count for badness, fingerprint and "
    "frequencies.")
OPT(clean, letters, list, CORPUS, "", 0, 256, "",
    "Ranges of code points in hex (0041-005A 00C0-024F) of which words are "
    "made; empty: the letters of all scripts.")
OPT(clean, word_break, words, CORPUS, "letters", 0, 0, "letters|dictionary",
    "Scripts without blanks between words: each letter is a word, as the "
    "profiles have it, or words are found by ICU's dictionaries.")
OPT(clean, duplicates, words, CORPUS, "off", 0, 0, "off|text|bytes",
    "Reject documents equal to an earlier one of this run, by their clean text "
    "or their bytes. For winnow clean; a crawl has its dedup service.")
OPT(clean, duplicates_bytes, num, CORPUS, "0", 0, 1e6, "bytes",
    "... by their bytes: only so many, at even distances, and documents that "
    "differ elsewhere are taken for equal (texrex's FingerprintSize); 0: all.")
OPT(clean, known_sentences, words, CORPUS, "off", 0, 0, "off|reject|cut",
    "Sentences that earlier documents of this run had: reject documents with "
    "too many of them; or also cut them out of the others.")
OPT(clean, known_sentences_max, real, CORPUS, "0.5", 0, 1, "",
    "Share of known sentences that a document may have.")
OPT(clean, duplicates_error, real, CORPUS, "0.000001", 1e-12, 0.1, "",
    "Largest share of new documents that may be taken for duplicates.")
OPT(clean, duplicates_mib, num, FREE, "1024", 1, 1048576, "MiB",
    "Memory for duplicates, at most half of what the machine or its container "
    "has; once it is used up, new documents are no longer remembered.")
OPT(clean, normalise, list, CORPUS, "nfc sweep", 0, 2, "nfc|sweep",
    "What the stage of that name does besides: composed characters (Unicode's "
    "form C); control characters, private use and noncharacters to blanks.")
OPT(clean, mojibake, flag, CORPUS, "off", 0, 0, "",
    "Repair text that was encoded twice (UTF-8 read as windows-1252).")
OPT(clean, ascii_art, flag, CORPUS, "off", 0, 0, "",
    "Take lines drawn with ASCII characters out of the text.")
OPT(clean, replacements, path, CORPUS, "", 0, 0, "",
    "File with lines FROM<TAB>TO, replaced in the text one after the other "
    "(texrex's ReplacementFile); empty: none.")
OPT(clean, english, words, CORPUS, "off", 0, 0, "off|tell|british|american",
    "Tell British from American English by spelling (fact english), or turn "
    "all text into one of them.")
OPT(clean, find_title, words, CORPUS, "find", 0, 0, "off|find|require",
    "The title without the site's name, from all that the page says; off: "
    "<title> as it stands; require: reject documents without one.")
OPT(clean, dates, words, CORPUS, "sure", 0, 0, "sure|likely|any",
    "How sure a page's date has to be: sure: one page in twenty of those "
    "without a date gets one; likely: one in ten, and more dates are found; "
    "any: the best there is.")
OPT(clean, comments, words, CORPUS, "keep", 0, 0, "keep|drop|mark",
    "Readers' comments below a page, told by the class of an element round "
    "them: keep what the classifier takes for text; drop: no block of them; "
    "mark: keep, and say which they are: comments in JSONL (the lines of the "
    "text), an attribute comment in XML and vertical files, <div "
    "type=comments> in TEI, <!-- comments --> in Markdown. "
    "Threads of forums are no comments.")
OPT(clean, damaged, words, CORPUS, "drop", 0, 0, "drop|keep",
    "Sentences in which a character was lost (bytes that are not of the page's "
    "charset: U+FFFD), and blocks that could not be decoded.")
OPT(clean, latin1, words, CORPUS, "windows-1252", 0, 0,
    "windows-1252|iso-8859-1",
    "What a page is read as that declares ISO-8859-1 or latin1. Browsers take "
    "windows-1252: hardly any page means the control characters.")
OPT(clean, content_types, list, CORPUS, "", 0, 64, "",
    "Only documents of these types by their Content-Type (text/html text/*); "
    "empty: any.")
OPT(clean, pipe, text, CORPUS, "", 0, 0, "",
    "Command (run by sh) that kept blocks go through, one a line, code as its "
    "lines; it stays alive and answers each document with as many lines. "
    "Empty: none.")
OPT(clean, pipe_framing, words, CORPUS, "lines", 0, 0, "lines|length",
    "How documents are told apart: by counting lines, or each with its number "
    "of bytes and a line end before it, in both directions.")
OPT(clean, pipe_timeout_ms, ms, FREE, "5000", 1, 3600000, "ms",
    "Kill the command when it takes longer for one document.")
OPT(clean, pipe_failure, words, CORPUS, "keep", 0, 0, "keep|reject",
    "A document that the command fails on: keep it unchanged or reject it.")
OPT(clean, geo, path, CORPUS, "", 0, 0, "",
    "MaxMind DB file that tells country, region and city of servers; empty: "
    "none.")
OPT(clean, geo_places, path, CORPUS, "", 0, 0, "",
    "With the older databases in CSV (UTF-8): clean.geo is their file of "
    "blocks, this the one of locations.")
OPT(clean, threads, num, FREE, "0", 0, 256, "threads",
    "Cleaning threads; 0: one for each processor that affinity and control "
    "group (container) allow.")
OPT(clean, page_max, bytes, ASIDE, "67108864", 4096, 1073741824, "bytes",
    "winnow clean: a page is cut off after this many decoded bytes and marked.")

OPT(convert, types, list, CORPUS, "", 0, 7, "pdf|doc|docx|odt|rtf|epub|txt",
    "Documents other than HTML that are fetched and converted: pdf, doc, docx, "
    "odt, rtf, epub, txt; empty: none.")
OPT(convert, seconds, num, FREE, "30", 1, 3600, "s",
    "A conversion may take so long, and as much CPU time.")
OPT(convert, memory_mib, num, FREE, "512", 64, 65536, "MiB",
    "... and so much memory, each process of it.")
OPT(convert, body_max, bytes, FREE, "16777216", 1024, 1073741824, "bytes",
    "Documents to be converted may have so many bytes, where pages have "
    "fetch.body_max; what is cut off is not converted.")
OPT(convert, parallel, num, FREE, "1", 1, 64, "processes",
    "So many documents are converted at once, each in a process of its own.")
OPT(convert, sandbox, words, FREE, "auto", 0, 0, "auto|bwrap|seccomp",
    "Programs that take documents apart run in bubblewrap, where they see no "
    "file but theirs, or with limits and a filter of system calls only. auto: "
    "bubblewrap where it works; bwrap: or nothing is converted.")

OPT(fetch, user_agent, text, FREE, "winnow", 0, 0, "",
    "Who we are; must hold a contact URL before anything but loopback is "
    "crawled: name/version (+https://...).")
OPT(fetch, from, text, FREE, "", 0, 0, "",
    "Mail address of whoever answers for the crawl, sent as From (RFC 9110).")
OPT(fetch, accept_language, text, FREE, "auto", 0, 0, "",
    "Accept-Language of requests, such as \"nl, en;q=0.5\"; auto: the languages "
    "of clean.language, so that a site that chooses by it sends what is wanted; "
    "empty: none.")
OPT(fetch, hosts_file, path, FREE, "", 0, 0, "",
    "Lines of `name address:port`: http and https URLs of name go there in "
    "plain HTTP. Loopback addresses only; for tests and laboratories.")
OPT(fetch, allow_private, allow, FREE, "", 0, 0, "",
    "Hosts (names, .suffixes or address ranges) that may resolve to private, "
    "loopback or link-local addresses; yes: all, no: none.")
OPT(fetch, parallel, num, FREE, "64", 1, 10000, "transfers",
    "Transfers at once, over all hosts.")
OPT(fetch, bytes_per_second, bytes, FREE, "0", 0, 1000000000000, "bytes/s",
    "Let no more than this come in, in the mean of some seconds, for all hosts "
    "together, as it is sent; 0: as much as there is. Of several crawlers each "
    "has its own.")
OPT(fetch, timeout_ms, ms, FREE, "30000", 10, 3600000, "ms",
    "Give up on one transfer after this long.")
OPT(fetch, connect_timeout_ms, ms, FREE, "10000", 10, 600000, "ms",
    "Give up on connecting after this long.")
OPT(fetch, first_byte_ms, ms, FREE, "10000", 10, 3600000, "ms",
    "Give up when the request was sent so long ago and no line of an answer "
    "has come.")
OPT(fetch, low_speed_bytes, bytes, FREE, "1000", 0, 1e9, "bytes/s",
    "A transfer slower than this for low_speed_seconds is given up.")
OPT(fetch, low_speed_seconds, num, FREE, "10", 1, 3600, "s",
    "How long a transfer may be slow.")
OPT(fetch, slow_share, real, FREE, "4", 0, 100, "",
    "Slow transfers hold no slot: while all of fetch.parallel (8 or more) are "
    "taken, they go on beside them, at most so many times fetch.parallel; past "
    "that the oldest of them is ended. 0: off.")
OPT(fetch, body_max, bytes, FREE, "4194304", 1024, 1073741824, "bytes",
    "A page is cut off after this many decoded bytes and marked.")
OPT(fetch, header_max, bytes, FREE, "131072", 1024, 16777216, "bytes",
    "A response with more bytes of headers is refused.")
OPT(fetch, redirects_max, num, FREE, "5", 0, 50, "hops",
    "Longest chain of redirects.")
OPT(fetch, cookies, flag, FREE, "on", 0, 0, "",
    "Cookies that come with a redirect to the same URL or within its host are "
    "sent with the next request of that chain, and with no other: nothing is "
    "kept of them. off: pages that redirect to themselves until a cookie comes "
    "back fail as redirect_to_itself.")
OPT(fetch, dns_servers, list, FREE, "", 0, 0, "",
    "Resolvers (address or address:port); empty: the system's.")
OPT(fetch, dns_timeout_ms, ms, FREE, "2000", 10, 60000, "ms",
    "Wait for one answer of a resolver; three tries.")
OPT(fetch, dns_parallel, num, FREE, "200", 1, 10000, "queries",
    "DNS queries in flight at once.")
OPT(fetch, dns_cache, num, FREE, "100000", 1, 1e8, "names",
    "Names whose addresses (or lack of them) are remembered.")
OPT(fetch, address, list, FREE, "", 0, 0, "",
    "This machine's addresses from which hosts are asked: one of IPv4, one of "
    "IPv6, or both; with one, hosts are asked over its kind only. Empty: the "
    "system's choice. Name servers are asked from any.")
OPT(fetch, logins, path, FREE, "", 0, 0, "",
    "File with lines `https://HOST user:password` (http://, :PORT): what these "
    "hosts are told with each request, and nobody else (Basic). For pages that "
    "their owners let you read.")
OPT(fetch, proxy, text, FREE, "", 0, 0, "",
    "Everything is asked for through this proxy: http://HOST:PORT, https:// or "
    "socks5h://. Only hosts of fetch.hosts_file are not; variables such as "
    "https_proxy and no_proxy do not count.")
OPT(fetch, proxy_login, path, FREE, "", 0, 0, "",
    "File with the line user:password for the proxy (Basic, or SOCKS5's); "
    "another one that is put there is taken when this one is refused.")
OPT(fetch, proxy_names, words, FREE, "proxy", 0, 0, "proxy|here",
    "Who looks up names of hosts when there is a proxy. proxy: it alone, so "
    "that politeness.address_delay_ms has no effect and private addresses that "
    "a name leads to are the proxy's to refuse; here: this machine first, and "
    "both hold.")
OPT(fetch, tls_verify, flag, FREE, "on", 0, 0, "", "Check TLS certificates.")
OPT(fetch, http2, flag, FREE, "on", 0, 0, "",
    "Speak HTTP/2 with https servers that offer it.")
OPT(fetch, tls_ca, path, FREE, "", 0, 0, "",
    "File of the authorities (PEM) that vouch for certificates, in place of "
    "the system's.")

OPT(fetch, sign_key, path, FREE, "", 0, 0, "",
    "Private key (Ed25519, PEM; winnow init makes one): requests are signed "
    "(Web Bot Auth, RFC 9421).")
OPT(fetch, sign_agent, text, FREE, "", 0, 0, "",
    "... and say that the key is published there: https://crawler.example; "
    "empty: they name no place.")

OPT(dedup, url, text, FREE, "inproc://dedup", 0, 0, "",
    "Where the dedup service answers (tcp:// tls+tcp:// ipc://); inproc:// "
    "embeds it.")
OPT(dedup, pub, text, FREE, "", 0, 0, "",
    "Where `winnow publish` lets subscribers connect (ipc:// or tcp:// on "
    "this machine), by nng's PUB; the service then logs its verdicts in "
    "DIR/verdicts. Empty: nothing is published.")
OPT(dedup, near, real, CORPUS, "0.8", 0, 1, "",
    "Documents whose shingles resemble a kept one's at least this much are "
    "near-duplicates; 0: off.")
OPT(dedup, shards, list, FREE, "", 0, 0, "",
    "Addresses (tcp:// tls+tcp:// ipc://) of services that have the table of "
    "bands in memory, each a share of it: `winnow dedup JOB.ini --shard 1` and "
    "so on; empty: the dedup service has all of it.")
OPT(dedup, canonical_mib, num, CORPUS, "64", 0, 1048576, "MiB",
    "Memory for the sentences of the latest documents: a page that names "
    "another one of its site as canonical is a near-duplicate if nine in ten "
    "of its own are there. 0, or with dedup.known_sentences: what pages name "
    "as canonical makes no copies.")
OPT(dedup, known_sentences, words, CORPUS, "off", 0, 0, "off|reject|cut",
    "Sentences that documents of the corpus have, for all crawlers together: "
    "documents with too many of them are near-duplicates; or they are also cut "
    "out of the others.")
OPT(dedup, known_sentences_max, real, CORPUS, "0.5", 0, 1, "",
    "Share of known sentences that a document may have.")
OPT(dedup, known_sentences_mib, num, FREE, "1024", 1, 1048576, "MiB",
    "Memory for known sentences, at most half of what the machine or its "
    "container has; when it is used up, new ones are no longer remembered.")
OPT(dedup, shingle_size, num, CORPUS, "5", 1, 32, "tokens",
    "Tokens in a shingle.")
OPT(dedup, fingerprint, words, CORPUS, "onepermutation", 0, 0,
    "onepermutation|minima|rabin",
    "How fingerprints are made: by one permutation (cheap), as exact minima of "
    "as many functions, or of Rabin's functions (texrex's way).")
OPT(dedup, values, num, CORPUS, "100", 16, 128, "values",
    "Values in a fingerprint.")
OPT(dedup, seed, num, CORPUS, "1", 0, 1e15, "",
    "Chooses the functions of minima and rabin; files of several runs go "
    "together when it is the same.")
OPT(dedup, map_gib, num, FREE, "64", 1, 16384, "GiB",
    "Largest size of the index (address space, not disk, is reserved).")
OPT(dedup, save_ms, num, FREE, "1000", 1, 60000, "ms",
    "How long documents that are acknowledged, and so durable, may wait until "
    "they stand in the files of the corpus; what comes together is written "
    "together.")
OPT(dedup, checkpoint_mib, num, FREE, "64", 0, 1e6, "MiB",
    "After so many MiB of new records, and a sixteenth of all, the service "
    "saves what it has in memory beside them, so that a start reads no more "
    "than that; 0: a start reads all records.")
OPT(dedup, sync, words, FREE, "meta", 0, 0, "full|meta|none",
    "Durability against power loss (a crash never loses any).")

OPT(services, unprotected_tcp, flag, FREE, "off", 0, 0, "",
    "Allow tcp:// addresses beyond this machine for frontier and dedup: "
    "whoever reaches them may read, add and delete everything. Use tls+tcp:// "
    "instead.")

OPT(services, connections, num, FREE, "1000", 8, 1e6, "connections",
    "Connections to a service at once. When there are more, those go first "
    "that "
    "have not called yet, then who is idle.")
OPT(services, connections_address, num, FREE, "250", 2, 1e6, "connections",
    "... from one address (a network /64 of IPv6).")
OPT(services, memory_mib, num, FREE, "256", 80, 1048576, "MiB",
    "Most memory of a service for requests that come in or wait and answers "
    "that go out, of all connections together.")

OPT(services, gather_ms, ms, FREE, "50", 0, 10000, "ms",
    "Longest time that documents and outcomes of a crawl wait for others, to be "
    "made durable together: 10 ms at most while slots of the crawl are free, "
    "and not at all when nothing else is under way.")

OPT(tls, authority, path, FREE, "", 0, 0, "",
    "For tls+tcp:// services: PEM file with the certificate that has signed "
    "those of all services and crawlers.")
OPT(tls, key, path, FREE, "", 0, 0, "",
    "For tls+tcp:// services: PEM file with the own certificate and its key; "
    "a service's certificate bears the name in its address.")

OPT(input, path, path, ASIDE, "", 0, 0, "",
    "winnow clean: what is cleaned when no file is named: a file, a folder or "
    "files by wildcards (*.warc.gz).")

OPT(input, format, words, ASIDE, "any", 0, 0, "any|warc|arc",
    "winnow clean: archives of another format are refused.")
OPT(input, gzip, path, ASIDE, "", 0, 0, "",
    "winnow clean: a program that unpacks archives in gzip, called with -c -d "
    "and the file (texrex's ExternalGzipPath); empty: none is needed.")

OPT(output, format, list, CORPUS, "xml jsonl", 0, OUTPUT_FORMATS_N,
    OUTPUT_FORMATS(OPT_WORD, OPT_OR),
    "Formats of the corpus, each in files of its own (winnow help clean).")
OPT(output, prefix, path, ASIDE, "", 0, 0, "",
    "winnow clean: how its files begin (corpus/nl: corpus/nl.xml) when there "
    "is no -o.")
OPT(output, compress, words, ASIDE, "none", 0, 0, "none|gzip|zstd",
    "winnow clean: how the files of output.prefix are compressed.")
OPT(output, compress_formats, list, ASIDE, "", 0, 32, "",
    "... of single formats: xml=gzip links=none.")
OPT(output, split_formats, list, ASIDE, "", 0, 32, "",
    "winnow clean: MiB after which files of output.prefix are split, of single "
    "formats: xml=1024 links=512; 0: not. The others: output.split_mib.")
OPT(output, corpus, text, CORPUS, "winnow", 0, 0, "",
    "Name of the corpus in registry files and in fineweb and dolma records.")
OPT(output, fields, words, CORPUS, "winnow", 0, 0, "winnow|fineweb|dolma|oscar",
    "Whose field names jsonl records have.")
#define OUTPUT_FACTS                                                           \
    "id|url|host|tld|domain|ip|mime|language|charset|doctype|title|keywords|"  \
    "description|author|date|date_modified|site|section|image|licence|"        \
    "page_type|canonical|rights|rights_signals|robots|language_declared|fetched|"                    \
    "last-modified|arcfile|arcoffset|arclength|size|badness|boilerplate|"      \
    "chars|blocks|tokens|english|country|region|city|header-*|unknown-*|"      \
    "texrex-date|tarcfile|tarcheaderoffset|tarcheaderlength|tarcbodyoffset|"   \
    "tarcbodylength"
OPT(output, xml_doc_attributes, list, CORPUS, "language", 0, 32, OUTPUT_FACTS,
    "xml: attributes of <doc> after the scores; header-NAME is that header of "
    "the HTTP response, written as NAME, as is unknown-NAME, which has no "
    "value (jobs of texrex name such, and texrex-date, the date as ARC has "
    "it); tarcfile and the like: where the page is in the file of format tarc "
    "(winnow clean).")
OPT(output, xml_scores, list, CORPUS,
    "bdc bdv nbc nbcprop nbd nbdprop avgbpc avgbpd bpc bpv", 0, 10,
    "bdc|bdv|nbc|nbcprop|nbd|nbdprop|avgbpc|avgbpd|bpc|bpv",
    "xml: which scores <doc> and <div> have as attributes (winnow help clean).")
OPT(output, xml_header, flag, ASIDE, "on", 0, 0, "",
    "xml, tei, winnow clean: an XML declaration and a root element (<xml>, "
    "<teiCorpus>) round the records of a file.")
OPT(output, xml_doc_meta, list, CORPUS,
    "title keywords author description date date_modified site section licence "
    "canonical language_declared", 0, 32,
    OUTPUT_FACTS, "xml: written as <meta name content/> when known.")
OPT(output, metadata_sources, words, CORPUS, "off", 0, 0, "off|chosen|all",
    "jsonl, xml: where each piece of metadata is from and how sure it is; all: "
    "also what else was found.")
OPT(output, xml_doc_container, list, CORPUS, "", 0, 32, OUTPUT_FACTS,
    "xml: written as an element of that name when known.")
OPT(output, xml_block_attributes, list, CORPUS, "", 0, 32,
    "container|form|chars|tokens|kept|comment|unknown-*",
    "xml: attributes of <div> after bpv; form: heading, item, cell ...; "
    "comment: 1 in readers' comments; "
    "unknown-NAME has no value.")
OPT(output, xml_block_meta, list, CORPUS, "", 0, 32,
    "container|form|chars|tokens|kept|comment|unknown-*",
    "xml: the same, written in <div> as <meta name content/>; unknown-NAME is "
    "not written.")
OPT(output, xml_text, flag, CORPUS, "on", 0, 0, "",
    "xml: write the text of blocks.")
OPT(output, xml_entities, flag, CORPUS, "on", 0, 0, "",
    "xml: & < > and quotes in the text of blocks are written as entities; "
    "off, as texrex with StrictXml=0: as they are, for programs that know no "
    "entities, and no XML.")
OPT(output, xml_duplicates, flag, CORPUS, "on", 0, 0, "",
    "xml: write blocks that repeat an earlier one, as <dup>.")
OPT(output, xml_duplicate_text, text, CORPUS, "", 0, 0, "",
    "xml: what stands in <dup>; empty: the repeated text.")
OPT(output, xml_metrics, flag, CORPUS, "off", 0, 0, "",
    "xml: write each block's features as <metrics value/>.")
OPT(output, vertical_attributes, list, CORPUS,
    "id url title language date badness", 1, 32, OUTPUT_FACTS,
    "vertical, cwb: attributes of <doc>.")
OPT(output, markdown_facts, list, CORPUS,
    "url title author date language", 0, 32, OUTPUT_FACTS,
    "markdown: what stands in the YAML block before the text, when known.")
OPT(output, links, flag, CORPUS, "off", 0, 0, "",
    "markdown, tei: links of the text are written as links.")
OPT(output, tokens_max, num, CORPUS, "100", 0, 1e9, "types",
    "tokens: the most frequent types of a document; 0: all.")
OPT(output, split_mib, num, FREE, "256", 1, 1048576, "MiB",
    "Start a new corpus file after this much text.")
OPT(output, keep_rejected, flag, FREE, "off", 0, 0, "",
    "Write rejected documents with their reason to DIR/rejected; that of "
    "duplicates is in the names of the files.")
OPT(output, warc, flag, FREE, "off", 0, 0, "",
    "Write what was fetched to DIR/warc as WARC 1.1, pages and robots.txt.")
OPT(output, warc_mib, num, FREE, "1024", 1, 1048576, "MiB",
    "Start a new WARC file after this much.")
OPT(output, warc_compression, words, FREE, "gzip", 0, 0, "gzip|zstd",
    "How records of WARC files are compressed: gzip, which every reader knows; "
    "zstd: smaller and faster, with a dictionary.")
OPT(output, warc_bodies, words, FREE, "decoded", 0, 0, "decoded|sent",
    "Bodies in WARC files: decoded, which every reader understands; as they "
    "were sent, with their Content-Encoding (only gzip and deflate are asked "
    "for then): exact, and cheaper to write.")
OPT(output, warc_dictionary_mib, num, FREE, "16", 0, 1024, "MiB",
    "Of zstd: learn the dictionary from so much of the first records; 0: none.")
OPT(output, warc_records, list, FREE, "request revisit metadata", 0, 4,
    "request|revisit|metadata|conversion",
    "WARC records beside responses: request as it was sent; revisit, in place "
    "of a response whose payload is there already; metadata: charset, scores, "
    "verdict and outlinks of a page; conversion: the text of a kept page.")
OPT(output, disk_free_mib, num, FREE, "64", 0, 1048576, "MiB",
    "Pause when a folder of the crawl has less free space than this.")

OPT(log, level, words, ASIDE, "info", 0, 0, "error|warn|info|debug",
    "What goes to stderr.")
OPT(log, status_seconds, num, ASIDE, "10", 1, 3600, "s",
    "Time between two status lines when stderr is not a terminal.")
OPT(log, progress, flag, ASIDE, "on", 0, 0, "",
    "Say on stderr how far work is and what came of it; faults are said in any "
    "case.")
OPT(log, comment, text, FREE, "", 0, 0, "",
    "What a job is for: kept with the job and said at its start.")
OPT(log, parse, flag, ASIDE, "off", 0, 0, "",
    "Say on stderr what is read of each page: every tag with its place in "
    "bytes, every block. Much.")
OPT(log, stats_file, path, ASIDE, "", 0, 0, "",
    "winnow clean: append lines of statistics (TAB between the columns) to "
    "this file; empty: none.")
OPT(log, stats_seconds, num, ASIDE, "60", 1, 86400, "s",
    "Time between two of them; the last comes at the end.")
