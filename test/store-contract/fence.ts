import { describe, expect, test } from 'vitest'
import type { OpenBench } from './bench.ts'
import {
  batchOf,
  blockRefAt,
  candleAt,
  chain,
  contentsOf,
  day,
  hashOf,
  identityOf,
  passAt,
  quoteOf,
  stateOf,
  swapAt,
} from './fixtures.ts'

const first = batchOf(
  { before: null, to: 10 },
  {
    blocks: [blockRefAt(9)],
    pools: [identityOf(1)],
    states: [{ pool: 1, state: stateOf(10n) }],
    ticks: [{ pool: 1, tick: -60, net: 10n, gross: 10n }],
    swaps: [swapAt({ pool: 1, block: 9 })],
    candles: [candleAt({ pool: 1, width: 60, ts: day }, { swaps: 1, usdMicro: 1_500_000 })],
  },
)

const describeClaim = (open: OpenBench): void => {
  test('a store belongs to the chain that claimed it first', async () => {
    const { store } = await open()
    expect(await store.claim(chain, day + 5)).toBe('ready')
    expect(await store.claim({ ...chain, chainId: 1 }, day)).toBe('other-chain')
    expect(await store.claim({ ...chain, network: 'sandbox' }, day)).toBe('other-chain')
    expect(await store.claim({ ...chain, originHash: hashOf(2) }, day)).toBe('other-chain')
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header).toMatchObject({ identity: chain, writerStartedTs: day + 5 })
  })

  test('accepts and stores an origin that was unknown before', async () => {
    const { store } = await open()
    expect(await store.claim({ ...chain, originHash: null }, day)).toBe('ready')
    expect((await contentsOf(store)).header?.identity).toEqual(chain)
  })

  //   claimed for 466300   no chain answers   a typing error: it is 8453   its first block is known
  //   -------------------- prices are kept -- claimed for 8453, empty ---- bound to 8453 for good
  test('another claim replaces an unconfirmed one and discards its data', async () => {
    const mistyped = { ...chain, chainId: 466_300, originHash: null }
    const { store } = await open(mistyped)
    const tried = { lastAttemptTs: day, lastSuccessTs: null, partial: false, failures: 1 }
    const lastError = 'wrong-chain: its chain id is 8453'
    await store.recordSource({ source: 'swaps', enabled: true, ...tried, lastError })
    await store.recordEnrichment(passAt(day + 1, { quotes: [quoteOf()] }))
    const before = (await contentsOf(store)).header?.revision ?? 0
    const right = { ...chain, chainId: 8453, originHash: null }
    expect(await store.claim(right, day + 2)).toBe('ready')
    const { header, quotes, sources } = await contentsOf(store)
    expect({ quotes, sources }).toEqual({ quotes: [], sources: [] })
    expect(header).toMatchObject({ identity: right, enrichedTs: null, writerStartedTs: day + 2 })
    expect(header?.revision).toBeGreaterThan(before)
    expect(await store.claim({ ...right, originHash: hashOf(1) }, day + 3)).toBe('ready')
    expect(await store.claim(mistyped, day + 4)).toBe('other-chain')
  })

  test('a chain with the newest block of the store may give it another first block', async () => {
    const { store } = await open()
    expect(await store.commitRange(first)).toBe('committed')
    const moved = { ...chain, originHash: hashOf(2) }
    const wrong = { ...first.to, hash: hashOf(77) }
    expect(await store.claim(moved, day, wrong)).toBe('other-chain')
    expect(await store.claim({ ...moved, chainId: 1 }, day, first.to)).toBe('other-chain')
    expect(await store.claim(moved, day, first.to)).toBe('ready')
    expect((await contentsOf(store)).header).toMatchObject({ identity: moved, cursor: first.to })
    expect(await store.claim(chain, day)).toBe('other-chain')
  })

  test('a claim stays once something was read under it', async () => {
    const { store } = await open({ ...chain, originHash: null })
    expect(await store.commitRange(first)).toBe('committed')
    expect(await store.claim({ ...chain, chainId: 1 }, day)).toBe('other-chain')
  })
}

