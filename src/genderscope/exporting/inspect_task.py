"""Tasks for Inspect: a Python file with a scorer, and the prompts as JSONL."""

import json

from genderscope.exporting.measure_task import MeasureTask
from genderscope.exporting.reply_scores import cluster_of, part_of
from genderscope.version import __version__

_TASK = '''\
"""{title}

Written by genderscope {version}, which reads the replies and must be installed in the same environment.
inspect eval {name}.py --model MODEL --log-dir logs
genderscope import logs
"""

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, grouped, mean, scorer, stderr
from inspect_ai.solver import generate

EXPORT = json.loads({description!r})
{clusters}

@scorer(
    metrics=[
        grouped(mean(), "part", all=False, name_template="mean_{{group_name}}"),
        grouped(stderr(cluster="cluster"), "part", all=False, name_template="stderr_{{group_name}}"),
    ]
)
def {scorer}():
    """Score each reply: 1 if it follows the stereotype, -1 if it opposes it, 0 for neither; others are unscored."""
    from genderscope.exporting import ReplyScorer

    replies = ReplyScorer(EXPORT)

    async def score(state, target):
        place = state.metadata["sample"], state.metadata["question"]
        found = replies.score(*place, state.output.completion, state.output.stop_reason)
        if found.value is None:
            return Score.unscored(reason=found.unread, answer=found.outcome)
        return Score(value=found.value, answer=found.outcome)

    return score


@task
def {name}():
    return Task(
        dataset=json_dataset(str(Path(__file__).with_name("{name}.jsonl"))),
        solver=generate(),
        scorer={scorer}(),
        config=GenerateConfig({config}),
        metadata={{"genderscope": EXPORT}},
    )
'''
SCORER = "stereotypical_replies"
_CLUSTERS = {
    "bbq": "# Questions from the same template vary together.\n",
    "gest-chat": "# Replies about the same sentence vary together.\n",
}


def inspect_files(task: MeasureTask) -> dict[str, str]:
    """Return the files of a task, by name."""
    settings = {
        "temperature": task.sampling.temperature,
        **({"top_p": task.sampling.top_p} if task.sampling.top_p < 1 else {}),
        "max_tokens": task.longest,
    }
    text = _TASK.format(
        title=task.measure.title,
        version=__version__,
        name=task.name,
        description=json.dumps(task.description),
        clusters=_CLUSTERS[task.measure.id],
        scorer=SCORER,
        config=", ".join(f"{name}={value}" for name, value in settings.items()),
    )
    lines = [
        json.dumps(
            {
                "id": f"{k}-{request.question}",
                "input": request.text,
                "metadata": {
                    "sample": k,
                    "question": request.question,
                    "part": part_of(task.measure.samples[k]),
                    "cluster": cluster_of(task.measure.samples[k]),
                },
            },
            ensure_ascii=False,
        )
        for k, request in task.requests()
    ]
    return {f"{task.name}.py": text, f"{task.name}.jsonl": "\n".join(lines) + "\n"}
