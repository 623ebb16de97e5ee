"""The author's own words in a plain file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.storage.outside.own_words import FILE_NAME, WordsFile


def test_a_word_is_kept_once_in_a_line_of_its_own(tmp_path: Path) -> None:
    words = WordsFile(tmp_path)
    assert words.read() == frozenset()
    for one in ("Nerys", "Ćwikła", "Nerys"):
        words.add(one)
    assert (tmp_path / FILE_NAME).read_text(encoding="utf-8") == "Nerys\nĆwikła\n"
    assert WordsFile(tmp_path).read() == {"Nerys", "Ćwikła"}
    if os.name == "posix":
        assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_the_file_may_be_edited_by_hand(tmp_path: Path) -> None:
    words = WordsFile(tmp_path)
    (tmp_path / FILE_NAME).write_text("Vael\n\n  Tor", encoding="utf-8")
    assert words.read() == {"Vael", "Tor"}
    words.add("Kesh")
    assert words.read() == {"Vael", "Tor", "Kesh"}


def test_a_disk_that_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    words = WordsFile(tmp_path)
    assert words.read() == frozenset()
    with pytest.raises(StorageError):
        words.add("Nerys")
