"""What several conversations repeat is shown as what could be a fact; only the author makes one."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.background.tasks import KeptPair, PairState
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.knowledge.could_be import CouldBeFact, repeated, say_alike
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import MemoryKind, ScopeKey, Tier
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.usecases.knowledge.facts import Facts
from inklings_desktop.usecases.knowledge.values import FactDraft
from inklings_desktop.usecases.parts import Asked

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inklings_desktop.usecases.knowledge.values import FactPut
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork

LOOKED_AT = 1_000
"""The latest notes from conversations that are compared."""
LONGEST = 300
"""Characters of a note that may be one statement."""
MOST_ANSWERED = 8
"""Notes of a group whose texts an answer is kept for."""
MOST_FACTS = 10
_ANSWERED = ScopeKey.account()
"""Under this place the answers are kept: nothing of a workspace's file is compared there."""
_FACTS = MemoryFilter(kinds=frozenset({MemoryKind.FACT}))


class CouldBeFacts(Asked):
    """Notes that at least three conversations repeat, until the author says what they are."""

    def list(self, workspace_id: str) -> tuple[CouldBeFact, ...]:
        """Lists what is not answered yet, and no fact says; nothing while there is no domain.

        Raises:
            ScopeDeniedError: The caller is no person.
        """
        authorize_person(self.caller, Action.READ, Tier.WORKSPACE)
        with self.store.read(workspace_id) as view:
            if not view.knowledge.domains():
                return ()
            notes = view.knowledge.notes_of_conversations(LOOKED_AT, LONGEST)
            answered = _answered(view)
            scope = ScopeKey.workspace(workspace_id)
            return tuple(
                one
                for one in repeated(notes)
                if not _is_answered(view, one, answered) and not _is_said(view, scope, one)
            )

    def make(
        self,
        workspace_id: str,
        note_id: str,
        *,
        domain: str,
        topic: str,
        confidence: float | None = None,
        content: str | None = None,
    ) -> FactPut:
        """Makes a fact whose sources are all the notes; they stay, and are not listed again.

        Args:
            workspace_id: Where they are.
            note_id: Any of the notes.
            domain: Name or id.
            topic: What it is about.
            confidence: How sure, 0 to 1; None means 1.
            content: Its text; None for the longest of theirs.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: No such note is listed, or there is no such domain.
        """
        found = self._listed(workspace_id, note_id)
        text = found.said if content is None else content
        sources = tuple(one.id for one in found.notes)
        draft = FactDraft(domain, topic, text, confidence, sources)
        done = Facts(self.parts, self.caller).put(workspace_id, draft)
        self._answer(workspace_id, found)
        return done

    def dismiss(self, workspace_id: str, note_id: str) -> CouldBeFact:
        """Lists these notes no longer, as long as two of them say what they say now.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: No such note is listed.
        """
        found = self._listed(workspace_id, note_id)
        self._answer(workspace_id, found)
        return found

    def ask_again(self, workspace_id: str, note_id: str) -> None:
        """Takes an answer back: the notes are listed again, unless a fact says the same.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: Nothing was answered of this note.
        """
        authorize_person(self.caller, Action.WRITE, Tier.WORKSPACE)
        with self.writing(workspace_id) as unit:
            kept = unit.tasks.kept_pairs(_ANSWERED)
            ids = {id_ for one in kept if note_id in _ids(one) for id_ in _ids(one)}
            if not ids:
                raise NotFoundError("memory", note_id)
            unit.tasks.keep_pairs(_ANSWERED, [one for one in kept if not ids >= set(_ids(one))])
            unit.commit()

    def _listed(self, workspace_id: str, note_id: str) -> CouldBeFact:
        for one in self.list(workspace_id):
            if note_id in {note.id for note in one.notes}:
                return one
        raise NotFoundError("memory", note_id)

    def _answer(self, workspace_id: str, found: CouldBeFact) -> None:
        with self.writing(workspace_id) as unit:
            unit.tasks.keep_pairs(
                _ANSWERED, (*unit.tasks.kept_pairs(_ANSWERED), *_pairs(unit, found))
            )
            unit.commit()


def _pairs(unit: UnitOfWork, found: CouldBeFact) -> Sequence[KeptPair]:
    """Every two of its first notes, with keys of what they say."""
    ids = [one.id for one in found.notes[:MOST_ANSWERED]]
    said = unit.consolidation.said(ids)
    return [
        KeptPair(one, other, said[one], said[other], 1.0, PairState.SKIPPED)
        for one, other in combinations(ids, 2)
        if one in said and other in said
    ]


def _answered(view: StoreView) -> Collection[frozenset[bytes]]:
    return {
        frozenset((one.first_said, one.second_said)) for one in view.tasks.kept_pairs(_ANSWERED)
    }


def _is_answered(
    view: StoreView, found: CouldBeFact, answered: Collection[frozenset[bytes]]
) -> bool:
    """Whether two of the notes say what the author answered, whichever notes said it then."""
    if not answered:
        return False
    said = view.consolidation.said([one.id for one in found.notes]).values()
    return any(frozenset(two) in answered for two in combinations(said, 2))


def _is_said(view: StoreView, scope: ScopeKey, found: CouldBeFact) -> bool:
    """Whether a fact says it already."""
    hits = view.full_text.search(
        [scope], keyword_query(found.said), where=_FACTS, visible_to=None, limit=MOST_FACTS
    ).get(scope, ())
    facts = view.memories.get_many([one.id for one in hits]).values()
    return any(say_alike(one.content, note.content) for one in facts for note in found.notes)


def _ids(pair: KeptPair) -> tuple[str, str]:
    return pair.first, pair.second
