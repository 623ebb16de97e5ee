"""A connection in words: what its dialog shows, as finished texts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.connections import WITH_OWN_FILE, ClientProgram
from inklings_desktop.domain.errors import ClientFileError, InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, decimal, tr
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.usecases.ports.connections import RehearsalStep, RehearsedStep, StepResult

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class RehearsalLine:
    """One step of a test in a sentence; ``icon`` and ``role`` say how it ended."""

    icon: str
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class ConnectionState:
    """What the dialog shows.

    Attributes:
        client: Name of the client.
        is_known: Whether it has come or been granted something; then its name stays.
        program: For which program the text is.
        configuration: The text to merge into its file; empty while the name cannot be kept.
        places: Where that goes.
        hooks: The text that lets it call our hooks; empty for a program without.
        hook_places: Where that goes.
        shows_hooks: Whether the hooks are shown and not the configuration.
        is_asking: Whether it is being asked whether to add it to the program's file.
        addition: What became of adding it to the program's file; empty before.
        error: What is wrong with the name; empty if nothing.
        last_call: When it asked last, in a sentence.
        last_error: What went wrong last; may be empty.
        is_testing: Whether a test is under way.
        lines: What the last test found.
        verdict: The same in one sentence; empty before the first test.
    """

    client: str = ""
    is_known: bool = False
    program: ClientProgram = ClientProgram.CLAUDE_DESKTOP
    configuration: str = ""
    places: tuple[str, ...] = ()
    hooks: str = ""
    hook_places: tuple[str, ...] = ()
    shows_hooks: bool = False
    is_asking: bool = False
    addition: str = ""
    error: str = ""
    last_call: str = ""
    last_error: str = ""
    is_testing: bool = False
    lines: tuple[RehearsalLine, ...] = ()
    verdict: str = ""

    @property
    def told(self) -> str:
        """How the test goes or went; empty before the first."""
        return tr("Testing\u2026") if self.is_testing else self.verdict

    @property
    def text(self) -> str:
        """What is shown to be copied."""
        return self.hooks if self.shows_hooks else self.configuration

    @property
    def text_places(self) -> tuple[str, ...]:
        """Where that goes on this system."""
        return of_this_system(self.hook_places if self.shows_hooks else self.places, sys.platform)

    @property
    def can_add(self) -> bool:
        """Whether what is shown can be written into the program's own file."""
        return self.program in WITH_OWN_FILE and bool(self.configuration) and not self.shows_hooks


# Names of products are the same in every language.
_PROGRAM_NAMES = {
    ClientProgram.CLAUDE_DESKTOP: "Claude Desktop",
    ClientProgram.CLAUDE_CODE: "Claude Code",
    ClientProgram.CURSOR: "Cursor",
    ClientProgram.VS_CODE: "VS Code",
    ClientProgram.CODEX: "Codex",
    ClientProgram.GEMINI_CLI: "Gemini CLI",
    ClientProgram.ZED: "Zed",
    ClientProgram.LANGCHAIN: "LangChain",
    ClientProgram.OPENAI_AGENTS: "OpenAI Agents",
    ClientProgram.PYDANTIC_AI: "Pydantic AI",
}


def name_of(program: ClientProgram) -> str:
    """What a program is called."""
    return _PROGRAM_NAMES.get(program) or tr("Other")


_SYSTEMS = {"darwin": "macOS", "win32": "Windows"}


def of_this_system(places: Sequence[str], platform: str) -> tuple[str, ...]:
    """The places of one system, without its name; one that names no system is on all of them."""
    mine = _SYSTEMS.get(platform, "Linux")
    told = [one.partition(": ") for one in places]
    named = {"macOS", "Windows", "Linux"}
    return tuple(
        place if not named & set(systems.split()) else there
        for place, (systems, _, there) in zip(places, told, strict=True)
        if not named & set(systems.split()) or mine in systems.split()
    )


def refusal(error: InklingsError) -> str:
    """Why nothing was written, and that the text can be copied."""
    if not isinstance(error, ClientFileError):
        return " ".join((message_of(error).title, tr("Nothing was changed.")))
    said = {
        "no_folder": tr("{path} has no folder yet: start that program once, then try again."),
        "unreadable": tr("{path} is not in the format that its program reads."),
        "shape": tr("The list of servers in {path} cannot be changed."),
        "foreign": tr("{path} is a link or a file of somebody else, or no plain file."),
        "too_large": tr("{path} is too large to be a configuration."),
        "changed": tr("{path} was just changed: look at the difference again."),
    }.get(error.reason, tr("It is not known where this program keeps its configuration."))
    return " ".join(
        (said.format(path=error.path), tr("Nothing was changed; the text can be copied."))
    )


def verdict_of(steps: Sequence[RehearsedStep]) -> str:
    """What a test came to."""
    if any(one.result is StepResult.FAILED for one in steps):
        return tr("The connection does not work yet.")
    return tr("The connection works. It was tested on a scratch copy.")


def rehearsal_line(step: RehearsedStep) -> RehearsalLine:
    """One step in a sentence."""
    if step.result is StepResult.FAILED:
        return RehearsalLine("warning-circle", "madder", _failure(step))
    words = {
        (RehearsalStep.START, StepResult.DONE): tr("The server started and answered in {s} s."),
        (RehearsalStep.TOOLS, StepResult.DONE): counted(
            step.count, "It lists 1 tool.", "It lists {n} tools."
        ),
        (RehearsalStep.TOOLS, StepResult.REFUSED): tr("It lists no tool: nothing is granted."),
        (RehearsalStep.READ, StepResult.DONE): tr("A read of the workspace was answered."),
        (RehearsalStep.READ, StepResult.REFUSED): tr(
            "A read of the workspace was refused, because it is not granted."
        ),
        (RehearsalStep.WRITE, StepResult.DONE): tr("A write to the workspace was answered."),
        (RehearsalStep.WRITE, StepResult.REFUSED): tr(
            "A write to the workspace was refused, because it is not granted."
        ),
    }
    text = words[(step.step, step.result)].format(s=decimal(step.seconds, 1))
    is_done = step.result is StepResult.DONE
    return RehearsalLine(
        "check" if is_done else "prohibit", "accent" if is_done else "inkSoft", text
    )


def _failure(step: RehearsedStep) -> str:
    text = {
        "not_started": tr("The program could not be started."),
        "timeout": tr("The server gave no answer within {s} s."),
        "ended": tr("The server ended without an answer."),
        "refused": tr("The server refused to serve this client."),
    }.get(step.reason, tr("The server did not answer in MCP."))
    said = step.said and tr(" It said: {said}")
    if step.said and step.reason == "not_started":
        said = tr(" The system said: {said}")
    return (text + said).format(s=decimal(step.seconds, 0), said=step.said)
