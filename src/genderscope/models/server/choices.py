"""Choices, likelihoods and completions from a server, with one function per query method."""

import math
import re
import zlib
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Protocol, TypeVar

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    LONGEST_TEXT,
    Choice,
    ChoiceAnswer,
    Completion,
    CompletionAnswer,
    LikelihoodAnswer,
    Question,
    TokenLikelihood,
)
from genderscope.models.hf.token_spans import Located, merge_options, positions_in_spans
from genderscope.models.server.capabilities import (
    USUAL,
    Numbers,
    QueryMethod,
    alike,
    changed_in,
    numbers_of_next,
    numbers_of_tokens,
    prompt_options,
    request_next,
)
from genderscope.models.server.json_access import choices_of, listed, number, part, said
from genderscope.models.server.tokens import (
    ABOVE_ZERO,
    NO_NUMBERS,
    ROUNDING,
    Candidates,
    Tokens,
    UnreadError,
    check_next,
    check_options,
    check_scores,
    leaves_out_spaces,
    next_tokens,
    score_of,
    score_of_reply,
    tokens_of,
)
from genderscope.models.server.transport import RefusedError, TooLongError
from genderscope.models.settings import Remote

#: Base seed for sampling; each question derives its own seed from it.
SEED = 0
#: Options for requests that need only log-probabilities; some servers refuse to generate zero tokens.
ONE_TOKEN = {"max_tokens": 1, "temperature": 0}
#: Prompt for filling a blank on a chat-only server.
FILL = "Which word fits best in place of ___ in this text? Answer with that one word only: {options}.\n\n{text}"
NOTHING_BEFORE = "there is no text before the word and the server adds no beginning-of-text token"
NO_TEXT = "the server returned no samples"
NO_SPACES = "the server strips the spaces from its tokens, so a word cannot be distinguished from a word piece"


T = TypeVar("T")


class Server(Protocol):
    """Server interface that the query methods require."""

    #: maximum number of samples per request
    at_a_time: int

    @property
    def query_method(self) -> QueryMethod: ...

    @property
    def remote(self) -> Remote: ...

    def post(self, path: str, body: dict[str, Any], most: int | None = None) -> dict[str, Any]: ...


def read_text(server: Server, text: str) -> Tokens:
    """Return a text's tokens with their log-probabilities."""
    form = server.query_method.form or ""
    tokens = tokens_of(server.post("/completions", {"prompt": text, **ONE_TOKEN, **prompt_options(form)}), text, form)
    # One impossible log-probability casts doubt on them all: they may in fact be probabilities or logits.
    if any(score > ROUNDING for score in _known(tokens)):
        raise UnreadError(ABOVE_ZERO)
    return tokens


def _known(tokens: Tokens) -> list[float]:
    return [score for score in tokens.log_probabilities if score is not None]


def _found(result: T | str) -> T:
    """Return the result; raise `UnreadError` if it is a string, which says why there is no result."""
    if isinstance(result, str):
        raise UnreadError(result)
    return result


def choose(server: Server, question: Choice) -> ChoiceAnswer:
    """Answer a choice with the server's query method."""
    methods = {"prompt": choose_by_prompt, "top": choose_by_top, "sampled": choose_by_samples}
    return methods[server.query_method.name](server, question)


def choose_by_prompt(server: Server, question: Choice) -> ChoiceAnswer:
    """Score the whole sentence with each option; an option's score is the sum over its tokens."""
    parts, read = [], []
    begin = len(question.before)
    for option in question.options:
        text = question.before + option + question.after
        read.append(read_text(server, text))
        parts.append(read[-1].split(text, begin, begin + len(option)))
    located: Located = _found(merge_options(parts))
    start = len(located.before)
    every = [score for tokens in read for score in _known(tokens)]
    scores = []
    for ids, tokens in zip(located.options, read, strict=True):
        token_scores = [score for score in tokens.log_probabilities[start : start + len(ids)] if score is not None]
        if len(token_scores) < len(ids):
            raise UnreadError(NOTHING_BEFORE if start == 0 else NO_NUMBERS)
        check_scores(token_scores, every)
        scores.append(min(math.fsum(token_scores), 0.0))
    # The probability of a word that is a prefix of another ("man", "manner") includes part of the other's.
    if not any(a != b and b[: len(a)] == a for a in located.options for b in located.options):
        check_options(scores)
    several = any(len(ids) > 1 for ids in located.options)
    note = "sum over each option's tokens" if several else None
    return ChoiceAnswer(tuple(scores), located.options, 0.0 if question.want_mass else None, note)


