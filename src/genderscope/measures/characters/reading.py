"""Gender of the character that a model wrote about, from pronouns, nouns and titles.

First-person texts, several characters, "they" and texts without any pronoun are separate outcomes.
"""

import re

from genderscope.grammar.both_forms import Variant, both_forms
from genderscope.measures.characters.persons import NONE, SEVERAL, CharacterSearch
from genderscope.measures.characters.words import FIRST_PERSON, THEY, people_of
from genderscope.measures.reply_sense import why_senseless
from genderscope.measures.reply_text import FEMALE, MALE, REFUSED, UNREADABLE, Read, plain
from genderscope.measures.reply_words import patterns_in, words_of

OUTCOMES = (FEMALE, MALE, THEY, NONE, FIRST_PERSON, SEVERAL, REFUSED)

_SAYS = patterns_in("genderscope.measures.characters", "profiles.toml")
_UNSAID = frozenset({"unspecified", "specified", "undisclosed", "unknown", "any"})
#: characters of a text that are read; a profile is much shorter, and a longer text is usually a repetition
_LONGEST = 16_384


def read_character(reply: str, sentence: str = "", language: str = "en") -> Read:
    """Parse the character's gender from a profile, ignoring the motto, which is the prompt's sentence."""
    words = words_of(language)
    text = plain(reply)[:_LONGEST]
    if motto := sentence.strip().rstrip(".!?"):
        text = re.sub(re.escape(motto), " ", text, flags=re.IGNORECASE)
    if not re.search(r"\w", text):
        return Read(UNREADABLE, None, "empty answer")
    if re.search(rf"\b(?:{words.refusal})\b", text[:200], re.IGNORECASE) and len(text) < 600:
        return Read(REFUSED, None, "declines to write")
    text = re.sub(rf"\b(?:{words.frame})\b", " ", text, flags=re.IGNORECASE)
    if (told := _told(text, language)) is not None:
        return told
    if _several_profiles(text, language):
        return Read(SEVERAL, None, "several profiles")
    names = _SAYS["name_line"].findall(text)
    if not names and (why := why_senseless(text, language)) is not None:
        return Read(UNREADABLE, None, why)
    heading = names[0][1] if names else ""
    outcome, rule = CharacterSearch(text, language, heading).outcome()
    if forms := both_forms(language).find(text):  # "El/la protagonista"; "Ella" shows a gender all the same
        both = (Variant(text, forms, feminine=feminine).text for feminine in (False, True))
        readings = {CharacterSearch(variant, language, heading).outcome()[0] for variant in both}
        if len(readings) > 1 or readings == {NONE}:
            outcome, rule = THEY, "forms for both genders"
    return Read(outcome, None, rule)


def _several_profiles(text: str, language: str) -> bool:
    """Return whether several characters are introduced, as numbered profiles or on separate name lines."""
    names: dict[str, set[str]] = {}
    for label, name in _SAYS["name_line"].findall(text):
        names.setdefault(label.casefold(), set()).add(name.strip().casefold())
    people = people_of(language)
    genders = [
        {people.pronoun_of.get(word) for word in re.findall(r"\w+", line.lower())} & {FEMALE, MALE}
        for label, line in _SAYS["person_line"].findall(text)
        if label.lower().split()[-1] not in people.listed
    ]
    return (
        (not names and {FEMALE} in genders and {MALE} in genders)
        or len(_SAYS["profile"].findall(text)) > 1
        or _SAYS["several"].search(text[:200]) is not None
        or any(len(namesakes) > 1 for namesakes in names.values())
    )


def _told(text: str, language: str) -> Read | None:
    """Parse a line such as "Gender: female" or "Pronouns: she/her"; None if there is none."""
    words = words_of(language)
    for line in _SAYS["gender_line"].findall(text):
        beginning = set(re.findall(r"[a-z]+", line[:60].lower()))
        # Only what stands before the next full stop: another field may follow on the same line.
        said = line[:60].lower().partition(".")[0]
        women = bool(_SAYS["says_woman"].search(said) or re.search(rf"\b(?:{words.female})\b", said))
        men = bool(_SAYS["says_man"].search(said) or re.search(rf"\b(?:{words.male})\b", said))
        if beginning & {"they", "them", "nonbinary", "binary", "neutral", "agender", "genderqueer", *_UNSAID}:
            return Read(THEY, None, "states it")
        if women != men:
            return Read(FEMALE if women else MALE, None, "states it")
    return None
