"""`genderscope demo`: a first result without a model hub or an API key."""

from typing import Annotated

import typer

from genderscope.cli.options import Fresh, Full, Json, Rehash, command_line
from genderscope.cli.run import Out, measure
from genderscope.evaluation import RunSettings


def demo_command(
    mt: Annotated[
        bool, typer.Option("--mt", help="Measure a translator: Apertium eng-spa if installed, else Marian en-pt.")
    ] = False,
    out: Out = None,
    rehash: Rehash = False,
    fresh: Fresh = False,
    as_json: Json = False,
    full: Full = False,
) -> None:
    """Measure the embedded model, SmolLM2, on the starter set; needs no model hub and no API key."""
    settings = RunSettings(rehash=rehash, fresh=fresh, command=command_line())
    if mt:
        from genderscope.models import translator_at_hand

        model, target = translator_at_hand()
        measure("gest-mt", model, out, as_json, settings, full=full, data="starter", to=(target,))
    else:
        measure("gest", "smollm2", out, as_json, settings, full=full, data="starter")