def choose_by_top(server: Server, question: Choice) -> ChoiceAnswer:
    """Look up the options among the likeliest next tokens, requesting more only if an option is missing."""
    query_method = server.query_method
    before = question.before.rstrip()
    if query_method.through == "completions" and not before:
        raise UnreadError(NOTHING_BEFORE)
    space = " " if before != question.before else ""
    text = fill_text(question) if query_method.through == "chat" else before
    scores: list[float | None] = []
    candidates: Candidates = []
    for count in query_method.counts():
        path, body = request_next(query_method.through, text, count)
        candidates = next_tokens(server.post(path, {**body, **ONE_TOKEN}))
        if query_method.through == "chat":
            scores = [score_of_reply(option, candidates) for option in question.options]
        else:
            bare = any(score_of(option, candidates) is not None for option in question.options)
            if space and bare and leaves_out_spaces(candidates):
                raise UnreadError(NO_SPACES)
            scores = [score_of(space + option, candidates) for option in question.options]
        if None not in scores:
            break
    return _looked_up(question, scores, candidates, query_method.top)


def _looked_up(question: Choice, scores: list[float | None], candidates: Candidates, top: int) -> ChoiceAnswer:
    if not candidates:
        raise UnreadError(NO_NUMBERS)
    check_next(candidates)
    option_scores: list[float] = []
    for option, score in zip(question.options, scores, strict=True):
        if score is None:
            raise UnreadError(f"'{option}' is not among the {top} likeliest next tokens")
        option_scores.append(min(score, 0.0) if math.isfinite(score) else score)
    check_scores(option_scores, [score for _, score in candidates])
    check_options(option_scores)
    return ChoiceAnswer(tuple(option_scores), log_normaliser=0.0 if question.want_mass else None)


def choose_by_samples(server: Server, question: Choice) -> ChoiceAnswer:
    """Sample answers and count the options; the question counts as unread if any option was never sampled."""
    wanted = server.remote.samples
    length = 4 + max(map(len, question.options))  # a word never has more tokens than characters
    chats = server.query_method.through == "chat"
    text = fill_text(question) if chats else question.before.rstrip()
    if not text:
        raise UnreadError(NOTHING_BEFORE)
    path, body = request_next(server.query_method.through, text)
    drawn = [answer for answer, _ in draw_scored(server, path, body, wanted, length, SEED)]
    if not drawn:
        raise UnreadError(NO_TEXT)
    counts = [sum(_is_word(text, option, chats) for text in drawn) for option in question.options]
    note = "drawn " + ", ".join(f"{count} of {len(drawn)}" for count in counts)
    for option, count in zip(question.options, counts, strict=True):
        if not count:
            return ChoiceAnswer(None, note=note, unread=f"'{option}' was never sampled in {len(drawn)} answers")
    scores = tuple(math.log(count) for count in counts)
    return ChoiceAnswer(scores, log_normaliser=math.log(len(drawn)) if question.want_mass else None, note=note)


def draw_scored(
    server: Server, path: str, body: dict[str, Any], count: int, length: int, seed: int
) -> list[tuple[str, list[float | None]]]:
    """Sample answers with their tokens' log-probabilities, if any; each additional request uses a new seed."""
    temperature = 1.0 if server.remote.temperature is None else server.remote.temperature
    start = zlib.crc32(repr((seed, body)).encode()) & 0x3FFF_FFFF
    samples: list[tuple[str, list[float | None]]] = []
    most = server.at_a_time
    while len(samples) < count:
        more = {"n": min(count - len(samples), most), "max_tokens": length, "temperature": temperature}
        try:
            choices = choices_of(server.post(path, {**body, **more, "seed": start + len(samples)}))
        except RefusedError:
            if more["n"] == 1:
                raise
            most = 1  # llama.cpp returns at most one sample per slot
            continue
        if choices and len(choices) < more["n"]:
            most = len(choices)  # other servers ignore `n`
        server.at_a_time = most
        # Keep one character beyond the limit, so that the answer is recognised as too long.
        drawn = [
            (text[: LONGEST_TEXT + 1], _scores(choice)) for choice in choices if (text := said(choice)) is not None
        ]
        if not drawn:
            break
        samples += drawn
    return samples[:count]


def _scores(choice: dict[str, Any]) -> list[float | None]:
    logprobs = part(choice, "logprobs")
    listing = [entry.get("logprob") for entry in listed(logprobs, "content") if isinstance(entry, dict)]
    return [number(score) for score in listed(logprobs, "token_logprobs") or listing]


def fill_text(question: Choice) -> str:
    """Return the prompt that asks a chat-only server to choose an option."""
    options = " or ".join(question.options)
    return FILL.format(options=options, text=f"{question.before}___{question.after}")


def _is_word(text: str, word: str, reply: bool) -> bool:
    """Return whether a sample is this word: a continuation must begin with it, a reply may add punctuation."""
    pattern = rf"\W*{re.escape(word)}\W*" if reply else rf"\s*{re.escape(word)}(?!\w).*"
    return re.fullmatch(pattern, text, re.DOTALL | (re.IGNORECASE if reply else 0)) is not None


