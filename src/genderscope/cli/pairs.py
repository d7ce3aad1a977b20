"""`genderscope pairs`: build gender-swapped pairs of sentences from translations, and check a file of pairs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from genderscope.cli.common import (
    AllowPickle,
    BatchSize,
    Beams,
    Device,
    Dtype,
    ModelSpec,
    Rehash,
    batch_size_of,
    command_line,
    console,
    messages,
    with_remote,
)
from genderscope.cli.stopping import resumable
from genderscope.errors import UserError, unknown
from genderscope.languages import SPEAKER_LANGUAGES
from genderscope.models import Remote
from genderscope.terminal_safe import in_line

if TYPE_CHECKING:
    from genderscope.models import TranslationModel
    from genderscope.samples.pairs import Reader

pairs_app = typer.Typer(help="Pairs of sentences, as a man and as a woman says them.", no_args_is_help=True)

AGAINST = ("opposite", "frames")


def build(  # noqa: PLR0913 - each is an option of the command
    model: ModelSpec,
    to: Annotated[str, typer.Option(help=f"Target language: {', '.join(SPEAKER_LANGUAGES)}.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="CSV file to write: male,female,stereotype,source.")],
    frames: Annotated[str, typer.Option(help="The man's and the woman's frame.")] = "The man said,The woman said",
    against: Annotated[
        str, typer.Option(help="opposite: plain against the other gender's frame; frames: man against woman.")
    ] = "opposite",
    confirm: Annotated[bool, typer.Option(help="Keep a pair only if both genders can be read from it.")] = True,
    data: Annotated[str | None, typer.Option(help="'starter', or a CSV file with sentence,stereotype.")] = None,
    data_version: Annotated[
        str | None, typer.Option(help="Version of GEST: 1.1 (default), or 1.0 as the paper used.")
    ] = None,
    device: Device = "auto",
    dtype: Dtype = "float32",
    batch_size: BatchSize = "auto",
    beams: Beams = 4,
    allow_pickle: AllowPickle = False,
    rehash: Rehash = False,
    *,
    remote: Remote,
) -> None:
    """Translate sentences plainly and in two frames, and keep the pairs that differ in one gendered word."""
    from genderscope.grammar import UnknownLanguage, languages
    from genderscope.models import Settings
    from genderscope.opening import opened_translator
    from genderscope.runs import output_locked, require_place, write_whole
    from genderscope.samples import gest, pairs

    if against not in AGAINST:
        raise unknown("way to compare", against, AGAINST)
    chosen = _frames(frames)
    if to not in languages():
        raise UnknownLanguage(to, languages())
    if data is not None and data_version is not None:
        raise UserError("--data-version is for GEST itself, not for other data; leave out --data or --data-version.")
    if out.is_dir():  # the folder of a file is made
        require_place(out)
    reader = _reader(to)  # before anything is fetched, in case its package is missing
    samples = gest.load(data, data_version).samples
    opened = opened_translator(model, Settings(device, dtype, beams, remote, allow_pickle, rehash))
    texts = [s.sentence for s in samples]
    texts += [pairs.framed(s.sentence, frame) for frame in chosen for s in samples]
    kept = out.with_name(f"{out.name}.journal")
    with output_locked(out):
        with resumable([kept], command_line()):
            answers = _translated(opened, texts, ("en", to), kept, batch_size_of(batch_size))
        count = len(samples)
        versions = (answers[k * count : (k + 1) * count] for k in range(3))
        found = [
            pairs.build(
                pairs.Translations(s.sentence, s.stereotype, *given), reader, cast("pairs.Against", against), confirm
            )
            for s, *given in zip(samples, *versions, strict=True)
        ]
        made = [each for each in found if not isinstance(each, str)]
        write_whole(out, pairs.write(made))
        kept.unlink(missing_ok=True)
    _show(len(made), len(found), pairs.reasons(found), Counter(pair.stereotype for pair in made))
    print(in_line(str(out)))


pairs_app.command("build")(with_remote(build))


@pairs_app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="CSV file of pairs: male,female,stereotype.")],
    language: Annotated[str | None, typer.Option("--lang", help="Also read both genders in this language.")] = None,
) -> None:
    """Apply the filter to a file of pairs: how many are good, by stereotype, and what is wrong with the rest."""
    from genderscope.samples import pairs

    loaded = pairs.load(str(file)).pairs
    reader = _reader(language) if language is not None else None
    reasons: Counter[str] = Counter()
    good: list[pairs.GenderPair] = []
    for pair in loaded:
        found = pairs.difference(pair.male, pair.female)
        if isinstance(found, str):
            reasons[found] += 1
        elif reader is not None and (reader(pair.male), reader(pair.female)) != ("masculine", "feminine"):
            reasons[pairs.NOT_CONFIRMED] += 1
        else:
            good.append(pair)
    _show(len(good), len(loaded), dict(reasons.most_common()), Counter(pair.stereotype for pair in good))
    doubled = len(good) - len({(pair.male, pair.female) for pair in good})
    if doubled:
        print(f"{doubled:,} of the good pairs are repetitions of others.")


def _frames(text: str) -> tuple[str, ...]:
    frames = tuple(part.strip().rstrip(":") for part in text.split(","))
    if len(frames) != 2 or not all(frames) or frames[0] == frames[1]:
        raise UserError(f"Option --frames is '{text}'; give the man's and the woman's, such as 'He said,She said'.")
    return frames


def _reader(language: str) -> "Reader":
    from genderscope.grammar import speaker_gender

    speaker_gender("", language)  # a language that cannot be read is said so before anything is translated
    return lambda sentence: speaker_gender(sentence, language).gender


def _translated(
    model: "TranslationModel", texts: Sequence[str], languages: tuple[str, str], kept: Path, batch_size: int | None
) -> list[str | None]:
    """Translate the texts; `kept` is the journal of what was translated before an interruption."""
    from genderscope.engine import ask, asked_and_read
    from genderscope.questions import Translation, TranslationAnswer
    from genderscope.report import progress_bar
    from genderscope.runs import Journal

    model.expect(texts)
    model.check(*languages)
    questions = [Translation(text, *languages) for text in texts]
    with Journal(kept) as journal, progress_bar(messages) as bar:
        answers = asked_and_read(
            lambda: ask(model, questions, journal, batch_size, bar(len(questions))),
            lambda: questions,
            model.fingerprint,
            journal,
            lambda read: list(read(questions)),
        )
    return [answer.text for answer in answers if isinstance(answer, TranslationAnswer)]


def _show(good: int, total: int, reasons: Mapping[str, int], stereotypes: Mapping[int, int]) -> None:
    from genderscope.samples.gest import STEREOTYPES

    shown = console()
    shown.print(f"{good:,} of {total:,} give a pair.")
    for reason, count in reasons.items():
        shown.print(f"{count:>7,} no pair: {reason}")
    if good:
        by_stereotype = ", ".join(f"{i} {name} {stereotypes.get(i, 0)}" for i, name in STEREOTYPES.items())
        shown.print(f"By stereotype: {by_stereotype}.")
