"""`genderscope data`: the papers' datasets on this machine."""

from typing import Annotated

import typer

from genderscope.cli.commands import group
from genderscope.cli.output import messages
from genderscope.cli.score import sources
from genderscope.core.errors import UserError

Dataset = Annotated[str, typer.Argument(help="Dataset (see 'genderscope list datasets').")]


def fetch(dataset: Dataset) -> None:
    """Download a dataset into the cache and verify its checksums."""
    from genderscope.report import progress_bar
    from genderscope.samples import fetch as files
    from genderscope.samples.dialogue import excerpt
    from genderscope.samples.registry import dataset as dataset_named

    entry = dataset_named(dataset)
    with progress_bar(messages, "files") as bar:
        step = bar(len(entry.files))
        step(0)
        for file in entry.files:
            files.read(file, excerpt)
            step(1)
    count = f"{len(entry.files)} file{'s' * (len(entry.files) != 1)}"
    print(f"{dataset}: {count} verified. Licence: {entry.licence}. Cite: {entry.citation}")


def verify(dataset: Dataset) -> None:
    """Verify the checksums of a dataset's files."""
    from genderscope.samples import fetch as files
    from genderscope.samples.registry import dataset as dataset_named

    report = files.verify(dataset_named(dataset))
    damaged = [path for _, path, is_good in report if path and not is_good]
    missing = sum(path is None for _, path, _ in report)
    verified = len(report) - len(damaged) - missing
    print(f"{dataset}: {verified} verified, {len(damaged)} damaged, {missing} missing")
    if damaged:
        raise UserError(f"'{damaged[0]}' has the wrong checksum; delete it and run: genderscope data fetch {dataset}")


def where(dataset: Annotated[str | None, typer.Argument(help="Dataset; default: all.")] = None) -> None:
    """Print the path of each file of a dataset."""
    from genderscope.samples import fetch as files
    from genderscope.samples.registry import dataset as dataset_named
    from genderscope.samples.registry import datasets

    for entry in [dataset_named(dataset)] if dataset else datasets():
        for file in entry.files:
            print(f"{file.path}\t{files.locate(file) or f'missing; expected at {files.wanted(file)}'}")


data_command = group("Download, verify and locate datasets.", fetch=fetch, verify=verify, where=where, sources=sources)
