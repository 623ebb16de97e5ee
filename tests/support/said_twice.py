"""Pairs of memories in eleven languages: that say different things, and that say the same.

What differs is a person, a number, a colour, a verb, a particle of negation, who does what to
whom: nearly all of these pairs are above .95 alike to the built-in model.
"""

# ruff: noqa: RUF001 - other scripts are the point here

from __future__ import annotations

DIFFERENT = {
    "English": (
        ("Prince Aldric carries the silver sword.", "Prince Aldrin carries the silver sword."),
        ("Mira is the daughter of the smith.", "Mira is the niece of the smith."),
        ("The salve heals open wounds.", "The salve opens healed wounds."),
        ("Ysolde sold the lighthouse to the guild.", "Ysolde gave the lighthouse to the guild."),
        ("Corvin trusts his brother.", "Corvin does not trust his brother."),
        ("The gate opens at 3.5 bells.", "The gate opens at 35 bells."),
        ("He has a few friends in Wend.", "He has few friends in Wend."),
        ("Mira is the heir of Wend.", "Mira is an heir of Wend."),
        ("The king is dead.", "The king is dead?"),
        ("The ferryman wears a green coat.", "The ferryman wears a grey coat."),
        ("The queen betrayed the regent.", "The regent betrayed the queen."),
        ("They were lost at sea.", "They we're lost at sea."),
        ("Old wolves die in winter.", "Old wolves in winter."),
        ("The pact must be renewed.", "The pact may be renewed."),
        ("She came before the storm.", "She came after the storm."),
        ("Plan A failed at the bridge.", "Plan failed at the bridge."),
    ),
    "German": (
        ("Corvin vertraut seinem Bruder.", "Corvin vertraut seinem Bruder nicht."),
        ("Der Bruder verriet den Vater.", "Den Bruder verriet der Vater."),
        ("Die Mutter half der Tochter.", "Der Mutter half die Tochter."),
        ("Die See von Wend ist still.", "Der See von Wend ist still."),
        ("Sie trinken Wein in Maßen.", "Sie trinken Wein in Massen."),
        ("Jorin verkaufte das rote Schiff.", "Jorin verkaufte das tote Schiff."),
        ("Das Heer zog vor dem Winter ab.", "Das Heer zog nach dem Winter ab."),
        ("Er hat eine Schwester.", "Er hat keine Schwester."),
    ),
    "French": (
        (
            "La cloche de Wend sonne toujours à midi.",
            "La cloche de Wend ne sonne jamais à midi.",
        ),
        ("Le tour du gardien est fini.", "La tour du gardien est finie."),
        ("Elle le tue avant l'aube.", "Elle la tue avant l'aube."),
        ("Le prince a vendu son épée.", "Le prince a rendu son épée."),
        ("Le poisson guérit les plaies.", "Le poison guérit les plaies."),
        ("Mira vient du nord.", "Mira va au nord."),
    ),
    "Spanish": (
        ("La reina nunca perdona.", "La reina siempre perdona."),
        ("El capital de Wend está perdido.", "La capital de Wend está perdida."),
        ("El rey murió en otoño.", "Él murió en otoño."),
        ("Tiene cien años.", "Tiene cien anos."),
        ("Corvín confía en su hermano.", "Corvín no confía en su hermano."),
        ("La espada es de plata.", "La espada es de plomo."),
    ),
    "Italian": (
        ("Il faro fu venduto alla gilda.", "Il faro fu donato alla gilda."),
        ("Mira ama il fratello di Corvino.", "Mira odia il fratello di Corvino."),
        ("La regina non torna mai.", "La regina torna sempre."),
        ("Il fine della storia.", "La fine della storia."),
        ("Il porto chiude alle sei.", "Il porto chiude alle sette."),
    ),
    "Polish": (
        ("Corvin ufa swojemu bratu.", "Corvin nie ufa swojemu bratu."),
        ("Królowa zdradziła króla.", "Królowa zdradził król."),
        ("Mira jest córką kowala.", "Mira jest wnuczką kowala."),
        ("Most jest na wschodzie.", "Most jest na zachodzie."),
        ("Zapłacił sto monet.", "Zapłacił sto dwie monety."),
    ),
    "Russian": (
        (
            "Корвин верит брату.",
            "Корвин не верит брату.",
        ),
        (
            "Мира продала меч.",
            "Мира отдала меч.",
        ),
        (
            "Все знают правду.",
            "Всё знают правду.",
        ),
        (
            "Мост на севере.",
            "Мост на юге.",
        ),
        (
            "Брат предал сестру.",
            "Брата предала сестра.",
        ),
    ),
    "Turkish": (
        ("Kapı çok sık.", "Kapı çok sik."),
        ("Mira kardeşine güvenir.", "Mira kardeşine güvenmez."),
        ("Kılıcı sattı.", "Kılıcı aldı."),
        ("Kale tepenin üstünde.", "Kale tepenin altında."),
        ("On beş gemi geldi.", "On altı gemi geldi."),
    ),
    "Japanese": (
        (
            "王子は王を裏切った。",
            "王子は王に裏切られた。",
        ),
        (
            "王女は弟を信じる。",
            "王女は弟を信じない。",
        ),
        (
            "祭りは五月にある。",
            "祭りは四月にある。",
        ),
        ("剣は赤い。", "剣は青い。"),
        (
            "橋は東にある。",
            "橋は西にある。",
        ),
    ),
    "Chinese": (
        (
            "公主相信他的弟弟。",
            "公主不相信他的弟弟。",
        ),
        (
            "王子买了这把剑。",
            "王子卖了这把剑。",
        ),
        (
            "桥在城的东边。",
            "桥在城的西边。",
        ),
        (
            "他有三个女儿。",
            "他有五个女儿。",
        ),
        (
            "女王背叛了国王。",
            "国王背叛了女王。",
        ),
    ),
    "Arabic": (
        (
            "الأمير يثق بأخيه.",
            "الأمير لا يثق بأخيه.",
        ),
        (
            "باع السيف.",
            "اشترى السيف.",
        ),
        (
            "الجسر في الشرق.",
            "الجسر في الغرب.",
        ),
        (
            "لديه ثلاث بنات.",
            "لديه خمس بنات.",
        ),
        (
            "الملكة صديقة الملك.",
            "الملكة عدوة الملك.",
        ),
    ),
}
"""By language, pairs that must never become one, and of which neither hides the other."""

