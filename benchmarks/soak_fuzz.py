"""Feeds every reader random and mutated text: no crash, no hang, and time that grows with the length only.

    python benchmarks/soak_fuzz.py [--count 100000] [--only sk,es,hurtful] [--seed 0]

For each language: so many short strings, three in four of them sentences of the test suite that were cut, doubled,
shuffled and spiked, one in four random characters; then a few monsters of a million characters. Prints strings a
second, the slowest one (processor time), and fails if a reading takes longer than the bound.
"""

import argparse
import csv
import gc
import random
import re
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from genderscope.core.languages import SPEAKER_LANGUAGES
from genderscope.core.questions import Translation
from genderscope.grammar import speaker_gender
from genderscope.grammar.adjectives import adjective_gender
from genderscope.measures.characters import read_character
from genderscope.measures.gest_chat.reading import read_choice
from genderscope.measures.gest_chat.wordings import built_in, languages
from genderscope.measures.honest.hurtful import HurtfulWords
from genderscope.measures.honest.published import HurtfulWordsAsPublished
from genderscope.measures.mt_geneval.reading import sentence_of
from genderscope.measures.published import genderbench
from genderscope.models.chat import unwrapped, without_thoughts
from genderscope.models.server.chat_client import served_by

TESTS = Path(__file__).parent.parent / "tests"

#: Seconds that a reading may take: this, and so much for every thousand characters.
BOUND, BOUND_PER_THOUSAND = 2.0, 0.05

ODD = [
    *"\"'“”„«»‹›‘’`´()[]{}<>—–―-…!?.,;:/\\|@#&%*_~^=+0123456789",
    *"\0\a\b\t\n\v\f\r\x1b\x7f\x85\x9b\xa0\xad",
    *"\u0300\u0301\u030c\u0327\u036f\u200b\u200d\u200e\u2028\u202e\u2066\ufeff\ufffd\ufffe",
    *"\ud800\udfff\U0001f600\U0001f468\u05d0\u0627\u4e2d\ua9c5\u1100\u0130\u0131\u1e9e\ufb01",
    "&#0;",
    "&#x110000;",
    "&amp;",
    "''",
    "``",
    "ein",
]
LETTERS = "aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzžąćęłńśźżđñðþæö" + "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэъёўљњћђџ"


@cache
def seeds(language, kind="grammar", column="text"):
    """The sentences of the test suite, which were written for it."""
    with (TESTS / kind / "cases" / f"{language}.tsv").open(encoding="utf-8") as file:
        return [row[column] for row in csv.DictReader(file, delimiter="\t")]


def mutated(text, chance):
    for _ in range(chance.randrange(1, 6)):
        a, b = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        piece = text[a:b]
        change = chance.randrange(7)
        if change == 0:
            text = text[:a] + text[b:]
        elif change == 1:
            text = text[:b] + piece * chance.randrange(1, 4) + text[b:]
        elif change == 2:
            text = text[:a] + chance.choice(ODD) * chance.randrange(1, 5) + text[a:]
        elif change == 3:
            text = text[:a] + "".join(chance.sample(piece, len(piece))) + text[b:]
        elif change == 4:
            text = text[:a] + piece.swapcase() + text[b:]
        elif change == 5:
            text = text.replace(" ", chance.choice(ODD))
        else:
            text = " ".join(chance.sample(words := text.split(" "), len(words)))
    return text


def noise(chance):
    pool = chance.choice(
        [ODD, list(LETTERS), [*ODD, *LETTERS, " "], [chr(chance.randrange(0x110000)) for _ in "12345"]]
    )
    return "".join(chance.choices(pool, k=chance.randrange(60)))


def strings(count, sentences, seed=0):
    """Random and mutated strings, the same for the same seed."""
    chance = random.Random(seed)
    for k in range(count):
        yield noise(chance) if k % 4 == 0 else mutated(chance.choice(sentences), chance)


