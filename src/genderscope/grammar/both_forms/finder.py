"""Finder of forms for both genders: signs, letters and conjunctions, and the words that they join."""

import re
from functools import cache, cached_property
from itertools import pairwise

from genderscope.grammar.both_forms.form_lists import FormLists, form_lists, shared_length
from genderscope.grammar.both_forms.variants import BothForm

MOST_FORMS = 100  # maximum number per text, so that endless repetitions cost no time
LONGEST_PHRASE = 4  # words in each of two coordinated phrases: “el más listo o la más lista”
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f])*")
_HALVES = re.compile(r"\s*(?:\|\|\||[\t\n]|(?<=\s)/(?=\s))\s*")
_SEPARATORS = ("|||", "\t", "\n")
_PLURAL = re.compile(r"[·•‧∙⋅.\-]s\b|\(s\)")
_CHOICE = re.compile(r"([^\W\d_]{1,5})[/|]([^\W\d_]{1,5})\)")
_VOWELS = frozenset("aeiouáéíóú")
#: signs before or after a word that is part of an address: “https://example.org/cansado/a”
_IN_ADDRESS = frozenset("/@.:#\\=&")
_SPACES = " \u00a0"


class BothForms:
    """Finder for the texts of one language."""

    def __init__(self, lists: FormLists) -> None:
        self._lists = lists
        self._suffixes = lists.suffixes
        self._joints = lists.joints() if self._suffixes else []
        # Most texts have no such form, so that these searches take most of the time.
        self._searches = [joint.pattern.search for joint in self._joints if not joint.guards]
        self._guards = [*_SEPARATORS, *(guard for joint in self._joints for guard in joint.guards)]

    def find(self, text: str) -> list[BothForm]:
        """Return the forms for both genders in a text, in linear time."""
        if not self._may_contain(text):
            return []
        whole = self._whole(text)
        if whole is not None:
            return [whole]
        joints = [match for joint in self._joints for match in joint.matches(text)]
        forms: list[BothForm] = []
        words = _Words(text)
        for start, end, kind in sorted(joints, key=lambda joint: (joint[0], -joint[1])):
            form = self._form(words, start, end, kind)
            if form is not None and (not forms or form.start >= forms[-1].end):
                forms.append(form)
                if len(forms) == MOST_FORMS:
                    break
        return forms

    def _may_contain(self, text: str) -> bool:
        for search in self._searches:
            if search(text) is not None:
                return True
        for guard in self._guards:
            if guard in text:
                return bool(self._joints)
        return False

    def _whole(self, text: str) -> BothForm | None:
        """Return a text that consists of two translations: “Estoy cansado. / Estoy cansada.”"""
        if " / " not in text and not any(separator in text for separator in _SEPARATORS):
            return None
        halves = _HALVES.split(text.strip(), maxsplit=2)
        if len(halves) != 2:
            return None
        first, second = ([word.lower() for word in _WORD.findall(half)] for half in halves)
        if len(first) != len(second) or len(first) < 2:
            return None
        pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
        others = sum(not self._lists.correspond(a, b) for a, b in pairs)
        if others == len(pairs) or others * 3 > len(first):
            return None
        return BothForm(0, len(text), *(halves[::-1] if self._is_feminine_first(pairs) else halves))

    def _form(self, words: "_Words", start: int, end: int, kind: str) -> BothForm | None:
        """Return the form at a joint, None if there is none."""
        joint = words.text[start:end]
        if kind == "inline":
            sides = joint[2:-2].split("/")
            return BothForm(start, end, *sides) if len(sides) == 2 else None
        if kind == "word":
            return BothForm(start, end, *self._lists.words[joint.lower()])
        if kind in ("letter", "capitals"):
            return self._letter(words, start, end, kind)
        left, right = words.by_end.get(start), words.by_start.get(end)
        if left is None and kind == "sign" and words.text[start - 1 : start] in (" ", "\u00a0"):
            left, joint = words.by_end.get(start - 1), f" {joint}"
        if left is None or right is None or words.is_in_address(left):
            return None
        attached = self._attached(words, left, right, joint) if kind == "sign" else None
        return attached or self._coordinated(words, left, right, joint)

    def _letter(self, words: "_Words", joint_start: int, end: int, kind: str) -> BothForm | None:
        """Return the form in which a letter replaces the ending: “cansadx”; or German “LehrerIn”."""
        index = words.by_end.get(joint_start, words.by_end.get(end))
        if index is None or words.is_in_address(index):
            return None
        start = words.spans[index][0]
        stem, joint = words.text[start:joint_start], words.text[joint_start:end]
        if kind == "capitals":
            return BothForm(start, end, stem, stem + joint.lower())
        lowered = stem.lower()
        if not stem or lowered[-1] in _VOWELS or self._lists.is_ordinary(lowered + joint):
            return None
        plural = "s" if joint.endswith("s") else ""
        for masculine, feminine in self._lists.pairs["letter_endings"]:
            shared = masculine[: shared_length(masculine, feminine)]
            if lowered.endswith(shared):
                bare = stem.removesuffix(shared)
                return BothForm(start, end, bare + masculine + plural, bare + feminine + plural)
        return None

    def _attached(self, words: "_Words", left: int, right: int, sign: str) -> BothForm | None:
        """Return the form with an ending after a sign: “cansado/a”, “fatigué(e)”, “był(a)bym”, “cansad(o/a)”."""
        text, (start, _), (suffix_start, end) = words.text, words.spans[left], words.spans[right]
        word, suffix = words.word(left), words.word(right)
        is_bracket = "(" in sign
        if is_bracket and (choice := _CHOICE.match(text, suffix_start)):
            pair = choice[1].lower(), choice[2].lower()
            sides = choice.groups() if pair in self._lists.pairs["endings"] else choice.groups()[::-1]
            is_listed = self._lists.is_listed(*pair, "endings")
            return BothForm(start, choice.end(), word + sides[0], word + sides[1]) if is_listed else None
        is_closed = text[end : end + 1] == ")" if is_bracket else sign.strip(_SPACES) == sign
        if not is_closed or self._lists.is_listed(word.lower(), suffix.lower(), "articles", "pairs"):
            return None
        end += is_bracket
        tail = words.by_start.get(end) if is_bracket else None
        if tail is not None:
            is_inside = sign == "(" and suffix.lower() in self._suffixes
            rest = words.word(tail)
            return BothForm(start, words.spans[tail][1], word + rest, word + suffix + rest) if is_inside else None
        is_abbreviation = len(word) > 1 and word.isupper() and suffix.islower()  # Polish “SMS-a” is a case form
        forms = self._lists.attach(word, suffix)
        if forms is None or is_abbreviation or text[end : end + 1] in ("/", "@"):
            return None
        if (plural := _PLURAL.match(text, end)) is not None:
            return BothForm(start, plural.end(), f"{forms[0]}s", f"{forms[1]}s")
        return BothForm(start, end, *forms)

    def _coordinated(self, words: "_Words", left: int, right: int, joint: str) -> BothForm | None:
        """Return the form that consists of two whole words or phrases: “el/la”, “un niño o una niña”."""
        is_bracket = "(" in joint
        for length in range(LONGEST_PHRASE, 0, -1):
            first, last = left - length + 1, right + length - 1
            if first < 0 or last >= len(words.spans):
                continue
            if words.is_name_before(left, last) or not self._can_be_joined(words.word(left), words.word(last), joint):
                continue
            if not (words.is_phrase(first, left) and words.is_phrase(right, last)):
                continue
            start, end = words.spans[first][0], words.spans[last][1]
            if is_bracket and words.text[end : end + 1] != ")":
                continue
            pairs = [(words.word(first + k).lower(), words.word(right + k).lower()) for k in range(length)]
            differing = [(a, b) for a, b in pairs if a != b]
            if differing and all(self._can_be_joined(a, b, joint) for a, b in differing):
                sides = words.text[start : words.spans[left][1]], words.text[words.spans[right][0] : end]
                return BothForm(
                    start, end + is_bracket, *(sides[::-1] if self._is_feminine_first(differing) else sides)
                )
        return None

    def _can_be_joined(self, first: str, second: str, joint: str) -> bool:
        a, b = first.lower(), second.lower()
        if joint.strip(_SPACES) in self._lists.lists["and"]:
            return self._lists.is_listed(a, b, "articles")
        return a == b or self._lists.correspond(a, b)

    def _is_feminine_first(self, pairs: list[tuple[str, str]]) -> bool:
        """Whether the endings of the first pair of different words show that the feminine form comes first."""
        a, b = pairs[0]
        return self._lists.is_ordered(b, a) and not self._lists.is_ordered(a, b)


