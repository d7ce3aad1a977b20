"""Names that models and files bring along, made harmless for terminals and text files."""

import unicodedata

#: marks that turn the direction of the text around them
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def harmless(text: object) -> str:
    """Write control characters and marks of direction as escapes, so that a name cannot steer a terminal."""
    return "".join(_escaped(c) if _steers(c) else c for c in str(text))


def _steers(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cs"} or unicodedata.bidirectional(character) in _TURNING


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
