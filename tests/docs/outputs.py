"""What a page shows of a command's output, compared with what the command prints.

A block marked `text` is the output of the commands just above it, or of the command that a comment above it names. It
holds whole lines, in order; the widths of columns do not count. A line that is only `…` stands for any lines left out,
`…` within a line for any part of it. What cannot be compared says why in a comment, and a test counts those.
"""

import re

#: bars that a table draws; they move when the last digit does
_BARS = re.compile(r"[─●│┼├┤]+")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
LEFT_OUT = "…"


def missing_line(shown: str, printed: str, *, by_a_model: bool) -> str | None:
    """Return the first line of a page's block that the output does not have at its place, or None if it has all.

    The last digit of a decimal may differ by one where a model computed it: matrix products depend on the machine.
    """
    lines = _lines(printed)
    wanted = _lines(shown)
    starts = [0] if wanted[:1] == [LEFT_OUT] else range(len(lines) + 1)
    missing = [_first_missing(wanted, lines, start, by_a_model) for start in starts]
    if None in missing:
        return None
    return max(missing, key=lambda found: found[0])[1]


def _first_missing(wanted: list[str], lines: list[str], at: int, by_a_model: bool) -> tuple[int, str] | None:
    free = False  # whether lines may be left out here
    for number, line in enumerate(wanted):
        if line == LEFT_OUT:
            free = True
            continue
        last = len(lines) if free else at + 1
        found = next((k for k in range(at, min(last, len(lines))) if _same(line, lines[k], by_a_model)), None)
        if found is None:
            return number, line
        at, free = found + 1, False
    return None


def _lines(text: str) -> list[str]:
    return [line for line in (" ".join(_BARS.sub(" ", raw).split()) for raw in text.splitlines()) if line]


def _same(shown: str, printed: str, by_a_model: bool) -> bool:
    parts = (_NUMBER.sub("\0", part) for part in shown.split(LEFT_OUT))
    pattern = ".*".join(re.escape(part).replace("\0", f"({_NUMBER.pattern})") for part in parts)
    match = re.fullmatch(pattern, printed)
    promised = _NUMBER.findall(shown.replace(LEFT_OUT, " "))
    return match is not None and all(map(_near if by_a_model else str.__eq__, promised, match.groups()))


def _near(promised: str, printed: str) -> bool:
    digits = [number.partition("e")[0].partition(".")[2] for number in (promised, printed)]
    if not digits[0] or len(digits[0]) != len(digits[1]) or promised.partition("e")[2] != printed.partition("e")[2]:
        return promised == printed
    mantissas = [float(number.partition("e")[0].replace(",", "")) for number in (promised, printed)]
    return abs(mantissas[0] - mantissas[1]) < 1.5 * 10 ** -len(digits[0])
