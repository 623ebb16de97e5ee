"""What leaves this machine: nothing by itself; and how the person is called in histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QWidget

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.rooms.conversation import checked_name
from inklings_desktop.settings import MAX_WRITES_PER_MINUTE
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, wrapped_label
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.settings.frame import GroupFrame, NumberField

if TYPE_CHECKING:
    from inklings_desktop.settings import Settings
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context

_NAME = 220
ACCESS_TAB = "access"


class PrivacyGroup(Page["Settings"]):
    """Says what is so; only the name and the limit of writes can be set."""

    watches = About.SETTINGS
    view: PrivacyView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, PrivacyView(context.theme, parent))
        self.view.name.editingFinished.connect(self._on_name_finished)
        self.view.writes.number_wanted.connect(
            lambda number: self._save("agents.writes_per_minute", int(number))
        )
        self.view.access.clicked.connect(lambda: context.go(ToTab(ACCESS_TAB)))
        self.view.log_folder.clicked.connect(self._on_log_clicked)

    def read_content(self) -> Settings:
        return self.inklings.settings

    def show_content(self, content: Settings) -> None:
        self.view.show_settings(content)

    @Slot()
    def _on_name_finished(self) -> None:
        name = self.view.name.text().strip()
        if self.content is None or name == self.content.display_name:
            return
        try:
            name = checked_name(name, "name") if name else ""
        except InvalidValueError as error:
            self.context.refuse(error)
            self.view.show_settings(self.content)
            return
        self._save("person.display_name", name)

    def _save(self, place: str, value: str | int) -> None:
        self.spawn(self.change(self.inklings.preferences.save, {place: value}))

    @Slot()
    def _on_log_clicked(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.inklings.data_dir / "logs")))


class PrivacyView(GroupFrame):
    """Two cards.

    Attributes:
        name: How the person is called.
        writes: Most writes of a client within a minute.
        access: Leads to where programs get their rights.
        log_folder: Shows where the program's log is.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme,
            tr("Privacy"),
            tr("Nothing leaves this machine unless you connect a program that takes it along."),
            parent,
        )
        still = self.add_card()
        sure = IconLabel(theme, "metaStrong", still)
        sure.show_mark("check-circle", "accent", tr("Inklings sends nothing."), inked=True)
        still.add(sure)
        for sentence in (
            tr(
                "It opens no connection to the network: no account, no telemetry, no look for"
                " updates. The search model runs here as well."
            ),
            tr(
                "A program that you connect reads what you let it read, and may hand that to its"
                " own model wherever it runs. Its rights are under Access in the Control plane."
            ),
            tr("The program\u2019s log says what was done, never what your memories say."),
        ):
            still.add(wrapped_label(sentence, "meta", still))
        self.access = LinkButton(tr("Rights of programs"), still)
        self.log_folder = LinkButton(tr("Show the log"), still)
        still.add(hbox(None, self.access, self.log_folder, STRETCH, spacing=18))
        you = self.add_card(tr("You and your programs"))
        self.name = named(QLineEdit(you), "displayName", tr("Your name in histories and events"))
        you.add_row(
            tr("Your name"),
            self.name,
            plain_label(tr("in histories and events"), "meta", you),
        )
        self.writes = NumberField(
            theme,
            tr("Most writes of a program within a minute"),
            (1.0, float(MAX_WRITES_PER_MINUTE)),
            you,
            whole=True,
        )
        self.writes.setObjectName("writesPerMinute")
        you.add_row(
            tr("A program writes"),
            self.writes,
            plain_label(tr("times within a minute at most"), "meta", you),
        )
        theme.dress(self._on_theme_dressed)

    def show_settings(self, settings: Settings) -> None:
        """Show what is set."""
        if not self.name.hasFocus():
            self.name.setText(settings.display_name)
        self.name.setPlaceholderText(settings.person_name)
        self.writes.show_number(settings.writes_per_minute)

    @Slot()
    def _on_theme_dressed(self) -> None:
        self.name.setFixedWidth(self.theme.scaled(_NAME))
