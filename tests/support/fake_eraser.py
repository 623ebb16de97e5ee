"""The clearing of files without files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inklings_desktop.domain.scrub.manifest import BackupHolding, ScrubMode, ScrubReceipt
from inklings_desktop.usecases.ports.scrub import Erased

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.scrub_contents import Said
    from inklings_desktop.usecases.ports.progress import Progress

NOTHING_LEFT = ScrubReceipt(3, 4_096, 12, 0, (), (), (), "")


@dataclass(slots=True)
class FakeEraser:
    """The ``Eraser`` without files: says what it is told to say.

    Attributes:
        answer: What every ``erase`` comes to.
        refusal: Raised by ``prepare``, if any.
        holdings: The backups that hold something.
        on_prepare: Called by ``prepare``: somebody writes meanwhile.
        calls: What was asked of it.
    """

    answer: Erased = field(default_factory=lambda: Erased(NOTHING_LEFT))
    refusal: Exception | None = None
    holdings: tuple[BackupHolding, ...] = ()
    on_prepare: Callable[[], object] | None = None
    calls: list[str] = field(default_factory=list)
    noted: set[str | None] = field(default_factory=set)

    def backups_holding(self, scope: ScopeKey, mode: ScrubMode) -> tuple[BackupHolding, ...]:
        """Those it was given."""
        return self.holdings

    def prepare(self, workspace_id: str | None) -> None:
        """Refuse if it was told so."""
        self.calls.append("prepare")
        if self.refusal is not None:
            raise self.refusal
        if self.on_prepare is not None:
            self.on_prepare()

    def announce(self, workspace_id: str | None) -> None:
        """Note the file."""
        self.calls.append("announce")
        self.noted.add(workspace_id)

    def erase(
        self,
        workspace_id: str | None,
        number: int,
        progress: Progress,
        *,
        patience_seconds: float = 0.0,
    ) -> Erased:
        """What it was told to say."""
        self.calls.append("erase")
        progress.report("search", 1, 1)
        return self.answer

    def clear_quotes(self, workspace_id: str, said: Said) -> None:
        """Take note."""
        self.calls.append(f"clear quotes {workspace_id}")

    def settle(self, workspace_id: str | None) -> None:
        """Forget the file."""
        self.calls.append("settle")
        self.noted.discard(workspace_id)

    def files_to_resume(self) -> tuple[str | None, ...]:
        """Files noted."""
        return tuple(sorted(self.noted, key=lambda one: one or ""))
