"""Upload of results to the Hugging Face hub: runs to a dataset repository, numbers to a model card."""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from genderscope.comparison import Row, Scorecard
from genderscope.core.errors import UserError, naming_packages, require_known
from genderscope.core.network import require_connection, require_encryption
from genderscope.report import model_card_section, model_index, scorecard_of
from genderscope.runs import Result, Run, listed_runs, loaded

MODEL_INDEX = "model-index"


def with_section(text: str, name: str, section: str) -> str:
    """Insert a section between markers with this name, replacing an existing section or appending a new one."""
    begin, end = f"<!-- genderscope: {name} -->", f"<!-- end of genderscope: {name} -->"
    block = f"{begin}\n{section.strip()}\n{end}"
    existing = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if existing.search(text):
        return existing.sub(lambda _: block, text, count=1)
    return f"{text.rstrip()}\n\n{block}\n".lstrip("\n")


def dataset_card(readme: str, runs: Mapping[str, Result]) -> str:
    """Return a dataset repository's README with one section per run, identified by folder name."""
    text = readme or "---\ntags:\n- genderscope\n- gender-bias\n---\n\n# Genderscope results\n"
    for name, result in runs.items():
        text = with_section(text, name, f"{result.to_markdown()}\n\nFiles: `{name}/`.")
    return text


def model_card_of(readme: str, runs: Sequence[Result], repository: str) -> str:
    """Return a model repository's README with the results as metadata and as a section."""
    card, row = _one_model(runs)
    from huggingface_hub import RepoCard

    try:
        held = RepoCard(readme or "---\n---\n", ignore_metadata_errors=False)
    except Exception as error:  # invalid YAML; the parser's exceptions vary
        reason = " ".join(str(error).split())[:200]
        raise UserError(f"The README.md of '{repository}' has invalid metadata ({reason}).") from None
    [ours] = model_index(card, row, repository.partition("/")[2])[MODEL_INDEX]
    held.data[MODEL_INDEX] = _merged(held.data.get(MODEL_INDEX), ours)
    held.text = with_section(held.text, "model card", model_card_section(card, row))
    return str(held)


def _one_model(runs: Sequence[Result]) -> tuple[Scorecard, Row]:
    card = scorecard_of(runs)
    if len(card.rows) != 1:
        labels = ", ".join(f"'{row.label}'" for row in card.rows)
        raise UserError(f"A model card describes one model, but these runs are of {labels}; give runs of one model.")
    return card, card.rows[0]


def _merged(held: Any, ours: dict[str, Any]) -> list[dict[str, Any]]:
    """Merge our results into the existing ones, replacing older results for the same metric on the same data."""
    models = [model for model in held or () if isinstance(model, dict)]
    first: dict[str, Any] = models[0] if models else {"name": ours["name"], "results": []}
    replaced = {_key(result) for result in ours["results"]}
    kept = [result for result in first.get("results") or () if _key(result) not in replaced]
    return [{**first, "results": [*kept, *ours["results"]]}, *models[1:]]


def _key(result: Mapping[str, Any]) -> tuple[str, ...]:
    dataset, metrics = result.get("dataset") or {}, result.get("metrics") or [{}]
    return str(dataset.get("type")), *sorted(str(metric.get("type")) for metric in metrics)


Kind = Literal["model", "dataset"]
KINDS = ("model", "dataset")
README = "README.md"
FILES = ("result.json", "run.json", "report.html")
ROWS = "rows.parquet"
#: hints by HTTP status
HINTS = {
    401: "; give another token",
    403: "; the token needs write access",
    412: ", because it changed in the meantime; try again",
}
#: packages whose errors mean a failed connection; which of them is used depends on the hub client's version
CLIENTS = ("httpx", "httpcore", "requests")


