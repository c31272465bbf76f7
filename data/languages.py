#!/usr/bin/env python3
"""Make data/languages.model, from which languages of sentences are told, out of freely licensed text.

  python3 data/languages.py --text DIR --packages DIR [--out FILE]

--text      the packed `text`, unpacked: treebanks under a free licence (sources.json says which), word lists (FrequencyWords),
            the Universal Declaration of Human Rights; lingua_sentences.txt is not read, it is for tests
--packages  a folder for Debian packages with translations, which are downloaded unless they are there (apt-get download)

What is counted are n-grams of the capitals of a word's letters with a blank on both sides, and whole words; a source counts
by its kind, not by its size.  A weight is the logarithm of a language's share of an n-gram over the mean of all languages
of its script, cut at a floor.  corpus/language/language_model.h says how the file is laid out.
"""
import argparse
import collections
import gettext
import glob
import json
import math
import os
import re
import struct
import subprocess
import unicodedata
import zlib

GROUPS = {  # script: languages, slots as a power of two
    "Latn": ("af az bs ca cs cy da de en eo es et eu fi fr ga gl hr hu id is it la lg lt lv mi ms nb nl nn om pl pt ro sk sl "
             "sn so sq sr st sv sw tl tn tr ts vi xh yo zu", 15),
    "Cyrl": ("be bg kk mk mn ru sr uk", 13),
    "Arab": ("ar fa ur", 12),
    "Deva": ("hi mr", 11),
    "Ethi": ("am ti", 11),
}
RANGES = {"Latn": [(0x41, 0x24f), (0x1e00, 0x1eff)], "Cyrl": [(0x400, 0x52f)],
          "Arab": [(0x600, 0x6ff), (0x750, 0x77f), (0xfb50, 0xfdff), (0xfe70, 0xfefc)], "Deva": [(0x900, 0x97f)],
          "Ethi": [(0x1200, 0x139f)]}
FREE = ("CC BY-SA", "CC BY 4.0", "LGPL-LR")
PACKAGES = ["evolution-common", "gimp-data", "krita-l10n"] + [
    "libreoffice-l10n-" + l for l in "af am bn bs cy eo gu ka kk mn mr om pa-in si st ta te tn ts xh zu mk th ga et".split()]
UDHR = {"az": ["azj_latn"], "bs": ["bos_latn"], "de": ["deu_1996"], "el": ["ell_monotonic"], "es": ["spa"], "fi": ["fin"],
        "fr": ["fra"], "la": ["lat", "lat_1"], "lv": ["lav"], "mi": ["mri"], "ro": ["ron_2006"], "so": ["som"],
        "sr": ["srp_latn", "srp_cyrl"], "sw": ["swh"], "ts": ["tso_MZ", "tso_ZW"], "pt": ["por_PT", "por_BR"],
        "ms": ["mly_latn"], "sq": ["als"], "fa": ["pes_1"], "ur": ["urd", "urd_2"]}
