"""Budgets: the number of samples per measure, the amount of text, and the resulting widening of intervals."""

from genderscope.core.questions import Choice, Completion, Question, Reply, ReplyStart, TokenLikelihood, Translation
from genderscope.measures import AnyMeasure
from genderscope.samples import subsampling

#: maximum number of stratified samples per measure (or per language); None means no maximum
BUDGETS: dict[str, int | None] = {"quick": 160, "standard": 800, "full": None}
CHARACTERS = {"quick": 32_000}  # maximum number of characters that a model reads and generates per measure
FEWEST = 48  # minimum number of samples: three per GEST stereotype
PROBED = 32  # number of samples used to estimate the characters per sample
PER_TOKEN = 4  # average characters per token in English


def limit_of(budget: str, whole: AnyMeasure) -> int | None:
    """Return a budget's maximum number of samples, reduced if samples are long; None means no maximum."""
    most, characters = BUDGETS[budget], CHARACTERS.get(budget)
    if most is None or characters is None or not whole.samples:
        return most
    some = subsampling.evenly(whole.samples, PROBED)
    per_sample = sum(characters_of(question) for sample in some for question in whole.ask(sample)) / len(some)
    return max(min(most, FEWEST), min(most, int(characters / max(1.0, per_sample))))


def widening(samples: int, whole: int) -> float:
    """Return the factor by which intervals are wider than with all samples, according to the square-root law."""
    return (whole / samples) ** 0.5 if samples else 1.0


def characters_of(question: Question) -> int:
    """Return a question's cost in characters; generated completions and scored tokens count twice."""
    match question:
        case Choice():
            return len(question.before) + len(question.after) + 1
        case TokenLikelihood():
            scored = sum(end - start for start, end in question.spans) if question.spans else len(question.text)
            return len(question.text) + scored + 1
        case Completion():
            return len(question.before) + len(question.after) + 2 * PER_TOKEN * question.k * question.new_tokens
        case Translation():
            return 2 * len(question.text) + 1
        case Reply():
            return _content_length(question) + PER_TOKEN * question.max_tokens
        case ReplyStart():
            return _content_length(question)


def _content_length(question: Reply | ReplyStart) -> int:
    return sum(len(message.content) for message in question.messages) + 1
