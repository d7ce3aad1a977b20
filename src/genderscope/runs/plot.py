"""A figure that a notebook shows and that can be saved."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

from genderscope.errors import DrawingError, unknown
from genderscope.runs.files import write_whole

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
    #: draws it as a file of this kind, as wide as a page or as a column of a paper
    picture: Callable[[Kind, Width], bytes] = field(repr=False)

    def save(self, path: str | Path, width: Width = "page") -> Path:
        """Write the figure as SVG, PDF or PNG, as the file's name ends, and return the path.

        Args:
            path: File to write: .svg, .pdf or .png.
            width: `page`, or `column` for one of two columns of a paper.
        """
        target = Path(path)
        kind = target.suffix.lower().removeprefix(".")
        if kind not in KINDS:
            raise unknown("format of a figure", kind, KINDS)
        if width not in WIDTHS:
            raise unknown("width", width, WIDTHS)
        write_whole(target, self.picture(cast(Kind, kind), width))
        return target

    def _repr_svg_(self) -> str | None:
        try:
            return self.picture("svg", "page").decode()
        except DrawingError as error:  # a notebook shows the plain text instead
            _log.warning("%s", error)
            return None
