"""`evaluate`: the single code path behind the command line, the Python API and audits."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, cast

from genderscope.core.errors import UserError, naming_packages
from genderscope.core.journal_codec import prompt_digest, question_key
from genderscope.core.questions import Question, Reply, ReplyStart
from genderscope.engine import all_announced, ask_with, count_kept_first, is_announced, read_answers
from genderscope.evaluation.model_opening import check_before_opening, open_given_model
from genderscope.evaluation.result_building import RowBuilder, SampleQuestions, build_result
from genderscope.evaluation.run_config import PreparedRun, ProgressFactory, RunRequest, finished_in, page_writer
from genderscope.evaluation.run_settings import SETTING_NAMES, RunSettings
from genderscope.measures import Options, frame_of, measure_type, parse_options, schema_of
from genderscope.models import Chat, Model, ReplyModel, hub_queried_once, remember, without_secrets
from genderscope.runs import (
    QUESTIONS,
    STARTED,
    Journal,
    Result,
    RunFolder,
    holds_answers,
    keep_earlier,
    require_requested_model,
)
from genderscope.util.memory_tuning import only_new_garbage

if TYPE_CHECKING:
    import pandas as pd
    from torch.nn import Module
    from transformers import PreTrainedTokenizerBase


_log = logging.getLogger("genderscope")


def log_prompts(
    questions: Iterable[Question], fingerprint: str, journal: Journal, started: datetime, judged: bool = False
) -> None:
    """Record the prompts, with placeholders for messages, and warn about earlier answers to different prompts.

    If the run is `judged`, other answers in the journal are those of the judge.
    """
    frames: set[str] = set()
    keys: set[bytes] = set()
    for question in questions:
        if isinstance(question, Reply | ReplyStart) and question.prompt is not None:
            frames.add(_frame(question, question.prompt))
        keys.add(question_key(fingerprint, question))
    if not frames:
        return
    prompts = {f"prompt {prompt_digest(frame)}": frame for frame in sorted(frames)}
    journal.note({STARTED: started.isoformat(), **prompts})
    if not judged and (others := len(journal) - len(journal.known(list(keys)))):
        _log.warning(
            "%s answers in '%s' belong to prompts that the chat template now renders differently, or to an earlier "
            "version; they are not used, and those questions are asked again.",
            f"{others:,}",
            journal.path,
        )


def _frame(question: Reply | ReplyStart, prompt: str) -> str:
    """Return a prompt with each message replaced with its role, such as <<user>>."""
    for message in sorted(question.messages, key=lambda message: -len(message.content)):
        if content := message.content.strip():
            prompt = prompt.replace(content, f"<<{message.role}>>")
    return prompt


class JudgedMeasure(Protocol):
    """A measure with the option `judge`."""

    def judge_questions(self, rows: "pd.DataFrame", chat: Chat) -> list[tuple[int, Question]]:
        """Return the questions to the judge, each with the index of its row."""

    def with_judge(self, rows: "pd.DataFrame", answers: Mapping[int, Any]) -> "pd.DataFrame":
        """Return the rows with the judge's answers, given by the index of their rows."""


def open_judge(options: Options, settings: RunSettings) -> ReplyModel | None:
    """Open the judge that the options name, so that a mistake shows before any question is asked; None if none."""
    spec: str | None = getattr(options, "judge", None)
    if spec is None:
        return None
    if without_secrets(spec) != spec:
        raise UserError("The judge's URL seems to contain a key, which the run would record; remove it.")
    # The chat settings are those of the measured model, and the judge's answers are few tokens each.
    plain = {"batch": False, "chat_template": None, "system": None, "max_tokens": None, "reasoning_effort": None}
    judge = open_given_model(spec, replace(settings, remote=settings.remote.model_copy(update=plain)))
    if not isinstance(judge, ReplyModel) or judge.unanswerable(frozenset({Reply})):
        raise UserError(f"The judge '{judge.name}' is a {judge.kind} model, which does not chat; name one that does.")
    return judge


def judged_rows(
    measure: JudgedMeasure, rows: "pd.DataFrame", judge: ReplyModel, settings: RunSettings, journal: Journal
) -> "pd.DataFrame":
    """Ask the judge about every reply whose judgement is not in the journal; return the rows with its readings."""
    numbered = measure.judge_questions(rows, Chat(temperature=0.0, render=judge.chat.render))
    questions = [question for _, question in numbered]
    _log.info("The judge '%s' reads %s replies.", judge.name, f"{len(questions):,}")
    with judge.in_use():
        ask_with(settings.for_engine, judge, questions, journal, settings.batch_size)
    answers = read_answers(judge.fingerprint, questions, journal)
    return measure.with_judge(rows, dict(zip((index for index, _ in numbered), answers, strict=True)))


@naming_packages()
def evaluate(
    measure: str,
    model: "str | Model | Module",
    *,
    tokenizer: "PreTrainedTokenizerBase | None" = None,
    out: str | Path | None = None,
    settings: RunSettings | None = None,
    progress: ProgressFactory | None = None,
    started: Callable[[Path], None] = lambda _: None,
    **options: Any,
) -> Result:
    """Measure a model and return the Result; the run is saved to a folder, and the same call resumes it.

    Args:
        measure: Name of the measure, built in or a plugin's.
        model: A model string such as `hf:gpt2`, a loaded masked or causal transformers model, or your own Model.
        tokenizer: The tokenizer, if the model is already loaded; both are used as they are and left unchanged.
        out: The run's folder; by default a subfolder of `runs/` named after measure, model and options.
        settings: Run settings: device, precision, batch size, engine, servers.
        progress: Factory for a progress callback.
        started: Called with the folder when the run begins.
        options: The measure's own options (see its card), and fields of RunSettings and Remote by name, such as
            `device="cuda"`, `fresh=True` or `timeout=30`.
    """
    kind = measure_type(measure)
    settings, own = RunSettings.from_options(options, settings)
    measure_options = parse_options(kind, own, SETTING_NAMES)
    request = RunRequest(kind, measure_options, model, tokenizer, settings, None if out is None else Path(out), started)
    result = _evaluate(request, progress)
    if settings.remote.require_model:
        require_requested_model(result)
    return result


