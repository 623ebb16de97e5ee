"""What is decided about a retcon, memory by memory, and how it is taken back.

What was decided is read from the event log, which holds ids and digests: the rows themselves only
say how things stand.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.derivations import DerivationKind, RetconState, SourceState
from inklings_desktop.usecases.steps.recording import MAX_IDS
from inklings_desktop.usecases.world.noticing import is_unlike
from inklings_desktop.usecases.world.radar import OPEN, world_event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.world.derivations import PageDerivation, Retcon
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork

_UNDONE = "undone"
_MOST_DECISIONS = 5_000
_DECIDED = frozenset({EventKind.RETCON_DECIDED})


class Decision(NamedTuple):
    """One decision that holds.

    Attributes:
        what: ``kept``, ``updated`` or ``forgotten``.
        memory_ids: Of which memories.
        base: Digest of the text that they come from since; empty where nothing is left of it.
        version: Version of the memory before it was updated; 0 for the others.
    """

    what: RetconState
    memory_ids: tuple[str, ...]
    base: bytes = b""
    version: int = 0


def decisions(view: StoreView) -> Mapping[str, Sequence[Decision]]:
    """What was decided about each retcon since it was last taken back, the latest first."""
    found: defaultdict[str, list[Decision]] = defaultdict(list)
    taken_back: set[tuple[str, ...]] = set()
    for one in view.events.latest(_MOST_DECISIONS, where=EventFilter(kinds=_DECIDED)):
        what, (retcon_id, *ids) = next(iter(one.counts), ""), one.ids
        if what == _UNDONE:  # of no memory in particular: of all of them
            taken_back |= {(retcon_id, id_) for id_ in ids} or {(retcon_id,)}
        elif (retcon_id,) not in taken_back:
            base, version = bytes.fromhex(one.marks["base"]), int(one.marks["version"])
            held = tuple(id_ for id_ in ids if (retcon_id, id_) not in taken_back)
            if held:
                found[retcon_id].append(Decision(RetconState(what), held, base, version))
    return found


def waiting_rows(view: StoreView, retcon: Retcon) -> tuple[PageDerivation, ...]:
    """The rows of active memories that a retcon is about and that nobody answered yet."""
    rows = [
        one
        for one in view.world.derivations_on(retcon.folder_id, retcon.path)
        if is_unlike(one)
        and one.base_digest == retcon.base_digest
        and (not retcon.block_id or one.target_id == retcon.block_id)
    ]
    entries = view.memories.get_many(list({one.memory_id for one in rows}))
    active = {id_ for id_, entry in entries.items() if not entry.is_forgotten}
    return tuple(one for one in rows if one.memory_id in active)


def waiting_ids(view: StoreView, retcon_id: str, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Those of its memories that are meant: all that wait if none is named.

    Raises:
        NotFoundError: There is no such retcon, or one of the memories does not wait.
        ConflictError: It is decided, or its page says again what it said.
    """
    retcon = view.world.retcon(retcon_id)
    if retcon.state is not RetconState.OPEN:
        raise ConflictError("retcon", retcon_id)
    waiting = tuple(dict.fromkeys(one.memory_id for one in waiting_rows(view, retcon)))
    for one in wanted:
        if one not in waiting:
            raise NotFoundError("memory", one)
    return tuple(wanted) or waiting


