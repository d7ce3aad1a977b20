"""Network policy: offline mode, proxies, certificates, and where API keys may be sent."""

import ipaddress
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import Literal, Protocol
from urllib.parse import urlsplit
from urllib.request import getproxies

from genderscope.core.errors import UserError
from genderscope.core.user_cache import cache_folder
from genderscope.util.lazy_imports import HigherLayer


class MeasureNames(Protocol):
    """What messages say about measures."""

    def with_starter_set(self) -> Sequence[str]:
        """Return the measures with a built-in starter set."""


MEASURES: HigherLayer[MeasureNames] = HigherLayer("measures")
_OFFLINE: ContextVar[bool] = ContextVar("offline", default=False)


class NotHereError(UserError):
    """Raised in offline mode if a file is not available locally."""


@contextmanager
def offline(wanted: bool = True) -> Iterator[None]:
    """Disable downloads inside the block if `wanted`; an enclosing offline block stays in effect."""
    token = _OFFLINE.set(wanted or _OFFLINE.get())
    try:
        yield
    finally:
        _OFFLINE.reset(token)


def is_offline() -> bool:
    """Return whether downloads are disabled."""
    return _OFFLINE.get()


def require_network(what: str) -> None:
    """Raise NotHereError in offline mode; `what` begins the message, as in "The file 'x' is not here"."""
    if is_offline():
        raise NotHereError(f"{what}, and the network is not used in offline mode.")


def available_offline(lacking: Literal["data", "model"]) -> str:
    """Return what can be run on this machine without a network, to end the message about a failed download."""
    has_model = cache_folder("models", "smollm2").is_dir()
    starter = f"--data starter (with {', '.join(MEASURES().with_starter_set())})"
    works = [starter, "your own data (--data FILE)"] if lacking == "data" else []
    if has_model:
        works.append("'genderscope demo'")
    elif lacking == "model":
        works.append("'genderscope score gest-mt --data starter' for your own translations")
    return f"available offline: {' and '.join(works)}"


def host_of(url: str) -> str | None:
    """Return the lower-case host of an http or https URL; None if the URL is invalid."""
    scheme, host = _scheme_and_host(url)
    return host if scheme in ("http", "https") else None


def is_this_machine(host: str) -> bool:
    """Return whether a host name or IP address refers to this machine."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host.rstrip(".").lower() == "localhost"
    return address.is_loopback or address.is_unspecified


def require_encryption(url: str, name: str, hint: str = "") -> None:
    """Raise UserError if the key in the variable `name` would be sent to another machine over plain http."""
    host = host_of(url)
    if not url.lower().startswith("https:") and not (host and is_this_machine(host)):
        raise UserError(
            f"The key in {name} would be sent unencrypted to '{host or url}'; use https:// in its address{hint}."
        )


#: environment variables with certificate paths, and whether the path must be a folder
_CERTIFICATES = {"SSL_CERT_FILE": False, "SSL_CERT_DIR": True, "REQUESTS_CA_BUNDLE": False, "CURL_CA_BUNDLE": False}
_CERTIFICATES |= {"AWS_CA_BUNDLE": False}
_PROXIES = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")


def require_connection(socks: str) -> None:
    """Raise UserError for unusable proxies or certificates; `socks` is the package that SOCKS proxies require."""
    for name, is_folder in _CERTIFICATES.items():
        path = os.environ.get(name)
        if path and not (os.path.isdir(path) or (not is_folder and os.path.isfile(path))):  # noqa: PTH112, PTH113
            raise UserError(f"{name} is set to '{path}', which does not exist; correct or unset it.")
    for scheme, proxy in getproxies().items():
        if scheme not in ("http", "https", "all") or not proxy:
            continue
        named = (name for name in os.environ if name.lower() == f"{scheme}_proxy" and os.environ[name] == proxy)
        name = next(named, f"The system's {scheme} proxy")
        # A proxy without a scheme is an http proxy.
        kind, host = _scheme_and_host(proxy if "://" in proxy else f"http://{proxy}")
        if kind not in _PROXIES or not host:
            raise UserError(f"{name} is not a proxy's address; set it to a URL such as http://HOST:PORT, or unset it.")
        if kind.startswith("socks") and find_spec(socks) is None:
            install = {"socks": "PySocks"}.get(socks, socks)
            raise UserError(f"{name} is a SOCKS proxy, which needs another package; run: pip install {install}")


def _scheme_and_host(url: str) -> tuple[str, str | None]:
    """Return a URL's scheme and host without the password, which must not appear in messages."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError for an invalid port
        return parts.scheme, parts.hostname
    except ValueError:  # such as an unclosed bracket
        return "", None
