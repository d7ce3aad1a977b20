"""Construction of the Result from a run's rows, and the provenance recorded in run.json."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.core.cautions import most_frequent, once_each
from genderscope.core.questions import LONGEST_TEXT
from genderscope.evaluation.request import PreparedRun
from genderscope.evaluation.row_building import RowBuilder
from genderscope.judgement import with_symbols
from genderscope.models import Model, ReplyModel
from genderscope.runs import Result, RunFolder, asked_part, days_of, estimates_to_frame, in_words, read_config

if TYPE_CHECKING:
    import pandas as pd


def build_result(
    run: PreparedRun,
    folder: RunFolder,
    rows: "pd.DataFrame",
    builder: RowBuilder,
    described: dict[str, Any],
    judge: Model | None = None,
) -> Result:
    """Compute the estimates, record their provenance in run.json, and return the result."""
    measure, model = run.measure, run.model
    # The model's size is recorded even if all answers were in the journal and the weights were never loaded.
    described |= {"parameters": size} if (size := model.parameter_count()) else {}
    # In that case the query method comes from the run that asked the questions.
    recorded = read_config(folder.path)["model"]
    described = {key: recorded[key] for key in ("method", "not_exact", "served_by") if key in recorded} | described
    reached = measure.covered_options(rows)
    controls = builder.controls()
    dates = _dates(model, folder, read_config(folder.path))
    signature = "|".join([run.config["signature"], *(f"{key}_read:{part}" for key, part in reached.items()), *dates])
    option_tokens = {option: sorted(map(list, ids)) for option, ids in builder.tokens.items()}
    folder.record(model=described, option_tokens=option_tokens, reached=reached, signature=signature)
    computed = [*measure.estimates(rows), *measure.control_estimates(rows, controls)]
    estimates = with_symbols(measure.symbols, computed)
    cautions = [
        *model.cautions(),
        *_several_days(model, folder.path),
        *_cut_or_extracted(builder),
        *measure.control_cautions(controls),
        *measure.cautions(rows, estimates),
        *(f"The judge: {caution}" for caution in (judge.cautions() if judge is not None else ())),
    ]
    return Result(
        measure.id,
        estimates_to_frame(estimates),
        rows,
        signature,
        measure.summary(estimates),
        once_each(cautions),
        read_config(folder.path),
        folder.path,
        controls=None if controls.empty else controls,
    )


def _dates(model: Model, folder: RunFolder, config: dict[str, Any]) -> Iterator[str]:
    """Yield the signature's dates: the date in the prompts and, for models that may change, the date of the answers."""
    if isinstance(model, ReplyModel) and model.prompts_are_dated:
        yield f"template_date:{folder.started:%Y-%m-%d}"
    if model.may_change and (part := asked_part(config)) is not None:
        yield part


def _several_days(model: Model, folder: Path) -> list[str]:
    days = days_of(read_config(folder))
    if not model.may_change or len(days) < 2:
        return []
    return [f"The answers were given on several days ({in_words(days)}), between which the model may have changed."]


def _cut_or_extracted(builder: RowBuilder) -> Iterator[str]:
    """Yield cautions about truncated answers and about replies that contained more than the translation."""
    if builder.cut:
        yield f"{builder.cut:,} answers were longer than {LONGEST_TEXT:,} characters; the rest was not read."
    if builder.notes:
        notes = most_frequent(builder.notes)
        yield f"{builder.notes.total():,} replies contained more than the translation, which was extracted: {notes}."
