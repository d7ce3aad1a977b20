"""A recipe may come from a stranger: it reads nothing outside its folder and does not choose which keys are sent."""

import pytest

from genderscope.auditing.recipes import FILE_OPTIONS, file_below, read_recipe
from genderscope.core.errors import UserError
from genderscope.measures import MEASURES, measure_type

SERVER = 'models = ["server:http://127.0.0.1:9/v1#m"]\nmeasures = ["gest-chat"]\n'


@pytest.fixture
def written(tmp_path):
    """Write a recipe into a folder next to a secret."""
    folder = tmp_path / "recipe"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("a secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "own.txt").write_text("my own")

    def write(text):
        path = folder / "genderscope.toml"
        path.write_text(SERVER + text)
        return path

    return write


OUTSIDE = ["/etc/passwd", "../secret.txt", "link.txt", "x/../../secret.txt", "~/secret.txt/../../../etc/passwd", "a\0b"]


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("field", ["system", "prompt", "chat_template"])
def test_options_of_servers_name_no_file_outside_the_folder(written, field, name):
    at = "" if field == "chat_template" else "@"
    text = (at + name).replace("\0", "\\u0000")
    with pytest.raises(UserError, match="a recipe can only use files in its own folder") as caught:
        read_recipe(written(f'remote = {{ {field} = "{text}" }}'))
    assert ", remote: It names the file" in str(caught.value)


@pytest.mark.parametrize("name", OUTSIDE[:4])
@pytest.mark.parametrize("option", ["data", "prompts"])
def test_options_of_measures_name_no_file_outside_the_folder(written, option, name):
    with pytest.raises(UserError, match="a recipe can only use files in its own folder"):
        read_recipe(written(f'[options.gest-chat]\n{option} = "{name}"'))


def test_every_option_that_names_a_file_is_known():
    for measure in MEASURES:
        for name, field in measure_type(measure).options_type.model_fields.items():
            words = (field.description or "").lower()
            names_a_file = "csv" in words or "tsv" in words or " file" in words
            assert not names_a_file or name in FILE_OPTIONS or field.annotation is bool, (measure, name)


def test_files_are_found_next_to_the_recipe_wherever_the_command_is_given(written, tmp_path, monkeypatch):
    path = written('remote = { system = "@own.txt" }\n[options.gest-chat]\ndata = "own.csv"')
    monkeypatch.chdir(tmp_path)
    recipe = read_recipe(path)
    assert recipe.models[0].settings.remote.system == f"@{path.parent / 'own.txt'}"
    assert recipe.selection.options["gest-chat"]["data"] == str(path.parent / "own.csv")
    monkeypatch.chdir(path.parent)
    recipe = read_recipe(path.relative_to(path.parent))
    assert recipe.selection.options["gest-chat"]["data"] == "own.csv"


def test_the_starter_set_is_no_file(written):
    assert read_recipe(written('[options.gest-chat]\ndata = "starter"')).selection.options == {
        "gest-chat": {"data": "starter"}
    }


@pytest.mark.parametrize("field", ['key_env = "AWS_SECRET_ACCESS_KEY"', "allow_http = true", "yes = true"])
def test_only_the_command_line_decides_where_keys_go_and_what_is_paid_for(written, field):
    name = field.partition(" ")[0]
    with pytest.raises(UserError, match=f"'{name}' cannot be set in a recipe, for your safety; use --"):
        read_recipe(written(f"remote = {{ {field} }}"))


def test_the_command_line_may_name_the_key_next_to_a_recipe(cli, written, monkeypatch):
    path = written("")
    done = cli("audit", "-c", path, "--key-env", "NO_SUCH_KEY")
    assert done.returncode == 2
    assert "The environment variable 'NO_SUCH_KEY', given with --key-env, is not set" in done.stderr


def test_a_file_below_the_folder_is_found_through_links_that_stay_there(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.csv").write_text("")
    (tmp_path / "b").symlink_to(tmp_path / "a", target_is_directory=True)
    assert file_below(tmp_path, "b/x.csv") == str(tmp_path / "b" / "x.csv")
