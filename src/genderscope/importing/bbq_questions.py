"""Questions of BBQ, EsBBQ and CaBBQ in a log, checked field by field and turned into samples."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from genderscope.core.errors import UserError
from genderscope.importing.log import ImportedRows, Log, ToolNumber
from genderscope.importing.log_node import Node
from genderscope.samples.bbq import BbqSample, bbq_sample, esbbq_sample, scenarios, usable

GENDER = "Gender_identity"
_ANSWERS = ("ans0", "ans1", "ans2")


@dataclass(frozen=True)
class Questions:
    """The questions about gender in a log, by position of their record, and how many others were left out."""

    samples: Mapping[int, BbqSample]
    left_out: Mapping[str, int]

    def data(self, name: str) -> dict[str, Any]:
        """Return the identity of the questions: name, checksum and number; their order does not matter."""
        contents = sorted(
            json.dumps(asdict(sample) | {"index": 0}, ensure_ascii=False, sort_keys=True)
            for sample in self.samples.values()
        )
        sha256 = hashlib.sha256("\n".join(contents).encode("utf-8", "surrogatepass")).hexdigest()
        identity: dict[str, Any] = {"name": name, "sha256": sha256, "samples": len(self.samples)}
        return identity | ({"left_out": dict(self.left_out)} if self.left_out else {})

    def imported(
        self,
        log: Log,
        rows: Sequence[Any],
        numbers: Sequence[ToolNumber],
        form: str = "ask",
        language: str = "en",
        cautions: Sequence[str] = (),
        lacks: str | None = None,
    ) -> ImportedRows:
        """Return the rows of these questions."""
        scoring = {"scoring": "raw"} if form == "choice" else {}
        return ImportedRows(
            measure="bbq",
            options={"form": form, "lang": (language,), **scoring},
            rows=rows,
            data=self.data(f"{log.task}-log"),
            settings={"form": form, "lang": language, **scoring},
            numbers=numbers,
            cautions=[*self.caution, *cautions],
            lacks=[lacks] if lacks else [],
        )

    @property
    def caution(self) -> list[str]:
        """A sentence on the documents that were left out, if any."""
        if not self.left_out:
            return []
        reasons = "; ".join(f"{count:,}: {reason}" for reason, count in self.left_out.items())
        return [f"Some documents of the log are left out ({reasons})."]


def bbq_questions(docs: Sequence[Node]) -> Questions:
    """Return the questions of BBQ's documents; those of other categories are left out."""
    about_gender = {k: doc for k, doc in enumerate(docs) if doc.at("category").text() == GENDER}
    if not about_gender:
        raise docs[0].at("category").error(f"is never '{GENDER}'") if docs else UserError("The log has no documents.")
    other = len(docs) - len(about_gender)
    return _questions(about_gender, {"not about gender": other} if other else {}, _bbq)


def esbbq_questions(docs: Sequence[Node], language: str) -> Questions:
    """Return the questions of EsBBQ's or CaBBQ's documents."""
    return _questions(dict(enumerate(docs)), {}, lambda doc, k: _esbbq(doc, k, language))


def _questions(
    docs: Mapping[int, Node], left_out: Mapping[str, int], made: Callable[[Node, int], BbqSample | str]
) -> Questions:
    samples, unusable = usable(made(doc, k) for k, doc in docs.items())
    return Questions({sample.index: sample for sample in samples}, {**left_out, **unusable})


def _bbq(doc: Node, index: int) -> BbqSample | str:
    number = doc.at("question_index")
    if number.name() not in scenarios():
        raise number.error(f"is '{number.name()[:20]}', which is not one of BBQ's questions about gender")
    _check_groups(doc.at("additional_metadata", "stereotyped_groups"))
    row = _checked(doc) | {
        "question_index": number.name(),
        "example_id": doc.at("example_id").whole(),
        "additional_metadata": doc.at("additional_metadata").value,
    }
    return bbq_sample(row, index, "en")


def _esbbq(doc: Node, index: int, language: str) -> BbqSample | str:
    _check_groups(doc.at("stereotyped_groups"))
    value = doc.maybe("relevant_social_value")
    row = _checked(doc) | {
        "stereotyped_groups": doc.at("stereotyped_groups").value,
        "template_id": doc.at("template_id").name(),
        "instance_id": doc.at("instance_id").name(),
        "relevant_social_value": value.text() if value is not None else "",
    }
    return esbbq_sample(row, index, language)


def _checked(doc: Node) -> dict[str, Any]:
    """Return the fields that both kinds of documents share; raise at the first that is missing or odd."""
    info = {name: [part.text() for part in doc.at("answer_info", name).items()] for name in _ANSWERS}
    for name, parts in info.items():
        if len(parts) != 2:
            raise doc.at("answer_info", name).error("does not have two parts")
    unknown = [name for name in _ANSWERS if info[name][1] == "unknown"]
    if len(unknown) != 1:
        raise doc.at("answer_info").error("does not mark exactly one answer as 'unknown'")
    label = doc.at("label")
    if label.whole() not in range(3):
        raise label.error("is not 0, 1 or 2")
    return {
        "answer_info": info,
        "label": label.whole(),
        "question_polarity": doc.at("question_polarity").one_of("neg", "nonneg"),
        "context_condition": doc.at("context_condition").one_of("ambig", "disambig"),
        **{name: doc.at(name).text() for name in ("context", "question", *_ANSWERS)},
    }


def _check_groups(groups: Node) -> None:
    names: Iterator[str] = (group.text().lower() for group in groups.items())
    if not any(name == "trans" or name in ("f", "m") for name in names):
        raise groups.error("names neither F, M nor trans")
