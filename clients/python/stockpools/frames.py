"""Rows as a DataFrame, where pandas is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping

if TYPE_CHECKING:
    import pandas


def to_frame(rows: Iterable[Mapping[str, Any]]) -> "pandas.DataFrame":
    """A column for each field; rows that have a time are indexed by it, in UTC.

    Numbers beyond 2^53, such as ``sqrtPriceX96``, stay text: ``int(text)`` is exact.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame needs pandas: pip install 'stockpools[pandas]'") from error
    frame = pandas.DataFrame(list(rows))
    if "ts" not in frame.columns:
        return frame
    times = pandas.to_datetime(frame["ts"], unit="s", utc=True)
    return frame.assign(ts=times).set_index("ts")
