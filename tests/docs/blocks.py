"""What the pages show: commands, Python, the files that go with them, and what is printed."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: all that a reader may take commands from; the cards are pages of the site too
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "src/genderscope/measures").glob("*/card.md"),
        *(ROOT / "examples").rglob("README.md"),
    ]
)

#: what a block may hold; a block without a language would be neither run nor compared
SHELLS = {"bash"}
LANGUAGES = {*SHELLS, "python", "text", "csv", "toml", "yaml"}

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*(\w*)(.*)$")
#: a block whose title is a file name is that file
_TITLE = re.compile(r'title="([^" ]+)"')
_COMMENT = re.compile(r"\s+#\s.*$")
_SPAN = re.compile(r"`(genderscope [^`]+)`")
#: on the line above a `text` block: which command prints it, why it is not compared, or that it is no output at all
_MARK = re.compile(r"<!-- (output of|not compared|not output): (.+) -->")


@dataclass(frozen=True)
class Step:
    """One thing to do on a page: run a command, run Python, write a file, or compare what was printed."""

    kind: str
    line: int
    text: str
    #: the file's name; for an output, the command that prints it, if that is not the one above
    name: str = ""
    #: the step is followed by its output
    shown: bool = False


@dataclass
class Block:
    """A fenced block, with the mark above it."""

    line: int
    language: str = ""
    info: str = ""
    mark: tuple[str, str] = ("", "")
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All lines of the block."""
        return "\n".join(self.lines) + "\n"


def steps(page: Path) -> list[Step]:
    """Return what a page asks its reader to do, in order."""
    found: list[Step] = []
    begin = 0  # where the steps of the last block begin
    for block in blocks(page):
        new = list(_steps(block))
        if new and new[0].kind == "output" and not new[0].name:
            found[begin:] = [replace(step, shown=True) for step in found[begin:]]
        elif new and new[0].kind in {"command", "python"}:
            begin = len(found)
        found += new
    return found


def _steps(block: Block) -> Iterator[Step]:
    if title := _TITLE.search(block.info):
        yield Step("file", block.line, block.text, title[1])
    elif block.language == "python":
        yield Step("python", block.line, block.text)
    elif block.language in SHELLS:
        yield from _commands(block)
    elif block.language == "text" and block.mark[0] in {"", "output of"}:
        yield Step("output", block.line, block.text, block.mark[1])


def not_compared(page: Path) -> list[str]:
    """Return why blocks of a page that show output are not compared with it."""
    return [block.mark[1] for block in blocks(page) if block.mark[0] == "not compared"]


def spans(page: Path) -> list[str]:
    """Return the commands that stand in the prose, as `genderscope …`."""
    return [span for line in page.read_text(encoding="utf-8").splitlines() for span in _SPAN.findall(line)]


def _commands(block: Block) -> Iterator[Step]:
    line, text = block.line, ""
    for number, raw in enumerate(block.lines, block.line):
        if not text:
            line = number
        text += _COMMENT.sub("", raw.strip().removeprefix("$ "))
        if text.endswith("\\"):
            text = text[:-1]
            continue
        if shlex.split(text, comments=True):
            yield Step("command", line, text)
        text = ""


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page; in a list they are indented."""
    lines = page.read_text(encoding="utf-8").splitlines()
    number, mark = 0, ("", "")
    while number < len(lines):
        if fence := _FENCE.match(lines[number]):
            indent = len(lines[number]) - len(lines[number].lstrip())
            block = Block(number + 2, fence[2], fence[3], mark)
            number += 1
            while number < len(lines) and not lines[number].strip().startswith(fence[1]):
                block.lines.append(lines[number][indent:])
                number += 1
            yield block
        if lines[number].strip():
            found = _MARK.fullmatch(lines[number].strip())
            mark = (found[1], found[2]) if found else ("", "")
        number += 1


def indented(page: Path) -> list[int]:
    """Return the lines that Markdown takes for a block by their indent alone: such a block does not say what it is."""
    inside, found = False, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        inside ^= bool(_FENCE.match(line))
        if not inside and line.startswith("    ") and not line.lstrip().startswith(("|", "```")):
            found.append(number)
    return found
