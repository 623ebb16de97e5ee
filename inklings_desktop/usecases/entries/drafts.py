"""Unsaved typing, kept so that a killed program loses next to nothing; for the person alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import EntryDraft, EntryRef, checked_body
from inklings_desktop.domain.memories.memory_typing import checked_typing
from inklings_desktop.domain.memory import MemoryRef, ScopeKey, Tier
from inklings_desktop.domain.memory_values import checked_importance, checked_tags
from inklings_desktop.usecases.entries.named_entries import (
    readable_scopes,
    require_author,
    stored_entry,
)
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.changing_memories import require_room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.ports.store import Store


class Drafts(Asked):
    """What is typed and not saved: texts of named entries, and typings of memories."""

    def keep(self, ref: EntryRef, body: str, base_version: int) -> EntryDraft:
        """Keeps unsaved typing on the disk; a text that is saved already is not kept.

        Of an entry that was deleted under the typing it is kept, too, and offered once that is
        back.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The text cannot be kept.
            NotFoundError: The entry is not there.
        """
        require_author(self, "draft", ref)
        draft = EntryDraft(ref.id, checked_body(body), base_version, self.clock())
        with self.writing(ref.workspace_id) as unit:
            entry = stored_entry(unit, ref)
            if entry.body == draft.body:
                unit.drafts.drop(ref.id)
            else:
                unit.drafts.keep(draft)
            unit.commit()
        return draft

    def find(self, workspace_id: str | None) -> tuple[EntryDraft, ...]:
        """Typing in entries of a workspace and the account that are there and read otherwise.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        self.require_person("named_entry.draft", tier, workspace_id)
        return tuple(
            draft
            for scope in readable_scopes(self.caller, workspace_id)
            for draft in _drafts_in(self.store, scope)
        )

    def drop(self, ref: EntryRef) -> bool:
        """Forgets unsaved typing, because it was saved or is not wanted; whether there was any.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        require_author(self, "draft", ref)
        with self.writing(ref.workspace_id) as unit:
            was_kept = unit.drafts.drop(ref.id)
            if was_kept:
                unit.commit()
        return was_kept

    def keep_typing(self, typing: MemoryTyping) -> MemoryTyping:
        """Keeps typing in a memory on the disk; what is stored already is not kept.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: A value cannot be kept.
            NotFoundError: The memory, or the room it would belong to, is not there.
        """
        self.require_person("memory.draft", typing.scope.tier, typing.scope.workspace_id)
        kept = replace(
            typing,
            content=checked_typing(typing.content),
            importance=checked_importance(typing.importance),
            tags=checked_tags(typing.tags),
            kept_at=self.clock(),
        )
        scope = typing.scope
        with self.writing(scope.workspace_id) as unit:
            if typing.is_new or typing.is_message:
                require_room(unit, scope.tier, scope.key)
                is_stored = False
            else:
                entry = unit.memories.get(MemoryRef(scope, typing.memory_id), None)
                is_stored = kept.says_as(entry)
            if is_stored:
                unit.drafts.drop_typing(scope, typing.memory_id)
            else:
                unit.drafts.keep_typing(kept)
            unit.commit()
        return kept

    def find_typings(self, workspace_id: str | None) -> tuple[MemoryTyping, ...]:
        """Typing in memories that are there and read otherwise, and in new ones; latest first.

        A memory that somebody forgot meanwhile is there: what was typed into it is not lost.

        Args:
            workspace_id: None for the account alone.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        self.require_person("memory.draft", tier, workspace_id)
        found = [
            typing
            for file in dict.fromkeys((workspace_id, None))
            for typing in _typings_in(self.store, file)
        ]
        return tuple(sorted(found, key=lambda one: one.kept_at, reverse=True))

    def find_typing(self, ref: MemoryRef) -> MemoryTyping | None:
        """What was typed into a memory and reads otherwise than it does; None if nothing.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        scope = ref.scope
        self.require_person("memory.draft", scope.tier, scope.workspace_id)
        with self.store.read(scope.workspace_id) as view:
            typing = view.drafts.typing(scope, ref.id)
            is_memorys = typing is not None and not typing.is_message
            if typing is None or (is_memorys and typing.says_as(view.memories.get(ref, None))):
                return None
        return typing

    def drop_typing(self, scope: ScopeKey, memory_id: str) -> bool:
        """As ``drop``; an empty id means the new memory of the scope.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        self.require_person("memory.draft", scope.tier, scope.workspace_id)
        with self.writing(scope.workspace_id) as unit:
            was_kept = unit.drafts.drop_typing(scope, memory_id)
            if was_kept:
                unit.commit()
        return was_kept


def _drafts_in(store: Store, scope: ScopeKey) -> Iterator[EntryDraft]:
    with store.read(scope.workspace_id) as view:
        bodies = {entry.id: entry.body for entry in view.entries.entries()}
        for draft in view.drafts.drafts():
            if draft.entry_id in bodies and draft.body != bodies[draft.entry_id]:
                yield draft


def _typings_in(store: Store, workspace_id: str | None) -> Iterator[MemoryTyping]:
    with store.read(workspace_id) as view:
        typings = view.drafts.typings()
        entries = view.memories.get_many([one.memory_id for one in typings if not one.is_new])
    for typing in typings:
        entry = entries.get(typing.memory_id)
        is_lost_without = entry is not None and not typing.says_as(entry)
        if typing.is_new or is_lost_without:
            yield typing
