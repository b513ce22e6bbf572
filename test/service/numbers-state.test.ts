import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import {
  type ContractState,
  type Decimals,
  poolIdOf,
  readDecimals,
  readStates,
} from './numbers/contracts.ts'
import { inverse, relativeError, token1PerToken0 } from './numbers/exact.ts'
import { atOneMoment, type Moment, openService } from './numbers/moment.ts'
import { liquidityInRange, type Replayed, replayAll } from './numbers/replay.ts'

/*
 * What each pool is and where it stands: the list against the creation logs, slot0 and StateView,
 * in integers, all as of the block that the reply names.
 */

const service = openService()
afterAll(() => service.stored.close())

type Facts = {
  readonly moment: Moment
  readonly pools: ReadonlyMap<Hex, Replayed>
  readonly states: ReadonlyMap<Hex, ContractState>
  readonly decimals: Decimals
  readonly headTs: number
}

let facts: Facts

beforeAll(async () => {
  const { chain, manifest } = service
  const { moment, found } = await atOneMoment(service, async ({ block }) => {
    const pools = replayAll(await service.events.upTo(block))
    const all = [...pools.values()]
    const states = await readStates(chain, manifest.contracts, all, block)
    const decimals = await readDecimals(chain, all, block)
    const headTs = (await chain.blockTimes([block])).get(block) ?? 0
    return { pools, states, decimals, headTs }
  })
  facts = { moment, ...found }
})

const keysOf = (role: string): readonly Address[] =>
  service.manifest.tokens.filter((token) => token.role === role).map((token) => token.address)

const isStock = (address: Address): boolean => keysOf('stock').includes(address)
const isTrusted = (address: Address): boolean =>
  ['stable', 'wrapped', 'native'].some((role) => keysOf(role).includes(address))

/** The rows with what the chain says of the same pools. */
const each = () =>
  facts.moment.pools.map((row) => {
    const pool = facts.pools.get(row.id)
    const state = facts.states.get(row.id)
    if (pool === undefined || state === undefined) throw new Error(`${row.id} is not on the chain`)
    return { row, pool, state }
  })

describe('the list of pools', () => {
  test('has every pool that was ever created with a stock, and nothing else', () => {
    const created = [...facts.pools.values()]
      .filter(({ created: { key } }) => isStock(key.token0) || isStock(key.token1))
      .map((pool) => pool.created.pool)
    expect(facts.moment.pools.map((row) => row.id).sort()).toEqual(created.sort())
    expect(created.length).toBeGreaterThanOrEqual(55)
  })

  test('has none of strangers: no other venue, no false NVDA by itself', () => {
    const ids: readonly string[] = facts.moment.pools.map((row) => row.id)
    expect(ids).not.toContain(service.manifest.contracts.foreignVenue.toLowerCase())
    const others = service.manifest.pools.filter(({ kind }) => ['none', 'reference'].includes(kind))
    expect(others.length).toBeGreaterThanOrEqual(5)
    for (const { id } of others) expect(ids).not.toContain(id)
  })
})

test('a pool matches its creation log', () => {
  const venues = new Map(service.manifest.pools.map((pool) => [pool.venueAddress, pool]))
  for (const { row, pool } of each()) {
    const { block, version, venue, key } = pool.created
    expect(row.venue).toBe(venues.get(venue)?.venue)
    expect(row.protocol).toBe(venues.get(venue)?.protocol)
    const { id, createdBlock, token0, token1, fee, tickSpacing, hooks, deployer } = row
    const shown = { token0, token1, fee, tickSpacing, hooks, deployer }
    expect({ version: row.version, createdBlock, ...shown }).toEqual({
      version,
      createdBlock: block,
      ...key,
    })
    if (version === 'v4') expect(poolIdOf(key)).toBe(id)
    expect(BigInt(token0)).toBeLessThan(BigInt(token1))
  }
})

test.each([
  ['Fork v3', 3, 'COIN'],
  ['PancakeSwap v3', 2, 'NVDA'],
  ['Slipstream', 2, 'NVDA'],
])('%s has pools of its own, one beside a pool of Uniswap v3', (venue, count, symbol) => {
  const forks = each().filter(({ row }) => row.venue === venue)
  expect(forks.length).toBeGreaterThanOrEqual(count)
  const first = forks.find(({ row }) => row.stockSymbol === symbol)
  const twins = each().filter(
    ({ row }) =>
      row.venue === 'Uniswap v3' &&
      row.token0 === first?.row.token0 &&
      row.token1 === first.row.token1 &&
      (row.fee === first.row.fee || first.row.feeDynamic),
  )
  expect(twins.length).toBeGreaterThanOrEqual(1)
  for (const { state } of twins) expect(state).not.toEqual(first?.state)
})

