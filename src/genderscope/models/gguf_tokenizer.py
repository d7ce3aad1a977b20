"""Builds the tokenizer that a GGUF file describes, so that it gives the ids that llama.cpp gives.

Every rule comes from the file's own fields (`tokenizer.ggml.…`); where a field is missing, llama.cpp's default holds.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from genderscope.models.gguf_file import GgufError
from genderscope.models.gguf_pretokenizers import PRE_TOKENIZERS, PreTokenizer

#: the format's token types
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
#: how SentencePiece writes a space
SPACE = "▁"

#: what ends a text by its mere name, whatever type and fields say
_ENDS = frozenset(
    "<|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn> <|endoftext|> </s> <|eom_id|> "
    "<EOT> _<EOT> [EOT] [EOS] <|end_of_text|> <end_of_utterance> <eos> <turn|> <｜end▁of▁sentence｜>".split()
)
#: what marks a gap in code by its mere name
_GAPS = frozenset(
    "<|fim_prefix|> <fim-prefix> <fim_prefix> <｜fim▁begin｜> <PRE> ▁<PRE> <|fim_suffix|> <fim-suffix> <fim_suffix> "
    "<｜fim▁hole｜> <SUF> ▁<SUF> <|fim_middle|> <fim-middle> <fim_middle> <｜fim▁end｜> <MID> ▁<MID> <|fim_pad|> <fim-pad> "
    "<fim_pad> <PAD> [PAD] <|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame> <|file_sep|>".split()
)


class Vocabulary:
    """The tokens of a file and what the file says about them."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        self.model = str(self.field("model", ""))
        self.tokens = [token or f"[EMPTY_{k}]" for k, token in enumerate(self._listed("tokens"))]
        self.ids = {token: k for k, token in enumerate(self.tokens)}
        if len(self.ids) < len(self.tokens):
            twice = next(token for k, token in enumerate(self.tokens) if self.ids[token] != k)
            raise GgufError(f"its vocabulary has the token '{twice}' twice")
        self.types = self._listed("token_type") if self.field("token_type") else [NORMAL] * len(self.tokens)
        if len(self.types) < len(self.tokens):
            raise GgufError(f"it has {len(self.tokens)} tokens, but types for {len(self.types)}")

    def field(self, name: str, default: Any = None) -> Any:
        """Return a field of the tokenizer."""
        return self._fields.get(f"tokenizer.ggml.{name}", default)

    def _listed(self, name: str) -> list[Any]:
        found = self.field(name)
        if not isinstance(found, list) or not found:
            raise GgufError(f"it has no field 'tokenizer.ggml.{name}', so there is no tokenizer in it")
        return found

    def flag(self, name: str, default: bool) -> bool:
        """Return a yes or no of the tokenizer."""
        return bool(self.field(name, default))

    def special(self, name: str, default: int | None = None) -> int | None:
        """Return the id of a special token; one outside the vocabulary does not count."""
        found = self.field(f"{name}_token_id", default)
        return next((k for k in (found, default) if k is not None and 0 <= k < len(self.tokens)), None)

    @cached_property
    def control(self) -> list[str]:
        """The tokens that stand for no text."""
        typed = zip(self.tokens, self.types, strict=False)
        return [token for token, kind in typed if kind in {CONTROL, UNKNOWN} or token in _ENDS or token in _GAPS]

    @cached_property
    def user_defined(self) -> list[str]:
        """The tokens that are found in a text before it is cut."""
        control = set(self.control)
        typed = zip(self.tokens, self.types, strict=False)
        return [token for token, kind in typed if kind == USER_DEFINED and token not in control]

    @cached_property
    def scores(self) -> list[float]:
        """How early each token is merged, the highest first."""
        found = self._listed("scores")
        if len(found) < len(self.tokens):
            raise GgufError(f"it has {len(self.tokens)} tokens, but scores for {len(found)}")
        return [float(score) for score in found]

    def ends(self) -> list[int]:
        """Return the ids of the tokens that end a text."""
        named = {self.special(name, self.defaults.get(name)) for name in ("eos", "eot", "eom")}
        return sorted({self.ids[token] for token in _ENDS if token in self.ids} | {k for k in named if k is not None})

    @property
    def defaults(self) -> dict[str, int]:
        """The special tokens of a file that does not name them."""
        if self.model == "llama":
            return {"bos": 1, "eos": 2, "unknown": 0}
        return {"eos": 11} if not self.pre.has_bos else {"bos": 11, "eos": 11}

    @cached_property
    def pre(self) -> PreTokenizer:
        """How a text is cut before it is merged."""
        name = self.field("pre") or "default"
        if name not in PRE_TOKENIZERS:
            raise GgufError(f"its pre-tokenizer '{name}' is not one that is known to be read as llama.cpp reads it")
        return PRE_TOKENIZERS[name]


