"""A walk of random verbs through several workspaces and the account, with what must be true.

Every memory holds the mark of its place and a token of its own; a token never comes back, so
whoever meets one knows which memory, and which version of it, it was.
"""

from __future__ import annotations

import random
import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memories.listing import MemorySort, MemoryState
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, ScopeKey, Tier
from tests.end2end.readings import found_by, pages
from tests.end2end.worlds import ACCOUNT_MARK, SHARED_WORDS, an_account_agent
from tests.support.builders import an_agent
from tests.support.fake_embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings

TOKEN = re.compile(r"zvq\d+")
WHOLE_LIST = 100_000


@dataclass(slots=True)
class Place:
    """A workspace or the account, and what the walk has left there.

    Attributes:
        mark: A word that every text of it holds, and no other text.
        workspace_id: None for the account.
        agent: May do in it what agents may.
        channels: Its channel scope keys.
        rooms: Its conversations, the one that is active last; archived ones too.
        known: Every memory as it was last seen, by id.
        replaced: Tokens of texts that an edit took the place of.
    """

    mark: str
    workspace_id: str | None
    agent: Caller
    channels: tuple[ScopeKey, ...] = ()
    rooms: list[ScopeKey] = field(default_factory=list)
    known: dict[str, MemoryEntry] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)

    @property
    def folder(self) -> str:
        """How the names of its files begin, seen from the data root."""
        return "agents.db" if self.workspace_id is None else f"workspaces/{self.workspace_id}/"

    def tiers(self) -> tuple[tuple[ScopeKey, ...], ...]:
        """Its scope keys, tier by tier."""
        if self.workspace_id is None:
            return ((ScopeKey.account(),),)
        return (ScopeKey.workspace(self.workspace_id),), self.channels, tuple(self.rooms)

    def memories(self, *, forgotten: bool) -> list[MemoryEntry]:
        """Its memories that are forgotten, or that are not."""
        return [entry for entry in self.known.values() if entry.is_forgotten == forgotten]

    def tokens(self, *, forgotten: bool) -> set[str]:
        """Tokens of these memories."""
        return {token_of(entry) for entry in self.memories(forgotten=forgotten)}


