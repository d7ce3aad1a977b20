"""What the pages show: commands, Python, and the files that go with them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: all that a reader may take commands from; the cards are pages of the site too
PAGES = sorted(
    [
        ROOT / "README.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "src/genderscope/measures").glob("*.md"),
        *(ROOT / "examples").rglob("README.md"),
    ]
)

SHELLS = {"bash", "sh", "shell", "console"}
#: in a block that does not say what it holds, a line that begins with one of these is a command
PROGRAMS = {"genderscope", "make", "pip", "python", "python3", "export", "apt", "apt-get", "cd", "cat", "curl"}
PROGRAMS |= {"docker", "echo", "git", "mkdocs", "pytest", "ray", "sbatch", "srun", "vllm", "xargs"}

_FENCE = re.compile(r"^(`{3,}|~{3,})\s*(\w*)(.*)$")
#: a block whose title is a file name is that file
_TITLE = re.compile(r'title="([^" ]+)"')
_ASSIGNED = re.compile(r"^(?:[A-Z_]+=\S+ )+(?=\S)")
_COMMENT = re.compile(r"\s+#\s.*$")
_SPAN = re.compile(r"`(genderscope [^`]+)`")


@dataclass(frozen=True)
class Step:
    """One thing to do on a page: run a command, run Python, or write a file."""

    kind: str
    line: int
    text: str
    name: str = ""


@dataclass
class _Block:
    line: int
    language: str = ""
    info: str = ""
    lines: list[str] = field(default_factory=list)


def steps(page: Path) -> Iterator[Step]:
    """Yield what a page asks its reader to do, in order."""
    for block in _blocks(page.read_text(encoding="utf-8").splitlines()):
        if title := _TITLE.search(block.info):
            yield Step("file", block.line, "\n".join(block.lines) + "\n", title[1])
        elif block.language == "python":
            yield Step("python", block.line, "\n".join(block.lines) + "\n")
        else:
            yield from _commands(block)


def spans(page: Path) -> list[str]:
    """Return the commands that stand in the prose, as `genderscope …`."""
    return [span for line in page.read_text(encoding="utf-8").splitlines() for span in _SPAN.findall(line)]


def _commands(block: _Block) -> Iterator[Step]:
    line, text = block.line, ""
    for number, raw in enumerate(block.lines, block.line):
        if not text:
            line = number
        text += _COMMENT.sub("", raw.strip().removeprefix("$ "))
        if text.endswith("\\"):
            text = text[:-1]
            continue
        if _is_command(text, block.language):
            yield Step("command", line, text)
        text = ""


def _is_command(text: str, language: str) -> bool:
    if not text or text.startswith("#"):
        return False
    if language in SHELLS:
        return True
    return not language and _ASSIGNED.sub("", text).split(maxsplit=1)[0] in PROGRAMS and _splits(text)


def _splits(text: str) -> bool:
    try:
        return bool(shlex.split(text, comments=True))
    except ValueError:
        return False


def _blocks(lines: list[str]) -> Iterator[_Block]:
    """Fenced blocks, and those that are indented by four after an empty line."""
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence:
            block = _Block(number + 2, fence[2], fence[3])
            number += 1
            while number < len(lines) and not lines[number].startswith(fence[1]):
                block.lines.append(lines[number])
                number += 1
            yield block
        elif lines[number].startswith("    ") and (number == 0 or not lines[number - 1].strip()):
            block = _Block(number + 1)
            while number < len(lines) and (lines[number].startswith("    ") or not lines[number].strip()):
                block.lines.append(lines[number])
                number += 1
            yield block
            continue
        number += 1
