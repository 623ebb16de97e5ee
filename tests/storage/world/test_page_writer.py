"""Pages are changed by an accepted proposal alone, and never over what somebody else wrote."""

from __future__ import annotations

import errno
import os
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import ConflictError, InvalidValueError, OutsideFileError
from inklings_desktop.domain.world.pages import FolderKind, FolderRules, WorldFolder
from inklings_desktop.storage.world import page_place as place_module
from inklings_desktop.storage.world.page_writer import LocalPageWriter, digest_of_bytes

if TYPE_CHECKING:
    from pathlib import Path

OLD = b"# Wend Gate\n\nThe booth faces away.\n"
NEW = "# Wend Gate\n\nThe booth faces away from the sea.\n"


@pytest.fixture
def folder(tmp_path: Path) -> WorldFolder:
    (tmp_path / "places").mkdir()
    return WorldFolder(
        "1", "saltglass", FolderKind.PLAIN, str(tmp_path), "here", FolderRules(), True,
        datetime(2026, 3, 14, tzinfo=UTC),
    )  # fmt: skip


@pytest.fixture
def page(tmp_path: Path, folder: WorldFolder) -> Path:
    path = tmp_path / "places" / "wend-gate.md"
    path.write_bytes(OLD)
    path.chmod(0o640)
    return path


def writer() -> LocalPageWriter:
    return LocalPageWriter(wait=lambda _seconds: None)


def kept_by(folder: WorldFolder, text: str, base: bytes = OLD) -> list[bytes]:
    kept: list[bytes] = []
    writer().change(folder, "places/wend-gate.md", digest_of_bytes(base), text, kept.append)
    return kept


def names(page: Path) -> list[str]:
    return sorted(one.name for one in page.parent.iterdir())


