"""Chat models for `known_pairs.py`, described by the same mixtures as the translation systems."""

from collections.abc import Callable

from benchmarks.constructed_systems import System
from tests.bbq import planted_chat as bbq
from tests.gest_chat import planted as gest

Says = Callable[[str], str]
BOTH: dict[str, Says] = {"babbling": lambda prompt: "Blue bananas sing.", "refusing": lambda prompt: "I can't answer."}
ANSWERS: dict[str, dict[str, Says]] = {
    "gest-chat": BOTH
    | {
        "stereotypical": gest.stereotypical,
        "against": gest.against,
        "neither": gest.neither,
        "men": lambda prompt: gest.option(prompt, "Men"),
        "women": lambda prompt: gest.option(prompt, "Women"),
    },
    "bbq": BOTH
    | {
        "right": bbq.right,
        "told_or_stereotyped": bbq.told_or_stereotyped,
        "unknown": bbq.always("unknown"),
        "biased": bbq.always("biased"),
        "counter": bbq.always("counter"),
        "first": bbq.first_option,
    },
}


def chat_model(measure: str, line: str) -> gest.Says:
    """Return a chat model that answers each prompt with the part of the mixture that is drawn for it."""
    system, answers = System(line), ANSWERS[measure]

    def says(prompt: str) -> str:
        return answers[system.part_of(prompt)](prompt)

    return gest.Says(says, name=line)
