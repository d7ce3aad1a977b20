"""A hub of our own: repositories in memory, by the protocol that huggingface_hub speaks."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Hub(ThreadingHTTPServer):
    """Holds `kind/owner/name` -> path -> bytes; `commits` are what was sent, `made` what was created and how."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repositories: dict[str, dict[str, bytes]] = {}
        self.commits: list[dict[str, Any]] = []
        self.made: list[dict[str, Any]] = []
        self.token = "hf_good"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def sha(self, name: str) -> str:
        held = self.repositories[name]
        return hashlib.sha1(repr(sorted(held.items())).encode()).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, *_args) -> None:
        pass

    def _send(self, status: int, content: object = b"", **headers: str) -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _repository(self, parts: list[str]) -> str | None:
        """Read `models/owner/name` or `datasets/owner/name`; answer for one that is not there."""
        name = "/".join(parts[:3])
        if self.headers.get("Authorization") != f"Bearer {self.server.token}":
            self._send(403, {"error": "forbidden"})
        elif name in self.server.repositories:
            return name
        else:
            self._send(404, {"error": "not found"}, X_Error_Code="RepoNotFound")
        return None

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parts = self.path.partition("?")[0].strip("/").split("/")[1:]
        if parts[:2] == ["repos", "create"]:
            asked = json.loads(body)
            owner = asked.get("organization") or "someone"
            name = f"{asked.get('type', 'model')}s/{owner}/{asked['name']}"
            if name in self.server.repositories:
                self._send(409, {"error": "there is one", "url": f"{self.server.address}/{name}"})
                return
            self.server.repositories[name] = {}
            self.server.made.append(asked)
            self._send(200, {"url": f"{self.server.address}/{name}"})
            return
        if parts == ["validate-yaml"]:
            self._send(200, {"warnings": [], "errors": []})
            return
        name = self._repository(parts)
        if name is None:
            return
        if parts[3] == "preupload":
            files = json.loads(body)["files"]
            plain = [{"path": f["path"], "uploadMode": "regular", "shouldIgnore": False} for f in files]
            self._send(200, {"files": plain})
            return
        header, *files = [json.loads(line) for line in body.splitlines()]
        if header["value"].get("parentCommit") != self.server.sha(name):
            self._send(412, {"error": "changed"})
            return
        held = self.server.repositories[name]
        held |= {f["value"]["path"]: base64.b64decode(f["value"]["content"]) for f in files}
        self.server.commits.append({"repository": name, **header["value"], "pull_request": "create_pr=1" in self.path})
        where = f"{self.server.address}/{name.removeprefix('models/')}"
        request = {"pullRequestUrl": f"{where}/discussions/1"} if "create_pr=1" in self.path else {}
        self._send(200, {"commitUrl": f"{where}/commit/1", "commitOid": "1" * 40, **request})

    def do_GET(self) -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts[0] == "api":
            name = self._repository(parts[1:])
            if name is not None:
                found = {"id": "/".join(parts[2:4]), "sha": self.server.sha(name), "private": True, "tags": []}
                self._send(200, {**found, "siblings": [], "downloads": 0, "likes": 0, "disabled": False})
            return
        before = parts if parts[0] == "datasets" else ["models", *parts]
        name = self._repository(before)
        if name is None:
            return
        path = "/".join(before[before.index("resolve") + 2 :])
        held = self.server.repositories[name]
        known = {"X_Repo_Commit": self.server.sha(name)}
        if path not in held:
            self._send(404, {"error": "no such file"}, X_Error_Code="EntryNotFound", **known)
            return
        self._send(200, held[path], ETag=f'"{hashlib.sha1(held[path]).hexdigest()}"', **known)

    do_HEAD = do_GET  # noqa: N815 - the server calls it so


@contextmanager
def running() -> Iterator[Hub]:
    """Run a hub."""
    hub = Hub()
    thread = Thread(target=hub.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()
