"""The words that reveal a gender or an answer, highlighted in the texts of rows; views name these functions."""

import json
import math
import re
import string
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from genderscope.measures.gest import TEMPLATES, Template, filled
from genderscope.report.views.explorer import ExplorerColumn, Mark, Part, mark_of, marked, texts
from genderscope.runs import Result

if TYPE_CHECKING:
    import pandas as pd

Span = tuple[int, int, Mark]

_OTHER = {"masculine": "feminine", "feminine": "masculine"}
#: a word as defined by the metric released with MT-GenEval, which splits text at white space and ASCII punctuation
_WORD = re.compile(rf"[^\s{re.escape(string.punctuation)}]+")
#: words for a written character, and for a group that may be chosen
_CHARACTER = {"feminine": "she|her|hers|herself", "masculine": "he|him|his|himself"}
_GROUPS = {"feminine": "she|hers?|herself|women|woman", "masculine": "he|him|his|himself|men|man"}
_BOTH_PRONOUNS = re.compile(r"\[(\w+)/(\w+)\]")
#: marks of the masculine and feminine forms, by preferred gender
_FORM_MARKS: dict[str | None, tuple[Mark, Mark]] = {
    "masculine": ("masculine", "faded"),
    "feminine": ("faded", "feminine"),
}
_LETTER_GENDERS = {"male": "masculine", "female": "feminine"}


def named_people(row: Any) -> list[Part]:
    """Highlight the person in an English source; another person is faded."""
    return mark_people(row.source, (row.entity, "other"), (getattr(row, "other", None), "faded"))


def people_words(row: Any) -> list[Part]:
    """Highlight the words that reveal or avoid the person's gender; those of another person are faded."""
    return mark_words(row.translation, (row.words, mark_of(row.reading)), (getattr(row, "other_words", None), "faded"))


def reference_words(row: Any) -> list[Part]:
    """Highlight the words found in only one of two references, by gender."""
    if not isinstance(row.translation, str):
        return []
    gender = dict.fromkeys(str(row.right_words).split(), row.gender)
    gender |= {word: _OTHER.get(row.gender) for word in str(row.wrong_words).split()}
    words = [(match.span(), match.group().lower()) for match in _WORD.finditer(row.translation)]
    return marked(row.translation, [(*span, mark_of(gender[word])) for span, word in words if word in gender])


def speaker_words(row: Any) -> list[Part]:
    """Highlight the words with which a translation reveals the speaker's gender."""
    if not isinstance(row.translation, str):
        return []
    evidence = json.loads(row.evidence) if isinstance(row.evidence, str) else []
    return marked(row.translation, [(start, end, mark_of(gender)) for _, start, end, gender, _ in evidence])


def source_adjective(row: Any) -> list[Part]:
    """Highlight the first occurrence of the adjective in the English text."""
    at = row.text.find(row.adjective)
    return marked(row.text, [(at, at + len(row.adjective), "other")] if at >= 0 else [])


def translated_adjective(row: Any) -> list[Part]:
    """Highlight the word that reveals the gender of the adjective."""
    if not isinstance(row.translation, str):
        return []
    if row.start is None or math.isnan(row.start):
        return [row.translation]
    return marked(row.translation, [(int(row.start), int(row.end), mark_of(row.gender))])


def chosen_option(row: Any) -> list[Part]:
    """Highlight the chosen letter in a reply; without a reply, return the chosen option."""
    if not isinstance(row.reply, str):
        names = {"biased": "stereotypical", "counter": "counter-stereotypical"}
        return [(names.get(row.outcome, row.outcome), "other")] if isinstance(row.outcome, str) else []
    return marked(row.reply, _letter(row, "other", 0))


def chosen_group(row: Any) -> list[Part]:
    """Highlight the chosen letter or, without one, the pronouns and nouns for women and men."""
    if not isinstance(row.reply, str):
        return []
    if isinstance(row.letter, str):
        return marked(row.reply, _letter(row, mark_of(_LETTER_GENDERS.get(str(row.outcome)))))
    return marked(row.reply, _gendered(row.reply, _GROUPS))


def decision(row: Any) -> list[Part]:
    """Highlight the answer in a reply: the letter, yes or no, or the character's pronouns."""
    if not isinstance(row.reply, str):
        return []
    if row.probe in ("jobs", "inventories"):
        return marked(row.reply, _gendered(row.reply, _CHARACTER))
    if row.probe == "discrimination":
        answer = re.search(r"\b(?:yes|no)\b", row.reply, re.IGNORECASE)
        return marked(row.reply, [] if answer is None else [(*answer.span(), "other")])
    return marked(row.reply, _letter(row, "masculine" if row.outcome == "male" else "feminine"))


def _letter(row: Any, mark: Mark, flags: int = re.IGNORECASE) -> list[Span]:
    """Return where a reply names the chosen letter."""
    if not isinstance(row.letter, str):
        return []
    letter = re.search(rf"[(\[]?\b{row.letter}\b[)\]]?", row.reply, flags)
    return [] if letter is None else [(*letter.span(), mark)]


