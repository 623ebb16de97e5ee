# /// inklings
# title = "Contradictions between descriptions"
# description = "Sentences about the same thing that differ in a colour, a number, a side or a not."
# license = "Apache-2.0"
#
# [inputs]
# query = "Name; leave it empty for everything"
# ///
"""Compares each two sentences that share most of their words and differ in words of one kind.

It knows English words of a few kinds and nothing of meaning: what it finds is for you to judge.
Add kinds of your own to KINDS in a copy.
"""

import itertools
import re

import inklings

KINDS = {
    "colour": "black blond blonde blue brown dark fair gold golden gray green grey hazel pale red"
    " silver violet white yellow",
    "number": "no one two three four five six seven eight nine ten eleven twelve twenty thirty"
    " forty fifty hundred",
    "side": "left right north south east west northern southern eastern western upper lower",
    "state": "alive dead living old young married unmarried widowed single true false open closed",
    "size": "tall short big small large tiny huge wide narrow deep shallow high low",
    "kin": "mother father sister brother daughter son wife husband aunt uncle",
    "time": "monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter"
    " morning noon evening night dawn dusk",
    "not": "not never cannot always isn't wasn't doesn't didn't don't",
}
KIND_OF = {word: kind for kind, words in KINDS.items() for word in words.split()}
PLAIN = set("a an and are as at be been but by for from had has have he her his in is it its of on"
            " or she that the their they this to was were with who which".split())  # fmt: skip
ALIKE = 0.5  # which share of their words two sentences have in common at least
MOST_SENTENCES = 3000
COMMON = 60  # a word of more sentences than this says little


def main(inputs):
    query = inputs.get("query", "").strip().casefold()
    sentences = []
    for text, where in everything():
        for sentence in re.split(r"(?<=[.!?])\s+|\n+", text):
            if query in sentence.casefold():
                sentences.append((sentence.strip(), split(sentence), where))
    is_cut = len(sentences) > MOST_SENTENCES
    sentences = sentences[:MOST_SENTENCES]

    findings = []
    # Only sentences that share a word are compared: a list of sentences for each word.
    by_word = {}
    for number, (_, (rest, _), _) in enumerate(sentences):
        for word in rest:
            by_word.setdefault(word, []).append(number)
    pairs = set()
    for numbers in by_word.values():
        if len(numbers) <= COMMON:
            pairs.update(
                (one, other)
                for one, other in itertools.combinations(numbers, 2)
                if sentences[one][1][1] or sentences[other][1][1]
            )
    for done, (one, other) in enumerate(sorted(pairs)):
        if done % 5000 == 0:
            inklings.progress("Comparing sentences", done / len(pairs))
        text, mine, where = sentences[one]
        against, theirs, there = sentences[other]
        if kind := differs(mine, theirs):
            both = {key: where.get(key, []) + there.get(key, []) for key in ("memories", "pages")}
            says = f"\u201c{text}\u201d and \u201c{against}\u201d differ in: {kind}."
            findings.append({"says": says, **both})

    summary = f"Sentences compared: {len(sentences)}. Possible contradictions: {len(findings)}."
    if is_cut:
        summary += f" Only the first {MOST_SENTENCES} were compared; name something."
    return {"summary": summary, "findings": findings}


def everything():
    inklings.progress("Reading memories", 0.0)
    for memory in inklings.every_memory():
        yield memory["content"], {"memories": [memory["id"]]}
    for page in inklings.every_page():
        inklings.progress(f"Reading {page['title']}")
        for block in inklings.page(page["id"])["blocks"]:
            yield block["text"], {"pages": [page["id"]]}


def split(sentence):
    """The words of a sentence that say something, and those of a kind."""
    words = re.findall(r"[\w'\u2019]+", sentence.casefold().replace("\u2019", "'"))
    kinds = {}
    for word in words:
        kind = "number" if word.isdigit() else KIND_OF.get(word)
        if kind:
            kinds.setdefault(kind, set()).add(word)
    rest = {
        word for word in words if word not in KIND_OF and word not in PLAIN and not word.isdigit()
    }
    return rest, kinds


def differs(mine, theirs):
    """The kind of words in which two sentences about the same differ; empty for none."""
    (rest, kinds), (others, their_kinds) = mine, theirs
    shared = len(rest & others)
    if shared < 2 or shared / len(rest | others) < ALIKE:
        return ""
    for kind in kinds.keys() | their_kinds.keys():
        has, have = kinds.get(kind, set()), their_kinds.get(kind, set())
        if kind == "not" and bool(has) != bool(have):
            return kind
        if kind != "not" and has - have and have - has:
            return kind
    return ""
