"""The tab of house rules and grants: what agents are told, who may write where, what they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from inklings_desktop.domain.entries.proposals import UNDECIDED
from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.page.parts import across, below, plate, scrolling
from inklings_desktop.ui.knowledge.acting_tab import ActingTab, GrantsContent
from inklings_desktop.ui.knowledge.grants_card import GrantsCard
from inklings_desktop.ui.knowledge.grants_state import asked_rule, grid_of
from inklings_desktop.ui.knowledge.kept_card import KeptCard
from inklings_desktop.ui.knowledge.rules_card import RulesCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part

_MARGIN = 24
_RULE = MemoryKind.POLICY.value
_BESIDE_FROM = 1052
"""Width of the tab from which working memories stand beside the rest: a window of 1280."""


class GrantsTab(ActingTab):
    """House rules with their switches, roles by domains, and what each agent keeps.

    Attributes:
        rules: The card of house rules.
        grants: The card of roles by domains.
        kept: The card of working memories.
    """

    key: ClassVar = "grants"
    buttons: ClassVar = {}
    detail: ClassVar = "grantGrid"

    def __init__(self, context: Context, parent: Any) -> None:
        self.rules = RulesCard(self)
        self.grants = GrantsCard(self)
        self.kept = KeptCard(self)
        super().__init__(context, parent)

    @staticmethod
    def title() -> str:
        """What stands on the tab."""
        return tr("House rules and grants")

    @staticmethod
    def read_count(context: Context, workspace_id: str) -> int:
        """How many rules there are; runs on a reader."""
        return sum(one.n_policies for one in context.inklings.domains.list(workspace_id))

    def read_content(self) -> GrantsContent:
        inklings, here = self.inklings, self.workspace_id
        matrix = inklings.domains.matrix(here)
        names = {one.id: one.name for one in matrix.domains}
        asked = inklings.proposals.list(here, states=UNDECIDED)
        return GrantsContent(
            inklings.policies.list(here),
            tuple(asked_rule(one, names) for one in asked if one.payload.get("kind") == _RULE),
            grid_of(matrix),
            inklings.working_memories.list(here),
            inklings.clock(),
        )

    def keys_of(self, content: GrantsContent) -> Sequence[str]:
        return [one.policy.memory.id for one in content.rules]

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: GrantsContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        left = (self.rules.said(content), self.grants.said(content))
        is_narrow = self.view.width() < _BESIDE_FROM * self.context.theme.text_scale
        kept = self.kept.said(content.kept, content.now, is_narrow=is_narrow)
        if is_narrow:
            inside: tuple[Part, ...] = (below(*left, kept, STRETCH, spacing=16),)
        else:
            inside = (
                across(
                    below(*left, STRETCH, spacing=16, place=(1,)),
                    below(kept, STRETCH),
                    spacing=16,
                ),
            )
        return (scrolling(*inside, margins=(_MARGIN, 16, _MARGIN, 24), place=(1,)),)

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that act in the table of grants."""
        return (
            KeyHint(("\u2191", "\u2193", "\u2190", "\u2192"), tr("cell")),
            KeyHint(("N",), tr("none")),
            KeyHint(("R",), tr("read")),
            KeyHint(("W",), tr("write")),
            KeyHint(("Space",), tr("switch a rule")),
            KeyHint(("Ctrl Tab",), tr("next tab")),
        )
