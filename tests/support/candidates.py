"""Chat models that a build may have to judge, behind a server that really speaks the chat protocol."""

import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from genderscope.samples.gest import MALE
from tests.gest_chat.planted import SPEAKER, STEREOTYPE
from tests.server.http_fake import HttpFake

#: the sentences of each stereotype are asked in this order, so that the first ones are in a small run
PLACE = {sentence: place for place, sentence in enumerate(STEREOTYPE)}
LETTERS = "abc"


@dataclass(frozen=True)
class Prompt:
    """A question about a sentence, with its options in the order in which they are shown."""

    text: str

    @property
    def sentence(self) -> str:
        return max((each for each in STEREOTYPE if each in self.text), key=len)

    @property
    def stereotype(self) -> int:
        return STEREOTYPE[self.sentence]

    @property
    def speaker(self) -> str | None:
        """The right answer to a control, or None."""
        return next((label for text, label in SPEAKER.items() if text in self.text), None)

    @property
    def labels(self) -> list[str]:
        return re.findall(r"^\([abc]\) (.+)$", self.text, re.MULTILINE)

    def choose(self, label: str) -> str:
        return f"({LETTERS[self.labels.index(label)]}) {label}."

    def follow(self) -> str:
        """Answer as the stereotype has it, or rightly if the sentence reveals who speaks."""
        return self.choose(self.speaker or ("Men" if self.stereotype in MALE else "Women"))


def _stereotyped_in(stereotypes: frozenset[int]) -> Callable[[Prompt], str]:
    """Follow some of the stereotypes, and otherwise say that neither gender is more likely."""
    return lambda prompt: (
        prompt.follow() if prompt.speaker or prompt.stereotype in stereotypes else prompt.choose("Neither")
    )


def _at_random(prompt: Prompt) -> str:
    drawn = random.Random(prompt.text).randrange(3)
    return prompt.choose(prompt.labels[drawn])


def _refuse_half(prompt: Prompt) -> str:
    """Refuse in three of the six orders."""
    says = _stereotyped_in(frozenset({2, 9}))(prompt)
    return says if tuple(prompt.labels) in _TURNS else REFUSAL


def _shortly(prompt: Prompt) -> str:
    return _stereotyped_in(frozenset({2, 9}))(prompt)[1:2]


#: the orders that are turns of the first one
_TURNS = (("Women", "Men", "Neither"), ("Men", "Neither", "Women"), ("Neither", "Women", "Men"))
REFUSAL = "I'm sorry, but I can't help with that."
ERROR_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></html>"

CANDIDATES: dict[str, Callable[[Prompt], str]] = {
    "release": _stereotyped_in(frozenset({2, 9})),
    "equal": _stereotyped_in(frozenset({2, 9})),
    "better": _stereotyped_in(frozenset({2})),
    "slightly-worse": _stereotyped_in(frozenset({2, 4, 9})),
    "clearly-worse": lambda prompt: prompt.follow(),
    "always-neither": lambda prompt: prompt.choose("Neither"),
    "refusing": lambda prompt: REFUSAL,
    "empty": lambda prompt: "",
    "garbage": lambda prompt: "%%$ lorem 0x7f ipsum \ufffd\ufffd dolor {{{",
    "first-option": lambda prompt: prompt.labels[0],
    "same-letter": lambda prompt: "(b)",
    "random": _at_random,
    "half-refusing": _refuse_half,
    "very-short": _shortly,
    "other-language": lambda prompt: "Das lässt sich anhand dieses Satzes leider überhaupt nicht beantworten.",
    "error-page": lambda prompt: ERROR_PAGE,
}


class CandidateServer(HttpFake):
    """Serves every candidate under its own name; `serves` names the model that replies claim to be from, if not it."""

    serves: str | None = None

    def spec(self, candidate: str) -> str:
        return f"server:{self.url}/v1#{candidate}"

    def reply(self, method, path, body):
        if path != "/v1/chat/completions":
            return 404, {"error": {"message": "Not Found"}}
        asked = body["messages"][-1]["content"]
        if not any(sentence in asked for sentence in (*STEREOTYPE, *SPEAKER)):  # a probe
            said = "7"
        else:
            said = CANDIDATES[body["model"]](Prompt(asked))
        choice: dict[str, object] = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        if "response_format" in body:
            choice["message"] = {"role": "assistant", "content": _structured(said)}
        if body.get("logprobs"):
            choice["logprobs"] = {"content": _tokens(said)}
        return 200, {"model": self.serves or body["model"], "choices": [choice]}


def _structured(said: str) -> str:
    """Put the reply into the schema, as far as it chooses a letter; others break the schema."""
    found = re.match(r"\(?([abc])\b", said)
    return json.dumps({"answer": f"({found[1]})"}) if found else said


def _tokens(said: str) -> list[dict[str, object]]:
    """Return the log-probabilities of the first two tokens: nearly certain of what is said."""
    found = re.match(r"\(?([abc])\b", said)
    if found is None:
        return [_place({(said.split() or ["<end>"])[0]: 0.99, "The": 0.005, "(": 0.0004})]
    rest = {letter: 0.98 if letter == found[1] else 0.01 for letter in LETTERS}
    return [_place({"(": 0.99, "The": 0.01}), _place(rest)]


def _place(chances: dict[str, float]) -> dict[str, object]:
    listed = [{"token": token, "logprob": math.log(chance)} for token, chance in chances.items()]
    likeliest = max(chances, key=lambda token: chances[token])
    return {"token": likeliest, "logprob": math.log(chances[likeliest]), "top_logprobs": listed}
