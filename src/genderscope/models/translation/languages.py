"""Language tokens of translation models, and the convention that a tokenizer follows."""

from dataclasses import dataclass
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES


@dataclass(frozen=True)
class Convention:
    """A model family's language tokens: the decoder's forced first token, or a prefix of the text."""

    family: str
    token: str
    mark: bool = False

    def of(self, language: str) -> str | None:
        """Return the family's token for a two-letter code; None for an unlisted language."""
        known = LANGUAGES.get(language)
        if known is None or ("{region}" in self.token and known.mbart is None):
            return None
        nllb = known.nllb or known.iso3
        return self.token.format(two=language, three=known.iso3, nllb=nllb, script=known.scripts[0], region=known.mbart)


CONVENTIONS = (
    Convention("NLLB", "{nllb}_{script}"),
    Convention("M2M-100", "__{two}__"),
    Convention("MADLAD", "<2{two}>", mark=True),
    Convention("mBART-50", "{two}_{region}"),
    Convention("Marian", ">>{three}<<", mark=True),
)


class Naming:
    """The language tokens in a tokenizer's vocabulary."""

    def __init__(self, tokenizer: Any, name: str) -> None:
        vocabulary = tokenizer.get_vocab()
        self.name = name
        self.convention: Convention | None = None
        self.known: dict[str, str] = {}
        for convention in CONVENTIONS:
            named = ((code, convention.of(code)) for code in LANGUAGES)
            known = {code: token for code, token in named if token is not None and token in vocabulary}
            if len(known) > len(self.known):
                self.convention, self.known = convention, known
        #: a single-pair model has no language tokens; its tokenizer states the pair
        self.pair = (getattr(tokenizer, "source_lang", None), getattr(tokenizer, "target_lang", None))

    def check(self, source: str, target: str) -> None:
        """Raise if the model does not support a language."""
        if self.convention is None:
            if self.pair[1] is not None and target != self.pair[1]:
                raise UserError(f"'{self.name}' translates only {self.pair[0]} to {self.pair[1]}, not to '{target}'.")
            return
        for language in (target,) if self.convention.mark else (source, target):
            if language not in self.known:
                can = ", ".join(sorted(self.known))
                raise UserError(
                    f"'{self.name}' ({self.convention.family}) does not support '{language}'; available: {can}."
                )