class _Words:
    """Words of a text by their places."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = [match.span() for match in _WORD.finditer(text)]

    @cached_property
    def by_start(self) -> dict[int, int]:
        """The index of each word by its start."""
        return {start: index for index, (start, _) in enumerate(self.spans)}

    @cached_property
    def by_end(self) -> dict[int, int]:
        """The index of each word by its end."""
        return {end: index for index, (_, end) in enumerate(self.spans)}

    def word(self, index: int) -> str:
        start, end = self.spans[index]
        return self.text[start:end]

    def is_in_address(self, index: int) -> bool:
        """Whether a word is part of an address or a path."""
        start = self.spans[index][0]
        return start > 0 and self.text[start - 1] in _IN_ADDRESS

    def is_name_before(self, left: int, right: int) -> bool:
        """Whether only the first of two words has a capital letter, inside a sentence: “den Bäcker und bat”."""
        if not left or not self.word(left)[0].isupper() or self.word(right)[0].isupper():
            return False
        return not self.text[self.spans[left - 1][1] : self.spans[left][0]].strip()

    def is_phrase(self, first: int, last: int) -> bool:
        """Whether single spaces separate the words of a range."""
        return all(self.text[a[1] : b[0]] in (" ", "\u00a0") for a, b in pairwise(self.spans[first : last + 1]))


@cache
def both_forms(language: str) -> BothForms:
    """Return the finder for a language; it finds nothing if `forms.toml` does not list the language."""
    return BothForms(form_lists(language))
