"""BBQ and StereoSet as asked by inspect_evals."""

from genderscope.core.questions import ReplyAnswer
from genderscope.importing.bbq_questions import bbq_questions
from genderscope.importing.inspect_log import completion, ending
from genderscope.importing.log import ImportedRows, Log, ToolNumber, item_scores, tool_numbers
from genderscope.importing.log_node import Node
from genderscope.measures.bbq import BbqRow, reply_row
from genderscope.measures.item_scores import ItemScoreRow
from genderscope.samples.bbq import BbqSample

LETTERS = "ABC"
QUESTION, CONTEXT = "\n\nQuestion: ", "Context: "
FAILED = "the tool reports an error"
SCORER = "stereoset_scorer"
#: label of an option -> its value
VALUES = {"stereotype": 1.0, "anti-stereotype": 0.0}
UNRELATED = "unrelated"


def import_inspect_bbq(log: Log) -> ImportedRows:
    """Return the rows of the task `bbq`; of several epochs, the first is used."""
    first = [sample for sample in log.records if sample.at("epoch").whole() == 1]
    questions = bbq_questions([_document(sample) for sample in first])
    rows = [_row(first[k], sample) for k, sample in questions.samples.items()]
    right = [_is_right(sample) for sample in log.records]
    numbers = tool_numbers(log, "inspect", "bbq", {"choice/accuracy": sum(right) / len(right) if right else None})
    more = len(log.records) - len(first)
    left_out = [f"Only the first epoch is used; {more:,} further answers are not."] if more else []
    return questions.imported(log, rows, numbers, cautions=left_out)


def _document(sample: Node) -> Node:
    """Return a sample in the layout of BBQ's own files."""
    text, about, choices = sample.at("input"), sample.at("metadata"), list(sample.at("choices").items())
    context, separator, question = text.text().rpartition(QUESTION)
    if not separator or not context.startswith(CONTEXT):
        raise text.error(f"does not have the form '{CONTEXT}…{QUESTION}…'".replace("\n", "\\n"))
    target = sample.at("target")
    if len(choices) != len(LETTERS):
        raise sample.at("choices").error(f"has {len(choices)} entries, not {len(LETTERS)}")
    document = {
        **{name: about.at(name).value for name in ("category", "question_index", "question_polarity")},
        **{name: about.at(name).value for name in ("context_condition", "answer_info", "additional_metadata")},
        "example_id": about.at("source_id").whole(),
        "context": context.removeprefix(CONTEXT),
        "question": question,
        "label": LETTERS.index(target.one_of(*LETTERS)),
        **{f"ans{k}": choice.text() for k, choice in enumerate(choices)},
    }
    return Node(document, sample.where, sample.writer)


def _row(sample: Node, question: BbqSample) -> BbqRow:
    if sample.maybe("error") is not None:
        return reply_row(question, question.kinds, ReplyAnswer(text=None, unread=FAILED))
    return reply_row(question, question.kinds, ReplyAnswer(text=completion(sample), ended=ending(sample)))


def _is_right(sample: Node) -> bool:
    scores = sample.maybe("scores")
    return scores is not None and scores.at("choice", "value").one_of("C", "I") == "C"


def import_stereoset(log: Log) -> ImportedRows:
    """Return the choices between stereotype and anti-stereotype about gender, with target terms as clusters."""
    rows, every = [], []
    for k, sample in enumerate(log.records):
        about = sample.at("metadata")
        label = _label(sample)
        every.append(label)
        if about.at("bias_type").text() != "gender":
            continue
        rows.append(
            ItemScoreRow(
                sample=k,
                item=sample.at("id").name(),
                cluster=about.at("target").text(),
                draw=sample.at("epoch").whole() - 1,
                value=VALUES.get(label or ""),
                outcome=label,
                text=sample.at("input").text(),
                reply=None if sample.maybe("error") is not None else completion(sample),
                unread="no option named" if label is None else None,
            )
        )
    if not rows:
        raise log.records[0].at("metadata", "bias_type").error("is never 'gender'")
    values = [VALUES[label] for label in every if label in VALUES]
    other = len(every) - len(rows)
    numbers = [
        ToolNumber(
            "stereotype_score",
            log.reported.get(f"{SCORER}/stereotype_score"),
            100 * sum(values) / len(values) if values else None,
            "mean",
            f"in percent{f', with {other:,} answers that are not about gender' if other else ''}",
        )
    ]
    options = {"meaning": "the share of stereotypical choices", "scale": "share", "neutral": 0.5}
    left_out = {"not about gender": other} if other else None
    return item_scores(log.task, rows, options, numbers, left_out)


def _label(sample: Node) -> str | None:
    """Return the label of the option that the reply names first after "ANSWER: ", as the task reads it."""
    if sample.maybe("error") is not None:
        return None
    labels = [label.one_of(*VALUES, UNRELATED) for label in sample.at("metadata", "gold_labels").items()]
    answer = completion(sample).split("ANSWER: ")[-1].strip()
    place = ord(answer[0].upper()) - ord("A") if answer else -1
    return labels[place] if 0 <= place < len(labels) else None
