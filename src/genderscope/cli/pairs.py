"""`genderscope pairs`: gender-swapped sentence pairs, built from translations or checked in a file."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from genderscope.cli.commands import group
from genderscope.cli.options import ModelSpec, command_line, with_model
from genderscope.cli.output import console, print_path, resumable
from genderscope.cli.translate import translate_texts
from genderscope.core.errors import UserError, require_known
from genderscope.core.languages import SPEAKER_LANGUAGES, language_code
from genderscope.core.questions import Translation
from genderscope.core.tables import require_data_file
from genderscope.evaluation import RunSettings

if TYPE_CHECKING:
    from genderscope.samples.gender_pairs import Against, GenderPair, Reader

AGAINST = ("opposite", "frames")


def build(
    model: ModelSpec,
    to: Annotated[str, typer.Option(help=f"Target language: {', '.join(SPEAKER_LANGUAGES)}.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="CSV file to write, with columns male,female,stereotype,source.")
    ],
    frames: Annotated[
        str, typer.Option(help="Frames for a man's and a woman's speech, separated by a comma.")
    ] = "The man said,The woman said",
    against: Annotated[
        str,
        typer.Option(
            metavar="|".join(AGAINST),
            help="Pair the plain translation with that in the opposite frame (opposite), or both framed ones (frames).",
        ),
    ] = "opposite",
    confirm: Annotated[bool, typer.Option(help="Keep a pair only if both genders can be read.")] = True,
    data: Annotated[
        str | None, typer.Option(help="Use the starter set ('starter') or a CSV file with columns sentence,stereotype.")
    ] = None,
    data_version: Annotated[str | None, typer.Option(help="Use GEST 1.1 (default), or 1.0 as in the paper.")] = None,
    *,
    settings: RunSettings,
) -> None:
    """Translate sentences on their own and in two frames; keep pairs that differ in one gendered word."""
    from genderscope.evaluation import open_translator
    from genderscope.grammar import UnknownLanguage, languages
    from genderscope.runs import output_locked, require_place, write_whole
    from genderscope.samples import gender_pairs as pairs
    from genderscope.samples import gest
    from genderscope.samples.dataset import STARTER

    require_known("value of --against", against, AGAINST)
    both_frames = _frames(frames)
    to = language_code(to)
    if to not in languages():
        raise UnknownLanguage(to, languages())
    if data is not None and data_version is not None:
        raise UserError("--data-version applies to GEST only; leave out --data or --data-version.")
    if out.is_dir():
        require_place(out)
    if data is not None:
        require_data_file(data, (STARTER,))
    reader = _reader(to)  # fails early if the reader's package is missing
    samples = gest.load(data, data_version).samples
    translator = open_translator(model, settings.for_model)
    texts = [s.sentence for s in samples]
    texts += [pairs.framed(s.sentence, frame) for frame in both_frames for s in samples]
    kept = out.with_name(f"{out.name}.journal")
    with output_locked(out):
        with resumable([kept], command_line()):
            answers = translate_texts(translator, texts, ("en", to), kept, settings.batch_size)
        said = [answer.text for answer in answers]
        versions = (said[k * len(samples) : (k + 1) * len(samples)] for k in range(3))
        built = [
            pairs.build(pairs.Translations(s.sentence, s.stereotype, *given), reader, cast("Against", against), confirm)
            for s, *given in zip(samples, *versions, strict=True)
        ]
        good = [pair for pair in built if not isinstance(pair, str)]
        write_whole(out, pairs.write(good))
        kept.unlink(missing_ok=True)
    _show(good, Counter(reason for reason in built if isinstance(reason, str)))
    print_path(out)


def check(
    file: Annotated[Path, typer.Argument(help="CSV file with columns male,female,stereotype.")],
    language: Annotated[
        str | None, typer.Option("--lang", help="Also check that both genders can be read in this language.")
    ] = None,
) -> None:
    """Count the usable pairs in a file by stereotype, and list why the others are unusable."""
    from genderscope.samples import gender_pairs as pairs

    loaded = pairs.load(str(file)).samples
    reader = _reader(language_code(language)) if language is not None else None
    reasons: Counter[str] = Counter()
    good: list[pairs.GenderPair] = []
    for pair in loaded:
        difference = pairs.difference(pair.male, pair.female)
        if isinstance(difference, str):
            reasons[difference] += 1
        elif reader is not None and (reader(pair.male), reader(pair.female)) != ("masculine", "feminine"):
            reasons[pairs.NOT_CONFIRMED] += 1
        else:
            good.append(pair)
    _show(good, reasons)
    duplicates = len(good) - len({(pair.male, pair.female) for pair in good})
    if duplicates:
        print(f"{duplicates:,} of the usable pairs are duplicates.")


pairs_command = group(
    "Build and check gender-swapped sentence pairs.", build=with_model(build, frozenset({Translation})), check=check
)


def _frames(text: str) -> tuple[str, ...]:
    frames = tuple(part.strip().rstrip(":") for part in text.split(","))
    if len(frames) != 2 or not all(frames) or frames[0] == frames[1]:
        raise UserError(f"Option --frames is '{text}'; give a man's and a woman's frame, such as 'He said,She said'.")
    return frames


def _reader(language: str) -> "Reader":
    from genderscope.grammar import speaker_gender

    speaker_gender("", language)  # refuses an unknown language before anything is translated
    return lambda sentence: speaker_gender(sentence, language).gender


def _show(good: "Sequence[GenderPair]", reasons: Counter[str]) -> None:
    from genderscope.samples.gest import STEREOTYPES

    out = console()
    out.print(f"{len(good):,} of {len(good) + reasons.total():,} pairs are usable.")
    for reason, count in reasons.most_common():
        out.print(f"{count:>7,} not usable: {reason}")
    if good:
        stereotypes = Counter(pair.stereotype for pair in good)
        by_stereotype = ", ".join(f"{i} {name} {stereotypes[i]}" for i, name in STEREOTYPES.items())
        out.print(f"By stereotype: {by_stereotype}.")
