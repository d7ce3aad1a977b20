"""Batch APIs of OpenAI and Anthropic, played by local servers."""

import json
from itertools import count

from tests.support.chat_server import ChatServer
from tests.support.vendors import FakeAnthropic


class Jobs:
    """Jobs of a fake: each ends after `polls` status queries; `fails` maps a request to a failed result, or nothing."""

    def __init__(self, polls=2, fails=lambda request, job: None):
        self.polls, self.fails = polls, fails
        self.made = {}
        self._numbers = count(1)

    def make(self, requests, **more):
        name = f"job_{next(self._numbers)}"
        self.made[name] = {"requests": requests, "polls": 0, **more}
        return name

    def polled(self, name):
        """Count a status query and return whether the job has ended."""
        self.made[name]["polls"] += 1
        return self.made[name]["polls"] > self.polls

    def requests(self):
        """Return the names of all requests of all jobs, in order."""
        return [request["custom_id"] for job in self.made.values() for request in job["requests"]]


class OpenAIWithBatches(ChatServer):
    """A chat server with files and batches."""

    def __init__(self, *args, jobs=None, upload_error=None, failed=None, status="completed", **options):
        super().__init__(*args, **options)
        self.jobs, self.files = jobs or Jobs(), {}
        self.upload_error, self.failed, self.status = upload_error, failed, status

    def counts(self, method, path, body):
        return path == "/v1/batches" and method == "POST"

    def reply(self, method, path, body):
        place = path.removeprefix("/v1").partition("?")[0].split("/")[1:]
        if place[0] == "files":
            return self._file(method, place, body)
        if place[0] == "batches":
            return self._batch(method, place, body)
        return super().reply(method, path, body)

    def _file(self, method, place, body):
        if method == "GET":
            return 200, self.files[place[1]]
        if self.upload_error is not None:
            return 400, {"error": {"message": self.upload_error}}
        assert 'name="purpose"\r\n\r\nbatch' in body["multipart"]
        name = f"file-{len(self.files)}"
        self.files[name] = [json.loads(line) for line in body["multipart"].splitlines() if line.startswith("{")]
        return 200, {"id": name}

    def _batch(self, method, place, body):
        if method == "POST":
            assert (body["endpoint"], body["completion_window"]) == ("/v1/chat/completions", "24h")
            name = self.jobs.make(self.files[body["input_file_id"]], input_file_id=body["input_file_id"])
            return 200, {"id": name, "status": "validating"}
        if len(place) == 1:
            return 200, {"data": [{"id": k, "input_file_id": v["input_file_id"]} for k, v in self.jobs.made.items()]}
        job = self.jobs.made.get(place[1])
        if job is None:
            return 404, {"error": {"message": "No batch found"}}
        total = len(job["requests"])
        if not self.jobs.polled(place[1]):
            return 200, {"status": "in_progress", "request_counts": {"total": total, "completed": 0, "failed": 0}}
        if self.failed is not None:
            return 200, {"status": "failed", "errors": {"data": [{"message": self.failed}]}}
        output, errors = self._write_results(place[1], job)
        counts = {"total": total, "completed": total, "failed": 0}
        return 200, {"status": self.status, "output_file_id": output, "error_file_id": errors, "request_counts": counts}

    def _write_results(self, name, job):
        """Write both result files, in reverse order, as results come in any order."""
        good: list[str] = []
        bad: list[str] = []
        for request in reversed(job["requests"]):
            assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
            failure = self.jobs.fails(request, name)
            body = super().reply("POST", "/v1/chat/completions", request["body"])[1]
            body = {**body, "usage": {"prompt_tokens": 10, "completion_tokens": 5}}
            line = {"custom_id": request["custom_id"], **(failure or {"response": {"status_code": 200, "body": body}})}
            (bad if failure else good).append(json.dumps(line))
        self.files[f"{name}-out"], self.files[f"{name}-bad"] = ("\n".join(x).encode() for x in (good, bad))
        return f"{name}-out", f"{name}-bad" if bad else None


class AnthropicWithBatches(FakeAnthropic):
    """Anthropic's service with message batches."""

    def __init__(self, *args, jobs=None, **options):
        super().__init__(*args, **options)
        self.jobs = jobs or Jobs()

    def counts(self, method, path, body):
        return path == "/v1/messages/batches" and method == "POST"

    def reply(self, method, path, body):
        place = path.partition("?")[0].split("/")[2:]
        if place[:2] != ["messages", "batches"]:
            return super().reply(method, path, body)
        if method == "POST":
            name = self.jobs.make(body["requests"], created_at="2999-01-01T00:00:00Z")
            return 200, {"id": name, "processing_status": "in_progress"}
        if len(place) == 2:
            return 200, {"data": [{"id": k, **self._counts(v), **v} for k, v in self.jobs.made.items()]}
        job = self.jobs.made[place[2]]
        if len(place) == 3:
            ended = self.jobs.polled(place[2])
            state = {
                "processing_status": "ended" if ended else "in_progress",
                "results_url": "http://elsewhere.invalid",
            }
            return 200, {**state, **self._counts(job, ended)}
        return 200, "\n".join(json.dumps(self._result(request, place[2])) for request in job["requests"]).encode()

    def _counts(self, job, ended=False):
        return {"request_counts": {"succeeded" if ended else "processing": len(job["requests"])}}

    def _result(self, request, name):
        message = {**self.says(request["params"]), "usage": {"input_tokens": 10, "output_tokens": 5}}
        result = self.jobs.fails(request, name) or {"type": "succeeded", "message": message}
        return {"custom_id": request["custom_id"], "result": result}
