"""What a message wants of an agent without a model.

A wish to keep something begins with words for it; a question looks something up; whatever is
neither is only talk, and nothing is written for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.agent.mechanical.extraction import (
    Counted,
    Kept,
    begun,
    counted_of,
    ids_in,
    kept_of,
    plain,
)
from inklings_desktop.agent.mechanical.speech import LANGUAGES, Speech, speech
from inklings_desktop.agent.planning import Quote
from inklings_desktop.domain.likeness.sameness import languages_of
from inklings_desktop.domain.words.query_text import folded, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inklings_desktop.agent.planning import Situation, Utterance

_COMMAND = re.compile(r"^/(?P<name>[a-z_-]+)(?:\s+(?P<rest>.*))?$", re.DOTALL)


class Kind(StrEnum):
    """The intents."""

    PUT = "put"
    TALLY = "tally"
    OVERVIEW = "overview"
    RECALL = "recall"
    FIND = "find"
    CHANGED = "changed"
    NEXT_TURN = "next_turn"
    FORGET = "forget"
    CORRECT = "correct"
    HYPOTHESIS = "hypothesis"
    SKILLS = "skills"
    UNKNOWN_COMMAND = "unknown_command"
    THANKS = "thanks"
    SAY = "say"


@dataclass(frozen=True, slots=True)
class Intent:
    """What a message wants.

    Attributes:
        kind: Of which kind it is.
        language: The language to answer in.
        text: What it is about: the question, the words to look for, the correction.
        kept: What is to be kept; None where nothing is.
        counted: The figure; None without one.
        about: The tier of an overview, or ``all``; of a search ``said_of`` where only what names
            the words is wanted.
        named: The memories that it points at, by link, id or number in the last answer.
        old: What a correction takes away, word for word.
        new: What it puts there.
        is_everything: Whether it would have everything forgotten.
    """

    kind: Kind
    language: str
    text: str = ""
    kept: Kept | None = None
    counted: Counted | None = None
    about: str = "all"
    named: tuple[Quote, ...] = field(default=())
    old: str = ""
    new: str = ""
    is_everything: bool = False


def intent_of(prompt: str, situation: Situation) -> Intent:
    """What a message wants, in the situation it was said in."""
    text = prompt.strip()
    order = languages_for(text, situation)
    if command := _COMMAND.match(text):
        return _of_command(command["name"], (command["rest"] or "").strip(), order[0], situation)
    for language in order:
        for find in _WISHES:
            if (intent := find(text, speech(language), situation)) is not None:
                return intent
    for language in order:
        if speech(language).patterns["recall.pattern"].search(plain(text)):
            return Intent(Kind.RECALL, language, text)
    for language in order:
        if speech(language).patterns["talk.thanks"].match(plain(text)):
            return Intent(Kind.THANKS, language)
    return Intent(Kind.SAY, order[0], text)


def languages_for(text: str, situation: Situation) -> tuple[str, ...]:
    """The languages, the one first in which a message is to be answered."""
    heard = next(
        (
            one
            for said in (text, *reversed(situation.said[:-1]))
            if (one := _language_of(said)) is not None
        ),
        situation.language if situation.language in LANGUAGES else LANGUAGES[0],
    )
    return (heard, *(one for one in LANGUAGES if one != heard))


def _language_of(text: str) -> str | None:
    """The one language whose small words a text holds most of; None where that is not told."""
    words = words_of(folded(text))
    found = [one for one in languages_of(words) if one in LANGUAGES]
    if len(found) == 1:
        return found[0]
    counts = {one: sum(word in speech(one).known_by for word in words) for one in LANGUAGES}
    most = [one for one, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None


def _of_command(name: str, rest: str, language: str, situation: Situation) -> Intent:
    match name:
        case "remember":
            kept = kept_of(rest, speech(language)) or _kept_plainly(rest, language)
            return Intent(Kind.PUT, language, rest, kept=kept)
        case "forget":
            return _forget_target(rest, speech(language), situation)
        case "skills":
            return Intent(Kind.SKILLS, language)
    return Intent(Kind.UNKNOWN_COMMAND, language)


def _kept_plainly(rest: str, language: str) -> Kept | None:
    """What stands behind ``/remember``, as if it had been said."""
    word = {"en": "remember: ", "de": "merke dir: "}[language]
    return kept_of(word + rest, speech(language)) if rest else Kept("")


def _hypothesis(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    start = begun(text, speech)
    found = speech.patterns["hypothesis.opening"].match(plain(text)[start:])
    if found is None:
        return None
    said = text[start + found.end() :].strip()
    return Intent(Kind.HYPOTHESIS, speech.language, said, kept=Kept(said, "conversation"))


def _tally(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    counted = counted_of(text, speech)
    if counted is None:
        return None
    kept = kept_of(text, speech)
    if kept is not None and kept.tier not in {"", "conversation"}:
        return None
    return Intent(Kind.TALLY, speech.language, text, counted=counted)


def _put(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    kept = kept_of(text, speech)
    return None if kept is None else Intent(Kind.PUT, speech.language, text, kept=kept)


def _forget(text: str, speech: Speech, situation: Situation) -> Intent | None:
    whole = plain(text)
    if speech.patterns["forget.idle"].match(whole):
        return Intent(Kind.SAY, speech.language, text)
    start = begun(text, speech)
    if found := speech.patterns["forget.opening"].match(whole, start):
        target = text[found.end() :].strip(' ,:;.!\u2013\u2014"\u201c\u201d\u201e')
        return _forget_target(target, speech, situation)
    last = _last_answer(situation)
    is_choosing = speech.table["say"]["forget_which"] in last
    number = speech.patterns["forget.number"].fullmatch(whole.strip())
    if is_choosing and number:
        return _forget_target(whole.strip(), speech, situation)
    if "?" not in whole and (untrue := speech.patterns["forget.untrue"].match(whole.strip())):
        what = text.strip()[untrue.start("what") : untrue.end("what")]
        if speech.patterns["forget.it"].fullmatch(plain(what)) and not _last_quotes(situation):
            return None
        return _forget_target(what, speech, situation)
    return None


def _forget_target(target: str, speech: Speech, situation: Situation) -> Intent:
    """What is to be forgotten: pointed at, by number in the last list, or by its words."""
    language, quotes = speech.language, _last_quotes(situation)
    whole = plain(target)
    named = tuple(Quote(id_, tier) for tier, id_ in ids_in(target))
    if not named and len(target) >= _SHORT_ID and re.fullmatch(r"[0-9a-fA-F]{8,36}", target):
        named = (Quote(target.lower(), ""),)
    number = speech.patterns["forget.number"].fullmatch(whole)
    is_it = speech.patterns["forget.it"].fullmatch(whole) is not None
    if not named and number and 1 <= int(number["number"]) <= len(quotes):
        named = (quotes[int(number["number"]) - 1],)
    if not named and (is_it or not target):
        attached = (pair for one in situation.attachments for pair in ids_in(one.uri))
        named = tuple(Quote(id_, tier) for tier, id_ in attached)
        named = named or (quotes if len(quotes) == 1 else ())
        target = ""
    is_everything = speech.patterns["forget.everything"].fullmatch(whole) is not None
    return Intent(Kind.FORGET, language, target, named=named[:1], is_everything=is_everything)


_SHORT_ID = 8


def _correct(text: str, speech: Speech, situation: Situation) -> Intent | None:
    quotes, whole = _last_quotes(situation), plain(text.strip())
    if not quotes or whole.endswith("?"):
        return None
    opening = speech.patterns["correct.opening"].match(whole)
    instead = speech.patterns["correct.instead"].search(whole)
    if opening is None and instead is None:
        return None
    rest = text.strip()[opening.end() if opening else 0 :].strip()
    if not rest:
        return None
    old, new = (instead["old"].strip(), instead["new"].strip()) if instead else ("", "")
    return Intent(Kind.CORRECT, speech.language, rest, named=quotes, old=old, new=new)


def _overview(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    found = speech.patterns["overview.pattern"].match(plain(text))
    if found is None:
        return None
    said = found["about"] or ""
    about = next((one for one, each in speech.abouts.items() if each.fullmatch(said)), "all")
    return Intent(Kind.OVERVIEW, speech.language, text, about=about)


def _find(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    for name in ("find.pattern", "find.said_of"):
        if found := speech.patterns[name].match(plain(text)):
            what = text[found.start("what") : found.end("what")]
            return Intent(Kind.FIND, speech.language, what, about=name.partition(".")[2])
    return None


def _changed(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    found = speech.patterns["changed.pattern"].match(plain(text))
    if found is None:
        return None
    return Intent(Kind.CHANGED, speech.language, found["since"] or "")


def _next_turn(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    is_asked = speech.patterns["next_turn.pattern"].match(plain(text)) is not None
    return Intent(Kind.NEXT_TURN, speech.language) if is_asked else None


_WISHES: tuple[Callable[[str, Speech, Situation], Intent | None], ...] = (
    _hypothesis, _tally, _put, _forget, _correct, _overview, _changed, _next_turn, _find,
)  # fmt: skip
"""In this order: what is to be kept may speak of anything."""


def _last_answer(situation: Situation) -> str:
    return next((one.text for one in _answers(situation)), "")


def _last_quotes(situation: Situation) -> tuple[Quote, ...]:
    """The memories that the last answer named."""
    return next((one.quotes or _linked(one.text) for one in _answers(situation)), ())


def _answers(situation: Situation) -> Iterator[Utterance]:
    return (one for one in reversed(situation.earlier) if one.role == "assistant")


def _linked(text: str) -> tuple[Quote, ...]:
    return tuple(dict.fromkeys(Quote(id_, tier) for tier, id_ in ids_in(text) if tier))