SAME = {
    "English": (
        ("The bell of Wend is never rung at noon.", "the bell of Wend is never rung at noon"),
        ("The dragon sleeps under the hill.", "Dragon sleeps under hill"),
        ("She said: “I'll not go.”", 'She said: "I’ll not go!"'),
        ("Mira lives in a tower.", "MIRA LIVES IN A TOWER"),
        ("**Corvin**  is _old_;\nhe is tired.", "Corvin is old, he is tired"),
    ),
    "German": (
        ("„Die Glocke läutet nie.“", "Die Glocke läutet nie!"),
        ("Der Drache von Wend schläft.", "Drache von Wend schläft"),
        ("Die Straße ist lang.", "DIE STRASSE IST LANG"),
    ),
    "French": (
        (
            "«\u00a0L'épée est à Mira.\u00a0»",
            "L’épée est à Mira",
        ),
        ("L'été ne finit jamais.", "l'e\u0301te\u0301 ne finit jamais"),
        (
            "La cloche ne sonne jamais à midi.",
            "Cloche ne sonne jamais à midi",
        ),
    ),
    "Spanish": (
        ("¡La reina nunca perdona!", "la reina nunca perdona"),
        ("La campana de Wend no suena.", "Campana de Wend no suena"),
        ("El año fue muy largo.", "EL AN\u0303O FUE MUY LARGO"),
    ),
    "Italian": (
        ("Il faro è della gilda.", "Faro è della gilda"),
        ("La città, di notte, tace.", "la citta\u0300 di notte tace"),
    ),
    "Polish": (
        ("„Król śpi.”", "król śpi"),
        ("Mira  mieszka w wieży.", "MIRA MIESZKA W WIEŻY"),
        ("Łódź, nie statek.", "łódź nie statek"),
    ),
    "Russian": (
        (
            "«Ёжик спит».",
            "ёжик спит",
        ),
        (
            "Йорин — кузнец.",
            "И\u0306орин, кузнец",
        ),
        (
            "Мира дома.",
            "МИРА ДОМА!",
        ),
    ),
    "Turkish": (
        ("Kız İstanbul'a gitti.", "KIZ İSTANBUL’A GİTTİ"),
        ("Iğdır uzak.", "ığdır uzak"),
        ("İnci kayıp.", "inci kayıp"),
    ),
    "Japanese": (
        (
            "「王は眠る。」",
            "王は 眠る",
        ),
        (
            "ｶﾞﾗｽの塔は古い。",
            "ガラスの塔は古い",
        ),
    ),
    "Chinese": (
        (
            "“王子在城里。”",
            "王子 在城里",
        ),
        (
            "他有３把剑！",
            "他有3把剑",
        ),
    ),
    "Arabic": (
        (
            "الملكــة هنا، الآن.",
            "الملكة هنا الآن",
        ),
        (
            "«الجسر قديم»",
            "الجسر قديم.",
        ),
    ),
}
"""By language, pairs that say the same."""
