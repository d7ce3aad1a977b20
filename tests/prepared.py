"""The command line in a process of its own that starts at once: forked from one that has loaded what is heavy."""

import multiprocessing
import os
import sys
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

HEAVY = ["vl_convert", "scipy.special", "transformers.models.llama.modeling_llama"]
HEAVY += [
    "genderscope.cli.app",
    "genderscope.evaluation.pipeline",
    "genderscope.measures.gest.measure",
    "genderscope.measures.gest.rates",
]
HEAVY += [
    "genderscope.models.hf.model_classes",
    "genderscope.models.hf.choice",
    "genderscope.report.html.report_page",
]


@dataclass(frozen=True)
class Done:
    """What a command left behind, by the names that subprocess gives it."""

    returncode: int
    stdout: str
    stderr: str


class Prepared(ForkServerProcess):
    """A command that is running; what it says is kept in files.

    `path` is where it looks for packages first, `before` is called before it begins, and `environment` is ours unless
    given.
    """

    def __init__(self, *arguments, path=(), before=None, piped="", environment=None):
        number = len(list(Path().glob("said-*.out")))
        self.streams = [Path(f"said-{number}.{name}").resolve() for name in ("in", "out", "err")]
        self.streams[0].write_text(piped, encoding="utf-8")
        self.streams[1].touch()
        environment = dict(os.environ if environment is None else environment)
        world = (str(Path.cwd()), environment, list(map(str, path)), before)
        super().__init__(target=_run, args=(list(map(str, arguments)), *world, self.streams))
        multiprocessing.set_forkserver_preload(HEAVY)
        self.start()

    def poll(self):
        """Return the exit code of a command that has ended, as subprocess does."""
        return self.exitcode

    def done(self, seconds=120):
        """Wait until it ends."""
        self.join(seconds)
        return Done(self.exitcode, *(path.read_text(encoding="utf-8") for path in self.streams[1:]))

    def said(self, seconds=400):
        """Wait until it ends; return its exit code and all that it said."""
        done = self.done(seconds)
        return done.returncode, done.stdout + done.stderr


def started(function, *arguments):
    """Call a function in such a process, with a pipe as its first argument; return the process and our end of it."""
    multiprocessing.set_forkserver_preload(HEAVY)
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=function, args=(theirs, *arguments))
    process.start()
    theirs.close()
    return process, ours


def apart(function, *arguments, seconds=600):
    """Return what a function returns in such a process."""
    process, ours = started(_send, function, arguments)
    assert ours.poll(seconds), "it takes too long"
    found = ours.recv()  # an EOFError if it failed
    process.join()
    return found


def _send(pipe, function, arguments):
    pipe.send(function(*arguments))


def _run(arguments, folder, environment, path, before, streams):
    from genderscope.cli.app import main
    from genderscope.core import plugins

    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[:0] = path
    plugins._all_points.cache_clear()
    for number, (stream, mode) in enumerate(zip(streams, ("rb", "wb", "wb"), strict=True)):
        with open(stream, mode) as file:  # noqa: PTH123 - its number is needed
            os.dup2(file.fileno(), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - multiprocessing has closed it
    sys.argv = ["genderscope", *arguments]
    if before:
        before()
    main()
