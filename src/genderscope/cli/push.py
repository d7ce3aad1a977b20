"""`genderscope push`: results on the Hugging Face hub."""

from typing import Annotated

import typer

from genderscope.cli.options import RunFolders, usable_runs
from genderscope.cli.output import print_path
from genderscope.core.errors import require_known

KINDS = ("model", "dataset")


def push_command(
    runs: RunFolders,
    repo: Annotated[str, typer.Option("--repo", help="Repository, as OWNER/NAME.")],
    kind: Annotated[
        str,
        typer.Option(
            "--type",
            metavar="|".join(KINDS),
            help="Push the runs' files (dataset), or add the numbers to a model card (model).",
        ),
    ] = "dataset",
    public: Annotated[bool, typer.Option("--public", help="Make a new dataset repository public.")] = False,
    rows: Annotated[
        bool, typer.Option("--rows", help="Also push every answer (rows.parquet), including the dataset's texts.")
    ] = False,
    pull_request: Annotated[
        bool, typer.Option("--pr", help="Open a pull request instead of pushing to the main branch.")
    ] = False,
) -> None:
    """Push runs to the Hugging Face hub, with the token from HF_TOKEN or 'hf auth login'."""
    require_known("repository type", kind, KINDS)
    results = usable_runs(runs, any_measure=True)
    from genderscope.integrations import push as push_runs

    print_path(push_runs(results, repo, kind, public=public, rows=rows, pull_request=pull_request))  # type: ignore[arg-type]
