"""Skills that an agent writes: the author reads them, and only then they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_agent
from inklings_desktop.domain.entries.proposals import checked_proposal_reason
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.skills.folder import apart, together
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.skills.skills import Skills, saved_skill
from inklings_desktop.usecases.steps.holding import Asking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork


class SkillProposals(Asked):
    """What agents ask for, beside what is there."""

    def propose(
        self,
        workspace_id: str,
        files: Mapping[str, str],
        reason: str,
        base_version: int | None = None,
    ) -> Proposal:
        """Asks the author to make or change a skill of the workspace; for agents.

        Args:
            workspace_id: Where it would be.
            files: Text by place, all of them; SKILL.md says its name.
            reason: Why.
            base_version: Of the skill that would change; None for a new one.

        Raises:
            ScopeDeniedError: The caller is no agent, or may not propose there.
            ConflictError: Another version is there, or for a new one one of its name.
            InvalidValueError: It is no skill, says nothing new, is not the author's own to change,
                or the reason cannot be kept, or too many proposals of this agent are undecided.
        """
        scope = ScopeKey.workspace(workspace_id)
        with self.attempt("skill.propose", Tier.WORKSPACE, workspace_id):
            authorize_agent(self.caller, Action.PROPOSE, Tier.WORKSPACE)
            authorize(self.caller, Action.PROPOSE, scope)
        contents = Skills(self.parts, self.caller).understood(files)
        why = checked_proposal_reason(reason)
        with self.writing(workspace_id) as unit:
            before = _there(unit, contents.name)
            version = None if before is None else before.version
            if before is not None and before.is_read_only:
                raise InvalidValueError("skill", "read_only")
            if base_version != version:
                raise ConflictError("skill", contents.name, base_version, version)
            if before is not None and before.contents.files == contents.files:
                raise InvalidValueError("body", "unchanged")
            asking = Asking(unit, self.caller, self.new_id, self.clock())
            body = together(contents.files)
            proposal = asking.for_skill(scope, contents.name, before, body, why)
            unit.commit()
        return proposal


def proposed_target(view: StoreView, proposal: Proposal) -> Skill | None:
    """The skill that would change; None for a new one.

    Raises:
        NotFoundError: It is gone.
    """
    return view.skills.named(proposal.target_name) if proposal.target_id else None


def made_of(asked: Asked, unit: UnitOfWork, proposal: Proposal, body: str | None) -> str:
    """Stores what was asked for inside the transaction that decides it; its id.

    Raises:
        ConflictError: The name of a new one was taken meanwhile.
        InvalidValueError: The author's wording makes it no skill.
    """
    contents = Skills(asked.parts, asked.caller).understood(
        apart(proposal.text if body is None else body)
    )
    before = proposed_target(unit, proposal)
    return saved_skill(asked, unit, proposal.workspace_id, contents, before, None).id


def _there(view: StoreView, name: str) -> Skill | None:
    try:
        return view.skills.named(name)
    except NotFoundError:
        return None
