import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredSwap } from '../../src/domain/pool/stored-rows.ts'
import { known } from '../../src/domain/reading.ts'
import type { OpenBench } from './bench.ts'
import {
  addressOf,
  batchOf,
  contentsOf,
  ever,
  hashOf,
  identityOf,
  noOrigin,
  stateOf,
  swapAt,
} from './fixtures.ts'

const edges = [
  0n,
  ...[7n, 8n, 15n, 16n, 63n, 64n, 127n, 128n, 160n, 255n, 256n].flatMap((bits) => {
    const power = 1n << bits
    return [power, power - 1n, power + 1n, -power, 1n - power, -power - 1n]
  }),
]

const describeAmounts = (open: OpenBench): void => {
  test('every edge of the chain’s integers comes back, of either sign', async () => {
    const { store } = await open()
    const swaps = edges.map((edge, logIndex) =>
      swapAt({ pool: 1, block: 1, logIndex }, { amount0: edge, amount1: -edge, liquidity: edge }),
    )
    const ticks = edges.map((edge, tick) => ({ pool: 1, tick, net: edge, gross: edge || 1n }))
    await store.commitRange(
      batchOf({ before: null, to: 1 }, { pools: [identityOf(1)], swaps, ticks }),
    )
    const after = await contentsOf(store)
    expect(after.perPool[0]?.swaps).toEqual(swaps.toReversed())
    expect(after.ticks).toEqual(ticks)
  })

  test('any integer comes back', async () => {
    const { store } = await open()
    let before: number | null = null
    const integers = fc.array(fc.bigInt({ min: -(1n << 256n), max: 1n << 256n }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(integers, async (values) => {
        const block: number = (before ?? 0) + 1
        const swaps = values.map((value, logIndex) =>
          swapAt({ pool: 1, block, logIndex }, { amount0: value, sqrtPriceX96: value }),
        )
        await store.commitRange(batchOf({ before, to: block }, { swaps }))
        before = block
        const query = { pool: 1, fromTs: swapAt({ pool: 1, block }).ts, rowsMax: 100 }
        const read = await store.snapshot((snapshot) => snapshot.swaps(query))
        expect(read).toEqual(swaps.toReversed())
      }),
      { numRuns: 50 },
    )
  })

  test('a volume beyond all reason saturates in its row, and harms no other', async () => {
    const { store } = await open()
    const absurd = [1e20, Number.MAX_SAFE_INTEGER, 5].map((usdMicro, logIndex) =>
      swapAt({ pool: 1, block: 1, logIndex }, { usdMicro }),
    )
    const sane = swapAt({ pool: 2, block: 1, logIndex: 3 })
    await store.commitRange(batchOf({ before: null, to: 1 }, { swaps: [...absurd, sane] }))
    const volume = await store.snapshot((snapshot) => snapshot.volume(ever))
    const sums = volume.map(({ usdMicro }) => usdMicro)
    expect(sums).toEqual([2n * BigInt(Number.MAX_SAFE_INTEGER) + 5n, 1_500_000n])
  })
}

/** Of v3, of v4, and of a version that kept none of it. */
const origins = [
  { txIndex: 3, owner: addressOf(7), sender: null, salt: null },
  ...[0n, 1n, 70_000n, (1n << 256n) - 1n].map((salt) => ({
    txIndex: 0,
    owner: null,
    sender: addressOf(8),
    salt: `0x${salt.toString(16).padStart(64, '0')}` as const,
  })),
  noOrigin,
]

const describeOrigins = (open: OpenBench): void => {
  test('the origin of each event comes back, and zero is not unknown', async () => {
    const { store } = await open()
    const swaps = [0, 1, 70_000, null].map((txIndex, logIndex) =>
      swapAt({ pool: 1, block: 1, logIndex }, { txIndex }),
    )
    const { pool, block, ts, txHash } = swapAt({ pool: 1, block: 1 })
    const range = { tickLower: -60, tickUpper: 60, liquidityDelta: 5n }
    const liquidity = origins.map((origin, at) => ({
      ...{ pool, block, ts, txHash, logIndex: 10 + at },
      ...range,
      ...origin,
    }))
    const pools = [identityOf(1)]
    await store.commitRange(batchOf({ before: null, to: 1 }, { pools, swaps, liquidity }))
    expect(await store.readEvents({ from: 1, to: 1 })).toMatchObject({ swaps, liquidity })
    const newestFirst = await store.readLiquidityAfter(0)
    expect(newestFirst).toEqual(liquidity.toReversed())
    const read = await store.snapshot((of) => of.swaps({ pool: 1, fromTs: 0, rowsMax: 9 }))
    expect(read).toEqual(swaps.toReversed())
  })
}

const describeTraders = (open: OpenBench): void => {
  test('a trader joins the swaps of its transaction, once, and no other row', async () => {
    const { store } = await open()
    const swaps = [1, 2, 3].flatMap((block) =>
      [0, 1].map((logIndex) => swapAt({ pool: 1 + logIndex, block, logIndex })),
    )
    const pools = [identityOf(1), identityOf(2)]
    await store.commitRange(batchOf({ before: null, to: 3 }, { pools, swaps }))
    const newest = await store.readSwapTransactions(null, 4)
    const rest = await store.readSwapTransactions(newest.at(-1) ?? null, 4)
    const placeOf = ({ pool, block, logIndex, ts, txHash, trader }: StoredSwap) => ({
      ...{ pool, block, logIndex, ts, txHash, trader },
    })
    expect([...newest, ...rest]).toEqual(swaps.toReversed().map(placeOf))
    expect([newest.length, rest.length]).toEqual([4, 2])
    const [first, second, third, fourth] = newest.map((row, at) => ({
      ...row,
      trader: addressOf(20 + at),
    }))
    if (!first || !second || !third || !fourth) throw new Error('there are four rows')
    // The third row has been replaced by another transaction since it was read.
    await store.recordTraders([first, second, { ...third, txHash: hashOf(99) }])
    await store.recordTraders([
      { ...first, trader: addressOf(9) },
      { ...fourth, pool: 7 },
    ])
    const after = await store.readSwapTransactions(null, 9)
    expect(after.slice(0, 4)).toEqual([first, second, newest[2], newest[3]])
    const { swaps: stored } = await store.readEvents({ from: 3, to: 3 })
    expect(stored).toMatchObject([{ trader: addressOf(21) }, { trader: addressOf(20) }])
    const { revision } = (await contentsOf(store)).header ?? { revision: 0 }
    await store.recordTraders([first])
    expect((await contentsOf(store)).header?.revision).toBe(revision)
  })
}

const hostileTexts = [
  '',
  'a\0b',
  '\0',
  '🚀'.repeat(32),
  '<script>alert(1)</script>',
  "'; DROP TABLE swaps; --",
  '\u202eADVN\u200b',
  'İıſK\u0301',
  '%_\\?$1',
]

const describeTexts = (open: OpenBench): void => {
  test('any text comes back as it was', async () => {
    const { store } = await open()
    const tokens = hostileTexts.map((hostile, at) => ({
      address: addressOf(at),
      symbol: known(hostile),
      name: known(hostile),
      decimals: known(36),
    }))
    await store.recordTokens(tokens)
    expect((await contentsOf(store)).tokens).toEqual(tokens)
  })
}

const describeUnknowns = (open: OpenBench): void => {
  test('an unknown value is null and never zero', async () => {
    const { store } = await open()
    const nothing = {
      price: null,
      reserves: null,
      depth: null,
      mapFault: 'hook_custom_accounting',
      lastSwapTs: null,
      lastSwapBlock: null,
      lastSwapFee: null,
      fees: null,
      settings: null,
    } as const
    const swap = swapAt(
      { pool: 1, block: 1 },
      { fee: null, recipient: null, usdMicro: null, estimated: true },
    )
    const all = { fee: 0, recipient: addressOf(0), usdMicro: 0, txHash: hashOf(0) }
    const swaps = [swap, swapAt({ pool: 1, block: 1, logIndex: 1 }, all)]
    const states = [{ pool: 1, state: stateOf(0n, nothing) }]
    const fees = { lpFee: 0, protocolFee: 0, block: 0 }
    const settings = { tickSpacing: 0, pluginConfig: 0, block: 0 }
    const zero = { lastSwapTs: 0, lastSwapBlock: 0, lastSwapFee: 0, fees, settings }
    const state = stateOf(0n, { price: { sqrtPriceX96: 0n, tick: 0 }, ...zero })
    const second = identityOf(2)
    const custom = { ...second, key: { ...second.key, deployer: addressOf(0) } }
    const pools = [identityOf(1), custom, identityOf(3)]
    await store.commitRange(
      batchOf({ before: null, to: 1 }, { pools, swaps, states: [...states, { pool: 2, state }] }),
    )
    const after = await contentsOf(store)
    expect(after.pools[0]).toMatchObject({ ...nothing, lastHotTs: null })
    expect(after.pools[1]).toMatchObject({ ...custom, ...state })
    expect(after.pools[2]?.key).not.toHaveProperty('deployer')
    expect(after.pools[2]).toMatchObject({ price: null, liquidity: 0n })
    expect(after.perPool[0]?.swaps).toEqual(swaps.toReversed())
  })
}

export const describeValues = (open: OpenBench): void => {
  describe('amounts', () => describeAmounts(open))
  describe('origins', () => describeOrigins(open))
  describe('traders', () => describeTraders(open))
  describe('texts', () => describeTexts(open))
  describe('unknown values', () => describeUnknowns(open))
}
