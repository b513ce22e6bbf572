"""One GET request, with retries where a later one can succeed."""

from __future__ import annotations

import json
import time
from http.client import HTTPException, HTTPResponse
from typing import Any, Dict, Mapping, Optional, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from .errors import ApiError, TransportError

#: The longest wait that a request retries after by itself, in seconds.
RETRY_AFTER_MAX = 10.0
_FIRST_WAIT = 0.5
_USER_AGENT = "stockpools-python/0.1.0"


def to_query(parameters: Mapping[str, Any]) -> str:
    """Drops absent parameters and writes the others as the API reads them."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (list, tuple)):
            return ",".join(str(each) for each in value)
        return str(value)

    return urlencode({name: text(value) for name, value in parameters.items() if value is not None})


def path_of(*parts: str) -> str:
    """``path_of("pools", id)`` is ``/api/v1/pools/<id>``, escaped."""
    return "/api/v1/" + "/".join(quote(part, safe="") for part in parts)


def _number(text: Optional[str]) -> Optional[float]:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _to_error(error: HTTPError) -> ApiError:
    try:
        body: Dict[str, Any] = json.loads(error.read())
    except (ValueError, OSError, HTTPException):
        body = {}
    own = body.get("error") or {}
    return ApiError(
        error.code,
        own.get("code", "unknown"),
        body.get("detail", error.reason),
        param=own.get("param"),
        request_id=body.get("requestId"),
        retry_after=_number(error.headers.get("Retry-After")),
    )


def open_url(url: str, *, timeout: float, accept: str) -> HTTPResponse:
    """Raises ApiError for a refusal and TransportError for everything else."""
    request = Request(url, headers={"Accept": accept, "User-Agent": _USER_AGENT})
    try:
        return cast(HTTPResponse, urlopen(request, timeout=timeout))
    except HTTPError as error:
        with error:
            raise _to_error(error) from None
    except (URLError, HTTPException, OSError) as error:
        raise TransportError(f"no answer from {url}: {error}") from error


def _wait_after(error: Exception, attempt: int) -> Optional[float]:
    """Seconds until another attempt; None if it would fail as well or take too long."""
    if not isinstance(error, ApiError):
        return float(_FIRST_WAIT * 2**attempt)
    if error.status not in (429, 503):
        return None
    wait = _FIRST_WAIT * 2**attempt if error.retry_after is None else error.retry_after
    return wait if wait <= RETRY_AFTER_MAX else None


def get_json(
    base: str, path: str, parameters: Mapping[str, Any], *, timeout: float, retries: int
) -> Any:
    """The JSON body of a successful answer."""
    query = to_query(parameters)
    url = base + path + ("?" + query if query else "")
    attempt = 0
    while True:
        try:
            with open_url(url, timeout=timeout, accept="application/json") as response:
                try:
                    return json.loads(response.read())
                except (ValueError, OSError, HTTPException) as error:
                    raise TransportError(f"the answer of {url} is broken: {error}") from error
        except (ApiError, TransportError) as error:
            wait = _wait_after(error, attempt)
            if wait is None or attempt >= retries:
                raise
        time.sleep(wait)
        attempt += 1
