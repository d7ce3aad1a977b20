"""Builds the tokenizer described in a GGUF file (`tokenizer.ggml.…`), with llama.cpp's token ids and defaults."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from genderscope.models.hf.gguf.container import GgufError, UnlikeLlamaCppError

_CONTRACTION = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

#: llama.cpp treats any letter except a-z as possibly upper case, and any except A-Z as possibly lower case
_CAPITAL, _SMALL = r"(?:(?=\p{L})[^a-z])", r"(?:(?=\p{L})[^A-Z])"


def _by_line(numbers: str, signs: str = r"[^\s\p{L}\p{N}]+[\r\n]*") -> str:
    """Return a pattern for words with a preceding symbol, numbers, symbols with following line breaks, and spaces."""
    return rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{numbers}| ?{signs}|{_SPACES}"


def _by_case(numbers: str, contraction: str = "") -> str:
    """Return a pattern like `_by_line`, except that an upper-case letter after a lower-case one starts a new word."""
    before = r"[^\r\n\p{L}\p{N}]?"
    words = f"{before}{_CAPITAL}*{_SMALL}+{contraction}|{before}{_CAPITAL}+{_SMALL}*{contraction}"
    return rf"{words}|{numbers}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"


@dataclass(frozen=True)
class PreTokenizer:
    """A sequence of splitting patterns, each applied to the pieces from the previous one."""

    patterns: tuple[str, ...]
    #: whether a word in the vocabulary is one token regardless of merges (ignore_merges)
    ignore_merges: bool = False
    #: whether to add the beginning-of-text token if the file does not specify this
    add_bos: bool = False
    #: whether a beginning-of-text token exists if the file does not name one
    has_bos: bool = True


_KINDS: tuple[tuple[str, PreTokenizer], ...] = (
    ("default", PreTokenizer((r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", r"[0-9][0-9][0-9]"))),
    ("gpt-2 phi-2 mpt olmo jais trillion exaone4 gigachat a.x-4.0 mellum granite-docling", PreTokenizer((_GPT2,))),
    ("smollm starcoder refact command-r codeshell exaone minerva-7b mellum2", PreTokenizer((r"\p{N}", _GPT2))),
    (
        "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2",
        PreTokenizer((_by_line(r"\p{N}{1,3}"),), ignore_merges=True, add_bos=True),
    ),
    ("dbrx smaug-bpe", PreTokenizer((_by_line(r"\p{N}{1,3}"),))),
    ("chatglm-bpe glm4", PreTokenizer((_by_line(r"\p{N}{1,3}"),), has_bos=False)),
    (
        "qwen2 deepseek-r1-qwen kormo f2llmv2 stablelm2 hunyuan solar-open megrez grok-2",
        PreTokenizer((_by_line(r"\p{N}"),)),
    ),
    ("falcon", PreTokenizer((r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, r"[0-9][0-9][0-9]"))),
    ("bloom poro-chat gpt3-finnish", PreTokenizer((r" ?[^(\s|.,!?…。，、।۔،)]+",))),
    ("viking", PreTokenizer((r" ?[^(\s|.,!?…。，、।۔،)]+", r"\p{N}"))),
    ("seed-coder", PreTokenizer((_by_line(r"\p{N}", signs=r"[^\s\p{L}\p{N}]+"),))),
    ("tekken", PreTokenizer((_by_case(r"\p{N}"),), ignore_merges=True, add_bos=True)),
    ("gpt-4o llama4 kanana2 minimax-m2", PreTokenizer((_by_case(r"\p{N}{1,3}", _CONTRACTION + "?"),))),
)

PRE_TOKENIZERS = {name: kind for names, kind in _KINDS for name in names.split()}


#: SentencePiece's symbol for a space
SPACE = "▁"
#: Phi-3 special tokens after which llama.cpp keeps spaces; it strips spaces after all other special tokens
_SPACES_STAY = frozenset({"<unk>", "<s>", "<|endoftext|>"})


#: GGUF token types
NORMAL, UNKNOWN, CONTROL, USER_DEFINED = range(1, 5)

#: tokens that llama.cpp treats as end of text because of their name, regardless of their type
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


class GgufVocabulary:
    """The tokens of a file in id order, their types and scores, and the tokenizer settings."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        self.model = str(self.field("model", ""))
        self.tokens = [token or f"[EMPTY_{k}]" for k, token in enumerate(self.listed("tokens"))]
        self.ids = {token: k for k, token in enumerate(self.tokens)}
        if len(self.ids) < len(self.tokens):
            twice = next(token for k, token in enumerate(self.tokens) if self.ids[token] != k)
            raise GgufError(f"its vocabulary contains the token '{twice}' twice")
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
        """The merge scores of the tokens; tokens with higher scores are merged first."""
        return [float(score) for score in self._for_each("scores")]

    @cached_property
    def pre(self) -> PreTokenizer:
        """The pre-tokenizer, which splits a text before its bytes are merged."""
        name = self.field("pre") or "default"
        if name not in PRE_TOKENIZERS:
            raise UnlikeLlamaCppError(f"its pre-tokenizer '{name}' is not known to split text the way llama.cpp does")
        return PRE_TOKENIZERS[name]

    def ends(self) -> list[int]:
        """Return the ids of the end-of-text tokens."""
        named = (self.special(name) for name in ("eos", "eot", "eom", "fim_pad", "fim_rep", "fim_sep"))
        return sorted({self.ids[token] for token in ENDS & self.ids.keys()} | {k for k in named if k is not None})

    def listed(self, name: str) -> list[Any]:
        """Return a list field, which must not be empty."""
        entries = self.field(name)
        if not isinstance(entries, list) or not entries:
            raise GgufError(f"its tokenizer is incomplete: the list 'tokenizer.ggml.{name}' is missing")
        return entries

    def _for_each(self, name: str) -> list[Any]:
        entries, wanted = self.listed(name), len(self.tokens)
        if len(entries) < wanted:
            raise GgufError(f"it has {wanted} tokens, but 'tokenizer.ggml.{name}' has only {len(entries)} entries")
        return entries[:wanted]


