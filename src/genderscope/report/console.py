"""The console for all output, which prints untrusted text literally.

Names of models, data, files and options are untrusted: Rich would parse `[/x]` as markup and `:100:` as an emoji, and
escape characters would control the terminal. Coloured output uses `rich.text.Text` with a style.
"""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from genderscope.util.safe_text import terminal_safe


class SafeConsole(Console):
    """A console that does not interpret markup or emoji codes, and replaces control characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"highlight": False, **options, "markup": False, "emoji": False})

    def on_broken_pipe(self) -> None:
        """Let the BrokenPipeError propagate; Rich would exit with code 1."""
        raise  # noqa: PLE0704 - Rich calls this while it handles the error

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(terminal_safe(segment.text), segment.style)
