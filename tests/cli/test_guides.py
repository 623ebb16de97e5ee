"""What the guides tell a newcomer to type, typed into an empty data root, page by page."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.architecture.contract_report import REPOSITORY
from tests.cli.console import Console, Said

DOCS = REPOSITORY / "docs"
BLOCK = re.compile(r"^```console\n(.+?)\n```$", re.DOTALL | re.MULTILINE)
PAGES = sorted(
    path.relative_to(REPOSITORY).as_posix()
    for path in [REPOSITORY / "README.md", DOCS / "install.md", *DOCS.glob("guides/*.md")]
)
WALKED_ELSEWHERE = "## Talk to it"  # of the README, by test_readme_walk
STANDS_FOR = {
    "MEMORY": r"^Remembered (\w+)",
    "CONVERSATION": r"^Started (\w+)",
    "BACKUP": r" as (\S+\.db) ",
    "TOKEN": r" --token (\S+)",
    "PHRASE": r" add the phrase \N{LEFT DOUBLE QUOTATION MARK}(.+?)\N{RIGHT DOUBLE QUOTATION MARK}",
}
"""Words in capitals, and where in what was said so far a reader finds what to type."""

FILES = {
    "voice.md": "Plain, and close to the water.\n",
    "notes.md": "# Wend\n\n- The ferry runs at slack water only.\n- Nobody owns the quay.\n",
}
"""What a reader has at hand."""


class Reader:
    """Somebody who types what a page says, and puts in what its capitals stand for."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._heard = ""

    def types(self, line: str) -> Said:
        """What a line of the page brought about."""
        sign, name, *words = shlex.split(line, comments=True)
        assert (sign, name) == ("$", "inklings"), line
        said = self._console(*map(self._meant, words), stdin=b"y\n", typed=True)
        self._heard += said.out
        return said

    def _meant(self, word: str) -> str:
        if word not in STANDS_FOR:
            return word
        return str(re.findall(STANDS_FOR[word], self._heard, re.MULTILINE)[-1])


def typed_lines(page: str) -> list[tuple[str, list[str]]]:
    """Each command of a page, and what the page says that it answers."""
    found: list[tuple[str, list[str]]] = []
    text = (REPOSITORY / page).read_text(encoding="utf-8").partition(WALKED_ELSEWHERE)[0]
    for block in BLOCK.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line, []))
            else:
                found[-1][1].append(line)
    return found


@pytest.mark.end2end
@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_does_what_the_page_says(
    page: str, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")  # the guides are walked on Linux
    for name in ("HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    reader = Reader(console)
    lines = typed_lines(page)
    assert lines
    for line, answers in lines:
        said = reader.types(line)
        assert said.status == 0, f"{line}\n{said.out}{said.err}"
        for answer in answers:
            assert answer in said.out, f"{line}\n{said.out}"


def test_the_python_of_the_guide_runs(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (DOCS / "guides" / "agent-developer.md").read_text(encoding="utf-8")
    [code] = re.findall(r"<!-- python -->\n```python\n(.+?)\n```", page, re.DOTALL)
    console.document("workspace", "create", "Saltglass")
    monkeypatch.setenv("INKLINGS_DATA_DIR", str(console.data_dir))
    exec(compile(code, "guide", "exec"), {})  # noqa: S102 - what the page says
    listed = console.document("memory", "list", "--tier", "workspace")
    assert [one["content"] for one in listed["memories"]] == ["Tides are counted in bells."]
