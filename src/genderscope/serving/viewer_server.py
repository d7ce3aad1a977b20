"""The viewer's HTTP server: read-only, for this machine only.

Addresses name runs, never files: a name that the index does not contain is not found. The `Host` header is checked,
so that a site whose name resolves to this machine (DNS rebinding) reads nothing.
"""

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from genderscope.core.errors import UserError
from genderscope.serving.run_index import ListedRun, RunIndex
from genderscope.serving.viewer_pages import RunPages, list_page, message_page, name_of, progress_data

ADDRESS = "127.0.0.1"
#: names of this machine that a browser may ask for, at any port, since ports may be forwarded
HOSTS = {ADDRESS, "localhost"}
HTML, JSON = "text/html; charset=utf-8", "application/json"
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
#: A report may come from somebody else's run: its scripts cannot read the viewer's other pages.
SANDBOX = {"Content-Security-Policy": "sandbox allow-scripts allow-downloads allow-modals"}


class ViewerServer(ThreadingHTTPServer):
    """A server for the runs in a folder."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int) -> None:
        self.index = RunIndex(folder)
        self.pages = RunPages()
        super().__init__((ADDRESS, port), _RequestHandler)

    @property
    def url(self) -> str:
        """The address of the list."""
        return f"http://{ADDRESS}:{self.server_port}/"


def open_viewer(folder: Path, port: int) -> ViewerServer:
    """Bind a server for a folder of runs to a port, or to any free port if it is 0."""
    try:
        return ViewerServer(folder, port)
    except OSError as error:
        raise UserError(
            f"Cannot listen on port {port} ({error.strerror}); choose another with --port, or any free port with "
            "--port 0."
        ) from None


class _RequestHandler(BaseHTTPRequestHandler):
    server: ViewerServer
    server_version, sys_version = "genderscope", ""
    timeout = 30

    def do_GET(self) -> None:
        """Answer a request."""
        try:
            self._answer()
        except UserError as error:
            self._message(HTTPStatus.BAD_REQUEST, str(error))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        except Exception:
            self._message(HTTPStatus.INTERNAL_SERVER_ERROR, "The page could not be made; the terminal shows the error.")
            raise

    do_HEAD = do_GET  # noqa: N815 - the base class calls it by this name

    def _refuse(self) -> None:
        self._message(HTTPStatus.METHOD_NOT_ALLOWED, "The viewer is read-only; it answers GET and HEAD.")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _refuse  # noqa: N815

    def _answer(self) -> None:
        if (self.headers.get("Host") or "").rpartition(":")[0] not in HOSTS and self.headers.get("Host") not in HOSTS:
            self._message(HTTPStatus.FORBIDDEN, f"The viewer answers requests to {self.server.url} only.")
            return
        try:
            address = urlsplit(self.path)
        except ValueError:
            self._message(HTTPStatus.BAD_REQUEST, "The address is not valid.")
            return
        runs = self.server.index.runs()
        if address.path == "/":
            self._send(HTTPStatus.OK, list_page(str(self.server.index.folder), runs.values()))
        elif address.path == "/progress.json":
            self._send(HTTPStatus.OK, json.dumps(progress_data(runs.values())), JSON)
        elif address.path == "/favicon.ico":
            self._send(HTTPStatus.NO_CONTENT, "")
        elif address.path == "/compare":
            self._compare(parse_qs(address.query).get("run", []), runs)
        elif address.path.startswith("/run/"):
            self._run(runs.get(name_of(address.path.removeprefix("/run/"))))
        else:
            self._message(HTTPStatus.NOT_FOUND, "There is no such page.")

    def _run(self, run: ListedRun | None) -> None:
        if run is None:
            self._message(HTTPStatus.NOT_FOUND, "There is no such run in this folder.")
        elif run.unusable is not None:
            sentence = f"The run in '{run.folder}' {run.unusable.in_words(with_remedy=True)}."
            self._send(HTTPStatus.OK, message_page(run.name, [sentence], run))
        else:
            self._send(HTTPStatus.OK, self.server.pages.report(run), **SANDBOX)

    def _compare(self, links: list[str], runs: dict[str, ListedRun]) -> None:
        requested = [runs.get(name) for name in dict.fromkeys(map(name_of, links))]
        available = [run for run in requested if run is not None]
        if len(available) < len(requested):
            self._message(HTTPStatus.NOT_FOUND, "One of the chosen runs is not in this folder.")
            return
        self._send(HTTPStatus.OK, self.server.pages.comparison(available), **SANDBOX)

    def _message(self, status: HTTPStatus, sentence: str) -> None:
        self._send(status, message_page(status.phrase, [sentence]), Allow="GET, HEAD")

    def _send(self, status: HTTPStatus, text: str, kind: str = HTML, **headers: str) -> None:
        content = text.encode(errors="backslashreplace")
        self.send_response(status)
        for name, value in {**HEADERS, **headers, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing for each request."""
