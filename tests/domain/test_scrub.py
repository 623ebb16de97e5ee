from __future__ import annotations

from itertools import product

import pytest

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import (
    ManifestChangedError,
    PendingScrub,
    ResumedScrub,
    ScrubMode,
    ScrubOutcome,
    ScrubReceipt,
)
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.played_scrub import a_manifest, a_receipt

SCRUB = PendingScrub(ScopeKey.workspace(WORKSPACE_ID), ScrubMode.FULL, 7, NOON, 43)


@pytest.mark.parametrize(
    ("pending", "receipt"), [*product([None, "disk"], [None, a_receipt(), a_receipt(hits=1)])]
)
def test_only_a_proof_without_a_trace_finishes_a_scrub(
    pending: str | None, receipt: ScrubReceipt | None
) -> None:
    is_proved = pending is None and receipt == a_receipt()
    assert ScrubOutcome(a_manifest(), 7, NOON, 0.1, 8, receipt, pending).is_finished is is_proved
    assert ResumedScrub(SCRUB, 8, receipt, pending).is_finished is is_proved


def test_a_manifest_is_named_by_eight_digits_of_its_digest() -> None:
    manifest = a_manifest(digest="7f3ac21e" * 8)
    assert manifest.short_id == "7f3a-c21e"
    assert str(ManifestChangedError(manifest)) == "7f3a-c21e"
