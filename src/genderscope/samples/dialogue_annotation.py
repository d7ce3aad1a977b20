"""Annotation of English passages: the referent of each adjective, and the speakers' genders."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from genderscope.grammar.adjectives import Predication, predications

KnownGender = Literal["M", "F"]
Subset = Literal["stereo_manner", "stereo_character", "structure"]


class DialogueFormatError(ValueError):
    """Raised for a passage that matches none of the suite's templates."""


@dataclass(frozen=True, slots=True)
class AdjectiveTraits:
    """An adjective's traits according to the suite's authors; None if missing or contradictory."""

    kind: str | None = None
    sentiment: str | None = None
    stereotype: str | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Traits and stereotypes ("M", "F", "neither") by word."""

    adjectives: Mapping[str, AdjectiveTraits]
    adverbs: Mapping[str, str]
    occupations: Mapping[str, str]

    def traits(self, adjective: str) -> AdjectiveTraits:
        """Return an adjective's traits, ignoring hyphens; empty if it is not in the vocabulary."""
        return self.adjectives.get(vocabulary_key(adjective), AdjectiveTraits())


def vocabulary_key(adjective: str) -> str:
    """Return an adjective's entry in a vocabulary, which ignores hyphens."""
    return adjective.replace("-", "").strip().lower()


@dataclass(frozen=True, slots=True)
class Character:
    """One of the two speakers, with occupation and gender if stated."""

    adjective: str | None = None
    occupation: str | None = None
    stereotype: str | None = None
    gender: KnownGender | None = None
    gender_known_at: int | None = None


@dataclass(frozen=True, slots=True)
class AdjectiveInstance:
    """One adjective in a passage and the person it describes.

    `who` is the referent, and `speaker` states which of the two speakers that is; `other` is the other speaker.
    `look_ahead` is true if the referent's gender is revealed only after the adjective.
    """

    adjective: str
    referent: Literal["I", "you"]
    negated: bool
    position: int
    utterance: int
    subset: Subset
    template: int
    who: Character
    other: Character | None
    speaker: Literal["first", "second"]
    look_ahead: bool
    adverb: str | None
    adverb_stereotype: str | None
    traits: AdjectiveTraits

    @property
    def gender(self) -> KnownGender | None:
        """The referent's gender; None if the passage does not determine it."""
        return self.who.gender

    @property
    def determined(self) -> bool:
        """Whether the passage determines the referent's gender."""
        return self.who.gender is not None

    @property
    def other_gender(self) -> KnownGender | None:
        """The other speaker's gender; None if unknown."""
        return self.other.gender if self.other else None

    @property
    def equality(self) -> Literal["one", "same", "opposite"] | None:
        """Whether only one gender is known, or whether the two are the same or opposite; None if neither is known."""
        if self.gender and self.other_gender:
            return "same" if self.gender == self.other_gender else "opposite"
        return "one" if self.gender or self.other_gender else None

    @property
    def stereotype(self) -> str | None:
        """The stereotype associated with the referent through the adverb or the occupation."""
        return self.adverb_stereotype or self.who.stereotype


@dataclass(frozen=True, slots=True)
class Source:
    """A passage to translate, with its adjectives in text order."""

    text: str
    instances: tuple[AdjectiveInstance, ...]

    @property
    def adjective(self) -> str | None:
        """The first adjective; None if the passage has none."""
        return self.instances[0].adjective if self.instances else None


_NAME = r"(?:I|[Hh]e|[Ss]he|[Tt]hey|[Tt]he [\w-]+(?: [\w-]+)*?)"
_ALONE = re.compile(r'^"[^"]+," I said(?: (?P<adverb>\w+))? ?\.$')
_TOLD = re.compile(rf'^(?P<first>{_NAME}) smiled\. "[^"]+," (?P<said>\w+) said to (?P<second>{_NAME})\.$')
_ANSWERED = re.compile(
    rf'^(?P<first>{_NAME}) smiled\. "[^"]+," (?P<said>\w+) said\. '
    rf'(?P<second>{_NAME}) laughed back\. "[^"]+," (?P<replied>\w+) replied\.$'
)
_GENDER_WORDS: dict[str, KnownGender] = {"he": "M", "the man": "M", "she": "F", "the woman": "F"}


@dataclass(frozen=True, slots=True)
class _Scene:
    """A passage's template, speakers and adverb; `answer_starts` is the offset of the second turn."""

    template: int
    first: Character
    second: Character | None
    adverb: str | None
    answer_starts: int


def derive(text: str, vocabulary: Vocabulary) -> Source:
    """Derive a passage's annotations from its text alone."""
    scene = _scene(text, vocabulary)
    asked = enumerate(predications(text))
    return Source(text, tuple(_instance(position, one, scene, vocabulary) for position, one in asked))


def _scene(text: str, vocabulary: Vocabulary) -> _Scene:
    if match := _ALONE.match(text):
        return _Scene(2 if match["adverb"] else 1, Character(), None, match["adverb"], len(text))
    if match := _TOLD.match(text):
        first = _character(match, "first", "said", vocabulary)
        return _Scene(3, first, _character(match, "second", None, vocabulary), None, len(text))
    if match := _ANSWERED.match(text):
        first = _character(match, "first", "said", vocabulary)
        second = _character(match, "second", "replied", vocabulary)
        template = 4 if first.occupation else _structure_template(text, first, second)
        return _Scene(template, first, second, None, match.start("second"))
    raise DialogueFormatError(f"The passage does not match any template of the dialogue suite: {text!r}.")


def _character(match: re.Match[str], name_group: str, pronoun_group: str | None, vocabulary: Vocabulary) -> Character:
    """Return a speaker, whose gender is given by the name or by the pronoun before the reporting verb."""
    name = match[name_group]
    for group in (name_group, pronoun_group):
        if group and (gender := _GENDER_WORDS.get(match[group].lower())):
            known_at = match.start(group)
            break
    else:
        gender, known_at = None, None
    adjective, _, occupation = name.removeprefix("The ").removeprefix("the ").partition(" ")
    if not occupation:
        return Character(gender=gender, gender_known_at=known_at)
    return Character(adjective, occupation, vocabulary.occupations.get(occupation), gender, known_at)


def _structure_template(text: str, first: Character, second: Character) -> int:
    """Return the template, inferred from published counts; 7-9 pair adjectives, and 6 and 7 reveal both genders."""
    two_at_once = " and you're " in text
    if first.gender and second.gender:
        return 7 if two_at_once else 6
    if not two_at_once:
        return 5
    return 8 if first.gender else 9


_SUBSETS: dict[int, Subset] = {1: "stereo_manner", 2: "stereo_manner", 3: "stereo_character", 4: "stereo_character"}


def _instance(position: int, asked: Predication, scene: _Scene, vocabulary: Vocabulary) -> AdjectiveInstance:
    answering = asked.start > scene.answer_starts
    about_first = (asked.referent == "I") != answering
    who, other = (scene.first, scene.second) if about_first else (scene.second or Character(), scene.first)
    return AdjectiveInstance(
        adjective=asked.adjective,
        referent="I" if asked.referent == "I" else "you",
        negated=asked.negated,
        position=position,
        utterance=2 if answering else 1,
        subset=_SUBSETS.get(scene.template, "structure"),
        template=scene.template,
        who=who,
        other=other,
        speaker="first" if about_first else "second",
        look_ahead=who.gender_known_at is not None and who.gender_known_at > asked.start,
        adverb=scene.adverb,
        adverb_stereotype=vocabulary.adverbs.get(scene.adverb) if scene.adverb else None,
        traits=vocabulary.traits(asked.adjective),
    )
