"""What leaves this machine: nothing until it is chosen; and the name of the person in histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from inklings_desktop.agent_settings import sent_to
from inklings_desktop.settings import Settings
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.kit.page.parts import across, link, mark, wide, words
from inklings_desktop.ui.settings.frame import Group, card, row, rows

if TYPE_CHECKING:
    from inklings_desktop.agent_settings import AgentSettings
    from inklings_desktop.ui.kit.page.declared import Part

_NAME = 220
ACCESS_TAB = "access"


class PrivacyGroup(Group[Settings]):
    """Says what is so; only the name and the limit of writes can be set."""

    watches = About.SETTINGS

    def heading(self) -> tuple[str, str]:
        return (
            tr("Privacy"),
            tr("Nothing leaves this machine unless you choose a model or connect a program."),
        )

    def read_content(self) -> Settings:
        return self.inklings.settings

    def said(self, content: Settings | None) -> tuple[Part, ...]:
        name = self.setting(
            "displayName",
            placeholderText=(content or self.inklings.settings).person_name,
            dress=wide(_NAME),
        )
        return (
            card(
                "",
                *_sent((content or self.inklings.settings).agent),
                words(
                    tr(
                        "A program that you connect reads what you let it read, and may hand that"
                        " to its own model wherever it runs. Its rights are under Access in the"
                        " Control plane."
                    )
                ),
                words(
                    tr("The program\u2019s log says what was done, never what your memories say.")
                ),
                across(
                    link(tr("Rights of programs"), lambda: self.context.go(ToTab(ACCESS_TAB))),
                    link(tr("Show the log"), self._show_log),
                    STRETCH,
                    spacing=18,
                ),
            ),
            card(
                tr("You and your programs"),
                rows(
                    row(tr("Your name"), name, words(tr("in histories and events"), way="plain")),
                    row(
                        tr("A program writes"),
                        self.setting("writesPerMinute"),
                        words(tr("times within a minute at most"), way="plain"),
                    ),
                ),
            ),
        )

    def _show_log(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.inklings.data_dir / "logs")))


def _sent(settings: AgentSettings) -> tuple[Part, ...]:
    """What leaves this machine: nothing, or a turn for the model that was chosen."""
    if providers := sent_to(settings):
        told = tr("What you say to the World Agent goes to: {providers}.")
        told = told.format(providers=", ".join(providers))
        rest = tr(
            "With it go the memories that it is answered from. Nothing else is sent: no telemetry,"
            " no look for updates. The search model runs here."
        )
        return mark("info", "lapis", told, "metaStrong"), words(rest)
    rest = tr(
        "It opens no connection to the network: no account, no telemetry, no look for updates."
        " The search model runs here as well."
    )
    return mark("check-circle", "accent", tr("Inklings sends nothing."), "metaStrong"), words(rest)
