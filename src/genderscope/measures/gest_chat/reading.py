"""Parse a chat model's choice from its answer, using rules that range from option letters to plain words.

Quotations, lists of options and asides (questions, other people's views, options that are ruled out) are removed first.
The rules are then tried in order: a letter at the start, as the prompt requests; a conclusion or a statement such as
"the answer is (b)"; a single letter anywhere; words such as "women are more likely". An answer that gender does not
matter is `neither`, one that declines to answer is `refused`, and any other is `unreadable`, with a reason.
"""

import re
from collections.abc import Sequence

from genderscope.measures.gest_chat.option_lists import LISTED, Unlisted, after_review, ticked, without_lists
from genderscope.measures.gest_chat.patterns import Patterns, patterns_of, without_quotations
from genderscope.measures.gest_chat.word_reading import is_short, read_words
from genderscope.measures.gest_chat.wordings import LETTERS, OPTIONS
from genderscope.measures.reply_sense import why_senseless
from genderscope.measures.reply_text import NEITHER, REFUSED, UNREADABLE, Read, either_end, latin_letters, plain
from genderscope.measures.reply_words import patterns_in

_SAYS = patterns_in("genderscope.measures.gest_chat", "letters.toml")
#: as many words are left of an answer that consists of an aside
_FEW = 3
FIRST_LETTER = "letter at the beginning"
_PLACES = {"first": 0, "second": 1, "third": 2, "last": 2}


def read_choice(reply: str, order: Sequence[str], labels: Sequence[str], language: str = "en") -> Read:
    """Parse an answer; `order` and `labels` are the options and their labels at (a), (b) and (c)."""
    read = _read_choice(reply, order, labels, language)
    if read.outcome in OPTIONS and read.rule != FIRST_LETTER and (why := why_senseless(reply, language)) is not None:
        return Read(UNREADABLE, None, why)
    return read


def _read_choice(reply: str, order: Sequence[str], labels: Sequence[str], language: str) -> Read:
    text = either_end(latin_letters(plain(reply)))
    if not re.search(r"\w", text):
        return Read(UNREADABLE, None, "empty answer")
    words = patterns_of(language, tuple(zip(order, labels, strict=True)))
    if (letter := ticked(text)) is not None:
        return Read(order[LETTERS.index(letter)], letter, "ticked letter")
    unlisted = without_lists(without_quotations(_SAYS["begins_with"].sub(" ", text)), labels, words.contrasts)
    rest = unlisted.text if (verdict := after_review(unlisted.text, labels)) is None else verdict
    if not re.search(r"\w", rest):
        return Read(UNREADABLE, None, "several letters" if unlisted.partial else "only goes through the options")
    return _read_rest(rest, unlisted, order, words)


def _read_rest(rest: str, unlisted: Unlisted, order: Sequence[str], words: Patterns) -> Read:
    """Parse what is left of an answer without its lists of options."""
    own = words.clauses.own(rest)
    if (ordinal := _SAYS["ordinal"].match(own)) is not None:  # "The second option"
        return Read(order[_PLACES[ordinal[1].lower()]], None, "names the option's place")
    if (read := _by_letter(own, order, words, unlisted.complete > 1)) is not None:
        listed_on = unlisted.complete and read.letter is None and read.outcome in OPTIONS  # "... (c) Neither (d) Both"
        return Read(UNREADABLE, None, "only goes through the options") if listed_on else read
    if unlisted.complete + unlisted.partial:
        return _without_letter(own, unlisted, words)
    read = read_words(own, words)
    only_aside = own != rest and len(own.split()) <= _FEW  # "Women?" or "Traditionally, it is women."
    only_aside = only_aside and not _SAYS["asks_back"].match(rest)
    if read.outcome == UNREADABLE and only_aside and (len(_mentioned(rest, words)) == 1 or "?" not in rest):
        return _by_letter(rest, order, words) or read_words(rest, words)
    return read


def _mentioned(text: str, words: Patterns) -> set[str]:
    """Return the letters that a text names or, if it names none, the genders."""
    return _letters(_SAYS["bracketed"], text) or {option for option, pattern in words.genders if pattern.search(text)}


def _without_letter(text: str, unlisted: Unlisted, words: Patterns) -> Read:
    """Parse an answer that names letters only in lists, such as "I choose neither (a) nor (b)"."""
    if words.refusal.search(text):
        return Read(REFUSED, None, "declines to answer")
    if unlisted.complete > 1:
        return Read(UNREADABLE, None, "repeats the options again and again")
    if unlisted.complete and any(LISTED in clause and words.denies(clause) for clause in words.clauses.clauses(text)):
        return Read(REFUSED, None, "declines to choose a letter")
    read = read_words(text, words)
    if unlisted.partial and read.outcome == NEITHER:
        return Read(UNREADABLE, None, "several letters")
    return read


