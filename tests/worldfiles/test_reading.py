from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import pytest

from inklings_desktop.domain.world.pages import MAX_PAGE_BYTES, PageState
from tests.support.world_folders import WorldOnDisk

ENCODINGS = [
    ("Ülfheðnar, “grey”", "utf-8", "utf-8"),
    ("Ülfheðnar, “grey”", "utf-8-sig", "utf-8-bom"),
    ("Ülfheðnar, “grey”", "cp1252", "guessed"),
    ("影の国", "utf-8", "utf-8"),
    ("plain", "ascii", "utf-8"),
]


@pytest.mark.parametrize(("text", "codec", "name"), ENCODINGS)
def test_encodings(world: WorldOnDisk, text: str, codec: str, name: str) -> None:
    page = world.page_of(text.encode(codec))
    assert (page.state, page.encoding) == (PageState.READ, name)
    assert [one.text for one in page.blocks] == [text]
    assert page.digest == blake2b(text.encode(codec), digest_size=16).digest()


@pytest.mark.parametrize(
    ("mark", "codec"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_utf_16_is_read_by_its_mark(world: WorldOnDisk, mark: bytes, codec: str) -> None:
    page = world.page_of(mark + "Schatten\r\n影".encode(codec))
    assert (page.encoding, page.newline) == (codec, "crlf")
    assert [one.text for one in page.blocks] == ["Schatten\n影"]


NO_TEXT = [
    *(b"text\0more", "text".encode("utf-16-le"), b"\xff\xfe\0\0" + "text".encode("utf-32-le")),
    *(b"\xef\xbb\xbf\xff", b"\xff\xfea", b"\x89PNG\r\n\x1a\n\xff", b"\x81\x8d", b"caf\xe9 \x07"),
]


@pytest.mark.parametrize("data", NO_TEXT)
def test_bytes_that_are_no_text(world: WorldOnDisk, data: bytes) -> None:
    page = world.page_of(data)
    assert (page.state, page.encoding, page.blocks) == (PageState.NOT_TEXT, "", ())
    assert page.title == "page"


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"a\nb\n", "lf"), (b"a\r\nb", "crlf"), (b"a\rb", "cr"), (b"a\r\nb\n", "mixed"), (b"", "lf")],
)
def test_newlines(world: WorldOnDisk, data: bytes, name: str) -> None:
    page = world.page_of(data)
    assert page.newline == name
    assert "".join(one.text for one in page.blocks) in {"a\nb", ""}


def test_a_large_file_is_known_by_its_name_alone(world: WorldOnDisk) -> None:
    page = world.page_of(b"a" * (MAX_PAGE_BYTES + 1), "Long Tale.md")
    assert (page.state, page.title, page.digest) == (PageState.TOO_LARGE, "Long Tale", b"")
    assert world.page_of(b"a" * MAX_PAGE_BYTES).state is PageState.READ


def on_read(monkeypatch: pytest.MonkeyPatch, *acts: Callable[[], object]) -> None:
    """Something happens to a file each time that its first bytes were read."""
    waiting, read = list(acts), os.read

    def act_after(file: int, n: int) -> bytes:
        data = read(file, n)
        if waiting and data and os.lseek(file, 0, os.SEEK_CUR) == len(data):
            waiting.pop(0)()
        return data

    monkeypatch.setattr(os, "read", act_after)


def test_a_file_that_changes_under_the_reader_is_read_again(
    world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = world.write("a.md", "half")
    on_read(monkeypatch, lambda: file.write_text("the whole sentence"))
    page = world.page("a.md")
    assert [one.text for one in page.blocks] == ["the whole sentence"]
    assert page.stamp.size == len("the whole sentence")


def test_a_file_that_goes_on_changing_is_left_to_the_next_look(
    world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = world.write("a.md", "one")
    acts = [lambda text=text: file.write_text(text) for text in ("one two", "one two three")]
    on_read(monkeypatch, *acts)
    page = world.page("a.md")
    assert (page.state, page.blocks) == (PageState.UNREADABLE, ())
    assert page.stamp not in list(world.files.scan(world.folder))


def test_a_file_that_vanished_is_left_to_the_next_look(world: WorldOnDisk) -> None:
    file = world.write("a.md", "text")
    [stamp] = world.files.scan(world.folder)
    file.unlink()
    page = world.files.read(world.folder, stamp)
    assert (page.state, page.stamp == stamp) == (PageState.UNREADABLE, False)


def test_a_folder_in_place_of_a_file_is_not_read(world: WorldOnDisk) -> None:
    file = world.write("a.md", "text")
    [stamp] = world.files.scan(world.folder)
    file.unlink()
    Path(file).mkdir()
    assert world.files.read(world.folder, stamp).state is PageState.UNREADABLE
