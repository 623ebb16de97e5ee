"""Named entries: read by whoever may, written by the author alone; no save loses anything."""

from __future__ import annotations

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.entries.named_entry import (
    EntryAction,
    EntryRef,
    EntryRevision,
    EntryWithRevisions,
    NamedEntry,
    checked_body,
    entry_scope,
)
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.usecases.entries.named_entries import (
    add_companion,
    as_seen_by,
    bring_back,
    entries_of,
    list_entries,
    present,
    readable_scopes,
    require_author,
    require_free_name,
    standing_slice,
    stored_entry,
    take_away,
    write_body,
)
from inklings_desktop.usecases.parts import Asked


class Entries(Asked):
    """Named entries and their revisions."""

    def list(self, workspace_id: str | None, tier: Tier | None = None) -> tuple[NamedEntry, ...]:
        """VOICE, the workspace's companions by name, SOUL, the account's companions by name.

        An agent gets the tiers it may read, and of an unedited template no word.

        Args:
            workspace_id: None asks for the account's alone.
            tier: Workspace or account alone; None takes whatever may be read.

        Raises:
            ScopeDeniedError: An agent that may read neither tier, or not the one named.
            NotFoundError: There is no such workspace.
        """
        if tier is not None:
            place = None if tier is Tier.ACCOUNT else workspace_id
            authorize(self.caller, Action.READ, entry_scope(tier, place))
        return list_entries(self.store, self.caller, workspace_id, tier)

    def list_deleted(self, workspace_id: str | None) -> tuple[NamedEntry, ...]:
        """The companions that can be brought back: the workspace's, then the account's.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        self.require_person("named_entry.deleted", tier, workspace_id)
        return tuple(
            entry
            for scope in readable_scopes(self.caller, workspace_id)
            for entry in entries_of(self.store, scope, deleted=True)
        )

    def show(self, ref: EntryRef) -> EntryWithRevisions:
        """One entry; for the person also its revisions, newest first, without their bodies.

        Raises:
            ScopeDeniedError: An agent that may not read the tier.
            NotFoundError: It is not there; for an agent also when deleted.
        """
        caller = self.caller
        authorize(caller, Action.READ, ref.scope)
        with self.store.read(ref.workspace_id) as view:
            entry = stored_entry(view, ref)
            if caller.is_agent and entry.is_deleted:
                raise NotFoundError("named_entry", ref.id)
            revisions = () if caller.is_agent else view.entries.revisions(ref.id)
        return EntryWithRevisions(as_seen_by(caller, entry), revisions)

    def show_revision(self, ref: EntryRef, number: int) -> EntryRevision:
        """One revision with its body.

        Raises:
            ScopeDeniedError: The caller is not the person: what an author took out stays out.
            NotFoundError: The entry or the revision is not there.
        """
        require_author(self, "revision", ref)
        with self.store.read(ref.workspace_id) as view:
            stored_entry(view, ref)
            return view.entries.revision(ref.id, number)

    def find(self, workspace_id: str | None, name: str, tier: Tier | None = None) -> NamedEntry:
        """The entry that is there under exactly this name.

        Args:
            workspace_id: None looks in the account alone.
            tier: Workspace or account; None looks in both.

        Raises:
            ScopeDeniedError: An agent that may read neither tier.
            NotFoundError: There is none.
            InvalidValueError: Both tiers have one and none was named, or the tier has none at all.
        """
        if tier is not None:
            entry_scope(tier, None if tier is Tier.ACCOUNT else workspace_id)
        entries = list_entries(self.store, self.caller, workspace_id)
        found = [one for one in entries if one.name == name and tier in {None, one.tier}]
        if not found:
            known = tuple(one.name for one in entries if tier in {None, one.tier})
            raise NotFoundError("named_entry", name, known)
        if len(found) > 1:
            raise InvalidValueError("tier", "ambiguous")
        return found[0]

    def standing_slice(self, workspace_id: str | None) -> tuple[NamedEntry, ...]:
        """What every turn of an agent begins with: the entries that say something, whole.

        Whatever else is stored changes nothing: they are not ranked.

        Raises:
            ScopeDeniedError: An agent that may read neither tier.
            NotFoundError: There is no such workspace.
        """
        return standing_slice(self.store, self.caller, workspace_id)

    def create(self, tier: Tier, workspace_id: str | None, name: str, body: str = "") -> NamedEntry:
        """Adds a companion to VOICE or SOUL; ``workspace_id`` does not matter in the account tier.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The name or body cannot be kept, the name imitates another, or the
                tier has no named entries.
            ConflictError: The name is taken.
        """
        file = None if tier is Tier.ACCOUNT else workspace_id
        self.require_person("named_entry.create", tier, file)
        entry_scope(tier, file)
        now = self.clock()
        with self.writing(file) as unit:
            require_free_name(unit, name)
            ref = EntryRef(tier, file, self.new_id())
            stored = add_companion(
                unit, self.caller, ref, name, body, action=EntryAction.CREATED, now=now
            )
            unit.commit()
        return stored

    def save(
        self, ref: EntryRef, body: str, *, expected_version: int, settles_draft: bool = False
    ) -> NamedEntry:
        """Replaces the body of an entry; one that is the same adds no revision.

        Unsaved typing that is now saved is no longer kept as a draft; any other stays, unless
        this is what became of it.

        Args:
            settles_draft: Whether this is what the kept typing has become: the draft goes in the
                same transaction, however much of the text it held.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The body cannot be kept.
            NotFoundError: It is not there, or deleted.
            ConflictError: Somebody saved a newer version first.
        """
        require_author(self, "save", ref)
        text = checked_body(body)
        with self.writing(ref.workspace_id) as unit:
            before = present(unit, ref, expected_version)
            stored = write_body(unit, self.caller, before, text, EntryAction.SAVED, self.clock())
            drafts = [one for one in unit.drafts.drafts() if one.entry_id == ref.id]
            is_settled = any(settles_draft or one.body == text for one in drafts)
            if is_settled:
                unit.drafts.drop(ref.id)
            if stored is not before or is_settled:
                unit.commit()
        return stored

    def restore_revision(self, ref: EntryRef, number: int, *, expected_version: int) -> NamedEntry:
        """Brings an earlier body back, as a new revision; nothing changes if it reads so already.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: The entry or the revision is not there.
            ConflictError: Somebody saved a newer version first.
        """
        require_author(self, "restore", ref)
        with self.writing(ref.workspace_id) as unit:
            before = present(unit, ref, expected_version)
            body = unit.entries.revision(ref.id, number).body
            stored = write_body(unit, self.caller, before, body, EntryAction.RESTORED, self.clock())
            if stored is not before:
                unit.commit()
        return stored

    def delete(self, ref: EntryRef, *, expected_version: int) -> NamedEntry:
        """Takes a companion away; it can be brought back until it is scrubbed.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: It is built in: it can be emptied, not deleted.
            NotFoundError: It is not there, or deleted already.
            ConflictError: Somebody saved a newer version first.
        """
        require_author(self, "delete", ref)
        now = self.clock()
        with self.writing(ref.workspace_id) as unit:
            stored = take_away(unit, self.caller, present(unit, ref, expected_version), now)
            unit.commit()
        return stored

    def undelete(self, ref: EntryRef) -> NamedEntry:
        """Brings a deleted companion back; one that is there stays as it is.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It never was there, or is scrubbed.
            ConflictError: Another one has its name by now.
            InvalidValueError: Another one's name looks like its name by now.
        """
        require_author(self, "undelete", ref)
        now = self.clock()
        with self.writing(ref.workspace_id) as unit:
            before = stored_entry(unit, ref)
            if not before.is_deleted:
                return before
            stored = bring_back(unit, self.caller, before, now)
            unit.commit()
        return stored