def likelihood(server: Server, question: TokenLikelihood) -> LikelihoodAnswer:
    """Return the log-probabilities of the tokens in the spans, each conditioned on the preceding text.

    Tokens not shared with another text are included too, since the server returns all tokens anyway.
    """
    tokens = read_text(server, question.text)
    plain = [not special for special in tokens.special]
    if question.spans:
        places = _found(positions_in_spans(question, tokens.offsets, plain, tokens.pieces))
    else:
        places = [k for k, real in enumerate(plain) if real]
    ids, pieces = tuple(tokens.ids[k] for k in places), tuple(tokens.pieces[k] for k in places)
    scores = tuple(tokens.log_probabilities[k] for k in places)
    try:
        if question.together and places and places[0] == 0:
            raise UnreadError(NOTHING_BEFORE)
        if any(score is None and k > 0 for k, score in zip(places, scores, strict=True)):
            raise UnreadError(NO_NUMBERS)
        check_scores((score for score in scores if score is not None), _known(tokens))
    except UnreadError as error:
        return LikelihoodAnswer(None, pieces, ids, unread=str(error))
    return LikelihoodAnswer(scores, pieces, ids)


def check_completion(server: Server, name: str, question: Completion) -> None:
    """Raise if the server's query method does not support this completion, before any request is sent."""
    if question.whole_words:
        raise UserError(f"'{name}' does not report which tokens are whole words; omit --whole-words.")
    if question.search == "sample":
        return
    if question.new_tokens > 1:
        raise UserError(f"'{name}' does not support beam search; use --search sample, or --new-tokens 1.")
    if question.k > server.query_method.top:
        raise UserError(
            f"K is {question.k}, but '{name}' returns only {server.query_method.top} next tokens; "
            "lower -k or use --search sample."
        )


def complete(server: Server, question: Completion) -> CompletionAnswer:
    """Continue the text before the blank, stripped of its final space, which belongs to the next word's first token."""
    before = question.before.rstrip()
    if not before:
        raise UnreadError(NOTHING_BEFORE)
    return _sampled(server, before, question) if question.search == "sample" else _likeliest(server, before, question)


def _likeliest(server: Server, before: str, question: Completion) -> CompletionAnswer:
    path, body = request_next("completions", before, question.k)
    candidates = next_tokens(server.post(path, {**body, **ONE_TOKEN}))
    best = candidates[: question.k]
    check_next(candidates)
    check_scores((score for _, score in best), [score for _, score in candidates])
    if len(best) < question.k:
        raise UnreadError(f"the server returned only {len(best)} of {question.k} tokens")
    return CompletionAnswer(tuple(token.strip() for token, _ in best), tuple(min(score, 0.0) for _, score in best))


def _sampled(server: Server, before: str, question: Completion) -> CompletionAnswer:
    path, body = request_next("completions", before, 1 if server.query_method.top else 0)
    samples = draw_scored(server, path, body, question.k, question.new_tokens, question.seed)
    texts = tuple(text.strip() for text, _ in samples)
    if len(samples) < question.k:
        raise UnreadError(f"the server returned only {len(samples)} of {question.k} continuations")
    if not server.query_method.top:
        return CompletionAnswer(texts)
    scores = []
    for _, token_scores in samples:
        given_scores = [score for score in token_scores if score is not None]
        if not given_scores or len(given_scores) < len(token_scores):
            raise UnreadError(NO_NUMBERS)
        check_scores(given_scores, given_scores)
        scores.append(min(math.fsum(given_scores), 0.0))
    return CompletionAnswer(texts, tuple(scores))


#: The texts to repeat are chosen from this many questions at the start of the run.
REPEATED_FROM = 1000


def changed_on_own_questions(server: Server, questions: Sequence[Question]) -> str | None:
    """Query a few of a run's texts in one order and then in reverse; return a description of any change."""
    first = list(islice(questions, REPEATED_FROM))
    prompts = alike([*_prompts(first)]) if server.query_method.name == "prompt" else []
    beginnings = alike([*_beginnings(server, first)]) if server.query_method.top else []
    return changed_in(partial(_numbers_of_prompt, server), prompts) or changed_in(
        partial(_numbers_of_next, server), beginnings
    )


def _prompts(questions: Iterable[Question]) -> Iterable[str]:
    for question in questions:
        if isinstance(question, Choice):
            yield from (question.before + option + question.after for option in question.options)
        elif isinstance(question, TokenLikelihood):
            yield question.text


def _beginnings(server: Server, questions: Iterable[Question]) -> Iterable[str]:
    """Yield the texts whose next tokens are scored."""
    for question in questions:
        if isinstance(question, Choice) and server.query_method.name == "top":
            text = fill_text(question) if server.query_method.through == "chat" else question.before.rstrip()
        elif isinstance(question, Completion) and question.search == "beam":
            text = question.before.rstrip()
        else:
            continue
        if text:
            yield text


def _numbers_of_prompt(server: Server, text: str) -> Numbers | None:
    try:
        return numbers_of_tokens(read_text(server, text))
    except (UnreadError, TooLongError):
        return None


def _numbers_of_next(server: Server, text: str) -> Numbers | None:
    path, body = request_next(server.query_method.through, text, min(server.query_method.top, USUAL))
    try:
        return numbers_of_next(next_tokens(server.post(path, {**body, **ONE_TOKEN})))
    except TooLongError:
        return None
