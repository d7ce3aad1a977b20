"""The one kind of console that anything is printed on: on it, text is text.

Names of models, data, files and options come from strangers. Rich would read `[/x]` in them as markup and `:100:` as an
emoji, and an escape character would steer the terminal. What is to be coloured is a `rich.text.Text` with a style.
"""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from genderscope.terminal_safe import terminal_safe


class SafeConsole(Console):
    """A console that reads no markup and no emoji codes, and on which no text can steer the terminal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"highlight": False, **options, "markup": False, "emoji": False})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(terminal_safe(segment.text), segment.style)
