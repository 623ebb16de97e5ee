"""What a message wants of an agent without a model.

A wish to keep something begins with words for it; a question looks something up; whatever is
neither is only talk, and nothing is written for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.agent.mechanical.speech import (
    LANGUAGES,
    Counted,
    Kept,
    Speech,
    begun,
    counted_of,
    ids_in,
    kept_of,
    plain,
    speech,
)
from inklings_desktop.agent.planning import Quote
from inklings_desktop.domain.likeness.grounding import content_words
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
    COMPARE = "compare"
    CHANGED = "changed"
    NEXT_TURN = "next_turn"
    FORGET = "forget"
    CORRECT = "correct"
    HYPOTHESIS = "hypothesis"
    LEFT_OFF = "left_off"
    WHY = "why"
    HELP = "help"
    MODEL = "model"
    UNKEPT = "unkept"
    UNCHANGED = "unchanged"
    SKILLS = "skills"
    COMPOSE = "compose"
    ROLE = "role"
    UNKNOWN_COMMAND = "unknown_command"
    THANKS = "thanks"
    SAY = "say"


@dataclass(frozen=True, slots=True)
class Intent:
    """What a message wants.

    Attributes:
        text: What it is about: the question, the words to look for, the correction.
        kept: What is to be kept; None where nothing is.
        counted: The figure; None without one.
        about: The tier of an overview, or ``all``; of a search ``said_of`` where only what names
            the words is wanted; of a question ``bare`` where it is only a name.
        named: The memories that it points at, by link, id or number in the last answer; of a
            correction those that the last answer quoted.
        old: What a correction takes away, word for word.
        new: What it puts there.
        is_everything: Whether it would have everything forgotten.
        topics: What all memories on it are to be forgotten, by subject.
        is_clause: Whether what is to be forgotten is a statement, not a subject.
        is_chosen: Whether the memory was chosen from a list, or pointed at.
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
    topics: tuple[str, ...] = ()
    is_clause: bool = False
    is_chosen: bool = False


def intent_of(prompt: str, situation: Situation) -> Intent:
    """What a message wants, in the situation it was said in."""
    text = prompt.strip()
    order = languages_for(text, situation)
    if command := _COMMAND.match(text):
        return _of_command(command["name"], (command["rest"] or "").strip(), order[0], situation)
    for answers in (_choice, _listed):
        if (intent := answers(text, order, situation)) is not None:
            return intent
    for find in _WISHES:
        for language in order:
            if (intent := find(text, speech(language), situation)) is not None:
                return intent
    for language in order:
        if speech(language).patterns["recall.pattern"].search(plain(text)):
            return Intent(Kind.RECALL, language, text)
    for language in order:
        if speech(language).patterns["talk.thanks"].match(plain(text)):
            return Intent(Kind.THANKS, language)
    is_bare = any(speech(one).patterns["recall.bare"].match(plain(text)) for one in order)
    if is_bare and content_words(text):
        return Intent(Kind.RECALL, order[0], text, about="bare")
    return Intent(Kind.SAY, order[0], text)


def _choice(text: str, order: tuple[str, ...], situation: Situation) -> Intent | None:
    """What is chosen from the list that the last answer asked about."""
    last, quotes = _last_answer(situation), _last_quotes(situation)
    if not any(speech(one).table["say"]["which"] in last for one in LANGUAGES):
        return None
    for language in order:
        picked = picked_of(text, speech(language), len(quotes))
        prompt, before = _asked_before(situation)
        if picked is None and _chooses(text, speech(language)):
            wish = intent_of(prompt, before)
            return replace(wish, language=order[0], named=quotes, is_chosen=False, topics=())
        if picked is not None:
            wish = intent_of(prompt, before)
            if not picked or wish.kind not in {Kind.FORGET, Kind.CORRECT}:
                return Intent(Kind.UNCHANGED, order[0])
            named = tuple(quotes[one] for one in picked)
            if wish.kind is Kind.CORRECT and len(named) > 1:
                return replace(wish, language=order[0], named=quotes)
            return replace(
                wish, language=order[0], named=named, is_chosen=True, is_everything=False, topics=()
            )
    return None


def picked_of(text: str, speech: Speech, n_listed: int) -> tuple[int, ...] | None:
    """Which of a list are meant, from 0: none of them is empty; None where it says no choice."""
    table, picked, is_none = speech.table["choice"], set[int](), False
    words = words_of(folded(plain(text)))
    listed = set(table["listed"]) - set(table["both"])
    if set(words) & listed and set(words) <= listed | set(table["filler"]):
        return tuple(range(n_listed))
    for word in words:
        if word in table["all"] or (word in table["both"] and n_listed == 2):  # noqa: PLR2004
            picked.update(range(n_listed))
        elif word in table["none"]:
            is_none = True
        elif word in table["ordinals"] or (word.isascii() and word.isdigit()):
            number = table["ordinals"].get(word) or int(word)
            place = n_listed - 1 if number < 0 else number - 1
            if not 0 <= place < n_listed:
                return None
            picked.add(place)
        elif word not in table["filler"]:
            return None
    if is_none:
        return None if picked else ()
    return tuple(sorted(picked)) or None


