"""The form in which a model is asked: likelihoods of answers, letters, or replies."""

from typing import TYPE_CHECKING

from genderscope.core.errors import UserError
from genderscope.core.questions import Question, Reply, ReplyStart, StructuredReply, TokenLikelihood

if TYPE_CHECKING:
    from genderscope.models import Model

#: form -> the kind of question that it asks
QUESTIONS: dict[str, type[Question]] = {
    "choice": TokenLikelihood,
    "letter": ReplyStart,
    "ask": Reply,
    "structured": StructuredReply,
}
#: form -> what a model lacks that cannot be asked in this form, and what to do
_LACKS = {
    "choice": "does not return token likelihoods, which --form choice needs; use --form ask",
    "letter": "does not return reply probabilities, which --form letter needs; use --form ask",
    "ask": "does not chat, which --form ask needs; use --form choice",
    "structured": "has no structured output, which --form structured needs (servers and vendors' chat models have it); "
    "use --form ask",
}


def usual_form(model: "Model") -> str:
    """Return the default form: letters for local chat models, replies for other chat models, else likelihoods."""
    if not chats(model):
        return "choice"
    return "letter" if model.scales and ReplyStart in model.answers else "ask"


def chats(model: "Model") -> bool:
    """Return whether a model replies to messages; a base model has no chat template."""
    try:
        return not model.unanswerable(frozenset({Reply}))
    except UserError:
        return False


def require_form(form: str, model: "Model") -> None:
    """Raise a UserError if the model cannot be asked in this form."""
    needed = frozenset({QUESTIONS[form]} | (set() if form == "choice" else {Reply}))
    try:
        missing = model.unanswerable(needed)
    except UserError as error:  # a model without a chat template
        raise UserError(f"--form {form} needs a chat model: {error}") from None
    if QUESTIONS[form] in missing:
        raise UserError(f"'{model.name}' {_LACKS[form]}.")
