"""CrowS-Pairs in English, Dutch and French: pairs with the same numbers in all three languages.

`sent_more` is the more stereotypical sentence in every row. The column `stereo_antistereo` is not used: it says which
group the sentence is about, and from pair 217 on, the Dutch file has it in the wrong rows.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from genderscope.samples import fetch
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.wordfill.matched_controls import NumberedPair, couples
from genderscope.samples.wordfill.quadruplet import Quadruplet, Sentence, WordFillSet, checksum

PARALLEL, MATCHED = "parallel", "matched"
#: encoding of the Dutch files; decoding them as Latin-1 also succeeds, but garbles all accents and apostrophes
MACINTOSH = "mac-roman"
#: an accented letter's two UTF-8 bytes (C3 to C5, then 80 to BF), read as Mac Roman
GARBLED = re.compile(f"[√ƒ≈][{re.escape(bytes(range(0x80, 0xC0)).decode(MACINTOSH))}]")


class LanguageFile(NamedTuple):
    """A language's file and its encoding."""

    path: str
    encoding: str


FILES = {
    "en": LanguageFile("crows-nl-fr/crows_eng.csv", "utf-8"),
    "nl": LanguageFile("crows-nl-fr/crows_dutch.csv", MACINTOSH),
    "fr": LanguageFile("crows-nl-fr/crows_french.csv", "utf-8"),
}


@cached
def load(name: str, languages: Iterable[str], bias_types: Iterable[str]) -> WordFillSet:
    """Load the parallel pairs in these languages, or the matched ones, which have control pairs."""
    dropped: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    samples: list[Quadruplet] = []
    contents = []
    for language in languages:
        content = fetch.read(dataset("crows-nl-fr").file(FILES[language].path))
        contents.append(content)
        pairs = list(_pairs(content, FILES[language].encoding, frozenset(bias_types), dropped, mended))
        if name == PARALLEL:
            samples += [_sample(pair, language) for pair in pairs]
        else:
            samples += [_sample(men, language, women) for men, women in couples(pairs, language, dropped)]
    return WordFillSet(
        f"crows-{name}-{'+'.join(languages)}", checksum(*contents), tuple(samples), dict(dropped), dict(+mended)
    )


def _sample(pair: NumberedPair, language: str, other: NumberedPair | None = None) -> Quadruplet:
    """Return a pair as a sample; its control pair `other` has the opposite stereotype, so its sentences are swapped."""
    s1, s3 = (None, None) if other is None else (Sentence(other.less), Sentence(other.more))
    sentences = Sentence(pair.more), s1, Sentence(pair.less), s3
    return Quadruplet(pair.number, pair.number, pair.subset, *sentences, language=language)


def _pairs(
    content: bytes, encoding: str, wanted: frozenset[str], dropped: Counter[str], mended: Counter[str]
) -> Iterator[NumberedPair]:
    for row in csv.DictReader(io.StringIO(content.decode(encoding), newline=""), restkey="more cells"):
        if None in row.values() or "more cells" in row:
            dropped["its row has the wrong number of cells"] += 1
        elif row["bias_type"].strip().lower() in wanted:
            more, less = _mended(row, mended)
            if not more or not less:
                dropped["a sentence is empty"] += 1
            elif more == less:
                dropped["its two sentences are the same"] += 1
            else:
                yield NumberedPair(int(row["id"]), row["bias_type"].strip().lower(), more, less)


def _mended(row: dict[str, str], mended: Counter[str]) -> tuple[str, str]:
    """Return a pair's sentences with garbled letters, spaces and unequal apostrophes corrected and counted."""
    raw = row["sent_more"], row["sent_less"]
    restored = _restored(raw[0]), _restored(raw[1])
    mended["garbled letters were restored"] += restored != raw
    more, less = (re.sub(r"[ \t\r\n]+", " ", sentence).strip() for sentence in restored)
    mended["spaces or line breaks were removed"] += (more, less) != restored
    plain = more.replace("’", "'"), less.replace("’", "'")
    if _shared(*plain) > _shared(more, less):
        mended["an apostrophe was written alike in both sentences"] += 1
        return plain
    return more, less


def _restored(text: str) -> str:
    """Restore accented letters whose UTF-8 bytes were read as Mac Roman: "√©" becomes "é"."""
    return GARBLED.sub(lambda found: found[0].encode(MACINTOSH).decode("utf-8"), text)


def _shared(first: str, second: str) -> int:
    """Return the number of words that two sentences share."""
    return (Counter(first.split()) & Counter(second.split())).total()
