"""Which model's vectors a consolidation compares, and from where on two are alike."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.usecases.consolidation.consolidation_plans import comparing
from inklings_desktop.usecases.ports.tasks import Comparing
from tests.support.fake_embedder import FakeEmbedder


def test_two_are_alike_on_the_scale_of_the_model_in_use() -> None:
    model = FakeEmbedder("e5", calibration=Calibration(merged=0.985))
    assert comparing(model) == Comparing("e5", 0.985)


@pytest.mark.parametrize(
    "model",
    [FakeEmbedder(calibration=UNMEASURED), FakeEmbedder(is_available=False)],
    ids=["unmeasured", "none"],
)
def test_without_a_scale_nothing_is_compared(model: FakeEmbedder) -> None:
    assert comparing(model) is None
