"""Choices and likelihoods through a server, each rung of the ladder in its own way."""

import math
import re
import zlib
from typing import Any, Protocol

from genderscope.models.locate import merge_options, positions_in_spans
from genderscope.models.remote import Remote
from genderscope.models.server_ladder import Rung, prompt_options
from genderscope.models.server_next import leaves_out_spaces, next_tokens, score_of, score_of_reply
from genderscope.models.server_tokens import Tokens, UnreadableError, tokens_of
from genderscope.models.server_transport import RefusedError
from genderscope.questions import Choice, ChoiceAnswer, LikelihoodAnswer, TokenLikelihood

#: Seed of what is drawn; each question has its own draws.
SEED = 0
#: How a server that only chats is asked to fill a blank.
FILL = "Which word fits best in place of ___ in this text? Answer with that one word only: {options}.\n\n{text}"
NOTHING_BEFORE = "nothing stands before the word and the server adds no beginning-of-text token"
NO_NUMBERS = "the server left out the log-probabilities"
NO_SPACES = "the server leaves the spaces out of its tokens, so that a word and a piece of one cannot be told apart"
TOO_LONG = "longer than the server's model takes"


class Server(Protocol):
    """What the ways to ask need of a server."""

    @property
    def rung(self) -> Rung:
        """How it is asked."""

    @property
    def remote(self) -> Remote:
        """What the user chose."""

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request about the model."""


def read_text(server: Server, text: str) -> Tokens | str:
    """Return a text's tokens with their log-probabilities, or why they cannot be read."""
    form = server.rung.form or ""
    body = {"prompt": text, "max_tokens": 1, "temperature": 0, **prompt_options(form)}
    try:
        return tokens_of(server.post("/completions", body), text, form)
    except UnreadableError:
        return NO_NUMBERS
    except RefusedError as refusal:
        if refusal.too_long:
            return TOO_LONG
        raise


def choose(server: Server, question: Choice) -> ChoiceAnswer:
    """Answer a choice on the server's rung."""
    if server.rung.name == "prompt":
        return choose_by_prompt(server, question)
    try:
        if server.rung.name == "top":
            return choose_by_top(server, question)
        return choose_by_samples(server, question)
    except RefusedError as refusal:
        if refusal.too_long:
            return ChoiceAnswer(None, unread=TOO_LONG)
        raise


def choose_by_prompt(server: Server, question: Choice) -> ChoiceAnswer:
    """Read the whole sentence with each option; an option's score is the sum over its tokens."""
    parts, read = [], []
    for option in question.options:
        text = question.before + option + question.after
        tokens = read_text(server, text)
        if isinstance(tokens, str):
            return ChoiceAnswer(None, unread=tokens)
        part = tokens.split(text, len(question.before), len(question.before) + len(option))
        if isinstance(part, str):
            return ChoiceAnswer(None, unread=part)
        parts.append(part)
        read.append(tokens)
    located = merge_options(parts)
    if isinstance(located, str):
        return ChoiceAnswer(None, unread=located)
    start = len(located.before)
    scores = []
    for ids, tokens in zip(located.options, read, strict=True):
        found = [p for p in tokens.log_probabilities[start : start + len(ids)] if p is not None and math.isfinite(p)]
        if len(found) < len(ids):
            return ChoiceAnswer(None, unread=NOTHING_BEFORE if start == 0 else NO_NUMBERS)
        scores.append(math.fsum(found))
    several = any(len(ids) > 1 for ids in located.options)
    note = "sum over the tokens of an option" if several else None
    return ChoiceAnswer(tuple(scores), located.options, 0.0 if question.want_mass else None, note)


def choose_by_top(server: Server, question: Choice) -> ChoiceAnswer:
    """Look the options up among the likeliest next tokens."""
    rung = server.rung
    if rung.through == "chat":
        options = {"logprobs": True, "top_logprobs": rung.top, "max_tokens": 1, "temperature": 0}
        candidates = next_tokens(server.post("/chat/completions", {**fill_message(question), **options}))
        found = [score_of_reply(option, candidates) for option in question.options]
    else:
        before = question.before.rstrip()
        if not before:
            return ChoiceAnswer(None, unread=NOTHING_BEFORE)
        body = {"prompt": before, "max_tokens": 1, "temperature": 0, "logprobs": rung.top}
        candidates = next_tokens(server.post("/completions", body))
        space = " " if before != question.before else ""
        bare = any(score_of(option, candidates) is not None for option in question.options)
        if space and bare and leaves_out_spaces(candidates):
            return ChoiceAnswer(None, unread=NO_SPACES)
        found = [score_of(space + option, candidates) for option in question.options]
    if not candidates:
        return ChoiceAnswer(None, unread=NO_NUMBERS)
    scores: list[float] = []
    for option, score in zip(question.options, found, strict=True):
        if score is None:
            return ChoiceAnswer(None, unread=f"'{option}' is not among the {rung.top} likeliest next tokens")
        scores.append(score)
    return ChoiceAnswer(tuple(scores), log_normaliser=0.0 if question.want_mass else None)


