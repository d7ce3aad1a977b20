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
        prefixes = "".join(self.lists["prefixes"]) or "-"
        if self.is_listed(a, b, "articles", "pairs"):
            return True
        a, b = a.lstrip(prefixes), b.lstrip(prefixes)
        if _bare(a[:1]) != _bare(b[:1]):
            return False
        if self.is_ordered(a, b) or self.is_ordered(b, a):
            return True
        shared = shared_length(_bare(a), _bare(b))
        is_plural = {a[shared:], b[shared:]} == {"", "s"}
        is_long_enough = shared > 1 and shared * 2 >= min(len(a), len(b))
        return is_long_enough and max(len(a), len(b)) - shared <= LONGEST_TAIL and not is_plural

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
        return word in listed or word.endswith(tuple(ending[1:] for ending in listed if ending.startswith("-")))

    @property
    def suffixes(self) -> set[str]:
        """The endings that can follow a sign."""
        return {ending for pair in self.pairs["endings"] for ending in pair if ending}

    def joints(self) -> list["Joint"]:
        """Return the patterns of what can join two forms, or end a form for both genders."""
        lists, words = self.lists, [word for word in self.words if "/" not in word]
        behind = self.suffixes.union(*self.pairs["articles"], *self.pairs["pairs"])
        signs, letters = (_any_of(lists[key], "") for key in ("signs", "letters"))
        attached = rf"|(?<=[{signs}])(?=(?:{_any_of(behind)})(?!\w))" if signs else ""
        joints = [
            Joint("inline", r"\[\[[^\[\]]{1,1000}\]\]", ("[[",)),
            Joint("sign", rf"[/({signs}](?:(?<=[/(])[ \u00a0]?[-–]?(?=[^\W\d_]){attached})"),
        ]
        if lists["or"]:
            joints.append(Joint("or", rf" (?i:{_any_of(lists['or'])}) ", tuple(f" {word} " for word in lists["or"])))
        articles = {article for pair in self.pairs["articles"] for article in pair}
        for word in lists["and"]:
            before = "|".join(rf"(?<=\b(?i:{article}) {word} )" for article in sorted(articles))
            joints.append(Joint("and", rf" {word} (?:{before})(?=(?:{_any_of(articles)}) )"))
        if letters:
            joints.append(Joint("letter", rf"[{letters}]s?(?![\w*])"))
        if lists["e_after"]:
            joints.append(Joint("letter", rf"e(?<={_any_of(f'{ending}e' for ending in lists['e_after'])})s?(?!\w)"))
        for capitals in lists["capitals"]:
            joints.append(Joint("capitals", rf"{capitals}(?<=[a-zäöüß]{capitals})(?!\w)", (capitals,)))
        if words:
            guards = (*words, *(word.capitalize() for word in words))
            joints.append(Joint("word", rf"(?<!\w)(?i:{_any_of(words)})(?!\w)", guards))
        if contracted := [word for word in self.words if "/" in word]:
            joints.append(Joint("word", rf"\b(?i:{_any_of(contracted)})\b", ("/",)))
        return joints


class Joint:
    """Pattern for one kind of joint; `guards` are strings of which every text with such a joint contains one."""

    def __init__(self, kind: str, pattern: str, guards: tuple[str, ...] = ()) -> None:
        self.kind, self.guards, self.pattern = kind, guards, re.compile(pattern)

    def matches(self, text: str) -> list[tuple[int, int, str]]:
        """Return start, end and kind of all occurrences."""
        if self.guards and not any(guard in text for guard in self.guards):
            return []
        return [(*match.span(), self.kind) for match in self.pattern.finditer(text)]


@cache
def form_lists(language: str) -> FormLists:
    """Return the lists of a language, which are empty if the file has none."""
    table = _tables().get(language, {})
    words = {key: split_words(table.get(key, ""), f"{FILE.name}, [{language}] {key}") for key in _KEYS}
    return FormLists(
        {key: tuple(words[key]) for key in _LISTS},
        {key: tuple(_pair(entry) for entry in words[key]) for key in _PAIRS},
        {word: _pair(forms) for word, _, forms in (entry.replace("_", " ").partition("=") for entry in words["words"])},
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
