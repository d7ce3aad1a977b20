"""Pre-tokenizers of llama.cpp, by their name in GGUF files (`tokenizer.ggml.pre`).

The patterns are those of the models' own tokenizers as implemented in llama.cpp (`llama-vocab.cpp`); tests compare them
with llama.cpp itself. Unlisted names are rejected, because a different split yields different tokens.
"""

from dataclasses import dataclass

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
