"""A stand-in for the model of a finished run, with the abilities that the run shows."""

from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    Choice,
    Completion,
    Question,
    Reply,
    StructuredReply,
    TokenLikelihood,
    Translation,
)
from genderscope.measures.registry import measure_type
from genderscope.models import ANSWERS, CONVERSATION, KnownModel, ModelInfo, Settings

if TYPE_CHECKING:
    from genderscope.runs import Result

#: kinds of models that run on this machine, where several copies are faster than one
LOCAL = ("causal", "masked")
BY_CHAT: frozenset[type[Question]] = frozenset({Reply, StructuredReply, Translation})


class RecordedModel(KnownModel):
    """Stand-in for the model of a run, which translates into the run's languages."""

    def __init__(self, info: ModelInfo, targets: tuple[str, ...]) -> None:
        super().__init__(info, Settings())
        self._targets = targets

    def check(self, source: str, target: str) -> None:
        if target not in self._targets:
            raise UserError(f"The run has no translations into '{target}'.")


def model_of(result: "Result") -> RecordedModel:
    """Return a stand-in for a run's model; it can do what models of its kind can, and what the run shows it can."""
    model, asks = result.config["model"], measure_type(result.measure).asks
    answers = _answers(model, asks)
    no_chat = "the run does not show that the model chats" if model["kind"] in LOCAL and not _chats(result) else None
    targets = result.config["configuration"].get("to") or ()
    return RecordedModel(
        ModelInfo(
            str(model["name"]),
            str(model["kind"]),
            scales=model["kind"] in LOCAL,
            answers=tuple(kind.__name__ for kind in answers),
            no_chat=no_chat,
        ),
        tuple(targets),
    )


def _answers(model: dict[str, Any], asks: frozenset[type[Question]]) -> frozenset[type[Question]]:
    """Return the kinds of questions that a model answers."""
    kind = model["kind"]
    if kind in ANSWERS:
        return frozenset(ANSWERS[kind])
    if kind == "chat" or (kind == "server" and "ladder" not in model):
        return BY_CHAT
    if kind == "server":
        ladder = model["ladder"]
        more = {Completion} if ladder.get("through") == "completions" else set(BY_CHAT)
        return frozenset({Choice} | more | ({TokenLikelihood} if ladder.get("name") == "prompt" else set()))
    return asks


def _chats(result: "Result") -> bool:
    """Return whether the model answered as a chat model, which a base model cannot."""
    asks, form = measure_type(result.measure).asks, result.config.get("settings", {}).get("form")
    return bool(asks & CONVERSATION and form != "choice") or Translation in asks