def choose_by_samples(server: Server, question: Choice) -> ChoiceAnswer:
    """Draw answers and count the options; one that was never drawn leaves the question unread."""
    wanted = server.remote.samples
    length = 4 + max(map(len, question.options))  # no tokenizer has more tokens than letters
    chats = server.rung.through == "chat"
    if chats:
        drawn = draw(server, "/chat/completions", fill_message(question), wanted, length)
    else:
        before = question.before.rstrip()
        if not before:
            return ChoiceAnswer(None, unread=NOTHING_BEFORE)
        drawn = draw(server, "/completions", {"prompt": before}, wanted, length)
    counts = [sum(_is_word(text, option, chats) for text in drawn) for option in question.options]
    note = "drawn " + ", ".join(f"{count} of {len(drawn)}" for count in counts)
    for option, count in zip(question.options, counts, strict=True):
        if not count:
            return ChoiceAnswer(None, note=note, unread=f"'{option}' was not drawn in {len(drawn)} answers")
    scores = tuple(math.log(count) for count in counts)
    return ChoiceAnswer(scores, log_normaliser=math.log(len(drawn)) if question.want_mass else None, note=note)


def draw(server: Server, path: str, body: dict[str, Any], count: int, length: int, seed: int = SEED) -> list[str]:
    """Draw so many answers; a server that gives fewer at a time is asked again with the next seed."""
    return [text for text, _ in draw_scored(server, path, body, count, length, seed)]


def draw_scored(
    server: Server, path: str, body: dict[str, Any], count: int, length: int, seed: int
) -> list[tuple[str, float | None]]:
    """Draw answers, each with the log-probability of its tokens where the server tells it."""
    temperature = 1.0 if server.remote.temperature is None else server.remote.temperature
    start = zlib.crc32(repr((seed, body)).encode()) & 0x3FFF_FFFF
    found: list[tuple[str, float | None]] = []
    while len(found) < count:
        more = {"n": count - len(found), "max_tokens": length, "temperature": temperature, "seed": start + len(found)}
        choices = server.post(path, {**body, **more}).get("choices") or []
        if not choices:
            break
        found += [_drawn(choice) for choice in choices]
    return found[:count]


def _drawn(choice: dict[str, Any]) -> tuple[str, float | None]:
    message = choice.get("message") or {}
    logprobs = choice.get("logprobs") or {}
    scores = logprobs.get("token_logprobs") or [each.get("logprob") for each in logprobs.get("content") or []]
    known = scores and all(isinstance(score, int | float) for score in scores)
    return str(choice.get("text") or message.get("content") or ""), math.fsum(scores) if known else None


def fill_message(question: Choice) -> dict[str, Any]:
    """Word a choice for a server that only chats."""
    options = " or ".join(question.options)
    content = FILL.format(options=options, text=f"{question.before}___{question.after}")
    return {"messages": [{"role": "user", "content": content}]}


def _is_word(text: str, word: str, reply: bool) -> bool:
    """Tell whether a drawn text is this word: what continues a text begins with it, a reply may dress it up."""
    pattern = rf"\W*{re.escape(word)}\W*" if reply else rf"\s*{re.escape(word)}(?!\w).*"
    return re.fullmatch(pattern, text, re.DOTALL | (re.IGNORECASE if reply else 0)) is not None


def likelihood(server: Server, question: TokenLikelihood) -> LikelihoodAnswer:
    """Give the log-probabilities of the tokens in the spans, each after all that stands before it.

    The server tells them all anyway, so those that are not shared with another text are not left out.
    """
    tokens = read_text(server, question.text)
    if isinstance(tokens, str):
        return LikelihoodAnswer(None, unread=tokens)
    plain = [not special for special in tokens.special]
    if question.spans:
        found = positions_in_spans(question, tokens.offsets, plain, tokens.pieces)
        if isinstance(found, str):
            return LikelihoodAnswer(None, unread=found)
    else:
        found = [k for k, real in enumerate(plain) if real]
    ids, pieces = tuple(tokens.ids[k] for k in found), tuple(tokens.pieces[k] for k in found)
    scores = tuple(tokens.log_probabilities[k] for k in found)
    if question.together and found and found[0] == 0:
        return LikelihoodAnswer(None, pieces, ids, unread=NOTHING_BEFORE)
    if any(score is None and k > 0 for k, score in zip(found, scores, strict=True)):
        return LikelihoodAnswer(None, pieces, ids, unread=NO_NUMBERS)
    return LikelihoodAnswer(scores, pieces, ids)
