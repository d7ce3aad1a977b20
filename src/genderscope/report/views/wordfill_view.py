"""The view of the word-filling measures: group and control group, as in the paper's Tables 1-3 and Figures 1-2."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.core.languages import language_name
from genderscope.measures.wordfill import CONTRAST, SCORE_NAMES
from genderscope.report.charts.scatter import histogram, scatter
from genderscope.report.charts.style import Size, label
from genderscope.report.views.explorer import Explorer, Mark, Part, choices, figures, texts
from genderscope.report.views.plain_view import Figure, Line, Table, View, interval, number, terminal_table
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

CONTRASTS = {SCORE_NAMES["f"], f"{SCORE_NAMES['f']}_share", CONTRAST}
PREFERENCES = {SCORE_NAMES[score] + suffix for score in ("ss", "cs") for suffix in ("", "_share")}
SCORES = {"ss": "stereotype minus anti-stereotype", "csk": "keyword, group minus control", "cs": "shared tokens"}
COLUMNS = ("score", "original µ", "original +", "control µ", "control +", "ρ", "n", "unread")


class WordFillView(View):
    """View of f and the contrast, with ss and cs shown only alongside the control group."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "stereotype_contrast": "preference for the stereotype, group minus control group",
        "stereotype_contrast_share": "share of samples with a positive contrast",
        "sentence_preference_contrast": "preference for the stereotype, group minus control group",
        "keyword_preference": "preference for the stereotypical keyword",
        "keyword_preference_share": "share of samples with ss above 0",
        "sentence_preference": "preference for the sentence about the group",
        "sentence_preference_share": "share of samples with cs above 0",
        "false_positive_rate": "share with f < 0 among samples with ss > 0",
        "false_negative_rate": "share with f > 0 among samples with ss < 0",
        "agreement": "share of samples with the same sign",
        "score_correlation": "correlation across samples",
        "language_modelling_score": "preference for meaningful words, 0 to 100",
        "stereotype_score": "preference for the stereotype, mean over terms, 0 to 100",
        "icat_score": "lms × min(ss, 100 − ss) / 50, ideal 100",
    }

    about = (
        "The model scores words in pairs of sentences, one of which expresses a stereotype about a group. The same "
        "words are scored for a control group, because a model may simply prefer the more frequent word: only the "
        "difference from the control group is evidence of a stereotype."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        for title, mine in _parts(estimates).items():
            headline = [e for e in mine if e.name in CONTRASTS]
            others = [e for e in mine if e not in headline and not _in_groups(e)]
            if headline:
                yield self.estimates_table(headline, headline)
                yield ""
            table = terminal_table(COLUMNS, _groups_table(mine), optional=("unread",))
            yield Group(Text(title, style="italic"), table, "")
            if others:
                yield Group(self.estimates_table(others), "")
        yield "; ".join(f"{name}: {count}" for name, count in sample_counts(result.config["data"])) + "."

    def headline(self, result: Result) -> list[Estimate]:
        """Return f and the contrast or, without a control group, ss and cs, which can mislead on their own."""
        estimates = [e for e in result.as_estimates() if e.value is not None]
        contrast = [e for e in estimates if e.name in CONTRASTS]
        plain = [e for e in estimates if e.name in PREFERENCES and e.group == "original"]
        chosen = contrast or plain
        return [e for e in chosen if e.subset is None] or [e for e in chosen if e.subset == chosen[0].subset]

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        read = result.rows[result.rows["unread"].isna()]
        languages = list(dict.fromkeys(read["language"]))
        for language in languages:
            where = f" in {language_name(language)}" if len(languages) > 1 else ""
            yield from self._figures(name, read[read["language"] == language], where)

    def _figures(self, name: str, read: "pd.DataFrame", where: str) -> Iterable[Figure]:
        for score, figure in (("ss", 1), ("cs", 2)):
            control = f"{score}_control"
            pairs = read.dropna(subset=[score, control]) if control in read else None
            if pairs is not None and len(pairs) > 2:
                yield Figure(
                    f"{score} of the group and its control group{where}",
                    lambda size, pairs=pairs, score=score: _dots(pairs, score, name, size),  # type: ignore[misc]
                    f"Each sample's {score} for the control group against that for the group (the paper's Figure "
                    f"{figure}, with natural logarithms), with the regression line and its 95 % band. On the dashed "
                    "line, the score does not depend on the group; samples below it are more stereotypical for the "
                    "group.",
                )
            elif (alone := read[score].dropna() if score in read else None) is not None and len(alone):
                yield Figure(
                    f"{score} by sample{where}",
                    lambda size, alone=alone, score=score: histogram(alone, f"{score} (neutral 0)", size),  # type: ignore[misc]
                    f"Distribution of {score} over samples; values above 0 mean that the model prefers the stereotype. "
                    "Without a control group, this may reflect word frequency.",
                )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        groups = [
            texts(name, title, [_sentences(pair) for pair in zip(frame[a], frame[b], strict=True)])
            for name, title, a, b in (
                ("original", "about the group: stereotype, anti-stereotype", "s0", "s1"),
                ("control", "about its control group: stereotype, anti-stereotype", "s2", "s3"),
            )
            if frame[a].notna().any() or frame[b].notna().any()
        ]
        return Explorer(
            [
                *groups,
                *choices(frame, subset="part", **({"language": "language"} if frame["language"].nunique() > 1 else {})),
                *figures(frame, f="f", ss="ss", ss_control="ss, control", cs="cs", cs_control="cs, control"),
                *choices(frame, unread="why unread"),
            ],
            legend="Marked: the keyword whose probability is compared.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        headline = [e for e in estimates if e.name in CONTRASTS]
        if headline:
            yield self.page_table("Contrast with the control group", headline)
        rows: list[Line | Sequence[str]] = []
        for title, mine in _parts(estimates).items():
            keys = {key: value for key, value in mine[0].keys.items() if key in ("language", "subset")}
            rows += [(title,), *(Line(row, keys) for row in _groups_table(mine))]
        yield Table("Original and control group", COLUMNS, rows)
        others = [e for e in estimates if e not in headline and not _in_groups(e)]
        if others:
            yield self.page_table("False positives, agreement and correlations", others)
        yield Table("Samples", ("samples", "count"), sample_counts(result.config["data"]))
        yield self.page_table("All estimates", estimates, folded=True)


def sample_counts(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the number of samples and, for each reason, the number of samples dropped or corrected."""
    lines = [(f"samples of {data['name']}", f"{data['samples']:,}")]
    for key, name in (("dropped", "dropped"), ("mended", "corrected")):
        counts = data.get(key)
        if isinstance(counts, Mapping):
            lines += [(f"{name}: {reason}", f"{count:,}") for reason, count in counts.items()]
    return lines if data.get("dropped") else [*lines, ("dropped", "0")]


def _parts(estimates: Sequence[Estimate]) -> dict[str, list[Estimate]]:
    """Return the estimates of each subset in each language, under a title."""
    parts: dict[str, list[Estimate]] = {}
    for e in estimates:
        language = "" if e.language is None else f"{language_name(e.language)}, "
        parts.setdefault(f"{language}{e.subset or 'all'}", []).append(e)
    return parts


def _in_groups(estimate: Estimate) -> bool:
    """Return whether the groups table includes this estimate."""
    grouped = estimate.name.removesuffix("_share") in {SCORE_NAMES[score] for score in SCORES}
    return (grouped and estimate.group is not None) or estimate.category in SCORES


def _groups_table(estimates: Sequence[Estimate]) -> list[tuple[str, ...]]:
    """Return one row per score: µ and + of both groups, and ρ."""
    by_key = {(e.name, e.group, e.category): e for e in estimates}
    rows = []
    for score in SCORES:
        cells = [by_key.get((SCORE_NAMES[score] + k, g, None)) for g in ("original", "control") for k in ("", "_share")]
        first = next((e for e in cells if e is not None), None)
        if first is not None:
            cells.append(by_key.get(("score_correlation", None, score)))
            shown = ("–" if e is None else f"{number(e.value)} {interval(e)}" for e in cells)
            rows.append((score, *shown, f"{first.n:,}", f"{first.unread:,}"))
    return rows


def _dots(pairs: "pd.DataFrame", score: str, model: str, size: Size) -> Any:
    labels = [
        label(
            f"{_plain(row.s0) if isinstance(row.s0, str) else ''}\n{score} {getattr(row, score):.3f}, "
            f"control {getattr(row, f'{score}_control'):.3f}",
            model=model,
            subset=row.subset,
        )
        for row in pairs.itertuples()
    ]
    titles = (f"{score}, original", f"{score}, control")
    return scatter(pairs[score], pairs[f"{score}_control"], labels, *titles, size)


def _plain(sentence: str) -> str:
    return sentence.replace("<", "").replace(">", "")


def _sentences(pair: Sequence[object]) -> list[Part]:
    """Return the two sentences on separate lines, with their keywords highlighted."""
    parts: list[Part] = []
    mark: Mark = "other"
    for sentence in pair:
        if isinstance(sentence, str):
            parts += ["\n"] if parts else []
            before, _, rest = sentence.partition("<")
            word, closed, after = rest.partition(">")
            parts += [before, (word, mark), after] if closed else [sentence]
    return [part for part in parts if part]
