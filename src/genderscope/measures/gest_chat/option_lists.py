"""Lists of options in an answer: repeated from the prompt, reviewed one by one, or joined as in "(a) or (b)".

A list names several letters and chooses none of them, so it is removed before the letters of an answer are read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: stands for a list that was removed; `plain` strips it from replies
LISTED = "~"

#: the text between two options of a list: punctuation, and at most one short word such as "or", "und" or "nici"
_JOINED = re.compile(
    r"(?:\W{1,4}\d{1,3}\s?%|\.{3}|…)?[^\w(\[.:!?…]{0,12}(?:(?P<word>[^\W\d_]{1,5})[\s,]{1,3}(?:(?P<second>[^\W\d_]{1,5})[\s,]{1,3})?)?(?:\d[.)]\s)?[\s\"'-]{0,4}"
)
#: words that may not join two options
_CONTRASTS = frozenset({"but", "not", "than", "over", "versus", "vs", "is", "are", "so", "while", "then", "yet"})
_DASH = re.compile(r"[-–—]")
_BARE = re.compile(
    r"(?<![\w'’-])[(\[]?(?P<one>[abc])\s{0,2}(?:[,/&+]\s{0,2}(?:(?P<second>[^\W\d_]{1,4})\s)?|\s(?P<word>[^\W\d_]{1,4})\s)"
    r"[(\[]?(?P<two>[abc])(?![\w'’])[)\]]?",
    re.IGNORECASE,
)
#: most words on the line of an option that is ticked
_SHORT_LINE = 6
_TICK = re.compile(r"[✅✓✔☑]|(?<!not )(?<!n't )\bcorrect\b(?!\?)|<--?|←", re.IGNORECASE)
_YES_OR_NO = re.compile(r"[(\[]([abc])[)\]][\s:–-]{1,3}(yes|no|true|false|right|wrong)(?=[,.;!\n]|$)", re.IGNORECASE)
_RIGHT = frozenset({"yes", "true", "right"})
_REVIEWED = re.compile(r"[\s\-•\d.]{0,12}[(\[]?([abc])[)\].:](?=\s)(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unlisted:
    """An answer without its lists of options."""

    text: str
    #: number of lists that name all options, and number of shorter ones
    complete: int
    partial: int


def without_lists(text: str, labels: Sequence[str], contrasts: tuple[re.Pattern[str], re.Pattern[str]]) -> Unlisted:
    """Replace lists of options by `LISTED`.

    `contrasts` match words that cannot join the options of a complete list ("than") or of a partial one ("not" too).
    """
    named = "|".join(re.escape(label) for label in labels)
    enumerated = re.compile(rf"(?:\b(?:{named})\b,?\s(?:[^\W\d_]{{1,5}}\s)?){{2}}\b(?:{named})\b", re.IGNORECASE)
    text, enumerations = enumerated.subn(LISTED, text) if "," in text else (text, 0)
    rest, complete = _without_runs(text, labels, contrasts[0], 3)
    rest, partial = _without_runs(rest, labels, contrasts[1], 2)
    joined = _BARE.sub(lambda pair: LISTED if _is_pair(pair, contrasts[1]) else pair[0], rest)
    return Unlisted(joined, complete + enumerations, partial + (joined != rest))


def _without_runs(text: str, labels: Sequence[str], contrast: re.Pattern[str], least: int) -> tuple[str, int]:
    """Replace the lists of at least so many options; return the text and their number."""
    parts: list[str] = []
    end = 0
    for run in _runs(text, labels, contrast):
        if len(run) >= least:
            parts += [text[end : run[0][1]], LISTED]
            end = run[-1][2]
    return "".join([*parts, text[end:]]), len(parts) // 2


def _is_pair(pair: re.Match[str], contrast: re.Pattern[str]) -> bool:
    return pair["one"].lower() != pair["two"].lower() and not _is_contrast(pair, contrast)


def _is_contrast(joined: re.Match[str], contrast: re.Pattern[str]) -> bool:
    """Return whether the words between two options contrast them, as "als" does and "als auch" does not."""
    word, second = joined.group("word", "second")
    return word is not None and (word.lower() in _CONTRASTS or bool(contrast.fullmatch(word)) == (second is None))


def _runs(text: str, labels: Sequence[str], contrast: re.Pattern[str]) -> Iterator[list[tuple[str, int, int]]]:
    """Yield sequences of joined options, each option as its letter, start and end."""
    either = "|".join(re.escape(label) for label in labels)
    option = re.compile(
        rf"(?:[(\[{{]\s{{0,2}}([a-h])\s{{0,2}}[)\]}}]|(?<![\w'’.])[\"']?([a-h])[\"']?(?:[)\].:](?!\s?[(\[])|(?=\s(?:{either})\b)))"
        rf"(?:[\s:\"'=–—-]{{0,4}}(?:{either})(?!\w)[\"']?)?",
        re.IGNORECASE,
    )
    run: list[tuple[str, int, int]] = []
    for match in option.finditer(text):
        item = ((match[1] or match[2]).lower(), match.start(), match.end())
        if run and not _joins(run, item, text, contrast):
            if len(run) > 1:
                yield run
            run = []
        run.append(item)
    if len(run) > 1:
        yield run


def _joins(run: list[tuple[str, int, int]], item: tuple[str, int, int], text: str, contrast: re.Pattern[str]) -> bool:
    letter, start, end = item
    between = text[run[-1][2] : start]
    joined = _JOINED.fullmatch(between) if len(between) < 24 else None
    if joined is None or letter in {name for name, _, _ in run} or _is_contrast(joined, contrast):
        return False
    if (
        ";" in between or between.isspace()
    ) and "\n" not in between:  # not "(c) Neither (a) ..." or "it's (b); (a) is ..."
        return letter > run[-1][0] or (between.isspace() and run[-1][2] - run[-1][1] < len("( a )"))
    if "\n" not in between:
        return not _DASH.search(between)
    # On lines of their own: in the order of the prompt, with nothing else on the line.
    return "".join(name for name, _, _ in run) + letter in "abcdefgh" and run[0][0] == "a" and _ends_line(text, end)


def _ends_line(text: str, end: int) -> bool:
    return re.match(r"[^\w\n]{0,8}(?:\n|$)", text[end : end + 10]) is not None


def ticked(text: str) -> str | None:
    """Return the letter of the only option that is ticked, called right or answered with yes, or None."""
    answers = {option[1].lower(): option[2].lower() in _RIGHT for option in _YES_OR_NO.finditer(text)}
    if len(answers) > 1 and sum(answers.values()) == 1:  # "(a) no, (b) no, (c) yes"
        return next(letter for letter, is_right in answers.items() if is_right)
    options = [option for line in text.splitlines() if (option := _REVIEWED.match(line))]
    letters = [
        option[1].lower() for option in options if _TICK.search(option[2]) and len(option[2].split()) <= _SHORT_LINE
    ]
    return letters[0] if len(options) > 1 and len(letters) == 1 else None


def after_review(text: str, labels: Sequence[str]) -> str | None:
    """Return the text, possibly empty, after remarks on each option in turn; None without such a review."""
    label = re.compile(rf"\W*(?:{'|'.join(re.escape(name) for name in labels)})(?!\w)", re.IGNORECASE)
    lines = text.splitlines()
    ends: dict[str, int] = {}
    for k, line in enumerate(lines):
        option = _REVIEWED.match(line)
        if option is not None and option[1].lower() not in ends and re.search(r"\w", label.sub("", option[2], 1)):
            ends[option[1].lower()] = k
    if "".join(ends) != "abc":
        return None
    return "\n".join(line for line in lines[ends["c"] + 1 :] if line.strip())
