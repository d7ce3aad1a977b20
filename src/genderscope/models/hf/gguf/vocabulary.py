"""The vocabulary and tokenizer settings of a GGUF file (`tokenizer.ggml.…`), with llama.cpp's defaults."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from genderscope.models.hf.gguf.container import GgufError, UnlikeLlamaCppError
from genderscope.models.hf.gguf.pretokenizers import PRE_TOKENIZERS, PreTokenizer

#: GGUF token types
NORMAL, UNKNOWN, CONTROL, USER_DEFINED = range(1, 5)

#: tokens that llama.cpp treats as end of text by name, regardless of their type
_ENDS = """
<|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn> <|endoftext|> </s> <|eom_id|> <EOT>
_<EOT> [EOT] [EOS] <|end_of_text|> <end_of_utterance> <eos> <turn|> <｜end▁of▁sentence｜> <|fim_pad|> <fim-pad>
<fim_pad> <PAD> [PAD] <|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame> <|file_sep|>
"""
#: tokens that llama.cpp treats as fill-in-the-middle markers
_GAPS = """
<|fim_prefix|> <fim-prefix> <fim_prefix> <｜fim▁begin｜> <PRE> ▁<PRE> <|code_prefix|> <|prefix|>
<|fim_suffix|> <fim-suffix> <fim_suffix> <｜fim▁hole｜> <SUF> ▁<SUF> <|code_suffix|> <|suffix|>
<|fim_middle|> <fim-middle> <fim_middle> <｜fim▁end｜> <MID> ▁<MID> <|code_middle|> <|middle|>
"""
ENDS = frozenset(_ENDS.split())
CONTROL_BY_NAME = ENDS | frozenset(_GAPS.split())


class Vocabulary:
    """The tokens of a file in id order, their types and scores, and the tokenizer settings."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        self.model = str(self.field("model", ""))
        self.tokens = [token or f"[EMPTY_{k}]" for k, token in enumerate(self._listed("tokens"))]
        self.ids = {token: k for k, token in enumerate(self.tokens)}
        if len(self.ids) < len(self.tokens):
            twice = next(token for k, token in enumerate(self.tokens) if self.ids[token] != k)
            raise GgufError(f"its vocabulary has the token '{twice}' twice")
        self._types = self._for_each("token_type") if self.field("token_type") else [NORMAL] * len(self.tokens)

    def field(self, name: str, default: Any = None) -> Any:
        """Return a tokenizer field."""
        return self._fields.get(f"tokenizer.ggml.{name}", default)

    def flag(self, name: str, default: bool) -> bool:
        """Return a boolean tokenizer field."""
        return bool(self.field(name, default))

    def special(self, name: str) -> int | None:
        """Return the id of a special token; ids outside the vocabulary are ignored."""
        default = self._defaults.get(name)
        named = (self.field(f"{name}_token_id", default), default)
        return next((k for k in named if k is not None and 0 <= k < len(self.tokens)), None)

    @property
    def _defaults(self) -> dict[str, int]:
        """The default ids of special tokens that the file does not specify."""
        if self.model == "llama":
            return {"bos": 1, "eos": 2, "unknown": 0}
        return {"bos": 11, "eos": 11} if self.pre.has_bos else {"eos": 11}

    @cached_property
    def control(self) -> list[str]:
        """The control tokens, which do not represent text."""
        typed = zip(self.tokens, self._types, strict=True)
        return [token for token, kind in typed if kind in {CONTROL, UNKNOWN} or token in CONTROL_BY_NAME]

    @cached_property
    def user_defined(self) -> list[str]:
        """The user-defined tokens, which are matched before a text is split."""
        typed = zip(self.tokens, self._types, strict=True)
        return [token for token, kind in typed if kind == USER_DEFINED and token not in CONTROL_BY_NAME]

    @cached_property
    def scores(self) -> list[float]:
        """The merge scores of the tokens; higher scores are merged first."""
        return [float(score) for score in self._for_each("scores")]

    @cached_property
    def pre(self) -> PreTokenizer:
        """The pre-tokenizer, which splits a text before its bytes are merged."""
        name = self.field("pre") or "default"
        if name not in PRE_TOKENIZERS:
            raise UnlikeLlamaCppError(f"its pre-tokenizer '{name}' is not known to split texts as llama.cpp does")
        return PRE_TOKENIZERS[name]

    def ends(self) -> list[int]:
        """Return the ids of the end-of-text tokens."""
        named = (self.special(name) for name in ("eos", "eot", "eom", "fim_pad", "fim_rep", "fim_sep"))
        return sorted({self.ids[token] for token in ENDS & self.ids.keys()} | {k for k in named if k is not None})

    def _listed(self, name: str) -> list[Any]:
        found = self.field(name)
        if not isinstance(found, list) or not found:
            raise GgufError(f"it has no list 'tokenizer.ggml.{name}', so there is no tokenizer in it")
        return found

    def _for_each(self, name: str) -> list[Any]:
        found, wanted = self._listed(name), len(self.tokens)
        if len(found) < wanted:
            raise GgufError(f"it has {wanted} tokens, but 'tokenizer.ggml.{name}' has {len(found)} entries")
        return found[:wanted]
