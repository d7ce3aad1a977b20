"""Whatever a file holds, a loader gives samples or one sentence: no other exception, no hang."""

import contextlib
import gzip
import json
import os
import re
import socket
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from genderscope.core import tables as bounds
from genderscope.core.errors import UserError
from genderscope.models.translation.file import FileTranslator
from genderscope.samples import gender_pairs as pairs
from genderscope.samples import gest, honest, hurtlex, quadruplets
from genderscope.samples.dialogue import load as load_dialogue
from genderscope.samples.dialogue import parse_sources, parse_suite, parse_vocabulary, starter_vocabulary

EXAMPLES = settings(max_examples=60, deadline=5000, suppress_health_check=list(HealthCheck))

HEADERS = {
    "gest": "sentence,stereotype",
    "pairs": "male,female,stereotype,source",
    "honest": "template_masked\traw\tidentity\tnumber\tcategory\ttype",
    "hurtlex": "lemma\tcategory\tlevel",
    "wordfill": "s0,s1,s2,s3",
    "dialogue": "source,adjective,gender_context,true_label",
    "vocabulary": "adjective,gender,sentiment,type,adverb,occupation",
}
LOADERS = {
    "gest": lambda path: gest.load(str(path)),
    "pairs": lambda path: pairs.load(str(path)),
    "honest": lambda path: honest.load("en", data=str(path)),
    "hurtlex": lambda path: hurtlex.load("en", path=str(path)),
    "wordfill": lambda path: quadruplets.load_own(str(path), skip_bad=False),
    "dialogue": lambda path: parse_suite(_text(path), starter_vocabulary(), "own.csv"),
    "vocabulary": lambda path: parse_vocabulary(dict.fromkeys(("adjectives", "adverbs", "occupations"), _text(path))),
}

cells = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["I cried.", "8", "17", "9" * 5000, "٨", "²", "", '"', "<x>", "[M]", "singular", "conservative"]),
    st.sampled_from(["\0", "\r", "\x1b[2J", "\u202e", "=1+1", "nan", "x" * 140_000, '"' * 99, "{}", "I am <calm>."]),
)
tables = st.lists(st.lists(cells, max_size=7), max_size=6)


def _text(path):
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        raise UserError("not UTF-8") from None


def written(header, rows, delimiter):
    """Lay the cells out without any quoting, as a careless program would."""
    return "\n".join([header, *(delimiter.join(row) for row in rows)]).encode("utf-8", "surrogatepass")


def loaded(load, path):
    try:
        return load(path)
    except UserError:
        return None


@pytest.mark.long
@pytest.mark.parametrize("name", LOADERS)
def test_a_loader_survives_any_table(name, tmp_path):
    header = HEADERS[name]

    @EXAMPLES
    @given(rows=tables)
    @example(rows=[["x" * 140_000] * 3])
    @example(rows=[["I cried.", "9" * 5000]])
    @example(rows=[['"open quote'] * 3, ["a", "b"]])
    def survives(rows):
        (tmp_path / "own.csv").write_bytes(written(header, rows, "\t" if "\t" in header else ","))
        loaded(LOADERS[name], tmp_path / "own.csv")

    survives()


@pytest.mark.long
@pytest.mark.parametrize("name", LOADERS)
def test_a_loader_survives_any_bytes(name, tmp_path):
    @EXAMPLES
    @given(content=st.one_of(st.binary(max_size=300), st.text(max_size=100).map(lambda t: t.encode("utf-16"))))
    @example(content=b"")
    @example(content=b"\xef\xbb\xbf")
    @example(content=b"\x1f\x8b\x08\x00")
    def survives(content):
        (tmp_path / "own.csv").write_bytes(content)
        loaded(LOADERS[name], tmp_path / "own.csv")

    survives()


@pytest.mark.parametrize("name", ["gest", "pairs", "wordfill", "honest", "hurtlex"])
@pytest.mark.parametrize("path", ["", "no/such/file", "\0", "~nobody-at-all/x", ".", "/dev/null"])
def test_a_name_that_is_no_file_is_one_sentence(name, path):
    with pytest.raises(UserError):
        LOADERS[name](path)


def written_by(content):
    return lambda path: path.write_bytes(content)


HEAD = b"source,translation\n"
ENDLESS = {
    "a pipe": (os.mkfifo, "it is a pipe, which can be read only once; give a file"),
    "a socket": (lambda path: socket.socket(socket.AF_UNIX).bind(str(path)), "No such device or address"),
    "a folder": (Path.mkdir, "it is a folder; give a file"),
    "zeros": (lambda path: path.symlink_to("/dev/zero"), "it is a device; give a file"),
    "sparse": (lambda path: path.open("wb").truncate(10**12), "line 1: the line is longer than 2,000,000 bytes"),
    "a long line": (written_by(HEAD + b"x" * 2_000_001), "line 2: the line is longer than 2,000,000 bytes"),
    "a bomb": (written_by(gzip.compress(HEAD + (b"x" * 999 + b"\n") * 8000)), "contains more than 6,000,000 bytes"),
    "half a bomb": (written_by(gzip.compress(HEAD)[:-5]), "not a complete gzip file"),
}


