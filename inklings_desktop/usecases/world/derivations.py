"""Where memories come from in the pages, and what is done about it once that has changed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize,
    authorize_person,
    refuse_agents,
)
from inklings_desktop.domain.errors import ConflictError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import (
    MemoryAction,
    MemoryKind,
    MemoryPatch,
    MemoryRef,
    ScopeKey,
    Tier,
    checked_derivations,
)
from inklings_desktop.domain.world.derivations import (
    NO_SOURCES,
    RetconCase,
    RetconState,
    SourceStanding,
    ToldSources,
)
from inklings_desktop.domain.world.retcon import updated_text
from inklings_desktop.usecases.knowledge.facts import Facts
from inklings_desktop.usecases.memories.memories import Memories
from inklings_desktop.usecases.memories.values import Reversion
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.sources import sources_of
from inklings_desktop.usecases.steps.standings import Standings
from inklings_desktop.usecases.world.contradictions import (
    contradictions,
    decide_contradiction,
    undo_contradiction,
)
from inklings_desktop.usecases.world.deciding import (
    Deciding,
    answer_edited,
    decisions,
    waiting_ids,
    waiting_rows,
)
from inklings_desktop.usecases.world.radar import OPEN, notice

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from inklings_desktop.domain.memory import Derivation, MemoryEntry
    from inklings_desktop.domain.world.derivations import Retcon
    from inklings_desktop.domain.world.pages import PageChange
    from inklings_desktop.usecases.ports.store import StoreView
    from inklings_desktop.usecases.world.contradictions import Contradiction
    from inklings_desktop.usecases.world.deciding import Decision

GONE_REASON = "source changed"


class Derivations(Asked):
    """Where memories come from. Every verb but ``notice`` is refused without ``world:read``."""

    def notice(self, workspace_id: str, changes: Sequence[PageChange]) -> tuple[Retcon, ...]:
        """Brings sources and retcons to what the pages say now; the retcons that were opened.

        Args:
            workspace_id: The workspace.
            changes: What a look at the pages came to; without any, whatever was too fresh at an
                earlier look is looked at again.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        answer_edited(self, workspace_id)
        return notice(self, workspace_id, changes)

    def standing(
        self, workspace_id: str, memory_ids: Collection[str]
    ) -> Mapping[str, tuple[SourceStanding, ...]]:
        """For each memory with sources how they stand, in the order of its references."""
        self._require_reading(workspace_id)
        index = self.pages_of(workspace_id)
        with self.store.read(workspace_id) as view:
            known = view.memories.get_many(list(memory_ids))
            entries = {id_: one for id_, one in known.items() if self._may_see(one)}
            rows = view.world.derivations_of(entries)
            if not rows:
                return {}
            stand = Standings(index, view.world.folders(), rows, entries)
        found: defaultdict[str, tuple[SourceStanding, ...]] = defaultdict(tuple)
        for one in rows:
            found[one.memory_id] += (stand.of(one),)
        return dict(found)

    def told_of(self, entries: Sequence[MemoryEntry]) -> Mapping[str, ToldSources]:
        """For each memory that comes from pages what the caller is told of them, never refused.

        Args:
            entries: Memories of any files.
        """
        files = {one.scope.workspace_id for one in entries}
        found: dict[str, ToldSources] = {}
        for file in files:
            of_it = [one for one in entries if one.scope.workspace_id == file]
            found |= self.told_sources(file, of_it)
        return found

    def told(self, entry: MemoryEntry) -> ToldSources:
        """The same of one memory."""
        return self.told_of([entry]).get(entry.id, NO_SOURCES)

    def from_page(
        self, workspace_id: str, page_id: str
    ) -> tuple[tuple[str, MemoryEntry, SourceStanding], ...]:
        """Memories that come from a page: id of the block or none, the memory, how it stands.

        Raises:
            NotFoundError: There is no such page.
        """
        self._require_reading(workspace_id)
        index = self.pages_of(workspace_id)
        if index is None:
            raise NotFoundError("page", page_id)
        page = index.page(page_id).page
        with self.store.read(workspace_id) as view:
            rows = view.world.derivations_on(page.folder_id, page.path)
            found = view.memories.get_many(list({one.memory_id for one in rows}))
            stand = Standings(index, view.world.folders(), rows, found)
        entries = {id_: one for id_, one in found.items() if self._is_shown(one)}
        standings = [(one.memory_id, stand.of(one)) for one in rows if one.memory_id in entries]
        return tuple((one.block_id, entries[memory_id], one) for memory_id, one in standings)

    def counts(self, workspace_id: str, folder_id: str) -> Mapping[str, tuple[int, int]]:
        """For each path of a folder how many memories come from it, and from a changed text.

        Raises:
            ScopeDeniedError: The caller is an agent, of whom not every memory is to be known.
        """
        refuse_agents(self.caller, Action.READ, Tier.WORKSPACE)
        with self.store.read(workspace_id) as view:
            return view.world.counts_by_page(folder_id)

    def derive(
        self, workspace_id: str, memory: MemoryRef, references: Sequence[Derivation]
    ) -> None:
        """Says of a memory that it comes from these pages or blocks as well, as they are now.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: There are too many, or one means nothing, or several pages.
            NotFoundError: No such memory in its scope, or it is forgotten.
        """
        caller = self.caller
        self.require_person("memory.update", memory.scope.tier, workspace_id, (memory.id,))
        now = self.clock()
        with self.store.read(workspace_id) as view:
            before = view.memories.get(memory, caller.walls)
        if before.is_forgotten:
            raise NotFoundError("memory", memory.id)
        wanted = checked_derivations((*before.derived_from, *references))
        sources = sources_of(caller, self.pages_of(workspace_id), workspace_id, wanted)
        with self.writing(workspace_id) as unit:
            if sources.references != before.derived_from:
                unit.memories.save(
                    replace(before, derived_from=sources.references),
                    expected_version=before.version,
                    action=MemoryAction.EDITED,
                    changed_by=caller.name,
                    door=caller.door.value,
                    changed_at=now,
                )
            known = {one.place: one for one in unit.world.derivations_of([memory.id])}
            rows = tuple(known.get(one.place, one) for one in sources.rows)
            sources._replace(rows=rows).keep(unit, memory.id)
            unit.commit()

    def retcons(
        self, workspace_id: str, *, states: Collection[RetconState] = OPEN
    ) -> tuple[RetconCase, ...]:
        """Retcons in these states with everything that a decision needs, the latest found first.

        An open one of whose memories the caller may see none is left out.
        """
        self._require_reading(workspace_id)
        with self.store.read(workspace_id) as view:
            decided = decisions(view)
            found = [
                self._case(view, workspace_id, one, decided) for one in view.world.retcons(states)
            ]
        return tuple(
            one for one in found if one.memories or one.retcon.state is not RetconState.OPEN
        )

    def retcon(self, workspace_id: str, retcon_id: str) -> RetconCase:
        """One of them.

        Raises:
            NotFoundError: There is none.
        """
        self._require_reading(workspace_id)
        with self.store.read(workspace_id) as view:
            return self._case(view, workspace_id, view.world.retcon(retcon_id), decisions(view))

    def keep(self, workspace_id: str, retcon_id: str, memory_ids: Sequence[str] = ()) -> RetconCase:
        """Says that memories are still true: they come from what the page says now.

        Args:
            workspace_id: The workspace.
            retcon_id: The retcon.
            memory_ids: All that wait and that the caller may change if none is named.

        Raises:
            ScopeDeniedError: The caller may not change one of them.
            NotFoundError: There is no such retcon, or one of them does not wait.
            ConflictError: It is decided already.
        """
        self._require_reading(workspace_id)
        now = self.clock()
        with self.writing(workspace_id) as unit:
            ids = waiting_ids(unit, retcon_id, memory_ids)
            entries = unit.memories.get_many(ids)
            if not memory_ids:
                ids = tuple(one for one in ids if self._may_change(entries[one]))
            if not ids or not all(self._may_change(entries[one]) for one in ids):
                raise ScopeDeniedError(Action.WRITE.value, Tier.WORKSPACE.value)
            retcon = unit.world.retcon(retcon_id)
            Deciding(self, unit, workspace_id, retcon, now).decide(RetconState.KEPT, ids)
            unit.commit()
        return self.retcon(workspace_id, retcon_id)

    def update(
        self, workspace_id: str, retcon_id: str, memory_id: str, text: str, expected_version: int
    ) -> RetconCase:
        """Gives a memory another text, which comes from what the page says now.

        A fact is superseded by one that says it. Raises what ``keep`` and changing a memory, or
        superseding a fact, raise.
        """
        self._require_reading(workspace_id)
        (entry,) = self._waiting(workspace_id, retcon_id, [memory_id])
        if entry.kind is MemoryKind.FACT:
            Facts(self.parts, self.caller).supersede(
                entry.ref, text, reason=GONE_REASON, expected_version=expected_version
            )
        else:
            memories = Memories(self.parts, self.caller)
            patch = MemoryPatch(content=text)
            memories.update(entry.ref, patch, expected_version=expected_version)
        self._decide(workspace_id, retcon_id, RetconState.UPDATED, [memory_id], expected_version)
        return self.retcon(workspace_id, retcon_id)

    def forget(self, workspace_id: str, retcon_id: str, memory_ids: Sequence[str]) -> RetconCase:
        """Forgets memories that are not true any more.

        Raises what ``keep`` and forgetting memories raise.
        """
        self._require_reading(workspace_id)
        refs = [one.ref for one in self._waiting(workspace_id, retcon_id, memory_ids)]
        Memories(self.parts, self.caller).forget(refs, reason=GONE_REASON)
        ids = [one.id for one in refs]
        self._decide(workspace_id, retcon_id, RetconState.FORGOTTEN, ids)
        return self.retcon(workspace_id, retcon_id)

    def undo(self, workspace_id: str, retcon_id: str, memory_ids: Sequence[str] = ()) -> RetconCase:
        """Takes back what was decided about a retcon; it waits again.

        Args:
            workspace_id: The workspace.
            retcon_id: The retcon.
            memory_ids: Of which memories; all that were answered if none is named.

        Raises:
            ScopeDeniedError: The caller is not a person.
            NotFoundError: There is no such retcon.
            ConflictError: Nothing was decided, or a memory was changed since.
        """
        authorize_person(self.caller, Action.WRITE, Tier.WORKSPACE)
        with self.store.read(workspace_id) as view:
            retcon = view.world.retcon(retcon_id)
            decided = [
                one._replace(memory_ids=held)
                for one in decisions(view).get(retcon_id, ())
                if (held := tuple(i for i in one.memory_ids if i in memory_ids or not memory_ids))
            ]
            ids = [id_ for one in decided for id_ in one.memory_ids]
            entries = view.memories.get_many(ids)
        if not decided:
            raise ConflictError("retcon", retcon_id)
        memories = Memories(self.parts, self.caller)
        updated = [
            (one, entries[one.memory_ids[0]])
            for one in decided
            if one.what is RetconState.UPDATED and one.memory_ids[0] in entries
        ]
        edits = [
            Reversion(entry.ref, held=one.version + 1, to=one.version)
            for one, entry in updated
            if entry.kind is not MemoryKind.FACT
        ]
        gone = [
            entries[id_].ref
            for one in decided
            if one.what is RetconState.FORGOTTEN
            for id_ in one.memory_ids
            if id_ in entries
        ]
        for _, entry in updated:
            if entry.kind is MemoryKind.FACT and entry.successor_id is not None:
                Facts(self.parts, self.caller).take_back(MemoryRef(entry.scope, entry.successor_id))
        if edits:
            memories.revert(edits)
        if gone:
            memories.restore(gone)
        with self.writing(workspace_id) as unit:
            kept = [
                one._replace(memory_ids=tuple(id_ for id_ in one.memory_ids if id_ in entries))
                for one in decided
            ]
            Deciding(self, unit, workspace_id, retcon, self.clock()).take_back(kept, ids)
            unit.commit()
        notice(self, workspace_id, ())  # the page may have changed since, or changed back
        return self.retcon(workspace_id, retcon_id)

    def suggested(self, case: RetconCase, memory: MemoryEntry) -> str | None:
        """The memory with the words that changed in its page; None where that is not certain."""
        return updated_text(memory.content, case.base_text, case.retcon.now_text)

    def contradictions(self, workspace_id: str) -> tuple[Contradiction, ...]:
        """Plain contradictions among the memories written last, and with pages."""
        self._require_reading(workspace_id)
        return contradictions(self, workspace_id)

    def decide_contradiction(
        self, workspace_id: str, contradiction: Contradiction, what: str
    ) -> None:
        """Says which of two is right (``first``, ``second``), that ``both`` hold, or ``later``.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: ``what`` is no such word.
            NotFoundError: A page would have to change: that takes a proposal.
            ConflictError: One of the memories was changed since.
        """
        decide_contradiction(self, workspace_id, contradiction, what)

    def undo_contradiction(
        self, workspace_id: str, contradiction: Contradiction, what: str
    ) -> None:
        """Takes back what was decided of two texts. Raises what deciding raises."""
        undo_contradiction(self, workspace_id, contradiction, what)

    def _case(
        self,
        view: StoreView,
        workspace_id: str,
        retcon: Retcon,
        decided: Mapping[str, Sequence[Decision]],
    ) -> RetconCase:
        index = self.pages_of(workspace_id)
        named = () if index is None else index.named(retcon.path)
        page = next((one for one in named if one.folder_id == retcon.folder_id), None)
        rows = waiting_rows(view, retcon) if retcon.state is RetconState.OPEN else ()
        ids = list(dict.fromkeys(one.memory_id for one in rows))
        entries = view.memories.get_many(ids)
        answered = {
            id_: one.what.value
            for one in reversed(decided.get(retcon.id, ()))
            for id_ in one.memory_ids
        }
        return RetconCase(
            retcon,
            retcon.path if page is None else page.title,
            "" if page is None else page.id,
            rows[0].heading if rows else "",
            view.world.base(retcon.base_digest),
            tuple(entries[one] for one in ids if self._is_shown(entries[one])),
            tuple(answered.items()),
        )

    def _waiting(
        self, workspace_id: str, retcon_id: str, memory_ids: Sequence[str]
    ) -> list[MemoryEntry]:
        with self.store.read(workspace_id) as view:
            ids = waiting_ids(view, retcon_id, memory_ids)
            return list(view.memories.get_many(ids).values())

    def _decide(
        self,
        workspace_id: str,
        retcon_id: str,
        what: RetconState,
        memory_ids: Sequence[str],
        version: int = 0,
    ) -> None:
        with self.writing(workspace_id) as unit:
            deciding = Deciding(
                self, unit, workspace_id, unit.world.retcon(retcon_id), self.clock()
            )
            deciding.decide(what, memory_ids, version)
            unit.commit()

    def _require_reading(self, workspace_id: str) -> None:
        authorize(self.caller, Action.WORLD_READ, ScopeKey.workspace(workspace_id))

    def _is_shown(self, entry: MemoryEntry) -> bool:
        """Whether the caller may be told of a memory: active, readable, not another's own."""
        is_there = entry.is_retrievable or not self.caller.is_agent
        return not entry.is_forgotten and is_there and self._may_see(entry)

    def _may_see(self, entry: MemoryEntry) -> bool:
        return self.caller.may(Action.READ, entry.scope) and self.caller.may_know_of(entry)

    def _may_change(self, entry: MemoryEntry) -> bool:
        caller = self.caller
        return (
            self._is_shown(entry)
            and caller.may(Action.WRITE, entry.scope)
            and not caller.has_to_ask_before_changing(entry)
        )