test('pools of Algebra have fee and spacing of their last logs, custom ones a deployer', () => {
  const { algebraCustomPools } = service.manifest.contracts
  const own = each().filter(({ row }) => row.protocol === 'algebra-integral')
  expect(own.map(({ row }) => [row.fee, row.tickSpacing, row.deployer]).sort()).toEqual([
    [500, 60, null],
    [500, 60, algebraCustomPools],
    [900, 30, null],
  ])
  for (const { row } of own) expect([row.feeDynamic, row.hooks]).toEqual([false, null])
})

test('the kind follows from the roles of the two tokens, and names the sides', () => {
  const byId = new Map(service.manifest.pools.map((pool) => [pool.id, pool]))
  for (const { row } of each()) {
    const { token0, token1 } = row
    const stockIsToken0 = isStock(token0)
    const [stock, other] = stockIsToken0 ? [token0, token1] : [token1, token0]
    const kind = isStock(other) ? 'stock-stock' : isTrusted(other) ? 'canonical' : 'meme'
    expect(row).toMatchObject({ kind, stockIsToken0, stockAddress: stock, otherAddress: other })
    const planned = byId.get(row.id)
    if (planned !== undefined) expect(row.kind).toBe(planned.kind)
    const token = service.manifest.tokens.find(({ address }) => address === stock)
    expect(row.stockSymbol).toBe(token?.symbol)
  }
})

test('the other side has its registered symbol', () => {
  for (const { otherSymbol, otherAddress, kind } of facts.moment.pools) {
    const token = service.manifest.tokens.find(({ address }) => address === otherAddress)
    if (kind !== 'meme') expect(otherSymbol).toBe(token?.symbol)
    if (token?.role === 'meme') expect(otherSymbol).toBe(token.symbol)
  }
})

/** v4-core Hooks.sol: the lowest bit of the address last. */
const hookBits = [
  ...['beforeInitialize', 'afterInitialize', 'beforeAddLiquidity', 'afterAddLiquidity'],
  ...['beforeRemoveLiquidity', 'afterRemoveLiquidity', 'beforeSwap', 'afterSwap'],
  ...['beforeDonate', 'afterDonate', 'beforeSwapReturnDelta', 'afterSwapReturnDelta'],
  ...['afterAddLiquidityReturnDelta', 'afterRemoveLiquidityReturnDelta'],
]

test("what a hook may do stands in its address' last bits", () => {
  for (const { version, hooks, hookFlags, fee, feeDynamic } of facts.moment.pools) {
    expect(feeDynamic).toBe(fee === 0x80_0000)
    const bits = BigInt(hooks ?? 0)
      .toString(2)
      .padStart(160, '0')
      .slice(-hookBits.length)
    const flags = Object.fromEntries(hookBits.map((name, index) => [name, bits[index] === '1']))
    expect(hookFlags).toEqual(version === 'v3' ? null : flags)
  }
})

test('price, tick and liquidity are those of the contracts, to the last digit', () => {
  const expected = each().map(({ row, state }) => {
    const { sqrtPriceX96, tick, liquidity } = state
    const isInitialised = sqrtPriceX96 !== 0n
    return {
      id: row.id,
      sqrtPriceX96: isInitialised ? String(sqrtPriceX96) : null,
      tick: isInitialised ? tick : null,
      liquidity: isInitialised ? String(liquidity) : null,
    }
  })
  const served = facts.moment.pools.map(({ id, sqrtPriceX96, tick, liquidity }) => ({
    ...{ id, sqrtPriceX96, tick, liquidity },
  }))
  expect(served).toEqual(expected)
})

test('the contracts agree with a replay of their logs', () => {
  for (const [id, pool] of facts.pools) {
    const { sqrtPriceX96, tick, liquidity } = facts.states.get(id) as ContractState
    const replayed = [pool.sqrtPriceX96 ?? 0n, pool.tick, liquidityInRange(pool)]
    expect([sqrtPriceX96, tick, liquidity], id).toEqual(replayed)
  }
})

