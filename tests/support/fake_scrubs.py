"""What a scrub would remove, the removal, and the clearing of files, in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import BUILT_IN_OF_TIER
from inklings_desktop.domain.entries.proposals import ABOUT_NAMED
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.domain.scrub.manifest import (
    BackupHolding,
    PendingScrub,
    ScrubKind,
    ScrubMode,
    ScrubReceipt,
)
from inklings_desktop.domain.scrub.scrub_contents import (
    DRAFT,
    FILTER,
    PROPOSAL,
    QUESTION,
    Doomed,
    Said,
    ScrubContents,
    Spared,
)
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.usecases.ports.scrub import Erased

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.progress import Progress
    from tests.support.fake_file import FakeChanges, FakeFile

NOTHING_LEFT = ScrubReceipt(3, 4_096, 12, 0, (), (), (), "")


class FakeScrubRepository:
    """The ``ScrubRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges, workspace_id: str | None) -> None:
        self._file = file
        self._changes = changes
        self._workspace_id = workspace_id

    def contents(
        self, scope: ScopeKey, mode: ScrubMode, decay: DecayConfig, as_of: datetime
    ) -> ScrubContents:
        """Everything a scrub of this scope is about."""
        rooms = {
            Tier.CONVERSATION: frozenset(self._file.conversations),
            Tier.CHANNEL: frozenset(self._file.channels),
        }
        if scope.key not in rooms.get(scope.tier, {scope.key}):
            raise NotFoundError(scope.tier.value, scope.key)
        going = [
            Doomed(
                ScrubKind.MEMORY,
                one.id,
                one.version,
                one.content,
                one.curator.value,
                one.source,
                one.lifetime.value,
                relevance_of(one, decay, as_of),
                one.is_forgotten,
            )
            for one in self._file.memories.values()
            if one.scope == scope
        ]
        going += [
            Doomed(ScrubKind.WORKING_NOTE, note.key, 1, note.value_json, Curator.AGENT.value)
            for (conversation_id, _), note in self._file.notes.items()
            if scope.tier is Tier.CONVERSATION and conversation_id == scope.key
        ]
        spared = []
        for entry in self._entries(scope):
            if self._goes(entry, mode):
                begins = f"{entry.name}: {entry.body}"
                going.append(
                    Doomed(
                        ScrubKind.NAMED_ENTRY,
                        entry.id,
                        entry.version,
                        begins,
                        entry.curator.value,
                        is_forgotten=entry.is_deleted,
                    )
                )
            else:
                spared.append(Spared(entry.id, entry.version, entry.name, entry.is_deleted))
        asked = [(PROPOSAL, one.id, 1) for one in self._proposals(scope, mode)]
        asked += [
            (DRAFT, one.memory_id, to_ms(one.kept_at))
            for one in self._file.typings.values()
            if one.scope == scope
        ]
        asked += [(QUESTION, id_, 1) for id_ in self._questions(scope)]
        asked += [(FILTER, id_, 1) for id_ in self._filters(scope)]
        return ScrubContents(scope, mode, tuple(going), tuple(asked), tuple(spared))

    def said(self, scope: ScopeKey) -> Said:
        """Ids and texts of a scope's memories."""
        return tuple(
            (one.id, one.content) for one in self._file.memories.values() if one.scope == scope
        )

    def quoting(self, said: Said) -> tuple[Doomed, ...]:
        """Messages that name one of them."""
        return tuple(
            Doomed(ScrubKind.MESSAGE, one.id, 1, "", Curator.AGENT.value)
            for said_here in self._file.messages.values()
            for one in said_here
            if any(id_ in one.parts_json for id_, _ in said)
        )

    def unquote(self, said: Said) -> None:
        """Empty those."""
        going = {one.id for one in self.quoting(said)}
        for key, said_here in self._file.messages.items():
            self._file.messages[key] = tuple(
                replace(one, parts_json="[]") if one.id in going else one for one in said_here
            )

    def remove(self, contents: ScrubContents, number: int, at: datetime) -> None:
        """Remove it and leave the marker."""
        for proposal in self._proposals(contents.scope, contents.mode):
            del self._file.proposals[proposal.id]
        for question in self._questions(contents.scope):
            del self._file.questions[question]
        for saved in self._filters(contents.scope):
            del self._file.filters[saved]
        for place in [one for one in self._file.typings if one[0] == contents.scope]:
            del self._file.typings[place]
        for one in contents.going:
            if one.kind is ScrubKind.MEMORY:
                del self._file.memories[one.id]
            elif one.kind is ScrubKind.WORKING_NOTE:
                key = (contents.scope.key, one.id)
                del self._file.notes[key]
                order = self._file.note_order
                self._file.note_order = tuple(other for other in order if other != key)
            elif one.kind is ScrubKind.NAMED_ENTRY:
                del self._file.entries[one.id]
                self._file.drafts.pop(one.id, None)
        self._file.purges[number] = PendingScrub(
            contents.scope, contents.mode, number, at, len(contents.going)
        )
        self._changes.reload = True

    def pending(self) -> tuple[PendingScrub, ...]:
        """Open purges, oldest first."""
        return tuple(self._file.purges[number] for number in sorted(self._file.purges))

    def close(self, number: int) -> bool:
        """Take a marker away."""
        return self._file.purges.pop(number, None) is not None

    def _entries(self, scope: ScopeKey) -> list[NamedEntry]:
        holds = scope.tier in BUILT_IN_OF_TIER
        return list(self._file.entries.values()) if holds else []

    def _goes(self, entry: NamedEntry, mode: ScrubMode) -> bool:
        is_pristine = entry.is_template and entry.version == 1
        return mode is ScrubMode.FULL and not (is_pristine and entry.id not in self._file.drafts)

    def _filters(self, scope: ScopeKey) -> list[str]:
        return [
            one.id
            for one in self._file.filters.values()
            if one.tier is scope.tier and one.room in {scope.key, None}
        ]

    def _questions(self, scope: ScopeKey) -> list[str]:
        return [one.id for one in self._file.questions.values() if one.scope == scope]

    def _proposals(self, scope: ScopeKey, mode: ScrubMode) -> list[Proposal]:
        return [
            one
            for one in self._file.proposals.values()
            if one.scope == scope and (mode is ScrubMode.FULL or one.kind not in ABOUT_NAMED)
        ]


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
