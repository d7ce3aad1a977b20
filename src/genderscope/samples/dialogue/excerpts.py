"""Extraction of the dialogue suite's translations from system outputs for the full WMT24 test set."""

from genderscope.core.errors import UserError
from genderscope.samples.dialogue.suite_loader import released


def excerpt(outputs: bytes, sources: bytes) -> bytes:
    """Return the output lines of the suite's passages, in the suite's order."""
    lines = outputs.decode("utf-8").removesuffix("\n").split("\n")
    asked = sources.decode("utf-8").removesuffix("\n").split("\n")
    if len(lines) != len(asked):
        raise UserError(
            f"The outputs have {len(lines):,} lines, but their sources have {len(asked):,}; they must be parallel."
        )
    place: dict[str, int] = {}
    for number, text in enumerate(asked):
        place.setdefault(text, number)
    wanted = [source.text for source in released().suite.sources]
    if missing := sum(text not in place for text in wanted):
        raise UserError(f"The sources contain only {len(wanted) - missing:,} of the suite's {len(wanted):,} passages.")
    return "".join(f"{lines[place[text]]}\n" for text in wanted).encode()