def _chooses(text: str, speech: Speech) -> bool:
    """Whether a text says nothing but which of a list is meant, be it there or not."""
    table = speech.table["choice"]
    words = {one for one in words_of(folded(plain(text))) if not one.isdigit()}
    naming = {*table["all"], *table["both"], *table["none"], *table["ordinals"]}
    is_naming = bool(words & naming) or any(map(str.isdigit, words_of(text)))
    return is_naming and words <= naming | set(table["filler"])


def _listed(text: str, order: tuple[str, ...], situation: Situation) -> Intent | None:
    """The list that the message before announced and did not hold."""
    last = next((one for one in reversed(situation.earlier) if one.role == "user"), None)
    if last is None or not last.text.rstrip().endswith((":", "\uff1a")):
        return None
    kept = next((one for each in order if (one := kept_of(last.text, speech(each)))), None)
    patterns = [speech(one).patterns for one in order]
    if (
        kept is None
        or not kept.heading
        or plain(text).endswith("?")
        or any(
            one["keep.no"].match(plain(text)) or one["keep.unkept"].search(plain(text))
            for one in patterns
        )
        or any(kept_of(text, speech(one)) for one in order)
    ):
        return None
    told = f"{kept.heading}\n{text}" if kept.heading.strip(":") else text
    return Intent(Kind.PUT, order[0], text, kept=replace(kept, text=told, is_pointing=False))


def _asked_before(situation: Situation) -> tuple[str, Situation]:
    """What the person said last, and the situation that it was said in."""
    earlier = situation.earlier
    place = next(n for n in range(len(earlier) - 1, -1, -1) if earlier[n].role == "user")
    return earlier[place].text, replace(
        situation, prompt=earlier[place].text, earlier=earlier[:place], attachments=()
    )


def _told_before(situation: Situation) -> str:
    """What the person told in the message before, and wanted nothing of; empty for nothing."""
    if not any(one.role == "user" for one in situation.earlier):
        return ""
    prompt, before = _asked_before(situation)
    intent = intent_of(prompt, before)
    is_idle = any(speech(one).patterns["forget.idle"].match(plain(prompt)) for one in LANGUAGES)
    is_told = intent.kind is Kind.SAY and not is_idle and bool(content_words(prompt))
    return prompt.strip() if is_told and len(words_of(folded(prompt))) >= _FEWEST_WORDS else ""


