"""All swaps since a time, then each new one, across restarts, reorganisations and resync."""

from __future__ import annotations

import queue
import threading
from typing import Any, Callable, Dict, Iterator, NamedTuple, Optional, Set, Tuple

from .errors import ApiError
from .stream import StreamEvent


class SwapStep(NamedTuple):
    """A swap to add, or the block above which all swaps are to be dropped (None: all).

    Who adds each ``swap`` and drops those above each rollback holds exactly the indexed ones.
    """

    swap: Optional[Dict[str, Any]]
    after_block: Optional[int]


_Key = Tuple[str, int]


def _key_of(swap: Dict[str, Any]) -> _Key:
    return swap["txHash"], swap["logIndex"]


class _Listener:
    """Reads the stream in a thread, so that nothing is lost while the stored swaps are read."""

    def __init__(self, stream: Callable[[Callable[[], None]], Iterator[StreamEvent]]) -> None:
        self._events: "queue.Queue[object]" = queue.Queue()
        self._joined = threading.Event()
        self._stream = stream
        self._is_stopped = False
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            for event in self._stream(self._joined.set):
                if self._is_stopped:
                    return
                self._events.put(event)
        except Exception as error:  # noqa: BLE001 - raised again where the events are taken
            self._events.put(error)
            self._joined.set()

    def wait_until_joined(self) -> None:
        self._joined.wait()

    def stop(self) -> None:
        """The thread ends at the next event."""
        self._is_stopped = True

    def take(self) -> StreamEvent:
        event = self._events.get()
        if isinstance(event, StreamEvent):
            return event
        raise event  # type: ignore[misc]


def follow(
    stream: Callable[[Callable[[], None]], Iterator[StreamEvent]],
    read_since: Callable[[], Iterator[Dict[str, Any]]],
) -> Iterator[SwapStep]:
    """Joins the stream, yields the stored swaps oldest first, then what the stream sends."""
    listener = _Listener(stream)
    try:
        listener.wait_until_joined()
        yield from _follow_joined(listener, read_since)
    finally:
        listener.stop()


def _follow_joined(
    listener: _Listener, read_since: Callable[[], Iterator[Dict[str, Any]]]
) -> Iterator[SwapStep]:
    seen: Set[_Key] = set()
    newest = -1

    def read_stored() -> Iterator[SwapStep]:
        nonlocal newest
        while True:
            try:
                for swap in read_since():
                    seen.add(_key_of(swap))
                    newest = max(newest, swap["block"])
                    yield SwapStep(swap, None)
                return
            except ApiError as error:
                # The chain replaced the block that the next page begins behind.
                if error.code != "cursor_replaced":
                    raise
            seen.clear()
            newest = -1
            yield SwapStep(None, None)

    yield from read_stored()
    while True:
        event = listener.take()
        if event.topic == "swap":
            # Swaps come in chain order: behind the newest one read, none is double.
            if event.data["block"] > newest:
                seen.clear()
            if _key_of(event.data) not in seen:
                yield SwapStep(event.data, None)
        elif event.topic == "rollback":
            after_block = event.data["afterBlock"]
            newest = min(newest, -1 if after_block is None else after_block)
            seen.clear()
            yield SwapStep(None, after_block)
        elif event.topic == "resync":
            seen.clear()
            newest = -1
            yield SwapStep(None, None)
            yield from read_stored()
