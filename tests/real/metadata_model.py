"""Trains the models that choose title, author and date; used by metadata.py,
in its virtual environment (metadata_trees.py).

A candidate is right when it says the same as the label; boosted trees learn
from all candidates of the labelled pages which are.  Others learn from the
extremes of a page's dates whether it has none that is its own, and both say
how sure a date is.  Their classes are the kinds of pages, article and forum
with a date and without one apart, as they learn more from the kind of a page
than from the want of a date alone.  Pages are learned twice, with their
JSON-LD and without it, so that sources next to it count for something; titles
once more with the site's name in front, where it is behind."""
import collections
import csv
import re
import unicodedata

import numpy

from metadata_trees import LightTrees, Trees, number, write_model

FIELDS = ("title", "author", "date")
# Trees (of each class), their leaves, how much each adds, and the share of the
# features that a question may be of: where few pages decide, trees that see a
# part each are surer together.  A date's ask at random limits, and the leaves
# of those that say whether a page has one have many pages.  Both are means of
# several models: how sure is sure enough is up to a score of pages, which a
# single model orders by chance.
SIZES = {"title": (Trees, {}, 90, 12, .1, 1.),
         "author": (Trees, {}, 140, 14, .05, .2),
         "date": (LightTrees, {"random_limits": True, "models": 2},
                  128, 12, .06, .5),
         "undated": (LightTrees, {"leaf_min": 20, "models": 5},
                     50, 4, .12, .12)}
csv.field_size_limit(1 << 30)


def plain(text):
    """Letters and digits in lower case, a blank between words."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", text))


def same(field, value, truth):
    if field == "date":
        return value[:10] == truth[:10]
    return plain(value) == plain(truth)


class Candidates:
    """What the program metadata_features says of pages."""

    def __init__(self, path):
        self.rows = collections.defaultdict(list)
        with open(path, encoding="utf-8", newline="\n") as f:
            self.names = f.readline().rstrip("\n").split("\t")[4:]
            for line in f:
                part = line.rstrip("\n").split("\t")
                self.rows[int(part[0]), part[1]].append(
                    (part[2], numpy.array(part[4:], dtype=numpy.float32)))

    def feature(self, row, name):
        return row[self.names.index(name)]


def learn(field, candidates, labels, pages, seed):
    """A model of the candidates of `pages` (indices)."""
    x, y, weight = [], [], []
    for c, w in candidates:
        for i in pages:
            truth = labels[i][field]
            if not truth and field == "title":
                continue
            for value, row in c.rows[i, field]:
                x.append(row)
                y.append(bool(truth) and same(field, value, truth))
                weight.append(w)
    return trees(field, x, y, weight, seed)


def trees(of, x, y, weight, seed):
    make, more, rounds, leaves, rate, share = SIZES[of]
    return make(numpy.array(x), numpy.array(y), numpy.array(weight), rounds,
                leaves, rate, share, seed, **more)


def extremes(rows):
    """The greatest of each feature, behind them the least: meta_extremes."""
    rows = numpy.array([r for _, r in rows])
    return numpy.concatenate([rows.max(axis=0), rows.min(axis=0)])


DATED = ("article", "forum")  # kinds of which most pages have a date


def class_of(label):
    """WCXB's ids end in the kind of the page; fundus has articles."""
    kind = label["id"].rsplit("-", 1)[-1]
    if label["set"] != "wcxb":
        kind = "article"
    return kind + " undated" if kind in DATED and not label["date"] else kind


def learn_undated(candidates, labels, pages, seed):
    """A model of the classes; None where all of `pages` have a date."""
    x, y, weight = [], [], []
    for c, w in candidates:
        for i in pages:
            if c.rows[i, "date"]:
                x.append(extremes(c.rows[i, "date"]))
                y.append(class_of(labels[i]))
                weight.append(w)
    return (trees("undated", x, y, weight, seed) if set(y) - set(DATED)
            else None)


def none_of(model, rows):
    """With which probability a page with these dates has none of its own."""
    p = model.shares(numpy.array([extremes(rows)]))[0]
    return float(sum(share for share, k in zip(p, model.classes)
                     if k not in DATED))


def best(field, models, candidates, pages):
    """{page: (value, confidence)} of the likeliest candidates; `models`: of the
    candidates, and of pages without a date or None (meta_date_confidence)."""
    found, (model, undated) = {}, models
    for i in pages:
        rows = candidates.rows[i, field]
        if not rows:
            continue
        p = model.shares(numpy.array([r for _, r in rows]))[:, 1]
        k = int(p.argmax())
        right = float(p[k])
        none = 1 - right if undated is None else none_of(undated, rows)
        found[i] = rows[k][0], right / (right + none)
    return found


def learn_all(field, candidates, labels, pages, seed):
    """What `best` takes."""
    return (learn(field, candidates, labels, pages, seed),
            learn_undated(candidates, labels, pages, seed)
            if field == "date" else None)


# Of dates, by the folds that choose it: those of pages that had no say are a
# little more, and shall be no more than .05.
INVENTED_MAX = {"title": 1, "author": .17, "date": .0475}


LIKELY = .10  # of clean.dates = likely


def threshold(field, found, labels, pages, invented_max=None):
    """The least confidence that is believed: the lowest with which no more than
    a share of WCXB's of `pages` without a value are given one."""
    if field == "title":
        return 0.
    none = [i for i in pages if not labels[i][field] and
            labels[i]["set"] == "wcxb"]
    wrong = sorted((found[i][1] for i in none if i in found), reverse=True)
    allowed = int((invented_max or INVENTED_MAX[field]) * len(none))
    if len(wrong) <= allowed:
        return 0.
    last = wrong[allowed]
    return (last + min((found[i][1] for i in pages if i in found and
                        found[i][1] > last), default=1.)) / 2


def write_table(path, models, least, features_n):
    with open(path, "w", encoding="utf-8") as f:
        f.write("/* model_table.h -- generated by tests/real/metadata.py "
                "--train; do not edit.\n */\n/* clang-format off */\n")
        f.write("#define MODEL_FEATURES_N %d\n" % features_n)
        f.write("#define AUTHOR_LEAST %s\n" % number(least["author"]))
        f.write("#define DATE_LEAST %s\n" % number(least["date"]))
        f.write("#define DATE_LIKELY %s\n" % number(least["likely"]))
        for field in FIELDS:
            write_model(f, field, models[field][0])
        undated = models["date"][1]
        f.write("/* %s */\n" % ", ".join(undated.classes))
        f.write("static const bool undated_has_none[] = {%s};\n" % ",".join(
            "false" if k in DATED else "true" for k in undated.classes))
        write_model(f, "undated", undated)
        f.write("/* clang-format on */\n")
