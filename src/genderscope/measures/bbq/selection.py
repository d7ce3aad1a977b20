"""The questions of a run: loaded by language, filtered and limited."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from genderscope.core.errors import UserError
from genderscope.measures.bbq.genderbench_probe import is_asked
from genderscope.measures.bbq.options import BbqOptions, require_languages
from genderscope.measures.bbq.published_options import GENDERBENCH
from genderscope.samples.bbq import LANGUAGES, BbqSample, load_own, load_released
from genderscope.samples.dataset import SampleSet


@dataclass(frozen=True)
class Selected:
    """The questions of a run, with the datasets that they come from."""

    sets: tuple[SampleSet[BbqSample], ...]
    samples: tuple[BbqSample, ...]

    @property
    def name(self) -> str:
        """The names of the datasets."""
        return "+".join(dict.fromkeys(each.name for each in self.sets))

    @property
    def left_out(self) -> Mapping[str, int]:
        """The number of released rows that were left out, by dataset and reason."""
        return {
            f"{each.name.partition(':')[0]}: {reason}": count
            for each in self.sets
            for reason, count in each.left_out.items()
        }

    @property
    def duplicates(self) -> int:
        """The number of duplicate rows in the user's own file."""
        return sum(each.duplicates for each in self.sets)


def selected(options: BbqOptions) -> Selected:
    """Load, filter and limit the questions; their indices are unique within the run."""
    require_languages(options)
    sets, offset = [], 0
    for language in options.languages:
        loaded = _loaded(options, language)
        numbered = tuple(replace(sample, index=offset + k) for k, sample in enumerate(loaded.samples))
        offset += len(numbered)
        kept = tuple(sample for sample in numbered if _is_wanted(sample, options))
        sets.append(replace(loaded, samples=kept).limited(options.limit))
    samples = tuple(sample for each in sets for sample in each.samples)
    present = {sample.language for sample in samples}
    if missing := [language for language in options.languages if language not in present]:
        raise UserError(
            f"There are no questions in {', '.join(missing)} with --groups {options.groups} and --contexts "
            f"{options.contexts}; choose others."
        )
    return Selected(tuple(sets), samples)


def _loaded(options: BbqOptions, language: str) -> SampleSet[BbqSample]:
    name = options.dataset_for(language)
    if name in LANGUAGES:
        return load_released(name, language, controls=not options.skip_controls)
    return load_own(name, language, options.keep_duplicates)


def _is_wanted(sample: BbqSample, options: BbqOptions) -> bool:
    if options.as_published == GENDERBENCH and not is_asked(sample.template, sample.polarity, sample.options):
        return False
    return options.groups in ("all", sample.group) and options.contexts in ("both", sample.condition)
