"""Prints, as JSON, what the methods of the Python client return and raise."""

import json
import sys
from itertools import islice

from stockpools import ApiError, Client, TransportError, to_frame

url, pool, token = sys.argv[1:]
client = Client(url + "/", retries=0)


def fault_of(ask):
    try:
        ask()
    except ApiError as error:
        return [error.status, error.code, error.param, error.request_id is not None]
    except (TransportError, ValueError, ImportError) as error:
        return [type(error).__name__, str(error)]
    return None


def frame_of(rows):
    try:
        frame = to_frame(rows)
    except ImportError as error:
        return str(error)
    return [str(frame.index.tz), len(frame), list(frame.columns)]


answers = {
    "/api/v1": client.index(),
    "/api/v1/health": client.health(),
    "/api/v1/status": client.status(),
    "/api/v1/methodology": client.methodology(),
    "/api/v1/files?dataset=swaps&limit=1": client.files(dataset="swaps", limit=1),
    "/api/v1/resolve?q=%24NVDA": client.resolve("$NVDA"),
    f"/api/v1/prices?addresses={token},{token}": {"items": client.prices([token, token])},
    "/api/v1/pools?symbol=NVDA&active=true&limit=2": client.pools(
        symbol="NVDA", active=True, limit=2
    ),
    f"/api/v1/pools/{pool}?range=7d": client.pool(pool, range="7d"),
    f"/api/v1/pools/{pool}?asOfBlock=300": client.pool(pool, as_of_block=300),
    f"/api/v1/pools/{pool}/quote?side=buy&usd=100": client.quote_pool(pool, side="buy", usd=100),
    f"/api/v1/pools/{pool}/quote?side=sell&stockAmount=1.5": client.quote_pool(
        pool, side="sell", stock_amount="1.5"
    ),
    f"/api/v1/pools/{pool}/depth?segments=all": client.pool_depth(pool, segments="all"),
    f"/api/v1/pools/{pool}/ranges?lower=100.5&upper=300&usd=500": client.pool_ranges(
        pool, lower="100.5", upper=300, usd=500
    ),
    f"/api/v1/pools/{pool}/provenance?field=tick": client.provenance(pool, field="tick"),
    "/api/v1/stocks": client.stocks(),
    "/api/v1/stocks/NVDA": client.stock("NVDA"),
    "/api/v1/stocks/NVDA/quote?side=buy&usd=100": client.quote_stock("NVDA", side="buy", usd=100),
    "/api/v1/stocks/NVDA/depth": client.stock_depth("NVDA"),
    f"/api/v1/pools/{pool}/swaps?side=sell&minUsd=5": client.swaps(
        id=pool, side="sell", min_usd=5
    ),
    "/api/v1/stocks/NVDA/swaps?order=asc": client.swaps(symbol="NVDA", order="asc"),
    "/api/v1/swaps?limit=3": client.swaps(limit=3),
    f"/api/v1/pools/{pool}/candles?width=5m&price=other": client.candles(
        id=pool, width="5m", price="other"
    ),
    "/api/v1/stocks/NVDA/candles?width=1d": client.candles(symbol="NVDA", width="1d"),
    f"/api/v1/pools/{pool}/liquidity?order=asc": client.liquidity_changes(pool, order="asc"),
}
faults = {
    "unknown pool": fault_of(lambda: client.pool("0x" + "f" * 40)),
    "wrong parameter": fault_of(lambda: client.pools(limit=51)),
    "unknown parameter": fault_of(lambda: client.pools(limt=5)),
    "too many": fault_of(lambda: client.prices([token] * 101)),
    "both": fault_of(lambda: client.swaps(id=pool, symbol="NVDA")),
    "neither": fault_of(lambda: client.candles(width="1h")),
    "no service": fault_of(lambda: Client("http://127.0.0.1:9", retries=0).health()),
    "stream": fault_of(lambda: next(client.stream(topics=["nothing"]))),
}
rows = {
    "candles": [row["ts"] for row in client.each_candle(id=pool, width="1h")],
    "some": [row["ts"] for row in islice(client.each_candle(symbol="NVDA", width="1h"), 2)],
    "pools": [row["id"] for row in client.each_pool()],
    "stocks": [row["symbol"] for row in client.each_stock()],
    "frame": frame_of(client.each_candle(id=pool, width="1h")),
}
json.dump({"answers": answers, "faults": faults, "rows": rows}, sys.stdout)
