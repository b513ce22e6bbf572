"""Client of a stockpools service, with the standard library only.

    from stockpools import Client

    client = Client("http://127.0.0.1:8787")
    for swap in client.each_swap(symbol="NVDA", from_ts=1795215600):
        print(swap["side"], swap["amountUsd"])
"""

from .client import Client
from .errors import ApiError, StockpoolsError, TransportError
from .follow import SwapStep
from .frames import to_frame
from .stream import StreamEvent

__all__ = [
    "ApiError",
    "Client",
    "StockpoolsError",
    "StreamEvent",
    "SwapStep",
    "TransportError",
    "to_frame",
]
