"""`genderscope read person`."""

LINES = (
    "The nurse called the cook.\tLa enfermera llamó al cocinero.\n"
    "The cook called the nurse.\tEl cocinero llamó al enfermero porque ella tosía.\n"
    "The nurse left.\tLlueve.\n"
)


def test_the_command_prints_gender_status_evidence_and_translation(cli):
    done = cli("read", "person", "--entity", "nurse", "--lang", "Spanish", piped=LINES)
    assert done.returncode == 0, done.stderr
    assert [line.split("\t") for line in done.stdout.splitlines()] == [
        ["feminine", "read", "La[0:2]: determiner; enfermera[3:12]: noun", "La enfermera llamó al cocinero."],
        [
            "masculine",
            "read, but the pronoun is feminine",
            "al[18:20]: determiner; enfermero[21:30]: noun",
            "El cocinero llamó al enfermero porque ella tosía.",
        ],
        ["", "no translation of 'nurse' found", "", "Llueve."],
    ]


def test_pronouns_decide_on_request(cli, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("The teacher said he left.\tL'insegnante disse che lui era uscito.\n", encoding="utf-8")
    arguments = ("read", "person", "--entity", "the teacher", "--lang", "it", path)
    assert cli(*arguments).stdout.startswith("\t'insegnante' shows no gender\t")
    assert cli(*arguments, "--antecedent").stdout.startswith("masculine\tread\t")


def test_mistakes_are_told_in_one_sentence(cli):
    wrong = cli("read", "person", "--entity", "nurse", "--lang", "es", piped="The nurse left. La enfermera salió.\n")
    assert wrong.returncode != 0
    assert "Line 1 has no tab; give an English sentence, a tab and its translation." in wrong.stderr
    unknown = cli("read", "person", "--entity", "nurse", "--lang", "spanih", piped="")
    assert unknown.returncode != 0
    assert "Did you mean 'es' (Spanish)?" in unknown.stderr
    absent = cli("read", "person", "--entity", "pilot", "--lang", "es", piped=LINES)
    assert absent.stdout.splitlines()[0].startswith("\tthe source does not contain 'pilot'\t")
