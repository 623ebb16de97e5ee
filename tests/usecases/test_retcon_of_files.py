"""A retcon from the file that another program saved, over the real folder and index."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.knowledge.facts import FactState
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey
from inklings_desktop.domain.world.derivations import DerivationKind, SourceState
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.knowledge.values import FactDraft, FactQuery

LOOKS = "Nerys has grey eyes and a scar that runs from her left brow down to the jaw."
OATH = "She swore on the salt that she would never again carry a lamp into the glass."


def save(path: Path, text: str) -> None:
    """Save a page as if it had been done an hour ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    at = path.stat().st_mtime - timedelta(hours=1).total_seconds()
    os.utime(path, (at, at))


def test_a_page_that_changes_is_noticed_and_the_loss_of_the_index_is_not(tmp_path: Path) -> None:
    page = tmp_path / "isles" / "People" / "Nerys.md"
    whole = f"---\nstatus: canon\n---\n# Looks\n\n{LOOKS}\n\n# Vows\n\n{OATH}\n"
    save(page, whole)
    with open_inklings(
        tmp_path / "root", embedder=NullEmbedder("none"), embed_writes=False
    ) as inklings:
        place = inklings.workspaces.create("Saltglass").id
        scope = ScopeKey.workspace(place)
        inklings.world.link(place, tmp_path / "isles")
        inklings.world.look(place)

        def put(text: str, reference: str) -> str:
            draft = MemoryDraft(scope, text, derived_from=(Derivation(reference),))
            return inklings.memories.put(draft).id

        looks, oath = put("Grey eyes.", "Nerys#Looks"), put("She swore.", "People/Nerys.md#Vows")
        (standing,) = inklings.derivations.standing(place, [looks])[looks]
        assert standing.axes is not None
        assert (standing.derivation.kind, standing.axes.lifecycle.value) == (
            DerivationKind.BLOCK,
            "canon",
        )
        save(page, whole.replace("grey", "green") + "\n")
        inklings.world.look(place)
        (case,) = inklings.derivations.retcons(place)
        assert case.retcon.now_text == LOOKS.replace("grey", "green")
        assert (case.base_text, [one.id for one in case.memories]) == (LOOKS, [looks])
        inklings.world.rebuild(place)
        assert [one.retcon.id for one in inklings.derivations.retcons(place)] == [case.retcon.id]
        states = inklings.derivations.standing(place, [looks, oath])
        assert states[oath][0].derivation.state is SourceState.CURRENT
        assert states[oath][0].block_id
        inklings.derivations.keep(place, case.retcon.id)
        assert inklings.derivations.retcons(place) == ()
        inklings.world.unlink(place, "isles")
        standing = inklings.derivations.standing(place, [oath])[oath][0]
        assert (standing.derivation.state, standing.axes) == (SourceState.UNKNOWN, None)
        inklings.world.link(place, tmp_path / "isles")
        inklings.world.look(place)
        standing = inklings.derivations.standing(place, [oath])[oath][0]
        assert (standing.derivation.state, standing.page_title) == (SourceState.CURRENT, "Looks")


def test_a_fact_whose_page_changed_is_superseded_and_stands_again_when_that_is_undone(
    tmp_path: Path,
) -> None:
    page = tmp_path / "isles" / "Nerys.md"
    save(page, f"# Looks\n\n{LOOKS}\n")
    with open_inklings(
        tmp_path / "root", embedder=NullEmbedder("none"), embed_writes=False
    ) as inklings:
        place = inklings.workspaces.create("Saltglass").id
        inklings.world.link(place, tmp_path / "isles")
        inklings.world.look(place)
        inklings.domains.create(place, "people")
        draft = FactDraft("people", "Nerys/eyes", "Nerys has grey eyes.", sources=("Nerys#Looks",))
        old = inklings.facts.put(place, draft).fact.memory
        save(page, f"# Looks\n\n{LOOKS.replace('grey', 'green')}\n\n")
        inklings.world.look(place)
        (case,) = inklings.derivations.retcons(place)
        suggested = inklings.derivations.suggested(case, case.memories[0])
        assert suggested == "Nerys has green eyes."
        inklings.derivations.update(place, case.retcon.id, old.id, suggested, old.version)
        new, before = inklings.facts.chain(old.ref)[::-1]
        assert [one.fact.memory.content for one in (before, new)] == [old.content, suggested]
        assert (before.state, new.state) == (FactState.SUPERSEDED, FactState.CURRENT)
        assert inklings.derivations.retcons(place) == ()

        inklings.derivations.undo(place, case.retcon.id)
        assert inklings.facts.show(old.ref).state is FactState.SOURCE_CHANGED
        assert [one.retcon.id for one in inklings.derivations.retcons(place)] == [case.retcon.id]
        (shown,) = inklings.facts.list(place, FactQuery()).facts
        assert shown.fact.memory.id == old.id
