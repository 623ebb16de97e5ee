"""What was acknowledged is there after a power cut at any moment, or named as missing."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.storage.backups import backups
from inklings_desktop.storage.backups.backup_making import verify_database
from inklings_desktop.storage.backups.backups import ACCOUNT_SCOPE
from inklings_desktop.storage.places import DATABASE_NAME, HINT_FILE, WORKSPACES_FOLDER
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION, FileKind, fingerprint
from inklings_desktop.usecases.bundle import Inklings
from tests.end2end.power_cut_process import (
    ACTS,
    ADA,
    DATA,
    EXPORT,
    N_ALIKE,
    NAME,
    NEW_NAME,
    VOICE,
    WORD_TO_SCRUB,
    alike_texts,
    new_texts,
    old_texts,
)
from tests.end2end.test_consolidation_kill import INCOHERENT
from tests.storage.later_schema import LATER, defaults, version_of
from tests.support.dumps import log_of
from tests.support.power_cut import NEVER_ON_DISK, Call, Recording, compiler, recorded
from tests.support.sqlite_store import integrity_faults, raw

CUTS = 2
CUTS_ENDURANCE = 40
"""Of each act."""
LEAST_WRITES = 1_000
SECONDS_TO_FINISH = 20.0
CERTAINTY = frozenset({Call.SYNC, Call.RENAME, Call.LINK, Call.UNLINK, Call.CREATE, Call.CUT})
HARMLESS = frozenset({FindingKind.LEFT_OVER})

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C compiler to watch programs with")


@dataclass(frozen=True, slots=True)
class Found:
    """A data root after a power cut, opened and looked over.

    Attributes:
        folder: Of the act.
        said: What was acknowledged, by its word.
        names: Of the workspaces.
        memories: Text of each memory of the workspace; whether it is forgotten.
        voice: Text of VOICE.
        findings: What the check says, but for files that a killed run leaves.
    """

    folder: Path
    said: dict[str, list[str]]
    names: list[str]
    memories: dict[str, bool]
    voice: str
    findings: frozenset[FindingKind]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """All acts, done once."""
    return recorded(tmp_path_factory.mktemp("power"), "tests.end2end.power_cut_process")


def test_the_journal_sees_everything_that_is_written(recording: Recording, tmp_path: Path) -> None:
    disk = recording.disk()
    for step in recording.steps:
        disk.play(step)

    disk.whole(tmp_path / "whole")

    assert files_of(tmp_path / "whole") == files_of(recording.root)
    calls = [step.call for step in recording.steps]
    assert set(calls) == set(Call)
    assert calls.count(Call.WRITE) > LEAST_WRITES


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("act", ACTS)
def test_what_was_acknowledged_outlives_a_power_cut(
    act: str,
    recording: Recording,
    tmp_path: Path,
    reduced_or_full: Callable[[int, int], int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n_cuts = reduced_or_full(CUTS, CUTS_ENDURANCE)
    if act == "migrate":  # who looks then is ahead as well
        monkeypatch.setitem(defaults(), "lineage", LATER)
        monkeypatch.setattr(backups, "SCHEMA_VERSION", LATER.version)
    outcomes = [
        outcome_of(act, folder, said)
        for folder, said in after_cuts(recording, act, n_cuts, tmp_path)
    ]

    assert len(outcomes) == n_cuts
    assert [one for one in outcomes if one.startswith("lost")] == []


def after_cuts(
    recording: Recording, act: str, n_cuts: int, folder: Path
) -> Iterator[tuple[Path, dict[str, list[str]]]]:
    """The folder of an act after each of some cuts, and what was acknowledged by then."""
    chance = random.Random(act)  # noqa: S311  it only chooses when to cut, and what stays
    said = list(recording.said())
    numbers = {text: number for number, text in said}
    begin, end = numbers[f"begin {act}"], numbers[f"end {act}"]
    turns = [n for n in range(begin, end) if recording.steps[n].call in CERTAINTY]
    cuts = sorted(
        chance.choice((chance.randint(begin, end), chance.choice(turns), chance.choice(turns) + 1))
        for _ in range(n_cuts)
    )
    disk, played = recording.disk(), 0
    for number, cut in enumerate(cuts):
        for step in recording.steps[played:cut]:
            disk.play(step)
        played = cut
        words: dict[str, list[str]] = {}
        for at, text in said:
            if begin < at < cut:
                word, _, what = text.partition(" ")
                words.setdefault(word, []).append(what)
        image = folder / f"{number}-{cut}"
        disk.after_cut(image, chance, act)
        yield image, words
        shutil.rmtree(image)


def outcome_of(act: str, folder: Path, said: dict[str, list[str]]) -> str:
    """What became of what was acknowledged: ``there``, ``named``, or how it is lost."""
    before = bytes_with(folder, WORD_TO_SCRUB)
    unmade = half_migrated(folder, said) if act == "migrate" else ""
    with open_inklings(
        folder / DATA, caller=ADA, embedder=NullEmbedder("none", "missing"), embed_writes=False
    ) as inklings:
        is_finished = wait_for_scrubs(inklings)
        found = look(inklings, folder, said)
    fault = unmade or (ORACLES[act](found) if is_finished else "a scrub never ends")
    if "scrubbed" in said and before:
        fault = f"scrubbed text is back in {before}"
    if not fault:
        return "there"
    if fault == "damaged" and found.findings & {FindingKind.UNREADABLE, FindingKind.PAGES}:
        return "named"
    return f"lost: {fault}; {folder.name} {sorted(said)} {sorted(found.findings)}"


def look(inklings: Inklings, folder: Path, said: dict[str, list[str]]) -> Found:
    """Open everything there is."""
    report = inklings.as_caller(ADA).keeping.check_data()
    survey = inklings.as_caller(ADA).workspaces.survey()
    memories: dict[str, bool] = {}
    voice = ""
    findings = {one.kind for one in report.findings} - HARMLESS
    for one in survey:
        path = folder / DATA / WORKSPACES_FOLDER / one.workspace.id / DATABASE_NAME
        if findings:
            continue
        assert integrity_faults(path) == []
        with raw(path) as connection:
            rows = connection.execute("SELECT content, forgotten_at IS NOT NULL FROM memories")
            memories |= {text: bool(is_forgotten) for text, is_forgotten in rows}
            query = "SELECT body FROM named_entries WHERE name = 'VOICE'"
            (voice,) = connection.execute(query).fetchone()
            if connection.execute(INCOHERENT).fetchall():
                findings.add(FindingKind.REFERENCES)
    names = [one.workspace.name for one in survey]
    return Found(folder, said, names, memories, voice, frozenset(findings))


def created(found: Found) -> str:
    """A workspace that was made is there; one that was not may be."""
    if "made" in found.said and found.names != [NAME]:
        return f"workspaces {found.names}"
    return sound(found)


def written(found: Found) -> str:
    """Every memory that was said to be written."""
    return sound(found) or missing(found, *found.said.get("put", []))


def edited(found: Found) -> str:
    """Every edit that was said to be made."""
    if "voice" in found.said and found.voice != VOICE:
        return f"VOICE {found.voice!r}"
    return sound(found) or missing(found, *found.said.get("edit", []))


def forgotten(found: Found) -> str:
    """Whatever was forgotten stays so; nothing is gone."""
    back = [text for text in found.said.get("forget", []) if not found.memories.get(text)]
    if back or set(found.memories) != set(old_texts()):
        return f"forgotten {back}"
    return sound(found)


def consolidated(found: Found) -> str:
    """Each group as it was or as one memory that says the same, which it is once it was said."""
    texts = alike_texts()
    groups = [texts[n : n + N_ALIKE] for n in range(0, len(texts), N_ALIKE)]
    n_left = {sum(found.memories.get(text) is False for text in group) for group in groups}
    allowed = {1} if "consolidated" in found.said else {1, N_ALIKE}
    return sound(found) if n_left <= allowed else f"groups of {sorted(n_left)}"


def scrubbed(found: Found) -> str:
    """All of it or nothing of it; no byte where it is gone, and gone once it was said."""
    held = bytes_with(found.folder, WORD_TO_SCRUB)
    is_whole = sum(WORD_TO_SCRUB in text for text in found.memories) == len(old_texts()) + 1
    if held and not is_whole:
        return f"text is left in {held}"
    if "scrubbed" in found.said and held:
        return "the scrub is undone"
    return sound(found)


def backed_up(found: Found) -> str:
    """Every backup that was said to be made, sound; every memory."""
    return lost_backups(found) or written(found) or missing(found, *old_texts())


def lost_backups(found: Found) -> str:
    """Backups that should be there."""
    there = {f"{one.parent.name}/{one.name}" for one in found.folder.glob(f"{DATA}/backups/*/*.db")}
    lost = set(found.said.get("backup", [])) - there
    return f"backups {lost}" if lost else ""


def restored(found: Found) -> str:
    """The state before or the one of the backup."""
    if fault := sound(found) or lost_backups(found) or missing(found, *old_texts()):
        return fault
    n_new = sum(text in found.memories for text in new_texts())
    allowed = {0} if "restored" in found.said else {0, len(new_texts())}
    return "" if n_new in allowed else f"{n_new} of another state"


def replaced(found: Found) -> str:
    """The backup's state, or a damaged file that is called so."""
    if found.findings and "replaced" not in found.said:
        return "damaged"
    return written(found) or missing(found, *old_texts())


