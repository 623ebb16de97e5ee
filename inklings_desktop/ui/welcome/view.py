"""The welcome in the place of the pages: doors, a step with head and foot, the last step."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QWidget

from inklings_desktop.domain.entries.named_entry import about_tokens
from inklings_desktop.domain.rooms.conversation import MAX_NAME_CHARACTERS
from inklings_desktop.ui.kit.controls.buttons import KeyHintButton
from inklings_desktop.ui.kit.dialogs.pieces import Note
from inklings_desktop.ui.kit.look.accessibility import order_tabs
from inklings_desktop.ui.kit.look.layouts import STRETCH, on_ground, vbox
from inklings_desktop.ui.kit.look.memory_marks import TierMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.badges import Crest
from inklings_desktop.ui.kit.marks.empty_state import RingsDrawing
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.marks.steps import StepMarks
from inklings_desktop.ui.kit.page.declared import LOOK, Place, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    hairline,
    line,
    mark,
    pages,
    plate,
    scrolling,
    sized,
    turned,
    words,
)
from inklings_desktop.ui.welcome.pieces import ChoiceChips, Door, KeyCap, VoicePreview
from inklings_desktop.ui.welcome.state import (
    AVOID,
    ELSEWHERE,
    OWN,
    SAMPLE,
    WelcomeState,
    WelcomeStep,
    line_of,
    voice_lines,
    voice_questions,
    voice_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.welcome.state import AgentRow

_SIDE, _STEP_TOP, _STEP_SIDE = 40, 28, 24
_HEAD, _FOOT = 64, 62
_DOOR_WIDTH, _DOOR_HEIGHT, _DOOR_GAP, _LOW = 322, 216, 16, 640
_DOORS_TEXT = 620
_QUESTIONS, _CARD, _VOICE_GAP, _PREVIEW = 570, 430, 40, 230
_LONGEST = 200
_AGENTS, _NAME = 780, 260
_MIDDLE = Qt.AlignmentFlag.AlignHCenter


class WelcomeView(QWidget):
    """Three doors and two steps.

    Signals:
        door_chosen: Key of a door.
        answered: Key of a question, and its answer; empty for none.
        agent_wanted: An ``AgentRow``.
        author_left: The field for the person's name was left, or Enter pressed in it.
        back_wanted: One step back.
        doors_wanted: Back to the doors; what was answered stays.
        skipped: Go on without answering.
        kept: Keep what was answered, or leave for the world.
    """

    door_chosen = Signal(str)
    answered = Signal(str, str)
    agent_wanted = Signal(object)
    author_left = Signal()
    back_wanted = Signal()
    doors_wanted = Signal()
    skipped = Signal()
    kept = Signal()

    def __init__(self, theme: Theme, places: QStackedWidget) -> None:
        """Stand nowhere yet.

        Args:
            places: Of the window: where its pages stand.
        """
        super().__init__(places)
        self._theme, self._places = theme, places
        self._state = WelcomeState()
        self._step: WelcomeStep | None = None
        self.setObjectName("welcome")
        on_ground(self, "canvas")
        self._place = Place(theme, self, vbox(self, margins=0, spacing=0))
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self._on_keep_keys)
        self._say()

    def stand(self) -> None:
        """Stand in the place of the pages."""
        self._places.addWidget(self)
        self._places.setCurrentWidget(self)

    def leave(self) -> None:
        """Go for good."""
        self._places.removeWidget(self)
        self.deleteLater()

    def show_state(self, state: WelcomeState) -> None:
        """Show a step; a new one takes the keyboard."""
        waits = self._named("welcomeEnter").hasFocus() and self._state.agents is None
        has_others, self._state = state.agents != self._state.agents, state
        self._say()
        if has_others:
            order_tabs(self)
        if state.step is not self._step or (waits and state.agents):
            self._step = state.step
            self.bring_focus()

    def bring_focus(self) -> None:
        """Bring the keyboard to where the step begins."""
        step = self._state.step
        screen = self._named(f"welcome{step.name.capitalize()}")
        stops = [
            one
            for one in screen.findChildren(QAbstractButton)
            if one.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        first = int(step is WelcomeStep.DOORS)  # the second door is what most people take
        stop = stops[first] if stops else self._named("welcomeEnter")
        stop.setFocus(Qt.FocusReason.OtherFocusReason)

    def author(self) -> str:
        """The person's name as it is typed."""
        return str(self._named("welcomeAuthor").property("text")).strip()

    # -- what is on show ----------------------------------------------------------------------

    def _say(self) -> None:
        state = self._state
        step = state.step
        name = tr("Open {name}").format(name=state.name)
        is_voice = step is WelcomeStep.VOICE
        marks = (tr("A world"), tr("Its voice"), tr("An agent"))
        edges = (_SIDE, 0, _SIDE, 0)
        head = across(
            part(Crest, LOOK, seed=state.world_id or state.name),
            words(state.name, "title", way="elided", place=(1,)),
            part(StepMarks, LOOK, marks, how={"role": "accent"}, step=int(step)),
            spacing=13,
            margins=edges,
        )
        foot = across(
            button(tr("Back"), self.back_wanted.emit, kind="quiet", icon="arrow-left"),
            STRETCH,
            button(tr("Skip, leave it empty"), self.skipped.emit, kind="quiet", visible=is_voice),
            part(
                KeyHintButton,
                LOOK,
                tr("Keep this voice"),
                tr("Ctrl Enter"),
                clicked=self.kept.emit,
                visible=is_voice,
                enabled=bool(voice_text(state.answers)),
            ),
            button(
                name,
                self.kept.emit,
                name="welcomeEnter",
                spoken=name,
                visible=step is WelcomeStep.AGENT,
            ),
            spacing=12,
            margins=edges,
        )
        has_bars = step is not WelcomeStep.DOORS
        steps = (self._doors(), self._voice(), self._agents())
        self._place.show(
            plate(
                *(STRETCH, head, STRETCH, hairline()),
                box=vbox,
                spacing=0,
                visible=has_bars,
                dress=sized(minimumHeight=_HEAD),
            ),
            pages(*steps, now=int(step), place=(1,)),
            plate(
                *(hairline(), STRETCH, foot, STRETCH),
                box=vbox,
                ground="surface",
                spacing=0,
                visible=has_bars,
                dress=sized(minimumHeight=_FOOT),
            ),
        )

    def _doors(self) -> Part:
        least = sum(one.minimumSizeHint().width() for one in self.findChildren(Door))
        room = self._theme.scaled(2 * _DOOR_WIDTH + 3 * _DOOR_GAP)
        beside = self.width() >= max(least + 2 * _DOOR_GAP + 2 * _STEP_SIDE, room)
        is_high = self.height() >= self._theme.scaled(_LOW)
        text = tr(
            "Inklings is the long memory of an agent that builds worlds with you. It lives on"
            " this machine; you see, correct or delete anything in it."
        )
        foot = tr("You can do the others later from the File menu.")
        return scrolling(
            STRETCH,
            part(RingsDrawing, LOOK, inked=(3,), visible=is_high, place=(0, _MIDDLE)),
            14,
            words(tr("What should be remembered?"), "display", alignment=_MIDDLE),
            6,
            _in_the_middle(
                words(text, "body", alignment=_MIDDLE, dress=sized(maximumWidth=_DOORS_TEXT))
            ),
            22,
            _in_the_middle(turned(*self._made_doors(), beside=beside, spacing=_DOOR_GAP)),
            20,
            words(foot, "caption", way="plain", alignment=_MIDDLE),
            STRETCH,
            name="welcomeDoors",
            margins=_STEP_SIDE,
            spacing=0,
            horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
        )

    def _made_doors(self) -> Iterator[Part]:
        doors = (
            (
                SAMPLE,
                "map-trifold",
                tr("Look at the sample world"),
                tr(
                    "The Saltglass Cartographers: 119 memories of an invented novelist. It is a"
                    " copy, so try anything."
                ),
                tr("Open the sample"),
            ),
            (
                OWN,
                "pen-nib",
                tr("Start my own"),
                tr(
                    "Name it, say in a minute how it should sound, then choose who thinks with you."
                ),
                tr("Start my own"),
            ),
            (
                ELSEWHERE,
                "download-simple",
                tr("Bring memories from elsewhere"),
                tr(
                    "Notes, a lorebook, chats, another memory server or an Inklings export. You see"
                    " everything before it is kept."
                ),
                tr("Choose a file\u2026"),
            ),
        )
        # A click on the words is one on the door.
        no_hands = Qt.TextInteractionFlag.NoTextInteraction
        for number, (key, icon, title, text, verb) in enumerate(doors, start=1):
            choose = partial(self.door_chosen.emit, key)
            kind = "primary" if key == OWN else "plain"
            yield part(
                Door,
                clicked=choose,
                dress=sized(minimumHeight=_DOOR_HEIGHT, maximumWidth=_DOOR_WIDTH),
                inside=(
                    across(
                        part(IconMark, LOOK, icon, "accent", 24),
                        STRETCH,
                        part(KeyCap, LOOK, str(number)),
                    ),
                    10,
                    words(title, "tab", textInteractionFlags=no_hands),
                    4,
                    words(text, textInteractionFlags=no_hands),
                    12,
                    STRETCH,
                    across(
                        button(
                            verb,
                            choose,
                            kind=kind,
                            name=f"door{key.capitalize()}",
                            spoken=title,
                            accessibleDescription=text,
                        ),
                        STRETCH,
                    ),
                ),
            )

    def _voice(self) -> Part:
        scaled = self._theme.scaled
        beside = self.width() >= scaled(_QUESTIONS + _VOICE_GAP) + _CARD // 2 + 2 * _STEP_SIDE
        questions = plate(
            words(tr("How should this world sound?"), "display"),
            6,
            words(
                tr(
                    "Four questions. Each answer writes a line of VOICE, which an agent reads"
                    " before every turn. You can change it later."
                )
            ),
            *self._questions(),
            STRETCH,
            box=vbox,
            spacing=0,
            place=(_QUESTIONS,),
            dress=sized(maximumWidth=_QUESTIONS),
        )
        card = self._voice_card(_CARD if beside else _QUESTIONS)
        return scrolling(
            _in_the_middle(turned(questions, card, beside=beside, spacing=_VOICE_GAP)),
            STRETCH,
            name="welcomeVoice",
            margins=(_STEP_SIDE, _STEP_TOP, _STEP_SIDE, _STEP_TOP),
        )

    def _questions(self) -> Iterator[Inside]:
        answers = self._state.answers
        asked = [
            (
                one.title,
                part(
                    ChoiceChips,
                    LOOK,
                    one.title,
                    one.choices,
                    name=f"voice{one.key.capitalize()}",
                    choice=getattr(answers, one.key),
                    chosen=partial(self.answered.emit, one.key),
                ),
            )
            for one in voice_questions()
        ]
        last = tr("A word that must never appear, and why")
        avoid = line(
            now=answers.avoid,
            name="voiceAvoid",
            spoken=last,
            maxLength=_LONGEST,
            textEdited=partial(self.answered.emit, AVOID),
        )
        for title, answer in (*asked, (last, avoid)):
            yield from (13, hairline(), 13, words(title, "metaStrong", way="plain"), 8, answer)

    def _voice_card(self, most: int) -> Part:
        answers = self._state.answers
        text, figure = voice_text(answers), QLocale().toString
        empty = tr("Nothing is written yet. Each answer adds a line.")
        newest = voice_lines(answers).get(line_of(self._state.newest), "")
        told = tr("{characters} characters, about {tokens} tokens a turn").format(
            characters=figure(len(text)), tokens=figure(about_tokens(len(text)))
        )
        return plate(
            across(
                part(TierMark, LOOK, how={"inked": 3, "role": "tierWorkspace"}),
                words("VOICE", "tab", way="plain"),
                STRETCH,
                words(tr("as the agent will read it"), "caption", way="plain"),
                margins=(18, 12, 18, 12),
                spacing=10,
            ),
            hairline(),
            part(
                VoicePreview,
                LOOK,
                name="voicePreview",
                spoken=tr("VOICE, as the agent will read it"),
                said=(text or f"*{empty}*", newest),
                dress=sized(minimumHeight=_PREVIEW),
            ),
            hairline(),
            across(
                words(told if text else tr("nothing is sent"), "caption", way="plain"),
                margins=(18, 10, 18, 10),
            ),
            box=vbox,
            kind="card",
            margins=1,
            spacing=0,
            place=(_CARD,),
            dress=sized(maximumWidth=most),
        )

    def _agents(self) -> Part:
        state = self._state
        asked = tr("What should it call you?")
        body = plate(
            words(tr("Who will think with you?"), "display"),
            6,
            words(
                tr(
                    "Choose one, or none: you can write and search without. Nothing is sent before"
                    " your first message."
                )
            ),
            18,
            plate(*self._agent_rows(), box=vbox, kind="card", margins=1, spacing=0),
            16,
            part(_note, LOOK),
            18,
            across(
                words(asked, "metaStrong", way="plain"),
                line(
                    now=state.author,
                    name="welcomeAuthor",
                    spoken=asked,
                    placeholderText=state.login,
                    maxLength=MAX_NAME_CHARACTERS,
                    editingFinished=self.author_left.emit,
                    dress=sized(fixedWidth=_NAME),
                ),
                STRETCH,
                spacing=14,
            ),
            STRETCH,
            box=vbox,
            spacing=0,
            dress=sized(maximumWidth=_AGENTS),
        )
        return scrolling(
            _in_the_middle(body),
            STRETCH,
            name="welcomeAgent",
            margins=(_STEP_SIDE, _STEP_TOP, _STEP_SIDE, _STEP_TOP),
        )

    def _agent_rows(self) -> Iterator[Part]:
        if self._state.agents is None:
            looking = words(tr("Looking at what is installed\u2026"), way="plain")
            yield plate(looking, margins=(22, 16, 20, 16))
        for number, row in enumerate(self._state.agents or ()):
            if number:
                yield hairline()
            yield self._agent_row(row)

    def _agent_row(self, row: AgentRow) -> Part:
        if row.is_built_in:
            icon, verb = "planet", tr("Talk to it")
        elif row.is_set_up:
            icon = "robot" if row.is_found else "key"
            verb = tr("Set up\u2026") if row.is_found else tr("Add a key\u2026")
        elif row.program is None:
            icon, verb = "puzzle-piece", tr("Show the lines\u2026")
        else:
            icon, verb = "terminal-window", tr("Connect\u2026") if row.is_found else tr("How\u2026")
        is_known = row.is_let_in or bool(row.is_found)
        found = tr("let in") if row.is_let_in else tr("found")
        is_missing = not is_known and row.program is not None
        return plate(
            part(IconMark, LOOK, icon, "inkSoft", 20),
            below(
                words(row.name, "bodyStrong", way="plain"),
                words(row.text),
                spacing=1,
                place=(1,),
            ),
            mark("check-circle", "accent", found, "meta", visible=is_known),
            words(tr("not found"), "caption", way="plain", visible=is_missing),
            button(
                verb,
                partial(self.agent_wanted.emit, row),
                kind="primary" if row.is_built_in else "plain",
                spoken=f"{row.name}: {verb}",
                accessibleDescription=row.text,
            ),
            margins=(22, 12, 20, 12),
            spacing=14,
        )

    # -- keys and sizes -----------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits open doors, Escape leads back to them; Enter presses a button as Space does."""
        pressed, number = self.focusWidget(), event.text()
        bare = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_at_doors = self._state.step is WelcomeStep.DOORS
        if is_at_doors and bare and number in {"1", "2", "3"}:
            self.door_chosen.emit((SAMPLE, OWN, ELSEWHERE)[int(number) - 1])
        elif event.key() == Qt.Key.Key_Escape and not is_at_doors:
            self.doors_wanted.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and isinstance(
            pressed, QAbstractButton
        ):
            pressed.click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stands below each other what has no room side by side."""
        super().resizeEvent(event)
        self._say()

    @Slot()
    def _on_keep_keys(self) -> None:
        if self._state.step is WelcomeStep.VOICE and voice_text(self._state.answers):
            self.kept.emit()

    def _named(self, name: str) -> QWidget:
        found = self.findChild(QWidget, name)
        assert isinstance(found, QWidget)
        return found


def _in_the_middle(one: Part) -> Part:
    """As wide as it may be, and no wider."""
    return across(STRETCH, replace(one, place=(100,)), STRETCH)


def _note(theme: Theme, *, parent: QWidget) -> Note:
    made = Note(theme, parent)
    made.say(
        "lapis",
        "info",
        "",
        tr(
            "Another program may read this world and its own conversations, and nothing about"
            " you. You can give it more access later."
        ),
    )
    return made