def build_tokenizer(fields: Mapping[str, Any]) -> tuple[Any, list[int]]:
    """Return the tokenizer for these GGUF fields, and the ids of its end-of-text tokens."""
    vocabulary = GgufVocabulary(fields)
    builders = {"llama": _sentencepiece, "gpt2": _byte_level}
    if vocabulary.model not in builders:
        kinds = "'llama' (SentencePiece) nor 'gpt2' (byte-level BPE)"
        raise UnlikeLlamaCppError(f"its tokenizer '{vocabulary.model}' is neither {kinds}")
    backend, add_bos = builders[vocabulary.model](vocabulary)
    name = str(fields.get("general.name", "")).lower()
    _add_tokens(backend, vocabulary, strip="phi3" in name or "phi-3" in name)
    backend.post_processor = _ends_of_text(vocabulary, {"bos": add_bos, "eos": False})
    named = {"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "pad_token": "padding"}
    special = {to: vocabulary.tokens[k] for to, name in named.items() if (k := vocabulary.special(name)) is not None}
    make: Any = PreTrainedTokenizerFast
    tokenizer = make(
        tokenizer_object=backend,
        clean_up_tokenization_spaces=False,
        chat_template=fields.get("tokenizer.chat_template"),
        extra_special_tokens=vocabulary.control,
        **special,
    )
    return tokenizer, vocabulary.ends()


def _sentencepiece(vocabulary: GgufVocabulary) -> tuple[Tokenizer, bool]:
    """Build a SentencePiece BPE tokenizer, with merges ranked by score and byte fallback."""
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


def _merges_by_score(vocabulary: GgufVocabulary) -> list[tuple[str, str]]:
    """Return all merges of two tokens into one, highest score first.

    On ties, llama.cpp applies the leftmost merge; it also merges characters that are not tokens themselves. The
    `tokenizers` library does neither, so vocabularies where this could matter are rejected.
    """
    ids, scores = vocabulary.ids, vocabulary.scores
    special_tokens = set(vocabulary.control) | set(vocabulary.user_defined)  # matched before any merges
    ranked: list[tuple[float, int, str, str]] = []
    by_score: dict[float, set[str]] = {}
    for token, k in ids.items():
        if token in special_tokens or " " in token:  # spaces in the text are replaced before merging
            continue
        for at in range(len(token) - 1, 0, -1):
            left, right = token[:at], token[at:]
            if left in ids and right in ids:
                ranked.append((-scores[k], k, left, right))
                by_score.setdefault(scores[k], set()).add(token)
            elif (left in ids or at == 1) and (right in ids or len(right) == 1):
                raise UnlikeLlamaCppError(f"its vocabulary contains the token '{token}' but not all of its characters")
    for one, other in (pair for tied in by_score.values() if len(tied) > 1 for pair in _overlaps(sorted(tied))):
        raise UnlikeLlamaCppError(f"its tokens '{one}' and '{other}' have the same score, so their order is undefined")
    ranked.sort(key=lambda merge: merge[:2])  # stable: of a token's merges, the one with the longest left part is first
    return [(left, right) for _, _, left, right in ranked]


def _byte_level(vocabulary: GgufVocabulary) -> tuple[Tokenizer, bool]:
    """Build a byte-level BPE tokenizer, with the file's pre-tokenizer and list of merges."""
    pre, lines = vocabulary.pre, vocabulary.listed("merges")
    merges = dict.fromkeys((line[: (at := line.index(" ", 1))], line[at + 1 :]) for line in lines if " " in line[1:])
    unknown = next((part for pair in merges for part in (*pair, "".join(pair)) if part not in vocabulary.ids), None)
    if unknown is not None:
        raise GgufError(f"its merges produce '{unknown}', which is not in its vocabulary")
    backend = Tokenizer(models.BPE(vocab=vocabulary.ids, merges=list(merges), ignore_merges=pre.ignore_merges))
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            *(pre_tokenizers.Split(Regex(pattern), behavior="isolated") for pattern in pre.patterns),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    backend.decoder = decoders.ByteLevel()
    return backend, pre.add_bos


def _add_tokens(backend: Tokenizer, vocabulary: GgufVocabulary, strip: bool) -> None:
    """Add the tokens that are matched before the text is split; `strip` removes the spaces after them.

    If two of them overlap in a text, llama.cpp prefers the longer and the `tokenizers` library the first.
    """
    for tokens, special in ((vocabulary.control, True), (vocabulary.user_defined, False)):
        added = [
            AddedToken(token, normalized=False, special=special, rstrip=strip and token not in _SPACES_STAY)
            for token in tokens
        ]
        (backend.add_special_tokens if special else backend.add_tokens)(added)


def _overlaps(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of distinct tokens where a suffix of one is a prefix of the other."""
    begins: dict[str, str] = {}
    for token in tokens:
        for at in range(1, len(token)):
            begins.setdefault(token[:at], token)
    for token in tokens:
        for at in range(1, len(token)):
            other = begins.get(token[at:])
            if other is not None and other != token:
                yield token, other


def _ends_of_text(vocabulary: GgufVocabulary, defaults: Mapping[str, bool]) -> Any:
    """Return a post-processor that adds the BOS and EOS tokens, as set in the file or, failing that, in `defaults`."""
    added = []
    for name, default in defaults.items():
        token = vocabulary.special(name)
        if vocabulary.flag(f"add_{name}_token", default):
            if token is None:
                raise GgufError(f"it adds a special token to every text but has no '{name}_token_id'")
            added.append({"id": name, "ids": [token], "tokens": [vocabulary.tokens[token]]})
    named = {entry["id"] for entry in added}
    single = [name for name in ("bos", "$A", "eos") if name == "$A" or name in named]
    return processors.TemplateProcessing(single=single, special_tokens=added)
