import { DuckDBInstance } from '@duckdb/node-api'

/* Answers questions about a stock from the files of `stockpools export`, with DuckDB. */

const [directory = './files', symbol = 'NVDA'] = process.argv.slice(2)

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

// Without implausible swaps, as the service's own volumes are.
await connection.run(`CREATE VIEW swaps AS
  SELECT *, IF(side = 'buy', token_bought_amount, token_sold_amount) AS tokens
  FROM read_parquet('${directory.replaceAll("'", "''")}/swaps/*.parquet')
  WHERE NOT implausible`)

const print = async (title: string, sql: string): Promise<void> => {
  const read = await connection.runAndReadAll(sql, { symbol })
  const rows = read.getRowsJson().map((row) => row.map((value) => String(value ?? '')))
  const lines = [read.columnNames(), ...rows]
  const widths = read
    .columnNames()
    .map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const padded = lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)))
  console.log(`${title}\n${padded.map((cells) => cells.join('  ').trimEnd()).join('\n')}\n`)
}

await print(
  `Dollars of ${symbol} by day and pool`,
  // A swap without a known price has no dollars: it is counted, and never taken for zero.
  `SELECT block_date AS day, pool_id AS pool, COUNT(*) AS swaps,
    ROUND(SUM(amount_usd), 2) AS usd, COUNT(*) - COUNT(amount_usd) AS unpriced
  FROM swaps WHERE stock_symbol = $symbol
  GROUP BY ALL ORDER BY day, usd DESC`,
)

await print(
  `Average price of ${symbol} by hour, weighted by volume`,
  `SELECT DATE_TRUNC('hour', block_time) AS hour, COUNT(*) AS swaps,
    ROUND(SUM(amount_usd) / SUM(tokens), 4) AS vwap
  FROM swaps WHERE stock_symbol = $symbol AND amount_usd IS NOT NULL AND tokens > 0
  GROUP BY ALL ORDER BY hour DESC LIMIT 24`,
)

await print(
  `Traders of ${symbol} by dollars`,
  // Null until the sender of the transaction was read.
  `SELECT tx_from AS trader, COUNT(*) AS swaps, ROUND(SUM(amount_usd), 2) AS usd,
    ROUND(SUM(IF(side = 'buy', tokens, -tokens)), 4) AS net_tokens
  FROM swaps WHERE stock_symbol = $symbol AND tx_from IS NOT NULL
  GROUP BY ALL ORDER BY usd DESC NULLS LAST, trader LIMIT 10`,
)

await print(
  `Path of the price of ${symbol}, by quarters of an hour`,
  // In chain order, which the block's time alone does not give.
  `SELECT TIME_BUCKET(INTERVAL '15 minutes', block_time) AS time,
    ARG_MIN(price_usd, (block_number, evt_index)) AS open, MAX(price_usd) AS high,
    MIN(price_usd) AS low, ARG_MAX(price_usd, (block_number, evt_index)) AS close
  FROM swaps WHERE stock_symbol = $symbol AND price_usd IS NOT NULL
  GROUP BY ALL ORDER BY time DESC LIMIT 24`,
)

connection.closeSync()
instance.closeSync()