@dataclass(frozen=True, slots=True)
class Deciding:
    """Somebody who decides about one retcon, inside a transaction."""

    asked: Asked
    unit: UnitOfWork
    workspace_id: str
    retcon: Retcon
    now: datetime

    def decide(self, what: RetconState, memory_ids: Sequence[str], version: int = 0) -> None:
        """Note what was decided; with the last of its memories the retcon is closed.

        Memories that are not forgotten come from what the page says now. Where nothing is left of
        the block they come from the page as a whole.
        """
        base = b""
        if what is not RetconState.FORGOTTEN:
            base = self._take_as_base(memory_ids)
        if not waiting_rows(self.unit, self.retcon):
            closed = replace(self.retcon, state=what, decided_at=self.now)
            self.unit.world.save_retcon(replace(closed, decided_by=self.asked.caller.signs_as))
        self._record(what.value, memory_ids, {"base": base.hex(), "version": str(version)})

    def take_back(self, decisions: Sequence[Decision], memory_ids: Sequence[str]) -> None:
        """Let memories come again from what the page said before, and the retcon wait.

        Args:
            decisions: Those that are taken back, about memories that are still there.
            memory_ids: Of all of them, gone or not.
        """
        for one in decisions:
            for memory_id in () if one.what is RetconState.FORGOTTEN else one.memory_ids:
                rows = self.unit.world.derivations_of([memory_id])
                after = [self._as_before(row, one) for row in rows]
                self.unit.world.put_derivations(memory_id, after, {})
        opened = replace(self.retcon, state=RetconState.OPEN, decided_at=None, decided_by="")
        self.unit.world.save_retcon(opened)
        self._record(_UNDONE, memory_ids, {})

    def _take_as_base(self, memory_ids: Sequence[str]) -> bytes:
        waiting = set(waiting_rows(self.unit, self.retcon))
        for memory_id in memory_ids:
            rows = self.unit.world.derivations_of([memory_id])
            after = [_answered(one) if one in waiting else one for one in rows]
            texts = {one.base_digest: self.retcon.now_text for one in after if one.base_digest}
            self.unit.world.put_derivations(memory_id, after, texts)
        return next((one.seen_digest for one in waiting), b"")

    def _as_before(self, row: PageDerivation, decision: Decision) -> PageDerivation:
        retcon = self.retcon
        kind = DerivationKind.BLOCK if decision.base else DerivationKind.PAGE
        is_there = (row.folder_id, row.path) == (retcon.folder_id, retcon.path)
        if not (is_there and row.kind is kind and row.base_digest == decision.base):
            return row
        return replace(
            row,
            kind=DerivationKind.BLOCK,
            target_id=row.target_id if decision.base else "",
            base_digest=retcon.base_digest,
            state=SourceState.CHANGED if decision.base else SourceState.GONE,
            changed_at=self.now,
        )

    def _record(self, what: str, memory_ids: Sequence[str], marks: dict[str, str]) -> None:
        kind, caller = EventKind.RETCON_DECIDED, self.asked.caller
        for start in range(0, len(memory_ids), MAX_IDS - 1):
            ids = (self.retcon.id, *memory_ids[start : start + MAX_IDS - 1])
            decided = world_event(caller, self.workspace_id, kind, ids, what, marks)
            self.unit.events.append(decided, self.now)


def _answered(row: PageDerivation) -> PageDerivation:
    if row.state is SourceState.GONE:
        row = replace(row, kind=DerivationKind.PAGE, target_id="", seen_digest=b"")
    return replace(row, base_digest=row.seen_digest, state=SourceState.CURRENT, changed_at=None)


def answer_edited(asked: Asked, workspace_id: str) -> None:
    """Take a memory for answered whose text was changed after its page was.

    So an agent decides by the tools that it knows, and whoever edits a memory has seen its mark.
    """
    with asked.store.read(workspace_id) as view:
        retcons = view.world.retcons(OPEN)
        edited = [
            (retcon, row.memory_id, version)
            for retcon in retcons
            for row in waiting_rows(view, retcon)
            if (version := _edited_after(view, row)) is not None
        ]
    if not edited:
        return
    with asked.writing(workspace_id) as unit:
        for retcon, memory_id, version in edited:
            if unit.world.retcon(retcon.id).state is RetconState.OPEN:
                deciding = Deciding(asked, unit, workspace_id, retcon, asked.clock())
                deciding.decide(RetconState.UPDATED, [memory_id], version)
        unit.commit()


def _edited_after(view: StoreView, row: PageDerivation) -> int | None:
    """The version before a memory's text was changed, if that was after its page."""
    since = row.changed_at
    found = [
        one.version
        for one in view.memories.history(row.memory_id)
        if one.content is not None and since is not None and one.changed_at > since
    ]
    return min(found, default=None)
