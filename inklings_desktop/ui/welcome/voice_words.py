"""Four questions about how a world sounds, and the VOICE that their answers write.

Nothing is invented: a question without an answer writes nothing.
"""

from __future__ import annotations

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr

TELLER, TENSE, PROSE, AVOID = "teller", "tense", "prose", "avoid"


@dataclass(frozen=True, slots=True)
class VoiceAnswers:
    """What was answered; empty for a question that was left out.

    Attributes:
        teller: Key of who tells it.
        tense: Key of when it happens.
        prose: Key of what an agent offers.
        avoid: A word that must never appear, and why, as it was typed.
    """

    teller: str = ""
    tense: str = ""
    prose: str = ""
    avoid: str = ""


@dataclass(frozen=True, slots=True)
class VoiceQuestion:
    """A question with answers to choose from.

    Attributes:
        key: Name of its field in ``VoiceAnswers``.
        title: The question.
        choices: Keys and words of the answers.
    """

    key: str
    title: str
    choices: tuple[tuple[str, str], ...]


def voice_questions() -> tuple[VoiceQuestion, ...]:
    """Those that are answered by choosing, in their order."""
    return (
        VoiceQuestion(
            TELLER,
            tr("Who tells it?"),
            (
                ("close", tr("Close third")),
                ("wide", tr("Wide third")),
                ("first", tr("First person")),
                ("varies", tr("It varies")),
            ),
        ),
        VoiceQuestion(
            TENSE,
            tr("When?"),
            (("past", tr("Past")), ("present", tr("Present")), ("varies", tr("It varies"))),
        ),
        VoiceQuestion(
            PROSE,
            tr("When an agent offers prose"),
            (
                ("one", tr("one version")),
                ("two", tr("two versions")),
                ("objections", tr("objections only")),
                ("none", tr("no prose")),
            ),
        ),
    )


def voice_lines(answers: VoiceAnswers) -> dict[str, str]:
    """What each answered question writes, as Markdown; who and when share one line."""
    told = {
        "close": tr("close third"),
        "wide": tr("wide third"),
        "first": tr("first person"),
        "varies": tr("the teller varies"),
    }.get(answers.teller)
    tense = {
        "past": tr("past tense"),
        "present": tr("present tense"),
        "varies": tr("the tense varies"),
    }.get(answers.tense)
    offered = {
        "one": tr("When you offer prose, offer **one** version."),
        "two": tr("When you offer prose, offer **two** versions."),
        "objections": tr("Offer objections only, no prose."),
        "none": tr("Do not offer prose."),
    }.get(answers.prose)
    seen = ", ".join(part for part in (told, tense) if part)
    avoided = " ".join(answers.avoid.split())
    lines = {
        TELLER: f"{seen[:1].upper()}{seen[1:]}." if seen else "",
        PROSE: offered or "",
        AVOID: f"- {avoided}" if avoided else "",
    }
    return {key: line for key, line in lines.items() if line}


def voice_text(answers: VoiceAnswers) -> str:
    """The whole VOICE; empty where nothing was answered."""
    lines = voice_lines(answers)
    if not lines:
        return ""
    parts = [f"# {tr('How this world sounds')}"]
    parts += [lines[key] for key in (TELLER, PROSE) if key in lines]
    if AVOID in lines:
        parts.append(f"## {tr('Avoid')}\n{lines[AVOID]}")
    return "\n\n".join(parts) + "\n"


def line_of(question: str) -> str:
    """Which line of the text a question writes."""
    return TELLER if question == TENSE else question