MASS = {"text": 1.0, "udhr": 0.4, "list": 0.5, "ui": 0.35, "known": 0.3}
UNMARKED = ("yo",)  # mostly written without the marks that its sources have
# Words by which near languages are told apart, written for this file.
KNOWN = {
    "hr": "tko što netko nitko tjedan tjedna tjedna siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada "
          "studenoga studenog prosinca siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac "
          "tisuća tisuće europa europe europski europske europskog europskih sveučilište sveučilišta sveučilištu uvjet uvjeti uvjeta "
          "uvjetima glazba glazbe glazbeni zrakoplov povijest povijesti povijesni vlak kolodvor nogomet nogometaš nogometni općina "
          "općine općinski vlastiti znanost znanosti znanstveni znanstvenik obitelj obitelji obiteljski ravnatelj tvrtka tvrtke "
          "uporaba uporabe izvješće izvješća tijekom unatoč glede poglavito suradnja suradnje suradnik prijevoz promet cesta "
          "zaslon računalo računala mrežni dojam dojmova kruh juha vrhnje rajčica mrkva kava kavu uopće također točno točka opća "
          "opći opće redatelj skladatelj pjesma čimbenik sastavnica žlica vlada vjerojatno promicanje natjecanje natjecanja "
          "županija županije zagreb zagrebu zagrebački split rijeka osijek hrvatska hrvatske hrvatski hrvatskoj priopćenje "
          "izvanredni organizirati organiziran organizirao informirati kontrolirati financirati financijski financije kemija kemijski "
          "barem osim sukladno gospodarstvo gospodarski gospodarstva vojarna športski šport susret dužnosnik proračun proračuna "
          "dobiven primjerice odnosno zemljovid nadalje nazočan ozračje pozornost potpora potpore priopćio priopćila rabiti rabi",
    "bs": "ko neko niko sedmica sedmice sedmici januar januara februar februara mart marta april aprila maj maja juni juna juli jula "
          "august augusta septembar septembra oktobar oktobra novembar novembra decembar decembra hiljada hiljade hiljadu evropa "
          "evrope evropski evropske evropskog univerzitet univerziteta uslov uslovi uslova uslovima muzika muzike muzički avion "
          "historija historije historijski voz stanica fudbal fudbaler fudbalski opština općina općine kanton kantona nauka nauke "
          "naučni naučnik porodica porodice porodični direktor firma firme upotreba upotrebe izvještaj izvještaja tokom uprkos "
          "saradnja saradnje saradnik saobraćaj kompjuter lahko lahka lahke mehko kahva kahvu kafa kafu hljeb hljeba supa paradajz "
          "sahat sarajevo sarajeva sarajevu sarajevski bosna bosne bosni hercegovina hercegovine bosanski bosanska bosanskohercegovački "
          "federacija federacije entitet entiteta bošnjak bošnjaci bošnjački saopćenje saopćio saopćila saopštio općenito također "
          "tačno tačka opći opća opće režiser kompozitor faktor kašika vlada takmičenje takmičenja organizovati organizovan "
          "organizovao informisati kontrolisati finansirati finansijski finansije hemija hemijski sprat ostrvo hiljadama šehid "
          "džamija džamije musliman muslimani tuzla mostar zenica banja luka historičar prijevod uposlenik uposlenici kanton islamski",
    "sr": "ko šta neko niko nedelja nedelje nedelji januar januara februar februara mart marta april aprila maj maja jun juna jul jula "
          "avgust avgusta septembar septembra oktobar oktobra novembar novembra decembar decembra hiljada hiljade evropa evrope "
          "evropski evropske univerzitet univerziteta uslov uslovi uslova muzika muzike avion istorija istorije istorijski voz "
          "stanica fudbal fudbaler opština opštine opštini nauka nauke naučni naučnik porodica porodice direktor firma upotreba "
          "izveštaj izveštaja tokom uprkos saradnja saradnje saradnik saobraćaj hleb hleba supa kafa kafu takođe tačno tačka opšti "
          "opšta opšte reditelj kompozitor faktor kašika takmičenje organizovati organizovan informisati finansijski finansije hemija "
          "beograd beograda beogradu srbija srbije srbiji srpski srpska novi sad niš ovde gde uvek posle pre mleko mesto mesta vreme "
          "vremena reč reči deca dece čovek čoveka ljudi svet sveta svetski svetu videti razumeti hteo htela želeti pesma pesme mera "
          "mere reka reke telo tela lepo lepa belo bela cena cene celo cela delo dela deo deli vera vere sledeći posledica primer "
          "rešenje dve obe umesto pobeda vest vesti zahtev uspeh odeljenje izveštaj nasleđe bezbednost potreba potrebe",
}
FLOOR = 3e-6
ALIKE = ("hr", "id")  # made of the kinds of sources that their near languages (bs, ms) have, or the kind would tell them
SCALE = 12.0  # steps of a weight in a unit of the logarithm
M64 = (1 << 64) - 1


