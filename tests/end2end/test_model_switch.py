"""Another model is selected: the former one answers until nearly everything is embedded again."""

from __future__ import annotations

from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.tiny_model import make_tiny_model

N_MEMORIES = 120


def test_a_switch_embeds_again_with_progress_while_search_answers(tmp_path: Path) -> None:
    words = ["queen", "sea", "gull", "tide", "harbour", "bell"]
    with open_inklings(tmp_path / "root", embed_writes=False) as inklings:
        me = inklings.caller
        world = inklings.workspaces.create("Saltglass")
        scope = ScopeKey.workspace(world.id)
        for n in range(N_MEMORIES):
            text = f"the {words[n % 6]} fears the {words[n % 5]} {n}"
            inklings.memories.put(MemoryDraft(scope, text))
        inklings.tasks.backfill(world.id)
        assert inklings.models.show().n_missing == 0
        inklings.models.install(make_tiny_model(tmp_path / "download"))
        inklings.models.select("tiny-768")
        assert inklings.models.show().n_missing == N_MEMORIES

        def answering() -> set[str | None]:
            answer = inklings.as_caller(me).search.find(
                [scope], SearchRequest("harbour bell", limit=50)
            )
            assert answer.mode is SearchMode.HYBRID
            compared = [hit for hit in answer.hits if hit.explanation.cosine is not None]
            assert len(compared) == len(answer.hits) > 0
            return {hit.entry.embedding_model for hit in compared}

        assert answering() == {BUILT_IN_MODEL_ID}
        found: list[tuple[int, set[str | None]]] = []

        def search_meanwhile(_step: str, done: int, total: int) -> None:
            assert total == N_MEMORIES
            found.append((done, answering()))

        run = inklings.tasks.backfill(world.id, progress=Progress(search_meanwhile))
        former, now = {BUILT_IN_MODEL_ID}, {"tiny-768"}
        assert found == [(50, former), (100, former), (120, now)]
        assert run.counts == {"embedded": N_MEMORIES}
        assert inklings.models.show().n_missing == 0
        with inklings.parts.store.read(None) as view:
            event = view.events.latest(1)[0]
        assert event.kind is EventKind.MODEL_CHANGED
        assert event.marks == {"from": BUILT_IN_MODEL_ID, "to": "tiny-768"}
        # Everything is compared anew: nothing of the other model's comparison counts.
        assert inklings.consolidation.preview(scope).n_active == N_MEMORIES
