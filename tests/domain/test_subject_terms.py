from __future__ import annotations

import pytest

from inklings_desktop.domain.search.ranking import SubjectTerms
from inklings_desktop.domain.words.query_text import keyword_query


@pytest.mark.parametrize(
    ("question", "tags", "share"),
    [
        ("What did Caroline paint?", ("Caroline",), 1.0),
        ("What did Caroline's sister paint?", ("caroline",), 1.0),
        ("Who was the snow man?", ("Snow man",), 1.0),
        ("Who melts in the snow?", ("Snow man",), 0.5),
        ("Who melts?", ("Snow man",), 0.0),
        ("Who walked?", ("walks",), 1.0),
        ("the toll", ("The Toll",), 1.0),
        ("who is who", ("The Who",), 0.5),
        ("toll", ("x", "harbour toll", "toll"), 1.0),
        ("Elarinde", ("Elarindë",), 1.0),
        ("京都の猫", ("京都",), 1.0),
        ("大阪の猫", ("京都",), 0.0),
        ("toll", (), 0.0),
        ("toll", ("?!",), 0.0),
    ],
)
def test_the_best_named_tag_counts(question: str, tags: tuple[str, ...], share: float) -> None:
    shares = SubjectTerms(keyword_query(question)).shares_named([("Merrow",), tags])
    assert shares == pytest.approx([0.0, share])
