"""Tasks for lm-evaluation-harness: a YAML file, the questions as JSONL, and functions that the YAML names."""

import json
from typing import Any

from genderscope.exporting.measure_task import MeasureTask
from genderscope.version import __version__

#: with these settings, the harness sends the text as it is
_YAML = """\
# {title}
# Written by genderscope {version} for lm-evaluation-harness 0.4.13.
# lm-eval run --model hf --model_args pretrained=MODEL,softmax_dtype=float64 --tasks {name} {flags}\\
#   --include_path . --output_path logs --log_samples
# genderscope import logs
task: {name}
custom_dataset: !function {name}.load
test_split: test
num_fewshot: 0
doc_to_text: text
doc_to_target: target
target_delimiter: ""
{output}
process_results: !function {name}.process_results
metric_list:
  - metric: {metric}
    aggregation: mean
    higher_is_better: {higher}
metadata: {metadata}
"""
_LIKELIHOODS = """\
output_type: multiple_choice
doc_to_choice: continuations"""
_REPLIES = """\
output_type: generate_until
generation_kwargs: {kwargs}"""

_LOAD = '''\
"""Questions and a first metric of the task {name}, written by genderscope {version}."""

from pathlib import Path

import datasets


def load(**_):
    """Return the questions, which are next to this file."""
    path = Path(__file__).with_name("{name}.jsonl")
    return {{"test": datasets.Dataset.from_json(str(path))}}


def process_results(doc, results):
    """Return {what}; 'genderscope import' computes the measure itself."""
'''
_SHARE = """\
    if doc["target"] < 0:
        return {}
    scores = [score for score, _ in results]
    return {"METRIC": float(scores.index(max(scores)) == doc["target"])}
"""
_REPLIED = """\
    return {"METRIC": float(bool(results[0].strip()))}
"""
#: measure -> metric, what it is for one document, and whether higher is better
_METRICS = {
    "gest": ("stereotypical_share", "whether the stereotypical word is likelier", False),
    "eurogest": ("stereotypical_share", "whether the stereotypical text is likelier", False),
    "winobias": ("stereotypical_share", "whether the stereotypical pronoun is likelier", False),
    "bbq": ("raw_accuracy", "whether the right answer has the highest log-likelihood", True),
}
_REPLY_METRIC = ("replied", "whether there is a reply", True)


def lm_eval_files(task: MeasureTask) -> dict[str, str]:
    """Return the files of a task, by name."""
    metric, what, higher = _REPLY_METRIC if task.replies else _METRICS[task.measure.id]
    body = (_REPLIED if task.replies else _SHARE).replace("METRIC", metric)
    text = _YAML.format(
        title=task.measure.title,
        version=__version__,
        name=task.name,
        flags="--apply_chat_template " if task.replies else "",
        output=_REPLIES.format(kwargs=json.dumps(_generation(task))) if task.replies else _LIKELIHOODS,
        metric=metric,
        higher=str(higher).lower(),
        metadata=json.dumps({"version": 1.0, "genderscope": task.description}, ensure_ascii=False),
    )
    lines = [json.dumps(_document(task, k, request), ensure_ascii=False) for k, request in task.requests()]
    return {
        f"{task.name}.yaml": text,
        f"{task.name}.py": _LOAD.format(name=task.name, version=__version__, what=what) + body,
        f"{task.name}.jsonl": "\n".join(lines) + "\n",
    }


def _generation(task: MeasureTask) -> dict[str, Any]:
    """Return the settings of replies; "until" and "top_k" switch off what the harness and transformers would add."""
    settings: dict[str, Any] = {"until": [], "max_gen_toks": task.longest}
    if task.sampling.temperature == 0:
        return settings | {"do_sample": False}
    sampled = {"temperature": task.sampling.temperature, "top_p": task.sampling.top_p, "top_k": 0}
    return settings | {"do_sample": True, **sampled}


def _document(task: MeasureTask, position: int, request: Any) -> dict[str, Any]:
    document = {"sample": position, "question": request.question, "text": request.text}
    if task.replies:
        return document | {"target": ""}
    target = _target(task.measure.id, task.measure.samples[position], request.question)
    return document | {"continuations": list(request.continuations), "target": target}


def _target(measure: str, sample: Any, question: int) -> int:
    """Return the continuation that the first metric counts; -1 for answers after an empty context."""
    from genderscope.samples.bbq import KINDS
    from genderscope.samples.gest import FEMALE

    if measure == "bbq":
        return KINDS.index(sample.truth) if question == 0 else -1
    female: bool = sample.gender == "female" if measure == "winobias" else sample.stereotype in FEMALE
    return int(female)
