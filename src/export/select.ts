import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PoolNumber } from '../domain/pool/pool-state.ts'
import type { Address } from '../domain/units.ts'
import type { Selection } from './dataset.ts'
import type { ExportFilter } from './manifest.ts'
import type { FileFacts, PoolFacts } from './pool-facts.ts'

const everything: Selection = {
  pools: null,
  isWantedPool: () => true,
  isWantedToken: () => true,
}

const selectionOf = (pools: readonly PoolFacts[], tokens: ReadonlySet<Address>): Selection => {
  const numbers = new Set<PoolNumber>(pools.map(({ pool }) => pool.number))
  return {
    pools: [...numbers],
    isWantedPool: (pool) => numbers.has(pool),
    isWantedToken: (address) => tokens.has(address),
  }
}

/** Finds what the filter names. A symbol is that of verified stocks, in any case. */
export const selectRows = (
  { symbol, pool }: ExportFilter,
  facts: FileFacts,
): Outcome<Selection, string> => {
  if (symbol === null && pool === null) return success(everything)
  const wanted = symbol?.toLowerCase()
  const stocks = facts.stocks.filter(
    (stock) => stock.verdict === 'verified' && stock.symbol.toLowerCase() === wanted,
  )
  if (symbol !== null && stocks.length === 0) {
    return failure(`--symbol: the store has no verified stock ${symbol}`)
  }
  const tokens = new Set(stocks.map(({ address }) => address))
  const isOfStock = ({ token0, token1 }: PoolFacts): boolean =>
    symbol === null || tokens.has(token0.address) || tokens.has(token1.address)
  const pools = facts.pools().filter((each) => pool === null || each.pool.id === pool)
  if (pool !== null && pools.length === 0) return failure(`--pool: the store has no pool ${pool}`)
  const chosen = pools.filter(isOfStock)
  if (pool !== null && chosen.length === 0) {
    return failure(`--pool: pool ${pool} does not hold the stock of --symbol`)
  }
  return success(selectionOf(chosen, tokens))
}
