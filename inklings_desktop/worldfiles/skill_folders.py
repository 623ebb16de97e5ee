"""The port ``SkillFolders``: skills as folders and zip archives, which may come from anywhere.

Nothing outside the folder is read and nothing is read without end: links are refused, and of each
file one byte more than it may have. What an archive says of its sizes is not believed.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import ConflictError, InvalidValueError, OutsideFileError
from inklings_desktop.domain.skills.folder import (
    checked_files,
    contents_of,
    is_left_out,
    require_place,
)
from inklings_desktop.domain.skills.skill import MAIN_FILE, MAX_FILE_BYTES, MAX_FILES, MAX_SKILLS
from inklings_desktop.resource_files import resource
from inklings_desktop.usecases.ports.skills import FoundFolder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inklings_desktop.domain.skills.skill import Contents
    from inklings_desktop.worldfiles.front_matter import FrontMatter

SHIPPED = ("continuity-check", "name-collisions", "summarise-a-letter")
_UNREADABLE = (
    OSError, EOFError, ValueError, RuntimeError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What a damaged archive is answered with."""
MAX_DEPTH = 4
"""Folders between a catalogue and the skills in it, and between a skill and its files."""
_MARK = "\ufeff"
"""What some editors put before everything else."""
_SEEN_AT_ONCE = 10_000
"""Names that are looked through in a catalogue; a whole disk is none."""


class LocalSkillFolders:
    """Those of this machine."""

    def read(self, place: Path) -> FoundFolder:
        try:
            return _packed(place) if place.is_file() else _folder(place)
        except _UNREADABLE as error:
            raise OutsideFileError(place, _reason(error), is_reading=True) from error

    def write(self, name: str, files: Mapping[str, str], into: Path, *, packed: bool) -> Path:
        target = into / (f"{name}.zip" if packed else name)
        if target.exists() or target.is_symlink():
            raise ConflictError("file", str(target))
        try:
            into.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=into, prefix=".skill-") as made_in:
                made = Path(made_in) / target.name
                if packed:
                    _pack(made, name, files)
                else:
                    _lay_out(made, files)
                made.rename(target)
        except OSError as error:
            raise OutsideFileError(target, _reason(error), is_reading=False) from error
        return target

    def catalogue(self, place: Path) -> tuple[Path, ...]:
        try:
            return tuple(sorted(_skills_below(place)))
        except OSError as error:
            raise OutsideFileError(place, _reason(error), is_reading=True) from error

    def head(self, text: str) -> Mapping[str, object]:
        return _head(text.removeprefix(_MARK).split("\n")).values

    def with_head(self, text: str, key: str, value: object) -> str:
        import yaml

        mark = _MARK if text.startswith(_MARK) else ""
        lines = text.removeprefix(mark).split("\n")
        found = _head(lines)
        end = "\r" if lines[0].endswith("\r") else ""
        said = yaml.safe_dump({key: value}, allow_unicode=True, sort_keys=False, width=10_000)
        new = (
            [f"{line}{end}" for line in said.rstrip("\n").split("\n")] if value is not None else []
        )
        first = found.lines.get(key, found.n_lines) - 1
        after = [line - 1 for line in found.lines.values() if line - 1 > first]
        until = min([*after, found.n_lines - 1]) if key in found.lines else first
        return mark + "\n".join([*lines[:first], *new, *lines[until:]])

    def shipped(self) -> tuple[Contents, ...]:
        return _shipped()


def _reason(error: Exception) -> str:
    """The system's own words, without a number or the path that is named beside them."""
    return error.strerror or "" if isinstance(error, OSError) else str(error)


def _head(lines: list[str]) -> FrontMatter:
    from inklings_desktop.worldfiles.front_matter import front_matter_of

    found = front_matter_of(lines)
    if not found.n_lines or found.problem is not None:
        raise InvalidValueError("skill_head", "form", found.problem or 1)
    return found


