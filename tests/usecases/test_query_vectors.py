from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.usecases.steps.query_vectors import NOT_ASKED, QueryVectors
from tests.support.fake_embedder import FakeEmbedder
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix


@dataclass(slots=True)
class WaitingEmbedder(FakeEmbedder):
    """Embeds only once it is allowed to."""

    allowed: threading.Event = field(default_factory=threading.Event)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        assert self.allowed.wait(HANG_SECONDS)
        return FakeEmbedder.embed(self, texts)


def test_a_known_text_is_ready_at_once() -> None:
    embedder = FakeEmbedder()
    vectors = QueryVectors(embedder)

    first = vectors.begin("dragon")
    vector = first.wait()
    again = vectors.begin("dragon")

    assert (first.is_ready(), again.is_ready()) == (False, True)
    assert vector.vector is not None
    assert again.wait() is vector
    assert embedder.asked == [("dragon",)]


def test_only_the_latest_are_remembered() -> None:
    embedder = FakeEmbedder()
    vectors = QueryVectors(embedder, capacity=2)
    for text in ("one", "two", "one", "three"):
        vectors.begin(text).wait()

    assert vectors.begin("one").is_ready()
    assert not vectors.begin("two").is_ready()
    assert vectors.begin("three").is_ready()


def test_the_same_text_under_another_model_is_another_vector() -> None:
    embedder = FakeEmbedder(model_id="small")
    vectors = QueryVectors(embedder)
    vectors.begin("dragon").wait()

    embedder.model_id = "large"

    assert not vectors.begin("dragon").is_ready()
    assert vectors.begin("dragon").model_id == "large"


@pytest.mark.parametrize("embedder", [FakeEmbedder(is_available=False), FakeEmbedder(fails=True)])
def test_without_a_working_model_there_is_no_vector(embedder: FakeEmbedder) -> None:
    vectors = QueryVectors(embedder)

    assert vectors.begin("dragon").wait() is NOT_ASKED
    assert vectors.begin("dragon").wait() is NOT_ASKED


def test_a_text_is_embedded_while_its_asker_does_something_else() -> None:
    embedder = WaitingEmbedder()
    with ThreadPoolExecutor(1) as executor:
        pending = QueryVectors(embedder, executor).begin("dragon")
        assert not pending.is_ready()
        embedder.allowed.set()
        assert pending.wait().vector is not None


def test_a_closed_executor_leaves_the_work_to_the_asker() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()

    assert QueryVectors(FakeEmbedder(), executor).begin("dragon").wait().vector is not None


class Shelf:
    """Models beside the one in use."""

    def __init__(self, *models: FakeEmbedder) -> None:
        self._models = {one.model_id: one for one in models}

    def former(self, model_id: str) -> FakeEmbedder:
        return self._models[model_id]


def test_a_file_of_the_former_model_is_asked_with_the_former_model() -> None:
    new, old = FakeEmbedder("new", dimension=16), FakeEmbedder("old", dimension=8)
    gone = FakeEmbedder("gone", is_available=False)
    vectors = QueryVectors(new, former=Shelf(old, gone))
    pending = vectors.begin("dragon")
    former = vectors.answering(pending, "dragon", "old")
    assert (former.model_id, former.calibration) == ("old", old.calibration)
    found = former.wait().vector
    assert found is not None
    assert found.shape == (8,)
    assert new.asked == []
    for unlike in ("", "new", "gone"):
        assert vectors.answering(pending, "dragon", unlike) is pending
    assert QueryVectors(new).answering(pending, "dragon", "old") is pending
