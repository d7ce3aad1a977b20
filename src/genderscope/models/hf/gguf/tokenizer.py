"""Builds the tokenizer described in a GGUF file, with the same token ids as llama.cpp."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from genderscope.models.hf.gguf.container import GgufError, UnlikeLlamaCppError
from genderscope.models.hf.gguf.vocabulary import Vocabulary

#: SentencePiece's symbol for a space
SPACE = "▁"
#: Phi-3 special tokens after which llama.cpp keeps spaces; it strips them after all others
_SPACES_STAY = frozenset({"<unk>", "<s>", "<|endoftext|>"})


def build_tokenizer(fields: Mapping[str, Any]) -> tuple[Any, list[int]]:
    """Return the tokenizer for these GGUF fields, and the ids of its end-of-text tokens."""
    vocabulary = Vocabulary(fields)
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


def _sentencepiece(vocabulary: Vocabulary) -> tuple[Tokenizer, bool]:
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


def _merges_by_score(vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """Return all merges of two tokens into one, highest score first.

    On ties, llama.cpp applies the leftmost merge; it also merges characters that are not tokens themselves. The
    `tokenizers` library does neither, so vocabularies where this could matter are rejected.
    """
    ids, scores = vocabulary.ids, vocabulary.scores
    found = set(vocabulary.control) | set(vocabulary.user_defined)  # matched before any merges
    ranked: list[tuple[float, int, str, str]] = []
    by_score: dict[float, set[str]] = {}
    for token, k in ids.items():
        if token in found or " " in token:  # spaces in the text are replaced before merging
            continue
        for at in range(len(token) - 1, 0, -1):
            left, right = token[:at], token[at:]
            if left in ids and right in ids:
                ranked.append((-scores[k], k, left, right))
                by_score.setdefault(scores[k], set()).add(token)
            elif (left in ids or at == 1) and (right in ids or len(right) == 1):
                raise UnlikeLlamaCppError(f"its vocabulary has the token '{token}', but not every character of it")
    for one, other in (pair for tied in by_score.values() if len(tied) > 1 for pair in _overlaps(sorted(tied))):
        raise UnlikeLlamaCppError(f"its tokens '{one}' and '{other}' have the same score, so their order is undefined")
    ranked.sort(key=lambda merge: merge[:2])  # stable: among a token's merges, the longest left part is first
    return [(left, right) for _, _, left, right in ranked]


def _byte_level(vocabulary: Vocabulary) -> tuple[Tokenizer, bool]:
    """Build a byte-level BPE tokenizer, with the file's pre-tokenizer and list of merges."""
    pre, lines = vocabulary.pre, vocabulary.field("merges")
    if not isinstance(lines, list):
        raise GgufError("it has no list 'tokenizer.ggml.merges', so there is no tokenizer in it")
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


def _add_tokens(backend: Tokenizer, vocabulary: Vocabulary, strip: bool) -> None:
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


def _ends_of_text(vocabulary: Vocabulary, defaults: Mapping[str, bool]) -> Any:
    """Return a post-processor that adds the BOS and EOS tokens, as set in the file or else by `defaults`."""
    added = []
    for name, default in defaults.items():
        token = vocabulary.special(name)
        if vocabulary.flag(f"add_{name}_token", default):
            if token is None:
                raise GgufError(f"it adds a token before or after every text, but has no '{name}_token_id'")
            added.append({"id": name, "ids": [token], "tokens": [vocabulary.tokens[token]]})
    named = {entry["id"] for entry in added}
    single = [name for name in ("bos", "$A", "eos") if name == "$A" or name in named]
    return processors.TemplateProcessing(single=single, special_tokens=added)
