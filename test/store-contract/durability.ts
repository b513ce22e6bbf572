import { describe, expect, test } from 'vitest'
import { known } from '../../src/domain/reading.ts'
import type { Store } from '../../src/ports/store.ts'
import type { OpenBench } from './bench.ts'
import {
  addressOf,
  batchOf,
  blockRefAt,
  candleAt,
  chain,
  contentsOf,
  day,
  ever,
  hashOf,
  identityOf,
  passAt,
  pointAt,
  quoteOf,
  stateOf,
  stockOf,
  swapAt,
} from './fixtures.ts'

/** Writes at least one row to every table. */
const fill = async (store: Store): Promise<void> => {
  await store.commitRange(
    batchOf(
      { before: null, to: 10 },
      {
        blocks: [blockRefAt(9)],
        pools: [identityOf(1), identityOf(2)],
        states: [{ pool: 1, state: stateOf(2n ** 128n - 1n, { mapFault: 'index_gap' }) }],
        ticks: [{ pool: 1, tick: -60, net: -(2n ** 127n), gross: 2n ** 128n - 1n }],
        swaps: [swapAt({ pool: 1, block: 9 }, { amount0: -(2n ** 255n), usdMicro: null })],
        candles: [candleAt({ pool: 1, width: 60, ts: day }, { open: 1e-30, reserve0: 1e70 })],
        references: [pointAt(day, 0.1 + 0.2)],
      },
    ),
  )
  const fact = known('x')
  const token = { address: addressOf(1), symbol: fact, name: fact, decimals: known(6) }
  await store.recordTokens([token])
  await store.recordStocks([stockOf(3, { multiplier: 1n })])
  const held = { amount0: 0.1, amount1: 3, liquidityUsd: null }
  const reserves = [{ pool: 1, source: 'balance', ...held, ts: day } as const]
  const hot = [{ pool: 2, lastHotTs: day + 3 }]
  await store.recordEnrichment(passAt(day + 4, { quotes: [quoteOf()], reserves, hot }))
}

const describeReopening = (open: OpenBench): void => {
  test('a store answers as before after it is closed and opened again', async () => {
    const { store, reopen } = await open()
    await fill(store)
    const before = await contentsOf(store)
    const again = await reopen()
    expect(await contentsOf(again)).toEqual(before)
    expect(await again.claim({ ...chain, originHash: hashOf(9) }, day)).toBe('other-chain')
    expect(await again.claim(chain, day)).toBe('ready')
    expect(await again.commitRange(batchOf({ before: null, to: 10 }))).toBe('committed')
    expect(await contentsOf(again)).toEqual(before)
    expect(await again.commitRange(batchOf({ before: 10, to: 11 }))).toBe('committed')
  })
}

const describeSecondConnection = (open: OpenBench): void => {
  test('another connection sees each commit, and never part of one', async () => {
    const { store, connect } = await open()
    const reader = await connect()
    const headerSeen = () => reader.snapshot((snapshot) => snapshot.header())
    await store.commitRange(
      batchOf({ before: null, to: 1 }, { swaps: [swapAt({ pool: 1, block: 1 })] }),
    )
    expect((await headerSeen())?.cursor).toEqual(blockRefAt(1))
    const twice = swapAt({ pool: 1, block: 2 })
    const broken = batchOf({ before: 1, to: 2 }, { swaps: [twice, twice] })
    await expect(store.commitRange(broken)).rejects.toThrow()
    expect((await headerSeen())?.cursor).toEqual(blockRefAt(1))
    await reader.close()
  })

  test('a snapshot stays the same while commits continue', async () => {
    const { store, connect } = await open()
    const reader = await connect()
    const pools = [identityOf(1)]
    await store.commitRange(batchOf({ before: null, to: 1 }, { pools }))
    for (const one of [store, reader]) {
      await one.snapshot(async (snapshot) => {
        const before = await snapshot.header()
        const from = before?.cursor?.block ?? 0
        const states = [{ pool: 1, state: stateOf(BigInt(from) + 5n) }]
        const swaps = [swapAt({ pool: 1, block: from + 1 })]
        await store.commitRange(batchOf({ before: from, to: from + 1 }, { states, swaps }))
        expect(await snapshot.header()).toEqual(before)
        const [pool] = await snapshot.poolsChangedAfter(-1)
        expect(pool?.liquidity).not.toBe(BigInt(from) + 5n)
        const volume = await snapshot.volume({ ...ever, afterBlock: from })
        expect(volume).toEqual([])
      })
    }
    const header = await reader.snapshot((snapshot) => snapshot.header())
    expect(header).toMatchObject({ cursor: blockRefAt(3), revision: 3 })
    await reader.close()
  })
}

export const describeDurability = (open: OpenBench): void => {
  describe('a restart', () => describeReopening(open))
  describe('a second connection', () => describeSecondConnection(open))
}
