"""What the sample world knows of its pages: where memories come from, and what agents would change.

The pages themselves are files, and have been looked at when this is written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.world.derivations import (
    PageDerivation,
    Retcon,
    RetconState,
    SourceState,
)
from inklings_desktop.domain.world.folding import digest_of
from inklings_desktop.domain.world.page_proposal import PageWish
from inklings_desktop.domain.world.references import to_memory, to_page
from inklings_desktop.usecases.transfer.sample_agents import reworded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.world.pages import Block, Page
    from inklings_desktop.usecases.ports.store import UnitOfWork
    from inklings_desktop.usecases.ports.world import PageWriter, WorldIndex

    Told = Mapping[str, Any]


class SamplePages:
    """Writes it into the file of the workspace, which holds the sample memories."""

    def __init__(
        self,
        unit: UnitOfWork,
        index: WorldIndex,
        writer: PageWriter,
        new_id: Callable[[], str],
    ) -> None:
        self._unit, self._index, self._writer, self._new_id = unit, index, writer, new_id
        (self._folder,) = unit.world.folders()

    def write_sources(self, told: Iterable[tuple[str, Sequence[Told]]]) -> None:
        """Write which memories, pages and blocks the memories with these ids come from."""
        for memory_id, sources in told:
            rows: list[PageDerivation] = []
            texts: dict[bytes, str] = {}
            for place, source in enumerate(sources):
                if "memory" in source:
                    rows.append(replace(to_memory(place, source["memory"]), memory_id=memory_id))
                    continue
                whole = self._index.page(self._index.named(source["page"])[0].id)
                says = source.get("says")
                block = next((part for part in whole.blocks if says and says in part.text), None)
                row = replace(to_page(place, whole.page, block), memory_id=memory_id)
                if block is not None:
                    said = source.get("said", block.text)
                    row = self._as_it_said(row, whole.page, block, said)
                    texts[row.base_digest] = said
                rows.append(row)
            if rows:
                self._unit.world.put_derivations(memory_id, rows, texts)

    def _as_it_said(
        self, row: PageDerivation, page: Page, block: Block, said: str
    ) -> PageDerivation:
        """A source that was this text; the author is asked if the block says another one now."""
        base = digest_of(said)
        if base == block.digest:
            return row
        found = Retcon(
            self._new_id(), page.folder_id, page.path, block.id, "changed", base, block.text,
            page.changed_at, RetconState.OPEN,
        )  # fmt: skip
        self._unit.world.save_retcon(found)
        return replace(row, base_digest=base, state=SourceState.CHANGED, changed_at=page.changed_at)

    def propose(self, one: Told, workspace_id: str, at: datetime) -> None:
        """Write what an agent would change of a page, as the document tells it."""
        page = self._index.named(one["page"])[0]
        text, base = self._writer.text_of(self._folder, page.path)
        scope = ScopeKey.workspace(workspace_id)
        self._unit.proposals.add(
            Proposal(
                id=self._new_id(),
                kind=ProposalKind.PAGE_EDIT,
                workspace_id=workspace_id,
                tier=scope.tier,
                scope_key=scope.key,
                target_id=page.path,
                target_name=page.title,
                base_version=None,
                payload=PageWish(
                    self._folder.id, page.path, page.title, base, reworded(one, text)
                ).payload,
                reason=one["reason"],
                client=one["client"],
                state=ProposalState.PENDING,
                note="",
                created_at=at,
            )
        )