@pytest.fixture(params=["exchange", "without"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without":
        monkeypatch.setattr(place_module, "_renamed", lambda *_names: False)


@pytest.mark.usefixtures("either_way")
def test_a_page_is_changed_with_what_it_said_kept(folder: WorldFolder, page: Path) -> None:
    assert kept_by(folder, NEW) == [OLD]
    assert page.read_text(encoding="utf-8") == NEW
    assert page.stat().st_mode & 0o777 == 0o640
    assert names(page) == ["wend-gate.md"]


@pytest.mark.usefixtures("either_way")
def test_a_page_that_says_something_else_is_left_alone(folder: WorldFolder, page: Path) -> None:
    page.write_bytes(b"Mine now.\n")
    with pytest.raises(ConflictError):
        kept_by(folder, NEW)
    assert page.read_bytes() == b"Mine now.\n"
    assert names(page) == ["wend-gate.md"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newline_and_mark_stay(folder: WorldFolder, page: Path, mark: bytes, newline: str) -> None:
    old = mark + OLD.replace(b"\n", newline.encode())
    page.write_bytes(old)
    kept_by(folder, NEW, old)
    assert page.read_bytes() == mark + NEW.replace("\n", newline).encode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_stays(folder: WorldFolder, page: Path, encoding: str) -> None:
    old = "\ufeff".encode(encoding) + OLD.decode().encode(encoding)
    page.write_bytes(old)
    kept_by(folder, NEW, old)
    assert page.read_bytes() == ("\ufeff" + NEW).encode(encoding)


def test_where_newlines_are_mixed_each_line_keeps_its_own(folder: WorldFolder, page: Path) -> None:
    old = b"one\r\ntwo\nthree\r\nfour"
    page.write_bytes(old)
    kept_by(folder, "one\ntwo\nnew\nthree\nfour", old)
    assert page.read_bytes() == b"one\r\ntwo\nnew\r\nthree\r\nfour"


def test_what_is_only_guessed_is_never_written(folder: WorldFolder, page: Path) -> None:
    page.write_bytes(b"caf\xe9\n")
    with pytest.raises(InvalidValueError, match="encoding"):
        kept_by(folder, NEW, b"caf\xe9\n")
    assert page.read_bytes() == b"caf\xe9\n"


@pytest.mark.parametrize(
    "path", ["../out.md", "/etc/out.md", "a//b.md", "a\\b.md", ".git/x.md", ""]
)
def test_no_path_leads_out(folder: WorldFolder, path: str) -> None:
    with pytest.raises(InvalidValueError):
        writer().create(folder, path, NEW)


def test_no_link_is_followed(folder: WorldFolder, page: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    (elsewhere / "wend-gate.md").write_bytes(OLD)
    (tmp_path / "link").symlink_to(elsewhere)
    (tmp_path / "places" / "alias.md").symlink_to(page)
    for path in ("link/wend-gate.md", "places/alias.md"):
        with pytest.raises((InvalidValueError, OutsideFileError)):
            writer().change(folder, path, digest_of_bytes(OLD), NEW, lambda _data: None)
    assert page.read_bytes() == OLD
    assert (elsewhere / "wend-gate.md").read_bytes() == OLD


def test_a_new_page_never_takes_the_place_of_another(folder: WorldFolder, page: Path) -> None:
    with pytest.raises(ConflictError):
        writer().create(folder, "places/wend-gate.md", NEW)
    assert page.read_bytes() == OLD
    writer().create(folder, "places/deep/new.md", NEW)
    assert (page.parent / "deep" / "new.md").read_text(encoding="utf-8") == NEW
    assert names(page) == ["deep", "wend-gate.md"]


def test_on_a_stick_without_second_names_a_page_is_made_and_moved_and_never_over_another(
    folder: WorldFolder, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_names: object, **_options: object) -> None:
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr(os, "link", refuse)
    made = writer().create(folder, "places/new.md", NEW)
    writer().move(folder, "places/new.md", "lamps/new.md", made)
    assert (page.parents[1] / "lamps" / "new.md").read_text(encoding="utf-8") == NEW
    for taken in ("lamps/new.md", "places/wend-gate.md"):
        with pytest.raises(ConflictError):
            writer().create(folder, taken, "Another.\n")
    with pytest.raises(ConflictError):
        writer().move(folder, "lamps/new.md", "places/wend-gate.md", made)
    assert (page.read_bytes(), names(page)) == (OLD, ["wend-gate.md"])


def test_a_page_gets_another_path_but_never_that_of_another(
    folder: WorldFolder, page: Path
) -> None:
    (page.parent / "gate.md").write_bytes(b"other")
    with pytest.raises(ConflictError):
        writer().move(folder, "places/wend-gate.md", "places/gate.md", digest_of_bytes(OLD))
    writer().move(folder, "places/wend-gate.md", "gates/wend.md", digest_of_bytes(OLD))
    assert (page.parents[1] / "gates" / "wend.md").read_bytes() == OLD
    assert names(page) == ["gate.md"]


def test_what_was_kept_is_put_back_unless_somebody_wrote_since(
    folder: WorldFolder, page: Path
) -> None:
    kept_by(folder, NEW)
    writer().set_back(folder, "places/wend-gate.md", digest_of_bytes(NEW.encode()), OLD)
    assert page.read_bytes() == OLD
    page.write_bytes(b"since\n")
    with pytest.raises(ConflictError):
        writer().set_back(
            folder, "places/wend-gate.md", digest_of_bytes(NEW.encode()), OLD + b"older"
        )
    assert page.read_bytes() == b"since\n"


def test_a_page_that_was_made_is_taken_away_unless_somebody_wrote_since(
    folder: WorldFolder, page: Path
) -> None:
    made = writer().create(folder, "places/new.md", NEW)
    with pytest.raises(ConflictError):
        writer().remove_made(folder, "places/new.md", digest_of_bytes(b"other"))
    writer().remove_made(folder, "places/new.md", made)
    assert names(page) == ["wend-gate.md"]


def test_accepting_again_after_a_power_cut_is_done_already(folder: WorldFolder, page: Path) -> None:
    assert kept_by(folder, NEW) == [OLD]
    assert kept_by(folder, NEW) == []
    assert page.read_text(encoding="utf-8") == NEW


@pytest.mark.parametrize("way", ["in place", "by rename"])
def test_nothing_that_another_program_saves_meanwhile_is_lost(
    folder: WorldFolder, page: Path, way: str
) -> None:
    """A program saves in a tight loop: its last text stands, or is what was accepted over."""
    begun, saved, kept = threading.Event(), [OLD], list[bytes]()

    def save() -> None:
        for number in range(300):
            data = f"save {number}\n".encode()
            beside = page.with_name("beside")
            (beside if way == "by rename" else page).write_bytes(data)
            if way == "by rename":
                beside.replace(page)
            saved.append(data)
            begun.set()

    other = threading.Thread(target=save)
    # Whoever had the page open may write to it after the exchange, until it is done.
    late = (lambda _seconds: None) if way == "by rename" else (lambda _seconds: other.join())
    accepting = LocalPageWriter(wait=late)
    other.start()
    begun.wait()
    n_tried = 0
    while other.is_alive() or not n_tried:
        n_tried += 1
        with suppress(ConflictError, OutsideFileError):
            base = digest_of_bytes(page.read_bytes())
            accepting.change(folder, "places/wend-gate.md", base, NEW, kept.append)
    other.join()
    assert saved[-1] in {page.read_bytes(), *kept}
    assert names(page) == ["wend-gate.md"]


@pytest.mark.skipif(os.name == "nt", reason="no system call tells when a file got its name")
def test_what_a_killed_writer_left_goes_where_its_text_is_known(
    page: Path, folder: WorldFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, other = (page.with_name(f".inklings-{mark * 16}.tmp") for mark in "ab")
    known.write_bytes(OLD)
    other.write_bytes(b"What the author wrote meanwhile.")
    of_others = page.with_name(".inklings-notes.tmp")
    of_others.write_bytes(OLD)
    page.with_name(".inklings-cccccccccccccccc.tmp").symlink_to(page)
    before = names(page)
    writer().tidy(folder, "places/wend-gate.md", {digest_of_bytes(OLD)})
    assert names(page) == before, "another program may be at work"
    monkeypatch.setattr("inklings_desktop.storage.world.page_writer.LEFT_AFTER_SECONDS", -60.0)
    writer().tidy(folder, "places/wend-gate.md", {digest_of_bytes(OLD)})
    assert names(page) == [one for one in before if one != known.name]
