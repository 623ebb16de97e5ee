"""Coverage-guided fuzzing of the import: files of anybody's, changed where they reach new code.

Run it with atheris, which is no dependency of ours; CONTRIBUTING says how. Whatever a file does
other than being refused with a sentence or coming in soundly is a finding: its bytes and its
traceback go to a folder, once for each place in the code, and the run goes on.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import traceback
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import atheris

with atheris.instrument_imports(include=["inklings_desktop.domain", "inklings_desktop.usecases"]):
    from inklings_desktop.cli.import_refusals import refusal_sentence
    from inklings_desktop.domain.transfer.document import ImportRefusedError
    from inklings_desktop.domain.transfer.transfer_reading import read_document
    from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
    from tests.support.dumps import logical_dump
    from tests.support.hostile_files import hostile_files
    from tests.support.sqlite_store import integrity_faults
    from tests.support.transfers import fill, transfer_bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.transfers import TransferBench

LARGEST_SEED = 48 * 1024
LARGEST = 64 * 1024
ONE_IN = 12
"""Of the files that are read, one in so many is also brought in: that takes a store."""
_ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 1e300, -0.0, 0.5, "", "\u202e", "\U000e0041"),
    *("x" * 3_000, [], {}, [[]], {"id": 1}, "9999-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z"),
    *("account", "workspace", "channel", "conversation", "active", "VOICE", "SOUL", "{}", "[]"),
    *("long_term", "import", "author", "agent", "user", "AAAAAA==", WORKSPACE_ID),
)


@dataclass(frozen=True, slots=True)
class Fuzzing:
    """Two data roots to bring files into, and where findings go."""

    workshop: Path
    findings: Path

    def prepare(self, corpus: Path) -> None:
        """Make the two roots, one empty and one lived in, and the first files."""
        for seed in range(4):
            with transfer_bench(self.workshop / f"made{seed}") as source:
                fill(source, seed, n_memories=3)
                file = corpus / f"export{seed}.json"
                source.export(file)
        for number, (_, data) in enumerate(
            hostile_files((corpus / "export0.json").read_bytes(), 150)
        ):
            if len(data) <= LARGEST_SEED:
                (corpus / f"hostile{number}.json").write_bytes(data)
        shutil.copytree(self.workshop / "made1", self.workshop / "filled")
        with transfer_bench(self.workshop / "empty", workspace_ids=(OTHER_WORKSPACE_ID,)):
            pass

    def __call__(self, data: bytes) -> None:
        """Take one file in as the program does."""
        try:
            try:
                read_document(data)
            except ImportRefusedError as error:
                require_sentence(error)
                return
            chance = random.Random(zlib.crc32(data))  # noqa: S311  it only chooses what to try
            if chance.randrange(ONE_IN) == 0:
                self._bring_in(data, "filled" if chance.random() < 0.6 else "empty", chance)
        except Exception as error:  # noqa: BLE001  every one of them is a finding
            self._keep(data, error)

    def _bring_in(self, data: bytes, into: str, chance: random.Random) -> None:
        root, file = self.workshop / "tried", self.workshop / "file.json"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(self.workshop / into, root)
        file.write_bytes(data)
        with transfer_bench(root, workspace_ids=()) as bench:
            before = everything(bench)
            try:
                preview = bench.preview(file)
                imported = bench.apply(
                    preview,
                    {
                        one.number: chance.choice(one.choices)
                        for one in preview.rows
                        if chance.random() < 0.7
                    },
                )
            except ImportRefusedError as error:
                require_sentence(error)
                assert everything(bench) == before, "a refused import changed something"
                return
            require_sound(bench)
            out = self.workshop / "again.json"
            bench.export(out)
            read_document(out.read_bytes())
            if imported.n_added or imported.n_taken:
                bench.asked.withdraw_import(imported.run_id)
                require_sound(bench)

    def _keep(self, data: bytes, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        place = "|".join(
            f"{Path(one.filename).name}:{one.name}:{one.lineno}" for one in frames[-4:]
        )
        name = f"{type(error).__name__}-{zlib.crc32(place.encode()):08x}"
        with suppress(FileExistsError), (self.findings / f"{name}.json").open("xb") as file:
            file.write(data)
            text = "".join(traceback.format_exception(error))
            (self.findings / f"{name}.txt").write_text(text, "utf-8")
            sys.stderr.write(f"FOUND {name}: {error}\n")


def files_of(bench: TransferBench) -> Iterator[str | None]:
    """The account, then every workspace."""
    yield None
    yield from [one.id for one in bench.world.directory.workspaces()]


def everything(bench: TransferBench) -> list[object]:
    """Every row of every database."""
    return [logical_dump(bench.world.path(file), without=()) for file in files_of(bench)]


def require_sentence(error: ImportRefusedError) -> None:
    """Refusing says why."""
    sentence = refusal_sentence(error)
    assert sentence[0].isupper(), sentence
    assert sentence.endswith("."), sentence
    assert "{" not in sentence, sentence


def require_sound(bench: TransferBench) -> None:
    """What came in left every file as it must be."""
    for file in files_of(bench):
        assert integrity_faults(bench.world.path(file)) == []
        with bench.world.store.read(file) as view:
            assert view.events.first_broken() is None


def changed(data: bytes, largest: int, seed: int) -> bytes:
    """The file with one to four of its values changed, moved or gone; else with other bytes."""
    chance = random.Random(seed)  # noqa: S311  it only chooses what to change
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or chance.random() < 0.3:
        return bytes(atheris.Mutate(data, largest))
    for _ in range(chance.randrange(1, 5)):
        places = list(places_of(document))
        if places:
            change(*chance.choice(places), places, chance)
    text = json.dumps(document, ensure_ascii=chance.random() < 0.5)
    return text.encode("utf-8", "surrogatepass")[:largest]


def places_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key or index of it."""
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from places_of(value[key])


def change(within: Any, key: Any, places: list[tuple[Any, Any]], chance: random.Random) -> None:
    """One place of a document becomes something else."""
    here = within[key]
    match chance.randrange(6):
        case 0:
            within[key] = chance.choice(_ODD)
        case 1:
            other, name = chance.choice(places)
            with suppress(KeyError, IndexError):
                within[key] = json.loads(json.dumps(other[name]))
        case 2 if isinstance(here, str):
            raw = atheris.Mutate(here.encode("utf-8", "surrogatepass"), len(here) + 40)
            within[key] = raw.decode("utf-8", "replace")
        case 3 if isinstance(here, int | float):
            within[key] = here + chance.choice([-1, 1, 0.1, 2**40])
        case 4 if isinstance(within, list):
            within.insert(chance.randrange(len(within) + 1), json.loads(json.dumps(here)))
        case _ if isinstance(within, dict) and chance.random() < 0.5:
            within[chance.choice([f"{key}_", "id", "name", "tier"])] = within.pop(key)
        case _:
            del within[key]


def main() -> None:
    """Fuzz until the time is over; everything after the two folders goes to libFuzzer."""
    reading = argparse.ArgumentParser()
    reading.add_argument("corpus", type=Path)
    reading.add_argument("findings", type=Path)
    own, rest = reading.parse_known_args()
    own.corpus.mkdir(parents=True, exist_ok=True)
    own.findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as workshop:
        fuzzing = Fuzzing(Path(workshop), own.findings)
        fuzzing.prepare(own.corpus)
        options = [f"-max_len={LARGEST}", "-timeout=60", "-rss_limit_mb=2048"]
        atheris.Setup(
            [sys.argv[0], *options, *rest, str(own.corpus)], fuzzing, custom_mutator=changed
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main()
