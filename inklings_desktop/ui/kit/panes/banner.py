"""A band above a page, or a note inside one, that says what is wrong and what helps; its slot."""

from __future__ import annotations

from enum import IntEnum
from html import escape
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QBoxLayout

    from inklings_desktop.ui.kit.look.theme import Theme


BannerKind = Literal["madder", "ochre", "lapis"]

MOST_ACTIONS = 2
_MOST_LINES = 3
_LEAST_WORDS = 120
_FIRST_BUTTON = 2
_MIDDLE = Qt.AlignmentFlag.AlignVCenter

_ICONS = {"madder": "warning-circle", "ochre": "warning", "lapis": "info"}


@dataclass(frozen=True, slots=True)
class BannerAction:
    """A button of a banner: what it is called, and its key in ``action_requested``."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class BannerContent:
    """What a banner says.

    ``title`` stands in bold before ``text``. At most two actions. Dismissing is offered with
    ``dismiss_name``, the name of the cross. ``told`` is read aloud in place of both: without
    figures that change, which would be told anew each time.
    """

    kind: BannerKind
    title: str
    text: str = ""
    actions: tuple[BannerAction, ...] = ()
    dismiss_name: str = ""
    icon: str = ""
    told: str = ""


class Banner(Grounded, QWidget):
    """Coloured by its kind: madder for refusal and damage, ochre for caution, lapis for news."""

    action_requested = Signal(str)
    dismissed = Signal()

    def __init__(self, theme: Theme, *, inset: bool = False, parent: QWidget | None = None) -> None:
        """Build an empty, hidden banner.

        Args:
            inset: A rounded note inside a page instead of a band across it.
        """
        super().__init__(parent)
        self._theme = theme
        self._inset = inset
        self._content: BannerContent | None = None
        self._buttons: list[QWidget] = []
        # Buttons come and go; this keeps their place in the order of the Tab key.
        self._place = QWidget(self)
        self._place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._place.hide()
        self._icon = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._row = QHBoxLayout(self)
        side = 12 if inset else 20
        self._row.setContentsMargins(side, 10, side, 10)
        self._row.setSpacing(10)
        top = Qt.AlignmentFlag.AlignTop if inset else _MIDDLE
        self._row.addWidget(self._icon, 0, top)
        # Where words beside the buttons would take many lines, the buttons go below the words.
        self._is_low = False
        self._low = hbox(None, STRETCH, spacing=10)
        words = vbox(None, self._text, self._low, spacing=8)
        self._row.addLayout(words, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        theme.changed.connect(self._on_theme_changed)
        self.hide()

    @property
    def content(self) -> BannerContent | None:
        """What it says now, nothing while it is hidden."""
        return self._content

    def show_content(self, content: BannerContent | None) -> None:
        """Say something else, or nothing and hide.

        Raises:
            ValueError: There are more than two actions.
        """
        if content is not None and len(content.actions) > MOST_ACTIONS:
            raise ValueError(len(content.actions))
        before, self._content = self._content, content
        if content == before:
            return
        if before is None or content is None or _buttons_of(before) != _buttons_of(content):
            self._show_buttons(content)
        self.setVisible(content is not None)
        if content is None:
            return
        ground = f"{content.kind}Soft"
        self.stand_on(Ground(ground, "control") if self._inset else Ground(ground, below="line"))
        self.setAccessibleName(_sentence(content))
        if before is None or _told(before) != _told(content):
            announce(self, _told(content), urgent=content.kind == "madder")
        self._on_theme_changed()

    def _show_buttons(self, content: BannerContent | None) -> None:
        for button in self._buttons:
            self._row.removeWidget(button)
            self._low.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons.clear()
        self._is_low = False
        if content is None:
            return
        for number, action in enumerate(content.actions):
            kind = "quiet" if number else "plain"
            button = PushButton(self._theme, action.label, kind=kind, small=True, parent=self)
            button.setProperty("action", action.key)
            button.clicked.connect(self._on_button_clicked)
            self._add(button)
        if content.dismiss_name:
            cross = IconButton(
                self._theme, "x", content.dismiss_name, role=content.kind, parent=self
            )
            cross.clicked.connect(self._on_cross_clicked)
            self._add(cross)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the buttons beside the words or below them; the width alone decides."""
        answers = [one for one in self._buttons if isinstance(one, PushButton)]
        if self._inset or not answers:
            return
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        taken = margins.left() + margins.right() + self._icon.sizeHint().width() + gap
        taken += sum(one.sizeHint().width() + gap for one in self._buttons)
        most = _MOST_LINES * self._theme.line("meta")
        room = max(_LEAST_WORDS, self.width() - taken)
        is_low = self._text.heightForWidth(room) > most
        if is_low == self._is_low:
            return
        self._is_low = is_low
        for number, button in enumerate(answers):
            if is_low:
                self._row.removeWidget(button)
                self._low.insertWidget(number, button)
            else:
                self._low.removeWidget(button)
                self._row.insertWidget(_FIRST_BUTTON + number, button, 0, _MIDDLE)

    def _add(self, button: QWidget) -> None:
        QWidget.setTabOrder(self._buttons[-1] if self._buttons else self._place, button)
        self._buttons.append(button)
        self._row.addWidget(button, 0, _MIDDLE)
        button.show()

    @Slot()
    def _on_button_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, PushButton):
            self.action_requested.emit(str(sender.property("action")))

    @Slot()
    def _on_cross_clicked(self) -> None:
        self.show_content(None)
        self.dismissed.emit()

    @Slot()
    def _on_theme_changed(self) -> None:
        content, theme = self._content, self._theme
        if content is None:
            return
        icon = content.icon or _ICONS[content.kind]
        self._icon.setPixmap(theme.pixmap(icon, content.kind, 18 if not self._inset else 16))
        self._text.setFont(theme.font("meta"))
        title, text = escape(content.title), escape(content.text)
        line = theme.line("meta")
        self._text.setText(
            f'<p style="line-height: {line}px; margin: 0; color: {theme.color("ink").name()}">'
            f'<span style="font-weight: 600">{title}</span> {text}</p>'
        )
        self._arrange()
        self.update()


