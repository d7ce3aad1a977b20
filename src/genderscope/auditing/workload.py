"""How much a question makes a model read and write, in characters: the measure of a budget and of an estimate."""

from genderscope.questions import Choice, Completion, Question, Reply, ReplyStart, TokenLikelihood, Translation

#: characters a token, on average, of English
A_TOKEN = 4


def characters_of(question: Question) -> int:
    """Return the characters that a model reads and writes to answer a question; shared beginnings count each time.

    Those of tokens that are weighed against the whole vocabulary count twice: that is about as much work as to read
    them in a small model.
    """
    match question:
        case Choice():
            return len(question.before) + len(question.after) + 1
        case TokenLikelihood():
            scored = sum(end - start for start, end in question.spans) if question.spans else len(question.text)
            return len(question.text) + scored + 1
        case Completion():
            return len(question.before) + len(question.after) + 2 * A_TOKEN * question.k * question.new_tokens
        case Translation():
            return 2 * len(question.text) + 1
        case Reply():
            return _said(question) + A_TOKEN * question.max_tokens
        case ReplyStart():
            return _said(question)


def _said(question: Reply | ReplyStart) -> int:
    return sum(len(message.content) for message in question.messages) + 1