def translated(path):
    model = FileTranslator(str(path))
    model.expect(["I cried."])
    model.check("en", "sk")


OPENED = {
    **{name: LOADERS[name] for name in ("gest", "pairs", "wordfill", "honest", "hurtlex")},
    "suite": lambda path: load_dialogue(str(path)),
    "translations": translated,
}


@pytest.mark.parametrize("name", OPENED)
def test_what_has_no_end_is_refused_at_once(name, monkeypatch):
    monkeypatch.setattr(bounds, "LARGEST_FILE", 6_000_000)
    monkeypatch.setattr(bounds, "LARGEST_STREAM", 6_000_000)
    monkeypatch.setattr(bounds, "LONGEST_LINE", 2_000_000)
    for vocabulary in ("adjectives", "adverbs", "occupations"):
        Path(f"{vocabulary}.csv").write_text("adjective,gender,sentiment,type,adverb,occupation\n")
    for what, (make, complaint) in ENDLESS.items():
        path = Path(f"{what}.csv.gz" if "bomb" in what else f"{what}.csv")
        make(path)
        with pytest.raises(UserError, match=re.escape(complaint)):
            OPENED[name](path)


SOURCES = ["I cried.", "I led the team.", "It’s  me."]


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "tmx", "txt", "csv.gz", "jsonl.gz", "tmx.gz", "txt.gz"])
def test_a_file_of_translations_survives_anything(suffix, tmp_path):
    lines = st.one_of(
        st.text(max_size=60),
        st.sampled_from(
            ["source,translation", "source\ttranslation", "I cried.,Plakala som.", "[" * 50_000, "1", "[]"]
        ),
        st.sampled_from(['{"source": "I cried.", "translation": "\\ud800"}', '{"source": {}, "translation": null}']),
        st.sampled_from(
            ["<tmx>", "</tmx>", "<tu>", "<tuv lang='en'>", "<seg>", "<!DOCTYPE a [", "&lt;", "<!--", "]]>"]
        ),
        st.sampled_from(["null", '"x"', "x" * 140_000, '"', "\0,\0", "I cried.\tPlakala som.", "{" * 2000]),
    )

    @EXAMPLES
    @given(content=st.one_of(st.lists(lines, max_size=5).map("\n".join), st.binary(max_size=200)))
    def survives(content):
        encoded = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        path = tmp_path / f"translations.{suffix}"
        path.write_bytes(gzip.compress(encoded) if suffix.endswith("gz") and encoded[:1] != b"\x1f" else encoded)
        try:
            model = FileTranslator(str(path))
            model.expect(SOURCES)
            model.check("en", "sk")
            plan = model.plan([], None)
            assert plan.batches == ()
            assert len(model.translate(SOURCES, "en", "sk")) == len(SOURCES)
            _ = model.fingerprint, model.cautions(), model.describe()
        except UserError:
            pass

    survives()


def test_half_a_surrogate_pair_in_a_translation_can_be_kept_and_shown(tmp_path):
    from genderscope.core.journal_codec import answer_from_json, answer_to_json
    from genderscope.core.questions import Translation

    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"source": "I cried.", "translation": "Plakala \ud800som."}))
    model = FileTranslator(str(path))
    model.expect(SOURCES[:1])
    batch = model.plan([Translation("I cried.", "en", "sk")], None).batches[0]
    [answer] = model.answer(batch)
    assert answer_from_json(Translation, answer_to_json(answer)).text == "Plakala \ufffdsom."


@pytest.mark.long
@pytest.mark.parametrize(
    ("unit", "size"), [(b"\0", 80_000_000), (b"x", 80_000_000), (b"x\n", 60_000), (b'"a","b"\n', 240_000)]
)
def test_a_gzip_bomb_of_translations_does_not_fill_the_memory(unit, size, tmp_path):
    """A line without end is given up; lines that nobody asked for are counted and forgotten."""
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"source,translation\nI cried.,Plakala som.\n" + unit * (size // len(unit)), 1))
    model = FileTranslator(str(path))
    model.expect(SOURCES)
    tracemalloc.start()
    with contextlib.suppress(UserError):
        model.check("en", "sk")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < (40_000_000 if size == 80_000_000 else 1_000_000)


def test_the_passages_of_a_dialogue_file_survive_any_text():
    @EXAMPLES
    @given(text=st.text(max_size=200))
    @example(text="source\n\0")
    @example(text='source\n"')
    def survives(text):
        loaded(lambda _: parse_sources(text, "own.csv"), None)
        loaded(lambda _: parse_sources(f"source\n{text}", "own.csv"), None)

    survives()