def exported(found: Found) -> str:
    """The file from before or the new one, whole."""
    document = json.loads((found.folder / EXPORT).read_text(encoding="utf-8"))
    n_memories = sum(len(one["memories"]) for one in document["workspaces"])
    n_all = len(old_texts()) + len(new_texts())
    allowed = {n_all} if "exported" in found.said else {len(old_texts()), n_all}
    if n_memories not in allowed:
        return f"{n_memories} exported"
    return sound(found) or missing(found, *old_texts(), *new_texts())


def imported(found: Found) -> str:
    """All of it or nothing of it, all once it was said."""
    n_new = sum(text in found.memories for text in new_texts())
    allowed = {len(new_texts())} if "imported" in found.said else {0, len(new_texts())}
    if n_new not in allowed:
        return f"{n_new} imported"
    return sound(found) or missing(found, *old_texts())


def half_migrated(folder: Path, said: dict[str, list[str]]) -> str:
    """A file that is neither as it was nor as it shall be, before anybody brings it up to date."""
    looked_at = folder.with_name("looked at")
    shutil.copytree(folder / DATA, looked_at)
    try:
        for path in (looked_at / DATABASE_NAME, *looked_at.glob(f"workspaces/*/{DATABASE_NAME}")):
            name, version = path.relative_to(looked_at).as_posix(), version_of(path)
            with raw(path) as connection:
                found = fingerprint(connection)
            kind = FileKind.ACCOUNT if path.parent == looked_at else FileKind.WORKSPACE
            if integrity_faults(path) or not LATER.is_expected(kind, version, found):
                return f"{name} is no whole version {version}"
            if name in said.get("migrated", []) and version != LATER.version:
                return f"{name} is back at version {version}"
    finally:
        shutil.rmtree(looked_at)
    return ""


