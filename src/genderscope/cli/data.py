"""`genderscope data`: the papers' datasets on this machine."""

from typing import Annotated

import typer

from genderscope.cli.common import messages
from genderscope.errors import UserError

data_app = typer.Typer(help="Fetch, verify and locate the papers' datasets.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Dataset (see 'genderscope list datasets').")]


@data_app.command("fetch")
def data_fetch(name: Name) -> None:
    """Fetch all files of a dataset into the cache, verified."""
    from genderscope.report import progress_bar
    from genderscope.samples import fetch
    from genderscope.samples.dialogue import excerpt
    from genderscope.samples.registry import dataset

    chosen = dataset(name)
    files = chosen.files
    with progress_bar(messages, "files") as bar:
        step = bar(len(files))
        for file in files:
            fetch.read(file, excerpt)
            step(1)
    print(f"{name}: {len(files)} files are here and verified. Licence: {chosen.licence}. Cite: {chosen.citation}")


@data_app.command("verify")
def data_verify(name: Name) -> None:
    """Check the checksums of a dataset's files."""
    from genderscope.samples import fetch
    from genderscope.samples.registry import dataset

    report = fetch.verify(dataset(name))
    bad = [(file, path) for file, path, good in report if path and not good]
    missing = [file for file, path, _ in report if path is None]
    print(f"{name}: {len(report) - len(bad) - len(missing)} files good, {len(bad)} bad, {len(missing)} not here")
    if bad:
        raise UserError(
            f"'{bad[0][1]}' does not have the pinned checksum; remove it and run: genderscope data fetch {name}"
        )


@data_app.command("where")
def data_where(name: Annotated[str | None, typer.Argument(help="Dataset; default: all.")] = None) -> None:
    """Print where each file lies, or would be looked for."""
    from genderscope.samples import fetch
    from genderscope.samples.registry import dataset, datasets

    for each in [dataset(name)] if name else datasets():
        for file in each.files:
            path = fetch.locate(file)
            print(f"{file.path}\t{path or f'not here; looked for as {fetch.wanted(file)}'}")
