"""What is written for LaTeX is LaTeX: every special character escaped, environments closed, every row complete."""

import re
import shutil
import subprocess

import pytest

from genderscope.comparison import collect, compare, scorecard
from genderscope.measures import MEASURES
from genderscope.report import comparison_latex, publish, scorecard_texts
from genderscope.report.export.markup import latex_text
from tests.report.examples import result, save

#: everything that TeX takes for more than itself, in a model's name
SPECIAL = (
    "a\\b~c^d&e%f$g#h_i{j}k<l>m\"n|o[p]q…r–s−t×u≤v≥wµxρyΔz►◄'' ,, -- ?` !` -1 \\\\ {} \\input{x} \n \\end{tabular} %"
)
COMMANDS = {
    *("begin", "end", "centering", "caption", "toprule", "midrule", "bottomrule", "multicolumn", "textit", "small"),
    *("par", "footnotesize", "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "char"),
    *("textbar", "textasciigrave", "dots", "times", "leq", "geq", "mu", "rho", "Delta", "triangleright"),
    *("triangleleft", "\\", ","),
    *"&%$#_{}",
}
TOKEN = re.compile(r"\\(?P<command>[A-Za-z]+|.)|(?P<special>[&%$#_{}~^])|(?P<rest>[^\\&%$#_{}~^]+)", re.S)


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    """The LaTeX of every measure, of a comparison and of a scorecard, about a model with such a name."""
    root = tmp_path_factory.mktemp("latex")
    for seed, model in enumerate((SPECIAL, "plain")):
        for measure in ("gest", "winobias"):
            found = result(measure, model, seed, warn=[SPECIAL])
            found.config["versions"] = {"genderscope": "0.2.0"}
            save(found, root / measure / str(seed))
    card = scorecard(collect([root]), "plain")
    return {
        **{measure: publish(result(measure, SPECIAL), "latex") for measure in MEASURES},
        "compare": comparison_latex(compare(root / "gest" / "0", root / "gest" / "1")),
        "scorecard": scorecard_texts(card, {"latex": root / "card.tex"})[root / "card.tex"],
    }


def tokens(text):
    """Commands and special characters in order; comments are left out, as TeX does."""
    for line in text.splitlines():
        for found in TOKEN.finditer(line):
            if found["special"] == "%":
                break
            yield ("\\" + found["command"]) if found["command"] else (found["special"] or found["rest"])
        yield "\n"


def arguments(text, command):
    """The environments that a text begins or ends."""
    return re.findall(rf"\\{command}\{{(\w+)\}}", text)


def rows(tabular):
    """The rows of a table without its rules: cells, and how many columns each takes."""
    body = re.sub(r"\\(top|mid|bottom)rule\n?", "", tabular)
    assert not re.search(r"\\\\\s*[\[*]", body), "a bracket after a row's end would be a length"
    *lines, after = re.split(r"(?<!\\)\\\\\n", body)
    assert not after.strip(), "every row ends"
    for line in lines:
        cells = re.split(r"(?<!\\)&", line)
        spans = [re.match(r"\s*\\multicolumn\{(\d+)\}", cell) for cell in cells]
        yield sum(int(span[1]) if span else 1 for span in spans)


@pytest.mark.parametrize("name", [*MEASURES, "compare", "scorecard"])
def test_every_table_is_whole_and_no_character_means_more_than_itself(documents, name):
    text = documents[name]
    depth, mathematics, open_environments = 0, False, []
    found = list(tokens(text))
    for token in found:
        if token.startswith("\\") and len(token) > 1:
            assert token[1:] in COMMANDS, token
        depth += (token == "{") - (token == "}")
        mathematics ^= token == "$"
        assert depth >= 0
        assert token not in {"#", "_", "~", "^"}, "these are always escaped"
        assert token != "\n" or not mathematics, "mathematics ends in its line"
    assert depth == 0
    for kind, environment in re.findall(r"\\(begin|end)\{(\w+)\}", "".join(found)):
        if kind == "begin":
            open_environments.append(environment)
        else:
            assert open_environments.pop() == environment
    assert open_environments == []
    tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", text, re.S)
    assert tables
    for columns, body in tables:
        counted = list(rows(body))
        assert len(counted) > 1
        assert set(counted) == {len(columns)}


def test_special_characters_are_written_as_themselves():
    assert latex_text("--'',,?`") == "-{}-'{}',{},?\\textasciigrave{}"
    assert latex_text("a -- b") == "a -{}- b"
    assert latex_text("line\nbreak") == "line break"


def test_a_tex_engine_takes_it_all(documents, tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex on this machine")
    whole = "\\clearpage\n".join(documents.values())
    head = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "all.tex").write_text(f"{head}{whole}\n\\end{{document}}\n", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, [line for line in said.splitlines() if line.startswith(("!", "l."))]
