"""Replies of local chat models: many at a time are the same as one at a time, and a seed means the same draws."""

import shutil

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from genderscope.core.errors import UserError
from genderscope.core.questions import Message, Reply, ReplyStart
from genderscope.models import Chat, Remote, open_model
from genderscope.models.chat import without_thoughts
from genderscope.models.hf import replies, reply_rows
from genderscope.models.hf.passes.key_value_caches import RowCache
from genderscope.models.hf.reply_rows import Sampler, reply_key, uniform
from tests.support.answers import answers_to
from tests.support.chat_templates import TEMPLATE
from tests.support.tolerance import of_sum

TEXTS = ["I cried.", "I was there when it all began.", "I was there", "The old boat by the lake, and the house?"]


@pytest.fixture
def template(tmp_path):
    path = tmp_path / "template.jinja"
    path.write_text(TEMPLATE, encoding="utf-8")
    return str(path)


def opened(folder, template, **options):
    return open_model(str(folder), remote=Remote.model_validate({"chat_template": template, **options}))


def asked(temperature=0.0, seed=0, max_tokens=12, top_p=1.0):
    chat = Chat(temperature, top_p)
    return [chat.ask(text, max_tokens, seed) for text in TEXTS]


def generated(folder, question):
    """What transformers' own `generate` says, one prompt at a time."""
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder).eval()
    turns = [{"role": m.role, "content": m.content} for m in question.messages]
    text = tokenizer.apply_chat_template(turns, chat_template=TEMPLATE, tokenize=False, add_generation_prompt=True)
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids
    end = tokenizer.eos_token_id
    found = model.generate(ids, do_sample=False, max_new_tokens=question.max_tokens, eos_token_id=end, pad_token_id=end)
    return tokenizer.decode(found[0, ids.shape[1] :], skip_special_tokens=True).strip()


# A tree and rows that grow; a window; a learned position; one whose attention takes no tree.
@pytest.mark.parametrize("architecture", ["llama", "mistral", "gpt2", "bloom"])
def test_greedy_replies_are_those_of_generate(models, template, architecture):
    folder = models(architecture, "bytes")
    questions = asked()
    found = answers_to(opened(folder, template), questions)
    assert [answer.text for answer in found] == [generated(folder, question) for question in questions]
    assert {answer.ended for answer in found} <= {"length", None}


def test_a_draw_depends_on_its_seed_and_prompt_alone(models, template):
    model = opened(models("llama", "bytes"), template)
    together = answers_to(model, asked(1.0, seed=3))
    alone = [answers_to(model, [question])[0] for question in reversed(asked(1.0, seed=3))]
    assert together == alone[::-1]
    assert together != answers_to(model, asked(1.0, seed=4))
    assert answers_to(model, asked(1.0, seed=3), batch_size=2) == together


def test_the_smallest_nucleus_is_the_likeliest_token(models, template):
    model = opened(models("llama", "bytes"), template)
    assert answers_to(model, asked(1.0, top_p=1e-6)) == answers_to(model, asked(0.0))


def test_draws_follow_the_models_probabilities(models, template):
    folder = models("llama", "bytes")
    model = opened(folder, template)
    prompt = Chat().messages("I cried.")
    [scored] = answers_to(model, [ReplyStart(prompt, ("t", "w", "h"))])
    drawn = answers_to(model, [Reply(prompt, 1, 1.0, 1.0, seed) for seed in range(600)])
    for start, score in zip(("t", "w", "h"), scored.scores, strict=True):
        expected = torch.tensor(score - scored.log_normaliser).exp().item()
        share = sum(answer.text == start for answer in drawn) / len(drawn)
        assert abs(share - expected) < 5 * (expected / 600) ** 0.5 + 0.01


def test_beginnings_are_scored_in_one_pass_as_they_would_be_one_by_one(models, template):
    folder = models("gpt2", "bytes")
    model = opened(folder, template)
    questions = [ReplyStart(Chat().messages(text), ("(a", "(b", "(c")) for text in TEXTS]
    tokenizer, naive = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder).eval()
    for question, answer in zip(questions, answers_to(model, questions), strict=True):
        before = tokenizer(f"[user] {question.messages[0].content}\n[assistant] ").input_ids
        for start, score in zip(question.starts, answer.scores, strict=True):
            ids = before + tokenizer(start).input_ids
            with torch.no_grad():
                rows = naive(torch.tensor([ids])).logits[0].double().log_softmax(-1)
            own = sum(float(rows[k - 1, ids[k]]) for k in range(len(before), len(ids)))
            assert score - answer.log_normaliser == pytest.approx(own, abs=of_sum(len(ids) - len(before)))


def test_a_model_without_a_template_is_refused_before_it_is_loaded(models, cli):
    done = cli("run", "gest-chat", "--model", str(models("gpt2", "bytes")), "--data", "starter")
    assert done.returncode == 2
    assert "has no chat template; if it is a chat model, pass --chat-template FILE" in done.stderr


def test_the_models_own_template_is_used(models, tmp_path):
    folder = tmp_path / "chats"
    shutil.copytree(models("gpt2", "bytes"), folder)
    (folder / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    [answer] = answers_to(open_model(str(folder)), asked()[:1])
    assert answer.text == generated(folder, asked()[0])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{{ raise_exception('no system here') }}", "cannot render this conversation"),
        ("{% for %}", "cannot render this conversation"),
        ("hello", "omits the user's message"),
    ],
)
def test_a_template_that_does_not_work_is_one_sentence(models, tmp_path, text, complaint):
    file = tmp_path / "bad.jinja"
    file.write_text(text, encoding="utf-8")
    model = opened(models("gpt2", "bytes"), str(file))
    with pytest.raises(UserError, match=complaint):
        model.unanswerable(frozenset({Reply}))


