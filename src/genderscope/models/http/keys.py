"""API keys: read from the environment, validated, sent only to their own host, and masked in all output."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote, quote_plus, unquote

from genderscope.core.errors import UserError

#: Any run of this many characters from a key is masked: vendors often quote the start or end of a key.
FRAGMENT = 8
#: Only this many characters of a message are searched for keys; even fewer are shown.
MOST = 20_000
MASK = "[key]"
_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


#: environment variables with OpenAI's key, the key for other servers, and the hosts to which the latter may be sent
OPENAI_KEY, SERVER_KEY, SERVER_HOSTS = "OPENAI_API_KEY", "GENDERSCOPE_API_KEY", "GENDERSCOPE_API_HOST"
#: also matches regional hosts, such as eu.api.openai.com
OPENAI_HOST = "api.openai.com"


def key_of(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the first variable that is set and its key; raise if the key is not a valid header value."""
    for name in names:
        if key := os.environ.get(name, "").strip():
            check_key(name, key)
            return name, key
    return None


def server_key_names(scheme: str, host: str, key_variable: str | None) -> tuple[str, ...]:
    """Return the variables whose key may be sent to a server; `key_variable` is the user's --key-env."""
    if key_variable is not None and not os.environ.get(key_variable, "").strip():
        raise UserError(f"The environment variable '{key_variable}', given with --key-env, is not set.")
    if key_variable is None and scheme == "https" and f".{host}".endswith(f".{OPENAI_HOST}"):
        return (OPENAI_KEY,)
    only = {entry.strip().lower() for entry in os.environ.get(SERVER_HOSTS, "").split(",")} - {""}
    return () if only and host not in only else (key_variable or SERVER_KEY,)


def require_key(vendor: str, *names: str) -> None:
    """Raise if no key is set in the environment or a key is not a valid header value."""
    keys = {name: os.environ.get(name, "").strip() for name in names}
    if not any(keys.values()):
        raise UserError(f"{vendor} needs a key; set the environment variable {' or '.join(names)}.")
    for name, key in keys.items():
        if name.endswith("KEY"):  # other variables name a file
            check_key(name, key)


def check_key(name: str, key: str) -> None:
    """Raise if a key contains a space, line break or other invalid character, because clients print such keys."""
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise UserError(f"The key in {name} contains invalid characters, such as a space or line break; set it again.")


def masked(text: str, keys: Iterable[str]) -> str:
    """Shorten untrusted text to one line and mask the keys, whether whole, partial or escaped."""
    line = text[:MOST]
    for key in sorted({given_key.strip() for given_key in keys if given_key.strip()}, key=len, reverse=True):
        for form in dict.fromkeys((key, quote(key, safe=""), quote_plus(key), json.dumps(key)[1:-1])):
            line = _without(line, form)
    return " ".join(line.split())[:300]


def _without(text: str, key: str) -> str:
    """Mask the key and its fragments, ignoring case."""
    size = min(FRAGMENT, len(key))
    small, of_key = text.translate(_LOWER), key.translate(_LOWER)
    fragments = {of_key[k : k + size] for k in range(len(of_key) - size + 1)}
    pieces: list[str] = []
    end = 0
    for k in range(len(small) - size + 1):
        if small[k : k + size] in fragments:
            if k > end or not pieces:
                pieces.append(text[end:k])
            end = max(end, k + size)
    return MASK.join([*pieces, text[end:]]) if pieces else text


#: keys with well-known prefixes, and UUIDs
_KNOWN_KEY = re.compile(
    r"(?:sk|pk|rk|key|api|hf|gh[pousr]|gsk|xox[a-z])[-_][\w-]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    re.IGNORECASE,
)
#: a run of letters and digits this long is neither a word nor a date
_LONG_RUN = 20
_URL = re.compile(r"(https?://)([^\s/?#'\"]*)([^\s?#'\"]*)(\?[^\s#'\"]*)?", re.IGNORECASE)
#: environment variables that contain keys, by name suffix
_HOLDS_KEY = re.compile(r".*(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)", re.IGNORECASE)


def without_secrets(text: str) -> str:
    """Mask passwords, query values and key-like path segments in every URL in a text."""
    return _URL.sub(_masked_url, text) if "://" in text else text


def _masked_url(match: re.Match[str]) -> str:
    scheme, host, path, query = match.groups()
    keys = {value for name, value in os.environ.items() if len(value) >= FRAGMENT and _HOLDS_KEY.fullmatch(name)}
    segments = (MASK if unquote(segment) in keys or _looks_secret(segment) else segment for segment in path.split("/"))
    user, at, host = host.rpartition("@")
    values = re.sub(r"=[^&;]*", f"={MASK}", query or "")
    if query and "=" not in query:
        values = f"?{MASK}"
    return f"{scheme}{MASK if user else ''}{at}{host}{'/'.join(segments)}{values}"


def _looks_secret(segment: str) -> bool:
    runs = [run for run in re.findall(r"[A-Za-z0-9]+", segment) if len(run) >= _LONG_RUN]
    return bool(_KNOWN_KEY.fullmatch(segment)) or any(not (run.isalpha() or run.isdigit()) for run in runs)
