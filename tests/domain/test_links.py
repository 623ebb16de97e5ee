from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.links import Link, LinkKind, parse_link


@pytest.mark.parametrize("kind", LinkKind)
def test_a_link_that_was_handed_on_leads_to_the_same(kind: LinkKind) -> None:
    link = Link(kind, "6f1c0a52-7d1e-4a5e-9f36-0d8a3a1b9c77")
    assert parse_link(str(link)) == link
    assert parse_link(f"  {link}/\n") == link  # as browsers and mail hand them on


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "format"),
        ("https://example.org/memory/1", "format"),
        ("inklings:memory/1", "format"),
        ("inklings://memory/", "format"),
        ("inklings://memory/../../agents.db", "format"),
        ("inklings://memory/1?run=rm", "format"),
        ("inklings://memory/a b", "format"),
        ("inklings://memory/" + "a" * 65, "format"),
        ("inklings://scrub/1", "kind"),
        ("--data-dir=/", "format"),
    ],
)
def test_anything_else_is_refused(text: str, rule: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        parse_link(text)
    assert (refused.value.field, refused.value.rule) == ("link", rule)


@given(st.text())
def test_no_text_makes_it_stumble(text: str) -> None:
    try:
        link = parse_link(text)
    except InvalidValueError:
        return
    assert str(link).startswith("inklings://")
