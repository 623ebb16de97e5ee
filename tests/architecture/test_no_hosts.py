from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.architecture.contract_report import REPOSITORY

REGISTRY = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.org|huggingface\.co|deb\.debian\.org"
    r"|--(?:extra-)?index-url|PIP_INDEX[_]URL|UV_(?:DEFAULT_)?INDEX",
    re.IGNORECASE,
)
MACHINE_PATH = re.compile(
    r"(?<![\w.:/<~$}-])/(?:work|opt|root|home|tmp|Users)/\w|[A-Z]:\\+Users\\+\w"
)


def files_of_the_repository() -> list[Path]:
    """Everything that is or would be committed."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = (REPOSITORY / name for name in listed.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]


def lines_matching(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in files_of_the_repository():
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8").splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(REPOSITORY)}:{number}: {line.strip()[:120]}")
    return found


def test_no_file_names_a_package_registry() -> None:
    assert lines_matching(REGISTRY) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert lines_matching(MACHINE_PATH) == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (REGISTRY, "https://{}/simple".format("pypi" + ".org")),
        (REGISTRY, "pip install --index" + "-url x"),
        (MACHINE_PATH, "see " + "/home" + "/ada/notes"),
        (MACHINE_PATH, '"/' + "tmp" + '/shot.png"'),
        (MACHINE_PATH, "C:" + "\\Users" + "\\ada"),
    ],
)
def test_patterns_find_what_they_look_for(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)


def test_files_are_found_at_all() -> None:
    names = {path.relative_to(REPOSITORY).as_posix() for path in files_of_the_repository()}
    assert {"pyproject.toml", "LICENSE", "inklings_desktop/__init__.py"} <= names
