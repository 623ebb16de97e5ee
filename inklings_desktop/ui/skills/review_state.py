"""A skill that an agent made or mended, beside what is there: what of it is taken; no widgets."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.folder import apart, together
from inklings_desktop.domain.skills.skill import MAIN_FILE, ArtifactKind, changed_paths
from inklings_desktop.domain.words.text_diff import TextDiff, diff_lines
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.skills.dry_run import code_of, findings_on
from inklings_desktop.ui.skills.state import ArtifactRow, undecided
from inklings_desktop.ui.skills.words import ICONS, kind_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef
    from inklings_desktop.domain.skills.assertions import Assertion, Finding
    from inklings_desktop.domain.skills.skill import Artifact, Contents, Skill
    from inklings_desktop.ui.skills.dry_run import CodeRun
    from inklings_desktop.usecases.bundle import Inklings

NEW, CHANGED, SAME, GONE = "new", "changed", "same", "gone"
_STATES = (CHANGED, NEW, GONE, SAME)
_KINDS = (
    ArtifactKind.CODE_TEMPLATE,
    ArtifactKind.PROMPT_TEMPLATE,
    ArtifactKind.EXAMPLE,
    ArtifactKind.DESCRIPTION,
    ArtifactKind.APPROACH,
)
"""What a person looks at first: what runs, and what a model is told."""
_LOOKED_AT = 50

diff_of = lru_cache(maxsize=8)(diff_lines)  # a choice changes nothing in it


@dataclass(frozen=True, slots=True)
class Review:
    """What is reviewed.

    Attributes:
        before: The skill that would change; None for a new one.
        after: What it would be, all of it taken.
        given: What it was given when somebody worked by it last; empty for nothing.
        seconds_ago: How long ago it was asked for.
    """

    proposal: Proposal
    before: Skill | None
    after: Contents
    given: str
    seconds_ago: float

    @property
    def states(self) -> Mapping[str, str]:
        """Of each file what becomes of it, those that are another first."""
        files = {} if self.before is None else self.before.contents.files
        found = changed_paths(files, self.after.files)

        def place(one: tuple[str, str]) -> tuple[int, int]:
            return _STATES.index(one[1]), _KINDS.index(self.artifact(one[0]).kind)

        return dict(sorted(found.items(), key=place))

    @property
    def is_overtaken(self) -> bool:
        """Whether the skill was changed after this was asked for."""
        return self.before is not None and self.before.version != self.proposal.base_version

    def artifact(self, path: str) -> Artifact:
        """A file as it would be; as it is where it would go."""
        found = self.after.artifact(path)
        if found is None and self.before is not None:
            found = self.before.contents.artifact(path)
        assert found is not None
        return found

    def text_before(self, path: str) -> str:
        """Text of a file as it is; empty for a new one."""
        return "" if self.before is None else self.before.contents.files.get(path, "")

    def files_without(self, left: frozenset[str]) -> dict[str, str]:
        """The files where what becomes of some is left out."""
        after = dict(self.after.files)
        before = {} if self.before is None else self.before.contents.files
        for path in left:
            if path in before:
                after[path] = before[path]
            else:
                after.pop(path, None)
        return after


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of the code of both versions on one input.

    Attributes:
        path: Place of the code; empty where the skill has none.
        before: None where it has none yet.
        after: None where it has none any more.
        findings: What holds of what comes of it now.
        held_before: Of each of these whether it held before; None where nobody knows.
    """

    path: str
    before: CodeRun | None
    after: CodeRun | None
    findings: tuple[Finding, ...] = ()
    held_before: tuple[bool | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewState:
    """What is on show.

    Attributes:
        current: Place of the file on show.
        left: Places of files that are left as they are.
        chosen: What the skill would be with these left; None where it would be none.
        problem: Why it would be none.
        given: What both versions are given.
        shows_new: Whether the new text is on show instead of the difference.
        trial: What came of both; None before.
        no_composer: Why it cannot be mended further; empty where it can.
    """

    review: Review
    current: str
    given: str
    chosen: Contents | None
    left: frozenset[str] = field(default_factory=frozenset)
    problem: str = ""
    shows_new: bool = False
    is_running: bool = False
    is_deciding: bool = False
    trial: Trial | None = None
    no_composer: str = ""

    @property
    def checks(self) -> tuple[tuple[Assertion, Finding | None, bool | None], ...]:
        """Every assertion with what came of it, None before, and whether it held before."""
        trial, said = self.trial, list[tuple["Assertion", "Finding | None", "bool | None"]]()
        for artifact in () if self.chosen is None else self.chosen.artifacts:
            is_tried = trial is not None and artifact.path == trial.path and bool(trial.findings)
            for number, one in enumerate(artifact.assertions):
                if trial is not None and is_tried:
                    said.append((one, trial.findings[number], trial.held_before[number]))
                else:
                    said.append((one, None, None))
        return tuple(said)

    @property
    def tried(self) -> tuple[bool, ...]:
        """Of each assertion that could be tried whether it holds."""
        return tuple(
            one.holds for _, one, _ in self.checks if one is not None and one.holds is not None
        )

    @property
    def code_path(self) -> str:
        """Place of the code that both versions are tried by; empty for none."""
        found = None if self.chosen is None else code_of(self.chosen, self.current)
        return found.path if found is not None else ""

    @property
    def can_use(self) -> bool:
        """Whether anything of it is taken, and it would be a skill."""
        is_any = self.chosen is not None and (
            self.review.before is None or self.chosen.files != self.review.before.contents.files
        )
        return is_any and not self.is_deciding


def read_review(inklings: Inklings, ref: ProposalRef) -> Review:
    """A proposal of a skill with what it is about; runs on a reader.

    Raises:
        NotFoundError: It, or the skill that would change, is gone.
        ConflictError: It was decided before.
        InvalidValueError: It is no skill.
    """
    proposal = inklings.proposals.show(ref)
    if not proposal.is_undecided:
        raise ConflictError("proposal", proposal.id)
    here, name, before = ref.workspace_id, proposal.target_name, None
    if proposal.target_id:
        before = inklings.skills.show(here, name, "workspace")
    after = inklings.skills.understood(apart(proposal.text))
    traces = inklings.skill_runs.traces(here, name, _LOOKED_AT)
    given = next((one.given for one in traces if one.given), "")
    ago = (inklings.clock() - proposal.created_at).total_seconds()
    return Review(proposal, before, after, given, ago)


def chosen_of(inklings: Inklings, review: Review, left: frozenset[str]) -> Contents:
    """What the skill would be where some files are left as they are.

    Raises:
        InvalidValueError: It would be none.
    """
    files = review.files_without(left)
    if MAIN_FILE not in files:
        raise InvalidValueError("skill_files", "no_main", MAIN_FILE)
    return inklings.skills.understood(files)


def tried(state: ReviewState, before: CodeRun | None, after: CodeRun | None) -> Trial:
    """What came of the code of both versions, with what holds of it."""
    artifact = None if state.chosen is None else state.chosen.artifact(state.code_path)
    if artifact is None or after is None:
        return Trial(state.code_path, before, after)
    findings = findings_on(artifact, after, state.given)
    held: tuple[bool | None, ...] = (None,) * len(findings)
    if before is not None and before.has_sandbox:
        held = tuple(one.holds for one in findings_on(artifact, before, state.given))
    return Trial(artifact.path, before, after, findings, held)


def used(inklings: Inklings, state: ReviewState, text: str) -> Done:
    """Accept what is taken, and say how that is undone; called on a writer.

    Raises:
        ConflictError: It was decided meanwhile, or the skill is another by now.
        InvalidValueError: What is taken is no skill.
    """
    review = state.review
    ref, before = review.proposal.ref, review.before
    body = together(review.files_without(state.left)) if state.left else None
    version = None if before is None else before.version
    done = inklings.proposals.accept(ref, body=body, expected_version=version)
    made = inklings.skills.show(ref.workspace_id, done.target_name, "workspace")
    return Done(text, lambda later: undecided(later, ref=done.ref, made=made))


def discarded(inklings: Inklings, state: ReviewState, text: str) -> Done:
    """Decline it, and say how that is undone; called on a writer.

    Raises:
        ConflictError: It was decided meanwhile.
    """
    ref = inklings.proposals.reject(state.review.proposal.ref).ref
    return Done(text, lambda later: undecided(later, ref=ref, made=None))


def review_rows(state: ReviewState) -> tuple[ArtifactRow, ...]:
    """The files, each with what becomes of it."""
    rows = []
    for path, what in state.review.states.items():
        kind = state.review.artifact(path).kind
        is_alone = len([one for one in state.review.after.artifacts if one.kind is kind]) == 1
        text = kind_word(kind)
        rows.append(
            ArtifactRow(
                path,
                text,
                "" if is_alone else path.rpartition("/")[2],
                "",
                ICONS[kind],
                "left" if path in state.left else what,
            )
        )
    return tuple(rows)


def difference(state: ReviewState) -> TextDiff:
    """How the file on show becomes another."""
    review, path = state.review, state.current
    return diff_of(review.text_before(path), review.after.files.get(path, ""))