def build_tokenizer(fields: Mapping[str, Any], longest: int) -> PreTrainedTokenizerFast:
    """Return the tokenizer of a file with these fields, for a model that takes so many tokens."""
    vocabulary = Vocabulary(fields)
    builders = {"llama": _sentencepiece, "gpt2": _byte_level}
    if vocabulary.model not in builders:
        raise GgufError(
            f"its tokenizer '{vocabulary.model}' is neither 'llama' (SentencePiece) nor 'gpt2' (byte-level BPE)"
        )
    backend, add_bos = builders[vocabulary.model](vocabulary)
    strip = "phi3" in (name := str(fields.get("general.name", "")).lower()) or "phi-3" in name
    kept = {"<unk>", "<s>", "<|endoftext|>"}
    _refuse_overlaps(vocabulary.control + vocabulary.user_defined)
    for tokens, special in ((vocabulary.control, True), (vocabulary.user_defined, False)):
        added = [AddedToken(t, normalized=False, special=special, rstrip=strip and t not in kept) for t in tokens]
        (backend.add_special_tokens if special else backend.add_tokens)(added)
    bos, eos = (vocabulary.special(name, vocabulary.defaults.get(name)) for name in ("bos", "eos"))
    backend.post_processor = _ends_of_text(vocabulary, {"bos": (bos, add_bos), "eos": (eos, False)})
    unknown, padding = vocabulary.special("unknown", vocabulary.defaults.get("unknown")), vocabulary.special("padding")
    named = {"bos_token": bos, "eos_token": eos, "unk_token": unknown, "pad_token": padding}
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=longest,
        clean_up_tokenization_spaces=False,
        chat_template=fields.get("tokenizer.chat_template"),
        extra_special_tokens=vocabulary.control,
        **{name: vocabulary.tokens[token] for name, token in named.items() if token is not None},
    )


def _sentencepiece(vocabulary: Vocabulary) -> tuple[Tokenizer, bool]:
    """Merge characters by the scores of what comes of it; what is no token is written in bytes."""
    missing = [token for byte in range(256) if (token := f"<0x{byte:02X}>") not in vocabulary.ids]
    if missing:
        raise GgufError(f"its SentencePiece vocabulary lacks the byte token {missing[0]}")
    merges = _merges_by_score(vocabulary)
    backend = Tokenizer(models.BPE(vocab=vocabulary.ids, merges=merges, byte_fallback=True, fuse_unk=False))
    spaces = normalizers.Replace(" ", SPACE)
    undone: list[Any] = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    if vocabulary.flag("add_space_prefix", True):
        backend.normalizer = normalizers.Sequence([normalizers.Prepend(SPACE), spaces])
        undone.append(decoders.Strip(" ", 1, 0))
    else:
        backend.normalizer = spaces
    backend.decoder = decoders.Sequence(undone)
    return backend, True


