"""`genderscope reference`: known values of other models, published or from the user's own runs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genderscope.cli.options import Json
from genderscope.cli.output import console, print_json
from genderscope.core.errors import UserError

if TYPE_CHECKING:
    from genderscope.reference import ReferenceSet, ReferenceValue

    Sets = Mapping[str, ReferenceSet]
    Values = Sequence[ReferenceValue]
    Own = Sequence[tuple[str, ReferenceValue]]


def reference_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MEASURE | add RUN… | remove MODEL]", help="Measure to list, or a change to make."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List known values of other models, or add your own runs for later comparisons."""
    action, *rest = words or [""]
    if action == "add":
        _add(rest)
    elif action == "remove":
        _remove(rest)
    elif rest:
        raise UserError(f"Give one measure, not {len(rest) + 1}: genderscope reference {action}")
    else:
        _list(action, as_json)


def _add(folders: list[str]) -> None:
    from genderscope.reference import add_run, collection_path
    from genderscope.runs import load_run

    if not folders:
        raise UserError("Name the run to add: genderscope reference add runs/NAME")
    for result in [load_run(Path(folder)) for folder in folders]:
        count = add_run(result)
        name = result.config["model"]["name"]
        print(f"{result.measure} of {name}: {count} value{'s' * (count > 1)} added ({result.verdict})")
    print(f"Collection: {collection_path()}")


def _remove(models: list[str]) -> None:
    from genderscope.reference import remove_model

    if len(models) != 1:
        raise UserError("Name one model to remove, as listed: genderscope reference remove MODEL")
    count = remove_model(models[0])
    print(f"{models[0]}: {count} value{'s' * (count > 1)} removed")


def _list(measure: str, as_json: bool) -> None:
    from genderscope.measures import measure_type
    from genderscope.reference import all_collected, published_values, reference_sets

    sets = {
        name: reference_set
        for name, reference_set in reference_sets().items()
        if measure in ("", reference_set.measure)
    }
    own = [(name, value) for name, value in all_collected() if measure in ("", name)]
    if measure and not sets and not own:
        measure_type(measure)  # refuses unknown names
        covered = ", ".join(sorted({s.measure for s in reference_sets().values()}))
        raise UserError(f"There are no reference values for '{measure}'; there are some for {covered}.")
    values = [value for value in published_values() if value.set in sets]
    if as_json:
        _print_json(sets, values, own)
    elif measure:
        for reference_set in sets.values():
            _print_set(reference_set, [value for value in values if value.set == reference_set.name])
        if own:
            _print_own(own)
    else:
        _print_overview(sets, values, own)


def _print_overview(sets: "Sets", values: "Values", own: "Own") -> None:
    from rich.text import Text

    from genderscope.report import plain_table

    table = plain_table(("measure", "published values of"), ("models", "values"))
    for reference_set in sets.values():
        set_values = [value for value in values if value.set == reference_set.name]
        table.add_row(
            reference_set.measure,
            Text(reference_set.title),
            str(len({v.model for v in set_values})),
            f"{len(set_values):,}",
        )
    if own:
        table.add_row("own runs", "your collection", str(len({v.model for _, v in own})), f"{len(own):,}")
    console().print(table)
    console().print("\nFor one measure: genderscope reference gest. To add a run: genderscope reference add runs/NAME")


def _print_set(reference_set: "ReferenceSet", values: "Values") -> None:
    from rich.text import Text

    from genderscope.samples.registry import CITATIONS

    lines = [
        f"{reference_set.where} ({reference_set.date})",
        f"Values: {reference_set.method}.",
        *([reference_set.note] if reference_set.note else []),
    ]
    console().print(Text(reference_set.title, style="bold"))
    for line in [CITATIONS.get(reference_set.citation, reference_set.citation), *lines]:
        console().print(Text(line), style="dim")
    console().print(_table([(value.settings, value) for value in values]))
    console().print()


def _print_own(own: "Own") -> None:
    from rich.text import Text

    from genderscope.reference import collection_path

    console().print(Text(f"Your collection ({collection_path()})", style="bold"))
    console().print(_table([({}, value) for _, value in own], with_verdicts=True))


def _table(values: "Sequence[tuple[Mapping[str, str], ReferenceValue]]", with_verdicts: bool = False) -> object:
    from rich.text import Text

    from genderscope.judgement import SHORT
    from genderscope.report import plain_table

    more = ("verdict",) if with_verdicts else ()
    table = plain_table(("model", "estimate", "for"), ("value", "95 % interval", *more))
    verdicts = {str(verdict): short for verdict, short in SHORT.items()}
    for settings, value in values:
        where = ", ".join(f"{key} {name}" for key, name in {**value.keys, **settings}.items() if name)
        within = "–" if value.low is None or value.high is None else f"[{value.low:.2f}, {value.high:.2f}]"
        verdict = (Text(verdicts.get(value.verdict) or value.verdict or "unknown"),) if with_verdicts else ()
        table.add_row(*map(Text, (value.model, value.estimate, where)), f"{value.value:.2f}", within, *verdict)
    return table


def _print_json(sets: "Sets", values: "Values", own: "Own") -> None:
    listed = [{"measure": sets[value.set].measure, **asdict(value)} for value in values]
    listed += [{"measure": measure, **asdict(value)} for measure, value in own]
    print_json({"sets": [asdict(reference_set) for reference_set in sets.values()], "values": listed})