def capital(c):
    u = c.upper()
    return u if len(u) == 1 else c


def words(text):
    out = []
    for c in text:
        k = unicodedata.category(c)
        if k[0] in "LM":
            out.append(capital(c))
        elif k != "Cf":
            if out:
                yield "".join(out)
                out = []
    if out:
        yield "".join(out)


def bare(word):
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c)[0] != "M")


def script(word):
    for name, ranges in RANGES.items():
        if any(a <= ord(word[0]) <= b for a, b in ranges):
            return name
    return None


def keys(word):
    """The n-grams of a word, as the numbers that the program makes of them."""
    cps = [ord(c) & 0xffff for c in word]
    p = [32] + cps + [32]
    for i in range(len(p) - 2):
        if i == 0 or i + 3 == len(p):
            yield p[i] | p[i + 1] << 16 | p[i + 2] << 32
        if i + 3 < len(p):
            yield p[i] | p[i + 1] << 16 | p[i + 2] << 32 | p[i + 3] << 48
    h = 0xcbf29ce484222325
    for c in cps[:24]:
        h = (h ^ c) * 0x100000001b3 & M64
    yield h | 1 << 63


def mixed(key):
    key ^= key >> 32
    key = key * 0x9e3779b97f4a7c15 & M64
    return key ^ key >> 29


def clean_ui(s):
    s = re.sub(r"<[^>]*>|%[-0-9.$]*[a-zA-Z]|\{[^}]*\}|\$\([^)]*\)|https?://\S+|\\[a-z]", " ", s)
    return s.replace("_", "").replace("~", "").replace("&", "")


def fetch(folder):
    os.makedirs(folder, exist_ok=True)
    for p in PACKAGES:
        if not glob.glob(os.path.join(folder, p + "_*.deb")):
            subprocess.run(["apt-get", "download", p], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        to = os.path.join(folder, "x_" + p)
        if not os.path.isdir(to):
            subprocess.run(["dpkg-deb", "-x", glob.glob(os.path.join(folder, p + "_*.deb"))[0], to], check=True)


def ui(folder, lang):
    names = {"pt": ["pt", "pt_BR"], "nb": ["nb"], "sr": ["sr", "sr@latin"], "pa": ["pa", "pa-IN"]}.get(lang, [lang])
    seen = set()
    for n in names:
        for path in glob.glob(os.path.join(folder, "x_*/usr/share/locale/%s/LC_MESSAGES/*.mo" % n)) + \
                glob.glob(os.path.join(folder, "x_*/usr/lib/libreoffice/program/resource/%s/LC_MESSAGES/*.mo" % n)):
            with open(path, "rb") as f:
                try:
                    catalog = gettext.GNUTranslations(f)._catalog
                except (OSError, ValueError, UnicodeDecodeError):
                    continue
            for key, value in catalog.items():
                source = key[0] if isinstance(key, tuple) else key
                source = source.split("\x04")[-1]
                if source and value and value != source and value not in seen:
                    seen.add(value)
                    yield clean_ui(value)
    if lang == "en":
        for path in glob.glob(os.path.join(folder, "x_gimp-data/usr/share/locale/de/LC_MESSAGES/*.mo")):
            with open(path, "rb") as f:
                for key in gettext.GNUTranslations(f)._catalog:
                    yield clean_ui(key[0] if isinstance(key, tuple) else key)


def free_lines(text, lang, sources):
    path = os.path.join(text, lang, "train.txt")
    if not os.path.exists(path) or lang not in sources:
        return
    lines = open(path, encoding="utf-8").read().split("\n")
    at = 0
    for part in sources[lang].get("train_parts", []):
        n = part["sentences"]
        if part["license"].startswith(FREE):
            yield from lines[at:at + n]
        at += n


def counted(lang, a, sources):
    """Counts by script and kind of source."""
    out = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))

    def add(kind, text, n=1):
        for w in words(text):
            s = script(w)
            if s and len(w) <= 40:
                out[s][kind][w] += n
                if lang in UNMARKED:
                    out[s][kind][bare(w)] += n
    add("known", KNOWN.get(lang, ""), 2)
    if lang not in ALIKE:
        for line in free_lines(a.text, lang, sources):
            add("text", line)
    for line in ui(a.packages, lang):
        add("ui", line)
    iso = [x for x in json.load(open(os.path.join(a.text, "_udhr/index.json"))) if x[2].split("-")[0] == lang]
    for code in UDHR.get(lang, [x[0] for x in iso if not x[0].isdigit()][:2]):
        path = os.path.join(a.text, "_udhr", code + ".txt")
        if os.path.exists(path):
            add("udhr", open(path, encoding="utf-8").read())
    for name in {"nb": ["no"], "pt": ["pt", "pt_br"]}.get(lang, [lang]):
        path = os.path.join(a.text, name, "freqwords_opensubtitles2018_20k.txt")
        if os.path.exists(path):
            for line in open(path, encoding="utf-8"):
                w, _, n = line.rpartition(" ")
                add("list", w, math.sqrt(float(n)) if n.isdigit() else 1)
    return out