class Wanderer:
    """Does something at random, and remembers what ought to be so afterwards."""

    def __init__(self, root: Path, seed: int, n_workspaces: int) -> None:
        self.root = root
        self.embedder = FakeEmbedder()
        self.trail: list[str] = []
        self._chance = random.Random(seed)  # noqa: S311  it only chooses the way
        self._opened = ExitStack()
        self._n_tokens = 0
        self.inklings = self._open()
        self.places = [Place(ACCOUNT_MARK, None, an_account_agent())]
        self.places += [self._settled(number) for number in range(n_workspaces)]
        self._verbs: dict[str, tuple[int, Callable[[Place], None]]] = {
            "put": (10, self._put),
            "edit": (4, self._edit),
            "forget": (6, self._forget),
            "restore": (4, self._restore),
            "search": (3, self._search),
            "note": (1, self._note),
            "idle": (1, self._idle),
            "archive": (1, self._archive),
            "embed": (3, self._embed),
            "reopen": (1, self._reopen),
        }

    @property
    def person(self) -> Caller:
        """The author."""
        return self.inklings.caller

    def never_done(self) -> set[str]:
        """Verbs that chance has left out so far."""
        return set(self._verbs) - {line.split()[0] for line in self.trail}

    def step(self) -> Place:
        """Do one thing; the place where."""
        names = list(self._verbs)
        weights = [weight for weight, _ in self._verbs.values()]
        (verb,) = self._chance.choices(names, weights)
        place = self.any_place()
        self.trail.append(f"{verb} {place.mark}")
        self._verbs[verb][1](place)
        return place

    def any_place(self) -> Place:
        """A place at random."""
        return self._chance.choice(self.places)

    def anyone(self, place: Place) -> Caller:
        """The person or the agent of a place."""
        return self._chance.choice((self.person, place.agent))

    def sample(self, tokens: set[str], limit: int) -> list[str]:
        """Some of these tokens, at random."""
        return self._chance.sample(sorted(tokens), min(limit, len(tokens)))

    def listed(self, place: Place, caller: Caller | None = None) -> set[str]:
        """Ids in the default lists of a place, in an order at random."""
        sort = self._chance.choice(list(MemorySort))
        return {
            entry.id
            for scopes in place.tiers()
            for page in pages(
                self.inklings, caller or self.person, scopes, sort=sort, limit=WHOLE_LIST
            )
            for entry in page.entries
        }

    def told_in(self, place: Place) -> str:
        """What the verbs that show most tell in a place."""
        told: list[object] = []
        for scopes in place.tiers():
            caller = self.anyone(place)
            told.append(found_by(self.inklings, caller, scopes, SHARED_WORDS))
            told.append(self.inklings.as_caller(caller).listing.facets(scopes))
            told += pages(self.inklings, self.person, scopes, state=MemoryState.FORGOTTEN)
        if place.workspace_id is not None:
            workspace_id = place.workspace_id
            told.append(self.inklings.as_caller(self.person).places.channels(workspace_id))
            told.append(
                self.inklings.as_caller(self.person).places.conversations(
                    workspace_id, include_archived=True
                )
            )
            told.append(self.inklings.as_caller(self.person).notes.list(place.rooms))
        return repr(told)

    def close(self) -> None:
        """Let go of the data root."""
        self._opened.close()

    # -- verbs ------------------------------------------------------------------------------

    def _put(self, place: Place) -> None:
        token = self._token()
        scope = self._chance.choice(self._chance.choice(place.tiers()))
        if scope.tier is Tier.CONVERSATION:
            scope = place.rooms[-1]
        origin = place.rooms[-1].key if place.rooms and self._chance.random() < 0.5 else None
        draft = MemoryDraft(
            scope,
            f"The keeper of {place.mark} counts {token} tides.",
            tags=(token,),
            source_conversation=origin,
        )
        self._keep(place, self.inklings.as_caller(self.anyone(place)).memories.put(draft))

    def _edit(self, place: Place) -> None:
        if (before := self._one(place, forgotten=False)) is None:
            return
        token = self._token()
        patch = MemoryPatch(f"The {token} keeper of {place.mark} counts tides.", tags=(token,))
        after = self.inklings.as_caller(self.person).memories.update(
            before.ref, patch, expected_version=before.version
        )
        place.replaced.add(token_of(before))
        self._keep(place, after)

    def _forget(self, place: Place) -> None:
        if (before := self._one(place, forgotten=False)) is None:
            return
        caller = self.anyone(place)
        if caller.has_to_ask_before_changing(before):
            caller = self.person
        self._keep(place, *self.inklings.as_caller(caller).memories.forget([before.ref]))

    def _restore(self, place: Place) -> None:
        if (before := self._one(place, forgotten=True)) is not None:
            self._keep(place, *self.inklings.as_caller(self.person).memories.restore([before.ref]))

    def _search(self, place: Place) -> None:
        for scopes in place.tiers():
            found_by(self.inklings, self.anyone(place), scopes, SHARED_WORDS)
        self._look_again(place, None)

    def _note(self, place: Place) -> None:
        if place.workspace_id is not None:
            room = place.rooms[-1].key
            self.inklings.as_caller(place.agent).notes.write(
                place.workspace_id, room, "at", place.mark
            )

    def _idle(self, place: Place) -> None:
        self._close_room(place, summarised=True)

    def _archive(self, place: Place) -> None:
        self._close_room(place, summarised=False)

    def _close_room(self, place: Place, *, summarised: bool) -> None:
        if place.workspace_id is None:
            return
        room = place.rooms[-1]
        if summarised:
            lines = [f"- The keeper of {place.mark} counts {self._token()} well" for _ in "ab"]
            self.inklings.as_caller(self.anyone(place)).conversations.idle(
                place.workspace_id, room.key, summary="\n".join(lines)
            )
        else:
            self.inklings.as_caller(self.anyone(place)).conversations.archive(
                place.workspace_id, room.key, force=True
            )
        self._look_again(place, room)
        self._start_room(place, place.workspace_id)

    def _embed(self, place: Place) -> None:
        while self.inklings.as_caller(self.person).tasks.embed(place.workspace_id):
            pass

    def _reopen(self, _place: Place) -> None:
        self.close()
        self.inklings = self._open()

    # -- what there is ------------------------------------------------------------------------

    def _open(self) -> Inklings:
        return self._opened.enter_context(
            open_inklings(self.root, embedder=self.embedder, embed_writes=False)
        )

    def _settled(self, number: int) -> Place:
        made = self.inklings.as_caller(self.person).workspaces.create(f"World {number}")
        mark = f"qx{number}mark"
        self.inklings.as_caller(self.person).channels.create(made.id, f"{mark}-room", mark)
        channels = self.inklings.as_caller(self.person).places.channels(made.id)
        place = Place(
            mark,
            made.id,
            an_agent(workspace_id=made.id),
            tuple(ScopeKey.channel(made.id, one.id) for one in channels),
        )
        self._start_room(place, made.id)
        return place

    def _start_room(self, place: Place, workspace_id: str) -> None:
        channel = self._chance.choice(place.channels).key
        room = self.inklings.as_caller(self.person).conversations.start(
            workspace_id, channel=channel, title=f"About {place.mark}"
        )
        place.rooms.append(ScopeKey.conversation(workspace_id, room.id))

    def _keep(self, place: Place, *entries: MemoryEntry) -> None:
        place.known |= {entry.id: entry for entry in entries}

    def _look_again(self, place: Place, closed: ScopeKey | None) -> None:
        """Take over what a verb changed without saying so: reads, summaries, a closed room."""
        for scopes in place.tiers():
            for state in MemoryState:
                for page in pages(
                    self.inklings, self.person, scopes, state=state, limit=WHOLE_LIST
                ):
                    for entry in page.entries:
                        before = place.known.get(entry.id)
                        if before is not None:
                            is_gone = before.is_forgotten or before.scope == closed
                            assert entry.is_forgotten == is_gone, self.trail
                    self._keep(place, *page.entries)

    def _one(self, place: Place, *, forgotten: bool) -> MemoryEntry | None:
        memories = place.memories(forgotten=forgotten)
        return self._chance.choice(memories) if memories else None

    def _token(self) -> str:
        self._n_tokens += 1
        return f"zvq{self._n_tokens}"


@contextmanager
def a_wanderer(root: Path, *, seed: int, n_workspaces: int) -> Iterator[Wanderer]:
    """A walk that has not begun, in a fresh data root."""
    walk = Wanderer(root, seed, n_workspaces)
    try:
        yield walk
    finally:
        walk.close()


def token_of(entry: MemoryEntry) -> str:
    """The token in a memory's text."""
    (token,) = TOKEN.findall(entry.content)
    return str(token)
