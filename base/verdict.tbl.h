/* verdict.tbl.h -- what can become of a URL, and why: every outcome of a visit
 * and every verdict, each declared here and nowhere else.
 *
 * OUTCOME(id, number, text)
 * VERDICT(id, number, name, kind, teaches, host, text)
 *
 *   number   on the wire, in stores and recorded webs; never used again for
 *            something else, in ascending order, below VERDICT_HTTP
 *   name     in logs, reports, corpora and on disk
 *   kind     what it means for the visit: enum verdict_kind
 *   teaches  as what the page counts for its host and kind of URL, and with
 *            that what scorers learn of it: enum outcome_class.  There is no
 *            default; what teaches nothing says NONE
 *   host     HOLDS: the host wants to be left alone for a while; GOES_ON
 *   text     for people
 *
 * PROTOCOL.md lists them for others (tests/verdict_doc.py --write).  HTTP
 * statuses other than 200 are verdicts, too: verdict_http(). */

#ifdef OUTCOME
OUTCOME(FETCHED, 0, "a page came; the verdict says whether it was kept")
OUTCOME(REDIRECT, 1, "the one link takes its place")
OUTCOME(FAILED, 2, "for good")
OUTCOME(RETRY, 3, "passing: again after a back-off, a few times")
OUTCOME(DISALLOWED, 4, "by robots.txt; the host was not contacted")
OUTCOME(OUT_OF_SCOPE, 5, "the host was not contacted")
OUTCOME(ROBOTS_DONE, 6, "a robots.txt was read")
OUTCOME(RETURNED, 7, "not tried: back into the queue")
OUTCOME(UNCHANGED, 8, "a page known already, as it was")
#undef OUTCOME
#endif

#ifdef VERDICT
/* ---- by the dedup service ---- */
VERDICT(KEPT, 0, "kept", KEPT, KEPT, GOES_ON, "the document is kept")
VERDICT(EXACT_DUPLICATE, 1, "exact_duplicate", REJECTED, EXACT, GOES_ON,
        "the same text is kept already")
VERDICT(NEAR_DUPLICATE, 2, "near_duplicate", REJECTED, NEAR, GOES_ON,
        "resembles a kept document")
VERDICT(REJECTED, 3, "rejected", REJECTED, OTHER, GOES_ON,
        "stored with the reason that cleaning gave")
VERDICT(NOT_STORED, 4, "not_stored", REJECTED, OTHER, GOES_ON,
        "too large for a message to the dedup service")

/* ---- by cleaning ---- */
VERDICT(CHARSET, 10, "charset", REJECTED, OTHER, GOES_ON,
        "its bytes cannot be decoded")
VERDICT(EMPTY, 11, "empty", REJECTED, OTHER, GOES_ON, "no text blocks")
VERDICT(SHORT, 12, "short", REJECTED, SHORT, GOES_ON,
        "too few characters in kept blocks")
VERDICT(BLOCKS, 13, "few_blocks", REJECTED, OTHER, GOES_ON,
        "too few kept blocks")
VERDICT(BOILERPLATE, 14, "boilerplate", REJECTED, OTHER, GOES_ON,
        "too small a share of kept characters")
VERDICT(LANGUAGE, 15, "language", REJECTED, LANGUAGE, GOES_ON,
        "another language fits better")
VERDICT(BADNESS, 16, "badness", REJECTED, BADNESS, GOES_ON,
        "too unlike running text of the language")
VERDICT(NOINDEX, 17, "noindex", REJECTED, OTHER, GOES_ON,
        "meta robots or X-Robots-Tag noindex")
VERDICT(NOT_SAVED, 18, "not_saved", REJECTED, OTHER, GOES_ON,
        "its URL does not match scope.save")
VERDICT(CONTENT_TYPE, 19, "content_type", REJECTED, OTHER, GOES_ON,
        "its Content-Type is not wanted")
VERDICT(NO_TITLE, 20, "no_title", REJECTED, OTHER, GOES_ON,
        "no title was found")
VERDICT(PIPE, 21, "pipe", REJECTED, OTHER, GOES_ON,
        "the command of clean.pipe failed on it")
