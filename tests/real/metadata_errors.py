"""Why a date is not right: `metadata.py --errors`.

    right       as labelled
    declined    the likeliest candidate is right, and not believed
    outranked   another candidate was likelier than the right one
    a day off   a candidate is the day before or after (time zones)
    unread      the page has it, in a form below, but no candidate is that day
    absent      nothing of the page says that day
    no day      the label is a year or a month

Of pages labelled without a date those that are given one, and of these those
that state it: in JSON-LD of an article, Open Graph, or behind a word such as
"published".

Forms: year, month and day in any order with marks or names of months between,
moments in seconds or milliseconds.  `unread` dates may be of something else.
"""
import collections
import datetime
import html
import re

MONTHS = ("jan feb ma?r apr may?|mai|mei|mag jun|giu|juin jul|lug|juil "
          "a[ug][gou]|août sep|set okt|oct|ott nov de[czs]|dic").split()
ARTICLE = 4  # enum thing
REASONS = ("right", "declined", "outranked", "a day off", "unread", "absent",
           "no day")


def day_of(text):
    try:
        return datetime.date(*map(int, text[:10].split("-")))
    except (TypeError, ValueError):  # a year alone is no day
        return None


def forms(day):
    """What a page may write for a day."""
    y, m, d = day.year, day.month, day.day
    name = r"(?:%s)[^\W\d]*" % MONTHS[m - 1]
    year = r"(?:%d|['’-]%02d)(?!\d)" % (y, y % 100)
    digits = r"(?<!\d)0?%d[-/. ]{1,2}0?%d[-/. ]{1,2}(?:%d|%02d)(?!\d)"
    start = int(datetime.datetime(
        y, m, d, tzinfo=datetime.timezone.utc).timestamp())
    return {
        "iso": r"(?<!\d)%d[-/. ]?0?%d[-/. ]?0?%d(?!\d)" % (y, m, d),
        "ideograph": r"%d ?[年년] ?0?%d ?[月월] ?0?%d ?[日일]" % (y, m, d),
        "d.m.y": digits % (d, m, y, y % 100),
        "m/d/y": digits % (m, d, y, y % 100),
        "d month y": r"(?<!\d)0?%d\W{0,3}(?:\w{1,3}\W{1,2}){0,2}%s"
                     r"\W{0,3}(?:\w{1,3}\W{1,2})?%s" % (d, name, year),
        "month d y": r"\b%s\W{0,3}0?%d(?:st|nd|rd|th)?\W{1,4}(?:\w{1,3}\W)?%s"
                     % (name, d, year),
        "y month d": r"%d\W{1,3}%s\W{0,2}0?%d(?!\d)" % (y, name, d),
    }, range(start - 43200, start + 86400 + 43200)


def form_in(day, text):
    """The form in which a page has a day, or ""."""
    patterns, moments = forms(day)
    for name, pattern in patterns.items():
        if re.search(pattern, text, re.I):
            return name
    for number in re.findall(r"(?<!\d)1\d{9}(?:\d{3})?(?!\d)", text):
        if int(number[:10]) in moments:
            return "moment"
    return ""


def page_text(path):
    with open(path, "rb") as f:
        data = f.read()
    return html.unescape(data.decode("utf-8", "replace"))


def where(day, text):
    """The markup just before the first place of a date, for people."""
    for name, pattern in (forms(day)[0] if day else {}).items():
        found = re.search(pattern, text, re.I)
        if found:
            return re.sub(r"\s+", " ", text[max(0, found.start() - 60):
                                            found.end() + 20])
    return ""


def reason(label, candidates, best, chosen):
    truth = day_of(label["date"])
    days = [day_of(value) for value, _ in candidates]
    if truth is None:
        return "no day"
    if chosen and day_of(chosen) == truth:
        return "right"
    if truth in days:
        return "declined" if day_of(best) == truth else "outranked"
    if any(d and abs((d - truth).days) == 1 for d in days):
        return "a day off"
    return "unread" if form_in(truth, page_text(label["path"])) else "absent"


def states(candidates, i, value):
    """Whether page i itself says that it was published that day."""
    def has(row, name):
        return candidates.feature(row, name) > 0

    return any(
        same_day and candidates.feature(row, "MODIFIED") < 2 and (
            has(row, "FROM_JSON_LD") and
            candidates.feature(row, "THING") == ARTICLE or
            has(row, "FROM_OPEN_GRAPH") or
            has(row, "SAID_PUBLISHED") and not has(row, "SAID_UPDATED"))
        for same_day, row in ((v[:10] == value[:10], row)
                              for v, row in candidates.rows[i, "date"]))


def without_label(labels, candidates, chosen, out):
    none = [i for i, r in enumerate(labels) if not r["date"] and i in chosen]
    stated = [i for i in none if states(candidates, i, chosen[i])]
    for i in none:
        print("stated" if i in stated else "invented", labels[i]["set"],
              labels[i]["id"], "", chosen[i], sep="\t", file=out)
    print("no label: %d given a date, %d state it" % (len(none), len(stated)))


def errors(labels, candidates, best, chosen, out):
    """Print how many dates of each set are what; `out` takes the cases."""
    counts = collections.defaultdict(collections.Counter)
    for i, r in enumerate(labels):
        if not r["date"]:
            continue
        found = candidates.rows[i, "date"]
        why = reason(r, found, best.get(i, ""), chosen.get(i, ""))
        counts[r["set"]][why] += 1
        if why != "right":
            print("\t".join((why, r["set"], r["id"], r["date"],
                             best.get(i, ""), chosen.get(i, ""), where(
                                 day_of(r["date"]), page_text(r["path"])))),
                  file=out)
    print("%-8s %s" % ("dates", " ".join("%10s" % w for w in REASONS)))
    for name, count in sorted(counts.items()):
        print("%-8s %s" % (name, " ".join("%10d" % count[w] for w in REASONS)))
    without_label(labels, candidates, chosen, out)
