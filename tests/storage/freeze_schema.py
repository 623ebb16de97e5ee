"""Writes the fixture of the schema version in use: a small data root as this program makes it.

Run ``python -m tests.storage.freeze_schema`` once a new schema version is finished; the fixtures
of earlier versions stay as they are for ever.
"""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from inklings_desktop.domain.access.access import RequestMark
from inklings_desktop.domain.access.clients import Client, ClientKind
from inklings_desktop.domain.background.activities import Activity, Budget
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.knowledge.domains import ClientRole
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.skills.folder import contents_of
from inklings_desktop.domain.skills.skill import Origin, Skill
from inklings_desktop.domain.skills.traces import SkillTrace, TraceOutcome
from inklings_desktop.storage.engine.connecting import (
    FILE_MODE,
    FOLDER_MODE,
    KEY_BYTES,
    KEY_FILE,
    connect_raw,
    write_private,
)
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION
from inklings_desktop.storage.scrubbing.erasure import SqliteEraser
from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    SeededIds,
    a_channel,
    a_conversation,
    a_message,
)
from tests.support.scrub_world import CHANNELS, CONVERSATIONS, ScrubWorld, scopes
from tests.support.settled_rows import settle
from tests.support.sqlite_store import SqliteWorld, sqlite_world

FIXTURES = Path(__file__).parent / "fixtures"
MARK = "saltglass"
MARKED = RequestMark("t1:0", "memory_put", "0" * 64)
"""A word that every memory of a fixture says."""


def fixture(version: int) -> Path:
    """The data root that was frozen for a schema version, packed."""
    return FIXTURES / f"schema_{version}.zip"


def thaw(version: int, root: Path) -> None:
    """Put a data root of this schema version into a folder."""
    with ZipFile(fixture(version)) as packed:
        packed.extractall(root)
    for path in (root, *root.rglob("*")):
        path.chmod(FOLDER_MODE if path.is_dir() else FILE_MODE)


def freeze(path: Path) -> None:
    """Pack a data root with both kinds of file, everything in it, and nothing else.

    Args:
        path: Where it shall be; what is there is replaced.
    """
    path.parent.mkdir(exist_ok=True)
    with TemporaryDirectory() as made_in, ZipFile(path, "w") as packed:
        root = Path(made_in)
        write_private(root / KEY_FILE, bytes(range(KEY_BYTES)))
        with sqlite_world(root) as world:
            _fill(world)
        folder = f"workspaces/{WORKSPACE_ID}"
        for name in ("agents.db", f"{folder}/agents.db"):
            with closing(connect_raw(root / name)) as connection:
                connection.execute("VACUUM INTO ?", (str(root / "compact"),))
            (root / "compact").replace(root / name)
        for name in (
            "agents.db",
            KEY_FILE,
            "log_heads.json",
            f"{folder}/agents.db",
            f"{folder}/workspace.json",
        ):
            # Without a time of its own, so that the same contents are the same file.
            packed.writestr(ZipInfo(name), (root / name).read_bytes(), ZIP_DEFLATED)


def _fill(world: SqliteWorld) -> None:
    chance = random.Random(2)  # noqa: S311  it only makes up texts
    scribe = ScrubWorld(world, chance, SeededIds(1701), SqliteEraser(world.databases))
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for number, channel_id in enumerate(CHANNELS):
            unit.conversations.add_channel(a_channel(f"room-{number}", channel_id=channel_id))
        for number, one in enumerate(CONVERSATIONS):
            talk = a_conversation(
                CHANNELS[number], conversation_id=one, ref_code=f"R8VX4ip1wN{number}"
            )
            unit.conversations.add(talk, ["researcher"])
            unit.messages.append(a_message(talk.id, f"The {MARK} is high."))
            unit.messages.append(a_message(talk.id, f"Noted: {MARK}.", role="assistant"))
        unit.commit()
    for scope in scopes():
        scribe.fill(scope, MARK, n_memories=4)
        with world.store.write(scope.workspace_id, initiator="Ada") as unit:
            created = EventDraft(EventKind.MEMORY_CREATED, "Ada", "person", "cli")
            unit.events.append(created, NOON)
            unit.commit()
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        settle(unit, MARK)
        _skill(unit)
        unit.commit()
    with world.store.write(None, initiator="Ada") as unit:
        unit.clients.save(Client("loom", ClientKind.EXTERNAL, NOON))
        held = ClientRole("loom", WORKSPACE_ID, "editor", is_default=True)
        unit.knowledge.put_client_roles("loom", WORKSPACE_ID, [held])
        unit.requests.keep("loom", MARKED, "proposal.made", ("0b8f",), NOON)
        unit.commit()


def _skill(unit: SqliteUnitOfWork) -> None:
    """A skill with an earlier version, what came of a run, and an activity."""
    for version in (1, 2):
        head = {"name": "tides", "description": f"Reads the {MARK}."}
        of = contents_of({"SKILL.md": f"Read {version}: {MARK}."}, head)
        skill_id = "0b8f4c1e-0000-4000-8000-000000000001"
        unit.skills.save(
            Skill(skill_id, WORKSPACE_ID, of, Origin.USER, version, True, "Ada", NOON, NOON)
        )
    unit.skills.add_trace(
        SkillTrace(
            id="trace", skill="tides", version=2, position=0, run_id="run",
            outcome=TraceOutcome.PASSED, assertions=(), ms=1, at=NOON, given=MARK, output=MARK,
        )
    )  # fmt: skip
    unit.activities.put(
        Activity(
            "activity", "Digest", f"What of the {MARK}?", CHANNELS[0],
            schedule_of({"daily": "08:00"}, "UTC"), Budget(), "Ada", NOON, enabled=False,
        )
    )  # fmt: skip


if __name__ == "__main__":
    freeze(fixture(SCHEMA_VERSION))