@cache
def _shipped() -> tuple[Contents, ...]:
    folders = LocalSkillFolders()
    found = []
    for name in SHIPPED:
        place = resource(f"skills/{name}/{MAIN_FILE}").parent
        files = checked_files(folders.read(place).files)
        found.append(contents_of(files, folders.head(files[MAIN_FILE]), name))
    return tuple(found)


def _folder(place: Path) -> FoundFolder:
    files, left_out = dict[str, bytes](), list[str]()
    waiting = [(place, "", 0)]
    while waiting:
        folder, before, depth = waiting.pop()
        for entry in sorted(os.scandir(folder), key=lambda one: one.name):
            path = before + entry.name
            if is_left_out(path):
                left_out.append(path)
            elif _is_link(entry):
                raise InvalidValueError("skill_files", "link", path)
            elif entry.is_dir(follow_symlinks=False):
                if depth >= MAX_DEPTH:
                    raise InvalidValueError("skill_files", "place", path)
                waiting.append((Path(entry.path), f"{path}/", depth + 1))
            else:
                _require_room(files)
                files[path] = _bytes_of(Path(entry.path), path)
    return FoundFolder(place.resolve().name, files, tuple(left_out))


def _is_link(entry: os.DirEntry[str]) -> bool:
    is_junction = getattr(entry, "is_junction", None)  # of Windows, from Python 3.12
    return entry.is_symlink() or (is_junction is not None and bool(is_junction()))


def _bytes_of(file: Path, path: str) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(file, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise InvalidValueError("skill_files", "no_text", path)
        return opened.read(MAX_FILE_BYTES + 1)


def _packed(place: Path) -> FoundFolder:
    files, left_out = dict[str, bytes](), list[str]()
    with zipfile.ZipFile(place) as archive:
        entries = [one for one in archive.infolist() if not one.is_dir()]
        if len(entries) > _SEEN_AT_ONCE:
            raise InvalidValueError("skill_files", "too_many", MAX_FILES)
        name = _common_folder([one.filename for one in entries])
        for one in entries:
            path = one.filename if name is None else one.filename.removeprefix(f"{name}/")
            if is_left_out(one.filename):
                left_out.append(path)
                continue
            if stat.S_ISLNK(one.external_attr >> 16):
                raise InvalidValueError("skill_files", "link", path)
            require_place(path)
            if path in files:
                raise InvalidValueError("skill_files", "clash", path)
            _require_room(files)
            with archive.open(one) as opened:
                files[path] = opened.read(MAX_FILE_BYTES + 1)
    return FoundFolder(name, files, tuple(left_out))


def _common_folder(names: list[str]) -> str | None:
    """The folder in which all files of an archive lie, unless they lie at its top."""
    tops = {name.split("/")[0] for name in names if not is_left_out(name)}
    is_one = len(tops) == 1 and all("/" in name for name in names if not is_left_out(name))
    return tops.pop() if is_one else None


def _require_room(files: Mapping[str, bytes]) -> None:
    if len(files) >= MAX_FILES:
        raise InvalidValueError("skill_files", "too_many", MAX_FILES)


def _lay_out(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir()
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def _pack(file: Path, name: str, files: Mapping[str, str]) -> None:
    with zipfile.ZipFile(file, "x", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            # Without a time of its own, so that the same skill is the same archive.
            archive.writestr(zipfile.ZipInfo(f"{name}/{path}"), text.encode())


def _skills_below(place: Path) -> Iterator[Path]:
    n_seen, n_found = 0, 0
    waiting: list[tuple[Any, int]] = [(place, 0)]
    while waiting:
        folder, depth = waiting.pop()
        entries = sorted(os.scandir(folder), key=lambda one: one.name)
        n_seen += len(entries)
        if any(one.name == MAIN_FILE and one.is_file(follow_symlinks=False) for one in entries):
            yield Path(folder)
            n_found += 1
            continue  # what lies in a skill is the skill's
        if n_found >= MAX_SKILLS or n_seen > _SEEN_AT_ONCE:
            return
        waiting += [
            (one.path, depth + 1)
            for one in entries
            if depth < MAX_DEPTH and one.is_dir(follow_symlinks=False) and not is_left_out(one.name)
        ]
