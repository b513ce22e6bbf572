import { afterEach, expect, test } from 'vitest'
import type { Address, Hex } from '../../src/domain/units.ts'
import type { RawLog } from '../support/domain/sample-chain.ts'
import { poolOf, tokens } from '../support/domain/sample-market.ts'
import { contractOf, encode, returned, reverted } from '../support/indexer/market.ts'
import { evilToken, evilTokens, hostileContracts, hostileLogs } from './hostile.ts'
import { createPipelineWorld, type PipelineOptions } from './pipeline-world.ts'
import { createRandom } from './random.ts'
import type { Answering } from './sim-contracts.ts'

let world: ReturnType<typeof createPipelineWorld>
afterEach(() => world.store.close())

/** Indexes a chain whose second block holds these logs, for so many seconds. */
const index = async (
  logs: readonly RawLog[],
  { seconds, ...options }: Partial<PipelineOptions> & { readonly seconds: number },
): Promise<void> => {
  world = createPipelineWorld({ random: createRandom(1), nodesOf: [1], ...options })
  const { chain, time, start } = world
  chain.grow({ acts: [{ kind: 'swap', pool: 1, percent: 110 }], seconds: 1 })
  chain.grow({ acts: [], seconds: 1, foreign: logs })
  for (let block = 0; block < 5; block++) chain.grow({ acts: [], seconds: 1 })
  await time.governing(async () => {
    const indexer = await start()
    await time.pass(seconds * 1000)
    const stopped = indexer.stop()
    await time.pass(20_000)
    await stopped
  })
}

const storedTokens = async () => {
  const rows = await world.store.snapshot((snapshot) => snapshot.tokensChangedAfter(-1))
  return new Map(rows.map((row) => [row.address, row]))
}

test('ten thousand pools in one block are ten thousand rows', async () => {
  const pools = 10_000
  const logs: RawLog[] = []
  for (let at = 0; at < pools; at++) {
    const token1: Address = `0x${'8'.repeat(34)}${at.toString(16).padStart(6, '0')}`
    poolOf((log) => logs.push(log), 'v4', { token0: tokens.apple, token1 }).create(1n << 96n)
  }
  await index(logs, { seconds: 120 })
  expect(world.broken).toEqual([])
  expect(world.journal.of('error')).toEqual([])
  const rows = await world.store.snapshot((snapshot) => snapshot.poolsChangedAfter(-1))
  expect(rows).toHaveLength(pools + 1)
  expect((await storedTokens()).size).toBeGreaterThan(pools)
})

const huge: Address = `0x${'6'.repeat(40)}`
/** Ten million characters, returned by a node without a cap of its own. */
const charCount = 10_000_000
const wordOf = (value: number): string => value.toString(16).padStart(64, '0')
const tenMegabytes: Hex = `0x${wordOf(32)}${wordOf(charCount)}${'41'.repeat(charCount)}`

const hugeContract: Answering = (to, data, at) =>
  to === huge
    ? contractOf({
        'symbol()': () => returned(tenMegabytes),
        'name()': () => reverted,
        'decimals()': () => returned(encode('uint8', 18)),
      })(data, at.anchor.block)
    : undefined

test('a symbol of ten megabytes costs only its own token the name', async () => {
  const logs: RawLog[] = []
  const key = { token0: tokens.apple, token1: huge }
  poolOf((log) => logs.push(log), 'v4', key).create(1n << 96n)
  await index(logs, { seconds: 30, contracts: hugeContract })
  expect(world.broken).toEqual([])
  const rows = await storedTokens()
  expect(rows.get(huge)).toMatchObject({
    symbol: { known: false, reason: 'symbol-too-large' },
    decimals: { known: true, value: 18 },
  })
  expect(rows.get(tokens.apple)).toMatchObject({ symbol: { known: true, value: 'AAPL' } })
})

test('hostile tokens are shown cleaned or not at all, and never scale anything', async () => {
  const random = createRandom(7)
  const logs = Array.from({ length: evilTokens }, (_, token) =>
    hostileLogs(random, { token, place: 1 + token }),
  ).flat()
  await index(logs, { seconds: 30, contracts: hostileContracts })
  expect(world.broken).toEqual([])
  expect(world.journal.of('error').map(({ message }) => message)).not.toContain(
    'Unexpected error in the realtime loop',
  )
  const rows = await storedTokens()
  const shown = Array.from({ length: evilTokens }, (_, at) => {
    const { symbol, decimals } = rows.get(evilToken(at)) ?? {}
    return [symbol, decimals].map((each) => (each?.known ? each.value : each?.reason))
  })
  expect(shown).toEqual([
    ['symbol-too-large', 18],
    ['symbol-reverted', 'decimals-reverted'],
    ['ABS', 'decimals-absurd'],
    ['M255', 'decimals-absurd'],
    ['MKR', 18],
    ['(', 18],
    ['AB', 18],
    ['LPAA', 6],
    ['<script>alert(1)</script>', 'decimals-malformed'],
    ['AAPL', 18],
  ])
  const stocks = await world.store.snapshot((snapshot) => snapshot.stocksChangedAfter(-1))
  expect(stocks.map(({ address }) => address).toSorted()).toEqual([tokens.apple, tokens.tesla])
})