@naming_packages("Pushing to the hub")
def push(
    runs: Run | Iterable[Run],
    repo: str,
    kind: Kind = "dataset",
    *,
    public: bool = False,
    rows: bool = False,
    pull_request: bool = False,
) -> str:
    """Push finished runs to the Hugging Face hub and return the URL of the commit or pull request.

    In a dataset repository, which is created if missing, each run gets a folder with its files and a README section.
    In a model repository, the numbers are added to the model card as metadata (`model-index`) and as a section. Other
    content is preserved.

    Args:
        runs: Folders of finished runs, or Results loaded from such folders.
        repo: OWNER/NAME.
        kind: `dataset` or `model`.
        public: Make a newly created dataset repository public.
        rows: Also push all answers (rows.parquet); like the report, they contain the dataset's texts.
        pull_request: Open a pull request instead of writing to the main branch.
    """
    require_known("type of repository", kind, KINDS)
    results = loaded(listed_runs(runs))
    if not results:
        raise UserError("There are no runs to push; give folders of finished runs.")
    from huggingface_hub import CommitOperationAdd, HfApi, get_token

    if get_token() is None:
        raise UserError("Pushing to the hub needs a token with write access; set HF_TOKEN or run: hf auth login")
    api = HfApi(endpoint=_endpoint())
    with _in_one_sentence(repo, kind):
        if kind == "dataset":
            api.create_repo(repo, repo_type=kind, private=not public, exist_ok=True)
        head = api.repo_info(repo, repo_type=kind).sha
        readme = _readme(api, repo, kind, head)
        files: dict[str, bytes] = {}
        if kind == "dataset":
            named = _named(results)
            files = {f"{name}/{file}": (folder / file).read_bytes() for name, folder, file in _files(named, rows)}
            files[README] = dataset_card(readme, named).encode()
        else:
            files[README] = model_card_of(readme, results, repo).encode()
        measures = ", ".join(dict.fromkeys(result.measure for result in results))
        commit: Any = api.create_commit(
            repo,
            [CommitOperationAdd(path, content) for path, content in files.items()],
            commit_message=f"Gender bias measured with Genderscope: {measures}",
            repo_type=kind,
            create_pr=pull_request,
            parent_commit=head,  # fails instead of overwriting concurrent changes
        )
    return str(commit.pr_url or commit.commit_url)


def _endpoint() -> str | None:
    """Return the hub's URL if HF_ENDPOINT is set; raise UserError if a token would be sent to it unencrypted."""
    require_connection("socksio")
    endpoint = os.environ.get("HF_ENDPOINT") or None
    if endpoint is not None:
        require_encryption(endpoint, "HF_TOKEN")
    return endpoint


def _named(results: Sequence[Result]) -> dict[str, Result]:
    """Name each run after its folder; raise if two runs have the same name."""
    named: dict[str, Result] = {}
    for result in results:
        if result.folder is None:
            raise UserError(
                f"A result of '{result.measure}' has no folder and so no files to push; save the run to a folder."
            )
        name = result.folder.resolve().name
        if name in named:
            raise UserError(f"Two runs are in folders named '{name}'; rename one of them.")
        named[name] = result
    return named


def _files(named: dict[str, Result], rows: bool) -> Iterator[tuple[str, Path, str]]:
    for name, result in named.items():
        for file in (*FILES, *((ROWS,) if rows else ())):
            if result.folder is not None and (result.folder / file).is_file():
                yield name, result.folder, file


def _readme(api: Any, repo: str, kind: Kind, revision: str | None) -> str:
    """Return the repository's current README; empty if it does not exist."""
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    with tempfile.TemporaryDirectory(prefix="genderscope-push-") as place:
        try:
            path = api.hf_hub_download(repo, README, repo_type=kind, revision=revision, local_dir=place)
        except LocalEntryNotFoundError:  # no connection: an existing README must not be replaced
            raise
        except EntryNotFoundError:
            return ""
        return Path(path).read_text(encoding="utf-8")


@contextmanager
def _in_one_sentence(repo: str, kind: Kind) -> Iterator[None]:
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, RepositoryNotFoundError

    try:
        yield
    except UserError:
        raise
    except HFValidationError:
        raise UserError(f"'{repo}' is not a valid repository name; use OWNER/NAME.") from None
    except RepositoryNotFoundError:
        raise UserError(
            f"The hub has no {kind} repository '{repo}', or the token has no access; create it or check the name."
        ) from None
    except HfHubHTTPError as error:
        status: Any = getattr(error.response, "status_code", "no answer")
        raise UserError(f"The hub refused '{repo}' (HTTP {status}){HINTS.get(status, '')}.") from None
    except Exception as error:
        if not (isinstance(error, OSError) or type(error).__module__.startswith(CLIENTS)):
            raise
        raise UserError(f"Could not reach the hub ({' '.join(str(error).split())[:200]}).") from None