_FEWEST_WORDS = 3


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
    words = words_of(folded(plain(text)))
    found = languages_of(words)
    counts = {
        one: 2 * sum(word in speech(one).known_by for word in words) + (one in found)
        for one in LANGUAGES
    }
    most = [one for one, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None


def _of_command(name: str, rest: str, language: str, situation: Situation) -> Intent:
    match name:
        case "remember":
            kept = kept_of(rest, speech(language)) or _kept_plainly(rest, language)
            return Intent(Kind.PUT, language, rest, kept=kept)
        case "forget":
            return _forget_target(rest, speech(language), situation)
        case "skills" | "help" | "model":
            return Intent(Kind(name), language)
        case "as":
            return Intent(Kind.ROLE, language)
    return Intent(Kind.UNKNOWN_COMMAND, language)


def _kept_plainly(rest: str, language: str) -> Kept | None:
    """What stands behind ``/remember``, as if it had been said."""
    word = speech(language).table["remember"]
    return kept_of(word + rest, speech(language)) if rest else Kept("", is_pointing=True)


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


def _put(text: str, speech: Speech, situation: Situation) -> Intent | None:
    kept = kept_of(text, speech)
    if kept is None:
        return None
    if kept.is_pointing and not kept.heading:
        kept = replace(kept, text=_told_before(situation))
    return Intent(Kind.PUT, speech.language, text, kept=kept)


def _unkept(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    is_unkept = speech.patterns["keep.unkept"].search(plain(text)) is not None
    return Intent(Kind.UNKEPT, speech.language, text) if is_unkept else None


def _forget(text: str, speech: Speech, situation: Situation) -> Intent | None:
    whole = plain(text)
    if speech.patterns["forget.idle"].match(whole):
        return Intent(Kind.SAY, speech.language, text)
    start = begun(text, speech)
    if found := speech.patterns["forget.opening"].match(whole, start):
        target = text[found.end() :].strip(_AROUND)
        return _forget_target(target, speech, situation)
    is_bare = speech.patterns["correct.opening"].fullmatch(whole.strip()) is not None
    if (
        "?" not in whole
        and not is_bare
        and (untrue := speech.patterns["forget.untrue"].match(whole.strip()))
    ):
        what = text.strip()[untrue.start("what") : untrue.end("what")]
        if speech.patterns["forget.it"].fullmatch(plain(what)) and not _last_quotes(situation):
            return None
        return replace(_forget_target(what, speech, situation), is_clause=True)
    return None


def _forget_target(target: str, speech: Speech, situation: Situation) -> Intent:
    """What is to be forgotten: pointed at, by number in the last list, or by its words."""
    language, quotes = speech.language, _last_quotes(situation)
    whole = plain(target)
    named = tuple(Quote(id_, tier) for tier, id_ in ids_in(target))
    if not named and len(target) >= _SHORT_ID and re.fullmatch(r"[0-9a-fA-F]{8,36}", target):
        named = (Quote(target.lower(), ""),)
    clause = speech.patterns["forget.clause"].match(whole)
    several = speech.patterns["forget.several"].fullmatch(whole)
    is_it = speech.patterns["forget.it"].fullmatch(whole) is not None
    if not named and quotes and whole.strip():
        named = tuple(quotes[one] for one in picked_of(whole, speech, len(quotes)) or ())
    if not named and (is_it or not target):
        attached = (pair for one in situation.attachments for pair in ids_in(one.uri))
        named = tuple(Quote(id_, tier) for tier, id_ in attached)
        named = named or (quotes if len(quotes) == 1 else ())
        target = ""
    is_chosen = bool(named)
    is_everything = speech.patterns["forget.everything"].fullmatch(whole) is not None
    if is_everything and not set(words_of(folded(whole))) & set(speech.table["choice"]["listed"]):
        named = ()
    topics: tuple[str, ...] = ()
    if not named and not is_everything and _chooses(whole, speech):
        named, target = quotes, ""
    if several and not named:
        what = target[several.start("what") : several.end("what")]
        parts = speech.patterns["forget.joint"].split(what)
        topics = tuple(one.strip(_AROUND) for one in parts if content_words(one))
    elif clause and not named:
        target = target[clause.end() :]
    return Intent(
        Kind.FORGET,
        language,
        target,
        named=named,
        is_everything=is_everything and not named,
        topics=topics,
        is_clause=clause is not None,
        is_chosen=is_chosen,
    )


_SHORT_ID = 8
_AROUND = ' ,:;.!\u2013\u2014"\u201c\u201d\u201e\u00ab\u00bb'


def _correct(text: str, speech: Speech, situation: Situation) -> Intent | None:
    quotes, whole = _last_quotes(situation), plain(text.strip())
    if whole.endswith("?"):
        return None
    opening = speech.patterns["correct.opening"].match(whole)
    swap = speech.patterns["correct.replace"].match(whole)
    if not swap and not any(_answers(situation)):
        return None
    is_command = swap is not None
    swap = swap or speech.patterns["correct.instead"].search(whole)
    if opening is None and swap is None:
        return None
    rest = text.strip()[opening.end() if opening else 0 :].strip()
    old, new = (
        (
            text.strip()[swap.start(one) : swap.end(one)].strip(f"{_AROUND}'")
            for one in ("old", "new")
        )
        if swap
        else ("", "")
    )
    told = "" if is_command else rest
    return Intent(Kind.CORRECT, speech.language, told, named=quotes, old=old, new=new)


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


def _compare(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    found = speech.patterns["compare.pattern"].match(plain(text))
    if found is None:
        return None
    name = "what" if found["what"] else "about"
    what = text[found.start(name) : found.end(name)] if found[name] else ""
    return Intent(Kind.COMPARE, speech.language, what.strip(_AROUND))


def _changed(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    found = speech.patterns["changed.pattern"].match(plain(text))
    if found is None:
        return None
    return Intent(Kind.CHANGED, speech.language, found["since"] or "")


def _next_turn(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    is_asked = speech.patterns["next_turn.pattern"].match(plain(text)) is not None
    return Intent(Kind.NEXT_TURN, speech.language) if is_asked else None


def _asked(text: str, speech: Speech, _situation: Situation) -> Intent | None:
    """Questions that are always asked in nearly the same words."""
    for kind in (Kind.LEFT_OFF, Kind.WHY, Kind.HELP, Kind.COMPOSE):
        if speech.patterns[f"{kind}.pattern"].match(plain(text)):
            return Intent(kind, speech.language, text)
    is_no_wish = speech.patterns["talk.prose"].match(plain(text)) or _chooses(text, speech)
    return Intent(Kind.HELP, speech.language, text) if is_no_wish else None


_WISHES: tuple[Callable[[str, Speech, Situation], Intent | None], ...] = (
    _unkept, _hypothesis, _tally, _put, _forget, _correct, _asked, _overview, _changed, _next_turn,
    _compare, _find,
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