def shares(kinds):
    """Each n-gram's share of the language, over its sources by their mass."""
    total = collections.Counter()
    masses = 0
    for kind, ws in kinds.items():
        c = collections.Counter()
        for w, n in ws.items():
            for k in keys(w):
                c[k] += n
        size = sum(c.values())
        mass = MASS[kind] * (1 if kind == "known" else min(1, size / 30000))
        masses += mass
        for k, n in c.items():
            if n > 1 or len(ws) < 3000:
                total[k] += mass * n / size
    for k in total:
        total[k] /= masses
    return total


def table(langs, all_shares, bits):
    n = len(langs)
    mean = collections.Counter()
    for l in langs:
        for k, p in all_shares[l].items():
            mean[k] += p / n
    worth = []
    for k, m in mean.items():
        gain = 0
        for l in langs:
            p = all_shares[l].get(k, 0)
            gain += p * abs(math.log((p + FLOOR) / (m + FLOOR)))
        worth.append((gain, k))
    worth.sort(reverse=True)
    slots = 1 << bits
    worth = worth[:int(slots * 0.8)]
    tags = [0] * slots
    rows = bytearray(slots * n)
    for _, k in worth:
        x = mixed(k)
        at = x >> (64 - bits)
        while tags[at]:
            at = (at + 1) % slots
        tags[at] = (x & 0xffff) or 1
        for i, l in enumerate(langs):
            w = SCALE * math.log((all_shares[l].get(k, 0) + FLOOR) / (mean[k] + FLOOR))
            rows[at * n + i] = max(-127, min(127, round(w))) & 0xff
    return struct.pack("<%dH" % slots, *tags) + bytes(rows)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--text", required=True), p.add_argument("--packages", required=True)
    p.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "languages.model"))
    a = p.parse_args()
    fetch(a.packages)
    sources = {}
    for s in json.load(open(os.path.join(a.text, "sources.json"))):
        sources.setdefault(s["lang"], s)
    data = {l: counted(l, a, sources) for l in sorted({l for ls, _ in GROUPS.values() for l in ls.split()})}
    out = b"winnow-languages 1\n"
    for name, (langs, bits) in GROUPS.items():
        langs = langs.split()
        s = {}
        for l in langs:
            kinds = data[l].get(name, {})
            print(name, l, {k: sum(c.values()).__int__() if k != "list" else len(c) for k, c in kinds.items()}, flush=True)
            s[l] = shares(kinds) if kinds else {}
        out += ("%s %d %s\n" % (name, bits, " ".join(langs))).encode() + table(langs, s, bits)
    with open(a.out, "wb") as f:
        f.write(out + b"crc32 %08x\n" % zlib.crc32(out))


if __name__ == "__main__":
    main()
