"""Trains the models that choose title, author and date; used by metadata.py,
in its virtual environment (scikit-learn).

A candidate is right when it says the same as the label; boosted trees learn
from all candidates of the labelled pages which are.  Others learn from the
extremes of a page's dates whether it has none that is its own, and both say
how sure a date is.  Pages are learned twice, with their JSON-LD and without
it, so that sources next to it count for something."""
import collections
import csv
import re
import unicodedata

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier

FIELDS = ("title", "author", "date")
# Trees, their leaves, how much each adds, and the share of the features that a
# question may be of: where few pages decide, trees that see a part each are
# surer together.
SIZES = {"title": (90, 12, .1, 1.), "author": (70, 10, .1, .3),
         "date": (70, 10, .1, .3), "undated": (120, 4, .07, .3)}
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


def learn(field, candidates, labels, pages):
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
    return trees(field, x, y, weight)


def trees(of, x, y, weight):
    rounds, leaves, rate, share = SIZES[of]
    model = HistGradientBoostingClassifier(
        max_iter=rounds, max_leaf_nodes=leaves, learning_rate=rate,
        min_samples_leaf=8, l2_regularization=2, early_stopping=False,
        max_features=share, random_state=1)
    model.fit(numpy.array(x), numpy.array(y), sample_weight=weight)
    return model


def extremes(rows):
    """The greatest of each feature, behind them the least: meta_extremes."""
    rows = numpy.array([r for _, r in rows])
    return numpy.concatenate([rows.max(axis=0), rows.min(axis=0)])


def learn_undated(candidates, labels, pages):
    """A model of pages that have dates, but none of their own; None where all
    of `pages` have one."""
    x, y, weight = [], [], []
    for c, w in candidates:
        for i in pages:
            if c.rows[i, "date"]:
                x.append(extremes(c.rows[i, "date"]))
                y.append(not labels[i]["date"])
                weight.append(w)
    return trees("undated", x, y, weight) if any(y) else None


def best(field, models, candidates, pages):
    """{page: (value, confidence)} of the likeliest candidates; `models`: of the
    candidates, and of pages without a date or None (meta_date_confidence)."""
    found, (model, undated) = {}, models
    for i in pages:
        rows = candidates.rows[i, field]
        if not rows:
            continue
        p = model.predict_proba(numpy.array([r for _, r in rows]))[:, 1]
        k = int(p.argmax())
        right = float(p[k])
        none = (1 - right if undated is None else float(
            undated.predict_proba([extremes(rows)])[0, 1]))
        found[i] = rows[k][0], right / (right + none)
    return found


def learn_all(field, candidates, labels, pages):
    """What `best` takes."""
    return (learn(field, candidates, labels, pages),
            learn_undated(candidates, labels, pages) if field == "date"
            else None)


INVENTED_MAX = {"title": 1, "author": .17, "date": .049}


LIKELY = .10  # of clean.dates = likely


def threshold(field, found, labels, invented_max=None):
    """The least confidence that is believed: the lowest with which no more than
    a share of WCXB's pages without a value are given one."""
    if field == "title":
        return 0.
    none = [i for i in range(len(labels)) if not labels[i][field] and
            labels[i]["set"] == "wcxb"]
    wrong = sorted((found[i][1] for i in none if i in found), reverse=True)
    allowed = int((invented_max or INVENTED_MAX[field]) * len(none))
    if len(wrong) <= allowed:
        return 0.
    last = wrong[allowed]
    return (last + min((p for _, p in found.values() if p > last),
                       default=1.)) / 2


def trees_of(model):
    """What the trees ask, and their leaves from left to right.  A question is
    (feature, limit, tree, the leaves that a greater value leaves possible)."""
    questions, leaves = [], []
    for t, predictor in enumerate(model._predictors):
        tree, values = predictor[0].nodes, []

        def walk(i):
            n, first = tree[i], len(values)
            if n["is_leaf"]:
                values.append(float(n["value"]))
            else:
                walk(int(n["left"]))
                low = (1 << len(values)) - (1 << first)
                questions.append((int(n["feature_idx"]),
                                  float(n["num_threshold"]), t,
                                  0xffff & ~low))
                walk(int(n["right"]))

        walk(0)
        leaves.append(values)
    return sorted(questions), leaves


def number(value):
    text = "%.6g" % value
    return text + ("f" if any(c in text for c in ".e") else ".f")


def write_trees(f, field, questions, leaves, features_n):
    f.write("static const struct tree_question %s_questions[] = {\n" % field)
    for _, limit, tree, mask in questions:
        f.write("{%s,%d,0x%04x},\n" % (number(limit), tree, mask))
    f.write("};\nstatic const uint16_t %s_from[] = {" % field)
    f.write(",".join(str(sum(q[0] < i for q in questions))
                     for i in range(features_n + 1)) + "};\n")
    f.write("static const float %s_leaves[][LEAVES] = {\n" % field)
    for values in leaves:
        f.write("{" + ",".join(map(number, values)) + "},\n")
    f.write("};\n")


def write_model(f, name, model):
    questions, leaves = trees_of(model)
    f.write("#define %s_START %s\n" % (name.upper(), number(
        float(numpy.ravel(model._baseline_prediction)[0]))))
    write_trees(f, name, questions, leaves, model.n_features_in_)


def write_table(path, models, least, likely, features_n):
    with open(path, "w", encoding="utf-8") as f:
        f.write("/* model_table.h -- generated by tests/real/metadata.py "
                "--train; do not edit.\n */\n/* clang-format off */\n")
        f.write("#define MODEL_FEATURES_N %d\n" % features_n)
        f.write("#define AUTHOR_LEAST %s\n" % number(least["author"]))
        f.write("#define DATE_LEAST %s\n" % number(least["date"]))
        f.write("#define DATE_LIKELY %s\n" % number(likely))
        for field in FIELDS:
            write_model(f, field, models[field][0])
        write_model(f, "undated", models["date"][1])
        f.write("/* clang-format on */\n")
