"""The commonest words of several languages that say nothing about what a text is about.

The lists are short and closed. For searching in English there are the ``STOP_WORDS``, which the
keyword index was measured with.
"""

from __future__ import annotations

STOP_WORDS = frozenset([
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but",
    "by", "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
    "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is",
    "it", "its", "just", "me", "my", "of", "on", "or", "our", "ours", "she", "should", "so",
    "some", "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they",
    "this", "those", "to", "too", "us", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
    "ain't", "can't", "shan't", "won't",
])  # fmt: skip


# ruff: noqa: RUF001 - other scripts are the point here


_OF_A_REQUEST = (
    "not no nor ever yet also very much many more most other such own same only now may might must "
    "shall let please tell say give show know think want need like"
)
_OTHERS = {
    "de": (
        "der die das den dem des ein eine einen einem einer und oder aber nicht kein keine ist "
        "sind war waren wird werden wurde wurden hat haben hatte kann in im an am auf aus bei "
        "mit nach von vom vor zu zum zur über um für durch ohne als wie wenn weil dass auch "
        "noch nur schon sehr da hier was wer wen wem wo wann warum welche welcher welches "
        "welchen ich du er sie es wir ihr sich uns ihm ihn mein sein seine seinen seiner ihre "
        "ihren ihrer dieser diese dieses"
    ),
    "fr": (
        "le la les un une des du de et ou mais ne pas plus est sont était sera a ont avait dans "
        "en sur sous avec sans pour par au aux à ce cette ces qui que quoi quel quelle quels "
        "quelles où quand comment pourquoi combien je tu il elle on nous vous ils elles se lui "
        "leur son sa ses mon ma mes y si très aussi comme qu d l me te"
    ),
    "es": (
        "el los las una unos unas del al y o pero no más es son era eran fue está están ha han "
        "con sin sobre para por que qué quién cuál dónde cuándo cómo cuánto yo tú él ella su "
        "sus mi tu lo este esta ese esa muy también la le de en un se les me te nos a"
    ),
    "pt": (
        "o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às e ou mas não "
        "mais é são era eram foi foram está estão há tem têm tinha com sem sobre para por pelo "
        "pela que quê quem qual quais onde quando como quanto quantos porque eu tu ele ela eles "
        "elas nós você vocês se lhe seu sua seus suas meu minha este esta esse essa isto isso "
        "muito também já"
    ),
    "it": (
        "il lo gli i uno dei delle della dello nel nella sul sulla dal dalla alla al e ed ma "
        "non più è sono ha hanno di da su con per tra che chi cosa quale quali dove quando come "
        "perché quanto io lui lei suo sua questo questa si ci molto anche la le a in un una del "
        "l se mi ti"
    ),
    "pl": (
        "i w we z ze na do od po za przez pod nad przed przy o u dla bez oraz ale lub czy nie "
        "jest są był była było byli ma mają że jak jaki jaka jakie kto kogo co czego gdzie "
        "kiedy dlaczego ile ten ta to tego tej ci on ona oni jego jej ich się też tak już"
    ),
    "ru": (
        "и а но или в во на с со к по за из от до у о об при для без под над не ни же ли бы что "
        "кто кого кому чем чего где когда почему как какой какая какое какие сколько был была "
        "было были есть это этот эта то тот та я ты он она мы вы они его её их ему ей свой своя "
        "так уже ещё очень"
    ),
    "tr": (
        "ve ile bir bu şu o de da mi mı mu ne kim kimin nerede zaman nasıl neden hangi kaç için "
        "ama veya değil var yok gibi çok daha en onun ben sen"
    ),
    "ar": (
        "في من إلى على عن مع و أو لا لم لن ما ماذا هل كيف أين متى لماذا هو هي هم هذا هذه ذلك "
        "تلك التي الذي كان كانت أن إن قد كل بين"
    ),
}
BY_LANGUAGE = {code: frozenset(words.split()) for code, words in _OTHERS.items()}
"""The lists, by the code of their language; what two of them share stands in both."""

ENGLISH = STOP_WORDS.union(_OF_A_REQUEST.split())
EVERY_LANGUAGE = ENGLISH.union(*BY_LANGUAGE.values())

GRAMMAR_WITHOUT_BLANKS = "ぁ-ゟ的是了在有和不没也都吗呢吧这那他她它们我你谁哪什么怎何个一就"
"""Signs, as a regular expression names them, that are no part of a name where texts are written
without blanks: Japanese writes its grammar in hiragana; of Chinese, what carries a sentence."""
