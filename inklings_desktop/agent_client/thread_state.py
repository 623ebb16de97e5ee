"""What is said in a conversation, as rows: from stored messages and from live updates, the same.

Rows are appended and replaced, never moved: a row that did not change is the same object as
before, so who draws them compares by identity. They are made when they are asked for, however many
updates came meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import bounded, dict_of, line_of, list_of, number_of
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.growing import GrowingTurn
from inklings_desktop.agent_client.rows import (
    AskBlock,
    NoticeBlock,
    ProblemBlock,
    StepBlock,
    Turn,
    UnknownBlock,
    touched_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

MAX_HELD: Final = 32
MAX_MISSING: Final = 1000


@dataclass(slots=True)
class TurnOrder:
    """What came of one turn, by the numbers that its updates carry, from 1."""

    expected: int = 1
    _held: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    _missing: set[int] = field(default_factory=set)

    def take(self, seq: int, update: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """What can be applied now that this came, in order; empty for a repeat."""
        if seq in self._missing:
            self._missing.discard(seq)
            return [update]
        if seq < self.expected or seq in self._held:
            return []
        self._held[seq] = update
        return self.release() if len(self._held) > MAX_HELD else self._in_order()

    def release(self) -> list[Mapping[str, Any]]:
        """What waits for an update that did not come, in order."""
        if not self._held:
            return []
        held = [self._held[seq] for seq in sorted(self._held)]
        last = max(self._held)
        gaps = range(self.expected, min(last, self.expected + MAX_MISSING))
        self._missing.update(seq for seq in gaps if seq not in self._held)
        self.expected = last + 1
        self._held = {}
        return held

    def _in_order(self) -> list[Mapping[str, Any]]:
        ready = []
        while self.expected in self._held:
            ready.append(self._held.pop(self.expected))
            self.expected += 1
        return ready


_Rows = tuple[tuple[Turn, ...], list[GrowingTurn], dict[str, TurnOrder]]
MAX_TURNS_ORDERED: Final = 20
_STATES = {rows.COMPLETE, rows.STOPPED, rows.FAILED}
_PROBLEM_OF_STOP = {
    words.MAX_TOKENS: words.ANSWER_CUT,
    words.MAX_TURN_REQUESTS: words.LIMIT_REACHED,
    words.REFUSAL: words.REFUSED_BY_MODEL,
}
UNKNOWN_STOP: Final = "unknown_stop"


def turns_of(messages: Iterable[Mapping[str, Any]]) -> tuple[Turn, ...]:
    """Stored messages, oldest first, as rows; each a mapping as `acp_wire.parts` tells."""
    thread = ThreadState()
    thread.replay(messages)
    return thread.turns


class ThreadState:
    """One conversation as it is shown.

    Attributes:
        title: Its title as the agent tells it; empty for not told.
        state: The conversation's state as told, ``active``, ``idle`` or ``archived``; else empty.
        commands: Slash commands of the agent, name and description.
        config_options: What may be set for it, as the protocol tells it.
        modes: The modes of an agent that has them, as the protocol tells them; empty for none.
        usage: Tokens and cost as told last.
        compacted: Up to where older turns were summarised, as told last; empty for nowhere.
        queued: Parts of the message that waits for the running turn to end; empty for none.
        ref_code: The short name of the conversation; empty for not told.
        unfinished: The turn that can go on, as ``turn``, ``node``, ``question``; empty for none.
    """

    def __init__(
        self, clock: Callable[[], datetime] = lambda: datetime.now(UTC), speaker: str = ""
    ) -> None:
        """A conversation in which nothing was said yet.

        Args:
            clock: What rows take their time from where none is told.
            speaker: The client's name of the agent that answers.
        """
        self.title = ""
        self.ref_code = ""
        self.state = ""
        self.commands: tuple[tuple[str, str], ...] = ()
        self.config_options: list[dict[str, Any]] = []
        self.modes: dict[str, Any] = {}
        self.usage: dict[str, Any] = {}
        self.compacted: dict[str, Any] = {}
        self.queued: tuple[Mapping[str, Any], ...] = ()
        self.unfinished: dict[str, Any] = {}
        self._clock = clock
        self._speaker = speaker
        self._earlier: tuple[Turn, ...] = ()
        self._turns: list[GrowingTurn] = []
        self._orders: dict[str, TurnOrder] = {}
        self._n_local = 0
        self._going_on = ""
        self._before: _Rows | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Its rows, oldest first; while they are told again, those from before."""
        earlier, turns, _ = self._before or (self._earlier, self._turns, None)
        return (*earlier, *(turn.row() for turn in turns))

    @property
    def is_running(self) -> bool:
        """Whether the agent is at work in it."""
        return self._running() is not None

    @property
    def n_at_work(self) -> int:
        """How many of those whom the agent sent are at work."""
        running = self._running()
        blocks = () if running is None else running.row().blocks
        runs = (one.run for one in blocks if isinstance(one, StepBlock))
        return sum(one is not None and one.is_running for one in runs)

    @property
    def open_questions(self) -> tuple[AskBlock, ...]:
        """Questions that wait for an answer, oldest first."""
        return tuple(
            block
            for turn in self._turns
            for block in turn.row().blocks
            if isinstance(block, AskBlock) and block.is_open
        )

    def begin_again(self) -> None:
        """Make room for everything to be told again; `told_again` ends that."""
        self._before = self._before or (self._earlier, self._turns, self._orders)
        self._earlier, self._turns, self._orders = (), [], {}
        self.unfinished = {}

    def told_again(self, *, whole: bool = True) -> None:
        """Everything was told again; or it was not, and the rows are those from before.

        What a person said and what came of it stays, even if the agent died before it kept it.
        """
        if self._before is None:
            return
        earlier, before, orders = self._before
        self._before = None
        if not whole:
            self._earlier, self._turns, self._orders = earlier, before, orders
            return
        paid = {one.id: one for one in before if one.cost_micro or one.model}
        for turn in self._turns:
            if turn.role == rows.ASSISTANT and (told := paid.get(turn.id)) is not None:
                turn.becomes(model=told.model, cost_micro=told.cost_micro, currency=told.currency)
        self._turns.extend(self._missing(before))
        for turn in self._turns[-2:]:
            if turn.state == rows.INTERRUPTED and turn.id in orders:
                self._orders[turn.id] = orders[turn.id]

    def offer(self, options: object) -> None:
        """Take what may be set for the conversation, as the protocol tells it."""
        if isinstance(options, list):
            self.config_options = [one for one in options[:50] if isinstance(one, dict)]

    @property
    def has_model(self) -> bool | None:
        """Whether a model answers here; None where the agent has not told."""
        options = (one for one in self.config_options if one.get("id") == words.MODEL)
        now = next(options, {}).get("currentValue")
        return None if now is None else now != words.MECHANICAL

    def pay(self, told: Mapping[str, Any]) -> None:
        """Take what was spent before, as the agent tells it when the conversation is opened."""
        turns, talk = dict_of(told.get("turns")), number_of(told.get("talk_micro"))
        currency = line_of(told.get("currency"), 20)
        for id_, micro in turns.items():
            if (turn := self._turn(id_, rows.ASSISTANT)) is not None:
                turn.becomes(cost_micro=number_of(micro), currency=currency)
        if talk is not None and not self.usage:
            cost = {"amount": talk / 1_000_000, "currency": currency}
            latest = next(iter(turns.values()), None)
            self.usage = dict(told) | {"cost": cost, "turn_micro": latest}

    def replay(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Put stored messages, oldest first, after what is there."""
        for update in parts.replay(messages):
            self.apply(update)

    def prepend(self, turns: tuple[Turn, ...]) -> None:
        """Put earlier turns, as of `turns_of`, before what is there."""
        self._earlier = turns + self._earlier

    def begin(self, said: Sequence[Mapping[str, Any]], *, goes_on: bool = False) -> None:
        """Show what the person says, and that the agent is at work.

        With ``goes_on`` nothing is said: the turn that was interrupted goes on, if there is one.
        """
        now = self._clock()
        last = self._turns[-1] if self._turns else None
        if goes_on and last is not None and last.can_go_on:
            last.forget_problems()
            last.becomes(state=rows.RUNNING)
            self.unfinished = {}
            self._going_on = last.id
            return
        self._n_local += 1
        local = f"{rows.LOCAL}{self._n_local}"
        if said:
            mine = GrowingTurn(local, rows.USER, parts.PERSON, now, produced_by=parts.PERSON)
            for block in parts.prompt_blocks(said):
                mine.say({"content": block}, {words.WHOLE: True})
            mine.becomes(state=rows.COMPLETE)
            self._turns.append(mine)
        self._turns.append(GrowingTurn(local, rows.ASSISTANT, self._speaker, now))

    def apply(self, update: Mapping[str, Any]) -> None:
        """Take an update of the conversation, the ``update`` of a notification."""
        own = parts.own_of(update)
        turn, seq = line_of(own.get(words.TURN), 64), number_of(own.get(words.SEQ))
        if not turn or seq is None:
            self._apply(update, own, turn)
            return
        if turn not in self._orders:
            while len(self._orders) >= MAX_TURNS_ORDERED:
                del self._orders[next(iter(self._orders))]
            self._orders[turn] = TurnOrder()
        if turn == self._going_on:
            # The agent goes on where it had last kept what it did, and tells the rest again.
            self._going_on = ""
            self._orders[turn] = TurnOrder(seq)
            self._answering(turn).rewind(seq)
        for ready in self._orders[turn].take(seq, update):
            self._apply(ready, parts.own_of(ready), turn)

    def settle(self) -> bool:
        """Apply what waits for an update that did not come in between; whether there was any."""
        waiting = [(turn, order.release()) for turn, order in self._orders.items()]
        for turn, updates in waiting:
            for ready in updates:
                self._apply(ready, parts.own_of(ready), turn)
        return any(updates for _, updates in waiting)

    def ask(self, block: AskBlock, turn: str = "") -> None:
        self.settle()
        self._answering(turn).ask(block)

    def put_to(self, id_: str, *, before: str) -> bool:
        """Show with an open question what stands there now; whether it is still open."""
        for turn in reversed(self._turns):
            for block in turn.row().blocks:
                if isinstance(block, AskBlock) and block.id == id_ and block.is_open:
                    turn.ask(replace(block, before=before))
                    return True
        return False

    def answered(self, id_: str, outcome: str) -> None:
        """Note how a question ended."""
        for turn in reversed(self._turns):
            if turn.answered(id_, outcome):
                return

    def finish(self, stop: str, turn: str = "", ms: int | None = None) -> None:
        """Note how the running turn ended, by the protocol's word for it."""
        running = self._ending(turn)
        if running is None:
            return
        took = ms if ms is not None else self._took(running)
        state = rows.STOPPED if stop == words.CANCELLED else rows.COMPLETE
        if stop in _PROBLEM_OF_STOP:
            if not running.tells(words.BUDGET_SPENT):
                running.note(ProblemBlock(_PROBLEM_OF_STOP[stop]))
        elif stop not in {words.END_TURN, words.CANCELLED}:
            running.note(NoticeBlock(UNKNOWN_STOP, {"reason": line_of(stop, 60)}))
        running.becomes(state=state, ms=took)

    def fail(
        self,
        word: str,
        detail: str = "",
        turn: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> None:
        """Note that the running turn ended with a problem."""
        running = self._ending(turn)
        if running is not None:
            running.note(ProblemBlock(word, detail, values or {}))
            running.becomes(state=rows.FAILED, ms=self._took(running))

    def interrupt(self, word: str = words.AGENT_GONE, detail: str = "") -> None:
        """Note that the agent is gone: the running turn can go on later."""
        running = self._ending("")
        if running is not None:
            running.note(ProblemBlock(word, detail))
            running.becomes(state=rows.INTERRUPTED)
            self.unfinished = {words.TURN: running.id}

    def left_unfinished(self, told: Mapping[str, Any]) -> None:
        """Note the turn that can go on, as an agent tells it when a conversation is opened."""
        turn = line_of(told.get(words.TURN), 64)
        problem = dict_of(told.get(words.PROBLEM))
        can_go_on = not problem
        self.unfinished = dict(told) if turn and can_go_on else {}
        if turn:
            found = self._turn(turn, rows.ASSISTANT)
            if found is None:
                found = GrowingTurn(turn, rows.ASSISTANT, self._speaker, self._clock())
                self._turns.append(found)
            # Why it stopped is past: what counts is whether it can go on, and that is said once.
            found.forget_problems()
            if problem:
                found.note(_problem_of(problem))
            found.becomes(state=rows.INTERRUPTED if can_go_on else rows.FAILED)

    def undone(self, turn: str, memory: str | None) -> None:
        """Note that a turn's changes were undone: of this memory, or of all."""
        growing = self._turn(turn, rows.ASSISTANT)
        if growing is None:
            return
        growing.touch(
            tuple(
                replace(one, undo=False, undone=True)
                for one in growing.row().touched
                if one.undo and memory in {None, one.id}
            )
        )

    def _missing(self, before: list[GrowingTurn]) -> list[GrowingTurn]:
        """The sides of the interrupted turn that were not told again."""
        last = before[-1] if before else None
        if last is None or last.state != rows.INTERRUPTED:
            return []
        sides = [one for one in before[-2:] if one.id == last.id]
        told = next((one for one in reversed(self._turns) if one.role == rows.USER), None)
        mine = sides[0] if sides[0].role == rows.USER else None
        is_same = told is not None and mine is not None and mine.row().blocks == told.row().blocks
        if last.id.startswith(rows.LOCAL) and told is not None and is_same:
            last.becomes(id=told.id)
            sides = [last]
        return [one for one in sides if self._turn(one.id, one.role) is None]

    def _apply(self, update: Mapping[str, Any], own: dict[str, Any], turn: str) -> None:
        match update.get("sessionUpdate"):
            case words.USER_CHUNK:
                self._side(turn, rows.USER, own).say(update, own)
            case words.AGENT_CHUNK:
                self._answering(turn, own).say(update, own)
            case words.THOUGHT_CHUNK:
                self._answering(turn, own).think(update, self._clock())
            case words.TOOL_CALL | words.TOOL_CALL_UPDATE:
                self._answering(turn, own).call(update, own)
            case words.PLAN:
                self._answering(turn, own).plan(update.get("entries"))
            case words.COMMANDS:
                found = [dict_of(one) for one in list_of(update.get("availableCommands"))[:200]]
                self.commands = tuple(
                    (line_of(one.get("name"), 60), line_of(one.get("description"))) for one in found
                )
            case words.CONFIG_OPTIONS:
                self.offer(update.get("configOptions"))
            case words.USAGE:
                self.usage = {key: update.get(key) for key in ("used", "size", "cost")} | own
                if turn:
                    self._note_cost(self._answering(turn, own), own)
            case words.SESSION_INFO:
                self._inform(update, own, turn)
            case words.CURRENT_MODE:
                self.modes = self.modes | {"currentModeId": line_of(update.get("currentModeId"))}
            case kind:
                self._answering(turn, own).note(UnknownBlock(line_of(kind, 60)))

    def _note_cost(self, turn: GrowingTurn, own: Mapping[str, Any]) -> None:
        """Note with an answer which model it comes from, and what it cost so far."""
        named = (line_of(own.get(key), 200) for key in ("provider", words.MODEL))
        currency = line_of(dict_of(self.usage["cost"]).get("currency"), 20)
        cost = number_of(own.get("turn_micro"))
        turn.becomes(model="/".join(named), cost_micro=cost, currency=currency)

    def _inform(self, update: Mapping[str, Any], own: dict[str, Any], turn: str) -> None:
        if isinstance(update.get("title"), str):
            self.title = line_of(update["title"])
        if state := line_of(own.get(words.STATE), 40):
            self.state = state
        if compacted := dict_of(own.get(words.COMPACTED)):
            self.compacted = compacted
        tells = {words.TOUCHED, words.PROBLEM, words.NOTICE, words.STOPPED, words.PART, words.ENDED}
        if not tells & own.keys():
            return
        growing = self._side(turn, rows.NOTICE if words.NOTICE in own else rows.ASSISTANT, own)
        # What an undo touched is told by the turn that it undid.
        growing.touch(() if words.NOTICE in own else touched_of(own.get(words.TOUCHED)))
        if problem := dict_of(own.get(words.PROBLEM)):
            growing.note(_problem_of(problem))
        if notice := dict_of(own.get(words.NOTICE)):
            values = bounded(notice.get("values"), 4096)
            growing.note(NoticeBlock(line_of(notice.get("word"), 60), values))
            if notice.get("word") == words.UNDONE:
                for memory in list_of(values.get("memories")):
                    self.undone(turn, str(memory))
        if part := dict_of(own.get(words.PART)):
            growing.note(UnknownBlock(line_of(part.get("kind"), 60)))
        if words.STOPPED in own:
            growing.becomes(ms=number_of(own[words.STOPPED]))
        if ended := dict_of(own.get(words.ENDED)):
            state = line_of(ended.get(words.STATE), 40)
            ms = number_of(ended.get(words.MS)) if growing.ms is None else growing.ms
            growing.becomes(state=state if state in _STATES else rows.COMPLETE, ms=ms)

    def _answering(self, turn: str, own: Mapping[str, Any] | None = None) -> GrowingTurn:
        return self._side(turn, rows.ASSISTANT, own or {})

    def _side(self, turn: str, role: str, own: Mapping[str, Any]) -> GrowingTurn:
        """The row that an update of this turn belongs to, made if there is none."""
        if own.get(words.ROLE) in {rows.USER, rows.ASSISTANT, rows.NOTICE}:
            role = str(own[words.ROLE])
        found = self._turn(turn, role) if turn else self._last(role)
        if found is None and turn and role == rows.ASSISTANT:
            found = self._adopted(turn)
        if found is None:
            self._n_local += 0 if turn else 1
            at = parts.instant(own.get(words.AT)) or self._clock()
            name = turn or f"{rows.LOCAL}{self._n_local}"
            found = GrowingTurn(name, role, self._speaker, at)
            if role != rows.ASSISTANT:
                found.becomes(state=rows.COMPLETE)
            if role == rows.USER:
                found.becomes(speaker=parts.PERSON, produced_by=parts.PERSON)
            self._turns.append(found)
        if speaker := line_of(own.get(words.SPEAKER), 200):
            found.becomes(speaker=speaker)
        found.seq = number_of(own.get(words.SEQ)) or found.seq
        return found

    def _turn(self, turn: str, role: str) -> GrowingTurn | None:
        is_it = (one for one in reversed(self._turns) if one.id == turn and one.role == role)
        return next(is_it, None)

    def _last(self, role: str) -> GrowingTurn | None:
        """The row that goes on where an agent names no turns: the last, if it is of this side."""
        running = self._running()
        if role == rows.ASSISTANT and running is not None:
            return running
        last = self._turns[-1] if self._turns else None
        return last if last is not None and last.role == role else None

    def _adopted(self, turn: str) -> GrowingTurn | None:
        """The row of a message just sent, once the agent has named its turn."""
        running = self._running()
        if running is None or not running.id.startswith(rows.LOCAL):
            return None
        for one in self._turns:
            if one.id == running.id and one is not running:
                one.becomes(id=turn)
        running.becomes(id=turn)
        return running

    def _running(self) -> GrowingTurn | None:
        running = (one for one in reversed(self._turns) if one.state == rows.RUNNING)
        return next(running, None)

    def _ending(self, turn: str) -> GrowingTurn | None:
        """The running row, as its turn ends: nothing waits or is asked any more."""
        self.settle()
        named = self._turn(turn, rows.ASSISTANT) if turn else None
        running = self._running()
        if named is not None and running is not None and named is not running and running.is_empty:
            self._turns.remove(running)
        elif named is None and turn:
            named = self._adopted(turn)
        found = named or running
        if found is not None:
            found.withdraw()
        return found

    def _took(self, turn: GrowingTurn) -> int | None:
        if turn.at is None:
            return None
        return round((self._clock() - turn.at).total_seconds() * 1000)


def _problem_of(told: Mapping[str, Any]) -> ProblemBlock:
    values = bounded(told.get("values"), 4096)
    return ProblemBlock(line_of(told.get("word"), 60), line_of(told.get("detail")), values)
