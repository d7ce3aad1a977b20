"""Belarusian: no dictionary to be had, so endings decide, with lists of the words that only look like verbs.

Past tense in -ў/-ла with я or without subject, павінен/павінна, adjectives in -ы/-ая, instrumental predicates.
"""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.vocabulary import vocabulary
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.subject import SubjectReader
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE_F,
    ADJECTIVE_M,
    AS,
    COORDINATOR,
    COPULA,
    DATIVE,
    FEMININE,
    FINITE,
    FUNCTION,
    INFINITIVE,
    INTRANSITIVE,
    MINE,
    NOUN,
    OBJECT,
    OBJECTLIKE,
    OBLIQUE_F,
    OBLIQUE_M,
    OPENER,
    OTHER_PERSON,
    PAST,
    PAST_F,
    PAST_M,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    PUNCTUATION,
    REGARD,
    SHORT,
    SIDE_F,
    SIDE_M,
    TO_BE,
    TO_OTHERS,
    word_table,
)

WORDS = word_table(
    ("я", PRONOUN),
    ("мой мая маё мае майго маёй майму маім маімі маіх", MINE | FUNCTION),
    ("мяне", OBJECT | FUNCTION),
    ("мне мной мною", DATIVE | FUNCTION),
    ("нікому камусьці іншым людзям ім яму ёй вам табе", TO_OTHERS | FUNCTION),
    ("сябе сабе сабой сабою", FUNCTION),
    ("ён", OTHER_PERSON | NOUN),
    ("яна", OTHER_PERSON | NOUN | FEMININE),
    ("яно яны ты вы мы гэта то", OTHER_PERSON),
    ("хто ніхто хтосьці нехта кожны", OTHER_PERSON | NOUN),
    ("які якая якое якія каторы каторая", OTHER_PERSON | OPENER),
    ("сам", SIDE_M | FUNCTION),
    ("сама", SIDE_F | FUNCTION),
    ("адзін", SIDE_M),
    ("адна", SIDE_F),
    ("аднаго самога", OBLIQUE_M),
    ("адну саму", OBLIQUE_F),
    ("першым апошнім", OBLIQUE_M),
    ("першай апошняй", OBLIQUE_F),
    ("той", ADJECTIVE_M),
    ("тая", ADJECTIVE_F),
    ("першы апошні", SIDE_M | ADJECTIVE_M),
    ("першая апошняя", SIDE_F | ADJECTIVE_F),
    ("павінен вінен рады абавязаны гатовы згодны упэўнены ўпэўнены перакананы здольны", ADJECTIVE_M | SHORT),
    ("павінна вінна рада абавязаная гатовая згодная упэўненая ўпэўненая перакананая здольная", ADJECTIVE_F | SHORT),
    ("", ADJECTIVE_F | SHORT),
    ("буду стану", REGARD | PRESENT | COPULA),
    ("лічу адчуваю з'яўляюся застаюся станаўлюся здаюся выглядаю пачуваюся бываю", REGARD | PRESENT),
    ("фінішую прыходжу заканчваю вяртаюся хаджу сплю жыву", REGARD | PRESENT | COPULA),
    ("люблю магу хачу веру ведаю думаю кажу бачу маю раблю стараюся спрабую хаджу працую", PRESENT),
    ("быць стаць здавацца заставацца", TO_BE | FUNCTION | INFINITIVE),
    ("і й ды а але або ці", COORDINATOR | FUNCTION),
    ("што каб калі таму бо паколькі хоць хаця пакуль нібы быццам дзе куды", OPENER | FUNCTION),
    ("як", AS | FUNCTION),
    ("в у ў на з са к да аб ад па пры для пад над перад між без праз супраць акрамя дзякуючы за каля", PREPOSITION),
    ("сярод пра", PREPOSITION),
    ("замест вакол дзеля пасля адносна", PREPOSITION),
    ("вельмі занадта так не ўжо ужо яшчэ заўсёды ніколі часта часам таксама толькі нават проста ўсё усё", FUNCTION),
    ("ўсе усе", FUNCTION),
    ("тут там зараз сёння ўчора учора заўтра раз цяпер потым тады дома такі такая бы б жа ж ці увесь уся", FUNCTION),
    ("ўся ўвесь", FUNCTION),
    ("ні свой свая твой твая наш наша ваш ваша гэты гэтая іншы іншая больш менш даволі цалкам зусім", FUNCTION),
    ("самым самай чым тым якім якой такім такой гэтым гэтай адным", FUNCTION),
    ("дзень час год месяц вечар ноч тыдзень хвіліна чагосьці штосьці нічога нікога кагосьці амаль якраз", FUNCTION),
    ("сваю тваю нашу вашу яго яе іх цябе вас нас", FUNCTION),
    ("доўга рана позна далёка блізка высока нізка ціха гучна смела цёпла холадна уважліва ўважліва", FUNCTION),
    ("паспяхова", FUNCTION),
    ("увагі ўвагі", FUNCTION),
    ("хутка добра спакойна лёгка моцна шмат крыху нядаўна раней шчыра весела дакладна", FUNCTION),
    # Past tenses without the -ў of the rest.
    ("мог змог дапамог перамог лёг нёс прынёс вёз прывёз вырас рос змёрз замёрз памёр згарэў сцёр збег прабег", PAST_M),
    ("уцёк пёк спёк сек бег пабег адмог напярог засцярог збярог", PAST_M),
    ("быў стаяў ляжаў гарэў сядзеў", PAST_M | INTRANSITIVE),
    ("была стаяла ляжала гарэла сядзела", PAST_F | INTRANSITIVE),
    ("еў выцер пацёр працёр адпёр калоў малоў", PAST_M),
    # Unstressed, the neuter of impersonal verbs ends as the feminine does.
    ("хацелася захацелася даводзілася падабалася спадабалася чакалася снілася здавалася атрымлівалася", FINITE),
    ("хапіла хапала", FINITE),
    ("цярпелася прыходзілася атрымалася здарылася лічылася", FINITE),
    # Words in -ла and -ў that are no verbs.
    ("школа сіла цела крэсла скала кола вясла цэгла правіла чарніла святла масла шкла жыла бібула", NOUN | FEMININE),
    ("зла тла акула капсула формула вакула гарыла кобла пчала хвала зала шкала магіла хваля", NOUN | FEMININE),
    ("дзела святло дзеў наперад леў кроў любоў сноў зноў нораў звераў густаў", FUNCTION),
    ("маці дачка сястра мама жонка сяброўка бабуля", NOUN | FEMININE),
    ("тата бацька муж брат сябар дзед партнёр начальнік лекар настаўнік сын", NOUN),
)
# Genitive plurals in -аў/-яў follow these; a verb in the past does not.
_COUNTING = frozenset(
    [
        "шмат",
        "мала",
        "некалькі",
        "колькі",
        "столькі",
        "больш",
        "менш",
        "пяць",
        "шэсць",
        "сем",
        "восем",
        "дзесяць",
        "многа",
    ]
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Belarusian text; the language leaves я out more readily than its neighbours."""
    return SubjectReader(vocabulary(WORDS, belarusian_traits), settle_genitives, reads_bare_past=True).read


def belarusian_traits(form: str) -> int:
    """What a word can be by its ending alone."""
    if len(form) < 3:
        return 0
    for endings, traits in _ENDINGS:
        if form.endswith(endings):
            return traits
    if form.endswith(("нік", "цель", "ар", "ёр", "ач", "ец", "ант", "ент", "іст", "ца")):
        return NOUN
    return NOUN | OBJECTLIKE if form[-1] in "бвгджзклмнпрстфхцчш" else 0


_ENDINGS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("лася", "лась"), PAST_F | INTRANSITIVE),
    (("ўся", "ўсь"), PAST_M | INTRANSITIVE),
    (("нна", "чна", "льна", "ўна"), FUNCTION),
    (("алі", "ілі", "ылі", "елі", "улі", "ялі", "ло", "ліся", "лося"), FINITE),
    (("ла",), PAST_F),
    (("шоў", "вёў", "нёс", "вёз", "мог", "лёг"), PAST_M),
    (("оў", "ёў"), FUNCTION),
    (("іў", "ыў", "еў", "эў", "уў", "юў", "аў", "яў"), PAST_M),
    (("уся", "юся"), PRESENT),
    (("аю", "яю", "ую", "ею", "лю", "жу", "шу"), PRESENT),
    (("асць", "насць"), NOUN | FEMININE),
    (("ць", "цца", "сці", "йці", "гчы"), FUNCTION | INFINITIVE),
    (("ая", "яя"), ADJECTIVE_F),
    (("ны", "ты", "вы", "лы", "шы", "чы", "ры", "кі", "гі", "ні", "сты", "мы"), ADJECTIVE_M),
    (("ым", "ім"), OBLIQUE_M),
    (("ай", "ой", "аю", "ою", "яй"), OBLIQUE_F),
)


def settle_genitives(tokens: list[Token]) -> list[Token]:
    """A word in -аў or -яў is a genitive plural after a preposition, an adjective in -ых/-іх, or verb and number."""
    settled = tokens
    verb_seen = 0
    for index, token in enumerate(tokens):
        if token.traits & PUNCTUATION:
            verb_seen = 0
        elif index and token.traits & PAST_M and token.key.endswith(("аў", "яў")) and not token.traits & INTRANSITIVE:
            before = tokens[index - 1]
            adjective = before.key.endswith(("ых", "іх")) and before.key not in _THEM
            if before.traits & PREPOSITION or adjective or (verb_seen and before.key in _COUNTING):
                settled = list(settled) if settled is tokens else settled
                settled[index] = token._replace(traits=FUNCTION)
        verb_seen |= token.traits & (PAST | PRESENT | FINITE)
    return settled


_THEM = frozenset({"іх", "ніх", "усіх", "ўсіх"})
