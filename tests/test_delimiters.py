"""Tables with semicolons, tabs or pipes are read if the header leaves no doubt; otherwise the delimiter is named."""

import pytest

from genderscope.core.errors import UserError
from genderscope.core.tables import delimiter_of
from genderscope.models import FileTranslator
from genderscope.samples import eurogest, gender_pairs, gest

NAMES = {";": "semicolons", "\t": "tabs", "|": "pipes"}


@pytest.mark.parametrize("mark", NAMES)
def test_own_data_with_another_delimiter_is_read_with_a_note(cli, tmp_path, mark):
    data = tmp_path / "own.csv"
    data.write_text(f"sentence{mark}stereotype\nI cried, again.{mark}1\n", encoding="utf-8")
    assert [(s.sentence, s.stereotype) for s in gest.load(str(data)).samples] == [("I cried, again.", 1)]
    told = cli("data", "sources", "gest-mt", "--data", data)
    assert told.stdout == "I cried, again.\n"
    assert told.stderr == f"'{data}' has {NAMES[mark]} instead of commas between its columns.\n"


@pytest.mark.parametrize("mark", NAMES)
def test_pairs_and_translations_with_another_delimiter_are_read(tmp_path, mark):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(f'"male"{mark}"female"{mark}"stereotype"\nBol som.{mark}Bola som.{mark}weak\n', encoding="utf-8")
    assert gender_pairs.load(str(pairs)).samples[0].stereotype == 6
    pairs.write_text(f"language{mark}male{mark}female{mark}stereotype\nSlovak{mark}Bol som.{mark}Bola som.{mark}1\n")
    assert list(eurogest.load_own(str(pairs)).pairs) == ["sk"]
    file = tmp_path / "out.csv"
    file.write_text(f'source{mark}translation\nI cried, a lot.{mark}Plakal "som.\n', encoding="utf-8")
    translator = FileTranslator(str(file))
    translator.expect(["I cried, a lot."])
    assert translator.translate(["I cried, a lot."], "en", "sk") == ['Plakal "som.']


def test_a_tsv_file_with_commas_is_read(tmp_path):
    file = tmp_path / "out.tsv"
    file.write_text("source,translation\nI cried.,Plakal som.\n", encoding="utf-8")
    translator = FileTranslator(str(file))
    translator.expect(["I cried."])
    assert translator.translate(["I cried."], "en", "sk") == ["Plakal som."]


def test_an_ambiguous_header_names_its_delimiters(tmp_path):
    data = tmp_path / "own.csv"
    data.write_text("sentence;stereotype|note\nI cried.;1|x\n", encoding="utf-8")
    with pytest.raises(UserError, match="its header contains semicolons and pipes, so separate the columns by commas"):
        gest.load(str(data))


@pytest.mark.parametrize(
    "header", ["source", "sentence,stereotype", "a;b,c", "I cried; she laughed.", "a;a", "a;", "", '"a;b"', "\0;\r;"]
)
def test_doubtful_headers_keep_the_expected_delimiter(header):
    assert delimiter_of(header, ",", "'x'") == ","
