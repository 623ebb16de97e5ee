"""The World page: what folders are linked, and its tabs, each a page of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from inklings_desktop.domain.background.tasks import world_of
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton, MenuButton
from inklings_desktop.ui.kit.look.layouts import STRETCH, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.empty_state import ActionCard, EmptyAction
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import WORLD_PAGE, RailMark
from inklings_desktop.ui.kit.page.declared import LOOK, Place, part
from inklings_desktop.ui.kit.page.destinations import ToWorld
from inklings_desktop.ui.kit.page.parts import across, button, plate, sized, words
from inklings_desktop.ui.kit.page.tabbed import GUTTER, Tabbed
from inklings_desktop.ui.kit.panes.banner import Banner, BannerAction, BannerContent
from inklings_desktop.ui.world.changed_tab import ChangedTab
from inklings_desktop.ui.world.counts import rail_mark, read_n_changed
from inklings_desktop.ui.world.folders import FolderActs, dropped_folder
from inklings_desktop.ui.world.pages_tab import PagesTab
from inklings_desktop.ui.world.proposed_tab import ProposedTab
from inklings_desktop.ui.world.words import left_alone_line, pages_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.world.pages import FolderLook
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.tabbed import Tab


_BAR = 220


@dataclass(frozen=True, slots=True)
class WorldContent:
    """What the page says above its tabs.

    Attributes:
        counts: By keys of tabs, how much is in each.
        n_changed: Memories whose source changed, and that nobody has answered.
        now: When this was so.
    """

    looks: tuple[FolderLook, ...]
    counts: Mapping[str, int]
    n_changed: int
    now: datetime


class WorldPage(Tabbed[WorldContent]):
    """Hosts its tabs, or says how a folder is linked; a line in ``kinds`` adds a tab."""

    name: ClassVar = "world"
    kinds: ClassVar[tuple[Tab, ...]] = (PagesTab, ChangedTab, ProposedTab)
    watches = About.MEMORIES | About.EVENTS | About.SETTINGS

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.acts = FolderActs(context, lambda: self.workspace_id, parent)
        super().__init__(context, parent)
        self.view.setAcceptDrops(True)
        self._empty = QWidget(self._stack)
        on_ground(self._empty, "surface")
        self._stack.addWidget(self._empty)
        self._nothing = Place(context.theme, self._empty, vbox(self._empty, margins=28, spacing=0))
        self.pages_tab.folder_wanted.connect(self.acts.ask_folder)
        self.acts.moved.connect(self.say_again)
        self.acts.done.connect(self._read_all)
        if (clock := self.inklings.background) is not None:
            clock.task_finished.connect(self._on_task_finished)  # type: ignore[attr-defined]

    @property
    def pages_tab(self) -> PagesTab:
        """The tab of pages."""
        found = self.tabs[PagesTab.key]
        assert isinstance(found, PagesTab)
        return found

    # -- reading ----------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        self.acts.cancel()
        await super().open(workspace_id)

    def read_content(self) -> WorldContent:
        inklings, here = self.inklings, self.workspace_id
        looks = inklings.world.folders(here)
        n_changed = read_n_changed(inklings, here, looks)
        return WorldContent(looks, self.read_counts(), n_changed, inklings.clock())

    def show_content(self, content: WorldContent) -> None:
        focus = QApplication.focusWidget()
        has_keyboard = focus is not None and self.view.isAncestorOf(focus)
        before = self._stack.currentWidget()
        super().show_content(content)
        if has_keyboard and before is not self._stack.currentWidget():
            self.bring_focus(Qt.FocusReason.OtherFocusReason)
        mark = rail_mark(content.counts[PagesTab.key], content.n_changed)
        self.context.mark(WORLD_PAGE, mark if content.looks else RailMark())
        self.told.emit()

    @Slot(object)
    def _on_task_finished(self, status: Any) -> None:
        """What the clock read of pages no commit tells of."""
        if status.target == world_of(self.workspace_id):
            for page in (self, *self.tabs.values()):
                page.read_soon()

    def _read_all(self) -> None:
        self.read_again()
        for tab in self.tabs.values():
            tab.refresh()

    def refresh(self) -> None:
        """Look at all folders again: a person asked for it."""
        self.acts.look()

    # -- what is on show --------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether no folder was read yet."""
        looks = self.content.looks if self.content is not None else ()
        return self.content is not None and not any(one.looked_at for one in looks)

    @property
    def below(self) -> QWidget:
        return self._empty if self.is_empty else super().below

    def said(self, content: WorldContent | None) -> tuple[Part, ...]:
        looks = content.looks if content is not None else ()
        if self.is_empty:
            self._nothing.show(*self._said_empty(looks))
        counts = content.counts if content is not None else {}
        name = looks[0].folder.name if len(looks) == 1 else tr("Folders")
        return (
            *self.said_head(
                tr("World"),
                pages_line(looks, content.now) if content is not None else "",
                counts,
                part(
                    MenuButton,
                    LOOK,
                    name="worldFolders",
                    text=name,
                    spoken=tr("Folders"),
                    clicked=self._show_menu,
                    visible=bool(looks),
                ),
                hint=left_alone_line(looks),
            ),
            part(
                *(Banner, LOOK),
                name="worldBanner",
                content=_gone(looks),
                action_requested=partial(self._answer_gone, looks),
            ),
            plate(
                *self._said_progress(looks),
                margins=(GUTTER, 8, GUTTER, 8),
                spacing=12,
                visible=self.acts.progress is not None and not self.is_empty,
                name="worldProgress",
            ),
        )

    def _said_progress(self, looks: tuple[FolderLook, ...]) -> tuple[Any, ...]:
        n_done, n_all = self.acts.progress or (0, 0)
        told = counted(n_all, "Reading 1 page", "Reading {n} pages")
        return (
            words(told, "metaInk", way="plain"),
            part(
                *(ShareBar, LOOK),
                share=n_done / n_all if n_all else 0.0,
                spoken=told,
                dress=sized(fixedWidth=_BAR),
            ),
            button(tr("Cancel"), self.acts.cancel, small=True),
            words(left_alone_line(looks), "caption", way="plain"),
            STRETCH,
        )

    def _said_empty(self, looks: tuple[FolderLook, ...]) -> tuple[Any, ...]:
        """How to begin, or how far the first reading is."""
        is_reading = self.acts.progress is not None
        title = tr("No page is read yet") if looks else tr("No pages are linked yet")
        middle = Qt.AlignmentFlag.AlignHCenter
        facts = (
            ("eye", tr("Read, not moved")),
            ("hand-palm", tr("Written only if you say so")),
            ("warning", tr("Watched for change")),
        )
        told = (
            tr("The files stay where they are. Obsidian and Git may use the same folder."),
            tr("A change by an agent waits under Proposed until you accept it."),
            tr("When a paragraph changes, what was remembered from it is marked."),
        )
        cards = (
            EmptyAction(icon, title, text, icon)
            for (icon, title), text in zip(facts, told, strict=True)
        )
        return (
            STRETCH,
            part(IconMark, LOOK, "book-open-text", "accent", 40, place=(0, middle)),
            18,
            words(title, "display", way="plain", place=(0, middle)),
            6,
            across(
                STRETCH,
                words(
                    tr(
                        "Keep writing where you write. Link a folder of Markdown files and "
                        "memory can point at its paragraphs, and tell you when one changed "
                        "under it."
                    ),
                    "body",
                    alignment=middle,
                    dress=sized(fixedWidth=580),
                ),
                STRETCH,
            ),
            20,
            plate(*self._said_progress(looks), spacing=12, visible=is_reading, place=(0, middle)),
            part(
                *(KeyHintButton, LOOK, tr("Link a folder\u2026"), "Ctrl O"),
                how={"glyph": "folder-open"},
                name="linkFolder",
                stores=True,
                clicked=self.acts.ask_folder,
                visible=not is_reading,
                place=(0, middle),
            ),
            28,
            across(STRETCH, *(_card(one) for one in cards), STRETCH, spacing=12),
            STRETCH,
        )

    # -- folders ----------------------------------------------------------------------------

    def _show_menu(self) -> None:
        opener = self.view.findChild(MenuButton, "worldFolders")
        if opener is None or self.content is None:
            return
        menu = self.acts.menu(self.content.looks)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(opener.mapToGlobal(opener.rect().bottomLeft()))

    def _answer_gone(self, looks: tuple[FolderLook, ...], key: str) -> None:
        gone = next(one.folder for one in looks if one.state in _GONE)
        if key == "relocate":
            self.acts.relocate(gone)
        else:
            self.acts.unlink(gone)

    def on_shown(self, *, is_shown: bool) -> None:
        """Whoever comes back, perhaps from where the pages are written, sees them as they are."""
        super().on_shown(is_shown=is_shown)
        if is_shown and self.workspace_id:
            self.acts.look_by_the_way()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes a folder that is dropped."""
        if event.type() is QEvent.Type.WindowActivate and self.view.isVisible():
            self.on_shown(is_shown=True)
        if isinstance(event, QDragEnterEvent) and dropped_folder(event.mimeData()):
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and event.type() is QEvent.Type.Drop:
            folder = dropped_folder(event.mimeData())
            if folder is not None:
                event.acceptProposedAction()
                self.acts.link(folder)
                return True
        return super().eventFilter(watched, event)

    # -- what the window asks ---------------------------------------------------------------

    def arrive(self, where: Destination) -> None:
        """Go to a page of the author's, to a block of it, or to a tab."""
        if not isinstance(where, ToWorld):
            return
        if where.links:
            self.acts.ask_folder()
            return
        self.show_tab(where.tab if where.tab in self.tabs else PagesTab.key)
        if where.key:
            self.pages_tab.go_to(where.key, where.block)

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        if self.is_empty:
            opener = self.view.findChild(QWidget, "linkFolder")
            if opener is not None:
                opener.setFocus(reason)
            return
        super().bring_focus(reason)

    def key_hints(self) -> tuple[KeyHint, ...]:
        if self.is_empty:
            return (KeyHint(("Ctrl O",), tr("link a folder")),)
        return super().key_hints()


_GONE = frozenset({"missing", "denied"})


def _gone(looks: tuple[FolderLook, ...]) -> BannerContent | None:
    """What is said of the first folder that cannot be read."""
    gone = next((one for one in looks if one.state in _GONE), None)
    if gone is None:
        return None
    title = tr("The folder cannot be found.")
    if gone.state == "denied":
        title = tr("The folder cannot be opened.")
    told = tr("{folder} was at {path}. What was read of it is still here.")
    if not gone.folder.path:
        told = tr("{folder} came with an import and is not linked yet.")
    return BannerContent(
        "ochre",
        title,
        told.format(folder=gone.folder.name, path=gone.folder.path),
        (
            BannerAction("relocate", tr("Choose it again\u2026")),
            BannerAction("unlink", tr("Keep without pages")),
        ),
    )


def _card(said: EmptyAction) -> Part:
    """A card that says something and does nothing."""
    return part(ActionCard, LOOK, said, focusPolicy=Qt.FocusPolicy.NoFocus)