def monsters(sentences, size=1_000_000):
    """Long strings of every kind that makes a careless reader quadratic or worse."""
    chance = random.Random(size)
    sentence = chance.choice(sentences)
    words = sentence.split()
    units = {
        "no spaces": words[0].strip(".,") or "a",
        "one letter": "a",
        "hyphens": "a-",
        "apostrophes": "a'",
        "only hyphens": "-",
        "combining marks": "\u0301",
        "letters with marks": "a\u0301\u0301",
        "opening quotes": "“",
        "quotes around nothing": '" ',
        "single quotes": " 'a",
        "unmatched quotes and speech": f"„{sentence} ",
        "dashes": "— a ",
        "slashes": "a/",
        "brackets": "a(b",
        "commas": "a,",
        "entities": "&#x41;",
        "broken entities": "&#",
        "spaces": " ",
        "line breaks": "\n",
        "one word again and again": f"{words[-1]} ",
        "sentences": f"{sentence} ",
        "mixed up": None,
        "surrogates": "\ud800a ",
        "digits": "1",
        "zeros": "\0",
    }
    for name, unit in units.items():
        if unit is None:
            text = " ".join(chance.choices([w for s in sentences for w in s.split()] + ODD, k=size // 6))
        else:
            text = unit * (size // len(unit))
        yield name, text


#: of each language a first-person word, a form that shows a gender, a word that goes with either, and "and"
TELLING = {
    "be": ("я", "была", "сам", "і"),
    "cs": ("jsem", "byla", "unavený", "a"),
    "hr": ("sam", "bila", "umoran", "i"),
    "pl": ("będę", "była", "zmęczony", "i"),
    "ru": ("я", "была", "сам", "и"),
    "sk": ("som", "bola", "unavený", "a"),
    "sl": ("sem", "bila", "utrujen", "in"),
    "sr": ("сам", "била", "уморан", "и"),
    "uk": ("я", "була", "сам", "і"),
    "adjectives-cs": ("jsem", "byla", "moc", "a"),
    "adjectives-es": ("soy", "una", "muy", "y"),
    "adjectives-is": ("er", "búin", "mjög", "og"),
    "adjectives-source": ("I am", "tired", "not", "and"),
}


def crowds(name, sentences, size=100_000):
    """Long texts without a full stop in which every word could belong to every other."""
    mine, shown, either, joint = TELLING[name]
    half = size // 2
    running = " ".join(re.findall(r"\w+", " ".join(sentences))) + " "
    yield "no punctuation", repeated(running, size)
    yield "first person only", repeated(f"{mine} ", size)
    yield "first person, then forms", repeated(f"{mine} ", half) + repeated(f"{shown} ", half)
    yield "forms, then first person", repeated(f"{either} ", half) + repeated(f"{mine} ", half)
    yield "first person among forms", repeated(f"{shown} {mine} {either} ", size)
    yield "parts of one clause", repeated(f"{either} {joint} {mine} {joint} ", size)


def repeated(unit, size):
    return unit * (size // len(unit) + 1)


def readers():
    """Every reader with sentences to start from: name -> (function of a text, sentences)."""
    english = [f"I am {word}, you are not {word}." for word in ("tired", "brave", "well-read")] * 2
    source = "\"I'm tired, and you're not brave,\" he muttered."
    found: dict[str, tuple[Callable[..., Any], Any]] = {}
    for language in SPEAKER_LANGUAGES:
        found[language] = (lambda text, language=language: speaker_gender(text, language), seeds(language))
    for language in ("cs", "es", "is"):
        found[f"adjectives-{language}"] = (
            lambda text, language=language: adjective_gender(source, text, language),
            seeds(language, "dialogue", "translation"),
        )
    found["adjectives-source"] = (lambda text: adjective_gender(text, "—Estoy cansada.", "es"), english)
    words = [("cock-eyed", "a"), ("half caste", "b"), ("naïve fool", "c"), ("fool", "c"), ("---", "d")]
    lines = ["you are a Fool", "half-caste", "a naive  FOOL", "cock-eyed-cock"]
    found["hurtful"] = (lambda text: HurtfulWords(words, str.lower).read([text]), lines)
    found["hurtful-as-published"] = (lambda text: HurtfulWordsAsPublished(words).read([text]), lines)
    return found | reply_readers()


def reply_readers():
    """Every reader of replies, and of what servers send: name -> (function of a text, texts to start from)."""
    options = ("female", "male", "neither")
    answers, profiles = (_columns(name) for name in ("answers.csv", "profiles.csv"))
    thinking = [f"<think>{text}</think>{text}" for text, _ in answers[:20]]
    asked = Translation("I was tired.", "en", "es")
    found: dict[str, tuple[Callable[..., Any], Any]] = {
        "thoughts": (lambda text: (without_thoughts(text), without_thoughts(text, begun=True)), thinking),
        "translation": (
            lambda text: unwrapped(text, asked),
            ["Sure! Here it is: **Estaba cansada.**", "1. Estaba cansado.\n2. Estaba cansada.", "Fui.\n\nNote: it is."],
        ),
        "context": (lambda text: sentence_of(text, "We met. I was tired.", "I was tired."), ["Nos vimos. Yo fui."]),
        "model": (lambda text: (served_by("m", f"m{text}"), served_by(text, "m")), ["-2024-08-06", "@001-latest"]),
        "choice-as-published": (lambda text: genderbench.read_letter(text, options), [text for text, _ in answers]),
        "character-as-published": (genderbench.read_character, [text for text, _ in profiles]),
    }
    for language in languages():
        labels = built_in(language, "ask", 1, published=False)[0].in_order(options)
        found[f"choice-{language}"] = (
            lambda text, language=language, labels=labels: read_choice(text, options, labels, language),
            [text for text, code in answers if code == language],
        )
        found[f"character-{language}"] = (
            lambda text, language=language: read_character(text, "I am strong.", language),
            [text for text, code in profiles if code == language],
        )
    return found


@cache
def _columns(name):
    with (TESTS / "gest_chat" / name).open(encoding="utf-8", newline="") as file:
        return [(row.get("reply") or row.get("text") or "", row["language"]) for row in csv.DictReader(file)]


def bound(text):
    return BOUND + BOUND_PER_THOUSAND * len(text) / 1000


def timed(read, text):
    """Return the processor time of this thread: what others do on this machine is not the reader's fault."""
    gc.disable()
    start = time.thread_time()
    try:
        read(text)
        return time.thread_time() - start
    finally:
        gc.enable()


def soak(name, count, seed=0, size=1_000_000):
    """Feed one reader; return the figures, with `late` naming the strings over the bound."""
    read, sentences = readers()[name]
    for sentence in sentences:  # dictionaries are loaded once
        read(sentence)
    slowest, late, spent = (0.0, ""), [], 0.0
    for text in strings(count, sentences, seed):
        seconds = timed(read, text)
        spent += seconds
        if seconds > bound(text):  # a disturbance passes
            seconds = min(timed(read, text) for _ in range(5))
        slowest = max(slowest, (seconds, text))
        if seconds > bound(text):
            late.append(text)
    worst = (0.0, "none")
    crowded = crowds(name, sentences, size) if name in TELLING else ()
    for kind, text in (*monsters(sentences, size), *crowded):
        seconds = timed(read, text)
        if seconds > bound(text):
            seconds = min(timed(read, text) for _ in range(5))
        worst = max(worst, (seconds, kind))
        if seconds > bound(text):
            late.append(f"{kind}: {seconds:.1f} s")
    return {"rate": count / max(spent, 1e-9), "slowest": slowest, "worst": worst, "late": late}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--size", type=int, default=1_000_000)
    chosen = parser.parse_args()
    late = 0
    for name in chosen.only.split(",") if chosen.only else readers():
        found = soak(name, chosen.count, chosen.seed, chosen.size)
        late += len(found["late"])
        slowest, worst = found["slowest"][0] * 1000, found["worst"]
        print(
            f"{name:22} {chosen.count:,} strings, {found['rate']:7,.0f} a second, slowest {slowest:6.1f} ms; "
            f"of {chosen.size:,} characters {worst[0]:6.2f} s ({worst[1]}); late: {found['late'][:5]}",
            flush=True,
        )
    sys.exit(1 if late else 0)
