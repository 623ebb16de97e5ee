"""Read named entries, and the standing slice that every turn of an agent begins with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize
from inklings_desktop.domain.entries.named_entry import (
    EntryRef,
    EntryRevision,
    EntryWithRevisions,
    NamedEntry,
    entry_scope,
    standing_order,
)
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.refusals import Attempt, require_person

if TYPE_CHECKING:
    from inklings_desktop.usecases.ports.store import Clock, Store, StoreView


@dataclass(frozen=True, slots=True)
class ListEntries:
    """The named entries that stand over a workspace: its own and the account's."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str | None, tier: Tier | None = None
    ) -> tuple[NamedEntry, ...]:
        """VOICE, the workspace's companions by name, SOUL, the account's companions by name.

        An agent gets the tiers it may read, and of an unedited template no word.

        Args:
            caller: Who asks.
            workspace_id: None asks for the account's alone.
            tier: Workspace or account alone; None takes whatever may be read.

        Raises:
            ScopeDeniedError: An agent that may read neither tier, or not the one named.
            NotFoundError: There is no such workspace.
        """
        if tier is not None:
            place = None if tier is Tier.ACCOUNT else workspace_id
            authorize(caller, Action.READ, entry_scope(tier, place))
        found = [
            _as_seen_by(caller, entry)
            for scope in readable_scopes(caller, workspace_id)
            if tier in {None, scope.tier}
            for entry in entries_of(self.store, scope)
        ]
        return tuple(sorted(found, key=standing_order))


@dataclass(frozen=True, slots=True)
class StandingSlice:
    """What every turn of an agent begins with."""

    store: Store

    def __call__(self, caller: Caller, workspace_id: str | None) -> tuple[NamedEntry, ...]:
        """The named entries that say something, whole, in the order of ``ListEntries``.

        Whatever else is stored changes nothing: they are not ranked. Unedited templates and
        emptied entries are not part of it.

        Raises:
            ScopeDeniedError: An agent that may read neither tier.
            NotFoundError: There is no such workspace.
        """
        entries = ListEntries(self.store)(caller, workspace_id)
        return tuple(entry for entry in entries if entry.is_standing)


@dataclass(frozen=True, slots=True)
class ShowEntry:
    """One named entry with the list of its revisions."""

    store: Store

    def __call__(self, caller: Caller, ref: EntryRef) -> EntryWithRevisions:
        """The entry; for the person also its revisions, newest first, without their bodies.

        Raises:
            ScopeDeniedError: An agent that may not read the tier.
            NotFoundError: It is not there; for an agent also when deleted.
        """
        authorize(caller, Action.READ, ref.scope)
        with self.store.read(ref.workspace_id) as view:
            entry = stored_entry(view, ref)
            if caller.is_agent and entry.is_deleted:
                raise NotFoundError("named_entry", ref.id)
            revisions = () if caller.is_agent else view.entries.revisions(ref.id)
        return EntryWithRevisions(_as_seen_by(caller, entry), revisions)


@dataclass(frozen=True, slots=True)
class ShowRevision:
    """One revision with its body."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, ref: EntryRef, number: int) -> EntryRevision:
        """The revision.

        Raises:
            ScopeDeniedError: The caller is not the person: what an author took out stays out.
            NotFoundError: The entry or the revision is not there.
        """
        require_author(self.store, self.clock, caller, "revision", ref)
        with self.store.read(ref.workspace_id) as view:
            stored_entry(view, ref)
            return view.entries.revision(ref.id, number)


@dataclass(frozen=True, slots=True)
class FindEntry:
    """One named entry by its name."""

    store: Store

    def __call__(
        self, caller: Caller, workspace_id: str | None, name: str, tier: Tier | None = None
    ) -> NamedEntry:
        """The entry that is there under exactly this name.

        Args:
            caller: Who asks.
            workspace_id: None looks in the account alone.
            name: Its name.
            tier: Workspace or account; None looks in both.

        Raises:
            ScopeDeniedError: An agent that may read neither tier.
            NotFoundError: There is none.
            InvalidValueError: Both tiers have one and none was named, or the tier has none at all.
        """
        if tier is not None:
            entry_scope(tier, None if tier is Tier.ACCOUNT else workspace_id)
        entries = ListEntries(self.store)(caller, workspace_id)
        found = [one for one in entries if one.name == name and tier in {None, one.tier}]
        if not found:
            known = tuple(one.name for one in entries if tier in {None, one.tier})
            raise NotFoundError("named_entry", name, known)
        if len(found) > 1:
            raise InvalidValueError("tier", "ambiguous")
        return found[0]


@dataclass(frozen=True, slots=True)
class ListDeletedEntries:
    """The companions that can be brought back."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str | None) -> tuple[NamedEntry, ...]:
        """The workspace's, then the account's; the latest deleted first.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        attempt = Attempt("named_entry.deleted", tier, workspace_id)
        require_person(self.store, self.clock, caller, attempt)
        return tuple(
            entry
            for scope in readable_scopes(caller, workspace_id)
            for entry in entries_of(self.store, scope, deleted=True)
        )


def readable_scopes(caller: Caller, workspace_id: str | None) -> tuple[ScopeKey, ...]:
    """The tiers of named entries that a caller may read, the workspace's first.

    Raises:
        ScopeDeniedError: None of them.
    """
    own = () if workspace_id is None else (ScopeKey.workspace(workspace_id),)
    scopes = (*own, ScopeKey.account())
    found = tuple(scope for scope in scopes if caller.may(Action.READ, scope))
    if not found:
        raise ScopeDeniedError(Action.READ.value, scopes[0].tier.value)
    return found


def entries_of(store: Store, scope: ScopeKey, *, deleted: bool = False) -> tuple[NamedEntry, ...]:
    """The named entries of one tier."""
    with store.read(scope.workspace_id) as view:
        return view.entries.entries(deleted=deleted)


def stored_entry(view: StoreView, ref: EntryRef) -> NamedEntry:
    """The entry, deleted or not.

    Raises:
        NotFoundError: It is not in this tier.
    """
    entry = view.entries.get(ref.id)
    if entry.ref != ref:
        raise NotFoundError("named_entry", ref.id)
    return entry


def require_author(store: Store, clock: Clock, caller: Caller, verb: str, ref: EntryRef) -> None:
    """Return only for the person; a machine's attempt on a named entry becomes an event.

    Raises:
        ScopeDeniedError: The caller is an agent or the clock.
    """
    attempt = Attempt(f"named_entry.{verb}", ref.tier, ref.workspace_id, (ref.id,))
    require_person(store, clock, caller, attempt)


def _as_seen_by(caller: Caller, entry: NamedEntry) -> NamedEntry:
    """What an agent would take for the author's words and is not, is for the author alone.

    These are a template's words, and those of which damage left a part.
    """
    is_withheld = caller.is_agent and (entry.is_template or entry.is_unreadable)
    return replace(entry, body="") if is_withheld else entry
