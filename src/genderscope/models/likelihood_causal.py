"""Likelihoods of tokens by causal models: one reading of a text gives them all; common beginnings are read once."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from genderscope.models.likelihood import Asked, LikelihoodAnswerer
from genderscope.models.packing import Pack
from genderscope.models.texts import Texts

if TYPE_CHECKING:
    from genderscope.models.causal import CausalModel

NOTHING_BEFORE = "nothing stands before the word and the tokenizer adds no beginning-of-text token"


class CausalLikelihoods(LikelihoodAnswerer):
    """Gives each token's log-probability after all that stands before it."""

    model: "CausalModel"

    def _cannot_ask(self, asked: Asked) -> str | None:
        if asked.together and asked.within[0] == 0:
            return NOTHING_BEFORE
        return super()._cannot_ask(asked)

    def _cost(self, asked: Asked) -> int:
        return len(asked.ids)

    def _scores(self, items: Sequence[Asked]) -> list[list[float | None]]:
        scores: list[list[float | None]] = [[None] * len(item.positions) for item in items]
        order = sorted(range(len(items)), key=lambda k: items[k].ids)
        for group in self._passes(order, items):
            inputs, rows, columns = self.model.lay_out(Texts.of(_read(items[k]) for k in group))
            wanted = [
                # A token's logit stands at the position before it.
                (k, spot, (int(row), int(route[position - 1])), items[k].ids[position])
                for k, row, route in zip(group, rows, columns, strict=True)
                for spot, position in enumerate(items[k].positions)
                if position > 0
            ]
            if not wanted:
                continue
            _, _, places, targets = zip(*wanted, strict=True)
            for (k, spot, _, _), found in zip(wanted, self.log_probabilities(inputs, places, targets), strict=True):
                scores[k][spot] = found
        return scores

    def _passes(self, order: Sequence[int], items: Sequence[Asked]) -> Iterator[list[int]]:
        """Cut the texts into passes, bounded in tokens and in vocabulary rows; texts that begin alike stay together."""
        group: list[int] = []
        pack, widest, rows = Pack(), 0, 0
        for k in order:
            path = _read(items[k])
            packed = len(pack.tokens) + pack.new_nodes(path)
            flat = (len(group) + 1) * max(widest, len(path))
            wide = (packed if self.model.packs else flat) > self.model.tokens_a_pass
            if group and (wide or rows + len(items[k].positions) > self.rows_a_pass):
                yield group
                group, pack, widest, rows = [], Pack(), 0, 0
            pack.add(path)
            group.append(k)
            widest, rows = max(widest, len(path)), rows + len(items[k].positions)
        if group:
            yield group


def _read(asked: Asked) -> tuple[int, ...]:
    """Return what the model must read: all before the last token that is asked about."""
    return asked.ids[: max(1, asked.positions[-1])]
