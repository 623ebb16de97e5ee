"""What outlasts a conversation without a model: preferences and decisions, in the person's words.

Never what was written to a memory, privately too, what was to be kept for the conversation alone,
figures that were counted, guesses, questions, or what looks like a key: it would leak through here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent.mechanical.extraction import plain
from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech
from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.likeness.grounding import sentences_of, share_said
from inklings_desktop.domain.likeness.sameness import says_the_same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.agent.planning import Result, Situation

MOST_SENTENCES = 8
LONGEST_SENTENCE = 400
_FEWEST_WORDS = 3
_NEARLY_ALL = 0.7
"""A sentence of which a memory holds so much was written to it."""


def summary_of(situation: Situation, results: Sequence[Result] = (), previous: str = "") -> str:
    """The lines to keep of a conversation so far, the latest last; empty for none.

    Args:
        situation: The turn; one is no conversation yet.
        results: What came back in it: what it wrote is no part of the summary.
        previous: The summary so far, for what was said longer ago than the situation knows.
    """
    talk = [one.text for one in situation.earlier if one.role == "user"]
    if not talk or situation.write_policy == "never":
        return ""
    written = [*situation.written, *_written_in(results)]
    kept: list[str] = []
    lines = [
        *previous.splitlines(),
        *(one for said in situation.said for one in _telling(said, situation)),
    ]
    written += [one for said in situation.said for one in _kept_apart(said, situation)]
    for line in lines:
        is_new = not any(says_the_same(line, one) for one in kept)
        if is_new and not _is_written(line, written):
            kept.append(line)
    return "\n".join(kept[-MOST_SENTENCES:])


def _telling(said: str, situation: Situation) -> Iterable[str]:
    """The sentences of plain talk that tell a preference or a decision."""
    if intent_of(said, situation).kind is not Kind.SAY:
        return
    for sentence in sentences_of(said):
        is_short = len(sentence) <= LONGEST_SENTENCE and len(sentence.split()) >= _FEWEST_WORDS
        if not is_short or sentence.endswith("?") or secrets_in(sentence):
            continue
        if any(
            speech(one).patterns["summary.pattern"].search(plain(sentence)) for one in LANGUAGES
        ):
            yield sentence


def _kept_apart(said: str, situation: Situation) -> Iterable[str]:
    """What a message wanted kept: wherever that went, it is no part of the summary."""
    intent = intent_of(said, situation)
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


def _is_written(line: str, written: Iterable[str]) -> bool:
    return any(says_the_same(line, one) or share_said(line, one) >= _NEARLY_ALL for one in written)
