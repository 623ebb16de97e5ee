from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.acp_wire.calls import MAX_LINE_BYTES, LineSplitter


def lines_of(splitter: LineSplitter) -> list[bytes]:
    found = []
    while (line := splitter.next()) is not None:
        found.append(line)
    return found


@given(
    st.lists(st.binary(max_size=40).filter(lambda one: b"\n" not in one), max_size=12),
    st.lists(st.integers(1, 9), min_size=1),
)
def test_however_a_stream_is_cut_the_lines_are_the_same(
    lines: list[bytes], cuts: list[int]
) -> None:
    stream, splitter, at, turn = b"".join(one + b"\n" for one in lines), LineSplitter(), 0, 0
    while at < len(stream):
        size = cuts[turn % len(cuts)]
        splitter.feed(stream[at : at + size])
        at, turn = at + size, turn + 1
    assert lines_of(splitter) == [one for one in lines if one.strip()]
    assert splitter.n_waiting == 0


def test_a_line_that_is_not_ended_waits() -> None:
    splitter = LineSplitter()
    splitter.feed(b'{"a":')
    assert splitter.next() is None
    assert not splitter.has_lines
    splitter.feed(b"1}\n")
    assert splitter.next() == b'{"a":1}'


def test_a_frame_of_eight_mib_is_read_and_a_longer_one_is_left_out() -> None:
    splitter = LineSplitter()
    whole = b"x" * MAX_LINE_BYTES
    for piece in (whole, b"\n", whole, b"yz", b"more", b"\nshort\n"):
        splitter.feed(piece)
    assert [len(one) for one in lines_of(splitter)] == [MAX_LINE_BYTES, 5]
    assert (splitter.n_too_long, splitter.n_waiting) == (1, 0)


def test_a_line_that_never_ends_takes_no_memory() -> None:
    splitter = LineSplitter(most=1000)
    for _ in range(100):
        splitter.feed(b"x" * 500)
    assert (splitter.n_waiting, splitter.n_too_long) == (0, 1)
