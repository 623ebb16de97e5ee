"""Skills of a workspace, of the account and of the program: the author's to make and to choose."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.skills.folder import checked_files, contents_of
from inklings_desktop.domain.skills.skill import (
    MAIN_FILE,
    MAX_SKILLS,
    Contents,
    KeptSkill,
    Origin,
    Skill,
    checked_skill_name,
    in_force,
    ranked,
)
from inklings_desktop.domain.words.query_text import (
    bare,
    folded,
    forms_of,
    stop_words_for,
    words_of,
)
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.skills import Switch
from inklings_desktop.usecases.steps.recording import record_known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.skills.skill import SkillVersion
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork

MAX_FOUND = 20


def scope_of(file: str | None) -> ScopeKey:
    """The scope that stands for a file."""
    return ScopeKey.account() if file is None else ScopeKey.workspace(file)


class Skills(Asked):
    """What there is, what may be chosen, and every change of it.

    ``here`` is the workspace that is asked about; None for the account alone. ``file`` is where
    something is put: a workspace's id, or None for the account. Changes are the person's: they
    raise ``ScopeDeniedError`` for anybody else.
    """

    def list(self, here: str | None) -> tuple[Skill, ...]:
        """Every skill, those that another one hides too; an agent gets what it may choose.

        Raises:
            ScopeDeniedError: An agent that may not read the workspace.
        """
        authorize(self.caller, Action.READ, scope_of(here))
        found: list[Skill] = []
        if here is not None:
            with self.store.read(here) as view:
                found += view.skills.every()
        with self.store.read(None) as view:
            found += [*view.skills.every(), *self._shipped(view)]
        if not self.caller.is_agent:
            return tuple(found)
        return tuple(one for one in in_force(found).values() if one.enabled)

    def show(self, here: str | None, name: str, level: str = "") -> Skill:
        """One skill: that which counts, or that of a level (workspace, account, program).

        Raises:
            ScopeDeniedError: An agent that may not read the workspace.
            NotFoundError: There is none, or an agent may not choose it.
        """
        every = self.list(here)
        if level:
            found = next((one for one in every if (one.name, one.level) == (name, level)), None)
        else:
            found = in_force(every).get(name)
        if found is None:
            raise NotFoundError("skill", name, tuple(sorted({one.name for one in every})))
        return found

    def search(
        self, here: str | None, query: str, limit: int = MAX_FOUND
    ) -> tuple[tuple[float, Skill], ...]:
        """Skills that bear on a question, with how well, 0 to 1; the best first.

        Only those that may be chosen; without a question the ones that were used last.

        Raises:
            ScopeDeniedError: An agent that may not read the workspace.
        """
        chosen = [one for one in in_force(self.list(here)).values() if one.enabled]
        asked = words_of(folded(query))
        empty = stop_words_for(asked, bare)
        words = [forms_of(one) for one in asked if bare(one) not in empty]
        if not words:
            return tuple((0.0, one) for one in by_last_use(chosen)[:limit])
        return tuple(ranked(chosen, words)[:limit])

    def save(
        self,
        file: str | None,
        files: Mapping[str, str],
        *,
        name: str = "",
        expected_version: int | None = None,
    ) -> Skill:
        """Stores a skill of the author's own: a new one, or the next version of one.

        Args:
            file: Where.
            files: Text by place; SKILL.md among them.
            name: Under which name the one lies that is changed; empty for a new one.
            expected_version: That of the skill the author has seen.

        Raises:
            NotFoundError: There is none of this name to change.
            ConflictError: Another version is there, or the name of the new one is taken.
            InvalidValueError: It can be no skill, or the one there is not the author's own.
        """
        contents = self.understood(files)
        self._require_person("skill.save", file)
        with self.writing(file) as unit:
            before = unit.skills.named(name) if name else None
            saved = saved_skill(self, unit, file, contents, before, expected_version)
            unit.commit()
        return saved

    def revert(self, file: str | None, name: str, version: int) -> Skill:
        """Makes an earlier state of a skill its newest one.

        Raises:
            NotFoundError: There is no such skill or version.
        """
        earlier = {one.version: one for one in self.versions(file, name)}
        if version not in earlier:
            raise NotFoundError("skill_version", str(version))
        return self.save(file, earlier[version].files, name=name)

    def versions(self, file: str | None, name: str) -> tuple[SkillVersion, ...]:
        """Earlier states of a skill, the newest first.

        Raises:
            NotFoundError: There is none of this name.
        """
        self._require_person("skill.list", file)
        with self.store.read(file) as view:
            return view.skills.versions(view.skills.named(name).id)

    def look_at(self, here: str | None, name: str, level: str = "") -> Skill:
        """Notes that the author has looked at a skill; only then one that was brought in works.

        Raises:
            NotFoundError: There is none.
        """
        found = self.show(here, name, level)
        if not found.is_waiting:
            return found
        self._require_person("skill.look", found.workspace_id)
        seen = replace(found, seen_at=self.clock())
        with self.writing(found.workspace_id) as unit:
            unit.skills.mark(seen)
            unit.commit()
        return seen

    def enable(self, here: str | None, name: str, level: str = "", *, on: bool = True) -> Skill:
        """Says whether an agent may choose a skill.

        Raises:
            NotFoundError: There is none.
            InvalidValueError: It was brought in, and nobody has looked at it.
        """
        found = self.show(here, name, level)
        self._require_person("skill.enable", found.workspace_id)
        if on and found.is_waiting:
            raise InvalidValueError("skill", "not_seen")
        after = replace(found, enabled=on)
        if after == found:
            return found
        with self.writing(found.workspace_id) as unit:
            if found.origin is Origin.SYSTEM:
                unit.skills.put_switch(name, Switch(on, found.last_used_at), self.clock())
            else:
                unit.skills.mark(after)
            record(self, unit, EventKind.SKILL_ENABLED if on else EventKind.SKILL_DISABLED, after)
            unit.commit()
        return after

    def fork(
        self, here: str | None, name: str, file: str | None, new_name: str = "", level: str = ""
    ) -> Skill:
        """Copies a skill, so that the author can change it; it stands above one of a lower level.

        Args:
            here: The workspace that is asked about.
            name: Of the skill.
            file: Where the copy goes.
            new_name: Of the copy; empty for the same, which another level must have.
            level: Of which level the skill is; empty for the one that counts.

        Raises:
            NotFoundError: There is none.
            ConflictError: There is one of this name where the copy goes.
        """
        found = self.show(here, name, level)
        called = checked_skill_name(new_name or name)
        files = dict(found.contents.files)
        if called != name:
            files[MAIN_FILE] = self.adapters.skill_folders.with_head(
                files[MAIN_FILE], "name", called
            )
        contents = self.understood(files)
        self._require_person("skill.fork", file)
        with self.writing(file) as unit:
            made = saved_skill(self, unit, file, contents, None, None, f"{name}@{found.version}")
            unit.commit()
        return made

    def delete(self, file: str | None, name: str) -> KeptSkill:
        """Takes a skill away; ``restore`` brings back what it hands out.

        Raises:
            NotFoundError: There is none of this name there; one of the program only goes off.
        """
        self._require_person("skill.delete", file)
        with self.writing(file) as unit:
            kept = unit.skills.remove(name)
            record(self, unit, EventKind.SKILL_DELETED, kept.skill)
            unit.commit()
        return kept

    def restore(self, kept: KeptSkill) -> Skill:
        """Brings a skill back that was deleted just now, with its earlier states.

        Raises:
            ConflictError: Its name was taken meanwhile.
        """
        self._require_person("skill.save", kept.skill.workspace_id)
        with self.writing(kept.skill.workspace_id) as unit:
            unit.skills.put_back(kept)
            record(self, unit, EventKind.SKILL_SAVED, kept.skill)
            unit.commit()
        return kept.skill

    def understood(self, files: Mapping[str, str], folder: str | None = None) -> Contents:
        """What some files are as a skill.

        Args:
            files: Text by place.
            folder: Name of their folder, which must be the skill's; None where there is none.

        Raises:
            InvalidValueError: They are none.
        """
        checked = checked_files({path: text.encode() for path, text in files.items()})
        return contents_of(checked, self.adapters.skill_folders.head(checked[MAIN_FILE]), folder)

    def _shipped(self, account: StoreView) -> tuple[Skill, ...]:
        switches, since = account.skills.switches(), self.clock()
        nothing = Switch(enabled=True, last_used_at=None)
        return tuple(
            Skill(
                one.name, None, one, Origin.SYSTEM, 1, switch.enabled, "Inklings", since, since,
                seen_at=since, last_used_at=switch.last_used_at,
            )
            for one in self.adapters.skill_folders.shipped()
            for switch in (switches.get(one.name, nothing),)
        )  # fmt: skip

    def _require_person(self, verb: str, file: str | None) -> None:
        self.require_person(verb, Tier.ACCOUNT if file is None else Tier.WORKSPACE, file)


def by_last_use(skills: list[Skill]) -> list[Skill]:
    """The one that was used last first, then by name those that never were."""
    used = [one for one in skills if one.last_used_at is not None]
    used.sort(key=lambda one: one.last_used_at or one.created_at, reverse=True)
    return used + sorted(
        (one for one in skills if one.last_used_at is None), key=lambda one: one.name
    )


def saved_skill(  # noqa: PLR0917 - what is saved, over what, as whose
    asked: Asked,
    unit: UnitOfWork,
    file: str | None,
    contents: Contents,
    before: Skill | None,
    expected_version: int | None,
    forked_from: str = "",
) -> Skill:
    """Stores one of the author's own inside a transaction that the caller commits.

    Raises:
        ConflictError: Another version is there than expected, or the name is taken.
        InvalidValueError: The one there is not the author's own, or there are 500.
    """
    now, caller = asked.clock(), asked.caller
    if before is None:
        require_room(unit, contents.name)
        after = Skill(
            asked.new_id(), file, contents, Origin.USER, 1, True, caller.signs_as, now, now,
            forked_from,
        )  # fmt: skip
    else:
        if before.is_read_only:
            raise InvalidValueError("skill", "read_only")
        if expected_version not in {None, before.version}:
            raise ConflictError("skill", before.name, expected_version, before.version)
        if before.contents.files == contents.files:
            return before
        after = replace(
            before,
            contents=contents,
            version=before.version + 1,
            changed_by=caller.signs_as,
            edited_at=now,
        )
    unit.skills.save(after)
    record(asked, unit, EventKind.SKILL_SAVED, after)
    return after


def require_room(unit: UnitOfWork, name: str) -> None:
    """Return only if one more skill of this name may be kept.

    Raises:
        ConflictError: There is one.
        InvalidValueError: There are 500.
    """
    with suppress(NotFoundError):
        raise ConflictError("skill", unit.skills.named(name).name)
    if len(unit.skills.every()) >= MAX_SKILLS:
        raise InvalidValueError("skills", "too_many", MAX_SKILLS)


def record(asked: Asked, unit: UnitOfWork, kind: EventKind, skill: Skill) -> None:
    """Append one event of a skill: which, never what it says."""
    scope = scope_of(skill.workspace_id)
    record_known(unit, asked.caller, kind, scope, [skill.id], asked.clock(), did="skills")
