"""Sentences about size, direction and certainty are built in one package, and nowhere else."""

import ast
import re
from pathlib import Path

import genderscope

SOURCE = Path(genderscope.__file__).parent
#: words that only a judgement may put into a text
WORDS = re.compile(
    r"inconclusive|not meaningful|beyond the threshold|below the threshold|significant|\ban effect (?!of)"
    r"|no effect beyond|nearer to neutral|told from chance|too uncertain|by chance|surely",
    re.IGNORECASE,
)
#: where the words are about something else; this may only shrink
OTHERS = {
    "cli": "help texts",
    "comparison/power_analysis.py": "the effect that a study is planned for",
}


def texts(path):
    """Yield the texts of a module, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def test_no_other_module_judges():
    elsewhere = {
        f"{path.relative_to(SOURCE)}:{line}: {text}"
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] != "judgement"
        and not any(str(path.relative_to(SOURCE)).startswith(known) for known in OTHERS)
        for line, text in texts(path)
        if WORDS.search(text)
    }
    assert elsewhere == set()