VERDICT(SIZE, 22, "size", REJECTED, OTHER, GOES_ON,
        "too few or too many bytes of HTML")
VERDICT(MEMORY, 23, "memory", REJECTED, OTHER, GOES_ON,
        "cleaning it takes more than clean.memory_mib")
VERDICT(PAGE_KIND, 24, "page_kind", REJECTED, OTHER, GOES_ON,
        "it is of a kind that clean.kinds_rejected names")
VERDICT(RIGHTS, 25, "rights", REJECTED, OTHER, GOES_ON,
        "it reserves the use that clean.rights names")

VERDICT(UNCONVERTIBLE, 26, "unconvertible", REJECTED, OTHER, GOES_ON,
        "it is broken, encrypted or not what it seems: no conversion")
VERDICT(NO_CONVERTER, 27, "no_converter", REJECTED, NONE, GOES_ON,
        "the program that converts such documents is not installed")
VERDICT(CONVERT_FAULT, 28, "convert_fault", REJECTED, OTHER, GOES_ON,
        "its conversion crashed, or was over convert.seconds or memory_mib")
VERDICT(CONVERT_POISON, 29, "convert_poison", REJECTED, OTHER, GOES_ON,
        "its conversion has failed twice and is not tried again")

/* ---- another page was sent in place of the one asked for ---- */
VERDICT(CHALLENGE, 30, "challenge", SUBSTITUTED, OTHER, HOLDS,
        "the server wanted proof of a browser")
VERDICT(CONSENT, 31, "consent", SUBSTITUTED, OTHER, HOLDS,
        "the server wanted a consent first")
VERDICT(PAYWALL, 32, "paywall", SUBSTITUTED, OTHER, GOES_ON,
        "the text is for those who pay")
VERDICT(BLOCKED, 33, "blocked", SUBSTITUTED, OTHER, HOLDS,
        "the server's firewall refused")

/* ---- the host is not contacted ---- */
VERDICT(OUT_OF_SCOPE, 40, "out_of_scope", REFUSED, REFUSED, GOES_ON,
        "scope does not admit the URL")
VERDICT(DISALLOWED, 41, "disallowed", REFUSED, REFUSED, GOES_ON,
        "robots.txt disallows the URL")
VERDICT(PRIVATE_ADDRESS, 42, "private_address", REFUSED, REFUSED, GOES_ON,
        "the host's addresses are private and not in fetch.allow_private")
VERDICT(NO_CONTACT, 43, "no_contact", REFUSED, REFUSED, GOES_ON,
        "fetch.user_agent holds no contact URL")
VERDICT(DELETED, 44, "deleted", REFUSED, REFUSED, GOES_ON,
        "an operator has deleted URLs like it")
VERDICT(NOT_RECORDED, 45, "not_recorded", REFUSED, REFUSED, GOES_ON,
        "the recorded web of the laboratory does not hold it")
VERDICT(PORT, 46, "port", REFUSED, REFUSED, GOES_ON,
        "the port is another protocol's, and browsers ask it neither")

/* ---- the fetch failed ---- */
VERDICT(BAD_URL, 50, "bad_url", FAILED, ERROR, GOES_ON,
        "the URL cannot be used")
VERDICT(NO_SUCH_HOST, 51, "no_such_host", RETRY, ERROR, GOES_ON,
        "the name does not exist")
VERDICT(DNS, 52, "dns", RETRY, ERROR, GOES_ON, "no resolver answered")
VERDICT(CONNECT, 53, "connect", RETRY, ERROR, GOES_ON,
        "the connection was refused or failed")
VERDICT(CONNECT_TIMEOUT, 54, "connect_timeout", RETRY, ERROR, GOES_ON,
        "connecting took too long")
VERDICT(TIMEOUT, 55, "timeout", RETRY, ERROR, GOES_ON,
        "the transfer took longer than timeout_ms")
VERDICT(TOO_SLOW, 56, "too_slow", RETRY, ERROR, GOES_ON,
        "slower than low_speed_bytes a second, or in the way of others")
VERDICT(FIRST_BYTE, 57, "no_first_byte", RETRY, ERROR, GOES_ON,
        "no line of an answer within first_byte_ms")
