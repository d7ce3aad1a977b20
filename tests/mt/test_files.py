"""Files that users have: lines, tables, JSON lines and translation memories; what does not line up is told by line."""

import gzip
import json
import tracemalloc

import pytest

from genderscope.core.errors import UserError
from genderscope.models import FileTranslator
from tests.support.translations import SOURCES, translations

SAID = ["Plakal som.", "Nespala som.", 'Viedol som „tím".']


def memory(pairs, source="en", target="sk", head=""):
    units = "".join(
        f'<tu>\n<tuv xml:lang="{source}"><seg>{s}</seg></tuv><tuv xml:lang="{target}"><seg>{t}</seg></tuv>\n</tu>\n'
        for s, t in pairs
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}<tmx version="1.4"><header/><body>\n{units}</body></tmx>\n'


PAIRS = list(zip(SOURCES, SAID, strict=True))
FORMS = {
    "lines.txt": "".join(f"{said}\n" for said in SAID),
    "lines.sk": "\r\n".join(SAID),
    "bom.txt": "\ufeff" + "\n".join(SAID),
    "by-source.tsv": "source\ttranslation\r\n" + "".join(f"{s}\t{t}\r\n" for s, t in PAIRS),
    "without-header.tsv": "".join(f"{s}\t{t}\n" for s, t in PAIRS),
    "by-number.tsv": "id\ttranslation\n"
    + "".join(f"{k}\t{t}\n" for k, t in ((3, SAID[2]), (1, SAID[0]), (2, SAID[1]))),
    "by-number.csv": "id,translation\n"
    + "".join('{},"{}"\n'.format(k, t.replace('"', '""')) for k, t in enumerate(SAID, 1)),
    "by-source.jsonl": "\n".join(json.dumps({"source": s, "translation": t}) for s, t in PAIRS) + "\n\n",
    "by-number.ndjson": "\n".join(json.dumps({"id": k, "translation": t}) for k, t in enumerate(SAID, 1)),
    "memory.tmx": memory(PAIRS),
    "regions.tmx": memory(PAIRS, "EN-us", "sk_SK", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'),
    "three-letters.tmx": memory(PAIRS, "eng", "slk"),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_file_gives_the_same_translations(name, packed, tmp_path):
    content = FORMS[name].encode()
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(content) if packed else content)
    model = FileTranslator(str(path))
    assert translations(model, SOURCES) == SAID
    assert model.cautions() == []


def test_a_memory_may_be_of_another_encoding_and_holds_codes_that_are_no_text(tmp_path):
    coded = SAID[0].replace(" ", '<bpt i="1">&lt;b&gt;</bpt> <hi>').replace(".", '</hi><ept i="1"/>.')
    text = memory([(SOURCES[0], coded), *PAIRS[1:]]).replace('encoding="UTF-8"', 'encoding="UTF-16"')
    (tmp_path / "m.tmx").write_bytes(text.encode("utf-16"))
    assert translations(FileTranslator(str(tmp_path / "m.tmx")), SOURCES) == SAID


LAUGHS = '<!DOCTYPE tmx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n'
FETCHED = '<!DOCTYPE tmx [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n'
REFUSED = {
    "an entity": ("m.tmx", memory([(SOURCES[0], "&b;")], head=LAUGHS), "line 2: the entity 'a' is not supported"),
    "a file": ("m.tmx", memory([(SOURCES[0], "&x;")], head=FETCHED), "line 2: the entity 'x' is not supported"),
    "an unknown entity": ("m.tmx", memory([(SOURCES[0], "&x;")]), "line 4: not well-formed XML .undefined entity"),
    "broken XML": ("m.tmx", memory(PAIRS).replace("</seg></tuv>\n", "</tuv>\n", 1), "line 4: not well-formed XML"),
    "half a file": ("m.tmx", memory(PAIRS)[:200], "line 7: not well-formed XML"),
    "no TMX": ("m.tmx", "<html><body/></html>", "line 1: not a TMX file: it begins with <html>"),
    "nothing": ("m.tmx", "", "line 1: not well-formed XML .no element found"),
    "another pair": (
        "m.tmx",
        memory(PAIRS, "en", "cs"),
        r"no unit with 'en' and 'sk' .its languages: cs, en.; use",
    ),
    "no UTF-8": ("m.tmx", memory(PAIRS).encode().replace(b"Plakal", b"\xff"), "line 4: not well-formed XML"),
    "a nest": ("m.tmx", "<tmx>" + "<a>" * 99, "line 1: its elements are nested too deeply"),
    "an id twice": ("n.csv", "id,translation\n1,a\n2,b\n1,c\n", "line 4: id 1 is already in line 2"),
    "an id too many": ("n.csv", "id,translation\n1,a\n4,b\n", "line 3: there is no source 4; ids run from 1 to 3"),
    "an id that is none": ("n.tsv", "id\ttranslation\nx1\ta\n", "line 2: the id is 'x1'; it must be a source number"),
    "a JSON id": (
        "n.jsonl",
        '{"id": 1, "translation": "a"}\n{"id": true, "translation": "b"}',
        "line 2: expected a JSON object",
    ),
    "broken JSON": (
        "n.jsonl",
        '{"id": 1, "translation": "a"}\n\n{"id": 2, ',
        "line 3: expected a JSON object with source",
    ),
    "a number as text": (
        "n.jsonl",
        '{"source": "I cried.", "translation": 5}',
        "line 1: expected a JSON object with source",
    ),
    "a cell too many": ("n.tsv", "source\ttranslation\nI cried.\ta\tb\n", "line 2: expected 2 columns, as in"),
    "neither source nor id": ("n.tsv", "english\tslovak\nx\ty\n", "has no column source .its columns: english, slovak"),
    "UTF-16 lines": ("n.txt", "Plakal som.\n".encode("utf-16"), "line 1: the text is not UTF-8"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_cannot_be_read_is_refused_in_one_sentence_with_its_line(what, tmp_path):
    name, content, complaint = REFUSED[what]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=complaint) as refused:
        translations(FileTranslator(str(tmp_path / name)), SOURCES)
    assert str(refused.value).count(". ") == 0
    assert "/etc/passwd" not in str(refused.value)


def test_what_does_not_line_up_is_told_with_its_place(tmp_path):
    rows = [("I cried.", "a"), ("I did not sleep.", "b"), ("I cried.", "c"), ("I led the team.", "d")]
    for name, content in {
        "x.tsv": "source\ttranslation\n" + "".join(f"{s}\t{t}\n" for s, t in rows),
        "x.jsonl": "\n" + "\n".join(json.dumps({"source": s, "translation": t}) for s, t in rows),
    }.items():
        (tmp_path / name).write_text(content)
        model = FileTranslator(str(tmp_path / name))
        assert translations(model, SOURCES) == ["c", None, "d"]
        assert model.cautions() == [
            f"Sources in '{name}': 1 missing (the first is source 2), 1 repeated with a different translation (the "
            "last is used; the first is on line 4), 1 not needed (the first is on line 3)."
        ]


def test_a_row_without_a_translation_is_a_missing_one(tmp_path):
    (tmp_path / "s.csv").write_text("source,translation\nI cried.\nI led the team.,\n")
    (tmp_path / "s.jsonl").write_text('{"id": 1, "translation": null}\n{"id": 3, "translation": ""}\n')
    for name in ("s.csv", "s.jsonl"):
        model = FileTranslator(str(tmp_path / name))
        assert translations(model, SOURCES) == [None, None, ""]
        assert model.cautions() == [f"Sources in '{name}': 2 missing (the first is source 1)."]


def test_a_quotation_mark_in_a_table_of_tabs_is_text(tmp_path):
    (tmp_path / "q.tsv").write_text('source\ttranslation\nI cried.\t"Plakal som.\nI led the team.\t"Viedol ""som"""\n')
    assert translations(FileTranslator(str(tmp_path / "q.tsv")), SOURCES) == ['"Plakal som.', None, 'Viedol "som"']


@pytest.mark.long
def test_a_large_memory_is_read_as_a_stream(tmp_path):
    many = memory([*PAIRS, *((f"Nobody asked for this {k}.", "x" * 900) for k in range(20_000))])
    path = tmp_path / "large.tmx"
    path.write_text(many)
    model = FileTranslator(str(path))
    model.expect(SOURCES)
    tracemalloc.start()
    model.check("en", "sk")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert path.stat().st_size > 20_000_000
    assert peak < 10_000_000
    assert model.cautions() == ["Sources in 'large.tmx': 20,000 not needed (the first is on line 12)."]


def test_a_comment_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("genderscope.core.tables.LONGEST_LINE", 1_000_000)
    path = tmp_path / "endless.tmx.gz"
    path.write_bytes(gzip.compress(b"<tmx>\n<!-- " + b"x" * 40_000_000, 1))
    model = FileTranslator(str(path))
    model.expect(SOURCES)
    with pytest.raises(UserError, match="line 2: a tag or comment is longer than 1,000,000 bytes"):
        model.check("en", "sk")


def test_the_mark_between_context_and_sentence_may_stand_in_the_source(tmp_path):
    (tmp_path / "c.csv").write_text("source,translation\nShe won. <sep> The doctor left.,La doctora salió.\n")
    model = FileTranslator(str(tmp_path / "c.csv"))
    assert translations(model, ["She won. The doctor left."], "es") == ["La doctora salió."]
