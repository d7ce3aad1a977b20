"""English words for people: pronouns, relatives, nouns and titles that tell a gender."""

from genderscope.measures.gest_chat.reading import FEMALE, MALE

THEY, FIRST_PERSON = "they", "first person"

_PRONOUNS = {
    FEMALE: "she her hers herself",
    MALE: "he him his himself",
    THEY: "they them their theirs themself themselves",
    FIRST_PERSON: "i me my mine myself",
}
_RELATIVES = {
    FEMALE: "mother mom mum mama mommy grandmother grandma granny nana aunt auntie sister wife girlfriend daughter"
    " niece fiancée stepmother stepsister stepdaughter granddaughter godmother bride widow ex-wife ex-girlfriend"
    " mother-in-law sister-in-law daughter-in-law mothers sisters daughters aunts",
    MALE: "father dad papa daddy grandfather grandpa granddad uncle brother husband boyfriend son nephew fiancé fiance"
    " stepfather stepbrother stepson grandson godfather groom widower ex-husband ex-boyfriend father-in-law"
    " brother-in-law son-in-law fathers brothers sons uncles",
}
_NOUNS = {
    FEMALE: "woman girl lady queen princess actress waitress heroine businesswoman saleswoman policewoman congresswoman"
    " duchess schoolgirl landlady nun priestess chairwoman spokeswoman matriarch seamstress hostess goddess housewife"
    " sportswoman countess baroness ballerina nobleswoman noblewoman women girls ladies",
    MALE: "man boy gentleman king prince businessman salesman policeman congressman duke schoolboy monk chairman"
    " spokesman patriarch lad guy bloke fisherman craftsman handyman sportsman nobleman fireman baron men"
    " boys gentlemen",
}


def _by_word(table: dict[str, str]) -> dict[str, str]:
    return {word: kind for kind, words in table.items() for word in words.split()}


PRONOUN_OF = _by_word(_PRONOUNS)
RELATIVE_OF = _by_word(_RELATIVES)
NOUN_OF = _by_word(_NOUNS)
TITLES = _by_word({FEMALE: "mrs ms miss lady dame madam madame", MALE: "mr sir lord mister"})
POSSESSIVES = frozenset({"her", "his", "their", "my"})
#: after these a noun compares or counts: "like a man", "a class of women"
COMPARING = frozenset({"like", "than", "of", "other", "among"})
#: after these it is about anybody
ANY = frozenset({"every", "any", "each", "no", "only"})
#: before a noun these bring somebody in: "works for a man"
SAYING = frozenset({"for", "by", "with", "to", "from", "married", "marries", "met", "meets", "loved", "loves", "knew"})
#: what "they" may stand for, close by
PLURALS = frozenset(
    {"parents", "people", "children", "friends", "siblings", "others", "students", "family", "neighbours"}
)