VERDICT(TLS, 58, "tls", RETRY, ERROR, GOES_ON, "the TLS handshake failed")
VERDICT(TLS_VERIFY, 59, "tls_verify", RETRY, ERROR, GOES_ON,
        "the TLS certificate is not valid")
VERDICT(EMPTY_REPLY, 60, "empty_reply", RETRY, ERROR, GOES_ON,
        "closed without an answer")
VERDICT(BROKEN, 61, "broken_connection", RETRY, ERROR, GOES_ON,
        "the connection broke")
VERDICT(PARTIAL, 62, "partial_body", RETRY, ERROR, GOES_ON,
        "closed before the end of the body")
VERDICT(ENCODING, 63, "bad_encoding", RETRY, ERROR, GOES_ON,
        "the content encoding is broken")
VERDICT(GARBAGE, 64, "garbage", FAILED, ERROR, GOES_ON,
        "the answer is not HTTP")
VERDICT(HEADER_SIZE, 65, "header_too_large", FAILED, ERROR, GOES_ON,
        "over fetch.header_max")
VERDICT(NOT_HTML, 66, "not_html", FAILED, ERROR, GOES_ON,
        "neither HTML nor XHTML")
VERDICT(BOMB, 67, "bomb", FAILED, ERROR, GOES_ON,
        "inflates over body_max from next to nothing")
VERDICT(TOO_MUCH, 68, "too_many_bytes", FAILED, ERROR, GOES_ON,
        "more came in than body_max, header_max and slack")
VERDICT(OTHER, 69, "other", RETRY, ERROR, GOES_ON,
        "anything else the HTTP library reports")
VERDICT(NO_FILES, 70, "no_files", RETURNED, NONE, GOES_ON,
        "not tried: too many open files")
VERDICT(RETURNED, 71, "returned", RETURNED, NONE, GOES_ON,
        "not tried: the crawl is ending")
VERDICT(CRASH, 72, "crash", RETRY, ERROR, GOES_ON,
        "the crawler died while it read the page")
VERDICT(POISON, 73, "poison", FAILED, ERROR, GOES_ON,
        "the crawler died of it three times")
VERDICT(PROXY_DENIED, 74, "proxy_denied", RETRY, ERROR, GOES_ON,
        "the proxy refuses to go there")

/* ---- answers that are no pages ---- */
VERDICT(REDIRECT, 80, "redirect", NO_PAGE, REDIRECT, GOES_ON,
        "another URL takes its place")
VERDICT(REDIRECTS, 81, "redirects", FAILED, ERROR, GOES_ON,
        "over fetch.redirects_max redirects in a row")
VERDICT(REDIRECT_TOO_LONG, 82, "redirect_too_long", FAILED, ERROR, GOES_ON,
        "to a URL over frontier.url_size_max")
VERDICT(REDIRECT_INVALID, 83, "redirect_invalid", FAILED, ERROR, GOES_ON,
        "to what is no URL")
VERDICT(REDIRECT_TO_ITSELF, 84, "redirect_to_itself", FAILED, ERROR, GOES_ON,
        "to the URL that was asked")
VERDICT(REDIRECT_OUT_OF_SCOPE, 85, "redirect_out_of_scope", FAILED, ERROR,
        GOES_ON, "to a URL that scope does not admit")
VERDICT(UNCHANGED, 86, "unchanged", NO_PAGE, NONE, GOES_ON,
        "as it was when it was last fetched")
VERDICT(ROBOTS, 87, "robots", NO_PAGE, NONE, GOES_ON, "a robots.txt")
VERDICT(SITEMAP, 88, "sitemap", NO_PAGE, NONE, GOES_ON, "a sitemap")
VERDICT(NO_SITEMAP, 89, "no_sitemap", FAILED, NONE, GOES_ON,
        "asked for as a sitemap, and none")
VERDICT(TDMREP, 90, "tdmrep", NO_PAGE, NONE, GOES_ON, "a tdmrep.json")
VERDICT(LOGIN, 91, "login", FAILED, OTHER, GOES_ON,
        "leads to the login of its host, which lets no visitor through")
#undef VERDICT
#endif
