"""Freely licensed text out of public git repositories, for profiles.py.

Each repository is read at one commit.  Clones are in FOLDER/<owner>+<name>, made
without files' contents (git fetches what is read) unless they are there.
SOURCES.md names the licences.
"""
import os
import re
import subprocess

WORDS_ENOUGH = 60000  # of one source

NTREX = ("MicrosoftTranslator/NTREX",
         "8561f6a622db9edad1217683e5c83daefd8bb2bf")
VOICE = ("mozilla/voice-web", "e0bfbc4be9eb6a97f7dd92eb938200f09f04ba96")
TREEBANKS = {
    "Albanian-STAF": "22ae839b1d7c78005e900dd97747f0739b233c42",
    "Armenian-ArmTDP": "90fe19c2cc3942c4ab53c08e8aa09770c1177ab3",
    "Armenian-BSUT": "309be1d86d2f6021f50534a37f01266c2e5dfea1",
    "Belarusian-HSE": "1233cdd9e512a426e31cdcf95dcb0bd3a4752e54",
    "Breton-KEB": "639600f9b15a5e2e15f310b12e4dbe81c40fa74b",
    "Faroese-OFT": "70786cfa4e1755cabc17017e2d90c8d1f238f0a0",
    "Georgian-GLC": "9b8a459a55307a891f10404a6366428840dcafda",
    "Georgian-GNC": "80948dcb65449c27336980c13d3698750c215e55",
    "Hebrew-IAHLTwiki": "29402e7c2727fb8fd181ab3ad1a800561fbff69a",
    "Hindi-PUD": "8bc630f73e0737ce5ed9eaa97abf11f172ecc9bd",
    "Kazakh-KTB": "e9f3b87a5faa95cf0b4cd97d62f2de8c90ee8153",
    "Korean-GSD": "925eec22693d37a922eb546c6a9500844d271d51",
    "Korean-Kaist": "ef244243b578e7cd0fb4fe45cd80b63de2a60e00",
    "Korean-PUD": "9bc99c21a00b88d44def216b64f898e4b6151d0d",
    "Maltese-MUDT": "8330fc644d66d62d91e873780c2706c5519f8bfd",
    "Marathi-UFAL": "c02a08246fdb6c99257d7c5bc6ef14f736a995bf",
    "Scottish_Gaelic-ARCOSG": "d899aedfd1bfb5383e8867294d7db8f85108fb32",
    "Telugu-MTG": "fea14d143ec43ba42b0b82381b55fd509839a1a0",
    "Thai-PUD": "516638d39adfbc03fa3e7f7b33ce59555055a2d9",
    "Thai-TUD": "58c2058bcd542a759c03bcac4cf6e48aff27cf50",
    "Uzbek-UT": "90817bc520f0138e2903448eaf6bf41d097430b3",
    "Welsh-CCG": "78e19757e590d92bba26cbd145f56779ce61d2a3",
}

PARTS = {  # where some are too large
    name: "dev|test" for name in "Armenian-ArmTDP Belarusian-HSE Georgian-GLC "
    "Hebrew-IAHLTwiki Korean-GSD Korean-Kaist Scottish_Gaelic-ARCOSG".split()}

