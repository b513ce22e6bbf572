import { classifyPool } from '../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../domain/pool/pool-state.ts'
import type { Reading } from '../domain/reading.ts'
import type { Stock } from '../domain/stock/stock.ts'
import { type Address, nativeAddress, type PoolId } from '../domain/units.ts'
import type { StoredPool } from '../ports/store-batches.ts'
import type { DaySnapshot } from '../ports/store-days.ts'

/** A token as the rows of files show it. */
export type TokenFacts = {
  readonly address: Address
  /** The registered symbol of a stock, else the token's own. */
  readonly symbol: string | null
  readonly decimals: number | null
}

/** What rows of a pool need of it. */
export type PoolFacts = {
  readonly pool: Pick<StoredPool, 'number' | 'id' | 'version' | 'protocol' | 'venue' | 'key'>
  readonly token0: TokenFacts
  readonly token1: TokenFacts
  /** Null: no verified stock, as in a pool of two trusted tokens. */
  readonly stockIsToken0: boolean | null
}

/** What the rows of one file have in common. */
export type FileFacts = {
  readonly network: string
  readonly poolOf: (number: PoolNumber) => PoolFacts
  readonly pools: () => readonly PoolFacts[]
  readonly tokenOf: (address: Address) => TokenFacts
  readonly stocks: readonly Stock[]
}

export const stockOf = ({ stockIsToken0, token0, token1 }: PoolFacts): TokenFacts | null => {
  if (stockIsToken0 === null) return null
  return stockIsToken0 ? token0 : token1
}

/** Columns of the contracts behind rows; the names of the first two are Dune's. */
export const projectOf = ({ protocol, version }: PoolFacts['pool']): readonly [string, string] => [
  protocol.split('-', 1)[0] as string,
  version.slice(1),
]

/** The contract that emits a pool's events: v3 the pool, v4 its manager. */
export const contractOf = ({ version, id, venue }: PoolFacts['pool']): Address | PoolId =>
  version === 'v4' ? venue : id

const knownValue = <T>(reading: Reading<T>): T | null => (reading.known ? reading.value : null)

const readTokens = async (
  snapshot: DaySnapshot,
  stocks: ReadonlyMap<Address, Stock>,
): Promise<Map<Address, TokenFacts>> => {
  const tokens = new Map<Address, TokenFacts>()
  for await (const page of snapshot.tokens()) {
    for (const { address, symbol, decimals } of page) {
      const named = address === nativeAddress ? 'ETH' : stocks.get(address)?.symbol
      tokens.set(address, {
        address,
        symbol: named ?? knownValue(symbol),
        decimals: knownValue(decimals),
      })
    }
  }
  return tokens
}

/** Reads all pools and tokens of the snapshot. */
export const readFileFacts = async (snapshot: DaySnapshot, network: string): Promise<FileFacts> => {
  const stocks = await snapshot.stocksChangedAfter(-1)
  const verified = stocks.filter(({ verdict }) => verdict === 'verified')
  const byAddress = new Map(verified.map((stock) => [stock.address, stock]))
  const tokens = await readTokens(snapshot, byAddress)
  const tokenOf = (address: Address): TokenFacts =>
    tokens.get(address) ?? { address, symbol: null, decimals: null }
  const roles = { isStock: (address: Address) => byAddress.has(address), isTrusted: () => false }
  const pools = new Map<PoolNumber, PoolFacts>()
  for await (const page of snapshot.pools()) {
    for (const { number, id, version, protocol, venue, key } of page) {
      pools.set(number, {
        pool: { number, id, version, protocol, venue, key },
        token0: tokenOf(key.token0),
        token1: tokenOf(key.token1),
        stockIsToken0: classifyPool(key, roles)?.stockIsToken0 ?? null,
      })
    }
  }
  const poolOf = (number: PoolNumber): PoolFacts => {
    const facts = pools.get(number)
    if (facts === undefined) throw new Error(`store: rows of pool ${number}, which it has not`)
    return facts
  }
  return { network, poolOf, pools: () => [...pools.values()], tokenOf, stocks }
}
