"""Selection of samples by language, condition, pair class and shared sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.languages import suggested_language
from genderscope.measures.eurogest.options import EuroGestOptions
from genderscope.measures.eurogest.texts import CONDITIONS, GENDERED, SCAFFOLD, Sample, Texts
from genderscope.samples.eurogest import EuroGest, EuroPair, EuroSentence, languages, load, load_own
from genderscope.samples.subsampling import spread

#: a condition and a data row
_Row = tuple[str, EuroPair | EuroSentence]


@dataclass(frozen=True)
class Choosing:
    """The selected samples, their data, and what was excluded."""

    data: EuroGest
    samples: tuple[Sample, ...]
    #: languages in `all` without sentences in any chosen condition
    without: tuple[str, ...]
    #: number of truncated sentences
    cut: int

    def cautions(self) -> list[str]:
        """Return caveats about what was excluded."""
        found = []
        if self.without:
            found.append(
                f"Languages without sentences for the chosen condition were left out: {', '.join(self.without)}."
            )
        if self.cut:
            found.append(f"{self.cut:,} sentences are cut off in the released files and were left out.")
        return found


def chosen_samples(options: EuroGestOptions) -> Choosing:
    """Return the samples selected by the options."""
    if options.condition:
        _check_conditions(options.condition)
    if options.data is None:
        _languages(options.lang, languages(), None)  # fail early, before any download
    data = load() if options.data is None else load_own(options.data, options.keep_duplicates)
    texts = Texts(data, options.as_published, options.pairs == "all" or options.as_published is not None)
    wanted = _languages(options.lang, languages() if options.data is None else tuple(data.pairs), options.data)
    named = tuple(options.lang) != ("all",)
    found: dict[str, list[_Row]] = {}
    for language in wanted:
        used = _conditions(options.condition, language, texts, named)
        rows = [(condition, row) for condition in used for row in texts.rows(language, condition)]
        if rows:
            found[language] = rows
    if not found:
        raise UserError("None of the languages has sentences for the chosen condition; leave out --condition.")
    if options.common:
        found = _common(found)
    kept = tuple(
        texts.sample(language, condition, row)
        for language, rows in found.items()
        for condition, row in spread(rows, options.limit, _rank)
    )
    return Choosing(data, kept, tuple(each for each in wanted if each not in found), texts.cut)


def _check_conditions(wanted: Iterable[str]) -> None:
    known = (*CONDITIONS, SCAFFOLD)
    for condition in wanted:
        if condition not in known:
            raise UserError(
                f"Unknown condition '{condition}' in --condition; available: {', '.join(sorted(known))}."
                f"{did_you_mean(condition, known)}"
            )


def _languages(wanted: Sequence[str], known: tuple[str, ...], own: str | None) -> tuple[str, ...]:
    if tuple(wanted) == ("all",):
        return known
    if not wanted:
        raise UserError(f"--lang is empty; choose from {', '.join(known)}, or use 'all'.")
    for language in wanted:
        if language not in known:
            where = f"'{own}' has no pairs in" if own is not None else "EuroGEST has no sentences in"
            raise UserError(
                f"{where} '{language}' (--lang); available: {', '.join(known)}.{suggested_language(language, known)}"
            )
    return tuple(dict.fromkeys(wanted))


def _conditions(wanted: Sequence[str], language: str, texts: Texts, named: bool) -> tuple[str, ...]:
    """Return the conditions to use for a language; raise a UserError if an explicitly requested one is missing."""
    possible = texts.conditions(language)
    if not wanted:
        return tuple(condition for condition in possible if condition in (GENDERED, texts.usual(language)))
    usual = texts.usual(language) or SCAFFOLD
    used = [usual if condition == SCAFFOLD else condition for condition in wanted]
    for condition, real in zip(wanted, used, strict=True):
        if real not in possible and named:
            raise UserError(
                f"'{language}' has no sentences for the condition '{condition}' (--condition); available: "
                f"{' and '.join(possible)}."
            )
    return tuple(dict.fromkeys(condition for condition in used if condition in possible))


def _common(found: dict[str, list[_Row]]) -> dict[str, list[_Row]]:
    shared = set.intersection(*({row.row for _, row in rows} for rows in found.values()))
    if not shared:
        raise UserError(
            f"{', '.join(found)} have no sentence in common (--common); choose fewer languages or more conditions."
        )
    return {language: [each for each in rows if each[1].row in shared] for language, rows in found.items()}


def _rank(condition_and_row: _Row) -> tuple[int, int, int]:
    """Return the place of a row in the order over which a limit is spread: conditions and stereotypes."""
    condition, row = condition_and_row
    return CONDITIONS[condition], row.stereotype, row.row
