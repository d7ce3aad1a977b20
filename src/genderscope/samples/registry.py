"""The dataset registry: sources, licences and citations.

`datasets.csv` lists the datasets, `papers.csv` their citations, and `manifest.csv` their files with checksums. The data
itself is not included.
"""

import csv
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from genderscope.core.errors import UserError, unknown
from genderscope.core.plugins import Plugin, PluginWarning, plugins


@dataclass(frozen=True, slots=True)
class DataFile:
    """A dataset file: its path in the mirror and the cache, its URL, and its SHA-256 or else its git blob id."""

    path: str
    url: str
    sha256: str
    size: int
    git_blob: str | None = None
    parallel: str | None = None  # for an excerpt: the URL of the source texts, line-aligned with the full file


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset that is downloaded when needed."""

    name: str
    title: str
    licence: str
    citation: str
    files: tuple[DataFile, ...]
    commit: str | None = None  # the git commit the files are pinned to, if they come from a repository

    def file(self, path: str) -> DataFile:
        """Return the file with this path."""
        return next(file for file in self.files if file.path == path)


def _table(name: str) -> list[dict[str, str]]:
    with files("genderscope.samples").joinpath(name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _datasets() -> Iterator[Dataset]:
    """Yield the datasets, each pinned to a commit of a GitHub repository, or to a package by its full URL.

    If the files are excerpts of system outputs, the column `sources` is the folder with the line-aligned source texts,
    FOLDER/PAIR.txt.
    """
    manifest = _table("manifest.csv")
    for entry in _table("datasets.csv"):
        base = f"https://raw.githubusercontent.com/{entry['repository']}/{entry['commit']}/"
        listed = tuple(
            DataFile(
                row["path"],
                row["upstream"] if row["upstream"].startswith("https:") else base + row["upstream"],
                row["sha256"],
                int(row["bytes"]),
                row["git_blob"] or None,
                f"{base}{entry['sources']}/{row['upstream'].split('/')[-2]}.txt" if entry["sources"] else None,
            )
            for row in manifest
            if row["dataset"] == entry["name"]
        )
        citation = CITATIONS[entry["paper"]]
        yield Dataset(entry["name"], entry["title"], entry["licence"], citation, listed, entry["commit"] or None)


#: paper -> citation
CITATIONS = {row["paper"]: row["citation"] for row in _table("papers.csv")}
DATASETS = {dataset.name: dataset for dataset in _datasets()}


def dataset_plugins() -> dict[str, Plugin]:
    """Return the datasets provided by other packages."""
    return plugins("datasets", DATASETS)


def datasets() -> Iterator[Dataset]:
    """Yield all datasets, plugins last; a broken plugin is skipped with a warning."""
    yield from DATASETS.values()
    for plugin in dataset_plugins().values():
        try:
            yield _load_plugin(plugin)
        except UserError as error:
            warnings.warn(str(error), PluginWarning, stacklevel=2)


def dataset(name: str) -> Dataset:
    """Return the dataset with this name."""
    provided = dataset_plugins()
    if name in provided:
        return _load_plugin(provided[name])
    if name not in DATASETS:
        raise unknown("dataset", name, [*DATASETS, *provided])
    return DATASETS[name]


def _load_plugin(plugin: Plugin) -> Dataset:
    loaded = plugin.load()
    if not isinstance(loaded, Dataset):
        raise plugin.broken(f"'{plugin.target}' is not a genderscope.samples.registry.Dataset")
    if loaded.name != plugin.name:
        raise plugin.broken(f"its name is '{loaded.name}'")
    return loaded
