"""Figure that can be shown in a notebook or saved."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

from genderscope.core.errors import DrawingError, require_known
from genderscope.runs.atomic_files import write_whole

Kind = Literal["svg", "pdf", "png"]
Width = Literal["page", "column"]
KINDS = ("svg", "pdf", "png")
WIDTHS = ("page", "column")
_log = logging.getLogger("genderscope")


@dataclass(frozen=True)
class Plot:
    """A figure with its caption."""

    title: str
    caption: str
    #: renders the figure in the given format, at the width of a page or of one column
    picture: Callable[[Kind, Width], bytes] = field(repr=False)

    def save(self, path: str | Path, width: Width = "page") -> Path:
        """Write the figure as SVG, PDF or PNG, depending on the file suffix, and return the path.

        Args:
            path: File to write: .svg, .pdf or .png.
            width: `page`, or `column` for one column of a two-column paper.
        """
        target = Path(path)
        kind = target.suffix.lower().removeprefix(".")
        require_known("figure format", kind, KINDS)
        require_known("width", width, WIDTHS)
        write_whole(target, self.picture(cast(Kind, kind), width))
        return target

    def _repr_svg_(self) -> str | None:
        try:
            return self.picture("svg", "page").decode()
        except DrawingError as error:  # a notebook shows the plain text instead
            _log.warning("%s", error)
            return None
