"""Unsaved typing in named entries, kept so that a killed program loses next to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import (
    EntryDraft,
    EntryRef,
    checked_body,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.entries.named_entries import (
    readable_scopes,
    require_author,
    stored_entry,
)
from inklings_desktop.usecases.steps.refusals import Attempt, require_person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import Clock, Store


@dataclass(frozen=True, slots=True)
class KeepDraft:
    """Keep unsaved typing, so that a killed program does not lose it."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, ref: EntryRef, body: str, base_version: int) -> EntryDraft:
        """The draft as it is kept, on the disk; a text that is saved already is not kept.

        Of an entry that was deleted under the typing it is kept, too, and offered once that is
        back.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The text cannot be kept.
            NotFoundError: The entry is not there.
        """
        require_author(self.store, self.clock, caller, "draft", ref)
        draft = EntryDraft(ref.id, checked_body(body), base_version, self.clock())
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            entry = stored_entry(unit, ref)
            if entry.body == draft.body:
                unit.drafts.drop(ref.id)
            else:
                unit.drafts.keep(draft)
            unit.commit()
        return draft


@dataclass(frozen=True, slots=True)
class FindDrafts:
    """Unsaved typing of a workspace and the account, to be offered when the program starts."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str | None) -> tuple[EntryDraft, ...]:
        """Drafts of entries that are there and read otherwise by now or still.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        attempt = Attempt("named_entry.draft", tier, workspace_id)
        require_person(self.store, self.clock, caller, attempt)
        return tuple(
            draft
            for scope in readable_scopes(caller, workspace_id)
            for draft in _drafts_in(self.store, scope)
        )


@dataclass(frozen=True, slots=True)
class DropDraft:
    """Forget unsaved typing, because it was saved or is not wanted."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, ref: EntryRef) -> bool:
        """Whether there was any.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        require_author(self.store, self.clock, caller, "draft", ref)
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            was_kept = unit.drafts.drop(ref.id)
            if was_kept:
                unit.commit()
        return was_kept


def _drafts_in(store: Store, scope: ScopeKey) -> Iterator[EntryDraft]:
    with store.read(scope.workspace_id) as view:
        bodies = {entry.id: entry.body for entry in view.entries.entries()}
        for draft in view.drafts.drafts():
            if draft.entry_id in bodies and draft.body != bodies[draft.entry_id]:
                yield draft
