"""Shell completion of measures, models, languages, datasets and run folders, without large imports."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

RUN_FOLDERS = (Path("runs"), Path("audit"))  # where `genderscope run` and `genderscope audit` write their runs
MOST_FOLDERS = 2_000  # maximum number of folders searched, so that a slow disk does not block the shell


def measures() -> list[str]:
    """Return the names of all measures."""
    from genderscope.measures import MEASURES, measure_plugins

    return [*MEASURES, *measure_plugins()]


def _models() -> list[str]:
    from genderscope.models import BARE, SCHEMES, model_plugins

    return [scheme if scheme in BARE else f"{scheme}:" for scheme in (*SCHEMES, *model_plugins())]


def _languages() -> list[str]:
    from genderscope.core.languages import LANGUAGES
    from genderscope.grammar import language_plugins

    return [*LANGUAGES, *language_plugins()]


def _datasets() -> list[str]:
    from genderscope.samples.registry import DATASETS, dataset_plugins

    return [*DATASETS, *dataset_plugins()]


def _reproductions() -> Iterable[str]:
    from genderscope.published import REPRODUCTIONS

    return REPRODUCTIONS


#: parameter -> the values to complete
_VALUES: dict[str, Callable[[], Iterable[str]]] = {
    **dict.fromkeys(("measure", "without"), measures),
    **dict.fromkeys(("model", "baseline"), _models),
    **dict.fromkeys(("lang", "language", "to", "source_language"), _languages),
    "dataset": _datasets,
    "tables": _reproductions,
    "topic": lambda: ("measures", "models", "datasets", "languages", "runs"),
}


def with_completion(command: Callable[..., None]) -> Callable[..., None]:
    """Add completion to a command's parameters, based on their names or on the choices in their metavars (a|b|c)."""
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        for declaration in getattr(parameter.annotation, "__metadata__", ()):
            declaration.autocompletion = _completer(name, declaration.metavar or "")
    return command


def _completer(name: str, metavar: str) -> Callable[[str], list[str]] | None:
    if name in {"run", "runs", "pilot"}:
        return _complete_runs
    choices = metavar.split("|") if "|" in metavar else None
    values = (lambda: choices) if choices else _VALUES.get(name)
    if values is None:
        return None

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{value}" for value in values() if value.startswith(last)]

    return complete


def _complete_runs(incomplete: str) -> list[str]:
    """Complete the folder of a run; without a match, the shell completes file names."""
    roots = [Path(incomplete.rpartition("/")[0] or "/")] if "/" in incomplete else RUN_FOLDERS
    return sorted(path for root in roots for path in _runs_below(root) if path.startswith(incomplete))


def _runs_below(root: Path, depth: int = 3) -> Iterator[str]:
    pending = [(root, 0)]
    for _ in range(MOST_FOLDERS):
        if not pending:
            return
        folder, level = pending.pop()
        try:
            if (folder / "run.json").is_file():
                yield str(folder)
            elif level < depth:
                pending += [(path, level + 1) for path in folder.iterdir() if path.is_dir()]
        except OSError:
            continue
