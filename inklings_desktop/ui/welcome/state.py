"""What the welcome shows: which step, of which world, with which answers, and its VOICE."""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum

from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint

SAMPLE, OWN, ELSEWHERE = "sample", "own", "elsewhere"
"""The doors."""
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


class WelcomeStep(IntEnum):
    """What is on show; all but the doors have a number among the step marks."""

    DOORS = 0
    VOICE = 1
    AGENT = 2


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One way to connect an agent.

    Attributes:
        program: Which program; None for any other.
        name: As its maker writes it.
        text: What connecting it takes.
        is_found: Whether it is on this machine; None where nobody can tell.
        is_let_in: Whether it may already read and write here.
        is_built_in: Whether it is the agent of this program.
        is_set_up: Whether it is set up in the settings, under agents and models.
    """

    program: ClientProgram | None
    name: str
    text: str
    is_found: bool | None = None
    is_let_in: bool = False
    is_built_in: bool = False
    is_set_up: bool = False


@dataclass(frozen=True, slots=True)
class WelcomeState:
    """All that is on show.

    Attributes:
        step: Which step.
        name: Of the world; empty before it has one.
        world_id: Of the world; empty until it is made.
        answers: How it sounds.
        newest: Key of the question that was answered last.
        agents: Ways to connect one; None while this machine is looked through.
        author: The person's name as they typed it; empty for none.
        login: What they are called without one.
    """

    step: WelcomeStep = WelcomeStep.DOORS
    name: str = ""
    world_id: str = ""
    answers: VoiceAnswers = field(default_factory=VoiceAnswers)
    newest: str = ""
    agents: tuple[AgentRow, ...] | None = None
    author: str = ""
    login: str = ""


_SEEN_IN_PATH = {
    ClientProgram.CLAUDE_CODE: "Claude Code",
    ClientProgram.CODEX: "Codex",
    ClientProgram.GEMINI_CLI: "Gemini CLI",
}
_SEEN_BY_FOLDER = {
    ClientProgram.CLAUDE_DESKTOP: "Claude Desktop",
    ClientProgram.CURSOR: "Cursor",
    ClientProgram.VS_CODE: "VS Code",
    ClientProgram.ZED: "Zed",
}


def agent_rows(
    found: frozenset[ClientProgram],
    let_in: frozenset[str] = frozenset(),
    guests: tuple[str, ...] = (),
    *,
    has_ollama: bool = False,
) -> tuple[AgentRow, ...]:
    """Our own agent, then what is on this machine, what could be, any other program, and a key.

    Args:
        found: What is on this machine.
        let_in: Names of the clients that may come in already.
        guests: Names of the agents here that can answer in this window.
        has_ollama: Whether Ollama is on this machine.
    """
    names = _SEEN_IN_PATH | _SEEN_BY_FOLDER
    built_in = AgentRow(
        None,
        tr("World Agent"),
        tr("Built in, works offline. It reads your memories and keeps what you tell it to."),
        is_built_in=True,
    )
    free = tr("What answers on this machine sends nothing and costs nothing")
    local = AgentRow(None, tr("Ollama, on this machine"), free, is_found=True, is_set_up=True)
    in_window = [
        AgentRow(
            None,
            tr("{agent}, in this window").format(agent=name),
            tr("Uses its own sign-in and answers in your conversations"),
            is_found=True,
            is_set_up=True,
        )
        for name in guests
    ]
    here = [
        AgentRow(
            one,
            name,
            tr("Uses its own sign-in and reads what you allow"),
            is_found=True,
            is_let_in=one.value in let_in,
        )
        for one, name in names.items()
        if one in found
    ]
    missing = [
        AgentRow(one, name, tr("Install it first, then connect it"), is_found=False)
        for one, name in _SEEN_IN_PATH.items()
        if one not in found
    ]
    other = AgentRow(
        None,
        tr("Another program that speaks MCP"),
        tr("Paste a few lines into its settings"),
        is_let_in=bool(let_in - {one.value for one in names}),
    )
    key = AgentRow(
        None,
        tr("A key: Anthropic, OpenAI, xAI or OpenRouter"),
        tr("Kept in the system\u2019s keyring, tested before it is saved"),
        is_set_up=True,
    )
    found_first = (*((local,) if has_ollama else ()), *in_window, *here)
    return (built_in, *found_first, *missing, other, key)


def step_hints(step: WelcomeStep) -> tuple[KeyHint, ...]:
    """What the status bar says of the keys of a step."""
    match step:
        case WelcomeStep.DOORS:
            return (
                KeyHint(("1", "2", "3"), tr("choose a door")),
                KeyHint(("Tab",), tr("next")),
                KeyHint(("Enter",), tr("open")),
            )
        case WelcomeStep.VOICE:
            return (
                KeyHint(("Tab",), tr("next question")),
                KeyHint(("\u2190", "\u2192"), tr("answer")),
                KeyHint(("Space",), tr("choose")),
                KeyHint(("Ctrl Enter",), tr("keep")),
                KeyHint(("Esc",), tr("back to the doors")),
            )
        case WelcomeStep.AGENT:
            return (
                KeyHint(("Tab",), tr("next")),
                KeyHint(("Enter",), tr("connect")),
                KeyHint(("Esc",), tr("back to the doors")),
            )
