"""Parser for `forms.toml`: each language's endings, signs and pairs of words for both genders."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from genderscope.grammar.word_file import check_keys, read_tables, split_words
from genderscope.util.text_normalization import normalized

FILE = Path(__file__).with_name("forms.toml")
LONGEST_TAIL = 6  # letters after the common beginning of two forms: heureux/heureuse
_LISTS = ("or", "and", "signs", "letters", "e_after", "capitals", "ordinary", "prefixes")
_PAIRS = ("endings", "letter_endings", "articles", "pairs")
_KEYS = (*_LISTS, *_PAIRS, "words")

Pair = tuple[str, str]


@dataclass(frozen=True)
class FormLists:
    """Words and endings of one language in lower case; pairs are masculine and feminine."""

    lists: dict[str, tuple[str, ...]]
    pairs: dict[str, tuple[Pair, ...]]
    words: dict[str, Pair]

    def is_listed(self, a: str, b: str, *kinds: str) -> bool:
        """Whether two words or endings are a listed pair, in either order."""
        return any((a, b) in self.pairs[kind] or (b, a) in self.pairs[kind] for kind in kinds)

    def is_ordered(self, a: str, b: str) -> bool:
        """Whether the first of two words is the masculine form of the second, judged by their endings."""
        return (a, b) in self.pairs["articles"] + self.pairs["pairs"] or any(
            a.endswith(masculine) and b.endswith(feminine) and a.removesuffix(masculine) == b.removesuffix(feminine)
            for masculine, feminine in self.pairs["endings"]
        )

    def correspond(self, a: str, b: str) -> bool:
        """Whether two words can be forms of one word, judged by their common beginning, or are a listed pair."""
        if self.is_ordered(a, b) or self.is_ordered(b, a):
            return True
        prefixes = "".join(self.lists["prefixes"]) or "-"
        a, b = a.lstrip(prefixes), b.lstrip(prefixes)
        shared = shared_length(_bare(a), _bare(b))
        is_plural = {a[shared:], b[shared:]} == {"", "s"}
        is_long_enough = shared and shared * 2 >= min(len(a), len(b))
        return bool(is_long_enough) and max(len(a), len(b)) - shared <= LONGEST_TAIL and not is_plural

    def attach(self, word: str, suffix: str) -> Pair | None:
        """Return both forms of a word that the other form's ending follows; the longest replaced ending wins."""
        best: tuple[int, Pair] | None = None
        lowered, ending = word.lower(), suffix.lower()
        for masculine, feminine in self.pairs["endings"]:
            for own, other in ((masculine, feminine), (feminine, masculine)):
                # The suffix may repeat letters of the word: “zrobiłem/łam”.
                replaced = ending.removesuffix(other) + own
                is_possible = other and ending.endswith(other) and lowered.endswith(replaced)
                if is_possible and len(replaced) < len(word) and (best is None or len(replaced) > best[0]):
                    formed = word[: len(word) - len(replaced)] + suffix
                    best = len(replaced), (word, formed) if own == masculine else (formed, word)
        return best[1] if best else None

    def is_ordinary(self, word: str) -> bool:
        """Whether a word only looks like a form for both genders; “-dade” lists all words with an ending."""
        listed = self.lists["ordinary"]
        return word in listed or word.endswith(tuple(each[1:] for each in listed if each.startswith("-")))

    @property
    def suffixes(self) -> set[str]:
        """The endings that can follow a sign."""
        return {ending for pair in self.pairs["endings"] for ending in pair if ending}

    def joint_pattern(self) -> re.Pattern[str]:
        """Return the pattern of what can join two forms, or end a form for both genders."""
        lists = self.lists
        parts = [r"(?P<inline>\[\[[^\[\]]{1,1000}\]\])"]
        behind = self.suffixes.union(*self.pairs["articles"], *self.pairs["pairs"])
        signs = f"|[{_any_of(lists['signs'], '')}](?=(?:{_any_of(behind)})(?!\\w))" if lists["signs"] else ""
        parts.append(rf"(?P<sign>[ \u00a0]?(?:/[ \u00a0]?|\()[-–]?(?=[^\W\d_]){signs})")
        parts.append(rf"(?P<or>[ \u00a0](?i:{_any_of(lists['or'] + lists['and'])})\.?[ \u00a0])")
        if lists["letters"]:
            after_e = "".join(f"|(?<={each})e" for each in lists["e_after"])
            parts.append(rf"(?P<letter>(?:[{_any_of(lists['letters'], '')}]{after_e})s?(?![\w*]))")
        if lists["capitals"]:
            parts.append(rf"(?P<capitals>(?<=[a-zäöüß])(?:{_any_of(lists['capitals'])})(?!\w))")
        if self.words:
            parts.append(rf"(?P<word>\b(?i:{_any_of(self.words)})\b)")
        return re.compile("|".join(parts))


@cache
def form_lists(language: str) -> FormLists:
    """Return the lists of a language, which are empty if the file has none."""
    table = _tables().get(language, {})
    words = {key: split_words(table.get(key, ""), f"{FILE.name}, [{language}] {key}") for key in _KEYS}
    return FormLists(
        {key: tuple(words[key]) for key in _LISTS},
        {key: tuple(_pair(each) for each in words[key]) for key in _PAIRS},
        {word: _pair(forms) for word, _, forms in (each.replace("_", " ").partition("=") for each in words["words"])},
    )


@cache
def _tables() -> dict[str, dict[str, str]]:
    tables = read_tables(FILE)
    return {code: dict(check_keys(table, _KEYS, f"{FILE.name}, [{code}]")) for code, table in tables.items()}


def shared_length(a: str, b: str) -> int:
    """Return the length of the common beginning of two words."""
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _pair(written: str) -> Pair:
    masculine, _, feminine = written.partition("/")
    return masculine, feminine


def _any_of(words: Iterable[str], separator: str = "|") -> str:
    return separator.join(map(re.escape, sorted(words, key=len, reverse=True)))


def _bare(word: str) -> str:
    """Return a word without accents, since Arzt and Ärztin begin alike."""
    if word.isascii():
        return word
    return "".join(letter for letter in normalized("NFKD", word) if unicodedata.category(letter) != "Mn")
