"""Settings, addresses and files that make no sense: one sentence and exit code 2, soon, never a traceback."""

import json
import os
import time
from importlib.util import find_spec

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.models import open_model
from genderscope.runs.atomic_files import json_bytes
from genderscope.runs.run_files import sha256

#: longer than any of these takes on a busy machine, and shorter than any retry or timeout
SOON = 60.0
SERVER = "server:http://models.example.org/v1#m"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """No proxies, certificates or keys of the user's."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.endswith(("_API_KEY", "_CA_BUNDLE")) or name.startswith("SSL_CERT"):
            monkeypatch.delenv(name)


@pytest.fixture
def refused(cli):
    """Run a command that has to end in one sentence, and return that."""

    def run(*arguments):
        start = time.monotonic()
        done = cli(*arguments)
        assert time.monotonic() - start < SOON
        lines = done.stderr.strip().splitlines()
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert lines[-1].startswith("Error: ")
        assert len(lines) == 1, done.stderr
        return lines[-1].removeprefix("Error: ")

    return run


@pytest.mark.parametrize("timeout", ["inf", "nan", "0", "-1", "1e308"])
def test_a_timeout_has_to_be_a_number_of_seconds(refused, timeout):
    assert refused("run", "gest", "--model", SERVER, f"--timeout={timeout}").startswith("Option --timeout is ")


@pytest.mark.parametrize("name", ["temperature", "top_p", "price_in", "price", "max_cost"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_option_is_infinite_or_no_number(name, value):
    with pytest.raises(UserError, match=r"^Option --[a-z-]+ is (nan|inf): "):
        genderscope.evaluate("gest", SERVER, **{name: value})


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "https_proxy", "ALL_PROXY"])
@pytest.mark.parametrize("proxy", ["garbage://x", "http://[::1", "http://host:99999", "http://"])
@pytest.mark.parametrize("model", [SERVER, "deepl", "anthropic:claude"])
def test_a_proxy_that_is_none(refused, monkeypatch, variable, proxy, model):
    monkeypatch.setenv("DEEPL_AUTH_KEY", "some-key")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "some-key")
    monkeypatch.setenv(variable, proxy)
    measure = ("gest-mt", "--to", "sk") if model == "deepl" else ("gest-chat",)
    said = refused("run", *measure, "--model", model, "--data", "starter", "--yes")
    assert said.startswith(f"{variable} is not a proxy's address; set it to a URL such as http://HOST:PORT")


@pytest.mark.skipif(find_spec("socksio") is not None, reason="the package for SOCKS proxies is installed")
def test_a_socks_proxy_names_the_package_that_it_needs(refused, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://proxy.example.org:1080")
    said = refused("run", "gest", "--model", SERVER, "--data", "starter")
    assert said == "ALL_PROXY is a SOCKS proxy, which needs another package; run: pip install socksio"


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"])
def test_certificates_that_are_not_there_are_named_with_their_variable(refused, monkeypatch, tmp_path, variable):
    missing = tmp_path / "missing.pem"
    monkeypatch.setenv(variable, str(missing))
    said = refused("run", "gest", "--model", SERVER.replace("http:", "https:"), "--data", "starter")
    assert said == f"{variable} is set to '{missing}', which does not exist; correct or unset it."


def test_certificates_that_are_none_are_named_with_their_variable(refused, monkeypatch, tmp_path):
    (tmp_path / "empty.pem").write_text("nothing")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "empty.pem"))
    said = refused("run", "gest", "--model", SERVER.replace("http:", "https:"), "--data", "starter")
    assert "Cannot read the certificates in" in said


@pytest.mark.parametrize(
    "url", ["http://[::1/v1", "http://host:99999/v1", "http://host:port/v1", "http:///v1", "x://h"]
)
def test_an_address_that_is_none(refused, url):
    said = refused("run", "gest", "--model", f"server:{url}#m", "--data", "starter")
    assert said.startswith("Write a server as server:http://localhost:8000/v1#MODEL")


@pytest.mark.parametrize("name", ["ANTHROPIC_BASE_URL", "DEEPL_SERVER_URL"])
def test_an_address_in_the_environment_that_is_none(monkeypatch, name):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "some-key")
    monkeypatch.setenv("DEEPL_AUTH_KEY", "some-key")
    monkeypatch.setenv(name, "https://[::1/v1")
    with pytest.raises(UserError, match=f"{name} must begin with http"):
        open_model("deepl" if name.startswith("DEEPL") else "anthropic:claude")


RECIPES = {
    "nested": ("x = " + "[" * 3000 + "]" * 3000, "is not TOML: it is nested too deeply."),
    "tables": ("x = " + "{a=" * 3000 + "1" + "}" * 3000, "is not TOML: it is nested too deeply."),
    "digits": (f"jobs = {'9' * 5000}", "is not TOML: Exceeds the limit (4300 digits) for integer string conversion"),
    "large": (f'models = ["smollm2"] # {"x" * 1_100_000}', "contains more than 1,000,000 bytes"),
    "nan": ('models = ["smollm2"]\nmin_coverage = nan', "min_coverage: it is nan"),
    "infinite": ('models = ["smollm2"]\nremote = { timeout = inf }', "Option --timeout is inf"),
    "latin-1": ('out = "\udce9"', "the text is not UTF-8"),
}


@pytest.mark.parametrize("kind", RECIPES)
def test_a_recipe_that_cannot_be_read(refused, tmp_path, kind):
    content, said = RECIPES[kind]
    (tmp_path / "recipe.toml").write_bytes(content.encode(errors="surrogateescape"))
    assert said in refused("audit", "-c", tmp_path / "recipe.toml")


def test_a_recipe_may_begin_with_a_byte_order_mark(cli, tmp_path):
    recipe = tmp_path / "recipe.toml"
    recipe.write_bytes(b'\xef\xbb\xbfmodels = ["smollm2"]\nmeasures = ["no-such"]\n')
    assert "Unknown measure 'no-such'" in cli("audit", "-c", recipe).stderr


@pytest.fixture(params=["pipe", "device"])
def endless(request, tmp_path):
    """A path that can be read without end, or for which nobody writes anything."""
    if request.param == "device":
        return "/dev/zero", "it is a device"
    os.mkfifo(tmp_path / "pipe.csv")
    return str(tmp_path / "pipe.csv"), "it is a pipe"


def test_a_recipe_is_a_regular_file(refused, endless):
    path, what = endless
    assert f"The recipe '{path}' cannot be read: {what}" in refused("audit", "-c", path)


@pytest.mark.parametrize("option", ["--data", "--system", "--prompt", "--chat-template"])
def test_what_an_option_names_is_a_regular_file(refused, models, endless, option):
    path, what = endless
    model = SERVER if option in ("--system", "--prompt") else str(models("gpt2", "bytes"))
    name = path if option in ("--data", "--chat-template") else f"@{path}"
    more = () if option == "--data" else ("--data", "starter")
    measures = {"--data": ("gest",), "--prompt": ("gest-mt", "--to", "sk")}
    measure = measures.get(option, ("gest-chat",))
    assert f"'{path}' cannot be read: {what}" in refused("run", *measure, "--model", model, option, name, *more)


def test_translations_are_in_a_regular_file(refused, endless):
    path, what = endless
    said = refused("run", "gest-mt", "--model", f"file:{path}", "--to", "sk", "--data", "starter")
    assert what in said


BAD = [("n_embd", "x"), ("n_embd", -4), ("n_embd", 0), ("n_embd", 1.5), ("n_head", True), ("n_head", 0)]
BAD += [("vocab_size", {"a": 1}), ("architectures", 5), ("architectures", [5]), ("n_layer", "x"), ("n_positions", -1)]


@pytest.mark.parametrize(("key", "value"), BAD)
def test_a_configuration_that_makes_no_sense(models, tmp_path, key, value):
    folder = tmp_path / "model"
    folder.mkdir()
    for path in models("gpt2", "bytes").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    content = json.loads((folder / "config.json").read_bytes())
    (folder / "config.json").write_text(json.dumps({**content, key: value}))
    with pytest.raises(UserError, match=r"is not a model that transformers can open|cannot be read"):
        open_model(str(folder)).load()


COUNTS = [None, 5, [], {}, {"rows": 1}, {"rows": "1", "read": 1}, {"rows": 1, "read": 2}, {"rows": -1, "read": -1}]
COUNTS += [{"rows": 1, "read": 1, "more": 1}, {"rows": 1e300, "read": 1}, {"rows": 10**400, "read": 1}]


@pytest.fixture(scope="module")
def run(tmp_path_factory, models):
    folder = tmp_path_factory.mktemp("counts") / "run"
    genderscope.evaluate("gest", str(models("gpt2", "bytes")), out=folder, data="starter", limit=32)
    return folder


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("command", ["show", "scorecard"])
def test_forged_counts_are_refused_even_with_a_checksum_that_fits(cli, run, tmp_path, counts, command):
    folder = tmp_path / "runs" / "run"
    folder.mkdir(parents=True)
    for path in run.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    content = json.loads((folder / "result.json").read_bytes())
    sums = content.pop("checksums")
    content["counts"] = counts
    (folder / "result.json").write_bytes(
        json_bytes({**content, "checksums": {**sums, "result.json": sha256(json_bytes(content))}})
    )
    done = cli(command, folder if command == "show" else folder.parent)
    assert "Traceback" not in done.stderr
    if command == "show":
        assert done.returncode == 2
        assert "result.json' is damaged (its counts are impossible)" in done.stderr
    else:
        assert "is damaged (result.json: its counts are impossible" in " ".join((done.stdout + done.stderr).split())