def _evaluate(request: RunRequest, progress: ProgressFactory | None) -> Result:
    """Load the finished run, or open the model and measure it."""
    settings, model = request.settings, request.model
    with hub_queried_once():
        if (finished := check_before_opening(request)) is not None:
            return finished
        opened = open_given_model(model, settings, request.tokenizer)
    if settings.remote.batch and not getattr(opened, "has_batches", False):
        raise UserError(f"'{opened.name}' has no batch API; leave out --batch, which works with OpenAI and Anthropic.")
    judge = open_judge(request.options, settings)
    run = request.prepare(opened)
    with ExitStack() as stack:
        stack.enter_context(_earlier_run_kept(run, settings.fresh))
        folder = stack.enter_context(RunFolder(run.folder, run.config))
        stack.enter_context(only_new_garbage())
        if opened is not model and not request.is_loaded:
            stack.callback(opened.unload)
        if judge is not None:
            stack.callback(judge.unload)
        request.started(run.folder)
        _adopt_orphan(folder, run)
        result = finished_in(folder, run, settings.report)
        if result is None:
            result = _measure(run, folder, settings, progress, judge)
            folder.save(result, page_writer(settings.report), schema_of(request.kind.row_type))
        if not request.is_loaded:
            remember(opened)  # caches its description, so that later calls need not open the model to check a run
    return result


def _measure(
    run: PreparedRun,
    folder: RunFolder,
    settings: RunSettings,
    progress: ProgressFactory | None,
    judge: ReplyModel | None,
) -> Result:
    """Ask the questions without an answer in the journal, turn all answers into rows, and compute the result."""
    measure, model, journal = run.measure, run.model, folder.journal
    _set_date(model, folder)
    if isinstance(model, ReplyModel):
        model.keep_jobs(journal)
    questions = SampleQuestions(measure)
    if measure.asks & {Reply, ReplyStart}:
        log_prompts(questions.all(), model.fingerprint, journal, folder.started, judge is not None)
    builder = RowBuilder(measure, questions, model.fingerprint, journal)
    advance = _begin_progress(progress, questions, folder) if progress else lambda _: None
    advance = count_kept_first(advance, model.fingerprint, questions.all() if progress else (), journal)
    advance = _read_meanwhile(advance, builder)
    with model.in_use():
        described = ask_with(settings.for_engine, model, questions.all(), journal, settings.batch_size, advance)
    rows = frame_of(builder.rows(), measure.row_type)
    if judge is not None:
        _set_date(judge, folder)
        rows = judged_rows(cast("JudgedMeasure", measure), rows, judge, settings, journal)
        folder.record(judge=judge.describe())
    return build_result(run, folder, rows, builder, described, judge)


def _begin_progress(progress: ProgressFactory, questions: SampleQuestions, folder: RunFolder) -> Callable[[int], None]:
    """Count the questions, record their number for others who watch the run, and return the progress callback."""
    total = questions.count()
    folder.record(**{QUESTIONS: total})
    return progress(total)


def _set_date(model: Model, folder: RunFolder) -> None:
    """Use the run's start date in prompts that contain a date."""
    if isinstance(model, ReplyModel):
        model.set_date(folder.started)


def _adopt_orphan(folder: RunFolder, run: PreparedRun) -> None:
    """Adopt a folder without run.json if its journal answers this run's questions."""
    if folder.orphaned:
        _set_date(run.model, folder)
        questions = SampleQuestions(run.measure).all()
        folder.adopt(question_key(run.model.fingerprint, question) for question in questions)


@contextmanager
def _earlier_run_kept(run: PreparedRun, fresh: bool) -> Iterator[None]:
    """Rename an earlier run if `fresh`, but only once the model is reachable and the user has agreed to the cost."""
    if not fresh or not holds_answers(run.folder, run.config):
        yield
        return
    model = run.model
    if model.may_change:
        model.load()
    announces_cost = model.announces_cost and not is_announced()
    if announces_cost:
        model.announce(list(SampleQuestions(run.measure).all()))
    _log.info("The earlier run is kept in '%s'.", keep_earlier(run.folder))
    with all_announced() if announces_cost else nullcontext():
        yield


def _read_meanwhile(advance: Callable[[int], None], builder: RowBuilder) -> Callable[[int], None]:
    """Return a callback that advances the progress bar and processes available answers.

    At the first answer it starts a thread that imports the modules needed at the end of the run. By then the model has
    finished its own imports, and it releases the GIL while it computes.
    """
    begun: list[Thread] = []

    def advance_and_read(answered: int) -> None:
        if answered and not begun:
            begun.append(Thread(target=_import_for_the_end, name="imports"))
            begun[0].start()
        advance(answered)
        builder.read_available()

    return advance_and_read


def _import_for_the_end() -> None:
    with suppress(Exception):  # the code that needs the module repeats the import and reports the error
        import_module("pandas")
        import_module("pyarrow.parquet")
        getattr(import_module("genderscope.report"), "write_report")  # noqa: B009 - triggers the lazy import
