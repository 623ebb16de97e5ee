"""The Knowledge page: what is settled, and who may write it, each in a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.ui.kit.page.parts import button
from inklings_desktop.ui.kit.page.tabbed import Tabbed
from inklings_desktop.ui.knowledge.counts import settled_mark
from inklings_desktop.ui.knowledge.facts_tab import FactsTab
from inklings_desktop.ui.knowledge.grants_tab import GrantsTab

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.tabbed import Tab


@dataclass(frozen=True, slots=True)
class KnowledgeContent:
    """What the page says above its tabs.

    Attributes:
        counts: By keys of tabs, how much is in each.
        n_disputes: Pairs of facts that say different things.
    """

    counts: Mapping[str, int]
    n_disputes: int


class KnowledgePage(Tabbed[KnowledgeContent]):
    """Hosts its tabs: a line in ``kinds`` adds one."""

    name: ClassVar = "knowledge"
    kinds: ClassVar[tuple[Tab, ...]] = (FactsTab, GrantsTab)
    authors: ClassVar = frozenset({GrantsTab.key})
    watches = About.MEMORIES | About.EVENTS | About.SETTINGS

    @property
    def facts(self) -> FactsTab:
        """The tab of facts."""
        found = self.tabs[FactsTab.key]
        assert isinstance(found, FactsTab)
        return found

    @property
    def grants(self) -> GrantsTab:
        """The tab of house rules and grants."""
        found = self.tabs[GrantsTab.key]
        assert isinstance(found, GrantsTab)
        return found

    def read_content(self) -> KnowledgeContent:
        disputes = self.inklings.facts.disagreements(self.workspace_id)
        return KnowledgeContent(self.read_counts(), len(disputes))

    def show_content(self, content: KnowledgeContent) -> None:
        super().show_content(content)
        mark = settled_mark(content.counts[FactsTab.key], content.n_disputes)
        self.context.mark(KNOWLEDGE_PAGE, mark)
        self.told.emit()

    def said(self, content: KnowledgeContent | None) -> tuple[Part, ...]:
        return self.said_head(
            tr("Knowledge"),
            tr("what agents have concluded about this world, and from what"),
            content.counts if content is not None else {},
            button(
                tr("New fact"),
                self.starts(self.facts.put_new),
                kind="primary",
                icon="plus",
                name="newFact",
                stores=True,
                visible=self.tab == FactsTab.key and not self.facts.only_looks,
            ),
            button(
                tr("New rule"),
                self.starts(self._put_rule),
                kind="primary",
                icon="plus",
                name="newRule",
                stores=True,
                visible=self.tab == GrantsTab.key,
            ),
        )

    async def _put_rule(self) -> None:
        await self.grants.rules.put_new()  # through a client's eyes there is no such tab

    def arrive(self, where: Destination) -> None:
        """Go to a fact, or to a tab."""
        if not isinstance(where, ToKnowledge):
            return
        if where.tab in self.tabs or where.fact:
            self.show_tab(where.tab or FactsTab.key)
        if where.fact:
            self.facts.go_to(where.fact)
