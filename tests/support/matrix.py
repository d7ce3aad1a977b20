"""Every kind of model, tiny and on this machine, and data of our own for every measure."""

import csv
import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from genderscope.samples import registry
from genderscope.samples.bbq import BBQ
from genderscope.samples.decisions import COLUMNS as DECISION_COLUMNS
from genderscope.samples.dialogue import load as load_dialogue
from tests.honest.planted import write_data
from tests.server.http_fake import HttpFake
from tests.server.services_fake import FAKES

KEY = "not-a-real-key"
#: renders a conversation for models whose tokenizer has no template of its own
TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"
WORDS = ("there", "tired", "old", "heavy", "late", "small")
#: the biased, the counter-biased and the unknown answer
PEOPLE = ("The woman", "The man", "Not known")
#: what a translation measure is asked to translate into, unless the kind of model says otherwise
TARGETS = {"gest-mt": "sk", "dialogue": "cs", "mt-geneval": "sk", "winomt": "es", "gate": "es"}
DIALOGUE = 8


@dataclass(frozen=True)
class Kind:
    """A kind of model: its model string, the options it needs, and what it translates into."""

    spec: str
    options: Sequence[str] = ()
    targets: Mapping[str, str] = field(default_factory=lambda: TARGETS)


def write_table(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return str(path)


def own_data(folder):
    """Write small data for every measure; return the options of each that take it."""
    sentences = [f"I was {word} {k} times." for k, word in enumerate(WORDS)]
    gest = [(f"{sentence} {i}", i) for sentence in sentences[:1] for i in range(1, 17)]
    pairs = [(f"Bol som {word} {i}.", f"Bola som {word} {i}.", i) for word in WORDS[:1] for i in range(1, 17)]
    europe = [("fr", f"fort {i} {k}", f"forte {i} {k}", i) for k in range(1) for i in range(1, 17)]
    fills = [
        tuple(f"The {who} by the lake {k} is <{word}>." for who in ("man", "woman") for word in WORDS[:2])
        for k in range(4)
    ]
    segments: list[tuple[Any, ...]] = [
        (k, gender, f"The {gender} {k} came.", right, wrong, "")
        for k in range(4)
        for gender, right, wrong in (("masculine", f"ko{k}", f"ka{k}"), ("feminine", f"ka{k}", f"ko{k}"))
    ]
    segments += [("", "", f"It {k} came.", f"ko{k}", f"ka{k}", "He left.") for k in range(4)]
    told = {"ambiguous": ("unknown",), "disambiguated": ("biased", "counter")}
    questions = [
        (f"t{k}", "women", condition, "negative", f"A man and a woman met {k} {truth}.", "Who came?", *PEOPLE, truth)
        for k in range(4)
        for condition, truths in told.items()
        for truth in truths
    ]
    nurses = [
        (f"The nurse called the guard because {who} was late {k} times.", "nurse", gender)
        for k in range(4)
        for who, gender in (("he", "masculine"), ("she", "feminine"))
    ]
    people = [(f"The nurse saw {k} lakes.", "nurse") for k in range(8)]
    decisions: list[tuple[Any, ...]] = [
        ("jobs", f"{word} worker", "", k / 5, "", "", "") for k, word in enumerate(WORDS)
    ]
    decisions += [("inventories", f"is {word}", "", k % 2, "", "", "") for k, word in enumerate(WORDS)]
    decisions += [("discrimination", f"[She|He] is {word}. May [she|he] come?", "", "", "", "", "") for word in WORDS]
    decisions += [("relationships", f"NAME1 is {word}; NAME2 says no.", "", "", "", "Eva", "Jan") for word in WORDS]
    templates, lexicon = write_data(folder)
    quadruplets = write_table(folder / "fills.csv", ("s0", "s1", "s2", "s3"), fills)
    own = {
        "gest": {"data": write_table(folder / "gest.csv", ("sentence", "stereotype"), gest)},
        "honest": {"data": templates, "lexicon": lexicon, "k": "2", "limit": "6"},
        "stereoset": {"data": quadruplets},
        "slovak-gender": {"data": quadruplets},
        "crows": {},
        "gest-slavic": {"pairs": write_table(folder / "pairs.csv", ("male", "female", "stereotype"), pairs)},
        "winobias": {},
        "dialogue": {"data": "starter", "limit": str(DIALOGUE)},
        "eurogest": {
            "data": write_table(folder / "europe.csv", ("language", "male", "female", "stereotype"), europe),
        },
        "bbq": {"data": write_table(folder / "questions.csv", BBQ.columns, questions)},
        "decisions": {"data": write_table(folder / "decisions.csv", DECISION_COLUMNS, decisions)},
        "mt-geneval": {
            "data": write_table(
                folder / "segments.csv", ("segment", "gender", "source", "reference", "flipped", "context"), segments
            )
        },
        "winomt": {"data": write_table(folder / "nurses.csv", ("source", "entity", "gender"), nurses)},
        "gate": {"data": write_table(folder / "people.csv", ("source", "entity"), people)},
    }
    return own | {"gest-chat": own["gest"], "gest-mt": own["gest"]}


def released_data(folder, monkeypatch):
    """Write our own sentences in the form of the two sets that take no --data, and make them the pinned files."""
    people = [("doctor", "nurse", "he", "she"), ("nurse", "doctor", "she", "he")]
    lines = [
        [f"{k} [The {one}] asked the {other} {k} times because [{who[turn]}] was late."
         for k, (one, other, *who) in enumerate(people * 2, 1)]
        for turn in (0, 1)
    ]  # fmt: skip
    for version, sentences in zip(("pro", "anti"), lines, strict=True):
        for kind in (1, 2):
            for split in ("dev", "test"):
                _place(folder, f"winobias/{version}_stereotyped_type{kind}.txt.{split}", "\n".join(sentences))
    pairs = [
        ",".join(f"{who} was {no}{word} {k} times." for k in range(2) for word in WORDS[:4])
        for no in ("", "not ")
        for who in ("He", "She")
    ]
    _place(folder, "wordfill/crows_negation.csv", "\n".join(pairs))
    for name in ("winobias", "wordfill"):
        known = registry.DATASETS[name]
        files = tuple(_pinned(folder, file) for file in known.files)
        monkeypatch.setitem(registry.DATASETS, name, replace(known, files=files))
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(folder))


def _place(folder, path, text):
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")


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
    sources = [row["sentence"] for row in _rows(own["gest"]["data"])]
    sources += [row["source"] for name in ("mt-geneval", "winomt", "gate") for row in _rows(own[name]["data"])]
    sources += [source.text for source in load_dialogue("starter").samples]
    for language in dict.fromkeys(TARGETS.values()):
        write_table(folder / f"{language}.csv", ("source", "translation"), [(s, "Plakala som.") for s in sources])
    return Kind(f"file:{folder}/{{lang}}.csv")


def _rows(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


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
