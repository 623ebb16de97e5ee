"""The Conversation page: what is said with the World Agent, led over one workspace."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.launching import world_agent_command
from inklings_desktop.agent_client.rows import ProblemBlock, StepBlock
from inklings_desktop.domain.errors import AgentError, InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.ui.conversation.composer import Doing
from inklings_desktop.ui.conversation.doors import AGENT, MODEL, OLLAMA, doors
from inklings_desktop.ui.conversation.drawing.pieces import (
    DROP_QUEUED,
    EDIT_QUEUED,
    MEMORY,
    READ_LIST,
    UNDO,
)
from inklings_desktop.ui.conversation.drawing.run_words import copied_findings
from inklings_desktop.ui.conversation.drawing.runs import OPEN_PAGE, OPEN_RUN, STOP_RUN
from inklings_desktop.ui.conversation.facts import (
    ConversationContent,
    Draft,
    asked_in,
    draft_of,
    let_agent_in,
    let_other_in,
    read_conversation,
    told,
)
from inklings_desktop.ui.conversation.hosting import (
    Announcing,
    Hosting,
    TouchedWalk,
    TurnActs,
    turn_menu,
)
from inklings_desktop.ui.conversation.page_words import (
    composer_hint,
    key_hints,
    notice_of,
    queued_turn,
    with_way_on,
)
from inklings_desktop.ui.conversation.picker import Choosing
from inklings_desktop.ui.conversation.popovers import Paging, TouchedPopover
from inklings_desktop.ui.conversation.start import beginnings
from inklings_desktop.ui.conversation.thread.rows import ThreadRows
from inklings_desktop.ui.conversation.view import ConversationView
from inklings_desktop.ui.conversation.words import (
    BEGIN_FROM,
    CHANGE_KEY,
    CONTINUE,
    COPY,
    COPY_LINE,
    GRANT,
    INSTALL_LINE,
    LEAVE,
    OTHER_MODEL,
    RAISE,
    RESTART,
    RETRY,
    START_AGAIN,
    TALK_AGAIN,
    WAIT,
    WITHOUT,
    allowance_words,
    title_again,
)
from inklings_desktop.ui.conversation.writing import Writing
from inklings_desktop.ui.kit.dialogs.ask import ask, ask_name
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.page_spec import PREVIEW_PAGE
from inklings_desktop.ui.kit.ops.storing import why_withheld
from inklings_desktop.ui.kit.page.asking import ask_agent
from inklings_desktop.ui.kit.page.destinations import (
    ToAgent,
    ToConnection,
    ToConversation,
    ToNewMemory,
    ToRoom,
    ToSettings,
    ToWorld,
)
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.words.messages import too_much_pasted
from inklings_desktop.ui.kit.words.places import Place, talk_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.agent_client.rows import AskBlock, Touched, Turn
    from inklings_desktop.agent_client.session import AgentFacts, Problem
    from inklings_desktop.agent_client.talk import Talk
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.rooms.messages import Allowance
    from inklings_desktop.ui.conversation.drawing.pieces import Part
    from inklings_desktop.ui.conversation.talking import Talking
    from inklings_desktop.ui.conversation.words import ProblemWords
    from inklings_desktop.ui.kit.marks.key_hints import KeyHint
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.ui.kit.words.places import Surroundings

    Launch = Callable[[Path | None, str | None], Sequence[str] | None]


class ConversationPage(Page[ConversationContent]):
    """Shows one conversation, and talks in it.

    Attributes:
        conversation_id: The one on show; empty while there is none.
        host: Has the agent's process.
        choosing: Offers who answers, and what that may cost.
        writing: What is being written.
        paging: Reads what was said earlier.
        touched: The way through what a turn touched, beside the thread.
        launch: What starts the agent for a data root and a workspace; None where none is installed.
    """

    view: ConversationView
    launch: ClassVar[Launch] = world_agent_command

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, ConversationView(context.theme, parent))
        self.conversation_id = ""
        self.host = Hosting(context, self._command, self)
        self.writing = Writing(
            context, self.view.composer, self.view.focus_composer, self._queued, self
        )
        self.paging = Paging(context, self.view, self.host.said_in, self.draw)
        self.touched = TouchedWalk(context, self.view.thread_view.show_opened)
        self.choosing = Choosing(self, self.view, self.host, lambda: self.conversation_id)
        self._rows = ThreadRows()
        self._refused: ProblemBlock | None = None
        self._left: set[str] = set()
        self._beginnings = beginnings()
        self._announcing = Announcing(self.view)
        self._told_of: AgentFacts | None = None
        self._models: tuple[str, ...] | None = None
        self._has_looked = False
        self._connect()

    def _connect(self) -> None:
        view, thread, composer, host = (
            self.view,
            self.view.thread_view,
            self.view.composer,
            self.host,
        )
        go = self.context.go
        for link in (view.header.memories, view.header.notes):
            link.clicked.connect(lambda: go(ToRoom(self.conversation_id)))
        view.start.preview.clicked.connect(lambda: go(PREVIEW_PAGE))
        view.start.connect_agent.clicked.connect(lambda: go(ToConnection()))
        view.start.said.connect(self._on_command_chosen)
        view.start.appeared.connect(self._on_start_appeared)
        view.start.doors.wanted.connect(self._on_door_wanted)
        view.acted.connect(self._on_notice_acted)
        thread.activated_part.connect(self._on_part_activated)
        thread.live.answered.connect(self._on_answered)
        thread.live.wanted.connect(self._on_wanted)
        thread.menu_wanted.connect(self._on_menu_wanted)
        view.run_pane.closed.connect(lambda: view.show_run(None))
        view.run_pane.copied.connect(self._copy_run)
        composer.sent.connect(self.send)
        composer.stopped.connect(self.stop)
        composer.who.clicked.connect(self.choosing.offer)
        composer.cost.clicked.connect(self.choosing.open_budget)
        composer.edit.emptied_up.connect(self._on_queued_wanted)
        composer.edit.paste_refused.connect(
            lambda n_bytes: self.context.say(too_much_pasted(n_bytes, composer.edit.most_bytes))
        )
        host.due.connect(self._on_due)
        host.asking.connect(self._on_asking)
        host.turn_over.connect(self._on_turn_over)
        host.state_changed.connect(self._on_agent_changed)
        host.refused.connect(self._on_refused)
        host.said.connect(self.writing.on_said)

    # -- which conversation -------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Stand to another workspace, at the conversation that is looked at or heard last."""
        if workspace_id != self.workspace_id:
            for session in self.host.waiting:
                self._take_back_queued(session)  # it would go with the agent
            self.host.leave()
            self.conversation_id = ""
        self.workspace_id = workspace_id
        if not self.conversation_id:
            self._stand_at(self._likeliest())
        self._keep_up.ask()
        await self.settled()

    def arrive(self, where: Destination) -> None:
        """Show a conversation, or let an agent begin before one is."""
        if isinstance(where, ToAgent):
            if where.question is None:
                self.host.talking.prestart()
            else:
                self.host.talking.ask(where.question)
        elif isinstance(where, ToConversation):
            self._stand_at(where.conversation_id or self.conversation_id or self._likeliest())
            if where.attached is not None:
                self.writing.attach_text(*where.attached)
            if where.text:
                self.writing.keep(self.conversation_id, Draft(where.text))

    def show_surroundings(self, here: Surroundings) -> None:
        if self.conversation_id and here.conversation(self.conversation_id) is None:
            self._stand_at(self._likeliest())

    def _likeliest(self) -> str:
        here, place = self.context.here(), self.context.place()
        if here is None:
            return ""
        if place.tier is Tier.CONVERSATION and place.room:
            return place.room
        heard = sorted(here.open_conversations, key=lambda one: one.silent_since, reverse=True)
        return heard[0].id if heard else ""

    def _stand_at(self, conversation_id: str) -> None:
        if conversation_id == self.conversation_id and self.content is not None:
            return
        self.conversation_id = conversation_id
        self.content = None
        self.paging.stand_at(self.workspace_id, conversation_id)
        self._refused = None
        self.touched.closed()
        self.view.show_run(None)
        self.view.thread_view.begin_thread()
        self.writing.stand_at(self.workspace_id, conversation_id)
        self.view.show_waiting()
        self._keep_up.ask()
        self.told.emit()

    # -- what is read -------------------------------------------------------------------------

    def read_content(self) -> ConversationContent:
        """The conversation as it is stored; runs on a reader.

        Raises:
            InklingsError: It cannot be read.
        """
        return read_conversation(self.inklings, self.workspace_id, self.conversation_id)

    def show_content(self, content: ConversationContent) -> None:
        """Show the conversation, and let an agent be there for it."""
        view, talk = self.view, content.talk
        if talk is not None and talk.id != self.conversation_id:
            return  # another one was chosen meanwhile
        if talk is not None:
            self.host.let_lead(talk.id, content.agent)
        here = self.context.here()
        n_memories = 0
        if here is not None and talk is not None:
            n_memories = here.count(Place(Tier.CONVERSATION, talk.id))
        view.header.show_conversation(
            talk, content.channel, n_memories, content.n_notes, self.inklings.clock()
        )
        self._show_allowed(content)
        if talk is None:
            view.show_nothing()
            return
        view.thread_view.setAccessibleName(talk_name(talk))
        self._take_stored(content)
        self.draw()
        if content.is_granted and not content.is_archived and not why_withheld():
            self.host.invite(self.workspace_id, talk.id)
        self._mark_read(content)

    def _show_allowed(self, content: ConversationContent) -> None:
        """Offer to revoke what the agent may do here without asking."""
        may = content.talk is not None and not why_withheld()
        words = tr("Ask first: {text}")
        self.view.show_allowed(
            [
                (words.format(text=allowance_words(one.tool)), partial(self._take_back, one))
                for one in (content.allowed if may else ())
            ]
        )

    def _take_back(self, allowance: Allowance) -> None:
        self.spawn(self._taken_back(self.conversation_id, allowance))

    async def _taken_back(self, conversation_id: str, allowance: Allowance) -> None:
        take_back = self.inklings.messages.take_back
        if await self.change(take_back, self.workspace_id, conversation_id, allowance):
            self.context.tell(tr("The agent will ask again before it does that here"))

    def show_failure(self, error: InklingsError) -> None:
        if self.view.isVisible():
            super().show_failure(error)

    @property
    def said(self) -> ThreadState:
        """What is said in the conversation on show."""
        return self.host.said_in(self.conversation_id)

    def _take_stored(self, content: ConversationContent) -> None:
        """Tell the thread what is stored and it does not know: another program may have talked."""
        thread = self.said
        if thread.is_running:
            return
        known = {(turn.id, turn.role) for turn in thread.turns}
        if all((one.turn, one.role.value) in known for one in content.messages):
            return
        thread.begin_again()
        thread.replay(told(content.messages))
        thread.told_again()
        self.paging.hold(content.messages, has_earlier=content.has_earlier)

    def _mark_read(self, content: ConversationContent) -> None:
        unread = any(
            one.read_at is None and one.role is MessageRole.ASSISTANT for one in content.messages
        )
        if unread and self.view.isVisible() and not why_withheld():
            mark = self.inklings.messages.mark_read
            self.spawn(self.background.write(mark, self.workspace_id, self.conversation_id))

    @property
    def takes_role(self) -> bool:
        """Whether who answers can be asked to do so in a role."""
        return wire.COMMAND_AS in dict(self.said.commands)

    def take_role(self) -> None:
        """Begin a message that is answered in a role; what is written stays behind it."""
        self.view.composer.begin(f"/{wire.COMMAND_AS} ", ": ")

    # -- what is drawn ------------------------------------------------------------------------

    @Slot()
    def draw(self) -> None:
        """Draw what is said now."""
        thread, view, now = self.said, self.view, self.inklings.clock()
        is_there = self.talking.is_ready
        turns = (
            *with_way_on(thread.turns, left=self._left, is_there=is_there),
            *queued_turn(draft_of(thread.queued), now),
        )
        author = self.content.author if self.content else ""
        agent = self.content.agent if self.content else None
        has_model = agent is not None or self.choosing.has_model
        known = self.content.agents if self.content else ()
        titles = {one.client: one.title for one in known}
        view.thread_view.show_speakers(author, has_model=has_model, titles=titles)
        view.start.show_model(has_model=has_model)
        commands = tuple(f"/{name} " for name, _ in thread.commands)
        view.composer.edit.completions = (*commands, *(() if has_model else self._beginnings))
        has_list = self.content is not None and self.content.has_days
        view.thread_view.show_rows(self._rows.of(turns, now, has_list=has_list))
        self._show_run_again(turns)
        view.show_thread(is_empty=not turns and agent is None)  # what it says is of our own
        self._show_state()
        if view.start.isVisible():
            self._show_doors()
            if is_there and not has_model and not self._has_looked:
                self._has_looked = True
                self.spawn(self._look_for_models())

    def _show_run_again(self, turns: Sequence[Turn]) -> None:
        """How far the run beside the thread is by now."""
        shown = self.view.run_pane.step
        if shown is None or self.view.run_pane.isHidden():
            return
        blocks = (one for turn in reversed(turns) for one in turn.blocks)
        steps = (one for one in blocks if isinstance(one, StepBlock))
        now = next((one for one in steps if one.id == shown.id), None)
        self.view.show_run(now)

    @Slot()
    def _copy_run(self) -> None:
        step = self.view.run_pane.step
        if step is not None and step.run is not None:
            self._copy(copied_findings(step.run))

    async def _look_for_models(self) -> None:
        """Ask once, while the doors are on show, what this machine has; only its loopback is."""
        try:
            told = await ask_agent(self.context, wire.PROVIDER_MODELS, {"id": OLLAMA})
        except AgentError:
            self._models = None
        else:
            self._models = tuple(str(one["id"]) for one in told["models"])
        self._show_doors()

    def _show_doors(self) -> None:
        known = self.content.agents if self.content else ()
        self.view.start.doors.show_doors(doors(self._models, known))

    @Slot()
    def _on_start_appeared(self) -> None:
        self._has_looked = False  # what runs here may have changed since

    @Slot(str, str)
    def _on_door_wanted(self, act: str, value: str) -> None:
        if act == AGENT:
            self.spawn(self.choosing.hand_over(value))
        elif act == MODEL:
            self.spawn(self._use_model(value))
        else:
            self.context.go(ToSettings("agents"))

    async def _use_model(self, model: str) -> None:
        """Let a model answer from now on."""
        save = self.inklings.preferences.save
        if await self.change(save, {"agent.classes.frontier": model}):
            # Only an agent that is asked to says what answers here from now on.
            self._talk().set_option(self.conversation_id, wire.MODEL, model)
            self.view.focus_composer()

    def _show_state(self) -> None:
        """What the composer can do, what the card above it says, what the rail tells."""
        view, thread, content = self.view, self.said, self.content
        composer, is_installed = view.composer, self.talking.is_installed
        title = self._other_title
        composer.show_who(*self.choosing.who())
        composer.show_cost(*self.choosing.cost())
        composer.show_send_key(is_with_ctrl=self._is_sent_with_ctrl())
        own = tr("Message to the World Agent")
        spoken = tr("Message to {agent}").format(agent=title) if title else own
        composer.show_hint(composer_hint(thread, title), spoken)
        reason = why_withheld()
        if content is not None and content.is_archived:
            reason = tr("This conversation is archived.")
        doing = Doing.ANSWERING if thread.is_running else Doing.NOTHING
        is_closed = bool(reason) or not is_installed
        composer.show_doing(Doing.CLOSED if is_closed else doing, reason=reason)
        view.show_notice(self._notice())
        view.show_composer(shown=content is None or not content.is_ended)
        self.host.tell_rail(self.conversation_id)
        self.told.emit()

    def _notice(self) -> ProblemWords | None:
        talking, turns = self.talking, self.said.turns
        is_said = bool(turns) and any(isinstance(one, ProblemBlock) for one in turns[-1].blocks)
        return notice_of(
            self.content,
            None if is_said else talking.problem,
            self._refused,
            last_line=talking.last_lines.rpartition("\n")[2],
            is_installed=talking.is_installed,
            is_only_look=bool(why_withheld()),
        )

    # -- the agent ----------------------------------------------------------------------------

    @property
    def talking(self) -> Talking:
        """The agent that answers in the conversation on show."""
        return self.host.talking_in(self.conversation_id)

    @property
    def _other_title(self) -> str:
        """What the agent of another maker is called that answers; empty for the World Agent."""
        content = self.content
        return content.agent.title if content and content.agent else ""

    def _command(self) -> Sequence[str] | None:
        return type(self).launch(self.inklings.data_dir, self.workspace_id)

    def _talk(self) -> Talk:
        return self.talking.talk

    @property
    def asks_before_closing(self) -> bool:
        """Whether something is written and not kept yet, or waits to be sent."""
        return bool(self._unsent)

    @property
    def _unsent(self) -> tuple[str, ...]:
        return (*self.writing.unkept, *self.host.waiting)

    async def may_close(self) -> bool:
        """Whether the window may go with what is neither sent nor kept; asks where it is seen."""
        await self.writing.settled()
        unsent, here = self._unsent, self.context.here()
        if not unsent:
            return True
        latest = self.conversation_id if self.conversation_id in unsent else unsent[-1]
        if here is not None and here.conversation(latest) is not None:
            self.context.go(ToConversation(latest))
        return await ask(
            self.view.window(),
            tr("Close without sending?"),
            tr("A message waits to be sent, and is lost when the window closes."),
            yes=tr("Close"),
            no=tr("Stay"),
            is_destructive=True,
        )

    def close(self) -> None:
        """End the agent's process with the window."""
        self.host.close()

    @Slot(str)
    def _on_due(self, session: str) -> None:
        said = self.host.said_in(session)
        if said.queued and not said.is_running:
            self._take_back_queued(session)  # its turn was stopped or failed: nothing sends it
        if session == self.conversation_id:
            self._announcing.steps(self.said)
            self.draw()

    @Slot(str)
    def _on_asking(self, session: str) -> None:
        for one in self.host.said_in(session).open_questions:
            if one.before is None and one.after is None and one.touched:
                self.spawn(self._show_text_of(session, one))
        if session == self.conversation_id:
            self._announcing.asks(self._other_title)

    async def _show_text_of(self, session: str, ask: AskBlock) -> None:
        """Put what would be gone on the card of a question that names it by its id alone."""
        with suppress(NotFoundError, InvalidValueError):
            entry = await self.background.read(
                self.inklings.listing.locate, ask.touched[0].id, self.workspace_id
            )
            if self.host.said_in(session).put_to(ask.id, before=entry.content):
                self._on_due(session)

    @Slot(str)
    def _on_turn_over(self, session: str) -> None:
        self.read_soon()  # it may have been allowed something
        if session == self.conversation_id:
            self._announcing.over(self.said, self._other_title)

    @Slot()
    def _on_agent_changed(self) -> None:
        facts = self._talk().facts
        if facts is not None and facts.is_of_another_minor and facts is not self._told_of:
            self._told_of = facts
            self.context.tell(tr("The agent and this window have different versions; it works"))
        if self.content is not None and self.content.talk is not None:
            self.draw()

    @Slot(object, object)
    def _on_refused(self, session: str | None, problem: Problem) -> None:
        if session in {None, self.conversation_id}:
            self._refused = ProblemBlock(problem.word, problem.detail, problem.values or {})
            self._on_agent_changed()

    # -- what is said -------------------------------------------------------------------------

    @Slot()
    def send(self) -> None:
        """Say what is written; while the agent answers, it is queued."""
        draft, talking, content = self.writing.draft(), self.talking, self.content
        if draft.is_empty or content is None or not talking.is_installed:
            return
        if not content.is_granted:
            self.view.focus_card()
            return
        self._refused = None
        if talking.problem is not None:
            talking.restart(self.conversation_id)
        talking.want(self.conversation_id)
        # Stored, or queued, before the draft goes: a kill finds it as one or the other.
        talking.talk.prompt(self.conversation_id, draft.said())
        self.writing.show(Draft())
        self.view.thread_view.go_to_foot()

    @Slot()
    def stop(self) -> None:
        """Stop the turn that runs; what was written stays."""
        self._talk().cancel(self.conversation_id)

    @Slot(str, str, object)
    def _on_answered(self, question: str, option: str, chosen: tuple[str, ...] | None) -> None:
        self._talk().answer(question, option, chosen)
        self.read_soon()  # what is always allowed stands in the menu
        self.view.focus_composer()

    @Slot(str, object)
    def _on_wanted(self, act: str, problem: ProblemBlock) -> None:
        talking, here = self.talking, self.conversation_id
        if act == RETRY:
            talking.talk.retry(here)
        elif act == CONTINUE:
            talking.want(here)
            talking.talk.continue_(here)
        elif act in {RESTART, START_AGAIN}:
            talking.restart(here)
        elif act == CHANGE_KEY:
            self.context.go(ToSettings("agents"))
            return
        elif act == OTHER_MODEL:
            self.choosing.offer()
            return
        elif act == WITHOUT:
            self.choosing.go_on_without()
        elif act == RAISE:
            self.spawn(self.choosing.raise_ceiling(problem.values))
        elif act == COPY:
            self._copy_details(problem)
        elif act == LEAVE:
            self._left.add(self.said.turns[-1].id)
            self.draw()
        elif act == WAIT:
            talking.want(here)
            self.read_again()
        else:
            self._on_notice_acted(act)
        self.view.focus_composer()

    @Slot(str)
    def _on_notice_acted(self, act: str) -> None:
        if act == GRANT:
            self.spawn(self._let_in())
        elif act == BEGIN_FROM:
            self.spawn(self._branch(None, Draft()))
        elif act == TALK_AGAIN:
            self.spawn(self._talk_again())
        elif act == COPY_LINE:
            self._copy(INSTALL_LINE)
        elif act == COPY:
            self._copy_details(self.talking.problem or self._refused)
        else:
            self._refused = None
            self.talking.restart(self.conversation_id)
            self._on_agent_changed()

    async def _talk_again(self) -> None:
        resume = self.inklings.conversations.resume
        if await self.change(resume, self.workspace_id, self.conversation_id):
            await self.settled()
            self.view.focus_composer()

    async def _let_in(self) -> None:
        agent = self.content.agent if self.content else None
        if agent is not None:
            if await self.change(let_other_in, self.inklings, self.workspace_id, agent):
                self.context.tell(tr("{agent} may read this world now").format(agent=agent.title))
                self.view.focus_composer()
            return
        if await self.change(let_agent_in, self.inklings, self.workspace_id):
            self.context.tell(tr("The World Agent may work in this world now"))
            self.view.focus_composer()

    def _copy_details(self, problem: Problem | ProblemBlock | None) -> None:
        detail = "" if problem is None else f"{problem.word} {problem.detail}"
        values = {} if problem is None else problem.values or {}
        told = [detail, *map(str, values.get("ways", ())), self.talking.last_lines]
        self._copy("\n".join(told).strip())

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.context.tell(tr("Copied"))

    @Slot(str)
    def _on_command_chosen(self, text: str) -> None:
        self.view.composer.show_text(text)
        self.view.focus_composer()

    @Slot()
    def _on_queued_wanted(self) -> None:
        self._take_back_queued(self.conversation_id)

    def _queued(self, session: str) -> Draft:
        return draft_of(() if self.host.now is None else self.host.said_in(session).queued)

    def _take_back_queued(self, session: str) -> None:
        """Put what is queued into the field again, before what was written there since."""
        draft = draft_of(self._talk().unqueue(session))
        if not draft.is_empty:
            self.writing.keep(session, draft)

    # -- what is in a turn --------------------------------------------------------------------

    @Slot(object, object)
    def _on_part_activated(self, part: Part, turn: Turn) -> None:
        if part.act[0] == MEMORY:
            self.view.show_run(None)
            self.touched.open(part.act[1], turn)
        elif part.act[0] == READ_LIST:
            popover = TouchedPopover(self.context.theme, part.act[1], self.view)
            popover.chosen.connect(lambda one: self.touched.open(one, turn))
            popover.closed.connect(popover.deleteLater)
            popover.popup_below(self.view.thread_view.anchor)
        elif part.act[0] == OPEN_RUN:
            self.view.show_run(part.act[1])
        elif part.act[0] == OPEN_PAGE:
            self.context.go(ToWorld(part.act[1]))
        elif part.act[0] == STOP_RUN:
            self._talk().stop_run(self.conversation_id, part.act[1])
        elif part.act[0] == UNDO:
            self._undo(turn, part.act[1])
        elif part.act[0] == EDIT_QUEUED:
            self._on_queued_wanted()
            self.view.focus_composer()
        elif part.act[0] == DROP_QUEUED:
            self._talk().unqueue(self.conversation_id)

    def _undo(self, turn: Turn, touched: Sequence[Touched]) -> None:
        memory = touched[0].id if len(touched) == 1 else None
        done = counted(len(touched), "Undone", "{n} changes undone")
        self._talk().undo(
            self.conversation_id,
            turn.id,
            memory,
            then=lambda: self.view.toast.show_message(done, icon="arrow-counter-clockwise"),
        )

    @Slot(object, QPoint)
    def _on_menu_wanted(self, turn: Turn, at: QPoint) -> None:
        thread = self.view.thread_view
        is_last_answer = turn.role == rows.ASSISTANT and turn == self.said.turns[-1]
        acts = TurnActs(
            self._copy,
            thread.copy_chosen,
            None if why_withheld() else lambda text: self.context.go(ToNewMemory(text)),
            self._way_to_ask_again(turn),
            self._way_to_bookmark(turn),
            self._ask_why if is_last_answer and self._can_tell_why() else None,
            partial(self._undo, turn),
        )
        turn_menu(turn, thread.chosen_text(), thread.words_of(turn), acts, self.view).popup(at)

    def _way_to_ask_again(self, turn: Turn) -> Callable[[], None] | None:
        """What asks a turn's question again in a conversation of its own; None for none stored."""
        of_turn = (one for one in self.said.turns if (one.id, one.role) == (turn.id, rows.USER))
        asked = next(of_turn, None)
        if asked is None or why_withheld() or turn.id.startswith(rows.LOCAL):
            return None
        draft = asked_in(asked)

        def ask_again() -> None:
            self.spawn(self._branch(turn.id, draft))

        return ask_again

    def _way_to_bookmark(self, turn: Turn) -> Callable[[], None] | None:
        """What marks the place of a turn; None for one that is not stored."""
        is_stored = turn.role != rows.NOTICE and not turn.id.startswith(rows.LOCAL)
        if not is_stored or why_withheld():
            return None

        def bookmark() -> None:
            self.spawn(self._bookmark(turn.id))

        return bookmark

    async def _bookmark(self, turn: str) -> None:
        mark, here = self.inklings.messages.bookmark, (self.workspace_id, self.conversation_id)
        made = await ask_name(
            self.view,
            tr("Bookmark this place"),
            tr("The name appears in this conversation and nowhere else."),
            yes=tr("Add bookmark"),
            use=lambda name: self.background.write(mark, *here, turn, name=name),
        )
        if made is not None:
            self.read_again()

    async def _branch(self, turn: str | None, draft: Draft) -> None:
        """Go on in a new conversation with what was said before a turn, or with all of it."""
        talk = self.content.talk if self.content is not None else None
        if talk is None:
            return
        made = await self.background.write(
            self.inklings.messages.branch,
            self.workspace_id,
            talk.id,
            turn,
            title=title_again(talk.title),
        )
        self.writing.keep(made.id, draft)
        self.context.go(ToConversation(made.id))
        self.context.tell(tr("This is a new conversation; the other one is unchanged"))

    def _is_sent_with_ctrl(self) -> bool:
        return self.inklings.settings.appearance.send_key == "ctrl_enter"

    def _can_tell_why(self) -> bool:
        content = self.content
        if content is None or content.agent is not None:
            return False
        is_open = content.is_granted and not content.is_archived
        is_silent = not self.said.is_running and not why_withheld()
        return is_open and is_silent and self.talking.is_ready

    def _ask_why(self) -> None:
        """Let the agent tell what its last answer was made from; it remembers no earlier one."""
        asked = {"kind": "text", "text": f"/{wire.COMMAND_WHY}"}
        self.view.thread_view.go_to_foot()
        self._talk().prompt(self.conversation_id, (asked,))

    # -- what the window asks -----------------------------------------------------------------

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        """Bring the keyboard to the composer, also while a card waits."""
        self.view.focus_composer()

    def panes(self) -> Panes:
        return self.view.stops()

    def key_hints(self) -> tuple[KeyHint, ...]:
        is_talking = self.host.now is not None and bool(self.conversation_id)
        said = self.said if is_talking else None
        return key_hints(said, is_sent_with_ctrl=self._is_sent_with_ctrl())
