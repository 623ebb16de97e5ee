"""What outlasts a conversation without a model: preferences and decisions, in the person's words.

Never what was written to a memory, privately too, what was to be kept for the conversation alone,
figures that were counted, guesses, questions, or what looks like a key: it would leak through here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.agent.mechanical.speech import LANGUAGES, plain, speech
from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.likeness.grounding import sentences_of, share_said
from inklings_desktop.domain.likeness.sameness import says_the_same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.agent.mechanical.intents import Intent
    from inklings_desktop.agent.planning import Result, Situation

MOST_SENTENCES = 8
LONGEST_SENTENCE = 400
LATEST_HEARD = 60
"""Messages that are gone through; what was said before them is in the summary so far."""
_FEWEST_WORDS = 3
_NEARLY_ALL = 0.7
"""A sentence of which a memory holds so much was written to it."""
_HALF = 0.5
"""The same of a line that is worded anew."""


def summary_of(situation: Situation, results: Sequence[Result] = (), previous: str = "") -> str:
    """The lines to keep of a conversation so far, the latest last; empty for none.

    Args:
        situation: The turn; one is no conversation yet.
        results: What came back in it: what it wrote is no part of the summary.
        previous: The summary so far, for what was said longer ago than the situation knows.
    """
    if len(situation.said) == 1 or situation.write_policy == "never":
        return ""
    heard = _heard(situation)
    written, first = _kept_out(heard, situation, results)
    lines = [] if first else previous.splitlines()
    lines += _telling(heard[first:])
    kept: list[str] = []
    for line in reversed(lines):
        if len(kept) == MOST_SENTENCES:
            break
        if not any(says_the_same(line, one) for one in kept) and not _is_written(line, written):
            kept.append(line)
    return "\n".join(reversed(kept))


def may_outlast(
    lines: Iterable[str], situation: Situation, results: Sequence[Result]
) -> tuple[str, ...]:
    """Of these lines those that may be kept: what rests on what was to be kept elsewhere may not.

    Where everything was to be left unkept, only what rests on what was said since.
    """
    heard = _heard(situation)
    written, first = _kept_out(heard, situation, results)
    since = [said for said, _ in heard[first:]]
    return tuple(
        one
        for one in lines
        if len(one.split()) >= _FEWEST_WORDS
        and not one.endswith("?")
        and not secrets_in(one)
        and not _is_written(one, written, _HALF)
        and not (first and not any(share_said(one, said) >= _HALF for said in since))
    )


def _heard(situation: Situation) -> list[tuple[str, Intent]]:
    return [(said, intent_of(said, situation)) for said in situation.said[-LATEST_HEARD:]]


def _kept_out(
    heard: Sequence[tuple[str, Intent]], situation: Situation, results: Sequence[Result]
) -> tuple[list[str], int]:
    """What no line may say, and the first message that one may rest on."""
    written = [*situation.written, *_written_in(results), *_kept_apart(heard)]
    first = 0
    for number, (said, intent) in enumerate(heard):
        if intent.kind is not Kind.UNKEPT:
            continue
        patterns = speech(intent.language).patterns
        if patterns["keep.everything"].search(plain(said)):
            first = number + 1
        elif number and ":" not in said and patterns["keep.unkept"].match(plain(said)):
            written.append(heard[number - 1][0])
    return written, first


def _telling(heard: Iterable[tuple[str, Intent]]) -> Iterable[str]:
    """The sentences of plain talk that tell a preference or a decision."""
    for said, intent in heard:
        if intent.kind is Kind.SAY:
            yield from telling_sentences(said)


def telling_sentences(text: str) -> Iterable[str]:
    """The sentences of a message that tell a preference or a decision."""
    patterns = [speech(one).patterns["summary.pattern"] for one in LANGUAGES]
    for sentence in sentences_of(text):
        is_short = len(sentence) <= LONGEST_SENTENCE and len(sentence.split()) >= _FEWEST_WORDS
        if not is_short or sentence.endswith("?") or secrets_in(sentence):
            continue
        if any(one.search(plain(sentence)) for one in patterns):
            yield sentence


def _kept_apart(heard: Iterable[tuple[str, Intent]]) -> Iterable[str]:
    """What messages wanted kept: wherever that went, it is no part of the summary."""
    for said, intent in heard:
        if intent.kept is not None:
            yield intent.kept.text
        elif intent.kind in {Kind.TALLY, Kind.CORRECT, Kind.FORGET}:
            yield said


def _written_in(results: Sequence[Result]) -> Iterable[str]:
    for one in results:
        patch = one.call.arguments.get("patch") or {}
        text = one.call.arguments.get("content") or patch.get("content")
        if text:
            yield str(text)


def _is_written(line: str, written: Iterable[str], share: float = _NEARLY_ALL) -> bool:
    return any(says_the_same(line, one) or share_said(line, one) >= share for one in written)
