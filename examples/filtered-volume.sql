-- The filtered volume of each pool and day (methodology §5), from exported swaps and liquidity.
-- With DuckDB, in the folder of `stockpools export`:
--
--   CREATE VIEW swaps AS FROM read_parquet('swaps/*.parquet');
--   CREATE VIEW liquidity AS FROM read_parquet('liquidity/*.parquet');
--
-- A day stands for the window of 24 hours. Amounts must be below 2^127. Which liquidity is that
-- of a pool's hook is not in the files: it counts like any other. `unknown` are swaps whose
-- trader is not known; the service says nothing where they are more than 1 %.

WITH trades AS (
  SELECT
    row_number() OVER (ORDER BY block_number, evt_index) AS id,
    pool_id, block_date AS day, block_number, evt_index, epoch(block_time) AS ts,
    tx_hash, sender, tx_from AS trader, implausible,
    CAST(round(coalesce(amount_usd, 0) * 1e6) AS HUGEINT) AS micro,
    amount_usd IS NULL AND token_bought_amount_raw <> '0' AS unpriced,
    -- Token0 has the lower address; a pool pays what a trader buys.
    token_bought_address < token_sold_address AS buys0,
    CAST(token_bought_amount_raw AS HUGEINT) AS bought,
    CAST(token_sold_amount_raw AS HUGEINT) AS sold
  FROM swaps
),
signed AS (
  SELECT *,
    CASE WHEN buys0 THEN -bought ELSE sold END AS amount0,
    CASE WHEN buys0 THEN sold ELSE -bought END AS amount1,
    CASE WHEN bought > 0 AND sold > 0 THEN CASE WHEN buys0 THEN 1 ELSE 0 END END AS token_in
  FROM trades
),
round_trips AS (
  SELECT pool_id, tx_hash FROM signed WHERE token_in IS NOT NULL
  GROUP BY ALL
  HAVING count(DISTINCT token_in) = 2
    AND (abs(sum(amount0)) * 100 <= sum(abs(amount0))
      OR abs(sum(amount1)) * 100 <= sum(abs(amount1)))
),
flash_funded AS (
  SELECT DISTINCT swap.id
  FROM signed AS swap
  JOIN liquidity AS added ON added.pool_id = swap.pool_id
    AND added.block_number = swap.block_number AND added.evt_index < swap.evt_index
    AND added.liquidity_delta NOT LIKE '-%' AND added.liquidity_delta <> '0'
  JOIN liquidity AS removed ON removed.pool_id = swap.pool_id
    AND removed.block_number = swap.block_number AND removed.evt_index > swap.evt_index
    AND removed.liquidity_delta LIKE '-%'
    AND removed.tick_lower = added.tick_lower AND removed.tick_upper = added.tick_upper
    AND removed.owner IS NOT DISTINCT FROM added.owner
    AND removed.sender IS NOT DISTINCT FROM added.sender
    AND removed.salt IS NOT DISTINCT FROM added.salt
  WHERE added.owner = swap.sender OR added.sender = swap.sender
    OR (added.tx_hash = swap.tx_hash AND removed.tx_hash = swap.tx_hash)
),
judged AS (
  SELECT *,
    CASE
      WHEN implausible THEN 'implausible'
      WHEN token_in IS NOT NULL AND (pool_id, tx_hash) IN (FROM round_trips) THEN 'round trip'
      WHEN id IN (FROM flash_funded) THEN 'flash-funded'
    END AS of_block
  FROM signed
),
-- The last swap before with the same amount of token0, and of token1.
amounts AS (
  SELECT *, 0 AS token, abs(amount0) AS amount FROM judged
  UNION ALL SELECT *, 1, abs(amount1) FROM judged
),
returns AS (
  SELECT id, trader, token_in, ts, amount0, amount1,
    lag(struct_pack(id, trader, token_in, ts, amount0, amount1))
      OVER (PARTITION BY day, pool_id, token, amount ORDER BY id) AS before
  FROM amounts
  WHERE of_block IS NULL AND token_in IS NOT NULL
    AND length(rtrim(CAST(amount AS VARCHAR), '0')) >= 9
),
pairs AS (
  SELECT id, before.id AS other, trader = before.trader AS is_own
  FROM returns
  WHERE before.token_in <> token_in AND ts - before.ts <= 3600
    AND amount0 + before.amount0 >= 0 AND amount1 + before.amount1 >= 0
),
paired AS (
  SELECT id, CASE WHEN bool_or(is_own) THEN 'returned' WHEN bool_or(NOT is_own) THEN 'handed on' END
    AS kind
  FROM (SELECT id, is_own FROM pairs UNION ALL SELECT other, is_own FROM pairs)
  GROUP BY id
),
rest AS (
  SELECT judged.*, paired.kind FROM judged LEFT JOIN paired USING (id)
  WHERE of_block IS NULL AND trader IS NOT NULL
),
traders AS (
  SELECT day, pool_id, trader, count(*) AS swaps, sum(micro) AS micro,
    coalesce(sum(micro) FILTER (token_in = 0), 0) AS in0,
    coalesce(sum(micro) FILTER (token_in = 1), 0) AS in1,
    count(*) FILTER (kind = 'returned') AS returned,
    count(*) FILTER (kind = 'handed on') AS handed_on
  FROM rest GROUP BY ALL
),
pools AS (
  SELECT day, pool_id, sum(handed_on) AS handed_on,
    (sum(swaps) >= 500 AND sum(swaps) > 100 * count(*))
    OR (sum(micro) > 1e12::HUGEINT AND sum(micro) > 500_000_000_000 * count(*)
      AND sum(swaps) >= 30 * count(*)) AS is_concentrated
  FROM traders GROUP BY ALL
),
reasons AS (
  SELECT judged.*,
    coalesce(of_block, CASE
      WHEN pools.is_concentrated AND abs(in0 - in1) * 100 <= in0 + in1
        AND (traders.swaps > 100 OR (traders.micro > 500_000_000_000 AND traders.swaps >= 30))
        THEN 'concentrated'
      WHEN paired.kind = 'returned' AND returned >= 10 AND returned >= 0.75 * traders.swaps
        THEN 'returned'
      WHEN paired.kind = 'handed on' AND pools.handed_on >= 10 THEN 'handed on'
    END) AS reason
  FROM judged
  LEFT JOIN paired USING (id)
  LEFT JOIN traders USING (day, pool_id, trader)
  LEFT JOIN pools USING (day, pool_id)
)
SELECT day, pool_id,
  count(*) AS swaps,
  count(DISTINCT trader) AS traders,
  count(*) FILTER (trader IS NULL AND of_block IS NULL) AS unknown,
  count(*) FILTER (unpriced) AS unpriced,
  sum(micro) / 1e6 AS volume_usd,
  coalesce(sum(micro) FILTER (reason IS NULL), 0) / 1e6 AS filtered_usd
FROM reasons
GROUP BY ALL
ORDER BY day, pool_id;