def _merges_by_score(vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """Return every way to make a token from two others, those of the highest score first.

    llama.cpp takes of equal scores the one further left, and it merges characters that are no tokens themselves. The
    `tokenizers` library does neither, so a vocabulary where that could matter is refused.
    """
    ids, scores = vocabulary.ids, vocabulary.scores
    found = set(vocabulary.control) | set(vocabulary.user_defined)  # found in the text before anything is merged
    ranked: list[tuple[float, int, str, str]] = []
    by_score: dict[float, set[str]] = {}
    for token, k in ids.items():
        if len(token) == 1 or token in found:
            continue
        for at in range(len(token) - 1, 0, -1):
            left, right = token[:at], token[at:]
            if left in ids and right in ids:
                ranked.append((-scores[k], k, left, right))
                by_score.setdefault(scores[k], set()).add(token)
            elif (left in ids or (at == 1 and left != " ")) and (right in ids or (len(right) == 1 and right != " ")):
                raise GgufError(f"its vocabulary has the token '{token}', but not every character of it")
    for tied in by_score.values():
        if len(tied) > 1:
            _refuse_ties(tied)
    ranked.sort(key=lambda merge: merge[:2])  # stable: of one token's ways, the longest left part is first
    return [(left, right) for _, _, left, right in ranked]


def _refuse_ties(tokens: set[str]) -> None:
    """Refuse tokens of the same score of which two can want the same characters."""
    for one, other in _overlaps(sorted(tokens)):
        raise GgufError(f"its tokens '{one}' and '{other}' have the same score, so what is merged first is not told")


def _overlaps(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of different tokens where the end of one is the beginning of the other."""
    begins: dict[str, str] = {}
    for token in tokens:
        for at in range(1, len(token)):
            begins.setdefault(token[:at], token)
    for token in tokens:
        for at in range(1, len(token)):
            other = begins.get(token[at:])
            if other is not None and other != token:
                yield token, other


def _refuse_overlaps(tokens: Sequence[str]) -> None:
    """Refuse whole-text tokens that overlap: llama.cpp takes the longest first, the library the first in the text."""
    for one, other in _overlaps([token for token in tokens if len(set(token)) > 1]):
        raise GgufError(f"its special tokens '{one}' and '{other}' overlap, so which one a text holds is not told")


def _byte_level(vocabulary: Vocabulary) -> tuple[Tokenizer, bool]:
    """Cut the text as the file's pre-tokenizer says, and merge its bytes by the file's list."""
    lines = vocabulary.field("merges")
    if not isinstance(lines, list):
        raise GgufError("it has no field 'tokenizer.ggml.merges', so there is no tokenizer in it")
    pre = vocabulary.pre
    merges = dict.fromkeys((line[: (at := line.index(" ", 1))], line[at + 1 :]) for line in lines if " " in line[1:])
    unknown = next((part for pair in merges for part in (*pair, "".join(pair)) if part not in vocabulary.ids), None)
    if unknown is not None:
        raise GgufError(f"its merges make '{unknown}', which is no token of its vocabulary")
    backend = Tokenizer(models.BPE(vocab=vocabulary.ids, merges=list(merges), ignore_merges=pre.ignore_merges))
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            *(pre_tokenizers.Split(Regex(pattern), behavior="isolated") for pattern in pre.patterns),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    backend.decoder = decoders.ByteLevel()
    return backend, pre.add_bos


def _ends_of_text(vocabulary: Vocabulary, ends: Mapping[str, tuple[int | None, bool]]) -> Any:
    """Put a token before and after every text where the file asks for it, or its kind does by default."""
    added = []
    for name, (token, default) in ends.items():
        if vocabulary.flag(f"add_{name}_token", default):
            if token is None:
                raise GgufError(f"it puts a token at an end of every text, but has no '{name}_token_id'")
            added.append({"id": name, "ids": [token], "tokens": [vocabulary.tokens[token]]})
    named = [entry["id"] for entry in added]
    single = [name for name in ("bos", "$A", "eos") if name == "$A" or name in named]
    return processors.TemplateProcessing(single=single, special_tokens=added)
