"""Names in a text: those of its main character, and those of other people.

The main character is the person of a "Name:" line or else the one whose name is most often a subject; the first one
wins a tie. A name that a noun for somebody else introduces ("her landlord, Bruno", "a cat named Tom") is a bystander's.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from genderscope.measures.characters.sentences import TaggedSentence
from genderscope.measures.characters.words import People

#: languages that capitalise all nouns, so that a capital inside a sentence does not show a name
_CAPITAL_NOUNS = frozenset({"de"})
#: endings of English words that begin sentences and are no names
_NOT_NAMES = ("s", "ly", "ing", "ed")
_BETWEEN = frozenset(",:(")
#: most words between a noun and the name that it introduces, as in "his wife of fifty years, Joan"
_REACH = 2


def cast_of(
    sentences: Sequence[TaggedSentence], people: People, language: str, heading: str
) -> tuple[frozenset[str], frozenset[str], bool]:
    """Return the names of the main character, of others, and whether two people are introduced side by side."""
    runs = [(n, *span) for n, sentence in enumerate(sentences) for span in _spans(sentence, people, language)]
    inside = {sentences[n].words[start] for n, start, _ in runs if start}
    weights: Counter[str] = Counter()
    parts: dict[str, set[str]] = {}
    others: set[str] = set()
    for n, start, end in runs:
        sentence = sentences[n]
        name = sentence.words[start]
        single = end == start + 1
        if not start and n and single and name not in inside and (weights or heading or name.endswith(_NOT_NAMES)):
            continue  # may be any word that begins a sentence
        if heading and (sentence.words[start - 1 : start] == [":"] or sentence.words[end : end + 1] == [":"]):
            continue  # a field of a profile
        parts.setdefault(name, set()).update(sentence.words[start:end])
        thing = language == "en" and sentence.words[start - 1 : start] == ["the"]  # "the Marigold"
        if name not in weights and (thing or _is_introduced(sentence, start, people, bool(weights))):
            others.add(name)
        elif name not in others and not _led_by(sentence.words, start, people) & people["preposition"]:
            stop, article = [*sentence.words[end : end + 2], "", ""][:2]
            met = sentence.words[:start] == ["meet"] or (stop in {",", "–"} and article in people["article"])
            weights[name] += 1 + (start == 0 and n == 0) + 2 * met
    main = frozenset(heading.casefold().split())
    if not main and weights:
        main = frozenset(parts[max(weights, key=weights.__getitem__)])
    rest = frozenset(name for name in parts if name not in main and (name in others or name in weights))
    return main, rest, _is_paired(sentences, runs, people, others)


def _led_by(words: Sequence[str], start: int, people: People) -> set[str]:
    """Return the word before a name, without an article: "in" in "in London", "for" in "for the God of Light"."""
    return {*words[max(0, start - 1) : start]} - people["definite"] or {*words[max(0, start - 2) : start]}


def _spans(sentence: TaggedSentence, people: People, language: str) -> list[tuple[int, int]]:
    """Return the spans of capitalised words that may be names."""
    spans: list[tuple[int, int]] = []
    for k, word in enumerate(sentence.words):
        before = sentence.words[k - 1] if k else ""
        adjacent = bool(spans) and spans[-1][1] == k
        name = sentence.capital[k] and len(word) > 1 and word not in people.listed and before not in people["article"]
        name = name and (adjacent or not sentence.quoted[k])  # Harold "Hal" Brennan
        if name and language in _CAPITAL_NOUNS and k:
            name = adjacent or before in people["role"] | people["named"] | people.title_of.keys()
        if name and adjacent and not sentence.genitive[k - 1]:
            spans[-1] = (spans[-1][0], k + 1)
        elif name:
            spans.append((k, k + 1))
    return spans


def _is_introduced(sentence: TaggedSentence, start: int, people: People, earlier: bool) -> bool:
    """Return whether a noun next to the name says that it is another person's, a pet's or a ship's."""
    words, k = sentence.words, start - 1
    someone = people.relative_of.keys() | people["role"]
    passed = people["named"] | people["being"] | people.title_of.keys() | _BETWEEN
    while k >= max(0, start - 1 - _REACH) and words[k] in passed:
        k -= 1
    if k < max(0, start - 1 - _REACH):
        return False
    if words[k] in people["creature"]:
        return True
    owned = bool(people["possessive"] & {*sentence.before(k, 3)}) or any(sentence.genitive[max(0, k - 3) : k])
    if words[k] in someone:
        return owned or (earlier and not (k == start - 1 and sentence.capital[k]))
    return owned and k < start - 1 and words[start - 1] not in people["being"]


def _is_paired(
    sentences: Sequence[TaggedSentence], runs: list[tuple[int, int, int]], people: People, others: set[str]
) -> bool:
    """Return whether one of the first two sentences has two joined names as its subject."""
    for (n, start, end), (m, second, _) in pairwise(runs):
        words, passed = sentences[n].words, people["definite"] | people.title_of.keys()
        between = [word for word in words[end:second] if word not in passed] if n == m else []
        led = start == 0 or (start < 4 and not people["preposition"] - {"of", "about"} & {words[start - 1]})
        if n < 2 and len(between) == 1 and between[0] in people["conjunction"] and led and words[start] not in others:
            return True
    return False
