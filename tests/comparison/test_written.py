"""A comparison as page, Markdown and LaTeX: what the terminal shows, and harmless whatever a model is called."""

import re
from html import unescape
from pathlib import Path

import genderscope
from genderscope.judgement import format_difference
from genderscope.report import comparison_latex, comparison_markdown, comparison_page
from tests.support.hostile import HOSTILE


def plain(text):
    """The text without tags and escapes."""
    shown = unescape(re.sub(r"<[^>]+>", " ", text)).replace("\\", "")
    for latex, sign in (("{[}", "["), ("{]}", "]"), ("$-$", "−"), ("$times$", "×")):
        shown = shown.replace(latex, sign)
    return re.sub(r"\s+", " ", shown)


def test_every_form_tells_what_the_terminal_tells(cli, systems):
    files = {"--html": "c.html", "--markdown": "c.md", "--latex": "c.tex"}
    done = cli("compare", systems / "strong", systems / "even", *(part for each in files.items() for part in each))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-3:] == list(files.values())
    comparison = genderscope.compare(systems / "strong", systems / "even")
    for name in files.values():
        text = plain(Path(name).read_text(encoding="utf-8"))
        for d in comparison.differences:
            value, within = format_difference(d)
            assert f" {value} " in text
            assert f" {within} " in text
            assert f" {d.margin} " in text
            assert f" {d.of_second.n} " in text
        assert "B is less stereotypical than A" in text
        assert "nearer to neutral" in text
        assert "min-p" in text


def test_files_are_replaced_only_where_they_are_ours(cli, systems):
    Path("c.md").write_text("mine")
    done = cli("compare", systems / "strong", systems / "even", "--markdown", "c.md")
    assert done.returncode == 2
    assert "'c.md' already exists and was not written by genderscope" in done.stderr
    assert Path("c.md").read_text() == "mine"


def test_names_do_no_harm(systems, tmp_path):
    one, other = (genderscope.load_run(systems / name) for name in ("strong", "even"))
    other.config["model"]["name"] = other.config["data"]["name"] = HOSTILE
    one.config["data"]["name"] = HOSTILE
    comparison = genderscope.compare(one, other)
    assert "<script" not in comparison_page(comparison)
    markdown = comparison_markdown(comparison)
    assert "<script" not in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    # a table of criteria and one of differences
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {6, 14}
    latex = comparison_latex(comparison)
    assert "\\input" not in latex
    assert latex.count("\\begin{table}") == latex.count("\\end{table}") == 1
    assert all("\x1b" not in text for text in (markdown, latex))
