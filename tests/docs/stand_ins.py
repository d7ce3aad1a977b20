"""What stands in for what a test cannot have, when the commands of the pages are run. All else runs as it stands."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class StandIn:
    """Replace what matches the pattern; `why` is for whoever reads this table."""

    pattern: str
    replacement: str
    why: str


NO_HUB = "there is no model hub in a test: a tiny model with random weights"
OTHERS_FILES = "a page speaks of the reader's own files: the test has laid down small ones under these names"
SMALL = "the whole set would take long: a few samples, spread evenly"

#: applied in this order to every command; {causal}, {masked} are folders, {starter} is empty where there is a mirror
STAND_INS = [
    StandIn(r"(?<=genderscope )demo\b", "run gest --model smollm2 --data starter", "so that the next lines apply"),
    StandIn(r"(?<=--model )smollm2", "{causal}", "tests/test_smollm2.py runs the real one"),
    StandIn(r"gguf:\S+", "{causal}", "tests/test_smollm2.py reads a real GGUF file"),
    StandIn(r"hf:(gpt2|org/model)|\bSPEC\b", "{causal}", NO_HUB),
    StandIn(r"--device cuda:3", "--device cpu", "a test has no GPU"),
    StandIn(r"(hf:)?\./my-model", "{masked}", OTHERS_FILES),
    StandIn(r"hf:(bert-base-uncased|xlm-roberta-base|dbmdz/\S+)", "{masked}", NO_HUB),
    StandIn(r"(?<=pairs build --model )hf:\S+", "file:pairs-{{lang}}.csv", "there is no hub: a file of translations"),
    StandIn(r"(hf:facebook/\S+|ct2:\S+)(?= --to)", "file:outputs/{{lang}}.csv", "as above; tests/mt runs such models"),
    StandIn(r"(run gest-mt .*--to )all", r"\1sk,cs", "the test has translations into two languages"),
    StandIn(r"(run gest-mt .*--to )uk", r"\1sk", "the test has translations into two languages"),
    StandIn(r"(run eurogest .*--lang )all", r"\1fr,fi", SMALL),
    StandIn(r"(--to sk,cs),pl", r"\1", "the test has translations into two languages"),
    StandIn(
        r"^(genderscope (run gest-mt|pairs build|compare .*--measure gest-mt)(?!.*--data ).*)$",
        r"\1 --data my.csv",
        OTHERS_FILES,
    ),
    StandIn(
        r"^(.*genderscope run gest (?!.*(--data|--help)).*)$",
        r"\1 {starter}",
        "GEST is in the mirror, where there is one",
    ),
    StandIn(
        r"^(genderscope run gest-chat .*)$",
        r"\1 --chat-template chat.jinja",
        "a tiny model has no chat template of its own: the test has laid one down",
    ),
    StandIn(
        r"^(.*genderscope run gest (?!.*--(limit|help)).*)$",
        r"\1 --limit 64",
        "as below, but the tiny model's window is too short for some sentences, and each stereotype needs one",
    ),
    StandIn(
        r"^(.*genderscope run (gest-chat|winobias|stereoset|crows|honest|eurogest) "
        r"(?!.*--(limit|help))(?!.*roberta-base --as).*)$",
        r"\1 --limit 32",
        SMALL,
    ),
    StandIn(
        r"^(genderscope audit --model \S+ --budget quick)(?!.*--plan)",
        r"\1 --measure gest --option gest.data=starter --option gest.limit=32",
        SMALL,
    ),
    StandIn(
        r"^(genderscope audit .*--plan.*)$", r"\1 --measure gest --offline", "planning all measures would take long"
    ),
    StandIn(r"validity runs/\*", "validity ready/* --x gest:g_s --y gest:q_m", "three runs that the test has made"),
    StandIn(r"(run gest-mt --model (?:marian|apertium):.* --data starter)", r"\1 --limit 16", SMALL),
    StandIn(r"(run dialogue (?!.*--data).*)", r"\1 --data starter", SMALL),
    StandIn(r"(run dialogue .*)", r"\1 --limit 40", SMALL),
]

#: programs and commands that are not run here, and where they are
ELSEWHERE = {
    r"make demo": "tests/test_smollm2.py runs the demo; make setup has run, or there would be no tests",
    r"make test": "this is it",
    r"make docs": "tests/docs/test_site.py builds the site",
    r"make setup": "it has run, or there would be no tests",
    r"pip install": "make setup has installed all extras; tests/plugins installs the example",
    r"\. \.venv/bin/activate": "tests run in that environment",
    r"genderscope reproduce (gest-lm|gest-mt|dialogue)": "takes minutes; tests/**/test_published.py",
    r"genderscope reproduce winomt": "takes minutes; tests/released/test_winomt_tables.py",
    r"(genderscope|ray|xargs) .*--(engine ray|address|head)": "tests/engine/test_ray.py starts a Ray of its own",
    r"genderscope .*--log ": "tests/api/test_trackers.py logs to every tracker",
    r"genderscope push ": "tests/api/test_push.py has a hub of its own",
    r"docker (build|run) ": "tests/api/test_distribution.py runs what the Dockerfile runs",
    r"genderscope --install-completion": "it would write to the user's shell; tests/api/test_distribution.py completes",
    r"(ssh .*)?genderscope serve ": "it runs until it is stopped; tests/serve asks for every page",
    r"genderscope models fetch smollm2": "tests/test_smollm2.py",
    r"(export \w+_KEY=.* && )?genderscope .*--model (anthropic|gemini):": "tests/server has fakes of their protocols",
    r"(genderscope .*server:|vllm )": "tests/server asks a server of its own in every such way",
    r"(export \w+_KEY\w*=.* && )?genderscope .*--model (deepl|google|amazon)": "tests/server has fakes of the services",
}


def stand_in(command: str, table: list[StandIn] = STAND_INS, **places: str) -> str | None:
    """Return what to run for a command of the pages, or None where it is run elsewhere."""
    if any(re.match(pattern, command) for pattern in ELSEWHERE):
        return None
    for each in table:
        filled = re.sub(r"(?<!{){(\w+)}(?!})", lambda m: places.get(m[1], m[0]), each.replacement)
        command = re.sub(each.pattern, filled.replace("{{", "{").replace("}}", "}"), command)
    return command
