"""A real HTTP server on this machine that fails by script: what the fakes of servers and services are built on."""

import gzip
import json
import socket
import struct
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from genderscope.models.http.response_limits import LIMIT

#: trouble that passes, and trouble that does not
PASSING = ("429", "500", "503", "hang", "truncated", "reset")
#: longer than any test waits, and between two bytes of an answer that drips
HANG, DRIP = 60.0, 0.05
#: how long to wait for a server that hangs; an answer that comes takes a hundredth of it
PATIENCE = 0.4
#: few bytes that become more than any answer may have
BOMB = gzip.compress(bytes(LIMIT + 1))


class HttpFake:
    """Answers requests with `reply`; before that each request takes its turn in the script of faults."""

    #: requests that the script does not count, such as a probe
    unscripted: tuple[str, ...] = ()

    def __init__(self, faults=(), key=None, delay=0.0):
        self.faults, self.key, self.delay = list(faults), key, delay
        self.requests = []
        self.most_at_a_time = 0
        #: how many clients have not gone yet
        self.connections = 0
        self._now = 0
        self._lock = threading.Lock()
        self.closing = threading.Event()

    def reply(self, method, path, body):
        """Return status and JSON content."""
        raise NotImplementedError

    def refusal(self, status):
        """Return the content of an error."""
        return {"error": {"message": f"no: {self.key}"}}  # some servers repeat the key; nobody may see it

    def headers(self, status):
        return {"Retry-After": "0.05"} if status == 429 else {}

    def allowed(self, headers):
        return self.key is None or any(self.key in value for value in headers.values())

    def counts(self, method, path, body):
        """Tell whether a request takes its turn in the script."""
        return method == "POST"

    @contextmanager
    def running(self):
        server = _Server(("127.0.0.1", 0), _handler(self))
        server.daemon_threads = True
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that went away is no news
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            self.closing.set()
            server.shutdown()
            server.server_close()

    def take(self, method, path, body):
        with self._lock:
            self.requests.append((method, path, body))
            self._now += 1
            self.most_at_a_time = max(self.most_at_a_time, self._now)
            return self.faults.pop(0) if self.faults and self.counts(method, path, body) else None

    def done(self):
        with self._lock:
            self._now -= 1

    def come(self, clients):
        with self._lock:
            self.connections += clients


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # clients that connect at once must not wait for a second attempt


def _handler(fake):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body are sent apart: by default the second waits until the first is acknowledged, for 40 ms.
        disable_nagle_algorithm = True

        def setup(self):
            super().setup()
            fake.come(1)

        def finish(self):
            fake.come(-1)
            super().finish()

        def do_POST(self):
            self._serve("POST")

        def do_GET(self):
            self._serve("GET")

        def _serve(self, method):
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = json.loads(raw) if raw[:1] == b"{" else {}
            if self.headers.get("Content-Type", "").startswith("multipart/"):
                body = {"multipart": raw.decode()}
            fault = fake.take(method, self.path, body)
            try:
                self._answer(method, body, fault)
            except OSError:
                self.close_connection = True  # the other side has gone
            finally:
                fake.done()

        def _answer(self, method, body, fault):
            if fault == "hang":
                fake.closing.wait(HANG)
                self.close_connection = True
                return
            if fault is not None and fault.isdecimal():
                self._send(int(fault), fake.refusal(int(fault)))
                return
            if not fake.allowed(dict(self.headers)):
                self._send(401, fake.refusal(401))
                return
            time.sleep(fake.delay)
            status, content = fake.reply(method, self.path, body)
            self._send(status, content, fault)

        def _send(self, status, content, fault=None):
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            if fault == "truncated":
                data = data[: len(data) // 2]
            headers = {"Content-Type": "application/json", **fake.headers(status)}
            if fault == "bomb":
                data, headers["Content-Encoding"] = BOMB, "gzip"
            if fault == "drip-headers":
                self._drip(b"HTTP/1.1 200 OK\r\nX-Wait: " + b"." * 10_000)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if fault == "drip":
                self._drip(data)
            if fault == "reset":
                self.wfile.write(data[:10])
                self.wfile.flush()
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
                return
            self.wfile.write(data)

        def _drip(self, data):
            for k in range(len(data)):
                self.wfile.write(data[k : k + 1])
                self.wfile.flush()
                if fake.closing.wait(DRIP):
                    break
            self.close_connection = True

        def log_message(self, *_):
            pass

    return Handler
