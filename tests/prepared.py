"""The command line in a process of its own that starts at once: forked from one that has loaded what is heavy."""

import multiprocessing
import os
import sys
from multiprocessing.context import ForkServerProcess
from pathlib import Path

HEAVY = ["altair", "vl_convert", "scipy.stats", "transformers.models.llama.modeling_llama"]
HEAVY += [
    "genderscope.cli.app",
    "genderscope.evaluation",
    "genderscope.measures.gest.measure",
    "genderscope.measures.gest.rates",
]
HEAVY += ["genderscope.models.hf.folder", "genderscope.models.hf.causal", "genderscope.report.html.page"]


class Prepared(ForkServerProcess):
    """A command that is running; what it says is kept in a file."""

    def __init__(self, *arguments):
        self.log = Path(f"said-{len(list(Path().glob('said-*')))}.txt").resolve()
        super().__init__(target=_run, args=(list(map(str, arguments)), str(Path.cwd()), dict(os.environ), self.log))
        multiprocessing.set_forkserver_preload(HEAVY)
        self.start()

    def poll(self):
        """Return the exit code of a command that has ended, as subprocess does."""
        return self.exitcode

    def said(self, seconds=120):
        """Wait until it ends; return its exit code and all that it said."""
        self.join(seconds)
        return self.exitcode, self.log.read_text(encoding="utf-8")


def _run(arguments, folder, environment, log):
    from genderscope.cli.app import main

    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    with open(log, "wb") as file:  # noqa: PTH123 - its number is needed
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = ["genderscope", *arguments]
    main()
