#!/bin/sh
# Make data/taggers/*.tagger again: taggers.sh WINNOW DIR, where DIR holds the treebanks' files under their own names.
# The test files are judged by and never learnt from.  upos:FILE: its language-specific tags are of another set.
set -eu
winnow=$1 ud=$2 out=$(dirname "$0")/taggers
make() { # LANGUAGE BITS TEST FILE...
	language=$1 bits=$2 test=$3
	shift 3
	for f in "$@"; do
		shift
		case $f in
		upos:*) set -- "$@" --conllu "upos:$ud/${f#upos:}" ;;
		*) set -- "$@" --conllu "$ud/$f" ;;
		esac
	done
	echo "$language"
	"$winnow" train tagger "$@" --language "$language" --test "$ud/$test" --out "$out/$language.tagger" --bits "$bits" --nets 8 --epochs 8
}
make en 16 en_ewt-ud-test.conllu en_ewt-ud-train.conllu en_ewt-ud-dev.conllu en_pud-ud-test.conllu
make de 15 de_gsd-ud-test.conllu de_gsd-ud-dev.conllu upos:de_pud-ud-test.conllu
make nl 15 nl_alpino-ud-test.conllu nl_alpino-ud-dev.conllu nl_lassysmall-ud-dev.conllu nl_lassysmall-ud-test.conllu
make fr 15 fr_gsd-ud-test.conllu fr_gsd-ud-dev.conllu fr_sequoia-ud-train.conllu fr_sequoia-ud-dev.conllu fr_sequoia-ud-test.conllu \
	upos:fr_pud-ud-test.conllu fr_parisstories-ud-train.conllu fr_parisstories-ud-dev.conllu fr_parisstories-ud-test.conllu \
	fr_rhapsodie-ud-train.conllu fr_rhapsodie-ud-dev.conllu fr_rhapsodie-ud-test.conllu
make es 15 es_gsd-ud-test.conllu upos:es_gsd-ud-dev.conllu upos:es_pud-ud-test.conllu
make sv 15 sv_talbanken-ud-test.conllu sv_talbanken-ud-dev.conllu sv_pud-ud-test.conllu
make it 15 it_isdt-ud-test.conllu upos:it_pud-ud-test.conllu it_parlamint-ud-train.conllu it_parlamint-ud-test.conllu it_markit-ud-train.conllu \
	it_markit-ud-dev.conllu it_markit-ud-test.conllu it_valico-ud-test.conllu