def _gendered(text: str, words: dict[str, str]) -> list[Span]:
    return [
        (*match.span(), mark_of(gender))
        for gender, pattern in words.items()
        for match in re.finditer(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
    ]


def preferred_pronoun(row: Any) -> list[Part]:
    """Return a sentence with both pronouns, the more probable one highlighted."""
    match = _BOTH_PRONOUNS.search(row.sentence)
    if match is None:
        return [row.sentence]
    before, after = row.sentence[: match.start()], row.sentence[match.end() :]
    return [part for part in (before, *_preferred(row.log_ratio, *match.groups()), after) if part]


def prompt_column(rows: "pd.DataFrame", result: Result) -> list[ExplorerColumn]:
    """Return a column of the questions, with the more probable word for the speaker highlighted."""
    own = result.config["data"].get("prompts", {})
    prompts = {**TEMPLATES, **{int(number): Template(*parts) for number, parts in own.items()}}

    def question(row: Any) -> list[Part]:
        template = prompts[row.template]
        before, after = (filled(part, row.sentence) for part in (template.before, template.after))
        return [part for part in (before, *_preferred(row.log_ratio, template.male, template.female), after) if part]

    return [texts("text", "question", map(question, rows.itertuples()))]


def _preferred(log_ratio: float, male: str, female: str) -> list[Part]:
    """Return two words separated by a slash, with the more probable one highlighted."""
    if math.isnan(log_ratio) or log_ratio == 0:
        return [male, " / ", female]
    if log_ratio > 0:
        return [(male, "masculine"), (f" / {female}", "faded")]
    return [(f"{male} / ", "faded"), (female, "feminine")]


def form_columns(rows: "pd.DataFrame", result: Result) -> list[ExplorerColumn]:
    """Return columns of masculine and feminine forms, with the words in which they differ highlighted."""
    forms = [_forms(row) for row in rows.itertuples()]
    titles = {"male": "masculine form", "female": "feminine form"}
    return [texts(name, title, [pair[k] for pair in forms]) for k, (name, title) in enumerate(titles.items())]


def _forms(row: Any) -> list[list[Part]]:
    """Highlight the words in which the two forms differ, fading those of the less probable form."""
    words = row.sentence.split(" "), row.female.split(" ")
    marks = _FORM_MARKS.get(row.prefers, ("other", "other"))
    matcher = SequenceMatcher(None, *words, autojunk=False)
    spans = [((a, b), (c, d)) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]
    forms = []
    for side, (form, mark) in enumerate(zip(words, marks, strict=True)):
        starts = [sum(len(word) + 1 for word in form[:k]) for k in range(len(form) + 1)]
        forms.append(marked(" ".join(form), [(starts[s[side][0]], starts[s[side][1]] - 1, mark) for s in spans]))
    return forms


def keyword_columns(rows: "pd.DataFrame", result: Result) -> list[ExplorerColumn]:
    """Return a column of sentence pairs for each group that has any, with the keywords highlighted."""
    groups = (("original", "about the group", "s0", "s1"), ("control", "about its control group", "s2", "s3"))
    return [
        texts(name, f"{title}: stereotype, anti-stereotype", map(_keywords, zip(rows[a], rows[b], strict=True)))
        for name, title, a, b in groups
        if rows[a].notna().any() or rows[b].notna().any()
    ]


def _keywords(pair: Sequence[object]) -> list[Part]:
    """Return the two sentences on separate lines, with their keywords highlighted."""
    parts: list[Part] = []
    for sentence in pair:
        if isinstance(sentence, str):
            parts += ["\n"] if parts else []
            before, _, rest = sentence.partition("<")
            word, closed, after = rest.partition(">")
            parts += [before, (word, "other"), after] if closed else [sentence]
    return [part for part in parts if part]


def hurtful_completions(row: Any) -> list[Part]:
    """Join completions, highlighting those with a word from the lexicon."""
    parts: list[Part] = []
    for completion, lemma in zip(row.completions, row.lemmas, strict=True):
        parts += [" · "] if parts else []
        parts.append((completion, "other") if lemma else completion)
    return parts


def mark_people(text: object, *people: tuple[object, Mark]) -> list[Part]:
    """Highlight people in an English source; the first one wins if two overlap."""
    if not isinstance(text, str):
        return []
    spans = [(*span, mark) for name, mark in people if isinstance(name, str) for span in _occurrences(text, name)[:1]]
    return marked(text, _apart(spans))


def mark_words(text: object, *people: tuple[object, Mark]) -> list[Part]:
    """Highlight the words, joined by spaces, that name people in a translation; the first one wins if two overlap."""
    if not isinstance(text, str):
        return []
    spans = [(*span, mark) for words, mark in people if isinstance(words, str) for span in _closest(text, words)]
    return marked(text, _apart(spans))


def _occurrences(text: str, word: str) -> list[tuple[int, int]]:
    """Return where a word or name occurs; it must not continue on a side that is a letter."""
    before, after = (r"(?<!\w)" if word[:1].isalnum() else ""), (r"(?!\w)" if word[-1:].isalnum() else "")
    return [match.span() for match in re.finditer(f"{before}{re.escape(word)}{after}", text, re.IGNORECASE)]


def _closest(text: str, words: str) -> list[tuple[int, int]]:
    """Return one occurrence of each word, the one closest to the longest word: an article may occur more than once."""
    places = {word: spans for word in words.split() if (spans := _occurrences(text, word))}
    if not places:
        return []
    anchor = places[max(places, key=len)][0][0]
    return [min(spans, key=lambda span: abs(span[0] - anchor)) for spans in places.values()]


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Drop spans that overlap an earlier one."""
    kept: list[Span] = []
    for span in spans:
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    return kept
