from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.agent_client.rows import Quote, TextBlock
from inklings_desktop.agent_client.text_runs import CUT_CHARACTERS, TextRun


def blocks_of(*chunks: str) -> list[TextBlock]:
    run = TextRun()
    for chunk in chunks:
        run.add(chunk)
    return run.blocks()


WORDS = st.sampled_from(["glass ", "lamp\n", "harbour\n\n", "x" * 700, "```py\n", "```\n", "~~~\n"])


@given(st.lists(WORDS, max_size=60), st.integers(1, 900))
def test_a_text_is_cut_the_same_in_whatever_chunks_it_comes(words: list[str], size: int) -> None:
    text = "".join(words)
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    found = blocks_of(*chunks)
    assert found == blocks_of(text)
    assert "".join(block.text for block in found) == text
    assert all(len(block.text) <= CUT_CHARACTERS for block in found)
    assert [block.is_live for block in found] == [False] * (len(found) - 1) + [True]
    assert [block.begins for block in found] == [True] + [False] * (len(found) - 1)


def test_a_block_ends_with_a_paragraph() -> None:
    paragraph = "The harbour glass hums at low tide. " * 20 + "\n\n"
    first, *_others = blocks_of(paragraph * 12)
    assert first.text.endswith("\n\n")


def test_a_code_block_goes_on_in_the_next_block() -> None:
    code = "```python\n" + "print('glass')\n" * 600 + "```\nAfterwards.\n"
    found = blocks_of(code)
    assert found[0].fence == ""
    assert [block.fence for block in found[1:]] == ["```python"] * (len(found) - 1)
    assert found[1].markdown.startswith("```python\nprint(")


def test_a_quote_stands_with_the_block_that_names_it() -> None:
    run = TextRun()
    run.add("[one](memory:workspace/m1) " + "x" * 5000, [Quote("m1", "workspace")])
    run.add(" end", [Quote("m2", "channel")])
    first, last = run.blocks()
    assert first.quotes == (Quote("m1", "workspace"),)
    assert last.quotes == (Quote("m2", "channel"),)
