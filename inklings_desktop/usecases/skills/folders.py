"""Skills in and out as folders and archives, and a whole catalogue of them on disk."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.folder import checked_files, contents_of
from inklings_desktop.domain.skills.skill import MAIN_FILE, Contents, Origin, Skill, changed_paths
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.skills.skills import Skills, record, require_room

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inklings_desktop.usecases.ports.store import StoreView

NEW, SAME, UPDATE, OWN, REFUSED = "new", "same", "update", "own", "refused"


@dataclass(frozen=True, slots=True)
class Preview:
    """What bringing in a folder would do.

    Attributes:
        place: The folder or archive.
        name: Of the skill; of the folder where it is refused.
        contents: What it is; None where it is refused.
        left_out: Places of what is none of the skill's.
        state: ``new``, ``same``, ``update``, ``own`` (one of the author's has this name) or
            ``refused``.
        changes: For each file ``new``, ``changed``, ``same`` or ``gone``; for an update.
        refusal: Why it is refused; None where it is not.
    """

    place: Path
    name: str
    contents: Contents | None
    left_out: tuple[str, ...]
    state: str
    changes: Mapping[str, str]
    refusal: InvalidValueError | None = None


class SkillTransfer(Asked):
    """What comes in is a community skill: switched off until the author has looked at it."""

    def preview(self, file: str | None, place: Path) -> Preview:
        """What is there, beside what a file has of the same name.

        Raises:
            ScopeDeniedError: The caller is no person.
            InvalidValueError: It is no skill, or a hostile one.
            OutsideFileError: It cannot be read.
        """
        self._require_person("skill.preview", file)
        contents, left_out = self._read(place)
        with self.store.read(file) as view:
            return _compared(view, place, contents, left_out)

    def bring_in(self, file: str | None, place: Path) -> Skill:
        """Stores what is there, new or as the next version of what was brought in before.

        Raises:
            ScopeDeniedError: The caller is no person.
            InvalidValueError: It is no skill, or a hostile one, or there are 500.
            ConflictError: A skill of the author's own has its name.
            OutsideFileError: It cannot be read.
        """
        self._require_person("skill.import", file)
        contents, _ = self._read(place)
        now = self.clock()
        with self.writing(file) as unit:
            before = _named(unit, contents.name)
            digest = contents.digest
            if before is not None and before.origin is not Origin.COMMUNITY:
                raise ConflictError("skill", contents.name)
            if before is None:
                require_room(unit, contents.name)
                after = Skill(
                    self.new_id(), file, contents, Origin.COMMUNITY, 1, False,
                    self.caller.signs_as, now, now, source_hash=digest,
                )  # fmt: skip
            elif before.contents.digest == digest:
                return before
            else:  # what nobody has looked at does not go on under the trust in what was there
                after = replace(
                    before,
                    contents=contents,
                    version=before.version + 1,
                    enabled=False,
                    seen_at=None,
                    source_hash=digest,
                    changed_by=self.caller.signs_as,
                    edited_at=now,
                )
            unit.skills.save(after)
            record(self, unit, EventKind.SKILL_IMPORTED, after)
            unit.commit()
        return after

    def take_back(self, before: Skill | None, after: Skill) -> None:
        """Undoes ``bring_in``: what was there is the next version, as trusted as it was.

        Args:
            before: What there was of the name; None where what came in was new.
            after: What came in.

        Raises:
            ConflictError: It was changed since; nothing was changed.
            NotFoundError: It is gone.
        """
        if before is None:
            Skills(self.parts, self.caller).delete(after.workspace_id, after.name)
            return
        self._require_person("skill.import", after.workspace_id)
        with self.writing(after.workspace_id) as unit:
            now = unit.skills.named(after.name)
            if now.version != after.version:
                raise ConflictError("skill", after.name, after.version, now.version)
            again = replace(before, version=now.version + 1, edited_at=self.clock())
            unit.skills.save(again)
            record(self, unit, EventKind.SKILL_IMPORTED, again)
            unit.commit()

    def export(
        self, here: str | None, name: str, into: Path, level: str = "", *, packed: bool = False
    ) -> Path:
        """Writes a skill as a folder, or as an archive with it, and says where.

        Raises:
            NotFoundError: There is none.
            ConflictError: There is something of its name.
            OutsideFileError: It cannot be written.
        """
        self._require_person("skill.export", here)
        found = Skills(self.parts, self.caller).show(here, name, level)
        files = found.contents.files
        return self.adapters.skill_folders.write(name, files, into, packed=packed)

    def catalogue(self, file: str | None, place: Path) -> tuple[Preview, ...]:
        """Every skill below a folder, or in a checkout, beside what a file has; by name.

        Raises:
            ScopeDeniedError: The caller is no person.
            OutsideFileError: It cannot be read.
        """
        self._require_person("skill.preview", file)
        found = []
        for one in self.adapters.skill_folders.catalogue(place):
            try:
                found.append(self.preview(file, one))
            except InvalidValueError as error:
                found.append(Preview(one, one.name, None, (), REFUSED, {}, error))
        return tuple(sorted(found, key=lambda one: one.name))

    def _read(self, place: Path) -> tuple[Contents, tuple[str, ...]]:
        folders = self.adapters.skill_folders
        found = folders.read(place)
        files = checked_files(found.files)
        return contents_of(files, folders.head(files[MAIN_FILE]), found.name), found.left_out

    def _require_person(self, verb: str, file: str | None) -> None:
        self.require_person(verb, Tier.ACCOUNT if file is None else Tier.WORKSPACE, file)


def _named(view: StoreView, name: str) -> Skill | None:
    try:
        return view.skills.named(name)
    except NotFoundError:
        return None


def _compared(
    view: StoreView, place: Path, contents: Contents, left_out: tuple[str, ...]
) -> Preview:
    before = _named(view, contents.name)
    if before is None:
        return Preview(place, contents.name, contents, left_out, NEW, {})
    state = UPDATE if before.origin is Origin.COMMUNITY else OWN
    if before.contents.digest == contents.digest:
        state = SAME
    changes = changed_paths(before.contents.files, contents.files)
    return Preview(place, contents.name, contents, left_out, state, changes)
