"""Own prompts and own controls of gest: what is asked, and one sentence for each mistake."""

import pytest

from genderscope.core.errors import UserError
from genderscope.measures.gest.templates import own_prompts
from genderscope.samples.controls import own_controls

HEADER = "prompt,male,female\n"
PAIRS = "".join(f"I am son {k}.,I am daughter {k}.\n" for k in range(6))


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "own.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_own_prompts_take_the_sentence_as_it_is_or_as_direct_speech(written):
    found = own_prompts(
        written(f"{HEADER}{{sentence}} I miss my {{blank}}.,dad,mum\n{{speech}} said {{blank}}.,he,she\n"), False
    )
    asked = [prompt.ask("I cried.", want_mass=False) for prompt in found.values()]
    assert [question.before for question in asked] == ["I cried. I miss my ", "I cried, said "]
    assert [question.options for question in asked] == [("dad", "mum"), ("he", "she")]
    assert list(found) == [11, 12]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{HEADER}{{sentence}} he said.,he,she\n", "needs {blank} once"),
        (f"{HEADER}The {{blank}} spoke.,man,woman\n", "needs {sentence} or {speech} once"),
        (f"{HEADER}{{sentence}} {{blank}} {{name}},he,she\n", "may contain no braces"),
        (f"{HEADER}{{sentence}} {{blank}},he,he\n", "two different words"),
        (f"{HEADER}{{blank}} said {{sentence}},He,She\n", "a causal model cannot see it"),
        (HEADER + "{sentence} {blank},he,she\n" * 2, "occurs twice"),
        (HEADER, "contains no prompts"),
        ("prompt\n{sentence} {blank}\n", "has no column male or female"),
    ],
)
def test_a_prompt_that_cannot_be_asked_is_one_sentence(written, text, told):
    with pytest.raises(UserError) as error:
        own_prompts(written(text), sees_after=False)
    assert told in str(error.value)
    assert ".." not in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("text\nI am his son.\n", "has no column male or female"),
        ("male,female\n" + PAIRS + "I am here.,\n", "both versions of a control are needed"),
        ("male,female\n" + PAIRS + "I am here.,I am here.\n", "both versions of the control are the same"),
        ("male,female\n" + PAIRS + PAIRS, "several times"),
        ("male,female\nI am his son.,I am his daughter.\n", "too few controls with a known answer (1)"),
        ("male,female,kind\nI am his son.,I am his daughter.,sure\n", "write known or nothing"),
    ],
)
def test_controls_without_labels_or_with_too_few_pairs_are_one_sentence(written, text, told):
    with pytest.raises(UserError) as error:
        own_controls(written(text))
    assert told in str(error.value)
    assert len(own_controls(written("male,female\n" + PAIRS))) == 6
