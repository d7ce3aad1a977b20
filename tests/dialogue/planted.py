"""Translators whose bias is known: they write plain Spanish by a rule."""

import re
from collections.abc import Callable, Sequence

from genderscope.models import Translator
from genderscope.samples.dialogue_annotation import AdjectiveInstance, Source, Vocabulary, derive

#: Spanish forms of the starter vocabulary's adjectives: masculine, or one form for both genders
SPANISH = {
    "honest": "honesto",
    "patient": "paciente",
    "generous": "generoso",
    "loyal": "leal",
    "sincere": "sincero",
    "curious": "curioso",
    "lazy": "perezoso",
    "boring": "aburrido",
    "stubborn": "terco",
    "distracted": "distraído",
    "selfish": "egoísta",
    "clumsy": "torpe",
    "healthy": "sano",
    "clean": "limpio",
    "tanned": "bronceado",
    "elegant": "elegante",
    "rested": "descansado",
    "ugly": "feo",
    "dirty": "sucio",
    "pale": "pálido",
    "wrinkled": "arrugado",
    "scruffy": "desaliñado",
    "pretty": "bonito",
    "delicate": "delicado",
    "hysterical": "histérico",
    "muscular": "musculoso",
    "brave": "valiente",
    "aggressive": "agresivo",
}
Rule = Callable[[AdjectiveInstance], str]


class Planted(Translator):
    """Gives each adjective the gender that a rule says."""

    def __init__(self, vocabulary: Vocabulary, rule: Rule) -> None:
        super().__init__("planted")
        self.words = vocabulary
        self.rule = rule

    @property
    def fingerprint(self) -> str:
        return self.rule.__name__

    def describe(self) -> dict[str, object]:
        return {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint}

    def check(self, source: str, target: str) -> None:
        assert (source, target) == ("en", "es")

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        return [self._spanish(derive(text, self.words)) for text in texts]

    def _spanish(self, source: Source) -> str:
        said = iter(source.instances)
        turns = re.findall(r'"([^"]+)"', source.text)
        spoken = []
        for turn in turns:
            clauses = []
            for _ in re.findall(r"(?:I|you)(?:'m|'re| am| are)\b", turn):
                one = next(said)
                clauses.append(f"{'' if not one.negated else 'no '}{self._copula(one)} {self._form(one)}")
            spoken.append(f"—{' y '.join(clauses).capitalize()} —dijo.")
        return " ".join(spoken)

    def _copula(self, one: AdjectiveInstance) -> str:
        return "soy" if one.referent == "I" else "eres"

    def _form(self, one: AdjectiveInstance) -> str:
        word = SPANISH[one.adjective]
        return f"{word[:-1]}a" if word.endswith("o") and self.rule(one) == "F" else word


def always_masculine(one: AdjectiveInstance) -> str:
    return "M"


def follows_the_stereotype(one: AdjectiveInstance) -> str:
    return one.stereotype or "M"


def always_right(one: AdjectiveInstance) -> str:
    return one.gender or "M"


def opposite_of_the_other(one: AdjectiveInstance) -> str:
    return {"M": "F", "F": "M"}.get(one.other_gender or "", "M")
