from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.cli.messages import CommandFailedError
from inklings_desktop.cli.typed_text import edited, file_text, given_text, new_draft

APPEND = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text() + {!r})"

REMOVE = "import pathlib, sys; pathlib.Path(sys.argv[1]).unlink()"


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = new_draft("The harbour glass")
    yield path
    path.unlink(missing_ok=True)


def set_editor(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} -c '{program}'")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (b"one line\n", "one line"),
        (b"two\nlines\n\n", "two\nlines\n"),
        (b"dos\r\n", "dos"),
        ("港".encode(), "港"),
        (b"\xef\xbb\xbfmarked\n", "marked"),
        (b"", ""),
    ],
)
def test_a_dash_reads_standard_input(
    typed: bytes, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
    assert given_text("-") == text


def test_what_never_ends_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, room: Any) -> int:
            room[:] = b"y" * len(room)
            return len(room)

    for read in (given_text, file_text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
        with pytest.raises(CommandFailedError) as caught:
            read("-")
        assert "longer than anything here can be" in caught.value.failure.message


def test_any_other_argument_is_the_text_itself() -> None:
    assert given_text("- a bullet\n") == "- a bullet\n"


def test_standard_input_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe")))
    with pytest.raises(CommandFailedError) as caught:
        given_text("-")
    assert caught.value.failure.status == 1


def test_a_draft_is_private_and_holds_the_text_exactly(draft: Path) -> None:
    assert draft.read_bytes() == b"The harbour glass"
    assert draft.stat().st_mode & 0o077 == 0


def test_the_editors_last_line_feed_is_no_edit(
    draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_editor(monkeypatch, APPEND.format("\n").replace("'", '"'))
    assert edited(draft, "The harbour glass") == "The harbour glass"


def test_what_the_editor_saved_comes_back(draft: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_editor(monkeypatch, APPEND.format(" hums").replace("'", '"'))
    assert edited(draft, "The harbour glass") == "The harbour glass hums"


@pytest.mark.parametrize("program", ["raise SystemExit(4)", "not python", REMOVE])
def test_an_editor_that_fails_changes_nothing(
    program: str, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_editor(monkeypatch, program)
    with pytest.raises(CommandFailedError) as caught:
        edited(draft, "The harbour glass")
    assert "Nothing was changed." in caught.value.failure.message


@pytest.mark.parametrize(("editor", "status"), [("no-such-editor", 1), ("'unbalanced", 2)])
def test_an_editor_that_is_none_is_named_as_the_fault(
    editor: str, status: int, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor)
    with pytest.raises(CommandFailedError) as caught:
        edited(draft, "The harbour glass")
    assert caught.value.failure.status == status


def test_without_editor_and_terminal_the_options_are_named(
    draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(CommandFailedError) as caught:
        edited(draft, "The harbour glass")
    assert "--content" in caught.value.failure.message