def migrated(found: Found) -> str:
    """Every memory, in a file of the newer version whose log tells of each step once."""
    root = found.folder / DATA
    for path in (root / DATABASE_NAME, *root.glob(f"workspaces/*/{DATABASE_NAME}")):
        kinds = [kind for _, _, kind, *_ in log_of(path)]
        steps = kinds.count(EventKind.SCHEMA_MIGRATED)
        if (version_of(path), steps) != (LATER.version, len(LATER.after(SCHEMA_VERSION))):
            return f"{steps} steps to version {version_of(path)}"
    for name in found.said.get("backup", []):
        scope = name.partition("/")[0]
        path = root / "backups" / name
        verify_database(path, None if scope == ACCOUNT_SCOPE else scope, LATER)
    return lost_backups(found) or sound(found) or missing(found, *old_texts(), *new_texts())


def renamed(found: Found) -> str:
    """One of both names, the new one once it was said."""
    allowed = [[NEW_NAME]] if "renamed" in found.said else [[NAME], [NEW_NAME]]
    if found.names not in allowed:
        return f"named {found.names}"
    return sound(found) or missing(found, *old_texts())


def deleted(found: Found) -> str:
    """There or gone, gone once it was said; of one that is gone not a byte."""
    if found.names == [NAME] and "deleted" not in found.said:
        return sound(found) or (
            "" if len(found.memories) == len(old_texts()) else f"{len(found.memories)} left"
        )
    held = bytes_with(found.folder, WORD_TO_SCRUB)
    if found.names or held:
        return f"workspaces {found.names}, text in {held}"
    return sound(found)


def sound(found: Found) -> str:
    """What the check says of it."""
    return ", ".join(sorted(found.findings))


def missing(found: Found, *texts: str) -> str:
    """Memories that should be there."""
    lost = [text for text in texts if found.memories.get(text) is not False]
    return f"{len(lost)} memories, {lost[0]!r} first" if lost else ""


ORACLES: Final[dict[str, Callable[[Found], str]]] = {
    "create": created,
    "put": written,
    "edit": edited,
    "forget": forgotten,
    "consolidate": consolidated,
    "scrub": scrubbed,
    "backup": backed_up,
    "restore": restored,
    "replace": replaced,
    "export": exported,
    "import": imported,
    "migrate": migrated,
    "rename": renamed,
    "delete": deleted,
}


def wait_for_scrubs(inklings: Inklings) -> bool:
    """Whether no scrub is open any more after a while."""
    deadline = time.monotonic() + SECONDS_TO_FINISH
    while inklings.as_caller(ADA).scrub.pending() or any(inklings.data_dir.rglob(HINT_FILE)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def bytes_with(folder: Path, text: str) -> list[str]:
    """Files beneath a folder that hold a text."""
    return [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and text.encode() in path.read_bytes()
    ]


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file beneath a folder with its bytes, but for what no crash leaves."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
        if not path.name.endswith(NEVER_ON_DISK)
    }
