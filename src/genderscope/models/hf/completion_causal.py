"""Completions with causal models: continuations of the text before the blank."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from genderscope.core.questions import Answer, Completion
from genderscope.models.base import Batch
from genderscope.models.hf.completion import Blank, CompletionAnswerer, completed, decoded
from genderscope.models.hf.language_model import FULL_LOGITS, end_tokens
from genderscope.models.hf.passes.prefix_cache import Reader, choose_prefix_cache, reader
from genderscope.models.hf.passes.prefix_tree import Pack
from genderscope.models.hf.passes.strategies import PREFIX_TREE, Strategy
from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.search import BeamSearch, Sampling, Search, run

#: maximum rows per tree; every continuation attends over the whole tree, so its size must be bounded
MOST_ROWS = {"cpu": 256, "cuda": 512}


class CausalCompletions(CompletionAnswerer):
    """Continues the text before the blank; questions with identical text before the blank are answered once."""

    def settings(self, question: Completion) -> tuple[Any, ...]:
        return (*super().settings(question), question.new_tokens, question.search, question.seed)

    def _encode(self, questions: Sequence[Completion]) -> Iterable[Blank | str]:
        # A word's first token includes the preceding space, so the text must end before that space.
        texts = [question.before.rstrip() for question in questions]
        encoded = self.model.tokenizer(texts, return_special_tokens_mask=True) if texts else None
        for k, question in enumerate(questions):
            assert encoded is not None
            ids, special = list(encoded["input_ids"][k]), list(encoded["special_tokens_mask"][k])
            while ids and special[-1] and not all(special):  # an end-of-text token would end the text here
                ids.pop(), special.pop()
            if not ids or (not texts[k] and not any(special)):
                yield "there is no text before the blank and the tokenizer adds no beginning-of-text token"
            elif (reason := self.model.too_long(len(ids) + question.new_tokens - 1)) is not None:
                yield reason
            else:
                yield Blank(question, tuple(ids), len(ids) - 1)

    def _batches(self, group: list[tuple[int, Blank]], batch_size: int | None) -> Iterable[Batch]:
        question = group[0][1].question
        strategy = self.model.choose_strategy(Texts.of(blank.ids for _, blank in group), batch_size)
        batches = list(self._cut(group, question, strategy, batch_size))
        if self._searches(question):
            texts = [Texts.of(dict.fromkeys(blank.ids for _, blank in batch)) for batch in batches]
            strategy = choose_prefix_cache(self.model, texts, strategy, question.k, question.new_tokens - 1)
        yield from (Batch.of(batch, strategy=strategy) for batch in batches)

    def _cut(
        self, group: list[tuple[int, Blank]], question: Completion, strategy: Strategy, batch_size: int | None
    ) -> Iterator[list[tuple[int, Blank]]]:
        """Split a group into batches, keeping texts with a common prefix together."""
        wide = question.k if question.new_tokens > 1 else 1
        most_rows = MOST_ROWS.get(self.model.device.type, MOST_ROWS["cpu"])
        rows = min(self.model.tokens_per_pass, most_rows, FULL_LOGITS // self.model.width)
        most = max(1, min(batch_size or 10**9, rows // wide))
        batch: list[tuple[int, Blank]] = []
        texts: set[tuple[int, ...]] = set()
        pack = Pack()
        alike = strategy.layout == PREFIX_TREE
        for index, blank in sorted(group, key=lambda pair: (0 if alike else len(pair[1].ids), pair[1].ids, pair[0])):
            tokens = len(pack.tokens) + pack.new_nodes(blank.ids) if alike else (len(texts) + 1) * len(blank.ids)
            full = len(texts) >= most or (batch_size is None and tokens > self.model.tokens_per_pass)
            if batch and full and blank.ids not in texts:
                yield batch
                batch, texts, pack = [], set(), Pack()
            pack.add(blank.ids)
            texts.add(blank.ids)
            batch.append((index, blank))
        if batch:
            yield batch

    def answer(self, items: Sequence[Blank], strategy: Strategy) -> list[Answer]:
        question = items[0].question
        texts = list(dict.fromkeys(blank.ids for blank in items))
        following = reader(self.model, strategy)
        if self._searches(question):
            answers = self._search(texts, question, following)
        else:
            answers = self.likeliest(following.next_logits(texts), question)
        answers_by_text = dict(zip(texts, answers, strict=True))
        return [answers_by_text[blank.ids] for blank in items]

    def _searches(self, question: Completion) -> bool:
        return question.new_tokens > 1 or question.search == "sample"

    def _search(self, texts: Sequence[tuple[int, ...]], question: Completion, following: Reader) -> list[Answer]:
        kind: type[Search] = BeamSearch if question.search == "beam" else Sampling
        searches = [kind(question, end_tokens(self.model), text) for text in texts]
        run(searches, following)
        decode = partial(decoded, self.model)
        return [
            completed([h.tokens for h in search.found()], [h.score for h in search.found()], decode)
            for search in searches
        ]
