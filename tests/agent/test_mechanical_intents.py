# ruff: noqa: E501 - sentences are quoted as they are spoken
"""What a message wants: the sentences of the twelve scenarios and their like, in two languages."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from inklings_desktop.agent.mechanical.intents import Kind, intent_of, picked_of
from inklings_desktop.agent.mechanical.speech import (
    LANGUAGES,
    Counted,
    counted_of,
    ids_in,
    kept_of,
    speech,
)
from inklings_desktop.agent.planning import Attachment, Quote, Situation, Utterance
from tests.support.stopwatch import SLOWNESS

HERE = Situation("c1", "general", "")
ID = "6273dbc5-150f-43ce-9f87-f4c0257cf6bb"

# Sentence, kind, and of what is kept: text, tier, lifetime, importance.
ENGLISH = [
    (
        "Remember that this workspace is used for my fantasy novel project about dragons.",
        Kind.PUT,
        ("This workspace is used for my fantasy novel project about dragons.", "", "", None),
    ),
    (
        "Remember that my main character\u2019s name is Elarind\u00eb.",
        Kind.PUT,
        ("My main character\u2019s name is Elarind\u00eb.", "", "", None),
    ),
    ("What do you know about my main character?", Kind.RECALL, None),
    (
        "Temporary note: check formatting tomorrow.",
        Kind.PUT,
        ("Temporary note: check formatting tomorrow.", "", "short_term", 0.1),
    ),
    (
        "Core theme: redemption arc for the protagonist.",
        Kind.PUT,
        ("Core theme: redemption arc for the protagonist.", "", "long_term", 0.9),
    ),
    ("What do you remember about this workspace?", Kind.OVERVIEW, None),
    (
        (
            "Remember that I always prefer dark themes in my writing \u2014 note this at the account"
            " level."
        ),
        Kind.PUT,
        ("I always prefer dark themes in my writing.", "account", "", None),
    ),
    ("What do you know about my preferences?", Kind.RECALL, None),
    (
        "Remember that the villain\u2019s name is Malachar \u2014 workspace scope only.",
        Kind.PUT,
        ("The villain\u2019s name is Malachar.", "workspace", "", None),
    ),
    ("Do you know anything about a villain named Malachar?", Kind.RECALL, None),
    (
        "Keep track for this conversation: I want to discuss chapters 1\u20133 today.",
        Kind.PUT,
        ("I want to discuss chapters 1\u20133 today.", "conversation", "", 0.5),
    ),
    ("What chapters did I want to discuss?", Kind.RECALL, None),
    (
        "Remind me short-term: I have a writing session scheduled for next week.",
        Kind.PUT,
        ("I have a writing session scheduled for next week.", "", "short_term", 0.5),
    ),
    ("Do you remember anything about my schedule?", Kind.RECALL, None),
    ("I have already investigated the historical context for Chapter 5.", Kind.SAY, None),
    ("What research has been done so far?", Kind.RECALL, None),
    ("Keep track of this \u2014 I\u2019ve edited 3 pages so far today.", Kind.TALLY, None),
    ("I just edited 2 more pages. How many have I edited today?", Kind.TALLY, None),
    (
        (
            "Remember permanently: The protagonist\u2019s backstory is that she was a scholar who lost"
            " her memory."
        ),
        Kind.PUT,
        (
            "The protagonist\u2019s backstory is that she was a scholar who lost her memory.",
            "",
            "long_term",
            0.9,
        ),
    ),
    ("What do you know about the protagonist\u2019s backstory?", Kind.RECALL, None),
    ("What do you know about this workspace?", Kind.OVERVIEW, None),
    (
        "Remember: The world map is kept in the \u2018Maps\u2019 page.",
        Kind.PUT,
        ("The world map is kept in the \u2018Maps\u2019 page.", "", "", None),
    ),
    ("The world map is kept in the \u2018Maps\u2019 page.", Kind.SAY, None),
    ("Where is the world map?", Kind.RECALL, None),
]
GERMAN = [
    (
        "Merke dir, dass dieser Arbeitsbereich f\u00fcr mein Romanprojekt \u00fcber Drachen ist.",
        Kind.PUT,
        (
            "Dieser Arbeitsbereich ist f\u00fcr mein Romanprojekt \u00fcber Drachen.",
            "",
            "",
            None,
        ),
    ),
    (
        "Merke dir: Meine Hauptfigur hei\u00dft Elarind\u00eb.",
        Kind.PUT,
        ("Meine Hauptfigur hei\u00dft Elarind\u00eb.", "", "", None),
    ),
    ("Was wei\u00dft du \u00fcber meine Hauptfigur?", Kind.RECALL, None),
    (
        "Vorl\u00e4ufige Notiz: morgen die Formatierung pr\u00fcfen.",
        Kind.PUT,
        ("Vorl\u00e4ufige Notiz: morgen die Formatierung pr\u00fcfen.", "", "short_term", 0.1),
    ),
    (
        "Kernthema: L\u00e4uterung der Hauptfigur.",
        Kind.PUT,
        ("Kernthema: L\u00e4uterung der Hauptfigur.", "", "long_term", 0.9),
    ),
    ("Was wei\u00dft du noch \u00fcber diesen Arbeitsbereich?", Kind.OVERVIEW, None),
    (
        "Merke dir, dass ich immer dunkle Themen bevorzuge \u2014 notiere das auf Kontoebene.",
        Kind.PUT,
        ("Ich bevorzuge immer dunkle Themen.", "account", "", None),
    ),
    ("Was wei\u00dft du \u00fcber meine Vorlieben?", Kind.RECALL, None),
    (
        "Merke dir, dass der B\u00f6sewicht Malachar hei\u00dft \u2014 nur in diesem Arbeitsbereich.",
        Kind.PUT,
        ("Der B\u00f6sewicht hei\u00dft Malachar.", "workspace", "", None),
    ),
    ("Wei\u00dft du etwas \u00fcber einen B\u00f6sewicht namens Malachar?", Kind.RECALL, None),
    (
        (
            "Behalte f\u00fcr dieses Gespr\u00e4ch im Auge: Ich will heute \u00fcber die Kapitel"
            " 1\u20133 sprechen."
        ),
        Kind.PUT,
        ("Ich will heute \u00fcber die Kapitel 1\u20133 sprechen.", "conversation", "", 0.5),
    ),
    ("\u00dcber welche Kapitel wollte ich sprechen?", Kind.RECALL, None),
    (
        "Erinnere mich kurzfristig: Ich habe n\u00e4chste Woche einen Termin zum Schreiben.",
        Kind.PUT,
        ("Ich habe n\u00e4chste Woche einen Termin zum Schreiben.", "", "short_term", 0.5),
    ),
    ("Erinnerst du dich an etwas zu meinen Terminen?", Kind.RECALL, None),
    (
        "Ich habe den historischen Hintergrund f\u00fcr Kapitel 5 schon untersucht.",
        Kind.SAY,
        None,
    ),
    ("Welche Recherche gibt es bisher?", Kind.RECALL, None),
    (
        "Behalte das im Auge \u2014 ich habe bisher 3 Seiten \u00fcberarbeitet.",
        Kind.TALLY,
        None,
    ),
    (
        (
            "Ich habe gerade 2 weitere Seiten \u00fcberarbeitet. Wie viele habe ich heute"
            " \u00fcberarbeitet?"
        ),
        Kind.TALLY,
        None,
    ),
    (
        "Merke dir dauerhaft: Die Heldin war eine Gelehrte, die ihr Ged\u00e4chtnis verlor.",
        Kind.PUT,
        ("Die Heldin war eine Gelehrte, die ihr Ged\u00e4chtnis verlor.", "", "long_term", 0.9),
    ),
    ("Was wei\u00dft du \u00fcber die Vorgeschichte der Heldin?", Kind.RECALL, None),
    ("Was wei\u00dft du \u00fcber diesen Arbeitsbereich?", Kind.OVERVIEW, None),
    (
        "Merke dir: Die Weltkarte liegt auf der Seite \u201aKarten\u2018.",
        Kind.PUT,
        ("Die Weltkarte liegt auf der Seite \u201aKarten\u2018.", "", "", None),
    ),
    ("Die Weltkarte liegt auf der Seite \u201aKarten\u2018.", Kind.SAY, None),
    ("Wo ist die Weltkarte?", Kind.RECALL, None),
]
SEEDS = [("en", *one) for one in ENGLISH] + [("de", *one) for one in GERMAN]


@pytest.mark.parametrize(("language", "said", "kind", "kept"), SEEDS, ids=[one[1] for one in SEEDS])
def test_each_sentence_of_the_scenarios_falls_into_its_intent(
    language: str, said: str, kind: Kind, kept: tuple[str, str, str, float | None] | None
) -> None:
    intent = intent_of(said, HERE)
    assert (intent.language, intent.kind) == (language, kind)
    if kept is not None:
        assert intent.kept is not None
        found = intent.kept
        assert (found.text, found.tier, found.lifetime, found.importance) == kept


@pytest.mark.parametrize(
    ("said", "text", "place"),
    [
        ("Remember privately: The kiln is cold.", "The kiln is cold.", ("", True)),
        ("Note down for yourself: the kiln is cold", "The kiln is cold", ("", True)),
        ("Please don't forget that the toll is old.", "The toll is old.", ("", False)),
        ("Can you remember that the toll is old?", "The toll is old", ("", False)),
        (
            "Remember that we answer in bells in this channel.",
            "We answer in bells.",
            ("channel", False),
        ),
        ("Remember, in this channel: we answer in bells", "We answer in bells", ("channel", False)),
        ("Remember about me: I write at night.", "I write at night.", ("account", False)),
        ("Remember that I write at night, everywhere.", "I write at night.", ("account", False)),
        # Words that only look like a place stay where the person wrote them.
        (
            "Remember the book about me and my sister.",
            "The book about me and my sister.",
            ("", False),
        ),
        ("Remember that mud is everywhere in Wend.", "Mud is everywhere in Wend.", ("", False)),
        ("Remember that this project is about salt.", "This project is about salt.", ("", False)),
        ("Write this down: toll, then gate", "Toll, then gate", ("", False)),
        ("/remember the gate is old", "The gate is old", ("", False)),
        ("Vergiss nicht: Das Tor ist alt", "Das Tor ist alt", ("", False)),
        ("Notiere vertraulich: Der Ofen ist kalt.", "Der Ofen ist kalt.", ("", True)),
        (
            "Kannst du dir bitte merken, dass der Ofen kalt ist?",
            "Der Ofen ist kalt",
            ("", False),
        ),
    ],
)
def test_words_about_where_and_how_long_are_cut_and_no_others(
    said: str, text: str, place: tuple[str, bool]
) -> None:
    intent = intent_of(said, HERE)
    assert intent.kind is Kind.PUT
    assert intent.kept is not None
    assert (intent.kept.text, (intent.kept.tier, intent.kept.is_private)) == (text, place)


@pytest.mark.parametrize(
    "said",
    [
        "Remember when we met in Wend?",
        "Remember me?",
        "Remind me who the villain is",
        "Can you remember the villain's name?",
        "Do you remember the storm?",
        "Erinnere mich, wer der B\u00f6sewicht ist?",
    ],
)
def test_a_question_is_no_wish_to_keep_something(said: str) -> None:
    assert intent_of(said, HERE).kind is Kind.RECALL


def test_a_question_behind_what_is_kept_is_no_part_of_it() -> None:
    kept = kept_of("Remember that the gate is old. What else is old?", speech("en"))
    assert kept is not None
    assert (kept.text, kept.left_question) == ("The gate is old.", "What else is old?")


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [
        ("find harbour", Kind.FIND, "harbour"),
        ("what is said of Sked", Kind.FIND, "Sked"),
        ("finde Hafen", Kind.FIND, "Hafen"),
        ("what changed", Kind.CHANGED, ""),
        ("what changed since 2026-03-14", Kind.CHANGED, "2026-03-14"),
        ("Was hat sich ge\u00e4ndert?", Kind.CHANGED, ""),
        ("next turn", Kind.NEXT_TURN, ""),
        ("n\u00e4chste Runde", Kind.NEXT_TURN, ""),
        ("Working hypothesis: the gate is older", Kind.HYPOTHESIS, "the gate is older"),
        ("Arbeitshypothese: Das Tor ist \u00e4lter", Kind.HYPOTHESIS, "Das Tor ist \u00e4lter"),
        ("Forget it.", Kind.SAY, "Forget it."),
        ("never mind", Kind.SAY, "never mind"),
        ("Thanks!", Kind.THANKS, ""),
        ("Danke dir", Kind.THANKS, ""),
        ("/skills", Kind.SKILLS, ""),
        ("Write me a skill that counts ships", Kind.COMPOSE, "Write me a skill that counts ships"),
        (
            "Bitte schreib mir eine neue Fertigkeit",
            Kind.COMPOSE,
            "Bitte schreib mir eine neue Fertigkeit",
        ),
        ("\u00c9cris-moi une comp\u00e9tence", Kind.COMPOSE, "\u00c9cris-moi une comp\u00e9tence"),
        ("Write a scene about her skill", Kind.HELP, "Write a scene about her skill"),
        ("/dance", Kind.UNKNOWN_COMMAND, ""),
        ("forget the note about the kiln", Kind.FORGET, "the kiln"),
        ("Vergiss, dass der Ofen kalt ist.", Kind.FORGET, "der Ofen kalt ist"),
        ("The kiln on the hill is no longer true.", Kind.FORGET, "The kiln on the hill"),
        ("No, it is cold.", Kind.SAY, "No, it is cold."),
    ],
)
def test_other_wishes(said: str, kind: Kind, text: str) -> None:
    intent = intent_of(said, HERE)
    assert (intent.kind, intent.text) == (kind, text)


def after(*quotes: Quote, text: str = "Here.") -> Situation:
    return Situation(
        "c1", "general", "", (Utterance("user", "Where?"), Utterance("assistant", text, quotes))
    )


def test_a_memory_is_pointed_at_by_link_id_number_or_as_the_one_that_was_quoted() -> None:
    one, two = Quote(ID, "workspace"), Quote(ID.replace("6", "7"), "channel")
    assert intent_of(f"forget [this](memory:workspace/{ID})", HERE).named == (one,)
    assert intent_of(f"/forget {ID}", HERE).named == (Quote(ID, ""),)
    assert intent_of("/forget 6273dbc5", HERE).named == (Quote("6273dbc5", ""),)
    assert intent_of("forget number 2", after(one, two)).named == (two,)
    which = speech("en").table["say"]["which"]
    choosing = Situation(
        "c1",
        "general",
        "",
        (
            Utterance("user", "Forget the gate"),
            Utterance("assistant", which, (one, two)),
        ),
    )
    assert intent_of("2", choosing).named == (two,)
    assert intent_of("2", after(one, two)).kind is Kind.HELP
    assert intent_of("forget that", after(one)).named == (one,)
    assert intent_of("That's no longer true.", after(one)).named == (one,)
    # Of several none is meant.
    assert intent_of("forget that", after(one, two)).named == ()
    beside = Situation(
        "c1", "general", "", attachments=(Attachment(f"inklings://memory/channel/{ID}"),)
    )
    assert intent_of("/forget", beside).named == (Quote(ID, "channel"),)
    assert intent_of("Forget everything", HERE).is_everything


def test_a_correction_needs_something_that_was_quoted() -> None:
    one = Quote(ID, "workspace")
    intent = intent_of("No, the villain is Malachor.", after(one))
    assert (intent.kind, intent.text, intent.named) == (
        Kind.CORRECT,
        "the villain is Malachor.",
        (one,),
    )
    swapped = intent_of("not Malachor but Malachir", after(one))
    assert (swapped.old, swapped.new) == ("Malachor", "Malachir")
    german = intent_of("Nein, nicht Malachor, sondern Malachir.", after(one))
    assert (german.old, german.new) == ("Malachor", "Malachir")
    assert intent_of("No, what is it?", after(one)).kind is Kind.RECALL
    assert intent_of("No, the villain is Malachor.", HERE).kind is Kind.SAY
    linked = after(text=f"You have noted: \u201cx\u201d [open](memory:workspace/{ID})")
    assert intent_of("Actually, it is cold.", linked).named == (one,)


def test_figures() -> None:
    english, german = speech("en"), speech("de")
    assert counted_of("2 more", english) == Counted(number=2, is_more=True)
    assert counted_of("I wrote three chapters", english) == Counted("written", "chapters", 3)
    assert counted_of("How many pages have I edited?", english) == Counted(
        "edited", "pages", is_asked=True
    )
    assert counted_of("I have 3 cats.", english) is None
    assert counted_of("Wie viele Seiten habe ich heute gelesen?", german) == Counted(
        "gelesen", "Seiten", is_asked=True
    )


def test_the_language_of_a_word_or_two_is_that_of_the_talk() -> None:
    talk = (Utterance("user", "Was wei\u00dft du \u00fcber das Tor?"),)
    assert intent_of("Malachar", Situation("c1", "general", "", talk)).language == "de"
    assert intent_of("Malachar", Situation("c1", "general", "", language="de")).language == "de"
    assert intent_of("Malachar", Situation("c1", "general", "", language="es")).language == "en"


def test_ids_of_links() -> None:
    text = f"[a](memory:channel/{ID}) inklings://memory/account/{ID} {ID} deadbeef"
    assert list(ids_in(text)) == [("channel", ID), ("account", ID), ("", ID)]


def keys_of(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from keys_of(one, f"{path}.{key}")
    else:
        yield path


def test_every_language_says_and_understands_the_same_things() -> None:
    spoken = ("framing", "words", "ages", "titles", "say", "door")
    english, *others = (
        {key for name in spoken for key in keys_of(speech(one).table[name], name)}
        for one in LANGUAGES
    )
    assert all(one == english for one in others)
    english, *others = (set(speech(one).patterns) - {"keep.clause"} for one in LANGUAGES)
    assert all(one == english for one in others)


def test_understanding_a_message_takes_a_moment() -> None:
    said = [one[1] for one in SEEDS]
    for one in said:
        intent_of(one, HERE)
    begun = time.process_time()
    for one in said:
        intent_of(one, HERE)
    assert (time.process_time() - begun) / len(said) < 0.005 * SLOWNESS


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I'd like you to remember that the bell is cracked.", "The bell is cracked."),
        ("Add to memory: the bell is cracked.", "The bell is cracked."),
        ("FYI: the bell is cracked.", "The bell is cracked."),
        ("Note to self: the bell is cracked.", "The bell is cracked."),
        ("Remember\uff1athe bell is cracked.", "The bell is cracked."),
        ("Remember that for yourself: the bell is cracked.", "The bell is cracked."),
        ("Remember that:\n\nGlass sings.", "Glass sings."),
        ("Remember the following rule:\nNo iron near the bell.", "No iron near the bell."),
        ("Remember these:\n- no iron\n- no salt", "- no iron\n- no salt"),
        (
            "Remember the laws of Wend:\n- no iron\n- no salt",
            "The laws of Wend:\n- no iron\n- no salt",
        ),
        ("Remember: never save the chart on paper.", "Never save the chart on paper."),
        ("Notiz an mich: die Glocke ist alt.", "Die Glocke ist alt."),
        ("Merk dir, dass der Drache Ilmar hei\u00dft.", "Der Drache hei\u00dft Ilmar."),
        ("Merk dir, dass der Turm von Wend alt ist.", "Dass der Turm von Wend alt ist."),
        ("Retiens que Mara garde le phare.", "Mara garde le phare."),
        ("Peux-tu noter que le phare est vide ?", "Le phare est vide"),
        ("N\u2019oublie pas que Mara ment.", "Mara ment."),
    ],
)
def test_other_ways_to_ask_for_something_to_be_kept(said: str, text: str) -> None:
    intent = intent_of(said, HERE)
    assert intent.kept is not None
    assert (intent.kind, intent.kept.text) == (Kind.PUT, text)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("How many steps has the tower", Kind.RECALL),
        ("Who keeps the lighthouse", Kind.RECALL),
        ("Is Mara left-handed", Kind.RECALL),
        ("Orrin", Kind.RECALL),
        ("\u706f\u5854\u5728\u54ea\u91cc\uff1f", Kind.RECALL),
        ("Qui garde le phare", Kind.RECALL),
        ("Wer bewacht den Turm", Kind.RECALL),
        ("When the bell rings, Mara leaves.", Kind.SAY),
        ("What a lovely day", Kind.SAY),
        ("Remember nothing of this conversation.", Kind.UNKEPT),
        ("Remember, don't save this: my pin is on the fridge.", Kind.UNKEPT),
        ("Speichere das nicht: mein Name ist geheim.", Kind.UNKEPT),
        ("Ne retiens rien de cette conversation.", Kind.UNKEPT),
        ("Where did we leave off", Kind.LEFT_OFF),
        ("What did we decide about Nerys?", Kind.RECALL),
        ("Why do you say that?", Kind.WHY),
        ("hello", Kind.HELP),
        ("Continue the scene at the gate.", Kind.HELP),
    ],
)
def test_questions_without_a_mark_opposites_and_what_is_asked_often(said: str, kind: Kind) -> None:
    assert intent_of(said, HERE).kind is kind


@pytest.mark.parametrize(
    ("said", "topics"),
    [
        (
            "Forget all memories about the bell and the lighthouse.",
            ("the bell", "the lighthouse"),
        ),
        ("Delete every memory that mentions the bell.", ("the bell",)),
        ("Forget everything you know about Mara and Orrin.", ("Mara", "Orrin")),
        ("L\u00f6sche bitte alle Erinnerungen an Orrin.", ("Orrin",)),
        ("Vergiss alles, was du \u00fcber Mara wei\u00dft.", ("Mara",)),
        ("Oublie tout ce que tu sais de Mara.", ("Mara",)),
        ("Supprime tous les souvenirs sur la cloche et le phare.", ("la cloche", "le phare")),
    ],
)
def test_several_are_to_be_forgotten_by_their_subjects(said: str, topics: tuple[str, ...]) -> None:
    intent = intent_of(said, HERE)
    assert (intent.kind, intent.topics, intent.is_everything) == (Kind.FORGET, topics, False)


@pytest.mark.parametrize(
    ("said", "picked"),
    [
        ("1 and 3", (0, 2)),
        ("the first and the last", (0, 3)),
        ("all of them", (0, 1, 2, 3)),
        ("forget these", (0, 1, 2, 3)),
        ("none", ()),
        ("both", None),
        ("number 7", None),
        ("the second bell", None),
    ],
)
def test_what_is_picked_from_a_list_of_four(said: str, picked: tuple[int, ...] | None) -> None:
    assert picked_of(said, speech("en"), 4) == picked


def test_a_message_is_answered_in_its_own_language() -> None:
    for said, language in (
        ("Qui est Mara ?", "fr"),
        ("Wer ist Mara?", "de"),
        ("Who is Mara?", "en"),
        ("Was wei\u00dft du \u00fcber du Pont?", "de"),
        ("Retiens \u00e7a.", "fr"),
    ):
        assert intent_of(said, HERE).language == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_tried_after_no_question_is_understood(language: str) -> None:
    said = speech(language).table["say"]["no_question"]
    begun = re.search(r"[\u201c\u201e\u00ab]\s*(\w+) \u2026", said)
    assert begun is not None
    assert intent_of(f"{begun[1]} Malachar", HERE).kind is Kind.FIND