const describeCommits = (open: OpenBench): void => {
  test.each([
    ['continues', batchOf({ before: 10, to: 11 }), 'committed'],
    ['is already stored', first, 'committed'],
    ['starts again', batchOf({ before: null, to: 12 }), 'stale-cursor'],
    ['leaves a hole', batchOf({ before: 11, to: 12 }), 'stale-cursor'],
    ['overlaps', batchOf({ before: 9, to: 12 }), 'stale-cursor'],
    ['ends in another branch', { ...first, to: blockRefAt(10, 1) }, 'stale-cursor'],
    ['ended before, unknown', batchOf({ before: 5, to: 8 }), 'stale-cursor'],
    ['ended before, known', batchOf({ before: 5, to: 9 }), 'committed'],
  ] as const)('after block 10, a batch that %s', async (_, batch, outcome) => {
    const { store } = await open()
    expect(await store.commitRange(first)).toBe('committed')
    const before = await contentsOf(store)
    expect(await store.commitRange(batch)).toBe(outcome)
    const after = await contentsOf(store)
    if (batch.to.block === 11) expect(after.header?.cursor).toEqual(blockRefAt(11))
    else expect(after).toEqual(before)
  })

  test('a batch becomes visible as a whole', async () => {
    const { store } = await open()
    await store.commitRange(first)
    const { header, pools, ticks, perPool, volume } = await contentsOf(store)
    const { to: cursor, head, progress } = first
    expect(header).toMatchObject({
      cursor,
      head,
      progress,
      finalizedCursor: null,
      crossChecked: false,
    })
    expect(pools).toEqual([{ ...identityOf(1), ...stateOf(10n), lastHotTs: null }])
    expect(ticks).toEqual(first.ticks)
    expect(perPool[0]?.swaps).toEqual(first.swaps)
    expect(perPool[0]?.series[0]?.[0]).toEqual({ before: null, rows: first.candles })
    expect(volume).toHaveLength(1)
  })

  test('accepts the latest and earlier batches again', async () => {
    const { store } = await open()
    const next = batchOf({ before: 10, to: 20 }, { swaps: [swapAt({ pool: 1, block: 15 })] })
    for (const batch of [first, first, next, next, first]) {
      expect(await store.commitRange(batch)).toBe('committed')
    }
    expect((await contentsOf(store)).perPool[0]?.swaps).toHaveLength(2)
  })
}

const describeFailures = (open: OpenBench): void => {
  const twice = swapAt({ pool: 1, block: 12 })
  test.each([
    ['a swap stands in it twice', { swaps: [twice, twice] }],
    ['a swap came with an earlier one', { swaps: [swapAt({ pool: 1, block: 9 })] }],
    ['a pool number is taken', { pools: [{ ...identityOf(3), number: 1 }] }],
    ['a pool id is taken', { pools: [{ ...identityOf(1), number: 3 }] }],
    ['a state has no pool', { states: [{ pool: 9, state: stateOf(1n) }] }],
    ['a number is none', { candles: [candleAt({ pool: 1, width: 60, ts: day }, { close: NaN })] }],
  ])('nothing of a batch stays when %s', async (_, broken) => {
    const { store } = await open()
    await store.commitRange(first)
    const before = await contentsOf(store)
    const sound = {
      blocks: [blockRefAt(11)],
      ticks: [{ pool: 1, tick: 60, net: -10n, gross: 10n }],
      pools: [identityOf(2)],
      swaps: [swapAt({ pool: 1, block: 11 })],
    }
    await expect(
      store.commitRange(batchOf({ before: 10, to: 12 }, { ...sound, ...broken })),
    ).rejects.toThrow()
    expect(await contentsOf(store)).toEqual(before)
    expect(await store.commitRange(batchOf({ before: 10, to: 12 }, sound))).toBe('committed')
  })
}

export const describeFence = (open: OpenBench): void => {
  describe('a claim', () => describeClaim(open))
  describe('the fence', () => describeCommits(open))
  describe('a commit that fails', () => describeFailures(open))
}
