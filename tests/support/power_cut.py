"""What a disk holds after its power was cut, made up from the journal of one recorded program.

``file_journal.c`` notes every call by which the program changes its files. From that ``Disk``
builds what may be there after any of those calls. What was synced is there. Of what was not, each
sector of 512 bytes of each write is there or not, as chance has it, and each cut of a file's
length; so writes are kept, lost, torn and seen in another order. Names come and go in the order
of the calls within one folder, and are certain once that folder was synced, not before: the name
of a file may outlive its content, as a content may its name. A file that is moved to another
folder is in one of both.

A layer of this kind within SQLite, through apsw, would see the databases alone: the program's own
files, and what they and the databases do to each other, are more than half of what can go wrong.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from tests.support.processes import REPOSITORY, finished, started

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

SECTOR_BYTES = 512
NEVER_ON_DISK = "-shm"
"""SQLite makes these anew after a crash, and writes them through a mapping."""

_SOURCE = REPOSITORY / "tests" / "support" / "file_journal.c"
_HEAD = struct.Struct("5Q")


class Call(IntEnum):
    """What a program did, numbered as in ``file_journal.c``."""

    MARK = 0
    CREATE = 1
    FOLDER = 2
    WRITE = 3
    CUT = 4
    SYNC = 5
    RENAME = 6
    LINK = 7
    UNLINK = 8


@dataclass(frozen=True, slots=True)
class Step:
    """One call, with the two numbers and the two texts that were noted."""

    call: Call
    first: int
    second: int
    one: bytes
    two: bytes


@dataclass(slots=True, eq=False)
class Node:
    """A file or folder, whatever its names.

    Attributes:
        content: The bytes of a file that are certain.
        pending: What was written since, and is not synced.
        names: What a folder holds as the program sees it; None for a file.
        certain: What of it is on the disk for sure.
    """

    content: bytearray = field(default_factory=bytearray)
    pending: list[Step] = field(default_factory=list)
    names: dict[str, Node] | None = None
    certain: dict[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Move:
    """A name that came or went, and is not certain: what it means in the folder, or in both."""

    call: Call
    folder: Node
    name: str
    node: Node
    source: Node
    old_name: str = ""

    def apply(self, held: dict[Node, dict[str, Node]]) -> None:
        if self.call is Call.UNLINK:
            held.setdefault(self.folder, dict(self.folder.certain)).pop(self.name, None)
            return
        if self.call is Call.RENAME:
            held.setdefault(self.source, dict(self.source.certain)).pop(self.old_name, None)
        held.setdefault(self.folder, dict(self.folder.certain))[self.name] = self.node


class Disk:
    """One folder of a recorded program, after the calls that were played so far."""

    def __init__(self, root_number: int) -> None:
        """An empty folder.

        Args:
            root_number: Its inode while the program ran.
        """
        self.root = Node(names={})
        self._nodes = {root_number: self.root}
        self._moves: list[_Move] = []

    def play(self, step: Step) -> None:
        """Let one more call happen."""
        match step.call:
            case Call.CREATE | Call.FOLDER:
                node = Node(names={} if step.call is Call.FOLDER else None)
                self._nodes[step.second] = node
                self._name(step.call, self._nodes[step.first], _text(step.one), node)
            case Call.WRITE | Call.CUT:
                self._nodes[step.first].pending.append(step)
            case Call.RENAME | Call.LINK:
                source, folder = self._nodes[step.first], self._nodes[step.second]
                node = _names(source)[_text(step.one)]
                if step.call is Call.RENAME:
                    del _names(source)[_text(step.one)]
                self._name(step.call, folder, _text(step.two), node, source, _text(step.one))
            case Call.UNLINK:
                folder, name = self._nodes[step.first], _text(step.one)
                node = _names(folder).pop(name)
                self._moves.append(_Move(step.call, folder, name, node, folder))
            case Call.SYNC:
                self._sync(self._nodes[step.first])

    def whole(self, folder: Path, *names: str) -> None:
        """Write the folder of these names as the program saw it."""
        node = self.root
        for name in names:
            node = _names(node)[name]
        self._write(folder, node, _names, _everything)

    def after_cut(self, folder: Path, chance: random.Random, *names: str) -> None:
        """Write what the folder of these names may hold if the power goes now."""
        # Some disks had everything in hand, others nothing; most had a part.
        share = chance.choice((0.0, 0.1, 0.5, 0.5, 0.9, 1.0))
        kept: dict[Node, int] = {}
        of: dict[Node, int] = {}
        for move in self._moves:
            of[move.folder] = of.get(move.folder, 0) + 1
        for one, number in of.items():
            kept[one] = {0.0: 0, 1.0: number}.get(share, chance.randint(0, number))
        held: dict[Node, dict[str, Node]] = {}
        for move in self._moves:
            if kept[move.folder]:
                kept[move.folder] -= 1
                move.apply(held)
        node = self.root
        for name in names:
            node = held.get(node, node.certain)[name]
        self._write(
            folder,
            node,
            lambda one: held.get(one, one.certain),
            lambda one: _torn(one, chance, share),
        )

    def _name(
        self,
        call: Call,
        folder: Node,
        name: str,
        node: Node,
        source: Node | None = None,
        old_name: str = "",
    ) -> None:
        _names(folder)[name] = node
        self._moves.append(_Move(call, folder, name, node, source or folder, old_name))

    def _sync(self, node: Node) -> None:
        if node.names is None:
            node.content = _everything(node)
            node.pending.clear()
            return
        # What was moved out of the folder is in the other one for sure.
        sure = {node} | {
            one.folder for one in self._moves if one.source is node and one.call is Call.RENAME
        }
        held: dict[Node, dict[str, Node]] = {}
        for move in self._moves:
            if move.folder in sure:
                move.apply(held)
        for folder, names in held.items():
            folder.certain = names
        self._moves = [one for one in self._moves if one.folder not in sure]

    def _write(self, folder: Path, node: Node, names_of: object, content_of: object) -> None:
        assert callable(names_of)
        assert callable(content_of)
        folder.mkdir(0o700)
        for name, one in names_of(node).items():
            if name.endswith(NEVER_ON_DISK):
                continue
            if one.names is not None:
                self._write(folder / name, one, names_of, content_of)
                continue
            path = folder / name
            path.write_bytes(content_of(one))
            path.chmod(0o600)


def compiler() -> str | None:
    """The C compiler of this machine, where programs can be watched; None elsewhere."""
    return shutil.which("cc") if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class Recording:
    """What one program did to its files.

    Attributes:
        root: Its folder as it left it.
        steps: Its calls in their order, and what it said between them.
    """

    root: Path
    steps: tuple[Step, ...]

    def disk(self) -> Disk:
        """The folder before the first call."""
        return Disk(self.root.stat().st_ino)

    def said(self) -> Iterator[tuple[int, str]]:
        """What the program said, each with the number of the step at which it did."""
        for number, step in enumerate(self.steps):
            if step.call is Call.MARK:
                yield number, _text(step.one)


def recorded(folder: Path, module: str) -> Recording:
    """Run a module as a program, with the journal on.

    Args:
        folder: Where the journal goes and the program's folder ``root``, of which it hears.
        module: The program.
    """
    root, journal, library = folder / "root", folder / "journal", folder / "file_journal.so"
    root.mkdir()
    cc = compiler()
    assert cc is not None
    subprocess.run(
        [cc, "-O1", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl", "-lpthread"],
        check=True,
    )
    watched = {
        "LD_PRELOAD": str(library),
        "FILE_JOURNAL": str(journal),
        "FILE_JOURNAL_ROOT": str(root.resolve()),
    }
    with started(module, str(root), **watched) as program:
        finished(program)
    return Recording(root, tuple(_steps(journal.read_bytes())))


def _steps(journal: bytes) -> Iterator[Step]:
    place = 0
    while place < len(journal):
        call, first, second, n_one, n_two = _HEAD.unpack_from(journal, place)
        place += _HEAD.size
        one = journal[place : place + n_one]
        two = journal[place + n_one : place + n_one + n_two]
        place += n_one + n_two
        yield Step(Call(call), first, second, one, two)


def _names(node: Node) -> dict[str, Node]:
    assert node.names is not None
    return node.names


def _text(written: bytes) -> str:
    return written.decode()


def _everything(node: Node) -> bytearray:
    content = bytearray(node.content)
    for step in node.pending:
        if step.call is Call.CUT:
            _cut(content, step.second)
        else:
            _put(content, step.second, step.one)
    return content


def _torn(node: Node, chance: random.Random, share: float) -> bytearray:
    content = bytearray(node.content)
    for step in node.pending:
        if step.call is Call.CUT:
            if chance.random() < share:
                _cut(content, step.second)
            continue
        place, end = step.second, step.second + len(step.one)
        while place < end:
            after = min(end, place - place % SECTOR_BYTES + SECTOR_BYTES)
            if chance.random() < share:
                _put(content, place, step.one[place - step.second : after - step.second])
            place = after
    return content


def _put(content: bytearray, place: int, data: bytes) -> None:
    if len(content) < place:
        content.extend(bytes(place - len(content)))
    content[place : place + len(data)] = data


def _cut(content: bytearray, n_bytes: int) -> None:
    if len(content) > n_bytes:
        del content[n_bytes:]
    else:
        content.extend(bytes(n_bytes - len(content)))
