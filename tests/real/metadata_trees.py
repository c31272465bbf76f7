"""Boosted trees as metadata_model.py trains them and clean/metadata/model.c asks
them: those of scikit-learn, and those of LightGBM where there are many classes.

A model has classes; shares(), of rows the probability of each; start, of each
class (of the second, where there are two); and questions(), what the trees of
all in turn ask, and their leaves from left to right."""
import lightgbm
import numpy
from sklearn.ensemble import HistGradientBoostingClassifier


class Trees:
    def __init__(self, x, y, weight, rounds, leaves, rate, share, seed):
        self.model = HistGradientBoostingClassifier(
            max_iter=rounds, max_leaf_nodes=leaves, learning_rate=rate,
            min_samples_leaf=8, l2_regularization=2, early_stopping=False,
            max_features=share, random_state=seed)
        self.model.fit(x, y, sample_weight=weight)
        self.features_n = x.shape[1]
        self.classes = list(self.model.classes_)
        self.start = numpy.ravel(self.model._baseline_prediction)

    def shares(self, x):
        return self.model.predict_proba(x)

    def questions(self):
        return questions_of([
            nested(p.nodes, 0) for step in self.model._predictors
            for p in step])


class LightTrees:
    """The mean of several models that differ in their seed alone: pages are few,
    so that a model's chance moves who is just sure enough."""

    def __init__(self, x, y, weight, rounds, leaves, rate, share, seed,
                 leaf_min=8, random_limits=False, models=1):
        self.classes = sorted(set(y.tolist()))
        self.several = len(self.classes) > 2
        self.features_n = x.shape[1]
        self.start = [0.] * (len(self.classes) if self.several else 1)
        form = ({"objective": "multiclass", "num_class": len(self.classes)}
                if self.several else {"objective": "binary"})
        self.models = [lightgbm.train(
            dict(form, num_leaves=leaves, learning_rate=rate,
                 min_data_in_leaf=leaf_min, lambda_l2=2,
                 extra_trees=random_limits, feature_fraction_bynode=share,
                 num_threads=1, deterministic=True, force_row_wise=True,
                 seed=seed + 1000 * k, verbose=-1),
            lightgbm.Dataset(x, numpy.searchsorted(self.classes, y), None,
                             weight),
            rounds) for k in range(models)]

    def shares(self, x):
        score = sum(m.predict(x, raw_score=True, num_threads=1)
                    for m in self.models) / len(self.models)
        if not self.several:
            score = numpy.stack([0 * score, score], axis=1)
        e = numpy.exp(score - score.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def questions(self):
        def tree(n):
            return (n["leaf_value"] / len(self.models) if "leaf_value" in n else
                    (n["split_feature"], n["threshold"],
                     tree(n["left_child"]), tree(n["right_child"])))

        return questions_of([tree(t["tree_structure"]) for m in self.models
                             for t in m.dump_model()["tree_info"]])


def nested(nodes, i):
    """A leaf's value, or (feature, limit, what is left of it, what is right)."""
    n = nodes[i]
    return (float(n["value"]) if n["is_leaf"] else
            (int(n["feature_idx"]), float(n["num_threshold"]),
             nested(nodes, int(n["left"])), nested(nodes, int(n["right"]))))


def questions_of(trees):
    """A question is (feature, limit, tree, the leaves that a greater value
    leaves possible)."""
    questions, leaves = [], []
    for t, tree in enumerate(trees):
        values = []

        def walk(n):
            if not isinstance(n, tuple):
                values.append(float(n))
                return
            feature, limit, left, right = n
            first = len(values)
            walk(left)
            low = (1 << len(values)) - (1 << first)
            questions.append((feature, limit, t, 0xffff & ~low))
            walk(right)

        walk(tree)
        leaves.append(values)
    return sorted(questions), leaves


def number(value):
    text = "%.6g" % value
    return text + ("f" if any(c in text for c in ".e") else ".f")


def write_trees(f, name, questions, leaves, features_n):
    f.write("static const struct tree_question %s_questions[] = {\n" % name)
    for _, limit, tree, mask in questions:
        f.write("{%s,%d,0x%04x},\n" % (number(limit), tree, mask))
    f.write("};\nstatic const uint16_t %s_from[] = {" % name)
    f.write(",".join(str(sum(q[0] < i for q in questions))
                     for i in range(features_n + 1)) + "};\n")
    f.write("static const float %s_leaves[][%d] = {\n" % (
        name, max(map(len, leaves))))
    for values in leaves:
        f.write("{" + ",".join(map(number, values)) + "},\n")
    f.write("};\n")


def write_model(f, name, model):
    questions, leaves = model.questions()
    f.write("static const float %s_start[] = {%s};\n" % (
        name, ",".join(number(float(x)) for x in model.start)))
    write_trees(f, name, questions, leaves, model.features_n)
