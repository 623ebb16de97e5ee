"""Run the benchmarks one after the other, each in a process of its own, and say what came of it.

    python -m benchmarks [NAME ...] [--eval FOLDER] [--vectors FOLDER] [--large]
                         [--json FILE] [--readme FILE]

Without names all of them run that need no window. ``--readme`` puts the tables between the
markers of a Markdown file; ``--json`` keeps every figure; ``--large`` adds a million rows.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.markdown import inserted, tables_of
from benchmarks.retrieval_quality import EVAL_VARIABLE

SPEED = (
    "search_speed",
    "first_answer",
    "agent_start",
    "add",
    "bulk",
    "embed",
    "agent_saver",
    "agent_speed",
    "agent_scripts",
    "scale",
)
QUALITY = "retrieval_quality"
LANGUAGES = "languages"
LARGE = ("--sizes", "100000", "1000000")
SMALL = ("--sizes", "100000")


def main() -> None:
    """Run, print, and write what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "names", nargs="*", choices=[[], *SPEED, LANGUAGES, QUALITY], metavar="NAME"
    )
    parser.add_argument("--eval", type=Path, default=os.environ.get(EVAL_VARIABLE))
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--readme", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    names = chosen.names or [*SPEED, LANGUAGES, *([QUALITY] if chosen.eval else [])]
    if QUALITY in names and chosen.eval is None:
        parser.error(f"name the questions with --eval or {EVAL_VARIABLE}")
    documents = []
    for name in names:
        print(f"{name} ...", file=sys.stderr)
        documents.append(run(name, arguments_of(name, chosen)))
    text = tables_of(documents)
    print(text)
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(documents, indent=2) + "\n", encoding="utf-8")
    if chosen.readme is not None:
        page = chosen.readme.read_text(encoding="utf-8")
        chosen.readme.write_text(inserted(page, text), encoding="utf-8")


def arguments_of(name: str, chosen: argparse.Namespace) -> list[str]:
    """What a script is told beyond its defaults."""
    if name == QUALITY:
        vectors = [] if chosen.vectors is None else ["--vectors", str(chosen.vectors)]
        return ["--eval", str(chosen.eval), *vectors]
    if name == "scale":
        return list(LARGE if chosen.large else SMALL)
    return []


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """The JSON document of one script.

    Raises:
        CalledProcessError: It failed; what it said is on stderr.
    """
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *arguments, "--json"],
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    document: dict[str, Any] = json.loads(done.stdout)
    return document


if __name__ == "__main__":
    main()
