"""`genderscope push`: results on the Hugging Face hub."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import usable_runs
from genderscope.errors import unknown
from genderscope.terminal_safe import in_line

KINDS = ("model", "dataset")


def push(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    repo: Annotated[str, typer.Option("--repo", help="Repository, OWNER/NAME.")],
    kind: Annotated[
        str, typer.Option("--type", help="dataset: the runs' files; model: numbers into the model's card.")
    ] = "dataset",
    public: Annotated[
        bool, typer.Option("--public", help="Let everyone see a dataset repository that is made here.")
    ] = False,
    rows: Annotated[
        bool, typer.Option("--rows", help="Also push every answer (rows.parquet), with the dataset's texts.")
    ] = False,
    pull_request: Annotated[
        bool, typer.Option("--pr", help="Open a pull request instead of writing to the main branch.")
    ] = False,
) -> None:
    """Push finished runs to the Hugging Face hub; the token is HF_TOKEN, or that of `hf auth login`."""
    if kind not in KINDS:
        raise unknown("type of repository", kind, KINDS)
    results = usable_runs(runs, any_measure=True)
    from genderscope.integrations import push as pushed

    where = pushed(results, repo, kind, public=public, rows=rows, pull_request=pull_request)  # type: ignore[arg-type] # checked
    print(in_line(where))