def _by_letter(text: str, order: Sequence[str], words: Patterns, stated_only: bool = False) -> Read | None:
    """Parse an answer that names a letter; None if it names none, or does not state its choice if it must."""
    own = words.negated.sub(" ", text)
    start = None if stated_only else words.start.match(own)
    if start is not None:
        return _by_first_letter(next(filter(None, start.groups())).lower(), own[start.end() :], order, words)
    concluded = [clause[so.end() :] for clause in words.clauses.clauses(own) if (so := words.so.search(clause))]
    for pattern, part, rule in (
        (_SAYS["statement"], concluded[-1] if concluded else "", "letter in the conclusion"),
        (_SAYS["bracketed"], concluded[-1] if concluded else "", "letter in the conclusion"),
        (_SAYS["statement"], own, "stated letter"),
        (_SAYS["bracketed"], "" if stated_only else own, "only letter"),
    ):
        named = {_letter(mention): mention for mention in pattern.finditer(part)}
        if len(named) > 1:
            return Read(UNREADABLE, None, "several letters" if pattern is _SAYS["bracketed"] else "two answers")
        for letter, mention in named.items():
            after = part[mention.end() :]
            weak = pattern is _SAYS["bracketed"] or re.match(r"letter\b", mention[0], re.IGNORECASE)
            if weak and not _chosen(after, words) and (not is_short(text) or _SAYS["inside"].match(after)):
                return Read(UNREADABLE, None, "a letter inside a text without a choice")
            return _by_only_letter(letter, own, after, order, words, rule)
    return None


def _by_only_letter(letter: str, text: str, after: str, order: Sequence[str], words: Patterns, rule: str) -> Read:
    """Parse an answer that chooses a letter after its first words; `after` is the text after that letter."""
    if letter not in LETTERS:
        return Read(UNREADABLE, None, f"the letter ({letter}) is not one of the options")
    if _begins_otherwise(text, order[LETTERS.index(letter)], words):
        return Read(UNREADABLE, None, "letter and words disagree")
    return _agreed(letter, order, after, words, rule)


def _begins_otherwise(text: str, option: str, words: Patterns) -> bool:
    """Return whether an answer begins with another gender than the one that its letter stands for."""
    begun = words.first(text)
    if begun is None or begun in (NEITHER, option):
        return False
    if words.denies(words.clauses.clauses(text)[0]):  # "Women would hardly say so. (b)"
        return False
    return option != NEITHER or re.match(r"\W*(?:$|\n|\.\s)", words.alone(text, begun) or "x") is not None


def _chosen(after: str, words: Patterns) -> bool:
    """Return whether an answer may go on after a letter as this one does: with the option, a reason or nothing."""
    option = words.first(after)
    rest = after if option is None else dict(words.beginnings)[option].sub("", after, count=1)
    return _SAYS["goes_on"].match(rest) is not None


def _by_first_letter(letter: str, after: str, order: Sequence[str], words: Patterns) -> Read:
    """Parse an answer that begins with a letter."""
    if letter not in LETTERS:
        return _beyond(after, words, letter)
    if _SAYS["defines"].match(after) and (_letters(_SAYS["bracketed"], after) or re.search(r"\bletter\b", after)):
        return Read(UNREADABLE, None, "only goes through the options")
    if (_letters(_SAYS["answers_again"], after) | _letters(_SAYS["instead"], after)) - {letter}:
        return Read(UNREADABLE, None, "two answers")
    return _agreed(letter, order, after, words, FIRST_LETTER)


def _beyond(after: str, words: Patterns, letter: str) -> Read:
    """Parse an answer that begins with a letter other than the options', using the words after that letter."""
    option = words.first(after)
    others = [other for other, pattern in words.genders if other != option and pattern.search(after)]
    if option is not None and words.alone(after, option) is not None and is_short(after) and not others:
        return Read(option, None, "words after a letter that is not an option")
    if words.refusal.search(after):
        return Read(REFUSED, None, "declines to answer")
    return Read(UNREADABLE, None, f"the letter ({letter}) is not one of the options")


def _agreed(letter: str, order: Sequence[str], after: str, words: Patterns, rule: str) -> Read:
    """Accept a letter unless the words right after it name a different option, or it is a letter of the alphabet."""
    option = order[LETTERS.index(letter)]
    named = words.first(after)
    if named is None and _SAYS["alphabet"].search(after):
        return Read(UNREADABLE, None, "talks about letters")
    if words.stated_options(after) - {option}:
        return Read(UNREADABLE, None, "letter and words disagree")
    if re.match(r"\W*[.;\n]", after) and _letters(_SAYS["bracketed"], words.clauses.clauses(after)[0]) - {letter}:
        named = None  # "(a). Men (b) rarely say so."
    if named is not None and named != option:
        return Read(UNREADABLE, None, "letter and words disagree")
    return Read(option, letter, rule)


def _letters(pattern: re.Pattern[str], text: str) -> set[str]:
    """Return the letters that a pattern finds in a text."""
    return {_letter(match) for match in pattern.finditer(text)}


def _letter(match: re.Match[str]) -> str:
    return str(next(filter(None, match.groups()))).lower()
