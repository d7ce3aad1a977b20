"""Controls for race and profession: the group term is replaced with each of ten other terms from its list.

The published code replaces the longest listed term found anywhere in both sentences, even inside other words, samples
with replacement, and leaves articles alone, so that a control may equal the original or have the wrong article. Our
code matches whole words, samples other terms without replacement, and corrects a/an.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from genderscope.samples.dataset import resource_rows
from genderscope.samples.quadruplets import BadSample, Sentence

EACH = 10
LISTS = {"race": ("country", "adjective"), "profession": ("profession",)}  # the term lists of each set, in search order
#: words that begin with a vowel letter but not with a vowel sound
CONSONANT_SOUND = re.compile(r"eu|uk|uni|one", re.IGNORECASE)


@cache
def terms(kind: str) -> tuple[str, ...]:
    """Return a list's terms in the paper's order; a few end with a space, as in the paper."""
    return tuple(row["term"] for row in resource_rows("tables/group_terms.csv") if row["kind"] == kind)


class TermControls:
    """Generator of control pairs for one set."""

    def __init__(self, name: str, seed: int, as_published: bool) -> None:
        self.kinds = LISTS[name]
        self.lists = [terms(kind) for kind in self.kinds]
        self.seed = seed
        self.as_published = as_published
        self.mended: Counter[str] = Counter()  # number of corrections by kind

    def of(self, s0: Sentence, s1: Sentence, target: str) -> Iterator[tuple[Sentence, Sentence]]:
        """Yield ten control pairs for a pair about `target`."""
        return self._published(s0, s1) if self.as_published else self._ours(s0, s1, target)

    def _ours(self, s0: Sentence, s1: Sentence, target: str) -> Iterator[tuple[Sentence, Sentence]]:
        about = {target.lower(), _plural(target).lower()}
        places = None
        for plural, listed, term in sorted(self._forms, key=lambda form: form[2].lower() not in about):
            first, second = _whole_word(term, s0), _whole_word(term, s1)
            if first and second:
                places = first, second
                others = sorted(set(_plurals(listed) if plural else listed) - {term})
                break
        if places is None:
            raise BadSample("no listed group term occurs in both sentences as a whole word")
        for new in random.Random(f"{self.seed}|{s0.marked}").sample(others, EACH):
            yield self._replaced(s0, places[0], new), self._replaced(s1, places[1], new)

    @cached_property
    def _forms(self) -> list[tuple[bool, tuple[str, ...], str]]:
        """All singular and plural forms with their lists, longest first."""
        lists = [tuple(term.strip() for term in listed) for listed in self.lists]
        forms = [(False, listed, term) for listed in lists for term in listed]
        forms += [
            (True, listed, term)
            for listed, kind in zip(lists, self.kinds, strict=True)
            if kind != "country"
            for term in _plurals(listed)
        ]
        return sorted(forms, key=lambda form: (-len(form[2]), form[2]))

    def _replaced(self, sentence: Sentence, place: tuple[int, int], new: str) -> Sentence:
        begin, end = place
        if sentence.text[begin].isupper():
            new = new[0].upper() + new[1:]
        article = re.search(r"\b(an?) $", sentence.text[:begin], re.IGNORECASE)
        if article:
            agreed = _article(new)
            if agreed != article[1].lower():
                self.mended["an article was adapted to the new term"] += 1
                written = agreed.capitalize() if article[1][0].isupper() else agreed
                return _spliced(sentence, (article.start(1), end), f"{written} {new}")
        return _spliced(sentence, place, new)

    def _published(self, s0: Sentence, s1: Sentence) -> Iterator[tuple[Sentence, Sentence]]:
        marked = s0.marked, s1.marked
        present = [t for listed in self.lists for t in listed if all(t.lower() in m.lower() for m in marked)]
        if not present:
            raise BadSample("no listed group term occurs in both sentences")
        term = max(present, key=len)
        source = next(listed for listed in self.lists if term in listed)
        draw = random.Random(marked[0])
        for new in [draw.choice(source) for _ in range(EACH)]:
            yield self._put(s0, term, new), self._put(s1, term, new)

    @staticmethod
    def _put(sentence: Sentence, term: str, new: str) -> Sentence:
        begin = sentence.marked.lower().index(term.lower())
        if sentence.keyword and begin > sentence.keyword[0]:
            begin -= 2 if begin > sentence.keyword[1] else 1
        return _spliced(sentence, (begin, begin + len(term)), new)


def _whole_word(term: str, sentence: Sentence) -> tuple[int, int] | None:
    """Return the span of the term's first occurrence as a whole word outside the keyword."""
    for match in re.finditer(rf"(?<!\w){re.escape(term)}(?!\w)", sentence.text, re.IGNORECASE):
        if sentence.keyword is None or match.end() <= sentence.keyword[0] or match.start() >= sentence.keyword[1]:
            return match.span()
    return None


def _spliced(sentence: Sentence, place: tuple[int, int], new: str) -> Sentence:
    """Replace part of a sentence and adjust the keyword's span."""
    begin, end = place
    text = sentence.text[:begin] + new + sentence.text[end:]
    if sentence.keyword is None:
        return Sentence(text)
    grown = len(new) - (end - begin)
    first, last = sentence.keyword
    return Sentence(text, (first + grown if begin < first else first, last + grown if begin < last else last))


def _plurals(words: Sequence[str]) -> list[str]:
    """Return the plurals of countable words: Russians and midwives, but not Chinese or Irish."""
    return [_plural(word) for word in words if not re.search(r"(ish|ese|ench)$", word)]


def _plural(word: str) -> str:
    for ending, plural in (("man", "men"), ("person", "people"), ("wife", "wives"), ("y", "ies"), ("ch", "ches")):
        if word.endswith(ending) and word[0].islower():
            return word.removesuffix(ending) + plural
    return f"{word}s"


def _article(word: str) -> str:
    """Return "a" or "an", according to the word's pronunciation."""
    return "an" if word[0].lower() in "aeiou" and not CONSONANT_SOUND.match(word) else "a"
