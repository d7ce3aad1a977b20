"""`genderscope export`: measures as tasks of other evaluation tools."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from genderscope.cli.commands import Command, CommandGroup, group
from genderscope.cli.completion import with_completion
from genderscope.cli.options import field_parameters, with_fields, with_parameters
from genderscope.cli.output import messages
from genderscope.exporting import CHAT_MEASURES, INSPECT, LM_EVAL, MEASURES_OF, require_measure
from genderscope.measures import measure_type
from genderscope.models import ChatOptions
from genderscope.util.safe_text import in_line

Out = Annotated[Path, typer.Option("--out", "-o", help="Folder for the task's files.")]
SAMPLING = ("temperature", "top_p", "max_tokens")


class _TaskGroup(CommandGroup):
    """The measures that a tool can express, each imported on first use."""

    tool: str

    def list_commands(self, ctx: Any) -> list[str]:
        return list(MEASURES_OF[self.tool])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        require_measure(self.tool, cmd_name)
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        sentence = f"Write the questions of '{cmd_name}' as a task."
        app.command(cmd_name, cls=Command, help=sentence)(with_completion(_task_command(self.tool, cmd_name)))
        return typer.main.get_command(app)


class LmEvalGroup(_TaskGroup):
    """Tasks of lm-evaluation-harness."""

    tool = LM_EVAL


class InspectGroup(_TaskGroup):
    """Tasks of Inspect."""

    tool = INSPECT


export_command = group("Write a measure as a task of another evaluation tool: genderscope export TOOL MEASURE -o DIR.")
export_command.add_typer(
    group("Write a task for lm-evaluation-harness: YAML, JSONL and a few functions.", LmEvalGroup), name=LM_EVAL
)
export_command.add_typer(
    group("Write a task for Inspect: Python with a scorer, and JSONL.", InspectGroup), name=INSPECT
)


def _task_command(tool: str, name: str) -> Callable[..., None]:
    """Return the command for a measure, with the measure's options and, for chat models, those of replies."""

    def command(out: Out, **options: Any) -> None:
        from genderscope.exporting import export_task

        sampling = {key: value for key in SAMPLING if (value := options.pop(key, None)) is not None}
        task = export_task(tool, name, out, options, sampling)
        count = sum(1 for _ in task.requests())
        what = f"{count:,} questions about {len(task.measure.samples):,} samples"
        messages.print(in_line(f"Wrote the task '{task.name}' to '{out}': {what}."), markup=False, soft_wrap=True)

    asked = with_fields(command, measure_type(name).options_type, f"Options of {name}")
    if name not in CHAT_MEASURES:
        return asked
    return with_parameters(asked, asked, field_parameters(ChatOptions, "Replies", SAMPLING))
