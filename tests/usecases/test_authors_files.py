"""The author's own files beside all that the program does: real folders, a real data root."""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.entries.proposals import ABOUT_PAGES, ProposalState
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    OutsideFileError,
)
from inklings_desktop.domain.memory import Derivation, MemoryDraft, MemoryEntry, ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.world.derivations import SourceState
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.domain.world.pages import FolderRules, PageEvent
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.storage.world import page_writer
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from inklings_desktop.usecases.world.derivations import Derivations
from inklings_desktop.usecases.world.page_proposals import PageProposals
from inklings_desktop.usecases.world.world import World
from tests.support.processes import line_of, started

LOOKS = "Nerys has grey eyes and a scar that runs from her left brow down to the jaw."
OATH = "She swore on the salt that she would never again carry a lamp into the glass."
NERYS = f"# Nerys\n\n{LOOKS}\n\n## Vows\n\n{OATH}\n"
QUAY = "# The quay\n\nThe lamps along it are lit from the far end, since [[Nerys]] asked for it.\n"
NOUNS = {"world": World, "derivations": Derivations, "page_proposals": PageProposals}
WRITING = {"accept", "undo", "restore"}


def save(path: Path, text: str) -> None:
    """Save a page as another program had an hour ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    at = path.stat().st_mtime - timedelta(hours=1).total_seconds()
    os.utime(path, (at, at))


def files_of(folder: Path) -> dict[str, tuple[object, ...]]:
    """Every file and folder with all that a program could change of it."""
    found: dict[str, tuple[object, ...]] = {}
    for one in folder.rglob("*"):
        known = one.lstat()
        data = one.read_bytes() if one.is_file() else b""
        found[str(one)] = data, known.st_mtime_ns, known.st_ino, known.st_mode
    return found


@dataclass
class Isles:
    """A workspace with a vault, of which every verb is watched."""

    inklings: Inklings
    place: str
    vault: Path
    walked: set[str] = field(default_factory=set)

    @property
    def scope(self) -> ScopeKey:
        return ScopeKey.workspace(self.place)

    def put(self, text: str, *references: str) -> MemoryEntry:
        sources = tuple(map(Derivation, references))
        put: MemoryEntry = self.unchanged(
            self.inklings.memories.put, MemoryDraft(self.scope, text, derived_from=sources)
        )
        return put

    def do(self, noun: str, verb: str, *asked: Any, **options: Any) -> Any:
        """Call a verb of a noun; no file changes but by those that are there to do it."""
        self.walked.add(f"{noun}.{verb}")
        call = getattr(getattr(self.inklings, noun), verb)
        return (
            call(*asked, **options) if verb in WRITING else self.unchanged(call, *asked, **options)
        )

    def unchanged(self, call: Callable[..., Any], *asked: Any, **options: Any) -> Any:
        before = files_of(self.vault)
        answer = call(*asked, **options)
        assert files_of(self.vault) == before, call
        return answer

    def look(self) -> list[tuple[str, PageEvent]]:
        return [(one.path, one.what) for one in self.do("world", "look", self.place)]

    def found(self, text: str) -> set[str]:
        """Paths of the pages that a search finds."""
        answer = self.do("world", "search", self.place, WorldQuery(text))
        return {one.page.path for one in answer.hits}

    def state(self, memory: MemoryEntry) -> SourceState:
        standing = self.do("derivations", "standing", self.place, [memory.id])
        state: SourceState = standing[memory.id][0].derivation.state
        return state


@pytest.fixture
def isles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Isles]:
    monkeypatch.setattr(page_writer, "LATE_WRITER_SECONDS", 0.0)
    vault = tmp_path / "isles"
    save(vault / "People" / "Nerys.md", NERYS)
    save(vault / "Quay.md", QUAY)
    save(vault / ".obsidian" / "app.json", "{}")
    save(vault / "map.png", "no text")
    none = NullEmbedder("none")
    with open_inklings(tmp_path / "root", embedder=none, embed_writes=False) as inklings:
        place = inklings.workspaces.create("Saltglass").id
        isles = Isles(inklings, place, vault)
        isles.do("world", "link", place, vault)
        isles.look()
        yield isles


def test_no_verb_touches_a_file_but_those_that_write_an_accepted_page(
    isles: Isles, tmp_path: Path
) -> None:
    place, do = isles.place, isles.do
    folder = do("world", "folders", place)[0].folder
    nerys = do("world", "page", place, "Nerys").page
    do("world", "outline", place)
    do("world", "changes", place)
    do("world", "axes", place, nerys)
    do("world", "read_here", place, nerys.id)
    assert do("world", "has_pages", place)
    assert do("world", "active_page", place).id == nerys.id
    do("world", "set_rules", place, "isles", FolderRules(ignore=("Notes/",)))
    do("world", "take_proposals", place, "isles", allowed=True)
    do("world", "when_to_look", place)
    do("world", "tend", place, trigger="request")
    assert isles.found("scar") == {"People/Nerys.md"}
    looks, oath = isles.put("Grey eyes, a scar.", "Nerys"), isles.put("She swore.", "Nerys#Vows")
    brows = isles.put(LOOKS.replace("left", "right"))
    do("derivations", "derive", place, looks.ref, [Derivation("People/Nerys.md")])
    do("derivations", "from_page", place, nerys.id)
    do("derivations", "counts", place, folder.id)
    do("derivations", "told", looks)
    assert isles.state(oath) is SourceState.CURRENT
    do("derivations", "told_of", [looks, brows])
    (against,) = do("derivations", "contradictions", place)
    do("derivations", "decide_contradiction", place, against, "both")
    do("derivations", "undo_contradiction", place, against, "both")
    walk_of_a_retcon(isles, oath)
    walk_of_a_proposal(isles)
    do("page_proposals", "promote", brows.ref, folder="isles", path="People/Nerys.md", reason="So")
    do("world", "rebuild", place)
    isles.unchanged(isles.inklings.transfer.export, ExportRequest(), tmp_path / "all.inklings")
    isles.unchanged(scrub, isles, isles.scope, ScrubMode.FULL)
    moved = tmp_path / "moved"
    shutil.copytree(isles.vault, moved)
    do("world", "relocate", place, "isles", moved)
    do("world", "unlink", place, "isles")
    verbs = {
        f"{name}.{verb}"
        for name, noun in NOUNS.items()
        for verb, call in vars(noun).items()
        if callable(call) and not verb.startswith("_")
    }
    assert isles.walked == verbs


def walk_of_a_retcon(isles: Isles, memory: MemoryEntry) -> None:
    """A page changes under a memory, and every answer is given and taken back."""
    page, place = isles.vault / "People" / "Nerys.md", isles.place
    save(page, page.read_text("utf-8").replace("a lamp", "a lantern"))
    isles.look()
    isles.do("derivations", "notice", place, [])
    (case,) = isles.do("derivations", "retcons", place)
    isles.do("derivations", "suggested", case, memory)
    isles.do("derivations", "retcon", place, case.retcon.id)
    answers: tuple[tuple[str, tuple[object, ...]], ...] = (
        ("keep", ()),
        ("update", (memory.id, "No lantern.", memory.version)),
        ("forget", ([memory.id],)),
    )
    for verb, more in answers:
        isles.do("derivations", verb, place, case.retcon.id, *more)
        isles.do("derivations", "undo", place, case.retcon.id)


def walk_of_a_proposal(isles: Isles) -> None:
    """A page is changed, made and moved; each is taken back, and only its own file is touched."""
    place, do = isles.place, isles.do
    quay = isles.vault / "Quay.md"
    others = files_of(isles.vault)
    others.pop(str(quay))
    asked: tuple[dict[str, Any], ...] = (
        {"page": "Quay.md", "text": QUAY + "\nFog.\n"},
        {"path": "Fog.md", "text": "# Fog\n"},
        {"page": "Quay.md", "to": "Harbour.md"},
    )
    for one in asked:
        isles.look()
        proposal = do("page_proposals", "propose", place, reason="It fits", **one)
        do("page_proposals", "compare", proposal.ref)
        accepted = do("page_proposals", "accept", proposal.ref)
        now = files_of(isles.vault)
        assert {path: now[path] for path in others} == others
        assert len(set(now) - set(others)) == (2 if "path" in one else 1)
        again = do("page_proposals", "undo", accepted)
        assert files_of(isles.vault).keys() == others.keys() | {str(quay)}
        assert quay.read_text("utf-8") == QUAY
        isles.unchanged(isles.inklings.proposals.reject, again.ref)
    (version,) = do("page_proposals", "versions", place)
    save(quay, "# Another\n")
    do("page_proposals", "restore", place, version.id)
    assert quay.read_text("utf-8") == QUAY


def scrub(isles: Isles, scope: ScopeKey, mode: ScrubMode) -> None:
    shown = isles.inklings.scrub.preview(scope, mode)
    done = isles.inklings.scrub.execute(scope, mode, token=shown.token, phrase=shown.phrase)
    assert done.is_finished


def test_a_scrub_leaves_pages_and_takes_what_was_kept_of_them(isles: Isles) -> None:
    """What only the memory still has of a page goes; the page itself stays, as it is."""
    memory = isles.put("A lamp of hers.", "Nerys#Vows")
    page = isles.vault / "People" / "Nerys.md"
    save(page, NERYS.replace("a lamp", "a vesperlight"))
    isles.look()
    assert len(isles.do("derivations", "retcons", isles.place)) == 1
    isles.do(
        "page_proposals", "promote", memory.ref, folder="isles", path="Lamps.md", reason="Ambergris"
    )
    asked = isles.do(
        "page_proposals",
        "propose",
        isles.place,
        page="Quay.md",
        text=QUAY + "Fog.",
        reason="It fits",
    )
    isles.do("page_proposals", "accept", asked.ref)
    assert len(isles.do("page_proposals", "versions", isles.place)) == 1
    root = isles.inklings.data_dir
    for text in (b"carry a lamp", b"vesperlight", b"Ambergris"):
        assert holders(root, text)
    isles.unchanged(scrub, isles, isles.scope, ScrubMode.FULL)
    assert isles.do("derivations", "retcons", isles.place) == ()
    assert isles.do("page_proposals", "versions", isles.place) == ()
    left = isles.inklings.proposals.list(isles.place, states=frozenset(ProposalState))
    assert [one for one in left if one.kind in ABOUT_PAGES] == []
    for text in (b"carry a lamp", b"vesperlight", b"Ambergris", b"A lamp of hers"):
        assert holders(root, text) <= {"world.db"}
    assert "vesperlight" in page.read_text("utf-8")
    assert isles.found("vesperlight") == {"People/Nerys.md"}


def holders(root: Path, text: bytes) -> set[str]:
    """Names of the files with this text, without what SQLite adds to them."""
    files = [one for one in root.rglob("*") if one.is_file()]
    return {re.sub("-(wal|shm)$", "", one.name) for one in files if text in one.read_bytes()}


def test_an_export_says_where_memories_come_from_and_neither_paths_nor_pages(
    isles: Isles, tmp_path: Path
) -> None:
    isles.put("She swore.", "Nerys#Vows")
    file = tmp_path / "all.inklings"
    isles.unchanged(isles.inklings.transfer.export, ExportRequest(), file)
    said = file.read_text("utf-8")
    assert "Nerys#Vows" in said
    assert OATH in said  # what the memory was written from, that a later look has to compare with
    for text in (str(isles.vault), tmp_path.name, LOOKS, "far end"):
        assert text not in said


def test_memories_and_pages_are_read_apart(isles: Isles) -> None:
    isles.put("A cormorant sits on the quay.")
    root = isles.inklings.data_dir
    (index,) = root.rglob("world.db")
    for one in index.parent.glob("world.db*"):
        one.unlink()
    request = SearchRequest("lamps quay cormorant")
    (hit,) = isles.inklings.search.find([isles.scope], request).hits
    assert hit.entry.content.startswith("A cormorant")
    assert not index.exists()  # nobody opened it
    isles.look()
    assert isles.found("cormorant") == set()
    assert isles.found("along") == {"Quay.md"}


def test_a_folder_that_was_moved_keeps_its_pages_and_what_comes_from_them(
    isles: Isles, tmp_path: Path
) -> None:
    memory = isles.put("She swore.", "Nerys#Vows")
    before = isles.do("world", "page", isles.place, "Nerys")
    isles.vault.rename(tmp_path / "elsewhere")
    assert isles.look() == []
    assert isles.do("world", "folders", isles.place)[0].state == "missing"
    assert isles.found("scar") == {"People/Nerys.md"}
    isles.vault = tmp_path / "elsewhere"
    isles.do("world", "relocate", isles.place, "isles", isles.vault)
    (isles.vault / "People").rename(isles.vault / "Folk")
    assert isles.look() == [("Folk/Nerys.md", PageEvent.MOVED)]
    after = isles.do("world", "page", isles.place, "Nerys")
    assert after.page.id == before.page.id
    assert [one.id for one in after.blocks] == [one.id for one in before.blocks]
    assert isles.state(memory) in {SourceState.CURRENT, SourceState.MOVED}
    assert isles.do("derivations", "retcons", isles.place) == ()


@pytest.mark.parametrize("leaves", ["nothing", "an empty folder"])
def test_a_stick_goes_away_and_comes_back(isles: Isles, tmp_path: Path, leaves: str) -> None:
    memory = isles.put("She swore.", "Nerys#Vows")
    isles.vault.rename(tmp_path / "pulled")
    if leaves == "an empty folder":
        isles.vault.mkdir()
    assert isles.look() == []
    assert isles.do("world", "search", isles.place, WorldQuery("scar")).is_stale
    assert isles.found("scar") == {"People/Nerys.md"}
    assert isles.state(memory) is SourceState.CURRENT
    with pytest.raises((OutsideFileError, NotFoundError)):
        isles.do("page_proposals", "propose", isles.place, page="Nerys", text="No.", reason="No")
    if leaves == "an empty folder":
        isles.vault.rmdir()
    (tmp_path / "pulled").rename(isles.vault)
    save(isles.vault / "Quay.md", QUAY + "\nA bell.\n")
    assert isles.look() == [("Quay.md", PageEvent.EDITED)]
    assert isles.do("world", "folders", isles.place)[0].state == "ready"
    assert isles.do("derivations", "retcons", isles.place) == ()


def test_case_and_the_form_of_an_accent_do_not_count(isles: Isles) -> None:
    name = "Café d'Éloi"
    for form in ("NFC", "NFD"):
        save(isles.vault / f"{unicodedata.normalize(form, name)}.md", f"# {form}\n\nText.\n")
    save(isles.vault / "people" / "nerys.md", "# The other\n\nAnother one.\n")
    isles.look()
    paths = [one.path for one in isles.do("world", "outline", isles.place)]
    assert len(paths) == 5
    for one in paths:  # both are there, each by the path that it has
        assert isles.do("world", "page", isles.place, one).page.path == one
    for key in (unicodedata.normalize("NFD", name).upper(), "NERYS.MD"):
        with pytest.raises(InvalidValueError) as refused:
            isles.do("world", "page", isles.place, key)
        assert refused.value.rule == "ambiguous"
    for path in ("QUAY.md", unicodedata.normalize("NFD", name).upper() + ".md"):
        with pytest.raises(ConflictError):
            isles.do("page_proposals", "propose", isles.place, path=path, text="No", reason="No")


def test_neither_the_data_root_nor_what_holds_it_can_be_linked(
    isles: Isles, tmp_path: Path
) -> None:
    root = isles.inklings.data_dir
    (tmp_path / "door").symlink_to(root / "workspaces")
    for place in (root, root / "workspaces", tmp_path, tmp_path / "door", Path.home(), Path("/")):
        with pytest.raises(InvalidValueError):
            isles.do("world", "link", isles.place, place)


def test_two_processes_read_one_world_and_every_page_once(isles: Isles) -> None:
    for number in range(60):
        save(isles.vault / f"Page {number}.md", f"# Page {number}\n\nText {number}.\n")
    asked = (str(isles.inklings.data_dir), isles.place)
    programs = [started("tests.usecases.looking_process", *asked) for _ in range(2)]
    try:
        assert [line_of(one) for one in programs] == ["ready", "ready"]
        for one in programs:
            assert one.stdin is not None
            one.stdin.write("look\n")
            one.stdin.flush()
        said = [line_of(one) for one in programs]
    finally:
        for one in programs:
            one.kill()
            one.communicate()
    # Whoever comes second finds the other at it, or what is left.
    assert sum(int(one) for one in said if one != "busy") == 60
    assert len(isles.do("world", "outline", isles.place)) == 62
    assert isles.look() == []
    assert isles.found("Text 59") >= {"Page 59.md"}


def test_no_table_of_the_memory_has_an_axis(isles: Isles) -> None:
    """Origin, lifecycle, weight and standing are read when they are shown, and kept nowhere."""
    from inklings_desktop.storage.schema.tables import metadata

    # Where a skill came from is another thing than where a page stands.
    tables = [table for table in metadata.tables.values() if table.name != "skills"]
    names = {column.name for table in tables for column in table.columns}
    assert names.isdisjoint({"origin", "lifecycle", "weight", "standing", "axes"})
    assert "base_digest" in names
