"""Gender accuracy of a translation, from words that occur in only one of the two references.

Words are tokenised as in the released metric: lower-cased, ASCII punctuation replaced by spaces, split at white space.
The released metric counts an output as wrong if it contains a word exclusive to the wrong reference, and as right
otherwise, even if it is empty. Here, an output is right only if it contains a word exclusive to the right reference; an
output without either shows no gender and is unread.
"""

import re
import string
from dataclasses import dataclass

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation, " "))
#: sentence boundaries in the scripts of the eight languages
_END = re.compile(r"(?<=[.!?…।؟۔])[\"'”’»)\]]*\s+(?=\S)")

NO_WORD = "no gendered word"
SAME_WORDS = "the references do not differ in any word"
NOT_APART = "the sentence could not be separated from its context"


@dataclass(frozen=True, slots=True)
class ReferenceWords:
    """The words of an output that occur only in the right reference, or only in the wrong one."""

    right: frozenset[str]
    wrong: frozenset[str]
    #: whether the references differ in any word
    comparable: bool

    @property
    def mixed(self) -> bool:
        """Whether the output contains words of both, which counts as wrong, as in the released metric."""
        return bool(self.right and self.wrong)

    @property
    def verdict(self) -> str | None:
        """The result, "right" or "wrong", or None without a gendered word."""
        return "wrong" if self.wrong else "right" if self.right else None

    @property
    def unread(self) -> str | None:
        """The reason why there is no verdict, or None."""
        if self.verdict is not None:
            return None
        return NO_WORD if self.comparable else SAME_WORDS


def words(text: str) -> frozenset[str]:
    """Return the words of a text, tokenised as in the released metric."""
    return frozenset(text.lower().translate(_PUNCTUATION).split())


def read(output: str, reference: str, flipped: str) -> ReferenceWords:
    """Compare an output with both references."""
    said, right, wrong = words(output), words(reference), words(flipped)
    return ReferenceWords(said & (right - wrong), said & (wrong - right), right != wrong)


def sentence_of(output: str, source: str, sentence: str) -> str | None:
    """Return the part of an output that translates the sentence at the end of the source, or None if unclear.

    The translation of the context must be excluded, because it contains articles and pronouns of its own. The output
    must have as many sentences as the source, or no more than the sentence alone, as from a system that translates only
    that sentence.
    """
    last = len(_split(sentence))
    before = source.strip().removesuffix(sentence.strip())
    parts = _split(output)
    if len(parts) <= last:
        return output
    return " ".join(parts[-last:]) if len(parts) == last + len(_split(before)) else None


def _split(text: str) -> list[str]:
    return _END.split(text.strip()) if text.strip() else []
