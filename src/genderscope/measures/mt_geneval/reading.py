"""How the gender of a translation is read: by the words that only one of the two references holds.

The words are those of the released metric: lower-cased, ASCII punctuation turned into spaces, split at white space. It
finds an output wrong if it holds a word of the wrong reference only, and everything else right, an empty line too. Here
an output is right only if it holds a word of the right reference; one without either shows no gender and is not read.
"""

import re
import string
from dataclasses import dataclass

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation, " "))
#: where a sentence ends, in the scripts of the eight languages
_END = re.compile(r"(?<=[.!?…।؟۔])[\"'”’»)\]]*\s+(?=\S)")

NO_WORD = "no gendered word"
SAME_WORDS = "the references do not differ in a word"
NOT_APART = "the sentence could not be told from its context"


@dataclass(frozen=True, slots=True)
class Reading:
    """Which words of an output only the right reference holds, and which only the wrong one."""

    right: frozenset[str]
    wrong: frozenset[str]
    #: whether the references differ in a word at all
    comparable: bool

    @property
    def mixed(self) -> bool:
        """Whether it holds words of both; it then counts as wrong, as in the released metric."""
        return bool(self.right and self.wrong)

    @property
    def verdict(self) -> str | None:
        """Right, wrong, or None where no word tells."""
        return "wrong" if self.wrong else "right" if self.right else None

    @property
    def unread(self) -> str | None:
        """Why there is no verdict."""
        if self.verdict is not None:
            return None
        return NO_WORD if self.comparable else SAME_WORDS


def words(text: str) -> frozenset[str]:
    """Return the words of a text as the released metric takes them."""
    return frozenset(text.lower().translate(_PUNCTUATION).split())


def read(output: str, reference: str, flipped: str) -> Reading:
    """Read an output."""
    said, right, wrong = words(output), words(reference), words(flipped)
    return Reading(said & (right - wrong), said & (wrong - right), right != wrong)


def sentence_of(output: str, source: str, sentence: str) -> str | None:
    """Return the part of an output that translates the sentence, which is the last of the source; None if unclear.

    The context's translation must not be read: it holds articles and pronouns of its own. The output has to have as
    many sentences as the source, or no more than the sentence alone, as from a system that translates only that.
    """
    last = len(_split(sentence))
    before = source.strip().removesuffix(sentence.strip())
    parts = _split(output)
    if len(parts) <= last:
        return output
    return " ".join(parts[-last:]) if len(parts) == last + len(_split(before)) else None


def _split(text: str) -> list[str]:
    return _END.split(text.strip()) if text.strip() else []
