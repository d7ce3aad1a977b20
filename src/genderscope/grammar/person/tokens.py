"""Words of a translation with their positions, and where the forms of a person word occur among them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from genderscope.grammar.person.person_file import TOKEN, FormGender, NounForm, fold, read_person_file
from genderscope.util.text_normalization import normalized

SHORTEST_MISSPELT = 5  # minimum length of nouns that may differ from the listed form by one letter

SHORTEST_HEAD, SHORTEST_MODIFIER = 4, 3  # minimum length of the parts of a compound

MOST_NOUNS = 20  # maximum number of occurrences, so that endless repetitions cost no time


@dataclass(frozen=True, slots=True)
class TranslationToken:
    """Word or punctuation mark of a translation."""

    text: str
    start: int
    lowered: str
    folded: str
    #: the folded word with and without prefixes
    variants: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Noun:
    """Occurrence of a person word: `tokens[start:end]`."""

    start: int
    end: int
    gender: FormGender
    rank: int
    is_base: bool  # listed form, not an inflected one
    is_fixed: bool = False  # noun of one gender, which an article of the other gender overrides
    is_exact: bool = True
    is_feminine_in_cases: bool = False  # as an object, names a woman: “pro účetní”

    def overlaps(self, other: "Noun") -> bool:
        """Whether both have a token in common."""
        return self.start < other.end and other.start < self.end


Index = Mapping[str, list[NounForm]]


def tokenize(text: str, prefixes: Iterable[str] = ()) -> list[TranslationToken]:
    """Split a text into words and punctuation marks; an elided article ends with its apostrophe."""
    tokens = []
    for match in TOKEN.finditer(text):
        folded = fold(match[0])
        stripped = (folded.removeprefix(prefix) for prefix in prefixes if folded.startswith(prefix))
        tokens.append(TranslationToken(match[0], match.start(), _lower(match[0]), folded, (folded, *stripped)))
    return tokens


@lru_cache(maxsize=1 << 16)
def _lower(word: str) -> str:
    return normalized("NFC", word.lower()).replace("’", "'").replace("ʼ", "'")


def index_forms(forms: Iterable[NounForm]) -> Index:
    """Index forms by each variant of their first word, longest forms first."""
    index: dict[str, list[NounForm]] = {}
    for form in forms:
        for variant in form.variants[0]:
            index.setdefault(variant, []).append(form)
    for variant, listed in index.items():
        listed.sort(key=lambda form: (-len(form.words), form.words[0] != variant, form.rank))
    return index


@cache
def all_people(language: str) -> Index:
    """Return the index of all forms of all people."""
    file = read_person_file(language)
    return index_forms(form for person in file.people for form in file.forms(person))


def find_nouns(tokens: list[TranslationToken], index: Index) -> list[Noun]:
    """Return the longest forms, from left to right; forms inside another one do not count."""
    nouns: list[Noun] = []
    has_capitals = any(token.text[0].isupper() for token in tokens)
    for start, token in enumerate(tokens):
        if nouns and start < nouns[-1].end:
            continue
        if len(nouns) == MOST_NOUNS:
            break
        for form in (form for variant in token.variants for form in index.get(variant, ())):
            if has_capitals and form.is_capitalised and token.text[0].islower():
                continue
            end = start + len(form.words)
            following = zip(tokens[start:end], form.variants, strict=False)
            if end <= len(tokens) and all(not words.isdisjoint(next_token.variants) for next_token, words in following):
                is_base = form.words[0] in token.variants
                in_cases = form.is_feminine_in_cases
                noun = Noun(start, end, form.gender, form.rank, is_base, form.is_fixed, is_feminine_in_cases=in_cases)
                nouns.append(noun)
                break
    return nouns


def find_compounds(tokens: list[TranslationToken], index: Index, listed: Index) -> list[Noun]:
    """Return the words that end with a form, such as “Englischlehrerin”, unless they are listed for another person."""
    nouns = []
    for start, token in enumerate(tokens):
        word = token.folded
        heads = (word[cut:] for cut in range(SHORTEST_MODIFIER, len(word) - SHORTEST_HEAD + 1))
        forms = (form for head in heads for form in index.get(head, ()) if len(form.words) == 1)
        form = None if word in listed else next(forms, None)
        if form is not None and form.gender != "neutral" and not (form.is_capitalised and token.text[0].islower()):
            is_base = word.endswith(form.words[0])
            nouns.append(Noun(start, start + 1, form.gender, form.rank, is_base, form.is_fixed, is_exact=False))
    return nouns


def find_misspelt_nouns(tokens: list[TranslationToken], index: Index) -> list[Noun]:
    """Return the words that differ from a listed form by one letter; near inflected forms are other words."""
    forms = [(word, form) for word, listed in index.items() for form in listed if form.words == (word,)]
    return [
        Noun(start, start + 1, form.gender, form.rank, is_base=True, is_fixed=form.is_fixed, is_exact=False)
        for start, token in enumerate(tokens)
        if len(token.folded) >= SHORTEST_MISSPELT
        for form in [next((form for word, form in forms if _is_misspelt(token.folded, word)), None)]
        if form is not None and not (form.is_capitalised and token.text[0].islower())
    ]


def _is_misspelt(word: str, listed: str) -> bool:
    """Whether one letter was added, dropped or replaced, or two were swapped, before the last letter."""
    if len(listed) < SHORTEST_MISSPELT or abs(len(word) - len(listed)) > 1 or word[-1] != listed[-1]:
        return False
    prefix = next(
        (i for i, (a, b) in enumerate(zip(word, listed, strict=False)) if a != b), min(len(word), len(listed))
    )
    rest, expected = word[prefix:], listed[prefix:]
    return (
        rest[1:] == expected[1:]
        or rest[1:] == expected
        or rest == expected[1:]
        or (rest[1::-1] == expected[:2] and rest[2:] == expected[2:])
    )
