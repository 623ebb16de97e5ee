# ruff: noqa: E501, RUF001 - sentences are quoted as they are spoken
"""Over 200 spoken turns about 60 memories, to a person who says yes to everything that is asked.

After each turn the memories that are there are exactly those that were meant: what was not meant
is neither changed nor forgotten, and what was not said is not kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from inklings_desktop.agent.planning import MEMORY_WRITES
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.agent.spoken_turns import Talk
from tests.end2end.stage import OWN, WRITER, Stage, workspace_of

DICTATED = """
The ferry does not run after the third bell.
Keeps the ferry bell at Harrow Staithe. Widow of Jory, and afraid of ice.
The abbey bell is cracked.
Brother Odo counts the dead in the abbey ledger.
Brother Odo cannot swim.
The eel tithe is eleven eels for each hearth, due at reed-moon, paid at the abbey water gate.
Nerys is left-handed.
Nerys carries no coin.
Nerys has a sister called Wren.
Wren sails the grey sloop.
The toll at Wend Gate is paid in directions.
The gate of Wend is old.
The gate of Wend is barred at dusk.
The lighthouse has ninety steps.
The lighthouse keeper is Orrin.
Orrin fears deep water.
Orrin owns a brass telescope.
The house on the hill burned in spring.
The villain's name is Malachar.
Malachar wears a mask of salt.
Salt is forbidden in the abbey kitchen.
The kiln is cold.
The market opens at dawn.
The miller sells no flour on Sundays.
The river floods in April.
Mara keeps bees behind the mill.
Mara is afraid of thunder.
Mara's brother is the ferryman.
The king's road ends at the marsh.
Lanterns are green in the marsh.
Der Turm von Wend hat hundert Stufen.
Die Glocke der Abtei ist gesprungen.
Der Drache heißt Ilmar.
Ilmar schläft unter dem See.
Der See ist im Winter gefroren.
Greta spricht nie über ihren Vater.
Greta trägt einen blauen Mantel.
Der Müller ist Gretas Onkel.
Das Tor wird bei Ebbe geöffnet.
Die Fähre ist rot.
Der Schmied hat nur ein Auge.
Die Brücke ist aus Eichenholz.
Le phare est gardé par Aline.
Aline ne sait pas nager.
Le pont est en pierre.
Le roi boite de la jambe gauche.
La reine habite au nord.
Le marché ferme à midi.
La forêt est interdite aux chasseurs.
Le moulin tourne la nuit.
""".strip().splitlines()
TYPED = [
    "The harbour master is called Sked.",
    "Sked counts every barrel twice.",
    "The plate of Wend is older than its gate.",
    "Der Hafenmeister heißt Sked.",
    "Le port est profond.",
]
OTHERS = [
    "Chapter one takes place in autumn.",
    "Chapter two takes place at sea.",
    "The prologue is told by the sea itself.",
    "Chapter five needs a map.",
    "The epilogue is a letter.",
]


@dataclass(frozen=True)
class Said:
    """Some turns of one conversation, and what they change."""

    turns: tuple[str, ...]
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def said(*turns: str, gone: tuple[str, ...] | str = (), new: tuple[str, ...] | str = ()) -> Said:
    one = (gone,) if isinstance(gone, str) else gone
    other = (new,) if isinstance(new, str) else new
    return Said(turns, one, other)


UNCHANGED = """
What do you know about Mara?
What do you know about this workspace?
Who keeps the lighthouse
How many steps has the lighthouse
Where does Orrin live?
Orrin
the lighthouse
灯塔在哪里？
Why do you say that?
Where did we leave off?
What happened last time?
What did we talk about yesterday?
What did we decide?
help
hello
Is Nerys left-handed
Does the ferry run
When is the eel tithe due
Remember when we met Nerys?
Do you remember the river?
Remind me who Wren is
Find salt
what is said of Malachar
what changed
next turn
Thanks!
ok
never mind
I love the lighthouse.
We decided that Nerys dies in chapter nine.
Nerys forgets everything that she is told.
Mara deletes her letters.
The keeper will remember this.
Save the ferry first.
Keep the pace slow in this scene.
Note how the light falls on the water.
Store the boats for the winter, said Orrin.
Do not delete anything.
"Do not forget me," said Mara.
Write me a paragraph about the ferry.
Continue the scene at the gate.
What should Nerys do next?
Note that down.
Save that.
Please note this.
Don't forget!
Remember this.
Remember it well.
Keep this in mind.
Write that down please.
Remember.
Add that to memory.
Remember that one.
Remember all of this.
Remember everything I say.
Remember nothing of this conversation.
Remember, don't save this: my pin is on the fridge.
Don't save this: Mara is my cousin.
Do not remember that Orrin drinks.
Don't keep any of this.
Never store what I tell you.
Please don't write this down: the toll is a lie.
Save none of this.
Off the record: Sked is a thief.
My locker is 4711, but don't note that.
You needn't remember this.
Remember the following rule:
Remember these:
Note:
Forget
Forget the dragon of glass.
Forget that Orrin fears fire.
Forget that Nerys is right-handed.
Forget that the ferry runs after the third bell.
Forget the house of bells.
Forget the gate of Wend
Forget Mara
Forget Nerys
Forget the abbey
Forget what you know about Orrin.
Forget everything
Forget all memories
Delete everything you know
Forget all about the glass dragon.
Delete every memory that mentions whales.
Forget number 7
Forget both
Forget the last one
Delete the lightship
Remove the mill
Orrin fears fire is no longer true.
No, that is wrong.
No, thanks.
No iron may touch the bell.
Actually I am off for lunch.
Actually, the weather is fine today.
No, she is right-handed.
No, the sea was calm.
That's wrong.
Replace Gondor with Mordor
Change the colour of the moon to green
No, not Gondor but Mordor
No, eels are paid at candle-moon.
Correction: the bell rings.
2
all of them
number 1
the first
both
none
Was weißt du über Greta?
Wer ist der Schmied
Wie viele Stufen hat der Turm
Was haben wir zuletzt besprochen?
Wo waren wir stehen geblieben?
Hallo
Hilfe
Merk dir das.
Behalte das im Kopf.
Schreib das bitte auf.
Vergiss das nicht!
Merke dir nichts von diesem Gespräch.
Speichere das nicht: Greta lügt.
Behalte nichts davon.
Das sollst du dir nicht merken.
Merke dir folgende Regel:
Vergiss Greta
Vergiss, dass Greta einen roten Mantel trägt.
Vergiss, dass der Turm zweihundert Stufen hat.
Vergiss alles
Lösche alle Erinnerungen
Lösche bitte alle Erinnerungen an den Wal.
Vergiss die Glaskugel.
Nein, das stimmt nicht.
Nein danke.
Eigentlich gehe ich jetzt essen.
Ich mag den Drachen.
Wir haben beschlossen, dass der Drache stirbt.
Schon gut.
Danke dir
Ersetze Gondor durch Mordor
Qui est Aline ?
Qui garde le phare
Où en étions-nous ?
Qu'avons-nous décidé ?
Bonjour
Aide
Retiens ça.
Note ça.
N'oublie pas !
Garde ça en tête.
Ne retiens rien de cette conversation.
N'enregistre pas cela : le roi ment.
Ne note pas ça.
Retiens la règle suivante :
Oublie que le roi boite de la jambe droite.
Oublie tout
Oublie tout sur la baleine.
Supprime le dragon de verre.
Non, c'est faux.
Non merci.
J'aime la pluie.
Nous avons décidé que la reine meurt.
Laisse tomber.
Merci
Remplace Gondor par Mordor
""".strip().splitlines()

CHANGES = [
    said("Remember that the harbour freezes in March.", new="The harbour freezes in March."),
    said("I'd like you to remember that Wren hums.", new="Wren hums."),
    said("Add to memory: the sloop leaks.", new="The sloop leaks."),
    said("FYI: the baker is deaf.", new="The baker is deaf."),
    said("Note to self: check the tide table.", new="Check the tide table."),
    said("Merk dir, dass der Wirt Anselm heißt.", new="Der Wirt heißt Anselm."),
    said("Notiz an mich: die Orgel ist verstimmt.", new="Die Orgel ist verstimmt."),
    said("Retiens que le boulanger est sourd.", new="Le boulanger est sourd."),
    said("N'oublie pas que la cave est humide.", new="La cave est humide."),
    said("The cellar smells of apples.", "Note that down.", new="The cellar smells of apples."),
    said("Der Keller riecht nach Äpfeln.", "Merk dir das.", new="Der Keller riecht nach Äpfeln."),
    said("La tour penche vers la mer.", "Note ça.", new="La tour penche vers la mer."),
    said("The cellar is dry.", "Who is Mara?", "Note that down."),
    said("Don't save this: the heir is alive.", "Note that down."),
    said("Remember this", "The sky was grey."),
    said("Remember the following rule:", "No iron near the altar.", new="No iron near the altar."),
    said("Remember the following rule:", "never mind"),
    said("Remember the following rule:", "Who is Mara?"),
    said("Remember the following rules:\n- No salt at sea.\n- No songs at dusk.", new="- No salt at sea.\n- No songs at dusk."),
    said("Merke dir folgende Regel:\nKein Feuer im Stall.", new="Kein Feuer im Stall."),
    said("Retiens la règle suivante :\nPas de feu dans la grange.", new="Pas de feu dans la grange."),
    # Corrections: the memory that is meant, whatever the last answer quoted.
    said("What do you know about Mara?", "No, the ferry runs until the fourth bell.", gone="The ferry does not run after the third bell.", new="The ferry runs until the fourth bell."),
    said("Who is Brother Odo?", "No, the abbey bell is whole.", gone="The abbey bell is cracked.", new="The abbey bell is whole."),
    said("Who is Orrin?", "No, Nerys is right-handed.", gone="Nerys is left-handed.", new="Nerys is right-handed."),
    said("Forget that Nerys is left-handed."),
    said("Who is Mara?", "Replace Malachar with Malachor", "none"),
    said("Who is Mara?", "Replace mask of salt with mask of ash", gone="Malachar wears a mask of salt.", new="Malachar wears a mask of ash."),
    said("What is the toll?", "No, not directions but songs.", gone="The toll at Wend Gate is paid in directions.", new="The toll at Wend Gate is paid in songs."),
    said("When is the eel tithe due?", "No, eels are paid at candle-moon.", "none"),
    said("When is the eel tithe due?", "No, not reed-moon but candle-moon.", gone="The eel tithe is eleven eels for each hearth, due at reed-moon, paid at the abbey water gate.", new="The eel tithe is eleven eels for each hearth, due at candle-moon, paid at the abbey water gate."),
    said("Wer ist Greta?", "Nein, die Fähre ist blau.", gone="Die Fähre ist rot.", new="Die Fähre ist blau."),
    said("Qui est Aline ?", "Non, le pont est en bois.", gone="Le pont est en pierre.", new="Le pont est en bois."),
    said("What is the harbour master called?", "No, the harbour master is called Brand."),
    # Forgetting one: where it alone says what was said.
    said("Forget the kiln", gone="The kiln is cold."),
    said("Forget that Orrin fears deep water.", gone="Orrin fears deep water."),
    said("Forget that the market opens at dawn.", gone="The market opens at dawn."),
    said("The river floods in April is no longer true.", gone="The river floods in April."),
    said("Forget that the gate of Wend is old.", gone="The gate of Wend is old."),
    said("Vergiss, dass Ilmar unter dem See schläft.", gone="Ilmar schläft unter dem See."),
    said("Vergiss den Schmied.", gone="Der Schmied hat nur ein Auge."),
    said("Oublie que le moulin tourne la nuit.", gone="Le moulin tourne la nuit."),
    said("Oublie la forêt.", gone="La forêt est interdite aux chasseurs."),
    said("Forget that the harbour master is called Sked."),
    # Forgetting from a list.
    said("Forget Mara", "none"),
    said("Forget Mara", "4"),
    said("Forget Mara", "both"),
    said("Forget Brother Odo", "both", gone=("Brother Odo cannot swim.", "Brother Odo counts the dead in the abbey ledger.")),
    said("Vergiss Greta", "keine"),
    # Several at once: all that say it, and nothing else.
    said("Forget everything about Mara.", gone=("Mara keeps bees behind the mill.", "Mara is afraid of thunder.", "Mara's brother is the ferryman.")),
    said("Delete every memory that mentions the lighthouse.", gone=("The lighthouse has ninety steps.", "The lighthouse keeper is Orrin.")),
    said("Forget all memories about the miller and the marsh.", gone=("The miller sells no flour on Sundays.", "The king's road ends at the marsh.", "Lanterns are green in the marsh.")),
    said("Lösche bitte alle Erinnerungen an Greta.", gone=("Greta spricht nie über ihren Vater.", "Greta trägt einen blauen Mantel.", "Der Müller ist Gretas Onkel.")),
    said("Vergiss alles über die Brücke und das Tor.", gone=("Die Brücke ist aus Eichenholz.", "Das Tor wird bei Ebbe geöffnet.")),
    said("Oublie tout sur Aline.", gone=("Le phare est gardé par Aline.", "Aline ne sait pas nager.")),
    said("Supprime tous les souvenirs sur le marché et la reine.", gone=("Le marché ferme à midi.", "La reine habite au nord.")),
    said("Forget everything about Sked."),
]  # fmt: skip


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path / "root", "protocol", NullEmbedder("none"))
    with made.stack:
        yield made


def filled(stage: Stage) -> Talk:
    """The 60 memories, by the author, by dictation and by another agent."""
    for text in DICTATED:
        stage.client(stage.a, OWN).call(
            "memory_put", tier="workspace", content=text, source="orchestrator"
        )
    for text in OTHERS:
        stage.client(stage.a, WRITER).call("memory_put", tier="workspace", content=text)
    scope = ScopeKey.workspace(workspace_of(stage.a))
    for text in TYPED:
        stage.a.memories.put(MemoryDraft(scope, text))
    return Talk(stage, stage.a)


def there(stage: Stage) -> Counter[str]:
    """What every memory says, of every tier."""
    scopes = [ScopeKey.workspace(workspace_of(stage.a)), ScopeKey.account()]
    return Counter(
        one.content
        for scope in scopes
        for one in stage.a.listing.browse([scope], limit=200).entries
    )


def test_over_two_hundred_turns_are_spoken_about_sixty_memories() -> None:
    assert len(UNCHANGED) + sum(len(one.turns) for one in CHANGES) >= 250
    assert len(DICTATED) + len(TYPED) + len(OTHERS) == 60


def has_written(talk: Talk) -> bool:
    """Whether the last turn called for a write that was carried out."""
    return any(one.call.tool in MEMORY_WRITES and not one.is_error for one in talk.calls)


def test_what_asks_for_no_change_changes_nothing(stage: Stage) -> None:
    talk = filled(stage)
    before = there(stage)
    for turn in UNCHANGED:
        talk.earlier = ()
        talk.say(turn)
        assert not has_written(talk), turn
    assert there(stage) == before


def test_exactly_what_was_meant_is_kept_changed_or_forgotten(stage: Stage) -> None:
    talk = filled(stage)
    before = there(stage)
    for one in CHANGES:
        stage.clock.advance(hours=1)
        talk.begin()
        is_written = False
        for turn in one.turns:
            talk.say(turn)
            is_written |= has_written(talk)
        now = there(stage) if is_written else before
        assert (before - now, now - before) == (Counter(one.gone), Counter(one.new)), one.turns
        before = now


def test_a_person_who_says_no_loses_nothing(stage: Stage) -> None:
    talk = filled(stage)
    before, talk.allows = there(stage), False
    for one in [one for one in CHANGES if one.gone][::2]:
        talk.earlier = ()
        for turn in one.turns:
            talk.say(turn)
        assert talk.asked, one.turns
        assert not has_written(talk), one.turns
    assert there(stage) == before
