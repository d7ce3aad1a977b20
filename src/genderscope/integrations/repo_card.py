"""Results in the README of a hub repository, preserving its other content."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.comparison import Row, Scorecard
from genderscope.core.errors import UserError
from genderscope.report import model_card_section, model_index, scorecard_of
from genderscope.runs import Result

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
