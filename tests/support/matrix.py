"""Every kind of model, tiny and on this machine, and data of our own for every measure."""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from genderscope.measures import MEASURES
from genderscope.samples import registry
from tests.measure_examples import example_of
from tests.server.http_fake import HttpFake
from tests.server.services_fake import FAKES
from tests.support.tables import read_column, write_table

KEY = "not-a-real-key"
#: renders a conversation for models whose tokenizer has no template of its own
TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"
#: what a translation measure is asked to translate into, unless the kind of model says otherwise
TARGETS = {name: target for name in MEASURES if (target := example_of(name).target)}


@dataclass(frozen=True)
class Kind:
    """A kind of model: its model string, the options it needs, and what it translates into."""

    spec: str
    options: Sequence[str] = ()
    targets: Mapping[str, str] = field(default_factory=lambda: TARGETS)


def own_data(folder):
    """Write small data for every measure; return the options of each that take it."""
    return {name: example_of(name).own_data(folder) for name in MEASURES}


def released_data(folder, monkeypatch):
    """Write our own sentences in the form of the sets that take no --data, and make them the pinned files."""
    for pinned in [pinned for name in MEASURES if (pinned := example_of(name).pinned_data)]:
        for path, text in pinned.texts().items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        dataset = registry.DATASETS[pinned.dataset]
        files = tuple(_pinned(folder, file) for file in dataset.files)
        monkeypatch.setitem(registry.DATASETS, pinned.dataset, replace(dataset, files=files))
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(folder))


def _pinned(folder, file):
    if not (folder / file.path).is_file():
        return file
    content = (folder / file.path).read_bytes()
    return replace(file, sha256=hashlib.sha256(content).hexdigest(), size=len(content), git_blob=None)


class Anthropic(HttpFake):
    """Replies "(a)" to every message, in Anthropic's protocol."""

    def reply(self, method, path, body):
        block = {"type": "text", "text": "(a)"}
        return 200, {"type": "message", "model": "claude-x", "content": [block], "stop_reason": "end_turn"}


class Gemini(HttpFake):
    """Replies "(a)" to every message, in Google's protocol."""

    def reply(self, method, path, body):
        content = {"role": "model", "parts": [{"text": "(a)"}]}
        return 200, {"candidates": [{"content": content, "finishReason": "STOP"}], "modelVersion": "gemini-x"}


def chat_model(plain: Path, folder: Path) -> Kind:
    """Copy a causal model and give its tokenizer a chat template."""
    shutil.copytree(plain, folder)
    (folder / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    return Kind(str(folder), ("--max-tokens", "4"))


def gguf_model(path: Path) -> Kind:
    """Write a GGUF file; its chat template is given beside it."""
    from tests.gguf.vocabularies import bpe_file

    path.with_suffix(".jinja").write_text(TEMPLATE, encoding="utf-8")
    template = ("--chat-template", str(path.with_suffix(".jinja")))
    return Kind(f"gguf:{bpe_file(path)}", (*template, "--max-tokens", "4"))


def seq2seq_model(folder: Path) -> Kind:
    """Save a random translation model that knows Slovak, Czech and Spanish; its outputs end soon."""
    import torch
    import transformers as tf

    from tests.tiny import TOKENIZERS

    tokenizer = TOKENIZERS["unigram-mask"]()
    tokenizer.add_special_tokens({"additional_special_tokens": ["eng_Latn", "slk_Latn", "ces_Latn", "spa_Latn"]})
    torch.manual_seed(1)
    size: dict[str, Any] = {
        "d_model": 16,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_ffn_dim": 16,
        "decoder_ffn_dim": 16,
    }
    heads: dict[str, Any] = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "max_position_embeddings": 256}
    tokens: dict[str, Any] = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id}
    tokens |= {"vocab_size": len(tokenizer), "decoder_start_token_id": tokenizer.eos_token_id}
    model = tf.M2M100ForConditionalGeneration(tf.M2M100Config(**tokens, **size, **heads, init_std=0.5))
    # More end-of-text makes outputs short: CTranslate2 keeps no settings of the search.
    cast(Any, model.get_input_embeddings()).weight.data[tokenizer.eos_token_id] *= 8
    model.generation_config.exponential_decay_length_penalty = (2, 2.0)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return Kind(f"hf:{folder}", ("--beams", "1"))


def ct2_model(seq2seq: Path, folder: Path) -> Kind:
    """Convert a translation model into CTranslate2's format."""
    import transformers as tf
    from ctranslate2.converters import TransformersConverter

    TransformersConverter(str(seq2seq)).convert(str(folder))
    tf.AutoTokenizer.from_pretrained(seq2seq).save_pretrained(folder)
    return Kind(f"ct2:{folder}", ("--beams", "1"))


def translations(folder: Path, own: Mapping[str, Mapping[str, str]]) -> Kind:
    """Write a file of translations for each language, of all that the measures ask."""
    sources: list[str] = []
    for name in TARGETS:
        of_measure = example_of(name).own_sources
        sources += of_measure(own[name]) if of_measure else read_column(own[name]["data"], "source")
    for language in dict.fromkeys(TARGETS.values()):
        write_table(folder / f"{language}.csv", ("source", "translation"), [(s, "Plakala som.") for s in sources])
    return Kind(f"file:{folder}/{{lang}}.csv")


#: the variables that point a service's client to a fake
VARIABLES = {
    "deepl": {"DEEPL_AUTH_KEY": KEY, "DEEPL_SERVER_URL": "URL"},
    "google": {"GOOGLE_API_KEY": KEY, "GOOGLE_TRANSLATE_ENDPOINT": "URL"},
    "amazon": {
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": KEY,
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ENDPOINT_URL_TRANSLATE": "URL",
    },
    "anthropic": {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "URL"},
    "gemini": {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "URL"},
}
SERVICES = {**FAKES, "anthropic": Anthropic, "gemini": Gemini}


def options_of(kind, measure, own):
    """Return the options with which a measure takes our own data and asks this kind of model."""
    to = {"to": kind.targets[measure]} if measure in kind.targets else {}
    return {**own[measure], **to}


def run_arguments(kind, measure, own):
    """Return the command that measures a kind of model."""
    options = options_of(kind, measure, own).items()
    given = [part for name, value in options for part in (f"-{name}" if len(name) == 1 else f"--{name}", value)]
    return ["run", measure, "--model", kind.spec, *given, *_offered(kind.options, measure)]


def _offered(options, measure):
    """Leave out options that have no effect on a measure: its command does not offer them."""
    from genderscope.cli.run import MeasureGroup

    command = MeasureGroup(name="run").get_command(None, measure)
    names = {name for parameter in command.params for name in parameter.opts}
    kept, offered = [], True
    for word in options:
        offered = word in names if word.startswith("--") else offered
        kept += [word] if offered else []
    return kept


def plan_arguments(kind, measures, own):
    """Return the command that plans the audit of a kind of model in all measures."""
    given = [
        ("--option", f"{measure}.{name}={value}")
        for measure in measures
        for name, value in options_of(kind, measure, own).items()
    ]
    wanted = [("--measure", measure) for measure in measures]
    flat = [part for pair in (*wanted, *given) for part in pair]
    return ["audit", "--plan", "--budget", "quick", "--model", kind.spec, *flat, *kind.options]
