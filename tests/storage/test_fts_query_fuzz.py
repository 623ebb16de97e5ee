from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, sqlite_world
from tests.support.wide import examples

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
MARK = "\U000e0041"

NASTY = [
    '"', "'", '""', '"""', "''", '"unclosed', "*", "a*", "*a", "a -b", "-a", "content:x",
    "body : x", "{body subject} : x", "^a", "a ^b", "a + b", "NEAR(a b)", "NEAR(a b, 99999)",
    "AND", "a AND", "OR", "NOT", "NOT a", "a NOT b", "(", ")", "((((((((((", "(" * 200 + "a",
    "tiger-lily", "C++", "C#", "100%", "a.b.c", "a/b", "a\\b", "a;b--", "'; DROP TABLE memories;",
    "\x00", "a\x00b", "\ud800", "a\udfffb", "\u200b", "\u202e", MARK,
    "🐉", "👩\u200d👩\u200d👧", "❤\ufe0f", "京", "京都", "سلام", "שלום", "e\u0301" * 500,
    "x" * 5_000, "a " * 5_000, "%", "_", "?", ":name", "@", "$1", "\n\t\r", "1e999", "NULL",
]  # fmt: skip


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteWorld]:
    with sqlite_world(tmp_path_factory.mktemp("fuzz")) as world:
        texts = [
            "The tiger-lily opened.",
            "C++ at night",
            "彼は京都に",
            "A 🐉 guards",
            "a b x near",
        ]
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory(text) for text in texts])
            unit.commit()
        yield world


def search(world: SqliteWorld, text: str) -> int:
    hits = 0
    for is_open in (False, True):
        query = keyword_query(text, last_word_is_open=is_open)
        with world.store.read(WORKSPACE_ID) as view:
            found = view.full_text.search(
                [SCOPE], query, where=EVERYTHING, visible_to=None, limit=10
            )
        hits = len(found.get(SCOPE, ()))
    return hits


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_every_nasty_text_is_a_legal_query(fuzzed: SqliteWorld, text: str) -> None:
    assert 0 <= search(fuzzed, text) <= 5


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(NASTY), max_size=6).map(" ".join)
    | st.text(alphabet='"*()^-:+{}ANDORT \x00\ud800京a', max_size=60)
)
def test_any_text_is_a_legal_query(fuzzed: SqliteWorld, text: str) -> None:
    assert 0 <= search(fuzzed, text) <= 5


@settings(max_examples=examples(100), deadline=None)
@given(st.text(min_size=1, max_size=300))
def test_any_text_can_be_remembered_and_its_index_stays_sound(
    fuzzed: SqliteWorld, text: str
) -> None:
    legal = text.encode("utf-8", "ignore").decode().replace("\x00", "") or "x"
    with fuzzed.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (stored,) = unit.memories.add([a_memory(legal)])
        hits = unit.full_text.search(
            [SCOPE], keyword_query(legal), where=EVERYTHING, visible_to=None, limit=10
        ).get(SCOPE, ())

    assert stored.content == legal
    assert len(hits) <= 6
