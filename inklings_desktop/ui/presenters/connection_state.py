"""Everything the connection dialog shows, as finished texts."""

from __future__ import annotations

from dataclasses import dataclass

from inklings_desktop.domain.connections import ClientProgram


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
        configuration: The JSON to merge into its file; empty while the name cannot be kept.
        places: Where that file lies.
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
    error: str = ""
    last_call: str = ""
    last_error: str = ""
    is_testing: bool = False
    lines: tuple[RehearsalLine, ...] = ()
    verdict: str = ""
