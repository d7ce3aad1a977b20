"""A viewer on a thread, and runs for it, finished and unfinished, as the package writes them."""

import http.client
from contextlib import contextmanager
from threading import Thread

from genderscope.runs import RunFolder
from genderscope.serving import open_viewer
from genderscope.version import __version__
from tests.report.examples import result


@contextmanager
def served(folder):
    """Serve a folder on any free port while the block runs."""
    with open_viewer(folder, 0) as viewer:
        thread = Thread(target=viewer.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield viewer
        finally:
            viewer.shutdown()
            thread.join()


def fetch(viewer, path, method="GET", host=None, **headers):
    """Send one request exactly as given; return status, text and headers."""
    connection = http.client.HTTPConnection("127.0.0.1", viewer.server_port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {"Host": host or f"127.0.0.1:{viewer.server_port}", **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, dict(answer.getheaders())


def configured(measure, model, seed=0, **more):
    """A result of this version, with the dates that a run records."""
    found = result(measure, model, seed, **more)
    found.config["versions"] = {"genderscope": __version__}
    found.config["asked"] = [f"2026-11-{10 + seed}T09:30:00+01:00"]
    found.config["configuration"]["measure"] = measure
    return found


def finish(folder, found, write_report=None):
    """Write a finished run with its checksums."""
    with RunFolder(folder, found.config) as run:
        run.save(found, write_report)
    return folder


def begin(folder, found, answers, questions=None):
    """Open an unfinished run with some answers; the caller closes it."""
    run = RunFolder(folder, found.config)
    if questions is not None:
        run.record(questions=questions)
    answer(run, 0, answers)
    return run


def answer(run, first, last):
    """Add answers to the journal."""
    run.journal.write([(k.to_bytes(4, "big"), b"answer") for k in range(first, last)])