def test_another_template_is_another_model(models, template, tmp_path):
    other = tmp_path / "other.jinja"
    other.write_text(TEMPLATE.replace("[", "<"), encoding="utf-8")
    folder = models("gpt2", "bytes")
    prints = {opened(folder, path).fingerprint for path in (template, str(other), None)}
    assert len(prints) == 3
    with pytest.raises(UserError, match=r"The chat template 'nowhere' cannot be read: No such file"):
        opened(folder, "nowhere").unanswerable(frozenset({Reply}))


def test_a_system_prompt_comes_first_and_may_be_a_file(models, template, tmp_path):
    (tmp_path / "system.txt").write_text("Be brief.\n", encoding="utf-8")
    model = opened(models("gpt2", "bytes"), template, system=f"@{tmp_path}/system.txt", temperature=0, max_tokens=7)
    question = model.chat.ask("Hello.", 300, 0)
    assert question.messages == (Message("system", "Be brief."), Message("user", "Hello."))
    assert (question.temperature, question.max_tokens) == (0, 7)


def test_a_prompt_that_is_too_long_is_unread(models, template):
    [answer] = answers_to(opened(models("gpt2", "bytes"), template), [Chat(0.0).ask("lake " * 200, 5, 0)])
    assert answer.unread == "longer than the model's limit of 128 tokens"


@pytest.mark.parametrize(
    ("text", "begun", "said", "thought"),
    [
        ("(a)", False, "(a)", None),
        ("<think>It is (b).</think>(a)", False, "(a)", "It is (b)."),
        ("<think>\n\n</think>\n\n(a)", False, "(a)", None),
        ("It is (b).</think>\n(a)", True, "(a)", "It is (b)."),
        ("It is (b).</think>\n(a)", False, "(a)", "It is (b)."),
        ("<think>It is (b), or", False, "", "It is (b), or"),
        ("It is (b), or", True, "", "It is (b), or"),
        ("<THINKING>x</THINKING> (c)", False, "(c)", "x"),
        ("", True, "", None),
    ],
)
def test_thoughts_are_no_part_of_the_reply(text, begun, said, thought):
    assert without_thoughts(text, begun) == (said, thought)


@pytest.mark.long_but("llama")
@pytest.mark.parametrize("architecture", ["llama", "gpt2"])
def test_rows_are_refilled_moved_and_checked_only_now_and_then(models, template, monkeypatch, architecture):
    folder = models(architecture, "bytes")
    chat = Chat(0.0)
    # Prompts and replies of many lengths in two narrow rows, looked at every third step.
    questions = [chat.ask(text * k, most, 0) for k, most in ((1, 9), (2, 3), (1, 14)) for text in TEXTS[:3]]
    expected = [generated(folder, question) for question in questions]
    monkeypatch.setitem(replies.ROWS, "cpu", 2)
    monkeypatch.setattr(replies, "PART", 1)
    monkeypatch.setitem(reply_rows.STEPS, "cpu", 3)
    moved = []
    original = RowCache.move_to
    monkeypatch.setattr(
        RowCache, "move_to", lambda self, column: (moved.append(column - self.next), original(self, column))[1]
    )
    found = answers_to(opened(folder, template), questions)
    assert [answer.text for answer in found] == expected
    assert min(moved) < 0 < max(moved)


def test_random_numbers_depend_on_key_and_count_alone():
    keys = torch.tensor([reply_key(seed, (1, 2, seed % 3)) for seed in range(2000)])
    counts = torch.arange(2000) % 7
    numbers = uniform(keys, counts)
    assert torch.equal(uniform(keys[5:9], counts[5:9]), numbers[5:9])
    assert 0 <= float(numbers.min()) < 0.01
    assert 0.99 < float(numbers.max()) < 1
    assert float(numbers.mean()) == pytest.approx(0.5, abs=4 / (12 * 2000) ** 0.5)
    one_key = uniform(keys[:1].repeat(2000), torch.arange(2000))
    assert float(torch.corrcoef(torch.stack([one_key[:-1], one_key[1:]]))[0, 1]) == pytest.approx(0, abs=0.1)
    assert len({reply_key(seed, prompt) for seed in range(9) for prompt in ((1,), (2,), (1, 2))}) == 27


def test_one_batch_may_hold_greedy_sampled_and_nucleus_replies():
    logits = torch.randn(3, 50, generator=torch.Generator().manual_seed(0)).repeat(400, 1)
    kinds = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.3)]
    questions = [Reply((Message("user", "x"),), 1, *kinds[k % 3], k) for k in range(1200)]
    sampler = Sampler(1200, torch.device("cpu"))
    sampler.set(torch.arange(1200), questions, [(1,)] * 1200)
    chosen = sampler.choose(logits, slice(0, 1200)).view(400, 3)
    assert (chosen[:, 0] == logits[0].argmax()).all()
    chances = logits[1].double().softmax(-1)
    for token in chances.topk(5).indices.tolist():
        expected = float(chances[token])
        assert float((chosen[:, 1] == token).double().mean()) == pytest.approx(
            expected, abs=5 * (expected / 400) ** 0.5
        )
    ordered = logits[2].double().softmax(-1).sort(descending=True)
    nucleus = ordered.indices[: int((ordered.values.cumsum(-1) < 0.3).sum()) + 1]
    assert set(chosen[:, 2].tolist()) == set(nucleus.tolist())