# language: KIND/PATH of each source
LANGUAGES = {
    "az": "ntrex/aze-Latn",
    "be": "ntrex/bel treebank/Belarusian-HSE voice/be",
    "bn": "ntrex/ben voice/bn",
    "br": "treebank/Breton-KEB voice/br/ofis_publik_ar_brezhoneg",
    "bs": "ntrex/bos",
    "cy": "ntrex/cym treebank/Welsh-CCG voice/cy",
    "dv": "ntrex/div voice/dv",
    "eo": "voice/eo",
    "eu": "ntrex/eus voice/eu/argia01 voice/eu/librezale01",
    "fo": "ntrex/fao treebank/Faroese-OFT",
    "fy": "voice/fy-NL",
    "gd": "treebank/Scottish_Gaelic-ARCOSG",
    "gu": "ntrex/guj",
    "ha": "ntrex/hau voice/ha",
    "he": "ntrex/heb treebank/Hebrew-IAHLTwiki",
    "hi": "ntrex/hin treebank/Hindi-PUD voice/hi",
    "hy": "ntrex/hye treebank/Armenian-ArmTDP treebank/Armenian-BSUT",
    "ig": "ntrex/ibo",
    "ka": "ntrex/kat treebank/Georgian-GLC treebank/Georgian-GNC voice/ka",
    "kk": "ntrex/kaz treebank/Kazakh-KTB voice/kk",
    "km": "ntrex/khm",
    "kn": "ntrex/kan",
    "ko": "ntrex/kor treebank/Korean-GSD treebank/Korean-Kaist "
          "treebank/Korean-PUD voice/ko",
    "ku": "ntrex/kmr voice/kmr",
    "ky": "ntrex/kir voice/ky/kloop",
    "lb": "ntrex/ltz",
    "lg": "voice/lg/lug-batch-one voice/lg/lug-batch-three "
          "voice/lg/lug-batch-two",
    "lo": "ntrex/lao",
    "mg": "ntrex/mlg",
    "mi": "ntrex/mri",
    "mk": "ntrex/mkd voice/mk",
    "mn": "ntrex/mon voice/mn",
    "mr": "ntrex/mar treebank/Marathi-UFAL voice/mr",
    "ms": "ntrex/msa",
    "mt": "ntrex/mlt treebank/Maltese-MUDT voice/mt",
    "ne": "ntrex/nep voice/ne-NP",
    "ny": "ntrex/nya",
    "om": "ntrex/orm",
    "pa": "ntrex/pan",
    "ps": "ntrex/pus",
    "rw": "ntrex/kin voice/rw",
    "si": "ntrex/sin voice/si",
    "sm": "ntrex/smo",
    "sn": "ntrex/sna-Latn",
    "so": "ntrex/som",
    "sq": "ntrex/sqi treebank/Albanian-STAF",
    "sw": "ntrex/swa",
    "ta": "ntrex/tam",
    "te": "ntrex/tel treebank/Telugu-MTG voice/te",
    "tg": "ntrex/tgk-Cyrl",
    "th": "ntrex/tha treebank/Thai-PUD treebank/Thai-TUD",
    "tk": "ntrex/tuk",
    "tl": "ntrex/fil",
    "tn": "ntrex/tsn",
    "tt": "ntrex/tat voice/tt/mansur voice/tt/mansur_3",
    "ug": "ntrex/uig voice/ug",
    "ur": "ntrex/urd voice/ur",
    "uz": "ntrex/uzb treebank/Uzbek-UT voice/uz",
    "yo": "ntrex/yor",
}

# What other kinds of text have of the sample's word order and common words, as
# tried on every second document of those that tests/real/languages.py reads.
ELSEWHERE = {"bn": 0.8, "dv": 0.7, "gu": 0.7, "kk": 0.8, "kn": 0.8, "ky": 0.8,
             "lg": 0.8, "mr": 0.75, "ne": 0.7, "om": 0.6, "pa": 0.8, "si": 0.55,
             "sn": 0.8, "ta": 0.85, "te": 0.65, "ug": 0.7, "uz": 0.8, "yo": 0.7}


def clone(folder, name):
    path = os.path.join(folder, name.replace("/", "+"))
    if not os.path.exists(path):
        subprocess.run(["git", "clone", "-q", "--bare", "--filter=blob:none",
                        "https://github.com/" + name, path], check=True)
    return path


def git(repository, *command):
    return subprocess.run(["git", "-C", repository, *command], check=True,
                          stdout=subprocess.PIPE).stdout.decode()


def ntrex(folder, code):
    """News, translated from English."""
    lines = git(clone(folder, NTREX[0]), "show",
                "%s:NTREX-128/newstest2019-ref.%s.txt" % (NTREX[1], code))
    return [line.strip() for line in lines.split("\n") if line.strip()]


def voice(folder, path):
    """Sentences for reading aloud; path: language, or language/file."""
    path = path if "/" in path else path + "/sentence-collector"
    lines = git(clone(folder, VOICE[0]), "show",
                "%s:server/data/%s.txt" % (VOICE[1], path))
    return list(dict.fromkeys(line.strip() for line in lines.split("\n")
                              if line.strip()))


def treebank(folder, name):
    """The sentences of a treebank, but for parts of 4 MiB and more: snapshots
    of the repositories lack them, and the others are enough."""
    repository = clone(folder, "UniversalDependencies/UD_" + name)
    commit = TREEBANKS[name]
    found = []
    for file in git(repository, "ls-tree", "--name-only", commit).split():
        if re.fullmatch(r"\w+-ud-(%s)\.conllu" % PARTS.get(
                name, "dev|test|train"), file):
            found += re.findall(r"(?m)^# text = (.*)$",
                                git(repository, "show", commit + ":" + file))
    return [line.strip() for line in found]


def length(line):
    """In words, roughly, also where there are no blanks between them."""
    return max(len(line.split()), len(line) // 16)


def thin(lines, words_max):
    """An even sample of lines, in their order."""
    step = max(1, sum(map(length, lines)) / words_max)
    return [lines[int(i * step)] for i in range(int(len(lines) / step))]


def texts(folder, language):
    """(name of the source, its lines) for each source of a language."""
    kinds = {"ntrex": ntrex, "treebank": treebank, "voice": voice}
    for source in LANGUAGES[language].split():
        kind, _, path = source.partition("/")
        yield source.replace("/", "-"), thin(kinds[kind](folder, path),
                                             WORDS_ENOUGH)
