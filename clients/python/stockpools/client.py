"""The client: one method for each call of the API."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, TypeVar, Union, cast

from . import types
from .follow import SwapStep, follow
from .request import get_json, path_of
from .stream import StreamEvent, stream_events

#: Rows of one page of the past, and of a list of pools or stocks: the service's maximum.
_PAST_ROWS = 1000
_LIST_ROWS = 50

_Row = TypeVar("_Row")

#: Parameters that are no names in Python.
_RENAMED = {"from_ts": "from", "to_ts": "to"}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


def _parameters(given: Dict[str, Any]) -> Dict[str, Any]:
    return {_RENAMED.get(name) or _camel(name): value for name, value in given.items()}


class Client:
    """The API of a stockpools service. Sends no request before a method is called.

    ``timeout`` is in seconds. A refusal for a short time (429, 503) and a broken connection are
    tried ``retries`` times more. Parameters have the API's names in snake case, with ``from_ts`` and
    ``to_ts`` for ``from`` and ``to``; an unknown one is refused by the service, which names it.
    Errors are ApiError and TransportError.
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8787", *, timeout: float = 10.0, retries: int = 2
    ) -> None:
        self._base = url.rstrip("/")
        self._timeout = timeout
        self._retries = retries

    def _get(self, path: str, **given: Any) -> Any:
        return get_json(
            self._base, path, _parameters(given), timeout=self._timeout, retries=self._retries
        )

    def _each_past(self, path: str, given: Dict[str, Any]) -> Iterator[Any]:
        cursor: Optional[str] = None
        while True:
            page = self._get(path, **{"limit": _PAST_ROWS, **given, "cursor": cursor})
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def _each_listed(
        self, path: str, given: Dict[str, Any], key_of: Callable[[_Row], str]
    ) -> Iterator[_Row]:
        """Each row once: one may move to the next page between two requests."""
        seen = set()
        offset = 0
        while True:
            page = self._get(path, **{**given, "limit": _LIST_ROWS, "offset": offset})
            for row in page["items"]:
                if key_of(row) not in seen:
                    seen.add(key_of(row))
                    yield row
            offset += _LIST_ROWS
            if not page["items"] or offset >= page["total"]:
                return

    # The service

    def index(self) -> types.ApiIndex:
        """Network, sandbox flag, explorer and endpoints."""
        return cast(types.ApiIndex, self._get("/api/v1"))

    def health(self) -> types.Health:
        return cast(types.Health, self._get(path_of("health")))

    def status(self) -> types.Status:
        """State and age of each source, and how far the index is behind the chain."""
        return cast(types.Status, self._get(path_of("status")))

    def methodology(self) -> types.Methodology:
        """Every parameter in force."""
        return cast(types.Methodology, self._get(path_of("methodology")))

    def files(self, **filters: Any) -> types.ExportedFiles:
        """Finished files of the export: ``dataset``, ``format``, ``limit``, ``offset``."""
        return cast(types.ExportedFiles, self._get(path_of("files"), **filters))

    # Tokens

    def resolve(self, q: str) -> types.ResolvedToken:
        """The one verified token of a ticker, name or address, and its look-alikes."""
        return cast(types.ResolvedToken, self._get(path_of("resolve"), q=q))

    def prices(self, addresses: Sequence[str]) -> List[types.TokenPrice]:
        """A price for each of at most 100 tokens, in their order."""
        reply = self._get(path_of("prices"), addresses=list(addresses))
        return cast(List[types.TokenPrice], reply["items"])

    # Pools

    def pools(self, **filters: Any) -> types.PoolsPage:
        """One page: ``symbol``, ``kind``, ``q``, ``active``, ``sort``, ``limit``, ``offset``, …"""
        return cast(types.PoolsPage, self._get(path_of("pools"), **filters))

    def each_pool(self, **filters: Any) -> Iterator[types.Pool]:
        """All matching pools, each once."""
        return self._each_listed(path_of("pools"), filters, lambda row: cast(str, row["id"]))

    def pool(
        self,
        id: str,
        *,
        range: Optional[str] = None,
        as_of_block: Optional[int] = None,
        as_of_ts: Optional[int] = None,
    ) -> types.PoolDetail:
        """By v3 address or v4 PoolId; now, or as it was at a block or time."""
        moment = {"as_of_block": as_of_block, "as_of_ts": as_of_ts}
        return cast(types.PoolDetail, self._get(path_of("pools", id), range=range, **moment))

    def quote_pool(self, id: str, *, side: str, **amount: Any) -> types.PoolQuote:
        """``side`` is buy or sell; one of ``usd``, ``stock_amount``, ``other_amount``,
        ``stock_amount_raw`` and ``other_amount_raw``: numbers with decimals as text."""
        return cast(types.PoolQuote, self._get(path_of("pools", id, "quote"), side=side, **amount))

    def pool_depth(self, id: str, *, segments: Optional[str] = None) -> types.PoolDepth:
        """Price bands, order ladder and liquidity segments."""
        return cast(
            types.PoolDepth, self._get(path_of("pools", id, "depth"), segments=segments)
        )

    def pool_ranges(
        self,
        id: str,
        *,
        lower: Union[float, str],
        upper: Union[float, str],
        usd: Union[float, str, None] = None,
    ) -> types.PoolRanges:
        """What a position between two prices, in other tokens per stock token, would have
        earned; small prices as text."""
        given = {"lower": lower, "upper": upper, "usd": usd}
        return cast(types.PoolRanges, self._get(path_of("pools", id, "ranges"), **given))

    def provenance(self, id: str, **given: Any) -> types.PoolProvenance:
        """How numbers were made: ``field``, ``as_of_block``, ``as_of_ts``."""
        return cast(types.PoolProvenance, self._get(path_of("pools", id, "provenance"), **given))

    # Stocks

    def stocks(self, **filters: Any) -> types.StocksPage:
        """One page: ``q``, ``limit``, ``offset``."""
        return cast(types.StocksPage, self._get(path_of("stocks"), **filters))

    def each_stock(self, **filters: Any) -> Iterator[types.Stock]:
        """All matching stocks, each once."""
        return self._each_listed(path_of("stocks"), filters, lambda row: cast(str, row["address"]))

    def stock(self, symbol: str, *, range: Optional[str] = None) -> types.StockDetail:
        """By ticker or token address."""
        return cast(types.StockDetail, self._get(path_of("stocks", symbol), range=range))

    def quote_stock(self, symbol: str, *, side: str, **amount: Any) -> types.StockQuote:
        """The best split over the pools: ``usd`` or ``stock_amount`` (as text)."""
        path = path_of("stocks", symbol, "quote")
        return cast(types.StockQuote, self._get(path, side=side, **amount))

    def stock_depth(self, symbol: str) -> types.StockDepth:
        """What moves the price in all pools of the stock."""
        return cast(types.StockDepth, self._get(path_of("stocks", symbol, "depth")))

    # The past: of a pool (id), of a stock (symbol), of swaps also of all stocks (neither)

    def _past_path(self, part: str, id: Optional[str], symbol: Optional[str]) -> str:
        if id is not None and symbol is not None:
            raise ValueError("give id or symbol, not both")
        if id is not None:
            return path_of("pools", id, part)
        if symbol is not None:
            return path_of("stocks", symbol, part)
        if part == "swaps":
            return path_of(part)
        raise ValueError("give id or symbol")

    def swaps(
        self, *, id: Optional[str] = None, symbol: Optional[str] = None, **given: Any
    ) -> types.Swaps:
        """One page: ``from_ts``, ``to_ts``, ``order``, ``side``, ``min_usd``, ``trader``,
        ``sender``, ``limit``, ``cursor``."""
        return cast(types.Swaps, self._get(self._past_path("swaps", id, symbol), **given))

    def each_swap(
        self, *, id: Optional[str] = None, symbol: Optional[str] = None, **given: Any
    ) -> Iterator[types.PastSwap]:
        """All swaps of a time, page by page, the newest first unless ``order="asc"``."""
        return self._each_past(self._past_path("swaps", id, symbol), given)

    def candles(
        self,
        *,
        width: str,
        id: Optional[str] = None,
        symbol: Optional[str] = None,
        **given: Any,
    ) -> types.Candles:
        """One page; ``width`` is 1m, 5m, 15m, 1h, 4h or 1d. Of a pool also ``price``, ``fill``."""
        path = self._past_path("candles", id, symbol)
        return cast(types.Candles, self._get(path, width=width, **given))

    def each_candle(
        self,
        *,
        width: str,
        id: Optional[str] = None,
        symbol: Optional[str] = None,
        **given: Any,
    ) -> Iterator[types.Candle]:
        """All candles of a time, page by page, the newest first unless ``order="asc"``."""
        return self._each_past(self._past_path("candles", id, symbol), {**given, "width": width})

    def liquidity_changes(self, id: str, **given: Any) -> types.LiquidityChanges:
        """One page of the changes of a pool's liquidity."""
        return cast(types.LiquidityChanges, self._get(path_of("pools", id, "liquidity"), **given))

    def each_liquidity_change(self, id: str, **given: Any) -> Iterator[types.LiquidityChange]:
        return self._each_past(path_of("pools", id, "liquidity"), given)

    # The stream

    def stream(
        self,
        *,
        topics: Optional[Sequence[str]] = None,
        id: Optional[str] = None,
        symbol: Optional[str] = None,
        last_event_id: Optional[str] = None,
    ) -> Iterator[StreamEvent]:
        """Changes as they happen, across broken connections; ``rollback`` and ``resync`` included.

        ``last_event_id`` begins behind that event.
        """
        filters = {"topics": topics, "id": id, "symbol": symbol}
        return stream_events(self._base, filters, last_event_id)

    def follow_swaps(
        self, *, id: Optional[str] = None, symbol: Optional[str] = None, from_ts: int
    ) -> Iterator[SwapStep]:
        """The swaps since a time, oldest first, then each new one. Handles ``rollback`` and
        ``resync``: after the latter it drops all and reads again."""
        filters = {"topics": ["swap"], "id": id, "symbol": symbol}
        return follow(
            lambda on_join: stream_events(self._base, filters, on_join=on_join),
            lambda: cast(
                Iterator[Dict[str, Any]],
                self.each_swap(id=id, symbol=symbol, from_ts=from_ts, order="asc"),
            ),
        )
