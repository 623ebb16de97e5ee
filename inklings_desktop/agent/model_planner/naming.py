"""The name of a conversation and its running summary by a cheap model, held to what was said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.framing import framed, head_and_tail, masked
from inklings_desktop.agent.context.summarising import may_outlast
from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.agent.model_planner.structured import Question, answered
from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.likeness.grounding import content_words, grounding_of
from inklings_desktop.domain.likeness.sameness import says_the_same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.model_planner.structured import Aside
    from inklings_desktop.agent.planning import Result, Situation

TITLE_CHARACTERS = 48
MOST_LINES = 12
LINE_CHARACTERS = 200
RESTS_FROM = 0.4
"""Share of a line's words that its message has to hold; free paraphrases have so much."""
_BEGINNING = 2_000
_MESSAGE_CHARACTERS = 1_000
_MOST_MESSAGES = 40
TITLE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"title": {"type": "string"}},
    "required": ["title"],
    "additionalProperties": False,
}
LINES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"message": {"type": "integer"}, "text": {"type": "string"}},
                "required": ["message", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["lines"],
    "additionalProperties": False,
}


async def title_by_model(aside: Aside, said: str, answer: str) -> str | None:
    """A name for a conversation that began so; None where the rules' is to stay."""

    def read(told: Any) -> str:
        title = " ".join(str(told["title"]).split()).strip("\"'.\u201c\u201d ")
        if not title or len(title) > TITLE_CHARACTERS:
            raise ValueError(f"A title has 1 to {TITLE_CHARACTERS} characters.")
        if not content_words(title) & content_words(f"{said} {answer}"):
            raise ValueError("It uses no word that was said.")
        if secrets_in(title):
            raise ValueError("It has what looks like a key in it.")
        return title

    begun = f"author: {said[:_BEGINNING]}\nassistant: {answer[:_BEGINNING]}"
    slices = {"beginning": framed(aside.mark, "beginning", masked(begun))}
    return await answered(aside, Question("title", slices, TITLE_SCHEMA, read, 100))


async def summary_by_model(
    aside: Aside,
    situation: Situation,
    results: Sequence[Result],
    messages: Mapping[int, tuple[str, str]],
    previous: str,
) -> str | None:
    """The lines to keep of a conversation so far; None where the rules have to say.

    No model is asked about a message on which no line may rest; none takes lines away.

    Args:
        results: What came back in this turn: what it wrote is no part of the summary.
        messages: Role and words of each message by its number, oldest first.
        previous: The lines so far.
    """
    kept = list(may_outlast(previous.splitlines(), situation, results))
    if not _is_talk(situation.prompt, situation):
        return "\n".join(kept)

    def rests(number: Any, text: str) -> bool:
        role, said = messages.get(number, ("", ""))
        grounding = grounding_of(text, (said,))
        is_theirs = role == "user" and _is_talk(said, situation)
        return is_theirs and grounding.share >= RESTS_FROM and not grounding.is_denied

    def read(told: Any) -> list[str]:
        lines = [
            (one.get("message"), " ".join(str(one["text"]).split()))
            for one in told["lines"][:MOST_LINES]
        ]
        return [
            text
            for number, text in lines
            if type(number) is int and len(text) <= LINE_CHARACTERS and rests(number, text)
        ]

    numbered = [
        f"{number}. {role}: {head_and_tail(text, _MESSAGE_CHARACTERS)}"
        for number, (role, text) in list(messages.items())[-_MOST_MESSAGES:]
    ]
    told = "\n".join([*(f"- {one}" for one in kept), *numbered])
    slices = {"messages": framed(aside.mark, "messages", masked(told))}
    lines = await answered(aside, Question("summary", slices, LINES_SCHEMA, read))
    if lines is None:
        return None
    for line in may_outlast(lines, situation, results):
        if not any(says_the_same(line, one) for one in kept):
            kept.append(line)
    return "\n".join(kept[-MOST_LINES:])


def _is_talk(said: str, situation: Situation) -> bool:
    """Whether a message is plain talk: what was to be kept otherwise is kept elsewhere."""
    return intent_of(said, situation).kind is Kind.SAY and not said.rstrip().endswith("?")