test('times and blocks are those of the last swap and of the indexed head', () => {
  expect(facts.moment.ts).toBe(facts.headTs)
  for (const { row, pool } of each()) {
    const { lastSwap } = pool
    expect(row).toMatchObject({
      lastSwapTs: lastSwap?.ts ?? null,
      lastSwapBlock: lastSwap?.block ?? null,
      // A v3 swap names no fee: it is that of the key, if that does not change.
      lastSwapFee:
        lastSwap === null || (row.feeDynamic && lastSwap.fee === null)
          ? null
          : (lastSwap.fee ?? row.fee),
      stateTs: pool.sqrtPriceX96 === null ? null : facts.headTs,
      asOfBlock: facts.moment.block,
    })
  }
})

/** TickMath's bounds; a swap ends at the latest one step before them. */
const sqrtPriceLeast = 4_295_128_739n + 1n
const sqrtPriceMost = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n - 1n

test('stockPriceInOther is (√P / 2^96)² in whole tokens, whichever side the stock is', () => {
  const sides = new Set<boolean>()
  for (const { row, state } of each()) {
    const { sqrtPriceX96 } = state
    const [decimals0, decimals1] = [facts.decimals.get(row.token0), facts.decimals.get(row.token1)]
    const isInside = sqrtPriceX96 > sqrtPriceLeast && sqrtPriceX96 < sqrtPriceMost
    if (!isInside || decimals0 == null || decimals1 == null) {
      expect(row.stockPriceInOther, row.id).toBeNull()
      continue
    }
    const price = token1PerToken0(sqrtPriceX96, decimals0, decimals1)
    const expected = row.stockIsToken0 ? price : inverse(price)
    const error = relativeError(row.stockPriceInOther ?? Number.NaN, expected)
    expect(error, row.id).toBeLessThan(1e-12)
    sides.add(row.stockIsToken0)
  }
  expect(sides.size).toBe(2)
})

test('decimals of stocks are those of their contracts', () => {
  for (const { address, decimals } of facts.moment.stocks) {
    if (facts.decimals.has(address)) expect(decimals).toBe(facts.decimals.get(address))
  }
})

const withRole = (role: string): readonly PoolView[] => {
  const planned = service.manifest.pools.filter(
    ({ roles, kind }) => roles.includes(role) && !['none', 'reference'].includes(kind),
  )
  const rows = facts.moment.pools.filter(({ id }) => planned.some((pool) => pool.id === id))
  expect(rows.length, `pools with the role ${role}`).toBeGreaterThan(0)
  return rows
}

const noReserves = { stockReserve: null, otherReserve: null, reserveSource: null }
const emptyReserves = { stockReserve: 0, otherReserve: 0, reserveSource: 'ticks', liquidityUsd: 0 }