def _sentence(content: BannerContent) -> str:
    return f"{content.title} {content.text}".strip()


def _told(content: BannerContent) -> str:
    return content.told or _sentence(content)


def _buttons_of(content: BannerContent) -> tuple[object, ...]:
    """What the buttons depend on; others are made only when this changes, so focus stays."""
    return content.kind, content.actions, content.dismiss_name


class BannerCause(IntEnum):
    """What a banner is about, the worst first.

    While the disk cannot be written to no copy can be brought back, so that goes before damage.
    An agent that asks for a scrub, or to be let in, waits for an answer, and only an answer helps
    it: it goes before what a person cannot change at once.
    """

    READ_ONLY = 1
    DAMAGE = 2
    LOST_WRITES = 3
    SCRUB_REQUEST = 4
    KNOCK = 5
    OPEN_FILES = 6
    LOW_DISK = 7
    PURGE = 8
    SET_ASIDE = 9
    SILENCE = 10
    KEYWORD_ONLY = 11
    CATCH_UP = 12
    SAMPLE = 13


def worst_of(
    causes: Collection[BannerCause], put_away: Collection[BannerCause] = ()
) -> BannerCause | None:
    """The one to be shown; None for no banner.

    Args:
        causes: Everything there is to say.
        put_away: What the person has read and dismissed in this session.
    """
    return min((one for one in causes if one not in put_away), default=None)


class BannerSlot(QObject):
    """Keeps all there is to say and shows the worst of it, one at a time.

    Signals:
        acted: A ``BannerCause`` and the key of its button that was pressed.
        put_away: The ``BannerCause`` that the person has read and dismissed.
    """

    acted = Signal(object, str)
    put_away = Signal(object)

    def __init__(self, banner: Banner) -> None:
        super().__init__(banner)
        self.banner = banner
        self._contents: dict[BannerCause, BannerContent] = {}
        self._put_away: set[BannerCause] = set()
        banner.action_requested.connect(self._on_action_requested)
        banner.dismissed.connect(self._on_dismissed)

    @property
    def cause(self) -> BannerCause | None:
        """What the banner on show is about; None while there is none."""
        return worst_of(self._contents, self._put_away)

    def say(self, cause: BannerCause, content: BannerContent | None) -> None:
        """Say this for as long as it holds; None takes it back."""
        if content is None:
            self._contents.pop(cause, None)
        else:
            self._contents[cause] = content
        self._show()

    def expect_news(self, cause: BannerCause) -> None:
        """Say again what is said of this cause from now on: it is none of what was put away."""
        self._put_away.discard(cause)

    def move_to(self, column: QBoxLayout) -> None:
        """Stand first in this column from now on."""
        if column.indexOf(self.banner) < 0:
            column.insertWidget(0, self.banner)
            self.banner.setVisible(self.cause is not None)

    def _show(self) -> None:
        cause = self.cause
        self.banner.show_content(None if cause is None else self._contents[cause])

    @Slot(str)
    def _on_action_requested(self, key: str) -> None:
        cause = self.cause
        if cause is not None:
            self.acted.emit(cause, key)

    @Slot()
    def _on_dismissed(self) -> None:
        """Put away for the session: what comes back is known already."""
        cause = self.cause
        if cause is not None:
            self._put_away.add(cause)
            self._show()
            self.put_away.emit(cause)
