"""Everything the connection dialog shows, as finished texts."""

from __future__ import annotations

from dataclasses import dataclass

from inklings_desktop.domain.access.connections import WITH_OWN_FILE, ClientProgram


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
    addition: str = ""
    error: str = ""
    last_call: str = ""
    last_error: str = ""
    is_testing: bool = False
    lines: tuple[RehearsalLine, ...] = ()
    verdict: str = ""

    @property
    def text(self) -> str:
        """What is shown to be copied."""
        return self.hooks if self.shows_hooks else self.configuration

    @property
    def text_places(self) -> tuple[str, ...]:
        """Where that goes."""
        return self.hook_places if self.shows_hooks else self.places

    @property
    def can_add(self) -> bool:
        """Whether what is shown can be written into the program's own file."""
        return self.program in WITH_OWN_FILE and bool(self.configuration) and not self.shows_hooks
