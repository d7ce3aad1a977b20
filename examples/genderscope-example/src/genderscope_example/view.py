"""How the measure's results are shown. Optional: without a view there is one table of all estimates."""

from genderscope.report import View


class OccupationsView(View):
    """The plain table, with a word on what each number means. Override `figures` or `tables` to add more."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "gap": "men's occupations minus women's",
        "lean": "log-ratio of he to she",
    }