describe('the odd pools', () => {
  test('an uninitialised pool has no state at all, and a complete, empty volume', () => {
    for (const row of withRole('uninitialised')) {
      expect(row).toMatchObject({
        ...{ sqrtPriceX96: null, tick: null, liquidity: null, stateTs: null },
        ...{ stockPriceInOther: null, stockPriceUsd: null, ...noReserves, liquidityUsd: null },
        ...{ vol1hUsd: 0, vol24hUsd: 0, swaps24h: 0 },
        ...{ active: false, hot: false, comparable: false, dataStatus: 'unavailable' },
      })
    }
  })

  test('a pool without liquidity has a price and no reserves', () => {
    for (const row of withRole('never-funded')) {
      expect(row).toMatchObject({ liquidity: '0', ...emptyReserves, active: false })
      expect(row.stockPriceInOther).toBeGreaterThan(0)
    }
  })

  test('a price at the end of the range values nothing', () => {
    for (const row of withRole('at-bound')) {
      expect(row).toMatchObject({
        ...{ stockPriceInOther: null, stockPriceUsd: null, premiumBps: null, driftBps: null },
        ...{ ...emptyReserves, active: false, hot: false, comparable: false },
      })
      const price = BigInt(row.sqrtPriceX96 ?? 0)
      expect(price <= sqrtPriceLeast || price >= sqrtPriceMost).toBe(true)
    }
  })

  test('an emptied pool keeps its last price and its past volume', () => {
    for (const row of withRole('emptied')) {
      expect(row).toMatchObject({ liquidity: '0', ...emptyReserves, active: false, hot: false })
      expect(row.stockPriceInOther).toBeGreaterThan(0)
      expect(row.swaps24h).toBeGreaterThan(0)
    }
  })

  test('a launch with no stock in it is worth nothing, however many memes it holds', () => {
    for (const row of withRole('one-sided')) {
      expect(row).toMatchObject({ kind: 'meme', liquidity: '0', stockReserve: 0, liquidityUsd: 0 })
      expect(row).toMatchObject({ reserveSource: 'ticks', active: false, hot: false })
      expect(row.otherReserve).toBeGreaterThan(1e8)
    }
  })

  test('liquidity beside the price counts as reserve but makes no pool active', () => {
    for (const row of withRole('off-price')) {
      expect(row).toMatchObject({ liquidity: '0', reserveSource: 'ticks', active: false })
      expect(row.stockReserve).toBeGreaterThan(0)
      expect(row.otherReserve).toBeGreaterThan(0)
      expect(row.liquidityUsd).toBeGreaterThan(0)
    }
  })

  test('a pool whose hook takes shares of swaps has unknown reserves', () => {
    for (const row of withRole('returns-delta-hook')) {
      expect(row).toMatchObject({ ...noReserves, liquidityUsd: null, comparable: false })
      expect(row.statusReasons).toContain('hook_custom_accounting')
      expect(row.hookFlags).toMatchObject({ afterSwap: true, afterSwapReturnDelta: true })
      expect(row.vol24hUsd).toBeGreaterThan(0)
    }
  })

  test('a dynamic fee is that of the last swap, the key keeps its mark', () => {
    for (const row of withRole('dynamic-fee')) {
      expect(row).toMatchObject({ fee: 0x80_0000, feeDynamic: true })
      // The hook's steps, sandbox/contracts/Hooks.sol.
      expect(((row.lastSwapFee ?? 0) - 500) % 250).toBe(0)
      expect(row.lastSwapFee).toBeGreaterThanOrEqual(500)
      expect(row.lastSwapFee).toBeLessThanOrEqual(3000)
      expect(row.hookFlags).toMatchObject({ afterInitialize: true, beforeSwap: true })
      expect(row.hookFlags).toMatchObject({ afterSwap: false, beforeSwapReturnDelta: false })
    }
  })

  test("a v4 swap's fee holds the protocol's share, a v3 swap's is the key's", () => {
    for (const row of withRole('protocol-fee')) {
      // To the protocol first, the LP fee on the rest (v4-core ProtocolFeeLibrary).
      const paid = (share: number) => share + row.fee - Math.floor((share * row.fee) / 1_000_000)
      // By direction; the sandbox changes the first pair in its past.
      const shares = row.version === 'v4' ? [250, 700, 500, 300] : [0]
      expect(shares.map(paid)).toContain(row.lastSwapFee)
    }
    for (const row of withRole('fee-zero')) expect(row).toMatchObject({ fee: 0, lastSwapFee: 0 })
  })
})

describe('tokens with misleading names', () => {
  test('a false NVDA is a meme beside the true stock, and priced by it', () => {
    for (const row of withRole('fake-nvda')) {
      expect(row).toMatchObject({ kind: 'meme', otherSymbol: 'NVDA', comparable: false })
      expect(row.stockSymbol).not.toBe('NVDA')
      expect(row.otherPriceUsd).toBeLessThan(1)
    }
  })

  test('a false USDG is no dollar: its price is implied, and no premium follows from it', () => {
    const [dollar] = keysOf('stable')
    for (const row of withRole('fake-usdg')) {
      const shown = { kind: 'meme', otherSymbol: 'USDG', premiumBps: null, driftBps: null }
      expect(row).toMatchObject({ ...shown, comparable: false })
      expect(row.otherAddress).not.toBe(dollar)
      const implied = (row.stockPriceUsd ?? 0) / (row.stockPriceInOther ?? 0)
      expect(row.otherPriceUsd).toBeCloseTo(implied, 12)
      const against = facts.moment.pools.find(({ otherAddress }) => otherAddress === dollar)
      expect(row.otherPriceUsd).not.toBe(against?.otherPriceUsd)
    }
  })

  test('a symbol is one line of visible text', () => {
    for (const row of withRole('hostile-symbol')) {
      expect(row.otherSymbol).toBe('<script>alert(1)</script>GDSU')
    }
    for (const row of withRole('bytes32-symbol')) expect(row.otherSymbol).toBe('OLD32')
  })

  test('a token without decimals has no amounts and no price', () => {
    for (const row of withRole('no-decimals')) {
      const unknown = { stockPriceInOther: null, otherPriceUsd: null, otherReserve: null }
      expect(row).toMatchObject({ ...unknown, liquidityUsd: null, dataStatus: 'partial' })
      expect(row.statusReasons).toContain('decimals_unknown')
      expect(row.stockReserve).toBeGreaterThan(0)
      // The stock's leg is all that a meme's volume needs.
      expect(row.vol24hUsd).toBeGreaterThan(0)
    }
  })
})
