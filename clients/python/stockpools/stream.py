"""The changes of a service as they happen (server-sent events)."""

from __future__ import annotations

import json
import time
from http.client import HTTPException, HTTPResponse
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from .errors import ApiError, TransportError
from .request import open_url, path_of, to_query

#: The service sends a heartbeat every 15 s; a stream that is silent for longer is dead.
SILENCE_MAX = 45.0
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 15.0


class StreamEvent(NamedTuple):
    """A change. ``topic`` is pool, swap, stock, source, rollback or resync.

    ``id`` resumes a stream behind this event. After ``rollback`` the swaps above
    ``data["afterBlock"]`` are no longer valid; after ``resync`` fetch again.
    """

    topic: str
    data: Dict[str, Any]
    id: str


_Fields = Tuple[Optional[str], List[str], Optional[str]]


def _read_events(response: HTTPResponse) -> Iterator[_Fields]:
    """Yields (event, data lines, id) of each block; a field that a block lacks is None."""
    event: Optional[str] = None
    data: List[str] = []
    event_id: Optional[str] = None
    for raw in response:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line == "":
            yield event, data, event_id
            event, data, event_id = None, [], None
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "event":
                event = value
            elif name == "data":
                data.append(value)
            elif name == "id":
                event_id = value


def stream_events(
    base: str,
    filters: Dict[str, Any],
    last_event_id: Optional[str] = None,
    on_join: Callable[[], None] = lambda: None,
) -> Iterator[StreamEvent]:
    """Yields events for ever; after a broken connection behind the last one received.

    Raises ApiError if the service rejects the request. Calls ``on_join`` with each position that it
    receives: from the first one on, no event is missed.
    """
    last_id = last_event_id or ""
    wait = _FIRST_WAIT
    while True:
        query = to_query({**filters, "lastEventId": last_id or None})
        url = base + path_of("stream") + ("?" + query if query else "")
        try:
            with open_url(url, timeout=SILENCE_MAX, accept="text/event-stream") as response:
                for event, data, event_id in _read_events(response):
                    wait = _FIRST_WAIT
                    if event_id is not None:
                        last_id = event_id
                        on_join()
                    if event is not None and data:
                        yield StreamEvent(event, json.loads("\n".join(data)), last_id)
        except ApiError as error:
            if 400 <= error.status < 500 and error.status != 429:
                raise
            wait = max(wait, error.retry_after or 0.0)
        except (TransportError, OSError, HTTPException):
            pass
        time.sleep(wait)
        wait = min(wait * 2, _LONGEST_WAIT)
