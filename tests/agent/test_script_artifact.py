"""What was compiled is used only where it is, to the byte, what was compiled here."""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from inklings_desktop.acp_wire.words import SCRIPTS_NOT_INSTALLED
from inklings_desktop.agent.scripts import artifact
from inklings_desktop.agent.scripts.artifact import COMPILED, NOTED, Artifact
from inklings_desktop.agent.scripts.executor import Interpreter, RlmExecutor
from inklings_desktop.domain.errors import AgentError
from tests.support.interpreters import know, looped


@pytest.fixture
def places(
    compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Path, list[str]]:
    """A cache and a data root with what was compiled, and what is compiled anew."""
    cache, root = tmp_path / "cache", tmp_path / "root"
    cache.mkdir()
    root.mkdir()
    shutil.copy(compiled / COMPILED, cache)
    know(compiled, root)
    made: list[str] = []

    def compiles() -> bytes:
        made.append("compiled")
        return (compiled / COMPILED).read_bytes()

    monkeypatch.setattr(artifact, "_compiled", compiles)
    return cache, root, made


def _spoil(place: Path) -> None:
    data = bytearray(place.read_bytes())
    data[len(data) // 2] ^= 1
    place.write_bytes(data)


def test_what_was_compiled_here_is_used_again(places: tuple[Path, Path, list[str]]) -> None:
    cache, root, made = places
    told: list[str] = []
    read = Artifact(cache, root).read(lambda: told.append("waits"))
    assert read == (cache / COMPILED).read_bytes()
    assert made == told == []


@pytest.mark.parametrize("harm", ["spoilt", "cut", "gone", "unknown", "another", "unreadable"])
def test_anything_else_is_compiled_anew(
    places: tuple[Path, Path, list[str]], compiled: Path, harm: str
) -> None:
    cache, root, made = places
    match harm:
        case "spoilt":
            _spoil(cache / COMPILED)
        case "cut":
            (cache / COMPILED).write_bytes(b"")
        case "gone":
            (cache / COMPILED).unlink()
        case "unknown":
            (root / NOTED).unlink()
        case "another":
            noted = (root / NOTED).read_text(encoding="utf-8")
            (root / NOTED).write_text(noted.replace('{"', '{"0'), encoding="utf-8")
        case "unreadable":
            (root / NOTED).write_text("[", encoding="utf-8")
    told: list[str] = []
    read = Artifact(cache, root).read(lambda: told.append("waits"))
    assert read == (compiled / COMPILED).read_bytes() == (cache / COMPILED).read_bytes()
    assert (made, told) == (["compiled"], ["waits"])
    assert (root / NOTED).read_bytes() == (compiled / NOTED).read_bytes()


def test_none_is_taken_from_a_workspace(places: tuple[Path, Path, list[str]]) -> None:
    cache, root, made = places
    workspace = root / "workspaces" / "w1"
    workspace.mkdir(parents=True)
    shutil.move(cache / COMPILED, workspace)
    shutil.move(root / NOTED, workspace)
    Artifact(cache, root).read(lambda: None)
    assert made == ["compiled"]


def test_where_it_cannot_be_kept_it_is_used_all_the_same(
    places: tuple[Path, Path, list[str]], tmp_path: Path
) -> None:
    root = places[1]
    (tmp_path / "file").touch()
    assert Artifact(tmp_path / "file", root).read(lambda: None)


def test_another_interpreter_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact, "INTERPRETER_SHA256", "0" * 64)
    with pytest.raises(AgentError, match=SCRIPTS_NOT_INSTALLED):
        Artifact(tmp_path, tmp_path).read(lambda: None)
    assert list(tmp_path.iterdir()) == []


@looped
async def test_without_the_libraries_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifact, "_LIBRARIES", ("no_such_library",))
    executor = RlmExecutor().build(Interpreter(tmp_path, tmp_path))
    with pytest.raises(AgentError, match=SCRIPTS_NOT_INSTALLED):
        await executor.execute("def main(inputs): return 1")


def test_it_is_kept_under_the_version_of_what_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    before = artifact._key()
    monkeypatch.setattr(artifact, "version", lambda name: version(name) + "1")
    assert artifact._key() != before
