"""Workload of a question in characters read and generated, for budgets and time estimates."""

from genderscope.core.questions import Choice, Completion, Question, Reply, ReplyStart, TokenLikelihood, Translation

PER_TOKEN = 4  # average characters per token in English


def characters_of(question: Question) -> int:
    """Return the number of characters a model reads and generates; scored tokens count twice, as they cost more."""
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
